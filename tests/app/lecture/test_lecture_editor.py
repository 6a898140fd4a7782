"""The lecture in the making: what is done to it can be undone, and nothing of it is lost."""

import random
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QFileDialog, QMessageBox

from gpviz import assets
from gpviz.app.lecture import lecture_editor as editor_module
from gpviz.app.lecture.lecture_editor import LectureEditor, unsaved_lectures
from gpviz.app.preferences import Preferences
from gpviz.app.run import autosave as autosave_module
from gpviz.app.tasks import cancel_all_tasks, is_any_task_busy
from gpviz.engine.interruption import checkpoint
from gpviz.lecture.lecture import CapturedView, Lecture, Scene, SceneCaption, load_lecture, save_lecture
from gpviz.runs.run_file import RunFile
from tests.app.lecture.lectures import a_lecture, a_run, branched_file

NEW = Lecture(title="Untitled lecture")


@pytest.fixture
def editor(qapp, tmp_path):
    made = made_in(tmp_path)
    yield made
    made.close()


@pytest.fixture
def said(editor):
    """What was reported, and what went wrong."""
    sentences: dict[str, list[str]] = {"reports": [], "problems": []}
    editor.reported.connect(sentences["reports"].append)
    editor.problem_met.connect(sentences["problems"].append)
    return sentences


@pytest.fixture
def answers(monkeypatch):
    """What the user answers, and the file they choose."""
    given_answers = {
        "box": QMessageBox.StandardButton.Cancel,
        "file": "",
        "replace": QMessageBox.StandardButton.No,
    }
    asked = []

    def exec_box(box):
        if box.windowTitle() == "Replace the file?":
            return given_answers["replace"]
        asked.append(box.text())
        return given_answers["box"]

    monkeypatch.setattr(QMessageBox, "exec", exec_box)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (given_answers["file"], ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (given_answers["file"], ""))
    given_answers["asked"] = asked
    return given_answers


def made_in(folder) -> LectureEditor:
    return LectureEditor(folder, Preferences())


def view_of(run_file: RunFile, branch: int, iteration: int, **beside: Any) -> CapturedView:
    return CapturedView(run_file=run_file, branch=branch, iteration=iteration, **beside)


def titles(editor: LectureEditor) -> str:
    return "".join(scene.title for scene in editor.lecture.scenes)


# --- scenes ---


def test_a_captured_view_becomes_a_scene_that_shows_it(editor, said):
    assert editor.capture(view_of(a_run(), 0, 7, panels=("caption", "curves"), page="proof"))
    scene = editor.lecture.scenes[0]
    assert (scene.first, scene.last, scene.panels, scene.page) == (7, 7, ("caption", "curves"), "proof")
    assert scene.title == "Iteration 7"
    assert editor.lecture.runs == (a_run(),)
    assert editor.is_modified
    assert editor.index == 0
    assert said["reports"] == ["Scene 1 shows iteration 7."]


def test_what_cannot_be_captured_is_explained_and_changes_nothing(editor, said):
    assert not editor.capture(view_of(a_run(), 0, 61))
    assert editor.lecture == NEW
    assert not editor.undo_stack.canUndo()
    assert "at most 60" in said["problems"][0]


def test_a_scene_brought_to_the_present_view_keeps_its_texts_its_speed_and_in_the_same_run_its_end(editor):
    editor.adopt(a_lecture())
    editor.update_from_view(1, view_of(a_run(), 0, 5, panels=("curves",), page="rows"))
    scene = editor.lecture.scenes[1]
    assert (scene.title, scene.notes, scene.first, scene.last) == ("B", "note 1", 5, 11)
    assert (scene.panels, scene.page) == (("curves",), "rows")
    editor.change(1, replace(scene, speed=8.0))
    editor.update_from_view(1, view_of(branched_file(), 1, 2))
    scene = editor.lecture.scenes[1]
    assert (scene.run, scene.branch, scene.first, scene.last, scene.speed) == (1, 1, 2, 2, 8.0)


def test_a_scene_opens_and_ends_where_the_cursor_of_its_own_run_is(editor, said):
    editor.adopt(a_lecture())
    bounds = []
    for iteration, is_last in ((5, False), (40, False), (50, True), (30, True)):
        assert editor.take_bound(0, view_of(a_run(), 0, iteration), is_last=is_last)
        bounds.append((editor.lecture.scenes[0].first, editor.lecture.scenes[0].last))
    assert bounds == [(5, 10), (40, 40), (40, 50), (30, 30)]
    assert not editor.take_bound(0, view_of(a_run(seed=2), 0, 5), is_last=True)
    assert "another run" in said["problems"][0]
    assert editor.take_bound(0, view_of(a_run(iterations=90), 0, 85), is_last=True)
    assert editor.lecture.scenes[0].last == 85, "a run that has gone on gives the scene more iterations"


def test_captions_beyond_the_new_bounds_of_a_scene_go_with_a_sentence_and_undo_brings_them_back(editor, said):
    run_file = a_run()
    editor.capture(view_of(run_file, 0, 5))
    editor.take_bound(0, view_of(run_file, 0, 20), is_last=True)
    captions = tuple(SceneCaption(each, f"At {each}") for each in (5, 9, 19))
    editor.change(0, replace(editor.lecture.scenes[0], captions=captions))
    editor.end_change()
    said["reports"].clear()
    editor.take_bound(0, view_of(run_file, 0, 20), is_last=True)
    assert said["reports"] == []
    editor.take_bound(0, view_of(run_file, 0, 10), is_last=True)
    assert editor.lecture.scenes[0].captions == captions[:2]
    assert "iteration 19" in said["reports"][-1]
    editor.take_bound(0, view_of(run_file, 0, 8), is_last=False)
    assert editor.lecture.scenes[0].captions == captions[1:2]
    editor.undo_stack.undo()
    editor.undo_stack.undo()
    assert editor.lecture.scenes[0].captions == captions
    editor.update_from_view(0, view_of(a_run(99), 0, 7))
    assert editor.lecture.scenes[0].captions == ()
    assert "5, 9, 19" in said["reports"][-1]


def test_scenes_are_duplicated_removed_and_moved(editor, said):
    editor.adopt(a_lecture())
    editor.duplicate(1)
    assert [scene.title for scene in editor.lecture.scenes] == ["A", "B", "B (copy)", "C"]
    assert editor.index == 2
    editor.remove(2)
    assert titles(editor) == "ABC"
    assert "“B (copy)” is removed" in said["reports"][-1]
    editor.move(0, 2)
    assert titles(editor) == "BCA"
    assert editor.index == 2
    editor.remove(2)
    assert editor.index == 1
    editor.adopt(replace(a_lecture(1), scenes=(Scene(title="t" * 200),)))
    assert editor.duplicate(0), "the title of the copy stays within what is allowed"


# --- undo ---


def test_what_is_typed_in_one_go_is_undone_in_one_go(editor):
    editor.adopt(a_lecture())
    for title in ("x", "xy", "xyz"):
        editor.change(0, replace(editor.lecture.scenes[0], title=title))
    editor.end_change()
    editor.change(0, replace(editor.lecture.scenes[0], title="other"))
    editor.change(0, replace(editor.lecture.scenes[0], notes="n"))
    editor.undo_stack.undo()
    editor.undo_stack.undo()
    assert editor.lecture.scenes[0].title == "xyz"
    editor.undo_stack.undo()
    assert editor.lecture == a_lecture()
    assert not editor.undo_stack.canUndo()
    editor.undo_stack.redo()
    assert editor.lecture.scenes[0].title == "xyz"


def test_undo_chooses_the_scene_that_it_brings_back(editor):
    editor.adopt(a_lecture())
    editor.choose(1)
    editor.remove(1)
    editor.choose(0)
    editor.undo_stack.undo()
    assert editor.index == 1
    editor.choose(7)
    assert editor.index == 1


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 25))
def test_any_edits_are_undone_and_redone_to_equal_lectures(qapp, tmp_path_factory, seed, length):
    chance = random.Random(seed)
    editor = made_in(tmp_path_factory.getbasetemp())
    try:
        editor.adopt(a_lecture(4))
        states = [editor.lecture]
        for _ in range(length):
            edit_somehow(editor, chance)
            editor.end_change()
            if editor.lecture != states[-1]:
                states.append(editor.lecture)
        for wanted in reversed(states[:-1]):
            editor.undo_stack.undo()
            assert editor.lecture == wanted
        assert not editor.undo_stack.canUndo()
        assert not editor.is_modified
        for wanted in states[1:]:
            editor.undo_stack.redo()
            assert editor.lecture == wanted
            assert -1 <= editor.index < len(wanted.scenes)
        assert not editor.undo_stack.canRedo()
    finally:
        editor.close()


def edit_somehow(editor: LectureEditor, chance: random.Random) -> None:
    count = len(editor.lecture.scenes)
    run = chance.choice([a_run(), a_run(2), a_run(1, 30), branched_file()])
    if not count or chance.random() < 0.3:
        editor.capture(view_of(run, 0, chance.randint(0, 30)), after=chance.randint(-1, count - 1))
        return
    index = chance.randrange(count)
    match chance.randrange(6):
        case 0:
            editor.remove(index)
        case 1:
            editor.move(index, chance.randrange(count))
        case 2:
            editor.duplicate(index)
        case 3:
            editor.change(index, replace(editor.lecture.scenes[index], caption=str(chance.random())))
        case 4:
            editor.update_from_view(index, view_of(run, 0, chance.randint(0, 30)))
        case _:
            editor.take_bound(index, view_of(run, 0, chance.randint(0, 30)), is_last=chance.random() < 0.5)


# --- files ---


def test_a_lecture_is_saved_and_opened_again(editor, qtbot, tmp_path, answers, said):
    editor.adopt(a_lecture(), is_modified=True)
    answers["file"] = str(tmp_path / "talk")
    with qtbot.waitSignal(editor.lecture_changed):
        assert editor.save()
    assert editor.path == tmp_path / "talk.gpviz"
    assert not editor.is_modified
    assert load_lecture(editor.path) == a_lecture()
    assert said["reports"][-1] == "The lecture is saved as talk.gpviz."
    editor.remove(0)
    editor.save()
    editor.settle()
    assert len(load_lecture(editor.path).scenes) == 2
    editor.new()
    assert editor.lecture == NEW
    assert editor.path is None
    answers["file"] = str(tmp_path / "talk.gpviz")
    with qtbot.waitSignal(editor.opened):
        editor.ask_and_open()
    assert titles(editor) == "BC"
    assert editor.path == tmp_path / "talk.gpviz"
    assert not editor.undo_stack.canUndo()
    assert str(editor.path) in Preferences().recent_files


def test_what_is_typed_while_it_is_saved_is_not_taken_for_saved(editor, tmp_path, answers):
    editor.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    editor.save()
    editor.remove(0)
    editor.settle()
    assert editor.is_modified
    assert len(load_lecture(tmp_path / "talk.gpviz").scenes) == 3


def test_a_save_that_ends_after_another_lecture_came_does_not_give_it_its_path(editor, tmp_path):
    editor.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    editor.save()
    editor.adopt(NEW)
    editor.settle()
    assert editor.path is None
    assert load_lecture(tmp_path / "talk.gpviz") == a_lecture()


def test_what_is_to_be_saved_is_saved_before_the_end(qapp, tmp_path, answers):
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    for name in ("one.gpviz", "two.gpviz"):
        answers["file"] = str(tmp_path / name)
        made.ask_and_save()
    cancel_all_tasks()
    made.close()
    assert load_lecture(tmp_path / "one.gpviz") == load_lecture(tmp_path / "two.gpviz") == a_lecture()


def test_a_lecture_that_is_not_saved_is_asked_about(editor, tmp_path, answers):
    editor.adopt(a_lecture(), is_modified=True)
    path = tmp_path / "talk.gpviz"
    answers["file"] = str(path)
    found = {}
    for answer in ("Cancel", "Discard", "Save"):
        answers["box"] = QMessageBox.StandardButton[answer]
        found[answer] = (editor.may_let_go(), path.exists())
    assert found == {"Cancel": (False, False), "Discard": (True, False), "Save": (True, True)}
    assert answers["asked"] == ["The lecture “A lecture” is not saved."] * 3
    assert editor.lecture == a_lecture()


def test_a_lecture_that_cannot_be_saved_is_kept_and_may_not_go(editor, tmp_path, answers, said):
    editor.adopt(a_lecture(), is_modified=True)
    answers["box"] = QMessageBox.StandardButton.Save
    answers["file"] = str(tmp_path / "nowhere" / "talk.gpviz")
    assert not editor.may_let_go()
    editor.new()
    assert "cannot be written" in said["problems"][0]
    assert (editor.lecture, editor.is_modified, editor.path) == (a_lecture(), True, None)


def test_a_save_under_way_is_waited_for_instead_of_asked_about(editor, tmp_path, answers):
    editor.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    editor.save()
    assert editor.may_let_go()
    assert answers["asked"] == []


def test_what_was_made_while_a_file_was_read_is_asked_about(editor, tmp_path, qtbot, answers):
    save_lecture(tmp_path / "other.gpviz", Lecture(title="Other"))
    editor.adopt(a_lecture())
    editor.open(tmp_path / "other.gpviz")
    editor.remove(0)
    qtbot.waitUntil(lambda: bool(answers["asked"]))
    assert titles(editor) == "BC"


def test_a_file_read_while_a_question_is_open_waits_for_the_answer(editor, tmp_path, qtbot, monkeypatch):
    save_lecture(tmp_path / "other.gpviz", Lecture(title="Other"))
    editor.adopt(a_lecture())
    seen = []

    def choosing(*_):
        editor.open(tmp_path / "other.gpviz")
        qtbot.waitUntil(lambda: not is_any_task_busy())
        seen.append(editor.lecture)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choosing)
    with qtbot.waitSignal(editor.opened):
        editor.ask_and_open()
    assert seen == [a_lecture()]
    assert editor.lecture.title == "Other"


def test_reading_a_lecture_is_reported_and_can_be_cancelled(editor, tmp_path, qtbot, monkeypatch, said):
    waiting = Event()

    def for_ever(_path):
        waiting.set()
        while True:
            checkpoint()

    monkeypatch.setattr(editor_module, "load_lecture", for_ever)
    said_so_far: list[str] = []
    editor.progressed.connect(said_so_far.append)
    editor.open(tmp_path / "other.gpviz")
    assert said_so_far == ["Opening other.gpviz (Esc cancels) …"]
    qtbot.waitUntil(waiting.is_set)
    assert editor.cancel()
    assert said["reports"] == [""]
    assert not editor.cancel()
    waiting.clear()
    editor.open(tmp_path / "other.gpviz")
    qtbot.waitUntil(waiting.is_set)
    editor.close()  # which waits for the thread
    assert editor.lecture == NEW


def test_a_lecture_that_comes_with_gpviz_is_never_written(
    editor, tmp_path, qtbot, monkeypatch, answers, said
):
    path = tmp_path / "lectures" / "shipped.gpviz"
    path.parent.mkdir()
    save_lecture(path, a_lecture())
    monkeypatch.setattr(assets, "folder", lambda name: tmp_path / name)
    with qtbot.waitSignal(editor.opened):
        editor.open(path)
    assert editor.path is None
    editor.remove(0)
    answers["file"] = str(path)
    assert not editor.save()
    editor.settle()
    assert load_lecture(path) == a_lecture()
    assert "cannot be changed" in said["problems"][0]


# --- crashes ---


def autosave(editor: LectureEditor, qtbot) -> None:
    editor.autosave.save_if_changed()
    qtbot.waitUntil(lambda: not is_any_task_busy())


@pytest.fixture
def left(qapp, tmp_path, qtbot):
    """What a crash leaves behind."""
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    autosave(made, qtbot)
    copyfile(made.autosave.path, tmp_path / "lecture-autosave-left.gpviz")
    made.close()
    (left,) = unsaved_lectures(tmp_path)
    return left


def test_what_a_crash_leaves_is_restored_and_deleted_once_it_is_autosaved_again(left, said, editor, qtbot):
    assert left.content == a_lecture()
    editor.restore(left)
    assert editor.lecture == a_lecture()
    assert editor.is_modified
    assert said["reports"] == ["The lecture is restored: 3 scenes."]
    qtbot.waitUntil(lambda: not left.path.exists())
    assert load_lecture(editor.autosave.path) == a_lecture()


def test_nothing_is_restored_over_a_lecture_that_the_user_wants_to_keep(left, editor, answers):
    editor.rename("Mine")
    editor.restore(left)
    assert editor.lecture.title == "Mine"
    assert left.path.exists()
    left.discard()


def test_what_is_modified_is_autosaved_by_itself_and_a_proper_end_leaves_nothing(
    qapp, tmp_path, qtbot, monkeypatch
):
    monkeypatch.setattr(autosave_module, "_INTERVAL_MS", 1)
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    qtbot.waitUntil(made.autosave.path.exists)
    made.close()
    assert list(tmp_path.glob("lecture-autosave-*")) == []


def test_what_is_saved_is_not_kept_any_more(editor, tmp_path, qtbot):
    editor.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    autosave(editor, qtbot)
    editor.save()
    editor.settle()
    assert not editor.autosave.path.exists()
    editor.remove(0)
    editor.autosave.save_if_changed()
    editor.adopt(NEW)
    qtbot.waitUntil(lambda: not is_any_task_busy())
    assert not editor.autosave.path.exists()


def test_an_autosave_that_fails_is_a_problem(qapp, tmp_path, qtbot):
    made = made_in(tmp_path / "nowhere")
    made.adopt(a_lecture(), is_modified=True)
    with qtbot.waitSignal(made.problem_met) as met:
        made.autosave.save_if_changed()
    assert met.args[0].startswith("The lecture is not being autosaved: ")
    made.close()


def test_a_program_that_is_ended_keeps_what_is_not_saved(qapp, tmp_path):
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    made.keep()
    made.close()
    left = unsaved_lectures(tmp_path)
    assert [each.content for each in left] == [a_lecture()]
    left[0].discard()
    assert unsaved_lectures(tmp_path) == []


@pytest.mark.parametrize(
    ("title", "name"),
    [("Warum? Weil: a/b\\c …", "warum-weil-a-b-c"), ("…", "lecture"), ("x" * 200, "x" * 60)],
)
def test_the_title_proposes_a_name_that_every_system_accepts(editor, monkeypatch, title, name):
    proposals: list[Path] = []

    def choosing(_window, _title, proposal, _filters):
        proposals.append(Path(proposal))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choosing)
    editor.rename(title)
    editor.save()
    assert [each.stem for each in proposals] == [name]
