"""The chart of decisive steps counts them by the error and the size of the tree before them."""

import numpy as np
import pytest

from gpviz.analysis.outlook import Outlook
from gpviz.engine import RlsGp, RunConfig, Verdict
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import CellDecisiveSteps, DecisiveStepFinding, KnownDecisiveSteps
from gpviz.experiments.figures.chart_kinds import ChartKind, stored_figure
from gpviz.experiments.figures.chart_values import ChartInput, ValueReader, ValuesRequest
from gpviz.experiments.figures.decisive_steps import decisive_figure, decisive_problem
from gpviz.experiments.figures.figure_data import figure_csv
from gpviz.experiments.plan import plan_of
from gpviz.explain.outlook_along_run import DecisiveStep

REQUEST = ValuesRequest("decisive_steps", "", (1,))


@pytest.fixture
def unknown(monkeypatch):
    """Nothing is known of any run."""
    monkeypatch.setattr(decisive_steps, "DECISIVE_STEPS", KnownDecisiveSteps())


def _finding(error: int, leaves: int, *, is_improving: bool = True) -> DecisiveStepFinding:
    search = RlsGp(RunConfig(n=4))
    taken = search.step()._replace(
        parent_error=error,
        error=error - is_improving,
        verdict=Verdict.IMPROVED if is_improving else Verdict.NEUTRAL,
    )
    before, after = Outlook(stuck=0.2), Outlook(stuck=1.0)
    return DecisiveStepFinding(
        start=before, step=DecisiveStep(1, before, after), taken=taken, leaves_before=leaves
    )


def _found(
    *findings: DecisiveStepFinding, wanted: int = 0, stuck: int = 0, failed: int = 0
) -> CellDecisiveSteps:
    wanted = wanted or len(findings) + failed
    return CellDecisiveSteps(stuck=stuck or wanted, wanted=wanted, findings=findings, failed=failed)


def test_steps_are_counted_by_powers_of_two_of_the_error_and_by_leaves(stuck):
    findings = _finding(3, 4), _finding(2, 5), _finding(12, 7, is_improving=False)
    figure = decisive_figure(ChartInput(plan=stuck, digests={0: _found(*findings)}))
    errors, leaves = figure.panels
    assert [name for _, name in errors.x.names] == ["2–3", "4–7", "8–15"]
    assert [list(series.y[::2]) for series in errors.series] == [[2, 0, 0], [0, 0, 1]]
    assert [series.label for series in errors.series] == ["improving steps", "neutral steps"]
    assert [name for _, name in leaves.x.names] == ["4", "5", "6", "7"]
    assert [list(series.y[::2]) for series in leaves.series] == [[1, 1, 0, 0], [0, 0, 0, 1]]
    assert not np.isfinite(leaves.series[0].y[1::2]).any(), "between two bars there is nothing"
    assert "3 stuck runs with a decisive step, 2 (67 %) with one that improves the error" in figure.note
    assert "Median error 3 before the step and 2 after it" in figure.note
    assert errors.series[0].hints[0] == "error 2–3: 2 of 2 decisive steps improved the error"
    assert errors.series[1].hints[4] == "error 8–15: 1 of 1 decisive step kept the error"


def test_it_says_how_many_runs_were_looked_at(stuck):
    some = _found(
        _finding(3, 4), DecisiveStepFinding(start=Outlook(stuck=0.9)), wanted=5, stuck=700, failed=1
    )
    note = decisive_figure(ChartInput(plan=stuck, digests={0: some})).note
    assert "Looked at 3 of 5 stuck runs so far" in note
    assert "The first 5 of 700 stuck runs are looked at." in note
    assert "In 1 more run no single step raised the chance to end stuck by 5 points or more." in note
    assert "1 run could not be looked at." in note


def test_without_a_decisive_step_it_says_so(stuck):
    assert "No stuck runs in this cell yet" in decisive_figure(ChartInput(plan=stuck)).empty
    lost = _found(DecisiveStepFinding(start=Outlook(stuck=1.0)))
    assert decisive_figure(ChartInput(plan=stuck, digests={0: lost})).empty == (
        "In 1 run no single step raised the chance to end stuck by 5 points or more."
    )
    waiting = decisive_figure(ChartInput(plan=stuck, digests={0: _found(wanted=3)}))
    assert waiting.empty == "Looked at 0 of 3 stuck runs so far."


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"deletion": "subtree"}, "No run of this plan can get stuck"),
        ({"fitness": "sampled", "sampler": "counts", "rows": 10}, "sampled rows"),
        ({"deletion": "leaf"}, ""),
    ],
)
def test_it_is_about_plans_whose_runs_can_get_stuck(changes, text):
    plan = plan_of("any", {"config": {"limit": "2n"} | changes, "grid": {"n": [4, 5]}})
    assert decisive_problem(plan).find(text) >= 0
    assert bool(decisive_problem(plan)) == bool(text)


def test_the_chart_of_a_file_is_about_its_stuck_runs(stuck_store, unknown):
    reported = []
    figure = stored_figure(
        stuck_store, ChartKind.DECISIVE, cell=1, on_progress=lambda *it: reported.append(it)
    )
    assert [np.nansum(series.y) for series in figure.panels[0].series] == [2, 0]
    lines = figure_csv(figure).splitlines()
    assert all(line.split(",")[5] for line in lines), "what is between the bars is not written"
    assert [line.split(",")[:3] for line in lines if "leaves" in line][-1] == [
        "stuck runs by leaves",
        "neutral steps",
        "bars",
    ]
    assert reported == [(0, 2), (1, 2)]


def test_what_takes_long_is_found_piece_by_piece(stuck_store, unknown):
    reader = ValueReader()
    reader.enough_s = 0.0
    known: list[int] = []
    while not known or not reader.is_complete:
        found = reader.read(stuck_store, REQUEST, None, lambda: False)[1]
        assert isinstance(found, CellDecisiveSteps)
        known.append(len(found.findings))
    assert known == [1, 2]
