"""The table of cells: what it lists, that it stays in place while numbers change, and the paper beside it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest

from gpviz.app.experiments.cells_table import CellsTable
from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.escaping import tooltip_text
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import Plan, find_plan, plan_of
from gpviz.experiments.statistics.cell_statistics import CellSummary, summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.totals import Totals


def _totals(plan: Plan, runs: int) -> list[Totals]:
    return [
        run_chunk(Chunk(cell.number, cell.config, 0, runs, plan.max_iterations)).totals for cell in plan.cells
    ]


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of(
        "small",
        {"runs": 20, "x": "n", "config": {"deletion": "leaf"}, "grid": {"limit": ["n", "2n"], "n": [4, 8]}},
    )


@pytest.fixture(scope="module")
def half(plan) -> list[Totals]:
    return _totals(plan, 10)


@pytest.fixture(scope="module")
def whole(plan) -> list[Totals]:
    return _totals(plan, 20)


@pytest.fixture
def table(qtbot) -> CellsTable:
    table = CellsTable()
    qtbot.addWidget(table)
    table.resize(1000, 400)
    table.show()
    return table


def _show(table: CellsTable, plan: Plan, totals: list[Totals], summaries=None, **more) -> list[CellSummary]:
    shown = ShownExperiment(Path(), plan, totals, summaries or summarise(plan, totals), 0.0, **more)
    table.show_cells(shown, shown.done_by_cell)
    return shown.summaries


def row_of(table: CellsTable, cell: int) -> int:
    """Where a cell stands in the sorted table."""
    return [table.model.given_index(row) for row in range(table.model.rowCount())].index(cell)


def _visible(table: CellsTable) -> list[str]:
    return [name for at, name in enumerate(table.model.names) if not table.view.isColumnHidden(at)]


def _texts(table: CellsTable, name: str) -> list[str]:
    return [table.model.text_at(row, name) for row in range(table.model.rowCount())]


def test_every_cell_has_a_row_with_what_varies_and_how_far_it_is(table, plan, half):
    _show(table, plan, half)
    assert table.model.rowCount() == 4
    assert table.model.names[:2] == ("limit", "n")
    assert _texts(table, "limit") == ["n", "n", "2n", "2n"]
    assert _texts(table, "progress") == ["10 / 20"] * 4


def test_the_paper_stands_beside_its_cells_with_z_and_a_verdict(table, plan):
    longer = plan.replaced(runs=60)  # fewer are not judged
    summaries = _show(table, longer, _totals(longer, 60))
    assert _texts(table, "paper_T")[0].startswith("46.3  z ")
    assert _texts(table, "verdict")[0] == "✓ agrees"
    index = table.model.index(0, table.model.names.index("verdict"))
    assert table.model.data(index, Qt.ItemDataRole.DecorationRole) is not None
    assert table.model.data(index, Qt.ItemDataRole.ToolTipRole) == tooltip_text("Agrees.")
    assert table.verdict.isVisible()
    assert "standard errors of the paper's" in table.verdict.text()
    assert summaries[0].paper is not None
    spread = table.model.index(0, table.model.names.index("paper_S"))
    assert "standard deviation" in table.model.data(spread, Qt.ItemDataRole.ToolTipRole)


def test_exact_values_stand_beside_the_cells_that_are_small_enough(table, plan, whole):
    _show(table, plan, whole)
    assert not {"exact_B", "exact_T", "exact_S"} & set(_visible(table))
    summaries = summarise(plan, whole, exact_cells(plan.cells)[0])
    _show(table, plan, whole, summaries)
    assert {"exact_B", "exact_T", "exact_S"} <= set(_visible(table))
    is_known = [summary.exact is not None for summary in summaries]
    assert is_known == [cell.config.max_leaves <= 5 for cell in plan.cells]
    assert [text != "–" for text in _texts(table, "exact_T")] == is_known
    four = next(at for at, cell in enumerate(plan.cells) if (cell.config.n, cell.config.limit) == (4, "n"))
    assert re.fullmatch(r"45\.8  z [+−]\d\.\d, paper's \+0\.4", _texts(table, "exact_T")[four])
    assert _texts(table, "exact_B")[four].startswith("0.49 %  z ")
    index = table.model.index(four, table.model.names.index("exact_T"))
    hint = table.model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "mean 45.7786, standard deviation 28.986, from a Markov chain of 102 states." in hint
    assert hint.endswith("s value: z +0.4.</p>")


def test_columns_that_say_nothing_are_hidden(table, plan, half):
    _show(table, plan, half)
    assert {"stuck", "paper_B", "paper_T", "verdict"} <= set(_visible(table))
    assert not {"error", "median", "ended", "ors_accepted"} & set(_visible(table))
    sampled = find_plan("figure3").replaced(runs=2, grid={"accept_error": [8], "rows": [10, 32]})
    _show(table, sampled, [Totals(), Totals()])
    shown = set(_visible(table))
    assert {"rows", "error", "ors_accepted"} <= shown
    assert not {"stuck", "paper_B", "paper_T", "paper_S", "verdict", "accept_error"} & shown
    assert not table.verdict.isVisible()


def test_a_column_appears_once_it_has_something_to_say(table, plan, half):
    _show(table, plan, half)
    _show(table, plan, half, medians={0: 41.5})
    assert "median" in _visible(table)
    assert _texts(table, "median") == ["41.5", "–", "–", "–"]
    stopped = [Totals(runs=1, stopped=1) for _ in plan.cells]
    _show(table, plan, stopped)
    assert _texts(table, "ended") == ["1"] * 4
    assert "ended" in _visible(table)


def test_cells_without_runs_have_dashes(table, plan):
    _show(table, plan, [Totals() for _ in plan.cells])
    assert _texts(table, "T") == ["–"] * 4
    assert _texts(table, "stuck") == ["–"] * 4
    assert _texts(table, "verdict")[0] == "… too few runs"


def test_new_numbers_change_cells_in_place_without_a_reset(qtbot, table, plan, half, whole):
    _show(table, plan, half)
    table.view.selectRow(row_of(table, 2))
    resets, changes = [], []
    table.model.modelReset.connect(lambda: resets.append(1))
    table.model.dataChanged.connect(lambda *what: changes.append(what))
    _show(table, plan, half)
    assert not changes, "nothing has changed"
    _show(table, plan, whole)
    assert changes
    assert not resets
    (selected,) = table.view.selectionModel().selectedRows()
    assert table.model.given_index(selected.row()) == 2
    assert _texts(table, "progress") == ["20 / 20"] * 4
    _show(table, plan.replaced(runs=50), half)
    assert _texts(table, "progress") == ["10 / 50"] * 4


def test_a_column_is_sorted_by_keys_up_down_and_as_the_plan_has_it(table, plan, whole):
    _show(table, plan, whole)
    table.view.setCurrentIndex(table.model.index(0, table.model.names.index("n")))
    orders = []
    for _ in range(3):
        QTest.keyClick(table.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        orders.append([table.model.given_index(row) for row in range(4)])
    assert _texts(table, "n") == ["4", "8", "4", "8"]
    assert orders == [[0, 2, 1, 3], [1, 3, 0, 2], [0, 1, 2, 3]]


def test_a_chosen_row_is_reported_by_the_number_of_its_cell(table, plan, whole):
    _show(table, plan, whole)
    chosen: list[int] = []
    selected: list[tuple[int, ...]] = []
    table.cell_chosen.connect(chosen.append)
    table.cells_selected.connect(selected.append)
    table.view.sortByColumn(table.model.names.index("n"), Qt.SortOrder.DescendingOrder)
    first = table.model.given_index(0)
    table.view.setCurrentIndex(table.model.index(0, 0))
    QTest.keyClick(table.view, Qt.Key.Key_Down)
    assert chosen == [first, table.model.given_index(1)]
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    table.view.selectionModel().select(table.model.index(0, 0), flags)
    assert selected[-1] == tuple(sorted((table.model.given_index(0), table.model.given_index(1))))


def test_the_selection_is_copied_as_text_with_its_heads(table, plan, whole):
    _show(table, plan, whole)
    table.view.selectRow(row_of(table, 1))
    table.view.setFocus()
    QTest.keySequence(table.view, QKeySequence(QKeySequence.StandardKey.Copy))
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 2
    assert lines[0].split("\t")[:3] == ["Limit", "n", "Runs"]
    assert lines[1].split("\t")[:3] == ["n", "8", "20 / 20"]
    table.view.clearSelection()
    table.copy()
    assert len(QGuiApplication.clipboard().text().split("\n")) == 5


def test_the_expected_time_counts_what_unsolved_runs_have_cost(table, plan, whole):
    summaries = summarise(plan, whole)
    _show(table, plan, whole)
    assert ("expected" in _visible(table)) == any(each.solved < each.runs for each in summaries)
    unlucky = [replace(summaries[0], solved=summaries[0].runs - 5, stuck=5), *summaries[1:]]
    _show(table, plan, whole, unlucky)
    assert "expected" in _visible(table)
    assert _texts(table, "expected")[1] == f"{summaries[1].time_with_restarts:,.1f}"
    hopeless = replace(summaries[0], solved=0, time_with_restarts=None)
    _show(table, plan, whole, [hopeless, *summaries[1:]])
    assert _texts(table, "expected")[0] == "–"
