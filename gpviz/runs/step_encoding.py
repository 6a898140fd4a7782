"""Encodes the steps of a run as rows of numbers, and finds the rows with some property.

What was drawn and what came of it is one byte, the code of a step: bit 0 is the side, bit 1 the function, bits 2-3
the operation, bits 4-6 the verdict, each by its index in its enumeration, and bit 7 is set if an accepted
offspring made the true error grow. Verdict 5 is an improvement too: the one that planted the first leaf, which
does not use the drawn function. Fingerprints depend on these codes.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import product
from math import inf, nan
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.formula import MAX_VARIABLE
from gpviz.engine.step import DRAW_NUMBERS, Step, StepBuffer
from gpviz.engine.tree import Leaf, Node, nodes_of

VERDICTS: Final = tuple(Verdict)
"""The verdicts in the order of their numbers in `verdicts_of`."""

PLANTED: Final = len(VERDICTS) << 4
"""What to add to the code of an improvement that planted the first leaf."""

LEFT_OUT: Final = object()
"""Stands for a tree that is not kept, because it can be made again."""
STRIDE: Final = 128
"""One in so many trees of a run is kept for ever."""
_MANY: Final = 64
"""With this many steps at once nobody sees each of them, so most trees are left out from the beginning."""
_INS_AND: Final = DRAW_NUMBERS[Operation.INS, Function.AND]
_INS_OR: Final = DRAW_NUMBERS[Operation.INS, Function.OR]
_OR: Final = Function.OR
_DELETIONS: Final = tuple(DRAW_NUMBERS[Operation.DEL, function] for function in Function)
_ONE_COPY: Final = 1
_ONE_VARIABLE: Final = 2 * _ONE_COPY
_ONE_OR: Final = 2 * MAX_VARIABLE * _ONE_VARIABLE
"""A tree's tally is one number: its ORs, its different variables, and whether it got a copy of one."""
_LARGEST_PLAIN: Final = 2**63 - 1
_LARGEST_FLOAT_BITS: Final = 1023
_FIRST_CHUNK: Final = 1024
_LARGEST_CHUNK: Final = 1 << 17  # fits the processor's cache


class CodeFields(NamedTuple):
    """The parts of a code."""

    operation: Operation
    function: Function
    side: Side
    verdict: Verdict
    true_error_grew: bool
    is_planted: bool = False


class Property(StrEnum):
    """Properties of iterations that can be searched for."""

    ACCEPTED = "accepted"
    CHANGED = "changed"
    IMPROVED = "improved"
    NEUTRAL = "neutral"
    UNCHANGED = "unchanged"
    WORSE = "worse"
    TOO_LARGE = "too_large"
    OR_ACCEPTED = "or_accepted"
    TRUE_ERROR_GREW = "true_error_grew"


def _code(fields: CodeFields) -> int:
    return (
        tuple(Side).index(fields.side)
        | tuple(Function).index(fields.function) << 1
        | tuple(Operation).index(fields.operation) << 2
        | VERDICTS.index(fields.verdict) << 4
        | fields.true_error_grew << 7
    )


CODES: Final[dict[tuple[Operation, Function, Side, Verdict, bool], int]] = {
    (*drawn, verdict, true_error_grew): _code(CodeFields(*drawn, verdict, true_error_grew))
    for drawn in product(Operation, Function, Side)
    for verdict in VERDICTS
    for true_error_grew in (False, True)
}
"""The code of every step but the planting one."""

FIELDS: Final = {code: CodeFields(*key) for key, code in CODES.items()}
"""The parts of each code."""

FIELDS.update(
    {
        code + PLANTED: fields._replace(is_planted=True)
        for code, fields in FIELDS.items()
        if fields.verdict is Verdict.IMPROVED
    }
)

_RULES: Final[dict[Property, Callable[[CodeFields], bool]]] = {
    Property.ACCEPTED: lambda fields: fields.verdict.is_accepted,
    Property.CHANGED: lambda fields: fields.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL),
    Property.IMPROVED: lambda fields: fields.verdict is Verdict.IMPROVED,
    Property.NEUTRAL: lambda fields: fields.verdict is Verdict.NEUTRAL,
    Property.UNCHANGED: lambda fields: fields.verdict is Verdict.UNCHANGED,
    Property.WORSE: lambda fields: fields.verdict is Verdict.WORSE,
    Property.TOO_LARGE: lambda fields: fields.verdict is Verdict.TOO_LARGE,
    Property.OR_ACCEPTED: lambda fields: (
        fields.verdict.is_accepted
        and not fields.is_planted
        and fields.operation is Operation.INS
        and fields.function is Function.OR
    ),
    Property.TRUE_ERROR_GREW: lambda fields: fields.true_error_grew,
}


def _table(value_of: Callable[[CodeFields], int]) -> bytes:
    """A value for each of the 256 codes."""
    return bytes(value_of(FIELDS[code]) if code in FIELDS else 0 for code in range(256))


_PROPERTIES: Final = {wanted: _table(rule) for wanted, rule in _RULES.items()}
_VERDICT_NUMBERS: Final = _table(lambda fields: VERDICTS.index(fields.verdict))
_OPERATION_NUMBERS: Final = _table(lambda fields: tuple(Operation).index(fields.operation))
_FUNCTION_NUMBERS: Final = _table(lambda fields: tuple(Function).index(fields.function))
_SIDE_NUMBERS: Final = _table(lambda fields: tuple(Side).index(fields.side))

_DRAWN_CODES: Final = np.array(
    [_code(CodeFields(*drawn, Side.LEFT, VERDICTS[0], False)) for drawn in DRAW_NUMBERS], dtype=np.uint8
)


def codes_of(
    drawn: Sequence[int], sides: Sequence[int], verdicts: Sequence[int], true_error_grew: Sequence[bool]
) -> npt.NDArray[np.uint8]:
    """The codes of iterations, from the numbers of a `StepBuffer`."""
    codes = _DRAWN_CODES[_bytes(drawn)]
    codes |= _bytes(sides)
    codes |= _bytes(verdicts) << 4
    codes |= _bytes(true_error_grew) << 7
    return codes


def _bytes(numbers: Sequence[int]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(bytes(numbers), dtype=np.uint8)


# Translating bytes is several times as fast as indexing a table with an array.
def has_property(codes: npt.NDArray[np.uint8], wanted: Property) -> npt.NDArray[np.bool_]:
    """For each code whether its iteration has the property."""
    return np.frombuffer(codes.tobytes().translate(_PROPERTIES[wanted]), dtype=np.bool_)


def verdicts_of(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """For each code its verdict, as an index into `VERDICTS`."""
    return _translated(codes, _VERDICT_NUMBERS)


def operations_of(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """For each code the index of its operation in the enumeration."""
    return _translated(codes, _OPERATION_NUMBERS)


def functions_of(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """For each code the index of its function in the enumeration."""
    return _translated(codes, _FUNCTION_NUMBERS)


def sides_of(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """For each code the index of its side in the enumeration."""
    return _translated(codes, _SIDE_NUMBERS)


def _translated(codes: npt.NDArray[np.uint8], table: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(codes.tobytes().translate(table), dtype=np.uint8)


class Changes(NamedTuple):
    """Iterations that changed the tree, with the sizes of the new tree.

    ``distinct`` is the number of its different variables; ``is_duplicate`` says whether an insertion or a
    substitution added a variable that was there already.
    """

    iterations: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int64]
    ors: npt.NDArray[np.int64]
    distinct: npt.NDArray[np.uint16]
    is_duplicate: npt.NDArray[np.bool_]


class Rows(NamedTuple):
    """Consecutive iterations from ``first`` on, column by column, and the new trees among them.

    ``large_errors`` is how many errors too large for a column there have been up to here.
    """

    first: int
    codes: npt.NDArray[np.uint8]
    node_indices: npt.NDArray[np.uint32]
    variables: npt.NDArray[np.uint16]
    parent_errors: npt.NDArray[np.int64]
    offspring_errors: npt.NDArray[np.int64]
    changes: Changes
    trees: list[Any]
    large_errors: int

    @property
    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """The columns with a value for each iteration."""
        return self.codes, self.node_indices, self.variables, self.parent_errors, self.offspring_errors

    @property
    def iterations(self) -> int:
        """How many there are."""
        return len(self.codes)


class ErrorCodes:
    """Errors as 64-bit integers: an error that fits is its own code; None and larger errors get negative ones.

    Large errors are numbered as they first appear, row by row, so that the codes of a log do not depend on how
    many rows were encoded at once.
    """

    def __init__(self) -> None:
        self.large: list[int] = []  # those with the codes -2, -3, ...
        self._codes: dict[int | None, int] = {None: -1}
        self._floats = [nan]  # of the codes -1, -2, ...
        self._begun: ErrorCodes | None = None
        self._begun_count = 0

    def beginning(self, count: int) -> "ErrorCodes":
        """A copy that begins with the first ``count`` large errors, and goes on by itself."""
        begun = ErrorCodes()
        begun.large = self.large[:count]
        begun._floats = self._floats[: count + 1]
        begun._begun, begun._begun_count = self, count
        return begun

    def encode(
        self, first: Sequence[int | None], second: Sequence[int | None]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The codes of two columns of the same rows."""
        try:
            return self._encoded(first), self._encoded(second)
        except OverflowError:
            for pair in zip(first, second, strict=True):
                for error in pair:
                    if error is not None and error > _LARGEST_PLAIN and error not in self._codes:
                        known = self._known_before(error)
                        if known is None:
                            self._add(error)
                        else:
                            self._codes[error] = known
            return self._encoded(first), self._encoded(second)

    def decode(self, code: int) -> int | None:
        """The error with this code."""
        if code == -1:
            return None
        return code if code >= 0 else self.large[-2 - code]

    def as_floats(self, codes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The errors with these codes: nan for None, inf for what no float can hold."""
        floats = codes.astype(np.float64)
        coded = np.flatnonzero(codes < 0)
        if len(coded):
            floats[coded] = np.array(self._floats)[-1 - codes[coded]]
        return floats

    def _encoded(self, errors: Sequence[int | None]) -> npt.NDArray[np.int64]:
        return np.fromiter(map(self._codes.get, errors, errors), dtype=np.int64, count=len(errors))

    def _known_before(self, error: int) -> int | None:
        """The code of an error in what this is a copy of, which is not copied before it is used."""
        codes, count = self._begun, self._begun_count
        while codes is not None:
            code = codes._codes.get(error)
            if code is not None:
                return code if -1 - code <= count else None
            count = min(count, codes._begun_count)
            codes = codes._begun
        return None

    def _add(self, error: int) -> None:
        self.large.append(error)
        self._codes[error] = -1 - len(self.large)
        self._floats.append(float(error) if error.bit_length() <= _LARGEST_FLOAT_BITS else inf)


class Encoder:
    """Turns the steps of one run into rows, in their order. It may be used in another thread than its log."""

    def __init__(self, start: Node | None) -> None:
        self.error_codes = ErrorCodes()
        self._length = 0
        self._changes = 1
        self._tree = start
        self._leaves_of = [0] * (MAX_VARIABLE + 1)
        ors = 0
        for node in nodes_of(start):
            if isinstance(node, Leaf):
                self._leaves_of[node.variable] += 1
            else:
                ors += node.function is _OR
        self._tally = ors * _ONE_OR + sum(map(bool, self._leaves_of)) * _ONE_VARIABLE

    @classmethod
    def after(cls, *, length: int, changes: int, tree: Node | None, error_codes: ErrorCodes) -> "Encoder":
        """An encoder that goes on after so many iterations; ``changes`` is the number of trees so far."""
        encoder = cls(tree)
        encoder.error_codes = error_codes
        encoder._length = length
        encoder._changes = changes
        return encoder

    def encode(self, steps: list[Step]) -> Rows:
        """The rows of the next steps, of which there must be at least one."""
        return self.encode_buffer(StepBuffer.of(steps))

    def encode_buffer(self, buffer: StepBuffer) -> Rows:
        """The rows of the next iterations, which are in the buffer."""
        first, count = buffer.first, len(buffer)
        if first != self._length + 1:
            raise ValueError(f"iterations {first} to {buffer.last} cannot follow iteration {self._length}")
        columns = buffer.columns
        codes = codes_of(columns.drawn, columns.sides, columns.verdicts, columns.true_error_grew)
        changes = np.flatnonzero(has_property(codes, Property.CHANGED))
        if len(changes) and self._tree is None:
            codes[changes[0]] += PLANTED
        offspring_errors, parent_errors = columns.offspring_errors, columns.parent_errors
        parent_codes, offspring_codes = self.error_codes.encode(parent_errors, offspring_errors)

        drawn, rows = (columns.drawn, columns.variables, columns.node_indices), changes.tolist()
        tallies = self._follow(zip(*(map(column.__getitem__, rows) for column in drawn), strict=True), buffer)
        kept: list[Any] = buffer.trees.copy()
        leaves = [0 if tree is None else tree.leaves for tree in kept]
        if count >= _MANY:
            self._leave_out(kept)
        self._length += count
        self._changes += len(changes)
        return Rows(
            first,
            codes,
            np.fromiter(columns.node_indices, dtype=np.uint32, count=count),
            np.fromiter(columns.variables, dtype=np.uint16, count=count),
            parent_codes,
            offspring_codes,
            Changes(
                changes + first,
                np.array(leaves, dtype=np.int64),
                tallies // _ONE_OR,
                (tallies % _ONE_OR // _ONE_VARIABLE).astype(np.uint16),
                (tallies % _ONE_VARIABLE).astype(np.bool_),
            ),
            kept,
            len(self.error_codes.large),
        )

    def _follow(self, drawn: Iterable[tuple[int, int, int]], buffer: StepBuffer) -> npt.NDArray[np.int64]:
        """The tally of each tree in the buffer: its ORs, its different variables, whether it got a copy of one.

        ``drawn`` has, for each of them, the number of the draw, the variable and the index of the node. Looking
        only at what is added and removed is far faster than going through each tree, and one number for all three
        is faster than three.
        """
        node: Any
        parent: Any
        gone: Any
        tree: Any = self._tree
        leaves_of, tally = self._leaves_of, self._tally
        tallies = []
        for (number, variable, index), new_tree in zip(drawn, buffer.trees, strict=True):
            is_deletion = False
            if tree is None:
                pass  # the variable is planted, whatever else was drawn
            elif number == _INS_OR:
                tally += _ONE_OR
            elif number != _INS_AND:
                node = parent = tree
                while index:
                    parent, left = node, node.left
                    after_left = 2 * left.leaves
                    if index < after_left:
                        index -= 1
                        node = left
                    else:
                        index -= after_left
                        node = node.right
                is_deletion = number in _DELETIONS
                if is_deletion and parent.function is _OR:
                    tally -= _ONE_OR
                for gone in (node,) if node.leaves == 1 else nodes_of(node):
                    if gone.leaves == 1:
                        left_over = leaves_of[gone.variable] - 1
                        leaves_of[gone.variable] = left_over
                        if not left_over:
                            tally -= _ONE_VARIABLE
                    elif gone.function is _OR:
                        tally -= _ONE_OR
            tree = new_tree
            if is_deletion:
                tallies.append(tally)
            elif there := leaves_of[variable]:
                leaves_of[variable] = there + 1
                tallies.append(tally + _ONE_COPY)
            else:
                leaves_of[variable] = 1
                tally += _ONE_VARIABLE
                tallies.append(tally)
        self._tree, self._tally = tree, tally
        return np.array(tallies, dtype=np.int64)

    def _leave_out(self, trees: list[Any]) -> None:
        """Keep the last two of these trees, which are shown next, and those that are kept for ever."""
        start = -self._changes % STRIDE  # the first whose number in the run is a multiple
        always = trees[start::STRIDE]
        trees[:-2] = [LEFT_OUT] * (len(trees) - 2)
        trees[start::STRIDE] = always


def next_row(codes: npt.NDArray[np.uint8], wanted: Property, row: int) -> int | None:
    """The first row from ``row`` on with the property."""
    chunk = _FIRST_CHUNK
    while row < len(codes):
        found = has_property(codes[row : row + chunk], wanted)
        offset = int(found.argmax())
        if found[offset]:
            return row + offset
        row += chunk
        chunk = min(2 * chunk, _LARGEST_CHUNK)
    return None


def previous_row(codes: npt.NDArray[np.uint8], wanted: Property, row: int) -> int | None:
    """The last row before ``row`` with the property."""
    chunk = _FIRST_CHUNK
    while row > 0:
        start = max(row - chunk, 0)
        found = has_property(codes[start:row], wanted)[::-1]
        offset = int(found.argmax())
        if found[offset]:
            return row - 1 - offset
        row = start
        chunk = min(2 * chunk, _LARGEST_CHUNK)
    return None


def count_rows(codes: npt.NDArray[np.uint8], wanted: Property) -> int:
    """The number of rows with the property."""
    return sum(
        int(np.count_nonzero(has_property(codes[start : start + _LARGEST_CHUNK], wanted)))
        for start in range(0, len(codes), _LARGEST_CHUNK)
    )
