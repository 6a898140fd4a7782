"""Composes the picture of a moment: the tree in its place, what the step did, notes, counter and banner.

Positions depend on the tree, its rules, the layout and the options only. So a rejected step and a substitution
move no node, and stepping to and fro gives the same picture both times.
"""

from collections.abc import Sequence
from typing import Final

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import Inner, Node, Rules, State
from gpviz.engine.tree import nodes_of, variables_of
from gpviz.explain.moment import Moment
from gpviz.explain.tree_state_text import groups_of, leaf_notes
from gpviz.picture.banner import banner_of, is_goal_reached
from gpviz.picture.changes import DrawnStep, drawn_step, placed_change
from gpviz.picture.counter import counter_of, redundant_of
from gpviz.picture.fit import fitted
from gpviz.picture.layout import LAYERED, place
from gpviz.picture.leaf_notes import MOST_NOTED, note_rect, placed_notes, space_below, usual_note_rects
from gpviz.picture.nodes import PlacedTree, extent_of, label_of, shape_of
from gpviz.picture.options import Options
from gpviz.picture.picture import Banner, Change, NodeShape, Note, Picture, PlacedEdge, PlacedNode, Role
from gpviz.picture.regions import Regions, regions_of
from gpviz.picture.space import Rect, Space, around, union_of

FRAMED: Final = (State.STUCK, State.SOLVED)
"""The states that give a picture a frame, and a sentence in the place of the verdict."""


def picture_of(moment: Moment, options: Options, analysis: Analysis | None = None) -> Picture:
    """The picture of a moment; an analysis of another tree, or under other rules, is ignored."""
    if analysis is not None and (moment.is_verdict_hidden or not analysis.is_of(moment.tree, moment.rules)):
        analysis = None
    regions = regions_of(moment.config, options)
    drawn = drawn_step(moment) if options.has_marks else DrawnStep(moment.tree)
    has_notes = drawn.tree is not None and _may_be_noted(drawn.tree, moment.rules, options)
    tree = _placed_tree(drawn, moment.rules, options, regions, analysis, has_notes=has_notes)
    space, unit = _space_around(tree, regions), regions.unit / options.zoom
    notes = _placed_notes(tree, space, regions.unit, analysis) if options.has_reasons else ()
    change = None
    if moment.step is not None and options.has_marks:
        space.take(note_rect(note, regions.unit) for note in notes)
        if has_notes:
            space.take(usual_note_rects(tree, unit))
        change = placed_change(moment, drawn, tree, space, unit)
    banner = _banner(moment, options, analysis, has_notes=bool(notes))
    return Picture(
        width=options.width,
        height=options.height,
        unit=regions.unit,
        line=options.line_scale,
        scale=tree.scale,
        nodes=tuple(tree.nodes.values()),
        edges=tree.edges,
        changes=() if change is None else (change,),
        notes=notes,
        counter=counter_of(moment, analysis) if options.has_counter else None,
        banner=banner,
        state=_state(moment, options, analysis),
        tree_bounds=_bounds(tree, change, notes, regions.unit),
        overlay=options.overlay,
        selected=options.selected if options.selected in tree.nodes else None,
    )


def _banner(moment: Moment, options: Options, analysis: Analysis | None, *, has_notes: bool) -> Banner | None:
    """What the banner says: of a state in any case, and else what it has to keep saying."""
    if not options.has_banner:
        return None
    banner = banner_of(moment, analysis, has_notes=has_notes)
    return banner if banner is not None and banner.state else options.banner or banner


def _state(moment: Moment, options: Options, analysis: Analysis | None) -> str:
    """The state that gives the picture a frame, also while the banner keeps saying it."""
    if not options.has_frame:
        return ""
    if analysis is not None and analysis.state.state in FRAMED:
        return analysis.state.state.name
    if is_goal_reached(moment):
        return "DONE"
    return "" if options.banner is None else options.banner.state


# The tree


def _placed_tree(
    drawn: DrawnStep,
    rules: Rules,
    options: Options,
    regions: Regions,
    analysis: Analysis | None,
    *,
    has_notes: bool,
) -> PlacedTree:
    tree = drawn.tree
    if tree is None:
        return PlacedTree(None, regions.unit, {}, ())
    positions = options.positions
    if positions is None:
        positions = place(tree, options.layout, options.folded, has_notes=has_notes)
    shown = [node for node in nodes_of(tree) if node.uid in positions]
    pairs = [
        (node.uid, child.uid)
        for node in shown
        if isinstance(node, Inner)
        for child in (node.left, node.right)
        if child.uid in positions
    ]
    has_brackets = tree.ors > 0 and not rules.has_subtree_deletion
    fit = fitted(
        positions,
        pairs,
        regions.tree,
        regions.corners,
        regions.unit,
        is_layered=options.layout in LAYERED,
        below=space_below(regions.unit, has_brackets=has_brackets) if has_notes else 0.0,
        has_notes=has_notes,
    )
    redundant = redundant_of(analysis) if options.has_redundant else frozenset()
    roles = dict.fromkeys(drawn.leaving, Role.LEAVING)
    roles |= dict.fromkeys(drawn.ring, Role.CHOSEN if drawn.is_chosen else Role.NEW)
    nodes = {}
    for node in shown:
        uid = node.uid
        shape, label = shape_of(node), label_of(node)
        if uid in options.folded and isinstance(node, Inner):
            shape, label = NodeShape.TRIANGLE, f"{node.leaves:,}"
        x, y = fit.place(positions[uid])
        role = roles.get(uid, Role.KEPT)
        nodes[uid] = PlacedNode(uid, x, y, shape, label, role, is_redundant=uid in redundant)
    return PlacedTree(tree, fit.scale, nodes, tuple(PlacedEdge(above, child) for above, child in pairs))


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


def _space_around(tree: PlacedTree, regions: Regions) -> Space:
    return Space(regions.tree, [*tree.extents, *regions.corners], tree.segments)


def _placed_notes(tree: PlacedTree, space: Space, unit: float, analysis: Analysis | None) -> tuple[Note, ...]:
    """The notes of a stuck tree, which stay where they are whatever the step."""
    lines = leaf_notes(analysis)
    return placed_notes(lines, groups_of(analysis), tree, space, unit) if lines else ()


def _bounds(tree: PlacedTree, change: Change | None, notes: Sequence[Note], unit: float) -> Rect:
    """The rectangle of all that is drawn of the tree."""
    rects = [*tree.extents, *(note_rect(note, unit) for note in notes)]
    if change is not None:
        rects += [extent_of(ghost, tree.scale) for ghost in change.ghosts]
        if change.badge is not None:
            x, y, radius = change.badge
            rects.append(around(x, y, radius, radius))
    return union_of(rects) if rects else Rect(0.0, 0.0, 0.0, 0.0)
