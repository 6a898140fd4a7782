"""The exact probability that one iteration leads from one tree to another, on the complete truth table."""

from fractions import Fraction

from gpviz.analysis.neighbourhood import neighbours_of, totals_of
from gpviz.engine.config import Rules, RunConfig, check_tree, rules_of
from gpviz.engine.enums import Function, Verdict
from gpviz.engine.target import target_for
from gpviz.engine.tree import Inner, Leaf, Node, nodes_of

_Labels = list[Function | int]
"""The functions and variables of a tree in preorder: all there is to it."""


def transition_probability(
    parent: Node | None, tree: Node | None, config: RunConfig | Rules, *, is_accepted: bool = False
) -> Fraction:
    """The probability that ``tree`` is the survivor of the next iteration, if ``parent`` was that of the last.

    Trees are the same if they have the same nodes in the same order. All mutations that turn one into the other
    count together; where the tree stays what it is, so do those that are rejected. ``is_accepted`` says that the
    tree is known to be accepted, so that no errors are counted. Raises `ValueError` for sampled rows.
    """
    rules = rules_of(config)
    if rules.is_sampled:
        raise ValueError("on sampled rows the verdict is a matter of chance")
    check_tree(parent, rules)
    before, after = _labels(parent), _labels(tree)
    if before == after:
        totals = totals_of(neighbours_of(parent, rules, are_sides_merged=True)).probabilities
        return 1 - Fraction(totals[Verdict.IMPROVED]) - Fraction(totals[Verdict.NEUTRAL])
    if tree is None:
        return Fraction(0)
    if parent is None:
        if not isinstance(tree, Leaf):
            return Fraction(0)
        return Fraction(1, rules.n if rules.empty_tree == "any" else 3 * rules.n)
    drawn = _drawn(parent, before, after, rules)
    is_accepted = is_accepted or (drawn > 0 and _is_accepted(parent, tree, rules))
    return drawn if is_accepted else Fraction(0)


def _drawn(parent: Node, before: _Labels, after: _Labels, rules: Rules) -> Fraction:
    """The probability of drawing a mutation that turns this tree into the other one."""
    if len(after) > len(before):
        mutations = 2 * parent.size * rules.n * len(rules.functions)
        return Fraction(_insertions(parent, before, after, rules), 3 * mutations)
    if len(after) < len(before):
        nodes = parent.size if rules.has_subtree_deletion else parent.leaves
        return Fraction(_deletions(parent, before, after, rules), 3 * nodes)
    changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    is_one_leaf = len(changed) == 1 and all(isinstance(label, int) for label in changed[0])
    return Fraction(int(is_one_leaf), 3 * parent.leaves * rules.n)


def _insertions(parent: Node, before: _Labels, after: _Labels, rules: Rules) -> int:
    """How many insertions turn the one tree into the other."""
    if len(after) != len(before) + 2:
        return 0
    begin, end = _common_ends(before, after)
    count = 0
    for first, node in enumerate(nodes_of(parent)):
        last = first + node.size
        if first > begin or after[first] not in rules.functions:
            continue
        # The new leaf stands behind its function, or behind the node.
        count += isinstance(after[first + 1], int) and first >= end
        is_moved = after[first + 1 : last + 1] == before[first:last]
        count += is_moved and isinstance(after[last + 1], int) and last >= end
    return count


def _deletions(parent: Node, before: _Labels, after: _Labels, rules: Rules) -> int:
    """How many deletions turn the one tree into the other."""
    begin, end = _common_ends(before, after)
    count = 0
    for first, node in enumerate(nodes_of(parent)):
        if not isinstance(node, Inner) or first > begin:
            continue
        middle, last = first + 1 + node.left.size, first + node.size
        for child, kept in ((node.left, before[middle:last]), (node.right, before[first + 1 : middle])):
            if not rules.has_subtree_deletion and isinstance(child, Inner):
                continue
            is_as_long = len(before) - len(after) == child.size + 1
            count += is_as_long and last >= end and after[first : first + len(kept)] == kept
    return count


def _common_ends(before: _Labels, after: _Labels) -> tuple[int, int]:
    """How many labels both trees begin with, and the index in ``before`` from which on both end with the same."""
    shorter = min(len(before), len(after))
    begin = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    same = next((back for back in range(shorter) if before[-1 - back] != after[-1 - back]), shorter)
    return begin, len(before) - same


def _labels(tree: Node | None) -> _Labels:
    return [node.variable if isinstance(node, Leaf) else node.function for node in nodes_of(tree)]


def _is_accepted(parent: Node, tree: Node, rules: Rules) -> bool:
    if rules.max_leaves is not None and tree.leaves > rules.max_leaves:
        return False
    target = target_for(rules.n)
    return target.error(tree) <= target.error(parent)
