"""Garbage is collected in the window's thread, and not while a run plays."""

import gc
from threading import Event

import pytest
from PySide6.QtCore import QObject

from gpviz.app.garbage_collection import GarbageCollection
from gpviz.app.player.player import Player
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import RunConfig


@pytest.fixture(autouse=True)
def _automatic_collection(monkeypatch):
    """As in the program before it has a window; otherwise garbage is collected between tests."""
    monkeypatch.setattr("gpviz.app.garbage_collection.gc", gc)
    gc.unfreeze()
    gc.enable()
    yield
    gc.disable()
    gc.freeze()


@pytest.fixture
def player(qapp):
    made = Player.for_run(RunConfig(n=6, seed=1))
    yield made
    made.close()


@pytest.fixture
def garbage_collection(player):
    made = GarbageCollection(player)
    yield made
    made.close()


class Knot:
    """Something that only the garbage collection can free."""

    def __init__(self) -> None:
        self.me = self


def knots() -> int:
    """How many there are, in whatever generation."""
    return sum(isinstance(thing, Knot) for thing in gc.get_objects())


def test_the_automatic_collection_rests_until_it_is_closed(player):
    assert gc.isenabled()
    garbage_collection = GarbageCollection(player)
    assert not gc.isenabled()
    garbage_collection.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_garbage_goes_while_nothing_plays(garbage_collection):
    Knot()
    assert knots() == 1
    garbage_collection.tidy_up()
    assert knots() == 0


def test_nothing_is_looked_through_while_a_run_plays(garbage_collection, player):
    player.play()
    before = gc.get_freeze_count()
    kept = [Knot() for _ in range(100)]
    garbage_collection.tidy_up()
    assert gc.get_freeze_count() >= before + len(kept)
    player.pause()


def test_nothing_is_looked_through_while_another_window_plays(player):
    window = QObject()
    player.setParent(window)
    garbage_collection = GarbageCollection(player, window)
    other = Player.for_run(RunConfig(n=6, seed=2), None, QObject(window))
    other.play()
    before = gc.get_freeze_count()
    kept = [Knot() for _ in range(100)]
    garbage_collection.tidy_up()
    assert gc.get_freeze_count() >= before + len(kept)
    other.close()
    garbage_collection.close()
    player.setParent(None)


def test_nothing_is_looked_through_while_something_is_worked_out(garbage_collection, qtbot):
    task, may_end = BackgroundTask("a long computation"), Event()
    task.ask(lambda _: may_end.wait())
    before = gc.get_freeze_count()
    kept = [Knot() for _ in range(100)]
    garbage_collection.tidy_up()
    may_end.set()
    assert gc.get_freeze_count() >= before + len(kept)
    qtbot.waitUntil(lambda: not task.is_busy)
    task.close()
