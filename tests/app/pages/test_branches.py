"""The page of branches: what it shows, and what is done on it to the branches of the run."""

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from gpviz.app.pages.branches import BranchesPage
from gpviz.app.run.branch_controller import BranchController, RecordedBranch
from gpviz.app.run.run_controller import RunController
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import RunConfig
from gpviz.explain.branch_comparison import status_of, summaries_of
from gpviz.runs.history import Generalisation
from tests.app.page_window import PageWindow
from tests.runs.branching import branched_run
from tests.runs.runs import recorded


@pytest.fixture(scope="module")
def run():
    return branched_run()


@pytest.fixture
def page(qtbot, run):
    made = BranchesPage()
    qtbot.addWidget(made)
    made.resize(1000, 230)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    made.set_branches(summaries(run), 1)
    made.show_moment(run.histories[1], 70)
    return made


@pytest.fixture
def branching(page, run):
    """The branches of the window that the page stands in; the cursor is in the middle of the first branch."""
    controller = RunController(run.branches[0].config)
    made: Any = BranchController(controller)
    recorded_branches = {
        number: RecordedBranch(history.beginning(len(history)), Generalisation())
        for number, history in run.histories.items()
    }
    made.adopt(run.branches, recorded_branches, 1)
    controller.go_to(70)
    made.stepped = []
    page.connect_to(
        SimpleNamespace(
            controller=controller,
            branch_controller=made,
            step_branches=lambda one, other: made.stepped.append((one, other)),
        )
    )
    yield made
    controller.close()


def ids(branching) -> list[int]:
    return [branch.id for branch in branching.branches]


def summaries(run):
    branches, histories = run
    return summaries_of(branches, {number: status_of(history) for number, history in histories.items()})


def texts(page: BranchesPage, row: int) -> list[str]:
    model = page.list.model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def click(button: QPushButton, qtbot) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_every_branch_has_a_row_and_the_one_on_show_is_marked(page, run):
    assert page.list.model().rowCount() == 4
    assert texts(page, 0)[:3] == ["Original", "start", "120"]
    assert texts(page, 1)[:3] == ["└ ▶ Branch at 40", "after 40", "100"]
    assert texts(page, 2)[0] == "    └ Branch at 60"
    index = page.list.model().index(1, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Branch at 40, on show"
    assert page.list.model().index(1, 2).data(Qt.ItemDataRole.AccessibleTextRole) == "iterations: 100"
    assert index.data(Qt.ItemDataRole.FontRole).bold()
    assert "F2" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert page.list.model().headerData(0, Qt.Orientation.Vertical) is None


def test_the_branch_on_show_is_selected_at_first(page):
    assert page.list.chosen_ids() == [1]
    assert not page.show_button.isEnabled()


def test_another_branch_is_put_on_show(page, branching, qtbot):
    for act in (
        lambda: click(page.show_button, qtbot),
        lambda: qtbot.keyClick(page.list, Qt.Key.Key_Return),
        lambda: page.list.doubleClicked.emit(page.list.model().index(0, 2)),
    ):
        branching.switch_to(1)
        page.list.select([0])
        act()
        assert branching.shown == 0


def test_a_name_is_edited_in_place(page, branching, qtbot):
    page.list.select([2])
    click(page.rename_button, qtbot)
    editor = page.list.findChild(QLineEdit)
    assert editor.text() == "Branch at 60"
    editor.setText(" mine ")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: branching.branches[2].name == "mine")
    assert texts(page, 2)[0] == "    └ mine"


def test_a_name_can_be_typed_while_the_branch_grows(page, qtbot, branching, run):
    branches, histories = run
    page.list.select([1])
    click(page.rename_button, qtbot)
    editor = page.list.findChild(QLineEdit)
    editor.setText("mine")
    _, _, longer = recorded(RunConfig(n=4, seed=1), 150)
    grown = {**histories, 1: longer}
    page.set_branches(
        summaries_of(branches, {number: status_of(history) for number, history in grown.items()}), 1
    )
    assert texts(page, 1)[2] == "150"
    assert editor.isVisible()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: branching.branches[1].name == "mine")


def test_a_name_that_is_none_is_refused_with_a_sentence(page, branching):
    index = page.list.model().index(2, 0)
    assert not page.list.model().setData(index, " ")
    assert page.problem.text().startswith("name: '' is not allowed; it must be a text of 1 to 80")
    assert page.list.model().setData(index, "Branch at 60")
    assert not branching.can_undo
    assert page.problem.isHidden()


def test_only_a_branch_can_be_removed(page, branching, qtbot):
    page.list.select([3])
    click(page.remove_button, qtbot)
    assert ids(branching) == [0, 1, 2]
    page.list.select([2])
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert ids(branching) == [0, 1]
    page.list.select([0])
    assert not page.remove_button.isEnabled()


def test_two_selected_branches_are_compared(page, branching, qtbot):
    told = branching.compare(0, 3)
    for _ in range(2):
        page.list.select([0, 3])
        click(page.compare_button, qtbot)
        assert page.comparison.summary.text() == told.summary
        assert page.comparison.cells[0] == ("", "Original", "Branch at 0")
        assert page.comparison.isVisible()
        click(page.comparison.close_button, qtbot)
        assert page.list.isVisible()


def test_one_selected_branch_is_compared_with_the_one_on_show_and_both_are_stepped(page, branching, qtbot):
    page.list.select([1])
    assert not page.compare_button.isEnabled()
    page.list.select([3])
    click(page.compare_button, qtbot)
    assert page.comparison.cells[0] == ("", "Branch at 40", "Branch at 0")
    click(page.comparison.step_button, qtbot)
    assert branching.stepped == [(1, 3)]


def test_a_comparison_stays_open_while_the_branch_on_show_grows(page, branching, run, qtbot):
    page.list.select([0, 3])
    click(page.compare_button, qtbot)
    page.show_moment(run.histories[1], 71)
    assert page.comparison.isVisible()
    branching.switch_to(3)  # another one on show ends it, as before
    assert page.list.isVisible()


def test_the_row_of_the_branch_on_show_follows_its_run(page, run):
    _, histories = run
    page.show_moment(histories[1].beginning(60), 55)
    assert texts(page, 1)[2] == "60"
    assert page.forms.heading.text() == "FORK HERE, AFTER ITERATION 55"


def test_what_is_selected_stays_selected(page, run):
    page.list.select([3])
    page.set_branches(summaries(run), 1)
    assert page.list.chosen_ids() == [3]
    page.set_branches(summaries(run), 2)
    assert page.list.chosen_ids() == [2]
    page.set_branches(summaries(run)[:1], 0)
    assert page.list.chosen_ids() == [0]


def test_undo_and_redo_work_when_there_is_something(page, branching, qtbot):
    assert not page.undo_button.isEnabled()
    assert not page.redo_button.isEnabled()
    branching.rename(2, "mine")
    click(page.undo_button, qtbot)
    assert branching.branches[2].name == "Branch at 60"
    click(page.redo_button, qtbot)
    assert branching.branches[2].name == "mine"


def test_before_it_stands_in_a_window_it_only_shows(page, qtbot):
    page.list.select([0])
    for button in page.findChildren(QPushButton):
        button.click()
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_Return):
        qtbot.keyClick(page.list, key)
    assert page.list.model().rowCount() == 4


class TestForks:
    def test_another_seed_makes_a_branch_however_large(self, page, branching, qtbot):
        for fork in (
            lambda: click(page.forms.seed_button, qtbot),
            lambda: qtbot.keyClick(page.forms.seed, Qt.Key.Key_Return),
        ):
            page.forms.seed.selectAll()
            qtbot.keyClicks(page.forms.seed, "9" * 40)
            fork()
            assert branching.branches[branching.shown].config.seed == int("9" * 40)
            assert branching.branches[branching.shown].fork == 70
            branching.undo()

    def test_the_seed_of_the_branch_itself_is_no_fork(self, page, branching, qtbot):
        page.forms.seed.selectAll()
        qtbot.keyClicks(page.forms.seed, "1")
        assert not page.forms.seed_button.isEnabled()
        qtbot.keyClick(page.forms.seed, Qt.Key.Key_Return)
        assert len(branching.branches) == 4

    @pytest.mark.parametrize("typed", ["", "-3", "1.5", "many"])
    def test_a_seed_that_is_none_is_explained_while_it_is_typed(self, page, qtbot, typed):
        page.forms.seed.selectAll()
        qtbot.keyClick(page.forms.seed, Qt.Key.Key_Delete)
        qtbot.keyClicks(page.forms.seed, typed)
        shown = typed if typed == "-3" else repr(typed)
        assert page.forms.problem.text().startswith(
            f"Seed: {shown} is not allowed; it must be a whole number"
        )
        assert page.forms.seed.property("role") == "wrong"
        assert not page.forms.seed_button.isEnabled()

    def test_only_what_is_different_is_asked_for(self, page, qtbot):
        assert not page.forms.changes_button.isEnabled()
        page.forms.limit.setEditText("none")
        with qtbot.waitSignal(page.forms.fork_requested) as fork:
            click(page.forms.changes_button, qtbot)
        assert fork.args == [{"limit": "inf"}]
        page.forms.deletion.set_value("leaf")
        with qtbot.waitSignal(page.forms.fork_requested) as fork:
            page.forms.limit.return_pressed.emit()
        assert fork.args == [{"limit": "inf", "deletion": "leaf"}]

    def test_other_settings_make_a_branch(self, page, branching, qtbot):
        page.forms.limit.setEditText("none")
        click(page.forms.changes_button, qtbot)
        branch = branching.branches[branching.shown]
        assert (branch.fork, branch.config.limit, branch.config.seed) == (70, "inf", 1)

    def test_a_limit_below_the_tree_is_explained(self, page):
        page.forms.limit.setEditText("1")
        assert page.forms.problem.text().startswith("Limit: '1' is not allowed; it must be at least")
        assert not page.forms.changes_button.isEnabled()
        page.forms.limit.setEditText("2n+")
        assert page.forms.problem.text().startswith("Limit: '2n+' is not allowed; it must be a number from 1")

    def test_the_forms_follow_the_configuration_on_show(self, page):
        page.forms.limit.setEditText("n+1")
        _, _, history = recorded(RunConfig(n=5, limit="inf", deletion="leaf", seed=8), 5)
        page.show_moment(history, 5)
        assert (page.forms.limit.currentText(), page.forms.deletion.value()) == ("none", "leaf")
        assert page.forms.seed.text() == "9"
        page.forms.limit.setEditText("n+1")
        page.show_moment(history, 4)
        assert page.forms.limit.currentText() == "n+1"

    def test_without_a_run_nothing_can_be_forked(self, qtbot):
        empty = BranchesPage()
        qtbot.addWidget(empty)
        assert not empty.forms.seed_button.isEnabled()


def test_in_a_narrow_page_the_forms_take_the_place_of_the_list(page, run, qtbot):
    assert page.fork_button.isHidden()
    page.resize(600, 170)
    assert (page.list.isVisible(), page.forms.isVisible()) == (True, False)
    click(page.fork_button, qtbot)
    assert (page.list.isVisible(), page.forms.isVisible()) == (False, True)
    page.set_branches(summaries(run), 1)
    page.show_moment(run.histories[1], 71)
    assert page.forms.isVisible()  # also while the branch on show grows
    click(page.forms.back_button, qtbot)
    assert page.list.isVisible()
    page.resize(1000, 170)
    assert page.forms.isVisible()


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_page_never_asks_for_more_room_than_there_is(page, name):
    theme = load_theme(name)
    page.setFont(theme.font())
    page.set_theme(theme)
    QApplication.processEvents()
    assert page.minimumSizeHint().width() <= 640
    assert page.minimumSizeHint().height() <= 150


def test_every_control_has_a_name_and_a_tip(page):
    forms = page.forms
    for control in (
        *page.findChildren(QPushButton), forms.seed, forms.limit, forms.deletion,
    ):  # fmt: skip
        assert control.accessibleName()
        assert control.toolTip()


class TestInAWindow:
    @pytest.fixture
    def window(self, qtbot):
        window = PageWindow()
        qtbot.addWidget(window)
        window.show()
        yield window
        window.end()

    def test_the_page_shows_what_is_done_to_the_branches_of_the_run(self, window, qtbot):
        window.step(4, qtbot)
        page = window.shown_page("branches")
        page.forms.fork_requested.emit({"deletion": "leaf"})
        assert page.list.model().rowCount() == 2
        assert window.branch_controller.shown == 1
        assert page.undo_button.isEnabled()
        click(page.undo_button, qtbot)
        assert page.list.model().rowCount() == 1

    def test_two_branches_are_stepped_elsewhere(self, window, qtbot):
        window.step(4, qtbot)
        page = window.shown_page("branches")
        page.forms.fork_requested.emit({"seed": 77})
        page.list.select([0])
        click(page.compare_button, qtbot)
        assert page.comparison.isVisible()
        click(page.comparison.step_button, qtbot)
        assert window.compared == [(1, 0)]
