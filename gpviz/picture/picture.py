"""A picture as a value: the placed nodes and edges of a moment, its changes with their marks, notes and words.

It is the same on every machine, and has a stable form in JSON.
"""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from gpviz.explain.moment import Overlay
from gpviz.explain.step_text import head_and_text
from gpviz.picture.space import Rect

_NOTHING: Final = Overlay()
_NOWHERE: Final = Rect(0.0, 0.0, 0.0, 0.0)


class NodeShape(StrEnum):
    """What tells the nodes of a tree apart; a triangle stands for a folded subtree."""

    DISC = "disc"
    DIAMOND = "diamond"
    BOX = "box"
    TRIANGLE = "triangle"


class Role(StrEnum):
    """What a node is in the step."""

    KEPT = "kept"
    NEW = "new"
    """An accepted step has made it, or given it its label."""
    CHOSEN = "chosen"
    """The step drew it, and nothing changed."""
    LEAVING = "leaving"
    """It is in the tree, and goes if the proposed or rejected deletion is accepted."""
    GONE = "gone"
    """It was in the tree before: a ghost beside the place where it hung."""
    PROPOSED = "proposed"
    """It is not in the tree, and would be if the step is accepted: a ghost at its edge."""


class Mark(StrEnum):
    """How a change is marked."""

    RING = "ring"
    OUTLINE = "outline"
    """One outline around the whole of a part, and an arrow for what moves up into its place."""
    TAG = "tag"
    """The other label of a leaf beside it."""
    GHOST = "ghost"
    """A small tree beside the place where it hung, or would hang."""
    BADGE = "badge"
    """Only the badge of the verdict at the node, as there is no space for more."""


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node in its place, ``size`` times as large as the others; the tree could do without a redundant one."""

    uid: int
    x: float
    y: float
    shape: NodeShape
    label: str
    role: Role = Role.KEPT
    size: float = 1.0
    is_redundant: bool = False


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """An edge from a node to its child."""

    parent: int
    child: int


@dataclass(frozen=True, slots=True)
class Change:
    """One mutation: what it did or would do to which nodes, how that is marked, and how its verdict looks.

    ``nodes`` are in the tree, ``ghosts`` beside it; the uid of a tag is that of its leaf inverted. ``anchor`` is
    the uid where it happens, and ``moves_up`` that of the node that takes the place of what goes.
    """

    mark: Mark
    colour: str
    symbol: str
    anchor: int | None
    nodes: tuple[int, ...] = ()
    ghosts: tuple[PlacedNode, ...] = ()
    ghost_edges: tuple[PlacedEdge, ...] = ()
    hook: tuple[float, float] | None = None
    """The point of the tree that a ghost beside its edge belongs to."""
    moves_up: int | None = None
    path: tuple[int, ...] = ()
    """The nodes from a change that was made up to the root."""
    badge: tuple[float, float, float] | None = None
    """The centre and the radius of the badge, where there is space for it."""
    is_done: bool = False
    """Whether the tree is what the step has made of it, so that ghosts are what went."""
    is_rejected: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Lines below some leaves, centred at x; ``bracket`` is the line above them, from left to right, and its y."""

    uids: tuple[int, ...]
    lines: tuple[str, ...]
    x: float
    y: float
    size: float
    colour: str
    bracket: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Counter:
    """The wrong rows as a large number and as cells, and the leaves against the limit."""

    number: str
    lines: tuple[str, ...]
    wrong: int
    cells: int
    """How many rows there are, if they are few enough to be cells; else 0, and ``share`` fills a bar."""
    share: float
    leaves: int
    limit: int | None
    leaves_text: str
    chip: str = ""
    """A quiet word on the state, such as ``flat: a way out in 3 steps``."""
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Banner:
    """What happened, verdict first: ``head`` in the colour of the verdict, then ``text``, and ``more`` below it.

    ``state`` is empty for a verdict; STUCK, SOLVED and DONE are announced by a badge with that word.
    """

    head: str
    text: str
    colour: str
    symbol: str = ""
    more: str = ""
    state: str = ""

    @property
    def sentence(self) -> str:
        """All of it, read aloud."""
        state = f"{self.state.capitalize()}." if self.state else ""
        return " ".join(filter(None, (state, self.head_and_text, self.more)))

    @property
    def head_and_text(self) -> str:
        return head_and_text(self.head, self.text)


@dataclass(frozen=True, slots=True)
class Picture:
    """One moment, placed in a picture of this size."""

    width: float
    height: float
    unit: float
    """How large type and lines are: 1 in a picture that is 720 pixels high."""
    line: float
    """How much thicker than usual lines are."""
    scale: float
    """How large nodes are: 1 is a disc with a radius of 26 pixels."""
    nodes: tuple[PlacedNode, ...] = ()
    edges: tuple[PlacedEdge, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[Note, ...] = ()
    counter: Counter | None = None
    banner: Banner | None = None
    state: str = ""
    """STUCK, SOLVED or DONE, which give the picture a frame; else empty."""
    tree_bounds: Rect = _NOWHERE
    """All that is drawn of the tree."""
    overlay: Overlay = _NOTHING
    selected: int | None = None

    def to_json(self) -> str:
        """A stable text: the same picture gives the same text, on every machine."""
        return json.dumps(_rounded(asdict(self)), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _rounded(value: object) -> object:
    """Coordinates to a hundredth of a pixel, as the last bits of a number depend on the machine."""
    if isinstance(value, float):
        return round(value, 2) + 0.0
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value
