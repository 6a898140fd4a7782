"""Pages under tabs, made when they are looked at, one above the other, or in windows of their own."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gpviz import page_list
from gpviz.app.drawer import Drawer
from gpviz.app.pages.page import Page
from gpviz.page_list import PageInfo

WIDE, NARROW = QSize(1700, 900), QSize(1500, 900)


class FakePage(Page):
    least_height = 50

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(2000, self.least_height)
        self.button = QPushButton("do", self)
        self.is_shut_down = False

    def shut_down(self):
        self.is_shut_down = True


class HighPage(FakePage):
    least_height = 200


class MiddlePage(FakePage):
    least_height = 80


def info_of(name: str, kind: type[Page], *, is_in_more: bool = False) -> PageInfo:
    return PageInfo(
        name=name,
        title=name.title(),
        tip=f"about {name}",
        action_text=name,
        action_tip=name,
        keys=(),
        guide_topic="study#rows",
        page_class=f"{kind.__module__}:{kind.__name__}",
        is_in_more=is_in_more,
    )


@pytest.fixture
def drawer(qtbot, monkeypatch):
    infos = (
        info_of("one", FakePage),
        info_of("two", HighPage),
        info_of("three", MiddlePage),
        info_of("rare", MiddlePage, is_in_more=True),
    )
    monkeypatch.setattr(page_list, "PAGES", infos)
    window = QWidget()
    drawer = Drawer()
    QVBoxLayout(window).addWidget(drawer)
    qtbot.addWidget(window)
    window.resize(NARROW)
    window.show()
    yield drawer
    drawer.shut_down()


def tabs_of(drawer: Drawer, row: int = 0) -> list[str]:
    tabs = drawer._rows[row].tabs
    return [tabs.tabText(at) for at in range(tabs.count()) if tabs.isTabVisible(at)]


def more_of(drawer: Drawer, row: int = 0):
    menu = drawer._rows[row].more_button.menu()
    menu.aboutToShow.emit()
    return {action.text(): action for action in menu.actions() if action.text()}


def test_a_closed_drawer_makes_no_page(qtbot, drawer):
    closed = Drawer()
    qtbot.addWidget(closed)
    closed.show_page("two")
    assert closed.current == "two"
    assert not closed.made_names
    assert not closed.shown_names
    with qtbot.waitSignal(closed.page_shown) as shown:
        closed.show()
    assert shown.args == ["two"]
    assert closed.made_names == ("two",)
    closed.shut_down()


def test_a_page_is_made_once_and_told_when_it_is_looked_at(drawer, qtbot):
    made_names: list[str] = []
    drawer.page_made.connect(made_names.append)
    with qtbot.waitSignal(drawer.page_shown) as shown:
        drawer.show_page("two")
    made = drawer.made("two")
    drawer.show_page("one")
    drawer.show_page("two")
    assert shown.args == ["two"]
    assert made_names == ["two"]
    assert drawer.made("two") is made
    assert made.isVisible()
    assert not drawer.made("one").isVisible()


def test_a_wide_page_does_not_widen_the_window_and_a_high_one_only_while_it_is_on_show(drawer):
    low = drawer.minimumSizeHint().height()
    drawer.show_page("two")
    assert drawer.minimumSizeHint().height() == low + 150
    drawer.show_page("three")
    assert drawer.minimumSizeHint().height() == low + 30
    assert drawer.minimumSizeHint().width() < 600


def test_a_page_of_more_has_a_tab_while_it_is_on_show(drawer):
    assert tabs_of(drawer) == ["One", "Two", "Three"]
    more_of(drawer)["Rare"].trigger()
    assert drawer.current == "rare"
    assert tabs_of(drawer) == ["One", "Two", "Three", "Rare"]
    assert list(more_of(drawer)) == []
    drawer.show_page("one")
    assert tabs_of(drawer) == ["One", "Two", "Three"]


def test_tabs_that_do_not_fit_are_under_more(drawer):
    drawer.setFixedWidth(600)
    row = drawer._rows[0]
    drawer.setFixedWidth(row.tabs.widths()[0] + row.more_button.sizeHint().width() + 10)
    assert tabs_of(drawer) == ["One"]
    assert list(more_of(drawer)) == ["Two", "Three", "Rare"]
    more_of(drawer)["Three"].trigger()
    assert drawer.current == "three"
    assert tabs_of(drawer) == ["Three"]
    drawer.setFixedWidth(600)
    assert tabs_of(drawer) == ["One", "Two", "Three"]


def test_a_double_click_on_a_tab_is_told_and_one_beside_the_tabs_is_not(drawer, qtbot):
    with qtbot.assertNotEmitted(drawer.tab_double_clicked):
        drawer.tabs.tabBarDoubleClicked.emit(-1)
    with qtbot.waitSignal(drawer.tab_double_clicked):
        qtbot.mouseDClick(drawer.tabs, Qt.MouseButton.LeftButton, pos=drawer.tabs.tabRect(1).center())


def test_shutting_down_tells_the_pages_that_were_made_and_closes_windows(drawer):
    drawer.show_page("two")
    drawer.tear_off()
    window = drawer.made("two").window()
    drawer.shut_down()
    assert [drawer.made(name).is_shut_down for name in drawer.made_names] == [True, True]
    assert not window.isVisible()


class TestTwoPages:
    @pytest.fixture
    def drawer(self, drawer):
        drawer.window().resize(WIDE)
        drawer.split(True)
        return drawer

    def test_each_stands_in_one_row_only(self, drawer):
        assert drawer.shown_names == ("one", "two")
        assert drawer.made("one").isVisible()
        assert drawer.made("two").isVisible()
        assert drawer.made("one").mapTo(drawer, drawer.rect().topLeft()).y() < drawer.height() / 2 - 100
        assert tabs_of(drawer, 0) == ["One", "Three"]
        assert tabs_of(drawer, 1) == ["Two", "Three"]

    def test_a_page_comes_to_the_row_that_was_used_last(self, drawer):
        drawer.made("two").button.setFocus()
        assert drawer.current == "two"
        drawer.show_page("three")
        assert drawer.shown_names == ("three", "one")
        drawer.show_page("one")
        assert drawer.shown_names == ("one", "three")
        drawer.show_page("two")
        assert drawer.shown_names == ("two", "three")

    def test_the_page_used_last_stays_when_there_is_to_be_one(self, drawer):
        drawer.use("two")
        drawer.split(False)
        assert drawer.shown_names == ("two",)
        assert tabs_of(drawer) == ["One", "Two", "Three"]

    def test_the_line_between_them_is_moved_by_keys(self, drawer, qtbot):
        qtbot.waitUntil(lambda: drawer.made("one").height() > 300)
        height = drawer.made("one").height()
        qtbot.keyClick(drawer._edge, Qt.Key.Key_Down)
        qtbot.waitUntil(lambda: drawer.made("one").height() > height + 10)
        qtbot.keyClick(drawer._edge, Qt.Key.Key_Home)
        qtbot.waitUntil(lambda: drawer.made("one").height() == height)


class TestWindows:
    def test_a_page_torn_off_has_a_window_with_its_title_and_that_of_the_run(self, drawer):
        drawer.set_run_title("A first run")
        drawer.show_page("two")
        page = drawer.made("two")
        drawer.tear_off()
        assert page.window() is not drawer.window()
        assert page.isVisible()
        assert page.window().windowTitle() == "Two · A first run – gpviz"
        drawer.set_run_title("Another")
        assert page.window().windowTitle() == "Two · Another – gpviz"

    def test_the_tabs_are_without_it_until_its_window_is_closed(self, drawer):
        drawer.show_page("two")
        drawer.tear_off()
        assert set(drawer.shown_names) == {"one", "two"}
        assert tabs_of(drawer) == ["One", "Three"]
        page = drawer.made("two")
        page.window().close()
        assert tabs_of(drawer) == ["One", "Two", "Three"]
        assert drawer.shown_names == ("one",)
        drawer.show_page("two")
        assert page.isVisible()
        assert page.window() is drawer.window()

    def test_several_may_be_open_and_one_page_always_stays(self, drawer):
        for _ in range(6):
            drawer.tear_off()
        assert len(drawer.shown_names) == 4
        assert len({drawer.made(name).window() for name in drawer.shown_names}) == 4
        assert len(tabs_of(drawer)) == 1

    def test_choosing_its_page_brings_it_up_and_leaves_the_tabs_alone(self, drawer):
        drawer.show_page("two")
        drawer.tear_off()
        drawer.use("one")
        more_of(drawer)["Two (in its own window)"].trigger()
        assert drawer.current == "two"
        assert tabs_of(drawer) == ["One", "Three"]

    def test_they_stay_when_the_drawer_closes(self, drawer, qtbot):
        drawer.show_page("two")
        drawer.tear_off()
        drawer.use("one")
        with qtbot.waitSignal(drawer.page_shown) as shown:
            drawer.hide()
        assert shown.args == ["two"]
        assert drawer.shown_names == ("two",)
