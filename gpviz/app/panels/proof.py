"""The proof page: what the tree on show can still become and how one knows, with its way out to play."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.background import Background
from gpviz.app.icons import icon
from gpviz.app.panels.proof_parts import ProofWords, ShorteningButton
from gpviz.app.panels.proof_path import PathWalk
from gpviz.app.panels.proof_table import (
    IMPROVEMENT_HEADERS,
    LEAF_HEADERS,
    PATH_HEADERS,
    ProofTable,
    improvement_rows,
    leaf_rows,
    path_rows,
)
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import Node, RunConfig, State
from gpviz.record.history import History
from gpviz.record.proof import Proof, change_text, prove, prove_with_subtree_deletion
from gpviz.record.telling import VERDICT_SYMBOLS, VERDICT_WORDS, number_text

__all__ = ["ProofPage"]

_CALM_MS: Final = 200
"""A tree that is gone sooner than that is not examined."""

_MOST_REMEMBERED: Final = 64
_PLAY: Final = "Play the way out"
_PAUSE: Final = "Pause"
_WHAT_IF: Final = "What if subtree deletion were allowed?"
_OWN_RULE: Final = "Back to leaf deletion"
_WAITING: Final = "Examining the tree …"

_Key = tuple[int, RunConfig, bool]


class ProofPage(QWidget):
    """Shows the state of a tree with its proof.

    Somebody who goes along the way out wants to see it on the canvas: ``path_chosen`` tells the mutations from the
    tree on show and how many of them are done; `path_config` has the rules that hold along it.
    """

    title: ClassVar[str] = "Proof"

    path_chosen = Signal(object, int)
    path_left = Signal()
    node_chosen = Signal(object)
    """The uid of a leaf that somebody points at in the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._history: History | None = None
        self._iteration = 0
        self._tree: Node | None = None
        self._shown: Proof | None = None
        self._asked: _Key | None = None
        self._known: OrderedDict[_Key, Proof] = OrderedDict()
        self._background = Background("gpviz proof", self)
        self._background.finished.connect(self._on_proof)
        self._background.failed.connect(self._on_failed)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._ask)
        self.walk = PathWalk(self)
        self.walk.moved.connect(self._on_walk_moved)
        self.walk.left.connect(self._on_walk_left)
        self.walk.playing_changed.connect(self._on_playing_changed)

        self.words = ProofWords()
        self.table = ProofTable()
        self.table.row_chosen.connect(self._on_row_chosen)
        self.play_button = QPushButton(_PLAY)
        self.play_button.setProperty("role", "primary")
        self.back_button = QToolButton()
        self.forward_button = QToolButton()
        self.leave_button = QPushButton("Stop looking")
        self.what_if_button = ShorteningButton(_WHAT_IF)
        self._build()
        self.set_theme(self._theme)
        self._clear("")

    @property
    def is_busy(self) -> bool:
        """Whether something about the tree is still to be found out."""
        return self._background.is_busy or self._calm.isActive()

    @property
    def proof(self) -> Proof | None:
        """What is shown; None while it is looked for."""
        return self._shown

    @property
    def path_config(self) -> RunConfig | None:
        """The rules under which the path on show is accepted; they may not be those of the run."""
        return None if self._shown is None else self._shown.config

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self.table.set_theme(theme)
        self.words.set_theme(theme)
        self.back_button.setIcon(icon("previous", theme))
        self.forward_button.setIcon(icon("next", theme))
        self._on_playing_changed(self.walk.is_playing)

    def show_moment(self, history: History, iteration: int) -> None:
        """Prove the state of the tree after this iteration."""
        tree = history.tree_at(iteration)
        is_same = history is self._history and iteration == self._iteration and tree is self._tree
        if is_same and (self._shown is not None or self.is_busy):
            return
        self.walk.leave()
        is_same_tree = history is self._history and tree is self._tree
        self._history, self._iteration, self._tree = history, iteration, tree
        if is_same_tree and (self._shown is not None or self.is_busy):
            return
        with QSignalBlocker(self.what_if_button):
            self.what_if_button.setChecked(False)
        self._look_up()

    def shut_down(self) -> None:
        """End the thread."""
        self._calm.stop()
        self.walk.leave()
        self._background.close()

    def hideEvent(self, event: QHideEvent) -> None:
        self.walk.leave()
        self._calm.stop()
        self._background.cancel()
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.walk.is_looking:
            self.walk.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._has_path():
            self._on_play_clicked()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.play_button.setToolTip(
            "Do the mutations of the way out one after the other, one a second (Enter)."
        )
        self.back_button.setToolTip("One mutation back.")
        self.back_button.setAccessibleName("One mutation back")
        self.forward_button.setToolTip("One mutation on.")
        self.forward_button.setAccessibleName("One mutation on")
        self.leave_button.setToolTip("Show the tree of the run again (Esc).")
        self.what_if_button.setCheckable(True)
        self.what_if_button.setToolTip(
            "Look for a way out under subtree deletion. This run deletes single leaves only."
        )
        self.play_button.clicked.connect(self._on_play_clicked)
        self.back_button.clicked.connect(self._on_back_clicked)
        self.forward_button.clicked.connect(self._on_forward_clicked)
        self.leave_button.clicked.connect(self.walk.leave)
        self.what_if_button.toggled.connect(self._on_what_if_toggled)

        upper = QHBoxLayout()
        upper.setSpacing(10)
        upper.addWidget(self.words, 2)
        upper.addWidget(self.table, 3)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.what_if_button, 1)
        buttons.addStretch(0)
        for button in (self.back_button, self.play_button, self.forward_button, self.leave_button):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(6)
        layout.addLayout(upper, 1)
        layout.addLayout(buttons)

    # What is known

    def _rules(self) -> RunConfig:
        assert self._history is not None
        return self._history.config_after(self._iteration)

    def _key(self) -> _Key:
        assert self._history is not None
        return id(self._tree), self._rules(), self.what_if_button.isChecked()

    def _look_up(self) -> None:
        """Show what is known about the tree, or see to it that it gets known."""
        known = self._known.get(self._key())
        if known is not None:
            self._known.move_to_end(self._key())
            self._background.cancel()
            self._calm.stop()
            self._show(known)
            return
        self._background.cancel()
        if self.what_if_button.isChecked():
            self._ask()  # somebody waits for it
        else:
            self._calm.start()
        self._clear(_WAITING)

    @Slot()
    def _ask(self) -> None:
        self._asked = key = self._key()
        work: Callable[..., Proof] = prove_with_subtree_deletion if key[2] else prove
        self._background.ask(partial(work, self._tree, key[1]))

    @Slot(object)
    def _on_proof(self, proof: Proof) -> None:
        assert self._asked is not None
        self._known[self._asked] = proof  # it keeps its tree, so the id stays this tree's
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)
        if self._asked == self._key():
            self._show(proof)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        raise problem

    # What is shown

    def _clear(self, claim: str) -> None:
        self._shown = None
        self.walk.set_path(())
        self.table.show_rows((), [], "The proof")
        self.words.say(claim)
        self._show_controls()

    def _show(self, proof: Proof) -> None:
        self._shown = proof
        self.walk.set_path(proof.mutations)
        if proof.path:
            error = None if proof.state is None else proof.state.error
            self.table.show_rows(PATH_HEADERS, path_rows(proof.path, error), "The way out")
        elif proof.improvements:
            rows = improvement_rows(proof.improvements)
            self.table.show_rows(IMPROVEMENT_HEADERS, rows, "Mutations that improve the tree")
        else:
            headers = LEAF_HEADERS if proof.leaves else ()
            self.table.show_rows(headers, leaf_rows(proof.leaves), "Why each leaf has to stay")
        self.words.show_proof(proof)
        self.table.point_at(None)
        self._show_controls()

    def _place_text(self) -> str:
        """Where somebody is on the path."""
        assert self._shown is not None
        if not self._shown.path:
            (mutation,) = self.walk.mutations
            each = next(each for each in self._shown.improvements if each.mutation == mutation)
            return f"{each.words}: error {change_text(each.error_change)}."
        if not self.walk.applied:
            return "Before the way out: the tree on show."
        step = self._shown.path[self.walk.applied - 1]
        verdict = f"{VERDICT_SYMBOLS[step.verdict]}\N{NO-BREAK SPACE}{VERDICT_WORDS[step.verdict]}"
        where = f"{self.walk.applied:,} of {len(self._shown.path):,}"
        return f"{where}: {step.words}. {verdict}, error {number_text(step.error)}."

    def _has_path(self) -> bool:
        return self._shown is not None and bool(self._shown.path)

    def _show_controls(self) -> None:
        proof, walk = self._shown, self.walk
        has_path = self._has_path()
        for button in (self.play_button, self.back_button, self.forward_button):
            button.setVisible(has_path)
        self.leave_button.setVisible(has_path or walk.is_looking)
        self.leave_button.setEnabled(walk.is_looking)
        self.back_button.setEnabled(walk.is_looking and walk.applied > 0)
        self.forward_button.setEnabled(walk.applied < len(walk.mutations))
        self.table.setVisible(bool(self.table.rows))
        is_leaf_only = self._history is not None and not self._rules().has_subtree_deletion
        is_open = proof is not None and proof.state is not None and proof.state.state is not State.SOLVED
        is_waiting = self.what_if_button.isChecked() and self.is_busy
        self.what_if_button.setEnabled(is_leaf_only and self._tree is not None and (is_open or is_waiting))
        self.what_if_button.setVisible(is_leaf_only)
        self.what_if_button.set_text(_OWN_RULE if self.what_if_button.isChecked() else _WHAT_IF)

    # What somebody does

    @Slot()
    def _on_play_clicked(self) -> None:
        if self.walk.is_playing:
            self.walk.pause()
        else:
            self.walk.play()

    @Slot()
    def _on_back_clicked(self) -> None:
        self.walk.pause()
        self.walk.go_to(self.walk.applied - 1)

    @Slot()
    def _on_forward_clicked(self) -> None:
        self.walk.pause()
        self.walk.go_to(self.walk.applied + 1)

    @Slot(bool)
    def _on_what_if_toggled(self, _is_on: bool) -> None:
        if self._history is not None:
            self.walk.leave()
            self._look_up()

    @Slot(int)
    def _on_row_chosen(self, row: int) -> None:
        if self._shown is None:
            return
        if self._shown.path:
            self.walk.pause()
            self.walk.go_to(row)
        elif self._shown.improvements:
            self.walk.look_at([self._shown.improvements[row].mutation])
        else:
            self.node_chosen.emit(self._shown.leaves[row].uid)

    @Slot()
    def _on_walk_moved(self) -> None:
        if self._has_path():
            self.table.point_at(self.walk.applied)
        self.words.claim.setText(self._place_text())
        self._show_controls()
        self.path_chosen.emit(list(self.walk.mutations), self.walk.applied)

    @Slot()
    def _on_walk_left(self) -> None:
        self.table.point_at(None)
        if self._shown is not None:
            self.words.claim.setText(self._shown.claim)
        self._show_controls()
        self.path_left.emit()

    @Slot(bool)
    def _on_playing_changed(self, is_playing: bool) -> None:
        name, text = ("pause", _PAUSE) if is_playing else ("play", _PLAY)
        self.play_button.setText(text)
        self.play_button.setIcon(icon(name, self._theme, self._theme.colours.accent_text))
