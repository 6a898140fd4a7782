"""The tables of the report, and how it writes numbers."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from gpviz.experiments.report.html_elements import Markup, element, table
from gpviz.experiments.report.results import Results
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments
from gpviz.experiments.statistics.paper_tables import FAR, VERY_FAR, PaperComparison, paper_cell
from gpviz.number_text import share_text, with_sign

MINUS: Final = "\N{MINUS SIGN}"
NONE: Final = "\N{EN DASH}"
"""What stands for a number that there is not."""

Grade = Literal["good", "mixed", "bad", "unknown"]

_SIGNS: Final[dict[Grade, str]] = {"good": "✓", "mixed": "!", "bad": "✗", "unknown": ""}
_KEY: Final[tuple[tuple[Grade, str], ...]] = (
    ("good", f"within {FAR:g} standard errors of the paper"),
    ("mixed", f"{FAR:g} to {VERY_FAR:g} standard errors away"),
    ("bad", f"more than {VERY_FAR:g} away"),
)


def number(value: float | None, digits: int = 1) -> str:
    """A number with so many digits after the point."""
    if value is None:
        return NONE
    text = f"{value:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: float | None, digits: int = 2) -> str:
    """A number with its sign."""
    return NONE if value is None else with_sign(value, digits)


def _share_or_none(value: float | None) -> str:
    return NONE if value is None else share_text(value)


def limit_symbol(limit: str) -> str:
    return "∞" if limit == "inf" else limit


def grade_of(z: float | None) -> Grade:
    """Whether a value is close to the paper's, a little off, or far from it."""
    if z is None:
        return "unknown"
    return "good" if abs(z) <= FAR else "mixed" if abs(z) <= VERY_FAR else "bad"


def z_key() -> Markup:
    """What the signs at the z-scores mean."""
    return element(
        "ul",
        *(
            element("li", element("span", _SIGNS[grade], class_=f"z {grade} alone"), f" {meaning}")
            for grade, meaning in _KEY
        ),
        element("li", "z > 0: ours is higher; z < 0: the paper's is higher"),
        class_="key",
    )


def _z_cell(z: float | None, *, is_judged: bool = True) -> Markup:
    """A z-score, with sign and colour if it is judged."""
    if z is None:
        return element("td", NONE)
    grade = grade_of(z if is_judged else None)
    return element("td", element("span", f"{_SIGNS[grade]} {signed(z)}".lstrip(), class_=f"z {grade}"))


def _mean_cell(mean: float | None, sd: float | None, *, class_: str | None = None, digits: int = 1) -> Markup:
    """A mean with its standard deviation."""
    spread = element("span", f"({number(sd, digits)})", class_="sd")
    return element("td", number(mean, digits), *((" ", spread) if sd is not None else ()), class_=class_)


def _heads(
    names: Sequence[str], groups: Sequence[tuple[str, Sequence[str]]]
) -> tuple[list[Markup], list[Markup]]:
    """The two rows over a table: columns with a name alone, and groups of columns with a name above them."""
    top = [
        *(element("th", name, scope="col", rowspan=2, class_="words") for name in names),
        *(
            element("th", name, scope="colgroup", colspan=len(columns), class_="begin")
            for name, columns in groups
        ),
    ]
    below = [
        element("th", name, scope="col", class_=None if index else "begin")
        for _, columns in groups
        for index, name in enumerate(columns)
    ]
    return top, below


def has_stuck_column(results: Results) -> bool:
    """Whether the paper's table has B."""
    return any(each.paper is not None and each.paper.cell.B is not None for each in results.summaries)


def paper_table(heading: str, results: Results) -> Markup:
    """Every cell of one of the paper's tables, ours beside the paper's."""
    has_stuck = has_stuck_column(results)
    columns = ("ours", "paper", "z")
    groups = [("Stuck, B", columns)] if has_stuck else []
    groups += [("Iterations, mean T (sd)", columns), ("Leaves, mean S (sd)", columns)]
    by_n: dict[int, list[list[Markup]]] = {}
    for summary in sorted(results.summaries, key=lambda each: each.cell.config.n):
        by_n.setdefault(summary.cell.config.n, []).append(_paper_row(summary, has_stuck=has_stuck))
    for n, rows in by_n.items():
        rows[0].insert(0, element("th", str(n), scope="rowgroup", rowspan=len(rows), class_="group"))
    caption = (
        f"{heading}: {results.plan.runs:,} runs a cell here, 500 in the paper. Means and standard deviations are"
        " over the solved runs."
    )
    return table(caption, _heads(("n", "limit"), groups), *by_n.values(), label=heading)


def _paper_row(summary: CellSummary, *, has_stuck: bool) -> list[Markup]:
    paper = summary.paper
    cells = [element("th", limit_symbol(summary.cell.config.limit), scope="row")]
    if has_stuck:
        share = summary.stuck_share
        cells += [
            element("td", _share_or_none(share), class_="begin"),
            element("td", number(None if paper is None else paper.cell.B, 3)),
            _z_cell(None if paper is None else paper.z_B),
        ]
    return cells + _mean_cells(summary.T, paper, "T") + _mean_cells(summary.S, paper, "S")


def _mean_cells(ours: Moments, paper: PaperComparison | None, name: str) -> list[Markup]:
    first = _mean_cell(ours.mean, ours.sd, class_="begin")
    if paper is None:
        return [first, element("td", NONE), element("td", NONE)]
    theirs = (paper.cell.T, paper.cell.T_sd) if name == "T" else (paper.cell.S, paper.cell.S_sd)
    z = paper.z_T if name == "T" else paper.z_S
    return [first, _mean_cell(*theirs), _z_cell(z, is_judged=paper.has_means)]


def readings_table(pairs: Sequence[tuple[CellSummary, CellSummary]], n: int, runs: int) -> Markup:
    """Both readings of the empty tree beside the paper, a row for each pair of cells."""
    rows: list[list[Markup]] = []
    for printed, inserted in pairs:
        config, paper = printed.cell.config, printed.paper
        theirs = (None, None) if paper is None else (paper.cell.T, paper.cell.T_sd)
        row = [
            element("th", config.deletion, scope="row", class_="words"),
            element("th", limit_symbol(config.limit), scope="row", class_="words"),
            _mean_cell(*theirs, class_="begin"),
        ]
        for each in (printed, inserted):
            row.append(_mean_cell(each.T.mean, each.T.sd, class_="begin"))
            z = None if each.paper is None else each.paper.z_T
            row.append(_z_cell(z, is_judged=each.paper is not None and each.paper.has_means))
        rows.append(row)
    heads = _heads(
        ("deletion", "limit", "paper"), [("any operation", ("T (sd)", "z")), ("insert-only", ("T (sd)", "z"))]
    )
    caption = f"n = {n}: mean iterations T of the solved runs in both readings, {runs:,} runs a cell."
    return table(caption, heads, rows, label=f"Both readings beside the paper, n = {n}")


def exact_table(summaries: Iterable[CellSummary], n: int) -> Markup:
    """Exact values, our runs and the paper's, for cells that have exact values."""
    rows: list[list[Markup]] = []
    for summary in summaries:
        exact, config = summary.exact, summary.cell.config
        if exact is None:
            continue
        paper = paper_cell(config)
        names = (config.deletion, limit_symbol(config.limit), config.empty_tree)
        rows.append(
            [
                *(element("th", name, scope="row", class_="words") for name in names),
                element("td", number(exact.cell.stuck, 4), class_="begin"),
                element("td", number(summary.stuck_share, 4)),
                element("td", number(None if paper is None else paper.B, 3)),
                element("td", number(exact.cell.mean, 2), class_="begin"),
                element("td", number(summary.T.mean, 2)),
                _z_cell(exact.ours.z_T),
                element("td", number(None if paper is None else paper.T, 1)),
                _z_cell(None if exact.paper is None else exact.paper.z_T),
            ]
        )
    groups = [
        ("Stuck, B", ("exact", "ours", "paper")),
        ("Iterations, mean T", ("exact", "ours", "z", "paper", "z")),
    ]
    caption = f"n = {n}: exact values, our runs and the paper's, each with its z to the exact value."
    heads = _heads(("deletion", "limit", "first leaf"), groups)
    return table(caption, heads, rows, label="Exact values beside our runs")


def sampled_table(curves: dict[int, list[CellSummary]]) -> Markup:
    """The means of figures 2 and 3, by the error at which a run stops and the number of rows."""
    names = ("A", "rows", "T (sd)", "S (sd)", "ORs accepted (sd)", "ORs left (sd)", "generalisation error")
    rows = [
        [
            element("th", str(error), scope="row"),
            element("th", f"{summary.cell.config.rows:,}", scope="row"),
            *(_mean_cell(each.mean, each.sd) for each in (summary.T, summary.S)),
            *(_mean_cell(each.mean, each.sd, digits=2) for each in (summary.ors_accepted, summary.ors)),
            element("td", _share_or_none(summary.final_generalisation_error)),
        ]
        for error, summaries in curves.items()
        for summary in summaries
    ]
    caption = (
        "Means and standard deviations behind the figures. The generalisation error is the share of all rows"
        " on which the result is wrong."
    )
    heads = [element("th", name, scope="col") for name in names]
    return table(caption, (heads,), rows, label="The numbers behind the figures")
