"""The pool of processes: a worker that dies is replaced and told of, and none outlives its parent."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from gpviz.engine import GpvizError
from gpviz.experiments import pool
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Progress, run_plan
from gpviz.experiments.pool import PoolExecutor, default_jobs
from gpviz.experiments.store import Store
from tests.experiments.test_plan_runner import small_plan, tables, undisturbed
from tests.patience import PATIENCE_SECONDS
from tests.systems import needs_posix


def chunk_of(cell: int = 0, first: int = 0, runs: int = 3) -> Chunk:
    return Chunk(cell, small_plan().cells[cell].config, first, runs, 10**6)


def pids(executor: PoolExecutor) -> list[int | None]:
    return [process.pid for process in executor._processes()]


@needs_posix
def test_a_worker_that_is_killed_is_replaced_and_no_run_is_lost_or_doubled(tmp_path):
    plan = small_plan(150)
    executor = PoolExecutor(2)
    seen: list[Progress] = []
    killed: list[int] = []

    def on_progress(progress: Progress) -> bool:
        seen.append(progress)
        if progress.done and not killed:
            killed.append(pids(executor)[0])
            os.kill(killed[0], signal.SIGKILL)
        return False

    with executor, Store.create(tmp_path / "a.gpvizx", plan) as store:
        assert run_plan(store, executor, on_progress)
    notes = [note for progress in seen for note in progress.notes]
    assert notes == ["A worker ended unexpectedly; a new one repeats its runs."]
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, plan)
    assert pids(executor) == []


def test_two_plans_are_done_by_the_same_workers(tmp_path):
    seen: list[list[int | None]] = []

    def on_progress(progress: Progress) -> bool:
        if progress.done == progress.total:
            seen.append(pids(executor))
        return False

    with PoolExecutor(1) as executor:
        for runs in (2, 3):
            folder = tmp_path / str(runs)
            folder.mkdir()
            with Store.create(folder / "a.gpvizx", small_plan(runs)) as store:
                assert run_plan(store, executor, on_progress)
            assert tables(store.path) == undisturbed(folder, small_plan(runs))
    assert len(seen[0]) == 1
    assert all(each == seen[0] for each in seen)
    assert pids(executor) == []


def test_cancelling_ends_chunks_between_two_runs_and_keeps_what_they_did(tmp_path):
    # So many runs that the chunk could never be done meanwhile.
    with PoolExecutor(1) as executor:
        executor.submit(chunk_of(first=0, runs=1))
        assert [row.number for result in executor.wait(PATIENCE_SECONDS) for row in result.rows] == [0]
        executor.submit(chunk_of(first=1, runs=10**7))
        executor.submit(chunk_of(first=0, cell=1, runs=10**7))
        assert executor.wait(1.0) == []  # the first of them has been begun meanwhile
        executor.cancel()
        (result,) = executor.wait(PATIENCE_SECONDS)
        assert [row.number for row in result.rows] == list(range(1, 1 + len(result.rows)))
        assert 0 < len(result.rows) < 10**7
        assert executor.wait(PATIENCE_SECONDS) == []  # what nobody had begun comes back as nothing
        assert executor.notes() == []


@needs_posix
def test_ctrl_c_does_not_hit_a_worker_and_one_that_does_not_stop_is_ended(monkeypatch):
    monkeypatch.setattr(pool, "_GRACE_S", 0.05)
    hard = Plan(name="hard", settings={"n": 300, "limit": "inf"}, grid={}).cells[0].config
    before = set(threading.enumerate())
    executor = PoolExecutor(1)
    executor.submit(chunk_of())
    executor.wait(PATIENCE_SECONDS)
    (pid,) = pids(executor)
    os.kill(pid, signal.SIGINT)
    os.kill(pid, signal.SIGHUP)
    executor.submit(chunk_of(first=3))
    assert [len(result.rows) for result in executor.wait(PATIENCE_SECONDS)] == [3]
    assert pids(executor) == [pid]
    assert executor.notes() == []
    executor.submit(Chunk(0, hard, 0, 1, 10**9))
    assert executor.wait(1.0) == []
    executor.close()
    executor.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert set(threading.enumerate()) <= before
    executor.submit(chunk_of(runs=2))
    assert [len(result.rows) for result in executor.wait(PATIENCE_SECONDS)] == [2]
    executor.close()


@pytest.mark.parametrize("jobs", [0, -3, 257, "many", 1.5])
def test_nonsense_for_jobs_is_refused_in_a_sentence(jobs):
    with pytest.raises(GpvizError, match=rf"^jobs: .*1 .*{pool.MAX_JOBS}"):
        PoolExecutor(jobs)


def test_all_cores_are_used_unless_asked_otherwise(monkeypatch):
    assert PoolExecutor().workers == default_jobs() == len(os.sched_getaffinity(0))
    assert PoolExecutor(7).workers == 7
    monkeypatch.delattr(os, "sched_getaffinity")
    assert default_jobs() == os.cpu_count()


def dying_executor(monkeypatch, is_deadly: Callable[[Chunk], bool]) -> PoolExecutor:
    """An executor without processes: ``is_deadly`` says which chunks end their worker."""

    class Pool:
        def __init__(self, *arguments: object) -> None:
            self.is_broken = False

        def submit(self, work: object, chunk: Chunk) -> "Future[ChunkResult]":
            if self.is_broken:
                raise BrokenProcessPool
            future: Future[ChunkResult] = Future()
            self.is_broken = is_deadly(chunk)
            if self.is_broken:
                future.set_exception(BrokenProcessPool())
            else:
                future.set_result(run_chunk(chunk))
            return future

        def shutdown(self, **options: bool) -> None:
            pass

    monkeypatch.setattr(pool, "ProcessPoolExecutor", Pool)
    return PoolExecutor(2)


def test_a_run_that_ends_its_worker_twice_is_done_in_the_end(tmp_path, monkeypatch):
    lives = [9, 9]

    def is_deadly(chunk: Chunk) -> bool:
        return bool(chunk.cell == 1 and chunk.first <= 9 < chunk.first + chunk.runs and lives and lives.pop())

    executor = dying_executor(monkeypatch, is_deadly)
    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        assert run_plan(store, executor, lambda _: False)
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, small_plan())


def test_workers_that_always_end_without_a_result_are_given_up(tmp_path, monkeypatch):
    executor = dying_executor(monkeypatch, lambda chunk: True)
    with (
        Store.create(tmp_path / "a.gpvizx", small_plan()) as store,
        pytest.raises(
            GpvizError, match=r"3 times in a row without a result.*AND₆.*seed 5 to \d+; the finished runs"
        ),
    ):
        run_plan(store, executor, lambda _: False)


def test_too_little_memory_and_processes_that_cannot_start_are_reported_in_a_sentence(monkeypatch):
    executor = dying_executor(monkeypatch, lambda chunk: False)

    def fail(*arguments: object) -> "Future[ChunkResult]":
        future: Future[ChunkResult] = Future()
        future.set_exception(MemoryError())
        return future

    def refuse(*arguments: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(executor._start(), "submit", fail)
    executor.submit(chunk_of(runs=1))
    with pytest.raises(GpvizError, match=r"not enough memory for AND₃ .* seed 5\.$"):
        executor.wait(1)
    executor.close()
    monkeypatch.setattr(executor._start(), "submit", refuse)
    with pytest.raises(GpvizError, match="cannot be started; Resource temporarily unavailable"):
        executor.submit(chunk_of())


PARENT = """
if __name__ == "__main__":  # the workers read this as well, and need nothing of it
    import sys
    from pathlib import Path
    from gpviz.experiments.plan import Plan
    from gpviz.experiments.pool import PoolExecutor
    from gpviz.experiments.plan_runner import run_plan
    from gpviz.experiments.store import Store

    plan = Plan(name="long", runs=10**7, settings={"limit": "n"}, grid={"n": [3, 6]})
    with Store.create(Path(sys.argv[1]), plan) as store:
        run_plan(store, PoolExecutor(2), lambda now: print(now.done, flush=True))
"""


@needs_posix
@pytest.mark.parametrize("is_interrupted", [False, True])
def test_workers_end_with_their_parent_and_leave_ctrl_c_to_it(tmp_path, is_interrupted):
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, script, tmp_path / "a.gpvizx"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as parent:
        assert parent.stdout is not None
        while int(parent.stdout.readline()) < 200:
            pass
        if is_interrupted:
            os.killpg(parent.pid, signal.SIGINT)  # as a terminal does, to all of them
        else:
            parent.kill()
        # The workers hold the other end of these pipes, so this ends when the last of them has.
        _, problems = parent.communicate(timeout=PATIENCE_SECONDS)
    assert problems.count(b"Traceback") == is_interrupted, "the parent's, and none of a worker"
    with Store.open(tmp_path / "a.gpvizx") as store:
        assert sum(totals.runs for totals in store.totals()) >= 200
