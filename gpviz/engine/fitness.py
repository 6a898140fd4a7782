"""The error on sampled rows: two samplers with the same distribution.

`RowSampler` draws real rows; `CountSampler` draws only how many rows fall into each joint outcome (both
trees wrong, only the parent, only the offspring, both right), at a cost that does not grow with their number.
Either is asked with an iteration's key, so that iteration's sample can be had again at any time.
"""

from typing import Protocol

from gpviz.engine.binomial import binomial
from gpviz.engine.config import RunConfig
from gpviz.engine.implicants import TooMany, masks_of, support
from gpviz.engine.masks import variables_in
from gpviz.engine.randomness import columns
from gpviz.engine.target import Conjunction
from gpviz.engine.tree import Leaf, Node, nodes_of, variables_of
from gpviz.engine.words import Function

__all__ = ["CountSampler", "RowSampler", "Sampler", "evaluate", "make_sampler"]


class Sampler(Protocol):
    """The errors of trees on the rows an iteration samples."""

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

    def error(self, key: int, tree: Node) -> int:
        return binomial(self._rows, self._target.error(tree) / self._target.rows, key, 1)[0]

    def errors(self, key: int, parent: Node, offspring: Node) -> tuple[int, int]:
        both, only_parent, only_offspring = self._target.joint(parent, offspring)
        decisive = only_parent + only_offspring
        if not decisive:
            error = binomial(self._rows, both / self._target.rows, key, 1)[0]
            return error, error
        differing, index = binomial(self._rows, decisive / self._target.rows, key, 1)
        by_offspring, index = binomial(differing, only_offspring / decisive, key, index)
        alike = self._target.rows - decisive
        shared, _ = binomial(self._rows - differing, both / alike if alike else 0.0, key, index)
        return shared + differing - by_offspring, shared + by_offspring


class RowSampler:
    """Draws ``rows`` rows of truth values, uniformly and with replacement."""

    def __init__(self, rows: int, target: Conjunction) -> None:
        self._rows = rows
        self._target = target

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
