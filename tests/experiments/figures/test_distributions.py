"""How runs are distributed: histograms, curves of the share solved, box plots, and the best of some runs."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from gpviz.experiments.figures.chart_kinds import ChartKind, stored_figure
from gpviz.experiments.figures.chart_values import ChartInput, Steps, ValuesRequest
from gpviz.experiments.figures.distributions import (
    best_of_figure,
    boxes_figure,
    cells_drawn,
    ecdf_figure,
    histogram_figure,
)
from gpviz.experiments.figures.figure import RuleKind, named
from gpviz.experiments.statistics.cell_statistics import Spread, summarise
from gpviz.experiments.statistics.paper_tables import paper_cells
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import read, totals_of, values_of


def test_the_histogram_marks_mean_median_and_the_papers_mean(leaf, leaf_store):
    bins = read(leaf_store, ValuesRequest("bins", "iterations", (0,)))
    totals = totals_of(leaf_store)
    figure = histogram_figure(ChartInput(plan=leaf, totals=totals, digests=bins))
    rules = {rule.kind: rule.value for rule in figure.panels[0].rules}
    paper = next(cell for cell in paper_cells() if (cell.table, cell.n, cell.limit) == ("table1", 4, "n"))
    assert rules[RuleKind.PAPER] == paper.T
    assert rules[RuleKind.MEAN] == pytest.approx(summarise(leaf, totals)[0].T.mean)
    assert rules[RuleKind.MEDIAN] == np.median(values_of(leaf_store, 0))
    assert figure.has_content
    assert len(figure.legend) == 3
    empty = histogram_figure(ChartInput(plan=leaf, totals=totals, measure="leaves"))
    assert not empty.has_content
    assert "Once there are" in empty.empty


def test_the_histogram_says_how_many_runs_are_not_in_it(leaf, leaf_store):
    bins = read(leaf_store, ValuesRequest("bins", "ors", (3,), is_log=True))
    totals = totals_of(leaf_store)
    for stuck, text in ((0, "are 0"), (1, "1 unsolved run is"), (2, "2 unsolved runs are")):
        totals[3].runs = totals[3].solved + stuck
        given = ChartInput(plan=leaf, totals=totals, cell=3, measure="ors", digests=bins, is_log_x=True)
        assert text in histogram_figure(given).note


def test_stuck_runs_keep_a_curve_below_one(leaf):
    steps = {0: Steps(np.array([3.0, 9.0]), np.array([0.4, 0.8]), 10)}
    solved = ecdf_figure(ChartInput(plan=leaf, cells=(0, 1), digests=steps, is_log_x=True))
    curve = solved.panels[0].series[0]
    assert curve.y[-1] == 0.8
    assert curve.x[-1] > 9
    assert "20 % unsolved" in curve.label
    assert [rule.value for rule in solved.panels[0].rules] == [0.8]
    assert solved.legend[-1].label == "thin dots: the share solved in the end"
    assert "ended without a solution" in solved.note  # stopped ones are among them, not only stuck ones
    survival = ChartInput(plan=leaf, cells=(0, 1), digests=steps, is_survival=True, is_log_y=True)
    left = ecdf_figure(survival)
    assert left.panels[0].series[0].y[0] == 1.0
    assert left.panels[0].series[0].y[-1] == pytest.approx(0.2)
    assert left.legend[-1].label == "thin dots: the share left unsolved"
    every = {0: Steps(np.array([3.0]), np.array([1.0]), 1)}
    legend = ecdf_figure(ChartInput(plan=leaf, cells=(0,), digests=every, is_log_x=True)).legend
    assert all("thin dots" not in entry.label for entry in legend)
    assert not ecdf_figure(replace(survival, cells=(1,))).has_content


def test_boxes_stand_side_by_side_at_their_x(leaf, leaf_store):
    cells = (0, 1, 2, 3)
    spreads = read(leaf_store, ValuesRequest("spread", "leaves", cells_drawn(leaf, cells)))
    figure = boxes_figure(ChartInput(plan=leaf, cells=cells, measure="leaves", digests=spreads))
    first, second = figure.panels[0].boxes
    assert figure.panels[0].x.names == named(("4", "8"))
    columns = [[round(position) for position in boxes.places] for boxes in (first, second)]
    assert columns == [[0, 1]] * 2
    assert first.places[0] + first.half_width < second.places[0] - second.half_width
    assert all(list(numbers) == sorted(numbers) for numbers in first.numbers + second.numbers)
    assert "median" in first.hints[0]


def _spread(low: float) -> Spread:
    return Spread(9, low, low, low + 1, low + 2, low + 3, low + 4, low + 5)


def test_generalisation_errors_stay_on_a_logarithmic_axis_and_their_zeros_are_reported(ors_plan):
    given = ChartInput(
        plan=ors_plan,
        cells=(0, 1),
        measure="final_generalisation_error",
        digests={0: _spread(0), 1: _spread(1)},
        is_log_y=True,
    )
    figure = boxes_figure(given)
    assert figure.panels[0].y.is_log
    assert "What ends at the lower edge reaches 0" in figure.note
    without = boxes_figure(replace(given, digests={1: _spread(1)}))
    assert "lower edge" not in without.note


def test_a_curve_is_the_share_of_all_choices_of_runs_whose_fastest_is_that_fast(leaf_store):
    figure = stored_figure(leaf_store, ChartKind.BEST_OF, cell=1)
    single, pair = figure.panels[0].series[:2]
    times = [*values_of(leaf_store, 1)]
    times += [np.inf] * (totals_of(leaf_store)[1].runs - len(times))
    t = float(np.median(times))
    assert _height(single, t) == pytest.approx(np.mean(np.array(times) <= t))
    assert _height(pair, t) == pytest.approx(np.mean([min(both) <= t for both in combinations(times, 2)]))
    assert pair.tell is not None
    assert "λ = 2: the best has T at most" in pair.tell(t, _height(pair, t))


def test_where_runs_got_stuck_the_chance_that_one_of_them_is_solved_stands_beside(leaf):
    steps = Steps(np.array([5.0, 9.0]), np.array([0.4, 0.7]), 20)
    totals = [Totals(runs=20, solved=14, stuck=6)]
    figure = best_of_figure(ChartInput(plan=leaf, totals=totals, digests={0: steps}, is_log_x=True))
    points = figure.panels[1].series[0]
    none_of_four = 6 * 5 * 4 * 3 / (20 * 19 * 18 * 17)
    assert list(points.y) == pytest.approx([0.7, 1 - 6 * 5 / (20 * 19), 1 - none_of_four]), (
        "no more than a fourth"
    )
    assert "λ = 2: at least one is solved with a chance of 92.11 %" in points.hints[1]
    assert points.low is not None
    assert points.high is not None
    assert (points.low < points.y).all()
    assert (points.high >= points.y).all()
    assert "70 % of single runs are solved" in figure.note


def test_on_sampled_rows_a_run_is_good_if_it_avoids_all_pitfalls(sampled, sampled_store):
    figure = stored_figure(sampled_store, ChartKind.BEST_OF, cell=0)
    totals = totals_of(sampled_store)[0]
    assert totals.counts is not None
    share = totals.counts.pitfalls["no_pitfall"] / totals.runs
    assert 0 < share < 1
    assert figure.panels[1].series[0].y[0] == pytest.approx(share)
    assert "of single runs are free of pitfalls" in figure.note


def _height(series, t):
    """How high a curve of steps is at a place."""
    return series.y[np.searchsorted(series.x, t, side="right") - 1]
