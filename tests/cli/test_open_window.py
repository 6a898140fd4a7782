"""`gpviz` without a command: what is said when no window can be opened, and what is passed on when it can."""

import os
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from gpviz.cli import COMMANDS, main, terminal
from gpviz.cli.open_window import screen_problem
from gpviz.lecture.lecture import load_lecture, shipped_lectures
from tests.cli.command_line import problem_of
from tests.patience import PATIENCE_SECONDS
from tests.systems import needs_posix

GOLDEN = Path(__file__).parents[1] / "golden" / "version-1.gpviz"


@pytest.fixture
def no_screen(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")


def test_without_a_screen_one_sentence_names_the_command_that_needs_none(no_screen, capsys):
    err = problem_of(capsys)
    assert "no screen" in err
    assert "gpviz run" in err


@needs_posix
def test_a_screen_that_does_not_answer_is_named():
    assert "':4711'" in (screen_problem({"DISPLAY": ":4711"}, "linux") or "")


@needs_posix
@pytest.mark.parametrize("platforms", ["", "xcb", "wayland", "wayland;xcb"])
def test_no_way_to_ask_for_a_platform_makes_qt_abort(platforms):
    environment = {"QT_QPA_PLATFORM": platforms, "WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": "/nowhere"}
    assert screen_problem(environment, "linux") == "There is no screen here"


@needs_posix
def test_a_wayland_that_answers_is_a_screen(tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # a name may not be long
        server.bind("wayland-7")
        server.listen()
        environment = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": "."}
        assert screen_problem(environment, "linux") is None
        assert screen_problem({**environment, "QT_QPA_PLATFORM": "xcb"}, "linux") == "There is no screen here"


@pytest.mark.parametrize(
    ("environment", "platform"),
    [
        ({}, "win32"),
        ({}, "darwin"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux"),
        ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, "linux"),
        ({"DISPLAY": "far.away:0"}, "linux"),
    ],
)
def test_elsewhere_it_is_left_to_qt(environment, platform):
    assert screen_problem(environment, platform) is None


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--theme", "pink"], ["--theme", "'pink'", "light, dark, projector, contrast"]),
        (["--preset", "nothing"], ["'nothing'", "first-run"]),
        (["missing.gpviz"], ["missing.gpviz", "cannot be read"]),
        (["missing.gpvizx"], ["missing.gpvizx", "there is no such file"]),
        (["--nonsense"], ["--nonsense", "--help"]),
        ([str(GOLDEN), "--preset", "first-run"], ["--preset", "file"]),
        (["a" * 300], ["cannot be read"]),
        (["--lecture", "a" * 300], ["cannot be read"]),
        (["rnu"], ["rnu", *COMMANDS]),
        (["--lecture", "nothing"], ["--lecture", "'nothing'", "why-stuck"]),
        (["--lecture", "missing.gpviz"], ["missing.gpviz", "cannot be read"]),
        (["--lecture", str(GOLDEN)], ["format", "a run, not a lecture"]),
        (["--compare", "nothing"], ["'nothing'", "leaf-or-subtree"]),
        (["--experiment", "nothing"], ["'nothing'", "quick", ".toml"]),
        (["--experiment", "missing.toml"], ["missing.toml", "cannot be read"]),
        (["--compare", "four-seeds", "--lecture", "why-stuck"], ["--lecture", "--compare"]),
    ],
)
def test_bad_input_gets_one_sentence_before_any_window(arguments, parts, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    err = problem_of(capsys, *arguments)
    for part in parts:
        assert part in err


def test_the_window_gets_what_the_command_line_says(monkeypatch):
    passed: dict[str, Any] = {}

    def remember(**options):
        passed.update(options)
        return 0

    monkeypatch.setattr("gpviz.app.application.run", remember)
    assert main(["--preset", "and-only", "--play", "--theme", "dark"]) == 0
    assert (passed["preset"].name, passed["is_playing"], passed["theme"], passed["file"]) == (
        "and-only", True, "dark", None,
    )  # fmt: skip
    assert main([str(GOLDEN)]) == 0
    assert passed["file"] == GOLDEN
    assert main(["--lecture", "why-stuck"]) == 0
    assert len(passed["lecture"].scenes) >= 12
    lecture = shipped_lectures()[0].path
    assert main(["--lecture", str(lecture)]) == 0
    assert passed["lecture"] == load_lecture(lecture)
    assert main([str(lecture)]) == 0
    assert passed["file"] == lecture
    assert main(["--compare", "leaf-or-subtree"]) == 0
    assert len(passed["comparison"].lanes) == 2


def test_a_missing_system_library_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "gpviz.app.application", None)
    problem_of(capsys)


_PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
import gpviz.app.application as program
from gpviz.cli import main

class Closing(program.MainWindow):
    # Once what was asked for is on show, it closes.

    def show(self):
        super().show()
        self._look = QTimer(self)
        self._look.timeout.connect(self._close_when_shown)
        self._look.start(10)

    def _close_when_shown(self):
        windows = sum(each.isVisible() for each in QApplication.topLevelWidgets())
        if eval(sys.argv[1], {"self": self, "windows": windows}):
            self._look.stop()
            self.close()

program.MainWindow = Closing
sys.exit(main(sys.argv[2:]))
"""


def _folders(folder: Path) -> dict[str, str]:
    return {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")}


@pytest.mark.parametrize(
    ("arguments", "is_shown"),
    [
        ([str(GOLDEN), "--play"], "self.player.is_playing and self.player.cursor > 0"),
        (["--lecture", "why-stuck"], "windows > 1"),
    ],
)
def test_the_program_opens_and_closes_without_a_word(arguments, is_shown, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _PROGRAM, is_shown, *arguments],
        capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
        env={"QT_QPA_PLATFORM": "offscreen", **_folders(tmp_path)},
    )  # fmt: skip
    said = [line for line in done.stderr.splitlines() if "This plugin does not support" not in line]
    assert (done.returncode, done.stdout, said) == (0, "", [])


_WITHOUT_A_CONSOLE = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
import gpviz.app.application as program
from gpviz.cli import main

shown, make = Path(sys.argv[1]), program.make_application

def make_with_reader(arguments):
    # Whoever reads the box writes down what is in it, and closes it.
    application = make(arguments)
    application.reader = QTimer(application)
    application.reader.timeout.connect(read)
    application.reader.start(10)
    return application

def read():
    box = QApplication.activeModalWidget()
    if box is not None:
        shown.write_text(box.text(), encoding="utf-8")
        box.close()

program.make_application = make_with_reader
sys.stdin = sys.stdout = sys.stderr = None
os._exit(main(sys.argv[2:]))
"""


def test_where_nobody_reads_the_terminal_a_box_says_what_is_wrong_with_a_file(tmp_path):
    damaged, shown = tmp_path / "damaged.gpviz", tmp_path / "shown.txt"
    damaged.write_text("{")
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_A_CONSOLE, str(shown), str(damaged)],
        capture_output=True, check=False, timeout=PATIENCE_SECONDS,
        env={"QT_QPA_PLATFORM": "offscreen", **_folders(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2
    text = shown.read_text(encoding="utf-8")
    assert text.startswith(str(damaged))
    assert text.endswith(".")


@pytest.mark.parametrize(
    ("is_terminal_read", "arguments", "boxes"),
    [
        (False, ["--preset", "nothing"], 1),
        (True, ["--preset", "nothing"], 0),
        (False, ["run", "--preset", "x"], 0),
    ],
)
def test_only_the_window_needs_a_box_and_only_where_nobody_reads_the_terminal(
    is_terminal_read, arguments, boxes, monkeypatch
):
    shown: list[str] = []
    monkeypatch.setattr("gpviz.cli.open_window.show_in_box", shown.append)
    monkeypatch.setattr(terminal, "is_read", lambda _: is_terminal_read)
    assert main(arguments) == 2
    assert len(shown) == boxes


@needs_posix
def test_a_log_and_the_null_device_are_read_by_nobody(monkeypatch, tmp_path):
    with Path(os.devnull).open("w") as nowhere, (tmp_path / "log").open("w") as log:
        assert terminal.is_read(log)
        assert terminal.is_read(StringIO())
        assert not terminal.is_read(nowhere)
        assert not terminal.is_read(None)
        found = os.fstat(log.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
        assert not terminal.is_read(log)
