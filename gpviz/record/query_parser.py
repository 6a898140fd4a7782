"""Reads a query: text to a checked condition, or a sentence that points at the column where it goes wrong."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NamedTuple

from gpviz.engine.errors import GpvizError, shown
from gpviz.record.query_fields import FIELDS, NAMES, Field, Kind, field_named

__all__ = [
    "LONGEST_QUERY",
    "OPERATORS",
    "AllOf",
    "AnyOf",
    "Comparison",
    "Condition",
    "Not",
    "QueryError",
    "Token",
    "parse_condition",
    "tokens_before",
]

LONGEST_QUERY: Final = 1_000
_DEEPEST: Final = 50
_MOST_DIGITS: Final = 400
"""No error of a truth table with a thousand variables is longer."""

OPERATORS: Final = ("==", "!=", "<", "<=", ">", ">=")
_SAME: Final = {"≤": "<=", "≥": ">=", "≠": "!=", "−": "-"}
_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_INSTEAD: Final = {
    "=": "==",
    "&": "and",
    "&&": "and",
    "∧": "and",
    "|": "or",
    "||": "or",
    "∨": "or",
    "!": "not",
}
_TRUTHS: Final = {"true": 1, "yes": 1, "false": 0, "no": 0}
_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<number> [0-9][0-9_]* (?: [eE]\+?[0-9]+ )? (?![\w.]) )
    | (?P<word> [A-Za-z_][A-Za-z_0-9]* (?!\w) )
    | (?P<operator> == | != | <= | >= | < | > | ≤ | ≥ | ≠ )
    | (?P<minus> [-−] )
    | (?P<open> \( )
    | (?P<close> \) )
    )""",
    re.VERBOSE,
)
_FRACTION: Final = re.compile(r"[0-9][0-9_]*\.[0-9]*")
_VARIABLE: Final = re.compile(r"[xX]_?([0-9]{1,4})")


class QueryError(GpvizError, ValueError):
    """A query cannot be read; ``column`` (from 1) says where."""

    def __init__(self, problem: str, column: int) -> None:
        super().__init__(f"query, column {column}: {problem}.")
        self.problem = problem
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problem, self.column))

    def pointed_at(self, text: str) -> str:
        """The query in one line and below it a caret at the column."""
        line = "".join(" " if character.isspace() else character for character in text)
        return f"{line}\n{' ' * (self.column - 1)}^"


class Token(NamedTuple):
    """A piece of a query: its kind, how it is written, and where it begins."""

    kind: str
    text: str
    column: int

    @property
    def lowered(self) -> str:
        """The word in small letters; of what is not a word, nothing."""
        return self.text.lower() if self.kind == "word" else ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field compared with a number or with another field; where a value is undefined it is false."""

    field: Field
    operator: str
    value: "int | Field"


@dataclass(frozen=True, slots=True)
class Not:
    """True where its part is false."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class AllOf:
    """True where all its parts are."""

    parts: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True where one of its parts is."""

    parts: "tuple[Condition, ...]"


Condition = Comparison | Not | AllOf | AnyOf


def parse_condition(text: str) -> Condition:
    """What the text asks for; raises `QueryError`."""
    if len(text) > LONGEST_QUERY:
        raise QueryError(
            f"a query has at most {LONGEST_QUERY:,} characters, not {len(text):,}", LONGEST_QUERY + 1
        )
    if not text.strip():
        raise QueryError("the query is empty", 1)
    return _Parser(_tokens(text), len(text.rstrip()) + 1).read()


def tokens_before(text: str, end: int) -> list[Token]:
    """As many pieces of ``text[:end]`` as can be read."""
    found: list[Token] = []
    position = 0
    while (match := _TOKEN.match(text, position, end)) is not None:
        found.append(_token(match))
        position = match.end()
    return found


def _tokens(text: str) -> list[Token]:
    end = len(text.rstrip())
    found = tokens_before(text, end)
    last = found[-1].column - 1 + len(found[-1].text) if found else 0
    if last < end:
        raise _unreadable(text, last)
    return found


def _token(match: re.Match[str]) -> Token:
    kind = match.lastgroup
    assert kind is not None
    return Token(kind, match[kind], match.start(kind) + 1)


def _unreadable(text: str, position: int) -> QueryError:
    while text[position].isspace():
        position += 1
    column = position + 1
    if fraction := _FRACTION.match(text, position):
        return QueryError(
            f"{shown(fraction[0])} is not allowed; numbers are whole, such as 10, 1_000 or 1e6", column
        )
    piece = re.match(r"\w+|&+|\|+|.", text[position : position + 40], re.DOTALL)
    assert piece is not None
    if instead := _INSTEAD.get(piece[0]):
        return QueryError(f"write {instead} instead of {shown(piece[0])}", column)
    return QueryError(
        f"{shown(piece[0])} is not part of a query; use fields, numbers, words, ==, <, and, or, not, ( and )",
        column,
    )


class _Parser:
    """Goes through the tokens from left to right; ``end`` is the column after the last."""

    def __init__(self, tokens: Sequence[Token], end: int) -> None:
        self._tokens = tokens
        self._end = Token("end", "", end)
        self._place = 0
        self._depth = 0

    def read(self) -> Condition:
        condition = self._choice()
        token = self._peek()
        if token.kind == "close":
            raise QueryError("this ')' closes nothing", token.column)
        if token.kind == "operator":
            raise QueryError(
                "two comparisons are joined by and, such as error > 1 and error < 10", token.column
            )
        if token.kind != "end":
            raise QueryError(f"expected and, or or the end but found {shown(token.text)}", token.column)
        return condition

    def _peek(self) -> Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else self._end

    def _take(self) -> Token:
        token = self._peek()
        self._place += 1
        return token

    def _choice(self) -> Condition:
        parts = [self._conjunction()]
        while self._peek().lowered == "or":
            self._take()
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _conjunction(self) -> Condition:
        parts = [self._part()]
        while self._peek().lowered == "and":
            self._take()
            parts.append(self._part())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _part(self) -> Condition:
        token = self._peek()
        if token.lowered != "not" and token.kind != "open":
            return self._comparison()
        self._take()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise QueryError(f"this is nested more than {_DEEPEST} deep", token.column)
        if token.kind == "open":
            condition = self._choice()
            if self._peek().kind != "close":
                self._never_closed(token)
            self._take()
        else:
            condition = Not(self._part())
        self._depth -= 1
        return condition

    def _never_closed(self, opened: Token) -> None:
        found = self._peek()
        if found.kind == "end":
            raise QueryError("this '(' is never closed", opened.column)
        if found.kind == "operator":
            raise QueryError(
                "two comparisons are joined by and, such as error > 1 and error < 10", found.column
            )
        raise QueryError(f"expected and, or or ')' but found {shown(found.text)}", found.column)

    def _comparison(self) -> Condition:
        left = self._operand(is_value=False)
        if self._peek().kind != "operator":
            return self._alone(left)
        operator = self._take()
        right = self._operand(is_value=True)
        return _compared(left, operator, right)

    def _operand(self, *, is_value: bool) -> Token:
        """A field, a number or a word; a number may have a minus, which stays with it."""
        token = self._take()
        if token.kind == "minus":
            number = self._take()
            if number.kind != "number":
                raise QueryError("a minus is followed by a number", token.column)
            return Token("number", f"-{number.text}", token.column)
        is_keyword = token.lowered in ("and", "or", "not")
        if token.kind in ("number", "word") and (is_value or not is_keyword):
            return token
        wanted = "a number, a word or a field" if is_value else "a field, not or '('"
        if token.kind == "end":
            raise QueryError(f"expected {wanted} but the query ends", token.column)
        raise QueryError(f"expected {wanted} but found {shown(token.text)}", token.column)

    def _alone(self, token: Token) -> Condition:
        """What stands without a comparison: a field that is true or false, and nothing else."""
        if token.kind == "number":
            raise QueryError(f"{shown(_short(token.text))} is compared with nothing", token.column)
        field = field_named(token.text)
        if field is None:
            raise _unknown(token)
        if field.kind is Kind.BOOLEAN:
            return Comparison(field, "==", 1)
        example = f"{field.name} == {field.words[0]}" if field.words else f"{field.name} < 10"
        raise QueryError(f"{field.name} needs a comparison, such as {example}", token.column)


def _compared(left: Token, operator: Token, right: Token) -> Condition:
    sign = _SAME.get(operator.text, operator.text)
    field = field_named(left.text) if left.kind == "word" else None
    if field is not None:
        return _checked(field, sign, operator.column, right)
    other = field_named(right.text) if right.kind == "word" else None
    if other is not None:  # the field stands on the right, as in 10 > error
        return _checked(other, _FLIPPED.get(sign, sign), operator.column, left)
    if left.kind == "word":
        raise _unknown(left)
    raise QueryError(f"{shown(_short(left.text))} is not compared with a field", left.column)


def _checked(field: Field, sign: str, column: int, value: Token) -> Comparison:
    """The comparison, if values of this kind can be compared like that."""
    if field.kind is not Kind.NUMBER and sign not in ("==", "!="):
        raise QueryError(f"{field.name} has no order; compare it by == or !=", column)
    other = field_named(value.text) if value.kind == "word" else None
    if other is not None and other.kind is field.kind and field.kind is not Kind.WORD:
        return Comparison(field, sign, other)
    if field.kind is Kind.NUMBER:
        return Comparison(field, sign, _number(field, value))
    number = None
    if value.kind == "word":
        number = _TRUTHS.get(value.lowered) if field.kind is Kind.BOOLEAN else field.number_of(value.text)
    if number is None:
        allowed = f"{', '.join(field.words[:-1])} or {field.words[-1]}"
        raise QueryError(f"{field.name} is {allowed}, not {shown(_short(value.text))}", value.column)
    return Comparison(field, sign, number)


def _number(field: Field, value: Token) -> int:
    if value.kind == "number":
        return _whole_number(value)
    variable = _VARIABLE.fullmatch(value.text)
    if variable is not None and field is FIELDS["variable"]:
        return int(variable[1])
    raise QueryError(f"{field.name} is compared with a number, not {shown(_short(value.text))}", value.column)


def _whole_number(token: Token) -> int:
    digits, _, exponent = token.text.lower().replace("_", "").partition("e")
    exponent = exponent.lstrip("+").lstrip("0")
    if len(digits) > _MOST_DIGITS or len(exponent) > 3 or len(digits) + int(exponent or 0) > _MOST_DIGITS:
        raise QueryError(f"a number has at most {_MOST_DIGITS} digits", token.column)
    power: int = 10 ** int(exponent or 0)
    return int(digits) * power


def _unknown(token: Token) -> QueryError:
    word = token.lowered
    owner = next((field for field in FIELDS.values() if field.number_of(word) is not None), None)
    if owner is not None and word not in _TRUTHS:
        return QueryError(
            f"{shown(token.text)} is not a field; perhaps you mean {owner.name} == {word}", token.column
        )
    near = get_close_matches(word, NAMES, n=1)
    hint = f"perhaps you mean {near[0]}" if near else f"fields are {', '.join(FIELDS)}"
    return QueryError(f"{shown(_short(token.text))} is not a field; {hint}", token.column)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
