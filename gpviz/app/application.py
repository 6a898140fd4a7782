"""The program with a window: what is set up before the window is made and taken down after it is closed."""

import importlib
import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gpviz import __version__
from gpviz.app.dialogs.crash_report import CrashReporter
from gpviz.app.dialogs.message_dialogs import tell_problem
from gpviz.app.icons import program_icon
from gpviz.app.main_window import MainWindow
from gpviz.app.run.autosave import orphans
from gpviz.app.settings import Settings, data_folder
from gpviz.app.theme import load_fonts
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import kernel
from gpviz.escaping import terminal_text
from gpviz.run.comparisons import Comparison
from gpviz.run.lecture import Lecture
from gpviz.run.presets import Preset

if TYPE_CHECKING:
    from gpviz.experiments.plan import Plan

__all__ = ["SWITCH_SECONDS", "make_application", "run", "show_start_problem", "warm_up"]

SWITCH_SECONDS: Final = 0.0005
_SIGNALS_MS: Final = 500
_WARM_UP_MS: Final = 50


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
    kernel.keep_out_of_this_thread()
    application = make_application(sys.argv[:1])
    reporter = CrashReporter()
    reporter.install()
    settings = Settings()
    if settings.problem:
        print(f"gpviz: {terminal_text(settings.problem)}", file=sys.stderr)
    theme_manager = ThemeManager(settings, theme)
    theme_manager.apply()
    window = MainWindow(settings, theme_manager)
    try:
        is_plain = not any((file, preset, lecture, comparison, plan))
        _show(window, file, preset, is_playing=is_playing, may_hint=is_plain)
        if lecture is not None:
            window.windows.give(lecture)
        if comparison is not None:
            window.windows.show_comparison(comparison)
        if plan is not None:
            window.windows.show_plan(plan)
        _quit_on_signals(application, window)
        QTimer.singleShot(_WARM_UP_MS, warm_up)
        return application.exec()
    finally:
        window.end_services()
        reporter.uninstall()


def show_start_problem(problem: str) -> None:
    """Tell in a box why there will be no window, and wait until it is closed."""
    application = make_application(sys.argv[:1])
    ThemeManager(Settings(), parent=application).apply()
    tell_problem(problem)


def _show(
    window: MainWindow, file: Path | None, preset: Preset | None, *, is_playing: bool, may_hint: bool
) -> None:
    """Open the window with what was asked for on the command line, or what there is to tell first."""
    left_behind = orphans(data_folder())
    if preset is not None:
        window.file_controller.show_run(preset.request)
    if file is not None:
        window.file_controller.open(file, plays=is_playing)
    elif is_playing:
        window.controller.play()
    window.show()
    if any(data_folder().glob("lecture-autosave-*")):
        may_hint &= not window.windows.offer_left_lectures()
    if left_behind:
        window.offer_orphan(left_behind[0])
    elif may_hint and not window.settings.flag("hint_seen", False):
        window.show_first_hint()


def make_application(arguments: Sequence[str]) -> QApplication:
    """Qt's application, with the looks that do not depend on a theme."""
    QApplication.setApplicationName("gpviz")
    QApplication.setApplicationDisplayName("gpviz")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("gpviz")
    application = QApplication(list(arguments))
    application.setStyle("Fusion")
    application.setWindowIcon(program_icon())
    load_fonts()
    return application


def _quit_on_signals(application: QApplication, window: MainWindow) -> None:
    """Ctrl-C in the terminal or the end of a session end the program; Python sees signals only while it runs."""
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
