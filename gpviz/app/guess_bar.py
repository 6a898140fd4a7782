"""The guess bar: asks in the banner's place whether the offspring will be accepted, and keeps the score."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.theme import PIXELS_PER_INCH, Theme
from gpviz.app.widgets.fields import ElidedLabel, set_tip
from gpviz.app.widgets.layouts import row_in, row_of
from gpviz.app.widgets.paint_helpers import faded
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Step
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS, head_and_text, verdict_and_step, verdict_text
from gpviz.picture.regions import BANNER_TYPE

_IDLE: Final = "Guess first: the next step asks."
_HAS_ENTER: Final = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
"""Widgets with a use of their own for Enter."""


class GuessBar(Themed, QWidget):
    """Covers the banner of a canvas while it asks, and then says above the banner whether the guess was right.

    The keys work anywhere in its window while a question is open.
    """

    reported = Signal(str)
    """A question, or what became of it."""
    guessed = Signal(bool)
    """A person takes the offspring to be accepted, or rejected."""
    reveal_requested = Signal()

    def __init__(self, canvas: TreeCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._is_sampled = self._is_asking = False
        self.question = QLabel()
        self.mutation = ElidedLabel()
        self.telling = QLabel()
        self.score = QLabel()
        self.score.setProperty("role", "muted")
        self.score.setAccessibleDescription("The score")
        self.score.setToolTip("Revealing without a guess does not count.")
        self.accepted = _button("Accepted (Y)", "The offspring will be accepted (Y)", "Y")
        self.rejected = _button("Rejected (N)", "The offspring will be rejected (N)", "N")
        self.reveal = _button("Reveal", "Show what happens, without a guess (Enter or →)", "")
        self.reveal.setProperty("role", "quiet pill")
        self._enter_keys = [
            QShortcut(QKeySequence(key), self) for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ]
        words = row_of(self.question, (self.mutation, 1), self.telling, spacing=8)
        buttons = row_of(self.accepted, self.rejected, self.reveal, None, self.score, spacing=8)
        self._rows = row_in(self, (words, 1), buttons, spacing=12)
        self.accepted.clicked.connect(self._on_accepted)
        self.rejected.clicked.connect(self._on_rejected)
        self.reveal.clicked.connect(self.reveal_requested)
        for shortcut in self._enter_keys:
            shortcut.activated.connect(self.reveal_requested)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        canvas.regions_changed.connect(self._place)
        self.set_score(0, 0)
        self._say(_IDLE)
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        self._place()

    @Slot(bool)
    def set_on(self, is_on: bool) -> None:
        """Whether steps are guessed first; else there is no bar."""
        self.setVisible(is_on)
        self._place()

    @Slot(object)
    def ask(self, moment: Moment) -> None:
        """Ask about what this moment proposes."""
        self._is_sampled = moment.config.is_sampled
        question, mutation = verdict_and_step(moment)
        self.question.setText(question)
        self.mutation.setText(mutation)
        set_tip(self.mutation, mutation)
        self._set_asking(True)
        self.reported.emit(f"Iteration {moment.iteration:,}: {head_and_text(question, mutation)}.")

    @Slot(bool, object)
    def show_answer(self, was_right: bool, step: Step) -> None:
        """Say whether the guess was right, and what became of the offspring."""
        told = "✓ Right" if was_right else "✗ Wrong"
        self._say(told)
        self.reported.emit(f"{told}: {self._outcome(step)}.")

    @Slot(object)
    def show_revealed(self, step: Step) -> None:
        """Say what became of the offspring, which nobody guessed."""
        self._say("Revealed")
        self.reported.emit(f"It was {self._outcome(step)}.")

    @Slot()
    def withdraw(self) -> None:
        """The question is no longer of interest."""
        self._say(_IDLE)

    @Slot(int, int)
    def set_score(self, right: int, guesses: int) -> None:
        """Show how many guesses were right, and how many there were."""
        self.score.setText(f"{right:,} of {guesses:,} right")
        self.score.setVisible(guesses > 0)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, line = self.theme.colours, self.theme.line_scale
        colour = colours.accent if self._is_asking else colours.control_border
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(colours.panel))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colour), 2.0 * line if self._is_asking else line))
            painter.setBrush(faded(colour, 0.1 if self._is_asking else 0.0))
            corner = min(self.height() / 2, self.theme.font_size * 1.2)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(line, line, -line, -line), corner, corner)

    def _say(self, text: str) -> None:
        """Say something small, and ask nothing."""
        self.telling.setText(text)
        self._set_asking(False)

    def _set_asking(self, is_asking: bool) -> None:
        self._is_asking = is_asking
        for part in (self.question, self.mutation, self.accepted, self.rejected, self.reveal):
            part.setVisible(is_asking)
            part.setEnabled(is_asking)
        self.telling.setVisible(not is_asking)
        self._set_enter_keys(QApplication.focusWidget())
        self._place()

    @Slot()
    def _place(self) -> None:
        """Cover the banner, or stand above its right end."""
        space = self._canvas.banner_rect.toAlignedRect()
        if self.isHidden() or self._canvas.picture is None:
            return
        self._take_type(self._canvas.picture.unit)
        air = round(self.theme.font_size * 0.6)
        if not self._is_asking:
            self._arrange(QBoxLayout.Direction.LeftToRight, 2 * air, air // 2)
            rect = QRect(QPoint(), self._rows.sizeHint())
            rect.moveBottomRight(space.topRight())
        else:
            self._arrange(QBoxLayout.Direction.LeftToRight, 2 * air, air)
            wanted = self._rows.sizeHint().width() + self.mutation.sizeHint().width()
            if wanted > space.width():
                self._arrange(QBoxLayout.Direction.TopToBottom, 2 * air, air)
            height = max(space.height() - air, self._rows.sizeHint().height())
            rect = QRect(0, 0, min(wanted, space.width()), height)
            rect.moveCenter(space.center())
            rect.moveBottom(space.bottom())
        self.setGeometry(rect)
        self.raise_()
        self.update()

    def _take_type(self, unit: float) -> None:
        """Write as large as the picture, but not smaller than the window."""
        theme = self.theme
        words = max(1.1, BANNER_TYPE * unit * 72.0 / PIXELS_PER_INCH / theme.font_size)
        small = max(1.0, 0.75 * words)
        self.question.setFont(theme.font(words, is_bold=True))
        self.mutation.setFont(theme.font(words))
        self.telling.setFont(theme.font(small, is_bold=True))
        for part in (self.score, self.accepted, self.rejected, self.reveal):
            part.setFont(theme.font(small))

    def _arrange(self, direction: QBoxLayout.Direction, across: int, down: int) -> None:
        self._rows.setDirection(direction)
        self._rows.setSpacing(across if direction is QBoxLayout.Direction.LeftToRight else down // 2)
        self._rows.setContentsMargins(across, down, across, down)
        self._rows.activate()  # so that it knows what is shown

    def _set_enter_keys(self, focus: QWidget | None) -> None:
        is_free = self._is_asking and not isinstance(focus, _HAS_ENTER)
        for shortcut in self._enter_keys:
            shortcut.setEnabled(is_free)

    @Slot()
    def _on_accepted(self) -> None:
        self.guessed.emit(True)

    @Slot()
    def _on_rejected(self) -> None:
        self.guessed.emit(False)

    def _outcome(self, step: Step) -> str:
        verdict, _, end = verdict_text(step.verdict, is_sampled=self._is_sampled).partition(", ")
        return f"{end}, {VERDICT_SYMBOLS[step.verdict]} {verdict}"

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._set_enter_keys(new)


def _button(text: str, told: str, key: str) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("role", "pill")
    button.setToolTip(told)
    button.setAccessibleName(told)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoDefault(False)
    if key:
        button.setShortcut(QKeySequence(key))
    return button
