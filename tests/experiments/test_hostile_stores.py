"""Files that are no store, damaged ones, full disks, protected folders: a sentence, and nothing lost."""

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpviz.engine.errors import GpvizError
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.plan import plan_of
from gpviz.experiments.store import Store
from gpviz.experiments.store_file import is_store
from tests.systems import needs_posix

PLAN = plan_of(
    "small", {"runs": 40, "config": {"deletion": "leaf"}, "grid": {"limit": ["n", "2n"], "n": [4, 6]}}
)
NOBODY = 65534


def chunk(cell: int, first: int, runs: int) -> ChunkResult:
    return run_chunk(Chunk(cell, PLAN.cells[cell].config, first, runs, PLAN.max_iterations))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with ten runs of cell 0."""
    path = tmp_path_factory.mktemp("whole") / "small.gpvizx"
    with Store.create(path, PLAN) as store:
        store.add(chunk(0, 0, 10))
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, of which anything can be made."""
    return Path(shutil.copy(whole, tmp_path))


def change(path: Path, *statements: str) -> None:
    """Do what a stranger could do to the file."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def read_all(path: Path) -> None:
    """Read whatever can be read."""
    with Store.open(path) as store:
        assert store.seconds >= 0
        for cell, totals in enumerate(store.totals()):
            assert totals.runs >= 0
            store.missing(cell)
            store.values(cell, "iterations")
            for row in store.rows(cell):
                store.run(cell, row.number)
            list(store.paths(cell))


def refused(path: Path, work: Callable[[Path], object] = read_all) -> str:
    with pytest.raises(GpvizError) as caught:
        work(path)
    said = str(caught.value)
    assert said.startswith(str(path))
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 600
    return said


def continued(path: Path) -> None:
    Store.open(path, is_writable=True).close()


class TestForeignFiles:
    @pytest.mark.parametrize("work", [read_all, continued])
    @pytest.mark.parametrize(
        ("content", "text"),
        [
            (b"", "it is not an experiment of gpviz; it is empty"),
            (b"hello", "it is not an experiment of gpviz"),
            (b"\0" * 5000, "it is not an experiment of gpviz"),
            (b"SQLite format 3\0", "it is not an experiment of gpviz"),
            (b"SQLite format 3\0" + b"\xff" * 5000, "it is not an experiment of gpviz"),
        ],
        ids=["empty", "text", "zeros", "header", "header and rubbish"],
    )
    def test_what_is_no_database_gets_a_sentence_and_stays(self, tmp_path, content, text, work):
        path = tmp_path / "x.gpvizx"
        path.write_bytes(content)
        assert text in refused(path, work)
        assert path.read_bytes() == content
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("work", [read_all, continued])
    @pytest.mark.parametrize("mode", ["DELETE", "WAL"])
    def test_a_foreign_database_gets_a_sentence_and_stays(self, tmp_path, mode, work):
        path = tmp_path / "bookmarks.db"
        change(
            path, f"PRAGMA journal_mode = {mode}", "CREATE TABLE runs (cell)", "INSERT INTO runs VALUES (1)"
        )
        before = path.read_bytes()
        assert "it is a database, but not an experiment of gpviz; it stays as it is" in refused(path, work)
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("version", [0, 2, 4, 77])
    def test_a_store_of_another_version_gets_a_sentence_and_stays(self, path, version):
        change(path, f"PRAGMA user_version = {version}")
        before = path.read_bytes()
        for work in (read_all, continued):
            assert f"it is an experiment in format {version}, and this gpviz knows format 3" in refused(
                path, work
            )
        assert path.read_bytes() == before

    @needs_posix
    def test_what_is_no_file_gets_a_sentence(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        for name, text in {
            "pipe": "not a file",
            ".": "not a file",
            "none": "no such file",
            "loop": "its links lead in a circle",
        }.items():
            for work in (read_all, continued):
                assert text in refused(tmp_path / name, work)
        with pytest.raises(GpvizError, match="no such file"):
            Store.open(tmp_path / "a\0b")
        with pytest.raises(GpvizError, match="this file already exists"):
            Store.create(tmp_path / "pipe", PLAN)

    @needs_posix
    def test_only_databases_look_like_stores(self, path, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "text").write_text("hello" * 1000)
        (tmp_path / "empty").touch()
        change(tmp_path / "foreign.db", "CREATE TABLE t (x)")
        assert is_store(path)
        assert is_store(tmp_path / "foreign.db")
        for name in ("pipe", "text", "empty", "none", ".", "a\0b"):
            assert not is_store(tmp_path / name)


class TestDamage:
    def test_a_file_cut_off_anywhere_gets_a_sentence(self, path, tmp_path):
        content = path.read_bytes()
        short = tmp_path / "short.gpvizx"
        for size in range(512, len(content), 1500):
            short.write_bytes(content[:size])
            with pytest.raises(GpvizError):
                read_all(short)

    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM experiment",
            "INSERT INTO experiment SELECT * FROM experiment",
            "UPDATE experiment SET plan = x'00'",
            "UPDATE experiment SET name = x'ff'",
            "UPDATE experiment SET name = CAST(x'ff' AS TEXT)",
            "UPDATE experiment SET seconds = 'long'",
            "DELETE FROM cells WHERE cell = 2",
            "INSERT INTO cells VALUES (4, '', '')",
            "UPDATE cells SET totals = ''",
            "UPDATE cells SET totals = '{}' WHERE cell = 3",
            "UPDATE cells SET totals = replace(totals, '\"runs\": 10', '\"runs\": -10')",
            "UPDATE cells SET totals = replace(totals, '\"runs\": 10', '\"runs\": 10.0')",
            f"UPDATE cells SET totals = '{'[' * 100_000}'",
            f"UPDATE cells SET totals = '{'9' * 5_000}'",
            "UPDATE runs SET iterations = 'many' WHERE number = 3",
            "UPDATE runs SET leaves = -1 WHERE number = 3",
            "UPDATE runs SET outcome = 'lost' WHERE number = 3",
            "UPDATE runs SET error = 'none' WHERE number = 3",
            f"UPDATE runs SET wrong_rows = '{'9' * 500}' WHERE number = 3",
            "UPDATE runs SET stuck_since = 'x' WHERE number = 3",
            "ALTER TABLE runs DROP COLUMN full_iterations",
            "UPDATE runs SET number = 'x' WHERE number = 3",
            "UPDATE runs SET number = -3 WHERE number = 3",
            "UPDATE runs SET number = 40 WHERE number = 3",
            "UPDATE paths SET path = 'text' WHERE number = 3",
            "UPDATE paths SET path = zeroblob(5000000) WHERE number = 3",
            "UPDATE experiment SET plan = hex(zeroblob(5000000))",
            "DROP TABLE runs",
            "ALTER TABLE runs ADD COLUMN extra",
            "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM cells; END",
        ],
        ids=lambda statement: statement[:60],
    )
    def test_what_cannot_be_gets_a_sentence(self, path, statement):
        change(path, statement)
        refused(path)

    def test_a_view_in_place_of_a_table_is_never_asked(self, path):
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x AS totals FROM c"
        change(path, "DROP TABLE cells", f"CREATE VIEW cells AS {endless}")
        assert "its tables are not those of an experiment" in refused(path)

    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM runs WHERE number = 3",
            "DELETE FROM paths WHERE number = 3",
            "UPDATE runs SET cell = 1 WHERE number = 3",
            "UPDATE runs SET cell = 77 WHERE number = 3",
            "UPDATE runs SET number = 40 WHERE number = 3",
            "UPDATE runs SET number = -3 WHERE number = 3",
            "UPDATE cells SET totals = (SELECT totals FROM cells WHERE cell = 1)",
        ],
    )
    def test_totals_that_are_not_those_of_the_runs_are_not_continued(self, path, statement):
        change(path, statement)
        before = path.read_bytes()
        assert "so it cannot be continued" in refused(path, continued)
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_an_index_and_other_tables_of_ones_own_do_no_harm(self, path):
        change(path, "CREATE INDEX mine ON runs (iterations)", "CREATE TABLE notes (text)", "ANALYZE")
        read_all(path)
        continued(path)

    def test_a_copy_without_its_log_has_what_was_written_before(self, path, tmp_path):
        copy = tmp_path / "copy.gpvizx"
        with Store.open(path, is_writable=True) as store:
            store.add(chunk(0, 10, 10))
            shutil.copy(path, copy)
        with Store.open(copy, is_writable=True) as store:
            assert store.totals()[0] == chunk(0, 0, 10).totals
            store.add(chunk(0, 10, 30))
            assert store.totals()[0] == chunk(0, 0, 40).totals


class TestFullDisk:
    def test_nothing_is_lost_and_it_goes_on_once_there_is_space(self, path):
        with Store.open(path, is_writable=True) as store:
            ((pages,),) = store.query("PRAGMA page_count")
            store.query(f"PRAGMA max_page_count = {pages}")
            large = chunk(1, 0, 40)
            large = large._replace(rows=[row._replace(path=row.path * 200) for row in large.rows])
            with pytest.raises(GpvizError, match="the disk is full; what was written before is kept"):
                store.add(large)
            assert store.totals()[0] == chunk(0, 0, 10).totals
            assert store.missing(1) == [range(40)]
            store.query("PRAGMA max_page_count = 100000")
            store.add(large)
            assert store.missing(1) == []
        continued(path)

    @needs_posix
    def test_a_file_that_may_not_grow_keeps_what_it_has(self, path):
        import resource  # only such systems have it

        def write_too_much() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
            with Store.open(path, is_writable=True) as store:
                row = chunk(1, 0, 1).rows[0]
                for number in range(40):
                    one = chunk(1, number, 1)
                    store.add(one._replace(rows=[row._replace(number=number, path=b"\0" * 30_000)]))

        said = _said_by(write_too_much, is_nobody=False)
        assert said.startswith(str(path))
        assert said.endswith("; what was written before is kept.")
        with Store.open(path, is_writable=True) as store:
            totals = store.totals()
            assert totals[0] == chunk(0, 0, 10).totals
            assert 0 < totals[1].runs < 40


@needs_posix
class TestProtection:
    """As somebody who is not the administrator, for whom nothing is protected."""

    @pytest.fixture
    def folder(self, path: Path) -> Iterator[Path]:
        folder = Path(tempfile.mkdtemp())
        shutil.copy(path, folder / "small.gpvizx")
        yield folder
        folder.chmod(0o755)
        shutil.rmtree(folder)

    def test_a_write_protected_folder_can_be_read(self, folder):
        folder.chmod(0o555)

        def read() -> None:
            read_all(folder / "small.gpvizx")
            raise GpvizError("all was read.")

        assert _said_by(read) == "all was read."

    @pytest.mark.parametrize("log", [b"", b"x" * 100], ids=["no log", "log"])
    def test_what_is_in_a_write_protected_folder_is_still_known_for_a_store(self, folder, log):
        (folder / "small.gpvizx-wal").write_bytes(log)
        (folder / "text").write_text("hello")
        folder.chmod(0o555)

        def look() -> None:
            found = [name for name in ("small.gpvizx", "text") if is_store(folder / name)]
            raise GpvizError(", ".join(found))

        assert _said_by(look) == "small.gpvizx"

    @pytest.mark.parametrize(("mode", "file_mode"), [(0o555, 0o644), (0o555, 0o444)])
    def test_a_write_protected_folder_is_not_written(self, folder, mode, file_mode):
        (folder / "small.gpvizx").chmod(file_mode)
        folder.chmod(mode)
        before = (folder / "small.gpvizx").read_bytes()
        assert "it cannot be written" in _said_by(lambda: continued(folder / "small.gpvizx"))
        assert "it cannot be written" in _said_by(lambda: Store.create(folder / "new.gpvizx", PLAN).close())
        assert (folder / "small.gpvizx").read_bytes() == before

    def test_a_write_protected_file_is_read_but_not_written(self, folder):
        (folder / "small.gpvizx").chmod(0o444)
        folder.chmod(0o777)
        path = folder / "small.gpvizx"
        assert "it is write-protected" in _said_by(lambda: continued(path))
        assert _said_by(lambda: read_all(path)) == ""

    def test_a_read_protected_file_gets_a_sentence(self, folder):
        path = folder / "small.gpvizx"
        path.chmod(0o000)
        folder.chmod(0o755)
        assert "it is read-protected" in _said_by(lambda: read_all(path))
        folder.chmod(0o000)
        assert "it cannot be read; Permission denied" in _said_by(lambda: read_all(path))
        folder.chmod(0o700)


def _said_by(work: Callable[[], object], *, is_nobody: bool = True) -> str:
    """What another process, not the administrator's, complains of; nothing if it does not."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.getuid() == 0 and is_nobody:
                os.setuid(NOBODY)
            work()
        except GpvizError as error:
            os.write(writing, json.dumps(str(error)).encode())
        except BaseException as error:
            os.write(writing, json.dumps(repr(error)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        content = file.read()
    os.waitpid(child, 0)
    return json.loads(content) if content else ""
