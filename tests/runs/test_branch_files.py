"""Run files with branches: what was saved is opened and verified; whatever else they hold is one sentence."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpviz.engine import GpvizError, RunConfig
from gpviz.runs.bookmarks import Bookmark
from gpviz.runs.replay import Cancelled, replay_all
from gpviz.runs.run_file import branches_of, describe, describe_branches, load, save
from tests.runs.branching import branched_run
from tests.runs.runs import recorded
from tests.runs.test_hostile_files import changed, sentence_about


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
    assert json.loads((tmp_path / "a.gpviz").read_bytes())["version"] == 3
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


def test_a_run_without_branches_stays_a_file_of_version_1(tmp_path: Path):
    _, _, history = recorded(RunConfig(n=4, seed=3), 10)
    save(tmp_path / "a.gpviz", describe(history))
    assert json.loads((tmp_path / "a.gpviz").read_bytes())["version"] == 1
    assert [branch.name for branch in branches_of(load(tmp_path / "a.gpviz"))] == ["Original"]


def test_a_new_name_of_the_original_is_saved(tmp_path: Path):
    _, _, history = recorded(RunConfig(n=4, seed=3), 10)
    save(tmp_path / "a.gpviz", replace(describe(history), name="Monday"))
    assert load(tmp_path / "a.gpviz").name == "Monday"


def test_ids_become_places_when_branches_are_saved():
    branches, histories = branched_run()
    kept = branches.removed(1)
    run_file = describe_branches(kept, histories, shown=3)
    assert (len(run_file.branches), run_file.shown, run_file.branches[0].parent) == (1, 1, 0)
    assert len(replay_all(run_file)) == 2


def test_a_bookmark_may_be_in_any_branch():
    with pytest.raises(GpvizError, match="at most 120, the iterations of the run"):
        replace(described(), bookmarks=(Bookmark(121),))


def test_progress_counts_the_iterations_of_all_branches():
    told: list[tuple[int, int]] = []
    replay_all(
        described(RunConfig(n=6, fitness="sampled", rows=3000, seed=1)), lambda *done: told.append(done)
    )
    assert all(total == 120 + 60 + 30 + 80 for _, total in told)


def test_a_replay_of_branches_can_be_cancelled(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gpviz.runs.replay._PROGRESS_ITERATIONS", 10)
    with pytest.raises(Cancelled, match=r"^The replay was cancelled after 200 of 290"):
        replay_all(described(), lambda done, total: done >= 200)


FORCED = {"iteration": 41, "operation": "INS", "node": 1, "variable": 2, "function": "and", "side": "left"}


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("name", 5, "name: 5 is not allowed; it must be a text of 1 to 80 characters"),
        ("shown", 4, "shown: 4 is not allowed; it must be a whole number from 0 to 3."),
        ("shown", None, "shown: None is not allowed; it must be "),
        ("branches", {}, "branches: {} is not allowed; it must be a list."),
        (
            "branches",
            [1],
            "branches[0]: 1 is not allowed; it must be an object with the keys name, parent, at,",
        ),
        ("branches", [{}] * 5000, "branches: there are 5000; with the original, 256 are allowed."),
        ("branches.0.name", "", "branches[0].name: '' is not allowed; it must be a text of 1 to 80"),
        ("branches.0.name", "\ud800", "branches[0].name: '\\ud800' is not allowed"),
        ("branches.0.parent", 1, "branches[0].parent: 1 is not allowed; it must be"),
        ("branches.0.parent", 3, "branches[0].parent: 3 is not allowed; it must be"),
        ("branches.0.parent", -1, "branches[0].parent: -1 is not allowed; it must be"),
        ("branches.0.parent", "0", "branches[0].parent: '0' is not allowed; it must be"),
        ("branches.0.parent", True, "branches[0].parent: True is not allowed; it must be"),
        ("branches.0.at", 101, "branches[0].at: 101 is not allowed; it must be at most 100"),
        ("branches.1.at", 85.5, "branches[1].at: 85.5 is not allowed; it must be a whole number"),
        ("branches.0.iterations", 10**8, "branches[0].iterations: 100000000 is not allowed"),
        ("branches.0.iterations", 30, "branches[0].at: 40 is not allowed; it must be at most 30"),
        (
            "branches.0.iterations",
            41,
            "branches[0].forced[1].iteration: 42 is not allowed; it must be from 42 to",
        ),
        (
            "branches.0.changes",
            [],
            "branches[0].changes: [] is not allowed; it must be an object with settings.",
        ),
        ("branches.0.changes", {"n": 3}, "branches[0].changes: 'n' cannot change; only seed, limit"),
        (
            "branches.0.changes",
            {"seed": "5"},
            "branches[0].changes.seed: '5' is not allowed; it must be written",
        ),
        ("branches.0.changes", {"limit": "x"}, "branches[0].changes.limit: 'x' is not allowed; it must be"),
        ("branches.0.forced", {}, "branches[0].forced: {} is not allowed; it must be a list."),
        (
            "branches.0.forced",
            ["INS"],
            "branches[0].forced[0]: 'INS' is not allowed; it must be an object with",
        ),
        (
            "branches.0.forced",
            [{**FORCED, "operation": "ADD"}],
            "branches[0].forced[0].operation: 'ADD' is not",
        ),
        (
            "branches.0.forced",
            [{**FORCED, "function": []}],
            "branches[0].forced[0].function: [] is not allowed",
        ),
        (
            "branches.0.forced",
            [{**FORCED, "side": "LEFT"}],
            "branches[0].forced[0].side: 'LEFT' is not allowed",
        ),
        ("branches.0.forced", [{**FORCED, "node": 0}], "branches[0].forced[0].node: 0 is not allowed"),
        (
            "branches.0.forced",
            [{**FORCED, "node": 2**32 + 1}],
            "branches[0].forced[0].node: 4294967297 is not",
        ),
        (
            "branches.0.forced",
            [{**FORCED, "variable": 0}],
            "branches[0].forced[0].variable: 0 is not allowed",
        ),
        (
            "branches.0.forced",
            [{**FORCED, "variable": 7}],
            "branches[0].forced[0].variable: 7 is not allowed",
        ),
        ("branches.0.forced", [{**FORCED, "iteration": 40}], "branches[0].forced[0].iteration: 40 is not"),
        ("branches.0.forced", [FORCED, FORCED], "branches[0].forced[1].iteration: 41 is not allowed"),
        ("branches.0.fingerprint", "sha256:", "branches[0].fingerprint: 'sha256:' is not allowed"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_branch_is_refused_with_its_field(
    tmp_path: Path, valid: dict[str, Any], place: str, value: Any, message: str
):
    content = json.dumps(put(valid, place, value)).encode()
    assert sentence_about(tmp_path / "bad.gpviz", content).startswith(message)


def test_a_fork_past_the_end_of_its_parent_is_refused(valid: dict[str, Any], tmp_path: Path):
    data = put(put(valid, "branches.1.iterations", 200), "branches.1.at", 101)
    assert sentence_about(tmp_path / "bad.gpviz", json.dumps(data).encode()) == (
        "branches[1].at: 101 is not allowed; it must be at most 100, the iterations of the branch it forks from."
    )


def test_parents_in_a_circle_are_refused(valid: dict[str, Any], tmp_path: Path):
    data = put(put(valid, "branches.0.parent", 2), "branches.1.parent", 1)
    message = sentence_about(tmp_path / "bad.gpviz", json.dumps(data).encode())
    assert message.startswith("branches[0].parent: 2 is not allowed; it must be")
    branch = replace(described().branches[0], parent=2)
    with pytest.raises(
        GpvizError, match=r"branches\[0\].parent: 2 .* the original or a branch before this one"
    ):
        replace(described(), branches=(branch, branch))


def test_too_many_iterations_in_all_are_refused(valid: dict[str, Any], tmp_path: Path):
    long = {**valid["branches"][0], "forced": [], "iterations": 10_000_000}
    content = json.dumps({**valid, "branches": [long] * 6}).encode()
    message = sentence_about(tmp_path / "bad.gpviz", content)
    assert (
        message == "branches: together they have 60,000,120 iterations, but at most 50,000,000 are allowed."
    )


@pytest.mark.parametrize(
    ("place", "value", "message"),
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
    tmp_path: Path, valid: dict[str, Any], place: str, value: Any, message: str
):
    path = tmp_path / "bad.gpviz"
    path.write_text(json.dumps(put(valid, place, value)), encoding="utf-8")
    with pytest.raises(GpvizError) as caught:
        replay_all(load(path))
    assert str(caught.value).startswith(message)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.floats()
    | st.sampled_from(["", "INS", "leaf", "x1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(FORCED)), inner, max_size=3)
    ),
    max_leaves=6,
)
places = st.sampled_from(["name", "parent", "at", "changes", "forced", "iterations", "fingerprint"])


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(st.integers(0, 2), places, values)
def test_whatever_a_branch_holds_it_is_opened_or_refused_with_a_sentence(
    tmp_path: Path, valid: dict[str, Any], index: int, key: str, value: Any
):
    path = tmp_path / "strange.gpviz"
    path.write_text(json.dumps(put(valid, f"branches.{index}.{key}", value)), encoding="utf-8")
    try:
        opened = load(path)
        if all(branch.iterations <= 500 for branch in opened.branches):
            replay_all(opened)
    except GpvizError as error:
        assert str(error).endswith(".")


def put(data: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    """The data with another value at ``key`` or ``branches.index.key``."""
    head, _, rest = place.partition(".")
    if head != "branches" or not rest:
        return changed(data, place, value)
    index, _, key = rest.partition(".")
    branches = list(data["branches"])
    branches[int(index)] = {**branches[int(index)], key: value}
    return {**data, "branches": branches}
