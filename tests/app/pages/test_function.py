"""The function page: both functions in text and picture, and their difference in a sentence."""

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QToolTip

from gpviz.app.pages import function as function_module
from gpviz.app.pages.function import FunctionPage, ImplicantMatrix
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import Function, Mutation, Operation, RunConfig, Side, Verdict, parse
from gpviz.engine.forced_mutation import judge
from gpviz.engine.mutation import fresh_uids
from gpviz.explain.function_difference import Line, difference_sentence
from gpviz.explain.moment import moment_at
from gpviz.runs.history import History
from tests.engine.strategies import few_implicants
from tests.runs.runs import recorded

CONFIG = RunConfig(n=6, limit="8", seed=1)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(function_module, "_CALM_MS", 0)


@pytest.fixture
def page(show):
    made = FunctionPage()
    window = show(made)
    window.resize(1000, 230)
    yield made
    made.shut_down()
    window.close()


def one_step(formula, mutation, config=CONFIG):
    """A run of one iteration with this mutation."""
    history = History(config, parse(formula))
    history.append(judge(config, history.start, mutation, 1, fresh_uids(history.first_uid, 1)))
    return history


def insertion(variable, function):
    return Mutation(Operation.INS, 1, variable, function, Side.RIGHT)


def test_parent_and_offspring_stand_beside_each_other(page):
    page.show_moment(one_step("x1 & x2", insertion(4, Function.AND)), 1)
    assert page.difference.text() == "Now also requires x₄."
    assert page.left.name.text() == "Parent"
    assert page.right.name.text() == "Offspring"
    assert page.left.formula.text() == "x₁ ∧ x₂"
    assert page.right.formula.text() == "x₁ ∧ x₂ ∧ x₄"
    assert page.left.matrix.lines == [Line(0b11, is_alone=True)]
    assert page.right.matrix.lines == [Line(0b1011, is_alone=True)]
    assert page.left.count.text() == "1 implicant, 1 gone"
    assert page.right.count.text() == "1 implicant, 1 new"
    assert page.chip.text() == "▲ improved"


def test_a_rejected_offspring_is_labelled_as_rejected(page):
    page.show_moment(one_step("x1 & x2", insertion(4, Function.OR)), 1)
    assert page.right.name.text() == "Rejected offspring"
    assert page.chip.text() == "▼ worse"
    assert page.left.matrix.lines == [None, Line(0b11)]
    assert page.right.matrix.lines == [Line(0b1000, is_alone=True), Line(0b11)]


def test_the_start_has_no_offspring(page):
    history = one_step("x1 | x2", insertion(4, Function.AND))
    page.show_moment(history, 1)
    page.show_moment(history, 0)
    assert page.difference.text() == "The start: there is no offspring yet to compare with."
    assert page.left.name.text() == "The start"
    assert page.left.matrix.lines == [Line(1), Line(2)]
    assert page.right.matrix.isHidden()
    page.show_moment(history, 1)
    assert not page.right.matrix.isHidden()


def test_the_empty_tree_computes_nothing(page):
    _, steps, history = recorded(CONFIG, 1)
    page.show_moment(history, 0)
    assert page.difference.text() == "The start: the empty tree computes nothing yet."
    assert page.left.matrix.message == "The empty tree has no prime implicants."
    page.show_moment(history, 1)
    assert page.difference.text() == "Now computes something: the tree before was empty."
    assert page.left.formula.text() == "nothing: the tree is empty"
    assert steps[0].verdict is Verdict.IMPROVED


def test_every_iteration_has_the_sentence_of_its_own_trees(page, qtbot):
    _, steps, history = recorded(CONFIG, 120)
    for step in steps:
        page.show_moment(history, step.iteration)
        moment = moment_at(history, step.iteration)
        expected = difference_sentence(moment.parent, moment.offspring, CONFIG.n)
        assert page.difference.text() == expected
        assert page.right.name.text().startswith("Offspring" if step.is_accepted else "Rejected")


def test_what_cannot_be_listed_is_told_and_compared_later(page, qtbot):
    with few_implicants(2):
        history = one_step("(x1 | x2) & (x3 | x4)", insertion(5, Function.AND))
        page.show_moment(history, 1)
        assert page.difference.text() == "Comparing the two functions …"
        assert page.is_busy
        page.show_moment(history, 1)  # asking again changes nothing
        qtbot.waitUntil(lambda: not page.is_busy)
        assert page.difference.text().startswith("Now requires x₅")
        assert page.right.matrix.message == "Too many prime implicants to list."
        assert page.right.formula.text() == "x₅ ∧ (x₁ ∨ x₂) ∧ (x₃ ∨ x₄)"
        assert page.right.count.text() == ""


def test_a_hidden_page_does_nothing(page, qtbot):
    with few_implicants(2):
        history = one_step("(x1 | x2) & (x3 | x4)", insertion(5, Function.AND))
        page.show_moment(history, 1)
        page.hide()
        assert not page.is_busy
        page.show()
        page.show_moment(history, 1)
        qtbot.waitUntil(lambda: page.difference.text().startswith("Now requires x₅"))


def test_the_page_remembers_only_so_many_formulas(page, monkeypatch):
    monkeypatch.setattr(function_module, "_MOST_REMEMBERED", 2)
    for formula in ("x1", "x2", "x3", "x4"):
        page.show_moment(History(CONFIG, parse(formula)), 0)
    assert len(page.left._texts) == 2
    assert page.left.formula.text() == "x₄"


def test_a_failure_is_not_swallowed(page):
    with pytest.raises(ZeroDivisionError):
        page._on_failed(ZeroDivisionError())


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_page_has_room_in_a_small_window(page, name):
    page.set_theme(load_theme(name))
    many = " | ".join(f"(x{v} & x{v + 1} & x{v + 2})" for v in range(1, 19))
    page.show_moment(one_step(many, insertion(3, Function.AND), RunConfig(n=20, limit="inf")), 1)
    assert page.minimumSizeHint().height() <= 150
    assert page.minimumSizeHint().width() <= 640
    assert abs(page.left.matrix.width() - page.right.matrix.width()) <= 1
    top = page.left.matrix.mapTo(page, QPoint())
    assert top.y() == page.right.matrix.mapTo(page, QPoint()).y()


def test_both_pictures_scroll_together(page):
    many = " | ".join(f"(x{v} & x{v + 1} & x{v + 2})" for v in range(1, 47))
    page.show_moment(one_step(many, insertion(3, Function.AND), RunConfig(n=50, limit="inf")), 1)
    left, right = page.left.matrix, page.right.matrix
    for one, other in ((left, right), (right, left)):
        for bar, same in (
            (one.horizontalScrollBar(), other.horizontalScrollBar()),
            (one.verticalScrollBar(), other.verticalScrollBar()),
        ):
            assert bar.maximum() > 0
            bar.setValue(bar.maximum() // 2)
            assert same.value() == bar.value()
            bar.setValue(0)


# The picture


@pytest.fixture
def matrix(qtbot):
    made = ImplicantMatrix("+", "new")
    qtbot.addWidget(made)
    made.resize(400, 160)
    made.show()
    return made


@pytest.mark.parametrize("name", THEME_NAMES)
def test_cells_are_filled_where_the_implicant_requires_the_variable(matrix, name):
    theme = load_theme(name)
    matrix.set_theme(theme)
    lines = [Line(0b101, is_alone=True), None, Line(0b011)]
    matrix.show_lines(lines, 4)
    image = matrix.viewport().grab().toImage()
    for row, line in enumerate(lines):
        for variable in range(1, 5):
            is_filled = line is not None and bool(line.mask >> (variable - 1) & 1)
            middle = matrix.cell_rect(row, variable).center().toPoint()
            colour = theme.colours.improved if row == 0 else theme.colours.muted
            assert (image.pixelColor(middle) == QColor(colour)) == is_filled
            assert matrix.cell_at(middle) == (row, variable)


def test_gone_lines_have_another_colour(qtbot):
    gone = ImplicantMatrix("−", "gone")
    qtbot.addWidget(gone)
    gone.show_lines([Line(1, is_alone=True)], 3)
    gone.resize(300, 100)
    middle = gone.cell_rect(0, 1).center().toPoint()
    colour = load_theme("light").colours.worse
    assert gone.viewport().grab().toImage().pixelColor(middle) == QColor(colour)


def test_cells_grow_with_the_room(matrix):
    matrix.show_lines([Line(1)], 3)
    large = matrix.cell_rect(0, 1).width()
    matrix.show_lines([Line(1 << row) for row in range(20)], 20)
    assert matrix.cell_rect(0, 1).width() < large


def test_the_last_line_and_variable_can_be_scrolled_to(matrix):
    matrix.show_lines([Line(1 << row) for row in range(40)], 40)
    assert matrix.cell_at(QPoint(matrix.viewport().width() - 1, matrix.viewport().height() - 1)) != (39, 40)
    matrix.verticalScrollBar().setValue(matrix.verticalScrollBar().maximum())
    matrix.horizontalScrollBar().setValue(matrix.horizontalScrollBar().maximum())
    middle = matrix.cell_rect(39, 40).center().toPoint()
    assert matrix.viewport().rect().contains(middle)
    assert matrix.cell_at(middle) == (39, 40)
    theme = load_theme("light")
    assert matrix.viewport().grab().toImage().pixelColor(middle) == QColor(theme.colours.muted)


def test_there_is_no_cell_in_the_header(matrix):
    matrix.show_lines([Line(1)], 3)
    assert matrix.cell_at(QPoint(40, 2)) is None
    assert matrix.cell_at(QPoint(1, 40)) is None
    assert matrix.cell_at(QPoint(399, 159)) is None


def test_hovering_tells_the_implicant(matrix, monkeypatch):
    said = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *rest: said.append(text))
    matrix.show_lines([Line(0b101, is_alone=True), None, Line(0b11)], 4)
    for row in range(3):
        place = matrix.cell_rect(row, 1).center().toPoint()
        matrix.viewportEvent(QHelpEvent(QEvent.Type.ToolTip, place, place))
    matrix.viewportEvent(QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1)))
    assert said == ["x₁ ∧ x₃, new", "nothing here", "x₁ ∧ x₂", ""]


def test_a_screen_reader_is_told_the_lines(matrix):
    matrix.show_lines([Line(0b101, is_alone=True), Line(0b11)], 4)
    assert matrix.accessibleDescription() == "x₁ ∧ x₃, new; x₁ ∧ x₂"
    matrix.show_lines([], 4, "Nothing.")
    assert matrix.accessibleDescription() == "Nothing."
    assert matrix.sizeHint().height() > matrix.minimumSizeHint().height()
    matrix.setFocus()
    matrix.grab()


def test_a_thousand_variables_are_painted_only_where_they_are_seen(matrix):
    matrix.show_lines([Line(2**1000 - 1)] * 64, 1000)
    assert len(matrix._variables_in_view()) < 40
    matrix.grab()


def test_the_chip_of_a_sampled_run_says_how_the_offspring_looks(page):
    config = RunConfig(n=4, fitness="sampled", rows=200)
    page.show_moment(one_step("x1 & x2", insertion(4, Function.OR), config), 1)
    assert page.chip.text() == "▼ looks worse"
