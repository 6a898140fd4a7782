"""The settings of a run, checked on creation, and the rules that follow from them for a tree."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Final, Literal, Self

from gpviz.engine.enums import Function
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.settings import SETTINGS, Setting, WholeNumber, leaf_limit
from gpviz.engine.tree import Node, variables_of

Deletion = Literal["leaf", "subtree"]
Fitness = Literal["complete", "sampled"]
Sampler = Literal["rows", "counts"]
EmptyTree = Literal["any", "insert-only"]

# What is said of a number of rows depends on the sampler, so that is checked before.
_IN_ORDER_OF_CHECKS: Final = sorted(
    SETTINGS, key=lambda row: row.name != "n" and isinstance(row.kind, WholeNumber)
)


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
        for row in _IN_ORDER_OF_CHECKS:
            object.__setattr__(self, row.name, row.kind.checked(row.name, getattr(self, row.name), self))

    @property
    def rules(self) -> "Rules":
        """The part of these settings that decides the fate of a tree."""
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

    def is_solved(self, error: int | None) -> bool:
        """Whether a tree with this error ends the run as solved; the empty tree, which has none, does not."""
        return error is not None and error <= self.accept_error

    def replaced(self, **changes: Any) -> Self:
        """The same configuration with some fields changed, checked again."""
        _check_names(changes)
        return replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain data, ready for JSON."""
        values = {row.name: row.value_of(self) for row in SETTINGS}
        return {
            name: [each.value for each in value] if isinstance(value, tuple) else value
            for name, value in values.items()
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The configuration with these fields; the others keep their defaults."""
        _check_names(data)
        if "n" not in data:
            raise GpvizError("n: it is missing; give the number of variables.")
        return cls(**data)


DEFAULTS: Final[Mapping[str, Any]] = {
    each.name: each.default for each in fields(RunConfig) if each.name != "n"
}
"""The default of each setting but n, which must be given."""


def is_usual(row: Setting, config: RunConfig) -> bool:
    """Whether a setting has its default in a configuration; n has none."""
    return row.name in DEFAULTS and bool(row.value_of(config) == DEFAULTS[row.name])


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


def config_under(rules: Rules, **changes: Any) -> RunConfig:
    """A configuration with these rules, for runs that are made to judge a tree."""
    settings = {
        "n": rules.n,
        "limit": "inf" if rules.max_leaves is None else str(rules.max_leaves),
        "deletion": rules.deletion,
        "functions": rules.functions,
        "fitness": "sampled" if rules.is_sampled else "complete",
        "rows": rules.rows,
        "sampler": "counts" if rules.is_sampled else "rows",
        "accept_error": rules.accept_error,
        "empty_tree": rules.empty_tree,
    }
    return RunConfig(**{**settings, **changes})


def is_full(tree: Node | None, config: RunConfig | Rules) -> bool:
    """Whether a tree has as many leaves as the limit allows; without a limit none has."""
    return tree is not None and tree.leaves == config.max_leaves


def _check_names(data: Mapping[str, Any]) -> None:
    known = [row.name for row in SETTINGS]
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
