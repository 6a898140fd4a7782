"""The paper's tables, and how cells are set beside them."""

import csv
from math import ceil, sqrt

import pytest
from scipy import stats

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.experiments.plan import find_plan
from gpviz.experiments.statistics.paper_tables import (
    FIRST_LEAF,
    PaperCell,
    PaperComparison,
    compare,
    paper_cell,
    paper_cells,
    table_verdict,
)
from gpviz.experiments.totals import Sums, Totals


def config(n=4, limit="n", deletion="leaf", **more):
    return RunConfig(n=n, limit=limit, deletion=deletion, **more)


def compared(config, totals):
    return compare(config, totals)


def cell_of(config):
    return paper_cell(config)


def sums(count, mean, sd):
    """Sums of whole numbers with about this mean and standard deviation."""
    low, high = round(mean - sd), round(mean + sd)
    made = Sums()
    for i in range(count):
        made.add(high if i % 2 else low)
    return made


def totals_of(*, count=500, mean=46.0, sd=28.0, leaves=4.0, leaves_sd=0.0, stuck=0):
    totals = Totals(runs=count + stuck, solved=count, stuck=stuck)
    totals.solved_runs["iterations"] = sums(count, mean, sd)
    totals.solved_runs["leaves"] = sums(count, leaves, leaves_sd)
    return totals


def test_both_tables_are_there_in_full():
    cells = paper_cells()
    assert [(cell.table, cell.limit, cell.n) for cell in cells] == [
        (table, limit, n)
        for table in ("table1", "table2")
        for n in (4, 8, 12, 16)
        for limit in ("n", "n+1", "2n", "inf")
    ]
    assert all((cell.B is None) == (cell.table == "table2") for cell in cells)


def test_every_number_is_the_one_in_the_file():
    rows = []
    for table in ("table1", "table2"):
        with (assets.folder("paper") / f"{table}.csv").open(encoding="utf-8") as file:
            rows += list(csv.DictReader(file))
    for cell, row in zip(paper_cells(), rows, strict=True):
        for name, text in row.items():
            value = getattr(cell, name)
            assert value == (text if name == "limit" else float(text))


@pytest.mark.parametrize("name", ["table1", "table2"])
def test_every_cell_of_the_shipped_tables_is_in_the_paper(name):
    found = [cell_of(cell.config) for cell in find_plan(name).cells]
    assert sorted(cell.limit for cell in found) == sorted(
        cell.limit for cell in paper_cells() if cell.table == name
    )
    assert {cell.table for cell in found} == {name}
    assert len(set(found)) == 16


@pytest.mark.parametrize(
    ("n", "limit", "same"),
    [(8, "8", "n"), (8, "9", "n+1"), (8, "16", "2n"), (8, "n+8", "2n"), (4, "8", "2n")],
)
def test_limits_are_the_same_if_they_allow_as_many_leaves(n, limit, same):
    assert cell_of(config(n, limit)) == cell_of(config(n, same))
    assert cell_of(config(n, limit)).limit == same


def test_the_empty_tree_may_be_treated_as_one_likes():
    assert cell_of(config(empty_tree="insert-only")) == cell_of(config())


@pytest.mark.parametrize(
    "other",
    [
        config(n=5),
        config(limit="3n"),
        config(limit="n-1"),
        config(functions="and"),
        config(accept_error=1),
        config(fitness="sampled", rows=100),
    ],
)
def test_what_the_paper_did_not_do_has_no_cell(other):
    assert cell_of(other) is None
    assert compared(other, totals_of()) is None


def test_z_counts_the_chance_in_both_means_and_the_rounding():
    totals = totals_of(mean=40, sd=28, stuck=2)
    comparison = compared(config(), totals)
    ours = totals.solved_runs["iterations"]
    error = sqrt(ours.sd**2 / 500 + 28.0**2 / 496 + 0.01 / 12)
    assert comparison.z_T == pytest.approx((40 - 46.3) / error, rel=1e-4)
    assert comparison.z_T < 0


@pytest.mark.parametrize("count", [50, 200])
def test_few_runs_are_not_surer_for_being_alike_by_chance(count):
    comparison = compared(config(), totals_of(mean=40, sd=14, count=count))
    sd = totals_of(mean=40, sd=14, count=count).solved_runs["iterations"].sd
    common = stats.ttest_ind_from_stats(40, sd, count, 46.3, 28, 496).statistic
    alone = stats.ttest_ind_from_stats(40, sd, count, 46.3, 28, 496, equal_var=False).statistic
    assert comparison.z_T == pytest.approx(common, rel=1e-3)
    assert abs(comparison.z_T) < abs(alone)


def test_without_any_spread_z_is_zero_within_the_rounding_and_otherwise_a_text():
    same = compared(config(), totals_of(leaves=4))
    assert same.z_S == 0.0
    other = compared(config(), totals_of(leaves=5))
    assert other.z_S is None
    assert other.verdict == "differs: S is lower in the paper by 20 %"


@pytest.mark.parametrize("stuck", [0, 1, 4, 9, 30])
def test_stuck_runs_are_compared_by_fishers_exact_test(stuck):
    comparison = compared(config(), totals_of(count=500 - stuck, stuck=stuck))
    p = stats.fisher_exact([[stuck, 500 - stuck], [4, 496]]).pvalue
    assert 2 * stats.norm.sf(abs(comparison.z_B)) == pytest.approx(p, rel=1e-6)
    assert (comparison.z_B > 0) == (stuck > 4)
    assert (comparison.z_B < 0) == (stuck < 4)


@pytest.mark.parametrize(
    ("mean", "grade"),
    [(46, "agrees"), (43, "agrees"), (42, "a little off"), (40, "differs"), (53, "differs")],
)
def test_the_verdict_goes_by_the_largest_z(mean, grade):
    comparison = compared(config(), totals_of(mean=mean))
    assert comparison.grade == grade
    size = abs(comparison.z_T)
    assert grade == ("agrees" if size <= 2 else "a little off" if size <= 3 else "differs")


@pytest.mark.parametrize("count", [0, 1, 2, 49])
def test_a_few_runs_get_no_verdict(count):
    comparison = compared(config(), totals_of(count=count, mean=10, sd=1))
    assert comparison.verdict == comparison.grade == "too few runs"
    assert (comparison.z_T is None) == (count < 2)
    assert (comparison.z_B is None) == (count == 0)
    assert table_verdict([comparison]).values == 0


def test_where_few_runs_are_solved_a_table_is_judged_by_the_stuck_ones_of_all_cells():
    far = compared(config(), totals_of(count=20, mean=10, sd=1, stuck=9))
    assert far.z_T < -4, "and yet it is not judged"
    alone = table_verdict([far])
    assert (alone.values, alone.different) == (1, 1)
    assert "The furthest is B " in alone.reasons
    odd = compared(config(), totals_of(count=6, mean=46, sd=28, stuck=2))
    assert odd.z_B > 2
    assert table_verdict([odd]).different == 1
    others = [compared(config(), totals_of(count=8, mean=46, sd=28))] * 31
    assert table_verdict([odd, *others]).values == 0, "one of 32 is as far off by chance"


CELL = PaperCell("table2", 4, "n", None, 51.2, 31.1, 4.0, 0.0)


def comparison_with(z):
    return PaperComparison(CELL, z, 0.0, None, "agrees")


def test_the_verdict_on_a_table_says_how_many_are_close_and_which_is_not():
    zs = [0.5, -1.0, 2.5, -2.1] + [0.3] * 12
    verdict = table_verdict(map(comparison_with, zs))
    assert (verdict.values, verdict.inside, verdict.different) == (32, 30, 0)
    bound = ceil(100 * 32 * 2 * stats.norm.sf(2.5)) / 100
    assert verdict.reasons == (
        "30 of 32 values (T and S of the cells) lie within 2 standard errors of the paper's. The furthest"
        " is T for n = 4, limit n, subtree deletion, with z = +2.50; chance alone puts one of 32 so far away with"
        f" a probability of at most {bound:.2f}."
    )


@pytest.mark.parametrize("zs", [[3.4, 3.1, -2.9, 0.2], [-4.0] * 3 + [1.0], [3.0, 2.9, 2.3, 2.1], [0.0, 0.1]])
def test_as_many_values_differ_as_holms_method_finds(zs):
    """The k-th smallest of m p-values is held against 5 % / (m - k + 1), up to the first that is larger."""
    alone = [PaperComparison(CELL, z, None, None, "agrees") for z in zs]
    ps = sorted(2 * stats.norm.sf(abs(z)) for z in zs)
    held = [p * (len(ps) - index) < 0.05 for index, p in enumerate(ps)]
    expected = held.index(False) if False in held else len(held)
    verdict = table_verdict(alone)
    assert verdict.different == expected
    assert verdict.different_cells == set(sorted(range(len(zs)), key=lambda at: -abs(zs[at]))[:expected])
    assert (f"{expected} values are further off than chance explains" in verdict.reasons) == (expected > 1)


def test_without_runs_there_is_no_verdict_on_a_table():
    verdict = table_verdict([PaperComparison(CELL, None, None, None, "agrees")])
    assert (verdict.values, verdict.reasons) == (0, "")


def test_a_table_that_differs_with_n_4_says_what_is_known_about_it_in_the_same_breath():
    far = compared(config(), totals_of(count=20_000, mean=43))
    assert far.grade in ("a little off", "differs")
    assert FIRST_LEAF in table_verdict([far]).reasons
    other = compared(config(empty_tree="insert-only"), totals_of(count=20_000, mean=43))
    assert other.grade == far.grade
    assert FIRST_LEAF not in table_verdict([other]).reasons
    higher = compared(config(), totals_of(mean=60))
    assert FIRST_LEAF not in table_verdict([higher]).reasons
