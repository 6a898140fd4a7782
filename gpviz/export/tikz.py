"""The tree of an iteration as TikZ: a document that compiles by itself, or a picture for another one.

Coordinates are those of the tidy layout, one unit between neighbours; how large a unit and a node are is said
once, so that a picture is easily made to fit by hand. The places of the nodes have names, so that a node can be
moved with its edges: n0 is the root, the others count in preorder.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Final, NamedTuple

from gpviz.engine import (
    Function,
    GpvizError,
    Inner,
    Leaf,
    Node,
    Operation,
    Side,
    State,
    Step,
    TreeState,
    Verdict,
)
from gpviz.engine.tree import node_path, nodes_of
from gpviz.engine.tree_analysis import Analysis
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.step_text import VERDICT_SYMBOLS, tell_step_briefly
from gpviz.explain.tree_text import caption_of
from gpviz.export.latex import (
    LIBRARIES,
    VERDICT_COLOURS,
    as_comment,
    colour_name,
    colours_and_styles,
    escaped,
    number,
)
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.layout.graph import graph_of
from gpviz.layout.layouts import positions_of
from gpviz.run.file_io import write_file

__all__ = [
    "MOST_NODES",
    "Picture",
    "banner_of",
    "check_size",
    "picture_of",
    "state_words",
    "tag_of",
    "tikz_of",
    "write_tikz",
]

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
_INSERTED_BESIDE: Final = ((0.8, 0.4), (0.95, -0.05), (1.1, 0.15), (1.05, -0.3), (0.75, -0.55), (0.7, 0.7))
_SUBSTITUTED_BESIDE: Final = (
    (0.0, 1.15), (1.2, 0.0), (-1.2, 0.0), (0.0, -1.15), (0.95, 0.75), (-0.95, 0.75), (0.95, -0.75), (-0.95, -0.75),
)  # fmt: skip
"""Places for a node that is not there, seen from its neighbour; the one that covers least is taken."""
_ABOVE_ROOT: Final = 0.9
_COVERED: Final = (0.78, 0.74)
"""The width and the height that a node takes."""
_STRUCK: Final = 0.42
_STATE_WORDS: Final = {
    State.STUCK: ("Stuck.", "No accepted mutation leads to a better tree (proven)."),
    State.SOLVED: ("Solved.", "The tree computes the target."),
}
_STATE_COLOURS: Final = {State.STUCK: "stuck", State.SOLVED: "solved"}


class _Place(NamedTuple):
    """A point of the layout; y grows downwards."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"({number(self.x)},{number(-self.y)})"


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing commands of a picture, and the rectangle they fill, in units of the layout, y downwards."""

    lines: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float


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
    across, down = picture.right - picture.left, picture.bottom - picture.top
    scale = min(1.0, _LONGEST_SIDE_CM / max(across, down))
    words = max(1.0, scale * max(across, down) / _READABLE_CM)
    comment = as_comment(
        "\n".join(filter(None, (f"gpviz: the tree of iteration {moment.iteration}", caption)))
    )
    definitions = colours_and_styles(scale)
    lines = [*picture.lines, *_words_around(moment, analysis, words)]
    begin, end = rf"\begin{{tikzpicture}}[x={number(scale)}cm, y={number(scale)}cm]", r"\end{tikzpicture}"
    if is_fragment:
        needs = as_comment(f"The preamble needs \\usepackage{{tikz}} and \\usetikzlibrary{{{LIBRARIES}}}")
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
            f"The tree has {nodes:,} nodes, and TikZ is for trees of at most {MOST_NODES:,};"
            " a picture as SVG or PDF has room for it."
        )


def picture_of(moment: Moment, analysis: Analysis | None = None) -> Picture:
    """The tree with the marks of its step."""
    tree = moment.tree
    check_size(0 if tree is None else tree.leaves)
    known = _known(analysis, moment)
    drawing = _Drawing(tree, frozenset() if known is None else known.redundant)
    drawing.draw(moment)
    return drawing.picture()


def tag_of(moment: Moment) -> str:
    """The step and its verdict in one line for TeX; empty at the start and while the verdict is hidden."""
    step = moment.step
    if step is None or moment.is_verdict_hidden:
        return ""
    words = tell_step_briefly(step, moment.parent, moment.config)
    return escaped(f"{VERDICT_SYMBOLS[step.verdict]} {words}")


def state_words(state: TreeState) -> tuple[str, str] | None:
    """A headline and a sentence on a state from which nothing more will happen; None for any other."""
    return _STATE_WORDS.get(state.state)


def banner_of(state: TreeState, place: str, options: str = "") -> str:
    """The command for a node at this place with what `state_words` says; empty where that is nothing."""
    words = state_words(state)
    if words is None:
        return ""
    title, sentence = (escaped(text) for text in words)
    line, fill, text = (
        colour_name(f"{_STATE_COLOURS[state.state]}{part}") for part in ("", "_fill", "_text")
    )
    look = f"fill={fill}, draw={line}, line width=0.8pt, text={text}, inner sep=4pt, rounded corners=2pt"
    return rf"\node[{look}{options}] {place} {{\textbf{{{title}}} {sentence}}};"


def _known(analysis: Analysis | None, moment: Moment) -> Analysis | None:
    """The analysis, if it is one of the tree of this moment under its rules."""
    return analysis if analysis is not None and analysis.is_of(moment.tree, moment.rules) else None


def _words_around(moment: Moment, analysis: Analysis | None, size: float) -> Iterator[str]:
    """The tag of the step and the state above the tree, and a frame around a stuck one."""
    above = "at ([yshift=3mm] current bounding box.north)"
    tag = tag_of(moment)
    if tag and moment.step is not None:
        corners = "6pt" if moment.step.is_accepted else "1.5pt"
        yield (
            rf"\node[draw=gpvizMark, line width=1pt, rounded corners={corners}, text=gpvizText, inner sep=4pt,"
            rf" anchor=south, scale={number(size)}] {above} {{{tag}}};"
        )
    known = _known(analysis, moment)
    if known is None:
        return
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
    """Collects the commands that draw a tree and its marks, and notices how far they reach."""

    def __init__(self, tree: Node | None, redundant: frozenset[int]) -> None:
        self._tree = tree
        self._redundant = redundant
        self._lines: list[str] = []
        self._nodes = list(nodes_of(tree))
        self._names = {node.uid: f"n{number}" for number, node in enumerate(self._nodes)}
        places = {} if tree is None else positions_of(graph_of(tree), "tidy")
        self._places = {uid: _Place(x, y) for uid, (x, y) in places.items()}
        self._reached = list(self._places.values()) or [_Place(0.0, 0.0)]

    def draw(self, moment: Moment) -> None:
        """Draw the tree, and on it what the step did or would have done."""
        step, tree = moment.step, moment.tree
        is_proposal = moment.is_preview or (step is not None and not step.is_accepted)
        struck = self._struck(step) if step is not None and is_proposal else frozenset()
        self._draw_tree(struck)
        if step is None:
            return
        colour = "accent" if moment.is_verdict_hidden else VERDICT_COLOURS[step.verdict]
        self._lines.append(rf"\colorlet{{gpvizMark}}{{{colour_name(colour)}}}")
        if tree is None:
            if is_proposal and step.offspring_leaves:
                self._ghost("leaf", _variable(step.variable), _Place(0.0, 0.0))
        elif is_proposal:
            self._draw_proposal(tree, step, struck)
        else:
            for uid in _changed(moment.parent, tree, step):
                self._ring(uid)

    def picture(self) -> Picture:
        """What there is now."""
        across, down = zip(*self._reached, strict=True)
        return Picture(
            tuple(self._lines), min(across) - _ROOM, min(down) - _ROOM, max(across) + _ROOM, max(down) + _ROOM
        )

    def _draw_tree(self, struck: frozenset[int]) -> None:
        if not self._nodes:
            self._lines.append(
                r"\node[gpviz node, circle, draw=gpvizMuted, dashed, minimum size=11mm, text=gpvizMuted]"
                r" at (0,0) {$\emptyset$};"
            )
            self._lines.append(r"\node[gpviz node, text=gpvizText] at (0,-0.9) {The tree is empty};")
            self._reached += [_Place(-1.5, 0.0), _Place(1.5, 0.9)]
            return
        names = self._names
        for node in self._nodes:
            self._lines.append(rf"\coordinate ({names[node.uid]}) at {self._places[node.uid]};")
        # The nodes cover the ends of their edges; finding their borders is too much for TeX in a large picture.
        for node in self._nodes:
            if isinstance(node, Inner):
                for child in (node.left, node.right):
                    faded = ", gpviz faded edge" if child.uid in struck else ""
                    self._lines.append(
                        rf"\draw[gpviz edge{faded}] ({names[node.uid]}) -- ({names[child.uid]});"
                    )
        for node in self._nodes:
            options = self._options(node, is_struck=node.uid in struck)
            self._lines.append(rf"\node[{options}] at ({names[node.uid]}) {{{_label(node)}}};")

    def _options(self, node: Node, *, is_struck: bool) -> str:
        options = [f"gpviz {_kind(node)}"]
        if isinstance(node, Leaf) and node.variable > _SHORT_NAME:
            options.append("gpviz long")
        if node.uid in self._redundant:
            options.append("gpviz redundant")
        if is_struck:
            options.append(f"gpviz faded {_kind(node)}")
        return ", ".join(options)

    def _struck(self, step: Step) -> frozenset[int]:
        """The nodes that a deletion would have taken away; the root stays whatever is drawn."""
        if self._tree is None or step.operation is not Operation.DEL or not step.node:
            return frozenset()
        return frozenset(node.uid for node in nodes_of(node_path(self._tree, step.node)[0]))

    def _draw_proposal(self, tree: Node, step: Step, struck: frozenset[int]) -> None:
        node, path = node_path(tree, step.node)
        if step.operation is Operation.INS:
            self._insert(node, path[-1][0] if path else None, step)
        elif struck:
            self._strike(struck)
        else:
            self._ring(node.uid)
            if step.operation is Operation.SUB:
                self._substitute(node, step)

    def _ring(self, uid: int) -> None:
        """A ring with a halo around a node, in its shape."""
        node = self._nodes[int(self._names[uid][1:])]
        for style in ("halo", "ring"):
            self._lines.append(
                rf"\node[gpviz {style}, gpviz around {_kind(node)}] at ({self._names[uid]}) {{}};"
            )

    def _insert(self, node: Node, parent: Node | None, step: Step) -> None:
        """The function between the node and its parent, or above the root, and the leaf beside it."""
        below = self._places[node.uid]
        above = _Place(below.x, below.y - 2 * _ABOVE_ROOT) if parent is None else self._places[parent.uid]
        function = _Place((below.x + above.x) / 2, (below.y + above.y) / 2)
        side = -1.0 if step.side is Side.LEFT else 1.0
        leaf = self._freest([_Place(function.x + side * x, function.y + y) for x, y in _INSERTED_BESIDE])
        ends = [leaf, _before(below, function), *([] if parent is None else [_before(above, function)])]
        for end in ends:
            self._lines.append(rf"\draw[gpviz mark] {function} -- {end};")
        self._ghost("leaf", _variable(step.variable), leaf)
        kind = "and" if step.function is Function.AND else "or"
        self._ghost(kind, _SYMBOLS[step.function], function)

    def _substitute(self, node: Node, step: Step) -> None:
        """The other leaf beside the old one, and an arrow to it."""
        old = self._places[node.uid]
        new = self._freest([_Place(old.x + across, old.y + down) for across, down in _SUBSTITUTED_BESIDE])
        self._ghost("leaf", _variable(step.variable), new)
        self._lines.append(rf"\draw[gpviz arrow] {_before(old, new, 0.5)} -- {_before(new, old, 0.38)};")

    def _strike(self, struck: Iterable[int]) -> None:
        """Two dashed lines across what would have gone, and a box around it if it is more than a leaf."""
        places = [self._places[uid] for uid in struck]
        low = _Place(min(place.x for place in places) - _STRUCK, min(place.y for place in places) - _STRUCK)
        high = _Place(max(place.x for place in places) + _STRUCK, max(place.y for place in places) + _STRUCK)
        across = f"{low} -- {high} {_Place(high.x, low.y)} -- {_Place(low.x, high.y)}"
        self._lines.append(rf"\draw[gpviz cross] {across};")
        if len(places) > 1:
            self._lines.append(rf"\draw[gpviz mark, rounded corners=3pt] {low} rectangle {high};")

    def _ghost(self, kind: str, label: str, place: _Place) -> None:
        self._reached.append(place)
        self._lines.append(rf"\node[gpviz ghost {kind}] at {place} {{{label}}};")

    def _freest(self, places: list[_Place]) -> _Place:
        """The place where a node covers least of the tree."""
        return min(places, key=self._covered)

    def _covered(self, place: _Place) -> float:
        width, height = _COVERED
        return sum(
            max(width - abs(place.x - x), 0.0) * max(height - abs(place.y - y), 0.0)
            for x, y in self._places.values()
        )


def _before(end: _Place, start: _Place, short: float = 0.36) -> _Place:
    """The point on the way from start to end that is this much short of it."""
    length = hypot(end.x - start.x, end.y - start.y)
    share = max(length - short, 0.0) / length
    return _Place(start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))


_SYMBOLS: Final = {Function.AND: r"$\wedge$", Function.OR: r"$\vee$"}


def _variable(variable: int) -> str:
    return f"$x_{{{variable}}}$"


def _label(node: Node) -> str:
    return _variable(node.variable) if isinstance(node, Leaf) else _SYMBOLS[node.function]


def _kind(node: Node) -> str:
    return "leaf" if isinstance(node, Leaf) else node.function.value


def _changed(parent: Node | None, tree: Node, step: Step) -> tuple[int, ...]:
    """The nodes that an accepted step made or changed; after a deletion the root of what moved up."""
    if parent is None:
        return (tree.uid,)
    is_deletion = step.operation is Operation.DEL and step.verdict is not Verdict.UNCHANGED
    node, path = node_path(parent if is_deletion else tree, step.node)
    if is_deletion:
        _, node = path.pop()
    if step.operation is Operation.INS and isinstance(node, Inner):
        leaf = node.left if step.side is Side.LEFT else node.right
        return (node.uid, leaf.uid)
    return (node.uid,)
