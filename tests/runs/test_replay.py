"""A saved run comes back iteration by iteration, or it is refused."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.search import RlsGp
from gpviz.explain.branch_comparison import status_of
from gpviz.runs import append_only_columns
from gpviz.runs import history as history_module
from gpviz.runs import replay as replay_module
from gpviz.runs.branches import Branches, forked
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled, replay_all, result_of
from gpviz.runs.run_file import RunFile, describe, describe_branches
from tests.engine.test_interruption import alternating
from tests.runs.runs import STUCK, Recorded, recorded, recorded_runs


@given(recorded_runs())
def test_a_replay_gives_the_same_steps(run: Recorded):
    _, steps, history = run
    _, again = replay_all(describe(history))[0]
    assert [again.step_at(t) for t in range(1, len(again) + 1)] == steps


def test_the_branches_of_a_long_run_share_its_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(append_only_columns, "_LARGEST_SHORT", 100)
    monkeypatch.setattr(append_only_columns, "MOST_JOINED", 200)
    monkeypatch.setattr(history_module, "_BLOCK", 100)
    config = RunConfig(n=4, limit="n", seed=1)
    _, _, run = recorded(config, 400)
    branches, histories = Branches.of(config), {0: run}
    for parent in (0, 0, 1, 2):
        fork = len(histories[parent])
        branches, branch = branches.grown(parent, fork, name="another", config=config.replaced(seed=fork))
        search, histories[branch.id] = forked(histories[parent], fork, branch.config)
        for _ in range(5):
            histories[branch.id].append(search.step())
    original, *others = [replayed.history for replayed in replay_all(describe_branches(branches, histories))]
    for history in others:
        status_of(history)
        assert np.shares_memory(history.codes(1, 400), original.codes(1, 400))


@given(recorded_runs())
def test_the_search_goes_on_from_where_the_saved_one_stood(run: Recorded):
    original, _, history = run
    search, _ = replay_all(describe(history))[0]
    assert [search.step() for _ in range(20)] == [original.step() for _ in range(20)]


@pytest.mark.parametrize(
    "change",
    [
        {"iterations": 499},
        {"fingerprint": f"sha256:{'0' * 64}"},
        {"start": "x1 & x2"},
        {"config": RunConfig(n=8, seed=2)},
    ],
    ids=str,
)
def test_a_file_that_does_not_give_its_fingerprint_is_refused(change: dict[str, Any]):
    _, _, history = recorded(RunConfig(n=8, seed=1), 500)
    with pytest.raises(GpvizError, match="does not replay"):
        replay_all(replace(describe(history), **change))


def test_progress_is_reported_every_few_thousand_iterations():
    _, _, history = recorded(*_long_run())
    reported: list[tuple[int, int]] = []
    replay_all(describe(history), lambda done, total: reported.append((done, total)))
    every_4096 = {(done, 10_000) for done in range(4096, 10_001, 4096)}
    assert every_4096 <= set(reported)


def test_a_replay_can_be_cancelled():
    _, _, history = recorded(*_long_run())
    with pytest.raises(Cancelled, match=r"cancelled after \d+ of 10000 iterations"):
        replay_all(describe(history), lambda done, total: done >= 4096)


@pytest.mark.parametrize(
    "config",
    [
        RunConfig(n=6, limit="n", deletion="leaf", seed=0),
        RunConfig(n=8, limit="n+1", deletion="leaf", seed=254),
        RunConfig(n=8, limit="2n", seed=0),
        RunConfig(n=12, limit="inf", fitness="sampled", rows=50, seed=0),
    ],
    ids=lambda config: f"n={config.n}-limit={config.limit}",
)
def test_a_run_ends_as_it_did_when_it_was_recorded(config: RunConfig):
    search = RlsGp(config)
    history = History(config)
    result = search.run(max_iterations=5000, stop_when_stuck=True, on_step=history.append)
    assert result_of(replay_all(describe(history))[0][0]) == result


def test_a_stuck_start_is_stuck_from_the_start():
    config, start = STUCK
    search, _, _ = recorded(config, 100, start)
    result = result_of(search)
    assert (result.outcome, result.stuck_since) == (Outcome.STUCK, 0)


def _long_run() -> tuple[RunConfig, int, Any]:
    config, start = STUCK
    return config, 10_000, start


def test_a_replay_ends_in_the_middle_of_a_step_when_nobody_waits_for_it() -> None:
    config = RunConfig(n=50, limit="256")
    run_file = RunFile(config, alternating(256, 50), 3, (), f"sha256:{0:064x}")
    asked = 0

    def is_enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    with stoppable(is_enough), pytest.raises(Stopped):
        replay_all(run_file)
    assert asked == 21


def test_how_a_run_ended_is_known_also_where_a_proof_would_take_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config, start = STUCK
    search, _, _ = recorded(config, 100, start)
    assert result_of(search).outcome is Outcome.STUCK
    monkeypatch.setattr(replay_module, "MOST_SECONDS", 0.0)
    assert result_of(search).outcome is Outcome.STOPPED
