"""How the export dialog looks: its fields, their places, and how large it is."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.exporting.fields import Choice, Number
from gpviz.app.exporting.kinds import KindsList
from gpviz.app.exporting.wording import EVERY, PACES, SCALES, SIZES
from gpviz.app.theme import THEME_NAMES, Theme, load_theme
from gpviz.app.widgets.fields import heading, sentence
from gpviz.export.request import HEIGHTS, WIDTHS

__all__ = ["CUSTOM", "FROM_TO", "LAST", "OTHER", "SO_FAR", "THIS", "WHOLE", "ExportForm"]

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
