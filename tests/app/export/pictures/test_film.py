"""Films: frame by frame what the canvas shows, of the right length, and nothing left of one that was given up."""

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from gpviz.app.export.film import FilmPlan, film_frames, plan_of
from gpviz.app.export.video_encoder import GifWriter, Mp4Writer, encoding
from gpviz.engine import GpvizError
from gpviz.export.request import LAST_STEP_S, Subject
from gpviz.runs.replay import Cancelled
from gpviz.runs.step_encoding import Property
from tests.app.export.pictures.reading import difference, painted, pixels_of
from tests.export.requests import export, request_of

av = pytest.importorskip("av")

SIZE = {"width": 480, "height": 270}
STEPS = range(77, 83)  # in 81 a tree is accepted, which is stuck
PACE = 4.0
FILM: dict[str, Any] = {"first": STEPS[0], "last": STEPS[-1], "pace": PACE, **SIZE}


def at_rest(history, iteration):
    """The picture of an iteration in the size of the film."""
    return pixels_of(painted("tree", history, at=iteration, **SIZE))


def frames_of(history, name="film.mp4", **fields):
    """The frames of a film."""
    return film_frames(request_of("film", name, history, **fields), Subject(history=history))


def system_threads():
    """All threads of this process, where the system tells; Python does not know those of a codec."""
    return {task.name for task in Path("/proc/self/task").glob("*")}


def decoded(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.fixture(scope="module")
def frames(qapp, stuck_run):
    return list(frames_of(stuck_run, **FILM))


@pytest.fixture(scope="module")
def mp4(tmp_path_factory, qapp, stuck_run):
    path = tmp_path_factory.mktemp("films") / "film.mp4"
    export("film", path, stuck_run, **FILM)
    return path


@pytest.fixture(scope="module")
def gif(tmp_path_factory, qapp, stuck_run):
    path = tmp_path_factory.mktemp("films") / "film.gif"
    export("film", path, stuck_run, **FILM)
    return path


# Frames


@pytest.fixture(scope="module")
def plan(stuck_run) -> FilmPlan:
    return plan_of(request_of("film", "film.mp4", stuck_run, **FILM), stuck_run)


def test_a_film_has_the_frames_of_its_steps_and_of_a_longer_last_one(frames, plan):
    assert len(frames) == plan.frames == round(len(STEPS) / PACE * 30) + round(LAST_STEP_S * 30)


def test_each_step_comes_to_rest_as_its_picture_shows_it(frames, plan, stuck_run):
    for step, iteration in enumerate(STEPS):
        last = frames[plan.end_of(step) - 1]
        assert difference(pixels_of(last), at_rest(stuck_run, iteration)) == 0.0


def test_a_step_is_on_its_way_for_its_share_of_the_time(frames, plan):
    step = STEPS.index(81)
    start, end = plan.start_of(step), plan.end_of(step)
    moving = [frame for frame in frames[start:end] if frame is not frames[end - 1]]
    assert 0 < len(moving) == plan.moving(step) < end - start
    ways = [difference(pixels_of(frame), pixels_of(frames[end - 1])) for frame in moving]
    assert ways[0] > ways[-1] > 0.0


def test_an_improvement_takes_longer_than_a_rejected_step(stuck_run):
    improved = stuck_run.previous_where(Property.IMPROVED, STEPS[-1])
    fields = {**FILM, "first": improved - 2, "last": improved + 2}
    plan = plan_of(request_of("film", "film.mp4", stuck_run, **fields), stuck_run)
    assert plan.seconds[2] == max(plan.seconds) > min(plan.seconds)
    assert sum(plan.seconds) == pytest.approx(5 / PACE)
    slow = plan_of(request_of("film", "film.mp4", stuck_run, **{**fields, "pace": 0.5}), stuck_run)
    assert slow.seconds == (2.0,) * 5


# Files


def test_an_mp4_has_what_every_player_takes(mp4):
    content = mp4.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")
    with av.open(str(mp4)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert (stream.width, stream.height) == (480, 270)
        assert stream.average_rate == 30
        assert container.duration / 1e6 == pytest.approx(len(STEPS) / PACE + LAST_STEP_S, abs=0.04)


def test_every_frame_of_an_mp4_is_that_of_the_canvas(mp4, frames):
    found = decoded(mp4)
    assert len(found) == len(frames)
    for seen, frame in zip(found, frames, strict=True):
        assert difference(seen, pixels_of(frame)) < 3.0


def test_a_gif_has_15_frames_a_second_of_the_same_pictures(gif, qapp, stuck_run):
    with av.open(str(gif)) as container:
        found = list(container.decode(video=0))
        seconds = float(sum(frame.duration for frame in found) * found[0].time_base)
    frames = list(frames_of(stuck_run, "film.gif", **FILM))
    assert len(found) == len(frames)
    assert seconds == pytest.approx(len(STEPS) / PACE + LAST_STEP_S, abs=0.06)
    for seen, frame in zip(found, frames, strict=True):
        assert difference(seen.to_ndarray(format="rgb24"), pixels_of(frame)) < 2.5


def test_progress_is_reported_frame_by_frame(tmp_path, qapp, stuck_run):
    reported: list[tuple[int, int]] = []
    export(
        "film",
        tmp_path / "film.mp4",
        stuck_run,
        first=1,
        last=2,
        pace=10,
        on_progress=lambda done, total: reported.append((done, total)),
        **SIZE,
    )
    assert reported == [(done, 66) for done in range(67)]


@pytest.mark.parametrize(("name", "after"), [("film.mp4", 20), ("film.gif", 0)])
def test_a_cancelled_film_leaves_nothing_and_what_was_there_stays(tmp_path, qapp, stuck_run, name, after):
    path = tmp_path / name
    path.write_bytes(b"before")
    with pytest.raises(Cancelled, match=f"cancelled after {after} of"):
        export("film", path, stuck_run, on_progress=lambda done, _: done >= after, **{**FILM, "pace": 1.0})
    assert [found.name for found in tmp_path.iterdir()] == [name]
    assert path.read_bytes() == b"before"


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path, qapp, monkeypatch, stuck_run):
    def write(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Mp4Writer, "write", write)
    with pytest.raises(GpvizError, match=r"film.mp4: it cannot be written; the disk is full."):
        export("film", tmp_path / "film.mp4", stuck_run, **FILM)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["mp4", "gif"])
@pytest.mark.parametrize("end", ["write", "finish", "cancel", ""])
def test_the_threads_of_the_codec_end_with_the_film(tmp_path, qtbot, monkeypatch, form, end):
    """However the film ends, and also while somebody keeps the encoder and the problem."""
    writer = Mp4Writer if form == "mp4" else GifWriter
    before = system_threads()

    def failing(method):
        def fail(*values):
            method(*values)
            raise OSError(28, "No space left on device")

        return fail

    if end in ("write", "finish"):
        monkeypatch.setattr(writer, end, failing(getattr(writer, end)))
    image = QImage(320, 180, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    problem = None
    try:
        with encoding(tmp_path / "film", form, 320, 180, 30, [image]) as encoder:
            for _ in range(20):
                encoder.add(image)
            if end == "cancel":
                raise Cancelled("Cancelled.")
    except (OSError, Cancelled) as met:
        problem = met
    assert (problem is not None) == bool(end)
    qtbot.waitUntil(lambda: system_threads() <= before)
    assert encoder is not None


def test_without_the_library_there_is_a_sentence_on_what_to_install(tmp_path, qapp, monkeypatch, stuck_run):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(GpvizError, match=r'pip install "gpviz\[video\]"'):
        export("film", tmp_path / "film.mp4", stuck_run, **FILM)
