"""The stage: the tree canvas with the banner of its state above, a caption and the legend below, and a frame."""

from collections.abc import Callable, Iterator
from math import ceil
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.legend import CanvasLegend
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Node, State
from gpviz.explain.moment import Moment
from gpviz.explain.tree_state_text import StateText, size_text, state_text

_PADDING: Final = 0.35
_GAP: Final = 0.75
"""Around the words of the banner, and between its parts; of the height of a line."""
_LARGEST_BANNER: Final = 1.35
_TALL: Final = 60.0
"""The type of the banner grows with the height of the canvas from so many pixels for each point of it."""
_SMALLER: Final = 0.88
_MOST_RESERVED: Final = 0.2
"""The share of the height of the canvas that the banner may take."""
_BADGE_TYPE: Final = 0.6
_LARGEST_BADGE: Final = 1.75
_WIDEST_BADGE: Final = 0.3
"""How large the type of the badge is, of its height and at most of a line, and its part of the width at most."""
_SAMPLE: Final = StateText(
    "PLATEAU",
    "No single mutation improves this tree, but three accepted in a row can.",
    "It is full (99/99): every deletion costs rows, and substitutions only lead to trees just as stuck.",
)
"""The longest words there usually are: room is kept for these, so that the tree stays whatever is said."""

_RING: Final = 3.0
"""In pixels at the usual width of lines: how far the banner keeps from the edge, where the focus shows."""
_FRAME: Final = 5.0
_CORNER: Final = 6.0
_SPACE: Final = 3
_LOWEST_WITH_LEGEND: Final = 330.0
_LOWEST_WITH_CAPTION: Final = 250.0
"""The heights of the stage from which on there are lines below the tree, in pixels at the usual size of type."""


class _Form(NamedTuple):
    """How a banner is set: the size of its type, how many lines it has, and what stands on them."""

    scale: float
    lines: int
    height: float
    has_reason: bool = True
    is_divided: bool = False
    """Whether the reason begins on a line of its own."""
    has_size: bool = True
    """Whether the badge that tells how full the tree is finds room beside it."""
    is_stacked: bool = False
    """Whether the words stand below the badge."""


class _Run(NamedTuple):
    """Some words on a line of the banner."""

    text: str
    x: float
    is_reason: bool


class StateBanner(Themed, QWidget):
    """What can still become of the tree: a badge to be read from far away, a sentence, and the reason for it.

    It is hidden while there is nothing to say. What finds no room is in its tooltip.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.analysis: Analysis | None = None
        self.words: StateText | None = None
        """What there is to say about the state on show."""
        self.form = _Form(1.0, 0, 0.0)
        self.setAccessibleName("State of the tree")
        self.hide()

    @property
    def sentence(self) -> str:
        """All the banner has to say, without its looks."""
        return "" if self.words is None else self.words.sentence

    @property
    def lines(self) -> list[str]:
        """The lines on show."""
        return ["".join(run.text for run in line) for line in self._lines()]

    def show_state(self, analysis: Analysis | None) -> None:
        """Say what is known; None and a tree that can be improved at once need no words."""
        self.analysis = analysis
        is_told = analysis is not None and analysis.state.state is not State.CLIMBING
        words = state_text(analysis) if analysis is not None and is_told else None
        if words != self.words:
            self.words = words
            self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        self._refresh()

    def form_for(
        self, width: float, height: float, scale: float, size_width: Callable[[float], float]
    ) -> _Form:
        """How a banner is set over a canvas of this size, whatever it says; without lines there is only its badge.

        ``size_width`` says how wide the badge beside it is in type of a size.
        """
        usual = scale * min(max(height / (_TALL * self.theme.font_size), 1.0), _LARGEST_BANNER)
        sizes = [usual, scale, *(_SMALLER * scale * share for share in (1.0, 0.85, 0.7, 0.6))]
        choices: list[_Form] = []
        for size in dict.fromkeys(max(size, _SMALLER) for size in sizes):
            choices += [_Form(size, 2, 0.0, is_divided=True), _Form(size, 2, 0.0)]
            choices += [_Form(size, 3, 0.0)] if scale > 1.0 else []  # in a hall larger type is worth a line
        choices += [
            _Form(_SMALLER, lines, 0.0, has_size=has_size)
            for lines, has_size in ((2, False), (3, True), (3, False))
        ]
        choices += [_Form(_SMALLER * scale, 1, 0.0, has_reason=False)]
        choices += [_Form(_SMALLER, lines, 0.0, has_reason=False, has_size=False) for lines in (1, 2)]
        choices += [
            _Form(_SMALLER, lines, 0.0, has_reason=has_reason, has_size=False, is_stacked=True)
            for lines, has_reason in ((6, True), (5, True), (4, True), (3, False), (2, False))
        ]
        for choice in choices:
            form = choice._replace(height=self._height_of(choice))
            room = width - (size_width(form.scale) if form.has_size else 0.0)
            is_wide_enough = len(list(self._set(_SAMPLE, form, room))) <= form.lines
            if is_wide_enough and form.height <= _MOST_RESERVED * height:
                return form
        badge = choices[-1]._replace(lines=0, is_stacked=False)
        return badge._replace(height=min(self._height_of(badge), 1.5 * _MOST_RESERVED * height))

    def set_form(self, form: _Form) -> None:
        """Be set like this from now on."""
        self.form = form
        self._refresh()

    def _refresh(self) -> None:
        shown = " ".join(self.lines)
        words = self.words
        self.setVisible(words is not None and self.form.height > 0)
        self.setAccessibleDescription(self.sentence)
        is_whole = words is not None and f"{words.claim} {words.reason}".strip() == shown and not words.more
        self.setToolTip("" if is_whole else self.sentence)
        self.update()

    # How it is set

    def _line(self, form: _Form) -> float:
        return QFontMetricsF(self.theme.font(form.scale)).lineSpacing()

    def _height_of(self, form: _Form) -> float:
        lines = form.lines + 1.8 if form.is_stacked else max(form.lines, 1.6)
        return ceil((lines + 2 * _PADDING) * self._line(form))

    def _badge_box_height(self, form: _Form) -> float:
        return form.height - (form.lines * self._line(form) if form.is_stacked else 0.0)

    def _badge_font(self, form: _Form) -> QFont:
        font = self.theme.font(is_bold=True)
        font.setPixelSize(
            max(round(min(_BADGE_TYPE * self._badge_box_height(form), _LARGEST_BADGE * self._line(form))), 1)
        )
        return font

    def _badge_width(self, words: StateText, form: _Form, width: float) -> float:
        metrics = QFontMetricsF(self._badge_font(form))
        wanted = max(metrics.horizontalAdvance(words.badge), metrics.horizontalAdvance("STUCK"))
        most = _WIDEST_BADGE * width if form.lines and not form.is_stacked else width
        return min(wanted + 2 * _GAP * self._line(form), most)

    def _lines(self) -> list[list[_Run]]:
        """The lines on show; the last one is cut where it does not hold the rest."""
        words, form = self.words, self.form
        if words is None or not form.lines:
            return []
        lines = list(self._set(words, form, self.width()))
        if len(lines) > form.lines:
            lines = lines[: form.lines]
            last = lines[-1][-1]
            lines[-1][-1] = last._replace(text=f"{last.text.rstrip()} …")
        return lines

    def _set(self, words: StateText, form: _Form, width: float) -> Iterator[list[_Run]]:
        """The words line by line, as many as it takes."""
        metrics = QFontMetricsF(self.theme.font(form.scale))
        beside = (
            0.0 if form.is_stacked else self._badge_width(words, form, width) + 2 * _GAP * self._line(form)
        )
        room = width - beside
        space = metrics.horizontalAdvance(" ")
        line: list[_Run] = []
        used = 0.0
        for is_reason, text in ((False, words.claim), (True, words.reason if form.has_reason else "")):
            if is_reason and form.is_divided and line and text:
                yield line
                line, used = [], 0.0
            for word in text.split():
                length = metrics.horizontalAdvance(word)
                if line and used + space + length > room:
                    yield line
                    line, used = [], 0.0
                if line and line[-1].is_reason == is_reason:
                    line[-1] = line[-1]._replace(text=f"{line[-1].text} {word}")
                else:
                    gap = " " if line else ""
                    line.append(_Run(f"{gap}{word}", used, is_reason))
                used += length + (space if used else 0.0)
        if line:
            yield line

    def paintEvent(self, _event: QPaintEvent) -> None:
        words, form = self.words, self.form
        if self.analysis is None or words is None:
            return
        of_state = self.theme.colours.of_state(self.analysis.state.state)
        colour = QColor(of_state[0] if of_state else self.theme.colours.muted)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            height = self._badge_box_height(form)
            badge = QRectF(0.0, 0.0, self._badge_width(words, form, self.width()), height)
            painter.setBrush(colour)
            painter.drawRoundedRect(badge, _CORNER, _CORNER)
            font = self._badge_font(form)
            room = badge.width() - _GAP * self._line(form)
            wanted = QFontMetricsF(font).horizontalAdvance(words.badge)
            if wanted > room:
                font.setPixelSize(max(int(font.pixelSize() * room / wanted), 1))
            painter.setFont(font)
            painter.setPen(readable_on(colour, self.theme, is_large=True))
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, words.badge)
            self._paint_lines(painter, 0.0 if form.is_stacked else badge.right() + _GAP * self._line(form))

    def _paint_lines(self, painter: QPainter, left: float) -> None:
        lines = self._lines()
        font = self.theme.font(self.form.scale)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        height = metrics.lineSpacing()
        top = (self.form.height - len(lines) * height) / 2
        if self.form.is_stacked:
            top = self._badge_box_height(self.form)
        for number, line in enumerate(lines):
            for run in line:
                colour = self.theme.colours.muted if run.is_reason else self.theme.colours.text
                painter.setPen(QColor(colour))
                base = top + number * height + metrics.ascent()
                painter.drawText(QPointF(left + run.x, base), run.text)


class SizeBadge(Themed, QWidget):
    """How full the tree is, in a frame: ``9/9 full``; nothing where there is no limit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._scale = 1.0
        self.text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Size of the tree")
        self.hide()

    def set_text(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.setAccessibleDescription(text)
            self.update()

    def set_scale(self, scale: float) -> None:
        """Be written this many times as large as usual."""
        self._scale = scale
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.theme.font(self._scale, is_bold=True))
        wide = max(metrics.horizontalAdvance(self.text), metrics.horizontalAdvance("99/99 full"))
        return QSize(ceil(wide + metrics.height()), ceil(1.5 * metrics.height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        font = self.theme.font(self._scale, is_bold=self.text.endswith("full"))
        metrics = QFontMetricsF(font)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            is_full = self.text.endswith("full")
            ink = QColor(colours.text if is_full else colours.muted)
            width = metrics.horizontalAdvance(self.text) + metrics.height()
            line = (1.8 if is_full else 1.0) * self.theme.line_scale
            box = QRectF(self.width() - width, 0.0, width, self.height())
            painter.setPen(QPen(ink, line))
            painter.setBrush(QColor(colours.panel))
            painter.drawRoundedRect(box.adjusted(line, line, -line, -line), _CORNER, _CORNER)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text)


class _Caption(Themed, QWidget):
    """One line that is cut off rather than wrapped, so that the canvas never changes its size for it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so nothing below is painted for it
        self.setAccessibleName("Caption")
        self.follow_theme()

    def set_text(self, text: str) -> None:
        if text == self.text:
            return
        self.text = text
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self.setFixedHeight(QFontMetrics(theme.font()).height() + 2)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
        font = self.theme.font()
        painter.setFont(font)
        painter.setPen(QColor(self.theme.colours.muted))
        text = QFontMetrics(font).elidedText(self.text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.end()


class Stage(Themed, QWidget):
    """Where the tree is shown. A stuck tree gets a frame in its own colour around everything."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = TreeCanvas(self)
        # Children of the canvas, so that the card about a node can come before them.
        self.banner = StateBanner(self.canvas)
        self.size_badge = SizeBadge(self.canvas)
        self._banner_scale = 1.0
        self._is_banner_wanted = True
        self._caption = _Caption(self)
        self._legend = CanvasLegend(self)
        self._is_legend_wanted = True
        self._is_caption_wanted = True
        column = self._column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addWidget(self.canvas, 1)
        self._corner: QWidget | None = None
        self._line = QHBoxLayout()
        self._line.addWidget(self._caption, 1)
        column.addLayout(self._line)
        column.addWidget(self._legend)
        self.canvas.installEventFilter(self)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Stage")
        self._set_margins()

    @property
    def changing(self) -> tuple[QWidget, QWidget]:
        """What is painted anew with every tree: the canvas, with all that stands on it, and the caption."""
        return self.canvas, self._caption

    def show_picture(
        self,
        picture: Moment | None,
        duration_ms: int = 0,
        *,
        earlier: Node | None = None,
        keeps_state: bool = False,
        is_outcome_told: bool = True,
    ) -> None:
        """Go to this picture as the canvas does; what was known of another tree, or under other rules, goes.

        With ``keeps_state`` the state stays on show until that of the new tree is known. While the outcome of
        the step is not told, all that is said of the tree is said of the one before.
        """
        self.canvas.show_picture(picture, duration_ms, earlier=earlier)
        if not is_outcome_told:
            return
        now = self.canvas.picture
        self._legend.set_sampled(now is not None and now.config.is_sampled)
        self.size_badge.set_text("" if now is None else size_text(now.tree, now.rules.max_leaves))
        if self.size_badge.width() != self.size_badge.sizeHint().width():
            self._place_banner()  # which has the room beside the badge
        self._make_way()
        state = self.banner.analysis
        if state is not None and not keeps_state and not (now and state.is_of(now.tree, now.rules)):
            self.show_state(None)

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Add what is known of the tree on show, with its state; one of another tree or other rules is ignored."""
        picture = self.canvas.picture
        if analysis is not None and (picture is None or not analysis.is_of(picture.tree, picture.rules)):
            return
        self.canvas.show_analysis(analysis)
        self.show_state(analysis)

    def show_state(self, analysis: Analysis | None) -> None:
        """Set the banner and the frame."""
        was_framed = self.is_framed
        self.banner.show_state(analysis)
        self._make_way()
        if was_framed != self.is_framed:
            self.update()  # to paint everything anew for nothing would cost a frame at full speed

    @property
    def is_framed(self) -> bool:
        """Whether the frame of a stuck tree is to be seen."""
        analysis = self.banner.analysis
        return analysis is not None and analysis.state.state is State.STUCK

    def apply_theme(self, theme: Theme) -> None:
        self._set_margins()
        self._choose_lines()
        self._place_banner()
        self.update()

    def set_caption(self, text: str) -> None:
        """The line below the tree."""
        self._caption.set_text(text)

    @property
    def caption(self) -> str:
        return self._caption.text

    @Slot(bool)
    def set_legend_shown(self, is_shown: bool) -> None:
        """Show the legend, wherever there is room for it."""
        self._is_legend_wanted = is_shown
        self._choose_lines()

    def set_caption_shown(self, is_shown: bool) -> None:
        """Show the caption, wherever there is room for it; where it is not wanted, the legend has its line."""
        self._is_caption_wanted = is_shown
        if is_shown:
            self._column.addWidget(self._legend)
        else:
            self._line.insertWidget(0, self._legend, 1)
        self._choose_lines()

    def set_corner(self, widget: QWidget) -> None:
        """Put something small at the end of the caption's line."""
        self._corner = widget
        self._line.addWidget(widget)
        self._choose_lines()

    def _choose_lines(self) -> None:
        """In a low window the tree needs the height of the lines below it."""
        height = self.height() * 10.0 / self.theme.font_size
        has_line = height >= _LOWEST_WITH_CAPTION
        self._caption.setVisible(self._is_caption_wanted and has_line)
        if self._corner is not None:
            self._corner.setVisible(has_line)
        lowest = _LOWEST_WITH_LEGEND if self._is_caption_wanted else _LOWEST_WITH_CAPTION
        self._legend.setVisible(self._is_legend_wanted and height >= lowest)

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self.canvas.shut_down()

    def _frame_width(self) -> float:
        return _FRAME * self.theme.line_scale

    def _set_margins(self) -> None:
        margin = ceil(self._frame_width()) + _SPACE
        self._column.setContentsMargins(margin, margin, margin, margin)

    def set_banner_scale(self, scale: float) -> None:
        """Make the banner and its badges this many times as large as usual, to be read from further away."""
        if scale != self._banner_scale:
            self._banner_scale = scale
            self._place_banner()

    def set_banner_shown(self, is_shown: bool) -> None:
        """Keep room for the banner, or give it to the tree; a stuck tree keeps its frame."""
        if is_shown != self._is_banner_wanted:
            self._is_banner_wanted = is_shown
            self._place_banner()

    @property
    def banner_height(self) -> float:
        """What is kept free for the banner above the tree, whether it has something to say or not."""
        return self.banner.form.height + self._away if self.banner.form.height else 0.0

    @property
    def _away(self) -> int:
        return ceil(_RING * self.theme.line_scale)

    def _place_banner(self) -> None:
        """Keep as much room as the banner may need, so that the tree stays where it is when it comes or goes."""
        away = self._away
        width, height = self.canvas.width() - 2 * away, self.canvas.height()
        form = self.banner.form_for(width, height, self._banner_scale, self._size_width)
        if not self._is_banner_wanted:
            form = form._replace(height=0.0, lines=0, has_size=False)
        self.size_badge.set_scale(form.scale)
        badge = self.size_badge.sizeHint()
        self.size_badge.setGeometry(away + width - badge.width(), away, badge.width(), badge.height())
        room = width - (self._size_width(form.scale) if form.has_size else 0.0)
        self.banner.setGeometry(away, away, round(room), ceil(form.height))
        self.banner.set_form(form)
        self._make_way()
        self.canvas.set_reserved_top(self.banner_height)

    def _size_width(self, scale: float) -> float:
        self.size_badge.set_scale(scale)
        return self.size_badge.sizeHint().width() + _GAP * QFontMetricsF(self.theme.font()).height()

    def _make_way(self) -> None:
        """Show nothing of a large tree behind or above the banner, and the badge only where both have room."""
        right = self.banner.geometry().right() + 1
        self.canvas.set_cleared(
            QRectF() if self.banner.isHidden() else QRectF(0, 0, right, self.banner_height)
        )
        has_room = self.banner.form.has_size or self.banner.words is None
        self.size_badge.setVisible(bool(self.size_badge.text) and self._is_banner_wanted and has_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose_lines()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place_banner()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        width = self._frame_width() if self.is_framed else 1.0
        colour = colours.stuck if self.is_framed else colours.border
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.window))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), width))
        painter.setBrush(QColor(colours.panel))
        box = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(box, _CORNER, _CORNER)
        painter.end()
