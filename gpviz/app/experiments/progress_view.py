"""How far an experiment is: its title, a bar, and in words the rate and the time left."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, plain_tip, sentence
from gpviz.app.widgets.themed import Themed
from gpviz.experiments.duration_text import duration_words, rate_words
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Progress

__all__ = ["ProgressView"]

_STEPS: Final = 10_000
_LONGEST_LEFT_S: Final = 10**8


class ProgressView(Themed, QFrame):
    """A strip above the results. While the experiment is not whole it offers to go on with it."""

    continue_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._percent = ""
        self.plan_button = QToolButton()
        self.plan_button.setProperty("role", "small")
        self.plan_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plan_button.setAccessibleName("Show or hide the plan")
        self.title = ElidedLabel()
        self.title.setProperty("role", "title")
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress of the experiment")
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)  # no text is easy to read on a bar that grows under it
        self.words = ElidedLabel()
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.notes = sentence("muted")
        self.notes.hide()
        self.continue_button = QPushButton("Continue")
        self.continue_button.setAccessibleName("Continue the experiment")
        self.continue_button.setToolTip("Do the runs that are still missing.")
        self.continue_button.clicked.connect(self.continue_chosen)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setVerticalSpacing(5)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(self.plan_button)
        for label in (self.title, self.words):
            # Each gets what it needs; where there is too little for both, both give way.
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            label.setMinimumWidth(1)
        top.addWidget(self.title)
        top.addWidget(self.words)
        grid.addLayout(top, 0, 0, 1, 2)
        grid.addWidget(self.bar, 1, 0)
        grid.addWidget(self.continue_button, 1, 1)
        grid.addWidget(self.notes, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        self.continue_button.hide()

    def set_plan_action(self, action: QAction) -> None:
        """The button before the title does this: the results can have the plan's room."""
        self.plan_button.setDefaultAction(action)

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's type."""
        self.title.setFont(theme.font(is_bold=True))
        self.words.setFont(theme.font())
        self.notes.setFont(theme.font())

    def show_plan(self, plan: Plan, path: Path | None = None) -> None:
        """An experiment with this plan comes on show; its file is named where one asks."""
        title = plan.title or plan.name or "An experiment"
        self.title.setText(title)
        self.title.setToolTip(plain_tip(title if path is None else f"{title}\n{path}"))
        self.notes.clear()
        self.notes.hide()

    def show_waiting(self) -> None:
        """It begins: the workers are started."""
        self.continue_button.hide()
        self.bar.setValue(0)
        self._show_bar(True)
        self._say("starting the workers …")

    def show_progress(self, progress: Progress) -> None:
        """How far it is now."""
        self._set_share(progress.done, progress.total)
        words = [self._percent, f"{progress.done:,} of {progress.total:,} runs"]
        if progress.seconds_left is not None and progress.seconds_left < _LONGEST_LEFT_S:
            words.append(f"{duration_words(progress.seconds_left)} left")
        if progress.rate > 0:  # last: it is what one can do without where there is little room
            words.append(rate_words(progress.rate))
        self._say(" · ".join(words))
        self._show_bar(True)
        self.continue_button.hide()
        if progress.notes:
            self.tell(progress.notes[-1])

    def show_cancelling(self) -> None:
        """It ends before its time."""
        self._say("ending; what is done is kept …")

    def show_state(
        self, done: int, total: int, seconds: float, *, can_continue: bool, more: str = ""
    ) -> None:
        """Nothing runs: how much there is of it, and whether it can go on; ``more`` says to what."""
        self._set_share(done, total)
        words = [f"{done:,} runs"] if done >= total else [self._percent, f"{done:,} of {total:,} runs"]
        if seconds > 0:
            words.append(f"computed in {duration_words(seconds)}")
        self._say(" · ".join(words))
        self._show_bar(done < total)
        self.continue_button.setText(more or "Continue")
        self.continue_button.setVisible(can_continue)

    def tell(self, note: str) -> None:
        """A sentence about what happened."""
        self.notes.setText(note)
        self.notes.setVisible(bool(note))

    def _set_share(self, done: int, total: int) -> None:
        share = done / max(1, total)
        self.bar.setValue(min(_STEPS, int(share * _STEPS)))
        self._percent = f"{int(share * 100)} %"  # only the whole is 100 %

    def _show_bar(self, is_shown: bool) -> None:
        self.bar.setVisible(is_shown)
        self.bar.setFixedHeight(max(8, self.fontMetrics().height() // 2))

    def _say(self, text: str) -> None:
        self.words.setText(text)
        self.words.setToolTip(text)
