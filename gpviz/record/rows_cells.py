"""Trees evaluated on all cells of a grid at once, as packed bits, and on one assignment, node by node."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.engine import Function, Leaf, Node
from gpviz.engine.boolean_function import TooMany, masks_of
from gpviz.engine.tree import Inner, nodes_of
from gpviz.record.rows_grid import Grid

__all__ = ["is_true_on", "true_cells", "values_on"]

_MOST_BYTES: Final = 1 << 26
"""For what a tree with too many products has on the way; more than that is done a part of the grid at a time."""

_WORD: Final = 64
_Bits = npt.NDArray[np.unsignedinteger]
_Part = Function | list[tuple[int, int]]
"""A part of a tree, in preorder: a function of the next two, or products, each as the codes of its variables."""


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
