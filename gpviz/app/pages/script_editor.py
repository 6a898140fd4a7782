"""The script on the page By hand: recorded, written as text, and told entry by entry with its probabilities."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHeaderView, QPushButton, QStackedWidget, QTableView, QWidget

from gpviz.app.tasks import BackgroundTask
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import TextBox, heading, mark_wrong, sentence, set_tip
from gpviz.app.widgets.flow_layout import FlowLayout
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.table_model import CENTRE, RIGHT, Column, TableModel
from gpviz.app.widgets.table_setup import set_up_rows
from gpviz.app.widgets.themed import Themed
from gpviz.engine import GpvizError, Mutation, State
from gpviz.engine.mutation_script import MAX_ENTRIES, Script, format_script, parse_script
from gpviz.explain.script_text import (
    ScriptPreview,
    ScriptStep,
    conclusion_text,
    digits_text,
    exact_probability_text,
    preview_script,
    probability_text,
)
from gpviz.explain.step_text import VERDICT_SYMBOLS, VERDICT_WORDS
from gpviz.runs.history import History, Origin

_NONE_YET: Final = (
    "A script is carried out before a run draws its own mutations. Record what this run has done, add the mutation"
    " above, or write one as text."
)
_FORM: Final = (
    "One mutation a line: insert x1 · insert or x1 at 4 right · delete 3 · substitute 5 by x2. Nodes count from 1,"
    " the root, from left to right."
)
_ON_SAMPLES: Final = "On sampled rows a verdict is a matter of chance, so no probabilities are given."
_NOT_WORKED_OUT: Final = "–"
_MOST_ROWS: Final = 10
_FEWEST_ROWS: Final = 3
_MEASURED_ROWS: Final = 100
"""So many tell how wide a column is: to measure all takes longer than a frame."""


class _Row(NamedTuple):
    """An entry, and whether the iteration on show has carried it out."""

    step: ScriptStep
    is_shown: bool


def _probability_of(row: _Row) -> str:
    probability = row.step.probability
    return _NOT_WORKED_OUT if probability is None else probability_text(probability)


def _fraction_of(row: _Row) -> str:
    probability = row.step.probability
    return _NOT_WORKED_OUT if probability is None else exact_probability_text(probability)


def _product_of(row: _Row) -> str:
    product = row.step.product
    return _NOT_WORKED_OUT if product is None else digits_text(product)


def _exact_product(row: _Row) -> str | None:
    product = row.step.product
    return None if product is None else exact_probability_text(product)


_COLUMNS: Final[tuple[Column[_Row], ...]] = (
    Column(
        "number",
        lambda row: f"▶ {row.step.number:,}" if row.is_shown else f"{row.step.number:,}",
        "t",
        "The iteration that carries it out; ▶ is the one on show.",
        align=RIGHT,
        spoken=lambda row: f"{'Shown: ' if row.is_shown else ''}{row.step.number:,}",
    ),
    Column("entry", lambda row: row.step.entry, "Mutation", hint=lambda row: row.step.entry),
    Column(
        "verdict",
        lambda row: VERDICT_SYMBOLS[row.step.verdict],
        "",
        "What becomes of its offspring.",
        align=CENTRE,
        hint=lambda row: VERDICT_WORDS[row.step.verdict],
        spoken=lambda row: VERDICT_WORDS[row.step.verdict],
    ),
    Column(
        "probability",
        _probability_of,
        "Probability",
        "The exact probability that one iteration of the algorithm leads from the tree before to the tree after.",
        align=RIGHT,
        hint=_probability_of,
    ),
    Column(
        "product",
        _product_of,
        "Product",
        "The probability that the algorithm makes all trees up to here in this order.",
        align=RIGHT,
        hint=_exact_product,
    ),
)


_NARROW_COLUMNS: Final = tuple(
    replace(column, text=_fraction_of, head="p") if column.name == "probability" else column
    for column in _COLUMNS
)
"""Where there is no room for digits beside the fractions, which a tip shows then."""
_WIDE: Final = "▶ 10 insert and x2 at 13 right ≈ 1/1,000 ≈ 0.00833 1.2 × 10⁻¹¹"


class _Table(QTableView):
    """The entries. Enter shows the iteration of one, Delete removes those that are chosen."""

    chosen = Signal(int)
    removed = Signal()

    def __init__(self, model: TableModel[_Row], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        set_up_rows(self, "Script")
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(24)
        self.doubleClicked.connect(self._on_double_clicked)

    def places(self) -> list[int]:
        """The entries that are chosen, in their order, from 0."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def fit(self, rows: int) -> None:
        """Be as high as a few rows need."""
        height = round(self.fontMetrics().height() * 1.35)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        shown = min(max(rows, _FEWEST_ROWS), _MOST_ROWS)
        head = self.horizontalHeader().sizeHint().height()
        self.setMinimumHeight(head + shown * height + 2 * self.frameWidth() + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = self.places()
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and len(places) == 1
            and not event.modifiers()
        ):
            self.chosen.emit(places[0])
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and places:
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())


class ScriptEditor(Themed, QWidget):
    """Shows the script of the run on show until somebody writes another, of which a run can be started."""

    record_requested = Signal()
    """The iterations up to the one on show are to be the script."""
    add_requested = Signal()
    """The mutation that is put together is to be its last entry."""
    start_requested = Signal(object)
    """A run with this `Script` is to start."""
    iteration_chosen = Signal(int)
    """This iteration of the run's own script is to be shown."""
    entry_marked = Signal()
    """Another entry is marked: the one that the iteration on show has carried out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._origin: Origin | None = None
        self._iteration = 0
        self._shown = 0  # the entry that the iteration on show has carried out
        self._entry: int | None = None  # where it stands in the table
        self._script: Script | None = ()
        self._preview = ScriptPreview(())
        self._rows: list[_Row] = []
        self._background = BackgroundTask("gpviz script", self)
        self._background.finished.connect(self._on_previewed)
        self._background.failed.connect(self._on_failed)

        self.record_button = _button("Record", "")
        self.add_button = _button("Add", "Add the mutation above as the last entry, without applying it.")
        self.remove_button = _button("Remove", "Remove the chosen entries, or the last one (Delete).")
        self.text_button = _button("Text", "Write, copy or paste the script as text.")
        self.text_button.setCheckable(True)
        self.start_button = _button("Start", "")
        self.start_button.setProperty("role", "primary")
        self.model = TableModel(_COLUMNS, parent=self)
        self.table = _Table(self.model)
        self.text = TextBox(_FEWEST_ROWS + 2)
        self.text.setAccessibleName("Script as text")
        self.text.setPlaceholderText("insert x1\ninsert or x1 at 1\ninsert and x2 at 2 right")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.text)
        self.note = sentence("muted")
        self.conclusion = sentence("")
        self.problem = sentence("problem")
        self.problem.setAccessibleDescription("What is wrong with the script")
        self._lay_out()
        self._connect()
        self._refresh()

    # --- what comes in ---

    def show_moment(self, history: History, iteration: int) -> None:
        """The run on show is this one; its script comes, unless it has none and another is being written."""
        shown = iteration if iteration <= history.script_end else 0
        is_marked_otherwise = shown != self._shown
        self._iteration, self._shown = iteration, shown
        if history.origin != self._origin:
            is_other_written = self._script != (() if self._origin is None else self._origin[2])
            self._origin = history.origin
            if history.script or not is_other_written:
                self.set_script(history.script)
            self._ask()
        if is_marked_otherwise:
            self._mark_shown()
        self._refresh()

    def set_can_add(self, can_add: bool) -> None:
        """Whether a mutation is put together that could be added."""
        self.add_button.setEnabled(can_add)

    def set_script(self, script: Script) -> None:
        """Write another script; what was written can be brought back with Undo in the text."""
        start = None if self._origin is None else self._origin[1]
        text = "\n".join(format_script(script, start))
        if text == self.text.toPlainText():
            return
        cursor = QTextCursor(self.text.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def add(self, mutation: Mutation) -> None:
        """Write one more entry."""
        if self._script is not None:
            self.set_script((*self._script, mutation))

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.model.apply_theme(theme)
        self.table.fit(self.model.rowCount())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show fewer digits where there is little room."""
        super().resizeEvent(event)
        if self._columns() is not self.model.columns:
            self.model.show_rows(self._rows, self._columns())

    def shut_down(self) -> None:
        """End the thread that looks at the script."""
        self._background.close()

    def marked_entry(self) -> QRect:
        """Where the marked entry is in this widget; null if there is none."""
        if self._entry is None or self.stack.currentWidget() is not self.table:
            return QRect()
        place = self.table.visualRect(self.model.index(self._entry, 0))
        return place.translated(self.table.viewport().mapTo(self, QPoint(0, 0)))

    @property
    def is_busy(self) -> bool:
        """Whether something about the script is still to be found out."""
        return self._background.is_busy

    # --- what it shows ---

    def _ask(self) -> None:
        """Find out what comes of the script, in the background: it may be long."""
        try:
            self._script = parse_script(self.text.toPlainText())
            problem = ""
        except GpvizError as error:
            self._script, problem = None, str(error)
        self._background.cancel()
        if self._script is None or self._origin is None or not self._script:
            self._show(ScriptPreview((), problem))
            return
        config, start, _ = self._origin
        script = self._script
        self._background.ask(lambda should_stop: preview_script(config, start, script, should_stop))

    def _show(self, preview: ScriptPreview) -> None:
        self._preview = preview
        self._rows = self._marked([_Row(step, is_shown=False) for step in preview.steps])
        self.model.show_rows(self._rows, self._columns())
        self.table.fit(len(preview.steps))
        self._refresh()

    def _mark_shown(self) -> None:
        """Mark the entry that the iteration on show has carried out, and no other."""
        self._rows = self._marked(self._rows)
        self.model.update_rows(self._rows)

    def _marked(self, rows: Sequence[_Row]) -> list[_Row]:
        """The rows with the right one marked; the others, of which there may be thousands, are the same."""
        shown = self._shown if self._is_own else 0
        return [
            row if row.is_shown is (row.step.number == shown) else row._replace(is_shown=not row.is_shown)
            for row in rows
        ]

    def _columns(self) -> tuple[Column[_Row], ...]:
        needed = self.fontMetrics().horizontalAdvance(_WIDE) + 8 * len(_COLUMNS)
        return _COLUMNS if needed <= self.width() else _NARROW_COLUMNS

    @property
    def _is_own(self) -> bool:
        """Whether the run on show carries out what is written."""
        return self._origin is not None and bool(self._script) and self._script == self._origin[2]

    def _refresh(self) -> None:
        preview, script = self._preview, self._script
        self._follow_entry(self._shown - 1 if self._is_own and 0 < self._shown <= len(self._rows) else None)
        is_text, t = self.text_button.isChecked(), self._iteration
        self.stack.setCurrentWidget(self.text if is_text else self.table)
        self.stack.setVisible(is_text or bool(preview.steps))
        self.problem.setText(preview.problem)
        self.problem.setVisible(bool(preview.problem))
        mark_wrong(self.text, is_wrong=bool(preview.problem))
        is_sampled = self._origin is not None and self._origin[0].is_sampled
        note = _FORM if is_text else _NONE_YET if script == () else _ON_SAMPLES if is_sampled else ""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        product = preview.steps[-1].product if preview.steps else None
        conclusion = conclusion_text(product, is_stuck=preview.state is State.STUCK, tree="the last tree")
        self.conclusion.setText(conclusion)
        self.conclusion.setVisible(bool(conclusion))
        self.record_button.setText(f"Record 1 to {t:,}" if t > 1 else "Record")
        self.record_button.setEnabled(0 < t <= MAX_ENTRIES)
        set_tip(
            self.record_button,
            f"Make a script of the mutations of iterations 1 to {t:,}, drawn or by hand."
            if self.record_button.isEnabled()
            else f"A script has at most {MAX_ENTRIES:,} entries."
            if t
            else "There is nothing to record yet.",
        )
        self.remove_button.setEnabled(bool(preview.steps) and not preview.problem)
        reason = preview.problem or ("" if script else "There is no script yet.")
        self.start_button.setEnabled(not reason)
        set_tip(
            self.start_button, reason or "Start a run with the same settings that carries out this script."
        )

    def _follow_entry(self, place: int | None) -> None:
        if place != self._entry:
            self._entry = place
            if place is not None:
                self.table.scrollTo(self.model.index(place, 0))
                self.entry_marked.emit()

    # --- what happens ---

    @Slot()
    def _on_text_changed(self) -> None:
        self._ask()

    @Slot(object)
    def _on_previewed(self, preview: ScriptPreview) -> None:
        self._show(preview)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        if not isinstance(problem, GpvizError):
            raise problem
        self._show(ScriptPreview((), str(problem)))

    @Slot()
    def _on_remove(self) -> None:
        if not self._script:
            return
        gone = self.table.places() or [len(self._script) - 1]
        self.set_script(tuple(each for place, each in enumerate(self._script) if place not in gone))

    @Slot()
    def _on_start(self) -> None:
        if self._script and not self._preview.problem:
            self.start_requested.emit(self._script)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        if self._is_own:
            self.iteration_chosen.emit(place + 1)

    @Slot(bool)
    def _on_text_toggled(self, is_text: bool) -> None:
        self._refresh()
        (self.text if is_text else self.table).setFocus()

    # --- how it is made ---

    def _lay_out(self) -> None:
        buttons = QWidget()
        flow = FlowLayout()
        buttons.setLayout(flow)
        for button in (
            self.record_button,
            self.add_button,
            self.remove_button,
            self.text_button,
            self.start_button,
        ):
            flow.add(button)
        layout = column_in(self, spacing=6)
        layout.addWidget(heading("SCRIPT"))
        layout.addWidget(buttons)
        layout.addWidget(self.problem)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.conclusion)
        layout.addWidget(self.note)

    def _connect(self) -> None:
        self.record_button.clicked.connect(self.record_requested)
        self.add_button.clicked.connect(self.add_requested)
        self.remove_button.clicked.connect(self._on_remove)
        self.text_button.toggled.connect(self._on_text_toggled)
        self.start_button.clicked.connect(self._on_start)
        self.text.textChanged.connect(self._on_text_changed)
        self.table.chosen.connect(self._on_chosen)
        self.table.removed.connect(self._on_remove)


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_tip(button, tip)
    return button
