"""How good the best of some runs is."""

from itertools import combinations

import numpy as np
import pytest

from gpviz.experiments.figures.best_of_many_runs import best_of_figure
from gpviz.experiments.figures.chart_kinds import ChartKind, stored_figure
from gpviz.experiments.figures.chart_values import Steps
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import totals_of, values_of


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
    figure = best_of_figure(
        leaf, 0, "iterations", steps, Totals(runs=20, solved=14, stuck=6), is_log_x=True, is_log_y=False
    )
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
