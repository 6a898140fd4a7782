"""The code of an iteration: what was drawn and what came of it, in one byte, and the properties to look for.

Bit 0 is the side, bit 1 the function, bits 2-3 the operation, bits 4-6 the verdict (each by its place in its
enumeration), bit 7 says whether the accepted offspring is truly worse. Verdict 5 is an improvement too: the one
that planted the first leaf, and made no use of the drawn function. Fingerprints depend on these codes.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.step import DRAWN

__all__ = [
    "CODES",
    "FIELDS",
    "PLANTED",
    "VERDICTS",
    "CodeFields",
    "Property",
    "codes_of",
    "has_property",
    "verdicts_of",
]

VERDICTS: Final = tuple(Verdict)
"""The verdicts in the order of their numbers in `verdicts_of`."""

PLANTED: Final = len(VERDICTS) << 4
"""What to add to the code of an improvement that planted the first leaf."""


class CodeFields(NamedTuple):
    """What a code says about its iteration."""

    operation: Operation
    function: Function
    side: Side
    verdict: Verdict
    is_truly_worse: bool
    is_planted: bool = False


class Property(StrEnum):
    """What an iteration can be looked for by."""

    ACCEPTED = "accepted"
    CHANGED = "changed"
    IMPROVED = "improved"
    NEUTRAL = "neutral"
    UNCHANGED = "unchanged"
    WORSE = "worse"
    TOO_LARGE = "too_large"
    OR_ACCEPTED = "or_accepted"
    TRULY_WORSE = "truly_worse"


def _code(fields: CodeFields) -> int:
    return (
        tuple(Side).index(fields.side)
        | tuple(Function).index(fields.function) << 1
        | tuple(Operation).index(fields.operation) << 2
        | VERDICTS.index(fields.verdict) << 4
        | fields.is_truly_worse << 7
    )


CODES: Final[dict[tuple[Operation, Function, Side, Verdict, bool], int]] = {
    (*drawn, verdict, is_truly_worse): _code(CodeFields(*drawn, verdict, is_truly_worse))
    for drawn in product(Operation, Function, Side)
    for verdict in VERDICTS
    for is_truly_worse in (False, True)
}
"""The code of every step but the planting one."""

FIELDS: Final = {code: CodeFields(*key) for key, code in CODES.items()}
"""What each code means."""

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
    Property.TRULY_WORSE: lambda fields: fields.is_truly_worse,
}


def _table(value_of: Callable[[CodeFields], int]) -> bytes:
    """A value for each of the 256 codes."""
    return bytes(value_of(FIELDS[code]) if code in FIELDS else 0 for code in range(256))


_PROPERTIES: Final = {wanted: _table(rule) for wanted, rule in _RULES.items()}
_VERDICT_NUMBERS: Final = _table(lambda fields: VERDICTS.index(fields.verdict))


_DRAWN_CODES: Final = np.array(
    [_code(CodeFields(*drawn, Side.LEFT, VERDICTS[0], False)) for drawn in DRAWN], dtype=np.uint8
)


def codes_of(
    drawn: Sequence[int], sides: Sequence[int], verdicts: Sequence[int], is_truly_worse: Sequence[bool]
) -> npt.NDArray[np.uint8]:
    """The codes of iterations that are told in the numbers of a `Tape`."""
    codes = _DRAWN_CODES[_bytes(drawn)]
    codes |= _bytes(sides)
    codes |= _bytes(verdicts) << 4
    codes |= _bytes(is_truly_worse) << 7
    return codes


def _bytes(numbers: Sequence[int]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(bytes(numbers), dtype=np.uint8)


# Translating bytes is several times as fast as indexing a table with an array.
def has_property(codes: npt.NDArray[np.uint8], wanted: Property) -> npt.NDArray[np.bool_]:
    """For each code whether its iteration has the property."""
    return np.frombuffer(codes.tobytes().translate(_PROPERTIES[wanted]), dtype=np.bool_)


def verdicts_of(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """For each code its verdict, as an index into `VERDICTS`."""
    return np.frombuffer(codes.tobytes().translate(_VERDICT_NUMBERS), dtype=np.uint8)
