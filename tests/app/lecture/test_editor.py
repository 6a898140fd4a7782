"""The lecture in the making: what is done to it can be undone, and nothing of it is lost."""

import random
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QFileDialog, QMessageBox

from gpviz import assets
from gpviz.app.lecture import editor as desk_module
from gpviz.app.lecture.editor import LectureDesk, lectures_left
from gpviz.app.settings import Settings
from gpviz.engine import GpvizError
from gpviz.run.lecture import Lecture, Scene, load_lecture, save_lecture
from tests.app.lecture.plans import a_lecture, a_run, run_with_branches

NEW = Lecture(title="Untitled lecture")


@pytest.fixture
def desk(qapp, tmp_path):
    made = made_in(tmp_path)
    yield made
    made.close()


@pytest.fixture
def said(desk):
    """What was told, and what went wrong."""
    sentences: dict[str, list[str]] = {"told": [], "problems": []}
    desk.told.connect(sentences["told"].append)
    desk.problem_met.connect(sentences["problems"].append)
    return sentences


@pytest.fixture
def answers(monkeypatch):
    """What a person answers, and the file they choose."""
    given_answers = {
        "box": QMessageBox.StandardButton.Cancel,
        "file": "",
        "replace": QMessageBox.StandardButton.No,
    }
    asked = []

    def exec_box(box):
        asked.append(box.text())
        return given_answers["box"]

    monkeypatch.setattr(QMessageBox, "exec", exec_box)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: given_answers["replace"])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (given_answers["file"], ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (given_answers["file"], ""))
    given_answers["asked"] = asked
    return given_answers


def made_in(folder) -> LectureDesk:
    return LectureDesk(folder, Settings())


def titles(desk: LectureDesk) -> str:
    return "".join(scene.title for scene in desk.lecture.scenes)


# --- scenes ---


def test_a_captured_view_becomes_a_scene_that_shows_it(desk, said):
    assert desk.capture(a_run(), 0, 7, ("caption", "curves"), "proof", 8.0)
    scene = desk.lecture.scenes[0]
    assert (scene.first, scene.last, scene.panels, scene.page, scene.speed) == (
        *(7, 7),
        ("caption", "curves"),
        "proof",
        8.0,
    )
    assert scene.title == "Iteration 7"
    assert desk.lecture.runs == (a_run(),)
    assert desk.is_modified
    assert desk.place == 0
    assert said["told"] == ["Scene 1 shows iteration 7."]


def test_scenes_are_captured_after_the_chosen_one_or_at_the_end(desk):
    desk.adopt(a_lecture())
    desk.capture(a_run(), 0, 0, after=0)
    assert [scene.title for scene in desk.lecture.scenes] == ["A", "The start", "B", "C"]
    assert desk.place == 1
    desk.capture(a_run(), 0, 60)
    assert desk.lecture.scenes[-1].title == "Iteration 60"


def test_scenes_of_one_run_share_it_and_another_run_is_added(desk):
    desk.capture(a_run(iterations=30), 0, 3)
    desk.capture(a_run(iterations=60), 0, 50)
    assert desk.lecture.runs == (a_run(iterations=60),)
    desk.capture(run_with_branches(), 2, 4)
    assert [(scene.run, scene.branch) for scene in desk.lecture.scenes] == [(0, 0), (0, 0), (1, 2)]


def test_as_fast_as_it_can_is_captured_as_a_speed_that_can_be_saved(desk):
    desk.capture(a_run(), 0, 3, speed=inf)
    assert desk.lecture.scenes[0].speed == 100_000


def test_what_cannot_be_captured_is_told_and_changes_nothing(desk, said):
    assert not desk.capture(a_run(), 0, 61)
    assert desk.lecture == NEW
    assert not desk.can_undo
    assert "at most 60" in said["problems"][0]


def test_a_scene_brought_to_the_present_view_keeps_its_words_and_in_the_same_run_its_end(desk):
    desk.adopt(a_lecture())
    desk.update_from_view(1, a_run(), 0, 5, ("legend",), "rows")
    scene = desk.lecture.scenes[1]
    assert (scene.title, scene.notes, scene.first, scene.last) == ("B", "note 1", 5, 11)
    assert (scene.panels, scene.page) == (("legend",), "rows")
    desk.update_from_view(1, run_with_branches(), 1, 2, speed=30.0)
    scene = desk.lecture.scenes[1]
    assert (scene.run, scene.branch, scene.first, scene.last, scene.speed) == (1, 1, 2, 2, 30.0)


def test_a_scene_opens_and_ends_where_the_cursor_is(desk):
    desk.adopt(a_lecture())
    desk.take_bound(0, a_run(), 0, 5, is_last=False)
    assert (desk.lecture.scenes[0].first, desk.lecture.scenes[0].last) == (5, 10)
    desk.take_bound(0, a_run(), 0, 40, is_last=False)
    assert (desk.lecture.scenes[0].first, desk.lecture.scenes[0].last) == (40, 40)
    desk.take_bound(0, a_run(), 0, 50, is_last=True)
    desk.take_bound(0, a_run(), 0, 30, is_last=True)
    assert (desk.lecture.scenes[0].first, desk.lecture.scenes[0].last) == (30, 30)


def test_a_run_that_has_gone_on_gives_the_scene_more_iterations(desk):
    desk.capture(a_run(iterations=30), 0, 3)
    assert desk.take_bound(0, a_run(iterations=60), 0, 55, is_last=True)
    assert desk.lecture.scenes[0].last == 55


def test_the_cursor_of_another_run_bounds_no_scene(desk, said):
    desk.adopt(a_lecture())
    assert not desk.take_bound(0, a_run(seed=2), 0, 5, is_last=True)
    assert desk.lecture == a_lecture()
    assert "another run" in said["problems"][0]


def test_scenes_are_duplicated_removed_and_moved(desk, said):
    desk.adopt(a_lecture())
    desk.duplicate(1)
    assert [scene.title for scene in desk.lecture.scenes] == ["A", "B", "B (copy)", "C"]
    assert desk.place == 2
    desk.remove(2)
    assert titles(desk) == "ABC"
    assert "“B (copy)” is removed" in said["told"][-1]
    desk.move(0, 2)
    assert titles(desk) == "BCA"
    assert desk.place == 2
    desk.remove(2)
    assert desk.place == 1


def test_the_title_of_a_copy_stays_within_what_is_allowed(desk):
    desk.adopt(replace(a_lecture(1), scenes=(Scene(title="t" * 200),)))
    assert desk.duplicate(0)
    assert len(desk.lecture.scenes[1].title) == 200


def test_removing_all_scenes_of_a_run_lets_the_run_go_and_undo_brings_it_back(desk):
    desk.adopt(a_lecture(1))
    desk.remove(0)
    assert desk.lecture.runs == ()
    assert desk.place == -1
    desk.undo()
    assert desk.lecture == a_lecture(1)
    assert desk.place == 0


# --- undo ---


def test_what_is_typed_in_one_go_is_taken_back_in_one_go(desk):
    desk.adopt(a_lecture())
    for title in ("x", "xy", "xyz"):
        desk.change(0, replace(desk.lecture.scenes[0], title=title))
    desk.end_change()
    desk.change(0, replace(desk.lecture.scenes[0], title="other"))
    desk.change(0, replace(desk.lecture.scenes[0], notes="n"))
    desk.undo()
    desk.undo()
    assert desk.lecture.scenes[0].title == "xyz"
    desk.undo()
    assert desk.lecture == a_lecture()
    assert not desk.can_undo
    desk.redo()
    assert desk.lecture.scenes[0].title == "xyz"


def test_the_title_of_the_lecture_can_be_taken_back_too(desk, said):
    desk.rename("One")
    desk.rename("One two")
    desk.undo()
    assert desk.lecture == NEW
    assert not desk.rename(" ")
    assert said["problems"]


def test_undo_chooses_the_scene_that_it_brings_back(desk):
    desk.adopt(a_lecture())
    desk.choose(1)
    desk.remove(1)
    desk.choose(0)
    desk.undo()
    assert desk.place == 1
    desk.choose(7)
    assert desk.place == 1


def test_undo_to_what_is_saved_is_no_modification(desk):
    desk.adopt(a_lecture())
    desk.move(0, 1)
    assert desk.is_modified
    desk.undo()
    assert not desk.is_modified
    desk.undo()
    desk.redo()
    desk.redo()
    assert desk.is_modified


def test_after_another_change_there_is_nothing_to_redo(desk):
    desk.adopt(a_lecture())
    desk.move(0, 1)
    desk.undo()
    desk.move(0, 2)
    assert not desk.can_redo
    desk.redo()
    assert titles(desk) == "BCA"


def test_a_change_that_changes_nothing_is_nothing_to_undo(desk, qtbot):
    desk.adopt(a_lecture())
    with qtbot.assertNotEmitted(desk.lecture_changed):
        desk.change(0, desk.lecture.scenes[0])
        desk.move(1, 1)
    assert not desk.can_undo


def test_only_so_many_changes_are_remembered(desk):
    desk.adopt(a_lecture())
    for turn in range(250):
        desk.move(0, 2 if turn % 2 else 1)
    count = 0
    while desk.can_undo:
        desk.undo()
        count += 1
    assert count == 200


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 25))
def test_any_edits_are_undone_and_redone_to_equal_lectures(qapp, tmp_path_factory, seed, length):
    chance = random.Random(seed)
    desk = made_in(tmp_path_factory.getbasetemp())
    try:
        desk.adopt(a_lecture(4))
        states = [desk.lecture]
        for _ in range(length):
            edit_somehow(desk, chance)
            desk.end_change()
            if desk.lecture != states[-1]:
                states.append(desk.lecture)
        for wanted in reversed(states[:-1]):
            desk.undo()
            assert desk.lecture == wanted
        assert not desk.can_undo
        assert not desk.is_modified
        for wanted in states[1:]:
            desk.redo()
            assert desk.lecture == wanted
            assert -1 <= desk.place < len(wanted.scenes)
        assert not desk.can_redo
    finally:
        desk.close()


def edit_somehow(desk: LectureDesk, chance: random.Random) -> None:
    count = len(desk.lecture.scenes)
    run = chance.choice([a_run(), a_run(2), a_run(1, 30), run_with_branches()])
    if not count or chance.random() < 0.3:
        desk.capture(run, 0, chance.randint(0, 30), after=chance.randint(-1, count - 1))
        return
    place = chance.randrange(count)
    match chance.randrange(6):
        case 0:
            desk.remove(place)
        case 1:
            desk.move(place, chance.randrange(count))
        case 2:
            desk.duplicate(place)
        case 3:
            desk.change(place, replace(desk.lecture.scenes[place], caption=str(chance.random())))
        case 4:
            desk.update_from_view(place, run, 0, chance.randint(0, 30))
        case _:
            desk.take_bound(place, run, 0, chance.randint(0, 30), is_last=chance.random() < 0.5)


# --- showing and rehearsing ---


def test_a_rehearsal_begins_at_a_scene_and_a_presentation_at_the_first(desk, qtbot, said):
    desk.present()
    assert "no scenes" in said["problems"][0]
    desk.adopt(a_lecture())
    with qtbot.waitSignal(desk.rehearsal_asked) as rehearsal:
        desk.rehearse(2)
    assert rehearsal.args == [2]
    with qtbot.waitSignal(desk.presentation_asked):
        desk.present()
    with qtbot.assertNotEmitted(desk.rehearsal_asked):
        desk.rehearse(3)


def test_the_run_of_a_scene_is_asked_for_at_its_first_iteration(desk, qtbot, said):
    desk.adopt(a_lecture())
    with qtbot.waitSignal(desk.run_asked) as asked:
        desk.show_in_window(2)
    assert asked.args == [a_run(), 0, 2]
    desk.adopt(Lecture(title="Words", scenes=(Scene(title="Hello", has_tree=False, text="Hello"),)))
    desk.show_in_window(0)
    assert said["problems"] == ["The scene “Hello” shows no run."]


# --- files ---


def test_a_lecture_is_saved_and_opened_again(desk, qtbot, tmp_path, answers, said):
    desk.adopt(a_lecture(), is_modified=True)
    answers["file"] = str(tmp_path / "talk")
    with qtbot.waitSignal(desk.lecture_changed):
        assert desk.save()
    assert desk.path == tmp_path / "talk.gpviz"
    assert not desk.is_modified
    assert load_lecture(desk.path) == a_lecture()
    assert said["told"][-1] == "The lecture is saved as talk.gpviz."
    desk.remove(0)
    desk.save()
    desk.writer.settle()
    assert len(load_lecture(desk.path).scenes) == 2
    assert desk.new()
    assert desk.lecture == NEW
    assert desk.path is None
    answers["file"] = str(tmp_path / "talk.gpviz")
    with qtbot.waitSignal(desk.opened):
        desk.ask_and_open()
    assert titles(desk) == "BC"
    assert desk.path == tmp_path / "talk.gpviz"
    assert not desk.can_undo
    assert str(desk.path) in Settings().recent_files


def test_a_failed_save_is_a_sentence_and_keeps_the_lecture(desk, qtbot, tmp_path, said, answers):
    desk.adopt(a_lecture(), is_modified=True)
    answers["file"] = str(tmp_path / "nowhere" / "talk.gpviz")
    with qtbot.waitSignal(desk.problem_met):
        desk.save()
    assert "cannot be written" in said["problems"][0]
    assert desk.lecture == a_lecture()
    assert desk.is_modified
    assert desk.path is None


def test_a_file_that_is_no_lecture_is_a_sentence_and_keeps_the_lecture(desk, qtbot, tmp_path, said):
    desk.adopt(a_lecture())
    (tmp_path / "x.gpviz").write_text("{}")
    with qtbot.waitSignal(desk.problem_met):
        desk.open(tmp_path / "x.gpviz")
    assert "x.gpviz" in said["problems"][0]
    assert desk.lecture == a_lecture()


def test_no_file_chosen_is_nothing_saved_and_nothing_opened(desk, answers):
    desk.adopt(a_lecture(), is_modified=True)
    assert not desk.save()
    desk.ask_and_open()
    assert answers["asked"] == []
    assert desk.is_modified


def test_a_name_without_an_ending_asks_before_it_replaces_a_file(desk, tmp_path, answers):
    (tmp_path / "talk.gpviz").write_text("mine")
    answers["file"] = str(tmp_path / "talk")
    assert not desk.ask_and_save()
    assert (tmp_path / "talk.gpviz").read_text() == "mine"
    answers["replace"] = QMessageBox.StandardButton.Yes
    assert desk.ask_and_save()
    desk.writer.settle()
    assert load_lecture(tmp_path / "talk.gpviz") == NEW


def test_what_is_typed_while_it_is_saved_is_not_taken_for_saved(desk, tmp_path, answers):
    desk.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    desk.save()
    desk.remove(0)
    desk.writer.settle()
    assert desk.is_modified
    assert len(load_lecture(tmp_path / "talk.gpviz").scenes) == 3


def test_a_save_that_ends_after_another_lecture_came_does_not_give_it_its_path(desk, tmp_path):
    desk.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    desk.save()
    desk.adopt(NEW)
    desk.writer.settle()
    assert desk.path is None
    assert load_lecture(tmp_path / "talk.gpviz") == a_lecture()


def test_two_saves_to_two_files_are_both_written(desk, tmp_path, answers):
    desk.adopt(a_lecture(), is_modified=True)
    for name in ("one.gpviz", "two.gpviz", "three.gpviz"):
        answers["file"] = str(tmp_path / name)
        desk.ask_and_save()
    desk.writer.settle()
    assert all((tmp_path / name).exists() for name in ("one.gpviz", "two.gpviz", "three.gpviz"))
    assert desk.path == tmp_path / "three.gpviz"


def test_what_is_to_be_saved_is_saved_before_the_end(qapp, tmp_path, answers):
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    for name in ("one.gpviz", "two.gpviz"):
        answers["file"] = str(tmp_path / name)
        made.ask_and_save()
    made.close()
    assert load_lecture(tmp_path / "one.gpviz") == load_lecture(tmp_path / "two.gpviz") == a_lecture()


@pytest.mark.parametrize(
    ("answer", "may_go", "is_saved"),
    [
        (QMessageBox.StandardButton.Save, True, True),
        (QMessageBox.StandardButton.Discard, True, False),
        (QMessageBox.StandardButton.Cancel, False, False),
    ],
)
def test_a_lecture_that_is_not_saved_is_asked_about(desk, tmp_path, answers, answer, may_go, is_saved):
    desk.adopt(a_lecture(), is_modified=True)
    answers["box"], answers["file"] = answer, str(tmp_path / "talk.gpviz")
    assert desk.may_let_go() is may_go
    assert (tmp_path / "talk.gpviz").exists() is is_saved
    assert answers["asked"] == ["The lecture “A lecture” is not saved."]
    assert desk.lecture == a_lecture()


def test_a_lecture_that_cannot_be_saved_may_not_go(desk, tmp_path, answers):
    desk.adopt(a_lecture(), is_modified=True)
    answers["box"] = QMessageBox.StandardButton.Save
    answers["file"] = str(tmp_path / "nowhere" / "talk.gpviz")
    assert not desk.may_let_go()
    assert not desk.new()
    assert desk.lecture == a_lecture()


def test_a_save_under_way_is_waited_for_instead_of_asked_about(desk, tmp_path, answers):
    desk.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    desk.save()
    assert desk.may_let_go()
    assert answers["asked"] == []


def test_what_was_made_while_a_file_was_read_is_asked_about(desk, tmp_path, qtbot, answers):
    save_lecture(tmp_path / "other.gpviz", Lecture(title="Other"))
    desk.adopt(a_lecture())
    desk.open(tmp_path / "other.gpviz")
    desk.remove(0)
    qtbot.waitUntil(lambda: bool(answers["asked"]))
    assert titles(desk) == "BC"


def test_a_file_read_while_a_question_is_open_waits_for_the_answer(desk, tmp_path, qtbot, monkeypatch):
    save_lecture(tmp_path / "other.gpviz", Lecture(title="Other"))
    desk.adopt(a_lecture())
    seen = []

    def choosing(*_):
        desk.open(tmp_path / "other.gpviz")
        qtbot.waitUntil(lambda: not desk._reader.is_busy)
        seen.append(desk.lecture)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choosing)
    with qtbot.waitSignal(desk.opened):
        desk.ask_and_open()
    assert seen == [a_lecture()]
    assert desk.lecture.title == "Other"


def test_a_lecture_that_comes_with_gpviz_is_never_written(desk, tmp_path, qtbot, monkeypatch, answers, said):
    path = tmp_path / "lectures" / "shipped.gpviz"
    path.parent.mkdir()
    save_lecture(path, a_lecture())
    monkeypatch.setattr(assets, "folder", lambda name: tmp_path / name)
    with qtbot.waitSignal(desk.opened):
        desk.open(path)
    assert desk.path is None
    desk.remove(0)
    answers["file"] = str(path)
    assert not desk.save()
    desk.writer.settle()
    assert load_lecture(path) == a_lecture()
    assert "stays as it is" in said["problems"][0]


def test_without_shipped_lectures_every_file_can_be_written(desk, tmp_path, monkeypatch, answers):
    def missing(name):
        raise GpvizError("The folder is missing.")

    monkeypatch.setattr(assets, "folder", missing)
    answers["file"] = str(tmp_path / "x.gpviz")
    assert desk.save()


# --- crashes ---


def crashed(desk: LectureDesk) -> None:
    """End the program without a goodbye."""
    desk._timer.stop()
    desk.writer.settle()
    desk.writer._background.close()
    desk._reader.close()
    desk.writer._lock.unlock()


def test_what_a_crash_leaves_is_restored_and_goes_only_when_it_is_kept_anew(qapp, tmp_path, said, desk):
    first = made_in(tmp_path)
    first.adopt(a_lecture(), is_modified=True)
    first.autosave()
    crashed(first)
    left = lectures_left(tmp_path)
    assert [each.lecture for each in left] == [a_lecture()]
    desk.restore(left[0])
    assert desk.lecture == a_lecture()
    assert desk.is_modified
    assert said["told"] == ["The lecture is restored: 3 scenes."]
    desk.writer.settle()
    assert not left[0].path.exists()
    assert load_lecture(desk.writer.autosave_path) == a_lecture()


def test_nothing_is_restored_over_a_lecture_that_a_person_wants_to_keep(qapp, tmp_path, desk, answers):
    first = made_in(tmp_path)
    first.adopt(a_lecture(), is_modified=True)
    first.autosave()
    crashed(first)
    (left,) = lectures_left(tmp_path)
    desk.rename("Mine")
    assert not desk.restore(left)
    assert desk.lecture.title == "Mine"
    assert left.path.exists()
    left.discard()


def test_a_proper_end_leaves_nothing_behind(qapp, tmp_path):
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    made.autosave()
    made.close()
    assert lectures_left(tmp_path) == []
    assert list(tmp_path.glob("lecture-autosave-*")) == []


def test_only_what_is_new_is_autosaved(desk):
    desk.autosave()
    assert not desk.writer.is_busy
    desk.adopt(a_lecture(), is_modified=True)
    desk.autosave()
    desk.writer.settle()
    desk.autosave()
    assert not desk.writer.is_busy
    assert desk.writer.autosave_path.exists()


def test_the_timer_autosaves_what_is_modified(desk, qtbot):
    desk._timer.setInterval(1)
    desk.adopt(a_lecture(), is_modified=True)
    qtbot.waitUntil(desk.writer.autosave_path.exists)


def test_what_is_saved_is_not_kept_any_more(desk, tmp_path):
    desk.adopt(a_lecture(), tmp_path / "talk.gpviz", is_modified=True)
    desk.autosave()
    desk.save()
    desk.writer.settle()
    assert not desk.writer.autosave_path.exists()
    desk.remove(0)
    desk.autosave()
    desk.adopt(NEW)
    desk.writer.settle()
    assert not desk.writer.autosave_path.exists()


def test_a_failing_autosave_is_told_once_and_tried_again(qapp, tmp_path, qtbot):
    made = made_in(tmp_path / "later")
    problems: list[str] = []
    made.problem_met.connect(problems.append)
    made.adopt(a_lecture(), is_modified=True)
    for _ in range(2):
        made.autosave()
        made.writer.settle()
    assert len(problems) == 1
    assert "not being autosaved" in problems[0]
    (tmp_path / "later").mkdir()
    made.autosave()
    made.writer.settle()
    assert made.writer.autosave_path.exists()
    made.close()


def test_a_program_that_is_ended_keeps_what_is_not_saved(qapp, tmp_path):
    made = made_in(tmp_path)
    made.adopt(a_lecture(), is_modified=True)
    made.keep()
    made.close()
    left = lectures_left(tmp_path)
    assert [each.lecture for each in left] == [a_lecture()]
    left[0].discard()
    assert lectures_left(tmp_path) == []


def test_a_saved_lecture_is_not_kept_when_the_program_is_ended(qapp, tmp_path):
    made = made_in(tmp_path)
    made.adopt(a_lecture())
    made.keep()
    made.close()
    assert lectures_left(tmp_path) == []


def test_what_cannot_be_read_is_put_aside_and_what_is_in_use_is_left_alone(desk, tmp_path):
    (tmp_path / "lecture-autosave-00.gpviz").write_text("{")
    (tmp_path / "lecture-autosave-11.lock").write_text("")
    desk.adopt(a_lecture(), is_modified=True)
    desk.autosave()
    desk.writer.settle()
    assert lectures_left(tmp_path) == []
    assert (tmp_path / "lecture-autosave-00.damaged").exists()
    assert desk.writer.autosave_path.exists()


def test_an_error_in_the_program_is_not_hidden(desk):
    with pytest.raises(ZeroDivisionError):
        desk._on_read_failed(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        desk._on_write_failed(None, ZeroDivisionError())


def test_the_title_proposes_a_name_that_every_system_takes():
    assert desk_module._file_name("Warum? Weil: a/b\\c …") == "warum-weil-a-b-c"
    assert desk_module._file_name("…") == "lecture"
    assert len(desk_module._file_name("x" * 200)) == 60
