"""What can stand at a place in a query: the words to choose from while it is typed."""

import re
from typing import Final

from gpviz.record.query_fields import FIELDS, NAMES, Field, Kind, field_named
from gpviz.record.query_parser import OPERATORS, Token, tokens_before

__all__ = ["completions", "word_start"]

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_KEYWORDS: Final = ("and", "or", "not")


def word_start(text: str, cursor: int) -> int:
    """Where the word begins that ends at the cursor; the cursor itself if there is none."""
    start = cursor
    while start and (text[start - 1].isascii() and (text[start - 1].isalnum() or text[start - 1] == "_")):
        start -= 1
    return start if _WORD.fullmatch(text, start, cursor) else cursor


def completions(text: str, cursor: int) -> list[str]:
    """What may follow at the cursor, or complete the word before it; nothing where a number is to be typed."""
    cursor = min(max(cursor, 0), len(text))
    start = word_start(text, cursor)
    if start == cursor and start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return []  # within a number
    typed = text[start:cursor].lower()
    candidates = _candidates(tokens_before(text, start))
    return [word for word in candidates if word.lower().startswith(typed) and word.lower() != typed]


def _candidates(before: list[Token]) -> tuple[str, ...]:
    """What may stand after these pieces."""
    last = before[-1] if before else None
    if last is None or last.kind == "open":
        return (*NAMES, "not")
    if last.kind == "operator":
        return _values(before[-2]) if len(before) > 1 else ()
    if last.kind == "minus":
        return ()
    if len(before) > 1 and before[-2].kind in ("operator", "minus"):
        return ("and", "or")  # a comparison is complete, even if it ends in the word OR
    if last.lowered in _KEYWORDS:
        return (*NAMES, "not")
    field = field_named(last.text) if last.kind == "word" else None
    if field is not None:
        return _operators(field)
    return ("and", "or") if last.kind == "close" else ()


def _operators(field: Field) -> tuple[str, ...]:
    if field.kind is Kind.NUMBER:
        return OPERATORS
    return ("and", "or", "==", "!=") if field.kind is Kind.BOOLEAN else ("==", "!=")


def _values(compared: Token) -> tuple[str, ...]:
    """What the field before an operator can be compared with."""
    field = field_named(compared.text) if compared.kind == "word" else None
    if field is None:
        return tuple(FIELDS)
    if field.kind is Kind.NUMBER:
        return tuple(
            other.name for other in FIELDS.values() if other.kind is Kind.NUMBER and other is not field
        )
    return field.words
