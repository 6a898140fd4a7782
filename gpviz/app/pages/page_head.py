"""The first lines of a page: its headline, a quieter line, and at the right its own small menu."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import change_text, sentence, show_sentence, small_button
from gpviz.app.widgets.layouts import Margins, column_in, row_of
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed

PAGE_MARGINS: Final[Margins] = (16, 6, 16, 10)
"""Around what stands on a page."""
_HEADLINE: Final = 1.4
"""The type of a headline, as a multiple of the window's."""


class PageHead(Themed, QWidget):
    """A headline with a line below it; both wrap. The menu is there where it has a tip."""

    def __init__(self, menu_tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.headline = sentence("")
        self.line = sentence("muted")
        self.line.hide()
        self.menu_button = small_button("⋯", menu_tip, menu_tip.rstrip("."))
        self.menu_button.setProperty("role", "menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu = MacSafeMenu(self.menu_button)
        self.menu.setToolTipsVisible(True)
        self.menu_button.setMenu(self.menu)
        self.menu_button.setVisible(bool(menu_tip))
        first = row_of((self.headline, 1), self.menu_button, spacing=8)
        first.setAlignment(self.menu_button, Qt.AlignmentFlag.AlignTop)
        column_in(self, first, self.line, spacing=1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self.headline.setFont(theme.font(_HEADLINE, is_bold=True))

    def show_text(self, headline: str, line: str = "") -> None:
        """Show this headline and, unless it is empty, this line below it."""
        change_text(self.headline, headline)
        show_sentence(self.line, line)
