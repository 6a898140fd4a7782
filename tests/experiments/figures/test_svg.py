"""Plots as SVG."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from gpviz.experiments.figures.svg import Axis, Level, Plot, Series, linear_ticks, log_ticks, plot_svg

PLOT = Plot(
    name="growth",
    title="Growth",
    description="It grows.",
    x=Axis("rows", is_log=True),
    y=Axis("iterations", low=0),
    series=(
        Series("A = 0", [(10, 1.0), (1000, 20.0), (100000, 40.0)], style=0, errors=[0.5, 3.0, 0.0]),
        Series("A = 8", [(10, 0.5), (1000, 10.0), (100000, 30.0)], style=1),
    ),
    levels=(Level(5.0),),
)


def parsed(plot: Plot) -> ET.Element:
    return ET.fromstring(plot_svg(plot))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def test_a_plot_is_well_formed_and_names_itself():
    root = parsed(replace(PLOT, title="a < b & c", description='"quoted"'))
    assert root.get("aria-labelledby") == "growth-title growth-desc"
    assert (root[0].tag, root[0].text) == ("title", "a < b & c")
    assert (root[1].tag, root[1].text) == ("desc", '"quoted"')


def test_the_same_plot_is_the_same_text():
    assert plot_svg(PLOT) == plot_svg(replace(PLOT))


def test_series_differ_in_marker_as_well_as_in_colour():
    series = tuple(Series(f"s{style}", [(10.0, 1.0)], style=style) for style in range(4))
    marks = of_class(parsed(replace(PLOT, series=series)), "mark")
    shapes = {re.sub(r"^M[-.\d]+ [-.\d]+", "", mark.get("d", "")) for mark in marks}
    colours = {mark.get("class") for mark in marks}
    assert len(shapes) == len(colours) == 4


def test_every_series_has_its_place_in_the_legend_and_all_its_points():
    root = parsed(PLOT)
    assert [each.text for each in of_class(root, "legend")] == ["A = 0", "A = 8"]
    assert len(of_class(root, "mark")) == 2 + 6


def test_a_long_legend_goes_on_in_the_next_line_within_the_picture():
    series = tuple(Series("a rather long label indeed", [(10.0, 1.0)], style=style) for style in range(4))
    root = parsed(replace(PLOT, series=series))
    places = [(float(each.get("x", 0)), float(each.get("y", 0))) for each in of_class(root, "legend")]
    assert len(set(places)) == 4
    assert len({y for _, y in places}) > 1
    frame = re.match(r"M\d+ (\d+)V", of_class(root, "axis")[0].get("d", ""))
    assert frame is not None
    assert max(y for _, y in places) < int(frame[1])


def places_of(root: ET.Element) -> list[tuple[float, float]]:
    starts = [re.match(r"M([-.\d]+) ([-.\d]+)", each.get("d", "")) for each in of_class(root, "mark")]
    return [(float(found[1]), float(found[2])) for found in starts if found is not None]


def test_all_points_lie_within_the_frame():
    root = parsed(PLOT)
    frame = re.match(r"M(\d+) (\d+)V(\d+)H(\d+)", of_class(root, "axis")[0].get("d", ""))
    assert frame is not None
    left, top, bottom, right = map(int, frame.groups())
    for x, y in places_of(root)[:-2]:  # the last two are in the legend
        assert left <= x <= right
        assert top <= y <= bottom


def test_larger_values_are_further_right_and_higher_up():
    first, second, third = places_of(parsed(PLOT))[:3]
    assert first[0] < second[0] < third[0]
    assert first[1] > second[1] > third[1]
    assert second[0] - first[0] == pytest.approx(third[0] - second[0], abs=0.2), (
        "equal ratios, equal distances"
    )


def test_what_has_no_place_on_a_logarithmic_axis_is_left_out():
    series = (Series("", [(0.0, 1.0), (-5.0, 2.0), (10.0, 3.0), (100.0, float("nan"))]),)
    assert len(of_class(parsed(replace(PLOT, series=series)), "mark")) == 1


def test_bars_do_not_reach_below_where_the_axis_begins():
    series = (Series("", [(10.0, 1.0), (100.0, 9.0)], errors=[5.0, 1.0]),)
    labels = [each.text or "" for each in of_class(parsed(replace(PLOT, series=series)), "tick")]
    assert not any(label.startswith("\N{MINUS SIGN}") for label in labels)


def test_a_plot_without_points_is_an_empty_frame():
    assert not of_class(parsed(replace(PLOT, series=(), levels=())), "mark")


def test_steps_have_a_few_markers_only():
    steps = Series("", [(10.0 * (each + 1), each / 100) for each in range(100)], kind="step")
    root = parsed(replace(PLOT, series=(steps,), levels=()))
    assert len(of_class(root, "mark")) == 6
    assert "H" in of_class(root, "line")[0].get("d", "")


def test_a_bound_is_a_line_without_markers():
    bound = Series("proven", [(10.0, 1.0), (100.0, 2.0)], kind="bound")
    root = parsed(replace(PLOT, series=(bound,)))
    assert len(of_class(root, "bound")) == 2, "the curve and its sample in the legend"
    assert not of_class(root, "mark")


def test_groups_take_the_place_of_the_axis_label():
    axis = Axis("limit", ticks=((1.0, "n"), (2.0, "2n")), groups=((1.5, "leaf-only"),))
    series = (Series("", [(1.0, 1.0), (2.0, 2.0)]),)
    labels = [each.text for each in of_class(parsed(replace(PLOT, x=axis, series=series)), "label")]
    assert labels == ["leaf-only", "iterations"]


class TestTicks:
    @pytest.mark.parametrize(
        ("low", "high", "labels"),
        [
            (0, 130, ["0", "25", "50", "75", "100", "125"]),
            (-0.3, 0.4, ["\N{MINUS SIGN}0.2", "0.0", "0.2", "0.4"]),
            (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            (0, 0.5, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
            (0, 1.4, ["0.00", "0.25", "0.50", "0.75", "1.00", "1.25"]),
            (0, 9000, ["0", "2,000", "4,000", "6,000", "8,000"]),
        ],
    )
    def test_linear_ticks_are_round_and_within_the_range(self, low, high, labels):
        assert [label for _, label in linear_ticks(low, high)] == labels

    def test_of_a_single_value_there_is_one_tick(self):
        assert linear_ticks(4, 4) == ((4, "4"),)

    def test_a_few_decades_have_their_powers(self):
        assert [label for _, label in log_ticks(10, 1e6)] == ["10", "10²", "10³", "10⁴", "10⁵", "10⁶"]

    def test_a_short_range_has_what_is_between_as_well(self):
        assert [label for _, label in log_ticks(90, 1100)] == ["100", "200", "500", "1,000"]

    def test_many_decades_leave_some_out(self):
        assert len(log_ticks(1, 1e30)) <= 9

    def test_small_numbers_have_negative_powers(self):
        assert [label for _, label in log_ticks(1e-4, 0.1)] == ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]
