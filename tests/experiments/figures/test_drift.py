"""The charts of the drift and of its stages."""

from itertools import pairwise
from math import log

import numpy as np
import pytest

from gpviz.analysis.drift_bounds import stage_of
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.drift import drift_figure, stages_figure, stages_problem
from gpviz.experiments.figures.figure import Kind
from gpviz.experiments.plan import plan_of
from gpviz.experiments.run_row import decode_path
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import totals_of


def test_drift_lies_beside_the_papers_bound(leaf, leaf_store):
    figure = drift_figure(ChartInput(plan=leaf, cells=(0, 1), totals=totals_of(leaf_store)))
    kinds = [series.kind for series in figure.panels[0].series]
    assert kinds == [Kind.POINTS, Kind.BOUND, Kind.HOLLOW] * 2
    measured, bound, _ = figure.panels[0].series[3:]
    assert (measured.x == bound.x).all()
    assert list(measured.x[:2]) == [1.0, 2.0]
    assert any("lower bound" in entry.label for entry in figure.legend)
    assert any("while the tree is full" in entry.label for entry in figure.legend)
    unlimited = leaf.replaced(grid={"limit": ["inf"], "n": [4, 8]})
    without = drift_figure(ChartInput(plan=unlimited, cells=(0, 1), totals=totals_of(leaf_store)))
    assert "no lower bound" in without.note


def test_what_the_bound_is_about_is_apart_from_full_trees(leaf, leaf_store):
    totals = totals_of(leaf_store)
    counts = totals[0].counts
    not_full, _, full = drift_figure(ChartInput(plan=leaf, cells=(0,), totals=totals)).panels[0].series
    for x, gain, hint in zip(full.x, full.y, full.hints, strict=True):
        level = int(x).bit_length() - 1
        whole, part = totals[0].drift[level], counts.full_drift[level]
        assert gain == part.mean_gain
        assert f"n = 4, full: errors {int(x)}" in hint
        assert f"({part.iterations:,} iterations)" in hint
        if x in not_full.x:
            rest = whole.iterations - part.iterations
            expected = (whole.mean_gain * whole.iterations - part.mean_gain * part.iterations) / rest
            assert not_full.y[list(not_full.x).index(x)] == pytest.approx(expected)


@pytest.fixture(scope="module")
def plan():
    return plan_of("stages", {"x": "n", "runs": 6, "grid": {"n": [4, 20]}})


@pytest.fixture(scope="module")
def done(plan):
    return [run_chunk(Chunk(cell.number, cell.config, 0, plan.runs, 10**6)) for cell in plan.cells]


@pytest.fixture(scope="module")
def summaries(plan, done):
    return summarise(plan, [each.totals for each in done])


def test_an_iteration_belongs_to_the_stage_that_it_begins_in(plan, done, summaries):
    n = 20
    spent = np.zeros((plan.runs, 4))
    for run, row in enumerate(done[1].rows):
        path = decode_path(row.path)
        for (start, error), (end, _) in pairwise(path):
            spent[run, stage_of(error, n)] += end - start
    bars = stages_figure(ChartInput(plan=plan, cells=(1,), summaries=summaries)).panels[0].series[0]
    assert list(bars.y) == pytest.approx(spent.mean(axis=0))
    assert sum(bars.y) == pytest.approx(np.mean([row.iterations for row in done[1].rows]) - 1), (
        "all but the first iteration, which begins without a tree"
    )


def test_one_cell_has_bars_that_are_named_by_their_stage(plan, summaries):
    figure = stages_figure(ChartInput(plan=plan, cells=(1,), summaries=summaries))
    bars, means = figure.panels[0].series
    assert (bars.kind, means.kind) == (Kind.BARS, Kind.MARKERS)
    names = [name for _, name in figure.panels[0].x.names]
    assert names == ["below n", "n to n²", "n² to n⁴", "from n⁴ on"]
    assert list(bars.y) == list(means.y)
    assert "n = 20, n to n²: " in bars.hints[1]
    assert f"72 ℓ n ln n = {72 * 40 * 20 * log(20):,.0f}" in figure.note


def test_cells_side_by_side_share_the_names_of_the_stages(plan, summaries):
    figure = stages_figure(ChartInput(plan=plan, cells=(0, 1), summaries=summaries))
    assert [series.kind for series in figure.panels[0].series] == [Kind.POINTS] * 2
    assert [len(series.y) for series in figure.panels[0].series] == [2, 4]
    assert figure.panels[0].x.names[-1][1] == "n⁴ to n⁸"


def test_what_cannot_be_shown_is_reported(plan):
    assert "sampled rows" in stages_problem(
        plan_of("x", {"config": {"n": 8, "fitness": "sampled", "rows": 9}})
    )
    summaries = summarise(plan, [Totals(), Totals()])
    none = stages_figure(ChartInput(plan=plan, cells=(0,), summaries=summaries))
    assert "No solved runs" in none.empty
