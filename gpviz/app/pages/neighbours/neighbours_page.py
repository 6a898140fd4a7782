"""The neighbours page: everything the next iteration can do to the tree on show, exactly."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QSize, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QCheckBox,
    QSizePolicy,
    QWidget,
)

from gpviz.analysis import ExpectedWait, expected_wait
from gpviz.app.key_text import key_text
from gpviz.app.pages.neighbours.mutation_table import (
    ALL,
    FATAL_MOVES,
    ROOT_AND,
    MutationModel,
    MutationTable,
    Order,
    Sorting,
    ordered,
)
from gpviz.app.pages.neighbours.probability_charts import ChangeHistogram, VerdictBar
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.player.pacing import Throttle
from gpviz.app.question import Question
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.tasks import Breath, Working
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import (
    ChoiceField,
    ElidedLabel,
    add_spoken_label,
    sentence,
    set_tip,
    show_sentence,
)
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in, column_of, row_in, row_of, turn_to_shape
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Mutation, Node, Operation, Rules, Verdict
from gpviz.engine.interruption import USUAL_SECONDS, Deadline, ShouldStop, Stopped
from gpviz.engine.stuck import can_get_stuck
from gpviz.explain.answers_by_tree import AnswersByTree
from gpviz.explain.drift_guarantees import Fact, facts_of
from gpviz.explain.moment import Overlay
from gpviz.explain.neighbour_outlooks import FATAL, NeighbourOutlooks
from gpviz.explain.next_iteration_odds import (
    MutationOdds,
    drift_figure,
    drift_text,
    odds_of,
    waited_at,
    waited_text,
)
from gpviz.explain.outlook_text import unchanged_text, wait_figure, wait_note, wait_text
from gpviz.explain.step_text import ROOT_AND_TEXT, VERDICT_SYMBOLS, verdict_word
from gpviz.number_text import chance_text
from gpviz.runs.history import History

_FAST_SECONDS: Final = 2.0
"""Beside a run that is too fast to show each step, a tree is looked at no more often than this: to show an answer
takes longer than a frame, and 99 of 100 frames are to be short."""
_SORTED_MS: Final = 500
"""While outlooks come in, rows are sorted again no more often than this."""
_MOST_REMEMBERED: Final = 64
_MOST_ROWS_REMEMBERED: Final = 200_000
_UPRIGHT: Final = 0.6
"""From this height on, as a share of the width, the list is below the odds, where its columns have space."""
_LEAST_BESIDE: Final = 42
"""In lines of type: a page less wide has the list below the odds."""
_LOWEST_CHART: Final = 27
"""In lines of type: a page as narrow and less high has the chart beside the figures."""
_LOWEST_NOTE: Final = 20
"""In lines of type: where the list is below the odds, a page less high shows only notes that it needs."""
_FIGURES_SHARE: Final = 5
_CHART_SHARE: Final = 2
"""How figures and chart divide a line."""
_LOWEST: Final = 6
_GAP: Final = 2
_WIDE_GAP: Final = 12
_WIDE: Final = 50
"""From how many times the height of its type the page is wide enough for the number of rows."""
_DRIFT: Final = "drift in rows"
_DRIFT_ON_SAMPLE: Final = "drift in sampled rows"
_MOST_FACTS: Final = 3
_COUNTING: Final = "Listing all mutations of this tree …"
_OUTLOOK_TIP: Final = key_text(
    "List the chance to end stuck after each accepted move, and which moves are fatal. It is exact where the "
    "reachable trees are few, and estimated otherwise (Shift+N)."
)
_NEVER_STUCK: Final = "only for rules under which a run can get stuck"
_FINDING_WAIT: Final = "Working out how long the next improvement takes …"


class Figure(Themed, QWidget):
    """Shows a number; its tooltip says it in a sentence."""

    def __init__(self, caption: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number = ElidedLabel("title")
        self.caption = ElidedLabel("muted")
        self.caption.setText(caption)
        column_in(self, self.number, self.caption, spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self.number.setFont(theme.font(1.15, is_bold=True))
        self.caption.setFont(theme.font(0.8))

    def show_figure(self, number: str, sentence: str, caption: str | None = None) -> None:
        """Show this number, and the sentence to it; it may be called something else."""
        if caption is not None:
            self.caption.setText(caption)
        self.number.setText(number)
        set_tip(self, sentence)
        self.setAccessibleName(f"{self.caption.text()}: {number}")


class _Answer(NamedTuple):
    odds: MutationOdds
    order: Order


def _rows_of(answer: _Answer) -> int:
    return len(answer.odds.neighbours)


def _look(
    tree: Node | None, rules: Rules, sorting: Sorting, working: Working, *, is_beside_fast_run: bool
) -> _Answer:
    # The run and its frames wait for a thread that computes without a rest.
    odds = odds_of(tree, rules, should_stop=Breath(working) if is_beside_fast_run else working)
    return _Answer(odds, ordered(odds, sorting))


class _Wait(NamedTuple):
    """How long a tree waits for its next improvement; None if it is solved."""

    wait: ExpectedWait | None


def _find_wait(tree: Node | None, rules: Rules, should_stop: ShouldStop) -> _Wait:
    deadline = Deadline(USUAL_SECONDS)
    try:
        wait = expected_wait(tree, rules, should_stop=lambda: should_stop() or deadline())
    except Stopped:
        wait = ExpectedWait(None, is_exact=False)
    return _Wait(wait)


def _find_outlooks(outlooks: NeighbourOutlooks, finder: OutlookFinder, working: Working) -> None:
    while not working() and (job := outlooks.next_job()) is not None:
        finder.work(job, working)
        working.report(None)


class NeighboursPage(Page):
    """Shows the probabilities of the verdicts, the wait, the drift, the error changes, and all mutations.

    They are found in the background, the wait after the others.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked_at = -inf
        self._shown: MutationOdds | None = None
        self._chosen: Mutation | None = None
        self._heat: dict[int, float] | None = None
        known: AnswersByTree[_Answer] = AnswersByTree(
            _MOST_REMEMBERED, weigh=_rows_of, most_weight=_MOST_ROWS_REMEMBERED
        )
        self._odds_question = self.question_about_moment(self._show, remembers=known)
        self._odds_question.grown_late.connect(self._on_late)
        self._wait_question = Question(self, self._show_wait, self._on_no_wait, remembers=_MOST_REMEMBERED)
        self._outlook_question = Question(self, self._on_outlooks, self._on_no_outlooks)
        self._outlook_question.progressed.connect(self._on_outlooks)
        self._finder: OutlookFinder | None = None
        self.outlooks: NeighbourOutlooks | None = None
        """What is known of the outlooks after the listed moves; None where nobody wants to know."""
        self._sorting = Throttle(_SORTED_MS, self)
        self._sorting.passed.connect(self._sort_outlooks)
        self._build()

    def _build(self) -> None:
        self.wait = Figure("expected wait")
        self.waited = Figure("waited so far")
        self.drift = Figure(_DRIFT)
        self.facts = tuple(Figure("") for _ in range(_MOST_FACTS))
        self.note = sentence("muted")
        self.problem = sentence("problem")
        self.bar = VerdictBar()
        self.bar.verdict_clicked.connect(self._on_verdict_clicked)
        self.histogram = ChangeHistogram()
        self.model = MutationModel(self)
        self.table = MutationTable(self.model)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.model.modelReset.connect(self._on_model_reset)
        verdicts = [(verdict.value, _verdict_text(verdict)) for verdict in Verdict]
        self.verdict_field = ChoiceField([(ALL, "all verdicts"), *verdicts])
        self.verdict_field.setAccessibleName("Verdicts to list")
        self.verdict_field.setToolTip("List only mutations with this verdict.")
        self.operation_field = ChoiceField(
            [
                (ALL, "all kinds"),
                *((operation.value, operation.value) for operation in Operation),
                (ROOT_AND, ROOT_AND_TEXT),
            ]
        )
        self.operation_field.setAccessibleName("Operations to list")
        set_tip(
            self.operation_field,
            "List only mutations by this operation, or only root-ands: insertions of ∧ at the root.",
        )
        for field in (self.verdict_field, self.operation_field):
            field.currentIndexChanged.connect(self._on_filter_changed)
        self.heat_box = QCheckBox("Heat on the tree")
        self.heat_box.setAccessibleName("Heat on the tree")
        self.heat_box.setToolTip(
            "Colour the nodes by how likely the next iteration is to improve the tree there."
        )
        self.heat_box.toggled.connect(self._publish_heat)
        self.outlook_box = QCheckBox("Outlook")
        self.outlook_box.setAccessibleName("Outlook after each move")
        set_tip(self.outlook_box, _OUTLOOK_TIP)
        self.outlook_box.hide()
        self.outlook_box.toggled.connect(self._look_up_outlooks)
        self.summary = sentence("")
        self.summary.hide()
        self.count = ElidedLabel("muted")
        self._arrange()

    def _arrange(self) -> None:
        figures = column_of(
            row_of(*((figure, 1) for figure in (self.wait, self.waited, self.drift)), spacing=10),
            row_of(*((figure, 1) for figure in self.facts), spacing=10),
            self.note,
            self.problem,
            spacing=_GAP,
        )
        figures.addStretch()
        self.note.hide()
        self.problem.hide()
        self._odds_layout = column_of(figures, (self.histogram, _CHART_SHARE))
        odds = QWidget()
        column_in(odds, self.bar, (self._odds_layout, 1), spacing=_GAP, margins=(0, 0, 4, 0))
        area = WrappingScrollArea(odds)
        area.setMinimumWidth(180)
        controls = row_of(
            (self.verdict_field, 4),
            (self.operation_field, 3),
            (self.count, 2),
            self.outlook_box,
            self.heat_box,
            spacing=6,
        )
        listed = column_of(controls, self.summary, (self.table, 1), spacing=4)
        self._layout = row_in(self, (area, 3), (listed, 4), spacing=10, margins=(8, 6, 8, 6))
        self.table.setMinimumSize(160, 60)
        add_spoken_label(self.verdict_field, "Verdicts to list")
        add_spoken_label(self.operation_field, "Operations to list")

    @property
    def is_behind(self) -> bool:
        """Whether what is shown is not, or beside a fast run may not be, that of the tree under the cursor."""
        return self._is_beside_fast_run or self.odds is None

    @property
    def odds(self) -> MutationOdds | None:
        """What is known of the tree under the cursor; None until it is found."""
        shown = self._shown
        is_of_tree = shown is not None and shown.tree is self.tree and shown.rules == self._rules
        return shown if is_of_tree else None

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here: show what the next iteration can do."""
        waited = waited_at(history, iteration)
        self.waited.show_figure(f"{waited:,}" if iteration else "–", waited_text(waited, iteration))
        if history is not self.history or iteration != self.iteration:
            self.clear_choice()  # what was previewed is another iteration's
        super().show_moment(history, iteration)
        is_fast = self._is_beside_fast_run
        is_time = not is_fast or (not self.is_busy and monotonic() - self._asked_at >= _FAST_SECONDS)
        self._publish_heat()
        if self.odds is not None:
            self._ask_outlooks()
        elif is_time:
            self._look_up()
        if is_fast or not self.is_busy:
            self.show_lag()

    def connect_to(self, context: PageContext) -> None:
        """What is chosen here is previewed on the tree, and where it improves is marked there."""
        super().connect_to(context)
        self._finder = context.outlook_finder
        self.outlook_box.show()

    def remembered_switches(self) -> Mapping[str, QAbstractButton]:
        """The column of outlooks is remembered."""
        return {"neighbour_outlooks": self.outlook_box}

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        """Heat, where it is wanted and known."""
        if self._heat is None:
            return None
        is_sampled = self._rules is not None and self._rules.is_sampled
        return Overlay(heat=self._heat, title=_heat_title(self._heat, is_sampled=is_sampled))

    def hover_text(self, uid: int) -> str:
        """How often this node of the tree on show is mutated, and how that ends; empty if not known."""
        odds = self.odds
        return "" if odds is None else odds.share_text(uid)

    def clear_choice(self) -> None:
        """Choose no mutation any more, for one who shows something else."""
        self.table.setCurrentIndex(QModelIndex())
        self.table.clearSelection()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_up_outlooks()
        self._publish_heat()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = self.fontMetrics().height()
        is_narrow = self.width() < _LEAST_BESIDE * line
        turn_to_shape(self._layout, self.size(), 0.0 if is_narrow else _UPRIGHT)
        self._put_chart(is_beside=is_narrow and self.height() < _LOWEST_CHART * line)
        self._show_note()
        is_wide = self.width() > _WIDE * line
        self.count.setVisible(is_wide)
        self.heat_box.setText("Heat on the tree" if is_wide or self._finder is None else "Heat")

    def _put_chart(self, *, is_beside: bool) -> None:
        """Put the chart beside the figures, where the page is too low for it, or below them."""
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._odds_layout.setDirection(beside if is_beside else below)
        self._odds_layout.setSpacing(_WIDE_GAP if is_beside else _GAP)
        self._odds_layout.setStretch(0, _FIGURES_SHARE if is_beside else 0)
        self._layout.setSpacing(4 if is_beside else 10)
        self._layout.setStretch(0, 4 if is_beside else 3)

    def _say_note(self, text: str) -> None:
        self.note.setText(text)
        self._show_note()

    def _show_note(self) -> None:
        """Show the note, on a low page only if the numbers mean something else without it.

        The tooltip of the wait says the same as one that is not shown.
        """
        is_needed = self._shown is None or not self._shown.is_complete
        has_space = self.height() > _LOWEST_NOTE * self.fontMetrics().height()
        is_below = self._layout.direction() is QBoxLayout.Direction.TopToBottom
        self.note.setVisible(bool(self.note.text()) and (is_needed or has_space or not is_below))

    def minimumSizeHint(self) -> QSize:
        """Not that of odds and list one above the other, as high as they would like to be."""
        return QSize(super().minimumSizeHint().width(), _LOWEST * self.fontMetrics().height())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.clear_choice()
        self._publish_heat()

    def _look_up(self) -> None:
        """Show what is known about the tree, or see to it that it gets known."""
        tree, rules, is_fast = self.tree, self._rules, self._is_beside_fast_run
        assert rules is not None
        self._wait_question.cancel()
        self._leave_outlooks()
        self._asked_at = monotonic()
        self._odds_question.ask(
            tree, rules, partial(_look, tree, rules, self.model.sorting, is_beside_fast_run=is_fast)
        )

    def show_problem(self, problem: str) -> None:
        """Say why there is nothing to list."""
        self._show(None)
        show_sentence(self.problem, f"The mutations of this tree cannot be listed: {problem}")

    @property
    def _rules(self) -> Rules | None:
        return None if self.config is None else self.config.rules

    @property
    def _is_beside_fast_run(self) -> bool:
        return self._finder is not None and self._finder.is_resting

    @Slot()
    def _on_late(self) -> None:
        if not self._is_beside_fast_run:
            self._show(None)
            self._say_note(_COUNTING)

    def _show(self, answer: _Answer | None) -> None:
        """Show these; None shows that they are not known."""
        odds, order = answer or (None, None)
        self._shown = odds
        if odds is None:
            self.tell_of(None)
        else:
            self._name_verdicts(is_sampled=odds.rules.is_sampled)
        self.bar.show_odds(odds)
        self.histogram.show_odds(odds)
        self.model.show_odds(odds, order)
        self.table.scrollToTop()
        if odds is None:
            for figure in (self.wait, self.drift, *self.facts):
                figure.show_figure("…", "")
            self._say_note("")
        else:
            caption = _DRIFT_ON_SAMPLE if odds.rules.is_sampled else _DRIFT
            self.drift.show_figure(drift_figure(odds), drift_text(odds), caption)
            self._show_facts(facts_of(odds))
            self._look_up_wait(odds)
        self._look_up_outlooks()
        show_sentence(self.problem, "")
        self._publish_heat()

    def _show_facts(self, facts: Sequence[Fact]) -> None:
        """Show what is guaranteed, or what else there is to compare; nothing of the empty tree."""
        for figure in self.facts:
            figure.setVisible(bool(facts))
        for figure, fact in zip(self.facts, facts, strict=False):
            figure.show_figure(fact.number, fact.sentence, fact.caption)

    # --- the outlook after each move ---

    @Slot()
    def _look_up_outlooks(self) -> None:
        """See to it that the outlooks after the moves on show get known, if somebody wants to know them."""
        self._leave_outlooks()
        odds, finder = self._shown, self._finder
        can_be_stuck = self._rules is None or can_get_stuck(self._rules)
        self.outlook_box.setEnabled(can_be_stuck)
        set_tip(self.outlook_box, _OUTLOOK_TIP if can_be_stuck else _NEVER_STUCK)
        is_wanted = self.outlook_box.isChecked() and can_be_stuck and finder is not None
        self._offer_fatal(is_offered=is_wanted)
        is_possible = is_wanted and odds is not None and odds is self.odds and self.isVisible()
        if is_possible and odds is not None and finder is not None and self.config is not None:
            self.outlooks = NeighbourOutlooks(odds, self.config, finder.kinds)
            self._ask_outlooks()
        self.model.set_outlooks(self.outlooks, has_column=is_wanted)
        self._say_summary(is_shown=is_wanted)

    def _ask_outlooks(self) -> None:
        """Have the outlooks on show worked out, unless the run is too fast to show each step."""
        if self.outlooks is None or self._finder is None:
            return
        if self._finder.is_resting:
            self._outlook_question.cancel()
        elif not self._outlook_question.is_busy:
            work = partial(_find_outlooks, self.outlooks, self._finder)
            self._outlook_question.ask(self.outlooks, None, work)

    def _leave_outlooks(self) -> None:
        """Nobody wants to know what comes after the moves of the tree before."""
        self._sorting.cancel()
        self._outlook_question.cancel()
        self.outlooks = None

    def _offer_fatal(self, *, is_offered: bool) -> None:
        index = self.verdict_field.findData(FATAL_MOVES)
        if is_offered and index < 0:
            self.verdict_field.addItem(FATAL, FATAL_MOVES)
        elif not is_offered and index >= 0:
            if self.verdict_field.value() == FATAL_MOVES:
                self.verdict_field.set_value(ALL)
            self.verdict_field.removeItem(index)

    def _say_summary(self, *, is_shown: bool) -> None:
        self.summary.setText("" if self.outlooks is None else self.outlooks.summary())
        self.summary.setVisible(is_shown)

    @Slot(object)
    def _on_outlooks(self, _progress: object) -> None:
        self.model.refresh_outlooks(is_sorted=False)
        self._say_summary(is_shown=True)
        self._sorting.give(None)

    @Slot(str)
    def _on_no_outlooks(self, problem: str) -> None:
        self.summary.setText(f"The outlooks cannot be found: {problem}")

    @Slot()
    def _sort_outlooks(self) -> None:
        self.model.refresh_outlooks(is_sorted=True)

    # --- how long the next improvement takes ---

    def _look_up_wait(self, odds: MutationOdds) -> None:
        """Show the expected wait of the tree on show, or see to it that it gets known."""
        self._wait_question.ask(odds.tree, odds.rules, partial(_find_wait, odds.tree, odds.rules))
        if self._wait_question.is_busy:
            unchanged = unchanged_text(odds.totals.wait_if_unchanged, is_complete=odds.is_complete)
            self.wait.show_figure("…", f"{_FINDING_WAIT} {unchanged}".rstrip())
            self._say_note("" if odds.is_complete else _partly(odds))

    @Slot(str)
    def _on_no_wait(self, problem: str) -> None:
        self.wait.show_figure("?", f"The expected wait cannot be found: {problem}")

    def _show_wait(self, found: _Wait) -> None:
        odds, wait = self._shown, found.wait
        if odds is None:
            return
        unchanged = odds.totals.wait_if_unchanged
        sentences = [wait_text(wait, is_sampled=odds.rules.is_sampled)]
        if wait is not None and not wait.is_never:
            sentences.append(unchanged_text(unchanged, is_complete=odds.is_complete))
        self.wait.show_figure(wait_figure(wait), " ".join(sentences).rstrip())
        is_never = wait is not None and wait.is_never
        notes = [wait_note(wait, unchanged)] if odds.is_complete or is_never else []
        notes += [] if odds.is_complete else [_partly(odds)]
        self._say_note(" ".join(notes))

    def _name_verdicts(self, *, is_sampled: bool) -> None:
        """Offer the verdicts by the names they have in this run."""
        for verdict in Verdict:
            index = self.verdict_field.findData(verdict.value)
            self.verdict_field.setItemText(index, _verdict_text(verdict, is_sampled=is_sampled))

    def _choose(self, mutation: Mutation | None) -> None:
        if mutation == self._chosen:
            return
        self._chosen = mutation
        if self._context is not None:
            self._context.preview(mutation)

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        one = self.model.row_at(current.row()) if current.isValid() else None
        self._choose(None if one is None or self.odds is None else one.mutation)

    @Slot()
    def _on_model_reset(self) -> None:
        """The rows are others, or in another order: what was chosen stays so, if it is still there."""
        self.count.setText(self._count_text())
        set_tip(
            self.count, f"{self.count.text()}\nLeft and right insertions compute the same and share a row."
        )
        chosen = self._chosen
        row = None if chosen is None else self.model.row_of_mutation(chosen)
        if row is None:
            self._choose(None)
            return
        self.table.selectRow(row)
        self.table.scrollTo(self.model.index(row, 0))

    def _count_text(self) -> str:
        listed = self.model.rowCount()
        if self._shown is None:
            return ""
        if self.model.sorting.verdict or self.model.sorting.operation:
            return f"{listed:,} of {len(self._shown.neighbours):,}"
        return f"{listed:,} listed"

    @Slot(object)
    def _on_verdict_clicked(self, verdict: object) -> None:
        """List only this verdict, or all again."""
        assert isinstance(verdict, Verdict)
        self.verdict_field.set_value(ALL if self.verdict_field.value() == verdict.value else verdict.value)

    @Slot()
    def _on_filter_changed(self) -> None:
        verdict = self.verdict_field.value()
        self.bar.set_chosen(None if verdict in (ALL, FATAL_MOVES) else Verdict(verdict))
        self.model.set_filter(verdict, self.operation_field.value())

    @Slot()
    def _publish_heat(self) -> None:
        """Say how hot the nodes are, if that has changed; None while nobody wants to know."""
        odds = self.odds
        heat = None
        if odds is not None and odds.is_complete and self.heat_box.isChecked() and self.isVisible():
            heat = {uid: share.improving for uid, share in odds.shares.items()}
        if heat != self._heat:
            self._heat = heat
            if self._context is not None:
                self._context.refresh_overlay()


def _heat_title(heat: Mapping[int, float], *, is_sampled: bool) -> str:
    most = max(heat.values(), default=0.0)
    if not most:
        return f"Heat: {'no offspring can look better' if is_sampled else 'no single mutation improves this tree'}"
    effect = "gives an offspring that looks better" if is_sampled else "improves the tree"
    return f"Heat: mutating a node {effect} in up to {chance_text(most)} of all iterations"


def _verdict_text(verdict: Verdict, *, is_sampled: bool = False) -> str:
    return f"{VERDICT_SYMBOLS[verdict]} {verdict_word(verdict, is_sampled=is_sampled)}"


def _partly(odds: MutationOdds) -> str:
    looked = chance_text(odds.covered)
    return f"{odds.problem} This shows about {looked} of all {odds.count:,} mutations."
