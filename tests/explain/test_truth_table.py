"""The truth table as a grid: its order, its classes, its counts, the drawn rows, and what is said of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import Mutation, Node, Operation, RunConfig, TooComplexError, parse
from gpviz.engine.enums import Function, Side
from gpviz.engine.randomness import columns, key_of
from gpviz.engine.sampled_error import RowSampler
from gpviz.engine.target import Conjunction, target_for
from gpviz.engine.tree import nodes_of
from gpviz.explain import truth_table
from gpviz.explain.moment import Moment, moment_at, preview_of
from gpviz.explain.truth_table import (
    CellClass,
    Counts,
    Grid,
    RowTable,
    cell_text,
    class_counts,
    drawn_rows,
    grid_for,
    is_quick,
    is_true_on,
    sample_text,
    scope_text,
    summary_text,
    table_of,
    true_cells,
    values_on,
    witness_text,
)
from gpviz.runs.history import History
from tests.engine.strategies import few_implicants, mutations, remade, sampled_configs, table_of_tree, trees
from tests.runs.runs import recorded_runs

GRIDS = [grid_for(n) for n in range(1, 8)] + [Grid(30, (2, 3, 7, 11, 30)), Grid(9, (4,))]


def seen(formula: str, n: int) -> RowTable:
    return table_of(Moment(config=RunConfig(n=n, limit="inf"), iteration=0, tree=parse(formula)))


def tried(
    formula: str,
    operation: Operation,
    variable: int,
    *,
    node: int = 1,
    is_or: bool = False,
    **settings: object,
) -> Moment:
    """An iteration that does this mutation to the start of a run."""
    config = RunConfig(n=4, **{"limit": "inf", **settings})
    function = Function.OR if is_or else Function.AND
    return preview_of(
        History(config, parse(formula)), 0, Mutation(operation, node, variable, function, Side.RIGHT)
    )


# The grid


@pytest.mark.parametrize("grid", GRIDS)
def test_neighbouring_cells_differ_in_exactly_one_variable(grid):
    rows, columns_ = grid.shape
    for row in range(rows):
        for column in range(columns_):
            here = grid.assignment_of(row, column)
            if row + 1 < rows:
                assert (here ^ grid.assignment_of(row + 1, column)).bit_count() == 1
            if column + 1 < columns_:
                assert (here ^ grid.assignment_of(row, column + 1)).bit_count() == 1


@pytest.mark.parametrize("grid", GRIDS)
def test_every_assignment_has_one_cell_and_top_left_all_are_1(grid):
    rows, columns_ = grid.shape
    masks = {grid.assignment_of(row, column) for row in range(rows) for column in range(columns_)}
    assert len(masks) == rows * columns_ == 1 << len(grid.variables)
    assert all(grid.assignment_of(*grid.cell_of(mask)) == mask for mask in masks)
    assert grid.assignment_of(0, 0) == (1 << grid.n) - 1


def test_up_to_20_variables_all_rows_have_a_cell():
    assert grid_for(20).shape == (1024, 1024)
    assert grid_for(20).is_complete
    assert grid_for(1).shape == (1, 2)
    assert not grid_for(21).is_complete


def test_of_many_variables_those_that_tell_most_are_shown():
    tree = parse(" & ".join(f"x{number}" for number in range(1, 41)) + " & (x50 | x51)")
    changed = parse(" & ".join(f"x{number}" for number in range(1, 40)) + " & (x50 | x51)")
    grid = grid_for(60, tree, changed)
    assert len(grid.variables) == 16
    assert {40, 50, 51} <= set(grid.variables)  # what changed, and what is needed in places only
    assert {41, 42} <= set(grid.variables)  # what is missing is where they are wrong
    assert grid.cell_of(0) is None
    assert grid.cell_of((1 << 60) - 1) == (0, 0)


@pytest.mark.parametrize("grid", GRIDS)
def test_the_values_of_a_variable_along_its_side_are_those_of_the_cells(grid):
    for axis in (grid.down, grid.across):
        for variable in axis.variables:
            masks = [axis.mask_of(place) for place in range(axis.length)]
            assert axis.values_of(variable).tolist() == [bool(mask >> (variable - 1) & 1) for mask in masks]


@given(trees(7, max_leaves=12), st.sampled_from([(1, 2, 3, 4, 5, 6, 7), (2, 5, 6), (4,)]))
def test_a_tree_is_true_in_the_cells_in_which_it_is_true(tree, variables):
    grid = Grid(7, variables)
    cells = true_cells(tree, grid)
    table = table_of_tree(tree, 7)
    for (row, column), value in np.ndenumerate(cells):
        mask = grid.assignment_of(row, column)
        assert bool(value) == bool(table >> mask & 1) == is_true_on(tree, mask)
        assert values_on(tree, mask)[tree.uid] == value


@given(trees(7, min_leaves=4, max_leaves=16), st.sampled_from([1 << 4, 1 << 26]))
def test_cells_are_the_same_where_the_products_are_too_many(tree, most_bytes):
    expected = true_cells(tree, grid_for(7))
    with few_implicants(2), pytest.MonkeyPatch.context() as patch:
        patch.setattr(truth_table, "_MOST_BYTES", most_bytes)
        again = remade(tree)
        assert (true_cells(again, grid_for(7)) == expected).all()
        assert is_true_on(again, 0b1010101) == is_true_on(tree, 0b1010101)


@given(trees(5), st.integers(0, 31))
def test_every_node_has_its_value(tree, mask):
    values = values_on(tree, mask)
    assert len(values) == tree.size
    for node in nodes_of(tree):
        assert values[node.uid] == is_true_on(node, mask)


def test_deep_trees_are_no_problem_and_the_empty_one_has_no_values():
    tree = parse(" & ".join("x1" for _ in range(20_000)))
    assert set(values_on(tree, 1).values()) == {True}
    assert values_on(None, 1) == {}


# Classes and counts


@given(trees(5), st.data())
def test_classes_and_counts_follow_from_the_two_truth_tables(tree, data):
    mutation = data.draw(mutations(tree, 5))
    moment = preview_of(History(RunConfig(n=5, limit="inf"), tree), 0, mutation)
    table = table_of(moment)
    parent, offspring = moment.parent, moment.offspring
    before, after = table_of_tree(parent, 5), table_of_tree(offspring, 5)
    found = [0] * 4
    for (row, column), value in np.ndenumerate(table.classes):
        mask = table.grid.assignment_of(row, column)
        wanted = mask == 31
        was_wrong, is_wrong = (bool(each >> mask & 1) != wanted for each in (before, after))
        expected = {
            (False, False): CellClass.RIGHT,
            (True, True): CellClass.WRONG,
            (True, False): CellClass.FIXED,
            (False, True): CellClass.BROKEN,
        }[was_wrong, is_wrong]
        assert value == expected == table.class_of(mask)
        assert table.grid.cell_of(mask) == (row, column)
        found[value] += 1
    assert table.counts == tuple(found)
    joint = Conjunction(5).joint(parent, offspring)
    assert table.counts[1:] == tuple(joint)


@given(recorded_runs(max_iterations=40))
def test_every_moment_of_every_run_has_a_table_in_words(run):
    search, _, history = run
    for iteration in {0, 1, len(history) // 2, len(history)} & set(range(len(history) + 1)):
        moment = moment_at(history, iteration)
        table = table_of(moment)
        tree = history.tree_at(iteration)
        assert table.survivor == tree
        assert table.error == (None if tree is None else search.target.error(tree))
        assert is_quick(moment)
        for text in (summary_text(table), scope_text(table), cell_text(table, 1)):
            assert text.endswith(".")
        assert bool(sample_text(table)) == history.config.is_sampled


def test_counts_of_a_table_shown_in_part_are_those_of_all_rows():
    history = History(RunConfig(n=64, limit="inf"), parse("x1 & x2"))
    moment = preview_of(history, 0, Mutation(Operation.INS, 1, 3, Function.AND, Side.RIGHT))
    table = table_of(moment)
    assert table.counts == Counts(2**64 - 2**62 + 1, 2**61 - 1, 2**61, 0)
    assert table.error == 2**61 - 1
    assert class_counts(table)[CellClass.FIXED] == 2**61
    assert summary_text(table) == (
        "Wrong on 2.3 × 10¹⁸ of 2⁶⁴ rows; this step fixed 2.3 × 10¹⁸ and broke none."
    )
    assert scope_text(table) == (
        "x₁₇ … x₆₄ are taken as 1. x₂, x₃, x₅, x₇, x₉, x₁₁, x₁₃, x₁₅ down, "
        "x₁, x₄, x₆, x₈, x₁₀, x₁₂, x₁₄, x₁₆ across; neighbours differ in one variable, and top left all are 1."
    )


def test_counts_that_take_too_long_are_left_out(monkeypatch):
    def refuse(*_: Node) -> None:
        raise TooComplexError("formula: it takes too long.")

    monkeypatch.setattr(target_for(30), "joint", refuse)
    table = seen("x1 | x2", 30)
    assert table.counts is None
    assert table.error is None
    assert class_counts(table) == {}
    assert summary_text(table).startswith("Counting the wrong rows takes too long")


def test_an_empty_tree_is_neither_right_nor_wrong():
    table = table_of(moment_at(History(RunConfig(n=4)), 0))
    assert (table.classes == CellClass.BLANK).all()
    assert table.class_of(3) is CellClass.BLANK
    assert "computes nothing" in summary_text(table)
    assert cell_text(table, 0b1011) == "x₃ = 0, the others 1."


# In words


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (
            tried("x1 & x2", Operation.INS, 3),
            "Wrong on 1 of 16 rows; this step fixed 2 and broke none.",
        ),
        (
            tried("x1 & x2", Operation.INS, 3, is_or=True),
            "Wrong on 3 of 16 rows; the rejected offspring would have fixed none and broken 6.",
        ),
        (
            tried("x1 & x2", Operation.INS, 3, limit="2"),
            "Wrong on 3 of 16 rows; the offspring, too large to be tried, would have fixed 2 and broken none.",
        ),
        (
            tried("x1 & x2", Operation.INS, 1),
            "Wrong on 3 of 16 rows; this step changed no row.",
        ),
        (
            tried("x1 & x2", Operation.INS, 1, limit="2"),
            "Wrong on 3 of 16 rows; no row would differ.",
        ),
        (
            tried("x1 & x2 & x3", Operation.INS, 4),
            "Wrong on none of 16 rows; this step fixed 1 and broke none.",
        ),
    ],
)
def test_the_summary_says_what_the_step_did_or_would_have_done(moment, text):
    assert summary_text(table_of(moment)) == text


def test_a_row_is_told_with_what_the_step_does_to_it():
    broken, fixed = (tried("x1 & x2", Operation.INS, 3, is_or=is_or) for is_or in (True, False))
    assert cell_text(table_of(broken), 0b1100).endswith("right; the rejected offspring would have broken it.")
    assert cell_text(table_of(fixed), 0b0011).endswith("Target 0, tree 0: right, fixed by this step.")
    assert cell_text(table_of(fixed), 0b1111) == "All variables are 1. Target 1, tree 1: right."
    assert cell_text(table_of(fixed), 0b0111) == "x₄ = 0, the others 1. Target 0, tree 1: wrong."


# Sampled rows


@given(
    sampled_configs(max_n=8).filter(lambda config: config.sampler == "rows" and config.n >= 3),
    trees(3),
    trees(3),
    st.integers(1, 10**6),
)
def test_drawn_rows_are_those_of_the_engine(config, parent, offspring, iteration):
    grid = grid_for(config.n)
    drawn = drawn_rows(config, iteration, grid, parent, offspring)
    key = key_of(config.seed, iteration)
    expected = columns(key, list(range(1, config.n + 1)), config.rows)
    masks = [
        sum((expected[variable] >> row & 1) << (variable - 1) for variable in expected)
        for row in range(config.rows)
    ]
    assert [drawn.mask_of(number) for number in range(config.rows)] == masks
    times = {mask: masks.count(mask) for mask in masks}
    cells = {
        grid.assignment_of(*divmod(int(cell), grid.shape[1])): int(count)
        for cell, count in zip(drawn.cells, drawn.times, strict=True)
    }
    assert cells == times
    assert drawn.outside == 0
    sampler = RowSampler(config.rows, target_for(config.n))
    assert (drawn.parent_error, drawn.offspring_error) == sampler.errors(key, parent, offspring)
    assert drawn.only_parent - drawn.only_offspring == drawn.parent_error - drawn.offspring_error
    deciding = [
        row for row, mask in enumerate(masks) if is_true_on(parent, mask) != is_true_on(offspring, mask)
    ]
    assert [witness.number for witness in drawn.witnesses] == deciding
    for witness in drawn.witnesses:
        assert witness.is_parent_wrong == is_true_on(parent, masks[witness.number])


def test_of_a_large_table_few_drawn_rows_have_a_cell():
    config = RunConfig(n=22, fitness="sampled", rows=2000, seed=3)
    tree = parse("x1 & x22")
    grid = grid_for(22, tree)
    drawn = drawn_rows(config, 5, grid, tree, tree)
    inside = [mask for mask in map(drawn.mask_of, range(2000)) if grid.cell_of(mask) is not None]
    assert 0 < len(inside) == 2000 - drawn.outside == int(drawn.times.sum())
    places = [place for place in map(grid.cell_of, inside) if place is not None]
    cells = {row * grid.shape[1] + column for row, column in places}
    assert set(drawn.cells.tolist()) == cells
    far = drawn_rows(config.replaced(n=900, rows=10), 5, grid_for(900, tree), tree, tree)
    assert far.outside == 10
    assert len(far.cells) == 0


SAMPLED = {"fitness": "sampled", "rows": 12, "seed": 4}


def test_the_sample_is_told_with_what_decided():
    moment = tried("x1 & x2", Operation.INS, 3, is_or=True, **SAMPLED)
    table = table_of(moment)
    assert table.drawn is not None
    broken = len(table.drawn.witnesses)
    assert broken > 1
    assert sample_text(table) == (
        f"This iteration drew 12 rows. {broken} decided: only the offspring is wrong on them."
    )
    assert {witness_text(witness) for witness in table.drawn.witnesses} == {"offspring wrong"}
    agreeing = table_of(tried("x1 & x2", Operation.INS, 1, **SAMPLED))
    assert sample_text(agreeing).endswith("12 rows; parent and offspring agree on all of them.")
    unseen = table_of(tried("x1 & x2", Operation.INS, 3, **SAMPLED, limit="2"))
    assert sample_text(unseen).endswith("but the offspring was too large to be tried on them.")
    both = table_of(tried("x1", Operation.SUB, 2, fitness="sampled", rows=200, seed=1))
    assert "only the parent is wrong, on" in sample_text(both)
    start = table_of(moment_at(History(moment.config, parse("x1")), 0))
    assert sample_text(start) == "No rows have been drawn yet."


def test_a_run_that_draws_counts_has_no_rows_and_says_so():
    settings = {"fitness": "sampled", "rows": 1600, "sampler": "counts"}
    moment = tried("x1 & x2", Operation.INS, 3, is_or=True, **settings)
    table = table_of(moment)
    assert table.drawn is None
    text = sample_text(table)
    assert text.startswith(
        "This run draws only how many of its rows are wrong, not the rows themselves; of 1,600, "
    )
    assert "about 0 would be wrong for the parent only and 600 for the offspring only. Drawn errors: " in text
    unseen = table_of(tried("x1 & x2", Operation.INS, 3, **settings, limit="2"))
    assert sample_text(unseen).endswith(
        "about 200 would be wrong for the parent only and 0 for the offspring only."
    )
    same = table_of(tried("x1", Operation.SUB, 1, **settings))
    assert sample_text(same).endswith("not the rows themselves.")
