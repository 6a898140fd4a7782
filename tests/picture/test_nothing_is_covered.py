"""What holds in every picture: nothing covers a node, a label or a sentence, and only what changed moves."""

from collections.abc import Collection, Iterator, Sequence
from itertools import cycle, islice
from math import hypot
from random import Random

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import GpvizError, Operation, State, Verdict
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import moment_at
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import LEAST_LABEL, Enter, Item, Shape
from gpviz.picture.layout import LAYOUTS
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture
from gpviz.picture.space import Rect
from gpviz.picture.text_width import text_width
from tests.picture.moments import CONFIG, stuck
from tests.picture.random_moments import random_histories, random_moments
from tests.runs.runs import recorded

SIZES = ((1280, 464), (1280, 720), (1920, 1080), (640, 480))
TYPES = (1.0, 1.25, 1.6)
TOLERANCE = 0.6


def rect_of(item: Item) -> Rect:
    """What an item fills."""
    points = item.points
    if item.shape is Shape.DISC:
        x, y, radius = points
        return Rect(x - radius, y - radius, x + radius, y + radius)
    if item.shape is Shape.BOX:
        return Rect(points[0], points[1], points[0] + points[2], points[1] + points[3])
    if item.shape is Shape.TEXT:
        x, y, size = points
        width = text_width(item.text, size, item.font)
        left = {"start": x, "middle": x - width / 2, "end": x - width}[item.anchor]
        return Rect(left, y - 0.72 * size, left + width, y + 0.1 * size)
    return Rect(min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2]))


def is_apart(one: Item, other: Item) -> bool:
    """Whether two faces have no point in common, as far as their shapes tell."""
    a, b = rect_of(one).grown(-TOLERANCE / 2), rect_of(other).grown(-TOLERANCE / 2)
    for item, rect, beside in ((one, a, b), (other, b, a)):
        (x, y), reach = rect.middle, (rect.right - rect.left) / 2
        dx = max(beside.left - x, 0.0, x - beside.right)
        dy = max(beside.top - y, 0.0, y - beside.bottom)
        away = dx + dy if item.shape is Shape.POLYGON else hypot(dx, dy)
        if away >= reach and item.shape is not Shape.BOX:
            return True
    if Shape.BOX in (one.shape, other.shape):
        return False
    (x, y), (u, v) = a.middle, b.middle
    return hypot(x - u, y - v) >= 0.9 * ((a.right - a.left) + (b.right - b.left)) / 2


def overlapping(items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """The pairs of items whose rectangles overlap, by a sweep from left to right."""
    rects = sorted((rect_of(item).grown(-TOLERANCE / 2), number) for number, item in enumerate(items))
    for index, (rect, number) in enumerate(rects):
        for beside, other in islice(rects, index + 1, None):
            if beside.left >= rect.right:
                break
            if rect.overlaps(beside):
                yield items[number], items[other]


def kind_of(item: Item, nodes: Collection[int]) -> str:
    """What an item is, if it has to be seen whole: a node, a ghost, a badge, a label or another text."""
    name, *rest = item.key.split()
    if name == "node":
        return "node" if int(rest[0]) in nodes else "ghost"
    if name == "badge" and len(rest) == 2:  # the others are its sign
        return "badge"
    is_too_small = item.is_label and item.points[2] < LEAST_LABEL
    return "" if item.shape is not Shape.TEXT or is_too_small else "label" if name == "label" else "text"


MAY_OVERLAP = [{"label", "node"}, {"label", "ghost"}, {"badge", "ghost"}]
"""Labels stand in their own node, which is looked at by itself, and crosses at the corner of a ghost."""


def covered(picture: Picture) -> Iterator[str]:
    """Everything in a picture that lies on something else, or sticks out of it."""
    uids = {node.uid for node in picture.nodes}
    kinds = {item: kind_of(item, uids) for item in items_of(picture) if item.enter is not Enter.FLASH}
    items = [item for item, kind in kinds.items() if kind]
    faces = {item.key: item for item in items if item.key.startswith("node ")}
    whole = Rect(0, 0, picture.width, picture.height).grown(TOLERANCE)
    for item in items:
        if not whole.holds(rect_of(item)):
            yield f"{item.key} ({item.text}) sticks out of the picture"
        if kinds[item] == "label":
            face = faces[f"node {item.key.split()[1]}"]
            if not rect_of(face).grown(1 + TOLERANCE).holds(rect_of(item)):
                yield f"{item.key} ({item.text}) sticks out of its node"
    for one, other in overlapping(items):
        found = {kinds[one], kinds[other]}
        if found in MAY_OVERLAP or (found <= {"node", "ghost"} and is_apart(one, other)):
            continue
        yield f"{one.key} ({one.text}) on {other.key} ({other.text})"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_covers_a_node_a_label_a_note_or_the_banner(layout: str) -> None:
    looks = cycle((size, text_scale) for text_scale in TYPES for size in SIZES)
    count = 1000 if layout == "tidy" else 200
    for history, moment in random_moments(count, seed=len(layout)):
        (width, height), text_scale = next(looks)
        options = Options(width=width, height=height, text_scale=text_scale, layout=layout)
        analysis = analyse(moment.tree, moment.rules)
        try:
            picture = picture_of(moment, options, analysis)
        except GpvizError:
            continue  # the tree is too large for the layout, which says so
        where = f"{history.config} at {moment.iteration}, {options}"
        assert list(covered(picture)) == [], where


def test_nothing_covers_anything_where_parts_are_folded() -> None:
    random = Random(2)
    for history, moment in random_moments(200, seed=2):
        nodes = [] if moment.tree is None else list(nodes_of(moment.tree))
        folded = frozenset(node.uid for node in nodes[1:] if random.random() < 0.2)
        picture = picture_of(moment, Options(folded=folded))
        assert list(covered(picture)) == [], f"{history.config} at {moment.iteration}, {folded}"


@pytest.mark.parametrize("text_scale", TYPES)
@pytest.mark.parametrize("size", SIZES)
def test_the_reasons_of_a_stuck_tree_stay_where_they_are_and_uncovered_whatever_the_step(
    size: tuple[int, int], text_scale: float
) -> None:
    *_, history = recorded(CONFIG, 570)
    tree = history.tree_at(570)
    analysis = analyse(tree, CONFIG)
    options = Options(width=size[0], height=size[1], text_scale=text_scale)
    pictures = [
        picture_of(moment_at(history, iteration), options, analysis)
        for iteration in range(500, 571)
        if history.tree_at(iteration) is tree
    ]
    assert {picture.state for picture in pictures} == {"STUCK"}
    assert len({picture.notes for picture in pictures}) == 1
    assert [line for picture in pictures for line in covered(picture)] == []


def test_a_rejected_step_and_a_substitution_move_no_node() -> None:
    looks = cycle((size, layout) for size in SIZES for layout in ("tidy", "bfs", "radial", "tidy"))
    found = 0
    for history in random_histories(seed=3):
        for iteration in range(len(history) + 1):
            if iteration % 25 == 0:
                (width, height), layout = next(looks)
                places: dict[int, tuple[float, float]] | None = None
            before, moment = places, moment_at(history, iteration)
            try:
                picture = picture_of(moment, Options(width=width, height=height, layout=layout))
            except GpvizError:
                places = None
                continue
            places = {node.uid: (node.x, node.y) for node in picture.nodes}
            step = moment.step
            if step is None or before is None or (step.is_accepted and step.operation is not Operation.SUB):
                continue
            if moment.parent is not None:
                assert before == places, f"{history.config} at {iteration}"
                found += 1
        if found >= 2000:
            break


def test_what_is_known_of_a_tree_moves_no_node() -> None:
    states = set()
    for moment in (stuck()[0], *(moment for _, moment in random_moments(600, seed=5))):
        analysis = analyse(moment.tree, moment.rules)
        options = Options(width=1280, height=464)
        without, known = picture_of(moment, options), picture_of(moment, options, analysis)
        places = [[(node.uid, node.x, node.y) for node in picture.nodes] for picture in (without, known)]
        assert places[0] == places[1]
        states.add(analysis.state.state)
    assert {State.STUCK, State.SOLVED} <= states


def test_a_picture_is_the_same_however_one_comes_to_it() -> None:
    history = next(random_histories(seed=8))
    options = Options()
    there = [picture_of(moment_at(history, iteration), options).to_json() for iteration in range(60)]
    back = [picture_of(moment_at(history, iteration), options).to_json() for iteration in reversed(range(60))]
    assert there == back[::-1]


def test_every_verdict_is_among_the_random_moments() -> None:
    verdicts = {moment.step.verdict for _, moment in random_moments(400) if moment.step is not None}
    assert verdicts == set(Verdict)
