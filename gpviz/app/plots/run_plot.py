"""Plots the error of a run against the iteration, to zoom into and to travel on."""

from math import floor
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.plots.curve_items import ErrorItems
from gpviz.app.plots.linked_plots import PlotArea
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.themed import Themed
from gpviz.experiments.figures.axis_ticks import ErrorScale, Tick
from gpviz.runs.curve_series import RunSeries, StepSeries
from gpviz.runs.history import History

SLICE: Final = 200_000
"""Iterations taken in at once: as many as fit into a frame."""
MARGIN: Final = 0.012
_LONGEST_FITTED: Final = 2_000
_SHORTEST_RUN: Final = 10
_SHORTEST_SPAN: Final = 8.0
_MOST_DISCS: Final = 200
_LARGEST_UNIT_BITS: Final = 40
_LOG_BITS: Final = 20
"""Where the largest error has more bits, all but the first improvements would share a pixel of a linear scale."""
_ROOT_LOG_BITS: Final = 40
"""Where it has more of them, the last improvements would share a pixel of a logarithmic scale."""


class RunPlot(Themed, QWidget):
    """The error of the history on show; the cursor is a line through it.

    A subclass has the area and its items, and draws what else there is to see.
    """

    iteration_chosen = Signal(int)
    log_scale_changed = Signal(bool)
    """A person has chosen whether the scale of the error is logarithmic."""
    log_scale_adapted = Signal(bool)
    """It is, or is no longer, because the range of the errors asks for it."""

    area: PlotArea
    items: ErrorItems

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series: RunSeries | None = None
        self._scale = ErrorScale()
        self._is_log_preferred = True
        self._is_log_chosen: bool | None = None  # for the run on show
        self._range: tuple[float, float] | None = None
        self._part: tuple[int, int] | None = None
        self._cursor = 0
        self._stuck_since: int | None = None
        self._is_ahead_hidden = False
        self.is_theory_shown = False
        self._generalisation: StepSeries | None = None
        self._is_stale = True
        self._catch_up = single_shot(self, self.refresh)
        self._redraw_soon = single_shot(self, self._redraw)

    def _follow_area(self) -> None:
        """Do what the mouse on the area asks for."""
        self.area.pressed.connect(self._on_pressed)
        self.area.zoomed.connect(self._on_zoomed)
        self.area.panned.connect(self._on_panned)
        self.area.reset_asked.connect(self.reset_view)
        self.area.resized.connect(self._draw_when_visible)
        self.follow_theme()

    @property
    def is_log_scale(self) -> bool:
        """Whether errors are placed by their logarithm."""
        return self._scale.is_log

    @property
    def is_following(self) -> bool:
        """Whether the whole run is in view, and stays so while it grows."""
        return self._range is None

    @property
    def visible_range(self) -> tuple[float, float]:
        """The first and the last iteration in view, with the margin beside them."""
        return self._range or self._whole_run()

    @property
    def iteration(self) -> int:
        """The iteration that is marked."""
        return self._cursor

    def show_moment(self, shown: ShownMoment) -> None:
        """Mark this iteration of a run, with all that is recorded of it."""
        history, known = shown.history, shown.generalisation
        if self._series is None or self._series.history is not history:
            self.show_history(history)
        assert self._series is not None
        if history.config.is_sampled and known is not None:
            self.show_generalisation(known.iterations, known.shares)
        if self._series.length < len(history) or history.config.is_sampled:
            self.refresh()
        self.show_stuck_since(shown.stuck_since)
        self.show_cursor(shown.iteration)

    def show_history(self, history: History) -> None:
        """Show another run, as a whole and from its start."""
        self._series = RunSeries(history)
        self._generalisation = None
        self._range = self._part = None
        self._cursor = 0
        self._stuck_since = None
        self._is_log_chosen = None
        self.area.forget_mouse()
        self._forget_hover()
        if not self.isVisible():  # else that comes with its first iterations
            self._adapt_scale()
        self._show_limits(history)
        self.items.show_stuck_since(None)
        self.area.show_playhead(0)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take in the iterations that are new."""
        if self._series is None or not self.isVisible():
            self._is_stale = True
            return
        self._catch_up.stop()
        is_complete = self._series.take_in(SLICE)
        if self._generalisation is not None:
            is_complete &= self._generalisation.take_in(SLICE)
        if not is_complete:
            self._catch_up.start(0)
        self._adapt_scale()
        self._redraw()

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration; a part of the run that has it in view goes along with it."""
        before, self._cursor = self._cursor, iteration
        self.area.show_playhead(iteration)
        if iteration == before:
            return
        if self._range is not None and not self._part:
            low, high = self._range
            if low <= before <= high and not low <= iteration <= high:
                self._set_range(iteration - (high - low) / 2, iteration + (high - low) / 2)
        if self._is_ahead_hidden:
            self._mark_stuck()
            self._draw_when_visible()

    def show_stuck_since(self, iteration: int | None) -> None:
        """Mark the iteration from which on the tree is stuck; None for no such mark."""
        if iteration != self._stuck_since:
            self._stuck_since = iteration
            self._mark_stuck()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor: what comes after it is still to be guessed. Or all of it."""
        if is_hidden != self._is_ahead_hidden:
            self._is_ahead_hidden = is_hidden
            self._range = None
            self._forget_hover()
            self._mark_stuck()
            self._draw_when_visible()

    def _mark_stuck(self) -> None:
        is_ahead = self._stuck_since is not None and self._stuck_since > self._cursor
        self.items.show_stuck_since(None if is_ahead and self._is_ahead_hidden else self._stuck_since)

    def show_generalisation(self, iterations: npt.NDArray, shares: npt.NDArray) -> None:
        """Show how likely the tree is wrong on a random row, from each of these iterations on.

        Arrays that begin like the last ones are taken for longer ones, so that only what is new is looked at.
        """
        if self._series is None:
            return
        if self._generalisation is None:
            self._generalisation = StepSeries(self._series.history.config.rows or 1)
        self._generalisation.show(
            np.asarray(iterations, dtype=np.int64), np.asarray(shares, dtype=np.float64)
        )
        if self.isVisible():
            self._catch_up.start(0)  # a refresh that comes before does the same

    def set_log_scale(self, is_log: bool) -> None:
        """Place the errors of the run on show by the logarithm of error + 1, or as they are.

        Of the next run too, unless its errors have many digits: on a linear scale it would look as if it were
        solved after the first of its iterations, so its scale is logarithmic all the same.
        """
        self._is_log_preferred = is_log
        self._is_log_chosen = None if self._series is None else is_log
        if is_log != self._scale.is_log:
            self._change_scale(self._wanted_scale())
            self.log_scale_changed.emit(is_log)

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show what the paper proves: the stages of the drift theorem, or why a sampled run should stop early."""
        if is_shown != self.is_theory_shown:
            self.is_theory_shown = is_shown
            self._draw_when_visible()

    @Slot()
    def reset_view(self) -> None:
        """Show the whole run, also while it grows."""
        self._range = None
        self._draw_when_visible()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.items.apply_theme(theme)
        self._draw_when_visible()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))

    @property
    def _is_early_stop_shown(self) -> bool:
        return self.is_theory_shown and self._series is not None and self._series.history.config.is_sampled

    @property
    def _are_stages_shown(self) -> bool:
        return self.is_theory_shown and self._series is not None and self._series.stages is not None

    # --- what a subclass adds ---

    def _show_limits(self, history: History) -> None:
        self.items.show_goal(history, self._scale, *self.visible_range)

    def _forget_hover(self) -> None:
        """Show nothing of what is under the mouse."""

    def _draw_others(self, series: RunSeries, start: int, stop: int) -> None:
        """Draw what is seen beside the errors of these iterations."""

    def _highest_place(self, series: RunSeries, start: int, stop: int) -> float:
        """How high the plot of the errors has to be at least."""
        return 0.0

    # --- how it is done ---

    def _adapt_scale(self) -> None:
        """Have the scale that the range of the errors asks for, unless a person has chosen one for this run."""
        scale = self._wanted_scale()
        if scale == self._scale:
            return
        is_other = scale.is_log != self._scale.is_log
        self._change_scale(scale)
        if is_other and self.isVisible():
            self.log_scale_adapted.emit(scale.is_log)

    def _change_scale(self, scale: ErrorScale) -> None:
        self._scale = scale
        if self._series is not None:
            self._show_limits(self._series.history)
        self._forget_hover()
        self._draw_when_visible()

    def _wanted_scale(self) -> ErrorScale:
        """That which a person has chosen or else prefers; but errors of many digits need a logarithmic one."""
        bits = 0.0 if self._series is None else self._series.highest
        is_log = self._is_log_chosen
        if is_log is None:
            is_log = self._is_log_preferred or bits > _LOG_BITS
        if is_log:
            return ErrorScale(is_root_log=bits > _ROOT_LOG_BITS)
        return ErrorScale(is_log=False, unit=2.0 ** max(0, floor(bits) - _LARGEST_UNIT_BITS))

    def _error_ticks(self, low: float, high: float, most: int) -> list[Tick]:
        return self._scale.ticks(high, most)

    def _length(self) -> int:
        length = 0 if self._series is None else len(self._series.history)
        return min(length, self._cursor) if self._is_ahead_hidden else length

    def _whole_run(self) -> tuple[float, float]:
        length = _rounded_up(max(self._length(), _SHORTEST_RUN))
        return -MARGIN * length, (1 + MARGIN) * length

    @Slot()
    def _draw_when_visible(self) -> None:
        """Draw what has changed, together with whatever else changes in this moment."""
        self._is_stale = True
        if self.isVisible():
            self._redraw_soon.start(0)

    @Slot()
    def _redraw(self) -> None:
        series = self._series
        if series is None or not self.isVisible():
            return
        self._is_stale = False
        self._redraw_soon.stop()
        low, high = self.visible_range
        self.area.set_x_range(low, high)
        last = min(series.length, self._length())
        start, stop = max(int(np.floor(low)), 0), min(int(np.ceil(high)), last)
        if self._part is not None:
            start, stop = max(start, self._part[0]), min(stop, self._part[1])
        columns = self.area.columns
        errors = series.error_line(start, stop, columns)
        improved = series.improvements(start, stop, _MOST_DISCS)
        general = None
        if self._generalisation is not None:
            general = self._generalisation.line(start, stop, columns)
        config = series.history.config
        self.items.show_early_stop(config, self._scale, is_shown=self._is_early_stop_shown)
        highest = self._highest_place(series, start, stop)
        self.items.draw_errors(self._scale, errors, improved, general, highest)
        self._show_limits(series.history)
        self.items.show_stages(config.n, self._scale, low, high, is_shown=self._are_stages_shown)
        self._draw_others(series, start, stop)
        self.area.scene().prepareForPaint()  # what moves while it is painted would have to be painted again

    @Slot(object)
    def _on_pressed(self, place: float) -> None:
        if self._series is not None:
            self.iteration_chosen.emit(self._snapped(place))

    @Slot(float, float)
    def _on_zoomed(self, factor: float, around: float) -> None:
        low, high = self.visible_range
        self._set_range(around - (around - low) * factor, around + (high - around) * factor)

    @Slot(float)
    def _on_panned(self, distance: float) -> None:
        if self._range is not None:
            low, high = self._range
            self._set_range(low + distance, high + distance)

    def _set_range(self, low: float, high: float) -> None:
        first, last = self._whole_run()
        span = max(high - low, _SHORTEST_SPAN)
        if span >= last - first:
            self.reset_view()
            return
        low = min(max((low + high - span) / 2, first), last - span)
        self._range = low, low + span
        self._draw_when_visible()

    def _snapped(self, place: float) -> int:
        return int(min(max(round(place), 0), self._length()))


def _rounded_up(length: int) -> int:
    """A long run gets up to an eighth more room than it takes, so that it can grow in a view that stays."""
    if length <= _LONGEST_FITTED:
        return length
    step = 1 << (length.bit_length() - 4)
    return -(-length // step) * step
