"""One plot with a curve of every lane: of their errors, or of their leaves."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from gpviz.app.compare.lane_look import LaneLook
from gpviz.app.plots.plot_area import IterationAxis, Plot, StillPlots, TicksFor
from gpviz.app.theme import Theme
from gpviz.experiments.figures.ticks import count_ticks
from gpviz.run.series import Line

__all__ = ["Drawn", "LanePlot"]

_WIDTHS: Final = (3.6, 2.8, 2.3, 2.3)
"""Where two curves are the same, the wider one is seen below the other."""
_MARK: Final = 5.5
_HEADROOM: Final = 0.10
_FOOTROOM: Final = 0.10
_BEYOND: Final = 12.0
_LEAST_LINES: Final = 6.0
"""The least height of a plot, in lines of its type."""


class Drawn(NamedTuple):
    """What is drawn of a lane: its look, its curve, and its place at the cursor, if it has one there."""

    look: LaneLook
    line: Line
    at_cursor: tuple[float, float] | None


class LanePlot(StillPlots):
    """Curves over iterations. The mouse is told of in iterations, as fractions where it is between two."""

    pressed = Signal(float)
    hovered = Signal(float)

    def __init__(self, title: str, ticks_for: TicksFor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ci.layout.setContentsMargins(2, 6, 8, 2)
        self.ci.layout.setSpacing(0)
        self._title = title
        self.bottom = IterationAxis(count_ticks)
        self.plot = Plot(self.ci, 0, ticks_for, self.bottom)
        self.cursor_line = pg.InfiniteLine(angle=90)
        self.plot.add(self.cursor_line)
        self.curves: list[Any] = []
        self.marks = pg.ScatterPlotItem(pxMode=True)
        self.plot.add(self.marks)
        self.marks.setZValue(3)
        self._shapes: dict[str, QPainterPath] = {}
        self._pens: list[tuple[str, bool]] = []
        self._y_range = (0.0, 0.0)

    @property
    def columns(self) -> int:
        """The width of the plot in pixels."""
        return max(int(self.plot.box.width()), 50)

    def set_theme(self, theme: Theme) -> None:
        colours = theme.colours
        self._theme = theme
        self.setBackground(QColor(colours.panel))
        font = theme.font(0.9)
        metrics = QFontMetricsF(font)
        for axis in (self.bottom, self.plot.left, self.plot.right):
            axis.setPen(QColor(colours.border))
            axis.setTextPen(QColor(colours.muted))
            axis.setTickFont(font)
            axis.label.setFont(font)
            axis.labelStyle = {"color": colours.muted, "font-size": f"{font.pointSizeF():g}pt"}
            axis.set_room(metrics.height() * 1.4)
        self.plot.left.setWidth(metrics.horizontalAdvance("9·10³⁸") + 1.3 * metrics.height() + 8)
        self.plot.right.setWidth(metrics.horizontalAdvance("iteration t") + _BEYOND + 8)
        self.setMinimumHeight(round(_LEAST_LINES * metrics.height()))
        self.bottom.setHeight(1.2 * metrics.height() + 4)
        self.bottom.set_title("iteration t")
        self.plot.set_titles([self._title])
        pen = QPen(QColor(colours.accent), 1.6 * theme.line_scale)
        pen.setCosmetic(True)
        self.cursor_line.setPen(pen)
        self._shapes.clear()
        self._pens = []

    def draw(self, lanes: Sequence[Drawn], x_range: tuple[float, float], highest: float) -> None:
        """Draw these curves; ``highest`` is the least height there is room for."""
        self._have_curves(len(lanes))
        for curve, lane in zip(self.curves, lanes, strict=True):
            curve.setData(x=lane.line.x, y=lane.line.y, connect="finite")
        pens = [(lane.look.colour, lane.line.is_dense) for lane in lanes]
        if pens != self._pens:
            self._pens = pens
            for curve, lane in zip(self.curves, lanes, strict=True):
                # A thick pen is slow where many points share a pixel, and dashes would not be seen there.
                width = 1.0 if lane.line.is_dense else _WIDTHS[lane.look.place] * self._theme.line_scale
                pen = lane.look.pen(width)
                if lane.line.is_dense:
                    pen.setStyle(Qt.PenStyle.SolidLine)
                curve.setPen(pen)
        tops = [float(np.fmax.reduce(lane.line.y, initial=0.0)) for lane in lanes if len(lane.line.y)]
        top = max([highest, *tops])
        if (span := (-_FOOTROOM * top, (1 + _HEADROOM) * top)) != self._y_range:
            self._y_range = span
            self.plot.set_y_range(*span)
        self.bottom.fit_room(*x_range)
        self.plot.box.setXRange(*x_range, padding=0)
        self.plot.fit_title()
        self.mark(lanes)

    def mark(self, lanes: Sequence[Drawn]) -> None:
        """Put the shape of each lane on its curve where the cursor is."""
        edge = QPen(QColor(self._theme.colours.panel), 1.0)
        edge.setCosmetic(True)  # the shapes are drawn at size 1 and scaled
        size = 2 * _MARK * self._theme.line_scale
        spots = [
            {
                "pos": lane.at_cursor,
                "size": size,
                "symbol": self._shape(lane.look),
                "brush": QColor(lane.look.colour),
                "pen": edge,
            }
            for lane in lanes
            if lane.at_cursor is not None
        ]
        self.marks.setData(spots)

    def show_cursor(self, iteration: int) -> None:
        self.cursor_line.setValue(iteration)

    def iteration_under(self, position: QPointF) -> float:
        """The iteration at a place in this widget."""
        return float(self.plot.box.mapSceneToView(self.mapToScene(position.toPoint())).x())

    def _have_curves(self, count: int) -> None:
        while len(self.curves) < count:
            curve = pg.PlotCurveItem()
            self.plot.add(curve)
            self.curves.append(curve)
            self._pens = []
        while len(self.curves) > count:
            self.plot.box.removeItem(self.curves.pop())
            self._pens = []

    def _shape(self, look: LaneLook) -> Any:
        shape = look.shape(0.5)
        if shape is None:
            return "o"
        if look.letter not in self._shapes:
            path = QPainterPath()
            path.addPolygon(shape)
            path.closeSubpath()
            self._shapes[look.letter] = path
        return self._shapes[look.letter]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit(self.iteration_under(event.position()))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.pressed.emit(self.iteration_under(event.position()))
        self.hovered.emit(self.iteration_under(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
