"""The field for a query: it offers the words that may stand at the cursor, and underlines where one is wrong."""

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.record.query import completions, word_start
from gpviz.record.query_parser import LONGEST_QUERY

__all__ = ["QueryField"]

_MOST_SHOWN: Final = 9


class QueryField(QLineEdit):
    """A line for a query."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._problem_column: int | None = None
        self.setMaxLength(2 * LONGEST_QUERY)  # one that is too long gets a sentence, and is not cut
        self.setClearButtonEnabled(True)
        self._words = QStringListModel(self)
        self._completer = QCompleter(self._words, self)
        self.popup = QListView()
        self.popup.setUniformItemSizes(True)
        self._completer.setPopup(self.popup)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(_MOST_SHOWN)
        self._completer.setWidget(self)
        self._completer.activated.connect(self._on_word_chosen)
        self.textEdited.connect(self._on_text_edited)

    def set_theme(self, theme: Theme) -> None:
        """Underline in this theme's colours."""
        self._theme = theme
        self.update()

    def set_problem_column(self, column: int | None) -> None:
        """Underline what begins at this column, counted from 1."""
        if column == self._problem_column:
            return
        self._problem_column = column
        self.setProperty("role", None if column is None else "wrong")
        self.style().unpolish(self)
        self.style().polish(self)
        self.update()

    def offered(self) -> list[str]:
        """The words that may stand at the cursor."""
        return completions(self.text(), self.cursorPosition())

    def offer(self) -> None:
        """Show the words that may stand at the cursor, if there are any."""
        words = self.offered()
        popup = self.popup
        if not words:
            popup.hide()
            return
        self._words.setStringList(words)
        area = self.cursorRect()
        width = popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + area.height()
        area.setWidth(width)
        self._completer.complete(area)
        popup.resize(popup.width(), popup.height() + 6)  # its padding

    def event(self, event: QEvent) -> bool:
        # Qt would take the Tab key to go on to the next field before any key is seen.
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Tab
            and self.popup.isVisible()
        ):
            row = max(self.popup.currentIndex().row(), 0)
            self.popup.hide()
            self._on_word_chosen(self._words.stringList()[row])
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self.popup
        key = event.key()
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if popup.isVisible():
            is_chosen = popup.currentIndex().isValid()
            if key == Qt.Key.Key_Escape or (is_chosen and is_enter):
                event.ignore()  # the list does what there is to do
                return
            if is_enter:
                popup.hide()
        if is_enter:
            self.entered.emit()
        elif key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.offer()
        elif key == Qt.Key.Key_Down and not popup.isVisible():
            self.offer()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._problem_column is None:
            return
        text, start = self.text(), self._problem_column - 1
        end = start + 1
        while end < len(text) and (text[end - 1].isalnum() or text[end - 1] == "_") and text[end].isalnum():
            end += 1
        metrics, cursor = self.fontMetrics(), self.cursorRect()
        # The cursor tells how far the text is scrolled.
        origin = cursor.center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left = origin + metrics.horizontalAdvance(text[:start])
        right = max(origin + metrics.horizontalAdvance(text[:end]), left + metrics.averageCharWidth())
        y = cursor.bottom() - 1.0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipRect(self.rect().adjusted(4, 0, -4, 0))
            painter.setPen(QPen(QColor(self._theme.colours.problem), 1.5 * self._theme.line_scale))
            wave = [QPointF(x, y + (1.5 if (x - left) // 3 % 2 else -1.0)) for x in range(left, right + 1, 3)]
            painter.drawPolyline(QPolygonF(wave))

    @Slot(str)
    def _on_text_edited(self, text: str) -> None:
        cursor = self.cursorPosition()
        if word_start(text, cursor) < cursor:
            self.offer()
        else:
            self.popup.hide()

    @Slot(str)
    def _on_word_chosen(self, word: str) -> None:
        text, cursor = self.text(), self.cursorPosition()
        start = word_start(text, cursor)
        rest = text[cursor:]
        gap = "" if rest.startswith(" ") else " "
        self.setText(f"{text[:start]}{word}{gap}{rest}")
        self.setCursorPosition(start + len(word) + 1)
