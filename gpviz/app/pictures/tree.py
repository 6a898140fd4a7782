"""The tree of an iteration as a picture: the stage with marks, state and caption, as the window has it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QCoreApplication, QEventLoop, QMimeData
from PySide6.QtGui import QGuiApplication, QImage

from gpviz.app.canvas.stage import Stage
from gpviz.app.pictures.devices import (
    checked_iteration,
    checked_size,
    format_of,
    image_of,
    picture_font_size,
    picture_theme,
    settle,
    svg_of,
    unseen,
    write_widget,
)
from gpviz.engine import Node, RunConfig, TooComplexError
from gpviz.engine.analysis import Analysis, analyse
from gpviz.record.facts import caption_of
from gpviz.record.files import check_writable
from gpviz.record.history import History
from gpviz.record.moment import moment_at

__all__ = ["analysis_within", "copy_tree", "shown_stage", "tree_image", "tree_title", "write_tree_picture"]

_PATIENCE_SECONDS: Final = 10.0
_LAYOUT_MS: Final = 50
_COPY_SCALE: Final = 2.0


def write_tree_picture(
    path: Path,
    history: History,
    at: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
    analysis: Analysis | None = None,
    layout: str = "tidy",
    has_legend: bool = True,
) -> None:
    """Write the tree of an iteration as PNG, SVG or PDF, as the end of the path says.

    ``scale`` is the number of pixels of a PNG for each of ``width`` and ``height``. Without an ``analysis`` of the
    tree it is made.
    """
    format_of(path)
    checked_size(width, height, scale)
    check_writable(path)
    with shown_stage(
        history, at, theme_name, width, height, analysis=analysis, layout=layout, has_legend=has_legend
    ) as stage:
        write_widget(path, stage, scale, tree_title(at))


def tree_image(
    history: History,
    at: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
    analysis: Analysis | None = None,
    layout: str = "tidy",
    has_legend: bool = True,
) -> QImage:
    """The same picture in memory."""
    checked_size(width, height, scale)
    with shown_stage(
        history, at, theme_name, width, height, analysis=analysis, layout=layout, has_legend=has_legend
    ) as stage:
        return image_of(stage, scale)


def copy_tree(stage: Stage) -> None:
    """Put what a stage shows now on the clipboard, for whatever takes it: pixels, SVG, or its caption as text."""
    picture = stage.canvas.picture
    data = QMimeData()
    data.setImageData(image_of(stage, _COPY_SCALE))
    data.setData("image/svg+xml", svg_of(stage, tree_title(0 if picture is None else picture.iteration)))
    data.setText(stage.caption)
    QGuiApplication.clipboard().setMimeData(data)


def tree_title(at: int) -> str:
    """What the picture is called in its file."""
    return f"The tree after iteration {at:,}"


@contextmanager
def shown_stage(
    history: History,
    at: int,
    theme_name: str,
    width: int,
    height: int,
    *,
    analysis: Analysis | None = None,
    layout: str = "tidy",
    has_legend: bool = True,
) -> Iterator[Stage]:
    """A stage that nobody sees, at rest, with an iteration on it."""
    at = checked_iteration("at", at, history)
    theme = picture_theme(theme_name, picture_font_size(width, height))
    moment = moment_at(history, at)
    if analysis is None or analysis.tree is not moment.tree:
        analysis = analysis_within(_PATIENCE_SECONDS, moment.tree, history.config_after(at))
    stage = Stage(theme=theme)
    with unseen(stage, theme, width, height):
        try:
            stage.set_legend_shown(has_legend)
            settle(stage)
            stage.canvas.set_layout(layout)
            stage.show_picture(moment)
            stage.show_analysis(analysis)
            stage.set_caption(caption_of(history, at))
            _wait_for_layout(stage)
            stage.canvas.finish_motion()
            yield stage
        finally:
            stage.shut_down()


def analysis_within(seconds: float, tree: Node | None, config: RunConfig) -> Analysis | None:
    """What is known of a tree after at most about this time; None for one that is too tangled to count."""
    end = monotonic() + seconds
    try:
        return analyse(tree, config, lambda: monotonic() > end)
    except TooComplexError:
        return None


def _wait_for_layout(stage: Stage) -> None:
    """Some layouts are computed by a thread of their own."""
    while stage.canvas.is_layout_pending:
        flags = QEventLoop.ProcessEventsFlag
        QCoreApplication.processEvents(flags.ExcludeUserInputEvents | flags.WaitForMoreEvents, _LAYOUT_MS)
