"""Formulas as shared terms: chains flattened, repeats dropped, variables assigned.

Unlike a tree a term has no order, no shape and no uids, and equal terms are the same number. That makes
it the form in which to count (`gpviz.engine.expansion`) and to show a function whose prime implicants are
too many to list (`gpviz.engine.formula`).
"""

from collections.abc import Iterable
from typing import Final

from gpviz.engine.chains import chains_of
from gpviz.engine.enums import Function
from gpviz.engine.masks import apart, most_common_bit
from gpviz.engine.tree import Node

__all__ = ["FALSE", "TRUE", "Terms"]

FALSE: Final = 0
TRUE: Final = 1

_CONSTANT: Final = {Function.AND: TRUE, Function.OR: FALSE}
_DOMINANT: Final = {Function.AND: FALSE, Function.OR: TRUE}


class Terms:
    """A growing store of terms; a term is its position in the three lists."""

    def __init__(self) -> None:
        self.functions: list[Function | None] = [None, None]
        self.children: list[frozenset[int]] = [frozenset(), frozenset()]
        self.masks: list[int] = [0, 0]
        self._known: dict[tuple[Function | None, frozenset[int] | int], int] = {}

    def variable(self, mask: int) -> int:
        """The term that is one variable, given by its single-bit mask."""
        return self._store(None, mask, frozenset(), mask)

    def is_variable(self, term: int) -> bool:
        return self.functions[term] is None and self.masks[term] != 0

    def join(self, function: Function, parts: Iterable[int]) -> int:
        """The function over these terms, with everything that is plain to see simplified."""
        flat: set[int] = set()
        for part in parts:
            if self.functions[part] is function:
                flat |= self.children[part]
            else:
                flat.add(part)
        flat.discard(_CONSTANT[function])
        if _DOMINANT[function] in flat:
            return _DOMINANT[function]
        # x AND (x OR y) is x, and x OR (x AND y) is x.
        flat = {part for part in flat if not self.children[part] & flat}
        if not flat:
            return _CONSTANT[function]
        if len(flat) == 1:
            return flat.pop()
        children = frozenset(flat)
        mask = 0
        for child in children:
            mask |= self.masks[child]
        return self._store(function, children, children, mask)

    def of_tree(self, tree: Node) -> int:
        """The term of a syntax tree."""
        chains = chains_of(tree)
        finished = [0] * len(chains)
        for position in range(len(chains) - 1, -1, -1):
            chain = chains[position]
            parts = [self.variable(1 << (variable - 1)) for variable in chain.variables]
            parts += [finished[child] for child in chain.children]
            finished[position] = self.join(chain.function, parts)
        return finished[0]

    def assign(self, term: int, variable: int, value: bool) -> int:
        """The term with one variable (a single-bit mask) set to true or false."""
        done: dict[int, int] = {self.variable(variable): TRUE if value else FALSE}
        pending = [term]
        while pending:
            top = pending[-1]
            if top in done:
                pending.pop()
                continue
            if not self.masks[top] & variable:
                done[top] = top
                continue
            missing = [child for child in self.children[top] if child not in done]
            if missing:
                pending += missing
                continue
            function = self.functions[top]
            assert function is not None
            done[top] = self.join(function, [done[child] for child in self.children[top]])
        return done[term]

    def split(self, term: int) -> list[int]:
        """Terms without a common variable whose join is this term."""
        function = self.functions[term]
        assert function is not None
        members = list(self.children[term])
        groups = apart(self.masks[member] for member in members)
        if len(groups) == 1:
            return [term]
        return [self.join(function, [members[i] for i in group]) for group in groups]

    def decisive_variable(self, term: int) -> int:
        """The variable whose value settles most: a child that is one, or one in most children."""
        masks = [self.masks[child] for child in self.children[term]]
        return next((mask for mask in masks if mask.bit_count() == 1), 0) or most_common_bit(masks)

    def _store(
        self, function: Function | None, key: frozenset[int] | int, children: frozenset[int], mask: int
    ) -> int:
        known = self._known.get((function, key))
        if known is not None:
            return known
        self.functions.append(function)
        self.children.append(children)
        self.masks.append(mask)
        self._known[function, key] = len(self.masks) - 1
        return len(self.masks) - 1
