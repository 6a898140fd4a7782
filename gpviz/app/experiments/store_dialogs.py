"""Lets a person choose the file of an experiment: one to be looked at, or the name of a new one."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.engine.errors import GpvizError
from gpviz.experiments.store_paths import SUFFIX, stores_folder

__all__ = ["ask_new_store", "ask_store", "usual_folder"]

_FILTER: Final = f"Experiments (*{SUFFIX})"
_MOST_ALIKE: Final = 1_000


def usual_folder() -> str:
    """Where experiments are kept, or else the home folder."""
    try:
        return str(stores_folder())
    except GpvizError:  # it is told when an experiment starts
        return str(Path.home())


def ask_store(window: QWidget) -> Path | None:
    """The experiment that a person chooses."""
    name, _ = QFileDialog.getOpenFileName(
        window, "Open an experiment", str(_folder_to_begin_in()), f"{_FILTER};;All files (*)", _FILTER
    )
    return Path(name) if name else None


def ask_new_store(window: QWidget, proposal: str = "") -> Path | None:
    """Where a person wants the results; ``proposal`` is what the file could be called, without its ending."""
    name, _ = QFileDialog.getSaveFileName(
        window,
        "Where the results go",
        str(_new_path(_folder_to_begin_in(), proposal or "experiment")),
        _FILTER,
        _FILTER,
        QFileDialog.Option.DontConfirmOverwrite,  # no file is ever written over
    )
    path = Path(name)
    return None if not name else path if path.suffix else path.with_suffix(SUFFIX)


def _folder_to_begin_in() -> Path:
    """The usual folder, made if need be: a dialog takes the name of one that is not there for that of a file."""
    folder = Path(usual_folder())
    with suppress(OSError):  # that nothing can be written there is told when an experiment starts
        folder.mkdir(parents=True, exist_ok=True)
    return next((each for each in (folder, *folder.parents) if each.is_dir()), Path.home())


def _new_path(folder: Path, name: str) -> Path:
    """A name in the folder that no file has."""
    endings = ("", *(f"-{number}" for number in range(2, _MOST_ALIKE)))
    paths = (folder / f"{name}{ending}{SUFFIX}" for ending in endings)
    return next((path for path in paths if not path.exists()), folder / f"{name}{SUFFIX}")
