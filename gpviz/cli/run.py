"""`gpviz run`: one run of RLS-GP in the terminal."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from gpviz.cli.options import Parser, add_config_options, config_from, script_from, start_from
from gpviz.cli.output import describe_number, style_for_output, summary, summary_data
from gpviz.cli.progress import Interruptible, Progress
from gpviz.engine import GpvizError, Node, Outcome, Result, RlsGp, RunConfig, Step, TooComplexError
from gpviz.engine.interruption import Deadline, Stopped, stoppable
from gpviz.engine.script import Script
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.engine.settings import whole_number
from gpviz.explain.query import Query, QueryError, QueryWatch, parse_query
from gpviz.export.log import write_log
from gpviz.export.registry import kind_named
from gpviz.export.request import ExportRequest, Subject, ending_of
from gpviz.run.file_io import check_writable, shown_path
from gpviz.run.history import History
from gpviz.run.replay import Cancelled
from gpviz.run.run_file import MAX_ITERATIONS, describe, save

__all__ = ["add_command"]

_EXAMPLES = """examples:
  gpviz run --n 8 --limit n+1 --deletion leaf --seed 254
  gpviz run --preset first-run
  gpviz run --n 50 --limit inf --rows 1000 --sampler counts --accept-error 8 --json
  gpviz run --n 8 --seed 3 --until "verdict == improved and ors > 1"
  gpviz run --n 8 --start "x1 & (x2 | x3)" --save talk.gpviz --trace talk.csv
  gpviz run --n 4 --script "insert x1; insert or x1 at 1; delete 2"
"""
_MOST_SECONDS_TO_TELL: Final = 0.5
"""Some facts about a tangled tree take minutes; whoever interrupts a run waits no longer than this for them."""


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "run",
        help="run RLS-GP in the terminal",
        description="Run RLS-GP until it solves AND_n, is proven stuck, or reaches its last iteration.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--preset", metavar="NAME", help="use the settings of a preset")
    add_config_options(parser)
    parser.add_argument(
        "--start", metavar="FORMULA", help="start from this tree, not the empty one (- or @FILE to read it)"
    )
    parser.add_argument(
        "--script",
        metavar="SCRIPT",
        help="carry out these mutations first, as in the last example (a file, or - to read them)",
    )
    parser.add_argument(
        "--max-iterations",
        metavar="T",
        default=DEFAULT_MAX_ITERATIONS,
        help=f"stop after T iterations ({DEFAULT_MAX_ITERATIONS:,})",
    )
    parser.add_argument(
        "--until",
        metavar="QUERY",
        help='stop after the first iteration that matches, such as "error < 10" or "state == STUCK"',
    )
    parser.add_argument("--save", metavar="FILE.gpviz", type=Path, help="save the run to this file")
    parser.add_argument(
        "--trace",
        metavar="FILE.csv",
        type=Path,
        help="write every iteration as a table (.csv) or JSON lines (.jsonl)",
    )
    parser.add_argument(
        "--formulas", action="store_true", help="with --trace: a column with the formula of each tree"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    config = config_from(options)
    start = start_from(options, config)
    script = script_from(options, config)
    max_iterations = whole_number("--max-iterations", options.max_iterations, 1, MAX_ITERATIONS)
    query = _query(options.until)
    files = [path for path in (options.save, options.trace) if path is not None]
    for path in files:
        check_writable(path)
    if len(files) > len({path.resolve() for path in files}):
        raise GpvizError("--save and --trace: they name the same file; give each its own.")
    if options.trace is not None:
        _check_trace(options.trace)
    elif options.formulas:
        raise GpvizError("--formulas: it is a column of the log; name a file for it with --trace.")
    history = History(config, start, script) if files else None
    with Interruptible() as interruptible:
        try:
            search, watch = _begin(config, start, script, query, interruptible)
            try:
                result = _iterate(search, history, watch, max_iterations, interruptible)
            except TooComplexError as problem:
                _save(options, history, interruptible)
                raise GpvizError(f"iteration {search.iteration + 1}: {problem}") from problem
            _save(options, history, interruptible)
            told = _told(options, search, result, watch, interruptible)
        except Cancelled as reason:
            print(f"gpviz: {reason}", file=sys.stderr)
            return interruptible.exit_code
    print(told)
    if files and not options.json:
        print(f"\nSaved {' and '.join(shown_path(path) for path in files)}.")
    return interruptible.exit_code


def _begin(
    config: RunConfig,
    start: Node | None,
    script: Script,
    query: Query | None,
    interruptible: Interruptible,
) -> tuple[RlsGp, "_QueryStop | None"]:
    try:
        with stoppable(interruptible.is_stopped):
            search = RlsGp(config, start, script)
            return search, None if query is None else _QueryStop(query, search)
    except Stopped as reason:
        raise Cancelled("interrupted before the first iteration.") from reason


def _told(
    options: argparse.Namespace,
    search: RlsGp,
    result: Result,
    watch: "_QueryStop | None",
    interruptible: Interruptible,
) -> str:
    """What is printed of the run."""
    is_late = Deadline(_MOST_SECONDS_TO_TELL)

    def should_stop() -> bool:
        return interruptible.is_interrupted and is_late()

    if options.json:
        is_met = None if watch is None else bool(watch.reason)
        data = summary_data(search, result, options.until, is_met, should_stop)
        return json.dumps(data, indent=2)
    reason = "" if watch is None else watch.reason
    told = summary(search.config, result, style_for_output(), reason, should_stop)
    if watch is not None and not watch.reason:
        told += f"\n\nNo iteration matched {options.until}."
    return told


def _query(text: str | None) -> Query | None:
    """What to run until; what is wrong with it is told as a fault of the option."""
    try:
        return None if text is None else parse_query(text)
    except QueryError as problem:
        raise GpvizError(f"--until, column {problem.column}: {problem.problem}.") from problem


def _check_trace(path: Path) -> None:
    if ending_of(path) not in kind_named("log").by_ending:
        raise GpvizError(
            f"{shown_path(path)}: the name of a log ends in .csv (a table) or .jsonl (JSON lines)."
        )


class _QueryStop:
    """Notices the first iteration that a query asks for; ``reason`` says so, and is empty until then."""

    def __init__(self, query: Query, search: RlsGp) -> None:
        self.reason = ""
        self._watch = QueryWatch(query, search.config)
        self._watch.start(search.tree)

    def is_reached(self, step: Step) -> bool:
        """Whether this step, the next of the run, is one."""
        self.reason = self._watch.reason(step) or ""
        return bool(self.reason)


def _save(options: argparse.Namespace, history: History | None, interruptible: Interruptible) -> None:
    """Save what was asked to be saved, whether or not the run has come to its end.

    An interruption from now on ends it with `Cancelled`; one that ended the run does not.
    """
    if options.save is not None and history is not None:
        save(options.save, describe(history))
    if options.trace is not None and history is not None:
        log = kind_named("log")
        request = ExportRequest(
            kind=log, path=options.trace, at=0, first=0, last=len(history), has_formulas=options.formulas
        )
        progress, is_run_interrupted = Progress(), interruptible.is_interrupted

        def on_progress(done: int, total: int) -> bool:
            progress.show(done, f"of {total:,} written")
            return interruptible.is_interrupted and not is_run_interrupted

        try:
            write_log(request, Subject(history=history), on_progress)
        except Cancelled as reason:
            raise Cancelled(f"interrupted; {shown_path(options.trace)} was not written.") from reason
        finally:
            progress.clear()


def _iterate(
    search: RlsGp,
    history: History | None,
    until: _QueryStop | None,
    max_iterations: int,
    interruptible: Interruptible,
) -> Result:
    progress = Progress()

    def on_step(step: Step) -> bool:
        if history is not None:
            history.append(step)
        if not step.iteration & 255:
            error = "none" if step.error is None else describe_number(step.error)
            progress.show(step.iteration, f"error {error}, {step.leaves} leaves")
        is_reached = until is not None and until.is_reached(step)
        return is_reached or interruptible.is_interrupted

    try:
        with stoppable(interruptible.is_stopped):  # one iteration may take minutes
            return search.run(max_iterations=max_iterations, stop_when_stuck=True, on_step=on_step)
    except Stopped:
        return search.result(Outcome.STOPPED)
    finally:
        progress.clear()
