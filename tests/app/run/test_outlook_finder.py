"""The outlook is worked out beside the run: of the step on show by itself, of the whole run while it is wanted."""

import math
from threading import Event, Thread

import pytest

from gpviz.app.player.player import Player
from gpviz.app.question import Question
from gpviz.app.run import outlook_finder
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.engine import RunConfig
from gpviz.explain.outlook_along_run import DECISIVE_RISE, Job, RunOutlook
from gpviz.runs.history import Generalisation
from tests.patience import PATIENCE_SECONDS
from tests.runs.runs import recorded

CONFIG = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
"""An improvement in iteration 8 makes this run stuck; the neutral step before it was dangerous already."""
FATAL = 8


@pytest.fixture
def player(qapp):
    made = Player.for_run(CONFIG)
    search, _, history = recorded(CONFIG, 40)
    made.adopt_run(search, history, Generalisation(), None)
    yield made
    made.close()


@pytest.fixture
def finder(player, monkeypatch):
    monkeypatch.setattr(outlook_finder, "_CALM_MS", 0)
    made = OutlookFinder(player)
    player.moment_changed.connect(made.follow)
    player.speed_changed.connect(made.follow)
    yield made
    made.close()


def is_at_rest(finder):
    return not finder.findChild(Question).is_busy


def test_a_step_that_makes_the_run_stuck_is_told_while_it_is_on_show(player, finder, qtbot):
    player.go_to(FATAL)
    qtbot.waitUntil(lambda: finder.step is not None)
    step = finder.step
    assert step.iteration == FATAL
    assert step.after.stuck == 1.0
    assert DECISIVE_RISE < step.rise < 0.9
    heard = []
    finder.step_changed.connect(lambda: heard.append(finder.step))
    player.step_forward()
    assert heard == [None]
    assert finder.step is None


def test_nothing_is_told_of_a_step_that_changes_no_tree_and_of_the_start(player, finder, qtbot):
    for iteration in (FATAL + 1, 0):
        player.go_to(iteration)
        qtbot.waitUntil(lambda: is_at_rest(finder))
        assert finder.step is None


def test_a_run_that_outruns_its_steps_is_not_held_up(player, finder, qtbot):
    player.go_to(FATAL)
    assert not is_at_rest(finder)
    player.set_speed(math.inf)
    player.play()
    assert finder.is_resting
    assert is_at_rest(finder)
    player.pause()
    player.go_to(FATAL)
    qtbot.waitUntil(lambda: finder.step is not None)


def test_what_pages_ask_for_waits_until_the_step_is_known(player, finder, qtbot, monkeypatch):
    order: list[str] = []
    has_begun, may_go_on, is_asked = Event(), Event(), Event()
    step_job = RunOutlook.step_job

    def slow(run, iteration):
        job = step_job(run, iteration)
        if job is not None:
            has_begun.set()
            assert may_go_on.wait(PATIENCE_SECONDS)
            order.append("step")
        return job

    monkeypatch.setattr(RunOutlook, "step_job", slow)
    player.go_to(FATAL)
    qtbot.waitUntil(has_begun.is_set)

    def work_for_page():
        order.append("page")
        is_asked.set()

    def should_stop():
        is_asked.set()
        return False

    asker = Thread(target=finder.work, args=(Job(work_for_page), should_stop))
    asker.start()
    try:
        assert is_asked.wait(PATIENCE_SECONDS)
    finally:
        may_go_on.set()
    asker.join()
    assert order[0] == "step"
    assert order[-1] == "page"


def test_another_run_begins_with_nothing_known(player, finder, qtbot):
    player.go_to(FATAL)
    qtbot.waitUntil(lambda: finder.step is not None)
    player.start_run(CONFIG.replaced(seed=1))
    assert finder.step is None
    assert finder.run_of(player.run.history).starts == [0]
    assert not finder.run_of(player.run.history).points()
