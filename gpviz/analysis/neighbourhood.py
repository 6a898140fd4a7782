"""Lists all that one iteration can do to a tree: each mutation with its exact probability and effect."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Final, NamedTuple

from gpviz.engine.config import Rules, RunConfig, check_tree, is_full, rules_of
from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.interruption import ShouldStop, checkpoint, stoppable
from gpviz.engine.mutation import (
    Mutation,
    MutationSite,
    apply,
    deletion,
    is_root_and,
    mutation_sites,
    substitution,
    value_after,
)
from gpviz.engine.prime_implicants import TOO_MANY, Implicants, TooMany, conjoin, variables_in
from gpviz.engine.sampled_error import verdict_chances
from gpviz.engine.target import Conjunction, JointErrors, target_for
from gpviz.engine.tree import ROOT, Inner, Leaf, Node, svg_of, variables_of

# Going through an enumeration is slow, and so is looking up its members.
_SIDES: Final = tuple(Side)
_INS: Final = Operation.INS
_DEL: Final = Operation.DEL
_TOO_LARGE: Final = Verdict.TOO_LARGE


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
    """Sums over the neighbours of a tree.

    The ``probabilities`` are those of the verdicts, which in a sampled run say how offspring look. ``is_better``
    is the probability of drawing an offspring with fewer wrong rows on all rows, accepted or not, and
    ``grows_error`` that of accepting one with more. ``root_and_drift`` is the part of the drift that root-ands
    contribute. ``leaves_removed`` is how many leaves the accepted deletions are expected to take away.
    """

    probabilities: dict[Verdict, Fraction | float]
    drift: Fraction | float
    root_and_drift: Fraction | float = Fraction(0)
    is_better: Fraction | float = Fraction(0)
    grows_error: Fraction | float = Fraction(0)
    leaves_removed: Fraction | float = Fraction(0)

    @property
    def root_and_share(self) -> Fraction | float | None:
        """The share of the drift that is due to root-ands; None where there is no progress to share."""
        return self.root_and_drift / self.drift if self.drift > 0 else None

    @property
    def wait_if_unchanged(self) -> Fraction | float:
        """The expected number of iterations until one improves, if the tree stayed as it is; inf if none can.

        Neutral steps change the tree meanwhile; `gpviz.analysis.waiting_time` takes them into account.
        """
        improving = self.probabilities[Verdict.IMPROVED]
        return 1 / improving if improving else inf


@dataclass(frozen=True)
class Neighbourhood:
    """All neighbours of a tree under the rules of a configuration; their probabilities sum to 1."""

    tree: Node | None
    config: RunConfig | Rules
    neighbours: tuple[Neighbour, ...]

    def probability(self, verdict: str) -> Fraction | float:
        """The probability that the next iteration ends with this verdict."""
        return self.probabilities[Verdict(verdict)]

    @property
    def probabilities(self) -> dict[Verdict, Fraction | float]:
        """The probability of each verdict."""
        return self.totals.probabilities

    @property
    def drift(self) -> Fraction | float:
        """By how many rows the error is expected to fall in one iteration, E[X_t - X_{t+1}] for the error X on
        all rows: positive is progress. In a sampled run it may be negative."""
        return self.totals.drift

    @property
    def wait_if_unchanged(self) -> Fraction | float:
        """The expected number of iterations until one improves, if the tree stayed as it is; inf if none can."""
        return self.totals.wait_if_unchanged

    def at_node(self, number: int) -> dict[Verdict, Fraction | float]:
        """The probability of each verdict together with this node being chosen."""
        return totals_of(self._by_node.get(number, [])).probabilities

    def _repr_svg_(self) -> str:
        return svg_of(self)

    @cached_property
    def totals(self) -> "Totals":
        """The sums over all neighbours."""
        return totals_of(self.neighbours, self.tree)

    @cached_property
    def _by_node(self) -> dict[int, list[Neighbour]]:
        by_node: dict[int, list[Neighbour]] = {}
        for neighbour in self.neighbours:
            by_node.setdefault(neighbour.mutation.node, []).append(neighbour)
        return by_node


def neighbourhood(
    tree: Node | None, config: RunConfig | Rules, *, should_stop: ShouldStop | None = None
) -> Neighbourhood:
    """The neighbourhood of a tree, exactly; raises `Stopped` once ``should_stop`` says so."""
    with stoppable(should_stop):
        return Neighbourhood(tree, config, tuple(neighbours_of(tree, config)))


def neighbours_of(
    tree: Node | None, config: RunConfig | Rules, *, are_sides_merged: bool = False
) -> Iterator[Neighbour]:
    """The neighbours of a tree one by one, for callers who only add them up, or may stop early.

    It passes a checkpoint (`gpviz.engine.interruption`) before each mutation that takes some work. The side of an
    insertion makes no difference to the function; with ``are_sides_merged`` both sides are one neighbour, the one
    on the left, with the probability of both.
    """
    rules = rules_of(config)
    check_tree(tree, rules)
    if tree is None:
        return _neighbours_of_empty_tree(rules)
    return _neighbours_of_tree(tree, rules, (Side.LEFT,) if are_sides_merged else _SIDES)


class _Judging(NamedTuple):
    """A tree with its error, and the rules by which its neighbours are judged."""

    tree: Node
    error: int
    rules: Rules
    target: Conjunction


def _neighbours_of_tree(tree: Node, rules: Rules, sides: tuple[Side, ...]) -> Iterator[Neighbour]:
    target = target_for(rules.n)
    around = _Judging(tree, target.error(tree), rules, target)
    insertion, removal, exchange = _probabilities(tree, rules)
    insertion /= len(sides)
    is_tree_full = is_full(tree, rules)
    variables = range(1, rules.n + 1)
    for site in mutation_sites(tree):
        number = site.number
        for function in rules.functions:
            for variable in variables:
                first = None
                for side in sides:
                    mutation = Mutation(_INS, number, variable, function, side)
                    if is_tree_full:
                        yield Neighbour(mutation, insertion, _TOO_LARGE, tree.leaves + 1, None, None)
                    elif first is None:
                        first = _judged_neighbour(around, site, mutation, insertion, tree.leaves + 1)
                        yield first
                    else:  # the side makes no difference to the function
                        yield first._replace(mutation=mutation)
        is_leaf = isinstance(site.node, Leaf)
        if is_leaf or rules.has_subtree_deletion:
            leaves = tree.leaves if site.parent is None else tree.leaves - site.node.leaves
            yield _judged_neighbour(around, site, deletion(number), removal, leaves)
        if is_leaf:
            for variable in variables:
                yield _judged_neighbour(around, site, substitution(number, variable), exchange, tree.leaves)


def _probabilities(tree: Node, rules: Rules) -> tuple[Fraction, Fraction, Fraction]:
    """The probabilities of one insertion, on either side, one deletion and one substitution."""
    deletions = tree.size if rules.has_subtree_deletion else tree.leaves
    return (
        Fraction(1, 3 * tree.size * rules.n * len(rules.functions)),
        Fraction(1, 3 * deletions),
        Fraction(1, 3 * tree.leaves * rules.n),
    )


def _judged_neighbour(
    around: _Judging, site: MutationSite, mutation: Mutation, probability: Fraction, leaves: int
) -> Neighbour:
    checkpoint()
    error, rules, target = around.error, around.rules, around.target
    value = value_after(site, mutation)
    if value is None:
        return Neighbour(mutation, probability, Verdict.UNCHANGED, leaves, error, 0)
    after = _error_of(value, around, mutation)
    change = after - error
    verdict = Verdict.IMPROVED if change < 0 else Verdict.WORSE if change else Verdict.NEUTRAL
    chances = None
    if rules.rows is not None:
        chances = verdict_chances(_joint(around, mutation, value, after), target.rows, rules.rows)
    return Neighbour(mutation, probability, verdict, leaves, after, change, chances)


def _error_of(value: Implicants, around: _Judging, mutation: Mutation) -> int:
    if isinstance(value, TooMany):
        return around.target.error(apply(around.tree, mutation, (-1, -2)))
    return around.target.error_of(value)


def _joint(around: _Judging, mutation: Mutation, value: Implicants, after: int) -> JointErrors:
    """On how many rows tree and offspring are wrong, together and alone; builds the offspring only if it must."""
    both = TOO_MANY if isinstance(value, TooMany) else conjoin(around.tree.value, value)
    if isinstance(both, TooMany):
        return around.target.joint(around.tree, apply(around.tree, mutation, (-1, -2)))
    shared = around.target.error_of(both)
    return JointErrors(shared, around.error - shared, after - shared)


def chance_of_growing_error(tree: Node | None, config: RunConfig | Rules) -> Fraction | float:
    """The chance that the next iteration of a sampled run accepts an offspring with a larger error on all rows.

    It is 0 on the complete truth table. It takes far less work than listing the neighbours: no insertion of an AND
    and no deletion below an OR adds a wrong row, and the variables that are not in the tree are all alike, so one
    of them stands for all. It passes a checkpoint before each mutation that takes some work.
    """
    rules = rules_of(config)
    check_tree(tree, rules)
    if tree is None or rules.rows is None:
        return Fraction(0)
    target = target_for(rules.n)
    around = _Judging(tree, target.error(tree), rules, target)
    present = variables_of(tree)
    absent = (1 << rules.n) - 1 & ~present
    variables = [(variable, 1) for variable in variables_in(present)]
    if absent:
        variables.append((variables_in(absent)[0], absent.bit_count()))
    insertion, removal, exchange = map(float, _probabilities(tree, rules))
    is_growing = Function.OR in rules.functions and not is_full(tree, rules)
    total = 0.0
    for site in mutation_sites(tree):
        is_leaf = isinstance(site.node, Leaf)
        for variable, times in variables:
            if is_growing:
                mutation = Mutation(_INS, site.number, variable, Function.OR, Side.LEFT)
                total += times * insertion * _chance_to_accept_worse(around, site, mutation)
            if is_leaf:
                mutation = substitution(site.number, variable)
                total += times * exchange * _chance_to_accept_worse(around, site, mutation)
        is_below_and = site.parent is not None and _is_and(site.parent.node)
        if is_below_and and (is_leaf or rules.has_subtree_deletion):
            total += removal * _chance_to_accept_worse(around, site, deletion(site.number))
    return total


def _is_and(node: Node) -> bool:
    return isinstance(node, Inner) and node.function is Function.AND


def _chance_to_accept_worse(around: _Judging, site: MutationSite, mutation: Mutation) -> float:
    """The chance that an offspring with a larger error on all rows is accepted; 0 if its error is not larger.

    Only for substitutions, and for mutations that only add true rows: their offspring is wrong wherever the parent
    is.
    """
    checkpoint()
    rows, value = around.rules.rows, value_after(site, mutation)
    if value is None or rows is None:
        return 0.0
    after = _error_of(value, around, mutation)
    if after <= around.error:
        return 0.0
    if mutation.operation is Operation.SUB:
        joint = _joint(around, mutation, value, after)
    else:
        joint = JointErrors(around.error, 0, after - around.error)
    improved, neutral, _ = verdict_chances(joint, around.target.rows, rows)
    return improved + neutral


def _neighbours_of_empty_tree(rules: Rules) -> Iterator[Neighbour]:
    target = target_for(rules.n)
    is_any = rules.empty_tree == "any"
    for variable in range(1, rules.n + 1):
        mutation = Mutation(Operation.INS, ROOT, variable, Function.AND, Side.LEFT)
        error = target.error(Leaf(0, variable))
        probability = Fraction(1, rules.n if is_any else 3 * rules.n)
        yield Neighbour(mutation, probability, Verdict.IMPROVED, 1, error, None)
    if not is_any:
        for idle in (deletion(ROOT), substitution(ROOT, 1)):
            yield Neighbour(idle, Fraction(1, 3), Verdict.UNCHANGED, 0, None, None)


def totals_of(neighbours: Iterable[Neighbour], tree: Node | None = None) -> Totals:
    """The sums over neighbours of a tree; without the tree, those about root-ands and leaves are left out."""
    # A tree's neighbours share a handful of fractions. Comparing these is slow, so it is done by identity, which
    # is safe as long as they are held here.
    shared: dict[int, Fraction] = {}
    counts: dict[tuple[Verdict, int], int] = {}
    gains: dict[int, int] = {}
    root_gains: dict[int, int] = {}
    better: dict[int, int] = {}
    removed: dict[int, int] = {}
    by_chance = {Verdict.IMPROVED: 0.0, Verdict.NEUTRAL: 0.0, Verdict.WORSE: 0.0}
    drift_by_chance = grows = removed_by_chance = 0.0
    for mutation, probability, verdict, leaves, _, change, chances in neighbours:
        which = id(probability)
        shared[which] = probability
        if change is not None and change < 0:
            better[which] = better.get(which, 0) + 1
            if is_root_and(tree, mutation):
                root_gains[which] = root_gains.get(which, 0) - change
        gone = tree.leaves - leaves if tree is not None and mutation.operation is _DEL else 0
        if chances is None:
            counts[verdict, which] = counts.get((verdict, which), 0) + 1
            if change is not None and change <= 0:
                gains[which] = gains.get(which, 0) - change
                removed[which] = removed.get(which, 0) + gone
            continue
        weight = float(probability)
        accepted = weight * (chances[0] + chances[1])
        for outcome, chance in zip(by_chance, chances, strict=True):
            by_chance[outcome] += weight * chance
        drift_by_chance -= accepted * (change or 0)
        removed_by_chance += accepted * gone
        if change is not None and change > 0:
            grows += accepted

    def total(numbers: Mapping[int, int]) -> Fraction:
        return sum((shared[which] * number for which, number in numbers.items()), Fraction(0))

    probabilities: dict[Verdict, Fraction | float] = dict.fromkeys(Verdict, Fraction(0))
    for (verdict, which), count in counts.items():
        probabilities[verdict] += count * shared[which]
    for verdict, chance in by_chance.items():
        if chance:
            probabilities[verdict] += chance
    drift, leaves_removed = total(gains), total(removed)
    return Totals(
        probabilities,
        drift + drift_by_chance if drift_by_chance else drift,
        total(root_gains),
        total(better),
        grows or Fraction(0),
        leaves_removed + removed_by_chance if removed_by_chance else leaves_removed,
    )
