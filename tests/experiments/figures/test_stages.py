"""How long runs are in each stage of the drift theorem."""

from itertools import pairwise
from math import log

import numpy as np
import pytest

from gpviz.engine.drift_bound import stage_of
from gpviz.experiments.chunks import Chunk, Totals, decode_path, run_chunk
from gpviz.experiments.figures.figure import Kind
from gpviz.experiments.figures.stages import stage_moments, stages_figure, stages_problem
from gpviz.experiments.plan import plan_of


@pytest.fixture(scope="module")
def plan():
    return plan_of("stages", {"x": "n", "runs": 6, "grid": {"n": [4, 20]}})


@pytest.fixture(scope="module")
def done(plan):
    return [run_chunk(Chunk(cell.number, cell.config, 0, plan.runs, 10**6)) for cell in plan.cells]


def test_an_iteration_belongs_to_the_stage_that_it_begins_in(plan, done):
    n = 20
    spent = np.zeros((plan.runs, 4))
    for run, row in enumerate(done[1].rows):
        path = decode_path(row.path)
        for (start, error), (end, _) in pairwise(path):
            spent[run, stage_of(error, n)] += end - start
    moments = stage_moments(plan.cells[1].config, done[1].totals)
    assert moments is not None
    assert [each.mean for each in moments] == pytest.approx(spent.mean(axis=0))
    assert [each.sd for each in moments] == pytest.approx(spent.std(axis=0, ddof=1))
    assert sum(each.mean or 0 for each in moments) == pytest.approx(
        np.mean([row.iterations for row in done[1].rows]) - 1
    ), "all but the first iteration, which begins without a tree"


def test_one_cell_has_bars_that_are_named_by_their_stage(plan, done):
    figure = stages_figure(plan, (1,), [each.totals for each in done], is_log_y=False)
    bars, means = figure.panels[0].series
    assert (bars.kind, means.kind) == (Kind.BARS, Kind.MARKERS)
    names = [name for _, name in figure.panels[0].x.names]
    assert names == ["below n", "n to n²", "n² to n⁴", "from n⁴ on"]
    assert list(bars.y) == list(means.y)
    assert "n = 20, n to n²: " in bars.hints[1]
    assert f"72 ℓ n ln n = {72 * 40 * 20 * log(20):,.0f}" in figure.note


def test_cells_side_by_side_share_the_names_of_the_stages(plan, done):
    figure = stages_figure(plan, (0, 1), [each.totals for each in done], is_log_y=False)
    assert [series.kind for series in figure.panels[0].series] == [Kind.POINTS] * 2
    assert [len(series.y) for series in figure.panels[0].series] == [2, 4]
    assert figure.panels[0].x.names[-1][1] == "n⁴ to n⁸"


def test_what_cannot_be_shown_is_told(plan, done):
    assert "sampled rows" in stages_problem(
        plan_of("x", {"config": {"n": 8, "fitness": "sampled", "rows": 9}})
    )
    old = Totals(runs=1, solved=1, counts=None)
    assert (
        "done before iterations were counted by stage"
        in stages_figure(plan, (0,), [old, old], is_log_y=False).empty
    )
    assert "No solved runs" in stages_figure(plan, (0,), [Totals(), Totals()], is_log_y=False).empty
