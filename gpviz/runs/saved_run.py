"""The description of a run that is saved: configuration, start and length, and a fingerprint of the rest."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import FormulaError, GpvizError, InvalidValueError
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.mutation import Mutation
from gpviz.engine.mutation_script import Script, check_script
from gpviz.engine.tree import Node, nodes_of
from gpviz.engine.whole_number import whole_number
from gpviz.runs.bookmarks import Bookmark, exact_number
from gpviz.runs.branches import (
    MAX_BRANCHES,
    MAX_TOTAL_ITERATIONS,
    ORIGINAL_NAME,
    Branch,
    Branches,
    checked_name,
)
from gpviz.runs.history import History
from gpviz.runs.limits import MAX_ITERATIONS

_FINGERPRINT: Final = re.compile(r"sha256:[0-9a-f]{64}")

_MAX_NODE: Final = 2**32


@dataclass(frozen=True, slots=True)
class SavedBranch:
    """What is saved of a branch, checked on creation as far as it can be alone.

    ``parent`` is 0 for the original run, and the place in the list, counted from 1, for another branch.
    """

    name: str
    parent: int
    fork: int
    config: RunConfig
    forced: tuple[tuple[int, Mutation], ...]
    iterations: int
    fingerprint: str

    def __post_init__(self) -> None:
        checked_name(self.name)
        exact_number("parent", self.parent, MAX_BRANCHES)
        exact_number("iterations", self.iterations, MAX_ITERATIONS)
        exact_number("at", self.fork, MAX_ITERATIONS)
        if self.fork > self.iterations:
            raise InvalidValueError(
                "at", self.fork, f"at most {self.iterations}, the iterations of the branch"
            )
        last = self.fork
        for index, (iteration, mutation) in enumerate(self.forced):
            name = f"forced[{index}]"
            exact_number(f"{name}.iteration", iteration, MAX_ITERATIONS)
            if not last < iteration <= self.iterations:
                allowed = f"from {last + 1} to {self.iterations}, in their order"
                raise InvalidValueError(f"{name}.iteration", iteration, allowed)
            last = iteration
            exact_number(f"{name}.node", mutation.node, _MAX_NODE)
            whole_number(f"{name}.node", mutation.node, 1, _MAX_NODE)
            exact_number(f"{name}.variable", mutation.variable, self.config.n)
            whole_number(f"{name}.variable", mutation.variable, 1, self.config.n)
        _check_fingerprint(self.fingerprint)


@dataclass(frozen=True, slots=True)
class RunFile:
    """What a run file says, checked on creation. ``start`` is a formula, or empty for the empty tree.

    A ``script`` may be longer than the run has gone so far; it is carried out when the run goes on.
    ``shown`` is the branch on show, as a parent is told.
    """

    config: RunConfig
    start: str
    iterations: int
    bookmarks: tuple[Bookmark, ...]
    fingerprint: str
    name: str = ORIGINAL_NAME
    branches: tuple[SavedBranch, ...] = ()
    shown: int = 0
    script: Script = ()
    start_tree: Node | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact_number("iterations", self.iterations, MAX_ITERATIONS)
        checked_name(self.name)
        _check_branches(self.iterations, self.branches)
        exact_number("shown", self.shown, len(self.branches))
        longest = max(self.iterations, *(branch.iterations for branch in self.branches), 0)
        for index, bookmark in enumerate(self.bookmarks):
            if bookmark.iteration > longest:
                allowed = f"at most {longest}, the iterations of the run"
                raise InvalidValueError(f"bookmarks[{index}].iteration", bookmark.iteration, allowed)
        _check_fingerprint(self.fingerprint)
        check_script(self.script, self.config)
        object.__setattr__(self, "start_tree", _start_tree(self.config, self.start))

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but the run itself."""
        return not self.branches and self.name == ORIGINAL_NAME


def describe(history: History, bookmarks: Iterable[Bookmark] = ()) -> RunFile:
    """The run so far, ready to be saved. Its start must have been parsed, for the sake of its uids."""
    run_file = RunFile(
        history.config,
        format_formula(history.start),
        len(history),
        tuple(bookmarks),
        history.fingerprint(),
        script=history.script,
    )
    if _uids(run_file.start_tree) != _uids(history.start):
        raise ValueError("a run can only be saved if its start was parsed from a formula")
    return run_file


def describe_branches(
    branches: Branches,
    histories: Mapping[int, History],
    bookmarks: Iterable[Bookmark] = (),
    *,
    shown: int = 0,
) -> RunFile:
    """All branches of a run, ready to be saved; histories and ``shown`` go by the ids of the branches."""
    places = {branch.id: place for place, branch in enumerate(branches)}
    original = branches.original
    plain = describe(histories[original.id])
    saved = tuple(
        SavedBranch(
            branch.name,
            places[branch.parent],
            branch.fork,
            branch.config,
            branch.forced,
            len(histories[branch.id]),
            histories[branch.id].fingerprint(),
        )
        for branch in branches
        if branch.parent is not None
    )
    longest = max(len(histories[branch.id]) for branch in branches)
    # A bookmark in a branch that is gone marks nothing any more.
    kept = tuple(bookmark for bookmark in bookmarks if bookmark.iteration <= longest)
    return replace(plain, name=original.name, branches=saved, bookmarks=kept, shown=places[shown])


def branches_of(run_file: RunFile) -> Branches:
    """The branches in a file; the ids are their places, 0 for the original."""
    original = Branch(0, run_file.name, None, 0, run_file.config)
    others = (
        Branch(place, saved.name, saved.parent, saved.fork, saved.config, saved.forced)
        for place, saved in enumerate(run_file.branches, start=1)
    )
    return Branches((original, *others))


def _check_branches(iterations: int, branches: tuple[SavedBranch, ...]) -> None:
    """Every branch forks from an earlier one, where that one has been; so there are no circles."""
    if len(branches) >= MAX_BRANCHES:
        raise GpvizError(
            f"branches: there are {len(branches)}; with the original, {MAX_BRANCHES} are allowed."
        )
    lengths = [iterations]
    for index, branch in enumerate(branches):
        if branch.parent > index:
            allowed = f"from 0 to {index}, the original or a branch before this one"
            raise InvalidValueError(f"branches[{index}].parent", branch.parent, allowed)
        if branch.fork > lengths[branch.parent]:
            allowed = f"at most {lengths[branch.parent]}, the iterations of the branch it forks from"
            raise InvalidValueError(f"branches[{index}].at", branch.fork, allowed)
        lengths.append(branch.iterations)
    if sum(lengths) > max(MAX_TOTAL_ITERATIONS, iterations):
        raise GpvizError(
            f"branches: together they have {sum(lengths):,} iterations, but at most "
            f"{MAX_TOTAL_ITERATIONS:,} are allowed."
        )


def _check_fingerprint(fingerprint: object) -> None:
    if not isinstance(fingerprint, str) or not _FINGERPRINT.fullmatch(fingerprint):
        raise InvalidValueError("fingerprint", fingerprint, "'sha256:' and 64 hexadecimal digits")


def _start_tree(config: RunConfig, start: object) -> Node | None:
    if not isinstance(start, str):
        raise InvalidValueError("start", start, "a formula, or empty for the empty tree")
    try:
        tree = parse(start, config.n) if start else None
    except (FormulaError, InvalidValueError) as error:
        raise GpvizError(f"start: {error}") from error
    # A search would say the same, but only after counting the tree's errors, which may take long.
    most = config.max_leaves
    if tree is not None and most is not None and tree.leaves > most:
        raise InvalidValueError(
            "start", start, f"a tree of at most {most} leaves, the limit, not {tree.leaves}"
        )
    return tree


def _uids(tree: Node | None) -> list[int]:
    return [node.uid for node in nodes_of(tree)]
