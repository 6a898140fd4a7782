"""The curves of a run: its error and its size against the iteration, to look at, to zoom into and to travel on."""

from math import floor
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QGraphicsView, QHBoxLayout, QSizePolicy, QWidget

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.app.key_text import key_text
from gpviz.app.player.shown_moment import Detail, ShownMoment
from gpviz.app.plots.curve_items import LEAST_CHANCE, CurveItems, Dots, chance_text
from gpviz.app.plots.curve_legend import CurveLegend
from gpviz.app.plots.full_tree_shading import shades_between
from gpviz.app.plots.linked_plots import PlotArea
from gpviz.app.plots.mouse_readout import Readout, values_text
from gpviz.app.question import Question
from gpviz.app.tasks import Breath
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import small_button
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.experiments.figures.axis_ticks import ErrorScale, Tick, error_text, log_ticks
from gpviz.number_text import power_text, stage_text
from gpviz.runs.curve_series import Line, RunSeries, StepSeries, step_line
from gpviz.runs.growing_error_chance import chances_of
from gpviz.runs.history import History

_SLICE: Final = 100_000
"""Iterations taken in at once: as many as fit into a frame."""
_LONGEST_FITTED: Final = 2_000
_SHORTEST_RUN: Final = 10
_SHORTEST_SPAN: Final = 8.0
_MARGIN: Final = 0.012
_BESIDE_POINT: Final = 0.5
"""What a picture of a single iteration shows before and after it."""
_POINT: Final = 7.0
_MOST_DOTS: Final = 4000
_MOST_DISCS: Final = 200
_ZOOM: Final = 0.5
_LARGEST_UNIT_BITS: Final = 40
_LOG_BITS: Final = 20
"""Where the largest error has more bits, all but the first improvements would share a pixel of a linear scale."""
_ROOT_LOG_BITS: Final = 40
"""Where it has more of them, the last improvements would share a pixel of a logarithmic scale."""
_TWO_ROWS_LINES: Final = 16
"""In lines of type: from this height on the legend may have a second row without crowding the plots."""
_FAST: Final = 30
_REST_MS: Final = 300
"""While so many iterations come in so much time nobody can read a chance, and the run has all of the processor."""
_CHANCE_TITLES: Final = ("chance of truly worse", "chance of worse", "P(worse)", "chance")
_CHANCES: Final = (LEAST_CHANCE - 0.6, 0.5)
"""Chances are placed by their logarithms to the base 10, and those that are smaller yet at the bottom."""
_THEORY_TIP: Final = key_text("Show what the paper proves about the run (Shift+L)")


class CurvesView(Themed, QWidget):
    """Error above, leaves and ORs below, of the history on show; the cursor is a line through both.

    A strip has the error only, and neither a legend nor buttons: it is to be seen whatever page is open.
    """

    iteration_chosen = Signal(int)
    log_scale_changed = Signal(bool)
    """A person has chosen whether the scale of the error is logarithmic."""
    log_scale_adapted = Signal(bool)
    """It is, or is no longer, because the range of the errors asks for it."""
    theory_changed = Signal(bool)
    """A person has chosen whether to see what the paper proves."""

    def __init__(self, parent: QWidget | None = None, *, is_strip: bool = False) -> None:
        super().__init__(parent)
        self._is_strip = is_strip
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
        self._has_buttons = True
        self._generalisation: StepSeries | None = None
        self._is_stale = True
        self._points: list[Dots] = []
        self._chance_question = Question(self, self._on_chances, self._show_problem)
        self._length_asked = 0  # of the history when chances were last asked for

        self.area = PlotArea(self._error_ticks, _chance_ticks, has_sizes=not is_strip)
        self.area.chance.set_y_range(*_CHANCES)
        self.legend = CurveLegend()
        self.legend_below = CurveLegend()
        """What finds no room beside the buttons, where there is height for it."""
        self._items = CurveItems(self.area, has_counts=not is_strip)
        self._readout = Readout(self)
        self._build()

        self._catch_up = single_shot(self, self.refresh)
        self._redraw_soon = single_shot(self, self._redraw)
        self.area.pressed.connect(self._on_pressed)
        self.area.hovered.connect(self._on_hovered)
        self.area.mouse_left.connect(self._on_mouse_left)
        self.area.zoomed.connect(self._on_zoomed)
        self.area.panned.connect(self._on_panned)
        self.area.reset_asked.connect(self.reset_view)
        self.area.resized.connect(self._on_resized)
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

    def show_moment(self, shown: ShownMoment) -> None:
        """Mark this iteration of a run, with all that is recorded of it; in a fast run that waits."""
        history, known = shown.history, shown.generalisation
        if self._series is None or self._series.history is not history:
            self.show_history(history)
        elif shown.detail is Detail.TREE:
            self.show_cursor(shown.iteration)
            return
        assert self._series is not None
        if history.config.is_sampled and known is not None:
            self.show_generalisation(known.iterations, known.shares)
        if self._series.length < len(history) or history.config.is_sampled:
            self.refresh()
        self.show_stuck_since(shown.stuck_since)
        self.show_cursor(shown.iteration)

    def hold(self) -> None:
        """Leave on the screen what is there, whatever changes."""
        self.area.hold_picture()

    def take_in(self, shown: ShownMoment) -> None:
        """Work in what is recorded by now, while it is held."""
        if shown.generalisation is not None and shown.history.config.is_sampled:
            self.show_generalisation(shown.generalisation.iterations, shown.generalisation.shares)
        self.refresh()
        self._catch_up.stop()  # what is left comes the next time
        self.show_stuck_since(shown.stuck_since)

    def release(self) -> None:
        """Paint what has changed."""
        self.area.release_picture()

    def show_history(self, history: History) -> None:
        """Show another run, as a whole and from its start."""
        self._series = RunSeries(history)
        self._chance_question.cancel()
        self._length_asked = len(history)
        self._generalisation = None
        self._range = self._part = None
        self._cursor = 0
        self._stuck_since = None
        self._is_log_chosen = None
        self.area.forget_mouse()
        self._on_mouse_left()
        if not self.isVisible():  # else that comes with its first iterations
            self._adapt_scale()
        self._items.show_limits(history, self._scale, *self.visible_range)
        self._items.show_stuck_since(None)
        self.area.show_playhead(0)
        self._set_titles()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take in the iterations that are new."""
        if self._series is None or not self.isVisible():
            self._is_stale = True
            return
        self._catch_up.stop()
        is_complete = self._series.take_in(_SLICE)
        if self._generalisation is not None:
            is_complete &= self._generalisation.take_in(_SLICE)
        if not is_complete:
            self._catch_up.start(0)
        self._adapt_scale()
        self._redraw()

    @property
    def iteration(self) -> int:
        """The iteration that is marked."""
        return self._cursor

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration."""
        has_moved = iteration != self._cursor
        self._cursor = iteration
        self.area.show_playhead(iteration)
        if has_moved and self._is_ahead_hidden:
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
            self._on_mouse_left()
            self._mark_stuck()
            self._draw_when_visible()

    def _mark_stuck(self) -> None:
        self.area.forget_picture()
        is_ahead = self._stuck_since is not None and self._stuck_since > self._cursor
        self._items.show_stuck_since(None if is_ahead and self._is_ahead_hidden else self._stuck_since)
        if self._series is not None:
            self._show_legend(self._series)

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
            self._theory_button.setChecked(is_shown)
            self._draw_when_visible()
            self.theory_changed.emit(is_shown)

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
        self._name_scale()
        self._set_titles()
        if self._series is not None:
            self._items.show_limits(self._series.history, scale, *self.visible_range)
        self._on_mouse_left()
        self._draw_when_visible()

    @Slot()
    def reset_view(self) -> None:
        """Show the whole run, also while it grows."""
        self._range = None
        self._draw_when_visible()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.area.forget_picture()
        self._items.apply_theme(theme)
        self._set_titles()
        self._draw_when_visible()

    def show_as_picture(self, first: int, last: int, scale: float = 1.0) -> None:
        """Show these iterations only, at once, without a cursor and buttons, as in print; there is no way back.

        ``scale`` is how many pixels of the picture there are for each of the widget's.
        """
        series = self._series
        if series is None:
            return
        self._items.pen_scale = scale
        self._items.apply_theme(self.theme)
        self.hide_buttons()
        layout = self.layout()
        if layout is not None:
            layout.activate()  # their room is free now, and not only when events come
        self.area.show_playhead(None)
        self.area.setCacheMode(
            QGraphicsView.CacheModeFlag.CacheNone
        )  # kept pixels would be painted in print too
        while not series.take_in(_SLICE):
            pass
        if self._generalisation is not None:
            while not self._generalisation.take_in(_SLICE):
                pass
        if self._is_early_stop_shown:
            series.chances.work_out_now(first, last)
        margin = _MARGIN * (last - first) if last > first else _BESIDE_POINT
        self._part = first, last
        self._range = first - margin, last + margin
        if first == last and not self._points:
            self._points = self._new_points()
        self._catch_up.stop()
        self._adapt_scale()
        self._redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()
        elif self._is_early_stop_shown:
            self._draw_when_visible()

    def shut_down(self) -> None:
        """End what is done in the background."""
        self._chance_question.close()

    @property
    def _is_early_stop_shown(self) -> bool:
        return self.is_theory_shown and self._series is not None and self._series.history.config.is_sampled

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))

    def _build(self) -> None:
        self.setAccessibleName("Curves")
        self.setAccessibleDescription(
            "Error, leaves, ORs and distinct variables of the run against the iteration"
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._scale_button = small_button("", "", "")
        self._scale_button.clicked.connect(self._on_scale_clicked)
        self._name_scale()
        self._theory_button = small_button("theory", _THEORY_TIP, "Theory")
        self._theory_button.setCheckable(True)
        self._theory_button.toggled.connect(self.set_theory_shown)
        self._out_button = small_button("−", "Show more iterations (wheel down)", "Zoom out")
        self._out_button.clicked.connect(self._on_zoom_out)
        self._in_button = small_button("+", "Show fewer iterations (wheel up)", "Zoom in")
        self._in_button.clicked.connect(self._on_zoom_in)
        self._whole_button = small_button("whole run", "Show the whole run (double-click)", "Whole run")
        self._whole_button.clicked.connect(self.reset_view)
        self._whole_button.hide()
        zooming = self._out_button, self._in_button, self._whole_button
        self._buttons = (self._theory_button, self._scale_button, *zooming)
        head = QHBoxLayout()
        head.setContentsMargins(6, 2, 6, 0)
        head.setSpacing(4)
        head.addWidget(self.legend, 1)
        for button in self._buttons:
            head.addWidget(button)
        layout = column_in(self, spacing=0)
        below = QHBoxLayout()
        below.setContentsMargins(6, 0, 6, 0)
        below.addWidget(self.legend_below)
        self.legend_below.setAccessibleName("Legend of the curves, continued")
        self.legend_below.hide()
        layout.addLayout(head)
        layout.addLayout(below)
        layout.addWidget(self.area, 1)
        if self._is_strip:
            self.setAccessibleName("Error curve")
            self.setAccessibleDescription("The error of the run against the iteration")
            head.setContentsMargins(0, 0, 0, 0)
            self.legend.hide()
            self.hide_buttons()

    def hide_buttons(self) -> None:
        """Have none, where nobody can press them; there is no way back."""
        self._has_buttons = False
        for button in self._buttons:
            button.hide()

    def _name_scale(self) -> None:
        """Let the button say which scale there is, and its tooltip which one it brings."""
        scale = self._scale
        other = "a linear" if scale.is_log else "a logarithmic"
        words = "the square root of the logarithm" if scale.name == "√log" else scale.name
        self._scale_button.setText(scale.name)
        self._scale_button.setToolTip(f"The error scale is {words}; click for {other} one")
        self._scale_button.setAccessibleName(f"Scale of the error: {words}")

    @Slot()
    def _on_scale_clicked(self) -> None:
        self.set_log_scale(not self._scale.is_log)

    def _length(self) -> int:
        length = 0 if self._series is None else len(self._series.history)
        return min(length, self._cursor) if self._is_ahead_hidden else length

    def _whole_run(self) -> tuple[float, float]:
        length = _rounded_up(max(self._length(), _SHORTEST_RUN))
        return -_MARGIN * length, (1 + _MARGIN) * length

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

    def _set_titles(self) -> None:
        titles = ["error"]
        if self._series is not None:
            config = self._series.history.config
            if config.is_sampled:
                rows = error_text(config.rows or 0)
                titles = [f"wrong rows of {rows} sampled", f"wrong of {rows}", "wrong rows", "error"]
            else:
                rows = power_text(2, config.n)
                titles = [f"error (wrong rows of {rows})", f"error (of {rows})", "error"]
        if self._scale.name == "√log":  # which one cannot see from its powers of ten
            titles = [f"{title}, √log" for title in titles]
        self.area.set_titles(
            titles, ["leaves, ∨, variables", "leaves, ∨", "leaves"], "iteration t", _CHANCE_TITLES
        )

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
        self.area.forget_picture()
        low, high = self.visible_range
        self.area.set_x_range(low, high)
        last = min(series.length, self._length())
        start, stop = max(int(np.floor(low)), 0), min(int(np.ceil(high)), last)
        if self._part is not None:
            start, stop = max(start, self._part[0]), min(stop, self._part[1])
        columns = self.area.columns
        errors = series.error_line(start, stop, columns)
        worse = series.rejections(start, stop, _MOST_DOTS)
        improved = series.improvements(start, stop, _MOST_DISCS)
        general = None
        if self._generalisation is not None:
            general = self._generalisation.line(start, stop, columns)
        self._items.show_early_stop(series.history.config, self._scale, is_shown=self._is_early_stop_shown)
        self._items.draw_errors(self._scale, errors, worse, improved, general)
        self._items.show_limits(series.history, self._scale, low, high)
        self._items.show_full(shades_between(series.full, start, stop, columns))
        self._show_stages(series, low, high, last)
        if self._is_strip:
            self.area.fit_titles()
            return
        self._draw_chances(series, start, stop, columns)
        leaves, ors, distinct = series.size_lines(start, stop, columns)
        self._items.draw_sizes(leaves, ors, distinct)
        if self._points:
            levels = errors._replace(y=self._scale.places(errors.y))
            if general is not None:
                general = general._replace(y=self._scale.places(general.y))
            # An improvement is a disc already, and one on the other would hide what it means.
            self._draw_points(general, None if len(improved.x) else levels, leaves, distinct, ors)
        self._show_legend(series)
        # Where it would change nothing its room is the legend's.
        self._whole_button.setVisible(self._has_buttons and self._range is not None)
        self.area.fit_titles()

    def _draw_chances(self, series: RunSeries, start: int, stop: int, columns: int) -> None:
        """What is known of them, and have the rest found out."""
        self.area.show_chance(self._is_early_stop_shown)
        if not self._is_early_stop_shown:
            self._chance_question.cancel()
            return
        chances = series.chances
        if self._part is None and not self._chance_question.is_busy:
            self._ask_chances(series, start, stop)
        with np.errstate(divide="ignore"):
            logarithms = np.log10(chances.chances)
        end = int(min(stop, chances.known_until))
        self._items.draw_chance(step_line(chances.iterations, logarithms, start, end, columns))

    def _ask_chances(self, series: RunSeries, start: int, stop: int) -> None:
        length = len(series.history)
        grown, self._length_asked = length - self._length_asked, length
        is_fast = grown > _FAST
        trees = [] if is_fast else series.chances.unknown(start, stop)
        if trees or is_fast:
            self._chance_question.ask(
                series,
                length,
                lambda should_stop: chances_of(trees, Breath(should_stop) if grown else should_stop),
                calm_ms=_REST_MS if is_fast else 0,
            )

    def _on_chances(self, found: list[tuple[int, float]]) -> None:
        if self._series is not None:
            self._series.chances.take(found)
            self._draw_when_visible()

    def _show_problem(self, problem: str) -> None:
        self._readout.show_text(problem, self.legend.geometry())

    def _show_stages(self, series: RunSeries, low: float, high: float, last: int) -> None:
        """How many iterations began in each stage of what is on show: of the whole run, or of the part of it."""
        first, last = (0, last) if self._part is None else (self._part[0], min(last, self._part[1]))
        counts = None
        if self.is_theory_shown and series.stages is not None:
            before, after = series.stages.up_to(first), series.stages.up_to(last)
            counts = [late - early for early, late in zip(before, after, strict=True)]
        self._items.show_stages(series.history.config.n, self._scale, low, high, counts, last - first)

    def _new_points(self) -> list[Dots]:
        """What is drawn of a single iteration: of both errors, and of leaves, variables and ORs."""
        colours, top, low = self.theme.colours, self.area.top, self.area.low
        made = []
        for plot, colour in (
            (top, colours.edge),
            (top, colours.curve),
            (low, colours.leaf_border),
            (low, colours.redundant_border),
            (low, colours.or_border),
        ):
            points = Dots(is_round=True)
            points.set_look(_POINT * self.theme.line_scale, QColor(colour), QColor(colours.panel))
            plot.add(points)
            made.append(points)
        return made

    def _draw_points(self, *lines: Line | None) -> None:
        """A point on each line, as one that is a single iteration long cannot be seen."""
        for points, line in zip(self._points, lines, strict=True):
            if line is not None:
                points.set_points(line.x[:1], line.y[:1])

    def _show_legend(self, series: RunSeries) -> None:
        self.legend.set_entries(self._items.legend(series.history.config))
        line = QFontMetricsF(self.theme.font(0.9)).height()
        is_continued = self.legend.is_cut and self.height() >= _TWO_ROWS_LINES * line
        self.legend.set_continued(is_continued)
        self.legend_below.set_entries(self.legend.rest())
        if is_continued == self.legend_below.isHidden():
            self.legend_below.setVisible(is_continued)
            if (layout := self.layout()) is not None:
                layout.activate()  # a picture is painted before events come

    @Slot(object)
    def _on_pressed(self, place: float) -> None:
        if self._series is not None:
            self.iteration_chosen.emit(self._snapped(place))

    @Slot(object)
    def _on_hovered(self, place: float) -> None:
        low, high = self.visible_range
        if self._series is None or not low <= place <= high:
            self._on_mouse_left()
            return
        iteration = self._snapped(place)
        history = self._series.history
        text = values_text(history, iteration)
        share = None if self._generalisation is None else self._generalisation.share_at(iteration)
        if share is not None:
            text += f" · generalisation error {share:.3g}"
        before, after = self._series.full.before([iteration - 1, iteration])
        if after > before:
            text += " · parent full"
        text += self._stage_in_words(iteration)
        chance = self._series.chances.chance_at(iteration) if self._is_early_stop_shown else None
        if chance is not None:
            text += f" · chance of accepting a truly worse tree {chance_text(chance)}"
        error = history.error_at(iteration)
        self.area.forget_picture()
        self._items.show_crosshair(iteration, None if error is None else self._scale.place(float(error)))
        self._readout.show_text(text, self.legend.geometry())

    def _stage_in_words(self, iteration: int) -> str:
        """In which stage an iteration began, where stages are shown."""
        series = self._series
        if not iteration or series is None or series.stages is None or not self.is_theory_shown:
            return ""
        n, error = series.history.config.n, series.history.step_at(iteration).parent_error
        return f" · stage {stage_text(stage_of(error, n), len(stage_bounds(n)))}" if error else ""

    @Slot()
    def _on_mouse_left(self) -> None:
        self.area.forget_picture()
        self._items.hide_crosshair()
        self._readout.hide()

    @Slot(float, float)
    def _on_zoomed(self, factor: float, around: float) -> None:
        low, high = self.visible_range
        self._set_range(around - (around - low) * factor, around + (high - around) * factor)

    @Slot(float)
    def _on_panned(self, distance: float) -> None:
        if self._range is not None:
            low, high = self._range
            self._set_range(low + distance, high + distance)

    @Slot()
    def _on_zoom_in(self) -> None:
        self._on_zoomed(_ZOOM, self._middle())

    @Slot()
    def _on_zoom_out(self) -> None:
        self._on_zoomed(1 / _ZOOM, self._middle())

    @Slot()
    def _on_resized(self) -> None:
        self._draw_when_visible()

    def _middle(self) -> float:
        """What the buttons zoom around: the cursor where it is in view."""
        low, high = self.visible_range
        return float(self._cursor) if low <= self._cursor <= high else (low + high) / 2

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


def _chance_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Powers of ten, from the smallest that is told apart to certainty."""
    return log_ticks(max(low, LEAST_CHANCE), min(high, 0.0), most)


def _rounded_up(length: int) -> int:
    """A long run gets up to an eighth more room than it takes, so that it can grow in a view that stays."""
    if length <= _LONGEST_FITTED:
        return length
    step = 1 << (length.bit_length() - 4)
    return -(-length // step) * step
