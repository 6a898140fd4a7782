"""A tree as text: its function, what it lacks, its numbers, and a drawing for terminals."""

from typing import Final

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import (
    ASCII,
    UNICODE,
    Inner,
    Leaf,
    Node,
    Rules,
    RunConfig,
    TooComplexError,
    simplified,
)
from gpviz.engine.formula import Style
from gpviz.engine.mutation import deletion, error_after, mutation_sites
from gpviz.engine.prime_implicants import TooMany, masks_of, support, variables_in
from gpviz.engine.target import target_for
from gpviz.engine.tree import depth_of, variables_of
from gpviz.explain.state_text import leaf_role
from gpviz.number_text import change_text, counted, number_text, rows_text
from gpviz.runs.history import History

LONGEST_FUNCTION: Final = 400
ESSENTIAL_NOT_NEEDED: Final = "Essential in the paper's sense, yet not needed: deleting it changes nothing."
_MOST_NAMES: Final = 1000
"""Writing down more names takes longer than a frame."""

_MOST_COUNTED: Final = 12
_MOST_FACTORS: Final = 12
"""A longer conjunction is shortened to its first two names and its last where there is one line for it."""

_MOST_MISSING: Final = 12
_LARGEST_FOR_DEPTH: Final = 5000
_UNKNOWN: Final = "–"

_BRANCHES: Final = {"├─ ": "│  ", "└─ ": "   ", "|- ": "|  ", "`- ": "   "}


def function_text(tree: Node | None) -> str:
    """The simplified function, cut where it would fill the panel."""
    if tree is None:
        return "nothing: the tree is empty"
    if isinstance(tree.value, TooMany):
        if tree.leaves > _MOST_NAMES:
            return (
                f"a function too long to write down: a tree of {tree.leaves:,} leaves with too many products"
            )
    else:
        masks = masks_of(tree.value)
        names = sum(mask.bit_count() for mask in masks)
        if names > _MOST_NAMES:
            return (
                f"a function too long to write down: {len(masks):,} products with {names:,} variables in all"
            )
    text = simplified(tree, UNICODE)
    if len(text) <= LONGEST_FUNCTION:
        return text
    # Cut between two names, not within one.
    end = text.rfind(" ", 0, LONGEST_FUNCTION)
    return f"{text[:end]} … ({len(text):,} characters)"


def missing_text(tree: Node | None, n: int) -> str:
    """The variables of the target that the function does not depend on."""
    used = 0
    if tree is not None:
        used = variables_of(tree) if isinstance(tree.value, TooMany) else support(tree.value)
    missing = variables_in(((1 << n) - 1) & ~used)
    if not missing:
        return "missing: none"
    if len(missing) == n:
        return "missing: all variables"
    names = [UNICODE.variable(variable) for variable in missing[:_MOST_MISSING]]
    more = f" and {len(missing) - _MOST_MISSING:,} more" if len(missing) > _MOST_MISSING else ""
    return f"missing: {', '.join(names)}{more}"


def error_text(error: int | None, config: RunConfig) -> str:
    """The error, and of how many rows."""
    rows = rows_text(config.n) if config.rows is None else number_text(config.rows)
    return _UNKNOWN if error is None else f"{number_text(error)} of {counted(rows, 'row')}"


def generalisation_text(tree: Node | None, n: int) -> str:
    """The probability that the tree is wrong on a random row, where that is quickly counted."""
    if tree is None or isinstance(tree.value, TooMany) or len(masks_of(tree.value)) > _MOST_COUNTED:
        return _UNKNOWN
    return f"{float(target_for(n).generalisation_error(tree)):.4g}"


def limit_text(leaves: int, config: RunConfig) -> str:
    """The leaves and the most there may be."""
    return f"{leaves:,} / {'∞' if config.max_leaves is None else format(config.max_leaves, ',')}"


def depth_text(tree: Node | None) -> str:
    """The number of levels, where counting them is quick."""
    return _UNKNOWN if tree is not None and tree.leaves > _LARGEST_FOR_DEPTH else f"{depth_of(tree):,}"


def caption_of(history: History, iteration: int) -> str:
    """One line about the tree of an iteration: how wrong it is, its size, and last what it computes."""
    config = history.config_after(iteration)
    tree = history.tree_at(iteration)
    if tree is None:
        return "The empty tree computes nothing yet."
    error = history.step_at(iteration).error if iteration else history.start_error
    parts = [] if error is None else [f"wrong on {error_text(error, config)}"]
    parts.append(counted(tree.leaves, "leaf"))
    if tree.ors:
        parts.append(f"{tree.ors:,} ∨")
    parts.append(f"computes {_short_function(tree)}")
    return " · ".join(parts)


def position_text(history: History, iteration: int, *, is_pending: bool = False) -> str:
    """Where the run is, such as ``t = 420 of 1,234 · error 1 · 9/9 leaves``.

    While the verdict is pending, error and size are still those of the parent.
    """
    known = iteration - 1 if is_pending else iteration
    step = history.step_at(known) if known else None
    error = history.start_error if step is None else step.error
    tree = history.start if step is None else step.tree
    leaves = 0 if tree is None else tree.leaves
    parts = [f"t = {iteration:,} of {len(history):,}"]
    if error is not None:
        parts.append(f"error {number_text(error)}")
    most = history.config_after(known).max_leaves
    parts.append(counted(leaves, "leaf", "no") if most is None else f"{leaves:,}/{most:,} leaves")
    return " · ".join(parts)


def node_facts(tree: Node, uid: int, config: RunConfig | Rules, analysis: Analysis | None) -> str:
    """What a node computes, and what the tree would be without it; this may take long."""
    for site in mutation_sites(tree):
        if site.node.uid == uid:
            break
    else:
        return ""
    lines = [f"Computes {function_text(site.node)}"]
    target = target_for(config.n)
    reason = None if analysis is None else analysis.reasons.get(uid)
    try:
        without = error_after(tree, site, deletion(site.number), target)
        if without is not None:
            lines.append(f"Without it: {_change(without - target.error(tree))}")
            is_essential = (
                isinstance(site.node, Leaf) and analysis is not None and uid not in analysis.redundant
            )
            if is_essential and without == target.error(tree):
                lines.append(ESSENTIAL_NOT_NEEDED)
    except TooComplexError:
        lines.append("Its contribution takes too long to count.")
    if reason is not None and reason.substitution is not None and reason.variable is not None:
        name = UNICODE.variable(reason.variable)
        lines.append(f"Best substitution, {name}: {_change(reason.substitution)}")
    if analysis is not None and uid in analysis.redundant:
        role = leaf_role(uid, analysis)
        lines.append(f"{role[0].upper()}{role[1:]}.")
    return "\n".join(lines)


def _short_function(tree: Node) -> str:
    """The function; of a long conjunction, which has no surprises, only the ends."""
    if not isinstance(tree.value, TooMany):
        masks = masks_of(tree.value)
        if len(masks) == 1 and masks[0].bit_count() > _MOST_FACTORS:
            variables = variables_in(masks[0])
            first, second, last = (UNICODE.variable(variables[site]) for site in (0, 1, -1))
            return f"{first} ∧ {second} ∧ … ∧ {last} ({len(variables):,} variables)"
    return function_text(tree)


def _change(difference: int) -> str:
    if not difference:
        return "the error stays"
    return f"error {change_text(difference)}"


def draw_tree(tree: Node | None, style: Style = UNICODE, *, most_lines: int = 200) -> str:
    """The tree with one node a line and children below their parent, indented.

    ``ASCII`` draws the branches with plain characters too. What does not fit into ``most_lines`` is counted.
    """
    if tree is None:
        return "(the empty tree)"
    inner, last = ("|- ", "`- ") if style is ASCII else ("├─ ", "└─ ")
    lines: list[str] = []
    pending: list[tuple[Node, str, str]] = [(tree, "", "")]
    while pending and len(lines) < most_lines:
        node, indent, branch = pending.pop()
        label = style.variable(node.variable) if isinstance(node, Leaf) else style.function(node.function)
        lines.append(f"{indent}{branch}{label}")
        if isinstance(node, Inner):
            below = indent + _BRANCHES.get(branch, "")
            pending.append((node.right, below, last))
            pending.append((node.left, below, inner))
    if pending:
        left_out = sum(node.size for node, _, _ in pending)
        lines.append(f"... and {left_out} more nodes")
    return "\n".join(lines)
