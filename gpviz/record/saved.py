"""What is saved of a run: its configuration, start and length, which determine it, and a proof of the rest."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import FormulaError, GpvizError, InvalidValueError
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.tree import Node, nodes_of
from gpviz.record.bookmarks import Bookmark, exact_number
from gpviz.record.history import History
from gpviz.record.limits import MAX_ITERATIONS

__all__ = ["RunFile", "describe"]

_FINGERPRINT: Final = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class RunFile:
    """What a run file says, checked on creation. ``start`` is a formula, or empty for the empty tree."""

    config: RunConfig
    start: str
    iterations: int
    bookmarks: tuple[Bookmark, ...]
    fingerprint: str
    start_tree: Node | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact_number("iterations", self.iterations, MAX_ITERATIONS)
        for index, bookmark in enumerate(self.bookmarks):
            if bookmark.iteration > self.iterations:
                allowed = f"at most {self.iterations}, the iterations of the run"
                raise InvalidValueError(f"bookmarks[{index}].iteration", bookmark.iteration, allowed)
        _check_fingerprint(self.fingerprint)
        object.__setattr__(self, "start_tree", _start_tree(self.config, self.start))


def describe(history: History, bookmarks: Iterable[Bookmark] = ()) -> RunFile:
    """The run so far, ready to be saved. Its start must have been parsed, for the sake of its uids."""
    run_file = RunFile(
        history.config,
        format_formula(history.start),
        len(history),
        tuple(bookmarks),
        history.fingerprint(),
    )
    if _uids(run_file.start_tree) != _uids(history.start):
        raise ValueError("a run can only be saved if its start was parsed from a formula")
    return run_file


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
