"""The outlook page: it fills in while one watches, goes to the decisive steps, and works for nobody else."""

import re
import threading
from itertools import combinations
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter
from PySide6.QtTest import QTest

from gpviz.app.pages.outlook import outlook_painter
from gpviz.app.pages.outlook.outlook_page import OutlookPage
from gpviz.app.pages.outlook.outlook_painter import OutlookGeometry, paint_outlook
from gpviz.app.run import outlook_finder
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_controller import RunController
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import GpvizError, RlsGp, RunConfig
from gpviz.engine.interruption import ShouldStop
from gpviz.explain.outlook_along_run import Job, RunOutlook
from gpviz.explain.outlook_picture import OutlookPicture, outlook_picture
from gpviz.runs.history import Generalisation, History
from tests.app.main_windows import let_go, open_window, press
from tests.runs.runs import recorded

STUCK = RunConfig(n=4, limit=4, deletion="leaf", seed=236)
"""Its chain is small, so its outlook is exact; iterations 8, 9 and 11 are decisive, and then it is stuck."""
OTHER = STUCK.replaced(seed=66)
NEVER_STUCK = RunConfig(n=2, seed=1)
SAMPLED = RunConfig(n=3, limit="inf", fitness="sampled", rows=4, seed=1, accept_error=1)


def history_of(config: RunConfig = STUCK, iterations: int = 40) -> History:
    return recorded(config, iterations)[2]


@pytest.fixture
def gone_to() -> list[int]:
    return []


@pytest.fixture
def page(qtbot, show, gone_to):
    made = OutlookPage()
    finder = OutlookFinder()
    made.connect_to(SimpleNamespace(controller=SimpleNamespace(go_to=gone_to.append), outlook_finder=finder))
    window = show(made)
    window.resize(600, 600)
    yield made
    made.shut_down()
    finder.close()
    window.close()


def watch(page: OutlookPage, qtbot, history: History, iteration: int) -> None:
    page.show_moment(history, iteration)
    qtbot.waitUntil(lambda: not page.is_filling)


def iterations(page: OutlookPage) -> list[int]:
    return [mark.step.iteration for mark in page.table.marks]


# What is shown


def test_it_fills_in_and_lists_the_decisive_steps(page, qtbot):
    watch(page, qtbot, history_of(), 9)
    assert [page.table.cells(row) for row in range(3)] == [
        ("8", "INS ∧ x₁, neutral", "2 %", "9 %"),
        ("9", "INS ∧ x₄, neutral", "9 %", "37 %"),
        ("11", "SUB x₄ → x₃, improved", "37 %", "100 %"),
    ]
    assert page.status.text() == "t = 9: exact"
    assert page.note.isHidden()
    assert page.chart.accessibleDescription().endswith("The decisive step is iteration 11: 37 % → 100 %.")
    assert all(stretch.outlook is not None for stretch in page.picture.stretches)


def test_the_words_of_a_step_and_the_picture_know_the_same(qtbot, show):
    config = RunConfig(n=6, limit="n+1", deletion="leaf", seed=3)
    whole = recorded(config, 66)[2]
    search = RlsGp(config, whole.tree_at(65))
    history = History(config, search.start)
    history.append(search.force(whole.step_at(66).mutation))
    controller = RunController(config)
    finder = OutlookFinder(controller, calm_ms=0)
    page = OutlookPage()
    page.connect_to(SimpleNamespace(controller=controller, outlook_finder=finder))
    try:
        controller.adopt_run(search, history, Generalisation(), None)
        controller.go_to(1)
        qtbot.waitUntil(lambda: finder.step is not None and not finder.is_busy)
        page.show_moment(history, 1)
        step, run = finder.step, page.finder.run_of(history)
        assert step is not None
        assert not step.before.is_exact
        assert run.change_at(1) == step
    finally:
        page.shut_down()
        finder.close()
        controller.close()


def test_the_tree_under_the_cursor_is_told_of_first(page, qtbot, monkeypatch):
    """One piece of work is enough for it, however long the run."""
    done: list[Job] = []

    def work_once(job: Job, should_stop: ShouldStop, **_) -> None:
        if not done:
            job.work()
        done.append(job)
        while len(done) > 1 and not should_stop():
            threading.Event().wait(0.001)

    monkeypatch.setattr(outlook_finder, "_work", work_once)
    history = history_of()
    page.show_moment(history, 9)
    qtbot.waitUntil(lambda: len(done) == 2)
    assert [point.iteration for point in page.finder.run_of(history).points()] == [9]


def test_only_up_to_the_cursor_if_that_is_wanted(page, qtbot):
    history = history_of()
    watch(page, qtbot, history, 9)
    page.whole_box.setChecked(False)
    assert page.picture.last == 9
    assert iterations(page) == [8, 9]
    watch(page, qtbot, history, 5)
    assert iterations(page) == []
    assert page.note.text() == "No step raised the chance to end stuck by 5 points or more."
    page.whole_box.setChecked(True)
    assert iterations(page) == [8, 9, 11]


def test_while_guessing_nothing_ahead_is_shown_or_worked_out_whatever_is_chosen(page, qtbot):
    page.set_ahead_hidden(True)
    history = history_of()
    watch(page, qtbot, history, 9)
    assert page.whole_box.isChecked()
    assert not page.whole_box.isEnabled()
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
    assert re.fullmatch(r"t = 1: estimated from [\d,]+ continuations, ± .* %", page.status.text())
    watch(page, qtbot, history, 3)
    qtbot.waitUntil(lambda: page.status.text() == "t = 3: exact · 2 of 3 trees estimated")


def test_what_is_too_complex_is_told_in_a_sentence(page, qtbot, monkeypatch):
    def refuse(job, should_stop, **_):
        raise GpvizError("It is too tangled.")

    monkeypatch.setattr(outlook_finder, "_work", refuse)
    watch(page, qtbot, history_of(), 9)
    assert page.note.text() == "The outlook of this run cannot be found: It is too tangled."


@pytest.mark.parametrize("config", [STUCK, NEVER_STUCK])
def test_where_there_is_little_room_the_picture_has_it_all(page, qtbot, config):
    """Neither a list nor a sentence that wraps makes a window higher than its screen."""
    watch(page, qtbot, history_of(config), 9)
    line = QFontMetrics(page.theme.font()).height()
    assert not page.hasHeightForWidth()
    assert page.minimumSizeHint().height() <= 9 * line
    part = page.note if page.table.isHidden() else page.table
    assert part.isVisible()
    page.window().resize(24 * line, 10 * line)
    qtbot.waitUntil(lambda: not part.isVisible())
    page.window().resize(24 * line, 24 * line)
    qtbot.waitUntil(part.isVisible)
    assert part.geometry().top() > page.chart.geometry().bottom()
    page.window().resize(48 * line, 10 * line)
    qtbot.waitUntil(lambda: part.geometry().left() > page.chart.geometry().right())


# Going there


def test_a_click_on_a_step_goes_there(page, qtbot, gone_to):
    watch(page, qtbot, history_of(), 0)
    place = page.table.visualRect(page.table.model().index(1, 1)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
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


def test_the_step_at_the_cursor_is_marked_in_the_list(page, qtbot, gone_to):
    history = history_of()
    watch(page, qtbot, history, 11)
    assert [index.row() for index in page.table.selectionModel().selectedRows()] == [2]
    watch(page, qtbot, history, 12)
    assert not page.table.selectionModel().hasSelection()
    assert gone_to == []


def test_a_click_on_the_picture_goes_there(page, qtbot, gone_to):
    watch(page, qtbot, history_of(), 0)
    places = page.chart.geometry_now()
    point = QPointF(places.x(11), places.plot.center().y()).toPoint()
    QTest.mouseClick(page.chart, Qt.MouseButton.LeftButton, pos=point)
    assert gone_to == [11]
    assert page.chart.hint_at(QPointF(point)) == "t = 11: chance to end stuck 100 %, exact"
    bar = places.bar.center()
    QTest.mouseClick(page.chart, Qt.MouseButton.LeftButton, pos=bar.toPoint())
    assert gone_to == [11]
    assert page.chart.hint_at(bar).startswith("From here ")


def test_its_key_shows_it_and_another_chooses_how_much_of_the_run(qtbot):
    window = open_window()
    qtbot.waitUntil(lambda: window.windowHandle().isExposed())
    window.activateWindow()
    window.views.stage.canvas.setFocus()
    press("O")
    page = window.views.page_tabs.made("outlook")
    assert isinstance(page, OutlookPage)
    assert page.isVisible()
    press("Shift+O")
    assert not page.whole_box.isChecked()
    let_go(window)


# Working for nobody else


@pytest.fixture
def held(monkeypatch):
    """Work that goes on until it is told to stop; how it began and ended."""
    told = SimpleNamespace(began=threading.Event(), stopped=threading.Event())

    def hold(job, should_stop, **_):
        told.began.set()
        while not should_stop():
            threading.Event().wait(0.001)
        told.stopped.set()

    monkeypatch.setattr(outlook_finder, "_work", hold)
    return told


def test_it_stops_at_once_when_it_is_hidden(page, qtbot, held):
    page.show_moment(history_of(), 9)
    qtbot.waitUntil(held.began.is_set)
    page.hide()
    qtbot.waitUntil(held.stopped.is_set)
    assert not page.is_filling


def test_it_stops_at_once_when_another_run_comes(page, qtbot, held):
    page.show_moment(history_of(), 9)
    qtbot.waitUntil(held.began.is_set)
    page.let_go()
    qtbot.waitUntil(held.stopped.is_set)
    assert page.picture is None
    assert iterations(page) == []


def test_another_run_has_its_own_steps(page, qtbot):
    watch(page, qtbot, history_of(), 9)
    watch(page, qtbot, history_of(OTHER), 9)
    assert iterations(page) == [15, 16]


def test_what_was_found_stays_known(page, qtbot, monkeypatch):
    history = history_of()
    watch(page, qtbot, history, 9)
    page.hide()
    monkeypatch.setattr(outlook_finder, "_work", lambda job, should_stop, **_: pytest.fail("it was known"))
    page.show()
    watch(page, qtbot, history, 9)
    assert iterations(page) == [8, 9, 11]
    watch(page, qtbot, history.beginning(20), 9)  # a branch
    assert iterations(page) == [8, 9, 11]


def test_a_run_that_is_fast_has_all_of_the_processor(page, qtbot, monkeypatch):
    history = history_of()
    with monkeypatch.context() as fast:
        fast.setattr(OutlookFinder, "is_resting", True)
        fast.setattr(outlook_finder, "_work", lambda job, should_stop, **_: pytest.fail("it is fast"))
        page.show_moment(history, 9)
        assert page.status.text() == "Waits until the run pauses"
        assert page.is_filling
    watch(page, qtbot, history, 9)
    assert iterations(page) == [8, 9, 11]


# The painted picture


def worked_out(config: RunConfig, length: int, cursor: int) -> OutlookPicture:
    history = history_of(config, length)
    run = RunOutlook(history)
    while (job := run.next_job()) is not None:
        job.work()
    return outlook_picture(run, history, cursor)


@pytest.fixture(scope="module")
def pictures() -> list[OutlookPicture]:
    return [
        worked_out(STUCK, 40, 9),
        worked_out(STUCK, 11, 11),
        worked_out(STUCK.replaced(n=3, seed=688), 40, 3),
        worked_out(NEVER_STUCK, 12, 3),
        worked_out(STUCK, 0, 0),
    ]


@pytest.mark.parametrize("name", THEME_NAMES)
def test_words_beside_steps_are_inside_and_cover_nothing(pictures, name):
    theme = load_theme(name)
    for picture in pictures:
        for width, height in ((1000, 420), (480, 240), (360, 150), (260, 120)):
            geometry = OutlookGeometry.of(QRectF(0, 0, width, height), picture, theme)
            pieces = outlook_painter.line_pieces(picture, geometry)
            labels = outlook_painter.place_labels(picture, pieces, geometry, theme)
            rects = [label.rect for label in labels.values()]
            marks = [outlook_painter.mark_area(mark, geometry) for mark in picture.marks]
            assert all(geometry.plot.contains(rect) for rect in rects)
            assert not any(one.intersects(other) for one, other in combinations(rects, 2))
            assert not any(rect.intersects(mark) for rect in rects for mark in marks)
    assert labels == {}  # of the last one, which has no steps


def test_where_there_is_room_the_decisive_step_has_all_its_words(pictures):
    geometry = OutlookGeometry.of(QRectF(0, 0, 1000, 420), pictures[0], load_theme("light"))
    pieces = outlook_painter.line_pieces(pictures[0], geometry)
    labels = outlook_painter.place_labels(pictures[0], pieces, geometry, load_theme("light"))
    assert [len(label.lines) for mark, label in labels.items() if mark.is_main] == [2]
    assert len(labels) == 3


@pytest.mark.parametrize("name", THEME_NAMES)
def test_it_is_painted_in_every_theme_however_small(pictures, name):
    theme = load_theme(name)
    for picture in pictures:
        for width, height in ((600, 300), (120, 60), (20, 10)):
            image = QImage(width, height, QImage.Format.Format_RGB32)
            image.fill(QColor(theme.colours.panel))
            with QPainter(image) as painter:
                paint_outlook(painter, QRectF(image.rect()), picture, theme)
            if width < 600:
                continue
            geometry = OutlookGeometry.of(QRectF(image.rect()), picture, theme)
            assert picture.now is not None
            top = QPoint(round(geometry.bar.center().x()), round(geometry.bar.top()) + 4)
            wanted = theme.colours.worse if picture.now.stuck == 1.0 else theme.colours.solved
            hatched = picture.now.stuck == 1.0
            assert hatched or image.pixelColor(top) == QColor(wanted)


def test_it_needs_little_room(page):
    assert page.minimumSizeHint().width() <= 340
