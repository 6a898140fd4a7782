"""Bookmarks: iterations worth coming back to, each with a note."""

from dataclasses import dataclass
from typing import Final

from gpviz.engine.errors import InvalidValueError
from gpviz.engine.whole_number import whole_number
from gpviz.runs.history import MAX_ITERATIONS

MAX_NOTE_LENGTH: Final = 10_000


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An iteration, 0 for the start, and what a person wrote about it."""

    iteration: int
    note: str = ""

    def __post_init__(self) -> None:
        exact_number("iteration", self.iteration, MAX_ITERATIONS)
        allowed = f"a text of at most {MAX_NOTE_LENGTH} characters"
        if not isinstance(self.note, str):
            raise InvalidValueError("note", self.note, allowed)
        if len(self.note) > MAX_NOTE_LENGTH:
            raise InvalidValueError("note", self.note, f"{allowed}, not {len(self.note)}")
        if not _is_unicode(self.note):
            raise InvalidValueError("note", self.note, f"{allowed}, and half a surrogate pair is none")


def exact_number(field: str, value: object, most: int) -> int:
    """The value if it is an int from 0 to ``most``; unlike `whole_number` it takes no text for a number."""
    if isinstance(value, str):
        raise InvalidValueError(field, value, f"a whole number from 0 to {most}")
    return whole_number(field, value, 0, most)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
