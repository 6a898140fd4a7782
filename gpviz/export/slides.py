"""Steps of a run as slides for Beamer: a title with the settings, then a frame for each step with its picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from gpviz import assets
from gpviz.engine import GpvizError, RunConfig
from gpviz.escaping import latex_comment, latex_text
from gpviz.explain.moment import moment_at
from gpviz.export.request import ExportRequest, OnProgress, Subject, iterations_of
from gpviz.export.tikz import PAPER, check_size
from gpviz.export.tree_analyses import TreeAnalyses
from gpviz.files.file_io import write_file
from gpviz.number_text import counted
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture
from gpviz.picture.tikz import tikz_of
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.settings_text import settings_text

_MOST_NODES: Final = 200_000
"""In all frames together: TeX draws about a thousand in a second."""

_OPTIONS: Final = Options(width=1120, height=580, text_scale=1.15)
"""All pictures have one size, so that nothing but the step moves from frame to frame."""
_POINTS: Final = 0.38
"""A frame is 16 cm wide and 9 cm high, or 455 by 256 points."""

_PATIENCE_SECONDS: Final = 10.0
"""For finding out what has become of the trees, in all frames together."""

_LONGEST_TITLE: Final = 120
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
    frames: list[str] = []

    def report() -> None:
        done, total = len(frames), len(iterations)
        if on_progress is not None and on_progress(done, total):
            raise Cancelled(f"The export was cancelled after {done:,} of {total:,} frames.")

    analyses = TreeAnalyses(_PATIENCE_SECONDS, report)
    for iteration in iterations:
        moment = moment_at(history, iteration)
        analysis = analyses.of(moment.tree, moment.rules)
        frames.append(_frame(picture_of(moment, _OPTIONS, analysis), iteration))
        report()
    return "".join([_preamble(history, iterations, title), *frames, "\\end{document}\n"])


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


def _frame(picture: Picture, iteration: int) -> str:
    return "\n".join(
        [
            rf"\begin{{frame}}[t]{{Iteration {iteration:,}}}",
            r"\centering",
            tikz_of(items_of(picture), picture.width, picture.height, _colours(), points=_POINTS),
            r"\end{frame}",
            "",
        ]
    )


def _colours() -> Mapping[str, str]:
    found: dict[str, str] = assets.theme_data(PAPER)["colours"]
    return found


_LOOKS: Final = r"""\usefonttheme[onlymath]{serif}
\setbeamertemplate{navigation symbols}{}
\setbeamersize{text margin left=5mm, text margin right=5mm}
\setbeamercolor{frametitle}{fg=black}
\setbeamercolor{title}{fg=black}"""


def _preamble(history: History, iterations: Sequence[int], title: str) -> str:
    """Everything up to the first step, with a frame about the run."""
    config = history.config_at(iterations[0])
    heading = latex_text(_shortened(" ".join(title.split()), _LONGEST_TITLE))
    heading = heading or rf"RLS-GP on $\mathsf{{AND}}_{{{config.n}}}$"
    return "\n".join(
        [
            latex_comment(f"gpviz: {len(iterations)} steps of a run"),
            r"\documentclass[aspectratio=169]{beamer}",
            r"\usepackage{tikz}",
            _LOOKS,
            r"\begin{document}",
            r"\begin{frame}",
            r"\centering",
            rf"{{\LARGE {heading}\par}}",
            *(rf"\bigskip {latex_text(line)}\par" for line in _about(history, config, iterations)),
            r"\end{frame}",
            "",
        ]
    )


def _about(history: History, config: RunConfig, iterations: Sequence[int]) -> Iterator[str]:
    """The settings of the run, and which part of it this is."""
    yield settings_text(config)
    if history.script_end:
        yield f"a script of {counted(history.script_end, 'mutation')} first"
    first, last = min(iterations), max(iterations)
    yield f"iterations {first:,} to {last:,} of {len(history):,}"
    changed = [begin for begin, _ in history.configs if iterations[0] < begin <= last]
    if changed:
        yield "settings changed in iteration " + ", ".join(f"{begin:,}" for begin in changed[:_MOST_CHANGES])


def _shortened(text: str, most: int) -> str:
    """The text cut between two words where it is longer than that."""
    if len(text) <= most:
        return text
    end = text.rfind(" ", 0, most)
    return f"{text[: end if end > 0 else most]} …"
