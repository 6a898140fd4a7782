"""The truth table of a moment: its rows as a grid, right, wrong, fixed or broken by the step, and in sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine import UNICODE, Function, Leaf, Node, RunConfig, TooComplexError, Verdict
from gpviz.engine.interruption import checkpoint
from gpviz.engine.prime_implicants import TooMany, masks_of, support, union, variables_in
from gpviz.engine.randomness import columns, key_of, word
from gpviz.engine.sampled_error import evaluate
from gpviz.engine.target import target_for
from gpviz.engine.tree import Inner, nodes_of, variables_of
from gpviz.explain.moment import Moment
from gpviz.number_text import counted, number_text, rows_text

MOST_COMPLETE: Final = 20
"""With more variables than that, the table is not shown as a whole."""

_MOST_SHOWN: Final = 16
_MOST_MISSING: Final = 4
"""So many of the variables shown are ones that the trees do not use, since that is where they are wrong."""

_MOST_BYTES: Final = 1 << 26
"""For what a tree with too many products has on the way; more than that is done a part of the grid at a time."""
_WORD: Final = 64
_Bits = npt.NDArray[np.unsignedinteger]
_Part = Function | list[tuple[int, int]]
"""A part of a tree, in preorder: a function of the next two, or products, each as the codes of its variables."""
MOST_WITNESSES: Final = 1000
_COLUMNS_AT_ONCE: Final = 8
_QUICK_VARIABLES: Final = 18
_QUICK_LEAVES: Final = 400
_QUICK_PRODUCTS: Final = 24
_QUICK_ROWS: Final = 20_000
"""What is larger than these takes longer than a few milliseconds."""


class Axis:
    """The assignments of some variables in Gray-code order; the first variable changes least often."""

    def __init__(self, variables: tuple[int, ...]) -> None:
        self.variables = variables
        self.length = 1 << len(variables)
        steps = np.arange(self.length, dtype=np.uint32)
        self.codes = ~(steps ^ (steps >> 1)) & np.uint32(self.length - 1)
        """For each position, the assignment; the first variable is the highest bit."""
        self.positions = np.empty(self.length, dtype=np.int64)
        """For each assignment, its position."""
        self.positions[self.codes] = np.arange(self.length)
        highest = len(variables) - 1
        self._bits = [
            (1 << (variable - 1), 1 << (highest - i), highest - i) for i, variable in enumerate(variables)
        ]

    def code_of(self, mask: int) -> int:
        """The variables of a mask that are on this axis, in this axis's own bits."""
        code = 0
        for bit, own, _ in self._bits:
            if mask & bit:
                code |= own
        return code

    def mask_of(self, position: int) -> int:
        """The variables of this axis that are 1 at a position."""
        code = int(self.codes[position])
        return union(bit for bit, own, _ in self._bits if code & own)

    def values_of(self, variable: int) -> npt.NDArray[np.bool_]:
        """For each position, whether this variable is 1 there."""
        shift = len(self.variables) - 1 - self.variables.index(variable)
        return ((self.codes >> np.uint32(shift)) & np.uint32(1)).astype(np.bool_)

    def codes_from(self, values: Callable[[int], npt.NDArray[np.uint8]]) -> npt.NDArray[np.uint32]:
        """The codes of many assignments, given by each variable's values on them as zeros and ones."""
        codes = np.zeros(1, dtype=np.uint32)
        for variable, (_, _, shift) in zip(self.variables, self._bits, strict=True):
            checkpoint()
            codes = codes | (values(variable).astype(np.uint32) << np.uint32(shift))
        return codes


@dataclass(frozen=True)
class Grid:
    """The rows of a truth table laid out in Gray-code order: which cell is which assignment.

    The first half of the variables shown runs down, the others run across. Along either side the assignments
    follow a Gray code, so that neighbouring cells differ in exactly one variable. In the top left cell every
    variable is 1; it is the only row on which AND_n is true. Of a large table only a part is shown: every
    variable that is not on the grid is 1 there.
    """

    n: int
    variables: tuple[int, ...]

    @cached_property
    def down(self) -> Axis:
        return Axis(self.variables[: len(self.variables) // 2])

    @cached_property
    def across(self) -> Axis:
        return Axis(self.variables[len(self.variables) // 2 :])

    @property
    def shape(self) -> tuple[int, int]:
        """The number of its rows and of its columns."""
        return self.down.length, self.across.length

    @property
    def is_complete(self) -> bool:
        """Whether every row of the truth table has a cell."""
        return len(self.variables) == self.n

    @cached_property
    def fixed(self) -> int:
        """The mask of the variables that are 1 in all cells, as they are not on the grid."""
        return ((1 << self.n) - 1) & ~union(1 << (variable - 1) for variable in self.variables)

    def assignment_of(self, row: int, column: int) -> int:
        """The mask of the variables that are 1 in a cell."""
        return self.down.mask_of(row) | self.across.mask_of(column) | self.fixed

    def cell_of(self, mask: int) -> tuple[int, int] | None:
        """The row and the column of an assignment; None where it has no cell."""
        if self.fixed & ~mask:
            return None
        down, across = self.down, self.across
        return int(down.positions[down.code_of(mask)]), int(across.positions[across.code_of(mask)])


@lru_cache(maxsize=32)
def _grid(n: int, variables: tuple[int, ...]) -> Grid:
    return Grid(n, variables)


def grid_for(n: int, *trees: Node) -> Grid:
    """The grid on which these trees are looked at: all variables, or of many those that tell most."""
    if n <= MOST_COMPLETE:
        return _grid(n, tuple(range(1, n + 1)))
    counts = [_occurrences(tree) for tree in trees]
    used = _by_relevance(counts)
    known = set(used)
    missing = [variable for variable in range(1, n + 1) if variable not in known]
    chosen = used[: _MOST_SHOWN - min(_MOST_MISSING, len(missing))]
    chosen += missing[: _MOST_SHOWN - len(chosen)]
    # Dealt out in turn, as a side with all that are missing would leave the other one empty.
    return _grid(n, (*sorted(chosen[::2]), *sorted(chosen[1::2])))


def _by_relevance(counts: list[tuple[int, dict[int, int]]]) -> list[int]:
    """Those in which the trees differ come first, then those needed in a part of a tree only."""
    used = {variable for _, seen in counts for variable in seen}

    def order(variable: int) -> tuple[bool, bool, int, int]:
        times = [seen.get(variable, 0) for _, seen in counts]
        is_everywhere = all(time == whole for time, (whole, _) in zip(times, counts, strict=True))
        return len(set(times)) == 1, is_everywhere, -sum(times), variable

    return sorted(used, key=order)


def _occurrences(tree: Node) -> tuple[int, dict[int, int]]:
    """The number of a tree's products, and in how many of them each variable is; or else of its leaves."""
    seen: dict[int, int] = {}
    if isinstance(tree.value, TooMany):
        for node in nodes_of(tree):
            if isinstance(node, Leaf):
                seen[node.variable] = seen.get(node.variable, 0) + 1
        return tree.leaves, seen
    masks = masks_of(tree.value)
    for mask in masks:
        for variable in variables_in(mask):
            seen[variable] = seen.get(variable, 0) + 1
    return len(masks), seen


def true_cells(tree: Node, grid: Grid) -> npt.NDArray[np.bool_]:
    """The cells in which the tree is true."""
    parts = _parts(tree, grid)
    rows, columns = grid.shape
    at_once = max(1, _MOST_BYTES * 8 // (columns * len(parts)))
    bits = [_evaluated(parts, grid, slice(start, start + at_once)) for start in range(0, rows, at_once)]
    packed = bits[0] if len(bits) == 1 else np.concatenate(bits)
    cells = np.unpackbits(packed.view(np.uint8), axis=1, count=columns, bitorder="little")
    return cells.view(np.bool_)


def values_on(tree: Node | None, mask: int) -> dict[int, bool]:
    """The value of every node, by its uid, where the variables of the mask are 1 and the others 0."""
    values: dict[int, bool] = {}
    pending: list[bool] = []
    for node in reversed(list(nodes_of(tree))):
        if isinstance(node, Leaf):
            value = bool(mask >> (node.variable - 1) & 1)
        else:
            left, right = pending.pop(), pending.pop()
            value = (left and right) if node.function is Function.AND else (left or right)
        pending.append(value)
        values[node.uid] = value
    return values


def is_true_on(tree: Node, mask: int) -> bool:
    """Whether the tree is true where the variables of the mask are 1 and the others 0."""
    if isinstance(tree.value, TooMany):
        return values_on(tree, mask)[tree.uid]
    return any(product & mask == product for product in masks_of(tree.value))


def _parts(tree: Node, grid: Grid) -> list[_Part]:
    """The tree in preorder, down to where the products are known."""
    parts: list[_Part] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Inner) and isinstance(node.value, TooMany):
            parts.append(node.function)
            stack += (node.right, node.left)
            continue
        assert not isinstance(node.value, TooMany)
        products = {(grid.down.code_of(mask), grid.across.code_of(mask)) for mask in masks_of(node.value)}
        parts.append(sorted(products))
    return parts


def _evaluated(parts: list[_Part], grid: Grid, rows: slice) -> _Bits:
    """Some rows of the grid, with a bit for each column, the first one lowest."""
    results: list[_Bits] = []
    for part in reversed(parts):
        checkpoint()
        if isinstance(part, list):
            results.append(_products(part, grid, rows))
        elif part is Function.AND:
            results.append(results.pop() & results.pop())
        else:
            results.append(results.pop() | results.pop())
    return results.pop()


def _products(products: list[tuple[int, int]], grid: Grid, rows: slice) -> _Bits:
    """A product is true in the cells whose row and whose column both have its variables."""
    wanted = np.array(products, dtype=np.uint32)
    down, across = wanted[:, :1], wanted[:, 1:]
    in_row = (grid.down.codes[rows] & down) == down
    in_column = np.packbits((grid.across.codes & across) == across, axis=1, bitorder="little")
    packed: _Bits = in_column.view(np.uint64) if grid.across.length >= _WORD else in_column
    zero = packed.dtype.type(0)
    all_ones = ~zero
    result: _Bits = np.zeros((in_row.shape[1], packed.shape[1]), dtype=packed.dtype)
    for row, column in zip(np.where(in_row, all_ones, zero), packed, strict=True):
        result |= row[:, None] & column
    return result


class Witness(NamedTuple):
    """A drawn row on which one of parent and offspring is wrong and the other right."""

    number: int
    """Its number among the drawn rows, from 0."""

    is_parent_wrong: bool
    """Otherwise the offspring is."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DrawnRows:
    """The rows of one iteration. ``cells`` are positions in the grid, row by row, and ``times`` how often each was
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
    rows_down = down.positions[down.codes_from(values)]
    positions = rows_down * across.length + across.positions[across.codes_from(values)]
    times = np.bincount(positions, minlength=1)
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


class CellClass(IntEnum):
    """What a cell shows. The larger one is the more worth seeing where several share a pixel."""

    RIGHT = 0
    WRONG = 1
    FIXED = 2
    BROKEN = 3
    BLANK = 4
    """The tree is empty: it computes nothing."""


class Counts(NamedTuple):
    """On how many of all 2^n rows parent and offspring are both right, both wrong, or only one of them."""

    right: int
    wrong: int
    fixed: int
    broken: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowTable:
    """The truth table of a moment.

    ``before`` and ``after`` are what is compared: parent and offspring, whatever the verdict; where there is
    nothing to compare, both are the tree on show, or None if it is empty. ``counts`` is None where counting takes
    too long, and ``drawn`` where the iteration drew no rows.
    """

    moment: Moment
    before: Node | None
    after: Node | None
    grid: Grid
    classes: npt.NDArray[np.uint8]
    counts: Counts | None
    drawn: DrawnRows | None = None

    @property
    def is_comparison(self) -> bool:
        """Whether there is a parent and an offspring."""
        return self.before is not self.after

    @property
    def survivor(self) -> Node | None:
        """The tree on show."""
        return self.after if self.is_offspring_shown else self.before

    @property
    def is_offspring_shown(self) -> bool:
        """Whether the offspring is the tree on show."""
        step = self.moment.step
        return step is not None and step.is_accepted

    @property
    def error(self) -> int | None:
        """On how many of all rows the tree on show is wrong."""
        if self.counts is None or self.before is None:
            return None
        return self.counts.wrong + (self.counts.broken if self.is_offspring_shown else self.counts.fixed)

    def class_of(self, mask: int) -> CellClass:
        """The class of any row, with a cell or without."""
        if self.before is None or self.after is None:
            return CellClass.BLANK
        if mask == (1 << self.grid.n) - 1:
            return CellClass.RIGHT
        was_wrong, is_wrong = is_true_on(self.before, mask), is_true_on(self.after, mask)
        return CellClass(((was_wrong ^ is_wrong) << 1) | is_wrong)


def table_of(moment: Moment) -> RowTable:
    """The truth table of a moment of a run."""
    before, after = _compared(moment)
    n = moment.config.n
    if before is None or after is None:
        grid = grid_for(n)
        blank = np.full(grid.shape, CellClass.BLANK, dtype=np.uint8)
        return RowTable(moment=moment, before=None, after=None, grid=grid, classes=blank, counts=None)
    grid = grid_for(n, before) if before is after else grid_for(n, before, after)
    was_wrong = _wrong_cells(before, grid)
    is_wrong = was_wrong if _is_same(before, after) else _wrong_cells(after, grid)
    classes = (was_wrong ^ is_wrong).view(np.uint8)
    classes <<= 1
    classes |= is_wrong.view(np.uint8)
    counts = _counted(was_wrong, is_wrong) if grid.is_complete else _counts(n, before, after)
    return RowTable(
        moment=moment,
        before=before,
        after=after,
        grid=grid,
        classes=classes,
        counts=counts,
        drawn=_drawn(moment, grid, before, after),
    )


def is_quick(moment: Moment) -> bool:
    """Whether the table takes no more than a few milliseconds."""
    config = moment.config
    if config.n <= MOST_COMPLETE and config.n > _QUICK_VARIABLES:
        return False
    if config.sampler == "rows" and (config.rows or 0) > _QUICK_ROWS:
        return False
    products = 1
    for tree in {id(tree): tree for tree in _compared(moment) if tree is not None}.values():
        if isinstance(tree.value, TooMany):
            if tree.leaves > _QUICK_LEAVES or config.n > MOST_COMPLETE:
                return False
        else:
            products *= len(masks_of(tree.value))
    return config.n <= MOST_COMPLETE or products <= _QUICK_PRODUCTS


def _compared(moment: Moment) -> tuple[Node | None, Node | None]:
    if moment.step is None:
        return moment.tree, moment.tree
    # The empty tree is neither right nor wrong, so there is nothing to compare its first leaf with.
    before = moment.offspring if moment.parent is None else moment.parent
    return before, before if moment.offspring is None else moment.offspring


def _is_same(before: Node, after: Node) -> bool:
    return before is after or before.value == after.value


def _wrong_cells(tree: Node, grid: Grid) -> npt.NDArray[np.bool_]:
    """Every monotone function is true where AND_n is, so a tree is wrong in its other true cells."""
    cells = true_cells(tree, grid)
    cells[0, 0] = False
    return cells


def _counted(was_wrong: npt.NDArray[np.bool_], is_wrong: npt.NDArray[np.bool_]) -> Counts:
    both = int(np.count_nonzero(was_wrong & is_wrong))
    fixed = int(np.count_nonzero(was_wrong)) - both
    broken = int(np.count_nonzero(is_wrong)) - both
    return Counts(was_wrong.size - both - fixed - broken, both, fixed, broken)


def _counts(n: int, before: Node, after: Node) -> Counts | None:
    target = target_for(n)
    try:
        joint = target.joint(before, after)
    except TooComplexError:
        return None
    return Counts(target.rows - sum(joint), *joint)


def _drawn(moment: Moment, grid: Grid, before: Node, after: Node) -> DrawnRows | None:
    config, step = moment.config, moment.step
    if config.rows is None or config.sampler != "rows" or step is None:
        return None
    is_alike = step.verdict is Verdict.UNCHANGED
    return drawn_rows(config, step.iteration, grid, before, before if is_alike else after)


CLASS_WORDS: Final = MappingProxyType(
    {
        CellClass.RIGHT: "right",
        CellClass.WRONG: "wrong",
        CellClass.FIXED: "fixed",
        CellClass.BROKEN: "broken",
        CellClass.BLANK: "no tree yet",
    }
)
"""The classes as a person reads them."""

_MOST_NAMES: Final = 10
_FEW_NAMES: Final = 5
_LARGEST_EXACT_EXPECTATION: Final = 100


def summary_text(table: RowTable) -> str:
    """On how many rows the tree is wrong, and what the step fixed and broke."""
    if table.before is None:
        return "The tree is empty: it computes nothing, so no row is right or wrong."
    if table.counts is None:
        return "Counting the wrong rows takes too long; the grid shows some of them."
    error = number_text(table.error or 0) if table.error else "none"
    text = f"Wrong on {error} of {rows_text(table.grid.n)} rows"
    change = _rows_changed_text(table)
    return f"{text}; {change}." if change else f"{text}."


def class_counts(table: RowTable) -> dict[CellClass, int]:
    """The number of rows in each class that can occur, in the order of a legend."""
    if table.counts is None:
        return {}
    counts = {CellClass.WRONG: table.counts.wrong, CellClass.RIGHT: table.counts.right}
    if table.is_comparison:
        counts |= {CellClass.FIXED: table.counts.fixed, CellClass.BROKEN: table.counts.broken}
    return counts


def scope_text(table: RowTable) -> str:
    """Which rows the cells are."""
    grid = table.grid
    down, across = variables_text(grid.down.variables), variables_text(grid.across.variables)
    sides = f"{down} down, {across} across" if down else f"{across} across"
    text = f"{sides}; neighbours differ in one variable, and top left all are 1."
    fixed = variables_text(tuple(variables_in(grid.fixed)), most=_FEW_NAMES)
    return f"{fixed} are taken as 1. {_capital(text)}" if fixed else _capital(text)


def variables_text(variables: tuple[int, ...], most: int = _MOST_NAMES) -> str:
    """Variables in increasing order, with neighbours drawn together: x₁ … x₅, x₇."""
    runs: list[list[int]] = []
    for variable in variables:
        if runs and runs[-1][-1] == variable - 1:
            runs[-1].append(variable)
        else:
            runs.append([variable])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{UNICODE.variable(run[0])} … {UNICODE.variable(run[-1])}")
        else:
            parts += [UNICODE.variable(variable) for variable in run]
    if len(parts) > most:
        kept = parts[: most - 1]
        return f"{', '.join(kept)}, … {parts[-1]}"
    return ", ".join(parts)


def assignment_text(mask: int, n: int) -> str:
    """An assignment by its fewer values: ``x₂, x₅ = 0, the others 1``."""
    ones = mask.bit_count()
    if ones == n:
        return "all variables are 1"
    if not ones:
        return "all variables are 0"
    listed = mask if ones < n - ones else ((1 << n) - 1) & ~mask
    value, other = (1, 0) if listed == mask else (0, 1)
    return (
        f"{variables_text(tuple(variables_in(listed)))} = {value}, {_others(n - listed.bit_count())} {other}"
    )


def cell_text(table: RowTable, mask: int) -> str:
    """What there is to say of a row, with a cell or without."""
    n = table.grid.n
    text = f"{_capital(assignment_text(mask, n))}."
    tree = table.survivor
    if tree is None:
        return text
    wanted = mask == (1 << n) - 1
    is_true = is_true_on(tree, mask)
    text += f" Target {int(wanted)}, tree {int(is_true)}: {'right' if is_true == wanted else 'wrong'}"
    return f"{text}{_change(table, table.class_of(mask))}."


def sample_text(table: RowTable) -> str:
    """What the iteration's own rows were; empty for a run on the complete truth table."""
    config, step, drawn = table.moment.config, table.moment.step, table.drawn
    if config.rows is None:
        return ""
    if step is None:
        return "No rows have been drawn yet."
    if drawn is None:
        return _counts_text(table)
    text = f"This iteration drew {counted(drawn.rows, 'row')}"
    if drawn.outside:
        inside = drawn.rows - drawn.outside
        text += f", {number_text(inside) if inside else 'none'} of them on this grid"
    if not table.is_comparison:
        return f"{text}."
    if step.verdict is Verdict.TOO_LARGE:
        return f"{text}, but the offspring was too large to be tried on them."
    if not drawn.only_parent + drawn.only_offspring:
        return f"{text}; parent and offspring agree on all of them."
    return f"{text}. {_decided(drawn.only_parent, drawn.only_offspring)}"


def witness_text(witness: Witness) -> str:
    """Which of the two is wrong on the row."""
    return "parent wrong" if witness.is_parent_wrong else "offspring wrong"


def _rows_changed_text(table: RowTable) -> str:
    """What became of the rows, as half a sentence."""
    moment, counts = table.moment, table.counts
    step = moment.step
    if counts is None or step is None:
        return ""
    if moment.parent is None:
        return "before this step there was no tree"
    if not counts.fixed and not counts.broken:
        return "this step changed no row" if step.is_accepted else "no row would differ"
    fixed = number_text(counts.fixed) if counts.fixed else "none"
    broken = number_text(counts.broken) if counts.broken else "none"
    if step.verdict is Verdict.TOO_LARGE:
        return f"the offspring, too large to be tried, would have fixed {fixed} and broken {broken}"
    if not step.is_accepted:
        return f"the rejected offspring would have fixed {fixed} and broken {broken}"
    return f"this step fixed {fixed} and broke {broken}"


def _change(table: RowTable, kind: CellClass) -> str:
    if kind not in (CellClass.FIXED, CellClass.BROKEN):
        return ""
    if table.is_offspring_shown:
        return f", {CLASS_WORDS[kind]} by this step"
    return f"; the rejected offspring would have {CLASS_WORDS[kind]} it"


def _decided(only_parent: int, only_offspring: int) -> str:
    """How the drawn rows on which the two differ decided."""
    total = only_parent + only_offspring
    if not only_offspring or not only_parent:
        wrong = "parent" if only_parent else "offspring"
        return f"{number_text(total)} decided: only the {wrong} is wrong on {'it' if total == 1 else 'them'}."
    return (
        f"{number_text(total)} decided: on {number_text(only_parent)} only the parent is wrong, "
        f"on {number_text(only_offspring)} only the offspring."
    )


def _counts_text(table: RowTable) -> str:
    """A run with the sampler `counts` has no rows to show, only how many to expect."""
    config, counts, step = table.moment.config, table.counts, table.moment.step
    assert config.rows is not None
    assert step is not None
    text = "This run draws only how many of its rows are wrong, not the rows themselves"
    if counts is None or not table.is_comparison:
        return f"{text}."
    rows = 1 << config.n
    fixed, broken = (_expected(config.rows * count / rows) for count in (counts.fixed, counts.broken))
    text += (
        f"; of {number_text(config.rows)}, about {fixed} would be wrong for the parent only "
        f"and {broken} for the offspring only"
    )
    if step.parent_error is None or step.offspring_error is None:
        return f"{text}."
    old, new = number_text(step.parent_error), number_text(step.offspring_error)
    return f"{text}. Drawn errors: parent {old}, offspring {new}."


def _expected(number: float) -> str:
    return f"{number:,.0f}" if number >= _LARGEST_EXACT_EXPECTATION else f"{number:.2g}"


def _others(number: int) -> str:
    return "the other" if number == 1 else "the others"


def _capital(text: str) -> str:
    return text if text[0] == "x" else text[0].upper() + text[1:]
