"""The dialog that asks for the settings of a new run, and checks them as they are typed."""

import secrets
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLayout,
    QToolButton,
    QWidget,
)

from gpviz.app.theme import Theme, icon
from gpviz.app.widgets.fields import (
    ChoiceField,
    FieldGrid,
    FormulaField,
    LimitField,
    MoreButton,
    set_tip,
    setting_field,
    show_sentence,
)
from gpviz.app.widgets.focus_order import ReadingOrderFocus
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import GpvizError, RunConfig
from gpviz.engine.config import DEFAULTS
from gpviz.engine.mutation_script import Script, check_script
from gpviz.engine.settings import SETTINGS, plain_text, setting
from gpviz.number_text import counted, number_text, rows_text
from gpviz.runs.run_draft import START_HELP, START_TITLE, RunDraft, start_problem
from gpviz.runs.show_request import ShowRequest

_DICE_SEEDS: Final = 1_000_000
_START: Final = "start"
_SCRIPT: Final = "script"
_SCRIPT_HELP: Final = (
    "Carry out these mutations first, as this run does, and draw the others. The page By hand shows them."
)
_LINES_WIDE: Final = 24
_SHARE_OF_SCREEN: Final = 0.7


class NewRunDialog(ReadingOrderFocus, Themed, QDialog):
    """Asks for a run. It begins with that of another, and shows what is rarely needed on demand."""

    run_requested = Signal(object)
    """A run was asked for; a `ShowRequest`. Whoever shows it closes the dialog: what was typed stays till then."""

    def __init__(
        self, config: RunConfig, start: str = "", script: Script = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._script = script
        self._shown_rare: set[str] = set()
        self.setWindowTitle("New run – gpviz")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fields = {row.name: setting_field(row) for row in SETTINGS}
        self.start_field = FormulaField("the empty tree")
        self.script_box = QCheckBox(counted(len(script), "mutation"))
        self.grid = FieldGrid(spacing=8)
        self.amounts = {name: QLabel() for name in ("limit", "rows", "accept_error")}
        self.dice_button = QToolButton()
        self.more_button = MoreButton("More settings", "Show or hide the settings that you rarely need")
        self._area = _FieldArea(self.grid)
        self.buttons = QDialogButtonBox()
        self.start_button = self.buttons.addButton("Start", QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self._fill(RunDraft.of(config, start))
        self._build()
        self._connect()
        self._refresh()
        self.fields["n"].setFocus()

    def request(self) -> ShowRequest | None:
        """The run as typed; None while something is wrong with it."""
        draft = self._draft()
        if self._problems(draft):
            return None
        return ShowRequest(run=draft.config(), start=draft.start.strip(), script=self._wanted_script())

    @Slot()
    def accept(self) -> None:
        request = self.request()
        if request is not None:
            self.run_requested.emit(request)

    def apply_theme(self, theme: Theme) -> None:
        side = round(theme.font_size * 1.6)
        self.dice_button.setIcon(icon("dice", theme))
        self.dice_button.setIconSize(QSize(side, side))

    # --- building ---

    def _fill(self, draft: RunDraft) -> None:
        for name, field in self.fields.items():
            field.set_value(draft[name] or setting(name).suggestion)
        self.start_field.set_formula(draft.start)
        self.script_box.setChecked(bool(self._script))

    def _build(self) -> None:
        beside: dict[str, QWidget] = {**self.amounts, "seed": self.dice_button}
        for amount in self.amounts.values():
            amount.setProperty("role", "muted")
        for row in sorted(SETTINGS, key=lambda row: not row.is_basic):
            if not row.is_basic and self.grid.names()[-1:] == ("seed",):
                self.grid.add_line(self.more_button)
            self.grid.add(row.name, row.title, self.fields[row.name], row.help, beside.get(row.name))
        self.grid.add(_START, START_TITLE, self.start_field, START_HELP)
        self.grid.add(_SCRIPT, "Script", self.script_box, _SCRIPT_HELP)
        self.grid.show_field(_SCRIPT, bool(self._script))
        self.dice_button.setAccessibleName("Random seed")
        self.dice_button.setToolTip("Roll the dice for a random seed.")
        self.start_button.setProperty("role", "primary")
        self.start_button.setDefault(True)
        column_in(
            self, (self._area, 1), self.buttons, spacing=14, margins=(16, 16, 16, 16)
        ).setSizeConstraint(
            QLayout.SizeConstraint.SetFixedSize  # it grows and shrinks with what it shows
        )

    def _connect(self) -> None:
        for field in self.fields.values():
            field.value_changed.connect(self._refresh)
            if isinstance(field, LimitField):  # Qt's other fields leave Return to the dialog
                field.return_pressed.connect(self.accept)
        self.start_field.textChanged.connect(self._refresh)
        self.script_box.toggled.connect(self._refresh)
        self.dice_button.clicked.connect(self._on_dice_thrown)
        self.more_button.toggled.connect(self._on_more_toggled)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # --- what is typed ---

    def _draft(self) -> RunDraft:
        texts = {name: field.value() for name, field in self.fields.items()}
        return RunDraft(texts, self.start_field.text())

    def _wanted_script(self) -> Script:
        return self._script if self.script_box.isChecked() else ()

    def _problems(self, draft: RunDraft) -> dict[str, str]:
        """What is wrong, by the names of the fields; only right settings can judge the tree and the script."""
        problems = draft.problems()
        if problems:
            return problems
        if problem := start_problem(draft):
            problems[_START] = problem
        try:
            check_script(self._wanted_script(), draft.config())
        except GpvizError as error:
            problems[_SCRIPT] = str(error)
        return problems

    @Slot()
    def _refresh(self) -> None:
        """Let everything beside the fields say what they say."""
        draft = self._draft()
        problems = self._problems(draft)
        self.grid.tell(problems)
        self._show_rare(draft, problems)
        for name, label in self.amounts.items():
            amount = draft.amount(name)
            show_sentence(label, "" if amount is None else f"= {number_text(amount)}")
        n = draft.variables
        fitness = self.fields["fitness"]
        assert isinstance(fitness, ChoiceField)
        fitness.setItemText(0, f"all {rows_text(n)} rows" if n is not None else "all rows")
        self.start_button.setEnabled(not problems)
        set_tip(self.start_button, next(iter(problems.values()), "Start a run with these settings (Enter)."))

    def _show_rare(self, draft: RunDraft, problems: dict[str, str]) -> None:
        """Show what is seldom changed on demand, and also what is not as usual or wrong.

        What has come to be seen stays, so that no field goes while somebody is in it.
        """
        self._shown_rare |= {
            row.name for row in SETTINGS if draft[row.name] != plain_text(DEFAULTS.get(row.name))
        }
        if draft.start:
            self._shown_rare.add(_START)
        self._shown_rare |= set(problems)
        for row in SETTINGS:
            is_wanted = self.more_button.isChecked() or row.name in self._shown_rare
            is_shown = draft.is_sampled if row.is_for_sampled else row.is_basic or is_wanted
            self.grid.show_field(row.name, is_shown)
        self.grid.show_field(_START, self.more_button.isChecked() or _START in self._shown_rare)

    @Slot()
    def _on_more_toggled(self) -> None:
        self._shown_rare.clear()
        self._refresh()

    @Slot()
    def _on_dice_thrown(self) -> None:
        self.fields["seed"].set_value(str(secrets.randbelow(_DICE_SEEDS)))


class _FieldArea(WrappingScrollArea):
    """As high as its fields, as far as the screen has space for them; then it scrolls."""

    def sizeHint(self) -> QSize:
        width = _LINES_WIDE * self.fontMetrics().lineSpacing()
        most = round(_SHARE_OF_SCREEN * self.screen().availableGeometry().height())
        return QSize(width + self.verticalScrollBar().sizeHint().width(), min(self.height_for(width), most))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
