"""What the commands print: a run's summary, as text for people and as plain data for programs, and long tables."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from io import UnsupportedOperation
from pathlib import Path
from typing import Any, TextIO, TypeVar

from gpviz.engine import (
    ASCII,
    UNICODE,
    GpvizError,
    Outcome,
    Result,
    RlsGp,
    RunConfig,
    TooComplexError,
    format_formula,
    simplified,
)
from gpviz.engine.formula import Style
from gpviz.engine.interruption import ShouldStop, Stopped, stoppable
from gpviz.engine.mutation_script import format_script
from gpviz.explain.tree_text import draw_tree
from gpviz.number_text import counted
from gpviz.runs.settings_text import settings_text

_Fact = TypeVar("_Fact")
_LONGEST_TEXT = 400


def style_for_output(stream: TextIO | None = None) -> Style:
    """Unicode where the stream, usually the standard output, can show it, ASCII elsewhere."""
    try:
        "∧∨₁├─└│·".encode(getattr(stream or sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


class TableOutput:
    """The standard output for a table that grows, the same bytes on every system: UTF-8, lines that end in LF.

    Once nobody reads it any more, ``has_reader`` is false, and what is written is lost.
    """

    def __init__(self) -> None:
        if not sys.stdout.writable():  # what stands in for one that is not there
            raise GpvizError("--trace: there is no standard output here; name a file.")
        sys.stdout.flush()
        self.has_reader = True
        self._bytes = getattr(sys.stdout, "buffer", None)

    def write(self, text: str) -> None:
        """Write some lines, which a reader gets at once."""
        if not self.has_reader:
            return
        try:
            if self._bytes is None:  # somebody has put a text stream there
                sys.stdout.write(text)
            else:
                self._bytes.write(text.encode())
                self._bytes.flush()
        except OSError as problem:
            if not is_closed_pipe(problem):
                raise
            self.has_reader = False
            forget_output()


def is_closed_pipe(problem: OSError) -> bool:
    """Whether who reads the output has gone, which is no error: `gpviz check x1 | head -1`."""
    if isinstance(problem, BrokenPipeError):
        return True
    # Windows says this of it, and also of a file with a name that it does not allow.
    return sys.platform == "win32" and problem.errno == errno.EINVAL and problem.filename is None


def forget_output() -> None:
    """What is left to flush when Python ends has to go nowhere."""
    # What is no file has nothing to flush.
    with suppress(UnsupportedOperation), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def summary(
    config: RunConfig, result: Result, style: Style, reason: str = "", should_stop: ShouldStop | None = None
) -> str:
    """How a run ended, for people; ``reason`` is a sentence on why it was stopped.

    What takes long to find out about a tangled tree is left out where somebody wants that.
    """
    rows = config.rows or 2**config.n
    facts = [("error", "none, as the tree is empty")]
    if result.tree is not None and result.error is not None:
        facts = [("error", f"{describe_number(result.error)} of {describe_number(rows)} rows")]
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
    computes = None if result.tree is None else _found(lambda: simplified(result.tree, style), should_stop)
    if computes is not None:
        facts.append(("computes", shortened(computes)))
    configuration = configuration_line(config, style, has_seed=True)
    lines = [configuration, outcome_line(result, reason), "", as_columns(facts), ""]
    return "\n".join([*lines, draw_tree(result.tree, style)])


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


def configuration_line(config: RunConfig, style: Style, *, has_seed: bool = False) -> str:
    """The configuration in one line."""
    return f"RLS-GP on {settings_text(config, has_seed=has_seed, style=style)}"


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


def as_columns(facts: list[tuple[str, str]], width: int = 0) -> str:
    """Names and values below each other; the names take at least ``width`` characters."""
    width = max(width, *(len(name) for name, _ in facts))
    return "\n".join(f"  {name:<{width}}  {value}" for name, value in facts)


def describe_number(number: int) -> str:
    """A whole number with separators, and huge ones in powers of two or ten."""
    if number < 10**15:
        return f"{number:,}"
    power = number.bit_length() - 1
    if number == 1 << power:
        return f"2^{power}"
    if number == (1 << (power + 1)) - 1:
        return f"2^{power + 1} - 1"
    digits = str(number) if number < 10**4000 else ""
    return f"{digits[0]}.{digits[1:4]}e{len(digits) - 1}" if digits else f"a number of {power + 1} bits"


def _probability(value: Fraction | None) -> str:
    return (
        "not counted, as the tree is too complex"
        if value is None
        else f"wrong with probability {float(value):.6g}"
    )


def _share(part: int, whole: int) -> str:
    percent = f" ({100 * part / whole:.0f} %)" if whole else ""
    return f"{part:,} of {whole:,}{percent}"


def shortened(text: str) -> str:
    """The text, cut where it would fill a screen."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ..."
