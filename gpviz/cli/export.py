"""`gpviz export`: a picture, a film, slides, a web page or a table of a run, written to a file."""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz.cli.common_options import Parser, add_quiet_option, branch_number
from gpviz.cli.progress import Interruptible, Progress
from gpviz.engine import GpvizError, RlsGp, Step, TooComplexError
from gpviz.engine.errors import shown
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.export import registry
from gpviz.export.options import OPTIONS, check_request, check_steps
from gpviz.export.registry import kind_for, kind_named, studied, write
from gpviz.export.request import (
    Every,
    ExportFormat,
    ExportKind,
    ExportRequest,
    Subject,
    ending_of,
    number_of_iterations,
)
from gpviz.files.file_io import check_writable, shown_path
from gpviz.number_text import counted
from gpviz.runs.bookmarks import Bookmark
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.presets import Preset, find_preset
from gpviz.runs.replay import Cancelled, replay_all
from gpviz.runs.run_file import RunFile, load

_EXAMPLES = """examples:
  gpviz export talk.gpviz --to tree.png --at 60 --theme projector --size 1280x720 --scale 2
  gpviz export talk.gpviz --to tree.tex --at 60 --fragment
  gpviz export talk.gpviz --to talk.mp4 --range 0:60 --every changed --pace 2
  gpviz export talk.gpviz --to curves.pdf --what curves
  gpviz export --preset first-run --to first-run.html
"""
_NICENESS: Final = 5


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "export",
        help="write a picture, a film, slides, a page or a table of a run",
        description="Replay a saved run and write a picture, a film, slides, a web page or a table of it.",
        epilog=f"{_kinds_text()}\n{_EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
    parser.set_defaults(command=_export)


def _kinds_text() -> str:
    """Every kind on a line with its formats, those that are painted first."""
    lines = ["what can be exported, and in which formats:"]
    for kind in registry.KINDS:
        painted = [_format_text(each) for each in kind.formats if each.is_painted]
        others = [_format_text(each) for each in kind.formats if not each.is_painted]
        formats = ", or ".join(" ".join(group) for group in (painted, others) if group)
        lines.append(f"  {kind.name:<8} {kind.summary}: {formats}")
    return "\n".join([*lines, ""])


def _format_text(form: ExportFormat) -> str:
    return f".{form.ending} ({form.note})" if form.note else f".{form.ending}"


class _GivenOptions(NamedTuple):
    """What the options say, as far as they can be read without the run."""

    kind: ExportKind
    path: Path
    fields: dict[str, Any]

    def request_to(self, length: int) -> ExportRequest:
        """The request to a run of this length, checked; unless others were named, its last or all iterations."""
        ends = {"at": length, "first": 0, "last": length}
        request = ExportRequest(kind=self.kind, path=self.path, **{**ends, **self.fields})
        check_request(request, length)
        return request


def _read_options(options: argparse.Namespace, title: str) -> _GivenOptions:
    """What the options say; ``title`` is the usual one. Raises `GpvizError` for what cannot be meant."""
    path: Path = options.to
    is_range = options.range is not None or options.every is not None
    kind = kind_for(path, is_range=is_range) if options.what is None else kind_named(options.what)
    if ending_of(path) not in kind.by_ending:
        raise GpvizError(
            f"--to: {shown(path.name)} is not allowed; the {kind} (--what) can be written as"
            f" {_endings_text(kind.by_ending)}."
        )
    texts = {name: getattr(options, name) for name in OPTIONS if getattr(options, name) is not None}
    for name in texts:
        _check_use(name, kind, ending_of(path))
    fields: dict[str, Any] = {"title": title}
    for name, text in texts.items():
        fields |= OPTIONS[name].read(text)
    return _GivenOptions(kind, path, fields)


def _check_use(name: str, kind: ExportKind, ending: str) -> None:
    """An option that would do nothing is a misunderstanding, and better told than ignored."""
    if name in kind.by_ending[ending].options:
        return
    useful = [
        f"the {other} as {_endings_text(endings)}"
        for other in registry.KINDS
        if (endings := [each.ending for each in other.formats if name in each.options])
    ]
    flag = OPTIONS[name].flag
    raise GpvizError(f"{flag}: it has no effect on the {kind} as .{ending}; it is for {', '.join(useful)}.")


def _endings_text(endings: Iterable[str]) -> str:
    return " or ".join(f".{each}" for each in endings)


class _Source(NamedTuple):
    """Where the run comes from: a branch of a file, or a preset, which has a title."""

    run_file: RunFile | None
    branch: int
    preset: Preset | None
    title: str

    @property
    def length(self) -> int | None:
        """How many iterations there are, where that is known before they are done again."""
        if self.run_file is None:
            return None
        return self.run_file.branches[self.branch - 1].iterations if self.branch else self.run_file.iterations


class _Run(NamedTuple):
    search: RlsGp
    history: History
    bookmarks: tuple[Bookmark, ...]


def _export(options: argparse.Namespace) -> int:
    source = _source(options)
    given = _read_options(options, source.title)
    # What a preset does is known only afterwards; all else can be wrong before.
    given.request_to(MAX_ITERATIONS if source.length is None else source.length)
    _check_target(options)
    if options.progress_json and hasattr(os, "nice"):
        os.nice(_NICENESS)  # the window beside it comes first
    with Interruptible() as interruptible:
        reporter = _ProgressReporter(interruptible, is_json=options.progress_json, is_quiet=options.quiet)
        try:
            run = _run(source, given, reporter)
            request = given.request_to(len(run.history))
            check_steps(request, run.history)
            subject = studied(request, run.search, run.history, run.bookmarks, reporter.is_stopped)
            _write(request, subject, reporter)
        except Cancelled:
            reporter.clear()
            print("gpviz: interrupted; nothing was written.", file=sys.stderr)
            return interruptible.exit_code
        except BrokenPipeError:
            if options.progress_json:
                _remove_job_folder(options.to.absolute().parent)
            raise
        finally:
            reporter.clear()
    if not options.progress_json and not options.quiet:
        print(f"{shown_path(options.to)} is written: {_written_text(request, run.history)}.")
    return 0


def _remove_job_folder(folder: Path) -> None:
    """Tidy up for a window that was killed: what it had made for this export is of no use to anybody."""
    if fnmatch(folder.name, ".gpviz-*.tmp"):
        shutil.rmtree(folder, ignore_errors=True)


def _source(options: argparse.Namespace) -> _Source:
    if options.preset is not None:
        if options.file is not None:
            raise GpvizError("--preset: it cannot be combined with a file; give one of them.")
        if options.branch is not None:
            raise GpvizError("--branch: it cannot be combined with --preset, whose run has no branches.")
        preset = find_preset(options.preset)
        return _Source(None, 0, preset, preset.title)
    if options.file is None:
        raise GpvizError("There is nothing to export; name a FILE.gpviz or a --preset.")
    run_file = load(options.file)
    return _Source(run_file, branch_number(run_file, options.branch), None, "")


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
    except OSError:  # no such file, or links that lead nowhere, which is told when it is to be written
        return False


class _ProgressReporter:
    """Tells how far it is, on a terminal or as lines of JSON, and passes on that a person wants it to end."""

    _INTERVAL_S = 0.1

    def __init__(self, interruptible: Interruptible, *, is_json: bool, is_quiet: bool) -> None:
        self._interruptible = interruptible
        self._is_json = is_json
        self._is_terminal = not is_json and not is_quiet and sys.stderr.isatty()
        self._replaying = Progress(is_wanted=not is_json and not is_quiet)
        self._next = 0.0
        self._phase = "replay"
        self._width = 0

    def is_stopped(self) -> bool:
        return self._interruptible.is_interrupted

    def begin_writing(self) -> None:
        """The run is there; what is told from now on is about the file."""
        self.clear()
        self._phase = "write"
        self._next = 0.0

    def on_progress(self, done: int, total: int) -> bool:
        if self._phase == "replay" and not self._is_json:
            self._replaying.show(done, f"of {total:,}")
            return self.is_stopped()
        now = time.monotonic()
        if now >= self._next or done >= total:
            self._next = now + self._INTERVAL_S
            self._tell(done, total)
        return self.is_stopped()

    def clear(self) -> None:
        self._replaying.clear()
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0

    def _tell(self, done: int, total: int) -> None:
        if self._is_json:
            print(json.dumps({"phase": self._phase, "done": done, "total": total}), flush=True)
        elif self._is_terminal:
            line = f"writing, {100 * done // max(total, 1)} % ({done:,} of {total:,})"
            sys.stderr.write(f"\r{line:<{self._width}}")
            sys.stderr.flush()
            self._width = max(self._width, len(line))


def _run(source: _Source, given: _GivenOptions, reporter: _ProgressReporter) -> _Run:
    if source.run_file is not None:
        done = replay_all(source.run_file, reporter.on_progress)[source.branch]
        return _Run(done.search, done.history, source.run_file.bookmarks)
    assert source.preset is not None
    return _run_preset(source.preset, given, reporter)


def _run_preset(preset: Preset, given: _GivenOptions, reporter: _ProgressReporter) -> _Run:
    """As `gpviz run` does it, but not beyond what is asked for."""
    start = preset.start_tree
    search = RlsGp(preset.config, start, preset.script)
    history = History(preset.config, start, preset.script)
    end = "last" if "range" in given.kind.by_ending[ending_of(given.path)].options else "at"
    most = min(given.fields.get(end, DEFAULT_MAX_ITERATIONS), DEFAULT_MAX_ITERATIONS)

    def on_step(step: Step) -> bool:
        history.append(step)
        if not step.iteration & 255:
            reporter.on_progress(step.iteration, most)
        return reporter.is_stopped()

    try:
        if most:
            search.run(max_iterations=most, stop_when_stuck=True, on_step=on_step)
    except TooComplexError as problem:
        raise GpvizError(f"iteration {search.iteration + 1}: {problem}") from problem
    if reporter.is_stopped():
        raise Cancelled("The run was interrupted.")
    return _Run(search, history, ())


def _write(request: ExportRequest, subject: Subject, reporter: _ProgressReporter) -> None:
    reporter.begin_writing()
    if reporter.is_stopped():
        raise Cancelled("The export was interrupted.")
    if not request.format.is_painted:
        write(request, subject, reporter.on_progress)
        return
    _with_application(lambda: write(request, subject, reporter.on_progress))


def _with_application(work: Callable[[], None]) -> None:
    """Do what needs Qt; nothing of it is ever on a screen, so that none is needed and all look the same."""
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
    work()
    del application


def _written_text(request: ExportRequest, history: History) -> str:
    used = request.format.options
    if "range" not in used:
        return f"the {request.kind} of iteration {request.at:,}"
    told = f"the {request.kind} of iterations {request.first:,} to {request.last:,}"
    if "every" in used and request.every is not Every.ALL:
        steps = number_of_iterations(request, history) - 1
        if request.every is Every.CHANGED:
            which = f"{counted(steps, 'step')} that {'changes' if steps == 1 else 'change'} the tree"
        else:
            which = counted(steps, f"{request.every} step")
        told = f"{told}, the first and {which} after it"
    return told
