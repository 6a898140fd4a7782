"""Exports from the window: pictures at once, the rest in a process of its own, and never half a file."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage

from gpviz.export.request import ExportRequest
from tests.app.export.conftest import LENGTH
from tests.export.requests import request_of
from tests.systems import needs_posix

PATIENT = "write('half'); tell('write', 1, 4); time.sleep(600)"


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def is_over(exports):
    return lambda: not exports.is_busy


def has_progress(exports):
    return lambda: exports.bar.progress.maximum() > 0


@pytest.fixture
def pictured(calls):
    """The writers, with a picture of six by four."""
    calls.picture = QImage(6, 4, QImage.Format.Format_RGB32)
    calls.picture.fill(Qt.GlobalColor.red)
    return calls


# --- long exports ---


def test_a_log_is_written_by_a_true_process_and_nothing_else_is_left(
    exports, heard, qtbot, log_request, folder
):
    exports.export(log_request)
    assert exports.is_busy
    assert not exports.bar.isHidden()
    qtbot.waitUntil(is_over(exports))
    assert heard.problems == []
    assert heard.reported == [f"{log_request.path} is written."]
    assert names_in(folder) == ["a.csv"]
    lines = log_request.path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("iteration,")
    assert lines[-1].startswith(f"{LENGTH},")
    assert exports.bar.label.text() == "a.csv"
    assert not exports.bar.folder_button.isHidden()
    assert exports.bar.cancel_button.isHidden()


def test_in_a_bundle_the_program_itself_is_the_process(exports, heard, qtbot, log_request, bundle):
    exports.export(log_request)
    qtbot.waitUntil(is_over(exports))
    assert heard.problems == []
    assert log_request.path.read_text(encoding="utf-8").startswith("iteration,")


def test_an_existing_file_is_replaced_only_when_the_new_one_is_complete(
    exports, child, give_sign, qtbot, log_request, folder
):
    log_request.path.write_text("precious")
    child("write('new'); tell('write', 1, 2); wait_for_sign(); write('new and whole')")
    exports.export(log_request)
    qtbot.waitUntil(has_progress(exports))
    assert log_request.path.read_text() == "precious"
    give_sign()
    qtbot.waitUntil(is_over(exports))
    assert log_request.path.read_text() == "new and whole"
    assert names_in(folder) == ["a.csv"]


def test_to_cancel_ends_the_process_and_leaves_what_was_there(
    exports, heard, child, qtbot, log_request, folder
):
    log_request.path.write_text("precious")
    child(PATIENT)
    exports.export(log_request)
    qtbot.waitUntil(has_progress(exports))
    assert exports.bar.label.text() == "a.csv: writing"
    assert (exports.bar.progress.value(), exports.bar.progress.maximum()) == (1, 4)
    assert len(names_in(folder)) == 2
    exports.bar.cancel_button.click()
    qtbot.waitUntil(is_over(exports))
    assert heard.reported == ["The export of a.csv was cancelled; nothing was written."]
    assert names_in(folder) == ["a.csv"]
    assert log_request.path.read_text() == "precious"
    assert exports.bar.isHidden()


def test_to_close_leaves_nothing_and_tells_nothing(exports, heard, child, qtbot, log_request, folder):
    child(PATIENT)
    exports.export(log_request)
    exports.export(replace(log_request, path=folder / "b.csv"))
    qtbot.waitUntil(has_progress(exports))
    exports.ask()
    exports.close()
    assert not exports.is_busy
    assert exports.dialog is None
    assert names_in(folder) == []
    assert (heard.reported, heard.problems) == ([], [])


def test_exports_wait_for_each_other(exports, heard, child, qtbot, log_request, folder):
    child("tell('replay', 1, 2); write('content')")
    second = replace(log_request, path=folder / "b.csv")
    exports.export(log_request)
    exports.export(second)
    qtbot.waitUntil(is_over(exports))
    assert heard.reported == [f"{log_request.path} is written.", f"{second.path} is written."]
    assert names_in(folder) == ["a.csv", "b.csv"]
    assert exports.bar.label.text() == "b.csv"


@pytest.mark.parametrize("line", ["a warning of a library", "7", '{"phase": "replay"}'])
def test_a_line_that_is_not_about_progress_is_ignored(exports, heard, child, qtbot, log_request, line):
    child(f"print({line!r}, flush=True); write('content')")
    exports.export(log_request)
    qtbot.waitUntil(is_over(exports))
    assert heard.reported == [f"{log_request.path} is written."]


CHILDREN = [
    pytest.param("os.kill(os.getpid(), signal.SIGKILL)", "its process ended unexpectedly", marks=needs_posix),
    ("raise RuntimeError('odd')", "a.csv: it was not written; its process ended unexpectedly (RuntimeError"),
    ("os._exit(3)", "its process ended unexpectedly (it gave no reason)."),
    ("sys.exit(2)", "a.csv: it was not written."),
    (
        "print(f'Qt warns\\ngpviz: {target}: it cannot be written; the disk is full.', file=sys.stderr);"
        "sys.exit(2)",
        f"{Path('exports/a.csv')}: it cannot be written; the disk is full.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("script", "sentence"), CHILDREN)
def test_a_process_that_fails_is_one_sentence_and_leaves_nothing(
    exports, heard, child, qtbot, log_request, folder, script, sentence
):
    child(f"write('half')\n{script}")
    exports.export(log_request)
    qtbot.waitUntil(is_over(exports))
    (problem,) = heard.problems
    assert sentence in problem
    assert ".gpviz-" not in problem
    assert heard.reported == []
    assert names_in(folder) == []
    assert exports.bar.isHidden()


def test_a_request_the_run_on_show_cannot_give_is_a_sentence(exports, heard, log_request):
    exports.export(replace(log_request, last=LENGTH + 1))
    assert heard.problems == [
        "Iterations: '0:121' is not allowed; it must be within 0:120, the iterations of the run."
    ]
    assert not exports.is_busy


# --- pictures at once ---


@pytest.fixture
def picture_request(folder) -> ExportRequest:
    return request_of("tree", folder / "a.png", LENGTH, at=7, theme="dark")


def test_a_picture_is_painted_at_once_and_packed_in_the_background(
    exports, heard, pictured, qtbot, picture_request, folder
):
    exports.export(picture_request)
    assert exports.is_busy
    name, request, subject = pictured.only
    assert (name, request, subject.analysis) == ("picture_of", picture_request, None)
    qtbot.waitUntil(is_over(exports))
    assert heard.reported == [f"{picture_request.path} is written."]
    assert QImage(str(picture_request.path)).size() == pictured.picture.size()
    assert names_in(folder) == ["a.png"]


def test_a_picture_does_not_wait_for_a_film(
    exports, heard, child, pictured, qtbot, log_request, picture_request
):
    child(PATIENT)
    exports.export(log_request)
    qtbot.waitUntil(has_progress(exports))
    exports.export(picture_request)
    qtbot.waitUntil(picture_request.path.exists)
    qtbot.waitUntil(lambda: heard.reported == [f"{picture_request.path} is written."])
    assert exports.bar.label.text() == "a.csv: writing"


def test_to_close_waits_for_a_picture(exports, heard, pictured, picture_request, folder):
    exports.export(picture_request)
    exports.close()
    assert not exports.is_busy
    assert heard.reported == []
    assert names_in(folder) in ([], ["a.png"])


@pytest.mark.parametrize(
    ("suffix", "writer"), [("svg", "write_svg"), ("pdf", "write_picture"), ("tex", "write_tikz")]
)
def test_a_drawing_is_written_at_once(exports, heard, pictured, picture_request, folder, suffix, writer):
    exports.export(replace(picture_request, path=folder / f"a.{suffix}"))
    assert pictured.only.writer == writer
    assert heard.reported == [f"{folder / 'a'}.{suffix} is written."]


def test_a_picture_that_cannot_be_stored_is_a_sentence(
    exports, heard, pictured, qtbot, picture_request, folder
):
    lost = folder / "gone" / "a.png"
    exports.export(replace(picture_request, path=lost))
    qtbot.waitUntil(is_over(exports))
    assert heard.problems == [f"{lost}: it cannot be written; there is no such file or folder."]


def test_a_picture_the_disk_has_no_room_for_is_a_sentence(
    exports, heard, calls, qtbot, picture_request, folder
):
    calls.picture = QImage()  # Qt says no more than that it could not be saved
    exports.export(picture_request)
    qtbot.waitUntil(is_over(exports))
    assert heard.problems == [f"{picture_request.path}: it cannot be written; the disk may be full."]
    assert names_in(folder) == []


def test_the_folder_of_the_last_file_can_be_opened(exports, calls, picture_request, folder, monkeypatch):
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    exports.export(replace(picture_request, path=folder / "a.svg"))
    exports.bar.folder_button.click()
    assert [url.toLocalFile() for url in opened] == [str(folder)]
    exports.bar.dismiss_button.click()
    assert exports.bar.isHidden()


# --- asking ---


@pytest.mark.parametrize("text", ["{", "[]", '{"what": 5, "size": "9999999999x1", "folder": "/nowhere"}'])
def test_what_was_remembered_wrongly_is_forgotten(exports, preferences, text):
    preferences.set_text("export", text)
    exports.ask()
    assert exports.dialog.kind().name == "tree"
    assert exports.dialog.size_choice.numbers[0].value() == 1280
    assert exports.dialog.path().parent == Path.home()
