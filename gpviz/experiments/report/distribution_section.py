"""The report's section on how T is distributed, and on the drift beside the paper's bound."""

from collections.abc import Iterable, Sequence

from gpviz.experiments.figures.drift import drift_figure
from gpviz.experiments.figures.ecdf import ecdf_figure
from gpviz.experiments.figures.run_values import Steps, steps_of
from gpviz.experiments.figures.svg import figure_svg
from gpviz.experiments.plan import Plan
from gpviz.experiments.report.html import Markup, code, element, figure, paragraph, section
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.report_text import limit_words, number
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.measured_drift import DriftCurve, covered_drift
from gpviz.number_text import counted

_MOST_STEPS = 160


def spread_section(leaf: Results, subtree: Results) -> Markup:
    """The section: shares of runs solved by an iteration, and what an iteration gains."""
    largest = max(each.cell.config.n for each in leaf.summaries)
    by_limit = [each for each in leaf.summaries if each.cell.config.n == largest]
    by_n = [each for each in leaf.summaries if each.cell.config.limit == "n"]
    return section(
        "distributions",
        "Behind the means",
        element("h3", "How T is distributed"),
        paragraph(
            "The share of all runs that are solved by an iteration. A run that is stuck never is, so its curve"
            " ends below 1. The scale of the iterations is logarithmic."
        ),
        element(
            "div",
            _ecdf_figure(
                "by-limit",
                leaf,
                [(_limit_label(leaf.plan, each.cell.number), each) for each in by_limit],
                f"Leaf-only deletion, n = {largest}, by the limit.",
            ),
            _ecdf_figure(
                "by-n",
                leaf,
                [(f"n = {each.cell.config.n}", each) for each in by_n],
                "Leaf-only deletion, limit n, by the number of variables.",
            ),
            class_="pair",
        ),
        *_drift_part(subtree),
        paragraph(
            "Whether T grows like n log n for larger n is a plan of its own: ",
            code("gpviz experiment scaling"),
            ".",
        ),
    )


def _ecdf_figure(
    name: str, results: Results, labelled: Sequence[tuple[str, CellSummary]], caption: str
) -> Markup:
    labels = {summary.cell.number: label for label, summary in labelled}
    steps: dict[int, Steps] = {}
    ends: list[str] = []
    for label, summary in labelled:
        cell = summary.cell.number
        found = steps_of(results.values(cell, "iterations"), summary.runs, _MOST_STEPS)
        if found is not None:
            steps[cell] = found
            ends.append(
                f"{label}: {number(float(found.share[-1]), 3)} solved by iteration {found.t[-1]:,.0f}"
            )
    curves = ecdf_figure(results.plan, list(labels), steps, label=lambda _, cell: labels[cell])
    drawing = figure_svg(curves, name=name, description=f"{caption} {'; '.join(ends)}.")
    stuck = sum(summary.stuck for _, summary in labelled)
    return figure(drawing, f"{caption} {counted(stuck, 'run')} of these cells got stuck.")


def _drift_part(results: Results) -> list[Markup]:
    """What an iteration gains on average, beside the least the paper proves."""
    largest = max(each.cell.config.n for each in results.summaries)
    curves: dict[int, DriftCurve] = {}
    for summary, totals in zip(results.summaries, results.totals, strict=True):
        config = summary.cell.config
        if config.n == largest and config.limit in ("n", "2n"):
            curve = covered_drift(config, totals)
            if curve is not None:
                curves[summary.cell.number] = curve
    if not curves:
        return []
    words = [_drift_words(_limit_label(results.plan, cell), curve) for cell, curve in curves.items()]
    drift = drift_figure(results.plan, list(curves), results.totals, label=_limit_label)
    return [
        element("h3", "What an iteration gains"),
        paragraph(
            "The proof of the paper's upper bound rests on the drift: while the tree has fewer leaves "
            "than its limit, an iteration removes on average at least a certain share of an error x. "
            + _which_iterations(curves.values())
        ),
        element("ul", *(element("li", each) for each in words)),
        figure(
            figure_svg(drift, name="drift", description=" ".join(words)),
            f"Subtree deletion, n = {largest}. Measured: mean of (x − y) / x by the error x before the"
            " iteration, in classes that double. Proven: the paper's lower bound (log x / log n + 1) / (36 ℓ n),"
            " with ℓ the limit.",
            class_="beside",
        ),
    ]


def _which_iterations(curves: Iterable[DriftCurve]) -> str:
    if any(curve.part == "all" for curve in curves):
        return (
            "It is measured here over all iterations, including those with a full tree, for which the bound says"
            " nothing."
        )
    return (
        "It is measured here over these iterations, and apart from them over those with a full tree, for which the"
        " bound says nothing."
    )


def _limit_label(plan: Plan, cell: int) -> str:
    return f"limit {limit_words(plan.cells[cell].config.limit)}"


def _drift_words(label: str, curve: DriftCurve) -> str:
    """Whether what was measured is above the bound, and by how much."""
    if curve.bounds is None:
        return f"With {label} there is no bound."
    ratios = [gain / bound for gain, bound in zip(curve.gains, curve.bounds, strict=True)]
    below = sum(ratio < 1 for ratio in ratios)
    if not below:
        return (
            f"With {label} the measured gain is {number(min(ratios))} to {number(max(ratios))} times the bound"
            f" in all {len(ratios)} classes of errors."
        )
    others = f", and up to {number(max(ratios))} times the bound in the others" if below < len(ratios) else ""
    reason = "the bound does not cover full trees" if curve.part == "all" else "the intervals show how surely"
    return (
        f"With {label} the measured gain is below the bound in {below} of {len(ratios)} classes of errors{others};"
        f" {reason}."
    )
