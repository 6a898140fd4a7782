"""The tables of a run: its log (.csv, or JSON lines, .jsonl), its curves (.csv) and its outlook (.csv).

The first row of a table names its columns. Log and curves have a row for each iteration.

The first line of a .jsonl log is an object about the whole log:

- ``format`` is "gpviz-log", ``version`` is 3
- ``config``: the settings at the first iteration
- ``later_configs``: for each later change of settings, an object with ``from`` (an iteration) and ``config``
- ``start``: the formula of the start tree, null for the empty one
- ``script``: the mutations that the run carries out first, if it has a script
- ``first``, ``last``: the first and the last iteration; ``last`` is null in a log that was written while the run
  went on
- ``columns``: the keys of all the other lines

The columns of a .csv log, or the keys of the other lines of a .jsonl log, in this order:

- ``iteration``: from 1; the start has no row
- ``operation``: INS, DEL or SUB
- ``node``: the number of the chosen node of the parent, in preorder; the root is 1
- ``variable``: the drawn variable, from 1
- ``function``: the drawn connective, and or or
- ``side``: where an insertion puts its leaf, left or right
- ``verdict``: improved, neutral, unchanged, worse or too_large
- ``offspring_leaves``: how many leaves the offspring has
- ``offspring_error``, ``parent_error``: on how many rows they are wrong
- ``error``, ``leaves``, ``ors``: of the tree that survived
- ``distinct``: how many different variables it has
- ``full``: whether the parent had as many leaves as the limit allows
- ``duplicate_accepted``: whether an accepted INS or SUB brought a variable that the tree already had
- ``or_accepted``: whether an INS of an OR was accepted
- ``true_error_grew``: whether a sample accepted an offspring whose error on all rows is larger
- ``generalisation_error``: only if there are sampled iterations: the probability that the tree that survived
  is wrong on a random row; missing for the empty tree, and for a tree with too many prime implicants to list,
  whose rows would take long to count
- ``formula``: the tree that survived, as a formula in ASCII, if that is asked for; empty for the empty tree

Truth values are 1 and 0 in a .csv table.

HVL-Prime draws a variable and a connective for every operation, even if it does not use them; ``side`` is
``left`` for all operations but insertions. In a sampled run errors are counted on the iteration's own rows.
An error is empty (null in JSON) where the algorithm does not count it: the empty tree has none, and an
offspring beyond the limit is rejected unseen. Errors are exact, whatever their size.

The table of the curves begins with the start, iteration 0. Its columns:

- ``iteration``: from 0
- ``error``: of the tree that survived; empty if it has none, or if it is not known
- ``offspring_error``: of the offspring; empty at the start and if it was rejected unseen
- ``verdict``: improved, neutral, unchanged, worse or too_large; empty at the start
- ``leaves``, ``ors``, ``distinct``: the leaves, the ORs and the different variables of the tree that survived
- ``max_leaves``: the most leaves a tree may have, ``inf`` without a limit
- ``generalisation_error``: the probability that the tree is wrong on a random row; empty where it is not known

The outlook has a row for each change of the tree or of the rules; a row holds up to the next. Its columns:

- ``iteration``: where the row begins to hold; the first row is at the start of the range. If a run has very
  many changes, only some are examined, including all around decisive steps; the rows of the others are
  otherwise empty
- ``stuck``: the probability of never reaching the error goal, and ``stuck_error`` its standard error
- ``remaining``: the expected number of further iterations of the runs that do reach it, and ``remaining_error``;
  empty if none of them does, or too few do
- ``is_exact``: 1 if the values are exact, 0 if they are estimated
- ``continuations``: how many runs were done from the tree, and ``given_up`` how many of them did not finish
- ``within``: for a sampled run, in how many iterations it is to reach the goal; ``stuck`` is the probability
  that it does not. ``final_generalisation_error`` is the expected one at its end, and
  ``final_generalisation_error_error`` is the standard error of that. Empty for other runs.

The continuations follow from the seed of the run, so the same run gives the same table.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from math import isnan
from pathlib import Path
from typing import Final, TextIO

import numpy as np

from gpviz.analysis.outlook import Outlook
from gpviz.engine import ASCII, Node, RunConfig, Step, format_formula
from gpviz.engine.config import is_full
from gpviz.engine.interruption import Effort, Stopped, checkpoint, stoppable
from gpviz.engine.mutation_script import format_script
from gpviz.engine.target import target_for
from gpviz.engine.tree import variables_of
from gpviz.explain.outlook_along_run import RunOutlook
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.files.file_io import replacing, write_file
from gpviz.runs.history import Generalisation, History
from gpviz.runs.replay import Cancelled
from gpviz.runs.step_columns import (
    FORMULA,
    GENERALISATION_ERROR,
    LOG_COLUMNS,
    STEP_COLUMNS,
    Block,
    Snapshot,
    TreeWalk,
    generalisation_error,
)

FORMAT: Final = "gpviz-log"
VERSION: Final = 3

_OF_CURVES: Final = ("iteration", "error", "offspring_error", "verdict", "leaves", "ors", "distinct")
CURVE_COLUMNS: Final = (*_OF_CURVES, "max_leaves", GENERALISATION_ERROR)

_OF_OUTLOOK: Final = tuple(each.name for each in fields(Outlook))
OUTLOOK_COLUMNS: Final = ("iteration", *_OF_OUTLOOK)

_ROWS: Final = 8192
"""So many rows are made at once, and then it is asked whether to go on; among them, at every tree."""

_COPIED_AT_ONCE: Final = 64
"""So many characters are copied in the time of a small operation."""


def write_log(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None, *, ending: str = ""
) -> None:
    """Write the iterations of a range; an existing file is replaced once the new one is complete.

    ``ending``, csv or jsonl, is for a file whose name does not say.
    """
    history, first, last = subject.history, max(request.first, 1), request.last
    is_sampled = _is_sampled(history, first, last)
    columns = _columns(is_sampled=is_sampled, has_formulas=request.has_formulas)
    kind = _KINDS[ending or request.format.ending](columns)
    with replacing(request.path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        file.write(kind.head(history, first, last))
        snapshot = Snapshot(history)
        target = target_for(history.config.n)
        of_trees: list[_TreeTexts] = []
        if is_sampled:
            of_trees.append(
                _TreeTexts(snapshot, lambda tree: str(kind.text(generalisation_error(tree, target))))
            )
        if request.has_formulas:
            of_trees.append(_TreeTexts(snapshot, partial(format_formula, style=ASCII)))
        _write_rows(file, snapshot, first, last, kind, of_trees, on_progress)


class LogStream:
    """The log of a run that is under way, written step by step; what is written is not kept."""

    def __init__(
        self, write: Callable[[str], object], history: History, ending: str, *, has_formulas: bool
    ) -> None:
        """``history`` says what the run is; it need not have any iterations, then or later."""
        self._config = config = history.config
        self._columns = _columns(is_sampled=config.is_sampled, has_formulas=has_formulas)
        self._kind = _KINDS[ending](self._columns)
        self._target = target_for(config.n)
        self._tree = history.start
        self._of_tree: dict[str, object] | None = None
        self._write = write
        write(self._kind.head(history, 1, None))

    def append(self, step: Step) -> None:
        """Write the next step of the run; passes checkpoints."""
        facts: dict[str, object] = {"full": is_full(self._tree, self._config)}
        if self._of_tree is None or step.tree is not self._tree:
            self._tree, self._of_tree = step.tree, self._facts_of(step.tree)
        facts |= self._of_tree
        values = (facts[name] if name in facts else getattr(step, name) for name in self._columns)
        self._write(self._kind.row % tuple(map(self._kind.text, values)) + "\n")

    def _facts_of(self, tree: Node | None) -> dict[str, object]:
        """What there is to find out about a tree; most steps leave it as it is."""
        ors = 0 if tree is None else tree.ors
        facts: dict[str, object] = {"distinct": variables_of(tree).bit_count(), "ors": ors}
        if GENERALISATION_ERROR in self._columns:
            facts[GENERALISATION_ERROR] = generalisation_error(tree, self._target)
        if FORMULA in self._columns:
            facts[FORMULA] = format_formula(tree, ASCII)
        return facts


def _columns(*, is_sampled: bool, has_formulas: bool) -> tuple[str, ...]:
    return (
        *LOG_COLUMNS,
        *((GENERALISATION_ERROR,) if is_sampled else ()),
        *((FORMULA,) if has_formulas else ()),
    )


def _is_sampled(history: History, first: int, last: int) -> bool:
    """Whether some of these iterations looked at a sample of the rows only."""
    later = (config for begin, config in history.configs if first < begin <= last)
    return any(config.is_sampled for config in (history.config_at(first), *later))


class _TreeTexts:
    """A text about the tree that survived in each iteration; it is made once for each tree."""

    def __init__(self, snapshot: Snapshot, text_of: Callable[[Node | None], str]) -> None:
        self._walk = TreeWalk(snapshot)
        self._text_of = text_of
        self._number = -1
        self._text = ""
        self._effort = Effort()

    def of(self, block: Block) -> Iterator[str]:
        """The text for each iteration of a block; passes checkpoints."""
        for number in block.numbers.tolist():
            if number != self._number:
                self._number, self._text = number, self._text_of(self._walk.tree(number, _is_stopped))
            # Writing a long formula takes time, too.
            self._effort.spend(len(self._text) // _COPIED_AT_ONCE)
            yield self._text


def _blocks_of(snapshot: Snapshot, first: int, last: int, on_progress: OnProgress | None) -> Iterator[Block]:
    """The iterations in blocks of some thousand; raises `Cancelled` between blocks if the user cancels."""
    total = max(last - first + 1, 0)
    row = first - 1
    while row < last:
        block = Block(snapshot, row, min(_ROWS, last - row))
        yield block
        row = block.stop
        _report(row - first + 1, total, on_progress)


class _Kind:
    """What is the same in all rows of a file: the text between the values, and what stands for some of them."""

    def __init__(self, columns: Sequence[str], row: str, nothing: str, flags: tuple[str, str]) -> None:
        self.columns = columns
        self.row = row
        self.nothing = nothing
        self.flags = flags

    def head(self, history: History, first: int, last: int | None) -> str:
        """What comes before the rows."""
        is_table = not self.nothing
        head = ",".join(self.columns) if is_table else json.dumps(_header(history, first, last, self.columns))
        return f"{head}\n"

    def text(self, value: object) -> object:
        """A value as it is put into a row."""
        if value is None:
            return self.nothing
        return self.flags[value] if isinstance(value, bool) else value


_QUOTED: Final = frozenset(
    (FORMULA, *(name for name, column in STEP_COLUMNS.items() if column.labels and not column.is_truth))
)


def _csv(columns: Sequence[str]) -> _Kind:
    return _Kind(columns, ",".join(["%s"] * len(columns)), "", ("0", "1"))


def _json(columns: Sequence[str]) -> _Kind:
    pairs = ", ".join(f'"{name}": "%s"' if name in _QUOTED else f'"{name}": %s' for name in columns)
    return _Kind(columns, f"{{{pairs}}}", "null", ("false", "true"))


_KINDS: Final = {"csv": _csv, "jsonl": _json}


def _header(history: History, first: int, last: int | None, columns: Sequence[str]) -> dict[str, object]:
    later = [
        {"from": begin, "config": config.as_dict()}
        for begin, config in history.configs
        if last is not None and first < begin <= last
    ]
    script = format_script(history.script[: history.script_end], history.start)
    return {
        "format": FORMAT,
        "version": VERSION,
        "config": history.config_at(first).as_dict(),
        "later_configs": later,
        "start": None if history.start is None else format_formula(history.start, ASCII),
        **({"script": script} if script else {}),
        "first": first,
        "last": last,
        "columns": list(columns),
    }


def _write_rows(
    file: TextIO,
    snapshot: Snapshot,
    first: int,
    last: int,
    kind: _Kind,
    of_trees: Sequence[_TreeTexts],
    on_progress: OnProgress | None,
) -> None:
    walk = TreeWalk(snapshot)
    template = kind.row + "\n"
    total = last - first + 1
    for block in _blocks_of(snapshot, first, last, on_progress):

        def ask(block: Block = block) -> bool:
            _report(block.first - first + 1, total, on_progress)
            return False

        with stoppable(ask):  # with large trees a block may take minutes
            block.look_up_all_removed(walk)
            columns = [_column_texts(name, block, kind) for name in LOG_COLUMNS]
            columns += [each.of(block) for each in of_trees]
            file.writelines(map(template.__mod__, zip(*columns, strict=True)))


def _column_texts(name: str, block: Block, kind: _Kind) -> Iterable[object]:
    """The values of a column as they go into the rows."""
    step_column = STEP_COLUMNS[name]
    column = step_column.column(block)
    labels = kind.flags if step_column.is_truth else step_column.labels
    if labels:
        return map(labels.__getitem__, column.values.tolist())
    values: list[object] = column.values.tolist()
    if column.is_defined is not True:
        for row in np.flatnonzero(~column.is_defined).tolist():
            values[row] = kind.nothing
    return values


def _report(done: int, total: int, on_progress: OnProgress | None) -> None:
    if on_progress is not None and on_progress(done, total):
        raise Cancelled(f"The export was cancelled after {done:,} of {total:,} iterations.")


def _is_stopped() -> bool:
    """Never true: who is to stop does so at the checkpoint."""
    checkpoint()
    return False


# --- the curves ---


def write_curve_table(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None
) -> None:
    """Write the iterations of a range; an existing file is replaced once the new one is complete."""
    history, first, last = subject.history, request.first, request.last
    snapshot = Snapshot(history)
    shares = _shares(subject.generalisation, snapshot)
    kind = _csv(CURVE_COLUMNS)
    template = kind.row + "\n"
    with replacing(request.path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        file.write(kind.head(history, first, last))
        if first == 0:
            file.write(template % (*_start_of_curves(history), shares[0]))
        for block in _blocks_of(snapshot, max(first, 1), last, on_progress):
            numbers = block.numbers.tolist()
            columns = [_column_texts(name, block, kind) for name in _OF_CURVES]
            columns.append([_max_leaves(block.config)] * len(numbers))
            columns.append(map(shares.__getitem__, numbers))
            file.writelines(map(template.__mod__, zip(*columns, strict=True)))


def _start_of_curves(history: History) -> tuple[object, ...]:
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
    """The generalisation error of each tree, in their order; empty if it is not known."""
    known = generalisation or Generalisation()
    shares = dict(zip(known.iterations.tolist(), known.shares.tolist(), strict=True))
    found = (shares.get(iteration) for iteration in snapshot.changes.iterations.tolist())
    return ["" if share is None or isnan(share) else repr(share) for share in found]


# --- the outlook ---


def write_outlook_table(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None
) -> None:
    """Write the outlook of a range; an existing file is replaced once the new one is complete."""
    write_known_outlook(request.path, outlook_of(request, subject, on_progress), request.first)


def write_known_outlook(path: Path, run_outlook: RunOutlook, first: int = 0) -> None:
    """Write what is known by now; the range begins with iteration ``first``."""
    rows = (OUTLOOK_COLUMNS, *outlook_rows(run_outlook, first))
    write_file(path, "".join(f"{','.join(row)}\n" for row in rows).encode())


def outlook_of(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> RunOutlook:
    """The outlook along the range of a request, all of it to the wanted error.

    It starts from nothing, because results found earlier may depend on the order of the work: so the same
    request always gives the same values.
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


def outlook_rows(run_outlook: RunOutlook, first: int = 0) -> list[tuple[str, ...]]:
    """What is known as texts, in the order of `OUTLOOK_COLUMNS`; the range begins with iteration ``first``."""
    starts = run_outlook.starts
    known: dict[int, Outlook] = {}
    for point in run_outlook.points():
        stop = len(starts) if point.stop is None else bisect_left(starts, point.stop)
        known |= dict.fromkeys(starts[bisect_left(starts, point.iteration) : stop], point.outlook)
    return [
        (
            str(max(start, first)),
            *(_outlook_text(getattr(known.get(start), name, None)) for name in _OF_OUTLOOK),
        )
        for start in starts
    ]


def _outlook_text(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else repr(value)
