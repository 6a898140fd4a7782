"""The page to study in the audience's window: made when it is first wanted, in large type, without its buttons."""

from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QVBoxLayout, QWidget

from gpviz.app.pages import page_specs
from gpviz.app.theme import Theme

__all__ = ["PageHolder"]

_SAME_SIZE: Final = 0.01


class PageHolder(QWidget):
    """Holds all pages that were wanted so far; one of them, or none, is on show."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = ""
        self._pages: dict[str, Any] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def name(self) -> str:
        """The page on show, empty for none."""
        return self._name

    @property
    def page(self) -> Any:
        """The page on show itself, None for none."""
        return self._pages.get(self._name)

    def show_page(self, name: str) -> None:
        """Show this page; an empty name for none."""
        self._name = name
        if name and name not in self._pages:
            self._make(name)
        for other, page in self._pages.items():
            page.setVisible(other == name)

    def set_theme(self, theme: Theme) -> None:
        before, self._theme = self._theme, theme
        for page in self._pages.values():
            self._dress(page, before.font_size)

    def shut_down(self) -> None:
        """End what the pages do in the background."""
        for page in self._pages.values():
            if hasattr(page, "shut_down"):
                page.shut_down()

    def _make(self, name: str) -> None:
        spec = next(spec for spec in page_specs(self) if spec.name == name)
        page = self._pages[name] = spec.make()
        self._column.addWidget(page)
        self._dress(page, QApplication.font().pointSizeF())
        for part in (page, *page.findChildren(QWidget)):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys are the speaker's
            if isinstance(part, QAbstractButton | QComboBox):
                part.setMaximumSize(0, 0)  # the page may show it again, but nobody sees it

    def _dress(self, page: Any, plain_size: float) -> None:
        """Give a page its type. What had the plain size has not chosen one, and follows."""
        parts = (page, *page.findChildren(QWidget))
        plain = [part for part in parts if abs(part.font().pointSizeF() - plain_size) < _SAME_SIZE]
        page.set_theme(self._theme)
        for part in plain:
            font = part.font()
            if abs(font.pointSizeF() - plain_size) < _SAME_SIZE:
                font.setPointSizeF(self._theme.font_size)
                part.setFont(font)
