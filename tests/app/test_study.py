"""Looking closer: pages follow the cursor, and what they ask for is shown on the canvas until it moves."""

import math

import pytest

from gpviz.app.main_window import MainWindow
from gpviz.app.settings import Settings
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import Mutation, Operation, RunConfig, Side, parse
from gpviz.engine.enums import Function
from gpviz.explain.moment import moment_at
from gpviz.explain.query import parse_query
from gpviz.page_list import CURVES, PAGES
from gpviz.run.pause_rules import PauseRules

CONFIG = RunConfig(n=4, limit="8", seed=5)
START = "x1 & (x2 | x3)"
STUDY_PAGES = [info.name for info in PAGES if info.name != CURVES]


@pytest.fixture
def window(qtbot):
    settings = Settings()
    theme_manager = ThemeManager(settings, "light")
    window = MainWindow(settings, theme_manager)
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


def test_every_page_is_reached_by_its_action_and_by_its_tab(window, subtests):
    for name in (*STUDY_PAGES, CURVES):
        with subtests.test(name):
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
        said: list[str] = []
        window.study.told.connect(said.append)
        window.study.preview(self.MUTATION._replace(variable=9))
        assert not window.views.stage.canvas.picture.is_preview
        assert [sentence.partition(":")[0] for sentence in said] == ["variable"]

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


class TestPlaying:
    def test_looking_at_another_page_does_not_stop_the_run(self, window, qtbot):
        window.controller.set_rules(PauseRules(stuck=False, solved=False))
        window.controller.set_speed(math.inf)
        window.controller.play()
        for name in STUDY_PAGES:
            trigger(window, f"page_{name}")
            assert window.controller.is_playing
        qtbot.waitUntil(lambda: len(window.controller.history) > 500)
        window.controller.pause()

    def test_after_the_phases_of_the_next_iteration_the_run_is_shown_again(self, window, qtbot):
        stepped(window, qtbot, 1)
        trigger(window, "phase_down")
        while not window.study.phases.goes_on_next:
            trigger(window, "phase_down")
        with qtbot.waitSignal(window.controller.cursor_moved):
            trigger(window, "phase_down")
        trigger(window, "page_curves")
        assert window.views.stage.canvas.picture == moment_at(window.controller.history, 2)

    def test_space_asks_while_the_quiz_is_on(self, window, qtbot):
        trigger(window, "quiz")
        with qtbot.waitSignal(window.study.quiz.asked):
            trigger(window, "play")
        assert not window.controller.is_playing
        trigger(window, "page_function")  # the question stays in view
        assert window.views.stage.canvas.picture.is_verdict_hidden


class TestQueries:
    def test_the_find_page_is_typed_into_at_once(self, window):
        window.activateWindow()
        trigger(window, "page_find")
        assert window.focusWidget() is window.views.workbench.made("find").field

    def test_running_until_goes_to_what_is_recorded_first(self, window, qtbot):
        stepped(window, qtbot, 30)
        history = window.controller.history
        wanted = next(t for t in range(1, 31) if history.step_at(t).operation is Operation.DEL)
        window.controller.go_first()
        with qtbot.waitSignal(window.controller.cursor_moved):
            window.study._on_run_until(parse_query("mutation == DEL"))
        assert window.controller.cursor == wanted
        assert len(history) == 30

    def test_beyond_that_it_is_made(self, window, qtbot):
        window.controller.set_rules(PauseRules(stuck=False, solved=False))
        with qtbot.waitSignal(window.controller.paused_by) as told:
            window.study._on_run_until(parse_query("t == 700"))
        assert (window.controller.cursor, told.args) == (700, ["Iteration 700 is one with t == 700."])


class TestBranches:
    def test_a_mutation_applied_by_hand_makes_a_branch_and_undo_takes_it_back(self, window, qtbot):
        stepped(window, qtbot, 3)
        trigger(window, "page_hand")
        mutation = Mutation(Operation.INS, 0, 4, Function.AND, Side.LEFT)
        window.views.workbench.made("hand").mutation_requested.emit(mutation)
        assert window.controller.cursor == 4
        assert window.controller.history.step_at(4).mutation == mutation
        assert window.document.would_lose_something
        trigger(window, "undo")
        assert (window.controller.cursor, len(window.branch_controller.branches)) == (3, 1)
        assert not window.document.would_lose_something
        trigger(window, "redo")
        assert window.controller.history.step_at(4).mutation == mutation
        window.document.is_modified = False  # nobody is asked at the end

    def test_a_run_is_saved_and_opened_with_its_branches(self, window, qtbot, tmp_path):
        stepped(window, qtbot, 6)
        window.controller.go_to(4)
        assert window.branch_controller.fork_with(deletion="leaf")
        stepped(window, qtbot, 3)
        window.branch_controller.rename(1, "leaf only")
        shown = window.controller.history.fingerprint()
        assert window.file_controller._save_to(tmp_path / "branches.gpviz")
        assert not window.document.would_lose_something
        window.controller.start_run(CONFIG)
        with qtbot.waitSignal(window.file_controller.opened):
            window.open_file(tmp_path / "branches.gpviz")
        assert [branch.name for branch in window.branch_controller.branches][1:] == ["leaf only"]
        assert window.branch_controller.shown == 1
        assert window.controller.history.fingerprint() == shown
        assert window.controller.config.deletion == "leaf"
        assert not window.document.would_lose_something
        window.branch_controller.switch_to(0)
        assert (len(window.controller.history), window.controller.config.deletion) == (6, CONFIG.deletion)

    def test_an_earlier_larger_tree_is_judged_by_the_rules_it_lived_under(self, window, qtbot):
        window.controller.start_run(RunConfig(n=6, limit="inf", seed=2))
        stepped(window, qtbot, 120)
        history = window.controller.history
        leaves = [0 if tree is None else tree.leaves for tree in map(history.tree_at, range(121))]
        large = max(range(121), key=lambda t: leaves[t])
        small = next(t for t in range(large, 121) if leaves[t] < leaves[large])
        window.controller.go_to(small)
        assert window.branch_controller.fork_with(limit=str(leaves[small]))
        window.controller.go_to(large)
        for name in STUDY_PAGES:
            trigger(window, f"page_{name}")
            qtbot.waitUntil(lambda: window.is_calm)
        window.document.is_modified = False
