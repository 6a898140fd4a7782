"""Makes the icon files of Windows and macOS from the SVG: a table of contents, and a PNG for each size."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

__all__ = ["icns", "ico"]

_ICO_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
_ICNS_SIZES: Final[Mapping[bytes, int]] = {
    b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
    b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512,
}  # fmt: skip
"""The last four are for screens with twice as many pixels."""


def ico(svg: Path) -> bytes:
    """The content of an .ico file."""
    pictures = {size: _png(svg, size) for size in _ICO_SIZES}
    place = 6 + 16 * len(pictures)
    head = struct.pack("<HHH", 0, 1, len(pictures))
    for size, picture in pictures.items():
        # One byte each for width and height, so that 256 is 0; no palette, one plane, 32 bits a pixel.
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    return head + b"".join(pictures.values())


def icns(svg: Path) -> bytes:
    """The content of an .icns file."""
    parts = b"".join(_icns_part(name, _png(svg, size)) for name, size in _ICNS_SIZES.items())
    return _icns_part(b"icns", parts)


def _icns_part(name: bytes, content: bytes) -> bytes:
    return name + struct.pack(">I", 8 + len(content)) + content


def _png(svg: Path, size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg.read_bytes())).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # PySide takes a text
    return bytes(buffer.data().data())
