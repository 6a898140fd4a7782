"""`gpviz experiment`: does the runs of a plan, on all cores or on a cluster, and prints their results."""

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any, Final

from gpviz import assets
from gpviz.cli.common_options import Parser, add_json_option, add_quiet_option, command_to_continue
from gpviz.cli.experiment_summary import decisive_steps_text, result_text
from gpviz.cli.progress import Job
from gpviz.cli.terminal import facts_text, show, table_text
from gpviz.engine import GpvizError
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.errors import InvalidValueError, whole_number
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.optional_packages import how_to_get
from gpviz.escaping import terminal_text
from gpviz.experiments.decisive_steps import MOST_LOOKED_AT, CellDecisiveSteps, decisive_steps_of
from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind, stored_figure
from gpviz.experiments.figures.figure_data import figure_csv
from gpviz.experiments.figures.figure_svg import figure_file
from gpviz.experiments.iohprofiler import check_ioh_folder, write_ioh
from gpviz.experiments.plan import MAX_RUNS, Plan, find_plan, is_plan_file, shipped_plans
from gpviz.experiments.plan_runner import Executor, Progress, run_plan
from gpviz.experiments.pool import MAX_JOBS, PoolExecutor
from gpviz.experiments.result_tables import (
    cells_data,
    csv_text,
    latex_tables,
    spreads_of,
    write_runs_csv,
)
from gpviz.experiments.run_text import duration_text, rate_text
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import (
    as_many_runs,
    is_complete,
    kept_experiments,
    new_store_path,
    resume_store,
    stores_folder,
    unfinished_store,
)
from gpviz.files.file_io import check_writable, error_reason, file_mode, resolved_path, shown_path, write_file
from gpviz.number_text import counted

DESCRIPTION: Final = "Do all runs of a plan, keep them in a file, and compare the results with the paper."
EXAMPLES: Final = """examples:
  gpviz experiment --list
  gpviz experiment quick
  gpviz experiment table1 --store table1.gpvizx --csv table1.csv --latex table1.tex
  gpviz experiment --store table1.gpvizx --resume --runs 2000
  gpviz experiment my-plan.toml --jobs 4 --json > my-plan.json
  gpviz experiment --store scaling.gpvizx --resume --chart scaling scaling.svg
  gpviz experiment scaling --cluster tcp://10.0.0.1:8786 --ioh scaling-ioh

Ctrl-C keeps the finished runs; --resume continues.
"""

_FILES: Final = ("store", "csv", "runs_csv", "latex", "ioh")
_CHART_SIZE: Final = (1280, 720)
_CHART_FONT: Final = ("DejaVu Sans", 16.0)
_TLS: Final = ("tls_ca", "tls_cert", "tls_key")


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add(
        "plan",
        metavar="PLAN",
        nargs="?",
        help="a plan that comes with gpviz, or a TOML file; --resume with --store needs none",
    )
    add("--list", action="store_true", help="list the plans that come with gpviz, and the kept experiments")
    add("--runs", metavar="N", help="runs per cell, instead of the plan's")
    add("--seed", metavar="SEED", help="seed of the first run, instead of the plan's")
    work = parser.add_argument_group("the work")
    add = work.add_argument
    add("--jobs", metavar="J", help="the number of processes (one per core)")
    add("--cluster", metavar="ADDRESS", help="use the dask scheduler at this address")
    add("--tls-ca", metavar="FILE", type=Path, help="connect by TLS only; the certificate authority to trust")
    add("--tls-cert", metavar="FILE", type=Path, help="your own certificate, which TLS needs as well")
    add("--tls-key", metavar="FILE", type=Path, help="the private key of your certificate")
    add("--store", metavar="FILE", type=Path, help="keep the runs in this file (one in your data folder)")
    add(
        "--resume",
        action="store_true",
        help="continue the experiment in the file, or the latest one",
    )
    results = parser.add_argument_group("the results")
    add = results.add_argument
    add_json_option(results)
    add("--csv", metavar="FILE", type=Path, help="write a table with a line for each cell")
    add("--runs-csv", metavar="FILE", type=Path, help="write a table with a line for each run")
    add("--latex", metavar="FILE", type=Path, help="write tables for LaTeX")
    add("--ioh", metavar="FOLDER", type=Path, help="write all runs for IOHanalyzer into a new folder")
    add(
        "--decided",
        action="store_true",
        help=f"find the steps that decided stuck runs, the first {MOST_LOOKED_AT} of each cell; the table, JSON"
        " and --runs-csv tell of them",
    )
    add(
        "--chart",
        metavar=("KIND", "FILE"),
        nargs=2,
        action="append",
        default=[],
        help=f"write a chart ({', '.join(kind.value for kind in ChartKind)}) as .svg, or its values as .csv",
    )
    add(
        "--chart-cell",
        metavar="N",
        help="the cell that charts of one cell or series are about (1, the first)",
    )
    add("--upper-bounds", action="store_true", help="the upper bounds on T as well, in the chart 'scaling'")
    add_quiet_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Do the experiment, or list those there are."""
    return _show_list(options) if options.list else _run_experiment(options)


def _run_experiment(options: argparse.Namespace) -> int:
    """Do the experiment that the options describe; the result is the exit code."""
    plan = _plan(options)
    jobs = None if options.jobs is None else whole_number("--jobs", options.jobs, 1, MAX_JOBS)
    if options.jobs is not None and options.cluster is not None:
        raise GpvizError("--jobs: it cannot be combined with --cluster, which has its own workers.")
    for name in _TLS:
        if getattr(options, name) is not None and options.cluster is None:
            raise GpvizError(f"--{name.replace('_', '-')}: it needs --cluster.")
    _check_outputs(options)
    _check_charts(options, plan)
    path = _existing(options, plan)
    with ExitStack() as stack, Job(is_quiet=options.quiet, has_plain_lines=True) as job:
        if path is not None:
            store = stack.enter_context(_reopened(path, plan, options, job))
            executor = None if is_complete(store) else _executor(options, jobs)
        else:
            path = options.store or _new_path(plan)
            executor = _executor(options, jobs)
            stack.callback(executor.close)
            store = Store.create(path, plan)
            stack.callback(store.close, keeps_empty=False)
        if executor is not None:
            _run(store, executor, job, options)
        try:
            # After an interrupted run there is still something to print; then a second interruption ends it.
            with stoppable(None if job.is_interrupted else job.should_stop):
                _report(store, options, job)
        except Stopped:
            pass
        except BaseException:
            if executor is not None:  # else nothing was done, and there is one thing to say
                job.say(_kept(store, options), is_urgent=True)
            raise
        if job.is_interrupted:
            job.say("Interrupted.")
        job.say(_kept(store, options))
    return job.exit_code


def _reopened(path: Path, plan: Plan, options: argparse.Namespace, job: Job) -> Store:
    """The experiment to go on with."""
    with job.interruptible("interrupted; nothing was changed."):
        job.show(f"Reading {shown_path(path)} ...")
        if options.runs is None:
            with Store.open(path) as there:
                plan = as_many_runs(there.plan, plan)
        return resume_store(path, plan)


def run_missing(store: Store, executor: Executor, job: Job) -> bool:
    """Do the runs that a store lacks, while the job shows how far that is; whether all are there."""

    def on_progress(progress: Progress) -> bool:
        for note in progress.notes:
            job.say(note)
        job.update(_progress_text(progress))
        return job.is_interrupted

    try:
        return run_plan(store, executor, on_progress, job.should_stop)
    finally:
        job.keep()


def _progress_text(progress: Progress) -> str:
    """How many runs are done, how fast they go, and how long the rest takes."""
    percent = 100 * progress.done // progress.total if progress.total else 100
    facts = [f"{progress.done:,} of {progress.total:,} runs ({percent} %)"]
    if progress.rate > 0:
        facts.append(rate_text(progress.rate))
    if progress.done >= progress.total:
        facts.append(duration_text(progress.seconds))
    elif progress.seconds_left is not None:
        facts.append(f"{duration_text(progress.seconds_left)} left")
    return ", ".join(facts)


def _kept(store: Store, options: argparse.Namespace) -> str:
    """Where the runs are now, and how to go on with what is left."""
    if not any(totals.runs for totals in store.totals()):
        return "No run was finished, so nothing is kept."
    kept = f"Kept in {shown_path(store.path)}."
    return kept if is_complete(store) else f"{kept}\nTo continue: {_command(store, options)}"


def _plan(options: argparse.Namespace) -> Plan:
    if options.plan is not None:
        plan = find_plan(options.plan)
    elif options.resume and options.store is not None:
        with Store.open(options.store) as store:
            plan = store.plan
    else:
        raise GpvizError("PLAN is missing; 'gpviz experiment --list' shows the plans.")
    changes: dict[str, Any] = {}
    if options.runs is not None:
        changes["runs"] = whole_number("--runs", options.runs, 1, MAX_RUNS)
    if options.seed is not None:
        changes["seed"] = options.seed
    return plan.replaced(**changes) if changes else plan


def _check_outputs(options: argparse.Namespace) -> None:
    """Find out now, not after hours, that something cannot be written."""
    named = [(f"--{name.replace('_', '-')}", getattr(options, name)) for name in _FILES]
    named += [("--chart", Path(path)) for _, path in options.chart]
    seen = {_resolved(Path(options.plan)): "PLAN"} if options.plan and is_plan_file(options.plan) else {}
    for name, path in named:
        if path is None:
            continue
        resolved = _resolved(path)
        if resolved in seen:
            raise GpvizError(f"{seen[resolved]} and {name}: they name the same file; give each its own.")
        if name == "--ioh":
            check_ioh_folder(path)
            _check_alone(path, [other for each, other in seen.items() if resolved in each.parents])
        elif name != "--store":
            check_writable(path)
        seen[resolved] = name


def _check_charts(options: argparse.Namespace, plan: Plan) -> None:
    """See that the charts asked for can be written and are about this plan."""
    kinds = [kind.value for kind in ChartKind]
    for name, path in options.chart:
        if name not in kinds:
            raise InvalidValueError("--chart", name, f"one of {', '.join(kinds)}")
        if Path(path).suffix.lower() not in (".svg", ".csv"):
            raise GpvizError(f"--chart: {shown_path(Path(path))} must end with .svg or .csv.")
        if problem := CHARTS[ChartKind(name)].problem(plan):
            raise GpvizError(f"--chart {name}: {problem}")
    if options.chart_cell is not None:
        options.chart_cell = whole_number("--chart-cell", options.chart_cell, 1, len(plan.cells))


def _write_charts(store: Store, options: argparse.Namespace, job: Job) -> Iterator[Path]:
    """Write the charts asked for; the files."""
    for name, path in options.chart:
        figure = stored_figure(
            store.path, ChartKind(name), cell=(options.chart_cell or 1) - 1, has_upper=options.upper_bounds,
            on_progress=partial(_show_search, job),
        )  # fmt: skip
        text = figure_csv(figure)
        if Path(path).suffix.lower() == ".svg":
            text = figure_file(figure, *_CHART_SIZE, assets.theme_data("light")["colours"], *_CHART_FONT)
        write_file(Path(path), text.encode())
        yield Path(path)


def _findings(store: Store, job: Job) -> Iterator[tuple[int, CellDecisiveSteps]]:
    """What decided the stuck runs, of the cells that have some."""
    for cell, totals in enumerate(store.totals()):
        if totals.stuck:
            yield cell, decisive_steps_of(store, cell, partial(_show_search, job))


def _show_search(job: Job, done: int, wanted: int) -> None:
    job.show(f"Finding decisive steps: {done:,} of {counted(wanted, 'stuck run')} ...")


def _check_alone(folder: Path, inside: list[str]) -> None:
    """See that nothing else is written into a folder before it is found to be no longer empty."""
    if inside:
        raise GpvizError(
            f"--ioh: {shown_path(folder)} must be empty, but {' and '.join(inside)} would be written there."
        )


def _resolved(path: Path) -> Path:
    try:
        return resolved_path(path)
    except (OSError, ValueError):  # links in a circle: what writes there says what is wrong
        return path.absolute()


def _existing(options: argparse.Namespace, plan: Plan) -> Path | None:
    """The experiment to go on with; None where a new one begins."""
    path: Path | None = options.store
    if path is None:
        return unfinished_store(plan, or_more=options.runs is None) if options.resume else None
    try:
        is_there = file_mode(path) is not None
    except OSError as error:
        raise GpvizError(f"--store: {shown_path(path)} cannot be used; {error_reason(error)}.") from error
    if not is_there:
        if not path.absolute().parent.is_dir():
            raise GpvizError(f"--store: the folder of {shown_path(path)} does not exist.")
        return None
    if not options.resume:
        raise GpvizError(
            f"--store: {shown_path(path)} already exists and was not changed; --resume continues it."
        )
    return path


def _new_path(plan: Plan) -> Path:
    try:
        return new_store_path(plan)
    except GpvizError as error:
        raise GpvizError(f"{str(error).rstrip('.')}; name another file with --store FILE.") from error


def _executor(options: argparse.Namespace, jobs: int | None) -> Executor:
    if options.cluster is None:
        return PoolExecutor(jobs)
    from gpviz.experiments.dask_cluster import (  # needs a package that not everybody has
        ClusterExecutor,
        TlsFiles,
    )

    tls = TlsFiles(*(getattr(options, name) for name in _TLS))
    return ClusterExecutor(options.cluster, tls if any(tls) else None)


def _run(store: Store, executor: Executor, job: Job, options: argparse.Namespace) -> None:
    """Do what is missing, and show how far it is."""
    before = sum(totals.runs for totals in store.totals())
    job.say(_start_line(store.plan, before, executor, options.cluster))
    if options.cluster is None and compiled_runner.is_missing():
        job.say(how_to_get("fast"))
    try:
        run_missing(store, executor, job)
    except (GpvizError, KeyboardInterrupt):
        job.say(_kept(store, options), is_urgent=True)
        raise
    finally:
        executor.close()


def _start_line(plan: Plan, before: int, executor: Executor, cluster: str | None) -> str:
    cells = counted(len(plan.cells), "cell")
    workers = counted(executor.workers, "worker")
    if cluster is not None:
        workers = f"on the cluster at {terminal_text(cluster)}"  # which says itself what it has
    there = f", {before:,} of them already done" if before else ""
    title = terminal_text(plan.title or plan.name)
    return f"{title}{':' * (title[-1] not in '.?!')} {cells}, {counted(plan.total_runs, 'run')}{there}, {workers}."


def _report(store: Store, options: argparse.Namespace, job: Job) -> None:
    """Write and print what there is, all of it or not; when stopped, what is known by then."""
    plan = store.plan
    written: list[Path] = []
    findings: dict[int, CellDecisiveSteps] = {}
    is_stopped = False
    exact, _ = exact_cells(plan.cells)
    summaries, seconds = summarise(plan, store.totals(), exact), store.seconds
    spreads = spreads_of(store, lambda done, cells: job.show(f"Read {done:,} of {cells:,} cells ..."))
    if options.csv is not None:
        write_file(options.csv, csv_text(plan, summaries, seconds, spreads).encode())
        written.append(options.csv)
    if options.latex is not None:
        write_file(options.latex, latex_tables(plan, summaries).encode())
        written.append(options.latex)
    try:
        if options.decided:
            findings.update(_findings(store, job))
        if options.runs_csv is not None:
            job.show(f"Writing {shown_path(options.runs_csv)} ...")
            write_runs_csv(store, options.runs_csv, findings if options.decided else None)
            written.append(options.runs_csv)
        if options.ioh is not None:
            job.show(f"Writing {shown_path(options.ioh)} ...")
            write_ioh(store, options.ioh)
            written.append(options.ioh)
        written.extend(_write_charts(store, options, job))
    except Stopped:
        is_stopped = True
    job.clear()
    if options.json:
        data = {**cells_data(plan, summaries, seconds, spreads), "store": str(store.path)}
        for number, cell in enumerate(data["cells"] if options.decided else ()):
            cell["decisive_steps"] = findings[number].as_dict() if number in findings else None
        print(json.dumps(data, indent=2))
    elif not options.quiet:
        show(result_text(plan, summaries, spreads, seconds))
        if options.decided and (findings or not is_stopped):
            show(f"\n{decisive_steps_text(plan, findings)}")
    if written:
        job.say(f"Wrote {', '.join(shown_path(path) for path in written)}.")


def _command(store: Store, options: argparse.Namespace) -> str:
    """What to type to go on."""
    plan = [] if options.plan is None else [options.plan]
    command = ["gpviz", "experiment", *plan, "--store", str(store.path), "--resume"]
    return command_to_continue(command, options, ("runs", "seed", "jobs", "cluster", *_TLS))


def _show_list(options: argparse.Namespace) -> int:
    """Print the plans that come with gpviz, and the experiments that were kept."""
    plans = shipped_plans()
    stores = kept_experiments()
    if options.json:
        listed = [
            {"name": plan.name, "title": plan.title, "cells": len(plan.cells), "runs": plan.runs}
            for plan in plans
        ]
        kept_data = [
            {"path": str(each.path), "plan": each.name, "done": each.done, "total": each.total}
            for each in stores
        ]
        print(json.dumps({"plans": listed, "stores": kept_data}, indent=2))
        return 0
    lines = [
        (plan.name, plan.title, f"{len(plan.cells)} cells,", f"{plan.runs:,} runs each") for plan in plans
    ]
    show(f"Plans\n{indent(table_text(lines, left=2), '  ')}")
    if stores:
        kept = [
            (shown_path(each.path.name), f"{terminal_text(each.name)}, {each.done:,} of {each.total:,} runs")
            for each in stores
        ]
        show(f"\nExperiments kept in {shown_path(stores_folder())}, the latest first\n{facts_text(kept)}")
    return 0
