"""Lists the runs of an experiment, however many there are: it reads a page when that comes into view."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QObject,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QIcon, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget

from gpviz.app.key_text import key_text
from gpviz.app.question import Question
from gpviz.app.theme import Theme, icon
from gpviz.app.widgets.tables import LEFT, RIGHT, Column, SortableHeader, TableModel, set_up_rows
from gpviz.app.widgets.themed import Themed
from gpviz.engine.config import RunConfig
from gpviz.engine.settings import NO_VALUE, seed_text, setting
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.run_text import (
    decided_hint,
    decided_text,
    generalisation_text,
    iterations_hint,
    wait_hint,
    wait_text,
)
from gpviz.experiments.store import StoredRun
from gpviz.experiments.store_query import (
    PAGE,
    Key,
    RowPosition,
    RowsAnswer,
    RowsRequest,
    RunQuery,
    read_pages,
)
from gpviz.number_text import number_text
from gpviz.runs.presets import MAX_LANES, MIN_LANES

_OUTCOME_COLOURS: Final = {"solved": "solved", "stuck": "stuck", "stopped": "plateau", "failed": "problem"}
"""The theme colour of each outcome's icon."""
MOST_ROWS: Final = 2_000_000
"""No table can scroll through more rows than this; a filter brings up the others."""
_MOST_PAGES: Final = 100
_ICON_HEIGHT: Final = 1.5
"""How many times as high as a capital letter an icon is; the shape in it is as high as the letter."""
_PADDING: Final = 16
_SORT_SIGN_WIDTH: Final = 16
_MOST_KNOWN: Final = 10_000
_MOST_KEPT: Final = 8
"""More runs than these are not looked for again: what is chosen then are rows, whatever comes to stand in them."""
_AIR: Final = "\N{NO-BREAK SPACE}" * 3


class RunColumn(NamedTuple):
    """A column: its head, what it means, a text as wide as usual, how it is sorted, and its text for a run.

    Without a text it shows the number that has its name.
    """

    head: str
    tip: str
    widest: str
    order: str = ""
    text: Callable[[RunRow, RunConfig], str] | None = None
    hint: Callable[[RunRow, RunConfig], str | None] | None = None


def _full_text(row: RunRow, config: RunConfig) -> str:
    if config.max_leaves is None or not row.iterations:
        return NO_VALUE
    share = 100 * row.full_iterations / row.iterations
    return f"{share:.1f} %" if row.full_iterations else "0 %"


COLUMNS: Final = {
    "seed": RunColumn(
        "Seed", "The seed of the run. Type it into the settings to repeat the run.", "100,000", "number",
        lambda row, config: seed_text(config.seed + row.number),
    ),
    "outcome": RunColumn(
        "Outcome", "Solved, stuck by proof, stopped at the plan's last iteration, or failed.", "stopped",
        "stuck_first", lambda row, _: row.outcome,
    ),
    "iterations": RunColumn(
        "Iterations",
        "How many iterations the run took, or until it was proven stuck. Stuck runs sort last, as they "
        "never end.",
        "1,000,000", "slowest", hint=lambda row, _: iterations_hint(row),
    ),
    "leaves": RunColumn("Leaves", "The leaves of the final tree.", "1,000", "largest"),
    "ors": RunColumn("ORs", "The ORs in the final tree.", "100", "most_ors"),
    "ors_accepted": RunColumn(
        "ORs accepted", "How many ORs were accepted, including those removed later.", "100", "most_ors_accepted"
    ),
    "duplicate_accepted": RunColumn(
        "Duplicates", "How often a copy of a variable already in the tree was accepted.", "100", "most_duplicates"
    ),
    "true_error_grew": RunColumn(
        "True error grew", "How often a tree with a larger error on all rows was accepted.", "100",
        "most_true_error_grew",
    ),
    "stuck_since": RunColumn("Stuck since", "The iteration in which the run became stuck.", "100,000"),
    "decided": RunColumn(
        "Decided at",
        "The iteration that raised the chance to end stuck most; ? where nobody has looked for it.", "100,000",
        text=decided_text, hint=decided_hint,
    ),
    "wait": RunColumn(
        "Longest wait",
        "The longest wait for an improvement, and where it began. Stuck runs sort last, as they wait for "
        "ever.",
        "100,000 from 100,000", "longest_wait", lambda row, _: wait_text(row), lambda row, _: wait_hint(row),
    ),
    "error": RunColumn(
        "Final error", "On how many rows the final tree is wrong, as the run measured it.", "65,536"
    ),
    "generalisation": RunColumn(
        "Generalisation", "The generalisation error: the share of all rows that the final tree gets wrong.",
        "0.0001221", text=lambda row, config: generalisation_text(row, config.n),
    ),
    "share_full": RunColumn(
        "Full", "The share of the run's iterations whose parent had as many leaves as the limit allows.", "100 %",
        "most_full", _full_text,
    ),
}  # fmt: skip
"""The columns after those of the settings, by their names."""


def _columns(plan: Plan) -> list[Column[StoredRun]]:
    """The settings that a plan varies, and what became of a run."""

    @lru_cache(len(_OUTCOME_COLOURS))
    def outcome_icon(outcome: str, theme: Theme) -> QIcon:
        colour = getattr(theme.colours, _OUTCOME_COLOURS[outcome])
        return icon(f"outcome-{outcome}", theme, colour, chosen=theme.colours.accent_text)

    def config_of(run: StoredRun) -> RunConfig:
        return plan.cells[run.cell].config

    def setting_column(name: str) -> Column[StoredRun]:
        described = setting(name)
        return Column(
            name,
            lambda run: described.cell_text(config_of(run)),
            described.column_title,
            _with_click(described.table_help),
            widest=max((described.cell_text(cell.config) for cell in plan.cells), key=len),
            align=RIGHT,
        )

    def column(name: str, about: RunColumn) -> Column[StoredRun]:
        def text(run: StoredRun) -> str:
            if about.text is not None:
                return about.text(run.row, config_of(run))
            number = getattr(run.row, name)
            return NO_VALUE if number is None else number_text(number)

        is_outcome, hint = name == "outcome", about.hint
        last_seed = str(plan.seed + plan.runs)[:20] if name == "seed" else ""
        return Column(
            name,
            text,
            f"{_AIR}{about.head}" if is_outcome else about.head,  # the one before it ends where it begins
            _with_click(about.tip) if about.order else about.tip,
            widest=max(about.widest, last_seed, key=len),
            align=LEFT if is_outcome else RIGHT,
            hint=None if hint is None else lambda run: hint(run.row, config_of(run)),
            icon=(lambda run, theme: outcome_icon(run.row.outcome, theme)) if is_outcome else None,
        )

    shown = (each for each in COLUMNS.items() if plan.is_about(each[0]))
    return [*map(setting_column, plan.table_settings), *(column(*each) for each in shown)]


def _with_click(tip: str) -> str:
    return f"{tip}\nClick to sort by it."


class RunPages:
    """The rows of a query: how many there are, and the pages of them that were looked at last."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        """How many runs the query finds; no more than `MOST_ROWS` of them are rows."""
        self.pages: OrderedDict[int, list[StoredRun]] = OrderedDict()
        """What has been read, by the numbers of the pages."""

    def __len__(self) -> int:
        return min(self.total, MOST_ROWS)

    def __getitem__(self, row: int) -> StoredRun | None:
        number, position = divmod(row, PAGE)
        if number not in self.pages:
            return None
        self.pages.move_to_end(number)
        page = self.pages[number]
        return page[position] if position < len(page) else None

    def take(self, pages: Mapping[int, list[StoredRun]]) -> None:
        """Have these too, and let go of those that nobody looked at for long."""
        for number, page in pages.items():
            self.pages[number] = page
            self.pages.move_to_end(number)
        while len(self.pages) > _MOST_PAGES:
            self.pages.popitem(last=False)


class RunsModel(TableModel[StoredRun]):
    """The runs that a query finds. Rows that are not there yet show three dots, and are read in the background."""

    answered = Signal(object)
    failed = Signal(str)
    path: Path
    plan: Plan

    def __init__(self, parent: QObject | None = None) -> None:
        self._pages = RunPages()
        super().__init__((), self._pages, parent)
        self.query = RunQuery()
        """What is listed, and in which order; it may still be on its way."""
        self._is_new = False
        self._reading = Question(self, self._on_read, self._on_failed)

    @property
    def total(self) -> int:
        """How many runs the query finds; no more than `MOST_ROWS` of them are rows."""
        return self._pages.total

    @property
    def is_busy(self) -> bool:
        """Whether something is being read."""
        return self._reading.is_busy

    @property
    def is_listing(self) -> bool:
        """Whether what is on show is about to be replaced as a whole."""
        return self._is_new and self._reading.is_busy

    def show_store(self, path: Path, plan: Plan) -> None:
        """Be about an experiment, of whose runs none is listed yet."""
        self.path, self.plan = path, plan
        self._show_pages(RunPages(), _columns(plan))

    def show_query(self, query: RunQuery) -> None:
        """List what this query finds; what was listed stays until it is read."""
        self.query = query
        self._ask(RowsRequest(path=self.path, query=query, rows=range(1)))

    def refresh(self, seen: range, kept: tuple[RowPosition, ...]) -> None:
        """Look for new runs. ``seen`` are the rows on show, ``kept`` runs to find again, first the topmost."""
        if self._reading.is_busy:
            return  # what is being read has them
        request = RowsRequest(
            path=self.path, query=self.query, rows=seen, known=self.total, kept=kept, is_refresh=True
        )
        self._ask(request)

    def row_at(self, at: int) -> StoredRun | None:
        """The run in a row. One that is not there yet is read, unless something else is being read.

        After that all rows are painted again: where somebody scrolls fast, only what is seen then is read.
        """
        run = super().row_at(at)
        if 0 <= at < self.rowCount() and at // PAGE not in self._pages.pages and not self.is_busy:
            rows = range(at, at + 1)
            self._ask(RowsRequest(path=self.path, query=self.query, rows=rows, known=self.total))
        return run

    def run_if_known(self, row: int) -> StoredRun | None:
        """The run in a row, if it has been read; it is not asked for."""
        return super().row_at(row)

    def config_of(self, run: StoredRun) -> RunConfig:
        """The configuration of a run, with its seed."""
        return self.plan.cells[run.cell].config_of(run.row.number)

    def row_texts(self, run: StoredRun) -> list[str]:
        """A run as the table shows it."""
        return [column.text(run) for column in self.columns]

    def heads(self) -> list[str]:
        """The heads of the columns, without the air before them."""
        return [column.head.removeprefix(_AIR) for column in self.columns]

    def order_of(self, column: int) -> str:
        """The order that a column stands for; empty where it stands for none."""
        name = self.names[column]
        return COLUMNS[name].order if name in COLUMNS else "number"

    # Reading

    def _show_pages(self, pages: RunPages, columns: list[Column[StoredRun]] | None = None) -> None:
        self._pages = pages
        self.show_rows(pages, columns)

    def _ask(self, request: RowsRequest) -> None:
        self._is_new = request.known is None
        self._reading.ask(request.path, request.query, partial(read_pages, request))

    def _on_read(self, answer: RowsAnswer) -> None:
        request = answer.request
        is_new = request.known is None
        if is_new or answer.count != self.total:  # new runs may be anywhere among the others
            pages = RunPages(answer.count)
            pages.take(answer.pages)
            if is_new:
                self._show_pages(pages)
            else:
                self._pages = pages
                self.add_rows(pages)
        elif not request.is_refresh:
            # What turns out not to be there is not asked for again.
            self._pages.take({request.rows.start // PAGE: []} | answer.pages)
        self.show_again()
        self.answered.emit(answer)

    def _on_failed(self, problem: str) -> None:
        if self._is_new:  # the rows are those of another query
            self._show_pages(RunPages())
        self.failed.emit(problem)


class RunsView(Themed, QTableView):
    """A table in which whole rows are chosen; it knows the runs in the chosen rows once they have been read.

    Return is as a double click on the current row, Escape clears the choice. Chosen runs stay chosen when new ones
    appear in between.
    """

    choice_changed = Signal()

    def __init__(self, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = model
        self._known: dict[int, StoredRun] = {}
        self.note = ""
        """A sentence where rows would be; for want of rows."""
        self._widths: list[int] = []
        self.setHorizontalHeader(SortableHeader(self))
        self.setModel(model)
        set_up_rows(self, "Runs")
        self.setAccessibleDescription(
            key_text(
                "Return opens a run in the main window; choose two to four and press Ctrl+K to compare them."
            )
        )
        self.horizontalHeader().setSortIndicatorShown(True)
        self.selectionModel().selectionChanged.connect(self.look_again)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Follow this theme's colours and type."""
        self._runs.apply_theme(theme)
        metrics = QFontMetrics(theme.font())
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 7)
        side = round(_ICON_HEIGHT * metrics.ascent())
        self.setIconSize(QSize(side, side))
        self.fit_columns()
        self.viewport().update()

    def fit_columns(self) -> None:
        """Make columns as wide as what usually stands in them."""
        metrics = QFontMetrics(self.theme.font())
        self._widths = []
        for column, head in zip(self._runs.columns, self._runs.heads(), strict=True):
            icon_width = 0 if column.icon is None else self.iconSize().width() + 6
            width = metrics.horizontalAdvance(column.widest) + icon_width
            head_width = metrics.horizontalAdvance(head) + _SORT_SIGN_WIDTH
            self._widths.append(max(width, head_width) + _PADDING)
        self._spread_columns()

    def show_note(self, text: str) -> None:
        """Write this where rows would be."""
        self.note = text
        self.viewport().update()

    def seen_rows(self) -> range:
        """The rows that are to be seen."""
        height = max(self.verticalHeader().defaultSectionSize(), 1)
        first = self.verticalScrollBar().value() // height
        return range(first, first + self.viewport().height() // height + 2)

    # What is chosen

    def chosen_rows(self) -> list[range]:
        """The rows that are chosen, in order; ranges, as there may be a million."""
        selection = self.selectionModel().selection()
        parts = [selection.at(index) for index in range(selection.size())]
        found = sorted({(part.top(), part.bottom()) for part in parts})
        return [range(top, bottom + 1) for top, bottom in found]

    def chosen_count(self) -> int:
        """How many rows are chosen, whether or not their runs are known."""
        return sum(map(len, self.chosen_rows()))

    def chosen_runs(self) -> list[StoredRun]:
        """The chosen runs from top to bottom, as far as they are known; empty where there are very many."""
        return [self._known[row] for row in sorted(self._known)]

    def is_choice_known(self) -> bool:
        """Whether all chosen runs have been read."""
        return self.chosen_count() == len(self._known)

    def can_compare(self) -> bool:
        """Whether the number of chosen runs allows a comparison."""
        return MIN_LANES <= len(self._known) <= MAX_LANES and self.is_choice_known()

    @Slot()
    def look_again(self) -> None:
        """See which runs stand in the chosen rows."""
        rows = self.chosen_rows() if self.chosen_count() <= _MOST_KNOWN else []
        found = {row: self._runs.run_if_known(row) for some in rows for row in some}
        self._known = {row: run for row, run in found.items() if run is not None}
        self.choice_changed.emit()

    def kept_positions(self) -> tuple[RowPosition, ...]:
        """What is to be found again when new runs have come: what is seen at the top, then the chosen runs."""
        first = self.seen_rows().start
        # At the very top one sees what comes first, whatever it is.
        top = self._runs.row_at(first) if self.verticalScrollBar().value() else None
        kept = {} if len(self._known) > _MOST_KEPT else self._known
        return (
            RowPosition((-1, -1) if top is None else key_of(top), first),
            *(RowPosition(key_of(run), row) for row, run in kept.items()),
        )

    def follow(self, answer: RowsAnswer) -> None:
        """New runs have come: keep what is chosen and what is seen, although others stand before them."""
        if len(self._known) > _MOST_KEPT:
            self.look_again()
        moved = answer.moved
        top, *chosen = answer.request.kept
        shift = moved.get(top.key, top.row) - top.row
        if shift:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + shift * self.verticalHeader().defaultSectionSize())
        if any(moved.get(key, row) != row for key, row in chosen):
            current = self.currentIndex().row()
            rows = {row: moved[key] for key, row in chosen if key in moved}
            runs = self._known
            self._choose_rows(rows.values(), rows.get(current))
            self._known = {new: runs[old] for old, new in rows.items() if old in runs}
            self.choice_changed.emit()

    def _choose_rows(self, rows: Iterable[int], current: int | None) -> None:
        """Choose these rows and no others."""
        model, chooser, flags = self.model(), self.selectionModel(), QItemSelectionModel.SelectionFlag
        selection = QItemSelection()
        for row in rows:
            selection.select(model.index(row, 0), model.index(row, model.columnCount() - 1))
        chooser.select(selection, flags.ClearAndSelect)
        if current is not None:
            chooser.setCurrentIndex(model.index(current, 0), flags.NoUpdate)

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current.isValid():
            self.doubleClicked.emit(current)
        elif event.key() == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802
        """Nothing: it would read all rows from the file, one after the other."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread_columns()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.note and not self.model().rowCount():
            with QPainter(self.viewport()) as painter:
                painter.setPen(self.palette().placeholderText().color())
                area = self.viewport().rect().adjusted(12, 12, -12, -12)
                flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
                painter.drawText(area, flags, self.note)

    def _spread_columns(self) -> None:
        """Give each column what it needs, and a share of what space is left over."""
        spare = max(self.viewport().width() - sum(self._widths), 0)
        for column, width in enumerate(self._widths):
            share = spare // (len(self._widths) - column)
            spare -= share
            self.setColumnWidth(column, width + share)


def key_of(run: StoredRun) -> Key:
    return run.cell, run.row.number
