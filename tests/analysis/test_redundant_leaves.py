"""Which parts of a tree it needs, and why: compared with what trying every mutation gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis import redundancy
from gpviz.analysis.redundant_leaves import Analysis, LeafReason, analyse, idle_essentials
from gpviz.engine import Node, RlsGp, RunConfig, State, parse, simplified, tree_state
from gpviz.engine.mutation import apply, deletion, substitution
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, node_at, nodes_of
from tests.engine import brute_force
from tests.engine.strategies import error_of_shape, shape_of, trees

STUCK = [
    ("(x3 & x2) | (x2 & x3)", RunConfig(n=4, limit=4, deletion="leaf")),
    ("(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1", RunConfig(n=8, limit=7, deletion="leaf")),
    (
        "((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))",
        RunConfig(n=8, limit=9, deletion="leaf"),
    ),
]
CONFIG = RunConfig(n=8)


def error_of(tree: Node | None, n: int) -> int | None:
    return None if tree is None else error_of_shape(shape_of(tree), n)


def reason_by_trying(tree: Node, number: int, n: int) -> LeafReason:
    """What becomes of the error when the leaf goes or gets each other variable, by counting rows."""
    error = error_of_shape(shape_of(tree), n)
    leaf = node_at(tree, number)
    assert isinstance(leaf, Leaf)
    without = None if tree.leaves == 1 else error_of(apply(tree, deletion(number), (-1, -2)), n)
    errors = {
        variable: error_of_shape(shape_of(apply(tree, substitution(number, variable), (-1, -2))), n)
        for variable in range(1, n + 1)
        if variable != leaf.variable
    }
    best = min(errors, key=lambda variable: (errors[variable], variable), default=None)
    return LeafReason(
        None if without is None else without - error,
        None if best is None else errors[best] - error,
        best,
    )


def check(tree: Node, config: RunConfig) -> Analysis:
    """That everything an analysis says is so."""
    analysis = analyse(tree, config)
    assert analysis.tree is tree
    assert analysis.state == tree_state(tree, config)
    nodes = list(nodes_of(tree))
    redundant = redundancy(tree, config).redundant
    assert analysis.redundant == {nodes[number - 1].uid for number in redundant}
    expected = {
        node.uid: reason_by_trying(tree, number, config.n)
        for number, node in enumerate(nodes, start=1)
        if isinstance(node, Leaf) and analysis.state.state is State.STUCK
    }
    assert analysis.reasons == expected
    if analysis.state.state is State.STUCK:
        error = error_of(tree, config.n)
        assert error is not None
        without = {
            node.uid: error_of(apply(tree, deletion(number), (-1, -2)), config.n)
            for number, node in enumerate(nodes, start=1)
            if number > 1 and not isinstance(node, Leaf)
        }
        wanted = {uid for uid, after in without.items() if after is not None and after <= error}
        assert analysis.removable == wanted
    else:
        assert not analysis.removable
    return analysis


@pytest.mark.parametrize(("formula", "config"), STUCK)
def test_a_stuck_tree_of_the_paper_has_a_reason_for_each_leaf(formula: str, config: RunConfig) -> None:
    tree = parse(formula)
    analysis = check(tree, config)
    assert analysis.state.state is State.STUCK
    assert len(analysis.reasons) == tree.leaves
    for reason in analysis.reasons.values():
        assert reason.deletion is not None
        assert reason.deletion > 0
        assert reason.substitution is not None
        assert reason.substitution >= 0


def test_the_reasons_of_the_first_tree_of_the_paper() -> None:
    formula, config = STUCK[0]
    analysis = analyse(parse(formula), config)
    # x3 & x2 is true on 4 rows of 16; with one leaf less the tree is true on the 8 of x2 or of x3.
    assert set(analysis.reasons.values()) == {LeafReason(4, 2, 1)}
    assert len(analysis.redundant) == 4


def test_the_best_substitution_is_by_the_first_of_equally_good_variables() -> None:
    tree = parse("x1 & x2 & x3")
    analysis = check(tree, RunConfig(n=6, limit=3, deletion="leaf"))
    assert {reason.variable for reason in analysis.reasons.values()} == {4}


@given(trees(4, max_leaves=5), st.sampled_from(["leaf", "subtree"]), st.integers(4, 6), st.booleans())
def test_every_analysis_is_what_trying_gives(tree: Node, deletion: str, n: int, is_full: bool) -> None:
    limit = tree.leaves if is_full else tree.leaves + 1
    check(tree, RunConfig(n=n, limit=limit, deletion=deletion))


def test_runs_that_get_stuck_are_explained_all_the_way() -> None:
    stuck = 0
    for seed in range(40):
        config = RunConfig(n=5, limit=4, deletion="leaf", seed=seed)
        search = RlsGp(config)
        search.run(max_iterations=400)
        assert search.tree is not None
        stuck += check(search.tree, config).state.state is State.STUCK
    assert stuck


def test_an_analysis_that_nobody_waits_for_is_undecided() -> None:
    formula, config = STUCK[1]
    analysis = analyse(parse(formula), config, should_stop=lambda: True)
    assert analysis.state.state is State.UNDECIDED
    assert not analysis.reasons


def test_reasons_that_nobody_waits_for_are_not_looked_for() -> None:
    formula, config = STUCK[1]
    tree = parse(formula)
    asked = 0

    def stops_after_the_proof() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    analysis = analyse(tree, config, stops_after_the_proof)
    assert analysis.state.state is State.STUCK
    assert 0 < len(analysis.reasons) < tree.leaves


def labels(formula: str, indices: tuple[int, ...]) -> list[str]:
    return [f"x{node_at(parse(formula), index).variable}" for index in indices]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("formula", "essential", "redundant"),
    [
        ("x1", ["x1"], []),
        ("x1 & x2 & x3", ["x1", "x2", "x3"], []),
        ("x1 & x2 & x1", ["x2"], ["x1", "x1"]),
        ("x1 & (x2 | x3)", ["x1"], ["x2", "x3"]),
        ("x1 & (x1 | x2)", ["x1"], ["x1", "x2"]),
        ("(x1 & x2) | (x2 & x1)", [], ["x1", "x2", "x2", "x1"]),
        (
            "(((x1 & (x4 & x3)) & x5) & (x2 & ((x7 & x8) | (x8 & x7))))",
            ["x1", "x4", "x3", "x5", "x2"],
            ["x7", "x8", "x8", "x7"],
        ),
    ],
)
def test_essential_leaves_hang_on_ands_alone_and_are_the_only_ones_with_their_variable(
    formula: str, essential: list[str], redundant: list[str]
) -> None:
    parts = redundancy(parse(formula), CONFIG)
    assert labels(formula, parts.essential) == essential
    assert labels(formula, parts.redundant) == redundant


def test_every_leaf_is_either_essential_or_redundant() -> None:
    for text in map(brute_force.as_text, brute_force.trees(4, 3, ("and", "or"))[::5]):
        tree = parse(text)
        parts = redundancy(tree, RunConfig(n=3))
        leaves = [i for i, node in enumerate(nodes_of(tree), start=1) if isinstance(node, Leaf)]
        assert sorted(parts.essential + parts.redundant) == leaves


@given(st.sampled_from(brute_force.trees(4, 3, ("and", "or"))))
def test_idle_subtrees_are_those_whose_deletion_keeps_the_truth_table(tree: object) -> None:
    parsed = parse(brute_force.as_text(tree))  # type: ignore[arg-type]
    idle = redundancy(parsed, RunConfig(n=3)).idle
    for index in range(2, parsed.size + 1):
        smaller = apply(parsed, deletion(index), (0, 0))
        assert (index in idle) == (simplified(smaller) == simplified(parsed))
    assert brute_force.truth_table(tree, 3)  # type: ignore[arg-type]


def test_every_redundant_leaf_can_go_with_some_subtree_without_loss() -> None:
    """What the paper's proof says of AND_n."""
    target = target_for(3)
    for text in map(brute_force.as_text, brute_force.trees(4, 3, ("and", "or"))[::5]):
        tree = parse(text)
        for leaf in redundancy(tree, RunConfig(n=3)).redundant:
            harmless = [
                index
                for index in range(2, tree.size + 1)
                if index <= leaf < index + node_at(tree, index).size
                and target.error(apply(tree, deletion(index), (0, 0))) <= target.error(tree)
            ]
            assert harmless, (text, leaf)


@given(trees(n=4, max_leaves=7))
def test_idle_essential_leaves_are_the_essential_ones_that_could_go(tree: Node) -> None:
    config = RunConfig(n=4, limit="inf")
    found = redundancy(tree, config)
    assert idle_essentials(tree, config) == tuple(n for n in found.essential if n in found.idle)
