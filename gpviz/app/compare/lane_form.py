"""The form for one run of a comparison: its label and what it does differently, checked as it is typed."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from gpviz.app.widgets.fields import ChoiceField, LimitField, NumberField, heading, sentence
from gpviz.engine import GpvizError, RunConfig
from gpviz.engine.errors import InvalidValueError
from gpviz.run.comparisons import LARGEST_LABEL, LaneSpec, checked_label, differences, settings_words
from gpviz.run.run_draft import SETUP_HINTS, TITLES, RunDraft, start_problem

__all__ = ["LaneForm", "suggested_label"]

_LABEL: Final = "Label"
_USUAL_ROWS: Final = "100"


def suggested_label(first: LaneSpec, config: RunConfig, start: str) -> str:
    """What to call a run by what it does differently from the first."""
    words = ", ".join(differences(first.config, config, (first.start, start)))
    text = words or f"seed {config.seed}"
    return (text[0].upper() + text[1:])[:LARGEST_LABEL]


class LaneForm(QDialog):
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
        self.limit_field = LimitField()
        self.deletion_field = ChoiceField([("leaf", "leaf only"), ("subtree", "subtree")])
        self.functions_field = ChoiceField([("and,or", "∧ and ∨"), ("and", "∧ only")])
        self.fitness_field = ChoiceField([("complete", "all rows"), ("sampled", "sampled rows")])
        self.rows_field = NumberField()
        self.seed_field = NumberField()
        self.about = sentence("muted")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._problem_labels: dict[str, QLabel] = {}
        self._parts: dict[str, tuple[QLabel, QWidget]] = {}
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
        return LaneSpec(label=label, config=self._typed().config(), start=self._lane.start)

    @Slot()
    def accept(self) -> None:
        lane = self.lane()
        if lane is not None:
            super().accept()
            self.lane_given.emit(lane)

    def _build(self, title: str) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        fields: dict[str, tuple[str, QWidget, str]] = {
            "label": (_LABEL, self.label_field, "What the run is called in the heading and in the legend."),
            "limit": (TITLES["limit"], self.limit_field, SETUP_HINTS["limit"]),
            "deletion": (TITLES["deletion"], self.deletion_field, SETUP_HINTS["deletion"]),
            "functions": (TITLES["functions"], self.functions_field, SETUP_HINTS["functions"]),
            "fitness": (TITLES["fitness"], self.fitness_field, SETUP_HINTS["fitness"]),
            "rows": (TITLES["rows"], self.rows_field, SETUP_HINTS["rows"]),
            "seed": (TITLES["seed"], self.seed_field, SETUP_HINTS["seed"]),
        }
        for row, (name, (text, field, hint)) in enumerate(fields.items()):
            label = QLabel(text)
            label.setBuddy(field)
            label.setToolTip(hint)
            field.setToolTip(hint)
            field.setAccessibleName(text)
            field.setAccessibleDescription(hint)
            problem = sentence("problem")
            problem.hide()
            grid.addWidget(label, 2 * row, 0)
            grid.addWidget(field, 2 * row, 1)
            grid.addWidget(problem, 2 * row + 1, 0, 1, 2)
            self._parts[name] = (label, field)
            self._problem_labels[name] = problem
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(heading(title.upper()))
        column.addLayout(grid)
        column.addWidget(self.about)
        column.addStretch(1)
        column.addWidget(self.buttons)
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText("Compare")
        ok.setProperty("role", "primary")
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 56)

    def _fill(self) -> None:
        draft = self._draft
        self.limit_field.setEditText(draft.limit)
        self.deletion_field.set_value(draft.deletion)
        self.functions_field.set_value(draft.functions)
        self.fitness_field.set_value(draft.fitness)
        self.rows_field.setText(draft.rows or _USUAL_ROWS)
        self.seed_field.setText(draft.seed)

    def _connect(self) -> None:
        for field in (self.rows_field, self.seed_field):
            field.textChanged.connect(self._refresh)
        self.limit_field.editTextChanged.connect(self._refresh)
        self.limit_field.return_pressed.connect(self.accept)
        for choice in (self.deletion_field, self.functions_field, self.fitness_field):
            choice.currentIndexChanged.connect(self._refresh)
        self.label_field.textEdited.connect(self._on_label_edited)
        self.label_field.textChanged.connect(self._refresh)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _typed(self) -> RunDraft:
        return replace(
            self._draft,
            limit=self.limit_field.currentText(),
            deletion="leaf" if self.deletion_field.value() == "leaf" else "subtree",
            functions=self.functions_field.value(),
            fitness="sampled" if self.fitness_field.value() == "sampled" else "complete",
            rows=self.rows_field.text(),
            seed=self.seed_field.text(),
        )

    @Slot()
    def _on_label_edited(self) -> None:
        self._follows = False

    @Slot()
    def _refresh(self) -> None:
        """Let everything beside the fields say what they say."""
        draft = self._typed()
        for part in self._parts["rows"]:
            part.setVisible(draft.fitness == "sampled")
        config = _config_of(draft)
        if config is not None and self._follows:
            with QSignalBlocker(self.label_field):
                self.label_field.setText(suggested_label(self._first, config, self._lane.start))
        problems = self.problems()
        for name, label in self._problem_labels.items():
            label.setText(problems.get(name, ""))
            label.setVisible(name in problems)
            field = self._parts[name][1]
            role = "wrong" if name in problems else ""
            if (field.property("role") or "") != role:
                field.setProperty("role", role)
                field.style().unpolish(field)
                field.style().polish(field)
        self.about.setText(settings_words(config, self._lane.start) if config is not None else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problems)


def _config_of(draft: RunDraft) -> RunConfig | None:
    try:
        return draft.config()
    except GpvizError:
        return None
