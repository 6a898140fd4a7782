"""Items are painted with Qt as they are described."""

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint
from PySide6.QtGui import QColor, QImage, QPainter, QPdfWriter

from gpviz.app.canvas import painter as painter_module
from gpviz.app.canvas.camera import WHOLE, Zoom
from gpviz.app.canvas.painter import item_painter, resting
from gpviz.app.theme import load_theme
from gpviz.engine import Operation, Verdict
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import LEAST_LABEL, Enter, Font, Item, Shape
from gpviz.picture.options import Options
from tests.app.canvas.pictures import difference_of, stepped, stuck

COLOURS = load_theme("light").colours


def painted(items, zoom=WHOLE, *, ratio=1.0, size=(640, 480)) -> QImage:
    image = QImage(round(size[0] * ratio), round(size[1] * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(COLOURS.panel))
    with QPainter(image) as painter:
        item_painter(COLOURS).paint(painter, items, zoom)
    return image


def colour_at(image, x, y):
    return image.pixelColor(QPoint(x, y)).name()


@pytest.mark.parametrize(
    "shape",
    [
        (Shape.DISC, (100.0, 100.0, 30.0)),
        (Shape.BOX, (70.0, 70.0, 60.0, 60.0, 5.0)),
        (Shape.POLYGON, (60.0, 100.0, 100.0, 60.0, 140.0, 100.0, 100.0, 140.0)),
    ],
)
def test_a_shape_is_filled_and_stroked(qapp, shape):
    kind, points = shape
    image = painted([Item("it", kind, points, fill="improved", stroke="worse", width=6.0)], size=(200, 200))
    assert colour_at(image, 100, 100) == COLOURS.improved
    edge = points[0] - (30 if kind is Shape.DISC else 0)
    assert colour_at(image, round(edge), 100) == COLOURS.worse
    assert colour_at(image, 20, 20) == COLOURS.panel


def test_later_items_lie_above_earlier_ones(qapp):
    line = Item("line", Shape.LINE, (0.0, 50.0, 100.0, 50.0), stroke="text", width=8.0)
    disc = Item("disc", Shape.DISC, (50.0, 50.0, 20.0), fill="improved")
    assert colour_at(painted([line, disc]), 50, 50) == COLOURS.improved
    assert colour_at(painted([disc, line]), 50, 50) == COLOURS.text


def test_opacity_lets_the_ground_through(qapp):
    box = Item("box", Shape.BOX, (0.0, 0.0, 50.0, 50.0, 0.0), fill="text")
    assert painted([box._replace(opacity=0.0)]) == painted([])
    half = QColor(colour_at(painted([box._replace(opacity=0.5)]), 25, 25)).lightness()
    assert QColor(COLOURS.text).lightness() < half < QColor(COLOURS.panel).lightness()


def test_labels_that_nobody_can_read_are_left_out(qapp):
    label = Item("label", Shape.TEXT, (50.0, 50.0, LEAST_LABEL - 1), fill="text", text="x₁", is_label=True)
    assert painted([label]) == painted([])
    assert painted([label], Zoom(2.0, 0.0, 0.0)) != painted([])
    assert painted([label._replace(is_label=False)]) != painted([])


@pytest.mark.parametrize("font", Font)
def test_a_text_stands_where_its_anchor_says(qapp, font):
    for anchor, left, right in (("start", 100, 200), ("end", 0, 100), ("middle", 50, 150)):
        text = Item("t", Shape.TEXT, (100.0, 50.0, 20.0), fill="text", text="∧ x₁", font=font, anchor=anchor)
        image = painted([text], size=(200, 100))
        inked = [x for x in range(200) if any(colour_at(image, x, y) != COLOURS.panel for y in range(100))]
        assert inked
        assert left <= min(inked)
        assert max(inked) <= right + 1


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_sprites_look_like_what_is_painted_without_them(qapp, monkeypatch, ratio):
    moment, analysis = stuck()
    items = items_of(picture_of(moment, Options(width=640, height=480), analysis))
    with_sprites = painted(items, ratio=ratio)
    monkeypatch.setattr(painter_module.ItemPainter, "_paint_sprite", lambda *_: False)
    mean, share = difference_of(with_sprites, painted(items, ratio=ratio))
    assert mean < 1.0
    assert share < 0.004


def test_what_only_flashes_is_not_to_be_seen_at_rest(qapp):
    moment = stepped("(x1 & x2) | x3", Operation.SUB, Verdict.IMPROVED, 3, variable=4)
    items = items_of(picture_of(moment, Options()))
    assert any(item.enter is Enter.FLASH for item in items)
    assert not any(item.enter is Enter.FLASH for item in resting(items))


def test_text_stays_text_on_paper(qapp):
    text = Item("t", Shape.TEXT, (100.0, 50.0, 20.0), fill="text", text="Rejected", font=Font.BOLD)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    with QPainter(writer) as painter:
        item_painter(COLOURS).paint(painter, [text])
    assert b"/FontFile" in buffer.data().data()
