"""Snapshots of a history and its columns: they stay as they are, and say what the steps say."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from gpviz.analysis.drift_bounds import stage_of
from gpviz.engine import (
    Function,
    InvalidValueError,
    Operation,
    RlsGp,
    RunConfig,
    Side,
    Step,
    Verdict,
    format_formula,
    parse,
)
from gpviz.engine.config import is_full
from gpviz.engine.mutation import is_root_and
from gpviz.engine.target import target_for
from gpviz.engine.tree import ROOT, node_at, variables_of
from gpviz.explain.query_fields import FIELDS
from gpviz.runs.branches import forked
from gpviz.runs.history import History
from gpviz.runs.step_columns import LOG_COLUMNS, STEP_COLUMNS, Block, Snapshot, TreeWalk
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


OTHERS = [name for name in STEP_COLUMNS if name not in LOG_COLUMNS]
OF_TREES = ["formula", "generalisation_error"]


def size_removed(step: Step) -> int:
    is_gone = step.operation == "DEL" and step.parent is not None and step.node != ROOT
    return node_at(step.parent, step.node).size if is_gone and step.parent is not None else 0


def values_of(step: Step, config: RunConfig) -> dict[str, Any]:
    """What a step says under the names of columns; None where there is nothing."""
    tree, parent, offspring_error, error = step.tree, step.parent, step.offspring_error, step.parent_error
    has_both = offspring_error is not None and error is not None
    is_staged = error and not config.is_sampled
    return {
        **{name: getattr(step, name) for name in LOG_COLUMNS if hasattr(step, name)},
        "distinct": variables_of(tree).bit_count(),
        "full": is_full(parent, config),
        "accepted": step.is_accepted,
        "error_change": offspring_error - error if has_both else None,  # type: ignore[operator]
        "size": 0 if tree is None else tree.size,
        "size_removed": size_removed(step),
        "root_and": is_root_and(parent, step.mutation),
        "stage": stage_of(error, config.n) if is_staged else None,  # type: ignore[type-var]
    }


def listed(column: np.ndarray[Any, Any]) -> list[Any]:
    """The values of a column, None for nan."""
    return [None if value != value else value for value in column.tolist()]  # nan is no other


@given(recorded_runs())
def test_the_columns_say_what_the_steps_say(run: Recorded):
    search, steps, history = run
    columns = history.columns(*LOG_COLUMNS, *OTHERS)
    assert list(columns) == list(STEP_COLUMNS)
    rows = [values_of(step, search.config) for step in steps]
    for name, column in columns.items():
        assert listed(column) == [row[name] for row in rows], name


@given(recorded_runs(max_iterations=40))
def test_what_is_read_from_trees_is_asked_for_by_name(run: Recorded):
    search, steps, history = run
    target = target_for(search.config.n)
    columns = history.columns(*OF_TREES)
    assert columns["formula"].tolist() == [format_formula(step.tree) for step in steps]
    errors = [None if step.tree is None else float(target.generalisation_error(step.tree)) for step in steps]
    assert listed(columns["generalisation_error"]) == errors


@pytest.mark.parametrize("iterations", [0, 1, 20_000])
def test_all_have_one_dimension_and_the_length_of_the_run(iterations):
    columns = recorded(RunConfig(n=6, limit="n+1", deletion="leaf", seed=1), iterations)[2].columns(
        *LOG_COLUMNS, *OTHERS, *OF_TREES
    )
    assert {column.shape for column in columns.values()} == {(iterations,)}


def test_kinds_are_those_that_one_can_reckon_with():
    columns = recorded(RunConfig(n=6, seed=1), 300)[2].columns(*STEP_COLUMNS)
    kinds = {name: column.dtype.kind for name, column in columns.items()}
    texts = ["operation", "function", "side", "verdict"]
    truths = ["full", "duplicate_accepted", "or_accepted", "true_error_grew", "accepted", "root_and"]
    with_gaps = ["offspring_error", "parent_error", "error_change", "stage"]
    assert {name for name, kind in kinds.items() if kind == "U"} == set(texts)
    assert {name for name, kind in kinds.items() if kind == "b"} == set(truths)
    assert {name for name, kind in kinds.items() if kind == "f"} == set(with_gaps)
    assert {column.dtype for name, column in columns.items() if kinds[name] == "i"} == {np.dtype(np.int64)}
    assert (columns["verdict"] == "improved").sum() == len(np.unique(columns["error"]))


def test_errors_that_no_float_holds_are_exact():
    _, steps, history = recorded(RunConfig(n=100, seed=2), 50)
    columns = history.columns("error", "parent_error")
    assert columns["error"].tolist() == [step.error for step in steps]
    assert steps[0].error == 2**99 - 1
    assert columns["parent_error"][0] is None
    medium = recorded(RunConfig(n=60, limit="inf", seed=1), 20, parse("x1"))[2].columns(
        "error", "offspring_error"
    )
    assert medium["error"].dtype == np.int64
    assert medium["error"][0] == 2**59 - 1
    missing = recorded(RunConfig(n=60, seed=1), 2)[2].columns("parent_error")
    assert missing["parent_error"].tolist() == [None, 2**59 - 1]


def test_an_unknown_column_is_refused_with_those_there_are():
    with pytest.raises(
        InvalidValueError, match=r"^column: 'eror' .* one of iteration, operation, .*, formula\.$"
    ):
        recorded(RunConfig(n=4), 3)[2].columns("error", "eror")


def test_they_are_a_snapshot_that_is_not_changed_by_what_follows():
    config = RunConfig(n=4, seed=1)
    search, history = RlsGp(config), History(config)
    history.append(search.step())
    columns = history.columns()
    history.append(search.step())
    assert columns["iteration"].tolist() == [1]
    columns["error"][0] = 99
    assert history.columns()["error"][0] == history.step_at(1).error


def test_a_branch_goes_by_the_settings_of_its_iterations():
    config = RunConfig(n=4, limit="5", seed=1)
    search, branch = forked(recorded(config, 300)[2], 200, config.replaced(limit="6"))
    for _ in range(100):
        branch.append(search.step())
    columns = branch.columns("full", "leaves")
    parents = np.concatenate(([0], columns["leaves"][:-1]))
    assert columns["full"].tolist() == (parents == np.where(np.arange(300) < 200, 5, 6)).tolist()


def test_queries_know_every_column_by_its_name():
    assert set(FIELDS) == {*STEP_COLUMNS, "state"}
