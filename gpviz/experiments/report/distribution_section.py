"""The report's section on how T is distributed, and on the drift beside the paper's bound."""

from collections.abc import Sequence

import numpy as np

from gpviz.experiments.drift import DriftCurve, drift_curve
from gpviz.experiments.figures.svg import Axis, Plot, Series, plot_svg
from gpviz.experiments.report.html import Markup, code, element, figure, paragraph, section
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.report_text import counted, limit_words, number
from gpviz.experiments.statistics import CellSummary, ecdf

__all__ = ["spread_section"]

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
                [(f"limit {limit_words(each.cell.config.limit)}", each) for each in by_limit],
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
    series: list[Series] = []
    ends: list[str] = []
    for style, (label, summary) in enumerate(labelled):
        t, share = ecdf(results.values(summary.cell.number, "iterations"), summary.runs)
        if not t.size:
            continue
        # As many steps as can be seen; the last one says which share is ever solved.
        chosen = np.unique(np.linspace(0, t.size - 1, min(t.size, _MOST_STEPS)).round().astype(int))
        points = [(float(t[0]), 0.0), *((float(t[each]), float(share[each])) for each in chosen)]
        series.append(Series(label, points, style=style % 4, kind="step"))
        ends.append(f"{label}: {number(float(share[-1]), 3)} solved by iteration {t[-1]:,.0f}")
    plot = Plot(
        name=name,
        title="The share of runs solved by an iteration",
        description=f"{caption} {'; '.join(ends)}.",
        x=Axis("iterations", is_log=True),
        y=Axis("share of runs solved", low=0, high=1),
        series=tuple(series),
    )
    stuck = sum(summary.stuck for _, summary in labelled)
    return figure(plot_svg(plot), f"{caption} {counted(stuck, 'run')} of these cells got stuck.")


def _drift_part(results: Results) -> list[Markup]:
    """What an iteration gains on average, beside the least the paper proves."""
    largest = max(each.cell.config.n for each in results.summaries)
    curves: list[tuple[str, DriftCurve]] = []
    for summary, totals in zip(results.summaries, results.totals, strict=True):
        config = summary.cell.config
        if config.n == largest and config.limit in ("n", "2n"):
            curve = drift_curve(config, totals)
            if curve is not None:
                curves.append((f"limit {limit_words(config.limit)}", curve))
    if not curves:
        return []
    series: list[Series] = []
    for style, (label, curve) in enumerate(curves):
        points = [(float(error), gain) for error, gain in zip(curve.errors, curve.gains, strict=True)]
        series.append(Series(f"{label}, measured", points, style=style))
        if curve.bounds is not None:
            bound = [(float(error), least) for error, least in zip(curve.errors, curve.bounds, strict=True)]
            series.append(Series(f"{label}, proven", bound, style=style, kind="bound"))
    plot = Plot(
        name="drift",
        title="The mean relative gain of an iteration, by the error before it",
        description=" ".join(_drift_words(label, curve) for label, curve in curves),
        x=Axis("error before the iteration", is_log=True),
        y=Axis("mean relative gain", is_log=True),
        series=tuple(series),
    )
    return [
        element("h3", "What an iteration gains"),
        paragraph(
            "The proof of the paper's upper bound rests on the drift: from an error x an iteration takes away at"
            " least a certain share of it on average, while the tree has fewer leaves than its limit. Measured"
            " here over all iterations of the runs, also those with a full tree, of which the bound says nothing."
        ),
        element(
            "ul",
            *(element("li", _drift_words(label, curve)) for label, curve in curves),
        ),
        figure(
            plot_svg(plot),
            f"Subtree deletion, n = {largest}. Measured: mean of (x − y) / x by the error x before the"
            " iteration, in classes that double. Proven: the paper's lower bound (log x / log n + 1) / (36 ℓ n),"
            " with ℓ the limit.",
            class_="beside",
        ),
    ]


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
    return (
        f"With {label} the measured gain is below the bound in {below} of {len(ratios)} classes of errors{others};"
        " the bound does not cover full trees."
    )
