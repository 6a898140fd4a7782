"""How long a tree waits, in words."""

from fractions import Fraction
from math import inf

import pytest

from gpviz.analysis import ExpectedWait
from gpviz.explain.wait_text import (
    iterations_text,
    unchanged_text,
    wait_figure,
    wait_note,
    wait_phrase,
    wait_text,
)

EXACT = ExpectedWait(16.78121, is_exact=True, trees=27)
ONE = ExpectedWait(1.0, is_exact=True, trees=1)
ESTIMATE = ExpectedWait(17.783, is_exact=False, standard_error=0.263, continuations=4000)
LONG = ExpectedWait(12_345.6, is_exact=False, standard_error=345.6, continuations=20)
SURE = ExpectedWait(1.0, is_exact=False, standard_error=0.0, continuations=1000)
NEVER = ExpectedWait(inf, is_exact=True, trees=3)
UNKNOWN = ExpectedWait(None, is_exact=False)


@pytest.mark.parametrize(
    ("wait", "figure", "phrase"),
    [
        (EXACT, "16.8", "16.7812 iterations, exactly"),
        (ONE, "1", "1 iteration, exactly"),
        (ESTIMATE, "≈ 17.8", "about 17.8 ± 0.3 iterations, from 4,000 continuations"),
        (LONG, "≈ 12,346", "about 12,346 ± 346 iterations, from 20 continuations"),
        (SURE, "≈ 1", "about 1 iteration, from 1,000 continuations"),
        (NEVER, "never", "never"),
        (UNKNOWN, "?", "unknown, as finding out takes too long"),
    ],
)
def test_a_wait_has_a_figure_and_a_phrase(wait: ExpectedWait, figure: str, phrase: str) -> None:
    assert wait_figure(wait) == figure
    assert wait_phrase(wait) == phrase


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


def test_a_sampled_run_waits_for_what_looks_better() -> None:
    assert "until an offspring looks better" in wait_text(ESTIMATE, is_sampled=True)
    assert "until an offspring looks better" in wait_phrase(ESTIMATE, is_sampled=True)
    assert wait_figure(None) == "–"


def test_the_wait_of_an_unchanged_tree_is_told_as_such() -> None:
    assert unchanged_text(Fraction(24)) == "If this tree stayed as it is, it would take 24 iterations."
    assert "at most 8.6 iterations" in unchanged_text(Fraction(43, 5), is_complete=False)
    assert unchanged_text(inf) == "No single mutation improves this tree."
    assert unchanged_text(inf, is_complete=False) == ""


def test_a_tree_that_no_single_mutation_improves_is_worth_a_note() -> None:
    assert wait_note(EXACT, 24) == ""
    assert wait_note(NEVER, inf) == wait_text(NEVER)
    assert wait_note(None, inf) == wait_text(None)
    for wait in (EXACT, ESTIMATE, UNKNOWN):
        assert "neutral steps have to change it first" in wait_note(wait, inf)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1 iteration"),
        (Fraction(10), "10 iterations"),
        (1200.0, "1,200 iterations"),
        (2 / 3, "0.666667 iterations"),
        (1.23456789, "1.23457 iterations"),
        (12_345_678.9, "12,345,679 iterations"),
    ],
)
def test_iterations_have_six_digits(number: float, text: str) -> None:
    assert iterations_text(number) == text
