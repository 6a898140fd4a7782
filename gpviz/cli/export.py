"""`gpviz export`: a picture, a film, slides, a web page or a table of a run, written to a file."""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from gpviz.app.export.writers import Subject, is_painted, studied, write
from gpviz.cli.options import Parser
from gpviz.cli.progress import Interruptible, Progress
from gpviz.engine import GpvizError, InvalidValueError, RlsGp, Step, TooComplexError
from gpviz.engine.errors import shown
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.engine.settings import whole_number
from gpviz.export.request import (
    FORMATS,
    OPTIONS,
    THEMES,
    Every,
    ExportRequest,
    What,
    check_request,
    check_steps,
    format_of,
    number_of_iterations,
    options_for,
    what_for,
)
from gpviz.run.bookmarks import Bookmark
from gpviz.run.file_io import check_writable, shown_path
from gpviz.run.history import History
from gpviz.run.limits import MAX_ITERATIONS
from gpviz.run.presets import Preset, find_preset
from gpviz.run.run_file import Cancelled, RunFile, load, replay_all

__all__ = ["ExportOptions", "add_command", "read_options"]

# What `gpviz export` is asked for, read from its options and checked as far as that goes without the run.

_Kind = TypeVar("_Kind", What, Every)
_SIZE: Final = re.compile(r"([0-9]{1,6})[x×]([0-9]{1,6})", re.ASCII | re.IGNORECASE)
_RANGE: Final = re.compile(r"([0-9]{0,9}):([0-9]{0,9})", re.ASCII)
_OFTEN_OF_NO_USE: Final = tuple(part for part in OPTIONS if part not in ("what", "path"))

_EXAMPLES = """what there is, and in which formats:
  tree     one tree: .png .svg .pdf, or .tex (TikZ)
  curves   error and size over a range: .png .svg .pdf, or .csv
  table    the truth table of one tree: .png
  film     a range, step by step: .mp4 .gif
  slides   a range as Beamer frames: .tex
  page     a range to step through in a browser: .html
  log      every iteration of a range: .csv .jsonl

examples:
  gpviz export talk.gpviz --to tree.png --at 120 --theme projector --size 1280x720 --scale 2
  gpviz export talk.gpviz --to tree.tex --at 120 --fragment
  gpviz export talk.gpviz --to talk.mp4 --range 0:300 --every accepted --pace 2
  gpviz export talk.gpviz --to curves.pdf --what curves
  gpviz export --preset first-run --to first-run.html
"""
_NICENESS: Final = 5


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What the options say as far as they can be read without the run; None is the usual value."""

    what: What
    path: Path
    at: int | None
    first: int | None
    last: int | None
    every: Every
    theme: str
    width: int
    height: int
    scale: float
    pace: float
    is_fragment: bool
    is_bare: bool
    title: str

    def on(self, length: int) -> ExportRequest:
        """The request to a run of this length, checked."""
        request = ExportRequest(
            what=self.what,
            path=self.path,
            at=length if self.at is None else self.at,
            first=self.first or 0,
            last=length if self.last is None else self.last,
            every=self.every,
            theme=self.theme,
            width=self.width,
            height=self.height,
            scale=self.scale,
            pace=self.pace,
            is_fragment=self.is_fragment,
            is_bare=self.is_bare,
            title=self.title,
        )
        check_request(request, length)
        return request


def read_options(options: argparse.Namespace, title: str) -> ExportOptions:
    """What the options say; ``title`` is the usual one. Raises `GpvizError` for what cannot be meant."""
    path: Path = options.to
    is_range = options.range is not None or options.every is not None
    suffix = format_of(path)
    what = what_for(path, is_range=is_range) if options.what is None else _choice("what", options.what, What)
    if suffix not in FORMATS[what]:
        endings = " or ".join(f".{each}" for each in FORMATS[what])
        raise GpvizError(
            f"--to: {shown(path.name)} is not allowed; the {what} (--what) can be written as {endings}."
        )
    _check_use(options, what, suffix)
    first, last = _range(options.range)
    width, height = _size(options.size)
    return ExportOptions(
        what,
        path,
        None if options.at is None else whole_number("--at", options.at, 0, MAX_ITERATIONS),
        first,
        last,
        _choice("every", options.every or "all", Every),
        options.theme or "light",
        width,
        height,
        _number("--scale", options.scale),
        _number("--pace", options.pace),
        options.fragment,
        options.bare,
        options.title if options.title is not None else title,
    )


def _check_use(options: argparse.Namespace, what: What, suffix: str) -> None:
    """An option that would do nothing is a misunderstanding, and better told than ignored."""
    used = options_for(what, suffix)
    for part in _OFTEN_OF_NO_USE:
        if getattr(options, part) in (None, False) or part in used:
            continue
        useful = [
            f"the {kind} as {' or '.join(f'.{each}' for each in endings)}"
            for kind in What
            if (endings := [each for each in FORMATS[kind] if part in options_for(kind, each)])
        ]
        raise GpvizError(
            f"{OPTIONS[part]}: there is no use for it in the {what} as .{suffix}; it is for {', '.join(useful)}."
        )


def _choice(part: str, text: str, kind: type[_Kind]) -> _Kind:
    try:
        return kind(text)
    except ValueError:
        raise InvalidValueError(OPTIONS[part], text, f"one of {', '.join(kind)}") from None


def _range(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("--range", text, "two iterations with a colon, such as 0:300, 100: or :300")
    first, last = (int(part) if part else None for part in found.groups())
    return first, last


def _size(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1280, 720
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("--size", text, "width x height in pixels, such as 1280x720")
    return int(found[1]), int(found[2])


def _number(option: str, text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        raise InvalidValueError(option, text, "a number such as 2 or 0.5") from None


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "export",
        help="write a picture, a film, slides, a page or a table of a run",
        description="Do a saved run again and write a picture, a film, slides, a web page or a table of it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", metavar="FILE.gpviz", nargs="?", type=Path, help="the run file")
    add("--preset", metavar="NAME", help="instead of a file: the run of a preset, until it ends")
    add("--to", metavar="OUT", required=True, type=Path, help="the file to write; its ending is the format")
    add("--what", metavar="WHAT", help=f"{', '.join(What)}; by itself what the ending suggests")
    add("--at", metavar="T", help="the iteration of a tree or a table (the last one)")
    add("--range", metavar="A:B", help="the iterations of everything else (the whole run)")
    add(
        "--every",
        metavar="WHICH",
        help="in a film or slides: all steps, accepted (the tree changes) or improved (all)",
    )
    add("--theme", metavar="THEME", help=f"{', '.join(THEMES)} (light)")
    add("--size", metavar="WxH", help="the size of a picture or a film in pixels (1280x720)")
    add("--scale", metavar="S", help="this many pixels of a picture for each of its size (1)")
    add("--pace", metavar="P", help="how many steps a film shows in a second (1)")
    add("--title", metavar="TEXT", help="the title of slides or a page (the name of the file or the preset)")
    add("--fragment", action="store_true", help="TikZ to be included in a document of yours")
    add("--bare", action="store_true", help="only the tree, without marks and words, cropped to it")
    add("--branch", metavar="BRANCH", help="by name or number, 0 the original (the one on show when saved)")
    add("--force", action="store_true", help="replace the file if it exists")
    add("--progress-json", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(command=_export)


class _Source(NamedTuple):
    """Where the run comes from: a branch of a file, or a preset."""

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
    wish = read_options(options, source.title)
    # What a preset does is known only afterwards; all else can be wrong before.
    wish.on(MAX_ITERATIONS if source.length is None else source.length)
    _check_target(options)
    if options.progress_json and hasattr(os, "nice"):
        os.nice(_NICENESS)  # the window beside it comes first
    with Interruptible() as interruptible:
        teller = _Teller(interruptible, is_json=options.progress_json)
        try:
            run = _run(source, wish, teller)
            request = wish.on(len(run.history))
            _check_steps(request, run.history)
            subject = studied(request, run.search, run.history, run.bookmarks, teller.is_stopped)
            _write(request, subject, teller)
        except Cancelled:
            teller.clear()
            print("gpviz: interrupted; nothing was written.", file=sys.stderr)
            return interruptible.exit_code
        finally:
            teller.clear()
    if not options.progress_json:
        print(f"{shown_path(options.to)} is written: {_told(request, run.history)}.")
    return 0


def _source(options: argparse.Namespace) -> _Source:
    if options.preset is not None:
        if options.file is not None:
            raise GpvizError("--preset: it cannot be combined with a file; one of them can be exported.")
        if options.branch is not None:
            raise GpvizError("--branch: it cannot be combined with --preset, whose run has no branches.")
        preset = find_preset(options.preset)
        return _Source(None, 0, preset, preset.title)
    if options.file is None:
        raise GpvizError("There is nothing to export; name a FILE.gpviz or a --preset.")
    run_file = load(options.file)
    return _Source(run_file, _branch(run_file, options.branch), None, options.file.stem)


def _branch(run_file: RunFile, text: str | None) -> int:
    """The place of the branch: the one that was on show, or the one of this name or number."""
    if text is None:
        return run_file.shown
    names = [run_file.name, *(branch.name for branch in run_file.branches)]
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) < len(names):
        return int(text)
    known = ", ".join(f"{place} {name!r}" for place, name in enumerate(names))
    raise InvalidValueError("--branch", text, f"one of the branches of the file: {known}")


def _check_target(options: argparse.Namespace) -> None:
    path: Path = options.to
    if options.file is not None and _is_same(path, options.file):
        raise GpvizError("--to: it names the run file itself; the export needs a file of its own.")
    check_writable(path)
    if path.is_file() and not options.force:
        raise GpvizError(f"--to: {shown_path(path)} exists already; --force replaces it.")


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (
        OSError
    ):  # there is no such file, or its links lead nowhere, which is told when it is to be written
        return False


class _Teller:
    """Tells how far it is, on a terminal or as lines of JSON, and passes on that a person wants it to end."""

    _INTERVAL_S = 0.1

    def __init__(self, interruptible: Interruptible, *, is_json: bool) -> None:
        self._interruptible = interruptible
        self._is_json = is_json
        self._is_terminal = not is_json and sys.stderr.isatty()
        self._replaying = Progress(is_wanted=not is_json)
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


def _run(source: _Source, wish: ExportOptions, teller: _Teller) -> _Run:
    if source.run_file is not None:
        done = replay_all(source.run_file, teller.on_progress)[source.branch]
        return _Run(done.search, done.history, source.run_file.bookmarks)
    assert source.preset is not None
    return _run_preset(source.preset, wish, teller)


def _run_preset(preset: Preset, wish: ExportOptions, teller: _Teller) -> _Run:
    """As `gpviz run` does it, but not beyond what is asked for."""
    start = preset.start_tree
    search, history = RlsGp(preset.config, start), History(preset.config, start)
    ends = [end for end in (wish.at, wish.last) if end is not None]
    most = min([*ends, DEFAULT_MAX_ITERATIONS])

    def on_step(step: Step) -> bool:
        history.append(step)
        if not step.iteration & 255:
            teller.on_progress(step.iteration, most)
        return teller.is_stopped()

    try:
        if most:
            search.run(max_iterations=most, stop_when_stuck=True, on_step=on_step)
    except TooComplexError as problem:
        raise GpvizError(f"iteration {search.iteration + 1}: {problem}") from problem
    if teller.is_stopped():
        raise Cancelled("The run was interrupted.")
    return _Run(search, history, ())


def _check_steps(request: ExportRequest, history: History) -> None:
    used = options_for(request.what, format_of(request.path))
    every = request.every if "every" in used else Every.ALL
    if "range" in used:
        check_steps(request, number_of_iterations(history, request.first, request.last, every))


def _write(request: ExportRequest, subject: Subject, teller: _Teller) -> None:
    teller.begin_writing()
    if teller.is_stopped():
        raise Cancelled("The export was interrupted.")
    if not is_painted(request):
        write(request, subject, teller.on_progress)
        return
    _with_application(lambda: write(request, subject, teller.on_progress))


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


def _told(request: ExportRequest, history: History) -> str:
    used = options_for(request.what, format_of(request.path))
    if "at" in used:
        return f"the {request.what} of iteration {request.at:,}"
    told = f"the {request.what} of iterations {request.first:,} to {request.last:,}"
    if "every" in used and request.every is not Every.ALL:
        steps = number_of_iterations(history, request.first, request.last, request.every) - 1
        told = f"{told}, the first and {steps:,} {request.every} {'step' if steps == 1 else 'steps'} after it"
    return told
