"""The command line between other programs: what goes where, and what happens when a reader or a writer leaves."""

import errno
import io
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

from gpviz.cli import main, parse_arguments, terminal
from tests.cli.command_line import problem_of
from tests.patience import PATIENCE_SECONDS
from tests.systems import needs_posix

ENDLESS = ("run", "-n", "200", "--limit", "1", "--rows", "10000", "--max-iterations", "10000000")
"""One leaf is never right on so many rows, and in a sampled run nobody proves it; it would take an hour."""


def _started(*arguments: str, stdout: int | IO[bytes] = subprocess.PIPE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "gpviz", *arguments], stdout=stdout, stderr=subprocess.PIPE
    )


def _end(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """The exit code, and what was written on the standard error."""
    try:
        _, problem = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        process.kill()
    return process.returncode, problem.decode()


def _files(tmp_path: Path, *arguments: str) -> dict[str, bytes]:
    """The logs of a run, as files."""
    for ending in ("csv", "jsonl"):
        assert main(["run", *arguments, "--quiet", "--trace", str(tmp_path / f"t.{ending}")]) == 0
    return {ending: (tmp_path / f"t.{ending}").read_bytes() for ending in ("csv", "jsonl")}


class _SmallDisk(io.RawIOBase):
    """A file on a disk with space for some rows."""

    _space = 1000

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._space -= len(data)
        if self._space < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return len(data)


class TestTraceOnStandardOutput:
    def test_it_is_the_table_that_a_file_would_get_and_the_summary_is_elsewhere(
        self, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        files = _files(tmp_path, "--n", "6")
        assert main(["run", "--n", "6", "--trace", "-"]) == 0
        out, err = capfdbinary.readouterr()
        assert out == files["csv"]
        assert "Solved after" in err.decode()

    def test_it_may_be_json_lines(self, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        files = _files(tmp_path, "--n", "6", "--formulas")
        assert main(["run", "--n", "6", "--formulas", "--trace", "-", "--trace-format", "jsonl"]) == 0
        head, *rows = map(json.loads, capfdbinary.readouterr().out.splitlines())
        expected, *expected_rows = map(json.loads, files["jsonl"].splitlines())
        assert rows == expected_rows
        assert head == {**expected, "last": None}

    def test_its_bytes_are_the_same_on_every_system(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        files = _files(tmp_path, "--n", "6")
        as_windows, stored = io.BytesIO(), io.BytesIO()
        text = io.TextIOWrapper(as_windows, encoding="utf-16", newline="\r\n")
        monkeypatch.setattr(sys, "stdout", text)
        assert main(["run", "--n", "6", "--trace", "-", "--quiet"]) == 0
        stored.write(as_windows.getvalue())
        assert stored.getvalue() == files["csv"]

    @needs_posix
    def test_rows_come_while_the_run_goes_on(self) -> None:
        process = _started(*ENDLESS, "--trace", "-")
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(3)]
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        rows = [*first, *process.stdout.readlines()]
        process.stdout.close()
        code, problem = _end(process)
        assert code == 130
        assert "neither solved nor proven stuck" in problem
        assert rows[-1].endswith(b"\n")
        assert {row.count(b",") for row in rows} == {rows[0].count(b",")}
        assert [row.partition(b",")[0] for row in first] == [b"iteration", b"1", b"2"]

    def test_a_reader_who_leaves_ends_the_run_and_that_is_no_error(self) -> None:
        process = _started(*ENDLESS, "--trace", "-")
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert _end(process) == (0, "")

    def test_a_run_that_is_saved_goes_on_without_its_reader(self, tmp_path: Path) -> None:
        saved = tmp_path / "a.gpviz"
        process = _started("run", "-n", "60", "--trace", "-", "--save", str(saved), "--quiet")
        assert process.stdout is not None
        process.stdout.close()
        assert _end(process) == (0, "")
        assert main(["run", "-n", "60", "--save", str(tmp_path / "b.gpviz"), "--quiet"]) == 0
        assert saved.read_bytes() == (tmp_path / "b.gpviz").read_bytes()

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
    def test_a_full_disk_is_a_sentence(self) -> None:
        with Path("/dev/full").open("wb") as full:
            code, problem = _end(_started("run", "-n", "4", "--trace", "-", stdout=full))
        assert code == 2
        assert problem == "gpviz: the output cannot be written: the disk is full.\n"

    def test_a_disk_that_fills_up_leaves_the_run_so_far_saved(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        saved = tmp_path / "a.gpviz"
        output = io.TextIOWrapper(io.BufferedWriter(_SmallDisk()))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", output)
            assert main(["run", "-n", "8", "--trace", "-", "--save", str(saved)]) == 2
        with suppress(OSError):  # what did not fit would be tried once more, whenever it is collected
            output.close()
        assert capsys.readouterr().err == "gpviz: the output cannot be written: the disk is full.\n"
        assert main(["replay", str(saved), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["iterations"] > 1

    @pytest.mark.parametrize("is_closed", [True, False])
    def test_without_a_standard_output_there_is_a_sentence(
        self, is_closed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        closed = io.StringIO()
        closed.close()
        monkeypatch.setattr(sys, "stdout", closed if is_closed else None)
        assert main(["run", "-n", "4", "--trace", "-"]) == 2
        assert capsys.readouterr().err == "gpviz: --trace: there is no standard output here; name a file.\n"
        monkeypatch.setattr(sys, "stdout", closed if is_closed else None)
        assert main(["run", "-n", "4"]) == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--trace-format", "csv"],
            "gpviz: --trace-format: it needs a log; say with --trace where to write it.\n",
        ),
        (
            ["--trace", "a.csv", "--trace-format", "xml"],
            "gpviz: --trace-format: 'xml' is not allowed; it must be csv or jsonl.\n",
        ),
        (
            ["--trace", "a.csv", "--trace-format", "jsonl"],
            "gpviz: --trace-format: jsonl contradicts the name a.csv; change one of them.\n",
        ),
        (
            ["--trace", "a.log"],
            "gpviz: a.log: the name of a log ends in .csv (a table) or .jsonl (JSON lines), unless"
            " --trace-format says which it is.\n",
        ),
    ],
)
def test_a_format_that_cannot_be_meant_is_a_sentence(
    options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "-n", "4", *options]) == 2
    assert capsys.readouterr().err == sentence


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_the_format_of_a_file_with_another_name_can_be_given(ending: str, tmp_path: Path) -> None:
    files = _files(tmp_path, "--n", "4")
    assert main(["run", "-n", "4", "--trace", str(tmp_path / "a.log"), "--trace-format", ending]) == 0
    assert (tmp_path / "a.log").read_bytes() == files[ending]


def test_a_file_with_the_name_of_the_standard_output_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-n", "4", "--trace", "./-", "--trace-format", "csv", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert Path("-").read_text(encoding="utf-8").startswith("iteration,")


@pytest.mark.parametrize(
    "command",
    [
        ["check", "x1 & x2", "--n", "2"],
        ["run", "-n", "4", "--json"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_pipe_that_closes_early_is_no_error(command: list[str]) -> None:
    process = _started(*command)
    assert process.stdout is not None
    process.stdout.close()
    assert _end(process) == (0, "")


def test_windows_calls_a_closed_pipe_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    invalid = OSError(22, "Invalid argument")
    assert not terminal.is_closed_pipe(invalid)
    monkeypatch.setattr(sys, "platform", "win32")
    assert terminal.is_closed_pipe(invalid)
    assert not terminal.is_closed_pipe(OSError(28, "No space left on device"))
    assert not terminal.is_closed_pipe(OSError(22, "Invalid argument", "a?.csv"))


@pytest.mark.parametrize("words", [["-n", "4"], ["-n4"], ["--n", "4"]], ids=" ".join)
@pytest.mark.parametrize("command", [["run"], ["check", "x1"], ["exact"], ["outlook", "x1"]], ids=" ".join)
def test_n_may_be_given_in_short(command: list[str], words: list[str]) -> None:
    assert parse_arguments([*command, *words]).n == "4"


class TestQuiet:
    def test_a_run_says_nothing_and_its_files_are_written(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        saved = str(tmp_path / "a.gpviz")
        assert main(["run", "-n", "4", "--save", saved, "--quiet"]) == 0
        assert main(["replay", saved, "--quiet"]) == 0
        assert main(["export", saved, "--to", str(tmp_path / "a.csv"), "--quiet"]) == 0
        assert main(["outlook", saved, "--csv", str(tmp_path / "outlook.csv"), "--quiet"]) == 0
        assert tuple(capsys.readouterr()) == ("", "")
        assert {path.name for path in tmp_path.iterdir()} == {"a.gpviz", "a.csv", "outlook.csv"}

    def test_errors_are_still_printed(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "a.gpviz").write_text("no run", encoding="utf-8")
        problem_of(capsys, "replay", str(tmp_path / "a.gpviz"), "--quiet")

    def test_json_is_printed_all_the_same(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        saved = str(tmp_path / "a.gpviz")
        assert main(["run", "-n", "4", "--save", saved, "--quiet", "--json"]) == 0
        ran = json.loads(capsys.readouterr().out)
        assert main(["replay", saved, "--quiet", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["formula"] == ran["formula"]

    @pytest.mark.usefixtures("experiments_here")
    def test_an_experiment_says_nothing_and_is_kept(
        self, plan: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["experiment", plan, "--store", "a.gpvizx", "--csv", "a.csv", "--quiet"]) == 0
        assert tuple(capsys.readouterr()) == ("", "")
        assert Path("a.csv").exists()
        assert main(["experiment", "--store", "a.gpvizx", "--resume", "--json", "--quiet"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert len(json.loads(out)["cells"]) == 4
