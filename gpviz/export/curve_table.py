"""The data behind the curves as a table (.csv), one row an iteration, the start being iteration 0.

The first row names the columns:

- ``iteration``: from 0
- ``error``: of the tree that survived; empty where it has none, or it is not known
- ``offspring_error``: of the offspring; empty at the start and where it was rejected unseen
- ``verdict``: improved, neutral, unchanged, worse or too_large; empty at the start
- ``leaves``, ``ors``, ``distinct``: the leaves, the ORs and the different variables of the tree that survived
- ``max_leaves``: the most leaves a tree may have, ``inf`` without a limit
- ``generalisation_error``: the probability that the tree is wrong on a random row; empty where it is not known
"""

from math import isnan
from typing import Final

from gpviz.engine import RunConfig
from gpviz.engine.tree import variables_of
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.export.run_log import blocks_of, column_texts, csv_kind
from gpviz.files.file_io import replacing
from gpviz.runs.history import Generalisation, History
from gpviz.runs.step_columns import GENERALISATION_ERROR, Snapshot

_OF_STEPS: Final = ("iteration", "error", "offspring_error", "verdict", "leaves", "ors", "distinct")
COLUMNS: Final = (*_OF_STEPS, "max_leaves", GENERALISATION_ERROR)


def write_curve_table(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None
) -> None:
    """Write the iterations of a range; an existing file is replaced once the new one is complete."""
    history, first, last = subject.history, request.first, request.last
    snapshot = Snapshot(history)
    shares = _shares(subject.generalisation, snapshot)
    kind = csv_kind(COLUMNS)
    template = kind.row + "\n"
    with replacing(request.path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        file.write(kind.head(history, first, last))
        if first == 0:
            file.write(template % (*_start(history), shares[0]))
        for block in blocks_of(snapshot, max(first, 1), last, on_progress):
            numbers = block.numbers.tolist()
            columns = [column_texts(name, block, kind) for name in _OF_STEPS]
            columns.append([_max_leaves(block.config)] * len(numbers))
            columns.append(map(shares.__getitem__, numbers))
            file.writelines(map(template.__mod__, zip(*columns, strict=True)))


def _start(history: History) -> tuple[object, ...]:
    start, error = history.start, history.start_error
    leaves, ors = (0, 0) if start is None else (start.leaves, start.ors)
    distinct = variables_of(start).bit_count()
    return (
        0,
        "" if error is None else error,
        "",
        "",
        leaves,
        ors,
        distinct,
        _max_leaves(history.config_after(0)),
    )


def _max_leaves(config: RunConfig) -> str:
    return "inf" if config.max_leaves is None else str(config.max_leaves)


def _shares(generalisation: Generalisation | None, snapshot: Snapshot) -> list[str]:
    """What is known of the generalisation error of each tree, in the order of the trees."""
    known = generalisation or Generalisation()
    shares = dict(zip(known.iterations.tolist(), known.shares.tolist(), strict=True))
    found = (shares.get(iteration) for iteration in snapshot.changes.iterations.tolist())
    return ["" if share is None or isnan(share) else repr(share) for share in found]
