"""Runs and settings of an experiment in words."""

import pytest

from gpviz.engine.config import RunConfig
from gpviz.experiments.run_row import encode_path
from gpviz.experiments.run_text import (
    generalisation_text,
    opened_run_text,
    run_sentence,
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
def test_an_opened_run_is_told_by_what_is_decisive_in_it(changes, title, text):
    its_plan = plan(title="Table 1: leaf-only deletion")
    told, sentence = opened_run_text(its_plan, StoredRun(1, row(0, **changes)))
    assert told.replace("\N{NO-BREAK SPACE}", " ") == f"Table 1, limit n, n = 8, seed 10{title}"
    assert sentence == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Solved after 1,000 iterations with 4 leaves. 2 improvements, error 7 → 0."),
        (STUCK, "Stuck since iteration 17 with 4 leaves, wrong on 3 of 16 rows."),
        (STUCK, "error 7 → 0. Longest wait before it was stuck: 20 from iteration 3."),
        (
            {"outcome": "stopped", "error": 2},
            "Stopped after 1,000 iterations with 4 leaves, wrong on 2 of 16",
        ),
        (
            {"outcome": "failed", "path": b"", "wait": 0},
            "too complex to be evaluated. It never improved.",
        ),
        (
            {"path": encode_path([(i, 40 - i) for i in range(20)])},
            "40 → 39 → 38 → 37 → … → 24",
        ),
    ],
)
def test_a_run_is_told_in_a_sentence(changes, text):
    assert text in run_sentence(row(0, **changes), RunConfig(n=4, deletion="leaf"))


def test_of_the_wait_in_which_it_is_stuck_nothing_more_is_said():
    stuck = row(0, **STUCK, iterations=273)._replace(wait_from=17, wait=256)
    assert run_sentence(stuck, RunConfig(n=4, deletion="leaf")).endswith("error 7 → 0.")


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"duplicate_accepted": 0}, " It fell for no pitfall."),
        ({"duplicate_accepted": 1}, " It accepted 1 duplicate."),
        ({"ors_accepted": 2, "duplicate_accepted": 3}, " It accepted 3 duplicates and 2 ORs."),
        ({"ors_accepted": 1, "duplicate_accepted": 0, "true_error_grew": 2},
         " It accepted 1 OR, and its true error grew 2 times."),
        ({"duplicate_accepted": 0, "true_error_grew": 1}, " Its true error grew once."),
    ],
)  # fmt: skip
def test_a_run_on_sampled_rows_tells_its_pitfalls(changes, text):
    config = RunConfig(n=4, fitness="sampled", rows=9)
    assert run_sentence(row(0, **changes), config).endswith(text)
    assert text not in run_sentence(row(0, **changes), config.replaced(fitness="complete", rows=None))
