"""How runs are distributed: histograms, the share solved by iteration t, box plots, and the best of λ runs."""

from collections.abc import Collection, Mapping
from dataclasses import astuple, replace
from functools import partial
from typing import Final

import numpy as np

from gpviz.engine.step import NO_PITFALL
from gpviz.experiments.figures.axis_ticks import tick_text
from gpviz.experiments.figures.cell_groups import MEASURE_TITLES, cell_label, groups_of, x_axis_of
from gpviz.experiments.figures.chart_values import Bins, ChartInput, Steps
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Boxes,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Point,
    Rule,
    RuleKind,
    Series,
    grouped,
    named,
    series_of,
)
from gpviz.experiments.plan import Cell, Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary, Spread, summarise_cell
from gpviz.experiments.statistics.probability import best_of_chance, best_of_interval
from gpviz.experiments.totals import Totals

# --- the histogram of a cell, with its mean, its median and the paper's mean ---


_NO_HISTOGRAM = (
    "No solved runs in this cell yet. Once there are, this shows how {measure} is distributed over them."
)

_ONLY_ZEROS = "All {count} solved runs of this cell have 0, which a logarithmic axis cannot show."
_FEWEST_BINS: Final = 7


def histogram_figure(given: ChartInput) -> Figure:
    """The histogram of the solved runs of a cell."""
    measure, is_log_x = given.measure, given.is_log_x
    bins: Bins | None = given.digests.get(given.cell)
    summary = summarise_cell(given.plan.cells[given.cell], given.totals[given.cell])
    title = f"{MEASURE_TITLES[measure]} of {given.label(given.plan, given.cell)}"
    if bins is None and summary.solved and is_log_x:
        return Figure(title, empty=_ONLY_ZEROS.format(count=f"{summary.solved:,}"))
    if bins is None:
        return Figure(title, empty=_NO_HISTOGRAM.format(measure=MEASURE_TITLES[measure]))
    is_whole = measure != "final_generalisation_error"
    if is_whole and not is_log_x:
        bins = _widened(bins)
    counts = bins.counts.astype(np.float64)
    hints = tuple(
        f"{_bin_text(low, high, measure)}: {count:,} of {bins.spread.count:,} runs"
        for low, high, count in zip(bins.edges[:-1], bins.edges[1:], bins.counts, strict=True)
    )
    bars = Series("", 0, Kind.BARS, bins.edges, counts, hints=hints)
    rules = [
        Rule(f"mean {grouped(bins.mean)}", RuleKind.MEAN, bins.mean),
        Rule(f"median {grouped(bins.spread.median)}", RuleKind.MEDIAN, bins.spread.median),
    ]
    theirs = _paper_mean(summary, measure)
    if theirs is not None:
        rules.append(Rule(f"the paper's mean {grouped(theirs)}", RuleKind.PAPER, theirs))
    panel = Panel(
        Axis(MEASURE_TITLES[measure], is_log_x, is_whole),
        Axis("solved runs", given.is_log_y, is_whole=True, starts_at_zero=True),
        (bars,),
        rules=tuple(rule for rule in rules if not is_log_x or rule.value > 0),
    )
    return Figure(
        title, (panel,), _histogram_note(bins, summary), empty=_NO_HISTOGRAM.format(measure=measure)
    )


def _widened(bins: Bins) -> Bins:
    """The bins with empty ones around them, where there are too few to see which numbers they stand for."""
    edges, counts = bins.edges, bins.counts
    if len(counts) >= _FEWEST_BINS or edges[1] - edges[0] > 1:
        return bins
    missing = _FEWEST_BINS - len(counts)
    below = min(missing // 2, round(edges[0] + 0.5))  # there is nothing below 0
    above = missing - below
    return replace(
        bins,
        edges=np.arange(edges[0] - below, edges[-1] + above + 0.5),
        counts=np.concatenate([np.zeros(below, np.int64), counts, np.zeros(above, np.int64)]),
    )


def _histogram_note(bins: Bins, summary: CellSummary) -> str:
    spread = bins.spread
    all_of_them = "The one solved run has" if spread.count == 1 else f"All {spread.count:,} solved runs have"
    text = f"{all_of_them} {grouped(spread.minimum)}."
    if spread.minimum < spread.maximum:
        text = (
            f"{spread.count:,} solved runs from {grouped(spread.minimum)} to {grouped(spread.maximum)}, the middle"
            f" half from {grouped(spread.q25)} to {grouped(spread.q75)}."
        )
    others = summary.runs - summary.solved
    if others:
        text += " 1 unsolved run is left out." if others == 1 else ""
        text += f" {others:,} unsolved runs are left out." if others > 1 else ""
    if bins.left_out:
        text += f" {bins.left_out:,} are 0, which a logarithmic axis cannot show."
    return text


def _bin_text(low: float, high: float, measure: str) -> str:
    name = MEASURE_TITLES[measure].partition(" (")[0]
    if measure == "final_generalisation_error":
        return f"{name} {grouped(low)} to {grouped(high)}"
    first, last = int(np.ceil(low)), int(np.floor(high))
    return f"{name} {first:,}" if first >= last else f"{name} {first:,} to {last:,}"


def _paper_mean(summary: CellSummary, measure: str) -> float | None:
    if summary.paper is None:
        return None
    return {"iterations": summary.paper.cell.T, "leaves": summary.paper.cell.S}.get(measure)


# --- the share of runs solved by iteration t, or not yet solved; stuck runs leave a gap ---


_NO_CURVES = (
    "No solved runs in these cells yet. Once there are, this shows which share of the runs is solved by each"
    " iteration; runs that are stuck for ever keep a curve below 1."
)

_UNSOLVED = "ended without a solution, such as those stuck for ever"


def ecdf_figure(given: ChartInput) -> Figure:
    """The curves of some cells."""
    cells, is_survival, is_log_x = given.cells, given.is_survival, given.is_log_x
    steps: Mapping[int, Steps] = given.digests
    title = "Runs not yet solved after t iterations" if is_survival else "Runs solved within t iterations"
    shown = [cell for cell in cells if cell in steps][:MOST_SERIES]
    if not shown:
        return Figure(title, empty=_NO_CURVES)
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
        name = given.label(given.plan, cell)
        if never > 1e-12:
            name += f" ({100 * never:.2g} % unsolved)"
            levels.append(Rule("", RuleKind.LEVEL, never if is_survival else 1 - never, look))
        y = 1.0 - share if is_survival else share
        series.append(
            Series(
                name, look, Kind.STEPS, t, y, tell=partial(_curve_point_text, name, _curve_text(is_survival))
            )
        )
    panel = Panel(
        Axis("t (iterations)", is_log_x),
        Axis(f"share of runs {_curve_text(is_survival)}", given.is_log_y, starts_at_zero=True, end=1.0),
        tuple(series),
        rules=tuple(rule for rule in levels if not given.is_log_y or rule.value > 0),
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
    return Figure(title, (panel,), note, empty=_NO_CURVES, extra_legend=extra)


def _curve_text(is_survival: bool) -> str:
    return "not yet solved" if is_survival else "solved"


def _curve_point_text(label: str, text: str, t: float, share: float) -> str:
    """What is said of a point of a curve."""
    return f"{label}: {100 * share:.3g} % {text} after {round(t):,} iterations"


def stairs(steps: Steps, first: float, last: float, base: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The corners of the stairs, from the left edge of the chart, where they are at ``base``, to its right one."""
    t = np.concatenate([[first], np.repeat(steps.t, 2), [last]])
    share = np.concatenate([[base, base], np.repeat(steps.share, 2)])
    return t, share


# --- box plots along the plan's axis, grouped by the other settings ---


MOST_BOXES = 200
_NO_BOXES = "No solved runs yet. Once there are, this shows their quartiles in every cell, side by side."
_BOXES_SHARE = 0.8
"""How much of the distance between two positions the boxes take."""


def cells_drawn(plan: Plan, chosen: Collection[int]) -> tuple[int, ...]:
    """Which of the chosen cells get a box."""
    found = [cell.number for _, cells in _box_series(plan, chosen)[:MOST_SERIES] for cell in cells]
    return tuple(sorted(found[:MOST_BOXES]))


def boxes_figure(given: ChartInput) -> Figure:
    """The boxes of the chosen cells, equally spaced, so the x axis has names and not numbers."""
    plan, measure = given.plan, given.measure
    spreads: Mapping[int, Spread] = given.digests
    axis = x_axis_of(plan)
    every = _box_series(plan, given.cells)
    series = every[:MOST_SERIES]
    used = sorted({axis.positions[cell.number] for _, cells in series for cell in cells})
    order = {position: at for at, position in enumerate(used)}
    names = tuple(axis.names[round(position)] if axis.names else _short(position) for position in used)
    step = _BOXES_SHARE / max(len(series), 1)
    why_no_log = _why_no_log(measure, spreads)
    drawn: list[Boxes] = []
    has_own_looks = all(group < MOST_SERIES for group, _ in series)  # those that they have elsewhere
    for at, (group, cells) in enumerate(series):
        known = [(cell, spreads[cell.number]) for cell in cells if cell.number in spreads]
        aside = (at - (len(series) - 1) / 2) * step
        drawn.append(
            Boxes(
                groups_of(plan)[group].label,
                group if has_own_looks else at,
                tuple(order[axis.positions[cell.number]] + aside for cell, _ in known),
                tuple(astuple(spread)[1:] for _, spread in known),
                0.42 * step,
                tuple(_box_hint(plan, cell, spread) for cell, spread in known),
            )
        )
    y_axis = Axis(MEASURE_TITLES[measure], given.is_log_y and not why_no_log, starts_at_zero=True)
    panel = Panel(Axis(axis.title or "runs", names=named(names)), y_axis, boxes=tuple(drawn))
    note = (
        "Of the solved runs: the box is the middle half, the line in it the median, the whiskers hold 90 %, and"
        " the small marks are the extremes."
    )
    if y_axis.is_log and any(spread.minimum <= 0 for spread in spreads.values()):
        note += " What ends at the lower edge reaches 0, which a logarithmic axis cannot show."
    if len(every) > MOST_SERIES:
        note += f" The first {MOST_SERIES} of {len(every)} series are drawn."
    return Figure(
        f"{MEASURE_TITLES[measure]} {_cells_text(plan, given.cells)}", (panel,), note, empty=_NO_BOXES,
        why_no_log_y=why_no_log,
    )  # fmt: skip


def _box_series(plan: Plan, chosen: Collection[int]) -> list[tuple[int, list[Cell]]]:
    """The series that have a box, each by its index among all, and those of their cells that have one."""
    wanted = set(chosen)
    found = []
    for index, group in enumerate(groups_of(plan)):
        cells = [cell for cell in group.cells if cell.number in wanted]
        if cells:
            found.append((index, cells))
    return found


def _why_no_log(measure: str, spreads: Mapping[int, Spread]) -> str:
    """Why the y axis cannot be logarithmic; empty if it can.

    A count is often 0, and its box would have no end. Generalisation errors span many powers of ten, which shows
    on no other axis; of these the few that are 0 end at the edge.
    """
    if measure == "final_generalisation_error" or all(spread.minimum > 0 for spread in spreads.values()):
        return ""
    return "Some of these runs have 0, which a logarithmic axis cannot show."


def _cells_text(plan: Plan, chosen: Collection[int]) -> str:
    if len(chosen) == len(plan.cells):
        return "in every cell"
    return f"of {cell_label(plan, *chosen)}" if len(chosen) == 1 else f"in {len(chosen):,} cells"


def _box_hint(plan: Plan, cell: Cell, spread: Spread) -> str:
    return (
        f"{cell_label(plan, cell.number)}: median {grouped(spread.median)}, half from {grouped(spread.q25)} to"
        f" {grouped(spread.q75)}, 90 % from {grouped(spread.q05)} to {grouped(spread.q95)}, all from"
        f" {grouped(spread.minimum)} to {grouped(spread.maximum)}"
    )


def _short(value: float) -> str:
    return tick_text(float(f"{value:.2e}"))


# --- the best of λ runs ---


_COUNTS: Final = (1, 2, 4, 8, 16)
_NO_BEST: Final = (
    "No solved runs in this cell yet. Once there are, this shows how likely it is that the best of λ runs is"
    " solved within t iterations."
)
_HOW: Final = (
    "Exact: of all choices of λ different runs among the {runs:,}, the share in which the best is that good."
)
_SPARE: Final = 4
"""There are at least so many times as many runs as λ: else a choice of them says little about others."""


def best_of_figure(given: ChartInput) -> Figure:
    """How good the best of λ runs of a cell is; beside it how likely one is solved at all or avoids all pitfalls.

    A run is the better the smaller its value of the measure is, and one that is not solved is never good.
    """
    totals = given.totals[given.cell]
    steps: Steps | None = given.digests.get(given.cell)
    title = f"The best of λ runs: {given.label(given.plan, given.cell)}"
    if steps is None:
        return Figure(title, empty=_NO_BEST)
    counts = [count for count in _COUNTS if count == 1 or _SPARE * count <= steps.runs]
    panels = [_best_curves(given, steps, counts)]
    good, text = _good(given.plan, given.cell, totals)
    note = _HOW.format(runs=steps.runs)
    if good < totals.runs:
        panels.append(_best_chances(good, totals.runs, counts, text, is_log_y=given.is_log_y))
        note += f" {100 * good / totals.runs:.3g} % of single runs are {text}; bars are 95 % intervals."
    else:
        note += f" All runs are {text}."
    if given.measure == "iterations":
        note += " λ runs side by side make λ times as many evaluations."
    return Figure(title, tuple(panels), note, empty=_NO_BEST)


def _good(plan: Plan, cell: int, totals: Totals) -> tuple[int, str]:
    """How many runs are good in themselves, and what that is: free of pitfalls where rows are sampled."""
    if plan.cells[cell].config.is_sampled:
        return totals.counts.pitfalls[NO_PITFALL], "free of pitfalls"
    return totals.solved, "solved"


def _best_curves(given: ChartInput, steps: Steps, counts: list[int]) -> Panel:
    measure, is_log_x = given.measure, given.is_log_x
    name = MEASURE_TITLES[measure].partition(" (")[0]
    # What a logarithmic axis cannot show is there from its left edge on.
    hidden = int(np.searchsorted(steps.t, 0.0, side="right")) if is_log_x else 0
    shown = steps.t[hidden:] if hidden < len(steps.t) else np.ones(1)
    first, last = (shown[0] / 1.3, shown[-1] * 1.3) if is_log_x else (0.0, shown[-1] * 1.08 or 1.0)
    solved = np.rint(steps.share * steps.runs).astype(np.int64)
    drawn: list[Series] = []
    for look, count in enumerate(counts):
        chance = best_of_chance(solved, steps.runs, count)
        base = float(chance[hidden - 1]) if hidden else 0.0
        visible = chance[hidden:] if hidden < len(chance) else chance[-1:]
        x, y = stairs(Steps(shown, visible, steps.runs), first, last, base)
        drawn.append(
            Series(
                f"λ = {count}",
                look,
                Kind.STEPS,
                x,
                y,
                tell=partial(_best_point_text, name, count, steps, solved),
            )
        )
    return Panel(
        Axis(MEASURE_TITLES[measure], is_log_x),
        Axis(f"chance that the best has at most this {name}", given.is_log_y, starts_at_zero=True, end=1.0,
             short_title="chance"),
        tuple(drawn),
    )  # fmt: skip


def _best_point_text(name: str, count: int, steps: Steps, solved: np.ndarray, x: float, chance: float) -> str:
    """What is said of a point of a curve, with its interval."""
    at = int(np.searchsorted(steps.t, x, side="right")) - 1
    low, high = best_of_interval(int(solved[at]) if at >= 0 else 0, steps.runs, count)
    return (
        f"λ = {count}: the best has {name} at most {grouped(x)} with a chance of {100 * chance:.3g} %"
        f" ({100 * low:.3g} to {100 * high:.3g} %)"
    )


def _best_chances(good: int, runs: int, counts: list[int], phrase: str, *, is_log_y: bool) -> Panel:
    points = []
    for index, count in enumerate(counts):
        chance = float(best_of_chance(np.array([good]), runs, count)[0])
        low, high = best_of_interval(good, runs, count)
        high = max(high, chance)
        text = f"λ = {count}: at least one is {phrase} with a chance of {100 * chance:.4g} %"
        points.append(Point(index, chance, f"{text} ({100 * low:.4g} to {100 * high:.4g} %)", low, high))
    return Panel(
        Axis("λ (runs)", names=named(tuple(map(str, counts)))),
        Axis(f"chance that at least one is {phrase}", is_log_y, end=1.0, short_title="chance"),
        (series_of("", 0, Kind.POINTS, points),),
    )
