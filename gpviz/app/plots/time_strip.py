"""The time strip: the one axis of time of a run, with its error, its steps, bookmarks, branches and the cursor."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.focus_order import KeyboardFocus
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.shortcut_conflicts import LEAVES_ARROWS
from gpviz.app.widgets.themed import Themed
from gpviz.explain.step_text import verdict_text
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark

if TYPE_CHECKING:
    from gpviz.app.plots.strip_plot import StripPlot

_JUMPS: Final = 10
_MARGIN: Final = 3
"""Around the plot, for the ring that shows who has the keyboard."""
_LEAST_LINES: Final = 4.4
_LINES: Final = 8.2
"""The height in lines of type."""
_KEYS: Final = "The arrow keys go one iteration, Page Up and Page Down a tenth of the run."


class TimeStrip(KeyboardFocus, Themed, QAbstractSlider):
    """Every iteration of the history on show, from left to right; click or drag to go there.

    To a screen reader it is a slider whose value is the iteration on show. What is drawn is loaded a moment after
    it is on show, as pyqtgraph takes as long to load as a third of the window, and then told what came before.
    """

    iteration_chosen = Signal(int)
    bookmark_chosen = Signal(int)
    log_scale_adapted = Signal(bool)
    """The scale of the error is logarithmic, or is no longer, because the range of the errors asks for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._cursor = 0
        self._stuck_since: int | None = None
        self._is_ahead_hidden = False
        self._view: StripPlot | None = None
        self._shown: ShownMoment | None = None
        self._untold: list[Callable[[StripPlot], None]] = []
        self._column = column_in(self, margins=(_MARGIN,) * 4)
        self._loading = single_shot(self, self._load)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, 0)
        self.setProperty(LEAVES_ARROWS, True)
        self.valueChanged.connect(self.iteration_chosen)  # a screen reader has moved the slider
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Time strip")
        self._tell_cursor()

    @property
    def view(self) -> "StripPlot":
        """What is drawn, loaded now if it is not there yet."""
        self._load()
        assert self._view is not None
        return self._view

    @Slot()
    def _load(self) -> None:
        if self._view is not None:
            return
        from gpviz.app.plots.strip_plot import StripPlot

        view = StripPlot(self)
        for tell in self._untold:
            tell(view)
        if self._shown is not None:
            view.show_moment(self._shown)
        view.iteration_chosen.connect(self.iteration_chosen)
        view.bookmark_chosen.connect(self.bookmark_chosen)
        view.log_scale_adapted.connect(self.log_scale_adapted)
        self._view = view
        self._column.addWidget(view)

    def _tell(self, tell: "Callable[[StripPlot], None]") -> None:
        """Tell the plot something, now or when it is loaded."""
        if self._view is None:
            self._untold.append(tell)
        else:
            tell(self._view)

    def show_moment(self, shown: ShownMoment) -> None:
        """Mark this iteration of a run, with all that is recorded of it."""
        self._history = shown.history
        self._cursor = shown.iteration
        self._stuck_since = shown.stuck_since
        self._tell_cursor()
        self._shown = shown
        if self._view is not None:
            self._view.show_moment(shown)

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor: what comes after it is still to be guessed. Or all of it."""
        self._is_ahead_hidden = is_hidden
        self._tell(lambda view: view.set_ahead_hidden(is_hidden))
        self._tell_cursor()

    def set_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show a flag for each of the bookmarks."""
        flags = tuple(sorted(bookmarks, key=attrgetter("iteration")))
        self._tell(lambda view: view.set_bookmarks(flags))

    def set_branch_points(self, iterations: Sequence[int]) -> None:
        """Show a fork at each of these iterations, from which branches go."""
        points = tuple(sorted(set(iterations)))
        self._tell(lambda view: view.set_branch_points(points))

    def set_log_scale(self, is_log: bool) -> None:
        """Place the errors by their logarithm, or as they are."""
        self._tell(lambda view: view.set_log_scale(is_log))

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show what the paper proves about the run, or not."""
        self._tell(lambda view: view.set_theory_shown(is_shown))

    @Slot()
    def reset_view(self) -> None:
        """Show the whole run, also while it grows."""
        self._tell(lambda view: view.reset_view())

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.updateGeometry()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._view is None:
            self._loading.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._loading.stop()  # a window that was closed needs none
        super().hideEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(600, round(_LINES * self._line()))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, round(_LEAST_LINES * self._line()))

    def _line(self) -> float:
        return QFontMetricsF(self.theme.font()).height()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
            if self.has_focus_ring and self.hasFocus():
                painter.setPen(QPen(QColor(self.theme.colours.accent), 2.0))
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # beside the plot, which zooms, it does not go through the run

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

    def _tell_cursor(self) -> None:
        """Give a screen reader the iteration on show as the value, and what became of it in words."""
        length = max(self._length(), self._cursor)
        with QSignalBlocker(self):  # nobody has chosen an iteration
            self.setRange(0, length)
            self.setValue(self._cursor)
        words = [f"Iteration {self._cursor:,} of {length:,}"]
        history = self._history
        if history is not None and 1 <= self._cursor <= len(history):
            step = history.step_at(self._cursor)
            words[0] += f": {verdict_text(step.verdict, is_sampled=history.config.is_sampled)}"
            limit = history.config_at(self._cursor).max_leaves
            is_full = limit is not None and history.sizes_at(self._cursor - 1)[0] >= limit
            words[0] += ", the parent is full" if is_full else ""
        if self._stuck_since is not None and self._stuck_since <= length:
            words.append(f"Stuck since iteration {self._stuck_since:,}")
        self.setAccessibleDescription(". ".join([*words, _KEYS]))

    def _length(self) -> int:
        length = 0 if self._history is None else len(self._history)
        return min(length, self._cursor) if self._is_ahead_hidden else length
