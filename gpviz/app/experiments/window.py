"""The experiments window: plans an experiment, runs it, and shows its cells, charts and runs while they grow."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gpviz.app.actions import EXPERIMENTS, Actions
from gpviz.app.announcements import Announcer
from gpviz.app.dialogs.file_dialogs import ask_to_save
from gpviz.app.experiments.experiment_files import (
    FIRST_S,
    KINDS,
    LATER_S,
    ShownExperiment,
    ask_store,
    read_experiment,
    write_results,
)
from gpviz.app.experiments.experiment_runner import (
    ExecutorFactory,
    ExperimentRunner,
    low_priority_pool,
    new_store,
)
from gpviz.app.experiments.plan_editor import LaunchPanel, PlanEditor
from gpviz.app.experiments.results_view import ResultsView
from gpviz.app.menus import add_menus
from gpviz.app.preferences import Preferences
from gpviz.app.question import Question, close_questions
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import heading, push_button, sentence, show_sentence
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in, row_in, row_of, take_pleasant_size
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text, line_text, menu_text, title_text, tooltip_text
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.figures.chart_values import ValueReader
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Progress
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import KeptExperiment, kept_experiments, resume_store
from gpviz.files.file_io import shown_path

_MENUS: Final = {
    "&Experiment": (
        ("start", "continue", "cancel"),
        ("new", "open", "RECENT"),
        ("save_csv", "save_json", "save_latex", "save_runs", "save_ioh"),
        ("close",),
    ),
    "&Plan": (("load_plan", "save_plan"),),
    "&View": (
        ("plan_panel", "full_screen"),
        ("go_plan", "go_cells", "go_charts", "go_runs"),
        ("compare",),
    ),
    "&Help": (("guide",),),
}
_QUICK: Final = "quick"
_COMPARE_KEYS: Final = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_K)
_MESSAGE_MS: Final = 15_000
_READING: Final = "Reading the experiment"
_READ_MS: Final = 500
_PATIENCE: Final = 4
"""Reading takes at most 1 / _PATIENCE of the time: with very many cells it would hold up the window."""
_BUSY: Final = "An experiment is running; wait until it has ended, or cancel it."
_NARROW_LETTERS: Final = 160
"""In windows narrower than so many letters the plan does not fit beside a table."""
_GEOMETRY: Final = "experiments/place"
_COLUMNS: Final = "experiments/columns"
_PLAN: Final = "experiments/plan"
_BY_HAND: Final = "experiments/plan_by_hand"
_SIDE_LETTERS: Final = 44
"""The width of the plan, in letters, until somebody changes it."""
_WELCOME: Final = (
    "One run shows what can happen; many runs show what usually happens. A plan varies some settings and "
    "says how many runs each combination gets. gpviz does the runs on all cores and keeps every one. "
    "Tables and charts grow meanwhile, with the paper's values beside them. Double-click any run to watch "
    "it step by step. Closing the window stops an experiment and keeps the finished runs; Continue does "
    "the rest."
)
_CUT_SHORT: Final = (
    "Closing the window stopped the experiment. The finished runs are kept; Continue on the first page of "
    "Experiments does the rest."
)
_CUT_AT_ONCE: Final = "Closing the window stopped the experiment before its first run was done."


class WelcomePage(Themed, QWidget):
    """A page with one obvious button, and the plans that come with gpviz."""

    def __init__(self, plans: Sequence[Plan], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel("Experiments")
        self.title.setProperty("role", "title")
        self.text = sentence("plain", text=_WELCOME)
        name, tip = "Run the quick plan", "Eight cells with 100 runs each, in a few seconds."
        self.quick_button = push_button(name, tip, name, "primary")
        self.left_card = QFrame()
        self.left_text = sentence("plain")
        name = "Continue the unfinished experiment"
        self.continue_button = push_button("Continue", "Do the missing runs.", name)
        self.plan_buttons: dict[str, QPushButton] = {}
        self.left: KeptExperiment | None = None
        """The experiment that it offers to continue."""
        self._build(plans)

    def offer_to_continue(self, left: KeptExperiment | None) -> None:
        """Offer an experiment that was left before its end, or none."""
        self.left = left
        self.left_card.setVisible(left is not None)
        if left is not None:
            self.left_text.setText(
                f"“{left.title}” stopped after {left.done:,} of {left.total:,} runs. They are kept."
            )

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's type."""
        self.title.setFont(theme.font(1.6, is_bold=True))

    def _build(self, plans: Sequence[Plan]) -> None:
        self.left_card.setProperty("role", "card")
        row_in(self.left_card, (self.left_text, 1), self.continue_button, margins=(12, 8, 12, 8))
        self.left_card.hide()
        grid = QGridLayout()
        grid.setSpacing(10)
        for index, plan in enumerate(plans):
            grid.addWidget(self._card(plan), index // 2, index % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        inside = QWidget()
        column_in(
            inside,
            self.title,
            self.text,
            row_of(self.quick_button, None),
            self.left_card,
            heading("PLANS THAT COME WITH GPVIZ"),
            grid,
            None,
            spacing=12,
            margins=(18, 14, 18, 14),
        )
        column_in(self, WrappingScrollArea(inside))

    def _card(self, plan: Plan) -> QWidget:
        card = QFrame()
        card.setProperty("role", "card")
        title = plan.title or plan.name
        button = self.plan_buttons[plan.name] = push_button(
            "Use this plan",
            "Load it into the editor, where you can change and start it.",
            f"Use the plan {label_text(title)}",
        )
        column_in(
            card,
            sentence("title", text=title),
            sentence("muted", text=plan.explanation),
            None,
            row_of(
                (sentence("plain", text=f"{len(plan.cells):,} cells · {plan.total_runs:,} runs"), 1), button
            ),
            spacing=5,
            margins=(12, 10, 12, 10),
        )
        return card


class ExperimentsWindow(ReadingOrderFocus, Themed, QMainWindow):
    """One experiment on show. Closing the window cancels what runs; what is done is kept and can go on later."""

    reported = Signal(str)
    """What a person is to know now that the window is gone."""
    compare_asked = Signal()
    """The window of comparisons is wanted."""
    guide_asked = Signal()
    """Somebody wants to read about experiments."""
    closed = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        make_executor: ExecutorFactory = low_priority_pool,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._announcer = Announcer(self)
        self._progress: Progress | None = None
        self._wanted_chart: tuple[Plan, ChartKind] | None = None
        self._when_opened: Callable[[], None] | None = None
        """What follows once the experiment that is being opened has been read."""
        self.runner = ExperimentRunner(make_executor, self)
        self.path: Path | None = None
        """The file of the experiment that is on show or runs."""
        self.is_behind = False
        """Whether the experiment has ended, and how it ended is still being read."""
        self._values = ValueReader()
        self._asked_at = 0.0
        self._reading = Question(self, self._on_read, self._on_read_failed)
        self._looking_for_kept = Question(self, self._on_kept_found, self.show_problem)
        self._reading_timer = QTimer(self)
        self._reading_timer.timeout.connect(self._on_reading_timer)
        self._saver = Question(
            QObject(self), self.tell, self.show_problem
        )  # also while nobody sees the window
        self._preferences = preferences = preferences or Preferences()
        self.editor = PlanEditor(preferences)
        self.launch = LaunchPanel(self.editor.work)
        self.problem = sentence("problem")
        self.plans = self.editor.shipped
        self.welcome = WelcomePage(list(self.plans.values()))
        self.results = ResultsView(preferences)
        self.run_requested = self.results.runs.run_requested
        """A run is to come on show in the main window; a `ShowRequest`."""
        self.comparison_requested = self.results.runs.comparison_requested
        """Runs are to be compared; a `Comparison`."""
        self.chart_given = self.results.charts.chart_given
        """A chart is to become a scene of the lecture; a `SceneChart`."""
        self.progress = self.results.progress
        self.actions_by_name = Actions(EXPERIMENTS, self)
        self.plan_action = self.actions_by_name["plan_panel"]
        self.recent = MacSafeMenu("Open &recent", self)
        self._build()
        self._connect()
        self.follow_theme()
        self.show_problem("")
        self._show_possible()
        self._look_for_kept()
        self.welcome.quick_button.setFocus()

    # --- what is on show ---

    @property
    def experiment(self) -> ShownExperiment | None:
        """The experiment on show as it was last read."""
        return self.results.experiment

    def open_store(self, path: Path) -> None:
        """Begin to show the results of an experiment."""
        self._open(path, self._give_way_where_narrow)

    def show_plan(self, plan: Plan, chart: ChartKind | None = None) -> None:
        """Put a plan into the editor, ready to be started; once it runs, this chart of it is chosen."""
        self._wanted_chart = None if chart is None else (plan, chart)
        self.plan_action.setChecked(True)
        self.editor.set_plan(plan)
        self.launch.take_focus()

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's colours and type."""
        self.launch.begin_fields_at(self.editor.label_width())
        if not self._is_divided:
            self.columns.setSizes([self._width_of(_SIDE_LETTERS), self.columns.width()])
        if self.experiment is not None:
            self._give_way_where_narrow()

    def shut_down(self) -> bool:
        """End everything that computes, and keep what is done; whether an experiment is cut short by that."""
        if self.isVisible():
            self._remember()
        is_cut_short = self.runner.shut_down()
        self._reading_timer.stop()
        self.results.shut_down()
        close_questions(self)
        self._announcer.close()
        return is_cut_short

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What nobody else has wanted: Return presses a button that has the keys, as Space does."""
        focus = self.focusWidget()
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat()
        if is_return and isinstance(focus, QPushButton | QToolButton):
            focus.click()
        elif event.keyCombination() == _COMPARE_KEYS:  # not a shortcut: that of the runs goes first
            self.compare_asked.emit()
        elif event.key() == Qt.Key.Key_Escape and self._when_opened is not None:
            self._give_up_reading()
            self.statusBar().clearMessage()
            self.tell("The experiment was not opened.")
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.actions_by_name["full_screen"].setChecked(False)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.WindowStateChange:
            self.actions_by_name["full_screen"].setChecked(self.isFullScreen())
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._remember()
        self.hide()  # what runs may take a moment to end
        if self.shut_down():
            is_kept = self.path is not None and self.path.exists()
            self.reported.emit(_CUT_SHORT if is_kept else _CUT_AT_ONCE)
        super().closeEvent(event)
        self.closed.emit()

    # --- what can be done ---

    @Slot()
    def start(self) -> None:
        """Run the plan of the editor in a new file."""
        plan, path = self.editor.plan(), self.launch.path
        assert plan is not None
        self.launch.set_path(None)  # a file can hold one experiment only
        self._begin(plan, partial(new_store, path, plan))

    @Slot()
    def start_quick(self) -> None:
        """Run the plan that takes a few seconds."""
        if self._is_free():
            self.show_plan(self.plans[_QUICK])
            self.start()

    @Slot()
    def continue_experiment(self) -> None:
        """Do the runs of the experiment on show that are missing."""
        experiment = self.experiment
        if experiment is None or not self._continuation():
            return
        runs = self._more_runs()
        if runs is None:
            self._begin(experiment.plan, partial(Store.open, experiment.path, is_writable=True))
        else:
            plan = experiment.plan.replaced(runs=runs)
            self._begin(plan, partial(resume_store, experiment.path, plan))

    @Slot()
    def cancel(self) -> None:
        """End the experiment that runs; what is done is kept."""
        self.runner.cancel()
        self.progress.show_cancelling()
        self._show_possible()

    @Slot()
    def new(self) -> None:
        """Put the experiment on show away."""
        self._give_up_reading()
        self.path = self.results.experiment = None
        self._clear_messages()
        self._give_way(is_narrow=False)
        self.stack.setCurrentWidget(self.welcome)
        self.setWindowTitle("Experiments – gpviz")
        self._show_possible()
        self._look_for_kept()

    @Slot()
    def ask_and_open(self) -> None:
        """Let a person choose an experiment to look at."""
        path = ask_store(self)
        if path is not None:
            self.open_store(path)

    # --- building ---

    def _handlers(self) -> dict[str, Callable[..., object]]:
        results = self.results
        return {
            "start": self.start,
            "continue": self.continue_experiment,
            "cancel": self.cancel,
            "new": self.new,
            "open": self.ask_and_open,
            "close": self.close,
            "load_plan": self.editor.ask_and_load,
            "save_plan": self.editor.ask_and_save,
            "plan_panel": self.side.setVisible,
            "full_screen": self._set_full_screen,
            "compare": self.compare_asked.emit,
            "guide": self.guide_asked.emit,
            "go_plan": self._go_to_plan,
            "go_cells": partial(results.go_to, results.cells),
            "go_charts": partial(results.go_to, results.charts),
            "go_runs": partial(results.go_to, results.runs),
            **{f"save_{kind}": partial(self._ask_and_save, kind) for kind in KINDS},
        }

    def _build(self) -> None:
        self.setWindowTitle("Experiments – gpviz")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.welcome)
        self.stack.addWidget(self.results)
        main = QWidget()
        column_in(main, self.problem, (self.stack, 1), spacing=6)
        self.side = QFrame()
        self.side.setProperty("role", "card")
        column_in(
            self.side, (WrappingScrollArea(self.editor), 1), self.launch, spacing=8, margins=(12, 10, 8, 10)
        )
        self.columns = QSplitter()
        self.columns.addWidget(self.side)
        self.columns.addWidget(main)
        self.columns.setStretchFactor(1, 1)
        self.columns.setChildrenCollapsible(False)
        self.columns.setHandleWidth(8)
        self._is_divided = self._preferences.restore_splitter(_COLUMNS, self.columns)
        self.plan_action.setChecked(self._preferences.flag(_PLAN, True))
        self.plan_action.triggered.connect(self._on_plan_triggered)  # only by a person
        self.side.setVisible(self.plan_action.isChecked())
        centre = QWidget()
        column_in(centre, self.columns, margins=(10, 8, 10, 8))
        self.setCentralWidget(centre)
        self.statusBar().setSizeGripEnabled(False)
        self.progress.plan_button.setDefaultAction(self.plan_action)
        if not self._preferences.restore_geometry(_GEOMETRY, self):
            take_pleasant_size(self, 1500, 940)
        self.actions_by_name["full_screen"].setChecked(self.isFullScreen())
        self.actions_by_name.connect(self._handlers())
        for menu in (*add_menus(self, _MENUS, self.actions_by_name, {"RECENT": self.recent}), self.recent):
            menu.setToolTipsVisible(True)
        set_panes(
            self.editor, self.launch, self.welcome, self.progress, self.results.cells, self.results.tabs
        )

    def _connect(self) -> None:
        self.editor.plan_changed.connect(self._show_possible)
        self.editor.problem_met.connect(self.show_problem)
        self.editor.reported.connect(self.tell)
        self.launch.start_button.clicked.connect(self.start)
        self.launch.cancel_button.clicked.connect(self.cancel)
        self.launch.continue_button.clicked.connect(self.continue_experiment)
        self.progress.continue_button.clicked.connect(self.continue_experiment)
        self.welcome.quick_button.clicked.connect(self.start_quick)
        for name, button in self.welcome.plan_buttons.items():
            button.clicked.connect(partial(self._on_plan_chosen, name))
        self.welcome.continue_button.clicked.connect(self._on_kept_chosen)
        self.results.charts.reported.connect(self.tell)
        self.runner.opened.connect(self._on_store_made)
        self.runner.progressed.connect(self._on_progressed)
        self.runner.ended.connect(self._on_ended)
        self.runner.failed.connect(self._on_run_failed)
        self._reading.grown_late.connect(self._on_reading_late)
        self._reading.progressed.connect(self._on_cells_read)

    def _remember(self) -> None:
        """Keep how the window is left."""
        self._preferences.store_geometry(_GEOMETRY, self)
        self._preferences.store_splitter(_COLUMNS, self.columns)
        is_by_hand = self._preferences.flag(_BY_HAND, False)
        self._preferences.set_flag(_PLAN, self.plan_action.isChecked() or not is_by_hand)
        self.results.store_division()

    # --- running ---

    def _is_free(self) -> bool:
        """Whether another experiment can come on show; if not, it says so."""
        if self.runner.is_running:
            self.show_problem(_BUSY)
        return not self.runner.is_running

    def _begin(self, plan: Plan, open_store: Callable[[], Store]) -> None:
        self._clear_messages()
        self._give_up_reading()
        self._progress = None
        self.runner.run(open_store, self.launch.jobs.value())
        self.progress.show_plan(plan)
        self.progress.show_waiting()
        self._show_possible()

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        self._progress = progress
        if not self.runner.is_cancelling:
            self.progress.show_progress(progress)

    @Slot(bool)
    def _on_ended(self, is_finished: bool) -> None:
        self._end_run()
        if is_finished:
            self.tell("The experiment is finished.")
        else:
            self.tell("The experiment was cancelled. The finished runs are kept; Continue does the rest.")

    @Slot(str)
    def _on_run_failed(self, problem: str) -> None:
        if self.path is not None and not self.path.exists():  # it has failed before its first run
            self.new()
        if self.experiment is not None:  # it is still on show where the other one could not even begin
            self.progress.show_plan(self.experiment.plan, self.experiment.path)
        self._end_run()
        self.show_problem(problem)

    def _end_run(self) -> None:
        self._progress = None
        self._reading_timer.stop()
        if self.path is not None:
            self.is_behind = True
            self._read(self.path)
        self._show_possible()
        self._look_for_kept()

    # --- reading ---

    def _open(self, path: Path, when_opened: Callable[[], None]) -> None:
        if self._is_free():
            self._clear_messages()
            self._when_opened = when_opened
            self._read(path)

    def _read(self, path: Path) -> None:
        """Begin to read an experiment, to be put on show."""
        is_on_show = self.experiment is not None and self.experiment.path == path
        self._values.enough_s = LATER_S if is_on_show else FIRST_S
        self._asked_at = perf_counter()
        is_running = self.runner.is_running
        self._reading.ask(
            path, "", lambda working: read_experiment(path, self._values, working, is_running=is_running)
        )

    def _give_up_reading(self) -> None:
        self._when_opened = None
        self.is_behind = False
        self._reading.cancel()

    @Slot(object)
    def _on_store_made(self, path: Path) -> None:
        self.path = path
        self._reading_timer.start(_READ_MS)
        self._read(path)

    @Slot()
    def _on_reading_timer(self) -> None:
        if self.path is not None and not self._reading.is_busy:
            self._read(self.path)

    @Slot()
    def _on_reading_late(self) -> None:
        if self._when_opened is not None:
            self.statusBar().showMessage(f"{_READING} (Esc cancels) …")

    @Slot(object)
    def _on_cells_read(self, cells: tuple[int, int]) -> None:
        if self.statusBar().currentMessage().startswith(_READING):
            self.statusBar().showMessage(f"{_READING}: {cells[0]:,} of {cells[1]:,} cells (Esc cancels) …")

    def _on_read(self, experiment: ShownExperiment) -> None:
        plan = experiment.plan
        seconds = perf_counter() - self._asked_at
        self._reading_timer.setInterval(max(_READ_MS, int(_PATIENCE * 1000 * seconds)))
        self.is_behind = False
        self.path = experiment.path
        when_opened, self._when_opened = self._when_opened, None
        if self.statusBar().currentMessage().startswith(_READING):
            self.statusBar().clearMessage()
        is_new = self.results.show_experiment(experiment, self._progress)
        if not experiment.is_complete and not self.runner.is_running:
            self._read(experiment.path)
        if is_new:
            planned, chart = self._wanted_chart or (None, None)
            is_wanted = planned is not None and plan.is_same_experiment(planned)
            self.results.begin_with(chart if is_wanted else None)
            self._wanted_chart = None
            if self.welcome.isAncestorOf(self.focusWidget()):
                self.launch.take_focus()  # else the next key might choose a cell by accident
            self.stack.setCurrentWidget(self.results)
            self.setWindowTitle(f"{title_text(plan.title or plan.name)} – Experiments – gpviz")
            if not self.runner.is_running:
                self.editor.set_plan(plan)
        self._show_possible()
        if when_opened is not None:
            when_opened()

    def _on_read_failed(self, problem: str) -> None:
        self._give_up_reading()
        self.statusBar().clearMessage()
        self.show_problem(problem)
        self._show_possible()

    def _width_of(self, letters: int) -> int:
        return letters * QFontMetrics(self.theme.font()).averageCharWidth()

    def _give_way(self, *, is_narrow: bool) -> None:
        """Show the plan or hide it, until a person has done so by hand."""
        if not self._preferences.flag(_BY_HAND, False):
            self.plan_action.setChecked(not is_narrow)

    @Slot()
    def _on_plan_triggered(self) -> None:
        self._preferences.set_flag(_BY_HAND, True)

    def _give_way_where_narrow(self) -> None:
        """Where the window is narrow the results have all of it, unless the buttons of the plan are needed."""
        if not self.runner.is_running:
            had_focus = self.side.isAncestorOf(self.focusWidget())
            self._give_way(is_narrow=self.width() < self._width_of(_NARROW_LETTERS))
            if had_focus and self.side.isHidden():
                self.progress.plan_button.setFocus()

    # --- what is kept ---

    def _look_for_kept(self) -> None:
        self._looking_for_kept.ask(None, "", kept_experiments)

    def _on_kept_found(self, kept: list[KeptExperiment]) -> None:
        self.recent.clear()
        for each in kept:
            share = "" if each.is_whole else f", {each.done:,} of {each.total:,} runs"
            action = self.recent.addAction(menu_text(f"{shown_path(each.path.stem)}{share}"))
            action.setToolTip(tooltip_text(f"{each.title}\n{shown_path(each.path)}"))
            action.triggered.connect(partial(self._open_recent, each.path))
        self.recent.setEnabled(bool(kept))
        self.welcome.offer_to_continue(next((each for each in kept if not each.is_whole), None))

    def _open_recent(self, path: Path, _is_checked: bool = False) -> None:
        self.open_store(path)

    @Slot()
    def _on_kept_chosen(self) -> None:
        if self.welcome.left is not None:
            self._open(self.welcome.left.path, self.continue_experiment)

    def _on_plan_chosen(self, name: str, _is_checked: bool = False) -> None:
        self.show_plan(self.plans[name])
        self.launch.start_button.setFocus()

    # --- what is possible ---

    @property
    def _is_settled(self) -> bool:
        """Whether the experiment on show is as it was read."""
        return self.experiment is not None and not self.runner.is_running and not self.is_behind

    def _more_runs(self) -> int | None:
        """How many runs a cell is to have, if the plan is that of the experiment on show with more of them."""
        plan, experiment = self.editor.plan(), self.experiment
        if plan is None or experiment is None or plan.runs <= experiment.plan.runs:
            return None
        return plan.runs if plan.is_same_experiment(experiment.plan) else None

    def _continuation(self) -> str:
        """What Continue would do, in a sentence; empty if nothing."""
        if self.experiment is None or not self._is_settled:
            return ""
        runs = self._more_runs()
        if runs is not None:
            return f"Continue this experiment until each cell has {runs:,} runs."
        return "" if self.experiment.is_whole else "Do the missing runs of this experiment."

    @Slot()
    def _show_possible(self) -> None:
        """Enable what can be done now, with the plan in the editor and the experiment on show."""
        plan, experiment, is_running = self.editor.plan(), self.experiment, self.runner.is_running
        can_cancel = is_running and not self.runner.is_cancelling
        continuation, runs = self._continuation(), self._more_runs()
        self.launch.show_possible(
            plan, is_running=is_running, can_cancel=can_cancel, continuation=continuation
        )
        for name, is_possible in {
            "start": plan is not None and not is_running,
            "continue": bool(continuation),
            "cancel": can_cancel,
            "new": not is_running,
            "open": not is_running,
            "save_plan": plan is not None,
            **{f"save_{kind}": experiment is not None for kind in KINDS},
        }.items():
            self.actions_by_name[name].setEnabled(is_possible)
        if experiment is not None and self._is_settled:
            more = "Continue" if runs is None else f"Continue to {runs:,} runs a cell"
            self.progress.show_state(experiment, more if continuation else "")

    @Slot(str)
    def show_problem(self, problem: str) -> None:
        """Tell what went wrong, until something else is done."""
        show_sentence(self.problem, problem)
        self._announcer.say(problem)

    @Slot(str)
    def tell(self, text: str) -> None:
        """Say what has become of something that was asked for here."""
        self.statusBar().showMessage(line_text(text), _MESSAGE_MS)
        self._announcer.say(text)

    def _clear_messages(self) -> None:
        """Remove messages about the previous experiment or the last command; they no longer apply."""
        self.show_problem("")
        self.statusBar().clearMessage()

    # --- menus ---

    def _ask_and_save(self, kind: str) -> None:
        if self.path is None:
            return
        self.show_problem("")
        store, (title, ending, filters) = self.path, KINDS[kind]
        proposal = Path.home() / f"{store.stem}{ending}"
        target = ask_to_save(self, title, proposal, {Path(f"name{ending}").suffix: filters})
        if target is None:
            return
        if self._saver.is_busy:
            self.show_problem("Results are still being saved; try again when that is done.")
            return
        self.tell(f"Writing {shown_path(target.name)} …")
        self._saver.ask(store, (kind, target), partial(write_results, store, kind, target))

    @Slot(bool)
    def _set_full_screen(self, is_full: bool) -> None:
        full = Qt.WindowState.WindowFullScreen
        self.setWindowState(self.windowState() | full if is_full else self.windowState() & ~full)

    def _go_to_plan(self) -> None:
        self.plan_action.setChecked(True)
        self.editor.choice.setFocus()
