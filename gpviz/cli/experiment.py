"""`gpviz experiment`: does the runs of a plan, on all cores or on a cluster, and tells what they come to."""

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpviz import assets
from gpviz.cli.common_options import Parser, add_quiet_option
from gpviz.cli.experiment_display import display_for, say
from gpviz.cli.experiment_summary import decisive_steps_text, result_text
from gpviz.cli.progress import Interruptible
from gpviz.cli.progress import Progress as ProgressLine
from gpviz.cli.run_summary import style_for_output
from gpviz.engine import ASCII, GpvizError
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.optional_packages import how_to_get
from gpviz.engine.whole_number import whole_number
from gpviz.escaping import command_text, terminal_text
from gpviz.experiments.decisive_steps import MOST_LOOKED_AT, CellDecisiveSteps, decisive_steps_of
from gpviz.experiments.figures.kinds import ChartKind, problem_of, stored_figure
from gpviz.experiments.figures.svg import figure_file
from gpviz.experiments.figures.values_csv import figure_csv
from gpviz.experiments.iohprofiler import check_ioh_folder, write_ioh
from gpviz.experiments.plan import MAX_RUNS, Plan, find_plan, is_plan_file, shipped_plans
from gpviz.experiments.plan_runner import Executor, Progress, run_plan
from gpviz.experiments.pool import MAX_JOBS, PoolExecutor
from gpviz.experiments.result_tables import (
    cells_data,
    csv_text,
    latex_tables,
    settings_words,
    spreads_of,
    write_runs_csv,
)
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import (
    as_many_runs,
    is_complete,
    new_store_path,
    recent_stores,
    resume_store,
    stores_folder,
    unfinished_store,
)
from gpviz.files.file_io import check_writable, error_reason, file_mode, resolved_path, shown_path, write_file
from gpviz.number_text import counted

_EXAMPLES = """examples:
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
_MOST_LISTED: Final = 10
_CHART_SIZE: Final = (1280, 720)
_CHART_FONT: Final = ("DejaVu Sans", 16.0)
_TLS: Final = ("tls_ca", "tls_cert", "tls_key")


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "experiment",
        help="do many runs and compare them with the paper",
        description="Do all runs of a plan, keep them in a file, and compare the results with the paper.",
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
    add("--json", action="store_true", help="print the result as one JSON object")
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
    parser.set_defaults(command=_experiment)


def _experiment(options: argparse.Namespace) -> int:
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
    with ExitStack() as stack, Interruptible() as interruptible:
        if path is not None:
            try:
                store = stack.enter_context(_reopened(path, plan, options, interruptible))
            except Stopped:
                say("Interrupted; nothing was changed.", is_quiet=options.quiet)
                return interruptible.exit_code
            executor = None if is_complete(store) else _executor(options, jobs)
        else:
            path = options.store or _new_path(plan)
            executor = _executor(options, jobs)
            stack.callback(executor.close)
            store = Store.create(path, plan)
            stack.callback(store.close, keeps_empty=False)
        if executor is not None:
            _run(store, executor, interruptible, options)
        # After an interrupted run there is still something to tell; then a second interruption ends it.
        was_interrupted = interruptible.is_interrupted
        try:
            with stoppable(None if was_interrupted else lambda: interruptible.is_interrupted):
                _tell(store, options)
        except Stopped:
            pass
        except BaseException:
            if executor is not None:  # else nothing was done, and there is one thing to say
                say(_kept(store, options))
            raise
        if interruptible.is_interrupted:
            say("Interrupted.", is_quiet=options.quiet)
        say(_kept(store, options), is_quiet=options.quiet)
    return interruptible.exit_code


def _reopened(path: Path, plan: Plan, options: argparse.Namespace, interruptible: Interruptible) -> Store:
    """The experiment to go on with; raises `Stopped` when interrupted."""
    with stoppable(lambda: interruptible.is_interrupted), _line(options) as line:
        line.tell(f"Reading {shown_path(path)} ...")
        if options.runs is None:
            with Store.open(path) as there:
                plan = as_many_runs(there.plan, plan)
        return resume_store(path, plan)


@contextmanager
def _line(options: argparse.Namespace) -> Iterator[ProgressLine]:
    """A line that tells how far something is, and goes in the end."""
    line = ProgressLine(is_wanted=not options.quiet)
    try:
        yield line
    finally:
        line.clear()


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
        place = _resolved(path)
        if place in seen:
            raise GpvizError(f"{seen[place]} and {name}: they name the same file; give each its own.")
        if name == "--ioh":
            check_ioh_folder(path)
            _check_alone(path, [other for each, other in seen.items() if place in each.parents])
        elif name != "--store":
            check_writable(path)
        seen[place] = name


def _check_charts(options: argparse.Namespace, plan: Plan) -> None:
    """See that the charts asked for can be written and are about this plan."""
    kinds = [kind.value for kind in ChartKind]
    for name, path in options.chart:
        if name not in kinds:
            raise InvalidValueError("--chart", name, f"one of {', '.join(kinds)}")
        if Path(path).suffix.lower() not in (".svg", ".csv"):
            raise GpvizError(f"--chart: {shown_path(Path(path))} must end with .svg or .csv.")
        if problem := problem_of(ChartKind(name), plan):
            raise GpvizError(f"--chart {name}: {problem}")
    if options.chart_cell is not None:
        options.chart_cell = whole_number("--chart-cell", options.chart_cell, 1, len(plan.cells))


def _write_charts(store: Store, options: argparse.Namespace, line: ProgressLine) -> Iterator[Path]:
    """Write the charts asked for; the files."""
    for name, path in options.chart:
        figure = stored_figure(
            store.path, ChartKind(name), cell=(options.chart_cell or 1) - 1, has_upper=options.upper_bounds,
            on_progress=partial(_tell_search, line),
        )  # fmt: skip
        text = figure_csv(figure)
        if Path(path).suffix.lower() == ".svg":
            text = figure_file(figure, *_CHART_SIZE, assets.theme_data("light")["colours"], *_CHART_FONT)
        write_file(Path(path), text.encode())
        yield Path(path)


def _findings(store: Store, line: ProgressLine) -> Iterator[tuple[int, CellDecisiveSteps]]:
    """What decided the stuck runs, of the cells that have some."""
    for cell, totals in enumerate(store.totals()):
        if totals.stuck:
            yield cell, decisive_steps_of(store, cell, partial(_tell_search, line))


def _tell_search(line: ProgressLine, done: int, wanted: int) -> None:
    line.tell(f"Finding decisive steps: {done:,} of {counted(wanted, 'stuck run')} ...")


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
    from gpviz.experiments.cluster import ClusterExecutor, TlsFiles  # needs a package that not everybody has

    tls = TlsFiles(*(getattr(options, name) for name in _TLS))
    return ClusterExecutor(options.cluster, tls if any(tls) else None)


def _run(store: Store, executor: Executor, interruptible: Interruptible, options: argparse.Namespace) -> None:
    """Do what is missing, and show how far it is."""
    plan = store.plan
    varied = plan.varied_settings
    others = [name for name in varied if name != (plan.x or varied[-1])]
    labels = [settings_words(cell.config, varied) or terminal_text(plan.name) for cell in plan.cells]
    groups = [settings_words(cell.config, others) for cell in plan.cells]
    before = sum(totals.runs for totals in store.totals())
    try:
        with display_for(labels, groups, plan.runs, is_quiet=options.quiet) as display:

            def on_progress(progress: Progress) -> bool:
                display.show(progress)
                return interruptible.is_interrupted

            display.say(_start_line(plan, before, executor, options.cluster))
            if options.cluster is None and compiled_runner.is_missing():
                display.say(how_to_get("fast"))
            run_plan(store, executor, on_progress, lambda: interruptible.is_interrupted)
    except (GpvizError, KeyboardInterrupt):
        say(_kept(store, options))
        raise
    finally:
        executor.close()


def _start_line(plan: Plan, before: int, executor: Executor, cluster: str | None) -> str:
    cells = counted(len(plan.cells), "cell")
    workers = counted(executor.workers, "worker")
    if cluster is not None:
        workers = f"on the cluster at {terminal_text(cluster)}"  # which tells itself what it has
    there = f", {before:,} of them already done" if before else ""
    title = terminal_text(plan.title or plan.name)
    return f"{title}{':' * (title[-1] not in '.?!')} {cells}, {counted(plan.total_runs, 'run')}{there}, {workers}."


def _tell(store: Store, options: argparse.Namespace) -> None:
    """Write and print what there is, all of it or not.

    Raises `Stopped` when somebody does not want to wait; what is known by then is printed nevertheless.
    """
    plan = store.plan
    written: list[Path] = []
    findings: dict[int, CellDecisiveSteps] = {}
    stopped: Stopped | None = None
    with _line(options) as line:
        exact, _ = exact_cells(plan.cells)
        summaries, seconds = summarise(plan, store.totals(), exact), store.seconds
        spreads = spreads_of(store, lambda done, cells: line.tell(f"Read {done:,} of {cells:,} cells ..."))
        if options.csv is not None:
            write_file(options.csv, csv_text(plan, summaries, seconds, spreads).encode())
            written.append(options.csv)
        if options.latex is not None:
            write_file(options.latex, latex_tables(plan, summaries).encode())
            written.append(options.latex)
        try:
            if options.decided:
                findings.update(_findings(store, line))
            if options.runs_csv is not None:
                line.tell(f"Writing {shown_path(options.runs_csv)} ...")
                write_runs_csv(store, options.runs_csv, findings if options.decided else None)
                written.append(options.runs_csv)
            if options.ioh is not None:
                line.tell(f"Writing {shown_path(options.ioh)} ...")
                write_ioh(store, options.ioh)
                written.append(options.ioh)
            written.extend(_write_charts(store, options, line))
        except Stopped as reason:
            stopped = reason
    if options.json:
        data = {**cells_data(plan, summaries, seconds, spreads), "store": str(store.path)}
        for number, cell in enumerate(data["cells"] if options.decided else ()):
            cell["decisive_steps"] = findings[number].as_dict() if number in findings else None
        print(json.dumps(data, indent=2))
    elif not options.quiet:
        is_unicode = style_for_output() is not ASCII
        print(result_text(plan, summaries, spreads, seconds, is_unicode=is_unicode))
        if options.decided and (findings or stopped is None):
            print(f"\n{decisive_steps_text(plan, findings)}")
    if written:
        say(f"Wrote {', '.join(shown_path(path) for path in written)}.", is_quiet=options.quiet)
    if stopped is not None:
        raise stopped


def _command(store: Store, options: argparse.Namespace) -> str:
    """What to type to go on."""
    plan = [] if options.plan is None else [options.plan]
    words = ["gpviz", "experiment", *plan, "--store", str(store.path), "--resume"]
    for name in ("runs", "seed", "jobs", "cluster", *_TLS):
        value = getattr(options, name)
        words += [f"--{name.replace('_', '-')}", str(value)] if value is not None else []
    words += ["--quiet"] * options.quiet
    return command_text(words)


def _show_list(options: argparse.Namespace) -> int:
    """Print the plans that come with gpviz, and the experiments that were kept."""
    plans = shipped_plans()
    stores = [found for path in recent_stores()[:_MOST_LISTED] if (found := _store_data(path)) is not None]
    if options.json:
        listed = [
            {"name": plan.name, "title": plan.title, "cells": len(plan.cells), "runs": plan.runs}
            for plan in plans
        ]
        print(json.dumps({"plans": listed, "stores": stores}, indent=2))
        return 0
    width = max(len(plan.name) for plan in plans)
    title = max(len(plan.title) for plan in plans)
    print("Plans")
    for plan in plans:
        print(
            f"  {plan.name:<{width}}  {plan.title:<{title}}  {len(plan.cells):>3} cells, {plan.runs:,} runs each"
        )
    if stores:
        print(f"\nExperiments kept in {shown_path(stores_folder())}, the latest first")
        for store in stores:
            name = shown_path(Path(store["path"]).name)
            print(f"  {name}  {terminal_text(store['plan'])}, {store['done']:,} of {store['total']:,} runs")
    return 0


def _store_data(path: Path) -> dict[str, Any] | None:
    """What the list says about an experiment; None of what is none."""
    try:
        with Store.open(path) as store:
            done = sum(totals.runs for totals in store.totals())
            return {"path": str(path), "plan": store.plan.name, "done": done, "total": store.plan.total_runs}
    except GpvizError:
        return None
