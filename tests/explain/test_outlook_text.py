"""The outlook in words."""

from fractions import Fraction
from math import inf

import pytest

from gpviz.analysis import ExpectedWait
from gpviz.analysis.outlook import SOLVED, STUCK, Outlook
from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.step import Step
from gpviz.explain.outlook_text import (
    chance_of,
    outlook_text,
    remaining_figure,
    remaining_text,
    rise_text,
    unchanged_text,
    wait_text,
)

BEFORE = Outlook(stuck=0.21, stuck_error=0.015, remaining=59.3, remaining_error=2.0, continuations=600)


def test_a_chance_is_a_lower_bound_where_continuations_were_given_up() -> None:
    assert chance_of(Outlook(stuck=0.21, stuck_error=0.01, continuations=600, given_up=3)) == "≥ 21 %"


def test_a_step_that_raises_the_chance_says_from_what_to_what() -> None:
    assert rise_text(BEFORE, STUCK) == "This step raises the chance to end stuck from 21 % to 100 %."
    assert rise_text(STUCK, BEFORE) == "This step lowers the chance to end stuck from 100 % to 21 %."
    almost = Outlook(stuck=1.0, stuck_error=0.0134, continuations=100)
    assert rise_text(BEFORE, almost).endswith("from 21 % to more than 97 %.")
    assert rise_text(BEFORE, BEFORE) == "This step leaves the chance to end stuck at 21 %."


@pytest.mark.parametrize(
    ("outlook", "text", "figure"),
    [
        (BEFORE, "about 59 iterations to go", "59 to go"),
        (Outlook(stuck=0.0, remaining=3.44, is_exact=True), "about 3.4 iterations to go", "3.4 to go"),
        (Outlook(stuck=0.0, remaining=1.0, is_exact=True), "about 1 iteration to go", "1 to go"),
        (SOLVED, "nothing to go", "0 to go"),
        (STUCK, "never solved", "–"),
        (Outlook(stuck=1.0, stuck_error=0.01, continuations=99), "no continuation was solved", "–"),
    ],
)
def test_the_iterations_to_go(outlook: Outlook, text: str, figure: str) -> None:
    assert (remaining_text(outlook), remaining_figure(outlook)) == (text, figure)


def test_the_outlook_in_sentences() -> None:
    assert outlook_text(BEFORE) == (
        "From here 21 % of the runs end stuck; the others are solved after about 59 more iterations on average. "
        "This is estimated from 600 continuations, ± 1.5 %."
    )
    assert outlook_text(STUCK) == "From here every run ends stuck: none is ever solved."
    assert outlook_text(SOLVED) == "Solved: nothing is left to do."
    sure = Outlook(stuck=0.0, remaining=12.0, remaining_error=1.0, continuations=100)
    assert outlook_text(sure).startswith(
        "From here every run is solved, after about 12 more iterations on average."
    )


def test_the_outlook_of_a_run_on_samples_speaks_of_the_iterations_it_has_left() -> None:
    sampled = Outlook(
        stuck=0.4,
        stuck_error=0.05,
        remaining=12.0,
        continuations=100,
        within=50,
        final_generalisation_error=0.0123,
    )
    assert outlook_text(sampled) == (
        "From here 40 % of the runs are not done within 50 iterations; the others take about 12 iterations on "
        "average. At the end the generalisation error is 0.012 on average. "
        "This is estimated from 100 continuations, ± 5.0 %."
    )
    assert rise_text(sampled, sampled).startswith(
        "This step leaves the chance not to be done in time at 40 %"
    )


def improving() -> Step:
    return Step(
        66, Operation.SUB, 3, 4, Function.AND, Side.LEFT, Verdict.IMPROVED, 7, 1, 3, 1, None, False, None
    )  # fmt: skip


# Waits


EXACT = ExpectedWait(16.78121, is_exact=True, trees=27)
ONE = ExpectedWait(1.0, is_exact=True, trees=1)
ESTIMATE = ExpectedWait(17.783, is_exact=False, standard_error=0.263, continuations=4000)
NEVER = ExpectedWait(inf, is_exact=True, trees=3)
UNKNOWN = ExpectedWait(None, is_exact=False)


@pytest.mark.parametrize(
    ("wait", "words"),
    [
        (
            EXACT,
            "It takes 16.8 iterations on average until the error falls. This is exact, over all 27 kinds of trees "
            "on the plateau.",
        ),
        (ONE, "It takes 1 iteration on average until the error falls."),
        (
            ESTIMATE,
            "It takes about 17.8 ± 0.3 iterations on average until the error falls, estimated from 4,000 "
            "continuations of the run.",
        ),
        (NEVER, "No improvement can ever come: the tree is stuck."),
        (UNKNOWN, "How long it takes until the error falls is unknown: finding out takes too long."),
        (None, "Nothing is left to wait for: the tree is solved."),
    ],
)
def test_a_wait_is_told_in_a_sentence(wait: ExpectedWait | None, words: str) -> None:
    assert wait_text(wait) == words


def test_the_wait_of_an_unchanged_tree_is_told_as_such() -> None:
    assert unchanged_text(Fraction(24)) == "If this tree stayed as it is, it would take 24 iterations."
    assert "at most 8.6 iterations" in unchanged_text(Fraction(43, 5), is_complete=False)
    assert unchanged_text(inf) == "No single mutation improves this tree."
    assert unchanged_text(inf, is_complete=False) == ""
