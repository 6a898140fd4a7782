"""What is to come from a tree, in sentences: the chance to end stuck, the iterations to go, and how long the tree
waits for its next improvement.

A chance is a percentage without decimals. Only what is certain is 0 % or 100 %; a chance that comes close to that
gets a bound, which is as narrow as the number of continuations allows: all of 100 stuck make it > 97 %.
"""

from fractions import Fraction
from math import floor, inf, log10
from typing import Final

from gpviz.analysis import ExpectedWait
from gpviz.analysis.outlook import Outlook
from gpviz.engine.enums import Verdict
from gpviz.engine.step import Step
from gpviz.explain.outlook_along_run import DecisiveStep
from gpviz.number_text import bounded_percent, counted, number_text, percent_in_words, share_text

_WHOLE_FROM: Final = 10
"""From here on a number of iterations to go has no decimals."""
_WHOLE_WAIT_FROM: Final = 100
"""From here on a wait has none."""


def chance_of(outlook: Outlook) -> str:
    """The chance to end stuck; ``≥ 21 %`` where continuations were given up, of which it is not known."""
    error = 0.0 if outlook.is_exact else outlook.stuck_error
    return bounded_percent(outlook.stuck, error, is_least=outlook.given_up > 0)


def chance_name(outlook: Outlook) -> str:
    """What it is the chance of; runs on samples never end stuck for good."""
    if outlook.within is None:
        return "chance to end stuck"
    return f"chance not to be done within {counted(outlook.within, 'iteration')}"


def error_text(outlook: Outlook) -> str:
    """The standard error of the chance, ``± 1.5 %``; nothing where it is exact."""
    return f"± {100 * outlook.stuck_error:.1f} %" if outlook.stuck_error else ""


def remaining_text(outlook: Outlook) -> str:
    """How many iterations are still to come, such as ``about 59 iterations to go``."""
    if outlook.remaining is None:
        return "never solved" if outlook.is_exact else "no continuation was solved"
    if not outlook.remaining:
        return "nothing to go"
    return f"about {_iterations(outlook.remaining)} to go"


def remaining_figure(outlook: Outlook) -> str:
    """The same in little space: ``59 to go``."""
    return "–" if outlook.remaining is None else f"{_rounded(outlook.remaining)} to go"


def remaining_error_text(outlook: Outlook) -> str:
    """Its standard error, ``± 4``; nothing where it is exact, or not known."""
    return f"± {_rounded(outlook.remaining_error)}" if outlook.remaining_error else ""


def source_text(outlook: Outlook) -> str:
    """How it is known: ``exact``, or ``estimated from 600 continuations, ± 1.5 %``."""
    if outlook.is_exact:
        return "exact"
    text = f"estimated from {counted(outlook.continuations, 'continuation')}"
    if outlook.stuck_error:
        text = f"{text}, {error_text(outlook)}"
    if outlook.given_up:
        text = f"{text}, {number_text(outlook.given_up)} of them given up"
    return text


def outlook_text(outlook: Outlook) -> str:
    """The outlook in sentences."""
    if outlook.is_surely_stuck:
        return "From here every run ends stuck: none is ever solved."
    if outlook.is_exact and outlook.remaining == 0.0:
        return "Solved: nothing is left to do."
    how = f"This is {source_text(outlook)}."
    if outlook.within is not None:
        return f"{_within_text(outlook, outlook.within)} {how}"
    if outlook.remaining is None:
        return f"From here {percent_in_words(chance_of(outlook))} of the runs end stuck. {how}"
    more = f"about {_more_iterations(outlook.remaining)} on average"
    if not outlook.stuck and not outlook.stuck_error:
        if outlook.given_up:
            return f"From here runs are solved after {more}, apart from those given up. {how}"
        return f"From here every run is solved, after {more}. {how}"
    stuck = f"From here {percent_in_words(chance_of(outlook))} of the runs end stuck"
    return f"{stuck}; the others are solved after {more}. {how}"


def average_text(outlook: Outlook) -> str:
    """How long runs take from where this is the outlook: ``73 ± 1 iterations on average (1,000 runs)``."""
    count = counted(outlook.continuations, "run")
    if outlook.remaining is None:
        return f"None of {count} came to an end"
    if outlook.is_exact:
        text = f"{iterations_text(outlook.remaining)} on average (exact)"
    else:
        text = f"{_with_error(outlook.remaining, outlook.remaining_error)} iterations on average ({count})"
    if outlook.is_exact and not outlook.stuck:
        return text
    chance = percent_in_words(chance_of(outlook))
    if outlook.within is not None:
        return f"{text}; {chance} take more than {number_text(outlook.within)}"
    return f"{text}; {chance} end stuck" if outlook.stuck or outlook.stuck_error else text


def _more_iterations(iterations: float) -> str:
    """``59 more iterations``."""
    return counted(_rounded(iterations), "more iteration")


def rise_text(before: Outlook, after: Outlook) -> str:
    """What a step does to the chance: ``This step raises the chance to end stuck from 21 % to 100 %.``"""
    old, new = chance_of(before), chance_of(after)
    name = chance_name(after) if after.within is None else "chance not to be done in time"
    if old == new:
        return f"This step leaves the {name} at {percent_in_words(new)}."
    verb = "raises" if after.stuck > before.stuck else "lowers"
    return f"This step {verb} the {name} from {percent_in_words(old)} to {percent_in_words(new)}."


def rise_with_reason(step: DecisiveStep, taken: Step) -> str:
    """Why a run is shown at this step: what it did to the chance, though it did not make the error worse."""
    raised = rise_text(step.before, step.after)
    if (
        taken.verdict is Verdict.IMPROVED
        and taken.parent_error is not None
        and taken.offspring_error is not None
    ):
        old, new = number_text(taken.parent_error), number_text(taken.offspring_error)
        return f"{raised[:-1]}, though it improves the error from {old} to {new}."
    return raised


def from_to_text(step: DecisiveStep) -> str:
    """The chances before and after a step: ``21 % → 100 %``."""
    return f"{chance_of(step.before)} → {chance_of(step.after)}"


def _within_text(outlook: Outlook, within: int) -> str:
    chance = percent_in_words(chance_of(outlook))
    text = f"From here {chance} of the runs are not done within {counted(within, 'iteration')}"
    if outlook.remaining is not None:
        text = f"{text}; the others take about {_iterations(outlook.remaining)} on average"
    wrong = outlook.final_generalisation_error
    if wrong is None:
        return f"{text}."
    return f"{text}. At the end the generalisation error is {share_text(wrong)} on average."


def _rounded(iterations: Fraction | float, whole_from: int = _WHOLE_FROM) -> str:
    if iterations >= whole_from:
        return number_text(round(iterations))
    return f"{float(iterations):.1f}".removesuffix(".0")


def _iterations(iterations: float) -> str:
    return counted(_rounded(iterations), "iteration")


def wait_figure(wait: ExpectedWait | None) -> str:
    """The wait in little space; that of a solved tree is None."""
    if wait is None:
        return "–"
    if wait.wait is None:
        return "?"
    if wait.is_never:
        return "never"
    return _short(wait.wait) if wait.is_exact else f"≈ {_short(wait.wait)}"


def wait_phrase(wait: ExpectedWait, *, is_sampled: bool = False) -> str:
    """The wait for a table: ``16.7812 iterations, exactly``, or an estimate with its error, or never."""
    if wait.wait is None:
        return "unknown, as finding out takes too long"
    if wait.is_never:
        return "never"
    if wait.is_exact:
        return f"{iterations_text(wait.wait)}, exactly"
    until = " until an offspring looks better" if is_sampled else ""
    return f"about {_estimate(wait)}{until}, from {counted(wait.continuations, 'continuation')}"


def wait_text(wait: ExpectedWait | None, *, is_sampled: bool = False) -> str:
    """The wait in a sentence."""
    if wait is None:
        return "Nothing is left to wait for: the tree is solved."
    if wait.is_never:
        return "No improvement can ever come: the tree is stuck."
    what = "an offspring looks better" if is_sampled else "the error falls"
    if wait.wait is None:
        return f"How long it takes until {what} is unknown: finding out takes too long."
    if not wait.is_exact:
        how = f"estimated from {counted(wait.continuations, 'continuation')} of the run"
        return f"It takes about {_estimate(wait)} on average until {what}, {how}."
    text = f"It takes {_wait_iterations(wait.wait)} on average until {what}"
    if wait.trees == 1:
        return f"{text}."
    return f"{text}. This is exact, over all {number_text(wait.trees)} kinds of trees on the plateau."


def unchanged_text(wait: Fraction | float, *, is_complete: bool = True) -> str:
    """How long a tree would wait if no neutral step changed it; at most, where not all mutations are known."""
    if wait == inf:
        return "No single mutation improves this tree." if is_complete else ""
    bound = "" if is_complete else "at most "
    return f"If this tree stayed as it is, it would take {bound}{_wait_iterations(wait)}."


def wait_note(wait: ExpectedWait | None, unchanged: Fraction | float) -> str:
    """What is to be said of a tree that no single mutation improves; nothing of others."""
    if unchanged != inf:
        return ""
    if wait is None or wait.is_never:
        return wait_text(wait)
    return "No single mutation improves this tree: neutral steps have to change it first."


def iterations_text(wait: Fraction | float) -> str:
    """A number of iterations with six digits."""
    text = f"{float(wait):,.{max(0, 5 - floor(log10(wait)))}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return counted(text, "iteration")


def _estimate(wait: ExpectedWait) -> str:
    """As many digits as the standard error leaves sense in."""
    assert wait.wait is not None
    if not wait.standard_error:
        return _wait_iterations(wait.wait)
    return f"{_with_error(wait.wait, wait.standard_error)} iterations"


def _with_error(number: Fraction | float, error: float | None) -> str:
    if not error:
        return _short(number)
    decimals = max(0, -floor(log10(error)))
    return f"{number:,.{decimals}f} ± {error:,.{decimals}f}"


def _short(wait: Fraction | float) -> str:
    return _rounded(wait, _WHOLE_WAIT_FROM)


def _wait_iterations(wait: Fraction | float) -> str:
    return counted(_short(wait), "iteration")
