"""The canvas looks as it did when somebody last looked at it."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from tests.app.canvas.goldens import FOLDER, PICTURES, difference_of, rendered

MOST_MEAN = 0.3
MOST_SHARE = 0.002


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_like_its_golden_one(name):
    golden = QImage(str(FOLDER / f"{name}.png"))
    assert not golden.isNull()
    image = rendered(name)
    assert image.size() == golden.size()
    mean, share = difference_of(image, golden)
    assert mean <= MOST_MEAN
    assert share <= MOST_SHARE


def test_the_comparison_notices_a_missing_node():
    golden = rendered("and-or")
    changed = golden.copy()
    painter = QPainter(changed)
    painter.fillRect(QRect(150, 140, 60, 70), QColor("white"))
    painter.end()
    mean, share = difference_of(golden, changed)
    assert mean > MOST_MEAN or share > MOST_SHARE


def test_golden_pictures_are_small():
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < 250_000
