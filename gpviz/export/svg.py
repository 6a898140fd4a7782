"""Writes the tree of an iteration as an SVG drawing."""

from typing import Final

from gpviz import assets
from gpviz.explain.tree_text import function_text
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.export.tree_picture import printed_area, tree_picture
from gpviz.files.file_io import write_file
from gpviz.picture.drawing import items_of
from gpviz.picture.svg import svg_of

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>'


def write_svg(request: ExportRequest, subject: Subject, _on_progress: OnProgress | None = None) -> None:
    """Write the drawing; an existing file is replaced once the new one is complete."""
    picture = tree_picture(request, subject)
    left, top, right, bottom = area = printed_area(request, picture)
    said = [] if picture.banner is None else [picture.banner.sentence]
    text = svg_of(
        items_of(picture),
        right - left,
        bottom - top,
        assets.theme_data(request.theme)["colours"],
        title=f"The tree after iteration {request.at:,}",
        description=" ".join([*said, f"It computes {function_text(subject.history.tree_at(request.at))}."]),
        cut=area,
    )
    write_file(request.path, f"{_HEAD}\n{text}".encode())
