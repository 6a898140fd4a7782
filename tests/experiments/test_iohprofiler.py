"""What IOHanalyzer gets to read, read here by a reader that keeps to the description of the format."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine import GpvizError
from gpviz.experiments import iohprofiler
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.iohprofiler import algorithm_name, write_ioh
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.plan_runner import run_plan
from gpviz.experiments.run_row import RunRow, decode_path, encode_path
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals
from tests.experiments.inline_executor import InlineExecutor
from tests.experiments.ioh_reader import read_ioh


def plan_with(runs: int = 4, grid: dict[str, Any] | None = None, **settings) -> Plan:
    return plan_of("small", {"runs": runs, "seed": 10, "config": settings, "grid": grid or {"n": [2, 4]}})


def filled(path: Path, plan: Plan) -> Store:
    store = Store.create(path, plan)
    run_plan(store, InlineExecutor(), lambda progress: False)
    return store


def test_every_run_is_reported_by_its_first_its_improving_and_its_last_evaluation(tmp_path: Path) -> None:
    plan = plan_with(grid={"deletion": ["leaf", "subtree"], "n": [4, 2]}, limit="n")
    with filled(tmp_path / "a.gpvizx", plan) as store:
        write_ioh(store, tmp_path / "ioh")
        found = read_ioh(tmp_path / "ioh")
        assert set(found) == {"RLS-GP, limit n, leaf deletion", "RLS-GP, limit n, subtree deletion"}
        for cell in plan.cells:
            runs = found[algorithm_name(cell.config)][cell.config.n]
            assert [run.meta["seed"] for run in runs] == [10, 11, 12, 13]
            for number, run in enumerate(runs):
                row = store.run(cell.number, number)
                expected = dict(decode_path(row.path)) | {row.iterations: row.error}
                assert run.points == sorted(expected.items())


def test_the_last_evaluation_is_reported_also_if_it_improved_nothing(tmp_path: Path) -> None:
    plan = plan_with(runs=1, grid={"n": [3]})
    path = [(1, 3), (5, 1)]
    row = RunRow(0, "stuck", 263, 3, 1, 1, 2, 2, 1, 1, 7, 1, 4, 0, 0, 250, encode_path(path))
    totals = Totals()
    totals.add(row, path, n=3)
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        store.add(ChunkResult(0, [row], totals, 0.1))
        write_ioh(store, tmp_path / "ioh")
    ((run,),) = next(iter(read_ioh(tmp_path / "ioh").values())).values()
    assert run.points == [(1, 3.0), (5, 1.0), (7, 1.0)]  # where it got stuck, not where that was noticed
    assert run.meta["evals"] == 7
    assert run.meta["best"] == {"evals": 5, "y": 1, "x": []}


def test_a_run_that_begins_without_a_leaf_is_wrong_on_every_row_until_it_has_one(tmp_path: Path) -> None:
    plan = plan_with(runs=20, empty_tree="insert-only")
    with filled(tmp_path / "a.gpvizx", plan) as store:
        write_ioh(store, tmp_path / "ioh")
    (dimensions,) = read_ioh(tmp_path / "ioh").values()
    starts = {n: {run.points[0][1] for run in runs} for n, runs in dimensions.items()}
    assert starts[2] == {4.0, 1.0}
    assert 16.0 in starts[4]


def test_a_sampled_run_is_wrong_on_its_rows(tmp_path: Path) -> None:
    plan = plan_with(
        grid={"rows": [5, 9]},
        n=6,
        fitness="sampled",
        sampler="counts",
        empty_tree="insert-only",
        accept_error=1,
    )
    with filled(tmp_path / "a.gpvizx", plan) as store:
        write_ioh(store, tmp_path / "ioh")
    found = read_ioh(tmp_path / "ioh")
    assert set(found) == {
        f"RLS-GP, limit 2n, subtree deletion, {rows} rows, counts, A 1, insert-only" for rows in (5, 9)
    }
    for name, dimensions in found.items():
        rows = float(name.split(" rows")[0].rpartition(" ")[2])
        assert all(error <= rows for run in dimensions[6] for _, error in run.points)
        assert any(run.points[0] == (1, rows) for run in dimensions[6])


def test_a_run_without_an_error_has_all_rows_wrong(tmp_path: Path) -> None:
    plan = plan_with(runs=1, grid={"n": [3]})
    row = RunRow(0, "stopped", 9, 0, 0, 0, 0, 0, None, None, None, 0, 9, 0, 0, 0, encode_path([]))
    totals = Totals()
    totals.add(row, [], n=3)
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        store.add(ChunkResult(0, [row], totals, 0.1))
        write_ioh(store, tmp_path / "ioh")
    ((run,),) = next(iter(read_ioh(tmp_path / "ioh").values())).values()
    assert run.points == [(1, 8.0), (9, 8.0)]


def test_cells_without_a_run_are_left_out(tmp_path: Path) -> None:
    plan = plan_with(grid={"limit": ["n", "2n"], "n": [2, 3]})
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        store.add(run_chunk(Chunk(1, plan.cells[1].config, 0, 2, 1000)))
        write_ioh(store, tmp_path / "ioh")
    found = read_ioh(tmp_path / "ioh")
    assert {name: list(dimensions) for name, dimensions in found.items()} == {
        "RLS-GP, limit n, subtree deletion": [3]
    }


def test_errors_beyond_whole_numbers_of_a_machine_are_written_as_it_reads_them(tmp_path: Path) -> None:
    plan = plan_with(runs=1, grid={"n": [80]})
    with filled(tmp_path / "a.gpvizx", plan) as store:
        write_ioh(store, tmp_path / "ioh")
        first = store.run(0, 0)
    ((run,),) = next(iter(read_ioh(tmp_path / "ioh").values())).values()
    assert run.points[0][1] == float(2**79 - 1)
    assert run.points[-1] == (first.iterations, 0.0)
    assert "e+23" in next((tmp_path / "ioh").rglob("*.dat")).read_text()


def test_attributes_remain_texts_for_a_reader_that_evaluates_them(tmp_path: Path) -> None:
    plan = plan_with(runs=1, grid={"limit": ["n", "inf", "20"], "functions": ["and", "and,or"]}, n=3)
    with filled(tmp_path / "a.gpvizx", plan) as store:
        write_ioh(store, tmp_path / "ioh")
    for index in (tmp_path / "ioh").glob("*/*.json"):
        for attribute in json.loads(index.read_text())["experiment_attributes"]:
            for value in attribute.values():
                with pytest.raises((NameError, SyntaxError)):
                    eval(value, {})


def test_configurations_with_one_name_get_a_folder_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(iohprofiler, "algorithm_name", lambda config: "same")
    plan = plan_with(runs=1, grid={"limit": ["n", "2n", "inf"]}, n=2)
    with filled(tmp_path / "a.gpvizx", plan) as store:
        write_ioh(store, tmp_path / "ioh")
    assert len(list((tmp_path / "ioh").iterdir())) == 3


def test_an_empty_folder_is_taken_and_one_with_something_in_it_is_not(tmp_path: Path) -> None:
    with filled(tmp_path / "a.gpvizx", plan_with(runs=1)) as store:
        (tmp_path / "empty").mkdir()
        write_ioh(store, tmp_path / "empty")
        assert read_ioh(tmp_path / "empty")
        with pytest.raises(GpvizError, match="it already exists; name a folder that is new or empty"):
            write_ioh(store, tmp_path / "empty")
        with pytest.raises(GpvizError, match="its parent folder does not exist"):
            write_ioh(store, tmp_path / "no" / "where")


@pytest.mark.parametrize("number", [0, 1])
def test_runs_without_their_improvements_are_reported_in_a_sentence(tmp_path: Path, number: int) -> None:
    path = tmp_path / "a.gpvizx"
    filled(path, plan_with(runs=2)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM paths WHERE cell = 0 AND number = ?", (number,))
    before = set(tmp_path.iterdir())
    with Store.open(path) as store:
        text = f"damaged; the improvements of run {number} of cell 1 are missing"
        with pytest.raises(GpvizError, match=text):
            write_ioh(store, tmp_path / "ioh")
    assert set(tmp_path.iterdir()) == before


def test_what_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with filled(tmp_path / "a.gpvizx", plan_with(runs=1)) as store:
        monkeypatch.setattr(iohprofiler, "_description", fail)
        before = set(tmp_path.iterdir())
        with pytest.raises(GpvizError, match="ioh: it cannot be written; the disk is full"):
            write_ioh(store, tmp_path / "ioh")
        assert set(tmp_path.iterdir()) == before
        monkeypatch.setattr(Path, "mkdir", fail)
        with pytest.raises(GpvizError, match="it cannot be written"):
            iohprofiler.check_ioh_folder(tmp_path / "ioh")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("evaluations raw_y\n1 ", "evaluations raw_y\n2 ", "do not count up from 1"),
        ("evaluations raw_y\n", "", "is no record"),
        ("evaluations raw_y\n", "evaluations raw_y\nevaluations raw_y\n", "runs, and its description"),
        (" 0\n", " -1\n", "has its best value"),
        (" 0\n", "  0\n", "is no record"),
    ],
)
def test_the_reader_is_strict(tmp_path: Path, old: str, new: str, problem: str) -> None:
    with filled(tmp_path / "a.gpvizx", plan_with(runs=2, grid={"n": [2]})) as store:
        write_ioh(store, tmp_path / "ioh")
    (data,) = (tmp_path / "ioh").rglob("*.dat")
    data.write_text(data.read_text().replace(old, new, 1))
    with pytest.raises(ValueError, match=problem):
        read_ioh(tmp_path / "ioh")
