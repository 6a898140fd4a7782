"""A step in words: every operation with every verdict, from real runs."""

import re

import pytest
from hypothesis import given

from gpviz.engine import RunConfig, Verdict, parse
from gpviz.engine.enums import Function, Operation, Side
from gpviz.explain.step_text import (
    VERDICT_SYMBOLS,
    VERDICT_WORDS,
    announcement,
    is_on_sample,
    tell,
    tell_briefly,
    tell_preview,
    tell_step,
    tell_step_briefly,
    verdict_word,
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
    ("config", "formula", "drawn", "text", "brief"),
    [
        (
            FOUR,
            "x1 & x2",
            {"operation": INS, "node": 1, "variable": 3, "verdict": IMPROVED},
            "Insertion at the root: a root-and with x₃. Error 3 → 1: accepted.",
            "INS ∧ x₃: error 3 → 1, improved",
        ),
        (
            FOUR,
            "(x1 & x2) & x3",
            {"operation": INS, "node": 2, "variable": 4, "verdict": IMPROVED},
            "Insertion of ∧ x₄ at x₁ ∧ x₂. Error 1 → 0: accepted. The tree computes the target.",
            "INS ∧ x₄: error 1 → 0, improved",
        ),
        (
            FOUR,
            "x1 & x2",
            {"node": 1, "function": OR, "verdict": WORSE, "variable": 3},
            "Insertion of ∨ x₃ at the root. Error 3 → 9: rejected.",
            "INS ∨ x₃: error 3 → 9, worse",
        ),
        (
            FOUR.replaced(limit="2"),
            "x1 & x2",
            {"node": 3, "variable": 1, "function": OR, "verdict": TOO_LARGE},
            "Insertion of ∨ x₁ at leaf 2, x₂. 3 leaves are more than the limit 2: rejected without evaluation.",
            "INS ∨ x₁: 3 leaves > limit 2, too large",
        ),
        (
            FOUR,
            "(x1 & x2) & (x2 & x1)",
            {"operation": DEL, "node": 5},
            "Deletion of x₂ ∧ x₁ (2 leaves). Error stays 3: accepted.",
            "DEL x₂ ∧ x₁: error 3, neutral",
        ),
        (
            FOUR,
            "(x1 & x2) | x3",
            {"operation": DEL, "node": 5},
            "Deletion of leaf 3, x₃. Error 9 → 3: accepted.",
            "DEL x₃: error 9 → 3, improved",
        ),
        (
            FOUR,
            "x1 & x2",
            {"operation": DEL, "node": 1},
            "Deletion drew the root, which is never deleted. Nothing changes: accepted.",
            "DEL the root: unchanged",
        ),
        (
            FOUR,
            "x1 & x2",
            {"operation": SUB, "node": 2, "variable": 4},
            "Substitution: leaf 1 changes from x₁ to x₄. Error stays 3: accepted.",
            "SUB x₁ → x₄: error 3, neutral",
        ),
        (
            FOUR,
            "x1 & x2",
            {"operation": SUB, "verdict": UNCHANGED, "variable": 1},
            "Substitution: leaf 1 stays x₁. Nothing changes: accepted.",
            "SUB x₁ → x₁: unchanged",
        ),
    ],
)
def test_a_step_is_a_sentence_and_a_line(config, formula, drawn, text, brief):
    assert reported(config, formula, iteration=1, **drawn) == (text, brief)


def test_a_preview_only_tells_what_would_be():
    config = RunConfig(n=2)
    parent = parse("x1")
    _, steps, _ = recorded(config, 1, parent)
    step = steps[0]._replace(
        operation=INS, node=1, variable=2, function=Function.AND, side=Side.LEFT, verdict=IMPROVED,
        parent_error=1, offspring_error=0, true_error_grew=False,
    )  # fmt: skip
    assert tell_preview(step, parent, config) == (
        "Insertion at the root: a root-and with x₂. Error 1 → 0: would be accepted. It would compute the target."
    )


class TestTheEmptyTree:
    def test_an_insertion_plants_the_first_leaf(self):
        text, brief = reported(RunConfig(n=3), iteration=1, operation=INS, variable=2)
        assert text == "Insertion of the first leaf, x₂. Error 3: accepted."
        assert brief == "plant x₂: error 3, improved"

    @pytest.mark.parametrize(("operation", "name"), [(DEL, "Deletion"), (SUB, "Substitution")])
    def test_anything_else_plants_it_too_under_the_rule_any(self, operation, name):
        text, brief = reported(RunConfig(n=3), iteration=1, operation=operation, variable=2)
        assert text == f"{name} was drawn; on the empty tree it adds the first leaf, x₂. Error 3: accepted."
        assert brief == "plant x₂: error 3, improved"

    @pytest.mark.parametrize(
        ("operation", "name", "done"), [(DEL, "Deletion", "delete"), (SUB, "Substitution", "substitute")]
    )
    def test_nothing_else_does_under_the_other_rule(self, operation, name, done):
        config = RunConfig(n=3, empty_tree="insert-only")
        text, brief = reported(config, iteration=1, operation=operation)
        assert text == f"{name} was drawn, but the empty tree has nothing to {done}: accepted."
        assert brief == f"{operation} on the empty tree: unchanged"


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

    def test_errors_are_on_the_rows_of_the_iteration(self):
        text, _ = reported(self.CONFIG, verdict=WORSE, offspring_error=4, parent_error=2)
        assert text.endswith("On this iteration's 8 rows it looks worse, error 2 → 4: rejected.")

    def test_a_misleading_sample_is_told(self):
        text, brief = reported(self.CONFIG, true_error_grew=True, verdict=NEUTRAL)
        assert text.endswith("On all rows it is worse: the sample misled.")
        assert brief.endswith(", looks equal, but is worse on all rows")

    @pytest.mark.parametrize(
        ("has_copy", "has_or", "said"),
        [
            (True, False, r"accepted\. Pitfall: a copy of x.\.$"),
            (False, True, r"accepted\. Pitfall: an OR\.$"),
            (True, True, r"accepted\. Pitfalls: a copy of x. and an OR\.$"),
        ],
    )
    def test_a_pitfall_is_named(self, has_copy, has_or, said):
        wanted = {"duplicate_accepted": has_copy, "or_accepted": has_or, "true_error_grew": False}
        assert re.search(said, reported(self.CONFIG, **wanted)[0])
        on_all_rows, _ = reported(
            RunConfig(n=5), duplicate_accepted=has_copy, or_accepted=has_copy and has_or
        )
        assert "itfall" not in on_all_rows

    def test_a_first_leaf_is_compared_with_nothing(self):
        _, steps, history = recorded(self.CONFIG, 1)
        assert steps[0].verdict is IMPROVED
        assert "improved" in tell_briefly(history, 1)
        assert "looks" not in tell(history, 1) + announcement(history, 1, None)


def test_who_listens_hears_how_it_looks():
    _, steps, history = recorded(RunConfig(n=5, fitness="sampled", rows=8), 30, parse("x1 & x2"))
    worse = next(step.iteration for step in steps if step.verdict is WORSE)
    assert announcement(history, worse, None).startswith(f"Iteration {worse}, looks worse, error")


class TestLargeErrors:
    def test_errors_that_look_alike_are_told_by_their_difference(self):
        config = RunConfig(n=64)
        parent = parse("x1")
        _, steps, _ = recorded(config, 1, parent)
        step = steps[0]._replace(
            operation=INS, node=1, variable=2, function=Function.AND, side=Side.LEFT, verdict=IMPROVED,
            parent_error=10**18 + 7, offspring_error=10**18,
        )  # fmt: skip
        assert "Error 1.0 × 10¹⁸, 7 less: accepted." in tell_step(step, parent, config)
        worse = step._replace(verdict=WORSE, parent_error=10**18, offspring_error=10**18 + 7)
        assert "Error 1.0 × 10¹⁸, 7 more: rejected." in tell_step(worse, parent, config)
        assert tell_step_briefly(worse, parent, config) == "INS ∧ x₂: error 1.0 × 10¹⁸, 7 more, worse"


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
        assert not re.search(r"\b1 (leaves|rows)\b|None|  ", text + brief)
        if iteration:
            assert ("accepted" in text) is steps[iteration - 1].is_accepted
            step = steps[iteration - 1]
            is_sampled = is_on_sample(step, history.config_at(iteration))
            assert verdict_word(step.verdict, is_sampled=is_sampled) in brief
