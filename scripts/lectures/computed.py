"""What the sources of the lectures share: runs, experiments, and texts whose numbers are all computed."""

import re
from functools import cache
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.search import RlsGp
from gpviz.engine.tree import variables_of
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind, first_input, scene_chart
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.statistics.cell_statistics import CellSummary, summarise
from gpviz.experiments.totals import Totals
from gpviz.lecture.scene_content import SceneChart
from gpviz.runs.history import History

_WORDS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_A_NUMBER: Final = re.compile(
    rf"\d|[²³⁰-⁹]|\b(?:{'|'.join(_WORDS[2:])}|dozen|hundred|thousand|million)\b",
    re.IGNORECASE,
)
_NO_CLAIM: Final = re.compile(
    r"\{\w+\}|^Time: \d minutes?\.|^\d\. |n²|n⁴|n⁸|n³|lg²|log²|x₁ ∧ x₂|2n|1\.5 n|n \+ 1|\(1 \+ c\) n|\(1 \+ l"
    r"|2ⁿ|2 lg n|GECCO 2019"
    r"|(?:Theorem|Lemma|Figure|Table|Algorithm) \d",
    re.MULTILINE,
)
"""What stands for a value, timing, numbers of a list, and names."""


def said(template: str, **values: object) -> str:
    """The text with its values; whole numbers get commas, and a number in the template is refused."""
    literal = _A_NUMBER.search(_NO_CLAIM.sub("", template))
    if literal is not None:
        raise ValueError(f"{literal.group()!r} is not computed in {template!r}")
    unused = [name for name in values if f"{{{name}}}" not in template]
    if unused:
        raise ValueError(f"{', '.join(unused)} is computed for nothing in {template!r}")
    return template.format(**{name: _text(value) for name, value in values.items()})


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


@cache
def recorded(config: RunConfig, iterations: int | None = None) -> History:
    """A run of so many iterations, or until it is solved."""
    search, history = RlsGp(config), History(config)
    while not config.is_solved(search.error) if iterations is None else len(history) < iterations:
        history.append(search.step())
    return history


def distinct(history: History, iteration: int) -> int:
    """How many different variables the tree has."""
    tree = history.tree_at(iteration)
    return 0 if tree is None else variables_of(tree).bit_count()


@cache
def experiment(name: str, runs: int) -> tuple[Plan, tuple[Totals, ...]]:
    """A shipped plan with so many runs a cell, and what they come to."""
    plan = find_plan(name).replaced(runs=runs)
    chunks = [Chunk(cell.number, cell.config, 0, runs, plan.max_iterations) for cell in plan.cells]
    return plan, tuple(run_chunk(chunk).totals for chunk in chunks)


def summaries(name: str, runs: int) -> dict[tuple[int, str], CellSummary]:
    """What the cells of a plan come to, by n and limit."""
    plan, totals = experiment(name, runs)
    cells = (cell.config for cell in plan.cells)
    return {
        (config.n, config.limit): each for config, each in zip(cells, summarise(plan, totals), strict=True)
    }


def chart(name: str, runs: int, kind: ChartKind, *, cell: int = 0, has_upper: bool = False) -> SceneChart:
    """A chart of a shipped plan with so many runs a cell, as the window first shows it."""
    plan, totals = experiment(name, runs)
    figure = CHARTS[kind].build(first_input(kind, plan, totals, cell=cell, has_upper=has_upper))
    return scene_chart(figure, plan, kind)
