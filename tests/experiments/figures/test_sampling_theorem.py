"""The sampling theorem as n grows."""

from math import log2

import pytest

from gpviz.engine.step import PITFALLS
from gpviz.experiments.figures.chart_kinds import ChartKind, problem_of
from gpviz.experiments.figures.figure import Kind
from gpviz.experiments.figures.sampling_theorem import PITFALL_TITLES, sampling_figure
from gpviz.experiments.plan import find_plan, plan_of
from gpviz.experiments.statistics.cell_statistics import summarise
from tests.experiments.figures.filled_stores import totals_of


@pytest.fixture(scope="module")
def totals(coupled_store):
    return totals_of(coupled_store)


def test_t_over_lg_n_stands_beside_the_pitfalls_of_the_chosen_series(coupled, totals):
    summaries = summarise(coupled, totals)
    times, shares = sampling_figure(coupled, summaries, totals, 3, is_log_x=True).panels
    assert [series.kind for series in times.series] == [Kind.POINTS] * 2
    means = [summaries[k].T.mean or 0.0 for k in range(3)]
    assert list(times.series[0].y) == pytest.approx([means[k] / log2(8 << k) for k in range(3)])
    any_of_them, *each, _ = shares.series
    assert [series.label for series in each] == [PITFALL_TITLES[name] for name in PITFALLS]
    for k in range(3):
        counts = totals[3 + k].counts.pitfalls
        assert any_of_them.y[k] == pytest.approx(1 - counts["no_pitfall"] / 15)
        assert [series.y[k] for series in each] == pytest.approx([counts[name] / 15 for name in PITFALLS])
    assert len({series.look for series in (*times.series, *shares.series)}) == 7


def test_the_curve_is_the_smallest_multiple_that_covers_all_pitfalls(coupled, totals):
    figure = sampling_figure(coupled, summarise(coupled, totals), totals, 0, is_log_x=True)
    any_of_them, *_, curve = figure.panels[1].series
    multiples = [y * n / log2(n) ** 2 for n, y in zip(any_of_them.x, any_of_them.y, strict=True)]
    assert curve.y[0] == pytest.approx(max(multiples) * 9 / 8)
    assert f"{max(multiples):.3g} lg² n / n is the smallest multiple" in figure.note


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"x": "n", "grid": {"n": [4, 8]}}, "measures on all rows"),
        ({"config": {"n": 8, "fitness": "sampled"}, "grid": {"rows": [4, 8]}}, "does not vary n"),
        (
            {"x": "n", "config": {"fitness": "sampled", "rows": 4}, "grid": {"n": [1, 8]}},
            "at least two values",
        ),
    ],
)
def test_where_it_does_not_apply_it_says_why(data, text):
    assert text in problem_of(ChartKind.SAMPLING, plan_of("x", data))


def test_the_shipped_plan_couples_rows_and_accepted_error_to_n():
    plan = find_plan("theorem-sampling")
    assert not problem_of(ChartKind.SAMPLING, plan)
    for cell in plan.cells:
        lg = log2(cell.config.n)
        assert (cell.config.rows, cell.config.accept_error) == (cell.config.n * lg**2, 2 * lg)
        assert (cell.config.limit, cell.config.deletion) == ("inf", "subtree")
