"""The outlook page: it fills in while one watches, goes to the decisive steps, and works for nobody else."""

import re
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from gpviz.app.pages.outlook.outlook_page import OutlookPage
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.engine import GpvizError, RunConfig
from gpviz.explain.outlook_along_run import Job
from gpviz.runs.history import History
from tests.app.main_windows import let_go, open_window, press
from tests.app.patient_work import Patient
from tests.runs.runs import recorded

STUCK = RunConfig(n=4, limit=4, deletion="leaf", seed=236)
"""Its chain is small, so its outlook is exact; iterations 8, 9 and 11 are decisive, and then it is stuck."""
NEVER_STUCK = RunConfig(n=2, seed=1)
SAMPLED = RunConfig(n=3, limit="inf", fitness="sampled", rows=4, seed=1, accept_error=1)


def history_of(config: RunConfig = STUCK, iterations: int = 40) -> History:
    return recorded(config, iterations)[2]


@pytest.fixture
def gone_to() -> list[int]:
    return []


@pytest.fixture
def page(shown_page, gone_to):
    made = shown_page(OutlookPage)
    made.resize(600, 600)
    player = SimpleNamespace(go_to=gone_to.append)
    made.connect_to(SimpleNamespace(player=player, outlook_finder=OutlookFinder(parent=made)))
    return made


def watch(page: OutlookPage, qtbot, history: History, iteration: int) -> None:
    page.show_moment(history, iteration)
    qtbot.waitUntil(lambda: not page.is_filling)


def visible_texts(page: OutlookPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def iterations(page: OutlookPage) -> list[int]:
    return [mark.step.iteration for mark in page.table.rows]


# What is shown


def test_it_fills_in_and_lists_the_decisive_steps(page, qtbot):
    watch(page, qtbot, history_of(), 9)
    listing = page.table.listing
    assert [[listing.text_at(row, name).strip() for name in listing.names] for row in range(3)] == [
        ["8", "insert ∧ x₁ above x₄, still 7 wrong rows", "2 %", "9 %"],
        ["9", "insert ∧ x₄ above x₄, still 7 wrong rows", "9 %", "37 %"],
        ["11", "change x₄ to x₃, 7 → 5 wrong rows", "37 %", "100 %"],
    ]
    assert page.head.line.text().startswith("From here 37 % of the runs end stuck")
    assert page.status.text() == ""
    assert page.note.isHidden()
    assert page.chart.accessibleDescription().endswith("The decisive step is iteration 11: 37 % → 100 %.")
    assert all(stretch.outlook is not None for stretch in page.picture.stretches)


def test_the_tree_under_the_cursor_is_told_of_first(page, qtbot, monkeypatch):
    """One piece of work is enough for it, however long the run."""
    patient = Patient()

    def work_once(_finder: OutlookFinder, job: Job, _working: object) -> None:
        job.work()
        monkeypatch.setattr(OutlookFinder, "work", lambda _finder, _job, working: patient(working))

    monkeypatch.setattr(OutlookFinder, "work", work_once)
    history = history_of()
    page.show_moment(history, 9)
    qtbot.waitUntil(patient.has_begun.is_set)
    assert [point.iteration for point in page.finder.run_of(history).points()] == [9]


def test_only_up_to_the_cursor_if_that_is_wanted(page, qtbot):
    history = history_of()
    watch(page, qtbot, history, 9)
    page.whole_action.setChecked(False)
    assert page.picture.last == 9
    assert iterations(page) == [8, 9]
    watch(page, qtbot, history, 5)
    assert iterations(page) == []
    assert page.note.text() == "No step raised the chance to end stuck by 5 points or more."
    page.whole_action.setChecked(True)
    assert iterations(page) == [8, 9, 11]


def test_while_guessing_nothing_ahead_is_shown_or_worked_out_whatever_is_chosen(page, qtbot):
    page.set_ahead_hidden(True)
    history = history_of()
    watch(page, qtbot, history, 9)
    assert page.whole_action.isChecked()
    assert not page.whole_action.isEnabled()
    assert page.picture.last == 9
    assert iterations(page) == [8, 9]
    assert page.finder.run_of(history).at(11) is None
    page.set_ahead_hidden(False)
    qtbot.waitUntil(lambda: not page.is_filling)
    assert iterations(page) == [8, 9, 11]


def test_where_no_run_gets_stuck_it_says_so_and_shows_the_iterations_to_go(page, qtbot):
    watch(page, qtbot, history_of(NEVER_STUCK, 12), 3)
    assert page.note.text().startswith("Under these rules no run gets stuck:")
    assert page.table.isHidden()
    assert not page.picture.shows_chance


def test_of_a_sampled_run_it_says_what_the_chance_is_of(page, qtbot):
    history = history_of(SAMPLED, 3)
    watch(page, qtbot, history, 1)
    assert page.picture.names[0] == "chance not to be done within 10,000 iterations"
    assert re.search(r"estimated from [\d,]+ continuations, ± .* %", page.head.line.text())
    watch(page, qtbot, history, 3)
    qtbot.waitUntil(lambda: page.status.text() == "2 of 3 trees estimated.")


def test_what_is_too_complex_is_told_in_a_sentence(page, qtbot, monkeypatch):
    def refuse(*_):
        raise GpvizError("It is too tangled.")

    monkeypatch.setattr(OutlookFinder, "work", refuse)
    watch(page, qtbot, history_of(), 9)
    assert page.note.text() == "The outlook of this run cannot be found: It is too tangled."


# Going there


def test_a_click_on_a_step_goes_there(page, qtbot, gone_to):
    watch(page, qtbot, history_of(), 0)
    point = page.table.visualRect(page.table.model().index(1, 1)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert gone_to == [9]


def test_arrow_keys_and_enter_go_there_and_the_focus_alone_does_not(page, qtbot, gone_to):
    watch(page, qtbot, history_of(), 8)
    page.table.setFocus()
    qtbot.waitUntil(page.table.hasFocus)
    assert gone_to == []
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    assert gone_to == [9]
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert gone_to == [9, 9]


def test_the_arrow_keys_go_on_from_the_step_that_the_cursor_has_left(page, qtbot, gone_to):
    history = history_of()
    watch(page, qtbot, history, 9)
    assert page.table.currentIndex().row() == 1
    watch(page, qtbot, history, 0)
    assert not page.table.selectedIndexes()
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    assert gone_to == [page.table.rows[2].step.iteration]


def test_a_click_on_the_picture_goes_there(page, qtbot, gone_to):
    watch(page, qtbot, history_of(), 0)
    geometry = page.chart.geometry_now()
    point = QPointF(geometry.x(11), geometry.plot.center().y()).toPoint()
    QTest.mouseClick(page.chart, Qt.MouseButton.LeftButton, pos=point)
    assert gone_to == [11]
    assert page.chart.hint_at(QPointF(point)) == "t = 11: chance to end stuck 100 %, exact"
    bar = geometry.bar.center()
    QTest.mouseClick(page.chart, Qt.MouseButton.LeftButton, pos=bar.toPoint())
    assert gone_to == [11]
    assert page.chart.hint_at(bar).startswith("From here ")


def test_its_key_shows_it_and_another_chooses_how_much_of_the_run(qtbot):
    window = open_window()
    qtbot.waitUntil(lambda: window.windowHandle().isExposed())
    window.activateWindow()
    window.views.canvas.setFocus()
    press("O")
    page = window.views.drawer.made("outlook")
    assert isinstance(page, OutlookPage)
    assert page.isVisible()
    press("Shift+O")
    assert not page.whole_action.isChecked()
    let_go(window)


# Working for nobody else


def test_it_stops_at_once_when_it_is_hidden(page, qtbot, monkeypatch):
    patient = Patient()
    monkeypatch.setattr(OutlookFinder, "work", lambda _finder, _job, working: patient(working))
    page.show_moment(history_of(), 9)
    qtbot.waitUntil(patient.has_begun.is_set)
    page.hide()
    qtbot.waitUntil(lambda: patient.was_stopped)
    assert not page.is_filling


def test_what_was_found_stays_known(page, qtbot, monkeypatch):
    history = history_of()
    watch(page, qtbot, history, 9)
    page.hide()
    monkeypatch.setattr(OutlookFinder, "work", lambda *_: pytest.fail("it was known"))
    page.show()
    watch(page, qtbot, history, 9)
    assert iterations(page) == [8, 9, 11]
    watch(page, qtbot, history.beginning(20), 9)  # a branch
    assert iterations(page) == [8, 9, 11]


def test_a_run_that_is_fast_has_all_of_the_processor(page, qtbot, monkeypatch):
    history = history_of()
    with monkeypatch.context() as fast:
        fast.setattr(OutlookFinder, "is_resting", True)
        fast.setattr(OutlookFinder, "work", lambda *_: pytest.fail("it is fast"))
        page.show_moment(history, 9)
        assert page.status.text() == "Waiting until the run pauses."
        assert page.is_filling
        for iteration in (10, 11, 12):
            page.show_moment(history, iteration)
        assert page.tells_of == page.picture.cursor == 10
        assert "t = 10 …" in visible_texts(page)
    watch(page, qtbot, history, 9)
    assert page.tells_of == 9
    assert "t = 10 …" not in visible_texts(page)
    assert iterations(page) == [8, 9, 11]
