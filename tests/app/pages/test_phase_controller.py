"""Moving and playing through the phases: what opens, what closes, and who plays."""

import pytest

from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.player.player import Player
from gpviz.engine import RunConfig
from gpviz.explain.iteration_phases import Phase, phases_of
from gpviz.explain.moment import moment_at
from gpviz.runs.pause_rules import PauseRules

CONFIG = RunConfig(n=6, limit="n", seed=1)
QUICK = 1.0


@pytest.fixture
def seen(phases):
    """What is reported of the phases: iteration and index, or None."""
    reported = []
    phases.phase_changed.connect(lambda view: reported.append(view and (view.iteration, view.index)))
    return reported


@pytest.fixture
def quickly(phases, monkeypatch):
    """Plays without waiting for the pace."""
    monkeypatch.setattr(phases, "interval_ms", lambda: 1)


def indices(player: Player, iteration: int) -> list[tuple[int, int]]:
    views = phases_of(moment_at(player.run.history, iteration))
    return [(iteration, view.index) for view in views]


def down(phases: PhaseController, qtbot) -> None:
    phases.down()
    qtbot.waitUntil(lambda: not phases.is_waiting)


def test_at_the_start_down_makes_the_first_iteration_and_opens_it(player, phases, seen, qtbot):
    phases.down()
    assert phases.is_waiting
    phases.down()  # does not ask twice
    qtbot.waitUntil(lambda: not phases.is_waiting)
    assert seen == [(1, 0)]
    assert len(player.run.history) == 1


def test_down_goes_through_all_phases_of_all_iterations(player, phases, seen, qtbot):
    while player.cursor < 8:
        down(phases, qtbot)
    assert seen[:-1] == [phase for t in range(1, 8) for phase in indices(player, t)]
    assert None not in seen


def test_up_goes_back_the_same_way_to_the_start(record, player, phases, seen, qtbot):
    record(6)
    phases.up()
    while player.cursor:
        phases.up()
    forward = [phase for t in range(1, 7) for phase in indices(player, t)]
    assert seen == [*reversed(forward), None]
    phases.up()
    assert (player.cursor, phases.current) == (0, None)


def test_moving_the_cursor_otherwise_closes_the_phases(record, player, phases, seen, qtbot):
    record(5)
    for move in (player.step_back, player.step_forward, player.go_first, player.go_live):
        phases.down()
        assert phases.current is not None or phases.is_waiting
        move()
        assert phases.current is None
    assert seen[-1] is None


def test_a_move_while_the_next_iteration_is_awaited_calls_it_off(record, player, phases, qtbot):
    record(5)
    phases.open(99)
    phases.down()
    assert phases.is_waiting
    player.go_to(2)
    assert not phases.is_waiting
    qtbot.waitUntil(lambda: player.is_settled)
    assert (player.cursor, phases.current) == (2, None)


# --- playing ---


def test_playing_with_the_phases_shows_all_of_them(player, phases, seen, quickly, qtbot):
    player.set_speed(QUICK)
    phases.set_plays_phases(True)
    phases.toggle_playing()
    assert phases.is_playing
    assert not player.is_playing
    qtbot.waitUntil(lambda: player.cursor >= 4)
    phases.toggle_playing()
    assert not phases.is_playing
    expected = [phase for t in range(1, 4) for phase in indices(player, t)]
    assert seen[: len(expected)] == expected
    qtbot.waitUntil(lambda: not phases.is_waiting)  # an iteration that was asked for still comes


def test_when_the_controller_begins_to_play_slowly_the_phases_take_over(player, phases, quickly, qtbot):
    player.set_speed(QUICK)
    phases.set_plays_phases(True)
    player.play()
    assert (phases.is_playing, player.is_playing) == (True, False)
    player.play()
    assert (phases.is_playing, player.is_playing) == (True, False)
    phases.pause()
    assert (phases.is_playing, player.is_playing) == (False, False)


def test_faster_than_one_iteration_a_second_the_controller_plays(player, phases, qtbot):
    player.set_speed(8)
    phases.set_plays_phases(True)
    phases.play()
    assert (phases.is_playing, player.is_playing) == (False, True)
    player.set_speed(0.5)
    assert (phases.is_playing, player.is_playing) == (True, False)
    player.set_speed(1.0)
    assert phases.is_playing
    player.set_speed(30)
    assert (phases.is_playing, player.is_playing) == (False, True)
    phases.toggle_playing()
    assert (phases.is_playing, player.is_playing) == (False, False)


def test_moving_by_hand_stops_the_phases(record, player, phases, quickly, qtbot):
    record(5)
    player.go_to(2)
    player.set_speed(QUICK)
    phases.set_plays_phases(True)
    for move in (phases.down, phases.up, player.step_forward, player.step_back):
        phases.play()
        move()
        assert not phases.is_playing


def test_a_reason_to_pause_in_what_is_recorded_stops_at_the_verdict(record, player, phases, quickly, qtbot):
    record(8)
    player.go_first()
    player.set_rules(PauseRules(stuck=False, solved=False, iteration=4))
    player.set_speed(QUICK)
    phases.set_plays_phases(True)
    with qtbot.waitSignal(phases.paused_by) as paused:
        phases.play()
    assert paused.args[0]
    assert not phases.is_playing
    assert player.cursor == 4
    assert phases.current.phase is Phase.VERDICT
    phases.play()
    qtbot.waitUntil(lambda: player.cursor >= 6)
    phases.pause()


def test_a_reason_to_pause_at_the_live_end_stops_at_the_verdict(player, phases, quickly, qtbot):
    player.set_rules(PauseRules(stuck=False, solved=False, iteration=3))
    player.set_speed(QUICK)
    phases.set_plays_phases(True)
    with qtbot.assertNotEmitted(phases.paused_by), qtbot.waitSignal(player.paused_by):
        phases.play()
    qtbot.waitUntil(lambda: not phases.is_playing)
    assert player.cursor == 3
    assert phases.current.phase is Phase.VERDICT


def test_where_no_iteration_comes_nothing_is_waited_for(player, phases, qtbot):
    for signal in (player.paused_by, player.problem_met):
        phases.down()
        assert phases.is_waiting
        signal.emit("No more.")
        assert not phases.is_waiting
        qtbot.waitUntil(lambda: player.is_settled)
        player.start_run(CONFIG)
