"""Lays out the main window: a title, the stage, time below it, and a drawer of pages at the right."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.drawer import Drawer
from gpviz.app.guess_bar import GuessBar
from gpviz.app.guide.window import set_guide_page
from gpviz.app.plots.time_strip import TimeStrip
from gpviz.app.preferences import Preferences
from gpviz.app.theme import Theme
from gpviz.app.title_line import TitleLine
from gpviz.app.transport_bar import TransportBar
from gpviz.app.widgets.edge import Edge
from gpviz.app.widgets.focus_order import set_focus_order, set_panes
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed

GAP: Final = 8
_MARGIN: Final = 12
_DRAWER: Final = "drawer"
_STRIP: Final = "strip"
_USUAL_SHARES: Final = {_DRAWER: 0.45, _STRIP: 0.22}
"""Of the width of the window, and of the height of stage and strip."""
_LEAST_DRAWER: Final = 26
_LEAST_STAGE: Final = (30, 13)
"""Across and down. These and the following are in lines of type."""
_LEAST_STRIP: Final = 2.6
_FILLED_STRIP: Final = 0.75
"""How high the strip is below a page that fills the window, as a share of its usual height."""
_LARGEST_SHARE: Final = 0.7


class WindowLayout(Themed, QWidget):
    """All parts of the window. The drawer's edge and the upper one of the time strip are a person's to move."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_line = TitleLine(actions, self)
        self.canvas = TreeCanvas(self)
        self.guess_bar = GuessBar(self.canvas)
        self.strip = TimeStrip()
        self.transport = TransportBar(actions, self)
        self.drawer = Drawer()
        self._time = _card(self.strip, self, 3)
        self._pages = _card(self.drawer, self, 8)
        self._shares: dict[str, float] = {}
        self._is_open = self._is_filled = False
        self._size = 0  # of what an edge changes, when the edge was pressed
        self.drawer_edge = Edge("Width of the pages", is_upright=True, parent=self)
        self.strip_edge = Edge("Height of the time strip", is_upright=False, parent=self)
        for name, edge in ((_DRAWER, self.drawer_edge), (_STRIP, self.strip_edge)):
            edge.pressed.connect(partial(self._on_edge_pressed, name))
            edge.moved.connect(partial(self._on_edge_moved, name))
            edge.reset.connect(partial(self._on_edge_reset, name))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        set_focus_order(
            self.canvas,
            self.transport,
            self._time,
            self.strip_edge,
            self.title_line,
            self.drawer_edge,
            self._pages,
        )
        set_panes(self.title_line, self.canvas, self.strip, self.transport, self.drawer)
        for widget, topic in (
            (self.canvas, "window#the-tree"),
            (self.strip, "window#time-strip"),
            (self.transport, "window#transport"),
            (self.guess_bar, "study#guess-first"),
        ):
            set_guide_page(widget, topic)
        self._arrange()

    @property
    def is_drawer_open(self) -> bool:
        """Whether the pages are on show."""
        return self._is_open

    def open_drawer(self, is_open: bool) -> None:
        """Show the pages at the right of the stage, or the stage alone."""
        self._is_open = is_open
        self._arrange()

    def fill_with_page(self, is_filled: bool) -> None:
        """Give the page the space of the stage and of time as well, or no longer."""
        self._is_filled = is_filled
        self._arrange()

    @property
    def is_tree_covered(self) -> bool:
        """Whether the pages stand where the tree does."""
        return self.canvas.isHidden()

    def take_focus(self) -> None:
        """Give the keyboard to the tree, or to the tabs of the pages that cover it, where Space still plays."""
        (self.drawer.tabs if self.is_tree_covered else self.canvas).setFocus()

    def widen_drawer(self, steps: int) -> None:
        """Give the drawer more space, or less."""
        if self.drawer_edge.isVisible():
            self.drawer_edge.move_by(-steps)

    def store(self, preferences: Preferences) -> None:
        """Remember where the edges are."""
        preferences.pane_shares = dict(self._shares)

    def restore(self, preferences: Preferences) -> None:
        """Put the edges where they were."""
        self._shares = {name: share for name, share in preferences.pane_shares.items() if 0 < share < 1}
        self._arrange()

    def apply_theme(self, theme: Theme) -> None:
        self._arrange()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        line = QFontMetrics(self.theme.font()).lineSpacing()
        rows = (self.title_line, self.transport)
        width = max(_LEAST_STAGE[0] * line, *(row.minimumSizeHint().width() for row in rows))
        height = (_LEAST_STAGE[1] + _LEAST_STRIP) * line + sum(row.sizeHint().height() for row in rows)
        return QSize(round(width) + 2 * _MARGIN, round(height) + 4 * GAP)

    def sizeHint(self) -> QSize:
        return QSize(1280, 690).expandedTo(self.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
            self.updateGeometry()
            return True
        return super().event(event)

    # --- geometry ---

    def _arrange(self) -> None:
        line = QFontMetrics(self.theme.font()).lineSpacing()
        area = self.rect().adjusted(_MARGIN, 0, -_MARGIN, -GAP)
        height = self.title_line.sizeHint().height()
        self.title_line.setGeometry(area.left(), area.top(), area.width(), height)
        area.setTop(area.top() + height + GAP)
        width = self._wanted(_DRAWER, area.width(), _LEAST_DRAWER * line)
        is_beside = area.width() - width - GAP >= _LEAST_STAGE[0] * line and not self._is_filled
        pages = area.adjusted(area.width() - width, 0, 0, 0)
        if self._is_open and is_beside:
            area.setRight(pages.left() - GAP - 1)
        height = self.transport.sizeHint().height()
        self.transport.setGeometry(area.left(), area.bottom() - height + 1, area.width(), height)
        area.setBottom(area.bottom() - height - GAP)
        least = max(_LEAST_STRIP * line, self.strip.minimumSizeHint().height())
        height = self._wanted(_STRIP, area.height(), least)
        if self._is_filled:
            height = round(max(_FILLED_STRIP * height, least))
        stage, time = area.adjusted(0, 0, 0, -height - GAP), area.adjusted(0, area.height() - height, 0, 0)
        if not is_beside:
            pages = stage
        is_covered = self._is_open and not is_beside
        _place(self._pages, pages, is_seen=self._is_open)
        focus = QApplication.focusWidget()
        if is_covered and focus is not None and (focus is self.canvas or self.canvas.isAncestorOf(focus)):
            self.drawer.tabs.setFocus()  # else Qt gives the keyboard to the next button
        _place(self.canvas, stage, is_seen=not is_covered)
        _place(self._time, time, is_seen=True)
        between = QRect(area.right() + 1, pages.top(), GAP, pages.height())
        _place(self.drawer_edge, between, is_seen=self._is_open and is_beside)
        between = QRect(stage.left(), stage.bottom() + 1, stage.width(), GAP)
        _place(self.strip_edge, between, is_seen=not is_covered)

    def _wanted(self, name: str, total: int, least: float) -> int:
        """How much of a side a part has."""
        wanted = self._shares.get(name, _USUAL_SHARES[name]) * total
        return round(max(min(wanted, _LARGEST_SHARE * total), least))

    # --- edges ---

    def _sizes(self, name: str) -> tuple[int, int]:
        """What an edge changes, and what that is a share of."""
        if name == _DRAWER:
            return self._pages.width(), self.title_line.width()
        return self._time.height(), self.canvas.height() + GAP + self._time.height()

    def _change(self, name: str, size: float) -> None:
        total = self._sizes(name)[1]
        self._shares[name] = min(max(size / total, 0.0), _LARGEST_SHARE)
        self._arrange()
        # What did not find space is not remembered, or the next step would seem to do nothing.
        self._shares[name] = self._sizes(name)[0] / total

    def _on_edge_pressed(self, name: str) -> None:
        self._size = self._sizes(name)[0]

    def _on_edge_moved(self, name: str, way: int) -> None:
        self._change(name, self._size - way)

    def _on_edge_reset(self, name: str) -> None:
        self._shares.pop(name, None)
        self._arrange()


def _place(part: QWidget, place: QRect, *, is_seen: bool) -> None:
    if is_seen:
        part.setGeometry(place)
    part.setVisible(is_seen)


def _card(content: QWidget, parent: QWidget, margin: int) -> QFrame:
    frame = QFrame(parent)
    frame.setProperty("role", "card")
    column_in(frame, content, margins=(margin, margin, margin, margin))
    return frame
