"""`gpviz reproduce`: the paper's experiments, all of them, and a report on what came out."""

import argparse
from pathlib import Path
from typing import Final

from gpviz.cli.common_options import Parser, add_quiet_option
from gpviz.cli.experiment_display import display_for, say
from gpviz.cli.progress import Interruptible
from gpviz.cli.run_summary import style_for_output
from gpviz.engine import ASCII, GpvizError
from gpviz.engine.whole_number import whole_number
from gpviz.escaping import command_text, terminal_text
from gpviz.experiments.plan import MAX_RUNS, find_plan
from gpviz.experiments.plan_runner import Executor, Progress, run_plan
from gpviz.experiments.pool import MAX_JOBS, PoolExecutor
from gpviz.experiments.report.page import REPORT, Report, write_report
from gpviz.experiments.report.results import PLANS, open_store
from gpviz.experiments.result_tables import settings_words
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import is_complete
from gpviz.files.file_io import check_writable, error_reason, shown_path

DEFAULT_FOLDER: Final = Path("gpviz-reproduction")

_EXAMPLES = """examples:
  gpviz reproduce
  gpviz reproduce --out paper --jobs 4
  gpviz reproduce --out look --runs 50

The folder gets report.html, a page that needs no other file, and the runs and tables of each plan. Ctrl-C
keeps the finished runs; the same command continues.
"""

_TITLES: Final = {"table1": "Table 1", "table2": "Table 2", "insert-only": "The gap at n = 4"}


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "reproduce",
        help="repeat the paper's experiments and write a report",
        description=(
            "Repeat all experiments of the paper, and write one web page that compares the results."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
    parser.set_defaults(command=_reproduce)


def _reproduce(options: argparse.Namespace) -> int:
    """Do what is missing in the folder and write the report; the result is the exit code."""
    runs = None if options.runs is None else whole_number("--runs", options.runs, 1, _most_runs())
    jobs = None if options.jobs is None else whole_number("--jobs", options.jobs, 1, MAX_JOBS)
    folder: Path = options.out
    _prepare(folder)
    with Interruptible() as interruptible:
        executor = _executor(jobs)  # one for all: starting its workers takes its time
        try:
            is_done = all(
                _do(folder, name, runs, executor, interruptible, is_quiet=options.quiet) for name in PLANS
            )
        except GpvizError:
            say(f"The finished runs are kept in {shown_path(folder)}. To continue: {_command(options)}")
            raise
        finally:
            executor.close()
        if not is_done:
            say(
                f"Stopped; the finished runs are kept in {shown_path(folder)}. To continue: "
                f"{_command(options)}",
                is_quiet=options.quiet,
            )
            return interruptible.exit_code
        say("Writing the report.", is_quiet=options.quiet)
        report = write_report(folder)
    if not options.quiet:
        print(_summary(report))
    return interruptible.exit_code


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


def _do(
    folder: Path,
    name: str,
    runs: int | None,
    executor: Executor,
    interruptible: Interruptible,
    *,
    is_quiet: bool,
) -> bool:
    """Do what is missing of one plan; whether all of it is there."""
    if interruptible.is_interrupted:
        return False
    store = open_store(folder, name, runs)
    try:
        plan = store.plan
        title = terminal_text(plan.title)
        wanted = find_plan(name).runs if runs is None else runs
        if plan.runs > wanted:
            used = f"{plan.runs:,} runs a cell are already done, and all of them are used."
            say(f"{title}: {used}", is_quiet=is_quiet)
        if is_complete(store):
            say(f"{title}: all {plan.total_runs:,} runs are already done.", is_quiet=is_quiet)
            return True
        return _run(store, executor, interruptible, is_quiet=is_quiet)
    finally:
        store.close(keeps_empty=False)


def _executor(jobs: int | None) -> Executor:
    return PoolExecutor(jobs)


def _run(store: Store, executor: Executor, interruptible: Interruptible, *, is_quiet: bool) -> bool:
    """Do what a store has not got, and show how far it is; whether all of it is there."""
    plan = store.plan
    varied = plan.varied_settings
    labels = [settings_words(cell.config, varied) for cell in plan.cells]
    groups = [settings_words(cell.config, varied[:-1]) for cell in plan.cells]
    before = sum(totals.runs for totals in store.totals())
    with display_for(labels, groups, plan.runs, is_quiet=is_quiet) as display:

        def on_progress(progress: Progress) -> bool:
            display.show(progress)
            return interruptible.is_interrupted

        there = f", {before:,} of them already done" if before else ""
        display.say(
            f"{terminal_text(plan.title)}: {len(plan.cells):,} cells, {plan.total_runs:,} runs{there}."
        )
        return run_plan(store, executor, on_progress)


def _summary(report: Report) -> str:
    lines = [
        f"{_TITLES[name]}: {finding.word}. {finding.sentence}" for name, finding in report.findings.items()
    ]
    text = "\n\n".join([*lines, f"The report is {shown_path(report.path)}."])
    if style_for_output() is ASCII:
        text = text.replace("\N{MINUS SIGN}", "-").replace("±", "+/-").replace("∞", "inf")
    return text


def _command(options: argparse.Namespace) -> str:
    """What to type to go on."""
    words = ["gpviz", "reproduce"]
    if options.out != DEFAULT_FOLDER:
        words += ["--out", str(options.out)]
    for name in ("runs", "jobs"):
        value = getattr(options, name)
        words += [f"--{name}", value] if value is not None else []
    words += ["--quiet"] * options.quiet
    return command_text(words)
