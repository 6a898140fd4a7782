"""The window on other systems than that of the tests: other screens and languages, files that are handed over."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QLocale

from gpviz.app import application
from gpviz.app.export.dialog import Number
from gpviz.app.widgets.fields import NumberSpin
from tests.patience import PATIENCE_SECONDS

GOLDEN = Path(__file__).parents[1] / "golden"
CAIRO = "ar_EG.UTF-8"
"""Where numbers have other digits."""


def on_a_system(folder: Path, **environment: str) -> dict[str, Any]:
    """What a window finds and says there."""
    folders = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.app.foreign_system"),
            *(str(GOLDEN / "version-1.gpviz"), str(GOLDEN / "version-3.gpviz")),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
        env={**os.environ, **folders, **environment},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def macos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A Mac in Cairo: 72 points are 72 pixels."""
    return on_a_system(tmp_path_factory.mktemp("macos"), QT_FONT_DPI="72", LC_ALL=CAIRO)


def test_type_has_the_same_pixels_whatever_a_screen_takes_for_an_inch(macos, tmp_path):
    here = on_a_system(tmp_path, LC_ALL=CAIRO)  # the system's font for code depends on the language
    for what in ("type", "titles of axes", "lines of the guide", "pixels", "picture"):
        assert macos[what] == here[what], what


def test_text_of_the_window_are_as_high_as_those_on_the_tree(macos):
    assert min(height for name, height in macos["type"] if name == "QMenuBar") == macos["pixels"]


def test_the_program_starts_in_english_on_every_system(macos):
    assert macos["number"] == "1,280"
    assert macos["is left to right"]


def test_files_that_macos_hands_over_are_opened_and_what_is_not_saved_is_asked_about(macos):
    assert macos["asked"] == ["The bookmarks of this run are not saved."]


@pytest.fixture
def _other_locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("_other_locale")
@pytest.mark.parametrize("name", ["de_DE", "fr_CH", "ar_EG", "hi_IN"])
def test_fields_write_numbers_as_texts_do(name, qtbot):
    QLocale.setDefault(QLocale(name))
    application.set_locale()
    for field in (NumberSpin(9999, 1), Number("", "", 1, 9999)):
        qtbot.addWidget(field)
        field.setValue(1280)
        assert field.text() == f"{1280:,}"
        field.setValue(1)
        field.lineEdit().setText("2,560")
        field.interpretText()
        assert field.value() == 2560


def test_windows_learns_which_program_it_is(monkeypatch):
    names: list[str] = []
    shell = SimpleNamespace(SetCurrentProcessExplicitAppUserModelID=names.append)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(shell32=shell), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    application.name_process()
    assert names == ["gpviz.gpviz"]
