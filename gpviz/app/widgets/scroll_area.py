"""A scroll area for a page with wrapped sentences: as wide as the area, and scrolled where it is too high."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class WrappingScrollArea(QScrollArea):
    """Scrolls up and down only.

    Qt's own area asks for the height that sentences have in the narrowest column, and so scrolls for nothing.
    """

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(widget)
        widget.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        widget, size = self.widget(), self.viewport().size()
        layout = None if widget is None else widget.layout()
        if widget is None or layout is None:
            return
        height = layout.totalMinimumSize().height()
        if layout.hasHeightForWidth():
            height = layout.totalHeightForWidth(size.width())
        widget.resize(size.width(), max(height, size.height()))
