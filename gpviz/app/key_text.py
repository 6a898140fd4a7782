"""Keys on each system: which of them programs may use, and what is written on them."""

import re
import sys
from collections.abc import Iterable
from typing import Final

_INSTEAD: Final = {"F11": "", "Shift+F11": "Ctrl+Meta+F"}
"""macOS clears the desktop with F11, also with Shift, and has a key for the full screen of every program."""

_MODIFIERS: Final = {"Meta": "⌃", "Alt": "⌥", "Shift": "⇧", "Ctrl": "⌘"}
"""In the order in which they are written on a Mac."""
_KEYS: Final = (
    "Left",
    "Right",
    "Up",
    "Down",
    "Page Up",
    "Page Down",
    "Return",
    "Enter",
    "Del",
    "Home",
    "End",
)
_SIGNS: Final = dict(zip(_KEYS, "←→↑↓⇞⇟↩↩⌫↖↘", strict=True))
_TAKEN: Final = re.compile(r"(\**)(F11|Ctrl\+Space)\1(, | or )(?=\**[A-Z])")
"""A key that macOS keeps for itself, where another one is named beside it."""
_COMBINATION: Final = re.compile(
    r"\b((?:(?:Ctrl|Shift|Alt|Meta)\+)+)(Page Up|Page Down|[A-Za-z]+\d*|\d|[^\w\s])"
)
_ALONE: Final = re.compile(r"\b(Ctrl|Alt|Del)\b(?![-+])")


def free_keys(keys: Iterable[str], platform: str = sys.platform) -> tuple[str, ...]:
    """Those of these keys that the system leaves to programs, and others for those it does not."""
    if platform != "darwin":
        return tuple(keys)
    return tuple(free for key in keys if (free := _INSTEAD.get(key, key)))


def key_text(text: str, platform: str = sys.platform) -> str:
    """The text, with the keys in it as they are called on this system: on a Mac Ctrl+Shift+S is ⇧⌘S."""
    if platform != "darwin":
        return text
    text = _TAKEN.sub("", text).replace("Shift+F11", "Ctrl+Meta+F")
    text = re.sub(r"\bF11\b", "Ctrl+L", text)
    text = _COMBINATION.sub(lambda found: _combined(found[1], found[2]), text)
    return _ALONE.sub(lambda found: _MODIFIERS.get(found[1]) or _SIGNS[found[1]], text)


def _combined(modifiers: str, key: str) -> str:
    held = "".join(sign for name, sign in _MODIFIERS.items() if f"{name}+" in modifiers)
    is_word = key.islower()  # such as a click, or the arrows
    return f"{held}-{key}" if is_word else f"{held}{_SIGNS.get(key, key)}"
