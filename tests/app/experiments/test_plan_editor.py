"""The plan editor: what is typed is the plan, or a sentence says why not."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from gpviz.app.experiments.plan_editor import PlanEditor
from gpviz.app.preferences import Preferences
from gpviz.app.question import close_questions
from gpviz.app.widgets.fields import FieldGrid
from gpviz.experiments.plan import find_plan, load_plan, parse_plan, shipped_plans


@pytest.fixture
def make(qtbot):
    editors = []

    def made(preferences=None):
        editor = PlanEditor(preferences)
        qtbot.addWidget(editor)
        editors.append(editor)
        return editor

    yield made
    for editor in editors:
        close_questions(editor)


@pytest.fixture
def editor(make):
    return make()


def problems(editor: PlanEditor) -> dict[str, str]:
    """What stands below the fields, by their names."""
    grids = editor.findChildren(FieldGrid)
    texts = {name: grid.problem_label(name).text() for grid in grids for name in grid.names()}
    return {name: text for name, text in texts.items() if text}


@pytest.mark.parametrize("plan", shipped_plans(), ids=lambda plan: plan.name)
def test_a_shipped_plan_comes_back_as_it_was(editor, plan):
    editor.set_plan(plan)
    assert editor.plan() == plan
    editor.lines["title"].setText("Something else")
    assert editor.plan() == plan.replaced(title="Something else")
    editor.set_plan(editor.plan())
    assert editor.plan() == plan.replaced(title="Something else")


def test_a_plan_is_chosen_from_the_list(editor):
    editor.choice.set_value("table1")
    assert editor.plan() == find_plan("table1")
    assert editor.explanation.text() == find_plan("table1").explanation


def test_a_plan_of_ones_own_has_an_entry_while_it_is_shown(editor):
    own = parse_plan("own", "[config]\nn = 4\n")  # it varies nothing
    editor.set_plan(own)
    assert editor.plan() == own
    assert editor.choice.currentText() == "own"
    assert editor.explanation.isHidden()
    editor.choice.set_value("quick")
    assert editor.choice.findText("own") < 0


def test_everything_typed_is_in_the_plan(editor):
    heard = []
    editor.plan_changed.connect(lambda: heard.append(editor.plan()))
    editor.typed["n"].setText("3, 5, 7")
    editor.typed["limit"].setText("none")
    editor.lines["runs"].setText("12")
    editor.lines["seed"].setText("1000")
    editor.ticks["deletion"].boxes["leaf"].setChecked(False)
    editor.ticks["functions"].boxes["and"].setChecked(True)
    editor.measures.boxes["stuck"].setChecked(True)
    plan = editor.plan()
    assert plan == heard[-1]
    assert plan.grid["n"] == (3, 5, 7)
    assert plan.grid["limit"] == ("inf",)
    assert plan.grid["deletion"] == ("subtree",)
    assert plan.grid["functions"] == ("and,or", "and")
    assert (plan.runs, plan.seed, plan.measures) == (12, 1000, ("iterations", "leaves", "stuck"))


def test_rows_and_sampler_are_there_for_sampled_runs_only(editor):
    assert editor.typed["rows"].isHidden()
    assert editor.ticks["sampler"].isHidden()
    editor.fitness_field.set_value("sampled")
    assert not editor.typed["rows"].isHidden()
    assert not editor.ticks["sampler"].isHidden()
    assert "rows" in problems(editor)
    assert editor.plan() is None
    editor.typed["rows"].setText("10, 100")
    assert editor.plan().grid["rows"] == (10, 100)
    assert editor.x_field.findData("rows") >= 0


def test_the_axis_follows_what_is_varied(editor):
    editor.choice.set_value("figure2")
    assert editor.x_field.value() == "rows"
    editor.fitness_field.set_value("complete")
    assert editor.x_field.value() == ""
    editor.x_field.set_value("accept_error")
    assert editor.plan().x == "accept_error"


@pytest.mark.parametrize(
    ("name", "text"), [("n", "x"), ("limit", "n-9"), ("n", ""), ("limit", "²"), ("accept_error", "1e9")]
)
def test_what_is_wrong_stands_at_its_field_and_goes_when_it_is_mended(editor, name, text):
    before = editor.typed[name].text()
    editor.typed[name].setText(text)
    assert editor.plan() is None
    assert list(problems(editor)) == [name]
    assert editor.typed[name].property("role") == "wrong"
    assert not editor.save_button.isEnabled()
    assert editor.work.text() == "Correct the fields marked in red."
    editor.typed[name].setText(before)
    assert editor.plan() is not None
    assert problems(editor) == {}
    assert editor.typed[name].property("role") == ""


def test_what_is_wrong_with_the_whole_stands_at_the_end(editor):
    editor.typed["n"].setText(", ".join(map(str, range(1, 900))))
    assert problems(editor) == {}
    assert "3,596 combinations" in editor.general_problem.text()
    assert not editor.general_problem.isHidden()
    assert "at most 2,000 are allowed" in editor.work.text()


def test_many_cells_are_checked_in_the_background(editor, qtbot):
    editor.typed["n"].setText(", ".join(map(str, range(4, 104))))
    assert editor.plan() is None
    assert "Checking" in editor.work.text()
    qtbot.waitUntil(lambda: editor.plan() is not None)
    assert len(editor.plan().cells) == 400
    editor.typed["limit"].setText("n-50")
    qtbot.waitUntil(lambda: "n = 4" in problems(editor).get("limit", ""))


def test_cells_and_runs_are_counted_before_the_start(editor):
    assert editor.work.text() == "8 cells · 800 runs"
    editor.typed["n"].setText("4")
    assert editor.work.text() == "4 cells · 400 runs"


def test_a_plan_is_saved_and_loaded_again(make, editor, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "own.toml"
    reported: list[str] = []
    editor.reported.connect(reported.append)
    editor.typed["n"].setText("3, 6")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    editor.save_button.click()
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == [f"The plan is saved in {path}."]
    assert load_plan(path).cells == editor.plan().cells
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    other = make(preferences=Preferences())
    other.load_button.click()
    qtbot.waitUntil(lambda: other.plan() is not None and other.plan().name == "own")
    assert other.choice.currentText() == "own.toml"
    assert other.plan() == load_plan(path)
    later = make(preferences=Preferences())
    later.choice.setCurrentIndex(later.choice.findText("own.toml"))
    qtbot.waitUntil(lambda: later.plan() is not None and later.plan().name == "own")


def test_a_file_that_is_no_plan_gets_a_sentence_and_changes_nothing(editor, qtbot, tmp_path):
    problems: list[str] = []
    editor.problem_met.connect(problems.append)
    before = editor.plan()
    path = tmp_path / "bad.toml"
    path.write_text("runs = -5\n")
    editor.load(path)
    qtbot.waitUntil(lambda: bool(problems))
    assert "runs" in problems[0]
    editor.load(Path("/does/not/exist.toml"))
    qtbot.waitUntil(lambda: len(problems) == 2)
    assert editor.plan() == before


def test_a_check_that_is_outdated_changes_nothing(editor):
    editor.typed["n"].setText(", ".join(map(str, range(4, 104))))
    editor.typed["n"].setText("4")
    assert len(editor.plan().cells) == 4


def test_large_numbers_are_shown_in_groups_and_typed_as_one_likes(editor, qtbot):
    field = editor.lines["max_iterations"]
    assert field.text() == "10,000,000"
    for text in ("2000000", "2_000_000", "2,000,000"):
        field.setText(text)
        assert editor.plan().max_iterations == 2_000_000
    field.setText("2000000")
    field.editingFinished.emit()
    assert field.text() == "2,000,000"
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.text() == "2,000,001"
    assert editor.plan().max_iterations == 2_000_001
    field.setText("2,00")
    field.editingFinished.emit()
    assert field.text() == "2,00"
    assert "'2,00' is not allowed" in problems(editor)["max_iterations"]
