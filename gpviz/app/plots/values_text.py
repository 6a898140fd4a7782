"""What the plots say in words: verdicts, counts of them, and the values under the mouse."""

from collections.abc import Sequence
from typing import Final

from gpviz.engine import Verdict
from gpviz.experiments.figures.ticks import error_text
from gpviz.run.history import History
from gpviz.run.step_codes import VERDICTS

__all__ = ["VERDICT_WORDS", "counts_in_words", "values_in_words"]

VERDICT_WORDS: Final = {
    Verdict.IMPROVED: "improved, accepted",
    Verdict.NEUTRAL: "neutral, accepted",
    Verdict.UNCHANGED: "unchanged",
    Verdict.WORSE: "worse, rejected",
    Verdict.TOO_LARGE: "too large, rejected",
}


def counts_in_words(counts: Sequence[int]) -> str:
    """How often each verdict was given, those that were, each on a line."""
    pairs = zip(VERDICTS, counts, strict=True)
    return "\n".join(f"{count:,} × {VERDICT_WORDS[verdict]}" for verdict, count in pairs if count)


def values_in_words(history: History, iteration: int) -> str:
    """What the curves show at an iteration."""
    changes = history.changes()
    place = int(changes.iterations.searchsorted(iteration, side="right")) - 1
    leaves, ors = int(changes.leaves[place]), int(changes.ors[place])
    sizes = f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'} · {ors:,} ∨"
    error = history.error_at(iteration)
    name = "sampled error" if history.config.is_sampled else "error"
    told = "no tree yet" if not leaves else f"{name} {error_text(error)}" if error is not None else ""
    parts = [f"t = {iteration:,}", told, sizes]
    if iteration:
        step = history.step_at(iteration)
        verdict = VERDICT_WORDS[step.verdict]
        if step.verdict is Verdict.WORSE and step.offspring_error is not None:
            verdict = f"{verdict} ({error_text(step.offspring_error)})"
        elif step.verdict is Verdict.TOO_LARGE:
            verdict = f"{verdict} ({step.offspring_leaves:,} leaves)"
        parts.append(verdict)
    return " · ".join(part for part in parts if part)
