"""The stage: the tree canvas with the banner of its state above, a caption and the legend below, and a frame."""

from html import escape
from math import ceil
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.canvas.legend import CanvasLegend
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.theme import Theme
from gpviz.app.widgets.themed import Themed
from gpviz.engine import State, TreeState
from gpviz.engine.tree_analysis import Analysis
from gpviz.explain.moment import Moment

__all__ = ["BannerText", "Stage", "StateBanner", "banner_text"]

_PADDING: Final = 5
_BESIDE: Final = 6
"""What the label keeps free left and right besides its padding."""
_SMALLER: Final = 0.88

_FRAME: Final = 3.0
_CORNER: Final = 6.0
_SPACE: Final = 5
_LOWEST_WITH_LEGEND: Final = 330.0
_LOWEST_WITH_CAPTION: Final = 250.0
"""The heights of the stage from which on there are lines below the tree, in pixels at the usual size of type."""
_MOST_RESERVED: Final = 0.3
"""The share of the canvas that is kept free for the banner; in a very small window it may cover the root."""


class BannerText(NamedTuple):
    """A headline, the sentence that matters, and two more where there is room."""

    title: str
    body: str
    details: str = ""
    more: str = ""


def banner_text(state: TreeState) -> BannerText | None:
    """What a state has to say; None where there is nothing to say."""
    if state.state is State.STUCK:
        trees = state.plateau_trees
        checked = "1 tree" if trees == 1 else f"{trees:,} trees".replace(",", "\u202f")
        return BannerText(
            "Stuck.",
            "No accepted mutation leads to a better tree (proven).",
            f"{checked} up to symmetry on this plateau checked: none leads on.",
            "Locally optimal: the run stays stuck.",
        )
    if state.state is State.PLATEAU:
        return BannerText(
            "Plateau.",
            f"{len(state.way_out)} accepted mutations in a row improve this tree.",
            "No single one does.",
        )
    if state.state is State.SOLVED:
        return BannerText("Solved.", "The tree computes the target.")
    if state.state is State.UNDECIDED:
        return BannerText("Undecided.", state.reason)
    return None


class StateBanner(Themed, QLabel):
    """One line where it finds room, in the colours of the state; hidden while there is nothing to say.

    What finds no room on its line is in its tooltip.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._state: TreeState | None = None
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setMargin(_PADDING)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName("State of the tree")
        self.hide()

    @property
    def words(self) -> BannerText | None:
        """What there is to say about the state on show."""
        return None if self._state is None else banner_text(self._state)

    @property
    def sentence(self) -> str:
        """All the banner has to say, without its looks."""
        return " ".join(part for part in self.words or () if part)

    def show_state(self, analysis: Analysis | None) -> None:
        """Say what is known; None and a tree that can be improved at once need no words."""
        self._state = None if analysis is None else analysis.state
        self._refresh(self.width())

    def apply_theme(self, theme: Theme) -> None:
        self._refresh(self.width())

    def place(self, left: int, top: int, width: int) -> int:
        """Come to this place with as many words as find room there; the height that takes."""
        self._refresh(width)
        height = self.heightForWidth(width)
        self.setGeometry(left, top, width, height)
        return height

    def colours(self) -> tuple[str, str, str] | None:
        """Frame, background and text of the state on show."""
        if self._state is None or self.words is None:
            return None
        colours = self.theme.colours
        return colours.of_state(self._state.state) or (colours.border, colours.field, colours.muted)

    def _refresh(self, width: int) -> None:
        words = self.words
        colours = self.colours()
        if words is None or colours is None:
            self.hide()
            self.setText("")
            return
        scale, body = self._fitting(words, width - 2 * (_PADDING + _BESIDE))
        self.setFont(self.theme.font(scale))
        self.setText(f'<span style="color:{colours[2]}"><b>{escape(words.title)}</b> {escape(body)}</span>')
        self.setToolTip("" if self.sentence.endswith(body) else self.sentence)
        self.setAccessibleDescription(self.sentence)
        self.show()
        self.update()

    def _fitting(self, words: BannerText, width: float) -> tuple[float, str]:
        """As much as one line holds, in smaller type if need be, and the size of the type."""
        with_details = f"{words.body} {words.details}".strip()
        full = f"{with_details} {words.more}".strip()
        choices = ((1.0, full), (1.0, with_details), (1.0, words.body), (_SMALLER, words.body))
        for scale, body in choices:
            title = QFontMetricsF(self.theme.font(scale, is_bold=True)).horizontalAdvance(f"{words.title} ")
            if ceil(title + QFontMetricsF(self.theme.font(scale)).horizontalAdvance(body)) <= width:
                return scale, body
        return _SMALLER, words.body

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.colours()
        if colours is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours[0]), 1.2 * self.theme.line_scale))
            painter.setBrush(QColor(colours[1]))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0), 6.0, 6.0)
            painter.end()
        super().paintEvent(event)


class _Caption(Themed, QWidget):
    """One line that is cut off rather than wrapped, so that the canvas never changes its size for it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so nothing below is painted for it
        self.setAccessibleName("Caption")
        self.follow_theme()

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

    def apply_theme(self, theme: Theme) -> None:
        self.setFixedHeight(QFontMetrics(theme.font()).height() + 2)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
        font = self.theme.font()
        painter.setFont(font)
        painter.setPen(QColor(self.theme.colours.muted))
        text = QFontMetrics(font).elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.end()


class Stage(Themed, QWidget):
    """Where the tree is shown. A stuck tree gets a frame in its own colour around everything."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = TreeCanvas(self)
        # A child of the canvas, so that the card about a node can come before it.
        self.banner = StateBanner(self.canvas)
        self._caption = _Caption(self)
        self._legend = CanvasLegend(self)
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
        """Go to this picture; what was known of another tree, or under other rules, is taken away.

        With ``keeps_state`` the state stays on show until that of the new tree is known.
        """
        before = self.canvas.picture
        self.canvas.show_picture(picture, duration_ms)
        now = self.canvas.picture
        if not keeps_state and not (before and now and before.is_same_judgement(now)):
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
        height = self.height() * 10.0 / self.theme.font_size
        has_caption = self._is_caption_wanted and height >= _LOWEST_WITH_CAPTION
        self._caption.setVisible(has_caption)
        if self._corner is not None:
            self._corner.setVisible(has_caption)
        self._legend.setVisible(self._is_legend_wanted and height >= _LOWEST_WITH_LEGEND)

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self.canvas.shut_down()

    def _frame_width(self) -> float:
        return _FRAME * self.theme.line_scale

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
        colours = self.theme.colours
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
