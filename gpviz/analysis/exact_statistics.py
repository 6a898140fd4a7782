"""Exact statistics of all runs of a configuration, where its Markov chain is small enough to be solved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpviz.analysis.markov_chain import OnProgress, SolvedChain, largest_limit, solved_chain
from gpviz.engine.config import Rules, RunConfig, rules_of
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.interruption import ShouldStop, checkpoint, stoppable

MOST_STATES: Final = 150_000
"""The chain may be larger than for a tree of a run on show: whoever asks for these statistics waits for them."""

QUANTILES: Final[Mapping[str, float]] = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
"""The quantiles of T that an `ExactCell` has, by name."""

_MOST_WORK: Final = 2_000_000_000
"""The iterations times the transitions that are gone through to find the quantiles: ten seconds' work."""


@dataclass(frozen=True, slots=True)
class ExactCell:
    """How runs from the empty tree end.

    ``stuck`` is the probability never to reach the error goal. All else is about the runs that do reach it, and
    None if there are none: ``mean`` and ``sd`` of the number of iterations T, ``quantiles`` of T by name, each the
    first iteration by which at least that share of these runs is solved, ``leaves`` with ``leaves_sd`` and ``ors``
    of the tree that reaches it. The quantiles are None, too, where they are too far off to be stepped to.
    ``states`` counts the kinds of trees that a run can reach, with the empty tree and the solved ones.
    """

    stuck: float
    mean: float | None
    sd: float | None
    leaves: float | None
    leaves_sd: float | None
    ors: float | None
    states: int
    quantiles: Mapping[str, int] | None


def exact(
    config: RunConfig | Rules,
    *,
    most_states: int = MOST_STATES,
    should_stop: ShouldStop | None = None,
    on_progress: OnProgress | None = None,
) -> ExactCell:
    """How the runs of a configuration end, without a single run.

    Raises `InvalidValueError` where the chain is too large, or rows are sampled, and `Stopped` once
    ``should_stop`` says so. ``on_progress`` is called now and then, with how many states are solved of how many.
    """
    rules = rules_of(config)
    if rules.is_sampled:
        raise InvalidValueError(
            "rows", config.rows, "left out, as there are exact values for the complete truth table only"
        )
    with stoppable(should_stop):
        chain = solved_chain(rules, most_states=most_states, on_progress=on_progress)
        if chain is None:
            most = largest_limit(rules, most_states)
            if rules.max_leaves is not None:
                most = min(most, rules.max_leaves - 1)
            raise InvalidValueError(
                "limit",
                rules.limit,
                f"at most {most} leaves here, as with more the Markov chain is too large",
            )
        value = chain.value_of(None)
        assert value is not None
        return ExactCell(
            stuck=value.stuck,
            mean=value.remaining,
            sd=value.remaining_sd,
            leaves=value.leaves,
            leaves_sd=value.leaves_sd,
            ors=value.ors,
            states=value.states,
            quantiles=None if value.remaining is None else _quantiles(chain, 1.0 - value.stuck),
        )


def _quantiles(chain: SolvedChain, success: float) -> dict[str, int] | None:
    """The quantiles of T, from the probabilities of the states after each iteration."""
    sources, targets, probabilities = chain.iterations
    size = len(chain.is_solved)
    leaving = np.bincount(sources, probabilities, minlength=size)
    at = np.zeros(size)
    at[0] = 1.0
    wanted = list(QUANTILES.items())
    found: dict[str, int] = {}
    for iteration in range(1, _MOST_WORK // max(len(sources), size) + 1):
        checkpoint()
        at += np.bincount(targets, at[sources] * probabilities, minlength=size) - at * leaving
        solved = float(at[chain.is_solved].sum()) / success
        # Rounding must not decide by which of two iterations a share is reached exactly.
        while wanted and solved >= wanted[0][1] - 1e-12:
            found[wanted.pop(0)[0]] = iteration
        if not wanted:
            return found
    return None
