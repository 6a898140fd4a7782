"""The stage follows the cursor: every tree is shown with what the rules of its iteration make of it."""

import pytest

from gpviz.app.canvas.stage import Stage
from gpviz.app.player.player import Player
from gpviz.app.view_sync import StageSync
from gpviz.engine import RunConfig
from gpviz.runs.branches import search_at
from gpviz.runs.history import Generalisation
from tests.runs.runs import run_with_changed_rules


@pytest.fixture
def controller(qapp):
    made = Player.for_run(RunConfig(n=4))
    yield made
    made.close()


@pytest.fixture
def stage(qtbot):
    made = Stage()
    qtbot.addWidget(made)
    yield made
    made.shut_down()


@pytest.fixture
def sync(controller, stage):
    made = StageSync(controller, stage)
    yield made
    made.close()


def put(controller, history):
    search = search_at(history, len(history))
    controller.adopt_run(search, history, Generalisation(), None)


def shown(sync, stage, qtbot):
    """The state on show once it is known: as it is remembered, and as the banner and the frame say."""
    qtbot.waitUntil(lambda: sync.analysis is not None and not sync.is_busy)
    return sync.analysis.state.name, stage.is_framed


def test_a_tree_is_judged_by_the_rules_of_the_iteration_on_show(controller, stage, sync, qtbot):
    put(controller, run_with_changed_rules())
    assert shown(sync, stage, qtbot) == ("PLATEAU", False)
    controller.go_to(199)
    assert shown(sync, stage, qtbot) == ("STUCK", True)
    controller.go_live()
    assert shown(sync, stage, qtbot) == ("PLATEAU", False)
    controller.step_back()
    assert shown(sync, stage, qtbot) == ("STUCK", True)
