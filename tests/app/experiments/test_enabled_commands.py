"""What can be done with a plan and an experiment, whether or not one runs."""

from pathlib import Path
from typing import Any

import pytest

from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.app.experiments.window import EnabledCommands
from gpviz.experiments.plan import Plan
from gpviz.experiments.totals import Totals

PLAN = Plan(name="tiny", title="Tiny", runs=4, settings={"n": 4}, grid={})


def experiment(runs: int) -> ShownExperiment:
    totals = Totals()
    totals.runs = runs
    return ShownExperiment(Path("a"), PLAN, [totals], [], 1.0)


def possible(**changes: Any) -> EnabledCommands:
    values: dict[str, Any] = {
        "plan": PLAN, "experiment": experiment(3), "is_running": False, "is_cancelling": False, "is_behind": False,
    }  # fmt: skip
    return EnabledCommands(**(values | changes))


def test_an_experiment_with_missing_runs_goes_on():
    assert "missing" in possible().continuation
    assert possible().commands()["continue"]
    assert possible().more_runs is None


def test_a_whole_one_goes_on_only_with_more_runs():
    assert possible(experiment=experiment(4)).continuation == ""
    more = possible(experiment=experiment(4), plan=PLAN.replaced(runs=9))
    assert more.more_runs == 9
    assert "until each cell has 9 runs" in more.continuation


def test_a_plan_of_other_runs_is_another_experiment():
    assert possible(plan=PLAN.replaced(runs=9, seed=5)).more_runs is None


@pytest.mark.parametrize("changes", [{"experiment": None}, {"is_running": True}, {"is_behind": True}])
def test_nothing_goes_on_before_it_is_known_how_it_stands(changes):
    assert possible(**changes).continuation == ""
    assert not possible(**changes).commands()["continue"]


def test_what_runs_can_be_cancelled_once_and_nothing_else_begins():
    commands = possible(is_running=True).commands()
    assert [commands[name] for name in ("start", "cancel", "new", "open")] == [False, True, False, False]
    assert not possible(is_running=True, is_cancelling=True).commands()["cancel"]


def test_without_a_plan_nothing_starts_and_without_results_nothing_is_saved():
    commands = possible(plan=None, experiment=None).commands()
    assert not any(commands[name] for name in commands if name.startswith(("start", "save")))
