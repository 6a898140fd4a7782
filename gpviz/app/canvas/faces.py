"""The face of a node: its shape and its label, which together say what it is."""

from enum import IntEnum
from typing import NamedTuple

from gpviz.engine import UNICODE, Function, Leaf, Node

__all__ = ["Face", "Kind", "face_of", "function_face", "leaf_face"]


class Kind(IntEnum):
    """A circle, a diamond, a box, and the triangles of collapsed subtrees."""

    AND = 0
    OR = 1
    LEAF = 2
    AND_STACK = 3
    OR_STACK = 4

    @property
    def is_stack(self) -> bool:
        return self in (Kind.AND_STACK, Kind.OR_STACK)


class Face(NamedTuple):
    """What a node looks like, but for its place and size."""

    kind: Kind
    label: str
    is_redundant: bool = False


_AND = Face(Kind.AND, UNICODE.conjunction)
_OR = Face(Kind.OR, UNICODE.disjunction)


def face_of(node: Node, is_collapsed: bool = False) -> Face:
    """The face of a node; a collapsed one says how many leaves it hides."""
    if isinstance(node, Leaf):
        return leaf_face(node.variable)
    if is_collapsed:
        kind = Kind.AND_STACK if node.function is Function.AND else Kind.OR_STACK
        return Face(kind, str(node.leaves))
    return function_face(node.function)


def function_face(function: Function) -> Face:
    return _AND if function is Function.AND else _OR


def leaf_face(variable: int) -> Face:
    return Face(Kind.LEAF, UNICODE.variable(variable))
