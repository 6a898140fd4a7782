"""`gpviz experiment`."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gpviz.cli
from gpviz import __version__
from gpviz.cli import experiment, experiment_session, main
from gpviz.engine import ASCII, GpvizError
from gpviz.experiments.batch import ChunkResult, run_one
from gpviz.experiments.places import recent_stores, stores_folder
from gpviz.experiments.plan import find_plan
from gpviz.experiments.running import InlineExecutor
from gpviz.experiments.store import Store
from tests.cli.command_line import is_one_sentence

PLAN = """
title = "A small one"
runs = 3
seed = 5
x = "n"
[config]
deletion = "leaf"
[grid]
limit = ["n", "2n"]
n = [2, 4]
"""


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments are kept in a folder of the test, and runs are done in this process."""
    monkeypatch.setitem(gpviz.cli._COMMANDS, "experiment", experiment)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(experiment_session, "PoolExecutor", lambda jobs: InlineExecutor())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def plan(tmp_path: Path) -> str:
    (tmp_path / "small.toml").write_text(PLAN)
    return "small.toml"


class Interrupting(InlineExecutor):
    """Has the program interrupted after its second chunk."""

    signal = signal.SIGINT

    def __init__(self) -> None:
        super().__init__()
        self.done = 0

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        results = super().wait(timeout_s)
        self.done += 1
        if self.done == 2:
            os.kill(os.getpid(), self.signal)
        return results


class Failing(InlineExecutor):
    """Fails after so many chunks."""

    most = 2

    def __init__(self) -> None:
        super().__init__()
        self.done = 0

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        self.done += 1
        if self.done > self.most:
            raise GpvizError("The workers fail.")
        return super().wait(timeout_s)


def with_executor(monkeypatch: pytest.MonkeyPatch, kind: type[InlineExecutor]) -> None:
    monkeypatch.setattr(experiment_session, "PoolExecutor", lambda jobs: kind())


def run(*arguments: str) -> int:
    return main(["experiment", *arguments])


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert run(*arguments, "--json") == code
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def problem_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence that a wrong command line gets; nothing is printed, and no experiment is kept."""
    capsys.readouterr()
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert is_one_sentence(captured.err)
    return captured.err


def test_workers_of_their_own_do_the_runs_and_json_is_all_that_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setitem(gpviz.cli._COMMANDS, "experiment", experiment)
    monkeypatch.setenv("XDG_DATA_HOME", str(Path.cwd() / "data"))
    store = Path.cwd() / "quick.gpvizx"
    try:
        data = data_of(capsys, "quick", "--runs", "2", "--jobs", "1", "--store", str(store))
        assert (data["plan"], data["version"], data["store"]) == ("quick", __version__, str(store))
        assert data["seconds"] > 0
        plan = find_plan("quick")
        for cell, planned in zip(data["cells"], plan.cells, strict=True):
            rows = [run_one(planned.config_of(number), number, plan.max_iterations) for number in range(2)]
            solved = [row.iterations for row in rows if row.outcome == "solved"]
            assert (cell["runs"], cell["solved"]) == (2, len(solved))
            assert cell["T_mean"] == sum(solved) / len(solved)
            assert cell["paper"]["T"] > 0
    finally:
        store.unlink(missing_ok=True)


def test_the_table_tells_people_what_the_cells_came_to(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(plan, "--runs", "40") == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == "A small one"
    assert lines[1].startswith("4 cells · 160 runs · ")
    assert lines[1].endswith(" · deletion leaf")
    heads = lines[4].split()
    assert heads[:4] == ["limit", "n", "solved", "stuck"]
    assert lines[6].split()[:2] == ["n", "4"]
    assert "46.3 (28.0)" in lines[6]
    assert "46.3" not in lines[5]
    assert "lie within 2 standard errors of the paper's" in captured.out.replace("\n", " ")
    assert all(len(line) <= 120 for line in lines)
    assert captured.err.splitlines()[0] == "A small one: 4 cells, 160 runs, 1 worker."
    assert captured.err.splitlines()[-1] == f"Kept in {recent_stores()[0]}."


def test_the_table_is_plain_where_the_output_can_show_no_more(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment_session, "style_for_output", lambda: ASCII)
    assert run(plan, "--runs", "3") == 0
    capsys.readouterr().out.encode("ascii")


def test_rows_get_a_compact_table_for_each_measure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.toml").write_text(
        'runs = 2\nx = "rows"\n'
        'measures = ["iterations", "leaves", "ors", "ors_accepted", "generalisation_error", "stuck"]\n'
        '[config]\nn = 5\nlimit = "inf"\nfitness = "sampled"\nsampler = "counts"\n'
        "[grid]\naccept_error = [0, 2]\nrows = [10, 1000]\n"
    )
    assert run("rows.toml") == 0
    tables = capsys.readouterr().out.strip().split("\n\n")
    assert [table.splitlines()[0] for table in tables[1:]] == [
        "Iterations (T)", "Leaves (S)", "ORs in the result", "ORs accepted", "Wrong with probability", "Stuck",
    ]  # fmt: skip
    lines = tables[1].splitlines()
    assert lines[1].split("  ")[-2:] == ["accept error 0", "accept error 2"]
    assert [line.split()[0] for line in lines[2:]] == ["10", "1,000"]


def test_growth_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "growth.toml").write_text('runs = 4\nx = "n"\n[grid]\nn = [2, 3, 5, 6, 7]\n')
    assert run("growth.toml") == 0
    assert "T / (n ln n)" in capsys.readouterr().out


def test_runs_that_are_neither_solved_nor_stuck_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "short.toml").write_text("runs = 3\nmax_iterations = 2\n[grid]\nn = [9]\n")
    assert run("short.toml") == 0
    out = capsys.readouterr().out
    assert "other" in out
    assert "3 stopped" in out
    assert "0/3" in out


def test_without_a_name_every_call_keeps_an_experiment_of_its_own(
    plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first = data_of(capsys, plan)
    second = data_of(capsys, plan)
    assert first["store"] != second["store"]
    assert first["cells"] == second["cells"]
    assert set(map(str, recent_stores())) == {first["store"], second["store"]}


def test_resume_without_a_number_of_runs_goes_on_to_as_many_as_there_were_to_be(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = data_of(capsys, plan, "--runs", "9", "--store", "whole.gpvizx")
    with monkeypatch.context() as patch:
        with_executor(patch, Interrupting)
        assert run(plan, "--runs", "9", "--store", "a.gpvizx") == 130
        assert run(plan, "--runs", "9") == 130
    (kept,) = recent_stores()
    for options in (("--store", "a.gpvizx"), ()):
        resumed = data_of(capsys, plan, *options, "--resume")
        assert resumed["cells"] == whole["cells"]
        assert resumed["runs_per_cell"] == 9
    assert recent_stores() == [kept]


def test_a_file_that_is_there_is_not_touched_without_resume(
    plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(plan, "--store", "a.gpvizx") == 0
    before = Path("a.gpvizx").read_bytes()
    assert "--resume goes on with it" in problem_of(capsys, plan, "--store", "a.gpvizx")
    Path("note.txt").write_text("dear diary")
    assert "stays as it is" in problem_of(capsys, plan, "--store", "note.txt")
    assert "not an experiment" in problem_of(capsys, plan, "--store", "note.txt", "--resume")
    assert Path("note.txt").read_text() == "dear diary"
    assert Path("a.gpvizx").read_bytes() == before


def test_resume_begins_where_there_is_nothing_and_goes_on_where_there_is(
    plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = data_of(capsys, plan, "--runs", "6")
    part = data_of(capsys, plan, "--store", "a.gpvizx", "--resume")
    assert [cell["runs"] for cell in part["cells"]] == [3] * 4
    extended = data_of(capsys, plan, "--store", "a.gpvizx", "--resume", "--runs", "6")
    assert extended["cells"] == whole["cells"]


def test_what_is_complete_is_only_told_again(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = data_of(capsys, plan, "--store", "a.gpvizx")
    Failing.most = 0
    with_executor(monkeypatch, Failing)
    assert data_of(capsys, plan, "--store", "a.gpvizx", "--resume") == first


def test_another_plan_or_fewer_runs_are_refused(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(plan, "--store", "a.gpvizx") == 0
    resume = ("--store", "a.gpvizx", "--resume")
    assert "seed is 5 there and 6 in the plan" in problem_of(capsys, plan, *resume, "--seed", "6")
    assert "n in cell 1 is 2 there and 4 in the plan" in problem_of(capsys, "table2", *resume)
    assert "they can become more, not fewer" in problem_of(capsys, plan, *resume, "--runs", "2")
    with Store.open(Path("a.gpvizx")) as store:
        assert store.plan.runs == 3


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_what_is_done_shows_it_and_says_how_to_go_on(
    number: signal.Signals,
    code: int,
    plan: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = data_of(capsys, plan)
    monkeypatch.setattr(Interrupting, "signal", number)
    with_executor(monkeypatch, Interrupting)
    assert run(plan, "--store", "a b.gpvizx") == code
    captured = capsys.readouterr()
    assert " of 12 runs" in captured.out
    told = captured.err.splitlines()
    assert told[-1] == "To go on: gpviz experiment small.toml --store 'a b.gpvizx' --resume"
    assert told[-3:-1] == ["Interrupted.", "Kept in a b.gpvizx."]
    with_executor(monkeypatch, InlineExecutor)
    assert data_of(capsys, plan, "--store", "a b.gpvizx", "--resume")["cells"] == whole["cells"]


def test_an_interrupted_json_is_still_one_object(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_executor(monkeypatch, Interrupting)
    data = data_of(capsys, plan, code=130)
    assert not data["is_complete"]
    assert 0 < sum(cell["runs"] for cell in data["cells"]) < 12


def test_resume_without_a_name_goes_on_with_the_latest_unfinished_experiment(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_executor(monkeypatch, Interrupting)
    unfinished = data_of(capsys, plan, code=130)
    with_executor(monkeypatch, InlineExecutor)
    data_of(capsys, plan, "--seed", "9")
    resumed = data_of(capsys, plan, "--resume")
    assert resumed["store"] == unfinished["store"]
    assert resumed["is_complete"]
    assert data_of(capsys, plan, "--resume")["store"] != resumed["store"], (
        "nothing is unfinished, so it is new"
    )


def test_workers_that_fail_leave_what_was_done(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Failing.most = 2
    with_executor(monkeypatch, Failing)
    assert run(plan) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("gpviz: The workers fail.\n")
    (path,) = recent_stores()
    assert f"--store {path} --resume" in captured.err


def test_the_file_of_another_who_was_quicker_is_left_alone(
    plan: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Both find no file; the other makes it first, and has done no run yet.
    monkeypatch.setattr(experiment_session, "_existing", lambda options, plan: None)
    path = tmp_path / "a.gpvizx"
    with Store.create(path, find_plan(plan)) as store:
        assert "another program is writing" in problem_of(capsys, plan, "--store", "a.gpvizx")
        assert path.exists()
        # Nor is a file taken away that another goes on with.
        experiment_session._forget_if_empty(path)
        assert path.exists()
        assert store.missing(0) == [range(3)]
    assert "there is a file of that name" in problem_of(capsys, plan, "--store", "a.gpvizx")
    assert path.exists()


def test_an_experiment_in_which_nothing_was_done_is_not_kept(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Failing.most = 0
    with_executor(monkeypatch, Failing)
    assert run(plan) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[-2:] == ["Nothing was done, so nothing is kept.", "gpviz: The workers fail."]
    assert list(stores_folder().iterdir()) == []


def test_everything_is_written_that_is_asked_for(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(
        capsys,
        plan,
        "--csv",
        "c.csv",
        "--latex",
        "t.tex",
        "--runs-csv",
        "r.csv",
        "--ioh",
        "ioh",
        "--store",
        "a.gpvizx",
    )
    with Path("c.csv").open(newline="") as file:
        assert [float(row["T_mean"]) for row in csv.DictReader(file)] == [c["T_mean"] for c in data["cells"]]
    with Path("r.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 12
    assert r"\begin{tabular}" in Path("t.tex").read_text()
    assert len(list(Path("ioh").glob("*/*.json"))) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "PLAN is missing"),
        (("tabel1",), "There is no plan 'tabel1'; there are quick, table1"),
        (("no.toml",), "no.toml: it cannot be read"),
        (("quick", "--runs", "0"), "--runs: 0 is not allowed"),
        (("quick", "--runs", "1000000000000"), "--runs: 1000000000000 is not allowed"),
        (("quick", "--runs", "99999999"), "runs: 99999999 is not allowed"),
        (("quick", "--seed", "-1"), "seed: -1 is not allowed"),
        (("quick", "--jobs", "many"), "--jobs: 'many' is not allowed"),
        (("quick", "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"), "--jobs: it is of no use together"),
        (("quick", "--cluster", "no address"), "cluster: 'no address' is not allowed"),
        (("quick", "--csv", "a", "--latex", "a"), "--csv and --latex: they name the same file"),
        (("quick", "--store", "./a", "--runs-csv", "a"), "--store and --runs-csv: they name the same file"),
        (("quick", "--csv", "a", "--latex", "b/../a"), "--csv and --latex: they name the same file"),
        (("quick", "--csv", "no/where.csv"), "no/where.csv: it cannot be written"),
        (("quick", "--ioh", ".."), "it is there already"),
        (("quick", "--store", "no/where.gpvizx"), "--store: the folder of no/where.gpvizx does not exist"),
        (("quick", "--store", ".", "--resume"), "not a file"),
        (("quick", "--what"), "unrecognized arguments: --what"),
    ],
)
def test_what_cannot_be_is_told_before_any_work(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in problem_of(capsys, *arguments)
    assert not stores_folder().exists() or not list(stores_folder().iterdir())


@pytest.mark.parametrize("option", ["--csv", "--runs-csv", "--latex", "--ioh", "--store"])
def test_a_loop_of_links_is_told_in_a_sentence(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("loop").symlink_to("loop")
    assert "loop: it cannot be written; Symlink loop" in problem_of(capsys, "quick", option, "loop")


def test_where_nothing_can_be_kept_the_option_is_named_that_helps(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("a file, not a folder")
    assert "--store FILE names another place" in problem_of(capsys, plan)
    assert run(plan, "--store", "a.gpvizx") == 0


def test_the_list_shows_plans_and_what_was_kept(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--list") == 0
    out = capsys.readouterr().out
    assert "table1" in out
    assert "Experiments" not in out
    data_of(capsys, plan)
    (stores_folder() / "foreign.gpvizx").write_text("nothing of ours")
    assert run("--list") == 0
    assert "small, 12 of 12 runs" in capsys.readouterr().out
    data = data_of(capsys, "--list")
    assert "quick" in [each["name"] for each in data["plans"]]
    (store,) = data["stores"]
    assert (store["done"], store["total"]) == (12, 12)


def test_the_cluster_is_asked_where_there_is_one(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = pytest.importorskip("gpviz.experiments.cluster")
    asked: list[str] = []

    class Cluster(InlineExecutor):
        def __init__(self, address: str) -> None:
            super().__init__()
            asked.append(address)

    monkeypatch.setattr(cluster, "ClusterExecutor", Cluster)
    assert run(plan, "--cluster", "tcp://127.0.0.1:8786") == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first == "A small one: 4 cells, 12 runs, on the cluster at tcp://127.0.0.1:8786."
    assert asked == ["tcp://127.0.0.1:8786"]


def test_other_commands_do_not_wait_for_experiments() -> None:
    names = "[name for name in sys.modules if name.startswith('gpviz.experiments')]"
    code = f"import sys, gpviz.cli, gpviz.cli.experiment; print({names})"
    finished = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(gpviz.cli.__file__).parents[2],
    )
    assert finished.stdout.strip() == "[]"


def test_a_second_interrupt_ends_it_at_once_and_what_is_done_is_kept(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Twice(Interrupting):
        def cancel(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    with_executor(monkeypatch, Twice)
    assert run(plan, "--store", "a.gpvizx") == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("gpviz: interrupted.\n")
    assert "--store a.gpvizx --resume" in captured.err
    with Store.open(Path("a.gpvizx")) as store:
        assert sum(totals.runs for totals in store.totals()) > 0


def test_where_a_result_cannot_be_written_the_runs_are_kept(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise GpvizError("The disk is full.")

    monkeypatch.setattr(experiment_session, "write_file", fail)
    assert run(plan, "--store", "a.gpvizx", "--csv", "a.csv") == 2
    assert capsys.readouterr().err.endswith("Kept in a.gpvizx.\ngpviz: The disk is full.\n")


def test_only_some_of_very_many_cells_that_are_not_as_in_the_paper_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Runs that are cut short are solved soon or not at all.
    (tmp_path / "off.toml").write_text(
        "runs = 60\nmax_iterations = 25\n[config]\nn = 4\n[grid]\n"
        'deletion = ["leaf", "subtree"]\nempty_tree = ["any", "insert-only"]\nlimit = ["n", "n+1", "2n", "inf"]\n'
    )
    assert run("off.toml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(": differs: " in line for line in lines) == 7
    assert "and 9 more" in lines
