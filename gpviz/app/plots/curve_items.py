"""What is drawn in the plots: curves, dots and marked lines, in the colours of the theme."""

from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from gpviz.app.plots.dots import Dots
from gpviz.app.plots.legend import LegendEntry, Sign
from gpviz.app.plots.plot_area import PlotArea
from gpviz.app.plots.series import Line, Points
from gpviz.app.theme import Theme
from gpviz.engine import RunConfig
from gpviz.experiments.figures.ticks import ErrorScale, error_text

__all__ = ["CurveItems"]

_CURVE_WIDTH: Final = 2.0
_SQUARE: Final = 3.0
_DISC: Final = 8.0
_SMALL_DISC: Final = 4.5
_FEW_DISCS: Final = 80
_HEADROOM: Final = 0.12
_FOOTROOM: Final = 0.08
_FARTHEST_LIMIT: Final = 2.5
"""A limit is kept in view as long as it is at most this many times the leaves."""


class CurveItems:
    """The items of both plots. It holds no data of its own, only what it drew last."""

    def __init__(self, area: PlotArea, theme: Theme) -> None:
        self._area = area
        self._theme = theme
        top, low = area.top, area.low
        self.worse = Dots(is_round=False)
        self.error = pg.PlotCurveItem()
        self.generalisation = pg.PlotCurveItem()
        self.improved = Dots(is_round=True)
        self.leaves = pg.PlotCurveItem()
        self.ors = pg.PlotCurveItem()
        for item in (self.worse, self.error, self.generalisation, self.improved):
            top.add(item)
        for item in (self.leaves, self.ors):
            low.add(item)
        self.accept = pg.InfiniteLine(angle=0)
        self.limit = pg.InfiniteLine(angle=0)
        self.stuck = (pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90))
        self.cursor = (pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90))
        self.crosshair = (pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=0))
        for item in (self.accept, self.stuck[0], self.crosshair[0], self.crosshair[2], self.cursor[0]):
            top.add(item)
        for item in (self.limit, self.stuck[1], self.crosshair[1], self.cursor[1]):
            low.add(item)
        self._y_ranges: dict[bool, tuple[float, float]] = {}
        self._is_dense: dict[Any, bool] = {}
        self._strides = (1, 1)
        self._has_generalisation = False
        self._stuck_since: int | None = None
        for line in (self.accept, self.limit, *self.stuck, *self.crosshair):
            line.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take colours, widths and type from the theme."""
        self._theme = theme
        colours = theme.colours
        scale = theme.line_scale
        self._is_dense.clear()  # the pens are made anew when the curves are drawn
        self.worse.set_look(_SQUARE * scale, QColor(colours.worse))
        self.improved.set_look(_DISC * scale, QColor(colours.improved), QColor(colours.panel))
        dashes = Qt.PenStyle.DashLine
        self.accept.setPen(_pen(colours.solved, 1.3 * scale, dashes))
        self.limit.setPen(_pen(colours.too_large, 1.3 * scale, dashes))
        for line in self.stuck:
            line.setPen(_pen(colours.stuck, 1.6 * scale, dashes))
        for line in self.cursor:
            line.setPen(_pen(colours.accent, 1.6 * scale))
        for line in self.crosshair:
            line.setPen(_pen(colours.muted, scale, Qt.PenStyle.DotLine))

    def draw_errors(
        self, scale: ErrorScale, errors: Line, worse: Points, improved: Points, general: Line | None
    ) -> None:
        """Draw what the upper plot shows; heights are levels."""
        heights = [
            self._draw(self.error, errors._replace(y=scale.places(errors.y)), self._theme.colours.curve)
        ]
        for item, points in ((self.worse, worse), (self.improved, improved)):
            places = scale.places(points.y)
            item.set_points(points.x, places)
            heights.append(_highest(places))
        self._has_generalisation = general is not None
        self.generalisation.setVisible(general is not None)
        if general is not None:
            places = scale.places(general.y)
            colour = self._theme.colours.text
            heights.append(self._draw(self.generalisation, general._replace(y=places), colour))
        # Where they are many, as on samples, large discs would hide the curve.
        self.improved.set_size(
            (_SMALL_DISC if len(improved.x) > _FEW_DISCS else _DISC) * self._theme.line_scale
        )
        self._strides = (improved.stride, worse.stride)
        self._set_y_range(is_top=True, highest=max(max(heights), scale.place(1)))

    def draw_sizes(self, leaves: Line, ors: Line, limit: int | None) -> None:
        """Draw what the lower plot shows."""
        colours = self._theme.colours
        highest = max(self._draw(self.leaves, leaves, colours.leaf_border), 1.0)
        self._draw(self.ors, ors, colours.or_fill)
        if limit is not None and limit <= _FARTHEST_LIMIT * max(highest, 4):
            highest = max(highest, limit)
        self._set_y_range(is_top=False, highest=highest)

    def legend(self, config: RunConfig) -> list[LegendEntry]:
        """A sign for everything that was drawn."""
        colours = self._theme.colours
        improved, worse = (f", 1 of {stride:,}" if stride > 1 else "" for stride in self._strides)
        name = "sampled error" if config.is_sampled else "error"
        entries = [LegendEntry(Sign.LINE, colours.curve, name, "sampled" if config.is_sampled else "")]
        if self._has_generalisation:
            times = f" × {error_text(config.rows or 1)}"
            sign = Sign.LINE if self._is_dense.get(self.generalisation) else Sign.DASHED
            texts = f"generalisation error{times}", f"generalisation{times}"
            entries.append(LegendEntry(sign, colours.text, *texts))
        entries += [
            LegendEntry(Sign.DISC, colours.improved, f"improved{improved}", "improved", False),
            LegendEntry(Sign.SQUARE, colours.worse, f"rejected offspring{worse}", "rejected", False),
            LegendEntry(Sign.LINE, colours.leaf_border, "leaves"),
            LegendEntry(Sign.DOTTED, colours.or_fill, "∨"),
        ]
        if self._stuck_since is not None:
            text = f"stuck since t = {self._stuck_since:,}"
            entries.append(LegendEntry(Sign.DASHED, colours.stuck, text, "stuck", False))
        return entries

    def show_limits(self, config: RunConfig, scale: ErrorScale) -> None:
        """Draw the threshold of the error and the limit of the leaves."""
        accept = scale.place(float(config.accept_error))
        limit = config.max_leaves
        self.accept.setValue(accept)
        self.accept.show()
        self.limit.setValue(limit or 0)
        self.limit.setVisible(limit is not None)
        limit_text = "" if limit is None else f"limit {limit:,}"
        self._area.set_marks((accept, f"A = {error_text(config.accept_error)}"), (limit or 0, limit_text))

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
        for line in self.crosshair[:2]:
            line.setValue(iteration)
            line.show()
        self.crosshair[2].setVisible(height is not None)
        if height is not None:
            self.crosshair[2].setValue(height)

    def hide_crosshair(self) -> None:
        """No lines under the mouse."""
        for line in self.crosshair:
            line.hide()

    def _draw(self, curve: Any, line: Line, colour: str) -> float:
        """Draw a line and tell how high it goes."""
        if self._is_dense.get(curve) != line.is_dense:
            self._is_dense[curve] = line.is_dense
            # A thick pen is slow where many points share a pixel, and would not be seen there.
            width = 1.0 if line.is_dense else _CURVE_WIDTH * self._theme.line_scale
            styles = {self.ors: Qt.PenStyle.DotLine, self.generalisation: Qt.PenStyle.DashLine}
            style = Qt.PenStyle.SolidLine if line.is_dense else styles.get(curve, Qt.PenStyle.SolidLine)
            curve.setPen(_pen(colour, width, style))
        curve.setData(x=line.x, y=line.y, connect="finite")
        return _highest(line.y)

    def _set_y_range(self, *, is_top: bool, highest: float) -> None:
        span = -_FOOTROOM * highest, (1 + _HEADROOM) * highest
        if self._y_ranges.get(is_top) != span:
            self._y_ranges[is_top] = span
            (self._area.top if is_top else self._area.low).set_y_range(*span)


def _pen(colour: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen whose width is in pixels, whatever the scale of the plot."""
    pen = QPen(QColor(colour), width, style)
    pen.setCosmetic(True)
    return pen


def _highest(heights: Any) -> float:
    return float(np.fmax.reduce(heights, initial=0.0)) if len(heights) else 0.0
