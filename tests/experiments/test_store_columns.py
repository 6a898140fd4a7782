"""The columns of a store: what a table of runs says, as arrays, and all of it from one moment."""

import csv
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpviz.engine import InvalidValueError, Result
from gpviz.experiments.plan import plan_of
from gpviz.experiments.result_tables import write_runs_csv
from gpviz.experiments.store import COLUMNS, RUN_COLUMNS, Store, StoredRun, stored_run
from tests.experiments.stored_runs import add, plan, row, small_store


def text(value: object) -> str:
    """A value as a table of runs writes it."""
    if value is None or value != value:  # nan is no other
        return ""
    return str(int(value)) if isinstance(value, float) else str(value)


def test_they_are_the_columns_of_a_table_of_runs(tmp_path: Path) -> None:
    with Store.open(str(small_store(tmp_path))) as store:
        columns = store.columns()
        write_runs_csv(store, tmp_path / "runs.csv")
    with (tmp_path / "runs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(columns) == tuple(rows[0]) == RUN_COLUMNS
    assert {column.shape for column in columns.values()} == {(20,)}
    for name, column in columns.items():
        assert [text(value) for value in column.tolist()] == [row[name] for row in rows], name


def test_kinds_are_those_that_one_can_reckon_with(tmp_path: Path) -> None:
    with Store.open(small_store(tmp_path)) as store:
        columns = store.columns()
    kinds = {name: column.dtype.kind for name, column in columns.items()}
    texts = {"limit", "deletion", "functions", "fitness", "sampler", "empty_tree", "outcome"}
    assert {name for name, kind in kinds.items() if kind == "U"} == texts
    assert {name for name, kind in kinds.items() if kind == "f"} == {"rows", "stuck_since"}
    assert all(columns[name].dtype == np.int64 for name in {*columns} - texts - {"rows", "stuck_since"})
    solved = columns["outcome"] == "solved"
    assert columns["iterations"][solved & (columns["n"] == 8) & (columns["limit"] == "n")].tolist() == [
        1000, 999, 997, 996,
    ]  # fmt: skip


def test_some_may_be_asked_for_by_name(tmp_path: Path) -> None:
    with Store.open(small_store(tmp_path)) as store:
        assert list(store.columns("seed", "n")) == ["seed", "n"]
        assert store.columns("seed")["seed"].tolist() == [10, 11, 12, 13, 14] * 4
        with pytest.raises(
            InvalidValueError, match=r"^column: 'T' .* one of n, limit, .*, full_iterations\.$"
        ):
            store.columns("T")


def test_an_empty_store_has_empty_columns_of_the_same_kinds(tmp_path: Path) -> None:
    with Store.create(tmp_path / "empty.gpvizx", plan()) as store:
        columns = store.columns()
    assert tuple(columns) == RUN_COLUMNS
    assert {column.shape for column in columns.values()} == {(0,)}
    assert (columns["limit"].dtype.kind, columns["iterations"].dtype.kind) == ("U", "i")


def test_numbers_of_any_size_are_exact(tmp_path: Path) -> None:
    large = plan_of("large", {"runs": 2, "seed": 2**80, "grid": {"n": [100]}})
    with Store.create(tmp_path / "large.gpvizx", large) as store:
        add(store, 0, [row(0, error=2**99 - 1), row(1, outcome="failed", error=None)])
        columns = store.columns("seed", "error")
    assert columns["seed"].tolist() == [2**80, 2**80 + 1]
    assert columns["error"].tolist() == [2**99 - 1, None]


def test_they_are_from_one_moment_while_another_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, runs = tmp_path / "small.gpvizx", iter(range(5, 9))

    def read_while_another_is_written(store: Store, found: tuple[Any, ...]) -> StoredRun:
        add(writer, 0, [row(number) for number in islice(runs, 1)])
        return stored_run(store, found)

    monkeypatch.setattr("gpviz.experiments.store._PAGE", 1)
    monkeypatch.setattr("gpviz.experiments.store.stored_run", read_while_another_is_written)
    with Store.create(path, plan(9)) as writer, Store.open(path) as reader:
        add(writer, 0, [row(number) for number in range(5)])
        assert reader.columns("number")["number"].tolist() == [0, 1, 2, 3, 4]
        assert reader.columns("number")["number"].tolist() == list(range(9))


def test_the_names_of_what_is_kept_are_those_of_results() -> None:
    assert set(Result._fields) - {"tree", "n"} <= set(COLUMNS)
