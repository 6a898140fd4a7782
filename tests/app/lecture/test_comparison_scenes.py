"""Scenes that compare runs: all of them at the same iteration, click by click."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton

from gpviz.app.lanes.recorded_lane import RecordedLane
from gpviz.app.lecture.scene_content_view import ComparisonView
from gpviz.app.lecture.scene_player import ScenePlayer
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.engine import RunConfig
from gpviz.lecture.lecture import Scene
from tests.app.lecture.contents import COMPARISON
from tests.app.lecture.lectures import STUCK, STUCK_TREE, lecture, ready
from tests.runs.runs import recorded

SCENE = Scene(title="Compared", first=2, last=9, has_tree=False, content=COMPARISON, caption="Look.")


@pytest.fixture
def view(qtbot):
    made = ComparisonView()
    made.set_reduced_motion(True)
    qtbot.addWidget(made)
    made.resize(1280, 700)
    made.show()
    yield made
    made.shut_down()


def iterations_of(view: Any) -> list[int]:
    """Where each of the trees is."""
    return [tree.canvas.moment.iteration for tree in view.trees]


def test_a_lecture_shows_its_runs_side_by_side_at_the_same_iteration(mode, qtbot):
    mode.start_lecture(lecture(SCENE))
    qtbot.waitUntil(lambda: not mode.scene_player.is_waiting)
    view = mode.audience.content.view
    assert isinstance(view, ComparisonView)
    assert [tree.label_view.text() for tree in view.trees] == ["Usual", "Stuck"]
    assert not any(button.isVisible() and button.width() for button in view.findChildren(QAbstractButton))
    mode.scene_player.forward()
    assert iterations_of(view) == [3, 3]
    assert (mode.audience.caption.position, mode.audience.caption.text) == ("t = 3", "")
    while mode.player.cursor < 9:
        mode.scene_player.forward()
    assert iterations_of(view) == [9, 6], "one ends at iteration 6"
    assert (mode.audience.caption.position, mode.audience.caption.text) == ("t = 9", "Look.")
    assert mode.audience.caption.isVisible()
    mode.scene_player.back()
    assert iterations_of(view)[0] == 8


def test_a_comparison_waits_for_all_its_runs(player):
    scene_player: Any = ScenePlayer(lecture(SCENE), player, QuizController(player, None, player))
    wanted: list[int] = []
    scene_player.run_wanted.connect(wanted.append)
    scene_player.go_to_scene(0)
    assert wanted == [1, 0]
    scene_player.add_run(0, ready())
    assert scene_player.is_waiting
    assert scene_player.lanes_of(SCENE) == ()
    scene_player.add_run(1, ready(STUCK, 6, STUCK_TREE))
    assert not scene_player.is_waiting
    assert [lane.label for lane in scene_player.lanes_of(SCENE)] == ["Usual", "Stuck"]
    assert scene_player.next_moment().moment is not None, "the speaker sees the run that the scene goes along"


def test_the_speaker_sees_a_comparison_before_it_comes(mode, qtbot):
    mode.start_lecture(lecture(Scene(title="Words", has_tree=False, text="Words"), SCENE), is_rehearsal=True)
    qtbot.waitUntil(lambda: bool(mode.scene_player.lanes_of(SCENE)))
    preview = mode.presenter.next_content
    qtbot.waitUntil(lambda: preview.findChild(ComparisonView) is not None)
    view = preview.findChild(ComparisonView)
    qtbot.waitUntil(lambda: len(view.trees) == 2)
    assert preview.isVisible()
    assert preview.accessibleDescription() == "Comparison: Usual, Stuck"
    assert iterations_of(view) == [2, 2]


def lanes(*pairs: tuple[str, int]) -> list[RecordedLane]:
    return [RecordedLane(label, recorded(RunConfig(n=3, seed=seed), 60)[2]) for label, seed in pairs]


def test_each_run_says_how_it_stands(view):
    stuck = RecordedLane("Stuck", ready(STUCK, 6, STUCK_TREE)[0].history, stuck_since=0)
    solved = lanes(("Solved", 1))[0]
    view.show_lanes([stuck, solved])
    view.show_iteration(60)
    assert solved.ending is not None
    assert [tree.chip.text for tree in view.trees] == [
        "stuck from the start",
        f"solved in iteration {solved.ending.iteration}",
    ]
    view.show_iteration(0)
    assert [tree.chip.text for tree in view.trees] == ["stuck from the start", "start"]
    assert view.accessibleDescription() == "Runs side by side: Stuck, Solved."


def test_there_may_be_more_or_fewer_runs_than_before(view, qtbot):
    for count in (2, 4, 3):
        view.show_lanes(lanes(*((f"run {seed}", seed) for seed in range(count))))
        view.show_iteration(5)
        assert len(view.trees) == count
        rows = 2 if count == 4 else 1
        qtbot.waitUntil(lambda rows=rows: len({tree.y() for tree in view.trees}) == rows)
        # The curves are below the trees, or beside four of them.
        qtbot.waitUntil(lambda count=count: (view.curves.y() > 0) == (count < 4))
        qtbot.waitUntil(lambda: all(tree.canvas.height() > 100 for tree in view.trees))


def test_in_a_hurry_only_the_trees_are_shown(view):
    view.show_lanes(lanes(("a", 0), ("b", 1)))
    view.show_iteration(5, is_hurried=True)
    assert [tree.canvas.moment.step for tree in view.trees] == [None, None]
    view.show_iteration(5)
    assert all(tree.canvas.moment.step is not None for tree in view.trees)


def test_a_comparison_that_plays_fast_ends_with_what_its_last_steps_did(mode, qtbot):
    mode.start_lecture(lecture(replace(SCENE, speed=200.0)))
    qtbot.waitUntil(lambda: not mode.scene_player.is_waiting and not mode.player.is_playing)
    view = mode.audience.content.view
    assert iterations_of(view) == [9, 6]
    assert view.trees[0].canvas.moment.step is not None
