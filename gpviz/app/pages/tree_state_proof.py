"""The proof page: what the tree on show can still become and how one knows, with its way out to play."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import (
    QObject,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from gpviz.app.pages.page import Page
from gpviz.app.theme import Theme, icon
from gpviz.app.widgets.fields import sentence, show_sentence
from gpviz.app.widgets.layouts import NO_LIMIT, FlowLayout, column_in, row_of
from gpviz.app.widgets.tables import ChoiceTable, Column
from gpviz.app.widgets.themed import Themed
from gpviz.engine import UNICODE, Mutation, State, Verdict
from gpviz.explain.step_text import VERDICT_SYMBOLS, VERDICT_WORDS
from gpviz.explain.tree_state_text import (
    Improvement,
    LeafCost,
    PathStep,
    Proof,
    moment_along,
    prove,
    prove_with_subtree_deletion,
)
from gpviz.number_text import chance_text, change_text, number_text
from gpviz.runs.history import History

INTERVAL_MS: Final = 1000
_UPRIGHT: Final = 0.6
"""From this height on, as a share of the width, the table is below the argument."""
_LEAST_ARGUMENT: Final = 26
"""In letters: how narrow the argument may be beside the table."""
_LOWEST_STACKED: Final = 11
"""In lines of text: in a lower page the table is never below the argument."""
_LEAST_HEIGHT: Final = 40
LEAF_HEADERS: Final = ("Leaf", "Delete", "Change", "Removable")
IMPROVEMENT_HEADERS: Final = ("Mutation", "Error", "Probability")
HEADERS_ON_ALL_ROWS: Final = ("Mutation", "Error on all rows", "Probability")
PATH_HEADERS: Final = ("Step", "Mutation", "Error", "Verdict")
_MOST_REMEMBERED: Final = 64
_PLAY: Final = "Play the way out"
_PLAY_TIP: Final = "Play the mutations of the way out, one a second (Enter)."
_PAUSE: Final = "Pause"
_WHAT_IF: Final = "What if subtree deletion were allowed?"
_WHAT_IF_TIP: Final = "Look for a way out under subtree deletion. This run deletes single leaves only."
_OWN_RULE: Final = "Back to leaf deletion"
_TRY: Final = "Try this with subtree deletion"
_TRY_TIP: Final = "Start a branch here in which whole subtrees can be deleted."
_WAITING: Final = "Examining the tree …"


class ProofText(Themed, QScrollArea):
    """What a proof says, in sentences that wrap and scroll."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._proof: Proof | None = None
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.claim = sentence("")
        self.arguments = sentence("")
        self.note = sentence("muted")
        column = _Column()
        texts = (self.state, self.claim, self.arguments, self.note)
        self._sentences = column_in(column, *texts, None, spacing=3, margins=(0, 0, 4, 0))
        self._sentences.setAlignment(self.state, Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName("The argument")
        self.setProperty("role", "text")
        self.setWidget(column)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumSize(QSize(120, _LEAST_HEIGHT))

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.claim.setFont(theme.font(1.05, is_bold=True))
        self._colour_state()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The style sheet, coming first here, took it away.
        self.claim.setFont(self.theme.font(1.05, is_bold=True))

    def say(self, claim: str) -> None:
        """Nothing is proven yet; say this instead."""
        self._proof = None
        self._set_texts("", claim, (), "")

    def show_proof(self, proof: Proof) -> None:
        """Tell what is proven, and under which rules if they are not the run's own."""
        self._proof = proof
        title = f"What if: {proof.title[0].lower()}{proof.title[1:]}" if proof.is_what_if else proof.title
        self._set_texts(title, proof.claim, proof.argument, proof.note)

    def wanted_height(self, width: int) -> int:
        """How high it is with all sentences, in this width."""
        return self._sentences.totalHeightForWidth(width) + 2 * self.frameWidth()

    def _set_texts(self, state: str, claim: str, argument: Sequence[str], note: str) -> None:
        numbered = [f"{number}. {text}" for number, text in enumerate(argument, start=1)]
        numbered = numbered if len(argument) > 1 else list(argument)
        labels = (self.state, self.claim, self.arguments, self.note)
        for label, text in zip(labels, (state, claim, "\n".join(numbered), note), strict=True):
            show_sentence(label, text)
        self._colour_state()

    def _colour_state(self) -> None:
        """Give the name of the state the colours it has everywhere; a dashed frame means other rules."""
        colours, proof = self.theme.colours, self._proof
        known = None if proof is None or proof.state is None else colours.of_state(proof.state.state)
        frame, fill, text = known or (colours.border, colours.field, colours.text)
        line = "dashed" if proof is not None and proof.is_what_if else "solid"
        dress = (
            f"QLabel {{ background: {fill}; color: {text}; border: 1px {line} {frame};"
            " border-radius: 4px; padding: 2px 8px; font-weight: bold; }"
        )
        if dress != self.state.styleSheet():
            self.state.setStyleSheet(dress)


class _Column(QWidget):
    """Sentences below each other; how high they are follows from their width alone."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


class PathPlayer(QObject):
    """Steps through a sequence of mutations; shows no tree of it until the first move."""

    changed = Signal()
    """Another tree of the path is on show, or none any more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.mutations: list[Mutation] = []
        self.applied = 0
        self.is_looking = False
        self.timer = QTimer(self)
        self.timer.setInterval(INTERVAL_MS)
        self.timer.timeout.connect(self.step)

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self.timer.isActive()

    def set_path(self, mutations: Sequence[Mutation]) -> None:
        """Leave the current path and take this one."""
        self.leave()
        self.mutations = list(mutations)

    def go_to(self, applied: int) -> None:
        """Show the tree after this many mutations; playing stops at the end."""
        applied = min(max(applied, 0), len(self.mutations))
        if applied == len(self.mutations):
            self.timer.stop()
        if self.mutations and (not self.is_looking or applied != self.applied):
            self.is_looking = True
            self.applied = applied
            self.changed.emit()

    @Slot()
    def step(self) -> None:
        """Show the tree after one more mutation."""
        self.go_to(self.applied + 1)

    def play(self) -> None:
        """Play the path, from the beginning if it is at the end."""
        is_at_end = self.is_looking and self.applied == len(self.mutations)
        self.timer.start()
        self.go_to(0 if is_at_end else self.applied + 1)

    @Slot()
    def leave(self) -> None:
        """Look no longer."""
        self.timer.stop()
        self.applied = 0
        if self.is_looking:
            self.is_looking = False
            self.changed.emit()


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, its tooltip, and whether it is about a redundant leaf or ends with a verdict."""

    cells: tuple[str, ...]
    hint: str
    is_redundant: bool = False
    verdict: Verdict | None = None


def _improvement_row(each: Improvement) -> Row:
    cells = (each.text, change_text(each.error_change), chance_text(each.probability))
    return Row(cells, f"{each.text}. Choose it to see what it would do.")


def _path_rows(path: Sequence[PathStep], error: int | None) -> list[Row]:
    """The way out as a numbered list; row 0 is where it starts."""
    start = "–" if error is None else number_text(error)
    rows = [Row(("start", "The tree on show", start, ""), "The tree on show.")]
    for number, step in enumerate(path, start=1):
        word = VERDICT_WORDS[step.verdict]
        cells = (f"{number:,}", step.text, number_text(step.error), f"{VERDICT_SYMBOLS[step.verdict]} {word}")
        rows.append(Row(cells, f"{step.text}: {word}.", verdict=step.verdict))
    return rows


def _leaf_row(leaf: LeafCost) -> Row:
    name, reason = f"leaf {leaf.number:,}, {leaf.label}", leaf.reason
    deletion = "never: the root" if reason.deletion is None else change_text(reason.deletion)
    substitution = "no other variable"
    if reason.variable is not None:
        substitution = f"{UNICODE.variable(reason.variable)}: {change_text(reason.substitution)}"
    hint = (
        f"{name.capitalize()}: {leaf.role}.\nDeleting it changes the error by: {deletion}"
        f"\nThe best other variable, and how it changes the error: {substitution}"
    )
    cells = (name, deletion, substitution, _short_role(leaf.role))
    return Row(cells, hint, is_redundant=leaf.is_redundant)


def _short_role(role: str) -> str:
    """With what a leaf could be removed, for a column that is called so."""
    if role == "essential":
        return "no, essential"
    return role.replace("removable only together with", "only with").replace("removable", "yes")


def _columns(headers: Sequence[str]) -> list[Column[Row]]:
    def column(index: int, head: str) -> Column[Row]:
        def is_marked(row: Row) -> bool:
            return row.is_redundant and not index

        def font(row: Row, theme: Theme) -> QFont:
            return theme.font(is_bold=row.verdict is Verdict.IMPROVED or is_marked(row))

        return Column(
            head,
            lambda row: row.cells[index],
            head,
            hint=lambda row: row.hint,
            font=font,
            fill=lambda row, theme: QColor(theme.colours.redundant_fill) if is_marked(row) else None,
            colour=lambda row, theme: QColor(theme.colours.leaf_text) if is_marked(row) else None,
        )

    return [column(index, head) for index, head in enumerate(headers)]


class ProofTable(ChoiceTable):
    """Shows the rows of a proof."""

    def show_proof(self, headers: tuple[str, ...], rows: Iterable[Row], name: str) -> None:
        """Show other rows, none of them chosen."""
        widest = headers.index("Mutation") if "Mutation" in headers else len(headers) - 1
        self.show_rows(list(rows), _columns(headers), widest)
        self.setAccessibleName(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # the page plays the way out
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 3 * self.verticalHeader().defaultSectionSize())

    def wanted_width(self) -> int:
        """How wide it is with all columns in full."""
        header = self.horizontalHeader()
        columns = range(self.listing.columnCount())
        widths = [max(self.sizeHintForColumn(each), header.sectionSizeHint(each)) for each in columns]
        return sum(widths) + self.verticalScrollBar().sizeHint().width() + 2 * self.frameWidth() + 4


class ProofPage(Page):
    """Shows the state of a tree with its proof; somebody who goes along the way out sees it on the tree."""

    needs_little_space: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.proof: Proof | None = None
        """What is shown; None while it is looked for."""
        self._question = self.question_about_moment(self._show, remembers=_MOST_REMEMBERED)
        self.walk = PathPlayer(self)
        self.walk.changed.connect(self._on_walk_changed)

        self.argument = ProofText()
        self.table = ProofTable("The proof")
        self.table.row_chosen.connect(self._on_row_chosen)
        self.play_button = QPushButton(_PLAY)
        self.play_button.setProperty("role", "primary")
        self.back_button = QToolButton()
        self.forward_button = QToolButton()
        self.leave_button = QPushButton("Stop looking")
        self.what_if_button = QPushButton(_WHAT_IF)
        self.try_button = QPushButton(_TRY)
        self._build()
        self.follow_theme()
        self._clear("")

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.back_button.setIcon(icon("previous", theme))
        self.forward_button.setIcon(icon("next", theme))
        self._show_playing()

    def show_moment(self, history: History, iteration: int) -> None:
        """Prove the state of the tree after this iteration."""
        tree, config = history.tree_at(iteration), history.config_after(iteration)
        is_same = history is self.history and tree is self.tree
        is_same = is_same and self.config is not None and self.config.rules == config.rules
        is_known = is_same and (self.proof is not None or self.is_busy)
        if is_known and iteration == self.iteration:
            return
        self.walk.leave()
        super().show_moment(history, iteration)
        if is_known:
            return
        self.what_if_button.setChecked(False)
        self._look_up()

    def shut_down(self) -> None:
        """End the thread."""
        self.walk.leave()
        super().shut_down()

    def hideEvent(self, event: QHideEvent) -> None:
        self.walk.leave()
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.walk.is_looking:
            self.walk.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._has_path():
            self._on_play_clicked()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.what_if_button.setCheckable(True)
        self._upper = row_of((self.argument, 1), (self.table, 1), spacing=10)
        buttons = FlowLayout()
        for button, act, tip in (
            (self.what_if_button, self._on_what_if_clicked, _WHAT_IF_TIP),
            (self.try_button, self._on_try_clicked, _TRY_TIP),
            (self.back_button, partial(self._go_by, -1), "One mutation back."),
            (self.play_button, self._on_play_clicked, _PLAY_TIP),
            (self.forward_button, partial(self._go_by, 1), "One mutation on."),
            (self.leave_button, self.walk.leave, "Show the tree of the run again (Esc)."),
        ):
            button.setToolTip(tip)
            button.clicked.connect(act)
            buttons.add(button)
        for button in (self.back_button, self.forward_button):
            button.setAccessibleName(button.toolTip().rstrip("."))
        self.setContentsMargins(8, 6, 8, 6)
        column_in(self, (self._upper, 1), buttons, spacing=6)

    def minimumSizeHint(self) -> QSize:
        """Not that of argument and table one above the other, which they are only where there is height for it."""
        lines = self.table.minimumSizeHint().height() + self.what_if_button.sizeHint().height()
        return QSize(super().minimumSizeHint().width(), lines + 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def _divide(self) -> None:
        """Put the table beside the argument in a wide page where both fit in full, else right below it."""
        wanted, least = self.table.wanted_width(), _LEAST_ARGUMENT * self.fontMetrics().averageCharWidth()
        is_low = self.height() < _LOWEST_STACKED * self.fontMetrics().height()
        is_wide = self.width() - wanted >= least and self.height() <= _UPRIGHT * self.width()
        is_beside = is_low or is_wide or not self.table.rows
        if is_beside:
            self._upper.setDirection(QBoxLayout.Direction.LeftToRight)
            self.table.setMinimumWidth(max(0, min(wanted, self.width() - least)))
            self.argument.setMinimumHeight(_LEAST_HEIGHT)
            self.argument.setMaximumHeight(NO_LIMIT)
            return
        self._upper.setDirection(QBoxLayout.Direction.TopToBottom)
        self.table.setMinimumWidth(0)
        space = self.contentsRect()
        buttons = self.what_if_button.sizeHint().height() + 2 * self._upper.spacing()
        most = space.height() - buttons - self.table.minimumSizeHint().height()
        self.argument.setFixedHeight(min(self.argument.wanted_height(space.width()), most))

    def _look_up(self) -> None:
        """Show what is known about the tree, or see to it that it gets known."""
        assert self.config is not None
        is_what_if = self.what_if_button.isChecked()
        work: Callable[..., Proof] = prove_with_subtree_deletion if is_what_if else prove
        key = self.config.rules, is_what_if
        self._question.ask(self.tree, key, partial(work, self.tree, self.config))
        if self.is_busy:
            self._clear(_WAITING)

    # What is shown

    def show_problem(self, problem: str) -> None:
        """Say why nothing is proven."""
        self._clear(problem)

    def _clear(self, claim: str) -> None:
        self.proof = None
        self.tell_of(None)
        self.walk.set_path(())
        self.table.show_proof((), [], "The proof")
        self.argument.say(claim)
        self._divide()
        self._show_controls()

    @Slot(object)
    def _show(self, proof: Proof) -> None:
        self.proof = proof
        self.walk.set_path(proof.mutations)
        if proof.path:
            error = None if proof.state is None else proof.state.error
            self.table.show_proof(PATH_HEADERS, _path_rows(proof.path, error), "The way out")
        elif proof.improvements:
            is_sampled = proof.config.is_sampled
            headers = HEADERS_ON_ALL_ROWS if is_sampled else IMPROVEMENT_HEADERS
            which = "whose offspring is better on all rows" if is_sampled else "that improve the tree"
            self.table.show_proof(headers, map(_improvement_row, proof.improvements), f"Mutations {which}")
        else:
            leaf_headers = LEAF_HEADERS if proof.leaves else ()
            self.table.show_proof(leaf_headers, map(_leaf_row, proof.leaves), "Why each leaf has to stay")
        self.argument.show_proof(proof)
        self.table.point_at(None)
        self._divide()
        self._show_controls()

    def _position_text(self) -> str:
        """Where somebody is on the path."""
        assert self.proof is not None
        if not self.proof.path:
            (mutation,) = self.walk.mutations
            each = next(each for each in self.proof.improvements if each.mutation == mutation)
            return f"{each.text}: error {change_text(each.error_change)}."
        if not self.walk.applied:
            return "Before the way out: the tree on show."
        step = self.proof.path[self.walk.applied - 1]
        verdict = f"{VERDICT_SYMBOLS[step.verdict]}\N{NO-BREAK SPACE}{VERDICT_WORDS[step.verdict]}"
        where = f"{self.walk.applied:,} of {len(self.proof.path):,}"
        return f"{where}: {step.text}. {verdict}, error {number_text(step.error)}."

    def _has_path(self) -> bool:
        return self.proof is not None and bool(self.proof.path)

    def _show_controls(self) -> None:
        proof, walk = self.proof, self.walk
        has_path = self._has_path()
        for button in (self.play_button, self.back_button, self.forward_button):
            button.setVisible(has_path)
        self.leave_button.setVisible(has_path or walk.is_looking)
        self.leave_button.setEnabled(walk.is_looking)
        self.back_button.setEnabled(walk.is_looking and walk.applied > 0)
        self.forward_button.setEnabled(walk.applied < len(walk.mutations))
        self.table.setVisible(bool(self.table.rows))
        is_leaf_only = self.config is not None and not self.config.has_subtree_deletion
        is_open = proof is not None and proof.state is not None and proof.state.state is not State.SOLVED
        is_waiting = self.what_if_button.isChecked() and self.is_busy
        self.what_if_button.setEnabled(is_leaf_only and self.tree is not None and (is_open or is_waiting))
        self.what_if_button.setVisible(is_leaf_only)
        is_tried = proof is not None and proof.is_what_if and bool(proof.path)
        self.try_button.setVisible(is_tried and self._context is not None)
        self.what_if_button.setText(_OWN_RULE if self.what_if_button.isChecked() else _WHAT_IF)

    # What somebody does

    @Slot()
    def _on_play_clicked(self) -> None:
        if self.walk.is_playing:
            self._pause()
        else:
            self.walk.play()

    def _go_by(self, steps: int, _is_checked: bool = False) -> None:
        self._pause()
        self.walk.go_to(self.walk.applied + steps)

    def _pause(self) -> None:
        self.walk.timer.stop()
        self._show_playing()

    def _show_playing(self) -> None:
        name, text = ("pause", _PAUSE) if self.walk.is_playing else ("play", _PLAY)
        self.play_button.setText(text)
        self.play_button.setIcon(icon(name, self.theme, self.theme.colours.accent_text))

    @Slot()
    def _on_what_if_clicked(self) -> None:
        if self.history is not None:
            self.walk.leave()
            self._look_up()

    @Slot()
    def _on_try_clicked(self) -> None:
        """Go on with the rule that was only asked about."""
        if self._context is not None:
            self.walk.leave()
            self._context.branch_controller.fork_with(deletion="subtree")

    @Slot(int)
    def _on_row_chosen(self, row: int) -> None:
        if self.proof is None:
            return
        if self.proof.path:
            self._pause()
            self.walk.go_to(row)
        elif self.proof.improvements:
            wanted = [self.proof.improvements[row].mutation]
            if wanted != self.walk.mutations or not self.walk.is_looking:
                self.walk.mutations, self.walk.is_looking = wanted, False
                self.walk.go_to(1)
        elif self._context is not None:
            self._context.select_node(self.proof.leaves[row].uid)

    @Slot()
    def _on_walk_changed(self) -> None:
        is_looking = self.walk.is_looking
        if self._has_path() or not is_looking:
            self.table.point_at(self.walk.applied if is_looking else None)
        if self.proof is not None:
            self.argument.claim.setText(self._position_text() if is_looking else self.proof.claim)
        self._show_controls()
        self._show_playing()
        if is_looking:
            self._show_on_tree()
        elif self._context is not None:
            self._context.leave_other()

    def _show_on_tree(self) -> None:
        """Show the tree after the mutations of the way that are done, and the next one on it."""
        if self._context is None or self.history is None or self.proof is None:
            return
        mutations, done = self.walk.mutations, self.walk.applied
        # The rules of the proof may not be those of the run.
        moment = moment_along(self.history, self.iteration, self.proof.config, mutations, done)
        where = "the tree on show" if not done else f"after {done} of {len(mutations)} mutations"
        self._context.show_other(moment, f"The way out, {where}, not part of the run")
