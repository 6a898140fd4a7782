"""What scenes hold beside a tree: it survives its file, and what a stranger wrote is checked."""

import base64
import json
from dataclasses import replace

import pytest

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.lecture.lecture import (
    Lecture,
    Scene,
    lecture_data_of,
    lecture_of,
    replaced,
    with_run,
    without_scene,
)
from gpviz.lecture.scene_content import (
    ComparedRun,
    ContentKind,
    SceneChart,
    SceneComparison,
    SceneContent,
    ScenePicture,
    SceneStatement,
    content_data_of,
)
from gpviz.runs.run_file import describe
from tests.runs.runs import recorded

FIGURE = '{"title": "Growth", "panels": [{"x": [1, 2.5, null]}]}'
RUNS = tuple(describe(recorded(RunConfig(n=4, seed=seed), 20 + seed)[2]) for seed in range(3))


PNG = b"\x89PNG\r\n\x1a\n and so on"
CHART = SceneChart(figure=FIGURE, plan="scaling", chart="scaling", runs=100, seed=7)
PICTURE = ScenePicture(format="png", content=PNG, alt="Two black pixels.")
CONTENTS: tuple[SceneContent, ...] = (
    CHART,
    SceneComparison((ComparedRun("n", 0), ComparedRun("2n", 1))),
    SceneStatement("theorem-1"),
    PICTURE,
    ScenePicture(format="jpeg", content=b"\xff\xd8\xff\xe0 and so on", alt="Grey."),
)


def lecture_with(content: SceneContent) -> Lecture:
    return Lecture(title="Talk", runs=RUNS, scenes=(Scene(title="It", has_tree=False, content=content),))


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: type(content).__name__)
def test_every_content_survives_its_file(content):
    lecture = lecture_with(content)
    assert lecture_of(json.loads(json.dumps(lecture_data_of(lecture)))) == lecture
    assert "content" not in lecture_data_of(replace(lecture, scenes=(Scene(title="It"),)))["scenes"][0]


@pytest.mark.parametrize(
    ("which", "key", "value", "sentence"),
    [
        (
            0,
            "kind",
            "film",
            "content: 'film' is not allowed; it must be 'chart', 'comparison', 'statement' or",
        ),
        (0, "figure", [], "content.figure: [] is not allowed; it must be an object that describes a figure."),
        (0, "figure", "{", "content.figure: it is not JSON; "),
        (0, "figure", {"x": "\ud800"}, "content.figure: '{"),
        (0, "plan", "", "content.plan: '' is not allowed; "),
        (0, "runs", -1, "content.runs: -1 is not allowed; "),
        (0, "seed", 2**4096, "content.seed: a number of 4097 bits is not allowed; "),
        (0, "more", 1, "content: 'more' is unknown; the keys are "),
        (1, "lanes", [], "content.lanes: there are 0, but a comparison has 2 to 4 runs."),
        (1, "lanes", 2, "content.lanes: 2 is not allowed; it must be a list."),
        (1, "lanes", [{"label": "a"}], "content.lanes[0].run: it is missing."),
        (2, "name", "Theorem 1", "content.name: 'Theorem 1' is not allowed; "),
        (2, "name", 1, "content.name: 1 is not allowed; "),
        (3, "alt", " ", "content.alt: ' ' is not allowed; it must be a text of 1 to 1000 characters."),
        (3, "format", "gif", "content.format: 'gif' is not allowed; it must be 'png' or 'jpeg'."),
        (3, "format", "jpeg", "content.content: the picture is said to be JPEG, but is PNG."),
        (3, "content", "?", "content.content: it is not the bytes of a picture in base64."),
        (3, "content", "R0lGODlh", "content.content: it is not a PNG or JPEG picture."),
        (3, "content", 5, "content.content: 5 is not allowed; "),
    ],
)
def test_what_is_wrong_with_a_content_is_said(which, key, value, sentence):
    with pytest.raises(GpvizError) as caught:
        ContentKind().read("content", {**content_data_of(CONTENTS[which]), key: value})
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("data", [None, [], "chart", {"kind": None}, {"kind": ["chart"]}, {}])
def test_what_is_no_content_is_refused(data):
    with pytest.raises(GpvizError, match=r"^content: .* is not allowed; it must be 'chart', 'comparison'"):
        ContentKind().read("content", data)


def test_the_runs_of_a_comparison_exist():
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
    gone, index = with_run(replaced(shorter, 0, Scene(title="Text", has_tree=False)), RUNS[0])
    assert (gone.runs, index) == (RUNS[:1], 0)


def test_a_picture_with_too_many_bytes_is_refused():
    content = b"\xff\xd8\xff" + bytes(4_000_100)
    for given in (content, base64.b64encode(content).decode()):
        with pytest.raises(
            GpvizError, match=r"^content: the picture has 4,000,103 bytes; at most 4,000,000 are"
        ):
            ScenePicture(format="jpeg", content=given, alt="a")
