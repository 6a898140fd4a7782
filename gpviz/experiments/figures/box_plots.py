"""Box plots of a measure along the plan's axis, grouped by the other settings."""

from collections.abc import Collection, Mapping
from dataclasses import astuple

from gpviz.experiments.figures.axis_ticks import tick_text
from gpviz.experiments.figures.cell_groups import MEASURE_TITLES, cell_label, groups_of, x_axis_of
from gpviz.experiments.figures.figure import MOST_SERIES, Axis, Boxes, Figure, Panel, grouped, named
from gpviz.experiments.plan import Cell, Plan
from gpviz.experiments.statistics.cell_statistics import Spread

MOST_BOXES = 200
_EMPTY = "No solved runs yet. Once there are, this shows their quartiles in every cell, side by side."
_SHARE = 0.8
"""How much of the distance between two positions the boxes take."""


def cells_drawn(plan: Plan, chosen: Collection[int] | None = None) -> tuple[int, ...]:
    """The cells that have a box, of all or of those chosen."""
    found = [cell.number for _, cells in _series(plan, chosen)[:MOST_SERIES] for cell in cells]
    return tuple(sorted(found[:MOST_BOXES]))


def boxes_figure(
    plan: Plan,
    measure: str,
    spreads: Mapping[int, Spread],
    *,
    is_log_y: bool,
    chosen: Collection[int] | None = None,
) -> Figure:
    """The boxes of all cells, or of those chosen; positions are named, as boxes need equal distances."""
    axis = x_axis_of(plan)
    every = _series(plan, chosen)
    series = every[:MOST_SERIES]
    used = sorted({axis.positions[cell.number] for _, cells in series for cell in cells})
    order = {position: at for at, position in enumerate(used)}
    names = tuple(axis.names[round(position)] if axis.names else _short(position) for position in used)
    step = _SHARE / max(len(series), 1)
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
                tuple(_hint(plan, cell, spread) for cell, spread in known),
            )
        )
    y_axis = Axis(MEASURE_TITLES[measure], is_log_y and not why_no_log, starts_at_zero=True)
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
        f"{MEASURE_TITLES[measure]} {_where(plan, chosen)}", (panel,), note, empty=_EMPTY,
        why_no_log_y=why_no_log,
    )  # fmt: skip


def _series(plan: Plan, chosen: Collection[int] | None) -> list[tuple[int, list[Cell]]]:
    """The series that have a box, each by its index among all, and those of their cells that have one."""
    wanted = None if chosen is None else set(chosen)
    found = []
    for index, group in enumerate(groups_of(plan)):
        cells = [cell for cell in group.cells if wanted is None or cell.number in wanted]
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


def _where(plan: Plan, chosen: Collection[int] | None) -> str:
    if chosen is None or len(chosen) == len(plan.cells):
        return "in every cell"
    return f"of {cell_label(plan, *chosen)}" if len(chosen) == 1 else f"in {len(chosen):,} cells"


def _hint(plan: Plan, cell: Cell, spread: Spread) -> str:
    return (
        f"{cell_label(plan, cell.number)}: median {grouped(spread.median)}, half from {grouped(spread.q25)} to"
        f" {grouped(spread.q75)}, 90 % from {grouped(spread.q05)} to {grouped(spread.q95)}, all from"
        f" {grouped(spread.minimum)} to {grouped(spread.maximum)}"
    )


def _short(value: float) -> str:
    return tick_text(float(f"{value:.2e}"))
