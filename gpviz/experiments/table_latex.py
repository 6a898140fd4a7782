"""What an experiment came to as tables for LaTeX, laid out as the paper's where n and the limit vary."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from gpviz import __version__
from gpviz.engine.config import RunConfig
from gpviz.experiments.plan import Plan
from gpviz.experiments.summary import CellSummary, Moments
from gpviz.export.latex import as_comment, escaped

__all__ = ["latex_text", "settings_words", "varied_settings"]

_LIMITS_BESIDE: Final = 2
"""So many limits stand beside each other; with the paper's values below, more would be wider than a page."""

_MEASURES: Final = ("$B$", r"$\overline{T}$", r"$\overline{S}$")
_LINES: Final = 40
"""So many lines of a long table go on a page."""


def varied_settings(plan: Plan) -> list[str]:
    """The settings that are not the same in all cells, in the order of the grid."""
    return [name for name, values in plan.grid.items() if len(values) > 1]


def settings_words(config: RunConfig, names: Sequence[str]) -> str:
    """Some settings of a cell in words, such as ``limit 2n, n 8``."""
    data = config.as_dict()
    return ", ".join(f"{name.replace('_', ' ')} {_plain(data[name])}" for name in names)


def _plain(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def latex_text(plan: Plan, summaries: Sequence[CellSummary]) -> str:
    """One or more tables, to be taken up by a document that uses the package booktabs."""
    varied = varied_settings(plan)
    if "n" in varied and "limit" in varied:
        tables = list(_grids(plan, summaries, [name for name in varied if name not in ("n", "limit")]))
    else:
        tables = list(_lists(plan, summaries, varied))
    head = [
        as_comment(
            f"{plan.title or plan.name}: {_runs_words(summaries)}, seeds from {plan.seed}; gpviz {__version__}."
        ),
        r"% The document needs \usepackage{booktabs}.",
    ]
    return "\n".join([*head, *tables]) + "\n"


def _grids(plan: Plan, summaries: Sequence[CellSummary], others: Sequence[str]) -> Iterator[str]:
    """For each combination of the other settings a table with n downwards and limits beside each other."""
    groups: dict[str, list[CellSummary]] = {}
    for summary in summaries:
        groups.setdefault(settings_words(summary.cell.config, others), []).append(summary)
    for words, group in groups.items():
        limits = list(dict.fromkeys(summary.cell.config.limit for summary in group))
        blocks = [limits[first : first + _LIMITS_BESIDE] for first in range(0, len(limits), _LIMITS_BESIDE)]
        grid = _Grid(group)
        columns = "l" * grid.before + "r" * len(grid.measures) * min(len(limits), _LIMITS_BESIDE)
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        for number, block in enumerate(blocks):
            lines += [r"\midrule"] * bool(number)
            lines += grid.block(block)
        lines += [r"\bottomrule", r"\end{tabular}"]
        yield _table(plan, words, lines, group, has_paper=grid.has_paper)


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
        starts = [self.before + width * place for place in range(len(limits))]
        rules = [rf"\cmidrule(lr){{{start + 1}-{start + width}}}" for start in starts]
        names = ["$n$", *([""] * self.has_paper), *(self.measures * len(limits))]
        lines = [_line([*([""] * self.before), *heads]), "".join(rules), _line(names), r"\midrule"]
        for n in dict.fromkeys(n for n, _ in self._cells):
            row = [self._cells.get((n, limit)) for limit in limits]
            ours = [text for summary in row for text in _ours(summary)[-width:]]
            lines.append(_line([str(n), *(["ours"] * self.has_paper), *ours]))
            if self.has_paper:
                theirs = [text for summary in row for text in _theirs(summary)[-width:]]
                lines.append(_line(["", "paper", *theirs]))
        return lines


def _lists(plan: Plan, summaries: Sequence[CellSummary], varied: Sequence[str]) -> Iterator[str]:
    """Tables with a line for each cell, or for each and the paper's."""
    has_paper = any(summary.paper is not None for summary in summaries)
    most = _LINES // (1 + has_paper)
    heads = [escaped(name.replace("_", " ")) for name in varied]
    measures = [*_MEASURES, "ORs accepted", "ORs"]
    for first in range(0, len(summaries), most):
        lines = [rf"\begin{{tabular}}{{{'l' * (len(varied) + has_paper)}rrrrr}}", r"\toprule"]
        lines += [_line([*heads, *([""] if has_paper else []), *measures]), r"\midrule"]
        shown = summaries[first : first + most]
        for summary in shown:
            data = summary.cell.config.as_dict()
            settings = [escaped(_plain(data[name])) for name in varied]
            ors = [_mean(summary.ors_accepted), _mean(summary.ors)]
            lines.append(_line([*settings, *(["ours"] if has_paper else []), *_ours(summary), *ors]))
            if has_paper and summary.paper is not None:
                lines.append(_line([*[""] * len(varied), "paper", *_theirs(summary), "", ""]))
        lines += [r"\bottomrule", r"\end{tabular}"]
        yield _table(plan, "", lines, shown, has_paper=has_paper)


def _runs_words(summaries: Sequence[CellSummary]) -> str:
    """How many runs there are, which need not be all that were planned."""
    least, most = min(each.runs for each in summaries), max(each.runs for each in summaries)
    if least < most:
        return f"{least} to {most} runs a cell"
    return "1 run a cell" if least == 1 else f"{least} runs a cell"


def _table(
    plan: Plan, words: str, lines: Sequence[str], summaries: Sequence[CellSummary], *, has_paper: bool
) -> str:
    # The document numbers its tables itself.
    title = re.sub(r"^(Table|Figure) \d+: ", "", plan.title or plan.name)
    end = "" if title[-1] in ".?!" and not words else "."
    caption = [f"{escaped(title[0].upper() + title[1:])}{f' ({escaped(words)})' if words else ''}{end}"]
    caption.append(
        r"Share of runs stuck ($B$), iterations ($\overline{T}$) and leaves ($\overline{S}$) of the solved runs,"
        f" means with standard deviations in parentheses; {_runs_words(summaries)}."
    )
    caption += [r"Below ours stand the paper's values."] * has_paper
    before = [r"\begin{table}[t]", r"\centering", r"\small", r"\setlength{\tabcolsep}{4pt}"]
    return "\n".join(["", *before, *lines, rf"\caption{{{' '.join(caption)}}}", r"\end{table}"])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _ours(summary: CellSummary | None) -> list[str]:
    if summary is None or summary.stuck_share is None:
        return ["--"] * 3
    return [_share(summary.stuck_share), _mean(summary.T), _mean(summary.S)]


def _theirs(summary: CellSummary | None) -> list[str]:
    if summary is None or summary.paper is None:
        return [""] * 3
    cell = summary.paper.cell
    share = "" if cell.B is None else _share(cell.B)
    return [share, f"{cell.T:.1f} ({cell.T_sd:.1f})", f"{cell.S:.1f} ({cell.S_sd:.1f})"]


def _share(share: float) -> str:
    return f"{share:.3f}" if share else "0"


def _mean(moments: Moments) -> str:
    if moments.mean is None:
        return "--"
    return f"{moments.mean:.1f}" + (f" ({moments.sd:.1f})" if moments.sd is not None else "")


def _limit(limit: str) -> str:
    """A limit in the language of formulas."""
    return r"\infty" if limit == "inf" else limit.replace("*", r"\cdot ").replace("·", r"\cdot ")
