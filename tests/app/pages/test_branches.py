"""The page of branches: what it shows, and what is done on it to the branches of the run."""

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton

from gpviz.app.pages.branches import BranchesPage
from gpviz.app.player.player import Player
from gpviz.app.run.branch_controller import BranchController, RecordedBranch
from gpviz.explain.branch_comparison import status_of, summaries_of
from gpviz.runs.history import Generalisation
from tests.app.page_window import PageWindow
from tests.runs.branching import branched_run


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
    controller = Player.for_run(run.branches[0].config)
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
    expected = branching.compare(0, 3)
    for _ in range(2):
        page.list.select([0, 3])
        click(page.compare_button, qtbot)
        assert page.comparison.summary.text() == expected.summary
        assert (
            "<th align='left'>Original</th><th align='left'>Branch at 0</th>" in page.comparison.table.text()
        )
        assert page.comparison.isVisible()
        click(page.comparison.close_button, qtbot)
        assert page.list.isVisible()


def test_one_selected_branch_is_compared_with_the_one_on_show_and_both_are_stepped(page, branching, qtbot):
    page.list.select([1])
    assert not page.compare_button.isEnabled()
    page.list.select([3])
    click(page.compare_button, qtbot)
    assert (
        "<th align='left'>Branch at 40</th><th align='left'>Branch at 0</th>" in page.comparison.table.text()
    )
    click(page.comparison.step_button, qtbot)
    assert branching.stepped == [(1, 3)]


def test_undo_and_redo_work_when_there_is_something(page, branching, qtbot):
    assert not page.undo_button.isEnabled()
    assert not page.redo_button.isEnabled()
    branching.rename(2, "mine")
    click(page.undo_button, qtbot)
    assert branching.branches[2].name == "Branch at 60"
    click(page.redo_button, qtbot)
    assert branching.branches[2].name == "mine"


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

    def test_a_limit_below_the_tree_is_explained(self, page):
        page.forms.limit.setEditText("1")
        assert page.forms.problem.text().startswith("Limit: '1' is not allowed; it must be at least")
        assert not page.forms.changes_button.isEnabled()
        page.forms.limit.setEditText("2n+")
        assert page.forms.problem.text().startswith("Limit: '2n+' is not allowed; it must be a number from 1")


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
