"""Runs of an experiment in words: settings, outcomes, one run in a sentence, and what can be copied of it."""

import shlex
from collections.abc import Sequence
from typing import Final

from gpviz.app.experiments.setting_words import NONE, setting_text, varied_settings
from gpviz.engine.config import RunConfig
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS
from gpviz.engine.words import Function
from gpviz.experiments.batch import RunRow, decode_path
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import StoredRun
from gpviz.record.comparisons import LARGEST_LABEL
from gpviz.record.facts import error_text
from gpviz.record.limits import MAX_ITERATIONS
from gpviz.record.telling import counted, number_text

__all__ = [
    "OUTCOMES",
    "cell_words",
    "command_line",
    "comparison_labels",
    "generalisation_text",
    "run_sentence",
    "seed_text",
    "setting_words",
    "wait_text",
]

OUTCOMES: Final = ("stuck", "solved", "stopped", "failed")

_LONGEST_SEED: Final = 20
_MOST_IMPROVEMENTS: Final = 8
_SMALLEST: Final = 1e-300


def setting_words(name: str, config: RunConfig) -> str:
    """The value of a setting in words that need no head, such as ``limit n`` or ``leaf deletion``."""
    text = setting_text(name, config)
    match name:
        case "n":
            return f"n = {text}"
        case "limit":
            return "no limit" if config.limit == "inf" else f"limit {text}"
        case "deletion":
            return f"{text} deletion"
        case "functions":
            return "∧ only" if config.functions == (Function.AND,) else "∧ and ∨"
        case "fitness":
            return "sampled rows" if config.is_sampled else "all rows"
        case "rows":
            return f"{text} rows" if config.is_sampled else "all rows"
        case "sampler":
            return f"draws {text}"
        case "accept_error":
            return f"A = {text}"
        case _:
            return "only INS plants" if config.empty_tree == "insert-only" else "any draw plants"


def cell_words(plan: Plan, cell: int) -> str:
    """A cell by what it does differently from others; empty where there is but one."""
    config = plan.cells[cell].config
    return " · ".join(setting_words(name, config) for name in varied_settings(plan))


def seed_text(seed: int) -> str:
    """A seed as it is typed; a very long one is cut."""
    text = str(seed)
    return text if len(text) <= _LONGEST_SEED else f"{text[: _LONGEST_SEED - 3]}…"


def wait_text(row: RunRow) -> str:
    """The longest wait, such as ``1,234 from 56``."""
    return f"{number_text(row.wait)} from {number_text(row.wait_from)}" if row.wait else NONE


def generalisation_text(row: RunRow, n: int) -> str:
    """The share of all rows on which the final tree is wrong."""
    if row.wrong_rows is None:
        return NONE
    share = row.wrong_rows / 2**n
    if row.wrong_rows and share < _SMALLEST:
        return f"under {_SMALLEST:g}"
    return f"{share:.4g}"


def run_sentence(row: RunRow, config: RunConfig) -> str:
    """What became of a run, and how it went there; its path must be there."""
    iterations = "1 iteration" if row.iterations == 1 else f"{number_text(row.iterations)} iterations"
    leaves = counted(row.leaves, "leaf")
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
    wait = f" Longest wait: {number_text(row.wait)} from iteration {number_text(row.wait_from)}."
    return f"{ending} {_improvements(row)}{wait if row.wait else ''}"


def _improvements(row: RunRow) -> str:
    path = decode_path(row.path)
    if not path:
        return "It never improved."
    errors = [number_text(error) for _, error in path]
    count = "1 improvement" if len(path) == 1 else f"{len(path):,} improvements"
    if len(errors) > _MOST_IMPROVEMENTS:
        half = _MOST_IMPROVEMENTS // 2
        errors = [*errors[:half], "…", *errors[-half:]]
    return f"{count}, error {' → '.join(errors)}."


def comparison_labels(plan: Plan, runs: Sequence[StoredRun]) -> tuple[str, ...]:
    """What each of some runs is called: its seed, and the settings in which they differ."""
    configs = [plan.cells[run.cell].config for run in runs]
    varied = [
        name for name in varied_settings(plan) if len({setting_text(name, config) for config in configs}) > 1
    ]
    labels: list[str] = []
    for run, config in zip(runs, configs, strict=True):
        seed = f"seed {seed_text(config.seed + run.row.number)}"
        label = " · ".join([seed, *(setting_words(name, config) for name in varied)])
        labels.append(label if len(label) <= LARGEST_LABEL else f"{label[: LARGEST_LABEL - 1]}…")
    return tuple(labels)


def command_line(config: RunConfig, row: RunRow) -> str:
    """What to type to see this run in a terminal."""
    words = ["gpviz", "run", "--n", str(config.n), "--limit", config.limit, "--deletion", config.deletion]
    if config.functions == (Function.AND,):
        words += ["--functions", "and"]
    if config.is_sampled:
        words += ["--rows", str(config.rows), "--sampler", config.sampler]
    if config.accept_error:
        words += ["--accept-error", str(config.accept_error)]
    if config.empty_tree != "any":
        words += ["--empty-tree", config.empty_tree]
    if row.outcome == "stopped" or row.iterations > DEFAULT_MAX_ITERATIONS:
        words += ["--max-iterations", str(min(row.iterations, MAX_ITERATIONS))]
    return shlex.join([*words, "--seed", str(config.seed)])
