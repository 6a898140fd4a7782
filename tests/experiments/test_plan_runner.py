"""Doing an experiment: every run once, in whatever chunks and order, and told as it goes."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine import GpvizError
from gpviz.experiments import plan_runner
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Progress, Work, run_plan
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals
from tests.experiments.inline_executor import InlineExecutor
from tests.patience import PATIENCE_SECONDS


def small_plan(runs: int = 30) -> Plan:
    return Plan(
        name="small",
        runs=runs,
        seed=5,
        settings={"fitness": "complete"},
        grid={"deletion": ["leaf", "subtree"], "limit": ["n"], "n": [3, 6]},
    )


def tables(path: Path) -> dict[str, list[Any]]:
    """Everything in a store but the time it took."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()
            for name in ("runs", "paths", "cells")
        }


def undisturbed(folder: Path, plan: Plan) -> dict[str, list[Any]]:
    """What a store holds after the plan was done in one go, each cell in one chunk."""
    path = folder / "undisturbed.gpvizx"
    with Store.create(path, plan) as store:
        for cell in plan.cells:
            store.add(run_chunk(Chunk(cell.number, cell.config, 0, plan.runs, plan.max_iterations)))
    return tables(path)


class Shuffled(InlineExecutor):
    """Hands chunks back in any order, in pieces, and says of each how long it pretends to have taken."""

    def __init__(self, seed: int = 1, workers: int = 3) -> None:
        super().__init__()
        self.workers = workers
        self.submitted: list[Chunk] = []
        self.is_closed = False
        self.reported = ["Something happened."]
        self._random = random.Random(seed)
        self._pieces: list[Chunk] = []

    def submit(self, chunk: Chunk) -> None:
        self.submitted.append(chunk)
        cut = self._random.randint(0, chunk.runs)
        self._pieces.append(chunk._replace(runs=cut))
        self._pieces.append(chunk._replace(first=chunk.first + cut, runs=chunk.runs - cut))

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        self._random.shuffle(self._pieces)
        taken = [self._pieces.pop() for _ in range(min(2, len(self._pieces)))]
        return [run_chunk(piece) for piece in taken if piece.runs]

    def notes(self) -> list[str]:
        reported, self.reported = self.reported, []
        return reported

    def cancel(self) -> None:
        self._pieces.clear()

    def close(self) -> None:
        self.is_closed = True


def watching(seen: list[Progress], is_over: Callable[[Progress], bool] = lambda _: False):
    def on_progress(progress: Progress) -> bool:
        seen.append(progress)
        return is_over(progress)

    return on_progress


def has_done(runs: int, progress: Progress) -> bool:
    return progress.done >= runs


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_result_is_the_same_in_whatever_chunks_and_order(tmp_path, seed):
    plan = small_plan()
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        assert run_plan(store, Shuffled(seed, workers=seed), watching([]))
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, plan)


def test_progress_counts_every_run_once_and_ends_with_all_of_them(tmp_path):
    plan = small_plan()
    seen: list[Progress] = []
    executor = Shuffled()
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        assert run_plan(store, executor, watching(seen))
        assert store.seconds > 0
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert all(sum(progress.done_by_cell) == progress.done for progress in seen)
    assert seen[0].done == 0
    assert seen[0].seconds_left is None
    assert seen[-1].done == seen[-1].total == 120
    assert seen[-1].seconds_left == 0
    assert seen[-1].rate == pytest.approx(120 / seen[-1].seconds)
    assert [note for progress in seen for note in progress.notes] == ["Something happened."]
    assert not executor.is_closed, "its workers are ready for another plan"


def test_no_run_is_handed_out_twice_and_none_is_left_out(tmp_path):
    plan = small_plan()
    executor = Shuffled()
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        run_plan(store, executor, watching([]))
    handed = [
        (chunk.cell, number)
        for chunk in executor.submitted
        for number in range(chunk.first, chunk.first + chunk.runs)
    ]
    assert sorted(handed) == [(cell, number) for cell in range(4) for number in range(30)]


def test_two_chunks_a_worker_are_under_way_at_most(tmp_path):
    executor = InlineExecutor()
    waiting: list[int] = []
    submit, wait = executor.submit, executor.wait
    chunks: list[Chunk] = []

    def counted_submit(chunk: Chunk) -> None:
        chunks.append(chunk)
        submit(chunk)
        waiting.append(len(chunks))

    def counted_wait(timeout_s: float) -> list[ChunkResult]:
        results = wait(timeout_s)
        del chunks[: len(results)]
        return results

    executor.submit, executor.wait = counted_submit, counted_wait  # type: ignore[method-assign]
    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        run_plan(store, executor, watching([]))
    assert max(waiting) == 2


def test_cancelling_keeps_what_is_done_and_going_on_completes_it(tmp_path):
    plan = small_plan()
    path = tmp_path / "a.gpvizx"
    sittings = 0
    seen: list[Progress] = []
    with Store.create(path, plan) as store:
        is_finished = False
        while not is_finished:
            before = sum(totals.runs for totals in store.totals())
            until = before + 17
            executor = Shuffled(sittings)
            is_finished = run_plan(store, executor, watching(seen, partial(has_done, until)))
            assert sum(totals.runs for totals in store.totals()) == seen[-1].done >= min(until, 120)
            sittings += 1
    assert sittings >= 3
    assert tables(path) == undisturbed(tmp_path, plan)


def test_cancelling_before_anything_is_done_does_nothing(tmp_path):
    executor = Shuffled()
    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        assert not run_plan(store, executor, lambda _: True)
        assert sum(totals.runs for totals in store.totals()) == 0
    assert executor.submitted == []
    assert executor.is_closed


def test_what_workers_have_at_hand_when_it_is_cancelled_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(plan_runner, "_GRACE_S", PATIENCE_SECONDS)

    class Slow(Shuffled):
        def cancel(self) -> None:
            pass

    executor = Slow()
    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        assert not run_plan(store, executor, lambda now: now.done > 0)
        done = sum(totals.runs for totals in store.totals())
    assert done == sum(chunk.runs for chunk in executor.submitted)


def test_an_experiment_that_has_all_its_runs_is_finished_at_once(tmp_path):
    plan = small_plan(2)
    with Store.create(tmp_path / "a.gpvizx", plan) as store:
        assert run_plan(store, InlineExecutor(), watching([]))
        executor = Shuffled()
        seen: list[Progress] = []
        assert run_plan(store, executor, watching(seen, lambda _: True))
    assert executor.submitted == []
    assert seen[-1].done == 8
    assert seen[-1].seconds_left == 0


def test_more_runs_are_added_to_those_that_are_there(tmp_path):
    with Store.create(tmp_path / "a.gpvizx", small_plan(4)) as store:
        run_plan(store, InlineExecutor(), watching([]))
        store.extend(small_plan(9))
        executor = Shuffled()
        assert run_plan(store, executor, watching([]))
    assert sum(chunk.runs for chunk in executor.submitted) == 4 * 5
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, small_plan(9))


def test_what_comes_back_twice_counts_once(tmp_path):
    class Twice(InlineExecutor):
        def wait(self, timeout_s: float) -> list[ChunkResult]:
            return 2 * super().wait(timeout_s)

    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        assert run_plan(store, Twice(), watching([]))
    assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, small_plan())


def test_where_the_disk_is_full_it_is_reported_the_workers_end_and_what_was_written_is_kept(
    tmp_path, monkeypatch
):
    path = tmp_path / "a.gpvizx"
    executor = Shuffled()
    add = Store.add
    written: list[ChunkResult] = []

    def add_three(self: Store, result: ChunkResult, seconds: float) -> None:
        if len(written) == 3:
            raise GpvizError("a.gpvizx: the disk is full; what was written before is kept.")
        written.append(result)
        add(self, result, seconds)

    def fail(self: Store, seconds: float) -> None:
        raise GpvizError("another sentence, which is not the one to be told.")

    with Store.create(path, small_plan()) as store, monkeypatch.context() as patch:
        patch.setattr(Store, "add", add_three)
        patch.setattr(Store, "add_seconds", fail)
        with pytest.raises(GpvizError, match="the disk is full"):
            run_plan(store, executor, watching([]))
    assert executor.is_closed
    kept = tables(path)
    assert len(kept["runs"]) == sum(len(result.rows) for result in written) > 0
    with Store.open(path, is_writable=True) as store:
        assert run_plan(store, Shuffled(), watching([]))
    assert tables(path) == undisturbed(tmp_path, small_plan())


def test_the_time_of_what_is_written_is_counted_with_it(tmp_path, monkeypatch):
    class Killed(BaseException):
        pass

    def die(self: Store, seconds: float) -> None:
        raise Killed

    times: list[float] = []
    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store:
        monkeypatch.setattr("gpviz.experiments.plan_runner.monotonic", count(100).__next__)
        monkeypatch.setattr(Store, "add_seconds", die)  # the process is killed before it counts what is left

        def on_progress(progress: Progress) -> bool:
            times.append(store.seconds)
            return False

        with pytest.raises(Killed):
            run_plan(store, Shuffled(), on_progress)
        assert times[0] == 0
        assert times == sorted(times)
        assert store.seconds == times[-1] >= len(set(times)) - 1 > 5


def test_the_executor_is_closed_when_the_listener_fails(tmp_path):
    executor = Shuffled()

    def fail(progress: Progress) -> bool:
        raise KeyboardInterrupt

    with Store.create(tmp_path / "a.gpvizx", small_plan()) as store, pytest.raises(KeyboardInterrupt):
        run_plan(store, executor, fail)
    assert executor.is_closed


def result_of(chunk: Chunk, seconds_per_run: float) -> ChunkResult:
    """What a chunk would come back as, had its runs taken so long; only their numbers matter here."""
    row = run_chunk(chunk._replace(runs=1)).rows[0]
    rows = [row._replace(number=chunk.first + index) for index in range(chunk.runs)]
    return ChunkResult(chunk.cell, rows, Totals(), seconds_per_run * chunk.runs)


def work_of(runs: int) -> Work:
    plan = small_plan(runs)
    return Work(plan, [[range(runs)]] * len(plan.cells))


def test_all_cells_grow_alike_until_the_end():
    work = work_of(10_000)
    costs = (0.001, 0.002, 0.02, 0.005)
    done = [0, 0, 0, 0]
    while max(done) < 9_000:
        chunk = work.next_chunk(2)
        assert chunk is not None
        work.take(result_of(chunk, costs[chunk.cell]))
        done[chunk.cell] += chunk.runs
        # The largest chunk is one of a second, and thus of 1,000 of the shortest runs.
        assert max(done) - min(done) <= 1_000


def test_the_last_chunks_are_small_so_that_all_workers_end_together():
    work = work_of(400)
    sizes: list[int] = []
    while (chunk := work.next_chunk(4)) is not None:
        sizes.append(chunk.runs)
        work.take(result_of(chunk, 0.01))
    assert sum(sizes) == 1600
    assert 60 <= max(sizes) <= 100
    assert sizes[-8:] == sorted(sizes[-8:], reverse=True)
    assert sizes[-1] <= 2


def test_the_time_left_goes_by_what_the_runs_that_are_left_cost():
    work = work_of(100)
    assert work.seconds_left() is None
    costs = (0.001, 0.002, 0.003, 1.0)
    left = [100, 100, 100, 100]
    for _ in range(4):
        chunk = work.next_chunk(2)
        assert chunk is not None
        work.take(result_of(chunk, costs[chunk.cell]))
        left[chunk.cell] -= chunk.runs
    expected = sum(count * cost for count, cost in zip(left, costs, strict=True))
    assert work.seconds_left() == pytest.approx(expected)


def test_gaps_are_filled_and_nothing_else():
    plan = small_plan(50)
    gaps = [range(3, 5), range(10, 11), range(40, 50)]
    work = Work(plan, [gaps, [], [], []])
    numbers: list[int] = []
    while (chunk := work.next_chunk(2)) is not None:
        assert chunk.cell == 0
        numbers += range(chunk.first, chunk.first + chunk.runs)
    assert sorted(numbers) == [3, 4, 10, *range(40, 50)]


def test_runs_that_nobody_waits_for_are_refused():
    work = work_of(10)
    chunk = work.next_chunk(1)
    assert chunk is not None
    result = result_of(chunk, 0.1)
    assert not work.take(result._replace(cell=chunk.cell - 1))
    assert not work.take(result._replace(rows=[]))
    assert work.take(result)
    assert not work.take(result)
    assert work.in_flight == 0
