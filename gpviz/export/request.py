"""What is to be taken away of a run: which thing, of which iterations, how it is to look, and where it goes."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gpviz.record.codes import Property, has_property
from gpviz.record.history import History

__all__ = ["Every", "ExportRequest", "OnProgress", "What", "iterations_of"]

OnProgress = Callable[[int, int], object]
"""Told how much is done, and of how much; if it returns True the export ends with `Cancelled`."""


class What(StrEnum):
    """The things that can be taken away."""

    TREE = "tree"
    CURVES = "curves"
    TABLE = "table"
    FILM = "film"
    SLIDES = "slides"
    PAGE = "page"
    LOG = "log"


class Every(StrEnum):
    """Which iterations of a range."""

    ALL = "all"
    ACCEPTED = "accepted"
    IMPROVED = "improved"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """One export. ``at`` is the iteration of a picture, ``first`` and ``last`` are those of everything else.

    ``width`` and ``height`` are pixels before ``scale``; ``pace`` is how many steps a film shows in a second.
    """

    what: What
    path: Path
    at: int
    first: int
    last: int
    every: Every = Every.ALL
    theme: str = "light"
    width: int = 1280
    height: int = 720
    scale: float = 1.0
    pace: float = 1.0
    is_fragment: bool = False


def iterations_of(history: History, first: int, last: int, every: Every) -> list[int]:
    """The iterations of a range that are wanted, the first of it always among them."""
    if every is Every.ALL:
        return list(range(first, last + 1))
    wanted = Property.CHANGED if every is Every.ACCEPTED else Property.IMPROVED
    after = max(first + 1, 1)
    found = has_property(history.codes(after, last + 1), wanted).nonzero()[0]
    return [first, *(found + after).tolist()]
