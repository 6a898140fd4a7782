"""Pictures that nobody would ask for: far too small, with huge type, of huge trees."""

from itertools import product
from math import isfinite
from random import Random

import pytest

from gpviz.engine import Operation, RunConfig, Verdict, parse
from gpviz.explain.moment import Moment
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Item, Shape
from gpviz.picture.layout import LAYOUTS
from gpviz.picture.options import Options
from tests.picture.moments import shown, stepped, stuck

SIZES = ((40, 30), (4000, 60), (60, 4000), (1280, 720))
TEXT_SCALES = (0.5, 3.0)


def chain(leaves: int) -> str:
    """As deep as a tree of so many leaves can be."""
    return "(" * (leaves - 1) + "x1" + " & x2)" * (leaves - 1)


def bushy(leaves: int) -> str:
    """Halved at random again and again."""
    random = Random(leaves)
    parts = [f"x{random.randrange(1, 9)}" for _ in range(leaves)]
    while len(parts) > 1:
        place = random.randrange(len(parts) - 1)
        parts[place : place + 2] = [f"({parts[place]} {random.choice('&|')} {parts[place + 1]})"]
    return parts[0]


def is_drawable(item: Item) -> bool:
    """Whether all numbers are finite, and no size is negative."""
    sizes = {Shape.DISC: item.points[2:3], Shape.BOX: item.points[2:4], Shape.TEXT: item.points[2:3]}
    return all(map(isfinite, item.points)) and all(size >= 0 for size in sizes.get(item.shape, ()))


def check(moment: Moment, options: Options) -> None:
    picture = picture_of(moment, options)
    assert len(picture.nodes) == (0 if moment.tree is None else moment.tree.size)
    assert all(map(is_drawable, items_of(picture)))


@pytest.mark.parametrize("formula", ["x1", "x1 & x2", chain(300), bushy(60), bushy(500)])
@pytest.mark.parametrize("operation", Operation)
def test_a_step_is_drawn_in_every_size(formula: str, operation: Operation) -> None:
    tree = parse(formula)
    moment = stepped(tree, operation, Verdict.WORSE, tree.size - 1)
    for (width, height), text_scale in product(SIZES, TEXT_SCALES):
        check(moment, Options(width=width, height=height, text_scale=text_scale))


@pytest.mark.parametrize("formula", [chain(2000), bushy(2000)])
def test_trees_of_two_thousand_leaves_are_drawn(formula: str) -> None:
    for verdict, size in product((Verdict.WORSE, Verdict.NEUTRAL), SIZES):
        check(
            stepped(formula, Operation.DEL, verdict, 1990),
            Options(width=size[0], height=size[1]),
        )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_drawn_in_every_size(layout: str) -> None:
    for (width, height), text_scale in product(SIZES, TEXT_SCALES):
        options = Options(width=width, height=height, text_scale=text_scale, layout=layout)
        check(stepped(bushy(18), Operation.INS, Verdict.WORSE, 20), options)


def test_states_and_large_numbers_are_drawn_in_every_size() -> None:
    moment, analysis = stuck()
    for (width, height), text_scale in product(SIZES, TEXT_SCALES):
        options = Options(width=width, height=height, text_scale=text_scale)
        assert all(map(is_drawable, items_of(picture_of(moment, options, analysis))))
        check(shown(None), options)
        check(shown("x1 | x2", RunConfig(n=1000, limit="inf")), options)
