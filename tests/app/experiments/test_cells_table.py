"""The table of cells: what it lists, that it stays in place while numbers change, and the paper beside it."""

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
from gpviz.experiments.statistics.paper_tables import A_LITTLE_OFF, AGREES, DIFFERS, TOO_FEW, PaperComparison
from gpviz.experiments.totals import Totals
from gpviz.number_text import with_sign


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


def _hint(table: CellsTable, row: int, name: str) -> str:
    index = table.model.index(row, table.model.names.index(name))
    hint: str = table.model.data(index, Qt.ItemDataRole.ToolTipRole)
    return hint


def _z_text(z: float | None) -> str:
    assert z is not None
    return with_sign(z, 1)


def test_every_cell_has_a_row_with_what_varies_and_how_far_it_is(table, plan, half):
    _show(table, plan, half)
    assert table.model.rowCount() == 4
    assert table.model.names[:2] == ("limit", "n")
    assert _texts(table, "limit") == ["n", "n", "2n", "2n"]
    assert _texts(table, "progress") == ["10 / 20"] * 4


def test_the_paper_stands_beside_its_cells_with_z_and_a_verdict(table, plan):
    longer = plan.replaced(runs=60)  # fewer are not judged
    summaries = _show(table, longer, _totals(longer, 60))
    paper = summaries[0].paper
    assert paper is not None
    assert _texts(table, "paper_T")[0] == "46.3"
    zs = {f"z_{name}": _z_text(getattr(paper, f"z_{name}")) for name in "TSB"}
    assert {name: _texts(table, name)[0] for name in zs} == zs
    assert _texts(table, "verdict")[0] == "✓ agrees"
    said = f"Agrees. z: T {zs['z_T']}, S {zs['z_S']}, B {zs['z_B']}."
    assert _hint(table, 0, "verdict") == tooltip_text(said)
    assert f"standard deviation {paper.cell.S_sd}, 500 runs; z {zs['z_S']}." in _hint(table, 0, "paper_S")


def test_the_verdict_stands_first_and_is_sorted_from_agreement_down(table, plan, whole):
    summaries = summarise(plan, whole)
    grades = (DIFFERS, AGREES, TOO_FEW, A_LITTLE_OFF)
    paper = summaries[0].paper
    assert paper is not None
    judged = [
        replace(summary, paper=PaperComparison(paper.cell, None, None, None, grade))
        for summary, grade in zip(summaries, grades, strict=True)
    ]
    _show(table, plan, whole, judged)
    assert _visible(table)[:5] == ["limit", "n", "progress", "verdict", "stuck"]
    table.sort_by(table.model.names.index("verdict"))
    assert [text[0] for text in _texts(table, "verdict")] == ["✓", "≈", "≠", "…"]


def test_z_is_shown_beside_the_values_on_request(table, plan, whole):
    summaries = summarise(plan, whole, exact_cells(plan.cells)[0])
    _show(table, plan, whole, summaries)
    before = _visible(table)
    table.show_z(True)
    shown = _visible(table)
    assert [name for name in shown if name not in before] == [
        *("z_B", "exact_z_B", "z_T", "exact_z_T", "z_S", "exact_z_S")
    ]
    assert shown[shown.index("z_T") - 1] == "paper_T"
    _show(table, plan, whole)  # without the exact values
    assert "exact_z_T" not in _visible(table)
    table.show_z(False)
    assert not {"z_B", "z_T", "z_S"} & set(_visible(table))


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
    assert (_texts(table, "exact_T")[four], _texts(table, "exact_B")[four]) == ("45.8", "0.49 %")
    exact = summaries[four].exact
    assert exact is not None
    z = _texts(table, "exact_z_T")[four]
    assert z == _z_text(exact.ours.z_T)
    said = "Exactly: mean 45.7786, standard deviation 28.986, from a Markov chain of 102 states."
    assert _hint(table, four, "exact_T") == tooltip_text(f"{said} Ours has z {z}, the paper's z +0.4.")


def test_columns_that_say_nothing_are_hidden(table, plan, half):
    _show(table, plan, half)
    assert {"stuck", "paper_B", "paper_T", "verdict"} <= set(_visible(table))
    assert not {"error", "median", "ended", "ors_accepted"} & set(_visible(table))
    sampled = find_plan("figure3").replaced(runs=2, grid={"accept_error": [8], "rows": [10, 32]})
    _show(table, sampled, [Totals(), Totals()])
    shown = set(_visible(table))
    assert {"rows", "error", "ors_accepted"} <= shown
    assert not {"stuck", "paper_B", "paper_T", "paper_S", "verdict", "accept_error"} & shown


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
