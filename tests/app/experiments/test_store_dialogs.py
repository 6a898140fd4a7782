"""The files of experiments are asked for in a folder that is there, and a new one is proposed with a name."""

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.experiments.experiment_files import ask_new_store, ask_store
from gpviz.app.experiments.plan_editor import LaunchPanel
from gpviz.app.widgets.fields import sentence
from gpviz.experiments.store_paths import stores_folder


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


def test_the_name_is_that_of_the_plan(asked, qtbot):
    panel = LaunchPanel(sentence("muted"))
    qtbot.addWidget(panel)
    panel.path_button.click()
    panel.set_proposal("scaling")
    panel.path_button.click()
    assert [each.rpartition("/")[2] for each in asked] == ["experiment.gpvizx", "scaling.gpvizx"]
