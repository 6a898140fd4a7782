"""`gpviz replay`."""

import json
import signal
from pathlib import Path

import pytest

from gpviz.cli import main
from gpviz.cli.progress import Job
from gpviz.runs.run_file import Bookmark, RunFile, describe_branches, load, save
from tests.cli.command_line import problem_of
from tests.runs.branching import branched_run


@pytest.fixture
def run_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "a.gpviz"
    assert main(["run", "--n", "6", "--seed", "5", "--save", str(path)]) == 0
    capsys.readouterr()
    return path


def test_a_saved_run_is_verified_and_summed_up(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(run_file)]) == 0
    text = capsys.readouterr().out
    assert "verified" in text
    assert "Solved after" in text


def test_replaying_gives_the_result_of_running(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(run_file), "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert main(["run", "--n", "6", "--seed", "5", "--json"]) == 0
    run = json.loads(capsys.readouterr().out)
    assert {key: replayed[key] for key in run} == run


def test_an_iteration_is_shown_as_a_picture(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = load(run_file).iterations
    assert main(["replay", str(run_file), "--at", str(last)]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Iteration {last} of {last}\n\n0 wrong rows of 64 · ")
    assert "\n\nSolved. The tree computes the target. Accepted: " in text
    assert text.endswith(", 1 → 0 wrong rows. It is right on all 64 rows.\n")
    assert main(["replay", str(run_file), "--at", "0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["iteration"], shown["picture"]["nodes"]) == (0, [])
    assert shown["picture"]["banner"]["text"] == "the empty tree; the target is x₁ ∧ … ∧ x₆"


def test_what_has_no_iteration_of_that_number_is_refused(
    run_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = load(run_file).iterations
    problem = problem_of(capsys, "replay", str(run_file), "--at", str(last + 1))
    assert f"--at: {last + 1} is not allowed; it must be a whole number from 0 to {last}" in problem
    assert "--branch: it needs --at" in problem_of(capsys, "replay", str(run_file), "--branch", "0")


def test_an_iteration_of_a_branch_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path / "b.gpviz", describe_branches(*branched_run()))
    assert main(["replay", str(tmp_path / "b.gpviz"), "--at", "90", "--branch", "Branch at 60"]) == 0
    assert capsys.readouterr().out.startswith("Iteration 90 of 90\n\n")


def test_bookmarks_are_listed(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = load(run_file)
    marks = (Bookmark(3, "here it begins"),)
    save(run_file, RunFile(saved.config, saved.start, saved.iterations, marks, saved.fingerprint))
    assert main(["replay", str(run_file)]) == 0
    assert "here it begins" in capsys.readouterr().out


def test_all_branches_are_verified_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    branches, histories = branched_run()
    save(tmp_path / "b.gpviz", describe_branches(branches, histories))
    assert main(["replay", str(tmp_path / "b.gpviz")]) == 0
    text = capsys.readouterr().out
    assert "verified, the run and its 3 branches replay exactly." in text
    assert "Branch at 60  forks after 60, 90 iterations, error " in text
    assert main(["replay", str(tmp_path / "b.gpviz"), "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)["branches"]
    assert [(each["at"], each["by_hand"], each["iterations"]) for each in reported] == [
        (40, 2, 100),
        (60, 0, 90),
        (0, 0, 80),
    ]


def test_a_changed_branch_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.gpviz"
    save(path, describe_branches(*branched_run()))
    path.write_text(path.read_text(encoding="utf-8").replace('"seed": 77', '"seed": 78'), encoding="utf-8")
    assert "The branch 'Branch at 60' does not replay" in problem_of(capsys, "replay", str(path))


def test_a_changed_file_is_refused(run_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = run_file.read_text(encoding="utf-8").replace('"seed": 5', '"seed": 6')
    run_file.write_text(text, encoding="utf-8")
    assert "does not replay" in problem_of(capsys, "replay", str(run_file))
    assert run_file.read_text(encoding="utf-8") == text


def test_ctrl_c_ends_a_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.gpviz"
    endless = ["run", "--n", "8", "--limit", "1", "--rows", "20", "--max-iterations", "9000"]
    assert main([*endless, "--save", str(path)]) == 0
    monkeypatch.setattr(Job, "count_iterations", lambda *_: signal.raise_signal(signal.SIGINT))
    assert main(["replay", str(path)]) == 130
