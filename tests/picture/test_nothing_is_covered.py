"""What holds in every picture: nothing covers a node, a label or a sentence, and only what changed moves."""

from collections.abc import Iterator
from itertools import combinations, cycle
from math import hypot

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import GpvizError, State, Verdict
from gpviz.explain.moment import moment_at
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import LEAST_LABEL, Enter, Item, Shape
from gpviz.picture.layout import LAYOUTS
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture
from gpviz.picture.space import Rect
from gpviz.picture.text_width import text_width
from tests.picture.moments import stuck
from tests.picture.random_moments import random_histories, random_moments

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
    if not a.overlaps(b):
        return True
    for item, rect, beside in ((one, a, b), (other, b, a)):
        (x, y), reach = rect.middle, (rect.right - rect.left) / 2
        dx = max(beside.left - x, 0.0, x - beside.right)
        dy = max(beside.top - y, 0.0, y - beside.bottom)
        if (
            dx + dy if item.shape is Shape.POLYGON else hypot(dx, dy)
        ) >= reach and item.shape is not Shape.BOX:
            return True
    if Shape.BOX in (one.shape, other.shape):
        return False
    (x, y), (u, v) = a.middle, b.middle
    return hypot(x - u, y - v) >= 0.9 * ((a.right - a.left) + (b.right - b.left)) / 2


def uid_of(item: Item) -> str:
    return item.key.split()[-1]


def covered(picture: Picture) -> Iterator[str]:
    """Everything in a picture that lies on something else, or sticks out of it."""
    items = [item for item in items_of(picture) if item.enter is not Enter.FLASH]
    faces = [item for item in items if item.key.startswith("node ")]
    texts = [
        item
        for item in items
        if item.shape is Shape.TEXT and not (item.is_label and item.points[2] < LEAST_LABEL)
    ]
    badges = [item for item in items if item.key.startswith("badge ") and len(item.key.split()) == 3]
    for one, other in combinations(faces, 2):
        if not is_apart(one, other):
            yield f"{one.key} on {other.key}"
    own = {item.key: item for item in faces}
    for text in texts:
        rect = rect_of(text).grown(-TOLERANCE)
        if text.key.startswith("label "):
            face = own[f"node {uid_of(text)}"]
            if not rect_of(face).holds(rect.grown(-1)):
                yield f"{text.key} ({text.text}) sticks out of its node"
            continue
        for face in faces:
            if rect_of(face).overlaps(rect):
                yield f"{text.key} ({text.text}) on {face.key}"
    for one, other in combinations(texts, 2):
        if rect_of(one).grown(-TOLERANCE).overlaps(rect_of(other).grown(-TOLERANCE)):
            yield f"{one.key} ({one.text}) on {other.key} ({other.text})"
    tree = {f"node {node.uid}" for node in picture.nodes}
    for badge in badges:
        for item in [*(face for face in faces if face.key in tree), *texts]:
            if rect_of(badge).grown(-TOLERANCE).overlaps(rect_of(item).grown(-TOLERANCE)):
                yield f"{badge.key} on {item.key}"
    whole = Rect(0, 0, picture.width, picture.height)
    for item in (*faces, *texts, *badges):
        if not whole.grown(TOLERANCE).holds(rect_of(item)):
            yield f"{item.key} ({item.text}) sticks out of the picture"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_covers_a_node_a_label_a_note_or_the_banner(layout: str) -> None:
    looks = cycle((size, text_scale) for text_scale in TYPES for size in SIZES)
    count = 800 if layout == "tidy" else 200
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


def test_a_rejected_step_and_a_substitution_move_no_node() -> None:
    looks = cycle((size, layout) for size in SIZES for layout in ("tidy", "bfs", "radial", "tidy"))
    found = 0
    for history in random_histories(seed=3):
        for iteration in range(1, len(history) + 1):
            after = moment_at(history, iteration)
            step = after.step
            assert step is not None
            if step.is_accepted and not (step.operation.value == "SUB" and step.parent is not None):
                continue
            (width, height), layout = next(looks)
            options = Options(width=width, height=height, layout=layout)
            try:
                pictures = [
                    picture_of(moment_at(history, each), options) for each in (iteration - 1, iteration)
                ]
            except GpvizError:
                continue
            before, now = ({node.uid: (node.x, node.y) for node in picture.nodes} for picture in pictures)
            assert before == now, f"{history.config} at {iteration}"
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
