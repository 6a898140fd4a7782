"""Solves the linear systems I - Q of Markov chains, where Q has the probabilities between some of the states."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.engine.interruption import checkpoint

_ROWS_AT_ONCE: Final = 64
"""How many rows of the system are eliminated at a time."""
_MOST_NUMBERS: Final = 2_000_000
"""How many numbers of the system are changed between two checkpoints."""

_Numbers = npt.NDArray[np.float64]


class Elimination:
    """A system that is eliminated once and then solved for any right side. It overwrites the array it is given.

    Rows are eliminated in blocks, with checkpoints between them. No rows have to be swapped: in every row the
    number on the diagonal is at least as large as the others together, and stays so.
    """

    def __init__(self, system: _Numbers) -> None:
        self._system = system
        self._blocks = [slice(start, start + _ROWS_AT_ONCE) for start in range(0, len(system), _ROWS_AT_ONCE)]
        for rows in self._blocks:
            checkpoint()
            after = slice(rows.stop, None)
            system[rows, after] = np.linalg.solve(system[rows, rows], system[rows, after])
            strip = max(_MOST_NUMBERS // len(system), 1)
            for start in range(rows.stop, len(system), strip):
                checkpoint()
                others = slice(start, start + strip)
                system[others, after] -= system[others, rows] @ system[rows, after]

    def solved(self, right: _Numbers) -> _Numbers:
        """The solution for a right side, or for each column of it."""
        system = self._system
        solution = right.copy()
        for rows in self._blocks:
            checkpoint()
            after = slice(rows.stop, None)
            solution[rows] = np.linalg.solve(system[rows, rows], solution[rows])
            solution[after] -= system[after, rows] @ solution[rows]
        for rows in reversed(self._blocks):
            after = slice(rows.stop, None)
            solution[rows] -= system[rows, after] @ solution[after]
        return solution
