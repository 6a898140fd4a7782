"""Pages, which name the iteration of a late answer."""

import pytest
from PySide6.QtWidgets import QLabel

from gpviz import page_list
from gpviz.app.pages.page import Page
from gpviz.engine import RunConfig
from gpviz.runs.history import History
from tests.app.page_window import PageWindow
from tests.app.patient_work import Patient
from tests.runs.runs import recorded


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
def test_every_page_knows_of_which_iteration_it_tells(info, qtbot):
    window = PageWindow()
    qtbot.addWidget(window)
    window.show()
    window.step(3, qtbot)
    page = window.shown_page(info.name)
    for iteration in (3, 1):
        window.player.go_to(iteration)
        qtbot.waitUntil(lambda iteration=iteration: page.iteration == page.tells_of == iteration)
    window.end()


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
