"""Run files with branches: what was saved is opened and verified; whatever else they hold is one sentence."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine import GpvizError, RunConfig
from gpviz.runs.replay import Cancelled, replay_all
from gpviz.runs.run_file import Bookmark, branches_of, describe_branches, load, save
from tests.files.hostile import changed
from tests.runs.branching import branched_run


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("branches") / "valid.gpviz"
    save(path, described())
    data: dict[str, Any] = json.loads(path.read_bytes())
    return data


def described(config: RunConfig | None = None, shown: int = 2):
    branches, histories = branched_run(config)
    return describe_branches(branches, histories, [Bookmark(100, "end")], shown=shown)


@pytest.mark.parametrize(
    "config",
    [
        None,
        RunConfig(n=6, limit="inf", fitness="sampled", rows=10, seed=2),
        RunConfig(n=80, limit="inf", seed=3),
    ],
    ids=["complete", "sampled", "large errors"],
)
def test_all_branches_replay_as_they_were_saved(tmp_path: Path, config: RunConfig | None):
    saved = described(config)
    save(tmp_path / "a.gpviz", saved)
    opened = load(tmp_path / "a.gpviz")
    assert opened == saved
    done = replay_all(opened)
    assert [each.history.fingerprint() for each in done] == [
        saved.fingerprint,
        *(branch.fingerprint for branch in saved.branches),
    ]
    histories = dict(enumerate(each.history for each in done))
    assert describe_branches(branches_of(opened), histories, opened.bookmarks, shown=opened.shown) == saved
    assert replay_all(opened)[0][1].fingerprint() == saved.fingerprint


def test_a_replayed_branch_goes_on_as_it_would_have():
    branches, histories = branched_run()
    done = replay_all(describe_branches(branches, histories))
    again = replay_all(describe_branches(branches, {**histories, 2: histories[2].beginning(70)}))
    for _ in range(20):
        again[2].history.append(again[2].search.step())
    assert again[2].history.fingerprint() == done[2].history.fingerprint()


def test_ids_become_numbers_when_branches_are_saved():
    branches, histories = branched_run()
    kept = branches.removed(1)
    run_file = describe_branches(kept, histories, shown=3)
    assert (len(run_file.branches), run_file.shown, run_file.branches[0].parent) == (1, 1, 0)
    assert len(replay_all(run_file)) == 2


def test_progress_counts_the_iterations_of_all_branches():
    reported: list[tuple[int, int]] = []
    replay_all(
        described(RunConfig(n=6, fitness="sampled", rows=3000, seed=1)), lambda *done: reported.append(done)
    )
    assert all(total == 120 + 60 + 30 + 80 for _, total in reported)


def test_a_replay_of_branches_can_be_cancelled(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gpviz.runs.replay._PROGRESS_ITERATIONS", 10)
    with pytest.raises(Cancelled, match=r"^The replay was cancelled after 200 of 290"):
        replay_all(described(), lambda done, total: done >= 200)


def test_a_branch_cannot_be_the_parent_of_an_earlier_one():
    branch = replace(described().branches[0], parent=2)
    with pytest.raises(
        GpvizError, match=r"branches\[0\].parent: 2 .* the original or a branch before this one"
    ):
        replace(described(), branches=(branch, branch))


FORCED = {"iteration": 41, "operation": "INS", "node": 1, "variable": 2, "function": "and", "side": "left"}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "branches.0.forced",
            [{**FORCED, "node": 4000}],
            "branches[0]: node: 4000 is not allowed; it must be from",
        ),
        ("branches.0.changes", {"limit": "1"}, "branches[0]: limit: '1' is not allowed; it must be at least"),
        (
            "branches.1.changes",
            {"seed": 78},
            "The branch 'Branch at 60' does not replay: its 90 iterations give",
        ),
        ("branches.0.forced", [FORCED], "The branch 'Branch at 40' does not replay: its 100 iterations give"),
    ],
)
def test_a_branch_that_does_not_replay_is_refused(
    tmp_path: Path, valid: dict[str, Any], path: str, value: Any, message: str
):
    file = tmp_path / "bad.gpviz"
    file.write_text(json.dumps(changed(valid, path, value)), encoding="utf-8")
    with pytest.raises(GpvizError) as caught:
        replay_all(load(file))
    assert str(caught.value).startswith(message)
