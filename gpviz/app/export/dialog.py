"""The export dialog: what to take away, of which iterations, how it is to look, and where it goes."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
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
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.dialogs.file_dialogs import may_replace
from gpviz.app.theme import Theme, icon, load_theme
from gpviz.app.widgets.fields import ChoiceBox, ScrolledPast, heading, sentence, show_sentence
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.layouts import column_of, row_in
from gpviz.app.widgets.themed import Themed
from gpviz.assets import THEME_NAMES
from gpviz.engine.errors import GpvizError
from gpviz.export import registry
from gpviz.export.request import (
    HEIGHTS,
    LABELS,
    OPTIONS,
    WIDTHS,
    Every,
    ExportFormat,
    ExportKind,
    ExportRequest,
    check_request,
    check_steps,
    ending_of,
    iterations_of,
)
from gpviz.files.file_io import check_writable, shown_path, with_ending
from gpviz.runs.history import History

_EVERY: Final = (
    (Every.ALL.value, "Every step"),
    (Every.CHANGED.value, "Steps that change the tree"),
    (Every.ACCEPTED.value, "Accepted steps only"),
    (Every.IMPROVED.value, "Improvements only"),
)
_SIZES: Final = {
    "Slide, 1280 × 720": (1280, 720),
    "Large slide, 1920 × 1080": (1920, 1080),
    "Paper, 1200 × 900": (1200, 900),
    "4K screen, 3840 × 2160": (3840, 2160),
    "Another one": (),
}
_DEFAULT_SIZE: Final = (1280, 720)
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
    "bare": "For a figure in a paper: nothing but the tree, without any marks.",
    "formulas": "To analyse the trees without gpviz. The file becomes larger.",
    "theory": "The stages of the drift theorem, or on sampled rows why to stop early.",
    "fragment": "Leave out the preamble, to include the file in a document.",
}
"""The options that are switched on or off, with what their boxes say."""

_SHARE_OF_SCREEN: Final = 0.92
_SPACING: Final = 12
_MARGIN: Final = 8


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


def _choice(name: str, tip: str, choices: Iterable[tuple[str, str]] = ()) -> ChoiceBox:
    field = ChoiceBox()
    field.set_choices(choices)
    field.setAccessibleName(name)
    field.setToolTip(tip)
    field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
    field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return field


class NumberChoice(QWidget):
    """Numbers, typed or chosen from a list of usual ones; an entry without numbers means typed ones."""

    changed = Signal()

    def __init__(
        self, usual: Mapping[str, tuple[int, ...]], field: ChoiceBox, *numbers: Number, between: str = ""
    ) -> None:
        super().__init__()
        self.field = field
        self.numbers = numbers
        self._usual = usual
        field.set_choices((text, text) for text in usual)
        field.currentIndexChanged.connect(self._on_chosen)
        row = row_in(self, (field, 1), spacing=8)
        for number in numbers:
            if number is not numbers[0]:
                row.addWidget(QLabel(between))
            row.addWidget(number)
            number.valueChanged.connect(self._on_typed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def values(self) -> tuple[int, ...]:
        """The numbers on show."""
        return tuple(number.value() for number in self.numbers)

    def put(self, values: Sequence[int]) -> None:
        """Show these numbers without a signal."""
        self._set_numbers(values)
        self._show_choice()

    def _set_numbers(self, values: Sequence[int]) -> None:
        for number, value in zip(self.numbers, values, strict=True):
            with QSignalBlocker(number):
                number.setValue(value)

    def _show_choice(self) -> None:
        shown_values = self.values()
        self.field.choose(next(text for text, values in self._usual.items() if values in (shown_values, ())))

    @Slot()
    def _on_chosen(self) -> None:
        values = self._usual[self.field.value()]
        if values:
            self._set_numbers(values)
        else:
            self.numbers[0].setFocus()
            self.numbers[0].selectAll()
        self.changed.emit()

    @Slot()
    def _on_typed(self) -> None:
        self._show_choice()
        self.changed.emit()


class KindsList(Themed, QListWidget):
    """The kinds of exports, each with its icon and its name.

    One is always chosen; the arrow keys and the first letters of a name choose another.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What to export")
        self.setFrameShape(QFrame.Shape.NoFrame)
        for kind in registry.KINDS:
            item = QListWidgetItem(kind.title)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, kind.description)
            item.setToolTip(kind.description)
            self.addItem(item)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Icons in the colour of the text beside them."""
        side = round(2.5 * theme.font_size)
        self.setIconSize(QSize(side, side))
        for row, kind in enumerate(registry.KINDS):
            self.item(row).setIcon(icon(kind.icon, theme, chosen=theme.colours.accent_text))

    def sizeHint(self) -> QSize:
        """As high as all items."""
        return QSize(super().sizeHint().width(), self.count() * self.sizeHintForRow(0) + 2 * _MARGIN)


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
        self.setWindowTitle("Export – gpviz")
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
        if not event.spontaneous():  # only now its parts know how large they are
            self._fit_screen()

    # --- the request ---

    def kind(self) -> ExportKind:
        """What is to be exported."""
        return registry.KINDS[self.kinds_list.currentRow()]

    def path(self) -> Path:
        """The file, with the ending of the chosen format if it has none."""
        typed = Path(self.file_field.text().strip())
        with suppress(RuntimeError):  # there is no such user, so it is the name of a folder
            typed = typed.expanduser()
        return self._folder / with_ending(typed, f".{self.format_field.value()}")

    def request(self) -> ExportRequest:
        """What is asked for, not checked."""
        values = {
            "at": str(self.at_choice.values()[0]),
            "range": "{}:{}".format(*self.range_choice.values()),
            "size": "{}x{}".format(*self.size_choice.values()),
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
            "size": "{}x{}".format(*self.size_choice.values()),
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
        except GpvizError as problem:
            return str(problem)
        return ""

    def accept(self) -> None:
        """Close with this request, unless something is wrong or a file is to stay."""
        path = self.path()
        if self.problem():
            return
        try:
            check_writable(path)
        except GpvizError as problem:
            show_sentence(self.problem_label, str(problem))
            return
        if path == self._confirmed or may_replace(self, path):  # existing files are asked about once
            super().accept()

    # --- fields ---

    def _make_fields(self, title: str) -> None:
        length, cursor = self._length, self._cursor
        limits = (f"From 0, the start, to {length:,}.", 0, length)
        self.format_field = _choice("Format", "The format of the file; it sets the ending of the name.")
        self.at_choice = NumberChoice(
            {f"This one, {cursor:,}": (cursor,), f"The last one, {length:,}": (length,), "Another one": ()},
            _choice("Which iteration", "The iteration to show."),
            Number("Iteration", *limits),
        )
        self.range_choice = NumberChoice(
            {"The whole run": (0, length), "Up to this iteration": (0, cursor), "From … to …": ()},
            _choice("Which iterations", "The iterations to export."),
            Number("From iteration", *limits),
            Number("To iteration", *limits),
            between="to",
        )
        self.size_choice = NumberChoice(
            _SIZES,
            _choice("Usual sizes", "The size in pixels; type and lines keep their size."),
            Number("Width", "The width in pixels.", *WIDTHS),
            Number("Height", "The height in pixels.", *HEIGHTS),
            between="×",
        )
        themes = [(name, load_theme(name).title) for name in THEME_NAMES]
        self.choice_fields = {
            "every": _choice("Which steps", "Which steps to show; the others are left out.", _EVERY),
            "pace": _choice("Pace", "How fast the film plays.", _PACES),
            "theme": _choice("Theme", "The colours and the size of the type.", themes),
            "scale": _choice(
                "Sharpness", "More pixels for the same picture, for print and large screens.", _SCALES
            ),
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

    def _lay_out(self) -> None:
        self.description_label = QLabel()
        self.description_label.setProperty("role", "muted")
        left = column_of(heading("What to export"), (self.kinds_list, 1), spacing=10)
        right = column_of(heading("How and where"), self.description_label, self._form, None, spacing=10)
        self._content = QWidget()
        self._columns = row_in(self._content, (left, 2), (right, 3), spacing=28)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(10)
        self._add_row("format", self.format_field, label="F&ormat")
        self._add_row("at", self.at_choice, self.at_choice.field)
        self._add_row("range", self.range_choice, self.range_choice.field)
        for name in ("every", "pace", "theme"):
            self._add_row(name, self.choice_fields[name])
        self._add_row("size", self.size_choice, self.size_choice.field)
        self._add_row("scale", self.choice_fields["scale"])
        for name, box in self.boxes.items():
            self._add_row(name, box)
        self._add_row("title", self.title_field)
        file_row = QWidget()
        row_in(file_row, (self.file_field, 1), self.browse_button, spacing=8)
        self._add_row("file", file_row, self.file_field, label="&File")
        scroll = QScrollArea()
        scroll.setWidget(self._content)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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

    def _add_row(self, name: str, row: QWidget, field: QWidget | None = None, label: str = "") -> None:
        """Add the row of an option, or one with a label of its own; a box has its label beside it."""
        if name in OPTIONS and not isinstance(row, QCheckBox):
            label = OPTIONS[name].label
        name_label = QLabel(label)
        name_label.setBuddy(field or row)
        self.rows[name] = row
        self._form.addRow(name_label, row)

    def _fit_screen(self) -> None:
        """As large as its largest content wants, within the screen, so that it need not grow later."""
        screen = self.screen().availableGeometry()
        self._form.invalidate()  # Qt would still count the rows that were hidden just now
        most = round(_SHARE_OF_SCREEN * screen.height())
        width = self._content.sizeHint().width() + 4 * _SPACING
        self.resize(min(width, round(_SHARE_OF_SCREEN * screen.width())), most)
        self._columns.activate()
        height = self._content.sizeHint().height()
        below = self.buttons.sizeHint().height() + self.fontMetrics().lineSpacing() + 5 * _SPACING
        self.resize(self.width(), min(height + below, most))

    def _recall(self, choices: Mapping[str, str], kind: ExportKind | None) -> None:
        """Choose what was chosen the last time, where it is still to be had."""
        last = [each for each in registry.KINDS if each.name == choices.get("what")]
        self.kinds_list.setCurrentRow(registry.KINDS.index(kind or [*last, registry.KINDS[0]][0]))
        self.choice_fields["pace"].choose(_DEFAULT_PACE)
        for name, field in self.choice_fields.items():
            field.choose(choices.get(name, ""))
        for name, box in self.boxes.items():
            box.setChecked(choices.get(name) == "true")
        self.size_choice.put(_DEFAULT_SIZE)
        with suppress(GpvizError):
            sides = OPTIONS["size"].read(choices.get("size", ""))
            self.size_choice.put((sides["width"], sides["height"]))
        self.at_choice.put((self._cursor,))
        self.range_choice.put((0, self._length))

    def _connect(self) -> None:
        self.kinds_list.currentRowChanged.connect(self._on_kind_chosen)
        self.format_field.currentIndexChanged.connect(self._on_format_chosen)
        for choice in (self.at_choice, self.range_choice, self.size_choice):
            choice.changed.connect(self._propose_name)
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
        self.description_label.setText(kind.description)
        self._on_format_chosen()

    @Slot()
    def _on_format_chosen(self) -> None:
        self._endings[self.kind().name] = self.format_field.value()
        shown_names = {*self._format().options, "format", "file"}
        for name, row in self.rows.items():
            self._form.setRowVisible(row, name in shown_names)
        self.format_field.setEnabled(self.format_field.count() > 1)
        self._propose_name()

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

    @Slot()
    def _propose_name(self) -> None:
        """Propose a file name that says what is in the file; one that was typed only gets another ending."""
        ending, text = self.format_field.value(), self.file_field.text().strip()
        known = {each for kind in registry.KINDS for each in kind.by_ending}
        if not self._is_name_typed:
            moment = f"-{self.at_choice.values()[0]}" if "at" in self._format().options else ""
            self.file_field.setText(f"{self._name}-{self.kind()}{moment}.{ending}")
        elif text and ending_of(Path(text)) in known - {ending}:
            self.file_field.setText(str(Path(text).with_suffix(f".{ending}")))
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        """Say what is wrong, or how much will be written."""
        problem = self.problem()
        show_sentence(self.problem_label, problem)
        self.amount_label.setVisible(not problem)
        if not problem:
            request = self.request()
            text = request.format.amount(request, len(iterations_of(request, self._history)))
            where = shown_path(self.path().parent)
            self.amount_label.setText(f"{text} It goes to {where}.")
        self.export_button.setEnabled(not problem)
