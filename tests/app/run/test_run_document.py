"""Bookmarks and file of the run on show, and what could be lost."""

import pytest

from gpviz.app.run.run_document import Document
from gpviz.engine import GpvizError, RunConfig, parse
from gpviz.runs.branches import Branch, Branches
from gpviz.runs.run_file import Bookmark, describe, load
from tests.runs.runs import recorded

CONFIG = RunConfig(n=4, seed=1)


@pytest.fixture
def document(qapp):
    return Document()


@pytest.fixture
def emitted(document):
    """The names of the signals sent so far."""
    names: list[str] = []
    document.changed.connect(lambda: names.append("changed"))
    document.bookmarks_changed.connect(lambda: names.append("bookmarks_changed"))
    return names


def iterations(document):
    return [mark.iteration for mark in document.bookmarks]


def test_bookmarks_are_kept_in_the_order_of_their_iterations(document, emitted):
    for iteration in (30, 0, 12):
        assert document.add_bookmark(iteration, f"note {iteration}")
    assert document.bookmarks == (Bookmark(0, "note 0"), Bookmark(12, "note 12"), Bookmark(30, "note 30"))
    assert emitted == ["bookmarks_changed", "changed"] * 3
    assert document.would_lose_something


def test_a_bookmark_can_go(document, emitted):
    document.add_bookmark(3)
    document.add_bookmark(5)
    document.remove_bookmark(3)
    assert iterations(document) == [5]
    emitted.clear()
    document.remove_bookmark(99)
    assert emitted == []
    document.remove_bookmark(5)
    assert not document.would_lose_something  # no bookmark is left that could be lost


def test_a_note_can_be_changed(document, emitted):
    document.start_anew(None, (Bookmark(3, "old"), Bookmark(4)))
    emitted.clear()
    document.set_note(3, "old")
    document.set_note(7, "nowhere")
    assert (emitted, document.is_modified) == ([], False)
    document.set_note(3, "new")
    assert document.bookmarks == (Bookmark(3, "new"), Bookmark(4))
    assert document.would_lose_something


def test_saving_makes_the_document_safe_and_remembers_the_file(document, emitted, tmp_path):
    _, _, history = recorded(CONFIG, 20, parse("x1"))
    document.add_bookmark(7, "here")
    emitted.clear()
    document.save_as(tmp_path / "run.gpviz", describe(history, document.bookmarks))
    assert (document.path, document.is_modified) == (tmp_path / "run.gpviz", False)
    assert not document.would_lose_something
    assert emitted == ["changed"]
    saved = load(tmp_path / "run.gpviz")
    assert (saved.iterations, saved.bookmarks) == (20, (Bookmark(7, "here"),))
    assert saved.fingerprint == history.fingerprint()


def test_saving_that_fails_changes_nothing(document, emitted, tmp_path):
    _, _, history = recorded(CONFIG, 20)
    document.add_bookmark(7)
    emitted.clear()
    with pytest.raises(GpvizError):
        document.save_as(tmp_path, describe(history, document.bookmarks))
    assert (document.path, document.is_modified, emitted) == (None, True, [])


def test_branches_a_person_made_can_be_lost_and_the_original_cannot(document, emitted):
    document.set_branches(Branches.of(CONFIG))
    assert not document.would_lose_something
    other = Branch(1, "another seed", 0, 3, CONFIG.replaced(seed=77))
    document.set_branches(Branches((*Branches.of(CONFIG), other)))
    assert document.would_lose_something
    emitted.clear()
    document.set_branches(Branches((*Branches.of(CONFIG), other)))
    assert emitted == []
