"""What a step did, would have done or would do, as marks on the tree: where, of which kind, and how it ends."""

from dataclasses import dataclass
from typing import Final

from gpviz.app.canvas.faces import Face, face_of, function_face, leaf_face
from gpviz.app.theme import Colours
from gpviz.engine import UNICODE, Inner, Node, Operation, RunConfig, Side, Step, Verdict
from gpviz.engine.tree import node_at, node_path, nodes_of
from gpviz.record.moment import Moment
from gpviz.record.telling import number_text

__all__ = [
    "Deleted",
    "Ghost",
    "Inserted",
    "Marks",
    "Planted",
    "Substituted",
    "compact",
    "marks_of",
    "pair_marks_of",
    "reason_of",
    "words_of",
]

_LARGEST_EXACT: Final = 9_999_999
_PLANTING: Final = "First leaf"
"""On the empty tree every operation does this."""
_CONDITIONAL: Final = {
    Verdict.IMPROVED: "would improve",
    Verdict.NEUTRAL: "would be neutral",
    Verdict.WORSE: "would be worse",
    Verdict.TOO_LARGE: "would be too large",
}


@dataclass(frozen=True, slots=True)
class Inserted:
    """A function and a leaf that are not inserted above the node ``uid``."""

    uid: int
    above: int | None
    function: Face
    leaf: Face
    is_left: bool


@dataclass(frozen=True, slots=True)
class Deleted:
    """A subtree that is not deleted: its root and all its nodes."""

    uid: int
    uids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Substituted:
    """A leaf that does not become another one."""

    uid: int
    leaf: Face


@dataclass(frozen=True, slots=True)
class Planted:
    """A first leaf that is not planted."""

    leaf: Face


Ghost = Inserted | Deleted | Substituted | Planted


@dataclass(frozen=True, slots=True)
class Marks:
    """The nodes to ring in the verdict's colour, the first of them being the mutated place, and what to say.

    Without a verdict nobody is told it yet, and the marks are in no verdict's colour.
    """

    verdict: Verdict | None
    title: str
    text: str
    ringed: tuple[int, ...] = ()
    ghost: Ghost | None = None
    is_preview: bool = False

    def colour(self, colours: Colours) -> str:
        return colours.accent if self.verdict is None else colours.of_verdict(self.verdict)


def marks_of(picture: Moment | None, collapsed: frozenset[int] = frozenset()) -> Marks | None:
    """The marks of a picture; what a collapsed node hides is marked on that node."""
    if picture is None or picture.step is None:
        return None
    if picture.is_preview:
        ringed, ghost = _proposed(picture, picture.step, collapsed)
    elif picture.step.is_accepted:
        ringed, ghost = _changed(picture.parent, picture.tree, picture.step, collapsed), None
    else:
        ringed, ghost = _refused(picture.tree, picture.step, collapsed)
    return _worded(picture, picture.step, ringed, ghost)


def pair_marks_of(picture: Moment, collapsed: frozenset[int], *, is_offspring_own: bool) -> Marks | None:
    """The marks of a parent beside its offspring: the mutated place is ringed in both."""
    step, parent, offspring = picture.step, picture.parent, picture.offspring
    if step is None or parent is None or offspring is None:
        return None
    chosen, _ = _refused(parent, step, collapsed)
    changed = _changed(parent, offspring, step, collapsed)
    if is_offspring_own:
        chosen = tuple(~uid for uid in chosen)
    else:
        changed = tuple(~uid for uid in changed)
    return _worded(picture, step, chosen + changed, None)


def _worded(picture: Moment, step: Step, ringed: tuple[int, ...], ghost: Ghost | None) -> Marks:
    is_planted = picture.parent is None and step.offspring_leaves > 0
    title = _PLANTING if is_planted else step.operation.value
    verdict = None if picture.is_verdict_hidden else step.verdict
    return Marks(verdict, title, words_of(picture, step), ringed, ghost, picture.is_preview)


def _proposed(picture: Moment, step: Step, collapsed: frozenset[int]) -> tuple[tuple[int, ...], Ghost | None]:
    """What a preview shows on the parent, whatever would become of it."""
    if picture.tree is None and not step.offspring_leaves:
        return (), None  # the empty tree has nothing to delete or to substitute
    ringed, ghost = _refused(picture.tree, step, collapsed)
    is_root_deleted = isinstance(ghost, Deleted) and not step.node
    if is_root_deleted and not picture.is_verdict_hidden:
        return ringed, None  # it stays, and striking out the whole tree would say something else
    return ringed, ghost


def _refused(
    tree: Node | None, step: Step, collapsed: frozenset[int]
) -> tuple[tuple[int, ...], Ghost | None]:
    """The chosen node of the parent, and the ghost of what it did not become."""
    if tree is None:
        return (), Planted(leaf_face(step.variable))
    node, path = node_path(tree, step.node)
    ancestors = [ancestor.uid for ancestor, _ in path]
    hiding = _hiding(ancestors, collapsed)
    if hiding is not None:
        return (hiding,), None
    above = ancestors[-1] if ancestors else None
    return (node.uid,), _ghost(step, node, above, collapsed)


def _ghost(step: Step, node: Node, above: int | None, collapsed: frozenset[int]) -> Ghost:
    if step.operation is Operation.INS:
        is_left = step.side is Side.LEFT
        return Inserted(node.uid, above, function_face(step.function), leaf_face(step.variable), is_left)
    if step.operation is Operation.SUB:
        return Substituted(node.uid, leaf_face(step.variable))
    is_hidden = node.uid in collapsed
    return Deleted(node.uid, (node.uid,) if is_hidden else tuple(each.uid for each in nodes_of(node)))


def _changed(
    parent: Node | None, tree: Node | None, step: Step, collapsed: frozenset[int]
) -> tuple[int, ...]:
    """The nodes that a step made or changed in its offspring; after a deletion the subtree that moved up."""
    if tree is None:
        return ()
    if parent is None:
        return (tree.uid,)
    is_deletion = step.operation is Operation.DEL and step.verdict is not Verdict.UNCHANGED
    node, path = node_path(parent if is_deletion else tree, step.node)
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


def words_of(picture: Moment, step: Step) -> str:
    """What a tag says after the operation: how it ended, how it would end, or only what is asked."""
    if picture.is_verdict_hidden:
        return f"{_proposal(picture.parent, step)}: accepted?"
    reason = reason_of(step, picture.config)
    if not picture.is_preview:
        return reason
    if step.verdict is Verdict.UNCHANGED:
        return "would change nothing"
    if picture.parent is None:
        return f"would be planted: {reason}"
    return f"{_CONDITIONAL[step.verdict]}: {reason}"


def _proposal(parent: Node | None, step: Step) -> str:
    """What the operation is to do, after its name: ``x₄ with ∧``, ``x₁ by x₄``, ``∨ with its 3 leaves``."""
    variable = UNICODE.variable(step.variable)
    if parent is None:
        return variable if step.offspring_leaves else "on the empty tree"
    if step.operation is Operation.INS:
        return f"{variable} with {UNICODE.function(step.function)}"
    node = node_at(parent, step.node)
    if step.operation is Operation.SUB:
        return f"{face_of(node).label} by {variable}"
    return face_of(node).label if node.leaves == 1 else f"{face_of(node).label} with its {node.leaves} leaves"


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
    return f"{sign}{number_text(abs(number), _LARGEST_EXACT)}"
