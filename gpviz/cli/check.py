"""`gpviz check`: prints what the engine knows about one tree, its function, its state and its neighbours."""

import argparse
import json
from typing import Any

from gpviz.cli.options import Parser, add_config_options, config_from, read_formula
from gpviz.cli.output import (
    as_columns,
    configuration_line,
    count,
    describe_number,
    shortened,
    style_for_output,
)
from gpviz.engine import (
    Mutation,
    Node,
    Redundancy,
    RunConfig,
    State,
    TreeState,
    Verdict,
    describe,
    format_formula,
    parse,
    redundancy,
    simplified,
    tree_state,
)
from gpviz.engine.drift_bound import drift_bound
from gpviz.engine.formula import ASCII, Style
from gpviz.engine.mutation import trees_along
from gpviz.engine.neighbourhood import Totals, neighbours_of, totals_of
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, nodes_of, variables_of
from gpviz.explain.tree_text import draw_tree

__all__ = ["add_command"]

_EXAMPLES = """examples:
  gpviz check "(x1 & x2) | (x2 & x1)" --n 4 --limit n --deletion leaf
  gpviz check "x1 & (x2 | x3)" --n 8 --json
"""


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "check",
        help="analyse one tree",
        description="Print a tree's error, its state, and what the next iteration does to it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "formula",
        metavar="FORMULA",
        help=("the tree as a formula; - reads it from standard input, @FILE from a file"),
    )
    add_config_options(parser)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    text = read_formula(options.formula)
    tree = parse(text)
    n = variables_of(tree).bit_length()
    config = config_from(options, n=n, limit=max(2 * n, tree.leaves) if options.n is None else "2n")
    tree = parse(text, config.n)
    state = tree_state(tree, config)
    around = totals_of(neighbours_of(tree, config))
    parts = redundancy(tree, config)
    if options.json:
        print(json.dumps(_data(tree, config, state, around, parts), indent=2))
    else:
        print(_text(tree, config, state, around, parts, style_for_output()))
    return 0


def _data(
    tree: Node, config: RunConfig, state: TreeState, around: Totals, parts: Redundancy
) -> dict[str, Any]:
    wait = around.expected_wait
    exact = target_for(config.n).generalisation_error(tree)
    bound = drift_bound(tree, state.error, config)
    steps = zip(trees_along(tree, state.way_out), state.way_out, strict=True)
    return {
        "state": state.name,
        "reason": state.reason,
        "error": state.error,
        "generalisation_error": float(exact),
        "generalisation_error_exact": str(exact),
        "formula": format_formula(tree),
        "simplified": simplified(tree),
        "leaves": tree.leaves,
        "ors": tree.ors,
        "plateau_trees": state.plateau_trees,
        "way_out": [_mutation_data(before, mutation) for before, mutation in steps],
        "probabilities": {verdict.value: float(p) for verdict, p in around.probabilities.items()},
        "drift": float(around.drift),
        "drift_bound": None if bound is None else float(bound),
        "expected_wait": float(wait) if around.probabilities[Verdict.IMPROVED] else None,
        "essential": _labels(tree, parts.essential, ASCII),
        "redundant": _labels(tree, parts.redundant, ASCII),
        "essential_nodes": list(parts.essential),
        "redundant_nodes": list(parts.redundant),
        "idle_nodes": list(parts.idle),
        "config": config.as_dict(),
    }


def _mutation_data(tree: Node, mutation: Mutation) -> dict[str, Any]:
    return {
        "operation": mutation.operation.value,
        "node": mutation.node,
        "variable": mutation.variable,
        "function": mutation.function.value,
        "side": mutation.side.value,
        "text": describe(tree, mutation, ASCII),
    }


def _text(
    tree: Node,
    config: RunConfig,
    state: TreeState,
    around: Totals,
    parts: Redundancy,
    style: Style,
) -> str:
    rows = describe_number(2**config.n)
    facts = [
        ("state", f"{state.name}. {state.reason}"),
        ("error", f"{describe_number(state.error or 0)} of {rows} rows"),
        ("computes", shortened(simplified(tree, style))),
        ("leaves", f"{tree.leaves}, {count(tree.ors, 'OR')}"),
        ("essential", shortened(" ".join(_labels(tree, parts.essential, style)) or "none")),
        ("redundant", shortened(" ".join(_labels(tree, parts.redundant, style)) or "none")),
    ]
    for number, (before, mutation) in enumerate(
        zip(trees_along(tree, state.way_out), state.way_out, strict=True), start=1
    ):
        facts.append((f"way out {number}", describe(before, mutation, style)))
    chances = [
        (verdict.value.replace("_", " "), f"{100 * float(p):6.2f} %")
        for verdict, p in around.probabilities.items()
    ]
    wait = around.expected_wait
    is_hopeless = not around.probabilities[Verdict.IMPROVED]
    bound = drift_bound(tree, state.error, config)
    proven = "" if bound is None else f" (the paper guarantees at least {float(bound):.3g})"
    chances.append(("drift", f"{float(around.drift):.6g} rows an iteration{proven}"))
    chances.append(("expected wait", "for ever" if is_hopeless else f"{float(wait):.6g} iterations"))
    if state.state is State.SOLVED:
        chances.pop()
    return "\n".join(
        [
            configuration_line(config, style),
            "",
            draw_tree(tree, style),
            "",
            as_columns(facts),
            "",
            f"What the next iteration does{'' if config.is_sampled else ', exactly'}:",
            as_columns(chances),
        ]
    )


def _labels(tree: Node, numbers: tuple[int, ...], style: Style) -> list[str]:
    """The variables of these leaves, given by their preorder numbers."""
    nodes = list(nodes_of(tree))
    return [
        style.variable(leaf.variable) for leaf in map(nodes.__getitem__, numbers) if isinstance(leaf, Leaf)
    ]
