"""The setup panel: validation as you type, round trips, and the wishes it sends."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from gpviz.app.panels.run_form import RunForm
from gpviz.app.widgets.fields import FormulaField
from gpviz.engine import RunConfig, format_formula
from gpviz.engine.mutation_script import parse_script
from tests.app.mouse import turn_wheel
from tests.engine.strategies import configs, trees

LEAF = RunConfig(n=8, limit="n+1", deletion="leaf", seed=254)
SAMPLED = RunConfig(n=50, fitness="sampled", rows=100, sampler="counts", seed=3)


@pytest.fixture
def panel(show):
    made = RunForm()
    made.set_values(LEAF, "")
    window = show(made)
    yield made
    window.close()


@pytest.fixture
def requests(panel):
    """The runs that were asked for."""
    seen = []
    panel.run_requested.connect(lambda request: seen.append((request.run, request.start)))
    return seen


def type_over(qtbot, field, text):
    edit = field if isinstance(field, QLineEdit) else field.lineEdit()
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(edit, text)


def typed_fields(panel):
    """The fields in which one types, from the first to the last."""
    fields = {name: panel.fields[name] for name in ("n", "limit", "rows", "accept_error")}
    return {**fields, "start": panel.start_field, "seed": panel.fields["seed"]}


def problem(panel, name):
    label = panel.grid.problem_label(name)
    return label.text() if not label.isHidden() else ""


class TestRoundTrips:
    @settings(
        max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    )
    @given(configs(max_n=70), st.just("") | trees(1, max_leaves=1).map(format_formula))
    def test_every_configuration_comes_back(self, panel, config, start):
        panel.set_values(config, start)
        assert panel.values() == (config, start)
        assert panel.note.text() == ""
        assert panel.restart_button.isEnabled()

    def test_no_limit_is_shown_as_none(self, panel):
        panel.set_values(LEAF.replaced(limit="inf"), "")
        assert panel.fields["limit"].currentText() == "none"
        assert panel.values() == (LEAF.replaced(limit="inf"), "")

    def test_showing_a_run_asks_for_none(self, panel, requests, qtbot):
        panel.set_values(SAMPLED, "x1 & x2")
        panel.set_values(LEAF, "x1 | x2")
        qtbot.waitUntil(lambda: not panel._formula_timer.isActive())
        assert requests == []
        assert panel.note.text() == ""

    def test_a_formula_of_any_length_comes_back_whole(self, panel):
        long = " & ".join(["x1"] * 100_000)
        config = LEAF.replaced(limit="inf")
        panel.set_values(config, long)
        assert panel.values() == (config, long)
        assert panel.start_field.placeholderText() == "a formula of 499,997 characters"
        assert problem(panel, "start") == "This formula is long. It is checked when the run starts."
        assert panel.new_run_button.isEnabled()


class TestProblems:
    @pytest.mark.parametrize(
        ("name", "typed", "sentence"),
        [
            ("n", "abc", "Variables n: 'abc' is not allowed; it must be a whole number from 1 to 1000."),
            ("n", "", "Variables n: type a whole number."),
            (
                "limit",
                "3m",
                "Size limit ℓ: '3m' is not allowed; it must be a number from 1, or 'n', 'n+1', 'n-1', '2n', ",
            ),
            ("limit", " ", "Size limit ℓ: type a number from 1, or 'n', "),
            ("seed", "1.5", "Seed: '1.5' is not allowed; it must be a whole number from 0."),
        ],
    )
    def test_nonsense_gets_the_sentence_of_the_engine(self, panel, requests, qtbot, name, typed, sentence):
        field = typed_fields(panel)[name]
        type_over(qtbot, field, typed)
        assert problem(panel, name).startswith(sentence)
        assert field.property("role") == "wrong"
        assert panel.note.text() == "Correct the field marked in red."
        assert panel.values() is None
        for button in (panel.restart_button, panel.new_run_button):
            assert not button.isEnabled()
            assert button.accessibleDescription().startswith(sentence)
        qtbot.keyClick(panel.fields["n"], Qt.Key.Key_Return)
        assert requests == []

    def test_nonsense_in_the_number_of_rows(self, panel, qtbot):
        panel.set_values(SAMPLED.replaced(sampler="rows"), "")
        type_over(qtbot, panel.fields["rows"], "100000000")
        assert problem(panel, "rows") == (
            "Rows s: 100000000 is not allowed; it must be a whole number from 1 to 10000000 "
            "with the sampler 'rows'."
        )
        panel.fields["sampler"].set_value("counts")
        assert problem(panel, "rows") == ""

    def test_rows_that_are_not_used_are_no_problem(self, panel):
        panel.fields["rows"].setText("nonsense")
        assert panel.values() == (LEAF, "")

    def test_every_wrong_field_has_its_own_sentence(self, panel):
        panel.fields["n"].setText("x")
        panel.fields["seed"].setText("y")
        assert problem(panel, "n")
        assert problem(panel, "seed")
        assert not problem(panel, "limit")

    def test_a_right_value_takes_the_sentence_away(self, panel, qtbot):
        type_over(qtbot, panel.fields["n"], "x")
        type_over(qtbot, panel.fields["n"], "9")
        assert problem(panel, "n") == ""
        assert panel.fields["n"].property("role") == ""
        assert panel.values() == (LEAF.replaced(n=9), "")


class TestTheStartFormula:
    def wait(self, qtbot, panel):
        qtbot.waitUntil(lambda: not panel._formula_timer.isActive())

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ("x1 & (", "Start from, column 7: expected a variable or '(' but the formula ends."),
            (
                "&".join(["x1"] * 10),
                "Size limit ℓ: 'n+1' is not allowed; it must be at least 10, the number of leaves of the tree.",
            ),
        ],
    )
    def test_nonsense_gets_the_sentence_of_the_engine(self, panel, requests, qtbot, typed, sentence):
        type_over(qtbot, panel.start_field, typed)
        self.wait(qtbot, panel)
        assert problem(panel, "start") == sentence
        assert not panel.new_run_button.isEnabled()
        assert panel.values() is None

    def test_a_formula_is_checked_at_once_when_it_is_to_run(self, panel, requests, qtbot):
        type_over(qtbot, panel.start_field, "x1 &")
        assert panel._formula_timer.isActive()
        qtbot.keyClick(panel.start_field, Qt.Key.Key_Return)
        assert requests == []
        assert problem(panel, "start").startswith("Start from, column 5")

    def test_a_larger_n_makes_a_formula_right(self, panel, qtbot):
        type_over(qtbot, panel.start_field, "x9")
        self.wait(qtbot, panel)
        type_over(qtbot, panel.fields["n"], "9")
        self.wait(qtbot, panel)
        assert problem(panel, "start") == ""
        assert panel.values() == (LEAF.replaced(n=9), "x9")

    def test_a_formula_is_not_judged_by_settings_that_are_wrong(self, panel, qtbot):
        type_over(qtbot, panel.fields["n"], "x")
        type_over(qtbot, panel.start_field, "x9")
        self.wait(qtbot, panel)
        assert problem(panel, "start") == ""
        assert panel.values() is None

    def test_a_pasted_formula_that_is_too_long_for_the_field_is_kept_aside(self, panel, qtbot):
        long = " | ".join(["x2"] * 5000)
        QApplication.clipboard().setText(long)
        panel.start_field.setFocus()
        panel.start_field.paste()
        assert panel.start_field.formula() == long
        assert panel.start_field.text() == ""
        QApplication.clipboard().clear()

    def test_typing_or_deleting_replaces_a_formula_kept_aside(self, qtbot):
        field = FormulaField("the empty tree")
        qtbot.addWidget(field)
        long = "x1 & " * 5000
        field.set_formula(long)
        with qtbot.waitSignal(field.formula_changed):
            qtbot.keyClick(field, Qt.Key.Key_Backspace)
        assert field.formula() == ""
        assert field.placeholderText() == "the empty tree"
        field.set_formula(long)
        qtbot.keyClicks(field, "x1")
        assert field.formula() == "x1"
        qtbot.keyClick(field, Qt.Key.Key_Backspace)
        assert field.formula() == "x"


class TestWishes:
    def test_a_new_run_has_the_next_seed(self, panel, requests, qtbot):
        qtbot.mouseClick(panel.new_run_button, Qt.MouseButton.LeftButton)
        assert requests == [(LEAF.replaced(seed=255), "")]
        assert panel.fields["seed"].text() == "255"

    def test_a_new_run_has_the_seed_that_was_typed(self, panel, requests, qtbot):
        type_over(qtbot, panel.fields["seed"], "7")
        assert panel.new_run_button.accessibleDescription().endswith("seed 7.")
        qtbot.mouseClick(panel.new_run_button, Qt.MouseButton.LeftButton)
        assert requests == [(LEAF.replaced(seed=7), "")]

    def test_the_last_seed_has_no_next_one(self, panel, requests, qtbot):
        last = LEAF.replaced(seed=2**4096 - 1)
        panel.set_values(last, "")
        qtbot.mouseClick(panel.new_run_button, Qt.MouseButton.LeftButton)
        assert requests == []
        assert problem(panel, "seed").startswith("Seed: a number of 4097 bits is not allowed")

    def test_the_dice_throw_a_seed(self, panel, requests, qtbot):
        qtbot.mouseClick(panel.dice_button, Qt.MouseButton.LeftButton)
        assert 0 <= int(panel.fields["seed"].text()) < 1_000_000
        assert requests == []

    def test_return_starts_the_settings_as_typed(self, panel, requests, qtbot):
        type_over(qtbot, panel.fields["limit"], "3n")
        qtbot.keyClick(panel.fields["limit"].lineEdit(), Qt.Key.Key_Return)
        assert requests == [(LEAF.replaced(limit="3n"), "")]

    def test_every_choice_reaches_the_run(self, panel, requests, qtbot):
        for field, value in (
            (panel.fields["deletion"], "subtree"),
            (panel.fields["functions"], "and"),
            (panel.fields["fitness"], "sampled"),
            (panel.fields["sampler"], "counts"),
            (panel.fields["empty_tree"], "insert-only"),
        ):
            field.set_value(value)
        type_over(qtbot, panel.fields["rows"], "12")
        type_over(qtbot, panel.fields["accept_error"], "2")
        type_over(qtbot, panel.start_field, " x1 & x2 ")
        qtbot.mouseClick(panel.restart_button, Qt.MouseButton.LeftButton)
        wanted = RunConfig(
            n=8, limit="n+1", deletion="subtree", functions="and", fitness="sampled", rows=12, sampler="counts",
            accept_error=2, empty_tree="insert-only", seed=254,
        )  # fmt: skip
        assert requests == [(wanted, "x1 & x2")]


class TestWhatIsBeside:
    def test_return_gives_the_focus_away_once_the_run_starts(self, panel, requests, qtbot):
        type_over(qtbot, panel.fields["seed"], "x")
        qtbot.keyClick(panel.fields["seed"], Qt.Key.Key_Return)
        assert panel.fields["seed"].hasFocus()
        for field in (panel.fields["seed"], panel.fields["limit"]):
            type_over(qtbot, panel.fields["seed"], "7")
            field.setFocus()
            qtbot.keyClick(field, Qt.Key.Key_Return)
            assert not field.hasFocus()
        assert len(requests) == 2

    def test_a_changed_field_is_for_the_next_run(self, panel, requests, qtbot):
        type_over(qtbot, panel.fields["n"], "9")
        assert panel.note.text() == "These settings apply to the next run."
        assert requests == []
        type_over(qtbot, panel.fields["n"], "8")
        assert panel.note.text() == ""

    def test_the_same_limit_written_otherwise_is_no_change(self, panel, qtbot):
        type_over(qtbot, panel.fields["limit"], "N + 1")
        assert panel.note.text() == ""

    def test_the_limit_says_what_it_amounts_to(self, panel, qtbot):
        assert panel.amounts["limit"].text() == "= 9"
        type_over(qtbot, panel.fields["n"], "10")
        assert panel.amounts["limit"].text() == "= 11"
        type_over(qtbot, panel.fields["limit"], "12")
        assert panel.amounts["limit"].text() == ""
        type_over(qtbot, panel.fields["limit"], "none")
        assert panel.amounts["limit"].text() == ""

    def test_rows_that_follow_n_say_what_they_amount_to(self, panel, requests, qtbot):
        panel.fields["fitness"].choose("sampled")
        type_over(qtbot, panel.fields["rows"], "n lg^2 n")
        type_over(qtbot, panel.fields["accept_error"], "2 lg n")
        assert [panel.amounts[name].text() for name in ("rows", "accept_error")] == ["= 72", "= 6"]
        type_over(qtbot, panel.fields["n"], "16")
        assert [panel.amounts[name].text() for name in ("rows", "accept_error")] == ["= 256", "= 8"]
        type_over(qtbot, panel.fields["rows"], "n lgg n")
        assert panel.amounts["rows"].text() == ""
        assert "an expression in n" in panel.grid.problem_label("rows").text()

    def test_the_number_of_rows_is_told(self, panel, qtbot):
        assert panel.fields["fitness"].currentText() == "all 256 rows"
        type_over(qtbot, panel.fields["n"], "64")
        assert panel.fields["fitness"].currentText() == "all 2⁶⁴ rows"
        type_over(qtbot, panel.fields["n"], "x")
        assert panel.fields["fitness"].currentText() == "all rows"

    def test_sampling_has_its_fields_only_where_rows_are_sampled(self, panel):
        assert not panel.fields["rows"].isVisible()
        assert not panel.fields["sampler"].isVisible()
        panel.fields["fitness"].set_value("sampled")
        assert panel.fields["rows"].isVisible()
        assert panel.fields["sampler"].isVisible()
        assert panel.values() == (LEAF.replaced(fitness="sampled", rows=100), "")

    def test_what_is_seldom_changed_is_there_on_demand(self, panel):
        rare = ("functions", "fitness", "accept_error", "empty_tree")
        assert [panel.fields[name].isVisible() for name in ("n", "limit", "deletion", "seed")] == [True] * 4
        assert not any(panel.fields[name].isVisible() for name in rare)
        assert not panel.start_field.isVisible()
        panel.more_button.click()
        assert all(panel.fields[name].isVisible() for name in rare)
        assert panel.start_field.isVisible()
        panel.more_button.click()
        assert not any(panel.fields[name].isVisible() for name in rare)

    def test_a_rare_setting_that_is_not_as_usual_is_seen_and_stays_while_somebody_changes_it(self, panel):
        panel.set_values(LEAF.replaced(accept_error=3), "x1 & x2")
        assert panel.fields["accept_error"].isVisible()
        assert panel.start_field.isVisible()
        assert not panel.fields["functions"].isVisible()
        panel.fields["accept_error"].set_value("0")
        assert panel.fields["accept_error"].isVisible()
        panel.set_values(LEAF, "")
        assert not panel.fields["accept_error"].isVisible()

    def test_a_rare_setting_that_is_wrong_is_seen(self, panel):
        panel.fields["accept_error"].set_value("x")
        assert panel.fields["accept_error"].isVisible()
        assert panel.grid.problem_label("accept_error").isVisible()

    def test_the_arrow_keys_count(self, panel, qtbot):
        qtbot.keyClick(panel.fields["n"], Qt.Key.Key_Up)
        assert panel.fields["n"].text() == "9"
        qtbot.keyClick(panel.fields["n"], Qt.Key.Key_Down)
        qtbot.keyClick(panel.fields["n"], Qt.Key.Key_Down)
        assert panel.fields["n"].text() == "7"
        panel.fields["accept_error"].setText("0")
        qtbot.keyClick(panel.fields["accept_error"], Qt.Key.Key_Down)
        assert panel.fields["accept_error"].text() == "0"
        panel.fields["n"].setText("x")
        qtbot.keyClick(panel.fields["n"], Qt.Key.Key_Up)
        assert panel.fields["n"].text() == "x"

    def test_the_wheel_scrolls_past_a_field_that_has_no_focus(self, panel):
        panel.fields["n"].setFocus()

        turn_wheel(panel.fields["deletion"], -120)
        assert panel.fields["deletion"].value() == "leaf"
        panel.activateWindow()
        panel.fields["deletion"].setFocus()
        turn_wheel(panel.fields["deletion"], -120)
        assert panel.fields["deletion"].value() == "subtree"


def test_the_script_of_a_run_stays_for_the_next_unless_it_is_taken_away(panel, qtbot):
    seen = []
    panel.run_requested.connect(lambda request: seen.append((request.run.seed, request.script)))
    assert not panel.script_box.isVisible()
    script = parse_script("insert x1; insert or x8 at 1")
    panel.set_values(LEAF, "", script)
    assert panel.script_box.isVisible()
    assert panel.script_box.text() == "2 mutations"
    assert not panel.note.text()
    panel.new_run_button.click()
    panel.script_box.click()
    assert panel.note.text() == "These settings apply to the next run."
    panel.restart_button.click()
    assert seen == [(255, script), (255, ())]


def test_a_script_that_the_settings_do_not_allow_is_told_below_it(panel, qtbot):
    panel.set_values(LEAF, "", parse_script("insert x1; insert or x8 at 1"))
    type_over(qtbot, panel.fields["n"], "7")
    problem = panel.grid.problem_label("script")
    assert problem.text().startswith("script, entry 2, 'insert or x8 at 1': variable: 'x8' is not allowed")
    assert not panel.new_run_button.isEnabled()
    panel.script_box.click()
    assert panel.new_run_button.isEnabled()
