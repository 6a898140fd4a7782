"""Pages of an experiment's runs, read for a table of them: rows of a query, and where in it a run stands.

Each function opens the file for itself, as it works in whatever thread asks for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

from gpviz.engine.interruption import ShouldStop
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.store import Store, StoredRun
from gpviz.experiments.store_query import MAX_PAGE, RunQuery, count_runs, find_row, find_runs

PAGE: Final = 200
"""The rows that are read at a time: more than a window shows."""

_BLOCK: Final = 10
_MOST_SEARCHED: Final = 20_000

Key = tuple[int, int]
"""A run: its cell and its number."""


class RowPosition(NamedTuple):
    """Where a run stood when it was last seen."""

    key: Key
    row: int


class LocatedRow(NamedTuple):
    """Where a run was found, if it was, and which one of all that have its number.

    ``query`` finds it and ``rows`` runs altogether; ``turn`` of ``turns`` counts those of its number, from 1.
    """

    query: RunQuery
    found: RowPosition | None = None
    rows: int = 0
    turn: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsRequest:
    """Some pages of a query. ``kept`` are runs that must be found again after new ones have come between them.

    The first of them stands at the top of what is seen: what is seen moves along with it. ``known`` is the number
    of rows there were, None to count them.
    """

    path: Path
    query: RunQuery
    rows: tuple[range, ...]
    known: int | None = None
    kept: tuple[RowPosition, ...] = ()
    is_refresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsAnswer:
    """Pages by their numbers, how many rows there are, and the new rows of the runs that were to be kept."""

    request: RowsRequest
    count: int
    pages: dict[int, list[StoredRun]] = field(default_factory=dict)
    moved: dict[Key, int] = field(default_factory=dict)


def read_pages(request: RowsRequest, should_stop: ShouldStop) -> RowsAnswer:
    """Read what is asked for; less, where nobody waits for it any more."""
    with Store.open(request.path) as store:
        count = request.known
        if count is None or request.is_refresh:
            count = count_runs(store, request.query)
        answer = RowsAnswer(request=request, count=count)
        if request.is_refresh and count == request.known:
            return answer  # runs come, and neither go nor change
        shift = 0
        if request.kept and request.known is not None:
            answer.moved.update(_found_again(store, request.query, request.kept, count - request.known))
            top = request.kept[0]
            shift = answer.moved.get(top.key, top.row) - top.row
        for page in dict.fromkeys(page for rows in request.rows for page in _pages(rows, shift)):
            if should_stop():
                break
            if page not in answer.pages and page * PAGE < count:
                answer.pages.update(_block(store, request, page))
    return answer


def read_rows(path: Path, query: RunQuery, rows: Sequence[range], should_stop: ShouldStop) -> list[StoredRun]:
    """The runs in some rows of a query; less, where nobody waits for them any more."""
    found: list[StoredRun] = []
    with Store.open(path) as store:
        for some in rows:
            if should_stop():
                break
            found += find_runs(store, query, some.start, len(some))
    return found


def read_run(path: Path, key: Key, _: ShouldStop) -> tuple[Key, RunRow]:
    """A run, with its path."""
    with Store.open(path) as store:
        return key, store.run(*key)


def locate(path: Path, query: RunQuery, number: int, after: Key | None, _: ShouldStop) -> LocatedRow:
    """The first run of this number that a query finds, or the one that comes next behind the run ``after``.

    Where the query asks for an outcome that none of them has, they are looked for among all outcomes. Nothing
    is found where no cell has the run yet.
    """
    with Store.open(path) as store:
        for wider in dict.fromkeys((query, replace(query, outcome=None))):
            found = find_runs(store, replace(wider, number=number), 0, MAX_PAGE)
            keys = [(run.cell, run.row.number) for run in found]
            if keys:
                turn = 0 if after is None or after not in keys else (keys.index(after) + 1) % len(keys)
                row = find_row(store, wider, *keys[turn])
                position = None if row is None else RowPosition(keys[turn], row)
                return LocatedRow(wider, position, count_runs(store, wider), turn + 1, len(keys))
        return LocatedRow(query)


def _block(store: Store, request: RowsRequest, page: int) -> dict[int, list[StoredRun]]:
    """A page; with its neighbours where someone scrolls, as far down a sorted list one costs as much as ten."""
    first, pages = page, 1
    if request.known is not None and not request.is_refresh:
        first, pages = page - page % _BLOCK, _BLOCK
    runs = find_runs(store, request.query, first * PAGE, pages * PAGE)
    return {first + start // PAGE: runs[start : start + PAGE] for start in range(0, len(runs), PAGE)}


def _pages(rows: range, shift: int) -> range:
    return range((rows.start + shift) // PAGE, (max(rows.stop, rows.start + 1) - 1 + shift) // PAGE + 1)


def _found_again(store: Store, query: RunQuery, kept: Sequence[RowPosition], growth: int) -> dict[Key, int]:
    """The new rows of runs: as runs only come, each is where it was, or at most as many rows further."""
    if growth <= 0:
        return {}
    found: dict[Key, int] = {}
    length = min(growth + 1, MAX_PAGE, _MOST_SEARCHED // len(kept))
    for key, row in kept:
        for distance, run in enumerate(find_runs(store, query, row, length)):
            if (run.cell, run.row.number) == key:
                found[key] = row + distance
                break
    return found
