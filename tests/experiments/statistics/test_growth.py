"""How T grows: against numpy and scipy, on data whose law is known, and the bounds against exact values."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from gpviz.engine import RunConfig
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.statistics.growth import (
    bounds_crossing,
    bounds_of,
    coverage,
    fit_scaling,
    is_covered,
    paper_bounds,
)
from tests.analysis import independent_chain

NS = [4, 8, 12, 16, 24, 32, 48, 64, 96, 128]


def fit(points):
    return fit_scaling(points)


def noisy(law, seed, error=0.02):
    random = np.random.default_rng(seed)
    return [(n, law(n) * (1 + error * float(random.normal())), law(n) * error) for n in NS]


def n_log_n(n):
    return 3.5 * n * log(n)


def test_the_fit_and_its_errors_are_those_of_scipy():
    points = noisy(n_log_n, 50)
    ns, means, errors = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    found = fit(points)

    (c,), covariance = optimize.curve_fit(
        lambda n, c: c * n * np.log(n), ns, means, p0=[1.0], sigma=errors, absolute_sigma=True
    )
    assert found.c == pytest.approx(c, rel=1e-6)
    assert found.c_error == pytest.approx(covariance[0, 0] ** 0.5, rel=1e-6)

    (c, d), covariance = optimize.curve_fit(
        lambda n, c, d: c * n * np.log(n) + d * n, ns, means, p0=[1.0, 0.0], sigma=errors, absolute_sigma=True
    )
    law = next(each for each in found.laws if each.name == "n log n")
    assert law.formula == f"{c:.2f} n ln n {'+' if d >= 0 else '-'} {abs(d):.2f} n"
    assert law.chi_square == pytest.approx(np.sum(((means - c * ns * np.log(ns) - d * ns) / errors) ** 2))
    assert law.p_value == pytest.approx(stats.chi2.sf(law.chi_square, 8))
    assert law.has_leading_term == (c > 1.96 * covariance[0, 0] ** 0.5)

    line, covariance = np.polyfit(np.log(ns), np.log(means), 1, w=means / errors, cov="unscaled")
    power = found.power
    assert (power.exponent, log(power.factor)) == pytest.approx(tuple(line))
    assert (power.low, power.high) == pytest.approx(
        stats.norm.interval(0.95, power.exponent, covariance[0, 0] ** 0.5)
    )


def test_residuals_are_in_standard_errors_and_make_up_chi_square():
    points = noisy(n_log_n, 51)
    found = fit(points)
    for ratio, (n, mean, error) in zip(found.ratios, points, strict=True):
        assert ratio.n == n
        assert ratio.ratio == pytest.approx(mean / (n * log(n)))
        assert ratio.standard_error == pytest.approx(error / (n * log(n)))
        assert ratio.residual == pytest.approx((mean - found.value(n)) / error)
    assert found.chi_square == pytest.approx(sum(ratio.residual**2 for ratio in found.ratios))
    assert found.p_value == pytest.approx(stats.chi2.sf(found.chi_square, 9))


def test_the_intervals_hold_the_truth_in_95_of_100_cases_and_5_of_100_true_laws_are_rejected():
    trials = 400
    fits = [fit(noisy(n_log_n, seed)) for seed in range(trials)]
    within = 5 * (0.95 * 0.05 / trials) ** 0.5
    assert np.mean([abs(each.c - 3.5) < 1.96 * each.c_error for each in fits]) == pytest.approx(
        0.95, abs=within
    )
    assert np.mean([each.p_value < 0.05 for each in fits]) == pytest.approx(0.05, abs=within)


LAWS = {
    "n log n": [n_log_n, lambda n: 3 * n * log(n) + 6 * n, lambda n: 3 * n * log(n) - n],
    "n log² n": [lambda n: 1.2 * n * log(n) ** 2],
    "n²": [lambda n: 0.8 * n * n, lambda n: 0.8 * n * n + 5 * n],
    "n² log n": [lambda n: 0.5 * n * n * log(n)],
    "a power": [lambda n: 2 * n**1.5, lambda n: 2 * n**1.67],
}


def name_of(growth):
    return "a power" if growth is not None and growth.startswith("n^") else growth


@pytest.mark.parametrize(("error", "least"), [(0.02, 0.7), (0.1, 0.0)])
@pytest.mark.parametrize(("truth", "law"), [(name, law) for name, laws in LAWS.items() for law in laws])
def test_the_law_is_found_where_it_can_be_and_hardly_ever_another(truth, law, error, least):
    trials = 60
    found = [name_of(fit(noisy(law, seed, error)).growth) for seed in range(trials)]
    assert found.count(truth) >= least * trials
    assert sum(each not in (truth, None) for each in found) <= 0.05 * trials


@pytest.mark.parametrize("law", [n_log_n, lambda n: 2 * n**1.67])
@pytest.mark.parametrize("sizes", [[4, 39], [4, 8, 16, 32], [8, 16, 24, 32, 48, 64, 79]])
def test_less_than_a_decade_tells_no_law_apart(law, sizes):
    found = fit([(n, law(n), 0.001 * law(n)) for n in sizes])
    assert found.growth is None
    assert "cannot be told apart" in found.answer
    assert "T grows like" not in found.verdict


def test_a_clear_answer_names_the_law_its_fit_and_the_evidence():
    found = fit([(n, 3 * n * log(n) + 6 * n, 0.1 * n) for n in NS])
    assert found.growth == found.laws[0].name == "n log n"
    assert found.laws[0].evidence_ratio == 1
    assert [law.chi_square for law in found.laws] == sorted(law.chi_square for law in found.laws)
    assert found.answer.startswith(
        "T grows like n log n from n = 4 to 128: 3.00 n ln n + 6.00 n fits (p = 1.00), and"
    )
    assert "T / (n ln n) falls from 7.33 at n = 4 to 4.24 at n = 128" in found.verdict
    assert "c n ln n alone does not fit (p < 0.001)" in found.verdict
    assert "3.00 n ln n - 1.00 n fits" in fit([(n, 3 * n * log(n) - n, 0.1 * n) for n in NS]).answer


def test_the_ratio_of_evidence_is_that_of_the_likelihoods():
    found = fit(noisy(n_log_n, 7))
    best, second = found.laws[:2]
    inflation = max(1, best.chi_square / 8)
    assert second.evidence_ratio == pytest.approx(
        np.exp((second.chi_square - best.chi_square) / 2 / inflation)
    )


def test_growth_slower_than_all_laws_is_a_power():
    falls = fit([(n, 9 * n**0.5, 0.01 * n**0.5) for n in NS])
    assert falls.growth == "n^0.50"
    linear = fit([(n, 7.0 * n, 0.07 * n) for n in NS])
    assert linear.growth in (None, "n^1.00")


def test_points_that_say_nothing_are_left_out():
    good = [(8, 90.0, 2.0), (16, 230.0, 4.0)]
    useless = [
        (1, 1.0, 0.1),
        (4, None, None),
        (4, 30.0, None),
        (4, 30.0, 0.0),
        (4, float("nan"), 1.0),
        (4, 0.0, 1.0),
    ]
    assert fit([*useless, *reversed(good)]) == fit(good)
    assert fit(useless) is None
    assert fit([]) is None


def test_two_points_leave_nothing_to_judge_two_parameters_by():
    two = fit([(8, 90.0, 2.0), (16, 230.0, 4.0)])
    assert two.power.factor * 8**two.power.exponent == pytest.approx(90)
    assert all(law.p_value is None and law.chi_square == pytest.approx(0) for law in two.laws)
    assert two.growth is None
    assert "cannot be told apart" in two.answer


@pytest.mark.parametrize("empty_tree", ["any", "insert-only"])
@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize(("n", "limit"), [(2, 2), (2, 3), (3, 3)])
def test_the_exact_expectation_lies_between_the_bounds(n, limit, deletion, empty_tree):
    exact = independent_chain.solve(independent_chain.Cell(n, limit, deletion, empty_tree=empty_tree))
    lower, *upper = paper_bounds(n, limit)
    assert exact.stuck == pytest.approx(0)
    assert lower.value <= exact.mean <= min(bound.value for bound in upper)


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize("functions", ["and", "and,or"])
@pytest.mark.parametrize(("n", "limit"), [(2, "n"), (4, "n+1"), (6, "2n"), (6, "inf")])
def test_runs_take_longer_than_the_lower_bound(n, limit, functions, deletion):
    config = RunConfig(n=n, limit=limit, functions=functions, deletion=deletion, seed=1)
    totals = run_chunk(Chunk(0, config, 0, 150, 10**6)).totals
    mean, sd = totals.solved_runs["iterations"].mean, totals.solved_runs["iterations"].sd
    assert mean is not None
    assert sd is not None
    assert bounds_of(config)[0].value < mean - 3 * sd / sqrt(totals.solved)


@pytest.mark.parametrize("settings", [{"fitness": "sampled", "rows": 10}, {"accept_error": 1}])
def test_where_the_proofs_do_not_hold_there_are_no_bounds(settings):
    assert bounds_of(RunConfig(n=6, limit="2n", seed=1)) == paper_bounds(6, 12)
    assert bounds_of(RunConfig(n=6, limit="2n", seed=1, **settings)) == ()


def test_the_lower_bound_is_the_coupon_collectors_with_two_draws_in_three_iterations():
    random = np.random.default_rng(52)
    n, trials = 6, 1000
    times = []
    for _ in range(trials):
        seen = {int(random.integers(n))}
        time = 1
        while len(seen) < n:
            time += 1
            if random.integers(3) < 2:
                seen.add(int(random.integers(n)))
        times.append(time)
    (lower,) = paper_bounds(n, None)
    assert lower.value == pytest.approx(np.mean(times), abs=5 * stats.sem(times))


def test_the_upper_bound_is_the_papers_and_needs_a_limit_of_at_least_n():
    bounds = paper_bounds(16, 32)
    assert [bound.kind for bound in bounds] == ["lower", "upper", "upper"]
    # log_16 2^16 is 4, and its binary logarithm 2.
    assert bounds[1].value == pytest.approx(36 * 32 * 16 * (3 + 2 * (2 + 2) * log(16)))
    assert "not full" in bounds[1].label
    assert "derived here" in bounds[0].label
    assert [bound.kind for bound in paper_bounds(16, None)] == ["lower"]
    assert [bound.kind for bound in paper_bounds(16, 15)] == ["lower"]
    assert paper_bounds(1, 1)[0].value == 1.0


def test_multiplicative_drift_gives_the_better_bound_for_small_n():
    values = {bound.name: bound.value for bound in paper_bounds(16, 32)}
    assert round(values["multiplicative drift"]) == 74_283
    assert round(values["super-multiplicative drift"]) == 464_131
    assert values["multiplicative drift"] == pytest.approx(12 * 32 * 16 * (1 + 16 * log(2)))


@pytest.mark.parametrize("factor", [1, 2, 10])
def test_super_multiplicative_drift_gives_the_better_bound_from_404_variables_on_whatever_the_limit(factor):
    def is_better(n: int) -> bool:
        _, better, plain = paper_bounds(n, factor * n)
        return better.value < plain.value

    assert bounds_crossing() == 404
    assert not any(is_better(n) for n in range(2, 404))
    assert all(is_better(n) for n in range(404, 1001))


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("2n", "all of T, as 2n is (1 + c) n"),
        ("1.5n-2", "all of T, as 1.5n-2 is (1 + c) n"),
        ("n", "does not cover limit n."),
        ("n+1", "does not cover limit n+1."),
        ("20", "does not cover limit 20."),
        ("7", "at least n leaves; limit 7 is below it"),
        ("inf", "Without a limit no upper bound is proven."),
    ],
)
def test_the_theorem_is_about_limits_of_a_constant_times_n_above_n(limit, text):
    config = RunConfig(n=8, limit=limit)
    assert text in coverage(config)
    assert is_covered(config) == ("all of T" in text)
    assert ("not full" in coverage(config)) == bool(bounds_of(config)[1:])


def test_the_theorem_is_about_subtree_deletion_and_all_rows():
    assert "needs subtree deletion" in coverage(RunConfig(n=8, limit="2n", deletion="leaf"))
    assert not is_covered(RunConfig(n=8, limit="2n", deletion="leaf"))
    assert not is_covered(RunConfig(n=8, limit="2n", fitness="sampled", rows=10))
