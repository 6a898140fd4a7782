"""What an experiment came to so far: how far it is, its verdict, its cells, its charts and all its runs."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, Qt, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QProgressBar,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QWidget,
)

from gpviz.app.experiments.cells_table import CellsTable
from gpviz.app.experiments.chart_panel import ChartPanel
from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.app.experiments.runs_table import RunsTable
from gpviz.app.experiments.verdict_view import VerdictView
from gpviz.app.player.pacing import Throttle
from gpviz.app.preferences import Preferences
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, push_button, sentence, set_tip, show_sentence, small_button
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Progress
from gpviz.experiments.run_text import duration_text, rate_text
from gpviz.experiments.statistics.verdict import experiment_verdict
from gpviz.files.file_io import shown_path

_STEPS: Final = 10_000
_LONGEST_LEFT_S: Final = 10**8
_DIVISION: Final = "experiments/rows"
_REFRESH_MS: Final = 1_000
"""The least time between two refreshments of charts and runs, each of which takes several frames."""
_LOW_LINES: Final = 46
"""In windows lower than so many lines of type the cells have a tab of their own."""


class ProgressView(Themed, QFrame):
    """A strip above the results. While the experiment is not whole it offers to go on with it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.plan_button = small_button("", "", "Show or hide the plan")
        self.plan_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title = ElidedLabel("title")
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress of the experiment")
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)  # no text is easy to read on a bar that grows under it
        self.status = ElidedLabel()
        self.status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.notes = sentence("muted")
        self.notes.hide()
        self.continue_button = push_button("Continue", "Do the missing runs.", "Continue the experiment")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setVerticalSpacing(5)
        for label in (self.title, self.status):
            # Each gets what it needs; where there is too little for both, both give way.
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            label.setMinimumWidth(1)
        grid.addLayout(row_of(self.plan_button, self.title, self.status, spacing=10), 0, 0, 1, 2)
        grid.addWidget(self.bar, 1, 0)
        grid.addWidget(self.continue_button, 1, 1)
        grid.addWidget(self.notes, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        self.continue_button.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's type."""
        self.title.setFont(theme.font(is_bold=True))

    def show_plan(self, plan: Plan, path: Path | None = None) -> None:
        """An experiment with this plan comes on show; its file is named where one asks."""
        title = plan.title or plan.name or "An experiment"
        self.title.setText(title)
        set_tip(self.title, title if path is None else f"{title}\n{shown_path(path)}")
        show_sentence(self.notes, "")

    def show_waiting(self) -> None:
        """It begins: the workers are started."""
        self._show(0, 1, "starting the workers …")

    def show_progress(self, progress: Progress) -> None:
        """How far it is now."""
        parts = [_share_text(progress.done, progress.total)]
        if progress.seconds_left is not None and progress.seconds_left < _LONGEST_LEFT_S:
            parts.append(f"{duration_text(progress.seconds_left)} left")
        if progress.rate > 0:  # last: it is cut first where space is short
            parts.append(rate_text(progress.rate))
        self._show(progress.done, progress.total, " · ".join(parts))
        if progress.notes:
            show_sentence(self.notes, progress.notes[-1])

    def show_cancelling(self) -> None:
        """It ends before its time."""
        self._say("stopping; the finished runs are kept …")

    def show_state(self, experiment: ShownExperiment, continuation: str) -> None:
        """Nothing runs: how much there is of it, and on the button how it goes on, or nothing."""
        done, total = experiment.done, experiment.plan.total_runs
        parts = [f"{done:,} runs" if experiment.is_whole else _share_text(done, total)]
        if experiment.seconds > 0:
            parts.append(f"computed in {duration_text(experiment.seconds)}")
        self._show(done, total, " · ".join(parts))
        self.bar.setVisible(not experiment.is_whole)
        self.continue_button.setText(continuation)
        self.continue_button.setVisible(bool(continuation))

    def _show(self, done: int, total: int, text: str) -> None:
        self.bar.setValue(min(_STEPS, int(done / max(1, total) * _STEPS)))
        self.bar.show()
        self.bar.setFixedHeight(max(8, self.fontMetrics().height() // 2))
        self.continue_button.hide()
        self._say(text)

    def _say(self, text: str) -> None:
        self.status.setText(text)
        set_tip(self.status, text)


def _share_text(done: int, total: int) -> str:
    """How many runs of how many; only the whole is 100 %."""
    return f"{int(done / max(1, total) * 100)} % · {done:,} of {total:,} runs"


class ResultsView(Themed, QWidget):
    """Shows one experiment after another; what of it is not seen is not kept up to date."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment: ShownExperiment | None = None
        """What is on show, as it was last read."""
        self.progress = ProgressView()
        self.verdict = VerdictView()
        self.cells = CellsTable()
        self.charts = ChartPanel()
        self.runs = RunsTable()
        self._first: QWidget = self.cells
        self.tabs = QTabWidget()
        self._preferences = preferences
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._division = QByteArray()
        """How cells and tabs shared the height before the cells became a tab."""
        self._refreshing = Throttle(_REFRESH_MS, self)
        self._refreshing.passed.connect(self._refresh_tab)
        self._build()
        self.verdict.details_shown.connect(self.cells.show_z)
        self.cells.cell_chosen.connect(self.charts.show_cell)
        self.cells.cells_selected.connect(self._on_cells_selected)
        self.tabs.currentChanged.connect(self._refresh_tab)

    def show_experiment(self, experiment: ShownExperiment, progress: Progress | None) -> bool:
        """Show an experiment as it stands, and say whether it is another one, or another plan, than before.

        ``progress`` is the latest news of one that runs.
        """
        before, self.experiment = self.experiment, experiment
        is_new = before is None or (before.path, before.plan) != (experiment.path, experiment.plan)
        if is_new:
            self.progress.show_plan(experiment.plan, experiment.path)
            self.charts.show_experiment(experiment)
            self.runs.show_store(experiment.path, experiment.plan)
        done = experiment.done_by_cell if progress is None else progress.done_by_cell
        self.verdict.show_verdict(experiment_verdict(experiment.summaries, experiment.plan.runs))
        self.cells.show_cells(experiment, done)
        if before is not None and not is_new and before.done_by_cell != experiment.done_by_cell:
            self._refreshing.give(None)
        return is_new

    def begin_with(self, chart: ChartKind | None) -> None:
        """Let this chart be seen first, and not the cells where they share the tabs with it."""
        self._first = self.cells if chart is None else self.charts
        if chart is not None:
            self.charts.set_kind(chart)
            self.tabs.setCurrentWidget(self.charts)

    def go_to(self, view: QWidget) -> None:
        """Let the keys mean a view from now on; it passes them to the part of it that lists or chooses things."""
        if self.tabs.indexOf(view) >= 0:
            self.tabs.setCurrentWidget(view)
        view.setFocus()

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's colours and type."""
        self._arrange()

    def store_division(self) -> None:
        """Remember how cells and tabs share the height."""
        if self.splitter.indexOf(self.cells) >= 0:
            self._preferences.store_splitter(_DIVISION, self.splitter)

    def shut_down(self) -> None:
        """Draw nothing any more."""
        self._refreshing.cancel()
        self.charts.view.shut_down()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _build(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("Charts and runs")  # which has the keys
        self.tabs.addTab(self.charts, "Charts")
        self.tabs.addTab(self.runs, "All runs")
        self.splitter.addWidget(self.cells)
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 8)
        self.splitter.setStretchFactor(1, 13)
        self.splitter.setHandleWidth(8)
        self._preferences.restore_splitter(_DIVISION, self.splitter)
        column_in(self, self.progress, self.verdict, (self.splitter, 1), spacing=8)

    def _arrange(self) -> None:
        """The cells stand above the charts; where that leaves too little for either, they have a tab."""
        is_low = self.height() < _LOW_LINES * QFontMetrics(self.theme.font()).lineSpacing()
        is_in_tabs = self.tabs.indexOf(self.cells) >= 0
        if is_low and not is_in_tabs:
            self._division = self.splitter.saveState()  # for a larger window
            self.tabs.insertTab(0, self.cells, "Cells")
            self.tabs.setCurrentWidget(self._first)
        elif is_in_tabs and not is_low:
            self.splitter.insertWidget(0, self.cells)
            self.cells.show()
            self.splitter.restoreState(self._division)

    @Slot()
    def _refresh_tab(self) -> None:
        """What is not seen need not follow; it does when it is seen."""
        if self.experiment is None:
            return
        if self.tabs.currentWidget() is self.runs:
            self.runs.refresh()
        elif self.tabs.currentWidget() is self.charts:
            self.charts.refresh(self.experiment)

    @Slot(object)
    def _on_cells_selected(self, cells: tuple[int, ...]) -> None:
        self.charts.show_cells(cells)
        # A cell that only has the keys is not chosen: all runs stay listed.
        self.runs.show_cell(cells[0] if len(cells) == 1 else None)
