"""The way from one list of items to the next."""

import pytest

from gpviz.engine import Verdict
from gpviz.picture.items import Enter, Item, Leave, Shape, at_rest
from gpviz.picture.motion import ENTER, LEAVE, MOVE, SWITCH_AT, WEIGHTS, between

DISC = Item("node 1", Shape.DISC, (0.0, 0.0, 10.0), fill="and_fill", width=2.0)
LABEL = Item("label 1", Shape.TEXT, (0.0, 4.0, 12.0), text="x₁")
SHARES = [number / 40 for number in range(41)]


def only(items: list[Item]) -> Item:
    (item,) = items
    return item


def test_it_begins_with_the_one_and_ends_with_the_other():
    before = [DISC, LABEL._replace(enter=Enter.FLASH)]
    after = [LABEL, DISC._replace(key="other", enter=Enter.FLASH, opacity=0.5)]
    assert between(before, after, 0.0) == before
    assert between(before, after, 1.0) == after


def test_a_kept_item_glides_from_the_one_to_the_other():
    there = DISC._replace(points=(100.0, 40.0, 20.0), opacity=0.5)
    ways = [only(between([DISC], [there], share)) for share in SHARES]
    xs = [item.points[0] for item in ways]
    assert xs == sorted(xs)
    assert len(set(xs)) > 10
    assert xs[-1] == 100
    assert all(item.points[1] == pytest.approx(0.4 * item.points[0]) for item in ways)
    assert all(item.opacity == pytest.approx(1 - 0.005 * item.points[0]) for item in ways)


def test_what_stays_the_same_is_left_alone():
    assert all(only(between([DISC], [DISC], share)) is DISC for share in SHARES)


def test_a_text_switches_once_in_the_middle():
    half = MOVE.start + MOVE.length / 2
    assert only(between([LABEL], [LABEL._replace(text="x₅")], half - 0.01)).text == "x₁"
    assert only(between([LABEL], [LABEL._replace(text="x₅")], half + 0.01)).text == "x₅"


def test_a_rolling_number_counts():
    seven, big = (LABEL._replace(text=text, enter=Enter.ROLL) for text in ("7", "1,207"))
    numbers = [only(between([big], [seven], share)).text for share in SHARES]
    counted = [int(text.replace(",", "")) for text in numbers]
    assert counted == sorted(counted, reverse=True)
    assert len(set(counted)) > 10
    huge = {
        only(between([seven], [seven._replace(text=text)], share)).text
        for share in SHARES
        for text in ("1.2·10⁷", "–")
    }
    assert huge == {"7", "1.2·10⁷", "–"}


@pytest.mark.parametrize("enter", [Enter.FADE, Enter.GROW, Enter.SHAKE])
def test_a_new_item_enters_after_its_delay(enter):
    item = DISC._replace(enter=enter, delay=0.4)
    assert not any(between([], [item], share) for share in SHARES if 0 < share <= 0.4)
    strengths = [
        found.points[2] if enter is Enter.GROW else found.opacity
        for share in SHARES
        if share > 0.4
        for found in between([], [item], share)
    ]
    assert strengths == sorted(strengths)
    assert strengths[0] < strengths[-1]
    assert only(between([], [item], 0.4 + ENTER.length)).opacity == 1


def test_what_is_shaken_goes_to_and_fro_and_comes_back_even_if_it_was_there_before():
    item = DISC._replace(enter=Enter.SHAKE)
    xs = [only(between([item], [item], share)).points[0] for share in SHARES]
    assert min(xs) < -1
    assert max(xs) > 1
    assert xs[-1] == 0
    assert abs(only(between([item], [item], 0.99)).points[0]) < 0.01


def test_a_flash_is_seen_on_the_way_and_not_at_its_ends():
    flash = DISC._replace(enter=Enter.FLASH, delay=0.2)
    seen = [list(at_rest(between([flash], [flash], share))) for share in SHARES]
    assert [bool(items) for items in seen] == [8 < number < 20 for number in range(41)]
    assert max(only(items).opacity for items in seen if items) > 0.9


def test_words_change_in_one_moment_and_are_never_pale():
    old, new, kept = (
        LABEL._replace(key=key, enter=Enter.SWITCH, leave=Leave.SWITCH) for key in ("old", "new", "kept")
    )
    moved = kept._replace(points=(9.0, 9.0, 12.0))
    for share in SHARES[1:-1]:
        shown = between([old, kept], [new, moved], share)
        expected = {old, kept} if share < SWITCH_AT else {new, moved}
        assert set(shown) == expected


@pytest.mark.parametrize("leave", [Leave.FADE, Leave.SHRINK, Leave.FALL])
def test_what_goes_is_gone_before_anything_else_comes(leave):
    item = DISC._replace(leave=leave)
    found = only(between([item], [], 0.2))
    if leave is Leave.SHRINK:
        assert found.points[2] < DISC.points[2]
    else:
        assert found.opacity < 1
        assert (found.points[1] > 0) == (leave is Leave.FALL)
    assert not between([item], [], LEAVE.length)
    assert LEAVE.length < ENTER.start


@pytest.mark.parametrize(
    ("shape", "points", "middle"),
    [
        (Shape.DISC, (5.0, 6.0, 2.0), (5.0, 6.0)),
        (Shape.BOX, (0.0, 0.0, 10.0, 4.0, 1.0), (5.0, 2.0)),
        (Shape.POLYGON, (0.0, 0.0, 10.0, 0.0, 5.0, 8.0), (5.0, 4.0)),
        (Shape.LINE, (0.0, 0.0, 10.0, 8.0), (5.0, 4.0)),
    ],
)
def test_it_grows_about_its_own_middle(shape, points, middle):
    found = only(between([], [Item("a", shape, points, width=3.0, enter=Enter.GROW)], 0.4)).points
    if shape is Shape.BOX:
        found = (found[0], found[1], found[0] + found[2], found[1] + found[3])
    elif shape is Shape.DISC:
        found = found[:2]
    assert (min(found[::2]) + max(found[::2])) / 2 == pytest.approx(middle[0])
    assert (min(found[1::2]) + max(found[1::2])) / 2 == pytest.approx(middle[1])


def test_what_changes_its_shape_goes_and_comes_and_keeps_its_place_among_the_others():
    ground, top = LABEL._replace(key="ground"), LABEL._replace(key="top")
    triangle = Item("node 1", Shape.POLYGON, (0.0, 0.0, 9.0, 0.0, 5.0, 8.0))
    goes, comes = (between([ground, DISC, top], [ground, triangle, top], share) for share in (0.2, 0.4))
    assert [item.shape for item in goes] == [Shape.TEXT, Shape.DISC, Shape.TEXT]
    assert [item.shape for item in comes] == [Shape.TEXT, Shape.POLYGON, Shape.TEXT]


def test_an_improvement_weighs_four_times_a_neutral_step_and_nothing_weighs_less_than_no_change():
    assert WEIGHTS[Verdict.IMPROVED] == 4 * WEIGHTS[Verdict.NEUTRAL]
    assert min(WEIGHTS, key=lambda verdict: WEIGHTS[verdict]) is Verdict.UNCHANGED
    assert set(WEIGHTS) == set(Verdict)
