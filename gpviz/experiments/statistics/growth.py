"""How T grows with n: which of some laws the runs speak for, if they can tell, and what the paper proves.

The laws are c n log n, c n log² n, c n² and c n² log n, each with a term d n of lower order, and a power of n
whose exponent is free. All have two parameters. They are ranked by Akaike's information criterion in the form for
small samples and misfit, QAICc: chi-square over its inflation, plus what the parameters cost. The inflation is
chi-square over its degrees of freedom for the law that fits best, but at least 1: no law is exact for small n, and
with many runs even a small misfit would count as evidence. Leaving out one n at a time was the alternative; its
errors have no scale on which two laws are close, and at the ends of the range, where the laws differ most, it
extrapolates.

How many times as likely one law is as another is the ratio of evidence, exp of half the difference. An answer is
given only with n over a decade, four values of n, a law that fits, whose leading term is above 0 by more than
chance brings, and a ratio of evidence of `CLEAR` or more to every other law. Otherwise the answer is that the laws
cannot be told apart. A power whose exponent may well be 2 is no other law than n².

In simulations, with ten values of n and errors of 2 %, the answer is right in 3 of 4 cases at least, and an answer
that is wrong is given in fewer than 1 of 50, for every law here.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, isfinite, log, log2, sqrt
from typing import Final, Literal

from gpviz.engine.config import RunConfig
from gpviz.engine.settings import MAX_LIMIT, leaf_limit
from gpviz.experiments.statistics.probability import Z, chi_square_sf, p_text

_FITS: Final = 0.05
"""The p-value from which on a fit counts as not rejected."""

CLEAR: Final = 20.0
"""The ratio of evidence from which on one law is preferred to another."""
_ALIKE: Final = 1.05
_BEYOND_DOUBT: Final = 1e6
_DECADE: Final = 10
_MOST_EXPONENT: Final = 700.0
_LEAST_SIZES: Final = 4
_SQUARE: Final = "n²"

_LAWS: Final[tuple[tuple[str, str, Callable[[float], float]], ...]] = (
    ("n log n", "n ln n", lambda n: n * log(n)),
    ("n log² n", "n ln² n", lambda n: n * log(n) ** 2),
    (_SQUARE, "n²", lambda n: n * n),
    ("n² log n", "n² ln n", lambda n: n * n * log(n)),
)
"""What they are called, how they are written with their constants, and the functions."""

Point = tuple[int, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Ratio:
    """T / (n ln n) at one n, with its standard error; and how far T is from c n ln n, in standard errors of T."""

    n: int
    ratio: float
    standard_error: float
    residual: float


@dataclass(frozen=True, slots=True)
class PowerFit:
    """The fit T = factor * n^exponent, a straight line through the logarithms.

    The 95 % interval of the exponent, ``low`` to ``high``, goes by the standard errors of the points; it means
    little where the fit is rejected.
    """

    factor: float
    exponent: float
    low: float
    high: float
    chi_square: float


@dataclass(frozen=True, slots=True)
class GrowthLaw:
    """A law of growth as it fits best, ``formula`` being what that is.

    ``evidence_ratio`` is how many times less likely it is than the best law: 1 for that one.
    """

    name: str
    formula: str
    chi_square: float
    p_value: float | None
    evidence_ratio: float
    has_leading_term: bool
    """Whether the term it is called by is above 0 by more than chance brings."""
    is_square: bool = False
    """Whether it is a power whose exponent may well be 2."""

    @property
    def likelihood(self) -> str:
        """How likely it is beside the best law, in words."""
        if self.evidence_ratio == 1:
            return "the most likely"
        if self.evidence_ratio < _ALIKE:
            return "as likely"
        if self.evidence_ratio > _BEYOND_DOUBT:
            return "over a million times less likely"
        return f"{self.evidence_ratio:,.{1 if self.evidence_ratio < 100 else 0}f} times less likely"


@dataclass(frozen=True, slots=True)
class ScalingFit:
    """The fit T = c n ln n: each point weighs as much as one over the square of its standard error.

    ``chi_square`` is the sum of the squared residuals of ``ratios``, and ``p_value`` the probability that
    chance alone makes it so large, None for a single point. ``power`` is for comparison, None if all points
    are at one n. ``laws`` are the laws of growth that could be fitted, the most likely first, and ``growth``
    is the name of the one that the runs support, None if they cannot tell. ``answer`` says so in a sentence;
    ``verdict`` begins with that sentence and adds the details.
    """

    c: float
    c_error: float
    ratios: tuple[Ratio, ...]
    chi_square: float
    p_value: float | None
    power: PowerFit | None
    laws: tuple[GrowthLaw, ...]
    growth: str | None
    answer: str
    verdict: str

    def value(self, n: float) -> float:
        """The fitted T at n."""
        return self.c * n * log(n)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on T, or on a part of it; ``name`` says how it is proven, ``label`` what it is and of what."""

    kind: Literal["lower", "upper"]
    name: str
    value: float
    label: str


def fit_scaling(points: Iterable[Point]) -> ScalingFit | None:
    """Fit c n ln n to (n, mean of T, its standard error); None where no point can be used.

    Points with n = 1, without a mean above 0, or without a standard error above 0 are left out.
    """
    used = sorted(
        (n, mean, error)
        for n, mean, error in points
        if n >= 2
        and mean is not None
        and error is not None
        and isfinite(mean)
        and isfinite(error)
        and mean > 0
        and error > 0
    )
    if not used:
        return None
    weight = sum((n * log(n) / error) ** 2 for n, _, error in used)
    c = sum(n * log(n) * mean / error**2 for n, mean, error in used) / weight
    ratios = tuple(
        Ratio(n, mean / (n * log(n)), error / (n * log(n)), (mean - c * n * log(n)) / error)
        for n, mean, error in used
    )
    chi_square = sum(ratio.residual**2 for ratio in ratios)
    freedom = len(used) - 1
    p_value = chi_square_sf(chi_square, freedom) if freedom else None
    power = _power(used)
    laws = _laws(used, power)
    growth, answer = _answer(used, laws)
    rest = [] if power is None else [_trend(ratios[0], ratios[-1])]
    if p_value is not None and p_value < _FITS:
        rest.append(f"c n ln n alone does not fit{_chance(p_value)}")
    return ScalingFit(
        c=c,
        c_error=1 / sqrt(weight),
        ratios=ratios,
        chi_square=chi_square,
        p_value=p_value,
        power=power,
        laws=laws,
        growth=growth,
        answer=answer,
        verdict=f"{answer} {'; '.join(rest)}{'.' if rest else ''}".rstrip(),
    )


def bounds_of(config: RunConfig) -> tuple[Bound, ...]:
    """What is proven about runs with these settings.

    That is nothing where rows are sampled or an error is accepted: then a result need not contain all variables.
    """
    if config.is_sampled or config.accept_error:
        return ()
    return paper_bounds(config.n, config.max_leaves)


def paper_bounds(n: int, limit: int | None) -> tuple[Bound, ...]:
    """What is proven about the expected number of iterations with n variables and the complete truth table.

    The paper states its lower bound by its order only. Its argument gives a number: the result contains all
    variables. The first leaf brings one of them, in iteration 1 or later, and the tree is never empty again; from
    then on an iteration brings at most one variable, uniformly distributed, and only if it inserts or substitutes,
    which two of three do. While i variables have come, a new one comes with probability at most
    (2 / 3) (n - i) / n, so all have come after at least 1 + (3 / 2) n (1 + 1/2 + ... + 1/(n-1)) iterations in
    expectation. This holds with and without a limit, for both kinds of deletion and for both sets of
    functions; where runs can get stuck it is about all runs, a stuck one counting as endless, not about the solved
    ones alone.

    The upper bounds need a limit of at least n, and are about the iterations in which the tree is not full. The
    super-multiplicative one is in the paper's proof. The multiplicative one is what the ordinary theorem on
    multiplicative drift makes of the same root-ands: in every wrong row some variable is false, and it is put
    under an AND at the root with probability at least δ = 1 / (12 ℓ n), so an error of at most 2^n is gone after
    at most (1 + ln 2^n) / δ iterations in expectation.
    """
    bounds = [
        Bound(
            "lower",
            "coupon collecting",
            1 + 1.5 * n * sum(1 / k for k in range(1, n)),
            "lower bound 1 + 1.5 n H(n-1) on the expected iterations until a run is solved: the number is"
            " derived here from the paper's coupon-collector argument, which itself states the order n log n",
        )
    ]
    if limit is not None and limit >= n >= 2:
        bounds += [
            Bound(
                "upper",
                "super-multiplicative drift",
                limit * n * _super_multiplicative(n),
                "upper bound 36 ℓ n (3 + 2 (2 + log2 log_n 2^n) ln n) from the paper's proof, for the iterations"
                " in which the tree is not full; of order ℓ n log² n",
            ),
            Bound(
                "upper",
                "multiplicative drift",
                limit * n * _multiplicative(n),
                "upper bound 12 ℓ n (1 + n ln 2) by the ordinary theorem on multiplicative drift, for the"
                " iterations in which the tree is not full; of order ℓ n²",
            ),
        ]
    return tuple(bounds)


def _super_multiplicative(n: int) -> float:
    return 36 * (3 + 2 * (2 + log2(n * log(2) / log(n))) * log(n))


def _multiplicative(n: int) -> float:
    return 12 * (1 + n * log(2))


@cache
def bounds_crossing() -> int:
    """The least n from which on the super-multiplicative upper bound is below the multiplicative one, for every ℓ.

    Both have the factor ℓ n; what is left grows like ln² n and like n, and crosses once.
    """
    low, high = 2, 4
    while _super_multiplicative(high) >= _multiplicative(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _super_multiplicative(middle) < _multiplicative(middle):
            high = middle
        else:
            low = middle
    return high


def is_covered(config: RunConfig) -> bool:
    """Whether the paper's theorem on T is about such runs: all rows, subtree deletion, ℓ = (1 + c) n and c > 0."""
    is_exact = not config.is_sampled and not config.accept_error
    return is_exact and config.has_subtree_deletion and _is_multiple_of_n(config.limit)


def coverage(config: RunConfig) -> str:
    """What the paper's upper bound on T says about runs with this limit and deletion, as n grows; a sentence."""
    limit = config.limit
    name = f"limit {limit}"
    if config.max_leaves is None:
        return "Without a limit no upper bound is proven."
    if config.max_leaves < config.n:
        return f"The proofs need a limit of at least n leaves; {name} is below it."
    counted = "The upper bounds count the iterations in which the tree is not full"
    if not config.has_subtree_deletion:
        return (
            f"{counted}; the paper's theorem needs subtree deletion: with leaf deletion runs may get stuck."
        )
    if is_covered(config):
        return (
            f"{counted}; the paper's theorem extends the order ℓ n log² n to all of T, as {limit} is (1 + c) n"
            " with a constant c > 0."
        )
    return (
        f"{counted}; the paper's theorem on T needs ℓ = (1 + c) n with a constant c > 0 and does not cover"
        f" {name}."
    )


def _is_multiple_of_n(limit: str) -> bool:
    """Whether a limit is at least (1 + c) n with a constant c > 0, however large n is."""
    far = MAX_LIMIT**4
    leaves = leaf_limit(limit, far)
    # A factor has at most nine decimals, and what is added is less than the largest limit.
    return leaves is not None and leaves > far + MAX_LIMIT**2


Used = Sequence[tuple[int, float, float]]


def _power(points: Used) -> PowerFit | None:
    # The standard error of a logarithm is the relative one, as long as that is small.
    solution = _two_parameters([(log(n), 1.0, log(mean), error / mean) for n, mean, error in points])
    if solution is None:
        return None
    (a, a_error), (level, _), chi_square = solution
    return PowerFit(exp(level), a, a - Z * a_error, a + Z * a_error, chi_square)


def _two_parameters(
    rows: Sequence[tuple[float, float, float, float]],
) -> tuple[tuple[float, float], tuple[float, float], float] | None:
    """Weighted least squares of y = a u + b v for rows (u, v, y, standard error of y).

    The parameters with their standard errors, and chi-square; None if the rows do not settle both.
    """
    if len({(u, v) for u, v, _, _ in rows}) < 2:
        return None
    uu = sum((u / error) ** 2 for u, _, _, error in rows)
    vv = sum((v / error) ** 2 for _, v, _, error in rows)
    # The part of u beside v is what settles a: with it nothing cancels.
    uv = sum(u * v / error**2 for u, v, _, error in rows) / vv
    rest = [(u - uv * v, v, y, error) for u, v, y, error in rows]
    ww = sum((w / error) ** 2 for w, _, _, error in rest)
    a = sum(w * y / error**2 for w, _, y, error in rest) / ww
    b = sum(v * y / error**2 for _, v, y, error in rest) / vv - a * uv
    chi_square = sum(((y - a * u - b * v) / error) ** 2 for u, v, y, error in rows)
    return (a, 1 / sqrt(ww)), (b, sqrt(uu / (vv * ww))), chi_square


def _laws(points: Used, power: PowerFit | None) -> tuple[GrowthLaw, ...]:
    """The laws with a positive leading term, by their QAICc; none where all points are at one n."""
    if power is None:
        return ()
    freedom = len(points) - 2
    fitted: list[tuple[float, str, str, bool, bool]] = []
    for name, written, function in _LAWS:
        rows = [(function(n) / n, 1.0, mean / n, error / n) for n, mean, error in points]
        solution = _two_parameters(rows)
        assert solution is not None
        (c, c_error), (d, _), chi_square = solution
        if c > 0:
            fitted.append((chi_square, name, _terms(c, written, d), c > Z * c_error, False))
    power_name = f"n^{power.exponent:.2f}"
    is_square = power.low <= 2 <= power.high
    formula = f"{_figure(power.factor)} {power_name}"
    fitted.append((power.chi_square, power_name, formula, power.low > 0, is_square))
    fitted.sort()
    best = fitted[0][0]
    # All have two parameters, so what these cost cancels out.
    inflation = max(1.0, best / freedom) if freedom else 1.0
    return tuple(
        GrowthLaw(
            name,
            formula,
            chi_square,
            chi_square_sf(chi_square, freedom) if freedom else None,
            exp(min((chi_square - best) / inflation / 2, _MOST_EXPONENT)),
            has_leading_term,
            is_square,
        )
        for chi_square, name, formula, has_leading_term, is_square in fitted
    )


def _answer(points: Used, laws: tuple[GrowthLaw, ...]) -> tuple[str | None, str]:
    """The law that the runs speak for, if they can tell, and what is to be said of that."""
    sizes = sorted({n for n, _, _ in points})
    if len(sizes) < 2:
        ratio = points[0][1] / (sizes[0] * log(sizes[0]))
        return (
            None,
            f"T / (n ln n) is {ratio:.2f} at n = {sizes[0]}; to see how T grows takes at least two n.",
        )
    span = f"n = {sizes[0]} to {sizes[-1]}"
    if sizes[-1] < _DECADE * sizes[0]:
        return None, f"{span} is less than a decade, so the laws of growth cannot be told apart."
    if len(sizes) < _LEAST_SIZES:
        return (
            None,
            f"{len(sizes)} values of n are too few to tell the laws of growth apart; it takes {_LEAST_SIZES}.",
        )
    best, *others = _without_second_name(laws)
    if not _fits(best.p_value):
        return None, (
            f"How T grows cannot be told: none of the laws fits, and the best of them, {best.formula}, is"
            f" off by more than chance brings{_chance(best.p_value)}."
        )
    close = [law for law in others if law.evidence_ratio < CLEAR]
    if close:
        rivals = " and ".join(f"{law.formula} is {_times(law)}" for law in close)
        return (
            None,
            f"These runs cannot tell the laws of growth apart: {best.formula} fits best, but {rivals}.",
        )
    if not best.has_leading_term:
        return None, (
            f"How T grows cannot be told: the first term of {best.formula}, which fits best, is above 0 by no more"
            " than chance brings."
        )
    rest = "no other law rises"
    if others:
        rest = f"every other law is at least {_ratio_text(others[0].evidence_ratio)} times less likely"
    return best.name, (
        f"T grows like {best.name} from {span}: {best.formula} fits{_chance(best.p_value)}, and {rest}."
    )


def _without_second_name(laws: tuple[GrowthLaw, ...]) -> tuple[GrowthLaw, ...]:
    """The laws without a power that is n² by another name, as long as n² is among those that are close."""
    square = next((law for law in laws if law.name == _SQUARE), None)
    if square is None or square.evidence_ratio >= CLEAR:
        return laws
    return tuple(law for law in laws if not law.is_square)


def _times(law: GrowthLaw) -> str:
    return "as likely" if law.evidence_ratio < _ALIKE else f"only {law.likelihood}"


def _ratio_text(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio < _BEYOND_DOUBT else "a million"


def _terms(c: float, written: str, d: float) -> str:
    sign = "+" if round(d, 2) >= 0 else "-"
    return f"{_figure(c)} {written} {sign} {abs(d):.2f} n"


def _figure(number: float) -> str:
    return f"{number:.2f}" if number >= 0.1 else f"{number:.2g}"


def _trend(first: Ratio, last: Ratio) -> str:
    ends = f"from {first.ratio:.2f} at n = {first.n} to {last.ratio:.2f} at n = {last.n}"
    if _direction(first, last) == 0:
        return f"T / (n ln n) goes {ends}, and these two differ by no more than chance brings"
    return f"T / (n ln n) {'rises' if _direction(first, last) > 0 else 'falls'} {ends}"


def _direction(first: Ratio, last: Ratio) -> int:
    """Whether T / (n ln n) rises, 1, or falls, -1, by more than chance brings."""
    change = last.ratio - first.ratio
    if abs(change) <= Z * sqrt(first.standard_error**2 + last.standard_error**2):
        return 0
    return 1 if change > 0 else -1


def _fits(p_value: float | None) -> bool:
    return p_value is not None and p_value >= _FITS


def _chance(p_value: float | None) -> str:
    return "" if p_value is None else f" (p {p_text(p_value)})"
