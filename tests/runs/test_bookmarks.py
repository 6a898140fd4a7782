"""A bookmark is an iteration and a note, both within limits."""

from typing import Any

import pytest

from gpviz.engine.errors import InvalidValueError
from gpviz.runs.bookmarks import MAX_NOTE_LENGTH, Bookmark
from gpviz.runs.history import MAX_ITERATIONS


def test_the_largest_bookmark_is_allowed():
    bookmark = Bookmark(MAX_ITERATIONS, "∧" * MAX_NOTE_LENGTH)
    assert (bookmark.iteration, len(bookmark.note)) == (MAX_ITERATIONS, MAX_NOTE_LENGTH)


@pytest.mark.parametrize("iteration", [-1, MAX_ITERATIONS + 1, 1.0, "1", True, None])
def test_an_iteration_that_is_none_is_refused(iteration: Any):
    with pytest.raises(InvalidValueError, match=r"^iteration: .* a whole number from 0 to 10000000\.$"):
        Bookmark(iteration, "")


@pytest.mark.parametrize("note", [None, 5, b"note", "x" * (MAX_NOTE_LENGTH + 1), "\ud800"])
def test_a_note_that_is_no_short_text_is_refused(note: Any):
    with pytest.raises(InvalidValueError, match=r"^note: .* a text of at most 10000 characters"):
        Bookmark(0, note)


def test_a_bookmark_never_changes():
    with pytest.raises(AttributeError):
        Bookmark(1, "here").note = "there"  # type: ignore[misc]  # that is the point
