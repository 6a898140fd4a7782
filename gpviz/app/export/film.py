"""Films of a run: the way from picture to picture, painted frame by frame and encoded meanwhile."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, repeat
from typing import Final

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.painter import item_painter, resting
from gpviz.app.export.video_encoder import encoding, require_video
from gpviz.app.player.pacing import is_slow, step_weights, transition_ms
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import Rules
from gpviz.explain.moment import moment_at
from gpviz.export.request import LAST_STEP_S, ExportRequest, OnProgress, Subject, iterations_of
from gpviz.export.tree_picture import options_of
from gpviz.files.file_io import check_writable, replacing
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Item
from gpviz.picture.motion import between
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled

FRAMES_A_SECOND: Final = {"mp4": 30, "gif": 15}
_LONG_ENOUGH_SECONDS: Final = 0.5
"""Of a tree that is on show for less nobody could read what state it is in."""
_PATIENCE_SECONDS: Final = 2.0
_LAST_PATIENCE_SECONDS: Final = 10.0
_MOST_SAMPLES: Final = 12


@dataclass(frozen=True)
class FilmPlan:
    """How many frames a second there are, and how long each step is on show but the last."""

    seconds: tuple[float, ...]
    rate: int

    @cached_property
    def _starts(self) -> list[int]:
        return [round(each * self.rate) for each in np.concatenate([[0.0], np.cumsum(self.seconds)])]

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.seconds)

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return self._starts[-1] + round(LAST_STEP_S * self.rate)

    def start_of(self, step: int) -> int:
        """The first frame of a step."""
        return self._starts[step]

    def end_of(self, step: int) -> int:
        """The first frame after a step."""
        return self.frames if step == self.steps - 1 else self.start_of(step + 1)

    def moving(self, step: int) -> int:
        """In how many frames a step is on its way; none, where nobody could follow it."""
        duration_ms = transition_ms(1.0 / self.seconds[step]) if step else 0
        frames = self.end_of(step) - self.start_of(step)
        return min(round(duration_ms / 1000 * self.rate), frames - 1) if duration_ms else 0


def write_film(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the film of the chosen iterations as MP4 or GIF.

    ``on_progress`` gets how many frames are done, and of how many; if it returns True the film ends with
    `Cancelled`, and nothing is left of it.
    """
    require_video()
    check_writable(request.path)
    form, width, height = request.format.ending, request.width, request.height
    frames = film_frames(request, subject)
    plan = plan_of(request, subject.history)
    samples = _samples(request, subject) if form == "gif" else []
    with (
        replacing(request.path) as draft,
        encoding(draft, form, width, height, plan.rate, samples) as encoder,
    ):
        try:
            for done, image in enumerate(frames):
                if on_progress is not None and on_progress(done, plan.frames):
                    raise Cancelled(f"The film was cancelled after {done:,} of {plan.frames:,} frames.")
                encoder.add(image)
        finally:
            frames.close()
    if on_progress is not None:
        on_progress(plan.frames, plan.frames)


def film_frames(request: ExportRequest, subject: Subject) -> Generator[QImage, None, None]:
    """The frames of the film; one that is as the one before is the same object."""
    history = subject.history
    iterations = iterations_of(request, history)
    plan, theme = plan_of(request, history), load_theme(request.theme)
    before: Sequence[Item] = ()
    for step, (iteration, analysis) in enumerate(
        zip(iterations, _analyses(subject, iterations, plan), strict=True)
    ):
        count = plan.end_of(step) - plan.start_of(step)
        if not count:
            continue
        items = _items(request, history, iteration, analysis)
        moving = plan.moving(step) if before else 0
        for number in range(moving):
            yield _painted(between(before, items, (number + 1) / (moving + 1)), request, theme)
        before = resting(items)
        yield from repeat(_painted(before, request, theme), count - moving)


def _items(
    request: ExportRequest, history: History, iteration: int, analysis: Analysis | None
) -> tuple[Item, ...]:
    return items_of(picture_of(moment_at(history, iteration), options_of(request), analysis))


def _painted(items: Sequence[Item], request: ExportRequest, theme: Theme) -> QImage:
    image = QImage(request.width, request.height, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.colours.panel))
    with QPainter(image) as painter:
        item_painter(theme.colours).paint(painter, items)
    return image


def plan_of(request: ExportRequest, history: History) -> FilmPlan:
    """A step has its part of the time by its weight; slower than one a second all have the same."""
    iterations = iterations_of(request, history)
    weights = np.ones(len(iterations)) if is_slow(request.pace) else step_weights(history, iterations)
    seconds = weights / weights.mean() / request.pace
    return FilmPlan(tuple(seconds.tolist()), FRAMES_A_SECOND[request.format.ending])


def _analyses(subject: Subject, iterations: Sequence[int], plan: FilmPlan) -> Iterator[Analysis | None]:
    """For each step, the analysis of its tree, if the tree stays on show long enough to read that."""
    history = subject.history
    changes = np.searchsorted(history.changes().iterations, iterations, side="right").tolist()

    def judged(step: int) -> tuple[int, Rules]:
        """The number of the tree, and the rules that apply to it."""
        return changes[step], history.rules_after(iterations[step])

    for _, group in groupby(range(plan.steps), key=judged):
        steps = list(group)
        analysis = None
        if plan.end_of(steps[-1]) - plan.start_of(steps[0]) >= _LONG_ENOUGH_SECONDS * plan.rate:
            is_last = steps[-1] == plan.steps - 1
            patience_s = _LAST_PATIENCE_SECONDS if is_last else _PATIENCE_SECONDS
            analysis = subject.analysis_at(iterations[steps[0]], patience_s)
        yield from repeat(analysis, len(steps))


def _samples(request: ExportRequest, subject: Subject) -> list[QImage]:
    """A few frames that have between them about all colours of the film."""
    iterations, theme = iterations_of(request, subject.history), load_theme(request.theme)
    count = min(len(iterations), _MOST_SAMPLES)
    chosen = [iterations[number * (len(iterations) - 1) // max(count - 1, 1)] for number in range(count)]
    analyses = _analyses(subject, chosen, FilmPlan((1.0,) * count, 1))
    return [
        _painted(resting(_items(request, subject.history, iteration, analysis)), request, theme)
        for iteration, analysis in zip(chosen, analyses, strict=True)
    ]
