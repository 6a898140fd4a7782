"""The page of the truth table: its grid, its words, its switches, and the row it tells."""

import threading
from itertools import pairwise
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QApplication

from gpviz.app.pages.truth_table import truth_table_page as rows_module
from gpviz.app.pages.truth_table.truth_table_page import TruthTablePage
from gpviz.engine import GpvizError, RunConfig, Verdict, parse
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.tree_text import functions_text
from gpviz.explain.truth_table import cell_text, sample_text, scope_text, summary_text, table_of
from gpviz.runs.history import History
from tests.app.canvas.pictures import difference_of
from tests.app.mouse import move_mouse
from tests.app.pages.goldens_rows import FOLDER, PICTURES, rendered
from tests.runs.runs import recorded

CONFIG = RunConfig(n=6, limit="inf", seed=1)
SAMPLED = RunConfig(n=4, limit="inf", fitness="sampled", rows=30, seed=1)
START = parse("(x1 & x2) | x3")


@pytest.fixture
def page(shown_page):
    return shown_page(TruthTablePage)


@pytest.fixture
def shown_rows(page):
    """The rows whose values the tree is to show, one after the other."""
    rows: list[int | None] = []
    page.connect_to(SimpleNamespace(refresh_overlay=lambda: rows.append(page.shown_row)))
    return rows


def history_of_run(config=CONFIG, iterations=40, start=START):
    return recorded(config, iterations, start)[2]


def centre(page, mask):
    return page.grid.rect_of(*page.table.grid.cell_of(mask)).center().toPoint()


# The table


def test_a_moment_is_shown_with_its_counts_as_text(page):
    history = history_of_run()
    for iteration in (0, 1, 17, 40):
        page.show_moment(history, iteration)
        table = table_of(moment_at(history, iteration))
        assert (page.table.classes == table.classes).all()
        assert page.summary.text() == summary_text(table)
        assert page.grid.accessibleDescription() == f"{summary_text(table)} {scope_text(table)}"
        assert table.counts is not None
        assert f"wrong {table.counts.wrong}" in page.legend.accessibleName()


def test_the_functions_of_parent_and_offspring_are_written_down_and_compared(page):
    history = history_of_run()
    for iteration in (0, 17):
        page.show_moment(history, iteration)
        texts = functions_text(moment_at(history, iteration))
        assert [line.text() for line in page.formulas if line.text()] == list(texts.formulas)
        assert page.difference.text() == texts.difference
        assert page.difference.isVisible() == bool(iteration)


def test_large_tables_are_made_in_the_background_and_kept(page, qtbot):
    history = history_of_run(RunConfig(n=20, limit="inf", seed=1), 20)
    page.show_moment(history, 20)
    assert page.is_busy
    qtbot.waitUntil(lambda: page.table is not None)
    first = page.table
    assert first.grid.shape == (1024, 1024)
    page.show_moment(history, 19)
    page.show_moment(history, 20)  # known: it also ends the wait for the other
    assert page.table is first
    assert not page.is_busy
    page.show_moment(history, 18)
    qtbot.waitUntil(lambda: not page.is_busy)
    assert page.table is not first
    page.show_moment(history_of_run(), 3)  # another run
    assert not page.is_busy
    assert page.table.grid.n == 6


def test_work_that_takes_long_is_spoken_of_and_so_is_why_there_is_no_table(page, qtbot, monkeypatch):
    may_end = threading.Event()

    def fail(moment: Moment) -> object:
        may_end.wait()
        raise GpvizError("It is too large.")

    page.show_moment(history_of_run(), 3)
    monkeypatch.setattr(rows_module, "is_quick", lambda moment: False)
    monkeypatch.setattr(rows_module, "table_of", fail)
    try:
        page.show_moment(History(CONFIG, START), 0)
        qtbot.waitUntil(lambda: page.summary.text() == "Working out the table …")
    finally:
        may_end.set()
    qtbot.waitUntil(lambda: page.summary.text() == "It is too large.")
    assert page.table is None
    page.grab()


# The row


def test_pointing_at_a_cell_tells_its_row_and_leaving_tells_none(page, shown_rows):
    page.show_moment(history_of_run(), 17)
    move_mouse(page.grid, QPointF(centre(page, 0b110101)))
    assert shown_rows == [0b110101]
    assert page.readout.text() == cell_text(page.table, 0b110101)
    assert page.readout.accessibleDescription() == page.readout.text()
    QApplication.sendEvent(page.grid, QEvent(QEvent.Type.Leave))
    assert shown_rows == [0b110101, None]
    assert page.readout.text().startswith("Point at a cell")


def test_a_click_keeps_the_row_when_the_mouse_goes_on(page, shown_rows, qtbot):
    page.show_moment(history_of_run(), 17)
    qtbot.mouseClick(page.grid, Qt.MouseButton.LeftButton, pos=centre(page, 0b000111))
    move_mouse(page.grid, QPointF(centre(page, 0b000001)))
    QApplication.sendEvent(page.grid, QEvent(QEvent.Type.Leave))
    assert shown_rows == [0b000111, 0b000001, 0b000111]
    page.show_moment(history_of_run(), 18)
    assert page.chosen_row == 0b000111
    qtbot.mouseClick(page.clear_button, Qt.MouseButton.LeftButton)
    assert shown_rows[-1] is None
    assert not page.clear_button.isEnabled()


def test_the_arrow_keys_walk_from_cell_to_cell(page, shown_rows, qtbot):
    page.show_moment(history_of_run(), 17)
    page.grid.setFocus()
    qtbot.keyClick(page.grid, Qt.Key.Key_Right)
    assert shown_rows == [0b111111]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(page.grid, key)
    assert len(set(shown_rows)) == 4
    assert shown_rows[-1] == 0b111111
    for one, other in pairwise(shown_rows):
        assert (one ^ other).bit_count() == 1
    qtbot.keyClick(page.grid, Qt.Key.Key_Up)
    assert page.table.grid.cell_of(shown_rows[-1]) == (7, 0)  # round the edge, where one variable differs
    assert (shown_rows[-1] ^ 0b111111).bit_count() == 1
    qtbot.keyClick(page.grid, Qt.Key.Key_Home)
    assert shown_rows[-1] == 0b111111
    qtbot.keyClick(page.grid, Qt.Key.Key_Escape)
    assert shown_rows[-1] is None


@pytest.mark.parametrize(
    ("key", "modifier", "is_taken"),
    [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, False),  # no row to let go of
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, False),
    ],
)
def test_the_grid_takes_its_own_keys_from_the_shortcuts_and_no_others(page, key, modifier, is_taken):
    page.show_moment(history_of_run(), 17)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifier)
    event.ignore()
    QApplication.sendEvent(page.grid, event)
    assert event.isAccepted() == is_taken


def test_switches_choose_a_row_by_mouse_and_keyboard(page, shown_rows, qtbot):
    page.show_moment(history_of_run(), 17)
    switches = page.switches
    point = switches.visualRect(switches.model().index(3, 0)).center()
    qtbot.mouseClick(switches.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert shown_rows == [0b110111]
    assert switches.model().index(3, 0).data() == "x₄ = 0"
    assert switches.model().index(2, 0).data() == "x₃ = 1"
    qtbot.keyClick(switches, Qt.Key.Key_Right)
    qtbot.keyClick(switches, Qt.Key.Key_Space)
    assert shown_rows[-1] == 0b100111
    qtbot.keyClick(switches, Qt.Key.Key_Space)
    assert shown_rows[-1] == 0b110111
    qtbot.keyClick(switches, Qt.Key.Key_Escape)
    assert shown_rows[-1] is None
    assert switches.model().index(3, 0).data() == "x₄ = 1"


def test_a_row_chosen_by_hand_need_not_have_a_cell(page, shown_rows):
    page.show_moment(History(RunConfig(n=100), parse("x1 & x100")), 0)
    page.switches.turn(100)
    assert shown_rows == [2**99 - 1]
    page.switches.turn(60)
    assert page.table.grid.cell_of(shown_rows[-1]) is None
    assert page.readout.text().endswith("Target 0, tree 0: right.")
    page.grab()


def test_a_hidden_page_tells_no_row_and_tells_it_again_when_shown(page, shown_rows):
    page.show_moment(history_of_run(), 17)
    page.grid.row_picked.emit(5)
    page.hide()
    page.grid.row_picked.emit(6)
    page.show()
    assert shown_rows == [5, None, 6]


def test_a_row_of_a_larger_run_is_forgotten(page, shown_rows):
    page.show_moment(history_of_run(RunConfig(n=8, limit="inf")), 5)
    page.grid.row_picked.emit(0b10000001)
    page.show_moment(history_of_run(), 17)
    assert shown_rows == [0b10000001, None]


# Sampled runs


def test_witnesses_are_listed_and_choosing_one_chooses_its_row(page, shown_rows, qtbot):
    history = history_of_run(SAMPLED, 60)
    iteration = next(number for number in range(1, 61) if history.step_at(number).verdict is Verdict.WORSE)
    page.show_moment(history, iteration)
    drawn = page.table.drawn
    assert page.witnesses.isVisible()
    assert page.witnesses.model().rowCount() == len(drawn.witnesses) > 1
    assert page.sample.text() == sample_text(page.table)
    assert "drawn" in page.legend.texts()
    model = page.witnesses.model()
    first = drawn.mask_of(drawn.witnesses[0].number)
    point = page.witnesses.visualRect(model.index(0, 0)).center()
    qtbot.mouseClick(page.witnesses.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert page.chosen_row == first
    qtbot.keyClick(page.witnesses, Qt.Key.Key_Down)
    assert page.chosen_row == drawn.mask_of(drawn.witnesses[1].number)
    assert shown_rows[0] == first
    chosen = page.chosen_row
    page.show_moment(history, 0)  # another list chooses nothing by itself
    assert page.chosen_row == chosen
    assert not page.witnesses.isVisible()
    assert page.sample.text() == "No rows have been drawn yet."


# Looks


@pytest.mark.parametrize("name", PICTURES)
def test_a_grid_looks_like_its_golden_picture(name):
    golden = QImage(str(FOLDER / f"{name}.png"))
    assert not golden.isNull()
    mean, share = difference_of(rendered(name), golden)
    assert mean <= 0.5
    assert share <= 0.004
