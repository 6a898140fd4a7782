"""Where the worker leaves its steps and the window picks them up: bounded, so that neither runs away."""

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from gpviz.record.encoding import Rows

__all__ = ["Batch", "Mailbox"]

_MAX_ITERATIONS: Final = 20_000


@dataclass(slots=True)
class Batch:
    """Some consecutive iterations of one run, ready for its history, and why they end here if they do.

    ``is_done`` says that the worker has done what it was told with the ``order`` of this number. ``pause`` is a
    reason to pause after the last of them.
    ``true_errors`` has, for sampled runs, the generalisation error wherever the tree changed.
    """

    run_id: int
    rows: list[Rows] = field(default_factory=list)
    true_errors: list[tuple[int, float]] = field(default_factory=list)
    stuck_since: int | None = None
    pause: str | None = None
    problem: str | None = None
    is_done: bool = False
    order: int = 0

    @property
    def iterations(self) -> int:
        """How many there are."""
        return sum(rows.iterations for rows in self.rows)


class Mailbox:
    """Batches on their way from one thread to the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: deque[Batch] = deque()
        self._iterations = 0

    @property
    def has_room(self) -> bool:
        """Whether the window keeps up; if not, the worker waits for it."""
        return self._iterations < _MAX_ITERATIONS

    @property
    def is_empty(self) -> bool:
        return not self._batches

    def put(self, batch: Batch) -> bool:
        """Leave a batch; True if the mailbox was empty."""
        with self._lock:
            was_empty = not self._batches
            self._batches.append(batch)
            self._iterations += batch.iterations
        return was_empty

    def take_all(self) -> list[Batch]:
        """Everything that has arrived, in order."""
        with self._lock:
            batches = list(self._batches)
            self._batches.clear()
            self._iterations = 0
        return batches
