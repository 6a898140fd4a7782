"""The outlook is worked out beside the run: of the step on show by itself, of the whole run while it is wanted."""

import math

import pytest

from gpviz.app.player.player import Player
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.engine import RunConfig
from gpviz.explain.outlook_along_run import DECISIVE_RISE
from gpviz.runs.history import Generalisation
from tests.runs.runs import recorded

CONFIG = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
"""An improvement in iteration 8 makes this run stuck; the neutral step before it was dangerous already."""
FATAL = 8


@pytest.fixture
def controller(qapp):
    made = Player.for_run(CONFIG)
    search, _, history = recorded(CONFIG, 40)
    made.adopt_run(search, history, Generalisation(), None)
    yield made
    made.close()


@pytest.fixture
def finder(controller):
    made = OutlookFinder(controller, calm_ms=0)
    yield made
    made.close()


def is_at_rest(finder):
    return not finder.is_busy


def test_a_step_that_makes_the_run_stuck_is_told_while_it_is_on_show(controller, finder, qtbot):
    controller.go_to(FATAL)
    qtbot.waitUntil(lambda: finder.step is not None)
    step = finder.step
    assert step.iteration == FATAL
    assert step.after.stuck == 1.0
    assert DECISIVE_RISE < step.rise < 0.9
    heard = []
    finder.step_changed.connect(lambda: heard.append(finder.step))
    controller.step_forward()
    assert heard == [None]
    assert finder.step is None


def test_nothing_is_told_of_a_step_that_changes_no_tree_and_of_the_start(controller, finder, qtbot):
    for iteration in (FATAL + 1, 0):
        controller.go_to(iteration)
        qtbot.waitUntil(lambda: is_at_rest(finder))
        assert finder.step is None


def test_a_run_that_outruns_its_steps_is_not_held_up(controller, finder, qtbot):
    controller.set_speed(math.inf)
    controller.play()
    finder.set_source(finder.run_of(controller.run.history))
    assert not finder.is_busy
    controller.pause()
    assert finder.is_busy


def test_what_somebody_else_wants_to_know_is_worked_out_until_nobody_does(controller, finder, qtbot):
    run = finder.run_of(controller.run.history)
    finder.set_source(run)
    qtbot.waitUntil(lambda: bool(run.points()))
    finder.drop_source(run)
    qtbot.waitUntil(lambda: is_at_rest(finder))


def test_another_run_begins_with_nothing_known(controller, finder, qtbot):
    controller.go_to(FATAL)
    qtbot.waitUntil(lambda: finder.step is not None)
    controller.start_run(CONFIG.replaced(seed=1))
    assert finder.step is None
    assert finder.run_of(controller.run.history).starts == [0]
    assert not finder.run_of(controller.run.history).points()
