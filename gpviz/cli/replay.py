"""`gpviz replay`: open a run file, do its run again and check that it is the same."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from gpviz.cli.common_options import Parser, add_quiet_option
from gpviz.cli.progress import Interruptible, Progress
from gpviz.cli.run_summary import as_columns, style_for_output, summary, summary_data
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.escaping import terminal_text
from gpviz.explain.branch_comparison import status_of
from gpviz.files.file_io import shown_path
from gpviz.runs.replay import Cancelled, Replayed, replay_all, result_of
from gpviz.runs.run_file import RunFile, load

_EXAMPLES = """example:
  gpviz replay talk.gpviz
"""


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "replay",
        help="verify a run file and print its summary",
        description="Replay a saved run, verify that it is the same, and print its summary.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE.gpviz", type=Path, help="the run file")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    add_quiet_option(parser)
    parser.set_defaults(command=_replay)


def _replay(options: argparse.Namespace) -> int:
    run_file = load(options.file)
    progress = Progress(is_wanted=not options.quiet)
    with Interruptible() as interruptible:

        def on_progress(done: int, total: int) -> bool:
            progress.show(done, f"of {total:,}")
            return interruptible.is_interrupted

        try:
            with stoppable(lambda: interruptible.is_interrupted):  # one iteration may take seconds
                done = replay_all(run_file, on_progress)
        except (Cancelled, Stopped) as reason:
            progress.clear()
            print(f"gpviz: {str(reason) or 'The replay was cancelled.'}", file=sys.stderr)
            return interruptible.exit_code
        finally:
            progress.clear()
    search = done[0].search
    result = result_of(search)
    if options.json:
        bookmarks = [{"iteration": mark.iteration, "note": mark.note} for mark in run_file.bookmarks]
        data = summary_data(search, result)
        data |= {"bookmarks": bookmarks, "fingerprint": run_file.fingerprint}
        if run_file.branches:
            data["branches"] = _branches_data(run_file, done)
        print(json.dumps(data, indent=2))
        return 0
    if options.quiet:
        return 0
    what = "the run replays exactly"
    if count := len(run_file.branches):
        what = f"the run and its {'branch replay' if count == 1 else f'{count} branches replay'} exactly"
    print(f"{shown_path(options.file)}: verified, {what}.\n")
    print(summary(search.config, result, style_for_output()))
    if run_file.bookmarks:
        print("\nBookmarks:")
        print(as_columns([(f"{mark.iteration:,}", terminal_text(mark.note)) for mark in run_file.bookmarks]))
    if run_file.branches:
        print("\nBranches:")
        print(
            as_columns(
                [
                    (terminal_text(entry["name"]), _branch_text(entry))
                    for entry in _branches_data(run_file, done)
                ]
            )
        )
    return 0


def _branches_data(run_file: RunFile, done: tuple[Replayed, ...]) -> list[dict[str, Any]]:
    entries = []
    for saved, (_, history) in zip(run_file.branches, done[1:], strict=True):
        status = status_of(history)
        entries.append(
            {
                "name": saved.name,
                "parent": saved.parent,
                "at": saved.fork,
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
