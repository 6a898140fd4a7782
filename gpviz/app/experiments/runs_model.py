"""The runs of an experiment as rows of a table, however many there are: pages are read when they are looked at."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QObject,
    QPointF,
    QRectF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from gpviz.app.tasks import BackgroundTask
from gpviz.app.theme import Theme
from gpviz.app.widgets.tables import LEFT, RIGHT, Column, TableModel
from gpviz.engine.config import RunConfig
from gpviz.engine.settings import NO_VALUE, setting
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.run_text import (
    decided_hint,
    decided_text,
    generalisation_text,
    iterations_hint,
    seed_text,
    wait_hint,
    wait_text,
)
from gpviz.experiments.store import StoredRun
from gpviz.experiments.store_query import PAGE, RowPosition, RowsAnswer, RowsRequest, RunQuery, read_pages
from gpviz.number_text import number_text

ICON_SHAPE: Final = 1.5
"""How many times as wide as high they are: on the left is some air, away from the numbers of another column."""
_SIZES: Final = (16, 32, 48)
MOST_ROWS: Final = 2_000_000
"""More rows than that no table can scroll through; a filter brings the others."""
_MOST_PAGES: Final = 100
_PAGES_AT_ONCE: Final = 3
_AIR: Final = "\N{NO-BREAK SPACE}" * 3
_NO_QUERY: Final = RunQuery()


def outcome_icons(theme: Theme) -> dict[str, QIcon]:
    """The icons by outcome, a shape and a colour for each; in a chosen row they have the colour of its text."""
    colours = theme.colours
    of_outcome = {
        "solved": colours.solved,
        "stuck": colours.stuck,
        "stopped": colours.plateau,
        "failed": colours.problem,
    }
    icons: dict[str, QIcon] = {}
    for outcome, colour in of_outcome.items():
        made = QIcon()
        for size in _SIZES:
            made.addPixmap(_drawn(outcome, size, colour, colours.field), QIcon.Mode.Normal)
            made.addPixmap(_drawn(outcome, size, colours.accent_text, colours.accent), QIcon.Mode.Selected)
        icons[outcome] = made
    return icons


def _drawn(outcome: str, size: int, colour: str, ground: str) -> QPixmap:
    width = round(ICON_SHAPE * size)
    pixmap = QPixmap(width, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(width - size, 0)
        painter.scale(size / 16, size / 16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        line = QPen(
            QColor(ground), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        )
        match outcome:
            case "solved":
                painter.drawEllipse(QRectF(1, 1, 14, 14))
                painter.setPen(line)
                painter.drawPolyline(QPolygonF([QPointF(4.6, 8.4), QPointF(7, 10.8), QPointF(11.4, 5.6)]))
            case "stuck":
                painter.drawRect(QRectF(2, 2, 12, 12))
                painter.setPen(line)
                painter.drawLine(QPointF(5, 8), QPointF(11, 8))
            case "stopped":
                painter.drawRect(QRectF(3.5, 2.5, 3.4, 11))
                painter.drawRect(QRectF(9.1, 2.5, 3.4, 11))
            case _:
                line.setColor(QColor(colour))
                line.setWidthF(2.6)
                painter.setPen(line)
                painter.drawLine(QPointF(3.5, 3.5), QPointF(12.5, 12.5))
                painter.drawLine(QPointF(12.5, 3.5), QPointF(3.5, 12.5))
    return pixmap


class RunColumn(NamedTuple):
    """A column: its head, what it means, a text as wide as usual, its text for a run, and how it is sorted."""

    head: str
    tip: str
    widest: str
    text: Callable[[RunRow, RunConfig], str]
    order: str = ""
    hint: Callable[[RunRow, RunConfig], str | None] | None = None


def _full_text(row: RunRow, config: RunConfig) -> str:
    if config.max_leaves is None or not row.iterations:
        return NO_VALUE
    share = 100 * row.full_iterations / row.iterations
    return f"{share:.1f} %" if row.full_iterations else "0 %"


COLUMNS: Final = {
    "seed": RunColumn(
        "Seed", "The seed of the run. Type it into the settings to repeat the run.", "100,000",
        lambda row, config: seed_text(config.seed + row.number), "number",
    ),
    "outcome": RunColumn(
        "Outcome", "Solved, stuck by proof, stopped at the plan's last iteration, or failed.", "stopped",
        lambda row, _: row.outcome, "stuck_first",
    ),
    "iterations": RunColumn(
        "Iterations",
        "How many iterations the run took, or until it was proven stuck. Stuck runs sort last, as they "
        "never end.", "1,000,000",
        lambda row, _: number_text(row.iterations), "slowest", lambda row, _: iterations_hint(row),
    ),
    "leaves": RunColumn(
        "Leaves", "The leaves of the final tree.", "1,000", lambda row, _: number_text(row.leaves), "largest"
    ),
    "ors": RunColumn("ORs", "The ORs in the final tree.", "100", lambda row, _: number_text(row.ors), "most_ors"),
    "ors_accepted": RunColumn(
        "ORs accepted", "How many ORs were accepted, including those removed later.", "100",
        lambda row, _: number_text(row.ors_accepted), "most_ors_accepted",
    ),
    "duplicate_accepted": RunColumn(
        "Duplicates", "How often a copy of a variable already in the tree was accepted.", "100",
        lambda row, _: number_text(row.duplicate_accepted), "most_duplicates",
    ),
    "true_error_grew": RunColumn(
        "True error grew", "How often a tree with a larger error on all rows was accepted.", "100",
        lambda row, _: number_text(row.true_error_grew), "most_true_error_grew",
    ),
    "stuck_since": RunColumn(
        "Stuck since", "The iteration in which the run became stuck.", "100,000",
        lambda row, _: NO_VALUE if row.stuck_since is None else number_text(row.stuck_since),
    ),
    "decided": RunColumn(
        "Decided at",
        "The iteration that raised the chance to end stuck most; ? where nobody has looked for it.", "100,000",
        decided_text, hint=decided_hint,
    ),
    "wait": RunColumn(
        "Longest wait",
        "The longest wait for an improvement, and where it began. Stuck runs sort last, as they wait for "
        "ever.",
        "100,000 from 100,000", lambda row, _: wait_text(row), "longest_wait", lambda row, _: wait_hint(row),
    ),
    "error": RunColumn(
        "Final error", "On how many rows the final tree is wrong, as the run measured it.", "65,536",
        lambda row, _: NO_VALUE if row.error is None else number_text(row.error),
    ),
    "generalisation": RunColumn(
        "Generalisation", "The generalisation error: the share of all rows that the final tree gets wrong.",
        "0.0001221",
        lambda row, config: generalisation_text(row, config.n),
    ),
    "share_full": RunColumn(
        "Full", "The share of the run's iterations whose parent had as many leaves as the limit allows.", "100 %",
        lambda row, config: _full_text(row, config), "most_full",
    ),
}  # fmt: skip
"""The columns after those of the settings, by their names."""


def _columns(plan: Plan | None) -> list[Column[StoredRun]]:
    """The settings that a plan varies, and what became of a run."""
    icons = lru_cache(1)(outcome_icons)

    def config_of(run: StoredRun) -> RunConfig:
        assert plan is not None
        return plan.cells[run.cell].config

    def setting_column(name: str) -> Column[StoredRun]:
        described = setting(name)
        return Column(
            name,
            lambda run: described.cell_text(config_of(run)),
            described.column_title,
            _with_click(described.table_help),
            align=RIGHT,
        )

    def column(name: str, about: RunColumn) -> Column[StoredRun]:
        is_outcome, hint = name == "outcome", about.hint
        return Column(
            name,
            lambda run: about.text(run.row, config_of(run)),
            f"{_AIR}{about.head}" if is_outcome else about.head,  # the one before it ends where it begins
            _with_click(about.tip) if about.order else about.tip,
            widest=about.widest,
            align=LEFT if is_outcome else RIGHT,
            hint=None if hint is None else lambda run: hint(run.row, config_of(run)),
            icon=(lambda run, theme: icons(theme).get(run.row.outcome)) if is_outcome else None,
        )

    varied = () if plan is None else plan.table_settings
    shown = (each for each in COLUMNS.items() if plan is None or plan.is_about(each[0]))
    return [*map(setting_column, varied), *(column(*each) for each in shown)]


def _with_click(tip: str) -> str:
    return f"{tip}\nClick to sort by it."


class RunPages:
    """The rows of a query: how many there are, and the pages of them that were looked at last."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        """How many runs the query finds; no more than `MOST_ROWS` of them are rows."""
        self.wanted: dict[int, None] = {}
        """The pages that were looked at and are not there, the latest last."""
        self._pages: OrderedDict[int, list[StoredRun]] = OrderedDict()

    @property
    def pages(self) -> Mapping[int, list[StoredRun]]:
        """What has been read, by the numbers of the pages."""
        return self._pages

    def __len__(self) -> int:
        return min(self.total, MOST_ROWS)

    def __getitem__(self, row: int) -> StoredRun | None:
        number = row // PAGE
        if number in self._pages:
            self._pages.move_to_end(number)
        else:
            self.wanted.pop(number, None)
            self.wanted[number] = None
        return self.if_known(row)

    def if_known(self, row: int) -> StoredRun | None:
        """The run in a row, if it has been read; it is not asked for."""
        number, position = divmod(row, PAGE)
        page = self._pages.get(number, [])
        return page[position] if position < len(page) else None

    def take(self, pages: Mapping[int, list[StoredRun]]) -> None:
        """Have these too, and let go of those that nobody looked at for long."""
        for number, page in pages.items():
            self._pages[number] = page
            self._pages.move_to_end(number)
        while len(self._pages) > _MOST_PAGES:
            self._pages.popitem(last=False)


class RunsModel(TableModel[StoredRun]):
    """The runs that a query finds. Rows that are not there yet show three dots, and are read in the background."""

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        self._pages = RunPages()
        super().__init__(_columns(None), self._pages, parent)
        self._path: Path | None = None
        self._plan: Plan | None = None
        self._query = _NO_QUERY
        self._is_new = False
        self._background = BackgroundTask("gpviz-runs", self)
        self._background.finished.connect(self._on_read)
        self._background.failed.connect(self._on_failed)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask_for_wanted)

    @property
    def plan(self) -> Plan | None:
        """The plan whose runs are listed."""
        return self._plan

    @property
    def path(self) -> Path | None:
        """The file they are read from."""
        return self._path

    @property
    def query(self) -> RunQuery:
        """What is listed, and in which order; it may still be on its way."""
        return self._query

    @property
    def total(self) -> int:
        """How many runs the query finds; no more than `MOST_ROWS` of them are rows."""
        return self._pages.total

    @property
    def is_busy(self) -> bool:
        """Whether something is being read, or about to be."""
        return self._background.is_busy or self._soon.isActive()

    @property
    def is_listing(self) -> bool:
        """Whether what is on show is about to be replaced as a whole."""
        return self._is_new and self._background.is_busy

    def show_store(self, path: Path | None, plan: Plan | None, query: RunQuery) -> None:
        """List the runs of an experiment; nothing, where there is none yet."""
        self._background.cancel()
        self._path, self._plan = path, plan
        self._show_pages(RunPages(), _columns(plan))
        self.show_query(query)

    def show_query(self, query: RunQuery) -> None:
        """List what this query finds; what was listed stays until it is read."""
        self._query = query
        if self._path is not None:
            self._ask(RowsRequest(path=self._path, query=query, rows=(range(1),)))

    def refresh(self, seen: range, kept: tuple[RowPosition, ...]) -> None:
        """Look for new runs. ``seen`` are the rows on show, ``kept`` runs to find again, first the topmost."""
        if self._path is None or self._background.is_busy:
            return  # what is being read has them
        request = RowsRequest(
            path=self._path, query=self._query, rows=(seen,), known=self.total, kept=kept, is_refresh=True
        )
        self._ask(request)

    def row_at(self, at: int) -> StoredRun | None:
        run = super().row_at(at)
        if self._pages.wanted and not self._background.is_busy and not self._soon.isActive():
            self._soon.start()  # with what else is looked at meanwhile
        return run

    def run_if_known(self, row: int) -> StoredRun | None:
        """The run in a row, if it has been read; it is not asked for."""
        return self._pages.if_known(row)

    def config_of(self, run: StoredRun) -> RunConfig:
        """The configuration of a run, with its seed."""
        assert self._plan is not None
        return self._plan.cells[run.cell].config_of(run.row.number)

    def row_texts(self, run: StoredRun) -> list[str]:
        """A run as the table shows it."""
        return [column.text(run) for column in self.columns]

    def setting_of(self, cell: int, name: str) -> str:
        """The value of a setting in a cell."""
        assert self._plan is not None
        return setting(name).cell_text(self._plan.cells[cell].config)

    def heads(self) -> list[str]:
        """The heads of the columns, without the air before them."""
        return [column.head.removeprefix(_AIR) for column in self.columns]

    def order_of(self, column: int) -> str:
        """The order that a column stands for; empty where it stands for none."""
        name = self.names[column]
        return COLUMNS[name].order if name in COLUMNS else "number"

    def sign_order(self, name: str) -> str:
        """The order whose sign stands at the head of a column."""
        return COLUMNS[name].order if name in COLUMNS else ""

    def close(self) -> None:
        """Read nothing any more."""
        self._soon.stop()
        self._background.close()

    # Reading

    def _show_pages(self, pages: RunPages, columns: list[Column[StoredRun]] | None = None) -> None:
        self._pages = pages
        self.show_rows(pages, columns)

    @Slot()
    def _ask_for_wanted(self) -> None:
        # Where someone scrolls fast, what was looked at first is not looked at any more.
        pages = list(self._pages.wanted)[-_PAGES_AT_ONCE:]
        self._pages.wanted.clear()
        if self._path is None or not pages or self._background.is_busy:
            return
        rows = tuple(range(page * PAGE, page * PAGE + 1) for page in pages)
        self._ask(RowsRequest(path=self._path, query=self._query, rows=rows, known=self.total))

    def _ask(self, request: RowsRequest) -> None:
        self._is_new = request.known is None
        self._background.ask(partial(read_pages, request))

    @Slot(object)
    def _on_read(self, answer: RowsAnswer) -> None:
        self._pages.wanted.clear()
        is_new = answer.request.known is None
        if is_new or answer.count != self.total:  # new runs may be anywhere among the others
            pages = RunPages(answer.count)
            pages.take(answer.pages)
            if is_new:
                self._show_pages(pages)
            else:
                self._pages = pages
                self.add_rows(pages)
                self.show_again()
        else:
            self._pages.take(answer.pages)
            for page in answer.pages:
                self.show_again(page * PAGE, page * PAGE + PAGE - 1)
        self.answered.emit(answer)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        if self._is_new:  # the rows are those of another query
            self._show_pages(RunPages())
        self.failed.emit(problem)
