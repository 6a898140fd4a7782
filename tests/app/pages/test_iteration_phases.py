"""The page that looks inside an iteration: the marked line, the values, the dots, and that all is to be seen."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gpviz.app.pages.iteration_phases import PhasesPage
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_controller import RunController
from gpviz.app.theme import load_theme, style_sheet
from gpviz.engine import RunConfig, Verdict
from gpviz.explain.iteration_phases import PHASES, Phase, phases_of
from gpviz.explain.moment import moment_at
from gpviz.runs.branches import search_at
from gpviz.runs.history import Generalisation
from tests.runs.runs import recorded

CONFIG = RunConfig(n=8, limit="n+1", seed=4)


@pytest.fixture
def page(qtbot):
    made = PhasesPage()
    qtbot.addWidget(made)
    made.set_theme(load_theme("light"))
    made.resize(1000, 230)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    return made


@pytest.fixture
def run(qapp, history):
    """A run with the cursor at an iteration with all six phases."""
    made = RunController(CONFIG)
    made.adopt_run(search_at(history, 200), history, Generalisation(), None, cursor=full(history))
    yield made
    made.close()


@pytest.fixture
def finder(run):
    made = OutlookFinder(run)
    yield made
    made.close()


@pytest.fixture
def phases(page, run, finder):
    """The phases of the window that the page stands in."""
    made = PhaseController(run)
    page.connect_to(SimpleNamespace(phases=made, outlook_finder=finder))
    page.show_moment(run.history, run.cursor)
    return made


@pytest.fixture(scope="module")
def history():
    return recorded(CONFIG, 200)[2]


def full(history):
    """An iteration with all six phases."""
    return next(t for t in range(20, 200) if len(phases_of(moment_at(history, t))) == 6)


def too_large(history):
    return next(t for t in range(1, 201) if history.step_at(t).verdict is Verdict.TOO_LARGE)


def test_at_the_start_nothing_is_drawn_and_no_phase_can_be_chosen(page, history):
    page.show_moment(history, 0)
    assert page.telling.text().startswith("There is no iteration yet")
    assert not any(dot.isEnabled() for dot in page.dots.dots.values())
    assert not page.previous.isEnabled()
    assert page.next.isEnabled()
    assert page.search.current_lines() == []


def test_a_whole_iteration_shows_all_its_values_and_marks_no_line(page, history):
    iteration = full(history)
    page.show_moment(history, iteration)
    assert page.search.current_lines() == page.mutation.current_lines() == []
    loop = page.search.listing.line("loop")
    assert page.search.text_of(loop) == f"2 for t = {iteration}"
    assert "Press Down to go through the phases" in page.telling.text()


def test_each_phase_marks_its_line_and_tells_its_sentence(page, history):
    iteration = full(history)
    page.show_moment(history, iteration)
    for view in phases_of(moment_at(history, iteration)):
        page.show_phase(view.index)
        assert view.sentence in page.telling.text()
        marked = {line.key for part in (page.search, page.mutation) for line in part.current_lines()}
        assert marked == {mark.key for mark in view.marks if mark.is_current}
        dots = page.dots.dots
        assert [phase for phase in PHASES if dots[phase].is_current] == [view.phase]
        assert sum(dot.is_passed for dot in dots.values()) == view.index


def test_values_are_filled_in_when_they_become_known(page, history):
    iteration = full(history)
    page.show_moment(history, iteration)
    step = history.step_at(iteration)
    page.show_phase(0)
    assert str(step.operation) in page.mutation.text_of(page.mutation.current_lines()[0])
    line = page.search.listing.line("errors")
    assert str(step.offspring_error) not in page.search.text_of(line)
    page.show_phase(4)
    assert str(step.offspring_error) in page.search.text_of(line)
    assert page.search.accessibleDescription() == page.search.text_of(line)


def test_a_branch_that_was_not_taken_stays_without_values(page, history):
    iteration = next(t for t in range(20, 200) if history.step_at(t).operation == "SUB")
    page.show_moment(history, iteration)
    page.show_phase(5)
    line = page.mutation.listing.line("ins_build")
    assert page.mutation.text_of(line) == f"{line.number} put f over x and l in any order"


def test_a_phase_that_did_not_happen_cannot_be_chosen(page, history):
    page.show_moment(history, too_large(history))
    dot = page.dots.dots[Phase.EVALUATE]
    assert not dot.isEnabled()
    assert dot.accessibleName() == "Evaluate: not in this iteration"


def test_clicking_a_dot_opens_its_phase(page, phases, run, history, qtbot):
    run.go_to(too_large(history))
    page.show_moment(history, too_large(history))
    qtbot.mouseClick(page.dots.dots[Phase.VERDICT], Qt.MouseButton.LeftButton)
    assert (phases.current.phase, phases.current.index) == (Phase.VERDICT, 4)


def test_a_dot_answers_to_the_keyboard(page, phases, qtbot):
    qtbot.keyClick(page.dots.dots[Phase.BUILD], Qt.Key.Key_Space)
    assert (phases.current.phase, phases.current.index) == (Phase.BUILD, 2)


def test_the_buttons_go_to_the_neighbouring_phases(page, phases, qtbot):
    phases.open(2)
    for button, index in ((page.next, 3), (page.next, 4), (page.previous, 3)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert phases.current.index == index
    assert "Up" in page.previous.toolTip()
    assert "Down" in page.next.toolTip()


def test_the_box_lets_the_phases_be_played(page, phases):
    for plays in (True, False):
        page.plays.click()
        assert phases.plays_phases is plays


def test_an_open_phase_stays_open_when_the_cursor_comes_to_another_iteration(page, history):
    page.show_moment(history, full(history))
    page.show_phase(5)
    page.show_moment(history, too_large(history))
    assert page.dots.dots[Phase.VERDICT].is_current  # the last there is
    page.show_phase(None)
    assert page.mutation.current_lines() == page.search.current_lines() == []


@pytest.mark.parametrize("size", [(1000, 230), (640, 170), (420, 150)])
def test_the_current_line_is_always_in_view(page, history, size):
    page.set_theme(load_theme("projector"))
    page.resize(*size)
    QApplication.processEvents()
    for iteration in (full(history), too_large(history), 60, 61, 62):
        page.show_moment(history, iteration)
        for view in page.phases:
            page.show_phase(view.index)
            QApplication.processEvents()
            for part in (page.search, page.mutation):
                if part.current_lines():
                    assert part.viewport().rect().contains(part.cursorRect().center())
                    assert part.textCursor().block().text() == "▶"


def test_the_page_can_be_low_and_narrow(page, history):
    page.set_theme(load_theme("projector"))
    page.show_moment(history, full(history))
    page.resize(640, 170)
    QApplication.processEvents()
    assert page.minimumSizeHint().height() <= 150
    assert page.minimumSizeHint().width() <= 600
    page.resize(page.minimumSizeHint())
    assert not page.dots.dots[Phase.DRAW].has_name


def test_where_there_is_room_the_longer_algorithm_needs_no_scrolling(page, history):
    page.show_moment(history, full(history))
    QApplication.processEvents()
    assert page.mutation.verticalScrollBar().maximum() == 0


def test_nothing_moves_from_phase_to_phase(page, history):
    page.resize(640, 200)
    page.show_moment(history, full(history))
    places = set()
    for view in page.phases:
        page.show_phase(view.index)
        QApplication.processEvents()
        places.add(page.search.geometry().getRect())
    assert len(places) == 1


def test_what_a_step_did_to_the_outlook_is_told_with_its_verdict_and_not_before(
    page, phases, finder, monkeypatch
):
    told = "This step raises the chance to end stuck from 21 % to 100 %."
    whole = page.telling.text()
    monkeypatch.setattr(OutlookFinder, "step_text", told)
    finder.step_changed.emit()
    assert page.telling.text().replace(f"{told} ", "") == whole != page.telling.text()
    for view in page.phases:
        page.show_phase(view.index)
        assert page.telling.text().endswith(told) == (view.phase is Phase.VERDICT)


def test_every_control_has_a_name_and_a_tooltip(page, history):
    page.show_moment(history, full(history))
    for part in (page.previous, page.next, page.plays, *page.dots.dots.values()):
        assert part.accessibleName()
        assert part.toolTip()
    assert page.search.accessibleName() == "The algorithm RLS-GP"


def test_focus_is_shown(page, history):
    page.setStyleSheet(style_sheet(load_theme("light")))
    page.show_moment(history, full(history))
    for part in (page.search, page.dots.dots[Phase.DRAW]):
        before = page.grab().toImage()
        page.activateWindow()
        part.setFocus()
        assert part.hasFocus()
        assert page.grab().toImage() != before
