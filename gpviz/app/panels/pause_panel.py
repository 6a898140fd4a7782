"""The pause panel: at what a run pauses by itself."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QSizePolicy, QWidget

from gpviz.app.widgets.fields import NumberSpin, heading, set_tip
from gpviz.app.widgets.layouts import column_in
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.pause_rules import PauseRules

_MAX_LEAVES: Final = 10**9
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
        "the size limit rejects",
        "Pause when an offspring is rejected because it has too many leaves.",
    ),
    "true_error_grew": (
        "the true error grows",
        "Pause when the sample accepts a step that is worse on all rows.",
    ),
}
_NOT_SAMPLED: Final = "only for errors on sampled rows"
_NO_LIMIT: Final = "only with a size limit"
_NEVER_STUCK: Final = "only for rules under which a run can get stuck"
_RISE_HINT: Final = (
    "Pause when an accepted step raises the chance to end stuck by at least so many points. The outlook is worked "
    "out at every accepted change, which slows the run down. Among recorded iterations it pauses only where "
    "the rise was found when they were made."
)

_NUMBERS: Final[Mapping[str, tuple[str, str, int, int]]] = {
    "leaves": ("leaves ≥", "Pause when the tree reaches this size.", _MAX_LEAVES, 8),
    "iteration": ("iteration =", "Pause after this iteration.", MAX_ITERATIONS, 1000),
    "stuck_rise": ("chance to end stuck", _RISE_HINT, 100, 10),
}
"""The rules that have a number: what they say, the largest one and the usual one."""


class PausePanel(QWidget):
    """A checkbox for each of the pause rules."""

    rules_changed = Signal(object)
    """A person has changed the `PauseRules`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        layout = column_in(self, spacing=4)
        layout.addWidget(heading("PAUSE WHEN"))
        for name, (text, hint) in _RULES.items():
            layout.addWidget(self._box(name, text, hint))
        self.spins: dict[str, NumberSpin] = {}
        for names in (("leaves", "iteration"), ("stuck_rise",)):  # which has much text and a small number
            grid = QGridLayout()
            grid.setSpacing(4)
            grid.setColumnStretch(1, 1)
            for row, name in enumerate(names):
                self._add_number(grid, row, name)
            layout.addLayout(grid)
        rise = self.spins["stuck_rise"]
        rise.setPrefix("+")
        rise.setSuffix(" %")
        rise.setAccessibleName("Pause when the chance to end stuck rises by at least")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.set_rules(PauseRules())
        self.set_kind(is_sampled=False, is_limited=True, can_get_stuck=True)
        for box in self.boxes.values():
            box.toggled.connect(self._on_changed)
        for spin in self.spins.values():
            spin.valueChanged.connect(self._on_number_changed)

    def rules(self) -> PauseRules:
        """The rules as chosen."""
        chosen: dict[str, Any] = {name: self.boxes[name].isChecked() for name in _RULES}
        for name, spin in self.spins.items():
            chosen[name] = spin.value() if self.boxes[name].isChecked() else None
        return PauseRules(**chosen)

    def set_rules(self, rules: PauseRules) -> None:
        """Show these rules."""
        for name, spin in self.spins.items():
            number = getattr(rules, name)
            if number is not None:
                with QSignalBlocker(spin):
                    spin.setValue(number)
        for name, box in self.boxes.items():
            value = getattr(rules, name)
            with QSignalBlocker(box):
                box.setChecked(value if isinstance(value, bool) else value is not None)

    def set_kind(self, *, is_sampled: bool, is_limited: bool, can_get_stuck: bool) -> None:
        """Whether the run on show counts errors on sampled rows, has a size limit, and can get stuck for good."""
        for name, is_possible, reason in (
            ("true_error_grew", is_sampled, _NOT_SAMPLED),
            ("full", is_limited, _NO_LIMIT),
            ("too_large", is_limited, _NO_LIMIT),
        ):
            self.boxes[name].setEnabled(is_possible)
            set_tip(self.boxes[name], _RULES[name][1] if is_possible else reason)
        for part in (self.boxes["stuck_rise"], self.spins["stuck_rise"]):
            part.setEnabled(can_get_stuck)
            set_tip(part, _RISE_HINT if can_get_stuck else _NEVER_STUCK)

    def _box(self, name: str, text: str, hint: str) -> QCheckBox:
        box = QCheckBox(text)
        set_tip(box, hint)
        box.setAccessibleName(f"Pause when {text}")
        self.boxes[name] = box
        return box

    def _add_number(self, grid: QGridLayout, row: int, name: str) -> None:
        text, hint, most, usual = _NUMBERS[name]
        spin = self.spins[name] = NumberSpin(most, usual)
        grid.addWidget(self._box(name, text, hint), row, 0)
        grid.addWidget(spin, row, 1)
        set_tip(spin, hint)
        spin.setAccessibleName(f"Pause when {text}")

    @Slot()
    def _on_changed(self) -> None:
        self.rules_changed.emit(self.rules())

    @Slot()
    def _on_number_changed(self) -> None:
        """Choosing a number switches its rule on."""
        name = next(name for name, spin in self.spins.items() if spin is self.sender())
        if self.boxes[name].isChecked():
            self.rules_changed.emit(self.rules())
        else:
            self.boxes[name].setChecked(True)
