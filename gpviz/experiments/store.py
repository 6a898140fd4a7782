"""The results of an experiment in an SQLite file: each chunk is written as a whole, or not at all."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gpviz.engine.errors import GpvizError
from gpviz.experiments.batch import ChunkResult, RunRow
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.totals import Totals
from gpviz.record.files import shown_path

__all__ = ["COLUMNS", "FORMAT", "Store", "StoredRun", "is_store"]

FORMAT: Final = 1
_APPLICATION: Final = 0x67707678  # "gpvx"
_SQLITE: Final = b"SQLite format 3\x00"
_BUSY_S: Final = 10.0

COLUMNS: Final = tuple(field for field in RunRow._fields if field != "path")
"""The columns of the table ``runs`` beside its cell, in their order."""

_SCHEMA: Final = """
CREATE TABLE experiment (name TEXT NOT NULL, plan TEXT NOT NULL, seconds REAL NOT NULL);
CREATE TABLE cells (cell INTEGER PRIMARY KEY, config TEXT NOT NULL, totals TEXT NOT NULL);
CREATE TABLE runs (
    cell INTEGER NOT NULL, number INTEGER NOT NULL, outcome TEXT NOT NULL, iterations INTEGER NOT NULL,
    leaves INTEGER NOT NULL, ors INTEGER NOT NULL, ors_accepted INTEGER NOT NULL, accepted INTEGER NOT NULL,
    improved INTEGER NOT NULL, error, wrong_rows, stuck_since INTEGER, wait_from INTEGER NOT NULL,
    wait INTEGER NOT NULL, PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE paths (
    cell INTEGER NOT NULL, number INTEGER NOT NULL, path BLOB NOT NULL, PRIMARY KEY (cell, number)
) WITHOUT ROWID;
"""


class StoredRun(NamedTuple):
    """A run in a store: its cell, and what is kept of it; the path is left out."""

    cell: int
    row: RunRow


class Store:
    """An experiment's file. Only one writes it at a time; others may read meanwhile.

    An object is used in one thread; another thread opens the file for itself.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, plan: Plan, *, is_writable: bool) -> None:
        self.path = path
        self.plan = plan
        self.is_writable = is_writable
        self._connection = connection

    @classmethod
    def create(cls, path: Path, plan: Plan) -> Self:
        """Make the file of an experiment; raises `GpvizError` if there is one of that name."""
        if path.exists():
            raise GpvizError(f"{shown_path(path)}: there is a file of that name; it stays as it is.")
        with _telling(path):
            connection = _connect(path, "rwc")
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                connection.execute(
                    "INSERT INTO experiment VALUES (?, ?, 0)", (plan.name, json.dumps(plan.as_dict()))
                )
                connection.executemany(
                    "INSERT INTO cells VALUES (?, ?, ?)",
                    (
                        (cell.number, json.dumps(cell.config.as_dict()), json.dumps(Totals().as_dict()))
                        for cell in plan.cells
                    ),
                )
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, plan, is_writable=True)

    @classmethod
    def open(cls, path: Path, *, is_writable: bool = False) -> Self:
        """Open an experiment's file; raises `GpvizError` where it is none, or one of another version."""
        if not path.is_file():
            raise GpvizError(f"{shown_path(path)}: there is no such file.")
        if not is_store(path):
            raise GpvizError(f"{shown_path(path)}: it is not an experiment of gpviz.")
        with _telling(path):
            connection = _connect(path, "rw" if is_writable else "ro")
            try:
                application = connection.execute("PRAGMA application_id").fetchone()[0]
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if application != _APPLICATION:
                    raise GpvizError(
                        f"{shown_path(path)}: it is a database, but not an experiment of gpviz; it stays as it is."
                    )
                if version != FORMAT:
                    raise GpvizError(
                        f"{shown_path(path)}: it is an experiment in format {version}; this gpviz knows format"
                        f" {FORMAT}."
                    )
                name, plan = connection.execute("SELECT name, plan FROM experiment").fetchone()
                found = plan_of(name, json.loads(plan))
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, found, is_writable=is_writable)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was written is in it."""
        if self.is_writable:
            with suppress(sqlite3.Error):  # what is in the log beside the file is as safe as in the file
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def add(self, result: ChunkResult) -> None:
        """Write the runs of a chunk, all of them or, where that fails, none; those that are there stay."""
        cell = result.cell
        with self._writing() as connection:
            connection.executemany(
                f"INSERT INTO runs VALUES (?{', ?' * len(COLUMNS)})",
                (
                    (cell, *row[:8], _number(row.error), _number(row.wrong_rows), *row[10:13])
                    for row in result.rows
                ),
            )
            connection.executemany(
                "INSERT INTO paths VALUES (?, ?, ?)", ((cell, row.number, row.path) for row in result.rows)
            )
            totals = self._totals_of(cell)
            totals.merge(result.totals)
            connection.execute(
                "UPDATE cells SET totals = ? WHERE cell = ?", (json.dumps(totals.as_dict()), cell)
            )

    def extend(self, plan: Plan) -> None:
        """Let the experiment have as many runs as this plan, which is otherwise the same."""
        with self._writing() as connection:
            connection.execute("UPDATE experiment SET plan = ?", (json.dumps(plan.as_dict()),))
        self.plan = plan

    def add_seconds(self, seconds: float) -> None:
        """Count some more time that was spent on the experiment."""
        with self._writing() as connection:
            connection.execute("UPDATE experiment SET seconds = seconds + ?", (seconds,))

    @property
    def seconds(self) -> float:
        """The time that was spent on it so far, in all sittings together."""
        with _telling(self.path):
            return float(self._connection.execute("SELECT seconds FROM experiment").fetchone()[0])

    def totals(self) -> list[Totals]:
        """What the runs of each cell come to; read at once, however many runs there are."""
        with _telling(self.path):
            found = self._connection.execute("SELECT totals FROM cells ORDER BY cell").fetchall()
        return [Totals.from_dict(json.loads(text)) for (text,) in found]

    def missing(self, cell: int) -> list[range]:
        """The numbers of the runs of a cell that are still to be done."""
        with _telling(self.path):
            found = self._connection.execute(
                "SELECT number FROM runs WHERE cell = ? ORDER BY number", (cell,)
            )
            gaps: list[range] = []
            expected = 0
            for (number,) in found:
                if number > expected:
                    gaps.append(range(expected, number))
                expected = number + 1
        if expected < self.plan.runs:
            gaps.append(range(expected, self.plan.runs))
        return gaps

    def values(self, cell: int, column: str, *, outcome: str | None = None) -> npt.NDArray[np.int64]:
        """A column of all runs of a cell, or of those with an outcome, by their numbers."""
        _check_column(column)
        chosen = "" if outcome is None else "AND outcome = ?"
        values = (cell,) if outcome is None else (cell, outcome)
        with _telling(self.path):
            found = self._connection.execute(
                f"SELECT {column} FROM runs WHERE cell = ? {chosen} ORDER BY number", values
            )
            return np.fromiter((value for (value,) in found), dtype=np.int64)

    def run(self, cell: int, number: int) -> RunRow:
        """One run, with its path."""
        with _telling(self.path):
            found = self._connection.execute(
                f"SELECT {', '.join(COLUMNS)} FROM runs WHERE cell = ? AND number = ?", (cell, number)
            ).fetchone()
            path = self._connection.execute(
                "SELECT path FROM paths WHERE cell = ? AND number = ?", (cell, number)
            ).fetchone()
        if found is None or path is None:
            raise GpvizError(f"run {number}: cell {cell + 1} has no such run yet.")
        return _row(found, path[0])

    def paths(self, cell: int) -> Iterator[tuple[int, bytes]]:
        """The improvements of all runs of a cell, by their numbers."""
        with _telling(self.path):
            yield from self._connection.execute(
                "SELECT number, path FROM paths WHERE cell = ? ORDER BY number", (cell,)
            )

    def rows(self, cell: int) -> Iterator[RunRow]:
        """All runs of a cell, by their numbers, without their paths."""
        with _telling(self.path):
            for found in self._connection.execute(
                f"SELECT {', '.join(COLUMNS)} FROM runs WHERE cell = ? ORDER BY number", (cell,)
            ):
                yield _row(found, b"")

    def _totals_of(self, cell: int) -> Totals:
        found = self._connection.execute("SELECT totals FROM cells WHERE cell = ?", (cell,)).fetchone()
        return Totals.from_dict(json.loads(found[0]))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all that is written in it is, or nothing."""
        with _telling(self.path):
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # the disk may be full; then the journal is rolled back later
                    connection.execute("ROLLBACK")
                raise


def is_store(path: Path) -> bool:
    """Whether a file looks like an experiment's: it is a database."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Transactions are begun and ended here, not by Python's own idea of when.
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=_BUSY_S
    )
    # With a log beside the file, a crash of the program loses nothing and one of the machine the last moments.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Tell what SQLite complains of in a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise GpvizError(f"{shown_path(path)}: {_words(error)}; what was written before is kept.") from error


def _words(error: sqlite3.Error) -> str:
    text = str(error)
    if "locked" in text or "busy" in text:
        return "another program is writing this experiment"
    if "full" in text:
        return "the disk is full"
    return f"it cannot be read or written, {text}"


def _check_column(column: str) -> None:
    if column not in COLUMNS:
        raise ValueError(f"no column {column!r}")


def _number(value: int | None) -> int | str | None:
    """What SQLite holds: its whole numbers have 64 bits, so larger ones are written out."""
    return value if value is None or -(2**63) <= value < 2**63 else str(value)


def _row(found: Iterable[Any], path: bytes) -> RunRow:
    values: list[Any] = list(found)
    for position in (8, 9):  # errors may be written out
        if values[position] is not None:
            values[position] = int(values[position])
    values.append(path)
    return RunRow._make(values)
