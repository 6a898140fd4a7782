"""The curves come a moment after the window, and know everything that was said before."""

import pytest

from gpviz.app.player.shown_moment import Detail, ShownMoment
from gpviz.app.plots.lazy_curves import CurvesLoader
from gpviz.app.theme import load_theme
from gpviz.engine import RunConfig
from gpviz.runs.history import Generalisation
from tests.app.plots.runs import recorded

CONFIG = RunConfig(n=6, fitness="sampled", rows=50, seed=1)


@pytest.fixture
def history():
    return recorded(CONFIG, 60)


@pytest.fixture
def curves(qtbot):
    made = CurvesLoader()
    qtbot.addWidget(made)
    made.resize(900, 300)
    return made


def test_they_are_made_when_the_window_is_on_show_and_words_stand_in_their_place_before(curves, qtbot):
    curves.reset_view()
    assert not curves.grab().isNull()
    assert curves._view is None
    curves.show()
    qtbot.waitUntil(lambda: curves._view is not None)


def test_what_was_said_before_is_shown_then(curves, history):
    known = Generalisation()
    known.extend([(1, 0.5), (20, 0.25)])
    curves.set_log_scale(True)
    curves.show_moment(ShownMoment(recorded(CONFIG, 20), 9))
    curves.show_moment(ShownMoment(history, 16, None, known))
    curves.set_log_scale(False)
    curves.show_moment(ShownMoment(history, 17, 40, known))
    curves.show()
    view = curves.view
    assert not view.is_log_scale
    assert view._series.history is history
    assert view.iteration == 17
    assert view.items.stuck[0].value() == 40
    assert view._generalisation is not None


def test_what_is_said_later_is_passed_on_and_while_nobody_sees_it_only_where_there_is_time(curves, history):
    curves.show()
    view = curves.view
    curves.show_moment(ShownMoment(history, 5, 7))
    curves.set_log_scale(False)
    curves.set_theme(load_theme("dark"))
    curves.reset_view()
    assert view.iteration == 5
    assert not view.is_log_scale
    assert view.theme.name == "dark"
    curves.hide()
    curves.show_moment(ShownMoment(history, 6))
    curves.show_moment(ShownMoment(history, 8, detail=Detail.TREE))
    assert view.iteration == 6
    curves.show()
    assert view.iteration == 8


def test_its_wishes_are_heard(curves, history, qtbot):
    curves.show_moment(ShownMoment(history, 0))
    curves.show()
    view = curves.view
    with qtbot.waitSignal(curves.iteration_chosen) as chosen:
        view.iteration_chosen.emit(3)
    assert chosen.args == [3]
    with qtbot.waitSignal(curves.log_scale_changed):
        view.set_log_scale(not view.is_log_scale)
