"""`gpviz` without a command: checks what can be wrong without the window, and opens it."""

import argparse
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpviz.assets import THEME_NAMES
from gpviz.cli.common_options import Parser
from gpviz.engine import GpvizError, InvalidValueError
from gpviz.engine.errors import shown
from gpviz.files.file_io import file_mode, reading, shown_path
from gpviz.lecture.lecture import Lecture, load_any, load_lecture, shipped_lectures
from gpviz.runs.presets import find_comparison, find_preset


def add_options(parser: Parser) -> None:
    """Add the options of the window."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a run, a lecture or an experiment to open")
    parser.add_argument("--preset", metavar="NAME", help="open the run of a preset")
    parser.add_argument(
        "--lecture", metavar="NAME", help="give a lecture, such as why-stuck, or one in a file"
    )
    parser.add_argument("--compare", metavar="NAME", help="open a comparison, such as leaf-or-subtree")
    parser.add_argument("--experiment", metavar="PLAN", help="open an experiment's plan, such as quick")
    parser.add_argument("--play", action="store_true", help="start playing")
    parser.add_argument("--theme", metavar="THEME", help=f"{', '.join(THEME_NAMES)}; for this session only")


def execute(options: argparse.Namespace) -> int:
    """Show the window until it is closed."""
    names = ("preset", "lecture", "compare", "experiment")
    wanted = [name for name in names if getattr(options, name) is not None]
    if wanted and (options.file is not None or len(wanted) > 1):
        with_what = "a file" if options.file is not None else f"--{wanted[1]}"
        raise GpvizError(f"--{wanted[0]}: it cannot be combined with {with_what}; give one of them.")
    if options.theme is not None and options.theme not in THEME_NAMES:
        raise InvalidValueError("--theme", options.theme, f"one of {', '.join(THEME_NAMES)}")
    preset = None if options.preset is None else find_preset(options.preset)
    file = None if options.file is None else _checked_file(options.file, options.commands)
    lecture = None if options.lecture is None else _found_lecture(options.lecture)
    comparison = None if options.compare is None else find_comparison(options.compare)
    plan = None
    if options.experiment is not None:
        from gpviz.experiments.plan import find_plan  # which few need

        plan = find_plan(options.experiment)
    problem = screen_problem(os.environ, sys.platform)
    if problem is not None:
        raise GpvizError(f"{problem}; 'gpviz run' runs in the terminal.")
    try:
        from gpviz.app.application import run  # Qt takes long to load, and no other command needs it
    except ImportError as missing:
        raise GpvizError(
            f"The window cannot be loaded ({missing}). On Debian and Ubuntu the system packages libegl1, libgl1,"
            " libxkbcommon0, libdbus-1-3 and libfontconfig1 are needed; 'gpviz run' works without."
        ) from missing
    return run(
        file=file,
        preset=preset,
        lecture=lecture,
        comparison=comparison,
        plan=plan,
        is_playing=options.play,
        theme=options.theme,
    )


def show_in_box(problem: str) -> None:
    """Show in a box why no window opens, until somebody has read it; do nothing where there can be no box."""
    if screen_problem(os.environ, sys.platform) is not None:
        return
    try:
        from gpviz.app.application import show_start_problem
    except ImportError:  # which may be what the problem is
        return
    show_start_problem(problem)


def screen_problem(environment: Mapping[str, str], platform: str) -> str | None:
    """Why no window can be opened here; Qt would not say so but abort."""
    if not platform.startswith("linux"):
        return None
    # Qt takes several names, with options after a colon.
    wanted = [name.partition(":")[0] for name in environment.get("QT_QPA_PLATFORM", "").split(";") if name]
    wanted = wanted or ["wayland", "xcb"]
    if not set(wanted) <= {"wayland", "wayland-egl", "xcb"}:
        return None
    if wanted != ["xcb"] and _has_wayland(environment):
        return None
    display = environment.get("DISPLAY")
    if not display or "xcb" not in wanted:
        return "There is no screen here"
    return None if _is_reachable(display) else f"The screen {shown(display)} cannot be reached"


def _has_wayland(environment: Mapping[str, str]) -> bool:
    name = environment.get("WAYLAND_DISPLAY")
    return bool(name) and _answers(str(Path(environment.get("XDG_RUNTIME_DIR", "/run"), name or "")))


def _is_reachable(display: str) -> bool:
    """Whether somebody answers; only asked of screens of this machine."""
    host, _, number = display.partition(":")
    number = number.partition(".")[0]
    if host not in ("", "unix") or not number.isdigit():
        return True
    # The second kind has a name without a file, which begins with a zero byte.
    name = f"/tmp/.X11-unix/X{number}"
    return _answers(name) or _answers(f"\0{name}")


def _answers(name: str) -> bool:
    with socket.socket(socket.AF_UNIX) as attempt:
        attempt.settimeout(2)
        try:
            attempt.connect(name)
        except OSError:
            return False
    return True


def _checked_file(name: str, commands: Sequence[str]) -> Path:
    path = Path(name)
    if not path.suffix and not _is_there(path):
        known = f"{', '.join(commands[:-1])} and {commands[-1]}"
        raise GpvizError(f"{shown_path(path)} is neither a command nor a file; the commands are {known}.")
    from gpviz.experiments.store import Store
    from gpviz.experiments.store_file import is_store
    from gpviz.experiments.store_paths import SUFFIX  # which few need

    if path.suffix.lower() == SUFFIX or is_store(path):
        Store.open(path).close()
    else:
        load_any(path)
    return path


def _found_lecture(name: str) -> Lecture:
    shipped = {lecture.name: lecture.path for lecture in shipped_lectures()}
    if name not in shipped and not Path(name).suffix and not _is_there(Path(name)):
        names = ", ".join(shipped)
        raise InvalidValueError("--lecture", name, f"a lecture's file, or {names}")
    path = shipped.get(name, Path(name))
    lecture = load_lecture(path)
    from gpviz.experiments.figures.figure_data import check_charts  # which few need

    with reading(path):
        check_charts(lecture)
    return lecture


def _is_there(path: Path) -> bool:
    """Also if that cannot be known: whoever reads it says what is wrong."""
    try:
        return file_mode(path) is not None
    except OSError:
        return True
