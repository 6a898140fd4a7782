"""Data of a stranger becomes what a dataclass describes, or one sentence says which field is wrong and why."""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import pytest

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.files.reader import (
    Line,
    ListOf,
    Matching,
    Number,
    OneOf,
    Text,
    Whole,
    check_fields,
    check_version,
    parse_json,
    record_of,
    within,
)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Point:
    label: Annotated[str, Line(9)]
    x: Annotated[int, Whole(0, 5)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    points: Annotated[tuple[Point, ...], ListOf(record_of(Point), 3)]
    speed: Annotated[float, Number(0, 2000)] = 1.0
    is_large: bool = False
    colour: Colour | None = None
    frame: tuple[Colour, bool] = (Colour.RED, True)
    note: Annotated[str, Text(9)] = ""
    key: Annotated[str, Matching(re.compile("[0-9]+"), "digits")] = "1"
    typed: Annotated[int, Whole(1, 9, is_typed=True)] = 1
    kind: Annotated[str, OneOf(("a", "b", "c"))] = "a"
    caption: Annotated[str, Text(9, is_required=True)] = "x"
    raw: Annotated[str, Text(9, has_controls=True)] = ""

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.points) == 2 and self.points[0].x > self.points[1].x:
            raise InvalidValueError("points[0].x", self.points[0].x, "the smaller one")


def read(**data: Any) -> Drawing:
    drawing = record_of(Drawing).read("drawings[2]", {"points": [], **data})
    assert isinstance(drawing, Drawing)
    return drawing


def test_a_record_is_made_of_what_is_there_and_defaults():
    made = read(points=[{"label": "p", "x": 3}], speed=2, colour="blue", frame=["red", False], typed=" 7 ")
    assert made == Drawing(
        points=(Point("p", 3),), speed=2.0, colour=Colour.BLUE, frame=(Colour.RED, False), typed=7
    )
    assert isinstance(made.speed, float)
    assert read(raw="\x1b") == Drawing(points=(), raw="\x1b")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"points": 5}, ".points: 5 is not allowed; it must be a list."),
        ({"points": [{}] * 4}, ".points: there are 4, but at most 3 are allowed."),
        ({"points": [{"label": "p"}, 7]}, ".points[1]: 7 is not allowed; it must be an object with the keys"),
        ({"points": [{"x": 1}]}, ".points[0].label: it is missing."),
        ({"points": [{"label": ""}]}, ".points[0].label: '' is not allowed; it must be a text of 1 to 9 "),
        ({"points": [{"label": "a\nb"}]}, ".points[0].label: 'a\\nb' is not allowed"),
        ({"points": [{"label": "a" * 99}]}, ".points[0].label: 'aaa"),
        ({"points": [{"label": "p", "x": 6}]}, ".points[0].x: 6 is not allowed; it must be a whole number"),
        ({"points": [{"label": "p", "x": "1"}]}, ".points[0].x: '1' is not allowed"),
        ({"points": [{"label": "p", "x": True}]}, ".points[0].x: True is not allowed"),
        ({"points": [{"label": "p", "x": 2**9999}]}, ".points[0].x: a number of 10000 bits is not allowed"),
        (
            {"points": [{"label": "p", "x": 2}, {"label": "p", "x": 1}]},
            ".points[0].x: 2 is not allowed; it must be the smaller one.",
        ),
        ({"speed": 2001}, ".speed: 2001 is not allowed; it must be a number from 0 to 2,000."),
        ({"speed": float("nan")}, ".speed: nan is not allowed"),
        ({"speed": True}, ".speed: True is not allowed"),
        ({"is_large": 1}, ".is_large: 1 is not allowed; it must be true or false."),
        ({"colour": "green"}, ".colour: 'green' is not allowed; it must be 'red' or 'blue'."),
        ({"colour": ["red"]}, ".colour: ['red'] is not allowed"),
        ({"frame": ["red"]}, ".frame: ['red'] is not allowed; it must be a list of 2."),
        ({"frame": ["red", "yes"]}, ".frame[1]: 'yes' is not allowed; it must be true or false."),
        ({"note": "a\x07"}, ".note: 'a\\x07' is not allowed; it must be a text of at most 9 characters, w"),
        ({"note": "\ud800"}, ".note: '\\ud800' is not allowed"),
        ({"raw": "\ud800"}, ".raw: '\\ud800' is not allowed"),
        ({"key": "12a"}, ".key: '12a' is not allowed; it must be digits."),
        ({"typed": "ten"}, ".typed: 'ten' is not allowed; it must be a whole number from 1 to 9."),
        ({"kind": "d"}, ".kind: 'd' is not allowed; it must be 'a', 'b' or 'c'."),
        ({"caption": " \n"}, ".caption: ' \\n' is not allowed; it must be a text of 1 to 9 characters."),
        ({"size": 1}, ": 'size' is unknown; the keys are points, speed, is_large,"),
        ({"\x1b[31m" + "x" * 999: 1}, ": '\\x1b[31mxxx"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_one_sentence_with_its_path(data: dict[str, Any], message: str):
    with pytest.raises(GpvizError) as caught:
        read(**data)
    text = str(caught.value)
    assert text.startswith(f"drawings[2]{message}")
    assert text.endswith(".")
    assert text.isprintable()
    assert len(text) < 300


def test_a_record_made_by_hand_is_checked_in_the_same_way():
    with pytest.raises(InvalidValueError, match=r"^speed: -1 is not allowed; it must be a number from 0"):
        Drawing(points=(), speed=-1)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ("y: it is missing.", "a.y: it is missing."),
        ("[3].y: it is missing.", "a[3].y: it is missing."),
        ("script, entry 3: it is wrong.", "a.script, entry 3: it is wrong."),
        ("it is not JSON.", "a: it is not JSON."),
        ("'b' is unknown.", "a: 'b' is unknown."),
    ],
)
def test_a_path_grows_from_the_inside(problem: str, message: str):
    with pytest.raises(GpvizError) as caught, within("a"):
        raise GpvizError(problem)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (None, "version: None is not allowed; it must be 1, 3 or 4."),
        (2, "version: 2 is not allowed; it must be 1, 3 or 4."),
        (True, "version: True is not allowed; it must be 1, 3 or 4."),
        (5, "version: it was saved as version 5, but this gpviz knows only up to version 4."),
    ],
)
def test_a_version_that_is_not_known_is_refused(version: object, message: str):
    check_version({"version": 3}, (1, 3, 4))
    with pytest.raises(GpvizError) as caught:
        check_version({"version": version}, (1, 3, 4))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is not JSON; expecting value at line 1, column 1."),
        (b"{", "it is not JSON; expecting property name"),
        (b'{"format": "gpviz-run", "vers', "it is not JSON; unterminated string"),
        (b"\xff\xfe{}", "it is not JSON; byte 1 is not UTF-8."),
        (b"\xef\xbb\xbf{}", "it is not JSON; unexpected UTF-8 BOM"),
        (b'{"a": 1, "b": 2, "a": 3}', "'a' is given twice; it may be given once."),
        (b'{"a\\u001b": 1, "a\\u001b": 2}', "'a\\x1b' is given twice"),
        (b'{"a": NaN}', "it is not JSON; NaN is not a number there."),
        (b'{"a": -Infinity}', "it is not JSON; -Infinity is not a number there."),
        (b'{"a": -1e999}', "it is not a file of gpviz; '-1e999' in it is too large a number."),
        (b"9" * 5000, "it is not a file of gpviz; a number in it has 5,000 digits, but at most 1,300 are"),
        (b"[" * 100_000, "it is not a file of gpviz; its JSON is nested too deeply."),
        (b'{"a":' * 100_000, "it is not a file of gpviz; its JSON is nested too deeply."),
        (b"[" + b"{}," * 1_000_001 + b"1]", "it is not a file of gpviz; it has more than 1,000,000 values."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_not_json_within_limits_is_refused(content: bytes, message: str):
    with pytest.raises(GpvizError) as caught:
        parse_json(content)
    assert str(caught.value).startswith(message)
    assert str(caught.value).isprintable()


def test_a_text_may_have_as_many_commas_and_brackets_as_it_likes():
    text = 'a, "b" [\\] {' * 500_000
    assert parse_json(json.dumps({"text": text}).encode()) == {"text": text}


def test_keys_by_the_hundred_thousand_are_compared_at_once():
    keys = ",".join(f'"{number}":0' for number in range(100_000))
    with pytest.raises(GpvizError, match="'99999' is given twice"):
        parse_json(f'{{{keys},"99999":0}}'.encode())


@pytest.mark.parametrize("value", [b'{"a": "b"}', b"1"])
def test_reading_values_ends_once_nobody_waits(value: bytes):
    asked: list[bool] = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    with pytest.raises(Stopped), stoppable(should_stop):
        parse_json(b"[" + b",".join([value] * 100_000) + b"]")
