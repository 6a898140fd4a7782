"""How wide a text is in the shipped fonts, and what of it fits, without anything that draws."""

import json
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

from gpviz import assets
from gpviz.picture.items import Font, Item, Shape

_UNKNOWN: Final = 700
"""The advance of a character that no shipped font has, in thousandths of the size."""
_SIZE: Final = 1000
_NEAR: Final = 0.5
"""In pixels: nobody sees a smaller gap."""


def text_width(text: str, size: float, font: Font = Font.WORDS) -> float:
    """The width of one line of text in type of this size, in the unit of the size."""
    return _advance(text, font) * size / _SIZE


def elided(text: str, size: float, most: float, font: Font = Font.WORDS) -> str:
    """The text, cut and ended with … where it is wider than ``most``."""
    if text_width(text, size, font) <= most:
        return text
    space = most * _SIZE / size - _advance("…", font)
    ends = accumulate(_advance(character, font) for character in text)
    return f"{text[: sum(end <= space for end in ends)].rstrip()}…"


def wrapped(text: str, size: float, most: float, font: Font = Font.WORDS) -> list[str]:
    """The lines of the text, none wider than ``most``; a word that is too wide for a line is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, font) <= most:
            lines[-1] = longer
        else:
            lines.append(elided(word, size, most, font))
    return lines


def in_runs(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Each item alone, but the texts of a line, each of which begins where the one before ends, together."""
    runs: list[Item] = []
    for item in items:
        if runs and not _follows(runs[-1], item):
            yield runs
            runs = []
        runs.append(item)
    if runs:
        yield runs


def _follows(item: Item, other: Item) -> bool:
    if {item.shape, other.shape} != {Shape.TEXT} or {item.anchor, other.anchor} != {"start"}:
        return False
    x, base, size = item.points
    is_near = abs(x + text_width(item.text, size, item.font) - other.points[0]) < _NEAR
    return is_near and base == other.points[1]


@lru_cache(maxsize=4096)
def _advance(text: str, font: Font) -> int:
    advances = _advances()[font]
    return sum(advances.get(character, _UNKNOWN) for character in text)


@cache
def _advances() -> dict[Font, dict[str, int]]:
    """How far each character moves the pen, in thousandths of the size."""
    table = json.loads((assets.folder("fonts") / "widths.json").read_text(encoding="utf-8"))
    return {
        font: {
            character: int(advance) for advance, characters in table[font].items() for character in characters
        }
        for font in Font
    }
