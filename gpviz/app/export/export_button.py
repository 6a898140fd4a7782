"""The export button of a panel: copy its picture, save it, or choose more."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from gpviz.app.export.export_text import KINDS
from gpviz.app.icons import icon
from gpviz.app.theme import Theme
from gpviz.app.widgets.themed import Themed
from gpviz.export.request import What

__all__ = ["PICTURES", "ExportButton", "export_button"]

PICTURES: Final = (What.TREE, What.CURVES, What.TABLE)
"""What can be copied, and saved without a question about anything but the file."""


class ExportButton(Themed, QToolButton):
    """A small button with a menu. What is chosen in it comes with the thing it is about."""

    copy_chosen = Signal(object)
    save_chosen = Signal(object)
    export_chosen = Signal(object)

    def __init__(self, kinds: Sequence[What], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = KINDS[kinds[0]][0].lower()
        self.setAccessibleName(f"Export the {name}")
        self.setToolTip(f"Take the {name} away: copy, save, export.")
        self.setText("Export")
        self.setProperty("role", "small")
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")  # there is no room for it
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = QMenu(self)
        for what in kinds:
            if what in PICTURES:
                menu.addAction("&Copy picture").triggered.connect(partial(_tell, self.copy_chosen, what))
                menu.addAction("&Save picture as …").triggered.connect(partial(_tell, self.save_chosen, what))
                menu.addSeparator()
        for what in kinds:
            text = "&Export …" if len(kinds) == 1 else f"Export {KINDS[what][0].lower()} …"
            menu.addAction(text).triggered.connect(partial(_tell, self.export_chosen, what))
        self.setMenu(menu)

    def apply_theme(self, theme: Theme) -> None:
        """Its sign has the colour of the text."""
        self.setIcon(icon("export", theme))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)


def export_button(kinds: Sequence[What], parent: QWidget | None = None) -> ExportButton:
    """The button of a panel that shows the first of these; of the others there is only an export."""
    return ExportButton(kinds, parent)


def _tell(signal: object, what: What, _is_checked: bool = False) -> None:
    signal.emit(what)  # type: ignore[attr-defined]
