"""What a film shows: the stage, and below it large words on the step, where the run is, and how wrong the tree."""

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.canvas.stage import Stage
from gpviz.app.pictures.tree import make_room
from gpviz.app.theme import Theme
from gpviz.engine.tree_analysis import Analysis
from gpviz.record.facts import caption_of, position_text
from gpviz.record.history import History
from gpviz.record.moment import moment_at
from gpviz.record.telling import tell

__all__ = ["FilmStage", "film_font_size"]

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
        self.stage = Stage(theme=theme)
        self.stage.set_legend_shown(False)
        self._words = _Subtitles(theme, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stage, 1)
        column.addWidget(self._words)

    @property
    def words(self) -> tuple[str, str]:
        """What is said of the step, and where the run is."""
        return self._words.words

    @property
    def is_moving(self) -> bool:
        """Whether the step is still on its way."""
        return self.stage.canvas.is_moving

    def show_step(
        self, history: History, iteration: int, analysis: Analysis | None = None, duration_ms: int = 0
    ) -> None:
        """Go to an iteration; of its tree there is to see what the analysis tells."""
        moment = moment_at(history, iteration)
        is_known = analysis is not None and analysis.tree is moment.tree
        self.stage.show_picture(moment, duration_ms, keeps_state=is_known)
        if is_known:
            self.stage.show_analysis(analysis)
            make_room(self.stage, self.stage.height(), self._theme)
        self.stage.set_caption(caption_of(history, iteration))
        self._words.set_words(tell(history, iteration), position_text(history, iteration))
        if duration_ms <= 0:
            self.stage.canvas.finish_motion()

    def hold(self, progress: float) -> None:
        """Hold the step on its way at this progress from 0 to 1."""
        if progress >= 1.0:
            self.stage.canvas.finish_motion()
        elif self.is_moving:
            self.stage.canvas.hold_motion(progress)

    def shut_down(self) -> None:
        """Stop everything; call it before it goes."""
        self.stage.shut_down()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.window))


class _Subtitles(QWidget):
    """The step in words on two lines, and a line for where the run is; always of one height, so nothing jumps."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.words = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_words(self, sentence: str, position: str) -> None:
        """Say this."""
        self.words = sentence, position
        self.update()

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(self._theme.font(_SIZES[0], is_bold=True)).lineSpacing()
        small = QFontMetricsF(self._theme.font(_POSITION)).lineSpacing()
        return QSize(200, round(_LINES * line + small + 2 * _PADDING * line))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        sentence, position = self.words
        line = QFontMetricsF(self._theme.font(_SIZES[0], is_bold=True)).lineSpacing()
        small = QFontMetricsF(self._theme.font(_POSITION)).lineSpacing()
        room = QRectF(self.rect()).adjusted(line, _PADDING * line, -line, -_PADDING * line)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(colours.window))
            painter.setPen(QColor(colours.muted))
            painter.setFont(self._theme.font(_POSITION))
            flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            painter.drawText(QRectF(room.left(), room.top(), room.width(), small), flags, position)
            painter.setPen(QColor(colours.text))
            room.setTop(room.top() + small)
            self._paint_sentence(painter, sentence, room)

    def _paint_sentence(self, painter: QPainter, sentence: str, room: QRectF) -> None:
        font, lines = self._fitting(sentence, room.width())
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        for number, line in enumerate(lines):
            top = room.top() + number * metrics.lineSpacing()
            box = QRectF(room.left(), top, room.width(), metrics.height())
            painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), line)

    def _fitting(self, sentence: str, width: float) -> tuple[QFont, list[str]]:
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
