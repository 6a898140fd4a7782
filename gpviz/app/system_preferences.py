"""What the system says its user prefers: dark or light colours, high contrast, and little motion."""

import os
import plistlib
import sys
from configparser import ConfigParser
from configparser import Error as ConfigError
from pathlib import Path
from typing import Final
from xml.parsers.expat import ExpatError

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

_MOTION_SETTINGS: Final = (
    ("kdeglobals", "KDE", "AnimationDurationFactor"),
    ("gtk-4.0/settings.ini", "Settings", "gtk-enable-animations"),
    ("gtk-3.0/settings.ini", "Settings", "gtk-enable-animations"),
)
"""Where desktops on Linux keep whether things move: file, section and key."""
_OFF: Final = ("0", "0.0", "false")
_PORTAL_SETTINGS: Final = (
    ("org.freedesktop.appearance", "reduced-motion", True),
    ("org.gnome.desktop.interface", "enable-animations", False),
)
"""What desktops on Linux can be asked: namespace, key, and the answer with which they want little motion."""
_PORTAL_PATIENCE_MS: Final = 100
_MAC_FILE: Final = "com.apple.universalaccess.plist"


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
    if not QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate) or _is_reduced_for_qt():
        return True
    if sys.platform == "win32":  # where menus stop moving together with everything else
        return not QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation))
    if sys.platform == "darwin":
        return _is_reduced_on_mac(folder / _MAC_FILE)
    if any(_setting(folder / file, section, key) in _OFF for file, section, key in _MOTION_SETTINGS):
        return True
    return any(_portal_setting(name, key) == reduced for name, key, reduced in _PORTAL_SETTINGS)


def _is_reduced_for_qt() -> bool:
    """What Qt says of it, which it does from 6.12 on."""
    hints = QGuiApplication.styleHints()
    asked = (
        getattr(hints.accessibility(), "motionPreference", None) if hasattr(hints, "accessibility") else None
    )
    return asked is not None and asked().name == "ReducedMotion"


def _is_reduced_on_mac(path: Path) -> bool:
    """What the settings of accessibility say; False where there are none, or where they cannot be read."""
    try:
        settings = plistlib.loads(path.read_bytes())
    except (OSError, ValueError, ExpatError):
        return False
    return isinstance(settings, dict) and bool(settings.get("reduceMotion"))


def _portal_setting(namespace: str, key: str) -> object:
    """What the desktop answers; None where there is nobody to ask, or no answer at once."""
    if "DBUS_SESSION_BUS_ADDRESS" not in os.environ:
        return None  # looking for a bus would start one
    from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage, QDBusVariant  # on Linux alone

    portal = "org.freedesktop.portal"
    question = QDBusMessage.createMethodCall(
        f"{portal}.Desktop", "/org/freedesktop/portal/desktop", f"{portal}.Settings", "Read"
    )
    question.setArguments([namespace, key])
    question.setAutoStartService(False)
    reply = QDBusConnection.sessionBus().call(question, QDBus.CallMode.Block, _PORTAL_PATIENCE_MS)
    if reply.type() is not QDBusMessage.MessageType.ReplyMessage or not reply.arguments():
        return None
    answer = reply.arguments()[0]
    while isinstance(answer, QDBusVariant):
        answer = answer.variant()
    return answer


def _setting(path: Path, section: str, key: str) -> str:
    """What a settings file says; nothing where there is none, or where it cannot be read."""
    parser = ConfigParser(strict=False, interpolation=None)
    try:
        parser.read(path, encoding="utf-8")
    except (ConfigError, OSError, UnicodeDecodeError):
        return ""
    return parser.get(section, key, fallback="").strip().lower()
