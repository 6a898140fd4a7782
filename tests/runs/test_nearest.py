"""Going to the next or previous iteration with a property, and counting them."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.step import Step
from gpviz.runs.step_encoding import CODES, Property, count_rows, next_row, previous_row
from tests.runs.runs import Recorded, recorded_runs

RULES: dict[Property, Callable[[Step], bool]] = {
    Property.ACCEPTED: lambda step: step.is_accepted,
    Property.CHANGED: lambda step: step.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL),
    Property.IMPROVED: lambda step: step.verdict is Verdict.IMPROVED,
    Property.NEUTRAL: lambda step: step.verdict is Verdict.NEUTRAL,
    Property.UNCHANGED: lambda step: step.verdict is Verdict.UNCHANGED,
    Property.WORSE: lambda step: step.verdict is Verdict.WORSE,
    Property.TOO_LARGE: lambda step: step.verdict is Verdict.TOO_LARGE,
    Property.OR_ACCEPTED: lambda step: (
        step.is_accepted
        and step.operation is Operation.INS
        and step.function is Function.OR
        and step.leaves > 1  # a first leaf comes without the drawn function
    ),
    Property.TRUE_ERROR_GREW: lambda step: step.true_error_grew,
}


def test_every_property_has_a_rule_here():
    assert set(RULES) == set(Property)


@given(recorded_runs(), st.integers(-5, 160))
def test_next_is_the_first_later_iteration_with_the_property(run: Recorded, iteration: int):
    _, steps, history = run
    for wanted, rule in RULES.items():
        later = [step.iteration for step in steps if step.iteration > iteration and rule(step)]
        assert history.next_where(wanted, iteration) == min(later, default=None), wanted


@given(recorded_runs(), st.integers(-5, 160))
def test_previous_is_the_last_earlier_iteration_with_the_property(run: Recorded, iteration: int):
    _, steps, history = run
    for wanted, rule in RULES.items():
        earlier = [step.iteration for step in steps if step.iteration < iteration and rule(step)]
        assert history.previous_where(wanted, iteration) == max(earlier, default=None), wanted


@given(recorded_runs(), st.integers(-5, 160), st.none() | st.integers(-5, 160))
def test_count_takes_the_iterations_of_the_range(run: Recorded, start: int, stop: int | None):
    _, steps, history = run
    within = range(start, len(steps) + 1 if stop is None else stop)
    for wanted, rule in RULES.items():
        expected = sum(step.iteration in within and rule(step) for step in steps)
        assert history.count_where(wanted, start, stop) == expected, wanted


@pytest.mark.parametrize("gap", [1, 1000, 1023, 1024, 1025, 3071, 3072, 3073, 7168, 300_000])
def test_the_only_one_is_found_however_far_away(gap: int):
    codes = np.zeros(700_000, dtype=np.uint8)
    row = 350_000
    codes[row] = CODES[Operation.INS, Function.AND, Side.LEFT, Verdict.IMPROVED, True]
    assert next_row(codes, Property.TRUE_ERROR_GREW, row - gap) == row
    assert previous_row(codes, Property.TRUE_ERROR_GREW, row + 1 + gap) == row
    assert next_row(codes, Property.TRUE_ERROR_GREW, row + gap) is None
    assert previous_row(codes, Property.TRUE_ERROR_GREW, row + 1 - gap) is None
    assert count_rows(codes, Property.TRUE_ERROR_GREW) == 1
