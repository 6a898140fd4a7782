"""Writes a run as a web page: one file that replays it in any browser, with no network and nothing installed.

Python makes the picture and the words of every iteration; the page's script draws items, moves from one list of
items to the next, and has the player. All that it is told is one compressed text of JSON.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from math import ceil, log2
from string import Template
from typing import Any, Final

import numpy as np

from gpviz import assets
from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import TreeState
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import State
from gpviz.engine.errors import GpvizError
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.tree import Node
from gpviz.escaping import html_text, label_text
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.step_text import tell
from gpviz.export.packed_items import PackedItems
from gpviz.export.request import ExportRequest, OnProgress, Subject, iterations_of
from gpviz.export.tree_analyses import TreeAnalyses
from gpviz.files.file_io import write_file
from gpviz.number_text import counted, power_text
from gpviz.picture.colours import colour_of
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import DASH, LEAST_LABEL, TEXT_MIDDLE
from gpviz.picture.motion import (
    ENTER,
    FALL,
    FLASH,
    LEAVE,
    MOVE,
    SHAKE,
    SHORTEST_MS,
    SWAY,
    SWINGS,
    SWITCH_AT,
    WEIGHTS,
)
from gpviz.picture.options import Options
from gpviz.runs.replay import Cancelled
from gpviz.runs.settings_text import settings_text
from gpviz.runs.step_encoding import Property

_SCRIPTS: Final = ("run.js", "motion.js", "picture.js", "strip.js", "page.js")
"""In this order they become one script; each builds on those before it."""
_FONTS: Final = (
    ("Inter", "400", "Inter-Regular.ttf"),
    ("Inter", "700", "Inter-Bold.ttf"),
    ("STIX Two Math", "400", "STIXTwoMath-Regular.ttf"),
)
"""The families, weights and files of what pictures are written in, all of them on the page."""
_OPTIONS: Final = Options(width=1300, height=500, text_scale=1.2)
_PATIENCE_S: Final = 10.0
"""For finding out what becomes of all the trees together."""
_MOST_PARTS: Final = 1_000_000
"""More different items than that would make a page of dozens of megabytes."""
_PROGRESS_EVERY: Final = 16
_LONGEST_FORMULA: Final = 40
_MOST_POWERS_OF_TWO: Final = 12
_MOST_TICKS: Final = 3


def write_page(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the iterations of a range; an existing file is replaced once the new one is complete."""
    write_file(request.path, page_text(request, subject, on_progress).encode())


def page_text(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> str:
    """The page of a range of iterations."""
    history = subject.history
    page = _Page(request, subject)
    page.add_all(on_progress)
    style = f"{_colour_rules(page.colours)}\n{assets.text('web', 'page.css')}"
    script = "\n".join(assets.text("web", name) for name in _SCRIPTS)
    script = f'(() => {{\n"use strict";\n{script}\n}})();'
    title, subtitle = _titles(request.title, history.config_after(request.first), history.script_end)
    return Template(assets.text("web", "page.html")).substitute(
        policy=_policy(style, script),
        title=html_text(title),
        subtitle=html_text(subtitle),
        style=style,
        fonts="\n".join(_font(*font) for font in _FONTS),
        data=_compressed(json.dumps(page.data(), separators=(",", ":"), allow_nan=False).encode()),
        script=script,
    )


class _Page:
    """What the page is told: of each iteration its picture, its words, and its place on the curve."""

    def __init__(self, request: ExportRequest, subject: Subject) -> None:
        self._subject = subject
        self._history = subject.history
        self._iterations = iterations_of(request, subject.history)
        self._items = PackedItems()
        self._words: list[int] = []
        self._names: list[int] = []
        self._weights: list[float] = []
        self._on_progress: OnProgress | None = None
        self._analyses = TreeAnalyses(_PATIENCE_S, self._report)

    @property
    def colours(self) -> set[str]:
        """The names of all colours in the pictures."""
        return self._items.colours

    def add_all(self, on_progress: OnProgress | None) -> None:
        """Make the picture and the words of every iteration."""
        self._on_progress = on_progress
        for number, iteration in enumerate(self._iterations):
            if number % _PROGRESS_EVERY == 0:
                self._report()
            self._add(iteration)
            if self._items.parts > _MOST_PARTS:
                raise GpvizError(
                    f"The pictures of the first {number + 1:,} of these {len(self._iterations):,} iterations have"
                    f" {self._items.parts:,} different parts, too many for a web page; choose a shorter range or"
                    " fewer of its steps."
                )
        self._report()

    def _report(self) -> None:
        done, total = len(self._words), len(self._iterations)
        if self._on_progress is not None and self._on_progress(done, total):
            raise Cancelled(f"The web page was cancelled after {done:,} of {total:,} iterations.")

    def _add(self, iteration: int) -> None:
        moment = moment_at(self._history, iteration)
        picture = picture_of(moment, _OPTIONS, self._analysis_of(moment))
        self._items.add(items_of(picture))
        self._weights.append(round(1.0 if moment.step is None else WEIGHTS[moment.step.verdict], 3))
        texts = self._items.texts
        self._words.append(texts.number(tell(self._history, iteration)))
        self._names.append(texts.number(_name_of(moment.tree)))

    def _analysis_of(self, moment: Moment) -> Analysis | None:
        """What is known of a tree; a stuck one is known as such even where there is no time for the reasons."""
        if self._subject.has_analysis_at(moment.iteration):
            return self._subject.analysis
        found = self._analyses.of(moment.tree, moment.rules)
        is_known = found is not None and found.state.state is not State.UNDECIDED
        if is_known or not any(start <= moment.iteration < end for start, end in self._stuck):
            return found
        error = self._history.error_at(moment.iteration)
        return Analysis(moment.tree, moment.rules, TreeState(State.STUCK, error))

    @property
    def _stuck(self) -> list[tuple[int, int]]:
        """From which iteration on the tree is stuck, and before which, should it improve all the same."""
        since, end = self._subject.stuck_since, len(self._history) + 1
        if since is None:
            return []
        return [
            (since, (self._history.next_where(Property.IMPROVED, since) if since < end - 1 else None) or end)
        ]

    def data(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        history, iterations = self._history, self._iterations
        first, last = iterations[0], iterations[-1]
        levels = [_level(history.error_at(iteration)) for iteration in iterations]
        top = max((level for level in levels if level is not None), default=0.0) or 1.0
        return {
            **self._items.data(),
            "size": [_OPTIONS.width, _OPTIONS.height],
            "dash": DASH,
            "leastLabel": LEAST_LABEL,
            "motion": _motion(),
            "length": len(history),
            "times": [first, *np.diff(iterations).tolist()],
            "weights": self._weights,
            "words": self._words,
            "names": self._names,
            "verdicts": [history.step_at(each).verdict.value if each else "" for each in iterations],
            "levels": levels,
            "topLevel": top,
            "errorTicks": _error_ticks(top),
            "timeTicks": _time_ticks(first, last),
            "bookmarks": [
                [mark.iteration, label_text(mark.note)]
                for mark in sorted(self._subject.bookmarks, key=lambda mark: mark.iteration)
                if mark.iteration in iterations
            ],
            "stuck": [(max(start, first), min(end, last)) for start, end in self._stuck if start <= last],
        }


def _motion() -> dict[str, Any]:
    """How pictures move, by the names that the script has for it."""
    parts = {"move": MOVE, "leave": LEAVE, "enter": ENTER, "shake": SHAKE, "flash": FLASH}
    return {
        **{name: (part.start, part.length, part.ease.__name__.lstrip("_")) for name, part in parts.items()},
        "shortest": SHORTEST_MS,
        "switchAt": SWITCH_AT,
        "fall": FALL,
        "sway": SWAY,
        "swings": SWINGS,
        "textMiddle": TEXT_MIDDLE,
    }


def _name_of(tree: Node | None) -> str:
    """What the picture is called for those who cannot see it."""
    if tree is None:
        return "The empty tree"
    size = f"A tree with {counted(tree.leaves, 'leaf')}"
    return f"{size}: {format_formula(tree, UNICODE)}" if tree.leaves <= _LONGEST_FORMULA else size


def _level(error: int | None) -> float | None:
    """Where an error is on the curve, by its logarithm."""
    return None if error is None else round(log2(error + 1), 3)


def _error_ticks(top: float) -> list[tuple[float, str]]:
    """Some errors with their levels: 2^k - 1 while they are few, as conjunctions are wrong on those, else 10^k."""
    if top <= _MOST_POWERS_OF_TWO + 0.5:
        step = ceil(top / _MOST_TICKS)
        return [(0.0, "0"), *((float(k), f"{2**k - 1:,}") for k in range(int(top), step - 1, -step))]
    digits = int(top / log2(10))
    step = ceil(digits / _MOST_TICKS)
    return [(0.0, "0"), *((k * log2(10), power_text(10, k)) for k in range(digits, step - 1, -step))]


def _time_ticks(first: int, last: int) -> list[tuple[int, str]]:
    """The first iteration, the last one, and round ones between them."""
    step = next(
        step for k in range(9) for step in (10**k, 2 * 10**k, 5 * 10**k) if step >= (last - first) / 12
    )
    between = range((first // step + 1) * step, last, step)
    return [
        (each, f"{each:,}") for each in (first, *(each for each in between if last - each > step / 2), last)
    ]


def _font(family: str, weight: str, name: str) -> str:
    """The element with a font."""
    data = _compressed((assets.folder("fonts") / name).read_bytes())
    return f'<script type="text/plain" data-family="{family}" data-weight="{weight}">{data}</script>'


def _compressed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


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


def _colour_rules(names: Sequence[str] | set[str]) -> str:
    """The colours of the light and the dark theme, each for those whose system or whose choice is that."""
    light, dark = (f"{colour_variables(theme)} {_mixed(theme, names)}" for theme in ("light", "dark"))
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


def _mixed(theme: str, names: Sequence[str] | set[str]) -> str:
    """The same of colours such as ``improved/20``, which pictures use besides."""
    colours = assets.theme_data(theme)["colours"]
    return " ".join(
        f"--{name.replace('_', '-').replace('/', '-')}: {colour_of(name, colours)};"
        for name in sorted(names)
        if "/" in name
    )


def _titles(title: str, config: RunConfig, scripted: int) -> tuple[str, str]:
    """The title and what stands beside it: the settings of the run, if they are not its title."""
    script = f"a script of {counted(scripted, 'mutation')} first" if scripted else ""
    settings = settings_text(config)
    title = label_text(title).strip()
    beside = [settings, script] if title else [script]
    return title or settings, " · ".join(filter(None, beside))
