"""What the picture of the outlook along a run shows, and what it does not claim to know."""

import pytest

from gpviz.engine import RunConfig, parse
from gpviz.explain.outlook_along_run import KnownKinds, RunOutlook
from gpviz.explain.outlook_picture import outlook_picture
from gpviz.runs.history import History
from tests.runs.runs import recorded

STUCK = RunConfig(n=4, limit=4, deletion="leaf", seed=236)
"""Its chain is small, so its outlook is exact; after iteration 11 it is stuck."""


def worked_out(history: History) -> RunOutlook:
    run = RunOutlook(history)
    while (job := run.next_job()) is not None:
        job.work()
    return run


@pytest.fixture(scope="module")
def history() -> History:
    return recorded(STUCK, 40)[2]


def test_it_goes_from_change_to_change_up_to_the_last_iteration(history):
    run = worked_out(history)
    picture = outlook_picture(run, history, 9)
    assert [stretch.first for stretch in picture.stretches] == [0, 1, 5, 8, 9, 11]
    assert [stretch.last for stretch in picture.stretches] == [1, 5, 8, 9, 11, 40]
    assert picture.stretches[-1].outlook == run.at(40)
    assert picture.stretches[-2].outlook == picture.now == run.at(9)


def test_the_step_that_decided_a_stuck_run_has_two_lines_and_others_have_one(history):
    picture = outlook_picture(worked_out(history), history, 9)
    assert [mark.step.iteration for mark in picture.marks] == [8, 9, 11]
    assert [mark.is_main for mark in picture.marks] == [False, False, True]
    assert picture.marks[2].labels[0] == (
        "decisive step, t = 11: change x₄ to x₃",
        "7 → 5 wrong rows, chance to end stuck 37 % → 100 %",
    )
    assert picture.marks[0].labels[0] == ("8: insert ∧ x₁ above x₄: 2 % → 9 %",)


def test_what_is_not_known_has_no_value(history):
    run = RunOutlook(history)
    job = run.next_job(near=9)
    assert job is not None
    job.work()
    picture = outlook_picture(run, history, 9, is_final=False)
    assert [(each.first, each.last, each.outlook is None) for each in picture.stretches] == [
        (0, 9, True),
        (9, 11, False),
        (11, 40, True),
    ]
    assert picture.telling(5) == "t = 5: not known yet"
    assert picture.telling(10) == "t = 10: chance to end stuck 37 %, exact"
    assert picture.reason_for_no_steps().startswith("So far no step is known to raise the chance")


def test_it_says_in_words_what_is_at_the_cursor_and_which_step_was_decisive(history):
    words = outlook_picture(worked_out(history), history, 9).description()
    assert "At iteration 9 of 40 the outlook is this: From here 37 % of the runs end stuck;" in words
    assert words.endswith("The decisive step is iteration 11: 37 % → 100 %.")


def test_where_no_run_gets_stuck_it_shows_the_iterations_to_go():
    history = recorded(RunConfig(n=2, seed=1), 12)[2]
    picture = outlook_picture(worked_out(history), history, 12)
    assert not picture.shows_chance
    assert picture.names[0] == "iterations to go, on average"
    assert picture.reason_for_no_steps().startswith("Under these rules no run gets stuck:")


def test_a_rise_by_other_settings_is_told_as_such():
    """A branch that deletes leaves only may be stuck from the start, without a mutation."""
    subtree = STUCK.replaced(deletion="subtree")
    history = recorded(subtree, 5, parse("(x1 & x2) | (x2 & x1)"))[2]
    rejected = next(iteration for iteration in range(1, 6) if not history.step_at(iteration).is_accepted)
    branch = history.beginning(rejected, STUCK)
    (mark,) = outlook_picture(worked_out(branch), branch, 0).marks
    assert mark.step.iteration == rejected
    assert mark.labels[0] == (f"{rejected}: other settings: 0 % → 100 %",)


def test_a_branch_begins_with_what_is_known_of_the_run(history):
    kinds = KnownKinds()
    run = RunOutlook(history, kinds=kinds)
    while (job := run.next_job()) is not None:
        job.work()
    branch = RunOutlook(history.beginning(10), kinds=kinds)
    assert branch.next_job() is None
    assert branch.at(9) == run.at(9)
