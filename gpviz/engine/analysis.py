"""Why a tree is where it is: its state, which leaves it could spare, and why each leaf cannot go."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpviz.engine.boolean_function import variables_in
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import State
from gpviz.engine.places import deletion, error_after, places_of, substitution
from gpviz.engine.redundancy import sorted_leaves
from gpviz.engine.stuck import TreeState, tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, Node, nodes_of, variables_of

__all__ = ["Analysis", "LeafReason", "analyse"]


@dataclass(frozen=True, slots=True)
class LeafReason:
    """What a leaf's own mutations would change the error by.

    ``deletion`` is None where deleting it would leave the empty tree; ``substitution`` is the best of all other
    variables, ``variable`` the one that achieves it.
    """

    deletion: int | None
    substitution: int | None
    variable: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a tree. Nodes are given by their uids."""

    tree: Node | None
    state: TreeState
    redundant: frozenset[int] = frozenset()
    reasons: Mapping[int, LeafReason] = field(default_factory=dict)


def analyse(tree: Node | None, config: RunConfig, should_stop: Callable[[], bool] | None = None) -> Analysis:
    """The state of a tree, its redundant leaves, and for each leaf of a stuck one why it cannot go."""
    state = tree_state(tree, config, should_stop=should_stop)
    if tree is None:
        return Analysis(None, state)
    uids = [node.uid for node in nodes_of(tree)]
    redundant = frozenset(uids[number] for number in sorted_leaves(tree)[1])
    reasons = _reasons(tree, config, should_stop) if state.state is State.STUCK else {}
    return Analysis(tree, state, redundant, reasons)


def _reasons(tree: Node, config: RunConfig, should_stop: Callable[[], bool] | None) -> dict[int, LeafReason]:
    """The reasons, or only some of them if it should stop."""
    target = target_for(config.n)
    error = target.error(tree)
    variables = _variables_to_try(tree, config.n)
    reasons: dict[int, LeafReason] = {}
    for place in places_of(tree):
        if not isinstance(place.node, Leaf):
            continue
        if should_stop is not None and should_stop():
            break
        without = error_after(tree, place, deletion(place.number), target)
        best: tuple[int, int] | None = None
        for variable in variables:
            if variable == place.node.variable:
                continue
            after = error_after(tree, place, substitution(place.number, variable), target)
            if after is not None and (best is None or after < best[0]):
                best = (after, variable)
        reasons[place.node.uid] = LeafReason(
            None if without is None else without - error,
            None if best is None else best[0] - error,
            None if best is None else best[1],
        )
    return reasons


def _variables_to_try(tree: Node, n: int) -> list[int]:
    """The variables of the tree and the first that it lacks, in order: those it lacks are alike."""
    used = variables_of(tree)
    unused = ~used & ((1 << n) - 1)
    return variables_in(used | (unused & -unused))
