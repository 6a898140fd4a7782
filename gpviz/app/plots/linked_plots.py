"""The two plots that share an axis of iterations, and what the mouse does on them."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gpviz.app.player.pacing import Throttle
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import NO_LIMIT
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import html_text
from gpviz.experiments.figures.axis_ticks import Tick, count_ticks

_PRESS_MS: Final = 16
_HOVER_MS: Final = 33
_ZOOM_PER_NOTCH: Final = 1.25
_NOTCH: Final = 120
_PAN_PER_NOTCH: Final = 0.1
_TRIED_LABELS: Final = 5
_ABOVE_ALL: Final = 10.0
_BEYOND: Final = 12
"""How far the title of the iterations is from the end of their axis: half of the last label may be there."""

_BESIDE_AXIS: Final = 8.0
_BETWEEN_COLUMNS: Final = 9.0
"""Free beside the labels on the right, and between those of the lines and those of the bands."""
_LOWEST_BAND: Final = 0.8
"""A band that is lower than so much of a line of type has no label."""

_FREE_ABOVE: Final = 1.5
"""There is space for a heading if the highest label is at least this many lines of type down."""

TicksFor = Callable[[float, float, int], list[Tick]]


class LabelledAxis(pg.AxisItem):
    """An axis whose ticks and labels come from a function of its range and of how many labels fit."""

    def __init__(self, orientation: str, ticks_for: TicksFor) -> None:
        super().__init__(orientation, maxTickLength=-4)
        self.ticks_for = ticks_for
        self._label_gap = 20.0
        self._labels: dict[float, str] = {}
        self.enableAutoSIPrefix(False)
        self.setStyle(maxTickLevel=0, maxTextLevel=0, autoReduceTextSpace=False)

    def set_label_gap(self, pixels: float) -> None:
        """How far apart two labels must be."""
        self._label_gap = pixels

    def take_theme(self, theme: Theme, font: QFont) -> None:
        """Take the colours from a theme, and write in this font."""
        colours = theme.colours
        self.setPen(QColor(colours.border))
        self.setTextPen(QColor(colours.muted))
        self.setTickFont(font)
        self.label.setFont(font)
        self.labelStyle = {"color": colours.muted, "font-size": f"{font.pointSizeF():g}pt"}
        self.set_label_gap(QFontMetricsF(font).height() * 1.4)

    def set_title(self, title: str) -> None:
        """Write a title beside the axis, in its middle."""
        self.setLabel(html_text(title), **self.labelStyle)  # which takes it for markup
        self.resizeEvent()  # pyqtgraph finds the middle for the title of this moment only then

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N802, N803
        self._labels = dict(self.ticks_for(minVal, maxVal, max(1, int(size / self._label_gap))))
        return [(1.0, list(self._labels))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        return [self._labels[value] for value in values]


class IterationAxis(LabelledAxis):
    """An axis of iterations, with its title beyond its right end, where it takes no height."""

    def __init__(self, ticks_for: TicksFor) -> None:
        super().__init__("bottom", ticks_for)
        self.setStyle(hideOverlappingLabels=_BEYOND)  # the first and the last label may stick out

    def resizeEvent(self, event: Any = None) -> None:
        super().resizeEvent(event)
        title = self.label.boundingRect()
        # In one line with the labels of the ticks.
        self.label.setPos(self.width() + _BEYOND, (self.height() - title.height()) / 2)

    def fit_room(self, low: float, high: float) -> None:
        """Leave as much space for each label as those of this range need."""
        font = self.style["tickFont"]
        if font is not None:
            metrics = QFontMetricsF(font)
            labels = [text for _, text in self.ticks_for(low, high, _TRIED_LABELS)]
            widest = max((metrics.horizontalAdvance(label) for label in labels), default=0.0)
            self.set_label_gap(max(widest * 1.35, metrics.horizontalAdvance("0000")))


class Band(NamedTuple):
    """What is between two heights, and what is said of it on the right of a plot."""

    low: float
    high: float
    text: str


class MarkAxis(LabelledAxis):
    """The right of a plot: labels beside the lines that cross it, and beyond them one for each band between lines.

    No label overlaps another: those that come first stay.
    """

    def __init__(self) -> None:
        super().__init__("right", self._fitting)
        self._marks: tuple[Tick, ...] = ()
        self._bands: tuple[Band, ...] = ()
        self._heading = ""

    def set_marks(self, marks: Sequence[Tick], bands: Sequence[Band] = (), heading: str = "") -> None:
        """Write these labels beside their heights, those beside the bands, and above them what these count."""
        new = tuple(marks), tuple(bands), heading
        if new != (self._marks, self._bands, self._heading):
            self._marks, self._bands, self._heading = new
            self.picture = None
            self.update()

    def least_width(self) -> float:
        """What all labels need."""
        metrics = self._metrics()
        bands = max((metrics.horizontalAdvance(band.text) for band in self._bands), default=0.0)
        labels = self._marks_width() + bands + (_BETWEEN_COLUMNS if bands else 0)
        return max(labels, _BESIDE_AXIS + metrics.horizontalAdvance(self._heading) if self._heading else 0.0)

    def heading(self) -> str:
        """What the labels of the bands count, where no label is in its way."""
        low, high = self.range
        height, line = self.size().height(), self._metrics().height()
        if high <= low or not self._fitting_bands():
            return ""
        middles = [height * (high - level) / (high - low) for level, _ in self._fitting(low, high, 0)]
        middles += [middle for middle, _ in self._fitting_bands()]
        return self._heading if min(middles) >= _FREE_ABOVE * line else ""

    def labels(self) -> list[str]:
        """What fits now, the marks first."""
        low, high = self.range
        marks = [text for _, text in self._fitting(low, high, 0)]
        return marks + [band.text for _, band in self._fitting_bands()]

    def generateDrawSpecs(self, p: Any) -> Any:  # noqa: N802
        specs = super().generateDrawSpecs(p)
        if specs is None:
            return None
        axis, ticks, texts = specs
        left, width = _BETWEEN_COLUMNS + self._marks_width(), self.size().width()
        height = self._metrics().height()
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
        for middle, band in self._fitting_bands():
            texts.append((QRectF(left, middle - height / 2, width - left, height), align, band.text))
        if heading := self.heading():
            left = min(left, width - self._metrics().horizontalAdvance(heading))
            texts.append((QRectF(left, 0, width - left, height), align, heading))
        return axis, ticks, texts

    def _fitting(self, low: float, high: float, most: int) -> list[Tick]:
        """Those of the marks that are in view, and as far from those before them as a line of type is high."""
        gap = self._metrics().height() * (high - low) / max(self.size().height(), 1.0)
        kept: list[Tick] = []
        for level, text in self._marks:
            if low <= level <= high and all(abs(level - other) >= gap for other, _ in kept):
                kept.append((level, text))
        return kept

    def _fitting_bands(self) -> list[tuple[float, Band]]:
        """Those of the bands that are in view and high enough, and where their middle is in pixels."""
        low, high = self.range
        height, line = self.size().height(), self._metrics().height()
        if high <= low or not height:
            return []
        kept: list[tuple[float, Band]] = []
        for band in self._bands:
            bottom, top = max(band.low, low), min(band.high, high)
            middle = height * (high - (bottom + top) / 2) / (high - low)
            is_seen = (top - bottom) * height / (high - low) >= _LOWEST_BAND * line
            if is_seen and all(abs(middle - other) >= line for other, _ in kept):
                kept.append((middle, band))
        return kept

    def _marks_width(self) -> float:
        metrics = self._metrics()
        return _BESIDE_AXIS + max((metrics.horizontalAdvance(text) for _, text in self._marks), default=0.0)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.style["tickFont"] or self.label.font())


class Plot:
    """One of the plots: its box, its axes, and on the right the labels of the lines that cross it."""

    def __init__(self, layout: Any, row: int, ticks_for: TicksFor) -> None:
        # Put together by hand: a PlotItem would bring menus of its own, which outlive it.
        self.box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self.left = LabelledAxis("left", ticks_for)
        self.right = MarkAxis()
        self.bottom = IterationAxis(count_ticks)
        self._titles: tuple[str, ...] = ("",)
        self.box.disableAutoRange()
        for axis in self.axes:
            axis.linkToView(self.box)
            axis.setZValue(-1)
        self._parts = self.left, self.box, self.right, self.bottom
        for part, down, across in zip(self._parts, (0, 0, 0, 1), (0, 1, 2, 1), strict=True):
            layout.addItem(part, row + down, across)

    @property
    def axes(self) -> tuple[LabelledAxis, ...]:
        return self.left, self.right, self.bottom

    def set_x_range(self, low: float, high: float) -> None:
        """Show these iterations."""
        self.bottom.fit_room(low, high)
        self.box.setXRange(low, high, padding=0)

    def hide(self) -> None:
        """Hide the plot, so that it takes no space."""
        for part in self._parts:
            part.hide()
            part.setMaximumHeight(0)

    def show(self) -> None:
        """Show the plot again; the caller sets the height of its lower axis."""
        for part in self._parts:
            part.setMaximumHeight(NO_LIMIT)
            part.show()

    def add(self, item: Any) -> None:
        """Draw this item, too; it does not affect the visible range."""
        self.box.addItem(item, ignoreBounds=True)

    def set_y_range(self, low: float, high: float) -> None:
        """Show the values from ``low`` to ``high``."""
        self.box.setYRange(low, high, padding=0)

    def set_titles(self, titles: Sequence[str]) -> None:
        """Give the axis the first of these titles that fits; the longest comes first."""
        self._titles = tuple(titles)
        self.left.set_title(self._titles[-1])
        self.fit_title()

    def fit_title(self) -> None:
        """Choose the title anew, since the space for it has changed."""
        metrics = QFontMetricsF(self.left.label.font())
        height = self.left.height() - 0.5 * metrics.height()
        fitting = [title for title in self._titles if metrics.horizontalAdvance(title) <= height]
        title = fitting[0] if fitting else self._titles[-1]
        if title != self.left.labelText:
            self.left.set_title(title)


class IterationPlots(Themed, pg.GraphicsLayoutWidget):
    """Plots over iterations. Signals give the mouse's position in iterations, with fractions in between.

    pyqtgraph's own zooming and panning is off; the wheel and the keys are left to the surrounding widgets.
    """

    pressed = Signal(object)
    hovered = Signal(object)
    """Both come no more often than something can be drawn."""
    mouse_left = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pressing = Throttle(_PRESS_MS, self)
        self._pressing.passed.connect(self.pressed)
        self._hovering = Throttle(_HOVER_MS, self)
        self._hovering.passed.connect(self.hovered)

    def forget_mouse(self) -> None:
        """What it did last is of no interest any more."""
        self._pressing.cancel()
        self._hovering.cancel()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovering.cancel()
        self.mouse_left.emit()
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]  # pyqtgraph calls this while it is being made
        if event is not None:
            self.resized.emit()

    def iteration_under(self, position: QPointF) -> float:
        """The iteration at a position in this widget."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressing.give(self.iteration_under(event.position()))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pressing.give(self.iteration_under(event.position()))
        self._hovering.give(self.iteration_under(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()


class PlotArea(IterationPlots):
    """Plots over the same iterations with one playhead. The mouse zooms and pans them.

    Signals say by how much, in iterations. The playhead is drawn by a subclass.
    """

    zoomed = Signal(float, float)
    """The factor of the visible span, and the iteration that stays where it is."""
    panned = Signal(float)
    """By how many iterations to the right."""
    reset_asked = Signal()

    def __init__(self, error_ticks: TicksFor) -> None:
        super().__init__()  # it takes no keys: what is around it does
        self.ci.layout.setSpacing(0)
        self.top = Plot(self.ci, 0, error_ticks)
        self._pan_from: QPointF | None = None
        self.playhead: int | None = None
        """The iteration that is marked."""

    @property
    def plots(self) -> tuple[Plot, ...]:
        """All plots, whether they are seen or not."""
        return (self.top,)

    @property
    def columns(self) -> int:
        """The width of the plots in pixels."""
        return max(int(self.top.box.width()), 50)

    def set_x_range(self, low: float, high: float) -> None:
        """Show these iterations in all plots."""
        for plot in self.plots:
            plot.set_x_range(low, high)

    def show_playhead(self, iteration: int | None) -> None:
        """Mark this iteration in all plots; None for no mark."""
        self.playhead = iteration
        self.viewport().update()

    def iteration_under(self, position: QPointF) -> float:
        return float(self.top.box.mapSceneToView(self.mapToScene(position.toPoint())).x())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
            self._pan_from = event.position()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_choosing = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if event.buttons() and not is_choosing and self._pan_from is not None:
            self.panned.emit(self.iteration_under(self._pan_from) - self.iteration_under(event.position()))
            self._pan_from = event.position()
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not event.buttons():
            self._pan_from = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_asked.emit()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways, upwards = event.angleDelta().x(), event.angleDelta().y()
        if sideways or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            (low, high), _ = self.top.box.viewRange()
            self.panned.emit(-(sideways or upwards) / _NOTCH * _PAN_PER_NOTCH * (high - low))
        elif upwards:
            self.zoomed.emit(_ZOOM_PER_NOTCH ** (-upwards / _NOTCH), self.iteration_under(event.position()))
        event.accept()


class CurvesArea(PlotArea):
    """Errors above sizes; between them may be a plot of chances."""

    def __init__(self, error_ticks: TicksFor, chance_ticks: TicksFor) -> None:
        super().__init__(error_ticks)
        self.setMinimumHeight(96)
        self.ci.layout.setContentsMargins(2, 7, 8, 2)
        self.chance = Plot(self.ci, 2, chance_ticks)
        self.low = Plot(self.ci, 4, count_ticks)
        self.top.bottom.setStyle(showValues=False)
        self.chance.bottom.setStyle(showValues=False)
        self.chance.hide()
        self._has_chance = False
        self._playheads = [pg.InfiniteLine(angle=90) for _ in self.plots]
        for plot, line in zip(self.plots, self._playheads, strict=True):
            line.setZValue(_ABOVE_ALL)
            plot.add(line)
        self._x_title = ""
        self._metrics = QFontMetricsF(self.font())
        self._set_stretches()

    @property
    def plots(self) -> tuple[Plot, ...]:
        return self.top, self.chance, self.low

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        colours = theme.colours
        self.setBackground(QColor(colours.panel))
        font = theme.font(0.9)
        metrics = QFontMetricsF(font)
        # One width for all, so that the same iteration is at the same x in all plots.
        for plot in self.plots:
            for axis in plot.axes:
                axis.take_theme(theme, font)
            plot.left.setWidth(metrics.horizontalAdvance("9·10³⁸") + 1.3 * metrics.height() + 8)
        self._metrics = metrics
        self.low.bottom.setHeight(1.2 * metrics.height() + 4)
        self._set_middle_heights()

    def show_playhead(self, iteration: int | None) -> None:
        super().show_playhead(iteration)
        for line in self._playheads:
            line.setVisible(iteration is not None)
            line.setValue(iteration or 0)

    def set_playhead_pen(self, pen: QPen) -> None:
        """Draw the mark with this pen."""
        for line in self._playheads:
            line.setPen(pen)

    def show_chance(self, is_shown: bool) -> None:
        """Have the plot of the chances, or not."""
        if is_shown == self._has_chance:
            return
        self._has_chance = is_shown
        if is_shown:
            self.chance.show()
        else:
            self.chance.hide()
        self._set_middle_heights()
        self._set_stretches()
        self.ci.layout.activate()  # a picture is painted before events come

    def _set_stretches(self) -> None:
        grid = self.ci.layout
        grid.setRowStretchFactor(0, 3)
        grid.setRowStretchFactor(2, 2 if self._has_chance else 0)
        grid.setRowStretchFactor(4, 2)

    def _set_middle_heights(self) -> None:
        """The axis between two plots has no labels."""
        height = 0.7 * self._metrics.height()
        self.top.bottom.setHeight(height)
        if self._has_chance:
            self.chance.bottom.setHeight(height)

    def set_marks(
        self, top: Sequence[Tick], low: Sequence[Tick], bands: Sequence[Band] = (), heading: str = ""
    ) -> None:
        """Write labels on the right of each plot, beside heights, and in the upper one beside bands.

        The heading says what those of the bands count.
        """
        self.top.right.set_marks(top, bands, heading)
        self.low.right.set_marks(low)
        self._fit_right()

    def _fit_right(self) -> None:
        """One width for the right of both plots: that of the longest marks, or of the title of the iterations."""
        widths = [plot.right.least_width() for plot in self.plots]
        widths.append(self._metrics.horizontalAdvance(self._x_title) + _BEYOND + 8)
        for plot in self.plots:
            plot.right.setWidth(max(widths))

    def set_titles(self, error: Sequence[str], sizes: Sequence[str], x: str, chance: Sequence[str]) -> None:
        """Give each axis the first of its titles that fits."""
        self.top.set_titles(error)
        self.chance.set_titles(chance)
        self.low.set_titles(sizes)
        self._x_title = x
        self.low.bottom.set_title(x)  # which is for all of them
        self._fit_right()

    def fit_titles(self) -> None:
        """Let the axes have the longest titles that fit now."""
        for plot in self.plots:
            plot.fit_title()
