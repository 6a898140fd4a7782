"""`gpviz run`: does one run of RLS-GP in the terminal."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from gpviz.cli.common_options import (
    Parser,
    add_config_options,
    add_json_option,
    add_quiet_option,
    config_from,
    script_from,
    start_from,
)
from gpviz.cli.progress import Job
from gpviz.cli.run_summary import summary_data, summary_text
from gpviz.cli.terminal import TableOutput, show
from gpviz.engine import GpvizError, InvalidValueError, Outcome, Result, RlsGp, Step, TooComplexError
from gpviz.engine.errors import whole_number
from gpviz.engine.interruption import Deadline, Stopped, stoppable
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.explain.query import Query, QueryError, QueryWatch, parse_query
from gpviz.export.registry import kind_named
from gpviz.export.request import ExportRequest, Subject, ending_of
from gpviz.export.run_tables import LogStream, write_log
from gpviz.files.file_io import check_writable, shown_path
from gpviz.number_text import counted, number_text
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.run_file import describe, save

DESCRIPTION: Final = "Run RLS-GP until it solves AND_n, is proven stuck, or reaches its last iteration."
EXAMPLES: Final = """examples:
  gpviz run --n 8 --limit n+1 --deletion leaf --seed 254
  gpviz run --preset first-run
  gpviz run --n 50 --limit inf --rows 1000 --sampler counts --accept-error 8 --json
  gpviz run --n 8 --seed 3 --until "verdict == improved and ors > 1"
  gpviz run --n 8 --start "x1 & (x2 | x3)" --save talk.gpviz --trace talk.csv
  gpviz run -n 8 --trace - --quiet | cut -d , -f 1,11
  gpviz run -n 4 --script "insert x1; insert or x1 at 1; delete 2"
"""
_STANDARD_OUTPUT: Final = "-"
_MOST_SECONDS_TO_SUMMARISE: Final = 0.5
"""Some facts about a tangled tree take minutes; whoever interrupts a run waits no longer than this for them."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
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
    add_json_option(parser)
    add_quiet_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Do the run, save what is to be saved, and print how it ended."""
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
    is_between_rows = trace.is_streamed and sys.stdout.isatty()
    text = ""
    with Job(is_quiet=options.quiet or is_between_rows) as job:
        with job.interruptible("interrupted before the first iteration."):
            search = RlsGp(config, start, script)
            recorder = _Recorder(search, query)
        if files:
            recorder.history = History(config, start, script)
        if output is not None:
            recorder.stream_to(output, trace.ending, has_formulas=options.formulas)
        try:
            result = _iterate(search, recorder, max_iterations, job)
        except (TooComplexError, OSError) as problem:
            _save(options, trace, recorder.history, job)
            if isinstance(problem, OSError):  # the disk of the output may be full; the files may be elsewhere
                raise
            raise GpvizError(f"iteration {search.iteration + 1}: {problem}") from problem
        _save(options, trace, recorder.history, job)
        if recorder.is_wanted and (options.json or not options.quiet):
            text = _summary(options, search, result, recorder, job)
    if text and files and not options.json:
        text += f"\n\nSaved {' and '.join(shown_path(path) for path in files)}."
    if text:
        stream: TextIO = sys.stderr if trace.is_streamed else sys.stdout
        show(text, stream)
    return job.exit_code


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


class _Recorder:
    """Keeps the steps of a run for its files or writes them at once, and looks for one that a query asks for."""

    def __init__(self, search: RlsGp, query: Query | None) -> None:
        self.history: History | None = None
        self.match = ""
        """The sentence that says which iteration the query asks for; empty until it has come."""
        self._search = search
        self._watch = None if query is None else QueryWatch(query, search.config)
        if self._watch is not None:
            self._watch.start(search.tree)
        self._output: TableOutput | None = None
        self._stream: LogStream | None = None

    def stream_to(self, output: TableOutput, ending: str, *, has_formulas: bool) -> None:
        """Write every step to the standard output, too."""
        run = History(self._search.config, self._search.start, self._search.script)
        self._output = output
        self._stream = LogStream(output.write, run, ending, has_formulas=has_formulas)

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has a use for more; not if all there is to write to is a pipe that was closed."""
        return self.history is not None or self._output is None or self._output.has_reader

    def append(self, step: Step) -> bool:
        """Take the next step of the run; whether it is to be the last."""
        if self.history is not None:
            self.history.append(step)
        if self._stream is not None:
            self._stream.append(step)
        if self._watch is not None:
            self.match = self._watch.reason(step) or ""
        return bool(self.match) or not self.is_wanted


def _iterate(search: RlsGp, recorder: _Recorder, max_iterations: int, job: Job) -> Result:
    def on_step(step: Step) -> bool:
        is_last = recorder.append(step)
        if not step.iteration & 255:
            error = "none" if step.error is None else number_text(step.error)
            job.count_iterations(step.iteration, f"error {error}, {counted(step.leaves, 'leaf')}")
        return is_last or job.is_interrupted

    try:
        with stoppable(job.should_stop):  # one iteration may take minutes
            return search.run(max_iterations=max_iterations, stop_when_stuck=True, on_step=on_step)
    except Stopped:
        return search.result(Outcome.STOPPED)
    finally:
        job.clear()


def _save(options: argparse.Namespace, trace: _Trace, history: History | None, job: Job) -> None:
    """Save what is to be saved, whether or not the run has come to its end."""
    if history is None:
        return
    if options.save is not None:
        save(options.save, describe(history))
    if trace.path is not None:
        request = ExportRequest(
            kind=kind_named("log"),
            path=trace.path,
            at=0,
            first=0,
            last=len(history),
            has_formulas=options.formulas,
        )
        with job.interruptible(f"interrupted; {shown_path(trace.path)} was not written."):
            write_log(request, Subject(history=history), job.on_written, ending=trace.ending)


def _summary(
    options: argparse.Namespace, search: RlsGp, result: Result, recorder: _Recorder, job: Job
) -> str:
    """What is printed of the run."""
    is_late = Deadline(_MOST_SECONDS_TO_SUMMARISE)

    def should_stop() -> bool:
        return job.is_interrupted and is_late()

    if options.json:
        is_met = None if options.until is None else bool(recorder.match)
        return json.dumps(summary_data(search, result, options.until, is_met, should_stop), indent=2)
    text = summary_text(search.config, result, recorder.match, should_stop)
    if options.until is not None and not recorder.match:
        text += f"\n\nNo iteration matched {options.until}."
    return text


def _query(text: str | None) -> Query | None:
    """What to run until; what is wrong with it is a fault of the option."""
    try:
        return None if text is None else parse_query(text)
    except QueryError as problem:
        raise GpvizError(f"--until, column {problem.column}: {problem.problem}.") from problem
