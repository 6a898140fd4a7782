"""The proof of a tree's state: every number in it is that of the mutation itself."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis import neighbourhood
from gpviz.analysis.redundant_leaves import LeafReason
from gpviz.engine import (
    Function,
    Leaf,
    Mutation,
    Node,
    Operation,
    RunConfig,
    Side,
    State,
    Verdict,
    apply,
    parse,
    tree_state,
)
from gpviz.engine.mutation import deletion, substitution
from gpviz.engine.target import target_for
from gpviz.engine.tree import node_at
from gpviz.explain import tree_state_text as proofs
from gpviz.explain.step_text import leaf_number
from gpviz.explain.tree_state_text import (
    MOST_LISTED,
    instruction_text,
    moment_along,
    prove,
    prove_with_subtree_deletion,
)
from gpviz.number_text import chance_text
from gpviz.runs.history import History
from tests.engine.strategies import few_implicants, preorder, trees

STUCK = RunConfig(n=4, limit=4, deletion="leaf")
FIGURE = "(x1 & x2) | (x2 & x1)"
SAMPLED = STUCK.replaced(fitness="sampled", rows=20)


@st.composite
def full_trees(draw: st.DrawFn) -> tuple[Node, RunConfig]:
    """Trees and rules under which they are full, or nearly so."""
    tree = draw(trees(4, max_leaves=5))
    return tree, RunConfig(
        n=4,
        limit=tree.leaves + draw(st.integers(0, 1)),
        deletion=draw(st.sampled_from(["leaf", "subtree"])),
    )


def test_a_stuck_tree_is_proven_leaf_by_leaf() -> None:
    proof = prove(parse(FIGURE), STUCK)
    assert proof.state is not None
    assert proof.state.state is State.STUCK
    assert proof.title == "Stuck"
    assert proof.claim == "No sequence of accepted mutations improves this tree."
    assert proof.argument == (
        "The tree is full (4/4 leaves), so every insertion is rejected.",
        "Every deletion costs 4 rows.",
        "Every substitution by another variable costs at least 2 rows.",
        "The plateau has one tree up to symmetry; it has no way out.",
    )
    assert {leaf.role for leaf in proof.leaves} == {"removable only together with its sibling"}
    assert [(leaf.number, leaf.label) for leaf in proof.leaves] == [
        (1, "x₁"),
        (2, "x₂"),
        (3, "x₂"),
        (4, "x₁"),
    ]
    assert all(leaf.is_redundant for leaf in proof.leaves)
    assert [leaf.reason for leaf in proof.leaves] == [LeafReason(4, 2, 3)] * 4
    assert not proof.path


@given(full_trees())
def test_every_step_of_an_argument_is_true(case: tuple[Node, RunConfig]) -> None:
    tree, config = case
    proof = prove(tree, config)
    if proof.state is None or proof.state.state is not State.STUCK:
        return
    around = neighbourhood(tree, config).neighbours
    by_operation = {
        operation: [each for each in around if each.mutation.operation is operation]
        for operation in Operation
    }
    assert {each.verdict for each in by_operation[Operation.INS]} == {Verdict.TOO_LARGE}
    costs = [each.error_change or 0 for each in by_operation[Operation.DEL]]
    changed = [
        each.error_change or 0
        for each in by_operation[Operation.SUB]
        if each.verdict is not Verdict.UNCHANGED
    ]
    _, deletions, substitutions, _ = proof.argument
    if deletions.startswith("Every deletion costs"):
        least = f"{min(costs):,} row"
        assert least in deletions
        assert ("at least" in deletions) is (min(costs) < max(costs))
    if substitutions.startswith("Every substitution"):
        assert f"at least {min(changed):,} row" in substitutions
    else:
        assert min(changed) == 0


@given(full_trees())
def test_every_cost_of_a_stuck_tree_is_that_of_its_mutation(case: tuple[Node, RunConfig]) -> None:
    tree, config = case
    proof = prove(tree, config)
    target = target_for(config.n)
    error = target.error(tree)
    for leaf in proof.leaves:
        number = next(index for index, node in enumerate(preorder(tree), 1) if node.uid == leaf.uid)
        assert leaf.number == leaf_number(tree, number)
        if leaf.reason.deletion is not None:
            without = apply(tree, deletion(number), (-1, -2))
            assert target.error(without) - error == leaf.reason.deletion > 0
        node = node_at(tree, number)
        assert isinstance(node, Leaf)
        changes = {
            variable: target.error(apply(tree, substitution(number, variable), (-1, -2))) - error
            for variable in range(1, config.n + 1)
            if variable != node.variable
        }
        assert leaf.reason.variable is not None
        assert leaf.reason.substitution == min(changes.values()) == changes[leaf.reason.variable] >= 0


@given(full_trees())
def test_a_way_out_ends_in_an_improvement_and_is_neutral_before(case: tuple[Node, RunConfig]) -> None:
    tree, config = case
    target = target_for(config.n)
    for proof in (prove(tree, config), prove_with_subtree_deletion(tree, config)):
        current = tree
        for place, step in enumerate(proof.path):
            before, current = target.error(current), apply(current, step.mutation, (-1, -2))
            assert step.error == target.error(current)
            is_last = place == len(proof.path) - 1
            assert step.verdict is (Verdict.IMPROVED if is_last else Verdict.NEUTRAL)
            assert (step.error < before) == is_last
        assert proof.state is not None
        assert bool(proof.path or proof.improvements) == (
            proof.state.state in (State.PLATEAU, State.CLIMBING)
        )


@given(full_trees())
def test_the_improving_mutations_are_those_of_the_neighbourhood(case: tuple[Node, RunConfig]) -> None:
    tree, config = case
    proof = prove(tree, config)
    around = neighbourhood(tree, config)
    improving = [each for each in around.neighbours if each.verdict is Verdict.IMPROVED]
    if proof.state is None or proof.state.state is not State.CLIMBING:
        assert not improving
        return
    chances: dict[Mutation, Fraction] = {}
    for each in improving:  # of an insertion on the left and the same on the right one is named
        key = each.mutation._replace(side=Side.LEFT)
        chances[key] = chances.get(key, Fraction(0)) + Fraction(each.probability)
    named = {each.mutation._replace(side=Side.LEFT): each.probability for each in proof.improvements}
    assert len(named) == len(proof.improvements) == min(len(chances), MOST_LISTED)
    assert {mutation: chances[mutation] for mutation in named} == named
    errors = {each.mutation._replace(side=Side.LEFT): each.error for each in improving}
    best = sorted(error or 0 for error in errors.values())[: len(named)]
    assert [errors[each.mutation._replace(side=Side.LEFT)] or 0 for each in proof.improvements] == best
    assert chance_text(around.probability("improved")) in proof.claim
    assert bool(proof.argument) is (tree.leaves == config.max_leaves)


def test_a_plateau_has_its_way_out_in_words() -> None:
    proof = prove(parse(FIGURE), STUCK.replaced(deletion="subtree"))
    assert proof.title == "Flat: a way out in 2 steps"
    assert proof.claim == "No single mutation improves this tree, but two accepted in a row can."
    assert proof.argument == (
        "The tree is full (4/4 leaves), so every insertion is rejected.",
        "No deletion and no substitution lowers the error at once.",
        "No way out is shorter: gpviz examined one tree of the plateau, up to symmetry.",
    )
    assert [step.text for step in proof.path] == [
        "Delete x₁ ∧ x₂",
        "Insert ∧ x₃ above the whole tree (⇑ root-and)",
    ]
    assert proof.mutations == list(tree_state(proof.tree, proof.config).way_out)


def test_what_if_tells_that_it_is_not_the_rule_of_the_run() -> None:
    proof = prove_with_subtree_deletion(parse(FIGURE), STUCK)
    assert proof.is_what_if
    assert proof.config.has_subtree_deletion
    assert "not the run's own rule" in proof.note
    assert proof.claim == "Subtree deletion opens a way out: 2 accepted mutations, 3 → 1 wrong row."


@pytest.mark.parametrize(
    ("formula", "config", "title", "claim"),
    [
        ("x1 & x2", RunConfig(n=3, limit=2, deletion="leaf"), "Still stuck", "Even with subtree deletion"),
        (
            "x1 & x2 & x1",
            RunConfig(n=3, limit=3, deletion="leaf"),
            "A way out",
            "With subtree deletion one mut",
        ),
        ("x1 & x2", RunConfig(n=2, limit=2, deletion="leaf"), "Solved", "The tree computes the target."),
        (FIGURE, SAMPLED, "Undecided", "A sample of rows"),
    ],
)
def test_what_if_has_an_answer_for_every_tree(
    formula: str, config: RunConfig, title: str, claim: str
) -> None:
    proof = prove_with_subtree_deletion(parse(formula), config)
    assert proof.title == title
    assert proof.claim.startswith(claim)


def test_the_empty_tree_takes_any_leaf() -> None:
    proof = prove(None, RunConfig(n=3))
    assert proof.title == "Empty"
    assert [each.text for each in proof.improvements] == ["Plant x₁", "Plant x₂", "Plant x₃"]
    assert {each.error_change for each in proof.improvements} == {None}


def test_a_sampled_run_is_told_about_all_rows() -> None:
    undecided = prove(parse(FIGURE), SAMPLED)
    assert undecided.title == "Undecided"
    assert "A sample of rows may accept any offspring" in undecided.claim
    assert "what is better, on all rows" in undecided.note
    climbing = prove(parse("x1 & x2"), SAMPLED)
    assert "what is better, on all rows" in climbing.note
    assert climbing.claim.startswith(
        "12 mutations give trees that are better on all rows, with a probability of"
    )
    assert climbing.claim.endswith("Four of them are root-ands.")
    assert {each.mutation for each in climbing.improvements} == {
        each.mutation for each in prove(parse("x1 & x2"), STUCK).improvements
    }


def test_a_tree_too_tangled_to_count_is_told(monkeypatch) -> None:
    monkeypatch.setattr("gpviz.engine.true_row_count.MAX_CASES", 0)
    with few_implicants(2):
        tangle = parse("(x1 | x2) & (x2 | x3) & (x3 | x1)")
        for proof in (prove(tangle, RunConfig(n=4)), prove_with_subtree_deletion(tangle, RunConfig(n=4))):
            assert proof.state is None
            assert proof.claim == "The state of this tree takes too long to work out exactly."


def test_very_many_mutations_are_cut(monkeypatch) -> None:
    monkeypatch.setattr(proofs, "MOST_NEIGHBOURS", 10)
    monkeypatch.setattr(proofs, "MOST_LISTED", 2)
    proof = prove(parse("x1 & x2"), RunConfig(n=8))
    assert proof.claim.startswith("Among the first 10 mutations ")
    assert len(proof.improvements) == 2
    assert proof.note == "These are the best two; Neighbours lists them all."


def test_a_proof_ends_early_when_nobody_waits() -> None:
    asked = iter([True])
    proof = prove(parse("x1 & x2"), RunConfig(n=8), lambda: next(asked))
    assert next(asked, None) is None
    assert not proof.improvements


def test_words_name_the_place() -> None:
    tree = parse("x1 & (x2 | x3)")
    assert instruction_text(tree, deletion(2)) == "Delete leaf 1, x₁"
    assert instruction_text(tree, substitution(4, 7)) == "Change leaf 2 from x₂ to x₇"
    assert instruction_text(tree, Mutation(Operation.INS, 3, 4, Function.OR, Side.LEFT)) == (
        "Insert ∨ x₄ above x₂ ∨ x₃"
    )


# The way out on the canvas


def test_moments_along_a_way_out_are_those_of_its_mutations() -> None:
    history = History(STUCK, parse(FIGURE))
    proof = prove_with_subtree_deletion(history.start, STUCK)
    first = moment_along(history, 0, proof.config, proof.mutations, 0)
    assert first.tree is history.start
    assert first.step is None
    parent = history.start
    for applied, step in enumerate(proof.path, start=1):
        moment = moment_along(history, 0, proof.config, proof.mutations, applied)
        assert moment.step is not None
        assert moment.step.mutation == step.mutation
        assert moment.step.verdict is step.verdict
        assert moment.step.error == step.error
        assert moment.parent == parent
        assert moment.tree is moment.offspring
        parent = moment.tree
        assert parent is not None
        uids = [node.uid for node in preorder(parent)]
        assert len(set(uids)) == len(uids)
