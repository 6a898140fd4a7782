"""What all tests of the window share: the font and a home of its own, and nothing left behind after a test."""

import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QStandardPaths, Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from gpviz.app.theme import load_fonts

_USERS = count(1)
_GRACE_SECONDS = 2.0
"""A thread that Qt has waited for may still be seen by the system for a moment."""


@pytest.fixture(scope="session", autouse=True)
def _font(qapp: QApplication) -> None:
    load_fonts()


@pytest.fixture(autouse=True)
def _plain_looks(qapp: QApplication) -> Iterator[None]:
    """A test that dresses the program leaves it undressed for the next."""
    palette, font = qapp.palette(), qapp.font()
    yield
    if qapp.styleSheet():
        qapp.setStyleSheet("")
        qapp.setPalette(palette)
        qapp.setFont(font)


@pytest.fixture(autouse=True)
def user_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where settings and data of a test are; it is there once something is written."""
    user_folder = tmp_path_factory.getbasetemp() / f"user-{next(_USERS)}"
    monkeypatch.setenv("XDG_DATA_HOME", str(user_folder / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user_folder / "config"))
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(user_folder / "config"))
    QStandardPaths.setTestModeEnabled(False)
    return user_folder


@pytest.fixture(autouse=True)
def _no_keys_held(qapp: QApplication) -> None:
    """Qt takes Ctrl of the last test for held down until another key is pressed, and then selects otherwise."""
    none = Qt.KeyboardModifier.NoModifier
    if qapp.keyboardModifiers() != none:
        QTest.keyRelease(QWindow(), Qt.Key.Key_F35)
    assert qapp.keyboardModifiers() == none


@pytest.fixture(autouse=True)
def _no_leaks(qapp: QApplication, _plain_looks: None) -> Iterator[None]:
    """A test leaves no window and no thread behind; windows are gone before the program is undressed."""
    windows_before = set(qapp.topLevelWidgets())
    threads_before, tasks_before = set(threading.enumerate()), _tasks()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()
    windows = set(qapp.topLevelWidgets()) - windows_before
    assert not windows, f"windows left behind: {windows}"
    deadline = monotonic() + _GRACE_SECONDS
    while (
        threads := (set(threading.enumerate()) - threads_before) | _qt_threads(_tasks() - tasks_before)
    ) and monotonic() < deadline:
        qapp.processEvents()
    assert not threads, f"threads left behind: {threads}"


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
        qtbot.waitExposed(window)
        window.activateWindow()
        return window

    return shown


def _tasks() -> set[Path]:
    """All threads of the program, where the system tells."""
    return set(Path("/proc/self/task").glob("*"))


def _qt_threads(tasks: set[Path]) -> set[object]:
    """Those that Qt has made for gpviz; Python does not know of them."""
    found: set[object] = set()
    for task in tasks:
        try:
            name = (task / "comm").read_text().strip()
        except OSError:  # it has just ended
            continue
        if name.startswith("gpviz"):
            found.add(f"{name} ({task.name})")
    return found
