"""How fast experiments are: the paper's tables and figures in full, and what the batch and the store add.

``--quick`` does a tenth of the plans' runs and of the large store, and tells what the whole would take.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from gpviz.engine import RlsGp, RunConfig
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.plan_runner import Progress, run_plan
from gpviz.experiments.pool import PoolExecutor
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals
from tests.experiments.inline_executor import InlineExecutor

ROUNDS = 7
PLAN_ROUNDS = 8


def goal(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


@contextmanager
def new_store(plan: Plan) -> Iterator[Store]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.create(Path(folder) / f"{plan.name}.gpvizx", plan) as store,
    ):
        yield store


def seconds_of(names: tuple[str, ...], jobs: int, share: float) -> tuple[float, float]:
    """What the plans take with so many jobs: from start to end, and from the first chunk that is back.

    As `gpviz reproduce` does them: one after another, with the same workers, which are started and ended once.
    """
    whole = steady = 0.0
    executor = PoolExecutor(jobs)
    for name in names:
        plan = find_plan(name)
        plan = plan.replaced(runs=max(1, round(plan.runs * share)))
        first: list[float] = []

        def on_progress(progress: Progress, first: list[float] = first) -> bool:
            if progress.done and not first:
                first.append(time.perf_counter())
            return False

        with new_store(plan) as store:
            start = time.perf_counter()
            run_plan(store, executor, on_progress)
            end = time.perf_counter()
        # Only what comes after the start is longer with more runs.
        steady += (end - first[0]) / share
        whole += (first[0] - start) + (end - first[0]) / share
    return whole + timed(executor.close), steady


def alone(processes: int, share: float) -> float:
    """What each of so many processes takes for the same runs, if none waits for another or for anybody else."""
    with get_context("spawn").Pool(processes) as pool:
        pool.map(_runs_of_table, [0.01] * processes, chunksize=1)
        return max(pool.map(_runs_of_table, [0.25 * share] * processes, chunksize=1))


def _runs_of_table(share: float) -> float:
    plan = find_plan("table1")
    runs = max(1, round(plan.runs * share))
    return timed(
        lambda: [
            run_chunk(Chunk(cell.number, cell.config, 0, runs, plan.max_iterations)) for cell in plan.cells
        ]
    )


def plans(share: float) -> None:
    print(f"plans in full, goals for two jobs{'' if share == 1 else f'; {share:.0%} of the runs, scaled up'}")
    print(f"{'plans':>18} {'jobs':>5} {'seconds':>9} {'steady':>9}")
    tables, figures = ("table1", "table2"), ("figure2", "figure3")
    taken: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    control: dict[int, list[float]] = {1: [], 2: []}
    for number in range(PLAN_ROUNDS):
        # Each goes first in turn: the processors are not as fast all the time.
        for jobs in (1, 2) if number % 2 == 0 else (2, 1):
            taken[jobs].append(seconds_of(tables, jobs, share))
            control[jobs].append(alone(jobs, share))
            whole, steady = taken[jobs][-1]
            print(f"{'table1 + table2':>18} {jobs:>5} {whole:>9.1f} {steady:>9.1f}", flush=True)
    two = median(whole for whole, _ in taken[2])
    print(f"  table1 + table2 with two jobs: {two:.1f} s  at most 60: {goal(two <= 60)}")
    whole, ratio = times_faster([each for each, _ in taken[1]], [each for each, _ in taken[2]])
    print(f"  two jobs against one: {ratio}  at least 1.7: {goal(whole >= 1.7)}")
    steady, ratio = times_faster([each for _, each in taken[1]], [each for _, each in taken[2]])
    print(f"  without the start of the workers: {ratio}")
    _, ratio = times_faster([2 * each for each in control[1]], control[2])
    print(f"  two processes that share nothing against one: {ratio}", flush=True)
    both, steady = seconds_of(figures, 2, share)
    print(f"{'figure2 + figure3':>18} {2:>5} {both:>9.1f} {steady:>9.1f}  at most 90: {goal(both <= 90)}")


def times_faster(one: list[float], two: list[float]) -> tuple[float, str]:
    """By all rounds together, and in words with each of them: single rounds say little on noisy processors."""
    whole = sum(one) / sum(two)
    rounds = [first / second for first, second in zip(one, two, strict=True)]
    listed = ", ".join(f"{each:.2f}" for each in rounds)
    return whole, f"{whole:.2f} times, in the median {median(rounds):.2f} ({listed})"


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def batch() -> None:
    print("\na run in the batch against the engine's own (goal: at most 1.3 times)")
    print(f"{'cell':>34} {'run(), stops stuck':>19} {'plain run()':>12}  goal")
    settings = (
        RunConfig(n=4, limit="n", deletion="subtree", seed=1),
        RunConfig(n=16, limit="2n", deletion="subtree", seed=1),
        RunConfig(n=50, limit="inf", fitness="sampled", rows=1000, sampler="counts", seed=1),
        RunConfig(n=8, limit="n", deletion="leaf", seed=1),
    )
    for config in settings:
        runs = 400 if config.n == 4 else 100

        def own(number: int, is_ended: bool, config: RunConfig = config, runs: int = runs) -> float:
            start = time.perf_counter()
            for index in range(runs):
                search = RlsGp(config.replaced(seed=config.seed + number * runs + index))
                search.run(stop_when_stuck=is_ended, max_iterations=10**7)
            return time.perf_counter() - start

        def batched(number: int, config: RunConfig = config, runs: int = runs) -> float:
            start = time.perf_counter()
            run_chunk(Chunk(0, config, number * runs, runs, 10**7))
            return time.perf_counter() - start

        def ratio(number: int, is_ended: bool) -> float:
            # Whoever does a run second finds much of it remembered, so each is second once.
            ours, theirs = batched(number), own(number, is_ended)
            theirs += own(number + 1, is_ended)
            return (ours + batched(number + 1)) / theirs

        ratio(0, True)
        ratios = [ratio(4 * number, True) for number in range(1, ROUNDS + 1)]
        # With leaf deletion a plain run would go on for ever.
        is_plain = config.deletion == "subtree"
        plain = [ratio(4 * number + 2, False) for number in range(1, ROUNDS + 1)] if is_plain else []
        name = f"n = {config.n}, limit {config.limit}, {config.deletion}{', sampled' * config.is_sampled}"
        plain_text = f"{median(plain):>12.2f}" if plain else f"{'':>12}"
        is_met = max(median(ratios), median(plain) if plain else 0) <= 1.3
        print(f"{name:>34} {median(ratios):>19.2f} {plain_text}  {goal(is_met)}", flush=True)


def store_cost() -> None:
    print("\nwhat the store adds to the runs of table2 in one process (goal: below 5 %)")
    plan = find_plan("table2").replaced(runs=200)
    spent: list[float] = []
    add = Store.add

    def timed_add(self: Store, result: ChunkResult, seconds: float = 0.0) -> None:
        spent.append(timed(lambda: add(self, result, seconds)))

    with new_store(plan) as store:
        Store.add = timed_add  # type: ignore[method-assign]
        try:
            whole = timed(lambda: run_plan(store, InlineExecutor(), lambda _: False))
        finally:
            Store.add = add  # type: ignore[method-assign]
    added = sum(spent) / (whole - sum(spent))
    print(f"  {plan.total_runs:,} runs, {len(spent)} chunks: {added:.1%}  {goal(added < 0.05)}", flush=True)


def million(share: float) -> None:
    plan = find_plan("table2").replaced(runs=round(62_500 * share))
    print(f"\nopening a store of {plan.total_runs:,} runs and summarising it (goal: below 1 s)")
    with new_store(plan) as store:
        for cell in plan.cells:
            result = run_chunk(Chunk(cell.number, cell.config, 0, 25, plan.max_iterations))
            rows = [result.rows[number % 25]._replace(number=number) for number in range(plan.runs)]
            totals = Totals()
            for _ in range(plan.runs // 25):
                totals.merge(result.totals)
            store.add(ChunkResult(cell.number, rows, totals, 0.0))

        def show() -> None:
            with Store.open(store.path) as opened:
                summarise(opened.plan, opened.totals())
                opened.values(0, "iterations")

        taken = median(timed(show) for _ in range(5))
    print(f"  summaries of all cells and one cell's runs: {taken:.3f} s  {goal(taken < 1)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the runs")
    share = 0.1 if parser.parse_args().quick else 1.0
    plans(share)
    batch()
    store_cost()
    million(share)


if __name__ == "__main__":
    main()
