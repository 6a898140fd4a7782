"""The dialog of a new run: it begins with another run, checks what is typed, and asks for what it shows."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QLineEdit

from gpviz.app.dialogs.new_run_dialog import NewRunDialog
from gpviz.app.preferences import FONT_SIZES, Preferences
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import RunConfig, format_formula
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.show_request import ShowRequest
from tests.app.mouse import turn_wheel
from tests.engine.strategies import configs, trees

LEAF = RunConfig(n=8, limit="n+1", deletion="leaf", seed=254)
SAMPLED = RunConfig(n=50, fitness="sampled", rows=100, sampler="counts", seed=3)
SCRIPT = parse_script("insert x1; insert or x8 at 1")


@pytest.fixture
def opened(qtbot):
    """Opens a dialog."""
    made = []

    def open_dialog(config=LEAF, start="", script=()):
        dialog = NewRunDialog(config, start, script)
        made.append(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog)
        dialog.open()
        qtbot.waitUntil(lambda: dialog.windowHandle().isExposed())
        dialog.activateWindow()
        return dialog

    return open_dialog


@pytest.fixture
def dialog(opened):
    return opened()


@pytest.fixture
def requests(dialog):
    """The runs that were asked for."""
    seen: list[ShowRequest] = []
    dialog.run_requested.connect(seen.append)
    return seen


def type_over(qtbot, field, text):
    edit = field if isinstance(field, QLineEdit) else field.lineEdit()
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(edit, text)


def problem(dialog, name):
    label = dialog.grid.problem_label(name)
    return label.text() if not label.isHidden() else ""


def shown(dialog):
    """The names of the fields that are on show."""
    fields = {**dialog.fields, "start": dialog.start_field, "script": dialog.script_box}
    return {name for name, field in fields.items() if field.isVisible()}


class TestTheRunItBeginsWith:
    @settings(
        max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    )
    @given(configs(max_n=70), st.just("") | trees(1, max_leaves=1).map(format_formula))
    def test_every_run_comes_back(self, qapp, config, start):
        dialog = NewRunDialog(config, start)
        assert dialog.request() == ShowRequest(run=config, start=start)
        dialog.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def test_a_formula_of_any_length_comes_back_whole(self, opened):
        long = " & ".join(["x1"] * 100_000)
        dialog = opened(LEAF.replaced(limit="inf"), long)
        assert dialog.request().start == long

    def test_its_script_comes_back_unless_it_is_taken_away(self, opened):
        dialog = opened(LEAF, "", SCRIPT)
        assert dialog.script_box.text() == "2 mutations"
        assert dialog.request().script == SCRIPT
        dialog.script_box.click()
        assert dialog.request().script == ()

    def test_a_run_without_a_script_has_no_such_field(self, dialog):
        dialog.more_button.click()
        assert "script" not in shown(dialog)


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
    def test_nonsense_gets_a_sentence_and_starts_nothing(
        self, dialog, requests, qtbot, name, typed, sentence
    ):
        field = dialog.fields[name]
        type_over(qtbot, field, typed)
        assert problem(dialog, name).startswith(sentence)
        assert field.property("role") == "wrong"
        assert field.accessibleDescription().startswith(sentence)
        assert dialog.request() is None
        assert not dialog.start_button.isEnabled()
        assert dialog.start_button.accessibleDescription().startswith(sentence)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert requests == []
        assert dialog.isVisible()

    def test_rows_are_judged_by_their_sampler(self, opened, qtbot):
        dialog = opened(SAMPLED.replaced(sampler="rows"))
        type_over(qtbot, dialog.fields["rows"], "100000000")
        assert problem(dialog, "rows") == (
            "Rows s: 100000000 is not allowed; it must be a whole number from 1 to 10000000 "
            "with the sampler 'rows'."
        )
        dialog.fields["sampler"].set_value("counts")
        assert problem(dialog, "rows") == ""

    def test_rows_that_are_not_used_are_no_problem(self, dialog):
        dialog.fields["rows"].setText("nonsense")
        assert dialog.request().run == LEAF

    def test_every_wrong_field_has_its_own_sentence(self, dialog):
        dialog.fields["n"].setText("x")
        dialog.fields["seed"].setText("y")
        assert problem(dialog, "n")
        assert problem(dialog, "seed")
        assert not problem(dialog, "limit")

    def test_a_right_value_takes_the_sentence_away(self, dialog, qtbot):
        type_over(qtbot, dialog.fields["n"], "x")
        type_over(qtbot, dialog.fields["n"], "9")
        assert problem(dialog, "n") == ""
        assert dialog.fields["n"].property("role") == ""
        assert dialog.fields["n"].accessibleDescription().startswith("How many variables")
        assert dialog.request().run == LEAF.replaced(n=9)

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
    def test_a_wrong_start_gets_a_sentence(self, opened, qtbot, typed, sentence):
        dialog = opened(LEAF, "x1")
        type_over(qtbot, dialog.start_field, typed)
        assert problem(dialog, "start") == sentence
        assert dialog.request() is None

    def test_a_larger_n_makes_a_start_right(self, opened, qtbot):
        dialog = opened(LEAF, "x1")
        type_over(qtbot, dialog.start_field, "x9")
        assert problem(dialog, "start")
        type_over(qtbot, dialog.fields["n"], "9")
        assert problem(dialog, "start") == ""

    def test_a_start_is_not_judged_by_settings_that_are_wrong(self, opened, qtbot):
        dialog = opened(LEAF, "x8")
        type_over(qtbot, dialog.fields["n"], "x")
        assert problem(dialog, "start") == ""

    def test_a_script_that_the_settings_do_not_allow_gets_a_sentence(self, opened, qtbot):
        dialog = opened(LEAF, "", SCRIPT)
        type_over(qtbot, dialog.fields["n"], "7")
        sentence = "script, entry 2, 'insert or x8 at 1': variable: 'x8' is not allowed"
        assert problem(dialog, "script").startswith(sentence)
        dialog.script_box.click()
        assert dialog.request().run == LEAF.replaced(n=7)


class TestStarting:
    @pytest.mark.parametrize("name", ["n", "limit", "deletion", "seed"])
    def test_return_starts_what_is_shown_from_every_field(self, dialog, requests, qtbot, name):
        type_over(qtbot, dialog.fields["seed"], "7")
        dialog.fields[name].setFocus()
        qtbot.keyClick(dialog.fields[name], Qt.Key.Key_Return)
        assert requests == [ShowRequest(run=LEAF.replaced(seed=7))]
        assert dialog.isVisible()  # until the run is on show

    @pytest.mark.parametrize("name", ["n", "limit", "deletion", "seed"])
    def test_escape_starts_nothing(self, dialog, requests, qtbot, name):
        dialog.fields[name].setFocus()
        qtbot.keyClick(dialog.fields[name], Qt.Key.Key_Escape)
        assert requests == []
        assert not dialog.isVisible()

    def test_the_dice_throw_a_seed(self, dialog, requests, qtbot):
        qtbot.mouseClick(dialog.dice_button, Qt.MouseButton.LeftButton)
        assert 0 <= int(dialog.fields["seed"].text()) < 1_000_000
        assert requests == []

    def test_every_choice_reaches_the_run(self, dialog, requests, qtbot):
        dialog.more_button.click()
        for name, value in (
            ("deletion", "subtree"),
            ("functions", "and"),
            ("fitness", "sampled"),
            ("sampler", "counts"),
            ("empty_tree", "insert-only"),
        ):
            dialog.fields[name].set_value(value)
        type_over(qtbot, dialog.fields["rows"], "12")
        type_over(qtbot, dialog.fields["accept_error"], "2")
        type_over(qtbot, dialog.start_field, " x1 & x2 ")
        qtbot.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
        wanted = RunConfig(
            n=8, limit="n+1", deletion="subtree", functions="and", fitness="sampled", rows=12, sampler="counts",
            accept_error=2, empty_tree="insert-only", seed=254,
        )  # fmt: skip
        assert requests == [ShowRequest(run=wanted, start="x1 & x2")]


class TestWhatIsShown:
    def test_amounts_follow_what_is_typed(self, dialog, qtbot):
        assert dialog.amounts["limit"].text() == "= 9"
        type_over(qtbot, dialog.fields["n"], "16")
        assert dialog.amounts["limit"].text() == "= 17"
        type_over(qtbot, dialog.fields["limit"], "12")
        assert dialog.amounts["limit"].text() == ""
        dialog.fields["fitness"].choose("sampled")
        type_over(qtbot, dialog.fields["rows"], "n lg^2 n")
        assert dialog.amounts["rows"].text() == "= 256"

    def test_the_number_of_rows_follows_n(self, dialog, qtbot):
        assert dialog.fields["fitness"].currentText() == "all 256 rows"
        type_over(qtbot, dialog.fields["n"], "64")
        assert dialog.fields["fitness"].currentText() == "all 2⁶⁴ rows"
        type_over(qtbot, dialog.fields["n"], "x")
        assert dialog.fields["fitness"].currentText() == "all rows"

    def test_what_is_seldom_changed_is_there_on_demand(self, dialog):
        assert shown(dialog) == {"n", "limit", "deletion", "seed"}
        dialog.more_button.click()
        assert shown(dialog) > {"functions", "fitness", "accept_error", "empty_tree", "start"}
        dialog.more_button.click()
        assert shown(dialog) == {"n", "limit", "deletion", "seed"}

    def test_sampling_has_its_fields_only_where_rows_are_sampled(self, dialog):
        dialog.more_button.click()
        assert not shown(dialog) & {"rows", "sampler"}
        dialog.fields["fitness"].set_value("sampled")
        assert shown(dialog) > {"rows", "sampler"}
        assert dialog.request().run == LEAF.replaced(fitness="sampled", rows=100)

    def test_a_rare_setting_that_is_not_as_usual_is_seen_and_stays_while_somebody_changes_it(self, opened):
        dialog = opened(LEAF.replaced(accept_error=3), "x1 & x2")
        assert shown(dialog) == {"n", "limit", "deletion", "seed", "accept_error", "start"}
        dialog.fields["accept_error"].set_value("0")
        assert "accept_error" in shown(dialog)

    def test_a_rare_setting_that_is_wrong_is_seen(self, dialog):
        dialog.fields["accept_error"].set_value("x")
        assert "accept_error" in shown(dialog)
        assert problem(dialog, "accept_error")

    def test_everything_fits_the_screen_in_the_largest_type(self, opened):
        preferences = Preferences()
        preferences.font_size = FONT_SIZES[-1]
        ThemeManager(preferences, "projector").apply()
        dialog = opened(SAMPLED, "x1 & x2", SCRIPT)
        dialog.more_button.click()
        for name in ("n", "limit", "seed", "accept_error"):
            dialog.fields[name].set_value("nonsense")
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        assert dialog.screen().availableGeometry().height() > dialog.height()
        assert dialog.buttons.geometry().bottom() < dialog.height()


class TestFields:
    @pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
    def test_a_field_keeps_the_focus_when_its_list_is_closed(self, dialog, qtbot):
        field = dialog.fields["deletion"]
        field.setFocus()
        field.showPopup()
        qtbot.keyClick(field.view(), Qt.Key.Key_Up)
        qtbot.keyClick(field.view(), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not field.view().isVisible())
        assert field.hasFocus()

    def test_the_arrow_keys_count(self, dialog, qtbot):
        field = dialog.fields["n"]
        qtbot.keyClick(field, Qt.Key.Key_Up)
        assert field.text() == "9"
        field.setText("0")
        qtbot.keyClick(field, Qt.Key.Key_Down)
        assert field.text() == "0"
        field.setText("x")
        qtbot.keyClick(field, Qt.Key.Key_Up)
        assert field.text() == "x"

    def test_the_wheel_scrolls_past_a_field_that_has_no_focus(self, dialog):
        turn_wheel(dialog.fields["deletion"], -120)
        assert dialog.fields["deletion"].value() == "leaf"
        dialog.fields["deletion"].setFocus()
        turn_wheel(dialog.fields["deletion"], -120)
        assert dialog.fields["deletion"].value() == "subtree"
