"""Prints a picture as lines for a terminal: counter, tree with what the step did beside its nodes, and banner."""

from collections.abc import Iterator
from typing import Final

from gpviz.explain.tree_text import branch_lines
from gpviz.picture.picture import Change, Counter, Mark, NodeShape, Picture, PlacedNode, Role

_EMPTY: Final = "(the empty tree)"
_BESIDE: Final = "   "


def text_of(picture: Picture) -> str:
    """The whole picture."""
    parts = [_tree_text(picture)]
    if picture.counter is not None:
        parts.insert(0, _counter_line(picture.counter))
    if picture.banner is not None:
        parts.append(picture.banner.sentence)
    return "\n\n".join(parts)


def _counter_line(counter: Counter) -> str:
    first, *rest = counter.lines
    wrong = f"{counter.number} {first} {', '.join(rest)}" if rest else first
    return " · ".join(filter(None, (wrong, counter.leaves_text, counter.chip)))


def _tree_text(picture: Picture) -> str:
    beside: dict[int | None, list[str]] = {}
    for change in picture.changes:
        for anchor, text in _marks(change, picture):
            beside.setdefault(anchor, []).append(text)
    shapes = {node.uid: node.shape for node in picture.nodes}
    for note in picture.notes:
        # A note is about each of its leaves, or about a whole part of the tree, of which its root comes first.
        are_leaves = all(shapes[uid] is NodeShape.BOX for uid in note.uids)
        for uid in note.uids if are_leaves else note.uids[:1]:
            beside.setdefault(uid, []).extend(note.lines)
    if not picture.nodes:
        return _BESIDE.join([_EMPTY, *beside.get(None, [])])
    nodes = {node.uid: node for node in picture.nodes}
    below: dict[int, list[PlacedNode]] = {}
    for edge in picture.edges:
        below.setdefault(edge.parent, []).append(nodes[edge.child])
    children = {edge.child for edge in picture.edges}
    (root,) = (node for node in picture.nodes if node.uid not in children)

    def line_of(node: PlacedNode) -> str:
        label = f"({node.label} leaves)" if node.shape is NodeShape.TRIANGLE else node.label
        words = ", ".join([*beside.get(node.uid, []), *(["redundant"] if node.is_redundant else [])])
        return f"{label}{_BESIDE}{words}" if words else label

    lines = branch_lines(root, lambda node: below.get(node.uid, ()), line_of, len(nodes))
    return "\n".join(lines)


def _marks(change: Change, picture: Picture) -> Iterator[tuple[int | None, str]]:
    """What a change did or would do, and the nodes beside which that stands; what is rejected has a cross."""
    cross = "✕ " if change.is_rejected else ""
    match change.mark:
        case Mark.TAG:
            (tag,) = change.ghosts
            done, tried = f"was {tag.label}", f"{cross or '→ '}change to {tag.label}"
            yield change.anchor, done if change.is_done else tried
        case Mark.GHOST:
            verb = "plant" if change.anchor is None else "insert"
            done, tried = "− deleted", f"{cross or '+ '}{verb}"
            yield change.anchor, f"{done if change.is_done else tried} {_ghost_text(change)}"
        case Mark.OUTLINE:
            yield from ((uid, f"{cross or '− '}delete") for uid in change.nodes)
        case Mark.BADGE:
            yield change.anchor, change.symbol
        case Mark.RING:
            roles = {node.uid: node.role for node in picture.nodes}
            yield from ((uid, "+ new" if roles[uid] is Role.NEW else "= unchanged") for uid in change.nodes)


def _ghost_text(change: Change) -> str:
    """The labels of a small ghost, and how many leaves a larger one has."""
    labels = [ghost.label for ghost in change.ghosts]
    leaves = sum(ghost.shape is NodeShape.BOX for ghost in change.ghosts)
    if leaves > 1:
        return f"{labels[0]} with {leaves} leaves"
    return (" with " if labels[-1].endswith("leaves") else " ").join(labels)
