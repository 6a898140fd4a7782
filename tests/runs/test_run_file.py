"""A run file says everything about a run, survives the journey through a file, and opens for ever."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.tree import Leaf
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.replay import replay_all
from gpviz.runs.run_file import MAX_NOTE_LENGTH, VERSION, Bookmark, RunFile, describe, load, save
from tests.runs.runs import Recorded, recorded, recorded_runs

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@st.composite
def run_files(draw: st.DrawFn) -> RunFile:
    _, _, history = draw(recorded_runs(max_iterations=30))
    note = st.text(max_size=20)
    bookmarks = st.lists(st.builds(Bookmark, st.integers(0, len(history)), note), max_size=5)
    return describe(history, draw(bookmarks))


@given(run_files())
def test_a_run_file_survives_saving_and_loading(folder: Path, run_file: RunFile):
    save(folder / "run.gpviz", run_file)
    assert load(folder / "run.gpviz") == run_file


@given(recorded_runs(max_iterations=30))
def test_the_start_comes_back_with_its_uids(folder: Path, run: Recorded):
    search, _, history = run
    save(folder / "start.gpviz", describe(history))
    again, _ = replay_all(load(folder / "start.gpviz"))[0]
    assert again.first_uid == search.first_uid
    assert again.start == search.start


def test_the_file_is_plain_json_with_these_keys(tmp_path: Path):
    _, _, history = recorded(RunConfig(n=4, seed=3), 10)
    save(tmp_path / "run.gpviz", describe(history, [Bookmark(2, "∧")]))
    text = (tmp_path / "run.gpviz").read_text("utf-8")
    assert "∧" in text
    assert json.loads(text) == {
        "format": "gpviz-run",
        "version": 4,
        "config": RunConfig(n=4, seed=3).as_dict(),
        "start": "",
        "iterations": 10,
        "bookmarks": [{"iteration": 2, "note": "∧"}],
        "fingerprint": history.fingerprint(),
        "name": "Original",
        "branches": [],
        "shown": 0,
        "script": [],
    }


def test_a_start_that_was_not_parsed_cannot_be_saved():
    with pytest.raises(ValueError, match="parsed from a formula"):
        describe(History(RunConfig(n=4), Leaf(7, 1)))


def test_a_bookmark_past_the_end_cannot_be_saved():
    _, _, history = recorded(RunConfig(n=4), 10)
    with pytest.raises(InvalidValueError, match=r"bookmarks\[1\].iteration: 11 .* at most 10"):
        describe(history, [Bookmark(10), Bookmark(11)])


def test_a_file_too_large_to_be_opened_is_not_written(tmp_path: Path):
    _, _, history = recorded(RunConfig(n=4), 10)
    run_file = describe(history, [Bookmark(1, "\0" * 10_000)] * 300)
    with pytest.raises(GpvizError, match=r"run.gpviz: it cannot be written; .* 16,000,000 are allowed\."):
        save(tmp_path / "run.gpviz", run_file)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("version-*.gpviz")), ids=lambda path: path.name)
def test_every_file_that_was_ever_saved_opens_and_replays(path: Path):
    run_file = load(path)
    _, history = replay_all(run_file)[0]
    assert len(history) == run_file.iterations > 0


def test_there_is_a_golden_file_of_every_version_that_was_written():
    versions = {json.loads(path.read_text("utf-8"))["version"] for path in GOLDEN.glob("version-*.gpviz")}
    assert versions == {1, 3, VERSION}


def test_a_newer_file_is_refused_with_both_versions(tmp_path: Path):
    path = tmp_path / "new.gpviz"
    path.write_text(json.dumps({"format": "gpviz-run", "version": 7, "something": "new"}))
    with pytest.raises(GpvizError, match=r"new.gpviz: version: .* version 7, but .* up to version 4\.$"):
        load(path)


def test_the_largest_bookmark_is_allowed():
    bookmark = Bookmark(MAX_ITERATIONS, "∧" * MAX_NOTE_LENGTH)
    assert (bookmark.iteration, len(bookmark.note)) == (MAX_ITERATIONS, MAX_NOTE_LENGTH)


@pytest.mark.parametrize("iteration", [-1, MAX_ITERATIONS + 1, 1.0, "1", True, None])
def test_an_iteration_that_is_none_is_refused(iteration: Any):
    with pytest.raises(InvalidValueError, match=r"^iteration: .* a whole number from 0 to 10000000\.$"):
        Bookmark(iteration, "")


@pytest.mark.parametrize("note", [None, 5, b"note", "x" * (MAX_NOTE_LENGTH + 1), "\ud800"])
def test_a_note_that_is_no_short_text_is_refused(note: Any):
    with pytest.raises(InvalidValueError, match=r"^note: .* a text of at most 10000 characters"):
        Bookmark(0, note)
