"""The page of scenes: what it shows, and what is done on it to the lecture in the making."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QMessageBox, QPushButton

from gpviz.app.lecture import scenes_page
from gpviz.app.lecture.lecture_editor import LectureEditor
from gpviz.app.lecture.scene_list import range_text, scene_text, shown_text
from gpviz.app.lecture.scenes_page import ScenesPage
from gpviz.app.preferences import Preferences
from gpviz.engine import GpvizError, RunConfig
from gpviz.lecture.lecture import Scene, ShippedLecture, save_lecture
from gpviz.lecture.scene_content import SceneStatement
from tests.app.lecture.lectures import a_lecture
from tests.runs.runs import recorded

ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def happened(editor, monkeypatch):
    """What the editor is asked to show, to rehearse and to present, and which dialogs for files it opens."""
    requests: list[tuple[Any, ...]] = []
    editor.run_requested.connect(lambda request: requests.append(("show", request.iteration)))
    editor.rehearsal_asked.connect(lambda index: requests.append(("rehearse", index)))
    editor.presentation_asked.connect(lambda: requests.append(("present",)))

    def dialog(name: str) -> tuple[str, str]:
        requests.append((name,))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: dialog("open"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: dialog("save"))
    return requests


def titles(page: ScenesPage) -> str:
    model = page.list.model()
    return "".join(model.index(row, 0).data() for row in range(model.rowCount()))


def click(button: QAbstractButton, qtbot) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


# --- what it shows ---


def test_every_scene_has_a_row_and_the_chosen_one_its_form(page, editor, qtbot):
    assert titles(page) == "ABCDE"
    index = page.list.model().index(1, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Scene 2: B; iterations 1–11; caption"
    assert "Alt+Up" in index.data(Qt.ItemDataRole.ToolTipRole)
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    assert page.chosen == editor.index == 2
    assert page.form.title.text() == "C"
    page.show_moment(recorded(RunConfig(n=4), 8)[2], 7)
    assert "iteration 7." in page.form.first_here.toolTip()
    page.form.last.setText("61")
    page.form.last.textEdited.emit("61")
    assert "from 0 to 60" in page.form.problem.text(), "its branch has no more iterations"
    assert page.form.problem.isVisible()


def test_a_scene_is_summarised():
    assert range_text(Scene(title="x", first=1200, last=1200)) == "iteration 1,200"
    scene = Scene(title="x", has_tree=False, text="Hello", panels=("curves",), page="proof")
    assert shown_text(scene) == "no tree, text, time strip, why"
    assert shown_text(Scene(title="x", panels=())) == "tree"
    assert scene_text(scene, "; ") == "iteration 0; no tree, text, time strip, why"
    statement = Scene(title="x", has_tree=False, content=SceneStatement("theorem-1"))
    assert scene_text(statement, "; ") == "statement, caption"
    assert scene_text(replace(statement, last=9), "; ") == "iterations 0–9; no tree, statement, caption"


def test_an_empty_lecture_says_how_to_begin_and_offers_the_shipped_ones(page, editor, qtbot, tmp_path):
    path = tmp_path / "two.gpviz"
    save_lecture(path, a_lecture(2))
    page.begin.offer([ShippedLecture("two", "Two", path)])
    editor.new()
    assert not page.list.isVisible()
    assert not page.buttons["present"].isVisible()
    assert all(line.isVisible() for line in page.begin.lines)
    click(page.begin.findChildren(QPushButton)[-1], qtbot)
    qtbot.waitUntil(lambda: titles(page) == "AB")
    editor.new()
    click(page.buttons["capture"], qtbot)
    assert titles(page) == "Iteration 33"


# --- keys and buttons ---


def test_the_list_is_worked_by_keys_that_are_its_own(page, editor, happened, qtbot):
    page.list.setFocus()
    for key, modifiers, wanted in (
        (Qt.Key.Key_Up, ALT, "BACDE"),
        (Qt.Key.Key_Down, ALT, "ACBDE"),
        (Qt.Key.Key_Delete, NO_MODIFIER, "ACDE"),
        (Qt.Key.Key_Backspace, NO_MODIFIER, "ACDE"),
        (Qt.Key.Key_D, CONTROL, "ABB (copy)CDE"),
        (Qt.Key.Key_Return, NO_MODIFIER, "ABCDE"),
    ):
        begin_again(editor)
        override = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
        override.ignore()
        QApplication.sendEvent(page.list, override)
        assert override.isAccepted()
        qtbot.keyClick(page.list, key, modifiers)
        assert titles(page) == wanted
    page.list.choose(2)
    page.list.doubleClicked.emit(page.list.currentIndex())
    assert happened == [("show", 1), ("show", 2)]


def begin_again(editor: LectureEditor) -> None:
    """Edit five scenes, the second of which is chosen."""
    editor.adopt(a_lecture(5))
    editor.choose(1)
    editor.lecture_changed.emit()


def test_the_first_scene_does_not_move_up_nor_the_last_down(page, editor, qtbot):
    page.list.choose(0)
    qtbot.keyClick(page.list, Qt.Key.Key_Up, ALT)
    page.list.choose(99)
    qtbot.keyClick(page.list, Qt.Key.Key_Down, ALT)
    assert editor.lecture == a_lecture(5)
    assert page.chosen == 4
    assert not page.actions_by_name["down"].isEnabled()
    assert page.actions_by_name["up"].isEnabled()


def test_every_command_does_what_it_says(page, editor, happened, monkeypatch):
    for name, wanted in (
        ("capture", "ABIteration 33CD"),
        ("show", ("show", 1)),
        ("rehearse", ("rehearse", 1)),
        ("present", ("present",)),
        ("duplicate", "ABB (copy)CD"),
        ("up", "BACD"),
        ("down", "ACBD"),
        ("remove", "ACD"),
        ("undo", "ABCDE"),
        ("redo", "ABC"),
        ("new", ""),
        ("open", ("open",)),
        ("save", ("save",)),
        ("save_as", ("save",)),
    ):
        begin_again(editor)
        taken_apart(page, editor, monkeypatch)
        happened.clear()
        page.actions_by_name[name].trigger()
        assert [titles(page), *happened] == ([wanted] if isinstance(wanted, str) else ["ABCD", wanted])
        if name in page.buttons:
            assert page.buttons[name].defaultAction() is page.actions_by_name[name]


def taken_apart(page, editor, monkeypatch) -> None:
    """Something can be undone and something be done again, and nobody wants what is not saved."""
    discard = QMessageBox.StandardButton.Discard
    monkeypatch.setattr(QMessageBox, "exec", lambda _: discard)
    editor.remove(4)
    editor.remove(3)
    editor.undo_stack.undo()
    page.list.choose(1)


def renamed(page, qtbot, title: str) -> None:
    page.actions_by_name["rename"].trigger()
    editor = page.list.findChild(QLineEdit)
    editor.setText(title)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()  # the editor commits when it has dealt with the key
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_scene_is_renamed_in_place_and_each_title_is_undone_by_itself(page, editor, qtbot):
    renamed(page, qtbot, "B")
    renamed(page, qtbot, "")
    assert not editor.undo_stack.canUndo()
    assert page.problem.text().startswith("Title: '' is not allowed")
    assert page.problem.isVisible()
    renamed(page, qtbot, " Eins ")
    renamed(page, qtbot, "Zwei")
    assert titles(page) == "AZweiCDE"
    editor.undo_stack.undo()
    assert editor.lecture.scenes[1] == replace(a_lecture().scenes[1], title="Eins")


def test_keys_in_the_editor_of_a_title_do_nothing_to_the_list(page, editor, happened, qtbot):
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_F2)
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert (editor.lecture, happened) == (a_lecture(5), [])


def test_the_lecture_is_renamed_as_its_title_is_typed(page, editor, qtbot):
    page.lecture_title.setFocus()
    page.lecture_title.selectAll()
    qtbot.keyClicks(page.lecture_title, "N")
    assert editor.lecture.title == "N"
    qtbot.keyClick(page.lecture_title, Qt.Key.Key_Backspace)
    assert editor.lecture.title == "N"
    assert page.problem.text().startswith("Title of the lecture: '' is not allowed")
    editor.lecture_changed.emit()
    assert page.lecture_title.text() == ""


def test_what_is_typed_after_the_end_of_a_field_is_undone_by_itself(page, editor, qtbot):
    for text in "XY":
        qtbot.keyClicks(page.lecture_title, text)
        qtbot.keyClick(page.lecture_title, Qt.Key.Key_Return)
        qtbot.keyClicks(page.form.title, text)
        qtbot.keyClick(page.form.title, Qt.Key.Key_Return)
    editor.undo_stack.undo()
    assert titles(page) == "AXBCDE"
    editor.undo_stack.undo()
    assert (titles(page), editor.lecture.title) == ("AXBCDE", "XA lecture")


# --- dragging ---


def test_a_scene_is_dragged_between_two_others(page, editor):
    no_parent, model = QModelIndex(), page.list.model()
    for row, gap, order in (
        (0, 3, "BCADE"),
        (3, 0, "DABCE"),
        (0, 5, "BCDEA"),
        (4, 1, "AEBCD"),
        (2, 2, "ABCDE"),
        (2, 3, "ABCDE"),
    ):
        begin_again(editor)
        assert model.moveRow(no_parent, row, no_parent, gap)  # as the view does at a drop
        assert titles(page) == order
    assert model.supportedDropActions() == Qt.DropAction.MoveAction
    assert model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsDragEnabled
    assert not model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsDropEnabled, "not onto each other"
    assert model.flags(no_parent) & Qt.ItemFlag.ItemIsDropEnabled


# --- looks ---


def test_on_a_narrow_page_the_list_and_the_form_take_turns(page, editor, qtbot):
    assert not page.buttons["edit"].isVisible()
    page.resize(560, 170)
    qtbot.waitUntil(lambda: page.list.isVisible() and not page.form.isVisible())
    click(page.buttons["edit"], qtbot)
    assert page.form.isVisible()
    assert not page.list.isVisible()
    assert page.form.title.hasFocus()
    click(page.buttons["back"], qtbot)
    assert page.list.isVisible()
    click(page.buttons["edit"], qtbot)
    page.actions_by_name["rename"].trigger()
    assert page.list.isVisible()
    page.resize(1000, 230)
    qtbot.waitUntil(lambda: page.list.isVisible() and page.form.isVisible())


# --- with the editor ---


def test_the_view_is_captured_after_the_chosen_scene_and_chosen(page, editor, qtbot):
    page.list.choose(1)
    click(page.buttons["capture"], qtbot)
    assert page.chosen == 2
    assert editor.lecture.scenes[2] == Scene(title="Iteration 33", first=33, last=33, panels=("curves",))
    page.list.choose(0)
    page.actions_by_name["update"].trigger()
    assert editor.lecture.scenes[0].first == 33
    page.list.choose(1)
    click(page.form.last_here, qtbot)
    assert (editor.lecture.scenes[1].first, editor.lecture.scenes[1].last) == (1, 33)
    click(page.form.first_here, qtbot)
    assert page.form.first.text() == "33"


def test_typing_changes_the_scene_and_is_one_thing_to_undo(page, editor, qtbot):
    page.list.choose(3)
    page.form.notes.setFocus()
    page.form.notes.selectAll()
    qtbot.keyClicks(page.form.notes, "slowly")
    assert editor.lecture.scenes[3].notes == "slowly"
    assert page.form.notes.toPlainText() == "slowly"
    page.lecture_title.setFocus()
    page.lecture_title.end(False)
    qtbot.keyClicks(page.lecture_title, "!")
    assert editor.lecture.title == "A lecture!"
    assert page.chosen == 3
    editor.undo_stack.undo()
    editor.undo_stack.undo()
    assert page.form.notes.toPlainText() == "note 3"
    assert editor.lecture == a_lecture(5)
    for text in ("x", "y"):
        page.list.choose(3)
        page.form.caption.setPlainText(text)
        page.list.choose(0)
    editor.undo_stack.undo()
    assert editor.lecture.scenes[3].caption == "x", "another scene was looked at in between"


def test_a_scene_that_is_chosen_stays_chosen_when_the_lecture_is_saved(page, editor, qtbot, tmp_path):
    editor.adopt(a_lecture(5), tmp_path / "talk.gpviz", is_modified=True)
    page.list.choose(3)
    assert page.modified.isVisible()
    click(page.buttons["save"], qtbot)
    editor.settle()
    assert page.chosen == 3
    assert not page.modified.isVisible()


def test_a_view_that_cannot_be_captured_is_explained(qtbot, tmp_path, monkeypatch):
    def missing():
        raise GpvizError("The folder is missing.")

    def refused():
        raise GpvizError("The run cannot be captured.")

    monkeypatch.setattr(scenes_page, "shipped_lectures", missing)
    page, editor = ScenesPage(), LectureEditor(tmp_path, Preferences())
    editor.adopt(a_lecture(5))
    problems: list[str] = []
    qtbot.addWidget(page)
    editor.problem_met.connect(problems.append)
    page.connect_to(SimpleNamespace(lecture_editor=editor, captured_view=refused))
    page.buttons["capture"].click()
    page.actions_by_name["update"].trigger()
    page.form.first_here.click()
    assert not page.begin.lines[-1].isVisibleTo(page.begin)
    assert problems == ["The folder is missing.", *["The run cannot be captured."] * 3]
    assert editor.lecture == a_lecture(5)
    editor.close()
