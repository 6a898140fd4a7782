"""The document on show: what is said about the run, where it is saved, its bookmarks, and what would be lost."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpviz.runs.branches import ORIGINAL_NAME, Branches
from gpviz.runs.run_file import Bookmark, RunFile, save


class Document(QObject):
    """Bookmarks, branches and file of the run on show: only what a person made by hand can be lost."""

    changed = Signal()
    bookmarks_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.title = ""
        self.explanation = ""
        self.bookmarks: tuple[Bookmark, ...] = ()
        self.branches: Branches | None = None
        self.is_modified = False

    @property
    def would_lose_something(self) -> bool:
        return self.is_modified and (bool(self.bookmarks) or self.has_branches)

    @property
    def has_branches(self) -> bool:
        """Whether a person has made branches, or given the run a name as one."""
        branches = self.branches
        return branches is not None and (len(branches) > 1 or branches.original.name != ORIGINAL_NAME)

    def start_anew(
        self,
        path: Path | None = None,
        bookmarks: tuple[Bookmark, ...] = (),
        *,
        is_modified: bool = False,
        title: str = "",
        explanation: str = "",
    ) -> None:
        """Another run is on show, one just begun or one from a file; somebody may have said what to see in it."""
        self.path = path
        self.title = title
        self.explanation = explanation
        self._set_bookmarks(bookmarks, is_modified=is_modified)

    def explain(self, explanation: str) -> None:
        """Say this about the run on show."""
        self.explanation = explanation
        self.changed.emit()

    def set_branches(self, branches: Branches) -> None:
        """The branches of the run are these now."""
        if branches != self.branches:
            self.branches = branches
            self.is_modified = True
            self.changed.emit()

    def save_as(self, path: Path, run_file: RunFile) -> None:
        """Save the run so far; raises `GpvizError` and changes nothing if that cannot be done."""
        save(path, run_file)
        self.path = path
        self.is_modified = False
        self.changed.emit()

    def add_bookmark(self, iteration: int, note: str = "") -> bool:
        """Mark an iteration; False if it is marked already."""
        if any(mark.iteration == iteration for mark in self.bookmarks):
            return False
        marks = sorted((*self.bookmarks, Bookmark(iteration, note)), key=lambda mark: mark.iteration)
        self._set_bookmarks(tuple(marks), is_modified=True)
        return True

    def remove_bookmark(self, iteration: int) -> None:
        """Unmark an iteration."""
        kept = tuple(mark for mark in self.bookmarks if mark.iteration != iteration)
        if kept != self.bookmarks:
            self._set_bookmarks(kept, is_modified=True)

    def set_note(self, iteration: int, note: str) -> None:
        """Write about a marked iteration."""
        marks = tuple(
            replace(mark, note=note) if mark.iteration == iteration else mark for mark in self.bookmarks
        )
        if marks != self.bookmarks:
            self._set_bookmarks(marks, is_modified=True)

    def _set_bookmarks(self, bookmarks: tuple[Bookmark, ...], *, is_modified: bool) -> None:
        self.bookmarks = bookmarks
        self.is_modified = is_modified
        self.bookmarks_changed.emit()
        self.changed.emit()
