"""The tree of an iteration as TikZ: a document that compiles by itself, or a picture for another one.

Coordinates are those of the tidy layout, one unit between neighbours; how large a unit and a node are is said
once, so that a picture is easily made to fit by hand. The places of the nodes have names, so that a node can be
moved with its edges: n1 is the root, the others count in preorder, with what a step took away or proposed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import Function, GpvizError, Inner, Leaf, Node, State, TreeState
from gpviz.engine.tree import nodes_of
from gpviz.escaping import latex_comment, latex_text
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.step_picture import StepPicture, step_picture
from gpviz.explain.step_text import VERDICT_SYMBOLS, callout_of
from gpviz.explain.tree_state_text import STUCK_CLAIM
from gpviz.explain.tree_text import caption_of
from gpviz.export.latex_styles import (
    LIBRARIES,
    VERDICT_COLOURS,
    colour_name,
    colours_and_styles,
    number,
    width_cm,
)
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.files.file_io import write_file
from gpviz.picture.layout import positions_of

Floats = npt.NDArray[np.float64]
MOST_NODES: Final = 2000
"""TeX keeps a whole picture in its memory."""

_LONGEST_SIDE_CM: Final = 100.0
"""TeX knows no length above 575 cm, and no sheet of paper is larger than that."""

_BORDER: Final = "4mm"
_BARE_BORDER: Final = "1pt"
"""Half the width of a line is outside of what TikZ takes for the picture."""

_READABLE_CM: Final = 25.0
"""The words beside a larger picture grow with it."""

_ROOM: Final = 0.6
"""What the outermost nodes need around their centres, in units of the layout."""

_SHORT_NAME: Final = 99
_MOST_CROSSED: Final = 12
"""Of a larger part that is rejected only the first nodes are crossed out; the dashes are around all of it."""

CALLOUT_CM: Final = 0.65
"""The height of a callout."""
_GAP_CM: Final = 0.35
_NODE_CM: Final = (0.46, 0.44)
"""How far a callout stays away from nodes, and how far these reach with their marks, across and down."""
_PLACES: Final = (49, 41)
_FEW_PLACES: Final = (25, 17)
_MANY_NODES: Final = 300
_MOST_COMPARED: Final = 400_000
_MOST_MARKS: Final = 6
_CROSSED_NODE_COST: Final = 6.0
_CROSSED_EDGE_COST: Final = 0.5
_ASIDE_COST: Final = 0.08
_HIDDEN_COST: Final = 1000.0
"""In centimetres away: what it costs to cross a node with the line, to lie on an edge, to be aside, to hide."""

_SYMBOLS: Final = {Function.AND: r"$\wedge$", Function.OR: r"$\vee$"}
_STATE_WORDS: Final = {
    State.STUCK: ("Stuck.", STUCK_CLAIM),
    State.SOLVED: ("Solved.", "The tree computes the target."),
}
_STATE_COLOURS: Final = {State.STUCK: "stuck", State.SOLVED: "solved"}


class _Place(NamedTuple):
    """A point of the layout; y grows downwards."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"({number(self.x)},{number(-self.y)})"


class Bounds(NamedTuple):
    """A rectangle in units of the layout, y downwards."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Picture:
    """The commands of a picture, the rectangle that they fill, and where its nodes and edges are.

    A callout comes between the definitions and the drawing, so that its line hides nothing.
    """

    definitions: tuple[str, ...]
    lines: tuple[str, ...]
    bounds: Bounds
    places: tuple[_Place, ...]
    edges: tuple[tuple[int, int], ...]
    """The ends of each edge by their places in ``places``."""
    marked: tuple[int, ...]
    """What the step is about, by its places in ``places``."""
    names: tuple[str, ...]
    """What each of the places is called."""


def write_tikz(request: ExportRequest, subject: Subject, _on_progress: OnProgress | None = None) -> None:
    """Write the tree of an iteration; an existing file is replaced once the new one is complete."""
    text = tikz_of(
        moment_at(subject.history, request.at),
        caption=caption_of(subject.history, request.at),
        is_fragment=request.is_fragment,
        analysis=None if request.is_bare else subject.analysis_at(request.at),
        is_bare=request.is_bare,
    )
    write_file(request.path, text.encode())


def tikz_of(
    moment: Moment,
    *,
    caption: str = "",
    is_fragment: bool = False,
    analysis: Analysis | None = None,
    is_bare: bool = False,
) -> str:
    """A moment of a run as TikZ, with redundant leaves and a frame around a stuck tree where an analysis tells.

    The caption is a comment. A bare one is nothing but the tree. A tree too large for TeX is a `GpvizError`.
    """
    if is_bare:
        moment, analysis = replace(moment, step=None), None
    picture = picture_of(moment, analysis)
    bounds = picture.bounds
    across, down = bounds.right - bounds.left, bounds.bottom - bounds.top
    scale = min(1.0, _LONGEST_SIDE_CM / max(across, down))
    text_size = max(1.0, scale * max(across, down) / _READABLE_CM)
    comment = latex_comment(
        "\n".join(filter(None, (f"gpviz: the tree of iteration {moment.iteration}", caption)))
    )
    definitions = colours_and_styles(scale)
    space = _space_around(moment, picture, scale, text_size)
    callout = callout_lines(moment, picture, space, (scale, scale), text_size, scale)
    lines = [*picture.definitions, *callout, *picture.lines, *_state_around(moment, analysis, text_size)]
    begin, end = rf"\begin{{tikzpicture}}[x={number(scale)}cm, y={number(scale)}cm]", r"\end{tikzpicture}"
    if is_fragment:
        needs = latex_comment(f"The preamble needs \\usepackage{{tikz}} and \\usetikzlibrary{{{LIBRARIES}}}")
        return "\n".join([comment, needs, begin, definitions, *lines, end, ""])
    return "\n".join(
        [
            comment,
            rf"\documentclass[tikz, border={_BARE_BORDER if is_bare else _BORDER}]{{standalone}}",
            rf"\usetikzlibrary{{{LIBRARIES}}}",
            definitions,
            r"\begin{document}",
            begin,
            *lines,
            end,
            r"\end{document}",
            "",
        ]
    )


def check_size(leaves: int) -> None:
    """Raise `GpvizError` if a tree with so many leaves is too large for TeX."""
    nodes = max(2 * leaves - 1, 0)
    if nodes > MOST_NODES:
        raise GpvizError(
            f"The tree has {nodes:,} nodes, but TikZ draws at most {MOST_NODES:,}; export it as SVG or "
            "PDF instead."
        )


def picture_of(moment: Moment, analysis: Analysis | None = None) -> Picture:
    """The tree with the marks of its step."""
    tree = moment.tree
    check_size(0 if tree is None else tree.leaves)
    known = _known(analysis, moment)
    return _Drawing(step_picture(moment), frozenset() if known is None else known.redundant).drawn(moment)


def callout_tex(moment: Moment) -> str:
    """The step, what came of it and whether that is accepted, in one line for TeX; empty at the start."""
    callout, step = callout_of(moment), moment.step
    if callout is None or step is None:
        return ""
    symbol = "" if moment.is_verdict_hidden else f"{latex_text(VERDICT_SYMBOLS[step.verdict])} "
    rest = str(callout).removeprefix(callout.operation)
    return rf"{symbol}\textbf{{{latex_text(callout.operation)}}}{latex_text(rest)}"


def callout_lines(
    moment: Moment,
    picture: Picture,
    space: Bounds,
    unit_cm: tuple[float, float],
    size: float = 1.0,
    scale: float = 1.0,
    most_cm: float = inf,
) -> list[str]:
    """The commands for the callout of a step in free space of the picture, and for a line to what it is about.

    ``size`` is that of its words, less where it would be wider than ``most_cm``, and ``scale`` that of the nodes.
    """
    text = callout_tex(moment)
    if not text or moment.step is None:
        return []
    width = _callout_width_cm(moment)
    size = min(size, most_cm / width)
    width *= size
    position, mark = _callout_place(picture, space, unit_cm, (width, CALLOUT_CM * size), scale)
    corners = "6pt" if moment.step.is_accepted else "1.5pt"
    options = f"gpviz callout, rounded corners={corners}, scale={number(size)}"
    return [
        rf"\node[{options}] (callout) at {position} {{{text}}};",
        rf"\draw[gpviz leader] (callout) -- ({picture.names[mark]});",
    ]


def _callout_width_cm(moment: Moment) -> float:
    return width_cm(f"? {callout_of(moment)}") + 0.5


def _space_around(moment: Moment, picture: Picture, scale: float, size: float) -> Bounds:
    """The picture and the space above and below it for a callout."""
    left, top, right, bottom = picture.bounds
    more = (CALLOUT_CM * size + _GAP_CM) / scale
    aside = max(_callout_width_cm(moment) * size / scale - (right - left), 0.0) / 2
    return Bounds(left - aside, top - more, right + aside, bottom + more)


def _callout_place(
    picture: Picture, space: Bounds, unit_cm: tuple[float, float], box_cm: tuple[float, float], scale: float
) -> tuple[_Place, int]:
    """The middle of a callout that hides no node, and the mark that is nearest to it.

    Its line crosses as few nodes as possible, and it is near.
    """
    unit = np.array(unit_cm)
    nodes = np.array(picture.places, dtype=np.float64).reshape(-1, 2) * unit
    low, high = np.array(space[:2]) * unit, np.array(space[2:]) * unit
    half = np.array(box_cm) / 2
    counts = _PLACES if len(nodes) <= _MANY_NODES else _FEW_PLACES
    across, down = (
        np.linspace(min(start + each, middle), max(end - each, middle), count)
        for start, end, each, middle, count in zip(low, high, half, (low + high) / 2, counts, strict=True)
    )
    centres = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    reach = np.array(_NODE_CM) * scale
    apart = np.abs(centres[:, None, :] - nodes[None, :, :]) - half
    hidden = (apart < reach + _GAP_CM / 2).all(axis=2).sum(axis=1)
    marks = list(picture.marked[:_MOST_MARKS])
    free = np.hypot(*(apart[:, marks, :] - reach).clip(0.0).transpose(2, 0, 1))
    free += _ASIDE_COST * np.abs(centres[:, [0]] - nodes[marks, 0])
    cost = free.min(axis=1) + _HIDDEN_COST * hidden
    # Lines take longer to look at, so in a large tree only the best places are compared.
    best = np.argsort(cost, kind="stable")[: _MOST_COMPARED // max(len(nodes), 1)]
    edges = np.array([nodes[list(ends)].ravel() for ends in picture.edges]).reshape(-1, 4)
    boxes = np.hstack([centres[best] - half, centres[best] + half])
    beside = _HIDDEN_COST * hidden[best] + _CROSSED_EDGE_COST * _crossed(boxes, edges).sum(axis=1)
    others = np.delete(nodes, list(picture.marked), axis=0)
    others = np.hstack([others - reach, others + reach])
    full = np.empty((len(best), len(marks)))
    for column, mark in enumerate(marks):
        lines = np.hstack([centres[best], np.broadcast_to(nodes[mark], (len(best), 2))])
        crossed = _crossed(others, lines).sum(axis=0)
        full[:, column] = beside + free[best, column] + _CROSSED_NODE_COST * crossed
    choice, nearest = np.unravel_index(int(full.argmin()), full.shape)
    x, y = centres[best[choice]] / unit
    return _Place(float(x), float(y)), marks[int(nearest)]


def _crossed(boxes: Floats, lines: Floats) -> npt.NDArray[np.bool_]:
    """For each rectangle and each line, a row of two points, whether the line runs through it."""
    start, way = lines[:, :2], lines[:, 2:] - lines[:, :2]
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    enter, leave = np.zeros((len(boxes), len(lines))), np.ones((len(boxes), len(lines)))
    for axis in (0, 1):
        one = (boxes[:, [axis]] - start[:, axis]) / way[:, axis]
        other = (boxes[:, [axis + 2]] - start[:, axis]) / way[:, axis]
        enter = np.maximum(enter, np.minimum(one, other))
        leave = np.minimum(leave, np.maximum(one, other))
    return np.asarray(enter < leave)


def state_words(state: TreeState) -> tuple[str, str] | None:
    """A headline and a sentence on a state from which nothing more will happen; None for any other."""
    return _STATE_WORDS.get(state.state)


def banner_of(state: TreeState, position: str, options: str = "") -> str:
    """The command for a node at this position with what `state_words` says; empty where that is nothing."""
    sentences = state_words(state)
    if sentences is None:
        return ""
    title, sentence = (latex_text(text) for text in sentences)
    line, fill, text = (
        colour_name(f"{_STATE_COLOURS[state.state]}{part}") for part in ("", "_fill", "_text")
    )
    look = f"fill={fill}, draw={line}, line width=0.8pt, text={text}, inner sep=4pt, rounded corners=2pt"
    return rf"\node[{look}{options}] {position} {{\textbf{{{title}}} {sentence}}};"


def _known(analysis: Analysis | None, moment: Moment) -> Analysis | None:
    """The analysis, if it is one of the tree of this moment under its rules."""
    return analysis if analysis is not None and analysis.is_of(moment.tree, moment.rules) else None


def _state_around(moment: Moment, analysis: Analysis | None, size: float) -> Iterator[str]:
    """The state above the tree, and a frame around a stuck one."""
    known = _known(analysis, moment)
    if known is None:
        return
    above = "at ([yshift=3mm] current bounding box.north)"
    banner = banner_of(known.state, above, f", anchor=south, scale={number(size)}")
    if banner:
        yield banner
    if known.state.state is State.STUCK:
        yield (
            rf"\draw[gpvizStuck, line width={number(2 * size)}pt, rounded corners=4pt]"
            r" ([shift={(-4mm,-4mm)}] current bounding box.south west)"
            r" rectangle ([shift={(4mm,4mm)}] current bounding box.north east);"
        )


class _Drawing:
    """Collects the commands that draw parent and offspring as one tree, with the marks of the step."""

    def __init__(self, picture: StepPicture, redundant: frozenset[int]) -> None:
        self._picture = picture
        self._redundant = redundant
        self._definitions: list[str] = []
        self._lines: list[str] = []
        self._nodes = list(nodes_of(picture.tree))
        self._kinds = {node.uid: _kind(node) for node in self._nodes}
        self._names = {node.uid: f"n{number}" for number, node in enumerate(self._nodes, start=1)}
        if picture.other is not None:
            self._names[picture.other.uid] = "other"
            self._kinds[picture.other.uid] = "leaf"
        places = {} if picture.tree is None else positions_of(picture.graph(), "tidy")
        self._places = {uid: _Place(*places[uid]) for uid in self._names}

    def drawn(self, moment: Moment) -> Picture:
        """The whole."""
        step = moment.step
        if step is not None:
            colour = "accent" if moment.is_verdict_hidden else VERDICT_COLOURS[step.verdict]
            self._definitions.append(rf"\colorlet{{gpvizMark}}{{{colour_name(colour)}}}")
        if not self._nodes:
            return self._empty()
        edges = list(self._edges())
        for uid, name in self._names.items():
            self._definitions.append(rf"\coordinate ({name}) at {self._places[uid]};")
        # The nodes cover the ends of their edges; finding their borders is too much for TeX in a large picture.
        for above, below, is_ghostly in edges:
            style = "ghost edge" if is_ghostly else "edge"
            self._lines.append(rf"\draw[gpviz {style}] ({self._names[above]}) -- ({self._names[below]});")
        for node in self._nodes:
            self._lines.append(
                rf"\node[{self._options(node)}] at ({self._names[node.uid]}) {{{_label(node)}}};"
            )
        self._mark()
        numbers = {uid: index for index, uid in enumerate(self._names)}
        across, down = zip(*self._places.values(), strict=True)
        return Picture(
            tuple(self._definitions),
            tuple(self._lines),
            Bounds(min(across) - _ROOM, min(down) - _ROOM, max(across) + _ROOM, max(down) + _ROOM),
            tuple(self._places.values()),
            tuple((numbers[above], numbers[below]) for above, below, _ in edges),
            tuple(numbers[uid] for uid in self._picture.places),
            tuple(self._names.values()),
        )

    def _empty(self) -> Picture:
        self._definitions.append(r"\coordinate (n0) at (0,0);")
        self._lines += [
            r"\node[gpviz node, circle, draw=gpvizMuted, dashed, minimum size=11mm, text=gpvizMuted]"
            r" at (n0) {$\emptyset$};",
            r"\node[gpviz node, text=gpvizText] at (0,-0.9) {The tree is empty};",
        ]
        places = (_Place(0.0, 0.0), _Place(-0.9, 0.9), _Place(0.0, 0.9), _Place(0.9, 0.9))
        return Picture(
            tuple(self._definitions),
            tuple(self._lines),
            Bounds(-2.1, -_ROOM, 2.1, 0.9 + _ROOM),
            places,
            (),
            (0,),
            ("n0",) * len(places),
        )

    def _edges(self) -> Iterator[tuple[int, int, bool]]:
        """The ends of each edge, and whether it belongs to ghosts alone; what the tree hangs on does not."""
        ghosts, bridges = self._picture.ghosts, self._picture.bridges
        for node in self._nodes:
            if isinstance(node, Inner):
                for child in (node.left, node.right):
                    end = child.uid if child.uid in ghosts else node.uid
                    yield node.uid, child.uid, end in ghosts and end not in bridges

    def _options(self, node: Node) -> str:
        kind = _kind(node)
        options = [f"gpviz ghost {kind}" if node.uid in self._picture.ghosts else f"gpviz {kind}"]
        if isinstance(node, Leaf) and node.variable > _SHORT_NAME:
            options.append("gpviz long")
        if node.uid in self._redundant and node.uid not in self._picture.ghosts:
            options.append("gpviz redundant")
        return ", ".join(options)

    def _mark(self) -> None:
        """Rings around what is new, dashes around what goes, crosses on what is rejected."""
        picture = self._picture
        other = picture.other
        for uid in picture.ringed:
            for style in ("halo", "ring"):
                self._lines.append(self._around(uid, style))
        self._lines += [self._around(uid, "dashes") for uid in picture.places if uid in picture.leaving]
        if other is not None:
            self._lines.append(rf"\node[gpviz ghost leaf] at (other) {{{_variable(other.variable)}}};")
            ends = ["other", self._names[other.leaf]]
            start, end = ends if other.is_old else reversed(ends)
            self._lines.append(rf"\draw[gpviz arrow] ({start}) -- ({end});")
            if other.is_old:
                self._lines.append(r"\pic at (other) {gpviz strike};")
        for uid in picture.rejected[:_MOST_CROSSED]:
            self._lines.append(rf"\pic at ({self._names[uid]}) {{gpviz cross {self._kinds[uid]}}};")

    def _around(self, uid: int, style: str) -> str:
        return rf"\node[gpviz {style}, gpviz around {self._kinds[uid]}] at ({self._names[uid]}) {{}};"


def _variable(variable: int) -> str:
    return f"$x_{{{variable}}}$"


def _label(node: Node) -> str:
    return _variable(node.variable) if isinstance(node, Leaf) else _SYMBOLS[node.function]


def _kind(node: Node) -> str:
    return "leaf" if isinstance(node, Leaf) else node.function.value
