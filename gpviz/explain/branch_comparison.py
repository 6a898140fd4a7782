"""Branches side by side: how each stands, how far two are the same, and what became of them since."""

from dataclasses import dataclass
from typing import Literal

from gpviz.engine.config import RunConfig
from gpviz.engine.settings import setting
from gpviz.explain.step_text import tell_briefly
from gpviz.number_text import number_text
from gpviz.runs.branches import CHANGEABLE, Branch, Branches
from gpviz.runs.history import History


@dataclass(frozen=True, slots=True)
class BranchStatus:
    """What a branch has come to after its last iteration; that it is stuck is known only where it was proven."""

    iterations: int
    error: int | None
    leaves: int
    ors: int
    outcome: Literal["solved", "stuck", "open"]

    @property
    def error_text(self) -> str:
        return "–" if self.error is None else number_text(self.error)


@dataclass(frozen=True, slots=True)
class Summary:
    """A branch in a list of them: itself, how deep it is in the tree of branches, and how it stands."""

    branch: Branch
    depth: int
    status: BranchStatus

    @property
    def origin_text(self) -> str:
        """Where it comes from, such as ``after 57``."""
        return "start" if self.branch.is_original else f"after {self.branch.fork:,}"


@dataclass(frozen=True, slots=True)
class BranchComparison:
    """Two branches: how many iterations both begin with, what became of them in sentences, and as a table.

    The rows of the table have a title, the first branch's entry and the second's.
    """

    one: str
    other: str
    common: int
    summary: str
    table: tuple[tuple[str, str, str], ...]


def status_of(history: History, *, is_stuck: bool = False) -> BranchStatus:
    """How the run of this history stands at its end."""
    length = len(history)
    leaves, ors = history.sizes_at(length)
    error = history.error_at(length)
    return BranchStatus(
        length,
        error,
        leaves,
        ors,
        "solved" if history.config.is_solved(error) else "stuck" if is_stuck else "open",
    )


def summaries_of(branches: Branches, statuses: dict[int, BranchStatus]) -> tuple[Summary, ...]:
    """All branches, each followed by its children."""
    return tuple(Summary(branch, depth, statuses[branch.id]) for branch, depth in branches.in_order())


def compared(
    one: Branch,
    other: Branch,
    histories: tuple[History, History],
    statuses: tuple[BranchStatus, BranchStatus],
    at_least: int = 0,
) -> BranchComparison:
    """The two side by side; they are known to have ``at_least`` so many iterations in common."""
    common = histories[0].shared_with(histories[1], at_least)
    summary = _fork_sentence(one, other, histories, common).strip()
    return BranchComparison(one.name, other.name, common, summary, _table(one.config, other.config, statuses))


def _fork_sentence(one: Branch, other: Branch, histories: tuple[History, History], common: int) -> str:
    first, second = histories
    same = (
        f"Both begin with the same {common:,} iterations."
        if common
        else ("They differ from the first iteration on.")
    )
    if common == 1:
        same = "Both begin with the same iteration."
    if min(len(first), len(second)) > common:
        number = common + 1
        return (
            f"{same} Iteration {number:,} of “{one.name}”: {tell_briefly(first, number)};"
            f" of “{other.name}”: {tell_briefly(second, number)}."
        )
    if len(first) == len(second):
        return (
            f"Both have the same {common:,} iterations so far." if common else "Neither has an iteration yet."
        )
    longer, more = (one, len(first) - common) if len(first) > common else (other, len(second) - common)
    return f"{same if common else ''} “{longer.name}” has {more:,} more."


def _table(
    one: RunConfig, other: RunConfig, statuses: tuple[BranchStatus, BranchStatus]
) -> tuple[tuple[str, str, str], ...]:
    first, second = statuses
    rows = [
        ("iterations", f"{first.iterations:,}", f"{second.iterations:,}"),
        ("error", first.error_text, second.error_text),
        ("leaves", f"{first.leaves:,}", f"{second.leaves:,}"),
        ("∨ in the tree", f"{first.ors:,}", f"{second.ors:,}"),
        ("outcome", first.outcome, second.outcome),
    ]
    for name in CHANGEABLE:
        values = (_value(getattr(one, name)), _value(getattr(other, name)))
        if values[0] != values[1]:
            rows.append((setting(name).short_title, *values))
    return tuple(rows)


def _value(value: object) -> str:
    if isinstance(value, int):
        return number_text(value)
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return "none" if text == "inf" else text
