"""The icon files of a bundle hold the program's icon, in every size that they promise."""

import struct

from PySide6.QtGui import QImage

from bundle.icons import icns, ico
from gpviz import assets
from gpviz.app.theme import program_icon

SVG = assets.folder("icons") / "gpviz.svg"


def picture(png: bytes) -> QImage:
    assert png.startswith(b"\x89PNG")
    return QImage.fromData(png)


def test_windows_finds_a_picture_of_each_size_where_it_is_said_to_be():
    content = ico(SVG)
    reserved, kind, count = struct.unpack_from("<HHH", content)
    assert (reserved, kind) == (0, 1)
    end = 6 + 16 * count
    sizes = []
    for number in range(count):
        width, height, *_, length, offset = struct.unpack_from("<BBBBHHII", content, 6 + 16 * number)
        assert offset == end, "one after the other"
        image = picture(content[offset : offset + length])
        assert (width, height) == (image.width() % 256, image.height() % 256)
        sizes.append(image.width())
        end += length
    assert end == len(content)
    assert {16, 32, 48, 256} <= set(sizes)


def test_macos_finds_parts_that_fill_the_file():
    content = icns(SVG)
    assert content[:4] == b"icns"
    assert struct.unpack(">I", content[4:8]) == (len(content),)
    sizes, offset = {}, 8
    while offset < len(content):
        name, length = struct.unpack_from(">4sI", content, offset)
        sizes[name] = picture(content[offset + 8 : offset + length]).width()
        offset += length
    assert offset == len(content)
    assert sizes[b"ic07"] == 128
    assert sizes[b"ic10"] == 1024


def test_it_is_the_icon_of_the_window(qapp):
    content = ico(SVG)
    *_, length, offset = struct.unpack_from("<BBBBHHII", content, 6)
    shown = program_icon().pixmap(16, 16).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    assert picture(content[offset : offset + length]).convertToFormat(QImage.Format.Format_ARGB32) == shown
