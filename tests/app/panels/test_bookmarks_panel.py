"""The bookmarks panel: going there, writing notes, deleting, all by keyboard too."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLineEdit

from gpviz.app.panels.bookmarks_panel import BookmarksPanel, bookmark_text
from gpviz.escaping import tooltip_text
from gpviz.runs.run_file import Bookmark

BOOKMARKS = (Bookmark(57, "first ∨ accepted"), Bookmark(133, "stuck from here on"), Bookmark(1234567))


@pytest.fixture
def panel(show):
    made = BookmarksPanel()
    made.set_bookmarks(BOOKMARKS)
    window = show(made)
    yield made
    window.close()


@pytest.fixture
def wishes(panel):
    seen = []
    panel.bookmark_chosen.connect(lambda iteration: seen.append(("go", iteration)))
    panel.bookmark_removed.connect(lambda iteration: seen.append(("remove", iteration)))
    panel.note_changed.connect(lambda iteration, note: seen.append(("note", iteration, note)))
    return seen


def select(panel, row):
    panel.list.setFocus()
    panel.list.setCurrentIndex(panel.list.model().index(row, 0))


def edit(panel, qtbot, row):
    """The editor of a row, opened by F2."""
    select(panel, row)
    qtbot.keyClick(panel.list, Qt.Key.Key_F2)
    return panel.list.findChild(QLineEdit)


def test_a_bookmark_is_one_line():
    assert [bookmark_text(bookmark) for bookmark in BOOKMARKS] == [
        "t = 57 · first ∨ accepted",
        "t = 133 · stuck from here on",
        "t = 1,234,567",
    ]
    assert bookmark_text(Bookmark(1, "two\nlines")) == "t = 1 · two lines"
    assert len(bookmark_text(Bookmark(1, "x" * 10_000))) < 250


def test_a_click_goes_there(panel, wishes, qtbot):
    area = panel.list.visualRect(panel.list.model().index(1, 0))
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert wishes == [("go", 133)]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_return_goes_there(panel, wishes, qtbot, key):
    select(panel, 0)
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.keyClick(panel.list, key)
    assert wishes == [("go", 133)]


def test_a_note_is_edited_in_place(panel, wishes, qtbot):
    editor = edit(panel, qtbot, 0)
    assert editor.text() == "first ∨ accepted"
    editor.setText("a note")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: wishes == [("note", 57, "a note")])
    assert bookmark_text(BOOKMARKS[0]) == panel.list.model().index(0, 0).data()


def test_a_note_that_stays_what_it_was_is_no_wish(panel, wishes, qtbot):
    editor = edit(panel, qtbot, 0)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.list.state() != panel.list.State.EditingState)
    assert wishes == []


def test_a_double_click_edits(panel, qtbot):
    area = panel.list.visualRect(panel.list.model().index(0, 0))
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    qtbot.mouseDClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert panel.list.findChild(QLineEdit) is not None


def test_a_note_that_is_too_long_gets_a_sentence_and_is_not_lost(panel, wishes, qtbot):
    editor = edit(panel, qtbot, 1)
    editor.setText("y" * 10_001)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.problem.text().startswith("note: 'yyy"))
    assert wishes == []
    assert "at most 10000 characters, not 10001" in panel.problem.text()
    again = next(field for field in _editors(panel, qtbot) if field.text() == "y" * 10_001)
    again.setText("y" * 10_000)
    qtbot.keyClick(again, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: wishes == [("note", 133, "y" * 10_000)])
    assert panel.problem.isHidden()


def _editors(panel, qtbot):
    qtbot.waitUntil(lambda: panel.list.state() != panel.list.State.EditingState)
    edit(panel, qtbot, 1)
    return panel.list.findChildren(QLineEdit)


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_delete_deletes(panel, wishes, qtbot, key):
    select(panel, 2)
    qtbot.keyClick(panel.list, key)
    assert wishes == [("remove", 1234567)]


def test_the_button_deletes_what_is_selected(panel, wishes, qtbot):
    panel.list.setCurrentIndex(QModelIndex())
    assert not panel.remove_button.isEnabled()
    panel.list.deleted.emit()
    assert wishes == []
    select(panel, 0)
    assert panel.remove_button.isEnabled()
    qtbot.mouseClick(panel.remove_button, Qt.MouseButton.LeftButton)
    assert wishes == [("remove", 57)]


def test_the_selection_stays_with_its_bookmark(panel, wishes):
    select(panel, 1)
    panel.set_bookmarks((Bookmark(3), *BOOKMARKS))
    assert panel.list.currentIndex().row() == 2
    panel.set_bookmarks((BOOKMARKS[0],))
    assert panel.list.currentIndex().row() == 0
    assert wishes == []


def test_showing_the_same_again_does_not_end_an_edit(panel, qtbot):
    editor = edit(panel, qtbot, 0)
    panel.set_bookmarks(list(BOOKMARKS))
    assert panel.list.findChild(QLineEdit) is editor


def test_no_bookmarks_are_told_in_words(panel):
    panel.set_bookmarks(())
    assert not panel.empty_label.isHidden()
    assert panel.list.isHidden()
    panel.set_bookmarks(BOOKMARKS)
    assert panel.empty_label.isHidden()


def test_a_row_says_its_whole_note_in_its_hint(panel):
    model = panel.list.model()
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == tooltip_text("first ∨ accepted")
    assert "F2" in model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(0, 0).data(Qt.ItemDataRole.DecorationRole) is None
