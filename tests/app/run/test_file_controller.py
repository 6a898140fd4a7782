"""What is known of a run when its file has been read and replayed."""

from pathlib import Path

import numpy as np

from gpviz.app.run.branch_controller import RecordedBranch
from gpviz.app.run.file_controller import LoadedRun, load_run
from gpviz.engine import RlsGp, RunConfig, TooComplexError, parse
from gpviz.engine.target import target_for
from gpviz.runs.branches import search_at
from gpviz.runs.pause_rules import PauseRules, PauseWatch
from gpviz.runs.run_file import Bookmark, describe, save
from tests.runs.runs import recorded

CONFIG = RunConfig(n=6, seed=1)
SAMPLED = RunConfig(n=6, fitness="sampled", rows=12, seed=3)
STUCK = "(x3 & x2) | (x2 & x3)"


def saved(path: Path, config: RunConfig, iterations: int, start: str = "", bookmarks=()) -> Path:
    _, _, history = recorded(config, iterations, parse(start) if start else None)
    save(path, describe(history, bookmarks))
    return path


class Patient:
    """Waits for the run, whatever it takes."""

    def __call__(self) -> bool:
        return False

    def report(self, progress: object) -> None:
        pass


def opened(path: Path) -> tuple[LoadedRun, RecordedBranch]:
    run = load_run(path, Patient())
    return run, run.recorded_branches[run.shown]


def test_a_good_file_becomes_a_run_that_can_go_on(tmp_path):
    marks = (Bookmark(0), Bookmark(7, "here"))
    path = saved(tmp_path / "a.gpviz", CONFIG, 150, "x1 & x2", marks)
    run, branch = opened(path)
    search, steps, history = recorded(CONFIG, 150, parse("x1 & x2"))
    assert (run.path, run.bookmarks, len(branch.history)) == (path, marks, 150)
    assert branch.history.fingerprint() == history.fingerprint()
    again = search_at(branch.history, 150)
    assert again.tree == search.tree
    assert again.step() == search.step()
    assert len(branch.generalisation) == 0
    assert branch.history.step_at(3) == steps[2]


def test_a_sampled_run_comes_with_its_generalisation_error(tmp_path):
    _, branch = opened(saved(tmp_path / "a.gpviz", SAMPLED, 200, "x1 | x2"))
    _, steps, history = recorded(SAMPLED, 200, parse("x1 | x2"))
    changed = history.changes().iterations.tolist()
    assert branch.generalisation.iterations.tolist() == changed
    errors = [target_for(6).error(history.tree_at(iteration)) / 64 for iteration in changed]
    assert np.array_equal(branch.generalisation.shares, errors)
    assert branch.stuck_since is None
    assert len(steps) == 200


def test_a_stuck_run_knows_since_when(tmp_path):
    config = RunConfig(n=5, limit=4, deletion="leaf", seed=0)
    found = 0
    for seed in range(12):
        config = config.replaced(seed=seed)
        watch, search = PauseWatch(PauseRules(), config), RlsGp(config)
        watch.start(None, None)
        for _ in range(150):
            watch.reason(search.step())
        _, branch = opened(saved(tmp_path / "a.gpviz", config, 150))
        assert branch.stuck_since == watch.stuck_since
        found += branch.stuck_since is not None
    assert found


def test_a_state_that_takes_too_long_to_find_keeps_no_file_closed(tmp_path, monkeypatch):
    config = RunConfig(n=4, limit=4, deletion="leaf")
    path = saved(tmp_path / "a.gpviz", config, 20, STUCK)

    def too_complex(*_: object, **__: object) -> None:
        raise TooComplexError("formula: too long.")

    monkeypatch.setattr("gpviz.runs.replay.tree_state", too_complex)
    assert opened(path)[1].stuck_since is None
