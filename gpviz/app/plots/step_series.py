"""A series that is known only where it changes, such as the generalisation error, at every resolution."""

import numpy as np
import numpy.typing as npt

from gpviz.app.plots.series import Line, Pyramid, as_levels, step_line

__all__ = ["StepSeries"]


class StepSeries:
    """Values that hold from each of some iterations to the next, as levels of this many rows."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._iterations = np.empty(0, dtype=np.int64)
        self._shares = np.empty(0)
        self._pyramid = Pyramid()  # of all iterations before the last one that is known

    def show(self, iterations: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> None:
        """Take over these arrays, which begin like those before; other ones start the series anew."""
        known = min(len(self._iterations), len(iterations))
        is_longer = known == len(self._iterations)
        if not is_longer or (known and iterations[known - 1] != self._iterations[known - 1]):
            self._pyramid = Pyramid()
        self._iterations, self._shares = iterations, shares

    def take_in(self, most: int) -> bool:
        """Take in at most this many more iterations; whether all that are known are in now."""
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
        """What holds between two iterations, in about this many columns."""
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
        """What holds at an iteration; None where nothing does."""
        place = int(self._iterations.searchsorted(iteration, side="right")) - 1
        return None if place < 0 or np.isnan(self._shares[place]) else float(self._shares[place])

    def _levels(self, first: int, last: int) -> npt.NDArray[np.float64]:
        return as_levels(self._shares[first:last] * self._rows)
