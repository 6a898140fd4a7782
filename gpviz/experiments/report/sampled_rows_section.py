"""The report's section on figures 2 and 3: sampled rows, stopping at an error of at most A."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log10
from typing import Final

from gpviz.experiments.figures.measures import measures_figure
from gpviz.experiments.figures.svg import figure_svg
from gpviz.experiments.report.html import Markup, code, element, figure, paragraph, section, table
from gpviz.experiments.report.paper_tables_section import mean_cell
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.report_text import listed, number
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments
from gpviz.number_text import power_text

Measure = Callable[[CellSummary], Moments]


@dataclass(frozen=True, slots=True)
class _Curves:
    """A plot of the figures: what it shows, and how."""

    name: str
    title: str
    column: str
    measure: Measure


_FIGURES: Final = (
    (
        "Figure 2: iterations and leaves",
        (
            _Curves("runtime", "Iterations until the error is at most A", "iterations", lambda each: each.T),
            _Curves("size", "Leaves of the result", "leaves", lambda each: each.S),
        ),
    ),
    (
        "Figure 3: ORs on the way and in the result",
        (
            _Curves("accepted", "ORs accepted on the way", "ors_accepted", lambda each: each.ors_accepted),
            _Curves("ors", "ORs in the result", "ors", lambda each: each.ors),
        ),
    ),
)  # fmt: skip


def sampled_section(results: Results) -> Markup:
    """The section with both figures, what they show, and their numbers."""
    by_error = _by_error(results.summaries)
    first = results.summaries[0].cell.config
    return section(
        "figures",
        "Figures 2 and 3: learning from sampled rows",
        paragraph(
            f"n = {first.n}, no limit, subtree deletion. In every iteration parent and offspring are compared on"
            " fresh rows, drawn with replacement; a run is over once the survivor is wrong on at most A of them."
            f" Each point is the mean of {results.plan.runs:,} runs with its 95 % interval, where that is larger"
            " than the mark. The paper prints these as curves without numbers, so they are compared by eye; it"
            " does not state its range of rows, which is a choice here.",
        ),
        *_claims(by_error),
        *(part for heading, pair in _FIGURES for part in _figure(heading, pair, by_error, results)),
        _numbers(by_error),
    )


def _by_error(summaries: Sequence[CellSummary]) -> dict[int, list[CellSummary]]:
    """The points of each curve, by rows."""
    curves: dict[int, list[CellSummary]] = {}
    for summary in sorted(summaries, key=lambda each: each.cell.config.rows or 0):
        curves.setdefault(summary.cell.config.accept_error, []).append(summary)
    return dict(sorted(curves.items()))


def _figure(
    heading: str, pair: Sequence[_Curves], by_error: dict[int, list[CellSummary]], results: Results
) -> list[Markup]:
    plots = [figure(_drawing(curves, by_error, results), f"{curves.title}.") for curves in pair]
    return [element("h3", heading), element("div", *plots, class_="pair")]


def _drawing(curves: _Curves, by_error: dict[int, list[CellSummary]], results: Results) -> str:
    plan = results.plan.replaced(measures=(curves.column,))
    drawn = measures_figure(plan, results.summaries, is_log_x=True, is_log_y=False)
    ends: list[str] = []
    for error, summaries in by_error.items():
        points = _points(summaries, curves.measure, least=0.0)
        if points:
            (first, low), (last, high) = points[0], points[-1]
            ends.append(
                f"A = {error} from {number(low)} at {first:,.0f} rows to {number(high)} at {last:,.0f} rows"
            )
    return figure_svg(
        replace(drawn, title=f"{curves.title}, against the number of rows"),
        name=curves.name,
        description=f"Curves of means: {'; '.join(ends)}.",
    )


def _claims(by_error: dict[int, list[CellSummary]]) -> list[Markup]:
    """What the curves show, in sentences that follow from them."""
    slopes = [
        f"{number(slope)} for A = {error}"
        for error, summaries in by_error.items()
        if (slope := per_decade(_points(summaries, lambda each: each.T))) is not None
    ]
    claims: list[Markup] = []
    if slopes:
        claims.append(
            paragraph(
                "The paper finds that time and size grow with the logarithm of the number of rows. A straight line"
                " through the points at which a run has more to do than accept its first trees (a mean of at"
                f" least two iterations) rises, with every ten times as many rows, by {listed(slopes)} iterations."
            )
        )
    return claims + _order_claim(by_error) + _result_claim(by_error)


def _order_claim(by_error: dict[int, list[CellSummary]]) -> list[Markup]:
    """Whether stopping at a smaller error takes longer at every number of rows, and where it does not."""
    odd: list[str] = []
    compared = 0
    curves = list(by_error.items())
    for (small, ours), (large, theirs) in pairwise(curves):
        for one, other in zip(ours, theirs, strict=True):
            if one.T.mean is not None and other.T.mean is not None:
                compared += 1
                if one.T.mean < other.T.mean:
                    odd.append(f"A = {small} against {large} at {one.cell.config.rows or 0:,} rows")
    if not compared:
        return []
    if odd:
        words = f"Stopping at a smaller error takes longer, with these exceptions: {listed(odd)}."
    else:
        words = (
            "At every number of rows, stopping at a smaller error takes at least as long, as in the paper."
        )
    return [paragraph(words)]


def _result_claim(by_error: dict[int, list[CellSummary]]) -> list[Markup]:
    """How many ORs the results have, and how wrong they are, by the error at which a run stops."""
    last = [(error, summaries[-1]) for error, summaries in by_error.items()]
    ors = [each.ors.mean for _, each in last]
    wrong = [each.final_generalisation_error for _, each in last]
    known_ors = [mean for mean in ors if mean is not None]
    known_wrong = [share for share in wrong if share is not None]
    if not last or len(known_ors) < len(last) or len(known_wrong) < len(last):
        return []
    errors = listed([f"{error}" for error, _ in last])
    rows = last[0][1].cell.config.rows or 0
    is_as_in_paper = known_ors == sorted(known_ors, reverse=True) and known_wrong == sorted(known_wrong)
    return [
        paragraph(
            f"With {rows:,} rows and A of {errors}, the results keep on average"
            f" {listed([number(mean, 2) for mean in known_ors])} ORs and are wrong on a share"
            f" of {listed([_small(share) for share in known_wrong])} of all rows. The paper finds few ORs, more of"
            " them for a smaller A, and better results for A = 0: "
            + ("the same holds here." if is_as_in_paper else "here that does not hold throughout.")
        )
    ]


def _points(
    summaries: Sequence[CellSummary], measure: Measure, least: float = 2.0
) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    for summary in summaries:
        mean, rows = measure(summary).mean, summary.cell.config.rows
        if mean is not None and rows is not None and mean >= least:
            points.append((float(rows), mean))
    return points


def per_decade(points: Sequence[tuple[float, float]]) -> float | None:
    """The slope of the straight line through the points, per factor of ten; None of fewer than three."""
    if len(points) < 3:
        return None
    xs, ys = [log10(x) for x, _ in points], [y for _, y in points]
    middle, level = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - middle) ** 2 for x in xs)
    return sum((x - middle) * (y - level) for x, y in zip(xs, ys, strict=True)) / across if across else None


def _numbers(by_error: dict[int, list[CellSummary]]) -> Markup:
    heads = [
        element("th", words, scope="col")
        for words in (
            "A",
            "rows",
            "T (sd)",
            "S (sd)",
            "ORs accepted (sd)",
            "ORs left (sd)",
            "generalisation error",
        )
    ]
    rows = [
        [
            element("th", str(error), scope="row"),
            element("th", f"{summary.cell.config.rows:,}", scope="row"),
            *(mean_cell(each.mean, each.sd) for each in (summary.T, summary.S)),
            *(mean_cell(each.mean, each.sd, digits=2) for each in (summary.ors_accepted, summary.ors)),
            element("td", _small(summary.final_generalisation_error)),
        ]
        for error, summaries in by_error.items()
        for summary in summaries
    ]
    caption = (
        "Means and standard deviations behind the figures. The generalisation error is the share of all rows"
        " on which the result is wrong.",
    )
    return element(
        "details",
        element("summary", "The numbers behind these figures"),
        table(caption, (heads,), rows, label="The numbers behind the figures"),
        paragraph("The same and more is in ", code("figure2.csv"), " beside this report."),
    )


def _small(value: float | None) -> str:
    """A share of which the first digits are told, however small it is."""
    if value is None or value >= 0.01 or value == 0:
        return number(value, 3)
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{power_text(10, int(power))}"
