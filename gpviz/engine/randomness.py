"""The random numbers of a run: one 64-bit word for each iteration, and the numbers that follow from it.

They are SplitMix64's, integer arithmetic that is written out here and therefore the same everywhere and for
ever (it is part of the specification, see `gpviz.engine.search`). With

    mix(z): z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31
    word(key, i) = mix(key + i * 0x9E3779B97F4A7C15)

modulo 2^64 throughout, a seed is folded into a root (`root_of`), iteration t owns ``word(root, t)`` as its key,
and where it needs more numbers they are the words of its key. So everything random in iteration t follows from
the seed and t alone, and any iteration can be looked at without those before it.
"""

from collections.abc import Iterator, Sequence
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from gpviz.engine.interruption import checkpoint

WORD: Final = 1 << 64
_MASK: Final = WORD - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_SMALLEST_BLOCK: Final = 64
_LARGEST_BLOCK: Final = 4096
_MOST_WORDS: Final = 1 << 18
"""So many words, some millions of truth values, are made at once; more would take too much memory."""

_STEPS: Final = np.arange(_LARGEST_BLOCK, dtype=np.uint64) * np.uint64(_GAMMA)
# Arrays without dimensions: numpy takes twice as long to find the type of a scalar.
_FIRST_FACTOR, _SECOND_FACTOR, _11, _30, _27, _31 = (
    np.array(value, dtype=np.uint64) for value in (_FIRST, _SECOND, 11, 30, 27, 31)
)


def root_of(seed: int) -> int:
    """The root of a seed: its 64-bit digits, lowest first, folded into one; that of no other seed below 2^64."""
    root = 0
    while True:
        root = word(root ^ (seed & _MASK), 1)
        seed >>= 64
        if not seed:
            return root


def roots_of(seeds: Sequence[int]) -> npt.NDArray[np.uint64]:
    """`root_of` for each of many seeds."""
    if seeds and max(seeds) > _MASK:
        return np.array([root_of(seed) for seed in seeds], dtype=np.uint64)
    return _mixed(np.array(seeds, dtype=np.uint64) + _STEPS[1])


def key_blocks(seed: int, iteration: int) -> Iterator[list[int]]:
    """The keys of this iteration and all later ones, in blocks of many."""
    root = root_of(seed)
    size = _SMALLEST_BLOCK
    while True:
        start = (root + iteration * _GAMMA) & _MASK
        yield cast("list[int]", _mixed(_STEPS[:size] + np.array(start, dtype=np.uint64)).tolist())
        iteration += size
        size = min(2 * size, _LARGEST_BLOCK)


def key_of(seed: int, iteration: int) -> int:
    """The key of one iteration."""
    return word(root_of(seed), iteration)


def word(key: int, index: int) -> int:
    """Word ``index`` of the sequence that belongs to a key, uniform on [0, 2^64)."""
    z = (key + index * _GAMMA) & _MASK
    z = ((z ^ (z >> 30)) * _FIRST) & _MASK
    z = ((z ^ (z >> 27)) * _SECOND) & _MASK
    return z ^ (z >> 31)


def uniforms(key: int, index: int = 1) -> Iterator[float]:
    """The words of a key from ``index`` on as floats: multiples of 2^-53 in [0, 1)."""
    while True:
        yield (word(key, index) >> 11) * 2.0**-53
        index += 1


def first_uniforms(keys: list[int], count: int) -> list[tuple[float, ...]]:
    """For each of the keys the first ``count`` of its `uniforms`, ten times as fast as one by one."""
    starts = np.array(keys, dtype=np.uint64)
    words = (_mixed(starts + _STEPS[i : i + 1]) for i in range(1, count + 1))
    return list(zip(*(((drawn >> _11) * 2.0**-53).tolist() for drawn in words), strict=True))


def columns(key: int, variables: list[int], rows: int) -> dict[int, int]:
    """The truth values of these variables on the rows an iteration sampled, as bit masks.

    Bit r of a variable's mask is its value in row r. The column of ``x_v`` starts at word
    ``1 + (v - 1) * ceil(rows / 64)``, so it does not depend on which other columns are looked at.
    """
    width = -(-rows // 64)
    at_once = max(1, _MOST_WORDS // width)
    if len(variables) > at_once:
        drawn: dict[int, int] = {}
        for first in range(0, len(variables), at_once):
            checkpoint()
            drawn |= columns(key, variables[first : first + at_once], rows)
        return drawn
    starts = np.array(
        [(key + (1 + (variable - 1) * width) * _GAMMA) & _MASK for variable in variables], dtype=np.uint64
    )
    steps = np.arange(width, dtype=np.uint64) * np.uint64(_GAMMA)
    words = _mixed(starts[:, None] + steps[None, :]).astype("<u8", copy=False)
    used = (1 << rows) - 1
    return {
        variable: int.from_bytes(line.tobytes(), "little") & used
        for variable, line in zip(variables, words, strict=True)
    }


def _mixed(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`word` for an array, in place; numpy's unsigned integers wrap around as they should."""
    z ^= z >> _30
    z *= _FIRST_FACTOR
    z ^= z >> _27
    z *= _SECOND_FACTOR
    z ^= z >> _31
    return z
