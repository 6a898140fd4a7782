"""Exact counting by case distinction: for functions with many prime implicants, or too many to list.

Both counters split what shares no variable into factors, otherwise set one variable to true and to
false (Shannon expansion), and remember every part they have solved. `count_masks` works on implicants;
`count_tree` works on the tree itself and stays exact where the implicants explode. Their work is
bounded: past ``MAX_CASES`` distinctions they raise `TooComplexError` with a sentence.

The calls nest as deep as a formula has variables, so they are generators run by `_solve`, which keeps
their stack on the heap.
"""

from collections.abc import Generator, Iterable
from typing import Any, Final

from gpviz.engine.enums import Function
from gpviz.engine.errors import TooComplexError
from gpviz.engine.implicants import without_absorbed
from gpviz.engine.masks import apart, most_common_bit, union
from gpviz.engine.terms import FALSE, TRUE, Terms
from gpviz.engine.tree import Node

__all__ = ["MAX_CASES", "count_masks", "count_tree"]

MAX_CASES: Final = 20_000
_MAX_TERMS: Final = 1_000_000

_Counting = Generator[Any, Any, int]


def count_masks(masks: Iterable[int], n: int) -> int:
    """On how many of 2^n rows at least one of these conjunctions is true."""
    solved: dict[frozenset[int], int] = {}
    return _solve(_count_masks(without_absorbed(masks), n, solved))


def count_tree(tree: Node, n: int) -> int:
    """On how many of 2^n rows the tree is true, without listing its prime implicants."""
    terms = Terms()
    root = terms.of_tree(tree)
    solved = {FALSE: 0, TRUE: 1}
    return _solve(_count_term(terms, root, solved)) << (n - terms.masks[root].bit_count())


def _solve(call: _Counting) -> int:
    """Run a generator that yields the calls whose results it needs, and return its own result."""
    stack = [call]
    result: int | None = None
    while stack:
        try:
            needed = stack[-1].send(result)
        except StopIteration as finished:
            result = finished.value
            stack.pop()
        else:
            stack.append(needed)
            result = None
    assert result is not None
    return result


def _count_masks(masks: list[int], n: int, solved: dict[frozenset[int], int]) -> _Counting:
    if len(masks) == 1:
        return 1 << (n - masks[0].bit_count())
    used = union(masks).bit_count()
    groups = apart(masks)
    if len(groups) > 1:
        false_rows = 1
        for group in groups:
            members = [masks[position] for position in group]
            width = union(members).bit_count()
            false_rows *= (1 << width) - (yield _count_masks(members, width, solved))
        return ((1 << used) - false_rows) << (n - used)
    key = frozenset(masks)
    if key not in solved:
        _check_budget(len(solved) < MAX_CASES)
        variable = most_common_bit(masks)
        true_rows = yield _count_masks(without_absorbed(mask & ~variable for mask in masks), used - 1, solved)
        others = [mask for mask in masks if not mask & variable]
        false_rows = (yield _count_masks(others, used - 1, solved)) if others else 0
        solved[key] = true_rows + false_rows
    return solved[key] << (n - used)


def _count_term(terms: Terms, term: int, solved: dict[int, int]) -> _Counting:
    """The true rows over the term's own variables."""
    if term in solved:
        return solved[term]
    if terms.is_variable(term):
        return 1
    used = terms.masks[term].bit_count()
    parts = terms.split(term)
    if len(parts) > 1:
        rows = 1
        for part in parts:
            part_rows = yield _count_term(terms, part, solved)
            if terms.functions[term] is Function.OR:
                part_rows = (1 << terms.masks[part].bit_count()) - part_rows
            rows *= part_rows
        if terms.functions[term] is Function.OR:
            rows = (1 << used) - rows
    else:
        _check_budget(len(solved) < MAX_CASES and len(terms.masks) < _MAX_TERMS)
        variable = terms.decisive_variable(term)
        rows = 0
        for value in (True, False):
            case = terms.assign(term, variable, value)
            free = used - 1 - terms.masks[case].bit_count()
            rows += (yield _count_term(terms, case, solved)) << free
    solved[term] = rows
    return rows


def _check_budget(is_within: bool) -> None:
    if not is_within:
        raise TooComplexError(
            f"formula: counting its rows exactly takes more than {MAX_CASES} case distinctions."
        )
