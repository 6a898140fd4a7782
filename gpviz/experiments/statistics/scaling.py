"""How T grows with n: does c n ln n fit, what fits as well, and what the paper proves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, isfinite, log, log2, sqrt
from typing import Final, Literal

from gpviz.engine.config import RunConfig
from gpviz.experiments.statistics.probability import Z, chi_square_sf, p_text

__all__ = [
    "Bound",
    "LinearTermFit",
    "PowerFit",
    "Ratio",
    "ScalingFit",
    "bounds_of",
    "fit_scaling",
    "paper_bounds",
]

_FITS: Final = 0.05
"""The p-value from which on a fit counts as not rejected."""

Point = tuple[int, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Ratio:
    """T / (n ln n) at one n, with its standard error; and how far T is from c n ln n, in standard errors of T."""

    n: int
    ratio: float
    standard_error: float
    residual: float


@dataclass(frozen=True, slots=True)
class LinearTermFit:
    """The fit T = c n ln n + d n. ``p_value`` is None without a point to spare."""

    c: float
    c_error: float
    d: float
    d_error: float
    chi_square: float
    freedom: int
    p_value: float | None

    def value(self, n: float) -> float:
        """What it says about T at an n."""
        return self.c * n * log(n) + self.d * n


@dataclass(frozen=True, slots=True)
class PowerFit:
    """The fit T = factor * n^exponent, a straight line through the logarithms.

    The 95 % interval of the exponent, ``low`` to ``high``, goes by the standard errors of the points; it means
    little where the fit is rejected.
    """

    factor: float
    exponent: float
    exponent_error: float
    low: float
    high: float
    chi_square: float
    freedom: int
    p_value: float | None

    def value(self, n: float) -> float:
        """What it says about T at an n."""
        return float(self.factor * n**self.exponent)


@dataclass(frozen=True, slots=True)
class ScalingFit:
    """The fit T = c n ln n: each point weighs as much as one over the square of its standard error.

    ``chi_square`` is the sum of the squared residuals of ``ratios``, ``freedom`` one less than there are points,
    and ``p_value`` how likely chance alone makes it so large, None for a single point. The other fits are for
    comparison, None where all points are at one n. ``answer`` says in a sentence whether T grows like n log n;
    ``verdict`` begins with it and adds the rest.
    """

    c: float
    c_error: float
    ratios: tuple[Ratio, ...]
    chi_square: float
    freedom: int
    p_value: float | None
    linear_term: LinearTermFit | None
    power: PowerFit | None
    answer: str
    verdict: str

    def value(self, n: float) -> float:
        """What it says about T at an n."""
        return self.c * n * log(n)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on T, or on a part of it; ``label`` says which and where it comes from."""

    kind: Literal["lower", "upper"]
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
    linear_term, power = _linear_term(used), _power(used)
    answer, rest = _words(c, ratios, p_value, linear_term, power)
    return ScalingFit(
        c=c,
        c_error=1 / sqrt(weight),
        ratios=ratios,
        chi_square=chi_square,
        freedom=freedom,
        p_value=p_value,
        linear_term=linear_term,
        power=power,
        answer=answer,
        verdict=f"{answer} {rest}".rstrip(),
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

    The upper bound is the one in the paper's proof. It needs a limit of at least n, and is about the
    iterations in which the tree is not full.
    """
    bounds = [
        Bound(
            "lower",
            1 + 1.5 * n * sum(1 / k for k in range(1, n)),
            "lower bound 1 + 1.5 n H(n-1) on the expected iterations until a run is solved: the number is"
            " derived here from the paper's coupon-collector argument, which itself states the order n log n",
        )
    ]
    if limit is not None and limit >= n >= 2:
        bounds.append(
            Bound(
                "upper",
                36 * limit * n * (3 + 2 * (2 + log2(n * log(2) / log(n))) * log(n)),
                "upper bound 36 ℓ n (3 + 2 (2 + log2 log_n 2^n) ln n) from the paper's proof, for the iterations"
                " in which the tree is not full; of order ℓ n log² n",
            )
        )
    return tuple(bounds)


Used = Sequence[tuple[int, float, float]]


def _linear_term(points: Used) -> LinearTermFit | None:
    rows = [(log(n), 1.0, mean / n, error / n) for n, mean, error in points]
    solution = _two_parameters(rows)
    if solution is None:
        return None
    (c, c_error), (d, d_error), chi_square = solution
    freedom = len(points) - 2
    p_value = chi_square_sf(chi_square, freedom) if freedom else None
    return LinearTermFit(c, c_error, d, d_error, chi_square, freedom, p_value)


def _power(points: Used) -> PowerFit | None:
    # The standard error of a logarithm is the relative one, as long as that is small.
    solution = _two_parameters([(log(n), 1.0, log(mean), error / mean) for n, mean, error in points])
    if solution is None:
        return None
    (a, a_error), (level, _), chi_square = solution
    freedom = len(points) - 2
    p_value = chi_square_sf(chi_square, freedom) if freedom else None
    return PowerFit(exp(level), a, a_error, a - Z * a_error, a + Z * a_error, chi_square, freedom, p_value)


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


def _words(
    c: float,
    ratios: Sequence[Ratio],
    p_value: float | None,
    linear_term: LinearTermFit | None,
    power: PowerFit | None,
) -> tuple[str, str]:
    """Whether T grows like n log n, and what else the fits say.

    That c n ln n alone is rejected is no answer by itself: with a term of lower order T still grows like n log n.
    """
    first, last = ratios[0], ratios[-1]
    if p_value is None or linear_term is None or power is None:
        only = f"T / (n ln n) is {first.ratio:.2f} at n = {first.n}; to see how T grows takes at least two n."
        return only, ""
    terms, law = _terms(linear_term), f"the power law n^{power.exponent:.2f}"
    p_linear, p_power = linear_term.p_value, power.p_value
    rest = [_trend(first, last)]
    if not _fits(p_value):
        rest.append(f"c n ln n alone does not fit{_chance(p_value)}")
    if _fits(p_value):
        answer = f"T grows like n log n as far as these runs tell: {c:.2f} n ln n fits{_chance(p_value)}"
    elif _fits(p_linear) and linear_term.c > Z * linear_term.c_error:
        caution = " as far as these runs tell," if _fits(p_power) else ""
        answer = f"T grows like n log n{caution} with a term linear in n: {terms} fits{_chance(p_linear)}"
    elif _fits(p_linear):
        answer = (
            f"T need not grow like n log n: the first term of {terms}, which fits{_chance(p_linear)}, is above 0"
            " by no more than chance brings"
        )
    elif _fits(p_power):
        rest.append(f"{terms} does not fit{_chance(p_linear)}")
        return f"T grows {_pace(first, last)}: {law} fits{_chance(p_power)}.", f"{'; '.join(rest)}."
    elif p_linear is None:
        return "Whether T grows like n log n takes more than two n to tell.", f"{'; '.join(rest)}."
    else:
        answer = (
            f"T grows {_pace(first, last)}: neither c n ln n with a term linear in n nor a power law fits"
        )
        rest.append(f"{terms} does not fit{_chance(p_linear)}")
    if _fits(p_power):
        answer += f"; {law} fits too{_chance(p_power)}"
    elif p_power is not None:
        rest.append(f"{law} does not fit{_chance(p_power)}")
    return f"{answer}.", f"{'; '.join(rest)}."


def _terms(fit: LinearTermFit) -> str:
    sign = "+" if round(fit.d, 2) >= 0 else "-"
    return f"{fit.c:.2f} n ln n {sign} {abs(fit.d):.2f} n"


def _trend(first: Ratio, last: Ratio) -> str:
    ends = f"from {first.ratio:.2f} at n = {first.n} to {last.ratio:.2f} at n = {last.n}"
    if _direction(first, last) == 0:
        return f"T / (n ln n) goes {ends}, and these two differ by no more than chance brings"
    return f"T / (n ln n) {'rises' if _direction(first, last) > 0 else 'falls'} {ends}"


def _pace(first: Ratio, last: Ratio) -> str:
    found = {1: "faster than n log n", -1: "more slowly than n log n", 0: "not quite like n log n"}
    return f"{found[_direction(first, last)]} from n = {first.n} to {last.n}"


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
