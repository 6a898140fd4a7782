"""Looking closer: pages follow the cursor, and what they ask for is shown on the canvas until it moves."""

import pytest

from gpviz.app.looks import Looks
from gpviz.app.main_window import MainWindow
from gpviz.app.pages import CURVES, STUDY_PAGES
from gpviz.app.settings import Settings
from gpviz.engine import Mutation, Operation, RunConfig, Side, parse
from gpviz.engine.words import Function

CONFIG = RunConfig(n=4, limit="8", seed=5)
START = "x1 & (x2 | x3)"


@pytest.fixture
def window(qtbot):
    settings = Settings()
    looks = Looks(settings, "light")
    looks.apply()
    window = MainWindow(settings, looks)
    qtbot.addWidget(window)
    window.resize(1400, 900)
    window.show()
    window.controller.start_run(CONFIG, parse(START, 4))
    yield window
    window.close()


def stepped(window, qtbot, count):
    for _ in range(count):
        with qtbot.waitSignal(window.controller.cursor_moved):
            window.controller.step_forward()


def trigger(window, name):
    window.actions_by_name[name].trigger()


@pytest.mark.parametrize("name", [CURVES, *STUDY_PAGES])
def test_every_page_is_reached_by_its_action_and_by_its_tab(window, name):
    window.actions_by_name["curves_panel"].setChecked(False)
    trigger(window, f"page_{name}")
    assert window.views.workbench.current == name
    assert window.views.workbench.made(name).isVisible()
    assert window.actions_by_name["curves_panel"].isChecked()


def test_a_page_is_told_the_cursor_only_while_it_is_on_show(window, qtbot, monkeypatch):
    page = window.views.workbench.page("function")
    told = []
    monkeypatch.setattr(page, "show_moment", lambda history, iteration: told.append(iteration))
    stepped(window, qtbot, 2)
    assert told == []
    trigger(window, "page_function")
    stepped(window, qtbot, 1)
    assert (told[0], told[-1]) == (2, 3)


class TestPreviews:
    MUTATION = Mutation(Operation.INS, 0, 4, Function.AND, Side.LEFT)

    def test_a_mutation_chosen_by_hand_is_shown_on_the_tree_and_goes_with_the_cursor(self, window, qtbot):
        stepped(window, qtbot, 1)
        canvas = window.views.stage.canvas
        window.study.preview(self.MUTATION)
        assert canvas.picture.is_preview
        assert canvas.picture.step.mutation == self.MUTATION
        assert canvas.picture.tree is window.controller.history.tree_at(1)
        stepped(window, qtbot, 1)
        assert not canvas.picture.is_preview
        assert canvas.picture.iteration == 2

    def test_choosing_nothing_shows_the_run_again(self, window):
        window.study.preview(self.MUTATION)
        window.study.preview(None)
        assert not window.views.stage.canvas.picture.is_preview

    def test_an_impossible_mutation_is_not_shown(self, window):
        window.study.preview(self.MUTATION._replace(variable=9))
        assert not window.views.stage.canvas.picture.is_preview

    def test_another_page_shows_the_run_again(self, window):
        trigger(window, "page_neighbours")
        window.study.preview(self.MUTATION)
        trigger(window, "page_rows")
        assert not window.views.stage.canvas.picture.is_preview


class TestRows:
    def test_a_chosen_row_gives_every_node_its_value(self, window):
        trigger(window, "page_rows")
        window.views.workbench.made("rows").choose_row(0b0011)  # x1 and x2
        overlay = window.views.stage.canvas.overlay
        tree = window.controller.history.start
        assert overlay.values[tree.uid] is True
        assert overlay.values[tree.right.right.uid] is False

    def test_another_page_takes_the_values_away(self, window):
        trigger(window, "page_rows")
        window.views.workbench.made("rows").choose_row(0b0011)
        trigger(window, "page_function")
        assert window.views.stage.canvas.overlay is None


class TestPhases:
    def test_down_opens_the_iteration_and_shows_the_two_algorithms(self, window, qtbot):
        stepped(window, qtbot, 1)
        trigger(window, "phase_down")
        assert window.views.workbench.current == "inside"
        assert window.study.phases.current.index == 0
        assert window.views.stage.canvas.picture.tree is window.controller.history.start

    def test_the_outcome_is_told_with_the_verdict_and_not_before(self, window, qtbot):
        stepped(window, qtbot, 1)
        told = window.views.step_panel.telling.text()
        phases: list[str] = []
        while not phases or phases[-1] != "verdict":
            trigger(window, "phase_down")
            view = window.study.phases.current
            phases.append(view.phase.value)
            assert (window.views.step_panel.telling.text() == told) == (phases[-1] == "verdict")
        assert phases[0] == "draw"

    def test_going_up_from_the_first_phase_leaves_them(self, window, qtbot):
        stepped(window, qtbot, 1)
        picture = window.views.stage.canvas.picture
        trigger(window, "phase_down")
        trigger(window, "page_curves")
        assert window.study.phases.current is None
        assert window.views.stage.canvas.picture == picture
        assert not window.views.stage.canvas.is_pair_shown


class TestQuiz:
    def test_the_next_step_asks_first_and_then_shows_how_it_ended(self, window, qtbot):
        trigger(window, "quiz")
        assert window.views.quiz.isVisible()
        with qtbot.waitSignal(window.study.quiz.asked):
            trigger(window, "next")
        picture = window.views.stage.canvas.picture
        assert picture.is_preview
        assert picture.is_verdict_hidden
        assert window.controller.cursor == 0
        assert len(window.controller.history) == 0  # neither curves nor timeline give it away
        with qtbot.waitSignal(window.study.quiz.answered):
            window.views.quiz.accepted.click()
        assert window.controller.cursor == 1
        step = window.controller.history.step_at(1)
        assert window.study.quiz.score == (int(step.is_accepted), 1)
        assert window.views.stage.canvas.picture.iteration == 1

    def test_switched_off_it_is_gone(self, window, qtbot):
        trigger(window, "quiz")
        with qtbot.waitSignal(window.study.quiz.asked):
            trigger(window, "next")
        trigger(window, "quiz")
        assert not window.views.quiz.isVisible()
        assert not window.views.stage.canvas.picture.is_preview


def test_a_page_to_study_gets_more_room_and_the_curves_get_theirs_back(window, qtbot):
    bench = window.views.workbench
    low = bench.height()
    trigger(window, "page_proof")
    high = bench.height()
    assert high > low
    trigger(window, "page_rows")
    assert bench.height() == high
    trigger(window, "page_curves")
    assert bench.height() == low
    trigger(window, "page_find")
    assert bench.height() == high
