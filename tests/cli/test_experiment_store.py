"""`gpviz experiment`: what it keeps, how it goes on with that, and how it is interrupted."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpviz.cli import experiment
from gpviz.engine import GpvizError
from gpviz.escaping import command_text
from gpviz.experiments.plan import find_plan
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import recent_stores, stores_folder
from tests.cli.experiment_command import Failing, Interrupting, data_of, problem_of, run, with_executor
from tests.experiments.inline_executor import InlineExecutor

pytestmark = pytest.mark.usefixtures("experiments_here")


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
    assert "--resume continues it" in problem_of(capsys, plan, "--store", "a.gpvizx")
    Path("note.txt").write_text("dear diary")
    assert "was not changed" in problem_of(capsys, plan, "--store", "note.txt")
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


def test_another_plan_or_fewer_runs_are_refused(plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(plan, "--store", "a.gpvizx") == 0
    resume = ("--store", "a.gpvizx", "--resume")
    assert "seed is 5 there and 6 in the plan" in problem_of(capsys, plan, *resume, "--seed", "6")
    assert "n in cell 1 is 2 there and 4 in the plan" in problem_of(capsys, "table2", *resume)
    assert "the number can grow, not shrink" in problem_of(capsys, plan, *resume, "--runs", "2")
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
    reported = captured.err.splitlines()
    assert reported[-1] == (
        f"To continue: {command_text(['gpviz', 'experiment', plan, '--store', 'a b.gpvizx', '--resume'])}"
    )
    assert reported[-3:-1] == ["Interrupted.", "Kept in a b.gpvizx."]
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
    monkeypatch.setattr(Failing, "most", 2)
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
    monkeypatch.setattr(experiment, "_existing", lambda options, plan: None)
    path = tmp_path / "a.gpvizx"
    with Store.create(path, find_plan(plan)) as store:
        assert "another program is writing" in problem_of(capsys, plan, "--store", "a.gpvizx")
        assert path.exists()
        assert store.missing(0) == [range(3)]
    assert "this file already exists" in problem_of(capsys, plan, "--store", "a.gpvizx")
    assert path.exists()


def test_an_experiment_in_which_nothing_was_done_is_not_kept(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Failing, "most", 0)
    with_executor(monkeypatch, Failing)
    assert run(plan) == 2
    reported = capsys.readouterr().err.splitlines()
    assert reported[-2:] == ["No run was finished, so nothing is kept.", "gpviz: The workers fail."]
    assert list(stores_folder().iterdir()) == []


def test_where_nothing_can_be_kept_the_option_is_named_that_helps(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("a file, not a folder")
    assert "name another file with --store FILE" in problem_of(capsys, plan)
    assert run(plan, "--store", "a.gpvizx") == 0


def test_a_second_interrupt_ends_it_at_once_and_what_is_done_is_kept(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Twice(Interrupting):
        def cancel(self) -> None:
            signal.raise_signal(signal.SIGINT)

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

    monkeypatch.setattr(experiment, "write_file", fail)
    assert run(plan, "--store", "a.gpvizx", "--csv", "a.csv") == 2
    assert capsys.readouterr().err.endswith("Kept in a.gpvizx.\ngpviz: The disk is full.\n")


def test_a_file_knows_its_own_plan(
    plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = data_of(capsys, plan)
    monkeypatch.setattr(Failing, "most", 1)
    with_executor(monkeypatch, Failing)
    assert run(plan, "--store", "a.gpvizx") == 2
    with_executor(monkeypatch, Interrupting)
    assert run("--store", "a.gpvizx", "--resume", "--jobs", "1") == 130
    assert capsys.readouterr().err.splitlines()[-1] == (
        "To continue: gpviz experiment --store a.gpvizx --resume --jobs 1"
    )
    with_executor(monkeypatch, InlineExecutor)
    assert data_of(capsys, "--store", "a.gpvizx", "--resume")["cells"] == whole["cells"]
    more = data_of(capsys, "--store", "a.gpvizx", "--resume", "--runs", "5")
    assert [cell["runs"] for cell in more["cells"]] == [5] * 4


def interrupting(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with an interruption just before it."""

    def interrupted(*arguments: Any, **options: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return function(*arguments, **options)

    return interrupted


@pytest.mark.parametrize(
    ("name", "reported", "is_printed"),
    [
        ("resume_store", ["gpviz: interrupted; nothing was changed."], False),
        ("spreads_of", ["Interrupted.", "Kept in a.gpvizx."], False),
        ("write_runs_csv", ["Interrupted.", "Kept in a.gpvizx."], True),
    ],
)
def test_reading_and_writing_what_there_is_can_be_interrupted(
    name: str,
    reported: list[str],
    is_printed: bool,
    plan: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run(plan, "--store", "a.gpvizx") == 0
    before = Path("a.gpvizx").read_bytes()
    capsys.readouterr()
    monkeypatch.setattr(experiment, name, interrupting(getattr(experiment, name)))
    assert run(plan, "--store", "a.gpvizx", "--resume", "--runs-csv", "runs.csv") == 130
    captured = capsys.readouterr()
    assert ("A small one" in captured.out) == is_printed
    assert captured.err.splitlines() == reported
    assert Path("a.gpvizx").read_bytes() == before
    assert not Path("runs.csv").exists()
