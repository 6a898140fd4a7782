"""The timeline: a scrubber over the whole run, with a strip of what happened, bookmarks, and the cursor."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gpviz.app.plots.readout import VERDICT_WORDS, counts_in_words
from gpviz.app.theme import Theme
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.throttle import Throttle
from gpviz.engine import Verdict
from gpviz.run.bookmarks import Bookmark
from gpviz.run.history import History
from gpviz.run.series import VerdictCounts, column_counts
from gpviz.run.step_codes import VERDICTS

__all__ = ["LEAST_SHARE", "STACK", "Timeline", "layer_heights", "strip_picture"]

STACK: Final[tuple[tuple[Verdict, ...], ...]] = (
    (Verdict.IMPROVED,),
    (Verdict.NEUTRAL, Verdict.UNCHANGED),
    (Verdict.WORSE,),
    (Verdict.TOO_LARGE,),
)
"""The layers of the strip from its foot upwards."""

LEAST_SHARE: Final = 0.45
"""An improvement is rare and matters: it takes at least this much of its column's height."""

_NARROWEST_CELL: Final = 4.0
"""From this width on, in pixels, neighbouring cells are kept apart by a gap."""

_SLICE: Final = 500_000
_FRAME_MS: Final = 16
_JUMPS: Final = 10
_NOTE_LENGTH: Final = 200
_STRIP_HEIGHT: Final = 24.0
"""In pixels, where there is room; large type makes it higher."""


def layer_heights(counts: npt.NDArray[np.int64], height: int) -> npt.NDArray[np.int64]:
    """For each column (a row of counts in the order of `VERDICTS`) where each layer ends, in pixels."""
    layers = np.stack([counts[:, [VERDICTS.index(v) for v in layer]].sum(axis=1) for layer in STACK], axis=1)
    totals = np.maximum(layers.sum(axis=1), 1)
    shares = layers / totals[:, None]
    improved = shares[:, 0]
    raised = np.where(improved > 0, np.maximum(improved, LEAST_SHARE), 0.0)
    others = np.divide(1 - raised, 1 - improved, out=np.zeros_like(raised), where=improved < 1)
    shares[:, 1:] *= others[:, None]
    shares[:, 0] = raised
    return np.rint(np.cumsum(shares, axis=1) * height).astype(np.int64)


def strip_picture(
    counts: npt.NDArray[np.int64],
    height: int,
    colours: npt.NDArray[np.uint32],
    iterations: int,
) -> npt.NDArray[np.uint32]:
    """The strip, its top row first, as 0xAARRGGBB; ``colours`` are those of the layers."""
    columns = len(counts)
    picture = np.zeros((height, columns), dtype=np.uint32)
    if not iterations or not columns:
        return picture
    ends = layer_heights(counts, height)
    rows = np.arange(height - 1, -1, -1)[:, None]
    layer = (rows >= ends[:, 0]).astype(np.intp)
    for below in range(1, len(STACK) - 1):
        layer += rows >= ends[:, below]
    picture[:] = colours[layer]
    if columns / iterations >= _NARROWEST_CELL:
        is_last = np.diff(np.arange(columns + 1) * iterations // columns) > 0
        picture[:, is_last] = 0
    return picture


class Timeline(Themed, QWidget):
    """Every iteration of the history on show, from left to right; click or drag to go there."""

    iteration_chosen = Signal(int)
    bookmark_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._counts = VerdictCounts()
        self._cursor = 0
        self._stuck_since: int | None = None
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._picture: QImage | None = None
        self._is_dragging = False
        self._catch_up = QTimer(self)
        self._catch_up.setSingleShot(True)
        self._catch_up.timeout.connect(self.refresh)
        self._choosing = Throttle(_FRAME_MS, self)
        self._choosing.passed.connect(self._on_choice_passed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Timeline")
        self.setAccessibleDescription("All iterations; Page Up and Page Down go a tenth of the run")

    def show_history(self, history: History) -> None:
        """Show another run, from its start; its bookmarks are set by `set_bookmarks`, before or after."""
        self._history = history
        self._counts = VerdictCounts()
        self._cursor = 0
        self._stuck_since = None
        self._is_dragging = False
        self._choosing.cancel()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take in the iterations that are new."""
        if self._history is None:
            return
        stop = min(len(self._history), len(self._counts) + _SLICE)
        self._counts.take_in(self._history.codes(1, stop + 1))
        if stop < len(self._history):
            self._catch_up.start(0)
        self._picture = None
        self.update()

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration."""
        if iteration != self._cursor:
            self._cursor = iteration
            self.update()

    def set_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show a flag for each of the bookmarks."""
        self._bookmarks = tuple(sorted(bookmarks, key=_iteration_of))
        self.update()

    def show_stuck_since(self, iteration: int | None) -> None:
        """Mark the iteration from which on the tree is stuck; None for no such mark."""
        self._stuck_since = iteration
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self._picture = None
        self.updateGeometry()
        self.update()

    def iteration_under(self, position: QPointF) -> int:
        """The iteration at a place in this widget; 0 left of the strip."""
        strip = self._strip()
        if position.x() < strip.left() or not self._length():
            return 0
        cell = int((position.x() - strip.left()) / strip.width() * self._length())
        return min(cell, self._length() - 1) + 1

    def place_of(self, iteration: int) -> float:
        """Where an iteration is: in the middle of its cell, and the start at the left end."""
        strip = self._strip()
        if not iteration or not self._length():
            return strip.left()
        return strip.left() + (iteration - 0.5) / self._length() * strip.width()

    def sizeHint(self) -> QSize:
        return QSize(400, self._height_with(max(_STRIP_HEIGHT, 1.4 * self._label_metrics().height())))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height_with(1.4 * self._label_metrics().height()))

    def _height_with(self, strip: float) -> int:
        return round(self._flag_height() + strip + self._label_metrics().height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            strip = self._strip()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.theme.colours.field))
            painter.drawRect(strip)
            painter.drawImage(strip.topLeft(), self._strip_image())
            self._paint_stuck(painter, strip)
            self._paint_flags(painter, strip)
            self._paint_labels(painter, strip)
            self._paint_cursor(painter, strip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._history is None:
            super().mousePressEvent(event)
            return
        flagged = self._bookmark_under(event.position())
        if flagged is not None:
            self.bookmark_chosen.emit(flagged.iteration)
            return
        self._is_dragging = True
        self._choosing.give(self.iteration_under(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_dragging:
            self._choosing.give(self.iteration_under(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._is_dragging = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        directions = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        direction = directions.get(Qt.Key(event.key()))
        if direction is None or self._history is None:
            super().keyPressEvent(event)
            return
        jump = max(1, round(self._length() / _JUMPS))
        self.iteration_chosen.emit(min(max(self._cursor + direction * jump, 0), self._length()))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def words_at(self, position: QPointF) -> str:
        """What the tooltip says about a place: a bookmark, an iteration, or how many of which kind."""
        flagged = self._bookmark_under(position)
        if flagged is not None:
            note = flagged.note.strip()
            note = note if len(note) <= _NOTE_LENGTH else f"{note[:_NOTE_LENGTH]}…"
            return f"Bookmark at t = {flagged.iteration:,}" + (f"\n{note}" if note else "")
        if self._history is None:
            return ""
        strip = self._strip()
        if position.x() < strip.left() or not self._length():
            return "t = 0, the start"
        column = min(int(position.x() - strip.left()), int(strip.width()) - 1)
        start = column * self._length() // int(strip.width()) + 1
        stop = max((column + 1) * self._length() // int(strip.width()) + 1, start + 1)
        counts = self._counts.between(start, stop)
        since = self._stuck_since
        stuck = f"\nstuck since t = {since:,}" if since is not None and since < stop else ""
        if stop == start + 1:
            verdict = VERDICTS[int(np.argmax(counts))]
            return f"t = {start:,}\n{VERDICT_WORDS[verdict]}{stuck}"
        return f"t = {start:,} to {stop - 1:,}\n{counts_in_words(counts)}{stuck}"

    @Slot(object)
    def _on_choice_passed(self, iteration: int) -> None:
        self.iteration_chosen.emit(min(iteration, self._length()))

    def _length(self) -> int:
        return 0 if self._history is None else len(self._history)

    def _label_metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font(0.85))

    def _flag_height(self) -> float:
        return 0.75 * self._label_metrics().height()

    def _margin(self) -> float:
        """Room at both ends for half of the handle."""
        return round(0.6 * self._label_metrics().height())

    def _strip(self) -> QRectF:
        top = round(self._flag_height()) + 1
        height = max(4, self.height() - top - round(self._label_metrics().height()) - 3)
        margin = self._margin()
        return QRectF(margin, top, max(1, self.width() - 2 * margin), height)

    def _strip_image(self) -> QImage:
        """The strip, drawn anew only where the run, the size or the theme has changed."""
        if self._picture is None:
            strip = self._strip()
            ratio = self.devicePixelRatioF()
            columns, rows = max(1, round(strip.width() * ratio)), max(1, round(strip.height() * ratio))
            layers = [QColor(self.theme.colours.of_verdict(layer[0])).rgba() for layer in STACK]
            counts = column_counts(self._counts, columns)
            pixels = strip_picture(counts, rows, np.array(layers, dtype=np.uint32), len(self._counts))
            image = QImage(pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
            self._picture = image.copy()  # the bytes do not outlive this method
            self._picture.setDevicePixelRatio(ratio)
        return self._picture

    def _bookmark_under(self, position: QPointF) -> Bookmark | None:
        """The nearest flag at a place, if there is one."""
        reach = max(6.0, self._flag_height())
        if not 0 <= position.y() <= self._strip().top():
            return None
        near = [
            (
                abs(self.place_of(bookmark.iteration) + 0.25 * reach - position.x()),
                bookmark.iteration,
                bookmark,
            )
            for bookmark in self._bookmarks
            if bookmark.iteration <= self._length()
        ]
        distance, _, bookmark = min(near, default=(reach + 1, 0, None), key=_distance_of)
        return bookmark if distance <= reach else None

    def _paint_stuck(self, painter: QPainter, strip: QRectF) -> None:
        if self._stuck_since is None or self._stuck_since > self._length():
            return
        colour = QColor(self.theme.colours.stuck)
        x = self.place_of(self._stuck_since)
        painter.setPen(QPen(colour, 2 * self.theme.line_scale, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, 1), QPointF(x, strip.bottom() + 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRect(QRectF(QPointF(x, strip.bottom()), QPointF(strip.right(), strip.bottom() + 2)))

    def _paint_flags(self, painter: QPainter, strip: QRectF) -> None:
        colours = self.theme.colours
        height = self._flag_height()
        for bookmark in self._bookmarks:
            if bookmark.iteration > self._length():
                continue
            x = self.place_of(bookmark.iteration)
            painter.setPen(QPen(QColor(colours.text), 1.2 * self.theme.line_scale))
            painter.drawLine(QPointF(x, 1), QPointF(x, strip.bottom()))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            tip = QPointF(x + 0.95 * height, 1 + 0.35 * height)
            painter.drawPolygon(QPolygonF([QPointF(x, 1), tip, QPointF(x, 1 + 0.7 * height)]))

    def _paint_labels(self, painter: QPainter, strip: QRectF) -> None:
        """As far as they find room, the first ones first."""
        font = self.theme.font(0.85)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        top = self.height() - metrics.height() - 0.5
        taken: list[tuple[float, float]] = []
        for x, text, colour in self._labels(strip):
            width = metrics.horizontalAdvance(text)
            left = min(max(x - width / 2, 1), self.width() - width - 1)
            if any(left < end + 8 and start < left + width + 8 for start, end in taken):
                continue
            taken.append((left, left + width))
            painter.setPen(QColor(colour))
            painter.drawText(QRectF(left, top, width + 1, metrics.height()), text)

    def _labels(self, strip: QRectF) -> list[tuple[float, str, str]]:
        """Place, text and colour of the labels: the cursor, the ends, and where the tree got stuck."""
        colours = self.theme.colours
        labels = [(self.place_of(self._cursor), f"t = {self._cursor:,}", colours.text)]
        # An end that has the cursor is not told twice.
        ends = {0: (strip.left(), "0"), self._length(): (strip.right(), f"{self._length():,}")}
        labels += [(*end, colours.muted) for at, end in ends.items() if at != self._cursor]
        if self._stuck_since is not None and self._stuck_since <= self._length():
            place = self.place_of(self._stuck_since)
            labels.append((place, f"stuck since t = {self._stuck_since:,}", colours.stuck_text))
        return labels

    def _paint_cursor(self, painter: QPainter, strip: QRectF) -> None:
        colours = self.theme.colours
        scale = self.theme.line_scale
        x = self.place_of(self._cursor)
        radius = min(0.5 * strip.height(), self._margin() - scale)
        painter.setPen(QPen(QColor(colours.accent), 2.4 * scale))
        painter.drawLine(QPointF(x, strip.top() - 3), QPointF(x, strip.bottom() + 3))
        painter.setBrush(QColor(colours.panel))
        painter.drawEllipse(QPointF(x, strip.center().y()), radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(strip.adjusted(-3, -2, 3, 2))


def _iteration_of(bookmark: Bookmark) -> int:
    return bookmark.iteration


def _distance_of(candidate: tuple[float, int, Bookmark | None]) -> float:
    return candidate[0]
