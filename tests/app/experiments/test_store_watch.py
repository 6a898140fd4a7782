"""What the window reads of an experiment: medians little by little, and not more often than it can bear."""

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from gpviz.app.experiments import store_watch
from gpviz.app.experiments.store_watch import StoreWatch, read_experiment
from gpviz.engine.interruption import Stopped
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.figures.chart_values import ValueReader
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics import exact_comparison
from gpviz.experiments.store import Store

PLAN = Plan(name="tiny", runs=4, x="n", settings={"limit": "2n"}, grid={"n": (2, 3, 4)})


def _add(path, cell, first, runs):
    with Store.open(path, is_writable=True) as store:
        store.add(run_chunk(Chunk(cell, PLAN.cells[cell].config, first, runs, 10**6)))


def _median(path, cell):
    with Store.open(path) as store:
        return float(np.median(store.values(cell, "iterations", outcome="solved")))


@pytest.fixture
def path(tmp_path):
    """An experiment with one cell done, one half done, and one not begun."""
    path = tmp_path / "tiny.gpvizx"
    Store.create(path, PLAN).close()
    _add(path, 0, 0, 4)
    _add(path, 1, 0, 2)
    return path


def test_an_experiment_has_the_medians_of_the_cells_that_have_runs(path):
    experiment = read_experiment(path, ValueReader())
    assert experiment.medians == {0: _median(path, 0), 1: _median(path, 1)}


def test_while_an_experiment_runs_only_cells_that_are_done_have_medians(path):
    medians = ValueReader()
    assert read_experiment(path, medians, is_running=True).medians.keys() == {0}
    assert read_experiment(path, medians, is_running=False).medians.keys() == {0, 1}
    _add(path, 1, 2, 1)
    assert read_experiment(path, medians, is_running=True).medians.keys() == {
        0
    }  # that of two runs is outdated
    assert read_experiment(path, medians).medians[1] == _median(path, 1)


def test_exact_values_are_worked_out_one_by_one_where_time_is_short(path, monkeypatch):
    monkeypatch.setattr(exact_comparison, "_known", {})
    monkeypatch.setattr(store_watch, "_FIRST_S", -1.0)
    found = [read_experiment(path, ValueReader()) for _ in PLAN.cells]
    assert [each.is_complete for each in found] == [False, False, True]
    assert [summary.exact is not None for summary in found[-1].summaries] == [True, False, False]


def test_nothing_is_read_for_those_who_do_not_wait(path):
    with pytest.raises(Stopped):
        read_experiment(path, ValueReader(), lambda: True)


@pytest.fixture
def watch(qtbot):
    watch = StoreWatch()
    yield watch
    watch.shut_down()


def test_an_experiment_is_read_until_all_medians_are_there(watch, qtbot, path, monkeypatch):
    for limit in ("_FIRST_S", "_LATER_S"):
        monkeypatch.setattr(store_watch, limit, -1.0)
    heard = []
    watch.experiment_read.connect(
        lambda experiment, is_new: heard.append((list(experiment.medians), experiment.is_complete, is_new))
    )
    watch.read(path)
    qtbot.waitUntil(lambda: len(heard) == 3)
    assert heard == [([0], False, True), ([0, 1], False, False), ([0, 1], True, False)]


def test_what_takes_long_to_read_is_read_less_often(watch, qtbot, path, monkeypatch):
    seconds = iter(range(0, 10_000, 3))
    monkeypatch.setattr(store_watch, "perf_counter", lambda: float(next(seconds)))
    watch.follow(path)
    qtbot.waitUntil(lambda: watch.experiment is not None)
    assert 12_000 in [timer.interval() for timer in watch.findChildren(QTimer)]
