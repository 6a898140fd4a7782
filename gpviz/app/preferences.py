"""The program's preferences: what a person has chosen and what is remembered from one start to the next.

They are plain texts, numbers, switches and lists of these in a JSON file, which a person may edit and a disk may
damage: what cannot be read is as usual, is reported in a sentence, and is kept under another name.
"""

import atexit
import json
import os
import sys
import tempfile
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QByteArray, QCoreApplication, QRect, QSettings, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter, QWidget

from gpviz.app.theme import DEFAULT_FONT_SIZE
from gpviz.assets import THEME_NAMES
from gpviz.engine.errors import GpvizError
from gpviz.escaping import terminal_text
from gpviz.files.file_io import FileTooLargeError, error_reason, file_mode, read_file, shown_path, write_file
from gpviz.files.reader import Instance, Kind, ListOf, OneOf, Switch, Whole, parse_json

Value = str | int | float | bool | list[str] | list[int]

FONT_SIZES: Final = (8, 9, 10, 11, 12, 14, 16, 18)
_MAX_RECENT: Final = 8
_FILE_NAME: Final = "settings.json"
_ASIDE_NAME: Final = "settings-damaged.json"
_MOST_BYTES: Final = 1_000_000
_MOST_ENTRIES: Final = 1_000
_LARGEST: Final = 2**31 - 1
_WRITE_MS: Final = 1_000


class Preferences:
    """The stored preferences, each checked when it is read; all objects of a program share them."""

    def __init__(self) -> None:
        self._file = _shared_file()

    @property
    def problem(self) -> str:
        """What was wrong with the file, in a sentence; empty if nothing was."""
        return self._file.problem

    @property
    def theme(self) -> str | None:
        """The chosen theme; None follows the system."""
        name: str | None = self._read("theme", OneOf(THEME_NAMES), None)
        return name

    @theme.setter
    def theme(self, name: str | None) -> None:
        self._file.set("theme", name or "")

    @property
    def font_size(self) -> int:
        return int(self._read("font_size", Whole(FONT_SIZES[0], FONT_SIZES[-1]), DEFAULT_FONT_SIZE))

    @font_size.setter
    def font_size(self, size: int) -> None:
        self._file.set("font_size", size)

    def flag(self, name: str, default: bool) -> bool:
        """A switch that is on or off."""
        return bool(self._read(name, Switch(), default))

    def set_flag(self, name: str, value: bool) -> None:
        self._file.set(name, value)

    def forget_flag(self, name: str) -> None:
        """Let the switch be at the next start as if nobody had ever touched it."""
        self._file.set(name, None)

    def text(self, name: str, default: str = "") -> str:
        return str(self._read(name, Instance(str), default))

    def set_text(self, name: str, value: str) -> None:
        self._file.set(name, value)

    def numbers(self, name: str) -> list[int] | None:
        """Whole numbers, such as the sizes of the parts of a splitter; None if there are none."""
        return list(self._read(name, ListOf(Whole(-_LARGEST, _LARGEST)), ())) or None

    def set_numbers(self, name: str, numbers: list[int]) -> None:
        self._file.set(name, list(numbers))

    def store_geometry(self, name: str, window: QWidget) -> None:
        """Remember where a window stands, how large it is, and whether it fills the screen."""
        is_normal = not window.isMaximized() and not window.isFullScreen()
        rect = (
            window.geometry() if is_normal or window.normalGeometry().isEmpty() else window.normalGeometry()
        )
        self.set_numbers(name, [*rect.getRect(), int(window.isMaximized())])  # type: ignore[misc]  # PySide's stubs

    def restore_geometry(self, name: str, window: QWidget) -> bool:
        """Put a window where it was, as far as a screen is there; whether that is known."""
        numbers = self.numbers(name)
        if numbers is None or len(numbers) != 5 or min(numbers[2:4]) <= 0:
            return False
        x, y, width, height, is_maximised = numbers
        screen = QGuiApplication.screenAt(QRect(x, y, width, height).center()) or window.screen()
        space = screen.availableGeometry()
        width, height = min(width, space.width()), min(height, space.height())
        left = min(max(x, space.left()), space.left() + space.width() - width)
        top = min(max(y, space.top()), space.top() + space.height() - height)
        window.setGeometry(left, top, width, height)
        if is_maximised == 1:
            window.setWindowState(Qt.WindowState.WindowMaximized)
        return True

    def store_splitter(self, name: str, splitter: QSplitter) -> None:
        """Remember how a splitter is divided, also while one of its parts is hidden."""
        self.set_text(name, bytes(splitter.saveState().toBase64().data()).decode())

    def restore_splitter(self, name: str, splitter: QSplitter) -> bool:
        """Divide a splitter as it was; whether that is known."""
        return splitter.restoreState(QByteArray.fromBase64(self.text(name).encode()))

    @property
    def recent_files(self) -> list[str]:
        """The files opened or saved last, newest first."""
        return list(self._read("recent_files", ListOf(Instance(str)), ()))

    def add_recent_file(self, path: Path) -> None:
        name = str(path.absolute())
        others = [other for other in self.recent_files if other != name]
        self._file.set("recent_files", [name, *others][:_MAX_RECENT])

    def forget_recent_files(self) -> None:
        self._file.set("recent_files", [])

    @property
    def pane_shares(self) -> dict[str, float]:
        """How the window was divided, by the names of its panes."""
        try:
            stored = json.loads(self.text("pane_shares", "{}"))
        except (ValueError, RecursionError):
            return {}
        shares = stored.items() if isinstance(stored, dict) else ()
        return {name: share for name, share in shares if isinstance(share, float) and 0.0 < share < 1.0}

    @pane_shares.setter
    def pane_shares(self, shares: dict[str, float]) -> None:
        self.set_text("pane_shares", json.dumps({name: round(share, 4) for name, share in shares.items()}))

    def sync(self) -> None:
        """Write everything down now."""
        self._file.write()

    def _read(self, name: str, kind: Kind, default: Any) -> Any:
        """What the file says; the default where it says nothing, or nothing that this kind allows."""
        if name not in self._file.values:
            return default
        try:
            return kind.read(name, self._file.values[name])
        except GpvizError:
            return default


class _PreferencesFile:
    """The values, and those of them that are still to be written; that happens soon, and in the end.

    It is no object of Qt's: Python may collect it in any thread.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.values, self.problem, _ = _read(path)
        self._changes: dict[str, Value | None] = {}
        self._is_due = False
        weakref.finalize(self, _write, path, self._changes)

    def set(self, name: str, value: Value | None) -> None:
        """Change a value; None lets it be as usual."""
        self._changes[name] = value
        if value is None:
            self.values.pop(name, None)
        else:
            self.values[name] = value
        if QCoreApplication.instance() is not None and not self._is_due:
            self._is_due = True
            mine = weakref.ref(self)
            QTimer.singleShot(_WRITE_MS, lambda: _write_due(mine()))

    def write(self) -> None:
        self._is_due = False
        _write(self.path, self._changes)


def _write_due(file: _PreferencesFile | None) -> None:
    if file is not None and file._is_due:
        file.write()


_files: "weakref.WeakValueDictionary[Path, _PreferencesFile]" = weakref.WeakValueDictionary()


def _shared_file() -> _PreferencesFile:
    # Only Qt knows where it kept settings; it is asked about a program that nobody has, as it reads the file.
    named = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "gpviz-none", "none").fileName()
    path = Path(named).parents[1] / "gpviz" / _FILE_NAME
    file = _files.get(path)
    if file is None:
        file = _files[path] = _PreferencesFile(path)
    return file


class _Found(NamedTuple):
    """What a file says, what was wrong with it, and whether it may be written over."""

    values: dict[str, Any]
    problem: str = ""
    may_be_replaced: bool = True


def _read(path: Path) -> _Found:
    """What the file says."""
    try:
        if file_mode(path) is None:
            return _Found({})
        content = read_file(path, _MOST_BYTES)
    except FileTooLargeError as error:
        return _kept_aside(path, error)
    except (GpvizError, OSError) as error:
        return _Found({}, _unread(path, error), may_be_replaced=False)
    try:
        data = parse_json(content)
        if not isinstance(data, dict) or len(data) > _MOST_ENTRIES:
            raise GpvizError("it is not an object with settings.")
    except GpvizError as error:
        return _kept_aside(path, error)
    return _Found(data)


def _kept_aside(path: Path, error: GpvizError) -> _Found:
    """Rename a file that cannot be used, so that another can be written and nothing of it is lost."""
    aside = _put_aside(path)
    kept = f" and keeps the file as {shown_path(aside.name)}" if aside is not None else ""
    return _Found({}, _unread(path, error, kept), may_be_replaced=aside is not None)


def _unread(path: Path, error: Exception, kept: str = "") -> str:
    what = f"The settings file {shown_path(path)} cannot be used"
    return f"{what}: {_reason(error, path)}. gpviz uses the default settings{kept}."


def _reason(error: Exception, path: Path) -> str:
    """What is wrong with the file, without its name, for the middle of a sentence."""
    return error_reason(error).removeprefix(f"{shown_path(path)}: ").removesuffix(".")


def _put_aside(path: Path) -> Path | None:
    """Give the file another name; None where that cannot be done."""
    aside = path.with_name(_ASIDE_NAME)
    try:
        path.replace(aside)
    except OSError:
        return None
    return aside


def _write(path: Path, changes: dict[str, Value | None]) -> None:
    """Write the changes down; what another gpviz has changed meanwhile stays. A failure is reported once."""
    if not changes:
        return
    values, problem, may_be_replaced = _read(path)
    for name, value in changes.items():
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    if not may_be_replaced:
        _report_once(f"The settings cannot be saved. {problem}")
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, f"{json.dumps(values, indent=2)}\n".encode())
        changes.clear()
    except (GpvizError, OSError) as error:
        _report_once(f"The settings cannot be saved in {shown_path(path)}: {_reason(error, path)}.")


@cache
def _report_once(sentence: str) -> None:
    with suppress(OSError, AttributeError):  # the terminal may have gone, or there never was one
        print(f"gpviz: {terminal_text(sentence)}", file=sys.stderr)


def data_folder() -> Path:
    """Where gpviz keeps what a person did not save by themselves; it is made if it is not there.

    Where a person's own folder cannot be written it is one that does not outlive the machine's next start.
    """
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    folder = Path(data) / "gpviz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(folder, os.W_OK)
    except OSError:
        is_writable = False
    return folder if is_writable else _temporary_folder()


@cache
def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="gpviz-"))
    atexit.register(_remove_if_empty, folder)
    return folder


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # what a crash has left there stays
        folder.rmdir()
