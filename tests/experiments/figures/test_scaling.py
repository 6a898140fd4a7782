"""How T grows with n."""

import numpy as np
import pytest

from gpviz.experiments.chunks import Totals
from gpviz.experiments.figures.figure import Kind
from gpviz.experiments.figures.scaling import scaling_figure
from gpviz.experiments.statistics.cell_statistics import summarise
from tests.experiments.figures.filled_stores import totals_of


def test_scaling_has_points_their_fit_the_ratio_the_residuals_and_the_bounds(leaf, leaf_store):
    summaries = summarise(leaf, totals_of(leaf_store))
    plain = scaling_figure(leaf, summaries, 0, is_log_x=True, is_log_y=True, has_upper=False)
    top, ratio, residual = plain.panels
    assert [series.kind for series in top.series] == [Kind.MARKERS, Kind.LINE] * 2 + [Kind.BOUND]
    assert ratio.series[0].y[0] == pytest.approx(summaries[0].T.mean / (4 * np.log(4)))
    assert len(residual.series) == 2
    assert residual.rules[0].value == 0
    assert "upper bound" in plain.note
    assert any("lower bound" in entry.label for entry in plain.legend)
    bounded = scaling_figure(leaf, summaries, 0, is_log_x=True, is_log_y=True, has_upper=True)
    upper = [series for series in bounded.panels[0].series if "upper bound" in series.label]
    assert len(upper) == 2
    assert upper[0].y[-1] > summaries[1].T.mean
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
