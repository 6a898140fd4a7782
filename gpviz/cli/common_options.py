"""The parser of the command line, and the options that several commands have."""

import argparse
import stat
import sys
from collections.abc import Iterable
from math import nan
from pathlib import Path
from typing import Any, Final, NoReturn

from gpviz.engine import GpvizError, InvalidValueError, Node, RunConfig, parse
from gpviz.engine.config import check_tree
from gpviz.engine.formula import MAX_LENGTH
from gpviz.engine.mutation_script import MAX_TEXT_LENGTH, Script, check_script, parse_script
from gpviz.engine.settings import SETTINGS
from gpviz.engine.tree import variables_of
from gpviz.escaping import command_text
from gpviz.files.file_io import error_reason, file_mode, shown_path
from gpviz.runs.presets import find_preset
from gpviz.runs.run_file import RunFile

_MOST_BYTES: Final = 4 * MAX_LENGTH + 4
_LONGEST_PROBLEM: Final = 300
_MOST_SECONDS: Final = 1_000_000


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one sentence, and shows examples as they are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        if len(message) > _LONGEST_PROBLEM:  # it may repeat everything that was given
            message = f"{message[: _LONGEST_PROBLEM - 3]}..."
        raise GpvizError(f"{message}; '{self.prog} --help' lists what is allowed.")


def add_config_options(parser: argparse.ArgumentParser) -> None:
    """Add one option for each setting; they are checked by the engine, not here."""
    settings = parser.add_argument_group("the configuration")
    for row in SETTINGS:
        if row.metavar:
            short = ("-n",) if row.name == "n" else ()
            settings.add_argument(*short, row.option, metavar=row.metavar, help=row.option_help)


def add_quiet_option(parser: argparse.ArgumentParser) -> None:
    """Add --quiet, which has the same meaning in every command that does more than print."""
    parser.add_argument("--quiet", action="store_true", help="print errors only, no summary and no progress")


def add_json_option(parser: argparse._ActionsContainer) -> None:
    """Add --json, for programs."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def config_from(options: argparse.Namespace, **defaults: Any) -> RunConfig:
    """The configuration: the preset's settings if one is named, then what the options say."""
    settings = dict(defaults)
    if getattr(options, "preset", None) is not None:
        settings.update(find_preset(options.preset).config.as_dict())
    given = {row.name: getattr(options, row.name) for row in SETTINGS if row.metavar}
    settings.update({name: value for name, value in given.items() if value is not None})
    if options.rows is not None:
        settings["fitness"] = "sampled"
    if options.sampler is not None and settings.get("rows") is None:
        raise GpvizError("--sampler: it needs --rows.")
    return RunConfig.from_dict(settings)


def start_from(options: argparse.Namespace, config: RunConfig) -> Node | None:
    """The start tree: what --start says, or the preset's; None for the empty tree."""
    text = options.start
    if text is None and options.preset is not None:
        text = find_preset(options.preset).start
    text = read_formula(text) if text is not None else ""
    return parse(text, config.n) if text.strip() else None


def script_from(options: argparse.Namespace, config: RunConfig) -> Script:
    """The script: what --script says, or the preset's. The name of a file stands for what is in it."""
    given = options.script
    if given is None:
        script = () if options.preset is None else find_preset(options.preset).script
    else:
        is_name = given.isprintable() and ";" not in given and _is_file(Path(given))
        script = parse_script(_read_text(f"@{given}" if is_name else given, "script", 4 * MAX_TEXT_LENGTH))
    check_script(script, config)
    return script


def _is_file(path: Path) -> bool:
    """Also where that may not be known: whoever reads it says so."""
    try:
        return stat.S_ISREG(file_mode(path) or 0)
    except PermissionError:
        return True
    except OSError:  # it cannot be a name: it is too long, or has what this system does not allow
        return False


def branch_number(run_file: RunFile, text: str | None) -> int:
    """The index of the branch: the one that was on show, or the one of this name or number."""
    if text is None:
        return run_file.shown
    names = [run_file.name, *(branch.name for branch in run_file.branches)]
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) < len(names):
        return int(text)
    known = ", ".join(f"{index} {name!r}" for index, name in enumerate(names))
    raise InvalidValueError("--branch", text, f"one of the branches of the file: {known}")


def config_for(tree: Node | None, options: argparse.Namespace) -> RunConfig:
    """The configuration for a tree that was given, checked with it.

    Unless the options say so, n is that of its largest variable, and the limit is 2n, or as many leaves as it has.
    """
    config = config_from(options, n=variables_of(tree).bit_length() or 1, limit="2n")
    if tree is not None and options.limit is None and tree.leaves > 2 * config.n:
        config = config.replaced(limit=tree.leaves)
    check_tree(tree, config)
    return config


def seconds_from(text: str) -> float:
    """The time that --budget gives."""
    return number_from(
        "--budget", text, 1e-9, _MOST_SECONDS, f"more than 0 and at most {_MOST_SECONDS:,} seconds"
    )


def number_from(option: str, text: str, least: float, most: float, allowed: str) -> float:
    """The number in an option; ``allowed`` says which there may be."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not least <= number <= most:
        raise InvalidValueError(option, text, allowed)
    return number


def command_to_continue(command: list[str], options: argparse.Namespace, names: Iterable[str]) -> str:
    """The command to type to continue, with those of its options that were given."""
    for name in names:
        value = getattr(options, name)
        command += [f"--{name.replace('_', '-')}", str(value)] if value is not None else []
    return command_text([*command, *["--quiet"] * options.quiet])


def read_formula(argument: str) -> str:
    """The formula: the argument itself, the standard input for '-', or a file's text for '@FILE'."""
    return _read_text(argument, "formula", _MOST_BYTES)


def _read_text(argument: str, what: str, most_bytes: int) -> str:
    if argument != "-" and not argument.startswith("@"):
        return argument
    path = Path(argument[1:])
    name = shown_path(path) if argument != "-" else "standard input"
    try:
        if argument == "-":
            content = b"" if sys.stdin is None else sys.stdin.buffer.read(most_bytes)
        else:
            with path.open("rb") as file:
                content = file.read(most_bytes)
        return content.decode("utf-8-sig")  # editors of Windows begin a file with a mark
    except (OSError, ValueError) as problem:
        reason = error_reason(problem) if isinstance(problem, OSError) else "it is not UTF-8 text"
        raise GpvizError(f"{name}: the {what} cannot be read; {reason}.") from problem
