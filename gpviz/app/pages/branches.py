"""The page of branches: the ways the run went and could have gone, forking, comparing, undo and redo."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QTableView,
    QWidget,
)

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import (
    SettingField,
    heading,
    mark_wrong,
    sentence,
    set_tip,
    setting_field,
    show_sentence,
)
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in, column_of, row_in, row_of
from gpviz.app.widgets.tables import LEFT, RIGHT, Column, TableModel, set_up_rows
from gpviz.engine import GpvizError, Node, RunConfig
from gpviz.engine.config import check_tree
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.settings import SETTINGS, setting
from gpviz.escaping import html_text
from gpviz.explain.branch_comparison import BranchComparison, Summary
from gpviz.runs.branches import ORIGINAL, checked_name
from gpviz.runs.history import History
from gpviz.runs.run_draft import RunDraft, engine_limit

_CHANGED: Final = (
    "limit",
    "deletion",
    *(row.name for row in SETTINGS if row.can_change and not row.is_listed_by_name),
)
"""What a fork may change beside the seed."""
_SHOWN: Final = "▶ "
_CHILD: Final = "└ "
_WIDEST_INDENT: Final = 6


class ForkForms(QWidget):
    """What a fork at the cursor would change. Each form says what is wrong with it while a person types."""

    fork_requested = Signal(object)
    """The settings that are to change, by their names."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._config: RunConfig | None = None
        self._tree: Node | None = None
        self.heading = heading("")
        self.back_button = QPushButton("Back")
        self.back_button.setAccessibleName("Back to the list")
        self.back_button.setToolTip("Back to the list of branches.")
        self.seed = setting_field(setting("seed"))
        self.changed = {name: setting_field(setting(name)) for name in _CHANGED}
        self.limit, self.deletion = self.changed["limit"], self.changed["deletion"]
        for name, field in self.changed.items():
            field.setAccessibleName(f"{setting(name).title} of the branch")
            set_tip(field, setting(name).help)
        self.seed.setAccessibleName("Seed of the branch")
        self.seed.setToolTip("The seed of the branch from here on.")
        self.seed.set_value("1")
        self.seed_button = _fork_button("Fork with this seed")
        self.changes_button = _fork_button("Fork with this limit and deletion")
        self.problem = sentence("problem")
        self.hint = sentence("muted", text="The current branch stays as it is.")
        self._forms: dict[QPushButton, dict[str, SettingField]] = {
            self.seed_button: {"seed": self.seed},
            self.changes_button: self.changed,
        }
        self._lay_out()
        for button, fields in self._forms.items():
            fork = partial(self._fork, button)
            button.clicked.connect(fork)
            for field in fields.values():
                field.value_changed.connect(self.refresh)
                field.return_pressed.connect(fork)
        self.refresh()

    def show_iteration(self, config: RunConfig, tree: Node | None, iteration: int) -> None:
        """A fork would be here; what was typed for another configuration is replaced by this one's settings."""
        self.heading.setText(f"FORK HERE, AFTER ITERATION {iteration:,}")
        is_new = config != self._config
        self._config, self._tree = config, tree
        if is_new:
            draft = RunDraft.of(config, "")
            for name, field in self.changed.items():
                with QSignalBlocker(field):
                    field.set_value(draft[name])
            if config.seed < 10**12:
                self.seed.set_value(str(config.seed + 1))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say what is wrong, and let only what is right be asked for."""
        problems = []
        for button, fields in self._forms.items():
            is_right, wrong, text = self._checked(fields)
            button.setEnabled(is_right)
            for name, field in fields.items():
                mark_wrong(field, is_wrong=name == wrong)
            problems += [text] if text else []
        show_sentence(self.problem, " ".join(problems))
        self.hint.setVisible(not problems)

    def _checked(self, fields: Mapping[str, SettingField]) -> tuple[bool, str, str]:
        """Whether it can be asked for; else which setting is wrong and what to say of it, if anything."""
        if self._config is None:
            return False, "", ""
        try:
            config = _typed_config(self._config, fields)
            check_tree(self._tree, config)
        except InvalidValueError as error:
            allowed = "a whole number from 0" if error.field == "seed" else error.allowed
            text = str(InvalidValueError(error.field.capitalize(), error.value, allowed))
            return False, error.field, text
        except GpvizError as error:
            return False, "", str(error)
        return config != self._config, "", ""

    def _fork(self, button: QPushButton, _is_checked: bool = False) -> None:
        if self._config is not None and button.isEnabled():
            config, fields = self._config, self._forms[button]
            typed = _typed_config(config, fields)
            changed = [name for name in fields if getattr(typed, name) != getattr(config, name)]
            self.fork_requested.emit({name: getattr(typed, name) for name in changed})

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        choices = row_of(spacing=6)
        for name, field in self.changed.items():
            if name != "limit":
                choices.addWidget(_name(setting(name).short_title, field))
            choices.addWidget(field, 1)
        grid.addWidget(_name(setting("seed").short_title, self.seed), 0, 0)
        grid.addWidget(self.seed, 0, 1)
        grid.addWidget(self.seed_button, 0, 2)
        grid.addWidget(_name(setting("limit").short_title, self.limit), 1, 0)
        grid.addLayout(choices, 1, 1)
        grid.addWidget(self.changes_button, 1, 2)
        top = row_of((self.heading, 1), self.back_button)
        column_in(self, top, grid, self.problem, self.hint, None, spacing=6)


def _typed_config(config: RunConfig, fields: Mapping[str, SettingField]) -> RunConfig:
    typed = {name: field.value() for name, field in fields.items()}
    if "limit" in typed:
        typed["limit"] = engine_limit(typed["limit"])
    return config.replaced(**typed)


def _fork_button(name: str) -> QPushButton:
    button = QPushButton("Fork")
    button.setAccessibleName(name)
    set_tip(button, f"{name}: a new branch starts at this iteration.")
    return button


def _name(text: str, field: QWidget) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setBuddy(field)
    return label


class BranchRow(NamedTuple):
    summary: Summary
    is_shown: bool

    @property
    def id(self) -> int:
        return self.summary.branch.id


def _name_text(row: BranchRow) -> str:
    depth = min(row.summary.depth, _WIDEST_INDENT)
    indent = f"{'    ' * (depth - 1)}{_CHILD}" if depth else ""
    return f"{indent}{_SHOWN if row.is_shown else ''}{row.summary.branch.name}"


def _bold_if_shown(row: BranchRow, _: Theme) -> QFont | None:
    font = QFont()
    font.setBold(True)
    return font if row.is_shown else None


def _column(head: str, tip: str, text: Callable[[BranchRow], str]) -> Column[BranchRow]:
    is_name = text is _name_text
    return Column(
        head,
        text,
        head,
        tip,
        align=LEFT if is_name else RIGHT,
        hint=lambda row: f"{row.summary.branch.name}\nEnter or a double click shows it; F2 renames it.",
        spoken=_spoken_name if is_name else lambda row: f"{head}: {text(row)}",
        edited=lambda row: row.summary.branch.name,
        check=(lambda _row, name: checked_name(name.strip())) if is_name else None,
        font=_bold_if_shown,
    )


def _spoken_name(row: BranchRow) -> str:
    return f"{row.summary.branch.name}{', on show' if row.is_shown else ''}"


_COLUMNS: Final = (
    _column("branch", "The name of the branch; ▶ marks the current one.", _name_text),
    _column(
        "forks",
        "The iteration after which it leaves the branch above.",
        lambda row: row.summary.origin_text,
    ),
    _column(
        "iterations",
        "How many iterations it has, including the shared ones.",
        lambda row: f"{row.summary.status.iterations:,}",
    ),
    _column("error", "The error of its last tree.", lambda row: row.summary.status.error_text),
    _column("leaves", "How many leaves its last tree has.", lambda row: f"{row.summary.status.leaves:,}"),
    _column(
        "outcome",
        "Solved, stuck (proven) or open.",
        lambda row: row.summary.status.outcome,
    ),
)


class BranchList(QTableView):
    """The view of the rows; Return means show it, and Delete means remove it."""

    branch_chosen = Signal(int)
    branch_removed = Signal(int)

    def __init__(self, model: TableModel[BranchRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        set_up_rows(self, "Branches")
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(30)
        self.doubleClicked.connect(self.show_chosen)

    def chosen_ids(self) -> list[int]:
        """The branches that are selected, in their order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        listed = self._model.listed()
        return [listed[row].id for row in rows]

    def select(self, ids: list[int]) -> None:
        """Select these branches, as far as they are there."""
        self.clearSelection()
        flags = self.selectionModel().SelectionFlag
        for branch_id in ids:
            index = self.index_of(branch_id)
            if index.isValid():
                self.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)

    def index_of(self, branch_id: int) -> QModelIndex:
        """The name of a branch; not valid where it is not listed."""
        ids = [row.id for row in self._model.listed()]
        return self._model.index(ids.index(branch_id), 0) if branch_id in ids else QModelIndex()

    def fit_rows(self) -> None:
        """Rows as high as the type."""
        height = round(self.fontMetrics().height() * 1.35)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalHeader().setMinimumSectionSize(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            event.accept()  # the Return that ends an edit is meant for the editor alone
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.show_chosen()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_chosen()
        else:
            super().keyPressEvent(event)

    @Slot()
    def show_chosen(self) -> None:
        """Ask for the branch that is selected alone."""
        chosen = self.chosen_ids()
        if len(chosen) == 1:
            self.branch_chosen.emit(chosen[0])

    @Slot()
    def remove_chosen(self) -> None:
        """Ask for the end of the branch that is selected alone."""
        chosen = self.chosen_ids()
        if len(chosen) == 1:
            self.branch_removed.emit(chosen[0])


class BranchesPage(Page):
    """Shows branches; in a window those of the run on show, and what a person asks for is done to them."""

    # It comes with the window; before, nothing is connected to what uses it.
    _branches: BranchController

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = 0
        self._model = TableModel(_COLUMNS, parent=self)
        self.list = BranchList(self._model)
        self.forms = ForkForms()
        self.problem = sentence("problem")
        self.problem.hide()
        self.show_button = _button("Show", "Show the selected branch where you left it (Enter).")
        self.rename_button = _button("Rename", "Rename the selected branch (F2).")
        self.compare_button = _button(
            "Compare", "Compare the two selected branches, or the selected one with the current one."
        )
        self.remove_button = _button(
            "Remove", "Remove the selected branch and the branches that grew out of it (Del)."
        )
        self.fork_button = _button("Fork …", "Start a branch here with other settings.")
        self.undo_button = _button("↶", "Undo the last change to the branches.", "Undo")
        self.redo_button = _button("↷", "Redo the change that was undone.", "Redo")
        self._pair: list[int] = []
        self.comparison = _ComparisonView()
        self._lay_out()
        self._connect()
        self._refresh()

    # --- what comes in ---

    def connect_to(self, context: PageContext) -> None:
        """The branches are those of the run on show, and what is asked for is done to them."""
        super().connect_to(context)
        branches = self._branches = context.branch_controller
        self.list.branch_chosen.connect(branches.switch_to)
        self.list.branch_removed.connect(branches.remove)
        self._model.text_typed.connect(self._on_name_typed)
        self.forms.fork_requested.connect(self._on_fork_requested)
        self.show_button.clicked.connect(self.list.show_chosen)
        self.remove_button.clicked.connect(self.list.remove_chosen)
        self.compare_button.clicked.connect(self._on_compare)
        self.comparison.step_button.clicked.connect(self._on_step_compared)
        self.undo_button.clicked.connect(branches.undo_stack.undo)
        self.redo_button.clicked.connect(branches.undo_stack.redo)
        branches.branches_changed.connect(self._show_branches)
        self._show_branches()

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here; a fork would be here too."""
        super().show_moment(history, iteration)
        self.forms.show_iteration(history.config_after(iteration), history.tree_at(iteration), iteration)
        if self._context is not None:
            self._show_branches()

    def apply_theme(self, theme: Theme) -> None:
        """The rows are as high as the theme's type."""
        self.list.fit_rows()

    # --- what happens ---

    @Slot()
    def _show_branches(self) -> None:
        """What is selected stays selected, or else the branch on show is.

        What is open instead of the list stays open as long as the branches only grow.
        """
        shown, listed = self._branches.shown, self._model.listed()
        rows = [BranchRow(each, each.branch.id == shown) for each in self._branches.summaries()]
        is_same = shown == self._shown
        if is_same and [row.id for row in rows] == [row.id for row in listed]:
            self._model.update_rows(rows)
        else:
            ids = {row.id for row in rows}
            chosen = [number for number in self.list.chosen_ids() if is_same and number in ids]
            self._shown = shown
            self._model.show_rows(rows)
            self.list.select(chosen or [shown])
            self.list.fit_rows()
        if not is_same or [row.summary.branch for row in rows] != [row.summary.branch for row in listed]:
            self._show_list()
        self._refresh()
        self.undo_button.setEnabled(self._branches.undo_stack.canUndo())
        self.redo_button.setEnabled(self._branches.undo_stack.canRedo())

    @Slot(object)
    def _on_fork_requested(self, changes: dict[str, Any]) -> None:
        self._branches.fork_with(**changes)

    @Slot()
    def _refresh(self) -> None:
        chosen = self.list.chosen_ids()
        is_one = len(chosen) == 1
        self.show_button.setEnabled(is_one and chosen[0] != self._shown)
        self.rename_button.setEnabled(is_one)
        self.remove_button.setEnabled(is_one and chosen[0] != ORIGINAL)
        self.compare_button.setEnabled(len(self._compared(chosen)) == 2)

    def _compared(self, chosen: list[int]) -> list[int]:
        if len(chosen) == 1 and chosen[0] != self._shown:
            return [self._shown, chosen[0]]
        return chosen

    @Slot(int, str)
    def _on_name_typed(self, row: int, name: str) -> None:
        branch = self._model.listed()[row].summary.branch
        show_sentence(self.problem, "")
        if name != branch.name:
            self._branches.rename(branch.id, name)

    @Slot(int, str, str)
    def _on_name_refused(self, _row: int, _name: str, problem: str) -> None:
        show_sentence(self.problem, problem)

    @Slot()
    def _on_rename(self) -> None:
        self.list.edit(self.list.index_of(self.list.chosen_ids()[0]))

    @Slot()
    def _on_compare(self) -> None:
        self._pair = self._compared(self.list.chosen_ids())
        self.comparison.show_comparison(self._branches.compare(*self._pair))
        self._stack.setCurrentWidget(self._comparison_area)

    @Slot()
    def _on_step_compared(self) -> None:
        self.context.step_branches(*self._pair)

    @Slot()
    def _on_fork(self) -> None:
        self._stack.setCurrentWidget(self._forms_area)
        self.forms.seed.setFocus()

    @Slot()
    def _show_list(self) -> None:
        self._stack.setCurrentWidget(self._main)

    # --- how it is made ---

    def _connect(self) -> None:
        """What the page does by itself."""
        self.list.selectionModel().selectionChanged.connect(self._refresh)
        self._model.text_refused.connect(self._on_name_refused)
        self.rename_button.clicked.connect(self._on_rename)
        self.comparison.close_button.clicked.connect(self._show_list)
        self.fork_button.clicked.connect(self._on_fork)
        self.forms.back_button.clicked.connect(self._show_list)

    def _lay_out(self) -> None:
        buttons = row_of(
            self.show_button,
            self.compare_button,
            self.rename_button,
            self.remove_button,
            self.fork_button,
            None,
            self.undo_button,
            self.redo_button,
            spacing=4,
        )
        self._main = QWidget()
        column_in(self._main, (self.list, 1), self.problem, buttons, spacing=5)
        self._forms_area = WrappingScrollArea(self.forms)
        self._comparison_area = WrappingScrollArea(self.comparison)
        self._stack = QStackedWidget()
        for part in (self._main, self._forms_area, self._comparison_area):
            self._stack.addWidget(part)
        column_in(self, self._stack, margins=(8, 4, 8, 6))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)


class _ComparisonView(QWidget):
    """Two branches side by side: a small table, and what became of them in sentences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = sentence("")
        self.summary.setAccessibleDescription("The comparison in words")
        self.table = QLabel()
        self.table.setTextFormat(Qt.TextFormat.RichText)
        self.table.setWordWrap(True)
        self.table.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.close_button = _button("Back", "Back to the list of branches.")
        self.step_button = _button("Side by side …", "Step through both branches in a separate window.")
        top = row_of((heading("COMPARED"), 1), self.step_button, self.close_button)
        row_in(self, (self.table, 3), (column_of(top, self.summary, None, spacing=6), 4), spacing=20)

    def show_comparison(self, comparison: BranchComparison) -> None:
        """Show these two."""
        self.summary.setText(comparison.summary)
        rows = [("", comparison.one, comparison.other), *comparison.table]
        cells = (
            "".join(f"<{tag} align='left'>{html_text(text)}</{tag}>" for text in row)
            for row, tag in zip(rows, ("th", *["td"] * len(comparison.table)), strict=True)
        )
        self.table.setText(f"<table width='100%' cellpadding='1'><tr>{'</tr><tr>'.join(cells)}</tr></table>")


def _button(text: str, tip: str, name: str = "") -> QPushButton:
    button = QPushButton(text)
    set_tip(button, tip)
    button.setAccessibleName(name or text)
    return button
