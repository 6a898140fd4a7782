"""The program's preferences: what a person has chosen and what is remembered from one start to the next."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from gpviz.app.theme import DEFAULT_FONT_SIZE, THEME_NAMES

__all__ = ["FONT_SIZES", "Settings", "data_folder"]

FONT_SIZES: Final = (8, 9, 10, 11, 12, 14, 16, 18)
_MAX_RECENT: Final = 8


class Settings:
    """The stored settings, each checked when it is read: the file is a person's to edit."""

    def __init__(self) -> None:
        self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "gpviz", "gpviz")

    @property
    def theme(self) -> str | None:
        """The chosen theme; None follows the system."""
        name = self._store.value("theme")
        return name if name in THEME_NAMES else None

    @theme.setter
    def theme(self, name: str | None) -> None:
        self._store.setValue("theme", name or "")

    @property
    def font_size(self) -> int:
        return self._number("font_size", DEFAULT_FONT_SIZE, FONT_SIZES[0], FONT_SIZES[-1])

    @font_size.setter
    def font_size(self, size: int) -> None:
        self._store.setValue("font_size", size)

    def flag(self, name: str, default: bool) -> bool:
        """A switch that is on or off."""
        value = str(self._store.value(name, default)).lower()
        return value == "true" if value in ("true", "false") else default

    def set_flag(self, name: str, value: bool) -> None:
        self._store.setValue(name, "true" if value else "false")

    def forget_flag(self, name: str) -> None:
        """Let the switch be at the next start as if nobody had ever touched it."""
        self._store.remove(name)

    def text(self, name: str, default: str = "") -> str:
        value = self._store.value(name, default)
        return value if isinstance(value, str) else default

    def set_text(self, name: str, value: str) -> None:
        self._store.setValue(name, value)

    def state(self, name: str) -> QByteArray | None:
        """How a window or a splitter was left."""
        value = self._store.value(name)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_state(self, name: str, value: QByteArray) -> None:
        self._store.setValue(name, value)

    @property
    def recent_files(self) -> list[str]:
        """The files opened or saved last, newest first."""
        value: Any = self._store.value("recent_files", [])
        names = [value] if isinstance(value, str) else value
        return [name for name in names if isinstance(name, str) and name] if isinstance(names, list) else []

    def add_recent_file(self, path: Path) -> None:
        name = str(path.absolute())
        others = [other for other in self.recent_files if other != name]
        self._store.setValue("recent_files", [name, *others][:_MAX_RECENT])

    def forget_recent_files(self) -> None:
        self._store.setValue("recent_files", [])

    @property
    def pane_shares(self) -> dict[str, float]:
        """How the room of the window was shared, by the names of its panes."""
        try:
            stored = json.loads(self.text("pane_shares", "{}"))
        except ValueError:
            return {}
        shares = stored.items() if isinstance(stored, dict) else ()
        return {name: share for name, share in shares if isinstance(share, float) and 0.0 < share < 1.0}

    @pane_shares.setter
    def pane_shares(self, shares: dict[str, float]) -> None:
        self.set_text("pane_shares", json.dumps({name: round(share, 4) for name, share in shares.items()}))

    def sync(self) -> None:
        """Write everything down now."""
        self._store.sync()

    def _number(self, name: str, default: int, least: int, most: int) -> int:
        try:
            number = int(str(self._store.value(name, default)))
        except ValueError:
            return default
        return min(max(number, least), most)


def data_folder() -> Path:
    """Where gpviz keeps what a person did not save by themselves; it is made if it is not there.

    Where a person's own folder cannot be written it is one that does not outlive the machine's next start.
    """
    places = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    folder = Path(places) / "gpviz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _temporary_folder()
    return folder


@cache
def _temporary_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="gpviz-"))
