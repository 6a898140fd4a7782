"""Experiments: opens their window, and puts the runs that are chosen there on show."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.compare_controller import CompareController, bring_up
from gpviz.app.theme import Theme
from gpviz.engine import GpvizError, RunConfig
from gpviz.run.comparisons import Comparison, LaneSpec

if TYPE_CHECKING:
    from gpviz.app.experiments.window import ExperimentsWindow
    from gpviz.app.main_window import MainWindow
    from gpviz.experiments.plan import Plan

__all__ = ["ExperimentsController"]

_TITLE: Final = "A run of an experiment"


class ExperimentsController(QObject):
    """Makes the experiments window when it is wanted, and forgets it when it is closed."""

    made = Signal(object)
    """The window is there, and not shown yet."""

    told = Signal(str)
    problem_met = Signal(str)

    def __init__(self, window: "MainWindow", comparing: CompareController) -> None:
        super().__init__(window)
        self._window = window
        self._comparing = comparing
        self.experiments: ExperimentsWindow | None = None

    def show(self) -> None:
        """Open the window of experiments."""
        bring_up(self._made())

    def show_plan(self, plan: "Plan") -> None:
        """Open the window of experiments with a plan, ready to be started."""
        self._made().show_plan(plan)
        self.show()

    @Slot(object)
    def open_store(self, path: Path) -> None:
        """Open the window of experiments with the results in a file."""
        self._made().open_store(path)
        self.show()

    @property
    def is_running(self) -> bool:
        """Whether an experiment is being made."""
        return self.experiments is not None and self.experiments.is_running

    def set_theme(self, theme: Theme) -> None:
        if self.experiments is not None:
            self.experiments.set_theme(theme)

    def shut_down(self) -> None:
        """End every thread and process; what is done is kept."""
        if self.experiments is not None:
            self.experiments.shut_down()

    def _made(self) -> "ExperimentsWindow":
        if self.experiments is None:
            from gpviz.app.experiments.window import ExperimentsWindow

            self.experiments = ExperimentsWindow(self._window.theme_manager.theme, self._window)
            self.experiments.run_chosen.connect(self._on_run_chosen)
            self.experiments.comparison_chosen.connect(self._on_comparison_chosen)
            self.experiments.told.connect(self.told)
            self.experiments.closed.connect(self._on_closed)
            self.made.emit(self.experiments)
        return self.experiments

    @Slot()
    def _on_closed(self) -> None:
        if self.experiments is not None:
            self.experiments.deleteLater()
            self.experiments = None

    @Slot(object, int)
    def _on_run_chosen(self, config: RunConfig, iteration: int) -> None:
        title, words = "", ""
        if self.experiments is not None:
            title, words = self.experiments.results.runs.words_of(config)
        self._comparing.open_run(config, "", iteration, title or _TITLE, words)

    @Slot(object)
    def _on_comparison_chosen(self, runs: tuple[tuple[str, RunConfig], ...]) -> None:
        try:
            comparison = Comparison(
                name="experiment",
                title="Runs of an experiment",
                explanation="The runs that were chosen in the table of the experiment, step by step.",
                lanes=tuple(LaneSpec(label=label, config=config) for label, config in runs),
            )
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return
        self._comparing.show_comparison(comparison)
