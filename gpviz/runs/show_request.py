"""The request to show a run: which run, which iteration of it, and what to say about it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.formula import format_formula
from gpviz.engine.mutation_script import Script
from gpviz.runs.history import History
from gpviz.runs.run_file import RunFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRequest:
    """A request to show a run, made by a preset, a form, a comparison, an experiment or a lecture.

    ``run`` is the configuration of a new run, the description of one to be replayed, or the file it is in.
    ``start`` is the formula of the tree that a new run starts from, empty for the empty tree, and ``script`` has
    the mutations that it carries out first.

    ``branch`` is the number of a branch to show. With the configuration of a run that is on show already, that run
    is kept and only the branch changes.

    With ``seeks_decisive_step`` the run is stuck since ``iteration``, and goes back to its decisive step once that
    is found.
    """

    run: RunConfig | RunFile | Path
    start: str = ""
    script: Script = ()
    branch: int | None = None
    iteration: int | None = None
    title: str = ""
    explanation: str = ""
    speed: float | None = None
    plays: bool = False
    seeks_decisive_step: bool = False


def again(history: History, **changed: Any) -> ShowRequest:
    """The request to start a run again, with other values of some settings."""
    config = history.config.replaced(**changed)
    return ShowRequest(run=config, start=format_formula(history.start), script=history.script)


def next_seed(history: History) -> ShowRequest:
    """The request to start a run again with the next seed; after the last one comes the first."""
    try:
        return again(history, seed=history.config.seed + 1)
    except InvalidValueError:
        return again(history, seed=0)
