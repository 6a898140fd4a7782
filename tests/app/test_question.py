"""Questions: remembered answers, calm while things come too fast, and an end when nobody looks."""

from functools import partial

import pytest
from PySide6.QtWidgets import QWidget

from gpviz.app.question import Question, close_questions
from gpviz.app.tasks import is_any_task_busy
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop
from tests.app.patient_work import Patient
from tests.patience import PATIENCE_SECONDS


class Asker(QWidget):
    """Keeps what it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []
        self.problems: list[str] = []


def answer(thing: object, _should_stop: ShouldStop) -> object:
    return thing


def outrun(question: Question, now: list[float]) -> None:
    """Ask about one and two, so quickly that what is asked next has to wait."""
    for thing in ("one", "two"):
        question.ask(thing, "rules", Patient())
        now[0] += 0.05


@pytest.fixture
def now():
    """The time, which goes on by a tenth of a second with each piece of work."""
    return [10.0]


@pytest.fixture
def asker(qtbot):
    made = Asker()
    qtbot.addWidget(made)
    yield made
    close_questions(made)


@pytest.fixture
def question(asker, now):
    return Question(asker, asker.answers.append, asker.problems.append, remembers=8, clock=lambda: now[0])


@pytest.fixture
def heard(asker):
    return asker.answers


@pytest.fixture
def ask(question, now):
    worked_on: list[object] = []

    def work(thing, _should_stop):
        worked_on.append(thing)
        now[0] += 0.1
        return thing

    def ask(thing):
        question.ask(thing, "rules", partial(work, thing))
        return worked_on

    return ask


def test_what_is_known_is_answered_at_once(question, heard, ask, qtbot):
    ask("one")
    assert question.is_busy
    qtbot.waitUntil(lambda: heard == ["one"])
    worked_on = ask("one")
    assert heard == ["one", "one"]
    assert worked_on == ["one"]
    assert not question.is_busy


def test_every_thing_is_answered_that_comes_after_the_answer_to_the_one_before(heard, ask, now, qtbot):
    for thing in range(5):
        ask(thing)
        assert is_any_task_busy()
        qtbot.waitUntil(lambda: heard[-1:] == [thing])  # noqa: B023 - waited for in the same round
        now[0] += 0.025


def test_things_that_come_faster_than_their_answers_wait_for_a_pause(question, heard, ask, now, qtbot):
    outrun(question, now)
    for thing in ("three", "four"):
        worked_on = ask(thing)
        assert question.is_busy
        assert not is_any_task_busy()
        now[0] += 0.05
    qtbot.waitUntil(lambda: heard == ["four"])
    assert worked_on == ["four"]
    ask("four")  # this is known, and what comes right after it comes too fast
    ask("five")
    assert not is_any_task_busy()


def test_what_comes_late_enough_takes_the_turn_of_what_waits(question, heard, ask, now, qtbot):
    outrun(question, now)
    ask("three")
    now[0] += 1
    ask("four")
    assert is_any_task_busy()
    qtbot.waitUntil(lambda: heard == ["four"])
    assert not question.is_busy


def test_however_quickly_things_come_one_is_tried_now_and_then(question, now, qtbot):
    outrun(question, now)
    tried = Patient()

    def ask_once_more():
        question.ask(object(), "rules", tried)
        return tried.has_begun.is_set()

    qtbot.waitUntil(ask_once_more)


def test_a_question_that_nobody_asks_any_more_is_not_answered(question, heard, qtbot):
    patient = Patient()
    question.ask("one", "rules", patient)
    assert patient.has_begun.wait(PATIENCE_SECONDS)
    question.cancel()
    assert not question.is_busy
    qtbot.waitUntil(lambda: patient.was_stopped)
    question.close()
    assert heard == []


def test_a_question_that_waits_is_cancelled_too(question, ask, now):
    outrun(question, now)
    ask("three")
    assert question.is_busy
    question.cancel()
    assert not question.is_busy


def test_what_takes_long_is_reported_and_a_failure_too(asker, question, qtbot):
    patient = Patient()
    with qtbot.waitSignal(question.grown_late):
        question.ask("one", "rules", patient)

    def fail(_should_stop):
        raise GpvizError("it is too tangled")

    question.ask("two", "rules", fail)
    qtbot.waitUntil(lambda: asker.problems == ["it is too tangled"])
    assert not question.is_busy


def test_what_is_not_remembered_is_worked_out_again(asker, qtbot):
    question = Question(asker, asker.answers.append, asker.problems.append)
    for count in (1, 2):
        question.ask("one", "rules", lambda _: object())
        qtbot.waitUntil(lambda: len(asker.answers) == count)  # noqa: B023 - waited for in the same round
    assert asker.answers[0] is not asker.answers[1]


def test_what_is_being_worked_out_goes_on_when_it_is_asked_again(question, heard, qtbot):
    first, again = Patient("first"), Patient("again")
    question.ask("one", "rules", first)
    assert first.has_begun.wait(PATIENCE_SECONDS)
    question.ask("one", "rules", again)
    first.may_end.set()
    qtbot.waitUntil(lambda: heard == ["first"])
    assert not again.has_begun.is_set()


def test_with_calm_only_the_last_of_many_is_worked_out(asker, qtbot):
    question = Question(asker, asker.answers.append, asker.problems.append, calm_ms=20)
    for thing in range(5):
        question.ask(thing, "rules", partial(answer, thing))
        assert question.is_busy
        assert not is_any_task_busy()
    qtbot.waitUntil(lambda: asker.answers == [4])


def test_nothing_is_worked_out_while_nobody_looks_and_it_is_when_somebody_does(asker, question, heard, qtbot):
    asker.show()
    patient = Patient("answer")
    question.ask("one", "rules", patient)
    assert patient.has_begun.wait(PATIENCE_SECONDS)
    asker.hide()
    qtbot.waitUntil(lambda: patient.was_stopped)
    assert not question.is_busy
    patient.may_end.set()
    asker.show()
    qtbot.waitUntil(lambda: heard == ["answer"])


def test_all_that_somebody_asks_ends_together(asker, question):
    other = Question(asker, asker.answers.append, asker.problems.append)
    patients = Patient(), Patient()
    for each, patient in zip((question, other), patients, strict=True):
        each.ask("one", "rules", patient)
        assert patient.has_begun.wait(PATIENCE_SECONDS)
    close_questions(asker)
    assert all(patient.was_stopped for patient in patients)
