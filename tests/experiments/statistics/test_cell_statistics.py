"""What runs come to: against numpy, scipy, known distributions and exact values of tiny cells."""

from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gpviz.engine.config import RunConfig
from gpviz.experiments.plan import Cell, find_plan
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.statistics.cell_statistics import (
    Share,
    moments_of,
    spread_of,
    summarise,
    summarise_cell,
)
from gpviz.experiments.totals import Sums, Totals


def sums_of(values):
    sums = Sums()
    for value in values:
        sums.add(int(value))
    return sums


def row(number, outcome, iterations, wrong_rows=0):
    return RunRow(number, outcome, iterations, 4, 1, 2, 3, 3, 0, wrong_rows, None, 0, 1, 0, 0, 0, b"")


def totals_of(rows):
    totals = Totals()
    for each in rows:
        totals.add(each, [], n=None)
    return totals


def moments(sums):
    return moments_of(sums)


def cell_summary(cell, totals):
    return summarise_cell(cell, totals)


def spread(values):
    return spread_of(values)


CELL = Cell(0, RunConfig(n=4, limit="n", deletion="leaf"))


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=60))
def test_moments_are_those_of_numpy_and_the_interval_is_that_of_scipy(values):
    found = moments(sums_of(values))
    assert found.count == len(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.sd == pytest.approx(np.std(values, ddof=1), rel=1e-9, abs=1e-9)
    assert found.standard_error == pytest.approx(stats.sem(values), rel=1e-9, abs=1e-9)
    half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
    expected = (np.mean(values) - half, np.mean(values) + half)
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_of_too_few_values_moments_say_nothing():
    none, one = moments(Sums()), moments(sums_of([7]))
    assert (none.mean, none.sd, none.low, none.high, none.standard_error) == (None,) * 5
    assert (one.mean, one.sd, one.low, one.high) == (7.0, None, None, None)


def coverage_error(trials):
    return 5 * sqrt(0.95 * 0.05 / trials)  # five standard deviations of a share of 95 %


@pytest.mark.parametrize("size", [3, 10, 40])
def test_the_interval_holds_the_mean_of_normal_values_in_95_of_100_cases(size):
    random = np.random.default_rng(20)
    trials = 2000
    values = np.rint(random.normal(10_000, 1_000, (trials, size))).astype(int)
    intervals = [moments(sums_of(sample)) for sample in values]
    held = np.mean([each.low <= 10_000 <= each.high for each in intervals])
    assert held == pytest.approx(0.95, abs=coverage_error(trials))


def test_the_interval_holds_the_mean_of_many_skewed_values_nearly_as_often():
    random = np.random.default_rng(21)
    trials = 1000
    values = random.geometric(0.01, (trials, 200))
    intervals = [moments(sums_of(sample)) for sample in values]
    held = np.mean([each.low <= 100 <= each.high for each in intervals])
    assert 0.95 - coverage_error(trials) - 0.01 < held < 0.95 + coverage_error(trials)


def test_the_interval_of_the_share_stuck_holds_the_truth_in_about_95_of_100_cases():
    random = np.random.default_rng(22)
    held = []
    for stuck in random.binomial(300, 0.03, 2000):
        summary = cell_summary(CELL, Totals(runs=300, solved=300 - int(stuck), stuck=int(stuck)))
        held.append(summary.stuck_low <= 0.03 <= summary.stuck_high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)  # whole numbers cannot meet the level exactly


def test_a_cell_is_reported_in_full():
    rows = [row(0, "solved", 10), row(1, "solved", 30), row(2, "stuck", 100, 3), row(3, "stopped", 1000, 1)]
    summary = cell_summary(CELL, totals_of([*rows, row(4, "failed", 60, None)]))
    assert (summary.runs, summary.solved, summary.stuck, summary.stopped, summary.failed) == (5, 2, 1, 1, 1)
    assert summary.stuck_share == 0.2
    expected = stats.binomtest(1, 5).proportion_ci(method="wilson")
    assert (summary.stuck_low, summary.stuck_high) == pytest.approx((expected.low, expected.high))
    assert summary.T.mean == 20.0
    assert summary.S.mean == 4.0
    assert summary.ors.mean == 1.0
    assert summary.ors_accepted.mean == 2.0
    assert summary.expected_running_time == inf
    assert summary.time_with_restarts == (10 + 30 + 100 + 1000 + 60) / 2
    assert summary.paper is not None
    assert summary.cell is CELL


def test_the_expected_running_time_of_geometric_runs_that_are_stopped_is_that_of_one_without_a_stop():
    random = np.random.default_rng(23)
    waits = random.geometric(0.01, 20_000)
    rows = [row(i, "solved", int(t)) if t <= 50 else row(i, "stopped", 50) for i, t in enumerate(waits)]
    summary = cell_summary(CELL, totals_of(rows))
    assert summary.solved < 10_000
    # The number of solved runs is a count among so many iterations, each with chance 0.01.
    assert summary.expected_running_time == pytest.approx(100, rel=5 / sqrt(summary.solved))
    assert summary.time_with_restarts == summary.expected_running_time


def test_a_restart_is_counted_from_where_a_run_got_stuck_not_from_where_that_was_noticed():
    stuck = row(1, "stuck", 356, 3)._replace(stuck_since=100)
    summary = cell_summary(CELL, totals_of([row(0, "solved", 40), stuck]))
    assert summary.expected_running_time == inf
    assert summary.time_with_restarts == 140
    halves = totals_of([row(0, "solved", 40)])
    halves.merge(totals_of([stuck]))
    assert Totals.from_dict(halves.as_dict()) == halves == totals_of([row(0, "solved", 40), stuck])


def test_without_runs_nothing_is_claimed():
    summary = cell_summary(CELL, Totals())
    assert summary.stuck_share is None
    assert (summary.stuck_low, summary.stuck_high) == (0.0, 1.0)
    assert summary.expected_running_time is None
    assert summary.final_generalisation_error is None
    assert summary.paper.verdict == "too few runs"


SAMPLED = Cell(0, RunConfig(n=12, limit="inf", fitness="sampled", rows=40, sampler="counts", accept_error=2))


def test_pitfalls_are_shares_of_all_runs_with_wilsons_interval():
    some = [row(i, "solved", 10) for i in range(20)]
    rows = [
        each._replace(ors_accepted=i % 4 == 0, duplicate_accepted=2 * (i < 3)) for i, each in enumerate(some)
    ]
    rows[7] = rows[7]._replace(true_error_grew=1, outcome="stopped")
    summary = cell_summary(SAMPLED, totals_of(rows))
    counts = {"duplicate_accepted": 3, "or_accepted": 5, "true_error_grew": 1, "no_pitfall": 20 - 8}
    for name, count in counts.items():
        share = summary.pitfalls[name]
        expected = stats.binomtest(count, 20).proportion_ci(method="wilson")
        assert (share.share, share.low, share.high) == pytest.approx(
            (count / 20, expected.low, expected.high)
        )
        assert summary.share_of(name) is share
    assert (summary.share_full, summary.stages) == (None, None)


def test_the_share_of_full_iterations_is_over_all_of_them_with_an_interval_that_holds():
    random = np.random.default_rng(5)
    held = []
    for _ in range(300):
        lengths = random.geometric(0.02, 60) + 5
        full = random.binomial(lengths, random.beta(2, 6, 60))
        rows = [
            row(i, "solved", int(length))._replace(full_iterations=int(part))
            for i, (length, part) in enumerate(zip(lengths, full, strict=True))
        ]
        share = cell_summary(CELL, totals_of(rows)).share_full
        assert share.mean == pytest.approx(full.sum() / lengths.sum())
        held.append(share.low <= 0.25 <= share.high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.05)


def test_that_no_run_was_ever_full_leaves_space_for_doubt():
    none = cell_summary(CELL, totals_of([row(i, "solved", 10 + i) for i in range(100)]))
    assert none.share_full.mean == none.share_full.low == 0.0
    assert none.share_full.high == pytest.approx(stats.binomtest(0, 100).proportion_ci(method="wilson").high)
    one = cell_summary(CELL, totals_of([row(0, "solved", 10)._replace(full_iterations=4)]))
    assert (one.share_full.mean, one.share_full.low) == (0.4, None)
    assert one.share_of("share_full") == Share(0.4, 0.4, 0.4)


def test_a_stage_that_a_run_skipped_took_it_no_iterations():
    totals = Totals()
    for number, path in enumerate([[(1, 7), (5, 3), (9, 0)], [(2, 3), (8, 0)], [(1, 7), (4, 0)]]):
        totals.add(row(number, "solved", path[-1][0]), path, n=4)
    totals.add(row(3, "stopped", 50), [(1, 7)], n=4)
    summary = cell_summary(CELL, totals)
    assert [stage.mean for stage in summary.stages] == [(4 + 6 + 0) / 3, (4 + 0 + 3) / 3]
    assert summary.stages[0].standard_error == pytest.approx(stats.sem([4, 6, 0]))


def test_without_a_solved_run_there_is_no_running_time():
    assert cell_summary(CELL, totals_of([row(0, "stopped", 50, 3)])).expected_running_time is None
    summary = cell_summary(CELL, totals_of([row(0, "stuck", 50, 3)]))
    assert summary.expected_running_time == inf
    assert summary.time_with_restarts is None
    assert summary.stuck_high == 1.0


@given(st.lists(st.integers(0, 2**200), min_size=1, max_size=9))
def test_the_generalisation_error_is_exact_up_to_one_rounding(wrong):
    cell = Cell(0, RunConfig(n=200, limit="inf", fitness="sampled", rows=10))
    totals = Totals()
    for i, rows in enumerate(wrong):
        totals.add(row(i, "solved", 5, rows), [], n=None)
    totals.add(row(99, "stuck", 5, 2**200), [], n=None)
    expected = Fraction(sum(wrong), len(wrong) * 2**200)
    assert cell_summary(cell, totals).final_generalisation_error == float(expected)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=80))
def test_quantiles_lie_on_the_line_between_two_values_as_scipy_has_them(values):
    whole = spread(np.array(values))
    expected = stats.mstats.mquantiles(values, (0.05, 0.25, 0.5, 0.75, 0.95), alphap=1, betap=1)
    found = (whole.q05, whole.q25, whole.median, whole.q75, whole.q95)
    assert found == pytest.approx(list(expected), rel=1e-9)
    assert (whole.count, whole.minimum, whole.maximum) == (len(values), min(values), max(values))


def test_nothing_has_no_spread():
    assert spread(np.empty(0, dtype=np.int64)) is None


def test_a_plan_is_summarised_by_cell():
    plan = find_plan("quick")
    totals = [Totals(runs=i, solved=i) for i in range(len(plan.cells))]
    summaries = summarise(plan, totals)
    assert [summary.cell for summary in summaries] == list(plan.cells)
    assert [summary.runs for summary in summaries] == list(range(len(plan.cells)))
    with pytest.raises(ValueError, match="zip"):
        summarise(plan, totals[:-1])
