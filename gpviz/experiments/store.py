"""The results of an experiment in an SQLite file: each chunk is written as a whole, or not at all."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import checkpoint
from gpviz.engine.settings import MAX_N, WholeNumber, setting
from gpviz.experiments.chunk_worker import ChunkResult
from gpviz.experiments.plan import PLAN_SETTINGS, Plan
from gpviz.experiments.run_row import FAILED, RunRow
from gpviz.experiments.store_file import (
    WriterLock,
    connect,
    damaged,
    make_file,
    read_plan,
    remove_files,
    sqlite_errors_explained,
)
from gpviz.experiments.totals import Totals
from gpviz.files.file_io import shown_path
from gpviz.runs.step_columns import checked_names, exact_array

OUTCOMES: Final = ("solved", "stuck", "stopped", FAILED)
"""What can become of a run."""

COLUMNS: Final = tuple(field for field in RunRow._fields if field != "path")
"""The columns of the table ``runs`` beside its cell, in their order."""
ROW_SQL: Final = ", ".join(COLUMNS)
"""What to select of a run to have all of them."""

RUN_COLUMNS: Final = (*PLAN_SETTINGS, "seed", *COLUMNS)
"""The columns of a table of runs: the settings of its cell, its own seed, and what is kept of it."""

_KEPT: Final = "what was written before is kept"
_PAGE: Final = 5_000
_MAX_TOTALS: Final = 300_000
"""The most characters of a cell's totals, more than any runs come to: there may be thousands of cells."""
_MAX_DIGITS: Final = len(str(2**MAX_N))
_NULLABLE: Final = ("error", "wrong_rows", "stuck_since")
_WRITTEN_OUT: Final = ("error", "wrong_rows")
"""What may have more than the 64 bits of SQLite's whole numbers."""
_POSITIONS: Final = tuple(
    position for position, name in enumerate(COLUMNS) if name not in ("outcome", *_NULLABLE)
)
_INSERT: Final = (
    f"INSERT INTO runs (cell, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (1 + len(COLUMNS)))})"
)


class StoredRun(NamedTuple):
    """A run in a store: its cell, and what is kept of it; the path is left out."""

    cell: int
    row: RunRow


class Store:
    """An experiment's file. Only one writes it at a time; others may read meanwhile.

    An object is used in one thread; another thread opens the file for itself. Whatever takes long passes
    checkpoints (`gpviz.engine.interruption`), SQLite's own work too, and ends with `Stopped` where nobody waits.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, plan: Plan, lock: WriterLock | None = None
    ) -> None:
        self.path = path
        self.plan = plan
        self.is_writable = lock is not None
        self._connection = connection
        self._lock = lock
        self._is_new = False
        """Whether this object has made the file, and no run has been written into it yet."""

    @classmethod
    def create(cls, path: str | Path, plan: Plan) -> Self:
        """Make the file of an experiment; raises `GpvizError` if there is one of that name."""
        path = Path(path)
        lock = WriterLock(path)
        try:
            if path.exists():
                raise GpvizError(f"{shown_path(path)}: this file already exists and was not changed.")
            make_file(path, plan)
            try:
                store = cls(path, connect(path, is_writable=True), plan, lock)
            except BaseException:
                remove_files(path)  # or the next try would find it
                raise
            store._is_new = True
            return store
        except BaseException:
            lock.close()
            raise

    @classmethod
    def open(cls, path: str | Path, *, is_writable: bool = False) -> Self:
        """Open an experiment's file; raises `GpvizError` where it is none, or one of another format.

        To write it is refused while another does, and where its totals are not those of its runs.
        """
        path = Path(path)
        if not is_writable:
            return cls._opened(path, None)
        connect(path, is_writable=False).close()  # nothing is put beside what is no experiment
        lock = WriterLock(path)
        try:
            return cls._opened(path, lock)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _opened(cls, path: Path, lock: WriterLock | None) -> Self:
        connection = connect(path, is_writable=lock is not None)
        try:
            store = cls(path, connection, read_plan(path, connection), lock)
            if lock is not None:
                store._check_runs()
        except BaseException:
            connection.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.close()

    def close(self, *, keeps_empty: bool = True) -> None:
        """Let go of the file; may be called twice.

        Unless it ``keeps_empty``, a file that it has made goes if there is no run in it.
        """
        is_unwanted, self._is_new = self._is_new and not keeps_empty, False
        try:
            self._connection.close()
        finally:
            if is_unwanted:
                remove_files(self.path)  # while nobody else may write it
            if self._lock is not None:
                self._lock.close()

    def add(self, result: ChunkResult, seconds: float = 0.0) -> None:
        """Write the runs of a chunk and what they come to; if some are there already, nothing of it is.

        ``seconds`` is the time that has passed since some was counted before, see `add_seconds`.
        """
        cell, rows = result.cell, result.rows
        runs = self.plan.runs
        is_known = 0 <= cell < len(self.plan.cells) and all(0 <= row.number < runs for row in rows)
        if not is_known or result.totals.runs != len(rows):
            raise GpvizError(
                f"{shown_path(self.path)}: the runs of cell {cell + 1} are not those of the plan."
            )
        with self._writing() as connection:
            totals = self._totals_of(cell)
            connection.executemany(_INSERT, [(cell, *_stored(row)) for row in rows])
            connection.executemany(
                "INSERT INTO paths VALUES (?, ?, ?)", [(cell, row.number, row.path) for row in rows]
            )
            totals.merge(result.totals)
            connection.execute(
                "UPDATE cells SET totals = ? WHERE cell = ?", (json.dumps(totals.as_dict()), cell)
            )
            connection.execute("UPDATE experiment SET seconds = seconds + ?", (seconds,))
        self._is_new = self._is_new and not rows

    def extend(self, plan: Plan) -> None:
        """Let the experiment have as many runs as this plan, which is otherwise the same."""
        if not self.plan.is_same_experiment(plan):
            raise GpvizError(
                f"{shown_path(self.path)}: it holds another experiment than the plan {plan.name}, and "
                "was not changed."
            )
        with self._writing() as connection:
            (last,) = connection.execute("SELECT max(number) FROM runs").fetchone()
            if last is not None and last >= plan.runs:
                raise GpvizError(
                    f"runs: {plan.runs} is not allowed; there are {last + 1} in {shown_path(self.path)} already."
                )
            connection.execute("UPDATE experiment SET plan = ?", (json.dumps(plan.as_dict()),))
        self.plan = plan

    def add_seconds(self, seconds: float) -> None:
        """Count some more time that was spent on the experiment."""
        with self._writing() as connection:
            connection.execute("UPDATE experiment SET seconds = seconds + ?", (seconds,))

    @property
    def seconds(self) -> float:
        """The time that was spent on it so far, in all sittings together."""
        ((seconds,),) = self.query("SELECT seconds FROM experiment LIMIT 1")
        if not isinstance(seconds, float | int) or not 0 <= seconds < 1e12:
            raise damaged(self.path, "its time is not a number")
        return float(seconds)

    def totals(self, on_progress: Callable[[int, int], object] | None = None) -> list[Totals]:
        """What the runs of each cell come to; read at once, however many runs there are.

        Of thousands of cells with very many variables it takes seconds: ``on_progress`` is called before each cell
        with how many are read, and of how many.
        """
        cells = len(self.plan.cells)
        read: list[Totals] = []
        with sqlite_errors_explained(self.path):
            for (text,) in self._connection.execute(
                "SELECT totals FROM cells ORDER BY cell LIMIT ?", (cells,)
            ):
                if on_progress is not None:
                    on_progress(len(read), cells)
                read.append(self._read_totals(text, len(read)))
        return read

    def missing(self, cell: int) -> list[range]:
        """The numbers of the runs of a cell that are still to be done."""
        checkpoint()
        gaps: list[range] = []
        expected = 0
        with sqlite_errors_explained(self.path):
            for (number,) in self._connection.execute(
                "SELECT number FROM runs WHERE cell = ? ORDER BY number", (cell,)
            ):
                if type(number) is not int or not expected <= number < self.plan.runs:
                    raise damaged(self.path, f"cell {cell + 1} has runs that the plan does not have")
                if number > expected:
                    gaps.append(range(expected, number))
                expected = number + 1
        if expected < self.plan.runs:
            gaps.append(range(expected, self.plan.runs))
        return gaps

    def values(self, cell: int, column: str, *, outcome: str | None = None) -> npt.NDArray[np.int64]:
        """A column of all runs of a cell, or of those with an outcome, by their numbers.

        Runs of which it is not known are left out.
        """
        if column not in COLUMNS or column == "outcome":
            raise ValueError(f"no column of numbers {column!r}")
        chosen = " AND outcome = ?" if outcome is not None else ""
        chosen += f" AND {column} IS NOT NULL" if column in _NULLABLE else ""
        values = (cell,) if outcome is None else (cell, outcome)
        parts = [np.empty(0, dtype=np.int64)]
        count = 0
        with sqlite_errors_explained(self.path):
            cursor = self._connection.execute(
                f"SELECT {column} FROM runs WHERE cell = ?{chosen} ORDER BY number", values
            )
            while found := cursor.fetchmany(_PAGE):
                checkpoint()
                count += len(found)
                if count > self.plan.runs:
                    raise damaged(self.path, f"cell {cell + 1} has more runs than the plan")
                part = np.array([value for (value,) in found])
                if part.dtype != np.int64:  # one is no whole number, or has more than 64 bits
                    raise damaged(
                        self.path, f"{column} of cell {cell + 1} are not all whole numbers of 64 bits"
                    )
                parts.append(part)
        return np.concatenate(parts)

    def columns(self, *names: str) -> dict[str, npt.NDArray[Any]]:
        """All runs as columns: arrays of equal length, by name. pandas takes the dict as it is.

        Without names you get all of `RUN_COLUMNS`, as in a table of runs. Runs come cell by cell, in the order of
        their numbers, and all from one moment, even while more are being written. Where a number is missing, the
        column has floats with nan; where one is too large for a float, Python's own integers and None.
        """
        wanted = checked_names(names or RUN_COLUMNS, RUN_COLUMNS)
        kept = [(COLUMNS.index(name), name) for name in wanted if name in COLUMNS]
        found: dict[str, list[Any]] = {name: [] for _, name in kept}
        cells: list[int] = []
        numbers: list[int] = []
        with sqlite_errors_explained(self.path):
            cursor = self._connection.execute(f"SELECT cell, {ROW_SQL} FROM runs ORDER BY cell, number")
            while part := cursor.fetchmany(_PAGE):
                checkpoint()
                for each in part:
                    cell, row = stored_run(self, each)
                    cells.append(cell)
                    numbers.append(row.number)
                    for position, name in kept:
                        found[name].append(row[position])
                if len(cells) > len(self.plan.cells) * self.plan.runs:
                    raise damaged(self.path, "it has more runs than the plan")
        for name in wanted:
            if name not in found:
                values = [setting(name).plain_value(cell.config) for cell in self.plan.cells]
                found[name] = [values[cell] for cell in cells]
                if name == "seed":
                    found[name] = [seed + number for seed, number in zip(found[name], numbers, strict=True)]
        return {name: _array(name, found[name]) for name in wanted}

    def run(self, cell: int, number: int) -> RunRow:
        """One run, with its path."""
        found = self.query(
            f"SELECT {ROW_SQL}, path FROM runs JOIN paths USING (cell, number) WHERE cell = ? AND number = ?",
            (cell, number),
        )
        if not found:
            raise GpvizError(f"run {number}: cell {cell + 1} has no such run yet.")
        *values, path = found[0]
        return self._row(values, path)

    def paths(self, cell: int) -> Iterator[tuple[int, bytes]]:
        """The improvements of all runs of a cell, by their numbers."""
        for number, path in self._paged("number, path", "paths", cell):
            if type(path) is not bytes:
                raise damaged(
                    self.path, f"the improvements of run {number} of cell {cell + 1} cannot be read"
                )
            yield number, path

    def rows(self, cell: int) -> Iterator[RunRow]:
        """All runs of a cell, by their numbers, without their paths."""
        for found in self._paged(ROW_SQL, "runs", cell):
            yield self._row(found, b"")

    def query(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """What a question in SQL finds; the answer has to be short."""
        with sqlite_errors_explained(self.path):
            return self._connection.execute(statement, values).fetchall()

    def _paged(self, columns: str, table: str, cell: int) -> Iterator[tuple[Any, ...]]:
        """Rows of a cell, whose first column is the number; what is read is never held for long."""
        last, count = -1, _PAGE
        while count == _PAGE:
            checkpoint()
            count = 0
            with sqlite_errors_explained(self.path):
                for found in self._connection.execute(
                    f"SELECT {columns} FROM {table} WHERE cell = ? AND number > ? ORDER BY number LIMIT {_PAGE}",
                    (cell, last),
                ):
                    last = found[0]
                    count += 1
                    if type(last) is not int:
                        raise damaged(self.path, f"cell {cell + 1} has a run whose number is not valid")
                    yield found

    def _row(self, values: "list[Any] | tuple[Any, ...]", path: Any) -> RunRow:
        try:
            return checked_row(values, path)
        except ValueError as error:
            raise damaged(self.path, f"a run of it cannot be read, {error}") from error

    def _check_runs(self) -> None:
        """See that the totals are those of the runs, without which nothing may be added."""
        cells = len(self.plan.cells)
        expected = {cell: totals.runs for cell, totals in enumerate(self.totals()) if totals.runs}
        for table in ("runs", "paths"):
            found = self.query(
                f"SELECT cell, count(*), min(number), max(number) FROM {table} GROUP BY cell LIMIT ?",
                (cells + 1,),
            )
            if {cell: count for cell, count, _, _ in found} != expected:
                raise damaged(self.path, "its totals are not those of its runs, so it cannot be continued")
            for _, _, first, last in found:
                if type(first) is not int or type(last) is not int or first < 0 or last >= self.plan.runs:
                    raise damaged(
                        self.path, "it has runs that its plan does not have, so it cannot be continued"
                    )

    def _totals_of(self, cell: int) -> Totals:
        found = self._connection.execute("SELECT totals FROM cells WHERE cell = ?", (cell,)).fetchone()
        return self._read_totals(found[0], cell)

    def _read_totals(self, text: object, cell: int) -> Totals:
        checkpoint()
        if isinstance(text, str) and len(text) > _MAX_TOTALS:
            raise damaged(
                self.path,
                f"what the runs of cell {cell + 1} come to is {len(text):,} characters long, and"
                f" {_MAX_TOTALS:,} are allowed",
            )
        try:
            # What `parse_json` sees to, such as repeated keys, does no harm here, and this is read very often.
            return Totals.from_dict(json.loads(text) if isinstance(text, str) else None)
        except (GpvizError, ValueError, RecursionError) as error:
            raise damaged(self.path, "what its runs come to cannot be read") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all that is written in it is, or nothing."""
        if not self.is_writable:
            raise ValueError("the experiment was opened to be read")
        with sqlite_errors_explained(self.path, "" if self._is_new else _KEPT):
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # the disk may be full; then the journal is rolled back later
                    connection.execute("ROLLBACK")
                raise


def _array(name: str, values: list[Any]) -> npt.NDArray[Any]:
    """The values of a column as an array of texts or of numbers."""
    if name == "outcome" or (name not in COLUMNS and not isinstance(setting(name).kind, WholeNumber)):
        return np.array(values, dtype=np.str_)
    return exact_array(
        np.array(values, dtype=object), np.array([value is not None for value in values], np.bool_)
    )


def stored_run(store: Store, found: tuple[Any, ...]) -> StoredRun:
    """What a question found whose columns are the cell and those of `COLUMNS`."""
    cell, *values = found
    if type(cell) is not int or not 0 <= cell < len(store.plan.cells):
        raise damaged(store.path, "it has runs of a cell that its plan does not have")
    return StoredRun(cell, store._row(values, b""))


def _stored(row: RunRow) -> Iterator[object]:
    """What SQLite holds of a run: its whole numbers have 64 bits, so larger ones are written out."""
    for name, value in zip(COLUMNS, row, strict=False):
        yield str(value) if name in _WRITTEN_OUT and type(value) is int and value >= 2**63 else value


def checked_row(values: "list[Any] | tuple[Any, ...]", path: Any) -> RunRow:
    """The run that a stranger describes; raises `ValueError` where it is none."""
    row = RunRow._make((*values, path))
    for position in _POSITIONS:
        value = row[position]
        if type(value) is not int or value < 0:
            raise ValueError(f"{COLUMNS[position]} is not a whole number")
    if row.outcome not in OUTCOMES:
        raise ValueError("its outcome is not valid")
    if row.stuck_since is not None and (type(row.stuck_since) is not int or row.stuck_since < 0):
        raise ValueError("stuck_since is not a whole number")
    if type(path) is not bytes:
        raise ValueError("its improvements are not valid")
    if type(row.error) is int and (type(row.wrong_rows) is int or row.wrong_rows is None):
        return row
    return row._replace(error=_large(row.error), wrong_rows=_large(row.wrong_rows))


def _large(value: object) -> int | None:
    """A number that may have been written out."""
    if value is None or type(value) is int:
        return value
    if isinstance(value, str) and len(value) <= _MAX_DIGITS and value.isdecimal() and value.isascii():
        return int(value)
    raise ValueError("its error is not a whole number")
