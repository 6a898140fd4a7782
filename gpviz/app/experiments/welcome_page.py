"""What the experiments window shows before there is an experiment: what it is for, and plans to begin with."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from gpviz.app.experiments.experiment_files import KeptExperiment
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import heading, sentence
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in, row_in
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text
from gpviz.experiments.plan import Plan

_TEXT = (
    "One run shows what can happen; many runs show what usually happens. A plan varies some settings and "
    "says how many runs each combination gets. gpviz does the runs on all cores and keeps every one. "
    "Tables and charts grow meanwhile, with the paper's values beside them. Double-click any run to watch "
    "it step by step. Closing the window stops an experiment and keeps the finished runs; Continue does "
    "the rest."
)


class WelcomePage(Themed, QWidget):
    """A page with one obvious button, and the plans that come with gpviz."""

    plan_chosen = Signal(str)
    """The name of a plan that is to be looked at in the editor."""
    continue_chosen = Signal(object)
    """The path of an experiment that is to go on."""

    def __init__(self, plans: Sequence[Plan], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel("Experiments")
        self.title.setProperty("role", "title")
        self.text = sentence("plain")
        self.text.setText(_TEXT)
        self.quick_button = QPushButton("Run the quick plan")
        self.quick_button.setProperty("role", "primary")
        self.quick_button.setAccessibleName("Run the quick plan")
        self.quick_button.setToolTip("Eight cells with 100 runs each, in a few seconds.")
        self.left_card = QFrame()
        self.left_text = sentence("plain")
        self.continue_button = QPushButton("Continue")
        self.continue_button.setAccessibleName("Continue the unfinished experiment")
        self.continue_button.setToolTip("Do the missing runs.")
        self.continue_button.clicked.connect(self._on_continue)
        self.plan_buttons: dict[str, QPushButton] = {}
        self._left: KeptExperiment | None = None
        self._build(plans)

    def offer_to_continue(self, left: KeptExperiment | None) -> None:
        """Offer an experiment that was left before its end, or none."""
        self._left = left
        self.left_card.setVisible(left is not None)
        if left is not None:
            self.left_text.setText(
                f"“{left.title}” stopped after {left.done:,} of {left.total:,} runs. They are kept."
            )

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's type."""
        self.title.setFont(theme.font(1.6, is_bold=True))

    def _build(self, plans: Sequence[Plan]) -> None:
        inside = QWidget()
        column = column_in(inside, spacing=12, margins=(18, 14, 18, 14))
        column.addWidget(self.title)
        column.addWidget(self.text)
        row = QHBoxLayout()
        row.addWidget(self.quick_button)
        row.addStretch(1)
        column.addLayout(row)
        self.left_card.setProperty("role", "card")
        left = row_in(self.left_card, margins=(12, 8, 12, 8))
        left.addWidget(self.left_text, 1)
        left.addWidget(self.continue_button)
        self.left_card.hide()
        column.addWidget(self.left_card)
        column.addWidget(heading("PLANS THAT COME WITH GPVIZ"))
        grid = QGridLayout()
        grid.setSpacing(10)
        for index, plan in enumerate(plans):
            grid.addWidget(self._card(plan), index // 2, index % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        column.addStretch(1)
        around = column_in(self)
        around.addWidget(WrappingScrollArea(inside))

    def _card(self, plan: Plan) -> QWidget:
        card = QFrame()
        card.setProperty("role", "card")
        column = column_in(card, spacing=5, margins=(12, 10, 12, 10))
        title = sentence("title")
        title.setText(plan.title or plan.name)
        text = sentence("muted")
        text.setText(plan.explanation)
        count = sentence("plain")
        count.setText(f"{len(plan.cells):,} cells · {plan.total_runs:,} runs")
        button = self.plan_buttons[plan.name] = QPushButton("Use this plan")
        button.setAccessibleName(f"Use the plan {label_text(plan.title or plan.name)}")
        button.setToolTip("Load it into the editor, where you can change and start it.")
        button.clicked.connect(self._on_plan_chosen)
        column.addWidget(title)
        column.addWidget(text)
        column.addStretch(1)
        bottom = QHBoxLayout()
        bottom.addWidget(count, 1)
        bottom.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(bottom)
        return card

    @Slot()
    def _on_plan_chosen(self) -> None:
        self.plan_chosen.emit(
            next(name for name, button in self.plan_buttons.items() if button is self.sender())
        )

    @Slot()
    def _on_continue(self) -> None:
        if self._left is not None:
            self.continue_chosen.emit(self._left.path)
