"""Work beside the window's thread: the latest request wins, and whoever has gone hears nothing."""

import threading
from functools import partial

import pytest

from gpviz.app import tasks
from gpviz.app.tasks import BackgroundTask, cancel_all_tasks
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop, Stopped, checkpoint
from tests.app.patient_work import Patient
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def background(qapp):
    made = BackgroundTask("gpviz test")
    yield made
    made.close()


@pytest.fixture
def answers(background):
    """What has been answered so far."""
    found: list[object] = []
    background.finished.connect(found.append)
    return found


class Stubborn(Patient):
    """Work that never asks whether it should stop."""

    def __call__(self, should_stop: ShouldStop) -> object:
        self.has_begun.set()
        self.may_end.wait(PATIENCE_SECONDS)
        return self._answer


def begun(background, work):
    """Work that is being done."""
    background.ask(work)
    assert work.has_begun.wait(PATIENCE_SECONDS)
    return work


def threads_of_tasks() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("gpviz")]


def raising(problem: Exception):
    """Work that fails like this."""

    def fail(_: ShouldStop) -> None:
        raise problem

    return fail


def ask_and_wait(background, qtbot, work):
    with qtbot.waitSignal(background.finished) as answered:
        background.ask(work)
    return answered.args[0]


def test_nobody_waits_for_the_work_of_another(background, answers, qtbot):
    others = [BackgroundTask(f"gpviz {number}") for number in range(12)]
    stubborn = [Stubborn() for _ in others]
    for task, work in zip(others, stubborn, strict=True):
        task.ask(work)
    assert ask_and_wait(background, qtbot, lambda _: "quick") == "quick"
    assert all(work.has_begun.wait(PATIENCE_SECONDS) for work in stubborn)
    for task, work in zip(others, stubborn, strict=True):
        work.may_end.set()
        task.close()


def test_a_thread_that_nobody_needs_ends(background, qtbot, monkeypatch):
    monkeypatch.setattr(tasks, "_IDLE_SECONDS", 0.0)
    thread = ask_and_wait(background, qtbot, lambda _: threading.current_thread())
    qtbot.waitUntil(lambda: not thread.is_alive())
    assert ask_and_wait(background, qtbot, lambda _: "again") == "again"


def test_the_last_who_closes_ends_the_threads_that_wait(background, qtbot, monkeypatch):
    monkeypatch.setattr(tasks, "_IDLE_SECONDS", 10 * PATIENCE_SECONDS)
    thread = ask_and_wait(background, qtbot, lambda _: threading.current_thread())
    background.close()
    qtbot.waitUntil(lambda: not thread.is_alive())


def test_work_that_passes_a_checkpoint_ends_there_once_it_is_outdated(background, answers, qtbot):
    ends: list[type] = []
    begun = threading.Event()

    def go_on_for_ever(_: ShouldStop) -> None:
        begun.set()
        try:
            while True:
                checkpoint()
        except Stopped as stopped:
            ends.append(type(stopped))
            raise

    background.ask(go_on_for_ever)
    assert begun.wait(PATIENCE_SECONDS)
    assert ask_and_wait(background, qtbot, lambda _: "next") == "next"
    assert (ends, answers) == ([Stopped], ["next"])


def test_all_work_is_told_to_stop_before_one_after_the_other_is_waited_for(background, qtbot):
    others = [BackgroundTask(f"gpviz {number}") for number in range(3)]
    patient = [Patient() for _ in others]
    for task, work in zip(others, patient, strict=True):
        task.ask(work)
        assert work.has_begun.wait(PATIENCE_SECONDS)
    cancel_all_tasks()
    qtbot.waitUntil(lambda: all(work.was_stopped for work in patient))
    assert ask_and_wait(background, qtbot, lambda _: "goes on") == "goes on"
    for task in others:
        task.close()


def test_answers_come_in_the_thread_that_asked(background, qtbot):
    heard = []
    background.finished.connect(lambda _: heard.append(threading.get_ident()))
    ask_and_wait(background, qtbot, lambda _: None)
    assert heard == [threading.get_ident()]


def test_of_many_wishes_only_the_latest_is_answered(background, answers, qtbot):
    first = begun(background, Stubborn("first"))
    done: list[int] = []

    def do(number: int, _: ShouldStop) -> int:
        done.append(number)
        return number

    for number in range(50):
        background.ask(partial(do, number))
    first.may_end.set()
    qtbot.waitUntil(lambda: bool(answers))
    assert (answers, done) == ([49], [49])
    assert not background.is_busy


def test_outdated_work_is_told_to_stop_and_its_answer_is_dropped(background, answers, qtbot):
    first = begun(background, Patient("first"))
    assert ask_and_wait(background, qtbot, lambda _: "second") == "second"
    assert first.was_stopped
    assert answers == ["second"]


def test_cancelled_work_is_told_to_stop_and_not_answered(background, answers, qtbot):
    work = begun(background, Patient("cancelled"))
    background.cancel()
    assert not background.is_busy
    qtbot.waitUntil(lambda: work.was_stopped)
    assert ask_and_wait(background, qtbot, lambda _: "later") == "later"
    assert answers == ["later"]


def test_a_wish_cancelled_before_it_was_begun_is_never_done(background, answers, qtbot):
    first = begun(background, Stubborn("first"))
    second = Patient("second")
    background.ask(second)
    background.cancel()
    first.may_end.set()
    assert ask_and_wait(background, qtbot, lambda _: "third") == "third"
    assert not second.has_begun.is_set()
    assert answers == ["third"]


def test_an_error_of_the_users_arrives_as_a_sentence_and_the_thread_lives_on(background, answers, qtbot):
    with qtbot.waitSignal(background.failed) as failed:
        background.ask(raising(GpvizError("Such a file cannot be read.")))
    assert failed.args == ["Such a file cannot be read."]
    assert not background.is_busy
    assert ask_and_wait(background, qtbot, lambda _: "well") == "well"
    assert answers == ["well"]


def test_an_error_that_nobody_foresaw_is_heard_of_and_raised(background, qtbot):
    problem = ValueError("no")
    heard: list[str] = []
    background.failed.connect(heard.append)
    with qtbot.captureExceptions() as raised:
        background.ask(raising(problem))
        qtbot.waitUntil(lambda: len(raised) > 0)
    assert raised[0][1] is problem
    assert heard == ["Unexpected error (ValueError('no'))."]


def test_an_error_that_nobody_listens_for_is_raised(background, qtbot):
    problem = GpvizError("Nobody hears this.")
    with qtbot.captureExceptions() as raised:
        background.ask(raising(problem))
        qtbot.waitUntil(lambda: len(raised) > 0)
    assert raised[0][1] is problem


def test_the_failure_of_outdated_work_is_dropped(background, qtbot):
    failures: list[str] = []
    background.failed.connect(failures.append)
    begun = threading.Event()

    def fail_when_outdated(should_stop: ShouldStop) -> None:
        begun.set()
        while not should_stop():
            pass
        raise ValueError("nobody cares")

    background.ask(fail_when_outdated)
    assert begun.wait(PATIENCE_SECONDS)
    assert ask_and_wait(background, qtbot, lambda _: 1) == 1
    assert failures == []


def test_closing_stops_the_work_and_ends_the_thread(background, answers, qapp):
    work = begun(background, Patient("too late"))
    background.close()
    assert work.was_stopped
    qapp.processEvents()
    assert answers == []
    assert not background.is_busy


def test_closing_waits_for_what_must_be_done(qapp):
    writer = BackgroundTask("gpviz test", cancelled_at_end=False)
    may_go_on = threading.Event()
    written: list[str] = []

    def write(_should_stop):
        may_go_on.wait(PATIENCE_SECONDS)
        checkpoint()
        written.append("all")

    writer.ask(write)
    threading.Timer(0.02, may_go_on.set).start()
    writer.close()
    assert written == ["all"]


def test_closing_right_after_asking_leaves_no_thread(qtbot):
    for _ in range(20):
        background = BackgroundTask("gpviz test")
        background.ask(lambda _: 1)
        background.close()
    qtbot.waitUntil(lambda: not threads_of_tasks())


def test_work_reports_how_far_it_is_while_somebody_waits(background, answers, qtbot):
    heard: list[object] = []
    background.progressed.connect(heard.append)
    may_end = threading.Event()

    def work(working):
        working.report("half")
        may_end.wait(PATIENCE_SECONDS)
        return "all"

    background.ask(work)
    qtbot.waitUntil(lambda: heard == ["half"])
    may_end.set()
    qtbot.waitUntil(lambda: answers == ["all"])


def test_what_is_reported_too_often_is_left_out(background, answers, qtbot):
    heard: list[object] = []
    background.progressed.connect(heard.append)

    def work(working):
        for done in range(1000):
            working.report(done)
        return "all"

    background.ask(work)
    qtbot.waitUntil(lambda: answers == ["all"])
    assert heard[0] == 0
    assert len(heard) < 1000
