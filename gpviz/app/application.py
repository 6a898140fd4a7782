"""The program with a window: what is set up before the window is made and taken down after it is closed."""

import ctypes
import importlib
import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QLocale, Qt, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from gpviz import __version__
from gpviz.app.dialogs.crash_report import CrashReporter
from gpviz.app.dialogs.message_dialogs import bring_up, show_problem_and_wait
from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import Preferences, data_folder
from gpviz.app.run.autosave import orphans
from gpviz.app.theme import load_fonts, program_icon
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.escaping import terminal_text
from gpviz.lecture.lecture import Lecture
from gpviz.runs.presets import Comparison, Preset

if TYPE_CHECKING:
    from gpviz.experiments.plan import Plan

_PROGRAM_ID: Final = "gpviz.gpviz"
_SIGNALS_MS: Final = 500
_WARM_UP_MS: Final = 50


def switch_seconds(platform: str = sys.platform) -> float:
    """How often a thread that computes gives the interpreter up.

    Windows waits whole milliseconds: for half of one, who waits would ask again and again without a rest.
    """
    return 0.001 if platform == "win32" else 0.0005


SWITCH_SECONDS: Final = switch_seconds()


def run(
    *,
    file: Path | None = None,
    preset: Preset | None = None,
    lecture: Lecture | None = None,
    comparison: Comparison | None = None,
    plan: "Plan | None" = None,
    is_playing: bool = False,
    theme: str | None = None,
) -> int:
    """Open the window and stay until it is closed; the result is the exit code."""
    # The worker gives the interpreter up often enough for the window to draw in time.
    sys.setswitchinterval(SWITCH_SECONDS)
    compiled_runner.keep_out_of_this_thread()
    application = make_application(sys.argv[:1])
    reporter = CrashReporter()
    reporter.install()
    preferences = Preferences()
    if preferences.problem:
        print(f"gpviz: {terminal_text(preferences.problem)}", file=sys.stderr)
    theme_manager = ThemeManager(preferences, theme)
    theme_manager.apply()
    window = MainWindow(preferences, theme_manager)
    application.open_files_in(window)
    try:
        is_plain = not any((file, preset, lecture, comparison, plan))
        _show(window, file, preset, is_playing=is_playing, may_hint=is_plain)
        if lecture is not None:
            window.windows.give(lecture)
        if comparison is not None:
            window.windows.show_comparison(comparison)
        if plan is not None:
            window.windows.show_plan(plan)
        _leave_on_signals(application, window)
        QTimer.singleShot(_WARM_UP_MS, warm_up)
        return application.exec()
    finally:
        application.open_files_in(None)
        window.end_services()
        reporter.uninstall()


def show_start_problem(problem: str) -> None:
    """Show in a box why there will be no window, and wait until it is closed."""
    application = make_application(sys.argv[:1])
    ThemeManager(Preferences(), parent=application).apply()
    show_problem_and_wait(problem)


def _show(
    window: MainWindow, file: Path | None, preset: Preset | None, *, is_playing: bool, may_hint: bool
) -> None:
    """Open the window with what was asked for on the command line, or what there is to offer first."""
    left_behind = orphans(data_folder())
    if preset is not None:
        window.file_controller.show_run(preset.request)
    if file is not None:
        window.file_controller.open(file, plays=is_playing)
    elif is_playing:
        window.player.play()
    window.show()
    if any(data_folder().glob("lecture-autosave-*")):
        may_hint &= not window.windows.offer_left_lectures()
    if left_behind:
        window.offer_orphan(left_behind[0])
    elif may_hint and not window.preferences.flag("hint_seen", False):
        window.show_first_line()


class Application(QApplication):
    """Qt's application; it also opens what macOS hands over: a file double-clicked, or dropped on its icon."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self._window: MainWindow | None = None
        self._waiting: Path | None = None

    def open_files_in(self, window: MainWindow | None) -> None:
        """Open them in this window, also the last that came before there was one; None lets go of it."""
        self._window = window
        if self._waiting is not None:
            QTimer.singleShot(0, self._open_waiting)  # once all else that was asked for is there

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self._waiting = Path(event.file())
            if self._window is not None:
                self._open_waiting()
            return True
        return super().event(event)

    def _open_waiting(self) -> None:
        path, self._waiting = self._waiting, None
        if path is not None and self._window is not None:
            bring_up(self._window)
            self._window.file_controller.open(path)


def make_application(arguments: Sequence[str]) -> Application:
    """Qt's application, with the looks that do not depend on a theme."""
    name_process()
    set_locale()
    QApplication.setApplicationName("gpviz")
    QApplication.setApplicationDisplayName("gpviz")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("gpviz")
    application = Application(arguments)
    application.setStyle("Fusion")
    application.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    application.setWindowIcon(program_icon())
    load_fonts()
    return application


def name_process() -> None:
    """Tell Windows which program this is; its task bar would take it for Python, and show Python's icon."""
    if sys.platform == "win32":
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(_PROGRAM_ID)


def set_locale() -> None:
    """Let fields write numbers as the texts of the program do, which are English on every system."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))


def _leave_on_signals(application: QApplication, window: MainWindow) -> None:
    """Ctrl-C in the terminal or the end of a session end the program; Python sees signals only while it runs."""
    application.aboutToQuit.connect(window.leave_at_once)  # the only sign of a session's end on Windows
    for name in ("SIGINT", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), partial(_on_signal, application, window))
    timer = QTimer(window)
    timer.timeout.connect(_wake_python)
    timer.start(_SIGNALS_MS)


def _on_signal(application: QApplication, window: MainWindow, *_: object) -> None:
    window.leave_at_once()
    application.exit(0)


def _wake_python() -> None:
    """Nothing; that Python runs is enough."""


def warm_up() -> threading.Thread:
    """Load what the first tree needs before it comes, without stopping the window."""
    thread = threading.Thread(target=_load, args=(("networkx", "numpy.ma"),), daemon=True)
    thread.start()
    return thread


def _load(names: Iterable[str]) -> None:
    for name in names:
        importlib.import_module(name)
