"""A figure on the screen: title, legend, plots and a sentence; the mouse and the arrow keys read points out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QByteArray, QEvent, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontInfo,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gpviz.app.player.pacing import Throttle
from gpviz.app.plots.mouse_readout import Readout
from gpviz.app.theme import FONT_FAMILY, Theme
from gpviz.app.widgets.fields import ElidedLabel, sentence, set_tip
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.paint_helpers import is_vector
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text, tooltip_text
from gpviz.experiments.figures.figure import Figure, Kind, Panel, Series, grouped
from gpviz.experiments.figures.figure_svg import DrawnPlots, Floats, drawn_plots

_HOVER_MS: Final = 33
_REACH: Final = 60.0
"""In pixels: how far from a point the mouse may be to mean it."""
_LOW: Final = 28
"""With less height than so many lines of text the sentence below is the short one."""
_MOST_SPOTS: Final = 300
"""So many points of a curve can be pointed at; there are hardly more columns on the screen."""
_RING: Final = 8.5
_CHART_TYPE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that can be pointed at, in coordinates of its panel, and what is said of it."""

    x: float
    y: float
    series: int
    text: str
    is_bar: bool = False


def spots_in(panel: Panel) -> list[Spot]:
    """Every point of a panel that has a readout."""
    found: list[Spot] = []
    for number, series in enumerate(panel.series):
        is_bar = series.kind is Kind.BARS
        xs, ys = panel.x.positions(series.x), panel.y.positions(series.y)
        if is_bar:
            xs = (xs[:-1] + xs[1:]) / 2
        shown = np.unique(np.linspace(0, len(ys) - 1, min(len(ys), _MOST_SPOTS)).astype(np.int64))
        found += [
            Spot(float(xs[at]), float(ys[at]), number, _point_text(panel, series, at), is_bar)
            for at in shown[np.isfinite(xs[shown]) & np.isfinite(ys[shown])]
        ]
    for number, boxes in enumerate(panel.boxes):
        for position, numbers, text in zip(boxes.places, boxes.numbers, boxes.hints, strict=True):
            middle = float(panel.y.positions(numbers[3]))
            found.append(Spot(position, middle, len(panel.series) + number, text))
    return found


def _point_text(panel: Panel, series: Series, at: int) -> str:
    if series.hints:
        return series.hints[at]
    x, y = float(series.x[at]), float(series.y[at])
    if series.tell is not None:
        return series.tell(x, y)
    return f"{panel.x.title} {grouped(x)}, {panel.y.title} {grouped(y)}"


class _Plots(Themed, QWidget):
    """The legend and the plots, drawn as in an SVG file; a ring marks the point whose values are read out."""

    hovered = Signal(object)
    mouse_left = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(160, 100)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self._renderer = QSvgRenderer(self)
        self._drawn = DrawnPlots("", (), 1.0)
        self._labels = ""
        self._picture: QPixmap | None = None
        self._ring: QPointF | None = None

    @property
    def type_pixels(self) -> int:
        """The size of the type."""
        return QFontInfo(self.theme.font(_CHART_TYPE)).pixelSize()

    def draw(self, figure: Figure) -> None:
        """Show this figure."""
        colours = asdict(self.theme.colours)
        font = self.theme.font(_CHART_TYPE)
        font.setPixelSize(self.type_pixels)
        self._drawn = drawn_plots(
            figure,
            self.width(),
            self.height(),
            colours,
            FONT_FAMILY,
            self.type_pixels,
            width_of=QFontMetricsF(font).horizontalAdvance,
            line_scale=self.theme.line_scale,
        )
        self._renderer.load(QByteArray(self._drawn.svg.encode()))
        self._picture = None
        self._ring = None
        self.setAccessibleName("Plots and legend")
        labels = [entry.label for entry in figure.legend]
        self.setAccessibleDescription(", ".join(labels))
        self._labels = tooltip_text("\n".join(labels))
        self.update()

    def panel_at(self, position: QPointF) -> int | None:
        """The number of the panel under this position."""
        for number, plot in enumerate(self._drawn.plots):
            left, top, right, bottom = (self._drawn.scale * side for side in plot.frame)
            if QRectF(left, top, right - left, bottom - top).contains(position):
                return number
        return None

    def position_of(self, number: int, spot: Spot) -> QPointF:
        """Where a point of this panel is drawn."""
        plot = self._drawn.plots[number]
        return QPointF(float(plot.x(spot.x)), float(plot.y(spot.y))) * self._drawn.scale

    def positions_of(self, spots: Sequence[tuple[int, Spot]]) -> Floats:
        """Where points, sorted by the numbers of their panels, are drawn: x and y of each."""
        found = []
        for number, plot in enumerate(self._drawn.plots):
            own = [spot for panel, spot in spots if panel == number]
            found.append((plot.x([spot.x for spot in own]), plot.y([spot.y for spot in own])))
        return np.hstack(found).T * self._drawn.scale

    def point_at(self, position: QPointF | None) -> None:
        """Put a ring around a point."""
        self._ring = position
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if is_vector(painter):
                self._renderer.render(painter, QRectF(self.rect()))
            else:
                ratio = painter.deviceTransform().m11()  # real pixels per pixel, on a screen and in a picture
                if self._picture is None or self._picture.devicePixelRatioF() != ratio:
                    self._picture = self._painted(ratio)
                painter.drawPixmap(QPointF(0, 0), self._picture)
            if self._ring is not None:
                scale = self.theme.line_scale
                painter.setPen(QPen(QColor(self.theme.colours.text), 2 * scale))
                painter.drawEllipse(self._ring, _RING * scale, _RING * scale)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # A tip over the plots would hide the points.
        self.setToolTip("" if self.panel_at(event.position()) is not None else self._labels)
        self.hovered.emit(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.mouse_left.emit()

    def _painted(self, ratio: float) -> QPixmap:
        """Legend and plots in pixels, painted once: the ring moves over them with the mouse."""
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(QColor(self.theme.colours.panel))
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._renderer.render(painter, QRectF(self.rect()))
        return pixmap


class ChartView(Themed, QWidget):
    """Draws a `Figure`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = Figure("")
        self._spots: list[tuple[int, Spot]] | None = None
        self._places: tuple[npt.NDArray, npt.NDArray, Floats] | None = None
        """Of all points: the number of the panel, whether it is a bar, and where it is drawn."""
        self._at: int | None = None
        self.title = ElidedLabel()
        self.title.setProperty("role", "title")
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
        """Draw this figure; if it is a new version of the one on show, the readout stays."""
        is_same = figure.title == self.figure.title and len(figure.panels) == len(self.figure.panels)
        self.figure = figure
        has_content = figure.has_content
        self.title.setText(figure.title)
        set_tip(self.title, figure.title if has_content else "")
        self._show_note()
        self.note.setVisible(bool(figure.note) and has_content)
        self.plots.setVisible(has_content)
        self.empty.setVisible(not has_content)
        self.empty.setText(figure.empty)
        self._spots = None
        if not (is_same and has_content):
            self._at = None
            self.readout.hide()
        self.setAccessibleName(label_text(figure.title) or "Chart")
        self.setAccessibleDescription(label_text(figure.note or figure.empty))
        self._draw()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.show_figure(self.figure)
        self.update()

    def spots(self) -> list[tuple[int, Spot]]:
        """Every point that can be pointed at, with the number of its panel."""
        if self._spots is None:
            self._spots = [
                (number, spot) for number, panel in enumerate(self.figure.panels) for spot in spots_in(panel)
            ]
        return self._spots

    def shut_down(self) -> None:
        """Wait for nothing any more."""
        self._hovering.cancel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        change = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape and self._at is not None:
            self._read_out(None)
        elif change is not None and self.figure.has_content and self.spots():
            count = len(self.spots())
            self._read_out(
                (0 if change > 0 else count - 1) if self._at is None else (self._at + change) % count
            )
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.figure.has_content:
            self._read_out_other_series(1 if event.key() == Qt.Key.Key_Down else -1)
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

    def _draw(self) -> None:
        self._places = None
        if self.figure.has_content:
            self.plots.draw(self.figure)
        if self._at is not None:  # what is pointed at stays so while numbers change
            self._read_out(self._at if self._at < len(self.spots()) else None)

    def _nearest(self, position: QPointF) -> int | None:
        """The index of the point that the mouse at this position means."""
        spots, number = self.spots(), self.plots.panel_at(position)
        if number is None or not spots:
            return None
        if self._places is None:  # in arrays, so that the nearest of thousands is found at once
            panels = np.array([panel for panel, _ in spots])
            is_bar = np.array([spot.is_bar for _, spot in spots])
            self._places = panels, is_bar, self.plots.positions_of(spots)
        panels, is_bar, positions = self._places
        across, up = (positions - position.toTuple()).T
        away = np.hypot(across, np.where(is_bar, 0.0, up))
        away[panels != number] = np.inf
        best = int(away.argmin())
        return best if away[best] <= _REACH else None

    def _read_out(self, at: int | None) -> None:
        """Say what the point with this index is."""
        self._at = at
        if at is None:
            self.plots.point_at(None)
            self.readout.hide()
            return
        number, spot = self.spots()[at]
        self.plots.point_at(self.plots.position_of(number, spot))
        self.setAccessibleDescription(spot.text)
        height = self.readout.sizeHint().height()
        rectangle = QRect(8, 4, self.width() - 16, max(height, self.title.height() + 2))
        self.readout.show_text(spot.text, rectangle)

    def _read_out_other_series(self, change: int) -> None:
        spots = self.spots()
        if not spots:
            return
        if self._at is None:
            self._read_out(0)
            return
        number, spot = spots[self._at]
        keys = sorted({(panel, other.series) for panel, other in spots})
        wanted = keys[(keys.index((number, spot.series)) + change) % len(keys)]
        there = [at for at, (panel, other) in enumerate(spots) if (panel, other.series) == wanted]
        self._read_out(min(there, key=[abs(other.x - spot.x) for _, other in spots].__getitem__))

    @Slot(object)
    def _on_hovered(self, position: QPointF) -> None:
        if self.figure.has_content:
            self._read_out(self._nearest(position))

    @Slot()
    def _on_mouse_left(self) -> None:
        self._hovering.cancel()
        self._read_out(None)

    @Slot()
    def _on_resized(self) -> None:
        self._show_note()
        self._draw()
