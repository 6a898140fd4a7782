"""What a step did or would have done, as marks on the tree: where, of which kind, and why it lost."""

from dataclasses import dataclass
from typing import Final

from gpviz.app.canvas.faces import Face, function_face, leaf_face
from gpviz.engine import Inner, Node, Operation, RunConfig, Side, Step, Verdict
from gpviz.engine.tree import node_path, nodes_of
from gpviz.record.moment import Moment

__all__ = ["Deleted", "Ghost", "Inserted", "Marks", "Planted", "Substituted", "compact", "marks_of"]

_LONGEST_NUMBER: Final = 9_999_999
_PLANTING: Final = "First leaf"
"""On the empty tree every operation does this."""
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Inserted:
    """A function and a leaf that were not inserted above the node ``uid``."""

    uid: int
    above: int | None
    function: Face
    leaf: Face
    is_left: bool


@dataclass(frozen=True, slots=True)
class Deleted:
    """A subtree that was not deleted: its root and all its nodes."""

    uid: int
    uids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Substituted:
    """A leaf that did not become another one."""

    uid: int
    leaf: Face


@dataclass(frozen=True, slots=True)
class Planted:
    """A first leaf that was not accepted."""

    leaf: Face


Ghost = Inserted | Deleted | Substituted | Planted


@dataclass(frozen=True, slots=True)
class Marks:
    """The nodes to ring in the verdict's colour, the first of them being the mutated place, and what to say."""

    verdict: Verdict
    title: str
    text: str
    ringed: tuple[int, ...] = ()
    ghost: Ghost | None = None


def marks_of(picture: Moment | None, collapsed: frozenset[int] = frozenset()) -> Marks | None:
    """The marks of a picture; what a collapsed node hides is marked on that node."""
    if picture is None or picture.step is None:
        return None
    step = picture.step
    text = reason_of(step, picture.config)
    title = step.operation.value if picture.parent is not None else _PLANTING
    if step.is_accepted:
        return Marks(step.verdict, title, text, _changed(picture, step, collapsed))
    if picture.tree is None:
        return Marks(step.verdict, title, text, (), Planted(leaf_face(step.variable)))
    node, path = node_path(picture.tree, step.node)
    ancestors = [ancestor.uid for ancestor, _ in path]
    hiding = _hiding(ancestors, collapsed)
    if hiding is not None:
        return Marks(step.verdict, title, text, (hiding,))
    above = ancestors[-1] if ancestors else None
    return Marks(step.verdict, title, text, (node.uid,), _ghost(step, node, above, collapsed))


def _ghost(step: Step, node: Node, above: int | None, collapsed: frozenset[int]) -> Ghost:
    if step.operation is Operation.INS:
        is_left = step.side is Side.LEFT
        return Inserted(node.uid, above, function_face(step.function), leaf_face(step.variable), is_left)
    if step.operation is Operation.SUB:
        return Substituted(node.uid, leaf_face(step.variable))
    is_hidden = node.uid in collapsed
    return Deleted(node.uid, (node.uid,) if is_hidden else tuple(each.uid for each in nodes_of(node)))


def _changed(picture: Moment, step: Step, collapsed: frozenset[int]) -> tuple[int, ...]:
    """The nodes an accepted step made or changed; after a deletion the subtree that moved up."""
    tree = picture.tree
    if tree is None:
        return ()
    if picture.parent is None:
        return (tree.uid,)
    is_deletion = step.operation is Operation.DEL and step.verdict is not Verdict.UNCHANGED
    node, path = node_path(picture.parent if is_deletion else tree, step.node)
    if is_deletion:
        _, node = path.pop()
    hiding = _hiding([ancestor.uid for ancestor, _ in path], collapsed)
    if hiding is not None:
        return (hiding,)
    if step.operation is Operation.INS and isinstance(node, Inner) and node.uid not in collapsed:
        leaf = node.left if step.side is Side.LEFT else node.right
        return (node.uid, leaf.uid)
    return (node.uid,)


def _hiding(ancestors: list[int], collapsed: frozenset[int]) -> int | None:
    """The topmost collapsed node on the way from the root."""
    return next((uid for uid in ancestors if uid in collapsed), None)


def reason_of(step: Step, config: RunConfig) -> str:
    """Why the offspring won or lost."""
    if step.verdict is Verdict.TOO_LARGE:
        limit = config.max_leaves
        return f"{step.offspring_leaves} leaves > limit {limit}"
    if step.verdict is Verdict.UNCHANGED:
        return "changes nothing"
    where = " on these rows" if config.is_sampled else ""
    before, after = step.parent_error, step.offspring_error
    if after is None:
        return "the empty tree"
    if before is None:
        return f"error {compact(after)}{where}"
    if before == after:
        return f"error stays {compact(after)}{where}"
    if compact(before) == compact(after):
        return f"error {compact(after)}, {compact(after - before, is_signed=True)}{where}"
    return f"error {compact(before)} → {compact(after)}{where}"


def compact(number: int, *, is_signed: bool = False) -> str:
    """A number as one reads it on a picture: very large ones as a power of ten, − as a minus sign."""
    sign = "−" if number < 0 else "+" if is_signed else ""
    size = abs(number)
    if size <= _LONGEST_NUMBER:
        return f"{sign}{size}"
    digits = str(size)
    return f"{sign}{digits[0]}.{digits[1]}·10{str(len(digits) - 1).translate(_RAISED)}"
