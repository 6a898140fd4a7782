"""The outlook along a run as a table (.csv), one row for each change of the tree or of the rules.

What a row says holds up to the next one. The first row names the columns:

- ``iteration``: from which on it holds; the first is that of the range. Of a run with very many changes some are
  looked at, among them all around decisive steps; in the rows of the others nothing follows
- ``stuck``: the probability never to reach the error goal, and ``stuck_error`` its standard error
- ``remaining``: the expected number of further iterations of the runs that do reach it, and ``remaining_error``;
  empty where none does, or too few do
- ``is_exact``: 1 where the values are exact, 0 where they are estimated
- ``continuations``: how many runs were done from the tree, and ``given_up`` how many of them came to no end
- ``within``: of a run on samples, in how many iterations it is to be done; ``stuck`` is the probability that it is
  not. ``final_generalisation_error`` is the expected one at its end, and ``final_generalisation_error_error`` the
  standard error of that. Empty for other runs.

The continuations follow from the seed of the run, so the same run gives the same table.
"""

from bisect import bisect_left
from dataclasses import fields
from pathlib import Path
from typing import Final, TextIO

from gpviz.analysis.outlook import Outlook
from gpviz.engine.interruption import Stopped, checkpoint, stoppable
from gpviz.explain.outlook_along_run import RunOutlook
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.files.file_io import replacing
from gpviz.runs.replay import Cancelled

_VALUES: Final = tuple(each.name for each in fields(Outlook))
COLUMNS: Final = ("iteration", *_VALUES)


def write_outlook_table(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None
) -> None:
    """Write what is known of a range; an existing file is replaced once the new one is complete."""
    with replacing(request.path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        _write(file, outlook_of(request, subject, on_progress), request.first)


def write_known(path: Path, run_outlook: RunOutlook) -> None:
    """Write what is known by now."""
    with replacing(path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        _write(file, run_outlook)


def _write(file: TextIO, run_outlook: RunOutlook, first: int = 0) -> None:
    file.write(",".join(COLUMNS) + "\n")
    file.writelines(f"{','.join(row)}\n" for row in rows_of(run_outlook, first))


def outlook_of(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> RunOutlook:
    """The outlook along the range of a request, all of it to the wanted error.

    It takes no notice of what anybody knows already, which may have come about in another order: the same request
    gives the same values.
    """
    run_outlook = RunOutlook(subject.history, first=request.first, last=request.last)
    total = done = 0

    def is_cancelled() -> bool:
        return on_progress is not None and bool(on_progress(done, total))

    with stoppable(is_cancelled):
        try:
            while True:
                done, total = run_outlook.progress()
                checkpoint()  # a chain that is solved already passes none
                job = run_outlook.next_job()
                if job is None:
                    return run_outlook
                job.work()
        except Stopped as stopped:
            raise Cancelled("The outlook was cancelled.") from stopped


def rows_of(run_outlook: RunOutlook, first: int = 0) -> list[tuple[str, ...]]:
    """What is known as texts, in the order of `COLUMNS`; the range begins with iteration ``first``."""
    starts = run_outlook.starts
    known: dict[int, Outlook] = {}
    for point in run_outlook.points():
        stop = len(starts) if point.stop is None else bisect_left(starts, point.stop)
        known |= dict.fromkeys(starts[bisect_left(starts, point.iteration) : stop], point.outlook)
    return [
        (str(max(start, first)), *(_text(getattr(known.get(start), name, None)) for name in _VALUES))
        for start in starts
    ]


def _text(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else repr(value)
