"""Pages, which name the iteration of a late answer, and their tabs, which are made when they are looked at."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gpviz import page_list
from gpviz.app.pages.page import CurvesPage, Page, PageTabs, make_page
from gpviz.engine import RunConfig
from gpviz.page_list import PageInfo
from gpviz.runs.history import History
from tests.app.patient_work import Patient
from tests.runs.runs import recorded


class FakePage(Page):
    least_height = 50

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(2000, self.least_height)
        self.is_shut_down = False

    def shut_down(self):
        self.is_shut_down = True


class HighPage(FakePage):
    least_height = 200


class MiddlePage(FakePage):
    least_height = 80


def info_of(name: str, kind: type[Page]) -> PageInfo:
    return PageInfo(
        name=name,
        title=name.title(),
        tip=f"about {name}",
        action_text=name,
        action_tip=name,
        keys=(),
        guide_topic="study",
        page_class=f"{kind.__module__}:{kind.__name__}",
    )


@pytest.fixture
def tabs(qtbot, monkeypatch):
    infos = (info_of("one", FakePage), info_of("two", HighPage), info_of("three", MiddlePage))
    monkeypatch.setattr(page_list, "PAGES", infos)
    tabs = PageTabs({})
    qtbot.addWidget(tabs)
    tabs.show()
    return tabs


def test_a_page_is_made_once_and_told_when_it_is_looked_at(tabs, qtbot):
    made_names: list[str] = []
    tabs.page_made.connect(made_names.append)
    with qtbot.waitSignal(tabs.page_shown) as shown:
        tabs.show_page("two")
    made = tabs.made("two")
    tabs.show_page("one")
    tabs.show_page("two")
    assert shown.args == ["two"]
    assert made_names == ["two"]
    assert tabs.made("two") is made
    assert made.isVisible()
    assert not tabs.made("one").isVisible()


def test_a_wide_page_does_not_widen_the_window_and_a_high_one_only_while_it_is_on_show(tabs):
    low = tabs.minimumSizeHint().height()
    tabs.show_page("two")
    assert tabs.minimumSizeHint().height() == low + 150
    tabs.show_page("three")
    assert tabs.minimumSizeHint().height() == low + 30
    assert tabs.minimumSizeHint().width() < 600


def test_tabs_that_do_not_fit_are_under_more(tabs):
    tabs.setFixedWidth(600)
    assert tabs.hidden_pages() == []
    assert not tabs.more_button.isVisible()
    tabs.setFixedWidth(tabs.tabs.widths()[0] + tabs.more_button.sizeHint().width() + 20)
    assert tabs.hidden_pages() == ["two", "three"]
    assert tabs.more_button.isVisible()
    menu = tabs.more_button.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["Two", "Three"]
    menu.actions()[1].trigger()
    assert tabs.current == "three"
    assert tabs.tabs.isTabVisible(2)
    assert "three" not in tabs.hidden_pages()
    tabs.setFixedWidth(600)
    assert tabs.hidden_pages() == []


def test_a_double_click_on_a_tab_is_told_and_one_beside_the_tabs_is_not(tabs, qtbot):
    tabs.resize(600, 300)
    with qtbot.assertNotEmitted(tabs.tab_double_clicked):
        tabs.tabs.tabBarDoubleClicked.emit(-1)
    with qtbot.waitSignal(tabs.tab_double_clicked):
        qtbot.mouseDClick(tabs.tabs, Qt.MouseButton.LeftButton, pos=tabs.tabs.tabRect(1).center())


def test_shutting_down_tells_the_pages_that_were_made(tabs):
    tabs.show_page("two")
    tabs.shut_down()
    assert [tabs.made(name).is_shut_down for name in ("one", "two")] == [True, True]


class AskingPage(Page):
    """Asks about each iteration what takes as long as somebody is patient."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []
        self.patient = Patient()
        self.question = self.question_about_moment(self.answers.append, remembers=4)

    def show_moment(self, history: History, iteration: int) -> None:
        super().show_moment(history, iteration)
        self.question.ask(history, iteration, self.patient if iteration == 9 else lambda _: iteration)


def said(page: Page) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


class SlowPage(AskingPage):
    """Asks about an iteration only when it knows about the one before."""

    @property
    def is_behind(self) -> bool:
        return bool(self.answers) and self.answers[-1] != self.iteration

    def show_moment(self, history: History, iteration: int) -> None:
        if self.is_busy:
            Page.show_moment(self, history, iteration)
        else:
            super().show_moment(history, iteration)


@pytest.mark.parametrize("info", page_list.PAGES, ids=lambda info: info.name)
def test_every_page_knows_of_which_iteration_it_tells(info, shown_page, qtbot):
    is_curves = info.name == page_list.CURVES
    page = shown_page(partial(CurvesPage, QLabel()) if is_curves else partial(make_page, info))
    _, _, history = recorded(RunConfig(n=4, seed=1), 20)
    for iteration in (3, 20):
        page.show_moment(history, iteration)
        assert page.tells_of != 0
        qtbot.waitUntil(lambda iteration=iteration: page.tells_of == iteration)


def test_a_page_that_asks_seldom_names_the_iteration_it_had_asked_about(shown_page, qtbot):
    page = shown_page(SlowPage)
    _, _, history = recorded(RunConfig(n=4), 1236)
    for iteration in (1234, 1235):  # it has not answered about the first when the second comes
        page.show_moment(history, iteration)
    qtbot.waitUntil(lambda: page.answers == [1234])
    assert (page.tells_of, said(page)) == (1234, ["t = 1,234 …"])
    page.show_moment(history, 1236)
    qtbot.waitUntil(lambda: page.answers == [1234, 1236])
    assert (page.tells_of, said(page)) == (1236, [])


def test_a_page_whose_answer_is_late_says_of_which_iteration_it_still_tells(shown_page, qtbot):
    page = shown_page(AskingPage)
    _, _, history = recorded(RunConfig(n=4), 1236)
    page.show_moment(history, 1234)
    qtbot.waitUntil(lambda: page.answers == [1234])

    page.show_moment(history, 9)
    assert page.tells_of == 1234
    assert said(page) == []
    qtbot.waitUntil(lambda: said(page) == ["t = 1,234 …"])
    page.show_moment(history, 1234)  # known
    assert page.tells_of == 1234
    assert said(page) == []
    page.show_moment(history, 9)
    qtbot.waitUntil(lambda: said(page) == ["t = 1,234 …"])
    page.let_go()
    assert said(page) == []
