"""The small parts of forms: headings, sentences, fields for numbers, choices, formulas and settings."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.themed import WidgetMixin
from gpviz.engine.settings import Choice, Setting, WholeNumber
from gpviz.escaping import label_text, tooltip_text


class PlainLabel(QLabel):
    """Shows any text, also a stranger's, as it is."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        super().setText(label_text(text))


def heading(text: str, parent: QWidget | None = None) -> QLabel:
    """The heading of a panel."""
    label = PlainLabel(text, parent)
    label.setProperty("role", "heading")
    return label


def sentence(role: str, parent: QWidget | None = None, *, text: str = "") -> QLabel:
    """A label for a sentence that wraps and can be copied: ``muted`` or ``problem``."""
    label = PlainLabel(parent=parent)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    # A word that cannot be broken must not make the panel wider.
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    label.setText(text)  # a text that is there before the flags is painted otherwise
    return label


def change_text(label: QLabel, text: str) -> None:
    """Change a label only where it changes, as each change makes Qt lay out the panel anew."""
    if label.text() != text:
        label.setText(text)


def show_sentence(label: QLabel, text: str) -> None:
    """Show this text in the label; hide the label if the text is empty."""
    change_text(label, text)
    label.setVisible(bool(text))


def push_button(text: str, tip: str, name: str, role: str = "") -> QPushButton:
    """A button with a name that says more than its text; the one that matters most is ``primary``."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAccessibleName(name)
    button.setProperty("role", role)
    return button


def small_button(text: str, tip: str, name: str = "") -> QToolButton:
    """A button beside something else, with a name of its own where its text is only a sign."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(name)
    button.setProperty("role", "small")
    return button


class MoreButton(QToolButton):
    """Shows or hides what is seldom needed; its arrow says which."""

    def __init__(self, text: str, tip: str) -> None:
        super().__init__()
        self.setText(text)
        self.setToolTip(tip)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("role", "small")
        self.toggled.connect(self._turn_arrow)
        self._turn_arrow(False)

    @Slot(bool)
    def _turn_arrow(self, is_on: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if is_on else Qt.ArrowType.RightArrow)


class ElidedLabel(PlainLabel):
    """A line of text as wide as its column; where it does not fit and may not wrap it ends in an ellipsis."""

    def __init__(self, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def shown_text(self) -> str:
        """What of the text is to be seen."""
        if self.wordWrap():
            return self.text()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown_text()
        if shown == self.text():
            super().paintEvent(event)  # it also paints what is selected
            return
        with QPainter(self) as painter:
            flags = int(self.alignment()) | int(Qt.TextFlag.TextSingleLine)
            role = self.foregroundRole()
            self.style().drawItemText(
                painter, self.rect(), flags, self.palette(), self.isEnabled(), shown, role
            )


class NumberField(QLineEdit):
    """A field for a whole number, which the arrow keys count up and down."""

    @property
    def value_changed(self) -> SignalInstance:
        """Tells that something is typed."""
        return self.textChanged

    @property
    def return_pressed(self) -> SignalInstance:
        """Tells that somebody has typed all."""
        return self.returnPressed

    def value(self) -> str:
        """What is typed."""
        return self.text()

    def set_value(self, value: str) -> None:
        """Show a value from its beginning; where it is there already, the cursor stays."""
        if self.text() != value:
            self.setText(value)
            self.setCursorPosition(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        change = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if not change or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        try:
            number = int(self.text()) + change
        except ValueError:
            return  # the sentence below the field says what is wrong
        if number >= 0:
            self.setText(str(number))
            self.textEdited.emit(self.text())


class ShortNumberField(NumberField):
    """A field for a number of a few digits, no wider than that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance("0" * 6) + self.fontMetrics().height()
        return QSize(width, super().sizeHint().height() + 6)  # as high as the buttons beside it

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ScrolledPast(WidgetMixin):
    """Stands before the Qt class among the bases of a field that the wheel changes only while it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # whoever scrolls the panel does not mean this field


class ChoiceBox(ScrolledPast, QComboBox):
    """A choice among a few values, each with the text a person reads."""

    def value(self) -> str:
        """The value that is chosen."""
        return str(self.currentData() or "")

    def set_value(self, value: str) -> None:
        """Choose a value."""
        self.setCurrentIndex(self.findData(value))

    def choose(self, value: str) -> None:
        """Choose a value, if there is such a one, without a signal."""
        if self.findData(value) >= 0:
            with QSignalBlocker(self):
                self.set_value(value)

    def set_choices(self, choices: Iterable[tuple[str, str]]) -> None:
        """Offer these; what was chosen stays so if it is among them, else it is the first. There is no signal."""
        chosen, offered = self.value(), list(choices)
        if offered == [(self.itemData(index), self.itemText(index)) for index in range(self.count())]:
            return  # a list that is open stays open
        with QSignalBlocker(self):
            self.clear()
            for value, text in offered:
                self.addItem(text, value)
        self.choose(chosen)


class _PanelBox(ChoiceBox):
    """A combo box as wide as its column, and not as its longest item.

    Beside a run the focus leaves it when its list has been closed, so that Space plays the run again.
    """

    return_pressed = Signal()
    """Somebody has typed all; it comes from fields in which one types, and once, unlike that of Qt's line edit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def hidePopup(self) -> None:  # noqa: N802
        was_open = self.view().isVisible()
        super().hidePopup()
        if was_open and not self.window().isModal():
            self.clearFocus()


class ChoiceField(_PanelBox):
    """A choice in a panel beside the run."""

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_choices(choices)

    @property
    def value_changed(self) -> SignalInstance:
        """Tells that another value is chosen."""
        return self.currentIndexChanged


class LimitField(_PanelBox):
    """A field for the size limit, with the usual ones to choose from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems(["n", "n+1", "2n", "none"])
        self.setCompleter(None)  # type: ignore[arg-type]  # it would turn a typed 2 into 2n

    @property
    def value_changed(self) -> SignalInstance:
        """Tells that something is typed or chosen."""
        return self.editTextChanged

    def value(self) -> str:
        """What is typed."""
        return self.currentText()

    def set_value(self, value: str) -> None:
        """Show a limit."""
        self.setEditText(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.return_pressed.emit()
        else:
            super().keyPressEvent(event)


class NumberSpin(ScrolledPast, QSpinBox):
    """A number from 1, which counts only when it is typed to its end."""

    def __init__(self, most: int, value: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(1, most)
        self.setValue(value)
        self.setGroupSeparatorShown(True)
        # A step that grows with the number reaches a million in a few seconds.
        self.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        # A number half typed is none: 1 on the way to 1000 would pause at once.
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


class FormulaField(QLineEdit):
    """A field for a formula, however long."""

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(2**24)  # a formula that is too long gets a sentence, and is not cut
        self.setPlaceholderText(placeholder)

    def set_formula(self, formula: str) -> None:
        """Show a formula from its beginning."""
        self.setText(formula)
        self.setCursorPosition(0)


def add_spoken_label(field: QWidget, text: str) -> None:
    """Name a list without a label: screen readers do not speak its own name, but that of a label."""
    label = QLabel(text, field.parentWidget())
    label.setBuddy(field)
    label.hide()


def set_tip(widget: QWidget, text: str) -> None:
    """Explain a widget to those who see, by a tooltip whose lines wrap, and to those who listen."""
    widget.setToolTip(tooltip_text(text))
    widget.setAccessibleDescription(label_text(text))


class TextBox(QPlainTextEdit):
    """A field for several lines. Tab leaves it; the keys that write and move are its own, not shortcuts."""

    left = Signal()

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        """At least so many lines high."""
        super().__init__(parent)
        self._lines = lines
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_text(self, text: str) -> None:
        """Show a text; one that is there already keeps the cursor."""
        if text != self.toPlainText():
            with QSignalBlocker(self):
                self.setPlainText(text)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(self.fontMetrics().lineSpacing() * self._lines) + 26)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            held = event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
            is_function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
            if not held and not is_function_key and event.key() != Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another look; the style sheet only notices after polishing."""
    if (widget.property("role") or "") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def mark_wrong(field: QWidget, *, is_wrong: bool) -> None:
    """Let a field look wrong, or as usual."""
    set_role(field, "wrong" if is_wrong else "")


SettingField = NumberField | ChoiceField | LimitField
"""Each has ``value()`` and ``set_value()`` for texts as a person types them, and the signals ``value_changed`` and
``return_pressed``."""


def setting_field(row: Setting) -> SettingField:
    """A field for one value of a setting."""
    if isinstance(row.kind, Choice):
        return ChoiceField(row.kind.choices)
    return NumberField() if isinstance(row.kind, WholeNumber) else LimitField()


class TicksField(QWidget):
    """A few values, each with a box to tick; they stand below one another, so that long texts fit."""

    value_changed = Signal()

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = {key: QCheckBox(text) for key, text in choices}
        for box in self.boxes.values():
            box.toggled.connect(self.value_changed)
        column_in(self, *self.boxes.values(), spacing=1)

    def describe(self, title: str, hint: str) -> None:
        """Describe the boxes by tooltips and for screen readers."""
        self.setAccessibleName(title)
        for box in self.boxes.values():
            box.setAccessibleName(f"{title}: {box.text()}")
            set_tip(box, hint)

    def values(self) -> tuple[str, ...]:
        """What is ticked, in the order of the boxes."""
        return tuple(key for key, box in self.boxes.items() if box.isChecked())

    def set_values(self, values: Sequence[str]) -> None:
        """Tick these and no others, without a word."""
        for key, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(key in values)


class FieldGrid(QWidget):
    """Fields below one another, each with its name before it and a line for its problem below."""

    def __init__(self, spacing: int = 5, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(spacing)
        self._grid.setColumnStretch(1, 1)
        self._fields: dict[str, QWidget] = {}
        self._hints: dict[str, str] = {}
        self._parts: dict[str, tuple[QLabel, QWidget, QLabel]] = {}

    def add(self, name: str, title: str, field: QWidget, hint: str, beside: QWidget | None = None) -> None:
        """Put a field below those that are there, with something small to the right of it."""
        row = self._grid.rowCount()
        label = QLabel(title)
        set_tip(label, hint)
        if isinstance(field, TicksField):
            field.describe(title, hint)
            label.setBuddy(next(iter(field.boxes.values())))
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        else:
            label.setBuddy(field)
            set_tip(field, hint)
            field.setAccessibleName(title)
            self._grid.addWidget(label, row, 0)
        problem = sentence("problem")
        problem.setObjectName(f"problem_{name}")
        problem.hide()
        box = field if beside is None else _side_by_side(field, beside)
        self._grid.addWidget(box, row, 1)
        self._grid.addWidget(problem, row + 1, 0, 1, 2)
        self._fields[name] = field
        self._hints[name] = label_text(hint)
        self._parts[name] = (label, box, problem)

    def add_line(self, widget: QWidget) -> None:
        """Put something that is no field below those that are there."""
        self._grid.addWidget(widget, self._grid.rowCount(), 0, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def label_width(self) -> int:
        """The width of the names of the fields."""
        return self._grid.columnMinimumWidth(0)

    def needed_width(self, metrics: QFontMetrics) -> int:
        """The width that they need, seen or not."""
        return max(metrics.horizontalAdvance(label.text()) for label, _, _ in self._parts.values())

    def set_label_width(self, width: int) -> None:
        """Set the width of the names of the fields."""
        self._grid.setColumnMinimumWidth(0, width)

    def show_field(self, name: str, is_shown: bool) -> None:
        """Show or hide a field with all that belongs to it."""
        label, box, problem = self._parts[name]
        label.setVisible(is_shown)
        box.setVisible(is_shown)
        if not is_shown:
            problem.hide()

    def tell(self, problems: dict[str, str]) -> None:
        """Say what is wrong with the fields, by their names; nothing about those that are right."""
        for name, (_, _, label) in self._parts.items():
            problem = problems.get(name, "")
            show_sentence(label, problem)
            field, spoken = self._fields[name], label_text(problem) or self._hints[name]
            mark_wrong(field, is_wrong=bool(problem))
            if field.accessibleDescription() != spoken:
                field.setAccessibleDescription(spoken)

    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._parts)

    def problem_label(self, name: str) -> QLabel:
        """The label that says what is wrong with a field."""
        return self._parts[name][2]


def _side_by_side(field: QWidget, beside: QWidget) -> QWidget:
    box = QWidget()
    row_in(box, (field, 1), beside, spacing=6)
    return box


def align(grids: Sequence[FieldGrid], font: QFont) -> None:
    """Align the fields of all grids."""
    metrics = QFontMetrics(font)
    width = max(grid.needed_width(metrics) for grid in grids)
    for grid in grids:
        grid.set_label_width(width)
