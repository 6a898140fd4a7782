"""Box plots of cells."""

from gpviz.experiments.figures.box_plots import boxes_figure, cells_drawn
from gpviz.experiments.figures.chart_values import ValuesRequest
from gpviz.experiments.figures.figure import named
from gpviz.experiments.statistics.cell_statistics import Spread
from tests.experiments.figures.filled_stores import read


def test_boxes_stand_side_by_side_at_their_x(leaf, leaf_store):
    spreads = read(leaf_store, ValuesRequest("spread", "leaves", cells_drawn(leaf)))
    figure = boxes_figure(leaf, "leaves", spreads, is_log_y=False)
    first, second = figure.panels[0].boxes
    assert figure.panels[0].x.names == named(("4", "8"))
    columns = [[round(position) for position in boxes.places] for boxes in (first, second)]
    assert columns == [[0, 1]] * 2
    assert first.places[0] + first.half_width < second.places[0] - second.half_width
    assert all(list(numbers) == sorted(numbers) for numbers in first.numbers + second.numbers)
    assert "median" in first.hints[0]


def _spread(low: float) -> Spread:
    return Spread(9, low, low, low + 1, low + 2, low + 3, low + 4, low + 5)


def test_generalisation_errors_stay_on_a_logarithmic_axis_and_their_zeros_are_told(ors_plan):
    figure = boxes_figure(
        ors_plan, "final_generalisation_error", {0: _spread(0), 1: _spread(1)}, is_log_y=True
    )
    assert figure.panels[0].y.is_log
    assert "What ends at the lower edge reaches 0" in figure.note
    without = boxes_figure(ors_plan, "final_generalisation_error", {1: _spread(1)}, is_log_y=True)
    assert "lower edge" not in without.note
