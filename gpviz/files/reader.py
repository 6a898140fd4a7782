"""Reads data from untrusted files: a dataclass describes a record, its annotations what each field may hold.

    @dataclass(frozen=True)
    class SceneCaption:
        iteration: Annotated[int, Whole(0, 10_000_000)]
        text: Annotated[str, Text(1000, is_required=True)]

`record_of` makes a reader of plain data from such a class; a field with a default may be missing, an unknown one
is refused. A class that calls `check_fields` in its ``__post_init__`` is checked in the same way when it is made
by hand. Whatever is wrong raises `GpvizError`: one sentence with the path of the field (``scenes[3].title``),
its value and what is allowed. A path holds only names that gpviz has given, and values are quoted by `shown`.

`parse_json` reads JSON as the standard has it: no repeated keys, no NaN, no endless numbers or lists.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Protocol, Union, get_args, get_origin, get_type_hints

from gpviz.engine.errors import GpvizError, InvalidValueError, range_text, shown, whole_number
from gpviz.engine.interruption import Effort, checkpoint

_NOT_SHOWN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters other than a tab and the end of a line, and halves of surrogate pairs."""
_NOT_WRITTEN: Final = re.compile(r"[\ud800-\udfff]")
_WITH_PATH: Final = re.compile(r"[\w.\[\]]+(:|, )")


class Kind(Protocol):
    """What a field may hold."""

    def read(self, name: str, value: object) -> Any:
        """The value for the field of this name, checked; what was read before is returned as it is."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range, ends included; a person may also type it where ``is_typed``."""

    least: int
    most: int
    is_typed: bool = False

    def read(self, name: str, value: object) -> int:
        if isinstance(value, str) and not self.is_typed:
            raise InvalidValueError(name, value, range_text(self.least, self.most))
        return whole_number(name, value, self.least, self.most)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a range, ends included."""

    least: float
    most: float

    def read(self, name: str, value: object) -> float:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not self.least <= value <= self.most
        ):
            raise InvalidValueError(name, value, f"a number from {self.least:,.0f} to {self.most:,.0f}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Line:
    """A text in one line, not empty."""

    most: int

    def read(self, name: str, value: object) -> str:
        allowed = f"a text of 1 to {self.most} characters in one line"
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise InvalidValueError(name, value, allowed)
        if len(value) > self.most:
            raise InvalidValueError(name, value, f"{allowed}, not {len(value)}")
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text of any number of lines, with control characters only where ``has_controls``."""

    most: int
    is_required: bool = False
    has_controls: bool = False

    def read(self, name: str, value: object) -> str:
        length = f"1 to {self.most}" if self.is_required else f"at most {self.most}"
        allowed = f"a text of {length} characters"
        if not isinstance(value, str) or (self.is_required and not value.strip()):
            raise InvalidValueError(name, value, allowed)
        if len(value) > self.most:
            raise InvalidValueError(name, value, f"{allowed}, not {len(value)}")
        unfit = (_NOT_WRITTEN if self.has_controls else _NOT_SHOWN).search(value)
        if unfit is not None:
            raise InvalidValueError(
                name, value, f"{allowed}, without {unfit.group()!r}, which cannot be shown"
            )
        return value


@dataclass(frozen=True, slots=True)
class Matching:
    """A text that matches a pattern as a whole."""

    pattern: re.Pattern[str]
    allowed: str

    def read(self, name: str, value: object) -> str:
        if not isinstance(value, str) or not self.pattern.fullmatch(value):
            raise InvalidValueError(name, value, self.allowed)
        return value


class Switch:
    """True or false."""

    def read(self, name: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise InvalidValueError(name, value, "true or false")
        return value


class Anything:
    """What is checked elsewhere."""

    def read(self, name: str, value: object) -> Any:
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some texts."""

    names: tuple[str, ...]

    def read(self, name: str, value: object) -> str:
        if not isinstance(value, str) or value not in self.names:
            raise InvalidValueError(name, value, listed(self.names))
        return value


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enumeration, written as its value."""

    members: type[Enum]

    def read(self, name: str, value: object) -> Any:
        if isinstance(value, self.members):
            return value
        values = [each.value for each in self.members]
        if not isinstance(value, str) or value not in values:
            raise InvalidValueError(name, value, listed(values))
        return self.members(value)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The first of some kinds that fits."""

    kinds: tuple[Kind, ...]

    def read(self, name: str, value: object) -> Any:
        for kind in self.kinds[:-1]:
            try:
                return kind.read(name, value)
            except GpvizError:
                continue
        return self.kinds[-1].read(name, value)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of at most so many values, which becomes a tuple."""

    kind: Kind
    most: int | None = None

    def read(self, name: str, value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidValueError(name, value, "a list")
        check_count(name, len(value), self.most)
        return tuple(self.kind.read(f"{name}[{index}]", each) for index, each in enumerate(value))


@dataclass(frozen=True, slots=True)
class FixedList:
    """A list with one value of each kind."""

    kinds: tuple[Kind, ...]

    def read(self, name: str, value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.kinds):
            raise InvalidValueError(name, value, f"a list of {len(self.kinds)}")
        pairs = enumerate(zip(self.kinds, value, strict=True))
        return tuple(kind.read(f"{name}[{index}]", each) for index, (kind, each) in pairs)


@dataclass(frozen=True, slots=True)
class Instance:
    """An object that has been made already."""

    made: type

    def read(self, name: str, value: object) -> Any:
        if not isinstance(value, self.made):
            raise InvalidValueError(name, value, f"a {self.made.__name__}")
        return value


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """An object with named fields, from which ``make`` makes what is read."""

    fields: Mapping[str, Kind]
    required: frozenset[str]
    make: Callable[..., Any] = dict

    def read(self, name: str, value: object) -> Any:
        if isinstance(self.make, type) and self.make is not dict and isinstance(value, self.make):
            return value
        checkpoint()
        keys = ", ".join(self.fields)
        if not isinstance(value, dict):
            raise InvalidValueError(name, value, f"an object with the keys {keys}")
        with within(name):
            for key in self.fields:
                if key in self.required and key not in value:
                    raise GpvizError(f"{key}: it is missing.")
            for key in value:
                if key not in self.fields:
                    raise GpvizError(f"{shown(key)} is unknown; the keys are {keys}.")
            return self.make(**{key: self.fields[key].read(key, each) for key, each in value.items()})


@contextmanager
def within(name: str) -> Iterator[None]:
    """Whatever is wrong in here is in the field of this name."""
    try:
        yield
    except InvalidValueError as error:
        raise InvalidValueError(_joined(name, error.field), error.value, error.allowed) from error
    except GpvizError as error:
        text = str(error)
        raise GpvizError(
            _joined(name, text) if _WITH_PATH.match(text) or not name else f"{name}: {text}"
        ) from error


def _joined(name: str, path: str) -> str:
    return f"{name}{'.' if name and not path.startswith('[') else ''}{path}"


def check_count(name: str, count: int, most: int | None) -> None:
    """Refuse more than this."""
    if most is not None and count > most:
        raise GpvizError(f"{name}: there are {count:,}, but at most {most} are allowed.")


def check_version(data: Mapping[str, Any], known: Iterable[int]) -> None:
    """Refuse a file of a version that this gpviz does not read; the newest is the one that it writes."""
    version, known = data.get("version"), tuple(known)
    if type(version) is int and version > known[-1]:
        newer = f"it was saved as version {shown(version)}"
        raise GpvizError(f"version: {newer}, but this gpviz knows only up to version {known[-1]}.")
    if type(version) is not int or version not in known:
        raise InvalidValueError("version", version, listed(known))


def listed(names: Iterable[object]) -> str:
    """Names as a sentence has them: ``'a', 'b' or 'c'``."""
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}" if others else last


Leaves = Mapping[Any, Kind]
"""Kinds for types that are not described by an annotation."""
_USUAL_LEAVES: Final[Leaves] = MappingProxyType({bool: Switch(), NoneType: Instance(NoneType)})


@cache
def record_of(made: type) -> Record:
    """What reads records of a dataclass."""
    return record_with(made, {})


def record_with(made: type, leaves: Leaves, left_out: Iterable[str] = ()) -> Record:
    """As `record_of`, with kinds for some types, and without the fields of some names."""
    hints = get_type_hints(made, include_extras=True)
    used = [each for each in fields(made) if each.init and each.name not in left_out]
    kinds = {each.name: _kind_of(hints[each.name], {**_USUAL_LEAVES, **leaves}, left_out) for each in used}
    return Record(kinds, frozenset(each.name for each in used if not _has_default(each)), made)


def check_fields(record: Any) -> None:
    """For the ``__post_init__`` of a dataclass: every field holds what its annotation allows, or `GpvizError`."""
    made: type = type(record)
    for name, kind in record_of(made).fields.items():
        object.__setattr__(record, name, kind.read(name, getattr(record, name)))


def _has_default(each: "Field[Any]") -> bool:
    return each.default is not MISSING or each.default_factory is not MISSING


def _kind_of(hint: Any, leaves: Leaves, left_out: Iterable[str]) -> Kind:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        described: Kind = parts[1]
        return described
    if hint in leaves:
        return leaves[hint]
    if origin in (Union, UnionType):
        # What is neither None nor the rest is refused for what the rest allows.
        ordered = sorted(parts, key=lambda part: part is not NoneType)
        return AnyOf(tuple(_kind_of(each, leaves, left_out) for each in ordered))
    if origin is tuple and parts[-1] is Ellipsis:
        return ListOf(_kind_of(parts[0], leaves, left_out))
    if origin is tuple:
        return FixedList(tuple(_kind_of(each, leaves, left_out) for each in parts))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Member(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return record_with(hint, leaves, left_out)
    assert isinstance(hint, type), f"no file can hold {hint}"
    return Instance(hint)


# The longest number a configuration may hold, a seed of 4096 bits, has 1234 digits.
_MAX_DIGITS: Final = 1300
_MAX_VALUES: Final = 1_000_000
"""While the lists of a file are read no other thread has its turn; a file that gpviz has written has fewer."""
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_EFFORT_OF_OBJECT: Final = 10


def parse_json(content: bytes, most_values: int = _MAX_VALUES) -> Any:
    """The data; raises `GpvizError` where it is not JSON, or has more values than allowed."""
    _check_size(content, most_values)
    effort = Effort()

    def on_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        effort.spend(_EFFORT_OF_OBJECT + len(pairs))
        return _without_repeats(pairs)

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


def _check_size(content: bytes, most: int) -> None:
    """Refuse what has too many values; the commas and brackets in texts do not count."""
    if _count_of_values(content) > most and _count_of_values(_STRING.sub(b"", content)) > most:
        raise GpvizError(f"it is not a file of gpviz; it has more than {most:,} values.")


def _count_of_values(content: bytes) -> int:
    return sum(content.count(sign) for sign in (b",", b"[", b"{"))


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise GpvizError(f"{shown(twice)} is given twice; it may be given once.")
    return data


def _refuse_constant(name: str) -> None:
    raise GpvizError(f"it is not JSON; {name} is not a number there.")
