"""What is kept of a run: a row of numbers, and its improvements in few bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from gpviz.engine.errors import GpvizError
from gpviz.engine.settings import MAX_N

FAILED: Final = "failed"
"""The outcome of a run whose tree became too complex to be evaluated."""
_MAX_BITS: Final = MAX_N + 64
"""More bits than any number of a path has."""

Improvement = tuple[int, int]
"""An iteration that improved, and the error it brought."""


class RunRow(NamedTuple):
    """What is kept of a run.

    Its seed is the cell's and ``number`` together. ``outcome`` is solved, stuck, stopped (at the plan's
    ``max_iterations``) or failed. ``error`` is the final one as the run measured it, ``wrong_rows`` says on how
    many rows of the complete truth table the final tree is wrong, None if that is not known. The longest time
    without an improvement began after iteration ``wait_from`` and took ``wait`` iterations. ``duplicate_accepted``
    and ``true_error_grew`` say how often that happened, as ``ors_accepted`` does, and ``full_iterations`` how many
    iterations had a full parent. ``path`` are the improvements, as `decode_path` reads them.
    """

    number: int
    outcome: str
    iterations: int
    leaves: int
    ors: int
    ors_accepted: int
    accepted: int
    improved: int
    error: int | None
    wrong_rows: int | None
    stuck_since: int | None
    wait_from: int
    wait: int
    duplicate_accepted: int
    true_error_grew: int
    full_iterations: int
    path: bytes

    @property
    def pitfalls(self) -> tuple[int, int, int]:
        """How often each of the `PITFALLS` happened."""
        return self.duplicate_accepted, self.ors_accepted, self.true_error_grew

    @property
    def notable_iteration(self) -> int:
        """Where to look: the iteration in which it became stuck, or in which its longest wait began."""
        return self.stuck_since if self.stuck_since is not None else self.wait_from


def encode_path(improvements: Iterable[Improvement]) -> bytes:
    """Improvements, as `RlsGp.run` tells them, in few bytes: seven bits each, lowest first.

    Of an iteration it is the distance from the one before.
    """
    content = bytearray()
    before = 0
    for iteration, error in improvements:
        for number in (iteration - before, error):
            while number > 127:
                content.append(number & 127 | 128)
                number >>= 7
            content.append(number)
        before = iteration
    return bytes(content)


def decode_path(content: bytes) -> list[Improvement]:
    """The iterations that improved, each with the error it brought; raises `GpvizError` if it is no path."""
    numbers: list[int] = []
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
        elif shift > _MAX_BITS:
            break
    if shift or len(numbers) % 2:
        raise GpvizError("The improvements of this run cannot be read; the file is damaged.")
    path: list[Improvement] = []
    iteration = 0
    for wait, error in zip(numbers[::2], numbers[1::2], strict=True):
        iteration += wait
        path.append((iteration, error))
    return path
