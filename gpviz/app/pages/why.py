"""The page *Why*: what happened in an iteration, why it was accepted or rejected, and what its tree can become."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QToolButton, QWidget

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.page_head import PAGE_MARGINS, PageHead
from gpviz.app.theme import MATHS_FAMILIES, Theme, icon
from gpviz.app.timers import single_shot
from gpviz.app.widgets.chips import VerdictChip
from gpviz.app.widgets.fields import MoreButton, PlainLabel, change_text, sentence, set_tip, show_sentence
from gpviz.app.widgets.layouts import FlowLayout, Part, WrappingScrollArea, column_in, row_of
from gpviz.app.widgets.tables import ChoiceTable, Column
from gpviz.app.widgets.themed import Themed
from gpviz.engine import UNICODE, Mutation, State, Verdict, describe
from gpviz.explain.moment import moment_at
from gpviz.explain.mutation_script_text import ScriptOdds, conclusion_text, script_step_text
from gpviz.explain.step_text import VERDICT_SYMBOLS, VERDICT_WORDS, is_on_sample, mutation_text, start_text
from gpviz.explain.tree_state_text import (
    Improvement,
    LeafCost,
    PathStep,
    Proof,
    moment_along,
    prove,
    prove_with_subtree_deletion,
)
from gpviz.explain.tree_text import (
    depth_text,
    error_text,
    function_text,
    generalisation_text,
    limit_text,
    missing_text,
)
from gpviz.explain.verdict_reason import reason_text, reason_title
from gpviz.number_text import chance_text, counted, number_text
from gpviz.number_text import change_text as signed
from gpviz.runs.curve_series import VerdictCounts
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS

INTERVAL_MS: Final = 1000
_COUNTED_AT_ONCE: Final = 200_000
"""As many iterations as are counted in a few milliseconds."""
_MOST_REMEMBERED: Final = 64
_TITLE: Final = 1.2
_TEXT: Final = 1.05
_FORMULA: Final = 1.5
"""The type of titles, sentences and formulas, as multiples of the window's."""
_LONGEST_LINE: Final = 80
"""In letters: longer lines are hard to read."""
_ROW: Final = 1.5
"""The height of a row, as a multiple of the type's."""

_NOT_YET: Final = "The last phase shows how it ends."
_WAITING: Final = "Examining the tree …"
_PLAY: Final = "Play the way out"
_PLAY_TIP: Final = "Play the mutations of the way out, one a second (Enter)."
_PAUSE: Final = "Pause"
_WHAT_IF: Final = "What if subtree deletion were allowed?"
_WHAT_IF_TIP: Final = "Look for a way out under subtree deletion. This run deletes single leaves only."
_OWN_RULE: Final = "Back to leaf deletion"
_TRY: Final = "Allow deleting whole subtrees"
_TRY_TIP: Final = "Go on from here in a branch that can delete whole subtrees."

LEAF_HEADERS: Final = ("Leaf", "Delete", "Change", "Removable")
IMPROVEMENT_HEADERS: Final = ("Mutation", "Error", "Probability")
HEADERS_ON_ALL_ROWS: Final = ("Mutation", "Error on all rows", "Probability")
PATH_HEADERS: Final = ("Step", "Mutation", "Error", "Verdict")
_FACTS: Final = {
    "error": ("error", "On how many rows the tree differs from the target."),
    "true_error": ("generalisation error", "The probability that the tree is wrong on a random row."),
    "leaves": ("leaves / limit", "How many leaves the tree has, and the most it may have."),
    "ors": ("∨ in the tree", "How many of its inner nodes are ∨."),
    "nodes": ("nodes", "Leaves and inner nodes together."),
    "depth": ("depth", "The number of levels of the tree."),
    "accepted": (
        "accepted so far",
        "How many offspring were accepted, and their share of all iterations.",
    ),
    "improved": ("improvements so far", "How many offspring were better than their parent."),
}


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
    """The cells of a row, its tooltip, and the verdict it ends with, if it does."""

    cells: tuple[str, ...]
    hint: str
    verdict: Verdict | None = None


def _improvement_row(each: Improvement) -> Row:
    cells = (each.text, signed(each.error_change), chance_text(each.probability))
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
    deletion = "never: the root" if reason.deletion is None else signed(reason.deletion)
    substitution = "no other variable"
    if reason.variable is not None:
        substitution = f"{UNICODE.variable(reason.variable)}: {signed(reason.substitution)}"
    hint = (
        f"{name.capitalize()}: {leaf.role}.\nDeleting it changes the error by: {deletion}"
        f"\nThe best other variable, and how it changes the error: {substitution}"
    )
    return Row((name, deletion, substitution, _short_role(leaf.role)), hint)


def _short_role(role: str) -> str:
    """With what a leaf could be removed, for a column that is called so."""
    if role == "essential":
        return "no, essential"
    return role.replace("removable only together with", "only with").replace("removable", "yes")


def _columns(headers: Sequence[str]) -> list[Column[Row]]:
    def column(index: int, head: str) -> Column[Row]:
        def font(row: Row, theme: Theme) -> QFont:
            return theme.font(_TEXT, is_bold=row.verdict is Verdict.IMPROVED)

        return Column(head, lambda row: row.cells[index], head, hint=lambda row: row.hint, font=font)

    return [column(index, head) for index, head in enumerate(headers)]


class ProofTable(ChoiceTable):
    """Shows the rows of a proof, all of them: the page scrolls, not the table."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setProperty("role", "plain")
        self.setAlternatingRowColors(False)
        self.setWordWrap(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(0)
        # While the header tells of a width it does not have it yet.
        self.horizontalHeader().sectionResized.connect(single_shot(self, self._fit).start)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        super().apply_theme(theme)
        height = round(_ROW * QFontMetrics(theme.font(_TEXT)).height())
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self._fit()

    def show_proof(self, headers: tuple[str, ...], rows: Iterable[Row], name: str) -> None:
        """Show other rows, none of them chosen."""
        widest = headers.index("Mutation") if "Mutation" in headers else len(headers) - 1
        self.show_rows(list(rows), _columns(headers), widest)
        self.setAccessibleName(name)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # the page plays the way out
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @Slot()
    def _fit(self) -> None:
        """Make each row as high as its cells, and the table as high as its rows."""
        rows = self.verticalHeader()
        for row in range(rows.count()):
            rows.resizeSection(row, max(self.sizeHintForRow(row), rows.defaultSectionSize()))
        head = max(self.horizontalHeader().sizeHint().height(), 0)  # negative without columns
        self.setFixedHeight(head + rows.length() + 2 * self.frameWidth())


class Arguments(Themed, QWidget):
    """Sentences that follow from each other, numbered where there are several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, QLabel]] = []

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        for row in self._rows:
            for label in row:
                label.setFont(theme.font(_TEXT))

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences on show."""
        return tuple(text.text() for _, text in self._rows if not text.isHidden())

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show these."""
        while len(self._rows) < len(texts):
            row = PlainLabel(f"{len(self._rows) + 1}."), sentence("")
            row[0].setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
            for column, label in enumerate(row):
                self._grid.addWidget(label, len(self._rows), column)
            self._rows.append(row)
            self.apply_theme(self.theme)
        for index, (number, text) in enumerate(self._rows):
            number.setVisible(1 < len(texts) > index)
            show_sentence(text, texts[index] if index < len(texts) else "")
        self.setVisible(bool(texts))


class Numbers(QWidget):
    """The numbers of an iteration and its tree; while it is hidden it counts nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = VerdictCounts()
        self._history: History | None = None
        self._iteration = 0
        self._counting_timer = single_shot(self, self._show_counts)
        self.values: dict[str, QLabel] = {}
        self.names: dict[str, QLabel] = {}
        table = QGridLayout(self)
        table.setContentsMargins(0, 0, 0, 0)
        table.setHorizontalSpacing(16)
        table.setVerticalSpacing(3)
        table.setColumnStretch(2, 1)
        for row, (name, (title, hint)) in enumerate(_FACTS.items()):
            label: QLabel = PlainLabel(title)
            value: QLabel = PlainLabel()
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            set_tip(label, hint)
            set_tip(value, hint)
            value.setAccessibleDescription(f"{title}. {hint}")
            table.addWidget(label, row, 0)
            table.addWidget(value, row, 1)
            self.names[name], self.values[name] = label, value

    def show_numbers(self, history: History, iteration: int) -> None:
        """Show the numbers of this iteration."""
        if history is not self._history:
            self._counts = VerdictCounts()
        self._history, self._iteration = history, iteration
        config, tree = history.config_after(iteration), history.tree_at(iteration)
        changes = history.changes()
        place = int(changes.iterations.searchsorted(iteration, side="right")) - 1
        texts = {
            "error": error_text(history.error_at(iteration), config),
            "true_error": generalisation_text(tree, config.n) if config.is_sampled else "",
            "leaves": limit_text(0 if tree is None else tree.leaves, config),
            "ors": f"{int(changes.ors[place]):,}",
            "nodes": f"{0 if tree is None else tree.size:,}",
            "depth": depth_text(tree),
        }
        for name, text in texts.items():
            change_text(self.values[name], text)
        change_text(self.names["error"], "sampled error" if config.is_sampled else "error")
        for part in (self.names["true_error"], self.values["true_error"]):
            part.setVisible(config.is_sampled)
        self._show_counts()

    @Slot()
    def _show_counts(self) -> None:
        """Show how many were accepted; what is not yet counted is counted on between frames."""
        counts, iteration, history = self._counts, self._iteration, self._history
        if history is None:
            return
        if len(counts) < iteration:
            counts.take_in(history.codes(1, min(iteration, len(counts) + _COUNTED_AT_ONCE) + 1))
        if len(counts) < iteration:
            change_text(self.values["accepted"], "…")
            change_text(self.values["improved"], "…")
            if self.isVisible():
                self._counting_timer.start()
            return
        so_far = dict(zip(VERDICTS, counts.between(1, iteration + 1), strict=True))
        accepted = sum(count for verdict, count in so_far.items() if verdict.is_accepted)
        share = f" ({100 * accepted / iteration:.0f} %)" if iteration else ""
        change_text(self.values["accepted"], f"{accepted:,}{share}")
        change_text(self.values["improved"], f"{so_far[Verdict.IMPROVED]:,}")

    def let_go(self) -> None:
        """Keep no history."""
        self._history = None
        self._counts = VerdictCounts()


class WhyPage(Page):
    """Tells of the step under the cursor and proves the state of its tree; a way out can be followed on the tree.

    Before an audience, whose window tells of the step elsewhere, there is the state and its proof alone.
    """

    needs_little_space: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.proof: Proof | None = None
        """What is proven of the tree; None while it is looked for."""
        self._is_outcome_hidden = False
        self._is_for_audience = False
        self._told = 0
        """The iteration that it tells of: while its outcome is hidden, the one before that under the cursor."""
        self._script_odds: ScriptOdds | None = None
        self._question = self.question_about_moment(self._show_proof, remembers=_MOST_REMEMBERED)
        self._question.grown_late.connect(self._on_late)
        self.walk = PathPlayer(self)
        self.walk.changed.connect(self._on_walk_changed)

        self.head = PageHead()
        self.chip = VerdictChip()
        self.reason_title = sentence("")
        self.reason = sentence("")
        self.outlook = sentence("")
        set_tip(
            self.outlook,
            "The share of runs from the tree, before and after this step, that never reach the error goal.",
        )
        self.script = sentence("muted")
        set_tip(self.script, "How likely the algorithm is to draw what the script carries out.")
        self.conclusion = sentence("")
        self.tree_title = sentence("", text="The tree now computes")
        self.function = sentence("")
        set_tip(self.function, "The function that the tree computes, in its simplest form.")
        self.missing = sentence("")
        self.state = sentence("")
        self.claim = sentence("")
        self.arguments = Arguments()
        self.note = sentence("muted")
        self.caption = sentence("muted")
        self.table = ProofTable("The proof")
        self.table.row_chosen.connect(self._on_row_chosen)
        self.position = sentence("")
        self.play_button = QPushButton(_PLAY)
        self.play_button.setProperty("role", "primary")
        self.back_button = QToolButton()
        self.forward_button = QToolButton()
        self.leave_button = QPushButton("Back to the run")
        self.what_if_button = QPushButton(_WHAT_IF)
        self.what_if_button.setCheckable(True)
        self.try_button = QPushButton(_TRY)
        self.numbers_button = MoreButton("Numbers", "Show or hide the numbers of this iteration")
        self.numbers = Numbers()
        self.numbers.hide()
        self.numbers_button.toggled.connect(self._on_numbers_toggled)
        self._build()
        self._say("")

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._colour_state()
        for label in (self.reason_title, self.tree_title, self.state):
            label.setFont(theme.font(_TITLE, is_bold=True))
        for label in (self.reason, self.outlook, self.script, self.conclusion, self.missing, self.note):
            label.setFont(theme.font(_TEXT))
        for label in (self.claim, self.position):
            label.setFont(theme.font(_TEXT, is_bold=True))
        self.caption.setFont(theme.font())
        formula = theme.font(_FORMULA)
        formula.setFamilies(list(MATHS_FAMILIES))
        self.function.setFont(formula)
        self.back_button.setIcon(icon("previous", theme))
        self.forward_button.setIcon(icon("next", theme))
        self._show_playing()
        self._keep_lines_short()

    def connect_to(self, context: PageContext) -> None:
        """Tell also what the step did to the outlook, once that is known."""
        super().connect_to(context)
        context.outlook_finder.step_changed.connect(self._tell_outlook)
        self._tell_outlook()

    def set_for_audience(self) -> None:
        """Show the state and its proof, and nothing that can be pressed."""
        super().set_for_audience()
        self.follow_theme()  # what has not chosen its type now gets that of the window
        self._is_for_audience = True
        for part in (self._step_part, self._tree_part, self._numbers_part):
            part.hide()
        self._show_controls()

    def show_moment(self, history: History, iteration: int) -> None:
        """Tell of this iteration, and prove the state of the tree after it."""
        told = iteration - (self._is_outcome_hidden and iteration > 0)
        tree, config = history.tree_at(told), history.config_after(told)
        is_same = history is self.history and tree is self.tree
        is_same = is_same and self.config is not None and self.config.rules == config.rules
        is_known = is_same and (self.proof is not None or self.is_busy)
        if is_known and iteration == self.iteration and told == self._told:
            return
        self.walk.leave()
        super().show_moment(history, iteration)
        self.tree, self.config, self._told = tree, config, told
        if not self._is_for_audience:
            self._tell_step()
            if not is_same:
                self._tell_tree()
            if self.numbers_button.isChecked():
                self.numbers.show_numbers(history, told)
        if not is_known:
            self.what_if_button.setChecked(False)
            self._look_up()

    def set_outcome_hidden(self, is_hidden: bool) -> None:
        """Speak of the iteration as if it had not ended yet: of the tree before it, and not of the verdict."""
        if is_hidden != self._is_outcome_hidden:
            self._is_outcome_hidden = is_hidden
            if self.history is not None and self.isVisible():
                self.show_moment(self.history, self.iteration)

    def let_go(self) -> None:
        super().let_go()
        self.proof = None
        self._script_odds = None
        self.numbers.let_go()

    def shut_down(self) -> None:
        """End the thread."""
        self.walk.leave()
        super().shut_down()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.apply_theme(self.theme)  # the style sheet, which comes first here, took the type away

    def hideEvent(self, event: QHideEvent) -> None:
        self.walk.leave()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_lines_short()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.walk.is_looking:
            self.walk.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._has_path():
            self._on_play_clicked()
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Whatever there is scrolls."""
        return QSize(0, 0)

    def _build(self) -> None:
        walk, ask = FlowLayout(), FlowLayout()
        for flow, button, act, tip in (
            (walk, self.play_button, self._on_play_clicked, _PLAY_TIP),
            (walk, self.back_button, partial(self._go_by, -1), "Go back one mutation."),
            (walk, self.forward_button, partial(self._go_by, 1), "Go on one mutation."),
            (walk, self.leave_button, self.walk.leave, "Show the tree of the run again (Esc)."),
            (ask, self.what_if_button, self._on_what_if_clicked, _WHAT_IF_TIP),
            (ask, self.try_button, self._on_try_clicked, _TRY_TIP),
        ):
            button.setToolTip(tip)
            button.clicked.connect(act)
            flow.add(button)
        for button in (self.back_button, self.forward_button):
            button.setAccessibleName(button.toolTip().rstrip("."))
        head = row_of((self.head, 1), self.chip, spacing=8)
        head.setAlignment(self.chip, Qt.AlignmentFlag.AlignTop)
        self._step_part = _part(
            head, 8, self.reason_title, self.reason, self.outlook, self.script, self.conclusion
        )
        self._tree_part = _part(self.tree_title, self.function, self.missing)
        self._walk_part, self._ask_part = QWidget(), QWidget()
        self._walk_part.setLayout(walk)
        self._ask_part.setLayout(ask)
        self._proof_part = _part(
            self.state, self.claim, self.arguments, 6, self.caption, self.table, self.note,
            self._walk_part, self.position, self._ask_part,
        )  # fmt: skip
        self._numbers_part = _part(self.numbers_button, self.numbers)
        column = QWidget()
        parts = (self._step_part, self._tree_part, self._proof_part, self._numbers_part)
        self._content = column
        self._column = column_in(column, *parts, None, spacing=16, margins=PAGE_MARGINS)
        self._area = WrappingScrollArea(column)
        self._area.setProperty("role", "text")
        self._area.setAccessibleName("Why")
        self._area.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column_in(self, self._area)

    def _keep_lines_short(self) -> None:
        """Leave free at the right what lines would be too long with."""
        left, top, right, bottom = PAGE_MARGINS
        longest = _LONGEST_LINE * QFontMetrics(self.theme.font(_TEXT)).averageCharWidth()
        right = max(right, self.width() - left - longest)
        self._column.setContentsMargins(left, top, right, bottom)

    # What happened, and why

    def _tell_step(self) -> None:
        history, iteration = self.history, self.iteration
        assert history is not None
        is_hidden = self._told != iteration
        step = history.step_at(iteration) if iteration else None
        self.chip.setVisible(step is not None and not is_hidden)
        if step is None or is_hidden:
            if is_hidden:
                self.head.show_text("Not yet decided", f"Iteration {iteration:,}. {_NOT_YET}")
            else:
                text = start_text(history)
                self.head.show_text("The start", f"{text[0].upper()}{text[1:]}.")
            set_tip(self.head.headline, "")
            title = reason = ""
        else:
            moment = moment_at(history, iteration)
            config = moment.config
            self.chip.set_verdict(step.verdict, is_sampled=is_on_sample(step, config))
            text = mutation_text(moment)
            self.head.show_text(f"{text[0].upper()}{text[1:]}", f"Iteration {iteration:,}")
            set_tip(self.head.headline, describe(moment.parent, step.mutation))
            title, reason = reason_title(step), reason_text(moment)
        show_sentence(self.reason_title, title)
        show_sentence(self.reason, reason)
        self._tell_outlook()
        self._tell_script(history, 0 if is_hidden else iteration)

    @Slot()
    def _tell_outlook(self) -> None:
        is_told = self._context is not None and self._told == self.iteration
        show_sentence(self.outlook, self.context.outlook_finder.step_text if is_told else "")

    def _tell_script(self, history: History, iteration: int) -> None:
        text = ""
        if 0 < iteration <= history.script_end:
            if self._script_odds is None or self._script_odds.history is not history:
                self._script_odds = ScriptOdds(history)
            text = _unbroken(script_step_text(self._script_odds, iteration))
        else:
            self._script_odds = None
        show_sentence(self.script, text)
        self._conclude()

    def _conclude(self) -> None:
        """Say what a script proves whose last tree is stuck."""
        odds, proof, text = self._script_odds, self.proof, ""
        if odds is not None and self._told == len(odds.history.script) and proof is not None:
            is_stuck = proof.state is not None and proof.state.state is State.STUCK and not proof.is_what_if
            text = conclusion_text(odds.at(self._told)[1], is_stuck=is_stuck)
        show_sentence(self.conclusion, text)

    def _tell_tree(self) -> None:
        assert self.config is not None
        is_empty = self.tree is None
        self.tree_title.setVisible(not is_empty)
        show_sentence(self.function, "" if is_empty else function_text(self.tree))
        show_sentence(self.missing, missing_text(self.tree, self.config.n))

    @Slot(bool)
    def _on_numbers_toggled(self, is_on: bool) -> None:
        if is_on and self.history is not None:
            self.numbers.show_numbers(self.history, self._told)
        self.numbers.setVisible(is_on)

    # The state of the tree

    def _look_up(self) -> None:
        """Show what is known about the tree, or see to it that it gets known."""
        assert self.config is not None
        self.proof = None
        self.walk.set_path(())
        is_what_if = self.what_if_button.isChecked()
        work: Callable[..., Proof] = prove_with_subtree_deletion if is_what_if else prove
        self._question.ask(self.tree, (self.config.rules, is_what_if), partial(work, self.tree, self.config))

    @Slot()
    def _on_late(self) -> None:
        if self.proof is None:
            self._say(_WAITING)

    def show_problem(self, problem: str) -> None:
        """Say why nothing is proven."""
        self._say(problem)

    def _say(self, claim: str) -> None:
        """Nothing is proven yet; say this instead."""
        self.proof = None
        self.tell_of(None)
        self.walk.set_path(())
        self.table.show_proof((), [], "The proof")
        self._set_texts("", claim)
        self._show_controls()

    @Slot(object)
    def _show_proof(self, proof: Proof) -> None:
        self.proof = proof
        self.walk.set_path(proof.mutations)
        headers, rows, caption = _table_of(proof)
        self.table.show_proof(headers, rows, caption)
        self.table.point_at(None)
        title = f"What if: {proof.title[0].lower()}{proof.title[1:]}" if proof.is_what_if else proof.title
        self._set_texts(title, proof.claim, proof.argument, proof.note, caption)
        self._conclude()
        self._show_controls()

    def _set_texts(
        self, title: str, claim: str, argument: Sequence[str] = (), note: str = "", caption: str = ""
    ) -> None:
        show_sentence(self.state, title)
        show_sentence(self.claim, _unbroken(claim))
        self.arguments.show_texts(argument)
        show_sentence(self.note, note)
        show_sentence(self.caption, caption)
        self._colour_state()

    def _colour_state(self) -> None:
        """Give the name of the state the colour it has everywhere."""
        colours, proof = self.theme.colours, self.proof
        known = None if proof is None or proof.state is None else colours.of_state(proof.state.state)
        dress = f"color: {known[0] if known else colours.text};"
        if dress != self.state.styleSheet():
            self.state.setStyleSheet(dress)

    def _position_text(self) -> str:
        """Where somebody is on the path."""
        assert self.proof is not None
        if not self.proof.path:
            (mutation,) = self.walk.mutations
            each = next(each for each in self.proof.improvements if each.mutation == mutation)
            return f"{each.text}: error {signed(each.error_change)}."
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
        has_path, is_free = self._has_path(), not self._is_for_audience
        for button in (self.play_button, self.back_button, self.forward_button):
            button.setVisible(has_path)
        self.leave_button.setEnabled(walk.is_looking)
        self.back_button.setEnabled(walk.is_looking and walk.applied > 0)
        self.forward_button.setEnabled(walk.applied < len(walk.mutations))
        self._walk_part.setVisible(is_free and (has_path or walk.is_looking))
        show_sentence(self.position, self._position_text() if walk.is_looking else "")
        self.table.setVisible(bool(self.table.rows))
        is_asked = self.what_if_button.isChecked()
        is_leaf_only = self.config is not None and not self.config.has_subtree_deletion
        state = None if proof is None or proof.state is None else proof.state.state
        is_open = state in (State.STUCK, State.PLATEAU, State.UNDECIDED)
        is_tried = proof is not None and proof.is_what_if and bool(proof.path)
        self.what_if_button.setText(_OWN_RULE if is_asked else _WHAT_IF)
        self.try_button.setVisible(is_tried and self._context is not None)
        self._ask_part.setVisible(is_free and is_leaf_only and (is_open or is_asked))

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
        self.walk.leave()
        self.context.branch_controller.fork_with(deletion="subtree")

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
        self._scroll_to(row)

    def _scroll_to(self, row: int) -> None:
        """Bring a row of the table into view."""
        cell = self.table.visualRect(self.table.listing.index(row, 0))
        middle = self.table.viewport().mapTo(self._content, QPoint(0, cell.center().y()))
        self._area.ensureVisible(0, middle.y(), 0, 2 * cell.height())

    @Slot()
    def _on_walk_changed(self) -> None:
        is_looking = self.walk.is_looking
        if self._has_path() or not is_looking:
            self.table.point_at(self.walk.applied if is_looking else None)
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
        moment = moment_along(self.history, self._told, self.proof.config, mutations, done)
        what = "An improvement"
        if self._has_path():
            where = f"after {done} of {counted(len(mutations), 'mutation')}" if done else "at its start"
            what = f"The way out, {where}"
        self._context.show_other(moment, f"{what}, not part of the run")


def _unbroken(text: str) -> str:
    """The text with each number on one line."""
    for sign in (" × ", " %"):
        text = text.replace(sign, sign.replace(" ", "\N{NO-BREAK SPACE}"))
    return text


def _part(*parts: Part) -> QWidget:
    """Something of the page with a title of its own."""
    part = QWidget()
    column_in(part, *parts, spacing=5)
    return part


def _table_of(proof: Proof) -> tuple[tuple[str, ...], list[Row], str]:
    """The headers and rows of the table that belongs to a proof, and what it lists."""
    if proof.path:
        error = None if proof.state is None else proof.state.error
        return PATH_HEADERS, _path_rows(proof.path, error), "The way out"
    if proof.improvements:
        is_sampled = proof.config.is_sampled
        which = "whose offspring is better on all rows" if is_sampled else "that improve the tree"
        headers = HEADERS_ON_ALL_ROWS if is_sampled else IMPROVEMENT_HEADERS
        return headers, [_improvement_row(each) for each in proof.improvements], f"Mutations {which}"
    if proof.leaves:
        caption = "What deleting or changing each leaf costs, in wrong rows"
        return LEAF_HEADERS, [_leaf_row(each) for each in proof.leaves], caption
    return (), [], ""
