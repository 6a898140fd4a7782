"""Figures as plain data for files: written with all that is drawn, and read with every value checked."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from math import inf, isfinite
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import checkpoint
from gpviz.escaping import label_text
from gpviz.experiments.figures.figure import Boxes, Figure, Kind, Panel, Series
from gpviz.files.checked_text import check_text
from gpviz.files.strict_json import check_keys
from gpviz.lecture.lecture import Lecture
from gpviz.lecture.scene_content import SceneChart

_MOST_PANELS: Final = 12
_MOST_PARTS: Final = 64
_MOST_MARKERS: Final = 5_000
"""Each is painted by itself."""
_MOST_LOOK: Final = 1_000
_MOST_TEXT: Final = 4_000
_LEFT_OUT: Final = {Series: ("tell",), Figure: ("empty", "why_no_log_y")}
"""What is of no use where a figure is only looked at: how to tell points in words, and what it could not show."""
_MOST_DECADES: Final = 250
"""How far a logarithmic axis may go from 1 to either side."""
_LARGEST_WHOLE: Final = 1e15
_SMALLEST: Final = 1e-200
"""What is smaller is written as 0, from which no picture could tell it."""


def figure_json(figure: Figure) -> str:
    """The figure as JSON; raises `GpvizError` where there is nothing to draw yet."""
    if not figure.has_content:
        raise GpvizError("The chart shows nothing yet.")
    return json.dumps(_plain(figure), ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=16)
def figure_of(text: str) -> Figure:
    """What `figure_json` has written, checked; raises `GpvizError` that says what is wrong where."""
    figure = _read("figure", json.loads(text), Figure)
    assert isinstance(figure, Figure)
    _check_figure(figure)
    return figure


def check_charts(lecture: Lecture) -> None:
    """Refuse a lecture with a chart that cannot be drawn; raises `GpvizError` that names the scene.

    Lectures know nothing of figures, so whoever opens one from a stranger asks here as well.
    """
    for index, scene in enumerate(lecture.scenes):
        if isinstance(scene.content, SceneChart):
            checkpoint()
            try:
                figure_of(scene.content.figure)
            except GpvizError as error:
                raise GpvizError(f"scenes[{index}].content.{error}") from error


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
        return {each.name: _plain(getattr(value, each.name)) for each in _written(type(value))}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _written(made: Any) -> list[Field[Any]]:
    return [each for each in fields(made) if each.name not in _LEFT_OUT.get(made, ())]


@lru_cache
def _types(made: Any) -> Mapping[str, Any]:
    return get_type_hints(made)


def _read(name: str, data: Any, wanted: Any) -> Any:
    """The value of this type that the data describe."""
    origin = get_origin(wanted)
    if np.ndarray in (wanted, origin) or origin is npt.NDArray:  # the latter from numpy 2.5 on
        return _array(name, data)
    if origin in (Union, UnionType):
        return _read_one_of(name, data, get_args(wanted))
    if origin is tuple:
        return _read_list(name, data, get_args(wanted))
    if isinstance(wanted, type) and is_dataclass(wanted):
        return _read_object(name, data, wanted)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        names = [each.value for each in wanted]
        if data not in names:
            raise InvalidValueError(name, data, f"one of {', '.join(map(str, names))}")
        return wanted(data)
    if wanted is str:
        check_text(name, data, _MOST_TEXT)
        return label_text(data)
    if wanted is bool:
        if not isinstance(data, bool):
            raise InvalidValueError(name, data, "true or false")
        return data
    if wanted is int:
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= _MOST_LOOK:
            raise InvalidValueError(name, data, f"a whole number from 0 to {_MOST_LOOK}")
        return data
    assert wanted is float, f"{name} has a type that no file can hold: {wanted}"
    return _number(name, data)


def _number(name: str, data: Any) -> float:
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise InvalidValueError(name, data, "a number")
    return float(data)


def _array(name: str, data: Any) -> Any:
    """Numbers, among them null for what is not known."""
    if not isinstance(data, list):
        raise InvalidValueError(name, data, "a list of numbers")
    return np.array(
        [np.nan if each is None else _number(f"{name}[{at}]", each) for at, each in enumerate(data)],
        dtype=np.float64,
    )


def _read_one_of(name: str, data: Any, kinds: tuple[Any, ...]) -> Any:
    if data is None and NoneType in kinds:
        return None
    others = [kind for kind in kinds if kind is not NoneType]
    for kind in others[:-1]:
        try:
            return _read(name, data, kind)
        except GpvizError:
            continue
    return _read(name, data, others[-1])


def _read_list(name: str, data: Any, kinds: tuple[Any, ...]) -> Any:
    if not isinstance(data, list):
        raise InvalidValueError(name, data, "a list")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_read(f"{name}[{at}]", each, kinds[0]) for at, each in enumerate(data))
    if len(data) != len(kinds):
        raise InvalidValueError(name, data, f"a list of {len(kinds)}")
    return tuple(
        _read(f"{name}[{at}]", each, kind) for at, (each, kind) in enumerate(zip(data, kinds, strict=True))
    )


def _read_object(name: str, data: Any, made: Any) -> Any:
    """What a later gpviz writes besides is refused; what an earlier one did not have is as it usually is."""
    types = _types(made)
    written = _written(made)
    is_optional = {
        each.name for each in written if each.default is not MISSING or each.default_factory is not MISSING
    }
    present = data if isinstance(data, dict) else ()
    check_keys(
        name,
        data,
        tuple(each.name for each in written if each.name in present or each.name not in is_optional),
    )
    return made(**{key: _read(f"{name}.{key}", value, types[key]) for key, value in data.items()})


def _check_figure(figure: Figure) -> None:
    _check_count("figure.panels", len(figure.panels), _MOST_PANELS)
    if not figure.has_content:
        raise GpvizError("figure.panels: there is nothing to draw in them.")
    for index, panel in enumerate(figure.panels):
        name = f"figure.panels[{index}]"
        _check_panel(name, panel)


def _check_panel(name: str, panel: Panel) -> None:
    if panel.weight < 1:
        raise InvalidValueError(f"{name}.weight", panel.weight, f"a whole number from 1 to {_MOST_LOOK}")
    for part in ("series", "boxes", "rules"):
        _check_count(f"{name}.{part}", len(getattr(panel, part)), _MOST_PARTS)
    marked = [series for series in panel.series if series.kind in (Kind.POINTS, Kind.MARKERS, Kind.HOLLOW)]
    _check_count(f"{name}.series, points with markers", sum(len(each.y) for each in marked), _MOST_MARKERS)
    for index, series in enumerate(panel.series):
        _check_series(f"{name}.series[{index}]", series)
    for index, boxes in enumerate(panel.boxes):
        _check_boxes(f"{name}.boxes[{index}]", boxes)
    for key, axis, (low, high) in zip(("x", "y"), (panel.x, panel.y), panel.ranges(0.0), strict=True):
        widest = _MOST_DECADES if axis.is_log else inf
        if not (isfinite(low) and isfinite(high) and low < high and max(-low, high) < widest):
            raise GpvizError(f"{name}.{key}: the axis cannot be drawn; it would go from {low:g} to {high:g}.")


def _check_series(name: str, series: Series) -> None:
    count = len(series.y)
    wanted = count + 1 if series.kind is Kind.BARS else count
    if len(series.x) != wanted:
        raise GpvizError(f"{name}.x: there are {len(series.x)} numbers, but its y wants {wanted}.")
    for part in ("low", "high"):
        ends = getattr(series, part)
        if ends is not None and len(ends) != count:
            raise GpvizError(f"{name}.{part}: there are {len(ends)} numbers, but its y wants {count}.")
    if (series.low is None) != (series.high is None):
        raise GpvizError(f"{name}.low: error bars have two ends, low and high.")
    if series.hints and len(series.hints) != count:
        raise GpvizError(f"{name}.hints: there are {len(series.hints)}, but its y wants {count}.")


def _check_boxes(name: str, boxes: Boxes) -> None:
    for part in ("numbers", "hints"):
        count = len(getattr(boxes, part))
        if count != len(boxes.places):
            raise GpvizError(f"{name}.{part}: there are {count}, but its places want {len(boxes.places)}.")


def _check_count(name: str, count: int, most: int) -> None:
    if count > most:
        raise GpvizError(f"{name}: there are {count:,}, but at most {most} are allowed.")
