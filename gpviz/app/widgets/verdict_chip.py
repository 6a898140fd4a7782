"""The verdict of an iteration as a small coloured chip with its symbol and name."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.theme import readable_on
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text, verdict_word


class VerdictChip(Themed, QWidget):
    """Shows a verdict, or that there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict: Verdict | None = None
        self._is_sampled = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_verdict(None)

    def set_verdict(self, verdict: Verdict | None, *, is_sampled: bool = False) -> None:
        """Show this verdict; None shows the start. That of sampled rows says how the offspring looks."""
        if (verdict, is_sampled) == (self._verdict, self._is_sampled) and self.accessibleName():
            return
        self._verdict, self._is_sampled = verdict, is_sampled
        text = "start" if verdict is None else verdict_text(verdict, is_sampled=is_sampled)
        self.setAccessibleName(f"Verdict: {text}")
        self.setToolTip(f"This iteration: {text}." if verdict is not None else "Iteration 0 is the start.")
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """What it says."""
        if self._verdict is None:
            return "start"
        return f"{VERDICT_SYMBOLS[self._verdict]} {verdict_word(self._verdict, is_sampled=self._is_sampled)}"

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        return QSize(
            metrics.horizontalAdvance(self.text()) + metrics.height(), round(metrics.height() * 1.35)
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        fill = QColor(colours.border if self._verdict is None else colours.of_verdict(self._verdict))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        area = QRectF(self.rect())
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        painter.setFont(self.theme.font(0.95, is_bold=True))
        painter.setPen(readable_on(fill, self.theme))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self.theme.font(0.95, is_bold=True))
