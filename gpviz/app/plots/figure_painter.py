"""Paints the panels of a figure with pyqtgraph: what is drawn again keeps its items."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from gpviz.app.plots.linked_plots import LabelledAxis
from gpviz.app.theme import Theme
from gpviz.experiments.figures.axis_ticks import Tick
from gpviz.experiments.figures.figure import (
    HOLLOW_SCALE,
    LOOK_COLOURS,
    Axis,
    Boxes,
    Kind,
    Panel,
    RuleKind,
    Series,
    grouped,
)

_LINES: Final = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotDotLine,
)
_SYMBOLS: Final = ("o", "s", "t1", "d", "p", "t", "star", "h")
_RULES: Final = {
    RuleKind.MEAN: ("text", Qt.PenStyle.SolidLine, 2.0),
    RuleKind.MEDIAN: ("text", Qt.PenStyle.DashLine, 2.0),
    RuleKind.PAPER: ("worse", Qt.PenStyle.DotLine, 3.0),
    RuleKind.LEVEL: ("muted", Qt.PenStyle.DotLine, 1.4),
    RuleKind.BASE: ("text", Qt.PenStyle.SolidLine, 1.4),
    RuleKind.PLACE: ("muted", Qt.PenStyle.DashLine, 1.4),
}
_MARK: Final = 9.0
_LOWEST: Final = 80.0
"""In pixels: a plot that is not so high yet has not been laid out."""
_SMALLEST_TITLE: Final = 0.75
_MOST_SPOTS: Final = 300
"""So many points of a curve can be pointed at; there are hardly more columns on the screen."""
_STICKING_OUT: Final = 24.0
_GRID: Final = 190
_FAINT: Final = 0.35
_BELOW_DATA: Final = -200
"""What is drawn in a panel is at -100; a grid above it would hide error bars at its ticks."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SeriesLook:
    """The looks of one series in a theme."""

    colour: str
    line: Qt.PenStyle
    symbol: str
    line_scale: float

    def pen(self, width: float = 2.2) -> QPen:
        """The pen of its line."""
        return _pen(self.colour, self.line, width * self.line_scale)

    def thin_pen(self) -> QPen:
        """The pen of its error bars and boxes."""
        return _pen(self.colour, Qt.PenStyle.SolidLine, 1.4 * self.line_scale)

    def bound_pen(self, kind: Kind) -> QPen:
        """The pen of what was proven for it."""
        style = Qt.PenStyle.DotLine if kind is Kind.BOUND else Qt.PenStyle.DashDotDotLine
        return _pen(self.colour, style, 1.6 * self.line_scale)

    def paint(self, painter: QPainter, centre: QPointF, size: float, inside: QColor) -> None:
        """Paint its marker, this large."""
        painter.save()
        painter.translate(centre)
        painter.scale(size, size)
        painter.setBrush(inside)
        pen = QPen(QColor(self.colour), 1.8 * self.line_scale)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawPath(Symbols[self.symbol])
        painter.restore()


def look_of(number: int, theme: Theme) -> SeriesLook:
    """The looks of the series with this number."""
    colour = getattr(theme.colours, LOOK_COLOURS[number % len(LOOK_COLOURS)])
    return SeriesLook(
        colour, _LINES[number % len(_LINES)], _SYMBOLS[number % len(_SYMBOLS)], theme.line_scale
    )


def rule_pen(kind: RuleKind, theme: Theme, look: int | None = None) -> QPen:
    """The pen of a line across a panel."""
    name, style, width = _RULES[kind]
    colour = getattr(theme.colours, name) if look is None else look_of(look, theme).colour
    return _pen(colour, style, width * theme.line_scale)


def _pen(colour: str, style: Qt.PenStyle, width: float) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setStyle(style)
    pen.setCosmetic(True)
    return pen


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that can be pointed at, in coordinates of its panel, and what is said of it."""

    x: float
    y: float
    series: int
    text: str
    is_bar: bool = False


class _GridAxis(LabelledAxis):
    """An axis whose ticks go through the whole plot, and whose first and last label may stick out."""

    def boundingRect(self) -> QRectF:
        rect: QRectF = super().boundingRect()
        return rect.adjusted(-_STICKING_OUT, -_STICKING_OUT, _STICKING_OUT, _STICKING_OUT)


class PanelPainter:
    """Paints one panel: a plot with its axes."""

    def __init__(self, layout: Any, row: int, column: int) -> None:
        self.bottom = _GridAxis("bottom", self.x_ticks)
        self.left = _GridAxis("left", self.y_ticks)
        self.box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self.box.disableAutoRange()
        for axis in (self.left, self.bottom):
            axis.linkToView(self.box)
        for part, down, across in ((self.left, 0, 0), (self.box, 0, 1), (self.bottom, 1, 1)):
            layout.addItem(part, row + down, column + across)
        self.panel = Panel(Axis(), Axis())
        self._lines: list[Any] = []
        self._bars: list[Any] = []
        self._boxes: list[QGraphicsPathItem] = []
        self._rules: list[Any] = []
        self.markers = _marker_item()
        self.markers.setZValue(3)
        self.pointer = _marker_item()
        self.pointer.setZValue(4)
        self._add(self.markers)
        self._add(self.pointer)
        self.x_range = (0.0, 1.0)
        self.y_range = (0.0, 1.0)
        self.left_width = 0.0

    @property
    def parts(self) -> tuple[Any, ...]:
        """What it put into the layout."""
        return self.left, self.box, self.bottom

    def draw(self, panel: Panel, theme: Theme) -> None:
        """Show this."""
        before = self.panel
        is_retitled = (panel.x.title, panel.y.title, panel.x.has_labels) != (
            before.x.title, before.y.title, before.x.has_labels,
        )  # fmt: skip
        self.panel = panel
        self._set_ranges(panel, theme)
        if is_retitled:
            self.bottom.set_title(panel.x.title)
            self.fit()
            self._fit_bottom(theme)
        self._draw_bars(panel, theme)
        self._draw_lines(panel, theme)
        self._draw_boxes(panel, theme)
        self._draw_rules(panel, theme)
        self._draw_markers(panel, theme)
        self.pointer.setData([])
        self._fit_left(theme)
        for axis in (self.bottom, self.left):  # their ticks depend on more than the range
            axis.picture = None
            axis.update()

    def point_at(self, spot: Spot | None, theme: Theme) -> None:
        """Put a ring around a point."""
        if spot is None:
            self.pointer.setData([])
            return
        pen = QPen(QColor(theme.colours.text), 2 * theme.line_scale)
        self.pointer.setData(
            x=[spot.x], y=[spot.y], symbol="o", size=1.9 * _MARK * theme.line_scale, pen=pen, brush=None
        )

    def spots(self) -> list[Spot]:
        """Every point that can be pointed at."""
        found: list[Spot] = []
        for number, series in enumerate(self.panel.series):
            is_bar = series.kind is Kind.BARS
            xs, ys = self.panel.x.positions(series.x), self.panel.y.positions(series.y)
            if is_bar:
                xs = (xs[:-1] + xs[1:]) / 2
            shown = np.unique(np.linspace(0, len(ys) - 1, min(len(ys), _MOST_SPOTS)).astype(np.int64))
            found += [
                Spot(float(xs[at]), float(ys[at]), number, self._text(series, at), is_bar)
                for at in shown[np.isfinite(xs[shown]) & np.isfinite(ys[shown])]
            ]
        for number, boxes in enumerate(self.panel.boxes):
            for position, numbers, text in zip(boxes.places, boxes.numbers, boxes.hints, strict=True):
                middle = float(self.panel.y.positions(numbers[3]))
                found.append(Spot(position, middle, len(self.panel.series) + number, text))
        return found

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        colours = theme.colours
        font = theme.font(0.95)
        metrics = QFontMetricsF(font)
        grid = QColor(colours.border)
        for axis in (self.bottom, self.left):
            axis.setPen(QColor(colours.border))
            axis.setTickPen(grid)
            axis.setTextPen(QColor(colours.text))
            axis.setTickFont(font)
            axis.label.setFont(font)
            axis.labelStyle = {"color": colours.text, "font-size": _points(font.pointSizeF())}
            axis.setZValue(_BELOW_DATA)
        self.left.setGrid(_GRID)
        self.bottom.setGrid(_GRID)
        self.left.set_room(metrics.height() * 1.7)
        self._fit_bottom(theme)
        self.bottom.set_title(self.panel.x.title)
        self.left.set_title(self.panel.y.title)
        self.fit()

    def set_left_width(self, width: float) -> None:
        """Leave this much space on the left."""
        self.left_width = width
        self.left.setWidth(width)

    def fit(self) -> None:
        """Follow the size it has now: a title that does not fit is a shorter one, or in smaller type."""
        font = self.left.label.font()
        metrics = QFontMetricsF(font)
        space = self.left.height()
        title, scale = self.panel.y.title, 1.0
        if metrics.horizontalAdvance(title) > space > metrics.height():
            title = self.panel.y.short_title or title
            scale = min(1.0, max(space / metrics.horizontalAdvance(title), _SMALLEST_TITLE))
        size = _points(font.pointSizeF() * scale)
        if (title, size) != (self.left.labelText, self.left.labelStyle["font-size"]):
            self.left.labelStyle = {**self.left.labelStyle, "font-size": size}
            self.left.set_title(title)

    def _add(self, item: Any) -> None:
        """Draw this item too; it has no say in what is visible."""
        self.box.addItem(item, ignoreBounds=True)

    def x_ticks(self, low: float, high: float, most: int) -> list[Tick]:
        return self.panel.x.ticks(low, high, most)

    def y_ticks(self, low: float, high: float, most: int) -> list[Tick]:
        return self.panel.y.ticks(low, high, most, may_be_close=True)

    def _fit_bottom(self, theme: Theme) -> None:
        line = QFontMetricsF(theme.font(0.95)).height()
        is_labelled = self.panel.x.has_labels
        self.bottom.setStyle(showValues=is_labelled)
        self.bottom.showLabel(bool(self.panel.x.title))
        self.bottom.setHeight(
            2.45 * line + 6 if self.panel.x.title else 1.3 * line if is_labelled else 0.4 * line
        )

    def _fit_left(self, theme: Theme) -> None:
        metrics = QFontMetricsF(theme.font(0.95))
        ticks = self.y_ticks(*self.y_range, 8)
        widest = max((metrics.horizontalAdvance(text) for _, text in ticks), default=0.0)
        width = max(widest, metrics.horizontalAdvance("000")) + 1.35 * metrics.height() + 12
        self.set_left_width(width)
        below = self.x_ticks(*self.x_range, 8)
        widest = max((metrics.horizontalAdvance(text) for _, text in below), default=0.0)
        self.bottom.set_room(max(widest, metrics.horizontalAdvance("00")) + metrics.horizontalAdvance("0"))

    def _text(self, series: Series, at: int) -> str:
        if series.hints:
            return series.hints[at]
        tell = series.tell or self._point_text
        return tell(float(series.x[at]), float(series.y[at]))

    def _point_text(self, x: float, y: float) -> str:
        return f"{self.panel.x.title} {grouped(x)}, {self.panel.y.title} {grouped(y)}"

    def _set_ranges(self, panel: Panel, theme: Theme) -> None:
        mark = self._mark_share(panel, theme)
        self.x_range, self.y_range = panel.ranges(mark)
        self.box.setXRange(*self.x_range, padding=0)
        self.box.setYRange(*self.y_range, padding=0)

    def _mark_share(self, panel: Panel, theme: Theme) -> float:
        """How much of the height half a marker takes; 0 where there are none."""
        if not panel.largest_mark:
            return 0.0
        size = _MARK * theme.line_scale * panel.largest_mark
        return float((size / 2 + 2) / max(self.box.height(), _LOWEST))

    def _draw_bars(self, panel: Panel, theme: Theme) -> None:
        bars = [series for series in panel.series if series.kind is Kind.BARS]
        self._ensure_count(self._bars, len(bars), _bar_item)
        for item, series in zip(self._bars, bars, strict=True):
            look = look_of(series.look, theme)
            edges = self.panel.x.positions(series.x)
            tops = np.nan_to_num(self.panel.y.positions(series.y), nan=self.y_range[0])
            faint = QColor(look.colour)
            faint.setAlphaF(_FAINT)
            item.setOpts(
                x0=edges[:-1], x1=edges[1:], y0=np.full(len(tops), self.y_range[0]), y1=tops,
                brush=faint, pen=look.thin_pen(),
            )  # fmt: skip

    def _draw_lines(self, panel: Panel, theme: Theme) -> None:
        drawn: list[tuple[Floats, Floats, str, QPen]] = []
        for series in panel.series:
            if series.kind is Kind.BARS:
                continue
            look = look_of(series.look, theme)
            xs, ys = self.panel.x.positions(series.x), self.panel.y.positions(series.y)
            if series.low is not None and series.high is not None:
                drawn.append((*self._whiskers(series, xs), "pairs", look.thin_pen()))
            if series.kind in (Kind.LINE, Kind.STEPS, Kind.POINTS):
                drawn.append((xs, ys, "finite", look.pen()))
            elif series.kind.is_bound:
                drawn.append((xs, ys, "finite", look.bound_pen(series.kind)))
        self._ensure_count(self._lines, len(drawn), pg.PlotCurveItem)
        for item, (xs, ys, connect, pen) in zip(self._lines, drawn, strict=True):
            item.setData(x=xs, y=ys, connect=connect)
            item.setPen(pen)

    def _whiskers(self, series: Series, xs: Floats) -> tuple[Floats, Floats]:
        """The error bars as pairs of points: an upright line and a cap at each end."""
        low, high = self.panel.y.positions(series.low), self.panel.y.positions(series.high)  # type: ignore[arg-type]
        is_known = np.isfinite(xs) & np.isfinite(high)
        xs, high = xs[is_known], high[is_known]
        low = np.nan_to_num(low[is_known], nan=self.y_range[0])
        cap = 0.007 * (self.x_range[1] - self.x_range[0])
        x = np.stack([xs, xs, xs - cap, xs + cap, xs - cap, xs + cap], axis=1).ravel()
        y = np.stack([low, high, low, low, high, high], axis=1).ravel()
        return x, y

    def _draw_boxes(self, panel: Panel, theme: Theme) -> None:
        self._ensure_count(self._boxes, len(panel.boxes), QGraphicsPathItem)
        for item, boxes in zip(self._boxes, panel.boxes, strict=True):
            look = look_of(boxes.look, theme)
            faint = QColor(look.colour)
            faint.setAlphaF(_FAINT)
            item.setBrush(faint)
            item.setPen(look.thin_pen())
            item.setPath(self._box_path(boxes))

    def _box_path(self, boxes: Boxes) -> QPainterPath:
        path = QPainterPath()
        for position, numbers in zip(boxes.places, boxes.numbers, strict=True):
            levels = np.nan_to_num(self.panel.y.positions(numbers), nan=self.y_range[0])
            _, q05, q25, median, q75, q95, _ = (float(level) for level in levels)
            left, right = position - boxes.half_width, position + boxes.half_width
            path.addRect(left, q25, right - left, q75 - q25)
            half = boxes.half_width / 2
            for start, end in (
                ((left, median), (right, median)),
                ((position, q05), (position, q25)),
                ((position, q75), (position, q95)),
                ((position - half, q05), (position + half, q05)),
                ((position - half, q95), (position + half, q95)),
            ):
                path.moveTo(QPointF(*start))
                path.lineTo(QPointF(*end))
        return path

    def _draw_rules(self, panel: Panel, theme: Theme) -> None:
        self._ensure_count(self._rules, len(panel.rules), _rule_item)
        for item, rule in zip(self._rules, panel.rules, strict=True):
            item.setAngle(0 if rule.kind.is_level else 90)
            item.setPen(rule_pen(rule.kind, theme, rule.look))
            axis = panel.y if rule.kind.is_level else panel.x
            item.setValue(float(np.nan_to_num(axis.positions(rule.value))))

    def _draw_markers(self, panel: Panel, theme: Theme) -> None:
        marks: list[dict[str, Any]] = []
        inside = QColor(theme.colours.panel)
        unit = _MARK * theme.line_scale * panel.mark_scale

        def add(xs: Floats, ys: Floats, look_number: int, scale: float, *, is_hollow: bool) -> None:
            look = look_of(look_number, theme)
            brush = inside if is_hollow else QColor(look.colour)
            pen = look.thin_pen() if is_hollow else QPen(Qt.PenStyle.NoPen)
            shape = {"symbol": look.symbol, "size": scale * unit, "brush": brush, "pen": pen}
            for x, y in zip(xs, ys, strict=True):
                if np.isfinite(x) and np.isfinite(y):
                    marks.append({"pos": (x, y), **shape})

        order = sorted(panel.series, key=_is_hollow, reverse=True)  # ours lie on top of what others found
        for series in order:
            if series.kind in (Kind.HOLLOW, Kind.POINTS, Kind.MARKERS):
                is_hollow = series.kind is Kind.HOLLOW
                scale = HOLLOW_SCALE if is_hollow else 1.0
                add(
                    panel.x.positions(series.x),
                    panel.y.positions(series.y),
                    series.look,
                    scale,
                    is_hollow=is_hollow,
                )
        for boxes in panel.boxes:
            positions = np.asarray(boxes.places, dtype=np.float64)
            for end in (0, -1):
                ys = panel.y.positions([numbers[end] for numbers in boxes.numbers])
                add(positions, ys, boxes.look, 0.7, is_hollow=True)
        self.markers.setData(marks)

    def _ensure_count(self, items: list[Any], count: int, make: Any) -> None:
        while len(items) < count:
            item = make()
            self._add(item)
            items.append(item)
        while len(items) > count:
            self.box.removeItem(items.pop())


def _points(size: float) -> str:
    return f"{size:.3g}pt"


def _is_hollow(series: Series) -> bool:
    return series.kind is Kind.HOLLOW


def _marker_item() -> Any:
    # Markers are painted one by one: copies of pixels would not be shapes in an SVG file.
    return pg.ScatterPlotItem(pxMode=True, useCache=False, antialias=True)


def _bar_item() -> Any:
    return pg.BarGraphItem(x0=[], x1=[], y0=[], y1=[])


def _rule_item() -> Any:
    item = pg.InfiniteLine(angle=90)
    item.setZValue(2)
    return item
