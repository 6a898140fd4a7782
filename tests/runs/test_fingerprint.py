"""The fingerprint is a function of the log's content, written down byte by byte."""

import hashlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.formula import format_formula
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.step import Step
from gpviz.engine.tree import Node
from gpviz.runs.history import History
from tests.engine.strategies import preorder
from tests.runs.runs import STUCK, Recorded, history_of, recorded, recorded_runs, steps_of

BLOCK = 65_536


def naive_code(step: Step, is_planted: bool) -> int:
    verdict = 5 if is_planted else list(Verdict).index(step.verdict)
    return (
        list(Side).index(step.side)
        + 2 * list(Function).index(step.function)
        + 4 * list(Operation).index(step.operation)
        + 16 * verdict
        + 128 * step.true_error_grew
    )


def naive_fingerprint(steps: list[Step], start: Node | None) -> str:
    """What the module's documentation says, row by row."""
    large: list[int] = []

    def code_of(error: int | None) -> int:
        if error is None:
            return -1
        if error < 2**63:
            return error
        if error not in large:
            large.append(error)
        return -2 - large.index(error)

    table = []
    before = start
    for step in steps:
        is_planted = before is None and step.tree is not None
        errors = code_of(step.parent_error), code_of(step.offspring_error)
        table.append((naive_code(step, is_planted), step.node - 1, step.variable, *errors))
        before = step.tree
    rows = b""
    for first in range(0, len(table), BLOCK):
        for values, kind in zip(zip(*table[first : first + BLOCK], strict=True), "BIHqq", strict=True):
            rows += struct.pack(f"<{len(values)}{kind}", *values)
    whole = b"gpviz-log 1\n" + hashlib.sha256(rows).digest() + struct.pack("<QQ", len(steps), len(large))
    for error in large:
        size = (error.bit_length() + 7) // 8
        whole += struct.pack("<Q", size) + error.to_bytes(size, "little")
    formula = format_formula(before).encode()
    whole += struct.pack("<Q", len(formula)) + formula
    for node in [] if before is None else preorder(before):
        whole += struct.pack("<Q", node.uid)
    return f"sha256:{hashlib.sha256(whole).hexdigest()}"


@given(recorded_runs())
def test_it_is_what_the_documentation_says(run: Recorded):
    search, steps, history = run
    assert history.fingerprint() == naive_fingerprint(steps, search.start)


def test_it_is_what_the_documentation_says_for_large_errors():
    config = RunConfig(n=100, limit="n+1", deletion="leaf", seed=2)
    steps = steps_of(config, 3000)
    assert history_of(config, steps).fingerprint() == naive_fingerprint(steps, None)


def test_it_is_what_the_documentation_says_beyond_a_block():
    config, start = STUCK
    steps = steps_of(config, BLOCK + 10, start)
    assert history_of(config, steps, start).fingerprint() == naive_fingerprint(steps, start)


@given(recorded_runs(), st.integers(1, 50))
def test_it_does_not_depend_on_how_the_rows_came(run: Recorded, pause: int):
    search, steps, history = run
    other = History(search.config, search.start)
    for step in steps:
        other.append(step)
        if step.iteration % pause == 0:
            other.fingerprint()
    assert other.fingerprint() == history.fingerprint()


def test_asking_around_the_end_of_a_block_changes_nothing():
    config, start = STUCK
    steps = steps_of(config, BLOCK + 2, start)
    history = history_of(config, steps[: BLOCK - 1], start)
    asked = []
    for step in steps[BLOCK - 1 :]:
        history.append(step)
        asked.append(history.fingerprint())
    expected = [history_of(config, steps[:length], start) for length in (BLOCK, BLOCK + 1, BLOCK + 2)]
    assert asked == [shorter.fingerprint() for shorter in expected]


def test_it_stays_the_same_for_ever():
    _, _, history = recorded(RunConfig(n=8, limit="n+1", deletion="leaf", seed=254), 1000)
    assert history.fingerprint() == (
        "sha256:05acde1357cad92e3b3b146a0803234a056fff80b0f89954865dbe43bc9ec3e3"
    )


def test_the_fingerprint_of_a_long_run_can_be_given_up_and_asked_for_again():
    config = RunConfig(n=4, limit="6")
    _, steps, history = recorded(config, BLOCK + 10)
    again = history_of(config, steps)
    with pytest.raises(Stopped), stoppable(lambda: True):
        history.fingerprint()
    assert history.fingerprint() == again.fingerprint()
