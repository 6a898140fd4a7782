"""`gpviz run`."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gpviz.cli import main
from gpviz.cli.progress import Job
from gpviz.engine import RlsGp, RunConfig, Step, TooComplexError, parse, true_row_count
from gpviz.runs.history import History
from gpviz.runs.run_file import load
from gpviz.runs.step_columns import LOG_COLUMNS
from tests.cli.command_line import ascii_output, problem_of
from tests.patience import PATIENCE_SECONDS

KEYS = {
    "outcome",
    "iterations",
    "error",
    "generalisation_error",
    "leaves",
    "ors",
    "accepted",
    "improved",
    "formula",
    "simplified",
    "stuck_since",
    "config",
}


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["run", *arguments, "--json"]) == 0
    data: dict[str, object] = json.loads(capsys.readouterr().out)
    return data


def test_the_json_object_tells_what_the_engine_found(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "--n", "8", "--limit", "n+1", "--deletion", "leaf", "--seed", "254")
    result = RlsGp(RunConfig(n=8, limit="n+1", deletion="leaf", seed=254)).run(stop_when_stuck=True)
    assert set(data) >= KEYS
    assert data["outcome"] == result.outcome
    assert (data["iterations"], data["error"]) == (result.iterations, result.error)
    assert (data["leaves"], data["ors"]) == (result.leaves, result.ors)
    assert (data["accepted"], data["improved"]) == (result.accepted, result.improved)
    assert parse(str(data["formula"])) == result.tree


def test_the_whole_configuration_is_in_the_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(
        capsys, "--n", "3", "--functions", "and", "--empty-tree", "insert-only", "--start", "x1 & x2"
    )
    config = data["config"]
    assert isinstance(config, dict)
    assert config.pop("start") == "x1 & x2"
    assert RunConfig.from_dict(config) == RunConfig(n=3, functions="and", empty_tree="insert-only")


def test_a_sampled_run_tells_both_errors(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(
        capsys, "--n", "50", "--limit", "inf", "--rows", "1000", "--sampler", "counts", "--accept-error", "8"
    )
    assert data["outcome"] == "solved"
    assert isinstance(data["error"], int)
    assert data["error"] <= 8
    assert isinstance(data["generalisation_error"], float)
    assert 0 < data["generalisation_error"] < 0.2


def test_the_summary_draws_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--preset", "first-run"]) == 0
    text = capsys.readouterr().out
    assert "Solved after" in text
    assert "├─ " in text
    assert "x₆" in text


def test_options_override_the_preset(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "--preset", "first-run", "--n", "3", "--seed", "7")
    config = data["config"]
    assert isinstance(config, dict)
    assert (config["n"], config["seed"], config["limit"]) == (3, 7, "2n")


def test_a_preset_brings_its_start_tree(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "--preset", "figure-1-first-tree")
    assert (data["outcome"], data["iterations"], data["stuck_since"]) == ("stuck", 0, 0)


def test_the_trace_has_a_row_for_every_iteration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "--n", "6", "--seed", "3", "--trace", str(tmp_path / "t.csv"))
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == LOG_COLUMNS
    assert [int(row["iteration"]) for row in rows] == list(range(1, int(str(data["iterations"])) + 1))
    assert (rows[-1]["error"], int(rows[-1]["leaves"])) == (str(data["error"]), data["leaves"])
    assert int(rows[-1]["ors"]) == data["ors"]
    accepted = [row for row in rows if row["verdict"] in ("improved", "neutral", "unchanged")]
    assert len(accepted) == data["accepted"]


def test_a_terminal_without_unicode_gets_plain_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    with ascii_output(monkeypatch) as printed:
        assert main(["run", "--n", "3"]) == 0
        assert "\n&\n|- &\n|  |- x1\n|  `- x3\n" in printed()
        assert "?" not in printed()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["run"], ["n", "missing"]),
        (["run", "--n", "0"], ["n: 0", "from 1"]),
        (["run", "--n", "many"], ["n: 'many'", "whole number"]),
        (["run", "--n", "8", "--limit", "0"], ["limit: '0'", "from 1"]),
        (["run", "--n", "8", "--limit", "lots"], ["limit: 'lots'", "inf"]),
        (["run", "--n", "8", "--limit", "2", "--start", "x1 & x2 & x3"], ["limit: '2'", "at least 3"]),
        (["run", "--n", "8", "--rows", "0"], ["rows: 0", "from 1"]),
        (["run", "--n", "8", "--sampler", "counts"], ["--sampler", "--rows"]),
        (["run", "--n", "8", "--rows", "9", "--sampler", "x"], ["sampler: 'x'", "'rows' or 'counts'"]),
        (["run", "--n", "8", "--seed", "-1"], ["seed: -1", "from 0"]),
        (["run", "--n", "8", "--max-iterations", "0"], ["--max-iterations: 0", "from 1"]),
        (["run", "--n", "2", "--start", "x1 & x3"], ["column 6", "'x3'", "x1 to x2"]),
        (["run", "--n", "2", "--start", "(x1"], ["column 1", "never closed"]),
        (["run", "--n", "2", "--start", "@missing.txt"], ["missing.txt", "cannot be read"]),
        (["run", "--preset", "nonsense"], ["'nonsense'", "first-run"]),
        (["run", "--n", "8", "--save", "no/such/folder/a.gpviz"], ["no/such/folder/a.gpviz", "written"]),
        (["run", "--n", "8", "--trace", "no/such/folder/a.csv"], ["no/such/folder/a.csv", "written"]),
        (["run", "--n", "8", "--trace", "a.txt"], ["a.txt", ".csv", ".jsonl"]),
        (
            ["run", "--n", "8", "--save", "a.csv", "--trace", "./a.csv"],
            ["--save and --trace", "same file"],
        ),
        (["run", "--nonsense"], ["--nonsense", "--help"]),
        (["nonsense"], ["nonsense", "run, check, exact, outlook, replay, export, experiment and reproduce."]),
        (["check"], ["FORMULA", "--help"]),
        (["check", "x1 &"], ["column 5"]),
        (["check", "x1 & x2 & x3", "--n", "3", "--limit", "2"], ["limit: '2'", "at least 3"]),
        (["replay", "missing.gpviz"], ["missing.gpviz", "cannot be read"]),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_two(
    arguments: list[str],
    parts: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    err = problem_of(capsys, *arguments)
    for part in parts:
        assert part in err
    assert not list(tmp_path.iterdir())


def test_what_was_run_before_a_formula_got_too_complex_is_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    step_made = History.append

    def append(history: History, step: Step) -> None:
        step_made(history, step)
        if step.iteration == 40:
            raise TooComplexError("formula: too complex.")

    monkeypatch.setattr(History, "append", append)
    saved = tmp_path / "a.gpviz"
    assert main(["run", "--n", "30", "--save", str(saved)]) == 2
    assert "iteration 41: formula: too complex." in capsys.readouterr().err
    assert load(saved).iterations == 40


@pytest.mark.parametrize(
    ("content", "part"), [(b"x1 \xff", "UTF-8"), (b"", "formula"), (b"x1 & " * 200_001 + b"x1", "1000000")]
)
def test_a_standard_input_that_is_no_formula_is_a_sentence(
    content: bytes, part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert part in problem_of(capsys, "check", "-")


def test_ctrl_c_saves_what_was_asked_to_be_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, trace = tmp_path / "a.gpviz", tmp_path / "a.csv"
    arguments = ["run", "--n", "100", "--save", str(saved), "--trace", str(trace), "--json"]
    before = signal.getsignal(signal.SIGINT)
    once = [signal.SIGINT]

    def interrupt(*_: object) -> None:
        if once:
            signal.raise_signal(once.pop())

    with monkeypatch.context() as patch:
        patch.setattr(Job, "count_iterations", interrupt)
        assert main(arguments) == 130
    assert signal.getsignal(signal.SIGINT) is before
    data = json.loads(capsys.readouterr().out)
    assert (data["outcome"], data["iterations"]) == ("stopped", 256)
    assert main(["replay", str(saved), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["iterations"] == 256
    assert trace.read_text(encoding="utf-8").count("\n") == 257


def test_a_terminal_shows_progress_and_ctrl_c_ends_the_process_politely(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="only Unix has pseudo-terminals")
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gpviz", "run", "--n", "1000", "--save", str(tmp_path / "a.gpviz"), "--json"],
        stdout=subprocess.PIPE,
        stderr=end,
    )
    os.close(end)
    shown = b""
    while b"iterations a second" not in shown:
        shown += os.read(terminal, 1024)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE_SECONDS)
    os.close(terminal)
    assert process.returncode == 130
    assert b"error" in shown
    assert json.loads(out)["outcome"] == "stopped"
    assert (tmp_path / "a.gpviz").exists()


def test_the_end_of_a_run_is_told_also_where_its_tree_is_too_complex_to_count(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(true_row_count, "MAX_CASES", 1_000)
    tangled = " & ".join(f"(x{place} | x{place % 40 + 1} | x{place * 7 % 40 + 1})" for place in range(1, 41))
    settings = "--n 40 --limit inf --rows 2 --max-iterations 1"
    arguments = ["run", *settings.split(), "--start", tangled]
    assert main(arguments) == 0
    assert "not counted, as the tree is too complex" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["iterations"] == 1
    assert data["generalisation_error"] is None


def test_rows_and_the_accepted_error_may_follow_n(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "--n", "64", "--limit", "inf", "--rows", "n lg^2 n", "--accept-error", "2 lg n")
    config = data["config"]
    assert isinstance(config, dict)
    assert (config["rows"], config["accept_error"]) == (2304, 12)
    assert data["outcome"] == "solved"


SCRIPT = "insert x1; insert or x1 at 1 right; insert and x2 at 2 right"


def test_a_script_is_carried_out_first_and_saved_with_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script.txt").write_text(SCRIPT.replace("; ", "\n"), "utf-8")
    options = ["--n", "4", "--max-iterations", "3"]
    texts = [SCRIPT, str(tmp_path / "script.txt"), f"@{tmp_path / 'script.txt'}"]
    made = [data_of(capsys, *options, "--script", text) for text in texts]
    assert made[0] == made[1] == made[2]
    assert made[0]["formula"] == "(x1 & x2) | x1"
    config = made[0]["config"]
    assert isinstance(config, dict)
    assert config["script"] == SCRIPT.split("; ")
    data_of(capsys, *options, "--script", SCRIPT, "--save", str(tmp_path / "a.gpviz"))
    assert main(["replay", str(tmp_path / "a.gpviz")]) == 0
    assert len(load(tmp_path / "a.gpviz").script) == 3


def test_a_file_may_begin_with_the_mark_of_editors_of_windows_and_have_its_ends_of_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, start = tmp_path / "script.txt", tmp_path / "start.txt"
    script.write_bytes(b"\xef\xbb\xbf" + SCRIPT.replace("; ", "\r\n").encode() + b"\r\n")
    assert data_of(capsys, "--n", "4", "--max-iterations", "3", "--script", str(script)) == data_of(
        capsys, "--n", "4", "--max-iterations", "3", "--script", SCRIPT
    )
    start.write_bytes(b"\xef\xbb\xbfx1 & x2\r\n")
    assert data_of(capsys, "--n", "2", "--start", f"@{start}")["formula"] == "x1 & x2"
    finished = subprocess.run(
        [sys.executable, "-m", "gpviz", "run", "--n", "2", "--start", "-", "--json"],
        input=start.read_bytes(), capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(finished.stdout)["formula"] == "x1 & x2"


def test_a_preset_brings_its_script(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "--preset", "theorem-1-played", "--seed", "77")
    assert (data["outcome"], data["iterations"], data["stuck_since"]) == ("stuck", 8, 8)
    data = data_of(capsys, "--preset", "theorem-1-played", "--script", "", "--max-iterations", "5")
    config = data["config"]
    assert isinstance(config, dict)
    assert "script" not in config


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("insert x9", "gpviz: script, entry 1, 'insert and x9 at 1': variable: 'x9' is not allowed"),
        (
            "nowhere.txt",
            "gpviz: script, entry 1: 'nowhere.txt' is not allowed; it must be a mutation that begins",
        ),
        ("@nowhere.txt", "gpviz: nowhere.txt: the script cannot be read; there is no such file or folder."),
        (
            "insert x1; delete 4",
            "gpviz: script, entry 2, 'delete 4': node: 4 is not allowed; it must be from",
        ),
        ("insert " + "x" * 300, "gpviz: script, entry 1: "),
    ],
)
def test_a_wrong_script_is_one_sentence(capsys: pytest.CaptureFixture[str], text: str, sentence: str) -> None:
    assert problem_of(capsys, "run", "--n", "4", "--script", text).startswith(sentence)
