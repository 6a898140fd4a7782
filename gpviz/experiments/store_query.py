"""Queries for the runs in a store: filtered, sorted and read page by page, and where in them a run stands."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import ShouldStop
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.store import OUTCOMES, ROW_SQL, Store, StoredRun, stored_run

MAX_PAGE: Final = 10_000
"""The most runs that are read at once."""

_STUCK_FIRST: Final = "CASE outcome WHEN 'stuck' THEN 3 WHEN 'failed' THEN 2 WHEN 'stopped' THEN 1 ELSE 0 END"
_MEASURES: Final = {
    "slowest": "iterations",
    "largest": "leaves",
    "most_ors": "ors",
    "most_ors_accepted": "ors_accepted",
    "longest_wait": "wait",
    "most_accepted": "accepted",
    "most_improved": "improved",
    "most_duplicates": "duplicate_accepted",
    "most_true_error_grew": "true_error_grew",
    "most_full": "1.0 * full_iterations / max(iterations, 1)",
    "stuck_first": _STUCK_FIRST,
}
# Stuck runs among themselves: by their iterations, which are listed, but not by a wait that is as long for each.
_OF_STUCK: Final = {"slowest": "iterations + {away}", "longest_wait": "{away}"}
ORDERS: Final = ("number", *_MEASURES)
"""The orders of runs. ``number`` is by cell and number; the others have what they name first.

A stuck run would go on for ever: its iterations are those until this was proven, and its last wait has no end. So
``slowest`` and ``longest_wait`` have stuck runs last, whichever way round.
"""

_LAST: Final = 2**63 - 1
_NEAR: Final = 5_000
_AWAY: Final = 2**62
"""More than any number of iterations: so far stuck runs are moved away from the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuery:
    """Which runs, and in which order.

    ``cells`` are those asked for, None for all. ``outcome`` is solved, stuck, stopped or failed, None for all.
    ``number`` is that of a run in its cell, ``seed`` its seed; None for all. ``is_descending`` is left out for the
    way round that the order's name says. Runs that are alike in what they are ordered by go by cell and number, so
    pages never overlap.
    """

    cells: tuple[int, ...] | None = None
    outcome: str | None = None
    number: int | None = None
    seed: int | None = None
    order: str = "number"
    is_descending: bool | None = None

    def __post_init__(self) -> None:
        if self.outcome is not None and self.outcome not in OUTCOMES:
            raise InvalidValueError("outcome", self.outcome, " or ".join(repr(name) for name in OUTCOMES))
        if self.order not in ORDERS:
            raise InvalidValueError("order", self.order, " or ".join(repr(name) for name in ORDERS))


def find_runs(store: Store, query: RunQuery, offset: int, limit: int) -> list[StoredRun]:
    """The runs from ``offset`` on, ``limit`` of them where there are so many."""
    if offset < 0 or not 0 <= limit <= MAX_PAGE:
        raise GpvizError(f"a page of {limit} runs from {offset} on cannot be told; at most {MAX_PAGE} can.")
    if offset > _LAST:
        return []
    condition, values = _condition(store, query)
    if query.order != "number" and offset > _NEAR:
        found = _far(store, query, offset, limit)
    else:
        found = _page(store, condition, values, _order(query), offset, limit)
    return [stored_run(store, row) for row in found]


def _page(
    store: Store, condition: str, values: tuple[Any, ...], order: str, offset: int, limit: int
) -> list[tuple[Any, ...]]:
    return store.query(
        f"SELECT cell, {ROW_SQL} FROM runs WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )


def _far(store: Store, query: RunQuery, offset: int, limit: int) -> list[tuple[Any, ...]]:
    """A page far from the beginning: to sort all runs before it would take seconds where there are a million.

    Counting how many have which value tells the value with which the page begins. Those that have it come in the
    order of the file, and of those that come after them only a few have to be sorted.
    """
    condition, values = _condition(store, query)
    measure, direction = _measure(query), _direction(query)
    start = store.query(
        f"SELECT value, before FROM (SELECT {measure} AS value, sum(count(*))"
        f" OVER (ORDER BY {measure} {direction}) - count(*) AS before FROM runs WHERE {condition} GROUP BY 1)"
        " WHERE before <= ? ORDER BY before DESC LIMIT 1",
        (*values, offset),
    )
    if not start:
        return []
    ((value, before),) = start
    found = _page(
        store, f"{condition} AND {measure} = ?", (*values, value), "cell, number", offset - before, limit
    )
    if len(found) < limit:
        after = f"{condition} AND {measure} {'<' if direction == 'DESC' else '>'} ?"
        found += _page(store, after, (*values, value), _order(query), 0, limit - len(found))
    return found


def count_runs(store: Store, query: RunQuery) -> int:
    """How many runs there are; at once, unless a single number or seed is asked for."""
    if query.number is None and query.seed is None:
        totals = store.totals()
        chosen = range(len(totals)) if query.cells is None else _cells(store, query.cells)
        return sum(getattr(totals[cell], query.outcome or "runs") for cell in chosen)
    condition, values = _condition(store, query)
    ((count,),) = store.query(f"SELECT count(*) FROM runs WHERE {condition}", values)
    return int(count)


def find_row(store: Store, query: RunQuery, cell: int, number: int) -> int | None:
    """Where in what a query finds a run stands; None where it is not among them."""
    condition, values = _condition(store, query)
    measure = "0" if query.order == "number" else _measure(query)
    found = store.query(
        f"SELECT {measure} FROM runs WHERE {condition} AND cell = ? AND number = ?", (*values, cell, number)
    )
    if not found:
        return None
    ((value,),) = found
    is_more = _direction(query) == "DESC"
    is_later = query.order == "number" and query.is_descending
    before = (
        f"({measure} {'>' if is_more else '<'} ?"
        f" OR {measure} = ? AND (cell, number) {'>' if is_later else '<'} (?, ?))"
    )
    ((count,),) = store.query(
        f"SELECT count(*) FROM runs WHERE {condition} AND {before}", (*values, value, value, cell, number)
    )
    return int(count)


def _order(query: RunQuery) -> str:
    if query.order == "number":
        direction = "DESC" if query.is_descending else "ASC"
        return f"cell {direction}, number {direction}"
    return f"{_measure(query)} {_direction(query)}, cell, number"


def _measure(query: RunQuery) -> str:
    measure = _MEASURES[query.order]
    if query.order not in _OF_STUCK:
        return measure
    away = -_AWAY if _direction(query) == "DESC" else _AWAY
    return f"CASE outcome WHEN 'stuck' THEN {_OF_STUCK[query.order].format(away=away)} ELSE {measure} END"


def _direction(query: RunQuery) -> str:
    return "ASC" if query.is_descending is False else "DESC"


def _condition(store: Store, query: RunQuery) -> tuple[str, tuple[Any, ...]]:
    parts: list[str] = []
    values: list[Any] = []
    is_single = query.number is not None or query.seed is not None
    if query.cells is not None or is_single:
        # To name all cells lets a single run be looked up in each of them instead of searched for.
        cells = range(len(store.plan.cells)) if query.cells is None else _cells(store, query.cells)
        parts.append(f"cell IN ({', '.join(map(str, cells))})")
    for number in (query.number, None if query.seed is None else query.seed - store.plan.seed):
        if number is not None:
            parts.append("number = ?")
            values.append(number if 0 <= number <= _LAST else -1)
    if query.outcome is not None:
        parts.append("outcome = ?")
        values.append(query.outcome)
    return " AND ".join(parts) or "1", tuple(values)


def _cells(store: Store, cells: tuple[int, ...]) -> list[int]:
    """Those of the plan, each once; of others there are no runs."""
    return sorted({cell for cell in cells if 0 <= cell < len(store.plan.cells)})


PAGE: Final = 200
"""The rows that are read at a time: more than a window shows."""

_BLOCK: Final = 10

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
    rows: range
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
        if request.kept:
            found = {key: find_row(store, request.query, *key) for key, _ in request.kept}
            answer.moved.update({key: row for key, row in found.items() if row is not None})
            top = request.kept[0]
            shift = answer.moved.get(top.key, top.row) - top.row
        for page in _pages(request.rows, shift):
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
