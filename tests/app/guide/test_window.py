"""The window of the guide, as a reader uses it."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QLineEdit, QWidget

from gpviz.app.guide.window import GuideWindow, set_guide_page, topic_of
from gpviz.app.theme import load_theme
from gpviz.guide_pages import load_pages


@pytest.fixture
def guide(qtbot):
    window = GuideWindow()
    qtbot.addWidget(window)
    window.open_at()
    return window


def test_it_opens_with_the_first_page(guide):
    assert guide.topic == ("first-steps", "")
    assert "First steps" in guide.browser.toPlainText()
    assert guide.windowTitle().startswith("First steps")


@pytest.mark.parametrize("page", [page.name for page in load_pages()])
def test_every_page_is_shown_with_its_headings(guide, page):
    guide.open_at(page)
    text = guide.browser.toPlainText()
    for section in next(each for each in load_pages() if each.name == page).sections:
        assert section.title in text


def test_an_unknown_page_is_the_first_one(guide):
    guide.open_at("nonsense")
    assert guide.topic[0] == "first-steps"


def test_a_heading_is_scrolled_to(guide):
    guide.open_at("window", "timeline")
    assert guide.browser.verticalScrollBar().value() > 0
    assert guide.browser.textCursor().block().text() == "Timeline"


def test_links_go_to_pages_and_headings_and_back(guide):
    guide.browser.anchorClicked.emit(QUrl("algorithm.md#settings"))
    assert guide.topic == ("algorithm", "settings")
    guide.browser.anchorClicked.emit(QUrl("#verdicts"))
    assert guide.topic == ("algorithm", "verdicts")
    guide.go_back()
    guide.go_back()
    assert guide.topic == ("first-steps", "")
    assert not guide.back_button.isEnabled()
    guide.go_forward()
    assert guide.topic == ("algorithm", "settings")


def test_the_link_to_the_paper_asks_for_its_page(guide, qtbot):
    guide.open_at("first-steps")
    assert "../paper/statements.toml" in guide.browser.toMarkdown()
    with qtbot.waitSignal(guide.paper_asked):
        guide.browser.anchorClicked.emit(QUrl("../paper/statements.toml"))
    assert guide.topic == ("first-steps", "")


def test_a_link_to_nowhere_does_nothing(guide):
    guide.browser.anchorClicked.emit(QUrl("nowhere.md"))
    assert guide.topic == ("first-steps", "")


def test_typing_lists_what_is_found_and_enter_opens_the_first(guide, qtbot):
    qtbot.keyClicks(guide.search_field, "pause when")
    assert guide.list.count()
    qtbot.keyClick(guide.search_field, Qt.Key.Key_Return)
    assert guide.topic == ("window", "pause-when")
    assert guide.browser.extraSelections()


def test_nothing_found_is_said(guide, qtbot):
    qtbot.keyClicks(guide.search_field, "zyzzyva")
    assert guide.nothing.isVisible()
    guide.search_field.clear()
    assert not guide.nothing.isVisible()
    assert guide.list.count() == len(load_pages())


def test_esc_empties_the_search_and_then_closes(guide, qtbot):
    qtbot.keyClicks(guide.search_field, "crash")
    qtbot.keyClick(guide, Qt.Key.Key_Escape)
    assert guide.search_field.text() == ""
    assert guide.isVisible()
    qtbot.keyClick(guide, Qt.Key.Key_Escape)
    assert not guide.isVisible()


def test_choosing_a_page_with_the_keyboard_shows_it(guide, qtbot):
    guide.list.setFocus()
    qtbot.keyClick(guide.list, Qt.Key.Key_Down)
    assert guide.topic[0] == "window"


def test_pictures_are_as_wide_as_the_page_at_most(guide, qtbot):
    guide.resize(700, 500)
    image = guide.browser.loadResource(2, QUrl("../screenshots/stuck.png"))
    assert not image.isNull()
    assert image.width() <= guide.browser.viewport().width() * guide.devicePixelRatioF()


def test_pictures_come_from_the_programs_own_folder_only(guide):
    assert guide.browser.loadResource(2, QUrl("file:///etc/hostname")).isNull()


def test_a_theme_changes_the_page_and_keeps_the_topic(guide):
    guide.open_at("window", "timeline")
    guide.set_theme(load_theme("projector"))
    assert guide.topic == ("window", "timeline")


class TestContext:
    def test_the_topic_is_that_of_the_nearest_widget_around(self, qtbot):
        outer, field = QWidget(), QLineEdit()
        qtbot.addWidget(outer)
        field.setParent(outer)
        set_guide_page(outer, "window#settings")
        assert topic_of(field) == ("window", "settings")
        set_guide_page(field, "keys")
        assert topic_of(field) == ("keys", "")

    def test_without_one_it_is_empty(self, qtbot):
        widget = QWidget()
        qtbot.addWidget(widget)
        assert topic_of(widget) == topic_of(None) == ("", "")
