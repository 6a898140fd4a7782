"""Bookmarks: iterations worth coming back to, each with a note."""

from dataclasses import dataclass
from typing import Annotated, Final

from gpviz.files.reader import Text, Whole, check_fields
from gpviz.runs.history import MAX_ITERATIONS

MAX_NOTE_LENGTH: Final = 10_000


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An iteration, 0 for the start, and what a person wrote about it."""

    iteration: Annotated[int, Whole(0, MAX_ITERATIONS)]
    note: Annotated[str, Text(MAX_NOTE_LENGTH, has_controls=True)] = ""

    def __post_init__(self) -> None:
        check_fields(self)
