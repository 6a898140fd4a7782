"""The window that guide and paper share: a list with a search field above it, beside what is read."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.dialogs.message_dialogs import bring_up
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed


class ReadingWindow(ReadingOrderFocus, Themed, QWidget):
    """Ctrl+F goes to the search, Return to what it finds first. Esc empties the search, then closes."""

    def __init__(self, content: QWidget, widths: tuple[int, int], parent: QWidget | None) -> None:
        """List and content begin with these widths."""
        super().__init__(parent, Qt.WindowType.Window)
        self.search_field = QLineEdit()
        self.search_field.setClearButtonEnabled(True)
        self.search_field.textChanged.connect(self._fill)
        self.search_field.returnPressed.connect(self._open_first)
        self.back_button, self.forward_button = QToolButton(), QToolButton()
        self.nothing = sentence("muted")
        self.nothing.hide()
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.left = QWidget()
        row = QHBoxLayout()
        row.addWidget(self.back_button)
        row.addWidget(self.forward_button)
        row.addWidget(self.search_field, 1)
        column = column_in(self.left)
        column.addLayout(row)
        column.addWidget(self.nothing)
        column.addWidget(self.list, 1)
        split = QSplitter()
        split.addWidget(self.left)
        split.addWidget(content)
        split.setStretchFactor(1, 1)
        split.setSizes(widths)
        split.setChildrenCollapsible(False)
        QVBoxLayout(self).addWidget(split)
        set_panes(self.search_field, self.list, content)
        self._set_keys({"Ctrl+F": self._focus_search, "Esc": self._leave, "Ctrl+W": self.close})

    def go_back(self) -> None:
        """To what was read before, or what stands before it."""
        raise NotImplementedError

    def go_forward(self) -> None:
        """The other way."""
        raise NotImplementedError

    def _fill(self) -> None:
        """List what the search finds, or everything."""
        raise NotImplementedError

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        raise NotImplementedError

    def _name_search(self, searched: str, tip: str, nothing: str) -> None:
        """Say what is searched, how, and that nothing is found."""
        self.search_field.setPlaceholderText(searched)
        self.search_field.setAccessibleName(searched)
        self.search_field.setToolTip(tip)
        self.nothing.setText(nothing)

    def _set_turning(self, button: QToolButton, sign: str, name: str, keys: str, tip: str) -> None:
        """Let a button and these keys go back or forward."""
        go = self.go_back if button is self.back_button else self.go_forward
        button.setText(sign)
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.clicked.connect(go)
        self._set_keys({keys: go})

    def _set_keys(self, keys: Mapping[str, Callable[[], object]]) -> None:
        for each, act in keys.items():
            QShortcut(QKeySequence(each), self).activated.connect(act)

    def _show_with_focus(self, widget: QWidget) -> None:
        bring_up(self)
        widget.setFocus()

    def _rows(self) -> list[int]:
        """The rows that can be chosen; the others are headings."""
        rows = range(self.list.count())
        return [row for row in rows if self.list.item(row).flags() & Qt.ItemFlag.ItemIsSelectable]

    @Slot()
    def _open_first(self) -> None:
        rows = self._rows()
        if rows:
            self.list.setCurrentRow(rows[0])
            self.list.setFocus()

    @Slot()
    def _focus_search(self) -> None:
        """Let another search be typed over the last one."""
        self.search_field.setFocus()
        self.search_field.selectAll()

    @Slot()
    def _leave(self) -> None:
        if self.search_field.text():
            self.search_field.clear()
        elif self.isFullScreen():
            self.showNormal()
        else:
            self.close()
