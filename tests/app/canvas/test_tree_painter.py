"""Painting with any painter: the same picture from an atlas and as outlines."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.app.canvas.sprite_atlas import AtlasCache
from gpviz.app.canvas.tree_painter import Drawing, paint_drawing
from gpviz.app.theme import load_theme
from gpviz.engine import Operation, Side, Verdict
from tests.app.canvas.goldens import difference_of
from tests.app.canvas.pictures import stepped, stuck

WIDTH, HEIGHT = 480, 360
THEME = load_theme("light")


def painted(drawing: Drawing, *, has_atlas: bool, ratio: float = 1.0) -> QImage:
    image = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(THEME.colours.panel))
    painter = QPainter(image)
    atlases = AtlasCache(THEME) if has_atlas else None
    paint_drawing(painter, drawing, WIDTH, HEIGHT, THEME, atlases, ratio)
    painter.end()
    return image


@pytest.fixture
def stuck_drawing(canvas) -> Drawing:
    picture, analysis = stuck()
    canvas.resize(WIDTH, HEIGHT)
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    canvas.select(picture.tree.uid)
    return canvas.drawing()


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_the_atlas_and_the_outlines_give_the_same_picture(stuck_drawing, ratio):
    stuck_drawing = replace(stuck_drawing, marks=None)  # their tag may find another place by a hair's breadth
    copied = painted(stuck_drawing, has_atlas=True, ratio=ratio)
    outlined = painted(stuck_drawing, has_atlas=False, ratio=ratio)
    mean, share = difference_of(copied, outlined)
    assert mean < 2.5  # nodes from an atlas are moved onto whole pixels
    assert share < 0.03


CASES = [
    ("(x1 & x2) | x3", Operation.INS, Verdict.WORSE, 1),
    ("(x1 & x2) | x3", Operation.INS, Verdict.TOO_LARGE, 0),
    ("(x1 & x2) | x3", Operation.INS, Verdict.IMPROVED, 1),
    ("(x1 & x2) | x3", Operation.DEL, Verdict.WORSE, 1),
    ("(x1 & x2) | x3", Operation.DEL, Verdict.WORSE, 4),
    ("(x1 & x2) | x3", Operation.DEL, Verdict.NEUTRAL, 4),
    ("(x1 & x2) | x3", Operation.SUB, Verdict.WORSE, 4),
    ("(x1 & x2) | x3", Operation.SUB, Verdict.IMPROVED, 4),
    (None, Operation.INS, Verdict.WORSE, 0),
]


@pytest.mark.parametrize(("text", "operation", "verdict", "node"), CASES)
@pytest.mark.parametrize("side", Side)
def test_every_step_leaves_a_mark_in_its_verdicts_colour(canvas, text, operation, verdict, node, side):
    canvas.resize(WIDTH, HEIGHT)
    canvas.set_reduced_motion(True)
    canvas.show_picture(stepped(text, operation, verdict, node, side=side))
    marked = canvas.grab().toImage()
    canvas.set_ghosts_shown(False)
    bare = canvas.grab().toImage()
    colour = QColor(THEME.colours.of_verdict(verdict))

    def count(image: QImage) -> int:
        return sum(image.pixelColor(x, y) == colour for x in range(WIDTH) for y in range(0, HEIGHT, 3))

    assert count(bare) == 0
    assert count(marked) > 30
