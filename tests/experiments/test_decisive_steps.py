"""The step that decided a stuck run is found without looking at all of the run."""

import pytest

from gpviz.analysis.outlook import WANTED_ERROR
from gpviz.engine import Outcome, RlsGp, RunConfig
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import DecisiveStepFinding, KnownDecisiveSteps, find_decisive_step
from gpviz.explain.outlook_along_run import RunOutlook
from gpviz.runs.history import History


def stuck_run(seed: int, n: int = 4, limit: str = "n+1") -> tuple[RunConfig, int]:
    config = RunConfig(n=n, limit=limit, deletion="leaf", seed=seed)
    result = RlsGp(config).run(stop_when_stuck=True)
    assert result.outcome is Outcome.STUCK
    assert result.stuck_since is not None
    return config, result.stuck_since


@pytest.mark.parametrize("looked_at", [16, 1], ids=["around improvements", "in between"])
@pytest.mark.parametrize("seed", [54, 66, 124, 1369])
def test_the_decisive_step_is_the_largest_rise_of_the_exact_chances_along_the_run(
    seed, looked_at, monkeypatch
):
    monkeypatch.setattr(decisive_steps, "_MOST_IMPROVEMENTS", looked_at)
    config, since = stuck_run(seed)
    history, search = History(config), RlsGp(config)
    history.extend([search.step() for _ in range(since)])
    run = RunOutlook(history)
    while (job := run.next_job()) is not None:
        job.work()
    largest = max(run.decisive_steps(), key=lambda step: step.rise)
    finding = find_decisive_step(config, since)
    assert finding.start == run.at(0)
    assert finding.step == largest
    assert largest.after.is_exact


def test_a_decision_has_the_error_and_the_size_before_and_after():
    finding = find_decisive_step(*stuck_run(124))
    assert finding.iteration == 22
    assert finding.is_improving
    assert finding.taken is not None
    assert (finding.taken.parent_error, finding.taken.error) == (3, 2)
    assert (finding.leaves_before, finding.taken.leaves) == (4, 5)
    assert finding.step is not None
    assert finding.step.after.stuck == 1


def test_a_run_that_was_lost_from_the_start_has_no_decisive_step():
    finding = find_decisive_step(*stuck_run(1, limit="n-1"))
    assert finding == DecisiveStepFinding(start=finding.start)
    assert finding.iteration is None
    assert not finding.is_improving
    assert finding.start.stuck == 1


def test_it_can_be_cancelled():
    config, since = stuck_run(54)
    with pytest.raises(Stopped), stoppable(lambda: True):
        find_decisive_step(config, since)


def test_for_one_run_the_chances_are_found_as_precisely_as_in_its_outlook():
    config = RunConfig(n=6, limit="n+1", deletion="leaf", seed=3)
    known = KnownDecisiveSteps()
    rough = known.find(config, 66)
    precise = known.find_precisely(config, 66)
    assert rough.iteration == precise.iteration == 66
    assert rough.step is not None
    assert precise.step is not None
    assert rough.step.before.stuck_error > WANTED_ERROR >= precise.step.before.stuck_error
    assert known.get(config) is precise


def test_what_was_found_is_known_until_there_is_too_much_of_it(monkeypatch):
    known = KnownDecisiveSteps(most=1)
    (one, since), (other, later) = stuck_run(54), stuck_run(66)
    assert known.get(one) is None
    finding = known.find(one, since)
    assert known.get(one) is finding
    monkeypatch.setattr(decisive_steps, "find_decisive_step", lambda *_: pytest.fail("it is known already"))
    assert known.find(one, since) is finding
    monkeypatch.undo()
    known.find(other, later)
    assert known.get(one) is None
