"""What one could do now: which buttons there are, what they do, and what fits."""

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QVBoxLayout, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.player.player import Player
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.decisive_step_seeker import DecisiveStepSeeker
from gpviz.app.run.run_document import Document
from gpviz.app.what_now import WhatNow
from gpviz.engine import RunConfig, State, parse
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.show_request import ShowRequest

STUCK = RunConfig(n=4, limit="n+1", deletion="leaf", seed=66)
WANDERING = RunConfig(n=5, limit="n", deletion="leaf", seed=261)
SOLVED = RunConfig(n=4, limit="n+1", deletion="subtree", seed=1)
FIGURE = "(x1 & x2) | (x1 & x2)"
HINT = "Space plays, the arrow keys step, ? finds everything."


class Window(QWidget):
    """The tree of a run, and below it what one could do now."""

    def __init__(self, config: RunConfig, start: str = "", script: str = "") -> None:
        super().__init__()
        tree = parse(start, config.n) if start else None
        self.player = Player.for_run(config, tree, script=parse_script(script) if script else ())
        self.branches = BranchController(self.player)
        self.canvas = TreeCanvas()
        self.tree = TreePart(self.canvas, self)
        self.seeker = DecisiveStepSeeker(self.player, Document(), self)
        self.asked: list[object] = []
        self.what_now = WhatNow(
            self.player,
            self.tree,
            self.branches,
            self.seeker,
            play=self.player.play,
            next_seed=lambda: self.asked.append("next seed"),
            show_run=self.asked.append,
            show_page=self.asked.append,
        )
        self.view = MomentView(self.tree)
        self.player.moment_changed.connect(self._on_moment_changed)
        self.player.playing_changed.connect(lambda: self.what_now.set_playing(self.player.is_playing))
        layout = QVBoxLayout(self)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.what_now)
        self.resize(900, 500)
        self.view.follow(self.player)

    def _on_moment_changed(self, change: object) -> None:
        self.view.follow(self.player, change)
        self.what_now.follow()

    @property
    def shown(self) -> list[str]:
        """What stands there, from left to right."""
        find = self.what_now.findChildren
        parts: list[QAbstractButton | QLabel] = [*find(QAbstractButton), *find(QLabel)]
        texts = {part.x(): part.text() for part in parts if part.isVisible()}
        return [text for _, text in sorted(texts.items())]

    def end(self) -> None:
        self.what_now.shut_down()
        self.seeker.close()
        self.tree.close()
        self.player.close()
        self.canvas.shut_down()


@pytest.fixture
def show(qtbot):
    made: list[Window] = []

    def opened(config: RunConfig, start: str = "", script: str = "", *, plays: bool = True) -> Window:
        window = Window(config, start, script)
        made.append(window)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.windowHandle().isExposed())
        if plays:
            window.player.set_speed(math.inf)
            window.player.play()
            qtbot.waitUntil(lambda: not window.player.is_playing and window.player.cursor > 0)
        qtbot.waitUntil(lambda: not window.tree.is_busy)
        return window

    yield opened
    for window in made:
        window.end()


def test_a_stuck_tree_offers_its_proof_its_decisive_step_and_the_other_rule(show):
    window = show(STUCK)
    assert window.tree.state is State.STUCK
    assert window.shown == ["Why?", "Which step decided it?", "Allow deleting whole subtrees"]


def test_no_step_has_decided_a_run_that_was_stuck_from_the_start(show, qtbot):
    window = show(RunConfig(n=4, limit="4", deletion="leaf"), FIGURE, plays=False)
    assert window.shown == ["Why?", "Allow deleting whole subtrees"]
    window.player.step_forward()
    qtbot.waitUntil(lambda: window.player.run.stuck_since == 0)
    assert window.shown == ["Why?", "Allow deleting whole subtrees"]


def test_deleting_subtrees_is_not_offered_where_it_may_not_help(show):
    assert show(RunConfig(n=4, limit="1", deletion="leaf"), "x1", plays=False).shown == ["Why?"]
    assert show(RunConfig(n=4, limit="1"), "x1", plays=False).shown == ["Why?"]


@pytest.mark.parametrize(("deletion", "other"), [("subtree", "leaf"), ("leaf", "subtree")])
def test_a_solved_run_offers_another_seed_its_average_and_the_other_rule(show, deletion, other):
    window = show(SOLVED.replaced(deletion=deletion))
    assert window.tree.state is State.SOLVED
    average = "How long does it take on average?"
    assert window.shown == ["Again with another seed", average, f"Same seed with {other} deletion"]


def test_a_run_with_a_script_has_no_average_and_no_other_rule(show, qtbot):
    window = show(SOLVED, "x1 & (x2 & x3)", "insert and x4 at 1 left", plays=False)
    window.player.step_forward()
    qtbot.waitUntil(lambda: window.tree.state is State.SOLVED)
    assert window.shown == ["Again with another seed"]


def test_there_is_nothing_to_choose_while_a_tree_can_improve(show):
    assert show(SOLVED, plays=False).shown == []


def test_there_is_nothing_while_the_run_plays(show, qtbot):
    window = show(STUCK)
    window.player.set_speed(1.0)
    window.player.play()
    assert window.shown == []
    window.player.pause()
    qtbot.waitUntil(lambda: bool(window.shown))


def test_nothing_is_said_before_the_outcome_may_be_told(show):
    window = show(STUCK)
    window.what_now.set_outcome_hidden(True)
    assert window.shown == []
    window.what_now.set_outcome_hidden(False)
    assert window.shown[0] == "Why?"


def test_stepping_on_from_a_stuck_tree_leaves_the_buttons_where_they_are(show, qtbot):
    window = show(WANDERING)
    changes: list[object] = []
    window.tree.state_changed.connect(lambda: changes.append(window.tree.state))
    history, cursor = window.player.run.history, window.player.cursor
    for iteration in range(cursor + 1, cursor + 30):
        window.player.step_forward()
        qtbot.waitUntil(lambda at=iteration: window.player.cursor == at)
        assert window.shown[0] == "Why?"
    assert any(history.step_at(t).is_change for t in range(cursor + 1, cursor + 30))
    assert changes == []
    window.player.go_to(3)
    qtbot.waitUntil(lambda: window.shown == [])


def test_why_opens_the_proof(show):
    window = show(STUCK)
    window.what_now.why.click()
    assert window.asked == ["proof"]


def test_which_step_decided_it_goes_to_that_step(show, qtbot):
    window = show(STUCK)
    window.what_now.decisive_step.click()
    qtbot.waitUntil(lambda: not window.seeker.is_busy)
    assert window.player.cursor == 16


def test_deleting_subtrees_is_allowed_in_a_branch(show, qtbot):
    window = show(STUCK)
    at = window.player.cursor
    window.what_now.subtrees.click()
    assert len(window.branches.branches) == 2
    assert window.player.is_playing
    assert window.player.run.history.config_after(at).has_subtree_deletion
    qtbot.waitUntil(lambda: window.tree.state is State.PLATEAU or window.tree.state is State.CLIMBING)
    assert window.shown == []


def test_the_same_run_is_asked_for_with_the_other_rule(show):
    window = show(SOLVED, "x1 | x2")
    window.what_now.deletion.click()
    assert window.asked == [ShowRequest(run=SOLVED.replaced(deletion="leaf"), start="x1 | x2")]


def test_another_seed_is_what_the_window_makes_of_it(show):
    window = show(SOLVED)
    window.what_now.seed.click()
    assert window.asked == ["next seed"]


def test_the_average_stands_in_the_place_of_its_question_until_the_tree_is_another(show, qtbot):
    window = show(SOLVED)
    window.what_now.average.click()
    assert window.shown[1] == "Finding out …"
    qtbot.waitUntil(lambda: window.shown[1].endswith("on average (exact)"))
    assert window.shown[0::2] == ["Again with another seed", "Same seed with leaf deletion"]
    window.player.go_to(1)
    qtbot.waitUntil(lambda: window.shown == [])
    window.player.go_live()
    qtbot.waitUntil(lambda: "How long does it take on average?" in window.shown)


def test_an_average_that_cannot_be_computed_says_of_how_many_runs_it_is(show, qtbot):
    window = show(RunConfig(n=6, limit="2n", seed=1))
    window.what_now.average.click()
    qtbot.waitUntil(lambda: window.shown[1].endswith("iterations on average (1,000 runs)"))


@pytest.mark.parametrize("config", [STUCK, SOLVED], ids=["stuck", "solved"])
def test_what_does_not_fit_is_left_out_and_nothing_is_cut(show, config):
    window = show(config)
    everything, what_now = window.shown, window.what_now
    height = what_now.sizeHint().height()
    counts = []
    for width in range(900, 30, -10):
        what_now.resize(width, what_now.height())
        parts = [part for part in what_now.findChildren(QPushButton) if part.isVisible()]
        for part in parts:
            assert part.width() >= part.sizeHint().width()
            assert what_now.rect().contains(part.geometry())
        counts.append(len(parts))
        names = {part.x(): part.accessibleName() for part in parts}
        assert [name for _, name in sorted(names.items())] == everything[: len(parts)]
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], counts[-1]) == (3, 0)
    assert what_now.sizeHint().height() == height


def test_where_there_is_little_space_the_buttons_have_short_names(show):
    window = show(STUCK)
    least = sum(window.what_now.fontMetrics().horizontalAdvance(text) for text in window.shown)
    window.what_now.resize(least, window.what_now.height())  # too narrow for their edges
    assert window.shown == ["Why?", "Which step?", "Allow subtrees"]
    window.what_now.resize(900, window.what_now.height())
    assert window.shown == ["Why?", "Which step decided it?", "Allow deleting whole subtrees"]


def test_a_run_with_an_easier_goal_offers_another_seed_where_it_is_reached(show, qtbot):
    window = show(RunConfig(n=6, fitness="sampled", rows=20, accept_error=4, seed=1))
    window.player.go_live()
    assert window.shown == ["Again with another seed"]
    errors = [window.player.run.history.error_at(t) for t in range(1, window.player.cursor)]
    window.player.go_to(1 + errors.index(next(error for error in errors if error and error > 4)))
    qtbot.waitUntil(lambda: window.shown == [])


def test_a_long_answer_is_cut_before_it_goes_beyond_its_place(show, qtbot):
    window = show(SOLVED)
    window.what_now.average.click()
    qtbot.waitUntil(lambda: window.shown[1].endswith("(exact)"))
    window.what_now.resize(300, window.what_now.height())
    assert window.what_now.rect().contains(window.what_now.answer.geometry())
    assert window.what_now.answer.toolTip()


def test_after_a_click_the_keyboard_stays_where_it_was(show, qtbot):
    window = show(STUCK)
    window.activateWindow()
    window.canvas.setFocus()
    qtbot.mouseClick(window.what_now.why, Qt.MouseButton.LeftButton)
    assert window.canvas.hasFocus()
    assert all(
        button.focusPolicy() is Qt.FocusPolicy.TabFocus
        for button in (window.what_now.why, window.what_now.decisive_step, window.what_now.subtrees)
    )


@pytest.mark.parametrize("use", ["key", "click"])
def test_the_first_line_goes_with_the_first_key_or_click(show, qtbot, use):
    window = show(SOLVED, plays=False)
    window.what_now.set_first_line(HINT)
    assert window.shown == [HINT]
    qtbot.mouseMove(window.canvas)
    assert window.shown == [HINT]
    if use == "key":
        qtbot.keyClick(window.canvas, Qt.Key.Key_Space)
    else:
        qtbot.mouseClick(window.canvas, Qt.MouseButton.LeftButton)
    assert window.shown == []
