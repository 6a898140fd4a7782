"""The stage: the tree canvas with the banner of its state above, a caption and the legend below, and a frame."""

from math import ceil
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.canvas.banner import StateBanner
from gpviz.app.canvas.legend import Legend
from gpviz.app.canvas.view import TreeCanvas
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import State, TreeState
from gpviz.engine.tree_analysis import Analysis
from gpviz.record.moment import Moment

__all__ = ["Stage"]

_FRAME: Final = 3.0
_CORNER: Final = 6.0
_SPACE: Final = 5
_LOWEST_WITH_LEGEND: Final = 330.0
_LOWEST_WITH_CAPTION: Final = 250.0
"""The heights of the stage from which on there are lines below the tree, in pixels at the usual size of type."""
_MOST_RESERVED: Final = 0.3
"""The share of the canvas that is kept free for the banner; in a very small window it may cover the root."""


class _Caption(QWidget):
    """One line that is cut off rather than wrapped, so that the canvas never changes its size for it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so nothing below is painted for it
        self.setAccessibleName("Caption")
        self.set_theme(theme)

    @property
    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        if text == self._text:
            return
        self._text = text
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedHeight(QFontMetrics(theme.font()).height() + 2)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.colours.panel))
        font = self._theme.font()
        painter.setFont(font)
        painter.setPen(QColor(self._theme.colours.muted))
        text = QFontMetrics(font).elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.end()


class Stage(QWidget):
    """Where the tree is shown. A stuck tree gets a frame in its own colour around everything."""

    def __init__(self, parent: QWidget | None = None, *, theme: Theme | None = None) -> None:
        super().__init__(parent)
        self._theme = theme or load_theme("light")
        self.canvas = TreeCanvas(self, theme=self._theme)
        # A child of the canvas, so that the card about a node can come before it.
        self.banner = StateBanner(self._theme, self.canvas)
        self._caption = _Caption(self._theme, self)
        self._legend = Legend(self._theme, self)
        self._state: TreeState | None = None
        self._is_stuck = False
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

    def show_picture(
        self, picture: Moment | None, duration_ms: int = 0, *, keeps_state: bool = False
    ) -> None:
        """Go to this picture; what was known of another tree is taken away, unless its state is to stay."""
        before = self.canvas.picture
        self.canvas.show_picture(picture, duration_ms)
        now = self.canvas.picture
        if not keeps_state and (before and before.tree) is not (now and now.tree):
            self.show_state(None)

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Add what is known of the tree on show, with its state; an analysis of another tree is ignored."""
        picture = self.canvas.picture
        if analysis is not None and (picture is None or analysis.tree is not picture.tree):
            return
        self.canvas.show_analysis(analysis)
        self.show_state(analysis)

    def show_state(self, analysis: Analysis | None) -> None:
        """Set the banner and the frame."""
        state = None if analysis is None else analysis.state
        if state == self._state:
            return  # painting everything anew for nothing would cost a frame at full speed
        self._state = state
        self.banner.show_state(analysis)
        self._is_stuck = state is not None and state.state is State.STUCK
        self._place_banner()
        self.update()

    @property
    def is_framed(self) -> bool:
        """Whether the frame of a stuck tree is to be seen."""
        return self._is_stuck

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.canvas.set_theme(theme)
        self.banner.set_theme(theme)
        self._caption.set_theme(theme)
        self._legend.set_theme(theme)
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
        """Show the caption, wherever there is room for it."""
        self._is_caption_wanted = is_shown
        self._choose_lines()

    def set_corner(self, widget: QWidget) -> None:
        """Put something small at the end of the caption's line."""
        self._corner = widget
        self._line.addWidget(widget)
        self._choose_lines()

    def _choose_lines(self) -> None:
        """In a low window the tree needs the height of the lines below it."""
        height = self.height() * 10.0 / self._theme.font_size
        has_caption = self._is_caption_wanted and height >= _LOWEST_WITH_CAPTION
        self._caption.setVisible(has_caption)
        if self._corner is not None:
            self._corner.setVisible(has_caption)
        self._legend.setVisible(self._is_legend_wanted and height >= _LOWEST_WITH_LEGEND)

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self.canvas.shut_down()

    def _frame_width(self) -> float:
        return _FRAME * self._theme.line_scale

    def _set_margins(self) -> None:
        margin = ceil(self._frame_width()) + _SPACE
        self._column.setContentsMargins(margin, margin, margin, margin)

    def _place_banner(self, *, is_gliding: bool = True) -> None:
        if self.banner.words is not None:
            wanted = self.banner.place(0, 0, self.canvas.width())
            reserved = min(float(wanted), _MOST_RESERVED * self.canvas.height())
            self.canvas.set_reserved_top(reserved, is_gliding=is_gliding)
        elif self._state is not None or self.canvas.picture is None:
            self.canvas.set_reserved_top(0.0)
        # While nothing is known of the tree the room stays as it is, or the tree would bob at every step.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose_lines()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place_banner(is_gliding=False)
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self._theme.colours
        width = self._frame_width() if self._is_stuck else 1.0
        colour = colours.stuck if self._is_stuck else colours.border
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.window))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), width))
        painter.setBrush(QColor(colours.panel))
        box = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(box, _CORNER, _CORNER)
        painter.end()
