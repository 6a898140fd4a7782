"""A picture as SVG."""

from collections import Counter
from xml.etree import ElementTree

import pytest

from gpviz import assets
from gpviz.engine import Operation, Verdict
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Enter, Font, Item, Shape, at_rest
from gpviz.picture.options import Options
from gpviz.picture.svg import svg_of
from gpviz.picture.text_width import in_runs
from tests.picture.moments import stepped, stuck
from tests.picture.random_moments import random_moments
from tests.poison import POISON, is_harmless

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = assets.theme_data("light")["colours"] | {"panel": "#ffffff", "worse": "#000000"}
HARMLESS = {"svg", "title", "desc", "rect", "circle", "polygon", "polyline", "text", "tspan", "g"}


def printed(items, **options):
    return ElementTree.fromstring(svg_of(items, 640, 360, COLOURS, **options))


def words_of(root):
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("item", "tag", "attributes"),
    [
        (Item("", Shape.DISC, (1, 2.04, 3), fill="worse"), "circle", {"cx": "1", "cy": "2", "r": "3"}),
        (Item("", Shape.BOX, (1, 2, 30, 20, 5), fill="worse/20"), "rect",
         {"x": "1", "y": "2", "width": "30", "height": "20", "rx": "5", "fill": "#cccccc"}),
        (Item("", Shape.POLYGON, (0, 0, 9, 0, 9, 9), stroke="worse", width=2, is_dashed=True), "polygon",
         {"points": "0 0 9 0 9 9", "stroke": "#000000", "stroke-width": "2", "stroke-dasharray": "5 4"}),
        (Item("", Shape.LINE, (0, 0, 9.25, -0.01), stroke="worse", width=1.5, opacity=0.5), "polyline",
         {"points": "0 0 9.2 0", "stroke-width": "1.5", "opacity": "0.5"}),
        (Item("", Shape.TEXT, (5, 6, 20), fill="worse", text="a < b", font=Font.BOLD, anchor="end"), "text",
         {"x": "5", "y": "6", "font-size": "20", "font-weight": "700", "text-anchor": "end"}),
    ],
)  # fmt: skip
def test_an_item_is_an_element_with_its_place_and_its_look(item, tag, attributes):
    *_, element = printed([item])
    assert element.tag == f"{SVG}{tag}"
    assert attributes.items() <= element.attrib.items()
    assert "".join(element.itertext()) == item.text


def test_items_that_look_alike_share_their_look():
    edges = [Item(f"e{x}", Shape.LINE, (0, 0, x, 9), stroke="worse", width=2) for x in (1, 2, 3)]
    _, group = printed(edges)
    assert group.attrib == {"stroke": "#000000", "stroke-width": "2"}
    assert [edge.attrib for edge in group] == [{"points": f"0 0 {x} 9"} for x in (1, 2, 3)]


def test_what_is_not_to_be_seen_at_rest_is_left_out():
    seen = Item("", Shape.TEXT, (5, 6, 9), fill="worse", text="x₁", is_label=True)
    small = seen._replace(points=(5, 6, 8.9), text="x₂")
    hidden = [seen._replace(opacity=0.0, text="x₃"), seen._replace(enter=Enter.FLASH, text="x₄")]
    assert words_of(printed([seen, small, *hidden])) == ["x₁"]


def test_the_words_of_a_sentence_flow_on_in_whatever_font():
    picture = picture_of(stepped("x1 & x2", Operation.INS, Verdict.WORSE, 2), Options())
    assert picture.banner is not None
    assert picture.banner.head_and_text in words_of(printed(items_of(picture)))


def test_a_drawing_reaches_nothing_else_on_its_page():
    moment, analysis = stuck()
    items = items_of(picture_of(moment, Options(), analysis))
    root = printed(items, title="A", description="B", is_card=True)
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= HARMLESS
    for part in root.iter():
        assert not {name for name in part.attrib if name in ("id", "class", "href") or name.startswith("on")}
    assert [part.text for part in root[:2]] == ["A", "B"]


def test_a_strangers_text_stays_text():
    item = Item("", Shape.TEXT, (5, 6, 20), fill="worse", text=POISON)
    text = svg_of([item], 640, 360, COLOURS, title=POISON, description=POISON)
    assert is_harmless(text)
    assert {part.tag for part in ElementTree.fromstring(text)} == {
        f"{SVG}{tag}" for tag in ("title", "desc", "rect", "text")
    }


def test_a_cut_picture_is_as_large_as_what_is_left_of_it():
    root = printed([], cut=(100, 50, 300, 150))
    assert root.get("viewBox") == "100 50 200 100"


def test_every_moment_has_its_words_and_shapes():
    for history, moment in random_moments(100, seed=7):
        items = items_of(picture_of(moment, Options()))
        root = printed(items)
        runs = list(in_runs(at_rest(items)))
        sentences = ["".join(item.text for item in run) for run in runs if run[0].shape is Shape.TEXT]
        assert words_of(root) == sentences
        tags = Counter(part.tag.removeprefix(SVG) for part in root.iter())
        shapes = Counter(run[0].shape for run in runs)
        expected = (shapes[Shape.DISC], shapes[Shape.BOX] + 1, shapes[Shape.POLYGON], shapes[Shape.LINE])
        assert tuple(tags[tag] for tag in ("circle", "rect", "polygon", "polyline")) == expected, (
            history.config
        )
