"""Loads plots a moment after the window is on show, as pyqtgraph takes as long to load as all the rest."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.player.shown_moment import Detail, ShownMoment
from gpviz.app.timers import single_shot
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed

if TYPE_CHECKING:
    from gpviz.app.plots.run_plot import RunPlot

_LEAST: Final = 120


class PlotLoader(Themed, QWidget):
    """Holds the space for a plot until it is loaded, and then tells it what it was told before that."""

    iteration_chosen = Signal(int)
    log_scale_changed = Signal(bool)
    log_scale_adapted = Signal(bool)
    theory_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: RunPlot | None = None
        self._shown: ShownMoment | None = None
        self._untold: dict[str, Callable[[Any], None]] = {}
        """What the plot is still to be told: of each kind the last, in the order in which it came."""
        self._column = column_in(self)
        self._timer = single_shot(self, self.make)

    def _new_view(self) -> "RunPlot":
        raise NotImplementedError

    @property
    def view(self) -> Any:
        """The plot itself, made now if it is not there yet."""
        self.make()
        assert self._view is not None
        return self._view

    @Slot()
    def make(self) -> None:
        """Make the plot, if it is not there yet, and tell it everything."""
        if self._view is not None:
            return
        view = self._new_view()
        for tell in self._untold.values():
            tell(view)
        self._untold.clear()
        view.iteration_chosen.connect(self.iteration_chosen)
        view.log_scale_changed.connect(self.log_scale_changed)
        view.log_scale_adapted.connect(self.log_scale_adapted)
        view.theory_changed.connect(self.theory_changed)
        self._view = view
        self._column.addWidget(view)

    def tell(self, kind: str, tell: Callable[[Any], None]) -> None:
        """Tell the plot something; of what is of one kind only the last counts."""
        if self._view is not None:
            tell(self._view)
        else:
            self._untold.pop(kind, None)
            self._untold[kind] = tell

    def show_moment(self, shown: ShownMoment) -> None:
        """Mark this iteration of a run; where there is little time, only if somebody sees it."""
        is_other_run = self._shown is None or self._shown.history is not shown.history
        self._shown = shown
        if is_other_run:
            self._untold.pop("moment", None)
        if self._view is None:
            self._untold["moment"] = lambda view: view.show_moment(shown)
        elif self.isVisible() or shown.detail is Detail.STEP:
            self._view.show_moment(shown)

    def hold(self) -> None:
        """Leave on the screen what is there, whatever changes."""
        if self._view is not None:
            self._view.hold()

    def take_in(self, shown: ShownMoment) -> None:
        """Work in what is recorded by now, while it is held."""
        if self._view is not None and self.isVisible():
            self._view.take_in(shown)

    def release(self) -> None:
        """Paint what has changed."""
        if self._view is not None:
            self._view.release()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        self.tell("ahead", lambda view: view.set_ahead_hidden(is_hidden))

    def set_log_scale(self, is_log: bool) -> None:
        self.tell("scale", lambda view: view.set_log_scale(is_log))

    def set_theory_shown(self, is_shown: bool) -> None:
        self.tell("theory", lambda view: view.set_theory_shown(is_shown))

    def shut_down(self) -> None:
        """End what the plot does in the background."""
        if self._view is not None:
            self._view.shut_down()

    def reset_view(self) -> None:
        if self._view is not None:
            self._view.reset_view()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._view is None:
            self._timer.start(0)
        elif self._shown is not None:
            self._view.show_moment(self._shown)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()  # a window that was closed needs none
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))


class CurvesLoader(PlotLoader):
    """Loads the page of the curves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(_LEAST)

    def _new_view(self) -> "RunPlot":
        from gpviz.app.plots.curves import CurvesView

        return CurvesView(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._view is None:
            with QPainter(self) as painter:
                painter.setPen(QColor(self.theme.colours.muted))
                painter.setFont(self.theme.font())
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Loading the curves …")
