"""Formulas as text: what is written parses back, and what cannot be read is shown where it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.errors import FormulaError, InvalidValueError
from gpviz.engine.formula import (
    ASCII,
    LATEX,
    MAX_LENGTH,
    UNICODE,
    format_formula,
    format_function,
    parse,
    simplified,
)
from gpviz.engine.prime_implicants import TOO_MANY, TooMany, masks_of
from tests.engine.strategies import few_implicants, preorder, remade, shape_of, table_of_tree, trees

STYLES = {"ascii": ASCII, "unicode": UNICODE, "latex": LATEX}
N = 8


class TestWriting:
    @pytest.mark.parametrize("name", STYLES)
    @given(tree=trees(n=30))
    def test_what_is_written_parses_back(self, name, tree):
        assert parse(format_formula(tree, STYLES[name])) == tree

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("ascii", "x1 & (x12 | x3) & x1"),
            ("unicode", "x₁ ∧ (x₁₂ ∨ x₃) ∧ x₁"),
            ("latex", r"x_{1} \land (x_{12} \lor x_{3}) \land x_{1}"),
        ],
    )
    def test_each_style_has_its_own_symbols(self, name, text):
        assert format_formula(parse("x1 & (x12 | x3) & x1"), STYLES[name]) == text

    @pytest.mark.parametrize(
        "text",
        ["x1", "x1 & x2 & x3", "x1 & (x2 & x3)", "(x1 & x2) | x3", "x1 | (x2 & x3)", "(x1 | x2) & (x3 | x4)"],
    )
    def test_mixed_functions_and_right_chains_get_parentheses(self, text):
        assert format_formula(parse(text)) == text

    def test_the_empty_tree_is_the_empty_text(self):
        assert format_formula(None) == ""


class TestReading:
    @pytest.mark.parametrize(
        "symbol", ["&", "&&", "*", "·", "∧", r"\land", r"\wedge", "and", "AND", "And", "aNd"]
    )
    def test_every_spelling_of_and(self, symbol):
        assert parse(f"x1 {symbol} x2") == parse("x1 & x2")

    @pytest.mark.parametrize("symbol", ["|", "||", "+", "∨", r"\lor", r"\vee", "or", "OR", "Or"])
    def test_every_spelling_of_or(self, symbol):
        assert parse(f"x1 {symbol} x2") == parse("x1 | x2")

    @pytest.mark.parametrize(
        "name", ["x12", "X12", "x_12", "x_{12}", "x{12}", "x_{ 12 }", "x₁₂", "x_₁₂", "x0012"]
    )
    def test_every_spelling_of_a_variable(self, name):
        assert shape_of(parse(name)) == 12

    @pytest.mark.parametrize(
        "text", ["x1&x2|x3", " x1 & x2 | x3 ", "\tx1\n&x2 |\r\nx3\u00a0", "((x1)&(x2))|((x3))"]
    )
    def test_spaces_and_needless_parentheses_do_not_matter(self, text):
        assert parse(text) == parse("(x1 & x2) | x3")

    @pytest.mark.parametrize("symbol", ["&", "|"])
    def test_chains_group_to_the_left(self, symbol):
        assert parse("x1 & x2 & x3 & x4".replace("&", symbol)) == parse(
            "((x1 & x2) & x3) & x4".replace("&", symbol)
        )

    @given(trees(n=30))
    def test_no_two_nodes_share_a_uid(self, tree):
        uids = [node.uid for node in preorder(parse(format_formula(tree)))]
        assert sorted(uids) == list(range(len(uids)))


BAD = [
    ("", 1, "the formula is empty"),
    ("   ", 1, "the formula is empty"),
    ("x1 &", 5, "expected a variable or '(' but the formula ends"),
    ("x1 &   ", 5, "but the formula ends"),
    ("(", 2, "but the formula ends"),
    ("& x1", 1, "expected a variable or '(' but found '&'"),
    ("x1 & | x2", 6, "but found '|'"),
    ("x1 &&& x2", 6, "but found '&'"),
    ("x1 x2", 4, "expected '&', '|' or ')' but found 'x2'"),
    ("x1x2", 3, "but found 'x2'"),
    ("x1 (x2)", 4, "but found '('"),
    ("()", 2, "expected a variable or '(' but found ')'"),
    ("(x1", 1, "this '(' is never closed"),
    ("x1 & ((x2 | x3) & x4", 6, "this '(' is never closed"),
    ("x1)", 3, "this ')' closes nothing"),
    ("(x1 & x2)) | x3", 10, "this ')' closes nothing"),
    ("x0", 1, "'x0' is not a variable; they go from x1 to x1000"),
    ("x1 & x1001", 6, "'x1001' is not a variable; they go from x1 to x1000"),
    ("x1 & x_{1001}", 6, "'x_{1001}' is not a variable"),
    ("x" + "9" * 5000, 1, "is not a variable"),
    ("y1", 1, "'y1' is not part of a formula"),
    ("x", 1, "'x' is not part of a formula"),
    ("x1 & foo(x2)", 6, "'foo' is not part of a formula"),
    ("x1 andx2", 4, "'andx2' is not part of a formula"),
    ("x1   ? x2", 6, "'?' is not part of a formula"),
    ("x1 & !x2", 6, "'!' is not part of a formula"),
    ("x-1", 1, "'x' is not part of a formula"),
    ("x1 ^ x2", 4, "'^' is not part of a formula"),
    ("1", 1, "'1' is not part of a formula"),
    ("x１", 1, "is not part of a formula"),
    ("x_{1", 1, "is not part of a formula"),
    ("x1 & \n\n  __import__('os')", 10, "'__import__' is not part of a formula"),
    ("x1 \x00 x2", 4, "is not part of a formula"),
    ("🙂", 1, "is not part of a formula"),
]


class TestRefusing:
    @pytest.mark.parametrize(("text", "column", "problem"), BAD, ids=[repr(bad[0])[:30] for bad in BAD])
    def test_one_short_line_says_where_and_what_is_wrong(self, text, column, problem):
        with pytest.raises(FormulaError) as refused:
            parse(text)
        sentence = str(refused.value)
        assert refused.value.column == column
        assert problem in sentence
        assert sentence.startswith(f"formula, column {column}: ")
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 160

    def test_a_variable_beyond_n_is_refused_when_n_is_given(self):
        with pytest.raises(FormulaError, match=r"column 6: 'x5' is not a variable; they go from x1 to x4\."):
            parse("x1 & x5", 4)

    @pytest.mark.parametrize("n", [0, 1001, 4.0, True, np.True_, "four"], ids=repr)
    def test_an_n_that_is_none_is_refused(self, n):
        with pytest.raises(InvalidValueError, match=r"^n: .* it must be a whole number from 1 to 1000\.$"):
            parse("x1", n)

    @pytest.mark.parametrize("text", [None, 1, b"x1"], ids=repr)
    def test_what_is_no_text_is_refused(self, text):
        with pytest.raises(InvalidValueError, match=r"^formula: .* it must be a text such as 'x1 & "):
            parse(text)

    def test_ten_million_characters_are_refused_unread(self):
        with pytest.raises(
            InvalidValueError, match=r"formula: .* at most 1000000 characters long, not 10000000"
        ):
            parse("x1&" * 3_333_333 + "?")

    def test_the_longest_formula_is_still_read(self):
        with pytest.raises(FormulaError, match="'\\?' is not part of a formula"):
            parse("?" + "(" * (MAX_LENGTH - 1))

    @given(st.text(alphabet="x12&|() _{}₁and+", max_size=30))
    def test_any_text_of_a_formula_s_characters_is_a_tree_or_a_sentence(self, text):
        try:
            tree = parse(text)
        except FormulaError as refused:
            assert 1 <= refused.column <= len(text) + 1
        else:
            assert parse(format_formula(tree)) == tree


class TestSimplified:
    @given(trees(n=N))
    def test_it_has_the_function_of_the_tree(self, tree):
        assert table_of_tree(parse(simplified(tree)), N) == table_of_tree(tree, N)

    @given(trees(n=3), trees(n=3))
    def test_it_is_the_same_exactly_for_equal_functions(self, a, b):
        assert (simplified(a) == simplified(b)) is (table_of_tree(a, 3) == table_of_tree(b, 3))

    @given(trees(n=N, max_leaves=20))
    def test_it_has_the_function_of_a_tree_with_too_many_implicants(self, tree):
        with few_implicants(1, products=1):
            text = simplified(remade(tree))
        assert table_of_tree(parse(text), N) == table_of_tree(tree, N)

    @given(trees(n=N, max_leaves=20))
    def test_it_never_has_more_leaves_than_a_tree_with_too_many_implicants(self, tree):
        with few_implicants(1, products=1):
            exploded = remade(tree)
            text = simplified(exploded)
        if isinstance(exploded.value, TooMany):
            assert parse(text).leaves <= tree.leaves

    @pytest.mark.parametrize(
        ("formula", "text"),
        [
            ("x2 & x1 & x2", "x1 & x2"),
            ("x1 | x1 & x2", "x1"),
            ("x1 & x2 | x1 & x3", "x1 & (x2 | x3)"),
            ("(x1 | x2) & (x3 | x4)", "(x1 & x3) | (x1 & x4) | (x2 & x3) | (x2 & x4)"),
            ("x3 | x1 & x2", "x3 | (x1 & x2)"),
            ("x10 | x2", "x2 | x10"),
        ],
    )
    def test_common_variables_stand_in_front_and_shorter_parts_first(self, formula, text):
        assert simplified(parse(formula)) == text

    def test_the_empty_tree_is_the_empty_text(self):
        assert simplified(None) == ""

    def test_a_function_with_too_many_implicants_has_no_such_form(self):
        with pytest.raises(ValueError, match="too many prime implicants"):
            format_function(TOO_MANY)

    @given(trees(n=N))
    def test_the_parts_are_the_prime_implicants(self, tree):
        written = parse(format_function(tree.value))
        assert sorted(masks_of(written.value)) == sorted(masks_of(tree.value))
