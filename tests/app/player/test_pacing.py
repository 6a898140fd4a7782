"""How fast the cursor goes, by a clock that the test turns."""

import math
from itertools import pairwise
from statistics import mean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.app.player.pacing import (
    FastFrames,
    Pace,
    RateMeter,
    shows_every_step,
    step_weights,
    time_weight,
    transition_ms,
)
from gpviz.app.player.shown_moment import Detail
from gpviz.engine import RunConfig, Verdict
from gpviz.picture.motion import WEIGHTS
from gpviz.runs.presets import load_presets
from tests.runs.runs import history_after, recorded


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def started(clock: Clock, speed: float) -> Pace:
    pace = Pace(clock)
    pace.restart(speed)
    return pace


def total(pace: Pace, clock: Clock, seconds: float, ticks: int, recorded: int = 0) -> int:
    """The iterations due within so many ticks of equal length."""
    due = 0
    for _ in range(ticks):
        clock.now += seconds / ticks
        due += pace.due(recorded)
    return due


@pytest.mark.parametrize(
    ("speed", "wanted"),
    [(0.05, 18_000), (0.5, 1800), (1.0, 700), (5.0, 140), (6.0, 0), (30.0, 0), (None, 250)],
)
def test_a_step_is_on_its_way_for_its_share_of_the_time(speed, wanted):
    assert transition_ms(speed) == wanted


def test_the_first_iteration_is_due_at_once(clock):
    pace = started(clock, 1.0)
    assert [pace.due(0), pace.due(0)] == [1, 0]


def test_a_slow_pace_comes_step_by_step(clock):
    pace = started(clock, 0.5)
    pace.due(0)
    clock.now += 1.99
    assert pace.due(0) == 0
    clock.now += 0.02
    assert pace.due(0) == 1


@pytest.mark.parametrize("speed", [0.5, 1, 4, 30, 1000, 12_345])
def test_in_the_long_run_the_speed_is_kept(clock, speed):
    pace = started(clock, speed)
    assert total(pace, clock, 60, 3600) == pytest.approx(60 * speed + 1, abs=1.01)


def test_after_a_long_delay_nothing_leaps(clock):
    pace = started(clock, 1000)
    pace.due(0)
    clock.now += 60
    assert pace.due(0) == 250
    clock.now += 0.0625
    assert pace.due(0) == 62


def test_after_a_long_delay_a_slow_pace_makes_one_step(clock):
    pace = started(clock, 0.5)
    pace.due(0)
    clock.now += 60
    assert pace.due(0) == 1
    assert pace.due(0) == 0


def test_as_fast_as_possible_is_all_that_is_recorded_within_seconds(clock):
    pace = started(clock, math.inf)
    assert total(pace, clock, 3, 180, 1_000_000) == pytest.approx(1_000_000, rel=0.001)


def test_as_fast_as_possible_has_a_least_speed(clock):
    pace = started(clock, math.inf)
    assert total(pace, clock, 1, 60, 10) == pytest.approx(2000, abs=2)


def test_a_restart_forgets_what_was_due(clock):
    pace = started(clock, 1000)
    clock.now += 0.2
    pace.restart(1)
    assert [pace.due(0), pace.due(0)] == [1, 0]


@given(st.floats(0.1, 1e6), st.lists(st.floats(0, 2), max_size=50))
def test_never_more_is_due_than_time_has_passed(speed: float, waits: list[float]) -> None:
    clock = Clock()
    pace = started(clock, speed)
    due = 0
    for wait in waits:
        clock.now += wait
        step = pace.due(0)
        assert step >= 0
        due += step
    assert due <= sum(waits) * speed * (1 + 1e-9) + 1.01


# Weights

RUNS = [history_after(RunConfig(n=6, seed=seed), length) for seed, length in ((1, 30), (2, 20))]


def verdicts_at(iteration):
    return [run.step_at(iteration).verdict for run in RUNS if iteration <= len(run)]


def test_steps_weigh_what_their_verdicts_do():
    run = RUNS[0]
    expected = [1.0, *(WEIGHTS[run.step_at(each).verdict] for each in range(1, 31))]
    assert step_weights(run, range(31)).tolist() == expected
    assert step_weights(run, [12, 17]).tolist() == [expected[12], expected[17]]


def test_the_heaviest_step_of_several_runs_decides():
    neutral = time_weight([], 1, 4.0)
    weights = [time_weight(RUNS, each, 4.0) / neutral for each in range(31)]
    expected = [max(WEIGHTS[verdict] for verdict in verdicts_at(each)) for each in range(1, 31)]
    assert weights == pytest.approx([1.0, *expected])


@pytest.mark.parametrize("speed", [0.05, 0.99, 31.0, math.inf])
def test_slow_steps_and_fast_ones_all_weigh_the_same(speed):
    assert {time_weight(RUNS, each, speed) for each in range(31)} == {1.0}


def test_by_hand_an_improvement_takes_a_little_longer():
    improved = {each: Verdict.IMPROVED in verdicts_at(each) for each in range(1, 31)}
    durations = {each: transition_ms(None, time_weight(RUNS, each, None)) for each in improved}
    assert durations == {each: 400 if is_improved else 250 for each, is_improved in improved.items()}


def test_an_ordinary_run_keeps_the_pace_that_was_asked_for():
    means = []
    for preset in load_presets():
        length = preset.claims.iterations or preset.claims.stuck_since or 0
        if length >= 50:
            run = recorded(preset.config, length, preset.start_tree)[2]
            means.append(mean(time_weight([run], each, 4.0) for each in range(1, length + 1)))
    assert len(means) == 15
    assert [mean(means), median(means)] == pytest.approx([1.0, 1.0], abs=0.05)


def test_each_step_is_on_show_for_its_weight(clock):
    speed, weights = 10.0, [1.0, 4.0, 1 / 3, 2 / 3, 4.0, 1.0]
    pace = started(clock, speed)
    shown: list[float] = []
    while len(shown) <= len(weights):
        if pace.due(0):
            shown.append(clock.now)
            pace.weigh([*weights, 0][len(shown) - 1])
        clock.now += 0.001
    took = [after - before for before, after in pairwise(shown)]
    assert took == pytest.approx([weight / speed for weight in weights], abs=0.0025)


def test_at_another_speed_nobody_waits_for_a_heavy_step(clock):
    pace = started(clock, 4.0)
    assert pace.due(0) == 1
    pace.weigh(4.0)
    pace.change(0.5)
    clock.now += 2.01
    assert pace.due(0) == 1


def test_where_every_step_is_shown_late_ones_come_one_after_the_other(clock):
    pace = started(clock, 30.0)
    assert total(pace, clock, 10, 100) == 100
    late = [pace.due(0) for _ in range(20)]
    assert late == [1] * 7 + [0] * 13


# The rate


def test_a_rate_is_known_after_half_a_second(clock):
    meter = RateMeter(clock)
    meter.count(30)
    assert not meter.is_due(clock.now + 0.4)
    meter.count(20)
    assert meter.is_due(clock.now + 0.5)
    assert meter.rate == pytest.approx(100)


def test_each_rate_is_of_its_own_time(clock):
    meter = RateMeter(clock)
    meter.count(100)
    assert meter.is_due(clock.now + 1)
    assert not meter.is_due(clock.now + 1.2)
    assert meter.rate == 100
    meter.count(10)
    assert meter.is_due(clock.now + 2)
    assert meter.rate == 10
    assert meter.is_due(clock.now + 3)
    assert meter.rate == 0


# Frames of a fast run


def frames(fast: FastFrames, clock: Clock, count: int, seconds: float = 0.0) -> str:
    """What frames at intervals of 20 ms show, a letter each; whatever is shown takes so long."""
    shown = []
    for _ in range(count):
        detail = fast.begin()
        if detail is not Detail.NOTHING:
            clock.now += seconds
        fast.end()
        shown.append(detail.value[0])
        clock.now += 0.02
    return "".join(shown)


def test_trees_are_shown_some_times_a_second(clock):
    assert frames(FastFrames(clock, clock), clock, 16) == "ntnnnnntnnnnntnn"


def test_what_is_shown_has_only_its_share_of_the_time(clock):
    shown = frames(FastFrames(clock, clock), clock, 100, 0.03)
    assert shown.startswith("ntnn")
    assert 0.03 * shown.count("t") <= clock.now / 12


def test_the_frame_after_a_tree_only_paints_it(clock):
    fast = FastFrames(clock, clock)
    assert frames(fast, clock, 3) == "ntn"
    clock.now += 10
    assert frames(fast, clock, 1) == "t"
    clock.now += 10
    assert fast.is_paint_due
    assert frames(fast, clock, 2) == "nt"


def test_up_to_a_pace_that_the_eye_follows_every_step_is_shown():
    assert [shows_every_step(speed) for speed in (0.5, 30.0, 30.5, math.inf)] == [True, True, False, False]
