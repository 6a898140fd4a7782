"""Comparisons: every shipped one does what it claims, and a wrong one is told in a sentence."""

import re
import tomllib
from copy import deepcopy
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import pytest

from gpviz import assets
from gpviz.engine import GpvizError, RlsGp, RunConfig
from gpviz.engine.mutation_script import format_script
from gpviz.runs.comparison_presets import (
    Comparison,
    LaneClaims,
    LaneSpec,
    comparison_of,
    find_comparison,
    load_comparisons,
)
from gpviz.runs.history import History
from gpviz.runs.settings_text import differences
from gpviz.runs.step_encoding import Property

COMPARISONS = load_comparisons()
LANES = [(comparison.name, place) for comparison in COMPARISONS for place in range(len(comparison.lanes))]
NUMBER_WORDS = "one|two|three|five|six|seven|eight|nine|ten"
every_comparison = pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.name)
every_lane = pytest.mark.parametrize(("name", "place"), LANES)
CONFIG = RunConfig(n=8, limit="n+1", deletion="leaf", seed=3)
GOOD: dict[str, Any] = {
    "title": "Two runs",
    "explanation": "The first of {n} variables needs {first[iterations]} iterations.",
    "config": {"n": 6, "seed": 1},
    "lanes": [
        {
            "label": "One",
            "claims": {"outcome": "solved", "iterations": 1234, "error": 0, "leaves": 6, "ors": 0},
        },
        {"label": "Other", "changes": {"limit": "n"}, "start": "x1 & x2"},
    ],
}


@cache
def facts(name: str, place: int) -> dict[str, Any]:
    """What the run of a lane really does, under the names of the claims."""
    lane = find_comparison(name).lanes[place]
    history = History(lane.config, lane.start_tree)
    result = RlsGp(lane.config, lane.start_tree).run(
        max_iterations=100_000, stop_when_stuck=True, on_step=history.append
    )
    is_solved = result.outcome.value == "solved"
    return {
        "outcome": result.outcome.value,
        "iterations": result.iterations if is_solved else None,
        "stuck_since": result.stuck_since,
        "error": result.error,
        "leaves": result.leaves,
        "ors": result.ors,
        "too_large": history.count_where(Property.TOO_LARGE),
        "full": sum(history.sizes_at(parent)[0] == lane.config.max_leaves for parent in range(len(history))),
    }


def untrue(claims: LaneClaims, true: dict[str, Any]) -> list[str]:
    made = {name: claim for name, claim in asdict(claims).items() if claim is not None}
    return [name for name, claim in made.items() if true[name] != claim]


@every_lane
def test_every_claim_of_a_lane_is_true(name, place):
    claims = find_comparison(name).lanes[place].claims
    assert claims is not None
    assert untrue(claims, facts(name, place)) == []


@every_lane
def test_a_claim_that_is_a_little_off_is_noticed(name, place):
    claims: Any = find_comparison(name).lanes[place].claims
    numbers = {key: claim for key, claim in asdict(claims).items() if type(claim) is int}
    assert len(numbers) >= 4
    for key, number in numbers.items():
        assert untrue(replace(claims, **{key: number + 1}), facts(name, place)) == [key]


@every_comparison
def test_every_comparison_has_a_short_title_and_two_sentences(comparison):
    assert 0 < len(comparison.title) <= 45
    assert len(re.findall(r"[.!?](?:\s|$)", comparison.explanation)) == 2
    assert "\n" not in comparison.title + comparison.explanation


@pytest.mark.parametrize(
    "path", sorted(assets.folder("comparisons").glob("*.toml")), ids=lambda path: path.stem
)
def test_every_number_in_an_explanation_comes_from_the_claims(path):
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    text = re.sub(r"\{[^}]*\}|one (?:side|half|run)|one leaf|2n", "", data["explanation"])
    assert re.findall(rf"\d+|\b(?:{NUMBER_WORDS})\b", text) == []


@every_comparison
def test_lanes_are_told_apart_by_their_labels_and_differ_in_something(comparison):
    first = comparison.lanes[0]
    assert len({lane.label for lane in comparison.lanes}) == len(comparison.lanes)
    assert all(differences(first.config, lane.config) for lane in comparison.lanes[1:])
    assert differences(first.config, first.config) == ()


def test_what_the_paper_compares_is_shipped():
    deletion = find_comparison("leaf-or-subtree")
    assert [lane.config.deletion for lane in deletion.lanes] == ["leaf", "subtree"]
    assert [lane.claims.outcome for lane in deletion.lanes if lane.claims] == ["stuck", "solved"]
    assert len({lane.config.seed for lane in deletion.lanes}) == 1
    assert [lane.config.limit for lane in find_comparison("limit-or-none").lanes] == ["n", "inf"]
    assert [lane.config.limit for lane in find_comparison("three-limits").lanes] == ["n", "2n", "inf"]
    assert len({lane.config.seed for lane in find_comparison("four-seeds").lanes}) == 4


def test_an_unknown_comparison_is_a_sentence_that_lists_the_known_ones():
    with pytest.raises(GpvizError, match="There is no comparison 'x'; choose one of leaf-or-subtree,"):
        find_comparison("x")


def test_a_comparison_is_read_with_what_its_lanes_share_and_change():
    made = comparison_of("made", GOOD)
    assert made.explanation == "The first of 6 variables needs 1,234 iterations."
    assert [lane.config for lane in made.lanes] == [RunConfig(n=6, seed=1), RunConfig(n=6, seed=1, limit="n")]
    assert made.lanes[1].start_tree is not None
    assert made.lanes[0].start_tree is None


def changed(path: str, value: Any) -> dict[str, Any]:
    data: Any = deepcopy(GOOD)
    *keys, last = path.split(".")
    place: Any = data
    for name in keys:
        place = place[int(name) if name.isdecimal() else name]
    place[int(last) if last.isdecimal() else last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("title", 3, "title"),
        ("explanation", "", "explanation"),
        ("explanation", "{third[error]}", "explanation: it speaks of 'third', which no lane claims."),
        ("explanation", "{second[error]}", "explanation: it speaks of 'error'"),
        ("speed", 0, "speed"),
        ("speed", True, "speed"),
        ("colour", "red", "'colour' is not a key of the comparison"),
        ("lanes", {}, "lanes"),
        (
            "lanes",
            [{"label": "One", "script": "delete 1"}] * 2,
            r"lanes\[0\]: script: 'delete 1' is not allowed",
        ),
        (
            "lanes",
            [{"label": "One", "script": ["drop 1"]}] * 2,
            r"lanes\[0\]: script, entry 1: 'drop 1' is not",
        ),
        ("lanes", [{"label": "One", "script": ["insert x9"]}] * 2, "script, entry 1, 'insert and x9 at 1'"),
        ("lanes", [{"label": "One"}], "lanes: there is 1; from 2 to 4 runs can be compared."),
        ("lanes", [{"label": "One"}] * 5, "lanes: there are 5; from 2 to 4 runs can be compared."),
        ("lanes.1", "x", r"lanes\[1\]"),
        ("lanes.1.label", "", r"lanes\[1\]: label"),
        ("lanes.1.label", "x" * 81, "1 to 80 characters"),
        ("lanes.1.label", "a\nb", "without control characters"),
        ("lanes.1.start", 4, r"lanes\[1\]: start"),
        ("lanes.1.start", "x1 &", r"lanes\[1\]: "),
        ("lanes.1.start", "x1&x1&x1&x1&x1&x1&x1", "a tree of at most 6 leaves"),
        ("lanes.1.changes", {"limit": "0"}, r"lanes\[1\]: limit"),
        ("lanes.1.changes", {"colour": 1}, "'colour' is not a setting"),
        ("lanes.1.colour", 1, r"is not a key of lanes\[1\]"),
        ("lanes.0.claims", {"outcome": "lost"}, "'solved' or 'stuck'"),
        ("lanes.0.claims", {"outcome": "solved"}, "claims: error is missing."),
        ("lanes.0.claims", {"wait": 1}, "'wait' is not a key of claims"),
        ("lanes.0.claims.error", "0", r"claims\.error"),
        ("config", 4, "config"),
    ],
)
def test_what_is_wrong_with_a_comparison_is_a_sentence(path, value, problem):
    with pytest.raises(GpvizError, match=problem) as found:
        comparison_of("made", changed(path, value))
    assert str(found.value).endswith(".")


def test_a_lane_may_have_a_script():
    entries = ["insert x1", "insert or x1 at 1"]
    lanes = [{"label": "One", "script": entries}, {"label": "Other"}]
    scripted, drawn = comparison_of("made", changed("lanes", lanes) | {"explanation": "Two runs."}).lanes
    assert format_script(scripted.script, None) == entries
    assert drawn.script == ()


def test_a_broken_file_is_named(tmp_path, monkeypatch):
    folder = tmp_path / "comparisons"
    folder.mkdir()
    (folder / "10-x.toml").write_text("title = ")
    monkeypatch.setattr(assets, "_PLACES", (tmp_path,))
    with pytest.raises(GpvizError, match=r"^10-x\.toml: "):
        load_comparisons()


def test_a_comparison_of_one_run_cannot_be_made():
    with pytest.raises(GpvizError, match="from 2 to 4"):
        Comparison(name="x", title="x", explanation="x", lanes=(LaneSpec(label="One", config=CONFIG),))
