"""The workbench: pages that are made when they are looked at, one on show, and no larger than it must be."""

import pytest
from PySide6.QtWidgets import QWidget

from gpviz.app.pages.page_list import CURVES, STUDY_PAGES, page_specs
from gpviz.app.pages.workbench import PageSpec, Workbench
from gpviz.app.theme import load_theme


class FakePage(QWidget):
    def __init__(self, height: int) -> None:
        super().__init__()
        self.setMinimumSize(2000, height)
        self.themes: list[str] = []
        self.is_shut_down = False

    def set_theme(self, theme):
        self.themes.append(theme.name)

    def shut_down(self):
        self.is_shut_down = True


class Maker:
    def __init__(self, height: int) -> None:
        self.height = height
        self.made: list[FakePage] = []

    def __call__(self) -> FakePage:
        self.made.append(FakePage(self.height))
        return self.made[-1]


@pytest.fixture
def makers():
    return {"one": Maker(50), "two": Maker(200), "three": Maker(80)}


@pytest.fixture
def bench(makers, qtbot):
    specs = tuple(PageSpec(name, name.title(), f"about {name}", maker) for name, maker in makers.items())
    bench = Workbench(specs, load_theme("light"))
    qtbot.addWidget(bench)
    bench.show()
    return bench


def test_only_the_first_page_is_made_at_first(bench, makers):
    assert [len(maker.made) for maker in makers.values()] == [1, 0, 0]
    assert bench.current == "one"
    assert bench.made("two") is None


def test_a_page_is_made_once_and_told_when_it_is_looked_at(bench, makers, qtbot):
    told: list[str] = []
    bench.page_made.connect(told.append)
    with qtbot.waitSignal(bench.page_shown) as shown:
        bench.show_page("two")
    bench.show_page("one")
    bench.show_page("two")
    assert shown.args == ["two"]
    assert (told, len(makers["two"].made)) == (["two"], 1)
    assert bench.made("two").isVisible()
    assert not bench.made("one").isVisible()


def test_a_page_made_late_has_the_theme_of_the_others(bench):
    bench.set_theme(load_theme("dark"))
    bench.show_page("three")
    assert bench.made("three").themes == ["dark"]
    assert bench.made("one").themes == ["light", "dark"]


def test_a_wide_page_does_not_widen_the_window_and_a_high_one_only_while_it_is_on_show(bench):
    low = bench.minimumSizeHint().height()
    bench.show_page("two")
    assert bench.minimumSizeHint().height() == low + 150
    bench.show_page("three")
    assert bench.minimumSizeHint().height() == low + 30
    assert bench.minimumSizeHint().width() < 600


def test_every_tab_says_what_it_is_for(bench):
    assert [bench.tabs.tabToolTip(place) for place in range(3)] == ["about one", "about two", "about three"]


def test_shutting_down_tells_the_pages_that_were_made(bench):
    bench.show_page("two")
    bench.shut_down()
    assert [bench.made(name).is_shut_down for name in ("one", "two")] == [True, True]


@pytest.mark.parametrize("name", STUDY_PAGES)
def test_every_page_of_the_window_can_be_made(name, qtbot):
    specs = {spec.name: spec for spec in page_specs(QWidget())}
    assert next(iter(specs)) == CURVES
    page = specs[name].make()
    qtbot.addWidget(page)
    page.set_theme(load_theme("light"))
    assert page.title == specs[name].title
    if hasattr(page, "shut_down"):
        page.shut_down()
