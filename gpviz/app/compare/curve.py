"""The shared curves of a comparison: the errors of all lanes in one plot, and beside it their leaves if wanted."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gpviz.app.compare.lane_look import LETTERS, lane_look
from gpviz.app.compare.lane_plot import Drawn, LanePlot
from gpviz.app.compare.lane_run import LaneRun
from gpviz.app.compare.legend import LaneLegend
from gpviz.app.plots.readout import Readout
from gpviz.app.theme import Theme
from gpviz.app.widgets.throttle import Throttle
from gpviz.experiments.figures.ticks import ErrorScale, Tick, count_ticks, error_text
from gpviz.run.series import Line, RunSeries, as_levels

__all__ = ["LaneCurves"]

_SLICE: Final = 50_000
"""Iterations of a lane taken in at once: as many as fit into a frame."""
_SHORTEST: Final = 10
_MARGIN: Final = 0.012
_FRAME_MS: Final = 16
_HOVER_MS: Final = 33
_NOTHING: Final = Line(np.empty(0), np.empty(0))


class LaneCurves(QWidget):
    """Error against iteration, logarithmic in error + 1; the cursor is a line that can be dragged."""

    iteration_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scale = ErrorScale()
        self._runs: tuple[LaneRun, ...] = ()
        self._series: list[RunSeries] = []
        self._cursor = 0
        self.legend = LaneLegend(theme)
        self.error_plot = LanePlot("error", self._error_ticks)
        self.leaves_plot = LanePlot("leaves", count_ticks)
        self.leaves_button = QToolButton()
        self._readout = Readout(theme, self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.refresh)
        self._choosing = Throttle(_FRAME_MS, self)
        self._choosing.passed.connect(self._on_chosen)
        self._hovering = Throttle(_HOVER_MS, self)
        self._hovering.passed.connect(self._on_hovered)
        self._build()
        self.set_theme(theme)

    def show_runs(self, runs: Sequence[LaneRun], labels: Sequence[str]) -> None:
        """Show the curves of these lanes."""
        self._series = [self._series_of(run) for run in runs]
        self._runs = tuple(runs)
        self.legend.set_labels(labels)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Take in the iterations that are new."""
        if not self.isVisible():
            return
        self._later.stop()
        is_complete = True
        for series in self._series:
            is_complete &= series.take_in(_SLICE)
        if not is_complete:
            self._later.start(0)
        self._draw()

    def show_cursor(self, iteration: int) -> None:
        """Mark this iteration, and each curve where it is then."""
        self._cursor = iteration
        for plot in self._plots():
            plot.show_cursor(iteration)
        if self.isVisible():
            self.error_plot.mark(self._drawn_errors(with_lines=False))
            if self.leaves_plot.isVisible():
                self.leaves_plot.mark(self._drawn_leaves(with_lines=False))

    @Slot(bool)
    def show_leaves(self, is_shown: bool) -> None:
        """Show the leaves beside the errors, or not."""
        self.leaves_button.setChecked(is_shown)
        self.leaves_plot.setVisible(is_shown)
        self._later.start(0)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.legend.set_theme(theme)
        self._readout.set_theme(theme)
        for plot in self._plots():
            plot.set_theme(theme)
        self._later.start(0)
        self.update()

    def shut_down(self) -> None:
        """Draw nothing any more."""
        self._later.stop()
        self._choosing.cancel()
        self._hovering.cancel()
        self._runs, self._series = (), []

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start(0)

    def _plots(self) -> tuple[LanePlot, LanePlot]:
        return self.error_plot, self.leaves_plot

    def _build(self) -> None:
        self.setAccessibleName("Curves")
        self.setAccessibleDescription("The errors of all runs against the iteration, and their leaves")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.leaves_button.setText("Leaves")
        self.leaves_button.setCheckable(True)
        self.leaves_button.setChecked(True)
        self.leaves_button.setProperty("role", "small")
        self.leaves_button.setToolTip("Show the leaves of all trees beside their errors, or not")
        self.leaves_button.setAccessibleName("Leaves")
        self.leaves_button.toggled.connect(self.show_leaves)
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 0)
        head.addWidget(self.legend, 1)
        head.addWidget(self.leaves_button)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(4)
        body.addWidget(self.error_plot, 3)
        body.addWidget(self.leaves_plot, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(body, 1)
        for plot in self._plots():
            plot.pressed.connect(self._choosing.give)
            plot.hovered.connect(self._hovering.give)
            plot.mouse_left.connect(self._on_mouse_left)
            plot.resized.connect(self._on_resized)

    def _series_of(self, run: LaneRun) -> RunSeries:
        known = [series for series in self._series if series.history is run.history]
        return known[0] if known else RunSeries(run.history)

    def _error_ticks(self, _low: float, high: float, most: int) -> list[Tick]:
        return self._scale.ticks(high, most)

    def _length(self) -> int:
        return _rounded_up(max((series.length for series in self._series), default=0))

    def _draw(self) -> None:
        length = self._length()
        x_range = -_MARGIN * length, (1 + _MARGIN) * length
        self.error_plot.draw(self._drawn_errors(), x_range, 1.0)
        if self.leaves_plot.isVisible():
            self.leaves_plot.draw(self._drawn_leaves(), x_range, 2.0)

    def _drawn_errors(self, *, with_lines: bool = True) -> list[Drawn]:
        drawn = []
        for place, (run, series) in enumerate(zip(self._runs, self._series, strict=True)):
            at = min(self._cursor, len(run.history))
            error = run.history.error_at(at)
            spot = None if error is None else (float(at), float(as_levels(float(error))))
            line = series.error_line(0, series.length, self.error_plot.columns) if with_lines else _NOTHING
            drawn.append(Drawn(lane_look(place, self._theme), line, spot))
        return drawn

    def _drawn_leaves(self, *, with_lines: bool = True) -> list[Drawn]:
        drawn = []
        for place, (run, series) in enumerate(zip(self._runs, self._series, strict=True)):
            at = min(self._cursor, len(run.history))
            tree = run.history.tree_at(at)
            spot = float(at), 0.0 if tree is None else float(tree.leaves)
            line = (
                series.size_lines(0, series.length, self.leaves_plot.columns)[0] if with_lines else _NOTHING
            )
            drawn.append(Drawn(lane_look(place, self._theme), line, spot))
        return drawn

    def _snapped(self, place: float) -> int:
        longest = max((len(run.history) for run in self._runs), default=0)
        return max(0, min(round(place), longest))

    @Slot(object)
    def _on_chosen(self, place: float) -> None:
        self.iteration_chosen.emit(self._snapped(place))

    @Slot(object)
    def _on_hovered(self, place: float) -> None:
        iteration = self._snapped(place)
        words = [f"t = {iteration:,}"]
        for letter, run in zip(LETTERS, self._runs, strict=False):
            at = min(iteration, len(run.history))
            error, tree = run.history.error_at(at), run.history.tree_at(at)
            told = "no error" if error is None else f"error {error_text(error)}"
            words.append(f"{letter}: {told}, {0 if tree is None else tree.leaves:,} leaves")
        self._readout.show_text(" · ".join(words), self.legend.geometry())

    @Slot()
    def _on_mouse_left(self) -> None:
        self._hovering.cancel()
        self._readout.hide()

    @Slot()
    def _on_resized(self) -> None:
        self._later.start(0)


def _rounded_up(length: int) -> int:
    """A little more than there is, so that the axis does not change with every iteration."""
    unit = 10 ** max(len(str(length)) - 2, 0)
    return max(_SHORTEST, -(-length // unit) * unit)
