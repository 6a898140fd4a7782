"""Finding the nearest iteration with a property, in chunks outwards, so that a near one is found at once."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.record.codes import Property, has_property

__all__ = ["count_rows", "next_row", "previous_row"]

_FIRST_CHUNK: Final = 1024
_LARGEST_CHUNK: Final = 1 << 17  # fits the processor's cache


def next_row(codes: npt.NDArray[np.uint8], wanted: Property, row: int) -> int | None:
    """The first row from ``row`` on with the property."""
    chunk = _FIRST_CHUNK
    while row < len(codes):
        found = has_property(codes[row : row + chunk], wanted)
        offset = int(found.argmax())
        if found[offset]:
            return row + offset
        row += chunk
        chunk = min(2 * chunk, _LARGEST_CHUNK)
    return None


def previous_row(codes: npt.NDArray[np.uint8], wanted: Property, row: int) -> int | None:
    """The last row before ``row`` with the property."""
    chunk = _FIRST_CHUNK
    while row > 0:
        start = max(row - chunk, 0)
        found = has_property(codes[start:row], wanted)[::-1]
        offset = int(found.argmax())
        if found[offset]:
            return row - 1 - offset
        row = start
        chunk = min(2 * chunk, _LARGEST_CHUNK)
    return None


def count_rows(codes: npt.NDArray[np.uint8], wanted: Property) -> int:
    """The number of rows with the property."""
    return sum(
        int(np.count_nonzero(has_property(codes[start : start + _LARGEST_CHUNK], wanted)))
        for start in range(0, len(codes), _LARGEST_CHUNK)
    )
