"""The command line: `gpviz` opens the window; its commands need none.

Everything a person can get wrong is one sentence on the standard error and exit code 2; Ctrl-C is 130. Where
nobody reads that, as after a double click, the window's sentence is told in a box.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from gpviz import __version__
from gpviz.engine import GpvizError
from gpviz.escaping import terminal_text

if TYPE_CHECKING:
    from gpviz.cli.common_options import Parser

COMMANDS: Final = ("run", "check", "exact", "outlook", "replay", "export", "experiment", "reproduce")
"""Each is a module here, and loaded only when it is wanted: every worker of an experiment loads this one."""

_EPILOG = """commands:
  run         run RLS-GP in the terminal
  check       analyse one tree
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the result is the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    needs_box = not _is_command(words) and not _is_read(sys.stderr)
    _prepare_streams()
    try:
        code = _do(words)
        sys.stdout.flush()
    except GpvizError as problem:
        print(f"gpviz: {terminal_text(str(problem))}", file=sys.stderr)
        if needs_box:
            from gpviz.cli.open_window import show_in_box

            show_in_box(str(problem))
        return 2
    except KeyboardInterrupt:
        print("gpviz: interrupted.", file=sys.stderr)
        return 130
    except OSError as problem:
        # Workers load this module, too, and never write.
        from gpviz.cli.run_summary import forget_output, is_closed_pipe
        from gpviz.files.file_io import error_reason

        forget_output()
        if is_closed_pipe(problem):
            return 0  # who reads the output has seen enough
        print(f"gpviz: the output cannot be written: {error_reason(problem)}.", file=sys.stderr)
        return 2
    return code


def _do(words: Sequence[str]) -> int:
    try:
        options = parser_for(words).parse_args(words)
    except SystemExit:  # the help or the version is printed
        sys.stdout.flush()
        raise
    code: int = options.command(options)
    return code


def _is_read(stream: TextIO | None) -> bool:
    """Whether somebody may read what is written there.

    What a desktop starts has no such stream on Windows, one to nowhere on macOS and one to the log on Linux.
    """
    if stream is None or sys.platform == "win32":  # where consoles and pipes look like the null device
        return stream is not None
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # one that is no file, which somebody has put there to read it
        return True
    is_log = os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
    return not is_log and not os.path.samestat(found, Path(os.devnull).stat())


class _Nowhere(TextIOBase):
    """Takes what is printed, and keeps nothing of it. On Windows the null device would call itself a terminal."""

    def write(self, text: str, /) -> int:
        return len(text)


def _prepare_streams() -> None:
    """Let them take anything that is printed. Started without a console, Python has none at all."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            setattr(sys, name, _Nowhere())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a path or a note may hold what a terminal cannot show


def parser_for(words: Sequence[str]) -> "Parser":
    """What understands these arguments: without a command, they are about the window."""
    return _command_parser(words[0]) if _is_command(words) else _window_parser()


def _is_command(words: Sequence[str]) -> bool:
    return bool(words) and words[0] in COMMANDS


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
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gpviz {__version__}")
    open_window.add_options(parser)
    parser.set_defaults(command=open_window.open_window, commands=COMMANDS)
    return parser


def _command_parser(name: str) -> "Parser":
    from gpviz.cli.common_options import Parser

    parser = Parser(prog="gpviz")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    import_module(f"gpviz.cli.{name}").add_command(commands)
    return parser
