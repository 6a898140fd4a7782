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

from collections.abc import Sequence
from math import isnan
from typing import Final

import numpy as np

from gpviz.engine import RunConfig
from gpviz.engine.tree import variables_of
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.export.run_log import blocks_of, listed
from gpviz.files.file_io import replacing
from gpviz.runs.history import Generalisation, History
from gpviz.runs.step_columns import GENERALISATION_ERROR, STEP_COLUMNS, Block, Snapshot

COLUMNS: Final = (
    "iteration",
    "error",
    "offspring_error",
    "verdict",
    "leaves",
    "ors",
    "distinct",
    "max_leaves",
    GENERALISATION_ERROR,
)


def write_curve_table(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None
) -> None:
    """Write the iterations of a range; an existing file is replaced once the new one is complete."""
    history, first, last = subject.history, request.first, request.last
    snapshot = Snapshot(history)
    shares = _Shares(subject.generalisation)
    template = ",".join(["%s"] * len(COLUMNS)) + "\n"
    with replacing(request.path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        file.write(",".join(COLUMNS) + "\n")
        if first == 0:
            file.write(template % _start(history, shares))
        for block in blocks_of(snapshot, max(first, 1), last, on_progress):
            file.writelines(map(template.__mod__, _rows(snapshot, block, shares)))


def _start(history: History, shares: "_Shares") -> tuple[object, ...]:
    start, error = history.start, history.start_error
    leaves, ors = (0, 0) if start is None else (start.leaves, start.ors)
    distinct = variables_of(start).bit_count()
    most = _max_leaves(history.config_after(0))
    return (
        0,
        "" if error is None else error,
        "",
        "",
        leaves,
        ors,
        distinct,
        most,
        shares.texts([0], [0])[0],
    )


def _rows(snapshot: Snapshot, block: Block, shares: "_Shares") -> "zip[tuple[object, ...]]":
    verdict = STEP_COLUMNS["verdict"]
    iterations = range(block.first + 1, block.stop + 1)
    return zip(
        iterations,
        listed(STEP_COLUMNS["error"].column(block), ""),
        listed(STEP_COLUMNS["offspring_error"].column(block), ""),
        map(verdict.labels.__getitem__, verdict.column(block).values.tolist()),
        block.leaves.tolist(),
        block.ors.tolist(),
        block.distinct.tolist(),
        [_max_leaves(block.config)] * len(iterations),
        shares.texts(iterations, snapshot.changes.iterations[block.numbers]),
        strict=True,
    )


def _max_leaves(config: RunConfig) -> str:
    return "inf" if config.max_leaves is None else str(config.max_leaves)


class _Shares:
    """The generalisation errors, each of which holds until the tree changes."""

    def __init__(self, generalisation: Generalisation | None) -> None:
        known = generalisation or Generalisation()
        self._iterations = known.iterations.copy()
        self._texts = ["" if isnan(share) else repr(share) for share in known.shares.tolist()]

    def texts(self, iterations: Sequence[int], changes: Sequence[int]) -> list[str]:
        """What is known at these iterations, whose trees there have been since these changes."""
        if not self._texts:
            return [""] * len(iterations)
        indices = np.searchsorted(self._iterations, np.asarray(iterations), side="right") - 1
        is_known = (indices >= 0) & (self._iterations[indices] >= np.asarray(changes))
        texts = self._texts
        return [
            texts[index] if known else ""
            for index, known in zip(indices.tolist(), is_known.tolist(), strict=True)
        ]
