"""What is remembered from one start to the next, whatever is in the file."""

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from gpviz.app.settings import FONT_SIZES, Settings, data_folder
from gpviz.app.theme import DEFAULT_FONT_SIZE, THEME_NAMES


@pytest.fixture
def settings(qapp):
    return Settings()


def later(settings: Settings) -> Settings:
    """The settings as the next start finds them."""
    settings.sync()
    return Settings()


def written(user_folder: Path, *lines: str) -> Settings:
    """Settings from a file that a person wrote."""
    path = user_folder / "config" / "gpviz" / "gpviz.ini"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("[General]", *lines, "")), encoding="utf-8")
    return Settings()


def test_at_first_everything_is_as_usual(settings):
    assert settings.theme is None
    assert settings.font_size == DEFAULT_FONT_SIZE
    assert settings.recent_files == []
    assert settings.flag("x", True) is True
    assert settings.flag("x", False) is False
    assert settings.text("x", "usual") == "usual"
    assert settings.state("x") is None


def test_how_the_room_is_shared_is_remembered(settings):
    settings.pane_shares = {"page/beside/rows": 0.4, "strip/beside": 0.123456}
    assert later(settings).pane_shares == {"page/beside/rows": 0.4, "strip/beside": 0.1235}


@pytest.mark.parametrize("text", ["", "x", "[]", '{"a": 2.0, "b": "0.5", "c": 0.0}'])
def test_nonsense_about_how_the_room_is_shared_is_ignored(settings, text):
    settings.set_text("pane_shares", text)
    assert later(settings).pane_shares == {}


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_theme_is_remembered(settings, name):
    settings.theme = name
    assert later(settings).theme == name


def test_following_the_system_is_remembered(settings):
    settings.theme = "dark"
    settings.theme = None
    assert later(settings).theme is None


def test_the_size_of_the_type_is_remembered(settings):
    settings.font_size = 16
    assert later(settings).font_size == 16


@pytest.mark.parametrize("value", [True, False])
def test_switches_are_remembered(settings, value):
    settings.set_flag("x", value)
    assert settings.flag("x", not value) is value
    assert later(settings).flag("x", not value) is value


@pytest.mark.parametrize("text", ["", "plain", "a, b; c = d", "x₁ ∧ x₂", "50 %", '"quoted"', "@Invalid()"])
def test_texts_are_remembered(settings, text):
    settings.set_text("x", text)
    assert later(settings).text("x", "usual") == text


def test_the_state_of_a_window_is_remembered(settings):
    state = QByteArray(bytes(range(256)))
    settings.set_state("x", state)
    assert later(settings).state("x") == state


def test_recent_files_are_remembered_newest_first_and_once(settings, tmp_path):
    names = [str(tmp_path / name) for name in ("a.gpviz", "b, c.gpviz", "ü.gpviz")]
    for name in (*names, names[0]):
        settings.add_recent_file(Path(name))
    expected = [names[0], names[2], names[1]]
    assert settings.recent_files == expected
    assert later(settings).recent_files == expected


def test_a_single_recent_file_is_remembered(settings, tmp_path):
    settings.add_recent_file(tmp_path / "a, b.gpviz")
    assert later(settings).recent_files == [str(tmp_path / "a, b.gpviz")]


def test_recent_files_are_few_and_absolute(settings):
    for number in range(30):
        settings.add_recent_file(Path(f"{number}.gpviz"))
    assert len(settings.recent_files) == 8
    assert settings.recent_files[0] == str(Path("29.gpviz").absolute())


def test_recent_files_can_be_forgotten(settings, tmp_path):
    settings.add_recent_file(tmp_path / "a.gpviz")
    settings.forget_recent_files()
    assert settings.recent_files == []
    assert later(settings).recent_files == []


@pytest.mark.parametrize("value", ["pink", "", "light, dark", "@Invalid()", "@ByteArray(xx)", "LIGHT"])
def test_a_theme_that_there_is_not_follows_the_system(user_folder, qapp, value):
    assert written(user_folder, f"theme={value}").theme is None


@pytest.mark.parametrize("value", ["big", "", "12.5", "1, 2", "@Invalid()", "9" * 5000, "١٢x"])
def test_a_size_that_is_no_number_is_the_usual_one(user_folder, qapp, value):
    assert written(user_folder, f"font_size={value}").font_size == DEFAULT_FONT_SIZE


@pytest.mark.parametrize(
    ("value", "size"), [("-3", FONT_SIZES[0]), ("0", FONT_SIZES[0]), ("999", FONT_SIZES[-1])]
)
def test_a_size_that_nobody_could_read_is_brought_back(user_folder, qapp, value, size):
    assert written(user_folder, f"font_size={value}").font_size == size


@pytest.mark.parametrize("value", ["maybe", "", "1, 2", "@Invalid()", "@ByteArray(xx)"])
@pytest.mark.parametrize("default", [True, False])
def test_a_switch_that_is_neither_on_nor_off_is_as_usual(user_folder, qapp, value, default):
    assert written(user_folder, f"x={value}").flag("x", default) is default


@pytest.mark.parametrize(
    ("value", "is_on"), [("true", True), ("TRUE", True), ("false", False), ("False", False)]
)
def test_a_switch_can_be_set_by_hand(user_folder, qapp, value, is_on):
    assert written(user_folder, f"x={value}").flag("x", not is_on) is is_on


@pytest.mark.parametrize("value", ["1, 2", "@ByteArray(xx)", "@Invalid()"])
def test_what_is_no_text_is_as_usual(user_folder, qapp, value):
    assert written(user_folder, f"x={value}").text("x", "usual") == "usual"


@pytest.mark.parametrize("value", ["nonsense", "", "1, 2", "@ByteArray()", "@Invalid()"])
def test_what_is_no_state_is_none(user_folder, qapp, value):
    assert written(user_folder, f"x={value}").state("x") is None


@pytest.mark.parametrize("value", ["", "@Invalid()", "@ByteArray(xx)"])
def test_what_is_no_list_of_files_is_an_empty_one(user_folder, qapp, value):
    assert written(user_folder, f"recent_files={value}").recent_files == []


def test_a_list_of_files_can_be_edited_by_hand(user_folder, qapp):
    assert written(user_folder, "recent_files=a.gpviz").recent_files == ["a.gpviz"]
    assert written(user_folder, "recent_files=a.gpviz, , b.gpviz").recent_files == ["a.gpviz", "b.gpviz"]


def test_a_file_that_is_no_settings_file_at_all_is_as_good_as_none(user_folder, qapp):
    path = user_folder / "config" / "gpviz" / "gpviz.ini"
    path.parent.mkdir(parents=True)
    path.write_bytes(bytes(range(256)) * 10)
    settings = Settings()
    assert (settings.theme, settings.font_size, settings.recent_files) == (None, DEFAULT_FONT_SIZE, [])


def test_the_data_folder_is_made_when_it_is_needed(user_folder, qapp):
    folder = data_folder()
    assert folder == user_folder / "data" / "gpviz"
    assert folder.is_dir()
    assert data_folder() == folder
