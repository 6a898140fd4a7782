"""The two algorithms as lines of pseudocode, in our own layout and fitted to the settings of a run."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from gpviz.engine import UNICODE, RunConfig
from gpviz.number_text import counted, number_text

_PARTS: Final = re.compile(r"\*(?P<keyword>[^*]+)\*|\[(?P<name>\w+):(?P<unknown>[^\]]*)\]|(?P<text>[^*\[]+)")
"""In the drafts below: ``*keyword*`` and ``[name:what stands there while the value is unknown]``."""
_Draft = tuple[str, int, str]


class Code(StrEnum):
    """Which of the two algorithms."""

    SEARCH = "RLS-GP"
    MUTATION = "HVL-Prime"


class Ink(StrEnum):
    """What a part of a line is, and so how it is set."""

    TEXT = "text"
    KEYWORD = "keyword"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line. A value has a name; once it is known it stands in the place of ``text``."""

    ink: Ink
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of pseudocode; ``key`` names it whatever its number."""

    key: str
    number: int
    indent: int
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The line with no value filled in."""
        words = [part.text.strip() for part in self.parts]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Listing:
    """One algorithm: its name, a remark for its heading, and its lines."""

    code: Code
    title: str
    remark: str
    lines: tuple[Line, ...]

    def line(self, key: str) -> Line | None:
        """The line of this key, where the algorithm has one with these settings."""
        return next((line for line in self.lines if line.key == key), None)


@lru_cache(maxsize=64)
def listings_of(config: RunConfig, *, has_start: bool = False) -> tuple[Listing, Listing]:
    """The search and its mutation, as a run with these settings does them."""
    limit = config.max_leaves
    size = "no limit" if limit is None else f"at most {counted(limit, 'leaf')}"
    deletion = "subtree deletion" if config.has_subtree_deletion else "leaf-only deletion"
    return (
        Listing(Code.SEARCH, Code.SEARCH.value, size, _set(_search(config, has_start=has_start))),
        Listing(Code.MUTATION, f"{Code.MUTATION} (X)", deletion, _set(_mutation(config))),
    )


def _search(config: RunConfig, *, has_start: bool) -> list[_Draft]:
    drafts = [
        ("start", 0, f"X ← {'the given tree' if has_start else 'the empty tree'}"),
        ("loop", 0, "*for* t = [t:1, 2, 3, …]"),
    ]
    if config.rows is not None:
        rows = counted(config.rows, "row")
        drafts.append(("rows", 1, f"*draw* {rows} afresh"))
    drafts.append(("call", 1, "X′ ← HVL-Prime (X)"))
    errors = "error (X′) [offspring:] ≤ error (X) [parent:]"
    if config.max_leaves is None:
        drafts.append(("errors", 1, f"*if* {errors}"))
    else:
        limit = number_text(config.max_leaves)
        drafts.append(("size", 1, f"*if* leaves (X′) [leaves:] ≤ {limit}"))
        drafts.append(("errors", 1, f"*and* {errors}"))
    drafts.append(("accept", 2, "X ← X′ [accepted:]"))
    drafts.append(("reject", 1, "*else* keep X [rejected:]"))
    return drafts


def _mutation(config: RunConfig) -> list[_Draft]:
    functions = ", ".join(UNICODE.function(function) for function in config.functions)
    names = [UNICODE.variable(number) for number in range(1, min(config.n, 3) + 1)]
    if config.n > 3:
        names[1:] = ["…", UNICODE.variable(config.n)]
    planting = "X ← the leaf [leaf:l]"
    if config.empty_tree != "any":
        planting = f"*if* op = INS *then* {planting}"
    pool = "node" if config.has_subtree_deletion else "leaf"
    return [
        ("operation", 0, "*draw* op [operation:] from INS, DEL, SUB"),
        ("leaf", 0, f"*draw* l [leaf:] from {', '.join(names)}"),
        ("function", 0, f"*draw* f [function:] from {functions}"),
        ("empty", 0, "*if* X is empty"),
        ("plant", 1, planting),
        ("ins", 0, "*else if* op = INS"),
        ("ins_choose", 1, "*choose* a node x [node:]"),
        (
            "ins_build",
            1,
            "put [function:f] over x [x:] and l [leaf:] [side:in any order]",
        ),
        ("del", 0, "*else if* op = DEL"),
        ("del_choose", 1, f"*choose* a {pool} x [node:]"),
        ("del_build", 1, "x's parent [above:] gives way to x's sibling [sibling:]"),
        ("sub", 0, "*else if* op = SUB"),
        ("sub_choose", 1, "*choose* a leaf x [node:]"),
        ("sub_build", 1, "put l [leaf:] in the place of x [x:]"),
        ("return", 0, "*return* X"),
    ]


def _set(drafts: list[_Draft]) -> tuple[Line, ...]:
    return tuple(
        Line(key, number, indent, _parts(draft)) for number, (key, indent, draft) in enumerate(drafts, 1)
    )


def _parts(draft: str) -> tuple[Part, ...]:
    parts = []
    for found in _PARTS.finditer(draft):
        if found["keyword"] is not None:
            parts.append(Part(Ink.KEYWORD, found["keyword"]))
        elif found["name"] is not None:
            parts.append(Part(Ink.VALUE, found["unknown"], found["name"]))
        else:
            parts.append(Part(Ink.TEXT, found["text"]))
    return tuple(parts)
