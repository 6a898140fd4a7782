"""Pictures within a file from a stranger: what they are, how large, and that nothing in them does harm."""

import re
import struct
from collections import Counter
from typing import Final
from xml.parsers import expat

from gpviz.engine.errors import GpvizError

PICTURE_FORMATS: Final = ("png", "jpeg", "svg")
MAX_PICTURE_BYTES: Final = 4_000_000
MAX_SIDE: Final = 8_192
MAX_PIXELS: Final = 16_800_000
"""A little more than 4096 by 4096; decoded they take 67 megabytes."""

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The markers in a JPEG that are followed by its size."""
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xDA)})
"""The markers that have no length."""

_MOST_ELEMENTS: Final = 20_000
_MOST_DRAWN: Final = 100_000
"""What is drawn again by reference counts each time."""
_CHARACTERS_OF_ELEMENT: Final = 100
"""An element with more of them, such as a long path, counts as several."""
_LONGEST_VALUE: Final = 100_000
"""A path of more characters than this may take minutes to fill, however small it is drawn."""
_MOST_DEPTH: Final = 100
_REFUSED: Final = frozenset(
    (
        "image", "script", "foreignobject", "handler", "listener", "audio", "video", "animation", "set", "filter",
        "mask", "pattern", "marker", "iframe", "embed", "object", "discard",
    )
)  # fmt: skip
"""What could load files, run, move, or take a time without end to draw."""
_OUTSIDE: Final = re.compile(r"url\(\s*['\"]?\s*(?!#)[^)\s]|@import|expression\(", re.IGNORECASE)


def format_of_picture(content: bytes) -> str:
    """Which of the formats it is by its first bytes; raises `GpvizError` if it is none of them."""
    if content.startswith(_PNG):
        return "png"
    if content.startswith(_JPEG):
        return "jpeg"
    head = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith(b"<") and b"<svg" in content[:20_000].lower():
        return "svg"
    raise GpvizError("it is not a PNG, JPEG or SVG picture.")


def check_picture(name: str, content: bytes) -> None:
    """Refuse, with a sentence, what is no picture of this format, too large, or could do harm."""
    if len(content) > MAX_PICTURE_BYTES:
        raise GpvizError(
            f"the picture has {len(content):,} bytes; at most {MAX_PICTURE_BYTES:,} are allowed."
        )
    found = format_of_picture(content)
    if found != name:
        raise GpvizError(f"the picture is said to be {name.upper()}, but is {found.upper()}.")
    if name == "svg":
        _check_svg(content)
        return
    width, height = _png_size(content) if name == "png" else _jpeg_size(content)
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and width * height <= MAX_PIXELS):
        raise GpvizError(
            f"the picture has {width:,} × {height:,} pixels; at most {MAX_SIDE:,} a side "
            f"and {MAX_PIXELS:,} in all are allowed."
        )


def _png_size(content: bytes) -> tuple[int, int]:
    if len(content) < 33 or content[12:16] != b"IHDR":
        raise GpvizError("the picture is a PNG without a header.")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def _jpeg_size(content: bytes) -> tuple[int, int]:
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF:  # a filling byte
            place += 1
        elif marker in _ALONE:
            place += 2
        elif marker in _FRAMES:
            height, width = struct.unpack(">HH", content[place + 5 : place + 9])
            return width, height
        else:
            (length,) = struct.unpack(">H", content[place + 2 : place + 4])
            place += 2 + max(length, 2)
    raise GpvizError("the picture is a JPEG without a size.")


def _check_svg(content: bytes) -> None:
    """Refuse an SVG that refers to anything outside it, or that takes very long to draw."""
    _SvgReader().read(content)


class _SvgReader:
    """Reads an SVG once, and counts what is drawn, also by reference."""

    def __init__(self) -> None:
        self._count = 0
        self._path: list[str] = []
        """The identities of the elements that are open; empty for those without."""
        self._own: Counter[str] = Counter()
        self._uses: dict[str, Counter[str]] = {}
        """By identity, how many elements are within, and what they refer to how often; under "" all of it."""
        self._styles = 0
        """How many of the open elements are style sheets."""

    def read(self, content: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = (
            True  # or the text of a style sheet would come in pieces, with its words torn apart
        )
        parser.buffer_size = MAX_PICTURE_BYTES
        parser.ProcessingInstructionHandler = self._on_instruction
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CharacterDataHandler = self._on_text
        parser.StartDoctypeDeclHandler = self._on_doctype
        parser.EntityDeclHandler = self._on_doctype
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            place = f"line {error.lineno}, column {error.offset + 1}"
            raise GpvizError(f"the picture is no SVG; {expat.ErrorString(error.code)} at {place}.") from error
        self._check_drawn()

    def _on_doctype(self, *_parts: object) -> None:
        """A declaration with entities of its own can hold a text without end; one without says nothing."""
        if len(_parts) != 4 or _parts[3]:
            raise GpvizError("the picture is an SVG with entities of its own, which are not allowed.")

    def _on_instruction(self, target: str, _data: str) -> None:
        """One for a style sheet would have a file read, whichever it names; others say nothing."""
        if target.lower() == "xml-stylesheet":
            raise GpvizError("the picture is an SVG that refers to a style sheet outside it.")

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        plain = name.rpartition(":")[2].lower()
        if not self._path and plain != "svg":
            raise GpvizError(f"the picture is no SVG; it begins with <{name[:40]}>.")
        if plain in _REFUSED or plain.startswith(("fe", "animate")):
            raise GpvizError(f"the picture is an SVG with <{name[:40]}>, which is not allowed.")
        self._styles += plain == "style"
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise GpvizError(f"the picture is an SVG with more than {_MOST_ELEMENTS:,} elements.")
        if len(self._path) >= _MOST_DEPTH:
            raise GpvizError("the picture is an SVG that is nested too deeply.")
        self._path.append(attributes.get("id") or attributes.get("xml:id", ""))
        self._add_drawn(1 + sum(map(len, attributes.values())) // _CHARACTERS_OF_ELEMENT)
        for key, value in attributes.items():
            if len(value) > _LONGEST_VALUE:
                raise GpvizError(
                    f"the picture is an SVG with a {key[:40]!r} of {len(value):,} characters; "
                    f"at most {_LONGEST_VALUE:,} are allowed."
                )
            self._check_attribute(plain, key.rpartition(":")[2].lower(), value)

    def _add_drawn(self, count: int) -> None:
        for each in {*self._path, ""}:
            self._own[each] += count

    def _check_attribute(self, element: str, key: str, value: str) -> None:
        if key == "href":
            target = value.strip()
            if element == "a":
                return
            if not target.startswith("#"):
                raise GpvizError(
                    f"the picture is an SVG that refers to {target[:40]!r}, which is outside it."
                )
            if element == "use":
                for each in {*self._path, ""}:
                    self._uses.setdefault(each, Counter())[target[1:]] += 1
        elif key.startswith("on"):
            raise GpvizError(f"the picture is an SVG with {key[:40]!r}, which is not allowed.")
        elif _OUTSIDE.search(value):
            raise GpvizError("the picture is an SVG that refers to something outside it.")

    def _on_text(self, text: str) -> None:
        self._add_drawn(len(text) // _CHARACTERS_OF_ELEMENT)
        if self._styles and _OUTSIDE.search(text):
            raise GpvizError("the picture is an SVG that refers to something outside it.")

    def _on_end(self, name: str) -> None:
        self._styles -= name.rpartition(":")[2].lower() == "style"
        self._path.pop()

    def _check_drawn(self) -> None:
        """What refers to what refers to something is drawn that often; a circle has no end."""
        known: dict[str, int] = {}

        def drawn(name: str, above: tuple[str, ...]) -> int:
            if name in above or len(above) > _MOST_DEPTH:
                raise GpvizError("the picture is an SVG that refers to itself.")
            if name not in known:
                uses: Counter[str] = self._uses.get(name, Counter())
                known[name] = self._own[name] + sum(
                    count * drawn(other, (*above, name)) for other, count in uses.items()
                )
            return known[name]

        if drawn("", ()) > _MOST_DRAWN:
            raise GpvizError(f"the picture is an SVG that draws more than {_MOST_DRAWN:,} elements.")
