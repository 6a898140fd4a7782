"""Trees as SVG."""

from xml.etree import ElementTree as ET

import pytest

from gpviz.engine.formula import parse
from gpviz.experiments.report.stuck_trees_section import tree_svg


@pytest.mark.parametrize(
    ("formula", "ands", "ors", "leaves"),
    [("x1", 0, 0, 1), ("(x1 & x2) | (x2 & x1)", 2, 1, 4), ("x12 & (x3 | x4 & x5)", 2, 1, 4)],
)
def test_every_node_has_the_shape_of_its_kind(formula, ands, ors, leaves):
    root = ET.fromstring(tree_svg("t", "a tree", formula, parse(formula)))
    kinds = [each.get("class") for each in root.iter("g")]
    assert (kinds.count("and"), kinds.count("or"), kinds.count("leaf")) == (ands, ors, leaves)
    assert len(list(root.iter("circle"))) == ands
    assert len(list(root.iter("rect"))) == leaves
    assert root.findtext("desc") == formula


def test_variables_have_their_names():
    root = ET.fromstring(tree_svg("t", "", "", parse("x12 | x3")))
    assert [each.text for each in root.iter("text")] == ["∨", "x₁₂", "x₃"]


def test_nothing_lies_outside_the_picture():
    root = ET.fromstring(tree_svg("t", "", "", parse("((x1 & x2) | x3) & (x4 | (x5 & (x6 | x7)))")))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for text in root.iter("text"):
        assert left + 16 <= float(text.get("x", 0)) <= left + width - 16
        assert top + 14 <= float(text.get("y", 0)) <= top + height - 14
