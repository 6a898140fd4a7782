"""The way from one picture to the next, and how much of a step's time each verdict deserves."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import pi, sin
from types import MappingProxyType
from typing import Final, NamedTuple

from gpviz.engine import Verdict
from gpviz.picture.items import TEXT_MIDDLE, Enter, Item, Leave, Shape, shifted

WEIGHTS: Final[Mapping[Verdict, float]] = MappingProxyType(
    {
        Verdict.IMPROVED: 4.0,
        Verdict.NEUTRAL: 1.0,
        Verdict.UNCHANGED: 1 / 3,
        Verdict.WORSE: 2 / 3,
        Verdict.TOO_LARGE: 2 / 3,
    }
)
"""How much longer than a neutral step a step with this verdict is on show."""

SHORTEST_MS: Final = 120
"""Nobody can follow a shorter motion, so it is left out."""


def _steady(share: float) -> float:
    return share


def _gentle(share: float) -> float:
    """Slow at both ends."""
    return share * share * (3.0 - 2.0 * share)


def _braking(share: float) -> float:
    return 1.0 - (1.0 - share) ** 2


class Part(NamedTuple):
    """A part of a motion: when it begins and how long it takes, as shares of the whole, and how it is eased."""

    start: float
    length: float
    ease: Callable[[float], float]

    def progress(self, share: float, delay: float = 0.0) -> float:
        """How far it is; what is delayed begins later, and has to end with the motion all the same."""
        start = min(max(self.start, delay), 1.0)
        length = min(self.length, 1.0 - start)
        if share <= start or length <= 0.0:
            return 0.0
        return self.ease(min((share - start) / length, 1.0))


LEAVE: Final = Part(0.0, 0.25, _gentle)
MOVE: Final = Part(0.1, 0.35, _gentle)
ENTER: Final = Part(0.3, 0.3, _braking)
"""What comes has its place, as it hardly moves any more, by the time that it is there."""
SHAKE: Final = Part(0.45, 0.35, _steady)
FLASH: Final = Part(0.0, 0.3, _steady)

SWITCH_AT: Final = ENTER.start
"""When words change."""
VERDICT_AT: Final = 0.45
"""When what is proposed gets its verdict, as a share of the whole."""
STAGGER: Final = 0.3
"""In how much of the whole the wave of an improvement reaches the root, and the leaves get their reasons."""

FALL: Final = 60.0
SWAY: Final = 5.0
"""How far something falls, and how far it is shaken, in pixels."""
SWINGS: Final = 2.0


def between(before: Sequence[Item], after: Sequence[Item], share: float) -> list[Item]:
    """The items at this share of the way: exactly ``before`` at 0, exactly ``after`` at 1.

    What has the same key and shape in both moves. What goes keeps its place in the order of painting.
    """
    if share <= 0.0:
        return list(before)
    if share >= 1.0:
        return list(after)
    old = {(item.key, item.shape): item for item in before}
    new = {(item.key, item.shape) for item in after}
    moved, gone = MOVE.progress(share), LEAVE.progress(share)
    leaving: dict[tuple[str, Shape] | None, list[Item]] = {}
    kept = None
    for item in before:
        key = item.key, item.shape
        if key in new:
            kept = key
        elif item.leave is Leave.SWITCH:
            if share < SWITCH_AT:
                leaving.setdefault(kept, []).append(item)
        elif gone < 1.0 and item.enter is not Enter.FLASH:
            leaving.setdefault(kept, []).append(_leaving(item, gone))
    found = leaving.get(None, [])
    for item in after:
        key = item.key, item.shape
        now = _shown(old.get(key), item, share, moved)
        if now is not None:
            found.append(now)
        found += leaving.get(key, ())
    return found


def _shown(old: Item | None, item: Item, share: float, moved: float) -> Item | None:
    """An item of the next picture as it is now, if there is anything to be seen of it."""
    if item.enter is Enter.FLASH:
        turn = FLASH.progress(share, item.delay)
        is_seen = 0.0 < turn < 1.0
        return item._replace(opacity=item.opacity * sin(pi * turn), enter=Enter.FADE) if is_seen else None
    if item.enter is Enter.SWITCH:
        return old if share < SWITCH_AT else item
    if old is None:
        item = _entering(item, ENTER.progress(share, item.delay))
    elif old != item:
        item = _moving(old, item, moved)
    if item.enter is Enter.SHAKE:
        turn = SHAKE.progress(share, item.delay)
        item = shifted(item, SWAY * sin(2 * pi * SWINGS * turn) * (1.0 - turn), 0.0)
    return item if item.opacity > 0.0 else None


def _moving(old: Item, new: Item, share: float) -> Item:
    """A kept item: it glides, and what cannot glide switches in the middle."""
    now = old if share < 0.5 else new
    points, text = now.points, now.text
    if len(old.points) == len(new.points):
        points = tuple([a + (b - a) * share for a, b in zip(old.points, new.points, strict=True)])
    if new.enter is Enter.ROLL and old.text != new.text:
        text = _counted(old.text, new.text, share)
    return Item(  # faster than to replace what differs, and many items move at once
        new.key,
        new.shape,
        points,
        now.fill,
        now.stroke,
        old.width + (new.width - old.width) * share,
        now.is_dashed,
        old.opacity + (new.opacity - old.opacity) * share,
        text,
        new.font,
        new.anchor,
        new.is_fixed,
        new.is_label,
        new.enter,
        new.leave,
        new.delay,
    )


_NUMBER: Final = re.compile(r"\d{1,3}(,\d{3})*")


def _counted(old: str, new: str, share: float) -> str:
    """The number on the way from one to another, where both are written with all their digits."""
    if not (_NUMBER.fullmatch(old) and _NUMBER.fullmatch(new)):
        return old if share < 0.5 else new
    start, end = (int(text.replace(",", "")) for text in (old, new))
    return f"{round(start + (end - start) * share):,}"


def _entering(item: Item, share: float) -> Item:
    if item.enter is Enter.GROW:
        return _scaled(item, share)
    return item._replace(opacity=item.opacity * share)


def _leaving(item: Item, share: float) -> Item:
    if item.leave is Leave.SHRINK:
        return _scaled(item, 1.0 - share)
    if item.leave is Leave.FALL:
        item = shifted(item, 0.0, FALL * share)
    return item._replace(opacity=item.opacity * (1.0 - share))


def _scaled(item: Item, scale: float) -> Item:
    """The item in another size, about its own middle; as small as can be it is not to be seen."""
    points = item.points
    new: tuple[float, ...]
    if scale <= 0.0:
        return item._replace(opacity=0.0)
    match item.shape:
        case Shape.DISC:
            new = (points[0], points[1], points[2] * scale)
        case Shape.TEXT:
            size = points[2]
            new = (points[0], points[1] - TEXT_MIDDLE * size * (1.0 - scale), size * scale)
        case Shape.BOX:
            x, y, width, height, corner = points
            smaller = 0.5 * (1.0 - scale)
            new = (x + smaller * width, y + smaller * height, width * scale, height * scale, corner * scale)
        case _:
            xs, ys = points[::2], points[1::2]
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            new = tuple(
                middle[place % 2] + (value - middle[place % 2]) * scale for place, value in enumerate(points)
            )
    return item._replace(points=new, width=item.width * scale)
