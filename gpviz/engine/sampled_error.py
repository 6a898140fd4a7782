"""The error on sampled rows, and the chances that an offspring looks better, equal or worse on them.

There are two samplers with the same distribution. `RowSampler` draws real rows; `CountSampler` draws only how
many rows fall into each joint outcome (both trees wrong, only the parent, only the offspring, both right), at a
cost that does not grow with their number. Both draw from an iteration's key, so the sample of any iteration can be
drawn again.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from math import ceil, exp, expm1, log, log1p, sqrt
from typing import Final, Protocol

import numpy as np

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.interruption import Effort, checkpoint
from gpviz.engine.prime_implicants import TooMany, masks_of, support, variables_in
from gpviz.engine.randomness import binomial, columns, first_uniforms, uniforms
from gpviz.engine.target import Conjunction, JointErrors
from gpviz.engine.tree import Leaf, Node, nodes_of, variables_of

_PREPARED_DRAWS: Final = 4  # draws, more than most iterations use
_SPREADS: Final = 12.0
_FEW: Final = 30.0
_MORE_THAN_FEW: Final = 40
_MOST_FREQUENCIES: Final = 1_000_000
_BITS_AT_ONCE: Final = 4096
"""Two masks of this many bits are joined in the time of a small operation."""


class Sampler(Protocol):
    """Gives the errors of trees on the rows that an iteration samples."""

    def prepare(self, keys: list[int]) -> list[int]:
        """Get ready for these keys, which is faster for many at once; returns the keys."""

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
        self._prepared: dict[int, tuple[float, ...]] = {}

    def prepare(self, keys: list[int]) -> list[int]:
        self._prepared = dict(zip(keys, first_uniforms(keys, _PREPARED_DRAWS), strict=True))
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
        first = self._prepared.get(key)
        return uniforms(key) if first is None else chain(first, uniforms(key, 1 + _PREPARED_DRAWS))


class RowSampler:
    """Draws ``rows`` rows of truth values, uniformly and with replacement."""

    def __init__(self, rows: int, target: Conjunction) -> None:
        self._rows = rows
        self._target = target

    def prepare(self, keys: list[int]) -> list[int]:
        return keys

    def error(self, key: int, tree: Node) -> int:
        return self.errors(key, tree, tree)[0]

    def errors(self, key: int, parent: Node, offspring: Node) -> tuple[int, int]:
        drawn = columns(
            key, variables_in(_needed_variables(parent) | _needed_variables(offspring)), self._rows
        )
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
        checkpoint()
        rows = -1
        for variable in variables_in(implicant):
            rows &= drawn[variable]
        true_rows |= rows
    return true_rows


def _evaluate_tree(tree: Node, drawn: dict[int, int]) -> int:
    results: list[int] = []
    effort = Effort()
    weight = 4 + max(map(int.bit_length, drawn.values())) // _BITS_AT_ONCE
    for node in reversed(list(nodes_of(tree))):
        effort.spend(weight)
        if isinstance(node, Leaf):
            results.append(drawn[node.variable])
        elif node.function is Function.AND:
            results.append(results.pop() & results.pop())
        else:
            results.append(results.pop() | results.pop())
    return results.pop()


def _needed_variables(tree: Node) -> int:
    return variables_of(tree) if isinstance(tree.value, TooMany) else support(tree.value)


def verdict_chances(joint: JointErrors, all_rows: int, rows: int) -> tuple[float, float, float]:
    """The probabilities of IMPROVED, NEUTRAL and WORSE when ``rows`` rows are drawn of ``all_rows``."""
    return _chances(joint.only_parent / all_rows, joint.only_offspring / all_rows, rows)


@lru_cache(maxsize=4096)
def _chances(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """The same, from the probabilities that a row speaks against the parent and against the offspring."""
    if not worse:
        return _chance_of_some(better, rows), _chance_of_none(better, rows), 0.0
    if not better:
        return 0.0, _chance_of_none(worse, rows), _chance_of_some(worse, rows)
    if rows * (better + worse) < _FEW:
        return _by_cases(better, worse, rows)
    return _by_transform(better, worse, rows)


def _chance_of_none(p: float, rows: int) -> float:
    return exp(rows * log1p(-p)) if p < 1.0 else 0.0


def _chance_of_some(p: float, rows: int) -> float:
    return -expm1(rows * log1p(-p)) if p < 1.0 else 1.0


def _by_cases(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """Few rows differ: go through how many speak against the parent, and how many against the offspring.

    All that is added is positive, so even a chance of one in 10^30 has its leading digits.
    """
    differs = better + worse
    mean = rows * differs
    most = min(rows, ceil(mean + _SPREADS * sqrt(mean) + _MORE_THAN_FEW))
    counts = np.arange(most + 1)
    steps = np.log(np.maximum(counts, 1.0))
    log_factorials = np.cumsum(steps)
    log_ways = np.cumsum(np.log(np.maximum(rows - counts + 1.0, 1.0)) * (counts > 0))
    if differs < 1.0:
        log_ways += (rows - counts) * log1p(-differs)
    else:
        log_ways[counts < rows] = -np.inf
    against_parent = counts * log(better) - log_factorials
    against_offspring = counts * log(worse) - log_factorials
    totals = counts[:, np.newaxis] + counts
    logarithms = np.where(totals <= most, log_ways[np.minimum(totals, most)], -np.inf)
    chances = np.exp(logarithms + against_parent[:, np.newaxis] + against_offspring)
    return float(np.tril(chances, -1).sum()), float(np.trace(chances)), float(np.triu(chances, 1).sum())


def _by_transform(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """The distribution of the difference of the errors, from its characteristic function.

    The difference is a sum of independent steps -1, 0 or +1. Twelve standard deviations around its mean hold all
    of it but a negligible part, and frequencies beyond as many inverse deviations carry nothing; so about a
    hundred frequencies give each chance with an absolute error below 1e-9, however many rows there are.
    """
    mean = rows * (worse - better)
    spread = sqrt(rows * (better + worse - (worse - better) ** 2))
    if spread < 1e-6 or abs(mean) > 100 * spread + 1000:
        return (1.0, 0.0, 0.0) if mean < 0 else (0.0, 0.0, 1.0)
    reach = ceil(_SPREADS * spread + 40)
    size = 2 * reach + 1
    first, last = round(mean) - reach, round(mean) + reach
    count = min(reach, ceil(size * _SPREADS / (2 * np.pi * spread)))
    if rows * log(max(1e-300, abs(1.0 - 2.0 * (better + worse)))) > -45.0:
        count = min(reach, _MOST_FREQUENCIES)  # nearly every row differs: even and odd differences part
    angle = 2.0 * np.pi * np.arange(1, count + 1) / size
    step = better * np.expm1(-1j * angle) + worse * np.expm1(1j * angle)
    is_dead = np.abs(1.0 + step) < 1e-300
    logarithm = np.log1p(np.where(is_dead, 0.0, step))

    def chance(low: int, high: int) -> float:
        """The probability of a difference from low to high."""
        if low > high:
            return 0.0
        checkpoint()
        turned = np.exp(rows * logarithm - 1j * angle * low)
        turned[is_dead] = 0.0
        waves = np.expm1(-1j * angle * (high - low + 1)) / np.expm1(-1j * angle)
        total = (high - low + 1 + 2.0 * float(np.sum((turned * waves).real))) / size
        return min(1.0, max(0.0, total))

    improved = chance(first, min(last, -1))
    neutral = chance(0, 0) if first <= 0 <= last else 0.0
    worsened = chance(max(first, 1), last)
    whole = improved + neutral + worsened
    return improved / whole, neutral / whole, worsened / whole
