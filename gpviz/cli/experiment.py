"""`gpviz experiment`: very many runs of a plan, on all cores or on a cluster."""

import argparse
from pathlib import Path

from gpviz.cli.options import Parser

__all__ = ["add_command"]

_EXAMPLES = """examples:
  gpviz experiment --list
  gpviz experiment quick
  gpviz experiment table1 --store table1.gpvizx --csv table1.csv --latex table1.tex
  gpviz experiment --store table1.gpvizx --resume --runs 2000
  gpviz experiment my-plan.toml --jobs 4 --json > my-plan.json
  gpviz experiment scaling --cluster tcp://10.0.0.1:8786 --ioh scaling-ioh

Ctrl-C keeps what is done; --resume goes on with it.
"""


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "experiment",
        help="do very many runs and compare them with the paper",
        description="Do all runs of a plan, keep them in a file, and tell what they come to beside the paper.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "plan",
        metavar="PLAN",
        nargs="?",
        help="a plan that comes with gpviz, or a TOML file; --resume with --store needs none",
    )
    add("--list", action="store_true", help="show the plans that come with gpviz, and the experiments kept")
    add("--runs", metavar="N", help="runs of each cell, instead of the plan's")
    add("--seed", metavar="SEED", help="seed of the first run, instead of the plan's")
    work = parser.add_argument_group("the work")
    add = work.add_argument
    add("--jobs", metavar="J", help="so many processes (one for each core)")
    add("--cluster", metavar="ADDRESS", help="have it done by the dask scheduler at this address")
    add("--store", metavar="FILE", type=Path, help="keep the runs in this file (one among your own data)")
    add(
        "--resume",
        action="store_true",
        help="go on with what is in the file, or with the latest experiment kept",
    )
    results = parser.add_argument_group("the results")
    add = results.add_argument
    add("--json", action="store_true", help="print the result as one JSON object")
    add("--csv", metavar="FILE", type=Path, help="write a table with a line for each cell")
    add("--runs-csv", metavar="FILE", type=Path, help="write a table with a line for each run")
    add("--latex", metavar="FILE", type=Path, help="write tables for LaTeX")
    add("--ioh", metavar="FOLDER", type=Path, help="write all runs for IOHanalyzer into a new folder")
    parser.set_defaults(command=_experiment)


def _experiment(options: argparse.Namespace) -> int:
    from gpviz.cli.experiment_session import conduct, show_list  # other commands need not wait for these

    return show_list(options) if options.list else conduct(options)
