"""The step panel: one iteration in words and numbers, and the function of the tree it left."""

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.chips import VerdictChip
from gpviz.app.widgets.fields import MoreButton, change_text, heading, sentence, set_tip, show_sentence
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Node, Rules, Step, Verdict, describe
from gpviz.explain.mutation_script_text import ScriptOdds, conclusion_text, script_step_text
from gpviz.explain.step_text import is_on_sample, tell_start, tell_step
from gpviz.explain.tree_text import (
    depth_text,
    error_text,
    function_text,
    generalisation_text,
    limit_text,
    missing_text,
)
from gpviz.runs.curve_series import VerdictCounts
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS

_COUNTED_AT_ONCE: Final = 200_000
"""As many iterations as are counted in a few milliseconds."""
_TIMES: Final = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
"""Between the parts of a number, which stay on one line."""
_NOT_YET: Final = "The last phase shows how it ends."
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


class StepPanel(Themed, QWidget):
    """Tells what happened in the iteration on show, where there is little room with the numbers on demand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = VerdictCounts()
        self._script_odds: ScriptOdds | None = None
        self._shown: ShownMoment | None = None
        self._iteration = 0
        self._is_outcome_hidden = False
        self._outlook_text = ""
        self._tree: Node | None = None
        self._rules: Rules | None = None
        self._counting_timer = single_shot(self, self._show_counts)

        self.title = heading("")
        self.title.setProperty("role", "title")
        self.chip = VerdictChip()
        self.telling = sentence("")
        self.outlook = sentence("")
        set_tip(
            self.outlook,
            "The share of runs from the tree, before and after this step, that never reach the error goal.",
        )
        self.script = sentence("muted")
        set_tip(self.script, "How likely the algorithm is to draw what the script carries out.")
        self.conclusion = sentence("")
        for label in (self.outlook, self.script, self.conclusion):
            label.hide()
        self.function = sentence("")
        self.missing = sentence("muted")
        set_tip(self.function, "The function that the tree computes, in its simplest form.")
        set_tip(self.missing, "Variables of the target on which the tree's function does not depend.")
        self.values: dict[str, QLabel] = {}
        self._names: dict[str, QLabel] = {}

        self._headings = (heading("THE TREE COMPUTES"), heading("NUMBERS"))
        self.numbers_button = MoreButton("Numbers", "Show or hide the numbers of this iteration")
        self.numbers_button.hide()
        self._numbers = QWidget()
        self.numbers_button.toggled.connect(self._numbers.setVisible)
        self._numbers.setLayout(self._table())
        last = row_of((self.missing, 1), self.numbers_button)
        last.setAlignment(self.numbers_button, Qt.AlignmentFlag.AlignTop)
        column_in(
            self,
            row_of((self.title, 1), self.chip),
            self.telling,
            self.outlook,
            self.script,
            self.conclusion,
            self._headings[0],
            self.function,
            last,
            self._headings[1],
            self._numbers,
            None,
            spacing=6,
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_moment(self, shown: ShownMoment) -> None:
        """Tell of this iteration of a run; 0 is the start."""
        before, self._shown = self._shown, shown
        history, iteration = shown.history, shown.iteration
        if before is None or before.history is not history:
            self._counts = VerdictCounts()
            self._tree = None
            self._rules = None  # lets the texts of the tree be made anew
        is_hidden = self._is_outcome_hidden and iteration > 0
        self._iteration = iteration - is_hidden
        step = history.step_at(self._iteration) if self._iteration else None
        change_text(self.title, f"Iteration {iteration:,}")
        is_sampled = step is not None and is_on_sample(step, history.config_at(self._iteration))
        self.chip.set_verdict(None if step is None else step.verdict, is_sampled=is_sampled)
        self.chip.setVisible(not is_hidden)
        if is_hidden:
            change_text(self.telling, _NOT_YET)
            set_tip(self.telling, "")
        else:
            self._tell(history, step)
        self._tell_script(shown, 0 if is_hidden else iteration)
        tree = history.start if step is None else step.tree
        error = history.start_error if step is None else step.error
        self._show_tree(tree, history, error)
        self._show_counts()

    def show_outlook(self, text: str) -> None:
        """Say also what the step did to the outlook, until there is something else to say of it, or nothing."""
        self._outlook_text = text
        self._tell_outlook()

    def set_outcome_hidden(self, is_hidden: bool) -> None:
        """Speak of the iteration as if it had not ended yet: of the tree before it, and not of the verdict."""
        if is_hidden != self._is_outcome_hidden:
            self._is_outcome_hidden = is_hidden
            if self._shown is not None:
                self.show_moment(self._shown)
            self._tell_outlook()

    def set_short(self, is_short: bool) -> None:
        """Stand above a page, without headings and with the numbers on demand, or beside the tree, with all."""
        self.numbers_button.setVisible(is_short)
        for label in self._headings:
            label.setVisible(not is_short)
        self._numbers.setVisible(not is_short or self.numbers_button.isChecked())

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.title.setFont(theme.font(1.15, is_bold=True))

    def _table(self) -> QGridLayout:
        table = QGridLayout()
        table.setContentsMargins(0, 0, 0, 0)
        table.setHorizontalSpacing(12)
        table.setVerticalSpacing(3)
        table.setColumnStretch(1, 1)
        for row, (name, (title, hint)) in enumerate(_FACTS.items()):
            label = QLabel(title)
            value = QLabel()
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setTextFormat(Qt.TextFormat.PlainText)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            set_tip(label, hint)
            set_tip(value, hint)
            value.setAccessibleDescription(f"{title}. {hint}")
            table.addWidget(label, row, 0)
            table.addWidget(value, row, 1)
            self._names[name], self.values[name] = label, value
        return table

    def _tell(self, history: History, step: Step | None) -> None:
        if step is None:
            change_text(self.telling, tell_start(history))
            set_tip(self.telling, "")
            return
        parent = history.tree_at(step.iteration - 1)
        change_text(self.telling, tell_step(step, parent, history.config_at(step.iteration)))
        set_tip(self.telling, describe(parent, step.mutation))

    def _tell_outlook(self) -> None:
        show_sentence(self.outlook, "" if self._is_outcome_hidden else self._outlook_text)

    def _tell_script(self, shown: ShownMoment, iteration: int) -> None:
        history, text, conclusion = shown.history, "", ""
        if 0 < iteration <= history.script_end:
            if self._script_odds is None or self._script_odds.history is not history:
                self._script_odds = ScriptOdds(history)
            text = script_step_text(self._script_odds, iteration).replace(" × ", _TIMES)
            if iteration == len(history.script):
                odds = self._script_odds.at(iteration)[1]
                conclusion = conclusion_text(odds, is_stuck=shown.is_stuck)
        else:
            self._script_odds = None
        show_sentence(self.script, text)
        show_sentence(self.conclusion, conclusion)

    def _show_tree(self, tree: Node | None, history: History, error: int | None) -> None:
        config = history.config_after(self._iteration)
        change_text(self.values["error"], error_text(error, config))
        if tree is self._tree and config.rules == self._rules:
            return  # most iterations leave the tree as it is, and some texts take long to make
        self._tree, self._rules = tree, config.rules
        changes = history.changes()
        place = int(changes.iterations.searchsorted(self._iteration, side="right")) - 1
        change_text(self.function, function_text(tree))
        change_text(self.missing, missing_text(tree, config.n))
        change_text(self._names["error"], "sampled error" if config.is_sampled else "error")
        for part in (self._names["true_error"], self.values["true_error"]):
            part.setVisible(config.is_sampled)
        if config.is_sampled:
            change_text(self.values["true_error"], generalisation_text(tree, config.n))
        change_text(self.values["leaves"], limit_text(0 if tree is None else tree.leaves, config))
        change_text(self.values["ors"], f"{int(changes.ors[place]):,}")
        change_text(self.values["nodes"], f"{0 if tree is None else tree.size:,}")
        change_text(self.values["depth"], depth_text(tree))

    @Slot()
    def _show_counts(self) -> None:
        """Show how many were accepted; what is not yet counted is counted on between frames."""
        counts, iteration = self._counts, self._iteration
        if self._shown is not None and len(counts) < iteration:
            counts.take_in(self._shown.history.codes(1, min(iteration, len(counts) + _COUNTED_AT_ONCE) + 1))
        if len(counts) < iteration:
            change_text(self.values["accepted"], "…")
            change_text(self.values["improved"], "…")
            self._counting_timer.start()
            return
        so_far = dict(zip(VERDICTS, counts.between(1, iteration + 1), strict=True))
        accepted = sum(count for verdict, count in so_far.items() if verdict.is_accepted)
        share = f" ({100 * accepted / iteration:.0f} %)" if iteration else ""
        change_text(self.values["accepted"], f"{accepted:,}{share}")
        change_text(self.values["improved"], f"{so_far[Verdict.IMPROVED]:,}")
