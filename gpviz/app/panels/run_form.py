"""The setup panel: the settings of the next run, checked as they are typed."""

import secrets
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.theme import Theme, icon
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import (
    ChoiceField,
    FieldGrid,
    FormulaField,
    MoreButton,
    heading,
    sentence,
    set_role,
    set_tip,
    setting_field,
    show_sentence,
)
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.engine import GpvizError, RunConfig
from gpviz.engine.config import DEFAULTS
from gpviz.engine.mutation_script import Script, check_script
from gpviz.engine.settings import SETTINGS, plain_text, setting
from gpviz.number_text import counted, number_text, rows_text
from gpviz.runs.run_draft import CHECKED_LENGTH, START_HELP, START_TITLE, RunDraft, start_problem
from gpviz.runs.show_request import ShowRequest

_FORMULA_DELAY_MS: Final = 150
_DICE_SEEDS: Final = 1_000_000
_START_LATER: Final = "This formula is long. It is checked when the run starts."
_FOR_THE_NEXT: Final = "These settings apply to the next run."
_MEND: Final = "Correct the field marked in red."
_FIRST: Final = RunConfig(n=6)
_START: Final = "start"
_SCRIPT: Final = "script"
_SCRIPT_HELP: Final = (
    "Carry out these mutations first, as this run does, and draw the others. The page By hand shows them."
)


class RunForm(Themed, QWidget):
    """The settings as fields. They never touch the run on show; they only ask for another one."""

    run_requested = Signal(object)
    """A run was asked for; a `ShowRequest`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._on_show = RunDraft.of(_FIRST, "")
        self._script: Script = ()
        self._start_sentence: str | None = None
        self._shown_rare: set[str] = set()
        self._formula_timer = single_shot(self, self._on_formula_settled, _FORMULA_DELAY_MS)

        self.fields = {row.name: setting_field(row) for row in SETTINGS}
        self.grid = FieldGrid()
        self.amounts = {name: QLabel() for name in ("limit", "rows", "accept_error")}
        for amount in self.amounts.values():
            amount.setProperty("role", "muted")
        self.start_field = FormulaField("the empty tree")
        self.script_box = QCheckBox()
        self.more_button = MoreButton("More settings", "Show or hide the settings that you rarely need")
        self.dice_button = QToolButton()
        self.restart_button = QPushButton("Restart same seed")
        self.new_run_button = QPushButton("New run")
        self.note = sentence("muted")
        self._build()
        self.set_values(_FIRST, "")
        self._connect()

    def set_values(self, config: RunConfig, start: str, script: Script = ()) -> None:
        """Show the settings of the run that has come on show."""
        self._on_show = RunDraft.of(config, start)
        self._script = script
        self._fill(self._on_show)
        # What already runs need not be checked.
        self._formula_timer.stop()
        self._start_sentence = None
        self._shown_rare.clear()
        self._refresh()

    def values(self) -> tuple[RunConfig, str] | None:
        """The settings as typed; None while something is wrong with them."""
        return self._checked(self._draft())

    def apply_theme(self, theme: Theme) -> None:
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
        beside: dict[str, QWidget] = {**self.amounts, "seed": self.dice_button}
        for row in sorted(SETTINGS, key=lambda row: not row.is_basic):
            if not row.is_basic and self.grid.names()[-1:] == ("seed",):
                self.grid.add_line(self.more_button)
            self.grid.add(row.name, row.title, self.fields[row.name], row.help, beside.get(row.name))
        self.grid.add(_START, START_TITLE, self.start_field, START_HELP)
        self.grid.add(_SCRIPT, "Script", self.script_box, _SCRIPT_HELP)
        for field in (*self.fields.values(), self.start_field):
            if isinstance(field, QLineEdit):
                field.setMinimumWidth(field.fontMetrics().horizontalAdvance("0" * 6))
        self.dice_button.setAccessibleName("Random seed")
        self.dice_button.setToolTip("Roll the dice for a random seed.")
        self.new_run_button.setProperty("role", "primary")
        for button in (self.restart_button, self.new_run_button):
            button.setAccessibleName(button.text())
        # After a click the keys go on meaning what they meant: Space plays, and starts no other run.
        for clicked in (self.restart_button, self.new_run_button, self.dice_button):
            clicked.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        buttons = row_of(self.restart_button, (self.new_run_button, 1), spacing=8)
        column_in(self, heading("RUN"), self.grid, 2, buttons, self.note, spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _connect(self) -> None:
        for field in self.fields.values():
            field.value_changed.connect(self._on_changed)
            field.return_pressed.connect(self._on_return_pressed)
        self.start_field.formula_changed.connect(self._on_formula_edited)
        self.start_field.returnPressed.connect(self._on_return_pressed)
        self.script_box.toggled.connect(self._on_changed)
        self.dice_button.clicked.connect(self._on_dice_thrown)
        self.more_button.toggled.connect(self._on_more_toggled)
        self.restart_button.clicked.connect(self._on_restart_clicked)
        self.new_run_button.clicked.connect(self._on_new_run_clicked)

    # Fields and drafts

    def _draft(self) -> RunDraft:
        texts = {name: field.value() for name, field in self.fields.items()}
        return RunDraft(texts, self.start_field.formula())

    def _fill(self, draft: RunDraft) -> None:
        fields = (*self.fields.values(), self.start_field, self.script_box)
        blockers = [QSignalBlocker(field) for field in fields]
        for name, field in self.fields.items():
            field.set_value(draft[name] or field.value() or setting(name).suggestion)
        self.start_field.set_formula(draft.start)
        self.script_box.setText(counted(len(self._script), "mutation"))
        self.script_box.setChecked(bool(self._script))
        del blockers

    def _checked(self, draft: RunDraft) -> tuple[RunConfig, str] | None:
        """The run that a draft describes, with the formula checked at once."""
        try:
            config = draft.config()
        except GpvizError:
            return None
        if start_problem(draft) or self._script_problem(draft):
            return None
        return config, draft.start.strip()

    def _wanted_script(self) -> Script:
        return self._script if self.script_box.isChecked() else ()

    def _script_problem(self, draft: RunDraft) -> str | None:
        """Why the run that a draft describes cannot carry out the script, given settings that are right."""
        try:
            check_script(self._wanted_script(), draft.config())
        except GpvizError as problem:
            return str(problem)
        return None

    def _refresh(self) -> None:
        """Let everything beside the fields say what they say."""
        draft = self._draft()
        problems = draft.problems()
        if self._start_sentence is not None:
            problems["start"] = self._start_sentence
        script_problem = None if problems else self._script_problem(draft)
        if script_problem is not None:
            problems[_SCRIPT] = script_problem
        self.grid.tell(problems)
        is_long = len(draft.start) > CHECKED_LENGTH
        start_label = self.grid.problem_label("start")
        if is_long:
            show_sentence(start_label, _START_LATER)
        set_role(start_label, "muted" if is_long else "problem")
        self._show_rare(draft, problems)
        for name, label in self.amounts.items():
            amount = draft.amount(name)
            show_sentence(label, "" if amount is None else f"= {number_text(amount)}")
        n = draft.variables
        fitness = self.fields["fitness"]
        assert isinstance(fitness, ChoiceField)
        fitness.setItemText(0, f"all {rows_text(n)} rows" if n is not None else "all rows")
        self._refresh_buttons(draft, problems)
        is_next = not draft.is_as(self._on_show) or self._wanted_script() != self._script
        self.note.setText(_MEND if problems else _FOR_THE_NEXT if is_next else "")

    def _show_rare(self, draft: RunDraft, problems: dict[str, str]) -> None:
        """Show what is seldom changed on demand, and also what is not as usual or wrong.

        What has come to be seen stays until another run, so that no field goes while somebody is in it.
        """
        unusual = {row.name for row in SETTINGS if draft[row.name] != plain_text(DEFAULTS.get(row.name))}
        if draft.start:
            unusual.add(_START)
        self._shown_rare |= unusual | set(problems)
        for row in SETTINGS:
            is_wanted = self.more_button.isChecked() or row.name in self._shown_rare
            is_shown = draft.is_sampled if row.is_for_sampled else row.is_basic or is_wanted
            self.grid.show_field(row.name, is_shown)
        self.grid.show_field(_START, self.more_button.isChecked() or _START in self._shown_rare)
        self.grid.show_field(_SCRIPT, bool(self._script))

    def _refresh_buttons(self, draft: RunDraft, problems: dict[str, str]) -> None:
        reason = next(iter(problems.values()), "")
        for button in (self.restart_button, self.new_run_button):
            button.setEnabled(not reason)
        same, new = (_short(each["seed"]) for each in (draft, draft if reason else self._new(draft)))
        set_tip(self.restart_button, reason or f"Start a run with these settings and this seed, {same}.")
        set_tip(self.new_run_button, reason or f"Start a run with these settings and seed {new}.")

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
        if str(seed) != self._on_show["seed"]:
            return draft
        return draft.with_texts({"seed": str(seed + 1)})

    def _request(self, draft: RunDraft) -> None:
        self.fields["seed"].set_value(draft["seed"].strip())
        run = self._checked(draft)
        if run is not None:
            config, start = run
            self.run_requested.emit(ShowRequest(run=config, start=start, script=self._wanted_script()))
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
    def _on_more_toggled(self) -> None:
        self._shown_rare.clear()
        self._refresh()

    @Slot()
    def _on_dice_thrown(self) -> None:
        self.fields["seed"].set_value(str(secrets.randbelow(_DICE_SEEDS)))

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
            for field in (*self.fields.values(), self.start_field):
                field.clearFocus()


def _short(seed: str) -> str:
    return seed if len(seed) <= 20 else f"{seed[:17]}..."
