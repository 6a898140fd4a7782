"""Pictures of a run: the tree of an iteration, the curves, and the truth table, as the window has them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication, QEventLoop, QMimeData, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gpviz.app.canvas.camera import Camera, Margins
from gpviz.app.canvas.leaf_notes import note_height
from gpviz.app.canvas.node_shapes import extent_of
from gpviz.app.canvas.sprite_atlas import AtlasCache
from gpviz.app.canvas.stage import Stage
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.canvas.tree_frame import Frame
from gpviz.app.canvas.tree_painter import Drawing, paint_drawing
from gpviz.app.pages.truth_table.grid import TruthTableGrid, TruthTableLegend
from gpviz.app.plots.curves import CurvesView
from gpviz.app.theme import DEFAULT_FONT_SIZE, Theme
from gpviz.app.widgets.picture_devices import (
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
from gpviz.engine import Node, Rules, TooComplexError
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.tree_analysis import Analysis, analyse
from gpviz.explain.moment import moment_at
from gpviz.explain.tree_text import caption_of, position_text
from gpviz.explain.truth_table import RowTable, table_of
from gpviz.explain.truth_table_text import class_counts, sample_text, scope_text, summary_text
from gpviz.run.file_io import check_writable
from gpviz.run.history import History

__all__ = [
    "BareTree",
    "Generalisation",
    "analysis_within",
    "bare_tree",
    "copy_tree",
    "curves_image",
    "make_room",
    "shown_stage",
    "table_image",
    "tree_image",
    "tree_title",
    "write_curves_picture",
    "write_table_picture",
    "write_tree_picture",
]

# Nothing but a tree, for a page that says the rest: as large as it may be, cropped to its own proportions.

_BORDER: Final = 3.0
"""What the lines of the outermost nodes need, in the drawing's units."""
_EMPTY: Final = (24.0, 14.0)
"""The room of the empty tree, which is a circle with a sentence, for each point of the size of type."""
_LARGEST_COMPOSED: Final = 1.0
"""A larger tree is enlarged as a whole, with its lines, and a smaller one keeps lines that can be seen."""
_LEAST_SIDE: Final = 8


class BareTree(QWidget):
    """A frame of the canvas without anything around it, at most this large."""

    def __init__(self, frame: Frame, theme: Theme, width: int, height: int) -> None:
        super().__init__()
        self._frame = frame
        self._theme = theme
        self._atlases = AtlasCache(theme)
        self._box = _box_of(frame, theme)
        self._scale = min(width / self._box.width(), height / self._box.height())
        self.resize(
            max(min(round(self._scale * self._box.width()), width), _LEAST_SIDE),
            max(min(round(self._scale * self._box.height()), height), _LEAST_SIDE),
        )

    def take_background(self) -> None:
        """Have the background of the tree everywhere, also where a page is a little larger than the picture."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(self._theme.colours.panel))
        self.setPalette(palette)

    def paintEvent(self, _event: QPaintEvent) -> None:
        composed = min(self._scale, _LARGEST_COMPOSED)
        enlarged = self._scale / composed
        centre = self._box.center()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))
            painter.scale(enlarged, enlarged)
            paint_drawing(
                painter,
                Drawing(
                    camera=Camera(composed, centre.x(), centre.y()),
                    frame=self._frame,
                    placeholder=("The tree is empty", ""),
                ),
                self.width() / enlarged,
                self.height() / enlarged,
                self._theme,
                self._atlases,
                painter.deviceTransform().m11(),
            )


def _box_of(frame: Frame, theme: Theme) -> QRectF:
    """Everything that is painted of a tree, in the drawing's units."""
    if not len(frame):
        width, height = (theme.font_size * side for side in _EMPTY)
        return QRectF(-width / 2, -height / 2, width, height)
    across, down = np.array([extent_of(face.kind) for face in frame.faces])[frame.face].T + _BORDER
    left, top = float((frame.x - across).min()), float((frame.y - down).min())
    right, bottom = float((frame.x + across).max()), float((frame.y + down).max())
    return QRectF(left, top, right - left, bottom - top)


_PATIENCE_SECONDS: Final = 10.0
_LAYOUT_MS: Final = 50
_COPY_SCALE: Final = 2.0
_LEAST_ROOM: Final = 0.5
"""The share of the height of a picture that is the tree's."""


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
    is_bare: bool = False,
) -> None:
    """Write the tree of an iteration as PNG, SVG or PDF, as the end of the path says.

    ``scale`` is the number of pixels of a PNG for each of ``width`` and ``height``. Without an ``analysis`` of the
    tree it is made. A bare picture is nothing but the tree, as large as these allow and no larger than it.
    """
    format_of(path)
    checked_size(width, height, scale)
    check_writable(path)
    with _shown(
        history, at, theme_name, width, height, analysis, layout, has_legend=has_legend, is_bare=is_bare
    ) as widget:
        write_widget(path, widget, scale, tree_title(at))


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
    is_bare: bool = False,
) -> QImage:
    """The same picture in memory."""
    checked_size(width, height, scale)
    with _shown(
        history, at, theme_name, width, height, analysis, layout, has_legend=has_legend, is_bare=is_bare
    ) as widget:
        return image_of(widget, scale)


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
def _shown(
    history: History,
    at: int,
    theme_name: str,
    width: int,
    height: int,
    analysis: Analysis | None,
    layout: str,
    *,
    has_legend: bool,
    is_bare: bool,
) -> Iterator[QWidget]:
    """The widget of the picture."""
    if is_bare:
        with bare_tree(history, at, theme_name, width, height, layout=layout) as tree:
            yield tree
    else:
        with shown_stage(
            history, at, theme_name, width, height, analysis=analysis, layout=layout, has_legend=has_legend
        ) as stage:
            yield stage


@contextmanager
def bare_tree(
    history: History, at: int, theme_name: str, width: int, height: int, *, layout: str = "tidy"
) -> Iterator[BareTree]:
    """Nothing but the tree of an iteration, at most this large."""
    at = checked_iteration("at", at, history)
    theme = picture_theme(theme_name, picture_font_size(width, height))
    canvas = TreeCanvas()
    canvas.set_theme(theme)
    with unseen(canvas, theme, width, height):
        try:
            canvas.set_layout(layout)
            canvas.show_picture(moment_at(history, at))
            _wait_for_layout(canvas)
            canvas.finish_motion()
            frame = canvas.drawing().frame
        finally:
            canvas.shut_down()
    tree = BareTree(frame, theme, width, height)
    with unseen(tree, theme, tree.width(), tree.height()):
        tree.take_background()
        yield tree


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
    if analysis is None or not analysis.is_of(moment.tree, moment.rules):
        analysis = analysis_within(_PATIENCE_SECONDS, moment.tree, moment.rules)
    stage = Stage()
    stage.set_theme(theme)
    with unseen(stage, theme, width, height):
        try:
            stage.set_legend_shown(has_legend)
            settle(stage)
            stage.canvas.set_layout(layout)
            stage.show_picture(moment)
            stage.show_analysis(analysis)
            stage.set_caption(caption_of(history, at))
            _wait_for_layout(stage.canvas)
            make_room(stage, height, theme)
            stage.canvas.finish_motion()
            yield stage
        finally:
            stage.shut_down()


def analysis_within(seconds: float, tree: Node | None, rules: Rules) -> Analysis | None:
    """What is known of a tree after at most about this time; None for one that is too tangled to count."""
    end = monotonic() + seconds
    try:
        return analyse(tree, rules, lambda: monotonic() > end)
    except TooComplexError:
        return None


def make_room(stage: Stage, height: int, theme: Theme) -> None:
    """Take the words away from a picture of this height where they would leave too little of it to the tree."""
    canvas, banner, margins = stage.canvas, stage.banner, Margins()
    room = canvas.height() - margins.top - margins.bottom
    room -= banner.height() if banner.words is not None else 0
    room -= note_height(theme) if canvas.drawing().notes else 0.0
    if room >= _LEAST_ROOM * height:
        return
    stage.banner.show_state(None)  # a stuck tree still has its frame
    stage.canvas.set_reserved_top(0.0, is_gliding=False)
    stage.canvas.set_reasons_shown(False)
    stage.set_caption_shown(False)
    stage.set_legend_shown(False)
    settle(stage)


def _wait_for_layout(canvas: TreeCanvas) -> None:
    """Some layouts are computed by a thread of their own."""
    while canvas.is_layout_pending:
        flags = QEventLoop.ProcessEventsFlag
        QCoreApplication.processEvents(flags.ExcludeUserInputEvents | flags.WaitForMoreEvents, _LAYOUT_MS)


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


_MARGIN: Final = 12
_SPACE: Final = 18
_BETWEEN: Final = 8
_TYPE: Final = 1.2
_WORDS: Final = 0.34
"""The share of the width for what is said beside the grid."""


def write_table_picture(
    path: Path,
    history: History,
    at: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
) -> None:
    """Write the truth table after an iteration as PNG; of a large one a part, which the picture says."""
    format_of(path, ("png",))
    checked_size(width, height, scale)
    check_writable(path)
    with _shown_table(history, at, theme_name, width, height) as sheet:
        write_widget(path, sheet, scale, f"The truth table after iteration {at:,}")


def table_image(
    history: History,
    at: int,
    *,
    theme_name: str = "light",
    width: int = 1280,
    height: int = 720,
    scale: float = 1.0,
) -> QImage:
    """The same picture in memory."""
    checked_size(width, height, scale)
    with _shown_table(history, at, theme_name, width, height) as sheet:
        return image_of(sheet, scale)


class _TableSheet(QWidget):
    """The grid, and beside it what the page of the rows says of it."""

    def __init__(self, table: RowTable, position: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.grid = TruthTableGrid()
        self.grid.set_theme(theme)
        self.grid.set_table(table)
        legend = self.legend = TruthTableLegend()
        legend.set_theme(theme)
        has_drawn = table.drawn is not None and len(table.drawn.cells) > 0
        legend.set_counts(class_counts(table), has_drawn=has_drawn)
        words = QVBoxLayout()
        words.setSpacing(_BETWEEN)
        where = _words(position, theme, theme.colours.muted)
        summary = _words(summary_text(table), theme, theme.colours.text, is_bold=True)
        texts = [text for text in (scope_text(table), sample_text(table)) if text]
        others = [_words(text, theme, theme.colours.muted) for text in texts]
        for part in (where, summary, legend, *others):
            words.addWidget(part)
        words.addStretch(1)
        self._parts = [summary, legend, where, *others]
        """The most important one first."""
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        row.setSpacing(_SPACE)
        row.addWidget(self.grid)
        row.addLayout(words, 1)

    def fit(self, width: int, height: int) -> None:
        """Square cells as large as there is room for them beside the words."""
        room = width - 2 * _MARGIN
        wanted = self.grid.width_for(height - 2 * _MARGIN)
        wanted = min(wanted, round((1 - _WORDS) * room))
        self.grid.set_wanted_width(wanted)
        self.grid.setFixedWidth(wanted)
        beside = room - wanted - _SPACE
        self.legend.setFixedHeight(self.legend.heightForWidth(beside))
        used = 0
        for part in self._parts:
            used += part.heightForWidth(beside) + _BETWEEN
            part.setVisible(used - _BETWEEN <= height - 2 * _MARGIN)  # rather none than one over another

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))


def _words(text: str, theme: Theme, colour: str, *, is_bold: bool = False) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(1.1 if is_bold else 1.0, is_bold=is_bold))
    label.setStyleSheet(f"color: {colour};")  # else it is that of the window, which may have another theme
    return label


@contextmanager
def _shown_table(
    history: History, at: int, theme_name: str, width: int, height: int
) -> Iterator[_TableSheet]:
    """The sheet, which nobody sees."""
    at = checked_iteration("at", at, history)
    theme = picture_theme(theme_name, _TYPE * picture_font_size(width, height))
    sheet = _TableSheet(table_of(moment_at(history, at)), position_text(history, at), theme)
    sheet.fit(width, height)
    with unseen(sheet, theme, width, height):
        yield sheet
