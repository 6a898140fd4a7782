"""Whatever a run file holds, opening it gives a run file or one sentence, and never changes it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.formula import parse
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.files.strict_json import parse_json
from gpviz.runs.bookmarks import Bookmark
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.run_file import RunFile, describe, load, save
from tests.runs.runs import recorded

NINES = "9" * 5000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def valid(folder: Path) -> dict[str, Any]:
    """The data of a valid file."""
    config = RunConfig(n=4, limit="6", fitness="sampled", rows=8)
    _, _, history = recorded(config, 50, parse("x1 | x2"))
    save(folder / "valid.gpviz", describe(history, [Bookmark(3, "here")]))
    data: dict[str, Any] = json.loads((folder / "valid.gpviz").read_bytes())
    return data


def sentence_about(path: Path, content: bytes) -> str:
    """What opening a file with this content says, which must be one sentence that names the file."""
    path.write_bytes(content)
    with pytest.raises(GpvizError) as caught:
        load(path)
    assert path.read_bytes() == content
    name, message = str(caught.value)[: len(str(path))], str(caught.value)[len(str(path)) :]
    assert name == str(path)
    assert message.startswith(": ")
    assert message.endswith(".")
    assert message.isprintable()
    assert len(message) < 400
    return message[2:]


def changed(data: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    """The data with another value at ``key.key``."""
    key, _, rest = place.partition(".")
    return {**data, key: changed(data[key], rest, value) if rest else value}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is not JSON; expecting value at line 1, column 1."),
        (b"{", "it is not JSON; expecting property name"),
        (b'{"format": "gpviz-run", "vers', "it is not JSON; unterminated string"),
        (b"x1 & x2", "it is not JSON; expecting value at line 1, column 1."),
        (b"\xff\xfe{}", "it is not JSON; byte 1 is not UTF-8."),
        (b"\x80\x04K\x01.", "it is not JSON; byte 1 is not UTF-8."),
        (b"\xef\xbb\xbf{}", "it is not JSON; unexpected UTF-8 BOM"),
        (b"[]", "it is not a run file; it has no keys."),
        (b"null", "it is not a run file; it has no keys."),
        (NINES.encode(), "it is not a run file; it has no keys."),
        (b"{}", "format: None is not allowed; it must be 'gpviz-run'"),
        (b'{"format": "gpviz-talk", "version": 1}', "format: 'gpviz-talk' is not allowed"),
        (b'{"format": ["gpviz-run"]}', "format: ['gpviz-run'] is not allowed"),
        (b'{"format": "gpviz-run", "format": "gpviz-run"}', "'format' is given twice"),
        (b'{"format": NaN}', "it is not JSON; NaN is not a number there."),
        (b'{"format": -Infinity}', "it is not JSON; -Infinity is not a number there."),
        (b"[" * 100_000, "it is not a file of gpviz; its JSON is nested too deeply."),
        (b'{"a":' * 100_000, "it is not a file of gpviz; its JSON is nested too deeply."),
    ],
)
def test_what_is_no_run_file_is_refused(tmp_path: Path, content: bytes, message: str):
    assert sentence_about(tmp_path / "bad.gpviz", content).startswith(message)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("version", None, "version: None is not allowed; it must be a whole number from 1 to 4."),
        ("version", 0, "version: 0 is not allowed; it must be a whole number from 1 to 4."),
        ("version", "1", "version: '1' is not allowed; it must be a whole number from 1 to 4."),
        ("version", True, "version: True is not allowed; it must be a whole number from 1 to 4."),
        ("version", 5, "version: it was saved as version 5, but this gpviz knows only up to version 4."),
        ("version", 3, "name: it is missing."),
        ("version", 2, "name: it is missing."),
        ("branches", [], "'branches' is unknown; the keys are format, version, config, start, iterations,"),
        ("config", None, "config: None is not allowed; it must be an object with the keys n, limit,"),
        ("config", [], "config: [] is not allowed; it must be an object with the keys n, limit,"),
        ("config.n", 0, "config.n: 0 is not allowed; it must be "),
        ("config.n", "4", "config.n: '4' is not allowed; it must be written as 4."),
        ("config.n", True, "config.n: True is not allowed; it must be "),
        ("config.n", 4.0, "config.n: 4.0 is not allowed; it must be "),
        ("config.limit", 6, "config.limit: 6 is not allowed; it must be written as '6'."),
        ("config.limit", None, "config.limit: None is not allowed; it must be written as 'inf'."),
        ("config.limit", {}, "config.limit: {} is not allowed; it must be "),
        ("config.limit", "1", "start: 'x1 | x2' is not allowed; it must be a tree of at most 1 leaves"),
        ("config.deletion", ["leaf"], "config.deletion: ['leaf'] is not allowed; it must be "),
        ("config.functions", ["or"], "config.functions: ['or'] is not allowed; it must be "),
        ("config.functions", [{}], "config.functions: [{}] is not allowed; it must be "),
        ("config.functions", "and", "config.functions: 'and' is not allowed; it must be written as ['and']."),
        ("config.rows", 10**20, "config.rows: 100000000000000000000 is not allowed; it must be "),
        ("config.rows", None, "config.rows: it is missing; "),
        ("config.seed", -1, "config.seed: -1 is not allowed; it must be "),
        ("config.seed", 2**4096, "config.seed: a number of 4097 bits is not allowed; it must be "),
        ("config.colour", 1, "'config.colour' is unknown; the keys are n, limit,"),
        ("start", None, "start: None is not allowed; it must be a formula, or empty for the empty tree."),
        ("start", 5, "start: 5 is not allowed; it must be a formula"),
        ("start", "x1 &", "start: formula, column 5: expected a variable or '(' but the formula ends."),
        ("start", "x5", "start: formula, column 1: 'x5' is not a variable; they go from x1 to x4."),
        ("start", "\ud800", "start: formula, column 1: '\\ud800' is not part of a formula"),
        ("start", "x1 | x2 | x3 | x4 | x1 | x2 | x3", "start: 'x1 | x2 | x3 | x4 | x1 | x2 | x3' is not"),
        ("start", "x1&" * 10**6 + "x1", "start: formula: 'x1&x1&"),
        ("start", "(" * 10**6, "start: formula, column 1000001: expected a variable"),
        ("start", "__import__('os').getcwd()", "start: formula, column 1: '__import__' is not part of"),
        ("iterations", -1, "iterations: -1 is not allowed; it must be a whole number from 0 to 10000000."),
        (
            "iterations",
            "50",
            "iterations: '50' is not allowed; it must be a whole number from 0 to 10000000.",
        ),
        ("iterations", 50.0, "iterations: 50.0 is not allowed; it must be a whole number"),
        ("iterations", MAX_ITERATIONS + 1, "iterations: 10000001 is not allowed; it must be a whole number"),
        ("bookmarks", {}, "bookmarks: {} is not allowed; it must be a list."),
        (
            "bookmarks",
            [3],
            "bookmarks[0]: 3 is not allowed; it must be an object with the keys iteration, note.",
        ),
        ("bookmarks", [{"iteration": 1}], "bookmarks[0].note: it is missing."),
        ("bookmarks", [{"iteration": 1, "note": "", "x\n": 1}], "'bookmarks[0].x\\n' is unknown"),
        (
            "bookmarks",
            [{"iteration": 51, "note": ""}],
            "bookmarks[0].iteration: 51 is not allowed; it must be at",
        ),
        ("bookmarks", [{"iteration": None, "note": ""}], "bookmarks[0].iteration: None is not allowed"),
        (
            "bookmarks",
            [{"iteration": 1, "note": 1}],
            "bookmarks[0].note: 1 is not allowed; it must be a text",
        ),
        ("bookmarks", [{"iteration": 1, "note": "x" * 10_001}], "bookmarks[0].note: 'xxxx"),
        ("bookmarks", [{"iteration": 1, "note": "\udfff"}], "bookmarks[0].note: '\\udfff' is not allowed"),
        ("fingerprint", "sha256:", "fingerprint: 'sha256:' is not allowed; it must be 'sha256:' and 64 hex"),
        ("fingerprint", None, "fingerprint: None is not allowed; it must be 'sha256:' and 64 hexadecimal"),
        ("fingerprint", f"sha256:{'g' * 64}", "fingerprint: 'sha256:gggg"),
        ("colour", "blue", "'colour' is unknown; the keys are format, version, config, start, iterations,"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_value_is_refused_with_its_field(
    tmp_path: Path, valid: dict[str, Any], place: str, value: Any, message: str
):
    content = json.dumps(changed(valid, place, value)).encode()
    assert sentence_about(tmp_path / "bad.gpviz", content).startswith(message)


@pytest.mark.parametrize(
    "place", ["version", "config.n", "config.seed", "config.limit", "start", "iterations"]
)
def test_a_number_without_end_is_refused_with_its_field(tmp_path: Path, valid: dict[str, Any], place: str):
    content = json.dumps(changed(valid, place, "HERE")).replace('"HERE"', NINES).encode()
    message = sentence_about(tmp_path / "bad.gpviz", content)
    assert message.startswith(f"{place}: a number of 5000 digits is not allowed")


@pytest.mark.parametrize(
    "key", ["version", "config", "start", "iterations", "bookmarks", "fingerprint", "config.n", "config.seed"]
)
def test_a_missing_key_is_named(tmp_path: Path, valid: dict[str, Any], key: str):
    outer, _, inner = key.partition(".")
    data = changed(valid, outer, {**valid[outer]}) if inner else {**valid}
    del (data[outer] if inner else data)[inner or outer]
    message = sentence_about(tmp_path / "bad.gpviz", json.dumps(data).encode())
    expected = "version: None is not allowed" if key == "version" else f"{key}: it is missing."
    assert message.startswith(expected)


@pytest.mark.parametrize("place", ["config", "config.n", "start", "iterations", "bookmarks", "fingerprint"])
def test_a_value_of_any_depth_is_refused(tmp_path: Path, valid: dict[str, Any], place: str):
    # Between what can be shown and what cannot even be read may lie a depth that can only be read.
    for depth in (2, 100, *range(850, 1000), 5000, 9_900, 50_000):
        nested = "[" * depth + "]" * depth
        content = json.dumps(changed(valid, place, "HERE")).replace('"HERE"', nested).encode()
        sentence_about(tmp_path / "bad.gpviz", content)


def test_a_file_of_more_than_16_megabytes_is_refused(tmp_path: Path):
    message = sentence_about(tmp_path / "bad.gpviz", b" " * 16_000_001)
    assert message == "it is 16,000,001 bytes long, and 16,000,000 are allowed."


def test_a_file_full_of_keys_is_refused_at_once(tmp_path: Path):
    keys = ",".join(f'"{number}":0' for number in range(500_000))
    content = f'{{{keys},"499999":0}}'.encode()
    assert sentence_about(tmp_path / "bad.gpviz", content).startswith("'499999' is given twice")


def opens_or_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        run_file = load(path)
    except GpvizError:
        return
    assert isinstance(run_file, RunFile)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(folder: Path, content: bytes):
    opens_or_is_refused(folder / "fuzz.gpviz", content)


@given(st.data())
def test_a_valid_file_with_damaged_bytes_opens_or_is_refused(
    folder: Path, valid: dict[str, Any], data: st.DataObject
):
    content = bytearray(json.dumps(valid).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 3))
        content[place : place + length] = data.draw(st.binary(max_size=4))
    opens_or_is_refused(folder / "fuzz.gpviz", bytes(content))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**1299),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_a_valid_file_with_another_value_opens_or_is_refused(
    folder: Path, valid: dict[str, Any], data: st.DataObject
):
    settings_of_a_run = [f"config.{name}" for name in valid["config"]]
    place = data.draw(st.sampled_from([*valid, *settings_of_a_run]))
    content = json.dumps(changed(valid, place, data.draw(json_values))).encode()
    opens_or_is_refused(folder / "fuzz.gpviz", content)


@given(st.data())
def test_a_truncated_file_is_refused(folder: Path, valid: dict[str, Any], data: st.DataObject):
    content = json.dumps(valid).encode()
    length = data.draw(st.integers(0, len(content) - 1))
    assert sentence_about(folder / "cut.gpviz", content[:length]).startswith("it is not JSON; ")


@pytest.mark.parametrize("value", [b"[]", b"{}", b"1", b'""'])
def test_values_without_end_are_refused_before_they_are_read(folder: Path, value: bytes):
    content = b"[" + b",".join([value] * 1_000_002) + b"]"
    assert sentence_about(folder / "values.gpviz", content) == (
        "it is not a file of gpviz; it has more than 1,000,000 values."
    )


def test_a_text_may_have_as_many_commas_and_brackets_as_it_likes():
    text = 'a, "b" [\\] {' * 500_000
    assert parse_json(json.dumps({"text": text}).encode()) == {"text": text}


@pytest.mark.parametrize("value", [b'{"a": "b"}', b"1"])
def test_reading_values_ends_once_nobody_waits(value: bytes):
    asked: list[bool] = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    with pytest.raises(Stopped), stoppable(should_stop):
        parse_json(b"[" + b",".join([value] * 100_000) + b"]")
