"""The window of the guide, as a reader uses it."""

import pytest
from PySide6.QtCore import Qt, QUrl

from gpviz.app.guide.window import GuideWindow
from gpviz.guide_pages import load_pages


@pytest.fixture
def guide(qtbot):
    window = GuideWindow()
    qtbot.addWidget(window)
    window.open_at()
    return window


@pytest.mark.parametrize("page", [page.name for page in load_pages()])
def test_every_page_is_shown_with_its_headings(guide, page):
    guide.open_at(page)
    text = guide.browser.toPlainText()
    for section in next(each for each in load_pages() if each.name == page).sections:
        assert section.title in text


def test_a_heading_is_scrolled_to(guide):
    guide.open_at("window", "time-strip")
    assert guide.browser.verticalScrollBar().value() > 0
    assert guide.browser.textCursor().block().text() == "Time strip"


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


def test_typing_lists_what_is_found_and_enter_opens_the_first(guide, qtbot):
    qtbot.keyClicks(guide.search_field, "pause when")
    assert guide.list.count()
    qtbot.keyClick(guide.search_field, Qt.Key.Key_Return)
    assert guide.topic == ("window", "pause-when")
    assert guide.browser.extraSelections()


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


def test_pictures_come_from_the_programs_own_folder_only(guide):
    assert guide.browser.loadResource(2, QUrl("file:///etc/hostname")).isNull()
