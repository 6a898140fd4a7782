"""`gpviz outlook`: prints how runs from a tree end, or the steps that decided a saved run."""

import argparse
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
    config_for,
    number_from,
    read_formula,
    seconds_from,
)
from gpviz.cli.progress import Job
from gpviz.cli.replay import replayed
from gpviz.cli.run_summary import configuration_line
from gpviz.cli.terminal import ascii_text, facts_text, show_result
from gpviz.engine import GpvizError, InvalidValueError, RunConfig, parse
from gpviz.engine.errors import whole_number
from gpviz.engine.interruption import USUAL_SECONDS, Deadline, Stopped, checkpoint, stoppable
from gpviz.engine.settings import SETTINGS
from gpviz.explain.outlook_along_run import DecisiveStep, RunOutlook
from gpviz.explain.outlook_picture import step_text
from gpviz.explain.outlook_text import (
    chance_name,
    chance_of,
    from_to_text,
    outlook_text,
    rise_with_reason,
    source_text,
)
from gpviz.export.run_tables import write_known_outlook
from gpviz.files.file_io import check_writable, shown_path
from gpviz.number_text import chance_percent, counted, share_text
from gpviz.runs.history import History
from gpviz.runs.run_file import load

DESCRIPTION: Final = (
    "Of a tree: the chance that runs from it end stuck, and how many iterations the others still take."
    " Of a saved run: the steps that raised that chance by at least 5 points."
)
EXAMPLES: Final = """examples:
  gpviz outlook "x1 | (x2 & x3)" --n 4 --limit n+1 --deletion leaf
  gpviz outlook talk.gpviz --csv outlook.csv
"""

_ENDING: Final = ".gpviz"
_NEARLY_NONE: Final = 0.0005
"""A chance this small would be 0.0 % with one digit."""
_SMALLEST_ERROR, _LARGEST_ERROR = 0.001, 0.2
_MOST_LEFT: Final = 999_999_999
_ONLY_SAMPLED: Final = ("within", "final_generalisation_error", "final_generalisation_error_error")


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add(
        "subject",
        metavar="FORMULA | FILE.gpviz",
        help="a tree as a formula (- reads it from standard input, @FILE from a file), or a run file",
    )
    add_config_options(parser)
    add(
        "--error",
        metavar="E",
        default=f"{WANTED_ERROR:g}",
        help=f"standard error of the chance that is small enough ({WANTED_ERROR:g})",
    )
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


def execute(options: argparse.Namespace) -> int:
    """Find out how runs end and print it."""
    allowed = f"from {_SMALLEST_ERROR:g} to {_LARGEST_ERROR:g}"
    wanted_error = number_from("--error", options.error, _SMALLEST_ERROR, _LARGEST_ERROR, allowed)
    seconds = None if options.budget is None else seconds_from(options.budget)
    if options.subject.endswith(_ENDING):
        return _outlook_of_run(options, wanted_error, seconds)
    return _outlook_of_tree(options, wanted_error, seconds or USUAL_SECONDS)


def _say_why(job: Job, seconds: float | None) -> None:
    """Say that there would be more to know."""
    why = "interrupted" if job.is_interrupted else f"stopped after {seconds:g} seconds (see --budget)"
    job.say(f"gpviz: {why}; this is what is known so far.", is_urgent=True)


# --- a tree ---


def _outlook_of_tree(options: argparse.Namespace, wanted_error: float, seconds: float) -> int:
    for name in ("csv", "branch"):
        if getattr(options, name) is not None:
            raise GpvizError(f"--{name}: it is for run files only, whose names end with {_ENDING}.")
    text = read_formula(options.subject)
    tree = parse(text) if text.strip() else None
    config = config_for(tree, options)
    within = _within(options, config)
    deadline = Deadline(seconds)
    with Job(is_quiet=options.quiet) as job:

        def on_progress(known: Outlook) -> None:
            job.show(f"{counted(known.continuations, 'continuation')}: {_chance_line(known)} ...")

        job.show("looking for all trees that can be reached ...")
        try:
            known = outlook(
                tree,
                config,
                wanted_error=wanted_error,
                within=within,
                should_stop=lambda: job.is_interrupted or deadline(),
                on_progress=on_progress,
            )
        except Stopped:
            if job.is_interrupted:
                raise job.interruption("interrupted before anything was known.") from None
            raise InvalidValueError(
                "--budget", f"{seconds:g}", "longer, as nothing is known so soon"
            ) from None
    show_result(options, lambda: _data(known), lambda: _tree_text(config, known))
    is_rough = known.stuck_error > wanted_error or known.continuations < BATCH
    if job.is_interrupted or (deadline() and not known.is_exact and is_rough):
        _say_why(job, seconds)
    return job.exit_code


def _within(options: argparse.Namespace, config: RunConfig) -> int | None:
    if options.within is None:
        return None
    if not config.is_sampled:
        raise GpvizError(
            "--within: it needs --rows, as runs on all rows go on until they are solved or stuck."
        )
    return whole_number("--within", options.within, 1, _MOST_LEFT)


def _data(known: Outlook) -> dict[str, Any]:
    return {
        name: value
        for name, value in asdict(known).items()
        if name not in _ONLY_SAMPLED or known.within is not None
    }


def _tree_text(config: RunConfig, known: Outlook) -> str:
    facts = [("stuck" if known.within is None else "not done", _chance_line(known))]
    if known.remaining is not None:
        error = f" ± {known.remaining_error:,.2g}" if known.remaining_error else ""
        facts.append(("to go", f"{known.remaining:,.1f}{error} iterations on average"))
    if known.final_generalisation_error is not None:
        facts.append(
            ("wrong at end", f"{share_text(known.final_generalisation_error)} of all rows on average")
        )
    facts.append(("known", source_text(known)))
    return f"{configuration_line(config)}\n{outlook_text(known)}\n\n{facts_text(facts)}"


def _chance_line(known: Outlook) -> str:
    """The chance with more digits than in a sentence, and its error; a bound where all runs ended alike."""
    if known.stuck_error:
        if not _NEARLY_NONE < known.stuck < 1 - _NEARLY_NONE:
            return chance_of(known)
        at_least = "≥ " if known.given_up else ""
        return f"{at_least}{100 * known.stuck:.1f} % ± {100 * known.stuck_error:.1f} %"
    return f"{chance_percent(known.stuck, 4)} %"


# --- a run ---


def _outlook_of_run(options: argparse.Namespace, wanted_error: float, seconds: float | None) -> int:
    for row in SETTINGS:
        if row.metavar and getattr(options, row.name) is not None:
            raise GpvizError(
                f"{row.option}: it cannot be combined with a run file, which has its own settings."
            )
    if options.within is not None:
        raise GpvizError("--within: it cannot be combined with a run file, which has its own iterations.")
    path = Path(options.subject)
    if options.csv is not None:
        check_writable(options.csv)
    run_file = load(path)
    branch = branch_number(run_file, options.branch)
    with Job(is_quiet=options.quiet) as job:
        history = replayed(run_file, job)[branch].history
        deadline = None if seconds is None else Deadline(seconds)
        run = RunOutlook(history, wanted_error=wanted_error)

        def should_stop() -> bool:
            return job.is_interrupted or (deadline is not None and deadline())

        is_complete = _work(run, job, should_stop, is_whole=options.csv is not None)
    if options.csv is not None:
        write_known_outlook(options.csv, run)
    show_result(
        options,
        lambda: [_step_data(history, step) for step in run.decisive_steps()],
        lambda: _run_text(path, history, run),
    )
    if not is_complete:
        _say_why(job, seconds)
    return job.exit_code


def _work(run: RunOutlook, job: Job, should_stop: Callable[[], bool], *, is_whole: bool) -> bool:
    """Find out all there is to know, or only the decisive steps; whether nobody stopped it."""
    with stoppable(should_stop):
        try:
            while True:
                done, total = run.progress()
                steps = counted(len(run.decisive_steps()), "decisive step")
                job.show(f"{100 * done // max(total, 1)} % done, {steps} so far ...")
                checkpoint()
                next_job = run.next_job() if is_whole else run.decisive_job(near=0)
                if next_job is None:
                    return True
                next_job.work()
        except Stopped:
            return False
        finally:
            job.clear()


def _step_data(history: History, step: DecisiveStep) -> dict[str, Any]:
    """A decisive step for programs."""
    taken = history.step_at(step.iteration)
    return {
        "iteration": step.iteration,
        "step": ascii_text(step_text(history, step.iteration)),
        "verdict": taken.verdict.value,
        "error_before": taken.parent_error,
        "error_after": taken.error,
        "rise": step.rise,
        "before": _data(step.before),
        "after": _data(step.after),
    }


def _run_text(path: Path, history: History, run: RunOutlook) -> str:
    lines = [
        configuration_line(history.config),
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
        lines += ["", f"The {name}:", facts_text(known)]
    steps = run.decisive_steps()
    if not steps:
        return "\n".join([*lines, "", "No step raised it by 5 points or more."])
    lines += ["", f"{counted(len(steps), 'decisive step')}:"]
    lines.append(
        facts_text(
            [
                (f"{step.iteration:,}", f"{step_text(history, step.iteration)}: {from_to_text(step)}")
                for step in steps
            ]
        )
    )
    largest = run.the_decisive_step()
    assert largest is not None
    reason = rise_with_reason(largest, history.step_at(largest.iteration)).removeprefix("This step ")
    end = run.at(last)
    if end is not None and end.is_surely_stuck:
        found = f"The decisive step is iteration {largest.iteration:,}: it {reason}"
    else:
        found = f"The largest rise is in iteration {largest.iteration:,}: the step {reason}"
    return "\n".join([*lines, "", found])
