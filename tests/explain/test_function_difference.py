"""The difference between two functions in one sentence, against truth tables made row by row."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import Function, Mutation, Node, Operation, RunConfig, Side, apply, parse
from gpviz.engine.prime_implicants import variables_in
from gpviz.engine.tree import required_by
from gpviz.explain.moment import moment_at, preview_of
from gpviz.explain.tree_text import difference_text, functions_text
from gpviz.runs.history import History
from tests.engine.strategies import few_implicants, mutations, remade, table_of_tree, table_of_variable, trees

N = 5
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def variables_named(text: str) -> set[int]:
    return {int(name.translate(_DIGITS)) for name in re.findall(r"x([₀-₉]+)", text)}


def required(table: int) -> set[int]:
    return {v for v in range(1, N + 1) if table & ~table_of_variable(v, N) == 0}


def check(sentence: str, before: int, after: int) -> None:
    """Everything the sentence says is so."""
    gained, lost = required(after) - required(before), required(before) - required(after)
    assert sentence[0].isupper() or sentence[0] == "x"
    assert sentence.endswith(".")
    assert sentence.count(".") == 1
    now = re.search(r"Now requires (.*?)(?: instead of|\.)", sentence)
    no_longer = re.search(r"(?:No longer requires|instead of) (x.*?)\.", sentence)
    assert (variables_named(now[1]) if now else set()) == gained
    assert (variables_named(no_longer[1]) if no_longer else set()) == lost
    assert (sentence == "The same function.") == (before == after)
    if match := re.search(r"ow also true where (.*) (?:is|are) 1", sentence):
        assert after == before | conjunction(variables_named(match[1]))
        assert after != before
    if match := re.search(r"No longer true wherever (.*) (?:is|are) 1", sentence):
        named = conjunction(variables_named(match[1]))
        assert named & ~before == 0
        assert named & ~after


def conjunction(variables: set[int]) -> int:
    table = (1 << 2**N) - 1
    for variable in variables:
        table &= table_of_variable(variable, N)
    return table


@given(trees(N), trees(N))
def test_the_sentence_about_any_two_trees_is_true(parent: Node, offspring: Node) -> None:
    check(difference_text(parent, offspring, N), table_of_tree(parent, N), table_of_tree(offspring, N))


@given(st.data())
def test_the_sentence_about_any_mutation_is_true(data: st.DataObject) -> None:
    parent = data.draw(trees(N))
    offspring = apply(parent, data.draw(mutations(parent, N)), (900, 901))
    check(difference_text(parent, offspring, N), table_of_tree(parent, N), table_of_tree(offspring, N))


@given(st.data())
def test_the_sentence_is_true_where_implicants_cannot_be_listed(data: st.DataObject) -> None:
    first, second = data.draw(trees(N)), data.draw(trees(N))
    with few_implicants(2):
        sentence = difference_text(remade(first), remade(second), N)
    check(sentence, table_of_tree(first, N), table_of_tree(second, N))


@given(trees(N))
def test_the_required_variables_are_those_without_which_it_is_false(tree: Node) -> None:
    expected = required(table_of_tree(tree, N))
    assert set(variables_in(required_by(tree))) == expected
    with few_implicants(1):
        assert set(variables_in(required_by(remade(tree)))) == expected


@pytest.mark.parametrize(
    ("parent", "offspring", "sentence"),
    [
        ("x1 & x2", "x1 & x2 & x4", "Now requires x₄."),
        ("x1 | x2", "(x1 | x2) & x3 & x4", "Now requires x₃ and x₄."),
        ("x1 & x2 & x3", "x1 & x3", "No longer requires x₂."),
        ("x1 & x2", "x2 & (x1 & x2)", "The same function."),
        ("x3 | x4", "x3 | x4 | (x1 & x2)", "Now also true where x₁ and x₂ are 1."),
        ("x3 | x4 | (x1 & x2)", "x3 | x4", "No longer true wherever x₁ and x₂ are 1."),
        ("x1 & x2", "x1 & x3", "Now requires x₃ instead of x₂."),
        ("x1 | x2", "x1 | x3", "A different function."),
        ("(x1 | x2) & (x1 | x3)", "x1 | x2", "Now also true where x₂ is 1."),
    ],
)
def test_a_difference_is_said_as_a_person_would(parent: str, offspring: str, sentence: str) -> None:
    assert difference_text(parse(parent), parse(offspring), N) == sentence


def test_the_empty_tree_has_no_function_to_compare() -> None:
    tree = parse("x1")
    assert difference_text(None, tree, 3) == "Now computes something: the tree before was empty."
    assert difference_text(tree, None, 3) == "Now computes nothing: the tree is empty."
    assert difference_text(None, None, 3) == "The tree is still empty, and computes nothing."
    assert difference_text(tree, tree, 3) == "The same function."


@pytest.mark.parametrize(
    ("parent", "offspring", "sentence"),
    [
        ("{0} & x9", "{0} & x8", "Now requires x₈ instead of x₉."),
        ("{0}", "{0} & x8", "Now requires x₈."),
        ("{0} & x9", "{0}", "No longer requires x₉."),
        ("{0}", "{0} | (x7 & x8)", "The difference takes too long to count."),
    ],
)
def test_what_takes_too_long_to_count_is_said_without(parent, offspring, sentence, monkeypatch) -> None:
    monkeypatch.setattr("gpviz.engine.true_row_count.MAX_CASES", 0)
    with few_implicants(2):
        tangle = "((x1 | x2) & (x2 | x3) & (x3 | x1))"
        found = difference_text(parse(parent.format(tangle)), parse(offspring.format(tangle)), 9)
    assert found == sentence


def test_a_moment_has_the_functions_of_parent_and_offspring() -> None:
    history = History(RunConfig(n=6, limit="8"), parse("x1 & x2"))
    assert functions_text(moment_at(history, 0)) == (("The tree computes x₁ ∧ x₂",), "")
    better, worse = (Mutation(Operation.INS, 1, 4, function, Side.RIGHT) for function in Function)
    assert functions_text(preview_of(history, 0, better)) == (
        ("The parent computes x₁ ∧ x₂", "The offspring computes x₁ ∧ x₂ ∧ x₄"),
        "Now requires x₄.",
    )
    assert functions_text(preview_of(history, 0, worse)).formulas[1] == (
        "The rejected offspring computes x₄ ∨ (x₁ ∧ x₂)"
    )
