"""The linked runs: one cursor for all, nothing is lost, and each run stops where it ends and the others go on."""

import math

import pytest

from gpviz.app.player.played_run import Ending, PlayedRun
from gpviz.app.player.player import Player
from gpviz.engine import RlsGp, RunConfig
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.history import Generalisation, History
from gpviz.runs.presets import LaneSpec, find_comparison
from gpviz.runs.step_encoding import Property

LEAF, SUBTREE = find_comparison("leaf-or-subtree").lanes
SEEDS = find_comparison("four-seeds").lanes
STUCK_START, WAY_OUT = find_comparison("out-of-a-stuck-tree").lanes
ENDLESS = LaneSpec(
    label="Endless",
    config=RunConfig(n=5, limit="4", fitness="sampled", rows=2000, sampler="counts", seed=1),
)


@pytest.fixture
def player(qapp):
    made = Player(stops_at_endings=True)
    yield made
    made.close()


def made(player: Player, spec: LaneSpec | tuple[History, int | None]) -> PlayedRun:
    """A run to be made, or a copy of one that is recorded and stuck from an iteration on."""
    if isinstance(spec, LaneSpec):
        return player.new_run(spec.config, spec.start_tree, spec.script)
    return player.copy_of(spec[0], Generalisation(), spec[1])


def fill(player: Player, *specs, cursor: int = 0) -> None:
    player.set_runs([made(player, spec) for spec in specs], cursor)


def play_out(player: Player, qtbot, speed: float = math.inf) -> None:
    player.set_speed(speed)
    player.play()
    qtbot.waitUntil(lambda: not player.is_playing)


def settle(player: Player, qtbot) -> None:
    qtbot.waitUntil(lambda: player.is_settled)


def recorded(config: RunConfig, iterations: int) -> History:
    search, history = RlsGp(config), History(config)
    for _ in range(iterations):
        history.append(search.step())
    return history


def lengths(player: Player) -> list[int]:
    return [len(run.history) for run in player.runs]


@pytest.mark.parametrize("speed", [math.inf, 5000.0])
def test_each_run_ends_where_it_is_stuck_or_solved_and_playing_ends_with_the_last(player, qtbot, speed):
    fill(player, *SEEDS)
    play_out(player, qtbot, speed)
    assert lengths(player) == [107, 31, 66, 42]
    assert (player.cursor, player.has_ended) == (107, True)
    assert [run.ending.outcome for run in player.runs] == ["solved", "solved", "stuck", "solved"]
    assert [player.cursor_in(run) for run in player.runs] == [107, 31, 66, 42]


def test_the_runs_are_those_the_engine_makes(player, qtbot):
    fill(player, LEAF, SUBTREE)
    play_out(player, qtbot)
    for run in player.runs:
        assert run.history.fingerprint() == recorded(run.config, len(run.history)).fingerprint()


def test_a_step_forward_makes_one_iteration_of_each_run(player, qtbot):
    fill(player, LEAF, SUBTREE)
    for wanted in (1, 2, 3):
        player.step_forward()
        qtbot.waitUntil(lambda wanted=wanted: player.cursor == wanted)
    assert lengths(player) == [3, 3]
    settle(player, qtbot)


def test_steps_in_a_hurry_are_all_made(player, qtbot):
    fill(player, LEAF, SUBTREE)
    for _ in range(5):
        player.step_forward()
    qtbot.waitUntil(lambda: player.cursor == 5)
    assert lengths(player) == [5, 5]


def test_going_back_loses_nothing_and_going_on_shows_the_same_again(player, qtbot):
    fill(player, *SEEDS)
    play_out(player, qtbot)
    before = [run.history.fingerprint() for run in player.runs]
    player.go_first()
    assert [player.cursor_in(run) for run in player.runs] == [0, 0, 0, 0]
    player.go_to(40)
    assert [player.cursor_in(run) for run in player.runs] == [40, 31, 40, 40]
    player.step_back()
    assert [player.cursor_in(run) for run in player.runs] == [39, 31, 39, 39]
    player.go_live()
    assert player.cursor == 107
    assert [run.history.fingerprint() for run in player.runs] == before


def test_the_next_change_is_the_first_of_any_run(player, qtbot):
    fill(player, LEAF, SEEDS[0])
    expected = sorted(
        {
            place
            for config in (LEAF.config, SEEDS[0].config)
            for place in recorded(config, 81).changes().iterations.tolist()
            if 0 < place <= 81
        }
    )[:8]
    found = []
    for _ in expected:
        player.go_next_accepted()
        qtbot.waitUntil(lambda: not player.is_playing and player.is_settled)
        found.append(player.cursor)
    assert found == expected
    for place in reversed(expected[:-1]):
        player.go_previous_accepted()
        assert player.cursor == place


def test_past_the_last_change_the_search_ends_at_the_end(player, qtbot):
    fill(player, STUCK_START, STUCK_START)
    player.go_next_accepted()
    qtbot.waitUntil(lambda: not player.is_playing and player.is_settled)
    assert player.has_ended
    player.go_next_accepted()
    assert not player.is_playing


def test_a_stuck_start_makes_one_step_and_no_more_while_the_other_goes_on(player, qtbot):
    fill(player, STUCK_START, WAY_OUT)
    play_out(player, qtbot)
    assert lengths(player) == [1, 34]
    assert player.runs[0].ending.iteration == 0


def test_at_a_slow_pace_all_runs_are_at_the_same_iteration(player, qtbot):
    fill(player, LEAF, SUBTREE)
    player.set_speed(60.0)
    seen = []
    player.moment_changed.connect(lambda: seen.append([player.cursor_in(run) for run in player.runs]))
    player.play()
    qtbot.waitUntil(lambda: player.cursor >= 8)
    player.pause()
    assert all(one == other for one, other in seen)


def test_at_full_speed_none_runs_away_from_the_others(player, qtbot):
    slow = LaneSpec(label="Slow", config=ENDLESS.config.replaced(sampler="rows", rows=5000))
    fill(player, ENDLESS, slow)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: player.cursor > 30)
    player.pause()
    assert player.cursor <= min(lengths(player))
    assert max(lengths(player)) - min(lengths(player)) <= 20_000
    settle(player, qtbot)


def test_playing_backwards_ends_at_the_start(player, qtbot):
    fill(player, *SEEDS[:2])
    play_out(player, qtbot)
    player.play_backwards()
    qtbot.waitUntil(lambda: not player.is_playing)
    assert player.cursor == 0
    assert lengths(player) == [107, 31]


def test_what_is_recorded_is_played_again_at_full_speed(player, qtbot):
    fill(player, *SEEDS[:2])
    play_out(player, qtbot)
    player.go_first()
    play_out(player, qtbot)
    assert player.cursor == 107


def test_there_is_nothing_to_play_at_the_end(player, qtbot):
    fill(player, *SEEDS[:2])
    play_out(player, qtbot)
    player.play()
    player.step_forward()
    assert (player.is_playing, player.cursor) == (False, 107)


def test_changing_the_speed_while_playing_keeps_the_pace_and_loses_nothing(player, qtbot):
    fill(player, LEAF, SUBTREE)
    player.set_speed(math.inf)
    player.toggle_playing()
    player.set_speed(20.0)  # so slow that it cannot have ended when it is paused
    qtbot.waitUntil(lambda: player.cursor >= 5)
    player.toggle_playing()
    assert not player.is_playing
    settle(player, qtbot)
    play_out(player, qtbot)
    assert lengths(player) == [81, 128]


def test_the_live_end_while_playing_is_where_all_runs_are(player, qtbot):
    fill(player, ENDLESS, ENDLESS)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: player.cursor > 100)
    player.go_live()
    assert player.is_playing
    player.pause()
    assert player.rate is None


def test_from_the_live_end_a_slow_run_plays_on(player, qtbot):
    fill(player, *((recorded(ENDLESS.config, 500), None) for _ in range(2)))
    player.set_speed(2.0)
    player.play()
    player.go_live()
    assert player.cursor == 500
    qtbot.waitUntil(lambda: player.cursor > 501)
    player.pause()


def test_a_recorded_run_is_compared_with_all_that_is_recorded_and_goes_on_by_itself(player, qtbot):
    original = recorded(SUBTREE.config, 50)
    fill(player, (original, None), SUBTREE)
    assert lengths(player) == [50, 0]
    play_out(player, qtbot)
    assert lengths(player) == [128, 128]
    assert len(original) == 50
    first, second = player.runs
    assert first.history.fingerprint() == second.history.fingerprint()


def test_going_beyond_what_a_run_has_makes_it_so_far_first(player, qtbot):
    fill(player, (recorded(SUBTREE.config, 50), None), SUBTREE)
    player.go_to(40)
    qtbot.waitUntil(lambda: player.cursor == 40)
    assert lengths(player) == [50, 40]
    assert [player.cursor_in(run) for run in player.runs] == [40, 40]


def test_a_recorded_run_knows_where_it_was_solved_and_that_it_was_stuck(player):
    solved = recorded(SUBTREE.config, 150)
    stuck = recorded(LEAF.config, 200)
    fill(player, (solved, None), (stuck, 81))
    assert [(run.ending.outcome, run.ending.iteration) for run in player.runs] == [
        ("solved", 128),
        ("stuck", 81),
    ]
    assert (player.has_ended, player.longest, player.live_end) == (False, 200, 200)


def test_a_target_as_start_is_solved_from_the_start(player):
    config = RunConfig(n=2, seed=1)
    fill(player, LaneSpec(label="Done", config=config, start="x1 & x2"), LEAF)
    assert (player.runs[0].ending.outcome, player.runs[0].ending.iteration) == ("solved", 0)


def test_runs_that_stay_keep_what_they_have_and_those_that_go_are_ended(player, qtbot):
    fill(player, LEAF, SUBTREE)
    player.go_next_accepted()
    qtbot.waitUntil(lambda: not player.is_playing and player.is_settled)
    first, second = player.runs
    at = player.cursor
    new = made(player, SEEDS[0])
    player.set_runs([first, new], at)
    qtbot.waitUntil(lambda: len(new.history) >= at)
    assert player.runs[0] is first
    assert not second.is_running


def test_a_run_that_fails_is_reported_and_the_others_go_on(player, qtbot):
    impossible = LaneSpec(label="A", config=LEAF.config, script=parse_script("insert x1; delete 9"))
    fill(player, impossible, SUBTREE)
    problems: list[str] = []
    player.problem_met.connect(problems.append)
    play_out(player, qtbot)
    assert problems == ["script, entry 2, 'delete 9': node: 9 is not allowed; it must be from 1 to 1."]
    assert player.runs[0].ending == Ending("failed", 1, problems[0])
    assert lengths(player) == [1, 128]


def test_at_full_speed_the_workers_take_turns(player, qtbot):
    fill(player, ENDLESS, ENDLESS, ENDLESS)
    turns = []
    player.moment_changed.connect(lambda: turns.append(player.turn))
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: len(turns) > 9)
    player.pause()
    assert set(turns[3:]) == {0, 1, 2}


def test_the_rate_is_told_while_playing(player, qtbot):
    fill(player, ENDLESS, ENDLESS)
    player.set_speed(math.inf)
    with qtbot.waitSignal(player.rate_changed):
        player.play()
    assert player.rate is not None


def test_closing_while_playing_leaves_no_worker(player, qtbot):
    fill(player, ENDLESS, ENDLESS)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: player.cursor > 10)
    runs = player.runs
    player.close()
    assert not any(run.is_running for run in runs)


def test_a_run_with_a_change_is_searched_in_both(player, qtbot):
    """A change that one run has recorded does not hide an earlier one that the other has yet to make."""
    late = recorded(LEAF.config, 60)
    fill(player, (late, None), SEEDS[0])
    changes = [history.next_where(Property.CHANGED, 3) for history in (late, recorded(SEEDS[0].config, 60))]
    expected = min(place for place in changes if place is not None)
    player.go_to(3)
    qtbot.waitUntil(lambda: player.cursor == 3)
    player.go_next_accepted()
    qtbot.waitUntil(lambda: not player.is_playing and player.is_settled)
    assert player.cursor == expected


def test_a_branch_is_solved_by_the_error_that_was_asked_for_then(qtbot):
    config = RunConfig(n=6, seed=1)
    search, history = RlsGp(config), History(config)
    for _ in range(50):
        history.append(search.step())
    error = history.error_at(50)
    assert error
    branch = history.beginning(50, config.replaced(accept_error=error))
    search = RlsGp.at(
        branch.config, None, iteration=50, tree=search.tree, error=search.error, accepted=search.accepted,
        improved=search.improved, ors_accepted=search.ors_accepted, settled_since=50,
    )  # fmt: skip
    branch.append(search.step())
    player = Player()
    run = player.copy_of(branch, Generalisation(), None)
    assert run.ending == Ending("solved", 51)
    run.close()


def test_a_lane_carries_out_its_script_beside_one_that_draws(player, qtbot):
    script = parse_script("insert x1; insert or x1 at 1; insert and x2 at 2")
    config = RunConfig(n=4, limit="8", seed=1)
    fill(player, *(LaneSpec(label="A", config=config, script=each) for each in (script, ())))
    for _ in range(6):
        player.step_forward()
        settle(player, qtbot)
    expected = RlsGp(config, None, script)
    scripted = player.runs[0].history
    assert [scripted.step_at(each) for each in range(1, 7)] == [expected.step() for _ in range(6)]
    assert player.runs[1].history.script == ()
