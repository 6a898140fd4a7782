"""How fast the engine is, beside DEAP in the same run."""

import time
from collections.abc import Callable
from statistics import median

from gpviz.engine.config import RunConfig
from gpviz.engine.search import RlsGp
from tests.benchmarks.deap_rls_gp import deap_run


def seconds_per_iteration(run: Callable[[int], int], seeds: range) -> float:
    start = time.perf_counter()
    iterations = sum(run(seed) for seed in seeds)
    return (time.perf_counter() - start) / iterations


def engine_run(n: int) -> Callable[[int], int]:
    def run(seed: int) -> int:
        return RlsGp(RunConfig(n=n, limit="2n", seed=seed)).run().iterations

    return run


def main() -> None:
    for n, ours, theirs in ((4, 400, 40), (8, 150, 20), (12, 80, 12), (16, 60, 4)):
        engine, deap = engine_run(n), deap_run(n, 2 * n)
        seconds_per_iteration(engine, range(1000, 1000+ours))
        rows=[]
        for round_number in range(7):
            slow=seconds_per_iteration(deap, range(round_number * theirs, (round_number + 1) * theirs))
            fast=seconds_per_iteration(engine, range(round_number * ours, (round_number + 1) * ours))
            rows.append((slow/fast,slow,fast))
        print(n, *(round(x,2) for x in (median(r[0] for r in rows), median(r[1] for r in rows)*1e6,median(r[2] for r in rows)*1e6)))
main()
