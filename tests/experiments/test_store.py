"""Stores: what goes in comes out, chunk by chunk, with one writer and any number of readers."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
import pytest

from gpviz.engine.errors import GpvizError
from gpviz.experiments import store as store_module
from gpviz.experiments import store_file
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.store import COLUMNS, Store
from gpviz.experiments.store_file import is_store
from gpviz.experiments.totals import Totals
from tests.systems import needs_links, needs_posix

PLAN = plan_of(
    "small", {"runs": 6, "config": {"deletion": "leaf"}, "grid": {"limit": ["n", "2n"], "n": [4, 6]}}
)


def chunk(cell: int, first: int, runs: int, plan: Plan = PLAN) -> ChunkResult:
    return run_chunk(Chunk(cell, plan.cells[cell].config, first, runs, plan.max_iterations))


def in_child(work: Callable[[], None]) -> int:
    """Do something in another process; its exit code, or minus the signal that ended it."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "small.gpvizx"


class TestContents:
    def test_runs_come_back_as_they_went_in(self, path):
        result = chunk(1, 0, 6)
        with Store.create(path, PLAN) as store:
            store.add(result)
        with Store.open(path) as store:
            assert store.plan == PLAN
            assert list(store.rows(1)) == [row._replace(path=b"") for row in result.rows]
            assert [store.run(1, number) for number in range(6)] == result.rows
            assert list(store.paths(1)) == [(row.number, row.path) for row in result.rows]
            assert list(store.rows(0)) == []

    def test_totals_are_those_of_all_chunks(self, path):
        with Store.create(path, PLAN) as store:
            for first in (4, 0, 2):
                store.add(chunk(2, first, 2))
            totals = store.totals()
        assert totals == [Totals(), Totals(), chunk(2, 0, 6).totals, Totals()]

    def test_what_is_missing_are_the_gaps(self, path):
        with Store.create(path, PLAN) as store:
            assert store.missing(0) == [range(6)]
            store.add(chunk(0, 1, 2))
            store.add(chunk(0, 4, 1))
            assert store.missing(0) == [range(1), range(3, 4), range(5, 6)]
            assert store.missing(1) == [range(6)]
            store.add(chunk(1, 0, 6))
            assert store.missing(1) == []

    @pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("outcome", "stuck_since")])
    def test_a_column_is_that_of_the_runs(self, path, column):
        rows = chunk(0, 0, 6).rows
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 6))
            values = store.values(0, column)
            solved = store.values(0, column, outcome="solved")
        assert values.dtype == np.int64
        assert values.tolist() == [getattr(row, column) for row in rows]
        assert solved.tolist() == [getattr(row, column) for row in rows if row.outcome == "solved"]

    def test_a_column_leaves_out_what_is_not_known(self, path):
        result = chunk(0, 0, 6)
        rows = [row._replace(stuck_since=7 if row.number == 2 else None) for row in result.rows]
        with Store.create(path, PLAN) as store:
            store.add(result._replace(rows=rows))
            assert store.values(0, "stuck_since").tolist() == [7]
            assert store.values(0, "ors", outcome="failed").tolist() == []

    def test_errors_of_very_many_bits_come_back(self, path):
        result = chunk(0, 0, 1)
        row = result.rows[0]._replace(error=2**999 + 1, wrong_rows=2**70)
        with Store.create(path, PLAN) as store:
            store.add(result._replace(rows=[row]))
            assert store.run(0, 0) == row
            with pytest.raises(GpvizError, match="error of cell 1 are not all whole numbers of 64 bits"):
                store.values(0, "error")

    def test_a_run_that_is_not_there_gets_a_sentence(self, path):
        with (
            Store.create(path, PLAN) as store,
            pytest.raises(GpvizError, match="cell 1 has no such run yet"),
        ):
            store.run(0, 5)


class TestAdding:
    @pytest.mark.parametrize("again", [(0, 6), (3, 1), (5, 1)])
    def test_runs_that_are_there_already_are_refused_as_a_whole(self, path, again):
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 3, 3))
            with pytest.raises(GpvizError, match="some of these runs are in it already; what was written"):
                store.add(chunk(0, *again))
            assert store.totals()[0] == chunk(0, 3, 3).totals
            assert store.missing(0) == [range(3)]
            store.add(chunk(0, 0, 3))
            assert store.totals()[0] == chunk(0, 0, 6).totals

    def test_runs_that_are_not_in_the_plan_are_refused(self, path):
        good = chunk(0, 0, 2)
        with Store.create(path, PLAN) as store:
            for bad in (
                good._replace(cell=4), good._replace(cell=-1), good._replace(totals=Totals()), chunk(0, 5, 2),
            ):  # fmt: skip
                with pytest.raises(GpvizError, match="are not those of the plan"):
                    store.add(bad)
            assert store.totals() == [Totals()] * 4

    def test_a_reader_cannot_write(self, path):
        Store.create(path, PLAN).close()
        with Store.open(path) as reader:
            with pytest.raises(ValueError, match="opened to be read"):
                reader.add(chunk(0, 0, 1))
            with pytest.raises(GpvizError, match="write-protected"):
                reader.query("DELETE FROM cells")

    def test_more_runs_can_be_wanted(self, path):
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 6))
            store.extend(PLAN.replaced(runs=8))
            assert store.missing(0) == [range(6, 8)]
        with Store.open(path) as store:
            assert store.plan.runs == 8

    def test_fewer_runs_can_be_wanted_than_planned_but_not_than_there_are(self, path):
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 3))
            with pytest.raises(GpvizError, match=r"runs: 2 is not allowed; there are 3 in .* already"):
                store.extend(PLAN.replaced(runs=2))
            store.extend(PLAN.replaced(runs=3))
            assert store.missing(0) == []

    def test_another_experiment_is_refused(self, path):
        with (
            Store.create(path, PLAN) as store,
            pytest.raises(GpvizError, match="it holds another experiment"),
        ):
            store.extend(PLAN.replaced(seed=2))


class TestWriters:
    def test_a_second_writer_is_refused_and_readers_are_not(self, path):
        with Store.create(path, PLAN) as store:
            with pytest.raises(GpvizError, match="another program is writing this experiment"):
                Store.open(path, is_writable=True)
            with Store.open(path) as reader:
                store.add(chunk(0, 0, 2))
                assert reader.totals()[0].runs == 2
            store.add(chunk(0, 2, 2))
        with Store.open(path, is_writable=True) as store:
            assert store.totals()[0].runs == 4

    @needs_links
    def test_a_writer_under_another_name_is_refused(self, path):
        link = path.with_name("link.gpvizx")
        with Store.create(path, PLAN):
            link.symlink_to(path)
            with pytest.raises(GpvizError, match="another program is writing"):
                Store.open(link, is_writable=True)

    @needs_posix
    def test_a_writer_that_died_is_no_writer(self, path):
        def write_and_die() -> None:
            store = Store.create(path, PLAN)
            store.add(chunk(0, 0, 2))
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM runs")
            die()

        assert in_child(write_and_die) == -signal.SIGKILL
        assert path.with_name(f"{path.name}-wal").stat().st_size
        with Store.open(path) as reader:
            assert reader.totals()[0] == chunk(0, 0, 2).totals
        with Store.open(path, is_writable=True) as store:
            store.add(chunk(0, 2, 4))
            assert store.totals()[0] == chunk(0, 0, 6).totals

    def test_the_lock_of_one_who_removed_its_file_is_not_taken_for_one(self, path, monkeypatch):
        first = store_file.WriterLock(path)
        real = store_file._lock
        calls = []

        def lock_after_the_other_has_ended(file: int) -> None:
            calls.append(file)
            first.close()
            real(file)

        monkeypatch.setattr(store_file, "_lock", lock_after_the_other_has_ended)
        second = store_file.WriterLock(path)
        assert len(calls) == 2
        monkeypatch.undo()
        with pytest.raises(GpvizError, match="another program is writing"):
            store_file.WriterLock(path)
        second.close()

    def test_nothing_is_left_beside_the_file(self, path):
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 1))
        Store.open(path).close()
        Store.open(path, is_writable=True).close()
        assert is_store(path)
        assert list(path.parent.iterdir()) == [path]

    def test_the_lock_goes_also_where_nothing_open_can_be_removed(self, path, monkeypatch):
        lock = store_file.WriterLock(path)
        closed: list[int] = []
        close, unlink = os.close, Path.unlink

        def seen_close(file: int) -> None:
            close(file)
            closed.append(file)

        def unlink_as_on_windows(there: Path, missing_ok: bool = False) -> None:
            if not closed:
                raise PermissionError
            unlink(there, missing_ok)

        monkeypatch.setattr(os, "close", seen_close)
        monkeypatch.setattr(Path, "unlink", unlink_as_on_windows)
        assert [each.name for each in path.parent.iterdir()] == [f"{path.name}-writer"]
        lock.close()
        assert not list(path.parent.iterdir())

    def test_the_lock_of_another_is_never_removed(self, path, monkeypatch):
        lock = store_file.WriterLock(path)
        close = os.close
        others: list[store_file.WriterLock] = []

        def close_and_be_too_late(file: int) -> None:
            close(file)
            if not others:
                others.append(store_file.WriterLock(path))

        monkeypatch.setattr(os, "close", close_and_be_too_late)
        lock.close()
        assert [each.name for each in path.parent.iterdir()] == [f"{path.name}-writer"]
        others[0].close()

    def test_looking_whether_it_is_a_store_does_not_drop_the_locks_on_it(self, path):
        # Without them the next one who closes the file would take itself for the last, and remove the log.
        reading = (
            f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute('SELECT * FROM cells'); c.close()"
        )
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 1))
            assert is_store(path)
            subprocess.run([sys.executable, "-c", reading], check=True)
            assert path.with_name(f"{path.name}-wal").exists()


class TestSharesOfWindows:
    """Where a mapped drive leads: ``\\\\server\\share``, for which SQLite has its own way of writing."""

    @pytest.mark.parametrize(
        ("position", "uri"),
        [
            (PureWindowsPath(r"\\server\share\my runs\50%#?.gpvizx"), "file:////server/share/my%20runs/50%25%23%3F.gpvizx?mode=ro"),
            (PureWindowsPath(r"C:\Users\Ann\x.gpvizx"), "file:///C:/Users/Ann/x.gpvizx?mode=ro"),
            (PurePosixPath("/home/ann/ä\udcff.gpvizx"), "file:///home/ann/%C3%A4%FF.gpvizx?mode=ro"),
        ],
        ids=["share", "drive", "posix"],
    )  # fmt: skip
    def test_a_path_is_written_as_sqlite_reads_it(self, position, uri):
        assert store_file.sqlite_uri(position, "mode=ro") == uri

    @needs_posix
    def test_sqlite_opens_what_is_written_so(self, path):
        Store.create(path, PLAN).close()
        share = PureWindowsPath("\\" + str(path).replace("/", "\\"))  # here the server is a folder
        assert share.drive.startswith("\\\\")
        uri = store_file.sqlite_uri(share, "mode=ro")
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            assert connection.execute("SELECT name FROM experiment").fetchall() == [("small",)]

    def test_a_store_that_was_cut_off_still_looks_like_one(self, path):
        with Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 1))
        path.write_bytes(path.read_bytes()[:5000])
        assert is_store(path)


class TestCreating:
    def test_an_existing_file_stays_as_it_is(self, path):
        path.write_text("mine")
        with pytest.raises(GpvizError, match="this file already exists and was not changed"):
            Store.create(path, PLAN)
        assert path.read_text() == "mine"
        assert list(path.parent.iterdir()) == [path]

    @needs_posix
    @pytest.mark.parametrize("position", ["execute", "before", "after"])
    def test_killed_in_the_middle_of_it_there_is_a_store_or_none(self, path, monkeypatch, position):
        fill = store_file._fill

        def fill_and_die(connection: sqlite3.Connection, plan: Plan) -> None:
            if position == "execute":
                connection.set_trace_callback(lambda text: die() if "COMMIT" in text else None)
            fill(connection, plan)
            die()

        if position == "after":
            monkeypatch.setattr(store_module, "connect", lambda *_, **__: die())
        else:
            monkeypatch.setattr(store_file, "_fill", fill_and_die)
        assert in_child(lambda: Store.create(path, PLAN).close()) == -signal.SIGKILL
        monkeypatch.undo()
        assert path.exists() == (position == "after")
        with Store.open(path, is_writable=True) if path.exists() else Store.create(path, PLAN) as store:
            store.add(chunk(0, 0, 6))
            assert store.totals()[0] == chunk(0, 0, 6).totals

    def test_the_configuration_of_every_cell_is_in_the_file_for_others_to_read(self, path):
        with Store.create(path, PLAN) as store:
            found = store.query("SELECT config FROM cells ORDER BY cell")
        assert [json.loads(text) for (text,) in found] == [cell.config.as_dict() for cell in PLAN.cells]


def format_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    ((found,),) = connection.execute("PRAGMA user_version")
    connection.close()
    return int(found)


def test_the_format_is_that_of_version_1_0_0(path: Path) -> None:
    Store.create(path, PLAN).close()
    assert format_of(path) == 3
