"""Pictures of the outlook: as the page has it, all of it where somebody writes it, and what is known where not."""

import pytest
from PySide6.QtGui import QImage

from gpviz.app.export import pictures
from gpviz.engine import RunConfig
from gpviz.explain.outlook_along_run import RunOutlook
from gpviz.explain.outlook_picture import OutlookPicture, outlook_picture
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.settings_text import settings_text
from tests.app.export.pictures.reading import pixels_of, shown, svg_texts
from tests.export.requests import export
from tests.export.tex import history_of

CONFIG = RunConfig(n=4, limit="n", deletion="leaf", seed=7736)
"""Its outlook is exact; it is decided in iteration 34."""


@pytest.fixture(scope="module")
def run() -> History:
    return history_of(CONFIG, 90)


def test_it_says_what_was_run_where_it_was_decided_and_what_is_to_come(qapp, tmp_path, run):
    export("outlook", tmp_path / "o.svg", run, at=30, width=900, height=500)
    texts = svg_texts(tmp_path / "o.svg")
    assert settings_text(CONFIG) in texts
    assert "decisive step, t = 34: insert" in texts
    assert "7 → 5 wrong rows, chance to end stuck 9 % → 100 %" in texts
    assert {"t = 30", "91 %", "9 %", "46 to go"} <= set(texts)


def test_of_a_range_there_is_only_what_is_in_it_and_the_bar_of_its_end(qapp, tmp_path, run):
    export("outlook", tmp_path / "o.svg", run, first=10, last=30, width=900, height=500)
    texts = svg_texts(tmp_path / "o.svg")
    assert "t = 30" in texts
    assert {"10", "20", "30"} <= set(texts)
    assert not [text for text in texts if "34" in text]


def test_the_same_run_gives_the_same_picture_in_the_asked_size(qapp, tmp_path, run):
    for name in ("a.png", "b.png"):
        export("outlook", tmp_path / name, run, at=30, width=640, height=360, scale=2)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (1280, 720)
    assert len({tuple(pixel) for pixel in pixels_of(image)[200]}) > 3


def test_it_tells_how_far_it_is_and_can_be_cancelled(qapp, tmp_path, run):
    reported: list[tuple[int, int]] = []

    def on_progress(done: int, total: int) -> bool:
        reported.append((done, total))
        return done > 5

    with pytest.raises(Cancelled):
        export("outlook", tmp_path / "o.png", run, on_progress=on_progress)
    assert not list(tmp_path.iterdir())
    assert reported[0][0] == 0


def test_of_what_is_on_show_nothing_more_is_found_out(qapp, monkeypatch, run):
    partly = RunOutlook(run)
    job = partly.next_job()
    assert job is not None
    job.work()
    known = outlook_picture(partly, run, 30)
    assert known.known < len(known.stretches)

    def refuse(*_: object) -> OutlookPicture:
        raise AssertionError("it takes too long for a window")

    monkeypatch.setattr(pictures, "outlook_of", refuse)
    with shown("outlook", run, at=30, outlook=known) as sheet:
        assert sheet.windowTitle() == "The outlook along the run, seen from iteration 30"
