"""JSON from a stranger, as the standard has it: no repeated keys, no NaN, no numbers and no lists without end."""

import json
import re
from collections import Counter
from math import isfinite
from typing import Any, Final

from gpviz.engine.errors import GpvizError, shown
from gpviz.engine.interruption import Effort

# The longest number a configuration may hold, a seed of 4096 bits, has 1234 digits.
_MAX_DIGITS: Final = 1300
_MAX_VALUES: Final = 1_000_000
"""While the lists of a file are read no other thread has its turn; a file that gpviz has written has fewer."""
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_EFFORT_OF_OBJECT: Final = 10


def parse_json(content: bytes, most_values: int = _MAX_VALUES) -> Any:
    """The data; raises `GpvizError` where it is not JSON, or has more values than allowed."""
    _check_count(content, most_values)
    effort = Effort()

    def on_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        effort.spend(_EFFORT_OF_OBJECT + len(pairs))
        return _object(pairs)

    def on_whole_number(text: str) -> int:
        effort.spend(_EFFORT_OF_OBJECT)
        if len(text) > _MAX_DIGITS:
            raise GpvizError(
                f"it is not a file of gpviz; a number in it has {len(text):,} digits, "
                f"but at most {_MAX_DIGITS:,} are allowed."
            )
        return int(text)

    def on_number(text: str) -> float:
        number = float(text)
        if not isfinite(number):
            raise GpvizError(f"it is not a file of gpviz; {shown(text)} in it is too large a number.")
        return number

    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=on_object,
            parse_constant=_refuse_constant,
            parse_int=on_whole_number,
            parse_float=on_number,
        )
    except UnicodeDecodeError as error:
        raise GpvizError(f"it is not JSON; byte {error.start + 1} is not UTF-8.") from error
    except json.JSONDecodeError as error:
        problem = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise GpvizError(
            f"it is not JSON; {problem} at line {error.lineno}, column {error.colno}."
        ) from error
    except RecursionError as error:
        raise GpvizError("it is not a file of gpviz; its JSON is nested too deeply.") from error


def _check_count(content: bytes, most: int) -> None:
    """Refuse what has too many values; the commas and brackets in texts do not count."""
    if _count(content) > most and _count(_STRING.sub(b"", content)) > most:
        raise GpvizError(f"it is not a file of gpviz; it has more than {most:,} values.")


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
