"""Run files, ``*.gpviz``: a saved run and its bookmarks as JSON, to be opened and replayed.

A run is what its configuration makes it, so the file need not hold its log; the fingerprint proves that what is
replayed is what was saved. A file may come from a stranger: it is parsed and checked, never executed.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from gpviz.engine.config import RunConfig, is_usual
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.errors import FormulaError, GpvizError, InvalidValueError, shown
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.mutation import Mutation
from gpviz.engine.mutation_script import Script, check_script, format_script, parse_script
from gpviz.engine.settings import SETTINGS
from gpviz.engine.tree import Node, nodes_of
from gpviz.engine.whole_number import whole_number
from gpviz.files.file_io import read_file, reading, shown_path, write_file
from gpviz.files.strict_json import check_keys, checked_version, parse_json
from gpviz.runs.bookmarks import Bookmark, exact_number
from gpviz.runs.branches import (
    CHANGEABLE,
    MAX_BRANCHES,
    MAX_TOTAL_ITERATIONS,
    ORIGINAL_NAME,
    Branch,
    Branches,
    checked_name,
)
from gpviz.runs.history import MAX_ITERATIONS, History

VERSION: Final = 4
_VERSION_WITHOUT_SCRIPT: Final = 3
_FORMAT: Final = "gpviz-run"
_LECTURE: Final = "gpviz-lecture"
_PLAIN_KEYS: Final = ("format", "version", "config", "start", "iterations", "bookmarks", "fingerprint")
_KEYS_WITHOUT_SCRIPT: Final = (*_PLAIN_KEYS, "name", "branches", "shown")
_KEYS: Final = (*_KEYS_WITHOUT_SCRIPT, "script")
_BRANCH_KEYS: Final = ("name", "parent", "at", "changes", "forced", "iterations", "fingerprint")
_FORCED_KEYS: Final = ("iteration", *Mutation._fields)
MAX_FILE_BYTES: Final = 16_000_000
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


def _with_branches(data: dict[str, Any]) -> dict[str, Any]:
    """Version 2 brought branches."""
    check_keys("", data, _PLAIN_KEYS)
    return {**data, "name": ORIGINAL_NAME, "branches": [], "shown": 0}


def _with_nodes_from_1(data: dict[str, Any]) -> dict[str, Any]:
    """Version 3 counts the nodes of mutations by hand from 1, as everything else does; before, the root was 0.

    What is not as it should be is left for the checks that follow.
    """

    def renumbered(forced: Any) -> Any:
        node = forced.get("node") if isinstance(forced, dict) else None
        return {**forced, "node": node + 1} if type(node) is int else forced

    def branch(saved: Any) -> Any:
        forced = saved.get("forced") if isinstance(saved, dict) else None
        return (
            {**saved, "forced": [renumbered(each) for each in forced]} if isinstance(forced, list) else saved
        )

    branches = data.get("branches")
    return {**data, "branches": [branch(each) for each in branches]} if isinstance(branches, list) else data


def _with_script(data: dict[str, Any]) -> dict[str, Any]:
    """Version 4 brought scripts."""
    check_keys("", data, _KEYS_WITHOUT_SCRIPT)
    return {**data, "script": []}


MIGRATIONS: Final[dict[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    1: _with_branches,
    2: _with_nodes_from_1,
    3: _with_script,
}
"""For each older version the function that turns its data into that of the next one."""


def save(path: str | os.PathLike[str], run_file: RunFile) -> None:
    """Write the file; what was there is replaced once the new file is complete, and not touched before."""
    content = f"{json.dumps(data_of(run_file), indent=2, ensure_ascii=False)}\n".encode()
    if len(content) > MAX_FILE_BYTES:
        raise GpvizError(
            f"{shown_path(path)}: it cannot be written; start, script, bookmarks and branches would make it"
            f" {len(content):,} bytes long, and {MAX_FILE_BYTES:,} are allowed."
        )
    write_file(path, content)


def data_of(run_file: RunFile) -> dict[str, Any]:
    """What a run file says, ready for JSON.

    A run without branches is written as version 1, so that every gpviz can open it, and one without a script is
    not written as version 4.
    """
    is_plain = run_file.is_plain and not run_file.script
    version = 1 if is_plain else VERSION if run_file.script else _VERSION_WITHOUT_SCRIPT
    data: dict[str, Any] = {
        "format": _FORMAT,
        "version": version,
        "config": _config_data(run_file.config),
        "start": run_file.start,
        "iterations": run_file.iterations,
        "bookmarks": [{"iteration": mark.iteration, "note": mark.note} for mark in run_file.bookmarks],
        "fingerprint": run_file.fingerprint,
    }
    if not is_plain:
        data["name"] = run_file.name
        data["branches"] = [_branch_data(run_file, branch) for branch in run_file.branches]
        data["shown"] = run_file.shown
    if run_file.script:
        data["script"] = format_script(run_file.script, run_file.start_tree)
    return data


def load(path: str | os.PathLike[str]) -> RunFile:
    """What the file says, checked but not replayed; raises `GpvizError` with the file's name."""
    content = read_file(path, MAX_FILE_BYTES)
    with reading(path):
        return run_file_of(parse_json(content))


def run_file_of(data: Any) -> RunFile:
    """What `data_of` has described, checked; raises `GpvizError`."""
    return _run_file(_as_current(data))


def _as_current(data: Any) -> dict[str, Any]:
    """The data of a file of any known version, as a file of the present version would have it."""
    if not isinstance(data, dict):
        raise GpvizError("it is not a run file; it has no keys.")
    if data.get("format") == _LECTURE:
        raise GpvizError("format: it is a lecture, not a run; open it as a lecture.")
    if data.get("format") != _FORMAT:
        raise InvalidValueError("format", data.get("format"), f"{_FORMAT!r} in a run file")
    version = checked_version(data, VERSION, f"a whole number from 1 to {VERSION}")
    current: dict[str, Any] = data
    for older in range(version, VERSION):
        current = MIGRATIONS[older](current)
    return current


def _run_file(data: dict[str, Any]) -> RunFile:
    check_keys("", data, _KEYS)
    for key in ("bookmarks", "branches", "script"):
        if not isinstance(data[key], list):
            raise InvalidValueError(key, data[key], "a list")
    if len(data["branches"]) >= MAX_BRANCHES:
        raise GpvizError(
            f"branches: there are {len(data['branches'])}; with the original, {MAX_BRANCHES} are allowed."
        )
    config = _config("config", data["config"])
    branches: list[SavedBranch] = []
    for index, branch in enumerate(data["branches"]):
        branches.append(_branch(f"branches[{index}]", branch, [config, *(each.config for each in branches)]))
    return RunFile(
        config,
        data["start"],
        data["iterations"],
        tuple(_bookmark(f"bookmarks[{index}]", mark) for index, mark in enumerate(data["bookmarks"])),
        data["fingerprint"],
        data["name"],
        tuple(branches),
        data["shown"],
        parse_script(data["script"]),
    )


def _config_data(config: RunConfig) -> dict[str, Any]:
    """The settings that a file names: those of the first version, and later ones where they are not as usual."""
    data = config.as_dict()
    named = (row for row in SETTINGS if row.is_from_first_version or not is_usual(row, config))
    return {row.name: data[row.name] for row in named}


def _config(name: str, data: Any) -> RunConfig:
    given = data if isinstance(data, dict) else {}
    check_keys(
        name, data, tuple(row.name for row in SETTINGS if row.is_from_first_version or row.name in given)
    )
    try:
        config = RunConfig.from_dict(data)
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error
    for key, value in config.as_dict().items():
        # A person may type "8" where a number is asked for, but what gpviz has written is 8.
        if key in data and (type(data[key]) is not type(value) or data[key] != value):
            raise InvalidValueError(f"{name}.{key}", data[key], f"written as {shown(value)}")
    return config


def _branch_data(run_file: RunFile, branch: SavedBranch) -> dict[str, Any]:
    parent = run_file.branches[branch.parent - 1].config if branch.parent else run_file.config
    before = parent.as_dict()
    return {
        "name": branch.name,
        "parent": branch.parent,
        "at": branch.fork,
        "changes": {name: value for name, value in branch.config.as_dict().items() if value != before[name]},
        "forced": [{"iteration": iteration, **mutation._asdict()} for iteration, mutation in branch.forced],
        "iterations": branch.iterations,
        "fingerprint": branch.fingerprint,
    }


def _branch(name: str, data: Any, configs: list[RunConfig]) -> SavedBranch:
    """A branch, given the configurations of the original and the branches before it."""
    check_keys(name, data, _BRANCH_KEYS)
    try:
        parent = exact_number("parent", data["parent"], len(configs) - 1)
        forced = data["forced"]
        if not isinstance(forced, list):
            raise InvalidValueError("forced", forced, "a list")
        return SavedBranch(
            data["name"],
            parent,
            data["at"],
            _changed(data["changes"], configs[parent]),
            tuple(_forced(f"forced[{index}]", each) for index, each in enumerate(forced)),
            data["iterations"],
            data["fingerprint"],
        )
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error


def _changed(changes: Any, config: RunConfig) -> RunConfig:
    if not isinstance(changes, dict):
        raise InvalidValueError("changes", changes, "an object with settings")
    for key in changes:
        if key not in CHANGEABLE:
            raise GpvizError(f"changes: {shown(key)} cannot change; only {', '.join(CHANGEABLE)} can.")
    return _config("changes", {**config.as_dict(), **changes})


def _forced(name: str, data: Any) -> tuple[int, Mutation]:
    check_keys(name, data, _FORCED_KEYS)
    words = [
        _word(f"{name}.{key}", data[key], kind)
        for key, kind in (("operation", Operation), ("function", Function), ("side", Side))
    ]
    operation, function, side = words
    mutation = Mutation(Operation(operation), data["node"], data["variable"], Function(function), Side(side))
    return data["iteration"], mutation


def _word(name: str, value: Any, kind: type[StrEnum]) -> str:
    words = [str(each.value) for each in kind]
    if not isinstance(value, str) or value not in words:
        raise InvalidValueError(name, value, " or ".join(repr(word) for word in words))
    return value


def _bookmark(name: str, data: Any) -> Bookmark:
    check_keys(name, data, ("iteration", "note"))
    try:
        return Bookmark(data["iteration"], data["note"])
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error
