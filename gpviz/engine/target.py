"""The target AND_n, the conjunction of all variables, and how far a tree is from it."""

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from gpviz.engine.enums import Function
from gpviz.engine.prime_implicants import Implicants, ListedImplicants, TooMany, conjoin, variables_in
from gpviz.engine.randomness import columns
from gpviz.engine.tree import Node, make_inner
from gpviz.engine.true_row_count import count_rows, count_tree

_MAX_REMEMBERED: Final = 100_000
_COLUMNS_AT_ONCE: Final = 8


class JointErrors(NamedTuple):
    """On how many of the 2^n rows two trees are wrong, together and alone."""

    both: int
    only_parent: int
    only_offspring: int


class Conjunction:
    """AND_n. Every monotone function is true where AND_n is, so a tree's error is its other true rows."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = 1 << n
        self.errors: dict[Implicants, int] = {}

    def error(self, tree: Node) -> int:
        """The number of rows on which the tree differs from the target, exactly."""
        if isinstance(tree.value, TooMany):
            return count_tree(tree, self.n) - 1
        return self.error_of(tree.value)

    def error_of(self, value: ListedImplicants) -> int:
        """The error of every tree with this Boolean function."""
        error = self.errors.get(value)
        if error is None:
            if len(self.errors) >= _MAX_REMEMBERED:
                self.errors.clear()
            error = count_rows(value, self.n) - 1
            self.errors[value] = error
        return error

    def generalisation_error(self, tree: Node) -> Fraction:
        """The probability that the tree is wrong on a row chosen uniformly at random."""
        return Fraction(self.error(tree), self.rows)

    def joint(self, parent: Node, offspring: Node) -> JointErrors:
        """On how many rows both trees are wrong, and on how many only one of them is."""
        of_parent = self.error(parent)
        if parent.value == offspring.value:
            return JointErrors(of_parent, 0, 0)
        value = conjoin(parent.value, offspring.value)
        if isinstance(value, TooMany):
            both = self.error(make_inner(0, Function.AND, parent, offspring))
        else:
            both = self.error_of(value)
        return JointErrors(both, of_parent - both, self.error(offspring) - both)

    def true_rows(self, known: dict[int, int], key: int, rows: int) -> int:
        """The sampled rows on which the target is true.

        ``known`` has the columns already drawn; more are drawn only while some row is still all ones.
        """
        candidates = (1 << rows) - 1
        for column in known.values():
            candidates &= column
        missing = [v for v in variables_in(self.rows - 1) if v not in known] if candidates else []
        for start in range(0, len(missing), _COLUMNS_AT_ONCE):
            if not candidates:
                break
            for column in columns(key, missing[start : start + _COLUMNS_AT_ONCE], rows).values():
                candidates &= column
        return candidates


@lru_cache(maxsize=8)
def target_for(n: int) -> Conjunction:
    """The target for n variables; runs with the same n share what it remembers."""
    return Conjunction(n)
