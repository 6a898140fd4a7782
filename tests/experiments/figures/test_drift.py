"""The drift beside what is proven."""

from gpviz.experiments.figures.drift import drift_figure
from gpviz.experiments.figures.figure import Kind
from tests.experiments.figures.filled_stores import totals_of


def test_drift_lies_beside_the_papers_bound(leaf, leaf_store):
    figure = drift_figure(leaf, (0, 1), totals_of(leaf_store), is_log_x=True, is_log_y=True)
    kinds = [series.kind for series in figure.panels[0].series]
    assert kinds == [Kind.POINTS, Kind.BOUND] * 2
    measured, bound = figure.panels[0].series[2:]
    assert (measured.x == bound.x).all()
    assert list(measured.x[:2]) == [1.0, 2.0]
    assert any("lower bound" in entry.label for entry in figure.legend)
    unlimited = leaf.replaced(grid={"limit": ["inf"], "n": [4, 8]})
    without = drift_figure(unlimited, (0, 1), totals_of(leaf_store), is_log_x=True, is_log_y=True)
    assert "no lower bound" in without.note
