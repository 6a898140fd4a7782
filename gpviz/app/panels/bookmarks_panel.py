"""The bookmarks panel: iterations worth coming back to, with notes that can be edited in place."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import heading, sentence, show_sentence
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.tables import Column, TableModel
from gpviz.app.widgets.themed import Themed
from gpviz.runs.run_file import Bookmark

_LONGEST_SHOWN: Final = 200
_LONGEST_HINT: Final = 1000
_FEWEST_ROWS: Final = 2
_MOST_ROWS: Final = 8
_EMPTY: Final = "No bookmarks yet."


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
    hint=lambda row: (
        row.bookmark.note[:_LONGEST_HINT] or "Click to go there; F2 or a double click writes a note."
    ),
    edited=lambda row: row.bookmark.note if row.refused is None else row.refused,
    check=lambda row, note: Bookmark(row.bookmark.iteration, note).note,
)


class _List(QListView):
    """A list whose Return key means go there, and whose Delete key means delete."""

    went = Signal(QModelIndex)
    deleted = Signal()

    def sizeHint(self) -> QSize:
        """Room for the rows there are, within reason; more of them scroll."""
        rows = min(max(self.model().rowCount(), _FEWEST_ROWS), _MOST_ROWS)
        height = max(self.sizeHintForRow(0), self.fontMetrics().height())
        return QSize(super().sizeHint().width(), rows * height + 2 * self.frameWidth() + 4)

    def minimumSizeHint(self) -> QSize:
        height = max(self.sizeHintForRow(0), self.fontMetrics().height())
        return QSize(super().minimumSizeHint().width(), _FEWEST_ROWS * height + 2 * self.frameWidth() + 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            event.accept()  # the Return that ends an edit is meant for the editor alone
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.went.emit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.deleted.emit()
        else:
            super().keyPressEvent(event)


class BookmarksPanel(Themed, QWidget):
    """The list of bookmarks. It shows what it is given, and says what a person would like to change."""

    bookmark_chosen = Signal(int)
    bookmark_removed = Signal(int)
    note_changed = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._refused: dict[int, str] = {}  # by iteration, so that the next attempt can go on from there
        self._model = TableModel([_COLUMN], parent=self)
        self.list = _List()
        self.list.setModel(self._model)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Bookmarks")
        self.list.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.empty_label = sentence("muted", text=_EMPTY)
        self.problem = sentence("problem")
        self.add_button = QPushButton("Bookmark this iteration")
        self.add_button.setToolTip("Bookmark this iteration, to come back to it.")
        self.remove_button = QPushButton("Delete")
        self.remove_button.setToolTip("Delete the selected bookmark (Del).")
        for button in (self.add_button, self.remove_button):
            button.setAccessibleName(button.text())

        buttons = row_of((self.add_button, 1), self.remove_button, spacing=8)
        title = heading("BOOKMARKS")
        column_in(self, title, self.empty_label, self.list, self.problem, buttons, spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        show_sentence(self.problem, "")
        self._refresh()

        self.list.clicked.connect(self._on_chosen)
        self.list.went.connect(self._on_chosen)
        self.list.deleted.connect(self._on_delete)
        self.list.selectionModel().selectionChanged.connect(self._refresh)
        self.remove_button.clicked.connect(self._on_delete)
        self._model.text_typed.connect(self._on_note_typed)
        self._model.text_refused.connect(self._on_note_refused)

    def set_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show these bookmarks; the selected one stays selected, or else the one that took its place."""
        shown = tuple(bookmarks)
        if shown == self._bookmarks:
            return
        row = self.list.currentIndex().row()
        selected = self._bookmarks[row].iteration if row >= 0 else None
        self._bookmarks = shown
        kept = {bookmark.iteration for bookmark in shown}
        self._refused = {iteration: note for iteration, note in self._refused.items() if iteration in kept}
        self._model.show_rows(self._rows())
        if selected is not None and shown:
            places = [place for place, bookmark in enumerate(shown) if bookmark.iteration == selected]
            self.list.setCurrentIndex(self._model.index(places[0] if places else min(row, len(shown) - 1), 0))
        self.list.updateGeometry()
        self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        """The rows are as high as the theme's type."""
        self.list.updateGeometry()

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.bookmark_chosen.emit(self._bookmarks[index.row()].iteration)

    @Slot()
    def _on_delete(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            show_sentence(self.problem, "")
            self.bookmark_removed.emit(self._bookmarks[index.row()].iteration)

    def _rows(self) -> list[_Row]:
        return [_Row(bookmark, self._refused.get(bookmark.iteration)) for bookmark in self._bookmarks]

    @Slot(int, str)
    def _on_note_typed(self, row: int, note: str) -> None:
        bookmark = self._bookmarks[row]
        self._refused.pop(bookmark.iteration, None)
        self._model.update_rows(self._rows())
        show_sentence(self.problem, "")
        if note != bookmark.note:
            self.note_changed.emit(bookmark.iteration, note)

    @Slot(int, str, str)
    def _on_note_refused(self, row: int, note: str, problem: str) -> None:
        self._refused[self._bookmarks[row].iteration] = note
        self._model.update_rows(self._rows())
        show_sentence(self.problem, f"{problem} Press F2 to edit it again.")

    @Slot()
    def _refresh(self) -> None:
        is_empty = not self._bookmarks
        self.empty_label.setVisible(is_empty)
        self.list.setVisible(not is_empty)
        self.remove_button.setVisible(not is_empty)
        self.remove_button.setEnabled(self.list.currentIndex().isValid())
