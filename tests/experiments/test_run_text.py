"""Runs and settings of an experiment in words."""

import pytest

from gpviz.experiments.run_text import (
    duration_text,
    generalisation_text,
    opened_run_text,
    rate_text,
    wait_text,
)
from gpviz.experiments.store import StoredRun
from tests.experiments.stored_runs import STUCK, plan, row


@pytest.mark.parametrize(
    ("wrong", "n", "text"), [(None, 8, "–"), (0, 8, "0"), (1, 8, "0.003906"), (1, 2000, "under 1e-300")]
)
def test_the_generalisation_error_is_a_share_of_all_rows(wrong, n, text):
    assert generalisation_text(row(0, wrong_rows=wrong), n) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"wait": 0}, "–"),
        ({"wait": 1234, "wait_from": 56}, "1,234 from 56"),
        (STUCK | {"iterations": 273, "wait_from": 17, "wait": 256}, "for ever, from 17"),
        (STUCK | {"iterations": 273, "wait_from": 11, "wait": 262}, "for ever, from 11"),
        (STUCK | {"iterations": 273, "wait_from": 2, "wait": 9}, "for ever, from 17"),
    ],
)
def test_a_stuck_run_waits_for_ever(changes, text):
    assert wait_text(row(0, **changes)) == text


@pytest.mark.parametrize(
    ("changes", "title", "text"),
    [
        (STUCK, ": stuck since iteration 17", "It never improves again."),
        ({"wait": 1}, ": longest wait from iteration 3", "The next improvement comes 1 iteration later."),
        ({"wait": 997}, ": longest wait from iteration 3", "997 iterations later it is solved."),
        (
            {"wait": 997, "outcome": "stopped"},
            ": longest wait from iteration 3",
            "997 iterations without an improvement follow; then it was stopped.",
        ),
        ({"wait": 0, "wait_from": 0, "iterations": 0}, "", ""),
    ],
)
def test_an_opened_run_is_reported_by_what_is_decisive_in_it(changes, title, text):
    its_plan = plan(title="Table 1: leaf-only deletion")
    reported, sentence = opened_run_text(its_plan, StoredRun(1, row(0, **changes)))
    assert reported.replace("\N{NO-BREAK SPACE}", " ") == f"Table 1, limit n, n = 8, seed 10{title}"
    assert sentence == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "less than 1 s"),
        (12.3, "12 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (1_799, "29 min"),
        (7_500, "2 h 5 min"),
        (100_000, "27 h"),
        (400_000, "5 days"),
    ],
)
def test_times_are_written_as_a_person_says_them(seconds, text):
    assert duration_text(seconds) == text


def test_slow_runs_are_counted_by_the_minute():
    assert rate_text(1234.4) == "1,234 runs a second"
    assert rate_text(2.25) == "2.2 runs a second"
    assert rate_text(0.1) == "6.0 runs a minute"
