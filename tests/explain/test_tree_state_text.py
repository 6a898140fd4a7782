"""The state of a tree in words: every sentence holds for every tree it is said of."""

from collections.abc import Iterator

import pytest

from gpviz.analysis import Neighbour
from gpviz.analysis.neighbourhood import neighbours_of
from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine import Inner, Leaf, Node, Operation, RlsGp, RunConfig, State, Verdict, parse
from gpviz.engine.mutation import Mutation, apply, deletion, substitution
from gpviz.engine.stuck import TreeState
from gpviz.engine.target import target_for
from gpviz.engine.tree import nodes_of
from gpviz.explain.tree_state_text import (
    STUCK_CLAIM,
    groups_of,
    leaf_notes,
    leaf_role,
    number_word,
    plateau_size,
    state_text,
)
from tests.engine import brute_force

FIGURE = "(x1 & x2) | (x2 & x1)"
LEAF = RunConfig(n=4, limit=4, deletion="leaf")
SUBTREE = LEAF.replaced(deletion="subtree")
FIRST = "((x1 & x5) | (x1 & x5)) & (x8 & (x2 & x6 & x7 & x4))"
FIRST_CONFIG = RunConfig(n=8, limit="n+1", deletion="leaf")


def formula_of(tree: brute_force.Tree) -> str:
    if isinstance(tree, int):
        return f"x{tree}"
    function, left, right = tree
    return f"({formula_of(left)} {'&' if function == brute_force.AND else '|'} {formula_of(right)})"


def full_trees() -> Iterator[tuple[Node, RunConfig]]:
    """Very many full trees under both rules of deletion: all small ones, and some of the larger."""
    for n, leaves, every in ((2, 1, 1), (2, 3, 1), (3, 1, 1), (3, 2, 1), (3, 3, 1), (4, 4, 29), (5, 4, 83)):
        shapes = brute_force.trees(leaves, n, (brute_force.AND, brute_force.OR))
        for number, shape in enumerate(shapes[::every]):
            rule = ("leaf", "subtree")[number % 2]
            yield parse(formula_of(shape)), RunConfig(n=n, limit=leaves, deletion=rule)
    for alike in (2, 3):
        for others in range(4):
            for missing in range(3):
                for deletion_rule in ("leaf", "subtree"):
                    n = alike + others + missing
                    yield (
                        halves(alike, others),
                        RunConfig(n=n, limit=2 * alike + others, deletion=deletion_rule),
                    )
    for n in (4, 6):
        for limit in range(2, n):
            config = RunConfig(n=n, limit=limit, deletion=("leaf", "subtree")[limit % 2], seed=limit)
            search = RlsGp(config)
            search.run(max_iterations=3000, stop_when_stuck=True)
            assert search.tree is not None
            yield search.tree, config


def halves(alike: int, others: int) -> Node:
    """Two halves with the same variables in another order, and leaves that the tree needs, as in the paper."""
    names = [f"x{number}" for number in range(1, alike + 1)]
    text = f"(({' & '.join(names)}) | ({' & '.join(reversed(names))}))"
    return parse(" & ".join([text, *(f"x{alike + number}" for number in range(1, others + 1))]))


def changes(tree: Node, config: RunConfig) -> list[Neighbour]:
    """All deletions and substitutions of a tree, judged one by one."""
    return [each for each in neighbours_of(tree, config) if each.mutation.operation is not Operation.INS]


def test_every_sentence_about_a_full_tree_is_true_of_it() -> None:
    seen: dict[str, int] = {}
    for tree, config in full_trees():
        analysis = analyse(tree, config)
        text = state_text(analysis)
        around = changes(tree, config)
        verdicts = {each.verdict for each in around}
        deletions = {each.verdict for each in around if each.mutation.operation is Operation.DEL}
        substitutions = {each.verdict for each in around if each.mutation.operation is Operation.SUB}
        full = f"It is full ({config.max_leaves}/{config.max_leaves})"
        if analysis.state.state is State.STUCK:
            assert text.claim == STUCK_CLAIM
            assert text.reason.startswith(full)
            assert Verdict.IMPROVED not in verdicts
            if "costs rows or changes nothing" in text.reason:
                kind = "costs"
                assert verdicts <= {Verdict.WORSE, Verdict.UNCHANGED}
            elif "its only leaf" in text.reason:
                kind = "leaf"
                assert deletions == {Verdict.UNCHANGED}
                assert substitutions == {Verdict.NEUTRAL, Verdict.UNCHANGED}
            else:
                kind = "neutral"
                assert "every deletion costs rows" in text.reason
                assert "substitutions only lead to trees just as stuck" in text.reason
                assert deletions <= {Verdict.WORSE, Verdict.UNCHANGED}
                assert Verdict.NEUTRAL in substitutions
        elif analysis.state.state is State.PLATEAU:
            kind = "plateau"
            steps = number_word(len(analysis.state.way_out))
            assert text.claim == f"No single mutation improves this tree, but {steps} accepted in a row can."
            assert Verdict.IMPROVED not in verdicts
            first = next(each for each in around if each.mutation == analysis.state.way_out[0])
            assert first.verdict is Verdict.NEUTRAL
            is_deletion = first.mutation.operation is Operation.DEL
            assert ("but deleting" in text.reason) is is_deletion
            assert text.reason.startswith(full)
        elif analysis.state.state is State.CLIMBING:
            kind = "climbing"
            assert text.claim == "A single mutation can improve this tree."
            assert Verdict.IMPROVED in verdicts
        else:
            kind = "solved"
            assert text.claim == "The tree computes the target."
            assert target_for(config.n).error(tree) == 0
        seen[kind] = seen.get(kind, 0) + 1
    assert seen.keys() == {"costs", "leaf", "neutral", "plateau", "climbing", "solved"}
    assert min(seen.values()) >= 2
    assert seen["costs"] + seen["neutral"] >= 30


def test_a_group_could_go_as_a_whole_and_not_leaf_by_leaf_and_nothing_larger_could() -> None:
    found = 0
    for tree, config in full_trees():
        analysis = analyse(tree, config)
        target = target_for(config.n)
        error = target.error(tree)
        numbers = {node.uid: number for number, node in enumerate(nodes_of(tree), start=1)}
        nodes = {node.uid: node for node in nodes_of(tree)}
        roots = [uid for group in groups_of(analysis) for uid in group.roots]
        for uid in roots:
            found += 1
            assert isinstance(nodes[uid], Inner)
            assert target.error(apply(tree, deletion(numbers[uid]), (-1, -2))) <= error
            below = [node.uid for node in nodes_of(nodes[uid])]
            assert not set(below[1:]) & set(roots)
            for leaf in (each for each in below if isinstance(nodes[each], Leaf)):
                assert target.error(apply(tree, deletion(numbers[leaf]), (-1, -2))) > error
        if analysis.state.state is not State.STUCK or config.has_subtree_deletion:
            assert not roots
    assert found >= 20


def test_the_words_of_the_first_tree_of_the_paper() -> None:
    analysis = analyse(parse(FIRST), FIRST_CONFIG)
    assert state_text(analysis).sentence == (
        "Stuck. No sequence of accepted mutations improves this tree."
        " It is full (9/9): every deletion costs rows, and substitutions only lead to trees just as stuck."
        f" {plateau_size(analysis.state.plateau_trees)}"
    )


def test_a_plateau_says_what_is_different_there() -> None:
    text = state_text(analyse(parse(FIGURE), SUBTREE))
    assert text.badge == "PLATEAU"
    assert text.claim == "No single mutation improves this tree, but two accepted in a row can."
    assert text.reason == "It is full (4/4), but deleting x₁ ∧ x₂ costs no rows and makes room."


@pytest.mark.parametrize(
    ("first", "text"),
    [
        (deletion(6), "deleting leaf 3, x₂, costs no rows and makes room."),
        (substitution(6, 4), "changing leaf 3 from x₂ to x₄ costs no rows and leads on."),
    ],
)
def test_a_way_out_names_its_leaf_by_its_number_from_the_left(first: Mutation, text: str) -> None:
    tree = parse(FIGURE)
    assert text in state_text(Analysis(tree, LEAF.rules, TreeState(State.PLATEAU, 3, 5, (first,)))).reason


def test_what_is_not_known_is_not_claimed() -> None:
    tree = parse(FIGURE)
    hasty = Analysis(tree, LEAF.rules, TreeState(State.STUCK, 3, 1))
    assert state_text(hasty).reason == "It is full (4/4), and no deletion or substitution improves it."
    assert leaf_notes(hasty) == {}
    assert groups_of(hasty) == ()
    sampled = LEAF.replaced(fitness="sampled", rows=8)
    assert state_text(analyse(tree, sampled)).claim == "No tree of a sampled run is stuck for good."
    ended = analyse(tree, LEAF, lambda: True)
    assert state_text(ended).claim == "It is not known whether this tree can be improved."
    assert state_text(ended).reason == ended.state.reason


def test_every_leaf_of_a_stuck_tree_has_a_note_with_both_costs() -> None:
    tree = parse(FIGURE)
    notes = leaf_notes(analyse(tree, LEAF))
    assert set(notes) == {node.uid for node in nodes_of(tree) if isinstance(node, Leaf)}
    assert set(notes.values()) == {("delete +4", "change ≥ +2")}
    single = analyse(parse("x1"), RunConfig(n=2, limit=1, deletion="leaf"))
    assert list(leaf_notes(single).values()) == [("never deleted", "change ±0")]
    assert leaf_notes(analyse(tree, SUBTREE)) == {}
    assert leaf_notes(None) == {}


@pytest.mark.parametrize(
    ("formula", "config", "roles"),
    [
        (FIGURE, LEAF, {"removable only together with its sibling"}),
        (FIRST, FIRST_CONFIG, {"removable only together with its sibling", "essential"}),
        (
            "((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))",
            RunConfig(n=8, limit=9, deletion="leaf"),
            {"removable only together with two other leaves", "essential"},
        ),
        ("x1 & x2 & x1", RunConfig(n=2, limit=4), {"removable, alone or with others", "essential"}),
    ],
)
def test_what_a_leaf_could_go_with(formula: str, config: RunConfig, roles: set[str]) -> None:
    tree = parse(formula)
    analysis = analyse(tree, config)
    assert {leaf_role(node.uid, analysis) for node in nodes_of(tree) if isinstance(node, Leaf)} == roles
