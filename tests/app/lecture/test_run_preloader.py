"""Replaying the runs of a lecture in the background."""

import threading
from dataclasses import replace

import pytest

from gpviz.app.lecture import run_preloader
from gpviz.app.lecture.run_preloader import RunPreloader
from gpviz.app.lecture.scene_player import ReadyBranch
from gpviz.lecture.lecture import Scene
from gpviz.runs import replay as replay_module
from gpviz.runs.replay import replay_all
from tests.app.lecture.lectures import branched_file, lecture, run_file, stuck_file, usual
from tests.patience import PATIENCE_SECONDS

Branches = tuple[ReadyBranch, ...]
BROKEN = replace(run_file(), fingerprint="sha256:" + "0" * 64)


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
    qtbot.waitUntil(lambda: not preparer.is_busy)
    return found


def test_every_run_that_is_shown_is_replayed_the_first_scenes_first(preparing, qtbot):
    found = all_of(preparing(usual()), qtbot)
    assert list(found) == [0, 1]
    assert len(found[0][0].recorded.history) == 40
    assert found[1][0].recorded.stuck_since == 0
    assert list(all_of(preparing(usual(), 2), qtbot)) == [1, 0]


def test_a_run_comes_with_all_its_branches(preparing, qtbot):
    talk = lecture(Scene(title="a", branch=2, last=90), runs=(branched_file(),))
    (branches,) = all_of(preparing(talk), qtbot).values()
    assert [len(each.recorded.history) for each in branches] == [120, 100, 90, 80]


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
    qtbot.waitUntil(lambda: not preparer.is_busy)
    assert found == [2, 0, 1]


def test_a_run_can_be_wanted_while_another_is_replayed(preparing, qtbot):
    preparer = preparing(usual())
    found: list[int] = []
    preparer.run_ready.connect(lambda run, _: found.append(run))
    preparer.start()
    preparer.want(1)
    qtbot.waitUntil(lambda: not preparer.is_busy)
    assert found == [1, 0]


def test_a_run_that_does_not_replay_is_reported_and_the_others_come_all_the_same(preparing, qtbot):
    talk = lecture(Scene(title="a"), Scene(title="b", run=1), runs=(BROKEN, stuck_file()))
    preparer = preparing(talk)
    problems: list[tuple[int, str]] = []
    preparer.failed.connect(lambda run, problem: problems.append((run, problem)))
    assert list(all_of(preparer, qtbot)) == [1]
    ((run, problem),) = problems
    assert run == 0
    assert "does not replay" in problem


def test_it_tells_how_far_it_is(preparing, qtbot, monkeypatch):
    monkeypatch.setattr(replay_module, "_PROGRESS_ITERATIONS", 1)
    may_go_on = threading.Event()

    def replayed_in_part(run, on_progress):
        def half_way(done: int, total: int) -> bool:
            is_cancelled = on_progress(done, total)
            if done == 2000:
                may_go_on.wait(PATIENCE_SECONDS)
            return is_cancelled

        return replay_all(run, half_way)

    monkeypatch.setattr(run_preloader, "replay_all", replayed_in_part)
    preparer = preparing(lecture(Scene(title="a"), runs=(run_file(4000),)))
    reports: list[tuple[int, int, int]] = []
    preparer.progressed.connect(lambda *progress: reports.append(progress))
    preparer.start()
    qtbot.waitUntil(lambda: (0, 2000, 4000) in reports)
    may_go_on.set()
    qtbot.waitUntil(lambda: not preparer.is_busy)


def test_closing_it_in_the_middle_ends_the_thread(preparing, qtbot):
    preparer = preparing(lecture(Scene(title="a"), runs=(run_file(4000),)))
    preparer.start()
    preparer.close()
    assert not preparer.is_busy
    preparer.start()
    assert not preparer.is_busy
