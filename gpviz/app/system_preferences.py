"""What the system says its user prefers: dark or light colours, high contrast, and little motion."""

import sys
from configparser import ConfigParser
from configparser import Error as ConfigError
from pathlib import Path
from typing import Final

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

__all__ = ["is_motion_reduced", "preferred_theme"]

_MOTION_SETTINGS: Final = (
    ("kdeglobals", "KDE", "AnimationDurationFactor"),
    ("gtk-4.0/settings.ini", "Settings", "gtk-enable-animations"),
    ("gtk-3.0/settings.ini", "Settings", "gtk-enable-animations"),
)
"""Where desktops on Linux keep whether things move: file, section and key. Qt has no question for it there."""
_OFF: Final = ("0", "0.0", "false")


def preferred_theme() -> str:
    """The name of the theme that suits the system: high contrast where that is asked for, else dark or light."""
    hints = QGuiApplication.styleHints()
    # Older bindings of Qt do not have these hints.
    if (
        hasattr(hints, "accessibility")
        and hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
    ):
        return "contrast"
    return "dark" if hints.colorScheme() is Qt.ColorScheme.Dark else "light"


def is_motion_reduced() -> bool:
    """Whether the system asks programs not to move things, as far as it can be known."""
    if not QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate):
        return True
    if sys.platform == "win32":  # where menus stop moving together with everything else
        return not QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation))
    return any(_setting(folder / file, section, key) in _OFF for file, section, key in _MOTION_SETTINGS)


def _setting(path: Path, section: str, key: str) -> str:
    """What a settings file says; nothing where there is none, or where it cannot be read."""
    parser = ConfigParser(strict=False, interpolation=None)
    try:
        parser.read(path, encoding="utf-8")
    except (ConfigError, OSError, UnicodeDecodeError):
        return ""
    return parser.get(section, key, fallback="").strip().lower()
