"""What an experiment came to as tables for programs: plain data for JSON, and CSV."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz import __version__
from gpviz.engine.config import RunConfig
from gpviz.experiments.paper import table_verdict
from gpviz.experiments.plan import SETTINGS, Plan
from gpviz.experiments.scaling import ScalingFit, fit_scaling
from gpviz.experiments.store import COLUMNS, Store
from gpviz.experiments.summary import CellSummary, Moments, Spread, spread_of
from gpviz.experiments.table_latex import latex_text, settings_words, varied_settings
from gpviz.run.file_io import replacing

__all__ = [
    "CellSpreads",
    "cells_data",
    "csv_text",
    "latex_text",
    "scaling_fits",
    "spreads_of",
    "write_runs_csv",
]

_PAPER: Final = ("table", "B", "T", "T_sd", "S", "S_sd", "z_T", "z_S", "z_B", "verdict")
_LEAST_SIZES: Final = 5
"""So many values of n make a plan one about growth."""

_QUANTILES: Final = ("minimum", "q05", "q25", "q75", "q95", "maximum")
"""Beside the median, which has a name of its own."""


class CellSpreads(NamedTuple):
    """How T and S of the solved runs of a cell are spread out; None where there are none."""

    T: Spread | None
    S: Spread | None


def spreads_of(store: Store) -> list[CellSpreads]:
    """The spreads of all cells. It looks at every run, so of very many it takes a while."""

    def spread(cell: int, column: str) -> Spread | None:
        return spread_of(store.values(cell, column, outcome="solved"))

    return [
        CellSpreads(spread(cell.number, "iterations"), spread(cell.number, "leaves"))
        for cell in store.plan.cells
    ]


def cells_data(
    plan: Plan,
    summaries: Sequence[CellSummary],
    seconds: float,
    spreads: Sequence[CellSpreads] | None = None,
) -> dict[str, Any]:
    """The experiment as one object for JSON; what is not defined, or not known without spreads, is None."""
    chosen = spreads or [CellSpreads(None, None)] * len(summaries)
    fits = scaling_fits(plan, summaries)
    compared = [summary.paper for summary in summaries if summary.paper is not None]
    return {
        "plan": plan.name,
        "seconds": seconds,
        "version": __version__,
        "runs_per_cell": plan.runs,
        "is_complete": all(summary.runs >= plan.runs for summary in summaries),
        "verdict": table_verdict(compared).sentence if compared else None,
        "scaling": [_fit_data(words, fit) for words, fit in fits] or None,
        "cells": [_cell_data(summary, spread) for summary, spread in zip(summaries, chosen, strict=True)],
    }


def scaling_fits(plan: Plan, summaries: Sequence[CellSummary]) -> list[tuple[str, ScalingFit]]:
    """How T grows with n, where a plan is about that: a fit for each combination of the other settings."""
    if plan.x != "n" or len(plan.grid["n"]) < _LEAST_SIZES:
        return []
    others = [name for name in varied_settings(plan) if name != "n"]
    points: dict[str, list[tuple[int, float | None, float | None]]] = {}
    for summary in summaries:
        point = (summary.cell.config.n, summary.T.mean, summary.T.standard_error)
        points.setdefault(settings_words(summary.cell.config, others), []).append(point)
    fits = [(words, fit_scaling(group)) for words, group in points.items()]
    return [(words, fit) for words, fit in fits if fit is not None]


def _fit_data(words: str, fit: ScalingFit) -> dict[str, Any]:
    return {
        "settings": words,
        "c": fit.c,
        "c_error": fit.c_error,
        "chi_square": fit.chi_square,
        "p_value": fit.p_value,
        "exponent": None if fit.power is None else fit.power.exponent,
        "verdict": fit.verdict,
    }


def _cell_data(summary: CellSummary, spreads: CellSpreads) -> dict[str, Any]:
    has_runs = summary.stuck_share is not None
    data: dict[str, Any] = {
        **summary.cell.config.as_dict(),
        "runs": summary.runs,
        "solved": summary.solved,
        "stuck": summary.stuck,
        "stopped": summary.stopped,
        "failed": summary.failed,
        "stuck_share": summary.stuck_share,
        "stuck_interval": [summary.stuck_low, summary.stuck_high] if has_runs else None,
        **_moments_data("T", summary.T, spreads.T),
        **_moments_data("S", summary.S, spreads.S),
        "ors_mean": summary.ors.mean,
        "ors_sd": summary.ors.sd,
        "ors_accepted_mean": summary.ors_accepted.mean,
        "ors_accepted_sd": summary.ors_accepted.sd,
        "generalisation_error_mean": summary.generalisation_error,
        "expected_running_time": summary.expected_running_time,
    }
    if summary.paper is not None:
        paper = summary.paper
        beside = {name: getattr(paper.cell, name) for name in _PAPER[:6]}
        zs = {"z": paper.z_T, "z_T": paper.z_T, "z_S": paper.z_S, "z_B": paper.z_B}
        data["paper"] = {**beside, **zs, "verdict": paper.verdict}
        data["z"] = paper.z_T
    return data


def _moments_data(name: str, moments: Moments, spread: Spread | None) -> dict[str, Any]:
    quantiles = None if spread is None else asdict(spread)
    if quantiles is not None:
        del quantiles["count"]
    interval = None if moments.low is None else [moments.low, moments.high]
    return {
        f"{name}_mean": moments.mean,
        f"{name}_sd": moments.sd,
        f"{name}_interval": interval,
        f"{name}_median": None if spread is None else spread.median,
        f"{name}_quantiles": quantiles,
    }


def csv_text(
    plan: Plan,
    summaries: Sequence[CellSummary],
    seconds: float = 0.0,
    spreads: Sequence[CellSpreads] | None = None,
) -> str:
    """A line for each cell under a line of names, as RFC 4180 has it; what is not defined is left empty.

    The columns are the same for every plan. Numbers are written so that reading them gives the very same ones.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    names: list[str] = []
    for cell in cells_data(plan, summaries, seconds, spreads)["cells"]:
        flat = _flat(cell)
        if not names:
            names = list(flat)
            writer.writerow(names)
        writer.writerow(_texts(flat[name] for name in names))
    return text.getvalue()


def _flat(cell: Mapping[str, Any]) -> dict[str, Any]:
    """A cell's data with a plain value under every name."""
    flat: dict[str, Any] = {}
    for name, value in cell.items():
        if name.endswith("_interval"):
            measure = name.removesuffix("_interval")
            flat[f"{measure}_low"], flat[f"{measure}_high"] = value or (None, None)
        elif name.endswith("_quantiles"):
            measure = name.removesuffix("_quantiles")
            flat |= {f"{measure}_{each}": (value or {}).get(each) for each in _QUANTILES}
        elif name == "functions":
            flat[name] = ",".join(value)
        elif name not in ("paper", "z"):
            flat[name] = value
    paper = cell.get("paper", {})
    flat |= {name if name.startswith("z_") else f"paper_{name}": paper.get(name) for name in _PAPER}
    return flat


def _texts(values: Iterable[Any]) -> list[str]:
    return ["" if value is None else value if isinstance(value, str) else repr(value) for value in values]


def write_runs_csv(store: Store, path: Path) -> None:
    """A line for each run of an experiment: its settings with its own seed, and all that is kept of it."""
    with replacing(path) as draft, draft.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*SETTINGS, "seed", *COLUMNS])
        for cell in store.plan.cells:
            settings = _texts(_settings(cell.config))
            for row in store.rows(cell.number):
                writer.writerow([*settings, *_texts([cell.config.seed + row.number, *row[: len(COLUMNS)]])])


def _settings(config: RunConfig) -> list[Any]:
    data = config.as_dict()
    data["functions"] = ",".join(data["functions"])
    return [data[name] for name in SETTINGS]
