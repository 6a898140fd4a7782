"""The dialog that shows all keys, in large type and searchable."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
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

from gpviz.app.panels.fields import heading, sentence
from gpviz.app.theme import Theme

__all__ = ["KeySection", "KeysDialog"]

KeySection = tuple[str, Sequence[tuple[str, str]]]
"""A title, and its keys with what they do."""


class KeysDialog(QDialog):
    """All keys by section. Typing narrows them down; Esc closes."""

    def __init__(self, sections: Sequence[KeySection], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self._rows: list[tuple[str, str, tuple[QLabel, QLabel], int]] = []
        self._headings: list[QLabel] = []
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Search a key or what it does")
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setAccessibleName("Search")
        self.search_field.setToolTip("Shows only the keys whose name or effect has this in it.")
        self.nothing_label = sentence("muted")
        self.nothing_label.setText("No key does that.")
        self.nothing_label.hide()
        self._keys_area = QWidget()
        self._grid = QGridLayout(self._keys_area)
        self._grid.setColumnStretch(1, 1)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(8)
        for number, (title, keys) in enumerate(sections):
            self._add_section(number, title, keys)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        scroll = QScrollArea()
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
        self.set_theme(theme)
        self.search_field.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Large type: the keys are read from the back of a hall."""
        for _, _, (keys, effect), _ in self._rows:
            keys.setFont(theme.font(1.3, is_bold=True))
            effect.setFont(theme.font(1.3))
        for label in self._headings:
            label.setFont(theme.font(1.1, is_bold=True))
        self.search_field.setFont(theme.font(1.3))
        unit = round(theme.font_size * 1.7)
        wanted = self._keys_area.sizeHint().height() + 8 * unit
        self.resize(unit * 38, min(wanted, unit * 42))

    def shown_keys(self) -> list[str]:
        """The keys that the search has left."""
        return [keys for keys, _, (label, _), _ in self._rows if not label.isHidden()]

    def _add_section(self, number: int, title: str, keys: Sequence[tuple[str, str]]) -> None:
        label = heading(title)
        self._headings.append(label)
        label.setContentsMargins(0, 14 if number else 0, 0, 2)
        self._grid.addWidget(label, self._grid.rowCount(), 0, 1, 2)
        for names, effect in keys:
            row = self._grid.rowCount()
            name_label, effect_label = QLabel(names), QLabel(effect)
            for part in (name_label, effect_label):
                part.setTextFormat(Qt.TextFormat.PlainText)
                part.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            name_label.setProperty("role", "key")
            effect_label.setWordWrap(True)
            self._grid.addWidget(name_label, row, 0)
            self._grid.addWidget(effect_label, row, 1)
            self._rows.append((names, effect, (name_label, effect_label), number))

    @Slot(str)
    def _on_searched(self, text: str) -> None:
        words = text.casefold().split()
        sections_shown = set()
        for names, effect, labels, number in self._rows:
            searched = f"{names} {effect}".casefold()
            is_shown = all(word in searched for word in words)
            for label in labels:
                label.setVisible(is_shown)
            if is_shown:
                sections_shown.add(number)
        for number, label in enumerate(self._headings):
            label.setVisible(number in sections_shown)
        self.nothing_label.setVisible(not sections_shown)
