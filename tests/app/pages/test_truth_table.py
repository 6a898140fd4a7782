"""The page of the truth table: its grid, its words, its switches, and the row it tells."""

import threading
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from gpviz.app.pages.truth_table import truth_table_page as rows_module
from gpviz.app.pages.truth_table.grid import picture_of
from gpviz.app.pages.truth_table.truth_table_page import TruthTablePage
from gpviz.app.theme import load_theme, palette_of, style_sheet
from gpviz.assets import THEME_NAMES
from gpviz.engine import Mutation, Operation, RunConfig, Verdict, parse
from gpviz.engine.enums import Function, Side
from gpviz.explain.function_difference import functions_text
from gpviz.explain.moment import Moment, moment_at, preview_of
from gpviz.explain.truth_table import CellClass, cell_text, sample_text, scope_text, summary_text, table_of
from gpviz.runs.history import History
from tests.app.canvas.goldens import difference_of
from tests.app.pages.goldens_rows import FOLDER, PICTURES, rendered
from tests.engine.strategies import few_implicants
from tests.runs.runs import recorded

CONFIG = RunConfig(n=6, limit="inf", seed=1)
SAMPLED = RunConfig(n=4, limit="inf", fitness="sampled", rows=30, seed=1)
START = parse("(x1 & x2) | x3")


@pytest.fixture
def page(qtbot):
    made = TruthTablePage()
    qtbot.addWidget(made)
    made.resize(1000, 230)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    yield made
    made.shut_down()


@pytest.fixture
def told(page):
    """The rows whose values the tree is to show, one after the other."""
    rows: list[int | None] = []
    page.connect_to(SimpleNamespace(refresh_overlay=lambda: rows.append(page.shown_row)))
    return rows


def history_of_run(config=CONFIG, iterations=40, start=START):
    return recorded(config, iterations, start)[2]


def centre(page, mask):
    return page.grid.rect_of(*page.table.cell_of(mask)).center().toPoint()


def point_at(page, place):
    """Where the mouse of an earlier test rested does not matter, as it does for Qt's own test functions."""
    button, none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    where = QPointF(place)
    everywhere = QPointF(page.grid.mapToGlobal(place))
    QApplication.sendEvent(
        page.grid, QMouseEvent(QEvent.Type.MouseMove, where, everywhere, button, button, none)
    )


# The table


def test_a_moment_is_shown_with_its_counts_in_words(page):
    history = history_of_run()
    for iteration in (0, 1, 17, 40):
        page.show_moment(history, iteration)
        table = table_of(moment_at(history, iteration))
        assert (page.table.classes == table.classes).all()
        assert page.summary.text() == summary_text(table)
        assert page.scope.text() == scope_text(table)
        assert page.grid.accessibleDescription() == f"{summary_text(table)} {scope_text(table)}"
        assert table.counts is not None
        assert f"wrong {table.counts.wrong}" in page.legend.texts()
        assert not page.sample.isVisible()
        assert not page.witnesses.isVisible()


def test_an_empty_tree_has_a_blank_table(page):
    page.show_moment(History(CONFIG), 0)
    assert set(np.unique(page.table.classes)) == {CellClass.BLANK}
    assert page.legend.texts() == []
    assert "empty" in page.summary.text()


def test_the_functions_of_parent_and_offspring_are_written_down_and_compared(page):
    history = history_of_run()
    page.show_moment(history, 0)
    assert [label.text() for label in page.formulas] == ["The tree computes x₃ ∨ (x₁ ∧ x₂)", ""]
    assert not page.difference.isVisible()
    for iteration in (1, 17, 40):
        page.show_moment(history, iteration)
        texts = functions_text(moment_at(history, iteration))
        assert tuple(label.text() for label in page.formulas) == texts.formulas
        assert page.difference.text() == texts.difference
        assert page.difference.isVisible()


def test_functions_that_take_long_to_compare_come_with_the_table(page, qtbot):
    with few_implicants(2):
        history = history_of_run(iterations=3, start=parse("(x1 | x2) & (x3 | x4)"))
        page.show_moment(history, 3)
        assert page.is_busy
        qtbot.waitUntil(lambda: not page.is_busy)
        assert page.difference.text() == functions_text(moment_at(history, 3)).difference


def test_large_tables_are_made_in_the_background_and_kept(page, qtbot, monkeypatch):
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
    monkeypatch.setattr(rows_module, "_MOST_KEPT", 1)
    page.show_moment(history, 18)
    qtbot.waitUntil(lambda: not page.is_busy)
    assert page.table is not first
    page.show_moment(history, 20)
    assert page.is_busy
    page.show_moment(history_of_run(), 3)  # another run
    assert not page.is_busy
    assert page.table.grid.n == 6


def test_tables_of_another_run_are_not_kept(page, qtbot):
    config = RunConfig(n=20, limit="inf", seed=1)
    page.show_moment(history_of_run(config, 5), 5)
    qtbot.waitUntil(lambda: page.table is not None)
    page.show_moment(history_of_run(config.replaced(seed=2), 5), 5)
    assert page.is_busy


def test_work_that_takes_long_is_spoken_of(page, qtbot, monkeypatch):
    may_end = threading.Event()
    made = table_of(moment_at(History(CONFIG, START), 0))

    def slow(moment: Moment) -> object:
        may_end.wait()
        return made

    monkeypatch.setattr(rows_module, "is_quick", lambda moment: False)
    monkeypatch.setattr(rows_module, "table_of", slow)
    try:
        page.show_moment(History(CONFIG, START), 0)
        qtbot.waitUntil(lambda: page.summary.text() == "Working out the table …")
    finally:
        may_end.set()
    qtbot.waitUntil(lambda: page.table is made)
    assert page.summary.text() == summary_text(made)


def test_a_mistake_in_the_background_is_not_silent(page, qtbot, monkeypatch):
    def fail(moment: Moment) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(rows_module, "is_quick", lambda moment: False)
    monkeypatch.setattr(rows_module, "table_of", fail)
    with qtbot.capture_exceptions() as caught:
        page.show_moment(History(CONFIG, START), 0)
        qtbot.waitUntil(lambda: bool(caught))
    assert str(caught[0][1]) == "broken"


# The row


def test_pointing_at_a_cell_tells_its_row_and_leaving_tells_none(page, told):
    page.show_moment(history_of_run(), 17)
    point_at(page, centre(page, 0b110101))
    assert told == [0b110101]
    assert page.readout.text() == cell_text(page.table, 0b110101)
    assert page.readout.accessibleDescription() == page.readout.text()
    QApplication.sendEvent(page.grid, QEvent(QEvent.Type.Leave))
    assert told == [0b110101, None]
    assert page.readout.text().startswith("Point at a cell")


def test_a_click_keeps_the_row_when_the_mouse_goes_on(page, told, qtbot):
    page.show_moment(history_of_run(), 17)
    qtbot.mouseClick(page.grid, Qt.MouseButton.LeftButton, pos=centre(page, 0b000111))
    point_at(page, centre(page, 0b000001))
    QApplication.sendEvent(page.grid, QEvent(QEvent.Type.Leave))
    assert told == [0b000111, 0b000001, 0b000111]
    page.show_moment(history_of_run(), 18)
    assert page.chosen_row == 0b000111
    qtbot.mouseClick(page.clear_button, Qt.MouseButton.LeftButton)
    assert told[-1] is None
    assert not page.clear_button.isEnabled()


def test_a_row_chosen_elsewhere_counts_though_the_mouse_rests_on_a_cell(page, told):
    page.show_moment(history_of_run(), 17)
    point_at(page, centre(page, 0b000001))
    page.switches.turn(6)
    assert told == [0b000001, 0b100001]
    QApplication.sendEvent(page.grid, QEvent(QEvent.Type.Leave))
    assert told[-1] == 0b100001


def test_beside_the_cells_and_for_the_right_button_there_is_no_row(page, qtbot):
    page.show_moment(history_of_run(), 17)
    point_at(page, QPoint(1, 1))
    qtbot.mouseClick(page.grid, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    qtbot.mouseClick(page.grid, Qt.MouseButton.RightButton, pos=centre(page, 0b000111))
    QApplication.sendEvent(page.grid, QEvent(QEvent.Type.Leave))
    assert page.chosen_row is None
    assert page.grid.cell_at(QPointF(-5, 5)) is None


def test_every_place_of_the_grid_is_in_its_cell(page):
    page.show_moment(history_of_run(), 17)
    for mask in range(64):
        cell = page.table.cell_of(mask)
        assert page.grid.cell_at(page.grid.rect_of(*cell).center()) == cell
    area = page.grid.cells_area()
    assert page.grid.cell_at(area.topLeft()) == (0, 0)


def test_the_arrow_keys_walk_from_cell_to_cell(page, told, qtbot):
    page.show_moment(history_of_run(), 17)
    page.grid.setFocus()
    qtbot.keyClick(page.grid, Qt.Key.Key_Right)
    assert told == [0b111111]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(page.grid, key)
    assert len(set(told)) == 4
    assert told[-1] == 0b111111
    for one, other in pairwise(told):
        assert (one ^ other).bit_count() == 1
    qtbot.keyClick(page.grid, Qt.Key.Key_Up)
    assert page.table.cell_of(told[-1]) == (7, 0)  # round the edge, where again one variable differs
    assert (told[-1] ^ 0b111111).bit_count() == 1
    qtbot.keyClick(page.grid, Qt.Key.Key_Home)
    assert told[-1] == 0b111111
    qtbot.keyClick(page.grid, Qt.Key.Key_Escape)
    assert told[-1] is None


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


def test_keys_before_the_first_table_do_nothing(page, told, qtbot):
    qtbot.keyClick(page.grid, Qt.Key.Key_Right)
    assert told == []
    assert page.grid.cell_at(QPointF(20, 20)) is None
    assert page.grid.width_for(100) == 100


def test_switches_choose_a_row_by_mouse_and_keyboard(page, told, qtbot):
    page.show_moment(history_of_run(), 17)
    switches = page.switches
    place = switches.visualRect(switches.model().index(3, 0)).center()
    qtbot.mouseClick(switches.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told == [0b110111]
    assert switches.model().index(3, 0).data() == "x₄ = 0"
    assert switches.model().index(2, 0).data() == "x₃ = 1"
    qtbot.keyClick(switches, Qt.Key.Key_Right)
    qtbot.keyClick(switches, Qt.Key.Key_Space)
    assert told[-1] == 0b100111
    qtbot.keyClick(switches, Qt.Key.Key_Space)
    assert told[-1] == 0b110111
    qtbot.keyClick(switches, Qt.Key.Key_Escape)
    assert told[-1] is None
    assert switches.model().index(3, 0).data() == "x₄ = 1"
    assert "Space" in switches.model().index(3, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_a_row_chosen_by_hand_need_not_have_a_cell(page, told):
    page.show_moment(History(RunConfig(n=100), parse("x1 & x100")), 0)
    page.switches.turn(100)
    assert told == [2**99 - 1]
    page.switches.turn(60)
    assert page.table.cell_of(told[-1]) is None
    assert page.readout.text().endswith("Target 0, tree 0: right.")
    page.grab()


def test_a_hidden_page_tells_no_row_and_tells_it_again_when_shown(page, told):
    page.show_moment(history_of_run(), 17)
    page.choose_row(5)
    page.hide()
    page.choose_row(6)
    page.show()
    assert told == [5, None, 6]


def test_a_row_of_a_larger_run_is_forgotten(page, told):
    page.show_moment(history_of_run(RunConfig(n=8, limit="inf")), 5)
    page.choose_row(0b10000001)
    page.show_moment(history_of_run(), 17)
    assert told == [0b10000001, None]


def test_where_the_grid_changes_the_mouse_points_at_nothing(page, told):
    page.show_moment(history_of_run(RunConfig(n=8, limit="inf")), 5)
    point_at(page, centre(page, 0b11000111))
    page.show_moment(history_of_run(), 17)
    assert told == [0b11000111, None]


# Sampled runs


def test_witnesses_are_listed_and_choosing_one_chooses_its_row(page, told, qtbot):
    history = history_of_run(SAMPLED, 60)
    iteration = next(number for number in range(1, 61) if history.step_at(number).verdict is Verdict.WORSE)
    page.show_moment(history, iteration)
    drawn = page.table.drawn
    assert page.witnesses.isVisible()
    assert page.witnesses.count() == len(drawn.witnesses) > 1
    assert page.sample.text() == sample_text(page.table)
    assert "drawn" in page.legend.texts()
    model = page.witnesses.model()
    first = drawn.mask_of(drawn.witnesses[0].number)
    place = page.witnesses.visualRect(model.index(0, 0)).center()
    qtbot.mouseClick(page.witnesses.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.chosen_row == first
    qtbot.keyClick(page.witnesses, Qt.Key.Key_Down)
    assert page.chosen_row == drawn.mask_of(drawn.witnesses[1].number)
    assert told[0] == first
    assert model.index(0, 0).data()[0] in "▲▼"
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole).startswith("Drawn row ")
    assert model.index(0, 0).data(Qt.ItemDataRole.DecorationRole) is None
    chosen = page.chosen_row
    page.show_moment(history, 0)  # another list chooses nothing by itself
    assert page.chosen_row == chosen
    assert not page.witnesses.isVisible()
    assert page.sample.text() == "No rows have been drawn yet."


def test_a_run_that_draws_counts_says_that_it_has_no_rows(page):
    page.show_moment(history_of_run(SAMPLED.replaced(sampler="counts"), 10), 10)
    assert page.sample.text().startswith("This run draws only how many of its rows are wrong")
    assert page.table.drawn is None


# Looks


@pytest.mark.parametrize("theme_name", THEME_NAMES)
@pytest.mark.parametrize("size", [(1000, 230), (640, 170), (320, 150)])
def test_nothing_overflows(page, qapp, theme_name, size):
    theme = load_theme(theme_name)
    qapp.setPalette(palette_of(theme))
    qapp.setStyleSheet(style_sheet(theme))
    qapp.setFont(theme.font())
    page.set_theme(theme)
    page.resize(*size)
    for config in (
        CONFIG,
        SAMPLED,
        RunConfig(n=300, limit="inf"),
        RunConfig(n=16, fitness="sampled", rows=9999),
    ):
        page.show_moment(history_of_run(config, 10), 10)
        qapp.processEvents()
        page.grab()
        assert page.size().toTuple() == size
        assert page.minimumSizeHint().width() <= 320
        assert page.minimumSizeHint().height() <= 150
        assert page.grid.width() <= max(0.5 * size[0], 96)
        area = page.grid.cells_area()
        assert page.grid.rect().contains(area.toAlignedRect())


def test_the_grid_is_walked_to_by_tab_and_everything_has_a_name(page):
    page.show_moment(history_of_run(SAMPLED), 17)
    for part in (page.grid, page.switches, page.witnesses, page.clear_button):
        assert part.accessibleName()
        assert part.toolTip()
        assert part.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("n", [16, 18])
def test_a_single_row_among_many_is_seen(n):
    tree = parse(" & ".join(f"x{number}" for number in range(1, n)))
    table = table_of(Moment(config=RunConfig(n=n), iteration=0, tree=tree))
    theme = load_theme("light")
    image = picture_of(table, 200, 200, theme, has_drawn_colours=False)
    wrong = sum(image.pixelColor(x, y).name() == theme.colours.muted for x in range(200) for y in range(200))
    assert 4 <= wrong <= 12


def test_each_cell_has_the_colour_of_its_class():
    table = table_of(
        preview_of(History(CONFIG, START), 0, Mutation(Operation.SUB, 5, 4, Function.AND, Side.LEFT))
    )
    theme = load_theme("light")
    image = picture_of(table, 80, 80, theme, has_drawn_colours=True)
    colours = theme.colours
    expected = [colours.field, colours.muted, colours.improved, colours.worse]
    assert len(np.unique(table.classes)) == 4
    for (row, column), kind in np.ndenumerate(table.classes):
        assert image.pixelColor(column, row).name() == expected[kind]


@pytest.mark.parametrize("name", PICTURES)
def test_a_grid_looks_like_its_golden_picture(name):
    golden = QImage(str(FOLDER / f"{name}.png"))
    assert not golden.isNull()
    mean, share = difference_of(rendered(name), golden)
    assert mean <= 0.5
    assert share <= 0.004


def test_in_a_tall_column_the_grid_has_its_width_and_the_words_are_below(page, qtbot):
    page.show_moment(history_of_run(), 40)
    page.resize(1000, 230)
    beside = page.grid.width()
    page.resize(560, 620)
    qtbot.waitUntil(lambda: page.summary.mapTo(page, QPoint()).y() > page.grid.geometry().bottom())
    assert page.grid.width() > 1.5 * beside
    area = page.grid.cells_area()
    rows, columns = page.table.grid.shape
    assert abs(area.width() / columns - area.height() / rows) <= 1.0
    page.resize(1000, 230)
    qtbot.waitUntil(lambda: page.summary.mapTo(page, QPoint()).x() > page.grid.geometry().right())
