"""Replaying the runs of a lecture in the background."""

from collections.abc import Mapping

import pytest

from gpviz.app.lecture.scene_player import RunPreloader
from gpviz.app.run.branch_controller import RecordedBranch
from gpviz.app.tasks import is_any_task_busy
from gpviz.lecture.lecture import Scene
from gpviz.runs import replay as replay_module
from tests.app.lecture.lectures import lecture, run_file, stuck_file, usual

Branches = Mapping[int, RecordedBranch]


@pytest.fixture
def preparing(qapp):
    made = []

    def begin(*arguments, **options) -> RunPreloader:
        made.append(RunPreloader(*arguments, **options))
        return made[-1]

    yield begin
    for preparer in made:
        preparer.close()


def all_of(preparer: RunPreloader, qtbot) -> dict[int, Branches]:
    found: dict[int, Branches] = {}
    preparer.run_ready.connect(found.__setitem__)
    preparer.start()
    qtbot.waitUntil(lambda: not is_any_task_busy())
    return found


def test_every_run_that_is_shown_is_replayed_the_first_scenes_first(preparing, qtbot):
    found = all_of(preparing(usual()), qtbot)
    assert list(found) == [0, 1]
    assert len(found[0][0].history) == 40
    assert found[1][0].stuck_since == 0
    assert list(all_of(preparing(usual(), 2), qtbot)) == [1, 0]


def test_a_run_that_nothing_shows_is_not_replayed(preparing, qtbot):
    talk = lecture(Scene(title="a", has_tree=False, text="Hello"), Scene(title="b", run=1))
    assert list(all_of(preparing(talk), qtbot)) == [1]


def test_what_somebody_waits_for_comes_first_and_nothing_is_lost(preparing, qtbot):
    talk = lecture(
        *(Scene(title="a", run=run) for run in range(3)), runs=(run_file(), stuck_file(), run_file(9))
    )
    preparer = preparing(talk)
    found: list[int] = []
    preparer.run_ready.connect(lambda run, _: found.append(run))
    preparer.want(2)
    preparer.start()
    preparer.want(2)
    preparer.want(7)
    qtbot.waitUntil(lambda: not is_any_task_busy())
    assert found == [2, 0, 1]
    found.clear()
    preparer = preparing(usual())
    preparer.run_ready.connect(lambda run, _: found.append(run))
    preparer.start()
    preparer.want(1)  # while another is replayed
    qtbot.waitUntil(lambda: not is_any_task_busy())
    assert found == [1, 0]


def test_it_tells_how_far_it_is(preparing, qtbot, monkeypatch):
    monkeypatch.setattr(replay_module, "_PROGRESS_ITERATIONS", 1)
    preparer = preparing(lecture(Scene(title="a"), runs=(run_file(4000),)))
    reports: list[str] = []
    preparer.progressed.connect(reports.append)
    preparer.start()
    qtbot.waitUntil(lambda: not is_any_task_busy())
    assert reports
    assert all(report.startswith("Run 1 of 1: ") for report in reports)
    assert all(report.endswith(" of 4,000 iterations") for report in reports)
