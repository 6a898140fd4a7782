"""The experiments window: plans an experiment, runs it, and shows its cells, charts and runs while they grow."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QFontMetrics
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.background import Background
from gpviz.app.experiments.commands import Commands
from gpviz.app.experiments.editor import Estimator, PlanEditor
from gpviz.app.experiments.launch import LaunchPanel
from gpviz.app.experiments.plan_files import offered_plans
from gpviz.app.experiments.reading import Kept, Snapshot, kept_experiments, read_snapshot
from gpviz.app.experiments.result_files import KINDS, ResultFiles
from gpviz.app.experiments.results_view import ResultsView
from gpviz.app.experiments.runner import ExecutorFactory, ExperimentRunner, polite_pool
from gpviz.app.experiments.welcome import Welcome
from gpviz.app.panels.fields import sentence
from gpviz.app.panels.tall_area import TallArea
from gpviz.app.settings import Settings
from gpviz.app.theme import Theme
from gpviz.engine.errors import GpvizError
from gpviz.experiments.estimate import estimate
from gpviz.experiments.places import SUFFIX, stores_folder
from gpviz.experiments.plan import Plan
from gpviz.experiments.running import Progress

__all__ = ["ExperimentsWindow"]

_READ_MS: Final = 500
_LOW_SCREEN: Final = 820
"""On screens lower than this the window has all of it."""
_SIDE_LETTERS: Final = 44
_LEAST_LETTERS: Final = 34
_QUICK: Final = "quick"
_MESSAGE_MS: Final = 15_000
_BUSY: Final = "An experiment is running; this is possible when it has ended or is cancelled."


class ExperimentsWindow(QMainWindow):
    """One experiment on show. Closing the window cancels what runs; what is done is kept and can go on later."""

    run_chosen = Signal(object, int)
    """A run is to come on show elsewhere: its `RunConfig` and the iteration."""
    comparison_chosen = Signal(object)
    """Runs are to be compared: pairs of a label and a `RunConfig`."""
    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        make_executor: ExecutorFactory = polite_pool,
        estimator: Estimator = estimate,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._is_closed = False
        self._plans = {plan.name: plan for plan in offered_plans()}
        self._path: Path | None = None
        self._snapshot: Snapshot | None = None
        self._progress: Progress | None = None
        self._is_continuing = False
        self.runner = ExperimentRunner(make_executor, self)
        self.files = ResultFiles(self)
        self._reader = Background("gpviz reader", self)
        self._finder = Background("gpviz finder", self)
        self._read_timer = QTimer(self)
        self._read_timer.setInterval(_READ_MS)
        self.editor = PlanEditor(settings, estimator)
        self.launch = LaunchPanel(self.editor.work)
        self.problem = sentence("problem")
        self.welcome = Welcome(offered_plans())
        self.results = ResultsView(theme)
        self.progress = self.results.progress
        self.commands = Commands(self, self._handlers())
        self._build()
        self._connect()
        self.set_theme(theme)
        self._say("")
        self._show_possible()
        self._look_for_kept()
        self.welcome.quick_button.setFocus()

    # --- what is on show ---

    @property
    def snapshot(self) -> Snapshot | None:
        """The experiment on show as it was last read."""
        return self._snapshot

    @property
    def is_running(self) -> bool:
        """Whether an experiment is being made."""
        return self.runner.is_running

    def open_store(self, path: Path) -> None:
        """Begin to show the results of an experiment."""
        if self._is_free():
            self._say("")
            self._is_continuing = False
            self._read(path)

    def show_plan(self, plan: Plan) -> None:
        """Put a plan into the editor, ready to be started."""
        self.commands["plan_panel"].setChecked(True)
        self.editor.set_plan(plan)

    def set_theme(self, theme: Theme) -> None:
        """Follow the theme's colours and type."""
        for part in (self.editor, self.welcome, self.results):
            part.set_theme(theme)
        self.problem.setFont(theme.font())
        letter = QFontMetrics(theme.font()).averageCharWidth()
        self.side.setMinimumWidth(max(_LEAST_LETTERS * letter, self.side.minimumSizeHint().width()))
        self.columns.setSizes([_SIDE_LETTERS * letter, self.width()])

    def shut_down(self) -> None:
        """End everything that computes, and keep what is done; nothing is shown afterwards."""
        if self._is_closed:
            return
        self._is_closed = True
        self._read_timer.stop()
        self.runner.shut_down()
        for part in (self.editor, self.results, self.files):
            part.shut_down()
        self._reader.close()
        self._finder.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.hide()  # what runs may take a moment to end
        self.shut_down()
        super().closeEvent(event)
        self.closed.emit()

    # --- what can be done ---

    @Slot()
    def start(self) -> None:
        """Run the plan of the editor in a new file."""
        plan = self.editor.plan()
        if plan is None:
            self._say("The plan cannot be started before its red fields are mended.")
        elif self._is_free():
            path = self.launch.path
            self.launch.set_path(None)  # a file can hold one experiment only
            self._begin(plan, partial(self.runner.start, path, plan, self.launch.jobs.value()))

    @Slot()
    def start_quick(self) -> None:
        """Run the plan that takes a few seconds."""
        if self._is_free():
            self.show_plan(self._plans[_QUICK])
            self.start()

    @Slot()
    def continue_experiment(self) -> None:
        """Do the runs of the experiment on show that are missing."""
        snapshot = self._snapshot
        if snapshot is None or not self._continuation() or not self._is_free():
            return
        plan = self.editor.plan()
        is_larger = plan is not None and _is_larger(plan, snapshot.plan)
        wanted = snapshot.plan.replaced(runs=plan.runs) if plan is not None and is_larger else None
        self._begin(
            wanted or snapshot.plan,
            partial(self.runner.resume, snapshot.path, self.launch.jobs.value(), wanted),
        )

    @Slot()
    def cancel(self) -> None:
        """End the experiment that runs; what is done is kept."""
        if self.runner.is_running:
            self.runner.cancel()
            self.progress.show_cancelling()
            self._show_possible()

    @Slot()
    def new(self) -> None:
        """Put the experiment on show away."""
        if self._is_free():
            self._reader.cancel()
            self._path = self._snapshot = None
            self.results.put_away()
            self._is_continuing = False
            self._say("")
            self.stack.setCurrentWidget(self.welcome)
            self.setWindowTitle("Experiments – gpviz")
            self._show_possible()
            self._look_for_kept()

    @Slot()
    def ask_and_open(self) -> None:
        """Let a person choose an experiment to look at."""
        if not self._is_free():
            return
        try:
            folder = str(stores_folder())
        except GpvizError:
            folder = str(Path.home())
        filters = f"Experiments (*{SUFFIX});;All files (*)"
        name, _ = QFileDialog.getOpenFileName(self, "Open an experiment", folder, filters)
        if name:
            self.open_store(Path(name))

    # --- building ---

    def _handlers(self) -> dict[str, Callable[[], None]]:
        saving = {f"save_{kind}": partial(self._ask_and_save, kind) for kind in KINDS}
        going: dict[str, Callable[[], None]] = {
            "go_plan": self._go_to_plan,
            "go_cells": self._go_to_cells,
            "go_charts": self._go_to_charts,
            "go_runs": self._go_to_runs,
        }
        return {
            "start": self.start,
            "continue": self.continue_experiment,
            "cancel": self.cancel,
            "new": self.new,
            "open": self.ask_and_open,
            "close": self._close,
            "load_plan": self.editor.ask_and_load,
            "save_plan": self.editor.ask_and_save,
            **saving,
            **going,
        }

    def _build(self) -> None:
        self.setWindowTitle("Experiments – gpviz")
        self.side = QFrame()
        self.side.setProperty("role", "card")
        left = QVBoxLayout(self.side)
        left.setContentsMargins(12, 10, 8, 10)
        left.setSpacing(8)
        left.addWidget(TallArea(self.editor), 1)
        left.addWidget(self.launch)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.welcome)
        self.stack.addWidget(self.results)
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.problem)
        column.addWidget(self.stack, 1)
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setHandleWidth(8)
        self.columns.addWidget(self.side)
        self.columns.addWidget(main)
        self.columns.setStretchFactor(0, 0)
        self.columns.setStretchFactor(1, 1)
        self.columns.setChildrenCollapsible(False)
        centre = QWidget()
        around = QVBoxLayout(centre)
        around.setContentsMargins(10, 8, 10, 8)
        around.addWidget(self.columns)
        self.setCentralWidget(centre)
        self.statusBar().setSizeGripEnabled(False)
        self._take_room(self.screen().availableGeometry())

    def _take_room(self, room: QRect) -> None:
        """Be as large as is pleasant where the screen has this room for windows."""
        self.resize(min(1500, room.width()), min(940, round(0.92 * room.height())))
        if room.height() < _LOW_SCREEN:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def _connect(self) -> None:
        self.editor.plan_changed.connect(self._show_possible)
        self.editor.problem_met.connect(self._say)
        self.editor.told.connect(self._tell)
        self.launch.start_chosen.connect(self.start)
        self.launch.cancel_chosen.connect(self.cancel)
        self.launch.continue_chosen.connect(self.continue_experiment)
        self.launch.jobs_changed.connect(self.editor.set_jobs)
        self.results.continue_chosen.connect(self.continue_experiment)
        self.welcome.quick_chosen.connect(self.start_quick)
        self.welcome.plan_chosen.connect(self._on_plan_chosen)
        self.welcome.continue_chosen.connect(self._on_kept_chosen)
        self.files.told.connect(self._tell)
        self.files.failed.connect(self._say)
        self.runner.opened.connect(self._on_store_opened)
        self.runner.progressed.connect(self._on_progressed)
        self.runner.ended.connect(self._on_ended)
        self.runner.failed.connect(self._on_run_failed)
        self._reader.finished.connect(self._on_read)
        self._reader.failed.connect(self._on_read_failed)
        self._finder.finished.connect(self._on_kept_found)
        self._finder.failed.connect(self._on_read_failed)
        self._read_timer.timeout.connect(self._read_again)
        self.results.run_chosen.connect(self.run_chosen)
        self.results.comparison_chosen.connect(self.comparison_chosen)
        self.commands["plan_panel"].toggled.connect(self.side.setVisible)
        self.editor.set_jobs(self.launch.jobs.value())

    # --- running ---

    def _is_free(self) -> bool:
        """Whether another experiment can come on show; if not, that is told."""
        if self.runner.is_running:
            self._say(_BUSY)
        return not self.runner.is_running

    def _begin(self, plan: Plan, begin: Callable[[], None]) -> None:
        self._say("")
        self._reader.cancel()
        self._progress = None
        begin()
        self.editor.hold_estimates(True)
        self.progress.show_plan(plan)
        self.progress.show_waiting()
        self._show_possible()

    @Slot(object)
    def _on_store_opened(self, path: Path) -> None:
        self._path = path
        self._read(path)
        self._read_timer.start()

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        self._progress = progress
        if not self.runner.is_cancelling:
            self.progress.show_progress(progress)

    @Slot(bool)
    def _on_ended(self, is_finished: bool) -> None:
        self._end_run()
        if is_finished:
            self._tell("The experiment is finished.")
        else:
            self._tell("The experiment was cancelled; what is done is kept, and can go on with Continue.")

    @Slot(str)
    def _on_run_failed(self, problem: str) -> None:
        self._end_run()
        self._say(problem)

    def _end_run(self) -> None:
        self._read_timer.stop()
        self.editor.hold_estimates(False)
        self._progress = None
        self._show_possible()
        if self._path is not None:
            self._read(self._path)
        self._look_for_kept()

    # --- reading ---

    def _read(self, path: Path) -> None:
        self._reader.ask(lambda _: read_snapshot(path))

    @Slot()
    def _read_again(self) -> None:
        if self._path is not None and not self._reader.is_busy:
            self._read(self._path)

    @Slot(object)
    def _on_read(self, snapshot: Snapshot) -> None:
        plan = snapshot.plan
        is_new = self._snapshot is None or (self._snapshot.path, self._snapshot.plan) != (snapshot.path, plan)
        self._path, self._snapshot = snapshot.path, snapshot
        self.results.show_experiment(snapshot, self._progress)
        if is_new:
            self._keep_focus()
            self.stack.setCurrentWidget(self.results)
            self.setWindowTitle(f"{plan.title or plan.name} – Experiments – gpviz")
            if not self.runner.is_running:
                self.editor.set_plan(plan)
        self._show_possible()
        if self._is_continuing:
            self._is_continuing = False
            self.continue_experiment()

    def _keep_focus(self) -> None:
        """The first page goes: the keys are not to mean a cell by accident, which would then be chosen."""
        focus = self.focusWidget()
        if self.welcome.isAncestorOf(focus):
            self.launch.take_focus()

    @Slot(object)
    def _on_read_failed(self, problem: Exception) -> None:
        self._is_continuing = False
        if not isinstance(problem, GpvizError):
            raise problem
        self._say(str(problem))

    # --- what is kept ---

    def _look_for_kept(self) -> None:
        self._finder.ask(kept_experiments)

    @Slot(object)
    def _on_kept_found(self, kept: list[Kept]) -> None:
        self.commands.show_recent(kept, self.open_store)
        self.welcome.offer_to_continue(next((each for each in kept if not each.is_whole), None))

    @Slot(object)
    def _on_kept_chosen(self, path: Path) -> None:
        if self._is_free():
            self.open_store(path)
            self._is_continuing = True

    @Slot(str)
    def _on_plan_chosen(self, name: str) -> None:
        self.show_plan(self._plans[name])
        self.launch.start_button.setFocus()

    # --- what is possible ---

    def _continuation(self) -> str:
        """What Continue would do, in a sentence; empty if nothing."""
        snapshot, plan = self._snapshot, self.editor.plan()
        if snapshot is None or self.runner.is_running:
            return ""
        if plan is not None and _is_larger(plan, snapshot.plan):
            return f"Go on with the experiment on show until each cell has {plan.runs:,} runs."
        return "" if snapshot.is_whole else "Do the runs of the experiment on show that are missing."

    @Slot()
    def _show_possible(self) -> None:
        is_running, continuation = self.runner.is_running, self._continuation()
        can_start = self.editor.plan() is not None
        can_cancel = is_running and not self.runner.is_cancelling
        self.launch.show_possible(
            can_start=can_start, is_running=is_running, can_cancel=can_cancel, continuation=continuation
        )
        possible = {
            "start": can_start and not is_running,
            "continue": bool(continuation),
            "cancel": can_cancel,
            "new": not is_running,
            "open": not is_running,
            "save_plan": can_start,
        }
        for name, is_possible in possible.items():
            self.commands[name].setEnabled(is_possible)
        for kind in KINDS:
            self.commands[f"save_{kind}"].setEnabled(self._snapshot is not None)
        snapshot, plan = self._snapshot, self.editor.plan()
        if snapshot is not None and not is_running:
            is_larger = plan is not None and _is_larger(plan, snapshot.plan)
            self.progress.show_state(
                snapshot.done,
                snapshot.plan.total_runs,
                snapshot.seconds,
                can_continue=bool(continuation),
                more=f"Continue to {plan.runs:,} runs a cell" if plan is not None and is_larger else "",
            )

    @Slot(str)
    def _say(self, problem: str) -> None:
        """Tell what went wrong, until something else is done."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    @Slot(str)
    def _tell(self, text: str) -> None:
        self.statusBar().showMessage(text, _MESSAGE_MS)

    # --- menus ---

    def _ask_and_save(self, kind: str) -> None:
        if self._path is not None:
            self._say("")
            self.files.ask_and_save(self._path, kind, self)

    def _close(self) -> None:
        self.close()

    def _go_to_plan(self) -> None:
        self.commands["plan_panel"].setChecked(True)
        self.editor.focus_first()

    def _go_to_cells(self) -> None:
        self.results.go_to(self.results.cells)

    def _go_to_charts(self) -> None:
        self.results.go_to(self.results.charts)

    def _go_to_runs(self) -> None:
        self.results.go_to(self.results.runs)


def _is_larger(plan: Plan, shown: Plan) -> bool:
    """Whether a plan is that of the experiment on show with more runs."""
    return plan.runs > shown.runs and plan.is_same_experiment(shown)
