"""Queries over the steps of a run: read, completed, found in a history, or watched for while the run goes on.

Examples: `verdict == improved and ors > 1`, `error < 10`, `operation == DEL and size_removed > 2` and
`state == STUCK`. `query_fields` has the fields; upper and lower case mean the same. Where a value is
undefined, such as the error of an offspring that was rejected unseen, every comparison with it is false.

A query is cut into tokens, which are read from left to right, so that the first mistake is the one reported.

A condition is evaluated on columns: those of a block of recorded rows, or the plain values of a single step.
Some values have to be looked up, which takes time. So a condition gives two answers: whether it is surely
true, and whether it may be true. Values are looked up only for the rows where these differ.
"""

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine import Node, RunConfig, Step, Verdict
from gpviz.engine.errors import GpvizError, shown
from gpviz.engine.step import PITFALLS
from gpviz.explain.query_fields import FIELDS, NAMES, Field, Kind, StateFinder, StepRow, field_named
from gpviz.runs.step_columns import Block, Bools, Ints, Snapshot, TreeWalk

EXAMPLES: Final = (
    ("verdict == improved and ors > 1", "Improvements with more than one OR in the tree"),
    ("error < 10", "Trees that are wrong on fewer than 10 rows"),
    ("operation == DEL and size_removed > 2", "Deletions of more than one leaf"),
    ("or_accepted", "ORs that were accepted"),
    ("duplicate_accepted", "Copies of a variable that were accepted"),
    ("true_error_grew", "Steps that a sample accepted although the true error grew"),
    ("root_and and verdict == improved", "Root-ands that improved"),
    ("full and stage == 1", "Iterations from a full tree with an error from n to n²"),
    ("verdict == worse and error_change == 1", "Offspring that missed by one row"),
    ("state == STUCK", "From the first iteration at which the tree is stuck"),
)
"""Queries to begin with, and what they find."""

LONGEST_QUERY: Final = 1_000
_DEEPEST: Final = 50
_MOST_DIGITS: Final = 400
"""No error of a truth table with a thousand variables is longer."""

_BLOCK: Final = 1 << 16
_ASKED_EVERY: Final = 64


class QueryError(GpvizError, ValueError):
    """A query cannot be read; ``column`` (from 1) says where."""

    def __init__(self, problem: str, column: int) -> None:
        super().__init__(f"query, column {column}: {problem}.")
        self.problem = problem
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problem, self.column))


# Conditions, and how they are evaluated.


Answers = tuple[Any, Any]
"""Whether it is surely true, and whether it may be: arrays for a block, and plain truths for a single step."""


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """A field compared with a number or with another field; where a value is undefined it is false."""

    field: Field
    compare: Callable[[Any, Any], Any]
    value: int | Field

    def answers(self, rows: StepRow | Block) -> Answers:
        value: Any = self.value
        if type(rows) is StepRow:  # of which everything is known, and of which there are a million a second
            left = self.field.of_step(rows)
            right = value if type(value) is int else value.of_step(rows)
            truth = left is not None and right is not None and self.compare(left, right)
            return truth, truth
        values, is_defined, is_known = self.field.column(rows)
        if isinstance(value, Field):
            value, is_value_defined, is_value_known = value.column(rows)
            is_defined, is_known = is_defined & is_value_defined, is_known & is_value_known
        truth = self.compare(values, value) & is_defined
        return (truth, truth) if is_known is True else (truth & is_known, truth | ~is_known)

    def comparisons(self) -> "Iterator[FieldComparison]":
        yield self


@dataclass(frozen=True, slots=True)
class Not:
    """True where its part is false."""

    part: "Condition"

    def answers(self, rows: StepRow | Block) -> Answers:
        sure, maybe = self.part.answers(rows)
        return maybe ^ True, sure ^ True

    def comparisons(self) -> Iterator[FieldComparison]:
        return self.part.comparisons()


@dataclass(frozen=True, slots=True)
class AllOf:
    """True where all its parts are."""

    parts: "tuple[Condition, ...]"

    def answers(self, rows: StepRow | Block) -> Answers:
        sure = maybe = True
        for part in self.parts:
            is_sure, is_maybe = part.answers(rows)
            if is_maybe is False:  # a single step, of which nothing more need be asked
                return False, False
            sure, maybe = is_sure & sure, is_maybe & maybe
        return sure, maybe

    def comparisons(self) -> Iterator[FieldComparison]:
        return chain.from_iterable(part.comparisons() for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True where one of its parts is."""

    parts: "tuple[Condition, ...]"

    def answers(self, rows: StepRow | Block) -> Answers:
        sure = maybe = False
        for part in self.parts:
            is_sure, is_maybe = part.answers(rows)
            if is_sure is True:
                return True, True
            sure, maybe = is_sure | sure, is_maybe | maybe
        return sure, maybe

    def comparisons(self) -> Iterator[FieldComparison]:
        return chain.from_iterable(part.comparisons() for part in self.parts)


Condition = FieldComparison | Not | AllOf | AnyOf


class Query:
    """A question that each step answers with yes or no."""

    def __init__(self, text: str, condition: Condition) -> None:
        self.text = text
        self.condition = condition
        comparisons = list(condition.comparisons())
        names = {comparison.field.name for comparison in comparisons}
        names |= {comparison.value.name for comparison in comparisons if isinstance(comparison.value, Field)}
        self.needs_state = "state" in names
        self.needs_sizes = not names.isdisjoint(("size_removed", "offspring_leaves"))
        stuck = FIELDS["state"].number_of("STUCK")
        self.is_only_of_stuck = all(
            comparison.value == stuck for comparison in comparisons if comparison.field.name == "state"
        )
        """Whether no other state than STUCK is asked for."""

        self.is_only_of_changes = _is_only_of_changes(condition)
        """Whether it can be true only of steps that brought another tree."""


def _is_only_of_changes(condition: Condition) -> bool:
    if isinstance(condition, AllOf):
        return any(map(_is_only_of_changes, condition.parts))
    if not isinstance(condition, FieldComparison) or condition.compare is not operator.eq:
        return False
    field = FIELDS["verdict"]
    if condition.field is field:
        return condition.value in [field.number_of(word) for word in (Verdict.IMPROVED, Verdict.NEUTRAL)]
    return condition.field.name in PITFALLS and condition.value == 1


# The language: pieces, their order, and what they mean.

_Compare = Callable[[Any, Any], Any]
_COMPARE: Final[dict[str, _Compare]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "≠": operator.ne,
    "≤": operator.le,
    "≥": operator.ge,
}
OPERATORS: Final = tuple(sign for sign in _COMPARE if sign.isascii())
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
_FLIPPED: Final = {
    operator.lt: operator.gt,
    operator.le: operator.ge,
    operator.gt: operator.lt,
    operator.ge: operator.le,
}
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
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

_KEYWORDS: Final = {"and": "join", "or": "join", "not": "not"}

_TWO_COMPARISONS: Final = "join two comparisons with and, such as error > 1 and error < 10"


class Token(NamedTuple):
    """A piece of a query: its kind, how it is written, and where it begins."""

    kind: str
    text: str
    column: int


def parse_query(text: str) -> Query:
    """The query that the text writes; raises `QueryError` with the column."""
    if len(text) > LONGEST_QUERY:
        raise QueryError(
            f"a query has at most {LONGEST_QUERY:,} characters, not {len(text):,}", LONGEST_QUERY + 1
        )
    if not text.strip():
        raise QueryError("the query is empty", 1)
    condition = _Reader(_tokens(text), len(text.rstrip()) + 1).query()
    return Query(" ".join(text.split()), condition)


def _tokens_before(text: str, end: int) -> list[Token]:
    """As many pieces of ``text[:end]`` as can be read; and, or and not are words where a value stands."""
    found: list[Token] = []
    position = 0
    while (match := _TOKEN.match(text, position, end)) is not None:
        kind = match.lastgroup
        assert kind is not None
        if kind == "word" and not (found and found[-1].kind in ("operator", "minus")):
            kind = _KEYWORDS.get(match["word"].lower(), kind)
        found.append(Token(kind, match[0].lstrip(), match.end() - len(match[0].lstrip()) + 1))
        position = match.end()
    return found


def _tokens(text: str) -> list[Token]:
    end = len(text.rstrip())
    found = _tokens_before(text, end)
    position = found[-1].column - 1 + len(found[-1].text) if found else 0
    if position == end:
        return found
    while text[position].isspace():
        position += 1
    column = position + 1
    if fraction := _FRACTION.match(text, position):
        raise QueryError(
            f"{shown(fraction[0])} is not allowed; numbers are whole, such as 10, 1_000 or 1e6", column
        )
    piece = re.match(r"\w+|&+|\|+|.", text[position : position + 40], re.DOTALL)
    assert piece is not None
    if instead := _INSTEAD.get(piece[0]):
        raise QueryError(f"write {instead} instead of {shown(piece[0])}", column)
    raise QueryError(
        f"{shown(piece[0])} is not part of a query; use fields, numbers, words, ==, <, and, or, not, ( and )",
        column,
    )


class _Reader:
    """Reads the tokens of a query from left to right; ``end`` is the column after the last one."""

    def __init__(self, tokens: Sequence[Token], end: int) -> None:
        self._tokens = iter((*tokens, Token("end", "", end)))
        self._token = next(self._tokens)

    def query(self) -> Condition:
        """The condition that all tokens together make."""
        condition = self._any_of(depth=0)
        if self._token.kind == "close":
            raise QueryError("this ')' closes nothing", self._token.column)
        self._take(("end",), "and, or or the end")
        return condition

    def _any_of(self, depth: int) -> Condition:
        parts = [self._all_of(depth)]
        while self._has_joined("or"):
            parts.append(self._all_of(depth))
        return AnyOf(_in_order(parts)) if len(parts) > 1 else parts[0]

    def _all_of(self, depth: int) -> Condition:
        parts = [self._part(depth)]
        while self._has_joined("and"):
            parts.append(self._part(depth))
        return AllOf(_in_order(parts)) if len(parts) > 1 else parts[0]

    def _part(self, depth: int) -> Condition:
        """A comparison, a condition in brackets, or the opposite of one of these."""
        if self._token.kind not in ("not", "open"):
            return self._comparison()
        if depth >= _DEEPEST:
            raise QueryError(f"this is nested more than {_DEEPEST} deep", self._token.column)
        first = self._take(("not", "open"))
        if first.kind == "not":
            return Not(self._part(depth + 1))
        condition = self._any_of(depth + 1)
        if self._token.kind == "end":
            raise QueryError("this '(' is never closed", first.column)
        self._take(("close",), "and, or or ')'")
        self._refuse_operator()
        return condition

    def _comparison(self) -> Condition:
        left = self._value("a field, not or '('")
        if self._token.kind != "operator":
            return _alone(left)
        sign = self._take(("operator",))
        right = self._value("a number, a word or a field")
        compared = _compared(left, _COMPARE[sign.text], sign.column, right)
        self._refuse_operator()
        return compared

    def _value(self, wanted: str) -> Token:
        """A field, a number or a word; a minus and its number become one token."""
        token = self._take(("number", "word", "minus"), wanted)
        if token.kind != "minus":
            return token
        if self._token.kind != "number":
            raise QueryError("a minus must be followed by a number", token.column)
        return Token("number", f"-{self._take(('number',)).text}", token.column)

    def _has_joined(self, word: str) -> bool:
        """Whether this word, ``and`` or ``or``, comes next; if so, it is taken."""
        is_next = self._token.kind == "join" and self._token.text.lower() == word
        if is_next:
            self._take(("join",))
        return is_next

    def _refuse_operator(self) -> None:
        if self._token.kind == "operator":
            raise QueryError(_TWO_COMPARISONS, self._token.column)

    def _take(self, kinds: tuple[str, ...], wanted: str = "") -> Token:
        """The next token, which must be of one of these kinds; ``wanted`` names them in an error."""
        token = self._token
        if token.kind not in kinds:
            found = f"found {shown(token.text)}" if token.text else "the query ends"
            raise QueryError(f"expected {wanted} but {found}", token.column)
        self._token = next(self._tokens, token)
        return token


def _in_order(parts: list[Condition]) -> tuple[Condition, ...]:
    """Put the conditions that take longest last; often they need not be evaluated at all."""
    return tuple(sorted(parts, key=_needs_state))


def _needs_state(condition: Condition) -> bool:
    return any(comparison.field.name == "state" for comparison in condition.comparisons())


def _alone(token: Token) -> Condition:
    """What stands without a comparison: a field that is true or false, and nothing else."""
    if token.kind == "number":
        raise QueryError(f"{shown(_short(token.text))} is not compared with anything", token.column)
    field = field_named(token.text)
    if field is None:
        raise _unknown(token)
    if field.kind is Kind.BOOLEAN:
        return FieldComparison(field, operator.eq, 1)
    example = f"{field.name} == {field.labels[0]}" if field.labels else f"{field.name} < 10"
    raise QueryError(f"{field.name} needs a comparison, such as {example}", token.column)


def _compared(left: Token, compare: _Compare, column: int, right: Token) -> FieldComparison:
    field = _field(left)
    if field is not None:
        return _checked(field, compare, column, right)
    other = _field(right)
    if other is not None:  # the field stands on the right, as in 10 > error
        return _checked(other, _FLIPPED.get(compare, compare), column, left)
    if left.kind == "word":
        raise _unknown(left)
    raise QueryError(f"{shown(_short(left.text))} is not compared with a field", left.column)


def _checked(field: Field, compare: _Compare, column: int, value: Token) -> FieldComparison:
    """The comparison, if values of this kind can be compared like that."""
    if field.kind is not Kind.NUMBER and compare not in (operator.eq, operator.ne):
        raise QueryError(f"{field.name} has no order; compare it with == or !=", column)
    other = _field(value)
    if other is not None and other.kind is field.kind and field.kind is not Kind.WORD:
        return FieldComparison(field, compare, other)
    if field.kind is Kind.NUMBER:
        return FieldComparison(field, compare, _number(field, value))
    number = None
    if value.kind == "word":
        is_boolean = field.kind is Kind.BOOLEAN
        number = _TRUTHS.get(value.text.lower()) if is_boolean else field.number_of(value.text)
    if number is None:
        allowed = f"{', '.join(field.labels[:-1])} or {field.labels[-1]}"
        raise QueryError(f"{field.name} is {allowed}, not {shown(_short(value.text))}", value.column)
    return FieldComparison(field, compare, number)


def _field(token: Token) -> Field | None:
    return field_named(token.text) if token.kind == "word" else None


def _number(field: Field, value: Token) -> int:
    if value.kind == "number":
        return _whole_number(value)
    variable = _VARIABLE.fullmatch(value.text)
    if variable is not None and field is FIELDS["variable"]:
        return int(variable[1])
    raise QueryError(
        f"{field.name} must be compared with a number, not {shown(_short(value.text))}", value.column
    )


def _whole_number(token: Token) -> int:
    digits, _, exponent = token.text.lower().replace("_", "").partition("e")
    exponent = exponent.lstrip("+").lstrip("0")
    if len(digits) > _MOST_DIGITS or len(exponent) > 3 or len(digits) + int(exponent or 0) > _MOST_DIGITS:
        raise QueryError(f"a number has at most {_MOST_DIGITS} digits", token.column)
    power: int = 10 ** int(exponent or 0)
    return int(digits) * power


def _unknown(token: Token) -> QueryError:
    word = token.text.lower()
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


# What may stand at the cursor while a query is typed.


def is_unfinished(text: str, problem: QueryError) -> bool:
    """Whether only the end is missing: after all that is there, or in its last word, or after a field."""
    if problem.column > len(text.rstrip()):
        return True
    tokens = _tokens_before(text, len(text))
    if not tokens or tokens[-1].kind not in ("word", "join", "not") or tokens[-1].column != problem.column:
        return False
    if text.endswith(tokens[-1].text) and completions(text, len(text)):
        return True
    is_compared = len(tokens) > 1 and tokens[-2].kind == "operator"
    return field_named(tokens[-1].text) is not None and not is_compared


def word_start(text: str, cursor: int) -> int:
    """Where the word begins that ends at the cursor; the cursor itself if there is none."""
    start = cursor
    while start and (text[start - 1].isascii() and (text[start - 1].isalnum() or text[start - 1] == "_")):
        start -= 1
    return start if _WORD.fullmatch(text, start, cursor) else cursor


def completions(text: str, cursor: int) -> list[str]:
    """What may follow at the cursor, or complete the word before it; nothing where a number is to be typed."""
    cursor = min(max(cursor, 0), len(text))
    start = word_start(text, cursor)
    if start == cursor and start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return []  # within a number
    typed = text[start:cursor].lower()
    candidates = _candidates(_tokens_before(text, start))
    return [word for word in candidates if word.lower().startswith(typed) and word.lower() != typed]


def _candidates(before: Sequence[Token]) -> tuple[str, ...]:
    """What may stand after these pieces."""
    last = before[-1] if before else Token("start", "", 1)
    if last.kind in ("start", "open", "join", "not"):
        return (*NAMES, "not")
    if last.kind == "operator":
        return _values(_field(before[-2])) if len(before) > 1 else ()
    if last.kind == "minus":
        return ()
    if last.kind == "close" or (len(before) > 1 and before[-2].kind in ("operator", "minus")):
        return ("and", "or")
    field = _field(last)
    if field is None:
        return ()
    if field.kind is Kind.NUMBER:
        return OPERATORS
    return ("and", "or", "==", "!=") if field.kind is Kind.BOOLEAN else ("==", "!=")


def _values(compared: Field | None) -> tuple[str, ...]:
    """What this field before an operator can be compared with."""
    if compared is None:
        return tuple(FIELDS)
    if compared.kind is not Kind.NUMBER:
        return compared.labels
    return tuple(
        other.name for other in FIELDS.values() if other.kind is Kind.NUMBER and other is not compared
    )


# Who asks: of a run as it goes on, and of what is recorded.


class QueryWatch:
    """Looks at the steps of a run, one after the other, and says which is the first that a query asks for.

    It may be shown only the steps that changed the tree where `looks_at_all` is false.
    """

    def __init__(
        self, query: Query, config: RunConfig, should_stop: Callable[[], bool] | None = None
    ) -> None:
        self.query = query
        self._condition = query.condition
        self._config = config
        self._should_stop = should_stop
        self.start(None)

    @property
    def looks_at_all(self) -> bool:
        """Whether steps that do not change the tree matter."""
        return not self.query.is_only_of_changes

    def start(self, tree: Node | None, should_stop: Callable[[], bool] | None = None) -> None:
        """The run goes on from this tree; a state that takes long to find is given up when it should stop."""
        self._should_stop = should_stop or self._should_stop
        only_stuck = self.query.is_only_of_stuck
        self._row = StepRow(self._config, tree, only_stuck=only_stuck, should_stop=self._should_stop)

    def reason(self, step: Step) -> str | None:
        """That the step is one the query asks for, as a sentence; None if it is not."""
        row = self._row
        row.step = step
        tree = step.tree
        if tree is not row.parent:
            row.count_plateau()
        is_one, _ = self._condition.answers(row)
        row.parent = tree
        if not is_one:
            return None
        if self.query.needs_state and self._should_stop is not None and self._should_stop():
            return None  # the state may not have been found to its end
        return f"Iteration {step.iteration:,} matches {self.query.text}."


class Finder:
    """Looks bit by bit through a snapshot, from ``start`` to before ``stop``, for what a query asks for."""

    def __init__(self, query: Query, snapshot: Snapshot, start: int = 1, stop: int | None = None) -> None:
        self.query = query
        self.searched_to = max(start, 1) - 1
        """The last iteration that was looked at."""
        self._snapshot = snapshot
        self._last = snapshot.length if stop is None else min(stop - 1, snapshot.length)
        self._walk = TreeWalk(snapshot)
        self._states: tuple[RunConfig, StateFinder] | None = None
        self._plateaus = snapshot.plateaus() if query.needs_state else np.zeros(0, dtype=np.int64)
        self._deadline: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether all iterations were looked at."""
        return self.searched_to >= self._last

    def go_on(
        self, should_stop: Callable[[], bool] | None = None, seconds: float | None = None
    ) -> npt.NDArray[np.int64]:
        """The next iterations found, after about so many seconds at the latest, or as soon as it should stop."""
        stops = should_stop or _never
        self._deadline = None if seconds is None else monotonic() + seconds
        found = [np.zeros(0, dtype=np.int64)]
        while not self.is_done and not stops():
            first = self.searched_to
            block = Block(self._snapshot, first, min(_BLOCK, self._last - first))
            matches = self._matches(block, stops)
            if stops():
                break  # what was found last may be wrong
            found.append(np.flatnonzero(matches) + first + 1)
            self.searched_to = first + len(matches)
            if self._is_late():
                break
        return np.concatenate(found)

    def _matches(self, block: Block, stops: Callable[[], bool]) -> Bools:
        """For each row whether it matches; fewer rows if time ran out."""
        condition = self.query.condition
        end = block.stop - block.first
        sure, maybe = condition.answers(block)
        if self.query.needs_sizes:
            unsure = np.flatnonzero(maybe & ~sure & ~block.removed[1])
            end = self._look_up_removed(block, unsure, end, stops)
            sure, maybe = condition.answers(block)
        if self.query.needs_state:
            end = self._look_up_states(block, np.flatnonzero((maybe & ~sure)[:end]), end, stops)
            sure, _ = condition.answers(block)
        matches: Bools = sure[:end]
        return matches

    def _look_up_removed(self, block: Block, rows: Ints, end: int, stops: Callable[[], bool]) -> int:
        for count, row in enumerate(map(int, rows), start=1):
            tree = self._walk.tree(int(block.numbers[row]), stops)
            if stops():
                return row
            block.look_up_removed(row, tree)  # which a rejected deletion has left as it was
            if count % _ASKED_EVERY == 0 and self._is_late():
                return row + 1
        return end

    def _look_up_states(self, block: Block, rows: Ints, end: int, stops: Callable[[], bool]) -> int:
        if self._states is None or self._states[0] != block.config:
            self._states = block.config, StateFinder(block.config, only_stuck=self.query.is_only_of_stuck)
        states = self._states[1]
        values, is_known = block.states
        rows = rows[~is_known[rows]]
        index = 0
        while index < len(rows):
            row = int(rows[index])
            number = int(block.numbers[row])
            tree = None if states.is_stuck_for_good else self._walk.tree(number, stops)
            if stops():
                return row
            state = states.state(tree, int(self._plateaus[number]), stops)
            same = (
                len(values)
                if states.is_stuck_for_good
                else int(np.searchsorted(block.numbers, number, side="right"))
            )
            rest = slice(row, same)
            values[rest][~is_known[rest]] = state
            is_known[rest] = True
            index = int(np.searchsorted(rows, same))
            if self._is_late() and index < len(rows):
                return int(rows[index])
        return end

    def _is_late(self) -> bool:
        return self._deadline is not None and monotonic() > self._deadline


def _never() -> bool:
    return False
