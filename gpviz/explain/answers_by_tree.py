"""Remembers what was found out about trees: a judgement belongs to a tree and the rules it was judged under."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_Judgement = TypeVar("_Judgement")


class AnswersByTree(Generic[_Judgement]):
    """The judgements that were used last, by tree and rules.

    Trees are compared as objects, which is quick; each is held here as long as its judgement is, so that no
    other tree gets its id. At most ``most`` judgements are kept, and of those that weigh, at most ``most_weight``
    together, but always the last one.
    """

    def __init__(
        self,
        most: int,
        *,
        weigh: Callable[[_Judgement], int] = lambda _: 0,
        most_weight: int = 0,
    ) -> None:
        self._most = most
        self._weigh = weigh
        self._most_weight = most_weight
        self._weight = 0
        self._kept: OrderedDict[tuple[int, Hashable], tuple[object, _Judgement]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, tree: object, rules: Hashable) -> _Judgement | None:
        """What was found out about this tree under these rules."""
        key = id(tree), rules
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][1]

    def put(self, tree: object, rules: Hashable, judgement: _Judgement) -> None:
        """Remember what was found out about this tree under these rules."""
        key = id(tree), rules
        if key in self._kept:
            self._drop(key)
        self._kept[key] = tree, judgement
        self._weight += self._weigh(judgement)
        while len(self._kept) > 1 and (len(self._kept) > self._most or self._weight > self._most_weight):
            self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._weight = 0

    def _drop(self, key: tuple[int, Hashable]) -> None:
        _, judgement = self._kept.pop(key)
        self._weight -= self._weigh(judgement)
