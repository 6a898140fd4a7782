"""Paints pictures, and reads them back: the pixels of an image, and the text of an SVG or a PDF."""

import re
import shutil
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtGui import QColor, QImage

from gpviz.app.export.pictures import picture_of
from gpviz.export.request import Subject, loaded
from gpviz.runs.history import History
from tests.export.requests import request_of


def painted(kind: str, history: History, **fields: Any) -> QImage:
    """The picture of a run in memory."""
    return picture_of(request_of(kind, "picture.png", history, **fields), Subject(history=history))


def shown(kind: str, history: History, **fields: Any) -> AbstractContextManager[Any]:
    """The widget of a picture."""
    known = {
        name: fields.pop(name) for name in ("generalisation", "outlook", "stuck_since") if name in fields
    }
    request = request_of(kind, "picture.png", history, **fields)
    widget: AbstractContextManager[Any] = loaded(request.kind.picture)(
        request, Subject(history=history, **known)
    )
    return widget


def pixels_of(image: QImage) -> npt.NDArray[np.int16]:
    """Red, green and blue."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1, 4)
    return flat[:, : image.width(), 2::-1].astype(np.int16)


def rgb_of(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour by its name."""
    parsed = QColor(colour)
    return parsed.red(), parsed.green(), parsed.blue()


def difference(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    """How far two pictures are apart, on average over all pixels; 255 is black and white."""
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())


def svg_texts(path: Path) -> list[str]:
    """The texts of an SVG, one for each element; fails if it has pixels."""
    root = ElementTree.fromstring(path.read_bytes())
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert "image" not in names
    return [
        "".join(element.itertext()).strip()
        for element in root.iter()
        if element.tag.rpartition("}")[2] == "text"
    ]


def pdf_text(path: Path) -> str:
    """All text of a PDF; needs a program that many machines have."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("there is no pdftotext here")
    done = subprocess.run([program, "-layout", path, "-"], capture_output=True, check=True)
    return done.stdout.decode()


def pdf_page_size(path: Path) -> tuple[float, float]:
    """Width and height of the first page, in points."""
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    assert found is not None
    return float(found[1]), float(found[2])
