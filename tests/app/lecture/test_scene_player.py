"""The way through the scenes of a lecture."""

import pytest

from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.lecture.scene_player import ScenePlayer, shows_run
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.lecture.lecture import Lecture, Scene, SceneCaption
from tests.app.lecture.lectures import STUCK, STUCK_TREE, TEXT, lecture, ready, usual


def made(player: Player, talk: Lecture) -> ScenePlayer:
    return ScenePlayer(talk, player, QuizController(player, None, player), player)


def playing(player, *scenes, runs=None, at=0) -> ScenePlayer:
    scene_player = made(player, lecture(*scenes))
    for index, run in enumerate((ready(), ready(STUCK, 6, STUCK_TREE)) if runs is None else runs):
        scene_player.add_run(index, run)
    scene_player.go_to_scene(at)
    return scene_player


def positions_after(scene_player, player, clicks: int, step) -> list[tuple[int, int]]:
    found = []
    for _ in range(clicks):
        step()
        found.append((scene_player.index, player.cursor))
    return found


def test_clicks_go_through_the_range_and_on_to_the_next_scene_and_back(player):
    scene_player = playing(player, Scene(title="a", first=2, last=4), Scene(title="b", first=7, last=8))
    assert (scene_player.index, player.cursor) == (0, 2)
    assert positions_after(scene_player, player, 4, scene_player.forward) == [(0, 3), (0, 4), (1, 7), (1, 8)]
    assert positions_after(scene_player, player, 5, scene_player.back) == [
        (1, 7),
        (0, 4),
        (0, 3),
        (0, 2),
        (0, 2),
    ]


def test_accepted_clicks_stop_only_where_the_tree_changed_at_captions_and_at_the_ends(player):
    changes = set(ready()[0].history.changes().iterations.tolist())
    quiet = [at for at in range(5, 40) if at not in changes]
    first, *captioned, last = quiet[0], quiet[1], quiet[-2], quiet[-1]
    captions = tuple(SceneCaption(at, "Wait.") for at in captioned)
    scene = Scene(title="a", first=first, last=last, is_by_accepted=True, captions=captions)
    scene_player = playing(player, scene, Scene(title="b"))
    between = {at for at in changes if first < at < last}
    assert between
    stops = sorted({first, *between, *captioned, last})
    forward = positions_after(scene_player, player, len(stops) - 1, scene_player.forward)
    assert forward == [(0, at) for at in stops[1:]]
    back = positions_after(scene_player, player, len(stops) - 1, scene_player.back)
    assert back == [(0, at) for at in stops[-2::-1]]


def test_what_comes_next_has_the_caption_that_comes_with_it(player):
    captions = (SceneCaption(0, "Watch."), SceneCaption(2, "Here it comes."))
    scene_player = playing(
        player,
        Scene(title="a", last=3, captions=captions, caption="There."),
        Scene(title="b", first=4, last=6, captions=(SceneCaption(4, "A new rule."),)),
    )
    captions_shown = []
    for _ in range(4):
        captions_shown.append(scene_player.next_moment().caption)
        scene_player.forward()
    assert captions_shown == ["", "Here it comes.", "There.", "A new rule."]


def test_nothing_is_ever_computed_or_shown_beyond_the_end_of_a_scene(player, qtbot):
    scene_player = playing(player, Scene(title="a", first=38, last=40), Scene(title="b", first=0, last=1))
    seen = []
    player.moment_changed.connect(lambda: seen.append(player.cursor))
    for _ in range(500):  # a clicker that got stuck
        scene_player.forward()
    assert scene_player.is_ended
    assert len(player.run.history) == 40
    assert max(seen) == 40
    qtbot.waitUntil(lambda: player.is_settled)
    assert len(player.run.history) == 40


@pytest.mark.parametrize(("first", "last"), [(3, 23), (0, 40)])
def test_a_scene_with_a_speed_plays_by_itself_to_its_end_and_makes_no_more_iterations(
    player, qtbot, first, last
):
    scene_player = playing(player, Scene(title="a", first=first, last=last, speed=2000.0), Scene(title="b"))
    assert player.is_playing
    qtbot.waitUntil(lambda: player.cursor == last and player.is_settled)
    assert (scene_player.index, len(player.run.history)) == (0, 40)


def test_a_click_into_a_scene_that_plays_goes_to_its_end_and_the_next_one_on(player):
    scene_player = playing(
        player, Scene(title="a", first=3, last=23, speed=0.5), Scene(title="b", first=1, last=1)
    )
    assert positions_after(scene_player, player, 2, scene_player.forward) == [(0, 23), (1, 1)]
    assert not player.is_playing
    scene_player.back()
    assert (scene_player.index, player.cursor, player.is_playing) == (0, 23, False)
    scene_player.back()
    assert (scene_player.index, player.cursor) == (0, 3)


def test_the_first_stuck_tree_does_not_pause_a_scene_that_plays(player, qtbot):
    run = ready(STUCK, 6, STUCK_TREE)
    run[0].stuck_since = 1
    playing(player, Scene(title="a", first=0, last=5, speed=1000.0), runs=(run,))
    qtbot.waitUntil(lambda: not player.is_playing)
    assert player.cursor == 5


def test_after_the_last_click_the_lecture_has_ended_and_can_be_gone_back_into(player):
    scene_player = playing(player, Scene(title="a", first=2, last=3))
    for _ in range(5):
        scene_player.forward()
    scene_player.next_scene()
    scene_player.back(is_held=True)
    assert scene_player.is_ended
    scene_player.back()
    assert (scene_player.is_ended, player.cursor) == (False, 3)
    scene_player.next_scene()
    scene_player.handlers()[LectureCommand.PREVIOUS_SCENE]()
    assert (scene_player.is_ended, scene_player.index, player.cursor) == (False, 0, 2)


def test_a_scene_waits_for_its_run_and_clicks_change_nothing_meanwhile(player):
    scene_player = made(player, usual())
    wanted: list[int] = []
    scene_player.run_wanted.connect(wanted.append)
    scene_player.go_to_scene(2)
    assert (scene_player.is_waiting, wanted) == (True, [1])
    scene_player.forward()
    scene_player.forward()
    assert scene_player.index == 2
    scene_player.add_run(0, ready())
    still_waits = scene_player.is_waiting
    scene_player.add_run(1, ready(STUCK, 6, STUCK_TREE))
    assert (still_waits, scene_player.is_waiting) == (True, False)
    assert player.run.history.config == STUCK


def test_a_scene_that_was_come_to_from_behind_still_opens_at_its_end_when_its_run_comes(player):
    scene_player = made(player, usual())
    scene_player.go_to_scene(1)
    scene_player.back()
    assert (scene_player.index, scene_player.is_waiting) == (0, True)
    scene_player.add_run(0, ready())
    assert player.cursor == 3


def test_a_text_needs_no_run(player):
    scene_player = made(player, usual())
    scene_player.go_to_scene(1)
    assert not scene_player.is_waiting
    assert not shows_run(scene_player.scene)
    assert shows_run(Scene(title="a", has_tree=False, panels=("curves",)))
    assert shows_run(Scene(title="a", has_tree=False, page="rows"))


def test_what_comes_next_is_the_next_step_the_next_scene_or_the_end(player):
    scene_player = playing(player, Scene(title="a", first=2, last=3), Scene(title="b", first=7, last=7))
    found = []
    for _ in range(4):
        upcoming = scene_player.next_moment()
        found.append((upcoming.title, upcoming.moment and upcoming.moment.iteration))
        scene_player.forward()
    end = ("Next scene: The end", None)
    assert found == [("Next: Iteration 3", 3), ("Next scene: b", 7), end, end]


def test_what_comes_next_has_no_tree_while_its_run_is_not_there(player):
    scene_player = made(player, usual())
    scene_player.add_run(0, ready())
    scene_player.go_to_scene(1)
    upcoming = scene_player.next_moment()
    assert (upcoming.title, upcoming.moment) == ("Next scene: Stuck", None)
    scene_player.go_to_scene(0)
    for _ in range(3):
        scene_player.forward()
    assert scene_player.next_moment().text == TEXT


def test_another_scene_of_the_same_branch_keeps_the_run_on_show(player):
    scene_player = playing(player, Scene(title="a", first=2, last=2), Scene(title="b", first=9, last=9))
    changes = []
    player.run_changed.connect(lambda: changes.append(True))
    scene_player.forward()
    assert (player.cursor, changes) == (9, [])
