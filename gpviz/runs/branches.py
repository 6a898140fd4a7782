"""The branches of a run, and how a run is forked. The original is never lost.

A branch has its parent's first iterations, up to its fork, and from there its own: drawn with its own
configuration, except where a person chose the mutation.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Self

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, shown
from gpviz.engine.mutation import Mutation
from gpviz.engine.search import RlsGp
from gpviz.engine.settings import SETTINGS, plain_text, setting
from gpviz.engine.target import target_for
from gpviz.files.reader import Line, Whole
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.step_encoding import Property

ORIGINAL: Final = 0
"""The id of the run as it was drawn."""

ORIGINAL_NAME: Final = "Original"
MAX_BRANCHES: Final = 256
MAX_NAME_LENGTH: Final = 80
MAX_TOTAL_ITERATIONS: Final = 5 * MAX_ITERATIONS
"""The most iterations of all branches together; each takes memory for its parent's iterations too."""

CHANGEABLE: Final = ("seed", *(row.name for row in SETTINGS if row.can_change and row.name != "seed"))
"""The settings in which a branch may differ from its parent; the others would change what an error means."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of a run. The original has no parent; ``forced`` are the mutations that a person chose."""

    id: int
    name: str
    parent: int | None
    fork: int
    config: RunConfig
    forced: tuple[tuple[int, Mutation], ...] = ()

    def __post_init__(self) -> None:
        checked_name(self.name)
        Whole(0, MAX_ITERATIONS).read("fork", self.fork)

    @property
    def is_original(self) -> bool:
        return self.parent is None

    @property
    def is_hand_made(self) -> bool:
        """Whether a person chose one of its mutations."""
        return bool(self.forced)

    def extended(self, iteration: int, mutation: Mutation) -> Self:
        """The branch with one more mutation that a person chose."""
        return replace(self, forced=(*self.forced, (iteration, mutation)))


@dataclass(frozen=True, slots=True)
class Branches:
    """All branches of a run, parents before children. Operations return a changed copy."""

    all: tuple[Branch, ...]

    @classmethod
    def of(cls, config: RunConfig, name: str = ORIGINAL_NAME) -> Self:
        """The original alone."""
        return cls((Branch(ORIGINAL, name, None, 0, config),))

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Branch]:
        return iter(self.all)

    def __contains__(self, branch_id: object) -> bool:
        return any(branch.id == branch_id for branch in self.all)

    def __getitem__(self, branch_id: int) -> Branch:
        for branch in self.all:
            if branch.id == branch_id:
                return branch
        raise GpvizError(f"Branch {branch_id} no longer exists.")

    @property
    def original(self) -> Branch:
        return self.all[0]

    def children_of(self, branch_id: int) -> tuple[Branch, ...]:
        """The branches that fork from this one, in the order in which they were made."""
        return tuple(branch for branch in self.all if branch.parent == branch_id)

    def in_order(self) -> Iterator[tuple[Branch, int]]:
        """Every branch with its depth, followed by its children."""
        waiting = [(self.original, 0)]
        while waiting:
            branch, depth = waiting.pop()
            yield branch, depth
            waiting += [(child, depth + 1) for child in reversed(self.children_of(branch.id))]

    def grown(
        self,
        parent: int,
        fork: int,
        *,
        name: str,
        config: RunConfig | None = None,
        forced: tuple[tuple[int, Mutation], ...] = (),
    ) -> tuple[Self, Branch]:
        """The branches with a new one, and the new one; a name that is taken gets a number."""
        if len(self) >= MAX_BRANCHES:
            raise GpvizError(f"There are {MAX_BRANCHES} branches, the most a run may have; remove one first.")
        new_id = max(branch.id for branch in self.all) + 1
        settings = config or self[parent].config
        owner = self.owner_of(parent, fork)
        branch = Branch(new_id, self._free_name(name), owner, fork, settings, forced)
        return replace(self, all=(*self.all, branch)), branch

    def owner_of(self, branch_id: int, iteration: int) -> int:
        """The branch in which this iteration was made: this one, or the ancestor it has the iteration from."""
        branch = self[branch_id]
        while branch.parent is not None and iteration <= branch.fork:
            branch = self[branch.parent]
        return branch.id

    def extends(self, branch_id: int, iteration: int, length: int) -> bool:
        """Whether a mutation chosen after this iteration extends the branch instead of making a new one.

        It does at the very end of a branch that was made by hand: nothing is lost, and a person who chooses three
        mutations in a row has made one branch, not three.
        """
        return self[branch_id].is_hand_made and iteration == length

    def with_branch(self, branch: Branch) -> Self:
        """The branches with this one instead of the one with the same id."""
        return replace(self, all=tuple(branch if each.id == branch.id else each for each in self.all))

    def renamed(self, branch_id: int, name: str) -> Self:
        """The branches with another name for this one; two may have the same name."""
        return self.with_branch(replace(self[branch_id], name=checked_name(name)))

    def removed_with(self, branch_id: int) -> tuple[Branch, ...]:
        """The branches that are removed with this one: itself, and those that fork from its own iterations."""
        gone = [self[branch_id]]
        for branch in self.all:  # parents come before children
            if branch.parent is None or branch.id == branch_id:
                continue
            owner = self.owner_of(branch.parent, branch.fork)
            if any(owner == each.id for each in gone):
                gone.append(branch)
        return tuple(gone)

    def removed(self, branch_id: int) -> Self:
        """The branches without this one and those that fork from its own iterations.

        A branch that forked from an iteration of an ancestor becomes the ancestor's child.
        """
        if self[branch_id].is_original:
            raise GpvizError("The original run cannot be removed; every branch begins with its iterations.")
        gone = {branch.id for branch in self.removed_with(branch_id)}
        kept = [
            branch
            if branch.parent is None
            else replace(branch, parent=self.owner_of(branch.parent, branch.fork))
            for branch in self.all
            if branch.id not in gone
        ]
        return replace(self, all=tuple(kept))

    def common(self, one: int, other: int, lengths: Mapping[int, int]) -> int:
        """How many iterations two branches have in common because they come from the same branch."""
        ones, others = self._parts_of(one, lengths), self._parts_of(other, lengths)
        return max(min(part, others[branch]) for branch, part in ones.items() if branch in others)

    def _parts_of(self, branch_id: int, lengths: Mapping[int, int]) -> dict[int, int]:
        """For this branch and each ancestor, how many of its first iterations this branch has."""
        branch = self[branch_id]
        have = lengths[branch_id]
        parts = {branch.id: have}
        while branch.parent is not None:
            have = min(have, branch.fork)
            branch = self[branch.parent]
            parts[branch.id] = have
        return parts

    def _free_name(self, name: str) -> str:
        taken = {branch.name for branch in self.all}
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        return free


def changed_config(config: RunConfig, changes: Mapping[str, Any]) -> RunConfig:
    """The configuration with these changes; raises `GpvizError` for one that a branch cannot have."""
    for name in changes:
        if name not in CHANGEABLE:
            raise GpvizError(f"{shown(name)} cannot change in a branch; only {', '.join(CHANGEABLE)} can.")
    return config.replaced(**changes)


def checked_name(name: object) -> str:
    """The name of a branch; raises `InvalidValueError` if it is none."""
    return Line(MAX_NAME_LENGTH).read("name", name)


def search_at(history: History, iteration: int, config: RunConfig | None = None) -> RlsGp:
    """A search that goes on after this iteration of a history, under ``config`` or as the history does.

    Raises `GpvizError` where the tree has more leaves than the limit allows.
    """
    wanted = config or history.config_after(iteration)
    stop = iteration + 1
    tree = history.tree_at(iteration)
    error = history.error_at(iteration)
    if error is None and tree is not None and not wanted.is_sampled:
        error = target_for(wanted.n).error(tree)  # a start that nobody has counted yet
    return RlsGp.at(
        wanted,
        history.start,
        iteration=iteration,
        tree=tree,
        error=error,
        accepted=history.count_where(Property.ACCEPTED, 1, stop),
        improved=history.count_where(Property.IMPROVED, 1, stop),
        ors_accepted=history.count_where(Property.OR_ACCEPTED, 1, stop),
        settled_since=_settled_since(history, iteration, wanted),
        script=history.script[: history.script_end],
    )


def forked(history: History, iteration: int, config: RunConfig | None = None) -> tuple[RlsGp, History]:
    """The search and the history of a new branch that forks after this iteration.

    It draws its own mutations: the rest of a script was written for the trees of the original.
    """
    wanted = config or history.config_after(iteration)
    begun = history.beginning(iteration, wanted)
    begun.script_end = min(begun.script_end, iteration)
    return search_at(begun, iteration, wanted), begun


def hand_name(iteration: int) -> str:
    """The name of a branch that begins with a mutation chosen by a person."""
    return f"By hand at {iteration:,}"


def settings_name(changes: dict[str, Any], iteration: int) -> str:
    """The name of a branch that goes on with other settings after an iteration, such as ``Seed 5 from 57``."""
    parts = [setting(name).branch_name.format(_short(value)) for name, value in changes.items()]
    text = ", ".join(parts) or "the same again"
    return f"{text[:1].upper()}{text[1:]} from {iteration:,}"[:70]


def _short(value: object) -> str:
    text = plain_text(value)
    if text == "inf":
        return "none"
    return text if len(text) <= 20 else f"{text[:8]}…{text[-4:]}"


def _settled_since(history: History, iteration: int, config: RunConfig) -> int:
    """The last iteration that improved, changed the number of leaves, or came before other settings."""
    improved = history.previous_where(Property.IMPROVED, iteration + 1) or 0
    resized = history.last_resized(iteration)
    configs = [(first, each) for first, each in history.configs if first <= iteration]
    configs.append((iteration + 1, config))
    changed = 0
    for (_, before), (first, after) in pairwise(configs):
        if before.replaced(seed=0) != after.replaced(seed=0):
            changed = first - 1
    return max(improved, resized, changed)
