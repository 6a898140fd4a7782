"""The dialog that shows all keys, in large type and searchable."""

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QTextBrowser, QWidget

from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import column_of
from gpviz.app.widgets.themed import Themed

KeySection = tuple[str, Sequence[tuple[str, str]]]
"""A title, and its keys with what they do."""

_ARROWS: Final = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓"}
_TYPE: Final = 1.3
_COLUMN: Final = 52
"""The width of a column of keys, in sizes of the type."""
_SHARE_OF_SCREEN: Final = (0.95, 0.85)


class KeysDialog(Themed, QDialog):
    """All keys by section, in two columns where it is wide. Typing narrows them down; Esc closes."""

    def __init__(self, sections: Sequence[KeySection], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self._sections = [
            (title, [(_with_arrows(keys), effect, f"{keys} {effect}") for keys, effect in rows])
            for title, rows in sections
        ]
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Search by key or by what it does")
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setAccessibleName("Search")
        self.search_field.setToolTip("Show only the keys whose name or effect contains this text.")
        self.search_field.textChanged.connect(self._show_keys)
        self.list = QTextBrowser()
        self.list.setAccessibleName("All keys")
        self.list.setProperty("role", "text")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.setLayout(column_of(self.search_field, (self.list, 1), buttons, spacing=12))
        self.follow_theme()
        self.search_field.setFocus()

    def apply_theme(self, theme: Theme) -> None:
        """Large type: the keys are read from the back of a hall."""
        self.search_field.setFont(theme.font(_TYPE))
        self.list.document().setDefaultFont(theme.font(_TYPE))
        self._show_keys()

    def showEvent(self, event: QShowEvent) -> None:
        """Open as large as all keys want, within the screen; only now the list knows how high they are."""
        if not event.spontaneous():
            screen = self.screen().availableGeometry()
            width, height = (
                round(share * side)
                for share, side in zip(_SHARE_OF_SCREEN, (screen.width(), screen.height()), strict=True)
            )
            self.resize(min(self._width_of_both(), width), height)
            spare = self.list.viewport().height() - self.list.document().size().height()
            self.resize(self.width(), self.height() - max(0, round(spare)))
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show_keys()

    def _width_of_both(self) -> int:
        """What both columns need beside each other."""
        return round(2 * _COLUMN * self.theme.font_size)

    def _found(self) -> list[KeySection]:
        searched = self.search_field.text().casefold().split()
        found: list[KeySection] = []
        for title, rows in self._sections:
            left = [
                (keys, effect)
                for keys, effect, names in rows
                if all(part in f"{keys} {names}".casefold() for part in searched)
            ]
            if left:
                found.append((title, left))
        return found

    @Slot()
    def _show_keys(self) -> None:
        found = self._found()
        total = sum(len(rows) + 1 for _, rows in found)
        columns: tuple[list[KeySection], list[KeySection]] = ([], [])
        above = 0
        for section in found:
            length = len(section[1]) + 1
            is_second = self.width() >= self._width_of_both() and above + length / 2 > total / 2
            columns[is_second].append(section)
            above += length
        shown = [each for each in columns if each]
        cells = "".join(
            f"<td width='{100 // len(shown)}%'>{_table(each, self.theme.colours.muted)}</td>"
            for each in shown
        )
        self.list.setHtml(
            f"<table width='100%' cellspacing='12'><tr>{cells}</tr></table>" if found else "No key matches."
        )


def _table(sections: Sequence[KeySection], colour: str) -> str:
    lines = []
    for title, rows in sections:
        heading = f"<b style='color: {colour}'>{escape(title)}</b>"
        lines.append(f"<tr><td colspan='2' style='padding-top: 12px'>{heading}</td></tr>")
        lines += [
            f"<tr><td><b>{escape(keys)}</b></td><td>{escape(effect)}</td></tr>" for keys, effect in rows
        ]
    return f"<table cellpadding='4'>{''.join(lines)}</table>"


def _with_arrows(keys: str) -> str:
    """The arrow keys as they look on the keyboard."""
    return re.sub(r"\b(Right|Left|Up|Down)\b", lambda found: _ARROWS[found[0]], keys)
