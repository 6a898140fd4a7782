"""Films of a run: each step brought to an unseen stage, held wherever a frame is due, and encoded meanwhile."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby, repeat
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.stage import Stage
from gpviz.app.canvas.tree_painter import Drawing
from gpviz.app.export.pictures import drop_texts_for_tree
from gpviz.app.export.video_encoder import encoding, require_video
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.player.pacing import transition_ms
from gpviz.app.player.shown_moment import Detail, ShownMoment
from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.widget_pictures import image_of, unseen
from gpviz.engine import Rules
from gpviz.explain.step_text import tell, tell_drawn
from gpviz.explain.tree_text import position_text
from gpviz.export.request import LAST_STEP_S, ExportRequest, OnProgress, Subject, iterations_of
from gpviz.files.file_io import check_writable, replacing
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled

FRAMES_A_SECOND: Final = {"mp4": 30, "gif": 15}
_LONG_ENOUGH_SECONDS: Final = 0.5
"""Of a tree that is on show for less nobody could read what state it is in."""
_PATIENCE_SECONDS: Final = 2.0
_LAST_PATIENCE_SECONDS: Final = 10.0
_MOST_SAMPLES: Final = 12

_POINTS: Final = 14.0
_POINTS_AT_HEIGHT: Final = 720.0
_LEAST_POINTS: Final = 7.0
_LINES: Final = 2
_POSITION: Final = 0.95
_PADDING: Final = 0.5
_SIZES: Final = (1.2, 1.1, 1.0, 0.92, 0.84)
"""Sizes of type to try, so that a long sentence stays whole."""
_NARROWER: Final = 0.97


def film_font_size(height: int) -> float:
    """The size of type, in points, that is read as easily in a film of any height."""
    return max(_POINTS * height / _POINTS_AT_HEIGHT, _LEAST_POINTS)


class FilmStage(QWidget):
    """A stage with subtitles. Whoever makes a film brings it to each step, and holds it where a frame is due."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.stage = Stage()
        self.stage.set_theme(theme)
        self.stage.set_legend_shown(False)
        self.subtitles = Subtitles(theme, self)
        self._tree = TreePart(self.stage, self, looks_up=False)
        self._view = MomentView(self._tree, self.subtitles)
        self._untold: ShownMoment | None = None
        """The step whose outcome is told once its verdict is shown."""
        column_in(self, (self.stage, 1), self.subtitles, spacing=0)

    def show_step(
        self, history: History, iteration: int, analysis: Analysis | None = None, duration_ms: int = 0
    ) -> None:
        """Go to an iteration; show what the analysis knows of its tree.

        While the step moves, its outcome appears with its verdict, not before.
        """
        self._untold = ShownMoment(history, iteration, duration_ms=duration_ms, analysis=analysis)
        self._view.show(replace(self._untold, detail=Detail.PROPOSAL))
        if duration_ms <= 0:
            self.stage.canvas.finish_motion()
        self._tell_outcome_if_due()

    def _tell_outcome_if_due(self) -> None:
        shown, canvas = self._untold, self.stage.canvas
        if shown is None or canvas.is_verdict_pending:
            return
        self._untold = None
        is_still = not canvas.is_moving
        self._view.show(shown)
        if shown.analysis is not None:
            drop_texts_for_tree(self.stage, self.stage.height(), self._theme)
        if is_still:
            canvas.finish_motion()  # to make space for the texts

    def hold(self, progress: float) -> None:
        """Hold the step on its way at this progress from 0 to 1."""
        if progress >= 1.0:
            self.stage.canvas.finish_motion()
        elif self.stage.canvas.is_moving:
            self.stage.canvas.hold_motion(progress)
        self._tell_outcome_if_due()

    def shut_down(self) -> None:
        """Stop everything; call it before it goes."""
        self._tree.close()
        self.stage.shut_down()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.window))


class Subtitles(QWidget):
    """The step in two lines, and a line for where the run is; always of one height, so nothing jumps."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.texts = ("", "")
        """What is said of the step, and where the run is."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_moment(self, shown: ShownMoment) -> None:
        """Say what the step does, or only what it proposes."""
        history, iteration = shown.history, shown.iteration
        is_pending = shown.detail is Detail.PROPOSAL and iteration > 0  # nothing was drawn for the start
        sentence = tell_drawn(history, iteration) if is_pending else tell(history, iteration)
        self.texts = sentence, position_text(history, iteration, is_pending=is_pending)
        self.update()

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(self._theme.font(_SIZES[0], is_bold=True)).lineSpacing()
        small = QFontMetricsF(self._theme.font(_POSITION)).lineSpacing()
        return QSize(200, round(_LINES * line + small + 2 * _PADDING * line))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        sentence, position = self.texts
        line = QFontMetricsF(self._theme.font(_SIZES[0], is_bold=True)).lineSpacing()
        small = QFontMetricsF(self._theme.font(_POSITION)).lineSpacing()
        area = QRectF(self.rect()).adjusted(line, _PADDING * line, -line, -_PADDING * line)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(colours.window))
            painter.setPen(QColor(colours.muted))
            painter.setFont(self._theme.font(_POSITION))
            flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            painter.drawText(QRectF(area.left(), area.top(), area.width(), small), flags, position)
            painter.setPen(QColor(colours.text))
            area.setTop(area.top() + small)
            self._paint_sentence(painter, sentence, area)

    def _paint_sentence(self, painter: QPainter, sentence: str, area: QRectF) -> None:
        font, lines = self.fitted(sentence, area.width())
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        for number, line in enumerate(lines):
            top = area.top() + number * metrics.lineSpacing()
            box = QRectF(area.left(), top, area.width(), metrics.height())
            painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), line)

    def fitted(self, sentence: str, width: float) -> tuple[QFont, list[str]]:
        """The largest type in which the sentence is whole, and its lines; one that is too long is cut off."""
        for scale in _SIZES:
            font = self._theme.font(scale, is_bold=True)
            lines = _broken(sentence, font, width)
            if len(lines) <= _LINES:
                return font, _balanced(lines, sentence, font, width)
        rest = " ".join(lines[_LINES - 1 :])
        last = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
        return font, [*lines[: _LINES - 1], last]


def _balanced(lines: list[str], text: str, font: QFont, width: float) -> list[str]:
    """As many lines, but of about the same length, so that no word stands alone."""
    count = len(lines)
    narrower = lines
    while count > 1 and len(narrower) == count:
        lines = narrower
        width *= _NARROWER
        narrower = _broken(text, font, width)
    return lines


def _broken(text: str, font: QFont, width: float) -> list[str]:
    """The text in lines of at most this width."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    lines: list[str] = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        lines.append(text[line.textStart() : line.textStart() + line.textLength()].strip())
    layout.endLayout()
    return lines


class FilmPlan(NamedTuple):
    """How many steps there are, how many of them a second, and of how many frames a second."""

    steps: int
    pace: float
    rate: int

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return self.start_of(self.steps) + round(LAST_STEP_S * self.rate)

    @property
    def transition_seconds(self) -> float:
        """How long a step is on its way."""
        return transition_ms(self.pace) / 1000

    def start_of(self, step: int) -> int:
        """The first frame of a step."""
        return round(step * self.rate / self.pace)

    def end_of(self, step: int) -> int:
        """The first frame after a step."""
        return self.frames if step == self.steps - 1 else self.start_of(step + 1)


def write_film(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the film of the chosen iterations as MP4 or GIF.

    ``on_progress`` gets how many frames are done, and of how many; if it returns True the film ends with
    `Cancelled`, and nothing is left of it.
    """
    require_video()
    check_writable(request.path)
    form, width, height = request.format.ending, request.width, request.height
    frames = film_frames(request, subject)
    plan = _plan_of(request, iterations_of(request, subject.history))
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
    plan = _plan_of(request, iterations)
    analyses = _analyses(subject, iterations, plan)
    with _film_stage(request) as film:
        for step, (iteration, analysis) in enumerate(zip(iterations, analyses, strict=True)):
            if plan.end_of(step) > plan.start_of(step):
                yield from _step_frames(film, history, iteration, analysis, plan, step)


def _plan_of(request: ExportRequest, iterations: Sequence[int]) -> FilmPlan:
    return FilmPlan(len(iterations), request.pace, FRAMES_A_SECOND[request.format.ending])


@contextmanager
def _film_stage(request: ExportRequest) -> Iterator[FilmStage]:
    """The stage of a film, which nobody sees."""
    theme = load_theme(request.theme, film_font_size(request.height))
    film = FilmStage(theme)
    with unseen(film, theme, request.width, request.height):
        try:
            yield film
        finally:
            film.shut_down()


def _step_frames(
    film: FilmStage, history: History, iteration: int, analysis: Analysis | None, plan: FilmPlan, step: int
) -> Iterator[QImage]:
    """The step on its way, and then at rest for the rest of its time; what rests on its way is painted once."""
    duration_ms = round(1000 * plan.transition_seconds) if step else 0
    film.show_step(history, iteration, analysis, duration_ms)
    frames, canvas = plan.end_of(step) - plan.start_of(step), film.stage.canvas
    moving = min(round(plan.transition_seconds * plan.rate), frames - 1) if canvas.is_moving else 0
    shown: tuple[Drawing, tuple[str, str]] | None = None
    for number in range(moving):
        film.hold((number + 1) / (moving + 1))
        visible = canvas.drawing(), film.subtitles.texts
        if visible != shown:
            shown, image = visible, image_of(film)
        yield image
    film.hold(1.0)
    resting = image_of(film)
    for _ in range(frames - moving):
        yield resting


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
    history = subject.history
    iterations = iterations_of(request, history)
    count = min(len(iterations), _MOST_SAMPLES)
    chosen = [iterations[number * (len(iterations) - 1) // max(count - 1, 1)] for number in range(count)]
    analyses = _analyses(subject, chosen, FilmPlan(count, 1.0, 1))
    images = []
    with _film_stage(request) as film:
        for iteration, analysis in zip(chosen, analyses, strict=True):
            film.show_step(history, iteration, analysis)
            images.append(image_of(film))
    return images
