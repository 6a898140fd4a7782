"""The script on the page By hand: what it shows, records and refuses, and the run it asks for."""

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from gpviz.app.pages.manual_mutation import ManualMutationPage
from gpviz.engine import RlsGp, RunConfig
from gpviz.engine.mutation_script import Script, format_script, parse_script
from gpviz.runs.branches import forked
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset
from gpviz.runs.show_request import ShowRequest

PRESET = find_preset("theorem-1-played")
CONFIG = RunConfig(n=4, limit="8", deletion="leaf", seed=3)


@pytest.fixture
def page(qtbot):
    made: Any = ManualMutationPage()
    qtbot.addWidget(made)
    made.resize(800, 700)
    made.show()
    made.requests, made.shown = [], []
    made.connect_to(
        SimpleNamespace(
            preview=lambda _: None,
            show_run=made.requests.append,
            select_node=lambda _: None,
            controller=SimpleNamespace(run_to=made.shown.append),
        )
    )
    yield made
    made.shut_down()


def played(config: RunConfig, script: Script, iterations: int) -> History:
    search, history = RlsGp(config, None, script), History(config, None, script)
    history.extend([search.step() for _ in range(iterations)])
    return history


def column(page: Any, name: str) -> list[str]:
    model = page.script.model
    return [model.text_at(row, name) for row in range(model.rowCount())]


def settle(page: Any, qtbot: Any) -> None:
    qtbot.waitUntil(lambda: not page.script.is_busy)


def test_the_script_of_the_run_is_told_entry_by_entry(page, qtbot):
    page.show_moment(played(PRESET.config, PRESET.script, 4), 3)
    settle(page, qtbot)
    assert column(page, "entry") == format_script(PRESET.script, None)
    assert column(page, "number")[1:4] == ["2", "▶ 3", "4"]
    assert column(page, "verdict") == ["▲", *"≈≈≈≈≈≈", "▲"]
    assert column(page, "probability")[:2] == ["1/4 = 0.25", "1/24 ≈ 0.0417"]
    assert column(page, "product")[-1] == "3.8 × 10⁻¹⁷"
    page.resize(250, 700)
    assert column(page, "probability")[:2] == ["1/4", "1/24"]
    assert page.script.conclusion.text().startswith("The product is positive, so E[T] is infinite: some runs")
    page.script.table.selectRow(6)
    qtbot.keyClick(page.script.table, Qt.Key.Key_Return)
    assert page.shown == [7]


def test_the_next_iteration_changes_two_rows_only(page, qtbot):
    history = played(PRESET.config, PRESET.script, 5)
    page.show_moment(history, 3)
    settle(page, qtbot)
    before = [page.script.model.row_at(row) for row in range(len(PRESET.script))]
    page.show_moment(history, 4)
    after = [page.script.model.row_at(row) for row in range(len(PRESET.script))]
    assert column(page, "number")[2:5] == ["3", "▶ 4", "5"]
    assert [row for row, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new] == [2, 3]


def test_on_a_low_page_the_entry_of_the_iteration_on_show_comes_into_view(page, qtbot):
    def is_seen() -> bool:
        place = page.script.marked_entry()
        corner = page.script.mapTo(page, place.topLeft())
        return place.isValid() and page.rect().contains(place.translated(corner - place.topLeft()))

    page.resize(500, 310)
    qtbot.waitUntil(lambda: page.focusWidget() is not None and page.focusWidget().hasFocus())
    page.focusWidget().clearFocus()  # before that, the window would give it back as soon as it is active
    history = played(PRESET.config, PRESET.script, 8)
    for iteration in (8, 1, 6):
        page.show_moment(history, iteration)
        qtbot.waitUntil(is_seen)
    page.variable.setFocus()
    qtbot.waitUntil(page.variable.hasFocus)
    before = page._area.verticalScrollBar().value()
    page.show_moment(history, 1)
    qtbot.waitUntil(lambda: not page._scroll_soon.isActive())
    assert page._area.verticalScrollBar().value() == before, "somebody is busy in the fields above"


def test_what_the_run_has_done_can_be_recorded_and_started(page, qtbot):
    history = played(CONFIG, (), 6)
    page.show_moment(history, 0)
    assert not page.script.record_button.isEnabled()
    assert not page.script.start_button.isEnabled()
    assert page.script.stack.isHidden()
    page.show_moment(history, 5)
    assert page.script.record_button.text() == "Record 1 to 5"
    page.script.record_button.click()
    settle(page, qtbot)
    assert page.script.text.toPlainText() == "\n".join(format_script(history.recorded_script(5), None))
    assert column(page, "number") == list("12345")  # it is not the script of the run on show
    page.script.start_button.click()
    assert page.requests == [ShowRequest(run=CONFIG, script=history.recorded_script(5))]


def test_entries_are_added_and_removed(page, qtbot):
    page.show_moment(History(CONFIG), 0)
    page.script.add_button.click()
    page.script.add_button.click()
    page.variable.setText("2")
    page.script.add_button.click()
    settle(page, qtbot)
    assert column(page, "entry") == ["insert x1", "insert and x1 at 1", "insert and x2 at 1"]
    page.script.table.selectRow(1)
    qtbot.keyClick(page.script.table, Qt.Key.Key_Delete)
    settle(page, qtbot)
    page.script.remove_button.click()
    settle(page, qtbot)
    assert column(page, "entry") == ["insert x1"]


@pytest.mark.parametrize(
    ("text", "problem", "rows"),
    [
        (
            "insert x1\ninsert xor x2",
            "script, entry 2: 'insert xor x2' is not allowed; it must be 'insert', 'and' or",
            0,
        ),
        ("insert x1\ninsert x5", "script, entry 2, 'insert and x5 at 1': variable: 'x5' is not allowed", 0),
        (
            "insert x1\ndelete 2",
            "script, entry 2, 'delete 2': node: 2 is not allowed; it must be from 1 to 1.",
            1,
        ),
    ],
)
def test_a_text_that_cannot_be_carried_out_says_why(page, qtbot, text, problem, rows):
    page.show_moment(History(CONFIG), 0)
    page.script.text_button.click()
    page.script.text.setPlainText(text)
    settle(page, qtbot)
    assert page.script.problem.text().startswith(problem)
    assert not page.script.problem.isHidden()
    assert not page.script.start_button.isEnabled()
    assert page.script.model.rowCount() == rows


def test_a_script_being_written_stays_until_a_run_with_another_comes(page, qtbot):
    page.show_moment(History(CONFIG), 0)
    page.script.text.setPlainText("insert x2")
    page.show_moment(History(CONFIG.replaced(seed=4)), 0)
    assert page.script.text.toPlainText() == "insert x2"
    script = parse_script("insert x3")
    page.show_moment(History(CONFIG, None, script), 0)
    assert page.script.text.toPlainText() == "insert x3"
    page.script.text.undo()
    assert page.script.text.toPlainText() == "insert x2"
    page.script.text.redo()
    page.show_moment(History(CONFIG), 0)  # nobody has written what went
    assert page.script.text.toPlainText() == ""
    settle(page, qtbot)


def test_on_sampled_rows_no_probabilities_are_given(page, qtbot):
    config = RunConfig(n=4, fitness="sampled", rows=5)
    page.show_moment(History(config, None, parse_script("insert x1; insert and x2")), 0)
    settle(page, qtbot)
    assert column(page, "product") == ["–", "–"]
    assert page.script.note.text().startswith("On sampled rows")


def test_a_branch_marks_only_what_the_script_has_done_there(page, qtbot):
    search, branch = forked(played(PRESET.config, PRESET.script, 5), 2)
    branch.append(search.step())
    for iteration, numbers in ((2, ["1", "▶ 2", "3"]), (3, ["1", "2", "3"])):
        page.show_moment(branch, iteration)
        settle(page, qtbot)
        assert column(page, "number")[:3] == numbers
