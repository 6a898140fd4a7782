"""Reads the settings that earlier versions kept in the INI format of Qt's QSettings.

Qt itself is not asked: it takes what stands behind ``@Variant`` for an object of any of its classes, and ends the
program where that is damaged. Texts and lists of texts are read; of what Qt packed into bytes, the places of
windows and the sizes of splitters become the numbers that they were. Everything else is left out and counted.
"""

import re
import struct
from collections.abc import Iterator
from typing import Final

_HEX: Final = re.compile("[0-9a-fA-F]{1,8}")
_OCTAL: Final = re.compile("[0-7]{1,7}")
_SIMPLE: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PERCENT: Final = re.compile("%(U[0-9a-fA-F]{4}|[0-9a-fA-F]{2})")
_BYTES: Final = re.compile(r"@ByteArray\((.*)\)", re.DOTALL)
_NOTHING: Final = ("@Invalid()", "@ByteArray()")

_GEOMETRY: Final = struct.Struct(">IHH 4i 4i i BB")
_GEOMETRY_MAGIC: Final = 0x01D9D0CB
_SPLITTER: Final = struct.Struct(">iiI")
_SPLITTER_MAGIC: Final = 0xFF
_MOST_PARTS: Final = 16


def read_ini(content: bytes) -> tuple[dict[str, str | list[str] | list[int]], int]:
    """The settings by their names, and how many could not be read."""
    found: dict[str, str | list[str] | list[int]] = {}
    unread = 0
    section = ""
    for line in content.decode("utf-8", "replace").splitlines():
        text = line.strip()
        if not text or text.startswith((";", "#")):
            continue
        if text.startswith("[") and text.endswith("]"):
            name = text[1:-1]
            section = "" if name == "General" else f"{_key(name)}/"
            continue
        key, sign, raw = text.partition("=")
        if not sign:
            unread += 1
            continue
        try:
            value = _value(raw.strip())
        except ValueError:
            unread += 1
            continue
        if value is not None:
            found[f"{section}{_key(key.strip())}"] = value
    return found, unread


def _key(text: str) -> str:
    return _PERCENT.sub(lambda match: chr(int(match[1].lstrip("U"), 16)), text.replace("\\", "/"))


def _value(raw: str) -> str | list[str] | list[int] | None:
    """A text or a list, None for nothing; raises `ValueError` for what is neither."""
    texts = [_joined(part) for part in _parts(raw)]
    if len(texts) > 1:
        return [_text(text) for text in texts]
    (text,) = texts
    if text in _NOTHING:
        return None
    packed = _BYTES.fullmatch(text)
    return _text(text) if packed is None else _numbers(packed[1].encode("latin-1"))


def _text(text: str) -> str:
    if text.startswith("@@"):
        return text[1:]
    if text.startswith("@"):
        raise ValueError("an object of Qt")
    return text


def _parts(raw: str) -> Iterator[str]:
    """The entries of a list, or the only text, without quotes and escapes."""
    part: list[str] = []
    is_quoted = False
    at = 0
    while at < len(raw):
        sign = raw[at]
        at += 1
        if sign == "\\":
            escaped, at = _escaped(raw, at)
            part.append(escaped)
        elif sign == '"':
            is_quoted = not is_quoted
        elif sign == "," and not is_quoted:
            yield "".join(part)
            part = []
            while at < len(raw) and raw[at] == " ":
                at += 1
        else:
            part.append(sign)
    yield "".join(part)


def _escaped(raw: str, at: int) -> tuple[str, int]:
    """What an escape that begins here stands for, and where it ends."""
    kind = raw[at : at + 1]
    number = _HEX.match(raw, at + 1) if kind == "x" else _OCTAL.match(raw, at)
    if number is None:
        return _SIMPLE.get(kind, kind), at + 1
    return chr(int(number[0], 16 if kind == "x" else 8) & 0xFFFF), number.end()


def _joined(text: str) -> str:
    """The text with the halves of its surrogate pairs put together."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _numbers(packed: bytes) -> list[int]:
    """The place of a window (left, top, width, height, is it maximised), or the sizes of a splitter."""
    if len(packed) >= _GEOMETRY.size:
        magic, _, _, *rects, _, is_maximised, _ = _GEOMETRY.unpack_from(packed)
        if magic == _GEOMETRY_MAGIC:
            left, top, right, bottom = rects[4:]
            return [left, top, right - left + 1, bottom - top + 1, int(is_maximised == 1)]
    if len(packed) >= _SPLITTER.size:
        magic, _, count = _SPLITTER.unpack_from(packed)
        if (
            magic == _SPLITTER_MAGIC
            and 0 < count <= _MOST_PARTS
            and len(packed) >= _SPLITTER.size + 4 * count
        ):
            return list(struct.unpack_from(f">{count}i", packed, _SPLITTER.size))
    raise ValueError("neither")
