"""What is drawn of the curves of a run: lines, dots, bands and shades, in the colours of a theme."""

from collections.abc import Sequence
from itertools import product
from math import inf, isnan, log2, nan
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from gpviz.analysis.drift_bounds import stage_bounds
from gpviz.app.plots.curve_legend import BAND_FILL, LegendEntry, Sign
from gpviz.app.plots.full_tree_shading import NO_SHADES, Shades, paint_shades
from gpviz.app.plots.linked_plots import Band, CurvesArea, Plot, PlotArea
from gpviz.app.theme import Theme
from gpviz.app.widgets.paint_helpers import faded, is_vector
from gpviz.engine import RunConfig
from gpviz.experiments.figures.axis_ticks import ErrorScale, Tick, error_text, tick_text
from gpviz.number_text import stage_bound_text
from gpviz.runs.curve_series import Line, Points, as_levels
from gpviz.runs.history import History

_LIMIT_WIDTH: Final = 4.5
_LIMIT_DASHES: Final = (1.6, 1.3)
"""In pixels, and in widths of the line."""
_BELOW_CURVES: Final = -1.0
_BELOW_ALL: Final = -2.0
_BELOW_ERROR: Final = -0.5
_CURVE_WIDTH: Final = 2.0
_SQUARE: Final = 3.0
_DISC: Final = 8.0
_SMALL_DISC: Final = 4.5
_FEW_DISCS: Final = 80
_HEADROOM: Final = 0.12
_FOOTROOM: Final = 0.08
_FARTHEST_LIMIT: Final = 2.5
"""A limit is kept in view as long as it is at most this many times the leaves."""
_LEAST_PERCENT: Final = 0.001
LEAST_CHANCE: Final = -10.0
"""Chances are placed by their logarithms to the base 10, and those that are smaller yet here."""
_FULL_TIP: Final = (
    "Full: the parent of the iteration has as many leaves as the limit allows, so nothing can be inserted."
)
_DISTINCT_TIP: Final = (
    "Distinct variables: how many different ones the tree has, of n = {n}. To be right on every row it needs them"
    " all, and the run collects them like coupons: the last ones take longest."
)
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


class _PlotItem(pg.GraphicsObject):
    """What is drawn within the visible part of a plot."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect() or QRectF())

    def viewRangeChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()


class Dots(_PlotItem):
    """Dots of one size and colour, round ones with a ring around them or small square ones."""

    def __init__(self, *, is_round: bool) -> None:
        super().__init__()
        self._is_round = is_round
        self.x: npt.NDArray[np.float64] = np.empty(0)
        self.y: npt.NDArray[np.float64] = np.empty(0)
        self.size = 1.0
        self._colour = QColor()
        self._ring = QColor()

    def set_points(self, x: npt.NDArray[Any], y: npt.NDArray[np.float64]) -> None:
        """Draw these points, which are in the order of ``x``."""
        self.x = np.asarray(x, dtype=np.float64)
        self.y = y
        self.update()

    def set_look(self, size: float, colour: QColor, ring: QColor | None = None) -> None:
        """Size in pixels, colour, and the colour around round ones."""
        self.size = size
        self._colour = colour
        self._ring = ring or colour
        self.update()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        place = painter.worldTransform()
        reach = (self.size + 2) / (abs(place.m11()) or 1.0)
        exposed = option.exposedRect
        # A cursor that moves uncovers a narrow strip, and only that is drawn anew.
        first, last = self.x.searchsorted([exposed.left() - reach, exposed.right() + reach])
        if last <= first:
            return
        points = pg.functions.create_qpolygonf(int(last - first))
        pixels = pg.functions.ndarray_from_qpolygonf(points)
        pixels[:, 0] = self.x[first:last] * place.m11() + place.dx()
        pixels[:, 1] = self.y[first:last] * place.m22() + place.dy()
        painter.resetTransform()
        if self._is_round:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for colour, size in ((self._ring, self.size + 2), (self._colour, self.size)):
                painter.setPen(QPen(colour, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawPoints(points)
            return
        if is_vector(painter):
            painter.setPen(QPen(self._colour, self.size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawPoints(points)
            return
        # Points of one pixel several times are many times as fast as points of several pixels.
        painter.setPen(QPen(self._colour, 1))
        side = max(1, round(self.size))
        for right, down in product(range(side), repeat=2):
            painter.resetTransform()
            painter.translate(right - side // 2, down - side // 2)
            painter.drawPoints(points)


class FullShading(_PlotItem):
    """The stretches with full parents, shaded from the top to the bottom of a plot."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(_BELOW_ALL)
        self.shades = NO_SHADES
        self.theme: Theme | None = None

    def set_shades(self, shades: Shades) -> None:
        """Shade these, whose edges are iterations."""
        self.shades = shades
        self.update()

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


class ErrorItems:
    """What is drawn of the errors of a run. It holds no data of its own, only what it drew last."""

    def __init__(self, area: PlotArea) -> None:
        self._area = area
        self.pen_scale = 1.0
        """Real pixels for each of a widget's: the width of a pen is in those."""
        top = area.top
        self.error = pg.PlotCurveItem()
        self.generalisation = pg.PlotCurveItem()
        self.improved = Dots(is_round=True)
        self.accept = pg.InfiniteLine(angle=0)
        self.accept_stretches = pg.PlotCurveItem(connect="pairs")
        self.stage_lines = pg.PlotCurveItem(connect="pairs")
        self.expected = pg.PlotCurveItem(fillLevel=0.0)
        self.early_line = pg.InfiniteLine(angle=0)
        lines = self.stage_lines, self.accept_stretches, self.expected, self.early_line, self.accept
        for item in (self.error, self.generalisation, self.improved, *lines):
            top.add(item)
        self.stuck = [pg.InfiniteLine(angle=90) for _ in area.plots]
        for plot, line in zip(area.plots, self.stuck, strict=True):
            plot.add(line)
        self.full = [FullShading()]
        top.add(self.full[0])
        for line in (self.accept, self.accept_stretches, self.expected, self.early_line, *self.stuck):
            line.hide()
        self._styles: dict[Any, Qt.PenStyle] = {self.generalisation: Qt.PenStyle.DashLine}
        self._y_ranges: dict[Plot, tuple[float, float]] = {}
        self._is_dense: dict[Any, bool] = {}
        self._stride = 1
        self._has_generalisation = False
        self._goal: Tick = (0.0, "")
        self._stages: list[Tick] = []
        self._is_early_stop_shown = False
        self._early_marks: list[Tick] = []
        self._expected = 0.0, 1.0
        """The least half of the band, and the most that it reaches."""
        self._stuck_since: int | None = None

    def apply_theme(self, theme: Theme) -> None:
        """Take colours, widths and type from the theme."""
        colours = theme.colours
        pens = theme.line_scale * self.pen_scale
        self._is_dense.clear()  # the pens are made anew when the curves are drawn
        self.improved.set_look(_DISC * theme.line_scale, QColor(colours.improved), QColor(colours.panel))
        dashes = Qt.PenStyle.DashLine
        for item in (self.accept, self.accept_stretches):
            item.setPen(_pen(colours.solved, 1.3 * pens, dashes))
        for shading in self.full:
            shading.theme = theme
            shading.update()
        self.stage_lines.setPen(_pen(colours.muted, pens, Qt.PenStyle.DotLine))
        self.stage_lines.setZValue(_BELOW_CURVES)
        text = colours.text
        self.expected.setPen(_pen(text, pens, Qt.PenStyle.DotLine))
        self.expected.setBrush(faded(text, BAND_FILL))
        self.expected.setZValue(_BELOW_CURVES)
        self.early_line.setPen(_pen(text, pens, Qt.PenStyle.DashDotLine))
        for line in self.stuck:
            line.setPen(_pen(colours.stuck, 1.6 * pens, dashes))

    def draw_errors(
        self, scale: ErrorScale, errors: Line, improved: Points, general: Line | None, highest: float = 0.0
    ) -> None:
        """Draw the errors, in a plot that is at least as high as another place; heights are levels."""
        places = scale.places(errors.y)
        heights = [highest, self._draw(self.error, errors._replace(y=places), self._area.theme.colours.curve)]
        places = scale.places(improved.y)
        self.improved.set_points(improved.x, places)
        heights.append(_highest(places))
        if self._is_early_stop_shown and general is not None:
            heights.append(self._draw_expected(scale, general))
        self._has_generalisation = general is not None
        self.generalisation.setVisible(general is not None)
        if general is not None:
            places = scale.places(general.y)
            colour = self._area.theme.colours.edge
            heights.append(self._draw(self.generalisation, general._replace(y=places), colour))
        # Where they are many, as on samples, large discs would hide the curve.
        size = _SMALL_DISC if len(improved.x) > _FEW_DISCS else _DISC
        self.improved.size = size * self._area.theme.line_scale
        self._stride = improved.stride
        self._set_y_range(self._area.top, max(*heights, scale.place(1)))

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

    def show_goal(self, history: History, scale: ErrorScale, low: float, high: float) -> None:
        """Draw the largest error that ends the run, from low to high as far as it held.

        The label is that of the last one.
        """
        stretches = _stretches_between(history, low, high)
        accepts = [(start, end, scale.place(float(each.accept_error))) for start, end, each in stretches]
        _show_stretches(self.accept, self.accept_stretches, accepts)
        goal = stretches[-1][2].accept_error
        self._goal = scale.place(float(goal)), f"goal {error_text(goal)}"

    def show_stages(self, n: int, scale: ErrorScale, low: float, high: float, *, is_shown: bool) -> None:
        """Draw a line where each stage of the drift theorem begins, from low to high, or none."""
        self._stages = []
        self.stage_lines.setVisible(is_shown)
        if is_shown:
            bounds = stage_bounds(n)
            places = scale.places([log2(bound + 1) for bound in bounds]).tolist()
            # From the largest on: on a linear scale only these are apart.
            self._stages = [
                (places[number], stage_bound_text(number)) for number in range(len(bounds) - 1, 0, -1)
            ]
            heights = np.repeat(np.array([place for place, _ in self._stages]), 2)
            self.stage_lines.setData(x=np.tile([low, high], len(self._stages)), y=heights)

    def marks(self) -> list[Tick]:
        """What is written beside the lines that cross the errors."""
        return [self._goal, *self._early_marks, *self._stages]

    def show_full(self, shades: Shades) -> None:
        """Shade the stretches of full parents in each plot."""
        for shading in self.full:
            shading.set_shades(shades)

    def show_stuck_since(self, iteration: int | None) -> None:
        """Mark the iteration from which on the tree is stuck, or none."""
        self._stuck_since = iteration
        for line in self.stuck:
            line.setVisible(iteration is not None)
            if iteration is not None:
                line.setValue(iteration)

    def _draw(self, curve: Any, line: Line, colour: str) -> float:
        """Draw a line and tell how high it goes."""
        if self._is_dense.get(curve) != line.is_dense:
            self._is_dense[curve] = line.is_dense
            # A thick pen is slow where many points share a pixel, and would not be seen there.
            width = 1.0 if line.is_dense else _CURVE_WIDTH * self._area.theme.line_scale
            style = Qt.PenStyle.SolidLine
            if not line.is_dense:
                style = self._styles.get(curve, style)
            curve.setPen(_pen(colour, width * self.pen_scale, style))
        curve.setData(x=line.x, y=line.y, connect="finite")
        return _highest(line.y)

    def _set_y_range(self, plot: Plot, highest: float) -> None:
        span = -_FOOTROOM * highest, (1 + _HEADROOM) * highest
        if self._y_ranges.get(plot) != span:
            self._y_ranges[plot] = span
            plot.set_y_range(*span)


class CurveItems(ErrorItems):
    """What is drawn of a run's errors, with the rejected ones, and of its sizes and chances."""

    def __init__(self, area: CurvesArea) -> None:
        super().__init__(area)
        self._curves_area = area
        top, low = area.top, area.low
        self.worse = Dots(is_round=False)
        self.leaves = pg.PlotCurveItem()
        self.ors = pg.PlotCurveItem()
        self.distinct = pg.PlotCurveItem()
        top.add(self.worse)
        for item in (self.leaves, self.ors, self.distinct):
            low.add(item)
        self.limit = pg.InfiniteLine(angle=0)
        self.all_variables = pg.InfiniteLine(angle=0)
        self.limit_stretches = pg.PlotCurveItem(connect="pairs")
        self.crosshair = [*(pg.InfiniteLine(angle=90) for _ in area.plots), pg.InfiniteLine(angle=0)]
        self.full.append(FullShading())
        self.chance = pg.PlotCurveItem()
        low.add(self.full[1])
        top.add(self.crosshair[-1])
        for item in (self.limit_stretches, self.limit, self.all_variables):
            low.add(item)
        area.chance.add(self.chance)
        for plot, line in zip(area.plots, self.crosshair, strict=False):
            plot.add(line)
        self._styles |= {self.ors: Qt.PenStyle.DotLine, self.distinct: Qt.PenStyle.DashDotLine}
        self._worse_stride = 1
        self._limits: list[int] = []
        self._marks: tuple[list[Tick], list[Tick], list[Band]] | None = None
        self._limit_mark: Tick | None = None
        self._all_mark: Tick = (0.0, "")
        self._bands: list[Band] = []
        self._stages_length = 0
        for line in (self.limit, self.limit_stretches, *self.crosshair):
            line.hide()

    def apply_theme(self, theme: Theme) -> None:
        super().apply_theme(theme)
        colours = theme.colours
        pens = theme.line_scale * self.pen_scale
        self.worse.set_look(_SQUARE * theme.line_scale, QColor(colours.worse))
        self.worse.setZValue(_BELOW_ERROR)
        for item in (self.limit, self.limit_stretches):
            # Broad and below the leaves, so that both are seen where the tree is full.
            pen = _pen(colours.edge, _LIMIT_WIDTH * pens, Qt.PenStyle.DashLine)
            pen.setDashPattern(_LIMIT_DASHES)
            item.setPen(pen)
            item.setZValue(_BELOW_CURVES)
        self.all_variables.setPen(_pen(colours.redundant_border, pens, Qt.PenStyle.DotLine))
        self.all_variables.setZValue(_BELOW_CURVES)
        self._curves_area.set_playhead_pen(_pen(colours.accent, 1.6 * pens))
        for line in self.crosshair:
            line.setPen(_pen(colours.muted, pens, Qt.PenStyle.DotLine))

    def draw_rejected(self, scale: ErrorScale, worse: Points) -> float:
        """Draw the errors of worse offspring, and tell how high they go."""
        places = scale.places(worse.y)
        self.worse.set_points(worse.x, places)
        self._worse_stride = worse.stride
        return _highest(places)

    def draw_chance(self, line: Line) -> None:
        """Draw the chances that a worse tree is accepted, as logarithms to the base 10."""
        places = np.maximum(line.y, LEAST_CHANCE)
        self._draw(self.chance, line._replace(y=places), self._area.theme.colours.worse)
        last = float(places[-1]) if len(places) else nan
        self._curves_area.chance.right.set_marks(
            [] if isnan(last) else [(last, chance_text(10.0 ** line.y[-1]))]
        )

    def draw_sizes(self, leaves: Line, ors: Line, distinct: Line) -> None:
        """Draw what the lower plot shows, once its limits are shown."""
        colours = self._area.theme.colours
        highest = max(self._draw(self.leaves, leaves, colours.leaf_border), 1.0)
        self._draw(self.ors, ors, colours.or_border)
        self._draw(self.distinct, distinct, colours.redundant_border)
        farthest = _FARTHEST_LIMIT * max(highest, 4)
        lines = (*self._limits, self.all_variables.value())
        highest = max([highest, *(line for line in lines if line <= farthest)])
        self._set_y_range(self._curves_area.low, highest)
        # An SVG does not cut off what is beyond the plot, and would have these lines in the other one.
        self.all_variables.setVisible(self.all_variables.value() <= highest)
        if self.limit.value() > highest:
            self.limit.hide()

    def legend(self, config: RunConfig) -> list[LegendEntry]:
        """A sign for everything that was drawn."""
        colours = self._area.theme.colours
        improved, worse = (
            f", 1 of {stride:,}" if stride > 1 else "" for stride in (self._stride, self._worse_stride)
        )
        name = "sampled error" if config.is_sampled else "error"
        entries = [LegendEntry(Sign.LINE, colours.curve, name)]
        if self._has_generalisation:
            sign = Sign.LINE if self._is_dense.get(self.generalisation) else Sign.DASHED
            text = f"generalisation error × {error_text(config.rows or 1)}"
            entries.append(LegendEntry(sign, colours.edge, text))
        if self._is_early_stop_shown:
            entries += self._early_stop_legend(config)
        better = "looks better" if config.is_sampled else "improved"
        entries += [
            LegendEntry(Sign.DISC, colours.improved, f"{better}{improved}"),
            LegendEntry(Sign.SQUARE, colours.worse, f"rejected offspring{worse}"),
            LegendEntry(Sign.LINE, colours.leaf_border, "leaves"),
            LegendEntry(Sign.DOTTED, colours.or_border, "∨"),
            LegendEntry(
                Sign.DASH_DOTTED,
                colours.redundant_border,
                "variables",
                tip=_DISTINCT_TIP.format(n=f"{config.n:,}"),
            ),
        ]
        if self.full[0].shades.strengths.any():
            entries.append(LegendEntry(Sign.HATCHED, colours.edge, "full", _FULL_TIP))
        if self._bands:
            tip = _STAGES_TIP.format(length=f"{self._stages_length:,}")
            text = "stages n, n², n⁴, … and iterations in each"
            entries.append(LegendEntry(Sign.DOTTED, colours.muted, text, tip))
        if self._stuck_since is not None:
            text = f"stuck since t = {self._stuck_since:,}"
            entries.append(LegendEntry(Sign.DASHED, colours.stuck, text))
        return entries

    def _early_stop_legend(self, config: RunConfig) -> list[LegendEntry]:
        colours = self._area.theme.colours
        rows, goal = error_text(config.rows or 1), error_text(config.accept_error)
        return [
            LegendEntry(
                Sign.BAND, colours.text, "expected sampled error",
                _EXPECTED_TIP.format(rows=rows, c=_C, least=f"{_C * log2(config.n):.3g}"),
            ),
            LegendEntry(
                Sign.LINE, colours.worse, "chance of a truly worse tree",
                _CHANCE_TIP.format(rows=rows, goal=goal),
            ),
            LegendEntry(
                Sign.DASH_DOTTED, colours.text, "s / n",
                _EARLY_TIP.format(c=_C, goal=goal),
            ),
        ]  # fmt: skip

    def show_limits(self, history: History, scale: ErrorScale, low: float, high: float) -> None:
        """Draw the goal and the limit of the leaves, each from low to high as far as it held.

        Beside the plots are those that hold last.
        """
        self.show_goal(history, scale, low, high)
        stretches = _stretches_between(history, low, high)
        config = stretches[-1][2]
        limit = config.max_leaves
        self._limits = [each.max_leaves for _, _, each in stretches if each.max_leaves is not None]
        limits = [(start, end, each.max_leaves) for start, end, each in stretches]
        _show_stretches(self.limit, self.limit_stretches, limits)
        self._all_mark = float(config.n), f"n = {config.n:,}"
        self.all_variables.setValue(config.n)
        self._limit_mark = None if limit is None else (float(limit), f"limit {limit:,}")
        self._show_marks()

    def show_stage_counts(self, n: int, scale: ErrorScale, counts: Sequence[int] | None, length: int) -> None:
        """Write beside the plot how many iterations began in each stage, of so many; nothing without counts."""
        self._bands = []
        self._stages_length = length
        if counts is not None:
            places = [0.0, *(place for place, _ in reversed(self._stages))]
            tops = [*places[1:], scale.places([float(n)]).tolist()[0]]
            self._bands = [
                Band(bottom, top, f"{count:,}")
                for bottom, top, count in reversed(list(zip(places, tops, counts, strict=True)))
            ]
        self._show_marks()

    def _show_marks(self) -> None:
        limits = [] if self._limit_mark is None else [self._limit_mark]
        marks = self.marks(), [*limits, self._all_mark], self._bands
        if marks != self._marks:
            self._marks = marks
            self._curves_area.set_marks(*marks, "iterations" if self._bands else "")

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


def chance_text(chance: float) -> str:
    if chance >= _LEAST_PERCENT:
        return f"{100 * chance:.2g} %"
    return "0" if not chance else tick_text(float(f"{chance:.1e}"))
