"""The error on sampled rows: two samplers with the same distribution.

`RowSampler` draws real rows; `CountSampler` draws only how many rows fall into each joint outcome (both
trees wrong, only the parent, only the offspring, both right), at a cost that does not grow with their number.
Either is asked with an iteration's key, so that iteration's sample can be had again at any time.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final, Protocol

from gpviz.engine.binomial import binomial
from gpviz.engine.boolean_function import TooMany, masks_of, support, variables_in
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.randomness import columns, first_uniforms, uniforms
from gpviz.engine.target import Conjunction
from gpviz.engine.tree import Leaf, Node, nodes_of, variables_of

__all__ = ["CountSampler", "RowSampler", "Sampler", "evaluate", "make_sampler"]


_FORESEEN: Final = 4  # draws, more than most iterations use


class Sampler(Protocol):
    """The errors of trees on the rows an iteration samples."""

    def foresee(self, keys: list[int]) -> list[int]:
        """Prepare for being asked with these keys, which costs less for many at once; the keys again."""

    def error(self, key: int, tree: Node) -> int:
        """On how many of the iteration's rows the tree is wrong."""

    def errors(self, key: int, parent: Node, offspring: Node) -> tuple[int, int]:
        """On how many of the same rows the parent and the offspring are wrong."""


def make_sampler(config: RunConfig, target: Conjunction) -> Sampler | None:
    """The sampler of a configuration; None when the complete truth table is used."""
    if config.rows is None:
        return None
    kind = RowSampler if config.sampler == "rows" else CountSampler
    return kind(config.rows, target)


class CountSampler:
    """Draws the joint outcomes of ``rows`` rows from their multinomial distribution."""

    def __init__(self, rows: int, target: Conjunction) -> None:
        self._rows = rows
        self._target = target
        self._foreseen: dict[int, tuple[float, ...]] = {}

    def foresee(self, keys: list[int]) -> list[int]:
        self._foreseen = dict(zip(keys, first_uniforms(keys, _FORESEEN), strict=True))
        return keys

    def error(self, key: int, tree: Node) -> int:
        return binomial(self._rows, self._target.error(tree) / self._target.rows, self._draws(key))

    def errors(self, key: int, parent: Node, offspring: Node) -> tuple[int, int]:
        both, only_parent, only_offspring = self._target.joint(parent, offspring)
        draws = self._draws(key)
        decisive = only_parent + only_offspring
        if not decisive:
            error = binomial(self._rows, both / self._target.rows, draws)
            return error, error
        differing = binomial(self._rows, decisive / self._target.rows, draws)
        by_offspring = binomial(differing, only_offspring / decisive, draws)
        alike = self._target.rows - decisive
        shared = binomial(self._rows - differing, both / alike if alike else 0.0, draws)
        return shared + differing - by_offspring, shared + by_offspring

    def _draws(self, key: int) -> Iterator[float]:
        first = self._foreseen.get(key)
        return uniforms(key) if first is None else chain(first, uniforms(key, 1 + _FORESEEN))


class RowSampler:
    """Draws ``rows`` rows of truth values, uniformly and with replacement."""

    def __init__(self, rows: int, target: Conjunction) -> None:
        self._rows = rows
        self._target = target

    def foresee(self, keys: list[int]) -> list[int]:
        return keys

    def error(self, key: int, tree: Node) -> int:
        return self.errors(key, tree, tree)[0]

    def errors(self, key: int, parent: Node, offspring: Node) -> tuple[int, int]:
        drawn = columns(key, variables_in(_needed(parent) | _needed(offspring)), self._rows)
        wanted = self._target.true_rows(drawn, key, self._rows)
        parent_error = (evaluate(parent, drawn) ^ wanted).bit_count()
        if parent.value == offspring.value:
            return parent_error, parent_error
        return parent_error, (evaluate(offspring, drawn) ^ wanted).bit_count()


def evaluate(tree: Node, drawn: dict[int, int]) -> int:
    """The rows on which the tree is true, as a bit mask, given each variable's rows as one."""
    if isinstance(tree.value, TooMany):
        return _evaluate_tree(tree, drawn)
    true_rows = 0
    for implicant in masks_of(tree.value):
        rows = -1
        for variable in variables_in(implicant):
            rows &= drawn[variable]
        true_rows |= rows
    return true_rows


def _evaluate_tree(tree: Node, drawn: dict[int, int]) -> int:
    results: list[int] = []
    for node in reversed(list(nodes_of(tree))):
        if isinstance(node, Leaf):
            results.append(drawn[node.variable])
        elif node.function is Function.AND:
            results.append(results.pop() & results.pop())
        else:
            results.append(results.pop() | results.pop())
    return results.pop()


def _needed(tree: Node) -> int:
    return variables_of(tree) if isinstance(tree.value, TooMany) else support(tree.value)
