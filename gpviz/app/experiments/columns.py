"""The two columns of the experiments window: the plan, which can be hidden, and what it came to."""

from typing import Final

from PySide6.QtCore import QByteArray, Qt, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from gpviz.app.experiments.memory import restore_share
from gpviz.app.theme import Theme
from gpviz.app.widgets.scroll_area import TallArea

__all__ = ["Columns"]

_SIDE_LETTERS: Final = 44


class Columns(QSplitter):
    """The plan at the left, with what starts it below; the rest of the window at the right."""

    def __init__(
        self, editor: QWidget, launch: QWidget, main: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._share: QByteArray | None = None
        self.side = QFrame()
        self.side.setProperty("role", "card")
        left = QVBoxLayout(self.side)
        left.setContentsMargins(12, 10, 8, 10)
        left.setSpacing(8)
        left.addWidget(TallArea(editor), 1)
        left.addWidget(launch)
        self.setHandleWidth(8)
        self.addWidget(self.side)
        self.addWidget(main)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)

    def share(self) -> QByteArray | None:
        """How the two share the window, or did when the plan was last seen; None if nobody has seen it yet."""
        if self.side.isVisible():
            self._share = self.saveState()
        return self._share

    def set_share(self, share: QByteArray | None) -> None:
        """Let the two share the window like this."""
        self._share = share
        restore_share(self, share)

    def set_theme(self, theme: Theme) -> None:
        """Give the plan the room it needs in this type, unless a person has said how much it gets."""
        if self._share is None:
            letter = QFontMetrics(theme.font()).averageCharWidth()
            self.setSizes([_SIDE_LETTERS * letter, self.width()])

    @Slot(bool)
    def show_plan(self, is_shown: bool) -> None:
        """Show or hide the plan; it comes back as wide as it was."""
        share = self.share()
        self.side.setVisible(is_shown)
        if is_shown:
            restore_share(self, share)
