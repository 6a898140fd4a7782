"""Chips: a few words on a rounded ground, such as the verdict of an iteration with its symbol and name."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.theme import readable_on
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text, verdict_word


class Chip(Themed, QWidget):
    """Shows a few words, cut where there is little room."""

    is_bold = True

    def words(self) -> str:
        """What it says."""
        raise NotImplementedError

    def colours(self) -> tuple[QColor, QColor, QColor | None]:
        """Of the ground, the words, and the frame, where there is one."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        return QSize(
            metrics.horizontalAdvance(self.words()) + metrics.height(), round(1.35 * metrics.height())
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.sizeHint().height(), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        ground, ink, frame = self.colours()
        area = QRectF(self.rect())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            if frame is not None:
                painter.setPen(QPen(frame, 1.3 * self.theme.line_scale))
                area.adjust(1, 1, -1, -1)
            painter.setBrush(ground)
            painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
            painter.setFont(self._font())
            painter.setPen(ink)
            room = round(area.width() - 0.6 * area.height())
            shown = QFontMetrics(self._font()).elidedText(self.words(), Qt.TextElideMode.ElideRight, room)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)

    def _font(self) -> QFont:
        return self.theme.font(0.95, is_bold=self.is_bold)


class VerdictChip(Chip):
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

    def words(self) -> str:
        if self._verdict is None:
            return "start"
        return f"{VERDICT_SYMBOLS[self._verdict]} {verdict_word(self._verdict, is_sampled=self._is_sampled)}"

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def colours(self) -> tuple[QColor, QColor, QColor | None]:
        colours = self.theme.colours
        fill = QColor(colours.border if self._verdict is None else colours.of_verdict(self._verdict))
        return fill, readable_on(fill, self.theme), None
