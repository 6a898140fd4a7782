"""The curtain before the picture: black, white, or with a few words while there is nothing to see."""

from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.theme import Theme

__all__ = ["Curtain", "Veil"]

_MARGIN: Final = 0.08
_TITLE: Final = 1.5


class Veil(Enum):
    """What the curtain is like."""

    OPEN = auto()
    BLACK = auto()
    WHITE = auto()
    WORDS = auto()
    END = auto()


class Curtain(QWidget):
    """Covers the whole window, unless it is open. The mouse goes through it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._veil = Veil.OPEN
        self._title = ""
        self._words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Curtain")
        self.hide()

    @property
    def veil(self) -> Veil:
        return self._veil

    @property
    def title(self) -> str:
        """What stands on it in large type."""
        return self._title

    @property
    def words(self) -> str:
        """What stands on it below that."""
        return self._words

    def draw(self, veil: Veil, title: str = "", words: str = "") -> None:
        """Draw the curtain in this way, or open it."""
        self._veil, self._title, self._words = veil, title, words
        self.setAccessibleDescription(f"{veil.name.capitalize()}. {title} {words}".strip())
        self.setVisible(veil is not Veil.OPEN)
        self.raise_()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        black, white = QColor(Qt.GlobalColor.black), QColor(Qt.GlobalColor.white)
        colours = self._theme.colours
        ground, ink, pale = {
            Veil.BLACK: (black, black, black),
            Veil.WHITE: (white, white, white),
            Veil.END: (black, white, white),
        }.get(self._veil, (QColor(colours.window), QColor(colours.text), QColor(colours.muted)))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), ground)
            margin = _MARGIN * self.width()
            room = QRectF(self.rect()).adjusted(margin, 0.0, -margin, 0.0)
            upper, lower = QRectF(room), QRectF(room)
            upper.setBottom(0.5 * self.height())
            lower.setTop(0.53 * self.height())
            centred = int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
            painter.setPen(ink)
            painter.setFont(self._theme.font(_TITLE, is_bold=True))
            painter.drawText(upper, centred | int(Qt.AlignmentFlag.AlignBottom), self._title)
            painter.setPen(pale)
            painter.setFont(self._theme.font())
            painter.drawText(lower, centred | int(Qt.AlignmentFlag.AlignTop), self._words)
