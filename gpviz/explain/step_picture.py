"""The picture of a step: parent and offspring as one tree, in which everything that comes or goes has a place.

A mutation only ever adds to a tree, takes from it, or changes the label of one leaf. So one of the two trees has
all the nodes of both, and the leaf that a substitution changes gets a second place beside its own for the label
that is not in the tree.
"""

from dataclasses import dataclass

from gpviz.engine import Inner, Leaf, Node, Operation, Side, Step
from gpviz.engine.tree import node_path, nodes_of
from gpviz.explain.moment import Moment
from gpviz.picture.layout import Beside, TreeGraph, graph_of


@dataclass(frozen=True, slots=True)
class OtherLabel:
    """The variable that a substitution took away from a leaf, or would give it."""

    leaf: int
    variable: int
    is_old: bool
    is_left: bool
    """Whether its place is on the left of the leaf, which is away from the leaf's sibling."""

    @property
    def uid(self) -> int:
        return other_uid(self.leaf)


def other_uid(leaf: int) -> int:
    """The uid of the second place of a leaf; no node has it."""
    return -leaf - 1


@dataclass(frozen=True, slots=True)
class StepPicture:
    """What there is to draw of a step. Its nodes are those of ``tree``, which is the parent or the offspring."""

    tree: Node | None
    ghosts: frozenset[int] = frozenset()
    """What is drawn although the tree on show does not have it: it went, or it was proposed."""
    leaving: frozenset[int] = frozenset()
    """What the tree on show has, and a deletion takes or would take away."""
    ringed: tuple[int, ...] = ()
    """What the step made or changed, or the node that it chose."""
    other: OtherLabel | None = None
    is_crossed: bool = False
    """Whether what was proposed is rejected."""

    @property
    def places(self) -> tuple[int, ...]:
        """The uids that the step is about, the most telling one first: a function comes after what hangs on it."""
        labels = () if self.other is None else (self.other.leaf, self.other.uid)
        gone = self.ghosts | self.leaving
        nodes = [node for node in nodes_of(self.tree) if node.uid in gone] if gone else []
        if nodes and isinstance(nodes[0], Inner) and not {nodes[0].left.uid, nodes[0].right.uid} <= gone:
            nodes = [*nodes[1:], nodes[0]]
        return tuple(dict.fromkeys((*self.ringed, *(node.uid for node in nodes), *labels)))

    @property
    def rejected(self) -> tuple[int, ...]:
        """What is crossed out: all that was proposed, if it is rejected."""
        if not self.is_crossed:
            return ()
        kept = (*self.ringed, None if self.other is None else self.other.leaf)
        return tuple(uid for uid in self.places if uid not in kept)

    def graph(self, collapsed: frozenset[int] = frozenset()) -> TreeGraph:
        """All its nodes, to be laid out; the other label of a leaf has a place beside it."""
        assert self.tree is not None
        other = self.other
        beside = None if other is None else Beside(other.uid, other.leaf, other.is_left)
        return graph_of(self.tree, collapsed, beside)

    @property
    def bridges(self) -> frozenset[int]:
        """The functions among the ghosts through which an edge of the tree on show runs to the node below."""
        if not self.ghosts or self.tree is None:
            return frozenset()
        return frozenset(
            child.uid
            for node in nodes_of(self.tree)
            if isinstance(node, Inner) and node.uid not in self.ghosts
            for child in (node.left, node.right)
            if child.uid in self.ghosts
        )


def tree_picture(tree: Node | None) -> StepPicture:
    """A tree without any step."""
    return StepPicture(tree)


def step_picture(moment: Moment, *, is_proposal: bool = False) -> StepPicture:
    """The picture of a moment; as a proposal it shows what was drawn, and not yet what became of it."""
    step = moment.step
    if step is None or (moment.parent is None and not step.offspring_leaves):
        return tree_picture(moment.tree)
    is_open = is_proposal or moment.is_verdict_hidden
    is_pending = is_open or moment.is_preview
    is_crossed = not is_open and not step.is_accepted
    if moment.parent is None:
        return _planted(moment, is_pending=is_pending, is_crossed=is_crossed)
    if step.operation is Operation.INS:
        return _inserted(moment, step, is_pending=is_pending, is_crossed=is_crossed)
    if step.operation is Operation.SUB:
        return _substituted(moment, step, is_pending=is_pending, is_crossed=is_crossed)
    return _deleted(moment, step, is_pending=is_pending, is_crossed=is_crossed)


def _planted(moment: Moment, *, is_pending: bool, is_crossed: bool) -> StepPicture:
    assert moment.offspring is not None
    leaf = moment.offspring.uid
    if is_pending or is_crossed:
        return StepPicture(moment.offspring, ghosts=frozenset({leaf}), is_crossed=is_crossed)
    return StepPicture(moment.offspring, ringed=(leaf,))


def _inserted(moment: Moment, step: Step, *, is_pending: bool, is_crossed: bool) -> StepPicture:
    assert moment.offspring is not None
    function, _ = node_path(moment.offspring, step.node)
    assert isinstance(function, Inner)
    leaf = function.left if step.side is Side.LEFT else function.right
    if is_pending or is_crossed:
        return StepPicture(
            moment.offspring, ghosts=frozenset({leaf.uid, function.uid}), is_crossed=is_crossed
        )
    return StepPicture(moment.offspring, ringed=(leaf.uid, function.uid))


def _substituted(moment: Moment, step: Step, *, is_pending: bool, is_crossed: bool) -> StepPicture:
    is_done = not is_pending and not is_crossed
    tree = moment.offspring if is_done else moment.parent
    assert tree is not None
    assert moment.parent is not None
    leaf, path = node_path(tree, step.node)
    old, _ = node_path(moment.parent, step.node)
    other = None
    if isinstance(old, Leaf) and old.variable != step.variable:
        is_left = bool(path) and path[-1][0].left is leaf
        other = OtherLabel(leaf.uid, old.variable if is_done else step.variable, is_done, is_left)
    if is_crossed and other is not None:
        return StepPicture(tree, other=other, is_crossed=True)
    if is_done or other is None:
        return StepPicture(tree, ringed=(leaf.uid,), other=other, is_crossed=is_crossed)
    return StepPicture(tree, leaving=frozenset({leaf.uid}), other=other)


def _deleted(moment: Moment, step: Step, *, is_pending: bool, is_crossed: bool) -> StepPicture:
    assert moment.parent is not None
    node, path = node_path(moment.parent, step.node)
    if not path:  # the root stays whatever is drawn
        return StepPicture(moment.parent, ringed=(node.uid,), is_crossed=is_crossed)
    gone = frozenset({path[-1][0].uid, *(each.uid for each in nodes_of(node))})
    if is_pending or is_crossed:
        return StepPicture(moment.parent, leaving=gone, is_crossed=is_crossed)
    return StepPicture(moment.parent, ghosts=gone)
