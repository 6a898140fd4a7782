"""Pages follow the cursor while they are on show, and what they ask for is seen on the tree until it moves."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from gpviz.engine import Mutation, Operation, RunConfig, Side
from gpviz.engine.enums import Function, Verdict
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import moment_at
from gpviz.explain.tree_state_text import PathStep
from gpviz.page_list import CURVES, PAGES
from gpviz.runs.pause_rules import PauseRules
from tests.app.page_window import PageWindow

STUDY_PAGES = [info.name for info in PAGES if info.name != CURVES]


@pytest.fixture
def window(qtbot):
    window = PageWindow()
    qtbot.addWidget(window)
    window.show()
    yield window
    window.end()


def test_a_page_is_told_the_cursor_only_while_it_is_on_show(window, qtbot, monkeypatch):
    page = window.drawer.page("rows")
    reported = []
    monkeypatch.setattr(page, "show_moment", lambda history, iteration: reported.append(iteration))
    window.step(2, qtbot)
    assert reported == []
    window.shown_page("rows")
    window.step(1, qtbot)
    assert (reported[0], reported[-1]) == (2, 3)


def test_of_a_fast_run_a_page_is_shown_some_moments_and_the_last(window, qtbot, monkeypatch):
    page = window.shown_page("rows")
    reported: list[int] = []
    monkeypatch.setattr(page, "show_moment", lambda history, iteration: reported.append(iteration))
    window.player.set_rules(PauseRules(stuck=False, solved=False))
    window.player.set_speed(math.inf)
    window.player.play()
    qtbot.waitUntil(lambda: len(window.player.run.history) > 500)
    assert 0 < len(set(reported)) < 500
    window.player.pause()
    qtbot.waitUntil(lambda: window.player.is_settled and reported[-1] == window.player.cursor)


def test_a_click_on_a_button_of_a_page_leaves_the_keyboard_where_it_is(window):
    page = window.shown_page("branches")
    assert page.show_button.focusPolicy() == Qt.FocusPolicy.TabFocus


class TestPreviews:
    MUTATION = Mutation(Operation.INS, 1, 4, Function.AND, Side.LEFT)

    def test_a_mutation_chosen_by_hand_is_shown_on_the_tree_and_goes_with_the_cursor(self, window, qtbot):
        window.step(1, qtbot)
        window.host.preview(self.MUTATION)
        assert window.canvas.moment.is_preview
        assert window.canvas.moment.step.mutation == self.MUTATION
        assert window.canvas.moment.tree is window.player.run.history.tree_at(1)
        window.step(1, qtbot)
        assert not window.canvas.moment.is_preview
        assert window.canvas.moment.iteration == 2

    def test_choosing_nothing_shows_the_run_again(self, window):
        window.host.preview(self.MUTATION)
        window.host.preview(None)
        assert not window.canvas.moment.is_preview

    def test_an_impossible_mutation_is_not_shown(self, window):
        window.host.preview(self.MUTATION._replace(variable=9))
        assert not window.canvas.moment.is_preview
        assert [sentence.partition(":")[0] for sentence in window.messages] == ["variable"]

    def test_another_page_shows_the_run_again(self, window):
        window.shown_page("neighbours")
        window.host.preview(self.MUTATION)
        window.shown_page("rows")
        assert not window.canvas.moment.is_preview

    def test_the_way_out_is_shown_step_by_step_and_left(self, window, qtbot):
        page = window.shown_page("proof")
        qtbot.waitUntil(lambda: page.proof is not None)
        page.proof = replace(page.proof, path=(PathStep(self.MUTATION, "", Verdict.NEUTRAL, 1),))
        page.walk.set_path([self.MUTATION])
        page.walk.go_to(0)
        assert window.canvas.moment.tree is window.player.run.history.start
        assert window.canvas.picture.banner.head == "The way out, at its start, not part of the run"
        page.walk.go_to(1)
        assert window.canvas.moment.step.mutation == self.MUTATION
        assert window.canvas.picture.banner.head == "The way out, after 1 of 1 mutation, not part of the run"
        page.walk.leave()
        assert window.canvas.moment == moment_at(window.player.run.history, 0)


class TestOverlays:
    def test_a_chosen_row_gives_every_node_its_value(self, window):
        window.shown_page("rows").grid.row_picked.emit(0b0011)  # x1 and x2
        overlay = window.canvas.overlay
        tree = window.player.run.history.start
        assert overlay.values[tree.uid] is True
        assert overlay.values[tree.right.right.uid] is False

    def test_another_page_takes_the_values_away(self, window):
        window.shown_page("rows").grid.row_picked.emit(0b0011)
        window.shown_page("proof")
        assert window.canvas.overlay is None

    def test_heat_is_on_the_tree_while_its_page_is_on_show(self, window, qtbot):
        page = window.shown_page("neighbours")
        page.heat_action.setChecked(True)
        qtbot.waitUntil(lambda: window.canvas.overlay is not None)
        assert set(window.canvas.overlay.heat) <= {
            node.uid for node in nodes_of(window.player.run.history.start)
        }
        assert window.canvas.overlay.title.startswith("Heat: mutating a node improves the tree in up to ")
        window.shown_page(CURVES)
        assert window.canvas.overlay is None


class TestNodes:
    def test_a_node_chosen_on_the_tree_is_the_one_to_mutate_by_hand(self, window):
        tree = window.player.run.history.start
        page = window.shown_page("hand")
        window.canvas.select(tree.right.uid)
        assert page.node.text() == "3"

    def test_one_chosen_before_the_page_was_shown_is_known_to_it(self, window):
        window.canvas.select(window.player.run.history.start.uid)
        assert window.shown_page("hand").node.text() == "1"

    def test_a_node_typed_on_the_page_is_chosen_on_the_tree(self, window):
        page = window.shown_page("hand")
        page.node.setText("3")
        page.node.textEdited.emit("3")
        assert window.canvas.selected_uid == window.player.run.history.start.right.uid

    def test_the_mouse_over_a_node_is_told_what_the_page_knows_of_it(self, window, qtbot, monkeypatch):
        page = window.shown_page("neighbours")
        said = []
        monkeypatch.setattr(page, "hover_text", lambda uid: f"about {uid}")
        monkeypatch.setattr(window.canvas, "set_hover_extra", lambda uid, text: said.append((uid, text)))
        window.canvas.node_hovered.emit(1)
        window.canvas.node_hovered.emit(None)
        assert said == [(1, "about 1")]


class TestPhases:
    def test_down_opens_the_iteration_and_shows_the_two_algorithms(self, window, qtbot):
        window.step(1, qtbot)
        window.quiz.next_phase()
        assert window.drawer.current == "inside"
        assert window.phases.current.index == 0
        assert window.canvas.moment.tree is window.player.run.history.start
        page = window.drawer.page("inside")
        assert page.telling.text() == f"{page.phases[0].heading}. {page.phases[0].sentence}"

    def test_the_node_of_which_a_phase_speaks_pulses(self, window, qtbot):
        window.step(1, qtbot)
        pulsing: set[int | None] = set()
        while not pulsing or not window.phases.goes_on_next:
            window.quiz.next_phase()
            wanted = window.phases.current.pulsing
            overlay = window.canvas.overlay
            assert (None if overlay is None else overlay.pulsing) == wanted
            pulsing.add(wanted)
        assert pulsing - {None}
        window.shown_page(CURVES)
        assert window.canvas.overlay is None

    def test_another_page_leaves_them(self, window, qtbot):
        window.step(1, qtbot)
        picture = window.canvas.moment
        window.quiz.next_phase()
        window.shown_page(CURVES)
        assert window.phases.current is None
        assert window.canvas.moment == picture

    def test_after_the_phases_of_the_next_iteration_the_run_is_shown_again(self, window, qtbot):
        window.step(1, qtbot)
        window.quiz.next_phase()
        while not window.phases.goes_on_next:
            window.quiz.next_phase()
        with qtbot.waitSignal(window.player.moment_changed):
            window.quiz.next_phase()
        window.shown_page(CURVES)
        assert window.canvas.moment == moment_at(window.player.run.history, 2)


class TestQuiz:
    def ask(self, window, qtbot):
        window.quiz.set_on(True)
        with qtbot.waitSignal(window.quiz.asked):
            window.quiz.next()

    def test_the_next_step_asks_first_and_then_shows_how_it_ended(self, window, qtbot):
        self.ask(window, qtbot)
        picture = window.canvas.moment
        assert picture.is_preview
        assert picture.is_verdict_hidden
        assert window.player.cursor == 0
        assert len(window.player.run.history) == 0  # neither curves nor timeline give it away
        with qtbot.waitSignal(window.quiz.answered):
            window.quiz.guess(True)
        assert window.player.cursor == 1
        step = window.player.run.history.step_at(1)
        assert window.quiz.score == (int(step.is_accepted), 1)
        assert window.canvas.moment.iteration == 1

    def test_switched_off_it_is_gone(self, window, qtbot):
        self.ask(window, qtbot)
        window.quiz.set_on(False)
        assert not window.canvas.moment.is_preview

    def test_the_question_stays_in_view_on_another_page(self, window, qtbot):
        self.ask(window, qtbot)
        window.shown_page("rows")
        assert window.canvas.moment.is_verdict_hidden


def test_looking_at_another_page_does_not_stop_the_run(window, qtbot):
    window.player.set_rules(PauseRules(stuck=False, solved=False))
    window.player.set_speed(math.inf)
    window.player.play()
    for name in STUDY_PAGES:
        window.shown_page(name)
        assert window.player.is_playing
    qtbot.waitUntil(lambda: len(window.player.run.history) > 500)
    window.player.pause()


def test_an_earlier_larger_tree_is_judged_by_the_rules_it_lived_under(window, qtbot):
    window.player.start_run(RunConfig(n=6, limit="inf", seed=2))
    window.step(50, qtbot)
    history = window.player.run.history
    leaves = [0 if tree is None else tree.leaves for tree in map(history.tree_at, range(51))]
    large = max(range(51), key=lambda t: leaves[t])
    small = next(t for t in range(large, 51) if leaves[t] < leaves[large])
    window.player.go_to(small)
    assert window.branch_controller.fork_with(limit=str(leaves[small]))
    window.player.go_to(large)
    for name in STUDY_PAGES:
        window.shown_page(name)
        qtbot.waitUntil(lambda: not window.tree.is_busy)


def test_phases_prove_nothing_for_a_page_that_is_not_on_show(window, qtbot, monkeypatch):
    page = window.shown_page("proof")
    window.player.go_next_accepted()
    qtbot.waitUntil(lambda: window.player.is_settled and window.player.cursor)
    window.shown_page("inside")
    looked_up = []
    monkeypatch.setattr(page, "_look_up", lambda: looked_up.append(page.iteration))
    for _ in range(3):
        window.phases.down()
    assert window.phases.current is not None
    window.phases.close_phases()
    assert looked_up == []
