"""Writers that write nothing but note what they were asked for, in the place of the true ones."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gpviz.run.replay import Cancelled

__all__ = ["Calls", "fake_writers"]

_NAMES = {
    "write_tikz": "gpviz.export.tikz",
    "write_slides": "gpviz.export.slides",
    "write_log": "gpviz.export.log",
    "write_curve_table": "gpviz.export.curve_table",
    "write_page": "gpviz.export.web_page",
    "write_tree_picture": "gpviz.app.export.pictures",
    "write_curves_picture": "gpviz.app.export.pictures",
    "write_table_picture": "gpviz.app.export.pictures",
    "write_film": "gpviz.app.export.film",
}


class Calls:
    """What the writers were asked for, one after the other.

    ``during`` is called while each writes; ``failure`` is raised by each.
    """

    def __init__(self) -> None:
        self.made: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.failure: BaseException | None = None
        self.content = b"content"
        self.picture: Any = None
        self.during: Callable[[], object] = lambda: None

    def writer(self, name: str) -> Any:
        def write(path: Path, *arguments: Any, **named: Any) -> None:
            self.made.append((name, (path, *arguments), named))
            self.during()
            on_progress = named.get("on_progress")
            if on_progress is not None and on_progress(1, 2):
                raise Cancelled("It was cancelled.")
            if self.failure is not None:
                raise self.failure
            path.write_bytes(self.content)

        return write

    def painter(self, name: str) -> Any:
        def paint(*arguments: Any, **named: Any) -> Any:
            self.made.append((name, arguments, named))
            if self.failure is not None:
                raise self.failure
            return self.picture

        return paint

    @property
    def only(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        (call,) = self.made
        return call


def fake_writers(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Put them in place for the length of a test."""
    calls = Calls()
    modules = {place: ModuleType(place) for place in _NAMES.values()}
    for name, place in _NAMES.items():
        module = modules[place]
        module.__dict__[name] = calls.writer(name)
        painter = name.removeprefix("write_").removesuffix("_picture") + "_image"
        module.__dict__[painter] = calls.painter(painter)
        monkeypatch.setitem(sys.modules, place, module)
    return calls
