"""The request to put a run on show: which run, where to go in it, and what to say about it."""

from dataclasses import dataclass
from pathlib import Path

from gpviz.engine.config import RunConfig
from gpviz.engine.mutation_script import Script
from gpviz.runs.run_file import RunFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRequest:
    """What anybody hands on who wants a run on show: a preset, a form, a comparison, an experiment, a lecture.

    ``run`` is the configuration of a run to be made, the description of one to be replayed, or the file it is in;
    ``start`` the formula of the tree that a run to be made starts from, empty for the empty tree, and ``script``
    the mutations that it carries out first.

    ``branch`` is the number of a branch. Of a run to be made it says that this run may be on show already: then it
    is not made again, and this branch of it comes on show.

    A run that ``seeks_decisive_step`` is stuck since its ``iteration``, and goes back to the step that decided it
    once that is found.
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
