"""`gpviz reproduce`: the paper's experiments, all of them, and a report on what came out."""

import argparse
from pathlib import Path
from typing import Final

from gpviz.cli.options import Parser

__all__ = ["DEFAULT_FOLDER", "add_command"]

DEFAULT_FOLDER: Final = Path("gpviz-reproduction")

_EXAMPLES = """examples:
  gpviz reproduce
  gpviz reproduce --out paper --jobs 4
  gpviz reproduce --out look --runs 50

The folder gets report.html, which needs nothing beside it, and the runs and tables of each plan. Ctrl-C keeps what
is done; the same command goes on with it.
"""


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "reproduce",
        help="do the paper's experiments again and write a report",
        description="Do all experiments of the paper again, and write one web page on how they compare.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--out",
        metavar="DIR",
        type=Path,
        default=DEFAULT_FOLDER,
        help=f"the folder for the report and the runs ({DEFAULT_FOLDER}); what is there is gone on with",
    )
    add(
        "--runs",
        metavar="N",
        help="runs of each cell, instead of 500, and 4,000 where two readings are compared",
    )
    add("--jobs", metavar="J", help="so many processes (one for each core)")
    parser.set_defaults(command=_reproduce)


def _reproduce(options: argparse.Namespace) -> int:
    from gpviz.cli.reproduce_session import reproduce  # other commands need not wait for it

    return reproduce(options)
