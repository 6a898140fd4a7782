"""The page to study in the audience's window: made when it is first wanted, in large type, without its buttons."""

from typing import Any, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QHeaderView,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.pages import page_specs
from gpviz.app.theme import Theme

__all__ = ["PageHolder"]

_SAME_SIZE: Final = 0.01
_MODEST: Final = ("proof", "function")
"""The pages that often need less than the room there is; the others have graphs or long lists."""
_ALL: Final = 16_777_215


class PageHolder(QWidget):
    """Holds all pages that were wanted so far; one of them, or none, is on show."""

    content_changed = Signal()
    """The page may want another height than before."""

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

    def wanted_height(self) -> int:
        """How high the page has to be so that nothing in it is scrolled; the more the better for most of them."""
        page = self.page
        if page is None or self._name not in _MODEST:
            return _ALL
        height = page.heightForWidth(self.width()) if page.hasHeightForWidth() else 0
        height = max(height, page.sizeHint().height())
        areas = [area for area in page.findChildren(QAbstractScrollArea) if area.isVisibleTo(page)]
        around = [_content_height(area) + page.height() - area.height() for area in areas]
        return max(height, *around) if around else height

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.content_changed.emit()
        return is_done

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


def _content_height(area: QAbstractScrollArea) -> int:
    """How high an area would have to be to show all that is in it, as far as that can be told."""
    inner = area.widget() if isinstance(area, QScrollArea) else None
    if inner is not None:
        layout = inner.layout()
        if layout is not None and layout.hasHeightForWidth():
            return layout.totalHeightForWidth(area.viewport().width())
        return inner.sizeHint().height()
    if isinstance(area, QAbstractItemView) and not isinstance(area, QHeaderView) and area.model() is not None:
        return (area.model().rowCount() + 1) * max(area.sizeHintForRow(0), 0)
    return 0
