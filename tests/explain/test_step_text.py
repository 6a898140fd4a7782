"""A step in words: every operation with every verdict, from real runs."""

import re

import pytest
from hypothesis import given

from gpviz.engine import RunConfig, State, Verdict, parse
from gpviz.engine.enums import Function, Operation, Side
from gpviz.explain.step_text import (
    VERDICT_SYMBOLS,
    VERDICT_WORDS,
    announcement,
    tell,
    tell_briefly,
    tell_preview,
)
from gpviz.number_text import number_text, ordinal, rows_text
from gpviz.runs.history import History
from tests.engine.strategies import few_implicants
from tests.runs.runs import recorded, recorded_runs

INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE = Verdict


def reported(config, start=None, **wanted):
    """The texts of the first step with these fields, in the run of the first seed that has one."""
    tree = parse(start) if start else None
    for seed in range(200):
        _, steps, history = recorded(config.replaced(seed=seed), 60, tree)
        for step in steps:
            if all(getattr(step, name) == value for name, value in wanted.items()):
                return tell(history, step.iteration), tell_briefly(history, step.iteration)
    raise AssertionError(f"no run of {config} has a step with {wanted}")


# x1 & x2 with n = 4 is wrong on 3 rows; three leaves of four variables on 1.
FOUR = RunConfig(n=4, limit="4")
OR = Function.OR


@pytest.mark.parametrize(
    ("config", "formula", "drawn", "verdict", "rest"),
    [
        (
            FOUR,
            "(x1 & x2) & x3",
            {"operation": INS, "node": 2, "variable": 4, "verdict": IMPROVED},
            "Accepted",
            "insert ∧ x₄ above x₁ ∧ x₂, 1 → 0 wrong rows",
        ),
        (
            FOUR,
            "x1 & x2",
            {"node": 1, "function": OR, "verdict": WORSE, "variable": 3},
            "Rejected",
            "insert ∨ x₃ above the whole tree, 3 → 9 wrong rows",
        ),
        (
            FOUR.replaced(limit="2"),
            "x1 & x2",
            {"node": 3, "variable": 1, "function": OR, "verdict": TOO_LARGE},
            "Rejected",
            "insert ∨ x₁ above x₂, 3 leaves, limit 2",
        ),
        (
            FOUR,
            "(x1 & x2) & (x2 & x1)",
            {"operation": DEL, "node": 5},
            "Accepted",
            "delete x₂ ∧ x₁, still 3 wrong rows",
        ),
        (
            FOUR,
            "x1 & x2",
            {"operation": SUB, "verdict": UNCHANGED, "variable": 1},
            "No change",
            "x₁ replaced by x₁",
        ),
        (RunConfig(n=3), None, {"iteration": 1, "variable": 2}, "Accepted", "plant x₂, 3 wrong rows"),
    ],
)
def test_a_step_is_told_with_its_verdict_or_without(config, formula, drawn, verdict, rest):
    wanted = {"iteration": 1, **drawn}
    assert reported(config, formula, **wanted) == (f"{verdict}: {rest}.", rest)


def test_a_preview_only_tells_what_would_be():
    config = RunConfig(n=2)
    parent = parse("x1")
    _, steps, _ = recorded(config, 1, parent)
    step = steps[0]._replace(
        operation=INS, node=1, variable=2, function=Function.AND, side=Side.LEFT, verdict=IMPROVED,
        parent_error=1, offspring_error=0, true_error_grew=False,
    )  # fmt: skip
    assert tell_preview(step, parent, config) == "Would be accepted: insert ∧ x₂ above x₁, 1 → 0 wrong rows."


class TestTheStart:
    def test_a_formula_is_told_with_its_size_and_error(self):
        _, _, history = recorded(RunConfig(n=3), 0, parse("x1 & x2"))
        assert tell(history, 0) == "The start: x₁ ∧ x₂ (2 leaves), error 1."

    def test_an_error_that_takes_long_to_count_is_left_out_until_the_first_step_knows_it(self):
        with few_implicants(2):
            start = parse("(x1 | x2) & (x3 | x4)")
            config = RunConfig(n=4)
            assert History(config, start).start_error is None
            _, _, history = recorded(config, 1, start)
            assert history.start_error == 8


class TestSampledRuns:
    CONFIG = RunConfig(n=5, fitness="sampled", rows=8)

    def test_a_misleading_sample_is_told(self):
        _, brief = reported(self.CONFIG, true_error_grew=True, verdict=NEUTRAL)
        assert brief.endswith(" of 8 sampled rows wrong, but worse on all rows")


def test_who_listens_hears_the_step_and_that_the_tree_is_stuck():
    _, _, history = recorded(RunConfig(n=5), 3, parse("x1 & x2"))
    assert announcement(history, 2, None) == f"Iteration 2. {tell(history, 2)}"
    assert announcement(history, 2, State.STUCK) == f"Iteration 2. {tell(history, 2)} Stuck."
    assert announcement(history, 2, State.CLIMBING) == f"Iteration 2. {tell(history, 2)}"


class TestNumbers:
    @pytest.mark.parametrize(
        ("number", "text"),
        [
            (0, "0"),
            (999, "999"),
            (1_048_576, "1,048,576"),
            (10**12, "1,000,000,000,000"),
            (10**12 + 1, "1.0 × 10¹²"),
            (2**64, "1.8 × 10¹⁹"),
            (9_999 * 10**15, "1.0 × 10¹⁹"),
            (2**1000, "1.1 × 10³⁰¹"),
        ],
    )
    def test_large_numbers_are_grouped_and_huge_ones_rounded(self, number, text):
        assert number_text(number) == text

    @pytest.mark.parametrize(
        ("number", "text"),
        [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
         (21, "21st"), (101, "101st"), (111, "111th"), (1002, "1,002nd")],
    )  # fmt: skip
    def test_ordinals(self, number, text):
        assert ordinal(number) == text

    def test_the_rows_of_a_large_truth_table_are_a_power(self):
        assert [rows_text(n) for n in (8, 20, 64)] == ["256", "1,048,576", "2⁶⁴"]


def test_every_verdict_has_a_word_and_a_symbol_of_its_own():
    assert len(set(VERDICT_WORDS.values())) == len(set(VERDICT_SYMBOLS.values())) == len(Verdict)


@given(recorded_runs(max_iterations=60))
def test_every_step_of_every_run_can_be_told(run):
    _, steps, history = run
    for iteration in range(len(steps) + 1):
        text, brief = tell(history, iteration), tell_briefly(history, iteration)
        assert text.endswith(".")
        assert "\n" not in text + brief
        assert not re.search(r"\b1 leaves\b|None|  ", text + brief)
        if iteration:
            step = steps[iteration - 1]
            assert text.startswith("Rejected: ") is not step.is_accepted
