"""Writers that write nothing but note what they were asked for, in the place of the true ones."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from gpviz.export.registry import KINDS
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.runs.replay import Cancelled

_PAINTER = "gpviz.app.export.pictures:picture_of"


class Call(NamedTuple):
    """What a writer was asked for."""

    writer: str
    request: ExportRequest
    subject: Subject


class Calls:
    """What the writers were asked for, one after the other.

    ``during`` is called while each writes; ``failure`` is raised by each.
    """

    def __init__(self) -> None:
        self.made: list[Call] = []
        self.failure: BaseException | None = None
        self.content = b"content"
        self.picture: Any = None
        self.during: Callable[[], object] = lambda: None

    def writer(self, name: str) -> Any:
        def write(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
            self.made.append(Call(name, request, subject))
            self.during()
            if on_progress is not None and on_progress(1, 2):
                raise Cancelled("It was cancelled.")
            if self.failure is not None:
                raise self.failure
            request.path.write_bytes(self.content)

        return write

    def painter(self, name: str) -> Any:
        def paint(request: ExportRequest, subject: Subject) -> Any:
            self.made.append(Call(name, request, subject))
            if self.failure is not None:
                raise self.failure
            return self.picture

        return paint

    @property
    def only(self) -> Call:
        (call,) = self.made
        return call


def fake_writers(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Put them in place for the length of a test."""
    calls = Calls()
    writers = {form.writer: calls.writer for kind in KINDS for form in kind.formats}
    modules: dict[str, ModuleType] = {}
    for reference, make in {**writers, _PAINTER: calls.painter}.items():
        place, _, name = reference.partition(":")
        module = modules.setdefault(place, ModuleType(place))
        module.__dict__[name] = make(name)
        monkeypatch.setitem(sys.modules, place, module)
    return calls
