"""Requests for exports in short: of the whole run and its last iteration, unless a test says otherwise."""

from pathlib import Path
from typing import Any

from gpviz.export.registry import kind_named, write
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.runs.history import History

_OF_SUBJECT = ("analysis", "bookmarks", "generalisation", "outlook", "stuck_since")


def request_of(kind: str, path: str | Path, history: History | int, **fields: Any) -> ExportRequest:
    """A request to a run, or to one of this length."""
    length = history if isinstance(history, int) else len(history)
    ends = {"at": length, "first": 0, "last": length}
    return ExportRequest(kind=kind_named(kind), path=Path(path), **{**ends, **fields})


def export(
    kind: str, path: Path, history: History, *, on_progress: OnProgress | None = None, **fields: Any
) -> None:
    """Write it; the fields are those of the request, or of the subject."""
    known = {name: fields.pop(name) for name in _OF_SUBJECT if name in fields}
    write(request_of(kind, path, history, **fields), Subject(history=history, **known), on_progress)
