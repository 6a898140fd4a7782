"""The six phases of an iteration as a row of dots: where one is, what was passed, and what did not happen."""

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.record.phases import PHASE_TITLES, PHASES, Phase

__all__ = ["PhaseDot", "PhaseDots"]


class PhaseDot(QAbstractButton):
    """One phase: a disc where one is, a smaller one where one was, a ring ahead, a dash where there is none."""

    def __init__(self, phase: Phase, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.phase = phase
        self.is_current = False
        self.is_passed = False
        self.has_name = True
        self._theme = load_theme("light")
        self.setText(PHASE_TITLES[phase])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def show_state(self, *, exists: bool, is_current: bool, is_passed: bool) -> None:
        """Whether the iteration has this phase, and where it is seen from the current one."""
        self.is_current, self.is_passed = is_current, is_passed
        self.setEnabled(exists)
        name = self.text()
        state = "the phase on show" if is_current else "show this phase"
        told = f"{name}: {state}" if exists else f"{name}: not in this iteration"
        self.setAccessibleName(told)
        self.setToolTip(f"{told}.")
        self.update()

    def width_with(self, *, name: bool) -> int:
        """How wide it is with its name or without."""
        metrics = self._metrics()
        dot = round(metrics.height() * 1.15)
        return dot + (metrics.horizontalAdvance(self.text()) + metrics.height() // 2 if name else 0)

    def sizeHint(self) -> QSize:
        return QSize(self.width_with(name=self.has_name), round(self._metrics().height() * 1.5))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        accent, muted = QColor(colours.accent), QColor(colours.muted)
        unit = self._metrics().height()
        middle = QPointF(unit * 0.575, self.height() / 2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width = 1.6 * self._theme.line_scale
            if not self.isEnabled():
                painter.setPen(QPen(muted, width))
                painter.drawLine(middle - QPointF(unit * 0.18, 0), middle + QPointF(unit * 0.18, 0))
            elif self.is_current:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(accent)
                painter.drawEllipse(middle, unit * 0.4, unit * 0.4)
            else:
                painter.setPen(QPen(accent if self.is_passed else muted, width))
                painter.setBrush(accent if self.is_passed else Qt.BrushStyle.NoBrush)
                painter.drawEllipse(middle, unit * 0.24, unit * 0.24)
            if self.has_name:
                painter.setFont(self._theme.font(0.92, is_bold=self.is_current))
                painter.setPen(QColor(colours.text) if self.is_current else muted)
                area = QRectF(self.rect()).adjusted(unit * 1.15, 0, 0, 0)
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())
            if self.hasFocus():
                painter.setPen(QPen(accent, 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font(0.92, is_bold=True))


class PhaseDots(QWidget):
    """The dots of all phases; their names go where there is no room for all of them."""

    dot_chosen = Signal(str)
    """A person wants this phase, by its value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dots: dict[Phase, PhaseDot] = {}
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        for phase in PHASES:
            dot = PhaseDot(phase)
            dot.clicked.connect(self._on_clicked)
            self.dots[phase] = dot
            line.addWidget(dot)
        line.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        for dot in self.dots.values():
            dot.set_theme(theme)
        self.setMinimumWidth(self._width(name=False))
        self._give_room()

    def show_phases(self, places: Mapping[Phase, int], current: int | None) -> None:
        """Show which phases there are, with their places, and which is the current one."""
        for phase, dot in self.dots.items():
            place = places.get(phase)
            is_current = place is not None and place == current
            is_passed = place is not None and current is not None and place < current
            dot.show_state(exists=place is not None, is_current=is_current, is_passed=is_passed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _width(self, *, name: bool) -> int:
        return sum(dot.width_with(name=name) + 2 for dot in self.dots.values())

    def _give_room(self) -> None:
        has_names = self.width() >= self._width(name=True)
        for dot in self.dots.values():
            if dot.has_name != has_names:
                dot.has_name = has_names
                dot.updateGeometry()

    @Slot()
    def _on_clicked(self) -> None:
        dot = self.sender()
        if isinstance(dot, PhaseDot):
            self.dot_chosen.emit(dot.phase.value)
