"""The rows that an iteration of a sampled run drew: where they are on a grid, and which of them decided."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine import Node, RunConfig
from gpviz.engine.boolean_function import TooMany, support, union, variables_in
from gpviz.engine.fitness import evaluate
from gpviz.engine.randomness import columns, key_of, word
from gpviz.engine.target import target_for
from gpviz.engine.tree import variables_of
from gpviz.record.rows_grid import Grid

__all__ = ["MOST_WITNESSES", "DrawnRows", "Witness", "drawn_rows"]

MOST_WITNESSES: Final = 1000
_COLUMNS_AT_ONCE: Final = 8
_WORD: Final = 64


class Witness(NamedTuple):
    """A drawn row on which one of parent and offspring is wrong and the other right."""

    number: int
    """Its place among the drawn rows, from 0."""

    is_parent_wrong: bool
    """Otherwise the offspring is."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DrawnRows:
    """The rows of one iteration. ``cells`` are places in the grid, row by row, and ``times`` how often each was
    drawn; ``outside`` counts the drawn rows that have no cell. Of the witnesses the first ones are listed."""

    n: int
    rows: int
    key: int
    cells: npt.NDArray[np.int64]
    times: npt.NDArray[np.int64]
    outside: int
    parent_error: int
    offspring_error: int
    only_parent: int
    only_offspring: int
    witnesses: tuple[Witness, ...]

    def mask_of(self, number: int) -> int:
        """The variables that are 1 in the drawn row of this number."""
        width = -(-self.rows // _WORD)
        block, bit = divmod(number, _WORD)
        return union(
            1 << variable
            for variable in range(self.n)
            if word(self.key, 1 + variable * width + block) >> bit & 1
        )


def drawn_rows(config: RunConfig, iteration: int, grid: Grid, parent: Node, offspring: Node) -> DrawnRows:
    """The rows that this iteration drew, and what the two trees are on them."""
    assert config.rows is not None
    assert config.sampler == "rows"
    rows, key = config.rows, key_of(config.seed, iteration)
    shown = union(1 << (variable - 1) for variable in grid.variables)
    drawn = columns(key, variables_in(shown | _needed(parent) | _needed(offspring)), rows)
    wanted = target_for(config.n).true_rows(drawn, key, rows)
    of_parent = evaluate(parent, drawn) ^ wanted
    of_offspring = evaluate(offspring, drawn) ^ wanted
    inside = _inside(grid, drawn, key, rows)
    cells, times = _cells(grid, drawn, inside, rows)
    decisive = of_parent ^ of_offspring
    return DrawnRows(
        n=config.n,
        rows=rows,
        key=key,
        cells=cells,
        times=times,
        outside=rows - inside.bit_count(),
        parent_error=of_parent.bit_count(),
        offspring_error=of_offspring.bit_count(),
        only_parent=(of_parent & decisive).bit_count(),
        only_offspring=(of_offspring & decisive).bit_count(),
        witnesses=_witnesses(decisive, of_parent, rows),
    )


def _inside(grid: Grid, drawn: dict[int, int], key: int, rows: int) -> int:
    """The drawn rows that have a cell: those in which all variables off the grid are 1."""
    inside = (1 << rows) - 1
    fixed = variables_in(grid.fixed)
    for start in range(0, len(fixed), _COLUMNS_AT_ONCE):
        if not inside:
            break
        some = fixed[start : start + _COLUMNS_AT_ONCE]
        missing = [variable for variable in some if variable not in drawn]
        known = columns(key, missing, rows) if missing else {}
        for variable in some:
            inside &= drawn[variable] if variable in drawn else known[variable]
    return inside


def _cells(
    grid: Grid, drawn: dict[int, int], inside: int, rows: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The cells of the drawn rows, each once, and how often it was drawn."""
    is_inside = _bits(inside, rows).view(np.bool_)

    def values(variable: int) -> npt.NDArray[np.uint8]:
        column = _bits(drawn[variable], rows)
        return column if is_all else column[is_inside]

    is_all = inside.bit_count() == rows
    down, across = grid.down, grid.across
    places = down.places[down.codes_from(values)] * across.length + across.places[across.codes_from(values)]
    times = np.bincount(places, minlength=1)
    cells = np.flatnonzero(times)
    return cells, times[cells]


def _bits(mask: int, length: int) -> npt.NDArray[np.uint8]:
    data = np.frombuffer(mask.to_bytes(-(-length // 8), "little"), dtype=np.uint8)
    return np.unpackbits(data, count=length, bitorder="little")


def _witnesses(decisive: int, of_parent: int, rows: int) -> tuple[Witness, ...]:
    """The first of the rows on which only one of the two is wrong."""
    if not decisive:
        return ()
    numbers = np.flatnonzero(_bits(decisive, rows))[:MOST_WITNESSES]
    is_parent = _bits(of_parent, rows)[numbers]
    return tuple(
        Witness(number, bool(wrong))
        for number, wrong in zip(numbers.tolist(), is_parent.tolist(), strict=True)
    )


def _needed(tree: Node) -> int:
    return variables_of(tree) if isinstance(tree.value, TooMany) else support(tree.value)
