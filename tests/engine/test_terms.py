"""Terms: formulas without order, shape and uids, against truth tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.enums import Function
from gpviz.engine.formula import parse
from gpviz.engine.terms import FALSE, TRUE, Terms
from tests.engine.strategies import table_of_tree, table_of_variable, trees

AND, OR = Function.AND, Function.OR
N = 6
ROWS = 2**N


def table_of_term(terms: Terms, term: int) -> int:
    if term in (TRUE, FALSE):
        return (1 << ROWS) - 1 if term == TRUE else 0
    function = terms.functions[term]
    if function is None:
        return table_of_variable(terms.masks[term].bit_length(), N)
    table = (1 << ROWS) - 1 if function is AND else 0
    for child in terms.children[term]:
        other = table_of_term(terms, child)
        table = table & other if function is AND else table | other
    return table


@given(trees(n=N))
def test_the_term_of_a_tree_is_its_function(tree):
    terms = Terms()
    assert table_of_term(terms, terms.of_tree(tree)) == table_of_tree(tree, N)


@given(trees(n=N), st.integers(1, N), st.booleans())
def test_assigning_a_variable_fixes_its_value(tree, variable, value):
    terms = Terms()
    assigned = terms.assign(terms.of_tree(tree), 1 << (variable - 1), value)
    table = table_of_tree(tree, N)
    expected = 0
    for row in range(ROWS):
        fixed = row | 1 << (variable - 1) if value else row & ~(1 << (variable - 1))
        expected |= (table >> fixed & 1) << row
    assert table_of_term(terms, assigned) == expected


@given(trees(n=N), st.integers(1, N), st.booleans())
def test_an_assigned_variable_is_gone(tree, variable, value):
    terms = Terms()
    assigned = terms.assign(terms.of_tree(tree), 1 << (variable - 1), value)
    assert not terms.masks[assigned] & 1 << (variable - 1)


@given(trees(n=10, min_leaves=2, max_leaves=8))
def test_the_parts_of_a_split_share_no_variable(tree):
    terms = Terms()
    term = terms.of_tree(tree)
    if not terms.is_variable(term):
        masks = [terms.masks[part] for part in terms.split(term)]
        assert sum(mask.bit_count() for mask in masks) == terms.masks[term].bit_count()


@given(trees(n=N, min_leaves=2))
def test_the_parts_of_a_split_join_to_the_whole(tree):
    terms = Terms()
    term = terms.of_tree(tree)
    if not terms.is_variable(term):
        function = terms.functions[term]
        assert function is not None
        assert terms.join(function, terms.split(term)) == term


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        ("x1 & x2", "x2 & x1"),
        ("x1 & (x2 & x3)", "(x3 & x1) & x2"),
        ("x1 & x1", "x1"),
        ("x1 | x1 | x2", "x2 | x1"),
        ("x1 & (x1 | x2)", "x1"),
        ("x1 | x1 & x2", "x1"),
        ("(x1 | x2) & (x2 | x1)", "x1 | x2"),
    ],
)
def test_what_is_plainly_equal_is_the_same_term(formula, same):
    terms = Terms()
    assert terms.of_tree(parse(formula)) == terms.of_tree(parse(same))


@pytest.mark.parametrize(
    ("function", "constant", "expected"),
    [(AND, TRUE, "x1"), (AND, FALSE, FALSE), (OR, FALSE, "x1"), (OR, TRUE, TRUE)],
)
def test_a_constant_vanishes_or_settles_a_join(function, constant, expected):
    terms = Terms()
    x1 = terms.variable(1)
    assert terms.join(function, [x1, constant]) == (x1 if expected == "x1" else expected)


def test_an_empty_and_is_true():
    assert Terms().join(AND, []) == TRUE


def test_an_empty_or_is_false():
    assert Terms().join(OR, []) == FALSE


def test_a_child_that_is_a_variable_decides():
    terms = Terms()
    assert terms.decisive_variable(terms.of_tree(parse("x5 & (x1 | x2 & x5)"))) == 1 << 4


def test_otherwise_the_variable_in_most_children_decides():
    terms = Terms()
    assert terms.decisive_variable(terms.of_tree(parse("(x1 | x3) & (x2 | x3) & (x3 | x4)"))) == 1 << 2
