"""Packs lists of items, one for each iteration, into little: what they share is stored once.

A list is stored as its difference to the one before, and now and then as a whole, where a reader can begin.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

from gpviz.picture.items import Item

KEYFRAME_EVERY: Final = 64
"""One list in so many is stored as a whole."""
PER_PIXEL: Final = 10
"""Coordinates are whole tenths of a pixel."""

Splice = list[int]
"""Where in a list how many items go, and which ones come instead: the first by its number, each other one by how
much its number is larger than that of the one before."""


class PackedItems:
    """Lists of items with pools of what they are made of.

    ``items`` has for each different item the numbers of its key, look and text, and its points; ``lists`` has for
    each list the splices that make it of the list before.
    """

    def __init__(self) -> None:
        self.texts = Pool()
        self.lists: list[list[Splice]] = []
        self._keys = Pool()
        self._looks = Pool()
        self._items = Pool()
        self._before: dict[str, tuple[Item, int]] = {}
        self._numbers: list[int] = []

    @property
    def parts(self) -> int:
        """How many different items there are."""
        return len(self._items)

    @property
    def colours(self) -> set[str]:
        """The names of the colours of all items."""
        return {name for _, fill, stroke, *_ in self._looks.values for name in (fill, stroke) if name}

    def add(self, items: Iterable[Item]) -> None:
        """Pack one more list. Items are told apart by their keys."""
        known = self._before
        now: dict[str, tuple[Item, int]] = {}
        for item in items:
            same = known.get(item.key)
            now[item.key] = same if same is not None and same[0] == item else (item, self._number(item))
        numbers = [number for _, number in now.values()]
        is_whole = len(self.lists) % KEYFRAME_EVERY == 0
        self.lists.append(
            [_splice(0, len(self._numbers), numbers)] if is_whole else list(_splices(self._numbers, numbers))
        )
        self._before, self._numbers = now, numbers

    def data(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "keys": self._keys.values,
            "texts": self.texts.values,
            "looks": self._looks.values,
            "items": self._items.values,
            "lists": self.lists,
            "keyframeEvery": KEYFRAME_EVERY,
            "perPixel": PER_PIXEL,
        }

    def _number(self, item: Item) -> int:
        key, shape, points, fill, stroke, width, is_dashed, opacity, text, *rest = item
        look = (shape, fill, stroke, round(width, 2), is_dashed, round(opacity, 2), *rest)
        numbers = self._keys.number(key), self._looks.number(look), self.texts.number(text)
        return self._items.number((*numbers, *(round(PER_PIXEL * value) for value in points)))


class Pool:
    """Different values in the order in which they come first."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def values(self) -> list[Any]:
        return list(self._numbers)

    def number(self, value: Any) -> int:
        """The number of a value, which is put into the pool if it is new."""
        return self._numbers.setdefault(value, len(self._numbers))


def _splices(before: Sequence[int], after: Sequence[int]) -> Iterable[Splice]:
    """What turns one list into the other, from front to back; no number is twice in a list."""
    kept = set(before) & set(after)
    if [number for number in before if number in kept] != [number for number in after if number in kept]:
        yield _splice(0, len(before), after)
        return
    start = old = 0
    while old < len(before) or start < len(after):
        gone = old
        while gone < len(before) and before[gone] not in kept:
            gone += 1
        end = start
        while end < len(after) and after[end] not in kept:
            end += 1
        if gone > old or end > start:
            yield _splice(start, gone - old, after[start:end])
        old, start = gone + 1, end + 1


def _splice(start: int, gone: int, numbers: Sequence[int]) -> Splice:
    steps = [after - before for before, after in pairwise(numbers)]
    return [start, gone, *numbers[:1], *steps]
