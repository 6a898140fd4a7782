"""The export dialog: what to take away, of which iterations, how it is to look, and where it goes."""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QResizeEvent, QShowEvent, QTextDocument
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

from gpviz.app.dialogs.file_dialogs import may_replace
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
_SIZES: Final = {
    "1280x720": "Slide, 1280 × 720",
    "1920x1080": "Large slide, 1920 × 1080",
    "1200x900": "Paper, 1200 × 900",
    "3840x2160": "4K screen, 3840 × 2160",
    _CUSTOM: "Another one",
}
_DEFAULT_SIZE: Final = "1280x720"
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
_DEFAULT_PACE: Final = "1"
_BOX_TIPS: Final = {
    "bare": "For a figure in a paper: no banner, caption, legend or last mutation.",
    "formulas": "To analyse the trees without gpviz. The file becomes larger.",
    "theory": "The stages of the drift theorem, or on sampled rows why to stop early.",
    "fragment": "Leave out the preamble, to include the file in a document.",
}
"""The options that are switched on or off, with what their boxes say."""

_SHARE_OF_SCREEN: Final = 0.92
_SPACING: Final = 12
_MARGIN: Final = 8
_USUAL_WIDTH: Final = 34
"""The width of the list of kinds, in sizes of the type: about a line of a description."""
_LEAST_WIDTH: Final = 24

AnyIndex = QModelIndex | QPersistentModelIndex


class Number(ScrolledPast, QSpinBox):
    """A whole number within a range."""

    def __init__(self, name: str, tip: str, least: int, most: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setRange(least, most)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def put(self, number: int) -> None:
        """Show a number without a signal."""
        with QSignalBlocker(self):
            self.setValue(number)

    def ask(self) -> None:
        """Wait for another number to be typed."""
        self.setFocus()
        self.selectAll()


def _choice(name: str, tip: str) -> ChoiceBox:
    field = ChoiceBox()
    field.setAccessibleName(name)
    field.setToolTip(tip)
    field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
    field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return field


class _KindDelegate(QStyledItemDelegate):
    """Shows the title of a kind in bold, and its description below it."""

    def __init__(self, kinds_list: "KindsList") -> None:
        super().__init__(kinds_list)
        self._list = kinds_list

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        self.initStyleOption(option, index)
        text, option.text = self._text(option, index), ""
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        painter.save()
        painter.translate(option.rect.left() + self._list.indent, option.rect.top())
        text.drawContents(painter)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(0, round(self._text(option, index).size().height()))

    def _text(self, option: QStyleOptionViewItem, index: AnyIndex) -> QTextDocument:
        colours = self._list.theme.colours
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        title, description = (colours.accent_text,) * 2 if is_chosen else (colours.text, colours.muted)
        kind = kind_named(index.data(Qt.ItemDataRole.UserRole))
        document = QTextDocument()
        document.setDefaultFont(option.font)
        document.setDocumentMargin(_MARGIN)
        document.setTextWidth(self._list.viewport().width() - self._list.indent)
        document.setHtml(
            f"<b style='color: {title}'>{escape(kind.title)}</b><br>"
            f"<span style='color: {description}'>{escape(kind.description)}</span>"
        )
        return document


class KindsList(Themed, QListWidget):
    """The kinds of exports, each with its icon, its name and a short description below it.

    One is always chosen; the arrow keys and the first letters of a name choose another.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What to export")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_KindDelegate(self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.indent = 0
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for kind in registry.KINDS:
            item = QListWidgetItem(kind.title)
            item.setData(Qt.ItemDataRole.UserRole, kind.name)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, kind.description)
            item.setToolTip(kind.description)
            self.addItem(item)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Icons in the colour of the text beside them."""
        side = round(2.5 * theme.font_size)
        self.setIconSize(QSize(side, side))
        self.indent = side + _MARGIN
        self.setMinimumWidth(round(_LEAST_WIDTH * theme.font_size))
        for row, kind in enumerate(registry.KINDS):
            self.item(row).setIcon(icon(kind.icon, theme, chosen=theme.colours.accent_text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # the height of an item depends on its width

    def sizeHint(self) -> QSize:
        """Wide enough for a line, and as high as all items."""
        width = round(_USUAL_WIDTH * self.theme.font_size)
        return QSize(width, self.count() * self.sizeHintForRow(0) + 2 * _MARGIN)

    def kind(self) -> ExportKind:
        """The one that is chosen."""
        return kind_named(self.currentItem().data(Qt.ItemDataRole.UserRole))

    def choose(self, kind: ExportKind) -> None:
        """Choose another."""
        self.setCurrentRow(registry.KINDS.index(kind))


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
        self.rows: dict[str, QWidget] = {}
        """The rows of the form, by the names of their options."""
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

    # --- the request ---

    def kind(self) -> ExportKind:
        """What is to be exported."""
        return self.kinds_list.kind()

    def path(self) -> Path:
        """The file, with the ending of the chosen format if it has none."""
        typed = Path(self.file_field.text().strip())
        with suppress(RuntimeError):  # there is no such user, so it is the name of a folder
            typed = typed.expanduser()
        return self._folder / with_ending(typed, f".{self.format_field.value()}")

    def request(self) -> ExportRequest:
        """What is asked for, not checked."""
        values = {
            "at": str(self.at_number.value()),
            "range": f"{self.first_number.value()}:{self.last_number.value()}",
            "size": self._size(),
            "title": self.title_field.text().strip(),
            **{name: field.value() for name, field in self.choice_fields.items()},
            **{name: "" for name, box in self.boxes.items() if box.isChecked()},
        }
        fields: dict[str, Any] = {}
        for name, text in values.items():
            fields |= OPTIONS[name].read(text)
        return ExportRequest(kind=self.kind(), path=self.path(), **fields)

    def choices(self) -> dict[str, str]:
        """What is worth remembering until the next time."""
        return {
            **{f"format.{name}": ending for name, ending in self._endings.items()},
            "what": self.kind().name,
            "folder": str(self.path().parent),
            "size": self._size(),
            **{name: field.value() for name, field in self.choice_fields.items()},
            **{name: str(box.isChecked()).lower() for name, box in self.boxes.items()},
        }

    def problem(self) -> str:
        """What is wrong with it, in one sentence; empty if nothing is."""
        request = self.request()
        try:
            if not self.file_field.text().strip():
                raise GpvizError(f"{LABELS['path']}: enter a name.")
            check_request(request, self._length, LABELS)
            check_steps(request, self._history, LABELS)
            _check_target(request.path)
        except GpvizError as problem:
            return str(problem)
        return ""

    def accept(self) -> None:
        """Close with this request, unless something is wrong or a file is to stay."""
        path = self.path()
        is_confirmed = path == self._confirmed  # existing files are asked about once
        if not self.problem() and (is_confirmed or may_replace(self, path)):
            super().accept()

    # --- fields ---

    def _make_fields(self, title: str) -> None:
        length = self._length
        limits = f"From 0, the start, to {length:,}."
        self.format_field = _choice("Format", "The format of the file; it sets the ending of the name.")
        self.at_field = _choice("Which iteration", "The iteration to show.")
        self.at_number = Number("Iteration", limits, 0, length)
        self.span_field = _choice("Which iterations", "The iterations to export.")
        self.first_number = Number("From iteration", limits, 0, length)
        self.last_number = Number("To iteration", limits, 0, length)
        self.size_field = _choice("Usual sizes", "The size in pixels; type and lines keep their size.")
        self.width_number = Number("Width", "The width in pixels.", *WIDTHS)
        self.height_number = Number("Height", "The height in pixels.", *HEIGHTS)
        self.choice_fields = {
            "every": _choice("Which steps", "Which steps to show; the others are left out."),
            "pace": _choice("Pace", "How fast the film plays."),
            "theme": _choice("Theme", "The colours and the size of the type."),
            "scale": _choice("Sharpness", "More pixels for the same picture, for print and large screens."),
        }
        self.boxes = {name: QCheckBox(OPTIONS[name].label) for name in _BOX_TIPS}
        for name, box in self.boxes.items():
            box.setToolTip(_BOX_TIPS[name])
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
        self.size_field.set_choices(_SIZES.items())
        self.choice_fields["every"].set_choices(_EVERY)
        self.choice_fields["pace"].set_choices(_PACES)
        self.choice_fields["theme"].set_choices((name, load_theme(name).title) for name in THEME_NAMES)
        self.choice_fields["scale"].set_choices(_SCALES)

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
        self._add_row("range", self.span_field, self.first_number, QLabel("to"), self.last_number)
        for name in ("every", "pace", "theme"):
            self._add_row(name, self.choice_fields[name])
        self._add_row("size", self.size_field, self.width_number, QLabel("×"), self.height_number)
        self._add_row("scale", self.choice_fields["scale"])
        for name, box in self.boxes.items():
            self._add_row(name, box)
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
        cancel = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setToolTip("Close without writing a file.")
        set_panes(self.kinds_list, self.format_field, self.buttons)
        layout = QVBoxLayout(self)
        # It scrolls, however small it is made.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.setSpacing(_SPACING)
        layout.addWidget(scroll, 1)
        for part in (self.amount_label, self.problem_label, self.buttons):
            layout.addWidget(part)

    def _add_row(self, name: str, first: QWidget, *others: QWidget, label: str = "") -> None:
        """Add the row of an option, or one with a label of its own; a box has its label beside it."""
        if name in OPTIONS and not isinstance(first, QCheckBox):
            label = OPTIONS[name].label
        name_label = QLabel(label)
        name_label.setBuddy(first)
        row = first
        if others:
            row = QWidget()
            inside = row_in(row, spacing=8)
            inside.addWidget(first, 1)
            for other in others:
                inside.addWidget(other)
            row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rows[name] = row
        self._form.addRow(name_label, row)

    def _fit_screen(self) -> None:
        """As large as its largest content wants, within the screen, so that it need not grow later."""
        screen = self.screen().availableGeometry()
        self._form.invalidate()  # Qt would still count the rows that were hidden just now
        wanted = self._content.sizeHint()
        below = self.buttons.sizeHint().height() + self.fontMetrics().lineSpacing() + 5 * _SPACING
        width = min(wanted.width() + 4 * _SPACING, round(_SHARE_OF_SCREEN * screen.width()))
        self.resize(width, min(wanted.height() + below, round(_SHARE_OF_SCREEN * screen.height())))

    def _recall(self, choices: Mapping[str, str], kind: ExportKind | None) -> None:
        """Choose what was chosen the last time, where it is still to be had."""
        last = [each for each in registry.KINDS if each.name == choices.get("what")]
        self.kinds_list.choose(kind or [*last, registry.KINDS[0]][0])
        self.choice_fields["pace"].choose(_DEFAULT_PACE)
        for name, field in self.choice_fields.items():
            field.choose(choices.get(name, ""))
        for name, box in self.boxes.items():
            box.setChecked(choices.get(name) == "true")
        self._put_size(_DEFAULT_SIZE)
        with suppress(GpvizError):
            self._put_size(choices.get("size", ""))
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
        for field in self.choice_fields.values():
            field.currentIndexChanged.connect(self._show_state)
        for box in self.boxes.values():
            box.toggled.connect(self._show_state)
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
        shown_names = {*self._format().options, "format", "file"}
        for name, row in self.rows.items():
            self._form.setRowVisible(row, name in shown_names)
        self.format_field.setEnabled(self.format_field.count() > 1)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_chosen(self) -> None:
        numbers = {_THIS: self._cursor, _LAST: self._length}
        self.at_number.put(numbers.get(self.at_field.value(), self.at_number.value()))
        if self.at_field.value() == _OTHER:
            self.at_number.ask()
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
            self.first_number.ask()
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
        if self.size_field.value() == _CUSTOM:
            self.width_number.ask()
        else:
            self._put_size(self.size_field.value())
        self._show_state()

    @Slot()
    def _on_size_typed(self) -> None:
        self._show_size_choice()
        self._show_state()

    def _size(self) -> str:
        return f"{self.width_number.value()}x{self.height_number.value()}"

    def _put_size(self, size: str) -> None:
        """Show a size as the command line writes it; raises `GpvizError` for any other text."""
        sides = OPTIONS["size"].read(size)
        self.width_number.put(sides["width"])
        self.height_number.put(sides["height"])

    def _show_size_choice(self) -> None:
        self.size_field.choose(self._size() if self._size() in _SIZES else _CUSTOM)

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
        # The file dialog has asked about replacing it, unless an ending was added since.
        self._confirmed = self.path() if self.path() == Path(chosen) else None

    def _propose_name(self) -> None:
        """Propose a file name that says what is in the file; one that was typed only gets another ending."""
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
        """Say what is wrong, or how much will be written."""
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


def _check_target(path: Path) -> None:
    """Raise the `GpvizError` of a file that cannot be written, without trying to write it."""
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
