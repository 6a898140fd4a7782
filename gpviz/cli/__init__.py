"""The command line: `gpviz` opens the window; its commands need none.

Everything a person can get wrong is one sentence on the standard error and exit code 2; Ctrl-C is 130. Where
nobody reads that, as after a double click, the window's sentence is shown in a box.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from gpviz import __version__
from gpviz.engine import GpvizError
from gpviz.escaping import terminal_text

if TYPE_CHECKING:
    from gpviz.cli.common_options import Parser

COMMANDS: Final = ("run", "check", "exact", "outlook", "replay", "export", "experiment", "reproduce")
"""Each is a module here, loaded only when it is wanted: every worker of an experiment loads this one.

It has a ``DESCRIPTION`` and ``EXAMPLES`` for its help, ``add_options``, and ``execute``, which takes the options
and returns the exit code.
"""

_EPILOG = """commands:
  run         run RLS-GP in the terminal
  check       analyse a tree: its error, its state and its next iteration
  exact       say exactly how runs end, for small trees
  outlook     say how runs from a tree end, or what decided a saved run
  replay      replay a saved run
  export      write pictures, films, slides, a web page or tables
  experiment  do many runs and compare them with the paper
  reproduce   repeat the paper's experiments and write a report

examples:
  gpviz --preset figure-1-first-tree
  gpviz --lecture why-stuck
  gpviz run --preset first-run
  gpviz export --preset first-run --to first-run.html
  gpviz check "(x1 & x2) | (x2 & x1)" --n 4 --limit n --deletion leaf
  gpviz experiment quick
  gpviz COMMAND --help
"""


class Interrupted(GpvizError):  # noqa: N818  # asked for, so no error
    """Somebody has ended a command before it had a result; the text says so in a sentence."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the result is the exit code."""
    from gpviz.cli.terminal import forget_output, is_closed_pipe, is_read, prepare_streams

    given = sys.argv[1:] if arguments is None else list(arguments)
    needs_box = not _is_command(given) and not is_read(sys.stderr)
    prepare_streams()
    try:
        code = _do(given)
        sys.stdout.flush()
    except GpvizError as problem:
        print(f"gpviz: {terminal_text(str(problem))}", file=sys.stderr)
        if needs_box:
            from gpviz.cli.open_window import show_in_box

            show_in_box(str(problem))
        return problem.exit_code if isinstance(problem, Interrupted) else 2
    except KeyboardInterrupt:
        print("gpviz: interrupted.", file=sys.stderr)
        return 130
    except OSError as problem:
        from gpviz.files.file_io import error_reason

        forget_output()
        if is_closed_pipe(problem):
            return 0  # who reads the output has seen enough
        print(f"gpviz: the output cannot be written: {error_reason(problem)}.", file=sys.stderr)
        return 2
    return code


def _do(arguments: Sequence[str]) -> int:
    try:
        options = parse_arguments(arguments)
    except SystemExit:  # the help or the version is printed
        sys.stdout.flush()
        raise
    code: int = options.execute(options)
    return code


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command, or without one those of the window; ``execute`` does what they say."""
    is_command = _is_command(arguments)
    parser = _command_parser(arguments[0]) if is_command else _window_parser()
    return parser.parse_args(arguments[is_command:])


def _is_command(arguments: Sequence[str]) -> bool:
    return bool(arguments) and arguments[0] in COMMANDS


def _window_parser() -> "Parser":
    from gpviz.cli import open_window
    from gpviz.cli.common_options import Parser

    parser = Parser(
        prog="gpviz",
        description="Watch RLS-GP evolve Boolean functions, in a window or, with a command, in the terminal.",
        usage="gpviz [FILE | --preset NAME | --lecture NAME | --compare NAME | --experiment PLAN]\n"
        "             [--play] [--theme THEME]\n"
        "       gpviz COMMAND ...",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"gpviz {__version__}")
    open_window.add_options(parser)
    parser.set_defaults(execute=open_window.execute, commands=COMMANDS)
    return parser


def _command_parser(name: str) -> "Parser":
    from gpviz.cli.common_options import Parser

    command = import_module(f"gpviz.cli.{name}")
    parser = Parser(prog=f"gpviz {name}", description=command.DESCRIPTION, epilog=command.EXAMPLES)
    command.add_options(parser)
    parser.set_defaults(execute=command.execute)
    return parser
