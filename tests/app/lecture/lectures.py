"""Small lectures for the tests of giving one and of making one, and what they have in common."""

from functools import cache

from gpviz.app.player.player import Player
from gpviz.app.run.branch_controller import RecordedBranch
from gpviz.engine import RunConfig, parse
from gpviz.lecture.lecture import Lecture, Scene
from gpviz.runs.branches import search_at
from gpviz.runs.history import Generalisation
from gpviz.runs.run_file import RunFile, describe, describe_branches
from tests.runs.branching import branched_run
from tests.runs.runs import recorded

CONFIG = RunConfig(n=6, seed=1)
STUCK = RunConfig(n=4, limit="4", deletion="leaf", seed=1)
STUCK_TREE = "(x1 & x2) | (x2 & x1)"
TEXT = """# Two tables

| limit | solved | stuck |
|---|---:|---:|
| n | 212 | 288 |
| ∞ | 500 | 0 |

Leaf-only deletion gets **stuck**.
"""


@cache
def run_file(iterations: int = 40) -> RunFile:
    return describe(recorded(CONFIG, iterations)[2])


@cache
def stuck_file(iterations: int = 6) -> RunFile:
    return describe(recorded(STUCK, iterations, parse(STUCK_TREE))[2])


@cache
def branched_file() -> RunFile:
    branches, histories = branched_run()
    return describe_branches(branches, histories)


def ready(config: RunConfig = CONFIG, iterations: int = 40, start: str = "") -> dict[int, RecordedBranch]:
    """A replayed run without branches."""
    history = recorded(config, iterations, parse(start) if start else None)[2]
    return {0: RecordedBranch(history, Generalisation())}


def adopt(player: Player, branches: dict[int, RecordedBranch], cursor: int | None = None) -> None:
    """Let a player show a recorded run."""
    branch = branches[0]
    search = search_at(branch.history, len(branch.history))
    player.adopt_run(search, branch.history, branch.generalisation, branch.stuck_since, cursor=cursor)


def lecture(*scenes: Scene, runs: tuple[RunFile, ...] | None = None, title: str = "Leaves") -> Lecture:
    return Lecture(
        title=title, runs=(run_file(), stuck_file()) if runs is None else runs, scenes=tuple(scenes)
    )


def usual() -> Lecture:
    """Clicks, a text, a stuck tree."""
    return lecture(
        Scene(title="Steps", first=0, last=3, notes="Slowly."),
        Scene(title="Tables", has_tree=False, text=TEXT),
        Scene(title="Stuck", run=1, first=0, last=2, caption="No way out.", panels=("caption", "curves")),
    )


@cache
def a_run(seed: int = 1, iterations: int = 60) -> RunFile:
    """A short run."""
    return describe(recorded(RunConfig(n=5, seed=seed), iterations)[2])


def a_lecture(scenes: int = 3) -> Lecture:
    """A lecture of one run, its scenes called A, B, C and so on."""
    made = tuple(
        Scene(title=chr(ord("A") + index), first=index, last=index + 10, notes=f"note {index}")
        for index in range(scenes)
    )
    return Lecture(title="A lecture", runs=(a_run(),) if scenes else (), scenes=made)
