"""The page Why: what it tells of a step, what it proves, and that a way out can be played, stepped and left."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from gpviz.app.pages import why
from gpviz.app.pages.why import (
    HEADERS_ON_ALL_ROWS,
    IMPROVEMENT_HEADERS,
    LEAF_HEADERS,
    PATH_HEADERS,
    WhyPage,
)
from gpviz.engine import GpvizError, RunConfig, State, parse
from gpviz.engine.interruption import Stopped
from gpviz.explain.moment import Moment
from gpviz.explain.tree_state_text import prove
from gpviz.runs.history import History
from tests.runs.runs import recorded, run_with_changed_rules

LEAF = RunConfig(n=4, limit=4, deletion="leaf", seed=1)
SUBTREE = LEAF.replaced(deletion="subtree")
SAMPLED = LEAF.replaced(fitness="sampled", rows=9)
ROOT_AND = "Insert ∧ x₃ at the root (⇑ root-and), on the left"
FIGURE = "(x1 & x2) | (x2 & x1)"


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(why, "INTERVAL_MS", 1)


@pytest.fixture
def page(shown_page):
    return shown_page(WhyPage)


@pytest.fixture
def requests(page):
    """What the page asks of the window it stands in."""
    said: list[tuple[str, object]] = []

    def show_other(moment: Moment, caption: str) -> None:
        said.append(("path", (len(page.walk.mutations), page.walk.applied)))

    page.connect_to(
        SimpleNamespace(
            show_other=show_other,
            leave_other=lambda: said.append(("left", None)),
            select_node=lambda uid: said.append(("node", uid)),
        )
    )
    return said


def prove_on(page, qtbot, config, formula):
    history = History(config, None if formula is None else parse(formula))
    page.show_moment(history, 0)
    qtbot.waitUntil(lambda: page.proof is not None)
    return history


def cells(page, column):
    return [row.cells[column] for row in page.table.rows]


# What is shown


@pytest.mark.parametrize(
    ("config", "formula", "title", "headers", "first_cells", "is_open"),
    [
        (LEAF, FIGURE, "Stuck", LEAF_HEADERS, "leaf 1, x₁; +4; x₃: +2; only with its sibling", True),
        (LEAF, "x1 & x2", "Climbing", IMPROVEMENT_HEADERS, f"{ROOT_AND}; −2; 0.69 %", True),
        (SUBTREE, FIGURE, "On a plateau", PATH_HEADERS, "start; The tree on show; 3; ", False),
        (LEAF, "x1 & x2 & x3 & x4", "Solved", (), "", False),
        (SAMPLED, FIGURE, "Undecided", (), "", True),
        (SAMPLED, "x1 & x2", "Climbing", HEADERS_ON_ALL_ROWS, f"{ROOT_AND}; −2; 0.69 %", True),
        (LEAF, None, "Empty", IMPROVEMENT_HEADERS, "Plant x₁; –; 25 %", False),
    ],
)
def test_a_tree_is_proven_in_sentences_and_rows(
    page, qtbot, config, formula, title, headers, first_cells, is_open
):
    prove_on(page, qtbot, config, formula)
    assert page.argument.state.text() == title
    assert page.argument.claim.text() == page.proof.claim
    assert all(text in page.argument.arguments.text() for text in page.proof.argument)
    assert page.table.listing.names == headers
    assert "; ".join(page.table.rows[0].cells if headers else ()) == first_cells
    assert page.play_button.isVisible() == (headers == PATH_HEADERS)
    assert page.what_if_button.isEnabled() == is_open


def test_what_cannot_be_proven_is_said_instead(page, qtbot, monkeypatch):
    def fail(*_):
        raise GpvizError("The tree is too tangled.")

    prove_on(page, qtbot, LEAF, FIGURE)
    monkeypatch.setattr(why, "prove", fail)
    page.show_moment(History(LEAF, parse("x1 & x2")), 0)
    qtbot.waitUntil(lambda: page.argument.claim.text() == "The tree is too tangled.")
    assert page.table.isHidden()


def test_a_hidden_page_stops_looking(page, qtbot, requests):
    prove_on(page, qtbot, SUBTREE, FIGURE)
    page.forward_button.click()
    page.hide()
    assert requests[-1] == ("left", None)
    assert not page.is_busy


# The way out


def test_the_way_out_is_stepped_forwards_and_backwards(page, qtbot, requests):
    prove_on(page, qtbot, SUBTREE, FIGURE)
    assert not page.back_button.isEnabled()
    assert not page.leave_button.isEnabled()
    for button in (page.forward_button, page.forward_button, page.back_button):
        button.click()
    assert requests == [("path", (2, 1)), ("path", (2, 2)), ("path", (2, 1))]
    assert page.table.currentIndex().row() == 1
    assert page.argument.claim.text() == (
        "1 of 2: Delete the ∧ (node 2) with the 2 leaves below it. ≈\N{NO-BREAK SPACE}neutral, error 3."
    )
    page.back_button.click()
    assert page.argument.claim.text() == "Before the way out: the tree on show."
    page.leave_button.click()
    assert requests[-2:] == [("path", (2, 0)), ("left", None)]
    assert page.argument.claim.text().startswith("No single mutation")
    assert not page.table.currentIndex().isValid()


def test_the_way_out_plays_to_its_end_and_once_more(page, qtbot, requests):
    prove_on(page, qtbot, SUBTREE, FIGURE)
    page.play_button.click()
    qtbot.waitUntil(lambda: ("path", (2, 2)) in requests)
    assert requests == [("path", (2, 1)), ("path", (2, 2))]
    qtbot.waitUntil(lambda: not page.walk.is_playing)
    assert page.play_button.text() == "Play the way out"
    requests.clear()
    page.play_button.click()
    qtbot.waitUntil(lambda: ("path", (2, 2)) in requests)
    assert requests == [("path", (2, 0)), ("path", (2, 1)), ("path", (2, 2))]


def test_the_keys_step_play_and_leave(page, qtbot, requests):
    prove_on(page, qtbot, SUBTREE, FIGURE)
    page.walk.timer.setInterval(100_000)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    qtbot.keyClick(page.table, Qt.Key.Key_Up)
    assert ("path", (2, 1)) in requests
    qtbot.keyClick(page.table, Qt.Key.Key_Up)
    for is_playing in (True, False):  # the first mutation follows at once
        qtbot.keyClick(page.table, Qt.Key.Key_Return)
        assert (page.walk.is_playing, page.walk.applied) == (is_playing, 1)
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    assert requests[-1] == ("left", None)
    assert not page.walk.is_playing
    qtbot.keyClick(page, Qt.Key.Key_Escape)  # nothing to leave
    assert requests.count(("left", None)) == 1


def test_an_improving_mutation_is_shown_when_it_is_chosen(page, qtbot, requests):
    prove_on(page, qtbot, LEAF, "x1 & x2")
    for _ in range(2):  # the second time it is on show already
        page.table.row_chosen.emit(0)
    page.table.row_chosen.emit(1)
    assert requests == [("path", (1, 1)), ("path", (1, 1))]
    assert page.walk.mutations == [page.proof.improvements[1].mutation]
    assert page.argument.claim.text() == f"{page.proof.improvements[1].text}: error −2."
    page.leave_button.click()
    assert requests[-1] == ("left", None)


def test_a_leaf_is_pointed_at(page, qtbot, requests):
    prove_on(page, qtbot, LEAF, FIGURE)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    assert requests[-1] == ("node", page.proof.leaves[page.table.currentIndex().row()].uid)


def test_another_iteration_leaves_the_path(page, qtbot, requests):
    _, _, history = recorded(SUBTREE, 1, parse(FIGURE))
    page.show_moment(history, 0)
    qtbot.waitUntil(lambda: page.proof is not None)
    page.forward_button.click()
    page.show_moment(history, 0)
    assert page.walk.is_looking  # the same moment
    page.show_moment(history, 1)
    assert requests[-1] == ("left", None)


# What if


def test_subtree_deletion_opens_a_way_out(page, qtbot, requests):
    prove_on(page, qtbot, LEAF, FIGURE)
    own = page.proof
    page.what_if_button.click()
    assert page.what_if_button.isEnabled()
    qtbot.waitUntil(lambda: page.proof is not None)
    assert page.argument.state.text() == "What if: a way out"
    assert "not the run's own rule" in page.argument.note.text()
    assert cells(page, 0) == ["start", "1", "2"]
    assert page.proof.config == SUBTREE
    page.forward_button.click()
    assert requests == [("path", (2, 1))]
    assert page.what_if_button.text() == "Back to leaf deletion"
    page.what_if_button.click()
    assert requests[-1] == ("left", None)
    assert page.proof is own
    assert page.proof.config == LEAF


def test_the_rule_that_was_asked_about_can_be_tried_in_a_branch(page, qtbot):
    asked: list[dict[str, Any]] = []
    page.connect_to(
        SimpleNamespace(
            leave_other=lambda: None,
            branch_controller=SimpleNamespace(fork_with=lambda **changes: asked.append(changes)),
        )
    )
    prove_on(page, qtbot, LEAF, FIGURE)
    assert page.try_button.isHidden()
    page.what_if_button.click()
    qtbot.waitUntil(lambda: page.proof is not None)
    assert page.try_button.isVisible()
    assert page.try_button.text() == "Try this with subtree deletion"
    page.try_button.click()
    assert asked == [{"deletion": "subtree"}]


def test_the_question_ends_with_the_tree(page, qtbot):
    prove_on(page, qtbot, LEAF, FIGURE)
    page.what_if_button.click()
    qtbot.waitUntil(lambda: page.proof is not None)
    prove_on(page, qtbot, LEAF, "x1 & x2")
    assert not page.what_if_button.isChecked()
    assert not page.proof.is_what_if


# Looks


def test_a_tree_is_proven_under_the_rules_of_the_iteration_on_show(page, qtbot):
    history = run_with_changed_rules()
    for iteration, title in ((200, "On a plateau"), (199, "Stuck"), (200, "On a plateau"), (198, "Stuck")):
        page.show_moment(history, iteration)
        qtbot.waitUntil(lambda: page.proof is not None)
        assert page.argument.state.text() == title
        assert page.what_if_button.isVisibleTo(page) == (title == "Stuck")
        assert page.proof.config.rules == history.rules_after(iteration)


def test_closing_while_a_tangled_tree_is_examined_waits_for_the_next_checkpoint_only(
    page, qtbot, monkeypatch
):
    """To examine it whole takes minutes."""
    begun = threading.Event()
    ends: list[Any] = []

    def watched(tree, config, should_stop):
        begun.set()
        try:
            ends.append(prove(tree, config, should_stop))
        except Stopped as stopped:
            ends.append(stopped)
            raise

    monkeypatch.setattr(why, "prove", watched)
    tangled = parse(" & ".join(f"(x{2 * index + 1} | x{2 * index + 2})" for index in range(50)))
    page.show_moment(History(RunConfig(n=100, limit="inf"), tangled), 0)
    qtbot.waitUntil(begun.is_set)
    page.shut_down()
    (end,) = ends
    assert isinstance(end, Stopped) or end.state.state is State.UNDECIDED
    assert page.proof is None
