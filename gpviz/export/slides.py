"""Some steps of a run as slides for Beamer: a title with the settings, then a frame for each step with its tree.

All trees are drawn on one scale with their roots at one place, so that nothing but the step moves from frame to
frame.
"""

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine import UNICODE, GpvizError, Node, Rules, RunConfig, State, TooComplexError
from gpviz.engine.config import is_usual
from gpviz.engine.settings import SETTINGS
from gpviz.escaping import latex_comment, latex_text
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.tree_text import caption_of, limit_text
from gpviz.export.latex_styles import (
    LIBRARIES,
    colours_and_styles,
    number,
    shortened,
)
from gpviz.export.request import ExportRequest, OnProgress, Subject, iterations_of
from gpviz.export.tikz import Bounds, Picture, banner_of, callout_lines, check_size, picture_of
from gpviz.files.file_io import write_file
from gpviz.number_text import counted, number_text, rows_text
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled

_MOST_NODES: Final = 200_000
"""In all frames together: TeX draws about a thousand in a second."""

_WIDTH_CM: Final = 15.0
_HEIGHT_CM: Final = 5.5
"""What a tree may take of a frame, which is 16 cm wide and 9 cm high."""

_WORDS: Final = 0.9
"""How large the words of a callout are, compared with those of a frame."""

_ABOVE_CM: Final = 1.0
"""The space above the trees for the callout of a step."""

_HEIGHT_BELOW_BANNER_CM: Final = 4.8
"""The same in slides some of which say what has become of the tree."""

_PATIENCE_SECONDS: Final = 10.0
"""For finding out what has become of the trees, in all frames together."""
_ASKED_SECONDS: Final = 0.5
"""How long a cancelled export may go on with that."""

_LARGEST: Final = 1.4
_CLOSEST: Final = (0.88, 0.94)
_WIDEST: Final = (1.5, 1.5)
"""How much closer together, and how much further apart, nodes may be across and down to use the space there is."""

_LONGEST_CAPTION: Final = 180
_LONGEST_TITLE: Final = 120
_LONGEST_SEED: Final = 40
_MOST_CHANGES: Final = 5


def write_slides(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the chosen iterations; an existing file is replaced once the new one is complete."""
    iterations = iterations_of(request, subject.history)
    text = slides_of(subject.history, iterations, title=request.title, on_progress=on_progress)
    write_file(request.path, text.encode())


def slides_of(
    history: History, iterations: Sequence[int], *, title: str = "", on_progress: OnProgress | None = None
) -> str:
    """The document with these iterations.

    Of each tree there is to see which leaves it could spare, and whether it is stuck or solved, as far as that can
    be found out in some seconds.
    """
    _check_nodes(history, iterations)
    progress = _FrameProgress(len(iterations), on_progress)
    analyses = _TreeAnalyses(progress)
    frames: list[tuple[Picture, Moment, _FrameTexts]] = []
    for iteration in iterations:
        moment = moment_at(history, iteration)
        analysis = analyses.of(moment.tree, moment.rules)
        frames.append((picture_of(moment, analysis), moment, _words(history, moment, analysis)))
        progress.finish_one()
    scale = _FrameScale(
        [picture for picture, _, _ in frames], has_banner=any(texts.state for *_, texts in frames)
    )
    shown = [
        _frame(picture, scale.callout(moment, picture), texts, scale) for picture, moment, texts in frames
    ]
    return "".join([_preamble(history, iterations, title, scale.scale), *shown, "\\end{document}\n"])


def _check_nodes(history: History, iterations: Sequence[int]) -> None:
    """Refuse what TeX cannot draw."""
    changes = history.changes()
    numbers = np.searchsorted(changes.iterations, np.array(iterations), side="right") - 1
    leaves = changes.leaves[numbers]
    check_size(int(leaves.max()))
    nodes = int((2 * leaves).sum())
    if nodes > _MOST_NODES:
        raise GpvizError(
            f"The trees of these {len(iterations):,} frames have about {nodes:,} nodes in all, but slides "
            f"hold at most {_MOST_NODES:,}; choose fewer iterations."
        )


class _FrameProgress:
    """Says how many frames are done, and hears whether they are still wanted."""

    def __init__(self, total: int, on_progress: OnProgress | None) -> None:
        self._total = total
        self._on_progress = on_progress
        self._done = 0
        self._asked_at = monotonic()

    def finish_one(self) -> None:
        """One more is done."""
        self._done += 1
        self._ask()

    def ask_sometimes(self) -> None:
        """The same while one takes long."""
        if monotonic() > self._asked_at + _ASKED_SECONDS:
            self._ask()

    def _ask(self) -> None:
        self._asked_at = monotonic()
        if self._on_progress is not None and self._on_progress(self._done, self._total):
            raise Cancelled(f"The export was cancelled after {self._done:,} of {self._total:,} frames.")


class _TreeAnalyses:
    """What is known of the trees, asked frame after frame; a tree is looked at once.

    Each may take half of the time that is left, so that one that is hard to tell leaves some for those after it.
    """

    def __init__(self, progress: _FrameProgress) -> None:
        self._progress = progress
        self._end = monotonic() + _PATIENCE_SECONDS
        self._key: tuple[Node | None, Rules] | None = None
        self._analysis: Analysis | None = None

    def of(self, tree: Node | None, rules: Rules) -> Analysis | None:
        """What there is to say of a tree; None where there is no time for it, or it is too tangled to count."""
        if self._key is None or self._key[0] is not tree or self._key[1] != rules:
            self._key = tree, rules
            self._analysis = self._found(tree, rules)
        return self._analysis

    def _found(self, tree: Node | None, rules: Rules) -> Analysis | None:
        now = monotonic()
        if now >= self._end:
            return None
        end = (now + self._end) / 2

        def should_stop() -> bool:
            self._progress.ask_sometimes()
            return monotonic() > end

        try:
            return analyse(tree, rules, should_stop)
        except TooComplexError:
            return None


class _FrameScale:
    """The rectangle that holds every tree with its root at one place, and the scale at which it fits a frame.

    Above the trees there is space for the callout of a step.
    """

    def __init__(self, pictures: Sequence[Picture], *, has_banner: bool) -> None:
        self.has_banner = has_banner
        self._left = min(picture.bounds.left for picture in pictures)
        self._right = max(picture.bounds.right for picture in pictures)
        top = min(picture.bounds.top for picture in pictures)
        self._bottom = max(picture.bounds.bottom for picture in pictures)
        width, height = self._right - self._left, self._bottom - top
        most = _HEIGHT_BELOW_BANNER_CM if has_banner else _HEIGHT_CM
        self.scale = min(_LARGEST, _WIDTH_CM / width / _CLOSEST[0], most / height / _CLOSEST[1])
        self._unit_x = min(_WIDTH_CM / width, self.scale * _WIDEST[0])
        self._unit_y = min(most / height, self.scale * _WIDEST[1])
        self._top = top - _ABOVE_CM / self._unit_y

    def callout(self, moment: Moment, picture: Picture) -> list[str]:
        """The commands for the callout of a step; it may be as wide as the frame."""
        middle, half = (self._left + self._right) / 2, _WIDTH_CM / self._unit_x / 2
        if moment.step is None:
            position = f"({number(middle)},{number(-self._top - _ABOVE_CM / self._unit_y / 2)})"
            return [rf"\node[text=gpvizText] at {position} {{The start}};"]
        bounds = Bounds(middle - half, self._top, middle + half, self._bottom)
        return callout_lines(
            moment, picture, bounds, (self._unit_x, self._unit_y), _WORDS, self.scale, _WIDTH_CM
        )

    @property
    def options(self) -> str:
        """How large the units of the layout are."""
        return f"x={number(self._unit_x)}cm, y={number(self._unit_y)}cm"

    @property
    def bounds(self) -> str:
        """The command that makes every picture as large as the largest."""
        return rf"\path[use as bounding box] {self._rectangle};"

    @property
    def frame(self) -> str:
        """The command that draws the frame of a stuck tree."""
        return rf"\draw[gpvizStuck, line width=1.6pt, rounded corners=4pt] {self._rectangle};"

    @property
    def _rectangle(self) -> str:
        low = f"({number(self._left)},{number(-self._bottom)})"
        high = f"({number(self._right)},{number(-self._top)})"
        return f"{low} rectangle {high}"


class _FrameTexts(NamedTuple):
    """What is said on a frame, as TeX sets it."""

    title: str
    numbers: str
    state: str
    is_stuck: bool
    caption: str


def _words(history: History, moment: Moment, analysis: Analysis | None) -> _FrameTexts:
    iteration, tree = moment.iteration, moment.tree
    error = history.error_at(iteration)
    leaves = limit_text(0 if tree is None else tree.leaves, history.config_after(iteration))
    numbers = f"leaves {leaves}" if error is None else f"error {number_text(error)} · leaves {leaves}"
    caption = shortened(caption_of(history, iteration), _LONGEST_CAPTION)
    state = "" if analysis is None else banner_of(analysis.state, "(state)")
    state = rf"\tikz[baseline=(state.base)]{state}" if state else ""
    is_stuck = analysis is not None and analysis.state.state is State.STUCK
    return _FrameTexts(f"Iteration {iteration:,}", latex_text(numbers), state, is_stuck, latex_text(caption))


def _frame(picture: Picture, callout: Sequence[str], texts: _FrameTexts, scale: _FrameScale) -> str:
    return "\n".join(
        [
            rf"\begin{{frame}}[t]{{{texts.title}\hskip 0pt plus 1filll \normalsize {texts.numbers}}}",
            r"\centering",
            *([rf"{{\small{_LINE} {texts.state}\par}}"] if scale.has_banner else []),
            r"\medskip",
            rf"\begin{{tikzpicture}}[{scale.options}]",
            scale.bounds,
            *([scale.frame] if texts.is_stuck else []),
            *picture.definitions,
            *callout,
            *picture.lines,
            r"\end{tikzpicture}\par",
            r"\vskip 0pt plus 1filll",
            rf"{{\small\color{{gpvizMuted}}{texts.caption}\par}}",
            r"\end{frame}",
            "",
        ]
    )


_LINE: Final = r"\rule[-2.2mm]{0pt}{6.8mm}"
"""As high as a line with a box around it, so that the tree does not move where there is none."""

_LOOKS: Final = r"""\setbeamertemplate{navigation symbols}{}
\setbeamersize{text margin left=5mm, text margin right=5mm}
\setbeamercolor{frametitle}{fg=gpvizText}
\setbeamercolor{title}{fg=gpvizText}
\setbeamercolor{normal text}{fg=gpvizText}
\usebeamercolor[fg]{normal text}"""


def _preamble(history: History, iterations: Sequence[int], title: str, scale: float) -> str:
    """Everything up to the first step, with a frame about the run."""
    config = history.config_at(iterations[0])
    heading = latex_text(shortened(" ".join(title.split()), _LONGEST_TITLE))
    heading = heading or rf"RLS-GP on $\mathsf{{AND}}_{{{config.n}}}$"
    settings = [
        rf"{latex_text(name)} & {latex_text(value)} \\"
        for name, value in _settings(history, config, iterations)
    ]
    return "\n".join(
        [
            latex_comment(f"gpviz: {len(iterations)} steps of a run"),
            r"\documentclass[aspectratio=169]{beamer}",
            r"\usepackage{tikz}",
            rf"\usetikzlibrary{{{LIBRARIES}}}",
            colours_and_styles(scale),
            _LOOKS,
            r"\begin{document}",
            r"\begin{frame}",
            r"\centering",
            rf"{{\LARGE {heading}\par}}",
            r"\bigskip",
            r"\begin{tabular}{rl}",
            *settings,
            r"\end{tabular}",
            r"\end{frame}",
            "",
        ]
    )


def _settings(history: History, config: RunConfig, iterations: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The configuration of the run as a person reads it."""
    yield "variables", f"{config.n:,}"
    yield "limit", _limit(config)
    yield "deletion", config.deletion
    yield "functions", ", ".join(UNICODE.function(function) for function in config.functions)
    rows = (
        f"all {rows_text(config.n)}"
        if config.rows is None
        else f"{number_text(config.rows)} drawn in each iteration"
    )
    yield "rows", rows
    if config.accept_error:
        yield "solved from error", number_text(config.accept_error)
    for row in SETTINGS:
        if not row.is_listed_by_name and not is_usual(row, config):
            yield row.short_title, row.cell_text(config)
    yield "seed", shortened(str(config.seed), _LONGEST_SEED)
    if history.script_end:
        yield "script", counted(history.script_end, "mutation")
    first, last = min(iterations), max(iterations)
    yield "iterations", f"{first:,} to {last:,} of {len(history):,}"
    changed = [begin for begin, _ in history.configs if iterations[0] < begin <= last]
    if changed:
        yield (
            "settings changed",
            "in iteration " + ", ".join(f"{begin:,}" for begin in changed[:_MOST_CHANGES]),
        )


def _limit(config: RunConfig) -> str:
    if config.max_leaves is None:
        return "none"
    leaves = f"{config.max_leaves:,} leaves"
    return leaves if config.limit.isdecimal() else f"{config.limit} = {leaves}"
