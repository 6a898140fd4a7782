"""A tree drawn as text."""

from gpviz.engine import ASCII, parse
from gpviz.explain.tree_text import draw_tree


def test_children_stand_below_their_parent() -> None:
    assert draw_tree(parse("x1 & (x2 | x13)")) == "∧\n├─ x₁\n└─ ∨\n   ├─ x₂\n   └─ x₁₃"


def test_a_left_branch_is_carried_past_its_children() -> None:
    assert draw_tree(parse("(x1 | x2) & x3")) == "∧\n├─ ∨\n│  ├─ x₁\n│  └─ x₂\n└─ x₃"


def test_plain_characters_on_demand() -> None:
    assert draw_tree(parse("(x1 | x2) & x3"), ASCII) == "&\n|- |\n|  |- x1\n|  `- x2\n`- x3"


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
