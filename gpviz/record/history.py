"""The history of a run: the append-only log of its iterations, from which every view reads."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.engine.boolean_function import TooMany, masks_of
from gpviz.engine.config import RunConfig
from gpviz.engine.mutation import apply, fresh_uids, leaves_after
from gpviz.engine.step import Step
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node, largest_uid
from gpviz.record.codes import FIELDS, Property, has_property, verdicts_of
from gpviz.record.columns import read_only
from gpviz.record.encoding import Encoder, Rows
from gpviz.record.fingerprint import RunningFingerprint
from gpviz.record.log import Changes, Log
from gpviz.record.seek import count_rows, next_row, previous_row

__all__ = ["History"]

_MAX_PENDING: Final = 512
_MOST_COUNTED: Final = 12
"""Counting the rows of a function with no more prime implicants than that takes no time."""


class History:
    """What happened in the run of ``config`` from ``start``.

    Iterations count from 1; iteration 0 is the start, which has a tree and an error but no step. The arrays are
    read-only and never change; ask again to see later iterations. Their ``start`` and ``stop`` are iterations,
    with ``stop`` left out as in a range; element 0 belongs to iteration ``start``.
    """

    def __init__(self, config: RunConfig, start: Node | None = None) -> None:
        self.config = config
        self.start = start
        self.first_uid = largest_uid(start) + 1
        self._length = 0
        self._log = Log(start)
        self._pending: list[Step] = []  # many at once enter the log far faster than one by one
        self._fingerprint = RunningFingerprint(self._log.columns)
        self._proof = (-1, "")  # how many iterations were fingerprinted last, and what came of it
        self._configs = [(0, config)]  # from which iteration on which one holds

    def beginning(self, iterations: int, config: RunConfig | None = None) -> "History":
        """A history of its own with the first iterations of this one, which goes on under ``config``.

        It shares the trees and copies the columns, so that it is made fast and neither changes the other.
        """
        if not 0 <= iterations <= self._length:
            raise IndexError(f"{iterations} iterations of a history with {self._length}")
        copy = History(config or self.config, self.start)
        copy._length = iterations
        copy._log = self._settled().beginning(iterations)
        copy._fingerprint = RunningFingerprint(copy._log.columns)
        copy._configs = [entry for entry in self._configs if entry[0] <= iterations]
        if copy.config != copy._configs[-1][1]:
            copy._configs.append((iterations + 1, copy.config))
        return copy

    def config_at(self, iteration: int) -> RunConfig:
        """The configuration under which this iteration was made; a branch may have changed it on the way."""
        return next(config for first, config in reversed(self._configs) if first <= iteration)

    def config_after(self, iteration: int) -> RunConfig:
        """The configuration under which the run went on, or goes on, after this iteration."""
        return self.config_at(iteration + 1)

    @property
    def configs(self) -> tuple[tuple[int, RunConfig], ...]:
        """From which iteration on which configuration holds, the first from 0 on."""
        return tuple(self._configs)

    def shared_with(self, other: "History", at_least: int = 0) -> int:
        """How many iterations both begin with; so many are known to be the same."""
        shared = min(len(self), len(other))
        for mine, theirs in zip(self._settled().columns, other._settled().columns, strict=True):
            differs = mine.view(at_least, shared) != theirs.view(at_least, shared)
            if differs.any():
                shared = at_least + int(differs.argmax())
        return shared

    def __len__(self) -> int:
        """The number of iterations."""
        return self._length

    def append(self, step: Step) -> None:
        """Add the next iteration."""
        length = self._length + 1
        if step[0] != length:
            raise ValueError(f"iteration {step.iteration} cannot follow iteration {self._length}")
        self._length = length
        pending = self._pending
        pending.append(step)
        if len(pending) >= _MAX_PENDING:
            self._settled()

    def extend(self, steps: list[Step]) -> None:
        """Add the next iterations, faster than one by one."""
        if steps:
            self.take_in(self._settled().encoder.encode(steps))

    @property
    def encoder(self) -> Encoder:
        """What makes rows of the steps after those that are recorded; then they can be taken in."""
        return self._settled().encoder

    def take_in(self, rows: Rows) -> None:
        """Add the next iterations, as this history's encoder has made rows of them."""
        log = self._settled()
        if rows.first != self._length + 1:
            raise ValueError(f"iteration {rows.first} cannot follow iteration {self._length}")
        log.add(rows)
        self._length += rows.iterations
        self._fingerprint.absorb_block()

    def step_at(self, iteration: int) -> Step:
        """The step that was appended for this iteration."""
        row = self._row(iteration)
        log = self._settled()
        fields = FIELDS[log.codes[row]]
        mutation = log.mutation(row)
        tree = log.tree(iteration)
        parent_error = log.error_codes.decode(log.parent_errors[row])
        offspring_error = log.error_codes.decode(log.offspring_errors[row])
        if fields.verdict.is_accepted:
            offspring_leaves = 0 if tree is None else tree.leaves
        else:
            offspring_leaves = leaves_after(tree, mutation)
        return Step(
            iteration,
            *mutation,
            verdict=fields.verdict,
            offspring_leaves=offspring_leaves,
            offspring_error=offspring_error,
            parent_error=parent_error,
            error=offspring_error if fields.verdict.is_accepted else parent_error,
            tree=tree,
            is_truly_worse=fields.is_truly_worse,
        )

    def tree_at(self, iteration: int) -> Node | None:
        """The tree that survived this iteration; at 0 the start."""
        if iteration:
            self._row(iteration)
        return self._settled().tree(iteration)

    def offspring_at(self, iteration: int) -> Node | None:
        """The tree this iteration proposed, whether it survived or not."""
        step = self.step_at(iteration)
        if step.is_accepted:
            return step.tree
        return apply(step.tree, step.mutation, fresh_uids(self.first_uid, iteration))

    def error_at(self, iteration: int) -> int | None:
        """The error of the tree that survived this iteration; None where there is none, or it is not known."""
        return self.step_at(iteration).error if iteration else self.start_error

    @property
    def start_error(self) -> int | None:
        """The error of the start where it is recorded or quickly counted; in a sampled run it has none."""
        if self.start is None or self.config.is_sampled:
            return None
        if self._length:
            return self.step_at(1).parent_error
        value = self.start.value
        if isinstance(value, TooMany) or len(masks_of(value)) > _MOST_COUNTED:
            return None  # it may take seconds, and the first step will tell
        return target_for(self.config.n).error(self.start)

    def codes(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.uint8]:
        """What was drawn and what came of it, in the codes of `gpviz.record.codes`."""
        return self._settled().codes.view(*self._rows(start, stop))

    def verdicts(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.uint8]:
        """The verdicts, as indices into `gpviz.record.codes.VERDICTS`."""
        return read_only(verdicts_of(self.codes(start, stop)))

    def errors(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.float64]:
        """The error of the surviving tree; nan where it has none."""
        log, rows = self._settled(), self._rows(start, stop)
        is_accepted = has_property(log.codes.view(*rows), Property.ACCEPTED)
        codes = np.where(is_accepted, log.offspring_errors.view(*rows), log.parent_errors.view(*rows))
        return read_only(log.error_codes.as_floats(codes))

    def offspring_errors(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.float64]:
        """The error of the offspring; nan where it was rejected unseen, and for the empty tree."""
        log = self._settled()
        return read_only(log.error_codes.as_floats(log.offspring_errors.view(*self._rows(start, stop))))

    def changes(self) -> Changes:
        """When the tree changed, and its size from then on."""
        return self._settled().changes()

    def next_where(self, wanted: Property, iteration: int) -> int | None:
        """The first iteration after this one that has the property."""
        row = next_row(self.codes(), wanted, max(iteration, 0))
        return None if row is None else row + 1

    def previous_where(self, wanted: Property, iteration: int) -> int | None:
        """The last iteration before this one that has the property."""
        row = previous_row(self.codes(), wanted, min(iteration - 1, self._length))
        return None if row is None else row + 1

    def count_where(self, wanted: Property, start: int = 1, stop: int | None = None) -> int:
        """How many of the iterations have the property."""
        return count_rows(self.codes(start, stop), wanted)

    def fingerprint(self) -> str:
        """The same text for equal logs on every platform, however they came about."""
        if self._proof[0] != self._length:
            log = self._settled()
            text = self._fingerprint.of(log.large_errors, log.tree(self._length))
            self._proof = (self._length, text)
        return self._proof[1]

    def _settled(self) -> Log:
        """The log with all the iterations in it."""
        if self._pending:
            self._log.add(self._log.encoder.encode(self._pending))
            self._pending = []
        return self._log

    def _row(self, iteration: int) -> int:
        if not 1 <= iteration <= self._length:
            raise IndexError(f"iteration {iteration} of a history with {self._length}")
        return iteration - 1

    def _rows(self, start: int, stop: int | None) -> tuple[int, int]:
        last = self._length if stop is None else min(stop - 1, self._length)
        first = max(start - 1, 0)
        return first, max(first, last)
