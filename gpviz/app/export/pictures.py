"""Pictures of a run as the window has them: the tree of an iteration, curves, outlook, and truth table."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from gpviz.app.canvas.painter import item_painter, resting
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.pages.outlook.outlook_painter import paint_outlook
from gpviz.app.pages.truth_table.grid import TruthTableGrid, TruthTableLegend
from gpviz.app.theme import DEFAULT_FONT_SIZE, Theme, load_theme
from gpviz.app.widgets.layouts import column_of, row_in
from gpviz.app.widgets.widget_pictures import (
    image_of,
    picture_font_size,
    svg_of,
    unseen,
    write_widget,
)
from gpviz.explain.moment import moment_at
from gpviz.explain.outlook_picture import OutlookPicture, outlook_picture
from gpviz.explain.tree_text import position_text
from gpviz.explain.truth_table import RowTable, class_counts, sample_text, scope_text, summary_text, table_of
from gpviz.export.request import ExportRequest, OnProgress, Subject, loaded
from gpviz.export.run_tables import outlook_of
from gpviz.export.tree_picture import printed_area, tree_picture
from gpviz.files.file_io import check_writable
from gpviz.picture.drawing import items_of
from gpviz.runs.settings_text import settings_text

if TYPE_CHECKING:
    from gpviz.app.plots.curves import CurvesView

_COPY_SCALE: Final = 2.0
_LEAST_SIDE: Final = 8

_MARGIN: Final = 12
_SPACE: Final = 18
_BETWEEN: Final = 8
_TYPE: Final = 1.2
_TEXT_SHARE: Final = 0.34
"""The share of the width of a truth table for what is said beside its grid."""


def write_picture(request: ExportRequest, subject: Subject, _on_progress: OnProgress | None = None) -> None:
    """Write the picture as PNG, SVG or PDF; it is called what the title of its widget says."""
    check_writable(request.path)
    with _shown(request, subject) as widget:
        write_widget(request.path, widget, request.scale, widget.windowTitle())


def picture_of(request: ExportRequest, subject: Subject) -> QImage:
    """The same picture in memory."""
    with _shown(request, subject) as widget:
        return image_of(widget, request.scale)


def _shown(request: ExportRequest, subject: Subject) -> AbstractContextManager[QWidget]:
    """The widget of the picture, which nobody sees; what makes it is called with the request and the subject."""
    widget: AbstractContextManager[QWidget] = loaded(request.kind.picture)(request, subject)
    return widget


# --- the tree ---


@contextmanager
def tree_widget(request: ExportRequest, subject: Subject) -> Iterator[QWidget]:
    """The picture of an iteration, or nothing but its tree, at most as large as was asked."""
    theme = load_theme(request.theme)
    sheet = TreeSheet(request, subject, theme)
    with unseen(sheet, theme, sheet.width(), sheet.height()):
        sheet.setWindowTitle(_tree_title(request.at))
        yield sheet


def _tree_title(iteration: int) -> str:
    return f"The tree after iteration {iteration:,}"


class TreeSheet(QWidget):
    """A picture at rest; a bare one is cut to its tree."""

    def __init__(self, request: ExportRequest, subject: Subject, theme: Theme) -> None:
        super().__init__()
        picture = tree_picture(request, subject)
        self._items = resting(items_of(picture))
        self._theme = theme
        left, top, right, bottom = printed_area(request, picture)
        self._origin = QPoint(floor(left), floor(top))  # whole pixels, as sprites are copied to whole ones
        corner = QPoint(ceil(right), ceil(bottom)) - self._origin
        self.resize(max(corner.x(), _LEAST_SIDE), max(corner.y(), _LEAST_SIDE))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))
            painter.translate(-self._origin)
            item_painter(self._theme.colours).paint(painter, self._items)


def copy_tree(canvas: TreeCanvas) -> None:
    """Put what a canvas shows now on the clipboard, for whatever takes it: pixels, SVG, or its words."""
    moment, picture = canvas.moment, canvas.picture
    data = QMimeData()
    data.setImageData(image_of(canvas, _COPY_SCALE))
    data.setData("image/svg+xml", svg_of(canvas, _tree_title(0 if moment is None else moment.iteration)))
    if picture is not None and picture.banner is not None:
        data.setText(picture.banner.sentence)
    QGuiApplication.clipboard().setMimeData(data)


def copy_page(page: QWidget) -> None:
    """Put a page on the clipboard as it is on show."""
    QGuiApplication.clipboard().setImage(image_of(page, _COPY_SCALE))


# --- the curves ---


@contextmanager
def curves_widget(request: ExportRequest, subject: Subject) -> Iterator["CurvesView"]:
    """The panel of the curves with the iterations of a range on it."""
    from gpviz.app.plots.curves import CurvesView  # its library takes as long to load as a tree to paint

    first, last = request.first, request.last
    size = picture_font_size(request.width, request.height)
    theme = load_theme(request.theme, size)
    theme = replace(theme, line_scale=theme.line_scale * size / DEFAULT_FONT_SIZE)
    view = CurvesView()
    view.setWindowTitle(f"Error and size, iterations {first:,} to {last:,}")
    known = subject.generalisation
    with unseen(view, theme, request.width, request.height):
        view.set_log_scale(True)
        view.set_theory_shown(request.has_theory)
        view.show_history(subject.history)
        if known:  # one without entries is none
            view.show_generalisation(known.iterations, known.shares)
        view.show_stuck_since(subject.stuck_since)
        view.show_as_picture(first, last, request.scale)
        try:
            yield view
        finally:
            view.shut_down()


# --- the outlook ---


def write_outlook(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the whole picture of the outlook; ``on_progress`` is called as for a table."""
    check_writable(request.path)
    write_picture(request, replace(subject, outlook=_whole_outlook(request, subject, on_progress)))


@contextmanager
def outlook_widget(request: ExportRequest, subject: Subject) -> Iterator["_OutlookSheet"]:
    """The outlook along the run, as far as it is on show, or all of it."""
    known = subject.outlook or _whole_outlook(request, subject)
    theme = load_theme(request.theme, _TYPE * picture_font_size(request.width, request.height))
    sheet = _OutlookSheet(known, settings_text(subject.history.config), theme)
    sheet.setWindowTitle(f"The outlook along the run, seen from iteration {known.cursor:,}")
    with unseen(sheet, theme, request.width, request.height):
        yield sheet


def _whole_outlook(
    request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None
) -> OutlookPicture:
    cursor = min(max(request.at, request.first), request.last)
    return outlook_picture(outlook_of(request, subject, on_progress), subject.history, cursor, request.last)


class _OutlookSheet(QWidget):
    """The picture of the page, below a line with the run."""

    def __init__(self, picture: OutlookPicture, title: str, theme: Theme) -> None:
        super().__init__()
        self._picture = picture
        self._title = title
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.colours.panel))
            area = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
            painter.setFont(theme.font())
            painter.setPen(QColor(theme.colours.muted))
            metrics = QFontMetricsF(theme.font())
            title = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(QPointF(area.left(), area.top() + metrics.ascent()), title)
            area.setTop(area.top() + 1.4 * metrics.height())
            paint_outlook(painter, area, self._picture, theme)


# --- the truth table ---


@contextmanager
def truth_table_widget(request: ExportRequest, subject: Subject) -> Iterator["_TableSheet"]:
    """The truth table after an iteration; of a large one a part, which it says."""
    width, height = request.width, request.height
    theme = load_theme(request.theme, _TYPE * picture_font_size(width, height))
    table = table_of(moment_at(subject.history, request.at))
    sheet = _TableSheet(table, position_text(subject.history, request.at), theme)
    sheet.setWindowTitle(f"The truth table after iteration {request.at:,}")
    sheet.fit(width, height)
    with unseen(sheet, theme, width, height):
        yield sheet


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
        where = _label(position, theme, theme.colours.muted)
        summary = _label(summary_text(table), theme, theme.colours.text, is_bold=True)
        texts = [text for text in (scope_text(table), sample_text(table)) if text]
        others = [_label(text, theme, theme.colours.muted) for text in texts]
        column = column_of(where, summary, legend, *others, None, spacing=_BETWEEN)
        self._parts = [summary, legend, where, *others]
        """The most important one first."""
        row_in(self, self.grid, (column, 1), spacing=_SPACE, margins=(_MARGIN, _MARGIN, _MARGIN, _MARGIN))

    def fit(self, width: int, height: int) -> None:
        """Make the square cells as large as the texts beside them allow."""
        inner = width - 2 * _MARGIN
        wanted = self.grid.width_for(height - 2 * _MARGIN)
        wanted = min(wanted, round((1 - _TEXT_SHARE) * inner))
        self.grid.set_wanted_width(wanted)
        self.grid.setFixedWidth(wanted)
        beside = inner - wanted - _SPACE
        self.legend.setFixedHeight(self.legend.heightForWidth(beside))
        used = 0
        for part in self._parts:
            used += part.heightForWidth(beside) + _BETWEEN
            part.setVisible(used - _BETWEEN <= height - 2 * _MARGIN)  # rather none than one over another

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))


def _label(text: str, theme: Theme, colour: str, *, is_bold: bool = False) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(1.1 if is_bold else 1.0, is_bold=is_bold))
    label.setStyleSheet(f"color: {colour};")  # else it is that of the window, which may have another theme
    return label
