"""The generalisation error of a sampled run, wherever its tree changed: two growing arrays."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

__all__ = ["Generalisation"]


class Generalisation:
    """Iterations, and the probability that the tree of each was wrong on a random row."""

    def __init__(self) -> None:
        self._iterations = np.empty(64, dtype=np.int64)
        self._shares = np.empty(64, dtype=np.float64)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def extend(self, entries: Iterable[tuple[int, float]]) -> None:
        """Add what is known of later iterations."""
        for iteration, share in entries:
            if self._length == len(self._iterations):
                self._iterations = np.concatenate((self._iterations, np.empty_like(self._iterations)))
                self._shares = np.concatenate((self._shares, np.empty_like(self._shares)))
            self._iterations[self._length] = iteration
            self._shares[self._length] = share
            self._length += 1

    @property
    def iterations(self) -> npt.NDArray[np.int64]:
        return self._iterations[: self._length]

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        return self._shares[: self._length]
