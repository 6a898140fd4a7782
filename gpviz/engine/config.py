"""The settings of a run, checked on creation, and the rules that follow from them for a tree."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from math import inf
from operator import index
from typing import Any, Final, Literal, Self, SupportsIndex

from gpviz.engine.enums import Function
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.formula import MAX_VARIABLE
from gpviz.engine.tree import Node, variables_of

__all__ = [
    "MAX_COUNTED_ROWS",
    "MAX_DRAWN_ROWS",
    "MAX_N",
    "Rules",
    "RunConfig",
    "check_tree",
    "leaf_limit",
    "rules_of",
    "whole_number",
]

MAX_N: Final = MAX_VARIABLE
MAX_LIMIT: Final = 10**9
MAX_DRAWN_ROWS: Final = 10**7
MAX_COUNTED_ROWS: Final = 10**12
_MAX_SEED: Final = 2**4096 - 1
_MAX_ERROR: Final = 2**MAX_N

Deletion = Literal["leaf", "subtree"]
Fitness = Literal["complete", "sampled"]
Sampler = Literal["rows", "counts"]
EmptyTree = Literal["any", "insert-only"]

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "deletion": ("leaf", "subtree"),
    "fitness": ("complete", "sampled"),
    "sampler": ("rows", "counts"),
    "empty_tree": ("any", "insert-only"),
}
_LIMIT: Final = re.compile(
    r"(?P<factor>\d{1,9}(?:\.\d{1,9})?)?\s*[*·]?\s*n\s*(?:(?P<sign>[+-])\s*(?P<extra>\d{1,9}))?",
    re.ASCII,
)
_LIMIT_WORDS: Final = "a number from 1, or 'n', 'n+1', 'n-1', '2n', '1.5n' or 'inf'"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Everything that, together with a start tree, determines a run.

    Texts are accepted wherever a number is, as a person would type it.
    """

    n: int
    limit: str = "2n"
    deletion: Deletion = "subtree"
    functions: tuple[Function, ...] = (Function.AND, Function.OR)
    fitness: Fitness = "complete"
    rows: int | None = None
    sampler: Sampler = "rows"
    accept_error: int = 0
    empty_tree: EmptyTree = "any"
    seed: int = 0

    def __post_init__(self) -> None:
        settle = object.__setattr__
        settle(self, "n", whole_number("n", self.n, 1, MAX_N))
        settle(self, "limit", _limit_text(self.limit, self.n))
        settle(self, "functions", _functions(self.functions))
        for name, allowed in _CHOICES.items():
            _check_choice(name, getattr(self, name), allowed)
        settle(self, "rows", self._checked_rows())
        settle(self, "accept_error", whole_number("accept_error", self.accept_error, 0, _MAX_ERROR))
        settle(self, "seed", whole_number("seed", self.seed, 0, _MAX_SEED))

    @property
    def rules(self) -> "Rules":
        """What of these settings decides the fate of a tree."""
        return _rules(
            self.n, self.functions, self.limit, self.deletion, self.rows, self.accept_error, self.empty_tree
        )

    @property
    def max_leaves(self) -> int | None:
        """The most leaves an accepted tree may have; None without a limit."""
        return leaf_limit(self.limit, self.n)

    @property
    def is_sampled(self) -> bool:
        return self.fitness == "sampled"

    @property
    def has_subtree_deletion(self) -> bool:
        return self.deletion == "subtree"

    def replaced(self, **changes: Any) -> Self:
        """The same configuration with some fields changed, checked again."""
        _check_names(changes)
        return replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain data, ready for JSON."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data["functions"] = [function.value for function in self.functions]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The configuration with these fields; the others keep their defaults."""
        _check_names(data)
        if "n" not in data:
            raise GpvizError("n: it is missing; the number of variables must be given.")
        return cls(**data)

    def _checked_rows(self) -> int | None:
        if not self.is_sampled:
            if self.rows is None:
                return None
            raise InvalidValueError("rows", self.rows, "left out unless fitness is 'sampled'")
        most = MAX_DRAWN_ROWS if self.sampler == "rows" else MAX_COUNTED_ROWS
        if self.rows is None:
            raise GpvizError("rows: it is missing; a sampled run needs the number of rows.")
        return whole_number("rows", self.rows, 1, most, context=f" with the sampler '{self.sampler}'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides the fate of a tree; `RunConfig.rules` makes it.

    A judgement about a tree (its state, proof, neighbourhood, redundancy) belongs to the tree and these rules, so
    both together are the key of whatever remembers one. Each of them counts:

    - the target AND_n, the functions, the deletion and the empty tree say which mutations there are, and how
      likely each is;
    - ``max_leaves`` and the error on the target say which offspring are accepted;
    - ``rows`` is the size of the sample on which errors are measured, None for the complete truth table: a sample
      may accept any offspring, so it leaves no tree stuck, and its size gives the chances of each verdict;
    - ``accept_error`` is the error with which a tree ends a run as solved.

    The seed does not count: it chooses among the possible futures of a tree and excludes none. Nor does the
    sampler, as both draw from the same distribution, or the way the limit is spelt (``limit``, kept for messages):
    with n = 4, "2n" and "8" are the same rule.
    """

    n: int
    functions: tuple[Function, ...]
    max_leaves: int | None
    deletion: Deletion
    rows: int | None
    accept_error: int
    empty_tree: EmptyTree
    limit: str = field(compare=False)

    @property
    def is_sampled(self) -> bool:
        return self.rows is not None

    @property
    def has_subtree_deletion(self) -> bool:
        return self.deletion == "subtree"


@lru_cache(maxsize=256)
def _rules(
    n: int,
    functions: tuple[Function, ...],
    limit: str,
    deletion: Deletion,
    rows: int | None,
    accept_error: int,
    empty_tree: EmptyTree,
) -> Rules:
    """The rules of these settings: the same object for the thousands of runs that share them."""
    return Rules(
        n=n,
        functions=functions,
        max_leaves=leaf_limit(limit, n),
        deletion=deletion,
        rows=rows,
        accept_error=accept_error,
        empty_tree=empty_tree,
        limit=limit,
    )


def rules_of(config: RunConfig | Rules) -> Rules:
    """The rules of a configuration, for judgements that are asked for with either."""
    return config if isinstance(config, Rules) else config.rules


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


def whole_number(field: str, value: object, least: int, most: int, context: str = "") -> int:
    """The value as an int in the range, or a sentence that names the field and what is allowed."""
    allowed = f"a whole number from {least} to {_power(most) if most > 10**18 else most}{context}"
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,1500}\s*", value):
        number = int(value)
    elif isinstance(value, SupportsIndex) and not isinstance(value, bool):
        number = index(value)
    else:
        raise InvalidValueError(field, value, allowed)
    if not least <= number <= most:
        raise InvalidValueError(field, number, allowed)
    return number


def _power(number: int) -> str:
    """A power of two, or one less, as a person writes it."""
    exponent = number.bit_length()
    return f"2^{exponent} - 1" if number + 1 == 1 << exponent else f"2^{exponent - 1}"


def _limit_text(limit: object, n: int) -> str:
    if limit is None or limit == inf:
        return "inf"
    if isinstance(limit, bool) or not isinstance(limit, str | int):
        raise InvalidValueError("limit", limit, _LIMIT_WORDS)
    if isinstance(limit, int) and abs(limit) > MAX_LIMIT:
        raise InvalidValueError("limit", limit, f"from 1 to {MAX_LIMIT} leaves, or 'inf'")
    text = re.sub(r"\s+", "", str(limit).lower())
    if len(text) > 40:
        raise InvalidValueError("limit", limit, _LIMIT_WORDS)
    if text in ("inf", "infinity", "∞"):
        return "inf"
    is_number = re.fullmatch(r"[0-9]{1,10}", text) is not None
    if not is_number and _LIMIT.fullmatch(text) is None:
        raise InvalidValueError("limit", limit, _LIMIT_WORDS)
    text = str(int(text)) if is_number else text
    leaves = leaf_limit(text, n)
    if leaves is None or not 1 <= leaves <= MAX_LIMIT:
        raise InvalidValueError("limit", limit, f"from 1 to {MAX_LIMIT} leaves, or 'inf'")
    return text


def _functions(functions: object) -> tuple[Function, ...]:
    names = functions.split(",") if isinstance(functions, str) else functions
    allowed = "'and,or' or 'and'"
    if not isinstance(names, list | tuple | set | frozenset):
        raise InvalidValueError("functions", functions, allowed)
    chosen = {name.strip().lower() if isinstance(name, str) else "" for name in names}
    if chosen == {"and"}:
        return (Function.AND,)
    if chosen == {"and", "or"}:
        return (Function.AND, Function.OR)
    raise InvalidValueError("functions", functions, allowed)


def _check_choice(field: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidValueError(field, value, " or ".join(repr(choice) for choice in allowed))


def _check_names(data: Mapping[str, Any]) -> None:
    known = [field.name for field in fields(RunConfig)]
    for name in data:
        if name not in known:
            raise GpvizError(f"{shown(name)} is not a setting of a run; they are {', '.join(known)}.")


def check_tree(tree: Node | None, config: RunConfig | Rules) -> None:
    """Refuse a tree that no run under these rules could hold."""
    if tree is None:
        return
    rules = rules_of(config)
    largest = variables_of(tree).bit_length()
    if largest > rules.n:
        raise GpvizError(
            f"tree: it uses x{largest}, but with n = {rules.n} the variables go from x1 to x{rules.n}."
        )
    if rules.max_leaves is not None and tree.leaves > rules.max_leaves:
        raise InvalidValueError(
            "limit", rules.limit, f"at least {tree.leaves}, the number of leaves of the tree"
        )
