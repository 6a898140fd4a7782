"""A canvas on its way from what it shows to something else."""

import pytest

from gpviz.app.canvas.camera import WHOLE, Zoom
from gpviz.app.canvas.motion import Motion
from gpviz.picture.items import Enter, Item, Shape

HERE = (Item("node", Shape.DISC, (0.0, 0.0, 10.0)),)
THERE = (
    Item("node", Shape.DISC, (100.0, 0.0, 10.0)),
    Item("wave", Shape.DISC, (5.0, 5.0, 5.0), enter=Enter.FLASH),
)
AWAY = (Item("node", Shape.DISC, (100.0, 500.0, 10.0)),)


@pytest.fixture
def motion(qapp):
    made = Motion()
    made.go_to(HERE, WHOLE, 0)
    yield made
    made.stop()


def x_of(motion: Motion) -> float:
    return motion.items[0].points[0]


def test_it_ends_at_what_is_to_be_seen_at_rest(motion, qtbot):
    motion.go_to(THERE, Zoom(2.0), 150)
    assert motion.is_moving
    qtbot.waitUntil(lambda: not motion.is_moving)
    assert list(motion.items) == [THERE[0]]
    assert motion.zoom == Zoom(2.0)


def test_nobody_could_follow_a_very_short_one(motion):
    motion.go_to(THERE, WHOLE, 100)
    assert not motion.is_moving
    assert x_of(motion) == 100.0


def test_a_new_way_begins_where_everything_is(motion):
    motion.go_to(THERE, WHOLE, 10_000)
    motion._on_value_changed(0.3)
    on_the_way = x_of(motion)
    assert 0.0 < on_the_way < 100.0
    motion.go_to(HERE, WHOLE, 10_000)
    motion._on_value_changed(0.001)
    assert x_of(motion) == pytest.approx(on_the_way, abs=1.0)
    motion.finish()
    assert x_of(motion) == 0.0


def test_the_end_of_a_way_may_change(motion):
    motion.change_to(THERE, WHOLE)
    assert x_of(motion) == 100.0
    motion.go_to(HERE, WHOLE, 10_000)
    motion.change_to(AWAY, Zoom(3.0))
    assert motion.is_moving
    motion.finish()
    assert list(motion.items) == list(AWAY)
    assert motion.zoom == Zoom(3.0)


def test_a_zoom_may_glide_while_nothing_else_moves(motion):
    motion.go_to(HERE, Zoom(4.0), 10_000)
    motion._on_value_changed(0.3)
    assert 1.0 < motion.zoom.scale < 4.0
    assert list(motion.items) == list(HERE)
