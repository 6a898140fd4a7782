"""How T grows with n, on all rows and on sampled ones."""

from math import log2

import numpy as np
import pytest

from gpviz.engine.step import PITFALLS
from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind
from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.figure import Kind, RuleKind
from gpviz.experiments.figures.growth_with_n import PITFALL_TITLES, sampling_figure, scaling_figure
from gpviz.experiments.plan import find_plan, plan_of
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.growth import paper_bounds
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import totals_of


def scaled(plan, summaries, **chosen):
    return scaling_figure(ChartInput(plan=plan, summaries=summaries, is_log_x=True, is_log_y=True, **chosen))


def test_scaling_has_points_their_fit_the_ratio_the_residuals_and_the_bounds(leaf, leaf_store):
    summaries = summarise(leaf, totals_of(leaf_store))
    plain = scaled(leaf, summaries)
    top, ratio, residual = plain.panels
    assert [series.kind for series in top.series] == [Kind.MARKERS, Kind.LINE] * 2 + [Kind.BOUND]
    assert ratio.series[0].y[0] == pytest.approx(summaries[0].T.mean / (4 * np.log(4)))
    assert len(residual.series) == 2
    assert residual.rules[0].value == 0
    assert "The upper bounds lie far above" in plain.note
    assert any("lower bound" in entry.label for entry in plain.legend)
    empty = scaled(leaf, summarise(leaf, [Totals() for _ in range(4)]))
    assert not empty.has_content
    assert empty.empty


def test_scaling_begins_with_the_answer_and_is_never_shorter_than_it(ors_plan, ors_summaries):
    figure = scaled(ors_plan, ors_summaries, cell=3)
    assert figure.note.startswith(
        "limit 2n: n = 4 to 8 is less than a decade, so the laws of growth cannot be told apart."
    )
    assert figure.note.startswith(figure.short_note)
    assert "cannot be told apart" in figure.short_note
    assert "alone does not fit" not in figure.short_note


def test_the_bounds_stand_beside_t_up_to_where_they_cross(leaf, leaf_store):
    figure = scaled(leaf, summarise(leaf, totals_of(leaf_store)), cell=2, has_upper=True)
    (panel,) = figure.panels
    kinds = [series.kind for series in panel.series]
    assert kinds == [Kind.MARKERS, Kind.LINE, Kind.BOUND, Kind.BOUND, Kind.OTHER_BOUND]
    labels = [series.label for series in panel.series if series.kind.is_bound]
    assert labels == [
        "lower bound: coupon collecting",
        "upper bound while not full: super-multiplicative drift",
        "upper bound while not full: multiplicative drift",
    ]
    for series, bound in zip(panel.series[2:], paper_bounds(8, 16), strict=True):
        assert series.y[list(series.x).index(8)] == pytest.approx(bound.value), "limit 2n, as it is chosen"
        assert series.x[-1] > 404
        assert bound.label in series.hints[1]
    (rule,) = panel.rules
    assert (rule.kind, rule.value) == (RuleKind.PLACE, 404)
    assert "up to n = 403" in figure.note
    assert any("cross at n = 404" in entry.label for entry in figure.legend)


def test_without_a_limit_there_is_no_upper_bound_to_be_shown(leaf_store, leaf):
    unlimited = plan_of("unlimited", {"x": "n", "grid": {"limit": ["inf", "2n"], "n": [4, 8]}})
    figure = scaled(unlimited, summarise(unlimited, totals_of(leaf_store)), has_upper=True)
    assert len(figure.panels) == 3
    assert "Without a limit no upper bound is proven." in figure.note


@pytest.fixture(scope="module")
def totals(coupled_store):
    return totals_of(coupled_store)


def test_t_over_lg_n_stands_beside_the_pitfalls_of_the_chosen_series(coupled, totals):
    summaries = summarise(coupled, totals)
    given = ChartInput(plan=coupled, totals=totals, summaries=summaries, cell=3, is_log_x=True)
    times, shares = sampling_figure(given).panels
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
    given = ChartInput(plan=coupled, totals=totals, summaries=summarise(coupled, totals), is_log_x=True)
    figure = sampling_figure(given)
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
    assert text in CHARTS[ChartKind.SAMPLING].problem(plan_of("x", data))


def test_the_shipped_plan_couples_rows_and_accepted_error_to_n():
    plan = find_plan("theorem-sampling")
    assert not CHARTS[ChartKind.SAMPLING].problem(plan)
    for cell in plan.cells:
        lg = log2(cell.config.n)
        assert (cell.config.rows, cell.config.accept_error) == (cell.config.n * lg**2, 2 * lg)
        assert (cell.config.limit, cell.config.deletion) == ("inf", "subtree")
