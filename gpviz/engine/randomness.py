"""The random numbers of a run: one 64-bit word for each iteration, and the numbers that follow from it.

They are SplitMix64's, integer arithmetic that is written out here and therefore the same everywhere and for
ever (it is part of the specification, see `gpviz.engine.search`). With

    mix(z): z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31
    word(key, i) = mix(key + i * 0x9E3779B97F4A7C15)

modulo 2^64 throughout, a seed is folded into a root (`root_of`), iteration t owns ``word(root, t)`` as its key,
and where it needs more numbers they are the words of its key. So everything random in iteration t follows from
the seed and t alone, and any iteration can be looked at without those before it.

Binomial numbers (`binomial`) are made from the floats of a key, at a cost that does not grow with the number of
trials. Where few successes are expected the number is found by walking along the distribution, otherwise by
transformed rejection (Hörmann's BTRD, 1993). These numbers must be the same on every platform, too, but the
logarithms and exponentials of C libraries may differ in their last bits. So this module has its own, made of +, -,
* and /, which IEEE 754 rounds in one way. They are slow, so the library's decide wherever their last bits do not
matter.
"""

from collections.abc import Iterator, Sequence
from math import exp, factorial, floor, frexp, ldexp, lgamma, log, log1p, sqrt
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


# --- binomial numbers ---

_FEW_EXPECTED: Final = 10.0
_SAFE: Final = 1e-9
_LN2_HIGH: Final = 0.693147180369123816490  # its last 21 bits are 0, so small multiples are exact
_LN2_LOW: Final = 1.90821492927058770002e-10
_HALF_LN_TWO_PI: Final = 0.918938533204672741780
_UP_TO_A_THIRD: Final = tuple(1.0 / divisor for divisor in range(35, 1, -2))
_UP_TO_A_SIXTH: Final = _UP_TO_A_THIRD[-12:]
_EXP_COEFFICIENTS: Final = tuple(1.0 / factorial(k) for k in range(15, -1, -1))


def binomial(trials: int, p: float, draws: Iterator[float]) -> int:
    """A random number of successes in ``trials`` with probability ``p``, from as many uniform draws as needed."""
    if trials == 0 or p <= 0.0:
        return 0
    if p >= 1.0:
        return trials
    if p > 0.5:
        return trials - binomial(trials, 1.0 - p, draws)
    if trials * p < _FEW_EXPECTED:
        return _by_walking(trials, p, next(draws))
    return _by_rejection(trials, p, draws)


def _by_walking(trials: int, p: float, u: float) -> int:
    """The number whose cumulative probability first exceeds u."""
    successes, margin = _walk(trials, p, u, exp(trials * log1p(-p)))
    if margin < _SAFE:
        successes, _ = _walk(trials, p, u, _exp(trials * _log_one_minus(p)))
    return successes


def _walk(trials: int, p: float, u: float, none: float) -> tuple[int, float]:
    """The same, given the probability of no success; also how far u is from where it would be another number."""
    odds = p / (1.0 - p)
    probability = none
    successes = 0
    while u >= probability:
        u -= probability
        successes += 1
        if successes > trials or probability < 1e-300:
            return successes - 1, 0.0  # u was in the rounding error at the end of the distribution
        probability *= odds * ((trials - successes + 1) / successes)
    return successes, min(probability - u, u)


def _by_rejection(trials: int, p: float, draws: Iterator[float]) -> int:
    """Transformed rejection of points (u, v), arranged so that three times in four one draw is enough."""
    mean = trials * p
    spread = sqrt(mean * (1.0 - p))
    a, b, quick = _hat(spread, p)
    while True:
        v = next(draws)
        if v <= 0.86 * quick:
            # Accepted whatever u is, so v, stretched, can be u: the middle 86 % of its range.
            u = v / quick - 0.43
            return floor((2.0 * a / (0.5 - abs(u)) + b) * u + mean + 0.5)
        second = next(draws)
        if v >= quick:
            u = second - 0.5
        else:  # here what is left of v is u, at either edge, and v is drawn anew
            u = v / quick - 0.93
            u = (0.5 if u > 0.0 else -0.5) - u
            v = second * quick
        edge = 0.5 - abs(u)
        if edge <= 0.0:
            continue
        successes = floor((2.0 * a / edge + b) * u + mean + 0.5)
        if 0 <= successes <= trials:
            v *= (2.83 + 5.1 / b) * spread / (a / (edge * edge) + b)
            if _is_below_ratio(v, successes, trials, p):
                return successes


def _hat(spread: float, p: float) -> tuple[float, float, float]:
    """The constants a and b of the transformation, and the v up to which any u far from the edge is accepted."""
    b = 1.15 + 2.53 * spread
    return -0.0873 + 0.0248 * b + 0.01 * p, b, 0.92 - 4.2 / b


def _is_below_ratio(v: float, successes: int, trials: int, p: float) -> bool:
    """Whether v is at most the probability of these successes divided by that of the most probable number."""
    if v == 0.0:
        return True
    mode = floor((trials + 1) * p)
    log_factorials = lgamma(mode + 1.0) + lgamma(trials - mode + 1.0)
    log_ratio = log_factorials - lgamma(successes + 1.0) - lgamma(trials - successes + 1.0)
    log_ratio += (successes - mode) * log(p / (1.0 - p))
    above = log_ratio - log(v)
    if abs(above) > _SAFE + 1e-14 * log_factorials:
        return above > 0.0
    return _log(v) <= _log_probability(successes, trials, p) - _log_probability(mode, trials, p)


def _log_probability(successes: int, trials: int, p: float) -> float:
    """The logarithm of the binomial probability, in Loader's form, which does not cancel."""
    failures = trials - successes
    if successes == 0:
        return trials * _log_one_minus(p)
    if failures == 0:
        return trials * _log(p)
    return (
        _stirling_error(trials)
        - _stirling_error(successes)
        - _stirling_error(failures)
        - _deviance(successes, trials * p)
        - _deviance(failures, trials * (1.0 - p))
        - _HALF_LN_TWO_PI
        + 0.5 * _log(trials / successes / failures)
    )


def _deviance(x: float, mean: float) -> float:
    """x ln(x / mean) + mean - x."""
    difference = x - mean
    ratio = difference / (x + mean)
    if abs(ratio) >= 0.1:
        return x * _log(x / mean) - difference
    total = difference * ratio
    term = 2.0 * x * ratio
    ratio *= ratio
    divisor = 1
    while True:
        term *= ratio
        divisor += 2
        longer = total + term / divisor
        if longer == total:
            return total
        total = longer


def _stirling_error(k: int) -> float:
    """ln(k!) less Stirling's approximation."""
    if k < len(_SMALL_STIRLING_ERRORS):
        return _SMALL_STIRLING_ERRORS[k]
    x = 1.0 / k
    y = x * x
    return x * (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188))))


def _log(x: float) -> float:
    mantissa, exponent = frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        exponent -= 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    return exponent * _LN2_HIGH + (exponent * _LN2_LOW + _series(z, _UP_TO_A_SIXTH))


def _log_one_minus(p: float) -> float:
    """ln(1 - p) for p up to 1/2, exact also for tiny p."""
    return _series(-p / (2.0 - p), _UP_TO_A_THIRD)


def _series(z: float, coefficients: tuple[float, ...]) -> float:
    """2 artanh(z), from as many coefficients as z of this size needs."""
    square = z * z
    total = 0.0
    for coefficient in coefficients:
        total = (total + coefficient) * square
    return 2.0 * (z + z * total)


def _exp(x: float) -> float:
    doublings = floor(x / (_LN2_HIGH + _LN2_LOW) + 0.5)
    rest = x - doublings * _LN2_HIGH - doublings * _LN2_LOW
    total = 0.0
    for coefficient in _EXP_COEFFICIENTS:
        total = total * rest + coefficient
    return ldexp(total, doublings)


def _small_stirling_errors() -> list[float]:
    errors = [0.0]
    log_factorial = 0.0
    for k in range(1, 16):
        log_factorial += _log(k)
        errors.append(log_factorial - (k + 0.5) * _log(k) + k - _HALF_LN_TWO_PI)
    return errors


_SMALL_STIRLING_ERRORS: Final = _small_stirling_errors()
