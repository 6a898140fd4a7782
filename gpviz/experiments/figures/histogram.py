"""The histogram of a measure in one cell, with its mean, its median and the paper's mean."""

from dataclasses import replace
from typing import Final

import numpy as np

from gpviz.experiments.figures.cell_groups import MEASURE_TITLES, cell_label
from gpviz.experiments.figures.chart_values import Bins
from gpviz.experiments.figures.figure import Axis, Figure, Kind, Panel, Rule, RuleKind, Series, grouped
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary

_EMPTY = "No solved runs in this cell yet. Once there are, this shows how {measure} is distributed over them."

_ONLY_ZEROS = "All {count} solved runs of this cell have 0, which a logarithmic axis cannot show."
_FEWEST_BINS: Final = 7


def histogram_figure(
    plan: Plan,
    cell: int,
    measure: str,
    bins: Bins | None,
    summary: CellSummary | None,
    *,
    is_log_x: bool,
    is_log_y: bool,
) -> Figure:
    """The histogram of the solved runs of a cell."""
    title = f"{MEASURE_TITLES[measure]} of {cell_label(plan, cell)}"
    solved = 0 if summary is None else summary.solved
    if bins is None and solved and is_log_x:
        return Figure(title, empty=_ONLY_ZEROS.format(count=f"{solved:,}"))
    if bins is None:
        return Figure(title, empty=_EMPTY.format(measure=MEASURE_TITLES[measure]))
    is_whole = measure != "final_generalisation_error"
    if is_whole and not is_log_x:
        bins = _widened(bins)
    counts = bins.counts.astype(np.float64)
    hints = tuple(
        f"{_range(low, high, measure)}: {count:,} of {bins.spread.count:,} runs"
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
        Axis("solved runs", is_log_y, is_whole=True, starts_at_zero=True),
        (bars,),
        rules=tuple(rule for rule in rules if not is_log_x or rule.value > 0),
    )
    return Figure(title, (panel,), _note(bins, summary), empty=_EMPTY.format(measure=measure))


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


def _note(bins: Bins, summary: CellSummary | None) -> str:
    spread = bins.spread
    all_of_them = "The one solved run has" if spread.count == 1 else f"All {spread.count:,} solved runs have"
    text = f"{all_of_them} {grouped(spread.minimum)}."
    if spread.minimum < spread.maximum:
        text = (
            f"{spread.count:,} solved runs from {grouped(spread.minimum)} to {grouped(spread.maximum)}, the middle"
            f" half from {grouped(spread.q25)} to {grouped(spread.q75)}."
        )
    others = 0 if summary is None else summary.runs - summary.solved
    if others:
        text += " 1 unsolved run is left out." if others == 1 else ""
        text += f" {others:,} unsolved runs are left out." if others > 1 else ""
    if bins.left_out:
        text += f" {bins.left_out:,} are 0, which a logarithmic axis cannot show."
    return text


def _range(low: float, high: float, measure: str) -> str:
    name = MEASURE_TITLES[measure].partition(" (")[0]
    if measure == "final_generalisation_error":
        return f"{name} {grouped(low)} to {grouped(high)}"
    first, last = int(np.ceil(low)), int(np.floor(high))
    return f"{name} {first:,}" if first >= last else f"{name} {first:,} to {last:,}"


def _paper_mean(summary: CellSummary | None, measure: str) -> float | None:
    if summary is None or summary.paper is None:
        return None
    return {"iterations": summary.paper.cell.T, "leaves": summary.paper.cell.S}.get(measure)
