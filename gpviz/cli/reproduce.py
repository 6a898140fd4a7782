"""`gpviz reproduce`: repeats the paper's experiments and writes a report on the results."""

import argparse
from pathlib import Path
from typing import Final

from gpviz.cli.common_options import Parser, add_quiet_option, command_to_continue
from gpviz.cli.experiment import run_missing
from gpviz.cli.progress import Job
from gpviz.cli.terminal import show
from gpviz.engine import GpvizError
from gpviz.engine.errors import whole_number
from gpviz.escaping import terminal_text
from gpviz.experiments.plan import MAX_RUNS, find_plan
from gpviz.experiments.plan_runner import Executor
from gpviz.experiments.pool import MAX_JOBS, PoolExecutor
from gpviz.experiments.report.page import REPORT, Report, write_report
from gpviz.experiments.report.results import PLANS, open_store
from gpviz.experiments.store_paths import is_complete
from gpviz.files.file_io import check_writable, error_reason, shown_path

DEFAULT_FOLDER: Final = Path("gpviz-reproduction")

DESCRIPTION: Final = "Repeat all experiments of the paper, and write one web page that compares the results."
EXAMPLES: Final = """examples:
  gpviz reproduce
  gpviz reproduce --out paper --jobs 4
  gpviz reproduce --out look --runs 50

The folder gets report.html, a page that needs no other file, and the runs and tables of each plan. Ctrl-C
keeps the finished runs; the same command continues.
"""

_TITLES: Final = {"table1": "Table 1", "table2": "Table 2", "insert-only": "The gap at n = 4"}


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add(
        "--out",
        metavar="DIR",
        type=Path,
        default=DEFAULT_FOLDER,
        help=f"the folder for the report and the runs ({DEFAULT_FOLDER}); runs already there are kept",
    )
    add(
        "--runs",
        metavar="N",
        help="runs per cell, instead of 500, and 4,000 where two readings are compared",
    )
    add("--jobs", metavar="J", help="the number of processes (one per core)")
    add_quiet_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Do what is missing in the folder and write the report."""
    runs = None if options.runs is None else whole_number("--runs", options.runs, 1, _most_runs())
    jobs = None if options.jobs is None else whole_number("--jobs", options.jobs, 1, MAX_JOBS)
    folder: Path = options.out
    _prepare(folder)
    kept = f"finished runs are kept in {shown_path(folder)}. To continue: {_command(options)}"
    with Job(is_quiet=options.quiet, has_plain_lines=True) as job:
        executor = PoolExecutor(jobs)  # one for all: starting its workers takes its time
        try:
            is_done = all(_do(folder, name, runs, executor, job) for name in PLANS)
        except GpvizError:
            job.say(f"The {kept}", is_urgent=True)
            raise
        finally:
            executor.close()
        if not is_done:
            job.say(f"Stopped; the {kept}")
            return job.exit_code
        job.say("Writing the report.")
        report = write_report(folder)
    if not options.quiet:
        show(_summary(report))
    return job.exit_code


def _most_runs() -> int:
    """The most runs a cell that all plans can have."""
    return MAX_RUNS // max(len(find_plan(name).cells) for name in PLANS)


def _prepare(folder: Path) -> None:
    """Make the folder, and find out now, not after minutes, that it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise GpvizError(
            f"--out: {shown_path(folder)} cannot be made a folder; {error_reason(error)}."
        ) from error
    check_writable(folder / REPORT)


def _do(folder: Path, name: str, runs: int | None, executor: Executor, job: Job) -> bool:
    """Do what is missing of one plan; whether all of it is there."""
    if job.is_interrupted:
        return False
    store = open_store(folder, name, runs)
    try:
        plan = store.plan
        title = terminal_text(plan.title)
        before = sum(totals.runs for totals in store.totals())
        if plan.runs > (find_plan(name).runs if runs is None else runs):
            job.say(f"{title}: {plan.runs:,} runs a cell are already done, and all of them are used.")
        if is_complete(store):
            job.say(f"{title}: all {plan.total_runs:,} runs are already done.")
            return True
        there = f", {before:,} of them already done" if before else ""
        job.say(f"{title}: {len(plan.cells):,} cells, {plan.total_runs:,} runs{there}.")
        return run_missing(store, executor, job)
    finally:
        store.close(keeps_empty=False)


def _summary(report: Report) -> str:
    findings = [
        f"{_TITLES[name]}: {finding.word}. {finding.sentence}" for name, finding in report.findings.items()
    ]
    return "\n\n".join([*findings, f"The report is {shown_path(report.path)}."])


def _command(options: argparse.Namespace) -> str:
    """What to type to go on."""
    command = ["gpviz", "reproduce"]
    if options.out != DEFAULT_FOLDER:
        command += ["--out", str(options.out)]
    return command_to_continue(command, options, ("runs", "jobs"))
