"""Writes the values that a figure shows as CSV: a line for each point, bar, box and line across a panel."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from math import isfinite
from typing import Final

from gpviz.experiments.figures.figure import Axis, Boxes, Figure, Kind, Panel, Rule, Series

_HEADS: Final = ("panel", "series", "kind", "x", "x_end", "y", "low", "high", "q25", "q75", "text")
"""The box of a box plot goes from q25 to q75 and its whiskers from low to high; only bars have an end."""

Line = Sequence[float | str | None]


def figure_csv(figure: Figure) -> str:
    """The values as the text of a file; a point without a label of its own says what it is in ``text``."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(_HEADS)
    for panel in figure.panels:
        for series in panel.series:
            writer.writerows(_points(panel, series))
        for boxes in panel.boxes:
            writer.writerows(_boxes(panel, boxes))
        writer.writerows(_rule(panel, rule) for rule in panel.rules)
    return text.getvalue()


def _points(panel: Panel, series: Series) -> Iterator[Line]:
    is_bars = series.kind is Kind.BARS
    for at, y in enumerate(series.y):
        if is_bars and series.hints and not series.hints[at]:
            continue  # a gap between bars that do not touch
        low = None if series.low is None else _number(series.low[at])
        high = None if series.high is None else _number(series.high[at])
        end = _number(series.x[at + 1]) if is_bars else None
        hint = series.hints[at] if series.hints else ""
        x = _place(panel.x, float(series.x[at]), is_edge=is_bars)
        yield panel.y.title, series.label, series.kind.value, x, end, _number(y), low, high, None, None, hint


def _boxes(panel: Panel, boxes: Boxes) -> Iterator[Line]:
    for position, numbers, hint in zip(boxes.places, boxes.numbers, boxes.hints, strict=True):
        _, q05, q25, median, q75, q95, _ = map(_number, numbers)
        x = _place(panel.x, round(position))
        yield panel.y.title, boxes.label, "box", x, None, median, q05, q95, q25, q75, hint


def _rule(panel: Panel, rule: Rule) -> Line:
    x, y = (None, _number(rule.value)) if rule.kind.is_level else (_number(rule.value), None)
    return panel.y.title, "", rule.kind.value, x, None, y, None, None, None, None, rule.label


def _place(axis: Axis, value: float, *, is_edge: bool = False) -> float | str | None:
    """Where something is on the x axis: its name where the places have names, which edges do not."""
    if not axis.names or is_edge:
        return _number(value)
    return min(axis.names, key=lambda name: abs(name[0] - value))[1]


def _number(value: float) -> float | None:
    """A number as short as it can be written; None of what is none."""
    number = float(value)
    if not isfinite(number):
        return None
    return int(number) if number == int(number) and abs(number) < 2**53 else number
