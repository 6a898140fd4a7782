"""Reading a store ends as soon as nobody waits for it, wherever it is; no stranger's store fills the memory."""

import json
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.experiments import store_file
from gpviz.experiments.plan_runner import run_plan
from gpviz.experiments.result_tables import spreads_of
from gpviz.experiments.store import Store
from gpviz.experiments.store_query import RunQuery, count_runs, find_row, find_runs
from gpviz.experiments.totals import Totals
from tests.experiments.inline_executor import InlineExecutor
from tests.experiments.stored_runs import add, plan, row, small_store

RUNS = 6_000
SLOWEST = RunQuery(order="slowest")


@pytest.fixture(scope="module")
def long_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.gpvizx"
    with Store.create(path, plan(RUNS)) as store:
        add(store, 0, [row(number, iterations=1000 + number) for number in range(RUNS)])
    return path


@pytest.fixture(autouse=True)
def ask_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise only what takes a while would be interrupted within SQLite."""
    monkeypatch.setattr(store_file, "_INSTRUCTIONS", 500)


READINGS: dict[str, Callable[[Store], object]] = {
    "totals": lambda store: store.totals(),
    "values": lambda store: store.values(0, "iterations"),
    "rows": lambda store: list(store.rows(0)),
    "paths": lambda store: list(store.paths(0)),
    "missing": lambda store: store.missing(0),
    "spreads": spreads_of,
    "a sorted page": lambda store: find_runs(store, SLOWEST, 0, 10),
    "a sorted page far down": lambda store: find_runs(store, SLOWEST, RUNS - 100, 10),
    "a row": lambda store: find_row(store, SLOWEST, 0, 3),
    "a count": lambda store: count_runs(store, RunQuery(outcome="solved")),
}


def stopped_at(moment: int, work: Callable[[], object]) -> None:
    """See that work ends where it asks this time whether to go on."""
    asked = count()
    with pytest.raises(Stopped), stoppable(lambda: next(asked) == moment):
        work()
    assert next(asked) == moment + 1, "it went on"


def moments_of(work: Callable[[], object]) -> int:
    """How often work asks whether to go on."""
    asked = count()
    with stoppable(lambda: next(asked) < 0):
        work()
    return next(asked)


@pytest.mark.parametrize("name", READINGS)
def test_reading_ends_at_whatever_moment_nobody_waits_for_it_and_can_begin_anew(name, long_store):
    with Store.open(long_store) as store:
        read = READINGS[name]
        moments = moments_of(lambda: read(store))
        assert moments >= (4 if name in ("totals", "a count") else 10)
        for moment in {0, 1, moments // 2, moments - 1}:
            stopped_at(moment, lambda: read(store))
        assert moments_of(lambda: read(store)) == pytest.approx(moments, abs=2)


@pytest.mark.parametrize("is_writable", [False, True])
def test_opening_ends_at_whatever_moment_nobody_waits_for_it_and_leaves_no_lock(is_writable, long_store):
    def work() -> None:
        Store.open(long_store, is_writable=is_writable).close()

    moments = moments_of(work)
    assert moments >= 4
    for moment in range(0, moments, max(1, moments // 20)):
        stopped_at(moment, work)
    work()


def test_nothing_is_run_where_it_is_cancelled_while_the_store_is_read(long_store, tmp_path):
    executor = InlineExecutor()
    with Store.open(long_store, is_writable=True) as store:
        asked = count()
        assert not run_plan(
            store, executor, lambda progress: pytest.fail("it began"), lambda: next(asked) == 5
        )


def test_ctrl_c_within_sqlite_is_not_lost(long_store, monkeypatch):
    def interrupted() -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store_file, "_is_unwanted", interrupted)
        patch.setattr(store_file, "_INSTRUCTIONS", 1)
        with pytest.raises(KeyboardInterrupt):
            Store.open(long_store)


def test_totals_that_are_longer_than_any_are_refused_with_their_size(tmp_path):
    path = small_store(tmp_path)
    text = json.dumps(Totals().as_dict())
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE cells SET totals = ? WHERE cell = 2", (text + " " * (300_001 - len(text)),)
        )
    connection.close()
    with Store.open(path) as store, pytest.raises(GpvizError) as problem:
        store.totals()
    assert str(problem.value) == (
        f"{path}: the experiment is damaged; what the runs of cell 3 come to is 300,001 characters long, and"
        " 300,000 are allowed."
    )


def test_a_cell_with_more_runs_than_the_plan_has_is_not_read_into_the_memory(tmp_path):
    path = small_store(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO runs SELECT cell, number + 100, outcome, iterations, leaves, ors, ors_accepted, accepted,"
            " improved, error, wrong_rows, stuck_since, wait_from, wait, NULL, NULL, NULL FROM runs"
        )
    connection.close()
    with Store.open(path) as store, pytest.raises(GpvizError, match="cell 1 has more runs than the plan"):
        store.values(0, "iterations")


def test_reading_totals_reports_how_far_it_is(tmp_path):
    reported: list[tuple[int, int]] = []
    with Store.open(small_store(tmp_path)) as store:
        store.totals(lambda done, total: reported.append((done, total)))
        assert reported == [(0, 4), (1, 4), (2, 4), (3, 4)]
        reported.clear()
        spreads_of(store, lambda done, total: reported.append((done, total)))
        assert reported == [(0, 4), (1, 4), (2, 4), (3, 4)]
