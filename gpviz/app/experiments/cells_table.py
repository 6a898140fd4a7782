"""The table of cells, live: how far each is, what its runs come to, and the paper's values beside them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QTableView,
    QWidget,
)

from gpviz.analysis import ExactCell
from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.app.key_text import key_text
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.tables import (
    CENTRE,
    LEFT,
    RIGHT,
    Column,
    SortableHeader,
    TableModel,
    add_action,
    add_sort_menu,
    set_up_rows,
)
from gpviz.app.widgets.themed import Themed
from gpviz.engine.settings import NO_VALUE, LimitExpression, setting
from gpviz.experiments.figures.axis_ticks import tick_text
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments
from gpviz.experiments.statistics.paper_tables import A_LITTLE_OFF, AGREES, DIFFERS, TOO_FEW
from gpviz.number_text import chance_percent, percent_texts, with_sign

_MARKS: Final = {AGREES: "✓", A_LITTLE_OFF: "≈", DIFFERS: "≠", TOO_FEW: "…"}
"""For each grade of a cell beside the paper its sign, the best grade first."""

_Z_HINT: Final = (
    "z: how many standard errors ours lies above the paper's (negative: below). By chance alone 95 of "
    "100 cells lie between −2 and 2."
)
_EXACT_Z_HINT: Final = "z: how many standard errors ours lies above the exact value (negative: below)."
_EXACT_HINT: Final = "It is known without runs where trees are small."
_MEASURED: Final = 40
"""So many rows have a say in how wide the columns are."""
_SORT_SIGN: Final = "\N{NO-BREAK SPACE}" * 4
_PADDING: Final = 16


class CellRow(NamedTuple):
    """What is known of a cell."""

    summary: CellSummary
    done: int
    runs: int
    """How many there are to be."""
    median: float | None


def _moments_text(moments: Moments, decimals: int) -> str:
    if moments.mean is None:
        return NO_VALUE
    mean = f"{moments.mean:,.{decimals}f}"
    return mean if moments.sd is None else f"{mean} ({moments.sd:,.{decimals}f})"


def _z_text(z: float | None) -> str:
    return NO_VALUE if z is None else with_sign(z, 1)


def _full_hint(row: CellRow) -> str | None:
    if row.summary.cell.config.max_leaves is None:
        return "Without a limit no tree is ever full."
    return None


class _Measure(NamedTuple):
    """A measure that the paper has values of: its name, how they are written, and what is known of it exactly."""

    name: str
    paper_text: Callable[[float], str]
    exact_text: Callable[[float], str]
    exact: Callable[[ExactCell], float | None]
    exact_sd: Callable[[ExactCell], float | None] | None = None

    def of_paper(self, row: CellRow) -> float | None:
        """The paper's value."""
        paper = row.summary.paper
        value: float | None = None if paper is None else getattr(paper.cell, self.name)
        return value

    def paper_z(self, row: CellRow) -> float | None:
        return _z_of(row.summary.paper, self.name)

    def paper_hint(self, row: CellRow) -> str | None:
        paper = row.summary.paper
        if paper is None or self.of_paper(row) is None:
            return None
        z = f"z {_z_text(self.paper_z(row))}."
        if self.exact_sd is None:
            return z
        mean, sd = (getattr(paper.cell, name) for name in (self.name, f"{self.name}_sd"))
        return f"The paper: mean {mean}, standard deviation {sd}, 500 runs; {z}"

    def exactly(self, row: CellRow) -> float | None:
        """The exact value."""
        return None if row.summary.exact is None else self.exact(row.summary.exact.cell)

    def exact_z(self, row: CellRow) -> float | None:
        return None if row.summary.exact is None else _z_of(row.summary.exact.ours, self.name)

    def exact_hint(self, row: CellRow) -> str | None:
        """All digits that are worth knowing, and how far ours and the paper's are."""
        exact = row.summary.exact
        if exact is None:
            return None
        mean = self.exact(exact.cell)
        if mean is None:
            return "No run is ever solved."
        if self.exact_sd is None:
            text = f"The chance to end stuck: exactly {chance_percent(mean, 5)} %"
        else:
            text = f"Exactly: mean {mean:.6g}, standard deviation {self.exact_sd(exact.cell):.5g}"
        z = _z_of(exact.paper, self.name)
        paper = "" if z is None else f", the paper's z {_z_text(z)}"
        zs = f"Ours has z {_z_text(self.exact_z(row))}{paper}."
        return f"{text}, from a Markov chain of {exact.cell.states:,} states. {zs}"

    def columns(self, paper: Sequence[str], exact: Sequence[str]) -> list[Column[CellRow]]:
        """The columns of the paper's value, of the exact one, and of z; from a tip and a usual text for each."""
        name = self.name
        (paper_tip, paper_widest), (exact_tip, exact_widest) = paper, exact
        return [
            _column(
                f"paper_{name}", f"Paper's {name}", paper_tip,
                lambda row: _or_nothing(self.paper_text, self.of_paper(row)), self.of_paper,
                paper_widest, hint=self.paper_hint,
            ),
            _column(
                f"z_{name}", f"z of {name}", _Z_HINT, lambda row: _z_text(self.paper_z(row)), self.paper_z,
                "−10.3", hint=self.paper_hint,
            ),
            _column(
                f"exact_{name}", f"Exact {name}", f"{exact_tip} {_EXACT_HINT}",
                lambda row: _or_nothing(self.exact_text, self.exactly(row)), self.exactly,
                exact_widest, hint=self.exact_hint,
            ),
            _column(
                f"exact_z_{name}", f"Exact z of {name}", _EXACT_Z_HINT,
                lambda row: _z_text(self.exact_z(row)), self.exact_z, "−10.3", hint=self.exact_hint,
            ),
        ]  # fmt: skip


def _or_nothing(text: Callable[[float], str], value: float | None) -> str:
    return NO_VALUE if value is None else text(value)


def _z_of(comparison: Any, name: str) -> float | None:
    """How many standard errors lie between two values of a measure."""
    z: float | None = None if comparison is None else getattr(comparison, f"z_{name}")
    return z


_T: Final = _Measure("T", "{:.1f}".format, "{:,.1f}".format, lambda cell: cell.mean, lambda cell: cell.sd)
_S: Final = _Measure(
    "S", "{:.1f}".format, "{:.2f}".format, lambda cell: cell.leaves, lambda cell: cell.leaves_sd
)
_B: Final = _Measure(
    "B",
    lambda share: f"{100 * share:.1f} %",
    lambda share: f"{chance_percent(share, 2)} %",
    lambda cell: cell.stuck,
)


def _verdict_text(row: CellRow) -> str:
    paper = row.summary.paper
    return NO_VALUE if paper is None else f"{_MARKS[paper.grade]} {paper.grade}"


def _verdict_key(row: CellRow) -> Any:
    return None if row.summary.paper is None else [*_MARKS].index(row.summary.paper.grade)


def _verdict_hint(row: CellRow) -> str | None:
    paper = row.summary.paper
    if paper is None:
        return None
    zs = [
        f"{each.name} {_z_text(each.paper_z(row))}" for each in (_T, _S, _B) if each.paper_z(row) is not None
    ]
    verdict = f"{paper.verdict[:1].upper()}{paper.verdict[1:]}."
    return f"{verdict} z: {', '.join(zs)}." if zs else verdict


def _expected_text(row: CellRow) -> str:
    expected = row.summary.time_with_restarts
    return NO_VALUE if expected is None else f"{expected:,.1f}"


def _expected_hint(row: CellRow) -> str | None:
    if not row.summary.stuck:
        return None
    return "If a run restarts in the iteration in which it gets stuck. Without restarts it is infinite."


def _error_text(row: CellRow) -> str:
    error = row.summary.final_generalisation_error
    return NO_VALUE if error is None else tick_text(float(f"{error:.2e}"))


def _column(
    name: str,
    head: str,
    tip: str,
    text: Callable[[CellRow], str],
    key: Callable[[CellRow], Any],
    widest: str = "",
    *,
    align: int = RIGHT,
    **parts: Any,
) -> Column[CellRow]:
    tip = f"{tip}\n{key_text('Click, or press Shift+Return in the column, to sort by it.')}"
    return Column(name, text, head, tip, key, widest, align, **parts)


def _share_column(measure: str, head: str, tip: str, widest: str, **parts: Any) -> Column[CellRow]:
    def text(row: CellRow) -> str:
        found = row.summary.share_of(measure)
        if found is None:
            return NO_VALUE
        share, low, high = percent_texts(found.share, found.low, found.high)
        return f"{share} %" if found.low == found.high else f"{share} % ({low} to {high})"

    def key(row: CellRow) -> Any:
        found = row.summary.share_of(measure)
        return None if found is None else found.share

    return _column(measure, head, tip, text, key, widest, **parts)


COLUMNS: Final = (
    _column(
        "progress", "Runs",
        "How many of the planned runs are done.", lambda row: f"{row.done:,} / {row.runs:,}",
        lambda row: row.done, align=LEFT,
        head_align=CENTRE,  # between heads at the right and at the left there would be no gap
    ),
    _column(
        "verdict", "Verdict",
        "Whether the cell agrees with the paper: ✓ all z within 2, ≈ within 3, ≠ beyond.",
        _verdict_text, _verdict_key, "≈ a little off", align=LEFT, hint=_verdict_hint,
    ),
    _share_column(
        "stuck", "B, stuck", "B, the share of runs that are stuck (proven), with its 95 % interval.",
        "0.7 % (0.2 to 2.4)",
    ),
    *_B.columns(
        ("The paper's share of stuck runs.", "0.8 %"), ("The exact chance to end stuck.", "0.49 %")
    ),
    _column(
        "T", "T (sd)", "T, the iterations of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.T, 1), lambda row: row.summary.T.mean, "146.7 (85.3)",
    ),
    *_T.columns(("The paper's mean of T.", "151.8"), ("The exact mean of T.", "45.8")),
    _column(
        "S", "S (sd)", "S, the leaves of the final tree of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.S, 2), lambda row: row.summary.S.mean, "12.7 (2.3)",
    ),
    *_S.columns(("The paper's mean of S.", "12.7"), ("The exact mean of S.", "4.38")),
    _column(
        "median", "Median T", "Half of the solved runs took at most this many iterations.",
        lambda row: NO_VALUE if row.median is None else f"{row.median:,.1f}", lambda row: row.median,
    ),
    _column(
        "expected", "Expected time",
        "The iterations until a run is solved, if a run restarts as soon as it gets stuck.",
        _expected_text, lambda row: row.summary.time_with_restarts, "1,234.5", hint=_expected_hint,
    ),
    _column(
        "ended", "Ended",
        "Runs stopped at the plan's max_iterations, or because their tree became too complex.",
        lambda row: f"{row.summary.stopped + row.summary.failed:,}",
        lambda row: row.summary.stopped + row.summary.failed,
    ),
    _column(
        "solved", "Solved", "Runs that found a correct tree.", lambda row: f"{row.summary.solved:,}",
        lambda row: row.summary.solved, "10,000",
    ),
    _column(
        "ors", "ORs (sd)", "ORs in the final tree of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.ors, 2), lambda row: row.summary.ors.mean, "0.22 (0.51)",
    ),
    _column(
        "ors_accepted", "ORs accepted",
        "ORs accepted on the way to a solution: mean and standard deviation.",
        lambda row: _moments_text(row.summary.ors_accepted, 2), lambda row: row.summary.ors_accepted.mean,
    ),
    _column(
        "error", "Gen. error",
        "The mean generalisation error: the share of all rows on which the result is wrong.",
        _error_text, lambda row: row.summary.final_generalisation_error, "1.25·10⁻⁵",
    ),
    *(
        _share_column(measure, head, f"{tip} With its 95 % interval.", "55.0 % (49.3 to 60.5)")
        for measure, head, tip in (
            ("duplicate_accepted", "Duplicates",
             "The share of runs that accepted a copy of a variable already in the tree."),
            ("or_accepted", "Any OR accepted", "The share of runs that accepted an OR."),
            ("true_error_grew", "True error grew",
             "The share of runs that accepted a tree with a larger error on all rows."),
            ("no_pitfall", "No pitfall", "The share of runs in which none of these three happened."),
        )
    ),
    _share_column(
        "share_full", "Full",
        "The share of all iterations whose parent had as many leaves as the limit allows; those of a stuck run"
        " count until that is proven. The 95 % interval follows from how much the runs differ.",
        "54.4 % (53.0 to 55.9)", hint=_full_hint,
    ),
)  # fmt: skip
"""In the order of the table: what one looks for first is in sight on a small screen, too."""


def setting_column(name: str) -> Column[CellRow]:
    described = setting(name)

    def text(row: CellRow) -> str:
        return described.cell_text(row.summary.cell.config)

    def key(row: CellRow) -> Any:
        config = row.summary.cell.config
        value = described.value_of(config)
        if isinstance(described.kind, LimitExpression):
            return float("inf") if config.max_leaves is None else config.max_leaves
        return value if isinstance(value, int) or value is None else str(value)

    return _column(name, described.column_title, described.table_help, text, key)


def _has_paper(_plan: Plan, rows: Sequence[CellRow]) -> bool:
    return any(row.summary.paper is not None for row in rows)


def _has_exact(_plan: Plan, rows: Sequence[CellRow]) -> bool:
    return any(row.summary.exact is not None for row in rows)


def _can_be_stuck(plan: Plan, rows: Sequence[CellRow]) -> bool:
    is_leaf_deleted = any(cell.config.deletion == "leaf" for cell in plan.cells)
    return is_leaf_deleted or any(row.summary.stuck for row in rows)


_INFORMATIVE: Final[Mapping[str, Callable[[Plan, Sequence[CellRow]], bool]]] = {
    **dict.fromkeys(("paper_T", "paper_S", "verdict"), _has_paper),
    **dict.fromkeys(("exact_T", "exact_S"), _has_exact),
    "stuck": _can_be_stuck,
    "paper_B": lambda _, rows: any(_B.of_paper(row) is not None for row in rows),
    "exact_B": lambda plan, rows: _can_be_stuck(plan, rows) and _has_exact(plan, rows),
    "ended": lambda _, rows: any(row.summary.stopped or row.summary.failed for row in rows),
    # Else it is the mean of T.
    "expected": lambda _, rows: any(row.summary.solved < row.summary.runs for row in rows),
    "median": lambda _, rows: any(row.median is not None for row in rows),
    "error": lambda plan, _: any(cell.config.is_sampled for cell in plan.cells),
    "ors_accepted": lambda plan, _: "ors_accepted" in plan.measures,
    "ors": lambda plan, _: any(len(cell.config.functions) > 1 for cell in plan.cells),
}
"""Whether a column says anything about the cells of a plan; where none is given, the plan knows."""

_VALUE_OF_Z: Final = {
    f"{kind}z_{name}": f"{kind or 'paper_'}{name}" for kind in ("", "exact_") for name in ("T", "S", "B")
}
"""The columns of z, which are shown on request, and those of the values that they belong to."""


class CellsTable(Themed, QWidget):
    """The table. How far each value is from the paper's is shown on request."""

    cell_chosen = Signal(int)
    cells_selected = Signal(object)
    """The numbers of the selected cells, as a tuple."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model: TableModel[CellRow] = TableModel(parent=self)
        self._plan: Plan | None = None
        self.view = QTableView()
        self._informative: frozenset[str] = frozenset()
        self._has_z = False
        self._has_sized: dict[str, int] = {}
        self._build()
        self.setFocusProxy(self.view)
        self.follow_theme()

    def show_cells(self, experiment: ShownExperiment, done_by_cell: Sequence[int]) -> None:
        """Show what the cells come to now. Selection, sorting and what is in view stay as they are."""
        plan, summaries = experiment.plan, experiment.summaries
        rows = [
            CellRow(summary, done, plan.runs, experiment.medians.get(summary.cell.number))
            for summary, done in zip(summaries, done_by_cell, strict=True)
        ]
        before, self._plan = self._plan, plan
        if before is None or [cell.config for cell in before.cells] != [cell.config for cell in plan.cells]:
            columns = [*(setting_column(name) for name in plan.table_settings), *COLUMNS]
            self.model.show_rows(rows, columns)
            self._on_new_plan()
        else:
            self.model.update_rows(rows)
        self._informative = frozenset(
            name
            for name in self.model.names
            if (_INFORMATIVE[name](plan, rows) if name in _INFORMATIVE else plan.is_about(name))
        )
        self._hide_columns()
        self._fit_columns()

    @Slot(bool)
    def show_z(self, is_shown: bool) -> None:
        """Show or hide how many standard errors lie between values."""
        self._has_z = is_shown
        self._hide_columns()

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self.model.apply_theme(theme)
        self.view.verticalHeader().setDefaultSectionSize(QFontMetrics(theme.font()).height() + 7)
        self._has_sized = {}
        self._fit_columns()
        self.view.viewport().update()

    @Slot()
    def copy(self) -> None:
        """Put the selected rows on the clipboard, or all if none is, with the heads of the columns."""
        names = [name for at, name in enumerate(self.model.names) if not self.view.isColumnHidden(at)]
        chosen = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        heads = [column.head for column in self.model.columns if column.name in names]
        lines = ["\t".join(heads)]
        lines += [
            "\t".join(self.model.text_at(at, name) for name in names)
            for at in chosen or range(self.model.rowCount())
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def sort(self) -> None:
        """Sort by the current column."""
        self.sort_by(self.view.currentIndex().column())

    def sort_by(self, column: int) -> None:
        """Do what a click on the head of a column does: up, down, and then as the plan has them."""
        header = self.view.horizontalHeader()
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        if header.sortIndicatorSection() != column:
            header.setSortIndicator(column, up)
        elif header.sortIndicatorOrder() is up:
            header.setSortIndicator(column, down)
        else:
            header.setSortIndicator(-1, up)

    def _build(self) -> None:
        view = self.view
        view.setHorizontalHeader(SortableHeader(view))
        view.setModel(self.model)
        set_up_rows(view, "Cells of the plan")
        view.setAccessibleDescription(
            key_text(
                "One row per combination of settings, with what its runs come to;"
                " Shift+Return sorts by the column."
            )
        )
        header = view.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        view.setSortingEnabled(True)
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        add_action(view, "&Copy the selected rows", self.copy, copy)
        add_action(view, "&Sort by this column", self.sort, QKeySequence("Shift+Return"))
        add_sort_menu(view, self.sort_by)
        selection = view.selectionModel()
        selection.currentRowChanged.connect(self._on_row_changed)
        selection.selectionChanged.connect(self._on_selection_changed)
        column_in(self, (view, 1))

    def _on_new_plan(self) -> None:
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._has_sized = {}

    def _hide_columns(self) -> None:
        for at, name in enumerate(self.model.names):
            is_shown = _VALUE_OF_Z.get(name, name) in self._informative
            self.view.setColumnHidden(at, not is_shown or (name in _VALUE_OF_Z and not self._has_z))

    def _fit_columns(self) -> None:
        """Make columns wider where that is needed, and never narrower: they are not to dance."""
        metrics = QFontMetrics(self.theme.font())
        rows = self.model.listed()[:_MEASURED]
        for at, column in enumerate(self.model.columns):
            name = column.name
            texts = [f"{column.head}{_SORT_SIGN}", column.widest]
            texts += [column.text(row) for row in rows]
            width = max(metrics.horizontalAdvance(text) for text in texts) + _PADDING
            if width > self._has_sized.get(name, 0):
                self._has_sized[name] = width
                self.view.setColumnWidth(at, width)

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.cell_chosen.emit(self.model.given_index(current.row()))

    @Slot(QItemSelection, QItemSelection)
    def _on_selection_changed(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        rows = self.view.selectionModel().selectedRows()
        self.cells_selected.emit(tuple(sorted(self.model.given_index(index.row()) for index in rows)))
