"""The pictures that notebooks show of trees, steps, runs and what else the engine makes: `_repr_svg_` of each.

`gpviz.notebook` draws them, with the layout and the words of rooms above this one. It is loaded by its name when a
picture is wanted, so that the engine needs no more than itself for everything else; no import in the sense of the
contracts (pyproject.toml) leads up from here.
"""

from importlib import import_module
from typing import Protocol


class _Painter(Protocol):
    def svg(self, value: object) -> str: ...


def svg_of(value: object) -> str:
    """The picture of a value as the text of an SVG."""
    painter: _Painter = import_module("gpviz.notebook")
    return painter.svg(value)
