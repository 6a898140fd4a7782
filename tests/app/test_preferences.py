"""What is remembered from one start to the next, whatever is in the file."""

import atexit
import json
import os
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from gpviz.app import preferences as preferences_module
from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import FONT_SIZES, Preferences, data_folder
from gpviz.app.theme import DEFAULT_FONT_SIZE
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import GpvizError
from tests.poison import is_harmless


@pytest.fixture
def preferences(qapp):
    return Preferences()


def later(preferences: Preferences) -> Preferences:
    """The settings as the next start finds them."""
    preferences.sync()
    return anew()


def anew() -> Preferences:
    """Settings that know only what is in the file."""
    preferences_module._files.clear()
    return Preferences()


def folder_of(user_folder: Path) -> Path:
    folder = user_folder / "config" / "gpviz"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def written(user_folder: Path, **values: object) -> Preferences:
    """Settings from a file that a person has edited."""
    (folder_of(user_folder) / "settings.json").write_text(json.dumps(values), encoding="utf-8")
    return anew()


def test_how_the_window_is_divided_is_remembered(preferences):
    preferences.pane_shares = {"page/beside/rows": 0.4, "strip/beside": 0.123456}
    assert later(preferences).pane_shares == {"page/beside/rows": 0.4, "strip/beside": 0.1235}


@pytest.mark.parametrize("text", ["", "x", "[]", '{"a": 2.0, "b": "0.5", "c": 0.0}'])
def test_nonsense_about_how_the_window_is_divided_is_ignored(preferences, text):
    preferences.set_text("pane_shares", text)
    assert later(preferences).pane_shares == {}


@pytest.mark.parametrize("value", [True, False])
def test_switches_are_remembered(preferences, value):
    preferences.set_flag("x", value)
    assert preferences.flag("x", not value) is value
    assert later(preferences).flag("x", not value) is value


@pytest.mark.parametrize("text", ["", "plain", "a, b; c = d", "x₁ ∧ x₂", "50 %", '"quoted"', "@Invalid()"])
def test_texts_are_remembered(preferences, text):
    preferences.set_text("x", text)
    assert later(preferences).text("x", "usual") == text


def test_recent_files_are_remembered_newest_first_and_once(preferences, tmp_path):
    names = [str(tmp_path / name) for name in ("a.gpviz", "b, c.gpviz", "ü.gpviz")]
    for name in (*names, names[0]):
        preferences.add_recent_file(Path(name))
    expected = [names[0], names[2], names[1]]
    assert preferences.recent_files == expected
    assert later(preferences).recent_files == expected


def test_recent_files_are_few_and_absolute(preferences):
    for number in range(30):
        preferences.add_recent_file(Path(f"{number}.gpviz"))
    assert len(preferences.recent_files) == 8
    assert preferences.recent_files[0] == str(Path("29.gpviz").absolute())


def test_what_is_changed_is_written_at_the_latest_when_nobody_needs_it_any_more(user_folder, qapp):
    preferences = Preferences()
    preferences.theme = "dark"
    del preferences
    assert json.loads((folder_of(user_folder) / "settings.json").read_text())["theme"] == "dark"


def test_what_another_program_has_changed_meanwhile_stays(preferences, user_folder):
    preferences.set_text("mine", "1")
    preferences.sync()
    path = folder_of(user_folder) / "settings.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "theirs": "2"}))
    preferences.set_text("mine", "3")
    found = later(preferences)
    assert (found.text("mine"), found.text("theirs")) == ("3", "2")


DAMAGE = {
    "binary": bytes(range(256)) * 10,
    "nothing": b"",
    "cut off": b'{"theme": "da',
    "a list": b"[1, 2]",
    "no text": b'{"theme": "\xff"}',
    "too deep": b"[" * 100_000,
    "too large": b'{"x": "' + b"x" * 2_000_000 + b'"}',
    "twice": b'{"theme": "dark", "theme": "light"}',
    "poison": b'{"\\u001b[31m": 1, "\\u001b[31m": 2}',
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_means_the_usual_settings_and_a_sentence_and_is_kept(user_folder, qapp, kind):
    folder = folder_of(user_folder)
    (folder / "settings.json").write_bytes(DAMAGE[kind])
    preferences = anew()
    assert (preferences.theme, preferences.font_size, preferences.recent_files) == (
        None,
        DEFAULT_FONT_SIZE,
        [],
    )
    assert preferences.problem.startswith("The settings file ")
    assert preferences.problem.endswith(".")
    assert is_harmless(preferences.problem)
    assert (
        "gpviz uses the default settings and keeps the file as settings-damaged.json." in preferences.problem
    )
    preferences.theme = "dark"
    again = later(preferences)
    assert (again.theme, again.problem) == ("dark", "")
    assert (folder / "settings-damaged.json").read_bytes() == DAMAGE[kind]


def test_a_directory_of_its_name_is_reported_and_left_alone(user_folder, qapp, capsys):
    folder = folder_of(user_folder) / "settings.json"
    folder.mkdir()
    preferences = anew()
    assert "directory" in preferences.problem
    preferences.theme = "dark"
    preferences.sync()
    assert folder.is_dir()
    assert capsys.readouterr().err.startswith("gpviz: The settings cannot be saved.")


def test_settings_that_cannot_be_written_are_reported_once(preferences, monkeypatch, capsys):
    def refuse(path: Path, _content: bytes) -> None:
        raise GpvizError(f"{path}: it cannot be written; the disk is full.")

    monkeypatch.setattr(preferences_module, "write_file", refuse)
    for name in ("dark", "light"):
        preferences.theme = name
        preferences.sync()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gpviz: The settings cannot be saved in ")
    assert line.endswith("settings.json: it cannot be written; the disk is full.")


@pytest.mark.parametrize(
    "value", [None, {"a": 1}, [[1]], [None], "x", 7, -(2**70), 1e308, True, [2**40], ["a", 1]]
)
def test_values_of_the_wrong_kind_are_as_usual_and_stay_in_the_file(user_folder, qapp, value):
    path = folder_of(user_folder) / "settings.json"
    preferences = written(user_folder, font_size=value, geometry=value, recent_files=value, theme=value)
    assert preferences.font_size in FONT_SIZES
    assert preferences.theme is None
    assert preferences.numbers("geometry") is None
    assert all(isinstance(name, str) for name in preferences.recent_files)
    assert preferences.flag("geometry", default=False) is (value is True)
    preferences.set_text("other", "1")
    preferences.sync()
    assert json.loads(path.read_text())["geometry"] == value


def test_the_sentence_is_shown_in_the_window(user_folder, qtbot):
    (folder_of(user_folder) / "settings.json").write_bytes(DAMAGE["binary"])
    preferences = anew()
    window = MainWindow(preferences, ThemeManager(preferences, "light"))
    assert window.views.title_line.message == preferences.problem
    window.end_services()
    window.close()
    window.deleteLater()


# --- windows ---


def test_a_window_comes_back_where_it_was(preferences, qtbot):
    window, other = QWidget(), QWidget()
    for each in (window, other):
        qtbot.addWidget(each)
    window.setGeometry(30, 40, 500, 300)
    preferences.store_geometry("window", window)
    assert later(preferences).restore_geometry("window", other)
    assert other.geometry() == QRect(30, 40, 500, 300)


@pytest.mark.parametrize(
    "rectangle",
    [[10**9, 10**9, 400, 300, 0], [-(10**9), 5, 10**9, 10**9, 0], [0, 0, 2**31 - 1, 2**31 - 1, 7]],
)
def test_a_window_is_on_a_screen_whatever_was_remembered(preferences, qtbot, rectangle):
    window = QWidget()
    qtbot.addWidget(window)
    preferences.set_numbers("window", rectangle)
    assert preferences.restore_geometry("window", window)
    assert window.screen().availableGeometry().contains(window.geometry())
    assert window.windowState() == Qt.WindowState.WindowNoState


# --- data ---


@pytest.mark.parametrize("is_there", [False, True])
def test_where_nothing_can_be_written_a_temporary_folder_is_used_and_removed(
    user_folder, qapp, monkeypatch, tmp_path, is_there
):
    if is_there:
        data_folder()
        monkeypatch.setattr(os, "access", lambda *_: False)
    else:
        user_folder.mkdir(parents=True, exist_ok=True)
        (user_folder / "data").write_text("no folder")
    at_exit: list[tuple[object, ...]] = []
    monkeypatch.setattr(atexit, "register", lambda *call: at_exit.append(call))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    preferences_module._temporary_folder.cache_clear()
    folder = data_folder()
    assert folder.parent == tmp_path
    assert data_folder() == folder
    ((remove, *given),) = at_exit
    remove(*given)  # type: ignore[operator]  # as the end of the program does
    assert not folder.exists()
    preferences_module._temporary_folder.cache_clear()
