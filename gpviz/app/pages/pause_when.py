"""The page Pause when: when the run pauses by itself."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.page_head import PAGE_MARGINS, PageHead
from gpviz.app.widgets.fields import NumberSpin, set_tip
from gpviz.app.widgets.layouts import FlowLayout, WrappingScrollArea, column_in
from gpviz.engine import RunConfig
from gpviz.engine.stuck import can_get_stuck
from gpviz.runs.history import MAX_ITERATIONS, History
from gpviz.runs.pause_rules import PauseRules

_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "stuck": (
        "the tree is stuck",
        "Pause when no sequence of accepted mutations can improve the tree, which is proven.",
    ),
    "solved": (
        "the error goal is reached",
        "Pause when the error is at most the number in “Stop at error”. On sampled rows the tree may "
        "still differ from the target.",
    ),
    "improved": ("the error improves", "Pause at every accepted offspring that is better."),
    "or_accepted": ("an ∨ is accepted", "Pause when an insertion brings an ∨ into the tree."),
    "duplicate_accepted": (
        "a copy of a variable is accepted",
        "Pause when an insertion or a substitution brings a variable that is already in the tree.",
    ),
    "full": ("the tree is full", "Pause when the tree reaches the size limit."),
    "too_large": (
        "the size limit rejects an offspring",
        "Pause when an offspring is rejected because it has too many leaves.",
    ),
    "true_error_grew": (
        "the true error grows",
        "Pause when the sample accepts a step that is worse on all rows.",
    ),
    "leaves": ("the number of leaves reaches", "Pause when the tree reaches this size."),
    "iteration": ("the run reaches iteration", "Pause after this iteration."),
    "stuck_rise": (
        "the chance to end stuck rises by",
        "Pause when an accepted step raises the chance to end stuck by at least so many points. The outlook is "
        "worked out at every accepted change, which slows the run down. Among recorded iterations it pauses only "
        "where the rise was found when they were made.",
    ),
}
"""What each rule says, and what it means."""
_MAX_LEAVES: Final = 10**9
_NUMBERS: Final = {"leaves": (_MAX_LEAVES, 8), "iteration": (MAX_ITERATIONS, 1000), "stuck_rise": (100, 10)}
"""The rules that have a number: the largest one, and the usual one."""


class PauseWhenPage(Page):
    """A box to tick for each of the rules of the player."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = {name: QCheckBox(text) for name, (text, _) in _RULES.items()}
        self.spins = {name: NumberSpin(most, usual) for name, (most, usual) in _NUMBERS.items()}
        self.spins["stuck_rise"].setSuffix(" %")
        self._impossible: Mapping[str, str] | None = None
        self._lay_out()
        self._show_possible({})
        for box in self.boxes.values():
            box.toggled.connect(self._on_changed)
        for spin in self.spins.values():
            spin.valueChanged.connect(self._on_number_changed)

    def connect_to(self, context: PageContext) -> None:
        super().connect_to(context)
        self._show_rules(context.player.rules)

    def show_moment(self, history: History, iteration: int) -> None:
        super().show_moment(history, iteration)
        self._show_possible(_impossible_under(history.config_after(iteration)))

    def _lay_out(self) -> None:
        head = PageHead()
        head.show_text("Pause when", "The run pauses at whatever comes first.")
        content = QWidget()
        lines = []
        for name in _RULES:
            line = QWidget()
            flow = FlowLayout(
                parent=line
            )  # the number stands below its rule where both do not fit side by side
            for part in self._parts(name):
                part.setAccessibleName(f"Pause when {self.boxes[name].text()}")
                flow.add(part)
            lines.append(line)
        column_in(content, head, 8, *lines, None, spacing=8, margins=PAGE_MARGINS)
        column_in(self, WrappingScrollArea(content))

    def _parts(self, name: str) -> list[QWidget]:
        """What a rule is chosen with."""
        return [self.boxes[name], *([self.spins[name]] if name in self.spins else [])]

    def _rules(self) -> PauseRules:
        chosen: dict[str, Any] = {name: box.isChecked() for name, box in self.boxes.items()}
        for name, spin in self.spins.items():
            chosen[name] = spin.value() if chosen[name] else None
        return PauseRules(**chosen)

    def _show_rules(self, rules: PauseRules) -> None:
        for name, box in self.boxes.items():
            value = getattr(rules, name)
            with QSignalBlocker(box):
                box.setChecked(value is not None and value is not False)
            if name in self.spins and value is not None:
                with QSignalBlocker(self.spins[name]):
                    self.spins[name].setValue(value)

    def _show_possible(self, impossible: Mapping[str, str]) -> None:
        """Offer all rules but those for which there is a reason why they cannot come true."""
        if impossible == self._impossible:
            return
        self._impossible = impossible
        for name, (_, meaning) in _RULES.items():
            for part in self._parts(name):
                part.setEnabled(name not in impossible)
                set_tip(part, impossible.get(name, meaning))

    @Slot()
    def _on_changed(self) -> None:
        self.context.player.set_rules(self._rules())

    @Slot()
    def _on_number_changed(self) -> None:
        """Choosing a number switches its rule on."""
        name = next(name for name, spin in self.spins.items() if spin is self.sender())
        if self.boxes[name].isChecked():
            self._on_changed()
        else:
            self.boxes[name].setChecked(True)


def _impossible_under(config: RunConfig) -> Mapping[str, str]:
    """The rules that never come true in such a run, and why."""
    reasons = {}
    if not config.is_sampled:
        reasons["true_error_grew"] = "Only for errors on sampled rows."
    if config.max_leaves is None:
        reasons |= dict.fromkeys(("full", "too_large"), "Only with a size limit.")
    if not can_get_stuck(config.rules):
        reasons["stuck_rise"] = "Only for rules under which a run can get stuck."
    return reasons
