"""What an experiment found: one large sentence, a quieter line and, on request, z, p and what they mean."""

from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import MoreButton, change_text, sentence
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.experiments.statistics.verdict import ExperimentVerdict

_HEADLINE: Final = 1.6
"""The type of the headline, as a multiple of the window's."""


class VerdictView(Themed, QWidget):
    """Shows a verdict; its details are folded away until somebody asks for them."""

    details_shown = Signal(bool)
    """The details are asked for, or no more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.headline = sentence("")
        self.remarks = sentence("muted")
        self.details = sentence("muted")
        self.details.hide()
        self.details_button = MoreButton("Details", "Show or hide z, p and what they mean.")
        self.details_button.toggled.connect(self._on_details_toggled)
        for label in (
            self.headline,
            self.remarks,
            self.details,
        ):  # else it asks for the height of narrow columns
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column_in(
            self,
            self.headline,
            row_of((self.remarks, 1), self.details_button, spacing=10),
            self.details,
            spacing=3,
            margins=(12, 4, 12, 2),
        )

    def show_verdict(self, verdict: ExperimentVerdict) -> None:
        """Show what was found so far."""
        change_text(self.headline, verdict.headline)
        change_text(self.remarks, verdict.remarks)
        change_text(self.details, verdict.details)
        self.details_button.setVisible(bool(verdict.details))
        self._show_details()

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's type."""
        self.headline.setFont(theme.font(_HEADLINE, is_bold=True))

    @Slot(bool)
    def _on_details_toggled(self, is_on: bool) -> None:
        self._show_details()
        self.details_shown.emit(is_on)

    def _show_details(self) -> None:
        self.details.setVisible(self.details_button.isChecked() and bool(self.details.text()))
