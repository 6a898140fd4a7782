"""The fingerprint of a log: a hash by which two logs, on any two machines, are known to be the same.

It is the SHA-256 of, one after the other,

- the tag ``gpviz-log 1`` and a line feed;
- the SHA-256 of the rows, in blocks of 65,536 rows (the last may be shorter), each block column by column;
- the number of rows, and the number of errors that have a negative code for being too large for 63 bits;
- each of those errors: the number of its bytes, then the bytes;
- the final tree: the length of its ASCII formula, the formula, and the uids of its nodes in preorder.

All numbers are little-endian; those not in a column have 64 bits.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from gpviz.engine.formula import format_formula
from gpviz.engine.tree import Node, nodes_of
from gpviz.record.columns import Column

__all__ = ["RunningFingerprint"]

_TAG: Final = b"gpviz-log 1\n"
_BLOCK: Final = 1 << 16


class RunningFingerprint:
    """The fingerprint of columns that grow; asked again it hashes only the blocks that are new."""

    def __init__(self, columns: Sequence[Column[Any]]) -> None:
        self._columns = columns
        self._hashed_rows = 0
        self._blocks = hashlib.sha256()

    def of(self, large_errors: Sequence[int], tree: Node | None) -> str:
        """The fingerprint of the rows there are now, with these large errors and this final tree."""
        rows = len(self._columns[0])
        while self.absorb_block():
            pass
        all_rows = self._blocks.copy()
        self._add_block(all_rows)

        whole = hashlib.sha256(_TAG + all_rows.digest())
        whole.update(_numbers([rows, len(large_errors)]))
        for error in large_errors:
            digits = error.to_bytes((error.bit_length() + 7) // 8, "little")
            whole.update(_numbers([len(digits)]) + digits)
        formula = format_formula(tree).encode("ascii")
        whole.update(_numbers([len(formula)]) + formula)
        whole.update(_numbers(node.uid for node in nodes_of(tree)))
        return f"sha256:{whole.hexdigest()}"

    def absorb_block(self) -> bool:
        """Hash one more block, if there is a whole one; asked often, the fingerprint is never far behind."""
        if self._hashed_rows + _BLOCK > len(self._columns[0]):
            return False
        self._add_block(self._blocks)
        self._hashed_rows += _BLOCK
        return True

    def _add_block(self, hasher: Any) -> None:
        for column in self._columns:
            rows = column.view(self._hashed_rows, self._hashed_rows + _BLOCK)
            hasher.update(rows.astype(rows.dtype.newbyteorder("<"), copy=False).tobytes())


def _numbers(numbers: Iterable[int]) -> bytes:
    return np.fromiter(numbers, dtype="<u8").tobytes()
