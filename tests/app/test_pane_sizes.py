"""The division of a window: page beside or below the tree, no pane on another, the tree the last to yield."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize

from gpviz.app.pane_sizes import GAP, Arrangement, Division, Pane, arrangement_for, divide

ALL = frozenset(Pane)
LEAST = {
    Pane.SETTINGS: QSize(240, 100),
    Pane.TREE: QSize(260, 200),
    Pane.STRIP: QSize(100, 80),
    Pane.WORDS: QSize(220, 80),
    Pane.PAGE: QSize(320, 120),
}
ROOM = QRect(0, 0, 1800, 900)


def third(_pane: Pane, total: int) -> float:
    return total / 3


def divided(arrangement, *, room=ROOM, shown=ALL, wanted=third, tree_height=0) -> Division:
    return divide(room, arrangement, shown, LEAST, wanted, tree_height)


@pytest.mark.parametrize(
    ("size", "arrangement"),
    [
        ((1920, 1080), Arrangement.BESIDE),
        ((1280, 720), Arrangement.BESIDE),
        ((1200, 720), Arrangement.BELOW),
        ((1280, 1024), Arrangement.BELOW),
        ((1080, 1920), Arrangement.BELOW),
    ],
)
def test_a_page_stands_beside_the_tree_where_the_window_is_wide(size, arrangement):
    assert arrangement_for(*size) is arrangement


def test_a_page_that_fills_the_room_leaves_a_thumbnail_of_the_tree_and_the_words():
    panes = divided(
        Arrangement.FILLED, shown=ALL - {Pane.SETTINGS}, wanted=lambda _, total: 0.75 * total
    ).panes
    assert panes[Pane.PAGE].height() == ROOM.height()
    assert panes[Pane.PAGE].width() > 2 * panes[Pane.TREE].width()
    assert panes[Pane.WORDS].top() > panes[Pane.TREE].bottom()
    assert Pane.STRIP not in panes


def test_without_a_page_the_words_stand_in_a_narrow_column():
    panes = divided(Arrangement.BESIDE, shown=ALL - {Pane.PAGE}).panes
    assert panes[Pane.WORDS].width() == LEAST[Pane.WORDS].width()
    assert panes[Pane.WORDS].height() == ROOM.height()


def test_alone_the_tree_has_everything():
    assert divided(Arrangement.BESIDE, shown={Pane.TREE}).panes == {Pane.TREE: ROOM}


def test_the_curve_goes_where_the_tree_would_be_too_low():
    assert Pane.STRIP in divided(Arrangement.BESIDE, tree_height=ROOM.height() - 80 - GAP).panes
    panes = divided(Arrangement.BESIDE, tree_height=ROOM.height() - 80 - GAP + 1).panes
    assert Pane.STRIP not in panes
    assert panes[Pane.TREE].height() == ROOM.height()


@pytest.mark.parametrize("arrangement", Arrangement)
def test_the_tree_keeps_its_least_size_whatever_the_others_want(arrangement):
    shown = ALL - {Pane.STRIP}
    panes = divided(arrangement, shown=shown, wanted=lambda _, total: total).panes
    assert panes[Pane.TREE].width() >= LEAST[Pane.TREE].width()
    assert panes[Pane.TREE].height() >= LEAST[Pane.TREE].height()


@given(
    st.sampled_from(list(Arrangement)),
    st.sets(st.sampled_from(sorted(ALL - {Pane.TREE}))),
    st.integers(900, 4000),
    st.integers(450, 2200),
    st.floats(0.0, 1.0),
)
def test_no_pane_lies_on_another_or_out_of_the_room(arrangement, shown, width, height, share):
    room = QRect(3, 5, width, height)
    shown = {*shown, Pane.TREE}
    division = divided(arrangement, room=room, shown=shown, wanted=lambda _, total: share * total)
    places = [*division.panes.values(), *(grip.place for grip in division.grips.values())]
    assert all(room.contains(place) and not place.isEmpty() for place in places)
    assert not any(one.intersects(other) for one, other in combinations(places, 2))
