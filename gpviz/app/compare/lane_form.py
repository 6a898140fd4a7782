"""The form for one run of a comparison: its label and what it does differently, checked as it is typed."""

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from gpviz.app.widgets.fields import FieldGrid, LimitField, heading, sentence, setting_field
from gpviz.app.widgets.focus_order import ReadingOrderFocus
from gpviz.app.widgets.layouts import column_of
from gpviz.engine import GpvizError, RunConfig
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.mutation_script import check_script
from gpviz.engine.settings import SETTINGS, setting
from gpviz.runs.presets import LARGEST_LABEL, LaneSpec, checked_label
from gpviz.runs.run_draft import RunDraft, start_problem
from gpviz.runs.settings_text import differences, settings_text

_LABEL: Final = "Label"
_DIFFERENT: Final = ("limit", "deletion", "functions", "fitness", "rows", "seed")
"""Of the settings listed by name, those worth comparing; the form leaves the others as they are in its run."""


def suggested_label(first: LaneSpec, config: RunConfig, start: str) -> str:
    """What to call a run by what it does differently from the first."""
    words = ", ".join(differences(first.config, config, (first.start, start)))
    text = words or f"seed {config.seed}"
    return (text[0].upper() + text[1:])[:LARGEST_LABEL]


class LaneForm(ReadingOrderFocus, QDialog):
    """Asks for a run. As long as nobody types a label it says what differs from the first run."""

    lane_given = Signal(object)
    """A `LaneSpec`."""

    def __init__(self, lane: LaneSpec, first: LaneSpec, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._first = first
        self._draft = RunDraft.of(lane.config, lane.start)
        self.setWindowTitle(title)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.label_field = QLineEdit(lane.label)
        self.label_field.setMaxLength(LARGEST_LABEL)
        offered = (row for row in SETTINGS if row.name in _DIFFERENT or not row.is_listed_by_name)
        self.fields = {row.name: setting_field(row) for row in offered}
        self.grid = FieldGrid()
        self.about = sentence("muted")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        # A label that was made up follows the settings until somebody types one.
        self._follows = lane.label == suggested_label(first, lane.config, lane.start)
        self._build(title)
        self._fill()
        self._connect()
        self._refresh()

    def problems(self) -> dict[str, str]:
        """What is wrong, by the names of the fields."""
        draft = self._typed()
        problems = draft.problems()
        if not problems and (problem := start_problem(draft)) is not None:
            problems["limit"] = problem
        if not problems:
            try:
                check_script(self._lane.script, draft.config())
            except GpvizError as error:
                problems["functions"] = str(error)  # the one field here that a script depends on
        try:
            checked_label(self.label_field.text())
        except InvalidValueError as problem:
            problems["label"] = str(InvalidValueError(_LABEL, problem.value, problem.allowed))
        return problems

    def lane(self) -> LaneSpec | None:
        """The run as typed; None while something is wrong with it."""
        if self.problems():
            return None
        label = self.label_field.text().strip()
        config = self._typed().config()
        return LaneSpec(label=label, config=config, start=self._lane.start, script=self._lane.script)

    @Slot()
    def accept(self) -> None:
        lane = self.lane()
        if lane is not None:
            super().accept()
            self.lane_given.emit(lane)

    def _build(self, title: str) -> None:
        about_label = "The name of the run in the heading and the legend."
        self.grid.add("label", _LABEL, self.label_field, about_label)
        for name, field in self.fields.items():
            self.grid.add(name, setting(name).title, field, setting(name).help)
        self.setLayout(
            column_of(heading(title.upper()), self.grid, self.about, None, self.buttons, spacing=10)
        )
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText("Compare")
        ok.setProperty("role", "primary")
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 56)

    def _fill(self) -> None:
        for name, field in self.fields.items():
            field.set_value(self._draft[name] or setting(name).suggestion)

    def _connect(self) -> None:
        for field in self.fields.values():
            field.value_changed.connect(self._refresh)
            if isinstance(field, LimitField):
                field.return_pressed.connect(self.accept)
        self.label_field.textEdited.connect(self._on_label_edited)
        self.label_field.textChanged.connect(self._refresh)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _typed(self) -> RunDraft:
        return self._draft.with_texts({name: field.value() for name, field in self.fields.items()})

    @Slot()
    def _on_label_edited(self) -> None:
        self._follows = False

    @Slot()
    def _refresh(self) -> None:
        """Let everything beside the fields say what they say."""
        draft = self._typed()
        for name in self.fields:
            if setting(name).is_for_sampled:
                self.grid.show_field(name, draft.is_sampled)
        config = _config_of(draft)
        if config is not None and self._follows:
            with QSignalBlocker(self.label_field):
                self.label_field.setText(suggested_label(self._first, config, self._lane.start))
        problems = self.problems()
        self.grid.tell(problems)
        self.about.setText(settings_text(config, self._lane.start) if config is not None else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problems)


def _config_of(draft: RunDraft) -> RunConfig | None:
    try:
        return draft.config()
    except GpvizError:
        return None
