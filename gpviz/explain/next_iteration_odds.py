"""What the next iteration can do to a tree, in numbers and sentences: shares, waits, drift, changes."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, count, groupby, islice
from time import perf_counter
from typing import Final, NamedTuple

from gpviz.analysis.drift_bounds import drift_bound
from gpviz.analysis.neighbourhood import Neighbour, Totals, neighbours_of, totals_of
from gpviz.engine.config import Rules, RunConfig, rules_of
from gpviz.engine.enums import Verdict
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Deadline, ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.tree import ROOT, Node, nodes_of
from gpviz.number_text import chance_text, counted, rows_text, signed_text
from gpviz.runs.history import History
from gpviz.runs.step_encoding import Property

MOST_SECONDS: Final = 2.0
MOST_LISTED: Final = 100_000
"""More mutations fill the memory, and nobody looks through them."""

_AT_ONCE: Final = 64
"""How many mutations are looked at between two looks at the clock."""

_SMALL: Final = 0.001
_MOST_BINS: Final = 9
_OUTCOMES: Final = (Verdict.IMPROVED, Verdict.NEUTRAL, Verdict.WORSE)


class Share(NamedTuple):
    """The chance that the next iteration mutates a node, and that it does and improves."""

    here: float
    improving: float


class Bin(NamedTuple):
    """Error changes from ``first`` to ``last``, and the probability of one of them."""

    first: int
    last: int
    probability: float


@dataclass(frozen=True)
class MutationOdds:
    """What the next iteration can do to a tree under its rules.

    An insertion on the left and the same one on the right are one entry of ``neighbours``, with the probability of
    both. ``count`` counts them apart, and those that were not looked at too. ``problem`` is a sentence that says
    why the list is not complete, or nothing; then everything is about the part that was looked at, whose
    probability is ``covered``.
    """

    tree: Node | None
    rules: Rules
    neighbours: tuple[Neighbour, ...]
    totals: Totals
    covered: Fraction
    count: int
    problem: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether all mutations were looked at."""
        return not self.problem

    @property
    def at_least(self) -> str:
        """What stands before a probability: nothing, or the sign that some mutations were not looked at."""
        return "" if self.is_complete else "≥ "

    def probability(self, verdict: Verdict) -> Fraction | float:
        """The probability that the next iteration ends with this verdict, as far as it was looked at."""
        return self.totals.probabilities[verdict]

    @cached_property
    def error(self) -> int | None:
        """The tree's error on all rows, where a mutation tells it."""
        for neighbour in self.neighbours:
            if neighbour.error is not None and neighbour.error_change is not None:
                return neighbour.error - neighbour.error_change
        return None

    @property
    def drift_bound(self) -> Fraction | None:
        """The least drift that the paper proves for this tree, if it does."""
        return drift_bound(self.tree, self.error, self.rules)

    @property
    def drift(self) -> Fraction | float:
        """The drift in the rows in which the run counts errors: those of a sample where it draws one."""
        drift = self.totals.drift
        return Fraction(drift) * self.row_share if self.rules.is_sampled else drift

    @property
    def row_share(self) -> Fraction:
        """How many of the rows in which the run counts errors there are for each of all rows, on average."""
        rows = self.rules.rows
        return Fraction(1) if rows is None else Fraction(rows, 2**self.rules.n)

    @cached_property
    def changes(self) -> dict[int, float]:
        """The probability of each change of the error on all rows, where there is one."""
        changes: dict[int, float] = {}
        for neighbour in self.neighbours:
            change = neighbour.error_change
            if change is not None:
                changes[change] = changes.get(change, 0.0) + float(neighbour.probability)
        return changes

    @cached_property
    def shares(self) -> dict[int, Share]:
        """For each node, by its uid, its share of the mutations."""
        here: dict[int, float] = {}
        improving: dict[int, float] = {}
        for mutation, probability, verdict, _, _, _, chances in self.neighbours:
            node, weight = mutation.node, float(probability)
            here[node] = here.get(node, 0.0) + weight
            if chances is not None:
                improving[node] = improving.get(node, 0.0) + weight * chances[0]
            elif verdict is Verdict.IMPROVED:
                improving[node] = improving.get(node, 0.0) + weight
        return {
            node.uid: Share(here.get(number, 0.0), improving.get(number, 0.0))
            for number, node in enumerate(nodes_of(self.tree), start=ROOT)
        }

    def share_text(self, uid: int) -> str:
        """What is to be said of a node: how often it is mutated, and to what avail."""
        share = self.shares.get(uid)
        if share is None or not self.is_complete:
            return ""
        here = _part(share.here, "mutations is here", "of all mutations are here")
        one, many = ("looks", "look") if self.rules.is_sampled else ("improves", "improve")
        better = " better" if self.rules.is_sampled else ""
        if not share.improving:
            return f"{here}; none of these {one}{better}"
        return (
            f"{here}; {_part(share.improving, f'is here and {one}{better}', f'are here and {many}{better}')}"
        )


def odds_of(
    tree: Node | None,
    config: RunConfig | Rules,
    *,
    should_stop: ShouldStop | None = None,
    most_seconds: float = MOST_SECONDS,
    most_listed: int = MOST_LISTED,
    clock: Callable[[], float] = perf_counter,
) -> MutationOdds:
    """Look at all mutations of a tree, as long as the budget lasts and nobody says stop."""
    rules = rules_of(config)
    found: list[Neighbour] = []
    problem = ""
    deadline = Deadline(most_seconds, clock)
    try:
        with stoppable(should_stop):
            for number, neighbour in enumerate(neighbours_of(tree, rules, are_sides_merged=True)):
                if number % _AT_ONCE == 0 and number:
                    checkpoint()
                    if deadline():
                        problem = f"Too many to list within {most_seconds:g} seconds."
                        break
                if number >= most_listed:
                    problem = f"Too many to list: more than {most_listed:,}."
                    break
                found.append(neighbour)
    except Stopped:
        problem = "Stopped."
    except TooComplexError as error:
        problem = f"The effect of some mutations takes too long to work out. {error}"
    covered = sum((one.probability for one in found), Fraction(0)) if problem else Fraction(1)
    neighbours_found = tuple(found)
    odds = MutationOdds(
        tree,
        rules,
        neighbours_found,
        totals_of(neighbours_found, tree),
        covered,
        _count(tree, rules),
        problem,
    )
    if should_stop is None or not should_stop():
        # Whoever shows them should not have to wait for these.
        _ = odds.changes, odds.shares
    return odds


def likely_verdict(neighbour: Neighbour) -> Verdict:
    """The verdict, or in a sampled run the most likely one."""
    chances = neighbour.chances
    if chances is None:
        return neighbour.verdict
    return _OUTCOMES[max(range(len(chances)), key=chances.__getitem__)]


def acceptance(neighbour: Neighbour) -> float:
    """The chance that the mutation is accepted once it is drawn."""
    if neighbour.chances is None:
        return float(neighbour.verdict.is_accepted)
    return min(neighbour.chances[0] + neighbour.chances[1], 1.0)


def waited_at(history: History, iteration: int) -> int:
    """For how many iterations up to this one nothing has improved."""
    return iteration - (history.previous_where(Property.IMPROVED, iteration + 1) or 0)


def waited_text(waited: int, iteration: int) -> str:
    """For how many iterations nothing has improved, in a sentence."""
    if not iteration:
        return "The run has not begun."
    if not waited:
        return "This iteration improved."
    iterations = counted(waited, "iteration")
    if waited == iteration:
        return f"The run has not improved in its {iterations}."
    return f"The run has been waiting for {iterations} since its last improvement."


def drift_figure(odds: MutationOdds) -> str:
    """By how many rows the error is expected to fall in one iteration, in little space; of the sampled rows."""
    return "–" if odds.tree is None else f"{_drift_sign(odds)}{signed_text(odds.drift)}"


def drift_text(odds: MutationOdds) -> str:
    """By how much the error is expected to fall in one iteration, and by how much the paper proves it to."""
    if odds.tree is None:
        return "There is no drift: the empty tree has no error yet."
    drift = odds.drift
    size = signed_text(-drift if drift < 0 else drift).removeprefix("+")
    rows = counted(size, "row")
    falls = "rises" if drift < 0 else "falls"
    error = "error"
    if odds.rules.rows is not None:
        error = f"expected error on {counted(odds.rules.rows, 'sampled row')}"
    if not odds.is_complete:
        part = "at least" if _drift_sign(odds) == "≥ " else "about"
        text = f"In one iteration the {error} {falls} by {part} {rows} on average."
        return f"{text} Not all mutations were examined.{_bound_text(odds)}"
    text = f"In one iteration the {error} {falls} by {rows} on average; rejected offspring change nothing."
    return f"{text}{_all_rows_text(odds)}{_bound_text(odds)}"


def _all_rows_text(odds: MutationOdds) -> str:
    """What the drift of a sampled run is on all rows."""
    drift = odds.totals.drift
    if not odds.rules.is_sampled or not drift:
        return ""
    size = signed_text(-drift if drift < 0 else drift).removeprefix("+")
    return f" On all {rows_text(odds.rules.n)} rows it is {size}."


def _drift_sign(odds: MutationOdds) -> str:
    """What stands before the drift where only a part was looked at: what a sample accepts may also add errors."""
    if odds.is_complete:
        return ""
    return "≈ " if odds.rules.is_sampled else "≥ "


def _bound_text(odds: MutationOdds) -> str:
    bound = odds.drift_bound
    if bound is None:
        return ""
    size = signed_text(bound).removeprefix("+")
    return f" The paper guarantees at least {size} for a tree that is not full."


def bins_of(changes: Mapping[int, float], most: int = _MOST_BINS) -> list[Bin]:
    """The changes in bins, at most ``most`` a side; 0 has one of its own, and each ends at changes that occur.

    A side with few changes has a bin for each. Otherwise their ranges grow with the distance from 0. A side
    without changes has an empty bin, so that one sees that there is nothing.
    """
    better = sorted(-change for change in changes if change < 0)
    worse = sorted(change for change in changes if change > 0)

    def weight(group: list[int]) -> float:
        return sum(changes[change] for change in group)

    lower = [
        Bin(-sizes[-1], -sizes[0], weight([-size for size in sizes]))
        for sizes in reversed(_groups(better, most))
    ]
    higher = [Bin(sizes[0], sizes[-1], weight(sizes)) for sizes in _groups(worse, most)]
    same = Bin(0, 0, changes.get(0, 0.0))
    return [*(lower or [Bin(-1, -1, 0.0)]), same, *(higher or [Bin(1, 1, 0.0)])]


def _groups(sizes: list[int], most: int) -> list[list[int]]:
    """Sizes, from the smallest on, in at most so many groups."""
    if len(sizes) <= most:
        return [[size] for size in sizes]
    edges = _edges(sizes[-1], most)
    groups = groupby(sizes, key=lambda size: bisect_right(edges, size))
    return [list(group) for _, group in groups]


def _edges(largest: int, most: int) -> list[int]:
    """Where bins begin, such as 1, 3, 10, 30, and one more beyond the largest."""
    ladders = chain([((1, 2, 5), 1), ((1, 3), 1)], (((1,), decades) for decades in count(1)))
    for mantissas, decades in ladders:
        rungs = (mantissa * 10**exponent for exponent in count(0, decades) for mantissa in mantissas)
        edges = list(islice(rungs, most + 1))
        if edges[-1] > largest:
            break
    return edges[: bisect_right(edges, largest) + 1]


def _count(tree: Node | None, rules: Rules) -> int:
    """How many distinct mutations there are, with sides apart."""
    if tree is None:
        return rules.n if rules.empty_tree == "any" else rules.n + 2
    deletable = tree.size if rules.has_subtree_deletion else tree.leaves
    return 2 * tree.size * rules.n * len(rules.functions) + deletable + tree.leaves * rules.n


def _part(chance: float, one: str, many: str) -> str:
    """How many of all mutations do something, with a text for one of them and one for several."""
    return f"{chance_text(chance)} {one if 0.0 < chance < _SMALL else many}"
