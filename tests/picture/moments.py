"""Moments for tests: of a real run that gets stuck, and single steps put together by hand."""

from dataclasses import replace
from functools import cache
from typing import Final

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine import Function, Mutation, Node, Operation, RunConfig, Side, Step, Verdict, apply, parse
from gpviz.engine.tree import largest_uid
from gpviz.explain.moment import Moment, moment_at
from tests.runs.runs import recorded

CONFIG: Final = RunConfig(n=8, limit="n+1", deletion="leaf", seed=298)
"""A run that gets stuck."""


def shown(text: str | Node | None, config: RunConfig = CONFIG) -> Moment:
    """A tree without a step."""
    return Moment(config=config, iteration=0, tree=parse(text) if isinstance(text, str) else text)


def stepped(
    text: str | Node | None,
    operation: Operation,
    verdict: Verdict,
    index: int = 0,
    *,
    variable: int = 7,
    function: Function = Function.OR,
    side: Side = Side.RIGHT,
    errors: tuple[int | None, int | None] = (7, 15),
    config: RunConfig = CONFIG,
) -> Moment:
    """One step from a tree, with the verdict somebody wishes, at the node that so many others come before."""
    parent = parse(text) if isinstance(text, str) else text
    mutation = Mutation(operation, index + 1, variable, function, side)
    uid = largest_uid(parent) + 1
    offspring = apply(parent, mutation, (uid, uid + 1))
    tree = offspring if verdict.is_accepted else parent
    before, after = errors
    step = Step(
        1, *mutation, verdict, offspring.leaves, after, before,
        after if verdict.is_accepted else before, tree, False, parent,
    )  # fmt: skip
    return Moment(config=config, iteration=1, tree=tree, step=step, parent=parent, offspring=offspring)


def previewed(moment: Moment, *, is_hidden: bool = False) -> Moment:
    """The step of a moment as a preview on its parent."""
    return replace(moment, tree=moment.parent, is_preview=True, is_verdict_hidden=is_hidden)


@cache
def stuck() -> tuple[Moment, Analysis]:
    """The end of a real run that got stuck, and what is known of its tree."""
    *_, history = recorded(CONFIG, 570)
    moment = moment_at(history, 570)
    return moment, analyse(moment.tree, CONFIG)
