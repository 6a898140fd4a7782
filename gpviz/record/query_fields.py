"""The fields of a step that can be asked for in a query, with their kinds and the words they take."""

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from gpviz.engine.enums import Function, Operation, Side, State, Verdict

__all__ = ["BOOLEANS", "FIELDS", "NAMES", "Field", "Kind", "field_named"]


class Kind(Enum):
    """What a field's values are."""

    NUMBER = "number"
    WORD = "word"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Field:
    """A field. All its values are numbers: a word is its place in ``words``, and a truth 0 or 1."""

    name: str
    kind: Kind
    about: str
    words: tuple[str, ...] = ()

    def number_of(self, word: str) -> int | None:
        """The place of a word, however its letters are written; None if it is none of this field's."""
        wanted = word.lower()
        return next((place for place, known in enumerate(self.words) if known.lower() == wanted), None)


BOOLEANS: Final = ("false", "true")


def _number(name: str, about: str) -> Field:
    return Field(name, Kind.NUMBER, about)


_ALL: Final = (
    _number("iteration", "the number of the iteration, from 1"),
    Field("verdict", Kind.WORD, "what became of the offspring", tuple(word.value for word in Verdict)),
    Field("accepted", Kind.BOOLEAN, "whether the offspring was accepted", BOOLEANS),
    Field("mutation", Kind.WORD, "the operation that was drawn", tuple(word.value for word in Operation)),
    Field(
        "function",
        Kind.WORD,
        "the function that was drawn; only INS makes use of it",
        tuple(word.name for word in Function),
    ),
    _number("variable", "the variable that was drawn, such as 4 or x4; DEL makes no use of it"),
    _number("node", "the chosen node, counted in preorder from 0, the root"),
    Field("side", Kind.WORD, "where INS puts the new leaf", tuple(word.value for word in Side)),
    _number("error", "the error of the surviving tree"),
    _number("parent_error", "the error of the tree before"),
    _number("offspring_error", "the error of the offspring, where it was evaluated"),
    _number("error_change", "the offspring's error minus its parent's"),
    _number("leaves", "the leaves of the surviving tree"),
    _number("offspring_leaves", "the leaves of the offspring"),
    _number("size", "the nodes of the surviving tree"),
    _number("ors", "the ORs in the surviving tree"),
    _number("size_removed", "the nodes of the subtree that DEL took away in the offspring; otherwise 0"),
    Field("truly_worse", Kind.BOOLEAN, "accepted by a sample, although worse on all rows", BOOLEANS),
    Field(
        "state",
        Kind.WORD,
        "what the surviving tree can still become; finding it may take long",
        tuple(word.value for word in State),
    ),
)

FIELDS: Final = MappingProxyType({field.name: field for field in _ALL})
"""The fields by their names."""

_ALIASES: Final = {
    "t": "iteration",
    "operation": "mutation",
    "or_count": "ors",
    "nodes": "size",
    "is_truly_worse": "truly_worse",
}

NAMES: Final = (*FIELDS, "operation")
"""The names to suggest."""


def field_named(word: str) -> Field | None:
    """The field of this name, however its letters are written."""
    name = word.lower()
    return FIELDS.get(_ALIASES.get(name, name))
