"""Composes the picture of a moment: the tree in its place, what the step did, notes, counter and banner.

Positions depend on the tree, its rules, the layout and the options only. So a rejected step and a substitution
move no node, and stepping to and fro gives the same picture both times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import Inner, Node, Rules, State
from gpviz.engine.tree import nodes_of, variables_of
from gpviz.explain.moment import Moment
from gpviz.explain.tree_state_text import groups_of, leaf_notes
from gpviz.picture.banner import banner_of
from gpviz.picture.changes import ChangePlacer, Drawn, badge_rect, drawn_of, extent_of, label_of, shape_of
from gpviz.picture.counter import counter_of, redundant_of
from gpviz.picture.fit import fitted
from gpviz.picture.layout import LAYERED, Positions, place
from gpviz.picture.leaf_note_places import MOST_NOTED, placed_notes, rect_of, space_below, usual_places
from gpviz.picture.motion import WEIGHTS
from gpviz.picture.options import Options
from gpviz.picture.picture import Banner, Change, NodeShape, Note, Picture, PlacedEdge, PlacedNode, Role
from gpviz.picture.regions import Regions, regions_of, unit_of
from gpviz.picture.space import Rect, Segment, Space, union_of

FRAMED: Final = (State.STUCK, State.SOLVED)
"""The states that give a picture a frame, and a sentence in the place of the verdict."""
_EMPTY_SCALE: Final = 1.0


def picture_of(moment: Moment, options: Options, analysis: Analysis | None = None) -> Picture:
    """The picture of a moment; an analysis of another tree, or under other rules, is ignored."""
    if analysis is not None and (moment.is_verdict_hidden or not analysis.is_of(moment.tree, moment.rules)):
        analysis = None
    unit = unit_of(options)
    regions = regions_of(moment.config, options, unit)
    drawn = drawn_of(moment) if options.has_marks else Drawn(moment.tree)
    state = "" if options.banner is None else options.banner.state
    if analysis is not None and analysis.state.state in FRAMED:
        state = analysis.state.state.name
    tree = _placed_tree(drawn, moment.rules, options, regions, unit, analysis)
    change = None
    if moment.step is not None and options.has_marks:
        change = _placed_change(drawn, moment, tree, regions, unit / options.zoom)
    notes = _placed_notes(tree, regions, options, unit, analysis, change)
    return Picture(
        width=options.width,
        height=options.height,
        unit=unit,
        line=options.line_scale,
        scale=tree.scale,
        zoom=options.zoom,
        nodes=tuple(tree.nodes.values()),
        edges=tree.edges,
        changes=() if change is None else (change,),
        notes=notes,
        counter=counter_of(moment, analysis) if options.has_counter else None,
        banner=_banner(moment, options, analysis, has_notes=bool(notes)),
        state=state if options.has_frame else "",
        weight=1.0 if moment.step is None else WEIGHTS[moment.step.verdict],
        tree_bounds=_bounds(tree, change, notes),
        overlay=options.overlay,
        selected=options.selected if options.selected in tree.nodes else None,
    )


def _banner(moment: Moment, options: Options, analysis: Analysis | None, *, has_notes: bool) -> Banner | None:
    """What the banner says: of a state in any case, and else what it has to keep saying."""
    if not options.has_banner:
        return None
    banner = banner_of(moment, analysis, has_notes=has_notes)
    return banner if banner is not None and banner.state else options.banner or banner


def positions_of_picture(tree: Node, rules: Rules, options: Options) -> Positions:
    """The unit positions of the nodes on show."""
    if options.positions is not None:
        return options.positions
    return place(tree, options.layout, options.folded, has_notes=_may_be_noted(tree, rules, options))


@dataclass(frozen=True, slots=True)
class _PlacedTree:
    """The tree on show with its nodes in their places."""

    tree: Node | None
    scale: float
    nodes: Mapping[int, PlacedNode]
    edges: tuple[PlacedEdge, ...]
    has_notes: bool = False
    """Whether its leaves have notes if it turns out to be stuck."""

    @property
    def parents(self) -> dict[int, int]:
        return {edge.child: edge.parent for edge in self.edges}

    def space(self, regions: Regions) -> Space:
        """What is free around it."""
        places = {node.uid: (node.x, node.y) for node in self.nodes.values()}
        return Space(
            regions.tree,
            [*(extent_of(node, self.scale) for node in self.nodes.values()), *regions.corners],
            [Segment(*places[edge.parent], *places[edge.child]) for edge in self.edges],
        )


def _placed_tree(
    drawn: Drawn, rules: Rules, options: Options, regions: Regions, unit: float, analysis: Analysis | None
) -> _PlacedTree:
    tree = drawn.tree
    if tree is None:
        return _PlacedTree(None, _EMPTY_SCALE * unit, {}, ())
    positions = positions_of_picture(tree, rules, options)
    pairs = [
        (node.uid, child.uid)
        for node in nodes_of(tree)
        if isinstance(node, Inner) and node.uid in positions
        for child in (node.left, node.right)
        if child.uid in positions
    ]
    has_notes = _may_be_noted(tree, rules, options)
    below = space_below(unit, has_brackets=_may_have_brackets(tree, rules)) if has_notes else 0.0
    fit = fitted(
        positions,
        pairs,
        regions.tree,
        regions.corners,
        unit,
        is_layered=options.layout in LAYERED,
        below=below,
        has_notes=has_notes,
    )
    leaving, ring = frozenset(drawn.leaving), frozenset(drawn.ring)
    redundant = redundant_of(analysis) if options.has_redundant else frozenset()
    nodes = {}
    for node in nodes_of(tree):
        uid = node.uid
        if uid not in positions:
            continue
        is_folded = uid in options.folded and isinstance(node, Inner)
        role = Role.KEPT
        if uid in ring:
            role = Role.CHOSEN if drawn.is_chosen else Role.NEW
        elif uid in leaving:
            role = Role.LEAVING
        shape = NodeShape.TRIANGLE if is_folded else shape_of(node)
        label = f"{node.leaves:,}" if is_folded else label_of(node)
        nodes[uid] = PlacedNode(uid, *fit.place(positions[uid]), shape, label, role, 1.0, uid in redundant)
    edges = tuple(
        PlacedEdge(above, child, Role.LEAVING if {above, child} <= leaving else Role.KEPT)
        for above, child in pairs
    )
    return _PlacedTree(tree, fit.scale, nodes, edges, has_notes)


def _may_be_noted(tree: Node, rules: Rules, options: Options) -> bool:
    """Whether a tree may turn out to be stuck, so that it keeps space for the notes of its leaves."""
    return (
        options.has_reasons
        and options.layout == "tidy"
        and not rules.is_sampled
        and tree.leaves == rules.max_leaves
        and tree.leaves <= MOST_NOTED
        and (tree.ors > 0 or variables_of(tree).bit_count() < rules.n)
    )


def _may_have_brackets(tree: Node, rules: Rules) -> bool:
    return tree.ors > 0 and not rules.has_subtree_deletion


def _placed_change(
    drawn: Drawn, moment: Moment, tree: _PlacedTree, regions: Regions, unit: float
) -> Change | None:
    middle, top = regions.tree.middle[0], regions.tree.top
    empty = middle, top + 0.3 * (regions.tree.bottom - top)
    space = tree.space(regions)
    if tree.has_notes:
        space.take(usual_places(tree.nodes.values(), tree.scale, unit))
    placer = ChangePlacer(drawn, moment, tree.nodes, tree.parents, space, tree.scale, unit, empty)
    if drawn.anchor is not None and tree.tree is not None and drawn.anchor not in tree.nodes:
        return placer.on_fold(standing_for(tree.tree, tree.nodes)[drawn.anchor])
    return placer.placed()


def standing_for(tree: Node, shown: Mapping[int, object]) -> dict[int, int]:
    """For each node of a tree the one that is drawn for it: itself, or the folded one that hides it."""
    drawn: dict[int, int] = {}
    pending: list[tuple[Node, int]] = [(tree, tree.uid)]
    while pending:
        node, hiding = pending.pop()
        standing = drawn[node.uid] = node.uid if node.uid in shown else hiding
        if isinstance(node, Inner):
            pending += ((node.left, standing), (node.right, standing))
    return drawn


def _placed_notes(
    tree: _PlacedTree,
    regions: Regions,
    options: Options,
    unit: float,
    analysis: Analysis | None,
    change: Change | None,
) -> tuple[Note, ...]:
    lines = leaf_notes(analysis) if options.has_reasons else {}
    if not lines:
        return ()
    space = tree.space(regions)
    if change is not None:
        space.take(_change_rects(change, tree.scale, unit))
    return placed_notes(lines, groups_of(analysis), tree.nodes, space, tree.scale, unit)


def _change_rects(change: Change, scale: float, unit: float) -> list[Rect]:
    rects = [extent_of(ghost, scale) for ghost in change.ghosts]
    return [*rects, badge_rect(change.badge, unit)] if change.badge is not None else rects


def _bounds(
    tree: _PlacedTree, change: Change | None, notes: Sequence[Note]
) -> tuple[float, float, float, float]:
    """The rectangle of all that is drawn of the tree."""
    nodes = [*tree.nodes.values(), *(() if change is None else change.ghosts)]
    rects = [
        *(extent_of(node, tree.scale) for node in nodes),
        *(rect_of(note) for note in notes if note.lines),
    ]
    return union_of(rects) if rects else Rect(0.0, 0.0, 0.0, 0.0)
