"""A picture as text for a terminal."""

from dataclasses import replace

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import Function, Operation, RunConfig, Verdict, parse
from gpviz.picture.compose import picture_of
from gpviz.picture.options import Options
from gpviz.picture.terminal import text_of
from tests.picture.moments import previewed, shown, stepped

INS, DEL, SUB = Operation
IMPROVED, NEUTRAL, UNCHANGED, WORSE, _ = Verdict
TREE = "(x1 & x2) | x3"
CHAIN = "x6 & (x1 | x2 | x3 | x4 | x5)"


def printed(moment, analysis=None):
    return text_of(picture_of(moment, Options(), analysis))


def tree_of(moment):
    _, tree, _ = printed(moment).split("\n\n")
    return tree


def test_counter_tree_and_banner_stand_one_below_the_other():
    assert printed(stepped(TREE, SUB, IMPROVED, 2, errors=(7, 3))) == (
        "3 wrong rows of 256 · 3 of 9 leaves\n\n"
        "∨\n├─ ∧\n│  ├─ x₇   was x₁\n│  └─ x₂\n└─ x₃\n\n"
        "Accepted: change x₁ to x₇, 7 → 3 wrong rows"
    )


@pytest.mark.parametrize(
    ("moment", "tree"),
    [
        (stepped("x1 & x2", INS, NEUTRAL, 2), "∧\n├─ x₁\n└─ ∨   + new\n   ├─ x₂\n   └─ x₇   + new"),
        (stepped("x1 & x2", INS, WORSE, 2), "∧\n├─ x₁\n└─ x₂   ✕ insert ∨ x₇"),
        (previewed(stepped("x1 & x2", INS, IMPROVED, 2)), "∧\n├─ x₁\n└─ x₂   + insert ∨ x₇"),
        (stepped("x1 & x2", SUB, WORSE, 2), "∧\n├─ x₁\n└─ x₂   ✕ change to x₇"),
        (previewed(stepped("x1 & x2", SUB, IMPROVED, 2)), "∧\n├─ x₁\n└─ x₂   → change to x₇"),
        (stepped("x1 & x2", SUB, UNCHANGED, 2, variable=2), "∧\n├─ x₁\n└─ x₂   = unchanged"),
        (stepped(TREE, DEL, NEUTRAL, 4), "∧   − deleted ∨ x₃\n├─ x₁\n└─ x₂"),
        (stepped(TREE, DEL, NEUTRAL, 1), "x₃   − deleted ∨ with 2 leaves"),
        (stepped(CHAIN, DEL, NEUTRAL, 2), "x₆   − deleted ∧ with 5 leaves"),
        (stepped("x1 & x2", DEL, WORSE, 2), "∧   ✕ delete\n├─ x₁\n└─ x₂   ✕ delete"),
        (previewed(stepped("x1 & x2", DEL, IMPROVED, 2)), "∧   − delete\n├─ x₁\n└─ x₂   − delete"),
        (stepped(None, INS, IMPROVED, errors=(None, 127)), "x₇   + new"),
        (previewed(stepped(None, INS, IMPROVED, errors=(None, 127))), "(the empty tree)   + plant x₇"),
        (shown(None), "(the empty tree)"),
    ],
)
def test_what_a_step_did_stands_beside_its_nodes(moment, tree):
    assert tree_of(moment) == tree


def test_a_leaf_that_could_go_is_redundant():
    tree, config = parse("x1 & (x1 & x2)"), RunConfig(n=4)
    assert printed(shown(tree, config), analyse(tree, config)).count("redundant") == 2


def test_a_stuck_tree_has_the_costs_of_its_leaves_and_what_could_go_as_a_whole():
    tree, config = parse("(x1 & x2) | (x2 & x1)"), RunConfig(n=4, limit=4, deletion="leaf")
    text = printed(shown(tree, config), analyse(tree, config))
    assert text.count("delete +4, change ≥ +2") == 4
    assert text.count("either half could go as a whole, but not leaf by leaf") == 1
    assert "\n\nStuck. A dead end: " in text


def test_of_a_folded_node_the_leaves_are_counted():
    tree = parse(TREE, 3)
    moment = shown(tree)
    assert tree.leaves == 3
    folded = frozenset({2})
    text = text_of(picture_of(moment, Options(folded=folded, has_banner=False, has_counter=False)))
    assert text == "∨\n├─ (2 leaves)\n└─ x₃"


def test_where_no_mark_has_a_place_the_sign_of_the_verdict_stands_at_the_node():
    moment = stepped(TREE, INS, WORSE, 1, function=Function.AND)
    picture = picture_of(moment, Options())
    (change,) = picture.changes
    badge = replace(change, mark=type(change.mark).BADGE, ghosts=(), ghost_edges=())
    assert "├─ ∧   ✕\n" in text_of(replace(picture, changes=(badge,)))
