"""What a chart shows, as plain data: panels with axes, series of points, lines, bars and boxes, and marks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from math import ceil, nan
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.experiments.figures.axis_ticks import Tick, linear_ticks, log_ticks, tick_text

MOST_SERIES: Final = 8
"""More series than this can no longer be distinguished."""

LOOK_COLOURS: Final = ("neutral", "worse", "improved", "or_border", "stuck", "too_large", "text", "edge")
"""The colours of series by their looks, as themes call them."""
HOLLOW_SCALE: Final = 1.7
"""How much larger the markers of what others found are."""

_MANY: Final = 60
"""From so many points on their markers are smaller."""
_SMALL: Final = 0.65
_X_PADDING: Final = 0.06
_Y_PADDING: Final = 0.1
_BAR_PADDING: Final = 0.01
_BESIDE_NAMES: Final = 0.6
_ABOVE_END: Final = 0.02

Floats = npt.NDArray[np.float64]
Range = tuple[float, float]


class Kind(Enum):
    """How a series is drawn."""

    LINE = "line"
    """A line without markers."""
    STEPS = "steps"
    """A line of steps; ``x`` and ``y`` are their corners."""
    POINTS = "points"
    """A line with a marker at each point."""
    MARKERS = "markers"
    """Markers alone."""
    HOLLOW = "hollow"
    """Hollow markers alone: what others found."""
    BARS = "bars"
    """Bars from the bottom; ``x`` are their edges, one more than there are heights."""
    BOUND = "bound"
    """A thin dotted line: what was proven, not measured."""
    OTHER_BOUND = "other bound"
    """A thin line of dashes and dots: what was proven in another way."""

    @property
    def is_bound(self) -> bool:
        """Whether it was proven, not measured."""
        return self in (Kind.BOUND, Kind.OTHER_BOUND)


class RuleKind(Enum):
    """What a line across a panel stands for."""

    MEAN = "mean"
    MEDIAN = "median"
    PAPER = "paper"
    LEVEL = "level"
    BASE = "base"
    """The level that all others are compared with."""
    PLACE = "place"
    """A value on the x axis that is spoken of."""

    @property
    def is_level(self) -> bool:
        """Whether the line lies at a value of the y axis."""
        return self in (RuleKind.LEVEL, RuleKind.BASE)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Points that belong together; ``look`` is the number of its look.

    ``low`` and ``high`` are the ends of the error bars. ``hints`` say what each point is. Without a label it
    is not in the legend.
    """

    label: str
    look: int
    kind: Kind
    x: Floats
    y: Floats
    low: Floats | None = None
    high: Floats | None = None
    hints: tuple[str, ...] = ()
    tell: Callable[[float, float], str] | None = None
    """Says what a point is instead, where there are too many points to do so beforehand."""


class Point(NamedTuple):
    """A point of a series, what is said of it, and the ends of its error bar."""

    x: float
    y: float
    hint: str = ""
    low: float = nan
    high: float = nan


def series_of(label: str, look: int, kind: Kind, points: Iterable[Point]) -> Series:
    """The series of these points, from left to right."""
    ordered = sorted(points)
    x, y, low, high = (
        np.array([getattr(point, name) for point in ordered], dtype=np.float64)
        for name in ("x", "y", "low", "high")
    )
    has_bars = np.isfinite(low).any()
    return Series(
        label, look, kind, x, y, low if has_bars else None, high if has_bars else None,
        tuple(point.hint for point in ordered if point.hint),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Boxes:
    """Box plots: for each its position, and from lowest to highest the seven numbers that it shows."""

    label: str
    look: int
    places: tuple[float, ...]
    numbers: tuple[tuple[float, float, float, float, float, float, float], ...]
    half_width: float
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the panel at a value; its label is in the legend."""

    label: str
    kind: RuleKind
    value: float
    look: int | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: where numbers stand on it, where it begins and ends, and its ticks."""

    title: str = ""
    is_log: bool = False
    is_whole: bool = False
    """Whether it counts something, so that ticks between whole numbers mean nothing."""
    starts_at_zero: bool = False
    end: float | None = None
    """The largest value there can be."""
    reach: float = 0.0
    """If above 0, how far it goes at least below 0 and above, equally far."""
    values: tuple[float, ...] = ()
    """Where ticks are wanted, as far as they fit."""
    names: tuple[Tick, ...] = ()
    """Names of some positions, which it has instead of numbers."""
    groups: tuple[Tick, ...] = ()
    """What several of the names have in common; it stands below them instead of the title."""
    short_title: str = ""
    """What it is called where there is little space."""
    has_labels: bool = True
    """Whether its ticks have labels; one that is above another like it needs none."""

    def positions(self, values: npt.ArrayLike) -> Floats:
        """The coordinates of numbers; of those that a logarithmic axis does not have it is NaN."""
        numbers = np.asarray(values, dtype=np.float64)
        if not self.is_log:
            return numbers
        return np.log10(np.where(numbers > 0, numbers, np.nan))

    def ticks(self, low: float, high: float, most: int, *, may_be_close: bool = False) -> list[Tick]:
        """Ticks between two coordinates, at most about this many; a little closer where they would be too few."""
        if self.names:
            step = max(1, ceil(len(self.names) / max(most, 1)))
            return [tick for tick in self.names[::step] if low <= tick[0] <= high]
        if self.values:
            return self._wanted(low, high, most)
        if self.is_log:
            return log_ticks(low, high, most, is_whole=self.is_whole)
        return linear_ticks(low, high, most, is_whole=self.is_whole, may_be_close=may_be_close)

    def _wanted(self, low: float, high: float, most: int) -> list[Tick]:
        gap = (high - low) / max(most, 1)
        found: list[Tick] = []
        for value in self.values:
            position = float(self.positions(value))
            if low <= position <= high and (not found or position - found[-1][0] >= gap):
                found.append((position, tick_text(value)))
        return found


def named(names: tuple[str, ...]) -> tuple[Tick, ...]:
    """The names of the positions 0, 1, 2, ..."""
    return tuple((float(index), name) for index, name in enumerate(names))


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot."""

    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    boxes: tuple[Boxes, ...] = ()
    rules: tuple[Rule, ...] = ()
    weight: int = 1
    """How high it is beside the others."""

    @property
    def mark_scale(self) -> float:
        """How large its markers are beside usual ones."""
        lines = (Kind.LINE, Kind.STEPS)
        count = sum(len(series.y) for series in self.series if series.kind not in lines)
        return _SMALL if count > _MANY else 1.0

    @property
    def largest_mark(self) -> float:
        """How large the largest of its markers is beside a usual one; 0 where there are none."""
        kinds = {series.kind for series in self.series}
        if Kind.HOLLOW in kinds:
            return HOLLOW_SCALE * self.mark_scale
        return self.mark_scale if self.boxes or kinds & {Kind.POINTS, Kind.MARKERS} else 0.0

    def ranges(self, mark: float) -> tuple[Range, Range]:
        """From where to where the axes go, in coordinates: all there is, with a margin so that no marker is cut.

        Half a marker takes the part ``mark`` of the height.
        """
        return self._x_range(), self._y_range(mark)

    def _x_range(self) -> Range:
        if self.x.names:
            positions = [position for position, _ in self.x.names]
            return min(positions) - _BESIDE_NAMES, max(positions) + _BESIDE_NAMES
        xs = [self.x.positions(series.x) for series in self.series]
        xs += [self.x.positions([rule.value]) for rule in self.rules if not rule.kind.is_level]
        has_bars = any(series.kind is Kind.BARS for series in self.series)
        return _span(xs, _BAR_PADDING if has_bars else _X_PADDING)

    def _y_range(self, mark: float) -> Range:
        ys = self._heights()
        low, high = _span(ys, max(_Y_PADDING, mark))
        if self.y.end is not None:
            high = float(self.y.positions(self.y.end))
            bottom = 0.0 if self.y.starts_at_zero and not self.y.is_log else low
            high += max(_ABOVE_END, mark) * (high - bottom)
        if self.y.starts_at_zero and not self.y.is_log:
            high = high if high > 0 else 1.0
            least = min((float(part.min()) for part in ys if part.size), default=0.0)
            # Leave space below, so that a marker at 0 is not cut in two.
            low = -mark * high if least < mark * high else -1e-6 * high
        elif self.y.is_log and any(series.kind is Kind.BARS for series in self.series):
            low = float(np.log10(0.5))
        elif self.y.reach:
            high = max(high, -low, self.y.reach)
            low = -high
        return low, high

    def _heights(self) -> list[Floats]:
        found: list[Floats] = []
        for series in self.series:
            found += [
                self.y.positions(part) for part in (series.y, series.low, series.high) if part is not None
            ]
        for boxes in self.boxes:
            found += [self.y.positions(numbers) for numbers in boxes.numbers]
        return found + [self.y.positions([rule.value]) for rule in self.rules if rule.kind.is_level]


def _span(parts: list[Floats], padding: float) -> Range:
    """The range of an axis: from the least to the largest, and a little more."""
    known = [part[np.isfinite(part)] for part in (np.atleast_1d(part) for part in parts)]
    known = [part for part in known if len(part)]
    if not known:
        return 0.0, 1.0
    low, high = min(float(part.min()) for part in known), max(float(part.max()) for part in known)
    more = padding * (high - low) if high > low else max(0.05 * abs(low), 0.5)
    return low - more, high + more


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of the legend."""

    label: str
    look: int | None
    kind: Kind | RuleKind | None
    """None is a box."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart: its panels, side by side or one above the other, and a sentence about it."""

    title: str
    panels: tuple[Panel, ...] = ()
    note: str = ""
    short_note: str = ""
    """What is said where there is little height; empty if it is the same."""
    is_stacked: bool = False
    empty: str = ""
    """What is said instead, where there is nothing to show."""
    extra_legend: tuple[LegendEntry, ...] = field(default=())
    why_no_log_y: str = ""
    """Why its y axes cannot be logarithmic; empty if they can."""

    @property
    def legend(self) -> tuple[LegendEntry, ...]:
        """Every label once, in the order of its first appearance."""
        entries: dict[tuple[str, object], LegendEntry] = {}
        for panel in self.panels:
            for series in panel.series:
                entries.setdefault(
                    (series.label, series.look), LegendEntry(series.label, series.look, series.kind)
                )
            for boxes in panel.boxes:
                entries.setdefault((boxes.label, boxes.look), LegendEntry(boxes.label, boxes.look, None))
            for rule in panel.rules:
                entries.setdefault((rule.label, rule.kind), LegendEntry(rule.label, rule.look, rule.kind))
        return (*(entry for entry in entries.values() if entry.label), *self.extra_legend)

    def columns(self, fitting: int) -> int:
        """In how many columns the panels stand where so many fit beside each other."""
        count = len(self.panels)
        if self.is_stacked:
            return 1
        wanted = {1: 1, 2: 2, 3: 3, 4: 2}.get(count, 3)
        if wanted <= fitting:
            return wanted
        return 2 if fitting >= 2 and count != 3 else 1

    @property
    def has_content(self) -> bool:
        """Whether there is anything to draw."""
        return any(
            any(len(series.y) for series in panel.series) or any(boxes.places for boxes in panel.boxes)
            for panel in self.panels
        )


def grouped(number: float) -> str:
    """A number as a person reads it, with as many decimals as say something."""
    size = abs(number)
    if size >= 1000 or number == round(number):
        return f"{number:,.0f}"
    if size >= 100:
        return f"{number:.1f}"
    if size >= 0.01 or size == 0:
        return f"{number:.3g}" if size < 1 else f"{number:.2f}"
    return f"{number:.2g}"
