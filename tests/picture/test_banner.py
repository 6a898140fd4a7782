"""What the banner says of every operation with every verdict, of previews, questions and states."""

from dataclasses import replace

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import Function, Operation, RunConfig, State, Verdict, parse
from gpviz.explain.moment import moment_at, tree_at
from gpviz.explain.step_text import mutation_text
from gpviz.picture.banner import banner_of
from gpviz.picture.compose import picture_of
from gpviz.picture.options import Options
from gpviz.runs.history import History
from tests.explain.test_tree_state_text import changes, full_trees
from tests.picture.moments import CONFIG, previewed, shown, stepped, stuck
from tests.runs.runs import recorded

INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE = Verdict
TREE = "(x1 & x2) | x3"
LARGE = "(x1 & x2 & x3 & x4 & x5) | x6"


def said(moment):
    banner = banner_of(moment, None)
    assert banner is not None
    return banner.sentence


@pytest.mark.parametrize(
    ("moment", "sentence"),
    [
        (stepped(TREE, SUB, IMPROVED, 2, errors=(7, 3)), "Accepted: change x₁ to x₇, 7 → 3 wrong rows"),
        (stepped(TREE, SUB, IMPROVED, 2, errors=(7, 1)), "Accepted: change x₁ to x₇, 7 → 1 wrong row"),
        (stepped(TREE, SUB, NEUTRAL, 2, errors=(7, 7)), "Accepted: change x₁ to x₇, still 7 wrong rows"),
        (stepped(TREE, SUB, UNCHANGED, 2, variable=1), "No change: x₁ replaced by x₁"),
        (stepped(TREE, INS, WORSE, 1), "Rejected: insert ∨ x₇ above x₁ ∧ x₂, 7 → 15 wrong rows"),
        (stepped(TREE, INS, WORSE, 0), "Rejected: insert ∨ x₇ above the whole tree, 7 → 15 wrong rows"),
        (
            stepped(TREE, INS, TOO_LARGE, 4, function=Function.AND, config=RunConfig(n=8, limit=3)),
            "Rejected: insert ∧ x₇ above x₃, 4 leaves, limit 3",
        ),
        (stepped("x1", INS, WORSE), "Rejected: insert ∨ x₇ above x₁, 7 → 15 wrong rows"),
        (stepped(TREE, DEL, NEUTRAL, 1, errors=(7, 7)), "Accepted: delete x₁ ∧ x₂, still 7 wrong rows"),
        (stepped(LARGE, DEL, WORSE, 1), "Rejected: delete the ∧ of 5 leaves, 7 → 15 wrong rows"),
        (
            stepped(TREE, DEL, UNCHANGED),
            "No change: tried to delete the whole tree, but the root is never deleted",
        ),
        (stepped(None, INS, IMPROVED, errors=(None, 127)), "Accepted: plant x₇, 127 wrong rows"),
        (
            stepped(TREE, SUB, WORSE, 2, errors=(10**20, 10**20 + 8)),
            "Rejected: change x₁ to x₇, 1.0 × 10²⁰ wrong rows, 8 more",
        ),
    ],
)
def test_the_verdict_comes_first_then_what_was_tried_and_what_it_does(moment, sentence):
    assert said(moment) == sentence


@pytest.mark.parametrize(("operation", "word"), [(DEL, "delete"), (SUB, "change")])
def test_the_empty_tree_may_have_nothing_to_delete_or_to_change(operation, word):
    config = RunConfig(n=4, empty_tree="insert-only")
    for seed in range(50):
        *_, history = recorded(config.replaced(seed=seed), 1)
        moment = moment_at(history, 1)
        if moment.step is not None and moment.step.operation is operation:
            break
    assert said(moment) == f"No change: the empty tree has nothing to {word}"
    assert mutation_text(moment) == f"{word} a leaf of the empty tree"


def test_a_sampled_run_names_the_error_that_decided_and_says_when_it_misled():
    moment = stepped(TREE, SUB, IMPROVED, 2, errors=(3, 2), config=CONFIG.replaced(fitness="sampled", rows=5))
    assert said(moment) == "Accepted: change x₁ to x₇, 3 → 2 of 5 sampled rows wrong"
    assert moment.step is not None
    misled = replace(moment, step=moment.step._replace(true_error_grew=True))
    assert said(misled).endswith("3 → 2 of 5 sampled rows wrong, but worse on all rows")


def test_a_preview_is_conditional():
    assert said(previewed(stepped(TREE, DEL, WORSE, 4))) == "Would be rejected: delete x₃, 7 → 15 wrong rows"
    unchanged = previewed(stepped(TREE, SUB, UNCHANGED, 2, variable=1))
    assert said(unchanged) == "Would change nothing: x₁ replaced by x₁"


@pytest.mark.parametrize("operation", Operation)
def test_a_question_is_the_same_whatever_the_verdict(operation):
    asked = {
        banner_of(replace(stepped(TREE, operation, verdict, 4), is_verdict_hidden=True), stuck()[1])
        for verdict in Verdict
    }
    assert len(asked) == 1
    (banner,) = asked
    assert banner is not None
    assert banner.head == "Accepted or rejected?"
    assert banner.text in ("Insert ∨ x₇ above x₃", "Delete x₃", "Change x₃ to x₇")


def test_the_start_is_a_tree_and_a_tree_without_its_step_says_nothing():
    *_, history = recorded(CONFIG, 9)
    assert said(shown(None)) == "The start: the empty tree; the target is x₁ ∧ … ∧ x₈"
    two = History(CONFIG.replaced(n=4), parse("x1 & x2"))
    assert said(tree_at(two, 0)) == "The start: 2 leaves, 3 wrong rows; the target is x₁ ∧ x₂ ∧ x₃ ∧ x₄"
    assert banner_of(tree_at(history, 9), None) is None


# Stuck and solved


def test_a_stuck_tree_has_one_sentence_the_step_and_the_proof():
    banner = banner_of(*stuck(), has_notes=True)
    assert banner is not None
    assert (banner.state, banner.colour) == ("STUCK", "stuck")
    assert (
        banner.head
        == "A dead end: every change makes it worse or too large, or leads to trees just as stuck."
    )
    assert banner.more == (
        "Proved: all that it can become is the same up to symmetry. Below each leaf: how many more rows are"
        " wrong if it is deleted or changed. Rejected: delete x₆, 1 → 3 wrong rows."
    )


def test_the_sentence_is_true_of_a_tree_without_neutral_changes_and_of_a_single_leaf():
    heads = []
    for text in ("(x1 & x2) | (x2 & x1)", "x1"):
        tree = parse(text)
        config = RunConfig(n=3, limit=tree.leaves, deletion="leaf")
        banner = banner_of(shown(tree, config), analyse(tree, config))
        heads.append("" if banner is None else banner.head)
    assert heads == [
        "A dead end: every change makes it worse or too large, or changes nothing.",
        "A dead end: every change makes it too large, or leads to trees just as stuck.",
    ]


def test_the_sentence_about_a_stuck_tree_is_true_of_every_one():
    found = 0
    for tree, config in full_trees():
        analysis = analyse(tree, config)
        if analysis.state.state is State.STUCK:
            found += 1
            banner = banner_of(shown(tree, config), analysis)
            assert banner is not None
            verdicts = {each.verdict for each in changes(tree, config)}
            assert IMPROVED not in verdicts
            assert banner.head.endswith("leads to trees just as stuck.") is (NEUTRAL in verdicts)
            assert ("makes it worse" in banner.head) is (WORSE in verdicts)
            assert NEUTRAL not in verdicts or "nothing else can come of it" not in banner.more
    assert found >= 30


def test_the_last_improvement_is_named():
    moment, analysis = stuck()
    assert moment.step is not None
    improved = replace(moment, step=moment.step._replace(verdict=IMPROVED))
    banner = banner_of(improved, analysis)
    assert banner is not None
    assert banner.more.startswith("This step was the last improvement. Proved: ")


def test_a_solved_tree_says_so_and_a_preview_on_it_what_it_would_do():
    tree, config = parse("x1 & x2"), RunConfig(n=2)
    moment, analysis = shown(tree, config), analyse(tree, config)
    banner = banner_of(moment, analysis)
    assert banner is not None
    assert banner.sentence == "Solved. The tree computes the target. It is right on all 4 rows."
    preview = previewed(stepped(tree, DEL, WORSE, 1, config=config, errors=(0, 1)))
    assert banner_of(preview, analysis) == banner_of(preview, None)


def test_a_run_with_an_easier_goal_says_that_it_is_reached():
    config = RunConfig(n=6, fitness="sampled", rows=20, accept_error=3)
    moment = stepped("x1 & x2", SUB, IMPROVED, 1, config=config, errors=(5, 3), variable=3)
    banner = banner_of(moment, None)
    assert banner is not None
    assert (banner.state, banner.head) == (
        "DONE",
        "Good enough: 3 of the 20 sampled rows are wrong, and 3 may be.",
    )
    assert banner.more == "Accepted: change x₁ to x₃, 5 → 3 of 20 sampled rows wrong."
    assert picture_of(moment, Options()).state == "DONE"
    above = stepped("x1 & x2", SUB, IMPROVED, 1, config=config, errors=(5, 4), variable=3)
    assert picture_of(above, Options()).state == ""
    for other in (above, replace(moment, is_verdict_hidden=True), previewed(moment)):
        verdict = banner_of(other, None)
        assert verdict is not None
        assert verdict.state == ""
