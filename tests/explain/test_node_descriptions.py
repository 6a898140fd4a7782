"""Nodes and pictures in words, for cards and for screen readers."""

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import Operation, RunConfig, Verdict, parse
from gpviz.explain.node_descriptions import description_of, node_title, notes_text
from tests.picture.moments import previewed, shown, stepped

TREE = "(x1 & x2) | x3"  # uids: x1 0, x2 1, & 2, x3 3, | 4
TELLING = (
    "improve",
    "neutral",
    "worse",
    "large",
    "error",
    "nothing",
    "unchanged",
    "limit",
    "wrong",
    "accepted:",
)


def test_nodes_are_named_by_their_number_in_the_tree():
    tree = parse(TREE)
    assert node_title(tree, 3) == "x₃  leaf 3, node 5"
    assert node_title(tree, 2) == "∧  node 2, 2 leaves"
    assert node_title(tree, 4) == "∨  root, 3 leaves"
    assert node_title(tree, 99) is None


def test_what_stands_on_a_stuck_tree_is_said():
    config = RunConfig(n=4, limit=4, deletion="leaf")
    words = notes_text(analyse(parse("(x3 & x2) | (x2 & x3)"), config))
    assert "x₃: delete +4, change ≥ +2" in words
    assert "x₃ ∧ x₂ and x₂ ∧ x₃: either half could go as a whole, but not leaf by leaf." in words
    assert notes_text(analyse(parse("x1"), config)) == ""


def test_a_picture_is_described_by_its_step_and_its_tree():
    text = description_of(stepped(TREE, Operation.DEL, Verdict.WORSE, 4))
    assert text == (
        "Iteration 1. Rejected: delete x₃, 7 → 15 wrong rows. A tree with 3 leaves: (x₁ ∧ x₂) ∨ x₃"
    )
    assert description_of(None) == "There is no tree."
    assert "empty" in description_of(shown(None))
    assert "1 leaf:" in description_of(shown("x1"))


def test_the_description_of_a_preview_is_conditional():
    text = description_of(previewed(stepped(TREE, Operation.DEL, Verdict.WORSE, 4)))
    assert "Would be rejected: delete x₃, 7 → 15 wrong rows." in text


@pytest.mark.parametrize("operation", Operation)
def test_the_description_of_a_question_does_not_answer_it(operation):
    asked = {
        description_of(previewed(stepped(TREE, operation, verdict, 4), is_hidden=True)) for verdict in Verdict
    }
    assert len(asked) == 1
    (text,) = asked
    assert "Accepted or rejected? " in text
    assert not any(word in text.lower() for word in TELLING)
