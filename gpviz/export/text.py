"""A tree drawn as text, for terminals and messages."""

from typing import Final

from gpviz.engine import ASCII, UNICODE, Inner, Leaf, Node
from gpviz.engine.formula import Style

__all__ = ["draw_tree"]

_BRANCHES: Final = {"├─ ": "│  ", "└─ ": "   ", "|- ": "|  ", "`- ": "   "}


def draw_tree(tree: Node | None, style: Style = UNICODE, *, most_lines: int = 200) -> str:
    """The tree with one node a line and children below their parent, indented.

    ``ASCII`` draws the branches with plain characters too. What does not fit into ``most_lines`` is counted.
    """
    if tree is None:
        return "(the empty tree)"
    inner, last = ("|- ", "`- ") if style is ASCII else ("├─ ", "└─ ")
    lines: list[str] = []
    pending: list[tuple[Node, str, str]] = [(tree, "", "")]
    while pending and len(lines) < most_lines:
        node, indent, branch = pending.pop()
        label = style.variable(node.variable) if isinstance(node, Leaf) else style.function(node.function)
        lines.append(f"{indent}{branch}{label}")
        if isinstance(node, Inner):
            below = indent + _BRANCHES.get(branch, "")
            pending.append((node.right, below, last))
            pending.append((node.left, below, inner))
    if pending:
        left_out = sum(node.size for node, _, _ in pending)
        lines.append(f"... and {left_out} more nodes")
    return "\n".join(lines)
