"""Films: frame by frame what the canvas shows, of the right length, and nothing left of one that was given up."""

import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.export.film import FilmPlan, FilmStage, Subtitles, film_font_size, film_frames
from gpviz.app.export.video_encoder import _GifWriter, _Mp4Writer, encoding
from gpviz.app.pacing import transition_ms
from gpviz.app.theme import load_theme
from gpviz.app.widgets.widget_pictures import image_of, unseen
from gpviz.engine import GpvizError
from gpviz.explain.step_text import tell, tell_drawn
from gpviz.explain.tree_text import caption_of, position_text
from gpviz.export.request import LAST_STEP_S, Subject
from gpviz.runs.replay import Cancelled
from tests.app.export.pictures.reading import difference, pixels_of
from tests.export.requests import export, request_of

av = pytest.importorskip("av")

SIZE = {"width": 480, "height": 270}
STEPS = range(77, 83)  # in 81 a tree is accepted, which is stuck
PACE = 4.0
FILM: dict[str, Any] = {"first": STEPS[0], "last": STEPS[-1], "pace": PACE, **SIZE}


def at_rest(history, iteration, theme_name="light", width=480, height=270):
    """What the canvas shows of an iteration, with subtitles below it."""
    theme = load_theme(theme_name, film_font_size(height))
    film = FilmStage(theme)
    with unseen(film, theme, width, height):
        tree = history.tree_at(iteration)
        film.show_step(history, iteration, analyse(tree, history.config))
        image = image_of(film)
        film.shut_down()
    return pixels_of(image)


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


def test_a_film_has_the_frames_of_its_steps_and_of_a_longer_last_one(frames):
    plan = FilmPlan(len(STEPS), PACE, 30)
    assert len(frames) == plan.frames == round(len(STEPS) / PACE * 30) + round(LAST_STEP_S * 30)
    assert plan.seconds == pytest.approx(len(STEPS) / PACE + LAST_STEP_S)


def test_each_step_comes_to_rest_as_the_canvas_shows_it(frames, stuck_run):
    plan = FilmPlan(len(STEPS), PACE, 30)
    for step, iteration in enumerate(STEPS):
        last = frames[plan.end_of(step) - 1]
        assert difference(pixels_of(last), at_rest(stuck_run, iteration)) == 0.0


def test_what_is_known_of_the_last_tree_is_shown_at_any_pace(qapp, stuck_run):
    last = list(frames_of(stuck_run, **{**FILM, "pace": 30.0}))[-1]
    assert difference(pixels_of(last), at_rest(stuck_run, STEPS[-1])) == 0.0


def test_an_accepted_step_is_on_its_way_for_its_share_of_the_time(frames):
    plan = FilmPlan(len(STEPS), PACE, 30)
    step = STEPS.index(81)
    start, end = plan.start_of(step), plan.end_of(step)
    moving = [frame for frame in frames[start:end] if frame is not frames[end - 1]]
    assert len(moving) == round(transition_ms(PACE) / 1000 * 30) < end - start
    ways = [difference(pixels_of(frame), pixels_of(frames[end - 1])) for frame in moving]
    assert ways[0] > ways[-1] > 0.0


def test_a_slow_step_shows_what_was_before_what_is_proposed_and_what_becomes_of_it(qapp, stuck_run):
    pace = 0.5
    plan = FilmPlan(2, pace, 15)
    frames = list(frames_of(stuck_run, "film.gif", first=80, last=81, pace=pace, **SIZE))
    start, end = plan.start_of(1), plan.end_of(1)
    rests = [len(list(group)) for _, group in groupby(frames[start:end], key=id)]
    long = [rest for rest in rests if rest > 1]
    # The proposal rests, and so does the end; on what was before one need not look for long.
    assert len(long) >= 2
    assert long[-1] >= 15 * (LAST_STEP_S + 0.1 / pace)
    at = start + round(plan.transition_seconds * 15 * 0.45)
    proposed = frames[at]
    assert difference(pixels_of(proposed), pixels_of(frames[start - 1])) > 0.0
    assert difference(pixels_of(proposed), pixels_of(frames[end - 1])) > 0.0
    assert proposed is frames[at - 1]


def test_frames_do_not_depend_on_how_long_they_take(qtbot, frames, stuck_run):
    again = []
    for frame in frames_of(stuck_run, **FILM):
        qtbot.wait(0)  # whoever shows the progress lets the event loop run
        again.append(frame)
    assert all(one == other for one, other in zip(again, frames, strict=True))


def test_the_subtitles_name_the_step_the_iteration_and_the_error(qapp, stuck_run):
    theme = load_theme("light", 10)
    film = FilmStage(theme)
    with unseen(film, theme, 640, 360):
        film.show_step(stuck_run, 81)
        assert film.texts == (tell(stuck_run, 81), position_text(stuck_run, 81))
        assert "error 1" in film.texts[1]
        film.shut_down()


@pytest.mark.parametrize("iteration", [80, 81])  # which is rejected, and accepted
@pytest.mark.parametrize("duration_ms", [250, 1800])
def test_no_text_names_the_verdict_before_the_picture_does(qapp, stuck_run, iteration, duration_ms):
    theme = load_theme("light", 10)
    film = FilmStage(theme)
    analysis = analyse(stuck_run.tree_at(iteration), stuck_run.config)
    with unseen(film, theme, 640, 360):
        film.show_step(stuck_run, iteration - 1)
        size, caption = film.stage.size_badge.text, film.stage.caption
        film.show_step(stuck_run, iteration, analysis, duration_ms)
        pending = []
        for progress in (0.01, 0.2, 0.3, 0.49, 0.56, 0.8, 0.99):
            film.hold(progress)
            marks = film.stage.canvas.drawing().marks
            is_judged = marks is not None and marks.verdict is not None
            pending.append(not is_judged)
            if is_judged:
                assert film.texts == (tell(stuck_run, iteration), position_text(stuck_run, iteration))
                assert film.stage.caption == caption_of(stuck_run, iteration)
            else:
                assert film.texts[0] == tell_drawn(stuck_run, iteration)
                assert film.texts[1].startswith(f"t = {iteration} of ")
                error, leaves = position_text(stuck_run, iteration - 1).split(" · ")[1:]
                assert film.texts[1].endswith(f"{error} · {leaves}")
                assert (film.stage.size_badge.text, film.stage.caption) == (size, caption)
        assert pending == [True] * 4 + [False] * 3
        film.shut_down()


def test_the_banner_of_a_stuck_tree_comes_with_it(qapp, stuck_run):
    theme = load_theme("light", 10)
    film = FilmStage(theme)
    with unseen(film, theme, 640, 360):
        film.show_step(stuck_run, 80)
        framed = [film.stage.is_framed]
        film.show_step(stuck_run, 81, analyse(stuck_run.tree_at(81), stuck_run.config), 250)
        moving = [film.is_moving]
        film.hold(0.5)
        framed.append(film.stage.is_framed)
        film.hold(0.6)
        framed.append(film.stage.is_framed)
        film.hold(1.0)
        moving.append(film.is_moving)
        assert moving == [True, False]
        assert framed == [False, False, True]
        film.shut_down()


def test_a_sentence_too_long_for_two_lines_gets_smaller_and_then_ends_early(qtbot):
    theme, window = load_theme("projector", 20), QWidget()
    qtbot.addWidget(window)
    subtitles = Subtitles(theme, window)
    font, lines = subtitles.fitted("word " * 400, 500.0)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert font.pointSizeF() < theme.font(1.2).pointSizeF()
    text = "two lines of about the same length are easier to read than a long and a short"
    _, lines = subtitles.fitted(text, 900)
    assert len(lines) == 2
    assert abs(len(lines[0]) - len(lines[1])) < 20


def test_steps_faster_than_frames_are_left_out(qapp, stuck_run):
    frames = list(frames_of(stuck_run, "film.gif", first=0, last=39, pace=30.0, **SIZE))
    assert len(frames) == 20 + 30


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
    for seen, painted in zip(found, frames, strict=True):
        assert difference(seen, pixels_of(painted)) < 3.0


def test_colours_stay_what_they_are(tmp_path, qapp, stuck_run):
    path = tmp_path / "film.mp4"
    export("film", path, stuck_run, first=44, last=44, pace=30.0, width=640, height=360)
    painted = at_rest(stuck_run, 44, width=640, height=360)
    fill = QColor(load_theme("light").colours.and_fill)
    inside = (painted == [fill.red(), fill.green(), fill.blue()]).all(axis=2)
    for axis, shift in ((0, 2), (0, -2), (1, 2), (1, -2)):  # away from the edges, where colours are shared
        inside = inside & np.roll(inside, shift, axis)
    assert inside.sum() > 200
    seen = decoded(path)[-1][inside].mean(axis=0)
    assert np.abs(seen - [fill.red(), fill.green(), fill.blue()]).max() < 4.0


def test_a_gif_has_15_frames_a_second_of_the_same_pictures(gif, qapp, stuck_run):
    with av.open(str(gif)) as container:
        found = list(container.decode(video=0))
        seconds = float(sum(frame.duration for frame in found) * found[0].time_base)
    painted = list(frames_of(stuck_run, "film.gif", **FILM))
    assert len(found) == len(painted)
    assert seconds == pytest.approx(len(STEPS) / PACE + LAST_STEP_S, abs=0.04)
    for seen, frame in zip(found, painted, strict=True):
        assert difference(seen.to_ndarray(format="rgb24"), pixels_of(frame)) < 1.5


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

    monkeypatch.setattr(_Mp4Writer, "write", write)
    with pytest.raises(GpvizError, match=r"film.mp4: it cannot be written; the disk is full."):
        export("film", tmp_path / "film.mp4", stuck_run, **FILM)
    assert not list(tmp_path.iterdir())


def test_a_problem_at_the_very_end_is_reported_too(tmp_path, qapp, monkeypatch, stuck_run):
    def finish(*_):
        raise av.FFmpegError(-22, "Invalid argument")

    monkeypatch.setattr(_Mp4Writer, "finish", finish)
    with pytest.raises(GpvizError, match=r"film: it cannot be encoded; Invalid argument."):
        export("film", tmp_path / "film.mp4", stuck_run, first=1, last=1, **SIZE)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["mp4", "gif"])
@pytest.mark.parametrize("end", ["write", "finish", "cancel", ""])
def test_the_threads_of_the_codec_end_with_the_film(tmp_path, qtbot, monkeypatch, form, end):
    """However the film ends, and also while somebody keeps the encoder and the problem."""
    writer = _Mp4Writer if form == "mp4" else _GifWriter
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


@pytest.mark.parametrize("size", [(320, 180), (640, 360)])
def test_the_banner_leaves_the_tree_at_least_half_of_the_stage(qapp, stuck_run, size):
    theme = load_theme("projector", film_font_size(size[1]))
    film = FilmStage(theme)
    with unseen(film, theme, *size):
        for iteration in (80, 81, 95, 96):
            film.show_step(stuck_run, iteration, analyse(stuck_run.tree_at(iteration), stuck_run.config))
            stage = film.stage
            covered = stage.banner.height() if stage.banner.isVisible() else 0
            assert stage.canvas.height() - covered >= stage.height() / 2
            assert stage.is_framed == (iteration > 80)
        film.shut_down()
    assert size[0] > 320 or not covered
