"""The plan's own figure."""

import pytest

from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.figure import (
    Kind,
)
from gpviz.experiments.figures.measures_by_setting import measures_figure
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import totals_of


def test_the_figure_has_a_panel_for_each_measure_and_the_papers_values_hollow(leaf, leaf_store):
    summaries = summarise(leaf, totals_of(leaf_store))
    figure = measures_figure(ChartInput(plan=leaf, summaries=summaries))
    assert [panel.y.title[0] for panel in figure.panels] == ["T", "S", "B"]
    for panel in figure.panels:
        assert [series.kind for series in panel.series] == [Kind.HOLLOW, Kind.POINTS] * 2
    ours, paper = figure.panels[0].series[1], figure.panels[0].series[0]
    assert list(ours.y) == [summaries[0].T.mean, summaries[1].T.mean]
    assert ours.low is not None
    assert ours.high is not None
    assert (ours.low < ours.y).all()
    assert (ours.y < ours.high).all()
    assert list(paper.y) == [each.paper.cell.T for each in summaries[:2] if each.paper is not None]
    assert "the paper has" in paper.hints[0]
    assert [entry.label for entry in figure.legend] == ["limit n", "limit 2n", "hollow: the paper's values"]


def test_the_figure_of_a_sampled_plan_has_its_measures_and_no_paper(sampled, sampled_store):
    summaries = summarise(sampled, totals_of(sampled_store))
    figure = measures_figure(ChartInput(plan=sampled, summaries=summaries, is_log_x=True, is_log_y=True))
    assert len(figure.panels) == 4
    assert figure.panels[0].y.is_log
    assert not figure.panels[1].y.is_log
    assert all(series.kind is Kind.POINTS for panel in figure.panels for series in panel.series)
    assert figure.panels[0].x.is_log


def test_pitfalls_and_full_iterations_are_shares_in_percent(sampled, sampled_store):
    sampled_totals = totals_of(sampled_store)
    measures = ["duplicate_accepted", "or_accepted", "true_error_grew", "no_pitfall", "share_full"]
    plan = sampled.replaced(measures=measures)
    summaries = summarise(plan, sampled_totals)
    figure = measures_figure(ChartInput(plan=plan, summaries=summaries, is_log_y=True))
    assert figure.why_no_log_y
    assert "shares of all runs or of their iterations" in figure.note
    summary = summaries[0]
    for measure, panel in zip(measures[:4], figure.panels, strict=False):
        points = next(series for series in panel.series if series.kind is Kind.POINTS)
        share = summary.share_of(measure)
        assert share is not None
        assert points.low is not None
        assert points.high is not None
        assert (points.y[0], points.low[0], points.high[0]) == pytest.approx(
            (100 * share.share, 100 * share.low, 100 * share.high)
        )
    assert " % without a pitfall (" in points.hints[0]
    assert figure.panels[4].series == ()  # without a limit no tree is full


def test_stuck_runs_are_in_percent_as_in_the_table(ors_plan, ors_totals):
    changed = [Totals.from_dict(each.as_dict()) for each in ors_totals]
    changed[0].stuck, changed[0].runs = 3, changed[0].runs + 3
    ors_summaries = summarise(ors_plan, changed)
    panel = measures_figure(ChartInput(plan=ors_plan, summaries=ors_summaries)).panels[2]
    assert panel.y.title == "B (% of runs stuck)"
    ours = next(series for series in panel.series if series.kind is Kind.POINTS)
    assert list(ours.y) == pytest.approx([100 * (summary.stuck_share or 0) for summary in ors_summaries[:3]])
    assert ours.y[0] > 1
    assert ours.high is not None
    assert ours.high[0] == pytest.approx(100 * ors_summaries[0].stuck_high)
    assert f"{ours.y[0]:.1f} % stuck" in ours.hints[0]
    paper = next(series for series in panel.series if series.kind is Kind.HOLLOW)
    assert ors_summaries[0].paper is not None
    assert paper.y[0] == pytest.approx(100 * (ors_summaries[0].paper.cell.B or 0))
