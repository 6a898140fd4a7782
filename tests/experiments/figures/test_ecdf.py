"""The share of runs solved by an iteration."""

import numpy as np
import pytest

from gpviz.experiments.figures.chart_values import Steps
from gpviz.experiments.figures.ecdf import ecdf_figure


def test_stuck_runs_keep_a_curve_below_one(leaf):
    steps = {0: Steps(np.array([3.0, 9.0]), np.array([0.4, 0.8]), 10)}
    solved = ecdf_figure(leaf, (0, 1), steps, is_survival=False, is_log_x=True, is_log_y=False)
    curve = solved.panels[0].series[0]
    assert curve.y[-1] == 0.8
    assert curve.x[-1] > 9
    assert "20 % unsolved" in curve.label
    assert [rule.value for rule in solved.panels[0].rules] == [0.8]
    assert solved.legend[-1].label == "thin dots: the share solved in the end"
    assert "ended without a solution" in solved.note  # stopped ones are among them, not only stuck ones
    left = ecdf_figure(leaf, (0, 1), steps, is_survival=True, is_log_x=False, is_log_y=True)
    assert left.panels[0].series[0].y[0] == 1.0
    assert left.panels[0].series[0].y[-1] == pytest.approx(0.2)
    assert left.legend[-1].label == "thin dots: the share left unsolved"
    assert all(
        "thin dots" not in entry.label
        for entry in ecdf_figure(
            leaf, (0,), {0: Steps(np.array([3.0]), np.array([1.0]), 1)},
            is_survival=False, is_log_x=True, is_log_y=False,
        ).legend
    )  # fmt: skip
    assert not ecdf_figure(leaf, (1,), steps, is_survival=True, is_log_x=False, is_log_y=True).has_content
