"""Playing one run: the cursor moves exactly as asked, and what the worker makes is what the engine makes."""

import math
import threading
from collections import defaultdict
from functools import partial
from itertools import count, pairwise

import pytest

from gpviz.app.player.pacing import Pace, time_weight, transition_ms
from gpviz.app.player.played_run import PlayedRun, Received
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import Changed, Detail, MomentChange
from gpviz.app.player.worker import SCRIPT_ENDS
from gpviz.engine import RlsGp, RunConfig, Verdict, parse
from gpviz.engine.interruption import Stopped
from gpviz.engine.mutation_script import parse_script
from gpviz.engine.target import target_for
from gpviz.runs.history import Generalisation, History
from gpviz.runs.pause_rules import PauseRules
from gpviz.runs.step_encoding import Property
from tests.runs.runs import history_after

NEVER = PauseRules(stuck=False, solved=False)
CONFIG = RunConfig(n=6, seed=1)


@pytest.fixture
def player(qapp):
    made = Player.for_run(CONFIG)
    yield made
    made.close()


def make(player: Player, iterations: int, qtbot) -> None:
    """Have the worker make this many iterations, without pausing."""
    rules = player.rules
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: len(player.run.history) >= iterations)
    player.pause()
    player.set_rules(rules)
    player.set_speed(4)
    wait_for_calm(player, qtbot)


def wait_for_calm(player: Player, qtbot) -> None:
    """Until the worker has handed over everything."""
    qtbot.waitUntil(lambda: player.is_settled)


def test_many_quick_steps_make_no_more_than_were_asked_for(player, qtbot):
    for _ in range(20):
        with qtbot.waitSignal(player.moment_changed):
            player.step_forward()
    assert (player.cursor, len(player.run.history)) == (20, 20)


def test_what_the_worker_makes_is_the_run_of_the_engine(player, qtbot):
    make(player, 3000, qtbot)
    length = len(player.run.history)
    assert player.run.history.fingerprint() == history_after(CONFIG, length).fingerprint()


def test_going_back_and_forward_shows_the_same_trees(player, qtbot):
    make(player, 200, qtbot)
    trees = [player.run.history.tree_at(t) for t in range(201)]
    for iteration in (200, 3, 77, 0, 150):
        player.go_to(iteration)
        assert player.run.history.tree_at(player.cursor) is trees[iteration]
    length = len(player.run.history)
    for iteration in range(151, 160):
        player.step_forward()
        assert (player.cursor, len(player.run.history)) == (iteration, length)


def test_the_cursor_stays_within_the_run(player, qtbot):
    make(player, 10, qtbot)
    player.go_to(10**9)
    assert player.is_at_live_end
    player.go_to(-5)
    assert player.cursor == 0
    player.step_back()
    assert player.cursor == 0


def test_going_to_accepted_mutations_skips_all_others(player, qtbot):
    make(player, 300, qtbot)
    history = player.run.history
    changed = [t for t in range(1, 301) if history.step_at(t).verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)]
    player.go_first()
    found = []
    for _ in changed[:10]:
        player.go_next_accepted()
        found.append(player.cursor)
    assert found == changed[:10]
    for expected in (*reversed(changed[:9]), 0, 0):
        player.go_previous_accepted()
        assert player.cursor == expected


def test_the_next_accepted_mutation_beyond_the_end_is_computed(player, qtbot):
    history = history_after(CONFIG, 60)
    changed = [t for t in range(1, 61) if history.step_at(t).verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)]
    for expected in changed[:8]:
        player.go_next_accepted()
        qtbot.waitUntil(lambda expected=expected: player.cursor == expected)
        wait_for_calm(player, qtbot)
        assert len(player.run.history) == expected


def test_looking_for_an_accepted_mutation_in_vain_can_be_ended(player, qtbot):
    player.start_run(RunConfig(n=2, limit=2, deletion="leaf", functions="and"), parse("x1 & x2"))
    player.set_rules(NEVER)
    player.go_next_accepted()
    qtbot.waitUntil(lambda: len(player.run.history) > 0)
    player.toggle_playing()
    wait_for_calm(player, qtbot)
    assert not player.is_playing


RULES = [
    (PauseRules(), CONFIG, "", lambda step: step.error == 0),
    (PauseRules(stuck=False, solved=False, improved=True), CONFIG, "", lambda s: s.verdict == "improved"),
    (PauseRules(stuck=False, solved=False, too_large=True), RunConfig(n=8, limit="n", seed=2), "",
     lambda s: s.verdict == "too_large"),
    (PauseRules(stuck=False, solved=False, leaves=5), CONFIG, "", lambda s: s.leaves >= 5),
    (PauseRules(stuck=False, solved=False, iteration=1234), CONFIG, "", lambda s: s.iteration == 1234),
    (PauseRules(), RunConfig(n=8, limit="n+1", deletion="leaf", seed=69285), "", lambda s: s.iteration == 81),
    (PauseRules(stuck=False, solved=False, or_accepted=True), RunConfig(n=8, seed=2), "",
     lambda s: s.is_accepted and s.operation == "INS" and s.function == "or" and s.ors > 0),
    (PauseRules(stuck=False, solved=False, true_error_grew=True),
     RunConfig(n=8, fitness="sampled", rows=5, seed=3), "", lambda s: s.true_error_grew),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "config", "start", "is_met"), RULES)
def test_at_full_speed_it_pauses_on_exactly_that_iteration(player, qtbot, rules, config, start, is_met):
    player.start_run(config, parse(start, config.n) if start else None)
    player.set_rules(rules)
    player.set_speed(math.inf)
    with qtbot.waitSignal(player.paused_by) as emitted:
        player.play()
    wait_for_calm(player, qtbot)
    history = player.run.history
    assert [is_met(history.step_at(t)) for t in range(1, len(history) + 1)] == [
        *[False] * (len(history) - 1),
        True,
    ]
    assert (player.cursor, player.is_playing) == (len(history), False)
    assert emitted.args[0].endswith(".")


@pytest.mark.parametrize("speed", [math.inf, 500.0])
def test_playing_what_is_recorded_pauses_where_the_run_did(player, qtbot, speed):
    player.set_speed(math.inf)
    with qtbot.waitSignal(player.paused_by) as first:
        player.play()
    wait_for_calm(player, qtbot)
    solved_at = player.cursor
    make(player, solved_at + 500, qtbot)
    player.go_first()
    player.set_speed(speed)
    with qtbot.waitSignal(player.paused_by) as second:
        player.play()
    wait_for_calm(player, qtbot)
    assert (player.cursor, second.args) == (solved_at, first.args)


def test_playing_backwards_ends_at_the_start(player, qtbot):
    make(player, 500, qtbot)
    length = len(player.run.history)
    player.set_speed(math.inf)
    player.play_backwards()
    qtbot.waitUntil(lambda: not player.is_playing)
    assert (player.cursor, len(player.run.history)) == (0, length)


def test_playing_slowly_computes_one_iteration_after_the_other(player, qtbot):
    seen: list[int] = []

    def look(change: MomentChange) -> None:
        if Changed.CURSOR in change.what:
            seen.append(player.cursor - len(player.run.history))
        if len(seen) == 5:
            player.pause()

    player.moment_changed.connect(look)
    player.set_speed(60)
    player.play()
    qtbot.waitUntil(lambda: len(seen) >= 5)
    assert set(seen) == {0}  # the cursor never leaves the live end, which grows as slowly as it moves
    assert len(player.run.history) < 100


def test_a_new_run_drops_what_the_old_one_still_had_under_way(player, qtbot):
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: len(player.run.history) > 100)
    other = RunConfig(n=8, seed=99)
    player.start_run(other)
    assert (len(player.run.history), player.cursor, player.is_playing) == (0, 0, False)
    make(player, 300, qtbot)
    assert player.run.history.fingerprint() == history_after(other, len(player.run.history)).fingerprint()


def test_a_run_is_adopted_at_its_end_and_goes_on_as_it_would_have(player, qtbot):
    search, history = RlsGp(CONFIG), History(CONFIG)
    for _ in range(50):
        history.append(search.step())
    player.adopt_run(search, history, player.run.generalisation, None)
    assert player.cursor == 50
    make(player, 200, qtbot)
    assert player.run.history.fingerprint() == history_after(CONFIG, len(player.run.history)).fingerprint()


def test_a_sampled_run_tells_its_generalisation_error_wherever_the_tree_changed(player, qtbot):
    config = RunConfig(n=6, fitness="sampled", rows=20, seed=5)
    player.start_run(config)
    make(player, 200, qtbot)
    history, known = player.run.history, player.run.generalisation
    target = target_for(6)
    expected = {
        t: target.error(history.tree_at(t)) / 64
        for t in range(1, len(history) + 1)
        if history.step_at(t).verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)
    }
    assert dict(zip(known.iterations.tolist(), known.shares.tolist(), strict=True)) == expected


def test_the_most_iterations_pause_the_run_with_a_sentence(player, qtbot, monkeypatch):
    monkeypatch.setattr("gpviz.app.player.worker.MAX_ITERATIONS", 700)
    monkeypatch.setattr("gpviz.app.player.worker._FULL", "That is enough.")
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    with qtbot.waitSignal(player.paused_by) as emitted:
        player.play()
    wait_for_calm(player, qtbot)
    assert (len(player.run.history), emitted.args[0]) == (700, "That is enough.")


def test_a_problem_in_the_run_is_told_and_stops_it(player, qtbot, monkeypatch):
    def fail(self, buffer, *_, **__):
        buffer.add(self.step())
        raise RuntimeError("broken")

    monkeypatch.setattr(RlsGp, "advance", fail)
    with qtbot.waitSignal(player.problem_met) as emitted:
        player.play()
    assert "broken" in emitted.args[0]
    assert not player.is_playing
    assert len(player.run.history) == 1  # what was made before is not lost


def test_the_rate_is_told_while_playing(player, qtbot):
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: bool(player.rate))
    player.pause()
    assert player.rate is None


def test_two_hundred_runs_started_and_stopped_in_a_row_leave_nothing_behind(player, qtbot):
    for seed in range(200):
        player.start_run(RunConfig(n=6, seed=seed))
        player.set_speed(math.inf)
        player.play()
        if seed % 3 == 0:
            player.pause()
        elif seed % 7 == 0:
            qtbot.waitUntil(lambda: len(player.run.history) > 0)
    player.pause()
    make(player, 100, qtbot)
    assert (
        player.run.history.fingerprint()
        == history_after(RunConfig(n=6, seed=199), len(player.run.history)).fingerprint()
    )


def test_two_hundred_players_made_and_closed_leave_no_thread(qtbot):
    for seed in range(200):
        made = Player.for_run(RunConfig(n=6, seed=seed))
        made.set_speed(math.inf)
        made.play()
        made.close()


class _First:
    """A watch that is waiting for the first iteration with a property, and remembers what it was shown."""

    def __init__(self, is_wanted):
        self.is_wanted = is_wanted
        self.looks_at_all = True
        self.seen = []
        self.started = []

    def start(self, tree, should_stop):
        self.started.append(tree)

    def reason(self, step):
        self.seen.append(step.iteration)
        return f"Found at {step.iteration}." if self.is_wanted(step) else None


def test_running_until_something_stops_exactly_there(player, qtbot):
    player.set_rules(NEVER)
    player.step_forward()
    qtbot.waitUntil(lambda: len(player.run.history) == 1)
    watch = _First(lambda step: step.leaves == 3)
    with qtbot.waitSignal(player.paused_by) as emitted:
        player.run_until(lambda: watch)
    assert emitted.args == [f"Found at {player.cursor}."]
    assert player.run.history.tree_at(player.cursor).leaves == 3
    assert all(player.run.history.tree_at(t).leaves != 3 for t in range(1, player.cursor))
    assert watch.seen == list(range(2, player.cursor + 1))
    assert watch.started == [player.run.history.tree_at(1)]
    assert len(player.run.history) == player.cursor
    assert not player.is_playing


def test_running_until_something_can_be_called_off(player, qtbot):
    player.set_rules(NEVER)
    player.run_until(lambda: _First(lambda _: False))
    qtbot.waitUntil(lambda: len(player.run.history) > 100)
    player.pause()
    qtbot.waitUntil(lambda: player.is_settled)
    assert not player.is_playing
    with qtbot.waitSignal(player.moment_changed):
        player.step_forward()


def _is_beyond(player, iteration) -> bool:
    return player.cursor > iteration


def test_nothing_that_was_made_is_missed_when_the_next_accepted_is_looked_for_while_playing(player, qtbot):
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    for _ in range(5):
        player.play()
        qtbot.waitUntil(partial(_is_beyond, player, player.cursor + 200))
        before = player.cursor
        player.go_next_accepted()
        qtbot.waitUntil(lambda: not player.is_playing)
        found = player.run.history.next_where(Property.CHANGED, before)
        assert found is not None
        assert player.cursor == found


def test_a_script_is_carried_out_and_pauses_at_its_end(qapp, qtbot):
    script = parse_script("insert x1; insert or x1 at 1; substitute 2 by x1")
    player = Player.for_run(CONFIG, script=script)
    reasons: list[str] = []
    player.paused_by.connect(reasons.append)
    try:
        for _ in range(2):  # made, and then once more from the record
            player.set_speed(math.inf)
            player.play()
            qtbot.waitUntil(lambda: not player.is_playing)
            wait_for_calm(player, qtbot)
            assert player.cursor == len(player.run.history) == 3
            assert reasons == [SCRIPT_ENDS]
            reasons.clear()
            player.go_first()
        search = RlsGp(CONFIG, None, script)
        player.run_to(20)
        qtbot.waitUntil(lambda: player.cursor == 20)
        expected = [search.step() for _ in range(20)]
        assert [player.run.history.step_at(each) for each in range(1, 21)] == expected
        assert reasons == []
    finally:
        player.close()


def test_an_entry_that_cannot_be_carried_out_is_told_and_the_run_stays(qapp, qtbot):
    player = Player.for_run(CONFIG, script=parse_script("insert x1; delete 9"))
    problems: list[str] = []
    player.problem_met.connect(problems.append)
    try:
        player.run_to(5)
        qtbot.waitUntil(lambda: bool(problems))
        assert problems == ["script, entry 2, 'delete 9': node: 9 is not allowed; it must be from 1 to 1."]
        wait_for_calm(player, qtbot)
        assert len(player.run.history) == 1
    finally:
        player.close()


TRAP = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
RISES = PauseRules(stuck=False, solved=False, stuck_rise=10)


def test_a_run_pauses_where_its_outlook_gets_worse_live_and_in_the_record(player, qtbot):
    player.set_rules(RISES)
    player.start_run(TRAP)
    player.set_speed(math.inf)
    for _ in range(2):
        reasons: list[str] = []
        player.paused_by.connect(reasons.append)
        player.go_to(0)
        for iteration in (7, 8):
            player.play()
            qtbot.waitUntil(lambda: not player.is_playing)
            assert player.cursor == iteration
            assert reasons[-1].startswith("The chance to end stuck rose from")


@pytest.fixture
def asked(monkeypatch):
    """Tells whether somebody waits for an outlook, which never comes."""
    made = threading.Event()

    def for_ever(*_args, should_stop, **_options):
        made.set()
        while not should_stop():
            pass
        raise Stopped

    monkeypatch.setattr("gpviz.runs.pause_rules.outlook", for_ever)
    return made


def test_pausing_does_not_wait_for_an_outlook_and_loses_no_step(player, qtbot, asked):
    player.set_rules(RISES)
    player.start_run(TRAP)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(asked.is_set)
    player.pause()
    wait_for_calm(player, qtbot)
    made = len(player.run.history)
    assert made >= 1
    player.set_rules(NEVER)
    make(player, made + 20, qtbot)
    assert player.run.history.tree_at(made + 20) == history_after(TRAP, made + 20).tree_at(made + 20)


def test_closing_does_not_wait_for_an_outlook(qapp, qtbot, asked):
    player = Player.for_run(TRAP)
    player.set_rules(RISES)
    player.step_forward()
    qtbot.waitUntil(asked.is_set)
    player.close()  # that no thread is left is seen after every test


def test_what_was_being_made_when_somebody_paused_is_shown_too(player, qtbot):
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    for most in (200, 400, 600):
        player.play()
        qtbot.waitUntil(lambda: len(player.run.history) > most)  # noqa: B023 - waited for in the same round
        player.pause()
        qtbot.waitUntil(lambda: player.is_settled)
        assert player.cursor == len(player.run.history)


class TestWeights:
    """A clock that goes on by a tenth of a second whenever the pace asks for the time."""

    SPEED = 2.0
    RUNS = (RunConfig(n=6, seed=1), RunConfig(n=6, seed=2))

    @pytest.fixture
    def clock(self, monkeypatch):
        clock = count(0.0, 0.1)
        monkeypatch.setattr("gpviz.app.player.player.Pace", partial(Pace, clock.__next__))
        return clock

    @pytest.fixture(autouse=True)
    def late_steps(self, monkeypatch):
        """What is made comes some frames late."""
        receive = PlayedRun.receive
        frames: defaultdict[PlayedRun, count[int]] = defaultdict(count)
        monkeypatch.setattr(
            PlayedRun, "receive", lambda run: Received() if next(frames[run]) % 8 else receive(run)
        )

    @pytest.mark.parametrize("configs", [RUNS[:1], RUNS])
    @pytest.mark.parametrize("recorded", [0, 20])
    def test_what_plays_stays_and_moves_by_its_weight(self, qapp, qtbot, clock, configs, recorded):
        player = Player()
        length, shown, durations = 14, [], []

        def look(change):
            if Changed.CURSOR in change.what:
                shown.append(next(clock))
                durations.append(change.duration_ms)

        try:
            histories = [history_after(config, recorded) for config in configs]
            player.set_runs([player.copy_of(each, Generalisation(), None) for each in histories])
            player.set_rules(NEVER)
            player.set_speed(self.SPEED)
            player.moment_changed.connect(look)
            player.play(length)
            qtbot.waitUntil(lambda: player.cursor == length)
        finally:
            player.close()
        histories = [run.history for run in player.runs]
        weights = [time_weight(histories, each, self.SPEED) for each in range(1, length + 1)]
        assert len({*weights}) > 2
        assert durations == [transition_ms(self.SPEED, weight) for weight in weights]
        took = [after - before for before, after in pairwise(shown)]
        assert took == pytest.approx([weight / self.SPEED for weight in weights[:-1]], abs=0.2)


class TestAnnouncements:
    @pytest.fixture
    def heard(self, player):
        found: list[MomentChange] = []
        player.moment_changed.connect(found.append)
        return found

    def test_everything_that_a_command_changes_is_announced_once(self, player, heard, qtbot):
        make(player, 20, qtbot)
        qtbot.waitUntil(lambda: player.is_settled)
        player.set_speed(4)
        player.play()
        heard.clear()
        player.go_to(3)
        assert heard == [MomentChange(Changed.CURSOR | Changed.PLAYING, Detail.STEP, transition_ms(None))]
        player.go_to(3)
        assert len(heard) == 1

    def test_what_was_looked_for_moves_as_by_hand_at_any_pace(self, player, heard, qtbot):
        player.set_speed(0.05)
        player.run_to(20_000)
        qtbot.waitUntil(lambda: player.is_settled)
        *before, found = [change.duration_ms for change in heard if Changed.CURSOR in change.what]
        assert (max(before, default=0), found) == (0, transition_ms(None))

    def test_another_run_comes_without_motion(self, player, heard):
        player.start_run(RunConfig(n=3, seed=1))
        assert heard == [MomentChange(Changed.RUN, Detail.STEP)]

    def test_why_a_run_pauses_is_said_when_everything_shows_where(self, player, qtbot):
        said: list[str] = []
        player.moment_changed.connect(
            lambda change: said.append("playing" if player.is_playing else "standing")
        )
        player.paused_by.connect(said.append)
        player.set_rules(PauseRules(improved=True))
        player.set_speed(math.inf)
        player.play()
        qtbot.waitUntil(lambda: not player.is_playing)
        assert said[-2] == "standing"
        assert said[-1] not in ("standing", "playing")

    def test_at_full_speed_some_frames_show_trees_and_none_show_steps(self, player, heard, qtbot):
        player.set_rules(NEVER)
        player.set_speed(math.inf)
        player.play()
        qtbot.waitUntil(lambda: len(heard) > 40)
        details = [change.detail for change in heard]
        assert {Detail.TREE, Detail.NOTHING} <= set(details)
        assert Detail.STEP not in details
        player.pause()
        assert heard[-1].detail is Detail.STEP

    def test_who_slows_down_sees_what_is_under_the_cursor(self, player, heard, qtbot):
        player.set_rules(NEVER)
        make(player, 2000, qtbot)
        player.go_first()
        player.set_speed(500)
        for _ in range(5):
            player.play()
            heard.clear()
            qtbot.waitUntil(lambda: any(change.detail is Detail.TREE for change in heard))
            player.set_speed(0.05)
            qtbot.waitUntil(lambda: heard[-1].detail is Detail.STEP)
            player.set_speed(500)
