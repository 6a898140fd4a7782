"""How fast the engine is, beside DEAP in the same run. Prints a table and whether each goal is met.

Rounds of both are taken in turn, so that a busy moment of the machine hits either; a ratio is the median of the
rounds' ratios. Every round has seeds of its own, after a round that only warms up.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from gpviz.analysis import neighbourhood
from gpviz.engine import RlsGp, RunConfig, apply, parse, tree_state
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.many_runs import run_many
from gpviz.engine.randomness import key_of
from gpviz.engine.sampled_error import CountSampler
from gpviz.engine.target import target_for
from gpviz.runs.history import History
from tests.benchmarks.amount import IS_FULL
from tests.benchmarks.deap_rls_gp import deap_run

ROUNDS = 9 if IS_FULL else 3
FIGURE = [
    ("(x3 & x2) | (x2 & x3)", 4),
    ("(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1", 8),
    ("((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))", 8),
]

Timed = Callable[[range], tuple[float, int]]
"""Does the runs of these seeds: the seconds it took, and the number of iterations."""


def timed_deap(n: int) -> Timed:
    run = deap_run(n, 2 * n)

    def timed(seeds: range) -> tuple[float, int]:
        start = time.perf_counter()
        iterations = sum(run(seed) for seed in seeds)
        return time.perf_counter() - start, iterations

    return timed


def timed_run(**settings: Any) -> Timed:
    def timed(seeds: range) -> tuple[float, int]:
        searches = [RlsGp(RunConfig(seed=seed, **settings)) for seed in seeds]
        start = time.perf_counter()
        iterations = sum(search.run().iterations for search in searches)
        return time.perf_counter() - start, iterations

    return timed


def timed_batch(**settings: Any) -> Timed:
    """Many runs at once, with the compiled loop."""

    def timed(seeds: range) -> tuple[float, int]:
        start = time.perf_counter()
        runs = run_many(RunConfig(**settings), None, seeds, stop_when_stuck=False)
        return time.perf_counter() - start, int(runs.iterations.sum())

    return timed


def timed_recording(**settings: Any) -> Timed:
    def timed(seeds: range) -> tuple[float, int]:
        seconds, iterations = 0.0, 0
        for seed in seeds:
            config = RunConfig(seed=seed, **settings)
            search, history = RlsGp(config), History(config)
            start = time.perf_counter()
            while search.error != 0:
                history.append(search.step())
            len(history.codes())
            seconds += time.perf_counter() - start
            iterations += search.iteration
        return seconds, iterations

    return timed


def microseconds(timed: Timed, runs: int, number: int) -> float:
    seconds, iterations = timed(range(number * runs, (number + 1) * runs))
    return 1e6 * seconds / iterations


def rounds_of(*contestants: tuple[Timed, int]) -> list[tuple[float, ...]]:
    """The microseconds an iteration of each takes, in every round."""
    for timed, runs in contestants:
        microseconds(timed, runs, ROUNDS)
    return [tuple(microseconds(*each, number) for each in contestants) for number in range(ROUNDS)]


def compare(one: tuple[Timed, int], other: tuple[Timed, int]) -> tuple[float, float, float]:
    """The microseconds an iteration of each takes, and how many times longer the second takes."""
    rounds = rounds_of(one, other)
    firsts, seconds = zip(*rounds, strict=True)
    return median(firsts), median(seconds), median(b / a for a, b in rounds)


def milliseconds(work: Callable[[], object], times: int = 15) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(1e3 * (time.perf_counter() - start))
    return median(taken)


def goal(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def against_deap() -> None:
    print(
        "runs on the complete truth table, limit 2n, subtree deletion: the compiled loop, run() in Python, DEAP"
    )
    print(f"{'':>6} {'us/it':>10} {'us/it':>10} {'us/it':>10} {'Python /':>18} {'DEAP /':>18} {'DEAP /':>16}")
    print(
        f"{'n':>6} {'compiled':>10} {'Python':>10} {'DEAP':>10} {'compiled':>18} {'compiled':>18} {'Python':>16}"
    )
    for n, compiled, python, deap, goals in (
        (4, 20_000, 500, 40, (8, 200)),
        (8, 8_000, 200, 20, (8, 200)),
        (12, 4_000, 100, 12, (5, 150)),
        (16, 2_000, 80, 6, (2, 0)),
    ):
        contestants = (
            (timed_batch(n=n, limit="2n"), compiled),
            (timed_run(n=n, limit="2n"), python),
            (timed_deap(n), deap),
        )
        costs = rounds_of(*contestants)
        first, second, third = (median(column) for column in zip(*costs, strict=True))
        to_python = median(b / a for a, b, _ in costs)
        to_deap = median(c / a for a, _, c in costs)
        python_to_deap = median(c / b for _, b, c in costs)
        print(
            f"{n:>6} {first:>10.3f} {second:>10.2f} {third:>10.1f}"
            f" {ratio_text(to_python, goals[0]):>18} {ratio_text(to_deap, goals[1]):>18}"
            f" {ratio_text(python_to_deap, 25):>16}",
            flush=True,
        )


def ratio_text(ratio: float, least: float) -> str:
    return f"{ratio:.1f}" + (f" (>= {least:g} {goal(ratio >= least)})" if least else "")


def loading() -> None:
    """What the compiled loop costs before its first iteration, each in a process of its own."""
    print("\nthe compiled loop: seconds to import numba and compile it, and to load it once it is compiled")
    code = "import time; from gpviz.engine.compiled import runner; t = time.perf_counter(); runner.load(); "
    code += "print(time.perf_counter() - t)"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for what in ("compiled", "loaded"):
            done = subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
            )
            print(f"  {what}: {float(done.stdout):.1f} s", flush=True)


def large_n() -> None:
    print("\nrun() for large n, limit 2n, subtree deletion, against n = 16 (goal at n = 100: 20 times)")
    print(f"{'n':>6} {'us/it':>12} {'ratio':>8}  goal")
    for n, runs, most in ((64, 8, 20), (100, 4, 20), *(((200, 2, 0), (300, 1, 0)) if IS_FULL else ())):
        _, cost, ratio = compare((timed_run(n=16, limit="2n"), 60), (timed_run(n=n, limit="2n"), runs))
        print(f"{n:>6} {cost:>12.2f} {ratio:>8.1f}  {goal(ratio <= most) if most else ''}", flush=True)


def sampled() -> None:
    print("\nrun() on sampled rows, n = 50, no limit; the first is the measure of the others")
    print(f"{'rows':>12} {'sampler':>8} {'us/it':>10} {'ratio':>8}")
    settings: dict[str, Any] = {"n": 50, "limit": "inf", "fitness": "sampled"}
    measure = timed_run(rows=1000, sampler="counts", **settings)
    for rows, sampler in (
        (10, "counts"),
        (10**3, "counts"),
        (10**6, "counts"),
        (10**9, "counts"),
        (10**3, "rows"),
    ):
        timed = timed_run(rows=rows, sampler=sampler, **settings)
        _, cost, ratio = compare((measure, 30), (timed, 100 if rows == 10 else 30))
        print(f"{rows:>12} {sampler:>8} {cost:>10.2f} {ratio:>8.2f}", flush=True)


def same_trees() -> None:
    print("\nthe same 60 mutations of a run made and judged on sampled rows, n = 50, sampler counts")
    print(f"{'rows':>14} {'us':>8} {'ratio':>8}  goal (against 10 rows: at most 1.5 times)")
    config = RunConfig(n=50, limit="inf", fitness="sampled", rows=1000, sampler="counts", seed=3)
    search, history = RlsGp(config), History(config)
    for _ in range(3000):
        history.append(search.step())
    drawn = [(history.tree_at(t - 1), history.step_at(t).mutation) for t in range(50, 3001, 50)]

    def timed_mutations(rows: int) -> Timed:
        sampler = CountSampler(rows, target_for(50))

        def timed(seeds: range) -> tuple[float, int]:
            chosen = drawn * len(seeds)
            block = [key_of(seeds[0], t) for t in range(1, len(chosen) + 1)]
            start = time.perf_counter()
            for key, (parent, mutation) in zip(sampler.prepare(block), chosen, strict=True):
                offspring = apply(parent, mutation, (-1, -2))
                assert parent is not None
                assert offspring is not None
                sampler.errors(key, parent, offspring)
            return time.perf_counter() - start, len(chosen)

        return timed

    for rows in (10, 10**3, 10**6, 10**9, 10**12):
        _, cost, ratio = compare((timed_mutations(10), 40), (timed_mutations(rows), 40))
        said = goal(ratio <= 1.5) if rows <= 10**9 else "no goal: more rows than anybody asked for"
        print(f"{rows:>14} {cost:>8.2f} {ratio:>8.2f}  {said}", flush=True)


def recording() -> None:
    print("\nstep() with full recording against run(), n = 16, limit 2n (goal: at most 2 times)")
    settings: dict[str, Any] = {"n": 16, "limit": "2n"}
    alone, recorded, ratio = compare((timed_run(**settings), 60), (timed_recording(**settings), 60))
    print(f"  run() {alone:.2f} us/it, step() and history {recorded:.2f} us/it,", end=" ")
    print(f"ratio {ratio:.2f}  {goal(ratio <= 2)}")


def analysis() -> None:
    print("\nwhat is known about one tree (goals: neighbourhood 30 ms, proof 100 ms)")
    search = RlsGp(RunConfig(n=16, limit="2n", seed=1), parse(" & ".join(["x1"] * 32)))
    while search.iteration < 400 or search.tree is None or search.tree.leaves < 32:
        search.step()
    tree, config = search.tree, search.config

    def whole_neighbourhood() -> object:
        around = neighbourhood(tree, config)
        return around.probabilities, around.drift

    taken = milliseconds(whole_neighbourhood)
    print(f"  neighbourhood of a full tree, n = 16, 32 leaves: {taken:.1f} ms  {goal(taken < 30)}")
    for number, (formula, n) in enumerate(FIGURE, start=1):
        stuck = parse(formula)
        config = RunConfig(n=n, limit=stuck.leaves, deletion="leaf")
        assert tree_state(stuck, config).name == "STUCK"
        taken = milliseconds(lambda stuck=stuck, config=config: tree_state(stuck, config))  # type: ignore[misc]
        print(f"  proof that the paper's tree {number} is stuck: {taken:.2f} ms  {goal(taken < 100)}")


def main() -> None:
    assert compiled_runner.load(), compiled_runner.status()
    against_deap()
    loading()
    large_n()
    sampled()
    same_trees()
    recording()
    analysis()


if __name__ == "__main__":
    main()
