"""What a person has typed about a run, as plain data: what is wrong with it, and the run it describes."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, Self

from gpviz.engine import GpvizError, RunConfig, parse
from gpviz.engine.config import MAX_N, check_tree
from gpviz.engine.errors import FormulaError, InvalidValueError

__all__ = ["CHECKED_LENGTH", "FIELDS", "SETUP_HINTS", "TITLES", "RunDraft", "start_problem"]

FIELDS: Final = ("n", "limit", "rows", "accept_error", "seed")
"""The settings that are typed, by their names in a configuration; the others are chosen from lists."""

TITLES: Final = MappingProxyType(
    {
        "n": "Variables n",
        "limit": "Size limit ℓ",
        "deletion": "Deletion",
        "functions": "Functions",
        "fitness": "Error on",
        "rows": "Rows s",
        "sampler": "Sampler",
        "accept_error": "Stop at error",
        "empty_tree": "Empty tree",
        "start": "Start from",
        "seed": "Seed",
    }
)
"""What the fields are called, in their order; problems are told by these names."""

CHECKED_LENGTH: Final = 4_000
"""Longer start formulas are checked when the run starts: reading them takes longer than a frame."""

_NO_LIMIT: Final = "none"
_SMALLEST: Final = RunConfig(n=1)

SETUP_HINTS: Final = MappingProxyType(
    {
        "n": "How many variables there are. The search looks for x₁ ∧ x₂ ∧ … ∧ xₙ.",
        "limit": "The most leaves a tree may have. A larger offspring is rejected without a look at its error. "
        "Write a number, or n, n+1, 2n, 1.5n, or none.",
        "deletion": "What DEL takes away. Leaf only: one leaf, as in the original HVL-Prime. "
        "Subtree: any node with everything below it, as in the paper.",
        "functions": "What INS may put into an inner node. With ∧ alone the search can never go astray.",
        "fitness": "On which rows of the truth table an error is counted: on all of them, "
        "or in every iteration on a few drawn at random.",
        "rows": "How many rows are drawn anew in every iteration.",
        "sampler": "Draw rows: real rows of truth values. Draw counts: only on how many rows the trees are wrong, "
        "which takes no longer for many rows. Both follow the same distribution.",
        "accept_error": "The run has reached its goal when the error is at most this number of rows.",
        "empty_tree": "What happens on the empty tree. Any draw plants: whatever is drawn, its variable becomes "
        "the first leaf. Only INS plants: only an insertion does, anything else leaves the tree empty.",
        "start": "The tree to start from, such as (x1 & x2) | x3. Leave it empty for the empty tree.",
        "seed": "The number all random choices follow from: the same settings with the same seed "
        "give the same run, step by step.",
    }
)
"""By the names of the settings in a configuration, and ``start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDraft:
    """The fields as typed, and the choices made."""

    n: str
    limit: str
    deletion: Literal["leaf", "subtree"] = "subtree"
    functions: str = "and,or"
    fitness: Literal["complete", "sampled"] = "complete"
    rows: str = ""
    sampler: Literal["rows", "counts"] = "rows"
    accept_error: str = "0"
    empty_tree: Literal["any", "insert-only"] = "any"
    seed: str = "0"
    start: str = ""

    @classmethod
    def of(cls, config: RunConfig, start: str) -> Self:
        """The fields that describe a run."""
        return cls(
            n=str(config.n),
            limit=_NO_LIMIT if config.max_leaves is None else config.limit,
            deletion=config.deletion,
            functions=",".join(config.functions),
            fitness=config.fitness,
            rows="" if config.rows is None else str(config.rows),
            sampler=config.sampler,
            accept_error=str(config.accept_error),
            empty_tree=config.empty_tree,
            seed=str(config.seed),
            start=start,
        )

    @property
    def variables(self) -> int | None:
        """n, if it is one."""
        config = self._only("n")
        return config.n if isinstance(config, RunConfig) else None

    @property
    def max_leaves(self) -> int | None:
        """What the limit amounts to; None without a limit, or while it cannot be read."""
        config = self._only("limit")
        return config.max_leaves if isinstance(config, RunConfig) and self.variables is not None else None

    def problems(self) -> dict[str, str]:
        """For each typed setting that will not do, the engine's sentence under the name of its field."""
        found = ((name, self._only(name)) for name in FIELDS)
        return {name: _told(name, error) for name, error in found if isinstance(error, GpvizError)}

    def config(self) -> RunConfig:
        """The configuration; raises the engine's error where there is none."""
        return RunConfig(
            n=_typed(self.n),
            limit=self._engine_limit(),
            deletion=self.deletion,
            functions=_typed(self.functions),
            **self._sampling(),
            accept_error=_typed(self.accept_error),
            empty_tree=self.empty_tree,
            seed=_typed(self.seed),
        )

    def is_as(self, other: Self) -> bool:
        """Whether both describe the same run, however they are written."""
        return self._settled() == other._settled()

    def _settled(self) -> Self | tuple[RunConfig, str]:
        try:
            return self.config(), self.start.strip()
        except GpvizError:
            return self

    def _only(self, name: str) -> RunConfig | GpvizError:
        """A configuration in which this setting is as typed and the others are beyond doubt, or what is wrong."""
        settings: dict[str, Any] = {"n": MAX_N}
        try:
            settings["n"] = _SMALLEST.replaced(n=self.n).n
        except InvalidValueError as error:
            if name == "n":
                return error
        settings |= {"limit": self._engine_limit()} if name == "limit" else {"limit": "inf"}
        if name == "rows":
            settings |= self._sampling()
        elif name != "n" and name != "limit":
            settings[name] = getattr(self, name)
        try:
            return RunConfig(**settings)
        except GpvizError as error:
            return error

    def _engine_limit(self) -> str:
        return "inf" if self.limit.strip().lower() in (_NO_LIMIT, "no limit") else self.limit

    def _sampling(self) -> dict[str, Any]:
        """The settings of the error; the number of rows counts only where rows are sampled."""
        if self.fitness == "complete":
            return {"fitness": "complete", "sampler": self.sampler}
        return {"fitness": "sampled", "sampler": self.sampler, "rows": self.rows}


def start_problem(draft: RunDraft) -> str | None:
    """What is wrong with the start formula, given settings that are right."""
    if not draft.start.strip() or len(draft.start) > CHECKED_LENGTH:
        return None
    config = draft.config()
    try:
        check_tree(parse(draft.start, config.n), config)
    except GpvizError as error:
        return _told("start", error)
    return None


def _told(name: str, error: GpvizError) -> str:
    """The engine's sentence as somebody reads it who knows the fields by what is written beside them."""
    if isinstance(error, FormulaError):
        return f"{TITLES[name]}, column {error.column}: {error.problem}."
    if not isinstance(error, InvalidValueError):
        return f"{TITLES[name]}: {str(error).partition(': ')[2]}"
    title = TITLES[error.field]
    allowed = error.allowed
    if error.field == "seed":
        allowed = "a whole number from 0"  # nobody comes near its largest
    if isinstance(error.value, str) and not error.value.strip():
        return f"{title}: type {allowed if error.field == 'limit' else 'a whole number'}."
    return str(InvalidValueError(title, error.value, allowed))


def _typed(text: str) -> Any:
    """A text where the engine's types want a number: it reads texts as a person would type them."""
    return text


# What each setting means, in the words of somebody who explains it to a student.
