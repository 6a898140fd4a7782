"""An experiment's file as SQLite has it: made in one go, opened with care, and written by one at a time."""

import json
import os
import shutil
import sqlite3
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final
from urllib.parse import quote_from_bytes

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, checkpoint
from gpviz.escaping import terminal_text
from gpviz.experiments.plan import MAX_CELLS, Plan, plan_of
from gpviz.experiments.totals import Totals
from gpviz.files.file_io import (
    file_mode,
    read_error,
    replacing,
    resolved_path,
    shown_path,
    write_error,
)
from gpviz.files.reader import parse_json

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FORMAT: Final = 3
"""The number of the format that is written and read."""
_APPLICATION: Final = 0x67707678  # "gpvx"
_BUSY_S: Final = 10.0
_MAX_LENGTH: Final = 4_000_000
"""The most bytes of a text or a path: a stranger's file must not fill the memory."""

_INSTRUCTIONS: Final = 200_000
"""After so many instructions of SQLite, some milliseconds, it is asked whether anybody waits for its answer."""
_MAX_CELLS_READ: Final = MAX_CELLS + 1
_VAGUE: Final = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says of all that goes wrong with files, also where the disk has no space for its log."""
_OF_DATABASES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""What SQLite says only of files that it has found to be databases."""
_LEAST_FREE: Final = 200_000
_LONGEST_REASON: Final = 100

_SCHEMA: Final = """
CREATE TABLE experiment (name TEXT NOT NULL, plan TEXT NOT NULL, seconds REAL NOT NULL);
CREATE TABLE cells (cell INTEGER PRIMARY KEY, config TEXT NOT NULL, totals TEXT NOT NULL);
CREATE TABLE runs (
    cell INTEGER NOT NULL, number INTEGER NOT NULL, outcome TEXT NOT NULL, iterations INTEGER NOT NULL,
    leaves INTEGER NOT NULL, ors INTEGER NOT NULL, ors_accepted INTEGER NOT NULL, accepted INTEGER NOT NULL,
    improved INTEGER NOT NULL, error, wrong_rows, stuck_since INTEGER, wait_from INTEGER NOT NULL,
    wait INTEGER NOT NULL, duplicate_accepted INTEGER, true_error_grew INTEGER, full_iterations INTEGER, PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE paths (
    cell INTEGER NOT NULL, number INTEGER NOT NULL, path BLOB NOT NULL, PRIMARY KEY (cell, number)
) WITHOUT ROWID;
"""  # noqa: E501 - to the letter what stands in every file


class _Interruption(threading.local):
    """Whether SQLite was interrupted in this thread because nobody waits for it."""

    is_wished = False


_interruption: Final = _Interruption()


class WriterLock:
    """The right to write an experiment's file, held by one at a time; it ends with its process, however that ends.

    It is a lock on an empty file beside it. Readers need none.
    """

    def __init__(self, path: Path) -> None:
        """Take it; raises `GpvizError` if another has it, or if nothing can be written beside the file."""
        try:
            real = resolved_path(path)
            self._path = real.with_name(f"{real.name}-writer")
            self._file: int | None = self._taken()
        except BlockingIOError as error:
            raise GpvizError(f"{shown_path(path)}: another program is writing this experiment.") from error
        except (OSError, ValueError) as error:
            raise write_error(path, error) from error

    def _taken(self) -> int:
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _lock(file)
                if _is_at(file, self._path):
                    return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)  # who had it before has removed it meanwhile

    def close(self) -> None:
        """Give it up; may be called twice."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            # While it is held: later, it might be another's already.
            is_removed = _is_removed(self._path)
        finally:
            os.close(file)
        if not is_removed:  # Windows removes nothing that is open, so this spares the file of another
            _is_removed(self._path)


def _is_removed(path: Path) -> bool:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _lock(file: int) -> None:
    if sys.platform == "win32":
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def make_file(path: Path, plan: Plan) -> None:
    """Make the file of an experiment without a run; killed in the middle of it, there is no file of that name."""
    with sqlite_errors_explained(path, "nothing was changed"), replacing(path) as draft:
        try:
            connection = _connected(draft, "mode=rwc")
            try:
                _fill(connection, plan)
            finally:
                connection.close()
        finally:
            for end in ("-wal", "-shm", "-journal"):
                draft.with_name(draft.name + end).unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, plan: Plan) -> None:
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("INSERT INTO experiment VALUES (?, ?, 0)", (plan.name, json.dumps(plan.as_dict())))
    nothing = json.dumps(Totals().as_dict())
    connection.executemany(
        "INSERT INTO cells VALUES (?, ?, ?)",
        ((cell.number, json.dumps(cell.config.as_dict()), nothing) for cell in plan.cells),
    )
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")


def connect(path: Path, *, is_writable: bool) -> sqlite3.Connection:
    """Open the file and see that it is an experiment's; raises `GpvizError` where it is not."""
    _check_file(path)
    with sqlite_errors_explained(path):
        try:
            # A reader may write too, as far as the file allows it: the last one who closes it tidies the log away.
            connection = _connected_to_store(path, "mode=rw")
        except sqlite3.OperationalError:
            if is_writable or _has_log(path):
                raise
            # The folder is write-protected, so nobody writes the file either.
            connection = _connected_to_store(path, "mode=ro&immutable=1")
        try:
            if is_writable:
                connection.execute("BEGIN IMMEDIATE")
                # No sooner does SQLite say that it is write-protected.
                connection.execute("UPDATE experiment SET seconds = seconds")
                connection.execute("ROLLBACK")
            else:
                connection.execute("PRAGMA query_only = 1")
        except BaseException:
            connection.close()
            raise
    return connection


def _connected_to_store(path: Path, options: str) -> sqlite3.Connection:
    connection = _connected(path, options)
    try:
        _check_identity(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def read_plan(path: Path, connection: sqlite3.Connection) -> Plan:
    """The plan in the file."""
    with sqlite_errors_explained(path):
        found = connection.execute("SELECT name, plan FROM experiment LIMIT 2").fetchall()
        cells = connection.execute(
            "SELECT cell FROM cells ORDER BY cell LIMIT ?", (_MAX_CELLS_READ,)
        ).fetchall()
    if len(found) != 1 or not all(isinstance(text, str) for text in found[0]):
        raise damaged(path, "its plan is missing")
    name, text = found[0]
    try:
        plan = plan_of(name, parse_json(text.encode()))
    except (GpvizError, UnicodeError) as error:
        raise damaged(path, f"its plan cannot be read, {str(error).removesuffix('.')}") from error
    if [cell for (cell,) in cells] != list(range(len(plan.cells))):
        raise damaged(path, "its cells are not those of its plan")
    return plan


def remove_files(path: Path) -> None:
    """Take an experiment's file away, and what SQLite keeps beside it."""
    real = path.resolve()
    for ending in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):  # Windows does not remove what is open
            real.with_name(real.name + ending).unlink(missing_ok=True)


def damaged(path: Path, what: str) -> GpvizError:
    """The sentence about a file that is an experiment's, but cannot be right."""
    return GpvizError(f"{shown_path(path)}: the experiment is damaged; {what}.")


def is_store(path: Path) -> bool:
    """Whether a file looks like an experiment's: it is a database.

    SQLite has to look itself. If any other part of this process opened and closed a database that is in use, the
    system would drop the locks on it.
    """
    try:
        _check_file(path)
    except GpvizError:
        return False
    # Without its log, a database is also read where nothing can be written.
    return any(_is_database(path, options) for options in ("mode=rw", "mode=ro&immutable=1"))


def _is_database(path: Path, options: str) -> bool:
    try:
        with closing(_connected(path, options)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _OF_DATABASES
    except UnicodeDecodeError:  # it complains of a table whose name is no text
        return True
    return True


def _check_file(path: Path) -> None:
    """See that it is a file with something in it; opening a pipe could wait for ever."""
    try:
        mode = file_mode(path)
        size = 0 if mode is None else path.stat().st_size
    except OSError as error:
        raise read_error(path, error) from error
    if mode is None:
        raise GpvizError(f"{shown_path(path)}: there is no such file.")
    if not stat.S_ISREG(mode):
        raise GpvizError(f"{shown_path(path)}: it is not a file.")
    if not os.access(path, os.R_OK):
        raise GpvizError(f"{shown_path(path)}: it cannot be read; it is read-protected.")
    if not size:
        raise GpvizError(f"{shown_path(path)}: it is not an experiment of gpviz; it is empty.")


def _connected(path: Path, options: str) -> sqlite3.Connection:
    # Transactions are begun and ended by the store, not by Python's own idea of when.
    connection = sqlite3.connect(
        sqlite_uri(path.resolve(), options), uri=True, isolation_level=None, timeout=_BUSY_S
    )
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_LENGTH)
        connection.set_progress_handler(_is_unwanted, _INSTRUCTIONS)
        # With a log beside the file, a crash of the program loses nothing, one of the machine the last moments.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA trusted_schema = 0")
    except BaseException:
        connection.close()
        raise
    return connection


def sqlite_uri(path: PurePath, options: str) -> str:
    """An absolute path as SQLite reads it.

    A share of Windows belongs into the path, ``file:////server/share/...``: as the host, where `Path.as_uri` puts
    it, SQLite refuses it. That is also where a mapped drive leads.
    """
    quoted = quote_from_bytes(os.fsencode(path.as_posix()), safe="/:")
    return f"file://{'' if quoted.startswith('/') else '/'}{quoted}?{options}"


def _is_unwanted() -> bool:
    """Whether nobody waits for what SQLite is doing in this thread."""
    try:
        checkpoint()
    except Stopped:
        _interruption.is_wished = True  # SQLite passes no exception on
        return True
    return False


def _check_identity(path: Path, connection: sqlite3.Connection) -> None:
    path_text = shown_path(path)
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise GpvizError(f"{path_text}: it is a database, but not an experiment of gpviz; it stays as it is.")
    ((version,),) = connection.execute("PRAGMA user_version")
    if version != FORMAT:
        raise GpvizError(
            f"{path_text}: it is an experiment in format {version}, and this gpviz knows format {FORMAT};"
            " it stays as it is."
        )
    # Another's triggers and views could do anything, so the tables are ours or it is not opened.
    found = connection.execute(_LIST_OF_TABLES).fetchall()
    if any(kind == "trigger" for kind, _, _ in found) or not _tables() <= set(found):
        raise damaged(path, "its tables are not those of an experiment")


_LIST_OF_TABLES: Final = "SELECT type, name, sql FROM sqlite_master WHERE type <> 'index' LIMIT 100"


@cache
def _tables() -> set[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return set(connection.execute(_LIST_OF_TABLES).fetchall())


def _has_log(path: Path) -> bool:
    """Whether runs are in the log beside the file, which is read only where it can be written."""
    log = path.resolve().with_name(f"{path.resolve().name}-wal")
    return log.exists() and log.stat().st_size > 0


@contextmanager
def sqlite_errors_explained(path: Path, kept: str = "") -> Iterator[None]:
    """Turn SQLite's errors into a `GpvizError` with a sentence, which ends with what is ``kept``.

    If SQLite was interrupted, raises `Stopped`.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a mistake of ours
    except UnicodeDecodeError as error:  # a complaint about something whose name is no text
        raise damaged(path, "a part of the file has been changed") from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            is_wished, _interruption.is_wished = _interruption.is_wished, False
            # If nobody wished it, Ctrl-C was pressed while SQLite asked, which Python has dropped.
            raise Stopped if is_wished else KeyboardInterrupt from None
        ending = f"; {kept}" if kept else ""
        raise GpvizError(f"{shown_path(path)}: {_reason(error, path)}{ending}.") from error


def _reason(error: sqlite3.Error, path: Path) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _VAGUE and _is_disk_full(path):
        code = sqlite3.SQLITE_FULL
    if str(error).startswith("Could not decode"):  # Python goes on with all of the text
        return "the experiment is damaged; a text in it is not UTF-8"
    known = {
        sqlite3.SQLITE_BUSY: "another program is writing this experiment",
        sqlite3.SQLITE_LOCKED: "another program is writing this experiment",
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_READONLY: "it cannot be written; it is write-protected",
        sqlite3.SQLITE_NOTADB: "it is not an experiment of gpviz",
        sqlite3.SQLITE_CORRUPT: "the experiment is damaged; a part of the file is missing or has been changed",
        sqlite3.SQLITE_CONSTRAINT: "some of these runs are in it already",
    }
    return known.get(code) or f"it cannot be read or written; {terminal_text(str(error)[:_LONGEST_REASON])}"


def _is_disk_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.absolute().parent).free < _LEAST_FREE
    except OSError:
        return False
