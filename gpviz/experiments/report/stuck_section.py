"""The report's section on trees that can never be improved, found in the runs of table 1."""

from gpviz.engine.enums import Function
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.tree import Inner, nodes_of
from gpviz.experiments.report.html import Markup, code, element, paragraph, section
from gpviz.experiments.report.results import Results
from gpviz.experiments.report.stuck_trees import StuckTree, stuck_trees
from gpviz.experiments.report.svg_tree import tree_svg
from gpviz.experiments.report.words import counted, limit_words, run_command

__all__ = ["stuck_section"]


def stuck_section(results: Results) -> Markup:
    """The section with the figure of stuck trees."""
    stuck = sum(totals.stuck for totals in results.totals)
    heading = "Figure 1: trees on which the search is stuck"
    if not stuck:
        return section(
            "stuck",
            heading,
            paragraph(
                f"None of the {counted(results.runs, 'run')} of table 1 got stuck, so there is no tree to show."
            ),
        )
    trees = stuck_trees(results)
    return section(
        "stuck",
        heading,
        paragraph(
            f"Of the {counted(results.runs, 'run')} with leaf-only deletion {stuck:,} got stuck. That is proven,"
            " not guessed from a long wait: from such a tree no sequence of accepted mutations leads to a better"
            " one."
        ),
        paragraph(_pattern_words(trees)),
        paragraph(
            "These are from our own runs, for each n the smallest, no two of the same form. Each command does"
            " the run again and ends on this tree."
        ),
        element("div", *(_figure(place, each) for place, each in enumerate(trees)), class_="trees"),
    )


def _pattern_words(trees: list[StuckTree]) -> str:
    """How many of the trees are of the paper's kind."""
    alike = sum(
        any(
            isinstance(node, Inner) and node.function is Function.OR and node.left.value == node.right.value
            for node in nodes_of(each.tree)
        )
        for each in trees
    )
    if not alike:
        return "In none of the trees below an OR joins twice the same function, as in the paper's examples."
    count = "all" if alike == len(trees) else f"{alike:,} of the"
    is_full = all(each.tree.leaves == each.config.max_leaves for each in trees)
    room = " All have as many leaves as their limit allows, so there is no room to grow." if is_full else ""
    return (
        f"In {count} trees below an OR joins twice the same function, as in the paper's examples: to take away or"
        f" change a leaf on one side only makes the tree worse.{room}"
    )


def _figure(place: int, stuck: StuckTree) -> Markup:
    config = stuck.config
    formula = format_formula(stuck.tree, UNICODE)
    title = f"n = {config.n}, limit {limit_words(config.limit)}, seed {config.seed}"
    drawing = tree_svg(f"stuck-{place + 1}", f"A stuck tree, {title}", formula, stuck.tree)
    return element(
        "figure",
        element("div", Markup(drawing), class_="drawing"),
        element(
            "figcaption",
            element(
                "h3",
                f"n = {config.n}, ",
                _whole(f"limit {limit_words(config.limit)},"),
                " ",
                _whole(f"seed {config.seed}"),
            ),
            paragraph(
                f"Stuck since iteration {stuck.stuck_since:,}, with"
                f" {counted(stuck.tree.leaves, 'leaf', 'leaves')}; wrong on {stuck.error:,} of {2**config.n:,}"
                " rows."
            ),
            paragraph(code(run_command(config))),
        ),
    )


def _whole(words: str) -> Markup:
    return element("span", words, class_="whole")
