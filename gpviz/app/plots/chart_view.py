"""A figure on the screen: title, legend, plots and a sentence; the mouse and the arrow keys read points out."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gpviz.app.plots.figure_painter import PanelPainter, Spot, look_of, rule_pen
from gpviz.app.plots.linked_plots import FixedPlots
from gpviz.app.plots.mouse_readout import Readout
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, sentence, set_tip
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.throttle import Throttle
from gpviz.escaping import label_text, tooltip_text
from gpviz.experiments.figures.figure import Figure, Kind, LegendEntry, RuleKind

_HOVER_MS: Final = 33
_REACH: Final = 60.0
"""In pixels: how far from a point the mouse may be to mean it."""
_NARROW: Final = 26
"""In letters: with less width for each, plots are one above the other."""

_GAP: Final = 10
_LOW: Final = 28
"""With less height than so many lines of text the sentence below is the short one."""
_ENTRY_GAP: Final = 16.0
_LEGEND_MARGIN: Final = 8.0
_SIGN_WIDTHS: Final = {None: 1.3, Kind.BARS: 1.3, Kind.MARKERS: 1.1, Kind.HOLLOW: 1.1}
_LINE_WIDTH: Final = 2.2
"""How wide the signs are, in lines of text: a box and a marker alone are narrower than a line."""


class _Plots(FixedPlots):
    """The plots side by side, or one above the other."""

    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(160, 100)
        self.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)  # it would be pixels in an SVG file
        self.ci.layout.setContentsMargins(2, 8, 16, 2)
        self.ci.layout.setHorizontalSpacing(0)
        self.ci.layout.setVerticalSpacing(2)
        self.panels: list[PanelPainter] = []
        self._arrangement: tuple[int, int] = (0, 1)

    def arrange(self, count: int, columns: int) -> None:
        """Have so many plots in so many columns."""
        if (count, columns) == self._arrangement:
            return
        for panel in self.panels:
            for part in panel.parts:
                self.ci.removeItem(part)
        grid = self.ci.layout
        for index in range(max(grid.columnCount(), 2 * columns)):
            is_plot = index % 2 == 1 and index < 2 * columns
            grid.setColumnStretchFactor(index, 1 if is_plot else 0)
            grid.setColumnSpacing(index, _GAP if is_plot and index < 2 * columns - 1 else 0)
        self._arrangement = count, columns
        self.panels = []
        for index in range(count):
            row, column = divmod(index, columns)
            panel = PanelPainter(self.ci, 2 * row, 2 * column)
            panel.apply_theme(self.theme)
            self.panels.append(panel)

    def apply_theme(self, theme: Theme) -> None:
        self.setBackground(QColor(theme.colours.panel))
        for panel in self.panels:
            panel.apply_theme(theme)

    def set_row_weights(self, weights: list[int], columns: int) -> None:
        """Share the height by these weights."""
        grid = self.ci.layout
        for row in range(grid.rowCount()):
            position = (row // 2) * columns
            grid.setRowStretchFactor(
                row, weights[position] if row % 2 == 0 and position < len(weights) else 0
            )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()


class ChartLegend(Themed, QWidget):
    """Line, marker and label of every series."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[LegendEntry, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Legend of the chart")

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these."""
        if tuple(entries) == self.entries:
            return
        self.entries = tuple(entries)
        text = "\n".join(entry.label for entry in entries)
        self.setToolTip(tooltip_text(text))
        self.setAccessibleDescription(text.replace("\n", ", "))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        lines = self._lines(width)
        return round(len(lines) * self._line_height() + 4) if lines else 0

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        metrics = QFontMetricsF(self._font())
        height = self._line_height()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._font())
            for number, line in enumerate(self._lines(self.width())):
                x, middle = _LEGEND_MARGIN, 2 + (number + 0.5) * height
                for entry in line:
                    sign = self._sign_width(entry)
                    self._paint_sign(painter, entry, QRectF(x, middle - height / 2, sign, height))
                    painter.setPen(QColor(self.theme.colours.text))
                    space = self.width() - x - sign - 6
                    text = metrics.elidedText(entry.label, Qt.TextElideMode.ElideRight, space)
                    box = QRectF(x + sign + 6, middle - height / 2, space, height)
                    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
                    x += self._width_of(entry, metrics)

    def _paint_sign(self, painter: QPainter, entry: LegendEntry, box: QRectF) -> None:
        middle = box.center()
        # From the label to the left: so it is a dash, not a gap, that is beside the label.
        ends = QPointF(box.right(), middle.y()), QPointF(box.left(), middle.y())
        size = 0.62 * box.height()
        if isinstance(entry.kind, RuleKind):
            painter.setPen(rule_pen(entry.kind, self.theme, entry.look))
            painter.drawLine(*ends)
            return
        look = look_of(entry.look or 0, self.theme)
        colour = QColor(look.colour)
        if entry.kind in (Kind.BARS, None):
            faint = QColor(colour)
            faint.setAlphaF(0.35)
            painter.setPen(look.thin_pen())
            painter.setBrush(faint)
            painter.drawRect(QRectF(middle.x() - 0.8 * size, middle.y() - size / 2, 1.6 * size, size))
            if entry.kind is None:
                painter.drawLine(
                    QPointF(middle.x(), middle.y() - size / 2), QPointF(middle.x(), middle.y() + size / 2)
                )
            return
        if entry.kind.is_bound:
            painter.setPen(look.bound_pen(entry.kind))
            painter.drawLine(*ends)
        elif entry.kind in (Kind.LINE, Kind.STEPS, Kind.POINTS):
            painter.setPen(look.pen())
            painter.drawLine(*ends)
        if entry.kind in (Kind.POINTS, Kind.MARKERS):
            look.paint(painter, middle, size, colour)
        elif entry.kind is Kind.HOLLOW:
            look.paint(painter, middle, 1.15 * size, QColor(self.theme.colours.panel))

    def _lines(self, width: float) -> list[list[LegendEntry]]:
        metrics = QFontMetricsF(self._font())
        lines: list[list[LegendEntry]] = []
        left = 0.0
        for entry in self.entries:
            needed = self._width_of(entry, metrics)
            if not lines or needed > left + _ENTRY_GAP:
                lines.append([])
                left = width - 2 * _LEGEND_MARGIN
            lines[-1].append(entry)
            left -= needed
        return lines

    def _width_of(self, entry: LegendEntry, metrics: QFontMetricsF) -> float:
        return self._sign_width(entry) + 6 + metrics.horizontalAdvance(entry.label) + _ENTRY_GAP

    def _font(self):  # type: ignore[no-untyped-def]
        return self.theme.font(0.95)

    def _line_height(self) -> float:
        return 1.25 * QFontMetricsF(self._font()).height()

    def _sign_width(self, entry: LegendEntry) -> float:
        lines = _LINE_WIDTH if isinstance(entry.kind, RuleKind) else _SIGN_WIDTHS.get(entry.kind, _LINE_WIDTH)
        return lines * QFontMetricsF(self._font()).height()


class ChartView(Themed, QWidget):
    """Draws a `Figure`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = Figure("")
        self._spots: list[tuple[int, Spot]] | None = None
        self._at: int | None = None
        self.title = ElidedLabel()
        self.title.setProperty("role", "title")
        self.legend = ChartLegend()
        self.plots = _Plots()
        self.note = sentence("muted")
        self.empty = QLabel()
        self.empty.setProperty("role", "muted")
        self.empty.setWordWrap(True)
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.readout = Readout(self)
        self._hovering = Throttle(_HOVER_MS, self)
        self._build()
        self.follow_theme()

    def show_figure(self, figure: Figure) -> None:
        """Draw this; where its make is the one shown, nothing flickers."""
        is_same = figure.title == self.figure.title and len(figure.panels) == len(self.figure.panels)
        self.figure = figure
        has_content = figure.has_content
        self.title.setText(figure.title)
        set_tip(self.title, figure.title if has_content else "")
        self.legend.set_entries(figure.legend if has_content else ())
        self.legend.setVisible(has_content and bool(figure.legend))
        self._show_note()
        self.note.setVisible(bool(figure.note) and has_content)
        self.plots.setVisible(has_content)
        self.empty.setVisible(not has_content)
        self.empty.setText(figure.empty)
        before, self._spots = self._at, None
        is_same = is_same and has_content
        self._at = before if is_same else None
        if not is_same:
            self.readout.hide()
        self.setAccessibleName(label_text(figure.title) or "Chart")
        self.setAccessibleDescription(label_text(figure.note or figure.empty))
        if has_content:
            self._draw()
        if self._at is not None:  # what is pointed at stays so while numbers change
            self._tell(self._at if self._at < len(self.spots()) else None)

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.show_figure(self.figure)
        self.update()

    def spots(self) -> list[tuple[int, Spot]]:
        """Every point that can be pointed at, with the number of its panel."""
        if self._spots is None:
            self._spots = [
                (number, spot) for number, panel in enumerate(self.plots.panels) for spot in panel.spots()
            ]
        return self._spots

    def shut_down(self) -> None:
        """Wait for nothing any more."""
        self._hovering.cancel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        change = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape and self._at is not None:
            self._tell(None)
        elif change is not None and self.figure.has_content and self.spots():
            count = len(self.spots())
            self._tell((0 if change > 0 else count - 1) if self._at is None else (self._at + change) % count)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.figure.has_content:
            self._tell_other_series(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(colours.panel))
            if self.hasFocus():
                painter.setPen(QPen(QColor(colours.accent), 2))
                painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _build(self) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        column = column_in(self, spacing=3, margins=(8, 6, 8, 6))
        column.addWidget(self.title)
        column.addWidget(self.legend)
        column.addWidget(self.plots, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(self.note)
        self._hovering.passed.connect(self._on_hovered)
        self.plots.hovered.connect(self._hovering.give)
        self.plots.mouse_left.connect(self._on_mouse_left)
        self.plots.resized.connect(self._on_resized)

    def _show_note(self) -> None:
        is_low = self.height() < _LOW * QFontMetricsF(self.theme.font()).height()
        text = self.figure.short_note if is_low and self.figure.short_note else self.figure.note
        if text != self.note.text():
            self.note.setText(text)
            set_tip(self.note, self.figure.note if text != self.figure.note else "")

    def _columns(self) -> int:
        letter = QFontMetricsF(self.theme.font()).averageCharWidth()
        return self.figure.columns(max(1, int(self.plots.width() / (_NARROW * letter))))

    def _draw(self) -> None:
        panels = self.figure.panels
        columns = self._columns()
        self.plots.arrange(len(panels), columns)
        self.plots.set_row_weights([panel.weight for panel in panels], columns)
        for drawn, panel in zip(self.plots.panels, panels, strict=True):
            drawn.draw(panel, self.theme)
        if columns == 1:  # the same x stands above the same x
            widest = max(drawn.left_width for drawn in self.plots.panels)
            for drawn in self.plots.panels:
                drawn.set_left_width(widest)

    def _nearest(self, position: QPointF) -> int | None:
        """The index of the point that the mouse at this position means."""
        point = self.plots.mapToScene(position.toPoint())
        for number, panel in enumerate(self.plots.panels):
            box = panel.box.sceneBoundingRect()
            if not box.contains(point):
                continue
            candidates = [at for at, (where, _) in enumerate(self.spots()) if where == number]
            if not candidates:
                return None
            spots = [self.spots()[at][1] for at in candidates]
            (x0, x1), (y0, y1) = panel.x_range, panel.y_range
            xs = np.array([(spot.x - x0) / (x1 - x0) for spot in spots]) * box.width() + box.left()
            ys = box.bottom() - np.array([(spot.y - y0) / (y1 - y0) for spot in spots]) * box.height()
            is_bar = np.array([spot.is_bar for spot in spots])
            away = np.hypot(xs - point.x(), np.where(is_bar, 0.0, ys - point.y()))
            best = int(away.argmin())
            return candidates[best] if away[best] <= _REACH else None
        return None

    def _tell(self, at: int | None) -> None:
        """Say what the point with this index is."""
        self._at = at
        number, spot = (None, None) if at is None else self.spots()[at]
        for index, panel in enumerate(self.plots.panels):
            panel.point_at(spot if index == number else None, self.theme)
        if spot is None:
            self.readout.hide()
            return
        self.setAccessibleDescription(spot.text)
        height = self.readout.sizeHint().height()
        rectangle = QRect(8, 4, self.width() - 16, max(height, self.title.height() + 2))
        self.readout.show_text(spot.text, rectangle)

    def _tell_other_series(self, change: int) -> None:
        spots = self.spots()
        if not spots:
            return
        if self._at is None:
            self._tell(0)
            return
        number, spot = spots[self._at]
        keys = sorted({(where, other.series) for where, other in spots})
        wanted = keys[(keys.index((number, spot.series)) + change) % len(keys)]
        there = [at for at, (where, other) in enumerate(spots) if (where, other.series) == wanted]
        self._tell(min(there, key=[abs(other.x - spot.x) for _, other in spots].__getitem__))

    @Slot(object)
    def _on_hovered(self, position: QPointF) -> None:
        if self.figure.has_content:
            self._tell(self._nearest(position))

    @Slot()
    def _on_mouse_left(self) -> None:
        self._hovering.cancel()
        self._tell(None)

    @Slot()
    def _on_resized(self) -> None:
        if not self.figure.has_content:
            return
        self._show_note()
        self._draw()
        for panel in self.plots.panels:
            panel.fit()
