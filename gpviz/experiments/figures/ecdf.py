"""The share of runs solved by iteration t, or not yet solved, of several cells; stuck runs leave a gap."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from gpviz.experiments.figures.cell_groups import cell_label
from gpviz.experiments.figures.chart_values import Steps
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Rule,
    RuleKind,
    Series,
)
from gpviz.experiments.plan import Plan

_EMPTY = (
    "No solved runs in these cells yet. Once there are, this shows which share of the runs is solved by each"
    " iteration; runs that are stuck for ever keep a curve below 1."
)

_UNSOLVED = "ended without a solution, such as those stuck for ever"


def ecdf_figure(
    plan: Plan,
    cells: Sequence[int],
    steps: Mapping[int, Steps],
    *,
    is_survival: bool = False,
    is_log_x: bool = True,
    is_log_y: bool = False,
    label: Callable[[Plan, int], str] = cell_label,
) -> Figure:
    """The curves of these cells."""
    title = "Runs not yet solved after t iterations" if is_survival else "Runs solved within t iterations"
    shown = [cell for cell in cells if cell in steps][:MOST_SERIES]
    if not shown:
        return Figure(title, empty=_EMPTY)
    start = min(float(steps[cell].t[0]) for cell in shown)
    end = max(float(steps[cell].t[-1]) for cell in shown)
    first = max(1.0, start / 1.3) if is_log_x else 0.0
    last = end * 1.3 if is_log_x else end * 1.08
    series: list[Series] = []
    levels: list[Rule] = []
    for look, cell in enumerate(shown):
        found = steps[cell]
        t, share = stairs(found, first, last)
        never = 1.0 - float(found.share[-1])
        name = label(plan, cell)
        if never > 1e-12:
            name += f" ({100 * never:.2g} % unsolved)"
            levels.append(Rule("", RuleKind.LEVEL, never if is_survival else 1 - never, look))
        y = 1.0 - share if is_survival else share
        series.append(
            Series(name, look, Kind.STEPS, t, y, tell=partial(_point_text, name, _curve_text(is_survival)))
        )
    panel = Panel(
        Axis("t (iterations)", is_log_x),
        Axis(f"share of runs {_curve_text(is_survival)}", is_log_y, starts_at_zero=True, end=1.0),
        tuple(series),
        rules=tuple(rule for rule in levels if not is_log_y or rule.value > 0),
    )
    note = f"A curve that ends below 1 leaves out the runs that {_UNSOLVED}."
    if is_survival:
        note = f"A curve that ends above 0 does so because of the runs that {_UNSOLVED}."
    if not levels:
        note = f"{sum(steps[cell].runs for cell in shown):,} runs; all that are done are solved."
    if len(cells) > len(shown) == MOST_SERIES:
        note += f" The first {MOST_SERIES} of {len(cells)} cells are drawn."
    level = "the share left unsolved" if is_survival else "the share solved in the end"
    extra = (LegendEntry(f"thin dots: {level}", None, RuleKind.LEVEL),) if panel.rules else ()
    return Figure(title, (panel,), note, empty=_EMPTY, extra_legend=extra)


def _curve_text(is_survival: bool) -> str:
    return "not yet solved" if is_survival else "solved"


def _point_text(label: str, text: str, t: float, share: float) -> str:
    """What is said of a point of a curve."""
    return f"{label}: {100 * share:.3g} % {text} after {round(t):,} iterations"


def stairs(steps: Steps, first: float, last: float, base: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The corners of the stairs, from the left edge of the chart, where they are at ``base``, to its right one."""
    t = np.concatenate([[first], np.repeat(steps.t, 2), [last]])
    share = np.concatenate([[base, base], np.repeat(steps.share, 2)])
    return t, share
