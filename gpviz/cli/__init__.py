"""The command line: `gpviz run`, `gpviz check`, `gpviz replay`.

Everything a person can get wrong is one sentence on the standard error and exit code 2; Ctrl-C is 130.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from gpviz import __version__
from gpviz.cli import check, replay, run
from gpviz.cli.options import Parser
from gpviz.engine import GpvizError

__all__ = ["main"]

_EXAMPLES = """examples:
  gpviz run --preset first-run
  gpviz check "(x1 & x2) | (x2 & x1)" --n 4 --limit n --deletion leaf
  gpviz COMMAND --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the result is the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a path or a note may hold what a terminal cannot show
    try:
        parser = _parser()
        options = parser.parse_args(arguments)
        if options.command is None:
            parser.print_help()
            return 0
        code: int = options.command(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except GpvizError as problem:
        print(f"gpviz: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("gpviz: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Who reads the output has gone; what is left to flush at exit has to go nowhere.
        _forget_output()
        return 1
    except OSError as problem:
        _forget_output()
        print(f"gpviz: the output cannot be written: {problem.strerror}.", file=sys.stderr)
        return 2
    return code


def _forget_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> Parser:
    parser = Parser(
        prog="gpviz",
        description="Watch RLS-GP evolve Boolean functions.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gpviz {__version__}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    run.add_command(commands)
    check.add_command(commands)
    replay.add_command(commands)
    return parser
