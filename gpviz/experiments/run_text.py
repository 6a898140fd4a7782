"""Runs, settings and times of an experiment as text: one run in a sentence, durations, what to copy."""

import re
from collections.abc import Sequence
from typing import Final

from gpviz.engine.config import RunConfig, is_usual
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.engine.settings import NO_VALUE, SETTINGS, plain_text, seed_text, setting
from gpviz.escaping import command_text
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import DecisiveStepFinding
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_row import RunRow, decode_path
from gpviz.experiments.store import StoredRun
from gpviz.explain.outlook_text import chance_of, rise_with_reason
from gpviz.explain.tree_text import error_text
from gpviz.number_text import counted, number_text, percent_in_words
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.presets import LARGEST_LABEL

OUTCOMES: Final = ("stuck", "solved", "stopped", "failed")
_ALWAYS_GIVEN: Final = ("n", "limit", "deletion", "sampler")
_LONGEST_TITLE: Final = 30
_HOLD: Final = "\N{NO-BREAK SPACE}"
_MOST_IMPROVEMENTS: Final = 8
_LOST: Final = 0.9
"""Runs from an empty tree that end stuck with a larger chance are lost from the start."""
_SMALLEST: Final = 1e-300


def cell_phrase(plan: Plan, cell: int) -> str:
    """A cell by what it does differently from others; empty where there is but one."""
    config = plan.cells[cell].config
    return " · ".join(setting(name).phrase_of(config) for name in plan.varied_settings)


def wait_text(row: RunRow) -> str:
    """The longest wait, such as ``1,234 from 56``; that of a stuck run has no end."""
    start = _endless_from(row)
    if start is not None:
        return f"for ever, from {number_text(start)}"
    return f"{number_text(row.wait)} from {number_text(row.wait_from)}" if row.wait else NO_VALUE


def wait_hint(row: RunRow) -> str | None:
    """The longest wait in a sentence."""
    start = _endless_from(row)
    count, position = counted(row.wait, "iteration"), number_text(row.wait_from)
    if start is None:
        wait = f"{count} from iteration {position} to the next improvement"
        return f"{wait}{' or the end' if row.outcome != 'solved' else ''}." if row.wait else None
    wait = f"No improvement can come after iteration {number_text(start)}."
    if start == row.wait_from or not row.wait:
        return wait
    return f"{wait} Before, the longest wait was {count}, from {position}."


def iterations_hint(row: RunRow) -> str | None:
    """What the iterations of a stuck run are; those of another need no hint."""
    if row.stuck_since is None:
        return None
    return (
        f"Stuck since iteration {number_text(row.stuck_since)}, and proven to be so after"
        f" {number_text(row.iterations)}; it would go on for ever."
    )


def _endless_from(row: RunRow) -> int | None:
    """The iteration from which a stuck run waits for ever; None for another run.

    The wait that it was in when it was proven to be stuck may have begun before it became so.
    """
    if row.stuck_since is None:
        return None
    return row.wait_from if row.wait and row.wait_from + row.wait == row.iterations else row.stuck_since


def generalisation_text(row: RunRow, n: int) -> str:
    """The share of all rows on which the final tree is wrong."""
    if row.wrong_rows is None:
        return NO_VALUE
    share = row.wrong_rows / 2**n
    if row.wrong_rows and share < _SMALLEST:
        return f"under {_SMALLEST:g}"
    return f"{share:.4g}"


def run_sentence(row: RunRow, config: RunConfig) -> str:
    """What became of a run, and how it went there; its path must be there."""
    iterations = counted(row.iterations, "iteration")
    leaves = counted(row.leaves, "leaf", "no")
    match row.outcome:
        case "solved":
            ending = f"Solved after {iterations} with {leaves}."
        case "stuck":
            ending = (
                f"Stuck since iteration {number_text(row.stuck_since or 0)} with {leaves},"
                f" wrong on {error_text(row.wrong_rows, config.replaced(fitness='complete', rows=None))}."
            )
        case "stopped":
            ending = f"Stopped after {iterations} with {leaves}, wrong on {error_text(row.error, config)}."
        case _:
            ending = f"Failed after {iterations}: its tree became too complex to be evaluated."
    pitfalls = f" {_pitfalls(row)}" if config.is_sampled else ""
    return f"{ending} {_improvements(row)}{_wait_sentence(row)}{pitfalls}"


def _pitfalls(row: RunRow) -> str:
    """What a run on sampled rows fell for, in a sentence."""
    duplicates, ors, growths = row.pitfalls
    parts = [counted(duplicates, "duplicate")] if duplicates else []
    parts += [counted(ors, "OR")] if ors else []
    accepted = f"It accepted {' and '.join(parts)}" if parts else ""
    if not growths:
        return f"{accepted}." if accepted else "It fell for no pitfall."
    times = "once" if growths == 1 else f"{number_text(growths)} times"
    return f"{accepted}, and its true error grew {times}." if accepted else f"Its true error grew {times}."


def _wait_sentence(row: RunRow) -> str:
    start = _endless_from(row)
    if not row.wait or start == row.wait_from:
        return ""  # it is the one in which it is stuck
    name = "Longest wait" if start is None else "Longest wait before it was stuck"
    return f" {name}: {number_text(row.wait)} from iteration {number_text(row.wait_from)}."


def _improvements(row: RunRow) -> str:
    path = decode_path(row.path)
    if not path:
        return "It never improved."
    errors = [number_text(error) for _, error in path]
    count = counted(max(len(path), row.improved), "improvement")  # of very many only the first are kept
    if len(errors) > _MOST_IMPROVEMENTS:
        half = _MOST_IMPROVEMENTS // 2
        errors = [*errors[:half], "…", *errors[-half:]]
    return f"{count}, error {' → '.join(errors)}."


def decisive_step_sentence(finding: DecisiveStepFinding) -> str:
    """What decided a stuck run: its decisive step and why, or that there is none."""
    step, taken = finding.step, finding.taken
    if step is None or taken is None:
        if finding.start.stuck > _LOST:
            share = percent_in_words(chance_of(finding.start))
            return f"The run was lost from the start: {share} of such runs end stuck."
        return "No single step decided the run: its chance to end stuck rose little by little."
    why = rise_with_reason(step, taken).removeprefix("This step ")
    for word, chance in (("from", step.before), ("to", step.after)):
        if not chance.is_exact:  # whoever looks closer finds slightly other numbers
            why = re.sub(rf"\b{word} (?=\d+ %)", f"{word} about ", why)
    return f"Iteration{_HOLD}{number_text(step.iteration)} decided it: that step {why}"


def decided_text(row: RunRow, config: RunConfig) -> str:
    """The iteration that decided a stuck run; a question mark where nobody has looked for it."""
    if row.stuck_since is None:
        return NO_VALUE
    own = config.replaced(seed=config.seed + row.number)
    finding = decisive_steps.DECISIVE_STEPS.get(own)
    if finding is None:
        return NO_VALUE if decisive_steps.DECISIVE_STEPS.problem(own) else "?"
    return NO_VALUE if finding.iteration is None else number_text(finding.iteration)


def decided_hint(row: RunRow, config: RunConfig) -> str | None:
    """What decided a stuck run, in a sentence."""
    if row.stuck_since is None:
        return None
    own = config.replaced(seed=config.seed + row.number)
    finding = decisive_steps.DECISIVE_STEPS.get(own)
    if finding is None:
        return (
            decisive_steps.DECISIVE_STEPS.problem(own)
            or "Nobody has looked for it yet; the button Decisive steps does."
        )
    return decisive_step_sentence(finding)


def opened_run_text(plan: Plan, run: StoredRun) -> tuple[str, str]:
    """A title and a sentence about a run that is opened: which one it is, and what is decisive in it.

    They stay true when someone goes on to another iteration.
    """
    row = run.row
    config = plan.cells[run.cell].config_of(row.number)
    title = (plan.title or plan.name).partition(":")[0].strip()
    title = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
    settings = (setting(name).phrase_of(config) for name in plan.varied_settings)
    parts = [*settings, f"seed {seed_text(config.seed)}"]
    name = ", ".join([title, *(part.replace(" ", _HOLD) for part in parts)])
    start = f"iteration{_HOLD}{number_text(row.notable_iteration)}"
    if row.stuck_since is not None:
        return f"{name}: stuck since {start}", "It never improves again."
    if not row.wait:
        return name, ""
    if row.wait_from + row.wait < row.iterations:
        what = f"The next improvement comes {counted(row.wait, 'iteration')} later."
    elif row.outcome == "solved":
        what = f"{counted(row.wait, 'iteration')} later it is solved."
    else:
        what = f"{counted(row.wait, 'iteration')} without an improvement follow; then it was stopped."
    return f"{name}: longest wait from {start}", what


def comparison_labels(plan: Plan, runs: Sequence[StoredRun]) -> tuple[str, ...]:
    """What each of some runs is called: its seed, and the settings in which they differ."""
    configs = [plan.cells[run.cell].config for run in runs]
    varied = [
        name
        for name in plan.varied_settings
        if len({setting(name).cell_text(config) for config in configs}) > 1
    ]
    labels: list[str] = []
    for run, config in zip(runs, configs, strict=True):
        seed = f"seed {seed_text(config.seed + run.row.number)}"
        label = " · ".join([seed, *(setting(name).phrase_of(config) for name in varied)])
        labels.append(label if len(label) <= LARGEST_LABEL else f"{label[: LARGEST_LABEL - 1]}…")
    return tuple(labels)


def option_arguments(config: RunConfig) -> list[str]:
    """The options that make a configuration but for its seed; most are left out where they are as usual."""
    options: list[str] = []
    for row in SETTINGS:
        is_needed = row.name in _ALWAYS_GIVEN or not is_usual(row, config)
        if row.metavar and row.name != "seed" and is_needed and (config.is_sampled or not row.is_for_sampled):
            options += [row.option, plain_text(row.value_of(config))]
    return options


def command_line(config: RunConfig, row: RunRow) -> str:
    """What to type to see this run in a terminal."""
    arguments = ["gpviz", "run", *option_arguments(config)]
    if row.outcome == "stopped" or row.iterations > DEFAULT_MAX_ITERATIONS:
        arguments += ["--max-iterations", str(min(row.iterations, MAX_ITERATIONS))]
    return command_text([*arguments, "--seed", str(config.seed)])


def duration_text(seconds: float) -> str:
    """A time as a person says it: under 1 s, 12 s, 3 min 20 s, 2 h 5 min, 4 days."""
    if seconds < 1:
        return "less than 1 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest and minutes < 10 else f"{minutes} min"
    if whole < 172_800:
        hours, rest = divmod(round(whole / 60), 60)
        return f"{hours:,} h {rest} min" if rest and hours < 10 else f"{hours:,} h"
    return f"{round(whole / 86_400):,} days"


def rate_text(rate: float) -> str:
    """Runs a second, or a minute where they are slow."""
    if rate >= 10:
        return f"{rate:,.0f} runs a second"
    if rate >= 1:
        return f"{rate:.1f} runs a second"
    return f"{rate * 60:.1f} runs a minute"
