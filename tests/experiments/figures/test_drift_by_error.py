"""The drift beside what is proven."""

import pytest

from gpviz.experiments.figures.drift_by_error import drift_figure
from gpviz.experiments.figures.figure import Kind
from tests.experiments.figures.filled_stores import totals_of


def test_drift_lies_beside_the_papers_bound(leaf, leaf_store):
    figure = drift_figure(leaf, (0, 1), totals_of(leaf_store), is_log_x=True, is_log_y=True)
    kinds = [series.kind for series in figure.panels[0].series]
    assert kinds == [Kind.POINTS, Kind.BOUND, Kind.HOLLOW] * 2
    measured, bound, _ = figure.panels[0].series[3:]
    assert (measured.x == bound.x).all()
    assert list(measured.x[:2]) == [1.0, 2.0]
    assert any("lower bound" in entry.label for entry in figure.legend)
    assert any("while the tree is full" in entry.label for entry in figure.legend)
    unlimited = leaf.replaced(grid={"limit": ["inf"], "n": [4, 8]})
    without = drift_figure(unlimited, (0, 1), totals_of(leaf_store), is_log_x=True, is_log_y=True)
    assert "no lower bound" in without.note


def test_what_the_bound_is_about_is_apart_from_full_trees(leaf, leaf_store):
    totals = totals_of(leaf_store)
    counts = totals[0].counts
    not_full, _, full = drift_figure(leaf, (0,), totals).panels[0].series
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
