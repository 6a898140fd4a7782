"""Draws a tree as SVG: AND a disc, OR a diamond, a variable a rounded box, as in the window."""

from html import escape
from typing import Final

from gpviz.engine.enums import Function
from gpviz.engine.formula import UNICODE
from gpviz.engine.tree import Leaf, Node, nodes_of
from gpviz.layout.graph import graph_of
from gpviz.layout.tidy import tidy_layout

__all__ = ["tree_svg"]

_ACROSS: Final = 40.0
_DOWN: Final = 46.0
_MARGIN: Final = 24.0
_WORDS: Final = {Function.AND: ("and", "∧"), Function.OR: ("or", "∨")}


def tree_svg(name: str, title: str, description: str, tree: Node) -> str:
    """The tree as an SVG element in its natural size; ``name`` is its identity on the page."""
    places = {uid: (x * _ACROSS, y * _DOWN) for uid, (x, y) in tidy_layout(graph_of(tree)).items()}
    left = min(x for x, _ in places.values()) - _MARGIN
    width = max(x for x, _ in places.values()) + _MARGIN - left
    height = max(y for _, y in places.values()) + 2 * _MARGIN
    nodes = list(nodes_of(tree))
    edges = "".join(
        f"M{_pair(places[node.uid])}L{_pair(places[child.uid])}"
        for node in nodes
        if not isinstance(node, Leaf)
        for child in (node.left, node.right)
    )
    parts = [
        f'<svg class="tree" viewBox="{_number(left)} {_number(-_MARGIN)} {_number(width)} {_number(height)}"'
        f' width="{_number(width)}" height="{_number(height)}" role="img"'
        f' aria-labelledby="{name}-title {name}-desc">',
        f'<title id="{name}-title">{escape(title)}</title>',
        f'<desc id="{name}-desc">{escape(description)}</desc>',
        f'<path class="edge" d="{edges}"/>' if edges else "",
        *(_face(node, *places[node.uid]) for node in nodes),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _face(node: Node, x: float, y: float) -> str:
    if isinstance(node, Leaf):
        kind, label = "leaf", UNICODE.variable(node.variable)
        shape = f'<rect x="{_number(x - 16)}" y="{_number(y - 14)}" width="32" height="28" rx="7"/>'
    else:
        kind, label = _WORDS[node.function]
        shape = (
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="15"/>'
            if node.function is Function.AND
            else f'<path d="M{_number(x)} {_number(y - 19)}l19 19l-19 19l-19 -19z"/>'
        )
    text = f'<text x="{_number(x)}" y="{_number(y + 5)}" text-anchor="middle">{label}</text>'
    return f'<g class="{kind}">{shape}{text}</g>'


def _pair(place: tuple[float, float]) -> str:
    return f"{_number(place[0])} {_number(place[1])}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
