"""The painter shows the same as every other printer: the shapes in their places, and all words."""

import re
from xml.etree import ElementTree

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas.painter import item_painter
from gpviz.app.theme import load_theme
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Shape, at_rest
from gpviz.picture.options import Options
from tests.picture.random_moments import random_moments

Middles = list[tuple[float, float]]


def read(items) -> tuple[Middles, str]:
    """The middles of all shapes and the words that Qt paints, as an SVG of Qt has them."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    device = QSvgGenerator()
    device.setOutputDevice(buffer)
    with QPainter(device) as painter:
        item_painter(load_theme("light").colours).paint(painter, items)
    middles, words = [], ""
    for element in ElementTree.fromstring(buffer.data().data()).iter():
        tag = element.tag.rpartition("}")[2]
        if tag == "text":
            words += "".join(element.itertext())
        elif tag in ("circle", "ellipse"):
            middles.append((float(element.get("cx", "")), float(element.get("cy", ""))))
        elif tag in ("polyline", "polygon", "path"):
            middles.append(middle_of(numbers(element.get("points") or element.get("d", ""))))
    return middles, without_blanks(words)


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


def middle_of(points) -> tuple[float, float]:
    xs, ys = points[::2], points[1::2]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


def expected(items) -> tuple[Middles, str]:
    middles, words = [], ""
    for item in items:
        if item.shape is Shape.TEXT:
            words += item.text
        elif item.shape is Shape.DISC:
            middles.append(item.points[:2])
        elif item.shape is Shape.BOX:
            x, y, width, height, _ = item.points
            middles.append((x + width / 2, y + height / 2))
        else:
            middles.append(middle_of(item.points))
    return middles, without_blanks(words)


def test_the_window_paints_every_shape_and_every_word_of_500_moments(qapp):
    for history, moment in random_moments(500, seed=41):
        picture = picture_of(moment, Options(), analyse(moment.tree, moment.rules))
        items = list(at_rest(items_of(picture)))
        (middles, words), (shown, read_words) = expected(items), read(items)
        where = f"{history.config} at {moment.iteration}"
        assert read_words == words, where
        assert len(shown) == len(middles), where
        for (x, y), (shown_x, shown_y) in zip(middles, shown, strict=True):
            assert max(abs(x - shown_x), abs(y - shown_y)) < 0.1, where
