"""Counts the rows of the truth table on which a function or a tree is true, exactly.

A function with few prime implicants is counted by inclusion and exclusion. The others are counted by case
distinction: what shares no variable is split into factors, otherwise one variable is set to true and to false
(Shannon expansion), and every part that has been solved is remembered. `count_masks` works on implicants;
`count_tree` works on the tree itself and stays exact where the implicants explode. Their work is
bounded: past ``MAX_CASES`` distinctions they raise `TooComplexError`. On the way they pass checkpoints
(`gpviz.engine.interruption`).

The calls nest as deep as a formula has variables, so they are generators run by `_run_nested`, which keeps
their stack on the heap.

`Terms` holds formulas with chains flattened, repeats dropped and variables assigned. Unlike a tree a term has no
order, no shape and no uids, and equal terms have the same number. That makes it the right form for counting, and
for showing a function whose prime implicants are too many to list (`gpviz.engine.formula`).
"""

from collections.abc import Generator, Iterable
from functools import lru_cache
from typing import Any, Final

from gpviz.engine.enums import Function
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Effort, checkpoint
from gpviz.engine.prime_implicants import (
    ListedImplicants,
    disjoint_groups,
    most_common_bit,
    union,
    without_absorbed,
)
from gpviz.engine.tree import Node, chains_of

MAX_CASES: Final = 20_000
_MAX_TERMS: Final = 1_000_000
_MOST_BY_INCLUSION: Final = 5
_CACHE: Final = 1 << 15
_EFFORT_OF_CASE: Final = 64
"""The fixed cost of a case distinction, in small operations."""

_Count = Generator[Any, Any, int]
FALSE: Final = 0
TRUE: Final = 1

_CONSTANT: Final = {Function.AND: TRUE, Function.OR: FALSE}
_DOMINANT: Final = {Function.AND: FALSE, Function.OR: TRUE}


class Terms:
    """A growing store of terms; a term is its position in the three lists."""

    def __init__(self) -> None:
        self.functions: list[Function | None] = [None, None]
        self.children: list[frozenset[int]] = [frozenset(), frozenset()]
        self.masks: list[int] = [0, 0]
        self.effort = Effort()
        self._known: dict[tuple[Function | None, frozenset[int] | int], int] = {}

    def variable(self, mask: int) -> int:
        """The term that is one variable, given by its single-bit mask."""
        return self._store(None, mask, frozenset(), mask)

    def is_variable(self, term: int) -> bool:
        return self.functions[term] is None and self.masks[term] != 0

    def join(self, function: Function, parts: Iterable[int]) -> int:
        """The function over these terms, simplified where that is easy."""
        flat: set[int] = set()
        for part in parts:
            if self.functions[part] is function:
                flat |= self.children[part]
            else:
                flat.add(part)
        self.effort.spend(3 * len(flat))
        flat.discard(_CONSTANT[function])
        if _DOMINANT[function] in flat:
            return _DOMINANT[function]
        # x AND (x OR y) is x, and x OR (x AND y) is x.
        flat = {part for part in flat if not self.children[part] & flat}
        if not flat:
            return _CONSTANT[function]
        if len(flat) == 1:
            return flat.pop()
        children = frozenset(flat)
        mask = 0
        for child in children:
            mask |= self.masks[child]
        return self._store(function, children, children, mask)

    def of_tree(self, tree: Node) -> int:
        """The term of a syntax tree."""
        chains = chains_of(tree)
        finished = [0] * len(chains)
        for position in range(len(chains) - 1, -1, -1):
            chain = chains[position]
            parts = [self.variable(1 << (variable - 1)) for variable in chain.variables]
            parts += [finished[child] for child in chain.children]
            finished[position] = self.join(chain.function, parts)
        return finished[0]

    def assign(self, term: int, variable: int, value: bool) -> int:
        """The term with one variable (a single-bit mask) set to true or false."""
        done: dict[int, int] = {self.variable(variable): TRUE if value else FALSE}
        pending = [term]
        while pending:
            top = pending[-1]
            if top in done:
                pending.pop()
                continue
            if not self.masks[top] & variable:
                done[top] = top
                continue
            self.effort.spend(len(self.children[top]))
            missing = [child for child in self.children[top] if child not in done]
            if missing:
                pending += missing
                continue
            function = self.functions[top]
            assert function is not None
            done[top] = self.join(function, [done[child] for child in self.children[top]])
        return done[term]

    def split(self, term: int) -> list[int]:
        """Terms without a common variable whose join is this term."""
        function = self.functions[term]
        assert function is not None
        members = list(self.children[term])
        self.effort.spend(2 * len(members))
        groups = disjoint_groups(self.masks[member] for member in members)
        if len(groups) == 1:
            return [term]
        return [self.join(function, [members[i] for i in group]) for group in groups]

    def decisive_variable(self, term: int) -> int:
        """The variable to distinguish cases by: a child that is one, or a variable that most children have."""
        masks = [self.masks[child] for child in self.children[term]]
        return next((mask for mask in masks if mask.bit_count() == 1), 0) or most_common_bit(masks)

    def _store(
        self, function: Function | None, key: frozenset[int] | int, children: frozenset[int], mask: int
    ) -> int:
        known = self._known.get((function, key))
        if known is not None:
            return known
        self.functions.append(function)
        self.children.append(children)
        self.masks.append(mask)
        self._known[function, key] = len(self.masks) - 1
        return len(self.masks) - 1


def count_rows(function: ListedImplicants, n: int) -> int:
    """On how many of the 2^n rows the function is true, exactly."""
    if isinstance(function, int):
        return 1 << (n - function.bit_count())
    core, rest, variables = function
    return _count_rest(rest) << (n - core.bit_count() - variables.bit_count())


def count_masks(masks: Iterable[int], n: int) -> int:
    """On how many of 2^n rows at least one of these conjunctions is true."""
    solved: dict[frozenset[int], int] = {}
    return _run_nested(_count_masks(without_absorbed(masks), n, solved, Effort()))


def count_tree(tree: Node, n: int) -> int:
    """On how many of 2^n rows the tree is true, without listing its prime implicants."""
    checkpoint()
    terms = Terms()
    root = terms.of_tree(tree)
    solved = {FALSE: 0, TRUE: 1}
    return _run_nested(_count_term(terms, root, solved)) << (n - terms.masks[root].bit_count())


@lru_cache(maxsize=_CACHE)
def _count_rest(rest: frozenset[int]) -> int:
    """On how many rows over their own variables at least one of the parts is true."""
    used = union(rest).bit_count()
    if len(rest) > _MOST_BY_INCLUSION:
        return count_masks(rest, used)
    unions = [0]
    signs = [-1]
    for part in rest:  # inclusion and exclusion
        unions += [joined | part for joined in unions]
        signs += [-sign for sign in signs]
    return sum(
        sign << (used - joined.bit_count()) for joined, sign in zip(unions[1:], signs[1:], strict=True)
    )


def _run_nested(call: _Count) -> int:
    """Run a generator that yields the calls whose results it needs; returns its result."""
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


def _count_masks(masks: list[int], n: int, solved: dict[frozenset[int], int], effort: Effort) -> _Count:
    if len(masks) == 1:
        return 1 << (n - masks[0].bit_count())
    effort.spend(_EFFORT_OF_CASE + len(masks) ** 2)
    used = union(masks).bit_count()
    groups = disjoint_groups(masks)
    if len(groups) > 1:
        false_rows = 1
        for group in groups:
            members = [masks[position] for position in group]
            width = union(members).bit_count()
            false_rows *= (1 << width) - (yield _count_masks(members, width, solved, effort))
        return ((1 << used) - false_rows) << (n - used)
    key = frozenset(masks)
    if key not in solved:
        _check_budget(len(solved))
        variable = most_common_bit(masks)
        where_true = without_absorbed(mask & ~variable for mask in masks)
        true_rows = yield _count_masks(where_true, used - 1, solved, effort)
        others = [mask for mask in masks if not mask & variable]
        false_rows = (yield _count_masks(others, used - 1, solved, effort)) if others else 0
        solved[key] = true_rows + false_rows
    return solved[key] << (n - used)


def _count_term(terms: Terms, term: int, solved: dict[int, int]) -> _Count:
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
        _check_budget(len(solved), len(terms.masks))
        terms.effort.spend(_EFFORT_OF_CASE)
        variable = terms.decisive_variable(term)
        rows = 0
        for value in (True, False):
            case = terms.assign(term, variable, value)
            free = used - 1 - terms.masks[case].bit_count()
            rows += (yield _count_term(terms, case, solved)) << free
    solved[term] = rows
    return rows


def _check_budget(cases: int, terms: int = 0) -> None:
    if cases >= MAX_CASES or terms >= _MAX_TERMS:
        raise TooComplexError(
            f"formula: counting its rows exactly takes more than {MAX_CASES} case distinctions."
        )
