"""The texts of a stranger who means harm, and what must never come of them in any medium."""

import re
from typing import Final

MARKUP: Final = "<b>R&D</b> <img src=x onerror=alert(1)> \\input{x} $ % # _ ^ ~ ]]> [*] \"'"
"""Every character of it can be shown, so that it may be the title of a lecture or the name of a branch."""

POISON: Final = (
    f"{MARKUP} \x1b]0;owned\x07\x1b[31mred\x00\x08\x9b \u202egnp.exe\u202c \u2066\u2067\u2068\u2069"
    " \u200e\u200f\u061c\r\nforged: a line of its own\u2028and another\x85\ufeff\ufffe"
)

UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe]"
)
"""Control characters other than a tab and the end of a line, and what turns the reading direction round."""


def is_harmless(text: str) -> bool:
    """Whether nothing in the text, which may have several lines, can do anything to who shows it."""
    return UNSAFE.search(text) is None
