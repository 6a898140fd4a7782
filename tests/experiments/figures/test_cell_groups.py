"""The cells of a plan in words, in groups, and along an axis."""

from gpviz.engine.settings import setting
from gpviz.experiments.figures.cell_groups import cell_label, groups_of, x_axis_of
from gpviz.experiments.plan import plan_of


def test_a_series_holds_the_cells_that_differ_along_the_axis_only(leaf):
    assert [(group.label, [cell.number for cell in group.cells]) for group in groups_of(leaf)] == [
        ("limit n", [0, 1]),
        ("limit 2n", [2, 3]),
    ]
    assert cell_label(leaf, 3) == "limit 2n, n = 8"
    assert x_axis_of(leaf).values == (4.0, 8.0)


def test_an_axis_of_texts_has_names_and_one_of_wide_numbers_is_logarithmic(sampled):
    text = x_axis_of(plan_of("w", {"config": {"n": 4}, "grid": {"limit": ["n", "inf"]}, "x": "limit"}))
    assert text.names == ("n", "∞")
    assert not text.is_log
    assert text.positions == (0.0, 1.0)
    assert x_axis_of(sampled).is_log
    alone = plan_of("a", {"config": {"n": 4}})
    assert x_axis_of(alone).setting == ""
    assert cell_label(alone, 0) == "all runs"
    assert setting("functions").cell_text(alone.cells[0].config) == "∧ ∨"
    assert setting("rows").cell_text(alone.cells[0].config) == "–"
    assert cell_label(sampled, 5) == "A = 8, 1,000 rows"
