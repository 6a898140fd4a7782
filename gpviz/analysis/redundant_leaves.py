"""Finds the redundant leaves of a tree, and why a stuck tree cannot lose any of its leaves.

Essential is meant as in the proof of the paper's runtime theorem: a leaf that only ANDs separate from the root,
and whose variable is on no other such leaf. On AND_n every other leaf is redundant: some subtree with it can be
deleted without loss, though under leaf deletion there may be no way to do that. Essential does not mean needed: in
x1 AND ((x1 AND x2) OR (x1 AND x3)) the first leaf is essential, and yet it could be deleted (`idle_essentials`).
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from gpviz.engine.config import Rules, RunConfig, check_tree, rules_of
from gpviz.engine.enums import Function, State
from gpviz.engine.interruption import Effort, ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.mutation import deletion, error_after, mutation_sites, substitution, value_after
from gpviz.engine.prime_implicants import TooMany, variables_in
from gpviz.engine.stuck import TreeState, tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import ROOT, Inner, Leaf, Node, nodes_of, variables_of

_EFFORT_OF_NODE: Final = 10


@dataclass(frozen=True, slots=True)
class LeafReason:
    """By how much mutations of a leaf would change the error.

    ``deletion`` is None where deleting it would leave the empty tree; ``substitution`` is the best of all other
    variables, ``variable`` the one that achieves it.
    """

    deletion: int | None
    substitution: int | None
    variable: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The state of a tree under some rules, its redundant leaves, and if it is stuck, why. Nodes are uids."""

    tree: Node | None
    rules: Rules
    state: TreeState
    redundant: frozenset[int] = frozenset()
    reasons: Mapping[int, LeafReason] = field(default_factory=dict)
    removable: frozenset[int] = frozenset()
    """The inner nodes of a stuck tree that could be deleted with all below them without raising the error."""

    def is_of(self, tree: Node | None, rules: Rules) -> bool:
        """Whether it is about this very tree under these rules."""
        return self.tree is tree and self.rules == rules


def analyse(tree: Node | None, config: RunConfig | Rules, should_stop: ShouldStop | None = None) -> Analysis:
    """The analysis of a tree; for a stuck one with the reasons why no leaf can go, and the subtrees that could.

    Once ``should_stop`` says so, the state is UNDECIDED, or some of the reasons are left out.
    """
    rules = rules_of(config)
    state = tree_state(tree, rules, should_stop=should_stop)
    if tree is None:
        return Analysis(None, rules, state)
    uids = [node.uid for node in nodes_of(tree)]
    redundant = frozenset(uids[number - 1] for number in sorted_leaves(tree)[1])
    reasons: dict[int, LeafReason] = {}
    removable: set[int] = set()
    if state.state is State.STUCK:
        with stoppable(should_stop), suppress(Stopped):
            reasons.update(_reasons(tree, rules))
            removable.update(_removable(tree, rules))
    return Analysis(tree, rules, state, redundant, reasons, frozenset(removable))


def _reasons(tree: Node, rules: Rules) -> Iterator[tuple[int, LeafReason]]:
    """The reason of each leaf, by its uid."""
    target = target_for(rules.n)
    error = target.error(tree)
    variables = _variables_to_try(tree, rules.n)
    for site in mutation_sites(tree):
        if not isinstance(site.node, Leaf):
            continue
        checkpoint()
        without = error_after(tree, site, deletion(site.number), target)
        best: tuple[int, int] | None = None
        for variable in variables:
            if variable == site.node.variable:
                continue
            checkpoint()
            after = error_after(tree, site, substitution(site.number, variable), target)
            if after is not None and (best is None or after < best[0]):
                best = (after, variable)
        yield (
            site.node.uid,
            LeafReason(
                None if without is None else without - error,
                None if best is None else best[0] - error,
                None if best is None else best[1],
            ),
        )


def _removable(tree: Node, rules: Rules) -> Iterator[int]:
    """The uids of the inner nodes whose deletion, with all below them, would not raise the error."""
    target = target_for(rules.n)
    error = target.error(tree)
    for site in mutation_sites(tree):
        if site.parent is None or not isinstance(site.node, Inner):
            continue
        checkpoint()
        without = error_after(tree, site, deletion(site.number), target)
        if without is not None and without <= error:
            yield site.node.uid


def _variables_to_try(tree: Node, n: int) -> list[int]:
    """The variables of the tree and the first that it lacks, in order: all that it lacks are alike."""
    used = variables_of(tree)
    unused = ~used & ((1 << n) - 1)
    return variables_in(used | (unused & -unused))


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Essential, redundant and idle nodes by their numbers in preorder, from 1.

    An ``idle`` subtree could be deleted without changing the function.
    """

    essential: tuple[int, ...]
    redundant: tuple[int, ...]
    idle: tuple[int, ...]


def redundancy(tree: Node, config: RunConfig | Rules, *, should_stop: ShouldStop | None = None) -> Redundancy:
    """The essential and the redundant leaves of a tree, and its idle subtrees.

    Raises `Stopped` once ``should_stop`` says so.
    """
    rules = rules_of(config)
    check_tree(tree, rules)
    essential, redundant = sorted_leaves(tree)
    with stoppable(should_stop):
        return Redundancy(essential, redundant, _idle(tree, rules))


def sorted_leaves(tree: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The essential leaves and the redundant ones, by their numbers in preorder."""
    leaves: list[tuple[int, int, bool]] = []
    pending: list[tuple[int, Node, bool]] = [(ROOT, tree, True)]
    seen: dict[int, int] = {}
    effort = Effort()
    while pending:
        effort.spend(_EFFORT_OF_NODE)
        number, node, is_below_ands = pending.pop()
        if isinstance(node, Inner):
            is_below_ands = is_below_ands and node.function is Function.AND
            pending.append((number + 2 * node.left.leaves, node.right, is_below_ands))
            pending.append((number + 1, node.left, is_below_ands))
        else:
            leaves.append((number, node.variable, is_below_ands))
            seen[node.variable] = seen.get(node.variable, 0) + is_below_ands
    essential = tuple(number for number, variable, is_below in leaves if is_below and seen[variable] == 1)
    needed = set(essential)
    return essential, tuple(number for number, _, _ in leaves if number not in needed)


def idle_essentials(tree: Node, config: RunConfig | Rules) -> tuple[int, ...]:
    """The essential leaves whose deletion would not change the function, by their numbers in preorder."""
    essential, _ = sorted_leaves(tree)
    return _idle(tree, rules_of(config), frozenset(essential)) if essential else ()


def _idle(tree: Node, rules: Rules, among: Collection[int] | None = None) -> tuple[int, ...]:
    target = target_for(rules.n)
    error = target.error(tree)
    idle = []
    for site in mutation_sites(tree):
        if site.parent is None or (among is not None and site.number not in among):
            continue
        checkpoint()
        mutation = deletion(site.number)
        value = value_after(site, mutation)
        if isinstance(tree.value, TooMany) or isinstance(value, TooMany):
            # Deleting below an AND only adds true rows and below an OR only removes some,
            # so the same number of them means the same function.
            is_idle = error_after(tree, site, mutation, target) == error
        else:
            is_idle = value == tree.value
        if is_idle:
            idle.append(site.number)
    return tuple(idle)
