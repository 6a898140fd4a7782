"""All runs of an experiment, to be filtered, sorted, opened in the stepper, compared and copied."""

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpviz.app.background import Background
from gpviz.app.experiments.runs_bar import RunsBar
from gpviz.app.experiments.runs_choice import ChosenRuns
from gpviz.app.experiments.runs_copy import RunCopier
from gpviz.app.experiments.runs_model import MOST_ROWS, RunsModel
from gpviz.app.experiments.runs_preview import RunPreview
from gpviz.app.experiments.runs_reader import Answer, Key, Located, Place, read_run
from gpviz.app.experiments.runs_seek import SeedSeeker, found_words
from gpviz.app.experiments.runs_view import Entry, RunsView, menu_of
from gpviz.app.experiments.runs_words import cell_words, comparison_labels, opened_words, seed_text
from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.fields import ElidedLabel, sentence
from gpviz.app.widgets.throttle import Throttle
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.experiments.batch import RunRow
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_query import RunQuery
from gpviz.experiments.store import StoredRun
from gpviz.record.comparisons import MAX_LANES, MIN_LANES

__all__ = ["RunsTable"]

_PACE_MS: Final = 1_000
_HINT: Final = "Double-click a run to watch it. Choose two to four (Ctrl+click) to compare them."


class RunsTable(QWidget):
    """The table of all runs with its filters. A run's iteration is the one worth looking at first."""

    run_chosen = Signal(object, int)
    comparison_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._is_reversed = False
        self._to_choose: Place | None = None
        self._previewed: Key | None = None
        self._found: tuple[Key, str] | None = None
        self._opened: StoredRun | None = None
        self.model = RunsModel(self)
        self.bar = RunsBar()
        self.view = RunsView(self.model)
        self.chosen = ChosenRuns(self.model, self.view, self)
        self.copier = RunCopier(self.model, self)
        self.preview = RunPreview()
        self.count_label = ElidedLabel()
        self.count_label.setProperty("role", "muted")
        self.problem_label = sentence("problem")
        self.problem_label.hide()
        self.open_button = _button("Open", "Opens the run where it became stuck or waited longest (Return).")
        self.open_button.setProperty("role", "primary")
        self.compare_button = _button("Compare", "Shows two to four runs side by side (Ctrl+K).")
        self._build()
        self._previewer = Background("gpviz-run-look", self)
        self._previewer.finished.connect(self._on_previewed)
        self._previewer.failed.connect(self._on_failed)
        self._seeker = SeedSeeker(self.model, self)
        self._seeker.located.connect(self._on_located)
        self._seeker.failed.connect(self._on_failed)
        self._throttle = Throttle(_PACE_MS, self)
        self._throttle.passed.connect(self._on_refresh_due)
        self._connect()
        self.show_store(None, None)

    # What comes in

    def show_store(self, path: Path | None, plan: Plan | None) -> None:
        """List the runs of an experiment; None for one that has no file yet."""
        self._throttle.cancel()
        self._previewer.cancel()
        self._seeker.cancel()
        self.copier.cancel()
        self._is_reversed = False
        self._to_choose = self._found = self._opened = None
        self._tell("")
        self.bar.show_plan(plan)
        self.bar.choose(outcome=None, cell=None, order="number")
        for part in (self.bar, self.bar.seed_row):
            part.setEnabled(plan is not None)
        self.model.show_store(path, plan, self._query())
        self.view.fit_columns()
        self._show_sorting()
        self._show_count()
        self.chosen.look_again()

    @Slot()
    def refresh(self) -> None:
        """New runs have come; they are listed soon, and what is chosen and seen stays."""
        self._throttle.give(None)

    def show_cell(self, cell: int | None) -> None:
        """List only the runs of a cell; None for all."""
        if cell != self.bar.cell:
            self.bar.choose(outcome=self.bar.outcome, cell=cell, order=self.bar.order)
            self._on_filter_changed()

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self.model.set_theme(theme)
        self.view.set_theme(theme)
        self.preview.set_theme(theme)

    def shut_down(self) -> None:
        """End what works in the background."""
        self._throttle.cancel()
        self.model.close()
        self._previewer.close()
        self._seeker.close()
        self.copier.close()

    # What is chosen

    def chosen_runs(self) -> list[StoredRun]:
        """The chosen runs from top to bottom, as far as they are known; empty where there are very many."""
        return self.chosen.runs

    @Slot()
    def open_chosen(self) -> None:
        """Say that the current run is to be opened."""
        self._on_row_opened(self.chosen.row_to_open)

    def words_of(self, config: RunConfig) -> tuple[str, str]:
        """What there is to see in the run that was opened last: a title and a sentence; empty for another."""
        plan, run = self.model.plan, self._opened
        if plan is None or run is None or self.model.config_of(run) != config:
            return "", ""
        return opened_words(plan, run)

    @Slot()
    def compare_chosen(self) -> None:
        """Say that the chosen runs are to be compared, if there are as many as that."""
        plan, runs = self.model.plan, self.chosen.runs
        if plan is None or not self.chosen.can_compare:
            return
        labels = comparison_labels(plan, runs)
        configs = [self.model.config_of(run) for run in runs]
        self.comparison_chosen.emit(tuple(zip(labels, configs, strict=True)))

    @Slot()
    def copy_chosen(self) -> None:
        """Copy the chosen rows as text, with the heads above them."""
        self.copier.copy_rows(self.chosen.rows, self.chosen.runs)

    @Slot()
    def copy_seed(self) -> None:
        """Copy the seeds of the chosen runs."""
        self.copier.copy_seeds(self.chosen.runs)

    @Slot()
    def copy_command(self) -> None:
        """Copy what to type to see the chosen runs in a terminal."""
        self.copier.copy_commands(self.chosen.runs)

    @Slot(str)
    def go_to_seed(self, text: str) -> None:
        """Choose the run with this seed, or the next one with it; the order and the cell stay as they are."""
        self._tell("")
        self._seeker.seek(text, self.model.run_at(self.view.currentIndex().row()))

    # Filters and sorting

    def _query(self) -> RunQuery:
        cell = self.bar.cell
        return RunQuery(
            cells=None if cell is None else (cell,),
            outcome=self.bar.outcome,
            order=self.bar.order,
            is_descending=self.bar.order == "number" if self._is_reversed else None,
        )

    @Slot()
    def _on_filter_changed(self) -> None:
        if self.bar.order != self.model.query.order:
            self._is_reversed = False
        self._show_query()

    @Slot(int)
    def _on_head_clicked(self, column: int) -> None:
        order = self.model.order_of(column)
        if not order:
            self._show_sorting()  # Qt has moved the sign already
            return
        self._is_reversed = order == self.bar.order and not self._is_reversed
        self.bar.choose(outcome=self.bar.outcome, cell=self.bar.cell, order=order)
        self._show_query()

    def _show_query(self) -> None:
        self._seeker.cancel()
        self._to_choose = self._found = None
        self._tell("")
        self.model.show_query(self._query())
        self._show_sorting()
        self._show_count()

    def _show_sorting(self) -> None:
        """The sign of the sorting is at the column that is sorted by, and points to the larger values' end."""
        order = self.bar.order
        place = next(
            (place for place, name in enumerate(self.model.columns) if self.model.sign_order(name) == order),
            -1,
        )
        is_rising = (order == "number") != self._is_reversed
        direction = Qt.SortOrder.AscendingOrder if is_rising else Qt.SortOrder.DescendingOrder
        self.view.horizontalHeader().setSortIndicator(place, direction)

    # New runs

    @Slot(object)
    def _on_refresh_due(self, _: object) -> None:
        self.model.refresh(self.view.seen_rows(), self.chosen.places())

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        self._tell("")
        self._show_count()
        wish = answer.wish
        if wish.is_refresh:
            self.chosen.follow(answer)
        if wish.known is None:
            self.view.scrollToTop()
            self.chosen.look_again()
        if self._to_choose is not None and wish.known is None:
            (_, row), self._to_choose = self._to_choose, None
            self._choose(row)
        elif self.chosen.is_incomplete:
            self.chosen.look_again()  # what is chosen may be known now
        elif wish.is_refresh:
            self._show_chosen()

    # The chosen runs

    @Slot()
    def _show_chosen(self) -> None:
        """What can be done with what is chosen, and the run itself where it is one."""
        runs, count = self.chosen.runs, self.chosen.count
        self._forget_found()
        self.open_button.setEnabled(len(runs) == 1)
        self.compare_button.setEnabled(self.chosen.can_compare)
        if len(runs) == 1 and count == 1 and self.model.path is not None:
            (run,) = runs
            key = (run.cell, run.row.number)
            if key != self._previewed:
                self._previewed = key
                self._previewer.ask(partial(read_run, self.model.path, key))
            return
        self._previewed = None
        self._previewer.cancel()
        if count < MIN_LANES:
            self.preview.show_hint(_HINT if self.model.rowCount() else "")
        elif count <= MAX_LANES:
            self.preview.show_hint(f"{count} runs are chosen: Compare shows them side by side.")
        else:
            self.preview.show_hint(f"{count:,} runs are chosen; up to {MAX_LANES} can be compared.")

    @Slot(object)
    def _on_previewed(self, answer: tuple[Key, RunRow]) -> None:
        plan = self.model.plan
        (cell, number), row = answer
        if plan is None or (cell, number) != self._previewed:
            return
        config = plan.cells[cell].config_of(number)
        words = [f"Seed {seed_text(config.seed)}", cell_words(plan, cell)]
        self.preview.show_run(" · ".join(word for word in words if word), row, config)

    @Slot(int)
    def _on_row_opened(self, row: int) -> None:
        run = self.model.run_at(row)
        if run is not None:
            self._opened = run
            self.run_chosen.emit(self.model.config_of(run), run.row.decisive_iteration)

    @Slot(object)
    def _on_menu_asked(self, place: QPoint) -> None:
        count = len(self.chosen.runs)
        entries = (
            Entry("&Open in the stepper", "Return", self.open_chosen, count == 1),
            Entry("&Compare", "Ctrl+K", self.compare_chosen, self.chosen.can_compare),
            Entry("Copy &rows", "Ctrl+C", self.copy_chosen, self.chosen.count > 0),
            Entry("Copy &seed" if count < 2 else "Copy &seeds", "", self.copy_seed, count > 0),
            Entry(
                "Copy command &line" if count < 2 else "Copy command &lines", "", self.copy_command, count > 0
            ),
        )
        menu_of(entries, self).popup(place)

    # The run with a seed

    @Slot(object)
    def _on_located(self, answer: Located) -> None:
        plan, place = self.model.plan, answer.place
        assert plan is not None
        assert place is not None
        words = found_words(plan, answer, self.bar.outcome)
        is_wider = answer.query.outcome != self.bar.outcome
        if is_wider:
            self.bar.choose(outcome=None, cell=self.bar.cell, order=self.bar.order)
        if is_wider or answer.rows != self.model.total:
            self._show_query()
        self._found = (place.key, words)
        if self.model.is_listing:
            self._to_choose = place
        else:
            self._choose(place.row)
        if answer.turns == 1:
            self.view.setFocus()  # where there are more, Return goes on to the next one
        self._show_count()

    def _forget_found(self) -> None:
        """Say no longer that a run was found by its seed, when another one is chosen."""
        if self._found is None or self._to_choose is not None:
            return
        keys = [(run.cell, run.row.number) for run in self.chosen.runs]
        if self.chosen.count != 1 or keys not in ([], [self._found[0]]):
            self._found = None
            self._show_count()

    def _choose(self, row: int) -> None:
        if row >= self.model.rowCount():
            self.refresh()
            return
        index = self.model.index(row, 0)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index, RunsView.ScrollHint.PositionAtCenter)

    # What is shown

    def _show_count(self) -> None:
        model = self.model
        if model.path is None:
            note = "Runs are listed here as soon as the experiment has some."
            text = ""
        elif model.is_busy and not model.total:
            note = text = "Reading the runs …"
        elif not model.total:
            has_filter = self.bar.outcome is not None or self.bar.cell is not None
            note = "No run is like that." if has_filter else "There are no runs yet."
            text = "no runs"
        else:
            note = ""
            text = "1 run" if model.total == 1 else f"{model.total:,} runs"
            if model.total > MOST_ROWS:
                text += f"; the first {MOST_ROWS:,} are listed, choose a cell or an outcome for others"
            elif model.is_busy:
                text += ", sorting …"
            if self._found is not None:
                text = self._found[1]
        self.count_label.setText(text)
        self.count_label.setToolTip(text)
        self.view.show_note(note)

    def _tell(self, problem: str) -> None:
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        if not isinstance(problem, GpvizError):
            raise problem
        self._tell(str(problem))

    # Building

    def _build(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.count_label, 1)
        line.addWidget(self.bar.seed_row)
        line.addSpacing(10)
        line.addWidget(self.compare_button)
        line.addWidget(self.open_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.bar)
        layout.addWidget(self.problem_label)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.preview)
        layout.addLayout(line)
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        self.bar.filter_changed.connect(self._on_filter_changed)
        self.bar.seed_asked.connect(self.go_to_seed)
        self.view.row_opened.connect(self._on_row_opened)
        self.view.copy_asked.connect(self.copy_chosen)
        self.view.menu_asked.connect(self._on_menu_asked)
        self.view.horizontalHeader().sectionClicked.connect(self._on_head_clicked)
        self.chosen.changed.connect(self._show_chosen)
        self.copier.failed.connect(self._on_failed)
        self.model.answered.connect(self._on_answered)
        self.model.failed.connect(self._on_failed)
        self.open_button.clicked.connect(self.open_chosen)
        self.compare_button.clicked.connect(self.compare_chosen)
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence("Ctrl+K"), self, self.compare_chosen, context=context)
        QShortcut(QKeySequence("Ctrl+G"), self, self._on_go_to_asked, context=context)

    @Slot()
    def _on_go_to_asked(self) -> None:
        self.bar.seed_field.setFocus()
        self.bar.seed_field.selectAll()


def _button(text: str, hint: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(hint)
    button.setAccessibleName(text)
    button.setAutoDefault(False)
    return button
