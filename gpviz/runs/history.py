"""The history of a run: the append-only log of its iterations, its fingerprint, and searching in it."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.formula import format_formula
from gpviz.engine.interruption import checkpoint
from gpviz.engine.mutation import Mutation, apply, apply_all, fresh_uids, leaves_after
from gpviz.engine.mutation_script import Script, normal_form
from gpviz.engine.prime_implicants import TooMany, masks_of
from gpviz.engine.step import Step
from gpviz.engine.target import target_for
from gpviz.engine.tree import ROOT, Node, largest_uid, nodes_of, svg_of, variables_of
from gpviz.number_text import counted
from gpviz.runs.append_only_columns import Column, read_only
from gpviz.runs.step_columns import LOG_COLUMNS, Snapshot, arrays_of
from gpviz.runs.step_encoding import (
    FIELDS,
    LEFT_OUT,
    STRIDE,
    Changes,
    Encoder,
    Property,
    Rows,
    count_rows,
    has_property,
    next_row,
    previous_row,
    verdicts_of,
)

MAX_ITERATIONS: Final = 10_000_000
"""The longest run that is recorded and saved."""

Origin = tuple[RunConfig, Node | None, Script]
"""The configuration, the start tree and the script of a run, which together determine it."""

_MOST_RECENT: Final = 2_000
_MOST_DENSE: Final = 200_000
_SPARSE_STRIDE: Final = 8 * STRIDE
"""The latest trees are all kept; then one in `STRIDE`, and of those of very long ago one in eight times that."""

_MOST_MADE_AGAIN: Final = 4096
"""How many old trees are remembered once they were looked at, so that they stay the same objects."""

_ROW_TYPES: Final[Sequence[type[np.generic]]] = (np.uint8, np.uint32, np.uint16, np.int64, np.int64)
_CHANGE_TYPES: Final[Sequence[type[np.generic]]] = (np.int64, np.int64, np.int64, np.uint16, np.bool_)
_TAG: Final = b"gpviz-log 1\n"
_BLOCK: Final = 1 << 16
_MAX_PENDING: Final = 512
_MOST_COUNTED: Final = 12
"""Counting the rows of a function with at most this many prime implicants takes no time."""


class Log:
    """The stored form of a history: a row of 23 bytes for each iteration, and the trees it went through.

    Row r belongs to iteration r + 1. A tree shares most of its nodes with the one before, but what it does not
    share adds up in a run of millions. So only some of the old trees are kept; any other is made again from the
    last one kept and the mutations since.
    """

    def __init__(
        self,
        encoder: Encoder,
        columns: Sequence[Column[Any]],
        change_columns: Sequence[Column[Any]],
        kept: "KeptTrees",
        first_uid: int,
    ) -> None:
        """The columns have a row for each iteration, the change columns one for each new tree, as in `Changes`."""
        self.encoder = encoder
        self.error_codes = encoder.error_codes
        self.columns = columns
        self.codes, self.node_indices, self.variables, self.parent_errors, self.offspring_errors = columns
        self.change_columns = change_columns
        self._change_iterations, self._change_leaves, self._change_ors, _, _ = change_columns
        self._kept = kept
        self._first_uid = first_uid
        self._made_again: OrderedDict[int, Any] = OrderedDict()
        self._large_errors = 0

    @classmethod
    def of_start(cls, start: Node | None) -> "Log":
        """A log without iterations."""
        change_columns: list[Column[Any]] = [Column(dtype) for dtype in _CHANGE_TYPES]
        leaves, ors = (0, 0) if start is None else (start.leaves, start.ors)
        for column, value in zip(
            change_columns, (0, leaves, ors, variables_of(start).bit_count(), False), strict=True
        ):
            column.extend(np.array([value]))
        columns: list[Column[Any]] = [Column(dtype) for dtype in _ROW_TYPES]
        return cls(Encoder(start), columns, change_columns, KeptTrees(start), largest_uid(start) + 1)

    @property
    def large_errors(self) -> list[int]:
        """The errors in it that are too large for a column; the encoder may know more."""
        return self.error_codes.large[: self._large_errors]

    def beginning(self, iterations: int) -> "Log":
        """A new log with the first iterations of this one, which shares what it can with it."""
        changes = self._change_iterations.searchsorted(iterations, side="right")
        tree = self.tree(iterations)
        columns = [column.beginning(iterations) for column in self.columns]
        large_errors = _large_errors_in(*columns[-2:])
        encoder = Encoder.after(
            length=iterations,
            changes=changes,
            tree=tree,
            error_codes=self.error_codes.beginning(large_errors),
        )
        change_columns = [column.beginning(changes) for column in self.change_columns]
        kept = self._kept.beginning(changes, tree)
        copy = Log(encoder, columns, change_columns, kept, self._first_uid)
        copy._made_again.update(
            (number, made) for number, made in self._made_again.items() if number < changes - 1
        )
        copy._large_errors = large_errors
        return copy

    def add(self, rows: Rows) -> None:
        """Add these iterations at the end."""
        for column, values in zip(
            (*self.columns, *self.change_columns), (*rows.columns, *rows.changes), strict=True
        ):
            column.extend(values)
        self._large_errors = rows.large_errors
        self._kept.add(rows.trees)

    def mutation(self, row: int) -> Mutation:
        """The mutation that was drawn."""
        fields = FIELDS[self.codes[row]]
        node = self.node_indices[row] + 1
        return Mutation(fields.operation, node, self.variables[row], fields.function, fields.side)

    def tree(self, iteration: int) -> Node | None:
        """The tree that survived this iteration; at 0 the start."""
        number = self._change_iterations.searchsorted(iteration, side="right") - 1
        kept = self._kept.get(number)
        return self._tree_made_again(number) if kept is LEFT_OUT else cast("Node | None", kept)

    def sizes(self, iteration: int) -> tuple[int, int]:
        """The leaves and the ORs of the tree that survived this iteration."""
        number = self._change_iterations.searchsorted(iteration, side="right") - 1
        return self._change_leaves[number], self._change_ors[number]

    def last_resized(self, iteration: int) -> int:
        """The last iteration up to this one in which the number of leaves changed; 0 if there is none."""
        stop = self._change_iterations.searchsorted(iteration, side="right")
        while stop > 1:
            start = max(stop - _BLOCK, 1)
            leaves = self._change_leaves.view(start - 1, stop)
            resized = np.flatnonzero(leaves[1:] != leaves[:-1])
            if len(resized):
                return int(self._change_iterations[start + int(resized[-1])])
            stop = start
        return 0

    def changes(self) -> Changes:
        """The iterations that changed the tree, and its size from then on."""
        return Changes(*(column.view() for column in self.change_columns))

    def _tree_made_again(self, number: int) -> Node | None:
        made: Node | None = self._made_again.get(number)
        if made is not None:
            self._made_again.move_to_end(number)
            return made
        start = number - 1
        while (tree := self._made_again.get(start, self._kept.get(start))) is LEFT_OUT:
            start -= 1
        changes = [
            (self.mutation(iteration - 1), fresh_uids(self._first_uid, iteration))
            for iteration in self._change_iterations.view(start + 1, number + 1).tolist()
        ]
        made = apply_all(cast("Node | None", tree), changes)
        self._made_again[number] = made
        if len(self._made_again) > _MOST_MADE_AGAIN:
            self._made_again.popitem(last=False)
        return made


class KeptTrees:
    """The trees that a log keeps, by number: all of the latest, and one in so many of the old ones.

    A copy made by `beginning` looks up the trees that it begins with in the original.
    """

    def __init__(self, start: Node | None) -> None:
        self._trees: dict[int, Any] = {0: start}
        self._length = 1
        self._thinned = 0
        self._sparse = 0
        self._begun: tuple[tuple[int, dict[int, Any]], ...] = ()

    def __len__(self) -> int:
        return self._length

    def beginning(self, length: int, last: Node | None) -> "KeptTrees":
        """A copy with the first trees; ``last`` is the last of them, which may have been left out."""
        copy = KeptTrees(None)
        begun = [(until, trees) for until, trees in self._begun if until < length - 1]
        following = [trees for until, trees in self._begun if until >= length - 1]
        copy._begun = (*begun, (length - 1, following[0] if following else self._trees))
        copy._trees = {length - 1: last}
        copy._length = length
        copy._thinned = max(length - 1 - _MOST_RECENT, 0) // STRIDE * STRIDE
        copy._sparse = max(length - 1 - _MOST_DENSE, 0) // _SPARSE_STRIDE * _SPARSE_STRIDE
        return copy

    def get(self, number: int) -> Any:
        """The tree of this number, or `LEFT_OUT`."""
        for until, trees in self._begun:
            if number < until:
                return trees.get(number, LEFT_OUT)
        return self._trees.get(number, LEFT_OUT)

    def add(self, trees: list[Any]) -> None:
        """Add trees at the end, some of which may be left out already."""
        for number, tree in enumerate(trees, start=self._length):
            if tree is not LEFT_OUT:
                self._trees[number] = tree
        self._length += len(trees)
        if self._length - self._thinned > _MOST_RECENT + STRIDE:
            self._thin_out()

    def _thin_out(self) -> None:
        """Drop old trees but for one in so many; the others follow from it and the mutations."""
        last = self._length - _MOST_RECENT
        while self._thinned + STRIDE < last:
            first, self._thinned = self._thinned + 1, self._thinned + STRIDE
            for number in range(first, self._thinned):
                self._trees.pop(number, None)
        while self._sparse + _SPARSE_STRIDE < self._thinned - _MOST_DENSE:
            first, self._sparse = self._sparse + STRIDE, self._sparse + _SPARSE_STRIDE
            for number in range(first, self._sparse, STRIDE):
                self._trees.pop(number, None)


def _large_errors_in(*columns: Column[np.int64]) -> int:
    """How many large errors occur in these rows; their codes are -2, -3, ... as they first appear."""
    smallest = min((int(part.min()) for column in columns for part in column.parts()), default=0)
    return max(0, -1 - smallest)


class RunningFingerprint:
    """The fingerprint of a log that grows: a hash that is the same for equal logs on any two machines.

    It is the SHA-256 of, one after the other,

    - the tag ``gpviz-log 1`` and a line feed;
    - the SHA-256 of the rows, in blocks of 65,536 rows (the last may be shorter), each block column by column,
      nodes as their numbers less one;
    - the number of rows, and the number of errors that have a negative code for being too large for 63 bits;
    - each of those errors: the number of its bytes, then the bytes;
    - the final tree: the length of its ASCII formula, the formula, and the uids of its nodes in preorder.

    All numbers are little-endian; those not in a column have 64 bits. Only new blocks are hashed when it is asked
    again.
    """

    def __init__(self, columns: Sequence[Column[Any]]) -> None:
        self._columns = columns
        self._hashed_rows = 0
        self._blocks = hashlib.sha256()

    def __reduce__(self) -> tuple[object, ...]:
        return (RunningFingerprint, (self._columns,))  # hashed anew, as a hash that has begun cannot be kept

    def of(self, large_errors: Sequence[int], tree: Node | None) -> str:
        """The fingerprint of the rows there are now, with these large errors and this final tree."""
        rows = len(self._columns[0])
        while self.absorb_block():
            checkpoint()
        all_rows = self._blocks.copy()
        self._add_block(all_rows)

        whole = hashlib.sha256(_TAG + all_rows.digest())
        whole.update(_numbers([rows, len(large_errors)]))
        for error in large_errors:
            digits = error.to_bytes((error.bit_length() + 7) // 8, "little")
            whole.update(_numbers([len(digits)]) + digits)
        formula = format_formula(tree).encode("ascii")
        whole.update(_numbers([len(formula)]) + formula)
        whole.update(_numbers(node.uid for node in nodes_of(tree)))
        return f"sha256:{whole.hexdigest()}"

    def absorb_block(self) -> bool:
        """Hash one more block, if there is a whole one; called often, it keeps the fingerprint up to date."""
        if self._hashed_rows + _BLOCK > len(self._columns[0]):
            return False
        self._add_block(self._blocks)
        self._hashed_rows += _BLOCK
        return True

    def _add_block(self, hasher: Any) -> None:
        for column in self._columns:
            rows = column.view(self._hashed_rows, self._hashed_rows + _BLOCK)
            hasher.update(rows.astype(rows.dtype.newbyteorder("<"), copy=False).tobytes())


def _numbers(numbers: Iterable[int]) -> bytes:
    return np.fromiter(numbers, dtype="<u8").tobytes()


class History:
    """All that happened in the run of ``config`` from ``start``.

    The iterations up to ``script_end`` carry out the ``script`` of the run. A branch has the script of its run,
    too, but draws its own mutations from where it forks.

    Iterations count from 1; iteration 0 is the start, which has a tree and an error but no step. The arrays are
    read-only and never change; ask again to see later iterations. Their ``start`` and ``stop`` are iterations,
    with ``stop`` left out as in a range; element 0 belongs to iteration ``start``.
    """

    def __init__(self, config: RunConfig, start: Node | None = None, script: Script = ()) -> None:
        self.config = config
        self.start = start
        self.script = script
        self.script_end = len(script)
        self.first_uid = largest_uid(start) + 1
        self._length = 0
        self._log = Log.of_start(start)
        self._pending: list[Step] = []  # many at once enter the log far faster than one by one
        self._fingerprint = RunningFingerprint(self._log.columns)
        self._proof = (-1, "")  # how many iterations were fingerprinted last, and what came of it
        self._configs = [(0, config)]  # from which iteration on which one holds

    def beginning(self, iterations: int, config: RunConfig | None = None) -> "History":
        """A new history with the first iterations of this one, which goes on under ``config`` or as this one did.

        It shares what it can, so that it is made fast and takes little memory, and neither changes the other.
        """
        if not 0 <= iterations <= self._length:
            raise IndexError(f"{iterations} iterations of a history with {self._length}")
        copy = History(config or self.config_after(iterations), self.start, self.script)
        copy.script_end = self.script_end
        copy._length = iterations
        copy._log = self._settled().beginning(iterations)
        copy._fingerprint = RunningFingerprint(copy._log.columns)
        copy._configs = [entry for entry in self._configs if entry[0] <= iterations]
        if copy.config != copy._configs[-1][1]:
            copy._configs.append((iterations + 1, copy.config))
        return copy

    def __copy__(self) -> "History":
        return self.beginning(self._length)

    def __deepcopy__(self, memo: object) -> "History":
        return self.beginning(self._length)  # what both share never changes

    def config_at(self, iteration: int) -> RunConfig:
        """The configuration of this iteration; a branch may have changed it on the way."""
        return next(config for first, config in reversed(self._configs) if first <= iteration)

    def config_after(self, iteration: int) -> RunConfig:
        """The configuration with which the run went on, or goes on, after this iteration."""
        return self.config_at(iteration + 1)

    def rules_after(self, iteration: int) -> Rules:
        """The rules for the tree of this iteration: they decide what becomes of it."""
        return self.config_after(iteration).rules

    def stretches(self, start: int = 1, stop: int | None = None) -> Iterator[tuple[int, int, RunConfig]]:
        """The iterations from ``start`` to before ``stop``, cut where the configuration changes.

        A stretch is its first iteration, the one after its last, and its configuration.
        """
        last = self._length + 1 if stop is None else min(stop, self._length + 1)
        ends = [first for first, _ in self._configs[1:]] + [last]
        for (first, config), end in zip(self._configs, ends, strict=True):
            if max(first, start) < min(end, last):
                yield max(first, start), min(end, last), config

    @property
    def origin(self) -> Origin:
        """How the run began, the same for all its branches."""
        return self._configs[0][1], self.start, self.script

    @property
    def configs(self) -> tuple[tuple[int, RunConfig], ...]:
        """The configurations, each with the iteration from which on it holds, the first from 0 on."""
        return tuple(self._configs)

    def shared_with(self, other: "History", at_least: int = 0) -> int:
        """How many iterations both begin with; the first ``at_least`` are known to be the same."""
        shared = min(len(self), len(other))
        for mine, theirs in zip(self._settled().columns, other._settled().columns, strict=True):
            differs = mine.view(at_least, shared) != theirs.view(at_least, shared)
            if differs.any():
                shared = at_least + int(differs.argmax())
        return shared

    def __len__(self) -> int:
        """The number of iterations."""
        return self._length

    def __repr__(self) -> str:
        return f"<history of RLS-GP on AND_{self.config.n}: {counted(self._length, 'iteration')}>"

    def _repr_svg_(self) -> str:
        return svg_of(self)

    def append(self, step: Step) -> None:
        """Add the next iteration."""
        length = self._length + 1
        if step[0] != length:
            raise ValueError(f"iteration {step.iteration} cannot follow iteration {self._length}")
        self._length = length
        pending = self._pending
        pending.append(step)
        if len(pending) >= _MAX_PENDING:
            self._settled()

    def extend(self, steps: list[Step]) -> None:
        """Add the next iterations, faster than one by one."""
        if steps:
            self.take_in(self._settled().encoder.encode(steps))

    @property
    def encoder(self) -> Encoder:
        """The encoder of the next steps; `take_in` adds the rows that it makes."""
        return self._settled().encoder

    def take_in(self, rows: Rows) -> None:
        """Add the next iterations, as rows of this history's encoder."""
        log = self._settled()
        if rows.first != self._length + 1:
            raise ValueError(f"iteration {rows.first} cannot follow iteration {self._length}")
        log.add(rows)
        self._length += rows.iterations
        self._fingerprint.absorb_block()

    def step_at(self, iteration: int) -> Step:
        """The step that was appended for this iteration."""
        row = self._row(iteration)
        iteration = row + 1
        log = self._settled()
        fields = FIELDS[log.codes[row]]
        mutation = log.mutation(row)
        parent = log.tree(iteration - 1)  # first, so that a tree that is made again is made from it
        is_changed = fields.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)
        tree = log.tree(iteration) if is_changed else parent
        parent_error = log.error_codes.decode(log.parent_errors[row])
        offspring_error = log.error_codes.decode(log.offspring_errors[row])
        if fields.verdict.is_accepted:
            offspring_leaves = 0 if tree is None else tree.leaves
        else:
            offspring_leaves = leaves_after(tree, mutation)
        return Step(
            iteration,
            *mutation,
            verdict=fields.verdict,
            offspring_leaves=offspring_leaves,
            offspring_error=offspring_error,
            parent_error=parent_error,
            error=offspring_error if fields.verdict.is_accepted else parent_error,
            tree=tree,
            true_error_grew=fields.true_error_grew,
            parent=parent,
        )

    def recorded_script(self, iteration: int) -> Script:
        """The mutations up to this iteration as a script that makes the same trees."""
        script = []
        for number in range(1, iteration + 1):
            step = self.step_at(number)
            is_first_leaf = step.leaves == 1 and self.tree_at(number - 1) is None
            first = Mutation(Operation.INS, ROOT, step.variable, Function.AND, Side.LEFT)
            script.append(first if is_first_leaf else normal_form(step.mutation))
        return tuple(script)

    def tree_at(self, iteration: int) -> Node | None:
        """The tree that survived this iteration; at 0 the start."""
        if iteration:
            self._row(iteration)
        return self._settled().tree(iteration)

    def offspring_at(self, iteration: int) -> Node | None:
        """The tree this iteration proposed, whether it survived or not."""
        step = self.step_at(iteration)
        if step.is_accepted:
            return step.tree
        return apply(step.tree, step.mutation, fresh_uids(self.first_uid, iteration))

    def error_at(self, iteration: int) -> int | None:
        """The error of the tree that survived this iteration; None where there is none, or it is not known."""
        return self.step_at(iteration).error if iteration else self.start_error

    @property
    def start_error(self) -> int | None:
        """The error of the start where it is recorded or quickly counted; in a sampled run it has none."""
        if self.start is None or self.config.is_sampled:
            return None
        if self._length:
            return self.step_at(1).parent_error
        value = self.start.value
        if isinstance(value, TooMany) or len(masks_of(value)) > _MOST_COUNTED:
            return None  # counting may take seconds, and the first step will have it
        return target_for(self.config.n).error(self.start)

    def codes(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.uint8]:
        """What was drawn and what came of it, in the codes of `gpviz.runs.step_encoding`."""
        return self._settled().codes.view(*self._rows(start, stop))

    def verdicts(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.uint8]:
        """The verdicts, as indices into `gpviz.runs.step_encoding.VERDICTS`."""
        return read_only(verdicts_of(self.codes(start, stop)))

    def errors(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.float64]:
        """The error of the surviving tree; nan where it has none."""
        log, rows = self._settled(), self._rows(start, stop)
        is_accepted = has_property(log.codes.view(*rows), Property.ACCEPTED)
        codes = np.where(is_accepted, log.offspring_errors.view(*rows), log.parent_errors.view(*rows))
        return read_only(log.error_codes.as_floats(codes))

    def offspring_errors(self, start: int = 1, stop: int | None = None) -> npt.NDArray[np.float64]:
        """The error of the offspring; nan where it was rejected unseen, and for the empty tree."""
        log = self._settled()
        return read_only(log.error_codes.as_floats(log.offspring_errors.view(*self._rows(start, stop))))

    def columns(self, *names: str) -> dict[str, npt.NDArray[Any]]:
        """The iterations as columns: arrays of equal length, by name. pandas takes the dict as it is.

        Without names you get the columns of a log (`gpviz.runs.step_columns.LOG_COLUMNS`). Queries have more:
        ``accepted``, ``error_change``, ``size``, ``size_removed``, ``root_and`` and ``stage``. ``formula``
        and ``generalisation_error`` take longer: every tree has to be made, and its rows counted.

        Texts are strings, and truth values are bools. If an error is missing, like that of the empty tree,
        the column has floats with nan; if one is too large for a float, it has Python integers and None.
        """
        return arrays_of(Snapshot(self), names or LOG_COLUMNS)

    def changes(self) -> Changes:
        """The iterations that changed the tree, and its size from then on."""
        return self._settled().changes()

    def sizes_at(self, iteration: int) -> tuple[int, int]:
        """The leaves and the ORs of the tree that survived this iteration."""
        return self._settled().sizes(iteration)

    def last_resized(self, iteration: int) -> int:
        """The last iteration up to this one in which the number of leaves changed; 0 if there is none."""
        return self._settled().last_resized(iteration)

    def next_where(self, wanted: Property, iteration: int) -> int | None:
        """The first iteration after this one that has the property."""
        first = max(iteration, 0)
        while first < self._length:
            row = next_row(self.codes(first + 1, first + 1 + _BLOCK), wanted, 0)
            if row is not None:
                return first + row + 1
            first += _BLOCK
        return None

    def previous_where(self, wanted: Property, iteration: int) -> int | None:
        """The last iteration before this one that has the property."""
        last = min(iteration - 1, self._length)
        while last > 0:
            first = max(last - _BLOCK, 0)
            row = previous_row(self.codes(first + 1, last + 1), wanted, last - first)
            if row is not None:
                return first + row + 1
            last = first
        return None

    def count_where(self, wanted: Property, start: int = 1, stop: int | None = None) -> int:
        """How many of the iterations have the property."""
        end = self._length + 1 if stop is None else min(stop, self._length + 1)
        return sum(
            count_rows(self.codes(first, min(first + _BLOCK, end)), wanted)
            for first in range(max(start, 1), end, _BLOCK)
        )

    def fingerprint(self) -> str:
        """A text that is the same for equal logs on every platform."""
        if self._proof[0] != self._length:
            log = self._settled()
            text = self._fingerprint.of(log.large_errors, log.tree(self._length))
            self._proof = (self._length, text)
        return self._proof[1]

    def _settled(self) -> Log:
        """The log with all the iterations in it."""
        if self._pending:
            self._log.add(self._log.encoder.encode(self._pending))
            self._pending = []
        return self._log

    def _row(self, iteration: int) -> int:
        if not 1 <= iteration <= self._length:
            raise IndexError(f"iteration {iteration} of a history with {self._length}")
        return index(iteration) - 1  # numpy's integers, too, as those in `columns` are

    def _rows(self, start: int, stop: int | None) -> tuple[int, int]:
        last = self._length if stop is None else min(stop - 1, self._length)
        first = max(start - 1, 0)
        return first, max(first, last)


class Generalisation:
    """The generalisation error of a sampled run: iterations that changed its tree, and the error since then."""

    def __init__(self) -> None:
        self._iterations = Column(np.int64)
        self._shares = Column(np.float64)

    def __len__(self) -> int:
        return len(self._iterations)

    def extend(self, entries: Iterable[tuple[int, float]]) -> None:
        """Add later iterations with their errors."""
        added = list(entries)
        self._iterations.extend(np.array([iteration for iteration, _ in added], dtype=np.int64))
        self._shares.extend(np.array([share for _, share in added], dtype=np.float64))

    @property
    def iterations(self) -> npt.NDArray[np.int64]:
        return self._iterations.view()

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        return self._shares.view()
