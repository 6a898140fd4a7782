"""The setup panel: the settings of the next run, checked as they are typed."""

import secrets
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.icons import icon
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ChoiceField, FormulaField, LimitField, NumberField, heading, sentence
from gpviz.engine import GpvizError, RunConfig
from gpviz.number_text import rows_text
from gpviz.run.run_draft import CHECKED_LENGTH, SETUP_HINTS, TITLES, RunDraft, start_problem

__all__ = ["RunForm"]

_FORMULA_DELAY_MS: Final = 150
_DICE_SEEDS: Final = 1_000_000
_START_LATER: Final = "This formula is long. It is checked when the run starts."
_FOR_THE_NEXT: Final = "These settings are for the next run."
_MEND: Final = "Mend the red field to start."
_FIRST: Final = RunConfig(n=6)


class RunForm(QWidget):
    """The settings as fields. They never touch the run on show; they only ask for another one."""

    run_requested = Signal(object, str)
    """A run was asked for: its `RunConfig` and its start formula."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._on_show = RunDraft.of(_FIRST, "")
        self._start_sentence: str | None = None
        self._problem_labels: dict[str, QLabel] = {}
        self._rows_of: dict[str, tuple[QLabel, QWidget]] = {}
        self._formula_timer = QTimer(self)
        self._formula_timer.setSingleShot(True)
        self._formula_timer.setInterval(_FORMULA_DELAY_MS)
        self._formula_timer.timeout.connect(self._on_formula_settled)

        self.n_field = NumberField()
        self.limit_field = LimitField()
        self.limit_amount = QLabel()
        self.limit_amount.setProperty("role", "muted")
        self.deletion_field = ChoiceField([("leaf", "leaf only"), ("subtree", "subtree")])
        self.functions_field = ChoiceField([("and,or", "∧ and ∨"), ("and", "∧ only")])
        self.fitness_field = ChoiceField([("complete", "all rows"), ("sampled", "sampled rows")])
        self.rows_field = NumberField()
        self.sampler_field = ChoiceField([("rows", "draw rows"), ("counts", "draw counts")])
        self.accept_error_field = NumberField()
        self.empty_tree_field = ChoiceField([("any", "any draw plants"), ("insert-only", "only INS plants")])
        self.start_field = FormulaField("the empty tree")
        self.seed_field = NumberField()
        self.dice_button = QToolButton()
        self.restart_button = QPushButton("Restart same seed")
        self.new_run_button = QPushButton("New run")
        self.note = sentence("muted")
        self._build()
        self.set_values(_FIRST, "")
        self._connect()

    def set_values(self, config: RunConfig, start: str) -> None:
        """Show the settings of the run that has come on show."""
        self._on_show = RunDraft.of(config, start)
        self._fill(self._on_show)
        # What already runs need not be checked.
        self._formula_timer.stop()
        self._start_sentence = None
        self._refresh()

    def values(self) -> tuple[RunConfig, str] | None:
        """The settings as typed; None while something is wrong with them."""
        return self._checked(self._draft())

    def set_theme(self, theme: Theme) -> None:
        """Follow the theme's colours and type."""
        side = round(theme.font_size * 1.6)
        self.dice_button.setIcon(icon("dice", theme))
        self.dice_button.setIconSize(QSize(side, side))
        self.note.setFont(theme.font())
        self._reserve_note()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve_note()

    # Building

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        fields: dict[str, tuple[QWidget, ...]] = {
            "n": (self.n_field,),
            "limit": (self.limit_field, self.limit_amount),
            "deletion": (self.deletion_field,),
            "functions": (self.functions_field,),
            "fitness": (self.fitness_field,),
            "rows": (self.rows_field,),
            "sampler": (self.sampler_field,),
            "accept_error": (self.accept_error_field,),
            "empty_tree": (self.empty_tree_field,),
            "start": (self.start_field,),
            "seed": (self.seed_field, self.dice_button),
        }
        for name, title in TITLES.items():
            self._add_row(grid, name, title, fields[name])
        self.dice_button.setAccessibleName("Random seed")
        self.dice_button.setToolTip("Throw the dice: a random seed.")
        self.new_run_button.setProperty("role", "primary")
        for button in (self.restart_button, self.new_run_button):
            button.setAccessibleName(button.text())
        # After a click the keys go on meaning what they meant: Space plays, and starts no other run.
        for clicked in (self.restart_button, self.new_run_button, self.dice_button):
            clicked.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.restart_button)
        buttons.addWidget(self.new_run_button, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(heading("RUN"))
        layout.addLayout(grid)
        layout.addSpacing(2)
        layout.addLayout(buttons)
        layout.addWidget(self.note)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _add_row(self, grid: QGridLayout, name: str, title: str, parts: tuple[QWidget, ...]) -> None:
        row = grid.rowCount()
        field = parts[0]
        hint = SETUP_HINTS[name]
        label = QLabel(title)
        label.setBuddy(field)
        label.setToolTip(hint)
        field.setToolTip(hint)
        field.setAccessibleName(title)
        field.setAccessibleDescription(hint)
        box = QWidget()
        line = QHBoxLayout(box)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        line.addWidget(field, 1)
        for part in parts[1:]:
            line.addWidget(part)
        if isinstance(field, QLineEdit):
            field.setMinimumWidth(field.fontMetrics().horizontalAdvance("0" * 6))
        grid.addWidget(label, row, 0)
        grid.addWidget(box, row, 1)
        self._rows_of[name] = (label, box)
        problem = sentence("problem")
        problem.hide()
        grid.addWidget(problem, row + 1, 0, 1, 2)
        self._problem_labels[name] = problem

    def _connect(self) -> None:
        for field in (self.n_field, self.rows_field, self.accept_error_field, self.seed_field):
            field.textChanged.connect(self._on_changed)
            field.returnPressed.connect(self._on_return_pressed)
        self.limit_field.editTextChanged.connect(self._on_changed)
        self.limit_field.return_pressed.connect(self._on_return_pressed)
        for choice in (
            self.deletion_field,
            self.functions_field,
            self.fitness_field,
            self.sampler_field,
            self.empty_tree_field,
        ):
            choice.currentIndexChanged.connect(self._on_changed)
        self.start_field.formula_changed.connect(self._on_formula_edited)
        self.start_field.returnPressed.connect(self._on_return_pressed)
        self.dice_button.clicked.connect(self._on_dice_thrown)
        self.restart_button.clicked.connect(self._on_restart_clicked)
        self.new_run_button.clicked.connect(self._on_new_run_clicked)

    # Fields and drafts

    def _draft(self) -> RunDraft:
        return RunDraft(
            n=self.n_field.text(),
            limit=self.limit_field.currentText(),
            deletion="leaf" if self.deletion_field.value() == "leaf" else "subtree",
            functions=self.functions_field.value(),
            fitness="sampled" if self.fitness_field.value() == "sampled" else "complete",
            rows=self.rows_field.text(),
            sampler="counts" if self.sampler_field.value() == "counts" else "rows",
            accept_error=self.accept_error_field.text(),
            empty_tree="any" if self.empty_tree_field.value() == "any" else "insert-only",
            seed=self.seed_field.text(),
            start=self.start_field.formula(),
        )

    def _typed_fields(self) -> dict[str, QWidget]:
        return {
            "n": self.n_field,
            "limit": self.limit_field,
            "rows": self.rows_field,
            "accept_error": self.accept_error_field,
            "seed": self.seed_field,
            "start": self.start_field,
        }

    def _fill(self, draft: RunDraft) -> None:
        fields = {
            self.n_field: draft.n,
            self.rows_field: draft.rows or self.rows_field.text() or "100",
            self.accept_error_field: draft.accept_error,
            self.seed_field: draft.seed,
        }
        choices = {
            self.deletion_field: draft.deletion,
            self.functions_field: draft.functions,
            self.fitness_field: draft.fitness,
            self.sampler_field: draft.sampler,
            self.empty_tree_field: draft.empty_tree,
        }
        blockers = [
            QSignalBlocker(field) for field in (*fields, *choices, self.limit_field, self.start_field)
        ]
        for field, text in fields.items():
            if field.text() != text:
                field.setText(text)
                field.setCursorPosition(0)
        for choice, value in choices.items():
            choice.set_value(value)
        self.limit_field.setEditText(draft.limit)
        self.start_field.set_formula(draft.start)
        del blockers

    def _checked(self, draft: RunDraft) -> tuple[RunConfig, str] | None:
        """The run that a draft describes, with the formula checked at once."""
        try:
            config = draft.config()
        except GpvizError:
            return None
        return None if start_problem(draft) else (config, draft.start.strip())

    def _refresh(self) -> None:
        """Let everything beside the fields say what they say."""
        draft = self._draft()
        problems = draft.problems()
        if self._start_sentence is not None:
            problems["start"] = self._start_sentence
        is_long = len(draft.start) > CHECKED_LENGTH
        for name, label in self._problem_labels.items():
            self._say(label, problems.get(name, ""))
        if is_long:
            self._say(self._problem_labels["start"], _START_LATER)
        _set_role(self._problem_labels["start"], "muted" if is_long else "problem")
        for name, field in self._typed_fields().items():
            _set_role(field, "wrong" if name in problems else "")
        for name in ("rows", "sampler"):
            for part in self._rows_of[name]:
                part.setVisible(draft.fitness == "sampled")
        self._say(self.limit_amount, _amount(draft))
        n = draft.variables
        self.fitness_field.setItemText(0, f"all {rows_text(n)} rows" if n is not None else "all rows")
        self._refresh_buttons(draft, problems)
        is_next = not draft.is_as(self._on_show)
        self.note.setText(_MEND if problems else _FOR_THE_NEXT if is_next else "")

    def _refresh_buttons(self, draft: RunDraft, problems: dict[str, str]) -> None:
        reason = next(iter(problems.values()), "")
        for button in (self.restart_button, self.new_run_button):
            button.setEnabled(not reason)
        self.restart_button.setToolTip(
            reason or f"Start a run with these settings and this seed, {_short(draft.seed)}."
        )
        self.new_run_button.setToolTip(
            reason or f"Start a run with these settings and seed {_short(self._new(draft).seed)}."
        )

    def _reserve_note(self) -> None:
        """Keep the room of the note also while it says nothing, so that nothing below it moves."""
        longest = max((_MEND, _FOR_THE_NEXT), key=len)
        wrapping = int(Qt.TextFlag.TextWordWrap)
        height = self.note.fontMetrics().boundingRect(0, 0, self.width(), 1000, wrapping, longest).height()
        if height != self.note.minimumHeight():
            self.note.setMinimumHeight(height)

    def _new(self, draft: RunDraft) -> RunDraft:
        """What *New run* starts: the next seed, or the one typed if it is already another."""
        seed = draft.config().seed
        if str(seed) != self._on_show.seed:
            return draft
        return replace(draft, seed=str(seed + 1))

    def _say(self, label: QLabel, text: str) -> None:
        if label.text() != text:
            label.setText(text)
        label.setVisible(bool(text))

    def _request(self, draft: RunDraft) -> None:
        self.seed_field.setText(draft.seed.strip())
        run = self._checked(draft)
        if run is not None:
            self.run_requested.emit(*run)
            return
        self._start_sentence = None if draft.problems() else start_problem(draft)
        self._refresh()

    # Slots

    @Slot()
    def _on_changed(self) -> None:
        # The formula may become right or wrong with n and the limit.
        if self.start_field.formula():
            self._formula_timer.start()
        self._refresh()

    @Slot()
    def _on_formula_edited(self) -> None:
        self._formula_timer.start()
        self._refresh()

    @Slot()
    def _on_formula_settled(self) -> None:
        draft = self._draft()
        if not draft.problems():
            self._start_sentence = start_problem(draft)
        self._refresh()

    @Slot()
    def _on_dice_thrown(self) -> None:
        self.seed_field.setText(str(secrets.randbelow(_DICE_SEEDS)))

    @Slot()
    def _on_restart_clicked(self) -> None:
        self._request(self._draft())

    @Slot()
    def _on_new_run_clicked(self) -> None:
        draft = self._draft()
        self._request(draft if draft.problems() else self._new(draft))

    @Slot()
    def _on_return_pressed(self) -> None:
        self._request(self._draft())
        if self.new_run_button.isEnabled():  # else there is still something to be typed
            for field in self._typed_fields().values():
                field.clearFocus()


def _amount(draft: RunDraft) -> str:
    """What the limit amounts to, where that is not what is written there."""
    leaves = draft.max_leaves
    if leaves is None or draft.limit.strip().isdecimal():
        return ""
    return f"= {leaves:,}"


def _short(seed: str) -> str:
    return seed if len(seed) <= 20 else f"{seed[:17]}..."


def _set_role(widget: QWidget, role: str) -> None:
    """Give a widget another look; the style sheet only notices when told to look again."""
    if (widget.property("role") or "") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
