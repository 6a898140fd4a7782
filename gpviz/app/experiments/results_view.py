"""What an experiment came to so far: how far it is, its cells, its charts and all its runs."""

from typing import Final

from PySide6.QtCore import QByteArray, Qt, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from gpviz.app.experiments.cells_table import CellsTable
from gpviz.app.experiments.chart_panel import ChartPanel
from gpviz.app.experiments.progress_view import ProgressView
from gpviz.app.experiments.runs_table import RunsTable
from gpviz.app.experiments.snapshot import Snapshot
from gpviz.app.experiments.window_layout import restore_share
from gpviz.app.theme import Theme
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.throttle import Throttle
from gpviz.experiments.plan_runner import Progress

__all__ = ["ResultsView"]

_CHARTS_MS: Final = 1_000
_LOW_LINES: Final = 46
"""So many lines of type are room enough for cells above charts."""


class ResultsView(Themed, QWidget):
    """Shows one experiment after another; what of it is not seen is not kept up to date."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._line = 1
        self._share: QByteArray | None = None
        self.progress = ProgressView()
        self.cells = CellsTable()
        self.charts = ChartPanel()
        self.runs = RunsTable()
        self.tabs = QTabWidget()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._pace = Throttle(_CHARTS_MS, self)  # drawing them takes several frames
        self._build()
        self._pace.passed.connect(self._on_charts_due)
        self.cells.cell_chosen.connect(self.charts.show_cell)
        self.cells.cells_selected.connect(self._on_cells_selected)
        self.tabs.currentChanged.connect(self._on_tab_changed)

    def show_experiment(self, snapshot: Snapshot, progress: Progress | None) -> None:
        """Show an experiment as it stands; ``progress`` is the latest news of one that runs."""
        before, self._snapshot = self._snapshot, snapshot
        is_new = before is None or (before.path, before.plan) != (snapshot.path, snapshot.plan)
        if is_new:
            self._pace.cancel()
            self.progress.show_plan(snapshot.plan, snapshot.path)
            self.charts.show_results(snapshot.plan, snapshot.path, snapshot.totals, snapshot.summaries)
            self.runs.show_store(snapshot.path, snapshot.plan)
        done = snapshot.done_by_cell if progress is None else progress.done_by_cell
        self.cells.show_cells(snapshot.plan, snapshot.summaries, done, snapshot.medians)
        if not is_new:
            self._refresh_tab()

    def share(self) -> QByteArray | None:
        """How cells and charts share the room; None if they never did."""
        if self.splitter.count() > 1 and self.splitter.isVisible():
            self._share = self.splitter.saveState()
        return self._share

    def set_share(self, share: QByteArray | None) -> None:
        """Let cells and charts share the room like this, as soon as there is room for both."""
        self._share = share
        if self.splitter.count() > 1:
            restore_share(self.splitter, share)

    def put_away(self) -> None:
        """There is no experiment on show any more."""
        self._snapshot = None

    def go_to(self, view: QWidget) -> None:
        """Let the keys mean a view from now on; it passes them to the part of it that lists or chooses things."""
        if self.tabs.indexOf(view) >= 0:
            self.tabs.setCurrentWidget(view)
        view.setFocus()

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's colours and type."""
        self._line = QFontMetrics(theme.font()).lineSpacing()
        self._arrange()

    def shut_down(self) -> None:
        """End every thread."""
        self._pace.cancel()
        self.charts.shut_down()
        self.runs.shut_down()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _build(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("Charts and runs")  # which has the keys
        self.tabs.addTab(self.charts, "Charts")
        self.tabs.addTab(self.runs, "All runs")
        self.splitter.setHandleWidth(8)
        self.splitter.addWidget(self.cells)
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 8)
        self.splitter.setStretchFactor(1, 13)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.progress)
        column.addWidget(self.splitter, 1)

    def _arrange(self) -> None:
        """The cells stand above the charts; where that leaves too little for either, they have a tab."""
        is_low = self.height() < _LOW_LINES * self._line
        is_in_tabs = self.tabs.indexOf(self.cells) >= 0
        if is_low and not is_in_tabs:
            self.share()  # it is kept for a larger window
            self.tabs.insertTab(0, self.cells, "Cells")
            self.tabs.setCurrentIndex(0)
        elif is_in_tabs and not is_low:
            self.splitter.insertWidget(0, self.cells)
            self.cells.show()
            restore_share(self.splitter, self._share)

    def _refresh_tab(self) -> None:
        """What is not seen need not follow; it does when it is seen."""
        if self._snapshot is None:
            return
        if self.tabs.currentWidget() is self.runs:
            self.runs.refresh()
        elif self.tabs.currentWidget() is self.charts:
            self._pace.give(self._snapshot)

    @Slot(object)
    def _on_charts_due(self, snapshot: Snapshot) -> None:
        self.charts.refresh(snapshot.totals, snapshot.summaries)

    @Slot(int)
    def _on_tab_changed(self, _place: int) -> None:
        self._refresh_tab()

    @Slot(object)
    def _on_cells_selected(self, cells: tuple[int, ...]) -> None:
        self.charts.show_cells(cells)
        # A cell that only has the keys is not chosen: all runs stay listed.
        self.runs.show_cell(cells[0] if len(cells) == 1 else None)
