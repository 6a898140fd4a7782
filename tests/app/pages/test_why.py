"""The page Why: what it tells of a step, what it proves, and that a way out can be played, stepped and left."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, Signal

from gpviz.app.pages import why
from gpviz.app.pages.why import (
    HEADERS_ON_ALL_ROWS,
    IMPROVEMENT_HEADERS,
    LEAF_HEADERS,
    PATH_HEADERS,
    WhyPage,
)
from gpviz.engine import (
    UNICODE,
    GpvizError,
    RlsGp,
    RunConfig,
    State,
    Verdict,
    parse,
    simplified,
)
from gpviz.engine.interruption import Stopped
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.step_text import mutation_text
from gpviz.explain.tree_state_text import prove
from gpviz.explain.verdict_reason import reason_text
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset
from tests.runs.runs import STUCK, history_of, recorded, run_with_changed_rules, steps_of

LEAF = RunConfig(n=4, limit=4, deletion="leaf", seed=1)
SUBTREE = LEAF.replaced(deletion="subtree")
SAMPLED = LEAF.replaced(fitness="sampled", rows=9)
CONFIG = RunConfig(n=6, limit="7", seed=1)
SAMPLED_RUN = RunConfig(n=6, fitness="sampled", rows=20, seed=1)
ROOT_AND = "Insert ∧ x₃ above the whole tree (⇑ root-and)"
FIGURE = "(x1 & x2) | (x2 & x1)"
FLAT = "Flat: a way out in 2 steps"


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(why, "INTERVAL_MS", 1)


@pytest.fixture
def page(shown_page):
    return shown_page(WhyPage)


class Outlook(QObject):
    """What is found out about the step under the cursor."""

    step_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.step_text = ""

    def find(self, text: str) -> None:
        self.step_text = text
        self.step_changed.emit()


@pytest.fixture
def requests(page):
    """What the page asks of the window it stands in."""
    said: list[tuple[str, object]] = []

    def show_other(moment: Moment, caption: str) -> None:
        said.append(("path", (len(page.walk.mutations), page.walk.applied)))

    page.connect_to(
        SimpleNamespace(
            outlook_finder=Outlook(),
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


# What happened


def value(page, name):
    """A number of the iteration; None where it is not shown."""
    label = page.numbers.values[name]
    return label.text() if label.isVisible() else None


@pytest.fixture
def numbers(page):
    """The page with its numbers unfolded."""
    page.numbers_button.click()
    return page


def test_a_step_is_told_with_its_reason_and_what_the_tree_computes(page):
    search, _, history = recorded(CONFIG, 90)
    assert search.tree is not None
    page.show_moment(history, 90)
    moment = moment_at(history, 90)
    assert page.head.headline.text().lower() == mutation_text(moment).lower()
    assert page.head.line.text() == "Iteration 90"
    assert page.reason.text() == reason_text(moment)
    assert page.function.text() == simplified(search.tree, UNICODE)


def test_the_numbers_are_there_on_demand(page):
    search, steps, history = recorded(CONFIG, 90)
    assert search.tree is not None
    page.show_moment(history, 90)
    assert value(page, "nodes") is None
    page.numbers_button.click()
    assert value(page, "error") == f"{steps[-1].error} of 64 rows"
    assert value(page, "true_error") is None
    assert value(page, "leaves") == f"{search.tree.leaves} / 7"
    assert value(page, "ors") == str(search.tree.ors)
    assert value(page, "nodes") == str(search.tree.size)
    assert value(page, "accepted") == f"{search.accepted} ({100 * search.accepted / 90:.0f} %)"
    assert value(page, "improved") == str(search.improved)
    page.numbers_button.click()
    assert value(page, "nodes") is None


def test_every_iteration_shows_its_own_tree_and_verdict(numbers):
    _, steps, history = recorded(CONFIG, 150)
    for step in [*steps, *reversed(steps)]:
        numbers.show_moment(history, step.iteration)
        assert numbers.chip.words().endswith(step.verdict.replace("_", " "))
        if step.verdict is Verdict.UNCHANGED:
            assert numbers.reason_title.text() == "Why nothing changed"
        else:
            said = "accepted" if step.is_accepted else "rejected"
            assert numbers.reason_title.text() == f"Why it was {said}"
        assert value(numbers, "ors") == str(step.ors)
        assert value(numbers, "leaves") == f"{step.leaves} / 7"


def test_the_start_is_told(numbers):
    numbers.show_moment(recorded(CONFIG, 0)[2], 0)
    assert (numbers.head.headline.text(), numbers.head.line.text()) == ("The start", "The empty tree.")
    assert numbers.tree_title.isHidden()
    assert numbers.function.isHidden()
    assert numbers.chip.isHidden()
    assert numbers.reason.isHidden()
    assert value(numbers, "error") == "–"
    assert value(numbers, "accepted") == "0"
    assert value(numbers, "depth") == "0"


def test_a_sampled_run_shows_both_errors(numbers):
    history = recorded(SAMPLED_RUN, 3, parse("x1 & x2"))[2]
    numbers.show_moment(history, 0)
    assert numbers.numbers.names["error"].text() == "sampled error"
    assert value(numbers, "error") == "–"
    assert value(numbers, "true_error") == "0.2344"
    numbers.show_moment(history, 2)
    assert str(value(numbers, "error")).endswith(" of 20 rows")
    numbers.show_moment(recorded(CONFIG, 3)[2], 3)
    assert numbers.numbers.names["error"].text() == "error"
    assert value(numbers, "true_error") is None


def test_another_run_with_the_same_tree_has_its_own_numbers(numbers):
    start = parse("x1 & x2")
    numbers.show_moment(History(RunConfig(n=3, limit="2"), start), 0)
    numbers.show_moment(History(RunConfig(n=4, limit="inf"), start), 0)
    assert value(numbers, "leaves") == "2 / ∞"
    assert value(numbers, "error") == "3 of 16 rows"
    assert numbers.missing.text() == "x₃ and x₄ are missing: the value does not depend on them."


def test_the_texts_can_be_selected(numbers):
    numbers.show_moment(recorded(CONFIG, 20)[2], 20)
    for label in (numbers.reason, numbers.function, numbers.numbers.values["error"]):
        assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_a_long_run_is_counted_between_frames_and_a_growing_one_on(numbers, qtbot, monkeypatch):
    monkeypatch.setattr(why, "_COUNTED_AT_ONCE", 30)
    steps = steps_of(CONFIG, 140)
    history = history_of(CONFIG, steps[:100])
    for length in (100, 40, 140):
        for step in steps[len(history) : length]:
            history.append(step)
        numbers.show_moment(history, length)
        assert (value(numbers, "accepted") == "…") is (length != 40)
        qtbot.waitUntil(lambda: value(numbers, "accepted") != "…")
        accepted = sum(step.is_accepted for step in steps[:length])
        assert value(numbers, "accepted") == f"{accepted} ({100 * accepted / length:.0f} %)"
        improved = sum(step.verdict is Verdict.IMPROVED for step in steps[:length])
        assert value(numbers, "improved") == str(improved)
    others = steps_of(SAMPLED_RUN, 25)
    numbers.show_moment(history_of(SAMPLED_RUN, others), 25)
    assert value(numbers, "improved") == str(sum(step.verdict is Verdict.IMPROVED for step in others))


def test_an_outcome_that_is_hidden_is_not_told(numbers):
    _, _, history = recorded(CONFIG, 90)

    def told():
        return (
            numbers.head.headline.text(),
            numbers.reason.text(),
            numbers.function.text(),
            value(numbers, "accepted"),
            value(numbers, "leaves"),
        )

    before = {}
    for iteration in (19, 20):
        numbers.show_moment(history, iteration)
        before[iteration] = told()
    numbers.set_outcome_hidden(True)
    assert numbers.head.headline.text() == "Not yet decided"
    assert numbers.head.line.text() == "Iteration 20. The last phase shows how it ends."
    assert not numbers.chip.isVisible()
    assert told()[1] == ""
    assert told()[2:] == before[19][2:]
    numbers.set_outcome_hidden(False)
    assert numbers.chip.isVisible()
    assert told() == before[20]


def test_what_a_step_did_to_the_outlook_is_told_once_it_is_known_unless_its_end_is_hidden(page):
    text = "This step raises the chance to end stuck from 21 % to 100 %."
    found = Outlook()
    page.connect_to(SimpleNamespace(outlook_finder=found, leave_other=lambda: None))
    page.show_moment(recorded(CONFIG, 20)[2], 20)
    assert not page.outlook.isVisible()
    found.find(text)
    assert page.outlook.isVisible()
    assert page.outlook.text() == text
    page.set_outcome_hidden(True)
    assert not page.outlook.isVisible()
    page.set_outcome_hidden(False)
    assert page.outlook.isVisible()
    found.find("")
    assert not page.outlook.isVisible()


def test_the_limit_is_that_of_the_iteration_on_show(numbers):
    config, start = STUCK
    history = recorded(config, 20, start)[2].beginning(20, config.replaced(limit="2n"))
    for iteration, limit in ((19, 4), (20, 8), (19, 4)):
        numbers.show_moment(history, iteration)
        assert value(numbers, "leaves") == f"4 / {limit}"


def test_the_steps_of_a_script_are_told_with_their_probabilities(page, qtbot):
    preset = find_preset("theorem-1-played")
    search = RlsGp(preset.config, None, preset.script)
    history = History(preset.config, None, preset.script)
    history.extend([search.step() for _ in range(9)])
    page.show_moment(history, 2)
    assert page.script.text().endswith("with probability 1/24 ≈ 0.0417; all 2 steps with 1/96 ≈ 0.0104.")
    assert page.conclusion.isHidden()
    page.show_moment(history, 8)
    words = page.script.text()
    assert words.replace("\N{NO-BREAK SPACE}", " ").endswith("all 8 steps with 3.8 × 10⁻¹⁷.")
    assert " × " not in words  # a number stays on one line
    qtbot.waitUntil(lambda: not page.conclusion.isHidden())
    assert page.conclusion.text().startswith("The product is positive, so E[T] is infinite: some runs")
    page.show_moment(history, 9)
    assert page.script.isHidden()
    assert page.conclusion.isHidden()


def test_a_sampled_verdict_says_how_the_offspring_looks(page):
    _, steps, history = recorded(SAMPLED_RUN, 60)
    page.show_moment(history, 1)
    assert page.chip.words() == "▲ improved"  # a first leaf is compared with nothing
    worse = next(step.iteration for step in steps if step.verdict is Verdict.WORSE)
    page.show_moment(history, worse)
    assert page.chip.words() == "✕ looks worse"
    assert page.chip.accessibleName() == "Verdict: looks worse, rejected"
    _, steps, complete = recorded(CONFIG, 60)
    worse = next(step.iteration for step in steps if step.verdict is Verdict.WORSE)
    page.show_moment(complete, worse)
    assert page.chip.words() == "✕ worse"


# What is shown


@pytest.mark.parametrize(
    ("config", "formula", "title", "headers", "first_cells", "is_asked"),
    [
        (LEAF, FIGURE, "Stuck", LEAF_HEADERS, "leaf 1, x₁; +4; x₃: +2; only with its sibling", True),
        (LEAF, "x1 & x2", "Climbing", IMPROVEMENT_HEADERS, f"{ROOT_AND}; −2; 1.4 %", False),
        (SUBTREE, FIGURE, FLAT, PATH_HEADERS, "start; The tree on show; 3; ", False),
        (LEAF, "x1 & x2 & x3 & x4", "Solved", (), "", False),
        (SAMPLED, FIGURE, "Undecided", (), "", True),
        (SAMPLED, "x1 & x2", "Climbing", HEADERS_ON_ALL_ROWS, f"{ROOT_AND}; −2; 1.4 %", False),
        (LEAF, None, "Empty", IMPROVEMENT_HEADERS, "Plant x₁; –; 25 %", False),
    ],
)
def test_a_tree_is_proven_in_sentences_and_rows(
    page, qtbot, config, formula, title, headers, first_cells, is_asked
):
    prove_on(page, qtbot, config, formula)
    assert page.state.text() == title
    assert page.claim.text().replace("\N{NO-BREAK SPACE}", " ") == page.proof.claim
    assert page.arguments.texts == page.proof.argument
    assert page.table.listing.names == headers
    assert "; ".join(page.table.rows[0].cells if headers else ()) == first_cells
    assert page.play_button.isVisible() == (headers == PATH_HEADERS)
    assert page.what_if_button.isVisible() == is_asked


def test_what_cannot_be_proven_is_said_instead(page, qtbot, monkeypatch):
    def fail(*_):
        raise GpvizError("The tree is too tangled.")

    prove_on(page, qtbot, LEAF, FIGURE)
    monkeypatch.setattr(why, "prove", fail)
    page.show_moment(History(LEAF, parse("x1 & x2")), 0)
    qtbot.waitUntil(lambda: page.claim.text() == "The tree is too tangled.")
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
    assert page.position.text() == "1 of 2: Delete x₁ ∧ x₂. ≈\N{NO-BREAK SPACE}neutral, error 3."
    page.back_button.click()
    assert page.position.text() == "Before the way out: the tree on show."
    page.leave_button.click()
    assert requests[-2:] == [("path", (2, 0)), ("left", None)]
    assert page.position.isHidden()
    assert page.claim.text().startswith("No single mutation")
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
    assert page.position.text() == f"{page.proof.improvements[1].text}: error −2."
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
    assert page.what_if_button.isVisible()
    qtbot.waitUntil(lambda: page.proof is not None)
    assert page.state.text() == "What if: a way out"
    assert "not the run's own rule" in page.note.text()
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
            outlook_finder=Outlook(),
            leave_other=lambda: None,
            branch_controller=SimpleNamespace(fork_with=lambda **changes: asked.append(changes)),
        )
    )
    prove_on(page, qtbot, LEAF, FIGURE)
    assert page.try_button.isHidden()
    page.what_if_button.click()
    qtbot.waitUntil(lambda: page.proof is not None)
    assert page.try_button.isVisible()
    assert page.try_button.text() == "Allow deleting whole subtrees"
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
    for iteration, title in ((200, FLAT), (199, "Stuck"), (200, FLAT), (198, "Stuck")):
        page.show_moment(history, iteration)
        qtbot.waitUntil(lambda: page.proof is not None)
        assert page.state.text() == title
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
