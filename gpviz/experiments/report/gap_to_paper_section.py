"""The report's section on where the printed algorithm and the printed numbers of the paper are apart."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
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
    series_of,
)
from gpviz.experiments.figures.svg import figure_svg
from gpviz.experiments.report.findings import (
    Comparison,
    Finding,
    Gap,
    cells_of,
    closing,
    comparison_of,
    far_words,
    gap_of,
    measured_shift,
)
from gpviz.experiments.report.html import Markup, code, command, element, figure, paragraph, section, table
from gpviz.experiments.report.paper_tables_section import finding_note, mean_cell, z_cell, z_key
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.report_text import NONE, limit_words, number, signed
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.paper_tables import FAR, paper_cell
from gpviz.experiments.statistics.probability import Z

_EXACT_GROUPS: Final = (
    ("Stuck, B", ("exact", "ours", "paper")),
    ("Iterations, mean T", ("exact", "ours", "z", "paper", "z")),
)
_READINGS: Final = ("any", "insert-only")
SMALL_N: Final = 4
"""Where the runs are so short that two iterations can be seen."""
_CHECK_N: Final = 8


def gap_finding(results: Results) -> Finding:
    """Whether the gap at n = 4 closes when only an insertion plants the first leaf."""
    finding = closing(*_gaps(results, SMALL_N))
    zs = [_together(_paper_zs(results.summaries, reading)) for reading in _READINGS]
    if None in zs:
        return finding
    printed, inserted = (signed(z) for z in zs if z is not None)
    exact = (
        "For limits n and n + 1 there are exact values; against these the paper's means of T together have"
        f" z = {printed} as printed and z = {inserted} with insert-only."
    )
    return replace(finding, sentence=f"{finding.sentence} {exact}")


def _gaps(results: Results, n: int) -> tuple[Gap | None, Gap | None, Comparison | None]:
    """How far the two readings are from the paper, and which is closer."""
    before, after = (
        gap_of(results, cells_of(results.summaries, n, empty_tree=reading)) for reading in _READINGS
    )
    return before, after, comparison_of(results, _pairs(results.summaries, n))


def gap_section(results: Results) -> Markup:
    """The section: what differs, the experiment that explains it, the same for larger n, and exact values."""
    pairs = _pairs(results.summaries, SMALL_N)
    return section(
        "differences",
        "Where the printed algorithm and the printed numbers differ",
        paragraph(
            "gpviz runs the algorithm as the paper prints it. On the empty tree the printed mutation adds "
            "a first leaf whichever of its three operations is drawn, so iteration 1 always does so. ",
            _plain_words([one for one, _ in pairs]),
        ),
        paragraph(
            "Suppose that in the program behind the tables only an insertion adds the first leaf. One "
            "operation in three is an insertion, so the mean wait for it is 3 iterations and not 1, and "
            "every mean time is 2 iterations longer; all else stays the same. This can be tried: ",
            code("--empty-tree insert-only"),
            f" does it. Both readings were run {results.plan.runs:,} times for each cell with n = {SMALL_N} and"
            f" n = {_CHECK_N} of both tables.",
        ),
        finding_note(gap_finding(results)),
        paragraph(
            f"The supposition was made to explain the paper's numbers for n = {SMALL_N}, after they had been seen."
            " That they fit it shows that it can explain them, not that it is how the tables came about.",
        ),
        _shift_words(results, pairs),
        paragraph(
            "What follows ± is one standard error. Cells share their seeds, so chance moves our means together;"
            " the errors count this as the runs show it. The paper's means are taken as independent.",
        ),
        figure(
            figure_svg(
                _difference_figure(results),
                name="gap",
                description="n = 4, all limits, both kinds of deletion; the numbers are in the next table.",
                height=230,
            ),
            f"n = {SMALL_N}: mean T here less mean T in the paper, with the 95 % interval that the chance in both"
            " gives. Zero is agreement.",
            class_="beside",
        ),
        _readings_table(pairs, SMALL_N, results.plan.runs),
        z_key(),
        paragraph("The plain reading stays the default of gpviz, because it is what the paper prints."),
        *_check_part(results),
        *_exact_part(results),
    )


def _pairs(summaries: Sequence[CellSummary], n: int) -> list[tuple[CellSummary, CellSummary]]:
    """The two readings of each cell."""
    one, other = (cells_of(summaries, n, empty_tree=reading) for reading in _READINGS)
    return list(zip(one, other, strict=True))


def _plain_words(summaries: Sequence[CellSummary]) -> str:
    """How the cells with n = 4 lie to the paper's, run as printed."""
    differences = [
        each.paper.cell.T - each.T.mean
        for each in summaries
        if each.paper is not None and each.T.mean is not None
    ]
    if not differences:
        return f"Of n = {SMALL_N} there are no solved runs yet to compare."
    higher = sum(difference > 0 for difference in differences)
    return (
        f"With n = {SMALL_N}, where runs are short, the paper's mean time is the higher one in {higher} of"
        f" {len(differences)} cells; the paper's less ours is from {signed(min(differences), 1)} to"
        f" {signed(max(differences), 1)} iterations."
    )


def _shift_words(results: Results, pairs: Sequence[tuple[CellSummary, CellSummary]]) -> Markup:
    shift = measured_shift(results, pairs)
    if shift is None:
        return paragraph("There are too few runs to measure by how much insert-only takes longer.")
    mean, error = shift
    return paragraph(
        f"Measured, insert-only takes {number(mean, 2)} ± {number(error, 2)} iterations longer in the mean of"
        f" {len(pairs)} cells, where 2 are expected."
    )


def _difference_figure(results: Results) -> Figure:
    series: list[Series] = []
    names: dict[float, str] = {}
    groups: dict[str, list[float]] = {}
    for look, reading in enumerate(_READINGS):
        points: list[Point] = []
        for number_of, summary in enumerate(cells_of(results.summaries, SMALL_N, empty_tree=reading)):
            config = summary.cell.config
            place = number_of + (0.6 if config.deletion == "subtree" else 0.0)
            names[place] = limit_words(config.limit)
            deletion = "leaf-only" if config.deletion == "leaf" else "subtree"
            groups.setdefault(f"{deletion} deletion", []).append(place)
            alone = gap_of(results, (summary,))
            if alone is not None:
                x, half = place + (look - 0.5) * 0.24, Z * alone.error
                points.append(Point(x, alone.mean, low=alone.mean - half, high=alone.mean + half))
        label = "any operation adds the first leaf" if reading == "any" else "insert-only"
        series.append(series_of(label, look, Kind.MARKERS, points))
    x_axis = Axis(
        "limit",
        names=tuple(names.items()),
        groups=tuple((sum(places) / len(places), words) for words, places in groups.items()),
    )
    panel = Panel(
        x_axis, Axis("T, ours less the paper's"), tuple(series), rules=(Rule("", RuleKind.BASE, 0.0),)
    )
    return Figure("Difference in the mean number of iterations to the paper, for both readings", (panel,))


def _readings_table(pairs: Sequence[tuple[CellSummary, CellSummary]], n: int, runs: int) -> Markup:
    top = [
        element("th", "deletion", scope="col", rowspan=2, class_="words"),
        element("th", "limit", scope="col", rowspan=2),
        element("th", "paper", scope="col", rowspan=2, class_="begin"),
        element("th", "any operation", scope="colgroup", colspan=2, class_="begin"),
        element("th", "insert-only", scope="colgroup", colspan=2, class_="begin"),
    ]
    below = [
        element("th", words, scope="col", class_="begin" if words == "T (sd)" else None)
        for _ in _READINGS
        for words in ("T (sd)", "z")
    ]
    rows = [
        [
            element("th", one.cell.config.deletion, scope="row", class_="words"),
            element("th", limit_words(one.cell.config.limit), scope="row"),
            mean_cell(
                *((None, None) if one.paper is None else (one.paper.cell.T, one.paper.cell.T_sd)),
                class_="begin",
            ),
            *(
                cell
                for each in (one, other)
                for cell in (
                    mean_cell(each.T.mean, each.T.sd, class_="begin"),
                    z_cell(
                        None if each.paper is None else each.paper.z_T,
                        is_judged=each.paper is not None and each.paper.has_means,
                    ),
                )
            ),
        ]
        for one, other in pairs
    ]
    caption = (f"n = {n}: mean iterations T of the solved runs in both readings, {runs:,} runs a cell.",)
    return table(caption, (top, below), rows, label=f"Both readings beside the paper, n = {n}")


def _check_part(results: Results) -> list[Markup]:
    """The same for n = 8, whose numbers did not suggest the other reading."""
    pairs = _pairs(results.summaries, _CHECK_N)
    if not pairs:
        return []
    return [
        element("h3", f"The same with n = {_CHECK_N}"),
        *(paragraph(words) for words in _check_words(*_gaps(results, _CHECK_N))),
        _readings_table(pairs, _CHECK_N, results.plan.runs),
    ]


def _check_words(before: Gap | None, after: Gap | None, closer: Comparison | None) -> list[str]:
    """What the cells with n = 8 say, together and one by one."""
    if before is None or after is None or closer is None:
        return []
    together = (
        f"The numbers for n = {_CHECK_N} did not suggest insert-only, so they are a fairer test of it, but a weak"
        f" one, as the runs are longer and spread more. The mean difference to the paper is {before.words}, as"
        f" printed, and {after.words}, with insert-only. {_test_words(before, after, closer)}"
    )
    cells = f"As printed, no cell is more than {FAR:g} standard errors from the paper."
    if before.outside:
        are = "is" if len(before.outside) == 1 else "are"
        cells = (
            f"As printed, more than {FAR:g} standard errors from the paper {are} {far_words(before)}; with"
            f" insert-only {far_words(after) if after.outside else 'no cell is'}."
        )
    if after.outside:
        cells += " A wait of two iterations does not explain this; chance in the paper's runs may."
    return [together, cells]


def _test_words(before: Gap, after: Gap, closer: Comparison) -> str:
    """Which of the two readings the differences speak for."""
    if abs(before.z) > FAR and abs(after.z) > FAR:
        return "Neither reading fits well."
    if not closer.is_clear:
        return "These are too few runs to tell the two readings apart."
    return f"This speaks {'for' if closer.is_second else 'against'} insert-only."


def _exact_part(results: Results) -> list[Markup]:
    """The exact values for n = 4 where the trees are small, and our runs and the paper's beside them."""
    summaries = [
        summary
        for reading in _READINGS
        for summary in cells_of(results.summaries, SMALL_N, empty_tree=reading)
        if summary.exact is not None
    ]
    if not summaries:
        return []
    top = [
        *(
            element("th", words, scope="col", rowspan=2, class_="words")
            for words in ("deletion", "limit", "first leaf")
        ),
        *(
            element("th", words, scope="colgroup", colspan=len(columns), class_="begin")
            for words, columns in _EXACT_GROUPS
        ),
    ]
    below = [
        element("th", words, scope="col", class_=None if place else "begin")
        for _, columns in _EXACT_GROUPS
        for place, words in enumerate(columns)
    ]
    return [
        element("h3", "Exact values"),
        paragraph(
            f"For n = {SMALL_N} and the limits n and n + 1 the algorithm is a Markov chain that is small enough to"
            " be solved exactly, as trees that differ only in the order of children or the names of variables"
            " count as one. So nothing on that side is left to chance: what the printed algorithm gives is known,"
            " and the paper's means are judged against that.",
        ),
        *_judgement(summaries),
        table(
            (f"n = {SMALL_N}: exact values, our runs and the paper's, each with its z to the exact value.",),
            (top, below),
            [_exact_row(summary) for summary in summaries],
            label="Exact values beside our runs",
        ),
        paragraph("To see one of these cells with its quantiles:"),
        command("gpviz exact --n 4 --limit n --deletion leaf"),
    ]


def _exact_row(summary: CellSummary) -> list[Markup]:
    exact, config = summary.exact, summary.cell.config
    assert exact is not None
    paper = paper_cell(config)
    return [
        element("th", config.deletion, scope="row", class_="words"),
        element("th", limit_words(config.limit), scope="row", class_="words"),
        element("th", config.empty_tree, scope="row", class_="words"),
        element("td", number(exact.cell.stuck, 4), class_="begin"),
        element("td", number(summary.stuck_share, 4)),
        element("td", NONE if paper is None or paper.B is None else number(paper.B, 3)),
        element("td", number(exact.cell.mean, 2), class_="begin"),
        element("td", number(summary.T.mean, 2)),
        z_cell(exact.ours.z_T),
        element("td", number(None if paper is None else paper.T, 1)),
        z_cell(None if exact.paper is None else exact.paper.z_T),
    ]


def _judgement(summaries: Sequence[CellSummary]) -> list[Markup]:
    """How far the paper's means of T lie from the exact ones, for each reading, all cells together."""
    parts: list[str] = []
    count = 0
    for reading, words in zip(_READINGS, ("as printed", "with insert-only"), strict=True):
        zs = _paper_zs(summaries, reading)
        together = _together(zs)
        if together is None:
            return []
        count = len(zs)
        parts.append(
            f"{words}, from {signed(min(zs))} to {signed(max(zs))} standard errors, and z = {signed(together)} for"
            " all of them together"
        )
    return [
        paragraph(f"How far the paper's {count} means of T lie above the exact ones: {'; '.join(parts)}.")
    ]


def _paper_zs(summaries: Sequence[CellSummary], reading: str) -> list[float]:
    """The z of the paper's means of T to the exact ones under one reading."""
    return [
        summary.exact.paper.z_T
        for summary in cells_of(summaries, SMALL_N, empty_tree=reading)
        if summary.exact is not None
        and summary.exact.paper is not None
        and summary.exact.paper.z_T is not None
    ]


def _together(zs: Sequence[float]) -> float | None:
    """One z for all: the paper's cells are independent of each other, so this is standard normal again."""
    return sum(zs) / sqrt(len(zs)) if zs else None
