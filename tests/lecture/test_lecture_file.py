"""Whatever a lecture file holds, opening it gives a lecture or one sentence; what is saved is what is opened."""

import json
import os
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.files import file_io
from gpviz.lecture import lecture_file
from gpviz.lecture.lecture import PANELS, Lecture, Scene, SceneCaption
from gpviz.lecture.lecture_file import (
    is_lecture_file,
    lecture_data_of,
    lecture_of,
    load_any,
    load_lecture,
    save_lecture,
    shipped_lectures,
)
from gpviz.page_list import scene_pages
from gpviz.runs.run_file import RunFile, data_of, describe, describe_branches, load, save
from tests.runs.branching import branched_run
from tests.runs.runs import recorded

NINES = "9" * 5000
RUN = describe(recorded(RunConfig(n=4, limit="6"), 50)[2])
LECTURE = Lecture(
    title="Trees ∧ more",
    runs=(RUN, describe_branches(*branched_run())),
    scenes=(
        Scene(title="Words", has_tree=False, panels=(), text="# Words\n\n| n |\n|--|\n| 4 |"),
        Scene(
            title="A range",
            run=1,
            branch=2,
            first=60,
            last=90,
            is_by_accepted=True,
            speed=2.5,
            panels=("curves", "caption"),
            page="proof",
            caption="x₁",
            notes="Say it\nslowly",
        ),
    ),
)
FIRST_FIELDS = [field.name for field in fields(Scene) if field.name not in ("captions", "content")]
"""What a scene of the first version has; later versions have these and more."""
CAPTIONS = (SceneCaption(10, "Watch the ∨."), SceneCaption(12, "There it is."))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lectures")


@pytest.fixture
def valid() -> dict[str, Any]:
    """The data of a valid file."""
    data: dict[str, Any] = json.loads(json.dumps(lecture_data_of(LECTURE)))
    return data


def sentence_about(path: Path, content: bytes, opened: Callable[[Path], object] = load_lecture) -> str:
    """What opening a file with this content says, which must be one sentence that names the file."""
    path.write_bytes(content)
    with pytest.raises(GpvizError) as caught:
        opened(path)
    assert path.read_bytes() == content
    name, message = str(caught.value)[: len(str(path))], str(caught.value)[len(str(path)) :]
    assert name == str(path)
    assert message.startswith(": ")
    assert message.endswith(".")
    assert message.isprintable()
    assert len(message) < 400
    return message[2:]


def changed(data: Any, place: str, value: Any) -> Any:
    """The data with another value at ``key.key``; a number is a place in a list."""
    key, _, rest = place.partition(".")
    name: Any = int(key) if isinstance(data, list) else key
    inside = changed(data[name], rest, value) if rest else value
    if isinstance(data, list):
        return [*data[:name], inside, *data[name + 1 :]]
    return {**data, name: inside}


def test_a_saved_lecture_is_opened_as_it_was(tmp_path: Path):
    path = tmp_path / "talk.gpviz"
    save_lecture(path, LECTURE)
    assert load_lecture(path) == load_any(path) == LECTURE
    assert is_lecture_file(path)


scenes = st.builds(
    Scene,
    title=st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=9),
    run=st.integers(0, 1),
    first=st.integers(0, 10),
    last=st.integers(13, 50),
    is_by_accepted=st.booleans(),
    speed=st.floats(0, 1e6),
    panels=st.lists(st.sampled_from(PANELS), unique=True).map(tuple),
    page=st.sampled_from(["", *(info.name for info in scene_pages())]),
    has_tree=st.booleans(),
    text=st.text(st.characters(exclude_categories=["C"])),
    notes=st.text(st.characters(exclude_categories=["C"])),
    captions=st.sampled_from(((), CAPTIONS)),
)


@given(st.lists(scenes, max_size=4))
@settings(max_examples=50)
def test_every_lecture_survives_its_file(made: list[Scene]):
    lecture = replace(LECTURE, scenes=tuple(made))
    assert lecture_of(json.loads(json.dumps(lecture_data_of(lecture)))) == lecture


def test_a_file_says_what_it_is_at_once_and_all_there_is_to_a_scene(tmp_path: Path, valid: dict[str, Any]):
    save_lecture(tmp_path / "talk.gpviz", LECTURE)
    text = (tmp_path / "talk.gpviz").read_text(encoding="utf-8")
    assert text.startswith('{\n  "format": "gpviz-lecture",\n  "version": 1,\n  "title": "Trees ∧ more"')
    assert text.endswith("}\n")
    assert list(valid["scenes"][1]) == FIRST_FIELDS
    captioned = replace(LECTURE.scenes[1], captions=(SceneCaption(60, "Now."),))
    save_lecture(tmp_path / "talk.gpviz", replace(LECTURE, scenes=(captioned,)))
    data = json.loads((tmp_path / "talk.gpviz").read_bytes())
    assert data["version"] == 2
    assert data["scenes"][0]["captions"] == [{"iteration": 60, "text": "Now."}]
    assert load_lecture(tmp_path / "talk.gpviz").scenes == (captioned,)


@pytest.mark.parametrize(
    ("changes", "version"),
    [
        ({}, 1),
        ({"page": "proof"}, 1),
        ({"panels": ("curves", "theory")}, 3),
        ({"page": "outlook"}, 4),
        ({"page": "outlook", "panels": ("curves", "theory")}, 4),
    ],
)
def test_a_file_has_the_first_version_that_knows_what_is_in_it(changes: dict[str, Any], version: int):
    scene = replace(LECTURE.scenes[1], **changes)
    assert lecture_data_of(replace(LECTURE, scenes=(LECTURE.scenes[0], scene)))["version"] == version


def test_a_lecture_that_would_be_too_large_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lecture_file, "MAX_FILE_BYTES", 1000)
    path = tmp_path / "talk.gpviz"
    with pytest.raises(
        GpvizError, match=r"it cannot be written; the lecture would make it [\d,]+ bytes long"
    ):
        save_lecture(path, LECTURE)
    assert not path.exists()


def test_a_run_is_told_from_a_lecture(tmp_path: Path):
    path = tmp_path / "run.gpviz"
    save(path, RUN)
    assert not is_lecture_file(path)
    assert load_any(path) == RUN
    message = sentence_about(path, path.read_bytes())
    assert message == "format: it is a run, not a lecture; open it as a run, and capture scenes from it."


def test_a_lecture_opened_as_a_run_is_a_sentence_that_says_so(tmp_path: Path, valid: dict[str, Any]):
    message = sentence_about(tmp_path / "talk.gpviz", json.dumps(valid).encode(), load)
    assert "lecture" in message


def test_a_note_about_lectures_does_not_make_a_run_one(tmp_path: Path):
    config = RunConfig(n=4)
    history = recorded(config, 3)[2]
    data = data_of(describe(history))
    data["bookmarks"] = [{"iteration": 0, "note": '"format": "gpviz-lecture"'}]
    path = tmp_path / "run.gpviz"
    path.write_text(json.dumps(data))
    assert not is_lecture_file(path)
    assert isinstance(load_any(path), RunFile)


def test_a_lecture_is_known_whatever_the_order_of_its_keys(tmp_path: Path, valid: dict[str, Any]):
    path = tmp_path / "talk.gpviz"
    path.write_text(json.dumps(dict(reversed(valid.items()))))
    assert is_lecture_file(path)
    assert load_lecture(path) == LECTURE


def test_what_cannot_be_read_is_no_lecture(tmp_path: Path):
    assert not is_lecture_file(tmp_path)
    assert not is_lecture_file(tmp_path / "nothing.gpviz")
    assert not is_lecture_file("a\0b")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert not is_lecture_file(tmp_path / "pipe")


def test_the_shipped_lectures_come_in_the_order_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "lectures").mkdir()
    for name in "febdca":
        save_lecture(tmp_path / "lectures" / f"{name}.gpviz", replace(LECTURE, title=name.upper()))
    monkeypatch.setattr(assets, "_PLACES", (tmp_path,))
    assert [(each.name, each.title, each.path.name) for each in shipped_lectures()] == [
        (name, name.upper(), f"{name}.gpviz") for name in "abcdef"
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is not JSON; expecting value at line 1, column 1."),
        (b"{", "it is not JSON; expecting property name"),
        (b"\xff\xfe{}", "it is not JSON; byte 1 is not UTF-8."),
        (b"[]", "it is not a lecture; it has no keys."),
        (NINES.encode(), "it is not a lecture; it has no keys."),
        (b"{}", "format: None is not allowed; it must be 'gpviz-lecture' in a lecture."),
        (b'{"format": ["gpviz-lecture"]}', "format: ['gpviz-lecture'] is not allowed"),
        (b'{"format": "gpviz-lecture", "format": "gpviz-lecture"}', "'format' is given twice"),
        (
            b'{"format": "gpviz-lecture"}',
            "version: None is not allowed; it must be a whole number from 1 to 4.",
        ),
        (b'{"format": "gpviz-lecture", "version": 1}', "title: it is missing."),
        (b'{"format": NaN}', "it is not JSON; NaN is not a number there."),
        (b"[" * 100_000, "it is not a file of gpviz; its JSON is nested too deeply."),
    ],
)
def test_what_is_no_lecture_is_refused(tmp_path: Path, content: bytes, message: str):
    assert sentence_about(tmp_path / "bad.gpviz", content).startswith(message)
    sentence_about(tmp_path / "bad.gpviz", content, load_any)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("version", 0, "version: 0 is not allowed; it must be a whole number from 1 to 4."),
        ("version", True, "version: True is not allowed; it must be a whole number from 1 to 4."),
        ("version", "1", "version: '1' is not allowed; it must be a whole number from 1 to 4."),
        ("version", 5, "version: it was saved as version 5, but this gpviz knows only up to version 4."),
        ("extra", 1, "'extra' is unknown; the keys are format, version, title, runs, scenes."),
        ("title", 1, "title: 1 is not allowed; it must be a text of 1 to 200 characters in one line."),
        ("title", "", "title: '' is not allowed; "),
        ("runs", {}, "runs: {} is not allowed; it must be a list."),
        ("runs", None, "runs: None is not allowed; it must be a list."),
        ("runs", [], "scenes[1].run: the scene shows run 1, but the lecture has no runs."),
        ("runs", [None] * 101, "runs: there are 101, but at most 100 are allowed."),
        ("runs.0", None, "runs[0]: None is not allowed; it must be an object, written as in a run file."),
        ("runs.0", {}, "runs[0]: format: None is not allowed; it must be 'gpviz-run' in a run file."),
        ("runs.0.config.n", 0, "runs[0]: config.n: 0 is not allowed; it must be "),
        ("runs.0.start", "x9", "runs[0]: start: "),
        ("runs.0.iterations", 10**8, "runs[0]: iterations: 100000000 is not allowed; it must be "),
        ("runs.0.fingerprint", "", "runs[0]: fingerprint: '' is not allowed; it must be "),
        ("runs.1.branches.0.parent", 9, "runs[1]: branches[0].parent: 9 is not allowed; it must be "),
        ("scenes", "all", "scenes: 'all' is not allowed; it must be a list."),
        ("scenes", [0] * 501, "scenes: there are 501, but at most 500 are allowed."),
        ("scenes.0", [], "scenes[0]: [] is not allowed; it must be an object with the keys title, run, "),
        ("scenes.0", {}, "scenes[0].title: it is missing."),
        ("scenes.0.colour", "red", "'scenes[0].colour' is unknown; the keys are title, run, branch, "),
        ("scenes.1.title", None, "scenes[1].title: None is not allowed; "),
        ("scenes.1.run", 2, "scenes[1].run: 2 is not allowed; it must be a whole number from 0 to 1."),
        ("scenes.1.run", 0, "scenes[1].branch: 2 is not allowed; it must be a whole number from 0 to 0."),
        ("scenes.1.run", True, "scenes[1].run: True is not allowed; "),
        ("scenes.1.branch", 4, "scenes[1].branch: 4 is not allowed; it must be a whole number from 0 to 3."),
        ("scenes.1.first", 91, "scenes[1].first: 91 is not allowed; it must be at most 90, the last "),
        ("scenes.1.first", "60", "scenes[1].first: '60' is not allowed; "),
        ("scenes.1.last", 91, "scenes[1].last: 91 is not allowed; it must be at most 90, the iterations "),
        ("scenes.1.last", 10**1299, "scenes[1].last: a number of "),
        ("scenes.1.is_by_accepted", 0, "scenes[1].is_by_accepted: 0 is not allowed; it must be true or"),
        ("scenes.1.speed", -0.5, "scenes[1].speed: -0.5 is not allowed; it must be a number from 0 to "),
        ("scenes.1.speed", 1e300, "scenes[1].speed: 1e+300 is not allowed; it must be a number from 0 to "),
        ("scenes.1.speed", None, "scenes[1].speed: None is not allowed; it must be a number from 0 to "),
        ("scenes.1.panels", "caption", "scenes[1].panels: 'caption' is not allowed; it must be a list."),
        ("scenes.1.panels", ["rows"], "scenes[1].panels[0]: 'rows' is not allowed; it must be 'caption',"),
        ("scenes.1.panels", [{}], "scenes[1].panels[0]: {} is not allowed; it must be 'caption',"),
        ("scenes.1.panels", ["legend"] * 9**5, "scenes[1].panels[1]: 'legend' is there already; "),
        ("scenes.1.page", "curves", "scenes[1].page: 'curves' is not allowed; it must be 'inside', "),
        ("scenes.1.has_tree", "no", "scenes[1].has_tree: 'no' is not allowed; it must be true or false."),
        ("scenes.1.text", "a" * 20_001, "scenes[1].text: 'aaaa"),
        ("scenes.1.caption", "a" * 1001, "scenes[1].caption: 'aaaa"),
        ("scenes.1.notes", "\ud800", "scenes[1].notes: '\\ud800' is not allowed; "),
        ("scenes.1.notes", ["a"], "scenes[1].notes: ['a'] is not allowed; "),
        ("scenes.1.captions", "a", "scenes[1].captions: 'a' is not allowed; it must be a list."),
        ("scenes.1.captions", [0] * 51, "scenes[1].captions: there are 51, but at most 50 are allowed."),
        ("scenes.1.captions", ["a"], "scenes[1].captions[0]: 'a' is not allowed; it must be an object with"),
        ("scenes.1.captions", [{"text": "a"}], "scenes[1].captions[0].iteration: it is missing."),
        (
            "scenes.1.captions",
            [{"iteration": "a", "text": "a"}],
            "scenes[1].captions[0].iteration: 'a' is not allowed; it must be a whole number from 0 to",
        ),
        (
            "scenes.1.captions",
            [{"iteration": 60, "text": "a"}, {"iteration": 90, "text": "a"}],
            "scenes[1].captions[1].iteration: 90 is not allowed; it must be from 60 to 89; the caption at the",
        ),
    ],
)
def test_a_file_with_a_wrong_value_is_refused_with_its_place(
    tmp_path: Path, valid: dict[str, Any], place: str, value: Any, message: str
):
    content = json.dumps(changed(valid, place, value)).encode()
    assert sentence_about(tmp_path / "bad.gpviz", content).startswith(message)
    assert sentence_about(tmp_path / "bad.gpviz", content, load_any).startswith(message)


@pytest.mark.parametrize("key", FIRST_FIELDS)
def test_every_field_of_a_scene_must_be_there(tmp_path: Path, valid: dict[str, Any], key: str):
    del valid["scenes"][1][key]
    message = sentence_about(tmp_path / "bad.gpviz", json.dumps(valid).encode())
    assert message == f"scenes[1].{key}: it is missing."


@pytest.mark.parametrize(
    "place",
    ["title", "runs", "runs.0", "scenes", "scenes.1", "scenes.1.panels", "scenes.1.speed", "scenes.1.text"],
)
def test_a_value_of_any_depth_is_refused(tmp_path: Path, valid: dict[str, Any], place: str):
    for depth in (2, 100, *range(900, 1000, 7), 5000, 50_000):
        nested = "[" * depth + "]" * depth
        content = json.dumps(changed(valid, place, "HERE")).replace('"HERE"', nested).encode()
        sentence_about(tmp_path / "bad.gpviz", content)


def test_runs_that_are_too_long_together_are_refused_before_they_are_replayed(
    tmp_path: Path, valid: dict[str, Any]
):
    valid["runs"] = [{**valid["runs"][0], "iterations": 10**7}] * 6
    valid["scenes"] = []
    message = sentence_about(tmp_path / "bad.gpviz", json.dumps(valid).encode())
    assert message == "runs: together they have 60,000,000 iterations, but at most 50,000,000 are allowed."


def test_a_file_of_more_than_16_megabytes_is_refused(tmp_path: Path):
    message = sentence_about(tmp_path / "bad.gpviz", b" " * 16_000_001)
    assert message == "it is 16,000,001 bytes long, and 16,000,000 are allowed."


def opens_or_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        opened = load_any(path)
    except GpvizError:
        return
    assert isinstance(opened, (Lecture, RunFile))


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(folder: Path, content: bytes):
    opens_or_is_refused(folder / "fuzz.gpviz", content)


VALID_CONTENT = json.dumps(lecture_data_of(LECTURE)).encode()


@given(st.data())
def test_a_valid_file_with_damaged_bytes_opens_or_is_refused(folder: Path, data: st.DataObject):
    content = bytearray(VALID_CONTENT)
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
def test_a_valid_file_with_another_value_opens_or_is_refused(folder: Path, data: st.DataObject):
    valid = lecture_data_of(LECTURE)
    places = [
        *valid,
        "runs.0",
        "runs.1.branches",
        "scenes.0",
        *(f"scenes.1.{key}" for key in valid["scenes"][1]),
    ]
    place = data.draw(st.sampled_from(places))
    content = json.dumps(changed(valid, place, data.draw(json_values))).encode()
    opens_or_is_refused(folder / "fuzz.gpviz", content)


@given(st.data())
def test_a_truncated_file_is_refused(folder: Path, data: st.DataObject):
    length = data.draw(st.integers(0, len(VALID_CONTENT) - 1))
    assert sentence_about(folder / "cut.gpviz", VALID_CONTENT[:length]).startswith("it is not JSON; ")


# --- how long it takes ---


def test_reading_tells_how_many_runs_and_scenes_are_checked(tmp_path: Path):
    save_lecture(tmp_path / "talk.gpviz", LECTURE)
    told: list[tuple[int, int]] = []
    load_lecture(tmp_path / "talk.gpviz", lambda done, total: told.append((done, total)))
    assert told == [(done, 4) for done in range(5)]


@pytest.mark.parametrize("part", range(4))
def test_reading_ends_between_any_two_runs_or_scenes_once_nobody_waits(part: int):
    data = lecture_data_of(LECTURE)
    told: list[int] = []
    with pytest.raises(Stopped), stoppable(lambda: len(told) > part):
        lecture_of(data, lambda done, _: told.append(done))
    assert told == list(range(part + 1))


@pytest.mark.parametrize("opening", [load_lecture, load_any])
def test_a_file_that_takes_too_long_is_given_up_in_a_sentence(
    opening: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    save_lecture(tmp_path / "talk.gpviz", LECTURE)
    monkeypatch.setattr(file_io, "MOST_READING_SECONDS", 0.0)
    with pytest.raises(
        GpvizError, match=r"talk\.gpviz: it cannot be read within 0 seconds, the most allowed\."
    ):
        opening(tmp_path / "talk.gpviz")
