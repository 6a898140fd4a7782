"""How long a tree waits for its next improvement, in numbers and words."""

from fractions import Fraction
from math import floor, inf, log10
from typing import Final

from gpviz.analysis import ExpectedWait
from gpviz.number_text import counted, number_text

_WHOLE_FROM: Final = 100
"""From here on a wait has no decimals in a sentence."""


def wait_figure(wait: ExpectedWait | None) -> str:
    """The wait in little room; that of a solved tree is None."""
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
    text = f"It takes {_iterations(wait.wait)} on average until {what}"
    if wait.trees == 1:
        return f"{text}."
    return f"{text}. This is exact, over all {number_text(wait.trees)} kinds of trees on the plateau."


def unchanged_text(wait: Fraction | float, *, is_complete: bool = True) -> str:
    """How long a tree would wait if no neutral step changed it; at most, where not all mutations are known."""
    if wait == inf:
        return "No single mutation improves this tree." if is_complete else ""
    bound = "" if is_complete else "at most "
    return f"If this tree stayed as it is, it would take {bound}{_iterations(wait)}."


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
    error = wait.standard_error or 0.0
    if not error:
        return _iterations(wait.wait)
    decimals = max(0, -floor(log10(error)))
    return f"{wait.wait:,.{decimals}f} ± {error:,.{decimals}f} iterations"


def _short(wait: Fraction | float) -> str:
    if wait >= _WHOLE_FROM:
        return number_text(round(wait))
    return f"{float(wait):.1f}".removesuffix(".0")


def _iterations(wait: Fraction | float) -> str:
    return counted(_short(wait), "iteration")
