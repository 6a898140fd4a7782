"""A tree as text: what it computes and how a step changes that, what it lacks, its numbers, and a drawing."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import UNICODE, Inner, Leaf, Node, Rules, RunConfig, TooComplexError, simplified
from gpviz.engine.mutation import deletion, error_after, mutation_sites
from gpviz.engine.prime_implicants import TooMany, masks_of, support, variables_in
from gpviz.engine.target import target_for
from gpviz.engine.tree import depth_of, required_by, variables_of
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import label_of
from gpviz.explain.tree_state_text import leaf_role
from gpviz.number_text import change_text, counted, number_text, rows_text
from gpviz.runs.history import History

AnyNode = TypeVar("AnyNode")

LONGEST_FUNCTION: Final = 400
ESSENTIAL_NOT_NEEDED: Final = "Essential in the paper's sense, yet not needed: deleting it changes nothing."
_MOST_NAMES: Final = 1000
"""Writing down more names takes longer than a frame."""

_MOST_COUNTED: Final = 12

_LARGEST_FOR_DEPTH: Final = 5000
_UNKNOWN: Final = "–"

_BRANCHES: Final = {"": "", "├─ ": "│  ", "└─ ": "   "}
_MOST_QUICK: Final = 16
"""Counting the rows of a function with no more prime implicants than that takes no time."""
_LARGEST_QUICK: Final = 2000
_MOST_NAMED: Final = 8
_SAME: Final = "The same function."
_DIFFERENT: Final = "A different function."


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
    """The variables that the function does not depend on, in a sentence; nothing of an empty tree."""
    if tree is None:
        return ""
    value = tree.value
    used = variables_of(tree) if isinstance(value, TooMany) else support(value)
    missing = ((1 << n) - 1) & ~used
    if not missing:
        return "" if isinstance(value, TooMany) or n == 1 else "It depends on every variable."
    are, them = ("is", "it") if missing.bit_count() == 1 else ("are", "them")
    return f"{_names(missing)} {are} missing: the value does not depend on {them}."


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


def position_text(history: History, iteration: int) -> str:
    """Where the run is, such as ``t = 420 of 1,234 · error 1 · 9/9 leaves``."""
    step = history.step_at(iteration) if iteration else None
    error = history.start_error if step is None else step.error
    tree = history.start if step is None else step.tree
    leaves = 0 if tree is None else tree.leaves
    parts = [f"t = {iteration:,} of {len(history):,}"]
    if error is not None:
        parts.append(f"error {number_text(error)}")
    most = history.config_after(iteration).max_leaves
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


def _change(difference: int) -> str:
    if not difference:
        return "the error stays"
    return f"error {change_text(difference)}"


def draw_tree(tree: Node | None, *, most_lines: int = 200) -> str:
    """The tree with one node a line and children below their parent; what is beyond ``most_lines`` is counted."""
    if tree is None:
        return "(the empty tree)"
    lines = branch_lines(tree, _children_of, label_of, most_lines)
    left_out = tree.size - len(lines)
    return "\n".join([*lines, *([f"... and {left_out} more nodes"] if left_out else [])])


def branch_lines(
    root: AnyNode,
    children_of: Callable[[AnyNode], Sequence[AnyNode]],
    text_of: Callable[[AnyNode], str],
    most_lines: int,
) -> list[str]:
    """One node a line, from the root downwards and from left to right, with lines that branch to the children."""
    lines: list[str] = []
    pending = [(root, "", "")]
    while pending and len(lines) < most_lines:
        node, indent, branch = pending.pop()
        lines.append(f"{indent}{branch}{text_of(node)}")
        below = indent + _BRANCHES[branch]
        children = children_of(node)
        for number, child in enumerate(reversed(children)):
            pending.append((child, below, "├─ " if number else "└─ "))
    return lines


def _children_of(node: Node) -> Sequence[Node]:
    return (node.left, node.right) if isinstance(node, Inner) else ()


class FunctionsText(NamedTuple):
    """What the trees of a step compute, and how the two differ in one sentence; at the start there is one tree."""

    formulas: tuple[str, ...]
    difference: str = ""


def functions_text(moment: Moment) -> FunctionsText:
    """The functions of a moment's parent and offspring; it may take long unless `is_difference_quick`."""
    step, parent, offspring = moment.step, moment.parent, moment.offspring
    if step is None:
        return FunctionsText((f"The tree computes {function_text(moment.tree)}",))
    name = "offspring" if step.is_accepted else "rejected offspring"
    return FunctionsText(
        (f"The parent computes {function_text(parent)}", f"The {name} computes {function_text(offspring)}"),
        difference_text(parent, offspring, moment.config.n),
    )


def difference_text(parent: Node | None, offspring: Node | None, n: int) -> str:
    """How the offspring's function differs from the parent's, both over n variables, in a sentence.

    It may take long unless `is_difference_quick`.
    """
    if parent is None or offspring is None:
        return _with_the_empty_tree(parent, offspring)
    before, after = required_by(parent), required_by(offspring)
    gained, lost = after & ~before, before & ~after
    if gained and lost:
        return f"Now requires {_names(gained)} instead of {_names(lost)}."
    if gained:
        return f"Now requires {_names(gained)}."
    if lost:
        return f"No longer requires {_names(lost)}."
    if isinstance(parent.value, TooMany) or isinstance(offspring.value, TooMany):
        return _counted_difference(parent, offspring, n)
    return _listed_difference(set(masks_of(parent.value)), set(masks_of(offspring.value)))


def _counted_difference(parent: Node, offspring: Node, n: int) -> str:
    try:
        joint = target_for(n).joint(parent, offspring)
    except TooComplexError:
        return "The difference takes too long to count."
    return _DIFFERENT if joint.only_parent or joint.only_offspring else _SAME


def _listed_difference(before: set[int], after: set[int]) -> str:
    """The difference of two functions by their prime implicants."""
    added, gone = after - before, before - after
    if not added and not gone:
        return _SAME
    if len(added) == 1 and all(mask & each == mask for mask in added for each in gone):
        return f"Now also true where {_are_one(*added)}."
    if not added and len(gone) == 1:
        return f"No longer true wherever {_are_one(*gone)}."
    return _DIFFERENT


def is_difference_quick(*trees: Node | None) -> bool:
    """Whether the functions of these are written down and compared within a moment."""
    for tree in trees:
        if tree is not None and (
            tree.leaves > _LARGEST_QUICK
            or isinstance(tree.value, TooMany)
            or len(masks_of(tree.value)) > _MOST_QUICK
        ):
            return False
    return True


def _with_the_empty_tree(parent: Node | None, offspring: Node | None) -> str:
    if offspring is not None:
        return "Now computes something: the tree before was empty."
    if parent is not None:
        return "Now computes nothing: the tree is empty."
    return "The tree is still empty, and computes nothing."


def _are_one(mask: int) -> str:
    return f"{_names(mask)} {'is' if mask.bit_count() == 1 else 'are'} 1"


def _names(mask: int) -> str:
    """The variables as one says them: x₁, x₂ and x₃."""
    variables = variables_in(mask)
    names = [UNICODE.variable(variable) for variable in variables[:_MOST_NAMED]]
    if len(variables) > _MOST_NAMED:
        return f"{', '.join(names)} and {len(variables) - _MOST_NAMED:,} more"
    return _joined(names)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
