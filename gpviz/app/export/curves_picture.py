"""The curves of a run as a picture: error and size with their limits and legend, as the panel draws them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy.typing as npt
from PySide6.QtGui import QImage

from gpviz.app.plots.curves import CurvesView
from gpviz.app.theme import DEFAULT_FONT_SIZE
from gpviz.app.widgets.picture_devices import (
    checked_iteration,
    checked_size,
    format_of,
    image_of,
    picture_font_size,
    picture_theme,
    unseen,
    write_widget,
)
from gpviz.engine.errors import InvalidValueError
from gpviz.run.file_io import check_writable
from gpviz.run.history import History

__all__ = ["Generalisation", "curves_image", "write_curves_picture"]

Generalisation = tuple[npt.NDArray, npt.NDArray]
"""Iterations, and how likely the tree is wrong on a random row from each of them on."""


def write_curves_picture(
    path: Path,
    history: History,
    first: int,
    last: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
    generalisation: Generalisation | None = None,
    stuck_since: int | None = None,
    is_log: bool = True,
) -> None:
    """Write the curves of these iterations as PNG, SVG or PDF, as the end of the path says."""
    format_of(path)
    checked_size(width, height, scale)
    check_writable(path)
    with _shown_curves(
        history, first, last, theme_name, width, height, generalisation, stuck_since, is_log=is_log
    ) as view:
        write_widget(path, view, scale, f"Error and size, iterations {first:,} to {last:,}")


def curves_image(
    history: History,
    first: int,
    last: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
    generalisation: Generalisation | None = None,
    stuck_since: int | None = None,
    is_log: bool = True,
) -> QImage:
    """The same picture in memory."""
    checked_size(width, height, scale)
    with _shown_curves(
        history, first, last, theme_name, width, height, generalisation, stuck_since, is_log=is_log
    ) as view:
        return image_of(view, scale)


@contextmanager
def _shown_curves(
    history: History,
    first: int,
    last: int,
    theme_name: str,
    width: int,
    height: int,
    generalisation: Generalisation | None,
    stuck_since: int | None,
    *,
    is_log: bool,
) -> Iterator[CurvesView]:
    """The panel, which nobody sees, with these iterations on it."""
    first, last = checked_iteration("first", first, history), checked_iteration("last", last, history)
    if first > last:
        raise InvalidValueError("first", first, f"at most {last}, the last iteration")
    size = picture_font_size(width, height)
    theme = picture_theme(theme_name, size)
    theme = replace(theme, line_scale=theme.line_scale * size / DEFAULT_FONT_SIZE)
    view = CurvesView()
    view.set_theme(theme)
    with unseen(view, theme, width, height):
        view.set_log_scale(is_log)
        view.show_history(history)
        if generalisation is not None:
            view.show_generalisation(*generalisation)
        view.show_stuck_since(stuck_since)
        view.show_as_picture(first, last)
        yield view
