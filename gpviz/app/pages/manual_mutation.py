"""The page for mutations by hand: choose one for the selected node, see its verdict, and apply it in a branch.

What a run has done so far can be recorded as a script.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.pages.page import Page
from gpviz.app.widgets.chips import VerdictChip
from gpviz.app.widgets.fields import ShortNumberField, heading, sentence, set_role, set_tip, show_sentence
from gpviz.app.widgets.layouts import FlowLayout, WrappingScrollArea, column_in, column_of, row_in, row_of
from gpviz.engine import (
    UNICODE,
    Function,
    GpvizError,
    Leaf,
    Mutation,
    Node,
    Operation,
    Side,
    Step,
    format_formula,
)
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.forced_mutation import check_mutation, judge
from gpviz.engine.mutation import fresh_uids
from gpviz.engine.mutation_script import MAX_ENTRIES, format_script
from gpviz.engine.tree import ROOT, node_at
from gpviz.explain.step_text import is_on_sample, label_of, tell_preview
from gpviz.runs.history import History
from gpviz.runs.show_request import ShowRequest

_OPERATIONS: Final = (
    ("INS", "Insert", "Insert: the node gets a new parent, and a new leaf beside it."),
    ("DEL", "Delete", "Delete: the node goes, and its sibling takes its parent's place."),
    ("SUB", "Change", "Change: the leaf gets another variable."),
)
_FUNCTIONS: Final = (
    ("and", "∧ AND", "The new inner node is an AND."),
    ("or", "∨ OR", "The new inner node is an OR."),
)
_SIDES: Final = (
    ("left", "left", "The new leaf goes to the left of the node."),
    ("right", "right", "The new leaf goes to the right of the node."),
)
_NO_NODE: Final = "Choose a node on the tree, or type its number: the root is 1, then from left to right."
_RULE: Final = key_text(
    "Applying it (Ctrl+Enter) starts a branch here, or extends a branch made by hand. The run itself "
    "stays as it is."
)
_TRY: Final = "Try this with subtree deletion"
_TRY_TIP: Final = key_text("Start a branch with subtree deletion and try this there (Ctrl+Enter).")
_MOST_REMEMBERED: Final = 16
_LARGEST_FORMULA: Final = 4
"""Subtrees with more leaves are counted, not written out."""
_SCRIPT: Final = (
    "A script is carried out before a run draws its own mutations. Record what this run has done, drawn or by"
    " hand, to start a run with it."
)
_LAST_LEAF: Final = "The only leaf is the root, which is never deleted: nothing changes."


class _SegmentedChoice(QWidget):
    """A few buttons of which one is chosen; the arrow keys go from one to the next."""

    value_changed = Signal()

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        """``choices`` are values, with what is written on the button and its tip."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        layout = row_in(self, spacing=3)
        for value, text, tip in choices:
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setAccessibleName(f"{name}: {text}")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setProperty("takes_arrows", True)  # they choose the next button
            self._group.addButton(button)
            self.buttons[value] = button
            layout.addWidget(button)
        next(iter(self.buttons.values())).setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)
        self._emphasise()

    def value(self) -> str:
        """The value that is chosen."""
        return next(value for value, button in self.buttons.items() if button.isChecked())

    def set_value(self, value: str) -> None:
        """Choose a value."""
        self.buttons[value].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._emphasise()

    def _emphasise(self) -> None:
        """Fill the chosen one, so that it is not taken for the one with the focus."""
        for button in self.buttons.values():
            set_role(button, "primary" if button.isChecked() and self.isEnabled() else "")

    @Slot(QAbstractButton, bool)
    def _on_toggled(self, button: QAbstractButton, is_checked: bool) -> None:
        if is_checked:
            self._emphasise()
            self.value_changed.emit()


class _LabelledField(QWidget):
    """A field with its name above it."""

    def __init__(self, name: str, field: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label = QLabel(name)
        label.setProperty("role", "muted")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(field)
        column_in(self, label, field, spacing=1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)


class ManualMutationPage(Page):
    """A form for one mutation. Its verdict is shown as soon as it is known; applied, it makes a branch."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._previewed: Mutation | None = None
        self._verdict = self.question_about_moment(self._show_verdict, remembers=_MOST_REMEMBERED)

        self.heading = heading("")
        self.operation = _SegmentedChoice("Operation", _OPERATIONS)
        self.node = _field(
            "Node", "The number of the node, in preorder from the root (1); or choose it on the tree."
        )
        self.variable = _field("Variable", "The number of the variable; the arrow keys change it.")
        self.variable.setText("1")
        self.function = _SegmentedChoice("Function", _FUNCTIONS)
        self.side = _SegmentedChoice("Side", _SIDES)
        self.apply_button = QPushButton("Apply")
        self.apply_button.setProperty("role", "primary")
        self.apply_button.setToolTip(
            key_text("Make this mutation the next iteration, in a branch of the run (Ctrl+Enter).")
        )
        self.apply_button.setAccessibleName("Apply the mutation")
        self.try_button = QPushButton(_TRY)
        set_tip(self.try_button, _TRY_TIP)
        self.chip = VerdictChip()
        self.telling = sentence("")
        self.telling.setAccessibleDescription("What would come of it")
        self.problem = sentence("problem")
        self.problem.setAccessibleDescription("Why it can never be drawn")
        self.rule = sentence("muted", text=_RULE)
        self.record_button = QPushButton()
        self.copy_button = QPushButton("Copy as text")
        set_tip(
            self.copy_button, "Copy these mutations as text, one a line, as gpviz run --script reads them."
        )
        self._lay_out()
        self._connect()
        self._show_recordable()
        self._refresh()

    # --- what comes in ---

    def show_moment(self, history: History, iteration: int) -> None:
        """The mutation is for the iteration after this one."""
        if history is self.history and iteration == self.iteration:
            return
        super().show_moment(history, iteration)
        self.heading.setText(f"ITERATION {iteration + 1:,} BY HAND")
        self._show_recordable()
        self._refresh()

    def set_selected(self, node: int | None) -> None:
        """This node is selected on the canvas, by its number in preorder."""
        text = "" if node is None else str(node)
        if text == self.node.text():
            return
        self.node.setText(text)
        mutation = self._refresh()
        if self.isVisible():
            self._preview(mutation)

    def mutation(self) -> Mutation:
        """What is put together; raises `GpvizError` where it can never be drawn for the tree on show."""
        config = self.config
        if config is None:
            raise GpvizError("There is no run on show.")
        operation = Operation(self.operation.value())
        node = ROOT if self.tree is None else self._node_number()
        variable = _number("Variable", self.variable.text(), f"from 1 to {config.n}")
        if operation is Operation.DEL and not 1 <= variable <= config.n:
            variable = 1  # DEL makes no use of it
        side = Side(self.side.value()) if operation is Operation.INS else Side.LEFT
        function = Function(self.function.value())
        if operation is not Operation.INS and function not in config.functions:
            function = Function.AND
        mutation = Mutation(operation, node, variable, function, side)
        try:
            check_mutation(config, self.tree, mutation)
        except InvalidValueError as error:
            raise self._node_error(error) from error
        return mutation

    # --- what it shows ---

    def _refresh(self) -> Mutation | None:
        """Show what is put together, and what comes of it; None where it can never be drawn."""
        self._enable()
        try:
            mutation: Mutation | None = self.mutation()
            problem = ""
        except GpvizError as error:
            mutation, problem = None, str(error)
        is_asking = self.tree is not None and not self.node.text().strip()
        subtree = self._forbidden_subtree()
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem) and not is_asking and subtree is None)
        self.try_button.setVisible(subtree is not None)
        self.apply_button.setEnabled(mutation is not None)
        if mutation is None:
            self._verdict.cancel()
            self.chip.hide()
            self.telling.setText(_NO_NODE if is_asking else "" if subtree is None else _forbidden(subtree))
        else:
            self._ask(mutation)
        self.telling.setVisible(bool(self.telling.text()))
        return mutation

    def _forbidden_subtree(self) -> Node | None:
        """The subtree that is chosen to be deleted although this run deletes single leaves only."""
        if self.config is None or self.tree is None or self.operation.value() != "DEL":
            return None
        if self.config.has_subtree_deletion:
            return None
        node = self._chosen_node()
        return None if isinstance(node, Leaf) or node is self.tree else node

    def _preview(self, mutation: Mutation | None) -> None:
        """Show on the tree what a person has put together; None where it can never be drawn."""
        if mutation != self._previewed:
            self._previewed = mutation
            self.context.preview(mutation)

    def _enable(self) -> None:
        """Only what the operation makes use of; on the empty tree that is the variable."""
        node = self._chosen_node()
        self._node_field.label.setText("Node" if node is None else f"Node  {label_of(node)}")
        operation = self.operation.value()
        is_planting = self.tree is None
        self.node.setEnabled(not is_planting)
        self.variable.setEnabled(operation != "DEL" or is_planting)
        for part in (self.function, self.side):
            part.setEnabled(operation == "INS" and not is_planting)

    def _ask(self, mutation: Mutation) -> None:
        """Have the mutation judged in the background: on many sampled rows that may take long."""
        config, tree, iteration = self.config, self.tree, self.iteration + 1
        assert self.history is not None
        assert config is not None
        uids = fresh_uids(self.history.first_uid, iteration)
        # On sampled rows each iteration judges anew, and so does each seed.
        key = mutation, iteration, config
        self._verdict.ask(tree, key, lambda _: judge(config, tree, mutation, iteration, uids))
        if self._verdict.is_busy and self.chip.isHidden():
            self.telling.setText("…")

    def _node_number(self) -> int:
        assert self.tree is not None
        allowed = f"from 1 to {self.tree.size:,}, the nodes of the tree"
        number = _number("Node", self.node.text(), allowed)
        if not 1 <= number <= self.tree.size:
            raise InvalidValueError("Node", number, allowed)
        return number

    def _node_error(self, error: InvalidValueError) -> GpvizError:
        """The engine's sentence for somebody who sees what is in the nodes."""
        node = self._chosen_node()
        if error.field == "node" and node is not None:
            what = f"{error.value} ({label_of(node)})"
            return GpvizError(f"Node: {what} is not allowed; it must be {error.allowed}.")
        return InvalidValueError(error.field.capitalize(), error.value, error.allowed)

    def _chosen_node(self) -> Node | None:
        """The node whose number is in its field."""
        with suppress(GpvizError):  # the sentence below the fields says what is wrong
            return None if self.tree is None else node_at(self.tree, self._node_number())
        return None

    # --- what happens ---

    @Slot(object)
    def _show_verdict(self, step: Step) -> None:
        config = self.config
        assert config is not None
        self.chip.set_verdict(step.verdict, is_sampled=is_on_sample(step, config))
        self.chip.show()
        is_last_leaf = self.tree is not None and self.tree.leaves == 1 and step.operation is Operation.DEL
        self.telling.setText(_LAST_LEAF if is_last_leaf else tell_preview(step, self.tree, config))
        self.telling.setVisible(True)

    def show_problem(self, problem: str) -> None:
        """Say why there is no verdict."""
        self.chip.hide()
        self.telling.hide()
        show_sentence(self.problem, problem)

    @Slot()
    def _on_edited(self) -> None:
        self._preview(self._refresh())

    @Slot()
    def _on_node_edited(self) -> None:
        node = self._chosen_node()
        if node is not None:
            self.context.select_node(node.uid)
        self._on_edited()

    @Slot()
    def _on_try(self) -> None:
        """Go on in a branch where the chosen subtree can be deleted, and preview that there."""
        node = self._forbidden_subtree()
        number = self.node.text()
        if node is not None and self.context.branch_controller.fork_with(deletion="subtree"):
            self.context.select_node(node.uid)
            self.node.setText(number)
            self._on_edited()

    @Slot()
    def _on_apply(self) -> None:
        if self._forbidden_subtree() is not None:
            self._on_try()
        elif (mutation := self._refresh()) is not None:
            self.context.branch_controller.apply_by_hand(mutation)

    def _show_recordable(self) -> None:
        t = self.iteration
        is_possible = 0 < t <= MAX_ENTRIES
        self.record_button.setText(f"Record 1 to {t:,}" if t > 1 else "Record")
        self.record_button.setEnabled(is_possible)
        self.copy_button.setEnabled(is_possible)
        if is_possible:
            tip = f"Start a run with the same settings and the mutations of iterations 1 to {t:,} as its script."
        elif t:
            tip = f"A script has at most {MAX_ENTRIES:,} entries."
        else:
            tip = "There is nothing to record yet."
        set_tip(self.record_button, tip)

    @Slot()
    def _on_record(self) -> None:
        assert self.history is not None
        config, start, _ = self.history.origin
        script = self.history.recorded_script(self.iteration)
        self.context.show_run(ShowRequest(run=config, start=format_formula(start), script=script))

    @Slot()
    def _on_copy(self) -> None:
        assert self.history is not None
        script = self.history.recorded_script(self.iteration)
        QGuiApplication.clipboard().setText("\n".join(format_script(script, self.history.start)))
        self.context.show_message("The script is on the clipboard.")

    def hideEvent(self, event: QHideEvent) -> None:
        """Take the preview back from the tree."""
        super().hideEvent(event)
        self._preview(None)

    # --- how it is made ---

    def _lay_out(self) -> None:
        self._node_field = _LabelledField("Node", self.node)
        fields = FlowLayout(gap=14)
        for widget in (
            _LabelledField("Operation", self.operation),
            self._node_field,
            _LabelledField("Variable", self.variable),
            _LabelledField("Function", self.function),
            _LabelledField("Side", self.side),
            _LabelledField("", self.apply_button),
        ):
            fields.add(widget)
        line = row_of(self.chip, (self.telling, 1), spacing=10)
        line.setAlignment(self.chip, Qt.AlignmentFlag.AlignTop)
        script_buttons = FlowLayout()
        script_buttons.add(self.record_button)
        script_buttons.add(self.copy_button)
        inside = QWidget()
        above = (self.heading, fields, line, self.try_button, self.problem, self.rule)
        layout = column_in(inside, *above, spacing=7, margins=(10, 6, 10, 6))
        layout.setAlignment(self.try_button, Qt.AlignmentFlag.AlignLeft)
        layout.addSpacing(6)
        layout.addLayout(column_of(heading("SCRIPT"), script_buttons, sentence("muted", text=_SCRIPT), None))
        self.chip.hide()
        column_in(self, WrappingScrollArea(inside))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def _connect(self) -> None:
        for segments in (self.operation, self.function, self.side):
            segments.value_changed.connect(self._on_edited)
        self.node.textEdited.connect(self._on_node_edited)
        self.variable.textEdited.connect(self._on_edited)
        self.apply_button.clicked.connect(self._on_apply)
        self.try_button.clicked.connect(self._on_try)
        self.record_button.clicked.connect(self._on_record)
        self.copy_button.clicked.connect(self._on_copy)
        for key in ("Ctrl+Return", "Ctrl+Enter"):  # while the page is on show: the node is chosen on the tree
            QShortcut(QKeySequence(key), self).activated.connect(self._on_apply)


def _forbidden(subtree: Node) -> str:
    what = format_formula(subtree, UNICODE)
    if subtree.leaves > _LARGEST_FORMULA:
        what = f"this subtree of {subtree.leaves:,} leaves"
    return f"This run deletes single leaves only. With subtree deletion, {what} could go as a whole."


def _field(name: str, tip: str) -> ShortNumberField:
    field = ShortNumberField()
    field.setAccessibleName(name)
    field.setToolTip(tip)
    field.setMaxLength(12)
    return field


def _number(name: str, text: str, allowed: str) -> int:
    """A whole number as a person types it; a variable may be typed as x4."""
    typed = text.strip().lower().lstrip("x")
    try:
        return int(typed)
    except ValueError:
        raise InvalidValueError(name, text, f"a whole number {allowed}") from None
