"""Snapshots of a history: they stay as they are, and their blocks say what the steps say."""

import numpy as np
import pytest
from hypothesis import given

from gpviz.engine import Function, Operation, RunConfig, Side, Verdict
from gpviz.runs.history_snapshot import Block, Snapshot, TreeWalk
from gpviz.runs.step_encoding import functions_of, operations_of, sides_of, verdicts_of
from tests.runs.runs import Recorded, recorded, recorded_runs


def test_a_snapshot_shows_the_history_as_it_was() -> None:
    search, _, history = recorded(RunConfig(n=5, seed=2), 300)
    snapshot = Snapshot(history)
    for _ in range(300):
        history.append(search.step())
    assert Block(snapshot, 0, 1000).iterations.tolist() == list(range(1, 301))


def test_a_plateau_ends_with_every_improvement_and_every_change_of_size() -> None:
    _, steps, history = recorded(RunConfig(n=5, limit="n+1", seed=7), 400)
    changed = [step for step in steps if step.verdict in ("improved", "neutral")]
    plateaus, expected, leaves = [0], 0, 0
    for step in changed:
        expected += step.verdict == "improved" or step.leaves != leaves
        leaves = step.leaves
        plateaus.append(expected)
    assert Snapshot(history).plateaus().tolist() == plateaus
    assert len(set(plateaus)) > sum(step.verdict == "improved" for step in changed) + 5


@given(recorded_runs(max_iterations=80))
def test_a_code_says_what_was_drawn_and_what_became_of_it(run: Recorded) -> None:
    codes = Snapshot(run[2]).codes
    for numbers_of, members, drawn in (
        (operations_of, Operation, [step.operation for step in run[1]]),
        (functions_of, Function, [step.function for step in run[1]]),
        (sides_of, Side, [step.side for step in run[1]]),
        (verdicts_of, Verdict, [step.verdict for step in run[1]]),
    ):
        assert [tuple(members)[number] for number in numbers_of(codes)] == drawn


@pytest.mark.parametrize("config", [RunConfig(n=70, seed=1), RunConfig(n=4, limit="n", seed=1)])
def test_errors_are_exact_and_marked_where_there_is_none(config: RunConfig) -> None:
    _, steps, history = recorded(config, 300)
    snapshot = Snapshot(history)
    errors, is_defined = snapshot.errors(snapshot.offspring_errors)
    wanted = [step.offspring_error for step in steps]
    assert [
        error if known else None for error, known in zip(errors.tolist(), is_defined, strict=True)
    ] == wanted


def test_what_deletions_take_away_is_known_once_it_was_looked_up() -> None:
    _, steps, history = recorded(RunConfig(n=6, limit="2n", seed=3), 500)
    snapshot = Snapshot(history)
    block, walk = Block(snapshot, 100, 300), TreeWalk(snapshot)
    unknown = np.flatnonzero(~block.removed[1])
    assert len(unknown)
    for row in unknown.tolist():
        assert not steps[100 + row].is_accepted
        block.look_up_removed(row, walk.tree(int(block.numbers[row]), lambda: False))
    assert block.removed[1].all()
    assert block.offspring_leaves().tolist() == [step.offspring_leaves for step in steps[100:400]]
