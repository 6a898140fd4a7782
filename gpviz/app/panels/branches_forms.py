"""The two small forms that fork a branch: with another seed, or with another limit or deletion."""

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gpviz.app.panels.fields import ChoiceField, LimitField, NumberField, heading, sentence
from gpviz.engine import GpvizError, Node, RunConfig
from gpviz.engine.config import check_tree
from gpviz.engine.errors import InvalidValueError

__all__ = ["ForkForms"]

_DELETIONS = (("leaf", "leaf only"), ("subtree", "subtree"))


class ForkForms(QWidget):
    """What a fork at the cursor would change. Each form says what is wrong with it while a person types."""

    seed_requested = Signal(object)  # a seed may be larger than any number that Qt knows
    changes_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._config: RunConfig | None = None
        self._tree: Node | None = None
        self.heading = heading("")
        self.back_button = QPushButton("Back")
        self.back_button.setAccessibleName("Back to the list")
        self.back_button.setToolTip("Back to the list of branches.")
        self.seed = NumberField()
        self.seed.setAccessibleName("Seed of the branch")
        self.seed.setToolTip("The seed with which the branch draws from here on.")
        self.seed.setText("1")
        self.limit = LimitField()
        self.limit.setAccessibleName("Size limit of the branch")
        self.limit.setToolTip("The most leaves a tree may have in the branch: a number, n, n+1, 2n or none.")
        self.deletion = ChoiceField(_DELETIONS)
        self.deletion.setAccessibleName("Deletion in the branch")
        self.deletion.setToolTip("Whether DEL may take whole subtrees in the branch, or leaves only.")
        self.seed_button = _fork_button("Fork with this seed")
        self.changes_button = _fork_button("Fork with this limit and deletion")
        self.problem = sentence("problem")
        self.hint = sentence("muted")
        self.hint.setText("The branch on show stays as it is.")
        self._lay_out()
        self.seed.textEdited.connect(self.refresh)
        self.limit.editTextChanged.connect(self.refresh)
        self.deletion.currentIndexChanged.connect(self.refresh)
        self.seed.returnPressed.connect(self._on_seed)
        self.limit.return_pressed.connect(self._on_changes)
        self.seed_button.clicked.connect(self._on_seed)
        self.changes_button.clicked.connect(self._on_changes)
        self.refresh()

    def show_place(self, config: RunConfig, tree: Node | None, iteration: int) -> None:
        """A fork would be here; what was typed for another configuration is replaced by this one's settings."""
        self.heading.setText(f"FORK HERE, AFTER ITERATION {iteration:,}")
        is_new = config != self._config
        self._config, self._tree = config, tree
        if is_new:
            with QSignalBlocker(self.limit), QSignalBlocker(self.deletion):
                self.limit.setEditText("none" if config.max_leaves is None else config.limit)
                self.deletion.set_value(config.deletion)
            if config.seed < 10**12:
                self.seed.setText(str(config.seed + 1))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say what is wrong, and let only what is right be asked for."""
        problems = []
        for button, field, make in (
            (self.seed_button, self.seed, self._seed_config),
            (self.changes_button, self.limit, self._changed_config),
        ):
            is_right, text = self._checked(make)
            button.setEnabled(is_right)
            _mark(field, is_wrong=bool(text))
            problems += [text] if text else []
        self.problem.setText(" ".join(problems))
        self.problem.setVisible(bool(problems))
        self.hint.setVisible(not problems)

    def _checked(self, make: Any) -> tuple[bool, str]:
        if self._config is None:
            return False, ""
        try:
            config = make(self._config)
            check_tree(self._tree, config)
        except InvalidValueError as error:
            allowed = "a whole number from 0" if error.field == "seed" else error.allowed
            return False, str(InvalidValueError(error.field.capitalize(), error.value, allowed))
        except GpvizError as error:
            return False, str(error)
        return config != self._config, ""

    def _seed_config(self, config: RunConfig) -> RunConfig:
        return config.replaced(seed=self.seed.text())

    def _changed_config(self, config: RunConfig) -> RunConfig:
        text = self.limit.currentText()
        limit = "inf" if text.strip().lower() in ("none", "no limit") else text
        return config.replaced(limit=limit, deletion=self.deletion.value())

    @Slot()
    def _on_seed(self) -> None:
        if self._config is not None and self.seed_button.isEnabled():
            self.seed_requested.emit(self._seed_config(self._config).seed)

    @Slot()
    def _on_changes(self) -> None:
        if self._config is None or not self.changes_button.isEnabled():
            return
        changed = self._changed_config(self._config)
        self.changes_requested.emit(
            {
                name: getattr(changed, name)
                for name in ("limit", "deletion")
                if getattr(changed, name) != getattr(self._config, name)
            }
        )

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        choices = QHBoxLayout()
        choices.setSpacing(6)
        choices.addWidget(self.limit, 1)
        choices.addWidget(_name("deletion", self.deletion))
        choices.addWidget(self.deletion, 1)
        grid.addWidget(_name("seed", self.seed), 0, 0)
        grid.addWidget(self.seed, 0, 1)
        grid.addWidget(self.seed_button, 0, 2)
        grid.addWidget(_name("limit ℓ", self.limit), 1, 0)
        grid.addLayout(choices, 1, 1)
        grid.addWidget(self.changes_button, 1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.back_button)
        layout.addLayout(top)
        layout.addLayout(grid)
        layout.addWidget(self.problem)
        layout.addWidget(self.hint)
        layout.addStretch(1)


def _fork_button(name: str) -> QPushButton:
    button = QPushButton("Fork")
    button.setAccessibleName(name)
    button.setToolTip(f"{name}: a new branch goes on from the iteration on show.")
    return button


def _name(text: str, field: QWidget) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setBuddy(field)
    return label


def _mark(field: QWidget, *, is_wrong: bool) -> None:
    role = "wrong" if is_wrong else ""
    if (field.property("role") or "") != role:
        field.setProperty("role", role)
        field.style().unpolish(field)
        field.style().polish(field)
