"""A number with a word below it, for what is read from afar."""

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.panels.fields import ElidedLabel
from gpviz.app.theme import Theme

__all__ = ["Figure"]


class Figure(QWidget):
    """Shows a number; its tooltip says it in a sentence."""

    def __init__(self, caption: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number = ElidedLabel()
        self.number.setProperty("role", "title")
        self.caption = ElidedLabel()
        self.caption.setProperty("role", "muted")
        self.caption.setText(caption)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.number)
        layout.addWidget(self.caption)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self.number.setFont(theme.font(1.15, is_bold=True))
        self.caption.setFont(theme.font(0.8))

    def show_figure(self, number: str, words: str) -> None:
        """Show this number, and the sentence to it."""
        self.number.setText(number)
        self.setToolTip(words)
        self.setAccessibleName(f"{self.caption.text()}: {number}")
        self.setAccessibleDescription(words)
