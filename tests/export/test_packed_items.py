"""Items packed into little: whoever unpacks them has the same lists, wherever they begin to read."""

import json
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from gpviz.export.packed_items import KEYFRAME_EVERY, PER_PIXEL, PackedItems
from gpviz.picture.items import Enter, Item, Shape

items = st.builds(
    lambda key, points, fill, text, enter: Item(key, Shape.DISC, points, fill, text=text, enter=enter),
    st.sampled_from("abcdefg"),
    st.tuples(*[st.integers(0, 9).map(float)] * 3),
    st.sampled_from(["text", "improved/20"]),
    st.sampled_from(["", "∧"]),
    st.sampled_from(Enter),
)
lists_of_items = st.lists(st.lists(items, unique_by=lambda item: item.key), max_size=2 * KEYFRAME_EVERY + 3)


def unpacked(data, start, end):
    """The lists from a whole one to another one, as a reader makes them who knows nothing of those before."""
    numbers: list[int] = []
    for splices in data["lists"][start:end]:
        for first, gone, *steps in splices:
            numbers[first : first + gone] = accumulate(steps)
        yield [item_of(data, data["items"][number]) for number in numbers]


def item_of(data, packed):
    key, look, text, *points = packed
    shape, fill, stroke, width, is_dashed, opacity, *rest = data["looks"][look]
    points = tuple(value / PER_PIXEL for value in points)
    look = shape, points, fill, stroke, width, is_dashed, opacity, data["texts"][text]
    return Item(data["keys"][key], *look, *rest)


@given(lists_of_items)
def test_every_list_can_be_read_from_the_whole_one_before_it(lists):
    packed = PackedItems()
    for each in lists:
        packed.add(each)
    data = json.loads(json.dumps(packed.data()))
    for start in range(0, len(lists), KEYFRAME_EVERY):
        end = start + KEYFRAME_EVERY
        assert list(unpacked(data, start, end)) == lists[start:end]


def test_a_list_that_changes_little_takes_little():
    packed = PackedItems()
    for moved in range(50):
        packed.add(Item(str(key), Shape.DISC, (key, moved if key == 7 else 0, 1)) for key in range(100))
    assert packed.parts == 100 + 49
    assert all(len(splices) == 1 and len(splices[0]) == 3 for splices in packed.data()["lists"][1:])
