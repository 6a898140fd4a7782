"""The page for mutations by hand: the mutation that is chosen, its verdict, what is refused, and recording."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from gpviz.app.pages.manual_mutation import ManualMutationPage
from gpviz.app.player.player import Player
from gpviz.app.run.branch_controller import BranchController
from gpviz.engine import Function, Mutation, Operation, RunConfig, Side, Verdict, parse
from gpviz.engine.mutation import deletion
from gpviz.engine.mutation_script import parse_script
from gpviz.engine.tree import node_at
from gpviz.explain.moment import preview_of
from gpviz.explain.step_text import VERDICT_WORDS, tell_preview
from gpviz.runs.history import History
from gpviz.runs.show_request import ShowRequest
from tests.runs.runs import recorded, run_with_changed_rules

CONFIG = RunConfig(n=4, limit="3")
LEAF = RunConfig(n=4, limit=4, deletion="leaf")
FIGURE = "(x1 & x2) | (x2 & x1)"
START = parse("x1 & (x2 | x3)")  # 1 ∧, 2 x1, 3 ∨, 4 x2, 5 x3


@pytest.fixture
def panel(shown_page):
    made = shown_page(ManualMutationPage)
    made.previews, made.applied, made.nodes, made.requests, made.messages = [], [], [], [], []
    made.connect_to(
        SimpleNamespace(
            preview=made.previews.append,
            branch_controller=SimpleNamespace(apply_by_hand=made.applied.append),
            select_node=made.nodes.append,
            show_run=made.requests.append,
            show_message=made.messages.append,
        )
    )
    return made


def put(panel: ManualMutationPage, config: RunConfig = CONFIG, start=START, node: int | None = 2) -> History:
    history = History(config, start)
    panel.show_moment(history, 0)
    panel.set_selected(node)
    return history


def type_into(field, text: str, qtbot) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)


def settled(panel: ManualMutationPage, qtbot) -> str:
    qtbot.waitUntil(lambda: panel.chip.isVisible() and not panel.is_busy)
    return panel.telling.text()


def test_it_says_what_the_preview_says(panel, qtbot):
    history = put(panel, CONFIG.replaced(limit="inf"))
    type_into(panel.variable, "4", qtbot)
    mutation = Mutation(Operation.INS, 2, 4, Function.AND, Side.LEFT)
    step = preview_of(history, 0, mutation).step
    assert step is not None
    assert settled(panel, qtbot) == tell_preview(step, START, history.config)
    assert panel.chip.words().endswith(step.verdict)
    assert panel.previews[-1] == mutation


def test_every_choice_is_part_of_the_mutation(panel, qtbot):
    put(panel, CONFIG.replaced(limit="inf"), node=5)
    qtbot.mouseClick(panel.function.buttons["or"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.side.buttons["right"], Qt.MouseButton.LeftButton)
    type_into(panel.variable, "3", qtbot)
    assert panel.mutation() == Mutation(Operation.INS, 5, 3, Function.OR, Side.RIGHT)
    qtbot.mouseClick(panel.operation.buttons["SUB"], Qt.MouseButton.LeftButton)
    assert panel.mutation() == Mutation(Operation.SUB, 5, 3, Function.OR, Side.LEFT)
    assert not panel.function.isEnabled()
    assert panel.variable.isEnabled()
    qtbot.mouseClick(panel.operation.buttons["DEL"], Qt.MouseButton.LeftButton)
    assert panel.mutation().operation is Operation.DEL
    assert not panel.variable.isEnabled()
    assert panel.previews[-1] == panel.mutation()


@pytest.mark.parametrize(
    ("operation", "node", "variable", "problem"),
    [
        ("INS", 1, "5", "Variable: 5 is not allowed; it must be from 1 to 4."),
        ("INS", 1, "y", "Variable: 'y' is not allowed; it must be a whole number from 1 to 4."),
        ("SUB", 3, "1", "Node: 3 (∨) is not allowed; it must be a leaf, as SUB replaces leaves only."),
        ("INS", 6, "1", "Node: 6 is not allowed; it must be from 1 to 5, the nodes of the tree."),
    ],
)
def test_what_can_never_be_drawn_is_explained(panel, qtbot, operation, node, variable, problem):
    put(panel, node=node)
    panel.operation.set_value(operation)
    type_into(panel.variable, variable, qtbot)
    assert panel.problem.text() == problem
    assert not panel.problem.isHidden()
    assert panel.telling.isHidden()
    assert not panel.apply_button.isEnabled()
    assert panel.previews[-1:] in ([None], [])  # nothing to take back if nothing was previewed
    qtbot.keyClick(panel.variable, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert panel.applied == []


def test_the_empty_tree_gets_its_first_leaf(panel, qtbot):
    put(panel, start=None, node=None)
    assert settled(panel, qtbot) == "Would be accepted: plant x₁, 7 wrong rows."
    assert not panel.node.isEnabled()
    assert panel.mutation().node == 1


def test_control_and_return_applies_it(panel, qtbot):
    put(panel)
    panel.variable.setFocus()
    qtbot.keyClick(panel.variable, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert panel.applied == [panel.mutation()] * 2


def test_a_typed_node_is_selected_on_the_canvas(panel, qtbot):
    put(panel, node=None)
    type_into(panel.node, "4", qtbot)
    assert panel.nodes == [node_at(START, 4).uid]
    assert [label.text() for label in panel.findChildren(QLabel) if label.buddy() is panel.node] == [
        "Node  x₂"
    ]
    panel.set_selected(4)
    assert panel.previews == [panel.mutation()]
    type_into(panel.node, "9", qtbot)
    assert panel.nodes == [node_at(START, 4).uid]


def test_moving_on_judges_anew_and_previews_nothing(panel, qtbot):
    _, _, history = recorded(RunConfig(n=4, seed=1), 40)
    panel.show_moment(history, 20)
    panel.set_selected(1)
    panel.previews.clear()
    headings = set()
    for iteration in (21, 30, 39):
        panel.show_moment(history, iteration)
        expected = preview_of(history, iteration, panel.mutation()).step
        assert expected is not None
        text = tell_preview(expected, history.tree_at(iteration), history.config)
        qtbot.waitUntil(lambda text=text: not panel.is_busy and panel.telling.text() == text)
        headings.add(panel.heading.text())
    assert headings == {"ITERATION 22 BY HAND", "ITERATION 31 BY HAND", "ITERATION 40 BY HAND"}
    assert panel.previews == []


def test_a_hidden_page_takes_its_preview_back(panel):
    put(panel)
    assert panel.previews[-1] is not None
    panel.hide()
    assert panel.previews[-1] is None
    panel.set_selected(3)
    assert panel.previews[-1] is None


def test_it_judges_by_the_rules_of_the_iteration_on_show(panel, qtbot):
    """The deletion of a subtree can be drawn after iteration 200, and not before."""
    history = run_with_changed_rules()
    panel.operation.set_value("DEL")
    for iteration, can_be_drawn in ((200, True), (199, False), (200, True)):
        panel.show_moment(history, iteration)
        panel.set_selected(2)
        assert panel.apply_button.isEnabled() == can_be_drawn
        assert panel.try_button.isHidden() == can_be_drawn
    assert "Would be " in settled(panel, qtbot)


# What leaf deletion does not allow


def test_deleting_a_subtree_under_leaf_deletion_is_offered_with_the_other_rule(panel, qtbot):
    put(panel, LEAF, parse(FIGURE), node=2)
    panel.operation.set_value("DEL")
    assert panel.telling.text() == (
        "This run deletes single leaves only. With subtree deletion, x₁ ∧ x₂ could go as a whole."
    )
    assert panel.problem.isHidden()
    assert panel.try_button.isVisible()
    assert not panel.apply_button.isEnabled()
    for node, operation in ((3, "DEL"), (1, "DEL"), (2, "SUB"), (2, "INS")):
        panel.set_selected(node)
        panel.operation.set_value(operation)
        assert panel.try_button.isHidden()
    put(panel, LEAF.replaced(deletion="subtree"), parse(FIGURE), node=2)
    panel.operation.set_value("DEL")
    assert panel.try_button.isHidden()
    assert panel.apply_button.isEnabled()


@pytest.fixture
def player(qapp):
    made = Player.for_run(LEAF, parse(FIGURE))
    yield made
    made.close()


@pytest.mark.parametrize("by_key", [True, False])
def test_trying_it_goes_on_in_a_branch_where_it_is_allowed_and_previews_it_there(
    shown_page, qtbot, player, by_key
):
    branches = BranchController(player)
    panel = shown_page(ManualMutationPage)
    previews: list[Mutation | None] = []
    nodes: list[int | None] = []
    panel.connect_to(
        SimpleNamespace(preview=previews.append, branch_controller=branches, select_node=nodes.append)
    )
    player.run_changed.connect(lambda: panel.show_moment(player.run.history, player.cursor))
    panel.show_moment(player.run.history, 0)
    panel.set_selected(2)
    panel.operation.set_value("DEL")
    if by_key:
        panel.node.setFocus()
        qtbot.keyClick(panel.node, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    else:
        panel.try_button.click()
    assert len(branches.summaries()) == 2
    assert branches.shown != 0
    assert player.run.history.config_after(player.cursor).has_subtree_deletion
    assert panel.mutation() == previews[-1] == deletion(2)
    assert nodes[-1] == node_at(player.run.history.tree_at(0), 2).uid
    assert panel.try_button.isHidden()
    assert panel.apply_button.isEnabled()
    settled(panel, qtbot)
    assert panel.chip.words().endswith(VERDICT_WORDS[Verdict.NEUTRAL])


# Scripts


def test_what_the_run_has_done_is_recorded_as_the_script_of_another_run(panel):
    config = RunConfig(n=4, limit="8", deletion="leaf", seed=3)
    history = recorded(config, 6)[2]
    panel.show_moment(history, 0)
    assert not panel.record_button.isEnabled()
    panel.show_moment(history, 5)
    script = history.recorded_script(5)
    panel.record_button.click()
    assert panel.requests == [ShowRequest(run=config, script=script)]
    panel.copy_button.click()
    assert parse_script(QGuiApplication.clipboard().text()) == script
    assert panel.messages == ["The script is on the clipboard."]
