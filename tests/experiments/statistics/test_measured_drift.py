"""The drift: against every step of some runs, and against exact chains."""

from functools import cache
from math import floor, log2

import numpy as np
import pytest

from gpviz.analysis.drift_bounds import paper_bound
from gpviz.engine.config import RunConfig, is_full
from gpviz.engine.search import RlsGp
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.statistics.cell_statistics import drift_curve
from gpviz.experiments.statistics.probability import wilson
from gpviz.experiments.totals import Drift, Totals
from tests.analysis import independent_chain


def curve_of(config, runs=200):
    return drift_curve(config, run_chunk(Chunk(0, config, 0, runs, 10**6)).totals)


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize(("n", "limit"), [(3, "n"), (4, "n+1"), (6, "inf")])
def test_the_measured_drift_is_that_of_every_single_step(n, limit, deletion):
    config = RunConfig(n=n, limit=limit, deletion=deletion, seed=5)
    runs = 12
    parts: dict[str, dict[int, list[float]]] = {"not full": {}, "full": {}}

    for number in range(runs):
        search = RlsGp(config.replaced(seed=5 + number))
        was_full = [False]

        def look_on(step, search=search, was_full=was_full):
            if step.parent_error is not None:
                gain = (step.parent_error - step.error) / step.parent_error
                part = parts["full" if was_full[0] else "not full"]
                part.setdefault(floor(log2(step.parent_error) + 1e-9), []).append(gain)
            was_full[0] = is_full(step.tree, config)
            return False

        search.run(stop_when_stuck=True, on_step=look_on)
    totals = run_chunk(Chunk(0, config, 0, runs, 10**6)).totals
    for part, gains in parts.items():
        curve = drift_curve(config, totals, part)
        if curve is None:
            assert not gains
            continue
        assert curve.part == part
        assert [point.level for point in curve.points] == sorted(gains)
        for point in curve.points:
            assert point.error == 2**point.level
            assert point.iterations == len(gains[point.level])
            assert point.gain == pytest.approx(np.mean(gains[point.level]), rel=1e-12)


@cache
def exact_drift(n, limit, deletion):
    """By level, the expected relative gain of an iteration, over all that a run is expected to have."""
    moves = independent_chain.moves_of(independent_chain.Cell(n, limit, deletion))
    states = [tree for tree in moves if tree is not None and independent_chain.error(tree, n)]
    number = {tree: position for position, tree in enumerate(states)}
    stay = np.zeros((len(states), len(states)))
    gains = np.zeros(len(states))
    for tree, position in number.items():
        error = independent_chain.error(tree, n)
        for other, probability in moves[tree].items():
            gains[position] += probability * (error - independent_chain.error(other, n)) / error
            if other in number:
                stay[position, number[other]] += probability
    start = np.zeros(len(states))
    start[number[1]] = 1.0
    visits = np.linalg.solve((np.eye(len(states)) - stay).T, start)
    levels = np.array([independent_chain.error(tree, n).bit_length() - 1 for tree in states])
    return {
        int(level): float((visits * gains)[levels == level].sum() / visits[levels == level].sum())
        for level in np.unique(levels)
    }


@pytest.mark.parametrize(("n", "limit"), [(2, 2), (2, 3), (3, 3), (3, 4)])
def test_the_measured_drift_comes_to_the_exact_one(n, limit):
    config = RunConfig(n=n, limit=limit, deletion="subtree", seed=1)
    measured = run_chunk(Chunk(0, config, 0, 1500, 10**6)).totals.drift
    exact = exact_drift(n, limit, "subtree")
    assert set(measured) == set(exact)
    for level, drift in measured.items():
        tolerance = 5 * (exact[level] / drift.iterations) ** 0.5
        assert drift.mean_gain == pytest.approx(exact[level], abs=tolerance)


def test_the_curve_has_an_interval_and_the_bound_at_each_levels_smallest_error():
    config = RunConfig(n=8, limit="2n", deletion="subtree", seed=1)
    curve = curve_of(config)
    assert [point.level for point in curve.points] == list(
        range(7)
    )  # one variable alone is wrong on 127 rows
    assert not curve.why_no_bound
    for point in curve.points:
        assert point.bound == paper_bound(point.error, 8, 16)
        assert point.bound < point.low < point.gain < point.high


def test_the_interval_is_cautious_where_gains_are_small():
    random = np.random.default_rng(40)
    truth, trials = 0.02 * 0.5, 2000
    held = 0
    for _ in range(trials):
        gains = (random.random(1000) < 0.02) * random.random(1000)
        low, high = wilson(float(gains.sum()), gains.size)
        held += low <= truth <= high
    assert held / trials > 0.95


@pytest.mark.parametrize(
    ("n", "limit", "text"),
    [(4, "inf", "without a limit"), (4, "n-1", "at least n"), (1, "n", "one variable")],
)
def test_where_the_paper_has_no_bound_the_curve_says_why(n, limit, text):
    curve = drift_curve(RunConfig(n=n, limit=limit), Totals(drift={0: Drift(10, 2**53)}))
    assert curve is not None
    assert text in curve.why_no_bound
    assert [(point.gain, point.bound) for point in curve.points] == [(0.1, None)]


def test_where_nothing_was_measured_there_is_no_curve():
    assert drift_curve(RunConfig(n=4), Totals()) is None
    sampled = RunConfig(n=6, limit="inf", fitness="sampled", rows=20, seed=1)
    assert curve_of(sampled, 3) is None
