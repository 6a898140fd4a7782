"""The banner over the canvas that says what can still become of the tree."""

from html import escape
from math import ceil
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget

from gpviz.app.theme import Theme
from gpviz.engine import State, TreeState
from gpviz.engine.tree_analysis import Analysis

__all__ = ["BannerText", "StateBanner", "banner_text"]

_PADDING: Final = 5
_BESIDE: Final = 6
"""What the label keeps free left and right besides its padding."""
_SMALLER: Final = 0.88


class BannerText(NamedTuple):
    """A headline, the sentence that matters, and two more where there is room."""

    title: str
    body: str
    details: str = ""
    more: str = ""


def banner_text(state: TreeState) -> BannerText | None:
    """What a state has to say; None where there is nothing to say."""
    if state.state is State.STUCK:
        trees = state.plateau_trees
        checked = "1 tree" if trees == 1 else f"{trees:,} trees".replace(",", "\u202f")
        return BannerText(
            "Stuck.",
            "No accepted mutation leads to a better tree (proven).",
            f"{checked} up to symmetry on this plateau checked: none leads on.",
            "Locally optimal: the run stays stuck.",
        )
    if state.state is State.PLATEAU:
        return BannerText(
            "Plateau.",
            f"{len(state.way_out)} accepted mutations in a row improve this tree.",
            "No single one does.",
        )
    if state.state is State.SOLVED:
        return BannerText("Solved.", "The tree computes the target.")
    if state.state is State.UNDECIDED:
        return BannerText("Undecided.", state.reason)
    return None


class StateBanner(QLabel):
    """One line where it finds room, in the colours of the state; hidden while there is nothing to say.

    What finds no room on its line is in its tooltip.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: TreeState | None = None
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setMargin(_PADDING)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName("State of the tree")
        self.hide()

    @property
    def words(self) -> BannerText | None:
        """What there is to say about the state on show."""
        return None if self._state is None else banner_text(self._state)

    @property
    def sentence(self) -> str:
        """All the banner has to say, without its looks."""
        return " ".join(part for part in self.words or () if part)

    def show_state(self, analysis: Analysis | None) -> None:
        """Say what is known; None and a tree that can be improved at once need no words."""
        self._state = None if analysis is None else analysis.state
        self._refresh(self.width())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._refresh(self.width())

    def place(self, left: int, top: int, width: int) -> int:
        """Come to this place with as many words as find room there; the height that takes."""
        self._refresh(width)
        height = self.heightForWidth(width)
        self.setGeometry(left, top, width, height)
        return height

    def colours(self) -> tuple[str, str, str] | None:
        """Frame, background and text of the state on show."""
        if self._state is None or self.words is None:
            return None
        colours = self._theme.colours
        return colours.of_state(self._state.state) or (colours.border, colours.field, colours.muted)

    def _refresh(self, width: int) -> None:
        words = self.words
        colours = self.colours()
        if words is None or colours is None:
            self.hide()
            self.setText("")
            return
        scale, body = self._fitting(words, width - 2 * (_PADDING + _BESIDE))
        self.setFont(self._theme.font(scale))
        self.setText(f'<span style="color:{colours[2]}"><b>{escape(words.title)}</b> {escape(body)}</span>')
        self.setToolTip("" if self.sentence.endswith(body) else self.sentence)
        self.setAccessibleDescription(self.sentence)
        self.show()
        self.update()

    def _fitting(self, words: BannerText, width: float) -> tuple[float, str]:
        """As much as one line holds, in smaller type if need be, and the size of the type."""
        with_details = f"{words.body} {words.details}".strip()
        full = f"{with_details} {words.more}".strip()
        choices = ((1.0, full), (1.0, with_details), (1.0, words.body), (_SMALLER, words.body))
        for scale, body in choices:
            title = QFontMetricsF(self._theme.font(scale, is_bold=True)).horizontalAdvance(f"{words.title} ")
            if ceil(title + QFontMetricsF(self._theme.font(scale)).horizontalAdvance(body)) <= width:
                return scale, body
        return _SMALLER, words.body

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
