"""Every printer shows the same: the nodes in their places, their labels, the marks of the step, and the words."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from xml.etree import ElementTree

import pytest

from gpviz import assets
from gpviz.analysis.redundant_leaves import analyse
from gpviz.escaping import latex_text
from gpviz.export.packed_items import PER_PIXEL, PackedItems
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Item, Shape, at_rest
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture
from gpviz.picture.svg import svg_of
from gpviz.picture.terminal import text_of
from gpviz.picture.tikz import tikz_of
from tests.picture.random_moments import random_moments

COLOURS = assets.theme_data("light")["colours"]
WIDTH, HEIGHT = 1280.0, 720.0
Shown = tuple[list[tuple[str, tuple[float, ...]]], str]
"""The shapes with the coordinates of their first point, and all words in the order in which they are painted."""


def shown_by_items(items: list[Item]) -> Shown:
    shapes, words = [], ""
    for item in at_rest(items):
        if item.shape is Shape.TEXT:
            words += item.text
        elif (item.fill and item.shape is not Shape.LINE) or (item.stroke and item.width):
            shapes.append((str(item.shape), rounded(item.points[:2])))
    return shapes, without_blanks(words)


def rounded(values: Iterable[Any]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


def shown_by_svg(items: list[Item]) -> Shown:
    shapes, words = [], ""
    names = {"circle": ("disc", "cx", "cy"), "rect": ("box", "x", "y")}
    drawing = ElementTree.fromstring(svg_of(items, WIDTH, HEIGHT, COLOURS))
    _ground, *elements = [element for element in drawing.iter() if element.tag.rpartition("}")[2] != "svg"]
    for element in elements:
        tag = element.tag.rpartition("}")[2]
        if tag == "text":
            words += "".join(element.itertext())
        elif tag in names:
            name, x, y = names[tag]
            shapes.append((name, rounded((element.get(x), element.get(y)))))
        elif tag in ("polygon", "polyline"):
            name = "polygon" if tag == "polygon" else "line"
            shapes.append((name, rounded(element.get("points", "").split()[:2])))
    return shapes, without_blanks(words)


def shown_by_tikz(items: list[Item]) -> Shown:
    shapes, words = [], ""
    for line in tikz_of(items, WIDTH, HEIGHT, COLOURS).splitlines():
        found = re.search(r"\(([-\d.]+),([-\d.]+)\)", line)
        place = () if found is None else rounded(found.groups())
        if line.startswith(r"\node"):
            words += line[line.index("} {") + 3 if "} {" in line else line.index(") {") + 3 : -2]
        elif line.startswith(r"\path[") and "bounding box" not in line:
            kind = "polygon"
            if "circle[" in line:
                kind = "disc"
            elif "rectangle" in line:
                kind = "box"
            elif "cycle" not in line:
                kind = "line"
            shapes.append((kind, place))
    return shapes, plain(words)


def plain(tex: str) -> str:
    """The words of TeX without its fonts and groups."""
    return re.sub(r"\\(bfseries|rmfamily)\b|[\s{}]", "", tex)


def shown_by_page(items: list[Item]) -> Shown:
    packed = PackedItems()
    packed.add(items)
    data = json.loads(json.dumps(packed.data()))
    ((_, _, number, *steps),) = data["lists"][0]
    numbers = [number]
    for step in steps:
        numbers.append(numbers[-1] + step)
    found = []
    for each in numbers:
        key, look, text, *points = data["items"][each]
        shape, fill, stroke, width, _, opacity, *rest = data["looks"][look]
        item = Item(
            data["keys"][key], Shape(shape), tuple(value / PER_PIXEL for value in points), fill, stroke
        )
        found.append(item._replace(width=width, opacity=opacity, text=data["texts"][text], enter=rest[-3]))
    return shown_by_items([item for item in found if item.enter != "flash"])


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    """500 random moments, some of them stuck, solved or flat."""
    options = Options(width=WIDTH, height=HEIGHT)
    return [
        picture_of(moment, options, analyse(moment.tree, moment.rules))
        for _, moment in random_moments(500, seed=31)
    ]


@pytest.mark.parametrize(
    "shown_by", [shown_by_svg, shown_by_tikz, shown_by_page], ids=["svg", "tikz", "page"]
)
def test_every_printer_shows_the_same_of_500_moments(
    pictures: list[Picture], shown_by: Callable[[list[Item]], Shown]
) -> None:
    for picture in pictures:
        items = list(items_of(picture))
        shapes, words = shown_by_items(items)
        printed_shapes, printed_words = shown_by(items)
        if shown_by is shown_by_tikz:
            words = "".join(
                plain(latex_text(item.text)) for item in at_rest(items) if item.shape is Shape.TEXT
            )
        assert printed_words == words
        assert [name for name, _ in printed_shapes] == [name for name, _ in shapes]
        for (_, (x, y)), (_, (printed_x, printed_y)) in zip(shapes, printed_shapes, strict=True):
            assert abs(printed_x - x) < 0.06
            assert abs(printed_y - y) < 0.06


def test_the_terminal_names_every_node_what_changed_and_the_banner_of_500_moments(
    pictures: list[Picture],
) -> None:
    for picture in pictures:
        text = text_of(picture)
        lines = text.splitlines()
        for label, wanted in Counter(node.label for node in picture.nodes).items():
            assert sum(bool(re.search(rf"(^|[─ ]){label}( |$)", line)) for line in lines) >= wanted
        for change in picture.changes:
            assert all(ghost.label in text for ghost in change.ghosts[:1])
        assert picture.banner is not None
        assert picture.banner.sentence in text
