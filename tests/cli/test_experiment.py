"""`gpviz experiment`: what it prints and writes, and what it refuses."""

import csv
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from gpviz import __version__
from gpviz.cli import experiment
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.optional_packages import how_to_get
from gpviz.experiments.chunk_worker import run_one
from gpviz.experiments.decisive_steps import CellDecisiveSteps, decisive_steps_of
from gpviz.experiments.plan import find_plan
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import recent_stores, stores_folder
from tests.cli.experiment_command import data_of, problem_of, run
from tests.experiments.inline_executor import InlineExecutor

pytestmark = pytest.mark.usefixtures("experiments_here")


def test_workers_of_their_own_do_the_runs_and_json_is_all_that_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
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


def test_exact_values_have_a_table_of_their_own_below(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(plan, "--runs", "60") == 0
    paragraph = capsys.readouterr().out.partition("\n\nExact values, and how many")[2].partition("\n\n")[0]
    lines = paragraph.splitlines()
    assert lines[1].split()[:3] == ["limit", "n", "stuck"]
    assert lines[1].endswith("paper's z of T")
    four = next(line for line in lines[2:] if line.split()[:2] == ["n", "4"])
    assert four.split()[2:6] == ["0.49", "45.78", "(28.99)", "4.000"]
    assert four.endswith("+0.4")


def test_the_table_tells_people_what_the_cells_came_to(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(plan, "--runs", "60") == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == "A small one"
    assert lines[1].startswith("4 cells · 240 runs · ")
    assert lines[1].endswith(" · deletion leaf")
    assert "compared cells agree" in lines[2]
    table = lines[lines.index("") + 1 :]
    assert table[1].split()[:4] == ["limit", "n", "solved", "stuck"]
    assert table[3].split()[:2] == ["n", "4"]
    assert "46.3 (28.0)" in table[3]
    assert "46.3" not in table[2]
    assert "lie within 2 standard errors of the paper's" in captured.out.replace("\n", " ")
    assert all(len(line) <= 120 for line in lines)
    assert captured.err.splitlines()[0] == "A small one: 4 cells, 240 runs, 1 worker."
    assert captured.err.splitlines()[-1] == f"Kept in {recent_stores()[0]}."


def test_what_is_proven_of_t_stands_below_the_laws_of_growth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "growth.toml").write_text(
        'runs = 4\nx = "n"\n[grid]\nn = [2, 3, 4, 5, 6]\nlimit = ["2n", "n+1", "inf"]\n'
    )
    assert run("growth.toml", "--store", "a.gpvizx") == 0
    text = " ".join(capsys.readouterr().out.split())
    doubled, more, endless = (
        text.partition(f"Bounds with limit {each}, n = 6: ")[2] for each in ("2n", "n+1", "inf")
    )
    assert "at least 22 (coupon collecting) and, while the tree is not full, at most" in doubled
    assert "4,457 (multiplicative drift)" in doubled
    assert "does not cover limit n+1" in more
    assert "(coupon collecting). Without a limit no upper bound is proven." in endless
    assert "from n = 404 on" in endless


def test_what_depends_on_n_is_told_as_it_is_written_and_no_law_of_growth_is_tried_on_sampled_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "coupled.toml").write_text(
        'runs = 2\nx = "n"\n[config]\nfitness = "sampled"\nrows = "n lg^2 n"\naccept_error = "2 lg n"\n'
        "[grid]\nn = [4, 5, 6, 7, 8]\n"
    )
    assert run("coupled.toml", "--store", "a.gpvizx") == 0
    out = capsys.readouterr().out
    assert "rows n lg^2 n" in out
    assert "accept error 2 lg n" in out
    assert "laws" not in out
    assert not out.endswith("\n\n")


def test_rows_get_a_compact_table_for_each_measure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.toml").write_text(
        'runs = 2\nx = "rows"\n'
        'measures = ["iterations", "leaves", "ors", "ors_accepted", "final_generalisation_error", "stuck",'
        '"duplicate_accepted", "or_accepted", "true_error_grew", "no_pitfall", "share_full"]\n'
        '[config]\nn = 5\nlimit = "inf"\nfitness = "sampled"\nsampler = "counts"\n'
        "[grid]\naccept_error = [0, 2]\nrows = [10, 1000]\n"
    )
    assert run("rows.toml") == 0
    tables = capsys.readouterr().out.strip().split("\n\n")
    assert [table.splitlines()[0] for table in tables[1:]] == [
        "T (iterations)", "S (leaves)", "ORs in the result", "ORs accepted",
        "generalisation error (share of rows)", "B (% of runs stuck)", "duplicate accepted (% of runs)",
        "OR accepted (% of runs)", "true error grew (% of runs)", "no pitfall (% of runs)",
        "full tree (% of iterations)",
    ]  # fmt: skip
    lines = tables[1].splitlines()
    assert lines[1].split("  ")[-2:] == ["accept error 0", "accept error 2"]
    assert [line.split()[0] for line in lines[2:]] == ["10", "1,000"]


def test_plans_on_sampled_rows_have_a_table_of_pitfalls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        'runs = 20\nx = "n"\n[config]\nlimit = "inf"\nfitness = "sampled"\nsampler = "counts"\nrows = 40\n'
        "accept_error = 3\n[grid]\nn = [8, 16]\n"
    )
    (tmp_path / "pitfalls.toml").write_text(text)
    cells = data_of(capsys, "pitfalls.toml", "--store", "a.gpvizx")["cells"]
    assert run("pitfalls.toml", "--store", "a.gpvizx", "--resume") == 0
    _, table, pitfalls = capsys.readouterr().out.strip().split("\n\n")[:3]
    assert "full" not in table
    lines = pitfalls.splitlines()
    assert lines[0] == "Pitfalls (% of runs)"
    assert re.split("  +", lines[1])[-4:] == [
        "runs with duplicates",
        "runs with ORs",
        "true error grew",
        "no pitfall",
    ]
    for line, cell in zip(lines[2:], cells, strict=True):
        shares = [
            cell[name] for name in ("duplicate_accepted", "or_accepted", "true_error_grew", "no_pitfall")
        ]
        reported = [float(each) for each in re.findall(r"([\d.]+) \[", line)]
        assert reported == pytest.approx([100 * share for share in shares], abs=0.051)
        low, high = cell["no_pitfall_interval"]
        assert line.endswith(f"[{100 * low:.1f}, {100 * high:.1f}]")
    (tmp_path / "limited.toml").write_text("runs = 5\n[grid]\nn = [5, 7]\n")
    assert run("limited.toml") == 0
    said = capsys.readouterr().out
    assert "full %" in said
    assert "Pitfalls" not in said


def test_runs_that_are_neither_solved_nor_stuck_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "short.toml").write_text("runs = 3\nmax_iterations = 2\n[grid]\nn = [9]\n")
    assert run("short.toml") == 0
    out = capsys.readouterr().out
    assert "other" in out
    assert "3 stopped" in out
    assert "0/3" in out


def test_everything_is_written_that_is_asked_for(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = "--csv c.csv --latex t.tex --runs-csv r.csv --ioh ioh --store a.gpvizx"
    data = data_of(capsys, plan, *files.split())
    with Path("c.csv").open(newline="") as file:
        assert [float(row["T_mean"]) for row in csv.DictReader(file)] == [c["T_mean"] for c in data["cells"]]
    with Path("r.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 12
    assert r"\begin{tabular}" in Path("t.tex").read_text()
    assert len(list(Path("ioh").glob("*/*.json"))) == 2


def test_charts_are_written_as_pictures_and_as_tables_of_their_values(
    plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    charts = ("--chart", "figure", "f.svg", "--chart", "figure", "f.csv", "--chart", "histogram", "h.csv")
    data = data_of(capsys, plan, *charts, "--chart-cell", "2", "--store", "a.gpvizx")
    assert "<title>" in Path("f.svg").read_text()
    with Path("f.csv").open(newline="") as file:
        means = [float(row["y"]) for row in csv.DictReader(file) if row["panel"] == "T (iterations)"]
    assert set(means) >= {cell["T_mean"] for cell in data["cells"]}
    with Path("h.csv").open(newline="") as file:
        rules = {row["kind"]: float(row["x"]) for row in csv.DictReader(file) if row["kind"] == "mean"}
    assert rules["mean"] == data["cells"][1]["T_mean"], "of the second cell"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("quick", "--chart", "pie", "a.svg"),
            "--chart: 'pie' is not allowed; it must be one of figure,",
        ),
        (("quick", "--chart", "ecdf", "a.png"), "--chart: a.png must end with .svg or .csv"),
        (
            ("quick", "--chart", "ecdf", "a.svg", "--chart", "boxes", "a.svg"),
            "--chart and --chart: they name the",
        ),
        (("figure2", "--chart", "drift", "a.svg"), "--chart drift: The plan measures on sampled rows"),
        (
            ("quick", "--chart-cell", "9"),
            "--chart-cell: 9 is not allowed; it must be a whole number from 1 to 8",
        ),
        ((), "PLAN is missing"),
        (("tabel1",), "There is no plan 'tabel1'; choose one of quick, table1"),
        (("no.toml",), "no.toml: it cannot be read"),
        (("quick", "--runs", "0"), "--runs: 0 is not allowed"),
        (("quick", "--runs", "99999999"), "runs: 99999999 is not allowed"),
        (("quick", "--jobs", "many"), "--jobs: 'many' is not allowed"),
        (("quick", "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"), "--jobs: it cannot be combined"),
        (("quick", "--cluster", "h:1", "--tls-key", "k.pem"), "--tls-ca: it is missing; TLS needs"),
        (("quick", "--cluster", "h:1", "--tls-ca", "k.pem"), "--tls-ca: k.pem cannot be read"),
        (("quick", "--csv", "a", "--latex", "a"), "--csv and --latex: they name the same file"),
        (("quick", "--store", "./a", "--runs-csv", "a"), "--store and --runs-csv: they name the same file"),
        (("quick", "--csv", "no/where.csv"), "no/where.csv: it cannot be written"),
        (("quick", "--ioh", ".."), "it already exists"),
        (("quick", "--store", "a" * 300), "cannot be used; File name too long"),
        (("quick", "--store", "no/where.gpvizx"), "--store: the folder of no/where.gpvizx does not exist"),
        (("quick", "--store", ".", "--resume"), "not a file"),
    ],
)
def test_what_cannot_be_is_told_before_any_work(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in problem_of(capsys, *arguments)
    assert not stores_folder().exists() or not list(stores_folder().iterdir())


@pytest.mark.parametrize("option", ["--csv", "--runs-csv", "--latex", "--store"])
def test_a_folder_that_has_to_be_empty_in_the_end_is_refused_where_something_else_goes(
    option: str, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out").mkdir()
    words = f"--ioh: out must be empty, but {option} would be written there"
    assert words in problem_of(capsys, plan, option, "out/a", "--ioh", "out")
    assert run(plan, option, "a", "--ioh", "out") == 0


@pytest.mark.parametrize("option", ["--csv", "--runs-csv", "--latex", "--store"])
def test_the_plan_is_never_written_over(option: str, plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(plan).read_text()
    assert f"PLAN and {option}: they name the same file" in problem_of(capsys, plan, option, plan)
    assert Path(plan).read_text() == before


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
    cluster = pytest.importorskip("gpviz.experiments.dask_cluster")
    asked: list[str] = []

    class Cluster(InlineExecutor):
        def __init__(self, address: str, tls: object) -> None:
            super().__init__()
            asked.append(address)
            assert tls is None

    monkeypatch.setattr(cluster, "ClusterExecutor", Cluster)
    assert run(plan, "--cluster", "tcp://127.0.0.1:8786") == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first == "A small one: 4 cells, 12 runs, on the cluster at tcp://127.0.0.1:8786."
    assert asked == ["tcp://127.0.0.1:8786"]


def test_without_numba_it_says_how_runs_become_faster(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(plan) == 0
    assert how_to_get("fast") not in capsys.readouterr().err
    monkeypatch.setattr(compiled_runner, "is_missing", lambda: True)
    assert run(plan) == 0
    assert how_to_get("fast") in capsys.readouterr().err.splitlines()[1]


def test_what_decided_stuck_runs_is_told_where_it_is_asked_for(capsys, tmp_path):
    plan = tmp_path / "stuck.toml"
    plan.write_text(
        'runs = 13\nseed = 54\n[config]\nn = 4\ndeletion = "leaf"\n[grid]\nlimit = ["n+1", "2n"]\n'
    )
    store, runs = str(tmp_path / "stuck.gpvizx"), tmp_path / "runs.csv"
    first, second = data_of(capsys, str(plan), "--store", store, "--decided", "--runs-csv", str(runs))[
        "cells"
    ]
    assert second["decisive_steps"] is None
    assert first["decisive_steps"] == {
        "stuck": 2, "looked_at": 2, "decided": 2, "improving": 2, "median_iteration": 29.5,
        "median_error_before": 5.0, "median_error_after": 2.5, "median_leaves_before": 4.0,
        "median_leaves_after": 4.5,
    }  # fmt: skip
    with runs.open(newline="") as file:
        rows = list(csv.DictReader(file))
    reported = [(row["seed"], row["decided_at"], row["error_before"], row["verdict"]) for row in rows]
    assert [each for each in reported if each[1]] == [
        ("54", "43", "3", "improved"),
        ("66", "16", "7", "improved"),
    ]
    assert run("--store", store, "--resume", "--decided") == 0
    printed = capsys.readouterr().out
    assert "Decisive steps\nlimit n+1: 2 stuck runs with a decisive step, 2 (100 %) with one that" in printed
    assert "decisive_steps" not in data_of(capsys, "--store", store, "--resume")["cells"][0]


def test_an_interrupted_search_for_decisive_steps_tells_what_is_known(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "stuck.toml"
    plan.write_text(
        'runs = 13\nseed = 54\n[config]\nn = 4\ndeletion = "leaf"\n[grid]\nlimit = ["n+1", "n"]\n'
    )
    store = str(tmp_path / "stuck.gpvizx")
    assert run(str(plan), "--store", store) == 0

    def find_or_interrupt(store: Store, cell: int, *arguments: Any) -> CellDecisiveSteps:
        if cell:
            signal.raise_signal(signal.SIGINT)
        return decisive_steps_of(store, cell, *arguments)

    monkeypatch.setattr(experiment, "decisive_steps_of", find_or_interrupt)
    capsys.readouterr()
    arguments = ("--store", store, "--resume", "--decided", "--runs-csv", str(tmp_path / "runs.csv"))
    assert run(*arguments) == 130
    reported = capsys.readouterr()
    assert "\nlimit " in reported.out
    assert "Decisive steps\nlimit n+1: 2 stuck runs" in reported.out
    assert "limit n:" not in reported.out
    assert "Interrupted.\n" in reported.err
    assert not (tmp_path / "runs.csv").exists()
    first, second = data_of(capsys, *arguments, code=130)["cells"]
    assert first["decisive_steps"]["decided"] == 2
    assert second["decisive_steps"] is None
