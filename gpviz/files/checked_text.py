"""Texts that a person or a file gives: how long they may be, and which characters cannot be shown."""

import re
from typing import Final

from gpviz.engine.errors import InvalidValueError

_UNFIT: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters other than a tab and the end of a line, and halves of surrogate pairs."""


def check_line(name: str, text: object, most: int) -> None:
    """Refuse what is no text in one line, or is empty, or longer than this."""
    allowed = f"a text of 1 to {most} characters in one line"
    if not isinstance(text, str) or not text.strip() or not text.isprintable():
        raise InvalidValueError(name, text, allowed)
    if len(text) > most:
        raise InvalidValueError(name, text, f"{allowed}, not {len(text)}")


def check_text(name: str, text: object, most: int) -> None:
    """Refuse what is no text, or longer than this; it may be empty and have several lines."""
    allowed = f"a text of at most {most} characters"
    if not isinstance(text, str):
        raise InvalidValueError(name, text, allowed)
    if len(text) > most:
        raise InvalidValueError(name, text, f"{allowed}, not {len(text)}")
    unfit = _UNFIT.search(text)
    if unfit is not None:
        raise InvalidValueError(name, text, f"{allowed}, without {unfit.group()!r}, which cannot be shown")
