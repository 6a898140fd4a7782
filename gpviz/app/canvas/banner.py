"""The banner over the canvas that says what can still become of the tree."""

from html import escape
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget

from gpviz.app.theme import Theme
from gpviz.engine import State, TreeState
from gpviz.engine.analysis import Analysis

__all__ = ["StateBanner", "banner_text"]

_PADDING: Final = 8


def banner_text(state: TreeState) -> tuple[str, str] | None:
    """The headline and the sentences of a state; None where there is nothing to say."""
    if state.state is State.STUCK:
        trees = state.plateau_trees
        kinds = "1 kind of tree" if trees == 1 else f"{trees:,} kinds of trees".replace(",", "\u202f")
        return (
            "Locally optimal: stuck.",
            f"No accepted mutation leads to a better tree. {kinds} on this plateau checked, no way out.",
        )
    if state.state is State.PLATEAU:
        count = len(state.way_out)
        return (
            "Plateau.",
            f"No single mutation improves this tree, but {count} accepted ones in a row do.",
        )
    if state.state is State.SOLVED:
        return "Solved.", "The tree computes the target."
    if state.state is State.UNDECIDED:
        return "Undecided.", state.reason
    return None


_LONGEST: Final = TreeState(State.STUCK, 1, 99_999)


class StateBanner(QLabel):
    """A line or two in the colours of the state; hidden while the tree can still be improved at once."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: TreeState | None = None
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setMargin(_PADDING)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("State of the tree")
        self.hide()

    @property
    def sentence(self) -> str:
        """What the banner says, without its looks."""
        words = None if self._state is None else banner_text(self._state)
        return "" if words is None else " ".join(words)

    def show_state(self, analysis: Analysis | None) -> None:
        """Say what is known; None and a tree that can be improved at once need no words."""
        self._state = None if analysis is None else analysis.state
        self._refresh()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._refresh()

    def most_height(self, width: int) -> int:
        """The height the longest of the usual sentences needs."""
        words = banner_text(_LONGEST)
        assert words is not None
        metrics = QFontMetrics(self._theme.font(1.0, is_bold=True))
        box = QRect(0, 0, max(width - 2 * _PADDING - 8, 50), 10_000)
        return (
            metrics.boundingRect(box, int(Qt.TextFlag.TextWordWrap), " ".join(words)).height() + 2 * _PADDING
        )

    def colours(self) -> tuple[str, str, str] | None:
        """Frame, background and text of the state on show."""
        if self._state is None or banner_text(self._state) is None:
            return None
        colours = self._theme.colours
        return colours.of_state(self._state.state) or (colours.border, colours.field, colours.muted)

    def _refresh(self) -> None:
        words = None if self._state is None else banner_text(self._state)
        colours = self.colours()
        if words is None or colours is None:
            self.hide()
            self.setText("")
            return
        title, body = (escape(part) for part in words)
        self.setFont(self._theme.font())
        self.setText(f'<span style="color:{colours[2]}"><b>{title}</b> {body}</span>')
        self.setAccessibleDescription(self.sentence)
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.colours()
        if colours is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours[0]), 1.2 * self._theme.line_scale))
            painter.setBrush(QColor(colours[1]))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0), 6.0, 6.0)
            painter.end()
        super().paintEvent(event)
