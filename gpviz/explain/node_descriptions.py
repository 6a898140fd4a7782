"""Describes nodes and pictures of the canvas in words, for the node card and for screen readers."""

from typing import Final

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import UNICODE, Leaf, Node, format_formula
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import head_and_text, verdict_and_step
from gpviz.explain.tree_state_text import groups_of, leaf_notes

_LONGEST_DESCRIPTION: Final = 500
_MOST_LEAVES_IN_WORDS: Final = 250


def node_title(tree: Node | None, uid: int) -> str | None:
    """What a node is, for instance ``∧ node 5, 7 leaves``; None if the tree does not have it.

    A leaf has two numbers: among the leaves, as sentences name it, and among the nodes, as a mutation is written.
    """
    leaves = 0
    for number, node in enumerate(nodes_of(tree), start=1):
        leaves += isinstance(node, Leaf)
        if node.uid == uid:
            if isinstance(node, Leaf):
                return f"{UNICODE.variable(node.variable)}  leaf {leaves}, node {number}"
            place = "root" if number == 1 else f"node {number}"
            return f"{UNICODE.function(node.function)}  {place}, {node.leaves} leaves"
    return None


def notes_text(analysis: Analysis | None) -> str:
    """What stands on a stuck tree, below its leaves and its brackets, for one who does not see it."""
    notes = leaf_notes(analysis)
    if analysis is None or not notes:
        return ""
    labels = {node.uid: node for node in nodes_of(analysis.tree)}
    parts = []
    for uid, lines in notes.items():
        node = labels[uid]
        assert isinstance(node, Leaf)
        parts.append(f"{UNICODE.variable(node.variable)}: {', '.join(lines)}")
    groups = [
        f"{' and '.join(format_formula(labels[uid], UNICODE) for uid in group.roots)}: {group.text}."
        for group in groups_of(analysis)
    ]
    return _cut(" ".join([f"Below the leaves: {'; '.join(parts)}.", *groups]))


def description_of(moment: Moment | None) -> str:
    """The picture for one who does not see it."""
    if moment is None:
        return "There is no tree."
    parts = [f"Iteration {moment.iteration}."]
    if moment.step is not None:
        parts.append(f"{head_and_text(*verdict_and_step(moment))}.")
    tree = moment.tree
    if tree is None:
        parts.append("The tree is empty.")
    elif tree.leaves > _MOST_LEAVES_IN_WORDS:
        parts.append(f"A tree with {tree.leaves} leaves.")
    else:
        leaves = "1 leaf" if tree.leaves == 1 else f"{tree.leaves} leaves"
        parts.append(f"A tree with {leaves}: {format_formula(tree, UNICODE)}")
    return _cut(" ".join(parts))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_DESCRIPTION else f"{text[: _LONGEST_DESCRIPTION - 1]}…"
