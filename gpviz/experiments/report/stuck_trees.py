"""The report's section on stuck trees: finds them in the runs of table 1 and draws them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpviz import assets
from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import NormalForms
from gpviz.engine.tree import Node
from gpviz.experiments.report.html_elements import Markup, code, element, paragraph, section
from gpviz.experiments.report.results import Results
from gpviz.experiments.report.tables import limit_symbol
from gpviz.experiments.run_text import option_arguments
from gpviz.explain.moment import Moment
from gpviz.number_text import counted
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.fit import natural_size
from gpviz.picture.options import Options
from gpviz.picture.svg import svg_of

_PER_N: Final = 2
_MOST_TRIED: Final = 60

_SCALE: Final = 0.66
_TEXT_SCALE: Final = 1.25
_BESIDE: Final = 30.0
_BELOW: Final = 90.0
"""The size of nodes and type, and the space for the reasons."""
_MARGIN: Final = 10.0


@dataclass(frozen=True, slots=True)
class StuckTree:
    """A tree that can never be improved, and the run that came to it; its seed is in the configuration."""

    config: RunConfig
    tree: Node
    stuck_since: int
    error: int


def stuck_trees(results: Results) -> list[StuckTree]:
    """For each n the smallest trees that got stuck, at most two, no two alike; by n.

    They are found by doing their runs again.
    """
    by_n: dict[int, list[tuple[tuple[int, int, int], RunConfig]]] = {}
    for cell in results.plan.cells:
        for row in results.stuck(cell.number):
            order = (row.leaves, row.iterations, row.number)
            by_n.setdefault(cell.config.n, []).append((order, cell.config_of(row.number)))
    forms = NormalForms()
    seen: set[int] = set()
    return [
        tree
        for n in sorted(by_n)
        for tree in _different([config for _, config in sorted(by_n[n], key=_order)], results, forms, seen)
    ]


def _order(found: tuple[tuple[int, int, int], RunConfig]) -> tuple[tuple[int, int, int], str]:
    return found[0], found[1].limit


def _different(
    configs: Sequence[RunConfig], results: Results, forms: NormalForms, seen: set[int]
) -> list[StuckTree]:
    """The first few whose trees are of another kind than those seen before."""
    found: list[StuckTree] = []
    for config in configs[:_MOST_TRIED]:
        result = RlsGp(config).run(max_iterations=results.plan.max_iterations, stop_when_stuck=True)
        if result.outcome is not Outcome.STUCK or result.tree is None or result.error is None:
            continue  # a store of another version of the engine; its runs cannot be shown
        form = forms.of(result.tree)
        if form in seen:
            continue
        seen.add(form)
        found.append(StuckTree(config, result.tree, result.stuck_since or 0, result.error))
        if len(found) == _PER_N:
            break
    return found


def tree_svg(stuck: StuckTree, title: str) -> str:
    """The tree with a reason at each of its leaves, as an SVG element in its natural size."""
    width, height = natural_size(stuck.tree, _SCALE)
    moment = Moment(config=stuck.config, iteration=stuck.stuck_since, tree=stuck.tree)
    options = Options(
        width=width + _BESIDE,
        height=height + _BELOW,
        text_scale=_TEXT_SCALE,
        has_counter=False,
        has_banner=False,
        has_frame=False,
    )
    picture = picture_of(moment, options, analyse(stuck.tree, stuck.config))
    left, top, right, bottom = picture.tree_bounds
    area = left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN
    return svg_of(
        items_of(picture),
        area[2] - area[0],
        area[3] - area[1],
        assets.theme_data("light")["colours"],
        title=title,
        description=format_formula(stuck.tree, UNICODE),
        cut=area,
    )


def stuck_section(results: Results) -> Markup:
    """The section with the figure of stuck trees."""
    stuck = sum(totals.stuck for totals in results.totals)
    heading = "Figure 1: trees on which the search is stuck"
    runs = counted(results.runs, "run")
    if not stuck:
        return section(
            "stuck",
            heading,
            paragraph(f"None of the {runs} of table 1 got stuck, so there is no tree to show."),
        )
    return section(
        "stuck",
        heading,
        paragraph(
            f"{stuck:,} of the {runs} with leaf-only deletion got stuck, which is proven: from such a tree no"
            " sequence of accepted mutations leads to a better one. For each n these are the smallest of"
            " different forms. Below each leaf: how many more rows are wrong if it is deleted or changed. Each"
            " command does the run again."
        ),
        element(
            "div",
            *(_figure(each) for each in stuck_trees(results)),
            class_="trees",
        ),
    )


def _figure(stuck: StuckTree) -> Markup:
    config = stuck.config
    limit = f"limit {limit_symbol(config.limit)},"
    title = f"n = {config.n}, {limit} seed {config.seed}"
    command = " ".join(["gpviz", "run", *option_arguments(config), "--seed", str(config.seed)])
    return element(
        "figure",
        element(
            "div",
            Markup(tree_svg(stuck, f"A stuck tree, {title}")),
            class_="drawing",
        ),
        element(
            "figcaption",
            element("h3", f"n = {config.n}, ", _unbroken(limit), " ", _unbroken(f"seed {config.seed}")),
            paragraph(
                f"Stuck since iteration {stuck.stuck_since:,}, with {counted(stuck.tree.leaves, 'leaf')};"
                f" wrong on {stuck.error:,} of {2**config.n:,} rows."
            ),
            paragraph(code(command)),
        ),
    )


def _unbroken(text: str) -> Markup:
    return element("span", text, class_="whole")
