"""A lecture holds only scenes that can be shown, and editing it keeps the runs its scenes need, and no others."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.formula import parse
from gpviz.lecture.lecture import (
    MAX_CAPTION_LENGTH,
    MAX_RUNS,
    MAX_SCENES,
    MAX_TEXT_LENGTH,
    MAX_TITLE_LENGTH,
    Lecture,
    Scene,
    SceneCaption,
    moved,
    replaced,
    with_run,
    with_scene,
    without_scene,
)
from gpviz.runs.branches import MAX_TOTAL_ITERATIONS
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.run_file import Bookmark, RunFile, describe, describe_branches
from tests.runs.branching import branched_run
from tests.runs.runs import recorded

SAID = SceneCaption(3, "Three")


def run_of(iterations: int = 20, seed: int = 1, **settings: Any) -> RunFile:
    return describe(recorded(RunConfig(n=4, seed=seed, **settings), iterations)[2])


RUNS = tuple(run_of(seed=seed) for seed in (1, 2, 3))
BRANCHED = describe_branches(*branched_run())


def lecture_of(*scenes: Scene, runs: tuple[RunFile, ...] = RUNS) -> Lecture:
    return Lecture(title="A lecture", runs=runs, scenes=scenes)


def scenes_on(*runs: int) -> tuple[Scene, ...]:
    return tuple(Scene(title=f"{index}: {run}", run=run) for index, run in enumerate(runs))


def shown_runs(lecture: Lecture) -> list[int]:
    """The seed of the run each scene shows."""
    return [lecture.runs[scene.run].config.seed for scene in lecture.scenes]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("title", "  ", "title: '  ' is not allowed; it must be a text of 1 to 200 characters in one line."),
        ("run", -1, "run: -1 is not allowed; it must be a whole number from 0 to 99."),
        ("branch", 256, "branch: 256 is not allowed; it must be a whole number from 0 to 255."),
        ("first", 1, "first: 1 is not allowed; it must be at most 0, the last iteration of the scene."),
        ("last", MAX_ITERATIONS + 1, "last: 10000001 is not allowed; "),
        ("is_by_accepted", 1, "is_by_accepted: 1 is not allowed; it must be true or false."),
        ("has_tree", None, "has_tree: None is not allowed; it must be true or false."),
        ("speed", 10**400, "speed: a number of 1329 bits is not allowed; "),
        ("speed", -1, "speed: -1 is not allowed; it must be a number from 0 to 1,000,000."),
        ("panels", "caption", "panels: 'caption' is not allowed; it must be a list."),
        ("panels", ("curve",), "panels[0]: 'curve' is not allowed; it must be 'caption', 'curves' or "),
        (
            "panels",
            ("curves", "curves"),
            "panels: ['curves', 'curves'] is not allowed; it must be a list that",
        ),
        ("page", "prof", "page: 'prof' is not allowed; it must be 'proof', 'neighbours', "),
        ("text", 1, "text: 1 is not allowed; it must be a text of at most 20000 characters."),
        ("caption", "a\x00b", "caption: 'a\\x00b' is not allowed; "),
        ("notes", "\x1b[2J", "notes: '\\x1b[2J' is not allowed; "),
        (
            "captions",
            ("a",),
            "captions[0]: 'a' is not allowed; it must be an object with the keys iteration,",
        ),
        (
            "captions",
            (SAID,),
            "captions[0].iteration: the scene shows a single moment, which has the scene's",
        ),
        ("captions", (SAID,) * 51, "captions: there are 51, but at most 50 are allowed."),
        ("content", "chart", "content: 'chart' is not allowed; it must be 'chart', 'comparison', "),
    ],
)
def test_a_scene_with_a_wrong_value_is_one_sentence_about_it(field: str, value: Any, message: str):
    values: dict[str, Any] = {"title": "A scene", field: value}
    with pytest.raises(GpvizError) as caught:
        Scene(**values)
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ("title", MAX_TITLE_LENGTH),
        ("caption", MAX_CAPTION_LENGTH),
        ("text", MAX_TEXT_LENGTH),
        ("notes", MAX_TEXT_LENGTH),
    ],
)
def test_a_text_may_be_so_long_and_no_longer(field: str, most: int):
    Scene(**{"title": "A scene", field: "a" * most})  # type: ignore[arg-type]
    with pytest.raises(GpvizError, match=rf"^{field}: .*, not {most + 1}\.$"):
        Scene(**{"title": "A scene", field: "a" * (most + 1)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("iterations", "message"),
    [
        ((1, 3), "captions[0].iteration: 1 is not allowed; it must be from 2 to 8; the caption at the last"),
        ((3, 9), "captions[1].iteration: 9 is not allowed; it must be from 2 to 8; the caption at the last"),
        ((5, 3), "captions[1].iteration: 3 is not allowed; it must be above 5, the iteration of the caption"),
        ((3, 3), "captions[1].iteration: 3 is not allowed; it must be above 3, the iteration of the caption"),
    ],
)
def test_captions_stand_in_order_at_iterations_of_their_scene_before_its_last(
    iterations: tuple[int, ...], message: str
):
    captions = tuple(SceneCaption(each, "Said") for each in iterations)
    with pytest.raises(GpvizError) as caught:
        Scene(title="A scene", first=2, last=9, captions=captions)
    assert str(caught.value).startswith(message)


def test_a_caption_is_shown_at_its_iteration_and_that_of_the_scene_at_the_last():
    captions = (SceneCaption(2, "Two"), SceneCaption(5, "Five"))
    scene = Scene(title="A scene", first=2, last=9, captions=captions, caption="End")
    assert [scene.caption_at(each) for each in range(2, 11)] == [
        *("Two", "", "", "Five", "", "", ""),
        *("End", "End"),
    ]


def test_a_scene_that_plays_shows_a_caption_until_the_next():
    captions = (SceneCaption(3, "Three"), SceneCaption(5, "Five"))
    scene = Scene(title="A scene", first=2, last=7, speed=4.0, captions=captions, caption="End")
    assert [scene.caption_at(each) for each in range(2, 8)] == ["", "Three", "Three", "Five", "Five", "End"]
    assert replace(scene, caption="").caption_at(7) == "Five"


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (Scene(title="A", run=4), "scenes[1].run: 4 is not allowed; it must be a whole number from 0 to 3."),
        (
            Scene(title="A", run=1, branch=1),
            "scenes[1].branch: 1 is not allowed; it must be a whole number from 0 to 0.",
        ),
        (
            Scene(title="A", run=1, first=20, last=21),
            "scenes[1].last: 21 is not allowed; it must be at most 20, the iterations of its run.",
        ),
        (
            Scene(title="A", run=3, branch=2, last=91),
            "scenes[1].last: 91 is not allowed; it must be at most 90, the iterations of its branch.",
        ),
        ("a scene", "scenes[1]: 'a scene' is not allowed; it must be a Scene."),
    ],
)
def test_a_scene_that_shows_what_is_not_there_is_refused_with_its_path(scene: Any, message: str):
    with pytest.raises(GpvizError) as caught:
        lecture_of(Scene(title="The first"), scene, runs=(*RUNS, BRANCHED))
    assert str(caught.value) == message


def test_a_lecture_has_so_many_scenes_and_runs_and_no_more():
    scene = Scene(title="A")
    lecture = lecture_of(*[scene] * MAX_SCENES)
    with pytest.raises(GpvizError, match=r"^scenes: there are 501, but at most 500 are allowed\.$"):
        with_scene(lecture, 0, scene)
    with pytest.raises(GpvizError, match=r"^runs: there are 101, but at most 100 are allowed\.$"):
        lecture_of(runs=(RUNS[0],) * (MAX_RUNS + 1))


def test_the_runs_of_a_lecture_are_not_longer_together_than_those_of_a_run_file():
    longest = replace(RUNS[0], iterations=MAX_ITERATIONS)
    most = MAX_TOTAL_ITERATIONS // MAX_ITERATIONS
    lecture_of(runs=(longest,) * most)
    with pytest.raises(GpvizError) as caught:
        lecture_of(runs=(longest,) * (most + 1))
    assert str(caught.value) == (
        "runs: together they have 60,000,000 iterations, but at most 50,000,000 are allowed."
    )


def test_a_new_scene_gets_the_index_it_is_put_at():
    lecture = lecture_of(*scenes_on(0, 1, 2))
    new = Scene(title="new")
    for index in range(4):
        scenes = with_scene(lecture, index, new).scenes
        assert scenes[index] == new
        assert scenes[:index] + scenes[index + 1 :] == lecture.scenes


@given(st.integers(0, 4), st.integers(0, 4))
def test_a_moved_scene_has_its_new_index_and_the_others_keep_their_order(index: int, to: int):
    lecture = lecture_of(*scenes_on(0, 1, 2, 0, 1))
    scenes = moved(lecture, index, to).scenes
    assert scenes[to] == lecture.scenes[index]
    assert scenes[:to] + scenes[to + 1 :] == lecture.scenes[:index] + lecture.scenes[index + 1 :]


def test_a_run_that_no_scene_needs_any_more_is_gone_and_the_others_are_still_shown():
    lecture = lecture_of(*scenes_on(0, 1, 2, 1))
    assert shown_runs(lecture) == [1, 2, 3, 2]
    without_first = without_scene(lecture, 0)
    assert without_first.runs == RUNS[1:]
    assert shown_runs(without_first) == [2, 3, 2]
    assert without_scene(lecture, 1).runs == RUNS
    other = replaced(lecture, 2, Scene(title="other", run=1))
    assert other.runs == RUNS[:2]
    assert shown_runs(other) == [1, 2, 2, 2]


def test_a_text_keeps_a_run_only_where_it_has_iterations_of_it():
    text_scene = Scene(title="Words", has_tree=False, text="Words")
    lecture = lecture_of(Scene(title="A tree", run=0), text_scene, runs=RUNS[:1])
    assert without_scene(lecture, 0) == lecture_of(text_scene, runs=())
    kept = lecture_of(Scene(title="A tree"), replace(text_scene, first=3, last=5), runs=RUNS[:1])
    assert without_scene(kept, 0).runs == RUNS[:1]


def test_a_run_the_lecture_has_is_not_added_again():
    lecture = lecture_of(*scenes_on(0, 1, 2))
    for index, run in enumerate(RUNS):
        assert with_run(lecture, run) == (lecture, index)


def test_a_run_that_goes_on_replaces_its_beginning():
    longer = run_of(30, seed=2)
    lecture, index = with_run(lecture_of(*scenes_on(0, 1, 2)), longer)
    assert (lecture.runs, index) == ((RUNS[0], longer, RUNS[2]), 1)
    assert shown_runs(lecture) == [1, 2, 3]


def test_the_beginning_of_a_run_of_the_lecture_is_shown_in_that_run():
    lecture = lecture_of(*scenes_on(0, 1, 2))
    assert with_run(lecture, run_of(10, seed=2)) == (lecture, 1)


def test_a_run_with_new_bookmarks_or_branches_replaces_the_old_one():
    marked = replace(RUNS[0], bookmarks=(Bookmark(3, "here"),))
    assert with_run(lecture_of(*scenes_on(0, 1, 2)), marked)[0].runs == (marked, *RUNS[1:])
    plain = replace(BRANCHED, branches=())
    fewer = replace(BRANCHED, branches=BRANCHED.branches[:2])
    for before in (plain, fewer):
        lecture, index = with_run(lecture_of(Scene(title="A"), runs=(before,)), BRANCHED)
        assert (lecture.runs, index) == ((BRANCHED,), 0)


def other_branch(**changes: Any) -> RunFile:
    """The run whose first branch is another one."""
    first, *others = BRANCHED.branches
    return replace(BRANCHED, branches=(replace(first, **changes), *others))


@pytest.mark.parametrize(
    "other",
    [
        run_of(30, seed=4),
        run_of(30, limit="7"),
        describe(recorded(RunConfig(n=4, seed=1), 30, parse("x1 | x2"))[2]),
        replace(RUNS[0], fingerprint="sha256:" + "0" * 64),
    ],
    ids=["another seed", "another limit", "another start", "another engine"],
)
def test_a_run_that_only_looks_alike_is_a_run_of_its_own(other: RunFile):
    lecture, index = with_run(lecture_of(*scenes_on(0, 1, 2)), other)
    assert (lecture.runs, index) == ((*RUNS, other), 3)


@pytest.mark.parametrize(
    "other",
    [
        other_branch(at=39),
        other_branch(forced=BRANCHED.branches[0].forced[:1]),
        other_branch(config=BRANCHED.config.replaced(limit="n")),
        other_branch(fingerprint="sha256:" + "0" * 64),
        replace(BRANCHED, branches=BRANCHED.branches[::2], iterations=121),
        replace(BRANCHED, branches=BRANCHED.branches[:2], iterations=121),
    ],
    ids=[
        "another fork",
        "other mutations",
        "other settings",
        "another engine",
        "a branch removed",
        "the last removed",
    ],
)
def test_a_run_with_another_branch_is_a_run_of_its_own(other: RunFile):
    lecture, index = with_run(lecture_of(Scene(title="A", branch=1), runs=(BRANCHED,)), other)
    assert (lecture.runs, index) == ((BRANCHED, other), 1)


def test_a_branch_that_goes_on_by_hand_replaces_its_beginning():
    first = BRANCHED.branches[0]
    by_hand = first.forced[0][1]
    longer = other_branch(iterations=101, forced=(*first.forced, (101, by_hand)))
    lecture, index = with_run(lecture_of(Scene(title="A", branch=1, last=100), runs=(BRANCHED,)), longer)
    assert (lecture.runs, index) == ((longer,), 0)


def test_adding_a_run_drops_those_that_no_scene_needs_and_gives_its_own_index():
    lecture = lecture_of(Scene(title="A", run=2))
    added, index = with_run(lecture, run_of(seed=9))
    assert (added.runs[0], index) == (RUNS[2], 1)
    assert shown_runs(added) == [3]
    again, index = with_run(lecture, RUNS[1])
    assert (again.runs, index) == (RUNS[1:], 0)
    assert shown_runs(again) == [3]


def test_the_legend_of_earlier_versions_is_left_out():
    assert Scene(title="a", panels=("caption", "legend", "curves")).panels == ("caption", "curves")


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        (("timeline",), ("curves",)),
        (("timeline", "caption"), ("curves", "caption")),
        (("caption", "curves", "timeline", "theory"), ("caption", "curves", "theory")),
    ],
)
def test_the_timeline_of_earlier_versions_is_the_strip_with_the_curves(earlier, now):
    assert Scene(title="a", panels=earlier).panels == now
