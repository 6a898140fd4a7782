"""A normal form that merges trees which behave alike on a target that is symmetric in its variables.

Children have no order, chains of one function are one node, and variables are renamed in an order that follows
from where they occur. Trees with the same normal form are equal up to these three; the converse may fail where
variables cannot be told apart, which costs a search some repetition but never an answer.
"""

from collections.abc import Hashable

from gpviz.engine.tree import Chain, Node, chains_of

__all__ = ["NormalForms"]


class NormalForms:
    """Gives trees numbers; two trees with the same number behave alike."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def of(self, tree: Node) -> int:
        """The number of the tree's normal form."""
        chains = chains_of(tree)
        names: dict[int, int] = {}
        for chain in chains:
            names.update(dict.fromkeys(chain.variables, 0))
        kinds = 1
        while kinds < len(names):
            names = self._told_apart(chains, names)
            if len(set(names.values())) == kinds:
                break
            kinds = len(set(names.values()))
        return self._codes(chains, self._ranked(chains, names))[0]

    def _codes(self, chains: list[Chain], names: dict[int, int]) -> list[int]:
        """A number for every chain that says all there is below it, in terms of the names."""
        codes = [0] * len(chains)
        for position in range(len(chains) - 1, -1, -1):
            chain = chains[position]
            variables = tuple(sorted(names[variable] for variable in chain.variables))
            below = tuple(sorted(codes[child] for child in chain.children))
            codes[position] = self._number((chain.function, variables, below))
        return codes

    def _told_apart(self, chains: list[Chain], names: dict[int, int]) -> dict[int, int]:
        """New names: variables that occur in different surroundings get different ones."""
        codes = self._codes(chains, names)
        around = [0] * len(chains)
        where: dict[int, list[int]] = {variable: [] for variable in names}
        for position, chain in enumerate(chains):
            above = 0 if chain.parent is None else around[chain.parent]
            around[position] = self._number(("around", above, codes[position]))
            for variable in chain.variables:
                where[variable].append(around[position])
        return {
            variable: self._number(("name", names[variable], tuple(sorted(places))))
            for variable, places in where.items()
        }

    def _ranked(self, chains: list[Chain], names: dict[int, int]) -> dict[int, int]:
        """Names 0, 1, ... in an order that follows from the structure wherever that tells them apart."""
        codes = self._codes(chains, names)
        first_seen: dict[int, int] = {}
        pending = [0]
        while pending:
            chain = chains[pending.pop()]
            for variable in sorted(chain.variables, key=lambda variable: names[variable]):
                first_seen.setdefault(variable, len(first_seen))
            pending += sorted(chain.children, key=lambda child: codes[child])
        order = sorted(names, key=lambda variable: (names[variable], first_seen[variable]))
        return {variable: rank for rank, variable in enumerate(order)}

    def _number(self, thing: Hashable) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))
