"""JSON is read as the standard has it, and within limits."""

import json

import pytest

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.files.strict_json import parse_json


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
    keys = ",".join(f'"{number}":0' for number in range(500_000))
    with pytest.raises(GpvizError, match="'499999' is given twice"):
        parse_json(f'{{{keys},"499999":0}}'.encode())


@pytest.mark.parametrize("value", [b'{"a": "b"}', b"1"])
def test_reading_values_ends_once_nobody_waits(value: bytes):
    asked: list[bool] = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    with pytest.raises(Stopped), stoppable(should_stop):
        parse_json(b"[" + b",".join([value] * 100_000) + b"]")
