"""The page of bookmarks: iterations worth coming back to, with notes that are edited in place."""

from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QPushButton, QWidget

from gpviz.app.key_text import key_text
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.page_head import PAGE_MARGINS, PageHead
from gpviz.app.widgets.fields import sentence, show_sentence
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.tables import Column, TableModel
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark

_LONGEST_SHOWN: Final = 200
_LONGEST_HINT: Final = 1000
_NONE: Final = "No bookmarks yet. B bookmarks the iteration on show."
_HOW: Final = key_text("Enter or a click goes there, F2 writes a note, Del deletes it.")


def bookmark_text(bookmark: Bookmark) -> str:
    """The bookmark in one line, such as ``t = 57 · first ∨ accepted``."""
    note = " ".join(bookmark.note[:_LONGEST_SHOWN].split())
    return f"t = {bookmark.iteration:,}" + (f" · {note}" if note else "")


class _Row(NamedTuple):
    """A bookmark, and a note that was typed for it and refused."""

    bookmark: Bookmark
    refused: str | None


_COLUMN: Final[Column[_Row]] = Column(
    "bookmark",
    lambda row: bookmark_text(row.bookmark),
    hint=lambda row: row.bookmark.note[:_LONGEST_HINT] or _HOW,
    edited=lambda row: row.bookmark.note if row.refused is None else row.refused,
    check=lambda row, note: Bookmark(row.bookmark.iteration, note).note,
)


class _List(QListView):
    """A list whose Return key means go there, and whose Delete key means delete."""

    went = Signal(QModelIndex)
    deleted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            event.accept()  # the Return that ends an edit is meant for the editor alone
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.went.emit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.deleted.emit()
        else:
            super().keyPressEvent(event)


class BookmarksPage(Page):
    """The bookmarks of the document; while what comes next is to be guessed, those up to the cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listed: tuple[Bookmark, ...] = ()
        self._refused: dict[int, str] = {}  # by iteration, so that the next attempt can go on from there
        self._is_ahead_hidden = False
        self._model = TableModel([_COLUMN], parent=self)
        self.head = PageHead()
        self.list = _List()
        self.list.setModel(self._model)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Bookmarks")
        self.problem = sentence("problem")
        self.add_button = QPushButton("Bookmark this iteration")
        self.add_button.setToolTip(key_text("Bookmark this iteration, to come back to it (B)."))
        self.remove_button = QPushButton("Delete")
        self.remove_button.setToolTip(key_text("Delete the selected bookmark (Del)."))
        for button in (self.add_button, self.remove_button):
            button.setAccessibleName(button.text())
        buttons = row_of(self.add_button, None, self.remove_button, spacing=8)
        column_in(self, self.head, buttons, self.problem, (self.list, 1), spacing=8, margins=PAGE_MARGINS)
        policy = self.list.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that what is above it stays there
        self.list.setSizePolicy(policy)
        show_sentence(self.problem, "")
        self._refresh()
        self.list.clicked.connect(self._on_chosen)
        self.list.went.connect(self._on_chosen)
        self.list.deleted.connect(self._on_delete)
        self.list.selectionModel().selectionChanged.connect(self._refresh)
        self.add_button.clicked.connect(self._on_add)
        self.remove_button.clicked.connect(self._on_delete)
        self._model.text_typed.connect(self._on_note_typed)
        self._model.text_refused.connect(self._on_note_refused)

    def connect_to(self, context: PageContext) -> None:
        super().connect_to(context)
        context.document.bookmarks_changed.connect(self._show_bookmarks)
        self._show_bookmarks()

    def show_moment(self, history: History, iteration: int) -> None:
        if history is not self.history:
            self._refused.clear()
            show_sentence(self.problem, "")
        super().show_moment(history, iteration)
        self._show_bookmarks()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        self._is_ahead_hidden = is_hidden
        self._show_bookmarks()

    @Slot()
    def _show_bookmarks(self) -> None:
        """The selected one stays selected, or else the one that took its place is."""
        cursor = self.context.player.cursor
        shown = tuple(
            bookmark
            for bookmark in self.context.document.bookmarks
            if not self._is_ahead_hidden or bookmark.iteration <= cursor
        )
        self.add_button.setEnabled(all(bookmark.iteration != cursor for bookmark in shown))
        if shown == self._listed:
            return
        row = self.list.currentIndex().row()
        selected = self._listed[row].iteration if row >= 0 else None
        self._listed = shown
        iterations = [bookmark.iteration for bookmark in shown]
        self._refused = {at: note for at, note in self._refused.items() if at in iterations}
        self._model.show_rows(self._rows())
        if selected is not None and shown:
            self._select(iterations.index(selected) if selected in iterations else min(row, len(shown) - 1))
        self._refresh()

    def _rows(self) -> list[_Row]:
        return [_Row(bookmark, self._refused.get(bookmark.iteration)) for bookmark in self._listed]

    def _select(self, row: int) -> None:
        self.list.setCurrentIndex(self._model.index(row, 0))

    @Slot()
    def _refresh(self) -> None:
        has_some = bool(self._listed)
        self.head.show_text("Bookmarks", _HOW if has_some else _NONE)
        self.list.setVisible(has_some)
        self.remove_button.setVisible(has_some)
        self.remove_button.setEnabled(self.list.currentIndex().isValid())

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.context.player.go_to(self._listed[index.row()].iteration)

    @Slot()
    def _on_add(self) -> None:
        cursor = self.context.player.cursor
        self.context.document.add_bookmark(cursor)
        self._select([bookmark.iteration for bookmark in self._listed].index(cursor))

    @Slot()
    def _on_delete(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            show_sentence(self.problem, "")
            self.context.document.remove_bookmark(self._listed[index.row()].iteration)

    @Slot(int, str)
    def _on_note_typed(self, row: int, note: str) -> None:
        bookmark = self._listed[row]
        self._refused.pop(bookmark.iteration, None)
        self._model.update_rows(self._rows())
        show_sentence(self.problem, "")
        self.context.document.set_note(bookmark.iteration, note)

    @Slot(int, str, str)
    def _on_note_refused(self, row: int, note: str, problem: str) -> None:
        self._refused[self._listed[row].iteration] = note
        self._model.update_rows(self._rows())
        show_sentence(self.problem, f"{problem} Press F2 to edit it again.")
