"""Lays out the main window: panels beside the stage; pages, transport and timeline below it."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from gpviz.app.canvas.stage import Stage
from gpviz.app.guide.window import set_guide_page
from gpviz.app.pages.page import CurvesPage
from gpviz.app.pages.workbench import Workbench
from gpviz.app.panels.bookmarks_panel import BookmarksPanel
from gpviz.app.panels.pause_panel import PausePanel
from gpviz.app.panels.quiz_bar import QuizBar
from gpviz.app.panels.run_form import RunForm
from gpviz.app.panels.step_panel import StepPanel
from gpviz.app.panels.transport_bar import TransportBar
from gpviz.app.plots.curves_loader import CurvesLoader
from gpviz.app.plots.timeline import Timeline
from gpviz.app.settings import Settings
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.page_list import CURVES

__all__ = ["WindowLayout"]

_GAP: Final = 8
_SHORT_TEXT: Final = 80
"""A text about a run that is no longer than that needs no folding."""
_STUDIED_LINES: Final = 16
_MOST_STUDIED: Final = 0.5
"""How high the lower part is for a page to study: so many lines of type, but no more than this share."""
# The first sizes of what the splitters part, with how much of any further room each takes.
_WHOLE: Final = ((280, 0), (1000, 1))
_UPPER: Final = ((800, 1), (300, 0))
_MIDDLE: Final = ((530, 3), (260, 1))


class WindowLayout(Themed, QWidget):
    """All views of the window. The splitters are a person's to move, and are remembered."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setup = RunForm()
        self.pause = PausePanel()
        self.bookmarks = BookmarksPanel()
        self.stage = Stage()
        self.step_panel = StepPanel()
        self.curves = CurvesLoader()
        self.timeline = Timeline()
        self.transport = TransportBar(actions)
        self._about_title = QLabel()
        self._about_title.setProperty("role", "title")
        self._about_text = QLabel()
        self._about = QWidget()
        self._is_folded = False
        self._build_about()

        self._line_height = QFontMetrics(self.theme.font()).lineSpacing()
        self._panels = (
            _Panel(_column(self.setup, self.pause, self.bookmarks)),
            _Panel(_column(self._about, self.step_panel)),
        )
        self._left, self._right = (_framed(panel, 0) for panel in self._panels)
        self.workbench = Workbench({CURVES: CurvesPage(self.curves)})
        self._lower_card = _framed(self.workbench)
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.quiz = QuizBar()
        self.quiz.hide()
        self._upper = _splitter(horizontal, _UPPER, _stacked(self.stage, self.quiz), self._right)
        self._middle = _splitter(vertical, _MIDDLE, self._upper, self._lower_card)
        self._whole = _splitter(horizontal, _WHOLE, self._left, self._middle)
        below = QVBoxLayout()
        below.setSpacing(4)
        below.addWidget(self.transport)
        below.addWidget(self.timeline)
        layout = column_in(self, spacing=_GAP, margins=(_GAP, 0, _GAP, 0))
        layout.addWidget(self._whole, 1)
        self.time_card = _framed(below, 6)
        layout.addWidget(self.time_card)
        self._is_studying = False
        self._other_height: int | None = None  # of the lower part, while it is used for the other purpose
        self.workbench.page_shown.connect(self._make_room)
        for widget, topic in (
            (self.stage, "the-tree"),
            (self.timeline, "timeline"),
            (self.transport, "transport"),
            (self.setup, "settings"),
            (self.pause, "pause-when"),
            (self.step_panel, "the-step-in-words"),
            (self.bookmarks, "timeline"),
        ):
            set_guide_page(widget, f"window#{topic}")
        set_guide_page(self.quiz, "study#guess-first")

    def apply_theme(self, theme: Theme) -> None:
        self._about_title.setFont(theme.font(1.1, is_bold=True))
        self._line_height = QFontMetrics(theme.font()).lineSpacing()
        for panel in self._panels:
            panel.forget_width()

    def set_about(self, title: str, text: str) -> None:
        """Say what there is to see in the run on show; nothing if nobody has said it."""
        self._about_title.setText(title)
        self._about_text.setText(text)
        self._about.setVisible(bool(title))
        self.fold_about(self._is_folded)

    def fold_about(self, is_folded: bool) -> None:
        """Leave only the title and a short sentence, where the step needs the room; the rest is a tooltip."""
        self._is_folded = is_folded
        text = self._about_text.text()
        is_shown = bool(text) and (not is_folded or len(text) <= _SHORT_TEXT)
        self._about_text.setVisible(is_shown)
        self._about_title.setToolTip("" if is_shown else text)

    def show_left(self, is_shown: bool) -> None:
        self._left.setVisible(is_shown)

    def show_right(self, is_shown: bool) -> None:
        self._right.setVisible(is_shown)

    def show_lower(self, is_shown: bool) -> None:
        self._lower_card.setVisible(is_shown)

    @Slot(str)
    def _make_room(self, page: str) -> None:
        """Pages to study need more room than the curves; each keeps the height that a person has given it."""
        is_studying = page != CURVES
        if is_studying == self._is_studying:
            return
        self._is_studying = is_studying
        upper, lower = self._middle.sizes()
        if not lower:
            return
        wanted = self._other_height
        if wanted is None:
            wanted = max(
                lower, round(min(_MOST_STUDIED * (upper + lower), _STUDIED_LINES * self._line_height))
            )
        self._other_height = lower
        self._middle.setSizes([upper + lower - wanted, wanted])

    def store(self, settings: Settings) -> None:
        """Remember where the splitters are, the lower one as it is for the curves."""
        self._make_room(CURVES)
        for name, splitter in self._splitters().items():
            settings.set_state(name, splitter.saveState())

    def restore(self, settings: Settings) -> None:
        """Put the splitters where they were."""
        for name, splitter in self._splitters().items():
            state = settings.state(name)
            if state is not None:
                splitter.restoreState(state)

    def _splitters(self) -> dict[str, QSplitter]:
        return {"splitter_upper": self._upper, "splitter_middle": self._middle, "splitter_whole": self._whole}

    def _build_about(self) -> None:
        self._about_title.setWordWrap(True)
        self._about_title.setTextFormat(Qt.TextFormat.PlainText)
        self._about_text.setWordWrap(True)
        self._about_text.setTextFormat(Qt.TextFormat.PlainText)
        self._about_text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = column_in(self._about, spacing=4)
        layout.addWidget(self._about_title)
        layout.addWidget(self._about_text)


def _splitter(orientation: Qt.Orientation, shares: Sequence[tuple[int, int]], *widgets: QWidget) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(_GAP)
    splitter.setChildrenCollapsible(False)
    for place, (widget, (_, stretch)) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, stretch)
    splitter.setSizes([size for size, _ in shares])
    return splitter


def _stacked(main: QWidget, below: QWidget) -> QWidget:
    stack = QWidget()
    layout = column_in(stack, spacing=_GAP // 2)
    layout.addWidget(main, 1)
    layout.addWidget(below)
    return stack


def _column(*widgets: QWidget) -> QWidget:
    column = QWidget()
    layout = column_in(column, spacing=14, margins=(12, 10, 12, 10))
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return column


class _Panel(QScrollArea):
    """A column of views that scrolls when the window is too low for it, but is never too narrow.

    It keeps the width it once needed, so that the stage beside it does not move with every word.
    """

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        self._widest = 0
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content.installEventFilter(self)

    def forget_width(self) -> None:
        """Find out anew how wide it must be: the type has changed."""
        self._widest = 0
        self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._needed_width() > self._widest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def minimumSizeHint(self) -> QSize:
        self._widest = max(self._widest, self._needed_width())
        return QSize(self._widest, 80)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), super().sizeHint().height())

    def _needed_width(self) -> int:
        return self._content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()


def _framed(content: QWidget | QLayout, margin: int = 8) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "card")
    layout = column_in(frame, margins=(margin, margin, margin, margin))
    if isinstance(content, QLayout):
        layout.addLayout(content)
    else:
        layout.addWidget(content)
    return frame
