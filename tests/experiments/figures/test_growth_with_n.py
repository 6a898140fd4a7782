"""How T grows with n."""

import numpy as np
import pytest

from gpviz.experiments.figures.figure import Kind, RuleKind
from gpviz.experiments.figures.growth_with_n import scaling_figure
from gpviz.experiments.plan import plan_of
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.growth import paper_bounds
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import totals_of


def test_scaling_has_points_their_fit_the_ratio_the_residuals_and_the_bounds(leaf, leaf_store):
    summaries = summarise(leaf, totals_of(leaf_store))
    plain = scaling_figure(leaf, summaries, 0, is_log_x=True, is_log_y=True, has_upper=False)
    top, ratio, residual = plain.panels
    assert [series.kind for series in top.series] == [Kind.MARKERS, Kind.LINE] * 2 + [Kind.BOUND]
    assert ratio.series[0].y[0] == pytest.approx(summaries[0].T.mean / (4 * np.log(4)))
    assert len(residual.series) == 2
    assert residual.rules[0].value == 0
    assert "The upper bounds lie far above" in plain.note
    assert any("lower bound" in entry.label for entry in plain.legend)
    empty = scaling_figure(
        leaf, summarise(leaf, [Totals() for _ in range(4)]), 0, is_log_x=True, is_log_y=True, has_upper=False
    )
    assert not empty.has_content
    assert empty.empty


def test_scaling_begins_with_the_answer_and_is_never_shorter_than_it(ors_plan, ors_summaries):
    figure = scaling_figure(ors_plan, ors_summaries, 3, is_log_x=True, is_log_y=True, has_upper=False)
    assert figure.note.startswith(
        "limit 2n: n = 4 to 8 is less than a decade, so the laws of growth cannot be told apart."
    )
    assert figure.note.startswith(figure.short_note)
    assert "cannot be told apart" in figure.short_note
    assert "alone does not fit" not in figure.short_note


def bounded(plan, summaries, *, chosen=0, is_log_x=True):
    return scaling_figure(plan, summaries, chosen, is_log_x=is_log_x, is_log_y=True, has_upper=True)


def test_the_bounds_stand_beside_t_up_to_where_they_cross(leaf, leaf_store):
    figure = bounded(leaf, summarise(leaf, totals_of(leaf_store)), chosen=2)
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
    figure = bounded(unlimited, summarise(unlimited, totals_of(leaf_store)))
    assert len(figure.panels) == 3
    assert "Without a limit no upper bound is proven." in figure.note
