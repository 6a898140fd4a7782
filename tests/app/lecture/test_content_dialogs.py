"""Choosing what a scene holds on the page of scenes; each choice can be undone."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from gpviz.app.lecture import content_dialogs
from gpviz.app.lecture.content_dialogs import (
    ChartDialog,
    ComparisonDialog,
    ContentDialog,
    PictureDialog,
    StatementDialog,
)
from gpviz.app.lecture.scenes_page import ScenesPage
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.plan import plan_of
from gpviz.lecture.lecture import CapturedView, Lecture, Scene, save_lecture
from gpviz.lecture.scene_content import (
    ComparedRun,
    SceneChart,
    SceneComparison,
    content_title,
)
from gpviz.lecture.scene_editing import with_content
from tests.app.lecture.contents import COMPARISON, STATEMENT, chart, photo
from tests.app.lecture.lectures import branched_file, lecture, run_file, stuck_file
from tests.experiments.figures.filled_stores import LEAF, filled

OK = QDialogButtonBox.StandardButton.Ok
TALK = lecture(Scene(title="One", last=5), Scene(title="Two", run=1))


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Path:
    return filled(tmp_path_factory.mktemp("stores") / "leaf.gpvizx", plan_of("leaf", {**LEAF, "runs": 3}))


@pytest.fixture
def editor(editor):
    editor.adopt(TALK)
    return editor


@pytest.fixture
def problems(editor):
    problems: list[str] = []
    editor.problem_met.connect(problems.append)
    return problems


def choose_file(monkeypatch, path: Path | str) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))


def is_asking(page: ScenesPage) -> bool:
    return any(dialog.isVisible() for dialog in page.findChildren(ContentDialog))


def dialog_of(page: ScenesPage) -> Any:
    (dialog,) = [each for each in page.findChildren(ContentDialog) if each.isVisible()]
    return dialog


def accept(page: Any, qtbot) -> None:
    dialog = dialog_of(page)
    qtbot.waitUntil(lambda: dialog.buttons.button(OK).isEnabled())
    dialog.buttons.button(OK).click()
    assert not is_asking(page)


def test_a_statement_becomes_a_scene_behind_the_chosen_one(page, editor, qtbot):
    page.add_button.actions_by_name["statement"].trigger()
    dialog = dialog_of(page)
    assert isinstance(dialog, StatementDialog)
    dialog.search.setText("no such words")
    assert dialog.problem.text() == "No statement contains all the words “no such words”."
    assert not dialog.buttons.button(OK).isEnabled()
    dialog.search.setText("infinite")
    assert [dialog.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(dialog.list.count())] == [
        "theorem-1"
    ]
    assert dialog.preview.accessibleDescription() == content_title(STATEMENT)
    accept(page, qtbot)
    made = editor.lecture.scenes[1]
    assert (made.content, made.has_tree, editor.index) == (STATEMENT, False, 1)
    assert made.title.startswith("Theorem 1: ")
    assert "Statement: Theorem 1" in page.form.content_button.accessibleName()
    editor.undo_stack.undo()
    assert editor.lecture == TALK


def test_a_chart_of_an_experiment_becomes_the_content_of_a_scene(page, editor, qtbot, monkeypatch, store):
    choose_file(monkeypatch, store)
    page.form.content_button.actions_by_name["chart"].trigger()
    dialog: Any = dialog_of(page)
    assert isinstance(dialog, ChartDialog)
    qtbot.waitUntil(lambda: dialog.content() is not None)
    dialog.kind.set_value("scaling")
    qtbot.waitUntil(lambda: getattr(dialog.content(), "chart", "") == "scaling")
    accept(page, qtbot)
    scene = editor.lecture.scenes[0]
    assert isinstance(scene.content, SceneChart)
    assert (scene.content.plan, scene.content.runs) == ("leaf", 3)
    assert scene.has_tree, "the tree stays beside it until it is switched off"
    page.form.content_button.actions_by_name[""].trigger()
    assert editor.lecture == TALK


def test_reading_the_runs_of_a_chart_ends_with_the_dialog(qtbot, monkeypatch, tmp_path):
    is_stopped: list[bool] = []

    def chart_of(path, kind, *, should_stop):
        while not should_stop():
            is_stopped[:] = [False]
        is_stopped[:] = [True]

    monkeypatch.setattr(content_dialogs, "charts_of_experiment", lambda path: [ChartKind.SCALING])
    monkeypatch.setattr(content_dialogs, "chart_of_experiment", chart_of)
    dialog = ChartDialog(tmp_path / "a.gpvizx")
    qtbot.waitUntil(lambda: is_stopped == [False])
    dialog.done(0)
    assert is_stopped == [True]


def test_what_is_no_experiment_is_explained(page, editor, qtbot, monkeypatch, tmp_path):
    path = tmp_path / "no.gpvizx"
    path.write_bytes(b"nothing")
    choose_file(monkeypatch, path)
    page.add_button.actions_by_name["chart"].trigger()
    dialog = dialog_of(page)
    qtbot.waitUntil(lambda: bool(dialog.problem.text()))
    assert "no.gpvizx" in dialog.problem.text()
    assert not dialog.buttons.button(OK).isEnabled()
    dialog.reject()


def test_a_picture_needs_a_description(page, editor, qtbot, monkeypatch, tmp_path):
    red = photo(alt="A red square.")
    path = tmp_path / "red.png"
    path.write_bytes(red.content)
    choose_file(monkeypatch, path)
    page.add_button.actions_by_name["picture"].trigger()
    dialog = dialog_of(page)
    assert isinstance(dialog, PictureDialog)
    assert not dialog.buttons.button(OK).isEnabled()
    dialog.alt.setPlainText("A red square.")
    dialog.alt.setPlainText(" ")
    assert dialog.problem.text() == "Describe the picture in a few words."
    dialog.alt.setPlainText("A red square.")
    accept(page, qtbot)
    assert editor.lecture.scenes[1].content == red
    assert editor.lecture.scenes[1].title == "A red square."


def test_a_file_that_is_no_picture_for_a_lecture_is_refused(page, editor, problems, monkeypatch, tmp_path):
    path = tmp_path / "x.png"
    choose_file(monkeypatch, path)
    for content, problem in ((b"GIF89a", "x.png"), (b" " * 4_000_001, "4,000,000")):
        path.write_bytes(content)
        page.add_button.actions_by_name["picture"].trigger()
        assert not is_asking(page)
        assert problem in problems[-1]
    choose_file(monkeypatch, "")
    page.add_button.actions_by_name["picture"].trigger()
    assert not is_asking(page)
    assert len(problems) == 2
    assert editor.lecture == TALK


def test_runs_of_the_lecture_are_compared_along_the_longest(page, editor, qtbot):
    page.add_button.actions_by_name["comparison"].trigger()
    dialog = dialog_of(page)
    assert isinstance(dialog, ComparisonDialog)
    assert len(dialog.rows) == 2
    assert dialog.problem.text() == "Choose 2 to 4 runs."
    for (box, label, _), name in zip(dialog.rows, ("Usual", "Stuck"), strict=True):
        assert label.text()
        label.setText(name)
        box.setChecked(True)
    dialog.rows[0][1].setText(" ")
    assert dialog.problem.text().startswith("label: ' ' is not allowed; ")
    dialog.rows[0][1].setText("Usual")
    accept(page, qtbot)
    scene = editor.lecture.scenes[1]
    assert scene.content == COMPARISON
    assert (scene.run, scene.first, scene.last, scene.has_tree) == (0, 0, 40, False)
    assert scene.speed == 4.0


def test_at_most_four_runs_are_compared(page, editor):
    branched = branched_file()
    assert len(branched.branches) >= 2
    scenes = (Scene(title="One"), Scene(title="Two", run=1), Scene(title="Three", run=2))
    editor.adopt(lecture(*scenes, runs=(run_file(), stuck_file(), branched)))
    page.add_button.actions_by_name["comparison"].trigger()
    dialog = dialog_of(page)
    assert len(dialog.rows) == 3 + len(branched.branches)
    for box, _, _ in dialog.rows[:5]:
        box.setChecked(True)
    assert dialog.problem.text() == "5 runs are chosen; at most 4 fit side by side."
    dialog.reject()


def test_a_comparison_of_one_run_is_refused_with_a_sentence(page, editor, problems):
    editor.adopt(lecture(Scene(title="One"), runs=(run_file(),)))
    page.add_button.actions_by_name["comparison"].trigger()
    assert not is_asking(page)
    assert problems == [
        "The lecture has one run, and a comparison needs two: capture a scene of each first, or use Add to "
        "lecture in the Compare window."
    ]


def test_an_answer_for_a_lecture_that_has_changed_is_ignored(page, editor, problems):
    page.add_button.actions_by_name["statement"].trigger()
    editor.remove(0)
    changed = editor.lecture
    dialog_of(page).buttons.button(OK).click()
    assert editor.lecture is changed
    assert problems == ["The lecture has changed in the meantime; choose again."]


# --- the editor ---


def test_a_chart_is_added_to_the_end_and_reported(editor):
    reports: list[str] = []
    editor.reported.connect(reports.append)
    assert editor.add_content(chart())
    assert editor.lecture.scenes[-1] == Scene(title="How T grows", has_tree=False, content=chart())
    assert reports == ["Scene 3 of “Leaves” shows a chart."]
    assert editor.is_modified
    editor.undo_stack.undo()
    assert editor.lecture == TALK


def test_runs_from_elsewhere_come_into_the_lecture_with_their_comparison(editor):
    editor.adopt(Lecture(title="Empty"))
    assert editor.add_comparison("Both", [("Usual", run_file(), 0), ("Stuck", stuck_file(), 0)])
    assert editor.lecture.runs == (run_file(), stuck_file())
    assert editor.lecture.scenes[0].content == COMPARISON
    longer = run_file(60)
    assert editor.add_comparison("Again", [("Stuck", stuck_file(), 0), ("Longer", longer, 0)])
    assert editor.lecture.runs == (longer, stuck_file()), (
        "a run that goes on takes the place of its beginning"
    )
    assert editor.lecture.scenes[1].content == SceneComparison(
        (ComparedRun("Stuck", 1), ComparedRun("Longer", 0))
    )
    assert editor.lecture.scenes[1].last == 60
    editor.remove(1)
    editor.remove(0)
    assert editor.lecture.runs == ()


def test_a_scene_that_compares_shows_a_view_instead_on_request(editor):
    editor.adopt(with_content(TALK, 0, COMPARISON))
    assert editor.lecture.scenes[0].last == 5, "it stays along its own run"
    view = CapturedView(run_file=stuck_file(), branch=0, iteration=2)
    assert editor.update_from_view(0, view)
    assert (editor.lecture.scenes[0].content, editor.lecture.scenes[0].has_tree) == (None, True)


def test_a_scene_that_shows_no_run_says_so_where_its_run_is_asked_for(editor, problems):
    editor.adopt(lecture(Scene(title="A chart", has_tree=False, content=chart())))
    editor.show_in_window(0)
    assert problems == ["The scene “A chart” shows no run; Rehearse shows it."]


def test_a_file_with_a_chart_that_cannot_be_drawn_is_not_opened(editor, problems, qtbot, tmp_path):
    broken = SceneChart(figure='{"title": "x", "panels": []}', plan="p", chart="c", runs=1, seed=1)
    path = tmp_path / "broken.gpviz"
    save_lecture(path, Lecture(title="Broken", scenes=(Scene(title="a", has_tree=False, content=broken),)))
    editor.open(path)
    qtbot.waitUntil(lambda: bool(problems))
    assert problems[0].endswith("scenes[0].content.figure.panels: there is nothing to draw in them.")
    assert editor.lecture == TALK
