"""The curves of a run: its error and its size against the iteration, to look at, to zoom into and to travel on."""

from typing import Final

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGraphicsView, QHBoxLayout, QSizePolicy, QWidget

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.app.key_text import key_text
from gpviz.app.plots.curve_items import LEAST_CHANCE, CurveItems, chance_text
from gpviz.app.plots.curve_legend import CurveLegend
from gpviz.app.plots.full_tree_shading import shades_between
from gpviz.app.plots.linked_plots import CurvesArea
from gpviz.app.plots.mouse_readout import Readout, values_text
from gpviz.app.plots.run_plot import MARGIN, SLICE, RunPlot
from gpviz.app.question import Question
from gpviz.app.tasks import Breath
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import small_button
from gpviz.app.widgets.layouts import column_in
from gpviz.experiments.figures.axis_ticks import ErrorScale, Tick, error_text, log_ticks
from gpviz.number_text import power_text, stage_text
from gpviz.runs.curve_series import RunSeries, step_line
from gpviz.runs.growing_error_chance import chances_of
from gpviz.runs.history import History

_BESIDE_POINT: Final = 0.5
"""What a picture of a single iteration shows before and after it."""
_MOST_DOTS: Final = 4000
_ZOOM: Final = 0.5
_FAST: Final = 30
_REST_MS: Final = 300
"""While so many iterations come in so much time nobody can read a chance, and the run has all of the processor."""
_CHANCE_TITLES: Final = ("chance of truly worse", "chance of worse", "P(worse)", "chance")
_CHANCES: Final = (LEAST_CHANCE - 0.6, 0.5)
"""Chances are placed by their logarithms to the base 10, and those that are smaller yet at the bottom."""
_THEORY_TIP: Final = key_text("Show what the paper proves about the run (Shift+L)")


class CurvesView(RunPlot):
    """Error above, leaves and ORs below, of the history on show; the cursor is a line through both."""

    area: CurvesArea
    items: CurveItems

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_buttons = True
        self._chance_question = Question(self, self._on_chances, self._show_problem)
        self._length_asked = 0  # of the history when chances were last asked for
        self.area = CurvesArea(self._error_ticks, _chance_ticks)
        self.area.chance.set_y_range(*_CHANCES)
        self.legend = CurveLegend()
        self.items = CurveItems(self.area)
        self._readout = Readout(self)
        self._build()
        self.area.hovered.connect(self._on_hovered)
        self.area.mouse_left.connect(self._forget_hover)
        self._follow_area()

    def show_history(self, history: History) -> None:
        self._chance_question.cancel()
        self._length_asked = len(history)
        super().show_history(history)
        self._set_titles()

    def set_theory_shown(self, is_shown: bool) -> None:
        self.theory_button.setChecked(is_shown)
        super().set_theory_shown(is_shown)

    def apply_theme(self, theme: Theme) -> None:
        super().apply_theme(theme)
        self._set_titles()

    def show_as_picture(self, first: int, last: int, scale: float = 1.0) -> None:
        """Show these iterations only, at once, without a cursor and buttons, as in print; there is no way back.

        ``scale`` is how many pixels of the picture there are for each of the widget's.
        """
        series = self._series
        if series is None:
            return
        self.items.pen_scale = scale
        self.items.apply_theme(self.theme)
        self.hide_buttons()
        layout = self.layout()
        if layout is not None:
            layout.activate()  # their room is free now, and not only when events come
        self.area.show_playhead(None)
        self.area.setCacheMode(
            QGraphicsView.CacheModeFlag.CacheNone
        )  # kept pixels would be painted in print too
        while not series.take_in(SLICE):
            pass
        if self._generalisation is not None:
            while not self._generalisation.take_in(SLICE):
                pass
        if self._is_early_stop_shown:
            series.chances.work_out_now(first, last)
        margin = MARGIN * (last - first) if last > first else _BESIDE_POINT
        self._part = first, last
        self._range = first - margin, last + margin
        self._catch_up.stop()
        self._adapt_scale()
        self._redraw()

    def showEvent(self, event: QShowEvent) -> None:
        was_stale = self._is_stale
        super().showEvent(event)
        if self._is_early_stop_shown and not was_stale:
            self._draw_when_visible()

    def shut_down(self) -> None:
        """End what is done in the background."""
        self._chance_question.close()

    def _build(self) -> None:
        self.setAccessibleName("Curves")
        self.setAccessibleDescription(
            "Error, leaves, ORs and distinct variables of the run against the iteration"
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._scale_button = small_button("", "", "")
        self._scale_button.clicked.connect(self._on_scale_clicked)
        self._name_scale()
        self.theory_button = small_button("theory", _THEORY_TIP, "Theory")
        self.theory_button.setCheckable(True)
        self.theory_button.toggled.connect(self.set_theory_shown)
        self._out_button = small_button("−", "Show more iterations (wheel down)", "Zoom out")
        self._out_button.clicked.connect(self._on_zoom_out)
        self._in_button = small_button("+", "Show fewer iterations (wheel up)", "Zoom in")
        self._in_button.clicked.connect(self._on_zoom_in)
        self._whole_button = small_button("whole run", "Show the whole run (double-click)", "Whole run")
        self._whole_button.clicked.connect(self.reset_view)
        self._whole_button.hide()
        zooming = self._out_button, self._in_button, self._whole_button
        self._buttons = (self.theory_button, self._scale_button, *zooming)
        head = QHBoxLayout()
        head.setContentsMargins(6, 2, 6, 0)
        head.setSpacing(4)
        head.addWidget(self.legend, 1)
        for button in self._buttons:
            head.addWidget(button, alignment=Qt.AlignmentFlag.AlignTop)
        layout = column_in(self, spacing=0)
        layout.addLayout(head)
        layout.addWidget(self.area, 1)

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

    def _change_scale(self, scale: ErrorScale) -> None:
        super()._change_scale(scale)
        self._name_scale()
        self._set_titles()

    def _mark_stuck(self) -> None:
        super()._mark_stuck()
        if self._series is not None:
            self._show_legend(self._series)

    def _show_limits(self, history: History) -> None:
        self.items.show_limits(history, self._scale, *self.visible_range)

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

    def _highest_place(self, series: RunSeries, start: int, stop: int) -> float:
        return self.items.draw_rejected(self._scale, series.rejections(start, stop, _MOST_DOTS))

    def _draw_others(self, series: RunSeries, start: int, stop: int) -> None:
        columns = self.area.columns
        self.items.show_full(shades_between(series.full, start, stop, columns))
        self._show_stage_counts(series)
        self._draw_chances(series, start, stop, columns)
        leaves, ors, distinct = series.size_lines(start, stop, columns)
        self.items.draw_sizes(leaves, ors, distinct)
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
        self.items.draw_chance(step_line(chances.iterations, logarithms, start, end, columns))

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

    def _show_stage_counts(self, series: RunSeries) -> None:
        """How many iterations began in each stage of what is on show: of the whole run, or of the part of it."""
        first, last = self._part or (0, self._length())
        last = min(last, self._length(), series.length)
        counts = None
        if self._are_stages_shown and series.stages is not None:
            before, after = series.stages.up_to(first), series.stages.up_to(last)
            counts = [late - early for early, late in zip(before, after, strict=True)]
        self.items.show_stage_counts(series.history.config.n, self._scale, counts, last - first)

    def _show_legend(self, series: RunSeries) -> None:
        self.legend.set_entries(self.items.legend(series.history.config))
        if (layout := self.layout()) is not None:
            layout.activate()  # a picture is painted before events come

    @Slot(object)
    def _on_hovered(self, place: float) -> None:
        low, high = self.visible_range
        if self._series is None or not low <= place <= high:
            self._forget_hover()
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
        self.items.show_crosshair(iteration, None if error is None else self._scale.place(float(error)))
        self._readout.show_text(text, self.legend.geometry())

    def _stage_in_words(self, iteration: int) -> str:
        """In which stage an iteration began, where stages are shown."""
        series = self._series
        if not iteration or series is None or series.stages is None or not self.is_theory_shown:
            return ""
        n, error = series.history.config.n, series.history.step_at(iteration).parent_error
        return f" · stage {stage_text(stage_of(error, n), len(stage_bounds(n)))}" if error else ""

    @Slot()
    def _forget_hover(self) -> None:
        self.items.hide_crosshair()
        self._readout.hide()

    @Slot()
    def _on_zoom_in(self) -> None:
        self._on_zoomed(_ZOOM, self._middle())

    @Slot()
    def _on_zoom_out(self) -> None:
        self._on_zoomed(1 / _ZOOM, self._middle())

    def _middle(self) -> float:
        """What the buttons zoom around: the cursor where it is in view."""
        low, high = self.visible_range
        return float(self._cursor) if low <= self._cursor <= high else (low + high) / 2


def _chance_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Powers of ten, from the smallest that is told apart to certainty."""
    return log_ticks(max(low, LEAST_CHANCE), min(high, 0.0), most)
