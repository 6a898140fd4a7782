"""The quiz bar: asks whether the proposed offspring will be accepted, takes the guess, and keeps the score."""

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, set_tip
from gpviz.app.widgets.layouts import row_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Step
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text, verdict_word

_IDLE: Final = ("Guess first: the next step (→) will ask.", "Guess first")
_HAS_ENTER: Final = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
"""Widgets with a use of their own for Enter."""


class QuizBar(Themed, QFrame):
    """A slim bar for the edge of the stage. The keys work anywhere in its window while a question is open."""

    reported = Signal(str)
    """A question, or what became of it."""
    guessed = Signal(bool)
    """A person takes the offspring to be accepted, or rejected."""
    reveal_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._is_sampled = False
        self._words = _IDLE  # at length, and where there is little room
        self.telling = ElidedLabel()
        self.score = QLabel()
        self.score.setProperty("role", "muted")
        self.score.setAccessibleDescription("The score")
        self.score.setToolTip("Revealing without a guess does not count.")
        self.accepted = _button("Accepted (Y)", "The offspring will be accepted (Y)", "Y")
        self.rejected = _button("Rejected (N)", "The offspring will be rejected (N)", "N")
        self.reveal = _button("Reveal", "Show what happens, without a guess (Enter or →)", "")
        self._enter_keys = [
            QShortcut(QKeySequence(key), self) for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ]

        parts = ((self.telling, 1), self.accepted, self.rejected, self.reveal, self.score)
        row_in(self, *parts, spacing=8, margins=(10, 4, 10, 4))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

        self.accepted.clicked.connect(self._on_accepted)
        self.rejected.clicked.connect(self._on_rejected)
        self.reveal.clicked.connect(self.reveal_requested)
        for shortcut in self._enter_keys:
            shortcut.activated.connect(self.reveal_requested)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        self.set_score(0, 0)
        self._set_asking(False)
        self._say(*_IDLE)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self.telling.setFont(theme.font(1.1, is_bold=True))
        self.score.setFont(theme.font(1.05, is_bold=True))
        self._fit()

    @Slot(object)
    def ask(self, moment: Moment) -> None:
        """Ask about what this moment proposes."""
        self._is_sampled = moment.config.is_sampled
        self._set_asking(True)
        self._say(f"Iteration {moment.iteration:,}: accepted?", "Accepted?")

    @Slot(bool, object)
    def show_answer(self, was_right: bool, step: Step) -> None:
        """Say whether the guess was right, and what became of the offspring."""
        self._set_asking(False)
        told = "✓ Right" if was_right else "✗ Wrong"
        self._say(f"{told}: {self._outcome(step)}.", f"{told} {VERDICT_SYMBOLS[step.verdict]}")

    @Slot(object)
    def show_revealed(self, step: Step) -> None:
        """Say what became of the offspring, which nobody guessed."""
        self._set_asking(False)
        self._say(f"It was {self._outcome(step)}.", f"{VERDICT_SYMBOLS[step.verdict]} {self._word(step)}")

    @Slot()
    def withdraw(self) -> None:
        """The question is no longer of interest."""
        self._set_asking(False)
        self._say(*_IDLE)

    @Slot(int, int)
    def set_score(self, right: int, guesses: int) -> None:
        """Show how many guesses were right, and how many there were."""
        self.score.setText(f"{right:,} of {guesses:,} right" if guesses else "No guess yet")
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _set_asking(self, is_asking: bool) -> None:
        for button in (self.accepted, self.rejected, self.reveal):
            button.setEnabled(is_asking)
        self._set_enter_keys(QApplication.focusWidget())

    def _say(self, words: str, few: str) -> None:
        self._words = (words, few)
        set_tip(self.telling, words)
        if words != _IDLE[0]:
            self.reported.emit(words)
        self._fit()

    def _fit(self) -> None:
        """Say it at length where there is room for it beside the buttons."""
        line = self.layout()
        if line is not None:
            room = self.width() - line.minimumSize().width()
            words, few = self._words
            fits = self.telling.fontMetrics().horizontalAdvance(words) <= room
            self.telling.setText(words if fits else few)

    def _set_enter_keys(self, focus: QWidget | None) -> None:
        is_free = self.accepted.isEnabled() and not isinstance(focus, _HAS_ENTER)
        for shortcut in self._enter_keys:
            shortcut.setEnabled(is_free)

    @Slot()
    def _on_accepted(self) -> None:
        self.guessed.emit(True)

    @Slot()
    def _on_rejected(self) -> None:
        self.guessed.emit(False)

    def _word(self, step: Step) -> str:
        return verdict_word(step.verdict, is_sampled=self._is_sampled)

    def _outcome(self, step: Step) -> str:
        verdict, _, end = verdict_text(step.verdict, is_sampled=self._is_sampled).partition(", ")
        return f"{end}, {VERDICT_SYMBOLS[step.verdict]} {verdict}"

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._set_enter_keys(new)


def _button(text: str, told: str, key: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(told)
    button.setAccessibleName(told)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoDefault(False)
    if key:
        button.setShortcut(QKeySequence(key))
    return button
