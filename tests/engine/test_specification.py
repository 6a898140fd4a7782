"""The written specification of a run (the docstrings of search.py and randomness.py), implemented again.

Another implementation must give the same runs bit for bit, so this one does: it shares no code with the engine,
and its trees are plain data.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.formula import parse
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step
from gpviz.engine.tree import Leaf, Node
from tests.engine.strategies import configs

Plain: TypeAlias = int | tuple[str, "Plain", "Plain"]

OPERATIONS, FUNCTIONS = ("INS", "DEL", "SUB"), ("and", "or")
GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


# randomness.py


def word(key: int, index: int) -> int:
    z = (key + index * GAMMA) % 2**64
    z = (z ^ z >> 30) * FIRST % 2**64
    z = (z ^ z >> 27) * SECOND % 2**64
    return z ^ z >> 31


def root_of(seed: int) -> int:
    root = word(seed % 2**64, 1)
    while seed := seed // 2**64:
        root = word(root ^ seed % 2**64, 1)
    return root


def sampled_row(key: int, row: int, n: int, rows: int) -> list[bool]:
    width = (rows + 63) // 64
    return [bool(word(key, 1 + v * width + row // 64) >> row % 64 & 1) for v in range(n)]


# search.py


class Draw(NamedTuple):
    operation: str
    node: int
    variable: int
    function: str
    side: str


def fair_word(key: int, choices: int) -> int:
    w, index = key, 0
    while w >= 2**64 - 2**64 % choices:
        index -= 1
        w = word(key, index)
    return w


def draw(key: int, tree: Plain | None, n: int, functions: int, deletion: str) -> Draw:
    k = 1 if tree is None else leaf_count(tree)
    b = 3 * n * functions
    w = fair_word(key, 2 * b * k * (2 * k - 1))
    operation, variable, function = OPERATIONS[w % 3], w // 3 % n + 1, FUNCTIONS[w // (3 * n) % functions]
    r = w // b
    if tree is None:
        return Draw(operation, 1, variable, function, "left")
    if operation == "INS":
        side = "left" if r // (2 * k - 1) % 2 == 0 else "right"
        return Draw(operation, 1 + r % (2 * k - 1), variable, function, side)
    if operation == "DEL" and deletion == "subtree":
        return Draw(operation, 1 + r % (2 * k - 1), variable, function, "left")
    return Draw(operation, list(leaf_numbers(tree, 1))[r % k], variable, function, "left")


def leaf_count(tree: Plain) -> int:
    return 1 if isinstance(tree, int) else leaf_count(tree[1]) + leaf_count(tree[2])


def leaf_numbers(tree: Plain, first: int) -> Iterator[int]:
    """The preorder numbers of the leaves, from the left."""
    if isinstance(tree, int):
        yield first
    else:
        yield from leaf_numbers(tree[1], first + 1)
        yield from leaf_numbers(tree[2], first + 2 * leaf_count(tree[1]))


def mutate(tree: Plain, drawn: Draw, first: int = 1) -> Plain:
    if first == drawn.node:
        if drawn.operation == "INS":
            pair = (drawn.variable, tree) if drawn.side == "left" else (tree, drawn.variable)
            return (drawn.function, *pair)
        return drawn.variable if drawn.operation == "SUB" else tree
    if isinstance(tree, int):
        return tree
    function, left, right = tree
    on_the_right = first + 2 * leaf_count(left)
    if drawn.operation == "DEL" and drawn.node in (first + 1, on_the_right):
        return right if drawn.node == first + 1 else left
    return function, mutate(left, drawn, first + 1), mutate(right, drawn, on_the_right)


def is_true(tree: Plain, row: list[bool]) -> bool:
    if isinstance(tree, int):
        return row[tree - 1]
    function, left, right = tree
    if function == "and":
        return is_true(left, row) and is_true(right, row)
    return is_true(left, row) or is_true(right, row)


def error(tree: Plain, rows: list[list[bool]]) -> int:
    return sum(is_true(tree, row) is not all(row) for row in rows)


class Line(NamedTuple):
    """What the specification says about an iteration."""

    draw: Draw
    tree: Plain | None
    error: int | None


def specified_run(config: RunConfig, iterations: int, start: Plain | None = None) -> list[Line]:
    """A run of the complete truth table, or of drawn rows."""
    n, limit = config.n, config.max_leaves
    rows = [[bool(row >> v & 1) for v in range(n)] for row in range(2**n)]
    root, tree, lines = root_of(config.seed), start, []
    for t in range(1, iterations + 1):
        key = word(root, t)
        drawn = draw(key, tree, n, len(config.functions), config.deletion)
        if config.rows is not None:
            rows = [sampled_row(key, row, n, config.rows) for row in range(config.rows)]
        if tree is None:
            if drawn.operation == "INS" or config.empty_tree == "any":
                tree = drawn.variable
        else:
            offspring = mutate(tree, drawn)
            fits = limit is None or leaf_count(offspring) <= limit
            if fits and error(offspring, rows) <= error(tree, rows):
                tree = offspring
        lines.append(Line(drawn, tree, None if tree is None else error(tree, rows)))
    return lines


# The engine


def plain(tree: Node | None) -> Any:
    if tree is None:
        return None
    if isinstance(tree, Leaf):
        return tree.variable
    return tree.function.value, plain(tree.left), plain(tree.right)


def line_of(step: Step) -> Line:
    operation, node, variable, function, side = step.mutation
    drawn = Draw(operation.value, node, variable, function.value, side.value)
    return Line(drawn, plain(step.tree), step.error)


def engine_run(config: RunConfig, iterations: int, start: str | None = None) -> list[Line]:
    search = RlsGp(config, None if start is None else parse(start))
    return [line_of(search.step()) for _ in range(iterations)]


CONFIGS: dict[str, dict[str, Any]] = {
    "subtree": {"n": 6},
    "leaf": {"n": 6, "deletion": "leaf"},
    "limit n": {"n": 6, "limit": "n"},
    "leaf, limit n+1": {"n": 5, "deletion": "leaf", "limit": "n+1"},
    "no limit": {"n": 4, "limit": "inf"},
    "only AND": {"n": 6, "functions": "and"},
    "only AND, leaf": {"n": 6, "functions": "and", "deletion": "leaf", "limit": "n"},
    "insert-only": {"n": 6, "empty_tree": "insert-only"},
    "one variable": {"n": 1},
    "rows": {"n": 6, "fitness": "sampled", "rows": 20},
    "rows, no limit": {"n": 4, "fitness": "sampled", "rows": 5, "limit": "inf", "deletion": "leaf"},
    "64 rows": {"n": 5, "fitness": "sampled", "rows": 64, "functions": "and"},
    "65 rows": {"n": 5, "fitness": "sampled", "rows": 65, "empty_tree": "insert-only"},
}


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 3**300])
@pytest.mark.parametrize("name", CONFIGS)
def test_a_run_is_the_specified_one(name, seed):
    config = RunConfig(**CONFIGS[name], seed=seed)
    assert engine_run(config, 100) == specified_run(config, 100)


@pytest.mark.parametrize("name", ["subtree", "leaf", "no limit"])
def test_a_long_run_is_the_specified_one(name):
    config = RunConfig(**CONFIGS[name], seed=12)
    assert engine_run(config, 600) == specified_run(config, 600)


def test_a_run_from_a_start_tree_is_the_specified_one():
    config = RunConfig(n=6, limit="2n", seed=5)
    formula = "(x1 | x2 & x3) & (x4 | x5) | x6 & x1"
    assert engine_run(config, 300, formula) == specified_run(config, 300, plain(parse(formula)))


@given(configs())
def test_every_mutation_of_every_kind_of_run_is_the_specified_one(config):
    search, root = RlsGp(config), root_of(config.seed)
    for t in range(1, 31):
        before = plain(search.tree)
        expected = draw(word(root, t), before, config.n, len(config.functions), config.deletion)
        assert line_of(search.step()).draw == expected


@pytest.mark.parametrize("n", [50, 100, 1000])
@pytest.mark.parametrize("sampling", [{}, {"fitness": "sampled", "rows": 10**6, "sampler": "counts"}])
def test_every_mutation_on_large_problems_is_the_specified_one(n, sampling):
    config = RunConfig(n=n, seed=7, **sampling)
    search, root = RlsGp(config), root_of(7)
    for t in range(1, 301):
        before = plain(search.tree)
        assert line_of(search.step()).draw == draw(word(root, t), before, n, 2, "subtree")


# Words that would make a choice unfair are so rare that no run ever meets one. But SplitMix64 can be undone, and
# so a seed be found that has one where it is wanted.


def unmixed(z: int) -> int:
    z = unshifted(z, 31) * pow(SECOND, -1, 2**64) % 2**64
    z = unshifted(z, 27) * pow(FIRST, -1, 2**64) % 2**64
    return unshifted(z, 30)


def unshifted(z: int, shift: int) -> int:
    x = z
    for _ in range(3):
        x = z ^ x >> shift
    return x


def seed_with(key: int, iteration: int) -> int:
    root = (unmixed(key) - iteration * GAMMA) % 2**64
    return (unmixed(root) - GAMMA) % 2**64


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**40))
def test_a_seed_can_be_found_for_any_key(key, iteration):
    assert word(root_of(seed_with(key, iteration)), iteration) == key


@pytest.mark.parametrize("functions", ["and", "and,or"])
@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize("start", [None, "x1", "x1 & x2", "x1 & x2 | x3 & x4 & x5"])
@pytest.mark.parametrize("n", [5, 7, 1000])
def test_a_word_beyond_the_fair_ones_is_replaced(n, start, deletion, functions):
    config = RunConfig(n=n, functions=functions, deletion=deletion, seed=seed_with(2**64 - 1, 1))
    tree = None if start is None else plain(parse(start))
    expected = draw(2**64 - 1, tree, n, len(config.functions), deletion)
    assert engine_run(config, 1, start)[0].draw == expected


@pytest.mark.parametrize("iteration", range(10, 40))
def test_it_is_replaced_whatever_the_tree_has_become_by_then(iteration):
    config = RunConfig(n=5, limit="inf", seed=seed_with(2**64 - 1, iteration))
    lines = engine_run(config, iteration)
    assert lines[-1].draw == draw(2**64 - 1, lines[-2].tree, 5, 2, "subtree")


@pytest.mark.parametrize(("above", "is_replaced"), [(-1, False), (0, True)])
def test_the_first_unfair_word_is_the_first_that_is_replaced(above, is_replaced):
    n, k = 5, 2
    choices = 2 * (3 * n * 2) * k * (2 * k - 1)
    key = 2**64 - 2**64 % choices + above
    assert (fair_word(key, choices) != key) is is_replaced
    config = RunConfig(n=n, seed=seed_with(key, 1))
    assert engine_run(config, 1, "x1 & x2")[0].draw == draw(key, ("and", 1, 2), n, 2, "subtree")


def test_the_words_that_replace_it_are_those_before_the_key():
    key = 2**64 - 1
    assert fair_word(key, 3) == word(key, -1)
