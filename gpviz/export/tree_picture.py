"""The picture of the tree that a request asks for, and what of it every medium prints."""

from typing import Final

from gpviz import assets
from gpviz.explain.moment import moment_at
from gpviz.export.request import ExportRequest, Subject
from gpviz.picture.compose import picture_of
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture

_BORDER: Final = 3.0
"""In pixels: what the lines of the outermost nodes of a bare tree need."""


def tree_picture(request: ExportRequest, subject: Subject) -> Picture:
    """The tree of an iteration with its step, and what is known of it; a bare one is nothing but the tree."""
    analysis = None if request.is_bare else subject.analysis_at(request.at)
    return picture_of(moment_at(subject.history, request.at), options_of(request), analysis)


def options_of(request: ExportRequest) -> Options:
    """How large pictures are, and what is to be seen on them."""
    theme = assets.theme_data(request.theme)
    is_whole = not request.is_bare
    return Options(
        width=request.width,
        height=request.height,
        text_scale=theme.get("type_scale", 1.0),
        line_scale=theme.get("line_scale", 1.0),
        has_counter=is_whole,
        has_banner=is_whole,
        has_marks=is_whole,
        has_reasons=is_whole,
        has_redundant=is_whole,
        has_frame=is_whole,
    )


def printed_area(request: ExportRequest, picture: Picture) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is printed: all of a picture, but a bare tree is cropped."""
    if not request.is_bare or not picture.nodes:
        return 0.0, 0.0, picture.width, picture.height
    left, top, right, bottom = picture.tree_bounds
    return left - _BORDER, top - _BORDER, right + _BORDER, bottom + _BORDER
