"""A tree in words: its function, what it lacks, its numbers, and a drawing."""

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import Node, RunConfig, apply, parse
from gpviz.engine.mutation import deletion
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.explain import tree_text
from gpviz.explain.tree_text import draw_tree, node_facts, position_text
from gpviz.runs.history import History
from tests.engine.strategies import few_implicants
from tests.runs.runs import recorded

STUCK = RunConfig(n=4, limit=4, deletion="leaf")
FIGURE = "(x3 & x2) | (x2 & x3)"

# The function


def test_a_long_function_is_cut_between_two_names() -> None:
    text = tree_text.function_text(parse(" & ".join(f"x{number}" for number in range(1, 201))))
    assert " … (" in text
    assert text.endswith("characters)")
    assert len(text.split(" … ")[0]) <= tree_text.LONGEST_FUNCTION


def test_what_takes_long_to_write_is_not_written() -> None:
    with few_implicants(2):
        tree = parse(" & ".join(f"(x{number} | x{number + 1})" for number in range(1, 503)))
        assert tree_text.function_text(tree) == (
            "a function too long to write down: a tree of 1,004 leaves with too many products"
        )
    products = ["(" + " & ".join(f"x{20 * part + name}" for name in range(1, 21)) + ")" for part in range(50)]
    almost = tree_text.function_text(parse(" | ".join(products)))
    assert almost.endswith("characters)")
    more = parse(" | ".join([*products[:-1], f"({products[-1]} & x1)"]))
    assert tree_text.function_text(more) == (
        "a function too long to write down: 50 products with 1,001 variables in all"
    )


def test_missing_are_the_variables_the_function_does_not_depend_on() -> None:
    def missing(formula: str, n: int) -> str:
        return tree_text.missing_text(parse(formula), n)

    assert missing("x1 & (x1 | x2)", 3) == "x₂ and x₃ are missing: the value does not depend on them."
    assert missing("x1 & x2", 2) == "It depends on every variable."
    assert missing("x1", 1) == ""
    assert "x₈, x₉ and 11 more are missing" in missing("x1", 20)
    with few_implicants(2):
        tangled = "(x1 | x2) & (x3 | x4)"
        assert missing(tangled, 5) == "x₅ is missing: the value does not depend on it."
        assert missing(tangled, 4) == ""  # on which of its variables it depends is not known


def test_what_takes_long_to_count_is_left_out() -> None:
    with few_implicants(2):
        assert tree_text.generalisation_text(parse("(x1 | x2) & (x3 | x4)"), 4) == "–"
    assert tree_text.generalisation_text(None, 4) == "–"
    deep = parse(" & ".join(["x1"] * 5001))
    assert tree_text.depth_text(deep) == "–"


def test_the_empty_tree_computes_nothing() -> None:
    assert tree_text.function_text(None) == "nothing: the tree is empty"
    assert tree_text.missing_text(None, 3) == ""
    assert tree_text.depth_text(None) == "0"


# Numbers


def test_the_generalisation_error_is_a_share_of_all_rows() -> None:
    assert tree_text.generalisation_text(parse("x1 & x2"), 4) == "0.1875"
    assert tree_text.generalisation_text(parse("x1"), 1) == "0"


# The line about the place in a run


@pytest.mark.parametrize(
    "config", [RunConfig(n=5, seed=3), RunConfig(n=5, fitness="sampled", rows=9, seed=3)]
)
def test_every_iteration_has_its_own_position(config: RunConfig) -> None:
    _, steps, history = recorded(config, 60)
    for step in steps:
        position = position_text(history, step.iteration)
        assert position.startswith(f"t = {step.iteration} of 60 · ")
        assert position.endswith(f"{step.leaves}/10 leaves")
        assert step.tree is None or f" error {step.error} " in position


def test_a_position_tells_where_the_run_is() -> None:
    assert position_text(History(RunConfig(n=4)), 0) == "t = 0 of 0 · 0/8 leaves"
    assert (
        position_text(History(RunConfig(n=4, limit="inf"), parse("x1")), 0) == "t = 0 of 0 · error 7 · 1 leaf"
    )
    _, _, history = recorded(RunConfig(n=4, limit=4, deletion="leaf", seed=1), 1200, parse(FIGURE))
    assert position_text(history, 1100) == "t = 1,100 of 1,200 · error 3 · 4/4 leaves"


# A node


def lines(tree: Node, number: int, config: RunConfig, *, with_analysis: bool = True) -> list[str]:
    uid = list(nodes_of(tree))[number].uid
    return node_facts(tree, uid, config, analyse(tree, config) if with_analysis else None).split("\n")


def test_the_root_cannot_go_and_so_nothing_is_said_of_its_going() -> None:
    tree = parse("x1 & x2")
    assert lines(tree, 0, RunConfig(n=4)) == ["Computes x₁ ∧ x₂"]
    assert lines(parse("x1"), 0, RunConfig(n=4)) == ["Computes x₁"]


def test_a_redundant_leaf_is_called_so() -> None:
    tree = parse("x1 & x2 & x1")
    assert lines(tree, 4, RunConfig(n=4)) == [
        "Computes x₁",
        "Without it: the error stays",
        "Removable, alone or with others.",
    ]
    assert len(lines(tree, 4, RunConfig(n=4), with_analysis=False)) == 2


def test_a_leaf_of_a_stuck_tree_says_why_it_stays() -> None:
    tree = parse(FIGURE)
    assert lines(tree, 2, STUCK) == [
        "Computes x₃",
        "Without it: error +4",
        "Best substitution, x₁: error +2",
        "Removable only together with its sibling.",
    ]
    assert lines(tree, 1, STUCK) == ["Computes x₂ ∧ x₃", "Without it: the error stays"]


def test_what_a_node_of_a_tangled_tree_contributes_may_take_too_long(monkeypatch) -> None:
    monkeypatch.setattr("gpviz.engine.true_row_count.MAX_CASES", 1)
    with few_implicants(2):
        formula = "((x1 | x2) & (x3 | x4)) | ((x2 | x3) & (x1 | x4) & (x5 | x6))"
        reported = lines(parse(formula), 1, RunConfig(n=6), with_analysis=False)
    assert reported[0] == "Computes (x₁ ∨ x₂) ∧ (x₃ ∨ x₄)"
    assert reported[1] == "Its contribution takes too long to count."


@pytest.mark.parametrize("formula", ["x1 & (x2 | x3) & x1", FIGURE, "(x1 | x2) & (x3 | (x4 & x1))"])
def test_what_is_said_of_every_node_is_what_deleting_it_gives(formula: str) -> None:
    tree, target = parse(formula), target_for(4)
    for number in range(1, tree.size):
        smaller = apply(tree, deletion(number + 1), (-1, -2))
        change = target.error(smaller) - target.error(tree)
        text = f"error {change:+}".replace("-", "−") if change else "the error stays"
        assert lines(tree, number, RunConfig(n=4))[1] == f"Without it: {text}"


def test_an_essential_leaf_that_is_not_needed_says_so() -> None:
    tree = parse("x1 & ((x1 & x2) | (x1 & x3))")
    config = RunConfig(n=5, limit=5)
    first, second = [node.uid for node in nodes_of(tree) if isinstance(node, Leaf)][:2]
    analysis = analyse(tree, config)
    assert node_facts(tree, first, config, analysis).endswith("yet not needed: deleting it changes nothing.")
    assert "not needed" not in node_facts(tree, second, config, analysis)
    assert "not needed" not in node_facts(tree, first, config, None)
    assert not any("not needed" in line for line in lines(parse("x1 & (x2 | x3)"), 1, config))


def test_children_stand_below_their_parent() -> None:
    assert draw_tree(parse("x1 & (x2 | x13)")) == "∧\n├─ x₁\n└─ ∨\n   ├─ x₂\n   └─ x₁₃"


def test_a_left_branch_is_carried_past_its_children() -> None:
    assert draw_tree(parse("(x1 | x2) & x3")) == "∧\n├─ ∨\n│  ├─ x₁\n│  └─ x₂\n└─ x₃"


def test_a_single_leaf_and_the_empty_tree() -> None:
    assert draw_tree(parse("x1")) == "x₁"
    assert draw_tree(None) == "(the empty tree)"


def test_what_does_not_fit_is_counted() -> None:
    tree = parse("x1 & x2 & x3 & x4")
    lines = draw_tree(tree, most_lines=3).splitlines()
    assert len(lines) == 4
    assert lines[-1] == "... and 4 more nodes"


def test_a_tree_ten_thousand_levels_deep_is_drawn() -> None:
    deep = parse("(" * 9_999 + "x1" + " & x2)" * 9_999)
    assert draw_tree(deep).endswith("more nodes")
