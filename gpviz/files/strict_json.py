"""JSON from a stranger, as the standard has it: no repeated keys, no NaN, no numbers and no lists without end."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.interruption import Effort

# The longest number a configuration may hold, a seed of 4096 bits, has 1234 digits.
_MAX_DIGITS: Final = 1300
_MAX_VALUES: Final = 1_000_000
"""While the lists of a file are read no other thread has its turn; a file that gpviz has written has fewer."""
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_EFFORT_OF_OBJECT: Final = 10


@dataclass(frozen=True, slots=True)
class _LongNumber:
    """Stands for a whole number that no field can hold, so that the field can say so."""

    digits: int

    def __repr__(self) -> str:
        return f"a number of {self.digits} digits"


def parse_json(content: bytes) -> Any:
    """The data; raises `GpvizError` where it is not JSON, or has values without end."""
    _check_count(content)
    effort = Effort()

    def on_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        effort.spend(_EFFORT_OF_OBJECT + len(pairs))
        return _object(pairs)

    def on_number(text: str) -> int | _LongNumber:
        effort.spend(_EFFORT_OF_OBJECT)
        return _whole_number(text)

    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=on_object,
            parse_constant=_refuse_constant,
            parse_int=on_number,
        )
    except UnicodeDecodeError as error:
        raise GpvizError(f"it is not JSON; byte {error.start + 1} is not UTF-8.") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        problem = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise GpvizError(f"it is not JSON; {problem} at {place}.") from error
    except RecursionError as error:
        raise GpvizError("it is not a file of gpviz; its JSON is nested too deeply.") from error


def _check_count(content: bytes) -> None:
    """Refuse what has too many values; what a text says is none of them."""
    if _count(content) > _MAX_VALUES and _count(_STRING.sub(b"", content)) > _MAX_VALUES:
        raise GpvizError(f"it is not a file of gpviz; it has more than {_MAX_VALUES:,} values.")


def _count(content: bytes) -> int:
    return sum(content.count(sign) for sign in (b",", b"[", b"{"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise GpvizError(f"{shown(twice)} is given twice; it may be given once.")
    return data


def _refuse_constant(name: str) -> None:
    raise GpvizError(f"it is not JSON; {name} is not a number there.")


def _whole_number(text: str) -> int | _LongNumber:
    digits = len(text.lstrip("-"))
    return int(text) if digits <= _MAX_DIGITS else _LongNumber(digits)


def checked_version(data: dict[str, Any], newest: int, wanted: str) -> int:
    """The version of a file, which is none that this gpviz does not know."""
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidValueError("version", version, wanted)
    if version > newest:
        raise GpvizError(
            f"version: it was saved as version {shown(version)}, but this gpviz knows only up to version {newest}."
        )
    return version


def check_keys(name: str, data: Any, keys: tuple[str, ...]) -> None:
    """Refuse, with a sentence, whatever is no object with just these keys."""
    if not isinstance(data, dict):
        raise InvalidValueError(name, data, f"an object with the keys {', '.join(keys)}")
    prefix = f"{name}." if name else ""
    for key in keys:
        if key not in data:
            raise GpvizError(f"{prefix}{key}: it is missing.")
    for key in data:
        if key not in keys:
            raise GpvizError(f"{shown(prefix + key)} is unknown; the keys are {', '.join(keys)}.")
