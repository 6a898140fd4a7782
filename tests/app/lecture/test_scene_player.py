"""The way through the scenes of a lecture."""

import pytest

from gpviz.app.lecture.scene_player import ScenePlayer, shows_run
from gpviz.app.player.player import Player
from gpviz.lecture.lecture import Scene, SceneCaption
from tests.app.lecture.lectures import CONFIG, STUCK, STUCK_TREE, TEXT, lecture, ready, usual


@pytest.fixture
def controller(qapp):
    made = Player.for_run(CONFIG)
    yield made
    made.close()


def playing(controller, *scenes, runs=None, at=0) -> ScenePlayer:
    player = ScenePlayer(lecture(*scenes), controller)
    for index, run in enumerate((ready(), ready(STUCK, 6, STUCK_TREE)) if runs is None else runs):
        player.add_run(index, run)
    player.go_to_scene(at)
    return player


def positions_after(player, controller, clicks: int, step) -> list[tuple[int, int]]:
    found = []
    for _ in range(clicks):
        step()
        found.append((player.index, controller.cursor))
    return found


def test_clicks_go_through_the_range_and_on_to_the_next_scene_and_back(controller):
    player = playing(controller, Scene(title="a", first=2, last=4), Scene(title="b", first=7, last=8))
    assert (player.index, controller.cursor) == (0, 2)
    assert positions_after(player, controller, 4, player.forward) == [(0, 3), (0, 4), (1, 7), (1, 8)]
    assert positions_after(player, controller, 5, player.back) == [(1, 7), (0, 4), (0, 3), (0, 2), (0, 2)]


def test_accepted_clicks_stop_only_where_the_tree_changed_and_at_the_ends(controller):
    changes = set(ready()[0].recorded.history.changes().iterations.tolist())
    first, last = (
        next(at for at in tried if at not in changes) for tried in (range(5, 40), range(35, 5, -1))
    )
    player = playing(
        controller, Scene(title="a", first=first, last=last, is_by_accepted=True), Scene(title="b")
    )
    stops = {at for at in changes if first < at < last}
    assert stops
    wanted = sorted({*stops, last})
    assert [
        cursor for _, cursor in positions_after(player, controller, len(wanted), player.forward)
    ] == wanted
    back = sorted({first, *stops}, reverse=True)
    assert [cursor for _, cursor in positions_after(player, controller, len(back), player.back)] == back
    assert player.index == 0


def test_accepted_clicks_stop_at_captions_as_well(controller):
    changes = set(ready()[0].recorded.history.changes().iterations.tolist())
    quiet = [
        at for at in range(6, 39) if at not in changes and at - 1 not in changes and at + 1 not in changes
    ]
    captions = (SceneCaption(quiet[0], "Wait."), SceneCaption(quiet[-1], "Almost."))
    scene = Scene(title="a", first=5, last=40, is_by_accepted=True, captions=captions, caption="There.")
    player = playing(controller, scene)
    stops = sorted({*(at for at in changes if 5 < at < 40), quiet[0], quiet[-1], 40})
    assert [cursor for _, cursor in positions_after(player, controller, len(stops), player.forward)] == stops
    back = [*stops[-2::-1], 5]
    assert [cursor for _, cursor in positions_after(player, controller, len(back), player.back)] == back


def test_what_comes_next_has_the_caption_that_comes_with_it(controller):
    captions = (SceneCaption(0, "Watch."), SceneCaption(2, "Here it comes."))
    player = playing(
        controller,
        Scene(title="a", last=3, captions=captions, caption="There."),
        Scene(title="b", first=4, last=6, captions=(SceneCaption(4, "A new rule."),)),
    )
    captions_shown = []
    for _ in range(4):
        captions_shown.append(player.next_moment().caption)
        player.forward()
    assert captions_shown == ["", "Here it comes.", "There.", "A new rule."]


def test_nothing_is_ever_computed_or_shown_beyond_the_end_of_a_scene(controller, qtbot):
    player = playing(controller, Scene(title="a", first=38, last=40), Scene(title="b", first=0, last=1))
    seen = []
    controller.moment_changed.connect(lambda: seen.append(controller.cursor))
    for _ in range(500):  # a clicker that got stuck
        player.forward()
    assert player.is_ended
    assert len(controller.run.history) == 40
    assert max(seen) == 40
    qtbot.waitUntil(lambda: controller.is_settled)
    assert len(controller.run.history) == 40


def test_a_scene_with_a_speed_plays_by_itself_to_its_end(controller, qtbot):
    player = playing(controller, Scene(title="a", first=3, last=23, speed=2000.0), Scene(title="b"))
    was_playing = player.is_playing
    qtbot.waitUntil(lambda: controller.cursor == 23 and not controller.is_playing)
    assert (was_playing, player.is_playing) == (True, False)
    assert player.index == 0
    assert len(controller.run.history) == 40


def test_a_scene_that_plays_to_the_very_end_of_its_run_makes_no_more_iterations(controller, qtbot):
    player = playing(controller, Scene(title="a", first=0, last=40, speed=5000.0))
    qtbot.waitUntil(lambda: not player.is_playing)
    assert (controller.cursor, len(controller.run.history)) == (40, 40)
    qtbot.waitUntil(lambda: controller.is_settled)
    assert len(controller.run.history) == 40


def test_a_click_into_a_scene_that_plays_goes_to_its_end_and_the_next_one_on(controller):
    player = playing(
        controller, Scene(title="a", first=3, last=23, speed=0.5), Scene(title="b", first=1, last=1)
    )
    assert positions_after(player, controller, 2, player.forward) == [(0, 23), (1, 1)]
    assert not controller.is_playing
    player.back()
    assert (player.index, controller.cursor, player.is_playing) == (0, 23, False)
    player.back()
    assert (player.index, controller.cursor) == (0, 3)


def test_the_first_stuck_tree_does_not_pause_a_scene_that_plays(controller, qtbot):
    run = ready(STUCK, 6, STUCK_TREE)
    run[0].recorded.stuck_since = 1
    player = playing(controller, Scene(title="a", first=0, last=5, speed=1000.0), runs=(run,))
    qtbot.waitUntil(lambda: not player.is_playing)
    assert controller.cursor == 5


def test_pausing_a_scene_that_plays_is_noticed(controller):
    player = playing(controller, Scene(title="a", first=3, last=23, speed=0.5))
    controller.pause()
    assert not player.is_playing


def test_scenes_can_be_gone_to_in_any_order(controller):
    player = playing(controller, *usual().scenes)
    changes: list[int] = []
    player.scene_changed.connect(changes.append)
    player.next_scene()
    player.next_scene()
    player.previous_scene()
    player.go_to_scene(99)
    player.go_to_scene(-5)
    player.previous_scene()
    assert changes == [1, 2, 1, 2, 0, 0]


def test_after_the_last_click_the_lecture_has_ended_and_can_be_gone_back_into(controller):
    player = playing(controller, Scene(title="a", first=2, last=3))
    for _ in range(5):
        player.forward()
    player.next_scene()
    player.back(is_held=True)
    assert player.is_ended
    player.back()
    assert (player.is_ended, controller.cursor) == (False, 3)
    player.next_scene()
    player.previous_scene()
    assert (player.is_ended, player.index, controller.cursor) == (False, 0, 2)


def test_a_scene_waits_for_its_run_and_clicks_change_nothing_meanwhile(controller):
    player = ScenePlayer(usual(), controller)
    wanted: list[int] = []
    player.run_wanted.connect(wanted.append)
    player.go_to_scene(2)
    assert (player.is_waiting, wanted) == (True, [1])
    player.forward()
    player.forward()
    assert player.index == 2
    player.add_run(0, ready())
    still_waits = player.is_waiting
    player.add_run(1, ready(STUCK, 6, STUCK_TREE))
    assert (still_waits, player.is_waiting) == (True, False)
    assert controller.run.history.config == STUCK


def test_a_scene_that_was_come_to_from_behind_still_opens_at_its_end_when_its_run_comes(controller):
    player = ScenePlayer(usual(), controller)
    player.go_to_scene(1)
    player.back()
    assert (player.index, player.is_waiting) == (0, True)
    player.add_run(0, ready())
    assert controller.cursor == 3


def test_clicks_go_past_a_scene_whose_run_cannot_be_shown(controller):
    player = ScenePlayer(usual(), controller)
    player.go_to_scene(0)
    player.give_up(0, "It is damaged.")
    player.forward()
    assert player.index == 1
    player.back()
    assert (player.index, player.is_waiting) == (0, True)


def test_a_text_needs_no_run(controller):
    player = ScenePlayer(usual(), controller)
    player.go_to_scene(1)
    assert not player.is_waiting
    assert not shows_run(player.scene)
    assert shows_run(Scene(title="a", has_tree=False, panels=("curves",)))
    assert shows_run(Scene(title="a", has_tree=False, page="rows"))


def test_what_comes_next_is_the_next_step_the_next_scene_or_the_end(controller):
    player = playing(controller, Scene(title="a", first=2, last=3), Scene(title="b", first=7, last=7))
    upcoming = player.next_moment()
    assert (upcoming.title, upcoming.is_new_scene) == ("Iteration 3", False)
    assert upcoming.moment is not None
    assert upcoming.moment.iteration == 3
    player.forward()
    upcoming = player.next_moment()
    assert (upcoming.title, upcoming.is_new_scene) == ("b", True)
    assert upcoming.moment is not None
    assert upcoming.moment.iteration == 7
    player.forward()
    assert (player.next_moment().title, player.next_moment().moment) == ("The end", None)
    player.forward()
    assert player.next_moment().title == "The end"


def test_what_comes_next_has_no_tree_while_its_run_is_not_there(controller):
    player = ScenePlayer(usual(), controller)
    player.add_run(0, ready())
    player.go_to_scene(1)
    assert (player.next_moment().title, player.next_moment().moment) == ("Stuck", None)
    player.go_to_scene(0)
    for _ in range(3):
        player.forward()
    assert player.next_moment().text == TEXT


def test_another_scene_of_the_same_branch_keeps_the_run_on_show(controller):
    player = playing(controller, Scene(title="a", first=2, last=2), Scene(title="b", first=9, last=9))
    changes = []
    controller.run_changed.connect(lambda: changes.append(True))
    player.forward()
    assert (controller.cursor, changes) == (9, [])
