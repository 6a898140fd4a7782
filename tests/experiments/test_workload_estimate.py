"""Estimates: near what the runs take, the same each time, soon done, and given up at once when asked to."""

from collections.abc import Callable
from inspect import signature
from itertools import count
from time import thread_time

import pytest

from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.errors import TooComplexError
from gpviz.experiments import workload_estimate as module
from gpviz.experiments.chunks import Chunk, run_chunk
from gpviz.experiments.plan import Plan, find_plan, plan_of
from gpviz.experiments.workload_estimate import BUDGET_S, estimate


def never() -> bool:
    return False


def stands_still() -> float:
    return 0.0


def ticking(step: float) -> Callable[[], float]:
    """A clock that moves on by so much each time someone looks at it."""
    ticks = count()
    return lambda: step * next(ticks)


def iterations_of(plan: Plan, runs: int) -> float:
    """Those of all runs, from some of them."""
    found = [run_chunk(Chunk(0, cell.config, 0, runs, plan.max_iterations)).totals for cell in plan.cells]
    return sum(totals.iterations for totals in found) * plan.runs / runs


GRID = {"deletion": ["leaf", "subtree"], "limit": ["n", "inf"], "n": [4, 8]}
SMALL = plan_of("small", {"runs": 50, "grid": GRID})
SAMPLED = plan_of(
    "sampled",
    {
        "runs": 50,
        "config": {"n": 50, "limit": "inf", "fitness": "sampled", "sampler": "counts"},
        "grid": {"accept_error": [0, 8], "rows": [10, 100, 1000, 10**5]},
    },
)
MANY = {"n": list(range(2, 10)), "limit": ["n", "n+1", "n+2", "2n", "inf"]}
WIDE = plan_of("wide", {"runs": 10, "grid": MANY})


@pytest.mark.parametrize("plan", [SMALL, SAMPLED, WIDE], ids=lambda plan: plan.name)
def test_the_iterations_are_near_those_of_the_runs(plan):
    found = estimate(plan, never, clock=stands_still)
    assert found is not None
    assert found.runs == plan.total_runs
    expected = iterations_of(plan, 6)
    assert expected / 1.5 < found.iterations < expected * 1.5


def test_it_is_the_same_each_time():
    assert estimate(SMALL, never, clock=stands_still) == estimate(SMALL, never, clock=stands_still)


def test_twice_the_runs_take_twice_as_long():
    once = estimate(SMALL, never, clock=ticking(1e-5))
    twice = estimate(SMALL.replaced(runs=100), never, clock=ticking(1e-5))
    assert once is not None
    assert twice is not None
    assert (twice.runs, twice.iterations) == (2 * once.runs, 2 * once.iterations)
    assert twice.seconds == pytest.approx(2 * once.seconds)


def test_seconds_are_measured():
    slow, quick = (estimate(SMALL, never, clock=ticking(step)) for step in (4e-5, 1e-5))
    assert slow is not None
    assert quick is not None
    per_run = module._PER_RUN_S * SMALL.total_runs
    assert quick.seconds > 2 * per_run
    assert slow.seconds - per_run == pytest.approx(4 * (quick.seconds - per_run))


def test_the_compiled_loop_makes_long_plans_shorter_and_short_ones_not(monkeypatch):
    def seconds(runs: int, *, has_kernel: bool) -> float:
        monkeypatch.setattr(compiled_runner, "is_available", lambda: has_kernel)
        found = estimate(SMALL.replaced(runs=runs), never, clock=ticking(1e-5))
        assert found is not None
        return found.seconds - module._PER_RUN_S * found.runs

    assert seconds(10, has_kernel=True) == seconds(10, has_kernel=False)
    assert seconds(10_000, has_kernel=True) == pytest.approx(seconds(10_000, has_kernel=False) / 10)


def test_every_worker_loads_the_compiled_loop_however_many_there_are(monkeypatch):
    monkeypatch.setattr(compiled_runner, "is_available", lambda: True)
    short, long = (estimate(SMALL.replaced(runs=runs), never, clock=ticking(1e-5)) for runs in (10, 10_000))
    assert short is not None
    assert long is not None
    assert short.seconds_with(4) == short.seconds / 4
    assert long.seconds_with(4) == module._LOADING_S + long.seconds / 4


def test_cells_that_were_all_tried_are_not_rough_and_others_are():
    small, wide = (estimate(plan, never, clock=stands_still) for plan in (SMALL, WIDE))
    assert small is not None
    assert wide is not None
    assert not small.is_rough
    assert wide.is_rough


def test_when_time_is_up_long_runs_are_reckoned_from_their_beginnings():
    plan = plan_of("long", {"runs": 5, "grid": {"n": [30, 31]}})
    found = estimate(plan, never, clock=ticking(BUDGET_S / 8))
    whole = estimate(plan, never, clock=stands_still)
    assert found is not None
    assert whole is not None
    assert found.is_rough
    assert not whole.is_rough
    assert whole.iterations / 3 < found.iterations < whole.iterations * 3
    assert found.seconds > 0


@pytest.mark.parametrize("calls", [1, 2, 5, 60, 100])
def test_it_is_given_up_whenever_it_is_asked_to(calls):
    asked = count(1)
    assert estimate(SMALL, lambda: next(asked) >= calls, clock=stands_still) is None
    assert next(asked) == calls + 1


def test_it_looks_often_whether_it_should_stop():
    plan = plan_of("long", {"runs": 1, "grid": {"n": [60]}})
    asked = count()
    assert estimate(plan, lambda: next(asked) < 0, clock=stands_still) is not None
    most_between = module._LOOK_S / module._guessed_seconds(plan.cells[0].config)
    assert next(asked) > iterations_of(plan, 1) / most_between


def test_a_run_ends_at_the_plans_most_iterations():
    plan = plan_of("short", {"runs": 4, "max_iterations": 5, "config": {"n": 30}})
    found = estimate(plan, never, clock=stands_still)
    assert found is not None
    assert found.iterations == 20


def test_a_run_that_fails_ends_there(monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise TooComplexError("too many cases.")

    monkeypatch.setattr("gpviz.engine.search.RlsGp.run", fail)
    found = estimate(SMALL, never, clock=stands_still)
    assert found is not None
    assert found.iterations == SMALL.total_runs


@pytest.mark.parametrize("name", ["quick", "table1"])
def test_shipped_plans_have_one(name):
    found = estimate(find_plan(name), never, clock=stands_still)
    assert found is not None
    assert found.iterations > found.runs


def test_what_others_do_meanwhile_does_not_count():
    assert signature(estimate).parameters["clock"].default is thread_time


def test_runs_too_long_to_be_seen_are_reckoned_as_the_shorter_ones_of_their_kind_went():
    plan = plan_of("long", {"runs": 5, "grid": {"limit": ["inf"], "n": [20, 24, 28, 32, 60]}})
    pilots = {cell.config.n: cell for cell in plan.cells}
    samples = {
        cell.number: [module._Sample(round(0.5 * module._guessed_iterations(cell.config)), 1.0, n < 60)]
        for n, cell in pilots.items()
    }
    samples[pilots[60].number] = [module._Sample(10, 1.0, is_whole=False)]
    costs = module._costs(plan, list(pilots.values()), samples)
    guess = module._guessed_iterations(pilots[60].config)
    assert costs[-1].iterations == pytest.approx(guess / 2, rel=0.01)
    assert not costs[-1].is_seen
