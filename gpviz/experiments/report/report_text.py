"""Numbers, cells and lists as the report writes them."""

from collections.abc import Sequence
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.experiments.run_text import option_words

MINUS: Final = "\N{MINUS SIGN}"
NONE: Final = "\N{EN DASH}"
"""What stands for a number that there is not."""

_DELETIONS: Final = {"leaf": "leaf-only deletion", "subtree": "subtree deletion"}


def number(value: float | None, digits: int = 1) -> str:
    """A number with so many digits after the point."""
    if value is None:
        return NONE
    text = f"{value:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: float | None, digits: int = 2) -> str:
    """A number that has its sign also where it is positive."""
    text = number(value, digits)
    return f"+{text}" if value is not None and value > 0 and text.strip("0.,") else text


def listed(words: Sequence[str]) -> str:
    """A list within a sentence."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def duration(seconds: float) -> str:
    """A time as a person says it."""
    if seconds < 99.5:
        return f"{seconds:.0f} s" if seconds >= 9.95 else f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:,.1f} h"


def limit_words(limit: str) -> str:
    """A limit as a symbol."""
    return "∞" if limit == "inf" else limit


def cell_words(config: RunConfig, *, has_n: bool = True) -> str:
    """A cell of the tables within a sentence."""
    n = f"n = {config.n}, " if has_n else ""
    return f"{_DELETIONS[config.deletion]}, {n}limit {limit_words(config.limit)}"


def run_command(config: RunConfig) -> str:
    """The command that does a run again; usual settings are left out, except those of the tables."""
    return " ".join(["gpviz", "run", *option_words(config), "--seed", str(config.seed)])
