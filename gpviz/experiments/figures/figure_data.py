"""Figures as data: JSON for scenes of a lecture, and CSV tables of their values."""

import csv
import json
from collections.abc import Iterator, Sequence, Sized
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from io import StringIO
from math import inf, isfinite
from typing import Any, Final

import numpy as np

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import checkpoint
from gpviz.escaping import label_text
from gpviz.experiments.figures.figure import Axis, Boxes, Figure, Floats, Kind, Panel, Rule, Series
from gpviz.files.reader import Leaves, Record, Text, Whole, check_count, record_with, within
from gpviz.lecture.lecture import Lecture
from gpviz.lecture.scene_content import SceneChart

_MOST_PANELS: Final = 12
_MOST_PARTS: Final = 64
_MOST_MARKERS: Final = 5_000
"""Each is painted by itself."""
_MOST_LOOK: Final = 1_000
_MOST_TEXT: Final = 4_000
_LEFT_OUT: Final = ("tell", "empty", "why_no_log_y")
"""What is of no use where a figure is only looked at: how points are described, and what it could not show."""
_MOST_DECADES: Final = 250
"""How far a logarithmic axis may go from 1 to either side."""
_LARGEST_WHOLE: Final = 1e15
_SMALLEST: Final = 1e-200
"""What is smaller is written as 0, which looks the same in every picture."""
_LARGEST: Final = 1e200


def figure_json(figure: Figure) -> str:
    """The figure as JSON; raises `GpvizError` where there is nothing to draw yet."""
    if not figure.has_content:
        raise GpvizError("The chart shows nothing yet.")
    return json.dumps(_plain(figure), ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=16)
def figure_of(text: str) -> Figure:
    """What `figure_json` has written, checked; raises `GpvizError` that says what is wrong where."""
    figure: Figure = _figure_record().read("figure", json.loads(text))
    with within("figure"):
        _check_figure(figure)
    return figure


def check_charts(lecture: Lecture) -> None:
    """Refuse a lecture with a chart that cannot be drawn; raises `GpvizError` that names the scene.

    Lectures know nothing of figures, so whoever opens one from a stranger asks here as well.
    """
    for index, scene in enumerate(lecture.scenes):
        if isinstance(scene.content, SceneChart):
            checkpoint()
            with within(f"scenes[{index}].content"):
                figure_of(scene.content.figure)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(each) for each in value.tolist()]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        if not isfinite(value):
            return None
        if abs(value) < _SMALLEST:
            return 0
        return int(value) if value == int(value) and abs(value) < _LARGEST_WHOLE else value
    if is_dataclass(value):
        written = [each.name for each in fields(value) if each.name not in _LEFT_OUT]
        return {name: _plain(getattr(value, name)) for name in written}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


class _Label:
    """A text that is drawn."""

    def read(self, name: str, value: object) -> str:
        return label_text(Text(_MOST_TEXT).read(name, value))


class _DrawnNumber:
    """A number that an axis can show."""

    def read(self, name: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidValueError(name, value, "a number")
        if value and not _SMALLEST <= abs(value) <= _LARGEST:
            raise InvalidValueError(
                name, value, f"0, or a number from {_SMALLEST:g} to {_LARGEST:g} or its opposite"
            )
        return float(value)


class _Numbers:
    """A list of numbers, among them null for what is not known."""

    def read(self, name: str, value: object) -> Floats:
        if not isinstance(value, list):
            raise InvalidValueError(name, value, "a list of numbers")
        kind = _DrawnNumber()
        numbers = [
            np.nan if each is None else kind.read(f"{name}[{index}]", each)
            for index, each in enumerate(value)
        ]
        return np.array(numbers, dtype=np.float64)


@cache
def _figure_record() -> Record:
    leaves: Leaves = {str: _Label(), int: Whole(0, _MOST_LOOK), float: _DrawnNumber(), Floats: _Numbers()}
    return record_with(Figure, leaves, _LEFT_OUT)


def _check_figure(figure: Figure) -> None:
    check_count("panels", len(figure.panels), _MOST_PANELS)
    if not figure.has_content:
        raise GpvizError("panels: there is nothing to draw in them.")
    for index, panel in enumerate(figure.panels):
        with within(f"panels[{index}]"):
            _check_panel(panel)


def _check_panel(panel: Panel) -> None:
    Whole(1, _MOST_LOOK).read("weight", panel.weight)
    for part in ("series", "boxes", "rules"):
        check_count(part, len(getattr(panel, part)), _MOST_PARTS)
    marked = [series for series in panel.series if series.kind in (Kind.POINTS, Kind.MARKERS, Kind.HOLLOW)]
    check_count("series, points with markers", sum(len(each.y) for each in marked), _MOST_MARKERS)
    for index, series in enumerate(panel.series):
        with within(f"series[{index}]"):
            _check_series(series)
    for index, boxes in enumerate(panel.boxes):
        with within(f"boxes[{index}]"):
            _check_length("numbers", boxes.numbers, len(boxes.places))
            _check_length("hints", boxes.hints, len(boxes.places))
    for key, axis, (low, high) in zip(("x", "y"), (panel.x, panel.y), panel.ranges(0.0), strict=True):
        widest = _MOST_DECADES if axis.is_log else inf
        if not (isfinite(low) and isfinite(high) and low < high and max(-low, high) < widest):
            raise GpvizError(f"{key}: the axis cannot be drawn; it would go from {low:g} to {high:g}.")


def _check_series(series: Series) -> None:
    count = len(series.y)
    _check_length("x", series.x, count + 1 if series.kind is Kind.BARS else count)
    if (series.low is None) != (series.high is None):
        raise GpvizError("low: error bars have two ends, low and high.")
    if series.low is not None and series.high is not None:
        _check_length("low", series.low, count)
        _check_length("high", series.high, count)
    if series.hints:
        _check_length("hints", series.hints, count)


def _check_length(name: str, values: Sized, wanted: int) -> None:
    if len(values) != wanted:
        raise GpvizError(f"{name}: it has {len(values):,} values, but there are {wanted:,} points or boxes.")


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
        x = _x_value(panel.x, float(series.x[at]), is_edge=is_bars)
        yield panel.y.title, series.label, series.kind.value, x, end, _number(y), low, high, None, None, hint


def _boxes(panel: Panel, boxes: Boxes) -> Iterator[Line]:
    for position, numbers, hint in zip(boxes.places, boxes.numbers, boxes.hints, strict=True):
        _, q05, q25, median, q75, q95, _ = map(_number, numbers)
        x = _x_value(panel.x, round(position))
        yield panel.y.title, boxes.label, "box", x, None, median, q05, q95, q25, q75, hint


def _rule(panel: Panel, rule: Rule) -> Line:
    x, y = (None, _number(rule.value)) if rule.kind.is_level else (_number(rule.value), None)
    return panel.y.title, "", rule.kind.value, x, None, y, None, None, None, None, rule.label


def _x_value(axis: Axis, value: float, *, is_edge: bool = False) -> float | str | None:
    """Where something is on the x axis: its name where the values have names, which edges do not."""
    if not axis.names or is_edge:
        return _number(value)
    return min(axis.names, key=lambda name: abs(name[0] - value))[1]


def _number(value: float) -> float | None:
    """A number as short as it can be written; None of what is none."""
    number = float(value)
    if not isfinite(number):
        return None
    return int(number) if number == int(number) and abs(number) < 2**53 else number
