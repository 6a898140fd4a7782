"""The curves come a moment after the window, and know everything that was said before."""

import numpy as np
import pytest

from gpviz.app.plots.lazy_curves import CurvesLoader
from gpviz.app.theme import load_theme
from gpviz.engine import RlsGp, RunConfig
from gpviz.runs.history import History


@pytest.fixture
def history():
    config = RunConfig(n=6, fitness="sampled", rows=50, seed=1)
    search, made = RlsGp(config), History(config)
    for _ in range(60):
        made.append(search.step())
    return made


@pytest.fixture
def curves(qtbot):
    made = CurvesLoader()
    qtbot.addWidget(made)
    made.resize(900, 300)
    return made


def test_they_are_made_when_the_window_is_on_show(curves, qtbot):
    assert curves._view is None
    curves.show()
    qtbot.waitUntil(lambda: curves._view is not None)


def test_what_was_said_before_is_shown_then(curves, history, qtbot):
    curves.show_history(history)
    curves.show_generalisation(np.array([1, 20]), np.array([0.5, 0.25]))
    curves.show_cursor(17)
    curves.show_stuck_since(40)
    curves.set_log_scale(False)
    curves.show()
    view = curves.view
    assert not view.is_log_scale
    assert view._series.history is history
    assert view._items.cursor[0].value() == 17
    assert view._items.stuck[0].value() == 40
    assert view._generalisation is not None


def test_what_is_said_later_is_passed_on(curves, history):
    curves.show()
    view = curves.view
    curves.show_history(history)
    curves.refresh()
    curves.show_generalisation(np.array([1]), np.array([0.5]))
    curves.show_cursor(5)
    curves.show_stuck_since(7)
    curves.set_log_scale(False)
    curves.set_theme(load_theme("dark"))
    curves.reset_view()
    assert view._items.cursor[0].value() == 5
    assert not view.is_log_scale
    assert view.theme.name == "dark"


def test_its_wishes_are_heard(curves, history, qtbot):
    curves.show_history(history)
    curves.show()
    view = curves.view
    with qtbot.waitSignal(curves.iteration_chosen) as chosen:
        view.iteration_chosen.emit(3)
    assert chosen.args == [3]
    with qtbot.waitSignal(curves.log_scale_changed):
        view.set_log_scale(not view.is_log_scale)


def test_nothing_is_painted_while_painting_is_held(curves, history, qtbot):
    curves.show_history(history)
    curves.show()
    viewport = curves.view.area.viewport()
    curves.hold_painting()
    assert not viewport.updatesEnabled()
    curves.paint_held()
    assert viewport.updatesEnabled()


def test_until_they_are_there_nothing_happens_and_words_stand_in_their_place(curves, history):
    curves.refresh()
    curves.hold_painting()
    curves.paint_held()
    curves.reset_view()
    assert curves._view is None
    assert not curves.grab().isNull()
