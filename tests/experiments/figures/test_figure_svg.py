"""Figures as SVG, on a page and as files."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from gpviz.experiments.figures.figure import (
    LOOK_COLOURS,
    MOST_SERIES,
    Axis,
    Boxes,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Rule,
    RuleKind,
    Series,
    named,
)
from gpviz.experiments.figures.figure_svg import figure_file, figure_svg

COLOURS = dict.fromkeys((*LOOK_COLOURS, "panel", "border", "muted"), "#123456")
SVG = "{http://www.w3.org/2000/svg}"


def series(*points: tuple[float, float], label: str = "", look: int = 0, kind: Kind = Kind.POINTS) -> Series:
    xs, ys = np.array(points, dtype=np.float64).reshape(-1, 2).T
    return Series(label, look, kind, xs, ys)


def with_bars(drawn: Series, *half: float) -> Series:
    """The series with error bars of these half heights."""
    halves = np.array(half)
    return replace(drawn, low=drawn.y - halves, high=drawn.y + halves)


FIRST = with_bars(series((10, 1.0), (1000, 20.0), (100000, 40.0), label="A = 0"), 0.5, 3.0, 0.0)
SECOND = series((10, 0.5), (1000, 10.0), (100000, 30.0), label="A = 8", look=1)
PANEL = Panel(
    Axis("rows", is_log=True),
    Axis("iterations", starts_at_zero=True),
    (FIRST, SECOND),
    rules=(Rule("", RuleKind.LEVEL, 5.0),),
)


def parsed(*panels: Panel, title: str = "Growth", description: str = "It grows.") -> ET.Element:
    return ET.fromstring(figure_svg(Figure(title, panels), name="growth", description=description))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def with_series(*drawn: Series) -> Panel:
    return replace(PANEL, series=drawn, rules=())


def filed(figure: Figure, width: int = 800, height: int = 600, font_size: float = 13.0) -> ET.Element:
    return ET.fromstring(figure_file(figure, width, height, COLOURS, "DejaVu Sans", font_size).encode())


def frames_of(root: ET.Element) -> list[tuple[int, int, int, int]]:
    """Left, top, bottom and right of each plot."""
    found = [re.match(r"M(\d+) (\d+)V(\d+)H(\d+)", each.get("d", "")) for each in of_class(root, "axis")]
    return [(int(each[1]), int(each[2]), int(each[3]), int(each[4])) for each in found if each is not None]


def places_of(root: ET.Element, kind: str = "mark") -> list[tuple[float, float]]:
    starts = [re.match(r"M([-.\d]+) ([-.\d]+)", each.get("d", "")) for each in of_class(root, kind)]
    return [(float(found[1]), float(found[2])) for found in starts if found is not None]


def test_a_figure_is_well_formed_and_names_itself():
    root = parsed(PANEL, title="a < b & c", description='"quoted"')
    assert root.get("aria-labelledby") == "growth-title growth-desc"
    assert (root[0].tag, root[0].text) == ("title", "a < b & c")
    assert (root[1].tag, root[1].text) == ("desc", '"quoted"')


def test_the_same_figure_is_the_same_text():
    one, other = (
        figure_svg(Figure("t", (panel,)), name="n", description="d") for panel in (PANEL, replace(PANEL))
    )
    assert one == other


def test_series_differ_in_marker_as_well_as_in_colour():
    drawn = [series((10, 1), label=f"s{look}", look=look) for look in range(MOST_SERIES)]
    marks = of_class(parsed(with_series(*drawn)), "mark")
    shapes = {re.sub(r"^M[-.\d]+ [-.\d]+", "", mark.get("d", "")) for mark in marks}
    colours = {mark.get("class") for mark in marks}
    assert len(shapes) == len(colours) == MOST_SERIES


def test_every_series_is_in_the_legend_with_all_its_points():
    root = parsed(PANEL)
    assert [each.text for each in of_class(root, "legend")] == ["A = 0", "A = 8"]
    assert len(of_class(root, "mark")) == 2 + 6


def test_all_points_lie_within_the_frame():
    root = parsed(PANEL)
    left, top, bottom, right = frames_of(root)[0]
    for x, y in places_of(root)[:-2]:  # the last two are in the legend
        assert left <= x <= right
        assert top <= y <= bottom


def test_larger_values_are_further_right_and_higher_up():
    first, second, third = places_of(parsed(PANEL))[:3]
    assert first[0] < second[0] < third[0]
    assert first[1] > second[1] > third[1]
    assert second[0] - first[0] == pytest.approx(third[0] - second[0], abs=0.2), (
        "equal ratios, equal distances"
    )


def test_what_has_no_position_on_a_logarithmic_axis_is_left_out():
    drawn = series((0, 1), (-5, 2), (10, 3), (100, float("nan")))
    assert len(of_class(parsed(with_series(drawn)), "mark")) == 1


def test_a_figure_without_points_is_an_empty_frame():
    root = parsed(with_series())
    assert frames_of(root)
    assert not of_class(root, "mark")


def test_a_histogram_has_a_column_for_each_count_and_upright_rules():
    bars = Series("", 0, Kind.BARS, np.array([0.0, 1.0, 2.0, 3.0]), np.array([4.0, 0.0, 2.0]))
    rules = (Rule("mean 1", RuleKind.MEAN, 1.0), Rule("the paper's", RuleKind.PAPER, 2.0))
    root = parsed(Panel(Axis("T"), Axis("runs", starts_at_zero=True), (bars,), rules=rules))
    _, top, bottom, _ = frames_of(root)[0]
    columns = re.findall(r"M([.\d]+) (\d+)V([.\d]+)H([.\d]+)V\d+z", of_class(root, "column")[0].get("d", ""))
    assert len(columns) == 3
    heights = [bottom - float(top_of) for _, _, top_of, _ in columns]
    assert heights[0] == pytest.approx(2 * heights[2], abs=0.3)
    assert heights[1] == pytest.approx(0, abs=0.1)
    mean, paper = (of_class(root, name)[0].get("d", "") for name in ("mean", "paper"))
    assert re.match(rf"M([.\d]+) {top}V{bottom}$", mean)
    assert mean != paper
    assert [each.text for each in of_class(root, "legend")] == ["mean 1", "the paper's"]


def test_a_box_has_its_quartiles_whiskers_and_extremes():
    boxes = Boxes("limit n", 1, (0.0,), ((1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),), 0.3)
    panel = Panel(Axis("n", names=named(("4", "8"))), Axis("T", starts_at_zero=True), boxes=(boxes,))
    root = parsed(panel)
    d = of_class(root, "box")[0].get("d", "")
    found = re.match(
        r"M([.\d]+) ([.\d]+)H([.\d]+)V([.\d]+)H[.\d]+zM[.\d]+ ([.\d]+)H[.\d]+M([.\d]+) ([.\d]+)V", d
    )
    assert found is not None
    left, low, right, high, median, middle, whisker = map(float, found.groups())
    assert left < middle < right
    assert high < median < low < whisker, "downwards"
    assert f"M{found[6]} {found[7]}V{found[2]}" in d, "the whisker ends at the box"
    ends = places_of(root, "hollow")
    assert [x for x, _ in ends] == [middle, middle]
    assert ends[0][1] > whisker > high > ends[1][1]
    assert [each.text for each in of_class(root, "tick")][-2:] == ["4", "8"]


class TestFile:
    def test_a_file_has_its_size_title_note_and_style(self):
        root = filed(Figure("a < b", (PANEL,), "Said about it."))
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("800", "600", "0 0 800 600")
        assert [each.text for each in root.iter(f"{SVG}title")] == ["a < b"]
        assert [each.text for each in of_class(root, "note")] == ["Said about it."]
        style = next(root.iter(f"{SVG}style")).text or ""
        assert "var(" not in style, "not every program knows variables"
        for each in root.iter():
            for name in each.get("class", "").split():
                assert name in ("legend", "tick", "label", "title", "note") or f".{name}" in style

    def test_where_there_is_nothing_to_draw_it_says_so(self):
        root = filed(Figure("t", empty="No runs yet."))
        assert [each.text for each in of_class(root, "note")] == ["No runs yet."]
        assert not frames_of(root)

    @pytest.mark.parametrize("kind", [*Kind, RuleKind.MEDIAN, None])
    def test_every_kind_has_a_sign_in_the_legend(self, kind):
        legend = (LegendEntry("sign", 0, kind),)
        root = filed(Figure("t", (with_series(series((10, 1))),), extra_legend=legend))
        without = filed(Figure("t", (with_series(series((10, 1))),)))
        assert len(list(root.iter(f"{SVG}path"))) > len(list(without.iter(f"{SVG}path")))
