"""The report's sections on the paper's two tables: every cell of ours beside the paper's."""

from collections.abc import Sequence
from typing import Final

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
from gpviz.experiments.figures.svg import figure_svg
from gpviz.experiments.report.findings import Finding, grade_of, table_finding
from gpviz.experiments.report.html import Markup, element, figure, joined, paragraph, section, table
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.report_text import NONE, cell_words, limit_words, number, signed
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments
from gpviz.experiments.statistics.paper_tables import FAR, FEWEST, VERY_FAR, PaperComparison
from gpviz.experiments.statistics.probability import LEVEL
from gpviz.number_text import counted, share_text

_SIGNS: Final = {"good": "✓", "mixed": "!", "bad": "✗", "unknown": ""}
_KEY: Final = (
    ("good", f"within {FAR:g} standard errors of the paper"),
    ("mixed", f"{FAR:g} to {VERY_FAR:g} standard errors away"),
    ("bad", f"more than {VERY_FAR:g} away"),
)
_RULE: Final = (
    f"Means of fewer than {FEWEST} solved runs are not judged, and have no sign. The verdict takes all other z"
    " together, by Holm's method: if both programs do the same, it finds a difference in at most"
    f" {100 * (1 - LEVEL):.0f} of 100 such tables. It holds also for cells that depend on each other, as ours do:"
    " they share their seeds, so that their z often lean the same way."
)
_RULE_OF_B: Final = " The z of B is that of Fisher's exact test."


def table_section(name: str, heading: str, explanation: str, results: Results) -> Markup:
    """The section on one table: what it says as a whole, and its cells."""
    return section(
        name,
        heading,
        paragraph(explanation),
        finding_note(table_finding(results.summaries)),
        _cells_table(heading, results),
        z_key(),
        paragraph(_RULE + (_RULE_OF_B if _has_stuck(results) else ""), class_="muted"),
        *_odd_cells(results.summaries),
    )


def finding_note(finding: Finding) -> Markup:
    """A finding as a paragraph that stands out."""
    return element(
        "p", element("strong", f"{finding.word}."), " ", finding.sentence, class_=f"note {finding.kind}"
    )


def z_key() -> Markup:
    """What the signs at the z-scores mean."""
    return element(
        "ul",
        *(
            element("li", element("span", _SIGNS[kind], class_=f"z {kind} alone"), f" {words}")
            for kind, words in _KEY
        ),
        element("li", "z > 0: ours is higher; z < 0: the paper's is higher"),
        class_="key",
    )


def z_cell(z: float | None, class_: str | None = None, *, is_judged: bool = True) -> Markup:
    """A z-score in a table, with sign and colour if it is judged."""
    if z is None:
        return element("td", NONE, class_=class_)
    kind = grade_of(z if is_judged else None)
    return element(
        "td",
        element("span", f"{_SIGNS[kind]} {signed(z)}".lstrip(), class_=f"z {kind}"),
        class_=class_,
    )


def mean_cell(mean: float | None, sd: float | None, *, class_: str | None = None, digits: int = 1) -> Markup:
    """A mean with its standard deviation in a table."""
    spread = element("span", f"({number(sd, digits)})", class_="sd")
    return element("td", number(mean, digits), *((" ", spread) if sd is not None else ()), class_=class_)


def _cells_table(heading: str, results: Results) -> Markup:
    has_stuck = _has_stuck(results)
    groups = [("Stuck, B", 3)] if has_stuck else []
    groups += [("Iterations, mean T (sd)", 3), ("Leaves, mean S (sd)", 3)]
    top = [
        element("th", "n", scope="col", rowspan=2),
        element("th", "limit", scope="col", rowspan=2),
        *(element("th", words, scope="colgroup", colspan=span, class_="begin") for words, span in groups),
    ]
    below = [
        element("th", words, scope="col", class_="begin" if words == "ours" else None)
        for _ in groups
        for words in ("ours", "paper", "z")
    ]
    by_n: dict[int, list[CellSummary]] = {}
    for summary in sorted(results.summaries, key=lambda each: each.cell.config.n):
        by_n.setdefault(summary.cell.config.n, []).append(summary)
    groups_of_rows = [_rows(n, summaries, has_stuck=has_stuck) for n, summaries in by_n.items()]
    caption = (
        f"{heading}: {results.plan.runs:,} runs a cell here, 500 in the paper. Means and standard deviations are"
        " over the solved runs."
    )
    return table((caption,), (top, below), *groups_of_rows, label=heading)


def _has_stuck(results: Results) -> bool:
    """Whether the paper's table has B."""
    return any(each.paper is not None and each.paper.cell.B is not None for each in results.summaries)


def _rows(n: int, summaries: Sequence[CellSummary], *, has_stuck: bool) -> list[list[Markup]]:
    """The rows of all limits of one n."""
    rows = [_row(summary, has_stuck=has_stuck) for summary in summaries]
    rows[0].insert(0, element("th", str(n), scope="rowgroup", rowspan=len(rows), class_="group"))
    return rows


def _row(summary: CellSummary, *, has_stuck: bool) -> list[Markup]:
    config, paper = summary.cell.config, summary.paper
    cells = [element("th", limit_words(config.limit), scope="row")]
    if has_stuck:
        share = summary.stuck_share
        cells += [
            element("td", NONE if share is None else share_text(share), class_="begin"),
            element("td", number(None if paper is None else paper.cell.B, 3)),
            z_cell(None if paper is None else paper.z_B),
        ]
    cells += _mean_cells(summary.T, paper, "T") + _mean_cells(summary.S, paper, "S")
    return cells


def _mean_cells(ours: Moments, paper: PaperComparison | None, name: str) -> list[Markup]:
    first = mean_cell(ours.mean, ours.sd, class_="begin")
    if paper is None:
        return [first, element("td", NONE), element("td", NONE)]
    theirs = (paper.cell.T, paper.cell.T_sd) if name == "T" else (paper.cell.S, paper.cell.S_sd)
    z = paper.z_T if name == "T" else paper.z_S
    return [first, mean_cell(*theirs), z_cell(z, is_judged=paper.has_means)]


def _odd_cells(summaries: Sequence[CellSummary]) -> list[Markup]:
    """The cells that are off, in words."""
    odd = [
        element("li", element("strong", f"{cell_words(each.cell.config)}: "), f"{each.paper.verdict}.")
        for each in summaries
        if each.paper is not None and ":" in each.paper.verdict
    ]
    if not odd:
        return []
    words = f"{counted(len(odd), 'cell')} with at least one value beyond {FAR:g} standard errors"
    if any(each.stopped for each in summaries):
        words += ", or with runs that were stopped"
    return [element("details", element("summary", words), element("ul", *odd))]


def distance_figure(tables: Sequence[tuple[str, Results]]) -> Markup:
    """All z-scores of the mean number of iterations of both tables in one picture."""
    series: list[Series] = []
    sizes = sorted({each.cell.config.n for _, results in tables for each in results.summaries})
    for look, (label, results) in enumerate(tables):
        points: list[Point] = []
        for place, n in enumerate(sizes):
            cells = [each for each in results.summaries if each.cell.config.n == n]
            for position, summary in enumerate(cells):
                if summary.paper is not None and summary.paper.z_T is not None:
                    across = place + (position - (len(cells) - 1) / 2) * 0.16 + (look - 0.5) * 0.06
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
    title = "How far the mean number of iterations is from the paper's, in standard errors"
    count = sum(len(each.y) for each in series)
    drawing = figure_svg(
        Figure(title, (panel,)),
        name="distance",
        description=f"{count} cells; the numbers are in the tables below.",
        height=210,
    )
    caption = joined(
        (
            "Each mark is a cell. Between the dotted lines, at ±2 standard errors, lie about 95 of 100 cells if"
            " both programs do the same. Below zero the paper's mean is higher.",
        )
    )
    return figure(drawing, caption, class_="beside")
