"""The curves of a comparison: the errors of all lanes in one plot, their leaves in another, and a legend."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.lanes.lane_state import ComparedRun
from gpviz.app.lanes.lane_style import LETTERS, LaneLook, lane_look
from gpviz.app.plots.linked_plots import IterationPlots, Plot, TicksFor
from gpviz.app.plots.mouse_readout import Readout
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import small_button
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import tooltip_text
from gpviz.experiments.figures.axis_ticks import ErrorScale, Tick, count_ticks, error_text
from gpviz.runs.curve_series import Line, RunSeries, as_levels
from gpviz.runs.history import History

_WIDTHS: Final = (3.6, 2.8, 2.3, 2.3)
"""Where two curves are the same, the wider one is seen below the other."""
_MARK: Final = 5.5
_HEADROOM: Final = 0.10
_FOOTROOM: Final = 0.10
_BEYOND: Final = 12.0
_LEAST_LINES: Final = 6.0
"""The least height of a plot, in lines of its type."""

_GAP: Final = 18.0
_SLICE: Final = 50_000
"""Iterations of a lane taken in at once: as many as fit into a frame."""
_SHORTEST: Final = 10
_MARGIN: Final = 0.012


_LinesOf = Callable[[RunSeries, int], Line]
_HeightAt = Callable[[History, int], float | None]


class LanePlot(IterationPlots):
    """Curves over iterations."""

    def __init__(self, title: str, ticks_for: TicksFor, line_of: _LinesOf, height_at: _HeightAt) -> None:
        """What is drawn of a run in so many columns, and how high it is at an iteration."""
        super().__init__()
        self._line_of = line_of
        self._height_at = height_at
        self.ci.layout.setContentsMargins(2, 6, 8, 2)
        self.ci.layout.setSpacing(0)
        self._title = title
        self.plot = Plot(self.ci, 0, ticks_for)
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

    def apply_theme(self, theme: Theme) -> None:
        colours = theme.colours
        self.setBackground(QColor(colours.panel))
        font = theme.font(0.9)
        metrics = QFontMetricsF(font)
        for axis in self.plot.axes:
            axis.take_theme(theme, font)
        self.plot.left.setWidth(metrics.horizontalAdvance("9·10³⁸") + 1.3 * metrics.height() + 8)
        self.plot.right.setWidth(metrics.horizontalAdvance("iteration t") + _BEYOND + 8)
        self.setMinimumHeight(round(_LEAST_LINES * metrics.height()))
        self.plot.bottom.setHeight(1.2 * metrics.height() + 4)
        self.plot.bottom.set_title("iteration t")
        self.plot.set_titles([self._title])
        pen = QPen(QColor(colours.accent), 1.6 * theme.line_scale)
        pen.setCosmetic(True)
        self.cursor_line.setPen(pen)
        self._shapes.clear()
        self._pens = []

    def draw(self, series: Sequence[RunSeries], x_range: tuple[float, float], highest: float) -> None:
        """Draw the curves of these runs; ``highest`` is the least height there is room for."""
        lines = [self._line_of(each, self.columns) for each in series]
        self._ensure_curves(len(lines))
        for curve, line in zip(self.curves, lines, strict=True):
            curve.setData(x=line.x, y=line.y, connect="finite")
        looks = [lane_look(place, self.theme) for place in range(len(lines))]
        pens = [(look.colour, line.is_dense) for look, line in zip(looks, lines, strict=True)]
        if pens != self._pens:
            self._pens = pens
            for curve, look, line in zip(self.curves, looks, lines, strict=True):
                # A thick pen is slow where many points share a pixel, and dashes would not be seen there.
                width = 1.0 if line.is_dense else _WIDTHS[look.place] * self.theme.line_scale
                pen = look.pen(width)
                if line.is_dense:
                    pen.setStyle(Qt.PenStyle.SolidLine)
                curve.setPen(pen)
        tops = [float(np.fmax.reduce(line.y, initial=0.0)) for line in lines if len(line.y)]
        top = max([highest, *tops])
        if (span := (-_FOOTROOM * top, (1 + _HEADROOM) * top)) != self._y_range:
            self._y_range = span
            self.plot.set_y_range(*span)
        self.plot.set_x_range(*x_range)
        self.plot.fit_title()

    def mark(self, runs: Sequence[ComparedRun], cursor: int) -> None:
        """Put the shape of each lane on its curve where the cursor is, or at its end."""
        edge = QPen(QColor(self.theme.colours.panel), 1.0)
        edge.setCosmetic(True)  # the shapes are drawn at size 1 and scaled
        size = 2 * _MARK * self.theme.line_scale
        spots = []
        for place, run in enumerate(runs):
            look, at = lane_look(place, self.theme), min(cursor, len(run.history))
            height = self._height_at(run.history, at)
            if height is not None:
                symbol, brush = self._shape(look), QColor(look.colour)
                spots.append(
                    {"pos": (at, height), "size": size, "symbol": symbol, "brush": brush, "pen": edge}
                )
        self.marks.setData(spots)

    def show_cursor(self, iteration: int) -> None:
        self.cursor_line.setValue(iteration)

    def iteration_under(self, position: QPointF) -> float:
        """The iteration at a place in this widget."""
        return float(self.plot.box.mapSceneToView(self.mapToScene(position.toPoint())).x())

    def _ensure_curves(self, count: int) -> None:
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


class LaneLegend(Themed, QWidget):
    """All lanes in a row; labels that find no room are cut off, and whole in the tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labels: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the curves")

    def set_labels(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        words = ", ".join(f"{letter}: {label}" for letter, label in zip(LETTERS, labels, strict=False))
        self.setToolTip(tooltip_text(words))
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, round(QFontMetricsF(self.theme.font()).height()) + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def shown(self) -> list[str]:
        """The labels as far as there is room for them."""
        metrics = QFontMetricsF(self.theme.font())
        texts = [f"{letter}  {label}" for letter, label in zip(LETTERS, self.labels, strict=False)]
        share = self.width() / max(len(texts), 1) - (self._sign_width() + 6 + _GAP)
        return [metrics.elidedText(text, Qt.TextElideMode.ElideRight, share) for text in texts]

    def paintEvent(self, _event: QPaintEvent) -> None:
        font = self.theme.font()
        metrics = QFontMetricsF(font)
        width = self._sign_width()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            x, middle = 2.0, self.height() / 2
            for place, text in enumerate(self.shown()):
                look = lane_look(place, self.theme)
                painter.setPen(look.pen(2.4 * self.theme.line_scale))
                painter.drawLine(QPointF(x, middle), QPointF(x + width, middle))
                panel = QColor(self.theme.colours.panel)
                look.paint(painter, QPointF(x + width / 2, middle), 0.28 * metrics.height(), panel)
                painter.setPen(QColor(self.theme.colours.text))
                length = metrics.horizontalAdvance(text) + 1
                room = QRectF(x + width + 6, 0, length, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
                x = room.right() + _GAP

    def _sign_width(self) -> float:
        return 2.6 * QFontMetricsF(self.theme.font()).height()


class LaneCurves(Themed, QWidget):
    """Error against iteration, logarithmic in error + 1; the cursor is a line that can be dragged."""

    iteration_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = ErrorScale()
        self._runs: tuple[ComparedRun, ...] = ()
        self._series: list[RunSeries] = []
        self._cursor = 0
        self.legend = LaneLegend()
        self.error_plot = LanePlot("error", self._error_ticks, _error_line, _error_height)
        self.leaves_plot = LanePlot("leaves", count_ticks, _leaves_line, _leaves_height)
        self.leaves_button = small_button("Leaves", "Show or hide the leaves of all trees", "Leaves")
        self._readout = Readout(self)
        self._later = single_shot(self, self.refresh)
        self._build()
        self.follow_theme()

    def show_runs(self, runs: Sequence[ComparedRun], labels: Sequence[str]) -> None:
        """Show the curves of these lanes."""
        self._series = [self._series_of(run) for run in runs]
        self._runs = tuple(runs)
        self.legend.set_labels(labels)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Draw all that is recorded by now."""
        if not self.isVisible():
            return
        self._later.stop()
        is_complete = True
        for series in self._series:
            is_complete &= series.take_in(_SLICE)
        if not is_complete:
            self._later.start(0)
        self._draw()

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration, and each curve where it is then."""
        self._cursor = iteration
        for plot in self._plots():
            plot.show_cursor(iteration)
            if plot.isVisible():
                plot.mark(self._runs, self._cursor)

    @Slot(bool)
    def show_leaves(self, is_shown: bool) -> None:
        """Show the leaves beside the errors, or not."""
        self.leaves_button.setChecked(is_shown)
        self.leaves_plot.setVisible(is_shown)
        self._later.start(0)

    def apply_theme(self, theme: Theme) -> None:
        self._later.start(0)
        self.update()

    def shut_down(self) -> None:
        """Draw nothing any more."""
        self._later.stop()
        for plot in self._plots():
            plot.forget_mouse()
        self._runs, self._series = (), []

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start(0)

    def _plots(self) -> tuple[LanePlot, LanePlot]:
        return self.error_plot, self.leaves_plot

    def _build(self) -> None:
        self.setAccessibleName("Curves")
        self.setAccessibleDescription("The errors of all runs against the iteration, and their leaves")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.leaves_button.setCheckable(True)
        self.leaves_button.setChecked(True)
        self.leaves_button.toggled.connect(self.show_leaves)
        head = row_of((self.legend, 1), self.leaves_button)
        head.setContentsMargins(8, 4, 8, 0)
        body = row_of((self.error_plot, 3), (self.leaves_plot, 2), spacing=4)
        column_in(self, head, (body, 1), spacing=0, margins=(1, 1, 1, 1))
        for plot in self._plots():
            plot.pressed.connect(self._on_chosen)
            plot.hovered.connect(self._on_hovered)
            plot.mouse_left.connect(self._readout.hide)
            plot.resized.connect(self._later.start)

    def _series_of(self, run: ComparedRun) -> RunSeries:
        known = [series for series in self._series if series.history is run.history]
        return known[0] if known else RunSeries(run.history)

    def _error_ticks(self, _low: float, high: float, most: int) -> list[Tick]:
        return self._scale.ticks(high, most)

    def _length(self) -> int:
        return _rounded_up(max((series.length for series in self._series), default=0))

    def _draw(self) -> None:
        length = self._length()
        x_range = -_MARGIN * length, (1 + _MARGIN) * length
        for plot, least in ((self.error_plot, 1.0), (self.leaves_plot, 2.0)):
            if plot.isVisible():
                plot.draw(self._series, x_range, least)
                plot.mark(self._runs, self._cursor)

    def _snapped(self, place: float) -> int:
        longest = max((len(run.history) for run in self._runs), default=0)
        return max(0, min(round(place), longest))

    @Slot(object)
    def _on_chosen(self, place: float) -> None:
        self.iteration_chosen.emit(self._snapped(place))

    @Slot(object)
    def _on_hovered(self, place: float) -> None:
        iteration = self._snapped(place)
        words = [f"t = {iteration:,}"]
        for letter, run in zip(LETTERS, self._runs, strict=False):
            at = min(iteration, len(run.history))
            error, tree = run.history.error_at(at), run.history.tree_at(at)
            told = "no error" if error is None else f"error {error_text(error)}"
            words.append(f"{letter}: {told}, {0 if tree is None else tree.leaves:,} leaves")
        self._readout.show_text(" · ".join(words), self.legend.geometry())


def _rounded_up(length: int) -> int:
    """A little more than there is, so that the axis does not change with every iteration."""
    unit = 10 ** max(len(str(length)) - 2, 0)
    return max(_SHORTEST, -(-length // unit) * unit)


def _error_line(series: RunSeries, columns: int) -> Line:
    return series.error_line(0, series.length, columns)


def _error_height(history: History, at: int) -> float | None:
    error = history.error_at(at)
    return None if error is None else float(as_levels(float(error)))


def _leaves_line(series: RunSeries, columns: int) -> Line:
    return series.size_lines(0, series.length, columns)[0]


def _leaves_height(history: History, at: int) -> float | None:
    tree = history.tree_at(at)
    return 0.0 if tree is None else float(tree.leaves)
