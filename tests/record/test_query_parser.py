"""Reading a query: what it may say, and sentences that point at the column where it goes wrong."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import GpvizError, RunConfig
from gpviz.record.query import completions, find_all, parse_query, word_start
from gpviz.record.query_fields import FIELDS, NAMES
from gpviz.record.query_parser import LONGEST_QUERY, QueryError
from tests.run.runs import recorded

PROBLEMS = [
    ("", 1, "the query is empty"),
    ("   ", 1, "the query is empty"),
    ("verdict < 3", 9, "verdict has no order; compare it by == or !="),
    ("error == improved", 10, "error is compared with a number, not 'improved'"),
    ("verdict == 3", 12, "verdict is improved, neutral, unchanged, worse or too_large, not '3'"),
    ("verdict == better", 12, "not 'better'"),
    ("accepted == maybe", 13, "accepted is false or true, not 'maybe'"),
    ("accepted > truly_worse", 10, "no order"),
    ("verdict == mutation", 12, "not 'mutation'"),
    ("eror < 10", 1, "'eror' is not a field; perhaps you mean error"),
    ("error < 10 and qqq == 3", 16, "'qqq' is not a field; fields are iteration"),
    ("improved", 1, "perhaps you mean verdict == improved"),
    ("verdict", 1, "verdict needs a comparison, such as verdict == improved"),
    ("error and accepted", 1, "error needs a comparison, such as error < 10"),
    ("7", 1, "'7' is compared with nothing"),
    ("7 < 8", 1, "'7' is not compared with a field"),
    ("error <", 8, "expected a number, a word or a field but the query ends"),
    ("error < )", 9, "but found ')'"),
    ("error < 10 and", 15, "expected a field, not or '(' but the query ends"),
    ("and error < 10", 1, "expected a field, not or '(' but found 'and'"),
    ("error < 10 error > 3", 12, "expected and, or or the end but found 'error'"),
    ("1 < error < 10", 11, "two comparisons are joined by and"),
    ("(1 < error < 10)", 12, "two comparisons are joined by and"),
    ("(error < 10 accepted)", 13, "expected and, or or ')' but found 'accepted'"),
    ("(error < 10", 1, "this '(' is never closed"),
    ("error < 10)", 11, "this ')' closes nothing"),
    ("error = 10", 7, "write == instead of '='"),
    ("error < 10 && accepted", 12, "write and instead of '&&'"),
    ("error < 1.5", 9, "'1.5' is not allowed; numbers are whole"),
    ("error < 1e401", 9, "a number has at most 400 digits"),
    ("error < 1e99999999", 9, "a number has at most 400 digits"),
    ("error < -", 9, "a minus is followed by a number"),
    ("error < 10x", 9, "'10x' is not part of a query"),
    ("error < ¹", 9, "is not part of a query"),
    ("leaves == x3", 11, "leaves is compared with a number, not 'x3'"),
    ("not " * 60 + "accepted", 201, "nested more than 50 deep"),
    ("(" * 60, 51, "nested more than 50 deep"),
    ("accepted or " * 90 + "accepted", LONGEST_QUERY + 1, "at most 1,000 characters"),
]


@pytest.mark.parametrize(("text", "column", "words"), PROBLEMS, ids=[text[:30] for text, _, _ in PROBLEMS])
def test_a_wrong_query_is_a_sentence_that_points_at_the_column(text: str, column: int, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_query(text)
    sentence = str(caught.value)
    assert caught.value.column == column
    assert words in sentence
    assert sentence.startswith(f"query, column {column}: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert isinstance(caught.value, GpvizError)


def test_a_caret_stands_below_the_column() -> None:
    with pytest.raises(QueryError) as caught:
        parse_query("error < 3 and\nverdict < 3")
    line, caret = caught.value.pointed_at("error < 3 and\nverdict < 3").split("\n")
    assert line == "error < 3 and verdict < 3"
    assert line[caret.index("^")] == "<"
    assert caret.index("^") > 10


@pytest.mark.parametrize("text", ["accepted or " * 80 + "accepted", "(" * 49 + "accepted" + ")" * 49])
def test_what_is_long_but_within_bounds_is_read(text: str) -> None:
    assert parse_query(text).text


PIECES = [
    *NAMES, "improved", "STUCK", "and", "or", "not", "(", ")", "==", "!=", "<", "<=", ">", ">=", "=", "10", "-",
    "1e6", "1_0", "x3", "true", "DEL", "&&", ".", "é", "₁", "∧", "\n", "\0", "'", "{}", "%s", "\ud800", "9" * 50,
]  # fmt: skip


def random_text(generator: random.Random) -> str:
    kind = generator.random()
    if kind < 0.3:  # nearly right
        pieces = ["leaves", "<", "4", "and", "(", "accepted", "or", "state", "==", "STUCK", ")"]
        for _ in range(generator.randrange(3)):
            pieces[generator.randrange(len(pieces))] = generator.choice(PIECES)
        return " ".join(pieces)
    if kind < 0.8:
        pieces = [generator.choice(PIECES) for _ in range(generator.randrange(1, 14))]
        return generator.choice((" ", "", "  ")).join(pieces)
    return "".join(chr(generator.randrange(1, 0x3000)) for _ in range(generator.randrange(60)))


def test_ten_thousand_random_texts_give_a_result_or_a_sentence() -> None:
    history = recorded(RunConfig(n=4, limit="n", deletion="leaf", seed=5), 60)[2]
    generator = random.Random(8)
    read = 0
    for _ in range(10_000):
        text = random_text(generator)
        try:
            query = parse_query(text)
        except QueryError as problem:
            assert 1 <= problem.column <= len(text) + 1
            assert str(problem).endswith(".")
            assert "\n" not in str(problem)
            assert problem.pointed_at(text).endswith("^")
        else:
            read += 1
            found = find_all(query, history)
            assert all(1 <= iteration <= 60 for iteration in found)
        assert isinstance(completions(text, generator.randrange(len(text) + 2)), list)
    assert read > 300


@given(st.text(max_size=1200))
def test_any_text_is_a_query_or_a_sentence(text: str) -> None:
    try:
        parse_query(text)
    except QueryError as problem:
        assert 1 <= problem.column <= max(len(text), 1) + 1


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", ["iteration", "verdict"]),
        ("ver", ["verdict"]),
        ("VER", ["verdict"]),
        ("verdict", []),
        ("verdict ", ["==", "!="]),
        ("verdict == ", ["improved", "neutral"]),
        ("verdict == i", ["improved"]),
        ("verdict == improved ", ["and", "or"]),
        ("verdict == improved a", ["and"]),
        ("verdict == improved and ", ["iteration"]),
        ("function == ", ["AND", "OR"]),
        ("function == or ", ["and", "or"]),
        ("state == s", ["SOLVED", "STUCK"]),
        ("error ", ["==", "!=", "<"]),
        ("error < ", ["iteration", "variable"]),
        ("error < 10 ", ["and", "or"]),
        ("error < -", []),
        ("error < -3 ", ["and", "or"]),
        ("3 < ", ["iteration"]),
        ("< ", []),
        ("accepted ", ["and", "or", "==", "!="]),
        ("accepted == ", ["false", "true"]),
        ("not ", ["iteration"]),
        ("not (acc", ["accepted"]),
        ("(accepted) ", ["and", "or"]),
        ("op", ["operation"]),
        ("qqq ", []),
        ("error < 1", []),
    ],
)
def test_what_may_stand_at_the_cursor_is_offered(text: str, first: list[str]) -> None:
    offered = completions(text, len(text))
    assert offered[: len(first)] == first
    assert bool(offered) is bool(first)


def test_only_the_word_before_the_cursor_counts() -> None:
    text = "ver == improved"
    assert completions(text, 3) == ["verdict"]
    assert word_start(text, 3) == 0
    assert word_start(text, 4) == 4
    assert word_start("a < 10", 6) == 6


def test_choosing_any_value_offered_makes_a_query() -> None:
    for field in FIELDS.values():
        for sign in completions(f"{field.name} ", len(field.name) + 1):
            start = f"{field.name} {sign} "
            if sign not in ("and", "or"):
                for value in completions(start, len(start)):
                    assert parse_query(start + value).text
