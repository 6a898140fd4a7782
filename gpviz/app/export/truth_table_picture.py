"""The truth table of an iteration as a picture: its grid with what it says, as the page of the rows has it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gpviz.app.pages.truth_table.grid import TruthTableGrid, TruthTableLegend
from gpviz.app.theme import Theme
from gpviz.app.widgets.picture_devices import (
    checked_iteration,
    checked_size,
    format_of,
    image_of,
    picture_font_size,
    picture_theme,
    unseen,
    write_widget,
)
from gpviz.explain.moment import moment_at
from gpviz.explain.tree_text import position_text
from gpviz.explain.truth_table import RowTable, table_of
from gpviz.explain.truth_table_text import class_counts, sample_text, scope_text, summary_text
from gpviz.run.file_io import check_writable
from gpviz.run.history import History

__all__ = ["table_image", "write_table_picture"]

_MARGIN: Final = 12
_SPACE: Final = 18
_BETWEEN: Final = 8
_TYPE: Final = 1.2
_WORDS: Final = 0.34
"""The share of the width for what is said beside the grid."""


def write_table_picture(
    path: Path,
    history: History,
    at: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
) -> None:
    """Write the truth table after an iteration as PNG; of a large one a part, which the picture says."""
    format_of(path, ("png",))
    checked_size(width, height, scale)
    check_writable(path)
    with _shown_table(history, at, theme_name, width, height) as sheet:
        write_widget(path, sheet, scale, f"The truth table after iteration {at:,}")


def table_image(
    history: History,
    at: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
) -> QImage:
    """The same picture in memory."""
    checked_size(width, height, scale)
    with _shown_table(history, at, theme_name, width, height) as sheet:
        return image_of(sheet, scale)


class _TableSheet(QWidget):
    """The grid, and beside it what the page of the rows says of it."""

    def __init__(self, table: RowTable, position: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.grid = TruthTableGrid()
        self.grid.set_theme(theme)
        self.grid.set_table(table)
        legend = self.legend = TruthTableLegend()
        legend.set_theme(theme)
        has_drawn = table.drawn is not None and len(table.drawn.cells) > 0
        legend.set_counts(class_counts(table), has_drawn=has_drawn)
        words = QVBoxLayout()
        words.setSpacing(_BETWEEN)
        where = _words(position, theme, theme.colours.muted)
        summary = _words(summary_text(table), theme, theme.colours.text, is_bold=True)
        texts = [text for text in (scope_text(table), sample_text(table)) if text]
        others = [_words(text, theme, theme.colours.muted) for text in texts]
        for part in (where, summary, legend, *others):
            words.addWidget(part)
        words.addStretch(1)
        self._parts = [summary, legend, where, *others]
        """The most important one first."""
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        row.setSpacing(_SPACE)
        row.addWidget(self.grid)
        row.addLayout(words, 1)

    def fit(self, width: int, height: int) -> None:
        """Square cells as large as there is room for them beside the words."""
        room = width - 2 * _MARGIN
        wanted = self.grid.width_for(height - 2 * _MARGIN)
        wanted = min(wanted, round((1 - _WORDS) * room))
        self.grid.set_wanted_width(wanted)
        self.grid.setFixedWidth(wanted)
        beside = room - wanted - _SPACE
        self.legend.setFixedHeight(self.legend.heightForWidth(beside))
        used = 0
        for part in self._parts:
            used += part.heightForWidth(beside) + _BETWEEN
            part.setVisible(used - _BETWEEN <= height - 2 * _MARGIN)  # rather none than one over another

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))


def _words(text: str, theme: Theme, colour: str, *, is_bold: bool = False) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(1.1 if is_bold else 1.0, is_bold=is_bold))
    label.setStyleSheet(f"color: {colour};")  # else it is that of the window, which may have another theme
    return label


@contextmanager
def _shown_table(
    history: History, at: int, theme_name: str, width: int, height: int
) -> Iterator[_TableSheet]:
    """The sheet, which nobody sees."""
    at = checked_iteration("at", at, history)
    theme = picture_theme(theme_name, _TYPE * picture_font_size(width, height))
    sheet = _TableSheet(table_of(moment_at(history, at)), position_text(history, at), theme)
    sheet.fit(width, height)
    with unseen(sheet, theme, width, height):
        yield sheet
