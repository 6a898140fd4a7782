"""What an experiment found stands above its cells in one large sentence; z and p only for who asks."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.app.experiments.results_view import ResultsView
from gpviz.app.experiments.verdict_view import VerdictView
from gpviz.app.preferences import Preferences
from gpviz.app.theme import load_theme
from gpviz.experiments.plan import plan_of
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.verdict import ExperimentVerdict
from gpviz.experiments.totals import Totals

AGREED = ExperimentVerdict("All 3 cells agree with the paper", "One is new.", "6 of 6 values are near.")
STUCK = ExperimentVerdict("So far 8 of 9 runs were solved", "1 run got stuck.", "")


@pytest.fixture
def view(qtbot) -> VerdictView:
    view = VerdictView()
    qtbot.addWidget(view)
    view.show()
    view.show_verdict(AGREED)
    return view


def test_a_large_sentence_and_a_quieter_one_are_shown_and_the_details_are_not(view):
    assert (view.headline.text(), view.remarks.text()) == (AGREED.headline, AGREED.remarks)
    assert view.headline.fontInfo().pixelSize() > view.remarks.fontInfo().pixelSize()
    assert not view.details.isVisible()


def test_the_details_come_and_go_with_a_button_that_tells(view, qtbot):
    told: list[bool] = []
    view.details_shown.connect(told.append)
    for is_shown in (True, False):
        qtbot.mouseClick(view.details_button, Qt.MouseButton.LeftButton)
        assert view.details.isVisible() is is_shown
    assert view.details.text() == AGREED.details
    assert told == [True, False]


def test_where_there_are_no_details_none_are_offered_until_there_are(view, qtbot):
    qtbot.mouseClick(view.details_button, Qt.MouseButton.LeftButton)
    view.show_verdict(STUCK)
    assert view.headline.text() == STUCK.headline
    assert not view.details_button.isVisible()
    assert not view.details.isVisible()
    view.show_verdict(AGREED)
    assert view.details.isVisible()


def test_long_sentences_wrap_and_in_a_wide_window_need_no_more_height_than_there(view):
    view.show_verdict(ExperimentVerdict(20 * "Cells ", 40 * "remark ", ""))
    assert view.heightForWidth(300) > view.heightForWidth(1000)
    assert view.minimumSizeHint().height() <= view.heightForWidth(1000)


def test_it_follows_the_type_of_the_theme(view):
    size = view.headline.fontInfo().pixelSize()
    view.set_theme(load_theme("light", 24))
    assert view.headline.fontInfo().pixelSize() > size


def test_who_asks_for_the_details_sees_z_in_the_table(qtbot):
    view = ResultsView(Preferences())
    qtbot.addWidget(view)
    plan = plan_of("small", {"runs": 1, "x": "n", "config": {"limit": "n"}, "grid": {"n": [4]}})
    totals = [Totals()]
    experiment = ShownExperiment(Path(), plan, totals, summarise(plan, totals), 0.0)
    view.cells.show_cells(experiment, experiment.done_by_cell)
    z = view.cells.model.names.index("z_T")
    assert view.cells.view.isColumnHidden(z)
    view.verdict.details_button.click()
    assert not view.cells.view.isColumnHidden(z)
