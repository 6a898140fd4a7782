"""Draws plots as SVG: axes with round ticks, several series that differ in colour and marker, and a legend.

Colours are left to the style sheet of the page: every part has a class. The same plot is always the same text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final, Literal

__all__ = ["Axis", "Level", "Plot", "Series", "linear_ticks", "log_ticks", "plot_svg", "power_of_ten"]

WIDTH: Final = 420
_HEIGHT: Final = 250  # of the frame alone
_FONT: Final = 13.0
_CHARACTER: Final = 0.58  # of the font's size: a generous mean width
_TICK_ROOM: Final = 20
_LEGEND_LINE: Final = 22
_LEGEND_GAP: Final = 18
_SWATCH: Final = 30
_MARKERS: Final = 4
_MARKS_ON_STEPS: Final = 6
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Ticks = tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis; ``low`` and ``high`` are what it shows at least, ``ticks`` are found unless they are given.

    Bars that say how sure a value is do not reach below ``low``. ``groups`` are labels in a second line below the
    ticks, which then has no room for the axis' own.
    """

    label: str
    is_log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: Ticks | None = None
    groups: Ticks = ()


@dataclass(frozen=True, slots=True)
class Series:
    """Points with a label in the legend.

    ``kind`` says how they are joined. ``errors`` are half the heights of the bars around the points. ``style``
    chooses colour and marker; series of one plot should have different ones. A ``bound`` is a dashed line.
    """

    label: str
    points: Sequence[tuple[float, float]]
    style: int = 0
    kind: Literal["line", "step", "marks", "bound"] = "line"
    errors: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line at a value."""

    value: float
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """All there is to a plot; ``name`` is its identity on the page, the description is for who cannot see it."""

    name: str
    title: str
    description: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    levels: tuple[Level, ...] = ()
    height: int = _HEIGHT


def plot_svg(plot: Plot) -> str:
    """The plot as an SVG element, as wide as what it stands in."""
    legend, top = _legend(plot.series)
    xs = [x for series in plot.series for x, _ in series.points]
    horizontal = _Scale(plot.x, xs, 0.03)
    vertical = _Scale(plot.y, [*_heights(plot), *(level.value for level in plot.levels)], 0.05)
    x_ticks, y_ticks = horizontal.ticks, vertical.ticks
    widest = max((len(label) for _, label in y_ticks), default=1)
    left = round(34 + widest * _FONT * _CHARACTER)
    # The label at the right end of the axis may reach over it.
    right = WIDTH - max(12, round(len(x_ticks[-1][1]) * _FONT * _CHARACTER / 2) if x_ticks else 0)
    bottom = top + plot.height
    horizontal.place(left, right)
    vertical.place(bottom, top)
    height = bottom + 48
    parts = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-labelledby="{plot.name}-title {plot.name}-desc">',
        f'<title id="{plot.name}-title">{escape(plot.title)}</title>',
        f'<desc id="{plot.name}-desc">{escape(plot.description)}</desc>',
        *_grid(horizontal, vertical, (left, right, top, bottom)),
        *_levels(plot.levels, vertical, left, right),
        *_axis_labels(plot, horizontal, left, right, top, bottom),
        *(part for series in plot.series for part in _series(series, horizontal, vertical)),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts)


class _Scale:
    """Where the values of an axis are."""

    def __init__(self, axis: Axis, values: Sequence[float], margin: float) -> None:
        self._is_log = axis.is_log
        known = [value for value in values if isfinite(value) and (value > 0 or not axis.is_log)]
        known += [value for value in (axis.low, axis.high) if value is not None]
        if not known:
            known = [1.0]
        low, high = min(known), max(known)
        if axis.ticks is not None:
            self.ticks: Ticks = axis.ticks
        elif axis.is_log:
            self.ticks = log_ticks(low, high)
        else:
            self.ticks = linear_ticks(low, high)
        ends = [self._level(value) for value in (low, high, *(value for value, _ in self.ticks))]
        start, end = min(ends), max(ends)
        if start == end:
            start, end = start - 1, end + 1
        room = (end - start) * margin
        # An axis that begins at nothing has nothing below it.
        self._start = start if start == 0 and not axis.is_log and axis.low == 0 else start - room
        self._end = end + room
        self._from = self._to = 0.0

    def place(self, start: float, end: float) -> None:
        """Let the axis reach from here to there."""
        self._from, self._to = start, end

    def at(self, value: float) -> float:
        """Where a value is."""
        share = (self._level(value) - self._start) / (self._end - self._start)
        return self._from + share * (self._to - self._from)

    def has(self, value: float) -> bool:
        """Whether the value has a place at all."""
        return isfinite(value) and (value > 0 or not self._is_log)

    def clipped(self, value: float) -> float:
        """Where a value is, or the end of the axis on its side."""
        if not self.has(value):
            return self._from
        low, high = sorted((self._from, self._to))
        return min(max(self.at(value), low), high)

    def _level(self, value: float) -> float:
        return log10(value) if self._is_log else value


def linear_ticks(low: float, high: float) -> Ticks:
    """About five round values from the lowest to the highest, with their labels."""
    span = high - low
    if span <= 0:
        return ((low, f"{low:,.6g}".replace("-", "\N{MINUS SIGN}")),)
    power = 10.0 ** floor(log10(span / 5))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if span / (factor * power) <= 6)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    digits = max(0, -floor(log10(step) + 1e-9) + (1 if round(step / power, 6) == 2.5 else 0))
    return tuple(
        (round(number * step, 12), _number(number * step, digits)) for number in range(first, last + 1)
    )


def log_ticks(low: float, high: float) -> Ticks:
    """Powers of ten, and between them twice and five times as much where there are few."""
    first, last = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    if high / low <= 300:
        values = [
            factor * 10.0**power
            for power in range(first, last + 1)
            for factor in (1, 2, 5)
            if low / 1.01 <= factor * 10.0**power <= high * 1.01
        ]
        if len(values) >= 3:
            return tuple((value, _number(value, 0 if value >= 1 else 3).rstrip()) for value in values)
    inner = range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)
    powers = inner if len(inner) >= 2 else range(first, last + 1)
    every = max(1, ceil(len(powers) / 8))
    return tuple((10.0**power, power_of_ten(power)) for power in powers[::every])


def _number(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}") if text.strip("-0.,") else text.lstrip("-")


def power_of_ten(power: int) -> str:
    """A power of ten as a person writes it."""
    return {0: "1", 1: "10"}.get(power) or f"10{str(power).translate(_SUPERSCRIPTS)}"


def _heights(plot: Plot) -> list[float]:
    """All heights that are drawn, those of the ends of bars too."""
    heights: list[float] = []
    floor_at = plot.y.low
    for each in plot.series:
        errors = each.errors or [0.0] * len(each.points)
        for (_, y), error in zip(each.points, errors, strict=True):
            low = y - error
            heights += (y if floor_at is not None and low < floor_at else low, y + error)
    return heights


def _grid(horizontal: _Scale, vertical: _Scale, frame: tuple[int, int, int, int]) -> list[str]:
    left, right, top, bottom = frame
    parts = [f'<path class="grid" d="{_lines_across(vertical, left, right)}"/>']
    for value, label in vertical.ticks:
        place = _place(vertical.at(value) + 4.5)
        parts.append(
            f'<text class="tick" x="{left - 7}" y="{place}" text-anchor="end">{escape(label)}</text>'
        )
    marks = "".join(f"M{_place(horizontal.at(value))} {bottom}v5" for value, _ in horizontal.ticks)
    parts.append(f'<path class="axis" d="M{left} {top}V{bottom}H{right}{marks}"/>')
    for value, label in horizontal.ticks:
        place = _place(horizontal.at(value))
        parts.append(
            f'<text class="tick" x="{place}" y="{bottom + _TICK_ROOM}" text-anchor="middle">{escape(label)}</text>'
        )
    return parts


def _lines_across(vertical: _Scale, left: int, right: int) -> str:
    return "".join(f"M{left} {_place(vertical.at(value))}H{right}" for value, _ in vertical.ticks)


def _levels(levels: Sequence[Level], vertical: _Scale, left: int, right: int) -> list[str]:
    return [
        f'<path class="{"level strong" if level.is_strong else "level"}"'
        f' d="M{left} {_place(vertical.at(level.value))}H{right}"/>'
        for level in levels
    ]


def _axis_labels(plot: Plot, horizontal: _Scale, left: int, right: int, top: int, bottom: int) -> list[str]:
    middle = (top + bottom) / 2
    below = [(horizontal.at(value), label) for value, label in plot.x.groups]
    return [
        *(
            f'<text class="label" x="{_place(x)}" y="{bottom + 41}" text-anchor="middle">{escape(label)}</text>'
            for x, label in below or [((left + right) / 2, plot.x.label)]
        ),
        f'<text class="label" transform="translate(13 {_place(middle)}) rotate(-90)" text-anchor="middle">'
        f"{escape(plot.y.label)}</text>",
    ]


def _series(series: Series, horizontal: _Scale, vertical: _Scale) -> list[str]:
    errors = series.errors or [0.0] * len(series.points)
    known = [
        (point, error)
        for point, error in zip(series.points, errors, strict=True)
        if horizontal.has(point[0]) and vertical.has(point[1])
    ]
    places = [(horizontal.at(x), vertical.at(y)) for (x, y), _ in known]
    parts: list[str] = []
    style = f"s{series.style}"
    if series.errors is not None:
        bars = "".join(
            f"M{_place(x)} {_place(vertical.clipped(point[1] - error))}"
            f"V{_place(vertical.clipped(point[1] + error))}"
            for (x, _), (point, error) in zip(places, known, strict=True)
            if error > 0
        )
        if bars:
            parts.append(f'<path class="bar {style}" d="{bars}"/>')
    if series.kind != "marks" and len(places) > 1:
        joined = _steps(places) if series.kind == "step" else _joined(places)
        parts.append(f'<path class="{"bound" if series.kind == "bound" else "line"} {style}" d="{joined}"/>')
    if series.kind == "step":
        places = _some(places, series.style)
    if series.kind != "bound":
        parts += [_marker(series.style, x, y) for x, y in places]
    return parts


def _joined(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_place(x)} {_place(y)}" for x, y in places)


def _steps(places: Sequence[tuple[float, float]]) -> str:
    (x, y), *others = places
    return f"M{_place(x)} {_place(y)}" + "".join(f"H{_place(x)}V{_place(y)}" for x, y in others)


def _some(places: Sequence[tuple[float, float]], style: int) -> list[tuple[float, float]]:
    """A few of many points, evenly spread, so that a curve of steps has markers too; not the same in each."""
    if len(places) <= _MARKS_ON_STEPS:
        return list(places)
    share = (style % _MARKERS + 1) / (_MARKERS + 1)
    return [places[int((mark + share) * len(places) / _MARKS_ON_STEPS)] for mark in range(_MARKS_ON_STEPS)]


def _marker(style: int, x: float, y: float) -> str:
    """A disc, a square, a triangle or a diamond."""
    at = f"{_place(x)} {_place(y)}"
    shape = (
        "m-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0z",
        "m-3.9 -3.9h7.8v7.8h-7.8z",
        "m0 -5l4.8 8.4h-9.6z",
        "m0 -5.4l5.2 5.4l-5.2 5.4l-5.2 -5.4z",
    )[style % _MARKERS]
    return f'<path class="mark s{style}" d="M{at}{shape}"/>'


def _legend(series: Sequence[Series]) -> tuple[list[str], int]:
    """The legend above the plot, in as many lines as it needs, and where the plot begins."""
    named = [each for each in series if each.label]
    parts: list[str] = []
    x, y = 8.0, 16.0
    for each in named:
        width = _SWATCH + len(each.label) * _FONT * _CHARACTER
        if x > 8 and x + width > WIDTH - 4:
            x, y = 8.0, y + _LEGEND_LINE
        if each.kind != "marks":
            kind = "bound" if each.kind == "bound" else "line"
            parts.append(f'<path class="{kind} s{each.style}" d="M{_place(x)} {_place(y)}h{_SWATCH - 8}"/>')
        if each.kind != "bound":
            parts.append(_marker(each.style, x + (_SWATCH - 8) / 2, y))
        parts.append(
            f'<text class="legend" x="{_place(x + _SWATCH - 2)}" y="{_place(y + 4.5)}">{escape(each.label)}</text>'
        )
        x += width + _LEGEND_GAP
    return parts, round(y) + 20 if named else 14


def _place(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
