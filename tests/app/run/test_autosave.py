"""Autosave: what a crash leaves behind is found again, and a proper end leaves nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from weakref import ref

import pytest

from gpviz.app.player.player import Player
from gpviz.app.preferences import data_folder
from gpviz.app.run.autosave import Autosave, orphans
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.run_document import Document
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import RlsGp, RunConfig
from gpviz.runs.replay import replay_all
from gpviz.runs.run_file import Bookmark, describe, load, save
from tests.runs.runs import recorded

CONFIG = RunConfig(n=5, seed=3)

PROGRAM = """
import sys
from PySide6.QtWidgets import QApplication
from gpviz.app.run.autosave import Autosave
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.run_document import Document
from gpviz.app.player.player import Player
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import RlsGp, RunConfig

application = QApplication([])
config = RunConfig(n=5, seed=3)
player, document = Player.for_run(config), Document()
search = RlsGp(config)
for _ in range(40):
    player.run.history.append(search.step())
document.add_bookmark(7, "here")
autosave = Autosave(player, document, BranchController(player).describe)
autosave.findChild(BackgroundTask).finished.connect(lambda _: print("saved", flush=True))
autosave.save_if_changed()
sys.exit(application.exec())
"""


@pytest.fixture
def document(qapp):
    return Document()


def made_for(player, document) -> Autosave:
    return Autosave(player, document, BranchController(player, player).describe)


@pytest.fixture
def autosave(player, document):
    made = made_for(player, document)
    yield made
    made.close()


def grow(player: Player, iterations: int) -> None:
    """Let the run on show have so many iterations."""
    search = RlsGp(CONFIG)
    history = player.run.history
    for _ in range(iterations):
        step = search.step()
        if step.iteration > len(history):
            history.append(step)


def background_of(autosave: Autosave) -> BackgroundTask:
    (task,) = autosave.findChildren(BackgroundTask)
    return task


def save_now(autosave: Autosave, qtbot) -> None:
    with qtbot.waitSignal(background_of(autosave).finished):
        autosave.save_if_changed()


def left_behind(name: str = "autosave-1.gpviz", iterations: int = 20) -> Path:
    """A file as a crash would leave it."""
    path = data_folder() / name
    save(path, describe(recorded(CONFIG, iterations)[2], (Bookmark(2, "two"),)))
    return path


def files() -> set[str]:
    return {path.name for path in data_folder().iterdir()}


# Saving


def test_the_run_on_show_is_written_with_its_bookmarks(autosave, player, document, qtbot):
    grow(player, 30)
    document.add_bookmark(4, "four")
    save_now(autosave, qtbot)
    run_file = load(autosave.path)
    assert run_file.bookmarks == (Bookmark(4, "four"),)
    assert len(replay_all(run_file)[0][1]) == 30
    assert autosave.path.parent == data_folder()


def test_a_bookmark_alone_is_worth_a_file(autosave, document, qtbot):
    document.add_bookmark(0, "the start")
    save_now(autosave, qtbot)
    assert load(autosave.path).bookmarks == (Bookmark(0, "the start"),)


def test_what_has_not_changed_is_not_written_again(autosave, player, document, qtbot):
    grow(player, 10)
    save_now(autosave, qtbot)
    autosave.save_if_changed()
    assert not background_of(autosave).is_busy
    for change in (lambda: grow(player, 11), lambda: document.add_bookmark(3)):
        change()
        save_now(autosave, qtbot)
    run_file = load(autosave.path)
    assert (run_file.iterations, len(run_file.bookmarks)) == (11, 1)


def test_a_run_that_is_no_longer_on_show_is_given_back_at_once(autosave, player, qtbot):
    grow(player, 10)
    save_now(autosave, qtbot)
    gone = ref(player.run.history)
    player.start_run(CONFIG)
    qtbot.waitUntil(lambda: gone() is None)


def test_a_proper_end_leaves_nothing(player, document, qtbot):
    autosave = made_for(player, document)
    grow(player, 10)
    save_now(autosave, qtbot)
    assert files() == {autosave.path.name, autosave.path.with_suffix(".lock").name}
    autosave.close()
    assert files() == set()


def test_what_cannot_be_written_is_told_in_a_sentence_and_tried_again(autosave, player, qtbot):
    autosave.path.mkdir()
    grow(player, 10)
    with qtbot.waitSignal(autosave.failed) as failed:
        autosave.save_if_changed()
    assert failed.args[0].startswith("The run is not being autosaved: ")
    assert autosave.path.name in failed.args[0]
    with qtbot.assertNotEmitted(autosave.failed), qtbot.waitSignal(background_of(autosave).failed):
        autosave.save_if_changed()  # once is enough
    autosave.path.rmdir()
    save_now(autosave, qtbot)
    assert load(autosave.path).iterations == 10


# What is left behind


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
def test_a_killed_program_leaves_its_run_and_a_living_one_keeps_it(qapp):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    assert program.stdout is not None
    try:
        assert program.stdout.readline() == "saved\n"
        before = files()
        assert orphans(data_folder()) == []
        assert files() == before
    finally:
        program.send_signal(signal.SIGKILL)
        program.wait()
        program.stdout.close()
    (orphan,) = orphans(data_folder())
    assert orphan.content.bookmarks == (Bookmark(7, "here"),)
    assert replay_all(orphan.content)[0][1].fingerprint() == recorded(CONFIG, 40)[2].fingerprint()
    orphan.discard()
    assert files() == set()


def test_orphans_come_newest_first(qapp):
    for age, name in enumerate(("autosave-2.gpviz", "autosave-3.gpviz", "autosave-1.gpviz")):
        os.utime(left_behind(name), (1_000_000 - age, 1_000_000 - age))
    found = orphans(data_folder())
    assert [orphan.path.name for orphan in found] == [
        "autosave-2.gpviz",
        "autosave-3.gpviz",
        "autosave-1.gpviz",
    ]


def test_a_damaged_file_is_put_aside(qapp):
    good = left_behind("autosave-good.gpviz")
    bad = data_folder() / "autosave-bad.gpviz"
    bad.write_text('{"format": "gpviz-run", ')
    (orphan,) = orphans(data_folder())
    assert orphan.path == good
    assert not bad.exists()
    assert bad.with_suffix(".damaged").read_text() == '{"format": "gpviz-run", '
    assert not bad.with_suffix(".lock").exists()


def test_an_orphan_is_held_until_somebody_decides(qapp):
    left_behind()
    (orphan,) = orphans(data_folder())
    assert orphans(data_folder()) == []
    orphan.discard()
    assert files() == set()
