"""Plays random events in the windows of the program, with runs going on, and looks at what must never happen.

A traceback, a warning of Qt, a thread or a process left behind; bookmarks or branches that go without an answer
that says so; a file that changes although nobody saved it.
"""

import faulthandler
import hashlib
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, Final
from unittest.mock import patch

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QPoint,
    QSettings,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDesktopServices, QDrag, QInputMethodEvent, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QMessageBox,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from gpviz.app.application import make_application
from gpviz.app.dialogs.file_dialogs import FileDialogs
from gpviz.app.lecture.lecture_editor import unsaved_lectures
from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import Preferences, data_folder
from gpviz.app.run.autosave import orphans
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import GpvizError
from gpviz.runs.run_file import Bookmark, load
from tests.fuzz.damage import damaged, files_of, make_store
from tests.fuzz.inputs import Step, Steps
from tests.patience import PATIENCE_SECONDS

HANG_SECONDS: Final = 4 * PATIENCE_SECONDS
"""What has not come to an end after so long never will, however busy the machine is."""

_HARMLESS: Final = ("This plugin does not support",)
"""What Qt says where there is no screen."""
_ANSWER_MS: Final = 5
_MOST_ANSWERS: Final = 30
_LEAST_ROUNDS: Final = 3
_BUTTONS: Final = {
    "left": Qt.MouseButton.LeftButton,
    "double": Qt.MouseButton.LeftButton,
    "drag": Qt.MouseButton.LeftButton,
    "right": Qt.MouseButton.RightButton,
}


class Failure(AssertionError):  # noqa: N818  # it is what a person would call it
    """What the program should not have done."""


def application() -> QApplication:
    """The one of this process."""
    there = QApplication.instance()
    return there if isinstance(there, QApplication) else make_application(["gpviz"])


@contextmanager
def _home(folder: Path) -> Iterator[Path]:
    """A user of their own, whose settings and data are in the folder."""
    folder.mkdir(exist_ok=True)
    places = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "HOME": "home", "TMPDIR": "tmp"}
    for name in places.values():
        (folder / name).mkdir(exist_ok=True)
    with patch.dict(os.environ, {key: str(folder / name) for key, name in places.items()}):
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder / "config"))
        data_folder.cache_clear() if hasattr(data_folder, "cache_clear") else None
        yield folder


def _damage_settings(folder: Path, steps: Steps) -> None:
    """Make settings as a session would leave them, and damage their file."""
    settings = Preferences()
    settings.theme = "dark"
    settings.font_size = 12
    settings.set_flag("hint_seen", True)
    settings.set_text("layout", "tidy")
    settings.add_recent_file(folder / "run.gpviz")
    settings.sync()
    for path in (folder / "config").rglob("*"):
        if path.is_file():
            path.write_bytes(damaged(path.read_bytes(), steps))


def read_preferences(steps: Steps, folder: Path) -> None:
    """A damaged file of settings means the usual ones."""
    application()
    with _home(folder / "before"):
        _damage_settings(folder / "before", steps)
    shutil.copytree(folder / "before" / "config", folder / "after" / "config")
    with _home(folder / "after"):
        settings = Preferences()
        _ = (settings.theme, settings.font_size, settings.recent_files, settings.pane_shares)
        settings.flag("hint_seen", False)
        settings.text("layout")
        settings.font_size = 10
        settings.sync()
        assert Preferences().font_size == 10


def walk(steps: Steps, folder: Path) -> None:
    """Open the window, let all of it happen, and close it again."""
    application()
    with ExitStack() as stack:
        stack.enter_context(_home(folder))
        walker = _Walker(folder)
        stack.enter_context(walker.watching())
        walker.play_all(steps)


class _Walker:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = folder / "home"
        self._seed = 0
        self._random = Random(0)
        self._problems: list[str] = []
        self._depth = 0
        self._answers = 0
        self._is_over = False
        self._discarded: list[tuple[Bookmark, ...]] = []
        self._may_change: set[Path] = set()
        self._make_files()
        self._hashes = self._hashes_now()
        self.window: MainWindow

    # --- the whole ---

    def play_all(self, steps: Steps) -> None:
        kind = steps[0][1] if steps and steps[0][0] == "start" else "plain"
        end, self._seed = steps[-1][1:] if steps and steps[-1][0] == "end" else ("leave", 0)
        self._draw_for("start")
        threads, tasks = set(threading.enumerate()), _tasks()
        self._start(kind)
        try:
            QTimer.singleShot(_ANSWER_MS, self._answer_question)
            for step in steps:
                if step[0] not in ("start", "end"):
                    self._play(step)
            self._end(end)
        finally:
            self._is_over = True
            self.window.end_services()
            # Without a screen Qt keeps what was copied until after the end of Python, which then crashes.
            QApplication.clipboard().clear()
            self.window.hide()
            self.window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QApplication.processEvents()
        self._check("the end")
        self._check_nothing_left(threads, tasks)

    def _start(self, kind: str) -> None:
        if kind == "damaged settings":
            _damage_settings(self._folder, [["overwrite", self._random.random(), [255, 0, 34, 64, 86]]])
        settings = Preferences()
        settings.set_flag("hint_seen", kind != "plain")
        themes = ThemeManager(settings)
        themes.apply()
        self.window = MainWindow(settings, themes)
        self.window.resize(1280, 720)
        self.window.show()
        if kind == "plain":
            self.window.show_first_line()
        if kind == "plays":
            self.window.player.set_speed(float("inf"))
            self.window.player.play()
        if kind == "left behind":
            self._leave_run_behind()
        self._process(5)

    def _leave_run_behind(self) -> None:
        shutil.copy(files_of("runs")[-1], data_folder() / "autosave-0123456789abcdef.gpviz")
        (data_folder() / "autosave-fedcba9876543210.gpviz").write_text('{"format": ')
        for orphan in orphans(data_folder())[:1]:
            self.window.offer_orphan(orphan)

    def _draw_for(self, step: object) -> None:
        """Draw from here on what belongs to this step, however fast the others went, and if some are left out."""
        self._random = Random(f"{self._seed} {step}")

    def _end(self, how: str) -> None:
        self._draw_for("end")
        self._depth += 1  # what is asked now is answered
        try:
            for _ in range(3):
                if how == "close" and self.window.isVisible():
                    self.window.close()
        finally:
            self._depth -= 1
        if self.window._is_closed:
            return
        document, editor = self.window.document, self.window.windows._lecture_editor
        bookmarks = document.bookmarks if document.would_lose_something else None
        lecture = editor.lecture if editor is not None and editor.is_modified else None
        self.window.leave_at_once()
        if bookmarks is not None and bookmarks not in [
            each.content.bookmarks for each in orphans(data_folder())
        ]:
            raise Failure(f"the bookmarks {bookmarks} are not in any autosave")
        if lecture is not None and lecture not in [each.content for each in unsaved_lectures(data_folder())]:
            raise Failure(f"the lecture {lecture.title!r} is not in any autosave")

    # --- what must never happen ---

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Hear of everything that goes wrong, and stand in for what a person does outside the windows."""
        walker = self

        def ask_about_saving(dialogs: FileDialogs, *words: str) -> QMessageBox.StandardButton:
            answer = original(dialogs, *words)
            if answer == QMessageBox.StandardButton.Discard:
                walker._discarded.append(walker.window.document.bookmarks)
            return answer

        original = FileDialogs._answer_about_saving
        hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = lambda *problem: self._problems.append("".join(traceback.format_exception(*problem)))
        threading.excepthook = lambda problem: self._problems.append(
            "".join(traceback.format_exception(problem.exc_type, problem.exc_value, problem.exc_traceback))
        )
        sys.unraisablehook = lambda problem: self._problems.append(
            f"{problem.err_msg} {problem.object!r}"
            + "".join(traceback.format_exception(problem.exc_type, problem.exc_value, problem.exc_traceback))
        )
        previous = qInstallMessageHandler(self._on_qt_message)
        stubs: dict[tuple[Any, str], Callable[..., Any]] = {
            (QFileDialog, "getOpenFileName"): lambda *_, **__: (self._file_to_open(), ""),
            (QFileDialog, "getSaveFileName"): self._file_to_save,
            (QFileDialog, "getExistingDirectory"): lambda *_, **__: str(self._files),
            (QDesktopServices, "openUrl"): lambda _url: True,
            (QDrag, "exec"): lambda *_: Qt.DropAction.IgnoreAction,
            (FileDialogs, "_answer_about_saving"): ask_about_saving,
        }
        with ExitStack() as stack:
            for (owner, name), stub in stubs.items():
                is_static = owner in (QFileDialog, QDesktopServices)
                stack.enter_context(patch.object(owner, name, staticmethod(stub) if is_static else stub))
            try:
                yield
            finally:
                sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
                qInstallMessageHandler(previous)

    def _on_qt_message(self, kind: QtMsgType, _context: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not any(words in message for words in _HARMLESS):
            self._problems.append(f"Qt says: {message}\n{''.join(traceback.format_stack(limit=12))}")

    def _check(self, what: object) -> None:
        if self._problems:
            raise Failure(f"at {what}:\n" + "\n".join(self._problems))
        self._check_files(what)

    def _check_files(self, what: object) -> None:
        now = self._hashes_now()
        document, windows = self.window.document, self.window.windows
        opened = {document.path, getattr(windows._lecture_editor, "path", None)}
        experiments = windows.experiments
        snapshot = None if experiments is None else experiments.experiment
        opened.add(None if snapshot is None else snapshot.path)
        self._may_change |= {path.resolve() for path in opened if path is not None}
        for path, before in self._hashes.items():
            if now.get(path) != before and path not in self._may_change:
                raise Failure(f"at {what}: {path.name} has changed, and nobody saved it")
        self._hashes = now

    def _hashes_now(self) -> dict[Path, str]:
        return {
            path.resolve(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self._files.iterdir())
            # What is being written is a draft, and a database that is open has files beside it.
            if path.is_file() and not path.name.startswith(".") and not path.name.endswith(("-shm", "-wal"))
        }

    def _check_nothing_left(self, threads: set[threading.Thread], tasks: set[Path]) -> None:
        deadline = monotonic() + PATIENCE_SECONDS
        while monotonic() < deadline:
            QApplication.processEvents()
            left = [
                str(thread)
                for thread in set(threading.enumerate()) - threads
                if thread.name != "gpviz warm up"
            ]
            left += [name for task in _tasks() - tasks if (name := _name_of(task)).startswith("gpviz")]
            left += _children()
            if not left:
                break
            sleep(0.001)
        else:
            raise Failure(f"left behind: {left}")
        windows = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        if windows:
            raise Failure(f"windows left on the screen: {windows}")
        litter = [
            path
            for path in self._folder.rglob("*")
            if path.name.startswith(".gpviz-") or path.suffix == ".tmp"
        ]
        if litter:
            raise Failure(f"litter: {litter}")

    # --- events ---

    def _play(self, step: Step) -> None:
        if self.window._is_closed:
            return
        document, history = self.window.document, self.window.player.run.history
        marks = document.bookmarks if document.is_modified else ()
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        self._draw_for(step)
        self._depth += 1
        self._answers = 0
        try:
            getattr(self, f"_on_{step[0]}")(*step[1:])
        finally:
            self._depth -= 1
        self._process(2)
        self._check(step)
        is_gone = not set(marks) <= set(document.bookmarks)
        if is_gone and self.window.player.run.history is not history and not self._may_go(marks):
            raise Failure(f"at {step}: the bookmarks {marks} went without a question")

    def _may_go(self, marks: tuple[Bookmark, ...]) -> bool:
        """Whether a person said that these bookmarks may go, or they are in a file."""
        if marks in self._discarded:
            return True
        for path in self._files.glob("*.gpviz"):
            with suppress(GpvizError):
                if set(marks) <= set(load(path).bookmarks):
                    return True
        return False

    def _process(self, ms: int) -> None:
        """Let happen what is due for so long; what follows from what does not depend on how fast that is."""
        end = monotonic() + ms / 1000
        for _ in range(_LEAST_ROUNDS):
            QApplication.processEvents()
        while monotonic() < end:
            QApplication.processEvents()
            sleep(0.001)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _target(self, name: str) -> QWidget | None:
        """The window of this name, or what is in front of it and has to be answered first."""
        in_front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if in_front is not None:
            return in_front
        windows = self.window.windows
        session, exports = windows._lecture_mode, windows._exports
        found: dict[str, QWidget | None] = {
            "main": self.window,
            "compare": windows.compare,
            "experiments": windows.experiments,
            "audience": None if session is None else session.audience,
            "presenter": None if session is None else session.presenter,
            "guide": windows._guide,
            "export": None if exports is None else exports.dialog,
            "front": QApplication.activeWindow(),
        }
        target = found[name]
        return target if target is not None and target.isVisible() else None

    def _on_action(self, window: str, name: str) -> None:
        target = self._target(window)
        actions = getattr(target, "actions_by_name", None)
        if actions is None:
            self._on_answer(len(name))
        elif actions[name].isEnabled():
            actions[name].trigger()

    def _on_menu(self, window: str, number: int) -> None:
        target = self._target(window)
        if target is None:
            return
        menus: list[QMenu | None] = [
            button.menu() for button in target.findChildren(QToolButton) if button.isVisible()
        ]
        waiting: list[QMenuBar | QMenu] = [target.menuBar()] if isinstance(target, QMainWindow) else []
        waiting += [menu for menu in menus if menu is not None]
        actions = [action for action in target.actions() if action.isEnabled()]
        while waiting:
            menu = waiting.pop()
            if isinstance(menu, QMenu):
                menu.aboutToShow.emit()
            for action in menu.actions():
                inner = action.menu()
                if isinstance(inner, QMenu):
                    waiting.append(inner)
                elif action.isEnabled() and action.isVisible():
                    actions.append(action)
        if actions:
            actions[number % len(actions)].trigger()

    def _on_key(self, window: str, keys: str) -> None:
        target = self._target(window)
        if target is None:
            return
        combination = QKeySequence(keys)[0]  # type: ignore[index]  # PySide's stubs do not know it
        QTest.keyClick(_with_keyboard(target), combination.key(), combination.keyboardModifiers())

    def _on_type(self, window: str, number: int, text: str) -> None:
        fields = self._widgets(window, QLineEdit, QPlainTextEdit)
        if fields:
            field = fields[number % len(fields)]
            field.setFocus()
            if isinstance(field, QLineEdit):
                field.selectAll()
            written = QInputMethodEvent()  # keys are for ASCII only
            written.setCommitString(text)
            QApplication.sendEvent(field, written)
            QTest.keyClick(field, Qt.Key.Key_Return if number % 2 else Qt.Key.Key_Tab)

    def _on_choose(self, window: str, number: int, index: int) -> None:
        boxes = self._widgets(window, QComboBox)
        if boxes:
            box = boxes[number % len(boxes)]
            assert isinstance(box, QComboBox)
            if box.count():
                box.setCurrentIndex(index % box.count())
                box.activated.emit(box.currentIndex())

    def _on_focus(self, window: str, number: int) -> None:
        takers = [each for each in self._widgets(window) if each.focusPolicy() != Qt.FocusPolicy.NoFocus]
        if takers:
            takers[number % len(takers)].setFocus(Qt.FocusReason.TabFocusReason)

    def _on_mouse(self, window: str, number: int, x: float, y: float, button: str) -> None:
        widgets = self._widgets(window)
        if not widgets:
            return
        widget = widgets[number % len(widgets)]
        place = QPoint(int(x * widget.width()), int(y * widget.height()))
        if button == "wheel":
            turn = 120 if number % 2 else -120
            event = QWheelEvent(
                place,
                widget.mapToGlobal(place),
                QPoint(),
                QPoint(0, turn),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(widget, event)
        elif button == "double":
            QTest.mouseDClick(widget, _BUTTONS[button], Qt.KeyboardModifier.NoModifier, place)
        elif button == "drag":
            QTest.mousePress(widget, _BUTTONS[button], Qt.KeyboardModifier.NoModifier, place)
            if _is_there(widget):  # a list of choices goes with the press
                QTest.mouseMove(widget, widget.rect().center())
            if _is_there(widget):
                QTest.mouseRelease(
                    widget, _BUTTONS[button], Qt.KeyboardModifier.NoModifier, widget.rect().center()
                )
        else:
            QTest.mouseClick(widget, _BUTTONS[button], Qt.KeyboardModifier.NoModifier, place)

    def _on_resize(self, window: str, width: int, height: int) -> None:
        target = self._target(window)
        if target is not None:
            target.resize(width, height)

    def _on_state(self, window: str, state: str) -> None:
        target = self._target(window)
        if target is None or isinstance(target, QMenu):
            return
        if state == "hidden":
            target.hide()
            self._process(1)
            target.show()
        else:
            {
                "normal": target.showNormal,
                "maximized": target.showMaximized,
                "full": target.showFullScreen,
                "minimized": target.showMinimized,
            }[state]()

    def _on_theme(self, name: str) -> None:
        self.window.theme_manager.choose(name)

    def _on_open(self, name: str) -> None:
        if QApplication.activeModalWidget() is None:
            self.window.file_controller.open(self._path(name))

    def _on_activate(self, window: str) -> None:
        target = self._target(window)
        if target is not None:
            target.activateWindow()

    def _on_close(self, window: str) -> None:
        target = self._target(window)
        if target is not None and target is not self.window:
            target.close()

    def _on_answer(self, number: int) -> None:
        """Answer whatever is in front: a menu, a question, a dialog."""
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if isinstance(popup, QMenu):
            actions = [action for action in popup.actions() if action.isEnabled() and action.menu() is None]
            popup.close()
            if actions and number % 3:
                actions[number % len(actions)].trigger()
        elif popup is not None:
            popup.close()
        elif modal is not None:
            buttons = [
                each for each in modal.findChildren(QAbstractButton) if each.isEnabled() and each.isVisible()
            ]
            if number % 3 == 0 or not buttons:
                QTest.keyClick(modal, Qt.Key.Key_Escape)
            elif number % 3 == 1:
                QTest.keyClick(_with_keyboard(modal), Qt.Key.Key_Return)
            else:
                buttons[number % len(buttons)].click()

    def _on_wait(self, ms: int) -> None:
        self._depth -= 1  # nothing is asked because of it
        try:
            self._process(ms)
        finally:
            self._depth += 1

    def _answer_question(self) -> None:
        """Comes again and again. While an event is played, only a question lets it come: that is answered."""
        if self._is_over:
            return
        QTimer.singleShot(_ANSWER_MS, self._answer_question)  # an answer may lead to the next question
        modal = QApplication.activeModalWidget()
        if not self._depth or (modal is None and QApplication.activePopupWidget() is None):
            return  # a button with a menu waits as well until something is chosen
        self._answers += 1
        if self._answers > _MOST_ANSWERS and isinstance(modal, QDialog):
            modal.reject()
        else:
            self._on_answer(self._random.randrange(10))

    def _widgets(self, window: str, *kinds: type[QWidget]) -> list[QWidget]:
        target = self._target(window)
        if target is None:
            return []
        found = [target, *target.findChildren(QWidget)] if not kinds else target.findChildren(QWidget)
        return [
            each
            for each in found
            if each.isVisible()
            and each.isEnabled()
            and each.window() is target
            and (not kinds or isinstance(each, kinds))
        ]

    # --- files ---

    def _make_files(self) -> None:
        runs, lectures, plans = files_of("runs"), files_of("lectures"), files_of("plans")
        shutil.copy(runs[0], self._path("run"))
        shutil.copy(runs[-1], self._path("branches"))
        shutil.copy(lectures[0], self._path("lecture"))
        shutil.copy(plans[0], self._path("plan"))
        make_store(self._path("store"))
        for kind in ("run", "lecture", "store"):
            content = self._path(kind).read_bytes()
            self._path(f"damaged {kind}").write_bytes(content[: len(content) * 2 // 3])

    def _path(self, name: str) -> Path:
        ending = ".toml" if name == "plan" else ".gpvizx" if "store" in name else ".gpviz"
        return self._files / f"{name}{ending}"

    def _file_to_open(self) -> str:
        files = sorted(self._hashes)
        return "" if self._random.random() < 0.2 else str(self._random.choice(files))

    def _file_to_save(self, *arguments: Any, **_: Any) -> tuple[str, str]:
        """A new file, one that is there, one that cannot be written, or none; a filter goes with it."""
        filters = str(arguments[3]) if len(arguments) > 3 else ""
        proposal = Path(str(arguments[2])) if len(arguments) > 2 else Path("saved")
        kind = self._random.random()
        if kind < 0.2:
            return "", ""
        if kind < 0.3:
            return str(self._files / "missing" / proposal.name), filters.split(";;")[0]
        path = self._files / f"saved {len(self._may_change)}{proposal.suffix if kind < 0.9 else ''}"
        self._may_change |= {path.resolve(), path.with_suffix(".gpviz").resolve()}
        return str(path), filters.split(";;")[0]


def _with_keyboard(window: QWidget) -> QWidget:
    """What keys go to in a window."""
    widget: QWidget | None = window.focusWidget()
    return window if widget is None else widget


def _is_there(widget: QWidget) -> bool:
    """Whether Qt has it still."""
    with suppress(RuntimeError):
        return widget.isVisible()
    return False


def _tasks() -> set[Path]:
    return set(Path("/proc/self/task").glob("*"))


def _name_of(task: Path) -> str:
    with suppress(OSError):
        return (task / "comm").read_text().strip()
    return ""


def _children() -> list[str]:
    """The processes that this one has started and that are still there, but for the one that Python keeps."""
    found = []
    for file in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for number in file.read_text().split():
                command = (
                    Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                if "resource_tracker" not in command:
                    found.append(f"process {number}: {command}")
    return found
