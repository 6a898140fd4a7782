"""The histogram of a measure."""

import numpy as np
import pytest

from gpviz.experiments.figures.chart_values import ValuesRequest
from gpviz.experiments.figures.figure import RuleKind
from gpviz.experiments.figures.histogram import histogram_figure
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.paper_tables import paper_cells
from tests.experiments.figures.filled_stores import read, totals_of, values_of


def test_the_histogram_marks_mean_median_and_the_papers_mean(leaf, leaf_store):
    bins = read(leaf_store, ValuesRequest("bins", "iterations", (0,)))[0]
    summary = summarise(leaf, totals_of(leaf_store))[0]
    figure = histogram_figure(leaf, 0, "iterations", bins, summary, is_log_x=False, is_log_y=False)
    rules = {rule.kind: rule.value for rule in figure.panels[0].rules}
    paper = next(cell for cell in paper_cells() if (cell.table, cell.n, cell.limit) == ("table1", 4, "n"))
    assert rules[RuleKind.PAPER] == paper.T
    assert rules[RuleKind.MEAN] == pytest.approx(summary.T.mean)
    assert rules[RuleKind.MEDIAN] == np.median(values_of(leaf_store, 0))
    assert figure.has_content
    assert len(figure.legend) == 3
    empty = histogram_figure(leaf, 0, "leaves", None, summary, is_log_x=False, is_log_y=False)
    assert not empty.has_content
    assert "Once there are" in empty.empty


def test_the_histogram_says_how_many_runs_are_not_in_it(leaf, leaf_store):
    bins = read(leaf_store, ValuesRequest("bins", "ors", (3,), is_log=True))[3]
    totals = totals_of(leaf_store)
    for stuck, text in ((0, "are 0"), (1, "1 unsolved run is"), (2, "2 unsolved runs are")):
        totals[3].runs = totals[3].solved + stuck
        summary = summarise(leaf, totals)[3]
        note = histogram_figure(leaf, 3, "ors", bins, summary, is_log_x=True, is_log_y=False).note
        assert text in note
