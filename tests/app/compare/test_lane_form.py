"""The form for one run: it says what is wrong in a sentence, and gives nothing before it is right."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from gpviz.app.compare.lane_form import LaneForm, suggested_label
from gpviz.engine import RunConfig
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.presets import LaneSpec

FIRST = LaneSpec(
    label="First", config=RunConfig(n=6, limit="n", deletion="leaf", seed=1), start="x1 & x2 & x3"
)


@pytest.fixture
def opened(qtbot):
    def show(lane: LaneSpec, first: LaneSpec = FIRST) -> LaneForm:
        made = LaneForm(lane, first, "Change this run")
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        qtbot.addWidget(made)
        made.show()
        return made

    return show


@pytest.fixture
def form(opened):
    return opened(FIRST)


def ok(form: LaneForm) -> bool:
    return form.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_what_is_not_touched_stays(form):
    assert form.lane() == FIRST
    assert ok(form)
    assert (
        form.about.text() == "AND₆ · limit n = 6 leaves · leaf deletion · starts from a given tree · seed 1"
    )


def test_everything_that_can_differ_can_be_changed(form):
    form.fields["limit"].setEditText("2n")
    form.fields["deletion"].set_value("subtree")
    form.fields["functions"].set_value("and")
    form.fields["fitness"].set_value("sampled")
    form.fields["rows"].setText("50")
    form.fields["seed"].setText("9")
    assert form.lane().config == RunConfig(
        n=6, limit="2n", deletion="subtree", functions="and", fitness="sampled", rows=50, seed=9
    )


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("seed", "-1", "Seed: -1 is not allowed; it must be a whole number from 0."),
        ("seed", "", "Seed: type a whole number."),
        ("label", " ", "Label"),
    ],
)
def test_what_is_wrong_is_a_sentence_below_its_field(form, name, text, problem):
    form.fields.get(name, form.label_field).setText(text)
    assert form.grid.problem_label(name).text().startswith(problem)
    assert form.grid.problem_label(name).isVisible()
    assert (form.lane(), ok(form)) == (None, False)
    given: list[LaneSpec] = []
    form.lane_given.connect(given.append)
    form.accept()
    assert given == []
    assert form.isVisible()


def test_a_limit_that_is_none_or_too_small_for_the_start_is_told(form):
    form.fields["limit"].setEditText("x")
    assert "Size limit" in form.grid.problem_label("limit").text()
    form.fields["limit"].setEditText("2")
    assert "leaves" in form.grid.problem_label("limit").text()
    assert not ok(form)
    form.fields["limit"].setEditText("none")
    assert form.lane().config.max_leaves is None


def test_rows_are_asked_for_only_where_they_are_sampled(form):
    assert not form.fields["rows"].isVisible()
    form.fields["fitness"].set_value("sampled")
    assert form.fields["rows"].isVisible()
    form.fields["rows"].setText("0")
    assert "Rows" in form.grid.problem_label("rows").text()
    form.fields["fitness"].set_value("complete")
    assert form.lane() == FIRST


def test_a_label_nobody_typed_follows_the_settings(opened):
    config = FIRST.config.replaced(seed=2)
    lane = LaneSpec(label=suggested_label(FIRST, config, FIRST.start), config=config, start=FIRST.start)
    assert lane.label == "Seed 2"
    form = opened(lane)
    form.fields["limit"].set_value("2n")
    assert form.label_field.text() == "Limit 2n = 12 leaves, seed 2"
    form.label_field.selectAll()
    QTest.keyClicks(form.label_field, "Mine")
    form.fields["limit"].set_value("n")
    assert form.label_field.text() == "Mine"


def test_enter_gives_the_run(form, qtbot):
    form.fields["seed"].setText("5")
    form.fields["seed"].setFocus()
    with qtbot.waitSignal(form.lane_given) as given:
        QTest.keyClick(form.fields["seed"], Qt.Key.Key_Return)
    assert given.args[0].config.seed == 5


def test_the_same_settings_are_called_by_their_seed():
    assert suggested_label(FIRST, FIRST.config, FIRST.start) == "Seed 1"


def test_a_script_stays_and_is_told_where_the_functions_do_not_allow_it(opened):
    lane = LaneSpec(label="One", config=FIRST.config, script=parse_script("insert x1; insert or x1 at 1"))
    form = opened(lane, lane)
    assert form.lane() == lane
    form.fields["functions"].set_value("and")
    assert form.problems()["functions"].startswith(
        "script, entry 2, 'insert or x1 at 1': function: 'or' is not"
    )
    assert form.lane() is None
