"""`gpviz check`: analyses one tree, its function, its state and its neighbours."""

import argparse
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, Final, TypeVar

from gpviz.analysis import ExpectedWait, Redundancy, expected_wait, redundancy
from gpviz.analysis.drift_bounds import drift_bound, leaves_removed_bound
from gpviz.analysis.neighbourhood import Totals, neighbours_of, totals_of
from gpviz.analysis.redundant_leaves import idle_essentials, sorted_leaves
from gpviz.cli.common_options import (
    Parser,
    add_config_options,
    add_json_option,
    config_for,
    read_formula,
    seconds_from,
)
from gpviz.cli.progress import Job
from gpviz.cli.run_summary import configuration_line, shortened
from gpviz.cli.terminal import facts_text, show
from gpviz.engine import (
    Mutation,
    Node,
    RunConfig,
    State,
    TooComplexError,
    TreeState,
    Verdict,
    describe,
    format_formula,
    parse,
    simplified,
    tree_state,
)
from gpviz.engine.config import is_full
from gpviz.engine.formula import ASCII, UNICODE, Style
from gpviz.engine.interruption import USUAL_SECONDS, Deadline, Stopped, checkpoint, stoppable
from gpviz.engine.mutation import is_root_and, trees_along
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.engine.true_row_count import MAX_CASES
from gpviz.explain.drift_guarantees import no_drift_reason, no_leaves_reason
from gpviz.explain.outlook_text import iterations_text, wait_phrase
from gpviz.explain.step_text import verdict_word
from gpviz.explain.tree_text import draw_tree
from gpviz.number_text import counted, number_text, rows_text

_Answer = TypeVar("_Answer")

_THEORY: Final = (
    "drift",
    "drift_exact",
    "drift_in_sample",
    "drift_ratio",
    "root_and_share",
    "leaves_removed",
    "leaves_removed_ratio",
    "looks_better",
    "is_better",
    "chance_of_growing_error",
)

DESCRIPTION: Final = "Analyse a tree: print its error, its state, and what the next iteration does to it."
EXAMPLES: Final = """examples:
  gpviz check "(x1 & x2) | (x2 & x1)" --n 4 --limit n --deletion leaf
  gpviz check "x1 & (x2 | x3)" --n 8 --json
"""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "formula",
        metavar="FORMULA",
        help="the tree as a formula; - reads it from standard input, @FILE from a file",
    )
    add_config_options(parser)
    parser.add_argument(
        "--budget",
        metavar="SECONDS",
        default=f"{USUAL_SECONDS:g}",
        help=f"stop after this many seconds and say what was left out ({USUAL_SECONDS:g})",
    )
    add_json_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Analyse the tree and print what is found."""
    tree = parse(read_formula(options.formula))
    found = _Findings(tree, config_for(tree, options), seconds_from(options.budget))
    if options.json:
        print(json.dumps(_data(found), indent=2))
        return 0
    for paragraph in _paragraphs(found):
        show(paragraph)
    if found.left_out:
        show("\n" + "\n".join(found.left_out))
    return 0


class _Findings:
    """What can be said about a tree; each finding is computed on first use, and is None if it was left out.

    ``left_out`` has a sentence for each finding that was left out, with the reason.
    """

    def __init__(self, tree: Node, config: RunConfig, seconds: float) -> None:
        self.tree = tree
        self.config = config
        self.left_out: list[str] = []
        self._deadline = Deadline(seconds)
        self._job = Job()

    def _found(
        self, what: str, work: Callable[[], _Answer], share: float = 1.0, *, needs_error: bool = False
    ) -> _Answer | None:
        """The answer to ``work``, which may take a share of the time that is left; None where it is left out."""
        if needs_error and self.error is None:
            self._leave_out(what, "it needs the error.")
            return None
        self._job.show(f"working out {what} ...")
        try:
            with stoppable(self._deadline.part(share)):
                checkpoint()
                return work()
        except Stopped:
            self._leave_out(what)
        except TooComplexError:
            self._leave_out(what, f"counting rows exactly takes more than {MAX_CASES:,} case distinctions.")
        finally:
            self._job.clear()
        return None

    def _leave_out(self, what: str, reason: str = "") -> None:
        seconds = f"{self._deadline.seconds:g}"
        too_long = f"{seconds} seconds were not enough (see --budget)."
        self.left_out.append(f"Left out: {what}; {reason or too_long}")

    @cached_property
    def error(self) -> int | None:
        return self._found("the error", lambda: target_for(self.config.n).error(self.tree))

    @cached_property
    def state(self) -> TreeState | None:
        """The state of the tree, or SOLVED where its error on all rows is one that the run accepts."""
        config, error = self.config, self.error
        if error is not None and not config.is_sampled and config.is_solved(error):
            reason = "The tree computes the target."
            if error:
                reason = f"Its error is at most {number_text(config.accept_error)}, which the run accepts."
            return TreeState(State.SOLVED, error, reason=reason)
        what = "whether the tree can become better"
        state = self._found(what, lambda: tree_state(self.tree, config, counts_error=False), share=0.5)
        if state is not None and state.state is State.UNDECIDED and not config.is_sampled:
            self._leave_out(what)
        return state

    @property
    def is_solved(self) -> bool:
        return self.state is not None and self.state.state is State.SOLVED

    @property
    def way_out(self) -> Iterator[tuple[Node, Mutation]]:
        """The mutations that lead to a smaller error, each with the tree before it."""
        mutations = () if self.state is None else self.state.way_out
        return zip(trees_along(self.tree, mutations), mutations, strict=True)

    @cached_property
    def redundancy(self) -> Redundancy | None:
        return self._found("which subtrees are idle", lambda: redundancy(self.tree, self.config), share=0.5)

    @cached_property
    def idle_essentials(self) -> tuple[int, ...]:
        """The essential leaves that could be deleted without change; none where that is left out."""
        if self.error is None:
            return ()
        found = self._found(
            "whether essential leaves are needed", lambda: idle_essentials(self.tree, self.config), share=0.2
        )
        return found or ()

    @cached_property
    def totals(self) -> Totals | None:
        tree, config = self.tree, self.config
        return self._found(
            "what the next iteration does",
            lambda: totals_of(neighbours_of(tree, config), tree),
            share=0.6,
            needs_error=True,
        )

    @property
    def drift_bound(self) -> Fraction | None:
        """What the paper guarantees of the drift of a run that has not ended; None where it says nothing."""
        return None if self.is_solved else drift_bound(self.tree, self.error, self.config)

    @property
    def leaves_bound(self) -> Fraction | None:
        """How many leaves the paper guarantees one iteration to remove; None where it says nothing."""
        return None if self.is_solved else leaves_removed_bound(self.tree, self.error, self.config)

    @property
    def is_full(self) -> bool:
        return is_full(self.tree, self.config)

    @property
    def no_guarantee(self) -> str:
        """Why the paper guarantees neither a drift nor that leaves go; empty where it does."""
        if self.is_solved or self.error is None or self.drift_bound or self.leaves_bound:
            return ""
        reason = no_leaves_reason if self.is_full and not self.config.is_sampled else no_drift_reason
        return reason(self.tree, self.error, self.config.rules)

    @cached_property
    def wait(self) -> ExpectedWait | None:
        """The expected wait; None for a solved tree, too."""
        if self.is_solved:
            return None
        return self._found(
            "the expected wait",
            lambda: expected_wait(self.tree, self.config, state=self.state),
            needs_error=True,
        )


def _data(found: _Findings) -> dict[str, Any]:
    tree, config, error, state = found.tree, found.config, found.error, found.state
    exact = None if error is None else Fraction(error, 2**config.n)
    essential, redundant = sorted_leaves(tree)
    parts, totals = found.redundancy, found.totals
    return {
        "state": None if state is None else state.name,
        "reason": None if state is None else state.reason,
        "error": error,
        "generalisation_error": _number(exact),
        "generalisation_error_exact": None if exact is None else str(exact),
        "formula": format_formula(tree),
        "simplified": simplified(tree),
        "leaves": tree.leaves,
        "ors": tree.ors,
        "plateau_trees": None if state is None else state.plateau_trees,
        "way_out": [_mutation_data(before, mutation) for before, mutation in found.way_out],
        "probabilities": None
        if totals is None
        else {verdict.value: float(p) for verdict, p in totals.probabilities.items()},
        **_theory_data(found),
        **_wait_data(found.wait, None if found.is_solved else totals),
        "essential": _labels(tree, essential, ASCII),
        "redundant": _labels(tree, redundant, ASCII),
        "essential_nodes": list(essential),
        "redundant_nodes": list(redundant),
        "idle_nodes": None if parts is None else list(parts.idle),
        "idle_essential_nodes": None
        if parts is None
        else sorted(set(parts.essential).intersection(parts.idle)),
        "left_out": found.left_out,
        "config": config.as_dict(),
    }


def _theory_data(found: _Findings) -> dict[str, Any]:
    """What one iteration is expected to do, and what the paper guarantees of it; None where it is not known."""
    totals, bound, leaves_bound, rows = found.totals, found.drift_bound, found.leaves_bound, found.config.rows
    bounds = {
        "drift_bound": _number(bound),
        "leaves_removed_bound": _number(leaves_bound),
    }
    if totals is None:
        return {**dict.fromkeys(_THEORY), **bounds}
    values = (
        float(totals.drift),
        str(totals.drift) if isinstance(totals.drift, Fraction) else None,
        None if rows is None else float(Fraction(totals.drift) * rows / 2**found.config.n),
        None if bound is None else float(totals.drift / bound),
        _number(totals.root_and_share),
        float(totals.leaves_removed),
        None if not leaves_bound else float(totals.leaves_removed / leaves_bound),
        float(totals.probabilities[Verdict.IMPROVED]),
        float(totals.is_better),
        float(totals.grows_error),
    )
    return {**dict(zip(_THEORY, values, strict=True)), **bounds}


def _number(value: Fraction | float | None) -> float | None:
    return None if value is None else float(value)


def _wait_data(wait: ExpectedWait | None, totals: Totals | None) -> dict[str, Any]:
    """The waits; one that is infinite, unknown or left out is None, and so are those of a solved tree."""
    unchanged = inf if totals is None else totals.wait_if_unchanged
    return {
        "expected_wait": None if wait is None or wait.is_never else wait.wait,
        "expected_wait_is_exact": None if wait is None else wait.is_exact,
        "expected_wait_error": None if wait is None else wait.standard_error,
        "chance_to_leave": None if wait is None else wait.chance_to_leave,
        "wait_if_unchanged": None if unchanged == inf else float(unchanged),
    }


def _mutation_data(tree: Node, mutation: Mutation) -> dict[str, Any]:
    return {
        "operation": mutation.operation.value,
        "node": mutation.node,
        "variable": mutation.variable,
        "function": mutation.function.value,
        "side": mutation.side.value,
        "text": describe(tree, mutation, ASCII),
    }


def _paragraphs(found: _Findings) -> Iterator[str]:
    """What there is to say, each part as soon as it is known."""
    tree, config = found.tree, found.config
    yield f"{configuration_line(config)}\n\n{draw_tree(tree)}\n"
    if found.error is not None:
        rows = rows_text(config.n)
        yield _facts([("error", f"{number_text(found.error)} of {rows} rows")])
    if found.state is not None:
        yield _facts([("state", f"{found.state.name}. {found.state.reason}")])
    essential, redundant = sorted_leaves(tree)
    facts = [
        ("computes", shortened(simplified(tree, UNICODE))),
        ("leaves", f"{tree.leaves}, {counted(tree.ors, 'OR')}"),
        ("essential", shortened(" ".join(_labels(tree, essential, UNICODE)) or "none")),
        ("redundant", shortened(" ".join(_labels(tree, redundant, UNICODE)) or "none")),
    ]
    if found.idle_essentials:
        facts.append(("note", _not_needed(_labels(tree, found.idle_essentials, UNICODE))))
    for number, (before, mutation) in enumerate(found.way_out, start=1):
        name = ", a root-and" if is_root_and(before, mutation) else ""
        facts.append((f"way out {number}", f"{describe(before, mutation, UNICODE)}{name}"))
    yield _facts(facts)
    if found.totals is not None:
        chances = _chances(found, found.totals)
        does = "one more iteration would do" if found.is_solved else "the next iteration does"
        exactly = "" if config.is_sampled else ", exactly"
        yield f"\nWhat {does}{exactly}:\n{_odds(chances)}"
    if found.wait is not None:
        waits = [("expected wait", wait_phrase(found.wait, is_sampled=config.is_sampled))]
        if found.totals is not None and not found.wait.is_never:
            waits.append(("if unchanged", _unchanged_phrase(found.totals)))
        yield _odds(waits) if found.totals is not None else f"\n{_odds(waits)}"


def _facts(facts: list[tuple[str, str]]) -> str:
    return facts_text(facts, width=len("way out 1"))


def _odds(odds: list[tuple[str, str]]) -> str:
    return facts_text(odds, width=len("expected wait"))


def _not_needed(labels: list[str]) -> str:
    """The sentence about essential leaves that could go."""
    if len(labels) > 1:
        names = shortened(" ".join(labels))
        return f"{names} are essential in the paper's sense, yet deleting one of them changes nothing"
    return f"{labels[0]} is essential in the paper's sense, yet deleting it changes nothing"


def _chances(found: _Findings, totals: Totals) -> list[tuple[str, str]]:
    """What the next iteration does, and what the paper guarantees of it."""
    config = found.config
    chances = [
        (verdict_word(verdict, is_sampled=config.is_sampled), _percent(p))
        for verdict, p in totals.probabilities.items()
    ]
    if config.rows is None:
        proven = _proven(totals.drift, found.drift_bound)
        chances.append(("drift", f"{float(totals.drift):.6g} rows an iteration{proven}"))
        if not found.is_full and totals.root_and_share is not None:
            chances.append(("root-ands", f"{_percent(totals.root_and_share)} of the drift"))
    else:
        chances.append(("is better", f"{_percent(totals.is_better)} on all rows"))
        chances.append(("truly worse", f"{_percent(totals.grows_error)} accepted though worse on all rows"))
        drift = float(Fraction(totals.drift) * config.rows / 2**config.n)
        rows = number_text(config.rows)
        chances.append(("drift", f"{drift:.6g} of {rows} sampled rows an iteration"))
    if found.is_full and config.rows is None:
        proven = _proven(totals.leaves_removed, found.leaves_bound)
        chances.append(("removes", f"{float(totals.leaves_removed):.6g} leaves an iteration{proven}"))
    if found.no_guarantee:
        chances.append(("no guarantee", found.no_guarantee))
    return chances


def _percent(chance: Fraction | float) -> str:
    return f"{100 * float(chance):6.2f} %"


def _proven(exact: Fraction | float, bound: Fraction | None) -> str:
    """What the paper guarantees, and how many times as much there is."""
    if not bound:
        return ""
    return (
        f" (the paper guarantees at least {float(bound):.3g}; this is {float(exact / bound):.3g} times that)"
    )


def _unchanged_phrase(totals: Totals) -> str:
    """How long it would take if no neutral step changed the tree."""
    wait = totals.wait_if_unchanged
    return "no single mutation improves this tree" if wait == inf else iterations_text(wait)


def _labels(tree: Node, numbers: tuple[int, ...], style: Style) -> list[str]:
    """The variables of these leaves, given by their numbers in preorder, from 1."""
    wanted = set(numbers)
    return [
        style.variable(leaf.variable)
        for number, leaf in enumerate(nodes_of(tree), start=1)
        if number in wanted and isinstance(leaf, Leaf)
    ]
