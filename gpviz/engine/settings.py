"""The table of the settings of a run: a row describes a setting once and for all.

Forms, command-line options, files, tables of results and messages are made from the rows. A new setting is a row
here, a field of `RunConfig` with its default, and its meaning in the engine.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any, Final, Protocol

from gpviz.engine.enums import Function
from gpviz.engine.errors import GpvizError, InvalidValueError, range_text, read_number, whole_number
from gpviz.engine.expressions_in_n import (
    EXPRESSION_EXAMPLES,
    expression_text,
    expression_value,
    is_expression,
)
from gpviz.engine.formula import MAX_VARIABLE, UNICODE
from gpviz.number_text import counted, number_text

MAX_N: Final = MAX_VARIABLE
MAX_LIMIT: Final = 10**9
MAX_DRAWN_ROWS: Final = 10**7
MAX_COUNTED_ROWS: Final = 10**12
_MAX_SEED: Final = 2**4096 - 1
_MAX_ERROR: Final = 2**MAX_N

NO_VALUE: Final = "–"
"""Stands in a table where there is no value."""

ALLOWED_LIMITS: Final = "a number from 1, or 'n', 'n+1', 'n-1', '2n', '1.5n' or 'inf'"
_LIMIT: Final = re.compile(
    r"(?P<factor>\d{1,9}(?:\.\d{1,9})?)?\s*[*·]?\s*n\s*(?:(?P<sign>[+-])\s*(?P<extra>\d{1,9}))?",
    re.ASCII,
)
_LONGEST_SEED: Final = 20


class Configuration(Protocol):
    """The part of a `RunConfig` that the checks and texts of other settings look at."""

    @property
    def n(self) -> int: ...
    @property
    def limit(self) -> str: ...
    @property
    def rows(self) -> int | None: ...
    @property
    def sampler(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def is_sampled(self) -> bool: ...


# Kinds of values: which are allowed, and how they are checked. `checked` gives the value as a configuration holds
# it, or raises a sentence that names the setting and what is allowed.


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number in a range, ends included; some may be given as an expression in n."""

    least: int
    most: int
    is_expression_allowed: bool = False

    def checked(self, name: str, value: object, config: Configuration) -> int | None:
        return self._number(name, value, config.n, self.most)

    def _number(self, name: str, value: object, n: int, most: int, context: str = "") -> int:
        if not self.is_expression_allowed or not isinstance(value, str) or read_number(value) is not None:
            return whole_number(name, value, self.least, most, context=context)
        number = expression_value(value, n) if is_expression(value) else None
        if number is not None and self.least <= number <= most:
            return number
        allowed = f"{range_text(self.least, most)}{context}"
        if not is_expression(value):
            allowed += f", or an expression in n such as {EXPRESSION_EXAMPLES}"
        elif number is not None:
            allowed += f", and for n = {n} it comes to {number_text(number)}"
        else:
            allowed += f", and for n = {n} it has no value"
        raise InvalidValueError(name, value, allowed)


@dataclass(frozen=True, slots=True)
class SampledRows(WholeNumber):
    """A number of rows, which a sampled run must have and no other may; fewer are allowed where rows are drawn."""

    def checked(self, name: str, value: object, config: Configuration) -> int | None:
        if not config.is_sampled:
            if value is None:
                return None
            raise InvalidValueError(name, value, "left out unless fitness is 'sampled'")
        if value is None:
            raise GpvizError(f"{name}: it is missing; a sampled run needs the number of rows.")
        most = MAX_DRAWN_ROWS if config.sampler == "rows" else self.most
        return self._number(name, value, config.n, most, context=f" with the sampler '{config.sampler}'")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values, each with the title that a person reads."""

    choices: tuple[tuple[str, str], ...]

    @property
    def allowed(self) -> str:
        return " or ".join(repr(value) for value, _ in self.choices)

    def title_of(self, value: object) -> str:
        """What a value is called."""
        return dict(self.choices)[plain_text(value)]

    def checked(self, name: str, value: object, config: Configuration) -> Any:
        for choice, _ in self.choices:
            if isinstance(value, str) and value == choice:
                return choice
        raise InvalidValueError(name, value, self.allowed)


@dataclass(frozen=True, slots=True)
class FunctionSet(Choice):
    """Some of the functions, given as texts with commas between or as a list."""

    def checked(self, name: str, value: object, config: Configuration) -> tuple[Function, ...]:
        given = value.split(",") if isinstance(value, str) else value
        if isinstance(given, list | tuple | set | frozenset):
            chosen = {each.strip().lower() if isinstance(each, str) else "" for each in given}
            for choice, _ in self.choices:
                if chosen == set(choice.split(",")):
                    return tuple(Function(each) for each in choice.split(","))
        raise InvalidValueError(name, value, self.allowed)


@dataclass(frozen=True, slots=True)
class LimitExpression:
    """A number of leaves, also as an expression in n, or ``inf`` for no limit."""

    def checked(self, name: str, value: object, config: Configuration) -> str:
        if value is None or (isinstance(value, float) and value == inf):
            return "inf"
        given = value if isinstance(value, str) else read_number(value)
        if given is None:
            raise InvalidValueError(name, value, ALLOWED_LIMITS)
        in_range = f"from 1 to {MAX_LIMIT} leaves, or 'inf'"
        if isinstance(given, int) and abs(given) > MAX_LIMIT:
            raise InvalidValueError(name, value, in_range)
        text = re.sub(r"\s+", "", str(given).lower())
        if len(text) > 40:
            raise InvalidValueError(name, value, ALLOWED_LIMITS)
        if text in ("inf", "infinity", "∞"):
            return "inf"
        is_number = re.fullmatch(r"[0-9]{1,10}", text) is not None
        if not is_number and _LIMIT.fullmatch(text) is None:
            raise InvalidValueError(name, value, ALLOWED_LIMITS)
        text = str(int(text)) if is_number else text
        leaves = leaf_limit(text, config.n)
        if leaves is None or not 1 <= leaves <= MAX_LIMIT:
            raise InvalidValueError(name, value, in_range)
        return text


Kind = WholeNumber | Choice | LimitExpression
Template = str | Callable[[Configuration], str]
"""How a value reads: a text with ``{}`` for the value, or a function that writes it for a configuration."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A row of the table: everything there is to say about a setting but what it does.

    What is left empty follows from the rest.
    """

    name: str
    """Its name in code, files and plans; the command-line option is made from it."""
    title: str
    """Its title beside its field in a form."""
    help: str
    """What it means, as one would explain it to a student."""
    kind: Kind
    metavar: str = ""
    """What stands for its value in the help of the command line; empty for what has no option."""
    option_help: str = ""

    head: str = ""
    """Its name in tables and charts, where space is short."""
    table_help: str = ""
    """What it means, at the head of a column."""
    short_title: str = ""
    """Its name within a sentence or before a small field."""
    axis_title: str = ""
    """Its name along an axis."""

    phrase: Template = ""
    """The value as a phrase that needs no head, such as ``leaf deletion``."""
    label: Template = ""
    """The value with its head, as in the legend of a chart."""
    difference: Template = ""
    """What a run with this value does differently from one with another value."""
    branch_name: str = ""
    """The name of a branch that goes on with another value, with ``{}`` for the value."""

    example: str = ""
    """Several values, as they are typed into a plan."""
    suggestion: str = ""
    """What a form offers where a configuration has no value."""
    is_basic: bool = False
    """Whether a form always shows it; it shows the others on demand, and where they differ from their defaults."""
    is_for_sampled: bool = False
    """Whether only sampled runs have it."""
    can_change: bool = True
    """Whether a branch may have another value than its parent."""
    is_listed_by_name: bool = False
    """Whether small forms and the title page of slides have it by its name, or leave it out on purpose.

    They have every other setting by themselves, the slides where it differs from its default.
    """

    def __post_init__(self) -> None:
        settle = object.__setattr__
        head = self.head or self.name.replace("_", " ")
        short_title = self.short_title or self.title[:1].lower() + self.title[1:]
        defaults: dict[str, Template] = {
            "head": head,
            "table_help": self.help,
            "short_title": short_title,
            "axis_title": head,
            "label": f"{head} = {{}}" if len(head) == 1 else f"{head} {{}}",
            "branch_name": f"{short_title} {{}}",
            "example": "1, 2, 4" if isinstance(self.kind, WholeNumber) else "",
        }
        for name, value in defaults.items():
            settle(self, name, getattr(self, name) or value)

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def column_title(self) -> str:
        """Its name at the head of a column; signs such as n stay as they are."""
        return self.head if len(self.head) == 1 else self.head.capitalize()

    def value_of(self, config: Configuration) -> Any:
        """Its value in a configuration."""
        return getattr(config, self.name)

    def plain_value(self, config: Configuration) -> Any:
        """The value as plans and tables write it: the functions as one text."""
        value = self.value_of(config)
        return plain_text(value) if isinstance(value, tuple) else value

    def cell_text(self, config: Configuration) -> str:
        """The value as it stands in a column under the setting's name."""
        value = self.value_of(config)
        if value is None:
            return NO_VALUE
        if isinstance(value, tuple):
            return " ".join(UNICODE.function(function) for function in value)
        if isinstance(self.kind, LimitExpression) and value == "inf":
            return "∞"
        return number_text(value) if isinstance(value, int) else str(value)

    def written_label(self, value: object, config: Configuration) -> str:
        """The value as a plan writes it with its head: an expression in n stays one."""
        if isinstance(value, str) and isinstance(self.kind, WholeNumber) and is_expression(value):
            return self.label.format(expression_text(value)) if isinstance(self.label, str) else value
        return self.label_of(config)

    def phrase_of(self, config: Configuration) -> str:
        """The value as a phrase that needs no head."""
        if not self.phrase and isinstance(self.kind, Choice):
            return self.kind.title_of(self.value_of(config))
        return self._filled(self.phrase or self.label, config)

    def label_of(self, config: Configuration) -> str:
        """The value with its head."""
        return self._filled(self.label, config)

    def difference_of(self, config: Configuration) -> str:
        """What a run with this configuration does differently from one with another value."""
        return self._filled(self.difference, config) if self.difference else self.phrase_of(config)

    def is_different(self, one: Configuration, other: Configuration) -> bool:
        """Whether two runs do different things because of it."""
        if self.is_for_sampled and not (one.is_sampled and other.is_sampled):
            return False  # that one of them samples says all
        if isinstance(self.kind, LimitExpression):
            return leaf_limit(one.limit, one.n) != leaf_limit(other.limit, other.n)
        return bool(self.value_of(one) != self.value_of(other))

    def _filled(self, template: Template, config: Configuration) -> str:
        return template.format(self.cell_text(config)) if isinstance(template, str) else template(config)


def _limit_phrase(config: Configuration) -> str:
    return "no limit" if config.limit == "inf" else f"limit {config.limit}"


def _limit_difference(config: Configuration) -> str:
    leaves = leaf_limit(config.limit, config.n)
    if leaves is None:
        return "no size limit"
    text = counted(leaves, "leaf")
    return f"limit {text}" if config.limit.isdecimal() else f"limit {config.limit} = {text}"


def _rows_phrase(config: Configuration) -> str:
    return "all rows" if config.rows is None else f"{number_text(config.rows)} rows"


def _rows_difference(config: Configuration) -> str:
    return "all rows" if config.rows is None else f"{number_text(config.rows)} sampled rows"


def seed_text(seed: int) -> str:
    """A seed as it is typed; a very long one is cut."""
    text = str(seed)
    return text if len(text) <= _LONGEST_SEED else f"{text[: _LONGEST_SEED - 3]}…"


def _seed_difference(config: Configuration) -> str:
    return f"seed {seed_text(config.seed)}"


SETTINGS: Final = (
    Setting(
        name="n",
        title="Variables n",
        help="How many variables there are. The search looks for x₁ ∧ x₂ ∧ … ∧ xₙ.",
        kind=WholeNumber(1, MAX_N),
        metavar="N",
        option_help="number of variables of the target AND_n",
        table_help="The number of variables.",
        axis_title="n (variables)",
        difference="{} variables",
        example="4, 8, 12",
        can_change=False,
        is_basic=True,
        is_listed_by_name=True,
    ),
    Setting(
        name="limit",
        title="Size limit ℓ",
        help=(
            "The most leaves a tree may have. Larger offspring are rejected without evaluation. Write a "
            "number, or n, n+1, 2n, 1.5n, or none."
        ),
        kind=LimitExpression(),
        metavar="L",
        option_help="most leaves of a tree: n, n+1, 2n, 1.5n, inf or a number (2n)",
        table_help="The most leaves that an accepted tree may have; ∞ is no limit.",
        short_title="limit ℓ",
        axis_title="limit (leaves)",
        phrase=_limit_phrase,
        difference=_limit_difference,
        branch_name="limit {}",
        example="n, n+1, 2n, inf",
        is_basic=True,
        is_listed_by_name=True,
    ),
    Setting(
        name="deletion",
        title="Deletion",
        help=(
            "What DEL removes. Leaf only: one leaf, as in the original HVL-Prime. Subtree: any node with "
            "everything below it, as in the paper."
        ),
        kind=Choice((("leaf", "leaf only"), ("subtree", "subtree"))),
        metavar="D",
        option_help="leaf (original HVL-Prime) or subtree (the default)",
        table_help="What a deletion removes: single leaves, or whole subtrees.",
        phrase="{} deletion",
        branch_name="{} deletion",
        is_basic=True,
        is_listed_by_name=True,
    ),
    Setting(
        name="functions",
        title="Functions",
        help="The functions INS may insert. With ∧ alone the search never gets stuck.",
        kind=FunctionSet((("and,or", "∧ and ∨"), ("and", "∧ only"))),
        metavar="F",
        option_help="and,or (the default) or and",
        table_help="The functions that inner nodes may have.",
        is_listed_by_name=True,
    ),
    Setting(
        name="fitness",
        title="Error on",
        help=(
            "Which rows of the truth table count for the error: all of them, or a fresh random sample in "
            "every iteration."
        ),
        kind=Choice((("complete", "all rows"), ("sampled", "sampled rows"))),
        table_help="Whether a tree is measured on the complete truth table or on sampled rows.",
        difference=_rows_difference,
        can_change=False,
        is_listed_by_name=True,
    ),
    Setting(
        name="rows",
        title="Rows s",
        help="How many rows every iteration samples: a number, or an expression such as n lg^2 n.",
        kind=SampledRows(1, MAX_COUNTED_ROWS, is_expression_allowed=True),
        metavar="S",
        option_help="error on S sampled rows an iteration instead of the truth table; also as 'n lg^2 n'",
        table_help="How many rows are sampled afresh in every iteration.",
        axis_title="rows sampled in an iteration",
        phrase=_rows_phrase,
        label="{} rows",
        difference=_rows_difference,
        example="10, 100, 1000",
        suggestion="100",
        is_for_sampled=True,
        can_change=False,
        is_listed_by_name=True,
    ),
    Setting(
        name="sampler",
        title="Sampler",
        help=(
            "Draw rows: sample actual rows. Draw counts: sample only how many rows are wrong, which takes "
            "no longer for many rows. Both follow the same distribution."
        ),
        kind=Choice((("rows", "draw rows"), ("counts", "draw counts"))),
        metavar="HOW",
        option_help="with --rows: draw real rows (the default) or only their counts",
        table_help="How rows are sampled: one by one, or only how many of them are wrong.",
        phrase="draws {}",
        is_for_sampled=True,
        can_change=False,
        is_listed_by_name=True,
    ),
    Setting(
        name="accept_error",
        title="Stop at error",
        help=(
            "The run reaches its goal when the error is at most this many rows: a number, or an expression such "
            "as 2 lg n."
        ),
        kind=WholeNumber(0, _MAX_ERROR, is_expression_allowed=True),
        metavar="A",
        option_help="stop when the error is at most A (0); also as '2 lg n'",
        head="A",
        table_help="A, the largest sampled error at which a run is done.",
        axis_title="A (largest error accepted)",
        difference="stops at error {}",
        example="0",
        is_listed_by_name=True,
    ),
    Setting(
        name="empty_tree",
        title="Empty tree",
        help=(
            "What adds the first leaf to the empty tree. Any operation: the drawn variable becomes the "
            "first leaf. Only INS: the other operations leave the tree empty."
        ),
        kind=Choice((("any", "leaf by any operation"), ("insert-only", "first leaf by INS only"))),
        metavar="E",
        option_help="any operation adds the first leaf (any), or insert-only",
        table_help="What adds the first leaf: any operation, or only an insertion.",
        is_listed_by_name=True,
    ),
    Setting(
        name="seed",
        title="Seed",
        help=(
            "All random choices follow from this number: the same settings and seed give the same run, "
            "step by step."
        ),
        kind=WholeNumber(0, _MAX_SEED),
        metavar="SEED",
        option_help="the run's seed, a whole number from 0 (0)",
        difference=_seed_difference,
        is_basic=True,
        is_listed_by_name=True,
    ),
)
"""In the order of the fields of `RunConfig`, of forms and of tables."""

_BY_NAME: Final = {row.name: row for row in SETTINGS}


def setting(name: str) -> Setting:
    """The row of the setting with this name."""
    return _BY_NAME[name]


def plain_text(value: object) -> str:
    """A value as a command line or a plan writes it; empty for no value."""
    if isinstance(value, list | tuple):
        return ",".join(value)
    return "" if value is None else str(value)


@lru_cache(maxsize=256)
def leaf_limit(limit: str, n: int) -> int | None:
    """The limit as a number of leaves for this n; None for ``inf``."""
    if limit == "inf":
        return None
    if limit.isdecimal():
        return int(limit)
    match = _LIMIT.fullmatch(limit)
    assert match is not None
    leaves = Fraction(match["factor"] or 1) * n
    if match["extra"]:
        leaves += int(match["sign"] + match["extra"])
    return leaves.__floor__()
