"""What the system prefers is asked for, or read where its desktops have written it down."""

import plistlib
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

from gpviz.app import system_preferences
from gpviz.app.system_preferences import is_motion_reduced, preferred_theme

DARK, LIGHT = Qt.ColorScheme.Dark, Qt.ColorScheme.Light
HIGH, USUAL = Qt.ContrastPreference.HighContrast, Qt.ContrastPreference.NoPreference


@pytest.fixture
def config_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("scheme", "contrast", "name"),
    [
        (LIGHT, USUAL, "light"),
        (DARK, USUAL, "dark"),
        (Qt.ColorScheme.Unknown, USUAL, "light"),
        (LIGHT, HIGH, "contrast"),
        (DARK, HIGH, "contrast"),
    ],
)
def test_the_theme_is_the_systems(monkeypatch, scheme, contrast, name):
    hints = SimpleNamespace(
        colorScheme=lambda: scheme,
        accessibility=lambda: SimpleNamespace(contrastPreference=lambda: contrast),
    )
    monkeypatch.setattr(QGuiApplication, "styleHints", lambda: hints)
    assert preferred_theme() == name


@pytest.mark.parametrize(
    ("file", "text", "is_reduced"),
    [
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=true\n", False),
        ("kdeglobals", "no settings at all", False),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=%0\n", False),
    ],
)
def test_motion_is_reduced_where_the_desktop_says_so(qapp, config_folder, file, text, is_reduced):
    assert not is_motion_reduced()
    path = config_folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert is_motion_reduced() is is_reduced


def test_motion_is_reduced_where_the_style_does_not_animate(qapp, config_folder, monkeypatch):
    still = SimpleNamespace(styleHint=lambda hint: hint != QStyle.StyleHint.SH_Widget_Animate)
    monkeypatch.setattr(QApplication, "style", lambda: still)
    assert is_motion_reduced()


@pytest.mark.parametrize("is_animated", [True, False])
def test_on_windows_menus_tell_whether_things_move(qapp, config_folder, monkeypatch, is_animated):
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(QApplication, "isEffectEnabled", lambda effect: is_animated)
    assert is_motion_reduced() is not is_animated


@pytest.mark.parametrize(
    ("answers", "is_reduced"),
    [
        ({}, False),
        ({"enable-animations": False}, True),
        ({"enable-animations": True}, False),
        ({"reduced-motion": 1}, True),
        ({"reduced-motion": 0, "enable-animations": True}, False),
        ({"reduced-motion": 0, "enable-animations": False}, True),
    ],
)
def test_the_desktop_is_asked_whether_things_move(qapp, config_folder, monkeypatch, answers, is_reduced):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(system_preferences, "_portal_setting", lambda _namespace, key: answers.get(key))
    assert is_motion_reduced() is is_reduced


@pytest.mark.parametrize(
    ("content", "is_reduced"),
    [
        (None, False),
        (plistlib.dumps({"reduceMotion": 1}, fmt=plistlib.FMT_BINARY), True),
        (plistlib.dumps({"reduceMotion": True}), True),
        (plistlib.dumps({"reduceMotion": False}), False),
        (plistlib.dumps({"other": 1}), False),
        (plistlib.dumps([1]), False),
        (b"<?xml version='1.0'?><plist", False),
        (b"nothing of the kind", False),
    ],
)
def test_on_a_mac_the_settings_of_accessibility_tell_whether_things_move(
    qapp, config_folder, monkeypatch, content, is_reduced
):
    monkeypatch.setattr("sys.platform", "darwin")
    if content is not None:
        (config_folder / "com.apple.universalaccess.plist").write_bytes(content)
    assert is_motion_reduced() is is_reduced


@pytest.mark.parametrize(("name", "is_reduced"), [("ReducedMotion", True), ("NoPreference", False)])
def test_a_qt_that_knows_whether_things_move_is_believed(qapp, config_folder, monkeypatch, name, is_reduced):
    accessibility = SimpleNamespace(motionPreference=lambda: SimpleNamespace(name=name))
    monkeypatch.setattr(
        QGuiApplication, "styleHints", lambda: SimpleNamespace(accessibility=lambda: accessibility)
    )
    assert is_motion_reduced() is is_reduced
