"""All runs of an experiment, to be filtered, sorted, opened in the stepper, compared and copied."""

from collections.abc import Callable, Sequence
from functools import partial
from math import log2
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QTableView,
    QWidget,
)

from gpviz.app.experiments.decision_finder import DecisionFinder
from gpviz.app.experiments.runs_model import COLUMNS, ICON_SHAPE, MOST_ROWS, RunsModel
from gpviz.app.key_text import key_text
from gpviz.app.tasks import BackgroundTask
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, sentence, set_tip
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.table_setup import SortableHeader, set_up_rows, sort_menu
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.throttle import Throttle
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.whole_number import whole_number
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import Decision
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_row import RunRow, decode_path
from gpviz.experiments.run_text import (
    OUTCOMES,
    cell_words,
    command_line,
    comparison_labels,
    decision_sentence,
    opened_words,
    run_sentence,
    seed_text,
)
from gpviz.experiments.store import StoredRun
from gpviz.experiments.store_pages import (
    Key,
    LocatedRow,
    RowPosition,
    RowsAnswer,
    locate,
    read_rows,
    read_run,
)
from gpviz.experiments.store_query import RunQuery
from gpviz.number_text import counted
from gpviz.runs.comparison_presets import MAX_LANES, MIN_LANES, Comparison, LaneSpec
from gpviz.runs.show_request import ShowRequest

_PADDING: Final = 16
_ROOM_FOR_SIGN: Final = 16

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
"""The orders that a person can choose, in words."""
_ORDER_HINTS: Final = {
    "slowest": "Most iterations first. Stuck runs come last: they never end.",
    "longest_wait": "The longest wait for an improvement first. Stuck runs come last: they wait for ever.",
}
_ORDERED_BY: Final = {
    "most_duplicates": "duplicate_accepted",
    "most_true_error_grew": "true_error_grew",
    "most_full": "share_full",
}
"""The measures of orders that only some plans are about."""
_GAP: Final = 6
_MOST_KNOWN = 10_000
_MOST_KEPT = 8
"""More runs than these are not looked for again: what is chosen then are rows, whatever comes to stand in them."""
MOST_COPIED: Final = 10_000
_WIDTH: Final = 18
_LINES: Final = 3.2
_MARGIN: Final = 5.0
_PACE_MS: Final = 1_000
_FIND_DECISIONS: Final = "Decisive steps"
_FIND_DECISIONS_TIP: Final = (
    "Find the step that decided each stuck run listed. It takes a moment for each, in the background."
)
_STOP_DECISIONS_TIP: Final = "Stop looking for decisive steps; those found stay."
_HINT: Final = key_text("Double-click a run to watch it. Choose two to four (Ctrl+click) to compare them.")


class MenuEntry(NamedTuple):
    """What a menu offers: its words, the key that does the same, what it does, and whether it can."""

    text: str
    keys: str
    handler: Callable[[], None]
    is_possible: bool


class RunsView(Themed, QTableView):
    """Whole rows. Return opens the current one, Escape chooses none."""

    row_opened = Signal(int)
    copy_asked = Signal()
    menu_asked = Signal(object)

    def __init__(self, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = model
        self._note = ""
        self._widths: list[int] = []
        self.setHorizontalHeader(SortableHeader(self))
        self.setModel(model)
        set_up_rows(self, "Runs")
        self.setAccessibleDescription(
            key_text(
                "Return opens a run in the stepper; choose two to four and press Ctrl+K to compare them."
            )
        )
        header = self.horizontalHeader()
        header.setSortIndicatorShown(True)
        header.setResizeContentsPrecision(0)
        self.doubleClicked.connect(self._on_double_clicked)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Make room for this theme's type."""
        metrics = QFontMetrics(theme.font())
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 7)
        self.setIconSize(QSize(round(ICON_SHAPE * metrics.ascent()), metrics.ascent()))
        self.fit_columns()
        self.viewport().update()

    def fit_columns(self) -> None:
        """Make columns as wide as what usually stands in them."""
        metrics = QFontMetrics(self.theme.font())
        plan = self._runs.plan
        self._widths = []
        for column, head in zip(self._runs.columns, self._runs.heads(), strict=True):
            name, texts = column.name, [column.widest]
            if name == "seed" and plan is not None:
                texts.append(str(plan.seed + plan.runs)[:20])
            elif name not in COLUMNS and plan is not None:
                texts += [self._runs.setting_of(cell, name) for cell in range(len(plan.cells))]
            width = max(map(metrics.horizontalAdvance, texts), default=0)
            if name == "outcome":
                width += self.iconSize().width() + 6
            width = max(width, metrics.horizontalAdvance(head) + _ROOM_FOR_SIGN)
            self._widths.append(width + _PADDING)
        self._spread_columns()

    def show_note(self, text: str) -> None:
        """Write a sentence where rows would be; for want of rows."""
        self._note = text
        self.viewport().update()

    def chosen_rows(self) -> list[range]:
        """The rows that are chosen, in order; ranges, as there may be a million."""
        selection = self.selectionModel().selection()
        parts = [selection.at(place) for place in range(selection.size())]
        found = sorted({(part.top(), part.bottom()) for part in parts})
        return [range(top, bottom + 1) for top, bottom in found]

    def choose_rows(self, rows: list[int], current: int | None) -> None:
        """Choose these rows and no others."""
        model = self.model()
        last = model.columnCount() - 1
        selection = QItemSelection()
        for row in rows:
            selection.select(model.index(row, 0), model.index(row, last))
        chooser = self.selectionModel()
        chooser.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if current is not None:
            chooser.setCurrentIndex(model.index(current, 0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def seen_rows(self) -> range:
        """The rows that are to be seen."""
        height = max(self.verticalHeader().defaultSectionSize(), 1)
        first = self.verticalScrollBar().value() // height
        return range(first, first + self.viewport().height() // height + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current.isValid():
            self.row_opened.emit(current.row())
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        elif event.key() == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802
        """Nothing: it would read all rows from the file, one after the other."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread_columns()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        self.menu_asked.emit(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._note and not self.model().rowCount():
            with QPainter(self.viewport()) as painter:
                painter.setPen(self.palette().placeholderText().color())
                area = self.viewport().rect().adjusted(12, 12, -12, -12)
                flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
                painter.drawText(area, flags, self._note)

    def _spread_columns(self) -> None:
        """Share out what room is left over, and no less than each column needs."""
        spare = max(self.viewport().width() - sum(self._widths), 0)
        for place, width in enumerate(self._widths):
            share = spare // (len(self._widths) - place)
            spare -= share
            self.setColumnWidth(place, width + share)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.row_opened.emit(index.row())


def menu_of(entries: Sequence[MenuEntry], parent: QWidget) -> QMenu:
    """A menu that is gone when it is closed."""
    menu = MacSafeMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for text, keys, handler, is_possible in entries:
        action = QAction(f"{text}\t{key_text(keys)}" if keys else text, menu)
        action.setEnabled(is_possible)
        action.triggered.connect(handler)
        menu.addAction(action)
    return menu


class RunsFilterBar(QWidget):
    """The line above the table of runs: which outcome, which cell, in which order, and a seed to go to."""

    filter_changed = Signal()
    seed_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcome_field = _choice("Outcome", "List only the runs that ended like this.")
        self.outcome_field.addItem("All", None)
        for outcome in OUTCOMES:
            self.outcome_field.addItem(outcome.capitalize(), outcome)
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
        self.go_button = QPushButton("Go")
        self.go_button.setAccessibleName("Go to the seed")
        self.go_button.setToolTip("Go to the run with this seed; press again for the next one.")
        self.go_button.setAutoDefault(False)
        self.seed_row = QWidget()
        """What goes to a seed, to be put where there is room: all in one line is too much for large type."""
        self._labels: dict[QWidget, QLabel] = {}
        layout = row_in(self, spacing=_GAP)
        self._add(layout, "&Outcome", self.outcome_field)
        self._add(layout, "Ce&ll", self.cell_field, 1)
        self._add(layout, "O&rder", self.order_field)
        seed_layout = row_in(self.seed_row, spacing=_GAP)
        self._add(seed_layout, "Go to see&d", self.seed_field, 1)
        seed_layout.addWidget(self.go_button)
        for choice in (self.outcome_field, self.cell_field, self.order_field):
            choice.currentIndexChanged.connect(self._on_changed)
        self.seed_field.returnPressed.connect(self._on_seed_asked)
        self.go_button.clicked.connect(self._on_seed_asked)
        self.show_plan(None)

    @property
    def outcome(self) -> str | None:
        """The outcome that is listed; None for all."""
        value: str | None = self.outcome_field.currentData()
        return value

    @property
    def cell(self) -> int | None:
        """The cell that is listed; None for all."""
        value: int | None = self.cell_field.currentData()
        return value

    @property
    def order(self) -> str:
        """The order."""
        return str(self.order_field.currentData())

    def show_plan(self, plan: Plan | None) -> None:
        """Offer the cells of a plan, where there is more than one, and the orders that it is about."""
        self._show_orders(plan)
        self.cell_field.blockSignals(True)
        self.cell_field.clear()
        self.cell_field.addItem("All", None)
        if plan is not None and len(plan.cells) > 1:
            self.cell_field.addItems([cell_words(plan, cell.number) for cell in plan.cells])
            for place, cell in enumerate(plan.cells, start=1):
                self.cell_field.setItemData(place, cell.number)
        self.cell_field.blockSignals(False)
        has_cells = self.cell_field.count() > 1
        self.cell_field.setEnabled(has_cells)
        self._labels[self.cell_field].setEnabled(has_cells)

    def _show_orders(self, plan: Plan | None) -> None:
        field = self.order_field
        field.blockSignals(True)
        field.clear()
        for order, words in ORDERS.items():
            measure = _ORDERED_BY.get(order)
            if measure is None or (plan is not None and plan.is_about(measure)):
                field.addItem(words, order)
                field.setItemData(field.count() - 1, _ORDER_HINTS.get(order), Qt.ItemDataRole.ToolTipRole)
        field.blockSignals(False)

    def choose(self, *, outcome: str | None, cell: int | None, order: str) -> None:
        """Show this choice, without saying that it has changed."""
        for field, value in (
            (self.outcome_field, outcome),
            (self.cell_field, cell),
            (self.order_field, order),
        ):
            field.blockSignals(True)
            # Qt finds no item by the value None.
            field.setCurrentIndex(0 if value is None else field.findData(value))
            field.blockSignals(False)

    def _add(self, layout: QHBoxLayout, text: str, field: QWidget, stretch: int = 0) -> None:
        """Put a field behind those that are there, with its name before it."""
        label = QLabel(text)
        label.setProperty("role", "muted")
        label.setBuddy(field)
        self._labels[field] = label
        if layout.count():
            layout.addSpacing(_GAP)
        layout.addWidget(label)
        layout.addWidget(field, stretch)

    @Slot(int)
    def _on_changed(self, _: int) -> None:
        self.filter_changed.emit()

    @Slot()
    def _on_seed_asked(self) -> None:
        self.seed_asked.emit(self.seed_field.text())


class _SeedField(QLineEdit):
    """A field that is never too narrow for a usual seed, whatever the size of the type."""

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(hint.width() + self.fontMetrics().horizontalAdvance("000000"), hint.height())


def _choice(name: str, hint: str) -> QComboBox:
    field = QComboBox()
    field.setAccessibleName(name)
    set_tip(field, hint)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return field


class ChosenRuns(QObject):
    """The chosen rows, and the runs in them as far as they are read; new runs between them leave them chosen."""

    changed = Signal()

    def __init__(self, model: RunsModel, view: RunsView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._known: dict[int, StoredRun] = {}
        view.selectionModel().selectionChanged.connect(self._on_selection_changed)

    @property
    def rows(self) -> list[range]:
        """The chosen rows in order."""
        return self._view.chosen_rows()

    @property
    def count(self) -> int:
        """How many rows are chosen, whether or not their runs are known."""
        return sum(map(len, self.rows))

    @property
    def runs(self) -> list[StoredRun]:
        """The chosen runs from top to bottom, as far as they are known; empty where there are very many."""
        return [self._known[row] for row in sorted(self._known)]

    @property
    def row_to_open(self) -> int:
        """The row that Open means: the current one, or else the first that is chosen."""
        current = self._view.currentIndex().row()
        return current if current in self._known else min(self._known, default=current)

    @property
    def is_incomplete(self) -> bool:
        """Whether some of the chosen runs are not known."""
        return self.count != len(self._known)

    @property
    def can_compare(self) -> bool:
        """Whether there are as many as can be compared."""
        return MIN_LANES <= len(self._known) <= MAX_LANES and not self.is_incomplete

    def look_again(self) -> None:
        """See which runs stand in the chosen rows."""
        known: dict[int, StoredRun] = {}
        if self.count <= _MOST_KNOWN:
            for row in (row for some in self.rows for row in some):
                run = self._model.run_if_known(row)
                if run is not None:
                    known[row] = run
        self._known = known
        self.changed.emit()

    def places(self) -> tuple[RowPosition, ...]:
        """What is to be found again when new runs have come: what is seen at the top, then the chosen runs."""
        first = self._view.seen_rows().start
        # At the very top one sees what comes first, whatever it is.
        top = self._model.row_at(first) if self._view.verticalScrollBar().value() else None
        kept = [RowPosition((-1, -1), first) if top is None else _place(top, first)]
        if len(self._known) <= _MOST_KEPT:
            kept += [_place(run, row) for row, run in self._known.items()]
        return tuple(kept)

    def follow(self, answer: RowsAnswer) -> None:
        """New runs have come: keep what is chosen and what is seen, although others stand before them."""
        if len(self._known) > _MOST_KEPT:
            self.look_again()
        moved = answer.moved
        if not moved:
            return
        top, chosen = answer.request.kept[0], answer.request.kept[1:]
        shift = moved.get(top.key, top.row) - top.row
        if shift:
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() + shift * self._view.verticalHeader().defaultSectionSize())
        if any(moved.get(key, row) != row for key, row in chosen):
            current = self._view.currentIndex().row()
            rows = {row: moved[key] for key, row in chosen if key in moved}
            runs = dict(self._known)
            self._view.choose_rows(sorted(rows.values()), rows.get(current))
            self._known = {new: runs[old] for old, new in rows.items() if old in runs}
            self.changed.emit()

    @Slot(QItemSelection, QItemSelection)
    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        self.look_again()


def _place(run: StoredRun, row: int) -> RowPosition:
    return RowPosition((run.cell, run.row.number), row)


class RunCopier(QObject):
    """Puts runs on the clipboard; those that are not known yet are read in the background first."""

    failed = Signal(object)

    def __init__(self, model: RunsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._background = BackgroundTask("gpviz-run-copy", self)
        self._background.finished.connect(self._on_read)
        self._background.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        """Whether runs are still being read."""
        return self._background.is_busy

    def copy_rows(self, rows: Sequence[range], known: Sequence[StoredRun]) -> None:
        """Copy these rows with the heads above them; ``known`` are the runs in them, as far as they are known."""
        count = sum(map(len, rows))
        if not count or self._model.path is None:
            return
        if count > MOST_COPIED:
            problem = f"Copy: {count:,} rows are selected; at most {MOST_COPIED:,} are allowed."
            self.failed.emit(GpvizError(problem))
        elif len(known) == count:
            self._on_read(known)
        else:
            self._background.ask(partial(read_rows, self._model.path, self._model.query, rows))

    def copy_seeds(self, runs: Sequence[StoredRun]) -> None:
        """Copy the seeds of runs."""
        _to_clipboard([str(self._model.config_of(run).seed) for run in runs])

    def copy_commands(self, runs: Sequence[StoredRun]) -> None:
        """Copy what to type to see runs in a terminal."""
        _to_clipboard([command_line(self._model.config_of(run), run.row) for run in runs])

    def cancel(self) -> None:
        """Nobody waits for what is being read."""
        self._background.cancel()

    def close(self) -> None:
        """End the thread."""
        self._background.close()

    @Slot(object)
    def _on_read(self, runs: Sequence[StoredRun]) -> None:
        lines = [self._model.heads(), *(self._model.row_texts(run) for run in runs)]
        _to_clipboard(["\t".join(texts) for texts in lines] + [""])


def _to_clipboard(lines: Sequence[str]) -> None:
    if lines:
        QGuiApplication.clipboard().setText("\n".join(lines))


class SeedSeeker(QObject):
    """Finds one run with a seed after the other, in the order of the table, in the background."""

    located = Signal(object)
    failed = Signal(object)

    def __init__(self, model: RunsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._background = BackgroundTask("gpviz-run-seek", self)
        self._background.finished.connect(self._on_located)
        self._background.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        """Whether a run is still being looked for."""
        return self._background.is_busy

    def seek(self, text: str, current: StoredRun | None) -> None:
        """Look for a run with this seed; where the current one has it, for the next."""
        plan, path = self._model.plan, self._model.path
        if plan is None or path is None:
            return
        try:
            seed = whole_number("seed", text, plan.seed, plan.seed + plan.runs - 1)
        except GpvizError as problem:
            self.failed.emit(problem)
            return
        number = seed - plan.seed
        after = (current.cell, number) if current is not None and current.row.number == number else None
        self._background.ask(partial(locate, path, self._model.query, number, after))

    def cancel(self) -> None:
        """Nobody waits for what is being looked for."""
        self._background.cancel()

    def close(self) -> None:
        """End the thread."""
        self._background.close()

    @Slot(object)
    def _on_located(self, answer: LocatedRow) -> None:
        if answer.place is None:
            self.failed.emit(GpvizError("No finished run has this seed."))
        elif answer.place.row >= MOST_ROWS:
            self.failed.emit(GpvizError("The run is too far down to be listed; choose its cell first."))
        else:
            self.located.emit(answer)


def found_words(plan: Plan, answer: LocatedRow, outcome: str | None) -> str:
    """Which of the runs with a seed was found; ``outcome`` is what was listed before."""
    assert answer.place is not None
    words = f"seed {seed_text(plan.seed + answer.place.key[1])}"
    if answer.turns > 1:
        words = f"{answer.turn:,} of {answer.turns:,} runs with {words}"
    if answer.query.outcome != outcome:
        words += f"; it is not {outcome}, so all outcomes are listed"
    return words


class RunPreview(Themed, QWidget):
    """The line below the table of runs: a run in a sentence beside its curve; with no run a hint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = sentence("", self)
        self.label.setAccessibleDescription("The chosen run")
        self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.curve = ErrorCurve(self)
        layout = row_in(self, spacing=12)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.curve)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type; there is room for as many lines as the curve is high."""
        self.setMinimumHeight(self.curve.sizeHint().height())

    def show_hint(self, text: str) -> None:
        """Show a sentence and no run."""
        self.label.setText(text)
        self.curve.show_path([], 0, 0)

    def show_run(self, name: str, row: RunRow, config: RunConfig, decision: Decision | None = None) -> None:
        """Show a run, read with its path, and what decided it where that is known."""
        why = "" if decision is None else f" {decision_sentence(decision)}"
        self.label.setText(f"{name}. {run_sentence(row, config)}{why}")
        decided = None if decision is None else decision.iteration
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

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours."""
        self.setFixedSize(self.sizeHint())
        self.update()

    def show_path(self, path: list[tuple[int, int]], iterations: int, decisive: int) -> None:
        """Show a run by its improvements; without any, nothing."""
        self._path, self._iterations, self._decisive = path, iterations, decisive
        self.update()

    def sizeHint(self) -> QSize:
        unit = self.theme.font_size * 1.33
        return QSize(round(_WIDTH * unit), round(_LINES * unit * 1.25))

    def points(self, area: QRectF) -> QPolygonF:
        """The corners of the steps within an area."""
        highest = max((_height(error) for _, error in self._path), default=0.0) or 1.0
        width = max(self._iterations, 1)
        points: list[QPointF] = []
        before: float | None = None
        for iteration, error in [*self._path, (self._iterations, self._path[-1][1])]:
            x = area.left() + area.width() * iteration / width
            y = area.bottom() - area.height() * _height(error) / highest
            if before is not None:
                points.append(QPointF(x, before))
            points.append(QPointF(x, y))
            before = y
        return QPolygonF(points)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._path:
            return
        colours, scale = self.theme.colours, self.theme.line_scale
        area = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN - 5 * scale)
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


def _height(error: int) -> float:
    """How high an error is drawn; errors may have thousands of digits."""
    return log2(error + 1)


class RunsTable(Themed, QWidget):
    """The table of all runs with its filters. A run's iteration is the one worth looking at first."""

    run_requested = Signal(object)
    """A `ShowRequest`: the run at the iteration that decided it."""
    comparison_requested = Signal(object)
    """A `Comparison` of the chosen runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_reversed = False
        self._to_choose: RowPosition | None = None
        self._previewed: Key | None = None
        self._preview: tuple[str, RunRow, RunConfig] | None = None
        self._found: tuple[Key, str] | None = None
        self.model = RunsModel(self)
        self.bar = RunsFilterBar()
        self.view = RunsView(self.model)
        self.chosen = ChosenRuns(self.model, self.view, self)
        self.copier = RunCopier(self.model, self)
        self.preview = RunPreview()
        self.count_label = ElidedLabel()
        self.count_label.setProperty("role", "muted")
        self.problem_label = sentence("problem")
        self.problem_label.hide()
        self.open_button = _button("Open", "Open the run where it was decided, or waited longest (Return).")
        self.open_button.setProperty("role", "primary")
        self.compare_button = _button("Compare", key_text("Show two to four runs side by side (Ctrl+K)."))
        self.decisions_button = _button(_FIND_DECISIONS, _FIND_DECISIONS_TIP)
        self._build()
        self._previewer = BackgroundTask("gpviz-run-look", self)
        self._previewer.finished.connect(self._on_previewed)
        self._previewer.failed.connect(self._on_failed)
        self._seeker = SeedSeeker(self.model, self)
        self._seeker.located.connect(self._on_located)
        self._seeker.failed.connect(self._on_failed)
        self._decider = DecisionFinder(self)
        self._finder = DecisionFinder(self)
        for finder in (self._decider, self._finder):
            finder.progressed.connect(self._on_decided)
            finder.failed.connect(self._on_failed)
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
        self._decider.cancel()
        self._finder.cancel()
        self.copier.cancel()
        self._is_reversed = False
        self._to_choose = self._found = None
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

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.model.apply_theme(theme)

    def shut_down(self) -> None:
        """End what works in the background."""
        self._throttle.cancel()
        self.model.close()
        self._previewer.close()
        self._seeker.close()
        self._decider.close()
        self._finder.close()
        self.copier.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape also stops looking for decisive steps."""
        if event.key() == Qt.Key.Key_Escape and self._finder.is_busy:
            self._finder.cancel()
        else:
            super().keyPressEvent(event)

    # What is chosen

    def chosen_runs(self) -> list[StoredRun]:
        """The chosen runs from top to bottom, as far as they are known; empty where there are very many."""
        return self.chosen.runs

    @Slot()
    def open_chosen(self) -> None:
        """Say that the current run is to be opened."""
        self._on_row_opened(self.chosen.row_to_open)

    @Slot()
    def compare_chosen(self) -> None:
        """Say that the chosen runs are to be compared, if there are as many as that."""
        plan, runs = self.model.plan, self.chosen.runs
        if plan is None or not self.chosen.can_compare:
            return
        labels = comparison_labels(plan, runs)
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
        self._seeker.seek(text, self.model.row_at(self.view.currentIndex().row()))

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
            (place for place, name in enumerate(self.model.names) if self.model.sign_order(name) == order),
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
    def _on_answered(self, answer: RowsAnswer) -> None:
        self._tell("")
        self._show_count()
        request = answer.request
        if request.is_refresh:
            self.chosen.follow(answer)
        if request.known is None:
            self.view.scrollToTop()
            self.chosen.look_again()
        if self._to_choose is not None and request.known is None:
            (_, row), self._to_choose = self._to_choose, None
            self._choose(row)
        elif self.chosen.is_incomplete:
            self.chosen.look_again()  # what is chosen may be known now
        elif request.is_refresh:
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
                self._previewed, self._preview = key, None
                self._decider.cancel()
                self._previewer.ask(partial(read_run, self.model.path, key))
            return
        self._previewed = self._preview = None
        self._previewer.cancel()
        self._decider.cancel()
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
        self._preview = " · ".join(word for word in words if word), row, config
        decision = decisive_steps.DECISIONS.get(config)
        if row.stuck_since is not None and decision is None and not self._finder.is_busy:
            self._decider.find(config, row.stuck_since)
        self.preview.show_run(*self._preview, decision)

    @Slot(int)
    def _on_row_opened(self, row: int) -> None:
        plan, run = self.model.plan, self.model.row_at(row)
        if plan is None or run is None:
            return
        title, explanation = opened_words(plan, run)
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
    def find_decisions(self) -> None:
        """Look for the decisive steps of the stuck runs listed, or no longer."""
        if self._finder.is_busy:
            self._finder.cancel()
            return
        plan, path = self.model.plan, self.model.path
        if plan is None or path is None:
            return
        self._decider.cancel()
        seen = [run for row in self.view.seen_rows() if (run := self.model.run_if_known(row)) is not None]
        self._finder.find_all(path, plan, self.model.query, seen)

    @Slot()
    def _on_decided(self) -> None:
        seen = self.view.seen_rows()
        last = min(seen.stop, self.model.rowCount()) - 1
        if seen.start <= last:
            self.model.tell_changed(seen.start, last)
        if self._preview is not None:
            _, _, config = self._preview
            self.preview.show_run(*self._preview, decisive_steps.DECISIONS.get(config))
        self._show_finder()
        self._show_count()

    def _show_finder(self) -> None:
        is_busy = self._finder.is_busy
        self.decisions_button.setText("Stop" if is_busy else _FIND_DECISIONS)
        set_tip(self.decisions_button, _STOP_DECISIONS_TIP if is_busy else _FIND_DECISIONS_TIP)
        self.decisions_button.setAccessibleName(
            "Stop looking for decisive steps" if is_busy else "Find decisive steps"
        )
        plan = self.model.plan
        self.decisions_button.setVisible(plan is not None and plan.is_about("decided"))
        self.decisions_button.setEnabled(is_busy or (self.model.path is not None and self.model.total > 0))

    @Slot(object)
    def _on_menu_asked(self, place: QPoint) -> None:
        count = len(self.chosen.runs)
        entries = (
            MenuEntry("&Open in the stepper", "Return", self.open_chosen, count == 1),
            MenuEntry("&Compare", "Ctrl+K", self.compare_chosen, self.chosen.can_compare),
            MenuEntry("Copy &rows", "Ctrl+C", self.copy_chosen, self.chosen.count > 0),
            MenuEntry("Copy &seed" if count < 2 else "Copy &seeds", "", self.copy_seed, count > 0),
            MenuEntry(
                "Copy command &line" if count < 2 else "Copy command &lines", "", self.copy_command, count > 0
            ),
        )
        menu = menu_of(entries, self)
        menu.addMenu(sort_menu(self.view, self._on_head_clicked, menu))
        menu.popup(place)

    # The run with a seed

    @Slot(object)
    def _on_located(self, answer: LocatedRow) -> None:
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
            note = "The runs of the experiment appear here as they finish."
            text = ""
        elif model.is_busy and not model.total:
            note = text = "Reading the runs …"
        elif not model.total:
            has_filter = self.bar.outcome is not None or self.bar.cell is not None
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
                text = f"{text}; decisive steps: {self._finder.done:,} of {self._finder.total:,} found …"
            elif self._finder.others and self._finder.done:
                found = counted(self._finder.done, "decisive step")
                text = f"{text}; {found} found, {self._finder.others:,} to go"
        self.count_label.setText(text)
        self.count_label.setToolTip(text)
        self.view.show_note(note)
        self._show_finder()

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
        line.addWidget(self.decisions_button)
        line.addWidget(self.compare_button)
        line.addWidget(self.open_button)
        layout = column_in(self, spacing=8)
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
        self.decisions_button.clicked.connect(self.find_decisions)
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
