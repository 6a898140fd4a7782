"""`gpviz export`: writes a picture, a film, slides, a web page or a table of a run to a file."""

import argparse
import json
import os
import shutil
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz.cli.common_options import Parser, add_quiet_option, branch_number
from gpviz.cli.progress import Job
from gpviz.engine import GpvizError, RlsGp, Step, TooComplexError
from gpviz.engine.interruption import checkpoint
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.export import registry
from gpviz.export.registry import kind_for, kind_named, studied, write
from gpviz.export.request import (
    OPTIONS,
    Every,
    ExportFormat,
    ExportKind,
    ExportRequest,
    Subject,
    check_ending,
    check_request,
    check_steps,
    ending_of,
    iterations_of,
)
from gpviz.files.file_io import check_writable, shown_path
from gpviz.number_text import counted
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.presets import Preset, find_preset
from gpviz.runs.replay import Replayed, replay_all
from gpviz.runs.run_file import RunFile, load

DESCRIPTION: Final = "Replay a saved run and write a picture, a film, slides, a web page or a table of it."
EXAMPLES: Final = """examples:
  gpviz export talk.gpviz --to tree.png --at 60 --theme projector --size 1280x720 --scale 2
  gpviz export talk.gpviz --to tree.tex --at 60 --fragment
  gpviz export talk.gpviz --to talk.mp4 --range 0:60 --every changed --pace 2
  gpviz export talk.gpviz --to curves.pdf --what curves
  gpviz export --preset first-run --to first-run.html
"""
_NICENESS: Final = 5
_REPORT_S: Final = 0.1


def add_options(parser: Parser) -> None:
    """Add the options of the command, and the kinds of exports to its help."""
    parser.epilog = f"{_kinds_text()}\n{EXAMPLES}"
    names = ", ".join(kind.name for kind in registry.KINDS)
    add = parser.add_argument
    add("file", metavar="FILE.gpviz", nargs="?", type=Path, help="the run file")
    add("--preset", metavar="NAME", help="instead of a file: the run of a preset, until it ends")
    add(
        "--to",
        metavar="OUT",
        required=True,
        type=Path,
        help=("the file to write; its ending sets the format"),
    )
    add("--what", metavar="WHAT", help=f"{names}; by default what the ending suggests")
    for option in OPTIONS.values():
        if option.metavar:
            add(option.flag, metavar=option.metavar, help=option.help)
        else:
            add(option.flag, action="store_const", const="", help=option.help)
    add(
        "--branch",
        metavar="BRANCH",
        help=("by name or number, 0 for the original (the one shown when saved)"),
    )
    add("--force", action="store_true", help="replace the file if it exists")
    add_quiet_option(parser)
    add("--progress-json", action="store_true", help=argparse.SUPPRESS)


def _kinds_text() -> str:
    """Every kind on a line with its formats, those that are painted first."""
    lines = ["what can be exported, and in which formats:"]
    for kind in registry.KINDS:
        painted = [_format_text(each) for each in kind.formats if each.is_painted]
        others = [_format_text(each) for each in kind.formats if not each.is_painted]
        formats = ", or ".join(" ".join(group) for group in (painted, others) if group)
        lines.append(f"  {kind.name:<8} {kind.description} {formats}")
    return "\n".join([*lines, ""])


def _format_text(form: ExportFormat) -> str:
    return f".{form.ending} ({form.note})" if form.note else f".{form.ending}"


class _Source(NamedTuple):
    """Where the run comes from: a branch of a file, or a preset."""

    run_file: RunFile | None = None
    branch: int = 0
    preset: Preset | None = None

    @property
    def most_iterations(self) -> int:
        """How many iterations there are; what a preset does is known only afterwards."""
        if self.run_file is None:
            return MAX_ITERATIONS
        return self.run_file.branches[self.branch - 1].iterations if self.branch else self.run_file.iterations


def execute(options: argparse.Namespace) -> int:
    """Do the run again and write the file."""
    source = _source(options)
    kind = _kind(options)
    fields = _fields(options, kind, source)
    _request(options, kind, fields, source.most_iterations)
    _check_target(options)
    if options.progress_json and hasattr(os, "nice"):
        os.nice(_NICENESS)  # the window beside it comes first
    with Job(is_quiet=options.quiet or options.progress_json) as job:
        reporter = _Reporter(job, is_json=options.progress_json)
        try:
            with job.interruptible("interrupted; nothing was written."):
                search, history = _run(source, _last_iteration(options, kind, fields), reporter)
                request = _request(options, kind, fields, len(history))
                check_steps(request, history)
                bookmarks = () if source.run_file is None else source.run_file.bookmarks
                subject = studied(request, search, history, bookmarks, job.should_stop)
                reporter.phase = "write"
                checkpoint()
                _write(request, subject, reporter)
        except BrokenPipeError:
            if options.progress_json:
                _remove_job_folder(options.to.absolute().parent)
            raise
    if not options.progress_json and not options.quiet:
        print(f"{shown_path(options.to)} is written: {_written_text(request, history)}.")
    return 0


def _source(options: argparse.Namespace) -> _Source:
    if options.preset is not None:
        if options.file is not None:
            raise GpvizError("--preset: it cannot be combined with a file; give one of them.")
        if options.branch is not None:
            raise GpvizError("--branch: it cannot be combined with --preset, whose run has no branches.")
        return _Source(preset=find_preset(options.preset))
    if options.file is None:
        raise GpvizError("There is nothing to export; name a FILE.gpviz or a --preset.")
    run_file = load(options.file)
    return _Source(run_file, branch_number(run_file, options.branch))


def _kind(options: argparse.Namespace) -> ExportKind:
    is_range = options.range is not None or options.every is not None
    kind = kind_for(options.to, is_range=is_range) if options.what is None else kind_named(options.what)
    check_ending(kind, options.to)
    return kind


def _fields(options: argparse.Namespace, kind: ExportKind, source: _Source) -> dict[str, Any]:
    """What the options say about the request, as far as they can be read without the run."""
    fields: dict[str, Any] = {"title": "" if source.preset is None else source.preset.title}
    for name, option in OPTIONS.items():
        text = getattr(options, name)
        if text is not None:
            _check_use(name, kind, ending_of(options.to))
            fields |= option.read(text)
    return fields


def _request(
    options: argparse.Namespace, kind: ExportKind, fields: dict[str, Any], length: int
) -> ExportRequest:
    """The request to a run of this length, checked; unless others were named, its last or all iterations."""
    ends = {"at": length, "first": 0, "last": length}
    request = ExportRequest(kind=kind, path=options.to, **{**ends, **fields})
    check_request(request, length)
    return request


def _last_iteration(options: argparse.Namespace, kind: ExportKind, fields: dict[str, Any]) -> int:
    """The last iteration that anybody asks for."""
    end = "last" if "range" in kind.by_ending[ending_of(options.to)].options else "at"
    last: int = fields.get(end, DEFAULT_MAX_ITERATIONS)
    return min(last, DEFAULT_MAX_ITERATIONS)


def _check_use(name: str, kind: ExportKind, ending: str) -> None:
    """An option that would do nothing is a misunderstanding, better refused than ignored."""
    if name in kind.by_ending[ending].options:
        return
    useful = [
        f"the {other} as {' or '.join(endings)}"
        for other in registry.KINDS
        if (endings := [f".{each.ending}" for each in other.formats if name in each.options])
    ]
    flag = OPTIONS[name].flag
    raise GpvizError(f"{flag}: it has no effect on the {kind} as .{ending}; it is for {', '.join(useful)}.")


def _check_target(options: argparse.Namespace) -> None:
    path: Path = options.to
    if options.file is not None and _is_same(path, options.file):
        raise GpvizError("--to: it names the run file itself; the export needs a file of its own.")
    check_writable(path)
    if path.is_file() and not options.force:
        raise GpvizError(f"--to: {shown_path(path)} already exists; --force replaces it.")


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # no such file, or links that lead nowhere, which is said when it is to be written
        return False


class _Reporter:
    """Shows how far an export is, on the line of the job or as lines of JSON for the window that started it."""

    def __init__(self, job: Job, *, is_json: bool) -> None:
        self.phase = "replay"
        self._job = job
        self._is_json = is_json
        self._next = 0.0

    def on_progress(self, done: int, total: int) -> bool:
        """Report this; whether to stop."""
        if self._is_json:
            self._print(done, total)
        elif self.phase == "replay":
            self._job.count_iterations(done, f"of {total:,}")
        else:
            self._job.on_written(done, total)
        return self._job.should_stop()

    def _print(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next or done >= total:
            self._next = now + _REPORT_S
            print(json.dumps({"phase": self.phase, "done": done, "total": total}), flush=True)


def _run(source: _Source, most: int, reporter: _Reporter) -> Replayed:
    """The run of the file once more, or that of the preset, as `gpviz run` does it, for so many iterations."""
    if source.run_file is not None:
        return replay_all(source.run_file, reporter.on_progress)[source.branch]
    preset = source.preset
    assert preset is not None
    start = preset.start_tree
    run = Replayed(RlsGp(preset.config, start, preset.script), History(preset.config, start, preset.script))

    def on_step(step: Step) -> bool:
        run.history.append(step)
        return not step.iteration & 255 and reporter.on_progress(step.iteration, most)

    try:
        if most:
            run.search.run(max_iterations=most, stop_when_stuck=True, on_step=on_step)
    except TooComplexError as problem:
        raise GpvizError(f"iteration {run.search.iteration + 1}: {problem}") from problem
    checkpoint()
    return run


def _write(request: ExportRequest, subject: Subject, reporter: _Reporter) -> None:
    """Write the file. Nothing that Qt paints is ever on a screen, so that none is needed and all look the same."""
    if not request.format.is_painted:
        write(request, subject, reporter.on_progress)
        return
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from PySide6.QtWidgets import QApplication

        from gpviz.app.application import make_application
    except ImportError as missing:
        raise GpvizError(
            f"Qt, which paints pictures and films, cannot be loaded ({missing}). On Debian and Ubuntu the system"
            " packages libegl1, libgl1, libxkbcommon0, libdbus-1-3 and libfontconfig1 are needed."
        ) from missing
    application = QApplication.instance() or make_application(["gpviz"])
    write(request, subject, reporter.on_progress)
    del application


def _remove_job_folder(folder: Path) -> None:
    """Tidy up for a window that was killed: what it had made for this export is of no use to anybody."""
    if fnmatch(folder.name, ".gpviz-*.tmp"):
        shutil.rmtree(folder, ignore_errors=True)


def _written_text(request: ExportRequest, history: History) -> str:
    used = request.format.options
    if "range" not in used:
        return f"the {request.kind} of iteration {request.at:,}"
    text = f"the {request.kind} of iterations {request.first:,} to {request.last:,}"
    if "every" in used and request.every is not Every.ALL:
        steps = len(iterations_of(request, history)) - 1
        if request.every is Every.CHANGED:
            which = f"{counted(steps, 'step')} that {'changes' if steps == 1 else 'change'} the tree"
        else:
            which = counted(steps, f"{request.every} step")
        text = f"{text}, the first and {which} after it"
    return text
