"""The export dialog: what to take away, of which iterations, how it is to look, and where it goes."""

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.export.export_text import EVERY, FIELDS, FORMAT_NAMES, KINDS, PACES, SCALES, SIZES, amount_text
from gpviz.app.icons import icon
from gpviz.app.theme import THEME_NAMES, Theme, load_theme
from gpviz.app.widgets.fields import heading, sentence
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.export.request import (
    FORMATS,
    HEIGHTS,
    WIDTHS,
    Every,
    ExportRequest,
    What,
    check_request,
    check_steps,
    format_of,
    number_of_iterations,
    options_for,
)
from gpviz.run.file_io import error_reason, file_mode, shown_path
from gpviz.run.history import History

__all__ = [
    "CUSTOM",
    "FROM_TO",
    "LAST",
    "OTHER",
    "SO_FAR",
    "THIS",
    "WHOLE",
    "Choice",
    "ExportDialog",
    "ExportForm",
    "KindsList",
    "Number",
]

# The fields of the export dialog: choices and numbers.


class Choice(QComboBox):
    """A choice among a few values, each with the words a person reads; the wheel scrolls past it."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_choices(self, choices: Mapping[str, str]) -> None:
        """Offer these; what was chosen stays so if it is among them. Nothing is told."""
        chosen, was_blocked = self.value(), self.blockSignals(True)
        self.clear()
        for value, text in choices.items():
            self.addItem(text, value)
        self.blockSignals(was_blocked)
        self.choose(chosen)

    def value(self) -> str:
        """The value that is chosen."""
        return str(self.currentData())

    def choose(self, value: str) -> None:
        """Choose a value, if there is such a one; nothing is told."""
        place = self.findData(value)
        if place >= 0:
            was_blocked = self.blockSignals(True)
            self.setCurrentIndex(place)
            self.blockSignals(was_blocked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # whoever scrolls the dialog does not mean this field


class Number(QSpinBox):
    """A whole number within a range."""

    def __init__(self, name: str, tip: str, least: int, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setRange(least, most)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def put(self, number: int) -> None:
        """Show a number; nothing is told."""
        was_blocked = self.blockSignals(True)
        self.setValue(number)
        self.blockSignals(was_blocked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


# The list of what can be taken away: each thing with its sign, its name, and what it is in a few words.

_EXPLANATION: Final = Qt.ItemDataRole.UserRole + 1
_CHOSEN_ICON: Final = Qt.ItemDataRole.UserRole + 2
_MARGIN: Final = 8
_ICON_GAP: Final = 10
_LINE_LENGTH: Final = 44
"""How many letters of an explanation are to fit on a line."""
_LEAST_SHARE: Final = 0.65
"""On a narrow screen the explanations take more lines, and leave the room to the fields."""


class _Delegate(QStyledItemDelegate):
    """Paints an item with its explanation below its name, in as many lines as it needs."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours = theme.colours

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        rect = option.rect
        colours = self._colours
        backdrop = QStyleOptionViewItem(option)
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, backdrop, painter, option.widget
        )
        size = _icon_size(option.fontMetrics)
        sign = index.data(_CHOSEN_ICON if is_chosen else Qt.ItemDataRole.DecorationRole)
        top = rect.top() + (rect.height() - size) // 2
        sign.paint(painter, QRect(rect.left() + _MARGIN, top, size, size))
        title, explanation = _places(option.fontMetrics, rect.width(), index.data(_EXPLANATION))
        title.translate(rect.topLeft())
        explanation.translate(rect.topLeft())
        painter.save()
        painter.setFont(_bold(option.font))
        painter.setPen(QColor(colours.accent_text if is_chosen else colours.text))
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft, index.data(Qt.ItemDataRole.DisplayRole))
        painter.setFont(option.font)
        painter.setPen(QColor(colours.accent_text if is_chosen else colours.muted))
        painter.drawText(explanation, int(Qt.TextFlag.TextWordWrap), index.data(_EXPLANATION))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        width = option.widget.viewport().width() if isinstance(option.widget, QListView) else 0
        return QSize(0, _height(option.fontMetrics, width, index.data(_EXPLANATION)))


class KindsList(QListWidget):
    """One of the things is always chosen; the arrow keys and the first letters of a name choose another."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What to take away")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_Delegate(theme, self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        colours = theme.colours
        for what, (name, explanation) in KINDS.items():
            item = QListWidgetItem(icon(f"export-{what}", theme), name)
            item.setData(Qt.ItemDataRole.UserRole, what.value)
            item.setData(_EXPLANATION, explanation)
            item.setData(_CHOSEN_ICON, icon(f"export-{what}", theme, colours.accent_text))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, explanation)
            item.setToolTip(explanation)
            self.addItem(item)

    def what(self) -> What:
        """The thing that is chosen."""
        return What(self.currentItem().data(Qt.ItemDataRole.UserRole))

    def choose(self, what: What) -> None:
        """Choose a thing."""
        self.setCurrentRow(list(KINDS).index(what))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # how high an item is depends on how wide it is

    def sizeHint(self) -> QSize:
        """Wide enough for a line, and as high as everything in it."""
        self.ensurePolished()
        metrics = self.fontMetrics()
        width = _LINE_LENGTH * metrics.averageCharWidth() + _indent(metrics)
        height = sum(_height(metrics, width, explanation) for _, explanation in KINDS.values())
        return QSize(width + 3 * _MARGIN, height + 2 * _MARGIN)

    def minimumSizeHint(self) -> QSize:
        width = round(_LEAST_SHARE * self.sizeHint().width())
        return QSize(width, 6 * self.fontMetrics().lineSpacing())


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


def _icon_size(metrics: QFontMetrics) -> int:
    return round(1.6 * metrics.height())


def _indent(metrics: QFontMetrics) -> int:
    return _MARGIN + _icon_size(metrics) + _ICON_GAP


def _height(metrics: QFontMetrics, width: int, explanation: str) -> int:
    return _places(metrics, width, explanation)[1].bottom() + _MARGIN


def _places(metrics: QFontMetrics, width: int, explanation: str) -> tuple[QRect, QRect]:
    """Where the name and the explanation go in an item of this width, from its corner."""
    left = _indent(metrics)
    room = max(width - left - _MARGIN, 1)
    title = QRect(left, _MARGIN - 2, room, metrics.lineSpacing())
    below = QRect(left, title.bottom() + 2, room, 10_000)
    place = metrics.boundingRect(below, int(Qt.TextFlag.TextWordWrap), explanation)
    place.setWidth(room)
    return title, place


# How the export dialog looks: its fields, their places, and how large it is.

THIS, LAST, OTHER = "this", "last", "other"
WHOLE, SO_FAR, FROM_TO = "whole", "so far", "from to"
CUSTOM: Final = "custom"
_SHARE_OF_SCREEN: Final = 0.92
_SPACING: Final = 12


class ExportForm(QDialog):
    """The fields of the dialog; what follows from what is no business of theirs."""

    def __init__(self, length: int, cursor: int, title: str, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.kinds_list = KindsList(theme)
        self._is_fitted = False
        self._make_fields(length, cursor, title)
        self._form = QFormLayout()
        self._rows: dict[str, QWidget] = {}
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_fitted:  # only now its parts know how large they are
            self._is_fitted = True
            self._fit_screen()

    def _make_fields(self, length: int, cursor: int, title: str) -> None:
        self.format_field = Choice("Format", "The format of the file; its name ends accordingly.")
        self.at_field = Choice("Which iteration", "The iteration that is shown.")
        self.at_number = Number("Iteration", f"From 0, the start, to {length:,}.", 0, length)
        self.span_field = Choice("Which iterations", "The iterations that are taken.")
        self.first_number = Number("From iteration", f"From 0, the start, to {length:,}.", 0, length)
        self.last_number = Number("To iteration", f"From 0, the start, to {length:,}.", 0, length)
        self.every_field = Choice("Which steps", "Steps that are left out are not shown.")
        self.theme_field = Choice("Theme", "The colours and the size of the type.")
        self.size_field = Choice("Usual sizes", "The size in pixels; type and lines keep theirs.")
        self.width_number = Number("Width", "The width in pixels.", *WIDTHS)
        self.height_number = Number("Height", "The height in pixels.", *HEIGHTS)
        self.scale_field = Choice(
            "Sharpness", "More pixels for the same picture, for print and large screens."
        )
        self.pace_field = Choice("Pace", "How fast the film goes.")
        self.bare_box = QCheckBox("Only the tree, without marks and words")
        self.bare_box.setToolTip("For a figure in a paper: no banner, caption, legend or last mutation.")
        self.fragment_box = QCheckBox("Only the picture, to be included in a document")
        self.fragment_box.setToolTip("Leaves out the preamble; the file cannot be compiled by itself.")
        self.title_field = QLineEdit(title)
        self.title_field.setAccessibleName("Title")
        self.title_field.setToolTip("The title that stands above it.")
        self.title_field.setMaxLength(200)
        self.file_field = QLineEdit()
        self.file_field.setAccessibleName("File")
        self.file_field.setToolTip(
            "The name of the file; without a folder it goes to the one of the last time."
        )
        self.browse_button = QPushButton("B&rowse …")
        self.browse_button.setToolTip("Choose the folder and the name.")
        self.browse_button.setAutoDefault(False)
        self.at_field.set_choices(
            {
                THIS: f"This one, {cursor:,}",
                LAST: f"The last one, {length:,}",
                OTHER: "Another one",
            }
        )
        self.span_field.set_choices(
            {WHOLE: "The whole run", SO_FAR: "Up to this iteration", FROM_TO: "From … to …"}
        )
        self.every_field.set_choices({every.value: text for every, text in EVERY.items()})
        self.theme_field.set_choices({name: load_theme(name).title for name in THEME_NAMES})
        sizes = {f"{width}x{height}": f"{text}, {width} × {height}" for text, width, height in SIZES}
        self.size_field.set_choices({**sizes, CUSTOM: "Another one"})
        self.scale_field.set_choices(SCALES)
        self.pace_field.set_choices(PACES)

    def _lay_out(self) -> None:
        content = QWidget()
        columns = QHBoxLayout(content)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(28)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(heading("What to take away"))
        left.addWidget(self.kinds_list, 1)
        columns.addLayout(left, 2)
        right = QVBoxLayout()
        right.setSpacing(10)
        right.addWidget(heading("How and where"))
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(10)
        self._add_row("format", "F&ormat", self.format_field)
        self._add_row("at", "&Iteration", self.at_field, self.at_number)
        to_label = QLabel("to")
        self._add_row("range", "&Iterations", self.span_field, self.first_number, to_label, self.last_number)
        self._add_row("every", "Ste&ps", self.every_field)
        self._add_row("pace", "P&ace", self.pace_field)
        self._add_row("theme", "T&heme", self.theme_field)
        times_label = QLabel("×")
        self._add_row("size", "Si&ze", self.size_field, self.width_number, times_label, self.height_number)
        self._add_row("scale", "Shar&pness", self.scale_field)
        self._add_row("bare", "", self.bare_box)
        self._add_row("fragment", "", self.fragment_box)
        self._add_row("title", "Tit&le", self.title_field)
        self._add_row("file", "&File", self.file_field, self.browse_button)
        right.addLayout(self._form)
        right.addStretch(1)
        columns.addLayout(right, 3)
        scroll = QScrollArea()
        scroll.setWidget(content)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = content
        self.amount_label = sentence("muted")
        self.problem_label = sentence("problem")
        self.buttons = QDialogButtonBox()
        self.export_button = self.buttons.addButton("&Export", QDialogButtonBox.ButtonRole.AcceptRole)
        self.export_button.setProperty("role", "primary")
        self.export_button.setToolTip("Writes the file; what takes long is done in the background.")
        self.export_button.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel).setToolTip("Nothing is written.")
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(
            QLayout.SizeConstraint.SetNoConstraint
        )  # it scrolls, however small it is made
        layout.setSpacing(_SPACING)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.amount_label)
        layout.addWidget(self.problem_label)
        layout.addWidget(self.buttons)

    def _add_row(self, part: str, text: str, first: QWidget, *others: QWidget) -> None:
        label = QLabel(text)
        label.setBuddy(first)
        row = first
        if others:
            row = QWidget()
            inside = QHBoxLayout(row)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(8)
            inside.addWidget(first, 1)
            for other in others:
                inside.addWidget(other)
            row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows[part] = row
        self._form.addRow(label, row)

    def _fit_screen(self) -> None:
        """As large as its largest content wants, within the screen, so that it need not grow later."""
        screen = self.screen().availableGeometry()
        self._form.invalidate()  # Qt would still reckon with the rows that were hidden just now
        wanted = self._content.sizeHint()
        below = self.buttons.sizeHint().height() + self.fontMetrics().lineSpacing() + 5 * _SPACING
        width = min(wanted.width() + 4 * _SPACING, round(_SHARE_OF_SCREEN * screen.width()))
        self.resize(width, min(wanted.height() + below, round(_SHARE_OF_SCREEN * screen.height())))


_VECTORS: Final = ("svg", "pdf")


class ExportDialog(ExportForm):
    """Asks for an export. Once accepted, `request` is what is wanted, and the file may be replaced."""

    def __init__(
        self,
        history: History,
        cursor: int,
        choices: Mapping[str, str],
        parent: QWidget | None = None,
        *,
        what: What | None = None,
        name: str = "run",
        title: str = "",
        theme: Theme | None = None,
    ) -> None:
        """``choices`` are those of the last time (`choices`); ``name`` is what file names begin with."""
        length = len(history)
        cursor = min(cursor, length)
        super().__init__(length, cursor, title, theme or load_theme("light"), parent)
        self._history = history
        self._length = length
        self._cursor = cursor
        self._name = name
        self._folder = Path(choices.get("folder", ""))
        if not choices.get("folder") or not self._folder.is_dir():
            self._folder = Path.home()
        self._formats = {kind: choices.get(f"format.{kind}", FORMATS[kind][0]) for kind in What}
        self._is_name_typed = False
        self._confirmed: Path | None = None
        self._recall(choices, what)
        self._connect()
        self._on_kind_chosen()

    # --- what is asked for ---

    def what(self) -> What:
        """The thing that is chosen."""
        return self.kinds_list.what()

    def path(self) -> Path:
        """The file, with the ending of the chosen format if it has none."""
        typed = Path(self.file_field.text().strip())
        with suppress(RuntimeError):  # there is no such person, so it is the name of a folder
            typed = typed.expanduser()
        path = self._folder / typed
        has_no_ending = typed.name and not typed.suffix
        return path.with_name(f"{path.name}.{self.format_field.value()}") if has_no_ending else path

    def request(self) -> ExportRequest:
        """What is asked for, not checked."""
        return ExportRequest(
            what=self.what(),
            path=self.path(),
            at=self.at_number.value(),
            first=self.first_number.value(),
            last=self.last_number.value(),
            every=Every(self.every_field.value()),
            theme=self.theme_field.value(),
            width=self.width_number.value(),
            height=self.height_number.value(),
            scale=float(self.scale_field.value()),
            pace=float(self.pace_field.value()),
            is_fragment=self.fragment_box.isChecked(),
            is_bare=self.bare_box.isChecked(),
            title=self.title_field.text().strip(),
        )

    def choices(self) -> dict[str, str]:
        """What is worth remembering until the next time."""
        formats = {f"format.{what}": suffix for what, suffix in self._formats.items()}
        return {
            **formats,
            "what": self.what().value,
            "folder": str(self.path().parent),
            "every": self.every_field.value(),
            "theme": self.theme_field.value(),
            "size": f"{self.width_number.value()}x{self.height_number.value()}",
            "scale": self.scale_field.value(),
            "pace": self.pace_field.value(),
            "fragment": str(self.fragment_box.isChecked()).lower(),
            "bare": str(self.bare_box.isChecked()).lower(),
        }

    def problem(self) -> str:
        """What is wrong with it, in one sentence; empty if nothing is."""
        request = self.request()
        try:
            if not self.file_field.text().strip():
                raise GpvizError(f"{FIELDS['path']}: it needs a name.")
            check_request(request, self._length, FIELDS)
            if "range" in self._used():
                check_steps(request, self._steps(), FIELDS)
            self._check_place(request.path)
        except GpvizError as problem:
            return str(problem)
        return ""

    def accept(self) -> None:
        """Close with this request, unless something is wrong or a file is to stay."""
        path = self.path()
        if self.problem() or not self._may_write(path):
            return
        super().accept()

    # --- fields ---

    def _recall(self, choices: Mapping[str, str], what: What | None) -> None:
        """Choose what was chosen the last time, where it is still to be had."""
        last = choices.get("what", "")
        wanted = what or (What(last) if last in set(What) else What.TREE)
        self.kinds_list.choose(wanted)
        fields = {
            "every": self.every_field,
            "theme": self.theme_field,
            "scale": self.scale_field,
            "pace": self.pace_field,
        }
        for name, field in fields.items():
            field.choose(choices.get(name, ""))
        if "pace" not in choices:
            self.pace_field.choose("1")
        self.fragment_box.setChecked(choices.get("fragment") == "true")
        self.bare_box.setChecked(choices.get("bare") == "true")
        width, _, height = choices.get("size", "").partition("x")
        is_size = all(part.isascii() and part.isdecimal() and len(part) < 6 for part in (width, height))
        self.width_number.put(int(width) if is_size else SIZES[0][1])
        self.height_number.put(int(height) if is_size else SIZES[0][2])
        self._show_size_choice()
        self.at_number.put(self._cursor)
        self.last_number.put(self._length)

    def _connect(self) -> None:
        self.kinds_list.currentRowChanged.connect(self._on_kind_chosen)
        self.format_field.currentIndexChanged.connect(self._on_format_chosen)
        self.at_field.currentIndexChanged.connect(self._on_moment_chosen)
        self.at_number.valueChanged.connect(self._on_moment_typed)
        self.span_field.currentIndexChanged.connect(self._on_span_chosen)
        self.size_field.currentIndexChanged.connect(self._on_size_chosen)
        for number in (self.first_number, self.last_number):
            number.valueChanged.connect(self._on_span_typed)
        for number in (self.width_number, self.height_number):
            number.valueChanged.connect(self._on_size_typed)
        for field in (self.every_field, self.theme_field, self.scale_field, self.pace_field):
            field.currentIndexChanged.connect(self._show_state)
        self.fragment_box.toggled.connect(self._show_state)
        self.bare_box.toggled.connect(self._show_state)
        self.file_field.textEdited.connect(self._on_name_typed)
        self.browse_button.clicked.connect(self._on_browse)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # --- what follows from what ---

    def _used(self) -> frozenset[str]:
        return options_for(self.what(), self.format_field.value())

    def _steps(self) -> int:
        first, last = self.first_number.value(), self.last_number.value()
        every = Every(self.every_field.value()) if "every" in self._used() else Every.ALL
        return number_of_iterations(self._history, first, last, every) if first <= last else 0

    @Slot()
    def _on_kind_chosen(self) -> None:
        what = self.what()
        names = {each: FORMAT_NAMES[each] for each in FORMATS[what]}
        if what is What.TREE:
            names["tex"] = "LaTeX with TikZ"
        self.format_field.set_choices(names)
        self.format_field.choose(self._formats[what])
        self._on_format_chosen()

    @Slot()
    def _on_format_chosen(self) -> None:
        what, suffix = self.what(), self.format_field.value()
        self._formats[what] = suffix
        used = self._used() - ({"scale"} if suffix in _VECTORS else set())
        for part, row in self._rows.items():
            self._form.setRowVisible(row, part in used or part in ("format", "file"))
        self.format_field.setEnabled(self.format_field.count() > 1)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_chosen(self) -> None:
        numbers = {THIS: self._cursor, LAST: self._length}
        self.at_number.put(numbers.get(self.at_field.value(), self.at_number.value()))
        if self.at_field.value() == OTHER:
            self.at_number.setFocus()
            self.at_number.selectAll()
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_typed(self) -> None:
        self.at_field.choose(THIS if self.at_number.value() == self._cursor else OTHER)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_span_chosen(self) -> None:
        span = self.span_field.value()
        if span == FROM_TO:
            self.first_number.setFocus()
            self.first_number.selectAll()
        else:
            self.first_number.put(0)
            self.last_number.put(self._length if span == WHOLE else self._cursor)
        self._show_state()

    @Slot()
    def _on_span_typed(self) -> None:
        ends = (self.first_number.value(), self.last_number.value())
        self.span_field.choose(WHOLE if ends == (0, self._length) else FROM_TO)
        self._show_state()

    @Slot()
    def _on_size_chosen(self) -> None:
        for _, width, height in SIZES:
            if self.size_field.value() == f"{width}x{height}":
                self.width_number.put(width)
                self.height_number.put(height)
        if self.size_field.value() == CUSTOM:
            self.width_number.setFocus()
            self.width_number.selectAll()
        self._show_state()

    @Slot()
    def _on_size_typed(self) -> None:
        self._show_size_choice()
        self._show_state()

    def _show_size_choice(self) -> None:
        size = f"{self.width_number.value()}x{self.height_number.value()}"
        self.size_field.choose(size if self.size_field.findData(size) >= 0 else CUSTOM)

    @Slot()
    def _on_name_typed(self) -> None:
        self._is_name_typed = True
        suffix = format_of(self.path())
        if suffix != self.format_field.value() and suffix in FORMATS[self.what()]:
            self.format_field.choose(suffix)
            self._on_format_chosen()
        self._show_state()

    @Slot()
    def _on_browse(self) -> None:
        suffix = self.format_field.value()
        kind = f"{FORMAT_NAMES[suffix]} (*.{suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export to", str(self.path()), kind)
        if not chosen:
            return
        self.file_field.setText(chosen)
        self._on_name_typed()
        # What the file dialog has asked about need not be asked again; it knows nothing of an added ending.
        self._confirmed = self.path() if self.path() == Path(chosen) else None

    def _propose_name(self) -> None:
        """A name of which one can guess what is in the file; one that was typed only gets another ending."""
        suffix = self.format_field.value()
        if not self._is_name_typed:
            moment = f"-{self.at_number.value()}" if "at" in self._used() else ""
            self.file_field.setText(f"{self._name}-{self.what()}{moment}.{suffix}")
            return
        text = self.file_field.text().strip()
        known = {each for formats in FORMATS.values() for each in formats}
        if text and format_of(Path(text)) in known - {suffix}:
            self.file_field.setText(str(Path(text).with_suffix(f".{suffix}")))

    @Slot()
    def _show_state(self) -> None:
        """The sentence on what is wrong, or on how much it will be."""
        problem = self.problem()
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))
        self.amount_label.setVisible(not problem)
        if not problem:
            text = amount_text(self.request(), self._steps())
            where = shown_path(self.path().parent)
            self.amount_label.setText(f"{text} It goes to {where}.")
        self.export_button.setEnabled(not problem)

    def _check_place(self, path: Path) -> None:
        folder, field = path.parent, FIELDS["path"]
        try:
            if not stat.S_ISDIR(file_mode(folder) or 0):
                raise InvalidValueError(field, str(folder), "in a folder that exists")
            mode = file_mode(path)
        except OSError as error:
            raise GpvizError(f"{field}: {shown(path.name)} cannot be used; {error_reason(error)}.") from error
        if mode is not None and stat.S_ISDIR(mode):
            raise GpvizError(f"{field}: {shown(path.name)} is a folder; it must be the name of a file.")
        if not os.access(folder, os.W_OK) or (mode is not None and not os.access(path, os.W_OK)):
            raise GpvizError(f"{field}: {shown_path(path)} is write-protected; choose another place.")

    def _may_write(self, path: Path) -> bool:
        """Existing files are asked about, once."""
        if not path.exists() or path == self._confirmed:
            return True
        ask: Callable[..., QMessageBox.StandardButton] = QMessageBox.question
        answer = ask(self, "Replace the file?", f"{path.name} exists already. Replace it?")
        return answer == QMessageBox.StandardButton.Yes
