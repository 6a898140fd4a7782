"""Pointing in a hall: a laser dot, or a spotlight that darkens everything but a circle, over the whole window."""

from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QCursor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRadialGradient,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.themed import Themed

_DARKNESS: Final = 0.78
_SOFT_FROM: Final = 0.86
"""Where the edge of the circle begins to darken, as a share of its radius."""
_LIGHT_RADIUS: Final = 0.17
_DOT_RADIUS: Final = 0.016
"""As shares of the window's height."""
_STEP: Final = 1.15
_SMALLEST: Final = 0.4
_LARGEST: Final = 3.0
_STRIDE: Final = 0.03
_HALO: Final = 1.9


class PointerKind(Enum):
    """How something is pointed at."""

    OFF = auto()
    LASER = auto()
    SPOTLIGHT = auto()


class Spotlight(Themed, QWidget):
    """Lies over everything while it is on, and takes the mouse, so that nothing below lights up by itself.

    The dot is a cross of light and dark rings with a disc inside, so it is seen on any ground, in any colours.
    """

    moved = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.pointing = PointerKind.OFF
        self.position = QPointF()
        """What is pointed at, in this widget."""
        self._sizes = {PointerKind.LASER: 1.0, PointerKind.SPOTLIGHT: 1.0}
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.setAccessibleName("Pointer")
        self.hide()

    @property
    def radius(self) -> float:
        """Of the dot or the circle, in pixels."""
        share = _DOT_RADIUS if self.pointing is PointerKind.LASER else _LIGHT_RADIUS
        return self.height() * share * self._sizes.get(self.pointing, 1.0)

    def toggle(self, pointing: PointerKind) -> None:
        """Point in this way, or no longer if it is so already; begin where the mouse is, or in the middle."""
        was_off = self.pointing is PointerKind.OFF
        self.pointing = PointerKind.OFF if self.pointing is pointing else pointing
        self.setAccessibleDescription(self.pointing.name.capitalize())
        self.setVisible(self.pointing is not PointerKind.OFF)
        if was_off and self.isVisible():
            mouse = self.mapFromGlobal(QPointF(QCursor.pos()))
            area = QRectF(self.rect())
            self.position = mouse if area.contains(mouse) else area.center()
        self.update()
        self.moved.emit()

    def change_size(self, steps: int) -> None:
        """Larger or smaller, whichever of the two is on."""
        if self.pointing is not PointerKind.OFF:
            size = self._sizes[self.pointing] * _STEP**steps
            self._sizes[self.pointing] = min(max(size, _SMALLEST), _LARGEST)
            self.update()
            self.moved.emit()

    def go_by(self, across: int, down: int) -> None:
        """So many strides to the right and down."""
        stride = _STRIDE * self.height()
        self.point_at(self.position + QPointF(across * stride, down * stride))

    def point_at(self, position: QPointF) -> None:
        """Point at this position of the widget, or the nearest."""
        position = QPointF(
            min(max(position.x(), 0.0), float(self.width())),
            min(max(position.y(), 0.0), float(self.height())),
        )
        if self.pointing is PointerKind.OFF or position == self.position:
            return
        before = self._around()
        self.position = position
        self.update(before)
        self.update(self._around())
        self.moved.emit()

    def _around(self) -> QRect:
        reach = _HALO * self.radius + 4.0
        return QRectF(
            self.position.x() - reach, self.position.y() - reach, 2 * reach, 2 * reach
        ).toAlignedRect()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.raise_()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point_at(event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        degrees = event.angleDelta().y()
        if degrees:
            self.change_size(1 if degrees > 0 else -1)
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.pointing is PointerKind.SPOTLIGHT:
                self._paint_light(painter)
            elif self.pointing is PointerKind.LASER:
                self._paint_dot(painter)

    def _paint_light(self, painter: QPainter) -> None:
        radius = self.radius
        dark = QColor(Qt.GlobalColor.black)
        dark.setAlphaF(_DARKNESS)
        soft = QRadialGradient(self.position, radius)
        soft.setColorAt(0.0, QColor(Qt.GlobalColor.transparent))
        soft.setColorAt(_SOFT_FROM, QColor(Qt.GlobalColor.transparent))
        soft.setColorAt(1.0, dark)  # and so on outside
        painter.fillRect(self.rect(), QBrush(soft))

    def _paint_dot(self, painter: QPainter) -> None:
        """Rings of the lightest and the darkest colour around a disc, with four ticks."""
        radius = self.radius
        colours = self.theme.colours
        light, dark = QColor(Qt.GlobalColor.white), QColor(Qt.GlobalColor.black)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, width in ((light, 0.5), (dark, 0.22)):
            painter.setPen(QPen(ink, width * radius, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawEllipse(self.position, 1.15 * radius, 1.15 * radius)
            for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                ray = QPointF(across * radius, down * radius)
                painter.drawLine(self.position + ray * 1.15, self.position + ray * 1.6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.worse))
        painter.drawEllipse(self.position, 0.8 * radius, 0.8 * radius)
