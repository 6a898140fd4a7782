"""The shipped lectures on drift and sampling: every number in them is computed again from their runs and plans."""

import json
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from gpviz.lecture.lecture import Lecture, Scene, load_lecture, shipped_lectures
from gpviz.lecture.scene_content import SceneChart, SceneStatement
from gpviz.paper_statements import load_statements
from scripts.lectures import drift, sampling
from scripts.lectures.computed import said

SOURCES = (drift, sampling)
every_lecture = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.NAME)


def shipped(source: ModuleType) -> Lecture:
    return load_lecture(next(each.path for each in shipped_lectures() if each.name == source.NAME))


def without_figure(scene: Scene) -> Scene:
    if not isinstance(scene.content, SceneChart):
        return scene
    return replace(scene, content=replace(scene.content, figure="{}"))


def figure_in(scene: Scene) -> Any:
    return json.loads(scene.content.figure) if isinstance(scene.content, SceneChart) else None


def is_alike(one: Any, other: Any) -> bool:
    """Whether two figures have the same texts and, up to the last digits of logarithms, the same numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_alike, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return one == pytest.approx(other, rel=1e-9)
    return bool(one == other)


@every_lecture
def test_the_lecture_is_what_its_runs_and_plans_come_to(source: ModuleType) -> None:
    again, file = source.built(), shipped(source)
    for ours, theirs in zip(again.scenes, file.scenes, strict=True):
        assert without_figure(ours) == without_figure(theirs)
        assert is_alike(figure_in(ours), figure_in(theirs)), ours.title
    assert (again.title, again.runs) == (file.title, file.runs)


@every_lecture
def test_every_chart_is_made_by_a_plan_that_the_notes_name(source: ModuleType) -> None:
    charts = [scene for scene in shipped(source).scenes if isinstance(scene.content, SceneChart)]
    assert charts
    for scene in charts:
        assert isinstance(scene.content, SceneChart)
        assert f"Plan: {scene.content.plan}, with {scene.content.runs} runs a cell." in scene.notes


def test_both_main_theorems_are_told_in_the_paper_s_statements() -> None:
    named = {
        scene.content.name
        for source in SOURCES
        for scene in shipped(source).scenes
        if isinstance(scene.content, SceneStatement)
    }
    assert {"theorem-drift", "theorem-complete", "theorem-sampling", "theorem-lower-bound"} <= named
    assert named <= {each.id for each in load_statements()}


@pytest.mark.parametrize("template", ["It took 3 steps.", "It took three steps.", "2³ rows", "a dozen"])
def test_a_text_cannot_hold_a_number_that_is_not_computed(template: str) -> None:
    with pytest.raises(ValueError, match="is not computed"):
        said(template)


def test_a_text_holds_every_value_that_is_computed_for_it() -> None:
    assert said("{n} of 2ⁿ rows, Theorem 1", n=1234) == "1,234 of 2ⁿ rows, Theorem 1"
    with pytest.raises(ValueError, match="for nothing"):
        said("{n} rows", n=3, limit=4)
