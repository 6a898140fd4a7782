"""What the commands have in common: the options of a configuration, formulas, files, errors."""

import argparse
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

from gpviz.engine import GpvizError, Node, RunConfig, parse
from gpviz.engine.formula import MAX_LENGTH
from gpviz.run.file_io import shown_path
from gpviz.run.presets import find_preset

__all__ = ["Parser", "add_config_options", "config_from", "read_formula", "start_from"]

_MOST_BYTES: Final = 4 * MAX_LENGTH + 4
_SETTINGS: Final = (
    "n",
    "limit",
    "deletion",
    "functions",
    "rows",
    "sampler",
    "accept_error",
    "empty_tree",
    "seed",
)


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise GpvizError(f"{message}; '{self.prog} --help' shows what there is.")


def add_config_options(parser: argparse.ArgumentParser) -> None:
    """Add one option for each setting; they are checked by the engine, not here."""
    settings = parser.add_argument_group("the configuration")
    add = settings.add_argument
    add("--n", metavar="N", help="number of variables of the target AND_n")
    add("--limit", metavar="L", help="most leaves of a tree: n, n+1, 2n, 1.5n, inf or a number (2n)")
    add("--deletion", metavar="D", help="leaf (original HVL-Prime) or subtree (the default)")
    add("--functions", metavar="F", help="and,or (the default) or and")
    add("--rows", metavar="S", help="error on S sampled rows an iteration instead of the truth table")
    add("--sampler", metavar="HOW", help="with --rows: draw real rows (the default) or only their counts")
    add("--accept-error", metavar="A", help="stop when the error is at most A (0)")
    add("--empty-tree", metavar="E", help="any operation plants the first leaf (any), or insert-only")
    add("--seed", metavar="SEED", help="the run's seed, a whole number from 0 (0)")


def config_from(options: argparse.Namespace, **defaults: Any) -> RunConfig:
    """The configuration: the preset's settings if one is named, then what the options say."""
    settings = dict(defaults)
    if getattr(options, "preset", None) is not None:
        settings.update(find_preset(options.preset).config.as_dict())
    given = {name: getattr(options, name) for name in _SETTINGS}
    settings.update({name: value for name, value in given.items() if value is not None})
    if options.rows is not None:
        settings["fitness"] = "sampled"
    if options.sampler is not None and settings.get("rows") is None:
        raise GpvizError("--sampler: it is of use only together with --rows.")
    return RunConfig.from_dict(settings)


def start_from(options: argparse.Namespace, config: RunConfig) -> Node | None:
    """The start tree: what --start says, or the preset's; None for the empty tree."""
    text = options.start
    if text is None and options.preset is not None:
        text = find_preset(options.preset).start
    text = read_formula(text) if text is not None else ""
    return parse(text, config.n) if text.strip() else None


def read_formula(argument: str) -> str:
    """The formula: the argument itself, the standard input for '-', or a file's text for '@FILE'."""
    if argument != "-" and not argument.startswith("@"):
        return argument
    path = Path(argument[1:])
    name = shown_path(path) if argument != "-" else "standard input"
    try:
        if argument == "-":
            content = b"" if sys.stdin is None else sys.stdin.buffer.read(_MOST_BYTES)
        else:
            with path.open("rb") as file:
                content = file.read(_MOST_BYTES)
        return content.decode()
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8 text"
        raise GpvizError(f"{name}: the formula cannot be read: {reason}.") from problem
