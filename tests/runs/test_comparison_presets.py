"""Comparisons: every shipped one does what it claims, and a wrong lane is refused with a sentence."""

import re
import tomllib
from dataclasses import asdict
from functools import cache
from typing import Any

import pytest

from gpviz import assets
from gpviz.engine import GpvizError, RlsGp, RunConfig
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.history import History
from gpviz.runs.presets import Claims, LaneSpec, find_comparison, load_comparisons
from gpviz.runs.settings_text import differences
from gpviz.runs.step_encoding import Property

COMPARISONS = load_comparisons()
LANES = [(comparison.name, index) for comparison in COMPARISONS for index in range(len(comparison.lanes))]
NUMBER_NAMES = "one|two|three|five|six|seven|eight|nine|ten"
every_comparison = pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.name)
every_lane = pytest.mark.parametrize(("name", "index"), LANES)
CONFIG = RunConfig(n=8, limit="n+1", deletion="leaf", seed=3)


@cache
def facts(name: str, index: int) -> dict[str, Any]:
    """What the run of a lane really does, under the names of the claims."""
    lane = find_comparison(name).lanes[index]
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


def untrue(claims: Claims, true: dict[str, Any]) -> list[str]:
    made = {name: claim for name, claim in asdict(claims).items() if claim not in (None, "", ())}
    return [name for name, claim in made.items() if true[name] != claim]


@every_lane
def test_every_claim_of_a_lane_is_true(name, index):
    claims = find_comparison(name).lanes[index].claims
    assert claims is not None
    assert untrue(claims, facts(name, index)) == []


@pytest.mark.parametrize(
    "path", sorted(assets.folder("comparisons").glob("*.toml")), ids=lambda path: path.stem
)
def test_every_number_in_an_explanation_comes_from_the_claims(path):
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    text = re.sub(r"\{[^}]*\}|one (?:side|half|run)|one leaf|2n", "", data["explanation"])
    assert re.findall(rf"\d+|\b(?:{NUMBER_NAMES})\b", text) == []


@every_comparison
def test_lanes_have_different_labels_and_differ_in_something(comparison):
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


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"label": ""}, "label: '' is not allowed"),
        ({"label": "x" * 81}, "1 to 80 characters"),
        ({"label": "a\nb"}, "in one line"),
        ({"start": "x1 &"}, "formula, column 5"),
        ({"start": "x1&x1&x1&x1&x1&x1&x1&x1&x1&x1"}, "a tree of at most 9 leaves"),
        ({"script": parse_script("insert x9")}, "script, entry 1, 'insert and x9 at 1'"),
    ],
)
def test_what_is_wrong_with_a_lane_is_a_sentence(changes, problem):
    with pytest.raises(GpvizError, match=problem):
        LaneSpec(**{"label": "One", "config": CONFIG, **changes})
