"""The strip above the results says how far the experiment is, and what can be done about it."""

import pytest

from gpviz.app.experiments.results_view import ProgressView
from gpviz.app.theme import load_theme
from gpviz.experiments.plan import find_plan
from gpviz.experiments.plan_runner import Progress


@pytest.fixture
def view(qtbot):
    view = ProgressView()
    qtbot.addWidget(view)
    view.set_theme(load_theme("dark"))
    view.show_plan(find_plan("quick"))
    return view


def _progress(**changes):
    values = {
        "done": 200,
        "total": 800,
        "done_by_cell": (200,),
        "seconds": 2.0,
        "rate": 100.0,
        "seconds_left": 6.0,
        "notes": (),
    }
    return Progress(**{**values, **changes})


def test_progress_is_shown_with_rate_and_time_left(view):
    view.show_progress(_progress())
    assert view.title.text() == "A quick look"
    assert view.status.text() == "25 % · 200 of 800 runs · 6 s left · 100 runs a second"
    view.show_progress(_progress(rate=0.0, seconds_left=None))
    assert view.status.text() == "25 % · 200 of 800 runs"


def test_only_the_whole_is_a_hundred_per_cent(view):
    view.show_progress(_progress(done=7_999, total=8_000))
    assert view.status.text().startswith("99 %")
    assert view.bar.value() < view.bar.maximum()
    view.show_progress(_progress(done=8_000, total=8_000, seconds_left=0.0))
    assert view.status.text().startswith("100 %")


def test_notes_stay_until_another_experiment(view):
    view.show_progress(_progress(notes=("A worker ended unexpectedly.",)))
    view.show_progress(_progress())
    assert view.notes.text() == "A worker ended unexpectedly."
    assert not view.notes.isHidden()
    view.show_plan(find_plan("table1"))
    assert view.notes.isHidden()
