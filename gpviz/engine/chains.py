"""A tree as chains: neighbouring inner nodes with the same function taken as one, without order."""

from gpviz.engine.enums import Function
from gpviz.engine.tree import Leaf, Node

__all__ = ["Chain", "chains_of"]


class Chain:
    """A maximal group of inner nodes with one function: its leaves' variables, and the chains below it.

    A tree that is a leaf is a chain of one variable, which may go by either function.
    """

    __slots__ = ("children", "function", "parent", "variables")

    def __init__(self, function: Function, parent: int | None) -> None:
        self.function = function
        self.parent = parent
        self.variables: list[int] = []
        self.children: list[int] = []


def chains_of(tree: Node) -> list[Chain]:
    """The chains of a tree, each before those below it."""
    if isinstance(tree, Leaf):
        alone = Chain(Function.AND, None)
        alone.variables.append(tree.variable)
        return [alone]
    chains = [Chain(tree.function, None)]
    pending: list[tuple[Node, int]] = [(tree, 0)]
    while pending:
        node, position = pending.pop()
        if isinstance(node, Leaf):
            chains[position].variables.append(node.variable)
            continue
        if node.function is not chains[position].function:
            chains.append(Chain(node.function, position))
            chains[position].children.append(len(chains) - 1)
            position = len(chains) - 1
        pending += [(node.right, position), (node.left, position)]
    return chains
