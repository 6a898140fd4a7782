"""The real program in a real window on a virtual screen, driven by keys as a person would."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from gpviz.app.theme import load_theme
from tests.app.virtual_screen import VirtualScreen, needs_virtual_screen
from tests.patience import PATIENCE_SECONDS

pytestmark = needs_virtual_screen

STUCK = QColor(load_theme("light").colours.stuck)

_PROGRAM = """
import sys
from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication
import gpviz.app.application as program
from gpviz.app.tasks import BackgroundTask
from gpviz.cli import main

class Answering(program.MainWindow):
    # Asked on its input, it answers after every key that was pressed before: which iteration is on show,
    # that everything is on the screen that was set going, or that a picture of the screen is saved.

    def show(self):
        super().show()
        self._asked = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._asked.activated.connect(self._on_asked)

    def _on_asked(self):
        question = sys.stdin.readline().strip()
        if question == "iteration?":
            QGuiApplication.sync()
            print(self.player.cursor, flush=True)
        elif question == "at rest?":
            self._answer_at_rest()
        elif question.startswith("picture to "):
            path = question.removeprefix("picture to ")
            print(self.screen().grabWindow(0).save(path), flush=True)
        else:
            self._asked.setEnabled(False)

    def _answer_at_rest(self):
        QGuiApplication.sync()
        if self._is_at_rest():
            self.repaint()
            QGuiApplication.sync()
            print("at rest", flush=True)
        else:
            QTimer.singleShot(10, self._answer_at_rest)

    def _is_at_rest(self):
        later = [timer for timer in self.findChildren(QTimer) if timer.isSingleShot() and timer.isActive()]
        found_out = [task for task in self.findChildren(BackgroundTask) if task.is_busy]
        return self.is_idle and not later and not found_out

program.MainWindow = Answering
sys.exit(main([]))
"""


class Screen:
    """A virtual screen with the program on it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._screen = VirtualScreen(folder, (1280, 800))
        self.xdotool = self._screen.xdotool
        self.end = self._screen.end
        (folder / "gpviz").mkdir()
        (folder / "gpviz" / "settings.json").write_text('{"hint_seen": true, "theme": "light"}')
        self.program = self._screen.start(_PROGRAM)

    def keys(self, *names: str) -> None:
        for name in names:
            self.xdotool("key", name)

    def focus(self, name: str) -> None:
        """Wait for a window with this in its title, and give it the keyboard."""
        self.wait_for(lambda: bool(self._windows(name)), f"the window {name}")
        self.xdotool("windowfocus", "--sync", self._windows(name)[0])

    def _windows(self, name: str) -> list[str]:
        return self.xdotool("search", "--onlyvisible", "--name", name).split()

    def picture(self) -> QImage:
        path = self._folder / "screen.png"
        assert self._answer_to(f"picture to {path}") == "True"
        return QImage(str(path))

    def wait_for(self, is_so: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_so():
            self._screen.assert_running(self.program, what)
            assert time.monotonic() < end, f"in vain waited for {what}"
            time.sleep(0.2)

    def wait_for_rest(self) -> QImage:
        """The picture once nothing moves that was set going before."""
        assert self._answer_to("at rest?") == "at rest"
        return self.picture()

    def iteration(self) -> int:
        """The iteration on show."""
        return int(self._answer_to("iteration?"))

    def _answer_to(self, question: str) -> str:
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        print(question, file=self.program.stdin, flush=True)
        return self.program.stdout.readline().strip()


@pytest.fixture
def screen(tmp_path) -> Iterator[Screen]:
    made = Screen(tmp_path)
    yield made
    made.end()


def pixels_of(picture: QImage, colour: QColor) -> int:
    pixels = np.frombuffer(picture.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
    return int((pixels == colour.rgb()).sum())


def test_a_person_plays_pauses_steps_goes_back_and_sees_a_stuck_tree(screen):
    screen.focus("gpviz")
    start = screen.wait_for_rest()
    assert not pixels_of(start, STUCK)

    screen.keys("space")
    screen.wait_for(lambda: screen.iteration() > 0, "the run to play")
    screen.keys("space")
    paused = screen.wait_for_rest()
    assert paused != start

    screen.keys("Right")
    stepped = screen.wait_for_rest()
    assert stepped != paused
    screen.keys("Left", "Left")
    assert screen.wait_for_rest() != stepped
    screen.keys("Right", "Right")
    assert screen.wait_for_rest() == stepped, "the same picture again"

    screen.keys("F2")
    screen.focus("Gallery")
    screen.keys(*"figure", "Return")
    screen.wait_for(lambda: pixels_of(screen.picture(), STUCK) > 500, "the frame of the stuck tree")

    screen.keys("ctrl+q")
    out, err = screen.program.communicate(timeout=PATIENCE_SECONDS)
    assert (screen.program.returncode, out, err) == (0, "", "")
