"""How many iterations of a run were accepted and how many improved, up to any of them, without counting anew."""

from typing import Final

from gpviz.record.codes import Property
from gpviz.record.history import History

__all__ = ["RunningCounts"]

_BLOCK: Final = 1 << 16
_BLOCKS_AT_ONCE: Final = 12
"""About a millisecond's work."""


class RunningCounts:
    """Counts of one run, kept for every 65,536th iteration, from which the others are quickly counted."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._sums: dict[Property, list[int]] = {Property.ACCEPTED: [0], Property.IMPROVED: [0]}

    def count(self, wanted: Property, iteration: int) -> int | None:
        """How many of the iterations up to this one have the property; None if `advance` has not come so far."""
        sums = self._sums[wanted]
        block = iteration // _BLOCK
        if block >= len(sums):
            return None
        return sums[block] + self.history.count_where(wanted, block * _BLOCK + 1, iteration + 1)

    def advance(self, iteration: int) -> bool:
        """Count on towards an iteration for no longer than a frame allows; whether it is reached."""
        wanted_blocks = iteration // _BLOCK + 1
        for wanted, sums in self._sums.items():
            last = min(wanted_blocks, len(sums) + _BLOCKS_AT_ONCE)
            for block in range(len(sums) - 1, last - 1):
                sums.append(
                    sums[-1] + self.history.count_where(wanted, block * _BLOCK + 1, (block + 1) * _BLOCK + 1)
                )
        return all(len(sums) >= wanted_blocks for sums in self._sums.values())
