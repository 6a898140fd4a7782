"""Sets of variables as bit masks: bit ``i - 1`` of an int stands for ``x_i``."""

from collections.abc import Iterable

__all__ = ["apart", "most_common_bit", "union", "variables_in"]


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


def apart(masks: Iterable[int]) -> list[list[int]]:
    """The positions of the masks in groups, no two groups of which share a variable."""
    groups: list[tuple[int, list[int]]] = []
    seen = 0
    for position, mask in enumerate(masks):
        is_apart = not mask & seen
        seen |= mask
        if is_apart:
            groups.append((mask, [position]))
            continue
        members = [position]
        others = []
        for group_mask, group in groups:
            if group_mask & mask:
                mask |= group_mask
                members += group
            else:
                others.append((group_mask, group))
        groups = [*others, (mask, members)]
    return [group for _, group in groups]


def most_common_bit(masks: Iterable[int]) -> int:
    """The single-bit mask of a variable that is in most of the masks (the lowest on a tie)."""
    seen: dict[int, int] = {}
    for mask in masks:
        while mask:
            lowest = mask & -mask
            seen[lowest] = seen.get(lowest, 0) + 1
            mask ^= lowest
    return max(seen, key=lambda bit: (seen[bit], -bit))
