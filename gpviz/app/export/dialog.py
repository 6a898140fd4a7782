"""The export dialog: what to take away, of which iterations, how it is to look, and where it goes."""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent, QShowEvent
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
    QLabel,
    QLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
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

from gpviz.app.dialogs.message_dialogs import says_yes
from gpviz.app.icons import icon
from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.fields import ChoiceBox, ScrolledPast, heading, sentence
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.layouts import row_in
from gpviz.app.widgets.themed import Themed
from gpviz.assets import THEME_NAMES
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.export import registry
from gpviz.export.options import HEIGHTS, LABELS, OPTIONS, WIDTHS, check_request, check_steps
from gpviz.export.registry import kind_named
from gpviz.export.request import (
    Every,
    ExportFormat,
    ExportKind,
    ExportRequest,
    ending_of,
    number_of_iterations,
)
from gpviz.files.file_io import error_reason, file_mode, shown_path, with_ending
from gpviz.runs.history import History

_THIS, _LAST, _OTHER = "this", "last", "other"
_WHOLE, _SO_FAR, _FROM_TO = "whole", "so far", "from to"
_CUSTOM: Final = "custom"
_EVERY: Final = (
    (Every.ALL.value, "Every step"),
    (Every.CHANGED.value, "Steps that change the tree"),
    (Every.ACCEPTED.value, "Accepted steps only"),
    (Every.IMPROVED.value, "Improvements only"),
)
_SIZES: Final = (
    ("Slide", 1280, 720),
    ("Large slide", 1920, 1080),
    ("Paper", 1200, 900),
    ("4K screen", 3840, 2160),
)
_SCALES: Final = (("1", "As it is"), ("2", "Twice as sharp"), ("3", "Three times"), ("4", "Four times"))
_PACES: Final = (
    ("0.05", "A step in 20 seconds"),
    ("0.1", "A step in 10 seconds"),
    ("0.2", "A step in 5 seconds"),
    ("0.5", "A step in 2 seconds"),
    ("1", "A step a second"),
    ("2", "2 steps a second"),
    ("5", "5 steps a second"),
    ("10", "10 steps a second"),
    ("20", "20 steps a second"),
)

_SHARE_OF_SCREEN: Final = 0.92
_SPACING: Final = 12

_EXPLANATION: Final = Qt.ItemDataRole.UserRole + 1
_CHOSEN_ICON: Final = Qt.ItemDataRole.UserRole + 2
_MARGIN: Final = 8
_ICON_GAP: Final = 10
_LINE_LENGTH: Final = 44
"""How many letters of an explanation are to fit on a line."""
_LEAST_SHARE: Final = 0.65
"""On a narrow screen the explanations take more lines, and leave the room to the fields."""


class Choice(ChoiceBox):
    """A choice in the dialog."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class Number(ScrolledPast, QSpinBox):
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
        with QSignalBlocker(self):
            self.setValue(number)


class _KindDelegate(QStyledItemDelegate):
    """Paints an item with its explanation below its name, in as many lines as it needs."""

    def __init__(self, kinds_list: "KindsList") -> None:
        super().__init__(kinds_list)
        self._list = kinds_list

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        rect = option.rect
        colours = self._list.theme.colours
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


class KindsList(Themed, QListWidget):
    """What can be taken away, each with its sign, its name, and what it is in a few words.

    One is always chosen; the arrow keys and the first letters of a name choose another.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What to export")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_KindDelegate(self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for kind in registry.KINDS:
            item = QListWidgetItem(kind.title)
            item.setData(Qt.ItemDataRole.UserRole, kind.name)
            item.setData(_EXPLANATION, kind.description)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, kind.description)
            item.setToolTip(kind.description)
            self.addItem(item)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """The signs have the colour of the text beside them."""
        for row, kind in enumerate(registry.KINDS):
            self.item(row).setIcon(icon(kind.icon, theme))
            self.item(row).setData(_CHOSEN_ICON, icon(kind.icon, theme, theme.colours.accent_text))

    def kind(self) -> ExportKind:
        """The one that is chosen."""
        return kind_named(self.currentItem().data(Qt.ItemDataRole.UserRole))

    def choose(self, kind: ExportKind) -> None:
        """Choose another."""
        self.setCurrentRow(registry.KINDS.index(kind))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # how high an item is depends on how wide it is

    def sizeHint(self) -> QSize:
        """Wide enough for a line, and as high as everything in it."""
        self.ensurePolished()
        metrics = self.fontMetrics()
        width = _LINE_LENGTH * metrics.averageCharWidth() + _indent(metrics)
        height = sum(_height(metrics, width, kind.description) for kind in registry.KINDS)
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


class ExportDialog(ReadingOrderFocus, QDialog):
    """Asks for an export. Once accepted, `request` is what is wanted, and the file may be replaced."""

    def __init__(
        self,
        history: History,
        cursor: int,
        choices: Mapping[str, str],
        parent: QWidget | None = None,
        *,
        kind: ExportKind | None = None,
        name: str = "run",
        title: str = "",
    ) -> None:
        """``choices`` are those of the last time (`choices`); ``name`` is what file names begin with."""
        super().__init__(parent)
        self.setWindowTitle("Export")
        self._history = history
        self._length = len(history)
        self._cursor = min(cursor, self._length)
        self._name = name
        self._folder = Path(choices.get("folder", ""))
        if not choices.get("folder") or not self._folder.is_dir():
            self._folder = Path.home()
        self._endings = {
            each.name: choices.get(f"format.{each}", each.formats[0].ending) for each in registry.KINDS
        }
        self._is_name_typed = False
        self._confirmed: Path | None = None
        self._is_fitted = False
        self._form = QFormLayout()
        self._rows: dict[str, QWidget] = {}
        self.kinds_list = KindsList()
        self._make_fields(title)
        self._lay_out()
        self._recall(choices, kind)
        self._connect()
        self._on_kind_chosen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_fitted:  # only now its parts know how large they are
            self._is_fitted = True
            self._fit_screen()

    # --- what is asked for ---

    def kind(self) -> ExportKind:
        """What is to be taken away."""
        return self.kinds_list.kind()

    def path(self) -> Path:
        """The file, with the ending of the chosen format if it has none."""
        typed = Path(self.file_field.text().strip())
        with suppress(RuntimeError):  # there is no such person, so it is the name of a folder
            typed = typed.expanduser()
        return self._folder / with_ending(typed, f".{self.format_field.value()}")

    def request(self) -> ExportRequest:
        """What is asked for, not checked."""
        return ExportRequest(
            kind=self.kind(),
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
            has_formulas=self.formulas_box.isChecked(),
            has_theory=self.theory_box.isChecked(),
            title=self.title_field.text().strip(),
        )

    def choices(self) -> dict[str, str]:
        """What is worth remembering until the next time."""
        return {
            **{f"format.{name}": ending for name, ending in self._endings.items()},
            "what": self.kind().name,
            "folder": str(self.path().parent),
            "every": self.every_field.value(),
            "theme": self.theme_field.value(),
            "size": f"{self.width_number.value()}x{self.height_number.value()}",
            "scale": self.scale_field.value(),
            "pace": self.pace_field.value(),
            "fragment": str(self.fragment_box.isChecked()).lower(),
            "bare": str(self.bare_box.isChecked()).lower(),
            "formulas": str(self.formulas_box.isChecked()).lower(),
            "theory": str(self.theory_box.isChecked()).lower(),
        }

    def problem(self) -> str:
        """What is wrong with it, in one sentence; empty if nothing is."""
        request = self.request()
        try:
            if not self.file_field.text().strip():
                raise GpvizError(f"{LABELS['path']}: enter a name.")
            check_request(request, self._length, LABELS)
            check_steps(request, self._history, LABELS)
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

    def _make_fields(self, title: str) -> None:
        length = self._length
        self.format_field = Choice("Format", "The format of the file; it sets the ending of the name.")
        self.at_field = Choice("Which iteration", "The iteration to show.")
        self.at_number = Number("Iteration", f"From 0, the start, to {length:,}.", 0, length)
        self.span_field = Choice("Which iterations", "The iterations to export.")
        self.first_number = Number("From iteration", f"From 0, the start, to {length:,}.", 0, length)
        self.last_number = Number("To iteration", f"From 0, the start, to {length:,}.", 0, length)
        self.every_field = Choice("Which steps", "Which steps to show; the others are left out.")
        self.theme_field = Choice("Theme", "The colours and the size of the type.")
        self.size_field = Choice("Usual sizes", "The size in pixels; type and lines keep their size.")
        self.width_number = Number("Width", "The width in pixels.", *WIDTHS)
        self.height_number = Number("Height", "The height in pixels.", *HEIGHTS)
        self.scale_field = Choice(
            "Sharpness", "More pixels for the same picture, for print and large screens."
        )
        self.pace_field = Choice("Pace", "How fast the film plays.")
        self.bare_box = QCheckBox(OPTIONS["bare"].label)
        self.bare_box.setToolTip("For a figure in a paper: no banner, caption, legend or last mutation.")
        self.formulas_box = QCheckBox(OPTIONS["formulas"].label)
        self.formulas_box.setToolTip("To analyse the trees without gpviz. The file becomes larger.")
        self.theory_box = QCheckBox(OPTIONS["theory"].label)
        self.theory_box.setToolTip("The stages of the drift theorem, or on sampled rows why to stop early.")
        self.fragment_box = QCheckBox(OPTIONS["fragment"].label)
        self.fragment_box.setToolTip("Leave out the preamble, to include the file in a document.")
        self.title_field = QLineEdit(title)
        self.title_field.setAccessibleName("Title")
        self.title_field.setToolTip("The title at the top.")
        self.title_field.setMaxLength(200)
        self.file_field = QLineEdit()
        self.file_field.setAccessibleName("File")
        self.file_field.setToolTip(
            "The name of the file. Without a folder, it goes to the last folder you used."
        )
        self.browse_button = QPushButton("B&rowse …")
        self.browse_button.setToolTip("Choose a folder and a name.")
        self.browse_button.setAutoDefault(False)
        self.at_field.set_choices(
            [
                (_THIS, f"This one, {self._cursor:,}"),
                (_LAST, f"The last one, {length:,}"),
                (_OTHER, "Another one"),
            ]
        )
        self.span_field.set_choices(
            [(_WHOLE, "The whole run"), (_SO_FAR, "Up to this iteration"), (_FROM_TO, "From … to …")]
        )
        self.every_field.set_choices(_EVERY)
        self.theme_field.set_choices((name, load_theme(name).title) for name in THEME_NAMES)
        sizes = [(f"{width}x{height}", f"{text}, {width} × {height}") for text, width, height in _SIZES]
        self.size_field.set_choices([*sizes, (_CUSTOM, "Another one")])
        self.scale_field.set_choices(_SCALES)
        self.pace_field.set_choices(_PACES)

    def _lay_out(self) -> None:
        content = QWidget()
        columns = row_in(content, spacing=28)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(heading("What to export"))
        left.addWidget(self.kinds_list, 1)
        columns.addLayout(left, 2)
        right = QVBoxLayout()
        right.setSpacing(10)
        right.addWidget(heading("How and where"))
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(10)
        self._add_row("format", self.format_field, label="F&ormat")
        self._add_row("at", self.at_field, self.at_number)
        to_label = QLabel("to")
        self._add_row("range", self.span_field, self.first_number, to_label, self.last_number)
        self._add_row("every", self.every_field)
        self._add_row("pace", self.pace_field)
        self._add_row("theme", self.theme_field)
        times_label = QLabel("×")
        self._add_row("size", self.size_field, self.width_number, times_label, self.height_number)
        self._add_row("scale", self.scale_field)
        self._add_row("bare", self.bare_box)
        self._add_row("formulas", self.formulas_box)
        self._add_row("theory", self.theory_box)
        self._add_row("fragment", self.fragment_box)
        self._add_row("title", self.title_field)
        self._add_row("file", self.file_field, self.browse_button, label="&File")
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
        self.export_button.setToolTip("Write the file; long exports run in the background.")
        self.export_button.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel).setToolTip(
            "Close without writing a file."
        )
        set_panes(self.kinds_list, self.format_field, self.buttons)
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(
            QLayout.SizeConstraint.SetNoConstraint
        )  # it scrolls, however small it is made
        layout.setSpacing(_SPACING)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.amount_label)
        layout.addWidget(self.problem_label)
        layout.addWidget(self.buttons)

    def _add_row(self, part: str, first: QWidget, *others: QWidget, label: str = "") -> None:
        """Add the row of an option, or one with a label of its own; a box has its label beside it."""
        if part in OPTIONS and not isinstance(first, QCheckBox):
            label = OPTIONS[part].label
        name = QLabel(label)
        name.setBuddy(first)
        row = first
        if others:
            row = QWidget()
            inside = row_in(row, spacing=8)
            inside.addWidget(first, 1)
            for other in others:
                inside.addWidget(other)
            row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows[part] = row
        self._form.addRow(name, row)

    def _fit_screen(self) -> None:
        """As large as its largest content wants, within the screen, so that it need not grow later."""
        screen = self.screen().availableGeometry()
        self._form.invalidate()  # Qt would still reckon with the rows that were hidden just now
        wanted = self._content.sizeHint()
        below = self.buttons.sizeHint().height() + self.fontMetrics().lineSpacing() + 5 * _SPACING
        width = min(wanted.width() + 4 * _SPACING, round(_SHARE_OF_SCREEN * screen.width()))
        self.resize(width, min(wanted.height() + below, round(_SHARE_OF_SCREEN * screen.height())))

    def _recall(self, choices: Mapping[str, str], kind: ExportKind | None) -> None:
        """Choose what was chosen the last time, where it is still to be had."""
        last = [each for each in registry.KINDS if each.name == choices.get("what")]
        self.kinds_list.choose(kind or [*last, registry.KINDS[0]][0])
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
        self.formulas_box.setChecked(choices.get("formulas") == "true")
        self.theory_box.setChecked(choices.get("theory") == "true")
        width, _, height = choices.get("size", "").partition("x")
        is_size = all(part.isascii() and part.isdecimal() and len(part) < 6 for part in (width, height))
        self.width_number.put(int(width) if is_size else _SIZES[0][1])
        self.height_number.put(int(height) if is_size else _SIZES[0][2])
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
        self.formulas_box.toggled.connect(self._show_state)
        self.theory_box.toggled.connect(self._show_state)
        self.file_field.textEdited.connect(self._on_name_typed)
        self.browse_button.clicked.connect(self._on_browse)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # --- what follows from what ---

    def _format(self) -> ExportFormat:
        return self.kind().by_ending[self.format_field.value()]

    @Slot()
    def _on_kind_chosen(self) -> None:
        kind = self.kind()
        self.format_field.set_choices(
            (each.ending, f"{each.title} with {each.note}" if each.note else each.title)
            for each in kind.formats
        )
        self.format_field.choose(self._endings[kind.name])
        self._on_format_chosen()

    @Slot()
    def _on_format_chosen(self) -> None:
        self._endings[self.kind().name] = self.format_field.value()
        used = self._format().options
        for part, row in self._rows.items():
            self._form.setRowVisible(row, part in used or part in ("format", "file"))
        self.format_field.setEnabled(self.format_field.count() > 1)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_chosen(self) -> None:
        numbers = {_THIS: self._cursor, _LAST: self._length}
        self.at_number.put(numbers.get(self.at_field.value(), self.at_number.value()))
        if self.at_field.value() == _OTHER:
            self.at_number.setFocus()
            self.at_number.selectAll()
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_typed(self) -> None:
        self.at_field.choose(_THIS if self.at_number.value() == self._cursor else _OTHER)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_span_chosen(self) -> None:
        span = self.span_field.value()
        if span == _FROM_TO:
            self.first_number.setFocus()
            self.first_number.selectAll()
        else:
            self.first_number.put(0)
            self.last_number.put(self._length if span == _WHOLE else self._cursor)
        self._show_state()

    @Slot()
    def _on_span_typed(self) -> None:
        ends = (self.first_number.value(), self.last_number.value())
        self.span_field.choose(_WHOLE if ends == (0, self._length) else _FROM_TO)
        self._show_state()

    @Slot()
    def _on_size_chosen(self) -> None:
        for _, width, height in _SIZES:
            if self.size_field.value() == f"{width}x{height}":
                self.width_number.put(width)
                self.height_number.put(height)
        if self.size_field.value() == _CUSTOM:
            self.width_number.setFocus()
            self.width_number.selectAll()
        self._show_state()

    @Slot()
    def _on_size_typed(self) -> None:
        self._show_size_choice()
        self._show_state()

    def _show_size_choice(self) -> None:
        size = f"{self.width_number.value()}x{self.height_number.value()}"
        self.size_field.choose(size if self.size_field.findData(size) >= 0 else _CUSTOM)

    @Slot()
    def _on_name_typed(self) -> None:
        self._is_name_typed = True
        ending = ending_of(self.path())
        if ending != self.format_field.value() and ending in self.kind().by_ending:
            self.format_field.choose(ending)
            self._on_format_chosen()
        self._show_state()

    @Slot()
    def _on_browse(self) -> None:
        files = f"{self._format().title} (*.{self._format().ending})"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export to", str(self.path()), files)
        if not chosen:
            return
        self.file_field.setText(chosen)
        self._on_name_typed()
        # What the file dialog has asked about need not be asked again; it knows nothing of an added ending.
        self._confirmed = self.path() if self.path() == Path(chosen) else None

    def _propose_name(self) -> None:
        """A name of which one can guess what is in the file; one that was typed only gets another ending."""
        ending = self.format_field.value()
        if not self._is_name_typed:
            moment = f"-{self.at_number.value()}" if "at" in self._format().options else ""
            self.file_field.setText(f"{self._name}-{self.kind()}{moment}.{ending}")
            return
        text = self.file_field.text().strip()
        known = {each for kind in registry.KINDS for each in kind.by_ending}
        if text and ending_of(Path(text)) in known - {ending}:
            self.file_field.setText(str(Path(text).with_suffix(f".{ending}")))

    @Slot()
    def _show_state(self) -> None:
        """The sentence on what is wrong, or on how much it will be."""
        problem = self.problem()
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))
        self.amount_label.setVisible(not problem)
        if not problem:
            request = self.request()
            text = request.format.amount(request, number_of_iterations(request, self._history))
            where = shown_path(self.path().parent)
            self.amount_label.setText(f"{text} It goes to {where}.")
        self.export_button.setEnabled(not problem)

    def _check_place(self, path: Path) -> None:
        folder, field = path.parent, LABELS["path"]
        try:
            if not stat.S_ISDIR(file_mode(folder) or 0):
                raise InvalidValueError(field, str(folder), "in a folder that exists")
            mode = file_mode(path)
        except OSError as error:
            raise GpvizError(f"{field}: {shown(path.name)} cannot be used; {error_reason(error)}.") from error
        if mode is not None and stat.S_ISDIR(mode):
            raise GpvizError(f"{field}: {shown(path.name)} is a folder; it must be the name of a file.")
        if not os.access(folder, os.W_OK) or (mode is not None and not os.access(path, os.W_OK)):
            raise GpvizError(f"{field}: {shown_path(path)} is write-protected; choose another folder.")

    def _may_write(self, path: Path) -> bool:
        """Existing files are asked about, once."""
        if not path.exists() or path == self._confirmed:
            return True
        question = f"{shown_path(path.name)} already exists. Replace it?"
        return says_yes(self, "Replace the file?", question)
