"""The dialog that shows all keys, in large type and searchable."""

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import heading, sentence
from gpviz.app.widgets.themed import Themed

KeySection = tuple[str, Sequence[tuple[str, str]]]
"""A title, and its keys with what they do."""

_ARROWS: Final = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓"}
_SHARE_OF_SCREEN: Final = 0.85
_SECTION_GAP: Final = 14
_GAP: Final = 40
_EFFECT_WIDTH: Final = 28
"""What a key does has at least this many times the size of the type for its lines."""


class KeysDialog(Themed, QDialog):
    """All keys by section. Typing narrows them down; Esc closes."""

    def __init__(self, sections: Sequence[KeySection], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self._rows: list[tuple[str, str, tuple[QLabel, QLabel], int]] = []
        self._headings: list[QLabel] = []
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Search by key or by what it does")
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setAccessibleName("Search")
        self.search_field.setToolTip("Show only the keys whose name or effect contains this text.")
        self.nothing_label = sentence("muted")
        self.nothing_label.setText("No key matches.")
        self.nothing_label.hide()
        self._keys_area = QWidget()
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._keys_area)
        self._columns.setSpacing(0)
        self._halves = [self._add_column(), self._add_column()]
        lengths = [len(keys) + 1 for _, keys in sections]
        self._heads_second: QLabel | None = None
        for number, (title, keys) in enumerate(sections):
            is_second = sum(lengths[:number]) + lengths[number] / 2 > sum(lengths) / 2
            label = self._add_section(self._halves[is_second], number, title, keys)
            if is_second and self._heads_second is None:
                self._heads_second = label
        for half in self._halves:
            half.setRowStretch(half.rowCount(), 1)
        scroll = QScrollArea()
        scroll.setAccessibleName("All keys")
        scroll.setProperty("role", "text")
        scroll.setWidget(self._keys_area)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(
            QLayout.SizeConstraint.SetNoConstraint
        )  # it scrolls, however small it is made
        layout.setSpacing(12)
        layout.addWidget(self.search_field)
        layout.addWidget(self.nothing_label)
        layout.addWidget(scroll, 1)
        layout.addWidget(buttons)
        self.search_field.textChanged.connect(self._on_searched)
        self.follow_theme()
        self.search_field.setFocus()

    def apply_theme(self, theme: Theme) -> None:
        """Large type: the keys are read from the back of a hall."""
        for _, _, (keys, effect), _ in self._rows:
            keys.setFont(theme.font(1.3, is_bold=True))
            effect.setFont(theme.font(1.3))
            effect.setMinimumWidth(round(_EFFECT_WIDTH * theme.font_size))
        for label in self._headings:
            label.setFont(theme.font(1.1, is_bold=True))
        self.search_field.setFont(theme.font(1.3))
        unit = round(theme.font_size * 1.7)
        screen = self.screen().availableGeometry()
        wide = self._width_of_both() + 5 * unit
        width = wide if wide <= 0.95 * screen.width() else min(38 * unit, round(0.95 * screen.width()))
        self._turn(width)
        wanted = self._keys_area.sizeHint().height() + 8 * unit
        self.resize(width, min(wanted, round(_SHARE_OF_SCREEN * screen.height())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn(self.width())

    def shown_keys(self) -> list[str]:
        """The keys that the search has left."""
        return [label.text() for _, _, (label, _), _ in self._rows if not label.isHidden()]

    def _add_column(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        self._columns.addLayout(grid, 1)
        return grid

    def _width_of_both(self) -> int:
        """What both columns need beside each other."""
        for half in self._halves:
            half.invalidate()  # Qt tells a layout within another of new fonts only when it is laid out
        return sum(half.minimumSize().width() for half in self._halves) + _GAP

    def _turn(self, width: int) -> None:
        """Put the columns beside each other where this width lets them, else one below the other."""
        margins = self._columns.contentsMargins()
        is_wide = width >= self._width_of_both() + 2 * (margins.left() + margins.right())
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(beside if is_wide else below)
        self._columns.setSpacing(_GAP if is_wide else 0)
        if self._heads_second is not None:
            self._heads_second.setContentsMargins(0, 0 if is_wide else _SECTION_GAP, 0, 2)

    def _add_section(
        self, grid: QGridLayout, number: int, title: str, keys: Sequence[tuple[str, str]]
    ) -> QLabel:
        label = heading(title)
        self._headings.append(label)
        label.setContentsMargins(0, _SECTION_GAP if number else 0, 0, 2)
        grid.addWidget(label, grid.rowCount(), 0, 1, 2)
        for names, effect in keys:
            row = grid.rowCount()
            name_label, effect_label = QLabel(_with_arrows(names)), QLabel(effect)
            for part in (name_label, effect_label):
                part.setTextFormat(Qt.TextFormat.PlainText)
                part.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            name_label.setProperty("role", "key")
            effect_label.setWordWrap(True)
            grid.addWidget(name_label, row, 0)
            grid.addWidget(effect_label, row, 1)
            self._rows.append((names, effect, (name_label, effect_label), number))
        return label

    @Slot(str)
    def _on_searched(self, text: str) -> None:
        words = text.casefold().split()
        sections_shown = set()
        for names, effect, labels, number in self._rows:
            searched = f"{names} {_with_arrows(names)} {effect}".casefold()
            is_shown = all(word in searched for word in words)
            for label in labels:
                label.setVisible(is_shown)
            if is_shown:
                sections_shown.add(number)
        for number, label in enumerate(self._headings):
            label.setVisible(number in sections_shown)
        self.nothing_label.setVisible(not sections_shown)


def _with_arrows(names: str) -> str:
    """The arrow keys as they look on the keyboard."""
    return re.sub(r"\b(Right|Left|Up|Down)\b", _arrow, names)


def _arrow(found: re.Match[str]) -> str:
    return _ARROWS[found[0]]
