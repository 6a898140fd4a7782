"""Run files, ``*.gpviz``: a saved run and its bookmarks as JSON, to be opened and replayed.

A run is what its configuration makes it, so the file need not hold its log; the fingerprint proves that what is
replayed is what was saved. A file may come from a stranger: it is parsed and checked, never executed.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.mutation import Mutation
from gpviz.engine.mutation_script import Script, check_script, format_script, parse_script
from gpviz.engine.settings import MAX_N, SETTINGS
from gpviz.engine.tree import Node, nodes_of
from gpviz.files.file_io import read_file, reading, shown_path, write_file
from gpviz.files.reader import (
    Anything,
    Line,
    ListOf,
    Matching,
    Member,
    Record,
    Text,
    Whole,
    check_fields,
    check_version,
    parse_json,
    record_of,
    within,
)
from gpviz.runs.branches import (
    CHANGEABLE,
    MAX_BRANCHES,
    MAX_NAME_LENGTH,
    MAX_TOTAL_ITERATIONS,
    ORIGINAL_NAME,
    Branch,
    Branches,
)
from gpviz.runs.history import MAX_ITERATIONS, History

MAX_FILE_BYTES: Final = 16_000_000
MAX_NOTE_LENGTH: Final = 10_000
VERSION: Final = 4
"""The one that is written; version 1.0.0 wrote the others for runs without a script and without branches."""
_VERSIONS: Final = (1, 3, VERSION)
_FORMAT: Final = "gpviz-run"
_LECTURE: Final = "gpviz-lecture"

_Config = Annotated[
    RunConfig, Record({row.name: Anything() for row in SETTINGS}, frozenset({"n"}), RunConfig)
]
_Name = Annotated[str, Line(MAX_NAME_LENGTH)]
_Iterations = Annotated[int, Whole(0, MAX_ITERATIONS)]
_Fingerprint = Annotated[
    str, Matching(re.compile(r"sha256:[0-9a-f]{64}"), "'sha256:' and 64 hexadecimal digits")
]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An iteration, 0 for the start, and what a person wrote about it."""

    iteration: Annotated[int, Whole(0, MAX_ITERATIONS)]
    note: Annotated[str, Text(MAX_NOTE_LENGTH, has_controls=True)] = ""

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class SavedBranch:
    """What is saved of a branch, checked on creation as far as it can be alone.

    ``parent`` is 0 for the original run; the branches of a file are counted from 1.
    """

    name: _Name
    parent: Annotated[int, Whole(0, MAX_BRANCHES)]
    at: _Iterations
    config: _Config
    forced: tuple[tuple[int, Mutation], ...]
    iterations: _Iterations
    fingerprint: _Fingerprint

    def __post_init__(self) -> None:
        check_fields(self)
        if self.at > self.iterations:
            raise InvalidValueError("at", self.at, f"at most {self.iterations}, the iterations of the branch")
        last = self.at
        for index, (iteration, mutation) in enumerate(self.forced):
            with within(f"forced[{index}]"):
                if not last < iteration <= self.iterations:
                    allowed = f"from {last + 1} to {self.iterations}, in their order"
                    raise InvalidValueError("iteration", iteration, allowed)
                Whole(1, self.config.n).read("variable", mutation.variable)
            last = iteration


@dataclass(frozen=True, slots=True)
class RunFile:
    """What a run file says, checked on creation. ``start`` is a formula, or empty for the empty tree.

    A ``script`` may be longer than the run has gone so far; it is carried out when the run goes on.
    ``shown`` is the branch on show, counted as a parent is.
    """

    config: _Config
    start: Annotated[str, Matching(re.compile(".*", re.DOTALL), "a formula, or empty for the empty tree")]
    iterations: _Iterations
    bookmarks: tuple[Bookmark, ...]
    fingerprint: _Fingerprint
    name: _Name = ORIGINAL_NAME
    branches: Annotated[tuple[SavedBranch, ...], ListOf(record_of(SavedBranch), MAX_BRANCHES - 1)] = ()
    shown: Annotated[int, Whole(0, MAX_BRANCHES)] = 0
    script: Script = ()
    start_tree: Node | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_fields(self)
        _check_branches(self.iterations, self.branches)
        Whole(0, len(self.branches)).read("shown", self.shown)
        longest = max(self.iterations, *(branch.iterations for branch in self.branches), 0)
        for index, bookmark in enumerate(self.bookmarks):
            if bookmark.iteration > longest:
                allowed = f"at most {longest}, the iterations of the run"
                raise InvalidValueError(f"bookmarks[{index}].iteration", bookmark.iteration, allowed)
        check_script(self.script, self.config)
        object.__setattr__(self, "start_tree", start_tree_of(self.config, self.start))


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
    numbers = {branch.id: number for number, branch in enumerate(branches)}
    original = branches.original
    plain = describe(histories[original.id])
    saved = tuple(
        SavedBranch(
            branch.name,
            numbers[branch.parent],
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
    return replace(plain, name=original.name, branches=saved, bookmarks=kept, shown=numbers[shown])


def branches_of(run_file: RunFile) -> Branches:
    """The branches in a file; their ids are their numbers, 0 for the original."""
    original = Branch(0, run_file.name, None, 0, run_file.config)
    others = (
        Branch(number, saved.name, saved.parent, saved.at, saved.config, saved.forced)
        for number, saved in enumerate(run_file.branches, start=1)
    )
    return Branches((original, *others))


def save(path: str | os.PathLike[str], run_file: RunFile) -> None:
    """Write the file; what was there is replaced once the new file is complete, and not touched before."""
    content = f"{json.dumps(data_of(run_file), indent=2, ensure_ascii=False)}\n".encode()
    if len(content) > MAX_FILE_BYTES:
        raise GpvizError(
            f"{shown_path(path)}: it cannot be written; start, script, bookmarks and branches would make it"
            f" {len(content):,} bytes long, and {MAX_FILE_BYTES:,} are allowed."
        )
    write_file(path, content)


def load(path: str | os.PathLike[str]) -> RunFile:
    """What the file says, checked but not replayed; raises `GpvizError` with the file's name."""
    content = read_file(path, MAX_FILE_BYTES)
    with reading(path):
        return run_file_of(parse_json(content))


def data_of(run_file: RunFile) -> dict[str, Any]:
    """What a run file says, ready for JSON."""
    return {
        "format": _FORMAT,
        "version": VERSION,
        "config": run_file.config.as_dict(),
        "start": run_file.start,
        "iterations": run_file.iterations,
        "bookmarks": [{"iteration": mark.iteration, "note": mark.note} for mark in run_file.bookmarks],
        "fingerprint": run_file.fingerprint,
        "name": run_file.name,
        "branches": [_branch_data(run_file, branch) for branch in run_file.branches],
        "shown": run_file.shown,
        "script": format_script(run_file.script, run_file.start_tree),
    }


def _branch_data(run_file: RunFile, branch: SavedBranch) -> dict[str, Any]:
    parent = run_file.branches[branch.parent - 1].config if branch.parent else run_file.config
    before = parent.as_dict()
    return {
        "name": branch.name,
        "parent": branch.parent,
        "at": branch.at,
        "changes": {name: value for name, value in branch.config.as_dict().items() if value != before[name]},
        "forced": [{"iteration": iteration, **mutation._asdict()} for iteration, mutation in branch.forced],
        "iterations": branch.iterations,
        "fingerprint": branch.fingerprint,
    }


def _forced(iteration: int, **mutation: Any) -> tuple[int, Mutation]:
    return iteration, Mutation(**mutation)


_FORCED: Final = Record(
    {
        "iteration": Whole(0, MAX_ITERATIONS),
        "operation": Member(Operation),
        "node": Whole(1, 2**32),
        "variable": Whole(1, MAX_N),
        "function": Member(Function),
        "side": Member(Side),
    },
    frozenset(("iteration", *Mutation._fields)),
    _forced,
)
_BRANCH_FIELDS: Final = {
    **record_of(SavedBranch).fields,
    "changes": Record(dict.fromkeys(CHANGEABLE, Anything()), frozenset()),
    "forced": ListOf(_FORCED),
}
del _BRANCH_FIELDS["config"]
_FIELDS: Final = {
    "format": Anything(),
    "version": Anything(),
    **record_of(RunFile).fields,
    "branches": ListOf(Record(_BRANCH_FIELDS, frozenset(_BRANCH_FIELDS)), MAX_BRANCHES - 1),
    "script": ListOf(Anything()),
}
_RUN: Final = Record(_FIELDS, record_of(RunFile).required)


def run_file_of(data: Any) -> RunFile:
    """What `data_of` has described, checked; raises `GpvizError`."""
    if not isinstance(data, dict):
        raise GpvizError("it is not a run file; it has no keys.")
    if data.get("format") == _LECTURE:
        raise GpvizError("format: it is a lecture, not a run; open it as a lecture.")
    if data.get("format") != _FORMAT:
        raise InvalidValueError("format", data.get("format"), f"{_FORMAT!r} in a run file")
    check_version(data, _VERSIONS)
    values = _RUN.read("", data)
    branches: list[SavedBranch] = []
    for index, branch in enumerate(values.get("branches", ())):
        with within(f"branches[{index}]"):
            configs = [values["config"], *(each.config for each in branches)]
            parent = configs[Whole(0, index).read("parent", branch["parent"])]
            with within("changes"):
                config = parent.replaced(**branch.pop("changes"))
            branches.append(SavedBranch(config=config, **branch))
    values |= {"branches": tuple(branches), "script": parse_script(values.get("script", ()))}
    del values["format"], values["version"]
    return RunFile(**values)


def _check_branches(iterations: int, branches: tuple[SavedBranch, ...]) -> None:
    """Every branch forks from an earlier one, where that one has been; so there are no circles."""
    lengths = [iterations]
    for index, branch in enumerate(branches):
        if branch.parent > index:
            allowed = f"from 0 to {index}, the original or a branch before this one"
            raise InvalidValueError(f"branches[{index}].parent", branch.parent, allowed)
        if branch.at > lengths[branch.parent]:
            allowed = f"at most {lengths[branch.parent]}, the iterations of the branch it forks from"
            raise InvalidValueError(f"branches[{index}].at", branch.at, allowed)
        lengths.append(branch.iterations)
    if sum(lengths) > max(MAX_TOTAL_ITERATIONS, iterations):
        raise GpvizError(
            f"branches: together they have {sum(lengths):,} iterations, but at most "
            f"{MAX_TOTAL_ITERATIONS:,} are allowed."
        )


def start_tree_of(config: RunConfig, start: str) -> Node | None:
    """The tree that a run starts from, None for the empty one; raises `GpvizError` if it is invalid."""
    try:
        tree = parse(start, config.n) if start else None
    except GpvizError as error:
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
