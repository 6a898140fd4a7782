"""What scenes hold beside a tree: it survives its file, and what a stranger wrote is checked."""

import base64
import json
import struct
import zlib
from dataclasses import replace
from typing import Any

import pytest

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.lecture import picture_data, scene_content
from gpviz.lecture.lecture import Lecture, Scene, replaced, with_run, without_scene
from gpviz.lecture.lecture_file import lecture_data_of, lecture_of
from gpviz.lecture.scene_content import (
    ComparedRun,
    SceneChart,
    SceneComparison,
    SceneContent,
    ScenePicture,
    SceneStatement,
    content_data_of,
    content_of,
)
from gpviz.runs.run_file import describe
from tests.runs.runs import recorded

FIGURE = '{"title": "Growth", "panels": [{"x": [1, 2.5, null]}]}'
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><g id="a"><rect width="5"/></g></svg>'
RUNS = tuple(describe(recorded(RunConfig(n=4, seed=seed), 20 + seed)[2]) for seed in range(3))


def png(width: int = 2, height: int = 1) -> bytes:
    """A black picture; its head may say more than there is."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0\0\0" * 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    """The beginning of one: a comment, then its size."""
    comment = b"\xff\xfe" + struct.pack(">H", 6) + b"text"
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8" + comment + frame + b"\xff\xd9"


CHART = SceneChart(figure=FIGURE, plan="scaling", chart="scaling", runs=100, seed=7)
PICTURE = ScenePicture(format="png", content=png(), alt="Two black pixels.")
CONTENTS: tuple[SceneContent, ...] = (
    CHART,
    SceneComparison((ComparedRun("n", 0), ComparedRun("2n", 1))),
    SceneStatement("theorem-1"),
    PICTURE,
    ScenePicture(format="svg", content=SVG, alt="A rectangle."),
    ScenePicture(format="jpeg", content=jpeg(640, 480), alt="Grey."),
)


def lecture_with(content: SceneContent) -> Lecture:
    return Lecture(title="Talk", runs=RUNS, scenes=(Scene(title="It", has_tree=False, content=content),))


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: type(content).__name__)
def test_every_content_survives_its_file_as_version_3(content):
    lecture = lecture_with(content)
    data = json.loads(json.dumps(lecture_data_of(lecture)))
    assert data["version"] == 3
    assert lecture_of(data) == lecture
    assert "content" not in lecture_data_of(replace(lecture, scenes=(Scene(title="It"),)))["scenes"][0]


def test_a_lecture_without_them_is_written_as_before():
    assert lecture_data_of(Lecture(title="Talk", runs=RUNS, scenes=(Scene(title="It"),)))["version"] == 1


CHANGES: tuple[tuple[int, str, Any, str], ...] = (
    (
        0,
        "kind",
        "film",
        "content: 'film' is not allowed; it must be one of chart, comparison, statement, picture.",
    ),
    (0, "figure", [], "content.figure: [] is not allowed; it must be an object that describes a figure."),
    (
        0,
        "figure",
        {"x": -1e201},
        "content.figure.x: -1e+201 is not allowed; it must be 0, or a number",
    ),
    (
        0,
        "figure",
        {"x": 1e-201},
        "content.figure.x: 1e-201 is not allowed; it must be 0, or a number",
    ),
    (0, "figure", {"x": "\x07"}, "content.figure.x: '\\x07' is not allowed; "),
    (0, "figure", {"x": [[[[[[[[[[[1]]]]]]]]]]]}, "content.figure: it is nested too deeply."),
    (0, "plan", "", "content.plan: '' is not allowed; "),
    (0, "runs", -1, "content.runs: -1 is not allowed; "),
    (0, "seed", 2**4096, "content.seed: a number of 4097 bits is not allowed; "),
    (0, "more", 1, "'content.more' is unknown; the keys are "),
    (1, "lanes", [], "content.lanes: there are 0, but a comparison has 2 to 4 runs."),
    (1, "lanes", 2, "content.lanes: 2 is not allowed; it must be a list."),
    (1, "lanes", [{"label": "a", "run": 0}], "content.lanes[0].branch: it is missing."),
    (2, "name", "Theorem 1", "content.name: 'Theorem 1' is not allowed; "),
    (2, "name", 1, "content.name: 1 is not allowed; "),
    (
        3,
        "alt",
        " ",
        "content.alt: ' ' is not allowed; it must be a text of 1 to 1000 characters that describes",
    ),
    (3, "format", "gif", "content.format: 'gif' is not allowed; it must be one of png, jpeg, svg."),
    (3, "format", "svg", "content.content: the picture is said to be SVG, but is PNG."),
    (3, "content", "?", "content.content: it is not the bytes of a picture in base64."),
    (3, "content", "R0lGODlh", "content.content: it is not a PNG, JPEG or SVG picture."),
    (3, "content", 5, "content.content: 5 is not allowed; "),
)


@pytest.mark.parametrize(("which", "key", "value", "sentence"), CHANGES)
def test_what_is_wrong_with_a_content_is_said(which, key, value, sentence):
    data = {**content_data_of(CONTENTS[which]), key: value}
    with pytest.raises(GpvizError) as caught:
        content_of(data)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("data", [None, [], "chart", {"kind": None}, {"kind": ["chart"]}, {}])
def test_what_is_no_content_is_refused(data):
    with pytest.raises(GpvizError, match=r"^content: .* is not allowed; it must be one of chart, comparison"):
        content_of(data)


def test_a_chart_with_too_many_values_is_refused(monkeypatch):
    monkeypatch.setattr(scene_content, "MAX_FIGURE_VALUES", 5)
    with pytest.raises(GpvizError, match=r"^figure: it has more than 5 values\.$"):
        SceneChart(figure=FIGURE, plan="p", chart="c", runs=1, seed=1)


def test_a_place_that_a_comparison_speaks_of_exists():
    with pytest.raises(GpvizError, match=r"^scenes\[0\].content.lanes\[1\].run: 9 is not allowed"):
        lecture_with(SceneComparison((ComparedRun("a", 0), ComparedRun("b", 9))))
    with pytest.raises(
        GpvizError, match=r"^scenes\[0\].run: the scene goes along run 0, which is not one of"
    ):
        lecture_with(SceneComparison((ComparedRun("a", 1), ComparedRun("b", 2))))
    with pytest.raises(GpvizError, match=r"lanes\[1\]: run 0 is listed already"):
        SceneComparison((ComparedRun("a", 0), ComparedRun("b", 0)))


def test_a_comparison_keeps_its_runs_wherever_they_go():
    compared = SceneComparison((ComparedRun("b", 1), ComparedRun("c", 2)))
    scene = Scene(title="Compared", run=1, first=3, last=9, has_tree=False, content=compared)
    lecture = Lecture(title="Talk", runs=RUNS, scenes=(Scene(title="First", run=0), scene))
    shorter = without_scene(lecture, 0)
    assert shorter.runs == RUNS[1:]
    assert shorter.scenes[0].run == 0
    assert shorter.scenes[0].content == SceneComparison((ComparedRun("b", 0), ComparedRun("c", 1)))
    gone, place = with_run(replaced(shorter, 0, Scene(title="Text", has_tree=False)), RUNS[0])
    assert (gone.runs, place) == (RUNS[:1], 0)


@pytest.mark.parametrize(
    "content", [png(8193, 1), png(0, 1), png(5000, 5000), jpeg(9000, 10), jpeg(4200, 4200)], ids=len
)
def test_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded(content):
    with pytest.raises(GpvizError, match=r"^content: the picture has [\d,]+ × [\d,]+ pixels; at most 8,192"):
        ScenePicture(format=picture_data.format_of_picture(content), content=content, alt="a")


def test_a_picture_with_too_many_bytes_is_refused(monkeypatch):
    monkeypatch.setattr(picture_data, "MAX_PICTURE_BYTES", 50)
    with pytest.raises(
        GpvizError, match=r"^content: the picture has [\d,]+ bytes; at most 50 are allowed\.$"
    ):
        ScenePicture(format="png", content=png(), alt="a")
    data = {**content_data_of(PICTURE), "content": base64.b64encode(bytes(4_000_100)).decode()}
    with pytest.raises(GpvizError, match=r"^content.content: the picture has about 4,000,[\d,]+ bytes"):
        content_of(data)


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n", png()[:20], b"\xff\xd8\xff", jpeg(9, 9)[:12]])
def test_a_picture_that_is_cut_off_is_refused(content):
    with pytest.raises(
        GpvizError, match=r"^content: the picture is a (PNG without a header|JPEG without a size)"
    ):
        ScenePicture(format=picture_data.format_of_picture(content), content=content, alt="a")


def svg(inside: str, head: str = "") -> bytes:
    return f'{head}<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'.encode()


BOMB = "".join(f'<g id="a{at}"><use href="#a{at + 1}"/><use href="#a{at + 1}"/></g>' for at in range(20))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (svg("<g>"), "is no SVG; mismatched tag at line 1, column"),
        (svg('<image href="/etc/passwd"/>'), "with <image>, which is not allowed"),
        (svg('<x:image xmlns:x="y" href="a"/>'), "with <x:image>, which is not allowed"),
        (svg("<script>1</script>"), "with <script>, which is not allowed"),
        (svg("<filter/>"), "with <filter>, which is not allowed"),
        (svg("<animateMotion/>"), "with <animateMotion>, which is not allowed"),
        (svg('<use href="http://a/b.svg#c"/>'), "refers to 'http://a/b.svg#c', which is outside it"),
        (svg('<rect fill="url(http://a/b)"/>'), "refers to something outside it"),
        (svg("<style>@import url(x)</style>"), "refers to something outside it"),
        (svg("<style>@im&#112;ort 'x'</style>"), "refers to something outside it"),
        (svg("<style>a{fill:url(\n'http://a')}</style>"), "refers to something outside it"),
        (svg("<style><g/>@import url(x)</style>"), "refers to something outside it"),
        (svg("", '<?xml-stylesheet type="text/css" href="/dev/zero"?>'), "a style sheet outside it"),
        (svg('<rect onclick="f()"/>'), "with 'onclick', which is not allowed"),
        (svg("", '<!DOCTYPE svg [<!ENTITY a "b">]>'), "with entities of its own, which are not allowed"),
        (svg('<g id="a"><use href="#a"/></g>'), "refers to itself"),
        (svg(BOMB), "draws more than 100,000 elements"),
        (svg(BOMB.replace("id=", "xml:id=")), "draws more than 100,000 elements"),
        (
            svg(f'<path id="a" d="M0 0{"h1" * 10_000}"/>' + '<use href="#a"/>' * 500),
            "draws more than 100,000",
        ),
        (svg(f'<text id="a">{"abcd " * 4_000}</text>' + '<use href="#a"/>' * 500), "draws more than 100,000"),
        (svg(f'<path d="M0 0{"h1" * 50_000}"/>'), "with a 'd' of 100,004 characters; at most 100,000"),
        (svg("<g>" * 200 + "</g>" * 200), "is nested too deeply"),
        (svg("<g/>" * 20_001), "with more than 20,000 elements"),
    ],
)
def test_an_svg_that_could_do_harm_is_refused(content, words):
    with pytest.raises(GpvizError) as caught:
        ScenePicture(format="svg", content=content, alt="a")
    assert words in str(caught.value)


def test_an_svg_as_programs_write_them_is_taken():
    head = (
        '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'
    )
    inside = '<defs><path id="m"/></defs><use href="#m"/><rect fill="url(#g)"/><a href="http://a"><text>x</text></a>'
    assert ScenePicture(format="svg", content=svg(inside, head), alt="a").content
