"""What the tests of exports share: a run, a window, an export controller, and processes that obey."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget

from gpviz.app.export import jobs
from gpviz.app.export.controller import ExportController
from gpviz.app.preferences import Preferences
from gpviz.engine import RunConfig
from gpviz.export.request import ExportRequest, Subject
from gpviz.runs.history import History
from gpviz.runs.run_file import describe
from tests.bundled_program import make_bundled_program
from tests.export.fake_writers import Calls, fake_writers
from tests.export.requests import request_of
from tests.runs.runs import recorded

LENGTH = 120
CURSOR = 42

_BEGINNING = """
import json, os, signal, sys, time
target = next(word for word in sys.argv if word.startswith("--to=")).removeprefix("--to=")
def tell(phase, done, total):
    print(json.dumps({"phase": phase, "done": done, "total": total}), flush=True)
def wait_for_sign():
    sign = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(target))), "sign")
    while not os.path.exists(sign):
        time.sleep(0.002)
def write(text):
    with open(target, "w") as file:
        file.write(text)
"""


class Heard:
    """What an export controller has reported."""

    def __init__(self, exports: ExportController) -> None:
        self.reported: list[str] = []
        self.problems: list[str] = []
        exports.reported.connect(self.reported.append)
        exports.problem_met.connect(self.problems.append)


@pytest.fixture(scope="session")
def history() -> History:
    return recorded(RunConfig(n=6, seed=5), LENGTH)[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that exports go to."""
    folder = tmp_path / "exports"
    folder.mkdir()
    return folder


@pytest.fixture
def preferences(qapp) -> Preferences:
    return Preferences()


@pytest.fixture
def window(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def exports(window: QWidget, history: History, preferences: Preferences) -> Iterator[ExportController]:
    made = ExportController(
        window, lambda: describe(history), lambda: Subject(history=history), lambda: CURSOR, preferences
    )
    yield made
    made.close()


@pytest.fixture
def heard(exports: ExportController) -> Heard:
    return Heard(exports)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return fake_writers(monkeypatch)


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch):
    """Have the process of an export do this instead."""

    def does(script: str) -> None:
        monkeypatch.setattr(jobs, "export_command", lambda: ("-I", "-c", _BEGINNING + script))

    return does


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be the program of a bundle, which has no Python to start."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(make_bundled_program(tmp_path)))


class Question:
    """Whoever is asked, instead of a person; ``asked`` has the questions."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer = QMessageBox.StandardButton.Yes

    def answer_to(self, box: QMessageBox) -> QMessageBox.StandardButton:
        self.asked.append(box.text())
        return self.answer


@pytest.fixture
def question(monkeypatch: pytest.MonkeyPatch) -> Question:
    made = Question()
    monkeypatch.setattr(QMessageBox, "exec", lambda box: made.answer_to(box))
    return made


@pytest.fixture
def give_sign(folder: Path):
    """Let the process that waits for it go on."""
    return (folder.parent / "sign").touch


@pytest.fixture
def log_request(folder: Path) -> ExportRequest:
    return request_of("log", folder / "a.csv", LENGTH)
