"""The paper's lower bounds on the drift, by how much one iteration is expected to lower the error.

Its super-multiplicative drift theorem goes from stage to stage: a stage is the errors between two of the bounds 1,
n, n², n⁴, n⁸ and so on. A higher one takes hardly longer than a lower one, though the error falls further in it.
"""

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from math import log

from gpviz.engine.config import Rules, RunConfig, rules_of
from gpviz.engine.tree import Node


def drift_bound(tree: Node | None, error: int | None, config: RunConfig | Rules) -> Fraction | None:
    """The number of rows by which the paper proves this tree's error to fall in one iteration, on average.

    None where the paper proves nothing: for the empty tree, one without error and a full one, without a limit or
    with one below n, and on sampled rows.
    """
    rules = rules_of(config)
    limit = rules.max_leaves
    if tree is None or not error or rules.is_sampled:
        return None
    if limit is None or limit < rules.n or tree.leaves >= limit:
        return None
    return error * Fraction(paper_bound(error, rules.n, limit))


def leaves_removed_bound(tree: Node | None, error: int | None, config: RunConfig | Rules) -> Fraction | None:
    """How many leaves the paper proves one iteration to take away from this full tree at least, on average.

    It is (ℓ - n + 1) / (3 (2 ℓ - 1)), the expected number that the accepted deletions remove. Of a tree that is
    wrong at most n - 1 leaves are essential, and every other one is part of a subtree whose deletion is accepted:
    a copy of a variable that only ANDs separate from the root goes alone, and what is below an OR goes with the
    branch that it is in. So the subtrees with an accepted deletion have at least ℓ - n + 1 leaves taken together,
    and each of the 2 ℓ - 1 nodes is deleted with the same probability. This holds for every full tree.

    None where the paper proves nothing: for a tree that is not full or has no error, under leaf-only deletion,
    with a limit below n, and on sampled rows.
    """
    rules = rules_of(config)
    limit = rules.max_leaves
    if tree is None or not error or rules.is_sampled or not rules.has_subtree_deletion:
        return None
    if limit is None or limit < rules.n or tree.leaves < limit:
        return None
    return Fraction(limit - rules.n + 1, 3 * (2 * limit - 1))


def paper_bound(error: int, n: int, limit: int) -> float:
    """The least expected relative gain from this error as the paper's drift theorem uses it, for n from 2 on.

    It is (log_n x + 1) / (36 ℓ n), for a tree that is not full. A row on which the tree is wrong becomes right if
    one of the variables false in it is put under an AND at the root, and with at most 2 ℓ - 3 nodes each variable
    has a probability of at least 1 / (6 n (2 ℓ - 3)) for that. Of x >= 2 wrong rows half have at least
    k = floor(log_n(x / 2)) + 1 variables false and the others at least one, so on average there are
    (k + 1) / 2 >= (k + 2) / 3 > (log_n x + 1) / 3 of them.

    On its way there the paper prints the larger bound k / (12 ℓ n). Its argument counts only the half of the rows
    with many variables false, which leaves half of that, so for k >= 2 the printed step is not fully proven.
    """
    return (log(error) / log(n) + 1) / (36 * limit * n)


@lru_cache(maxsize=256)
def stage_bounds(n: int) -> tuple[int, ...]:
    """The errors at which the stages of the drift theorem begin, from 1 on: 1, n, n², n⁴, ... below 2^n.

    There is one stage only for n = 1.
    """
    bounds = [1]
    error = n
    while 1 < error < 1 << n:
        bounds.append(error)
        error *= error
    return tuple(bounds)


def stage_of(error: int, n: int) -> int:
    """The stage that an error above 0 belongs to: 0 below n, 1 from n on, 2 from n² on, 3 from n⁴ on."""
    return bisect_right(stage_bounds(n), error) - 1
