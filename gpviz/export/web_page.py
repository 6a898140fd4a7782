"""Writes a run as a web page: one file that replays it in any browser, with no network and nothing installed.

The page is told the log of the run as columns of numbers, and all that they start from; it makes the trees, the
sentences and the pictures itself. A column is a text of base64 with the number of bytes of each entry, lowest byte
first. Errors are numbered as they first appear, 0 standing for none; those that a number of JavaScript cannot hold
exactly are written as texts.
"""

import base64
import hashlib
import json
from string import Template
from typing import Any, Final

import numpy as np

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.errors import GpvizError
from gpviz.engine.tree import Leaf, Node, nodes_of
from gpviz.escaping import html_text, label_text
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.files.file_io import write_file
from gpviz.number_text import counted
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.settings_text import settings_text
from gpviz.runs.step_encoding import Property

_SCRIPTS: Final = (
    "tree.js",
    "functions.js",
    "layout.js",
    "run.js",
    "words.js",
    "state.js",
    "faces.js",
    "step_picture.js",
    "marks.js",
    "picture.js",
    "curve.js",
    "timeline.js",
    "player.js",
    "page.js",
)
"""In this order they become one script; each builds on those before it."""
_LARGEST_EXACT: Final = 2**53
_PROGRESS_ITERATIONS: Final = 2048
_AND: Final = -1
_OR: Final = -2
"""What stands for a function where a leaf has its variable."""


def write_page(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the iterations of a range; an existing file is replaced once the new one is complete."""
    write_file(request.path, page_text(request, subject, on_progress).encode())


def page_text(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> str:
    """The page of a range of iterations."""
    history = subject.history
    data = _page_data(request, subject, on_progress)
    style = f"{_colour_rules()}\n{_text('page.css')}"
    script = "\n".join(_text(name) for name in _SCRIPTS)
    script = f'(() => {{\n"use strict";\n{script}\n}})();'
    return Template(_text("page.html")).substitute(
        policy=_policy(style, script),
        title=html_text(_title(request.title, history.config_after(request.first))),
        settings=html_text(_settings_line(history.config_after(request.first), history.script_end)),
        style=style,
        data=_json(data),
        script=script,
    )


def _page_data(request: ExportRequest, subject: Subject, on_progress: OnProgress | None) -> dict[str, Any]:
    """The iterations of a range, ready for JSON."""
    history, first, last = subject.history, request.first, request.last
    base = max(first - 1, 0)  # the tree that the first iteration on show worked on
    columns = _columns(history, base, last, on_progress)
    start_error = history.start_error
    return {
        "first": first,
        "last": last,
        "base": base,
        "iterations": len(history),
        "firstUid": history.first_uid,
        "tree": _flat(history.tree_at(base)),
        "startError": None if start_error is None else _exact(start_error),
        "configs": [[since, _settings(config)] for since, config in _configs_between(history, base, last)],
        **columns,
        "bookmarks": [
            [mark.iteration, label_text(mark.note)]
            for mark in sorted(subject.bookmarks, key=lambda mark: mark.iteration)
            if first <= mark.iteration <= last
        ],
        "stuck": _stuck_between(history, subject.stuck_since),
    }


def _stuck_between(history: History, since: int | None) -> tuple[int, int | None] | None:
    """From which iteration on the tree is stuck, and before which, should it become a better one all the same."""
    if since is None:
        return None
    return since, history.next_where(Property.IMPROVED, since) if since < len(history) else None


def _columns(history: History, base: int, last: int, on_progress: OnProgress | None) -> dict[str, Any]:
    total = last - base
    codes = history.codes(base + 1, last + 1)
    nodes, variables = np.zeros(total, np.int64), np.zeros(total, np.int64)
    offspring_errors, parent_errors = np.zeros(total, np.int64), np.zeros(total, np.int64)
    numbers: dict[int | None, int] = {None: 0}
    for row in range(total):
        if row % _PROGRESS_ITERATIONS == 0 and on_progress is not None and on_progress(row, total):
            raise Cancelled(f"The web page was cancelled after {row:,} of {total:,} iterations.")
        step = history.step_at(base + 1 + row)
        nodes[row] = step.node - 1  # the page finds nodes by how many come before them
        variables[row] = step.variable
        parent_errors[row] = numbers.setdefault(step.parent_error, len(numbers))
        offspring_errors[row] = numbers.setdefault(step.offspring_error, len(numbers))
    if on_progress is not None and on_progress(total, total):
        raise Cancelled("The web page was cancelled before it was written.")
    return {
        "codes": _column(codes.astype(np.int64)),
        "nodes": _column(nodes),
        "variables": _column(variables),
        "parentErrors": _column(parent_errors),
        "offspringErrors": _column(offspring_errors),
        "errors": [None if error is None else _exact(error) for error in numbers],
    }


def _column(values: "np.ndarray[Any, np.dtype[np.int64]]") -> list[Any]:
    """The bytes of an entry, as few as will do, and all entries."""
    largest = int(values.max()) if len(values) else 0
    width = 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4
    return [width, base64.b64encode(values.astype(f"<u{width}").tobytes()).decode("ascii")]


def _exact(error: int) -> int | str:
    return error if error <= _LARGEST_EXACT else str(error)


def _flat(tree: Node | None) -> list[list[int]]:
    """The nodes as pairs of uid and label, each before its children."""
    return [
        [node.uid, node.variable]
        if isinstance(node, Leaf)
        else [node.uid, _AND if node.function is Function.AND else _OR]
        for node in nodes_of(tree)
    ]


def _configs_between(history: History, base: int, last: int) -> list[tuple[int, RunConfig]]:
    """From which iteration on which configuration holds; one that never does on the page is left out.

    The one after the last iteration counts too: what is said of its tree, its error and its limit, goes by that.
    """
    configs = history.configs
    later = [entry for entry in configs if base < entry[0] <= last + 1]
    return [(base, history.config_at(base)), *later]


def _settings(config: RunConfig) -> dict[str, int | str | None]:
    return {
        "n": config.n,
        "maxLeaves": config.max_leaves,
        "rows": config.rows,
        "acceptError": _exact(config.accept_error),
    }


def _text(name: str) -> str:
    try:
        return (assets.folder("web") / name).read_text(encoding="utf-8")
    except OSError as error:
        raise GpvizError(
            f"The file 'web/{name}' that belongs to gpviz is missing; please install gpviz again."
        ) from error


def _json(data: dict[str, Any]) -> str:
    """The data as JSON in which nothing can end the element around it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _policy(style: str, script: str) -> str:
    """What the page may do: run this script and use this style, and load nothing."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{content_hash(script)}'",
            f"style-src '{content_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def content_hash(text: str) -> str:
    """What a content security policy names a script or a style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def _colour_rules() -> str:
    """The colours of the light and the dark theme, each for those whose system or whose choice is that."""
    light, dark = colour_variables("light"), colour_variables("dark")
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme='light'] {{ color-scheme: light; {light} }}\n"
        f":root[data-theme='dark'] {{ color-scheme: dark; {dark} }}"
    )


def colour_variables(theme: str) -> str:
    """The colours of a theme as variables of a style sheet."""
    data = assets.theme_data(theme)
    return " ".join(f"--{name.replace('_', '-')}: {colour};" for name, colour in data["colours"].items())


def _title(title: str, config: RunConfig) -> str:
    return label_text(title).strip() or settings_text(config)


def _settings_line(config: RunConfig, scripted: int) -> str:
    """The settings of the run on one line, whose first ``scripted`` iterations carry out a script."""
    script = f" · a script of {counted(scripted, 'mutation')} first" if scripted else ""
    return f"{settings_text(config)}{script}"
