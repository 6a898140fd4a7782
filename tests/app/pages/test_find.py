"""The page that finds iterations: what it says while one types, what it lists, and where it leads."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from gpviz.app.pages import find
from gpviz.app.pages.find import FindPage
from gpviz.app.tasks import is_any_task_busy
from gpviz.app.theme import load_theme
from gpviz.engine import Operation, RunConfig
from gpviz.explain.query import EXAMPLES, parse_query
from gpviz.explain.step_text import tell_briefly
from gpviz.runs.history import History
from gpviz.runs.pause_rules import PauseRules
from tests.app.page_window import PageWindow
from tests.explain.finding import find_all
from tests.runs.runs import recorded

pytestmark = pytest.mark.qt_log_ignore("raise\\(\\)", "grabbing the keyboard", extend=True)

CONFIG = RunConfig(n=6, limit="n+1", seed=7)


@pytest.fixture
def history():
    return recorded(CONFIG, 400)[2]


@pytest.fixture
def page(shown_page, history):
    made = shown_page(FindPage)
    made.field.setFocus()
    made.show_moment(history, 100)
    return made


@pytest.fixture
def wishes(page):
    """The iterations that the run is asked to go to."""
    seen: list[int] = []
    run_changed = SimpleNamespace(connect=lambda slot: None)
    page.connect_to(SimpleNamespace(player=SimpleNamespace(go_to=seen.append, run_changed=run_changed)))
    return seen


def search(page, qtbot, text):
    page.field.setText(text)
    page.find_matches()
    qtbot.waitUntil(lambda: not page.is_searching)
    return page.found().tolist()


def row_texts(page, row):
    model = page.results.model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_enter_lists_every_match(page, qtbot, history):
    qtbot.keyClicks(page.field, "accepted and leaves > 3")
    qtbot.keyClick(page.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not page.is_searching)
    expected = find_all(parse_query("accepted and leaves > 3"), history)
    assert page.found().tolist() == expected
    assert page.lists.currentWidget() is page.results
    assert page.message.text() == f"{len(expected)} matches in 400 iterations."


def test_a_row_tells_the_iteration_the_verdict_and_what_happened(page, qtbot, history):
    found = search(page, qtbot, "verdict == too_large")
    assert row_texts(page, 0) == [f"t = {found[0]}", "□", "too large", tell_briefly(history, found[0])]
    colour = page.results.model().index(0, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert colour.name() == load_theme("light").colours.too_large


def test_enter_or_a_double_click_on_a_row_goes_there(page, qtbot, wishes):
    found = search(page, qtbot, "verdict == neutral")
    page.results.setFocus()
    page.results.setCurrentIndex(page.results.model().index(2, 0))
    qtbot.keyClick(page.results, Qt.Key.Key_Return)
    assert wishes == [found[2]]
    page.results.scrollToTop()
    area = page.results.visualRect(page.results.model().index(1, 3))
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(page.results.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert wishes == [found[2], found[1]]


def test_the_next_and_the_previous_match_are_those_beside_the_cursor(page, qtbot, history, wishes):
    assert not page.next_button.isEnabled()
    found = search(page, qtbot, "verdict == neutral")
    after = next(iteration for iteration in found if iteration > 100)
    before = max(iteration for iteration in found if iteration < 100)
    page.next_button.click()
    page.show_moment(history, 100)
    page.previous_button.click()
    assert wishes == [after, before]
    page.show_moment(history, found[0])
    assert not page.previous_button.isEnabled()
    page.show_moment(history, found[-1])
    assert not page.next_button.isEnabled()


@pytest.mark.parametrize("text", ["verdict < 3", "error < 3)"])
def test_a_mistake_is_pointed_at_while_it_is_typed(page, qtbot, text):
    page.field.setText(text)
    assert page.message.property("role") == "problem"
    assert page.message.text().startswith("Column ")
    assert page.field.property("role") == "wrong"
    page.field.setText("error < 3")
    assert page.message.property("role") == "muted"
    assert not page.field.property("role")


@pytest.mark.parametrize("text", ["ver", "(error < 3 and acc"])
def test_what_is_only_unfinished_is_no_mistake_yet(page, qtbot, text):
    qtbot.keyClicks(page.field, text)
    assert page.message.property("role") == "muted"
    assert not page.field.property("role")
    page.field.popup.hide()


def test_the_field_at_the_cursor_is_explained(page):
    page.field.setText("accepted and size_removed")
    assert page.message.text().startswith("size_removed: how many nodes DEL removes")
    page.field.setText("")
    assert page.message.text().startswith("Write a field")


def test_suggestions_are_offered_and_completed_by_keyboard(page, qtbot):
    qtbot.keyClicks(page.field, "verd")
    assert page.field.popup.isVisible()
    qtbot.keyClick(page.field.popup, Qt.Key.Key_Tab)
    assert page.field.text() == "verdict "
    qtbot.keyClicks(page.field, "== i")
    qtbot.keyClick(page.field.popup, Qt.Key.Key_Down)
    qtbot.keyClick(page.field.popup, Qt.Key.Key_Return)
    assert page.field.text() == "verdict == improved "
    assert not page.field.popup.isVisible()
    assert len(page.found()) == 0


def test_the_offer_opens_on_demand_and_closes_with_escape(page, qtbot):
    qtbot.keyClick(page.field, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert page.field.popup.isVisible()
    qtbot.keyClick(page.field.popup, Qt.Key.Key_Escape)
    assert not page.field.popup.isVisible()
    qtbot.keyClick(page.field, Qt.Key.Key_Down)
    assert page.field.popup.isVisible()
    qtbot.keyClicks(page.field, "1")
    assert not page.field.popup.isVisible()
    page.field.setText("error < 3")
    page.field.offer()
    assert not page.field.popup.isVisible()


def test_examples_can_be_chosen_from_the_list_and_the_menu(page, qtbot):
    assert page.lists.currentWidget() is page.examples
    area = page.examples.visualRect(page.examples.model().index(1, 0))
    qtbot.mouseClick(page.examples.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert page.field.text() == EXAMPLES[1][0]
    page.examples.setCurrentIndex(page.examples.model().index(2, 0))
    qtbot.keyClick(page.examples, Qt.Key.Key_Enter)
    assert page.field.text() == EXAMPLES[2][0]
    page.examples_button.menu().actions()[0].trigger()
    assert page.field.text() == EXAMPLES[0][0]


def test_another_run_forgets_what_was_found(page, qtbot):
    assert search(page, qtbot, "accepted")
    page.show_moment(History(CONFIG), 0)
    assert len(page.found()) == 0
    assert page.lists.currentWidget() is page.examples
    assert search(page, qtbot, "accepted") == []
    assert page.message.text() == "No match in 0 iterations."


def test_what_was_recorded_later_is_told_and_found_again(page, qtbot):
    run, _, history = recorded(CONFIG, 100)
    page.show_moment(history, 0)
    search(page, qtbot, "iteration > 50")
    history.extend([run.step() for _ in range(20)])
    page.show_moment(history, 110)
    assert page.message.text() == "50 matches in the first 100 iterations; Enter searches all 120."
    assert len(search(page, qtbot, "iteration > 50")) == 70


def test_no_more_than_so_many_are_listed(page, qtbot, monkeypatch):
    monkeypatch.setattr(find, "MOST_FOUND", 30)
    assert search(page, qtbot, "iteration > 10") == list(range(11, 41))
    assert page.message.text() == "The first 30 matches, up to iteration 40; more may follow."


def test_a_long_search_can_be_stopped_and_goes_on_only_while_the_page_is_seen(
    page, qtbot, monkeypatch, history
):
    monkeypatch.setattr(find, "_PORTION_S", -1.0)
    monkeypatch.setattr("gpviz.explain.query._BLOCK", 7)
    page.field.setText("iteration > 0")
    page.find_matches()
    assert page.find_button.text() == "Stop"
    page.hide()
    before = len(page.found())
    assert not page.is_searching
    page.show()
    qtbot.waitUntil(lambda: not page.is_searching)
    assert page.found().tolist() == list(range(1, 401))
    assert before < 400
    assert page.find_button.text() == "Find"
    page.find_matches()
    page.find_button.click()
    assert not page.is_searching
    assert "more may follow" in page.message.text()
    page.find_button.click()
    qtbot.waitUntil(lambda: not page.is_searching)
    assert len(page.found()) == 400


def test_a_wrong_query_finds_nothing_and_says_why(page, qtbot):
    page.field.setText("")
    qtbot.keyClick(page.field, Qt.Key.Key_Return)
    assert page.message.text() == "query, column 1: the query is empty."
    assert page.field.property("role") == "wrong"
    assert not page.is_searching


class TestRunUntil:
    @pytest.fixture
    def window(self, qtbot):
        window = PageWindow()
        qtbot.addWidget(window)
        window.show()
        yield window
        window.end()

    def run_until(self, window, text):
        page = window.shown_page("find")
        page.field.setText(text)
        page.until_button.click()
        return page

    def test_it_goes_to_what_is_recorded_first(self, window, qtbot):
        window.step(30, qtbot)
        history = window.player.run.history
        wanted = next(t for t in range(1, 31) if history.step_at(t).operation is Operation.DEL)
        window.player.go_first()
        with qtbot.waitSignal(window.player.moment_changed):
            self.run_until(window, "operation == DEL")
        assert window.player.cursor == wanted
        assert len(history) == 30
        assert window.messages == [f"Iteration {wanted:,} is the next match of operation == DEL."]

    def test_another_run_calls_it_off(self, window, qtbot):
        window.step(3, qtbot)
        window.player.go_first()
        self.run_until(window, "t == 2")
        window.player.start_run(CONFIG)
        qtbot.waitUntil(lambda: not is_any_task_busy())
        assert (window.player.cursor, window.messages) == (0, [])
        assert not window.player.is_playing

    def test_beyond_that_it_is_made(self, window, qtbot):
        window.player.set_rules(PauseRules(stuck=False, solved=False))
        with qtbot.waitSignal(window.player.paused_by) as paused:
            self.run_until(window, "t == 700")
        assert (window.player.cursor, paused.args) == (700, ["Iteration 700 matches t == 700."])
        page = window.shown_page("find")
        qtbot.waitUntil(lambda: list(page.found()) == [700])
