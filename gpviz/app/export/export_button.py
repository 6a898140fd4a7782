"""The export button of a panel: copy its picture, save it, or choose more."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from gpviz.app.theme import Theme, icon
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.export.registry import kind_named
from gpviz.export.request import ExportKind


class ExportButton(Themed, QToolButton):
    """A small button with a menu."""

    def __init__(
        self,
        names: Sequence[str],
        parent: QWidget | None = None,
        *,
        copy: Callable[[str], None],
        save: Callable[[str], None],
        export: Callable[[str], None],
    ) -> None:
        """The button of a panel that shows the first of these kinds; of the others there is only an export.

        What is chosen is done with the name of the kind it is about.
        """
        super().__init__(parent)
        kinds = [kind_named(name) for name in names]
        name = kinds[0].title.lower()
        self.setAccessibleName(f"Export the {name}")
        self.setToolTip(f"Copy, save or export the {name}.")
        self.setText("Export")
        self.setProperty("role", "small")
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")  # the button is too small for it
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = MacSafeMenu(self)
        for kind in kinds:
            if kind.picture:
                menu.addAction("&Copy picture").triggered.connect(partial(_do, copy, kind))
                menu.addAction("&Save picture as …").triggered.connect(partial(_do, save, kind))
                menu.addSeparator()
        for kind in kinds:
            text = "&Export …" if len(kinds) == 1 else f"Export {kind.title.lower()} …"
            menu.addAction(text).triggered.connect(partial(_do, export, kind))
        self.setMenu(menu)

    def apply_theme(self, theme: Theme) -> None:
        """Its sign has the colour of the text."""
        self.setIcon(icon("export", theme))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)


def _do(what: Callable[[str], None], kind: ExportKind, _is_checked: bool = False) -> None:
    what(kind.name)
