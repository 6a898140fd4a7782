"""The timeline: a scrubber over the whole run, with a strip of what happened, bookmarks, and the cursor."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
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
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from gpviz.app.player.pacing import Throttle
from gpviz.app.player.shown_moment import Detail, ShownMoment
from gpviz.app.plots.full_tree_shading import Shades, paint_shades, shades_between
from gpviz.app.plots.mouse_readout import counts_text
from gpviz.app.theme import Theme, readable_on
from gpviz.app.timers import single_shot
from gpviz.app.widgets.shortcut_conflicts import LEAVES_ARROWS
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text
from gpviz.runs.curve_series import FullCounts, VerdictCounts, column_counts
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import VERDICTS

HEIGHTS: Final = {
    Verdict.IMPROVED: 1.0,
    Verdict.NEUTRAL: 0.75,
    Verdict.UNCHANGED: 0.5,
    Verdict.WORSE: 0.34,
    Verdict.TOO_LARGE: 0.2,
}
"""The share of the strip's height that each verdict fills, so that nobody has to tell them by colour."""

_NARROWEST_CELL: Final = 4.0
"""From this width on, in pixels, neighbouring cells are kept apart by a gap."""
_WITH_SYMBOLS: Final = 14.0
"""From this width on, in pixels, cells have the symbols of their verdicts."""
_SYMBOL_SIZE: Final = 0.46
"""The height of a symbol as a share of the strip's; it stands in a bar that has room for it, else above."""
_HATCH: Final = (5, 2)
"""How far the hatching repeats itself, and how much of that is empty, in pixels."""

_SLICE: Final = 500_000
_FRAME_MS: Final = 16
_JUMPS: Final = 10
_NOTE_LENGTH: Final = 200
_STRIP_HEIGHT: Final = 24.0
"""In pixels, where there is room; large type makes it higher."""
_KEYS: Final = "The arrow keys go one iteration, Page Up and Page Down a tenth of the run."


def best_verdicts(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """For each column (a row of counts in the order of `VERDICTS`) the best verdict in it, as its place there.

    One improvement among a million iterations is seen, whatever else happened beside it.
    """
    return np.argmax(counts > 0, axis=1)


def strip_picture(
    counts: npt.NDArray[np.int64],
    height: int,
    colours: npt.NDArray[np.uint32],
    iterations: int,
    ratio: float = 1.0,
) -> npt.NDArray[np.uint32]:
    """The strip, its top row first, as 0xAARRGGBB: in each column a bar for the best verdict in it.

    ``colours`` are those of the verdicts; what left the tree unchanged is hatched.
    """
    columns = len(counts)
    if not iterations or not columns:
        return np.zeros((height, columns), dtype=np.uint32)
    best = best_verdicts(counts)
    tops = np.array([max(1, round(HEIGHTS[verdict] * height)) for verdict in VERDICTS])[best]
    rows = np.arange(height - 1, -1, -1)[:, None]
    is_inked = rows < tops
    period, gap = (round(length * ratio) for length in _HATCH)
    is_hatched = (rows + np.arange(columns)) % period >= gap
    is_edge = rows >= tops - max(1, round(ratio))
    is_inked &= (best != VERDICTS.index(Verdict.UNCHANGED)) | is_hatched | is_edge
    picture = np.where(is_inked, colours[best], np.uint32(0))
    if columns / iterations >= _NARROWEST_CELL * ratio:
        is_last = np.diff(np.arange(columns + 1) * iterations // columns) > 0
        picture[:, is_last] = 0
    return picture


class Timeline(Themed, QAbstractSlider):
    """Every iteration of the history on show, from left to right; click or drag to go there.

    To a screen reader it is a slider whose value is the iteration on show.
    """

    iteration_chosen = Signal(int)
    bookmark_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._counts = VerdictCounts()
        self._full = FullCounts()
        self._cursor = 0
        self._stuck_since: int | None = None
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._picture: QImage | None = None
        self._is_dragging = False
        self._is_ahead_hidden = False
        self._catch_up = single_shot(self, self.refresh)
        self._choosing = Throttle(_FRAME_MS, self)
        self._choosing.passed.connect(self._on_choice_passed)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, 0)
        self.setProperty(LEAVES_ARROWS, True)
        self.valueChanged.connect(self._on_value_changed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Timeline")
        self._tell_cursor()

    def show_moment(self, shown: ShownMoment) -> None:
        """Mark this iteration of a run, with all that is recorded of it."""
        if shown.history is not self._history:
            self.show_history(shown.history)
        elif shown.detail is Detail.STEP and len(shown.history) > len(self._counts):
            self.refresh()
        self.show_stuck_since(shown.stuck_since)
        self.show_cursor(shown.iteration)

    def hold(self) -> None:
        """Leave on the screen what is there, whatever changes."""
        self.setUpdatesEnabled(False)

    def take_in(self, shown: ShownMoment) -> None:
        """Work in what is recorded by now, while it is held."""
        if shown.history is self._history and len(shown.history) > len(self._counts):
            self.refresh()

    def release(self) -> None:
        """Paint what has changed."""
        self.setUpdatesEnabled(True)

    def show_history(self, history: History) -> None:
        """Show another run, from its start; its bookmarks are set by `set_bookmarks`, before or after."""
        self._history = history
        self._counts = VerdictCounts()
        self._full = FullCounts()
        self._cursor = 0
        self._stuck_since = None
        self._is_dragging = False
        self._choosing.cancel()
        self.setValue(0)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take in the iterations that are new."""
        if self._history is None:
            return
        stop = min(len(self._history), len(self._counts) + _SLICE)
        self._counts.take_in(self._history.codes(1, stop + 1))
        self._full.take_in(self._history, stop + 1)
        if stop < len(self._history):
            self._catch_up.start(0)
        self._picture = None
        self._tell_cursor()
        self.update()

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration."""
        if iteration != self._cursor or iteration != self.value():
            self._cursor = iteration
            if self._is_ahead_hidden:
                self._picture = None
            self._tell_cursor()
            self.update()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor: what comes after it is still to be guessed. Or all of it."""
        if is_hidden != self._is_ahead_hidden:
            self._is_ahead_hidden = is_hidden
            self._picture = None
            self._tell_cursor()
            self.update()

    def set_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show a flag for each of the bookmarks."""
        self._bookmarks = tuple(sorted(bookmarks, key=attrgetter("iteration")))
        self.update()

    def show_stuck_since(self, iteration: int | None) -> None:
        """Mark the iteration from which on the tree is stuck; None for no such mark."""
        if iteration != self._stuck_since:
            self._stuck_since = iteration
            self._tell_cursor()
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
        """The window's own arrows come first, where it has any."""
        length = self._length()
        jump = max(1, round(length / _JUMPS))
        places = {
            Qt.Key.Key_Left: self._cursor - 1,
            Qt.Key.Key_Right: self._cursor + 1,
            Qt.Key.Key_PageUp: self._cursor - jump,
            Qt.Key.Key_PageDown: self._cursor + jump,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: length,
        }
        place = places.get(Qt.Key(event.key()))
        if place is None or self._history is None:
            event.ignore()
            return
        self.iteration_chosen.emit(min(max(place, 0), length))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # whoever scrolls past it does not go through the run

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self.words_at(QPointF(event.pos()))), self)
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
        before, after = self._full.before([start - 1, stop - 1])
        full = round(after - before)
        is_sampled = self._history.config.is_sampled
        if stop == start + 1:
            verdict = VERDICTS[int(np.argmax(counts))]
            parent = "\nthe parent is full" if full else ""
            return f"t = {start:,}\n{verdict_text(verdict, is_sampled=is_sampled)}{parent}{stuck}"
        parents = f"\nin {full:,} of them the parent is full" if full else ""
        return f"t = {start:,} to {stop - 1:,}\n{counts_text(counts, is_sampled=is_sampled)}{parents}{stuck}"

    @Slot(int)
    def _on_value_changed(self, value: int) -> None:
        """A screen reader has moved the slider, unless it only follows the cursor."""
        if value != self._cursor:
            self.iteration_chosen.emit(value)

    def _tell_cursor(self) -> None:
        """Give a screen reader the iteration on show as the value, and what became of it in words."""
        length = max(self._length(), self._cursor)
        self.setRange(0, length)
        self.setValue(self._cursor)
        words = [f"Iteration {self._cursor:,} of {length:,}"]
        if self._history is not None and 1 <= self._cursor <= self._length():
            verdict = VERDICTS[int(self._history.verdicts(self._cursor, self._cursor + 1)[0])]
            words[0] += f": {verdict_text(verdict, is_sampled=self._history.config.is_sampled)}"
            before, after = self._full.before([self._cursor - 1, self._cursor])
            words[0] += ", the parent is full" if after > before else ""
        if self._stuck_since is not None and self._stuck_since <= length:
            words.append(f"Stuck since iteration {self._stuck_since:,}")
        self.setAccessibleDescription(". ".join([*words, _KEYS]))

    @Slot(object)
    def _on_choice_passed(self, iteration: int) -> None:
        self.iteration_chosen.emit(min(iteration, self._length()))

    def _length(self) -> int:
        length = 0 if self._history is None else len(self._history)
        return min(length, self._cursor) if self._is_ahead_hidden else length

    def _counted(self) -> int:
        """How many iterations have their bar."""
        return min(len(self._counts), self._length())

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
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            strip = self._strip()
            columns, rows = max(1, round(strip.width() * ratio)), max(1, round(strip.height() * ratio))
            of_verdict = self.theme.colours.of_verdict
            colours = np.array([QColor(of_verdict(verdict)).rgba() for verdict in VERDICTS], dtype=np.uint32)
            counts = column_counts(self._counts, columns, self._counted())
            pixels = strip_picture(counts, rows, colours, self._counted(), ratio).tobytes()
            bars = QImage(pixels, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
            bars.setDevicePixelRatio(ratio)
            self._picture = QImage(columns, rows, QImage.Format.Format_RGB32)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(QColor(self.theme.colours.field))
            with QPainter(self._picture) as painter:
                self._paint_full(painter, strip)
                painter.drawImage(0, 0, bars)
                self._paint_symbols(painter, strip)
        return self._picture

    def _has_symbols(self) -> bool:
        return 0 < self._counted() * _WITH_SYMBOLS <= self._strip().width()

    def _paint_symbols(self, painter: QPainter, strip: QRectF) -> None:
        """In each bar that has room for it, or above it, the symbol of its verdict."""
        if self._history is None or not self._has_symbols():
            return
        count, colours = self._counted(), self.theme.colours
        width, size = strip.width() / count, _SYMBOL_SIZE * strip.height()
        font = QFont(self.theme.font(is_bold=True))
        font.setPixelSize(max(1, round(min(size, width - 3))))
        painter.setFont(font)
        for place, number in enumerate(self._history.verdicts(1, count + 1).tolist()):
            verdict = VERDICTS[number]
            top = (1 - HEIGHTS[verdict]) * strip.height()
            is_inside = verdict is not Verdict.UNCHANGED and strip.height() - top > size
            fill = QColor(colours.of_verdict(verdict))
            painter.setPen(readable_on(fill, self.theme) if is_inside else fill)
            box = QRectF(place * width, top if is_inside else top - size, width - 1, size)
            if is_inside:
                box.setBottom(strip.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, VERDICT_SYMBOLS[verdict])

    def _bookmark_under(self, position: QPointF) -> Bookmark | None:
        """The nearest flag at a place, if there is one."""
        reach = max(6.0, self._flag_height())
        if not 0 <= position.y() <= self._strip().top():
            return None

        def distance(bookmark: Bookmark) -> float:
            return abs(self.place_of(bookmark.iteration) + 0.25 * reach - position.x())

        seen = [bookmark for bookmark in self._bookmarks if bookmark.iteration <= self._length()]
        return min((each for each in seen if distance(each) <= reach), key=distance, default=None)

    def _paint_full(self, painter: QPainter, strip: QRectF) -> None:
        """Behind the bars, where the parents are full."""
        counted = self._counted()
        if counted:
            edges, strengths = shades_between(self._full, 0, counted, round(strip.width()))
            pixels = Shades(edges * strip.width() / counted, strengths)
            paint_shades(painter, pixels, 0, strip.height(), self.theme)

    def _paint_stuck(self, painter: QPainter, strip: QRectF) -> None:
        if self._stuck_since is None or self._stuck_since > self._length():
            return
        colour = QColor(self.theme.colours.stuck)
        x = self.place_of(self._stuck_since)
        if self._has_symbols():  # the line would go through one
            x -= 0.5 * strip.width() / self._length()
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
            foot = strip.top() if self._has_symbols() else strip.bottom()
            painter.drawLine(QPointF(x, 1), QPointF(x, foot))
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
        if self._cursor and self._has_symbols():  # a handle would hide the symbol
            half = 0.5 * strip.width() / self._length()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                QRectF(x - half, strip.top(), 2 * half - 1, strip.height()).adjusted(-2, -2, 2, 2), 3, 3
            )
        else:
            painter.drawLine(QPointF(x, strip.top() - 3), QPointF(x, strip.bottom() + 3))
            painter.setBrush(QColor(colours.panel))
            painter.drawEllipse(QPointF(x, strip.center().y()), radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(strip.adjusted(-3, -2, 3, 2))
