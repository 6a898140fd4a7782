"""The page of branches: what it shows, and what is done on it to the branches of the run."""

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton

from gpviz.app.pages.branches import BranchesPage
from gpviz.app.player.player import Player
from gpviz.app.run.branch_controller import BranchController, RecordedBranch
from gpviz.runs.history import Generalisation
from tests.runs.branching import branched_run


@pytest.fixture(scope="module")
def run():
    return branched_run()


@pytest.fixture
def page(shown_page, run):
    made = shown_page(BranchesPage)
    made.show_moment(run.histories[1], 70)
    return made


@pytest.fixture
def branching(page, run):
    """The branches of the window that the page stands in; the cursor is in the middle of the first branch."""
    player = Player.for_run(run.branches[0].config)
    made: Any = BranchController(player)
    recorded_branches = {
        number: RecordedBranch(history.beginning(len(history)), Generalisation())
        for number, history in run.histories.items()
    }
    made.adopt(run.branches, recorded_branches, 1)
    player.go_to(70)
    made.stepped = []
    page.connect_to(
        SimpleNamespace(
            player=player,
            branch_controller=made,
            step_branches=lambda one, other: made.stepped.append((one, other)),
        )
    )
    yield made
    player.close()


def ids(branching) -> list[int]:
    return [branch.id for branch in branching.branches]


def texts(page: BranchesPage, row: int) -> list[str]:
    model = page.list.model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def click(button: QPushButton, qtbot) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_every_branch_has_a_row_and_the_one_on_show_is_marked(page, branching):
    assert page.list.model().rowCount() == 4
    assert texts(page, 0)[:3] == ["Original", "start", "120"]
    assert texts(page, 1)[:3] == ["└ ▶ Branch at 40", "after 40", "100"]
    assert texts(page, 2)[0] == "    └ Branch at 60"
    index = page.list.model().index(1, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Branch at 40, on show"


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
    assert not branching.undo_stack.canUndo()
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


@pytest.mark.parametrize(("chosen", "pair"), [([0, 3], (0, 3)), ([3], (1, 3))])
def test_two_branches_or_one_and_that_on_show_are_compared_and_stepped(page, branching, qtbot, chosen, pair):
    page.list.select([1])
    assert not page.compare_button.isEnabled()
    page.list.select(chosen)
    click(page.compare_button, qtbot)
    assert page.comparison.summary.text() == branching.compare(*pair).summary
    click(page.comparison.step_button, qtbot)
    assert branching.stepped == [pair]
    click(page.comparison.close_button, qtbot)
    assert page.list.isVisible()


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
            branching.undo_stack.undo()

    def test_a_seed_that_is_none_is_explained_while_it_is_typed(self, page, qtbot):
        page.forms.seed.selectAll()
        qtbot.keyClicks(page.forms.seed, "many")
        assert page.forms.problem.text() == "Seed: 'many' is not allowed; it must be a whole number from 0."
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
