"""The linked runs: one cursor for all, nothing is lost, and each run stops where it ends and the others go on."""

import math

import pytest

from gpviz.app.compare.lane_runs import LaneRun, Lanes, RecordedLane
from gpviz.app.lanes.lane_state import Ending
from gpviz.app.player.worker import Batch
from gpviz.engine import RlsGp, RunConfig
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.history import History
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
def lanes(qapp):
    made = Lanes()
    yield made
    made.close()


def fill(lanes: Lanes, *specs, cursor: int = 0) -> None:
    lanes.set_runs([LaneRun.of(spec, lanes) for spec in specs], cursor)


def play_out(lanes: Lanes, qtbot, speed: float = math.inf) -> None:
    lanes.set_speed(speed)
    lanes.play()
    qtbot.waitUntil(lambda: not lanes.is_playing)


def settle(lanes: Lanes, qtbot) -> None:
    qtbot.waitUntil(lambda: lanes.is_settled)


def recorded(config: RunConfig, iterations: int) -> History:
    search, history = RlsGp(config), History(config)
    for _ in range(iterations):
        history.append(search.step())
    return history


def lengths(lanes: Lanes) -> list[int]:
    return [len(run.history) for run in lanes.runs]


@pytest.mark.parametrize("speed", [math.inf, 5000.0])
def test_each_run_ends_where_it_is_stuck_or_solved_and_playing_ends_with_the_last(lanes, qtbot, speed):
    fill(lanes, *SEEDS)
    play_out(lanes, qtbot, speed)
    assert lengths(lanes) == [107, 31, 66, 42]
    assert (lanes.cursor, lanes.is_at_end, lanes.is_over) == (107, True, True)
    assert [run.ending.outcome for run in lanes.runs] == ["solved", "solved", "stuck", "solved"]
    assert [run.cursor for run in lanes.runs] == [107, 31, 66, 42]


def test_the_runs_are_those_the_engine_makes(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    play_out(lanes, qtbot)
    for run in lanes.runs:
        assert run.history.fingerprint() == recorded(run.config, len(run.history)).fingerprint()


def test_a_step_forward_makes_one_iteration_of_each_run(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    for wanted in (1, 2, 3):
        lanes.step_forward()
        qtbot.waitUntil(lambda wanted=wanted: lanes.cursor == wanted)
    assert lengths(lanes) == [3, 3]
    settle(lanes, qtbot)


def test_steps_in_a_hurry_are_all_made(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    for _ in range(5):
        lanes.step_forward()
    qtbot.waitUntil(lambda: lanes.cursor == 5)
    assert lengths(lanes) == [5, 5]


def test_going_back_loses_nothing_and_going_on_shows_the_same_again(lanes, qtbot):
    fill(lanes, *SEEDS)
    play_out(lanes, qtbot)
    before = [run.history.fingerprint() for run in lanes.runs]
    lanes.go_first()
    assert [run.cursor for run in lanes.runs] == [0, 0, 0, 0]
    lanes.go_to(40)
    assert [run.cursor for run in lanes.runs] == [40, 31, 40, 40]
    lanes.step_back()
    assert [run.cursor for run in lanes.runs] == [39, 31, 39, 39]
    lanes.go_live()
    assert lanes.cursor == 107
    assert [run.history.fingerprint() for run in lanes.runs] == before


def test_the_next_change_is_the_first_of_any_run(lanes, qtbot):
    fill(lanes, LEAF, SEEDS[0])
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
        lanes.go_next_accepted()
        qtbot.waitUntil(lambda: not lanes.is_playing and lanes.is_settled)
        found.append(lanes.cursor)
    assert found == expected
    for place in reversed(expected[:-1]):
        lanes.go_previous_accepted()
        assert lanes.cursor == place


def test_past_the_last_change_the_search_ends_at_the_end(lanes, qtbot):
    fill(lanes, STUCK_START, STUCK_START)
    lanes.go_next_accepted()
    qtbot.waitUntil(lambda: not lanes.is_playing and lanes.is_settled)
    assert lanes.is_at_end
    lanes.go_next_accepted()
    assert not lanes.is_playing


def test_a_stuck_start_makes_one_step_and_no_more_while_the_other_goes_on(lanes, qtbot):
    fill(lanes, STUCK_START, WAY_OUT)
    play_out(lanes, qtbot)
    assert lengths(lanes) == [1, 34]
    assert lanes.runs[0].ending.iteration == 0


def test_at_a_slow_pace_all_runs_are_at_the_same_iteration(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    lanes.set_speed(60.0)
    seen = []
    lanes.cursor_moved.connect(lambda: seen.append([run.cursor for run in lanes.runs]))
    lanes.play()
    qtbot.waitUntil(lambda: lanes.cursor >= 8)
    lanes.pause()
    assert all(one == other for one, other in seen)


def test_at_full_speed_none_runs_away_from_the_others(lanes, qtbot):
    slow = LaneSpec(label="Slow", config=ENDLESS.config.replaced(sampler="rows", rows=5000))
    fill(lanes, ENDLESS, slow)
    lanes.set_speed(math.inf)
    lanes.play()
    qtbot.waitUntil(lambda: lanes.cursor > 30)
    lanes.pause()
    assert lanes.cursor <= min(lengths(lanes))
    assert max(lengths(lanes)) - min(lengths(lanes)) <= 20_000
    settle(lanes, qtbot)


def test_playing_backwards_ends_at_the_start(lanes, qtbot):
    fill(lanes, *SEEDS[:2])
    play_out(lanes, qtbot)
    lanes.play_backwards()
    qtbot.waitUntil(lambda: not lanes.is_playing)
    assert lanes.cursor == 0
    assert lengths(lanes) == [107, 31]


def test_what_is_recorded_is_played_again_at_full_speed(lanes, qtbot):
    fill(lanes, *SEEDS[:2])
    play_out(lanes, qtbot)
    lanes.go_first()
    play_out(lanes, qtbot)
    assert lanes.cursor == 107


def test_there_is_nothing_to_play_at_the_end(lanes, qtbot):
    fill(lanes, *SEEDS[:2])
    play_out(lanes, qtbot)
    lanes.play()
    lanes.step_forward()
    assert (lanes.is_playing, lanes.cursor) == (False, 107)


def test_changing_the_speed_while_playing_keeps_the_pace_and_loses_nothing(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    lanes.set_speed(math.inf)
    lanes.toggle_playing()
    lanes.set_speed(20.0)  # so slow that it cannot have ended when it is paused
    qtbot.waitUntil(lambda: lanes.cursor >= 5)
    lanes.toggle_playing()
    assert not lanes.is_playing
    settle(lanes, qtbot)
    play_out(lanes, qtbot)
    assert lengths(lanes) == [81, 128]


def test_the_live_end_while_playing_is_where_all_runs_are(lanes, qtbot):
    fill(lanes, ENDLESS, ENDLESS)
    lanes.set_speed(math.inf)
    lanes.play()
    qtbot.waitUntil(lambda: lanes.cursor > 100)
    lanes.go_live()
    assert lanes.is_playing
    lanes.pause()
    assert lanes.rate is None


def test_a_recorded_run_is_compared_with_all_that_is_recorded_and_goes_on_by_itself(lanes, qtbot):
    original = recorded(SUBTREE.config, 50)
    fill(lanes, RecordedLane("Recorded", original), SUBTREE)
    assert lengths(lanes) == [50, 0]
    play_out(lanes, qtbot)
    assert lengths(lanes) == [128, 128]
    assert len(original) == 50
    first, second = lanes.runs
    assert first.history.fingerprint() == second.history.fingerprint()


def test_going_beyond_what_a_run_has_makes_it_so_far_first(lanes, qtbot):
    fill(lanes, RecordedLane("Recorded", recorded(SUBTREE.config, 50)), SUBTREE)
    lanes.go_to(40)
    qtbot.waitUntil(lambda: lanes.cursor == 40)
    assert lengths(lanes) == [50, 40]
    assert [run.cursor for run in lanes.runs] == [40, 40]


def test_a_recorded_run_knows_where_it_was_solved_and_that_it_was_stuck(lanes):
    solved = recorded(SUBTREE.config, 150)
    stuck = recorded(LEAF.config, 200)
    fill(lanes, RecordedLane("Solved", solved), RecordedLane("Stuck", stuck, stuck_since=81))
    assert [(run.ending.outcome, run.ending.iteration) for run in lanes.runs] == [
        ("solved", 128),
        ("stuck", 81),
    ]
    assert (lanes.is_over, lanes.longest, lanes.live_end) == (True, 200, 200)


def test_a_target_as_start_is_solved_from_the_start(lanes):
    config = RunConfig(n=2, seed=1)
    fill(lanes, LaneSpec(label="Done", config=config, start="x1 & x2"), LEAF)
    assert (lanes.runs[0].ending.outcome, lanes.runs[0].ending.iteration) == ("solved", 0)


def test_runs_that_stay_keep_what_they_have_and_those_that_go_are_ended(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    lanes.go_next_accepted()
    qtbot.waitUntil(lambda: not lanes.is_playing and lanes.is_settled)
    first, second = lanes.runs
    at = lanes.cursor
    new = LaneRun.of(SEEDS[0], lanes)
    lanes.set_runs([first, new], at)
    qtbot.waitUntil(lambda: len(new.history) >= at)
    assert lanes.runs[0] is first
    assert not second._thread.is_running


def test_a_run_that_fails_is_told_and_the_others_go_on(lanes, qtbot):
    fill(lanes, LEAF, SUBTREE)
    told: list[str] = []
    lanes.stopped_by.connect(told.append)
    broken = lanes.runs[0]
    broken._worker.mailbox.put(Batch(broken._run_id, problem="The tree is too large."))
    lanes._on_batches_arrived()
    assert told == ["The tree is too large."]
    assert (broken.ending.outcome, broken.is_over) == ("failed", True)
    play_out(lanes, qtbot)
    assert lengths(lanes) == [0, 128]


def test_at_full_speed_the_workers_take_turns(lanes, qtbot):
    fill(lanes, ENDLESS, ENDLESS, ENDLESS)
    turns = []
    lanes.frame_ended.connect(lambda: turns.append(lanes.turn))
    lanes.set_speed(math.inf)
    lanes.play()
    qtbot.waitUntil(lambda: len(turns) > 9)
    lanes.pause()
    assert set(turns[3:]) == {0, 1, 2}


def test_the_rate_is_told_while_playing(lanes, qtbot):
    fill(lanes, ENDLESS, ENDLESS)
    lanes.set_speed(math.inf)
    with qtbot.waitSignal(lanes.rate_changed):
        lanes.play()
    assert lanes.rate is not None


def test_closing_while_playing_leaves_no_worker(lanes, qtbot):
    fill(lanes, ENDLESS, ENDLESS)
    lanes.set_speed(math.inf)
    lanes.play()
    qtbot.waitUntil(lambda: lanes.cursor > 10)
    runs = lanes.runs
    lanes.close()
    assert not any(run._thread.is_running for run in runs)
    assert lanes.runs == ()


def test_a_run_with_a_change_is_searched_in_both(lanes, qtbot):
    """A change that one run has recorded does not hide an earlier one that the other has yet to make."""
    late = recorded(LEAF.config, 60)
    fill(lanes, RecordedLane("Recorded", late), SEEDS[0])
    changes = [history.next_where(Property.CHANGED, 3) for history in (late, recorded(SEEDS[0].config, 60))]
    expected = min(place for place in changes if place is not None)
    lanes.go_to(3)
    qtbot.waitUntil(lambda: lanes.cursor == 3)
    lanes.go_next_accepted()
    qtbot.waitUntil(lambda: not lanes.is_playing and lanes.is_settled)
    assert lanes.cursor == expected


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
    run = LaneRun.of(RecordedLane("branch", branch))
    assert run.ending == Ending("solved", 51)
    run.close()


def test_a_lane_carries_out_its_script_beside_one_that_draws(lanes, qtbot):
    script = parse_script("insert x1; insert or x1 at 1; insert and x2 at 2")
    config = RunConfig(n=4, limit="8", seed=1)
    fill(lanes, *(LaneSpec(label="A", config=config, script=each) for each in (script, ())))
    for _ in range(6):
        lanes.step_forward()
        settle(lanes, qtbot)
    expected = RlsGp(config, None, script)
    scripted = lanes.runs[0].history
    assert [scripted.step_at(each) for each in range(1, 7)] == [expected.step() for _ in range(6)]
    assert lanes.runs[1].history.script == ()
