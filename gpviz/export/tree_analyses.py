"""Finds out what becomes of the trees of a run, one after the other, in a time for all of them."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine import Node, Rules, TooComplexError

_SHARE: Final = 0.1
_ASKED_EVERY_S: Final = 0.5


class TreeAnalyses:
    """The analyses of trees that are asked for in their order; one that was asked for just before is known.

    All together take ``seconds``; what the caller does between them does not count. A tree may take a tenth of
    the time that is left, so that many that are hard to tell leave some for those after them. While one takes
    long, ``on_waiting`` is called now and then; it may raise `Cancelled`.
    """

    def __init__(self, seconds: float, on_waiting: Callable[[], object]) -> None:
        self._left = seconds
        self._on_waiting = on_waiting
        self._key: tuple[Node | None, Rules] | None = None
        self._analysis: Analysis | None = None

    def of(self, tree: Node | None, rules: Rules) -> Analysis | None:
        """What there is to say of a tree; None where there is no time for it, or it is too tangled to count."""
        if self._key is None or self._key[0] is not tree or self._key[1] != rules:
            self._key = tree, rules
            self._analysis = self._found(tree, rules)
        return self._analysis

    def _found(self, tree: Node | None, rules: Rules) -> Analysis | None:
        begin = asked = monotonic()
        if self._left <= 0:
            return None
        end = begin + _SHARE * self._left

        def should_stop() -> bool:
            nonlocal asked
            now = monotonic()
            if now > asked + _ASKED_EVERY_S:
                asked = now
                self._on_waiting()
            return now > end

        try:
            return analyse(tree, rules, should_stop)
        except TooComplexError:
            return None
        finally:
            self._left -= monotonic() - begin
