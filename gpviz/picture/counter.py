"""The words and numbers of the counter: how many rows are wrong, of how many, and how full the tree is."""

from math import log2
from typing import Final

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import Node, RunConfig, State
from gpviz.engine.target import target_for
from gpviz.explain.moment import Moment
from gpviz.explain.tree_text import is_difference_quick
from gpviz.number_text import counted, number_text, power_text
from gpviz.picture.picture import Counter

_MOST_CELLS: Final = 64
"""More rows than that are a bar."""
_LARGEST_EXACT: Final = 999_999
_UNKNOWN: Final = "–"
_LEGEND: Final = "shaded: some of these can go"


def counter_of(moment: Moment, analysis: Analysis | None) -> Counter:
    """What is wrong with the tree on show; before a step has happened that is its parent."""
    config, step = moment.config, moment.step
    is_pending = moment.is_preview or moment.is_verdict_hidden
    tree = moment.parent if is_pending else moment.tree
    error = moment.error
    if step is not None:
        error = step.parent_error if is_pending else step.error
    if error is None and not config.is_sampled:
        error = _quickly_counted(tree, config)
    leaves, limit = 0 if tree is None else tree.leaves, config.max_leaves
    return Counter(
        number=_UNKNOWN if error is None else _short(error),
        lines=_lines(tree, error, config),
        wrong=error or 0,
        cells=cells_of(config),
        share=min(log2((error or 0) + 1) / max(log2(_rows_of(config)), 1.0), 1.0),
        leaves=leaves,
        limit=limit,
        leaves_text=_leaves_text(leaves, limit),
        chip=_chip(analysis),
        legend=_LEGEND if redundant_of(analysis) else "",
    )


def cells_of(config: RunConfig) -> int:
    """How many rows there are, if they are few enough to be cells; else 0."""
    rows = _rows_of(config)
    return rows if rows <= _MOST_CELLS else 0


def _rows_of(config: RunConfig) -> int:
    return 1 << config.n if config.rows is None else config.rows


def _lines(tree: Node | None, error: int | None, config: RunConfig) -> tuple[str, ...]:
    if tree is None:
        return ("no tree yet",)
    wrong = "wrong row" if error == 1 else "wrong rows"
    all_rows = power_text(2, config.n) if 1 << config.n > _LARGEST_EXACT else f"{1 << config.n:,}"
    if config.rows is None:
        return wrong, f"of {all_rows}"
    lines = wrong, f"of {number_text(config.rows)} sampled"
    true_error = _quickly_counted(tree, config)
    return lines if true_error is None else (*lines, f"{_short(true_error)} of all {all_rows} rows")


def _quickly_counted(tree: Node | None, config: RunConfig) -> int | None:
    """The error on all rows, where counting it takes no time."""
    return None if tree is None or not is_difference_quick(tree) else target_for(config.n).error(tree)


def _short(number: int) -> str:
    return number_text(number, _LARGEST_EXACT).replace(" × ", "·")


def _leaves_text(leaves: int, limit: int | None) -> str:
    if limit is None:
        return counted(leaves, "leaf")
    return f"{leaves:,} of {counted(limit, 'leaf')}{', full' if leaves >= limit else ''}"


def _chip(analysis: Analysis | None) -> str:
    """A quiet word on the state; of a sampled run there is none, as a sample may accept anything."""
    if analysis is None or analysis.rules.is_sampled:
        return ""
    state = analysis.state
    if state.state is State.PLATEAU:
        return f"flat: a way out in {counted(len(state.way_out), 'step')}"
    if state.state is State.UNDECIDED:
        trees = state.plateau_trees
        return f"undecided after {counted(trees, 'tree')}" if trees else "undecided"
    return ""


def redundant_of(analysis: Analysis | None) -> frozenset[int]:
    """The leaves that are shaded, by uid; on a stuck tree none, as notes say what holds each of them."""
    if analysis is None or analysis.state.state is State.STUCK:
        return frozenset()
    return analysis.redundant
