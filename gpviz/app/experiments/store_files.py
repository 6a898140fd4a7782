"""Lets a person choose the file of an experiment: one to be looked at, or the name of a new one."""

from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.engine.errors import GpvizError
from gpviz.experiments.places import SUFFIX, stores_folder

__all__ = ["ask_new_store", "ask_store", "usual_folder"]

_FILTER: Final = f"Experiments (*{SUFFIX})"


def usual_folder() -> str:
    """Where experiments are kept, or else the home folder."""
    try:
        return str(stores_folder())
    except GpvizError:  # it is told when an experiment starts
        return str(Path.home())


def ask_store(window: QWidget) -> Path | None:
    """The experiment that a person chooses."""
    name, _ = QFileDialog.getOpenFileName(
        window, "Open an experiment", usual_folder(), f"{_FILTER};;All files (*)"
    )
    return Path(name) if name else None


def ask_new_store(window: QWidget) -> Path | None:
    """Where a person wants the results."""
    name, _ = QFileDialog.getSaveFileName(
        window,
        "Where the results go",
        usual_folder(),
        _FILTER,
        "",
        QFileDialog.Option.DontConfirmOverwrite,  # no file is ever written over
    )
    path = Path(name)
    return None if not name else path if path.suffix else path.with_suffix(SUFFIX)
