"""What one iteration is expected to do to a tree beside what the paper guarantees, in numbers and sentences."""

from fractions import Fraction
from typing import NamedTuple

from gpviz.analysis.drift_bounds import drift_bound, leaves_removed_bound
from gpviz.engine.config import Rules, is_full
from gpviz.engine.enums import Verdict
from gpviz.engine.tree import Node
from gpviz.explain.next_iteration_odds import MutationOdds
from gpviz.number_text import chance_text, counted, number_text, signed_text

_NONE = "–"
_PARTLY = "Not all mutations were examined."


class Fact(NamedTuple):
    """A number with a caption and a sentence, or several, that say what it means."""

    caption: str
    number: str
    sentence: str


def facts_of(odds: MutationOdds) -> tuple[Fact, ...]:
    """What theory says about the next iteration, which differs between full trees and others."""
    if odds.tree is None:
        return ()
    if odds.rules.is_sampled:
        return _facts_on_sample(odds)
    if is_full(odds.tree, odds.rules):
        return _facts_when_full(odds)
    return _facts_below_limit(odds)


def no_drift_reason(tree: Node | None, error: int | None, rules: Rules) -> str:
    """Why the paper guarantees no drift; empty where it does."""
    limit = rules.max_leaves
    if tree is None:
        return "The empty tree has no error yet."
    if rules.is_sampled:
        return "The paper guarantees a drift on the complete truth table only, not on sampled rows."
    if error == 0:
        return "The tree is right on all rows: there is nothing left to gain."
    if limit is None:
        return "The paper guarantees a drift only with a limit: in a large tree the root is rarely drawn."
    if limit < rules.n:
        return f"With a limit of {counted(limit, 'leaf')} there is no room for all {rules.n:,} variables."
    if is_full(tree, rules):
        return "A full tree accepts no insertion, so no root-and; the paper guarantees only that leaves go."
    return ""


def no_leaves_reason(tree: Node | None, error: int | None, rules: Rules) -> str:
    """Why the paper does not guarantee that an iteration removes leaves; empty where it does."""
    limit = rules.max_leaves
    if tree is None:
        return "The empty tree has no leaves."
    if rules.is_sampled:
        return "The paper guarantees this on the complete truth table only, not on sampled rows."
    if limit is None or tree.leaves < limit:
        return "The paper guarantees this only for a full tree."
    if error == 0:
        return "The tree is right on all rows, so it may need every leaf."
    if not rules.has_subtree_deletion:
        return "With leaf-only deletion nothing is guaranteed: perhaps no leaf can go alone."
    if limit < rules.n:
        return f"With {counted(limit, 'leaf')} for {rules.n:,} variables the tree may need every leaf."
    return ""


def times_text(ratio: Fraction | float) -> str:
    """How many times as large: ``1.5 ×``, ``410 ×``."""
    return f"{signed_text(ratio).removeprefix('+')} ×"


def _facts_below_limit(odds: MutationOdds) -> tuple[Fact, ...]:
    totals, rules = odds.totals, odds.rules
    bound = drift_bound(odds.tree, odds.error, rules)
    return (
        _drift_guarantee(odds, bound),
        _times("drift", totals.drift, bound, odds),
        _root_and_share(odds),
    )


def _drift_guarantee(odds: MutationOdds, bound: Fraction | None) -> Fact:
    caption = "drift guaranteed"
    rules, error = odds.rules, odds.error
    if bound is None or error is None:
        return Fact(caption, _NONE, no_drift_reason(odds.tree, error, rules))
    return Fact(
        caption,
        _amount(bound),
        "While the tree is not full, the paper guarantees at least (logₙ x + 1) x / (36 ℓ n) rows an iteration;"
        f" here x = {number_text(error)}, ℓ = {rules.max_leaves:,} and n = {rules.n:,}."
        " On its way there the paper prints k x / (12 ℓ n), a factor of 2 more than its argument gives;"
        " the guarantee holds all the same.",
    )


def _root_and_share(odds: MutationOdds) -> Fact:
    caption = "from root-ands"
    share = odds.totals.root_and_share
    if not odds.is_complete:
        return Fact(caption, _NONE, _PARTLY)
    if share is None:
        return Fact(caption, _NONE, "No mutation lowers the error.")
    rows = counted(_amount(odds.totals.root_and_drift), "row")
    return Fact(
        caption,
        chance_text(share),
        f"Root-ands, insertions of ∧ at the root, contribute {chance_text(share)} of the drift: {rows}."
        " They are all that the paper's argument counts.",
    )


def _facts_when_full(odds: MutationOdds) -> tuple[Fact, ...]:
    removed, rules = odds.totals.leaves_removed, odds.rules
    bound = leaves_removed_bound(odds.tree, odds.error, rules)
    sentence = (
        f"The tree is full. One iteration is expected to remove {_amount(removed)} leaves, E[Δ] in the paper:"
        " each accepted deletion counts with the leaves it takes away."
    )
    guarantee = Fact("leaves guaranteed", _NONE, no_leaves_reason(odds.tree, odds.error, rules))
    if bound is not None:
        guarantee = guarantee._replace(
            number=_amount(bound),
            sentence="For every full tree that is still wrong the paper guarantees"
            f" (ℓ − n + 1) / (3 (2ℓ − 1)) = {bound}, here with ℓ = {rules.max_leaves:,} and n = {rules.n:,}:"
            " at most n − 1 leaves are essential, and every other one is in a subtree whose deletion is accepted."
            f" {no_drift_reason(odds.tree, odds.error, rules)}",
        )
    return (
        Fact("leaves removed", f"{odds.at_least}{_amount(removed)}", sentence),
        guarantee,
        _times("number of leaves removed", removed, bound, odds),
    )


def _facts_on_sample(odds: MutationOdds) -> tuple[Fact, ...]:
    totals = odds.totals
    looks, better, grows = totals.probabilities[Verdict.IMPROVED], totals.is_better, totals.grows_error
    rows = counted(odds.rules.rows or 0, "row")
    partly = "" if odds.is_complete else f" {_PARTLY}"
    return (
        Fact(
            "looks better",
            f"{odds.at_least}{chance_text(looks)}",
            f"With a chance of {chance_text(looks)} the next offspring looks better than its parent:"
            f" it is wrong on fewer of the {rows} sampled.{partly}",
        ),
        Fact(
            "is better",
            f"{odds.at_least}{chance_text(better)}",
            f"With a chance of {chance_text(better)} the next offspring is better than its parent on all rows,"
            f" whether it looks so or not. Why lists these.{partly}",
        ),
        Fact(
            "accepts truly worse",
            f"{odds.at_least}{chance_text(grows)}",
            f"With a chance of {chance_text(grows)} the next iteration accepts an offspring that is worse on all"
            f" rows: the sample misleads.{partly}",
        ),
    )


def _times(what: str, exact: Fraction | float, bound: Fraction | None, odds: MutationOdds) -> Fact:
    caption = "times that"
    if not bound:
        return Fact(caption, _NONE, "There is no guarantee to compare with.")
    times = times_text(exact / bound)
    partly = "" if odds.is_complete else f" {_PARTLY}"
    return Fact(
        caption,
        f"{odds.at_least}{times}",
        f"The {what} is {times.removesuffix(' ×')} times what the paper guarantees.{partly}",
    )


def _amount(number: Fraction | float) -> str:
    return signed_text(number).removeprefix("+")
