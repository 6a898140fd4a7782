"""Guess first: what is asked, what counts, and what withdraws a question."""

import pytest

from gpviz.app.pages.quiz_controller import QuizController
from gpviz.engine import RlsGp, RunConfig, Verdict
from gpviz.runs.pause_rules import PauseRules
from tests.engine.strategies import labels_of

CONFIG = RunConfig(n=6, limit="n", seed=1)
CHANGING = CONFIG.replaced(seed=16)
"""None of its first iterations leaves everything as it was."""


@pytest.fixture
def quiz(player, phases):
    made = QuizController(player, phases)
    made.set_on(True)
    yield made
    made.close()


def ask(quiz, qtbot):
    """Go to the next question, and return its moment."""
    with qtbot.waitSignal(quiz.asked) as emitted:
        quiz.next()
    return emitted.args[0]


def test_switched_off_it_steps_forward_and_asks_nothing(player, quiz, qtbot):
    quiz.set_on(False)
    with qtbot.assertNotEmitted(quiz.asked), qtbot.waitSignal(player.moment_changed):
        quiz.next()
    assert player.cursor == 1


def test_a_question_shows_the_proposal_without_its_end_and_the_cursor_stays(record, player, quiz, qtbot):
    record(5)
    moment = ask(quiz, qtbot)
    assert (player.cursor, len(player.run.history)) == (5, 5)
    assert moment.iteration == 6
    assert moment.is_preview
    assert moment.is_verdict_hidden
    assert moment.tree is player.run.history.tree_at(5)
    assert quiz.is_asking
    with qtbot.waitSignal(quiz.revealed):
        quiz.reveal()
    assert moment.step == player.run.history.step_at(6)
    assert labels_of(moment.offspring) == labels_of(player.run.history.offspring_at(6))


def test_pressing_twice_asks_once_and_makes_nothing(player, quiz, qtbot):
    with qtbot.waitSignal(quiz.asked):
        quiz.next()
        quiz.next()
    qtbot.waitUntil(lambda: player.is_settled)
    assert (player.cursor, len(player.run.history)) == (0, 0)
    assert quiz.is_asking


@pytest.mark.parametrize("guess", [True, False])
def test_a_guess_counts_and_then_the_iteration_is_shown(player, quiz, qtbot, guess):
    player.start_run(CHANGING)
    right = 0
    for asked in range(1, 12):
        ask(quiz, qtbot)
        with qtbot.waitSignal(quiz.answered) as emitted, qtbot.assertNotEmitted(quiz.withdrawn):
            quiz.guess(guess)
        was_right, step = emitted.args
        assert player.cursor == step.iteration == asked
        assert step == player.run.history.step_at(asked)
        assert was_right == (step.is_accepted == guess)
        right += was_right
        assert quiz.score == (right, asked)
        assert not quiz.is_asking
    assert 0 < right < 11


def test_what_changes_nothing_is_not_asked_about(player, quiz, qtbot):
    player.start_run(CONFIG)
    quiz.set_on(False)
    search = RlsGp(CONFIG)
    verdicts = [search.step().verdict for _ in range(40)]
    unchanged = verdicts.index(Verdict.UNCHANGED) + 1
    for iteration in range(1, unchanged):
        player.step_forward()
        qtbot.waitUntil(lambda at=iteration: player.cursor == at)
    quiz.set_on(True)
    with qtbot.assertNotEmitted(quiz.asked):
        quiz.next()
        qtbot.waitUntil(lambda: player.cursor == unchanged)
    assert quiz.score == (0, 0)
    assert not quiz.is_asking


def test_revealing_counts_nothing(player, quiz, qtbot):
    for reveal in (quiz.reveal, quiz.next):
        ask(quiz, qtbot)
        with qtbot.waitSignal(quiz.revealed) as emitted:
            reveal()
        assert emitted.args[0].iteration == player.cursor
    assert player.cursor == 2
    assert quiz.score == (0, 0)


@pytest.mark.parametrize(
    "move",
    [
        lambda quiz, player: player.go_to(1),
        lambda quiz, player: player.play(),
        lambda quiz, player: player.start_run(CONFIG),
        lambda quiz, player: quiz.set_on(False),
    ],
)
def test_whatever_else_happens_withdraws_the_question(record, player, quiz, qtbot, move):
    record(3)
    ask(quiz, qtbot)
    with qtbot.waitSignal(quiz.withdrawn):
        move(quiz, player)
    assert not quiz.is_asking
    assert quiz.score == (0, 0)
    player.pause()


def test_a_move_while_the_question_is_prepared_calls_it_off(record, player, quiz, qtbot):
    record(3)
    with qtbot.assertNotEmitted(quiz.asked):
        quiz.next()
        player.go_to(1)
        qtbot.waitUntil(lambda: player.is_settled)
    assert player.cursor == 1
    assert ask(quiz, qtbot).iteration == 2


def test_a_reason_to_pause_is_told_with_the_answer_and_not_before(player, quiz, qtbot):
    player.set_rules(PauseRules(stuck=False, solved=False, iteration=1))
    with qtbot.assertNotEmitted(player.paused_by):
        ask(quiz, qtbot)
    with qtbot.waitSignals([player.paused_by, quiz.revealed]):
        quiz.reveal()


def test_a_problem_in_drawing_is_reported_by_the_run(player, quiz, qtbot, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("broken")

    monkeypatch.setattr(RlsGp, "step", fail)
    monkeypatch.setattr(RlsGp, "advance", fail)
    with qtbot.captureExceptions() as raised, qtbot.waitSignal(player.problem_met) as reported:
        quiz.next()
    assert "broken" in reported.args[0]
    assert len(raised) == 1
    assert not quiz.is_asking
    monkeypatch.undo()
    assert ask(quiz, qtbot).iteration == 1


class TestPhasesAndPlaying:
    """While it is on, it asks before the first phase of an iteration and before it is played."""

    def test_within_an_iteration_the_next_phase_is_opened_without_a_question(
        self, record, player, quiz, phases, qtbot
    ):
        quiz.set_on(False)
        record(1)
        quiz.set_on(True)
        with qtbot.assertNotEmitted(quiz.asked):
            quiz.next_phase()
            quiz.next_phase()
        assert phases.current.index == 1

    def test_before_the_next_iteration_it_asks(self, player, quiz, qtbot):
        with qtbot.waitSignal(quiz.asked):
            quiz.next_phase()
        assert player.cursor == 0

    def test_playing_asks_and_a_run_that_plays_is_paused(self, player, quiz, qtbot):
        with qtbot.waitSignal(quiz.asked):
            quiz.toggle_playing()
        assert not player.is_playing
        player.play()
        quiz.toggle_playing()
        assert not player.is_playing

    def test_switched_off_they_do_what_they_always_do(self, player, quiz, phases, qtbot):
        quiz.set_on(False)
        with qtbot.waitSignal(player.moment_changed):
            quiz.next_phase()
        assert phases.current.index == 0
        quiz.toggle_playing()
        assert player.is_playing
        quiz.toggle_playing()
        assert not player.is_playing
