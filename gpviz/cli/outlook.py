"""`gpviz outlook`: prints how runs from a tree end, or the steps that decided a saved run."""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from gpviz.analysis import Outlook, outlook
from gpviz.analysis.outlook import BATCH, LEFT_BY_DEFAULT, WANTED_ERROR
from gpviz.cli.common_options import (
    Parser,
    add_config_options,
    add_quiet_option,
    branch_number,
    config_from,
    read_formula,
)
from gpviz.cli.progress import Interruptible, Progress
from gpviz.cli.run_summary import as_columns, configuration_line, style_for_output
from gpviz.engine import ASCII, GpvizError, InvalidValueError, RunConfig, parse
from gpviz.engine.config import check_tree
from gpviz.engine.formula import Style
from gpviz.engine.interruption import USUAL_SECONDS, Deadline, Stopped, checkpoint, stoppable
from gpviz.engine.settings import SETTINGS
from gpviz.engine.tree import variables_of
from gpviz.explain.outlook_picture import ends_stuck, from_to_text, mutation_text
from gpviz.explain.outlook_text import chance_name, chance_of, outlook_text, rise_with_reason, source_text
from gpviz.explain.run_outlook import DecisiveStep, RunOutlook
from gpviz.export.outlook_table import write_known
from gpviz.files.file_io import check_writable, shown_path
from gpviz.number_text import SUBSCRIPTS, chance_percent, counted, share_text
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled, replay_all
from gpviz.runs.run_file import load

_EXAMPLES = """examples:
  gpviz outlook "x1 | (x2 & x3)" --n 4 --limit n+1 --deletion leaf
  gpviz outlook talk.gpviz --csv outlook.csv
"""

_ENDING: Final = ".gpviz"
_NEARLY_NONE: Final = 0.0005
"""A chance this small would be 0.0 % with one digit."""
_MOST_SECONDS: Final = 1_000_000
_SMALLEST_ERROR, _LARGEST_ERROR = 0.001, 0.2
_ONLY_SAMPLED: Final = ("within", "final_generalisation_error", "final_generalisation_error_error")
_PLAIN: Final = str.maketrans(
    {
        **dict(zip(SUBSCRIPTS, "0123456789", strict=True)),
        "∧": "&",
        "∨": "|",
        "→": "->",
        "±": "+-",
        "≥": ">=",
        "·": ",",
        "⊤": "true",
        "…": "...",
    }
)


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "outlook",
        help="how runs from a tree end, or what decided a saved run",
        description=(
            "Of a tree: the chance that runs from it end stuck, and how many iterations the others still take."
            " Of a saved run: the steps that raised that chance by at least 5 points."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "subject",
        metavar="FORMULA | FILE.gpviz",
        help="a tree as a formula (- reads it from standard input, @FILE from a file), or a run file",
    )
    add_config_options(parser)
    add("--error", metavar="E", help=f"standard error of the chance that is small enough ({WANTED_ERROR:g})")
    add(
        "--budget",
        metavar="SECONDS",
        help=f"stop after this many seconds ({USUAL_SECONDS:g} for a tree, no limit for a run)",
    )
    add(
        "--within",
        metavar="ITERATIONS",
        help=f"with --rows: the iterations that a run has left ({LEFT_BY_DEFAULT:,})",
    )
    add("--branch", metavar="BRANCH", help="of a file: by name or number, 0 for the original")
    add("--csv", metavar="FILE", type=Path, help="of a file: write the outlook of all its trees as a table")
    add("--json", action="store_true", help="print the result as JSON")
    add_quiet_option(parser)
    parser.set_defaults(command=_outlook)


def _outlook(options: argparse.Namespace) -> int:
    wanted_error = _number(
        "--error", options.error, WANTED_ERROR, _SMALLEST_ERROR, _LARGEST_ERROR, "from {} to {}"
    )
    if options.subject.endswith(_ENDING):
        return _outlook_of_run(options, wanted_error)
    return _outlook_of_tree(options, wanted_error)


# --- a tree ---


def _outlook_of_tree(options: argparse.Namespace, wanted_error: float) -> int:
    for name in ("csv", "branch"):
        if getattr(options, name) is not None:
            raise GpvizError(f"--{name}: it is for run files only, whose names end with {_ENDING}.")
    seconds = _seconds(options.budget) or USUAL_SECONDS
    text = read_formula(options.subject)
    tree = parse(text) if text.strip() else None
    config = config_from(options, n=variables_of(tree).bit_length() or 1, limit="2n")
    if tree is not None:
        if options.limit is None and tree.leaves > 2 * config.n:
            config = config.replaced(limit=tree.leaves)
        tree = parse(text, config.n)
    check_tree(tree, config)
    within = _within(options, config)
    progress = Progress(is_wanted=not options.quiet)
    deadline = Deadline(seconds)
    with Interruptible() as interruptible:

        def on_progress(known: Outlook) -> None:
            progress.tell(f"{counted(known.continuations, 'continuation')}: {_chance_line(known)} ...")

        progress.tell("looking for all trees that can be reached ...")
        try:
            known = outlook(
                tree,
                config,
                wanted_error=wanted_error,
                within=within,
                should_stop=lambda: interruptible.is_interrupted or deadline(),
                on_progress=on_progress,
            )
        except Stopped:
            progress.clear()
            if interruptible.is_interrupted:
                print("gpviz: interrupted before anything was known.", file=sys.stderr)
                return interruptible.exit_code
            raise InvalidValueError(
                "--budget", f"{seconds:g}", "longer, as nothing is known so soon"
            ) from None
        finally:
            progress.clear()
    style = style_for_output()
    text = json.dumps(_data(known), indent=2) if options.json else _tree_text(config, known, style)
    if options.json or not options.quiet:
        print(_plain(text, style))
    is_rough = known.stuck_error > wanted_error or known.continuations < BATCH
    if interruptible.is_interrupted or (deadline() and not known.is_exact and is_rough):
        _tell_why(interruptible, seconds)
    return interruptible.exit_code


def _within(options: argparse.Namespace, config: RunConfig) -> int | None:
    if options.within is None:
        return None
    if not config.is_sampled:
        raise GpvizError(
            "--within: it needs --rows, as runs on all rows go on until they are solved or stuck."
        )
    text = options.within
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
        raise InvalidValueError("--within", text, "a whole number of iterations from 1 to 999,999,999")
    return int(text)


def _data(known: Outlook) -> dict[str, Any]:
    return {
        name: value
        for name, value in asdict(known).items()
        if name not in _ONLY_SAMPLED or known.within is not None
    }


def _tree_text(config: RunConfig, known: Outlook, style: Style) -> str:
    facts = [("stuck" if known.within is None else "not done", _chance_line(known))]
    if known.remaining is not None:
        error = f" ± {known.remaining_error:,.2g}" if known.remaining_error else ""
        facts.append(("to go", f"{known.remaining:,.1f}{error} iterations on average"))
    if known.final_generalisation_error is not None:
        facts.append(
            ("wrong at end", f"{share_text(known.final_generalisation_error)} of all rows on average")
        )
    facts.append(("known", _source_line(known)))
    return f"{configuration_line(config, style)}\n{outlook_text(known)}\n\n{as_columns(facts)}"


def _chance_line(known: Outlook) -> str:
    """The chance with more digits than in a sentence, and its error; a bound where all runs ended alike."""
    if known.stuck_error:
        if not _NEARLY_NONE < known.stuck < 1 - _NEARLY_NONE:
            return chance_of(known)
        at_least = "≥ " if known.given_up else ""
        return f"{at_least}{100 * known.stuck:.1f} % ± {100 * known.stuck_error:.1f} %"
    return f"{chance_percent(known.stuck, 4)} %"


def _source_line(known: Outlook) -> str:
    if known.is_exact:
        return "exactly"
    given_up = f", {known.given_up:,} of them given up" if known.given_up else ""
    return f"from {counted(known.continuations, 'continuation')}{given_up}"


# --- a run ---


def _outlook_of_run(options: argparse.Namespace, wanted_error: float) -> int:
    for row in SETTINGS:
        if row.metavar and getattr(options, row.name) is not None:
            raise GpvizError(
                f"{row.option}: it cannot be combined with a run file, which has its own settings."
            )
    if options.within is not None:
        raise GpvizError("--within: it cannot be combined with a run file, which has its own iterations.")
    seconds = _seconds(options.budget)
    path = Path(options.subject)
    if options.csv is not None:
        check_writable(options.csv)
    run_file = load(path)
    branch = branch_number(run_file, options.branch)
    progress = Progress(is_wanted=not options.quiet)
    with Interruptible() as interruptible:

        def on_replay(done: int, total: int) -> bool:
            progress.show(done, f"of {total:,}")
            return interruptible.is_interrupted

        try:
            with stoppable(interruptible.is_stopped):
                history = replay_all(run_file, on_replay)[branch].history
        except (Cancelled, Stopped) as reason:
            progress.clear()
            print(f"gpviz: {str(reason) or 'The replay was cancelled.'}", file=sys.stderr)
            return interruptible.exit_code
        finally:
            progress.clear()
        deadline = None if seconds is None else Deadline(seconds)
        run = RunOutlook(history, wanted_error=wanted_error)

        def should_stop() -> bool:
            return interruptible.is_interrupted or (deadline is not None and deadline())

        is_complete = _work(run, progress, should_stop, is_whole=options.csv is not None)
    if options.csv is not None:
        write_known(options.csv, run)
    if options.json:
        print(json.dumps([_step_data(history, step) for step in run.decisive_steps()], indent=2))
    elif not options.quiet:
        style = style_for_output()
        print(_plain(_run_text(path, history, run, style), style))
    if not is_complete:
        _tell_why(interruptible, seconds)
    return interruptible.exit_code


def _tell_why(interruptible: Interruptible, seconds: float | None) -> None:
    """Say that there would be more to know."""
    why = "interrupted"
    if not interruptible.is_interrupted:
        why = f"stopped after {seconds or 0:g} seconds (see --budget)"
    print(f"gpviz: {why}; this is what is known so far.", file=sys.stderr)


def _work(run: RunOutlook, progress: Progress, should_stop: Callable[[], bool], *, is_whole: bool) -> bool:
    """Find out all there is to know, or only the decisive steps; whether nobody stopped it."""
    with stoppable(should_stop):
        try:
            while True:
                done, total = run.progress()
                steps = counted(len(run.decisive_steps()), "decisive step")
                progress.tell(f"{100 * done // max(total, 1)} % done, {steps} so far ...")
                checkpoint()
                job = run.next_job() if is_whole else run.decisive_job(near=0)
                if job is None:
                    return True
                job.work()
        except Stopped:
            return False
        finally:
            progress.clear()


def _step_data(history: History, step: DecisiveStep) -> dict[str, Any]:
    """A decisive step for programs."""
    taken = history.step_at(step.iteration)
    return {
        "iteration": step.iteration,
        "step": mutation_text(history, step.iteration).translate(_PLAIN),
        "verdict": taken.verdict.value,
        "error_before": taken.parent_error,
        "error_after": taken.error,
        "rise": step.rise,
        "before": _data(step.before),
        "after": _data(step.after),
    }


def _run_text(path: Path, history: History, run: RunOutlook, style: Style) -> str:
    lines = [
        configuration_line(history.config, style),
        f"{shown_path(path)}: {counted(len(history), 'iteration')}.",
    ]
    last = len(history)
    ends = [("at the start", run.at(0)), ("at the end", run.at(last))]
    known = [(when, f"{chance_of(seen)} ({source_text(seen)})") for when, seen in ends if seen is not None]
    if last and history.config_at(last).is_solved(history.error_at(last)):
        known[1:] = [("at the end", "none, as the run is solved")]
    if known:
        start = run.at(0)
        name = "chance to end stuck" if start is None else chance_name(start)
        lines += ["", f"The {name}:", as_columns(known)]
    steps = run.decisive_steps()
    if not steps:
        return "\n".join([*lines, "", "No step raised it by 5 points or more."])
    lines += ["", f"{counted(len(steps), 'decisive step')}:"]
    lines.append(
        as_columns(
            [
                (f"{step.iteration:,}", f"{mutation_text(history, step.iteration)}: {from_to_text(step)}")
                for step in steps
            ]
        )
    )
    largest = run.the_decisive_step()
    assert largest is not None
    reason = rise_with_reason(largest, history.step_at(largest.iteration)).removeprefix("This step ")
    end = run.at(last)
    if end is not None and ends_stuck(end):
        found = f"The decisive step is iteration {largest.iteration:,}: it {reason}"
    else:
        found = f"The largest rise is in iteration {largest.iteration:,}: the step {reason}"
    return "\n".join([*lines, "", found])


def _plain(text: str, style: Style) -> str:
    return text.translate(_PLAIN) if style is ASCII else text


# --- options ---


def _seconds(text: str | None) -> float | None:
    allowed = f"more than 0 and at most {_MOST_SECONDS:,} seconds"
    return None if text is None else _number("--budget", text, 0.0, 1e-9, _MOST_SECONDS, allowed)


def _number(option: str, text: str | None, default: float, least: float, most: float, allowed: str) -> float:
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number <= most:
        raise InvalidValueError(option, text, allowed.format(f"{least:g}", f"{most:g}"))
    return number
