"""`gpviz reproduce`."""

import signal
from functools import cache
from pathlib import Path

import pytest

from gpviz.cli import main, reproduce
from gpviz.experiments.chunk_worker import ChunkResult
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.report.results import PLANS, store_path
from gpviz.experiments.store import Store
from tests.cli.command_line import problem_of
from tests.experiments.inline_executor import InlineExecutor

TINY = {
    "table1": {"limit": ["n", "2n"], "n": [4, 8]},
    "table2": {"limit": ["n", "2n"], "n": [4, 8]},
    "insert-only": {
        "n": [4],
        "deletion": ["leaf", "subtree"],
        "limit": ["n"],
        "empty_tree": ["any", "insert-only"],
    },
    "figure2": {"accept_error": [0, 8], "rows": [10, 100, 1000]},
}


@cache
def tiny(name: str) -> Plan:
    return find_plan(name).replaced(grid=TINY[name])


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with small plans, whose runs are done here and not in other processes."""
    monkeypatch.setattr(reproduce, "PoolExecutor", lambda jobs: InlineExecutor())
    from gpviz.experiments.report import page, results

    for module in (page, results, reproduce):
        monkeypatch.setattr(module, "find_plan", tiny)


def runs_in(folder: Path) -> list[int]:
    counts = []
    for name in PLANS:
        with Store.open(store_path(folder, name)) as store:
            counts.append(sum(totals.runs for totals in store.totals()))
    return counts


def test_it_does_all_runs_and_writes_the_report(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["reproduce", "--out", str(folder), "--runs", "3"]) == 0
    out, err = capsys.readouterr()
    assert runs_in(folder) == [12, 12, 18, 12]
    for line in ("Table 1: ", "Table 2: ", "The gap at n = 4: ", f"The report is {folder / 'report.html'}."):
        assert line in out
    assert "Table 1: leaf-only deletion: 4 cells, 12 runs." in err
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_done_again_it_does_nothing_twice_and_says_the_same(tmp_path, capsys):
    arguments = ["reproduce", "--out", str(tmp_path), "--runs", "2"]
    assert main(arguments) == 0
    first, report = capsys.readouterr().out, (tmp_path / "report.html").read_bytes()
    assert main(arguments) == 0
    second = capsys.readouterr()
    assert second.out == first
    assert "all 8 runs are already done" in second.err
    assert (tmp_path / "report.html").read_bytes() == report


def test_more_runs_are_added_and_fewer_are_not_taken_away(tmp_path, capsys):
    for runs, counts in (("2", 8), ("3", 12), ("1", 12)):
        assert main(["reproduce", "--out", str(tmp_path), "--runs", runs]) == 0
        assert runs_in(tmp_path)[0] == counts
    assert "3 runs a cell are already done, and all of them are used." in capsys.readouterr().err


def test_interrupted_it_keeps_what_is_done_and_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    done = 0

    class Impatient(InlineExecutor):
        def wait(self, timeout_s: float) -> list[ChunkResult]:
            nonlocal done
            done += 1
            if done == 3:
                signal.raise_signal(signal.SIGINT)
            return super().wait(timeout_s)

    monkeypatch.setattr(reproduce, "PoolExecutor", lambda jobs: Impatient())
    folder = tmp_path / "a b"
    arguments = ["reproduce", "--out", str(folder), "--runs", "3", "--jobs", "2"]
    assert main(arguments) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert f"To continue: gpviz reproduce --out '{folder}' --runs 3 --jobs 2" in err
    assert not (folder / "report.html").exists()
    with Store.open(store_path(folder, "table1")) as store:
        assert 0 < sum(totals.runs for totals in store.totals()) < 12
    done = 1000
    assert main(arguments) == 0
    assert runs_in(folder) == [12, 12, 18, 12]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--runs", "0"], "--runs: 0 is not allowed"),
        (["--runs", "many"], "--runs: 'many' is not allowed"),
        (["--runs", "100000000"], "--runs: 100000000 is not allowed"),
        (["--jobs", "-1"], "--jobs"),
    ],
)
def test_nonsense_is_one_sentence_and_nothing_is_made(arguments, part, tmp_path, capsys):
    folder = tmp_path / "out"
    assert part in problem_of(capsys, "reproduce", "--out", str(folder), *arguments)
    assert not folder.exists()


def test_a_file_where_the_folder_is_to_be_stays_as_it_is(tmp_path, capsys):
    path = tmp_path / "out"
    path.write_text("mine")
    problem_of(capsys, "reproduce", "--out", str(path))
    assert path.read_text() == "mine"


def test_another_experiment_under_the_name_of_a_store_is_told_and_kept(tmp_path, capsys):
    path = store_path(tmp_path, "table1")
    Store.create(path, find_plan("quick")).close()
    before = path.read_bytes()
    assert main(["reproduce", "--out", str(tmp_path), "--runs", "2"]) == 2
    assert "it is another experiment" in capsys.readouterr().err
    assert path.read_bytes() == before
