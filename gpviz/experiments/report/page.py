"""The web page of `gpviz reproduce`: the paper's experiments done again, with a table or figure for each."""

import platform
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from gpviz import __version__, assets
from gpviz.experiments.figures.chart_values import ChartInput, steps_of
from gpviz.experiments.figures.distributions import ecdf_figure
from gpviz.experiments.figures.drift import drift_figure
from gpviz.experiments.figures.figure import (
    Axis,
    Figure,
    Kind,
    Panel,
    Point,
    Rule,
    RuleKind,
    Series,
    named,
    series_of,
)
from gpviz.experiments.figures.figure_svg import figure_svg
from gpviz.experiments.figures.measures_by_setting import measures_figure
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.report.html_elements import (
    Markup,
    code,
    command,
    element,
    figure,
    paragraph,
    section,
    table,
)
from gpviz.experiments.report.results import PLANS, Results, results_of, store_path
from gpviz.experiments.report.stuck_trees import stuck_section
from gpviz.experiments.report.tables import (
    Grade,
    exact_table,
    has_stuck_column,
    limit_symbol,
    number,
    paper_table,
    readings_table,
    sampled_table,
    signed,
    z_key,
)
from gpviz.experiments.result_tables import csv_text, latex_tables, spreads_of
from gpviz.experiments.run_text import duration_text
from gpviz.experiments.statistics.cell_statistics import CellSummary, drift_curve
from gpviz.experiments.statistics.growth import is_covered
from gpviz.experiments.statistics.paper_tables import FAR, FEWEST, ROUNDING, table_verdict
from gpviz.experiments.statistics.probability import LEVEL, Z
from gpviz.experiments.statistics.verdict import experiment_verdict
from gpviz.experiments.store import Store
from gpviz.export.web_page import colour_variables, content_hash
from gpviz.files.file_io import write_file
from gpviz.number_text import counted

REPORT: Final = "report.html"

_TITLE: Final = "The experiments of the RLS-GP paper, repeated"
_CONTENTS: Final = (
    ("glance", "At a glance"),
    ("table1", "Table 1"),
    ("stuck", "Figure 1"),
    ("table2", "Table 2"),
    ("figures", "Figures 2 and 3"),
    ("differences", "Where paper and algorithm differ"),
    ("distributions", "Behind the means"),
    ("again", "Make it again"),
)


_SHOWN_AS: Final = {
    "table1": "Table 1, the stuck trees, the curves of T",
    "table2": "Table 2, the drift",
    "figure2": "Figures 2 and 3",
    "insert-only": "Both readings of the empty tree",
}
_SAMPLED_FIGURES: Final = {
    "Figure 2: iterations and leaves": {
        "iterations": "Iterations until the error is at most A",
        "leaves": "Leaves of the result",
    },
    "Figure 3: ORs on the way and in the result": {
        "ors_accepted": "ORs accepted on the way",
        "ors": "ORs in the result",
    },
}
_READINGS: Final = ("any", "insert-only")
_SMALL_N: Final = 4
"""Where runs are so short that two iterations more can be seen."""
_MOST_STEPS: Final = 160


@dataclass(frozen=True, slots=True)
class Finding:
    """What a part of the report found: whether it is as in the paper, in short, and in a sentence or two."""

    grade: Grade
    word: str
    sentence: str


class Report(NamedTuple):
    """What was written, and what it says: a finding for each part, by its name."""

    path: Path
    findings: dict[str, Finding]


def write_report(folder: Path) -> Report:
    """Write the report on the stores in a folder, whose plans are all done, and the tables, into that folder."""
    with ExitStack() as stack:
        results: dict[str, Results] = {}
        for name in PLANS:
            store = stack.enter_context(Store.open(store_path(folder, name)))
            results[name] = results_of(store)
            spreads = spreads_of(store)
            plan, summaries, seconds = store.plan, results[name].summaries, results[name].seconds
            write_file(folder / f"{name}.csv", csv_text(plan, summaries, seconds, spreads).encode())
            write_file(folder / f"{name}.tex", latex_tables(plan, summaries).encode())
        path = folder / REPORT
        write_file(path, report_page(results).encode())
        return Report(path, _findings(results))


def report_page(results: Mapping[str, Results]) -> str:
    """The whole page, which needs nothing but itself."""
    style = f"{_colour_rules()}\n{assets.text('report', 'report.css')}"
    policy = f"default-src 'none'; style-src '{content_hash(style)}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", _TITLE),
        element("style", Markup(style)),
    )
    body = element("body", *_body(results))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _body(results: Mapping[str, Results]) -> list[Markup]:
    runs = sum(each.runs for each in results.values())
    iterations = sum(each.iterations for each in results.values())
    seconds = sum(each.seconds for each in results.values())
    header = element(
        "header",
        element(
            "h1", "The experiments of the ", element("span", "RLS-GP", class_="whole"), " paper, repeated"
        ),
        paragraph(
            "RLS-GP evolves conjunctions from ANDs and ORs by small random changes to a tree. B. Doerr, A."
            " Lissovoi and P. S. Oliveto studied it in ",
            element(
                "cite",
                "Evolving Boolean Functions with Conjunctions and Disjunctions via Genetic Programming",
            ),
            f" (GECCO 2019). This report repeats their experiments with gpviz: {counted(runs, 'run')},"
            f" {counted(iterations, 'iteration')}, {duration_text(seconds)}.",
            class_="lead",
        ),
        element(
            "nav",
            element("ul", *(element("li", element("a", text, href=f"#{name}")) for name, text in _CONTENTS)),
            aria_label="Contents",
        ),
    )
    main = element(
        "main",
        _overview(results),
        _table_section(
            "table1",
            "Table 1: leaf-only deletion",
            "Deletion takes a single leaf, as in the original HVL-Prime. B is the share of runs that got stuck;"
            " T and S are the iterations and the leaves of the others. The error is counted on the complete"
            " truth table.",
            results["table1"],
        ),
        stuck_section(results["table1"]),
        _table_section(
            "table2",
            "Table 2: subtree deletion",
            "Deletion takes a whole subtree, as the paper proposes. " + _never_stuck(results["table2"]),
            results["table2"],
        ),
        _sampled_section(results["figure2"]),
        _readings_section(results["insert-only"]),
        _distribution_section(results["table1"], results["table2"]),
        _reproduction_section(results),
        id="content",
    )
    footer = element("footer", paragraph("Made by ", code(" && ".join(reproduce_commands(results))), "."))
    return [element("a", "Skip to the content", class_="skip", href="#content"), header, main, footer]


def _never_stuck(results: Results) -> str:
    """Whether runs got stuck, beside what the theorem says, which is not about all limits."""
    stuck = sum(totals.stuck for totals in results.totals)
    covered = sum(
        totals.stuck
        for cell, totals in zip(results.plan.cells, results.totals, strict=True)
        if is_covered(cell.config)
    )
    found = f"{counted(stuck, 'run')}" if stuck else f"None of our {counted(results.runs, 'run')}"
    if covered:
        return f"{found} got stuck, {covered:,} with limit 2n, where the paper proves a finite expected time."
    return (
        f"{found} got stuck. The paper proves a finite expected time for limits of (1 + c) n with a constant c >"
        " 0, here 2n; its theorem covers neither n and n + 1 nor runs without a limit."
    )


def _overview(results: Mapping[str, Results]) -> Markup:
    """The findings on cards, and the distances of all cells."""
    titles = {"table1": "Table 1", "table2": "Table 2", "insert-only": "The gap at n = 4"}
    cards = [
        element(
            "li",
            element("h3", titles[name]),
            paragraph(finding.word, class_="word"),
            paragraph(finding.sentence),
            class_=finding.grade,
        )
        for name, finding in _findings(results).items()
    ]
    return section(
        "glance",
        "At a glance",
        element("ul", *cards, class_="cards"),
        _distance_figure({"table 1, leaf-only": results["table1"], "table 2, subtree": results["table2"]}),
    )


def _findings(results: Mapping[str, Results]) -> dict[str, Finding]:
    return {
        "table1": table_finding(results["table1"].summaries),
        "table2": table_finding(results["table2"].summaries),
        "insert-only": readings_finding(results["insert-only"].summaries),
    }


def table_finding(summaries: Sequence[CellSummary]) -> Finding:
    """Whether a table as a whole agrees with the paper's."""
    table = table_verdict(each.paper for each in summaries if each.paper is not None)
    grade: Grade = "good"
    if not table.values:
        grade = "unknown"
    elif table.different:
        grade = "mixed" if 2 * table.different < table.values else "bad"
    verdict = experiment_verdict(summaries)
    return Finding(grade, verdict.headline, f"{verdict.remarks} {verdict.details}".strip())


def _finding_note(finding: Finding) -> Markup:
    """A finding as a paragraph that stands out."""
    return element(
        "p", element("strong", f"{finding.word}."), " ", finding.sentence, class_=f"note {finding.grade}"
    )


def _table_section(name: str, heading: str, explanation: str, results: Results) -> Markup:
    """One of the paper's tables: what it says as a whole, and its cells."""
    rule = (
        f"Means of fewer than {FEWEST} solved runs are not judged. By Holm's method the verdict finds a difference"
        f" in at most {100 * (1 - LEVEL):.0f} of 100 such tables if both programs do the same, also where cells"
        " share their seeds."
    )
    if has_stuck_column(results):
        rule += " The z of B is that of Fisher's exact test."
    return section(
        name,
        heading,
        paragraph(explanation),
        _finding_note(table_finding(results.summaries)),
        paper_table(heading, results),
        z_key(),
        paragraph(rule, class_="muted"),
    )


def _distance_figure(tables: Mapping[str, Results]) -> Markup:
    """All z-scores of the mean number of iterations of both tables in one picture."""
    series: list[Series] = []
    sizes = sorted({each.cell.config.n for results in tables.values() for each in results.summaries})
    for look, (label, results) in enumerate(tables.items()):
        points: list[Point] = []
        for index, n in enumerate(sizes):
            cells = [each for each in results.summaries if each.cell.config.n == n]
            for position, summary in enumerate(cells):
                if summary.paper is not None and summary.paper.z_T is not None:
                    across = index + (position - (len(cells) - 1) / 2) * 0.16 + (look - 0.5) * 0.06
                    points.append(Point(across, summary.paper.z_T))
        series.append(series_of(label, look, Kind.MARKERS, points))
    panel = Panel(
        Axis("within each n: limit n, n+1, 2n, ∞", names=named(tuple(f"n = {n}" for n in sizes))),
        Axis("z of mean T", reach=1.2 * FAR),
        tuple(series),
        rules=(
            Rule("", RuleKind.BASE, 0.0),
            Rule("", RuleKind.LEVEL, FAR),
            Rule("", RuleKind.LEVEL, -FAR),
        ),
    )
    drawing = figure_svg(
        Figure("How far the mean number of iterations is from the paper's, in standard errors", (panel,)),
        name="distance",
        description=f"{sum(len(each.y) for each in series)} cells; the numbers are in the tables below.",
        height=210,
    )
    caption = (
        "Each mark is a cell. Between the dotted lines, at ±2 standard errors, lie about 95 of 100 cells if both"
        " programs do the same. Below zero the paper's mean is higher."
    )
    return figure(drawing, caption, class_="beside")


def _sampled_section(results: Results) -> Markup:
    """Figures 2 and 3: sampled rows, stopping at an error of at most A."""
    config = results.summaries[0].cell.config
    curves: dict[int, list[CellSummary]] = {}
    for summary in sorted(
        results.summaries, key=lambda each: (each.cell.config.accept_error, each.cell.config.rows or 0)
    ):
        curves.setdefault(summary.cell.config.accept_error, []).append(summary)
    drawings = [
        part
        for heading, titles in _SAMPLED_FIGURES.items()
        for part in (
            element("h3", heading),
            element(
                "div",
                *(_sampled_figure(results, measure, title) for measure, title in titles.items()),
                class_="pair",
            ),
        )
    ]
    return section(
        "figures",
        "Figures 2 and 3: learning from sampled rows",
        paragraph(
            f"n = {config.n}, no limit, subtree deletion; a run ends once the survivor is wrong on at most A of"
            f" the rows drawn. Each point is the mean of {results.plan.runs:,} runs with its 95 % interval; the"
            f" paper prints curves without numbers, so these are compared by eye.{_slopes(curves)}"
        ),
        *drawings,
        element(
            "details",
            element("summary", "The numbers behind these figures"),
            sampled_table(curves),
            paragraph("The same and more is in ", code("figure2.csv"), " beside this report."),
        ),
    )


def _sampled_figure(results: Results, measure: str, title: str) -> Markup:
    plan = results.plan.replaced(measures=(measure,))
    drawn = measures_figure(ChartInput(plan=plan, summaries=results.summaries, is_log_x=True))
    drawing = figure_svg(
        replace(drawn, title=f"{title}, against the number of rows"),
        name=f"sampled-{measure}",
        description="A curve of means for each A; the numbers are in the table below.",
    )
    return figure(drawing, f"{title}.")


def _slopes(curves: Mapping[int, Sequence[CellSummary]]) -> str:
    """How fast T grows with the logarithm of the rows, where a run does more than accept its first trees."""
    found: list[str] = []
    for error, summaries in curves.items():
        points = [
            (each.cell.config.rows, each.T.mean)
            for each in summaries
            if each.cell.config.rows is not None and each.T.mean is not None and each.T.mean >= 2
        ]
        if len(points) >= 3:
            rows, means = zip(*points, strict=True)
            found.append(f"{number(float(np.polyfit(np.log10(rows), means, 1)[0]))} for A = {error}")
    if not found:
        return ""
    return (
        " The paper finds that time grows with the logarithm of the number of rows; here the best straight lines"
        f" rise, with every ten times as many rows, by {', '.join(found)} iterations."
    )


def _cells_with(summaries: Sequence[CellSummary], n: int, reading: str) -> list[CellSummary]:
    return [each for each in summaries if each.cell.config.n == n and each.cell.config.empty_tree == reading]


def readings_finding(summaries: Sequence[CellSummary]) -> Finding:
    """How close to the paper the cells with n = 4 are, as printed and if only an insertion adds the first leaf."""
    differences: list[float] = []
    inside: list[int] = []
    count = 0
    for reading in _READINGS:
        compared = [
            (each.paper.z_T, each.T.mean - each.paper.cell.T)
            for each in _cells_with(summaries, _SMALL_N, reading)
            if each.paper is not None
            and each.paper.has_means
            and each.paper.z_T is not None
            and each.T.mean is not None
        ]
        count = len(compared)
        if not count:
            return Finding(
                "unknown",
                "Too few runs to tell",
                "There are too few solved runs to compare the two readings.",
            )
        inside.append(sum(abs(z) <= FAR for z, _ in compared))
        differences.append(sum(difference for _, difference in compared) / count)
    printed, inserted = inside
    sentence = (
        f"So many means of T at n = {_SMALL_N} lie within {FAR:g} standard errors of the paper's. Ours less the"
        f" paper's is on average {signed(differences[0], 1)} iterations as printed, and"
        f" {signed(differences[1], 1)} if only an insertion adds the first leaf."
    )
    zs = [_exact_z(_cells_with(summaries, _SMALL_N, reading)) for reading in _READINGS]
    if None not in zs:
        sentence += (
            f" Against the exact values for limits n and n + 1 the paper's means together have z = {signed(zs[0])}"
            f" as printed and z = {signed(zs[1])} with insert-only."
        )
    word = f"{printed} of {count} cells agree as printed, {inserted} with insert-only"
    return Finding("good" if inserted == count else "mixed", word, sentence)


def _exact_z(summaries: Sequence[CellSummary]) -> float | None:
    """One z for the paper's means of T against the exact ones: the paper's cells are independent of each other."""
    zs = [
        each.exact.paper.z_T
        for each in summaries
        if each.exact is not None and each.exact.paper is not None and each.exact.paper.z_T is not None
    ]
    return sum(zs) / sqrt(len(zs)) if zs else None


def _readings_section(results: Results) -> Markup:
    """Where the printed algorithm and the printed numbers differ: the other reading, and exact values."""
    summaries = results.summaries
    parts: list[Markup] = []
    for n in sorted({each.cell.config.n for each in summaries}):
        printed, inserted = (_cells_with(summaries, n, reading) for reading in _READINGS)
        parts.append(readings_table(list(zip(printed, inserted, strict=True)), n, results.plan.runs))
    exact = [
        each
        for reading in _READINGS
        for each in _cells_with(summaries, _SMALL_N, reading)
        if each.exact is not None
    ]
    if exact:
        parts += [
            element("h3", "Exact values"),
            paragraph(
                "Where trees are this small the algorithm is a Markov chain that can be solved, so the paper's"
                " means can be judged without chance on our side. One of these cells with its quantiles:"
            ),
            command(f"gpviz exact --n {_SMALL_N} --limit n --deletion leaf"),
            exact_table(exact, _SMALL_N),
        ]
    return section(
        "differences",
        "Where the printed algorithm and the printed numbers differ",
        paragraph(
            "On the empty tree the printed mutation adds a first leaf whichever operation is drawn. If only an"
            " insertion did so (",
            code("--empty-tree insert-only"),
            "), every mean time would be 2 iterations longer. That was supposed after the paper's numbers had been"
            " seen: that they fit it shows that it can explain them, not that it does.",
        ),
        _finding_note(readings_finding(summaries)),
        figure(
            figure_svg(
                _difference_figure(summaries),
                name="gap",
                description="n = 4, all limits, both kinds of deletion; the numbers are in the next table.",
                height=230,
            ),
            f"n = {_SMALL_N}: mean T here less mean T in the paper, with the 95 % interval that the chance in both"
            " gives. Zero is agreement.",
            class_="beside",
        ),
        z_key(),
        *parts,
    )


def _difference_figure(summaries: Sequence[CellSummary]) -> Figure:
    series: list[Series] = []
    names: dict[float, str] = {}
    groups: dict[str, list[float]] = {}
    for look, reading in enumerate(_READINGS):
        points: list[Point] = []
        for index, summary in enumerate(_cells_with(summaries, _SMALL_N, reading)):
            config, paper = summary.cell.config, summary.paper
            position = index + (0.6 if config.deletion == "subtree" else 0.0)
            names[position] = limit_symbol(config.limit)
            deletion = "leaf-only" if config.deletion == "leaf" else "subtree"
            groups.setdefault(f"{deletion} deletion", []).append(position)
            mean, error = summary.T.mean, summary.T.standard_error
            if paper is not None and paper.has_means and mean is not None and error is not None:
                theirs = paper.cell.T_sd**2 / paper.cell.solved + ROUNDING
                y, half = mean - paper.cell.T, Z * sqrt(error**2 + theirs)
                points.append(Point(position + (look - 0.5) * 0.24, y, low=y - half, high=y + half))
        label = "any operation adds the first leaf" if reading == "any" else "insert-only"
        series.append(series_of(label, look, Kind.MARKERS, points))
    x_axis = Axis(
        "limit",
        names=tuple(names.items()),
        groups=tuple((sum(positions) / len(positions), text) for text, positions in groups.items()),
    )
    panel = Panel(
        x_axis, Axis("T, ours less the paper's"), tuple(series), rules=(Rule("", RuleKind.BASE, 0.0),)
    )
    return Figure("Difference in the mean number of iterations to the paper, for both readings", (panel,))


def _distribution_section(leaf: Results, subtree: Results) -> Markup:
    """Shares of runs solved by an iteration, and what an iteration gains."""
    largest = max(each.cell.config.n for each in leaf.summaries)
    by_limit = {
        each.cell.number: _limit_label(leaf.plan, each.cell.number)
        for each in leaf.summaries
        if each.cell.config.n == largest
    }
    by_n = {
        each.cell.number: f"n = {each.cell.config.n}"
        for each in leaf.summaries
        if each.cell.config.limit == "n"
    }
    return section(
        "distributions",
        "Behind the means",
        element("h3", "How T is distributed"),
        paragraph(
            "The share of all runs that are solved by an iteration; a run that is stuck never is, so its curve"
            " ends below 1."
        ),
        element(
            "div",
            _ecdf_figure("by-limit", leaf, by_limit, f"Leaf-only deletion, n = {largest}, by the limit."),
            _ecdf_figure("by-n", leaf, by_n, "Leaf-only deletion, limit n, by the number of variables."),
            class_="pair",
        ),
        *_drift_part(subtree),
        paragraph(
            "Whether T grows like n log n for larger n is a plan of its own: ",
            code("gpviz experiment scaling"),
            ".",
        ),
    )


def _ecdf_figure(name: str, results: Results, labels: Mapping[int, str], caption: str) -> Markup:
    """The curves of some cells, by their labels."""
    steps = {
        cell: found
        for cell in labels
        if (found := steps_of(results.values(cell, "iterations"), results.totals[cell].runs, _MOST_STEPS))
    }
    stuck = sum(results.totals[cell].stuck for cell in labels)
    curves = ecdf_figure(
        ChartInput(
            plan=results.plan,
            cells=tuple(labels),
            digests=steps,
            is_log_x=True,
            label=lambda _, cell: labels[cell],
        )
    )
    caption = f"{caption} {counted(stuck, 'run')} of these cells got stuck."
    return figure(figure_svg(curves, name=name, description=caption), caption)


def _drift_part(results: Results) -> list[Markup]:
    """What an iteration gains on average, beside the least the paper proves."""
    largest = max(each.cell.config.n for each in results.summaries)
    texts: dict[int, str] = {}
    for summary, totals in zip(results.summaries, results.totals, strict=True):
        config = summary.cell.config
        curve = drift_curve(config, totals) if config.n == largest and config.limit in ("n", "2n") else None
        if curve is not None and not curve.why_no_bound:
            ratios = [each.gain / each.bound for each in curve.points if each.bound is not None]
            texts[summary.cell.number] = (
                f"With {_limit_label(results.plan, summary.cell.number)} the measured gain is"
                f" {number(min(ratios))} to {number(max(ratios))} times the bound."
            )
    if not texts:
        return []
    drift = drift_figure(
        ChartInput(
            plan=results.plan,
            totals=results.totals,
            cells=tuple(texts),
            is_log_x=True,
            is_log_y=True,
            label=_limit_label,
        )
    )
    return [
        element("h3", "What an iteration gains"),
        paragraph(
            "The paper proves that an iteration removes on average at least a certain share of an error x while"
            f" the tree is not full. {' '.join(texts.values())}"
        ),
        figure(
            figure_svg(drift, name="drift", description=" ".join(texts.values())),
            f"Subtree deletion, n = {largest}. Measured: mean of (x − y) / x by the error x before the"
            " iteration, in classes that double. Proven: the paper's lower bound (log x / log n + 1) / (36 ℓ n),"
            " with ℓ the limit.",
            class_="beside",
        ),
    ]


def _limit_label(plan: Plan, cell: int) -> str:
    return f"limit {limit_symbol(plan.cells[cell].config.limit)}"


def _reproduction_section(results: Mapping[str, Results]) -> Markup:
    """Commands, seeds, times and versions."""
    names = ("plan", "shown above as", "cells", "runs a cell", "seeds", "iterations", "time")
    heads = [
        element("th", name, scope="col", class_="words" if index < 2 else None)
        for index, name in enumerate(names)
    ]
    rows = [
        [
            element("th", name, scope="row", class_="words"),
            element("td", _SHOWN_AS[name], class_="words"),
            element("td", f"{len(each.plan.cells):,}"),
            element("td", f"{each.plan.runs:,}"),
            element("td", f"{each.plan.seed} to {each.plan.seed + each.plan.runs - 1}"),
            element("td", f"{each.iterations:,}"),
            element("td", duration_text(each.seconds)),
        ]
        for name, each in results.items()
    ]
    facts = [
        part for name, value in _versions().items() for part in (element("dt", name), element("dd", value))
    ]
    return section(
        "again",
        "Make it again",
        command(*reproduce_commands(results)),
        paragraph(
            "A run with the same settings and the same seed is the same on every machine; only the times differ."
            " Run i of a cell, counted from 0, has the plan's first seed plus i."
        ),
        table(
            "What was run. The time is that of the whole plan on the cores that were used.",
            (heads,),
            rows,
            label="What was run",
        ),
        element("dl", *facts, class_="facts"),
        paragraph(
            "The folder of this report has, for each plan, its runs (",
            code(".gpvizx"),
            ", which the experiments window opens), its cells (",
            code(".csv"),
            ") and its table for a document (",
            code(".tex"),
            ").",
        ),
    )


def reproduce_commands(results: Mapping[str, Results]) -> tuple[str, ...]:
    """The commands that make the whole report again, one after another."""
    runs = {name: each.plan.runs for name, each in results.items()}
    if all(count == find_plan(name).runs for name, count in runs.items()):
        return ("gpviz reproduce",)
    least = min(runs.values())
    if max(runs.values()) == least:
        return (f"gpviz reproduce --runs {least}",)
    # Some plans have more runs than others: those are added to what all have.
    all_plans = f"gpviz reproduce --runs {least} --out again"
    more = [
        f"gpviz experiment {name} --runs {count} --store {store_path(Path('again'), name).as_posix()} --resume"
        for name, count in runs.items()
        if count > least
    ]
    return (all_plans, *more, all_plans)


def _versions() -> dict[str, str]:
    """What the report was made with."""
    return {
        "gpviz": __version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": np.__version__,
        "Platform": f"{platform.system()} {platform.release()}, {platform.machine()}",
    }


def _colour_rules() -> str:
    """The colours of the light and the dark theme; paper is always light."""
    light, dark = colour_variables("light"), colour_variables("dark")
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {dark} }} }}"
    )
