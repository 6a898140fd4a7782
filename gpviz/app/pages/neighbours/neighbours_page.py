"""The neighbours page: everything the next iteration can do to the tree on show, exactly."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QSize, Slot
from PySide6.QtGui import QAction, QActionGroup, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

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
from gpviz.app.pages.page_head import PAGE_MARGINS, PageHead
from gpviz.app.player.pacing import Throttle
from gpviz.app.question import Question
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.tasks import Breath, Working
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, sentence, set_tip, show_sentence
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
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
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_word
from gpviz.number_text import chance_text, counted
from gpviz.runs.history import History

_FAST_SECONDS: Final = 2.0
"""Beside a run that is too fast to show each step, a tree is looked at no more often than this: to show an answer
takes longer than a frame, and 99 of 100 frames are to be short."""
_SORTED_MS: Final = 500
"""While outlooks come in, rows are sorted again no more often than this."""
_MOST_REMEMBERED: Final = 64
_MOST_ROWS_REMEMBERED: Final = 200_000
_WIDE: Final = 45
"""In lines of type: on a page as wide all figures stand in one line."""
_HIGH: Final = 24
"""In lines of type: on a page less high there is no space for the histogram."""
_DRIFT: Final = "drift in rows"
_DRIFT_ON_SAMPLE: Final = "drift in sampled rows"
_GAP: Final = 4
_MOST_FACTS: Final = 3
_HEADLINE: Final = "What can happen next"
_COUNTING: Final = "Listing all mutations of this tree …"
_OUTLOOK_TIP: Final = key_text(
    "List the chance to end stuck after each accepted move, and which moves are fatal. It is exact where the "
    "reachable trees are few, and estimated otherwise (Shift+N)."
)
_NEVER_STUCK: Final = "only for rules under which a run can get stuck"
_FINDING_WAIT: Final = "Working out how long the next improvement takes …"
_KINDS: Final = (
    (ALL, "All kinds"),
    (Operation.INS.value, "Insertions"),
    (Operation.DEL.value, "Deletions"),
    (Operation.SUB.value, "Substitutions"),
    (ROOT_AND, "Root-ands: insertions of ∧ at the root"),
)


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
        self._wait_text = ""
        self._build()

    def _build(self) -> None:
        self.head = PageHead("Choose what to list and show.")
        self.problem = sentence("problem")
        self.problem.hide()
        self.bar = VerdictBar()
        self.bar.verdict_clicked.connect(self._on_verdict_clicked)
        self.wait = Figure("expected wait")
        self.waited = Figure("waited so far")
        self.drift = Figure(_DRIFT)
        self.facts = tuple(Figure("") for _ in range(_MOST_FACTS))
        self.histogram = ChangeHistogram()
        self.summary = sentence("")
        self.summary.hide()
        self.model = MutationModel(self)
        self.table = MutationTable(self.model)
        self.table.setMinimumHeight(60)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.model.modelReset.connect(self._on_model_reset)
        self.outlook_action = self._switch("Chance to end stuck after each move", _OUTLOOK_TIP)
        self.outlook_action.toggled.connect(self._look_up_outlooks)
        self.outlook_action.setVisible(False)
        self.heat_action = self._switch(
            "Heat on the tree",
            "Colour the nodes by how likely the next iteration is to improve the tree there.",
        )
        self.heat_action.toggled.connect(self._publish_heat)
        self.details_action = self._switch(
            "Drift and error changes",
            "Show the expected wait, the drift beside what is proven, and the chance of each error change.",
        )
        self.details_action.toggled.connect(self._show_details)
        self.head.menu.addSeparator()
        self._list_menu = MacSafeMenu("List only", self.head.menu)
        self.head.menu.addMenu(self._list_menu)
        verdicts = [(verdict.value, _verdict_text(verdict)) for verdict in Verdict]
        self.verdict_actions = self._choices([(ALL, "All verdicts"), *verdicts, (FATAL_MOVES, FATAL)])
        self.verdict_actions[FATAL_MOVES].setVisible(False)
        self._list_menu.addSeparator()
        self.kind_actions = self._choices(_KINDS)
        self._arrange()

    def _switch(self, text: str, tip: str) -> QAction:
        action = self.head.menu.addAction(text)
        action.setCheckable(True)
        action.setToolTip(tip)
        return action

    def _choices(self, choices: Iterable[tuple[str, str]]) -> dict[str, QAction]:
        """What can be listed alone, by its value; the first of them is everything."""
        group = QActionGroup(self)
        group.triggered.connect(self._on_filter_changed)
        actions = {value: group.addAction(text) for value, text in choices}
        for action in actions.values():
            action.setCheckable(True)
        self._list_menu.addActions(list(actions.values()))
        actions[ALL].setChecked(True)
        return actions

    def _arrange(self) -> None:
        self._details = QWidget()
        self._figures = row_of(
            (row_of(*((figure, 1) for figure in (self.wait, self.waited, self.drift)), spacing=10), 1),
            (row_of(*((figure, 1) for figure in self.facts), spacing=10), 1),
            spacing=_GAP,
        )
        column_in(self._details, self._figures, self.histogram, spacing=4)
        self._details.hide()
        self._column = column_in(
            self,
            self.head,
            self.problem,
            self.bar,
            self._details,
            self.summary,
            (self.table, 1),
            spacing=6,
            margins=PAGE_MARGINS,
        )
        self._say()

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
        self.outlook_action.setVisible(True)

    def set_for_audience(self) -> None:
        """What cannot be asked for is shown."""
        super().set_for_audience()
        self.details_action.setChecked(True)

    def remembered_switches(self) -> Mapping[str, QAction]:
        """The column of outlooks is remembered."""
        return {"neighbour_outlooks": self.outlook_action}

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
        self._show_details()

    def minimumSizeHint(self) -> QSize:
        """That of a page without figures and with a few rows: a small window must not grow because of them."""
        parts = (self.head, self.bar, self.table)
        height = sum(part.minimumSizeHint().expandedTo(part.minimumSize()).height() for part in parts)
        return QSize(super().minimumSizeHint().width(), height + 4 * self._column.spacing())

    @Slot()
    def _show_details(self) -> None:
        """Show figures and histogram where they are wanted, in the space there is for them."""
        line = self.fontMetrics().height()
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._figures.setDirection(beside if self.width() > _WIDE * line else below)
        self.histogram.setVisible(self.height() > _HIGH * line)
        self._details.setVisible(self.details_action.isChecked())

    def _say(self, line: str | None = None) -> None:
        """Say this below the headline, or what is listed and how long an improvement takes."""
        self.head.show_text(_HEADLINE, self._line() if line is None else line)

    def _line(self) -> str:
        odds = self._shown
        if odds is None:
            return ""
        if not odds.is_complete:
            return f"{_partly(odds)} {self._wait_text}".rstrip()
        total, listed = len(odds.neighbours), self.model.rowCount()
        is_part = self.model.sorting.verdict or self.model.sorting.operation
        what = (
            f"{listed:,} of {total:,} mutations."
            if is_part
            else f"{counted(total, 'mutation')}, each with its exact chance."
        )
        return f"{what} {self._wait_text}".rstrip()

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
            self._say(_COUNTING)

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
            self._say()
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
        self.outlook_action.setEnabled(can_be_stuck)
        self.outlook_action.setToolTip(_OUTLOOK_TIP if can_be_stuck else _NEVER_STUCK)
        is_wanted = self.outlook_action.isChecked() and can_be_stuck and finder is not None
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
        action = self.verdict_actions[FATAL_MOVES]
        action.setVisible(is_offered)
        if action.isChecked() and not is_offered:
            self.list_verdict(ALL)

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
            self._wait_text = _until("…", odds) if odds.is_complete else ""
            self._say()

    @Slot(str)
    def _on_no_wait(self, problem: str) -> None:
        self.wait.show_figure("?", f"The expected wait cannot be found: {problem}")
        self._wait_text = ""
        self._say()

    def _show_wait(self, found: _Wait) -> None:
        odds, wait = self._shown, found.wait
        if odds is None:
            return
        unchanged = odds.totals.wait_if_unchanged
        sentences = [wait_text(wait, is_sampled=odds.rules.is_sampled)]
        if wait is not None and not wait.is_never:
            sentences.append(unchanged_text(unchanged, is_complete=odds.is_complete))
        figure = wait_figure(wait)
        self.wait.show_figure(figure, " ".join(sentences).rstrip())
        is_known = wait is not None and wait.wait is not None
        is_never = wait is not None and wait.is_never
        note = wait_note(wait, unchanged) if odds.is_complete or is_never else ""
        self._wait_text = note or (_until(figure, odds) if is_known and odds.is_complete else "")
        set_tip(self.head.line, self.wait.accessibleDescription())
        self._say()

    def _name_verdicts(self, *, is_sampled: bool) -> None:
        """Offer the verdicts by the names they have in this run."""
        for verdict in Verdict:
            text = _verdict_text(verdict, is_sampled=is_sampled)
            self.verdict_actions[verdict.value].setText(text)

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
        self._say()
        chosen = self._chosen
        row = None if chosen is None else self.model.row_of_mutation(chosen)
        if row is None:
            self._choose(None)
            return
        self.table.selectRow(row)
        self.table.scrollTo(self.model.index(row, 0))

    def list_verdict(self, verdict: str) -> None:
        """List only mutations with this verdict; ALL lists those with any."""
        self.verdict_actions[verdict].setChecked(True)
        self._on_filter_changed()

    @Slot(object)
    def _on_verdict_clicked(self, verdict: Verdict) -> None:
        """List only this verdict, or all again."""
        self.list_verdict(ALL if self.verdict_actions[verdict.value].isChecked() else verdict.value)

    @Slot()
    def _on_filter_changed(self) -> None:
        verdict, kind = _checked(self.verdict_actions), _checked(self.kind_actions)
        self.bar.set_chosen(None if verdict in (ALL, FATAL_MOVES) else Verdict(verdict))
        self.model.set_filter(verdict, kind)

    @Slot()
    def _publish_heat(self) -> None:
        """Say how hot the nodes are, if that has changed; None while nobody wants to know."""
        odds = self.odds
        heat = None
        if odds is not None and odds.is_complete and self.heat_action.isChecked() and self.isVisible():
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


def _checked(actions: Mapping[str, QAction]) -> str:
    return next(value for value, action in actions.items() if action.isChecked())


def _until(figure: str, odds: MutationOdds) -> str:
    what = "an offspring looks better" if odds.rules.is_sampled else "the error falls"
    return f"It takes {counted(figure, 'iteration')} on average until {what}."


def _verdict_text(verdict: Verdict, *, is_sampled: bool = False) -> str:
    return f"{VERDICT_SYMBOLS[verdict]} {verdict_word(verdict, is_sampled=is_sampled)}"


def _partly(odds: MutationOdds) -> str:
    looked = chance_text(odds.covered)
    return f"{odds.problem} This shows about {looked} of all {odds.count:,} mutations."
