"""The report's section on stuck trees: finds them in the runs of table 1 and draws them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Outcome
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import NormalForms
from gpviz.engine.tree import Leaf, Node, nodes_of
from gpviz.escaping import html_text
from gpviz.experiments.report.html_elements import Markup, code, element, paragraph, section
from gpviz.experiments.report.results import Results
from gpviz.experiments.report.tables import limit_symbol
from gpviz.experiments.run_text import option_arguments
from gpviz.picture.layout import graph_of, tidy_layout
from gpviz.number_text import counted

_PER_N: Final = 2
_MOST_TRIED: Final = 60

_ACROSS: Final = 40.0
_DOWN: Final = 46.0
_MARGIN: Final = 24.0
_SIGNS: Final = {Function.AND: ("and", "∧"), Function.OR: ("or", "∨")}


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


def tree_svg(name: str, title: str, description: str, tree: Node) -> str:
    """The tree as an SVG element in its natural size; ``name`` is its identity on the page.

    AND is a disc, OR a diamond, a variable a rounded box, as in the window.
    """
    positions = {uid: (x * _ACROSS, y * _DOWN) for uid, (x, y) in tidy_layout(graph_of(tree)).items()}
    left = min(x for x, _ in positions.values()) - _MARGIN
    width = max(x for x, _ in positions.values()) + _MARGIN - left
    height = max(y for _, y in positions.values()) + 2 * _MARGIN
    nodes = list(nodes_of(tree))
    edges = "".join(
        f"M{_pair(positions[node.uid])}L{_pair(positions[child.uid])}"
        for node in nodes
        if not isinstance(node, Leaf)
        for child in (node.left, node.right)
    )
    parts = [
        f'<svg class="tree" viewBox="{_number(left)} {_number(-_MARGIN)} {_number(width)} {_number(height)}"'
        f' width="{_number(width)}" height="{_number(height)}" role="img"'
        f' aria-labelledby="{name}-title {name}-desc">',
        f'<title id="{name}-title">{html_text(title)}</title>',
        f'<desc id="{name}-desc">{html_text(description)}</desc>',
        f'<path class="edge" d="{edges}"/>' if edges else "",
        *(_face(node, *positions[node.uid]) for node in nodes),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _face(node: Node, x: float, y: float) -> str:
    if isinstance(node, Leaf):
        kind, label = "leaf", UNICODE.variable(node.variable)
        shape = f'<rect x="{_number(x - 16)}" y="{_number(y - 14)}" width="32" height="28" rx="7"/>'
    else:
        kind, label = _SIGNS[node.function]
        shape = (
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="15"/>'
            if node.function is Function.AND
            else f'<path d="M{_number(x)} {_number(y - 19)}l19 19l-19 19l-19 -19z"/>'
        )
    text = f'<text x="{_number(x)}" y="{_number(y + 5)}" text-anchor="middle">{label}</text>'
    return f'<g class="{kind}">{shape}{text}</g>'


def _pair(position: tuple[float, float]) -> str:
    return f"{_number(position[0])} {_number(position[1])}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


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
            " different forms; each command does the run again."
        ),
        element(
            "div",
            *(_figure(index, each) for index, each in enumerate(stuck_trees(results), 1)),
            class_="trees",
        ),
    )


def _figure(index: int, stuck: StuckTree) -> Markup:
    config = stuck.config
    limit = f"limit {limit_symbol(config.limit)},"
    title = f"n = {config.n}, {limit} seed {config.seed}"
    formula = format_formula(stuck.tree, UNICODE)
    command = " ".join(["gpviz", "run", *option_arguments(config), "--seed", str(config.seed)])
    return element(
        "figure",
        element(
            "div",
            Markup(tree_svg(f"stuck-{index}", f"A stuck tree, {title}", formula, stuck.tree)),
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
