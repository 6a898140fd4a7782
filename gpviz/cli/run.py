"""`gpviz run`: one run of RLS-GP in the terminal."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from gpviz.cli.common_options import (
    Parser,
    add_config_options,
    add_quiet_option,
    config_from,
    script_from,
    start_from,
)
from gpviz.cli.progress import Interruptible, Progress
from gpviz.cli.run_summary import TableOutput, describe_number, style_for_output, summary, summary_data
from gpviz.engine import (
    GpvizError,
    InvalidValueError,
    Node,
    Outcome,
    Result,
    RlsGp,
    RunConfig,
    Step,
    TooComplexError,
)
from gpviz.engine.interruption import Deadline, Stopped, stoppable
from gpviz.engine.mutation_script import Script
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.engine.whole_number import whole_number
from gpviz.explain.query import Query, QueryError, QueryWatch, parse_query
from gpviz.export.registry import kind_named
from gpviz.export.request import ExportRequest, Subject, ending_of
from gpviz.export.run_log import LogStream, write_log
from gpviz.files.file_io import check_writable, shown_path
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.replay import Cancelled
from gpviz.runs.run_file import describe, save

_EXAMPLES = """examples:
  gpviz run --n 8 --limit n+1 --deletion leaf --seed 254
  gpviz run --preset first-run
  gpviz run --n 50 --limit inf --rows 1000 --sampler counts --accept-error 8 --json
  gpviz run --n 8 --seed 3 --until "verdict == improved and ors > 1"
  gpviz run --n 8 --start "x1 & (x2 | x3)" --save talk.gpviz --trace talk.csv
  gpviz run -n 8 --trace - --quiet | cut -d , -f 1,11
  gpviz run -n 4 --script "insert x1; insert or x1 at 1; delete 2"
"""
_STANDARD_OUTPUT: Final = "-"
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
        help="write every iteration as a table (.csv) or JSON lines (.jsonl); with -, to standard output, and the"
        " summary to standard error",
    )
    parser.add_argument(
        "--trace-format",
        metavar="FORMAT",
        help="csv or jsonl, for - (csv by default) and for files with another ending",
    )
    parser.add_argument(
        "--formulas", action="store_true", help="with --trace: a column with the formula of each tree"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    add_quiet_option(parser)
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    config = config_from(options)
    start = start_from(options, config)
    script = script_from(options, config)
    max_iterations = whole_number("--max-iterations", options.max_iterations, 1, MAX_ITERATIONS)
    query = _query(options.until)
    trace = _trace_from(options)
    files = [path for path in (options.save, trace.path) if path is not None]
    for path in files:
        check_writable(path)
    if len(files) > len({path.resolve() for path in files}):
        raise GpvizError("--save and --trace: they name the same file; give each its own.")
    output = TableOutput() if trace.is_streamed else None
    told = ""
    with Interruptible() as interruptible:
        try:
            search, watch = _begin(config, start, script, query, interruptible)
            history = History(config, start, script) if files else None
            record = _Record(history, output, search, trace.ending, has_formulas=options.formulas)
            try:
                result = _iterate(search, record, watch, max_iterations, interruptible, _progress(options))
            except TooComplexError as problem:
                _save(options, trace, history, interruptible)
                raise GpvizError(f"iteration {search.iteration + 1}: {problem}") from problem
            except OSError:  # of the output, where the disk may be full; the files may be elsewhere
                _save(options, trace, history, interruptible)
                raise
            _save(options, trace, history, interruptible)
            if record.is_wanted and (options.json or not options.quiet):
                told = _told(options, search, result, watch, interruptible)
        except Cancelled as reason:
            print(f"gpviz: {reason}", file=sys.stderr)
            return interruptible.exit_code
    if told and files and not options.json:
        told += f"\n\nSaved {' and '.join(shown_path(path) for path in files)}."
    if told:
        print(told, file=_summary_stream(options))
    return interruptible.exit_code


def _summary_stream(options: argparse.Namespace) -> TextIO:
    return sys.stderr if options.trace == _STANDARD_OUTPUT else sys.stdout


def _progress(options: argparse.Namespace) -> Progress:
    is_between_rows = options.trace == _STANDARD_OUTPUT and sys.stdout.isatty()
    return Progress(is_wanted=not options.quiet and not is_between_rows)


class _Trace(NamedTuple):
    """Where the log goes, if there is one, and as what."""

    path: Path | None = None
    is_streamed: bool = False
    ending: str = ""


def _trace_from(options: argparse.Namespace) -> _Trace:
    """What the options say of the log; raises `GpvizError` for what cannot be meant."""
    form, endings = options.trace_format, kind_named("log").by_ending
    if options.trace is None:
        for name, value in (("--trace-format", form), ("--formulas", options.formulas)):
            if value:
                raise GpvizError(f"{name}: it needs a log; say with --trace where to write it.")
        return _Trace()
    if form is not None and form not in endings:
        raise InvalidValueError("--trace-format", form, " or ".join(endings))
    if options.trace == _STANDARD_OUTPUT:
        return _Trace(None, True, form or "csv")
    path = Path(options.trace)
    ending = ending_of(path)
    if form is None and ending not in endings:
        raise GpvizError(
            f"{shown_path(path)}: the name of a log ends in .csv (a table) or .jsonl (JSON lines), unless"
            " --trace-format says which it is."
        )
    if form is not None and ending in endings and ending != form:
        raise GpvizError(
            f"--trace-format: {form} contradicts the name {shown_path(path)}; change one of them."
        )
    return _Trace(path, False, form or ending)


class _Record:
    """What is kept of a run for its files, and written of it while it goes on."""

    def __init__(
        self,
        history: History | None,
        output: TableOutput | None,
        search: RlsGp,
        ending: str,
        *,
        has_formulas: bool,
    ) -> None:
        self.history = history
        self._output = output
        self._stream: LogStream | None = None
        if output is not None:
            run = History(search.config, search.start, search.script)
            self._stream = LogStream(output.write, run, ending, has_formulas=has_formulas)

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has a use for more; not if all there is to write to is a pipe that was closed."""
        return self.history is not None or self._output is None or self._output.has_reader

    def append(self, step: Step) -> None:
        if self.history is not None:
            self.history.append(step)
        if self._stream is not None:
            self._stream.append(step)


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
    style = style_for_output(_summary_stream(options))
    told = summary(search.config, result, style, reason, should_stop)
    if watch is not None and not watch.reason:
        told += f"\n\nNo iteration matched {options.until}."
    return told


def _query(text: str | None) -> Query | None:
    """What to run until; what is wrong with it is told as a fault of the option."""
    try:
        return None if text is None else parse_query(text)
    except QueryError as problem:
        raise GpvizError(f"--until, column {problem.column}: {problem.problem}.") from problem


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


def _save(
    options: argparse.Namespace, trace: _Trace, history: History | None, interruptible: Interruptible
) -> None:
    """Save what was asked to be saved, whether or not the run has come to its end.

    An interruption from now on ends it with `Cancelled`; one that ended the run does not.
    """
    if options.save is not None and history is not None:
        save(options.save, describe(history))
    if trace.path is not None and history is not None:
        log = kind_named("log")
        request = ExportRequest(
            kind=log, path=trace.path, at=0, first=0, last=len(history), has_formulas=options.formulas
        )
        progress, is_run_interrupted = _progress(options), interruptible.is_interrupted

        def on_progress(done: int, total: int) -> bool:
            progress.show(done, f"of {total:,} written")
            return interruptible.is_interrupted and not is_run_interrupted

        try:
            write_log(request, Subject(history=history), on_progress, ending=trace.ending)
        except Cancelled as reason:
            raise Cancelled(f"interrupted; {shown_path(trace.path)} was not written.") from reason
        finally:
            progress.clear()


def _iterate(
    search: RlsGp,
    record: _Record,
    until: _QueryStop | None,
    max_iterations: int,
    interruptible: Interruptible,
    progress: Progress,
) -> Result:
    def on_step(step: Step) -> bool:
        record.append(step)
        if not step.iteration & 255:
            error = "none" if step.error is None else describe_number(step.error)
            progress.show(step.iteration, f"error {error}, {step.leaves} leaves")
        is_reached = until is not None and until.is_reached(step)
        return is_reached or interruptible.is_interrupted or not record.is_wanted

    try:
        with stoppable(interruptible.is_stopped):  # one iteration may take minutes
            return search.run(max_iterations=max_iterations, stop_when_stuck=True, on_step=on_step)
    except Stopped:
        return search.result(Outcome.STOPPED)
    finally:
        progress.clear()
