"""The data of the curves at every resolution, so that a run of millions of iterations is drawn fast.

Hardly anything here takes longer for a longer run: new iterations are taken in once, and what is visible is put
together from blocks that are about as wide as a pixel. Errors are kept as log2(error + 1), which holds errors of
any size in 32 bits.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.engine import Verdict
from gpviz.runs.append_only_columns import Column
from gpviz.runs.growing_error_chance import GrowingErrorChances
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS, verdicts_of

BLOCK: Final = 64
"""The rows between two stored sums; a lookup reads fewer rows than this, besides the sums."""

_KINDS: Final = len(VERDICTS)

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
_BASE: Final = 64
_FACTOR: Final = 2
_CAPACITY: Final = 1 << 17
_LARGEST_EXACT: Final = 2.0**53
"""Floats cannot hold every whole number beyond this one."""
_IMPROVED: Final = VERDICTS.index(Verdict.IMPROVED)
_WORSE: Final = VERDICTS.index(Verdict.WORSE)


class VerdictCounts:
    """How often each verdict was given between any two iterations of a run, however long the run is.

    It keeps sums of the verdicts at every block of the run's codes, in the order of `VERDICTS`. The codes
    themselves stay where they are; a third of a byte is kept for each of them.
    """

    def __init__(self) -> None:
        self._codes: npt.NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
        self._sums = Column(np.int32)  # those of the whole blocks before, _KINDS in a row for each block
        self._sums.extend(np.zeros(_KINDS, dtype=np.int32))

    def __len__(self) -> int:
        """The number of iterations taken in."""
        return len(self._codes)

    def take_in(self, codes: npt.NDArray[np.uint8]) -> None:
        """Take in the codes that are new; ``codes`` are those of all iterations from the first on."""
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
        positions = blocks[:, None] * BLOCK + np.arange(BLOCK)
        codes = self._codes[np.minimum(positions, len(self._codes) - 1)]
        verdicts = np.where(positions < rows[:, None], verdicts_of(codes).reshape(positions.shape), _KINDS)
        for kind in range(_KINDS):
            counts[:, kind] += np.count_nonzero(verdicts == kind, axis=1)
        return counts

    def between(self, start: int, stop: int) -> tuple[int, ...]:
        """How often each verdict was given in the iterations from ``start`` up to, not including, ``stop``."""
        first, last = self.before([start, max(start, stop)])
        return tuple((last - first).tolist())


class FullCounts:
    """How many of the iterations up to any other had a full parent: one with as many leaves as the limit allows.

    It keeps the iterations after which parents were full, or no longer were, in turn.
    """

    def __init__(self) -> None:
        self._length = 0
        self._turns = Column(np.int64)
        self._sums = Column(np.int64)  # of the full ones up to each turn
        for column in (self._turns, self._sums):
            column.extend(np.zeros(1, dtype=np.int64))  # at first they are not full

    def __len__(self) -> int:
        """The number of iterations taken in."""
        return self._length

    def take_in(self, history: History, stop: int) -> None:
        """Take in the iterations that are new, up to, not including, ``stop``."""
        changes = history.changes()
        for start, end, config in history.stretches(self._length + 1, stop):
            # The parent of an iteration is the tree of the one before.
            first = int(changes.iterations.searchsorted(start - 1, side="right")) - 1
            last = int(changes.iterations.searchsorted(end - 2, side="right"))
            limit = config.max_leaves
            if limit is None:
                self._add(np.array([start - 1]), np.zeros(1, dtype=np.bool_))
            else:
                froms = np.maximum(changes.iterations[first:last], start - 1)
                self._add(froms, changes.leaves[first:last] >= limit)
            self._length = end - 1

    def before(self, positions: npt.ArrayLike) -> Floats:
        """How many iterations up to each position had a full parent; a part of an iteration counts as a part."""
        at = np.clip(np.asarray(positions, dtype=np.float64), 0, self._length)
        turns = self._turns.view()
        numbers = turns.searchsorted(at, side="right") - 1
        return np.asarray(self._sums.view()[numbers] + (numbers % 2) * (at - turns[numbers]))

    def shares(self, positions: npt.NDArray[np.float64]) -> Floats:
        """The share of iterations with a full parent between each two of these positions, which must ascend."""
        return np.asarray(np.diff(self.before(positions)) / np.diff(positions))

    def _add(self, froms: Integers, is_full: npt.NDArray[np.bool_]) -> None:
        was_full = len(self._turns) % 2 == 0
        is_turn = np.diff(is_full, prepend=was_full)
        turns = froms[is_turn]
        if len(turns):
            last_turn, last_sum = self._turns[len(self._turns) - 1], self._sums[len(self._sums) - 1]
            lengths = np.diff(turns, prepend=last_turn) * ~is_full[is_turn]
            self._turns.extend(turns)
            self._sums.extend(last_sum + np.cumsum(lengths))


class StageCounts:
    """How many iterations of a run on the complete truth table began in each stage of the drift theorem.

    An iteration is in the stage of its parent's error; the empty tree has no error and is in none.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._n = history.config.n
        self._bounds = [float(bound) for bound in stage_bounds(self._n)]
        error = history.error_at(0)
        self._turns = [] if not error else [(0, stage_of(error, self._n))]

    def add(self, iterations: Integers, errors: Floats) -> None:
        """Add iterations, in their order, each with the error that the tree has from there on."""
        for iteration, error in zip(iterations.tolist(), errors.tolist(), strict=True):
            stage = bisect_right(self._bounds, error) - 1
            if error > _LARGEST_EXACT and error == self._bounds[stage]:  # the float may have been rounded up
                stage = stage_of(self._history.step_at(iteration).error or 0, self._n)
            if not self._turns or self._turns[-1][1] != stage:
                self._turns.append((iteration, stage))

    def up_to(self, iteration: int) -> list[int]:
        """How many iterations up to this one began in each stage, those below n first."""
        counts = [0] * len(self._bounds)
        ends = [start for start, _ in self._turns[1:]] + [iteration]
        for (start, stage), end in zip(self._turns, ends, strict=False):
            if stage >= 0:  # a tree without error is in no stage
                counts[stage] += max(min(end, iteration) - start, 0)
        return counts


class Line(NamedTuple):
    """A curve as points to connect; ``is_dense`` where each pixel holds many values."""

    x: Floats
    y: Floats
    is_dense: bool = False


class Points(NamedTuple):
    """Iterations and their levels, of which every ``stride``-th is kept."""

    x: Integers
    y: Floats
    stride: int = 1


def as_levels(errors: npt.ArrayLike) -> Floats:
    """log2(error + 1), the level of an error on a logarithmic scale that has 0 too."""
    return np.log2(np.asarray(errors, dtype=np.float64) + 1.0)


class Pyramid:
    """The least and the largest of every 64, 128, 256, ... consecutive values."""

    def __init__(self) -> None:
        self._length = 0
        self._rest = np.empty(0, dtype=np.float32)  # what fills no block yet
        self._levels: list[tuple[Column[np.float32], Column[np.float32]]] = []

    def __len__(self) -> int:
        return self._length

    def extend(self, values: npt.NDArray[np.float32]) -> None:
        """Add values at the end; nan stands for a missing one."""
        self._length += len(values)
        values = np.concatenate([self._rest, values])
        whole = len(values) - len(values) % _BASE
        self._rest = values[whole:].copy()
        if whole:
            blocks = values[:whole].reshape(-1, _BASE)
            self._add(0, np.fmin.reduce(blocks, axis=1), np.fmax.reduce(blocks, axis=1))

    @staticmethod
    def is_better(start: int, stop: int, most: int) -> bool:
        """Whether so many iterations fall into a column that blocks are enough, and faster."""
        return stop - start > most * _BASE

    def line(self, start: int, stop: int, most: int) -> Line:
        """A line that goes up and down between the least and largest values of at most about ``most`` blocks."""
        start, stop = max(start, 0), min(stop, self._length)
        level, size = 0, _BASE
        while level + 1 < len(self._levels) and (stop - start) > most * size:
            level, size = level + 1, size * _FACTOR
        xs, lows, highs = [], [], []
        position = start
        for depth in range(min(level, len(self._levels) - 1), -1, -1):
            low, high = self._levels[depth]
            first, last = position // size, min(-(-stop // size), len(low))
            if last > first:
                xs.append((np.arange(first, last) + 0.5) * size)
                lows.append(low.view(first, last))
                highs.append(high.view(first, last))
                position = last * size
            size //= _FACTOR
        rest_start = self._length - len(self._rest)
        rest = self._rest[max(position - rest_start, 0) : max(stop - rest_start, 0)]
        if len(rest):
            xs.append(np.array([self._length - 0.5 * len(rest)]))
            lows.append(np.fmin.reduce(rest, keepdims=True))
            highs.append(np.fmax.reduce(rest, keepdims=True))
        if not xs:
            return Line(np.empty(0), np.empty(0), is_dense=True)
        x = np.repeat(np.clip(np.concatenate(xs), start, stop), 2)
        y = np.empty(len(x))
        y[0::2] = np.concatenate(lows)
        y[1::2] = np.concatenate(highs)
        return Line(x, y, is_dense=True)

    def _add(self, depth: int, lows: npt.NDArray[np.float32], highs: npt.NDArray[np.float32]) -> None:
        """Add blocks to a level, and those they fill to the levels above."""
        if depth == len(self._levels):
            self._levels.append((Column(np.float32), Column(np.float32)))
        low, high = self._levels[depth]
        done = len(low) // _FACTOR
        low.extend(lows)
        high.extend(highs)
        whole = len(low) // _FACTOR
        if whole > done:
            new = slice(done * _FACTOR, whole * _FACTOR)
            self._add(
                depth + 1,
                np.fmin.reduce(low.view(new.start, new.stop).reshape(-1, _FACTOR), axis=1),
                np.fmax.reduce(high.view(new.start, new.stop).reshape(-1, _FACTOR), axis=1),
            )


class Thinned:
    """Every ``stride``-th of many points, the stride being the smallest power of two that keeps them few.

    Since all points have the same chance to be kept, what is drawn of them is as dense as they are.
    """

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self.stride = 1
        self.total = 0
        self._capacity = capacity
        self._x = Column(np.int64)
        self._y = Column(np.float32)

    def extend(self, x: Integers, y: Floats) -> None:
        """Add points at the end, in the order of ``x``."""
        first = -self.total % self.stride
        self.total += len(x)
        self._x.extend(x[first :: self.stride])
        self._y.extend(y[first :: self.stride].astype(np.float32))
        while len(self._x) > self._capacity:
            kept_x, kept_y = self._x.view()[::2], self._y.view()[::2]
            self.stride *= 2
            self._x, self._y = Column(np.int64), Column(np.float32)
            self._x.extend(kept_x)
            self._y.extend(kept_y)

    def between(self, start: int, stop: int) -> Points:
        """The kept points with ``start <= x <= stop``."""
        first, last = self._x.view().searchsorted([start, stop + 1])
        return Points(self._x.view(first, last), self._y.view(first, last).astype(np.float64), self.stride)


def step_line(iterations: Integers, values: npt.NDArray[Any], start: int, stop: int, most: int) -> Line:
    """Values that hold from each of the iterations to the next, as a line of steps from ``start`` to ``stop``.

    Where there are more than ``most`` changes, those that fall into the same of ``most`` columns are drawn as
    their first, least, largest and last value, which looks the same.
    """
    first = max(int(iterations.searchsorted(start, side="right")) - 1, 0)
    last = int(iterations.searchsorted(stop, side="right"))
    if last <= first:
        return Line(np.empty(0), np.empty(0))
    x = np.maximum(iterations[first:last], start).astype(np.float64)
    y = values[first:last].astype(np.float64)
    is_dense = len(x) > most
    if is_dense:
        columns = ((x - start) * (most / max(stop - start, 1))).astype(np.int64)
        heads = np.flatnonzero(np.diff(columns, prepend=-1))
        tails = np.append(heads[1:], len(x)) - 1
        shape = (y[heads], np.fmin.reduceat(y, heads), np.fmax.reduceat(y, heads), y[tails])
        x, y = np.repeat(x[heads], 4), np.stack(shape, axis=1).ravel()
    ends = np.append(x[1:], max(float(stop), x[-1]))
    return Line(np.stack([x, ends], axis=1).ravel(), np.repeat(y, 2), is_dense)


class RunSeries:
    """Everything the curves draw of one history; it is filled by `take_in`."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.length = 0
        """The iterations taken in so far."""
        self.highest = 0.0
        """The largest level of an error so far, of trees and of offspring."""
        self.counts = VerdictCounts()
        self.improved = Thinned()
        self.worse = Thinned()
        self._sampled = Pyramid() if history.config.is_sampled else None
        self._sizes = Pyramid(), Pyramid(), Pyramid()
        self.full = FullCounts()
        is_sampled = any(config.is_sampled for _, config in history.configs)
        self.stages = None if is_sampled else StageCounts(history)
        self.chances = GrowingErrorChances(history)
        self._error_iterations = Column(np.int64)
        self._error_levels = Column(np.float64)
        error = history.error_at(0)
        if error is not None:
            self.highest = float(as_levels(float(error)))
            self._error_iterations.extend(np.zeros(1, dtype=np.int64))
            self._error_levels.extend(np.array([self.highest]))
        for pyramid, values in self._size_columns():
            pyramid.extend(values[:1].astype(np.float32))
        if self._sampled is not None:
            self._sampled.extend(np.full(1, np.nan, dtype=np.float32))

    def take_in(self, most: int) -> bool:
        """Take in at most this many of the new iterations; returns whether all of them are in now."""
        start = self.length + 1
        stop = min(len(self.history), self.length + most) + 1
        if stop > start:
            self.length = stop - 1
            self.counts.take_in(self.history.codes(1, stop))
            self._take_in_errors(start, stop)
            self._take_in_sizes(start, stop)
            self.full.take_in(self.history, stop)
        return self.length >= len(self.history)

    def error_line(self, start: int, stop: int, most: int) -> Line:
        """The error of the surviving tree, as levels; in a sampled run on the rows of each iteration."""
        stop = min(stop, self.length)
        if self._sampled is None:
            return step_line(self._error_iterations.view(), self._error_levels.view(), start, stop, most)
        if Pyramid.is_better(start, stop, most):
            return self._sampled.line(start, stop + 1, 2 * most)
        start = max(start, 1)
        levels = as_levels(self.history.errors(start, stop + 1))
        return step_line(np.arange(start, start + len(levels)), levels, start, stop, most)

    def size_lines(self, start: int, stop: int, most: int) -> tuple[Line, Line, Line]:
        """The numbers of leaves, of ORs and of different variables."""
        stop = min(stop, self.length)
        if Pyramid.is_better(start, stop, most):
            leaves, ors, distinct = (pyramid.line(start, stop + 1, 2 * most) for pyramid in self._sizes)
        else:
            iterations = self.history.changes().iterations
            leaves, ors, distinct = (
                step_line(iterations, values, start, stop, most) for _, values in self._size_columns()
            )
        return leaves, ors, distinct

    def improvements(self, start: int, stop: int, most: int) -> Points:
        """The iterations that made the error smaller, and their levels."""
        return self._points(_IMPROVED, self.improved, start, stop, most)

    def rejections(self, start: int, stop: int, most: int) -> Points:
        """The iterations whose offspring was worse, and the levels of these."""
        return self._points(_WORSE, self.worse, start, stop, most)

    def _points(self, verdict: int, kept: Thinned, start: int, stop: int, most: int) -> Points:
        start, stop = max(start, 1), min(stop, self.length)
        x, y, stride = kept.between(start, stop)
        if stride > 1 and 2 * len(x) < most:
            # A look from nearby: here the kept ones are too few, and the history has them all.
            rows = np.flatnonzero(self.history.verdicts(start, stop + 1) == verdict)
            step = _stride(len(rows), most)
            ordinal = int(self.counts.before([start])[0, verdict])
            rows = rows[-ordinal % step :: step]  # the same ones wherever the window starts
            return Points(rows + start, as_levels(self.history.offspring_errors(start, stop + 1)[rows]), step)
        step = _stride(len(x), most)
        if step > 1:
            first = int(self.counts.before([x[0]])[0, verdict]) // stride
            x, y = x[-first % step :: step], y[-first % step :: step]
        return Points(x, y, stride * step)

    def _take_in_errors(self, start: int, stop: int) -> None:
        verdicts = self.history.verdicts(start, stop)
        is_marked = (verdicts == _IMPROVED) | (verdicts == _WORSE)
        errors = self.history.offspring_errors(start, stop)[is_marked]
        offspring = as_levels(errors)
        iterations = np.flatnonzero(is_marked) + start
        is_improved = verdicts[is_marked] == _IMPROVED
        self.improved.extend(iterations[is_improved], offspring[is_improved])
        self.worse.extend(iterations[~is_improved], offspring[~is_improved])
        if self._sampled is not None:
            levels = as_levels(self.history.errors(start, stop))
            self._sampled.extend(levels.astype(np.float32))
            self._raise(levels)
        else:
            # On all rows the error changes with an improvement, and with nothing else.
            self._error_iterations.extend(iterations[is_improved])
            self._error_levels.extend(offspring[is_improved])
        if self.stages is not None:
            self.stages.add(iterations[is_improved], errors[is_improved])
        self._raise(offspring)

    def _take_in_sizes(self, start: int, stop: int) -> None:
        changes = self.history.changes()
        first = int(changes.iterations.searchsorted(start, side="right")) - 1
        last = int(changes.iterations.searchsorted(stop, side="left"))
        edges = np.append(np.maximum(changes.iterations[first:last], start), stop)
        lengths = np.diff(edges)
        for pyramid, values in self._size_columns():
            pyramid.extend(np.repeat(values[first:last].astype(np.float32), lengths))

    def _size_columns(self) -> Iterator[tuple[Pyramid, npt.NDArray[Any]]]:
        """The leaves, the ORs and the different variables of each new tree, and where they are kept."""
        changes = self.history.changes()
        return zip(self._sizes, (changes.leaves, changes.ors, changes.distinct), strict=True)

    def _raise(self, levels: Floats) -> None:
        if len(levels):
            self.highest = max(self.highest, float(np.fmax.reduce(levels, initial=0.0)))


def _stride(count: int, most: int) -> int:
    """The smallest power of two that leaves at most this many."""
    stride = 1
    while count > most * stride:
        stride *= 2
    return stride


class StepSeries:
    """A series that is known only where it changes, such as the generalisation error, at every resolution.

    Its values hold from each of some iterations to the next; they are given as levels of this many rows.
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._iterations = np.empty(0, dtype=np.int64)
        self._shares = np.empty(0)
        self._pyramid = Pyramid()  # of all iterations before the last one that is known

    def show(self, iterations: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> None:
        """Use these arrays instead; if they do not begin like the ones before, the series starts anew."""
        known = min(len(self._iterations), len(iterations))
        is_longer = known == len(self._iterations)
        if not is_longer or (known and iterations[known - 1] != self._iterations[known - 1]):
            self._pyramid = Pyramid()
        self._iterations, self._shares = iterations, shares

    def take_in(self, most: int) -> bool:
        """Take in at most this many more iterations; returns whether all that are known are in now."""
        if not len(self._iterations):
            return True
        end = int(self._iterations[-1])
        start, stop = len(self._pyramid), min(len(self._pyramid) + most, end)
        if stop > start:
            first = int(self._iterations.searchsorted(start, side="right")) - 1
            if first < 0:  # nothing is known of the first iterations
                stop = min(stop, int(self._iterations[0]))
                self._pyramid.extend(np.full(stop - start, np.nan, dtype=np.float32))
                return stop >= end
            last = int(self._iterations.searchsorted(stop, side="left"))
            edges = np.append(np.maximum(self._iterations[first:last], start), stop)
            self._pyramid.extend(np.repeat(self._levels(first, last).astype(np.float32), np.diff(edges)))
        return stop >= end

    def line(self, start: int, stop: int, most: int) -> Line:
        """The line between two iterations, in about this many columns."""
        if not self._pyramid.is_better(start, stop, most):
            line = step_line(self._iterations, self._shares, start, stop, most)
            return line._replace(y=as_levels(line.y * self._rows))
        line = self._pyramid.line(start, stop, 2 * most)
        if not len(line.x) or len(self._pyramid) < self._iterations[-1]:
            return line
        last = float(self._levels(len(self._shares) - 1, len(self._shares))[0])
        return line._replace(
            x=np.append(line.x, [self._iterations[-1], stop]), y=np.append(line.y, [last, last])
        )

    def share_at(self, iteration: int) -> float | None:
        """The value at an iteration; None where there is none."""
        position = int(self._iterations.searchsorted(iteration, side="right")) - 1
        return None if position < 0 or np.isnan(self._shares[position]) else float(self._shares[position])

    def _levels(self, first: int, last: int) -> npt.NDArray[np.float64]:
        return as_levels(self._shares[first:last] * self._rows)
