"""`gpviz replay`: does the run of a file again, checks that it is the same, and shows its end or one iteration."""

import argparse
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gpviz.analysis.redundant_leaves import analyse
from gpviz.cli.common_options import Parser, add_json_option, add_quiet_option, branch_number
from gpviz.cli.progress import Job
from gpviz.cli.run_summary import summary_data, summary_text
from gpviz.cli.terminal import facts_text, show_result
from gpviz.engine import GpvizError, TooComplexError
from gpviz.engine.errors import whole_number
from gpviz.engine.interruption import USUAL_SECONDS, Deadline
from gpviz.escaping import terminal_text
from gpviz.explain.branch_comparison import status_of
from gpviz.explain.moment import Moment, moment_at
from gpviz.files.file_io import shown_path
from gpviz.picture.compose import picture_of
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture
from gpviz.picture.terminal import text_of
from gpviz.runs.history import History
from gpviz.runs.replay import Replayed, replay_all, result_of
from gpviz.runs.run_file import RunFile, load

DESCRIPTION: Final = (
    "Replay a saved run, verify that it is the same, and print its summary or one of its iterations."
)
EXAMPLES: Final = """examples:
  gpviz replay talk.gpviz
  gpviz replay talk.gpviz --at 66
"""
_ROOMY: Final = Options(width=3840.0, height=2160.0)
"""A picture in which there is space for every mark; a terminal shows where they are in its own way."""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", metavar="FILE.gpviz", type=Path, help="the run file")
    parser.add_argument("--at", metavar="N", help="print the tree of this iteration, and what its step did")
    parser.add_argument("--branch", metavar="BRANCH", help="with --at: by name or number, 0 for the original")
    add_json_option(parser)
    add_quiet_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Do the run again and print how it ended, or one of its iterations."""
    if options.branch is not None and options.at is None:
        raise GpvizError("--branch: it needs --at.")
    run_file = load(options.file)
    with Job(is_quiet=options.quiet) as job:
        done = replayed(run_file, job)
        if options.at is not None:
            _show_iteration(options, done[branch_number(run_file, options.branch)].history, job)
            return 0
    show_result(options, lambda: _data(run_file, done), lambda: _text(options.file, run_file, done))
    return 0


def _show_iteration(options: argparse.Namespace, history: History, job: Job) -> None:
    iteration = whole_number("--at", options.at, 0, len(history))
    picture = _picture(moment_at(history, iteration), job)
    show_result(
        options,
        lambda: {"iteration": iteration, "picture": json.loads(picture.to_json())},
        lambda: f"Iteration {iteration:,} of {len(history):,}\n\n{text_of(picture)}",
    )


def _picture(moment: Moment, job: Job) -> Picture:
    """The picture of a moment, with what is found out about its tree within the usual time."""
    deadline = Deadline(USUAL_SECONDS)
    analysis = None
    with suppress(TooComplexError), job.interruptible():
        analysis = analyse(moment.tree, moment.rules, lambda: job.should_stop() or deadline())
    return picture_of(moment, _ROOMY, analysis)


def _data(run_file: RunFile, done: tuple[Replayed, ...]) -> dict[str, Any]:
    search = done[0].search
    data = summary_data(search, result_of(search))
    data["bookmarks"] = [{"iteration": mark.iteration, "note": mark.note} for mark in run_file.bookmarks]
    data["fingerprint"] = run_file.fingerprint
    if run_file.branches:
        data["branches"] = _branches_data(run_file, done)
    return data


def _text(path: Path, run_file: RunFile, done: tuple[Replayed, ...]) -> str:
    search = done[0].search
    branches = _branches_data(run_file, done)
    what = "the run replays exactly"
    if branches:
        these = "branch replay" if len(branches) == 1 else f"{len(branches)} branches replay"
        what = f"the run and its {these} exactly"
    parts = [f"{shown_path(path)}: verified, {what}.", summary_text(search.config, result_of(search))]
    if run_file.bookmarks:
        marks = [(f"{mark.iteration:,}", terminal_text(mark.note)) for mark in run_file.bookmarks]
        parts.append(f"Bookmarks:\n{facts_text(marks)}")
    if branches:
        forks = [(terminal_text(entry["name"]), _branch_text(entry)) for entry in branches]
        parts.append(f"Branches:\n{facts_text(forks)}")
    return "\n\n".join(parts)


def replayed(run_file: RunFile, job: Job) -> tuple[Replayed, ...]:
    """All branches of the file, done again while the job shows how far that is."""

    def on_progress(done: int, total: int) -> bool:
        job.count_iterations(done, f"of {total:,}")
        return job.should_stop()

    with job.interruptible():  # one iteration may take seconds
        return replay_all(run_file, on_progress)


def _branches_data(run_file: RunFile, done: tuple[Replayed, ...]) -> list[dict[str, Any]]:
    entries = []
    for saved, (_, history) in zip(run_file.branches, done[1:], strict=True):
        status = status_of(history)
        entries.append(
            {
                "name": saved.name,
                "parent": saved.parent,
                "at": saved.at,
                "by_hand": len(saved.forced),
                "iterations": saved.iterations,
                "error": status.error,
                "leaves": status.leaves,
                "fingerprint": saved.fingerprint,
            }
        )
    return entries


def _branch_text(entry: dict[str, Any]) -> str:
    error = "no tree yet" if entry["error"] is None else f"error {entry['error']:,}"
    return f"forks after {entry['at']:,}, {entry['iterations']:,} iterations, {error}"
