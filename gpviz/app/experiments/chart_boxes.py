"""Box plots of a measure along the plan's axis, grouped by the other settings."""

from collections.abc import Mapping

from gpviz.app.experiments.chart_axes import tick_text
from gpviz.app.experiments.chart_cells import MEASURE_TITLES, cell_label, groups_of, x_axis_of
from gpviz.app.experiments.chart_figure import MOST_SERIES, Boxes, Figure, Panel, grouped
from gpviz.experiments.plan import Plan
from gpviz.experiments.summary import Spread

__all__ = ["MOST_BOXES", "boxes_figure", "cells_drawn"]

MOST_BOXES = 200
_EMPTY = "No solved runs yet. Once there are, this shows their quartiles in every cell, side by side."
_SHARE = 0.8
"""How much of the distance between two places the boxes take."""


def cells_drawn(plan: Plan) -> tuple[int, ...]:
    """The cells that have a box."""
    found = [cell.number for group in groups_of(plan)[:MOST_SERIES] for cell in group.cells]
    return tuple(sorted(found[:MOST_BOXES]))


def boxes_figure(plan: Plan, measure: str, spreads: Mapping[int, Spread], *, is_log_y: bool) -> Figure:
    """The boxes of all cells; places are named, as boxes need equal distances."""
    axis = x_axis_of(plan)
    groups = groups_of(plan)[:MOST_SERIES]
    order = {place: at for at, place in enumerate(axis.values)}
    names = axis.names or tuple(_short(value) for value in axis.values)
    step = _SHARE / len(groups)
    drawn: list[Boxes] = []
    for look, group in enumerate(groups):
        places: list[float] = []
        numbers: list[tuple[float, float, float, float, float, float, float]] = []
        hints: list[str] = []
        for cell in group.cells:
            spread = spreads.get(cell.number)
            if spread is None:
                continue
            places.append(order[axis.places[cell.number]] + (look - (len(groups) - 1) / 2) * step)
            numbers.append(
                (
                    spread.minimum,
                    spread.q05,
                    spread.q25,
                    spread.median,
                    spread.q75,
                    spread.q95,
                    spread.maximum,
                )
            )
            hints.append(
                f"{cell_label(plan, cell.number)}: median {grouped(spread.median)}, half from"
                f" {grouped(spread.q25)} to {grouped(spread.q75)}, 90 % from {grouped(spread.q05)} to"
                f" {grouped(spread.q95)}, all from {grouped(spread.minimum)} to {grouped(spread.maximum)}"
            )
        drawn.append(Boxes(group.label, look, tuple(places), tuple(numbers), 0.42 * step, tuple(hints)))
    panel = Panel(
        axis.title or "runs", MEASURE_TITLES[measure], boxes=tuple(drawn), is_log_y=is_log_y, x_names=names,
        starts_at_zero=True,
    )  # fmt: skip
    note = (
        "Of the solved runs: the box is the middle half, the line in it the median, the whiskers hold 90 %, and"
        " the small marks are the extremes."
    )
    if len(groups_of(plan)) > MOST_SERIES:
        note += f" The first {MOST_SERIES} of {len(groups_of(plan))} series are drawn."
    return Figure(f"{MEASURE_TITLES[measure]} in every cell", (panel,), note, empty=_EMPTY)


def _short(value: float) -> str:
    return tick_text(float(f"{value:.2e}"))
