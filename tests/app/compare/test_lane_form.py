"""The form for one run: it says what is wrong in a sentence, and gives nothing before it is right."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from gpviz.app.compare.lane_form import LaneForm, suggested_label
from gpviz.engine import RunConfig
from gpviz.run.comparisons import LaneSpec

FIRST = LaneSpec(
    label="First", config=RunConfig(n=6, limit="n", deletion="leaf", seed=1), start="x1 & x2 & x3"
)


@pytest.fixture
def form(qtbot):
    made = LaneForm(FIRST, FIRST, "Change this run")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(made)
    made.show()
    return made


def ok(form: LaneForm) -> bool:
    return form.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_what_is_not_touched_stays(form):
    assert form.lane() == FIRST
    assert ok(form)
    assert (
        form.about.text() == "n = 6 · limit n = 6 leaves · leaf deletion · starts from a given tree · seed 1"
    )


def test_everything_that_can_differ_can_be_changed(form):
    form.limit_field.setEditText("2n")
    form.deletion_field.set_value("subtree")
    form.functions_field.set_value("and")
    form.fitness_field.set_value("sampled")
    form.rows_field.setText("50")
    form.seed_field.setText("9")
    assert form.lane().config == RunConfig(
        n=6, limit="2n", deletion="subtree", functions="and", fitness="sampled", rows=50, seed=9
    )


@pytest.mark.parametrize(
    ("field", "text", "name", "problem"),
    [
        ("seed_field", "-1", "seed", "Seed: -1 is not allowed; it must be a whole number from 0."),
        ("seed_field", "", "seed", "Seed: type a whole number."),
        ("label_field", " ", "label", "Label"),
    ],
)
def test_what_is_wrong_is_a_sentence_below_its_field(form, field, text, name, problem):
    getattr(form, field).setText(text)
    assert form._problem_labels[name].text().startswith(problem)
    assert form._problem_labels[name].isVisible()
    assert (form.lane(), ok(form)) == (None, False)
    given: list[LaneSpec] = []
    form.lane_given.connect(given.append)
    form.accept()
    assert given == []
    assert form.isVisible()


def test_a_limit_that_is_none_or_too_small_for_the_start_is_told(form):
    form.limit_field.setEditText("x")
    assert "Size limit" in form._problem_labels["limit"].text()
    form.limit_field.setEditText("2")
    assert "leaves" in form._problem_labels["limit"].text()
    assert not ok(form)
    form.limit_field.setEditText("none")
    assert form.lane().config.max_leaves is None


def test_rows_are_asked_for_only_where_they_are_sampled(form):
    assert not form.rows_field.isVisible()
    form.fitness_field.set_value("sampled")
    assert form.rows_field.isVisible()
    form.rows_field.setText("0")
    assert "Rows" in form._problem_labels["rows"].text()
    form.fitness_field.set_value("complete")
    assert form.lane() == FIRST


def test_a_label_nobody_typed_follows_the_settings(qtbot):
    config = FIRST.config.replaced(seed=2)
    lane = LaneSpec(label=suggested_label(FIRST, config, FIRST.start), config=config, start=FIRST.start)
    assert lane.label == "Seed 2"
    form = LaneForm(lane, FIRST, "Add a run")
    form.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(form)
    form.limit_field.setEditText("2n")
    assert form.label_field.text() == "Limit 2n = 12 leaves, seed 2"
    form.label_field.selectAll()
    QTest.keyClicks(form.label_field, "Mine")
    form.limit_field.setEditText("n")
    assert form.label_field.text() == "Mine"


def test_enter_gives_the_run(form, qtbot):
    form.seed_field.setText("5")
    form.seed_field.setFocus()
    with qtbot.waitSignal(form.lane_given) as given:
        QTest.keyClick(form.seed_field, Qt.Key.Key_Return)
    assert given.args[0].config.seed == 5


def test_the_same_settings_are_called_by_their_seed():
    assert suggested_label(FIRST, FIRST.config, FIRST.start) == "Seed 1"
