"""Renders widgets that are not on screen, as pixels, SVG or PDF."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QEvent,
    QIODevice,
    QMarginsF,
    QPoint,
    QRect,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gpviz.app.theme import (
    DEFAULT_FONT_SIZE,
    FONT_FAMILIES,
    FONT_FAMILY,
    PIXELS_PER_INCH,
    Theme,
    palette_of,
    style_sheet,
)
from gpviz.app.widgets.themed import Themed
from gpviz.engine.errors import GpvizError
from gpviz.files.file_io import shown_path, write_file

_FORMATS: Final = ("png", "svg", "pdf")
_PANEL: Final = (960, 540)
_LEAST_TYPE: Final = 0.7
_NESTED_LAYOUTS: Final = 3
_FALLBACKS: Final = ", ".join((*FONT_FAMILIES[1:], "Verdana", "sans-serif"))
"""For readers of an SVG who do not have the font; its letters are about as wide."""
_MILLIMETRES: Final = re.compile(rb'(width|height)="([\d.]+)mm"')
_METRES_PER_INCH: Final = 0.0254
_POINTS_PER_INCH: Final = 72.0


def format_of(path: Path) -> str:
    """The format that the end of a path asks for; raises `GpvizError` if it is none of these."""
    found = path.suffix.lower().removeprefix(".")
    if found not in _FORMATS:
        raise GpvizError(f"{shown_path(path)}: its name must end with .png, .svg or .pdf.")
    return found


def picture_font_size(width: int, height: int) -> float:
    """The size of type, in points: that of the window, and larger in a picture larger than a panel of it.

    In a picture less than half as large it is smaller, as far as it can be read.
    """
    share = min(width / _PANEL[0], height / _PANEL[1])
    return DEFAULT_FONT_SIZE * max(share, min(2 * share, 1.0), _LEAST_TYPE)


@contextmanager
def unseen(widget: QWidget, theme: Theme, width: int, height: int) -> Iterator[None]:
    """Show the widget in this theme and size without a screen, and delete it at the end."""
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    widget.setStyleSheet(style_sheet(theme))
    widget.setPalette(palette_of(theme))
    widget.setFont(theme.font())
    if isinstance(widget, Themed):  # not before: parts that are shown do not take over a font any more
        widget.set_theme(theme)
    widget.setFixedSize(width, height)
    widget.show()
    settle(widget)
    try:
        yield
    finally:
        widget.hide()
        widget.deleteLater()


def settle(widget: QWidget) -> None:
    """Lay everything out now instead of in the event loop."""
    for _ in range(_NESTED_LAYOUTS):
        for part in (widget, *widget.findChildren(QWidget)):
            QCoreApplication.sendPostedEvents(part, QEvent.Type.LayoutRequest)


def image_of(widget: QWidget, scale: float = 1.0) -> QImage:
    """The widget in pixels, with so many of them to each of its own."""
    image = QImage(round(widget.width() * scale), round(widget.height() * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(_background(widget))
    _paint(widget, QPainter(image))
    # Afterwards, as type is measured by it.
    dots = round(PIXELS_PER_INCH * scale / _METRES_PER_INCH)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    return image


def svg_of(widget: QWidget, title: str) -> bytes:
    """The widget as SVG, with its text as text."""

    def paint(buffer: QBuffer) -> None:
        # It does not clip, and nothing here needs that; the newer version clips widgets wrongly.
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.SvgTiny12)
        generator.setOutputDevice(buffer)
        generator.setSize(widget.size())
        generator.setViewBox(QRect(QPoint(0, 0), widget.size()))
        generator.setResolution(widget.logicalDpiX())  # by which type is measured
        generator.setTitle(title)
        generator.setDescription("Made by gpviz")
        _paint(widget, QPainter(generator))

    family = f'font-family="{FONT_FAMILY}"'
    content = _content(paint).replace(family.encode(), f'{family[:-1]}, {_FALLBACKS}"'.encode())
    ratio = widget.logicalDpiX() / PIXELS_PER_INCH
    return _MILLIMETRES.sub(
        lambda found: b'%s="%gmm"' % (found[1], float(found[2]) * ratio), content, count=2
    )


def write_widget(path: Path, widget: QWidget, scale: float, title: str) -> None:
    """Write the widget to a file in the format of its suffix; a half-written file never stays behind."""
    form = format_of(path)
    if form == "svg":
        write_file(path, svg_of(widget, title))
    elif form == "pdf":
        write_file(path, _pdf_of(widget, title))
    else:
        image = image_of(widget, scale)
        image.setText("Title", title)
        image.setText("Software", "gpviz")
        write_file(path, _content(lambda buffer: _save(image, buffer)))


def _pdf_of(widget: QWidget, title: str) -> bytes:
    """The widget as a page of its own size."""

    def paint(buffer: QBuffer) -> None:
        writer = QPdfWriter(buffer)
        resolution = widget.logicalDpiX()
        writer.setResolution(resolution)  # by which type is measured
        points = QSizeF(widget.size()) * (_POINTS_PER_INCH / PIXELS_PER_INCH)
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        writer.setPageMargins(QMarginsF(0.0, 0.0, 0.0, 0.0))
        writer.setTitle(title)
        writer.setCreator("gpviz")
        painter = QPainter(writer)
        painter.scale(resolution / PIXELS_PER_INCH, resolution / PIXELS_PER_INCH)
        # A page is whole points wide, which may be a little more than the widget.
        painter.fillRect(QRect(QPoint(0, 0), widget.size() + QSize(2, 2)), _background(widget))
        _paint(widget, painter)

    return _content(paint)


def _background(widget: QWidget) -> QColor:
    return widget.palette().window().color()


def _save(image: QImage, buffer: QBuffer) -> None:
    if not QImageWriter(buffer, b"png").write(image):
        raise GpvizError("picture: there is not enough memory for it; choose a smaller size or scale.")


def _paint(widget: QWidget, painter: QPainter) -> None:
    try:
        widget.render(painter, QPoint(0, 0))
    finally:
        painter.end()


def _content(paint: Callable[[QBuffer], None]) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    paint(buffer)
    buffer.close()
    return bytes(content.data())
