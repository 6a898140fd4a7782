"""Numpy columns that only ever grow at their end."""

import mmap
import sys
from collections.abc import Iterator
from typing import Any, Final, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)

_LARGEST_SHORT: Final = 50_000
_RESERVED: Final = 2_000_000
MOST_JOINED: Final = 1 << 17
"""A shared column stays shared as long as nobody looks at more rows than this at once."""


def read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The array, closed to writing."""
    array.flags.writeable = False
    return array


def _reserved(rows: int, dtype: np.dtype[Scalar]) -> npt.NDArray[Scalar]:
    """An array in memory that the system gives page by page, when it is written to."""
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if sys.platform != "win32" else {}
    return np.frombuffer(mmap.mmap(-1, rows * dtype.itemsize, **private), dtype=dtype)


class Column(Generic[Scalar]):
    """An append-only column. Its views never change.

    A short column reserves at most a quarter more memory than it uses. A long one reserves memory for millions of
    rows, as copying them all would stop a window for a moment; on Linux and macOS what is reserved is only taken
    once it is written to. A column that begins like another one (`beginning`) shares its rows until somebody looks
    at many of them at once, so that dozens of branches of a long run take hardly more memory than the run.
    """

    def __init__(self, dtype: type[Scalar]) -> None:
        self._shared: tuple[npt.NDArray[Scalar], ...] = ()
        self._first_own = 0
        self._data: npt.NDArray[Scalar] = np.empty(64, dtype=dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __reduce__(self) -> tuple[object, ...]:
        return (_column_of, (self.view(),))  # without the memory that it has reserved

    def __getitem__(self, row: int) -> Any:
        """The value in a row, as a plain Python number."""
        if row < 0:
            row += self._length
        if not 0 <= row < self._length:
            raise IndexError(f"row {row} of a column with {self._length}")
        if row >= self._first_own:
            return self._data.item(row - self._first_own)
        return self.view(row, row + 1).item()

    def beginning(self, length: int) -> "Column[Scalar]":
        """A new column with the first rows of this one, shared if they are many."""
        begun: Column[Scalar] = Column(self._data.dtype.type)
        if length <= _LARGEST_SHORT:
            begun.extend(self.view(0, length))
        else:
            begun._shared = tuple(self._parts(0, length))
            begun._first_own = begun._length = length
        return begun

    def extend(self, values: npt.NDArray[Scalar]) -> None:
        """Add rows at the end."""
        used = self._length - self._first_own
        end = used + len(values)
        if end > len(self._data):
            # The old array is left as it is, because views of it may be in use.
            capacity = max(end, len(self._data) * 5 // 4)
            if capacity > _LARGEST_SHORT:
                larger = _reserved(max(_RESERVED, 2 * end), self._data.dtype)
            else:
                larger = np.empty(capacity, dtype=self._data.dtype)
            larger[:used] = self._data[:used]
            self._data = larger
        self._data[used:end] = values
        self._length = self._first_own + end

    def view(self, start: int = 0, stop: int | None = None) -> npt.NDArray[Scalar]:
        """The rows from ``start`` to before ``stop``, read-only; only a few that are partly shared are copied."""
        start, stop, _ = slice(start, stop).indices(self._length)
        if start >= self._first_own:
            return read_only(self._data[start - self._first_own : max(start, stop) - self._first_own])
        parts = list(self._parts(start, stop))
        if len(parts) == 1:
            return read_only(parts[0])
        if not parts:
            return read_only(self._data[:0])
        if stop - start <= MOST_JOINED:
            return read_only(np.concatenate(parts))
        self._own_all()
        return read_only(self._data[start:stop])

    def parts(self) -> Iterator[npt.NDArray[Scalar]]:
        """All rows, in arrays one after the other, without copying."""
        return self._parts(0, self._length)

    def searchsorted(self, value: int, *, side: Literal["left", "right"]) -> int:
        """The index at which the value belongs, in a column that never falls."""
        before = 0
        for part in self.parts():
            index = int(part.searchsorted(value, side=side))
            before += index
            if index < len(part):
                break
        return before

    def _parts(self, start: int, stop: int) -> Iterator[npt.NDArray[Scalar]]:
        """The rows from ``start`` to before ``stop``, in arrays that are not empty."""
        own = self._data[: self._length - self._first_own]
        first = 0
        for part in (*self._shared, own):
            some = part[max(start - first, 0) : max(stop - first, 0)]
            if len(some):
                yield some
            first += len(part)

    def _own_all(self) -> None:
        """Copy all rows into one array of its own."""
        capacity = max(_RESERVED, 2 * self._length)
        data = _reserved(capacity, self._data.dtype)
        np.concatenate(list(self.parts()), out=data[: self._length])
        self._data, self._shared, self._first_own = data, (), 0


def _column_of(values: npt.NDArray[Scalar]) -> Column[Scalar]:
    column: Column[Scalar] = Column(values.dtype.type)
    column.extend(values)
    return column
