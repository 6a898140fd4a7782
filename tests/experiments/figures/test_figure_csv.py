"""The values of figures as tables."""

import csv
from io import StringIO

import numpy as np

from gpviz.experiments.figures.figure import (
    Axis,
    Boxes,
    Figure,
    Kind,
    Panel,
    Point,
    Rule,
    RuleKind,
    Series,
    named,
    series_of,
)
from gpviz.experiments.figures.figure_data import figure_csv


def rows_of(*panels):
    return list(csv.DictReader(StringIO(figure_csv(Figure("A title", panels)))))


def test_each_point_is_a_line_with_its_error_bar_and_its_text():
    points = [Point(4, 12.5, "n = 4: T 12.5", 11, 14), Point(8, 100, "n = 8: T 100", 90, 110.25)]
    (first, second) = rows_of(Panel(Axis("n"), Axis("T"), (series_of("limit 2n", 0, Kind.POINTS, points),)))
    assert [first[name] for name in ("panel", "series", "kind")] == ["T", "limit 2n", "points"]
    assert [first[name] for name in ("x", "y", "low", "high")] == ["4", "12.5", "11", "14"]
    assert second["high"] == "110.25"
    assert second["text"] == "n = 8: T 100"


def test_what_is_no_number_is_left_empty():
    series = Series("a", 0, Kind.POINTS, np.array([1.0, 2.0]), np.array([np.inf, np.nan]))
    panel = Panel(Axis("n"), Axis("T"), (series,))
    assert [line["y"] for line in rows_of(panel)] == ["", ""]


def test_bars_have_two_edges_and_named_places_their_names():
    bars = Series("runs", 0, Kind.BARS, np.array([0.5, 1.5, 3.5]), np.array([7.0, np.nan]))
    (first, second) = rows_of(Panel(Axis("T"), Axis("runs"), (bars,)))
    assert (first["x"], first["x_end"], first["y"]) == ("0.5", "1.5", "7")
    assert (second["x"], second["x_end"], second["y"]) == ("1.5", "3.5", "")
    (row,) = rows_of(
        Panel(Axis(names=named(("a", "b"))), Axis("T"), (series_of("", 0, Kind.MARKERS, [Point(1.1, 2)]),))
    )
    assert row["x"] == "b"


def test_boxes_have_their_quantiles_and_rules_their_value():
    boxes = Boxes("all", 0, (1.2,), ((1, 2, 3, 4, 5, 6, 7),), 0.3, ("a box",))
    rules = (Rule("the mean", RuleKind.MEAN, 5.5), Rule("zero", RuleKind.LEVEL, 0.0))
    box, mean, level = rows_of(Panel(Axis(names=named(("a", "b"))), Axis("T"), boxes=(boxes,), rules=rules))
    assert [box[name] for name in ("x", "y", "low", "high", "q25", "q75")] == ["b", "4", "2", "6", "3", "5"]
    assert (mean["x"], mean["y"], mean["text"]) == ("5.5", "", "the mean")
    assert (level["x"], level["y"]) == ("", "0")
