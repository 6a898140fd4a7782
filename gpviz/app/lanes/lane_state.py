"""How a run of a comparison ends, and a chip that says how it stands at the cursor."""

from typing import Final, Protocol

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.player.played_run import Ending
from gpviz.app.widgets.themed import Themed

_SYMBOLS: Final = {"solved": "✓", "stuck": "✕", "full": "■", "failed": "■", "": "↘"}


class EndingRun(Protocol):
    """A run of which it is known how it ends."""

    @property
    def ending(self) -> Ending | None:
        """How it ends; None while it can go on."""


def state_words(run: EndingRun, cursor: int) -> tuple[str, str]:
    """How the run stands at an iteration: the kind of its end, empty before it, and a few words."""
    ending = run.ending
    if ending is None or cursor < ending.iteration:
        return "", "searching" if cursor else "start"
    at = f"iteration {ending.iteration:,}"
    match ending.outcome:
        case "solved":
            return "solved", f"solved in {at}" if ending.iteration else "solved from the start"
        case "stuck":
            return "stuck", f"stuck since {at}" if ending.iteration else "stuck from the start"
        case "full":
            return "full", f"ends with {at}"
    return "failed", f"cannot go on after {at}"


class StateChip(Themed, QWidget):
    """Shows the state, in the colours of the banner that says the same of a tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = ""
        self.text = "start"
        self._is_brief = False
        self._say()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_state(self, kind: str, words: str) -> None:
        """Say how it stands."""
        if (kind, words) == (self.kind, self.text):
            return
        self.kind, self.text = kind, words
        self._say()
        self.updateGeometry()
        self.update()

    def _say(self) -> None:
        self.setAccessibleName(f"State: {self.text}")
        self.setToolTip(f"{self.text[0].upper()}{self.text[1:]}.")

    def set_brief(self, is_brief: bool) -> None:
        """Leave out a word where there is little room."""
        if is_brief != self._is_brief:
            self._is_brief = is_brief
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        return QSize(
            metrics.horizontalAdvance(self._shown()) + metrics.height(), round(1.35 * metrics.height())
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.sizeHint().height(), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        frame, fill, text = self._colours()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(frame), 1.3 * self.theme.line_scale))
            painter.setBrush(QColor(fill))
            area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
            painter.setFont(self._font())
            painter.setPen(QColor(text))
            room = round(area.width() - 0.6 * area.height())
            shown = QFontMetrics(self._font()).elidedText(self._shown(), Qt.TextElideMode.ElideRight, room)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)

    def _shown(self) -> str:
        words = self.text.replace(" iteration ", " ") if self._is_brief else self.text
        return f"{_SYMBOLS[self.kind]} {words}"

    def _font(self) -> QFont:
        return self.theme.font(0.95, is_bold=bool(self.kind))

    def _colours(self) -> tuple[str, str, str]:
        colours = self.theme.colours
        if self.kind == "solved":
            return colours.solved, colours.solved_fill, colours.solved_text
        if self.kind == "stuck":
            return colours.stuck, colours.stuck_fill, colours.stuck_text
        return colours.border, colours.field, colours.text if self.kind else colours.muted
