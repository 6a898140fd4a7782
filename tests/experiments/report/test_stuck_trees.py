"""Stuck trees: which are shown, and how they are drawn."""

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from gpviz.engine.enums import Outcome
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import NormalForms
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.experiments.chunk_worker import run_one
from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.results import Results
from gpviz.experiments.report.stuck_trees import stuck_section, stuck_trees, tree_svg
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.statistics.cell_statistics import summarise
from tests.experiments.report.made_up import results_with, totals_of

STUCK = ((0, 436), (4, 123), (0, 100), (0, 101))
"""Cell and number of runs of table 1: the first two get stuck, the others do not."""


@pytest.fixture(scope="module")
def stuck_results() -> Results:
    plan = find_plan("table1")
    rows: dict[int, list[RunRow]] = {}
    for cell, run in STUCK:
        row = run_one(plan.cells[cell].config_of(run), run, plan.max_iterations)
        if row.outcome == "stuck":
            rows.setdefault(cell, []).append(row)
    totals = [totals_of(40, 20, 100, stuck=len(rows.get(cell.number, ()))) for cell in plan.cells]

    def stuck(cell: int) -> Sequence[RunRow]:
        return rows.get(cell, [])

    return Results(
        plan, totals, summarise(plan, totals), 1.0, lambda cell, column: np.empty(0, np.int64), stuck
    )


def test_the_trees_are_those_on_which_the_runs_end(stuck_results):
    trees = stuck_trees(stuck_results)
    assert [(each.config.limit, each.config.seed) for each in trees] == [("n", 437), ("n+1", 124)]
    for each in trees:
        result = RlsGp(each.config).run(stop_when_stuck=True)
        assert result.outcome is Outcome.STUCK
        assert (result.tree, result.stuck_since, result.error) == (
            each.tree,
            each.stuck_since,
            each.error,
        )


def test_no_two_are_alike(stuck_results):
    forms = NormalForms()
    twice = replace(stuck_results, stuck=lambda cell: [*stuck_results.stuck(cell)] * 3)
    numbers = [forms.of(each.tree) for each in stuck_trees(twice)]
    assert len(numbers) == len(set(numbers)) == 2


def test_each_is_shown_with_the_command_that_comes_to_it(stuck_results):
    text = stuck_section(stuck_results).replace('<span class="whole">', "").replace("</span>", "")
    assert "gpviz run --n 4 --limit n --deletion leaf --seed 437" in text
    assert text.count("<svg") == 2


def test_where_no_run_got_stuck_there_is_no_tree():
    text = stuck_section(results_with("table1"))
    assert "None of the" in text
    assert "<svg" not in text


def test_a_tree_is_drawn_with_what_it_costs_to_lose_its_leaves(stuck_results):
    for stuck in stuck_trees(stuck_results):
        root = ET.fromstring(tree_svg(stuck, "a tree"))
        assert root.findtext("{*}desc") == format_formula(stuck.tree, UNICODE)
        texts = [text.text for text in root.iterfind(".//{*}text")]
        leaves = [node for node in nodes_of(stuck.tree) if isinstance(node, Leaf)]
        assert texts[: len(leaves)] == [UNICODE.variable(leaf.variable) for leaf in leaves]
        assert any((text or "").startswith("delete +") for text in texts)
