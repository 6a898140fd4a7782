"""The outlook after each accepted neighbour of a tree: which moves are fatal, and what comes of the average.

A move is fatal if every run from the new tree ends stuck, though not every one from the tree as it is does. The
chance to end stuck is a martingale: averaged over all that the next iteration can bring it stays what it is now.

Neighbours that are the same kind of tree share what is known of them. The outlooks are worked out by jobs, as
those along a run are: first roughly, improving neighbours and likely ones before others, then more precisely.
"""

from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Final, NamedTuple

from gpviz.analysis.neighbourhood import Neighbour
from gpviz.analysis.outlook import BATCH, WANTED_ERROR, Outlook
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Verdict
from gpviz.engine.mutation import Mutation, apply, fresh_uids
from gpviz.engine.tree import largest_uid
from gpviz.explain.next_iteration_odds import MutationOdds
from gpviz.explain.outlook_along_run import Job, KnownKinds
from gpviz.explain.outlook_text import chance_of, source_text
from gpviz.explain.tree_state_text import number_word
from gpviz.number_text import chance_text, counted, number_text

FATAL: Final = "† fatal"
"""The sign of a fatal move, with its name."""
_WANTED_ERROR: Final = 2 * WANTED_ERROR
_MOST_MOVES: Final = 1_000
_MOST_LEAVES: Final = 100_000
"""So many leaves may the trees after all moves have together; of a large tree fewer moves are looked at."""


class FatalMoves(NamedTuple):
    """How many moves are fatal, how likely the next iteration is to make one, and how many of them improve."""

    moves: int
    probability: Fraction
    improving: int


class NeighbourOutlooks:
    """The outlook of a tree and of its accepted neighbours, as far as it is known."""

    def __init__(self, odds: MutationOdds, config: RunConfig, kinds: KnownKinds | None = None) -> None:
        """The tree is one of a run of this configuration; ``kinds`` is what is known already."""
        kinds = KnownKinds() if kinds is None else kinds
        self.odds = odds
        self._own = kinds.of(odds.tree, config)
        accepted = [one for one in odds.neighbours if is_move(one)]
        size = 1 if odds.tree is None else odds.tree.leaves
        listed = sorted(accepted, key=_relevance)[: min(_MOST_MOVES, max(_MOST_LEAVES // size, 1))]
        self.moves: Final = len(accepted)
        """How many neighbours are accepted and change the tree."""
        self._is_all = len(listed) == len(accepted) and odds.is_complete
        uids = fresh_uids(largest_uid(odds.tree) + 1, 1)
        self._after = {one.mutation: kinds.of(apply(odds.tree, one.mutation, uids), config) for one in listed}
        self._listed = listed
        self._kinds = {id(kind): kind for kind in self._after.values()}
        self._probabilities = dict.fromkeys(self._kinds, Fraction(0))
        for one in listed:
            self._probabilities[id(self._after[one.mutation])] += one.probability

    @property
    def now(self) -> Outlook | None:
        """The outlook of the tree as it is."""
        return self._own.outlook

    def after(self, mutation: Mutation) -> Outlook | None:
        """The outlook of the tree that an accepted mutation makes, where it is known."""
        kind = self._after.get(mutation)
        return None if kind is None else kind.outlook

    def is_awaited(self, mutation: Mutation) -> bool:
        """Whether the outlook after this mutation is known or will be."""
        return mutation in self._after

    def is_fatal(self, mutation: Mutation) -> bool:
        """Whether every run ends stuck after this mutation, which not every one does now."""
        now, after = self.now, self.after(mutation)
        return now is not None and now.stuck < 1.0 and after is not None and _is_end(after)

    @property
    def fatal(self) -> FatalMoves:
        """What is known of fatal moves."""
        fatal = [one for one in self._listed if self.is_fatal(one.mutation)]
        improving = sum(one.verdict is Verdict.IMPROVED for one in fatal)
        return FatalMoves(len(fatal), sum((one.probability for one in fatal), Fraction(0)), improving)

    @property
    def mean(self) -> Outlook | None:
        """The chance to end stuck after the next iteration, averaged; None while some are unknown."""
        now = self.now
        if now is None or not self._is_all:
            return None
        left = Fraction(1)
        total = variance = 0.0
        is_exact = now.is_exact
        for key, kind in self._kinds.items():
            if kind is self._own:
                continue
            after = kind.outlook
            if after is None:
                return None
            left -= self._probabilities[key]
            weight = float(self._probabilities[key])
            total += weight * after.stuck
            variance += (weight * after.stuck_error) ** 2
            is_exact = is_exact and after.is_exact
        stays = float(left)
        error = sqrt(variance + (stays * now.stuck_error) ** 2)
        return Outlook(stuck=total + stays * now.stuck, stuck_error=error, is_exact=is_exact)

    @property
    def is_known(self) -> bool:
        """Whether something is known of each of the moves that are looked at."""
        return self.now is not None and all(kind.outlook is not None for kind in self._kinds.values())

    def next_job(self) -> Job | None:
        """What to work out next; None when all is known to the wanted error."""
        for kind in (self._own, *self._kinds.values()):  # those that matter most come first
            if not kind.is_looked_at:
                return Job(kind.look)
        if not self._own.is_done(WANTED_ERROR):
            return Job(partial(self._own.refine, WANTED_ERROR))
        rough = [kind for kind in self._kinds.values() if not kind.is_done(_WANTED_ERROR)]
        if not rough:
            return None
        doomed = [kind for kind in rough if kind.outlook is not None and kind.outlook.stuck == 1.0]
        return Job(partial((doomed or rough)[0].refine, _WANTED_ERROR))

    # --- as text ---

    def text(self, one: Neighbour) -> str:
        """The chance to end stuck after a neighbour, for a table."""
        if not is_move(one):
            return "–"
        after = self.after(one.mutation)
        if after is None:
            return "…" if self.is_awaited(one.mutation) else "–"
        if not self.is_fatal(one.mutation):
            return chance_of(after)
        sign = " ▲" if one.verdict is Verdict.IMPROVED else ""
        return f"{chance_of(after)} {FATAL}{sign}"

    def hint(self, one: Neighbour) -> str:
        """What else is to be said of it."""
        if not is_move(one):
            return "The tree stays as it is, and so does its outlook."
        after = self.after(one.mutation)
        if after is None:
            return "Being worked out." if self.is_awaited(one.mutation) else "Too many moves to look at all."
        source = source_text(after)
        text = f"{source[0].upper()}{source[1:]}."
        if not self.is_fatal(one.mutation):
            return text
        though = (
            "though it improves the error" if one.verdict is Verdict.IMPROVED else "though it keeps the error"
        )
        if after.is_exact:
            return f"Fatal, {though}: from the new tree no run reaches the error goal."
        runs = counted(after.continuations, "continuation")
        return f"Fatal, {though}: none of {runs} from the new tree reached the error goal."

    def summary(self) -> str:
        """How many moves are fatal, and the chance now and after the next step."""
        now = self.now
        if now is None:
            return "Working out the chance to end stuck …"
        if now.is_surely_stuck:
            return "Now 100 %: whatever comes next, the run ends stuck."
        return " ".join(filter(None, (self._fatal_text(), self._balance_text(now))))

    def _fatal_text(self) -> str:
        fatal, moves = self.fatal, counted(self.moves, "accepted move")
        if len(self._listed) < self.moves:
            moves = f"the {number_text(len(self._listed))} accepted moves examined"
        so_far = "" if self.is_known else "So far "
        if not fatal.moves:
            none = "none" if so_far else "None"
            return f"{so_far}{none} of {moves} is fatal."
        are = "is" if fatal.moves == 1 else "are"
        together = f"{'together ' if fatal.moves > 1 else ''}{chance_text(fatal.probability)} of an iteration"
        text = f"{so_far}{number_text(fatal.moves)} of {moves} {are} fatal, {together}"
        if not fatal.improving:
            return f"{text}."
        if fatal.moves == 1:
            return f"{text}, though it improves the error."
        improve = "improves" if fatal.improving == 1 else "improve"
        some = "all" if fatal.improving == fatal.moves else number_word(fatal.improving)
        return f"{text}; {some} of them {improve} the error."

    def _balance_text(self, now: Outlook) -> str:
        mean = self.mean
        chance = chance_of(now)
        if mean is None:
            return f"Now {chance}."
        after = chance_of(mean)
        return f"Now {chance}, after the next step {after} on average."


def is_move(one: Neighbour) -> bool:
    """Whether a neighbour is accepted and changes the tree."""
    return one.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)


def _relevance(one: Neighbour) -> tuple[bool, float]:
    return one.verdict is not Verdict.IMPROVED, -float(one.probability)


def _is_end(after: Outlook) -> bool:
    """Whether every run from a tree ends stuck, as far as anybody can tell."""
    return after.stuck == 1.0 and (after.is_exact or after.continuations >= BATCH)
