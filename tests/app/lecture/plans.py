"""Lectures for the tests of planning one."""

from functools import cache

from gpviz.engine import RunConfig
from gpviz.lecture.lecture import Lecture, Scene
from gpviz.runs.run_file import RunFile, describe, describe_branches
from tests.runs.branching import branched_run
from tests.runs.runs import recorded


@cache
def a_run(seed: int = 1, iterations: int = 60) -> RunFile:
    """A short run."""
    return describe(recorded(RunConfig(n=5, seed=seed), iterations)[2])


@cache
def run_with_branches() -> RunFile:
    """A run with three branches besides the original."""
    branches, histories = branched_run()
    return describe_branches(branches, histories)


def a_lecture(scenes: int = 3) -> Lecture:
    """A lecture of one run, its scenes called A, B, C and so on."""
    made = tuple(
        Scene(title=chr(ord("A") + index), first=index, last=index + 10, notes=f"note {index}")
        for index in range(scenes)
    )
    return Lecture(title="A lecture", runs=(a_run(),) if scenes else (), scenes=made)
