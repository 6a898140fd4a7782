"""The log of a run as a CSV table, one row an iteration.

The columns are those of `gpviz.engine.Step`: nodes are preorder numbers from 0, variables are numbers from 1,
and an error is empty where the algorithm does not look (the empty tree, an offspring beyond the limit). ``error``,
``leaves`` and ``ors`` belong to the tree that survived.
"""

import csv
import io
import os
from typing import Final

from gpviz.record.files import write_file
from gpviz.record.history import History

__all__ = ["COLUMNS", "write_trace"]

COLUMNS: Final = (
    "iteration",
    "operation",
    "node",
    "variable",
    "function",
    "side",
    "verdict",
    "offspring_leaves",
    "offspring_error",
    "parent_error",
    "error",
    "leaves",
    "ors",
    "is_truly_worse",
)


def write_trace(path: str | os.PathLike[str], history: History) -> None:
    """Write the whole log; an existing file is replaced once the new one is complete."""
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    tree, ors = history.start, 0 if history.start is None else history.start.ors
    for iteration in range(1, len(history) + 1):
        step = history.step_at(iteration)
        if step.tree is not tree:
            tree, ors = step.tree, step.ors  # counting them anew for every iteration would take long
        table.writerow(
            [
                *step[:10],
                step.error,
                step.leaves,
                ors,
                int(step.is_truly_worse),
            ]
        )
    write_file(path, text.getvalue().encode())
