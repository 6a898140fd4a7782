"""Branches on show: each goes on exactly where it was, and whatever was done can be undone and done again."""

import math
from typing import Any

import pytest

from gpviz.app.player.player import Player
from gpviz.app.run import branch_controller
from gpviz.app.run.branch_controller import BranchController
from gpviz.engine import Function, GpvizError, Mutation, Operation, RunConfig, Side, parse
from gpviz.explain.moment import preview_of
from gpviz.runs.branches import ORIGINAL, search_at
from gpviz.runs.history import Generalisation, History
from gpviz.runs.pause_rules import PauseRules
from gpviz.runs.run_file import Bookmark
from tests.runs.runs import STUCK, recorded, run_with_changed_rules

CONFIG = RunConfig(n=6, seed=1)
SAMPLED = RunConfig(n=6, fitness="sampled", rows=20, seed=1)
INSERT = Mutation(Operation.INS, 1, 2, Function.AND, Side.LEFT)
NEVER = PauseRules(stuck=False, solved=False)


@pytest.fixture
def player(player):
    player.set_rules(NEVER)
    return player


@pytest.fixture
def branching(player):
    put(player, CONFIG, 60)
    made: Any = BranchController(player)
    made.said = []
    made.problems = []
    made.reported.connect(made.said.append)
    made.problem_met.connect(made.problems.append)
    return made


def put(player: Player, config: RunConfig, iterations: int) -> None:
    search, _, history = recorded(config, iterations)
    player.adopt_run(search, history, Generalisation(), None)


def go_on(player: Player, count: int, qtbot) -> None:
    """Have the worker make so many iterations more."""
    for _ in range(count):
        with qtbot.waitSignal(player.moment_changed):
            player.step_forward()
    qtbot.waitUntil(lambda: player.is_settled)


def drawn(history: History, first: int, last: int) -> list[Mutation]:
    return [history.step_at(iteration).mutation for iteration in range(first, last + 1)]


def test_a_mutation_by_hand_makes_a_branch_that_shows_what_the_preview_said(branching, player, qtbot):
    player.go_to(30)
    preview = preview_of(player.run.history, 30, INSERT)
    with qtbot.waitSignal(branching.branches_changed):
        assert branching.apply_by_hand(INSERT)
    assert (branching.shown, player.cursor, len(player.run.history)) == (1, 31, 31)
    assert player.run.history.step_at(31) == preview.step
    assert branching.branches[1].forced == ((31, INSERT),)
    assert branching.said[-1].startswith("By hand in iteration 31: insert ∧ x₂ above ")


def test_afterwards_a_branch_draws_as_its_seed_says(branching, player, qtbot):
    player.go_to(30)
    original = player.run.history
    branching.apply_by_hand(INSERT)
    go_on(player, 10, qtbot)
    replayed = search_at(player.run.history, 31)
    assert drawn(player.run.history, 32, 41) == [replayed.step().mutation for _ in range(10)]
    assert len(original) == 60
    assert original.fingerprint() == recorded(CONFIG, 60)[2].fingerprint()


def test_at_the_end_of_a_branch_made_by_hand_it_is_gone_on_with(branching, player):
    player.go_to(30)
    for _ in range(3):
        branching.apply_by_hand(INSERT)
    assert len(branching.branches) == 2
    assert [iteration for iteration, _ in branching.branches[1].forced] == [31, 32, 33]
    player.go_to(32)
    branching.apply_by_hand(INSERT)
    assert (len(branching.branches), branching.branches[2].parent, branching.branches[2].fork) == (3, 1, 32)


def test_a_branch_is_gone_on_with_exactly_where_it_was_left(branching, player, qtbot):
    player.go_to(30)
    branching.fork_with(seed=5)
    go_on(player, 5, qtbot)
    player.go_to(33)
    branching.switch_to(ORIGINAL)
    assert (len(player.run.history), player.cursor) == (60, 30)
    player.go_live()
    go_on(player, 20, qtbot)
    assert player.run.history.fingerprint() == recorded(CONFIG, 80)[2].fingerprint()
    branching.switch_to(1)
    assert (len(player.run.history), player.cursor) == (35, 33)
    player.go_live()
    go_on(player, 10, qtbot)
    alone = search_at(recorded(CONFIG, 30)[2], 30, CONFIG.replaced(seed=5))
    assert drawn(player.run.history, 31, 45) == [alone.step().mutation for _ in range(15)]


def test_a_branch_left_at_full_speed_loses_nothing_that_would_be_drawn_otherwise(branching, player, qtbot):
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: len(player.run.history) > 2000)
    branching.fork_with(seed=5)
    assert not player.is_playing
    branching.switch_to(ORIGINAL)
    player.go_live()
    go_on(player, 30, qtbot)
    length = len(player.run.history)
    assert player.run.history.fingerprint() == recorded(CONFIG, length)[2].fingerprint()


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (lambda branching: branching.fork_with(limit="1"), "limit: '1' is not allowed; it must be at least"),
        (lambda branching: branching.fork_with(limit="no"), "limit: 'no' is not allowed"),
        (lambda branching: branching.fork_with(n=7), "'n' cannot change in a branch"),
        (lambda branching: branching.fork_with(seed=-1), "seed: -1 is not allowed"),
        (
            lambda branching: branching.apply_by_hand(INSERT._replace(variable=7)),
            "variable: 7 is not allowed",
        ),
        (lambda branching: branching.apply_by_hand(INSERT._replace(node=400)), "node: 400 is not allowed"),
        (lambda branching: branching.remove(ORIGINAL), "The original run cannot be removed"),
        (lambda branching: branching.remove(9), "Branch 9 no longer exists."),
        (lambda branching: branching.rename(ORIGINAL, " "), "name: ' ' is not allowed"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(branching, player, act, problem):
    history = player.run.history
    act(branching)
    assert len(branching.problems) == 1
    assert branching.problems[0].startswith(problem)
    assert (len(branching.branches), branching.undo_stack.canUndo(), player.run.history) == (
        1,
        False,
        history,
    )


def test_too_many_iterations_in_all_are_a_sentence(branching, monkeypatch):
    monkeypatch.setattr(branch_controller, "MAX_TOTAL_ITERATIONS", 100)
    assert not branching.fork_with(seed=2)
    assert "120 iterations, but at most 100 are allowed" in branching.problems[0]
    monkeypatch.setattr(branch_controller, "MAX_ITERATIONS", 60)
    assert not branching.fork_with(seed=2)
    assert branching.problems[1].startswith("iteration: 60 is the last one")


def test_names_are_changed_and_changed_back(branching):
    branching.rename(ORIGINAL, "Monday")
    branching.rename(ORIGINAL, "Monday")
    assert branching.branches[ORIGINAL].name == "Monday"
    branching.undo_stack.undo()
    assert (branching.branches[ORIGINAL].name, branching.undo_stack.canUndo()) == ("Original", False)
    branching.undo_stack.redo()
    assert branching.branches[ORIGINAL].name == "Monday"


def test_removing_the_branch_on_show_goes_to_its_parent(branching, player):
    player.go_to(30)
    branching.apply_by_hand(INSERT)
    branching.fork_with(seed=3)
    branching.remove(1)
    assert (len(branching.branches), branching.shown, player.cursor) == (1, ORIGINAL, 30)
    assert branching.said[-1] == (
        "“By hand at 31” and the branch that grew out of it are removed; Undo brings them back."
    )
    branching.undo_stack.undo()
    assert (len(branching.branches), branching.shown, len(player.run.history)) == (3, 2, 31)


def test_everything_is_undone_and_done_again_with_all_that_was_recorded(branching, player, qtbot):
    player.go_to(30)
    branching.apply_by_hand(INSERT)
    branching.apply_by_hand(INSERT)
    go_on(player, 7, qtbot)
    proof = player.run.history.fingerprint()
    branching.fork_with(seed=9)
    branching.switch_to(ORIGINAL)
    for expected in [(2, 39), (1, 39), (1, 31), (0, 30)]:
        branching.undo_stack.undo()
        assert (branching.shown, player.cursor) == expected
    assert (len(branching.branches), branching.undo_stack.canUndo(), len(player.run.history)) == (
        1,
        False,
        60,
    )
    branching.undo_stack.redo()
    assert (len(player.run.history), branching.branches[1].forced) == (31, ((31, INSERT),))
    branching.undo_stack.redo()
    assert (len(player.run.history), player.run.history.fingerprint()) == (39, proof)
    branching.undo_stack.redo()
    branching.undo_stack.redo()
    assert (branching.shown, branching.undo_stack.canRedo(), len(branching.branches)) == (ORIGINAL, False, 3)


def test_another_run_has_no_branches_yet(branching, player):
    branching.fork_with(seed=2)
    player.start_run(RunConfig(n=4))
    assert (
        [branch.config.n for branch in branching.branches],
        branching.shown,
        branching.undo_stack.canUndo(),
    ) == (
        [4],
        ORIGINAL,
        False,
    )
    assert branching.apply_by_hand(INSERT)
    assert player.run.history.tree_at(1) == parse("x2")


def test_being_stuck_is_inherited_with_the_settings_only(branching, player):
    player.run.stuck_since = 20
    player.go_to(10)
    branching.fork_with(seed=2)
    assert [player.run.stuck_since] == [None]
    branching.switch_to(ORIGINAL)
    player.go_to(40)
    branching.fork_with(seed=2)
    assert player.run.stuck_since == 20
    assert [each.status.outcome for each in branching.summaries()] == ["stuck", "open", "stuck"]
    branching.fork_with(deletion="leaf")
    assert [player.run.stuck_since] == [None]


def test_a_sampled_branch_has_its_parents_curve_up_to_the_fork(player, qtbot):
    start = parse("x1 & x2")
    player.start_run(SAMPLED, start)
    go_on(player, 40, qtbot)
    branching = BranchController(player)
    curve = player.run.generalisation
    player.go_to(20)
    branching.apply_by_hand(INSERT)
    common = [each for each in curve.iterations.tolist() if each <= 20]
    assert player.run.generalisation.iterations.tolist()[: len(common)] == common
    assert set(player.run.generalisation.iterations.tolist()) - set(common) <= {21}
    assert len(curve) >= len(common)


def test_a_bookmark_in_a_branch_that_is_gone_does_not_hold_up_saving(branching, player):
    branching.fork_with(seed=2)
    player.go_live()
    branching.undo_stack.undo()
    run_file = branching.describe([Bookmark(5, "here"), Bookmark(10**6, "gone")])
    assert run_file.bookmarks == (Bookmark(5, "here"),)


def test_before_a_fork_the_rules_of_then_hold_for_what_is_done_by_hand(player):
    """The preview, the branch that is made of it, and the settings it goes on with."""
    history = run_with_changed_rules()
    player.adopt_run(search_at(history, 200), history, Generalisation(), None)
    branches = BranchController(player)
    subtree = Mutation(Operation.DEL, 2, 1, Function.AND, Side.LEFT)
    problems: list[str] = []
    branches.problem_met.connect(problems.append)
    player.go_to(199)
    assert not branches.apply_by_hand(subtree)
    assert len(problems) == 1
    with pytest.raises(GpvizError):
        preview_of(history, 199, subtree)
    assert branches.apply_by_hand(INSERT)
    assert (player.run.config.deletion, branches.branches[1].config.deletion) == ("leaf", "leaf")
    branches.switch_to(ORIGINAL)
    player.go_to(200)
    assert branches.apply_by_hand(subtree)
    assert (player.run.config.deletion, branches.branches[2].config.deletion) == ("subtree", "subtree")


def test_a_fork_before_another_keeps_what_was_known_of_the_tree_under_its_rules(player):
    config = RunConfig(n=4, limit="n", deletion="leaf", seed=66)
    history = recorded(config, 200)[2]
    player.adopt_run(search_at(history, 200), history, Generalisation(), 150)
    branches = BranchController(player)
    assert branches.fork_with(deletion="subtree")
    assert [player.run.stuck_since] == [None]
    player.go_to(199)
    assert branches.fork_with(seed=7)
    assert [player.run.stuck_since] == [150]
    assert player.run.config == config.replaced(seed=7)


def test_rules_under_which_the_tree_is_stuck_are_noticed_where_they_begin(player, qtbot):
    config, start = STUCK
    history = recorded(config.replaced(deletion="subtree"), 0, start)[2].beginning(0)
    player.adopt_run(search_at(history, 0), history, Generalisation(), None)
    substitute = Mutation(Operation.SUB, 3, 1, Function.AND, Side.LEFT)
    branches = BranchController(player)
    assert branches.apply_by_hand(substitute)  # which leaves the tree as it is
    assert branches.fork_with(deletion="leaf")
    go_on(player, 1, qtbot)
    assert player.run.stuck_since == 1
