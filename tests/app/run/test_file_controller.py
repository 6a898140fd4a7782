"""Opening run files in the background."""

import json
from pathlib import Path

import numpy as np
import pytest

from gpviz.app.run.file_controller import LoadedRun, RunLoader
from gpviz.engine import RlsGp, RunConfig, TooComplexError, parse
from gpviz.engine.target import target_for
from gpviz.runs import replay as replay_module
from gpviz.runs.branches import search_at
from gpviz.runs.pause_rules import PauseRules, PauseWatch
from gpviz.runs.run_file import Bookmark, describe, save
from tests.runs.runs import recorded

CONFIG = RunConfig(n=6, seed=1)
SAMPLED = RunConfig(n=6, fitness="sampled", rows=12, seed=3)
STUCK = "(x3 & x2) | (x2 & x3)"


@pytest.fixture
def loader(qapp):
    made = RunLoader()
    yield made
    made.close()


def saved(path: Path, config: RunConfig, iterations: int, start: str = "", bookmarks=()) -> Path:
    _, _, history = recorded(config, iterations, parse(start) if start else None)
    save(path, describe(history, bookmarks))
    return path


def opened(loader: RunLoader, path: Path, qtbot) -> LoadedRun:
    with qtbot.waitSignal(loader.loaded) as answered:
        loader.open(path)
    assert not loader.is_busy
    return answered.args[0]


def refused(loader: RunLoader, path: Path, qtbot) -> str:
    with qtbot.waitSignal(loader.failed) as answered:
        loader.open(path)
    assert not loader.is_busy
    return answered.args[0]


def without_end(monkeypatch) -> None:
    """A replay asks after every iteration whether to go on, and no clock is needed."""
    monkeypatch.setattr(replay_module, "_PROGRESS_ITERATIONS", 1)


def test_a_good_file_becomes_a_run_that_can_go_on(loader, tmp_path, qtbot):
    marks = (Bookmark(0), Bookmark(7, "here"))
    path = saved(tmp_path / "a.gpviz", CONFIG, 150, "x1 & x2", marks)
    run = opened(loader, path, qtbot)
    search, steps, history = recorded(CONFIG, 150, parse("x1 & x2"))
    assert (run.path, run.bookmarks, len(run.history)) == (path, marks, 150)
    assert run.history.fingerprint() == history.fingerprint()
    again = search_at(run.history, 150)
    assert again.tree == search.tree
    assert again.step() == search.step()
    assert len(run.recorded.generalisation) == 0
    assert run.history.step_at(3) == steps[2]


def test_a_file_that_is_no_run_is_told(loader, tmp_path, qtbot):
    path = tmp_path / "a.gpviz"
    path.write_text("hello")
    assert "a.gpviz" in refused(loader, path, qtbot)


def test_a_run_that_does_not_replay_is_told(loader, tmp_path, qtbot):
    path = saved(tmp_path / "a.gpviz", CONFIG, 60)
    data = json.loads(path.read_text())
    data["fingerprint"] = "sha256:" + "0" * 64
    path.write_text(json.dumps(data))
    assert "does not replay" in refused(loader, path, qtbot)


def begun(loader: RunLoader, path: Path, qtbot) -> None:
    """Open a file and wait until its replay is under way."""
    loader.open(path)
    with qtbot.waitSignal(loader.progressed):
        pass


@pytest.fixture
def long_run(tmp_path, monkeypatch):
    """A file whose replay would take minutes; its fingerprint is never looked at."""
    without_end(monkeypatch)
    path = saved(tmp_path / "long.gpviz", CONFIG, 10)
    data = json.loads(path.read_text())
    data["iterations"] = 10_000_000
    path.write_text(json.dumps(data))
    return path


def test_a_long_replay_can_be_cancelled(loader, long_run, tmp_path, qtbot):
    answers: list[object] = []
    loader.loaded.connect(answers.append)
    loader.failed.connect(answers.append)
    begun(loader, long_run, qtbot)
    loader.cancel()
    assert not loader.is_busy
    assert len(opened(loader, saved(tmp_path / "a.gpviz", CONFIG, 5), qtbot).history) == 5
    assert len(answers) == 1


def test_closing_gives_up_a_long_replay(loader, long_run, qtbot, qapp):
    answers: list[object] = []
    loader.loaded.connect(answers.append)
    loader.failed.connect(answers.append)
    begun(loader, long_run, qtbot)
    loader.close()
    assert not loader.is_busy
    qapp.processEvents()
    assert answers == []


def test_a_sampled_run_comes_with_its_generalisation_error(loader, tmp_path, qtbot):
    run = opened(loader, saved(tmp_path / "a.gpviz", SAMPLED, 200, "x1 | x2"), qtbot)
    _, steps, history = recorded(SAMPLED, 200, parse("x1 | x2"))
    changed = history.changes().iterations.tolist()
    assert run.recorded.generalisation.iterations.tolist() == changed
    errors = [target_for(6).error(history.tree_at(iteration)) / 64 for iteration in changed]
    assert np.array_equal(run.recorded.generalisation.shares, errors)
    assert run.recorded.stuck_since is None
    assert len(steps) == 200


def test_a_stuck_run_knows_since_when(loader, tmp_path, qtbot):
    config = RunConfig(n=5, limit=4, deletion="leaf", seed=0)
    found = 0
    for seed in range(12):
        config = config.replaced(seed=seed)
        watch, search = PauseWatch(PauseRules(), config), RlsGp(config)
        watch.start(None, None)
        for _ in range(150):
            watch.reason(search.step())
        run = opened(loader, saved(tmp_path / "a.gpviz", config, 150), qtbot)
        assert run.recorded.stuck_since == watch.stuck_since
        found += run.recorded.stuck_since is not None
    assert found


def test_a_state_that_takes_too_long_to_find_keeps_no_file_closed(loader, tmp_path, qtbot, monkeypatch):
    config = RunConfig(n=4, limit=4, deletion="leaf")
    path = saved(tmp_path / "a.gpviz", config, 20, STUCK)

    def too_complex(*_: object, **__: object) -> None:
        raise TooComplexError("formula: too long.")

    monkeypatch.setattr("gpviz.runs.replay.tree_state", too_complex)
    assert opened(loader, path, qtbot).recorded.stuck_since is None


def test_a_fault_of_gpviz_is_not_told_as_a_fault_of_the_file(loader, tmp_path, qtbot, monkeypatch):
    def fail(_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("gpviz.app.run.file_controller.load", fail)
    emitted: list[str] = []
    loader.failed.connect(emitted.append)
    with qtbot.captureExceptions() as raised:
        loader.open(tmp_path / "a.gpviz")
        qtbot.waitUntil(lambda: not loader.is_busy)
    assert [kind for kind, _, _ in raised] == [ZeroDivisionError]
    assert emitted == ["Unexpected error (ZeroDivisionError('inside'))."]
