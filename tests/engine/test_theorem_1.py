"""For which n and limits Theorem 1 says something: where leaf deletion leaves trees stuck, and where never.

With fewer leaves than variables no tree computes the target, so nothing is ever solved. Otherwise a run can end in
a stuck tree if n = 3 and the limit is even, or n >= 4; never if n = 2, or n = 3 and the limit is odd.
"""

from itertools import product
from operator import and_, or_
from typing import Any

import numpy as np
import pytest

from gpviz.engine import Outcome, RlsGp, RunConfig, State, Verdict, tree_state
from gpviz.engine.mutation_script import Script, parse_script
from tests.analysis.independent_chain import Cell, solve

CELLS = [(3, 4), (3, 6), (3, 10), *product((4, 5, 6), range(4, 11)), (9, 12), (9, 13)]


def construction(limit: int) -> Script:
    """The script of the proof: ORs of x1, each of which becomes x1 & x2; an odd leaf ANDs x3 to all of it."""
    pairs = limit // 2
    ors = [
        "insert x1",
        *["insert or x1 at 1"] * (pairs - 1),
    ]  # (x1 | (x1 | ...)): leaves are every second node
    ands = [
        f"insert and x2 at {2 * pairs - 1}",
        *(f"insert and x2 at {2 * at}" for at in range(pairs - 1, 0, -1)),
    ]
    return parse_script([*ors, *ands, *["insert and x3 at 1"] * (limit % 2)])


@pytest.mark.parametrize(("n", "limit"), [cell for cell in CELLS if cell[1] >= cell[0]])
def test_from_n_4_on_and_for_n_3_with_an_even_limit_a_run_can_end_stuck(n: int, limit: int):
    config = RunConfig(n=n, limit=str(limit), deletion="leaf")
    search = RlsGp(config, None, construction(limit))
    verdicts = {search.step().verdict for _ in search.script}
    assert verdicts == {Verdict.IMPROVED, Verdict.NEUTRAL}
    assert tree_state(search.tree, config).state is State.STUCK


@pytest.mark.parametrize("limit", range(2, 9, 2))
def test_for_n_2_the_construction_is_the_optimum(limit: int):
    result = RlsGp(RunConfig(n=2, limit=str(limit), deletion="leaf"), None, construction(limit)).run()
    assert result.outcome is Outcome.SOLVED


@pytest.mark.parametrize(("n", "limit"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 5)])
def test_no_run_ends_stuck_where_the_chain_has_no_such_tree(n: int, limit: int):
    assert solve(Cell(n, limit, "leaf")).hopeless == frozenset()


# A stuck tree is full, and whichever leaf is deleted, its error grows: otherwise the limit would allow a
# variable that is missing. Whether that holds within a part of a tree depends on the rest of it only through two
# functions: if the part computes g, the tree computes (g & factor) | rest. So all parts of all trees can be gone
# through by their number of leaves.


def critical_parts(n: int, most: int) -> list[tuple[frozenset[int], bool]]:
    """For each number of leaves up to ``most``, from 1: the parts in which every deletion makes the tree worse, as
    numbers, and whether one of them is a whole tree that does not compute the target."""
    rows = 2**n
    everything, target = (1 << rows) - 1, 1 << (rows - 1)
    variables = [sum(1 << row for row in range(rows) if row >> index & 1) for index in range(n)]
    computed = set(variables)
    while (more := {f(a, b) for f in (and_, or_) for a, b in product(computed, repeat=2)}) > computed:
        computed |= more
    # From here on a function is its index among these.
    functions = sorted(computed | {0, everything})
    index_of = {function: number for number, function in enumerate(functions)}
    both = np.array([[index_of[a & b] for b in functions] for a in functions])
    either = np.array([[index_of[a | b] for b in functions] for a in functions])
    errors = np.array([(function & ~target).bit_count() for function in functions])
    all_indices, inside = range(len(functions)), [index_of[function] for function in sorted(computed)]

    # A part is made of two others, a and b, in some surroundings.
    a, b, factor, rest = np.meshgrid(inside, inside, all_indices, all_indices, indexing="ij")

    def error(value: Any) -> Any:
        return errors[either[both[value, factor], rest]]

    joins = []
    for value, a_around, b_around in (
        (both[a, b], (both[factor, b], rest), (both[factor, a], rest)),
        (either[a, b], (factor, either[rest, both[b, factor]]), (factor, either[rest, both[a, factor]])),
    ):
        joins.append((value, a_around, b_around, error(b) > error(value), error(a) > error(value)))
    leaves = np.zeros((len(functions),) * 3, bool)
    leaves[[index_of[variable] for variable in variables]] = True
    found = [leaves]
    for size in range(2, most + 1):
        parts = np.zeros_like(leaves)
        for value, a_around, b_around, is_a_needed, is_b_needed in joins:
            for left in range(1, size):
                are_made = found[left - 1][a, *a_around] & found[size - left - 1][b, *b_around]
                if left == 1:
                    are_made &= is_a_needed
                if left == size - 1:
                    are_made &= is_b_needed
                parts[value[are_made], factor[are_made], rest[are_made]] = True
        found.append(parts)
    wrong = [index_of[function] for function in sorted(computed - {target})]
    return [
        (
            frozenset(np.flatnonzero(parts).tolist()),
            bool(parts[wrong, index_of[everything], index_of[0]].any()),
        )
        for parts in found
    ]


@pytest.mark.parametrize(("n", "repeats_from", "possible"), [(2, 2, set()), (3, 5, {0})])
def test_for_n_2_and_for_n_3_with_an_odd_limit_no_tree_of_any_size_is_stuck(
    n: int, repeats_from: int, possible: set[int]
):
    """``possible`` are the remainders, modulo 2, of the limits for which there may be a stuck tree.

    Of two parts that make a larger one, the larger has at least half of its leaves. So once the parts of k leaves
    are those of k + 2, for all k from m to 2m + 1, they are for all that follow.
    """
    found = critical_parts(n, 2 * repeats_from + 3)
    for size in range(repeats_from, 2 * repeats_from + 2):
        assert found[size - 1][0] == found[size + 1][0]
    limits = [size for size, (_, is_possible) in enumerate(found, start=1) if is_possible and size >= n]
    assert {limit % 2 for limit in limits} == possible
