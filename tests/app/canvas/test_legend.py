"""The legend explains every verdict and every mark, in the line below the tree or in full in its dialog."""

from collections import Counter
from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QAccessible, QColor, QImage, QPainter
from PySide6.QtWidgets import QLabel

from gpviz.app.canvas.legend import MEANINGS, CanvasLegend, Mark, MarksDialog, _draw_swatch
from gpviz.app.theme import contrast, load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import Verdict
from gpviz.escaping import html_text


@pytest.fixture
def legend(qtbot) -> CanvasLegend:
    made = CanvasLegend()
    qtbot.addWidget(made)
    made.resize(1000, made.sizeHint().height())
    return made


@pytest.fixture
def dialog(qtbot) -> MarksDialog:
    made = MarksDialog()
    qtbot.addWidget(made)
    made.show()
    return made


def test_every_verdict_and_every_mark_has_a_meaning():
    assert set(MEANINGS) == {*Verdict, *Mark}
    assert len(set(MEANINGS.values())) == len(MEANINGS)


def test_a_wide_line_explains_the_verdicts_and_ring_ghost_and_cross(legend):
    assert legend.words() == [
        "improved",
        "neutral",
        "worse",
        "too large",
        "new or changed",
        "gone or proposed",
        "rejected",
        "redundant leaf",
        "unchanged",
    ]


def test_what_finds_no_room_is_told_by_dots_and_by_the_tooltip_and_the_description(legend):
    height = legend.sizeHint().height()
    legend.resize(500, height)
    assert legend.words() == ["improved", "neutral", "worse", "too large", "new or changed"]
    assert legend.sizeHint().height() == height
    picture = legend.grab().toImage()
    end = round(legend._places()[-1][1].right())
    ground = picture.pixelColor(picture.width() - 1, 0)
    assert any(
        picture.pixelColor(x, y) != ground for x in range(end + 4, picture.width()) for y in range(height)
    )
    assert QAccessible.queryAccessibleInterface(legend).text(QAccessible.Text.Name) == "Legend"
    for meaning in MEANINGS.values():
        assert html_text(meaning) in legend.toolTip()
        assert meaning in legend.accessibleDescription()


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize("size", [15, 30])
def test_every_swatch_has_a_shape_of_its_own(qapp, name, size):
    theme = load_theme(name)
    shapes = {}
    for entry in MEANINGS:
        image = QImage(size, size, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.colours.panel))
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _draw_swatch(painter, entry, QRectF(image.rect()), theme)
        colours = {(x, y): image.pixelColor(x, y) for x in range(size) for y in range(size)}
        inks = Counter(c.name() for c in colours.values() if c.name() != theme.colours.panel)
        ink = QColor(inks.most_common(1)[0][0])
        shapes[entry] = {place for place, colour in colours.items() if contrast(colour, ink) < 1.5}
    for one, other in combinations(MEANINGS, 2):
        assert len(shapes[one] ^ shapes[other]) > 0.02 * size**2, (one, other)


def test_the_dialog_has_every_sentence_where_a_screen_reader_finds_it(dialog):
    shown = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert shown == list(MEANINGS.values())
    told = QAccessible.queryAccessibleInterface(dialog)
    assert all(meaning in told.text(QAccessible.Text.Description) for meaning in MEANINGS.values())
    for label, meaning in zip(dialog.labels, MEANINGS.values(), strict=True):
        assert QAccessible.queryAccessibleInterface(label).text(QAccessible.Text.Name) == meaning


@pytest.mark.parametrize(("name", "size"), [("light", 10), ("projector", 18)])
def test_no_sentence_of_the_dialog_is_cut(dialog, name, size):
    dialog.set_theme(load_theme(name, size))
    dialog.adjustSize()
    for label in dialog.labels:
        assert label.heightForWidth(label.width()) <= label.height()
