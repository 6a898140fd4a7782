"""All runs of an experiment, to be filtered, sorted, opened in the main window, compared and copied."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import log2
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QShortcut,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gpviz.app.experiments.runs_view import COLUMNS, MOST_ROWS, RunsModel, RunsView, key_of
from gpviz.app.key_text import key_text
from gpviz.app.question import Question
from gpviz.app.widgets.fields import ChoiceBox, ElidedLabel, push_button, sentence, set_tip, show_sentence
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.tables import add_action, add_sort_menu
from gpviz.app.widgets.themed import Themed
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, whole_number
from gpviz.engine.interruption import ShouldStop
from gpviz.engine.settings import seed_text
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import MOST_LOOKED_AT
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_row import RunRow, decode_path
from gpviz.experiments.run_text import (
    OUTCOMES,
    cell_phrase,
    command_line,
    comparison_labels,
    decisive_step_sentence,
    opened_run_text,
    run_sentence,
)
from gpviz.experiments.store import Store, StoredRun
from gpviz.experiments.store_query import (
    MAX_PAGE,
    Key,
    LocatedRow,
    RowPosition,
    RowsAnswer,
    RunQuery,
    find_runs,
    locate,
    read_rows,
    read_run,
)
from gpviz.number_text import counted
from gpviz.runs.presets import MAX_LANES, MIN_LANES, Comparison, LaneSpec
from gpviz.runs.show_request import ShowRequest

_CURVE_WIDTH: Final = 18
_CURVE_LINES: Final = 3.2
"""The size of the curve of a run, in lines of text."""
_CURVE_MARGIN: Final = 5.0

ORDERS: Final = {
    "number": "By number",
    "stuck_first": "Stuck first",
    "slowest": "Slowest",
    "largest": "Largest",
    "most_ors": "Most ORs",
    "most_ors_accepted": "Most ORs accepted",
    "longest_wait": "Longest wait",
    "most_duplicates": "Most duplicates",
    "most_true_error_grew": "True error grew most often",
    "most_full": "Full for longest",
}
"""The orders that a person can choose, with their titles."""
_ORDER_HINTS: Final = {
    "slowest": "Most iterations first. Stuck runs come last: they never end.",
    "longest_wait": "The longest wait for an improvement first. Stuck runs come last: they wait for ever.",
}
_GAP: Final = 6
MOST_COPIED: Final = 10_000
_NO_SUCH_SEED: Final = "No finished run has this seed."
_TOO_FAR_DOWN: Final = "The run is too far down to be listed; choose its cell first."
_Wanted = tuple[RunConfig, int]
"""A run, and since when it is stuck."""
_FIND_STEPS: Final = "Decisive steps"
_FIND_STEPS_TIP: Final = (
    "Find the step that decided each stuck run listed. It takes a moment for each, in the background."
)
_STOP_STEPS_TIP: Final = "Stop looking for decisive steps; those found stay."
_HINT: Final = key_text("Double-click a run to watch it. Choose two to four (Ctrl+click) to compare them.")


class _SeedField(QLineEdit):
    """A field that is never too narrow for a usual seed, whatever the size of the type."""

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(hint.width() + self.fontMetrics().horizontalAdvance("000000"), hint.height())


def _choice(name: str, hint: str) -> ChoiceBox:
    field = ChoiceBox()
    field.setAccessibleName(name)
    set_tip(field, hint)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return field


def _add(layout: QHBoxLayout, text: str, field: QWidget, stretch: int = 0) -> QLabel:
    """Put a field behind those that are there, with its name before it."""
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setBuddy(field)
    if layout.count():
        layout.addSpacing(_GAP)
    layout.addWidget(label)
    layout.addWidget(field, stretch)
    return label


def _button(text: str, hint: str) -> QPushButton:
    button = push_button(text, "", text)
    set_tip(button, hint)
    return button


def found_text(plan: Plan, answer: LocatedRow, outcome: str | None) -> str:
    """Which of the runs with a seed was found; ``outcome`` is what was listed before."""
    assert answer.found is not None
    text = f"seed {seed_text(plan.seed + answer.found.key[1])}"
    if answer.turns > 1:
        text = f"{answer.turn:,} of {answer.turns:,} runs with {text}"
    if answer.query.outcome != outcome:
        text += f"; it is not {outcome}, so all outcomes are listed"
    return text


def _unknown(
    path: Path, plan: Plan, query: RunQuery, seen: Sequence[StoredRun], _: ShouldStop
) -> tuple[list[_Wanted], int]:
    """The stuck runs whose decisive steps are to be looked for, and how many there are besides."""
    with Store.open(path) as store:
        listed = find_runs(store, replace(query, outcome="stuck"), 0, MAX_PAGE)
    known = decisive_steps.DECISIVE_STEPS
    wanted: dict[RunConfig, int] = {}
    for run in (*seen, *listed):
        if run.row.stuck_since is not None:
            config = plan.cells[run.cell].config_of(run.row.number)
            if known.get(config) is None and not known.problem(config):
                wanted.setdefault(config, run.row.stuck_since)
    found = list(wanted.items())
    return found[:MOST_LOOKED_AT], len(found[MOST_LOOKED_AT:])


def _find(config: RunConfig, stuck_since: int, _: ShouldStop) -> None:
    with suppress(GpvizError):  # the reason is remembered, and the table shows it
        decisive_steps.DECISIVE_STEPS.find(config, stuck_since)


class RunPreview(QWidget):
    """The line below the table of runs: a run in a sentence beside its curve; with no run a hint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[str, RunRow, RunConfig] | None = None
        self.label = sentence("", self)
        self.label.setAccessibleDescription("The chosen run")
        self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.curve = ErrorCurve(self)
        row_in(self, (self.label, 1), self.curve, spacing=12)

    def show_hint(self, text: str) -> None:
        """Show a sentence and no run."""
        self._shown = None
        self.label.setText(text)
        self.curve.show_path([], 0, 0)

    def show_run(self, name: str, row: RunRow, config: RunConfig) -> None:
        """Show a run, read with its path."""
        self._shown = name, row, config
        self.show_decided()

    def show_decided(self) -> None:
        """Show what decided the run, where that is known by now."""
        if self._shown is None:
            return
        name, row, config = self._shown
        finding = decisive_steps.DECISIVE_STEPS.get(config)
        why = "" if finding is None else f" {decisive_step_sentence(finding)}"
        self.label.setText(f"{name}. {run_sentence(row, config)}{why}")
        decided = None if finding is None else finding.iteration
        opened_at = row.notable_iteration if decided is None else decided
        self.curve.show_path(decode_path(row.path), row.iterations, opened_at)


class ErrorCurve(Themed, QWidget):
    """The error by iteration as steps, its logarithm upwards; a mark shows where the run is opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: list[tuple[int, int]] = []
        self._iterations = 0
        self._decisive = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Error of the chosen run")
        set_tip(
            self,
            "How the error fell, on a logarithmic scale. The triangle marks where a double-click opens the run.",
        )

    def show_path(self, path: list[tuple[int, int]], iterations: int, decisive: int) -> None:
        """Show a run by its improvements; without any, nothing."""
        self._path, self._iterations, self._decisive = path, iterations, decisive
        self.update()

    def sizeHint(self) -> QSize:
        unit = self.theme.font_size * 1.33
        return QSize(round(_CURVE_WIDTH * unit), round(_CURVE_LINES * unit * 1.25))

    def points(self, area: QRectF) -> QPolygonF:
        """The corners of the steps within an area."""
        # Errors may have thousands of digits.
        highest = max((log2(error + 1) for _, error in self._path), default=0.0) or 1.0
        width = max(self._iterations, 1)
        points: list[QPointF] = []
        before: float | None = None
        for iteration, error in [*self._path, (self._iterations, self._path[-1][1])]:
            x = area.left() + area.width() * iteration / width
            y = area.bottom() - area.height() * log2(error + 1) / highest
            if before is not None:
                points.append(QPointF(x, before))
            points.append(QPointF(x, y))
            before = y
        return QPolygonF(points)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._path:
            return
        colours, scale = self.theme.colours, self.theme.line_scale
        area = QRectF(self.rect()).adjusted(
            _CURVE_MARGIN, _CURVE_MARGIN, -_CURVE_MARGIN, -_CURVE_MARGIN - 5 * scale
        )
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border), scale))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            painter.setPen(QPen(QColor(colours.curve), 1.6 * scale))
            painter.drawPolyline(self.points(area))
            x = area.left() + area.width() * self._decisive / max(self._iterations, 1)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            size = 5 * scale
            tip = QPointF(x, area.bottom() + 1)
            painter.drawPolygon(
                QPolygonF([tip, tip + QPointF(-size, size + 2), tip + QPointF(size, size + 2)])
            )


class RunsTable(QWidget):
    """The table of all runs with its filters. A run's iteration is the one worth looking at first."""

    run_requested = Signal(object)
    """A `ShowRequest`: the run at the iteration that decided it."""
    comparison_requested = Signal(object)
    """A `Comparison` of the chosen runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_reversed = False
        self._to_choose: RowPosition | None = None
        self._found: tuple[Key, str] | None = None
        self._undecided: list[_Wanted] = []
        """The stuck runs whose decisive steps are still to be looked for."""
        self._decided = self._others = 0
        """How many of them are done, and how many more stuck runs there are."""
        self.model = RunsModel(self)
        self.outcome_field = _choice("Outcome", "List only the runs that ended like this.")
        self.outcome_field.set_choices([("", "All"), *((name, name.capitalize()) for name in OUTCOMES)])
        self.cell_field = _choice("Cell", "List only the runs with these settings.")
        self.cell_field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.cell_field.setMinimumContentsLength(12)
        self.cell_field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.order_field = _choice(
            "Order",
            "Which runs come first. Stuck runs come last among the slowest and the longest waits, as they "
            "never end. You can also click the head of a column.",
        )
        self.seed_field = _SeedField()
        self.seed_field.setAccessibleName("Seed to go to")
        self.seed_field.setPlaceholderText("e.g. 17")
        set_tip(
            self.seed_field,
            key_text(
                "Go to the run with this seed (Ctrl+G, then Return); press Return again for the next one."
            ),
        )
        self.seed_field.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.go_button = _button("Go", "Go to the run with this seed; press again for the next one.")
        self.go_button.setAccessibleName("Go to the seed")
        self.view = RunsView(self.model)
        self.preview = RunPreview()
        self.count_label = ElidedLabel("muted")
        self.problem_label = sentence("problem")
        self.problem_label.hide()
        self.open_button = _button("Open", "Open the run where it was decided, or waited longest (Return).")
        self.open_button.setProperty("role", "primary")
        self.compare_button = _button("Compare", key_text("Show two to four runs side by side (Ctrl+K)."))
        self.decisive_steps_button = _button(_FIND_STEPS, _FIND_STEPS_TIP)
        self._build()
        self._previewer = Question(self, self._on_previewed, self._show_problem, remembers=1)
        self._seeker = Question(self, self._on_located, self._show_problem)
        self._decider = Question(self, self._on_decided, self._show_problem)
        # These go on while the charts are looked at.
        self._copier = Question(self.model, self._to_clipboard, self._show_problem)
        self._finder = Question(self.model, self._on_looked, self._on_finding_failed)
        self._connect()
        self._enable_actions(0)
        self.setEnabled(False)  # until there is an experiment

    # What is listed

    @property
    def outcome(self) -> str | None:
        """The outcome that is listed; None for all."""
        return self.outcome_field.value() or None

    @property
    def cell(self) -> int | None:
        """The cell that is listed; None for all."""
        value = self.cell_field.value()
        return int(value) if value else None

    # What comes in

    def show_store(self, path: Path, plan: Plan) -> None:
        """List the runs of an experiment."""
        for question in self.findChildren(Question):
            question.cancel()
        self._undecided = []
        self._is_reversed = False
        self._offer_filters(plan)
        self.model.show_store(path, plan)
        self.setEnabled(True)
        self.view.fit_columns()
        self._show_query()
        self.view.look_again()

    def refresh(self) -> None:
        """New runs have come: list them, and let what is chosen and seen stay."""
        self.model.refresh(self.view.seen_rows(), self.view.kept_positions())

    def show_cell(self, cell: int | None) -> None:
        """List only the runs of a cell; None for all."""
        if cell != self.cell:
            self.cell_field.choose("" if cell is None else str(cell))
            self._on_filter_changed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape also stops looking for decisive steps."""
        if event.key() == Qt.Key.Key_Escape and self._finder.is_busy:
            self.find_decisive_steps()
        else:
            super().keyPressEvent(event)

    # What is chosen

    @Slot()
    def open_chosen(self) -> None:
        """Say that the run that is chosen is to be opened."""
        (run,) = self.view.chosen_runs()
        self._open(run)

    @Slot()
    def compare_chosen(self) -> None:
        """Say that the chosen runs are to be compared, if there are as many as that."""
        if not self.view.can_compare():
            return
        runs = self.view.chosen_runs()
        labels = comparison_labels(self.model.plan, runs)
        lanes = tuple(
            LaneSpec(label=label, config=self.model.config_of(run))
            for label, run in zip(labels, runs, strict=True)
        )
        comparison = Comparison(
            name="experiment",
            title="Runs of an experiment",
            explanation="The runs chosen in the table of the experiment.",
            lanes=lanes,
        )
        self.comparison_requested.emit(comparison)

    @Slot()
    def copy_chosen(self) -> None:
        """Copy the chosen rows as text, with the heads above them; runs that are not known are read first."""
        model, rows, count = self.model, self.view.chosen_rows(), self.view.chosen_count()
        if count > MOST_COPIED:
            self._show_problem(f"Copy: {count:,} rows are selected; at most {MOST_COPIED:,} are allowed.")
        elif count and self.view.is_choice_known():
            self._to_clipboard(self.view.chosen_runs())
        elif count:
            self._copier.ask(model.path, model.query, partial(read_rows, model.path, model.query, rows))

    def _to_clipboard(self, runs: Sequence[StoredRun]) -> None:
        lines = [self.model.heads(), *(self.model.row_texts(run) for run in runs)]
        QGuiApplication.clipboard().setText("".join("\t".join(texts) + "\n" for texts in lines))

    @Slot()
    def copy_seed(self) -> None:
        """Copy the seeds of the chosen runs."""
        seeds = (str(self.model.config_of(run).seed) for run in self.view.chosen_runs())
        QGuiApplication.clipboard().setText("\n".join(seeds))

    @Slot()
    def copy_command(self) -> None:
        """Copy what to type to see the chosen runs in a terminal."""
        commands = (command_line(self.model.config_of(run), run.row) for run in self.view.chosen_runs())
        QGuiApplication.clipboard().setText("\n".join(commands))

    @Slot()
    def go_to_seed(self) -> None:
        """Choose the run with the seed typed, or the next one with it; the order and the cell stay as they are."""
        model, plan = self.model, self.model.plan
        try:
            seed = whole_number("seed", self.seed_field.text(), plan.seed, plan.seed + plan.runs - 1)
        except GpvizError as problem:
            self._show_problem(str(problem))
            return
        self._show_problem("")
        number, current = seed - plan.seed, model.row_at(self.view.currentIndex().row())
        after = (current.cell, number) if current is not None and current.row.number == number else None
        self._seeker.ask(model.path, number, partial(locate, model.path, model.query, number, after))

    # Filters and sorting

    def _offer_filters(self, plan: Plan) -> None:
        """List all runs of a plan by number; offer its cells, if there are several, and suitable orders."""
        orders = {about.order for name, about in COLUMNS.items() if plan.is_about(name)}
        self.order_field.set_choices((order, title) for order, title in ORDERS.items() if order in orders)
        for order, hint in _ORDER_HINTS.items():
            self.order_field.setItemData(self.order_field.findData(order), hint, Qt.ItemDataRole.ToolTipRole)
        cells = () if len(plan.cells) == 1 else plan.cells
        self.cell_field.set_choices(
            [("", "All"), *((str(cell.number), cell_phrase(plan, cell.number)) for cell in cells)]
        )
        self.cell_field.setEnabled(bool(cells))
        self._cell_label.setEnabled(bool(cells))
        for field, value in ((self.outcome_field, ""), (self.cell_field, ""), (self.order_field, "number")):
            field.choose(value)

    def _query(self) -> RunQuery:
        cell, order = self.cell, self.order_field.value()
        return RunQuery(
            cells=None if cell is None else (cell,),
            outcome=self.outcome,
            order=order,
            is_descending=order == "number" if self._is_reversed else None,
        )

    @Slot()
    def _on_filter_changed(self) -> None:
        if self.order_field.value() != self.model.query.order:
            self._is_reversed = False
        self._show_query()

    @Slot(int)
    def _on_head_clicked(self, column: int) -> None:
        order = self.model.order_of(column)
        if not order:
            self._show_sorting()  # Qt has moved the sign already
            return
        self._is_reversed = order == self.order_field.value() and not self._is_reversed
        self.order_field.choose(order)
        self._show_query()

    def _show_query(self) -> None:
        self._seeker.cancel()
        self._to_choose = self._found = None
        self._show_problem("")
        self.model.show_query(self._query())
        self._show_sorting()
        self._show_count()

    def _show_sorting(self) -> None:
        """The sign of the sorting is at the column that is sorted by, and points to the larger values' end."""
        order = self.order_field.value()
        names = enumerate(self.model.names)
        column = next((at for at, name in names if name in COLUMNS and COLUMNS[name].order == order), -1)
        is_rising = (order == "number") != self._is_reversed
        direction = Qt.SortOrder.AscendingOrder if is_rising else Qt.SortOrder.DescendingOrder
        self.view.horizontalHeader().setSortIndicator(column, direction)

    # New runs

    @Slot(object)
    def _on_answered(self, answer: RowsAnswer) -> None:
        self._show_problem("")
        self._show_count()
        request = answer.request
        if request.is_refresh:
            self.view.follow(answer)
        if request.known is None:
            self.view.scrollToTop()
            self.view.look_again()
        if self._to_choose is not None and request.known is None:
            (_, row), self._to_choose = self._to_choose, None
            self._choose(row)
        elif not self.view.is_choice_known():
            self.view.look_again()  # what is chosen may be known now
        elif request.is_refresh:
            self._show_chosen()

    # The chosen runs

    @Slot()
    def _show_chosen(self) -> None:
        """What can be done with what is chosen, and the run itself where it is one."""
        runs, count = self.view.chosen_runs(), self.view.chosen_count()
        self._forget_found()
        self._enable_actions(len(runs))
        if len(runs) == 1 and count == 1:
            key = key_of(runs[0])
            self._previewer.ask(self.model.path, key, partial(read_run, self.model.path, key))
            return
        self._previewer.cancel()
        self._decider.cancel()
        if count < MIN_LANES:
            self.preview.show_hint(_HINT if self.model.rowCount() else "")
        elif count <= MAX_LANES:
            self.preview.show_hint(f"{count} runs are chosen: Compare shows them side by side.")
        else:
            self.preview.show_hint(f"{count:,} runs are chosen; up to {MAX_LANES} can be compared.")

    def _on_previewed(self, answer: tuple[Key, RunRow]) -> None:
        plan = self.model.plan
        (cell, number), row = answer
        config = plan.cells[cell].config_of(number)
        parts = [f"Seed {seed_text(config.seed)}", cell_phrase(plan, cell)]
        is_known = decisive_steps.DECISIVE_STEPS.get(config) is not None
        if row.stuck_since is None or is_known or self._finder.is_busy:
            self._decider.cancel()
        else:
            self._decider.ask(self.model.path, (cell, number), partial(_find, config, row.stuck_since))
        self.preview.show_run(" · ".join(filter(None, parts)), row, config)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        run = self.model.row_at(index.row())
        if run is not None:
            self._open(run)

    def _open(self, run: StoredRun) -> None:
        title, explanation = opened_run_text(self.model.plan, run)
        request = ShowRequest(
            run=self.model.config_of(run),
            iteration=run.row.notable_iteration,
            title=title,
            explanation=explanation,
            seeks_decisive_step=run.row.stuck_since is not None,
        )
        self.run_requested.emit(request)

    # What decided them

    @Slot()
    def find_decisive_steps(self) -> None:
        """Look for the decisive steps of the stuck runs listed, or no longer."""
        model = self.model
        if self._finder.is_busy:
            self._finder.cancel()
            self._undecided = []
        else:
            self._decider.cancel()
            self._decided = self._others = 0
            seen = [run for row in self.view.seen_rows() if (run := model.run_if_known(row)) is not None]
            work = partial(_unknown, model.path, model.plan, model.query, seen)
            self._finder.ask(model.path, model.query, work)
        self._on_decided()

    def _on_looked(self, answer: tuple[list[_Wanted], int] | None) -> None:
        """It is known which are wanted, or one more of them is done."""
        if answer is None:
            self._decided += 1
            del self._undecided[0]
        else:
            self._undecided, self._others = answer
        if self._undecided:
            config, stuck_since = self._undecided[0]
            self._finder.ask(config, "", partial(_find, config, stuck_since))
        self._on_decided()

    def _on_finding_failed(self, problem: str) -> None:
        self._undecided = []
        self._on_decided()
        self._show_problem(problem)

    def _on_decided(self, _: object = None) -> None:
        seen = self.view.seen_rows()
        self.model.show_again(seen.start, seen.stop)
        self.preview.show_decided()
        self._show_count()

    def _show_finder(self) -> None:
        is_busy, button = self._finder.is_busy, self.decisive_steps_button
        button.setText("Stop" if is_busy else _FIND_STEPS)
        set_tip(button, _STOP_STEPS_TIP if is_busy else _FIND_STEPS_TIP)
        button.setAccessibleName("Stop looking for decisive steps" if is_busy else "Find decisive steps")
        button.setVisible(self.model.plan.is_about("decided"))
        button.setEnabled(is_busy or self.model.total > 0)

    def _enable_actions(self, known: int) -> None:
        """Enable what can be done when this many of the chosen runs are known."""
        can_compare, ending = self.view.can_compare(), "" if known < 2 else "s"
        self._seed_action.setText(f"Copy &seed{ending}")
        self._command_action.setText(f"Copy command &line{ending}")
        for part, is_enabled in (
            (self.open_button, known == 1),
            (self._open_action, known == 1),
            (self.compare_button, can_compare),
            (self._compare_action, can_compare),
            (self._copy_action, self.view.chosen_count() > 0),
            (self._seed_action, known > 0),
            (self._command_action, known > 0),
        ):
            part.setEnabled(is_enabled)

    # The run with a seed

    def _on_located(self, answer: LocatedRow) -> None:
        found = answer.found
        if found is None or found.row >= MOST_ROWS:
            self._show_problem(_NO_SUCH_SEED if found is None else _TOO_FAR_DOWN)
            return
        text = found_text(self.model.plan, answer, self.outcome)
        is_wider = answer.query.outcome != self.outcome
        if is_wider:
            self.outcome_field.choose("")
        if is_wider or answer.rows != self.model.total:
            self._show_query()
        self._found = (found.key, text)
        if self.model.is_listing:
            self._to_choose = found
        else:
            self._choose(found.row)
        if answer.turns == 1:
            self.view.setFocus()  # where there are more, Return goes on to the next one
        self._show_count()

    def _forget_found(self) -> None:
        """Say no longer that a run was found by its seed, when another one is chosen."""
        if self._found is None or self._to_choose is not None:
            return
        keys = [key_of(run) for run in self.view.chosen_runs()]
        if self.view.chosen_count() != 1 or keys not in ([], [self._found[0]]):
            self._found = None
            self._show_count()

    def _choose(self, row: int) -> None:
        index = self.model.index(row, 0)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index, RunsView.ScrollHint.PositionAtCenter)

    # What is shown

    def _show_count(self) -> None:
        model = self.model
        if model.is_busy and not model.total:
            note = text = "Reading the runs …"
        elif not model.total:
            has_filter = self.outcome is not None or self.cell is not None
            note = "No run matches." if has_filter else "There are no runs yet."
            text = "no runs"
        else:
            note = ""
            text = counted(model.total, "run")
            if model.total > MOST_ROWS:
                text += (
                    f"; only the first {MOST_ROWS:,} are listed: choose a cell or an outcome to see others"
                )
            elif model.is_busy:
                text += ", sorting …"
            if self._found is not None:
                text = self._found[1]
            elif self._finder.is_busy:
                total = self._decided + len(self._undecided)
                text = f"{text}; decisive steps: {self._decided:,} of {total:,} found …"
            elif self._others and self._decided:
                text = f"{text}; {counted(self._decided, 'decisive step')} found, {self._others:,} to go"
        self.count_label.setText(text)
        self.count_label.setToolTip(text)
        self.view.show_note(note)
        self._show_finder()

    @Slot(str)
    def _show_problem(self, problem: str) -> None:
        show_sentence(self.problem_label, problem)

    # Building

    def _build(self) -> None:
        filters = QHBoxLayout()
        filters.setSpacing(_GAP)
        _add(filters, "&Outcome", self.outcome_field)
        self._cell_label = _add(filters, "Ce&ll", self.cell_field, 1)
        _add(filters, "O&rder", self.order_field)
        seed = QWidget()  # not in the line above: that is too wide in large type
        seed_layout = row_in(seed, spacing=_GAP)
        _add(seed_layout, "Go to see&d", self.seed_field, 1)
        seed_layout.addWidget(self.go_button)
        line = QHBoxLayout()
        line.addWidget(self.count_label, 1)
        line.addWidget(seed)
        line.addSpacing(10)
        line.addWidget(self.decisive_steps_button)
        line.addWidget(self.compare_button)
        line.addWidget(self.open_button)
        column_in(self, filters, self.problem_label, (self.view, 1), self.preview, line, spacing=8)
        self.setFocusProxy(self.view)
        view, copy = self.view, QKeySequence(QKeySequence.StandardKey.Copy)
        self._open_action = add_action(
            view, f"&Open in the main window\t{key_text('Return')}", self.open_chosen
        )
        self._compare_action = add_action(view, f"&Compare\t{key_text('Ctrl+K')}", self.compare_chosen)
        self._copy_action = add_action(view, "Copy &rows", self.copy_chosen, copy)
        self._seed_action = add_action(view, "", self.copy_seed)
        self._command_action = add_action(view, "", self.copy_command)
        add_sort_menu(view, self._on_head_clicked)

    def _connect(self) -> None:
        for choice in (self.outcome_field, self.cell_field, self.order_field):
            choice.currentIndexChanged.connect(self._on_filter_changed)
        self.seed_field.returnPressed.connect(self.go_to_seed)
        self.go_button.clicked.connect(self.go_to_seed)
        self.view.doubleClicked.connect(self._on_double_clicked)
        self.view.horizontalHeader().sectionClicked.connect(self._on_head_clicked)
        self.view.choice_changed.connect(self._show_chosen)
        self.model.answered.connect(self._on_answered)
        self.model.failed.connect(self._show_problem)
        self.decisive_steps_button.clicked.connect(self.find_decisive_steps)
        self.open_button.clicked.connect(self.open_chosen)
        self.compare_button.clicked.connect(self.compare_chosen)
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence("Ctrl+K"), self, self.compare_chosen, context=context)
        QShortcut(QKeySequence("Ctrl+G"), self, self._on_go_to_asked, context=context)

    @Slot()
    def _on_go_to_asked(self) -> None:
        self.seed_field.setFocus()
        self.seed_field.selectAll()
