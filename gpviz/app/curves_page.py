"""The page of all curves of a run."""

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QWidget

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.plots.curves import CurvesView
from gpviz.app.widgets.layouts import column_in
from gpviz.runs.history import History


class CurvesPage(Page):
    """Error and size against the iteration, and what the paper proves of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curves = CurvesView()
        column_in(self, self.curves)
        self._log_scale = QAction(self)
        # The scale adapts itself to a run, as that of the time strip does, which says so to the window.
        self._log_scale.setCheckable(True)
        self._log_scale.setChecked(self.curves.is_log_scale)
        self._log_scale.toggled.connect(self.curves.set_log_scale)
        self.curves.log_scale_changed.connect(self._log_scale.setChecked)

    def connect_to(self, context: PageContext) -> None:
        super().connect_to(context)
        self.curves.iteration_chosen.connect(context.player.go_to)

    def remembered_switches(self) -> Mapping[str, QAbstractButton | QAction]:
        return {"log_scale": self._log_scale, "theory": self.curves.theory_button}

    def show_moment(self, history: History, iteration: int) -> None:
        super().show_moment(history, iteration)
        run = None if self._context is None else self._context.player.run
        if run is None or run.history is not history:
            self.curves.show_moment(ShownMoment(history, iteration))
        else:
            self.curves.show_moment(ShownMoment(history, iteration, run.stuck_since, run.generalisation))

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        self.curves.set_ahead_hidden(is_hidden)

    def show_problem(self, problem: str) -> None:
        """The curves ask nothing that has no answer."""

    def shut_down(self) -> None:
        super().shut_down()
        self.curves.shut_down()
