"""What an experiment came to as tables: CSV, plain data for JSON, and LaTeX laid out as the paper's."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz import __version__
from gpviz.engine.settings import plain_text, setting
from gpviz.engine.step import NO_PITFALL, PITFALLS
from gpviz.escaping import latex_comment, latex_text
from gpviz.experiments.decisive_steps import CellDecisiveSteps, DecisiveStepFinding
from gpviz.experiments.plan import PLAN_SETTINGS, Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments, Spread, spread_of
from gpviz.experiments.statistics.exact_comparison import ExactComparison, ExactDistances
from gpviz.experiments.statistics.growth import ScalingFit, fit_scaling
from gpviz.experiments.statistics.verdict import experiment_verdict
from gpviz.experiments.store import COLUMNS, RUN_COLUMNS, Store
from gpviz.files.file_io import replacing
from gpviz.number_text import share_text
from gpviz.runs.settings_text import named_settings_text

_LIMITS_BESIDE: Final = 2
"""So many limits stand beside each other; with the paper's values below, more would be wider than a page."""

_MEASURES: Final = ("$B$", r"$\overline{T}$", r"$\overline{S}$")
_LINES: Final = 40
"""So many lines of a long table go on a page."""

_NAMELESS: Final = "An experiment"
"""What a plan is called that has neither title nor name."""

_PAPER: Final = ("table", "B", "T", "T_sd", "S", "S_sd", "z_T", "z_S", "z_B", "verdict")
_EXACT: Final = ("B", "T", "T_sd", "S", "S_sd", "ors", "states", "z_T", "z_S", "z_B")
_EXACT_OF_PAPER: Final = ("paper_z_T", "paper_z_S", "paper_z_B")
_LEAST_SIZES: Final = 5
"""So many values of n make a plan one about growth."""
_QUANTILES: Final = ("minimum", "q05", "q25", "q75", "q95", "maximum")
"""Beside the median, which has a name of its own."""


_DECIDED: Final = (
    "decided_at", "stuck_chance_before", "stuck_chance_after", "error_before", "error_after", "leaves_before",
    "leaves_after", "operation", "verdict",
)  # fmt: skip
"""What a table of runs says about the step that decided a stuck one."""


def latex_tables(plan: Plan, summaries: Sequence[CellSummary]) -> str:
    """One or more tables, to be taken up by a document that uses the package booktabs.

    They are laid out as the paper's where n and the limit vary.
    """
    varied = plan.varied_settings
    if "n" in varied and "limit" in varied:
        tables = list(_grids(plan, summaries, [name for name in varied if name not in ("n", "limit")]))
    else:
        tables = list(_lists(plan, summaries, varied))
    title = plan.title or plan.name or _NAMELESS
    head = [
        latex_comment(f"{title}: {_runs_text(summaries)}, seeds from {plan.seed}; gpviz {__version__}."),
        r"% The document needs \usepackage{booktabs}.",
    ]
    return "\n".join([*head, *tables]) + "\n"


def _grids(plan: Plan, summaries: Sequence[CellSummary], others: Sequence[str]) -> Iterator[str]:
    """For each combination of the other settings a table with n downwards and limits beside each other."""
    groups: dict[str, list[CellSummary]] = {}
    for summary in summaries:
        groups.setdefault(named_settings_text(summary.cell.config, others), []).append(summary)
    for text, group in groups.items():
        limits = list(dict.fromkeys(summary.cell.config.limit for summary in group))
        blocks = [limits[first : first + _LIMITS_BESIDE] for first in range(0, len(limits), _LIMITS_BESIDE)]
        grid = _Grid(group)
        columns = "l" * grid.before + "r" * len(grid.measures) * min(len(limits), _LIMITS_BESIDE)
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        for number, block in enumerate(blocks):
            lines += [r"\midrule"] * bool(number)
            lines += grid.block(block)
        lines += [r"\bottomrule", r"\end{tabular}"]
        yield _table(plan, text, lines, group, has_paper=grid.has_paper)


class _Grid:
    """The cells of a table by n and limit. B is left out where nothing is ever stuck, as in the paper."""

    def __init__(self, group: Sequence[CellSummary]) -> None:
        self._cells = {(summary.cell.config.n, summary.cell.config.limit): summary for summary in group}
        papers = [summary.paper for summary in group if summary.paper is not None]
        self.has_paper = bool(papers)
        self.before = 1 + self.has_paper
        is_stuck = any(summary.stuck for summary in group) or any(
            paper.cell.B is not None for paper in papers
        )
        self.measures = _MEASURES if is_stuck else _MEASURES[1:]

    def block(self, limits: Sequence[str]) -> list[str]:
        """The lines for two limits: their names, and for each n ours and, below, the paper's."""
        width = len(self.measures)
        heads = [rf"\multicolumn{{{width}}}{{c}}{{$\ell = {_limit(limit)}$}}" for limit in limits]
        starts = [self.before + width * index for index in range(len(limits))]
        rules = [rf"\cmidrule(lr){{{start + 1}-{start + width}}}" for start in starts]
        names = ["$n$", *([""] * self.has_paper), *(self.measures * len(limits))]
        lines = [_line([*([""] * self.before), *heads]), "".join(rules), _line(names), r"\midrule"]
        for n in dict.fromkeys(n for n, _ in self._cells):
            row = [self._cells.get((n, limit)) for limit in limits]
            ours = [text for summary in row for text in _own_values(summary)[-width:]]
            lines.append(_line([str(n), *(["ours"] * self.has_paper), *ours]))
            if self.has_paper:
                theirs = [text for summary in row for text in _paper_values(summary)[-width:]]
                lines.append(_line(["", "paper", *theirs]))
        return lines


def _lists(plan: Plan, summaries: Sequence[CellSummary], varied: Sequence[str]) -> Iterator[str]:
    """Tables with a line for each cell, or for each and the paper's."""
    has_paper = any(summary.paper is not None for summary in summaries)
    most = _LINES // (1 + has_paper)
    heads = [latex_text(name.replace("_", " ")) for name in varied]
    measures = [*_MEASURES, "ORs accepted", "ORs"]
    for first in range(0, len(summaries), most):
        lines = [rf"\begin{{tabular}}{{{'l' * (len(varied) + has_paper)}rrrrr}}", r"\toprule"]
        lines += [_line([*heads, *([""] if has_paper else []), *measures]), r"\midrule"]
        shown = summaries[first : first + most]
        for summary in shown:
            settings = [latex_text(str(setting(name).plain_value(summary.cell.config))) for name in varied]
            ors = [_mean(summary.ors_accepted), _mean(summary.ors)]
            lines.append(_line([*settings, *(["ours"] if has_paper else []), *_own_values(summary), *ors]))
            if has_paper and summary.paper is not None:
                lines.append(_line([*[""] * len(varied), "paper", *_paper_values(summary), "", ""]))
        lines += [r"\bottomrule", r"\end{tabular}"]
        yield _table(plan, "", lines, shown, has_paper=has_paper)


def _runs_text(summaries: Sequence[CellSummary]) -> str:
    """How many runs there are, which need not be all that were planned."""
    least, most = min(each.runs for each in summaries), max(each.runs for each in summaries)
    if least < most:
        return f"{least} to {most} runs a cell"
    return "1 run a cell" if least == 1 else f"{least} runs a cell"


def _table(
    plan: Plan, text: str, lines: Sequence[str], summaries: Sequence[CellSummary], *, has_paper: bool
) -> str:
    # The document numbers its tables itself.
    title = re.sub(r"^(Table|Figure) \d+: ?", "", plan.title or plan.name) or _NAMELESS
    end = "" if title[-1] in ".?!" and not text else "."
    caption = [f"{latex_text(title[0].upper() + title[1:])}{f' ({latex_text(text)})' if text else ''}{end}"]
    caption.append(
        r"Share of runs stuck ($B$), iterations ($\overline{T}$) and leaves ($\overline{S}$) of the solved runs,"
        f" means with standard deviations in parentheses; {_runs_text(summaries)}."
    )
    caption += [r"The paper's values stand below ours."] * has_paper
    before = [r"\begin{table}[t]", r"\centering", r"\small", r"\setlength{\tabcolsep}{4pt}"]
    return "\n".join(["", *before, *lines, rf"\caption{{{' '.join(caption)}}}", r"\end{table}"])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _own_values(summary: CellSummary | None) -> list[str]:
    if summary is None or summary.stuck_share is None:
        return ["--"] * 3
    return [_share(summary.stuck_share), _mean(summary.T), _mean(summary.S)]


def _paper_values(summary: CellSummary | None) -> list[str]:
    if summary is None or summary.paper is None:
        return [""] * 3
    cell = summary.paper.cell
    share = "" if cell.B is None else _share(cell.B)
    return [share, f"{cell.T:.1f} ({cell.T_sd:.1f})", f"{cell.S:.1f} ({cell.S_sd:.1f})"]


def _share(share: float) -> str:
    return share_text(share) if share else "0"


def _mean(moments: Moments) -> str:
    if moments.mean is None:
        return "--"
    return f"{moments.mean:.1f}" + (f" ({moments.sd:.1f})" if moments.sd is not None else "")


def _limit(limit: str) -> str:
    """A limit in the language of formulas."""
    return r"\infty" if limit == "inf" else limit.replace("*", r"\cdot ").replace("·", r"\cdot ")


class CellSpreads(NamedTuple):
    """How T and S of the solved runs of a cell are spread out; None where there are none."""

    T: Spread | None
    S: Spread | None


def spreads_of(store: Store, on_progress: Callable[[int, int], object] | None = None) -> list[CellSpreads]:
    """The spreads of all cells. It looks at every run, so of very many it takes a while.

    ``on_progress`` is called before each cell with how many are done, and of how many.
    """

    def spread(cell: int, column: str) -> Spread | None:
        return spread_of(store.values(cell, column, outcome="solved"))

    spreads: list[CellSpreads] = []
    for cell in store.plan.cells:
        if on_progress is not None:
            on_progress(cell.number, len(store.plan.cells))
        spreads.append(CellSpreads(spread(cell.number, "iterations"), spread(cell.number, "leaves")))
    return spreads


def cells_data(
    plan: Plan,
    summaries: Sequence[CellSummary],
    seconds: float,
    spreads: Sequence[CellSpreads] | None = None,
) -> dict[str, Any]:
    """The experiment as one object for JSON; what is not defined, or not known without spreads, is None.

    An infinite running time is the text ``inf``, as an infinite limit is.
    """
    chosen = spreads or [CellSpreads(None, None)] * len(summaries)
    fits = scaling_fits(plan, summaries)
    return {
        "plan": plan.name,
        "seconds": seconds,
        "version": __version__,
        "runs_per_cell": plan.runs,
        "is_complete": all(summary.runs >= plan.runs for summary in summaries),
        "verdict": experiment_verdict(summaries, plan.runs).text,
        "scaling": [_fit_data(text, fit) for text, fit in fits] or None,
        "cells": [_cell_data(summary, spread) for summary, spread in zip(summaries, chosen, strict=True)],
    }


def scaling_fits(plan: Plan, summaries: Sequence[CellSummary]) -> list[tuple[str, ScalingFit]]:
    """How T grows with n, where a plan is about that: a fit for each combination of the other settings.

    On sampled rows T is of order log n, and none of the laws is about that.
    """
    if plan.x != "n" or len(plan.grid["n"]) < _LEAST_SIZES:
        return []
    if all(cell.config.is_sampled for cell in plan.cells):
        return []
    others = [name for name in plan.varied_settings if name != "n"]
    points: dict[str, list[tuple[int, float | None, float | None]]] = {}
    for summary in summaries:
        point = (summary.cell.config.n, summary.T.mean, summary.T.standard_error)
        points.setdefault(named_settings_text(summary.cell.config, others), []).append(point)
    fits = [(text, fit_scaling(group)) for text, group in points.items()]
    return [(text, fit) for text, fit in fits if fit is not None]


def _fit_data(text: str, fit: ScalingFit) -> dict[str, Any]:
    return {
        "settings": text,
        "c": fit.c,
        "c_error": fit.c_error,
        "chi_square": fit.chi_square,
        "p_value": fit.p_value,
        "exponent": None if fit.power is None else fit.power.exponent,
        "growth": fit.growth,
        "laws": [
            {
                "law": law.name,
                "fit": law.formula,
                "chi_square": law.chi_square,
                "p_value": law.p_value,
                "evidence_ratio": law.evidence_ratio,
            }
            for law in fit.laws
        ],
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
        "final_generalisation_error_mean": summary.final_generalisation_error,
        "generalisation_error_mean": summary.final_generalisation_error,  # as scripts have known it
        **_shares_data(summary),
        "stage_means": _stages_data(summary, lambda stage: stage.mean),
        "stage_standard_errors": _stages_data(summary, lambda stage: stage.standard_error),
        "expected_running_time": _or_inf(summary.expected_running_time),
        "expected_running_time_with_restarts": summary.time_with_restarts,
    }
    if summary.paper is not None:
        paper = summary.paper
        beside = {name: getattr(paper.cell, name) for name in _PAPER[:6]}
        zs = {"z": paper.z_T, "z_T": paper.z_T, "z_S": paper.z_S, "z_B": paper.z_B}
        data["paper"] = {**beside, **zs, "verdict": paper.verdict}
        data["z"] = paper.z_T
    if summary.exact is not None:
        data["exact"] = _exact_data(summary.exact)
    return data


def _exact_data(comparison: ExactComparison) -> dict[str, Any]:
    """The exact values, how far ours are from them, and how far the paper's are."""
    cell, ours, paper = comparison.cell, comparison.ours, comparison.paper or ExactDistances()
    values = (
        cell.stuck, cell.mean, cell.sd, cell.leaves, cell.leaves_sd, cell.ors, cell.states,
        ours.z_T, ours.z_S, ours.z_B,
    )  # fmt: skip
    data: dict[str, Any] = dict(zip(_EXACT, values, strict=True))
    data |= dict(zip(_EXACT_OF_PAPER, (paper.z_T, paper.z_S, paper.z_B), strict=True))
    data["T_quantiles"] = None if cell.quantiles is None else dict(cell.quantiles)
    return data


def _shares_data(summary: CellSummary) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for measure in (*PITFALLS, NO_PITFALL, "share_full"):
        share = summary.share_of(measure)
        data[measure] = None if share is None else share.share
        has_interval = share is not None and (measure != "share_full" or summary.runs > 1)
        data[f"{measure}_interval"] = [share.low, share.high] if share is not None and has_interval else None
    return data


def _stages_data(summary: CellSummary, value: Callable[[Moments], float | None]) -> list[float | None] | None:
    return None if summary.stages is None else [value(stage) for stage in summary.stages]


def _or_inf(value: float | None) -> float | str | None:
    """A number or None; an infinite one, which JSON does not have, as the text of an infinite limit."""
    return "inf" if value == inf else value


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
        elif name.startswith("stage_"):
            flat[name] = None if value is None else " ".join(_texts(value))
        elif isinstance(value, list):
            flat[name] = plain_text(value)
        elif name not in ("paper", "z", "exact"):
            flat[name] = value
    paper = cell.get("paper", {})
    flat |= {name if name.startswith("z_") else f"paper_{name}": paper.get(name) for name in _PAPER}
    exact = cell.get("exact", {})
    flat |= {f"exact_{name}": exact.get(name) for name in (*_EXACT, *_EXACT_OF_PAPER)}
    return flat


def _texts(values: Iterable[Any]) -> list[str]:
    return ["" if value is None else value if isinstance(value, str) else repr(value) for value in values]


def write_runs_csv(store: Store, path: Path, findings: Mapping[int, CellDecisiveSteps] | None = None) -> None:
    """A line for each run of an experiment: its settings with its own seed, and all that is kept of it.

    With ``findings``, by cell, it also has what decided the stuck runs among them.
    """
    with replacing(path) as draft, draft.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*RUN_COLUMNS, *([] if findings is None else _DECIDED)])
        for cell in store.plan.cells:
            settings = _texts(setting(name).plain_value(cell.config) for name in PLAN_SETTINGS)
            found = None if findings is None else findings.get(cell.number)
            known = {} if found is None else dict(zip(found.numbers, found.findings, strict=True))
            for row in store.rows(cell.number):
                more = [] if findings is None else _decisive_step_values(known.get(row.number))
                writer.writerow(
                    [*settings, *_texts([cell.config.seed + row.number, *row[: len(COLUMNS)], *more])]
                )


def _decisive_step_values(finding: DecisiveStepFinding | None) -> list[Any]:
    """What `_DECIDED` names."""
    if finding is None or finding.step is None or finding.taken is None:
        return [None] * len(_DECIDED)
    step, taken = finding.step, finding.taken
    return [
        step.iteration, step.before.stuck, step.after.stuck, taken.parent_error, taken.error,
        finding.leaves_before, taken.leaves, taken.operation.value, taken.verdict.value,
    ]  # fmt: skip
