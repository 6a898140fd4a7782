"""The form of a scene: what is typed becomes a scene, and what is wrong is explained and not accepted."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from gpviz.app.lecture.hall_text import LONGEST_READ
from gpviz.app.lecture.scene_form import SceneForm
from gpviz.lecture.lecture import MAX_TEXT_LENGTH, PANELS, Scene, SceneCaption
from gpviz.page_list import scene_pages

SCENE = Scene(title="Bloat", first=3, last=20, panels=("curves", "caption"), notes="breathe")


@pytest.fixture
def form(qtbot):
    made = SceneForm()
    qtbot.addWidget(made)
    made.resize(650, 190)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    made.show_scene(SCENE, 100)
    return made


@pytest.fixture
def edits(form):
    seen: list[Scene] = []
    form.scene_edited.connect(seen.append)
    return seen


def typed(qtbot, field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    if text:
        qtbot.keyClicks(field, text)
    else:
        qtbot.keyClick(field, Qt.Key.Key_Backspace)


def test_every_field_shows_its_part_of_the_scene_and_showing_changes_nothing(form, edits):
    scene = replace(
        SCENE, text="# a", page="rows", speed=2.5, caption="Look.", has_tree=False, panels=("curves",)
    )
    form.show_scene(scene, 100)
    assert form.title.text() == "Bloat"
    assert (form.first.text(), form.last.text()) == ("3", "20")
    assert (form.pace.value(), form.speed.text(), form.page.value()) == ("plays", "2.5", "rows")
    boxes = (form.text, form.caption, form.notes)
    assert [box.toPlainText() for box in boxes] == ["# a", "Look.", "breathe"]
    assert [name for name, switch in form.panels.items() if switch.isChecked()] == ["curves"]
    assert not form.tree.isChecked()
    form.show_scene(replace(SCENE, is_by_accepted=True), 100)
    assert form.pace.value() == "accepted"
    form.show_scene(SCENE, 100)
    assert edits == []
    assert not form.problem.isVisibleTo(form)


def test_what_is_typed_becomes_a_scene_at_once(form, edits, qtbot):
    typed(qtbot, form.title, "Why")
    assert [scene.title for scene in edits] == ["W", "Wh", "Why"]
    form.notes.setPlainText("wait\nfor the question")
    form.text.setPlainText("# Große Überschrift")
    typed(qtbot, form.caption, "Look")
    assert edits[-1] == replace(
        SCENE, title="Why", notes="wait\nfor the question", text="# Große Überschrift", caption="Look"
    )


def test_iterations_are_taken_when_both_are_right(form, edits, qtbot):
    typed(qtbot, form.first, "50")
    assert form.problem.text() == (
        "First iteration: 50 is not allowed; it must be at most 20, the last iteration of the scene."
    )
    assert form.first.property("role") == "wrong"
    assert [(scene.first, scene.last) for scene in edits] == [(5, 20)]
    typed(qtbot, form.last, "70")
    assert (edits[-1].first, edits[-1].last) == (50, 70)
    assert not form.problem.isVisibleTo(form)
    assert not form.first.property("role")


def test_an_iteration_that_the_run_does_not_have_is_refused(form, edits, qtbot):
    typed(qtbot, form.last, "30")
    for text in ("101", "-1", "x", "", "1e3"):
        form.last.setText(text)
        form.last.textEdited.emit(text)
        assert form.problem.text().startswith("Last iteration: ")
        assert form.problem.text().endswith("from 0 to 100.")
    assert edits[-1].last == 30


def test_a_wrong_field_does_not_keep_the_others_from_being_taken(form, edits, qtbot):
    typed(qtbot, form.title, "")
    assert form.problem.text().startswith("Title: '' is not allowed")
    typed(qtbot, form.caption, "c")
    assert edits == [replace(SCENE, caption="c")]
    form.show_scene(edits[-1], 100, is_other=False)
    assert form.title.text() == ""
    assert form.problem.isVisibleTo(form)
    form.show_scene(edits[-1], 100)
    assert form.title.text() == "Bloat"
    assert not form.problem.isVisibleTo(form)
    form.notes.setPlainText("x" * (MAX_TEXT_LENGTH + 1))
    assert form.problem.text().startswith("Notes: ")
    assert len(edits) == 1


def test_a_scene_goes_on_by_clicks_by_accepted_steps_or_by_itself(form, edits, qtbot):
    form.pace.set_value("accepted")
    assert (edits[-1].is_by_accepted, edits[-1].speed) == (True, 0)
    assert not form.speed.isVisible()
    form.pace.set_value("plays")
    assert (edits[-1].is_by_accepted, edits[-1].speed) == (False, 4)
    assert form.speed.isVisible()
    typed(qtbot, form.speed, "0,5")
    assert edits[-1].speed == 0.5
    form.show_scene(edits[-1], 100)
    assert form.speed.text() == "0,5", "it is not rewritten"
    for text in ("0", "", "fast", "1000001", "nan", "inf", "-3"):
        form.speed.setText(text)
        form.speed.textEdited.emit(text)
        assert form.problem.text().startswith(f"Speed: {text!r} is not allowed")
    assert edits[-1].speed == 0.5
    form.pace.set_value("click")
    assert (edits[-1].is_by_accepted, edits[-1].speed) == (False, 0)
    form.show_scene(replace(SCENE, title="Other"), 100)
    assert form.speed.text() == "4"


def test_panels_keep_their_order_and_new_ones_follow(form, edits, qtbot):
    form.panels["theory"].setChecked(True)
    assert edits[-1].panels == ("curves", "caption", "theory")
    form.panels["curves"].setChecked(False)
    assert edits[-1].panels == ("caption", "theory")
    form.tree.setChecked(False)
    form.page.set_value("proof")
    assert (edits[-1].has_tree, edits[-1].page) == (False, "proof")
    assert set(form.panels) == set(PANELS)
    assert form.page.count() == 1 + len(scene_pages())


def test_a_text_that_comes_back_leaves_the_text_cursor_alone(form, edits, qtbot):
    form.notes.setFocus()
    qtbot.keyClick(form.notes, Qt.Key.Key_End)
    qtbot.keyClicks(form.notes, " deeply")
    form.show_scene(edits[-1], 100)
    assert form.notes.textCursor().position() == len("breathe deeply")


def test_the_keys_that_write_are_no_shortcuts_in_a_text(form, qapp):
    none, modifier = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier
    for key, modifiers, is_own in (
        (Qt.Key.Key_Space, none, True),
        (Qt.Key.Key_Right, none, True),
        (Qt.Key.Key_Question, modifier.ShiftModifier, True),
        (Qt.Key.Key_F1, none, False),
        (Qt.Key.Key_Escape, none, False),
        (Qt.Key.Key_1, modifier.AltModifier, False),
    ):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
        event.ignore()
        qapp.sendEvent(form.notes, event)
        assert event.isAccepted() is is_own


def test_texts_too_long_for_a_hall_are_accepted_with_a_hint(form, edits, qtbot):
    assert not form.hint.isVisibleTo(form)
    for length in (LONGEST_READ, LONGEST_READ + 1):
        form.caption.setPlainText("a" * length)
        assert form.hint.isVisibleTo(form) == (length > LONGEST_READ)
    assert not form.problem.isVisibleTo(form)
    assert len(edits[-1].caption) == LONGEST_READ + 1
    form.show_scene(replace(SCENE, text="A line of a slide.\n\n" * 60, has_tree=False), 100)
    assert form.hint.text().startswith("Text: ")
    form.show_scene(SCENE, 100)
    assert not form.hint.isVisibleTo(form)


class TestCaptions:
    CAPTIONED = replace(SCENE, captions=(SceneCaption(3, "Watch."), SceneCaption(9, "There it is.")))

    def test_each_has_a_line_with_its_iteration(self, form, edits):
        form.show_scene(self.CAPTIONED, 100)
        shown = [(row.iteration.text(), row.text.toPlainText()) for row in form.captions.rows]
        assert shown == [("3", "Watch."), ("9", "There it is.")]
        form.show_scene(SCENE, 100)
        assert form.captions.rows == []
        assert edits == []

    def test_one_is_added_at_the_cursor_and_accepted_once_it_has_a_text(self, form, edits):
        form.show_cursor(7)
        form.captions.add_button.click()
        assert form.captions.rows[0].text.hasFocus()
        assert edits == []
        form.captions.rows[0].text.setPlainText("Seven")
        assert edits[-1].captions == (SceneCaption(7, "Seven"),)
        form.captions.add_button.click()  # there is one at the cursor, so at the start of the scene
        form.captions.rows[1].text.setPlainText("Three")
        assert edits[-1].captions == (SceneCaption(3, "Three"), SceneCaption(7, "Seven"))
        assert not form.problem.isVisibleTo(form)

    def test_one_is_moved_rewritten_and_deleted(self, form, edits, qtbot):
        form.show_scene(self.CAPTIONED, 100)
        typed(qtbot, form.captions.rows[0].iteration, "12")
        assert edits[-1].captions == (SceneCaption(9, "There it is."), SceneCaption(12, "Watch."))
        form.captions.rows[0].text.setPlainText("Look")
        assert edits[-1].captions == (SceneCaption(9, "There it is."), SceneCaption(12, "Look"))
        form.captions.rows[0].delete_button.click()
        assert edits[-1].captions == (SceneCaption(9, "There it is."),)
        assert [row.iteration.text() for row in form.captions.rows] == ["9"]

    def test_what_is_wrong_is_explained_and_not_accepted(self, form, edits, qtbot):
        form.show_scene(self.CAPTIONED, 100)
        row = form.captions.rows[1]
        for number, problem in (
            ("2", "from 3 to 19"),
            ("20", "from 3 to 19"),
            ("x", "from 3 to 19"),
            ("3", "at 3"),
        ):
            typed(qtbot, row.iteration, number)
            assert problem in form.problem.text()
            assert row.iteration.property("role") == "wrong"
        typed(qtbot, row.iteration, "9")
        assert not form.problem.isVisibleTo(form)
        row.text.setPlainText("a" * 1001)
        assert form.problem.text().startswith("Caption at 9: ")
        assert "1000 characters" in form.problem.text()
        assert {edit.captions for edit in edits} <= {self.CAPTIONED.captions}  # nothing is lost meanwhile

    def test_while_the_last_iteration_is_typed_those_after_it_wait(self, form, edits, qtbot):
        form.show_scene(self.CAPTIONED, 100)
        typed(qtbot, form.last, "4")
        assert {(edit.last, edit.captions) for edit in edits} <= {(20, self.CAPTIONED.captions)}
        assert form.problem.isVisibleTo(form)
        qtbot.keyClicks(form.last, "0")
        assert (edits[-1].last, edits[-1].captions) == (40, self.CAPTIONED.captions)
        assert not form.problem.isVisibleTo(form)

    def test_a_single_moment_has_only_its_own(self, form, edits, qtbot):
        assert form.captions.add_button.isEnabled()
        form.show_scene(replace(SCENE, last=3), 100)
        assert not form.captions.add_button.isEnabled()
        typed(qtbot, form.last, "9")
        assert edits[-1].last == 9
        assert form.captions.add_button.isEnabled()
