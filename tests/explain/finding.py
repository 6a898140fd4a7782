"""What a query finds in a whole run, for tests."""

from collections.abc import Callable

from gpviz.explain.query import Finder, Query
from gpviz.runs.history import History
from gpviz.runs.step_columns import Snapshot


def find_all(
    query: Query,
    history: History,
    start: int = 1,
    stop: int | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> list[int]:
    """The recorded iterations the query asks for, in their order."""
    finder = Finder(query, Snapshot(history), start, stop)
    found: list[int] = []
    while not finder.is_done:
        found += finder.go_on(should_stop).tolist()
        if should_stop is not None and should_stop():
            break
    return found
