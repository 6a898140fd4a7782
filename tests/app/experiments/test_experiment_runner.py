"""The runner of experiments: what is done is kept, whatever ends it, and the window hears of it."""

import errno
import threading
from functools import partial
from pathlib import Path

import pytest

from gpviz.app.experiments.experiment_runner import ExperimentRunner, new_store
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import checkpoint
from gpviz.experiments.chunk_worker import Chunk, ChunkResult
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Progress
from gpviz.experiments.pool import PoolExecutor
from gpviz.experiments.store import Store
from tests.experiments.inline_executor import InlineExecutor

PLAN = Plan(name="tiny", title="Tiny", runs=6, settings={"limit": "2n"}, grid={"n": (2, 3)})


class _Gated(InlineExecutor):
    """Does one chunk whenever the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.permits = threading.Semaphore(0)
        self.is_closed = False

    def submit(self, chunk: Chunk) -> None:
        for number in range(chunk.first, chunk.first + chunk.runs):  # so that there are several
            super().submit(chunk._replace(first=number, runs=1))

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        return super().wait(timeout_s) if self.permits.acquire(timeout=min(timeout_s, 0.02) or 0.001) else []

    def close(self) -> None:
        super().close()
        self.is_closed = True


class _Heard:
    """Everything that a runner says."""

    def __init__(self, runner: ExperimentRunner) -> None:
        self.paths: list[Path] = []
        self.progress: list[Progress] = []
        self.ends: list[object] = []
        runner.opened.connect(self.paths.append)
        runner.progressed.connect(self.progress.append)
        runner.ended.connect(self.ends.append)
        runner.failed.connect(self.ends.append)


def _inline(_jobs: int) -> InlineExecutor:
    return InlineExecutor()


@pytest.fixture
def make(qapp):
    runners = []

    def made(factory=_inline):
        runner = ExperimentRunner(factory)
        runners.append(runner)
        return runner, _Heard(runner)

    yield made
    for runner in runners:
        runner.shut_down()


@pytest.fixture
def begun(make, qtbot, tmp_path):
    """A runner, what it says, what does its runs, and its file, after three runs of many."""
    executor = _Gated()
    runner, heard = make(lambda _: executor)
    path = tmp_path / "a.gpvizx"
    runner.run(partial(new_store, path, PLAN), 1)
    executor.permits.release(3)
    qtbot.waitUntil(lambda: bool(heard.progress) and heard.progress[-1].done == 3)
    return runner, heard, executor, path


def test_a_cancelled_experiment_keeps_what_is_done_and_goes_on_from_there(begun, qtbot):
    runner, heard, executor, path = begun
    runner.cancel()
    assert runner.is_cancelling
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [False]
    assert executor.is_closed
    with Store.open(path) as store:
        before = sum(totals.runs for totals in store.totals())
    assert 3 <= before < 12
    executor.permits.release(100)
    runner.run(partial(Store.open, path, is_writable=True), 1)
    qtbot.waitUntil(lambda: len(heard.ends) == 2)
    assert heard.ends[-1] is True
    with Store.open(path) as store:
        assert [totals.runs for totals in store.totals()] == [6, 6]


@pytest.mark.parametrize(
    "problem", [OSError(errno.ENOSPC, "No space left on device"), GpvizError("No workers.")]
)
def test_an_experiment_whose_workers_cannot_start_leaves_nothing_in_the_way_of_the_next(
    make, qtbot, tmp_path, problem
):
    def fail(_: int) -> InlineExecutor:
        raise problem

    runner, heard = make(fail)
    path = tmp_path / "a.gpvizx"
    for _ in range(2):
        runner.run(partial(new_store, path, PLAN), 1)
        qtbot.waitUntil(lambda: not runner.is_running)
        assert list(tmp_path.iterdir()) == []
    assert len(heard.ends) == 2
    assert "already exists" not in str(heard.ends)
    assert heard.paths == []


def test_what_goes_wrong_gets_a_sentence(make, qtbot, tmp_path):
    runner, heard = make()
    path = tmp_path / "a.gpvizx"
    runner.run(partial(Store.open, path, is_writable=True), 1)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert str(path) in heard.ends[0]
    assert heard.ends[0].endswith(".")
    assert not runner.is_running


@pytest.mark.parametrize(
    ("problem", "is_raised"), [(OSError("no space"), False), (ValueError("a slip"), True)]
)
def test_what_nobody_expected_is_reported_and_slips_are_not_hidden(make, qtbot, tmp_path, problem, is_raised):
    def break_down(_jobs):
        raise problem

    runner, heard = make(break_down)
    with qtbot.captureExceptions() as raised:
        runner.run(partial(new_store, tmp_path / "a.gpvizx", PLAN), 1)
        qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [f"The experiment ended unexpectedly ({problem}); the finished runs are kept."]
    assert bool(raised) == is_raised


def test_progress_is_reported_at_a_pace_and_no_note_is_lost(make, qtbot, tmp_path):
    executor = _Gated()
    notes = [f"note {number}" for number in range(20)]
    executor.notes = lambda: [notes.pop(0)] if notes else []  # type: ignore[method-assign]
    runner, heard = make(lambda _: executor)
    executor.permits.release(12)
    runner.run(partial(new_store, tmp_path / "a.gpvizx", PLAN), 1)
    for thread in threading.enumerate():
        if thread.name == "gpviz experiment":
            thread.join()  # all of it comes between two looks
    qtbot.waitUntil(lambda: bool(heard.ends))
    reported = [note for progress in heard.progress for note in progress.notes]
    assert reported == [f"note {number}" for number in range(len(reported))]
    assert len(reported) >= 12
    assert len(heard.progress) == 1


def test_shutting_down_waits_for_no_run_and_keeps_what_came_back(begun):
    runner, heard, executor, path = begun
    runner.shut_down()
    assert executor.is_closed
    assert not heard.ends
    with Store.open(path) as store:
        assert 3 <= sum(totals.runs for totals in store.totals()) < 12


def test_shutting_down_leaves_no_process(make, qtbot, tmp_path):
    class OneResult(PoolExecutor):
        """Processes of which only the first results ever come back, so that an experiment cannot end."""

        has_results = False

        def wait(self, timeout_s: float) -> list[ChunkResult]:
            if self.has_results:
                threading.Event().wait(min(timeout_s, 0.02))
                return []
            results = super().wait(timeout_s)
            self.has_results = bool(results)
            return results

    pool = OneResult(1)
    runner, heard = make(lambda _: pool)
    path = tmp_path / "a.gpvizx"
    runner.run(partial(new_store, path, PLAN.replaced(runs=1000)), 1)
    qtbot.waitUntil(lambda: bool(heard.progress) and heard.progress[-1].done > 0)
    assert pool._processes() != []
    runner.shut_down()
    assert pool._processes() == []
    assert not heard.ends
    with Store.open(path) as store:
        assert heard.progress[-1].done <= sum(totals.runs for totals in store.totals()) < 2000


def _opens_for_ever(path: Path, *, is_writable: bool = False) -> Store:
    while True:
        checkpoint()


@pytest.mark.parametrize("is_shut_down", [True, False])
def test_an_experiment_that_is_being_opened_can_be_cancelled(
    make, qtbot, tmp_path, monkeypatch, is_shut_down
):
    runner, heard = make(_inline)
    Store.create(tmp_path / "a.gpvizx", PLAN).close()
    monkeypatch.setattr(Store, "open", _opens_for_ever)
    runner.run(partial(Store.open, tmp_path / "a.gpvizx", is_writable=True), 1)
    if is_shut_down:
        assert runner.shut_down()  # or it would wait for ever
        return
    runner.cancel()
    qtbot.waitUntil(lambda: not runner.is_running)
    assert heard.ends == [False]
