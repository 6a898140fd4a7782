"""Disks that are full, and what is in the way: a sentence that names the cause, and nothing left behind."""

import errno
import os
import shutil
import sqlite3
from collections import namedtuple
from pathlib import Path

import pytest

from gpviz.engine import GpvizError
from gpviz.experiments import store as store_module
from gpviz.experiments import store_file
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.store import Store
from gpviz.files.file_io import write_file
from tests.experiments.stored_runs import plan

Usage = namedtuple("Usage", ["total", "used", "free"])


def sqlite_error(code: int, text: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


FULL = sqlite_error(sqlite3.SQLITE_FULL, "database or disk is full")
VAGUE = sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE, "disk I/O error")
CLOSED = sqlite_error(sqlite3.SQLITE_CANTOPEN, "unable to open database file")


@pytest.fixture
def full(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 4096))


def refuse(monkeypatch, module, name: str, error: Exception) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(module, name, fail)


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(
    "error", [FULL, VAGUE, CLOSED, OSError(errno.ENOSPC, "No space left on device")], ids=str
)
@pytest.mark.parametrize("position", ["_fill", "_connected"])
def test_a_store_that_cannot_be_made_leaves_nothing_and_does_not_block_the_next_try(
    tmp_path, monkeypatch, error, position
):
    with monkeypatch.context() as patched:
        refuse(patched, store_file, position, error)
        with pytest.raises(GpvizError, match="the disk is full"):
            Store.create(tmp_path / "a.gpvizx", plan())
    assert left_in(tmp_path) == []
    Store.create(tmp_path / "a.gpvizx", plan()).close()


@pytest.mark.usefixtures("full")
def test_a_store_that_is_made_but_cannot_be_opened_leaves_nothing_either(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        refuse(patched, store_module, "connect", GpvizError("a.gpvizx: the disk is full."))
        with pytest.raises(GpvizError, match="the disk is full"):
            Store.create(tmp_path / "a.gpvizx", plan())
    assert left_in(tmp_path) == []
    Store.create(tmp_path / "a.gpvizx", plan()).close()


def test_a_new_store_without_runs_goes_when_it_is_not_wanted(tmp_path):
    store = Store.create(tmp_path / "a.gpvizx", plan())
    store.close(keeps_empty=False)
    store.close()
    assert left_in(tmp_path) == []


def test_a_store_with_a_run_stays_and_so_does_one_that_was_there_before(tmp_path):
    made = plan()
    store = Store.create(tmp_path / "a.gpvizx", made)
    cell = made.cells[0]
    store.add(run_chunk(Chunk(0, cell.config, 0, 1, 10**6)))
    store.close(keeps_empty=False)
    Store.create(tmp_path / "b.gpvizx", made).close()
    Store.open(tmp_path / "b.gpvizx", is_writable=True).close(keeps_empty=False)
    assert left_in(tmp_path) == ["a.gpvizx", "b.gpvizx"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_file_on_a_full_disk_is_reported_and_leaves_no_draft(tmp_path, monkeypatch, code):
    path = tmp_path / "a.gpviz"
    path.write_bytes(b"before")

    def fail(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(GpvizError, match=r"a.gpviz: it cannot be written; the disk is full\."):
        write_file(path, b"after")
    assert left_in(tmp_path) == ["a.gpviz"]
    assert path.read_bytes() == b"before"


def test_drafts_of_programs_that_were_killed_long_ago_are_removed(tmp_path):
    old, new, folder = tmp_path / ".gpviz-1.tmp", tmp_path / ".gpviz-2.tmp", tmp_path / ".gpviz-3.tmp"
    for path in (old, new):
        path.touch()
    folder.mkdir()
    (folder / "run.gpviz").touch()
    for path in (old, folder):
        os.utime(path, (1, 1))
    write_file(tmp_path / "a.gpviz", b"x")
    assert left_in(tmp_path) == [".gpviz-2.tmp", "a.gpviz"]
