"""Numpy columns that only ever grow at their end, and errors of any size in 64 bits."""

import mmap
import sys
from collections.abc import Sequence
from math import inf, nan
from typing import Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["Column", "ErrorCodes", "read_only"]

Scalar = TypeVar("Scalar", bound=np.generic)

_LARGEST_PLAIN: Final = 2**63 - 1
_LARGEST_SHORT: Final = 50_000
_RESERVED: Final = 2_000_000
_LARGEST_FLOAT_BITS: Final = 1023


def read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The array, closed to writing."""
    array.flags.writeable = False
    return array


def _reserved(rows: int, dtype: np.dtype[Scalar]) -> npt.NDArray[Scalar]:
    """An array in memory that the system gives page by page, when it is written to."""
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if sys.platform != "win32" else {}
    return np.frombuffer(mmap.mmap(-1, rows * dtype.itemsize, **private), dtype=dtype)


class Column(Generic[Scalar]):
    """An append-only column. Its views show what they showed when they were taken, for ever.

    A short column keeps at most a quarter more room than it uses. A long one reserves room for millions of rows,
    as copying them all would stop a window for a moment; on Linux and macOS, what is reserved takes memory only
    once it is written to.
    """

    def __init__(self, dtype: type[Scalar]) -> None:
        self._data: npt.NDArray[Scalar] = np.empty(64, dtype=dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, row: int) -> Any:
        """The value in a row, as a plain Python number."""
        return self._data[: self._length].item(row)

    @property
    def nbytes(self) -> int:
        """The memory its rows take."""
        return self._length * self._data.itemsize

    def extend(self, values: npt.NDArray[Scalar]) -> None:
        """Add rows at the end."""
        end = self._length + len(values)
        if end > len(self._data):
            # The old array is left as it is, because views of it may be in use.
            room = max(end, len(self._data) * 5 // 4)
            if room > _LARGEST_SHORT:
                larger = _reserved(max(_RESERVED, 2 * end), self._data.dtype)
            else:
                larger = np.empty(room, dtype=self._data.dtype)
            larger[: self._length] = self._data[: self._length]
            self._data = larger
        self._data[self._length : end] = values
        self._length = end

    def view(self, start: int = 0, stop: int | None = None) -> npt.NDArray[Scalar]:
        """Some of the rows, read-only, without copying."""
        return read_only(self._data[: self._length][start:stop])


class ErrorCodes:
    """Errors as 64-bit integers: an error that fits is its own code; None and larger errors get negative ones.

    Large errors are numbered as they first appear, row by row, so that the codes of a log do not depend on how
    many rows were encoded at once.
    """

    def __init__(self) -> None:
        self.large: list[int] = []  # those with the codes -2, -3, ...
        self._codes: dict[int | None, int] = {None: -1}
        self._floats = [nan]  # of the codes -1, -2, ...

    def encode(
        self, first: Sequence[int | None], second: Sequence[int | None]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The codes of two columns of the same rows."""
        try:
            return self._encoded(first), self._encoded(second)
        except OverflowError:
            for pair in zip(first, second, strict=True):
                for error in pair:
                    if error is not None and error > _LARGEST_PLAIN and error not in self._codes:
                        self._add(error)
            return self._encoded(first), self._encoded(second)

    def decode(self, code: int) -> int | None:
        """The error with this code."""
        if code == -1:
            return None
        return code if code >= 0 else self.large[-2 - code]

    def as_floats(self, codes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The errors with these codes: nan for None, inf for what no float can hold."""
        floats = codes.astype(np.float64)
        coded = np.flatnonzero(codes < 0)
        if len(coded):
            floats[coded] = np.array(self._floats)[-1 - codes[coded]]
        return floats

    def _encoded(self, errors: Sequence[int | None]) -> npt.NDArray[np.int64]:
        return np.fromiter(map(self._codes.get, errors, errors), dtype=np.int64, count=len(errors))

    def _add(self, error: int) -> None:
        self.large.append(error)
        self._codes[error] = -1 - len(self.large)
        self._floats.append(float(error) if error.bit_length() <= _LARGEST_FLOAT_BITS else inf)
