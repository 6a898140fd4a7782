"""A lecture in a real window on a virtual screen as projectors have it, driven by the keys of a clicker."""

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

COLOURS = load_theme("projector").colours

_PROGRAM = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
from gpviz.app.lecture.lecture_mode import LectureMode
from gpviz.app.theme import load_fonts, load_theme, palette_of, style_sheet
from gpviz.app.widgets.themed import set_program_theme
from tests.app.lecture.lectures import usual

application = QApplication(["lecture"])
application.setStyle("Fusion")
load_fonts()
theme = load_theme("dark")
application.setPalette(palette_of(theme))
application.setFont(theme.font())
application.setStyleSheet(style_sheet(theme))
set_program_theme(theme)
home = QMainWindow()
home.setWindowTitle("Home")
home.setGeometry(30, 40, 600, 400)
home.show()
session = LectureMode(home)
session.set_reduced_motion(True)
session.problem_met.connect(print)
session.start_lecture(usual())
session.audience.destroyed.connect(lambda: print("left", flush=True))
code = application.exec()
session.stop()
sys.exit(code)
"""

_GRABBER = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication(["grab"])
for line in sys.stdin:
    application.processEvents()
    application.primaryScreen().grabWindow(0).save(line.strip())
    print("done", flush=True)
"""


class Hall:
    """A virtual projector with a lecture on it."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        self._path = folder / "screen.png"
        self._screen = VirtualScreen(folder, size)
        self.xdotool = self._screen.xdotool
        self.end = self._screen.end
        self.program = self._screen.start(_PROGRAM)
        self._grabber = self._screen.start(_GRABBER)

    def keys(self, *names: str) -> None:
        self.xdotool("key", "--delay", "20", *names)

    def picture(self) -> QImage:
        assert self._grabber.stdin is not None
        assert self._grabber.stdout is not None
        print(self._path, file=self._grabber.stdin, flush=True)
        self._grabber.stdout.readline()
        return QImage(str(self._path))

    def wait_for(self, is_so: Callable[[QImage], bool], what: str) -> QImage:
        """The picture of which it is so."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_so(picture := self.picture()):
            self._screen.assert_running(self.program, what)
            assert time.monotonic() < end, f"in vain waited for {what}"
            time.sleep(0.05)
        return picture


@pytest.fixture
def hall(tmp_path) -> Iterator[Hall]:
    """Other sizes are looked at without a screen; the keys of a clicker do the same on all of them."""
    made = Hall(tmp_path, (1024, 768))
    yield made
    made.end()


def share_of(picture: QImage, colour: QColor) -> float:
    """How much of the picture has this colour."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32).reshape(plain.height(), -1)
    return float(np.mean((pixels & 0xFFFFFF) == (colour.rgb() & 0xFFFFFF)))


def has_a_frame(picture: QImage) -> bool:
    return share_of(picture, QColor(COLOURS.stuck)) > 0.002


def test_a_lecture_is_given_with_a_clicker(hall):
    white, black = QColor(COLOURS.window), QColor("black")
    hall.wait_for(lambda _: bool(hall.xdotool("search", "--onlyvisible", "--name", "Lecture")), "the window")
    (window, *_) = hall.xdotool("search", "--onlyvisible", "--name", "Lecture").split()
    hall.xdotool("windowfocus", "--sync", window)
    start = hall.wait_for(
        lambda picture: share_of(picture, white) > 0.8, "the first scene, all over the screen"
    )

    hall.keys("Next", "Next")
    node = QColor(COLOURS.muted)  # where it is stuck, colour is drained
    ink = QColor(COLOURS.text)
    stepped = hall.wait_for(lambda picture: picture != start and share_of(picture, ink) > 0.004, "a step")

    hall.keys("b")
    hall.wait_for(lambda picture: share_of(picture, black) == 1.0, "a black screen")
    hall.keys("Next")
    hall.wait_for(lambda picture: share_of(picture, white) > 0.8, "the picture again")

    width, height = stepped.width(), stepped.height()
    hall.xdotool("mousemove", str(width // 2), str(height // 3))
    hall.keys("s")
    lit = hall.wait_for(lambda picture: share_of(picture, white) < 0.2, "the spotlight")
    reach = height // 12
    circle = lit.copy(width // 2 - reach, height // 3 - reach, 2 * reach, 2 * reach)
    assert share_of(circle, white) > 0.2
    assert QColor(lit.pixel(4, 4)).lightness() < 90
    hall.keys("s")

    hall.keys("shift+Next", "shift+Next")
    hall.wait_for(
        lambda picture: has_a_frame(picture) and share_of(picture, node) > 0.005,
        "the stuck tree in its frame",
    )

    hall.keys("Escape")
    hall.wait_for(lambda picture: share_of(picture, white) < 0.2, "the window that was there before")
    assert hall.program.stdout is not None
    assert hall.program.stdout.readline().strip() == "left"
