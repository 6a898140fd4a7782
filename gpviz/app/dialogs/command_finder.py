"""The dialog that finds and runs a command, or whatever else can be listed, by typing."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import groupby
from operator import attrgetter
from typing import Final
from unicodedata import normalize

from PySide6.QtCore import QModelIndex, QRect, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTableView, QWidget

from gpviz.app.announcements import announce
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.tables import RIGHT, Column, TableModel, set_up_rows
from gpviz.app.widgets.themed import Themed

_ARROWS: Final = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓"}
_TYPE: Final = 1.15
_SIZE: Final = (78, 54)
"""Width and height in sizes of the type."""
_LARGEST_SHARE: Final = 0.92
"""Of the window that it belongs to."""
_LIKENESS: Final = 0.7
"""How much a word must be like another to be taken for it with a slip of the finger, from 0 to 1."""
_PAGE: Final = 10
_MOVES: Final = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -_PAGE,
    Qt.Key.Key_PageDown: _PAGE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that can be found.

    ``section`` is the heading that it stands under, ``place`` says where else it is, such as in which menu, and
    ``keys`` has its keys with commas between them. ``run`` is None where there are only keys to press. ``problem``
    says why it cannot be run now.
    """

    text: str
    section: str
    place: str = ""
    keys: str = ""
    tip: str = ""
    run: Callable[[], object] | None = None
    is_possible: bool = True
    is_on: bool = False
    problem: str = ""

    @property
    def shown_text(self) -> str:
        return f"{self.text}  ✓" if self.is_on else self.text

    @property
    def note(self) -> str:
        """Where it is, unless it matters more that it cannot be run."""
        return self.place if self.is_possible else "not now"

    @property
    def explanation(self) -> str:
        """What it does, or why it cannot be done now."""
        return (self.tip or self.text) if self.is_possible else f"Not now. {self.problem or self.tip}"

    @property
    def spoken(self) -> str:
        """What a screen reader says of it."""
        parts = (self.text, "on" if self.is_on else "", self.keys, self.note)
        return ", ".join(filter(None, parts))


class CommandFinder(Themed, QDialog):
    """A line to type into, and the entries found: the arrows choose, Enter or a click runs, Esc closes."""

    def __init__(self, title: str, entries: Iterable[Entry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"{title} – gpviz")
        self._entries = list(entries)
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Type what you are looking for")
        self.search_field.setAccessibleName(title)
        self.search_field.setClearButtonEnabled(True)
        self.list = QTableView()
        self.listing: TableModel[Entry | str] = TableModel(_columns(), parent=self)
        self.list.setModel(self.listing)
        set_up_rows(self.list, title, has_several=False)
        self.list.setAlternatingRowColors(False)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard stays in the line above
        header = self.list.horizontalHeader()
        header.hide()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.explanation = sentence("muted")
        self.explanation.setAlignment(Qt.AlignmentFlag.AlignTop)
        column_in(
            self, self.search_field, (self.list, 1), self.explanation, spacing=10, margins=(14, 14, 14, 12)
        )
        self.search_field.textChanged.connect(self._show_found)
        self.list.clicked.connect(self._on_clicked)
        self.follow_theme()
        self._show_found()
        self.search_field.setFocus()

    @property
    def rows(self) -> list[Entry | str]:
        """The entries found, with the headings between them as long as nothing is searched for."""
        return self.listing.listed()

    @property
    def current(self) -> Entry | None:
        """The entry that Enter runs."""
        index = self.list.currentIndex()
        row = self.listing.row_at(index.row()) if index.isValid() else None
        return row if isinstance(row, Entry) else None

    def apply_theme(self, theme: Theme) -> None:
        """Type that is read from further away than that of a menu."""
        font = theme.font(_TYPE)
        for widget in (self.search_field, self.list):
            widget.setFont(font)
        self.listing.apply_theme(theme)
        metrics = QFontMetrics(font)
        self.list.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.5))
        for section, texts in enumerate(
            zip(*((each.note, each.keys) for each in self._entries), strict=True), 1
        ):
            # The same whatever is found: what one reads stays where it is while one types.
            widest = max(map(metrics.horizontalAdvance, texts))
            self.list.horizontalHeader().resizeSection(section, widest + metrics.height() if widest else 0)
        self._take_size(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _MOVES:
            self._move(_MOVES[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run_current()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_space_for_explanations()

    # --- what is listed ---

    @Slot()
    def _show_found(self) -> None:
        query = self.search_field.text()
        self.listing.show_rows(found(self._entries, query) if query.strip() else _by_section(self._entries))
        self.list.clearSpans()
        for at, row in enumerate(self.rows):
            if isinstance(row, str):
                self.list.setSpan(at, 0, 1, self.listing.columnCount())
        self._choose(self._entry_rows[0] if self._entry_rows else None)

    @property
    def _entry_rows(self) -> list[int]:
        return [at for at, row in enumerate(self.rows) if isinstance(row, Entry)]

    def _move(self, steps: int) -> None:
        rows, here = self._entry_rows, self.list.currentIndex().row()
        if rows:
            at = rows.index(here) if here in rows else 0
            self._choose(rows[min(max(at + steps, 0), len(rows) - 1)])
            if self.current is not None:
                announce(self, self.current.spoken)

    def _choose(self, row: int | None) -> None:
        if row is None:
            self.explanation.setText("Nothing matches; try another word.")
            return
        self.list.selectRow(row)
        is_first = row == self._entry_rows[0]
        self.list.scrollTo(self.listing.index(0 if is_first else row, 0))
        self._explain()

    def _explain(self) -> None:
        entry = self.current
        self.explanation.setText("" if entry is None else entry.explanation)
        self.search_field.setAccessibleDescription("" if entry is None else entry.spoken)

    # --- running ---

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if isinstance(self.listing.row_at(index.row()), Entry):
            self._explain()
            self._run_current()

    def _run_current(self) -> None:
        entry = self.current
        if entry is not None and entry.run is not None and entry.is_possible:
            self.accept()  # first, so that what it opens belongs to the window below
            QTimer.singleShot(
                0, entry.run
            )  # when the list is through with the click: it goes with the dialog

    # --- sizes ---

    def _take_size(self, theme: Theme) -> None:
        around = self.parentWidget()
        space = (self.screen().availableGeometry() if around is None else around.window().geometry()).size()
        wanted = (round(side * theme.font_size) for side in _SIZE)
        width, height = (
            min(side, round(_LARGEST_SHARE * most))
            for side, most in zip(wanted, (space.width(), space.height()), strict=True)
        )
        self.resize(width, height)
        self._keep_space_for_explanations()

    def _keep_space_for_explanations(self) -> None:
        """The list keeps its size, however long the explanation of the chosen entry is."""
        metrics, wrap = self.explanation.fontMetrics(), int(Qt.TextFlag.TextWordWrap)
        line = QRect(0, 0, max(self.explanation.width(), 1), 0)
        texts = {entry.explanation for entry in self._entries}
        heights = (metrics.boundingRect(line, wrap, text).height() for text in texts)
        self.explanation.setMinimumHeight(max(heights, default=0))


def found(entries: Sequence[Entry], query: str) -> list[Entry]:
    """The entries that have most of the words of the query, whatever their order; the best come first.

    The beginning of a word will do, and a word that is nowhere stands for the one most like it.
    """
    indexes = [_Index.of(entry) for entry in entries]
    known = sorted({word for index in indexes for words in index.fields for word in words})
    words = []
    for word in _plain(query).split():
        is_known = any(index.cost_of(word) is not None for index in indexes)
        words.append(word if is_known else next(iter(get_close_matches(word, known, 1, _LIKENESS)), word))
    ranked = []
    for entry, index in zip(entries, indexes, strict=True):
        costs = [cost for word in words if (cost := index.cost_of(word)) is not None]
        ranked.append((len(words) - len(costs), sum(costs), entry))
    fewest = min((missing for missing, _, _ in ranked), default=0)
    if fewest == len(words):
        return []
    best = [(cost, entry) for missing, cost, entry in ranked if missing == fewest]
    return [entry for _, entry in sorted(best, key=lambda each: each[0])]


@dataclass(frozen=True, slots=True)
class _Index:
    """What an entry is found by: its keys, and the words of its text, its places and its tip."""

    keys: frozenset[str]
    fields: tuple[frozenset[str], ...]
    everything: str

    @classmethod
    def of(cls, entry: Entry) -> "_Index":
        texts = [_plain(text) for text in (entry.text, f"{entry.section} {entry.place}", entry.tip)]
        keys = {_plain(key) for shown in (entry.keys, with_arrows(entry.keys)) for key in shown.split(", ")}
        return cls(
            frozenset(keys), tuple(frozenset(re.findall(r"\w+", text)) for text in texts), " ".join(texts)
        )

    def cost_of(self, word: str) -> int | None:
        """The better the word is met, the less it costs; None if it is not there."""
        if word in self.keys:
            return 0
        for index, words in enumerate(self.fields):
            if word in words:
                return 3 * index
            if any(each.startswith(word) for each in words):
                return 3 * index + 1
        return 3 * len(self.fields) if word in self.everything else None


def with_arrows(keys: str) -> str:
    """The arrow keys as they look on the keyboard."""
    return re.sub(r"\b(Right|Left|Up|Down)\b", lambda name: _ARROWS[name[0]], keys)


def _plain(text: str) -> str:
    """Small letters; an index is a digit."""
    return normalize("NFKD", text).casefold()


def _by_section(entries: Iterable[Entry]) -> list[Entry | str]:
    rows: list[Entry | str] = []
    for section, group in groupby(entries, attrgetter("section")):
        rows.append(section)
        rows += (replace(entry, place=entry.place.removeprefix(section)) for entry in group)
    return rows


def _columns() -> tuple[Column[Entry | str], ...]:
    return (
        Column(
            "text",
            lambda row: row if isinstance(row, str) else row.shown_text,
            spoken=lambda row: row if isinstance(row, str) else row.spoken,
            colour=_colour,
            font=_font,
        ),
        Column("place", lambda row: "" if isinstance(row, str) else row.note, colour=_muted),
        Column(
            "keys",
            lambda row: "" if isinstance(row, str) else with_arrows(row.keys),
            align=RIGHT,
            colour=_colour,
        ),
    )


def _colour(row: Entry | str, theme: Theme) -> QColor | None:
    is_pale = isinstance(row, str) or not row.is_possible
    return _muted(row, theme) if is_pale else None


def _muted(_row: Entry | str, theme: Theme) -> QColor:
    return QColor(theme.colours.muted)


def _font(row: Entry | str, theme: Theme) -> QFont | None:
    return theme.font(_TYPE, is_bold=True) if isinstance(row, str) else None
