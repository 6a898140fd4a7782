"""The outlook is worked out beside the run: of the step on show by itself, of the whole run while it is wanted."""

import math
from dataclasses import replace

import pytest

from gpviz.app.run.outlook_provider import OutlookProvider
from gpviz.app.run.run_controller import RunController
from gpviz.engine import RunConfig
from gpviz.explain.run_outlook import DECISIVE_RISE
from gpviz.runs.history import Generalisation
from tests.runs.runs import recorded

CONFIG = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
"""An improvement in iteration 8 makes this run stuck; the neutral step before it was dangerous already."""
FATAL = 8


@pytest.fixture
def controller(qapp):
    made = RunController(CONFIG)
    search, _, history = recorded(CONFIG, 40)
    made.adopt_run(search, history, Generalisation(), None)
    yield made
    made.close()


@pytest.fixture
def provider(controller):
    made = OutlookProvider(controller, calm_ms=0)
    yield made
    made.close()


def is_at_rest(provider):
    return not provider.is_busy


def test_a_step_that_makes_the_run_stuck_is_told_while_it_is_on_show(controller, provider, qtbot):
    controller.go_to(FATAL)
    qtbot.waitUntil(lambda: provider.told_step is not None)
    told = provider.told_step
    assert told.iteration == FATAL
    assert told.after.stuck == 1.0
    assert DECISIVE_RISE < told.rise < 0.9
    heard = []
    provider.step_told.connect(lambda: heard.append(provider.told_step))
    controller.step_forward()
    assert heard == [None]
    assert provider.told_step is None


def test_a_step_is_told_again_with_what_somebody_else_has_found_out(controller, provider, qtbot, monkeypatch):
    controller.go_to(FATAL)
    qtbot.waitUntil(lambda: provider.told_step is not None and is_at_rest(provider))
    told = provider.told_step
    better = told._replace(before=replace(told.before, stuck=0.5))
    monkeypatch.setattr(provider.run, "change_at", lambda _: better)
    provider.tell_step_again()
    assert provider.told_step == better


def test_nothing_is_told_of_a_step_that_changes_no_tree_and_of_the_start(controller, provider, qtbot):
    for iteration in (FATAL + 1, 0):
        controller.go_to(iteration)
        qtbot.waitUntil(lambda: is_at_rest(provider))
        assert provider.told_step is None


def test_nothing_is_told_under_rules_that_never_get_stuck(controller, provider, qtbot):
    config = CONFIG.replaced(deletion="subtree")
    search, _, history = recorded(config, 20)
    controller.adopt_run(search, history, Generalisation(), None)
    change = provider.run.starts[3]
    assert provider.run.step_job(change) is not None
    controller.go_to(change)
    qtbot.waitUntil(lambda: is_at_rest(provider))
    assert provider.run.change_at(change) is None  # nobody has looked into it


def test_a_run_that_outruns_its_steps_is_not_held_up(controller, provider, qtbot):
    controller.set_speed(math.inf)
    controller.play()
    provider.set_source(provider.run)
    assert not provider.is_busy
    controller.pause()
    assert provider.is_busy


def test_what_somebody_else_wants_to_know_is_worked_out_until_nobody_does(controller, provider, qtbot):
    provider.set_source(provider.run)
    qtbot.waitUntil(lambda: bool(provider.run.points()))
    provider.set_source(None)
    qtbot.waitUntil(lambda: is_at_rest(provider))


def test_another_run_begins_with_nothing_known(controller, provider, qtbot):
    controller.go_to(FATAL)
    qtbot.waitUntil(lambda: provider.told_step is not None)
    controller.start_run(CONFIG.replaced(seed=1))
    assert provider.told_step is None
    assert provider.run.starts == [0]
    assert not provider.run.points()
