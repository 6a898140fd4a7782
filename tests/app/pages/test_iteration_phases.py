"""The page that looks inside an iteration: the marked line, the values, the dots, and that all is to be seen."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from gpviz.app.pages.iteration_phases import PhasesPage
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.player.player import Player
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.engine import RunConfig, Verdict
from gpviz.explain.iteration_phases import PHASES, Phase, phases_of
from gpviz.explain.moment import moment_at
from gpviz.runs.branches import search_at
from gpviz.runs.history import Generalisation
from tests.runs.runs import recorded

CONFIG = RunConfig(n=8, limit="n+1", seed=4)


@pytest.fixture
def page(shown_page):
    return shown_page(PhasesPage)


@pytest.fixture
def run(qapp, history):
    """A run with the cursor at an iteration with all six phases."""
    made = Player.for_run(CONFIG)
    made.adopt_run(search_at(history, 200), history, Generalisation(), None, cursor=full(history))
    yield made
    made.close()


@pytest.fixture
def finder(run):
    made = OutlookFinder(run)
    run.moment_changed.connect(made.follow)
    yield made
    made.close()


@pytest.fixture
def phases(page, run, finder):
    """The phases of the window that the page stands in."""
    made = PhaseController(run)
    page.connect_to(SimpleNamespace(phases=made, outlook_finder=finder))
    page.show_moment(run.run.history, run.cursor)
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
    assert page.codes.search.current_lines() == []


def test_each_phase_marks_its_line_and_tells_its_sentence(page, phases):
    for view in page.phases:
        phases.open(view.index)
        assert view.sentence in page.telling.text()
        marked = {
            line.key for part in (page.codes.search, page.codes.mutation) for line in part.current_lines()
        }
        assert marked == {mark.key for mark in view.marks if mark.is_current}
        marks = [page.dots.dots[phase].text()[0] for phase in PHASES]
        assert marks == [*"•" * view.index, "●", *"○" * (len(PHASES) - view.index - 1)]


def test_values_are_filled_in_when_they_become_known(page, phases, history):
    step = history.step_at(full(history))
    phases.open(0)
    assert str(step.operation) in page.codes.mutation.text_of(page.codes.mutation.current_lines()[0])
    line = page.codes.search.listing.line("errors")
    assert str(step.offspring_error) not in page.codes.search.text_of(line)
    phases.open(4)
    assert str(step.offspring_error) in page.codes.search.text_of(line)
    assert page.codes.search.accessibleDescription() == page.codes.search.text_of(line)


@pytest.mark.parametrize("size", [(560, 590), (500, 420), (900, 400), (400, 900)])
def test_all_code_is_seen_in_every_phase(page, phases, qtbot, size):
    page.resize(*size)
    for view in page.phases:
        phases.open(view.index)
        for part in (page.codes.search, page.codes.mutation):
            assert part.isVisible()
            assert part.verticalScrollBar().maximum() == 0
            assert part.toPlainText().count(part.listing.lines[-1].text.split()[0])


def test_code_that_fits_in_no_type_is_scrolled(page, phases):
    page.resize(300, 150)
    phases.open(4)
    assert page.codes.mutation.verticalScrollBar().maximum() > 0
    assert page.codes.mutation.toPlainText().count("return") == 1


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


def test_the_box_lets_the_phases_be_played(page, phases, run):
    run.set_speed(1.0)
    for plays in (True, False):
        page.plays.click()
        phases.play()
        assert phases.is_playing is plays
        phases.pause()


def test_an_open_phase_stays_open_when_the_cursor_comes_to_another_iteration(page, phases, history):
    phases.open(5)
    page.show_moment(history, too_large(history))
    assert page.dots.dots[Phase.VERDICT].text().startswith("●")  # the last there is
    phases.close_phases()
    assert page.codes.mutation.current_lines() == page.codes.search.current_lines() == []


def test_what_a_step_did_to_the_outlook_is_told_with_its_verdict_and_not_before(
    page, phases, finder, monkeypatch
):
    outlook = "This step raises the chance to end stuck from 21 % to 100 %."
    whole = page.telling.text()
    monkeypatch.setattr(OutlookFinder, "step_text", outlook)
    finder.step_changed.emit()
    assert page.telling.text().replace(f"{outlook} ", "") == whole != page.telling.text()
    for view in page.phases:
        phases.open(view.index)
        assert page.telling.text().endswith(outlook) == (view.phase is Phase.VERDICT)
