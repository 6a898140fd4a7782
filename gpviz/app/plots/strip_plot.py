"""Draws the time strip: the error curve, the marks of the steps below it, and the cursor through both."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QGraphicsView, QToolTip, QWidget

from gpviz.app.plots.curve_items import ErrorItems
from gpviz.app.plots.full_tree_shading import shades_between
from gpviz.app.plots.linked_plots import PlotArea, TicksFor
from gpviz.app.plots.mouse_readout import counts_text, values_text
from gpviz.app.plots.run_plot import RunPlot
from gpviz.app.plots.verdict_marks import (
    LEAST_PITCH,
    NO_MARKS,
    bin_of,
    bin_size,
    marks_between,
    paint_marks,
)
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import column_in
from gpviz.escaping import tooltip_text
from gpviz.experiments.figures.axis_ticks import Tick, count_ticks
from gpviz.runs.curve_series import RunSeries
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark

_TYPE: Final = 0.85
_MOST_IMPROVEMENTS: Final = 4096
_NOTE_LENGTH: Final = 200
_LINE: Final = 1.6
_LABEL_GAP: Final = 8.0


class StripMetrics:
    """The sizes in the strip, which follow the theme's type."""

    def __init__(self, theme: Theme) -> None:
        self.font = theme.font(_TYPE)
        self.pill_font = theme.font(_TYPE, is_bold=True)
        self.line = QFontMetricsF(self.font).height()
        self.band = round(1.45 * self.line)
        """The height above the curve: of the cursor's pill, the flags and the numbers of the iterations."""
        self.marks = round(1.7 * self.line)
        """The height below the curve."""


class StripArea(PlotArea):
    """The error curve between a band for the cursor's pill, flags and numbers, and the marks of the steps."""

    bookmark_pressed = Signal(int)

    def __init__(self, error_ticks: TicksFor) -> None:
        super().__init__(error_ticks)
        self.tip_at: Callable[[QPointF], str] = lambda _: ""
        self.marks = NO_MARKS
        self.last = 0
        """The last iteration on show."""
        self.stuck_since: int | None = None
        self.bookmarks: tuple[Bookmark, ...] = ()
        self.branch_points: tuple[int, ...] = ()
        self.sizes = StripMetrics(self.theme)
        self.top.bottom.hide()
        self.top.bottom.setMaximumHeight(0)
        for axis in (self.top.left, self.top.right):
            axis.showLabel(False)
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)  # the background has the lines of the grid
        self.top.box.sigResized.connect(self._on_resized)

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.setBackground(QColor(theme.colours.panel))
        self.sizes = StripMetrics(theme)
        for axis in self.top.axes:
            axis.take_theme(theme, self.sizes.font)
            axis.setPen(QPen(Qt.PenStyle.NoPen))
        self.top.left.setStyle(tickLength=0)
        self.ci.layout.setContentsMargins(4, self.sizes.band, 4, self.sizes.marks)
        self.fit_labels([])

    def fit_labels(self, ticks: Sequence[Tick]) -> None:
        """Have as much space beside the curve as the labels need, and half of a mark at least."""
        metrics = QFontMetricsF(self.sizes.font)
        widest = max([metrics.horizontalAdvance(text) for text in ("000", *(text for _, text in ticks))])
        self.top.left.setWidth(round(widest + 0.9 * self.sizes.line))
        self.top.right.setWidth(round(max(self.top.right.least_width(), 0.7 * self.sizes.line)))

    def x_of(self, iteration: float) -> float:
        """Where an iteration is, in pixels."""
        box = self.top.box.sceneBoundingRect()
        low, high = self.top.box.viewRange()[0]
        return float(box.left() + (iteration - low) / (high - low) * box.width())

    def pixels(self, iterations: float = 1.0) -> float:
        """How wide so many iterations are."""
        low, high = self.top.box.viewRange()[0]
        return float(iterations / (high - low) * self.top.box.width())

    def bookmark_under(self, position: QPointF) -> Bookmark | None:
        """The nearest flag at a place, if there is one."""
        seen = [each for each in self.bookmarks if self._is_seen(each.iteration)]
        places = [self.x_of(each.iteration) + 0.3 * self.sizes.line for each in seen]
        nearest = self._nearest(places, position)
        return None if nearest is None else seen[nearest]

    def branch_point_under(self, position: QPointF) -> int | None:
        """The nearest branch point at a place, if there is one."""
        seen = [each for each in self.branch_points if self._is_seen(each)]
        nearest = self._nearest([self.x_of(each) - 0.3 * self.sizes.line for each in seen], position)
        return None if nearest is None else seen[nearest]

    def _is_seen(self, iteration: int) -> bool:
        low, high = self.top.box.viewRange()[0]
        return bool(low <= iteration <= min(high, self.last))

    def _nearest(self, places: Sequence[float], position: QPointF) -> int | None:
        if not places or position.y() > self.sizes.band:
            return None
        distances = [abs(place - position.x()) for place in places]
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= 0.6 * self.sizes.line else None

    # --- painting ---

    @Slot()
    def _on_resized(self) -> None:
        """The lines of the grid, which are no items, move with the box."""
        self.viewport().update()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802
        super().drawBackground(painter, rect)
        box = self.top.box.sceneBoundingRect()
        low, high = self.top.box.viewRange()[1]
        painter.setPen(QPen(QColor(self.theme.colours.border), 1.0))
        for level in self.top.left.tickValues(low, high, box.height())[0][1]:
            y = round(box.bottom() - (level - low) / (high - low) * box.height()) + 0.5
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:  # noqa: N802
        box = self.top.box.sceneBoundingRect()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(QRectF(box.left() - self.sizes.line, 0, self.width(), self.height()))
        self._paint_stuck(painter, box)
        x = box.left() + (self.marks.x - self.top.box.viewRange()[0][0]) * self.pixels()
        paint_marks(
            painter, x, self.marks, self.height() - 0.5 * self.sizes.marks, self.theme, self.sizes.line
        )
        painter.restore()
        self._paint_playhead(painter)

    def _paint_stuck(self, painter: QPainter, box: QRectF) -> None:
        """A line from the band down, and one below the marks as long as the tree is stuck."""
        if self.stuck_since is None:
            return
        x, end = self.x_of(self.stuck_since), self.x_of(self.last)
        colour = QColor(self.theme.colours.stuck)
        bottom = self.height() - 1.5 * self.theme.line_scale
        left, right = (min(max(each, box.left()), box.right()) for each in (x, end))
        painter.setPen(QPen(colour, 2 * self.theme.line_scale))
        painter.drawLine(QPointF(left, bottom), QPointF(right, bottom))

    def _paint_playhead(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.playhead is not None:
            self._paint_line(painter, self.playhead)
        taken = self._paint_flags(painter)
        taken += self._paint_pill(painter)
        self._paint_numbers(painter, taken)

    def _paint_line(self, painter: QPainter, iteration: int) -> None:
        low, high = self.top.box.viewRange()[0]
        if not low <= iteration <= high:
            return
        x = self.x_of(iteration)
        painter.setPen(QPen(QColor(self.theme.colours.text), _LINE * self.theme.line_scale))
        painter.drawLine(QPointF(x, self.sizes.band / 2), QPointF(x, self.height()))

    def _paint_pill(self, painter: QPainter) -> list[QRectF]:
        """The iteration under the cursor, with a flag if it is bookmarked; at the edge where it is out of view."""
        if self.playhead is None:
            return []
        low, high = self.top.box.viewRange()[0]
        text = f"t = {self.playhead:,}"
        text = f"‹ {text}" if self.playhead < low else f"{text} ›" if self.playhead > high else text
        metrics = QFontMetricsF(self.sizes.pill_font)
        width, height = metrics.horizontalAdvance(text) + 1.2 * metrics.height(), 1.2 * metrics.height()
        is_marked = any(bookmark.iteration == self.playhead for bookmark in self.bookmarks)
        side = 0.6 * self.sizes.line if is_marked else 0.0
        width += 1.4 * side
        left = min(max(self.x_of(self.playhead) - width / 2, 1.0), self.width() - width - 1)
        pill = QRectF(left, 1, width, height)
        colours = self.theme.colours
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.text))
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setBrush(QColor(colours.panel))
        if is_marked:
            pole = QRectF(left + 0.5 * height, pill.center().y() - 0.7 * side, 1.2, 1.4 * side)
            painter.drawRect(pole)
            painter.drawPolygon(_flag(pole.left(), pole.top(), side))
        painter.setPen(QColor(colours.panel))
        painter.setFont(self.sizes.pill_font)
        painter.drawText(pill.adjusted(1.4 * side, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, text)
        return [pill]

    def _paint_flags(self, painter: QPainter) -> list[QRectF]:
        """Flags at bookmarks, and forks at branch points."""
        colours, line, taken = self.theme.colours, self.sizes.line, []
        top, bottom = 2.0, float(self.sizes.band)
        for point in self.branch_points:
            if self._is_seen(point):
                x = self.x_of(point)
                painter.setPen(QPen(QColor(colours.text), 1.4 * self.theme.line_scale))
                fork = QPointF(x, bottom - 0.35 * line)
                painter.drawLine(QPointF(x, bottom), fork)
                painter.drawLine(fork, QPointF(x - 0.45 * line, top + 0.2 * line))
                painter.drawLine(fork, QPointF(x, top))
                taken.append(QRectF(x - 0.5 * line, top, 0.6 * line, bottom))
        for bookmark in self.bookmarks:
            if self._is_seen(bookmark.iteration):
                x = self.x_of(bookmark.iteration)
                painter.setPen(QPen(QColor(colours.text), 1.2 * self.theme.line_scale))
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colours.accent))
                painter.drawPolygon(_flag(x, top, 0.6 * line))
                taken.append(QRectF(x, top, 0.7 * line, bottom))
        return taken

    def _paint_numbers(self, painter: QPainter, taken: list[QRectF]) -> None:
        """The numbers of some iterations, where nothing else stands."""
        metrics = QFontMetricsF(self.sizes.font)
        painter.setFont(self.sizes.font)
        for x, text, colour in self._numbers(metrics):
            width = metrics.horizontalAdvance(text)
            left = min(max(x - width / 2, 1.0), self.width() - width - 1)
            place = QRectF(left, 1, width, 1.2 * metrics.height())
            around = place.adjusted(-_LABEL_GAP, 0, _LABEL_GAP, 0)
            if not any(around.intersects(other) for other in taken):
                taken.append(place)
                painter.setPen(QColor(colour))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)

    def _numbers(self, metrics: QFontMetricsF) -> list[tuple[float, str, str]]:
        colours = self.theme.colours
        low, high = self.top.box.viewRange()[0]
        numbers = []
        if self.stuck_since is not None and low <= self.stuck_since <= high:
            numbers.append((self.x_of(self.stuck_since), "stuck", colours.stuck_text))
        widest = metrics.horizontalAdvance(f"{self.last:,}") + 6 * _LABEL_GAP
        for iteration, text in count_ticks(
            low, min(high, self.last), max(1, int(self.top.box.width() / widest))
        ):
            numbers.append((self.x_of(iteration), text, colours.muted))
        return numbers

    # --- mouse ---

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            bookmark = self.bookmark_under(event.position())
            if bookmark is not None:
                self.bookmark_pressed.emit(bookmark.iteration)
                event.accept()
                return
            point = self.branch_point_under(event.position())
            if point is not None:
                self.pressed.emit(float(point))
                event.accept()
                return
        super().mousePressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self.tip_at(QPointF(event.pos()))), self)
            return True
        return super().viewportEvent(event)


def _flag(left: float, top: float, side: float) -> QPolygonF:
    """A triangle that points to the right."""
    corners = (left, top), (left + 1.15 * side, top + side / 2), (left, top + side)
    return QPolygonF([QPointF(*corner) for corner in corners])


class StripPlot(RunPlot):
    """The error of the history on show above the marks of its steps."""

    bookmark_chosen = Signal(int)

    area: StripArea

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.area = StripArea(self._error_ticks)
        self.area.tip_at = self.words_at
        self.items = ErrorItems(self.area)
        self.area.bookmark_pressed.connect(self.bookmark_chosen)
        self.setAccessibleName("Error curve and marks of the steps")
        column_in(self, self.area)
        self._follow_area()

    def set_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show a flag for each of the bookmarks."""
        self.area.bookmarks = tuple(bookmarks)
        self.area.viewport().update()

    def set_branch_points(self, iterations: Sequence[int]) -> None:
        """Show a fork at each of these iterations, from which branches go."""
        self.area.branch_points = tuple(iterations)
        self.area.viewport().update()

    def _mark_stuck(self) -> None:
        super()._mark_stuck()
        self._tell_stuck()

    def _tell_stuck(self) -> None:
        since = self._stuck_since
        self.area.stuck_since = since if since is not None and since <= self._length() else None

    def _show_limits(self, history: History) -> None:
        super()._show_limits(history)
        goals = self.items.marks()
        config = history.config_at(max(self._length(), 1)) if len(history) else history.config
        # That the goal is 0 needs no words.
        self.area.top.right.set_marks(goals if self.is_theory_shown or config.accept_error else [])

    def _draw_others(self, series: RunSeries, start: int, stop: int) -> None:
        area = self.area
        self.items.show_full(shades_between(series.full, start, stop, area.columns))
        self._show_limits(series.history)
        low, high = area.top.box.viewRange()[1]
        area.fit_labels(self._error_ticks(low, high, 3))
        area.last = stop if self._range is None else min(series.length, self._length())
        least = LEAST_PITCH * area.sizes.line
        size = bin_size(least / max(area.pixels(), 1e-12))
        improved = series.improvements(start, stop, _MOST_IMPROVEMENTS).x
        area.marks = marks_between(series.counts, start, stop, size, improved)
        self._tell_stuck()
        area.viewport().update()  # marks and lines of the grid are no items

    def words_at(self, position: QPointF) -> str:
        """What the tooltip says about a place: a bookmark, an iteration, or how many of which kind."""
        series, area = self._series, self.area
        bookmark = area.bookmark_under(position)
        if bookmark is not None:
            note = bookmark.note.strip()
            note = note if len(note) <= _NOTE_LENGTH else f"{note[:_NOTE_LENGTH]}…"
            return f"Bookmark at t = {bookmark.iteration:,}" + (f"\n{note}" if note else "")
        point = area.branch_point_under(position)
        if point is not None:
            return f"A branch begins at t = {point:,}"
        if series is None:
            return ""
        iteration = self._snapped(area.iteration_under(position))
        if not iteration:
            return "t = 0, the start"
        size = area.marks.size
        first, last = bin_of(iteration, size)
        last = min(last, series.length, self._length())
        since = self._stuck_since
        stuck = f"\nstuck since t = {since:,}" if since is not None and since <= last else ""
        before, after = series.full.before([first - 1, last])
        full = round(after - before)
        if first == last:
            parent = "\nthe parent is full" if full else ""
            return values_text(series.history, first).replace(" · ", "\n", 1) + parent + stuck
        parents = f"\nin {full:,} of them the parent is full" if full else ""
        counts = series.counts.between(first, last + 1)
        is_sampled = series.history.config.is_sampled
        return f"t = {first:,} to {last:,}\n{counts_text(counts, is_sampled=is_sampled)}{parents}{stuck}"
