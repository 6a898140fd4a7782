"""What all tests of the window share: the font and a home of its own, and nothing left behind after a test."""

import gc
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QStandardPaths, Qt, SignalInstance
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gpviz.app import garbage_collection
from gpviz.app.theme import load_fonts
from gpviz.app.widgets.themed import program_theme, set_program_theme
from tests.patience import PATIENCE_MS, PATIENCE_SECONDS

if TYPE_CHECKING:
    from gpviz.app.main_window import MainWindow
    from gpviz.app.player.player import Player
    from tests.app.main_windows import SharedWindow

_USERS = count(1)
_THREADS = Path("/proc/self/task")


class Heard:
    """What a signal has carried last, until a test goes on; None if it was not emitted."""

    def __init__(self, signal: SignalInstance) -> None:
        self.args: list[Any] | None = None
        self.is_listening = True

        def hear(*args: Any) -> None:
            if self.is_listening:
                self.args = list(args)

        signal.connect(hear)  # not a method, which would be let go of with this object


class PatientBot(QtBot):
    """Waits as long as every test does, and for facts.

    No signal is ever let go of: to do that while a worker sends another may end in a deadlock. Nor is a widget
    before it is closed: what only a test knew might be collected while it is painted.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        self._widgets: list[QWidget] = []

    def addWidget(self, widget: QWidget, **options: Any) -> None:  # type: ignore[override]  # noqa: N802
        self._widgets.append(widget)
        super().addWidget(widget, **options)

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802
        """As in pytest-qt, but it looks five times as often: there are thousands of short waits."""
        end = monotonic() + timeout / 1000
        while True:
            try:
                is_so = callback()
            except AssertionError:
                if monotonic() > end:
                    raise
            else:
                if is_so is None or is_so:
                    return
                assert monotonic() < end, f"in vain waited for {timeout} ms"
            self.wait(2)

    @contextmanager
    def waitSignal(self, signal: SignalInstance) -> Iterator[Heard]:  # type: ignore[override]  # noqa: N802
        with self.waitSignals([signal]) as (heard,):
            yield heard

    @contextmanager
    def waitSignals(self, signals: Sequence[SignalInstance]) -> Iterator[list[Heard]]:  # type: ignore[override]  # noqa: N802
        heard = [Heard(signal) for signal in signals]
        yield heard
        self.waitUntil(lambda: all(each.args is not None for each in heard))
        for each in heard:
            each.is_listening = False

    @contextmanager
    def assertNotEmitted(self, signal: SignalInstance) -> Iterator[None]:  # type: ignore[override]  # noqa: N802
        heard = Heard(signal)
        yield
        heard.is_listening = False
        assert heard.args is None, f"emitted with {heard.args}"


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(scope="session", autouse=True)
def _font(qapp: QApplication) -> None:
    load_fonts()


class _NeverFreezing:
    """The garbage collector for windows of tests: what they leave is young when it is collected after the test."""

    disable, enable, isenabled, collect = gc.disable, gc.enable, gc.isenabled, gc.collect

    @staticmethod
    def freeze() -> None:
        """Nothing is left out of the next collection."""

    unfreeze = freeze


@pytest.fixture(scope="session", autouse=True)
def _nothing_frozen() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(garbage_collection, "gc", _NeverFreezing)
        yield


@pytest.fixture(autouse=True)
def _plain_looks(qapp: QApplication) -> Iterator[None]:
    """A test that gives the program a theme takes it away for the next."""
    palette, font, light = qapp.palette(), qapp.font(), program_theme()
    yield
    if qapp.styleSheet():
        qapp.setStyleSheet("")
        qapp.setPalette(palette)
        qapp.setFont(font)
    set_program_theme(light)


@pytest.fixture(autouse=True)
def user_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where settings and data of a test are; it is there once something is written."""
    user_folder = tmp_path_factory.getbasetemp() / f"user-{next(_USERS)}"
    monkeypatch.setenv("XDG_DATA_HOME", str(user_folder / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user_folder / "config"))
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(user_folder / "config"))
    QStandardPaths.setTestModeEnabled(False)
    if sys.platform in ("win32", "darwin"):  # where Qt does not ask the environment
        kinds = QStandardPaths.StandardLocation
        folders = {kinds.GenericDataLocation: "data", kinds.GenericConfigLocation: "config"}
        monkeypatch.setattr(
            QStandardPaths, "writableLocation", staticmethod(lambda kind: str(user_folder / folders[kind]))
        )
    return user_folder


@pytest.fixture(autouse=True)
def _no_keys_held(qapp: QApplication) -> None:
    """Qt takes Ctrl of the last test for held down until another key is pressed, and then selects otherwise."""
    none = Qt.KeyboardModifier.NoModifier
    if qapp.keyboardModifiers() != none:
        QTest.keyRelease(QWindow(), Qt.Key.Key_F35)
    assert qapp.keyboardModifiers() == none


@pytest.fixture(autouse=True)
def _no_leaks(request: pytest.FixtureRequest, qapp: QApplication, _plain_looks: None) -> Iterator[None]:
    """A test leaves no window and no thread behind; windows are gone before the program loses its theme.

    A window that several tests share, and what it made for itself, goes with their module.
    """
    if "shared_window" not in request.fixturenames:
        with _no_threads_left(qapp), _no_windows_left(qapp):
            yield
    else:
        before = set(visible_windows(qapp))
        yield
        left = set(visible_windows(qapp)) - before - {request.getfixturevalue("shared_window").window}
        assert not left, f"windows left open: {left}"


def visible_windows(qapp: QApplication) -> list[QWidget]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [window for window in qapp.topLevelWidgets() if window.isVisible()]


@contextmanager
def _no_windows_left(qapp: QApplication) -> Iterator[None]:
    before = set(qapp.topLevelWidgets())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()
    windows = set(qapp.topLevelWidgets()) - before
    assert not windows, f"windows left behind: {windows}"


@contextmanager
def _no_threads_left(qapp: QApplication) -> Iterator[None]:
    threads_before, tasks_before = set(threading.enumerate()), _tasks()
    yield
    # A thread that Qt has waited for may still be seen by the system for a moment.
    deadline = monotonic() + PATIENCE_SECONDS
    while (
        threads := (set(threading.enumerate()) - threads_before) | _qt_threads(_tasks() - tasks_before)
    ) and monotonic() < deadline:
        qapp.processEvents()
        sleep(0.001)
    assert not threads, f"threads left behind: {threads}"


@pytest.fixture(scope="module")
def shared_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[SharedWindow]":
    """One main window for all tests of a module."""
    from tests.app.main_windows import SharedWindow  # most tests do without a main window

    shared = SharedWindow()
    with pytest.MonkeyPatch.context() as patch, _no_threads_left(qapp), _no_windows_left(qapp):
        for name in ("data", "config"):
            patch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path_factory.mktemp(name)))
        yield shared
        shared.replace()


@pytest.fixture
def window(
    shared_window: "SharedWindow", request: pytest.FixtureRequest, qtbot: QtBot
) -> "Iterator[MainWindow]":
    """The main window that the tests of a module share, as if it was just opened."""
    failed = request.session.testsfailed
    yield shared_window.fresh(qtbot)
    shared_window.close_others()
    if request.session.testsfailed > failed:
        shared_window.replace()


@pytest.fixture
def own_window(qtbot: QtBot) -> "Iterator[MainWindow]":
    """A main window for this test alone, which may close it or change its looks."""
    from tests.app.main_windows import let_go, open_window

    made = open_window()
    made.activateWindow()
    made.views.canvas.setFocus()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    yield made
    let_go(made)


@pytest.fixture
def player(request: pytest.FixtureRequest, qapp: QApplication) -> "Iterator[Player]":
    """A run of the module's ``CONFIG`` that nobody looks at."""
    from gpviz.app.player.player import Player

    made = Player.for_run(request.module.CONFIG)
    yield made
    made.close()


@pytest.fixture
def show(qtbot) -> Callable[[QWidget], QScrollArea]:
    """Shows a panel or a page inside a scroll area, as in the window, and returns the area."""

    def shown(panel: QWidget) -> QScrollArea:
        window = QScrollArea()
        window.setWidgetResizable(True)
        window.setWidget(panel)
        window.resize(400, 800)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.windowHandle().isExposed())
        window.activateWindow()
        return window

    return shown


def _tasks() -> set[str]:
    """All threads of the program, where the system lists them."""
    return {task.name for task in _THREADS.iterdir()} if _THREADS.is_dir() else set()


def _qt_threads(tasks: set[str]) -> set[object]:
    """Those that Qt has made for gpviz; Python does not know of them."""
    found: set[object] = set()
    for task in tasks:
        try:
            name = (_THREADS / task / "comm").read_text().strip()
        except OSError:  # it has just ended
            continue
        if name.startswith("gpviz"):
            found.add(f"{name} ({task})")
    return found
