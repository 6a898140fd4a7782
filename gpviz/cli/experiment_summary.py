"""The results of an experiment as text for a terminal: tables, comparisons with the paper, and how T grows."""

from collections.abc import Mapping, Sequence
from textwrap import fill, indent
from typing import Final

from gpviz.cli.terminal import table_text
from gpviz.engine.settings import WholeNumber, setting
from gpviz.engine.step import NO_PITFALL, PITFALLS
from gpviz.escaping import terminal_text
from gpviz.experiments.decisive_steps import CellDecisiveSteps
from gpviz.experiments.figures.cell_groups import MEASURE_TITLES
from gpviz.experiments.plan import MEASURE_TABLE, SHARES, Plan
from gpviz.experiments.result_tables import CellSpreads, scaling_fits
from gpviz.experiments.run_text import duration_text
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments
from gpviz.experiments.statistics.growth import ScalingFit, bounds_crossing, bounds_of, coverage
from gpviz.experiments.statistics.probability import p_text
from gpviz.experiments.statistics.verdict import experiment_verdict
from gpviz.number_text import chance_percent, counted, percent_texts, with_sign
from gpviz.runs.settings_text import named_settings_text

_MOST_SERIES: Final = 6
_MOST_FAR: Final = 8
_WIDTH: Final = 110
_NOTHING: Final = "–"


def result_text(
    plan: Plan,
    summaries: Sequence[CellSummary],
    spreads: Sequence[CellSpreads],
    seconds: float,
) -> str:
    """All results: a heading with the verdict, a table, and what there is to say about it."""
    verdict = experiment_verdict(summaries, plan.runs)
    found = _wrapped(f"{verdict.headline}. {verdict.remarks}")
    parts = [f"{_heading(plan, summaries, seconds)}\n{found}"]
    others = [name for name in plan.varied_settings if name != plan.x]
    series = list(dict.fromkeys(named_settings_text(each.cell.config, others) for each in summaries))
    if plan.x == "rows" and len(series) <= _MOST_SERIES:
        parts += [_pivot(plan, measure, summaries, others, series) for measure in plan.measures]
    else:
        parts.append(_table(plan, summaries, spreads))
        parts += _exact(plan, summaries)
        parts += _pitfalls(plan, summaries)
    return "\n\n".join([*parts, *_remarks(plan, summaries)])


def decisive_steps_text(plan: Plan, findings: Mapping[int, CellDecisiveSteps]) -> str:
    """What decided the stuck runs, a paragraph for each cell that has some."""
    if not findings:
        return "No run got stuck, so none has a decisive step."
    paragraphs = []
    for number, found in findings.items():
        cell = named_settings_text(plan.cells[number].config, plan.varied_settings)
        paragraphs.append(_wrapped(f"{cell}: {found.text}" if cell else found.text))
    return "\n".join(["Decisive steps", *paragraphs])


def _remarks(plan: Plan, summaries: Sequence[CellSummary]) -> list[str]:
    """What there is to say: which cells are not as in the paper, what all say together, and how T grows."""
    varied = plan.varied_settings
    compared = [(summary.cell.config, summary.paper) for summary in summaries if summary.paper is not None]
    far = [
        f"{named_settings_text(config, varied)}: {paper.verdict}"
        for config, paper in compared
        if ":" in paper.verdict
    ]
    if len(far) > _MOST_FAR:
        far[_MOST_FAR - 1 :] = [f"and {len(far) - _MOST_FAR + 1} more"]
    parts = ["\n".join(far)] if far else []
    details = experiment_verdict(summaries, plan.runs).details
    if details:
        parts.append(_wrapped(details))
    fits = scaling_fits(plan, summaries)
    parts += [_growth(label, fit) for label, fit in fits]
    proven = _proven(plan, summaries) if fits else ""
    return [*parts, proven] if proven else parts


def _proven(plan: Plan, summaries: Sequence[CellSummary]) -> str:
    """What is proven of T at the largest n, a paragraph for each combination of the other settings."""
    others = [name for name in plan.varied_settings if name != "n"]
    largest = max(plan.cells, key=lambda cell: cell.config.n).config.n
    parts: list[str] = []
    has_upper = False
    for summary in summaries:
        config, mean = summary.cell.config, summary.T.mean
        bounds = bounds_of(config)
        if config.n != largest or not bounds or mean is None:
            continue
        upper = [f"{bound.value:,.0f} ({bound.name})" for bound in bounds if bound.kind == "upper"]
        has_upper = has_upper or bool(upper)
        settings = ", ".join(filter(None, [named_settings_text(config, others), f"n = {config.n}"]))
        text = (
            f"Bounds with {settings}: T is {mean:,.0f} on average; proven is at least {bounds[0].value:,.0f}"
            f" ({bounds[0].name})"
        )
        text += f" and, while the tree is not full, at most {' and '.join(upper)}" if upper else ""
        parts.append(_wrapped(f"{text}. {coverage(config)}"))
    if has_upper:
        parts.append(
            f"Super-multiplicative drift gives the better upper bound from n = {bounds_crossing():,} on,"
            " whatever the limit."
        )
    return "\n".join(parts)


def _growth(label: str, fit: ScalingFit) -> str:
    """What is to be said of how T grows, and below it all laws, the most likely first, a line each."""
    verdict = _wrapped(f"{label}: {fit.verdict}" if label else fit.verdict)
    laws = [
        (law.formula, law.likelihood, "" if law.p_value is None else f"p {p_text(law.p_value)}")
        for law in fit.laws
    ]
    return f"{verdict}\n{indent(table_text(laws, left=3), '  ')}" if laws else verdict


def _wrapped(text: str) -> str:
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _signed(value: float | None) -> str:
    return _NOTHING if value is None else with_sign(value, 1)


def _mean(moments: Moments) -> str:
    if moments.mean is None:
        return _NOTHING
    return f"{moments.mean:,.1f}" + (f" ({moments.sd:,.1f})" if moments.sd is not None else "")


def _heading(plan: Plan, summaries: Sequence[CellSummary], seconds: float) -> str:
    done = sum(summary.runs for summary in summaries)
    runs = counted(done, "run") if done == plan.total_runs else f"{done:,} of {plan.total_runs:,} runs"
    cells = counted(len(summaries), "cell")
    fixed = {name: value for name, value in plan.settings.items() if name != "fitness" or value != "complete"}
    fixed |= {name: values[0] for name, values in plan.grid.items() if len(values) == 1}
    same = [
        f"{name.replace('_', ' ')} {value}"  # an expression in n, which each cell has another value of
        if isinstance(value, str) and isinstance(setting(name).kind, WholeNumber)
        else named_settings_text(plan.cells[0].config, [name])
        for name, value in fixed.items()
    ]
    facts = [cells, runs, duration_text(seconds), *same]
    return f"{terminal_text(plan.title or plan.name)}\n{' · '.join(facts)}"


def _table(plan: Plan, summaries: Sequence[CellSummary], spreads: Sequence[CellSpreads]) -> str:
    """A line for each cell; the paper's values stand on the right, where there are any."""
    names = plan.table_settings
    has_paper = any(summary.paper is not None for summary in summaries)
    columns = _setting_columns(names, summaries)
    columns["solved"] = [f"{summary.solved:,}/{summary.runs:,}" for summary in summaries]
    columns["stuck %"] = [_share("stuck", summary) for summary in summaries]
    if any(summary.stopped or summary.failed for summary in summaries):
        columns["other"] = [_others(summary) for summary in summaries]
    columns["T (sd)"] = [_mean(summary.T) for summary in summaries]
    columns["median"] = [
        _NOTHING if spread.T is None else f"{spread.T.median:,.1f}".removesuffix(".0") for spread in spreads
    ]
    columns["S (sd)"] = [_mean(summary.S) for summary in summaries]
    columns["ORs"] = [_number(summary.ors.mean, ".2f") for summary in summaries]
    if "share_full" in plan.measures or (plan.is_about("share_full") and not has_paper):
        columns["full %"] = [_share("share_full", summary) for summary in summaries]
    heads, lines = [*columns], [list(line) for line in zip(*columns.values(), strict=True)]
    if not has_paper:
        return table_text(lines, heads, left=len(names))
    heads += ["B %", "T (sd)", "S", "z of T", "verdict"]
    lines = [line + _paper(summary) for line, summary in zip(lines, summaries, strict=True)]
    return table_text(lines, heads, left=len(names), heading=(len(columns), "paper"))


def _setting_columns(names: Sequence[str], summaries: Sequence[CellSummary]) -> dict[str, list[str]]:
    """A column for each of these settings, by name, with its value in every cell."""
    cells = [summary.cell.config.as_dict() for summary in summaries]
    return {name: [_setting(data[name]) for data in cells] for name in names}


def _exact(plan: Plan, summaries: Sequence[CellSummary]) -> list[str]:
    """A table of the cells that are small enough for exact values, and how far ours and the paper's are."""
    solved = [(summary, summary.exact) for summary in summaries if summary.exact is not None]
    if not solved:
        return []
    exact = [values for _, values in solved]
    names = plan.varied_settings
    columns = _setting_columns(names, [summary for summary, _ in solved])
    columns["stuck %"] = [chance_percent(each.cell.stuck, 2) for each in exact]
    columns["T (sd)"] = [
        _NOTHING if each.cell.mean is None else f"{each.cell.mean:,.2f} ({each.cell.sd:,.2f})"
        for each in exact
    ]
    columns["S"] = [_number(each.cell.leaves, ".3f") for each in exact]
    columns["our z of B"] = [_signed(each.ours.z_B) for each in exact]
    columns["of T"] = [_signed(each.ours.z_T) for each in exact]
    columns["of S"] = [_signed(each.ours.z_S) for each in exact]
    if any(each.paper is not None for each in exact):
        columns["paper's z of T"] = [
            _signed(None if each.paper is None else each.paper.z_T) for each in exact
        ]
    title = "Exact values, and how many standard errors the runs lie above them"
    return [f"{title}\n{_columns_text(columns, len(names))}"]


def _columns_text(columns: Mapping[str, Sequence[str]], left: int) -> str:
    return table_text(list(zip(*columns.values(), strict=True)), list(columns), left=left)


def _pitfalls(plan: Plan, summaries: Sequence[CellSummary]) -> list[str]:
    """A table of how many runs met which pitfall, if the plan is about that."""
    shown = [row for row in MEASURE_TABLE if row.name in (*PITFALLS, NO_PITFALL) and plan.is_about(row.name)]
    if not shown:
        return []
    names = plan.varied_settings
    columns = _setting_columns(names, summaries)
    columns |= {row.title: [_share(row.name, each) for each in summaries] for row in shown}
    return [f"Pitfalls (% of runs)\n{_columns_text(columns, len(names))}"]


def _number(value: float | None, form: str) -> str:
    return _NOTHING if value is None else f"{value:{form}}"


def _share(measure: str, summary: CellSummary) -> str:
    """A share in percent with its interval."""
    found = summary.share_of(measure)
    if found is None:
        return _NOTHING
    share, low, high = percent_texts(found.share, found.low, found.high)
    return share if found.low == found.high else f"{share} [{low}, {high}]"


def _others(summary: CellSummary) -> str:
    """Runs that neither were solved nor are stuck."""
    counts = {"stopped": summary.stopped, "failed": summary.failed}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or _NOTHING


def _paper(summary: CellSummary) -> list[str]:
    paper = summary.paper
    if paper is None:
        return [""] * 5
    share = _NOTHING if paper.cell.B is None else f"{100 * paper.cell.B:.1f}"
    mean = f"{paper.cell.T:,.1f} ({paper.cell.T_sd:,.1f})"
    return [share, mean, f"{paper.cell.S:.1f}", _signed(paper.z_T), paper.grade]


def _pivot(
    plan: Plan,
    measure: str,
    summaries: Sequence[CellSummary],
    others: Sequence[str],
    series: Sequence[str],
) -> str:
    """A table of one measure: along x downwards, a column for each combination of the other settings."""
    cells: dict[tuple[str, str], str] = {}
    for summary in summaries:
        x = named_settings_text(summary.cell.config, [plan.x]).removeprefix(f"{plan.x} ")
        cells[x, named_settings_text(summary.cell.config, others)] = _value(measure, summary)
    lines = [
        [f"{int(x):,}" if x.isdecimal() else x, *(cells.get((x, name), "") for name in series)]
        for x in dict.fromkeys(x for x, _ in cells)
    ]
    heads = [plan.x, *(name or "mean (sd)" for name in series)]
    return f"{MEASURE_TITLES[measure]}\n{table_text(lines, heads, left=0)}"


def _value(measure: str, summary: CellSummary) -> str:
    if measure in SHARES:
        return _share(measure, summary)
    if measure == "final_generalisation_error":
        error = summary.final_generalisation_error
        return _NOTHING if error is None else f"{error:.3g}"
    return _mean(summary.moments_of(measure))


def _setting(value: object) -> str:
    if value == "inf":
        return "∞"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
