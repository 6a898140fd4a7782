"""Results are written whole or not at all, and reading an experiment tells how far it is."""

from itertools import count
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.experiments.experiment_files import KINDS, ResultsSaver, write_results
from gpviz.app.experiments.store_watch import kept_experiments
from gpviz.engine.interruption import Stopped
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import new_store_path

PLAN = Plan(name="tiny", title="Tiny", runs=3, settings={}, grid={"n": (2, 3)})


def _never() -> bool:
    return False


def _always() -> bool:
    return True


@pytest.fixture
def store_path():
    path = new_store_path(PLAN)
    with Store.create(path, PLAN) as store:
        store.add(run_chunk(Chunk(0, PLAN.cells[0].config, 0, 3, 10**6)))
    return path


@pytest.mark.parametrize("kind", ["csv", "json", "runs", "ioh"])
def test_what_is_given_up_at_any_moment_leaves_nothing_behind(store_path, tmp_path, kind):
    folder = tmp_path / "folder"
    folder.mkdir()
    write_results(store_path, kind, tmp_path / "first", _never)  # exact values are remembered from here on
    asked = count()
    write_results(store_path, kind, tmp_path / "whole", lambda: next(asked) < 0)
    moments = next(asked)
    assert moments > 3
    for moment in range(moments):
        asked = count()
        with pytest.raises(Stopped):
            write_results(store_path, kind, folder / "out", lambda: next(asked) == moment)  # noqa: B023
        assert list(folder.iterdir()) == []


def test_closing_gives_up_what_is_being_written(qapp, store_path, tmp_path):
    files = ResultsSaver()
    files.save(store_path, "ioh", tmp_path / "out")
    files.shut_down()
    assert not list(tmp_path.glob(".gpviz*"))


def test_kept_experiments_are_listed_and_foreign_files_left_out(store_path):
    store_path.with_name("foreign.gpvizx").write_text("hello")
    (kept,) = kept_experiments(_never)
    assert (kept.path, kept.title, kept.done, kept.total, kept.is_whole) == (store_path, "Tiny", 3, 6, False)
    assert kept_experiments(_always) == []


def test_every_kind_has_a_name_of_its_own(store_path, qtbot, monkeypatch):
    proposed: list[str] = []

    def answer(_window: object, _title: str, proposal: str, _filters: str) -> tuple[str, str]:
        proposed.append(proposal.removeprefix(str(Path.home() / store_path.stem)))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    window = QWidget()
    qtbot.addWidget(window)
    files = ResultsSaver()
    for kind in KINDS:
        files.ask_and_save(store_path, kind, window)
    files.shut_down()
    assert proposed == [".csv", ".json", ".tex", "-runs.csv", "-ioh"]
