"""Takes a chart away: as a picture on the clipboard, or as a PNG or SVG file."""

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from gpviz.app.dialogs import show_problem
from gpviz.app.experiments.chart_view import ChartView
from gpviz.app.icons import icon
from gpviz.app.pictures.devices import format_of, image_of, write_widget
from gpviz.app.theme import Theme
from gpviz.engine.errors import GpvizError

__all__ = ["ChartExport"]

_FILTERS: Final = "PNG picture (*.png);;SVG picture (*.svg);;PDF page (*.pdf)"
_SCALE: Final = 2.0
_UNFIT: Final = re.compile(r"[^\w.=+-]+")


class ChartExport(QObject):
    """The button, and the menu that a right click on the chart opens too."""

    told = Signal(str)

    def __init__(self, view: ChartView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._parent = parent
        self.button = QToolButton()
        self.button.setText("Export")
        self.button.setAccessibleName("Export the chart")
        self.button.setToolTip("Copy the chart as a picture, or save it as PNG, SVG or PDF.")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setProperty("role", "small")
        self.button.setStyleSheet("QToolButton::menu-indicator { image: none; }")  # there is no room for it
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.menu = QMenu(self.button)
        self.copy_action = self.menu.addAction("&Copy picture")
        self.copy_action.triggered.connect(self.copy)
        self.save_action = self.menu.addAction("&Save picture as …")
        self.save_action.triggered.connect(self.save)
        self.button.setMenu(self.menu)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu_wanted)

    def set_theme(self, theme: Theme) -> None:
        """The sign has the colour of the text."""
        self.button.setIcon(icon("export", theme))

    @Slot()
    def copy(self) -> None:
        """Put the chart on the clipboard."""
        QGuiApplication.clipboard().setImage(image_of(self._view, _SCALE))
        self.told.emit("The chart is on the clipboard.")

    @Slot()
    def save(self) -> None:
        """Ask for a file and write the chart to it."""
        name = _UNFIT.sub("-", self._view.figure.title).strip("-") or "chart"
        chosen, kind = QFileDialog.getSaveFileName(
            self._parent, "Save the chart", str(Path.home() / f"{name[:80]}.png"), _FILTERS
        )
        if not chosen:
            return
        path = Path(chosen)
        if not path.suffix:
            path = path.with_suffix(".svg" if "svg" in kind else ".pdf" if "pdf" in kind else ".png")
        try:
            self.write(path)
        except GpvizError as error:
            show_problem(self._parent, str(error))
        else:
            self.told.emit(f"{path.name} is written to {path.parent}.")

    def write(self, path: Path) -> None:
        """Write the chart as its suffix says; raises `GpvizError` where that cannot be."""
        format_of(path)
        write_widget(path, self._view, _SCALE, self._view.figure.title)

    @Slot(QPoint)
    def _on_menu_wanted(self, place: QPoint) -> None:
        self.menu.popup(self._view.mapToGlobal(place))
