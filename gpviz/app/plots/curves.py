"""The curves of a run: its error and its size against the iteration, to look at, to zoom into and to travel on."""

from collections.abc import Sequence
from enum import Enum, auto
from itertools import product
from math import floor, inf, isnan, log2, nan
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsView,
    QHBoxLayout,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QToolButton,
    QWidget,
)

from gpviz.app.plots.chance_curve import ChanceCurve
from gpviz.app.plots.full_shading import NO_SHADES, Shades, paint_shades, shades_between
from gpviz.app.plots.plot_area import Band, PlotArea
from gpviz.app.plots.readout import Readout, values_in_words
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.painting import faded, is_vector
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.throttle import Throttle
from gpviz.engine import RunConfig
from gpviz.engine.drift_bound import stage_bounds, stage_of
from gpviz.escaping import tooltip_text
from gpviz.experiments.figures.ticks import (
    ErrorScale,
    Tick,
    count_ticks,
    error_text,
    log_ticks,
    tick_text,
)
from gpviz.number_text import power_text, stage_bound_text, stage_text
from gpviz.run.history import History
from gpviz.run.series import Line, Points, RunSeries, StepSeries, as_levels, step_line

__all__ = ["CurveItems", "CurveLegend", "CurvesView", "Dots", "LegendEntry", "Sign"]

_GAP: Final = 14.0
_LIMIT_WIDTH: Final = 4.5
_LIMIT_DASHES: Final = (1.6, 1.3)
"""In pixels, and in widths of the line."""
_BELOW_CURVES: Final = -1.0
_BELOW_ALL: Final = -2.0
_CURVE_WIDTH: Final = 2.0
_SQUARE: Final = 3.0
_DISC: Final = 8.0
_SMALL_DISC: Final = 4.5
_FEW_DISCS: Final = 80
_HEADROOM: Final = 0.12
_FOOTROOM: Final = 0.08
_FARTHEST_LIMIT: Final = 2.5
"""A limit is kept in view as long as it is at most this many times the leaves."""
_SLICE: Final = 100_000
"""Iterations taken in at once: as many as fit into a frame."""
_LONGEST_FITTED: Final = 2_000
_SHORTEST_RUN: Final = 10
_SHORTEST_SPAN: Final = 8.0
_MARGIN: Final = 0.012
_BESIDE_POINT: Final = 0.5
"""What a picture of a single iteration shows before and after it."""
_POINT: Final = 7.0
_MOST_DOTS: Final = 4000
_MOST_DISCS: Final = 200
_ZOOM: Final = 0.5
_LARGEST_UNIT_BITS: Final = 40
_LOG_BITS: Final = 20
"""Where the largest error has more bits, all but the first improvements would share a pixel of a linear scale."""
_ROOT_LOG_BITS: Final = 40
"""Where it has more of them, the last improvements would share a pixel of a logarithmic scale."""
_FRAME_MS: Final = 16
_HOVER_MS: Final = 33
_BAND_FILL: Final = 0.1
_TWO_ROWS_LINES: Final = 16
"""In lines of type: from this height on the legend may have a second row without crowding the plots."""
_LEAST_PERCENT: Final = 0.001
_CHANCE_TITLES: Final = ("chance of truly worse", "chance of worse", "P(worse)", "chance")
_LEAST_CHANCE: Final = -10.0
_CHANCES: Final = (_LEAST_CHANCE - 0.6, 0.5)
"""Chances are placed by their logarithms to the base 10, and those that are smaller yet at the bottom."""


_FULL_TIP: Final = (
    "Full: the parent of the iteration has as many leaves as the limit allows, so nothing can be inserted."
)
_DISTINCT_TIP: Final = (
    "Distinct variables: how many different ones the tree has, of n = {n}. To be right on every row it needs them"
    " all, and the run collects them like coupons: the last ones take longest."
)
_THEORY_TIP: Final = "Show what the paper proves about the run (Shift+L)"
_C: Final = 1
"""The constant of the lemmas on sampled rows: the larger it is, the wider the band and the surer what is in it."""
_EXPECTED_TIP: Final = (
    "Expected sampled error: with F the generalisation error and s = {rows} rows, the sampled error is most likely"
    " within max{{c lg n, F s}} of F s; here c = {c} and c lg n = {least}."
)
_EARLY_TIP: Final = (
    "s / n: where F s is above this line, F is above n^−c; here c = {c}. If s is large enough, such a tree hardly"
    " ever looks as good as the goal A = {goal}, so the run does not stop too early."
)
_CHANCE_TIP: Final = (
    "Chance of accepting a truly worse tree: how likely the next iteration is to accept a tree that is worse on"
    " all rows but does not look worse on the {rows} sampled. The smaller the error, the fewer of these tell the"
    " two trees apart, and the chance leaps up. A goal A above the leap stops the run in time; here A = {goal}."
)
_STAGES_TIP: Final = (
    "Stages: the errors between 1, n, n², n⁴, n⁸ and so on. On the right, how many of the {length} iterations"
    " began in each. By the drift theorem a higher stage takes hardly longer than a lower one, though the error"
    " falls much further in it."
)


class Sign(Enum):
    """How a curve is told from the others, besides its colour."""

    LINE = auto()
    DASHED = auto()
    DOTTED = auto()
    DASH_DOTTED = auto()
    HATCHED = auto()
    BAND = auto()
    DISC = auto()
    SQUARE = auto()


class LegendEntry(NamedTuple):
    """A sign, its colour, and what it stands for."""

    sign: Sign
    colour: str
    text: str
    short: str = ""
    """What else it may be called where there is little room."""
    is_needed: bool = True
    """Whether it stays when even the short names find no room."""
    tip: str = ""
    """What the tooltip says about it, in a sentence or more."""


class CurveLegend(Themed, QWidget):
    """Signs and words in a row. Where there is little room the words get shorter, then what is not needed goes;

    the tooltip says everything. If the row is continued in another, the first entries stay and that has the rest.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        self._is_continued = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the curves")

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """What it shows."""
        return self._entries

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these."""
        if self._entries != (shown := tuple(entries)):
            self._entries = shown
            words = ", ".join(entry.text for entry in shown)
            told = "\n".join([words, *(entry.tip for entry in shown if entry.tip)])
            self.setToolTip(tooltip_text(told))
            self.setAccessibleDescription(told)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, round(QFontMetricsF(self.theme.font(0.9)).height()) + 4)

    @property
    def is_cut(self) -> bool:
        """Whether something finds no room in this row."""
        return self._width_of([_shortened(entry) for entry in self._entries]) > self.width()

    def set_continued(self, is_continued: bool) -> None:
        """Whether there is another row for what finds no room here."""
        if is_continued != self._is_continued:
            self._is_continued = is_continued
            self.update()

    def rest(self) -> list[LegendEntry]:
        """What the other row has to tell."""
        return list(self._entries[self._first_row() :]) if self._is_continued else []

    def _first_row(self) -> int:
        """How many of the first entries find room with their short words."""
        counts = range(len(self._entries), 0, -1)
        shortened = [_shortened(entry) for entry in self._entries]
        return next((count for count in counts if self._width_of(shortened[:count]) <= self.width()), 0)

    def shown(self) -> list[LegendEntry]:
        """What finds room, with the words it has room for."""
        entries = list(self._entries[: self._first_row()] if self._is_continued else self._entries)
        # The longest words have most to give.
        for place in sorted(range(len(entries)), key=lambda at: -len(entries[at].text)):
            if self._width_of(entries) <= self.width():
                return entries
            entries[place] = _shortened(entries[place])
        for entry in [entry for entry in reversed(entries) if not entry.is_needed]:
            if self._width_of(entries) > self.width():
                entries.remove(entry)
        while self._width_of(entries) > self.width():
            entries.pop()
        return entries

    def _width_of(self, entries: Sequence[LegendEntry]) -> float:
        metrics = QFontMetricsF(self.theme.font(0.9))
        sign_width = metrics.height() * 1.2 + 5 + 1 + _GAP
        return 2.0 + sum(sign_width + metrics.horizontalAdvance(entry.text) for entry in entries) - _GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        font = self.theme.font(0.9)
        metrics = QFontMetricsF(font)
        sign_width = metrics.height() * 1.2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            x = 2.0
            for entry in self.shown():
                width = metrics.horizontalAdvance(entry.text)
                self._paint_sign(painter, entry, QRectF(x, 0, sign_width, self.height()))
                painter.setPen(QColor(self.theme.colours.muted))
                room = QRectF(x + sign_width + 5, 0, width + 1, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, entry.text)
                x = room.right() + _GAP

    def _paint_sign(self, painter: QPainter, entry: LegendEntry, room: QRectF) -> None:
        colour = QColor(entry.colour)
        width = 2.0 * self.theme.line_scale
        centre = room.center()
        if entry.sign in (Sign.DISC, Sign.SQUARE):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            size = 1.8 * width
            if entry.sign is Sign.DISC:
                painter.drawEllipse(centre, size, size)
            else:
                painter.drawRect(QRectF(centre - QPointF(width, width), centre + QPointF(width, width)))
            return
        if entry.sign is Sign.HATCHED:
            swatch = QRectF(room.left(), centre.y() - 0.3 * room.width(), room.width(), 0.6 * room.width())
            shade = Shades(np.array([swatch.left(), swatch.right()]), np.ones(1))
            paint_shades(painter, shade, swatch.top(), swatch.height(), self.theme)
            painter.setPen(QPen(colour, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(swatch)
            return
        if entry.sign is Sign.BAND:
            swatch = QRectF(room.left(), centre.y() - 0.3 * room.width(), room.width(), 0.6 * room.width())
            painter.fillRect(swatch, faded(entry.colour, _BAND_FILL))
            painter.setPen(QPen(colour, 1, Qt.PenStyle.DotLine))
            painter.drawLine(swatch.topLeft(), swatch.topRight())
            return
        styles = {
            Sign.LINE: Qt.PenStyle.SolidLine,
            Sign.DASHED: Qt.PenStyle.DashLine,
            Sign.DOTTED: Qt.PenStyle.DotLine,
            Sign.DASH_DOTTED: Qt.PenStyle.DashDotLine,
        }
        painter.setPen(QPen(colour, width, styles[entry.sign]))
        painter.drawLine(QPointF(room.left(), centre.y()), QPointF(room.right(), centre.y()))


def _shortened(entry: LegendEntry) -> LegendEntry:
    return entry._replace(text=entry.short or entry.text)


class Dots(pg.GraphicsObject):
    """Dots of one size and colour, round ones with a ring around them or small square ones."""

    def __init__(self, *, is_round: bool) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._is_round = is_round
        self._x = np.empty(0)
        self._y = np.empty(0)
        self._size = 1.0
        self._colour = QColor()
        self._ring = QColor()

    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Where they are."""
        return self._x

    @property
    def y(self) -> npt.NDArray[np.float64]:
        """How high they are."""
        return self._y

    def set_points(self, x: npt.NDArray[Any], y: npt.NDArray[np.float64]) -> None:
        """Draw these points, which are in the order of ``x``."""
        self._x = np.asarray(x, dtype=np.float64)
        self._y = y
        self.update()

    def set_look(self, size: float, colour: QColor, ring: QColor | None = None) -> None:
        """Size in pixels, colour, and the colour around round ones."""
        self._size = size
        self._colour = colour
        self._ring = ring or colour
        self.update()

    def set_size(self, size: float) -> None:
        """Size in pixels."""
        self._size = size

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect() or QRectF())

    def viewRangeChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        place = painter.worldTransform()
        reach = (self._size + 2) / (abs(place.m11()) or 1.0)
        exposed = option.exposedRect
        # A cursor that moves uncovers a narrow strip, and only that is drawn anew.
        first, last = self._x.searchsorted([exposed.left() - reach, exposed.right() + reach])
        if last <= first:
            return
        points = pg.functions.create_qpolygonf(int(last - first))
        pixels = pg.functions.ndarray_from_qpolygonf(points)
        pixels[:, 0] = self._x[first:last] * place.m11() + place.dx()
        pixels[:, 1] = self._y[first:last] * place.m22() + place.dy()
        painter.resetTransform()
        if self._is_round:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for colour, size in ((self._ring, self._size + 2), (self._colour, self._size)):
                painter.setPen(QPen(colour, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawPoints(points)
            return
        if is_vector(painter):
            painter.setPen(QPen(self._colour, self._size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawPoints(points)
            return
        # Points of one pixel several times are many times as fast as points of several pixels.
        painter.setPen(QPen(self._colour, 1))
        side = max(1, round(self._size))
        for right, down in product(range(side), repeat=2):
            painter.resetTransform()
            painter.translate(right - side // 2, down - side // 2)
            painter.drawPoints(points)


class FullShading(pg.GraphicsObject):
    """The stretches with full parents, shaded from the top to the bottom of a plot."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(_BELOW_ALL)
        self.shades = NO_SHADES
        self.theme: Theme | None = None

    def set_shades(self, shades: Shades) -> None:
        """Shade these, whose edges are iterations."""
        self.shades = shades
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect() or QRectF())

    def viewRangeChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if self.theme is None:
            return
        place = painter.worldTransform()
        exposed = option.exposedRect
        edges, strengths = self.shades.between(exposed.left(), exposed.right())
        room = place.mapRect(self.boundingRect())
        painter.resetTransform()
        pixels = Shades(edges * place.m11() + place.dx(), strengths)
        paint_shades(painter, pixels, room.top(), room.height(), self.theme)


class CurveItems:
    """The items of both plots. It holds no data of its own, only what it drew last."""

    def __init__(self, area: PlotArea, *, has_counts: bool = True) -> None:
        """Without counts a low plot has room for the lines of the stages alone."""
        self._area = area
        self._has_counts = has_counts
        self.pen_scale = 1.0
        """Real pixels for each of a widget's: the width of a pen is in those."""
        top, low = area.top, area.low
        self.worse = Dots(is_round=False)
        self.error = pg.PlotCurveItem()
        self.generalisation = pg.PlotCurveItem()
        self.improved = Dots(is_round=True)
        self.leaves = pg.PlotCurveItem()
        self.ors = pg.PlotCurveItem()
        self.distinct = pg.PlotCurveItem()
        for item in (self.worse, self.error, self.generalisation, self.improved):
            top.add(item)
        for item in (self.leaves, self.ors, self.distinct):
            low.add(item)
        self.accept = pg.InfiniteLine(angle=0)
        self.limit = pg.InfiniteLine(angle=0)
        self.all_variables = pg.InfiniteLine(angle=0)
        self.accept_stretches = pg.PlotCurveItem(connect="pairs")
        self.limit_stretches = pg.PlotCurveItem(connect="pairs")
        self.stuck, self.cursor = ([pg.InfiniteLine(angle=90) for _ in area.plots] for _ in range(2))
        self.crosshair = [*(pg.InfiniteLine(angle=90) for _ in area.plots), pg.InfiniteLine(angle=0)]
        self.full = (FullShading(), FullShading())
        self.stage_lines = pg.PlotCurveItem(connect="pairs")
        self.expected = pg.PlotCurveItem(fillLevel=0.0)
        self.early_line = pg.InfiniteLine(angle=0)
        self.chance = pg.PlotCurveItem()
        top.add(self.full[0])
        top.add(self.stage_lines)
        low.add(self.full[1])
        top.add(self.accept_stretches)
        low.add(self.limit_stretches)
        for item in (self.expected, self.early_line, self.accept, self.crosshair[-1]):
            top.add(item)
        for item in (self.limit, self.all_variables):
            low.add(item)
        area.chance.add(self.chance)
        for plot, *lines in zip(area.plots, self.stuck, self.crosshair, self.cursor, strict=False):
            for line in lines:
                plot.add(line)
        self._y_ranges: dict[bool, tuple[float, float]] = {}
        self._is_dense: dict[Any, bool] = {}
        self._strides = (1, 1)
        self._has_generalisation = False
        self._limits: list[int] = []
        self._marks: tuple[list[Tick], list[Tick], list[Band]] | None = None
        self._goal: Tick = (0.0, "")
        self._limit_mark: Tick | None = None
        self._all_mark: Tick = (0.0, "")
        self._stages: list[Tick] = []
        self._bands: list[Band] = []
        self._stages_length = 0
        self._is_early_stop_shown = False
        self._early_marks: list[Tick] = []
        self._expected = 0.0, 1.0
        """The least half of the band, and the most that it reaches."""
        self._stuck_since: int | None = None
        hidden = (
            *(self.accept, self.limit, self.accept_stretches, self.limit_stretches),
            *(self.expected, self.early_line),
        )
        for line in (*hidden, *self.stuck, *self.crosshair):
            line.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours, widths and type from the theme."""
        colours = theme.colours
        scale = theme.line_scale
        pens = scale * self.pen_scale
        self._is_dense.clear()  # the pens are made anew when the curves are drawn
        self.worse.set_look(_SQUARE * scale, QColor(colours.worse))
        self.improved.set_look(_DISC * scale, QColor(colours.improved), QColor(colours.panel))
        dashes = Qt.PenStyle.DashLine
        for item in (self.accept, self.accept_stretches):
            item.setPen(_pen(colours.solved, 1.3 * pens, dashes))
        for item in (self.limit, self.limit_stretches):
            # Broad and below the leaves, so that both are seen where the tree is full.
            pen = _pen(colours.edge, _LIMIT_WIDTH * pens, dashes)
            pen.setDashPattern(_LIMIT_DASHES)
            item.setPen(pen)
            item.setZValue(_BELOW_CURVES)
        for shading in self.full:
            shading.theme = theme
            shading.update()
        self.stage_lines.setPen(_pen(colours.muted, pens, Qt.PenStyle.DotLine))
        self.stage_lines.setZValue(_BELOW_CURVES)
        text = colours.text
        self.expected.setPen(_pen(text, pens, Qt.PenStyle.DotLine))
        self.expected.setBrush(faded(text, _BAND_FILL))
        self.expected.setZValue(_BELOW_CURVES)
        self.early_line.setPen(_pen(text, pens, Qt.PenStyle.DashDotLine))
        self.all_variables.setPen(_pen(colours.redundant_border, pens, Qt.PenStyle.DotLine))
        self.all_variables.setZValue(_BELOW_CURVES)
        for line in self.stuck:
            line.setPen(_pen(colours.stuck, 1.6 * pens, dashes))
        for line in self.cursor:
            line.setPen(_pen(colours.accent, 1.6 * pens))
        for line in self.crosshair:
            line.setPen(_pen(colours.muted, pens, Qt.PenStyle.DotLine))

    def draw_errors(
        self, scale: ErrorScale, errors: Line, worse: Points, improved: Points, general: Line | None
    ) -> None:
        """Draw what the upper plot shows; heights are levels."""
        heights = [
            self._draw(self.error, errors._replace(y=scale.places(errors.y)), self._area.theme.colours.curve)
        ]
        for item, points in ((self.worse, worse), (self.improved, improved)):
            places = scale.places(points.y)
            item.set_points(points.x, places)
            heights.append(_highest(places))
        if self._is_early_stop_shown and general is not None:
            heights.append(self._draw_expected(scale, general))
        self._has_generalisation = general is not None
        self.generalisation.setVisible(general is not None)
        if general is not None:
            places = scale.places(general.y)
            colour = self._area.theme.colours.text
            heights.append(self._draw(self.generalisation, general._replace(y=places), colour))
        # Where they are many, as on samples, large discs would hide the curve.
        self.improved.set_size(
            (_SMALL_DISC if len(improved.x) > _FEW_DISCS else _DISC) * self._area.theme.line_scale
        )
        self._strides = (improved.stride, worse.stride)
        self._set_y_range(is_top=True, highest=max(max(heights), scale.place(1)))

    def _draw_expected(self, scale: ErrorScale, general: Line) -> float:
        """The band of the sampled errors that are to be expected, and how high it goes.

        Since they are at most F s away, or more, the band reaches down to 0.
        """
        least, rows = self._expected
        mean = np.exp2(general.y) - 1.0
        top = scale.places(as_levels(np.minimum(mean + np.maximum(mean, least), rows)))
        self.expected.setData(x=general.x, y=top, connect="finite")
        return _highest(top)

    def show_early_stop(self, config: RunConfig, scale: ErrorScale, *, is_shown: bool) -> None:
        """Draw what explains why a sampled run should stop early, or not."""
        self._is_early_stop_shown = is_shown
        for item in (self.expected, self.early_line):
            item.setVisible(is_shown)
        self._early_marks = []
        if is_shown:
            rows = float(config.rows or 1)
            self._expected = _C * log2(config.n), rows
            early = rows / config.n**_C
            place = scale.place(early)
            self.early_line.setValue(place)
            self._early_marks = [(place, f"s / n = {early:.3g}")]

    def draw_chance(self, line: Line) -> None:
        """Draw the chances that a worse tree is accepted, as logarithms to the base 10."""
        places = np.maximum(line.y, _LEAST_CHANCE)
        self._draw(self.chance, line._replace(y=places), self._area.theme.colours.worse)
        last = float(places[-1]) if len(places) else nan
        self._area.chance.right.set_marks([] if isnan(last) else [(last, _chance_text(10.0 ** line.y[-1]))])

    def draw_sizes(self, leaves: Line, ors: Line, distinct: Line) -> None:
        """Draw what the lower plot shows, once its limits are shown."""
        colours = self._area.theme.colours
        highest = max(self._draw(self.leaves, leaves, colours.leaf_border), 1.0)
        self._draw(self.ors, ors, colours.or_fill)
        self._draw(self.distinct, distinct, colours.redundant_border)
        farthest = _FARTHEST_LIMIT * max(highest, 4)
        lines = (*self._limits, self.all_variables.value())
        highest = max([highest, *(line for line in lines if line <= farthest)])
        self._set_y_range(is_top=False, highest=highest)
        # An SVG does not cut off what is beyond the plot, and would have these lines in the other one.
        self.all_variables.setVisible(self.all_variables.value() <= highest)
        if self.limit.value() > highest:
            self.limit.hide()

    def legend(self, config: RunConfig) -> list[LegendEntry]:
        """A sign for everything that was drawn."""
        colours = self._area.theme.colours
        improved, worse = (f", 1 of {stride:,}" if stride > 1 else "" for stride in self._strides)
        name = "sampled error" if config.is_sampled else "error"
        entries = [LegendEntry(Sign.LINE, colours.curve, name, "sampled" if config.is_sampled else "")]
        if self._has_generalisation:
            times = f" × {error_text(config.rows or 1)}"
            sign = Sign.LINE if self._is_dense.get(self.generalisation) else Sign.DASHED
            texts = f"generalisation error{times}", f"generalisation{times}"
            entries.append(LegendEntry(sign, colours.text, *texts))
        if self._is_early_stop_shown:
            entries += self._early_stop_legend(config)
        better = "looks better" if config.is_sampled else "improved"
        entries += [
            LegendEntry(Sign.DISC, colours.improved, f"{better}{improved}", better, False),
            LegendEntry(Sign.SQUARE, colours.worse, f"rejected offspring{worse}", "rejected", False),
            LegendEntry(Sign.LINE, colours.leaf_border, "leaves"),
            LegendEntry(Sign.DOTTED, colours.or_fill, "∨"),
            LegendEntry(
                Sign.DASH_DOTTED,
                colours.redundant_border,
                "variables",
                tip=_DISTINCT_TIP.format(n=f"{config.n:,}"),
            ),
        ]
        if self.full[0].shades.strengths.any():
            entries.append(LegendEntry(Sign.HATCHED, colours.edge, "full", "", False, _FULL_TIP))
        if self._bands:
            tip = _STAGES_TIP.format(length=f"{self._stages_length:,}")
            text = "stages n, n², n⁴, … and iterations in each"
            short = "stages, iterations in each"
            entries.append(LegendEntry(Sign.DOTTED, colours.muted, text, short, False, tip))
        if self._stuck_since is not None:
            text = f"stuck since t = {self._stuck_since:,}"
            entries.append(LegendEntry(Sign.DASHED, colours.stuck, text, "stuck", False))
        return entries

    def _early_stop_legend(self, config: RunConfig) -> list[LegendEntry]:
        colours = self._area.theme.colours
        rows, goal = error_text(config.rows or 1), error_text(config.accept_error)
        return [
            LegendEntry(
                Sign.BAND, colours.text, "expected sampled error", "expected", False,
                _EXPECTED_TIP.format(rows=rows, c=_C, least=f"{_C * log2(config.n):.3g}"),
            ),
            LegendEntry(
                Sign.LINE, colours.worse, "chance of a truly worse tree", "chance of worse", False,
                _CHANCE_TIP.format(rows=rows, goal=goal),
            ),
            LegendEntry(
                Sign.DASH_DOTTED, colours.text, "s / n", "", False,
                _EARLY_TIP.format(c=_C, goal=goal),
            ),
        ]  # fmt: skip

    def show_limits(self, history: History, scale: ErrorScale, low: float, high: float) -> None:
        """Draw the threshold of the error and the limit of the leaves, each from low to high as far as it held.

        Beside the plots are those that hold last.
        """
        stretches = _stretches_between(history, low, high)
        config = stretches[-1][2]
        accept, limit = scale.place(float(config.accept_error)), config.max_leaves
        self._limits = [each.max_leaves for _, _, each in stretches if each.max_leaves is not None]
        accepts = [(start, end, scale.place(float(each.accept_error))) for start, end, each in stretches]
        limits = [(start, end, each.max_leaves) for start, end, each in stretches]
        _show_stretches(self.accept, self.accept_stretches, accepts)
        _show_stretches(self.limit, self.limit_stretches, limits)
        self._goal = accept, f"goal {error_text(config.accept_error)}"
        self._all_mark = float(config.n), f"n = {config.n:,}"
        self.all_variables.setValue(config.n)
        self._limit_mark = None if limit is None else (float(limit), f"limit {limit:,}")
        self._show_marks()

    def show_full(self, shades: Shades) -> None:
        """Shade the stretches of full parents in both plots."""
        for shading in self.full:
            shading.set_shades(shades)

    def show_stages(
        self, n: int, scale: ErrorScale, low: float, high: float, counts: Sequence[int] | None, length: int
    ) -> None:
        """Draw a line where each stage of the drift theorem begins, from low to high, or none without counts.

        Beside the plot is how many iterations began in each stage, of so many.
        """
        self._stages, self._bands = [], []
        self._stages_length = length
        self.stage_lines.setVisible(counts is not None)
        if counts is not None:
            bounds = stage_bounds(n)
            places = scale.places([log2(bound + 1) for bound in bounds]).tolist()
            # From the largest on: on a linear scale only these are apart.
            numbers = range(len(bounds) - 1, 0, -1)
            self._stages = [(places[number], stage_bound_text(number)) for number in numbers]
            tops = [*places[1:], scale.places([float(n)]).tolist()[0]]
            bottoms = [0.0, *places[1:]]
            if self._has_counts:
                self._bands = [
                    Band(bottom, top, f"{count:,}")
                    for bottom, top, count in reversed(list(zip(bottoms, tops, counts, strict=True)))
                ]
            heights = np.repeat(np.array([place for place, _ in self._stages]), 2)
            self.stage_lines.setData(x=np.tile([low, high], len(self._stages)), y=heights)
        self._show_marks()

    def _show_marks(self) -> None:
        limits = [] if self._limit_mark is None else [self._limit_mark]
        errors = [self._goal, *self._early_marks, *self._stages]
        marks = errors, [*limits, self._all_mark], self._bands
        if marks != self._marks:
            self._marks = marks
            self._area.set_marks(*marks, "iterations" if self._bands else "")

    def show_stuck_since(self, iteration: int | None) -> None:
        """Mark the iteration from which on the tree is stuck, or none."""
        self._stuck_since = iteration
        for line in self.stuck:
            line.setVisible(iteration is not None)
            if iteration is not None:
                line.setValue(iteration)

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration in both plots."""
        for line in self.cursor:
            line.setValue(iteration)

    def hide_cursor(self) -> None:
        """Mark no iteration."""
        for line in self.cursor:
            line.hide()

    def show_crosshair(self, iteration: int, height: float | None) -> None:
        """Lines through this iteration, and through its error if it has one."""
        for line in self.crosshair[:-1]:
            line.setValue(iteration)
            line.show()
        self.crosshair[-1].setVisible(height is not None)
        if height is not None:
            self.crosshair[-1].setValue(height)

    def hide_crosshair(self) -> None:
        """No lines under the mouse."""
        for line in self.crosshair:
            line.hide()

    def _draw(self, curve: Any, line: Line, colour: str) -> float:
        """Draw a line and tell how high it goes."""
        if self._is_dense.get(curve) != line.is_dense:
            self._is_dense[curve] = line.is_dense
            # A thick pen is slow where many points share a pixel, and would not be seen there.
            width = 1.0 if line.is_dense else _CURVE_WIDTH * self._area.theme.line_scale
            styles = {
                self.ors: Qt.PenStyle.DotLine,
                self.distinct: Qt.PenStyle.DashDotLine,
                self.generalisation: Qt.PenStyle.DashLine,
            }
            style = Qt.PenStyle.SolidLine if line.is_dense else styles.get(curve, Qt.PenStyle.SolidLine)
            curve.setPen(_pen(colour, width * self.pen_scale, style))
        curve.setData(x=line.x, y=line.y, connect="finite")
        return _highest(line.y)

    def _set_y_range(self, *, is_top: bool, highest: float) -> None:
        span = -_FOOTROOM * highest, (1 + _HEADROOM) * highest
        if self._y_ranges.get(is_top) != span:
            self._y_ranges[is_top] = span
            (self._area.top if is_top else self._area.low).set_y_range(*span)


def _pen(colour: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen whose width is in pixels, whatever the scale of the plot."""
    pen = QPen(QColor(colour), width, style, Qt.PenCapStyle.FlatCap)
    pen.setCosmetic(True)
    return pen


def _stretches_between(history: History, low: float, high: float) -> list[tuple[float, float, RunConfig]]:
    """Between these iterations, from where to where which settings held; new ones hold from their fork on."""
    stretches = []
    start = low
    ends = [*(float(first - 1) for first, _ in history.configs[1:]), inf]
    for end, (_, config) in zip(ends, history.configs, strict=True):
        if end > 0 and start < min(end, high):  # what was changed at the start has never held
            stretches.append((start, min(end, high), config))
            start = end
    return stretches


def _show_stretches(line: Any, curve: Any, stretches: Sequence[tuple[float, float, float | None]]) -> None:
    """Show heights, None for no height: by the line if there is but one, or else each by a piece of the curve."""
    heights = {height for _, _, height in stretches}
    is_one = len(heights) == 1
    height = heights.pop()
    line.setValue(height or 0)
    line.setVisible(is_one and height is not None)
    curve.setVisible(not is_one)
    if not is_one:
        drawn = [stretch for stretch in stretches if stretch[2] is not None]
        curve.setData(
            np.array([x for start, end, _ in drawn for x in (start, end)], dtype=np.float64),
            np.array([y for _, _, height in drawn for y in (height, height)], dtype=np.float64),
        )


def _highest(heights: Any) -> float:
    return float(np.fmax.reduce(heights, initial=0.0)) if len(heights) else 0.0


class CurvesView(Themed, QWidget):
    """Error above, leaves and ORs below, of the history on show; the cursor is a line through both.

    A strip has the error only, and neither a legend nor buttons: it is to be seen whatever page is open.
    """

    iteration_chosen = Signal(int)
    log_scale_changed = Signal(bool)
    """A person has chosen whether the scale of the error is logarithmic."""
    log_scale_adapted = Signal(bool)
    """It is, or is no longer, because the range of the errors asks for it."""
    theory_changed = Signal(bool)
    """A person has chosen whether to see what the paper proves."""

    def __init__(self, parent: QWidget | None = None, *, is_strip: bool = False) -> None:
        super().__init__(parent)
        self._is_strip = is_strip
        self._series: RunSeries | None = None
        self._scale = ErrorScale()
        self._is_log_preferred = True
        self._is_log_chosen: bool | None = None  # for the run on show
        self._range: tuple[float, float] | None = None
        self._part: tuple[int, int] | None = None
        self._cursor = 0
        self._stuck_since: int | None = None
        self._is_ahead_hidden = False
        self._is_theory_shown = False
        self._has_buttons = True
        self._generalisation: StepSeries | None = None
        self._is_stale = True
        self._points: list[Dots] = []
        self._chances = ChanceCurve(self)
        self._chances.changed.connect(self._draw_when_visible)

        self.area = PlotArea(
            self._error_ticks, count_ticks, count_ticks, chance_ticks=_chance_ticks, has_sizes=not is_strip
        )
        self.area.chance.set_y_range(*_CHANCES)
        self.legend = CurveLegend()
        self.legend_below = CurveLegend()
        """What finds no room beside the buttons, where there is height for it."""
        self._items = CurveItems(self.area, has_counts=not is_strip)
        self._readout = Readout(self)
        self._build()

        self._catch_up = QTimer(self)
        self._catch_up.setSingleShot(True)
        self._catch_up.timeout.connect(self.refresh)
        self._redraw_soon = QTimer(self)
        self._redraw_soon.setSingleShot(True)
        self._redraw_soon.timeout.connect(self._redraw)
        self._choosing = Throttle(_FRAME_MS, self)
        self._choosing.passed.connect(self._on_choice_passed)
        self._hovering = Throttle(_HOVER_MS, self)
        self._hovering.passed.connect(self._on_hover_passed)
        self.area.pressed.connect(self._choosing.give)
        self.area.hovered.connect(self._hovering.give)
        self.area.mouse_left.connect(self._on_mouse_left)
        self.area.zoomed.connect(self._on_zoomed)
        self.area.panned.connect(self._on_panned)
        self.area.reset_asked.connect(self.reset_view)
        self.area.resized.connect(self._on_resized)
        self.follow_theme()

    @property
    def is_log_scale(self) -> bool:
        """Whether errors are placed by their logarithm."""
        return self._scale.is_log

    @property
    def is_theory_shown(self) -> bool:
        """Whether what the paper proves is seen too."""
        return self._is_theory_shown

    @property
    def is_following(self) -> bool:
        """Whether the whole run is in view, and stays so while it grows."""
        return self._range is None

    @property
    def visible_range(self) -> tuple[float, float]:
        """The first and the last iteration in view, with the margin beside them."""
        return self._range or self._whole_run()

    def show_history(self, history: History) -> None:
        """Show another run, as a whole and from its start."""
        self._series = RunSeries(history)
        self._chances.show_history(history)
        self._generalisation = None
        self._range = self._part = None
        self._cursor = 0
        self._stuck_since = None
        self._is_log_chosen = None
        self._choosing.cancel()
        self._on_mouse_left()
        if not self.isVisible():  # else that comes with its first iterations
            self._adapt_scale()
        self._items.show_limits(history, self._scale, *self.visible_range)
        self._items.show_stuck_since(None)
        self._items.show_cursor(0)
        self._set_titles()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take in the iterations that are new."""
        if self._series is None or not self.isVisible():
            self._is_stale = True
            return
        self._catch_up.stop()
        is_complete = self._series.take_in(_SLICE)
        if self._generalisation is not None:
            is_complete &= self._generalisation.take_in(_SLICE)
        if (
            not is_complete and self.area.viewport().updatesEnabled()
        ):  # else it is refreshed again in a moment
            self._catch_up.start(0)
        self._adapt_scale()
        self._redraw()

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration."""
        has_moved = iteration != self._cursor
        self._cursor = iteration
        self._items.show_cursor(iteration)
        if has_moved and self._is_ahead_hidden:
            self._mark_stuck()
            self._draw_when_visible()

    def show_stuck_since(self, iteration: int | None) -> None:
        """Mark the iteration from which on the tree is stuck; None for no such mark."""
        self._stuck_since = iteration
        self._mark_stuck()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor: what comes after it is still to be guessed. Or all of it."""
        if is_hidden != self._is_ahead_hidden:
            self._is_ahead_hidden = is_hidden
            self._range = None
            self._on_mouse_left()
            self._mark_stuck()
            self._draw_when_visible()

    def _mark_stuck(self) -> None:
        is_ahead = self._stuck_since is not None and self._stuck_since > self._cursor
        self._items.show_stuck_since(None if is_ahead and self._is_ahead_hidden else self._stuck_since)
        if self._series is not None:
            self._show_legend(self._series)

    def show_generalisation(self, iterations: npt.NDArray, shares: npt.NDArray) -> None:
        """Show how likely the tree is wrong on a random row, from each of these iterations on.

        Arrays that begin like the last ones are taken for longer ones, so that only what is new is looked at.
        """
        if self._series is None:
            return
        if self._generalisation is None:
            self._generalisation = StepSeries(self._series.history.config.rows or 1)
        self._generalisation.show(
            np.asarray(iterations, dtype=np.int64), np.asarray(shares, dtype=np.float64)
        )
        if self.isVisible():
            self._catch_up.start(0)  # a refresh that comes before does the same

    def set_log_scale(self, is_log: bool) -> None:
        """Place the errors of the run on show by the logarithm of error + 1, or as they are.

        Of the next run too, unless its errors have many digits: on a linear scale it would look as if it were
        solved after the first of its iterations, so its scale is logarithmic all the same.
        """
        self._is_log_preferred = is_log
        self._is_log_chosen = None if self._series is None else is_log
        if is_log != self._scale.is_log:
            self._change_scale(self._wanted_scale())
            self.log_scale_changed.emit(is_log)

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show what the paper proves: the stages of the drift theorem, or why a sampled run should stop early."""
        if is_shown != self._is_theory_shown:
            self._is_theory_shown = is_shown
            self._theory_button.setChecked(is_shown)
            self._draw_when_visible()
            self.theory_changed.emit(is_shown)

    def _adapt_scale(self) -> None:
        """Have the scale that the range of the errors asks for, unless a person has chosen one for this run."""
        scale = self._wanted_scale()
        if scale == self._scale:
            return
        is_other = scale.is_log != self._scale.is_log
        self._change_scale(scale)
        if is_other and self.isVisible():
            self.log_scale_adapted.emit(scale.is_log)

    def _change_scale(self, scale: ErrorScale) -> None:
        self._scale = scale
        self._name_scale()
        self._set_titles()
        if self._series is not None:
            self._items.show_limits(self._series.history, scale, *self.visible_range)
        self._on_mouse_left()
        self._draw_when_visible()

    @Slot()
    def reset_view(self) -> None:
        """Show the whole run, also while it grows."""
        self._range = None
        self._draw_when_visible()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self._items.apply_theme(theme)
        self._set_titles()
        self._draw_when_visible()

    def show_as_picture(self, first: int, last: int, scale: float = 1.0) -> None:
        """Show these iterations only, at once, without a cursor and buttons, as in print; there is no way back.

        ``scale`` is how many pixels of the picture there are for each of the widget's.
        """
        series = self._series
        if series is None:
            return
        self._items.pen_scale = scale
        self._items.apply_theme(self.theme)
        self.hide_buttons()
        layout = self.layout()
        if layout is not None:
            layout.activate()  # their room is free now, and not only when events come
        self._items.hide_cursor()
        self.area.setCacheMode(
            QGraphicsView.CacheModeFlag.CacheNone
        )  # kept pixels would be painted in print too
        while not series.take_in(_SLICE):
            pass
        if self._generalisation is not None:
            while not self._generalisation.take_in(_SLICE):
                pass
        if self._is_early_stop_shown:
            self._chances.work_out_now(first, last)
        margin = _MARGIN * (last - first) if last > first else _BESIDE_POINT
        self._part = first, last
        self._range = first - margin, last + margin
        if first == last and not self._points:
            self._points = self._new_points()
        self._catch_up.stop()
        self._adapt_scale()
        self._redraw()

    def hold_painting(self) -> None:
        """Take in changes without painting them, until `paint_held`; so neither takes all of a frame."""
        self.area.viewport().setUpdatesEnabled(False)

    def paint_held(self) -> None:
        """Paint before returning what has changed; the scene would tell its view only later."""
        scene = self.area.scene()
        scene.prepareForPaint()  # what moves while it is painted would have to be painted again
        QCoreApplication.sendPostedEvents(scene, QEvent.Type.MetaCall)
        self.area.viewport().setUpdatesEnabled(True)
        self.area.viewport().repaint()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()
        elif self._is_early_stop_shown:
            self._draw_when_visible()

    def hideEvent(self, event: QHideEvent) -> None:
        self._chances.stop()
        super().hideEvent(event)

    def shut_down(self) -> None:
        """End what is done in the background."""
        self._chances.shut_down()

    @property
    def _is_early_stop_shown(self) -> bool:
        return self._is_theory_shown and self._series is not None and self._series.history.config.is_sampled

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))

    def _build(self) -> None:
        self.setAccessibleName("Curves")
        self.setAccessibleDescription(
            "Error, leaves, ORs and distinct variables of the run against the iteration"
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._scale_button = self._button("", "", "")
        self._scale_button.clicked.connect(self._on_scale_clicked)
        self._name_scale()
        self._theory_button = self._button("theory", _THEORY_TIP, "Theory")
        self._theory_button.setCheckable(True)
        self._theory_button.toggled.connect(self.set_theory_shown)
        self._out_button = self._button("−", "Show more iterations (wheel down)", "Zoom out")
        self._out_button.clicked.connect(self._on_zoom_out)
        self._in_button = self._button("+", "Show fewer iterations (wheel up)", "Zoom in")
        self._in_button.clicked.connect(self._on_zoom_in)
        self._whole_button = self._button("whole run", "Show the whole run (double-click)", "Whole run")
        self._whole_button.clicked.connect(self.reset_view)
        self._whole_button.hide()
        head = QHBoxLayout()
        head.setContentsMargins(6, 2, 6, 0)
        head.setSpacing(4)
        head.addWidget(self.legend, 1)
        for button in self._buttons():
            head.addWidget(button)
        layout = column_in(self, spacing=0)
        below = QHBoxLayout()
        below.setContentsMargins(6, 0, 6, 0)
        below.addWidget(self.legend_below)
        self.legend_below.setAccessibleName("Legend of the curves, continued")
        self.legend_below.hide()
        layout.addLayout(head)
        layout.addLayout(below)
        layout.addWidget(self.area, 1)
        if self._is_strip:
            self.setAccessibleName("Error curve")
            self.setAccessibleDescription("The error of the run against the iteration")
            head.setContentsMargins(0, 0, 0, 0)
            self.legend.hide()
            self.hide_buttons()

    def hide_buttons(self) -> None:
        """Have none, where nobody can press them; there is no way back."""
        self._has_buttons = False
        for button in self._buttons():
            button.hide()

    def _buttons(self) -> tuple[QToolButton, ...]:
        return (
            self._theory_button,
            self._scale_button,
            self._out_button,
            self._in_button,
            self._whole_button,
        )

    def _button(self, text: str, tip: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(name)
        button.setProperty("role", "small")
        return button

    def _name_scale(self) -> None:
        """Let the button say which scale there is, and its tooltip which one it brings."""
        scale = self._scale
        other = "a linear" if scale.is_log else "a logarithmic"
        words = "the square root of the logarithm" if scale.name == "√log" else scale.name
        self._scale_button.setText(scale.name)
        self._scale_button.setToolTip(f"The error scale is {words}; click for {other} one")
        self._scale_button.setAccessibleName(f"Scale of the error: {words}")

    @Slot()
    def _on_scale_clicked(self) -> None:
        self.set_log_scale(not self._scale.is_log)

    def _length(self) -> int:
        length = 0 if self._series is None else len(self._series.history)
        return min(length, self._cursor) if self._is_ahead_hidden else length

    def _whole_run(self) -> tuple[float, float]:
        length = _rounded_up(max(self._length(), _SHORTEST_RUN))
        return -_MARGIN * length, (1 + _MARGIN) * length

    def _wanted_scale(self) -> ErrorScale:
        """That which a person has chosen or else prefers; but errors of many digits need a logarithmic one."""
        bits = 0.0 if self._series is None else self._series.highest
        is_log = self._is_log_chosen
        if is_log is None:
            is_log = self._is_log_preferred or bits > _LOG_BITS
        if is_log:
            return ErrorScale(is_root_log=bits > _ROOT_LOG_BITS)
        return ErrorScale(is_log=False, unit=2.0 ** max(0, floor(bits) - _LARGEST_UNIT_BITS))

    def _error_ticks(self, low: float, high: float, most: int) -> list[Tick]:
        return self._scale.ticks(high, most)

    def _set_titles(self) -> None:
        titles = ["error"]
        if self._series is not None:
            config = self._series.history.config
            if config.is_sampled:
                rows = error_text(config.rows or 0)
                titles = [f"wrong rows of {rows} sampled", f"wrong of {rows}", "wrong rows", "error"]
            else:
                rows = power_text(2, config.n)
                titles = [f"error (wrong rows of {rows})", f"error (of {rows})", "error"]
        if self._scale.name == "√log":  # which one cannot see from its powers of ten
            titles = [f"{title}, √log" for title in titles]
        self.area.set_titles(
            titles, ["leaves, ∨, variables", "leaves, ∨", "leaves"], "iteration t", _CHANCE_TITLES
        )

    @Slot()
    def _draw_when_visible(self) -> None:
        """Draw what has changed, together with whatever else changes in this moment."""
        self._is_stale = True
        if self.isVisible():
            self._redraw_soon.start(0)

    @Slot()
    def _redraw(self) -> None:
        series = self._series
        if series is None or not self.isVisible():
            return
        self._is_stale = False
        self._redraw_soon.stop()
        low, high = self.visible_range
        self.area.set_x_range(low, high)
        last = min(series.length, self._length())
        start, stop = max(int(np.floor(low)), 0), min(int(np.ceil(high)), last)
        if self._part is not None:
            start, stop = max(start, self._part[0]), min(stop, self._part[1])
        columns = self.area.columns
        errors = series.error_line(start, stop, columns)
        worse = series.rejections(start, stop, _MOST_DOTS)
        improved = series.improvements(start, stop, _MOST_DISCS)
        general = None
        if self._generalisation is not None:
            general = self._generalisation.line(start, stop, columns)
        self._items.show_early_stop(series.history.config, self._scale, is_shown=self._is_early_stop_shown)
        self._items.draw_errors(self._scale, errors, worse, improved, general)
        self._items.show_limits(series.history, self._scale, low, high)
        self._items.show_full(shades_between(series.full, start, stop, columns))
        self._show_stages(series, low, high, last)
        if self._is_strip:
            self.area.fit_titles()
            return
        self._draw_chances(start, stop, columns)
        leaves, ors, distinct = series.size_lines(start, stop, columns)
        self._items.draw_sizes(leaves, ors, distinct)
        if self._points:
            levels = errors._replace(y=self._scale.places(errors.y))
            if general is not None:
                general = general._replace(y=self._scale.places(general.y))
            # An improvement is a disc already, and one on the other would hide what it means.
            self._draw_points(general, None if len(improved.x) else levels, leaves, distinct, ors)
        self._show_legend(series)
        # Where it would change nothing its room is the legend's.
        self._whole_button.setVisible(self._has_buttons and self._range is not None)
        self.area.fit_titles()

    def _draw_chances(self, start: int, stop: int, columns: int) -> None:
        """What is known of them, and have the rest found out."""
        self.area.show_chance(self._is_early_stop_shown)
        if not self._is_early_stop_shown:
            self._chances.stop()
            return
        chances = self._chances
        if self._part is None:
            chances.look_at(start, stop)
        with np.errstate(divide="ignore"):
            logarithms = np.log10(chances.chances)
        end = int(min(stop, chances.known_until))
        self._items.draw_chance(step_line(chances.iterations, logarithms, start, end, columns))

    def _show_stages(self, series: RunSeries, low: float, high: float, last: int) -> None:
        """How many iterations began in each stage of what is on show: of the whole run, or of the part of it."""
        first, last = (0, last) if self._part is None else (self._part[0], min(last, self._part[1]))
        counts = None
        if self._is_theory_shown and series.stages is not None:
            before, after = series.stages.up_to(first), series.stages.up_to(last)
            counts = [late - early for early, late in zip(before, after, strict=True)]
        self._items.show_stages(series.history.config.n, self._scale, low, high, counts, last - first)

    def _new_points(self) -> list[Dots]:
        """What is drawn of a single iteration: of both errors, and of leaves, variables and ORs."""
        colours, top, low = self.theme.colours, self.area.top, self.area.low
        made = []
        for plot, colour in (
            (top, colours.text),
            (top, colours.curve),
            (low, colours.leaf_border),
            (low, colours.redundant_border),
            (low, colours.or_fill),
        ):
            points = Dots(is_round=True)
            points.set_look(_POINT * self.theme.line_scale, QColor(colour), QColor(colours.panel))
            plot.add(points)
            made.append(points)
        return made

    def _draw_points(self, *lines: Line | None) -> None:
        """A point on each line, as one that is a single iteration long cannot be seen."""
        for points, line in zip(self._points, lines, strict=True):
            if line is not None:
                points.set_points(line.x[:1], line.y[:1])

    def _show_legend(self, series: RunSeries) -> None:
        self.legend.set_entries(self._items.legend(series.history.config))
        line = QFontMetricsF(self.theme.font(0.9)).height()
        is_continued = self.legend.is_cut and self.height() >= _TWO_ROWS_LINES * line
        self.legend.set_continued(is_continued)
        self.legend_below.set_entries(self.legend.rest())
        if is_continued == self.legend_below.isHidden():
            self.legend_below.setVisible(is_continued)
            if (layout := self.layout()) is not None:
                layout.activate()  # a picture is painted before events come

    @Slot(object)
    def _on_choice_passed(self, place: float) -> None:
        if self._series is not None:
            self.iteration_chosen.emit(self._snapped(place))

    @Slot(object)
    def _on_hover_passed(self, place: float) -> None:
        low, high = self.visible_range
        if self._series is None or not low <= place <= high:
            self._on_mouse_left()
            return
        iteration = self._snapped(place)
        history = self._series.history
        text = values_in_words(history, iteration)
        share = None if self._generalisation is None else self._generalisation.share_at(iteration)
        if share is not None:
            text += f" · generalisation error {share:.3g}"
        before, after = self._series.full.before([iteration - 1, iteration])
        if after > before:
            text += " · parent full"
        text += self._stage_in_words(iteration)
        chance = self._chances.chance_at(iteration) if self._is_early_stop_shown else None
        if chance is not None:
            text += f" · chance of accepting a truly worse tree {_chance_text(chance)}"
        error = history.error_at(iteration)
        self._items.show_crosshair(iteration, None if error is None else self._scale.place(float(error)))
        self._readout.show_text(text, self.legend.geometry())

    def _stage_in_words(self, iteration: int) -> str:
        """In which stage an iteration began, where stages are shown."""
        series = self._series
        if not iteration or series is None or series.stages is None or not self._is_theory_shown:
            return ""
        n, error = series.history.config.n, series.history.step_at(iteration).parent_error
        return f" · stage {stage_text(stage_of(error, n), len(stage_bounds(n)))}" if error else ""

    @Slot()
    def _on_mouse_left(self) -> None:
        self._hovering.cancel()
        self._items.hide_crosshair()
        self._readout.hide()

    @Slot(float, float)
    def _on_zoomed(self, factor: float, around: float) -> None:
        low, high = self.visible_range
        self._set_range(around - (around - low) * factor, around + (high - around) * factor)

    @Slot(float)
    def _on_panned(self, distance: float) -> None:
        if self._range is not None:
            low, high = self._range
            self._set_range(low + distance, high + distance)

    @Slot()
    def _on_zoom_in(self) -> None:
        self._on_zoomed(_ZOOM, self._middle())

    @Slot()
    def _on_zoom_out(self) -> None:
        self._on_zoomed(1 / _ZOOM, self._middle())

    @Slot()
    def _on_resized(self) -> None:
        self._draw_when_visible()

    def _middle(self) -> float:
        """What the buttons zoom around: the cursor where it is in view."""
        low, high = self.visible_range
        return float(self._cursor) if low <= self._cursor <= high else (low + high) / 2

    def _set_range(self, low: float, high: float) -> None:
        first, last = self._whole_run()
        span = max(high - low, _SHORTEST_SPAN)
        if span >= last - first:
            self.reset_view()
            return
        low = min(max((low + high - span) / 2, first), last - span)
        self._range = low, low + span
        self._draw_when_visible()

    def _snapped(self, place: float) -> int:
        return int(min(max(round(place), 0), self._length()))


def _chance_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Powers of ten, from the smallest that is told apart to certainty."""
    return log_ticks(max(low, _LEAST_CHANCE), min(high, 0.0), most)


def _chance_text(chance: float) -> str:
    if chance >= _LEAST_PERCENT:
        return f"{100 * chance:.2g} %"
    return "0" if not chance else tick_text(float(f"{chance:.1e}"))


def _rounded_up(length: int) -> int:
    """A long run gets up to an eighth more room than it takes, so that it can grow in a view that stays."""
    if length <= _LONGEST_FITTED:
        return length
    step = 1 << (length.bit_length() - 4)
    return -(-length // step) * step
