"""Whatever a lecture file holds, opening it gives a lecture or one sentence; what is saved is what is opened."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.experiments.figures.figure_data import check_charts
from gpviz.files import file_io
from gpviz.lecture import lecture as lecture_module
from gpviz.lecture.lecture import (
    MAX_TEXT_LENGTH,
    PANELS,
    Lecture,
    Scene,
    SceneCaption,
    is_lecture_file,
    lecture_data_of,
    lecture_of,
    load_any,
    load_lecture,
    save_lecture,
    shipped_lectures,
)
from gpviz.page_list import scene_pages
from gpviz.runs.run_file import describe, describe_branches, save
from tests.files.hostile import changed, refusal
from tests.runs.branching import branched_run
from tests.runs.runs import recorded

GOLDEN = Path(__file__).parent.parent / "golden" / "lectures-1.0.0"
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
CAPTIONS = (SceneCaption(10, "Watch the ∨."), SceneCaption(12, "There it is."))


@pytest.fixture
def valid() -> dict[str, Any]:
    """The data of a valid file."""
    data: dict[str, Any] = json.loads(json.dumps(lecture_data_of(LECTURE)))
    return data


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
def test_every_lecture_survives_its_file(made: list[Scene]):
    lecture = replace(LECTURE, scenes=tuple(made))
    assert lecture_of(json.loads(json.dumps(lecture_data_of(lecture)))) == lecture


def test_a_file_says_what_it_is_at_once_and_all_there_is_to_a_scene(tmp_path: Path, valid: dict[str, Any]):
    save_lecture(tmp_path / "talk.gpviz", LECTURE)
    text = (tmp_path / "talk.gpviz").read_text(encoding="utf-8")
    assert text.startswith('{\n  "format": "gpviz-lecture",\n  "version": 4,\n  "title": "Trees ∧ more"')
    assert text.endswith("}\n")
    assert list(valid["scenes"][1]) == [field.name for field in fields(Scene) if field.name != "content"]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.gpviz")), ids=lambda path: path.name)
def test_the_lectures_of_gpviz_1_0_0_open_and_are_saved_again(path: Path):
    lecture = load_lecture(path)
    check_charts(lecture)
    assert len(lecture.scenes) >= 15
    assert lecture_of(lecture_data_of(lecture)) == lecture


@pytest.mark.parametrize("version", range(1, 5))
def test_what_gpviz_1_0_0_wrote_still_opens(valid: dict[str, Any], version: int):
    for scene in valid["scenes"]:
        del scene["captions"]  # written where there were any
    for run in valid["runs"]:
        run |= {"version": 3 if run["branches"] else 1}
        del run["script"]
    assert lecture_of({**valid, "version": version}) == LECTURE


def test_a_scene_with_the_function_page_opens_rows(valid: dict[str, Any]):
    data = changed(valid, "scenes.1.page", "function")
    assert lecture_of(data).scenes[1] == replace(LECTURE.scenes[1], page="rows")


def test_a_scene_with_an_svg_says_that_it_is_no_longer_shown(valid: dict[str, Any]):
    picture = {"kind": "picture", "format": "svg", "alt": "A square.", "content": "PHN2Zy8+"}
    first, other = lecture_of(changed(valid, "scenes.0.content", picture)).scenes
    assert first.content is None
    assert first.text.startswith(
        "The picture of this scene was an SVG, which gpviz no longer shows: use a PNG"
    )
    assert first.text.endswith(LECTURE.scenes[0].text)
    assert other == LECTURE.scenes[1]


def test_a_scene_with_an_svg_may_have_a_text_of_full_length_but_no_number(valid: dict[str, Any]):
    picture = {"kind": "picture", "format": "svg", "alt": "A square.", "content": "PHN2Zy8+"}
    data = changed(valid, "scenes.0.content", picture)
    long = lecture_of(changed(data, "scenes.0.text", "a" * MAX_TEXT_LENGTH)).scenes[0].text
    assert len(long) == MAX_TEXT_LENGTH
    with pytest.raises(GpvizError, match=r"scenes\[0\]\.text"):
        lecture_of(changed(data, "scenes.0.text", 7))


def test_what_a_scene_does_not_say_is_as_usual(valid: dict[str, Any]):
    data = changed(valid, "scenes", [{"title": "Plain"}])
    assert lecture_of(data).scenes == (Scene(title="Plain"),)


def test_a_lecture_that_would_be_too_large_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lecture_module, "MAX_FILE_BYTES", 1000)
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
    message = refusal(path, path.read_bytes(), load_lecture)
    assert message == "format: it is a run, not a lecture; open it as a run, and capture scenes from it."


def test_a_lecture_is_known_whatever_the_order_of_its_keys(tmp_path: Path, valid: dict[str, Any]):
    path = tmp_path / "talk.gpviz"
    path.write_text(json.dumps(dict(reversed(valid.items()))))
    assert is_lecture_file(path)
    assert load_lecture(path) == LECTURE


def test_the_shipped_lectures_come_in_the_order_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "lectures").mkdir()
    for name in "febdca":
        save_lecture(tmp_path / "lectures" / f"{name}.gpviz", replace(LECTURE, title=name.upper()))
    monkeypatch.setattr(assets, "_FOLDERS", (tmp_path,))
    assert [(each.name, each.title, each.path.name) for each in shipped_lectures()] == [
        (name, name.upper(), f"{name}.gpviz") for name in "abcdef"
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "it is not JSON; expecting property name"),
        (b"[]", "it is not a lecture; it has no keys."),
        (b"{}", "format: None is not allowed; it must be 'gpviz-lecture' in a lecture."),
        (b'{"format": ["gpviz-lecture"]}', "format: ['gpviz-lecture'] is not allowed"),
        (b'{"format": "gpviz-lecture"}', "version: None is not allowed; it must be 1, 2, 3 or 4."),
        (b'{"format": "gpviz-lecture", "version": 1}', "title: it is missing."),
        (b" " * 16_000_001, "it is 16,000,001 bytes long, and 16,000,000 are allowed."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_lecture_is_refused(tmp_path: Path, content: bytes, message: str):
    assert refusal(tmp_path / "bad.gpviz", content, load_lecture).startswith(message)
    refusal(tmp_path / "bad.gpviz", content, load_any)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 5, "version: it was saved as version 5, but this gpviz knows only up to version 4."),
        ("extra", 1, "'extra' is unknown; the keys are format, version, title, runs, scenes."),
        ("title", "", "title: '' is not allowed; it must be a text of 1 to 200 characters in one line."),
        ("runs", {}, "runs: {} is not allowed; it must be a list."),
        ("runs", [], "scenes[1].run: the scene shows run 1, but the lecture has no runs."),
        ("runs", [None] * 101, "runs: there are 101, but at most 100 are allowed."),
        ("runs.0", None, "runs[0]: it is not a run file; it has no keys."),
        ("runs.0", {}, "runs[0].format: None is not allowed; it must be 'gpviz-run' in a run file."),
        ("runs.0.config.n", 0, "runs[0].config.n: 0 is not allowed; it must be "),
        ("runs.0.start", "x9", "runs[0].start: formula, column 1: 'x9' is not a variable"),
        ("runs.1.branches.0.parent", 9, "runs[1].branches[0].parent: 9 is not allowed; it must be "),
        ("scenes", [0] * 501, "scenes: there are 501, but at most 500 are allowed."),
        ("scenes.0", [], "scenes[0]: [] is not allowed; it must be an object with the keys title, run, "),
        ("scenes.0", {}, "scenes[0].title: it is missing."),
        ("scenes.0.colour", "red", "scenes[0]: 'colour' is unknown; the keys are title, run, branch, "),
        ("scenes.1.run", 2, "scenes[1].run: 2 is not allowed; it must be a whole number from 0 to 1."),
        ("scenes.1.branch", 4, "scenes[1].branch: 4 is not allowed; it must be a whole number from 0 to 3."),
        ("scenes.1.first", 91, "scenes[1].first: 91 is not allowed; it must be at most 90, the last "),
        ("scenes.1.last", 91, "scenes[1].last: 91 is not allowed; it must be at most 90, the iterations "),
        ("scenes.1.speed", None, "scenes[1].speed: None is not allowed; it must be a number from 0 to "),
        (
            "scenes.1.panels",
            ["caption"] * 9**5,
            "scenes[1].panels: there are 59,049, but at most 3 are allowed.",
        ),
        ("scenes.1.notes", "\ud800", "scenes[1].notes: '\\ud800' is not allowed; "),
        ("scenes.1.captions", [0] * 51, "scenes[1].captions: there are 51, but at most 50 are allowed."),
        ("scenes.1.captions", [{"text": "a"}], "scenes[1].captions[0].iteration: it is missing."),
        (
            "scenes.1.content",
            {"kind": "\x1b"},
            "scenes[1].content: '\\x1b' is not allowed; it must be 'chart',",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_file_with_a_wrong_value_is_refused_with_its_path(
    tmp_path: Path, valid: dict[str, Any], path: str, value: Any, message: str
):
    data = changed(valid, path, value)
    assert refusal(tmp_path / "bad.gpviz", data, load_lecture).startswith(message)
    assert refusal(tmp_path / "bad.gpviz", data, load_any).startswith(message)


def test_runs_that_are_too_long_together_are_refused_before_they_are_replayed(
    tmp_path: Path, valid: dict[str, Any]
):
    data = {**valid, "runs": [{**valid["runs"][0], "iterations": 10**7}] * 6, "scenes": []}
    message = refusal(tmp_path / "bad.gpviz", data, load_lecture)
    assert message == "runs: together they have 60,000,000 iterations, but at most 50,000,000 are allowed."


# --- how long it takes ---


@pytest.mark.parametrize("part", range(len(LECTURE.runs) + len(LECTURE.scenes)))
def test_reading_ends_before_any_run_or_scene_once_nobody_waits(part: int):
    asked = count()
    with pytest.raises(Stopped), stoppable(lambda: next(asked) == part):
        lecture_of(lecture_data_of(LECTURE))


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
