"""A small picture of the audience's window, as it is seen at this moment."""

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from shiboken6 import isValid

from gpviz.app.theme import Theme

__all__ = ["Mirror"]

_SOON_MS: Final = 100
_LATE_MS: Final = 700
"""Once more after a while, when what is found out in the background has come."""


class Mirror(QWidget):
    """Shows a window, some times a second while it changes. The mouse on it points at places in that window."""

    pointed = Signal(QPointF)
    """Where the mouse is, as shares of the window's width and height."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source: QWidget | None = None
        self._picture = QPixmap()
        self._soon = QTimer(self)
        self._late = QTimer(self)
        for timer, interval_ms in ((self._soon, _SOON_MS), (self._late, _LATE_MS)):
            timer.setSingleShot(True)
            timer.setInterval(interval_ms)
            timer.timeout.connect(self.refresh)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("What the audience sees")
        self.setToolTip("What the audience sees. While you point, the mouse here points there.")

    def set_source(self, source: QWidget | None) -> None:
        """Show this window from now on."""
        self._source = source
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @Slot()
    def refresh_soon(self) -> None:
        """The window has changed, or will in this moment."""
        if self.isVisible():
            if not self._soon.isActive():
                self._soon.start()
            self._late.start()

    @Slot()
    def refresh(self) -> None:
        """Take the picture now."""
        source = self._source
        box = self.picture_box()
        if source is None or not isValid(source) or box.isEmpty() or not self.isVisible():
            return
        ratio = self.devicePixelRatioF()
        picture = QPixmap((box.size() * ratio).toSize())
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(self._theme.colours.window))
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            scale = box.width() / source.width()
            painter.scale(scale, scale)
            source.render(painter, QPoint())
        self._picture = picture
        self.update()

    def stop(self) -> None:
        """Take no more pictures."""
        self._source = None
        self._soon.stop()
        self._late.stop()

    def picture_box(self) -> QRectF:
        """Where the picture is: in the middle, in the proportions of the window."""
        if self._source is None or not isValid(self._source):
            return QRectF()
        size = self._source.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF(QPointF(), size)
        box.moveCenter(QRectF(self.rect()).center())
        return box

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh_soon()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        box = self.picture_box()
        if box.contains(event.position()):
            place = event.position() - box.topLeft()
            self.pointed.emit(QPointF(place.x() / box.width(), place.y() / box.height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        box = self.picture_box()
        if box.isEmpty():
            return
        with QPainter(self) as painter:
            if not self._picture.isNull():
                painter.drawPixmap(box.toRect(), self._picture)
            painter.setPen(QPen(QColor(self._theme.colours.border), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
