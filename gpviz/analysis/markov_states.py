"""Lists the states of the Markov chain: the kinds of trees up to a number of leaves, and the steps between them.

Two trees are of one kind if they differ only in the order of children and in the names of variables: then
reordering and renaming map the mutations of one to those of the other, equally likely and with equal errors, as
AND_n is the same in all variables. Grouping counts: x1 (x2 (x3 x4)) and (x1 x2) (x3 x4) are two kinds, as
insertions and subtree deletions have different effects on them.

So a kind is a shape, a tree of functions without variables whose children are in a fixed order, together with a
partition of its leaves: which of them have the same variable. A partition is written as a row of numbers: for each
leaf the first leaf with its variable. Trees of one kind may still have several such rows, if parts of the shape
are alike and can be swapped; the least of these rows stands for all. All kinds of one shape are handled together,
in arrays.
"""

from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine.config import Rules
from gpviz.engine.enums import Function
from gpviz.engine.interruption import checkpoint
from gpviz.engine.tree import Inner, Leaf, Node

_Integers = npt.NDArray[np.int64]
_Rows = npt.NDArray[np.int8]

_FUNCTIONS: Final = (Function.AND, Function.OR)
_ROWS_AT_ONCE: Final = 1 << 14
"""The rows that are worked on between two checkpoints."""
_NEW: Final = -1
"""Stands for an inserted leaf, where the others are given by their numbers in the tree before."""


class LabelledShape(NamedTuple):
    """A shape with a label for each leaf, from left to right: its number in another tree, or its variable."""

    shape: int
    leaves: tuple[int, ...]


class Steps(NamedTuple):
    """Possible iterations: from which kind to which other, and how many of the equally likely draws lead there.

    Those that change nothing or make the tree too large are left out.
    """

    sources: _Integers
    targets: _Integers
    draws: _Integers


class _Shapes:
    """All trees of functions up to a number of leaves, by number, the smaller ones first. Shape 0 is a leaf."""

    def __init__(self, functions: tuple[Function, ...], most_leaves: int) -> None:
        self.functions: list[Function | None] = [None]
        self.children: list[tuple[int, int]] = [(-1, -1)]
        self.leaves: list[int] = [1]
        self.numbers: dict[tuple[Function, int, int], int] = {}
        of_size = [range(0), range(1)]
        for leaves in range(2, most_leaves + 1):
            checkpoint()
            first = len(self.leaves)
            for function in functions:
                for size in range(1, leaves // 2 + 1):
                    for left in of_size[size]:
                        for right in of_size[leaves - size]:
                            if left <= right:
                                self.numbers[function, left, right] = len(self.leaves)
                                self.functions.append(function)
                                self.children.append((left, right))
                                self.leaves.append(leaves)
            of_size.append(range(first, len(self.leaves)))

    def joined(self, function: Function, one: LabelledShape, other: LabelledShape) -> LabelledShape:
        """The shape with these two children, in their fixed order."""
        if one.shape > other.shape:
            one, other = other, one
        return LabelledShape(self.numbers[function, one.shape, other.shape], one.leaves + other.leaves)

    def whole(self, shape: int) -> LabelledShape:
        return LabelledShape(shape, tuple(range(self.leaves[shape])))

    def _parts(self, shape: int) -> tuple[Function, LabelledShape, LabelledShape]:
        function, (left, right) = self.functions[shape], self.children[shape]
        assert function is not None
        return function, self.whole(left), _shifted(self.whole(right), self.leaves[left])

    @cache  # noqa: B019  # it lives as long as the shapes do
    def insertions(self, shape: int, function: Function) -> list[LabelledShape]:
        """The shapes after the insertion of a leaf, one for each node at which it may be inserted."""
        found = [self.joined(function, self.whole(shape), LabelledShape(0, (_NEW,)))]
        if shape:
            own, left, right = self._parts(shape)
            found += [self.joined(own, new, right) for new in self.insertions(left.shape, function)]
            found += [
                self.joined(own, left, _shifted(new, len(left.leaves)))
                for new in self.insertions(right.shape, function)
            ]
        return found

    @cache  # noqa: B019
    def deletions(self, shape: int, *, has_subtrees: bool) -> list[LabelledShape]:
        """The shapes after a deletion, one for each node but the root that can be deleted."""
        if not shape:
            return []
        own, left, right = self._parts(shape)
        found = [
            sibling for gone, sibling in ((left, right), (right, left)) if has_subtrees or not gone.shape
        ]
        found += [
            self.joined(own, new, right) for new in self.deletions(left.shape, has_subtrees=has_subtrees)
        ]
        found += [
            self.joined(own, left, _shifted(new, len(left.leaves)))
            for new in self.deletions(right.shape, has_subtrees=has_subtrees)
        ]
        return found

    @cache  # noqa: B019
    def symmetries(self, shape: int) -> list[tuple[int, ...]]:
        """The orders of its leaves that come about by swapping children without changing the shape."""
        if not shape:
            return [(0,)]
        left, right = self.children[shape]
        shift = self.leaves[left]
        found = []
        for one in self.symmetries(left):
            for other in self.symmetries(right):
                moved = tuple(leaf + shift for leaf in other)
                found.append(one + moved)
                if left == right:
                    found.append(moved + one)
        return found


class TreeKinds:
    """All kinds of trees under the rules, by number, and the iterations between them.

    The kinds of one shape have consecutive numbers. Number 0 is the empty tree, 1 a single leaf.
    """

    def __init__(self, rules: Rules, functions: tuple[Function, ...]) -> None:
        assert rules.max_leaves is not None
        self._rules = rules
        self.most_leaves = rules.max_leaves
        self._shapes = _Shapes(functions, rules.max_leaves)
        self._codes: list[_Integers] = []
        self._first: list[int] = []
        none = np.zeros(1, np.int64)
        leaves, ors, true_rows = [none], [none], [none]
        self.count = 1
        for shape, size in enumerate(self._shapes.leaves):
            checkpoint()
            codes = np.unique(self._codes_of(shape, _partitions(size, rules.n)))
            self._codes.append(codes)
            self._first.append(self.count)
            self.count += len(codes)
            leaves.append(np.full(len(codes), size))
            ors.append(np.full(len(codes), self._ors(shape)))
            true_rows.append(self._true_rows(shape))
        self.leaves = np.concatenate(leaves)
        self.ors = np.concatenate(ors)
        self.shapes = np.repeat(np.arange(-1, len(self._codes)), [1, *map(len, self._codes)])
        self.true_rows = np.concatenate(true_rows)
        """On how many rows of a table of `table_variables` variables each is true."""

    @property
    def table_variables(self) -> int:
        """The most different variables that a tree can have; all others only multiply the rows."""
        return min(self._rules.n, self.most_leaves)

    @cached_property
    def is_solved(self) -> npt.NDArray[np.bool_]:
        """For each kind whether its error is small enough to end a run."""
        others = 1 << (self._rules.n - self.table_variables)
        enough = min((self._rules.accept_error + 1) // others, 1 << self.table_variables)
        return (self.true_rows <= enough) & (self.leaves > 0)

    @cached_property
    def draws(self) -> _Integers:
        """How many equally likely draws an iteration has for each kind."""
        rules = self._rules
        draws = 3 * rules.n * len(rules.functions) * self.leaves * (2 * self.leaves - 1)
        draws[0] = 1 if rules.empty_tree == "any" else 3
        return draws

    def number_of(self, tree: Node | None) -> int | None:
        """The number of the kind of a tree; None if there is no such kind."""
        if tree is None:
            return 0
        if tree.leaves > self.most_leaves:
            return None
        labelled = self._labelled(tree)
        if labelled is None:
            return None
        # As `_codes_of` does it for many, but faster for a single one.
        size, variables = len(labelled.leaves), labelled.leaves
        codes = []
        for order in self._shapes.symmetries(labelled.shape):
            row = [variables[leaf] for leaf in order]
            code = 0
            for variable in row:
                code = code * size + row.index(variable)
            codes.append(code)
        return self._first[labelled.shape] + int(np.searchsorted(self._codes[labelled.shape], min(codes)))

    def _labelled(self, tree: Node) -> LabelledShape | None:
        """The shape of a tree, labelled with its variables."""
        if isinstance(tree, Leaf):
            return LabelledShape(0, (tree.variable,))
        assert isinstance(tree, Inner)
        left, right = self._labelled(tree.left), self._labelled(tree.right)
        if left is None or right is None:
            return None
        try:
            return self._shapes.joined(tree.function, left, right)
        except KeyError:  # a function that no run under these rules would insert
            return None

    def steps(self, is_wanted: npt.NDArray[np.bool_]) -> Iterator[Steps]:
        """The possible iterations from the wanted kinds, in pieces; all that lead to one kind are in one piece."""
        if is_wanted[0]:
            yield Steps(np.array([0]), np.array([1]), np.array([1]))
        pending: dict[int, list[tuple[_Integers, _Integers, _Rows]]] = {}
        for shape, first in enumerate(self._first):
            codes = self._codes[shape]
            numbers = np.flatnonzero(is_wanted[first : first + len(codes)])
            if not len(numbers):
                continue
            rows = self._rows_of(shape, codes[numbers])
            for target, where, draws, offspring in self._mutations(shape, rows):
                checkpoint()
                pending.setdefault(target, []).append((numbers[where] + first, draws, offspring))
        for target, pieces in pending.items():
            sources, draws, offspring = (np.concatenate(each) for each in zip(*pieces, strict=True))
            found = np.searchsorted(self._codes[target], self._codes_of(target, offspring))
            targets = found + self._first[target]
            is_change = targets != sources
            yield Steps(sources[is_change], targets[is_change], draws[is_change])

    def _mutations(self, shape: int, rows: _Rows) -> Iterator[tuple[int, _Integers, _Integers, _Rows]]:
        """The mutations of all kinds of a shape, in pieces.

        Each piece has the shape it leads to, which kinds it is about, the draws of each, and the offspring, in
        whose rows equal numbers stand for equal variables.
        """
        rules, leaves = self._rules, rows.shape[1]
        functions = len(rules.functions)
        everything = np.arange(len(rows))
        for new in self._shapes.deletions(shape, has_subtrees=rules.has_subtree_deletion):
            each = rules.n * functions * (leaves if rules.has_subtree_deletion else 2 * leaves - 1)
            yield (
                new.shape, everything, np.full(len(rows), each), rows[:, list(new.leaves)],
            )  # fmt: skip
        for variable, where, times in self._variables(rows):
            with_new = np.column_stack((rows[where], np.full(len(where), variable, np.int8)))
            for leaf in range(leaves):
                replaced = with_new[:, :leaves].copy()
                replaced[:, leaf] = variable
                yield shape, where, times * (functions * (2 * leaves - 1)), replaced
            if leaves < self.most_leaves:
                for function in rules.functions:
                    for new in self._shapes.insertions(shape, function):
                        yield new.shape, where, times * leaves, with_new[:, list(new.leaves)]

    def _variables(self, rows: _Rows) -> Iterator[tuple[int, _Integers, _Integers]]:
        """The variables that can be drawn: a name, the kinds that have it, and how many variables it stands for.

        A variable is named after the first leaf that has it; all that are on no leaf have one name.
        """
        leaves = rows.shape[1]
        is_first = rows == np.arange(leaves)
        for leaf in range(leaves):
            where = np.flatnonzero(is_first[:, leaf])
            yield leaf, where, np.ones(len(where), np.int64)
        unused = self._rules.n - is_first.sum(axis=1)
        where = np.flatnonzero(unused)
        yield leaves, where, unused[where]

    def _codes_of(self, shape: int, rows: _Rows) -> _Integers:
        """One number for each kind: the least that any order of its leaves gives.

        In the rows equal numbers stand for equal variables, whichever numbers these are.
        """
        size = self._shapes.leaves[shape]
        digits = np.array([size ** (size - 1 - leaf) for leaf in range(size)], dtype=np.int64)
        least = np.full(len(rows), np.iinfo(np.int64).max)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            for order in self._shapes.symmetries(shape):
                checkpoint()
                codes = _first_leaves_alike(rows[part][:, list(order)]) @ digits
                np.minimum(least[part], codes, out=least[part])
        return least

    def _rows_of(self, shape: int, codes: _Integers) -> _Rows:
        """The rows that have these numbers."""
        size = self._shapes.leaves[shape]
        return np.stack([codes // size ** (size - 1 - leaf) % size for leaf in range(size)], axis=1).astype(
            np.int8
        )

    def _ors(self, shape: int) -> int:
        if not shape:
            return 0
        left, right = self._shapes.children[shape]
        return self._ors(left) + self._ors(right) + (self._shapes.functions[shape] is Function.OR)

    def _true_rows(self, shape: int) -> _Integers:
        rows = self._rows_of(shape, self._codes[shape])
        size = rows.shape[1]
        is_first = rows == np.arange(size)
        names = np.take_along_axis(is_first.cumsum(axis=1) - 1, rows.astype(np.int64), axis=1)
        columns = _columns(self.table_variables)
        counts = np.empty(len(rows), np.int64)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            checkpoint()
            part = slice(start, start + _ROWS_AT_ONCE)
            tables = self._tables(shape, columns[names[part]])
            counts[part] = np.unpackbits(tables, axis=1).sum(axis=1)
        return counts

    def _tables(self, shape: int, leaves: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """The truth tables of a shape, given those of its leaves, kind by leaf by bytes."""
        function = self._shapes.functions[shape]
        if function is None:
            return np.ascontiguousarray(leaves[:, 0])
        left, right = self._shapes.children[shape]
        on_left = self._shapes.leaves[left]
        one, other = self._tables(left, leaves[:, :on_left]), self._tables(right, leaves[:, on_left:])
        return one & other if function is Function.AND else one | other


def count_labelled_shapes(functions: int, most_leaves: int, n: int, *, most: int) -> int:
    """The number of pairs of a shape and a partition of its leaves; counting ends beyond ``most``.

    There are at least as many as kinds of trees, and not many times more.
    """
    shapes = [0, 1]
    total = 1
    partitions = [1]  # of the leaves so far into 1, 2, ... sets: Stirling numbers
    for leaves in range(2, most_leaves + 1):
        pairs = 0
        for left in range(1, leaves // 2 + 1):
            right = leaves - left
            pairs += shapes[left] * (shapes[left] + 1) // 2 if left == right else shapes[left] * shapes[right]
        shapes.append(functions * pairs)
        partitions = [
            (partitions[sets] * (sets + 1) if sets < len(partitions) else 0)
            + (partitions[sets - 1] if sets else 0)
            for sets in range(min(leaves, n))
        ]
        total += shapes[-1] * sum(partitions)
        if total > most:
            break
    return total


def _shifted(labelled: LabelledShape, by: int) -> LabelledShape:
    return LabelledShape(
        labelled.shape, tuple(leaf if leaf == _NEW else leaf + by for leaf in labelled.leaves)
    )


def _first_leaves_alike(rows: npt.NDArray[np.integer]) -> _Rows:
    """For each leaf in the rows the first one with its variable."""
    firsts = np.zeros(rows.shape, np.int8)
    for leaf in range(1, rows.shape[1]):
        firsts[:, leaf] = (rows[:, : leaf + 1] == rows[:, leaf, None]).argmax(axis=1)
    return firsts


@lru_cache(maxsize=64)
def _partitions(leaves: int, most_sets: int) -> _Rows:
    """All partitions of so many leaves into at most so many sets: for each leaf the first one in its set."""
    rows: list[tuple[int, ...]] = [(0,)]
    for leaf in range(1, leaves):
        rows = [
            (*row, first)
            for row in rows
            for first in (*sorted(set(row)), leaf)
            if first < leaf or len(set(row)) < most_sets
        ]
    return np.array(rows, dtype=np.int8)


def _columns(variables: int) -> npt.NDArray[np.uint8]:
    """The truth table of each variable, in bytes; unused bits of a single byte are 0."""
    rows = np.arange(1 << variables)
    return np.stack([np.packbits(rows >> variable & 1) for variable in range(variables)])
