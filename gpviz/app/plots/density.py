"""How often each verdict was given between any two iterations of a run, however long the run is."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.record.codes import VERDICTS, verdicts_of
from gpviz.record.columns import Column

__all__ = ["BLOCK", "VerdictCounts", "column_counts"]

BLOCK: Final = 64
"""Rows between two stored sums; a question looks at fewer rows than this, besides the sums."""

_KINDS: Final = len(VERDICTS)


class VerdictCounts:
    """Sums of the verdicts at every block of a run's codes, in the order of `VERDICTS`.

    The codes themselves stay where they are; a third of a byte is kept for each of them.
    """

    def __init__(self) -> None:
        self._codes: npt.NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
        self._sums = Column(np.int32)  # those of the whole blocks before, _KINDS in a row for each block
        self._sums.extend(np.zeros(_KINDS, dtype=np.int32))

    def __len__(self) -> int:
        """The number of iterations taken in."""
        return len(self._codes)

    @property
    def nbytes(self) -> int:
        """The memory it takes."""
        return self._sums.nbytes

    def take_in(self, codes: npt.NDArray[np.uint8]) -> None:
        """Look at the codes that are new; ``codes`` are those of all iterations from the first on."""
        done = len(self._codes) // BLOCK
        whole = len(codes) // BLOCK
        self._codes = codes
        if whole == done:
            return
        verdicts = verdicts_of(codes[done * BLOCK : whole * BLOCK]).reshape(-1, BLOCK)
        sums = np.empty((whole - done, _KINDS), dtype=np.int32)
        for kind in range(_KINDS):
            sums[:, kind] = np.count_nonzero(verdicts == kind, axis=1)
        np.cumsum(sums, axis=0, out=sums)
        sums += self._sums.view()[-_KINDS:]
        self._sums.extend(sums.ravel())

    def before(self, iterations: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """For each of the iterations (one row each) how often each verdict was given before it."""
        rows = np.clip(np.asarray(iterations, dtype=np.int64) - 1, 0, len(self._codes))
        blocks = rows // BLOCK
        counts = self._sums.view().reshape(-1, _KINDS)[blocks].astype(np.int64)
        if not len(self._codes):
            return counts
        places = blocks[:, None] * BLOCK + np.arange(BLOCK)
        codes = self._codes[np.minimum(places, len(self._codes) - 1)]
        verdicts = np.where(places < rows[:, None], verdicts_of(codes).reshape(places.shape), _KINDS)
        for kind in range(_KINDS):
            counts[:, kind] += np.count_nonzero(verdicts == kind, axis=1)
        return counts

    def between(self, start: int, stop: int) -> tuple[int, ...]:
        """How often each verdict was given in the iterations from ``start`` up to, not including, ``stop``."""
        first, last = self.before([start, max(start, stop)])
        return tuple((last - first).tolist())


def column_counts(counts: VerdictCounts, columns: int) -> npt.NDArray[np.int64]:
    """The verdicts of the whole run in this many columns, a row for each.

    A column holds the iterations that fall into it; where there are fewer iterations than columns, it holds the
    one it lies in.
    """
    length = len(counts)
    edges = np.arange(columns + 1) * length // max(columns, 1) + 1
    if length < columns:
        return counts.before(edges[:-1] + 1) - counts.before(edges[:-1])
    return np.diff(counts.before(edges), axis=0)
