"""The time strip: the one axis of time of a run, with its error, its steps, bookmarks, branches and the cursor."""

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.plots.lazy_curves import PlotLoader
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.shortcut_conflicts import LEAVES_ARROWS
from gpviz.app.widgets.themed import Themed
from gpviz.explain.step_text import verdict_text
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark

if TYPE_CHECKING:
    from gpviz.app.plots.run_plot import RunPlot
    from gpviz.app.plots.strip_plot import StripPlot

_JUMPS: Final = 10
_MARGIN: Final = 3
"""Around the plot, for the ring that shows who has the keyboard."""
_LEAST_LINES: Final = 4.4
_LINES: Final = 8.2
"""The height in lines of type."""
_KEYS: Final = "The arrow keys go one iteration, Page Up and Page Down a tenth of the run."
_BY_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class TimeStrip(Themed, QAbstractSlider):
    """Every iteration of the history on show, from left to right; click or drag to go there.

    To a screen reader it is a slider whose value is the iteration on show.
    """

    iteration_chosen = Signal(int)
    bookmark_chosen = Signal(int)
    log_scale_changed = Signal(bool)
    """A person has chosen whether the scale of the error is logarithmic."""
    log_scale_adapted = Signal(bool)
    """It is, or is no longer, because the range of the errors asks for it."""
    theory_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._cursor = 0
        self._stuck_since: int | None = None
        self._is_ahead_hidden = False
        self._has_ring = False
        self._loader = _StripLoader(self)
        self._loader.iteration_chosen.connect(self.iteration_chosen)
        self._loader.bookmark_chosen.connect(self.bookmark_chosen)
        self._loader.log_scale_changed.connect(self.log_scale_changed)
        self._loader.log_scale_adapted.connect(self.log_scale_adapted)
        self._loader.theory_changed.connect(self.theory_changed)
        column_in(self, self._loader, margins=(_MARGIN,) * 4)
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
        view: StripPlot = self._loader.view
        return view

    def show_moment(self, shown: ShownMoment) -> None:
        """Mark this iteration of a run, with all that is recorded of it."""
        self._history = shown.history
        self._cursor = shown.iteration
        self._stuck_since = shown.stuck_since
        self._tell_cursor()
        self._loader.show_moment(shown)

    def hold(self) -> None:
        """Leave on the screen what is there, whatever changes."""
        self._loader.hold()

    def take_in(self, shown: ShownMoment) -> None:
        """Work in what is recorded by now, while it is held."""
        self._loader.take_in(shown)

    def release(self) -> None:
        """Paint what has changed."""
        self._loader.release()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor: what comes after it is still to be guessed. Or all of it."""
        self._is_ahead_hidden = is_hidden
        self._loader.set_ahead_hidden(is_hidden)
        self._tell_cursor()

    def set_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Show a flag for each of the bookmarks."""
        flags = tuple(sorted(bookmarks, key=attrgetter("iteration")))
        self._loader.tell("bookmarks", lambda view: view.set_bookmarks(flags))

    def set_branch_points(self, iterations: Sequence[int]) -> None:
        """Show a fork at each of these iterations, from which branches go."""
        points = tuple(sorted(set(iterations)))
        self._loader.tell("branches", lambda view: view.set_branch_points(points))

    def set_log_scale(self, is_log: bool) -> None:
        """Place the errors by their logarithm, or as they are."""
        self._loader.set_log_scale(is_log)

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show what the paper proves about the run, or not."""
        self._loader.set_theory_shown(is_shown)

    @Slot()
    def reset_view(self) -> None:
        """Show the whole run, also while it grows."""
        self._loader.reset_view()

    def shut_down(self) -> None:
        """End what is done in the background."""
        self._loader.shut_down()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, round(_LINES * self._line()))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, round(_LEAST_LINES * self._line()))

    def _line(self) -> float:
        return QFontMetricsF(self.theme.font()).height()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
            if self._has_ring and self.hasFocus():
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:  # it then is as it was
            self._has_ring = event.reason() in _BY_KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

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


class _StripLoader(PlotLoader):
    """Loads the plot of the strip."""

    bookmark_chosen = Signal(int)

    def _new_view(self) -> "RunPlot":
        from gpviz.app.plots.strip_plot import StripPlot

        view = StripPlot(self)
        view.bookmark_chosen.connect(self.bookmark_chosen)
        return view
