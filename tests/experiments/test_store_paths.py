"""Where experiments are kept, and how one is taken up again."""

import os
import secrets
import sys
import time
from pathlib import Path

import pytest

from gpviz.engine import GpvizError
from gpviz.experiments import store_paths
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.plan_runner import run_plan
from gpviz.experiments.store import Store
from tests.experiments.inline_executor import InlineExecutor


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def plan_with(**changes) -> Plan:
    data = {"runs": 2, "config": {"limit": "2n"}, "grid": {"n": [2, 3]}, **changes}
    return plan_of("small", data)


def keep(path: Path, plan: Plan, *, is_run: bool = False) -> Path:
    """An experiment in a file, with all of its runs or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Store.create(path, plan) as store:
        if is_run:
            assert run_plan(store, InlineExecutor(), lambda progress: False)
    return path


def test_experiments_lie_among_the_data_of_the_person(data_folder: Path) -> None:
    assert store_paths.stores_folder() == data_folder / "gpviz" / "experiments"


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", ".local/share/gpviz/experiments"),
        ("darwin", "Library/Application Support/gpviz/experiments"),
        ("win32", "local/gpviz/experiments"),
    ],
)
def test_without_the_variable_it_is_the_platforms_own_folder(
    platform: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.delenv("XDG_DATA_HOME")
    assert store_paths.stores_folder() == tmp_path / expected
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert store_paths.stores_folder() == tmp_path / expected


def test_a_person_without_a_home_is_reported_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(GpvizError, match="XDG_DATA_HOME"):
        store_paths.stores_folder()


def test_a_new_path_is_never_an_existing_one(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["aa", "aa", "bb"])
    monkeypatch.setattr(secrets, "token_hex", lambda size: next(drawn))
    monkeypatch.setattr(time, "strftime", lambda form: "now")
    first = store_paths.new_store_path(plan_with())
    assert first.name == "small-now-aa.gpvizx"
    first.touch()
    assert store_paths.new_store_path(plan_with()).name == "small-now-bb.gpvizx"


def test_a_folder_that_cannot_be_made_or_written_is_a_sentence(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_folder.write_text("a file, not a folder")
    with pytest.raises(GpvizError, match=r"experiments: it cannot be created; .*\.$"):
        store_paths.new_store_path(plan_with())
    data_folder.unlink()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(GpvizError, match="nothing can be written there"):
        store_paths.new_store_path(plan_with())


def test_the_one_written_last_comes_first_also_if_that_is_in_its_log_only() -> None:
    folder = store_paths.stores_folder()
    assert store_paths.recent_stores() == []
    old, new, logged = (keep(folder / f"{name}.gpvizx", plan_with()) for name in ("old", "new", "logged"))
    for path, seconds in ((old, 100), (new, 200), (logged, 50)):
        os.utime(path, (seconds, seconds))
    assert store_paths.recent_stores() == [new, old, logged]
    log = logged.with_name(f"{logged.name}-wal")
    log.touch()
    os.utime(log, (300, 300))
    assert store_paths.recent_stores() == [logged, new, old]


def test_the_newest_experiment_with_runs_left_is_gone_on_with() -> None:
    folder = store_paths.stores_folder()
    assert store_paths.unfinished_store(plan_with()) is None
    older, wanted = (keep(folder / f"{name}.gpvizx", plan_with()) for name in ("older", "wanted"))
    complete = keep(folder / "complete.gpvizx", plan_with(), is_run=True)
    other = keep(folder / "other.gpvizx", plan_with(seed=7))
    larger = keep(folder / "larger.gpvizx", plan_with(runs=9))
    foreign = folder / "foreign.gpvizx"
    foreign.write_text("nothing of ours")
    for seconds, path in enumerate((older, wanted, complete, other, larger, foreign), 1):
        os.utime(path, (seconds, seconds))
    assert store_paths.unfinished_store(plan_with()) == wanted
    assert store_paths.unfinished_store(plan_with(runs=3)) == complete
    assert store_paths.unfinished_store(plan_with(runs=9)) == larger
    assert store_paths.unfinished_store(plan_with(), or_more=True) == larger
    os.utime(larger, (0, 0))
    assert store_paths.unfinished_store(plan_with(), or_more=True) == wanted


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"config": {"limit": "n"}}, "limit in cell 1 is 2n there and n in the plan"),
        ({"grid": {"n": [2, 4]}}, "n in cell 2 is 3 there and 4 in the plan"),
        ({"grid": {"n": [2]}}, "it has 2 cells and the plan has 1"),
        ({"seed": 5}, "seed is 1 there and 5 in the plan"),
        ({"max_iterations": 77}, "max_iterations is 10,000,000 there and 77 in the plan"),
        (
            {"config": {"functions": "and"}},
            "functions in cell 1 is and,or there and and in the plan",
        ),
    ],
)
def test_another_experiment_is_refused_and_its_first_difference_named(
    changes: dict[str, object], text: str, tmp_path: Path
) -> None:
    path = keep(tmp_path / "a.gpvizx", plan_with())
    with pytest.raises(GpvizError, match=text):
        store_paths.resume_store(path, plan_with(**changes))
