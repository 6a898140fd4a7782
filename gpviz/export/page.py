"""Writes a run as a web page: one file that replays it in any browser, with no network and nothing installed."""

import base64
import hashlib
import json
import os
import tomllib
from collections.abc import Sequence
from html import escape
from string import Template
from typing import Any, Final

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.errors import GpvizError
from gpviz.explain.step_text import number_text, rows_text
from gpviz.export.page_data import page_data, without_direction_marks
from gpviz.export.request import OnProgress
from gpviz.run.bookmarks import Bookmark
from gpviz.run.file_io import write_file
from gpviz.run.history import History

__all__ = ["write_page"]

_SCRIPTS: Final = (
    "tree.js",
    "functions.js",
    "layout.js",
    "run.js",
    "words.js",
    "state.js",
    "faces.js",
    "marks.js",
    "picture.js",
    "curve.js",
    "timeline.js",
    "player.js",
    "page.js",
)
"""In this order they become one script; each builds on those before it."""


def write_page(
    path: str | os.PathLike[str],
    history: History,
    first: int,
    last: int,
    *,
    title: str = "",
    bookmarks: Sequence[Bookmark] = (),
    stuck_since: int | None = None,
    on_progress: OnProgress | None = None,
) -> None:
    """Write the iterations from ``first`` to ``last``; an existing file is replaced once the new one is complete.

    ``stuck_since`` is the iteration since which the tree is proven to be stuck, if it is.

    Raises `GpvizError` for iterations that are not there or are too many, and `Cancelled`.
    """
    data = page_data(
        history, first, last, bookmarks=bookmarks, stuck_since=stuck_since, on_progress=on_progress
    )
    style = f"{_colour_rules()}\n{_text('page.css')}"
    script = "\n".join(_text(name) for name in _SCRIPTS)
    script = f'(() => {{\n"use strict";\n{script}\n}})();'
    page = Template(_text("page.html")).substitute(
        policy=_policy(style, script),
        title=escape(_title(title, history.config)),
        settings=escape(_settings_text(history.config_after(first))),
        style=style,
        data=_json(data),
        script=script,
    )
    # Half a surrogate pair, which a title may hold, becomes a reference that browsers show as unknown.
    write_file(path, page.encode("utf-8", "xmlcharrefreplace"))


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
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def _colour_rules() -> str:
    """The colours of the light and the dark theme, each for those whose system or whose choice is that."""
    light, dark = _colours("light"), _colours("dark")
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme='light'] {{ color-scheme: light; {light} }}\n"
        f":root[data-theme='dark'] {{ color-scheme: dark; {dark} }}"
    )


def _colours(theme: str) -> str:
    data = tomllib.loads((assets.folder("themes") / f"{theme}.toml").read_text(encoding="utf-8"))
    return " ".join(f"--{name.replace('_', '-')}: {colour};" for name, colour in data["colours"].items())


def _title(title: str, config: RunConfig) -> str:
    return without_direction_marks(title).strip() or f"RLS-GP on {config.n:,} variables"


def _settings_text(config: RunConfig) -> str:
    """The settings of the run on one line."""
    most = config.max_leaves
    limit = "no limit" if most is None else f"at most {most:,} {'leaf' if most == 1 else 'leaves'}"
    functions = "∧ and ∨" if Function.OR in config.functions else "∧ only"
    rows = (
        f"all {rows_text(config.n)} rows"
        if config.rows is None
        else f"{number_text(config.rows)} sampled rows"
    )
    return " · ".join(
        (
            f"n = {config.n:,}",
            limit,
            f"{config.deletion} deletion",
            functions,
            f"error on {rows}",
            f"seed {config.seed}",
        )
    )
