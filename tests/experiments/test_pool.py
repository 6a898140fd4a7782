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


@needs_posix
def test_a_worker_that_is_killed_is_replaced_and_no_run_is_lost_or_doubled(tmp_path):
    plan = small_plan(150)
    executor = PoolExecutor(2)
    seen: list[Progress] = []
    killed: list[int] = []

    def on_progress(progress: Progress) -> bool:
        seen.append(progress)
        if progress.done and not killed:
            killed.append(executor.pids[0])
            os.kill(executor.pids[0], signal.SIGKILL)
        return False

    with executor, Store.create(tmp_path / "a.gpvizx", plan) as store:
        assert run_plan(store, executor, on_progress)
    notes = [note for progress in seen for note in progress.notes]
    assert notes == ["A worker ended unexpectedly; a new one repeats its runs."]
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, plan)
    assert executor.pids == []


def test_two_plans_are_done_by_the_same_workers(tmp_path):
    pids: list[list[int]] = []

    def on_progress(progress: Progress) -> bool:
        if progress.done == progress.total:
            pids.append(sorted(executor.pids))
        return False

    with PoolExecutor(1) as executor:
        for runs in (2, 3):
            folder = tmp_path / str(runs)
            folder.mkdir()
            with Store.create(folder / "a.gpvizx", small_plan(runs)) as store:
                assert run_plan(store, executor, on_progress)
            assert tables(store.path) == undisturbed(folder, small_plan(runs))
    assert len(pids[0]) == 1
    assert all(each == pids[0] for each in pids)
    assert executor.pids == []


def test_cancelling_ends_chunks_between_two_runs_and_keeps_what_they_did(tmp_path):
    # So many runs that the chunk could never be done meanwhile.
    with PoolExecutor(1) as executor:
        executor.submit(chunk_of(first=0, runs=1))
        assert [row.number for result in executor.wait(PATIENCE_SECONDS) for row in result.rows] == [0]
        executor.submit(chunk_of(first=1, runs=10**7))
        executor.submit(chunk_of(first=0, cell=1, runs=10**7))
        while not executor._begun[executor._tasks[next(iter(executor._tasks))].slot] > 5:
            assert executor.wait(0.01) == []
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
    (pid,) = executor.pids
    os.kill(pid, signal.SIGINT)
    os.kill(pid, signal.SIGHUP)
    executor.submit(chunk_of(first=3))
    assert [len(result.rows) for result in executor.wait(PATIENCE_SECONDS)] == [3]
    assert executor.pids == [pid]
    assert executor.notes() == []
    executor.submit(Chunk(0, hard, 0, 1, 10**9))
    (task,) = executor._tasks.values()
    while not executor._begun[task.slot]:
        assert executor.wait(0.01) == []
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


class _Dying:
    """Stands in for the processes: a future breaks when its chunk holds the run that kills its worker."""

    def __init__(self, kills: Callable[[Chunk], int | None], code: int = -9) -> None:
        self.exitcode = code
        self.pid = 77
        self.kills = kills


def dying_executor(monkeypatch, kills: Callable[[Chunk], int | None], code: int = -9) -> PoolExecutor:
    """An executor without processes: of two chunks one is begun at a time, and ``kills`` names a deadly run."""

    class Pool:
        def __init__(self, *arguments: object) -> None:
            self._processes = {77: _Dying(kills, code)}
            self.is_broken = False

        def submit(self, work: object, chunk: Chunk, slot: int) -> "Future[ChunkResult]":
            if self.is_broken:
                raise BrokenProcessPool
            future: Future[ChunkResult] = Future()
            deadly = kills(chunk)
            if deadly is None:
                future.set_result(run_chunk(chunk))
            else:
                executor._owners[slot] = 77
                executor._begun[slot] = deadly - chunk.first + 1
                future.set_exception(BrokenProcessPool())
                self.is_broken = True
            return future

        def shutdown(self, **options: bool) -> None:
            pass

    monkeypatch.setattr(pool, "ProcessPoolExecutor", Pool)
    executor = PoolExecutor(2)
    return executor


def test_a_run_that_always_kills_its_worker_is_found_and_named_and_all_others_are_done(tmp_path, monkeypatch):
    def kills(chunk: Chunk) -> int | None:
        return 17 if chunk.cell == 2 and chunk.first <= 17 < chunk.first + chunk.runs else None

    executor = dying_executor(monkeypatch, kills)
    plan = small_plan(30)
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        with pytest.raises(GpvizError) as caught:
            run_plan(store, executor, lambda _: False)
        done = sum(totals.runs for totals in store.totals())
    assert str(caught.value) == (
        "A run ended its worker 3 times, AND₃ · limit n = 3 leaves · subtree deletion · seed 22; the"
        " finished runs are kept."
    )
    assert 0 < done < 120


def test_a_run_that_kills_its_worker_twice_is_done_in_the_end(tmp_path, monkeypatch):
    lives = [9, 9]

    def kills(chunk: Chunk) -> int | None:
        return (
            lives.pop() if lives and chunk.cell == 1 and chunk.first <= 9 < chunk.first + chunk.runs else None
        )

    executor = dying_executor(monkeypatch, kills)
    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        assert run_plan(store, executor, lambda _: False)
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, small_plan())
    # That is forgotten when all is done: another plan may have another run there.
    lives += [9, 9]
    with Store.create(tmp_path / "b.gpvizx", small_plan()) as store:
        assert run_plan(store, executor, lambda _: False)


def test_workers_that_end_before_they_have_done_anything_are_given_up(tmp_path, monkeypatch):
    executor = dying_executor(monkeypatch, lambda chunk: chunk.first - 1, code=-15)
    with (
        Store.create(tmp_path / "a.gpvizx", small_plan()) as store,
        pytest.raises(
            GpvizError, match=r"3 times in a row without a result.*AND₆.*seed 5 to \d+; the finished runs"
        ),
    ):
        run_plan(store, executor, lambda _: False)


def test_too_little_memory_and_processes_that_cannot_start_are_reported_in_a_sentence(monkeypatch):
    executor = dying_executor(monkeypatch, lambda chunk: None)

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
