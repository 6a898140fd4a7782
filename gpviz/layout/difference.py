"""What differs between two trees of a run: which nodes stayed, came, went, or got another label."""

from typing import NamedTuple

from gpviz.engine import Leaf, Node
from gpviz.engine.tree import nodes_of

__all__ = ["Difference", "difference"]


class Difference(NamedTuple):
    """The uids of the nodes by what happened to them; relabelled ones stayed too."""

    kept: frozenset[int]
    added: frozenset[int]
    removed: frozenset[int]
    relabelled: frozenset[int]


def difference(before: Node | None, after: Node | None) -> Difference:
    """The difference of two trees, by the uids of their nodes."""
    old = {node.uid: _label(node) for node in nodes_of(before)}
    new = {node.uid: _label(node) for node in nodes_of(after)}
    kept = frozenset(old.keys() & new.keys())
    return Difference(
        kept,
        frozenset(new.keys() - old.keys()),
        frozenset(old.keys() - new.keys()),
        frozenset(uid for uid in kept if old[uid] != new[uid]),
    )


def _label(node: Node) -> int | str:
    return node.variable if isinstance(node, Leaf) else node.function.value
