"""How a run was configured and how it ended, as text for people and as data for programs."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeVar

from gpviz.cli.terminal import facts_text
from gpviz.engine import (
    UNICODE,
    Outcome,
    Result,
    RlsGp,
    RunConfig,
    TooComplexError,
    format_formula,
    simplified,
)
from gpviz.engine.interruption import ShouldStop, Stopped, stoppable
from gpviz.engine.mutation_script import format_script
from gpviz.explain.tree_text import draw_tree, error_text
from gpviz.number_text import counted
from gpviz.runs.settings_text import settings_text

_Fact = TypeVar("_Fact")
_LONGEST_TEXT: Final = 400


def summary_text(
    config: RunConfig, result: Result, reason: str = "", should_stop: ShouldStop | None = None
) -> str:
    """How a run ended, for people; ``reason`` is a sentence on why it was stopped.

    What takes long to find out about a tangled tree is left out where somebody wants that.
    """
    facts = [("error", "none, as the tree is empty")]
    if result.tree is not None and result.error is not None:
        facts = [("error", error_text(result.error, config))]
        if config.is_sampled:
            exact = _found(lambda: result.generalisation_error, should_stop)
            facts.append(("on all rows", _probability(exact)))
    limit = "no limit" if config.max_leaves is None else f"limit {config.max_leaves}"
    better = "looked better" if config.is_sampled else "improved"
    facts += [
        ("leaves", f"{result.leaves} ({limit})"),
        ("ORs", f"{result.ors} in the tree, {result.ors_accepted} accepted on the way"),
        ("accepted", f"{_share(result.accepted, result.iterations)}, {result.improved} of them {better}"),
    ]
    computes = None if result.tree is None else _found(lambda: simplified(result.tree, UNICODE), should_stop)
    if computes is not None:
        facts.append(("computes", shortened(computes)))
    lines = [
        configuration_line(config, has_seed=True),
        outcome_line(result, reason),
        "",
        facts_text(facts),
        "",
        draw_tree(result.tree),
    ]
    return "\n".join(lines)


def summary_data(
    search: RlsGp,
    result: Result,
    until: str | None = None,
    is_until_met: bool | None = None,
    should_stop: ShouldStop | None = None,
) -> dict[str, Any]:
    """How a run ended, as plain data; ``until`` is the query it was to stop at, if one, and whether it did.

    What is too complex, or takes longer than somebody wants to wait, is None.
    """
    exact = _found(lambda: result.generalisation_error, should_stop)
    settings = {**search.config.as_dict(), "start": format_formula(search.start)}
    if search.script:
        settings["script"] = format_script(search.script, search.start)
    return {
        "outcome": result.outcome.value,
        "iterations": result.iterations,
        "error": result.error,
        "generalisation_error": None if exact is None else float(exact),
        "generalisation_error_exact": None if exact is None else str(exact),
        "leaves": result.leaves,
        "ors": result.ors,
        "accepted": result.accepted,
        "improved": result.improved,
        "ors_accepted": result.ors_accepted,
        "formula": format_formula(result.tree),
        "simplified": _found(lambda: simplified(result.tree), should_stop),
        "stuck_since": result.stuck_since,
        "until": until,
        "until_matched": is_until_met,
        "config": settings,
    }


def _found(work: Callable[[], _Fact], should_stop: ShouldStop | None) -> _Fact | None:
    """What comes of this; None if it is too complex, or somebody wants it to stop before."""
    try:
        with stoppable(should_stop):
            return work()
    except (TooComplexError, Stopped):
        return None


def configuration_line(config: RunConfig, *, has_seed: bool = False) -> str:
    """The configuration in one line."""
    return f"RLS-GP on {settings_text(config, has_seed=has_seed)}"


def outcome_line(result: Result, reason: str = "") -> str:
    """How the run ended, in a sentence, and why it was stopped."""
    after = f"after {counted(result.iterations, 'iteration')}"
    if result.outcome is Outcome.SOLVED:
        return f"Solved {after}. {reason}".rstrip()
    if result.outcome is Outcome.STUCK:
        since = "from the start" if not result.stuck_since else f"since iteration {result.stuck_since:,}"
        return f"Stuck {since}: no better tree can be reached. Stopped {after}."
    if reason:
        return f"Stopped: {reason[0].lower()}{reason[1:]}"
    return f"Stopped {after}, neither solved nor proven stuck."


def _probability(value: Fraction | None) -> str:
    if value is None:
        return "not counted, as the tree is too complex"
    return f"wrong with probability {float(value):.6g}"


def _share(part: int, whole: int) -> str:
    percent = f" ({100 * part / whole:.0f} %)" if whole else ""
    return f"{part:,} of {whole:,}{percent}"


def shortened(text: str) -> str:
    """The text, cut where it would fill a screen."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ..."
