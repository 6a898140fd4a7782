"""Lays out the main window: tree, page, words, settings and the error curve in panes, and time at the bottom."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.guide.window import set_guide_page
from gpviz.app.key_text import key_text
from gpviz.app.pages.page import CurvesPage, PageTabs
from gpviz.app.pane_sizes import GAP, Arrangement, Division, GripPlace, Pane, arrangement_for, divide
from gpviz.app.panels.bookmarks_panel import BookmarksPanel
from gpviz.app.panels.pause_panel import PausePanel
from gpviz.app.panels.quiz_bar import QuizBar
from gpviz.app.panels.run_form import RunForm
from gpviz.app.panels.step_panel import StepPanel
from gpviz.app.panels.transport_bar import TransportBar
from gpviz.app.plots.lazy_curves import CurvesLoader
from gpviz.app.plots.timeline import Timeline
from gpviz.app.preferences import Preferences
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import PlainLabel, set_tip
from gpviz.app.widgets.focus_order import set_panes
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in, column_of, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.page_list import CURVES

_SHORT_TEXT: Final = 80
"""A text about a run that is no longer than that needs no folding."""
_STEP: Final = 0.04
"""By which share of the room a key makes a pane larger or smaller."""
_GRIP_LENGTH: Final = 44.0
_GRIP_WIDTH: Final = 4.0

# How much room the panes have at first, in lines of type and in shares of the room, whichever is less.
_PAGE_BESIDE: Final = (37, 0.42)
_PAGE_BELOW: Final = 0.48
_CURVES_BELOW: Final = 0.33
_THUMBNAIL: Final = (17, 0.24)
_WORDS_BESIDE: Final = (12.5, 0.3)
_LEAST_WORDS: Final = (10.0, 0.38)
"""What the words of a step have in low windows, where the share above would cut them."""
_WORDS_WITH_NUMBERS: Final = (21, 0.5)
_WORDS_BELOW: Final = (18, 0.35)
_STRIP: Final = (6.5, 0.15)
_LEAST_PAGE: Final = (20, 8)
"""Across and down, in lines of type."""
_TREE_LINES: Final = 15
"""With less height than that, in lines of type, the tree has no curve below it."""

_GRIP_NAMES: Final = {
    Pane.SETTINGS: "Size of the settings",
    Pane.PAGE: "Size of the page",
    Pane.WORDS: "Size of the step in words",
    Pane.STRIP: "Size of the error curve",
}


class Grip(Themed, QWidget):
    """The line between two panes: it is dragged, moved by the arrow keys, and put back by a double-click."""

    def __init__(self, pane: Pane, area: "PaneArea") -> None:
        """It changes the size of this pane."""
        super().__init__(area)
        self._area = area
        self._pane = pane
        self._size = 0
        self._is_upright = True
        self._from: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(_GRIP_NAMES[pane])
        self.setAccessibleDescription("The arrow keys move it, Home puts it back.")
        self.setToolTip("Drag to resize, double-click to reset")
        self.hide()

    def show_at(self, place: GripPlace) -> None:
        """Be on this line."""
        self._is_upright = place.is_upright
        shape = Qt.CursorShape.SplitHCursor if self._is_upright else Qt.CursorShape.SplitVCursor
        self.setCursor(shape)
        self.setGeometry(place.place)
        self.show()
        self.update()

    @property
    def colour(self) -> str:
        """What it is drawn in."""
        is_active = self.hasFocus() or self.underMouse() or self._from is not None
        return self.theme.colours.accent if is_active else self.theme.colours.muted

    def paintEvent(self, event: QPaintEvent) -> None:
        across, down = (_GRIP_WIDTH, _GRIP_LENGTH) if self._is_upright else (_GRIP_LENGTH, _GRIP_WIDTH)
        grip = QRectF(0.0, 0.0, min(across, self.width()), min(down, self.height()))
        grip.moveCenter(QRectF(self.rect()).center())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.colour))
            painter.drawRoundedRect(grip, _GRIP_WIDTH / 2, _GRIP_WIDTH / 2)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(self.theme.colours.accent), 2.0))
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._from = event.globalPosition()
            self._size = self._area.size_of(self._pane)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            way = event.globalPosition() - self._from
            self._area.drag(self._pane, self._size, round(way.x() if self._is_upright else way.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._area.reset(self._pane)

    def event(self, event: QEvent) -> bool:
        # Elsewhere these keys go through the run.
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (self._way_of(event) or event.key() == Qt.Key.Key_Home)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = self._way_of(event)
        if way:
            self._area.step(self._pane, way)
        elif event.key() == Qt.Key.Key_Home:
            self._area.reset(self._pane)
        else:
            super().keyPressEvent(event)

    def _way_of(self, event: QKeyEvent) -> int:
        back, on = (
            (Qt.Key.Key_Left, Qt.Key.Key_Right) if self._is_upright else (Qt.Key.Key_Up, Qt.Key.Key_Down)
        )
        return {back: -1, on: 1}.get(Qt.Key(event.key()), 0)


class PaneArea(Themed, QWidget):
    """The panes of a window, each where the size of the window and a person want it.

    No pane ever changes its parent, so that the focus, what is chosen and how far something is scrolled stay as
    they are when the window becomes wide or narrow.
    """

    arranged = Signal(object)
    """The panes have another `Arrangement`."""

    def __init__(self, panes: Mapping[Pane, QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._panes = dict(panes)
        self._is_wanted = dict.fromkeys(self._panes, True)
        self._is_filled = False
        self._page = CURVES
        self._has_numbers = False
        self._shares: dict[str, float] = {}
        self._division = Division()
        self._line_height = QFontMetrics(self.theme.font()).lineSpacing()
        self.arrangement = Arrangement.BELOW
        self.grips: dict[Pane, Grip] = {}
        for pane, widget in self._panes.items():
            widget.setParent(self)
            if pane in _GRIP_NAMES:
                self.grips[pane] = Grip(pane, self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # What is shown

    def show_pane(self, pane: Pane, is_shown: bool) -> None:
        """Show a pane wherever there is room for it, or hide it."""
        self._is_wanted[pane] = is_shown
        self._arrange()
        self.updateGeometry()

    @Slot(str)
    def show_page(self, name: str) -> None:
        """The page on show is this one, and has the room that it had when it was seen last."""
        self._page = name
        self._arrange()

    @Slot(bool)
    def set_with_numbers(self, has_numbers: bool) -> None:
        """Whether the step is told in numbers as well, for which it needs more room beside the tree."""
        self._has_numbers = has_numbers
        self._arrange()

    def set_filled(self, is_filled: bool) -> None:
        """Let the page fill the room, with the tree as a thumbnail, or no longer."""
        self._is_filled = is_filled
        self._arrange()

    def size_of(self, pane: Pane) -> int:
        """How much a pane has of the side that it shares with others; 0 if it shares none."""
        grip = self._division.grips.get(pane)
        if grip is None:
            return 0
        place = self._panes[pane].geometry()
        return place.width() if grip.is_upright else place.height()

    # Sizes that a person has chosen

    @property
    def shares(self) -> dict[str, float]:
        """What was chosen for each pane, for each page by itself, and for each arrangement."""
        return dict(self._shares)

    def set_shares(self, shares: Mapping[str, float]) -> None:
        """Share the room as it was shared before."""
        self._shares = dict(shares)
        self._arrange()

    def drag(self, pane: Pane, size: int, way: int) -> None:
        """Move the line of a pane that had this size by so many pixels to the right or down."""
        grip = self._division.grips.get(pane)
        if grip is not None and grip.total > 0:
            self._choose(pane, (size + (way if grip.grows_forwards else -way)) / grip.total)

    def step(self, pane: Pane, way: int) -> None:
        """Move the line of a pane by one key to the right or down (1), or to the left or up (-1)."""
        grip = self._division.grips.get(pane)
        if grip is not None:
            self.grow(pane, way if grip.grows_forwards else -way)

    def reset(self, pane: Pane) -> None:
        """Give a pane the room that it has by itself."""
        self._shares.pop(self._key(pane), None)
        self._arrange()

    def grow(self, pane: Pane, steps: int) -> None:
        """Make a pane larger, or smaller."""
        grip = self._division.grips.get(pane)
        if grip is not None:
            self._choose(pane, self.size_of(pane) / grip.total + steps * _STEP)

    def _choose(self, pane: Pane, share: float) -> None:
        self._shares[self._key(pane)] = min(max(share, 0.0), 1.0)
        self._arrange()
        # What did not find room is not remembered, or the next step would seem to do nothing.
        grip = self._division.grips.get(pane)
        if grip is not None and grip.total > 0:
            self._shares[self._key(pane)] = self.size_of(pane) / grip.total

    def _key(self, pane: Pane) -> str:
        return f"{pane}/{self.arrangement}" + (f"/{self._page}" if pane is Pane.PAGE else "")

    # Geometry

    def apply_theme(self, theme: Theme) -> None:
        self._line_height = QFontMetrics(theme.font()).lineSpacing()
        self._arrange()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """What the narrow arrangement needs, as every other one comes only where there is more room."""
        least = self._least()
        width, height = least[Pane.TREE].width(), least[Pane.TREE].height()
        for pane in (Pane.WORDS, Pane.SETTINGS):
            if self._is_wanted[pane]:
                width += GAP + least[pane].width()
        if self._is_wanted[Pane.PAGE]:
            height += GAP + least[Pane.PAGE].height()
        return QSize(width, height)

    def sizeHint(self) -> QSize:
        return QSize(1280, 760).expandedTo(self.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
            self.updateGeometry()
            return True
        return super().event(event)

    def _least(self) -> dict[Pane, QSize]:
        least = {
            pane: widget.minimumSizeHint().expandedTo(widget.minimumSize())
            for pane, widget in self._panes.items()
        }
        across, down = (lines * self._line_height for lines in _LEAST_PAGE)
        least[Pane.PAGE] = least[Pane.PAGE].expandedTo(QSize(across, 0)).boundedTo(QSize(across, 10**6))
        least[Pane.PAGE].setHeight(max(least[Pane.PAGE].height(), min(down, 120)))
        return least

    def _arrange(self) -> None:
        window = self.window().size()
        before = self.arrangement
        self.arrangement = arrangement_for(window.width(), window.height())
        is_beside = self.arrangement is Arrangement.BESIDE
        if self._is_filled and self._is_wanted[Pane.PAGE]:
            self.arrangement = Arrangement.FILLED
        if self.arrangement is not before:
            self.arranged.emit(self.arrangement)
        shown = {pane for pane, is_wanted in self._is_wanted.items() if is_wanted}
        if not is_beside:
            shown.discard(Pane.STRIP)
        self._division = divide(
            self.rect(),
            self.arrangement,
            shown,
            self._least(),
            self._wanted,
            _TREE_LINES * self._line_height,
        )
        for pane, widget in self._panes.items():
            place = self._division.panes.get(pane)
            if place is not None:
                widget.setGeometry(place)
            widget.setVisible(place is not None)
        for pane, grip in self.grips.items():
            line = self._division.grips.get(pane)
            if line is None:
                grip.hide()
            else:
                grip.show_at(line)

    def _wanted(self, pane: Pane, total: int) -> float:
        share = self._shares.get(self._key(pane))
        return share * total if share is not None else self._usual(pane, total)

    def _usual(self, pane: Pane, total: int) -> float:
        """How much a pane has by itself."""
        line = self._line_height
        if pane is Pane.SETTINGS:
            return self._panes[pane].minimumSizeHint().width()
        if pane is Pane.STRIP:
            return min(_STRIP[0] * line, _STRIP[1] * total)
        is_beside = self.arrangement is Arrangement.BESIDE
        if pane is Pane.WORDS:
            beside = _WORDS_WITH_NUMBERS if self._has_numbers else _WORDS_BESIDE
            lines, share = beside if is_beside else _WORDS_BELOW
            least = min(_LEAST_WORDS[0] * line, _LEAST_WORDS[1] * total) if is_beside else 0.0
            return max(min(lines * line, share * total), least)
        if is_beside:
            return min(_PAGE_BESIDE[0] * line, _PAGE_BESIDE[1] * total)
        if self.arrangement is Arrangement.FILLED:
            return total - max(_THUMBNAIL[0] * line, _THUMBNAIL[1] * total)
        return total * (_CURVES_BELOW if self._page == CURVES else _PAGE_BELOW)


class WindowLayout(Themed, QWidget):
    """All views of the window, in panes whose sizes are a person's to change, and are remembered."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setup = RunForm()
        self.pause = PausePanel()
        self.bookmarks = BookmarksPanel()
        self.canvas = TreeCanvas()
        self.step_panel = StepPanel()
        self.curves = CurvesLoader()
        self.strip = CurvesLoader(is_strip=True)
        self.timeline = Timeline()
        self.transport = TransportBar(actions)
        self.quiz = QuizBar()
        self.quiz.hide()
        self._about_title = PlainLabel()
        self._about_title.setProperty("role", "title")
        self._about_text = PlainLabel()
        self._about = QWidget()
        self._is_folded = False
        self._build_about()

        self._scrolled = (
            _Panel(_column(self.setup, self.pause, self.bookmarks)),
            _Panel(_column(self._about, self.step_panel)),
        )
        settings, words = (_framed(panel, 0) for panel in self._scrolled)
        self.drawer = PageTabs({CURVES: CurvesPage(self.curves)})
        tree = QWidget()
        column_in(tree, (self.canvas, 1), self.quiz, spacing=GAP // 2)
        self.panes = PaneArea(
            {
                Pane.SETTINGS: settings,
                Pane.TREE: tree,
                Pane.STRIP: _framed(self.strip, 2),
                Pane.WORDS: words,
                Pane.PAGE: _framed(self.drawer),
            }
        )
        self.handle = SettingsHandle(actions["setup_panel"])
        self.time_card = _framed(column_of(self.transport, self.timeline, spacing=4), 6)
        line = row_of(self.handle, (self.panes, 1), spacing=GAP)
        column_in(self, (line, 1), self.time_card, spacing=GAP, margins=(GAP, 0, GAP, 0))
        set_panes(
            self.handle,
            self._scrolled[0],
            self.canvas,
            self.quiz,
            self.strip,
            self._scrolled[1],
            self.drawer,
            self.time_card,
        )
        self.panes.arranged.connect(self._on_arranged)
        self.drawer.page_shown.connect(self.panes.show_page)
        self.step_panel.numbers_button.toggled.connect(self.panes.set_with_numbers)
        for widget, topic in (
            (self.canvas, "the-tree"),
            (self.timeline, "timeline"),
            (self.transport, "transport"),
            (self.setup, "settings"),
            (self.pause, "pause-when"),
            (self.step_panel, "the-step-in-words"),
            (self.bookmarks, "timeline"),
            (self.strip, "curves"),
        ):
            set_guide_page(widget, f"window#{topic}")
        set_guide_page(self.quiz, "study#guess-first")

    def apply_theme(self, theme: Theme) -> None:
        self._about_title.setFont(theme.font(1.1, is_bold=True))
        for panel in self._scrolled:
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
        set_tip(self._about_title, "" if is_shown else text)

    def show_left(self, is_shown: bool) -> None:
        """Show the settings, or the handle that brings them back."""
        self.panes.show_pane(Pane.SETTINGS, is_shown)
        self.handle.setVisible(not is_shown)

    def has_in_settings(self, widget: QWidget | None) -> bool:
        """Whether a widget is one of the settings."""
        return widget is not None and self._scrolled[0].isAncestorOf(widget)

    def store(self, preferences: Preferences) -> None:
        """Remember how the room is shared."""
        preferences.pane_shares = self.panes.shares
        for name, button in self._folded_parts().items():
            preferences.set_flag(name, button.isChecked())

    def restore(self, preferences: Preferences) -> None:
        """Share the room as it was shared before."""
        self.panes.set_shares(preferences.pane_shares)
        for name, button in self._folded_parts().items():
            button.setChecked(preferences.flag(name, False))

    def _folded_parts(self) -> dict[str, QToolButton]:
        """The buttons that unfold what is seldom wanted, by the names under which that is remembered."""
        return {"more_settings": self.setup.more_button, "step_numbers": self.step_panel.numbers_button}

    @Slot(object)
    def _on_arranged(self, arrangement: Arrangement) -> None:
        """Words that stand above a page are short.

        Beside a page that fills the room the tree is a thumbnail.
        """
        self.step_panel.set_short(arrangement is not Arrangement.BELOW)
        self.canvas.set_thumbnail(arrangement is Arrangement.FILLED)
        self._scrolled[1].forget_width()

    def _build_about(self) -> None:
        self._about_title.setWordWrap(True)
        self._about_text.setWordWrap(True)
        self._about_text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column_in(self._about, self._about_title, self._about_text, spacing=4)


class SettingsHandle(Themed, QAbstractButton):
    """Stands at the edge of the window while the settings are folded away, and brings them back."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText("Settings")
        self.setToolTip(
            key_text("The settings are folded away: show them (Ctrl+1).\nNew run: Ctrl+N · Restart: Ctrl+R")
        )
        self.setAccessibleName("Show the settings")
        self.setAccessibleDescription(
            key_text("The settings are folded away. New run: Ctrl+N, restart: Ctrl+R.")
        )
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(action.trigger)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.theme.font())
        return QSize(metrics.height() + 8, metrics.horizontalAdvance(f"{self.text()}  ▸") + 24)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), 40)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        is_active = self.hasFocus() or self.underMouse()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(
                QPen(QColor(colours.accent if is_active else colours.border), 2 if is_active else 1)
            )
            painter.setBrush(QColor(colours.panel))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
            painter.setPen(QColor(colours.text))
            painter.setFont(self.theme.font())
            painter.rotate(90)
            words = QRect(0, -self.width(), min(self.height(), self.sizeHint().height()), self.width())
            painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), f"{self.text()}  ▴")


def _column(*widgets: QWidget) -> QWidget:
    column = QWidget()
    column_in(column, *widgets, None, spacing=14, margins=(12, 10, 12, 10))
    return column


class _Panel(WrappingScrollArea):
    """A column of views that scrolls when the window is too low for it, but is never too narrow.

    It keeps the width it once needed, so that the stage beside it does not move with every word.
    """

    def __init__(self, content: QWidget) -> None:
        self._content = content
        self._widest = 0
        super().__init__(content)

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
    column_in(frame, content, margins=(margin, margin, margin, margin))
    return frame
