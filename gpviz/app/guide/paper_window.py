"""The Paper page: the paper's statements in their order, each with buttons that show it happening."""

import re
from bisect import bisect_left
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QColor, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QListView,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from gpviz.app.announcements import Announcer
from gpviz.app.guide.window import ReadingWindow
from gpviz.app.key_text import free_keys, key_text
from gpviz.app.theme import Theme, icon
from gpviz.app.widgets.fields import PlainLabel, heading, sentence, set_tip
from gpviz.app.widgets.layouts import FlowLayout, WrappingScrollArea, column_in, column_of, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import menu_text
from gpviz.paper_statements import (
    SECTIONS,
    Show,
    Statement,
    find_statements,
    load_statements,
    unbroken_formula,
)

_ID: Final = int(Qt.ItemDataRole.UserRole)
_ICONS: Final = {
    "preset": "play",
    "comparison": "compare",
    "plan": "experiments",
    "lecture": "lecture",
    "guide": "open",
}
_SCALES: Final = (1.0, 1.05, 1.1, 1.15, 1.2, 1.28, 1.35, 1.42, 1.5, 1.65, 1.8, 2.0, 2.2, 2.4, 2.6)
_USUAL_SIZE: Final = (600, 480)
"""The size of a card, in pixels, with type of the usual size; in a larger one the type may grow."""
_BESIDE: Final = 860
"""From this width on, what is assumed and what is measured stand side by side; for type of 10 points."""
_SPACING: Final = 12
_USUAL_HEIGHT: Final = 760
_MOST_OF_LIST: Final = 1.35
"""The list grows with the height of the window, up to this."""
_OPERATORS: Final = re.compile(r" (?=[=≤≥<>+−×/⇒%])|(?<=[=≤≥<>+−×/⇒]) |(?<=ℓ) (?=n)")
_FUNCTIONS: Final = re.compile(r"\b(lg²?|log²?|log[ₙᵧ]|ln) ")
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


class StatementCard(Themed, QFrame):
    """One statement, in type that grows with the window, so that it can be read from the last row."""

    show_asked = Signal(object)
    """Something is to be opened; a `Show`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.statement: Statement | None = None
        self._space = QSize(*_USUAL_SIZE)
        # Two of them: a label that gets another look later loses the space around its text. A theorem's is filled.
        self._badges = [PlainLabel(), PlainLabel()]
        for label, role in zip(self._badges, ("badge", "badge filled"), strict=True):
            label.setProperty("role", role)
        self.section = PlainLabel()
        self.section.setProperty("role", "muted")
        self.title = sentence("title")
        self.formula = sentence("formula")
        self.formula.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = sentence("text")
        self.assumptions = sentence("text")
        self.reality = sentence("text")
        self.measured_by = sentence("muted")
        self.buttons: list[QPushButton] = []
        self._headings = [heading(text) for text in ("It assumes", "In reality", "Show")]
        self._shows = FlowLayout(gap=10, line_gap=8)
        self._build()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_statement(self, each: Statement) -> None:
        """Show a statement and its buttons."""
        self.statement = each
        for index, badge in enumerate(self._badges):
            badge.setText(each.name)
            badge.setVisible(index == (each.kind == "theorem"))
        self.section.setText(f"Section {each.section}: {SECTIONS[each.section]}")
        self.title.setText(each.title)
        self.formula.setText(unbroken_formula(each.formula))
        self.formula.setVisible(bool(each.formula))
        self.text.setText(_unbroken(each.text))
        self.assumptions.setText(_unbroken(each.assumptions))
        self.reality.setText(_unbroken(each.reality))
        self.measured_by.setText(f"Obtained by: {each.measured_by}")
        self._fill_shows(each)
        self._fit()

    def apply_theme(self, theme: Theme) -> None:
        for button, show in self._shown():
            button.setIcon(icon(_ICONS[show.target], theme))
        self._fit()

    def set_space(self, size: QSize) -> None:
        """Fit the type to the space for the card."""
        self._space = size
        self._fit()

    def _fit(self) -> None:
        """Have the largest type in which all is seen without scrolling, but not too large for its lines."""
        most = min(self._space.width() / _USUAL_SIZE[0], self._space.height() / _USUAL_SIZE[1])
        scales = [scale for scale in _SCALES if scale <= max(most, _SCALES[0])]
        too_large = bisect_left(
            scales, True, key=lambda scale: self._height_with(scale) > self._space.height()
        )
        self._height_with(scales[max(0, too_large - 1)])

    def _height_with(self, scale: float) -> int:
        """Set type of this scale, and return how high that makes the card."""
        layout, width = self.layout(), self._space.width()
        assert layout is not None
        self._set_type(scale)
        is_wide = width >= _BESIDE * scale * self.theme.font_size / 10
        directions = QBoxLayout.Direction
        self._columns.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)
        layout.invalidate()
        layout.activate()  # the layouts within it know their old sizes until then
        return layout.totalHeightForWidth(width)

    def _set_type(self, scale: float) -> None:
        font = self.theme.font
        self._column.setSpacing(round(_SPACING * scale))
        for badge in self._badges:
            badge.setFont(font(scale, is_bold=True))
        self.section.setFont(font(scale))
        self.title.setFont(font(1.7 * scale, is_bold=True))
        self.formula.setFont(font(1.4 * scale))
        self.text.setFont(font(1.3 * scale))
        for label in self._headings:
            label.setFont(font(scale, is_bold=True))
        for label in (self.assumptions, self.reality):
            label.setFont(font(1.1 * scale))
        self.measured_by.setFont(font(0.95 * scale))
        for button in self.buttons:
            button.setFont(font(1.1 * scale))
            side = QFontMetrics(button.font()).height()
            button.setIconSize(QSize(side, side))

    def _fill_shows(self, each: Statement) -> None:
        while (item := self._shows.takeAt(0)) is not None:
            widget = item.widget()
            assert widget is not None
            widget.hide()
            widget.deleteLater()
        self.buttons = []
        for show in each.shows:
            button = QPushButton(f" {menu_text(show.label)}")
            button.setAccessibleName(f"Show: {show.label}")
            button.setAccessibleDescription(f"Opens {show.destination}")
            set_tip(button, f"Opens {show.destination}")
            button.setIcon(icon(_ICONS[show.target], self.theme))
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._ask, show))
            self._shows.add(button)
            button.show()
            self.buttons.append(button)
        self._shows.invalidate()

    def _ask(self, show: Show, _is_checked: bool = False) -> None:
        self.show_asked.emit(show)

    def _shown(self) -> list[tuple[QPushButton, Show]]:
        return [] if self.statement is None else list(zip(self.buttons, self.statement.shows, strict=True))

    def _build(self) -> None:
        head = row_of(*self._badges, (self.section, 1), spacing=12)
        assumed, real, shows = self._headings
        left = column_of(assumed, self.assumptions, None, spacing=4)
        right = column_of(real, self.reality, self.measured_by, None, spacing=4)
        self._columns = column_of((left, 1), (right, 1), spacing=18)
        words = (head, self.title, self.formula, self.text, self._columns)
        self._column = column_in(
            self, *words, shows, self._shows, None, spacing=_SPACING, margins=(26, 22, 26, 22)
        )


class _CardArea(WrappingScrollArea):
    """Scrolls a card where it is too high, and fits its type to the space."""

    def __init__(self, card: StatementCard, parent: QWidget | None = None) -> None:
        super().__init__(card, parent)
        self._card = card

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._card.set_space(self.size())
        super().resizeEvent(event)


class PaperWindow(ReadingWindow):
    """Statements on the left, the chosen one on the right.

    Page Down and Page Up, which clickers send, go forward and back. Esc empties the search, leaves the full
    screen, then closes. The window has no parent: what it opens must not stay behind it.
    """

    show_asked = Signal(object)
    """Something is to be opened; a `Show`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        card = StatementCard()
        super().__init__(_CardArea(card), (330, 850), parent)
        self.card = card
        self.setWindowTitle("The paper – gpviz")
        self._name_search(
            "Search the statements",
            key_text("List the statements that contain all these words (Ctrl+F)"),
            "No statement contains all these words.",
        )
        back, forward = "Previous statement", "Next statement"
        self._set_turning(self.back_button, back, "PgUp", f"{back} (Page Up)", partial(self._go, -1))
        self._set_turning(
            self.forward_button, forward, "PgDown", f"{forward} (Page Down)", partial(self._go, 1)
        )
        self.search_field.textChanged.connect(self._fill)
        self.list.currentItemChanged.connect(self._on_chosen)
        self._set_keys({free_keys(["Shift+F11"])[0]: self.toggle_full_screen})
        self.list.setAccessibleName("Statements of the paper")
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.announcer = Announcer(self)
        self.card.show_asked.connect(self.show_asked)
        self._fill()
        self.follow_theme()
        self._take_size(1180, 760)

    def open_at(self, name: str = "") -> None:
        """Show the window with the statement that has this id; without one, with the one it had, or the first."""
        if name:
            self.search_field.clear()
            self._choose(name)
        self._show_with_focus(self.list)

    @Slot()
    def toggle_full_screen(self) -> None:
        """Fill the screen, or no longer."""
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def apply_theme(self, theme: Theme) -> None:
        self._set_list_type()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_list_type()

    def _set_list_type(self) -> None:
        scale = max(1.0, min(_MOST_OF_LIST, self.height() / _USUAL_HEIGHT))
        self.list.setFont(self.theme.font(scale))
        for row in range(self.list.count()):
            if not self._id_in(row):
                self.list.item(row).setFont(self.theme.font(scale, is_bold=True))
                self.list.item(row).setForeground(QColor(self.theme.colours.muted))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses a button that has the keyboard, as Space does."""
        focus = self.focusWidget()
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat()
        if is_return and isinstance(focus, QAbstractButton):
            focus.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.announcer.close()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.left.setVisible(not self.isFullScreen())

    def _id_in(self, row: int) -> str:
        return str(self.list.item(row).data(_ID) or "")

    def _go(self, steps: int, _is_checked: bool = False) -> None:
        """To the statement so many further on in the list."""
        rows, row = self._rows(), self.list.currentRow()
        index = rows.index(row) + steps if row in rows else 0
        if 0 <= index < len(rows):
            self.list.setCurrentRow(rows[index])
            if not self.list.hasFocus() and self.card.statement is not None:
                self.announcer.say(self.card.statement.heading)  # else the list is heard

    def _choose(self, name: str) -> None:
        for row in self._rows():
            if self._id_in(row) == name:
                self.list.setCurrentRow(row)

    @Slot()
    def _fill(self) -> None:
        """List the statements that the search finds, below the headings of their sections."""
        chosen = self.card.statement
        found = find_statements(self.search_field.text())
        with QSignalBlocker(self.list):
            self.list.clear()
            for section, statements in groupby(found, attrgetter("section")):
                title = QListWidgetItem(f"{section}  {SECTIONS[section]}", self.list)
                title.setFlags(Qt.ItemFlag.NoItemFlags)
                for each in statements:
                    item = QListWidgetItem(f"{each.name}\n{each.title}", self.list)
                    item.setData(_ID, each.id)
                    item.setData(int(Qt.ItemDataRole.AccessibleTextRole), each.heading)
            self._set_list_type()
        self.nothing.setVisible(not found)
        if found:
            self._choose((chosen if chosen in found else found[0]).id)
        self._enable_navigation()

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ID):
            each = next(each for each in load_statements() if each.id == item.data(_ID))
            self.card.show_statement(each)
            self.setWindowTitle(f"{each.heading} – The paper – gpviz")
            self._enable_navigation()

    def _enable_navigation(self) -> None:
        rows, row = self._rows(), self.list.currentRow()
        self.back_button.setEnabled(bool(rows) and row != rows[0])
        self.forward_button.setEnabled(bool(rows) and row != rows[-1])


def _unbroken(text: str) -> str:
    """The text with formulas that stay on one line."""
    return _FUNCTIONS.sub(rf"\1{_NO_BREAK}", _OPERATORS.sub(_NO_BREAK, text)).replace(
        "root-and", "root\N{NON-BREAKING HYPHEN}and"
    )
