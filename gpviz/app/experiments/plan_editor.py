"""The plan of an experiment: its fields, checked as they are typed, and below them what starts it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from gpviz.app.dialogs.file_dialogs import ask_to_open, ask_to_save
from gpviz.app.experiments.experiment_files import ask_new_store, usual_folder
from gpviz.app.key_text import key_text
from gpviz.app.preferences import Preferences
from gpviz.app.question import Question
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import (
    ChoiceField,
    ElidedLabel,
    FieldGrid,
    NumberField,
    NumberSpin,
    TicksField,
    align,
    heading,
    push_button,
    sentence,
    set_tip,
    show_sentence,
)
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.engine.errors import GpvizError
from gpviz.engine.settings import setting
from gpviz.escaping import line_text, tooltip_text
from gpviz.experiments.plan import MEASURE_TABLE, PLAN_SETTINGS, Plan, load_plan, plan_text, shipped_plans
from gpviz.experiments.plan_draft import (
    CHOSEN,
    TYPED,
    PlanDraft,
    choices_of,
    grouped,
    title_of,
    ungrouped,
)
from gpviz.experiments.pool import default_jobs
from gpviz.files.file_io import shown_path, write_file
from gpviz.number_text import counted

_SPACING: Final = 4
_AT_ONCE_CELLS: Final = 60
"""Plans with more cells are put together in the background: that takes longer than a frame."""
_TIP: Final = Qt.ItemDataRole.ToolTipRole
_PLAN_FILTER: Final = "Plans (*.toml);;All files (*)"
_RECENT: Final = "experiment_plans"
_MOST_RECENT: Final = 6
_OWN: Final = "own"
_FILE: Final = "file:"
_SEVERAL: Final = " Several values, separated by commas, make an axis of the grid."
_TICKED: Final = " Tick both to make an axis of the grid."
_HINTS: Final = {
    "title": "The name of the experiment in tables and plots.",
    "runs": "How many runs to do for each combination of settings.",
    "seed": "Run 0 has this seed, run 1 the next one, and so on. The seed repeats a run exactly.",
    "max_iterations": "Stop runs that are neither solved nor proven stuck by then.",
    "x": "The setting on the x axis of the plots; it must be one that varies.",
    "measures": "What the plots of the experiment show.",
    "plan": "A plan that comes with gpviz, or one of your own files. Change it below.",
}


class CountField(NumberField):
    """A whole number that is shown in groups of three digits, and may be typed with or without them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editingFinished.connect(self._on_editing_finished)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            super().keyPressEvent(event)
            return
        with QSignalBlocker(self):  # it counts what has no commas
            self.setText(ungrouped(self.text()))
        super().keyPressEvent(event)
        self._on_editing_finished()

    @Slot()
    def _on_editing_finished(self) -> None:
        text = grouped(self.text())
        if text != self.text():
            self.setText(text)


class PlanEditor(Themed, QWidget):
    """A plan as fields. ``plan()`` is the plan as typed, or None while something is wrong or still checked."""

    plan_changed = Signal()
    problem_met = Signal(str)
    reported = Signal(str)

    def __init__(self, preferences: Preferences | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shipped = {plan.name: plan for plan in shipped_plans()}
        self._base = next(iter(self.shipped.values()))
        self._plan: Plan | None = None
        self._preferences = preferences or Preferences()
        self._paths: list[tuple[Plan, Path]] = []
        self.choice = ChoiceField([])
        self.load_button = push_button("Load …", "Load a plan from a TOML file.", "Load a plan")
        self.save_button = push_button(
            "Save …", "Save this plan as a TOML file, for gpviz experiment and for others.", "Save the plan"
        )
        self.explanation = sentence("muted")
        self.lines = {
            "title": QLineEdit(),
            "runs": CountField(),
            "seed": NumberField(),
            "max_iterations": CountField(),
        }
        self.typed = {name: QLineEdit() for name in TYPED}
        self.ticks = {name: TicksField(choices_of(name)) for name in CHOSEN if name != "fitness"}
        self.fitness_field = ChoiceField(choices_of("fitness"))
        self.x_field = ChoiceField([])
        self.measures = TicksField(tuple((row.name, row.title) for row in MEASURE_TABLE))
        self.general_problem = sentence("problem")
        self.work = sentence("muted")
        self._grids: list[FieldGrid] = []
        self._checker = Question(self, self._on_checked, self.problem_met.emit)
        self._loader = Question(self, self._on_loaded, self._on_file_failed)
        self._build()
        self._connect()
        self._offer_plans()
        self.set_plan(self._base)

    # --- the plan ---

    def plan(self) -> Plan | None:
        """The plan as typed."""
        return self._plan

    def set_plan(self, plan: Plan) -> None:
        """Show a plan to be changed or started."""
        self._base = plan
        draft = PlanDraft.of(plan)
        for name, line in (*self.lines.items(), *self.typed.items()):
            with QSignalBlocker(line):
                line.setText(draft.texts[name] if name in self.typed else getattr(draft, name))
            line.setCursorPosition(0)
        for name, ticks in self.ticks.items():
            ticks.set_values(draft.ticks[name])
        self.fitness_field.choose((draft.ticks["fitness"] or ("complete",))[0])
        self.measures.set_values(draft.measures)
        self._offer_axes(draft.axes(), draft.x)
        show_sentence(self.explanation, plan.explanation)
        self._choose(plan)
        self._check()

    def draft(self) -> PlanDraft:
        """The fields as they are now."""
        kept = [measure for measure in self._base.measures if measure in self.measures.values()]
        new = [measure for measure in self.measures.values() if measure not in kept]
        return PlanDraft(
            base=self._base,
            **{name: line.text() for name, line in self.lines.items()},
            texts={name: line.text() for name, line in self.typed.items()},
            ticks={name: ticks.values() for name, ticks in self.ticks.items()}
            | {"fitness": (self.fitness_field.value(),)},
            x=self.x_field.value(),
            measures=(*kept, *new),
        )

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's type."""
        align(self._grids, theme.font())

    def label_width(self) -> int:
        """How wide the column of the fields' names is."""
        return self._grids[0].label_width()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 34, super().minimumSizeHint().height())

    @Slot()
    def ask_and_load(self) -> None:
        """Let a person choose a plan's file."""
        path = ask_to_open(self, "Load a plan", str(self._folder()), _PLAN_FILTER)
        if path is not None:
            self.load(path)

    def load(self, path: Path) -> None:
        """Begin to load a plan."""
        self._loader.ask(path, "", lambda _: (load_plan(path), path))

    @Slot()
    def ask_and_save(self) -> None:
        """Let a person say where the plan is to be saved."""
        plan = self._plan
        assert plan is not None  # without one the button is disabled
        proposal = self._folder() / f"{plan.name or 'plan'}.toml"
        path = ask_to_save(self, "Save the plan", proposal, {".toml": _PLAN_FILTER})
        if path is None:
            return
        try:
            write_file(path, plan_text(plan).encode("utf-8"))
        except GpvizError as problem:
            self._on_file_failed(str(problem))
            return
        self._remember(plan, path.absolute())
        self.reported.emit(f"The plan is saved in {shown_path(path.absolute())}.")
        self._choose(self._base)

    # --- building ---

    def _build(self) -> None:
        title = heading("PLAN")
        title.setBuddy(self.choice)
        self.choice.setAccessibleName("Plan")
        self.choice.setToolTip(_HINTS["plan"])
        row = QGridLayout()
        row.setHorizontalSpacing(8)
        row.setVerticalSpacing(6)
        row.addWidget(self.choice, 0, 0, 1, 2)
        row.addWidget(self.load_button, 1, 0)
        row.addWidget(self.save_button, 1, 1)
        fields: list[tuple[str, QWidget, str]] = []
        for name in PLAN_SETTINGS:
            described = setting(name)
            if name in self.typed:
                self.typed[name].setPlaceholderText(described.example)
                fields.append((name, self.typed[name], described.help + _SEVERAL))
            elif name in self.ticks:
                fields.append((name, self.ticks[name], described.help + _TICKED))
            else:
                fields.append((name, self.fitness_field, described.help))
        column_in(
            self,
            title,
            row,
            self.explanation,
            self._grid([(name, line, _HINTS[name]) for name, line in self.lines.items()]),
            heading("SETTINGS OF THE RUNS"),
            sentence("muted", text="Several values, such as 4, 8, 12, make one cell per combination."),
            self._grid(fields),
            heading("PLOTS"),
            self._grid([("x", self.x_field, _HINTS["x"]), ("measures", self.measures, _HINTS["measures"])]),
            self.general_problem,
            self.work,  # a window may put it elsewhere
            None,
            spacing=7,
        )

    def _grid(self, rows: Sequence[tuple[str, QWidget, str]]) -> FieldGrid:
        grid = FieldGrid(_SPACING)
        for name, field, hint in rows:
            grid.add(name, title_of(name), field, hint)
        self._grids.append(grid)
        return grid

    def _connect(self) -> None:
        for line in (*self.lines.values(), *self.typed.values()):
            line.textChanged.connect(self._check)
        for ticks in (*self.ticks.values(), self.measures):
            ticks.value_changed.connect(self._check)
        self.fitness_field.currentIndexChanged.connect(self._check)
        self.x_field.currentIndexChanged.connect(self._check)
        self.choice.currentIndexChanged.connect(self._on_chosen)
        self.load_button.clicked.connect(self.ask_and_load)
        self.save_button.clicked.connect(self.ask_and_save)

    # --- which plan ---

    def _offer_plans(self) -> None:
        """The plans that come with gpviz, then a person's own files."""
        with QSignalBlocker(self.choice):
            self.choice.clear()
            for plan in self.shipped.values():
                self.choice.addItem(line_text(plan.title or plan.name), plan.name)
            for path in self._recent():
                self.choice.addItem(shown_path(path.name), f"{_FILE}{path}")
                self.choice.setItemData(self.choice.count() - 1, tooltip_text(shown_path(path)), _TIP)

    def _choose(self, plan: Plan) -> None:
        """Let the list say which plan this is; one that is in no list has an entry while it is shown."""
        with QSignalBlocker(self.choice):
            path = next((path for known, path in self._paths if known == plan), None)
            known = plan.name if self.shipped.get(plan.name) == plan else f"{_FILE}{path}" if path else _OWN
            own = self.choice.findData(_OWN)
            if own >= 0:
                self.choice.removeItem(own)
            if self.choice.findData(known) < 0:
                self.choice.insertItem(0, line_text(plan.title or plan.name) or "A plan of your own", _OWN)
                known = _OWN
            self.choice.set_value(known)

    @Slot(int)
    def _on_chosen(self, _index: int) -> None:
        key = self.choice.value()
        if key.startswith(_FILE):
            self.load(Path(key.removeprefix(_FILE)))
        elif key in self.shipped:
            self.set_plan(self.shipped[key])

    def _recent(self) -> list[Path]:
        """The files used last, newest first."""
        return [Path(name) for name in self._preferences.text(_RECENT).split("\n") if name]

    def _folder(self) -> Path:
        return next((path.parent for path in self._recent()), Path.home())

    def _remember(self, plan: Plan, path: Path) -> None:
        """Add a plan's file to the recent ones."""
        self._paths = [(plan, path), *(other for other in self._paths if other[1] != path)][:_MOST_RECENT]
        recent = [path, *(other for other in self._recent() if other != path)][:_MOST_RECENT]
        self._preferences.set_text(_RECENT, "\n".join(map(str, recent)))
        self._offer_plans()

    def _on_loaded(self, answer: tuple[Plan, Path]) -> None:
        plan, path = answer
        self._remember(plan, path.absolute())
        self.set_plan(plan)

    @Slot(str)
    def _on_file_failed(self, problem: str) -> None:
        self._choose(self._base)  # which is still what the fields began with
        self.problem_met.emit(problem)

    # --- checking ---

    def _offer_axes(self, axes: Sequence[str], chosen: str) -> None:
        self.x_field.set_choices([("", "nothing"), *((name, title_of(name)) for name in axes)])
        self.x_field.choose(chosen if chosen in axes else "")

    @Slot()
    def _check(self) -> None:
        """Let everything beside the fields say what they say."""
        self._checker.cancel()
        draft = self.draft()
        for grid in self._grids:
            for name in grid.names():
                if name in PLAN_SETTINGS and setting(name).is_for_sampled:
                    grid.show_field(name, draft.is_sampled)
        self._offer_axes(draft.axes(), draft.x)
        problems = draft.problems()
        if problems:
            self._show(None, problems)
        elif draft == PlanDraft.of(self._base):
            self._show(self._base, {})
        elif draft.count() <= _AT_ONCE_CELLS:
            self._on_checked(_put_together(draft))
        else:
            self._checker.ask(draft, "", lambda _: _put_together(draft))
            self._show(None, {})

    def _show(self, plan: Plan | None, problems: dict[str, str]) -> None:
        self._plan = plan
        shown: set[str] = set()
        for grid in self._grids:
            grid.tell(problems)
            shown.update(grid.names())
        others = [text for name, text in problems.items() if name not in shown]
        show_sentence(self.general_problem, " ".join(others))
        self.save_button.setEnabled(plan is not None)
        if plan is not None:
            self.work.setText(f"{counted(len(plan.cells), 'cell')} · {plan.total_runs:,} runs")
        elif self._checker.is_busy:
            self.work.setText("Checking the plan …")
        else:
            self.work.setText(self.general_problem.text() or "Correct the fields marked in red.")
        self.plan_changed.emit()

    def _on_checked(self, answer: Plan | tuple[str, str]) -> None:
        if isinstance(answer, Plan):
            self._show(answer, {})
        else:
            self._show(None, dict([answer]))


def _put_together(draft: PlanDraft) -> Plan | tuple[str, str]:
    try:
        return draft.plan()
    except GpvizError as problem:
        return draft.field_of(problem)


_SOMEWHERE = "a new file"


class LaunchPanel(Themed, QWidget):
    """The foot of the plan editor. It knows of no experiment, only what is possible now."""

    def __init__(self, work: QLabel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        """Where the results of the next experiment go; None for a new file among the others."""
        self._proposal = ""
        self._grid = QGridLayout()
        self.jobs = NumberSpin(default_jobs(), default_jobs())
        self.path_label = ElidedLabel()
        tip = "Choose the file for the results of the next experiment."
        self.path_button = push_button("Choose …", tip, "Choose where the results go")
        self.start_button = push_button("Start", "", "Start the experiment", "primary")
        tip = key_text("Stop the experiment and keep the finished runs (Ctrl+.)")
        self.cancel_button = push_button("Cancel", tip, "Cancel the experiment")
        self.continue_button = push_button("Continue", "", "Continue the experiment on show")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._build(work)
        self.set_path(None)
        self.show_possible(None)

    def set_path(self, path: Path | None) -> None:
        """Say where the results of the next experiment go."""
        self.path = path
        self.path_label.setText(_SOMEWHERE if path is None else shown_path(path.name))
        set_tip(self.path_label, f"In {shown_path(usual_folder())}" if path is None else shown_path(path))

    def begin_fields_at(self, label_width: int) -> None:
        """Let the fields begin where those of the plan do."""
        self._grid.setColumnMinimumWidth(0, label_width)

    def apply_theme(self, theme: Theme) -> None:
        """The usual name for results stays readable."""
        self.path_label.setMinimumWidth(QFontMetrics(theme.font()).horizontalAdvance(_SOMEWHERE) + 1)

    def show_possible(
        self, plan: Plan | None, *, is_running: bool = False, can_cancel: bool = False, continuation: str = ""
    ) -> None:
        """What the buttons can do now; ``continuation`` is what Continue would do, empty if nothing."""
        self._proposal = "" if plan is None else plan.name
        had_focus = self.start_button.hasFocus() or self.cancel_button.hasFocus() or self.hasFocus()
        self.cancel_button.setEnabled(can_cancel)
        self.start_button.setEnabled(plan is not None and not is_running)
        self.start_button.setToolTip(
            "Wait until this experiment has ended."
            if is_running
            else key_text("Run the plan (Ctrl+Return)")
            if plan is not None
            else "Correct the fields marked in red."
        )
        self.continue_button.setEnabled(bool(continuation) and not is_running)
        set_tip(self.continue_button, continuation or "No experiment is open, or it is finished.")
        self.jobs.setEnabled(not is_running)
        if had_focus:
            self.take_focus()

    def take_focus(self) -> None:
        """Let Return and Space mean the button that can be pressed now."""
        for button in (self.start_button, self.cancel_button):
            if button.isEnabled():
                button.setFocus()
                return
        self.setFocus()  # between Cancel and Start there is a moment when neither can be pressed

    @Slot()
    def ask_path(self) -> None:
        """Let a person say where the results go; without an answer it stays the usual file."""
        path = ask_new_store(self, self._proposal)
        if path is not None:
            self.set_path(path)

    def _build(self, work: QLabel) -> None:
        grid = self._grid
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        workers = QLabel("&Workers")
        workers.setBuddy(self.jobs)
        hint = (
            "How many runs to do at the same time, each in its own process. This machine has "
            f"{default_jobs()} core{'s' if default_jobs() != 1 else ''}."
        )
        for part in (workers, self.jobs):
            set_tip(part, hint)
        self.jobs.setAccessibleName("Workers")
        self.path_button.clicked.connect(self.ask_path)
        grid.addWidget(workers, 0, 0)
        grid.addWidget(self.jobs, 0, 1, 1, 2)
        grid.addWidget(QLabel("Results"), 1, 0)
        grid.addWidget(self.path_label, 1, 1)
        grid.addWidget(self.path_button, 1, 2)
        buttons = row_of(self.start_button, self.cancel_button, self.continue_button, spacing=8)
        column_in(self, work, grid, buttons, spacing=8)
