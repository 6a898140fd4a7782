"""The pictures that notebooks show of trees, steps, runs and results: what their `_repr_svg_` returns.

`gpviz.notebook` draws them, with layouts and texts from packages that build on the engine. It is therefore loaded
by its name, and only when a picture is wanted: the engine imports nothing that builds on it (the contracts in
pyproject.toml check that).
"""

from importlib import import_module
from typing import Protocol


class _Painter(Protocol):
    def svg(self, value: object) -> str: ...


def svg_of(value: object) -> str:
    """The picture of a value, as SVG."""
    painter: _Painter = import_module("gpviz.notebook")
    return painter.svg(value)
