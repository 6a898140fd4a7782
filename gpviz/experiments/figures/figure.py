"""What a chart shows, as plain data: panels with axes, series of points, lines, bars and boxes, and marks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "MOST_SERIES",
    "Boxes",
    "Figure",
    "Kind",
    "LegendEntry",
    "Panel",
    "Rule",
    "RuleKind",
    "Series",
    "grouped",
]

MOST_SERIES: Final = 8
"""More series than this can no longer be told apart."""

Floats = npt.NDArray[np.float64]


class Kind(Enum):
    """How a series is drawn."""

    LINE = "line"
    """A line without markers."""
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


class RuleKind(Enum):
    """What a line across a panel stands for."""

    MEAN = "mean"
    MEDIAN = "median"
    PAPER = "paper"
    LEVEL = "level"


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Points that belong together; ``look`` is its place among the looks.

    ``low`` and ``high`` are the ends of the error bars. ``hints`` tell each point in words. Without a label it
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
    """Tells a point in words instead, where there are too many points to do so beforehand."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Box plots: for each its place, and from lowest to highest the seven numbers that it shows."""

    label: str
    look: int
    places: tuple[float, ...]
    numbers: tuple[tuple[float, float, float, float, float, float, float], ...]
    half_width: float
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the panel at a value, upright unless it is a level; its label is in the legend."""

    label: str
    kind: RuleKind
    value: float
    look: int | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot. ``x_names`` are the names of the places 0, 1, 2, ... where the axis has no numbers."""

    x_title: str
    y_title: str
    series: tuple[Series, ...] = ()
    boxes: tuple[Boxes, ...] = ()
    rules: tuple[Rule, ...] = ()
    is_log_x: bool = False
    is_log_y: bool = False
    x_names: tuple[str, ...] = ()
    x_values: tuple[float, ...] = ()
    """Where the ticks of the x axis are to be, if that is known."""
    starts_at_zero: bool = False
    is_x_whole: bool = False
    is_y_whole: bool = False
    """Whether the axis counts something, so that ticks between whole numbers mean nothing."""
    y_reach: float = 0.0
    """If above 0, how far the y axis goes at least below 0 and above, equally far."""
    weight: int = 1
    y_short: str = ""
    """What the y axis is called where there is little room."""
    is_x_labelled: bool = True
    """Whether the ticks of the x axis have labels; a panel above another with the same axis needs none."""


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
