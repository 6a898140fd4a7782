"""What one could do now: some buttons where the tree on show is solved or stuck, else a quiet line or nothing."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QPushButton, QSizePolicy, QWidget

from gpviz.analysis.outlook import Outlook, average_run
from gpviz.app.announcements import announce
from gpviz.app.moment_view import TreePart
from gpviz.app.player.player import Player
from gpviz.app.question import Question
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.decisive_step_seeker import DecisiveStepSeeker
from gpviz.app.tasks import Working
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, change_text, set_tip
from gpviz.app.widgets.themed import Themed
from gpviz.engine import State
from gpviz.engine.stuck import can_get_stuck
from gpviz.explain.outlook_text import average_text
from gpviz.runs.show_request import ShowRequest, again

_GAP: Final = 8
_FINDING_OUT: Final = "Finding out …"
_USED: Final = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress)
"""What ends the line that says how to begin."""
_SHORT: Final = {
    "Which step decided it?": "Which step?",
    "Allow deleting whole subtrees": "Allow subtrees",
    "Again with another seed": "Another seed",
    "How long does it take on average?": "On average?",
    "Same seed with leaf deletion": "Leaf deletion",
    "Same seed with subtree deletion": "Subtree deletion",
}
"""What the buttons are called where there is little space."""


class WhatNow(Themed, QWidget):
    """Stands in the middle of the transport bar. While a run plays it is empty; what does not fit is left out."""

    def __init__(
        self,
        player: Player,
        tree: TreePart,
        branch_controller: BranchController,
        seeker: DecisiveStepSeeker,
        *,
        play: Callable[[], object],
        next_seed: Callable[[], object],
        show_run: Callable[[ShowRequest], object],
        show_page: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._tree = tree
        self._branch_controller = branch_controller
        self._play = play
        self._next_seed = next_seed
        self._show_run = show_run
        self._show_page = show_page
        self._is_playing = player.is_playing
        self._is_outcome_hidden = self._is_goal_reached = False
        self._question = Question(self, self._on_average, self._say, remembers=8)
        self._question.progressed.connect(self._on_progressed)
        self.line = _label("muted", self)
        self.why = self._button("Why?", "Show why nothing better can be reached.")
        self.why.clicked.connect(self._on_why)
        self.decisive_step = self._button(
            "Which step decided it?", "Go to the step that did most to get the run stuck."
        )
        self.decisive_step.clicked.connect(seeker.seek)
        self.subtrees = self._button(
            "Allow deleting whole subtrees", "Go on from here in a branch that can delete whole subtrees."
        )
        self.subtrees.clicked.connect(self._on_subtrees)
        self.seed = self._button("Again with another seed", "Start a run like this one with the next seed.")
        self.seed.clicked.connect(self._on_seed)
        self.average = self._button(
            "How long does it take on average?", "Work out how many iterations such runs take on average."
        )
        self.average.clicked.connect(self._on_average_asked)
        self.answer = _label("", self)
        """It stands in the place of the button that asked."""
        self.answer.setMargin(_GAP // 2)
        self.deletion = self._button("", "Start this run again with the other deletion.")
        self.deletion.clicked.connect(self._on_deletion)
        for first in (self.why, self.seed):
            first.setProperty("role", "primary pill")
        self._offered: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        tree.state_changed.connect(self._offer)
        self._offer()

    def set_first_line(self, text: str) -> None:
        """Say this until the first key or click."""
        change_text(self.line, text)
        _application().installEventFilter(self)
        self._fit()

    def follow(self) -> None:
        """The cursor is at another iteration, which may reach a goal that is easier than the target."""
        if self._is_goal_reached != self._reaches_goal():
            self._offer()

    @Slot(bool)
    def set_outcome_hidden(self, is_hidden: bool) -> None:
        """Whether how the iteration on show ended is not to be told yet."""
        self._is_outcome_hidden = is_hidden
        self._offer()

    def set_playing(self, is_playing: bool) -> None:
        """Offer nothing while the run or the phases of an iteration play."""
        if is_playing != self._is_playing:
            self._is_playing = is_playing
            self._offer()

    def shut_down(self) -> None:
        """End the thread."""
        self._question.close()

    def apply_theme(self, theme: Theme) -> None:
        self.line.setFont(theme.font())
        self.answer.setFont(theme.font(is_bold=True))
        self.updateGeometry()
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """As high as a button, so that nothing moves when there are some; it makes do with any width."""
        return QSize(0, self.why.sizeHint().height())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()  # the style sheet has come to the buttons

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _USED:
            _application().removeEventFilter(self)
            self.line.clear()
            self._fit()
        return super().eventFilter(watched, event)

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("role", "pill")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click Space still plays
        button.setAutoDefault(False)
        button.setAccessibleName(text)
        set_tip(button, tip)
        return button

    # --- what there is to choose ---

    @Slot()
    def _offer(self) -> None:
        """Offer what makes sense for the tree on show."""
        self._question.cancel()
        self._offered = []
        self._is_goal_reached = self._reaches_goal()
        if not self._is_playing and not self._is_outcome_hidden:
            if self._tree.state is State.STUCK:
                self._offered = self._ways_from_stuck()
            elif self._tree.state is State.SOLVED:
                self._offered = self._ways_from_solved()
            elif self._is_goal_reached:
                self._offered = [self.seed]
        self._fit()

    def _reaches_goal(self) -> bool:
        history, cursor = self._player.run.history, self._player.cursor
        return history.config_after(cursor).is_solved(history.error_at(cursor))

    def _ways_from_stuck(self) -> list[QWidget]:
        run, cursor = self._player.run, self._player.cursor
        config = run.history.config_after(cursor)
        was_stuck_from_start = (cursor if run.stuck_since is None else run.stuck_since) == 0
        is_good_enough = config.is_solved(run.history.error_at(cursor))
        ways: list[QWidget] = [self.why]
        if not was_stuck_from_start and not is_good_enough:
            ways.append(self.decisive_step)
        if not can_get_stuck(config.replaced(deletion="subtree").rules):
            ways.append(self.subtrees)
        return ways

    def _ways_from_solved(self) -> list[QWidget]:
        history = self._player.run.history
        has_own_course = bool(history.script) or len(history.configs) > 1
        if has_own_course or history.config.is_solved(history.error_at(0)):
            return [self.seed]
        self.deletion.setAccessibleName(f"Same seed with {self._other_deletion} deletion")
        return [self.seed, self.average, self.deletion]

    @property
    def _other_deletion(self) -> str:
        return "leaf" if self._player.run.config.has_subtree_deletion else "subtree"

    def _fit(self) -> None:
        """Show in the middle what there is space for, the first things first."""
        buttons = [part for part in self._offered if isinstance(part, QPushButton)]
        for button in buttons:
            button.setText(button.accessibleName())
        if sum(part.sizeHint().width() + _GAP for part in self._offered) - _GAP > self.width():
            for button in buttons:
                button.setText(_SHORT.get(button.text(), button.text()))
        shown: list[tuple[QWidget, int]] = []
        left = self.width()
        for part in self._offered:
            width = part.sizeHint().width()
            if part is self.answer:
                width = min(width, left)
            if width > left:
                break
            shown.append((part, width))
            left -= width + _GAP
        if not self._offered and self.line.text():
            shown, left = [(self.line, self.width())], -_GAP
        for part in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            part.setVisible(any(part is each for each, _ in shown))
        x = (left + _GAP) // 2
        for part, width in shown:
            height = min(part.sizeHint().height(), self.height())
            part.setGeometry(QRect(x, (self.height() - height) // 2, width, height))
            x += width + _GAP

    # --- what somebody chooses ---

    @Slot()
    def _on_why(self) -> None:
        self._show_page("proof")

    @Slot()
    def _on_subtrees(self) -> None:
        self._play_after(lambda: self._branch_controller.fork_with(deletion="subtree"))

    @Slot()
    def _on_seed(self) -> None:
        self._play_after(self._next_seed)

    @Slot()
    def _on_deletion(self) -> None:
        request = again(self._player.run.history, deletion=self._other_deletion)
        self._play_after(lambda: self._show_run(request))

    def _play_after(self, change: Callable[[], object]) -> None:
        """Put another run on show, and play it if that was not called off."""
        before = self._player.run.history
        change()
        if self._player.run.history is not before:
            self._play()

    @Slot()
    def _on_average_asked(self) -> None:
        history = self._player.run.history
        start, config = history.start, history.config

        def work(working: Working) -> Outlook:
            return average_run(start, config, working, working.report)

        self._offered[self._offered.index(self.average)] = self.answer
        self._say(_FINDING_OUT)
        self._question.ask(start, config, work)

    @Slot(object)
    def _on_progressed(self, outlook: Outlook) -> None:
        self._say(f"{average_text(outlook)} …")

    def _on_average(self, outlook: Outlook) -> None:
        self._say(average_text(outlook))
        announce(self.window(), self.answer.text())

    def _say(self, text: str) -> None:
        change_text(self.answer, text)
        set_tip(self.answer, text)
        self._fit()


def _label(role: str, parent: QWidget) -> ElidedLabel:
    label = ElidedLabel(role)
    label.setParent(parent)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
