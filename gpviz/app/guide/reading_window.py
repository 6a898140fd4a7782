"""What the windows to read in share: a list with a search field above it, beside what is read."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListView, QSplitter, QToolButton, QVBoxLayout, QWidget

from gpviz.app.widgets.layouts import column_in


def turning_button(text: str, name: str, tip: str) -> QToolButton:
    """A button that goes back or on."""
    button = QToolButton()
    button.setText(text)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    return button


def focus_search(field: QLineEdit) -> None:
    """Let another search be typed over the last one."""
    field.setFocus()
    field.selectAll()


def lay_out(
    window: QWidget,
    buttons: Sequence[QToolButton],
    search_field: QLineEdit,
    nothing: QWidget,
    found: QListView,
    content: QWidget,
    widths: tuple[int, int],
) -> QWidget:
    """Fill a window, with these widths of list and content at first; returns what stands left of the content.

    ``nothing`` says that nothing is found.
    """
    row = QHBoxLayout()
    for button in buttons:
        row.addWidget(button)
    row.addWidget(search_field, 1)
    left = QWidget()
    column = column_in(left)
    column.addLayout(row)
    column.addWidget(nothing)
    column.addWidget(found, 1)
    split = QSplitter()
    split.addWidget(left)
    split.addWidget(content)
    split.setStretchFactor(0, 0)
    split.setStretchFactor(1, 1)
    split.setSizes(widths)
    split.setChildrenCollapsible(False)
    outer = QVBoxLayout(window)
    outer.addWidget(split)
    return left
