"""Draws what stays in its place when somebody zooms into the tree: counter, leaves, banner, and the frame."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from zlib import crc32

from gpviz.picture.items import TEXT_MIDDLE, Enter, Font, Item, Leave, Shape
from gpviz.picture.picture import Banner, Counter, Picture
from gpviz.picture.regions import (
    BANNER_HEIGHT,
    BANNER_TYPE,
    BAR_HEIGHT,
    CELL,
    CELLS_IN_A_ROW,
    CELLS_TOP,
    COUNTER_TYPE,
    MARGIN,
    MORE_TYPE,
    NUMBER_SIZE,
    STATE_TYPE,
    TICK,
    TICKS_WIDTH,
    banner_rect,
)
from gpviz.picture.text_width import elided, text_width, wrapped
from gpviz.picture.verdict_badge import symbol_badge

_WIDEST_NUMBER: Final = 112.0
_USUAL_DIGITS: Final = 6
"""The space for the number of wrong rows, where they are no cells, and in pixels at unit 1 at most."""
_SMALLER: Final = 0.85
"""The type of what is less important, of the usual one."""
_BASELINE: Final = 0.95
_LINE: Final = 1.28
_STATE_LINE: Final = 1.25
"""How far below its top the baseline of a line is, and from one line to the next, of the size of the type."""
_THINNEST_TICK: Final = 5.0
"""In pixels at unit 1: where ticks would be thinner, leaves are a bar."""


def fixed_items(picture: Picture) -> Iterator[Item]:
    """Everything of a picture that is not part of the tree, in the order in which it is painted."""
    parts = _FixedParts(picture)
    if picture.counter is not None:
        yield from parts.counter(picture.counter)
        yield from parts.leaves(picture.counter)
    if picture.overlay.title:
        yield from parts.overlay_title(picture.overlay.title)
    if picture.banner is not None:
        yield from parts.banner(picture.banner)
    if picture.state:
        yield parts.frame(is_stuck=picture.state == "STUCK")


class _FixedParts:
    """Draws the parts of one picture, with all sizes in its pixels."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._unit, self._line = picture.unit, picture.line
        self._banner_rect = banner_rect(picture.width, picture.height, picture.unit)

    # Counter and leaves

    def counter(self, counter: Counter) -> Iterator[Item]:
        """The wrong rows as a number in words, and as cells or as a bar."""
        unit, left, top = self._unit, MARGIN * self._unit, MARGIN * self._unit
        small = COUNTER_TYPE * unit
        x = left
        if counter.number[:1].isdigit():  # else there is no tree, and nothing to be counted
            # The number may have as many digits as there are rows, and nothing moves when it has fewer.
            digits = max(len(str(counter.cells)), 2) if counter.cells else _USUAL_DIGITS
            size = NUMBER_SIZE * unit
            wide = min(digits * text_width("0", size, Font.BOLD), _WIDEST_NUMBER * unit)
            size *= min(1.0, wide / text_width(counter.number, size, Font.BOLD))
            place = (left + wide, top + 0.76 * NUMBER_SIZE * unit, size)
            number = _text("counter", place, counter.number, "text", font=Font.BOLD, anchor="end")
            yield number._replace(enter=Enter.ROLL)
            x += wide + 14 * unit
        for index, line in enumerate(counter.lines[:2]):
            place = (x, top + (_BASELINE + index) * _LINE * small, small)
            yield _text(f"counter line {index}", place, line, "muted")
        top += CELLS_TOP * unit
        if not counter.leaves:
            return  # nothing is counted, and rows that are not filled would be right
        if counter.cells:
            yield from self._cells(counter, left, top)
            top += CELL * unit * -(-counter.cells // CELLS_IN_A_ROW)
        else:
            width = CELLS_IN_A_ROW * CELL * unit
            yield from self._bar("bar", left, top, width, counter.share, "text")
            size = 0.72 * small
            middle = top + (BAR_HEIGHT - 2) * unit / 2
            yield _text(
                "bar scale", (left + width + 6 * unit, middle + TEXT_MIDDLE * size, size), "log", "muted"
            )
            top += BAR_HEIGHT * unit
        size = _SMALLER * small
        for index, line in enumerate(counter.lines[2:]):
            place = (left, top + (_BASELINE + index) * _LINE * size, size)
            yield _text(f"counter more {index}", place, line, "muted")

    def _cells(self, counter: Counter, left: float, top: float) -> Iterator[Item]:
        pitch = CELL * self._unit
        for number in range(counter.cells):
            row, column = divmod(number, CELLS_IN_A_ROW)
            ink = "text" if number < counter.wrong else ""
            yield self._cell(f"row {number}", left + column * pitch, top + row * pitch, pitch, ink)

    def leaves(self, counter: Counter) -> Iterator[Item]:
        """The leaves in words and as ticks or as a bar, and below them the chip and the legend."""
        unit, size = self._unit, COUNTER_TYPE * self._unit
        right, top = self._picture.width - MARGIN * unit, MARGIN * unit
        most = TICKS_WIDTH * unit
        yield _text(
            "leaves", (right, top + _BASELINE * size, size), counter.leaves_text, "muted", anchor="end"
        )
        top += 1.45 * size
        if counter.limit is not None:
            pitch = min(TICK * unit, most / max(counter.limit, 1))
            if pitch >= _THINNEST_TICK * unit:
                left = right - pitch * counter.limit + 0.2 * pitch
                for number in range(counter.limit):
                    ink = "muted" if number < counter.leaves else ""
                    yield self._cell(f"leaf {number}", left + number * pitch, top, pitch, ink)
            else:
                share = min(counter.leaves / counter.limit, 1.0)
                yield from self._bar("leaf bar", right - most, top, most, share, "muted")
            top += 16 * unit
        size *= _SMALLER
        for key, text, ink in (("chip", counter.chip, "plateau_text"), ("legend", counter.legend, "muted")):
            if text:
                text = elided(text, size, most)
                yield _text(key, (right, top + _BASELINE * size, size), text, ink, anchor="end")
                top += 1.3 * size

    def _cell(self, key: str, x: float, y: float, pitch: float, ink: str) -> Item:
        """A square that is filled where there is an ink."""
        side = 0.8 * pitch
        width = 1.1 * self._line * min(self._unit, 1.4)
        return _box(key, (x, y, side, side, 0.18 * pitch), ink, ink or "control_border", width)

    def _bar(self, key: str, x: float, y: float, width: float, share: float, ink: str) -> Iterator[Item]:
        """A bar that is filled up to this share."""
        height = (BAR_HEIGHT - 2) * self._unit
        yield _box(key, (x, y, width, height, height / 2), "", "control_border", 1.2 * self._line)
        if share > 0:
            yield _box(f"{key} filled", (x, y, max(width * share, height), height, height / 2), ink)

    # The banner

    def banner(self, banner: Banner) -> Iterator[Item]:
        """What happened, or in which state the tree is."""
        return self._state(banner) if banner.state else self._verdict(banner)

    def _verdict(self, banner: Banner) -> Iterator[Item]:
        """A sentence in a box as wide as it needs."""
        unit, colour = self._unit, banner.colour
        left, top, right, bottom = self._banner_rect
        high = BANNER_HEIGHT * unit
        middle = bottom - high / 2 - (bottom - top - high) / 4
        around = (1.8 if banner.symbol else 1.1) * high
        head = f"{banner.head}:" if banner.text and banner.head[-1:] not in "?:" else banner.head
        lines, size = _sentence(head, banner.text, BANNER_TYPE * unit, right - left - around)
        wide = max(sum(run.width for run in line) for line in lines) * size
        width = min(max(wide + around, 0.3 * (right - left)), right - left)
        start = (self._picture.width - width) / 2
        if len(lines) > 1:
            high *= 1.15
        box = (start, middle - high / 2, width, high, high / 2)
        yield _at_once(_box("banner", box, f"{colour}/10", colour, 2.0 * self._line))
        x = start + 0.4 * high
        if banner.symbol:
            radius, x = 0.31 * high, start + 1.07 * high
            centre = start + 0.5 * high, middle
            badge = symbol_badge("banner badge", centre, radius, banner.symbol, colour, is_fixed=True)
            yield from map(_at_once, badge)
        sentence = crc32(banner.sentence.encode())  # so that no run of it becomes one of another sentence
        for number, line in enumerate(lines):
            base = middle + TEXT_MIDDLE * size + (number - (len(lines) - 1) / 2) * 1.2 * size
            at = x
            for index, run in enumerate(line):
                larger = _LARGER if run.font is Font.MATHS else 1.0
                key, place = f"banner {sentence:x} {number} {index}", (at, base, larger * size)
                yield _at_once(_text(key, place, run.text, "text", font=run.font))
                at += run.width * size

    def _state(self, banner: Banner) -> Iterator[Item]:
        """A badge with the state, one sentence, and what proves it below."""
        unit, colour = self._unit, banner.colour
        left, top, right, bottom = self._banner_rect
        top += 8 * unit
        high, inset = bottom - top, 11 * unit
        yield _box("state banner", (left, top, right - left, high, 12 * unit), f"{colour}_fill")
        size = 1.25 * STATE_TYPE * unit
        wide = min(text_width(banner.state, size, Font.BOLD) + 1.4 * size, 0.32 * (right - left))
        size = min(size, max(wide - 16 * unit, 1.0) / text_width(banner.state, 1.0, Font.BOLD))
        yield _box("state", (left + inset, top + inset, wide, high - 2 * inset, 8 * unit), colour)
        place = (left + inset + wide / 2, top + high / 2 + TEXT_MIDDLE * size, size)
        yield _text("state text", place, banner.state, "panel", font=Font.BOLD, anchor="middle")
        x = left + 2 * inset + wide + 6 * unit
        most = right - x - inset
        heads, head_size = _lines(banner.head, STATE_TYPE * unit, most, Font.BOLD, 2)
        left_over = high - _STATE_LINE * len(heads) * head_size
        count = max(int(left_over / (_STATE_LINE * MORE_TYPE * unit * _SIZES[-1])), 1)
        mores, more_size = _lines(banner.more, MORE_TYPE * unit, most, Font.WORDS, count)
        y = top + (high - _STATE_LINE * (len(heads) * head_size + len(mores) * more_size)) / 2
        for key, lines, size, font, ink in (
            ("banner head", heads, head_size, Font.BOLD, "text"),
            ("banner more", mores, more_size, Font.WORDS, f"{colour}_text"),
        ):
            for number, line in enumerate(lines):
                y += _STATE_LINE * size
                yield _text(f"{key} {number}", (x, y - 0.3 * size, size), line, ink, font=font)

    # What else stands still

    def overlay_title(self, title: str) -> Iterator[Item]:
        """What lies over the tree, said above the banner."""
        unit, size, left = self._unit, _SMALLER * COUNTER_TYPE * self._unit, MARGIN * self._unit
        base = self._picture.height - 22 * unit
        if self._picture.banner is not None:
            base = self._banner_rect.top - 10 * unit
        text = elided(title, size, 0.8 * self._picture.width)
        width = text_width(text, size) + size
        yield _box("overlay ground", (left, base - 1.1 * size, width, 1.6 * size, 5 * unit), "panel")
        yield _text("overlay", (left + size / 2, base, size), text, "text")

    def frame(self, *, is_stuck: bool) -> Item:
        """Around the whole picture."""
        width = (5.0 if is_stuck else 2.5) * self._line * min(self._unit, 1.5)
        across, down = self._picture.width - width, self._picture.height - width
        box = (width / 2, width / 2, across, down, 12 * self._unit)
        return _box("frame", box, "", "stuck" if is_stuck else "solved", width)


def _at_once(item: Item) -> Item:
    """One that neither fades in nor out."""
    return item._replace(enter=Enter.SWITCH, leave=Leave.SWITCH)


def _text(
    key: str,
    place: tuple[float, float, float],
    text: str,
    ink: str,
    *,
    font: Font = Font.WORDS,
    anchor: str = "start",
) -> Item:
    return Item(key, Shape.TEXT, place, ink, text=text, font=font, anchor=anchor, is_fixed=True)


def _box(
    key: str, box: tuple[float, float, float, float, float], fill: str, stroke: str = "", width: float = 0.0
) -> Item:
    return Item(key, Shape.BOX, box, fill, stroke, width, is_fixed=True)


# Sentences

_FORMULA: Final = re.compile(r"\(*x[₀-₉]+\)*(?: [∧∨⊕] \(*x[₀-₉]+\)*)*|[∧∨⊕](?: x[₀-₉]+)?")
_LARGER: Final = 1.12
"""How much larger formulas are than the words around them, as the small letters of mathematics are smaller."""
_SIZES: Final = (1.0, 0.92, 0.85, 0.78)
_LEAST_TYPE: Final = 10.0
"""What a text is set in until it fits, of its usual size, and the smallest type, in pixels."""


class _Run(NamedTuple):
    """Some words in one font, and their width in type of size 1."""

    text: str
    font: Font
    width: float


def _run(text: str, font: Font) -> _Run:
    return _Run(text, font, text_width(text, _LARGER if font is Font.MATHS else 1.0, font))


def _sizes(size: float) -> list[float]:
    return [max(size * share, _LEAST_TYPE) for share in _SIZES]


def _sentence(head: str, text: str, size: float, most: float) -> tuple[list[list[_Run]], float]:
    """A sentence on one line, or on two smaller ones; its formulas are in the font of the tree."""
    runs = [_run(f"{head} " if text else head, Font.BOLD)]
    start = 0
    for found in _FORMULA.finditer(text):
        runs += [_run(text[start : found.start()], Font.WORDS), _run(found.group(), Font.MATHS)]
        start = found.end()
    runs = [run for run in (*runs, _run(text[start:], Font.WORDS)) if run.text]
    width = sum(run.width for run in runs)
    for smaller in _sizes(size):
        if width * smaller <= most:
            return [runs], smaller
    lines = _broken(runs, most / smaller)
    if len(lines) > 2:
        used = sum(run.width for run in lines[1])
        rest = "".join(run.text for line in lines[2:] for run in line)
        lines[1].append(_run(elided(rest, 1.0, max(most / smaller - used, 1.0)), Font.WORDS))
    return lines[:2], smaller


def _broken(runs: Sequence[_Run], most: float) -> list[list[_Run]]:
    """The runs on lines of at most this width, broken between words."""
    lines: list[list[_Run]] = [[]]
    used = 0.0
    for run in runs:
        for word in re.findall(r"\S+\s*|\s+", run.text):
            if lines[-1] and used + _run(word.rstrip(), run.font).width > most:
                lines.append([])
                used = 0.0
            line, piece = lines[-1], _run(word, run.font)
            if line and line[-1].font is run.font:
                line[-1] = _run(line[-1].text + word, run.font)
            else:
                line.append(piece)
            used += piece.width
    return lines


def _lines(text: str, size: float, most: float, font: Font, count: int) -> tuple[list[str], float]:
    """A text on at most so many lines, in type that becomes smaller before anything is cut."""
    for smaller in _sizes(size):
        lines = wrapped(text, smaller, most, font)
        if len(lines) <= count:
            return lines, smaller
    return [*lines[: count - 1], elided(" ".join(lines[count - 1 :]), smaller, most, font)], smaller
