"""`gpviz run`, interrupted in the middle of what takes long: it ends there, and leaves whole files or none."""

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from gpviz.runs.run_file import load
from tests.cli.waiting_command import ENDED, WAITING
from tests.patience import PATIENCE_SECONDS
from tests.systems import needs_posix

pytestmark = needs_posix
ROOT = Path(__file__).parents[2]
INTERRUPTED, TERMINATED = (signal.SIGINT, 130), (signal.SIGTERM, 143)
"""Each with its exit code. All of them take one way through the program, so that not every moment needs both."""


def _tangled(n: int) -> str:
    """A formula with too many prime implicants to list them."""
    return " & ".join(f"(x{place} | x{place % n + 1} | x{place * 7 % n + 1})" for place in range(1, n + 1))


class _Moment(NamedTuple):
    """The call of a function at which the signal comes, and what is under way then and is not to be finished."""

    function: str
    calls: int
    work: str


STEPS = [
    # 2^24 rows are more than a sample may have; this is the most.
    (
        _Moment("gpviz.engine.sampled_error.columns", 5, "gpviz.engine.sampled_error.RowSampler.errors"),
        ["--n", "24", "--limit", "inf", "--rows", "10000000"],
        *INTERRUPTED,
    ),
    (
        _Moment("gpviz.engine.target.Conjunction.error", 2, "gpviz.engine.target.Conjunction.error"),
        ["--n", "40", "--limit", "inf", "--rows", "100", "--start", _tangled(40)],
        *TERMINATED,
    ),
]


def _interrupted(
    moment: _Moment, number: signal.Signals, folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Do the command in this folder, and send it the signal at that moment."""
    command = [sys.executable, "-m", "tests.cli.waiting_command", *map(str, moment), "run", *arguments]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        cwd=folder,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == WAITING
    process.send_signal(number)
    reported, problem = process.communicate(timeout=PATIENCE_SECONDS)
    return subprocess.CompletedProcess(command, process.returncode, reported, problem)


@pytest.mark.parametrize(("moment", "arguments", "number", "code"), STEPS, ids=["many rows", "tangled tree"])
def test_a_step_is_not_finished_and_what_was_done_before_is_saved(
    moment: _Moment, arguments: list[str], number: signal.Signals, code: int, tmp_path: Path
) -> None:
    ended = _interrupted(moment, number, tmp_path, *arguments, "--save", "a.gpviz", "--trace", "a.csv")
    assert ended.stderr == ""
    assert ended.returncode == code
    assert ENDED not in ended.stdout
    assert "neither solved nor proven stuck" in ended.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"a.gpviz", "a.csv"}
    text = (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert text.endswith("\n")
    header, *rows = csv.reader(text.splitlines())
    assert all(len(row) == len(header) for row in rows)
    assert len(rows) == load(tmp_path / "a.gpviz").iterations


def test_the_start_need_not_be_evaluated(tmp_path: Path) -> None:
    counting = "gpviz.engine.target.Conjunction.error"
    moment = _Moment(counting, 1, counting)
    arguments = ("--n", "40", "--limit", "inf", "--start", _tangled(40), "--save", "a.gpviz")
    ended = _interrupted(moment, signal.SIGINT, tmp_path, *arguments)
    assert (ended.stdout, ended.stderr) == ("", "gpviz: interrupted before the first iteration.\n")
    assert ended.returncode == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("function", "options", "ending", "number", "code"),
    [
        ("gpviz.export.run_tables.format_formula", ["--formulas"], "csv", *INTERRUPTED),
        ("gpviz.runs.step_columns.Snapshot.errors", [], "jsonl", *TERMINATED),
    ],
    ids=["formulas", "rows"],
)
def test_a_log_that_is_being_written_is_given_up(
    function: str,
    options: list[str],
    ending: str,
    number: signal.Signals,
    code: int,
    tmp_path: Path,
) -> None:
    """What was there before stays; a run file that is complete stays as well."""
    log = tmp_path / f"a.{ending}"
    log.write_text("before\n", encoding="utf-8")
    moment = _Moment(function, 3, "gpviz.cli.run.write_log")
    arguments = ["--n", "50", "--max-iterations", "100", "--trace", log.name, *options]
    ended = _interrupted(moment, number, tmp_path, *arguments, "--save", "a.gpviz")
    assert ended.stdout == ""
    assert ended.stderr == f"gpviz: interrupted; {log.name} was not written.\n"
    assert ended.returncode == code
    assert log.read_text(encoding="utf-8") == "before\n"
    assert load(tmp_path / "a.gpviz").iterations == 100
    assert {path.name for path in tmp_path.iterdir()} == {"a.gpviz", log.name}
