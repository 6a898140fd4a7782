"""Monotone Boolean functions as sets of prime implicants: conjoin, disjoin, compare.

A set of variables is a bit mask: bit ``i - 1`` of an int stands for ``x_i``. A prime implicant is such a mask. A
function with one prime implicant, a conjunction, is that mask as a plain ``int``. One with several is factored:
``(core, rest, support)``, where the core holds the variables in all of its prime implicants, the rest what
remains of each, and the support the variables in the rest. So x1 x2 x3 + x1 x2 x4 is
``(0b0011, {0b0100, 0b1000}, 0b1100)``. Both forms are canonical: equal functions compare equal. Trees of RLS-GP
are nearly conjunctions, and conjoining more variables mostly touches the core alone.

The number of prime implicants can grow exponentially with the size of a tree. A function with more
than ``MAX_IMPLICANTS`` of them, or one that would take more than ``_MAX_PRODUCTS`` unions to find, is
`TOO_MANY`: it equals nothing, not even itself, and whoever needs its exact numbers counts on the tree instead
(`gpviz.engine.true_row_count`). Whatever is larger than a moment's work passes checkpoints
(`gpviz.engine.interruption`).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from gpviz.engine.interruption import Effort, checkpoint

MAX_IMPLICANTS: Final = 64
_MAX_PRODUCTS: Final = 1024
_MANY_PRODUCTS: Final = 128
"""Finding the minimal ones among this many unions takes a millisecond."""

_CACHE: Final = 1 << 15


def variables_in(mask: int) -> list[int]:
    """The variables of a mask, in increasing order."""
    variables = []
    while mask:
        lowest = mask & -mask
        variables.append(lowest.bit_length())
        mask ^= lowest
    return variables


def union(masks: Iterable[int]) -> int:
    """The variables in any of the masks."""
    total = 0
    for mask in masks:
        total |= mask
    return total


def disjoint_groups(masks: Iterable[int]) -> list[list[int]]:
    """The positions of the masks in groups, no two groups of which share a variable."""
    groups: list[tuple[int, list[int]]] = []  # each from its last position to its first, to grow at its end
    seen = 0
    effort = Effort()
    for position, mask in enumerate(masks):
        is_apart = not mask & seen
        seen |= mask
        if is_apart:
            groups.append((mask, [position]))
            continue
        effort.spend(len(groups))
        others = []
        joined = []
        for group_mask, group in groups:
            if group_mask & mask:
                mask |= group_mask
                joined.append(group)
            else:
                others.append((group_mask, group))
        members = joined.pop()
        while joined:
            effort.spend(len(joined[-1]))
            members += joined.pop()
        members.append(position)
        groups = [*others, (mask, members)]
    return [group[::-1] for _, group in groups]


def most_common_bit(masks: Iterable[int]) -> int:
    """The single-bit mask of a variable that is in most of the masks (the lowest on a tie)."""
    seen: dict[int, int] = {}
    effort = Effort()
    for mask in masks:
        effort.spend(mask.bit_count())
        while mask:
            lowest = mask & -mask
            seen[lowest] = seen.get(lowest, 0) + 1
            mask ^= lowest
    return max(seen, key=lambda bit: (seen[bit], -bit))


class TooMany:
    """The type of `TOO_MANY`, a function whose prime implicants are too many to list."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return "TOO_MANY"

    def __reduce__(self) -> str:
        return "TOO_MANY"


TOO_MANY: Final = TooMany()

Factored = tuple[int, frozenset[int], int]
ListedImplicants = int | Factored
Implicants = ListedImplicants | TooMany


def masks_of(function: ListedImplicants) -> list[int]:
    """The prime implicants."""
    if isinstance(function, int):
        return [function]
    core, rest, _ = function
    return [core | part for part in rest]


def from_masks(masks: Iterable[int]) -> Implicants:
    """The function that is the OR of these conjunctions."""
    minimal = without_absorbed(masks, MAX_IMPLICANTS)
    if len(minimal) == 1:
        return minimal[0]
    if len(minimal) > MAX_IMPLICANTS:
        return TOO_MANY
    core = -1
    for mask in minimal:
        core &= mask
    rest = frozenset([mask & ~core for mask in minimal])
    return core, rest, union(rest)


def support(function: ListedImplicants) -> int:
    """The mask of the variables the function depends on."""
    return function if isinstance(function, int) else function[0] | function[2]


def conjoin(f: Implicants, g: Implicants) -> Implicants:
    """The function f AND g."""
    if type(f) is int:
        if type(g) is int:
            return f | g
        f, g = g, f
    if type(f) is not tuple:
        return TOO_MANY
    core, rest, variables = f
    if type(g) is int:
        if not g & variables:
            return core | g, rest, variables
        return _with_core(_with_fixed(rest, g & variables), core | g)
    return _conjoin_factored(f, g) if type(g) is tuple else TOO_MANY


@lru_cache(maxsize=_CACHE)
def disjoin(f: Implicants, g: Implicants) -> Implicants:
    """The function f OR g."""
    if type(f) is int:
        if type(g) is int:
            core = f & g
            if core == f:
                return f
            if core == g:
                return g
            return core, frozenset((f ^ core, g ^ core)), f ^ g
        f, g = g, f
    if type(f) is not tuple:
        return TOO_MANY
    if type(g) is int:
        if f[0] & g == g:
            return g
    elif type(g) is not tuple:
        return TOO_MANY
    return f if f == g else from_masks(masks_of(f) + masks_of(g))


def without_absorbed(masks: Iterable[int], most: int | None = None) -> list[int]:
    """The minimal masks: what is left when every implied conjunction is dropped.

    With ``most`` the search ends as soon as there is one more than that.
    """
    kept: list[int] = []
    last = -1 if most is None else most + 1
    for mask in sorted(set(masks), key=int.bit_count):
        for smaller in kept:
            if smaller & mask == smaller:
                break
        else:
            kept.append(mask)
            if len(kept) == last:
                break
    return kept


def _with_core(function: Implicants, core: int) -> Implicants:
    """The function AND a core it has no variable of."""
    if type(function) is int:
        return function | core
    if type(function) is tuple:
        return function[0] | core, function[1], function[2]
    return TOO_MANY


@lru_cache(maxsize=_CACHE)
def _with_fixed(rest: frozenset[int], fixed: int) -> Implicants:
    """The OR of the parts where the fixed variables are true."""
    return from_masks([part & ~fixed for part in rest])


@lru_cache(maxsize=_CACHE)
def _conjoin_factored(f: Factored, g: Factored) -> Implicants:
    core = f[0] | g[0]
    parts_f = {part & ~core for part in f[1]}
    parts_g = {part & ~core for part in g[1]}
    if parts_f == parts_g:
        return _with_core(from_masks(parts_f), core)
    products = len(parts_f) * len(parts_g)
    if products > _MAX_PRODUCTS:
        return TOO_MANY
    if products > _MANY_PRODUCTS:
        checkpoint()
    return _with_core(from_masks({a | b for a in parts_f for b in parts_g}), core)
