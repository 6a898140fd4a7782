"""Everything one iteration can do to a tree: each mutation with its exact probability and effect."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Final, NamedTuple

from gpviz.engine.checks import check_tree
from gpviz.engine.config import RunConfig
from gpviz.engine.mutation import Mutation, apply
from gpviz.engine.places import Place, deletion, error_after, places_of, substitution
from gpviz.engine.sampling import verdict_chances
from gpviz.engine.target import Conjunction, target_for
from gpviz.engine.tree import Leaf, Node
from gpviz.engine.words import Function, Operation, Side, Verdict

__all__ = ["Neighbour", "Neighbourhood", "Totals", "neighbourhood", "neighbours_of", "totals_of"]

_SIDES: Final = tuple(Side)  # going through an enumeration is slow


class Neighbour(NamedTuple):
    """One mutation of a tree.

    Mutations that differ only in what their operation does not use are one neighbour. ``verdict`` and
    ``error_change`` are those on all rows; the change is None where the algorithm does not look (a tree beyond the
    limit, or no parent to compare with). In a sampled run the verdict is a matter of chance: ``chances`` are then
    those of IMPROVED, NEUTRAL and WORSE.
    """

    mutation: Mutation
    probability: Fraction
    verdict: Verdict
    leaves: int
    error: int | None
    error_change: int | None
    chances: tuple[float, float, float] | None = None


class Totals(NamedTuple):
    """What neighbours add up to."""

    probabilities: dict[Verdict, Fraction | float]
    drift: Fraction | float

    @property
    def expected_wait(self) -> Fraction | float:
        """The expected number of iterations until one improves; inf if none can."""
        improving = self.probabilities[Verdict.IMPROVED]
        return 1 / improving if improving else inf


@dataclass(frozen=True)
class Neighbourhood:
    """All neighbours of a tree under a configuration; their probabilities sum to 1."""

    tree: Node | None
    config: RunConfig
    neighbours: tuple[Neighbour, ...]

    def probability(self, verdict: str) -> Fraction | float:
        """The probability that the next iteration ends with this verdict."""
        return self.probabilities[Verdict(verdict)]

    @property
    def probabilities(self) -> dict[Verdict, Fraction | float]:
        """The probability of each verdict."""
        return self._totals.probabilities

    @property
    def drift(self) -> Fraction | float:
        """The expected change of the error on all rows in one iteration; negative is better."""
        return self._totals.drift

    @property
    def expected_wait(self) -> Fraction | float:
        """The expected number of iterations until one improves, as long as the tree stays; inf if none can."""
        return self._totals.expected_wait

    def at_node(self, index: int) -> dict[Verdict, Fraction | float]:
        """The probability of each verdict together with this node being chosen."""
        return totals_of(self._by_node.get(index, [])).probabilities

    @cached_property
    def _totals(self) -> "Totals":
        return totals_of(self.neighbours)

    @cached_property
    def _by_node(self) -> dict[int, list[Neighbour]]:
        by_node: dict[int, list[Neighbour]] = {}
        for neighbour in self.neighbours:
            by_node.setdefault(neighbour.mutation.node, []).append(neighbour)
        return by_node


def neighbourhood(tree: Node | None, config: RunConfig) -> Neighbourhood:
    """The neighbourhood of a tree, exactly."""
    return Neighbourhood(tree, config, tuple(neighbours_of(tree, config)))


def neighbours_of(tree: Node | None, config: RunConfig) -> Iterator[Neighbour]:
    """The neighbours of a tree one by one, for one who only wants to add them up."""
    check_tree(tree, config)
    return _of_empty_tree(config) if tree is None else _of_tree(tree, config)


def _mutations_at(place: Place, config: RunConfig) -> Iterator[Mutation]:
    """All distinct mutations at a place."""
    for function in config.functions:
        for variable in range(1, config.n + 1):
            for side in _SIDES:
                yield Mutation(Operation.INS, place.number, variable, function, side)
    is_leaf = isinstance(place.node, Leaf)
    if is_leaf or config.has_subtree_deletion:
        yield deletion(place.number)
    if is_leaf:
        for variable in range(1, config.n + 1):
            yield substitution(place.number, variable)


def _of_tree(tree: Node, config: RunConfig) -> Iterator[Neighbour]:
    target = target_for(config.n)
    error = target.error(tree)
    choices = {
        Operation.INS: 2 * tree.size * config.n * len(config.functions),
        Operation.DEL: tree.size if config.has_subtree_deletion else tree.leaves,
        Operation.SUB: tree.leaves * config.n,
    }
    probabilities = {operation: Fraction(1, 3 * count) for operation, count in choices.items()}
    is_full = config.max_leaves is not None and tree.leaves >= config.max_leaves
    for place in places_of(tree):
        mirrored: int | None = None
        for mutation in _mutations_at(place, config):
            probability = probabilities[mutation.operation]
            leaves = tree.leaves
            if mutation.operation is Operation.DEL and place.parent is not None:
                leaves -= place.node.leaves
            elif mutation.operation is Operation.INS:
                leaves += 1
                if is_full:
                    yield Neighbour(mutation, probability, Verdict.TOO_LARGE, leaves, None, None)
                    continue
            if mutation.operation is Operation.INS and mutation.side is Side.RIGHT:
                after = mirrored  # the side makes no difference to the function
            else:
                after = mirrored = error_after(tree, place, mutation, target)
            yield _judged(tree, mutation, probability, leaves, error, after, config, target)


def _judged(
    tree: Node,
    mutation: Mutation,
    probability: Fraction,
    leaves: int,
    error: int,
    after: int | None,
    config: RunConfig,
    target: Conjunction,
) -> Neighbour:
    if after is None:
        return Neighbour(mutation, probability, Verdict.UNCHANGED, leaves, error, 0)
    change = after - error
    verdict = Verdict.IMPROVED if change < 0 else Verdict.WORSE if change else Verdict.NEUTRAL
    chances = None
    if config.rows is not None:
        joint = target.joint(tree, apply(tree, mutation, (-1, -2)))
        chances = verdict_chances(joint, target.rows, config.rows)
    return Neighbour(mutation, probability, verdict, leaves, after, change, chances)


def _of_empty_tree(config: RunConfig) -> Iterator[Neighbour]:
    target = target_for(config.n)
    is_any = config.empty_tree == "any"
    for variable in range(1, config.n + 1):
        mutation = Mutation(Operation.INS, 0, variable, Function.AND, Side.LEFT)
        error = target.error(Leaf(0, variable))
        probability = Fraction(1, config.n if is_any else 3 * config.n)
        yield Neighbour(mutation, probability, Verdict.IMPROVED, 1, error, None)
    if not is_any:
        for idle in (deletion(0), substitution(0, 1)):
            yield Neighbour(idle, Fraction(1, 3), Verdict.UNCHANGED, 0, None, None)


def totals_of(neighbours: Iterable[Neighbour]) -> Totals:
    """Add up neighbours."""
    # A tree's neighbours share a handful of fractions. These are slow to compare, so they are told apart as
    # objects, which stay the same ones for as long as they are held here.
    shared: dict[int, Fraction] = {}
    counts: dict[tuple[Verdict, int], int] = {}
    changes: dict[int, int] = {}
    by_chance = {Verdict.IMPROVED: 0.0, Verdict.NEUTRAL: 0.0, Verdict.WORSE: 0.0}
    drift_by_chance = 0.0
    for _, probability, verdict, _, _, change, chances in neighbours:
        if chances is not None:
            for outcome, chance in zip(by_chance, chances, strict=True):
                by_chance[outcome] += float(probability) * chance
            drift_by_chance += float(probability) * (chances[0] + chances[1]) * (change or 0)
            continue
        which = id(probability)
        shared[which] = probability
        counts[verdict, which] = counts.get((verdict, which), 0) + 1
        if change is not None and change <= 0:
            changes[which] = changes.get(which, 0) + change
    probabilities: dict[Verdict, Fraction | float] = dict.fromkeys(Verdict, Fraction(0))
    for (verdict, which), count in counts.items():
        probabilities[verdict] += count * shared[which]
    drift: Fraction | float = sum((shared[which] * change for which, change in changes.items()), Fraction(0))
    for verdict, chance in by_chance.items():
        if chance:
            probabilities[verdict] += chance
    return Totals(probabilities, drift + drift_by_chance if drift_by_chance else drift)
