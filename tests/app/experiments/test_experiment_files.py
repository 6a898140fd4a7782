"""The files of experiments: what is read of them little by little, results that are written, and dialogs."""

from itertools import count

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.experiments import experiment_files
from gpviz.app.experiments.experiment_files import (
    ask_new_store,
    ask_store,
    read_experiment,
    write_results,
)
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.figures.chart_values import ValueReader
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics import exact_comparison
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import kept_experiments, new_store_path, stores_folder


class Nobody:
    """Whoever does not mind how long something takes."""

    def __call__(self) -> bool:
        return False

    def report(self, progress: object) -> None:
        """Of no interest."""


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


def test_while_an_experiment_runs_only_cells_that_are_done_have_medians(path):
    medians = ValueReader()
    assert read_experiment(path, medians, Nobody(), is_running=True).medians.keys() == {0}
    assert read_experiment(path, medians, Nobody(), is_running=False).medians.keys() == {0, 1}
    _add(path, 1, 2, 1)
    assert read_experiment(path, medians, Nobody(), is_running=True).medians.keys() == {
        0
    }  # that of two runs is outdated
    assert read_experiment(path, medians, Nobody()).medians[1] == _median(path, 1)


def test_exact_values_are_worked_out_one_by_one_where_time_is_short(path, monkeypatch):
    monkeypatch.setattr(exact_comparison, "_known", {})
    monkeypatch.setattr(experiment_files, "FIRST_S", -1.0)
    found = [read_experiment(path, ValueReader(), Nobody()) for _ in PLAN.cells]
    assert [each.is_complete for each in found] == [False, False, True]
    assert [summary.exact is not None for summary in found[-1].summaries] == [True, False, False]


def test_nothing_is_read_for_those_who_do_not_wait(path):
    with pytest.raises(Stopped), stoppable(lambda: True):
        read_experiment(path, ValueReader(), Nobody())


# --- results ---

SAVED = Plan(name="tiny", title="Tiny", runs=3, settings={}, grid={"n": (2, 3)})


@pytest.fixture
def store_path():
    path = new_store_path(SAVED)
    with Store.create(path, SAVED) as store:
        store.add(run_chunk(Chunk(0, SAVED.cells[0].config, 0, 3, 10**6)))
    return path


@pytest.mark.parametrize("kind", ["csv", "json", "runs", "ioh"])
def test_what_is_given_up_at_any_moment_leaves_nothing_behind(store_path, tmp_path, kind):
    folder = tmp_path / "folder"
    folder.mkdir()
    write_results(store_path, kind, tmp_path / "first", Nobody())  # exact values are remembered from here on
    asked = count()
    with stoppable(lambda: next(asked) < 0):
        write_results(store_path, kind, tmp_path / "whole", Nobody())
    moments = next(asked)
    assert moments > 3
    for moment in range(moments):
        asked = count()
        with pytest.raises(Stopped), stoppable(lambda: next(asked) == moment):  # noqa: B023 - in the same round
            write_results(store_path, kind, folder / "out", Nobody())
        assert list(folder.iterdir()) == []


def test_kept_experiments_are_listed_and_foreign_files_left_out(store_path):
    store_path.with_name("foreign.gpvizx").write_text("hello")
    (kept,) = kept_experiments(Nobody())
    assert (kept.path, kept.title, kept.done, kept.total, kept.is_whole) == (store_path, "Tiny", 3, 6, False)
    assert kept_experiments(lambda: True) == []


# --- dialogs ---


@pytest.fixture
def asked(monkeypatch):
    """Where the dialogs begin; nothing is chosen in them."""
    found: list[str] = []

    def answer(*arguments: object) -> tuple[str, str]:
        found.append(str(arguments[2]))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    return found


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_the_first_dialogs_begin_in_the_folder_of_experiments(window, asked):
    assert not stores_folder().exists()
    assert ask_store(window) is None
    assert ask_new_store(window, "quick") is None
    assert asked == [str(stores_folder()), str(stores_folder() / "quick.gpvizx")]
    assert stores_folder().is_dir()


def test_a_folder_that_cannot_be_made_is_replaced_by_the_nearest(window, asked):
    stores_folder().parent.parent.mkdir(parents=True, exist_ok=True)
    stores_folder().parent.write_text("in the way")
    ask_store(window)
    assert asked == [str(stores_folder().parent.parent)]


def test_the_name_that_is_proposed_is_free(window, asked):
    stores_folder().mkdir(parents=True)
    for name in ("quick.gpvizx", "quick-2.gpvizx"):
        (stores_folder() / name).touch()
    ask_new_store(window, "quick")
    assert asked == [str(stores_folder() / "quick-3.gpvizx")]
