"""The page of bookmarks: going there, writing notes, deleting, all by keyboard too."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLineEdit

from gpviz.app.pages.bookmarks import BookmarksPage, bookmark_text
from gpviz.app.run.run_document import Document
from gpviz.engine import RunConfig
from gpviz.escaping import tooltip_text
from gpviz.runs.run_file import Bookmark

CONFIG = RunConfig(n=4, limit="8", seed=5)
BOOKMARKS = (Bookmark(2, "first ∨ accepted"), Bookmark(4, "stuck from here on"), Bookmark(1234567))


@pytest.fixture
def document():
    made = Document()
    made.start_anew(bookmarks=BOOKMARKS)
    return made


@pytest.fixture
def page(shown_page, player, document, record):
    record(5)
    made = shown_page(BookmarksPage)
    made.connect_to(SimpleNamespace(player=player, document=document))
    return made


def texts(page):
    """What the list says, line by line."""
    model = page.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def select(page, row):
    page.list.setFocus()
    page.list.setCurrentIndex(page.list.model().index(row, 0))


def edit(page, qtbot, row):
    """The editor of a row, opened by F2."""
    select(page, row)
    qtbot.keyClick(page.list, Qt.Key.Key_F2)
    return page.list.findChildren(QLineEdit)[-1]


def test_a_bookmark_is_one_line(page):
    assert texts(page) == ["t = 2 · first ∨ accepted", "t = 4 · stuck from here on", "t = 1,234,567"]
    assert bookmark_text(Bookmark(1, "two\nlines")) == "t = 1 · two lines"
    assert len(bookmark_text(Bookmark(1, "x" * 10_000))) < 250


def test_a_row_says_its_whole_note_in_its_hint(page):
    model = page.list.model()
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == tooltip_text("first ∨ accepted")
    assert "F2" in model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_a_click_goes_there(page, player, qtbot):
    area = page.list.visualRect(page.list.model().index(1, 0))
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert player.cursor == 4


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_return_goes_there(page, player, qtbot, key):
    select(page, 0)
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    qtbot.keyClick(page.list, key)
    assert player.cursor == 4


def test_a_note_is_edited_in_place(page, document, qtbot):
    editor = edit(page, qtbot, 0)
    assert editor.text() == "first ∨ accepted"
    editor.setText("a note")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.bookmarks[0] == Bookmark(2, "a note"))
    assert texts(page)[0] == "t = 2 · a note"


def test_a_note_that_stays_what_it_was_changes_nothing(page, document, qtbot):
    editor = edit(page, qtbot, 0)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.list.state() != page.list.State.EditingState)
    assert not document.is_modified


def test_a_double_click_edits(page, qtbot):
    area = page.list.visualRect(page.list.model().index(0, 0))
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    qtbot.mouseDClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert page.list.findChild(QLineEdit) is not None


def test_a_note_that_is_too_long_gets_a_sentence_and_is_not_lost(page, document, qtbot):
    editor = edit(page, qtbot, 1)
    editor.setText("y" * 10_001)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.problem.text().startswith("note: 'yyy"))
    assert "at most 10000 characters, not 10001" in page.problem.text()
    assert document.bookmarks == BOOKMARKS
    qtbot.waitUntil(lambda: page.list.state() != page.list.State.EditingState)
    again = edit(page, qtbot, 1)
    assert again.text() == "y" * 10_001
    again.setText("y" * 10_000)
    qtbot.keyClick(again, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.bookmarks[1] == Bookmark(4, "y" * 10_000))
    assert page.problem.isHidden()


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_delete_deletes(page, document, qtbot, key):
    select(page, 2)
    qtbot.keyClick(page.list, key)
    assert document.bookmarks == BOOKMARKS[:2]


def test_the_button_deletes_what_is_selected(page, document, qtbot):
    page.list.setCurrentIndex(QModelIndex())
    assert not page.remove_button.isEnabled()
    select(page, 0)
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    assert document.bookmarks == BOOKMARKS[1:]


def test_the_iteration_on_show_is_bookmarked_once_and_is_selected(page, document, qtbot):
    qtbot.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
    assert texts(page)[2] == "t = 5"
    assert page.list.currentIndex().row() == 2
    assert not page.add_button.isEnabled()
    document.remove_bookmark(5)
    assert page.add_button.isEnabled()


def test_the_selection_stays_with_its_bookmark(page, document):
    select(page, 1)
    document.add_bookmark(3)
    assert page.list.currentIndex().row() == 2
    document.start_anew(bookmarks=BOOKMARKS[:1])
    assert page.list.currentIndex().row() == 0


def test_a_moment_that_changes_no_bookmark_does_not_end_an_edit(page, player, qtbot):
    editor = edit(page, qtbot, 0)
    page.show_moment(player.run.history, 1)
    assert page.list.findChild(QLineEdit) is editor


def test_what_lies_ahead_is_not_listed_while_it_is_to_be_guessed(page, player):
    page.set_ahead_hidden(True)
    assert len(texts(page)) == 2
    player.go_to(3)
    page.show_moment(player.run.history, 3)
    assert texts(page) == ["t = 2 · first ∨ accepted"]
    page.set_ahead_hidden(False)
    assert len(texts(page)) == 3


def test_no_bookmarks_are_told_in_words(page, document):
    document.start_anew()
    assert page.head.line.text().startswith("No bookmarks yet.")
    assert not page.list.isVisible()
    document.add_bookmark(1)
    assert page.list.isVisible()
