"""How much of its axes a plot shows: all there is, with room around it so that no marker is cut."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.experiments.figures.axes import ChartAxis
from gpviz.experiments.figures.figure import Kind, Panel, RuleKind

__all__ = ["Range", "ranges_of"]

Range = tuple[float, float]
Floats = npt.NDArray[np.float64]

_X_PADDING: Final = 0.06
_Y_PADDING: Final = 0.1
_BAR_PADDING: Final = 0.01


def ranges_of(panel: Panel, x_axis: ChartAxis, y_axis: ChartAxis, mark: float) -> tuple[Range, Range]:
    """From where to where the axes go, in coordinates; half a marker takes the part ``mark`` of the height."""
    xs = [x_axis.places(series.x) for series in panel.series]
    xs += [x_axis.places([rule.value]) for rule in panel.rules if rule.kind is not RuleKind.LEVEL]
    ys = _heights(panel, y_axis)
    has_bars = any(series.kind is Kind.BARS for series in panel.series)
    x_range = _span(xs, _BAR_PADDING if has_bars else _X_PADDING)
    if panel.x_names:
        x_range = -0.6, len(panel.x_names) - 0.4
    low, high = _span(ys, max(_Y_PADDING, mark))
    if panel.starts_at_zero and not panel.is_log_y:
        high = high if high > 0 else 1.0
        least = min((float(part.min()) for part in ys if part.size), default=0.0)
        # A marker at 0 is not cut in two; and pyqtgraph leaves out a tick at the very end.
        low = -mark * high if least < mark * high else -1e-6 * high
    elif has_bars and panel.is_log_y:
        low = float(np.log10(0.5))
    elif panel.y_reach:
        high = max(high, -low, panel.y_reach)
        low = -high
    return x_range, (low, high)


def _heights(panel: Panel, axis: ChartAxis) -> list[Floats]:
    found: list[Floats] = []
    for series in panel.series:
        found += [axis.places(part) for part in (series.y, series.low, series.high) if part is not None]
    for boxes in panel.boxes:
        found += [axis.places(numbers) for numbers in boxes.numbers]
    found += [axis.places([rule.value]) for rule in panel.rules if rule.kind is RuleKind.LEVEL]
    return found


def _span(parts: list[Floats], padding: float) -> Range:
    """What there is room for: from the least to the largest, and a little more."""
    known = [part[np.isfinite(part)] for part in (np.atleast_1d(part) for part in parts)]
    known = [part for part in known if len(part)]
    if not known:
        return 0.0, 1.0
    low, high = min(float(part.min()) for part in known), max(float(part.max()) for part in known)
    more = padding * (high - low) if high > low else max(0.05 * abs(low), 0.5)
    return low - more, high + more
