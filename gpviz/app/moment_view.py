"""Shows a moment of a run, with whatever parts a window has for it: the tree, texts, curves, a time strip, a page.

Every window and lane is a configuration of this: it chooses the parts, and when to show. Whatever is on
show is at the same iteration, as all parts are brought there in the same frame.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.app.canvas.tree_canvas import RESTING_ITERATIONS, TreeCanvas
from gpviz.app.player.played_run import PlayedRun
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import AT_ONCE, Detail, MomentChange, Part, ShownMoment
from gpviz.app.question import Question, close_questions
from gpviz.engine import Node, State
from gpviz.explain.iteration_phases import hidden_preview
from gpviz.explain.moment import Moment, moment_at, tree_at
from gpviz.explain.tree_text import node_facts
from gpviz.picture.banner import banner_of
from gpviz.picture.picture import Banner
from gpviz.runs.history import History
from gpviz.runs.step_encoding import Property

_CALM_MS: Final = 300
"""A tree that comes faster than anyone can read is looked into when it has been on show for so long."""
_MOST_REMEMBERED: Final = 256


class MomentView:
    """Brings its parts to a moment, all in the same frame.

    Of a run too fast to show each step, ``held`` widgets are painted in the next frame, so that none takes long.
    """

    def __init__(self, *parts: Part, held: Sequence[QWidget] = ()) -> None:
        self._parts = parts
        self._held = held

    def show(self, shown: ShownMoment) -> None:
        """Show an iteration of a run, unless there is no time for it."""
        for widget in self._held:
            widget.setUpdatesEnabled(shown.detail is not Detail.TREE)
        if shown.detail is not Detail.NOTHING:
            for part in self._parts:
                part.show_moment(shown)

    def follow(self, player: Player, change: MomentChange = AT_ONCE, run: PlayedRun | None = None) -> None:
        """Show what is under the cursor in a run of a player, by default its first, as far as there is time."""
        run = run or player.run
        is_moving = player.is_moving(run)
        self.show(
            ShownMoment(
                run.history,
                player.cursor_in(run),
                run.stuck_since,
                run.generalisation,
                Detail.STEP if change.detail is Detail.TREE and not is_moving else change.detail,
                change.duration_ms,
                change.is_hurried and is_moving,
            )
        )


class CanvasPart:
    """Nothing but the tree."""

    def __init__(self, canvas: TreeCanvas) -> None:
        self._canvas = canvas
        self._last_improved = _LastImprovement()

    def show_moment(self, shown: ShownMoment) -> None:
        """Show as much of the step as there is to be seen of it."""
        self._canvas.set_hurried(shown.is_hurried)
        self._canvas.show_picture(
            _moment_of(shown),
            shown.duration_ms,
            banner=self._last_improved.banner(shown) if shown.detail is Detail.TREE else None,
        )


class TreePart(QObject):
    """The tree, with what is found out about it: its state, and what can be said of a node under the mouse."""

    state_changed = Signal()
    """Another state is known, or the same one in another run."""

    def __init__(self, canvas: TreeCanvas, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._is_resting_folded = False
        self._shown: ShownMoment | None = None
        self._last_improved = _LastImprovement()
        self.state: State | None = None
        """The state of the tree on show, as far as it is known; None where it is not."""
        self._states = Question(self, self._on_analysis, self._on_too_complex, remembers=_MOST_REMEMBERED)
        self._hover = Question(self, self._on_node_facts, self._on_too_complex)
        canvas.node_hovered.connect(self._on_node_hovered)

    @property
    def is_busy(self) -> bool:
        """Whether something about the tree is still to be found out."""
        return self._states.is_busy

    @property
    def analysis(self) -> Analysis | None:
        """What is known of the tree on show by now."""
        return None if self._shown is None else self._known(_tree_of(self._shown))

    def show_moment(self, shown: ShownMoment) -> None:
        """Show the step, or only the tree; nothing changes where that is on show, or something instead of it."""
        before, self._shown = self._shown, shown
        self._canvas.set_hurried(shown.is_hurried)
        if before is None or before.history is not shown.history:
            self._states.forget()
            self._hover.cancel()
        elif (before.iteration, before.detail) == (shown.iteration, shown.detail):
            return
        self._show(shown)
        self._set_state(is_other_run=before is None or before.history is not shown.history)

    def show_again(self, duration_ms: int = 0) -> None:
        """Show the run again, after something else."""
        if self._shown is not None:
            self._show(replace(self._shown, duration_ms=duration_ms))

    def show_other(self, moment: Moment, head: str = "", duration_ms: int = 0) -> None:
        """Show something that is not in the run, until the next moment of it; the banner says what, if asked."""
        banner = banner_of(moment, None) if head else None
        if banner is not None:
            banner = replace(banner, head=head)
        self._canvas.show_picture(moment, duration_ms, earlier=self._earlier_tree(moment), banner=banner)

    def set_resting_folded(self, is_folded: bool) -> None:
        """Fold subtrees that have not changed for long while the step is elsewhere."""
        self._is_resting_folded = is_folded
        moment = self._canvas.moment
        if moment is not None:
            self._canvas.fold_resting(self._earlier_tree(moment))

    def close(self) -> None:
        """End what is worked out."""
        close_questions(self)

    def _show(self, shown: ShownMoment) -> None:
        moment = _moment_of(shown)
        known = self._known(moment)
        is_only_tree = shown.detail is Detail.TREE
        if is_only_tree and self._has(moment):
            self._canvas.show_analysis(known)
        else:
            self._canvas.show_picture(
                moment,
                shown.duration_ms,
                earlier=self._earlier_tree(moment),
                banner=self._banner(shown) if known is None else None,
                analysis=known,
            )
        if known is None:
            tree, rules = moment.tree, moment.rules
            calm_ms = _CALM_MS if is_only_tree else 0
            self._states.ask(tree, rules, lambda stop: analyse(tree, rules, stop), calm_ms=calm_ms)

    def _banner(self, shown: ShownMoment) -> Banner | None:
        """What the banner goes on saying until the state of the tree is known; None if the step is told."""
        picture, moment = self._canvas.picture, self._canvas.moment
        is_same_run = moment is not None and moment.origin == shown.history.origin
        before = picture.banner if picture is not None and is_same_run else None
        is_kept = shown.is_stuck and shown.detail is not Detail.GUESS
        if is_kept and before is not None and before.state == State.STUCK.name:
            return replace(before, more="")  # which was about the leaves of the tree before
        return self._last_improved.banner(shown) if shown.detail is Detail.TREE else None

    def _has(self, tree: Moment) -> bool:
        """Whether nothing but this tree is on show."""
        moment = self._canvas.moment
        return moment is not None and moment.step is None and moment.is_same_judgement(tree)

    def _known(self, moment: Moment) -> Analysis | None:
        known: Analysis | None = self._states.known(moment.tree, moment.rules)
        return known

    def _on_analysis(self, analysis: Analysis) -> None:
        # In a fast run the next frame with a tree shows it, while the workers wait.
        if self._shown is not None and self._shown.detail is not Detail.TREE:
            self._canvas.show_analysis(analysis)
        self._set_state()

    def _set_state(self, *, is_other_run: bool = False) -> None:
        before, self.state = self.state, self._state_now()
        if is_other_run or self.state is not before:
            self.state_changed.emit()

    def _state_now(self) -> State | None:
        """What was found out about the tree, or what the record says of it at once."""
        shown, analysis = self._shown, self.analysis
        if shown is None or analysis is not None:
            return None if analysis is None else analysis.state.state
        if not shown.history.config_after(shown.iteration).is_sampled:
            if shown.history.error_at(shown.iteration) == 0:
                return State.SOLVED
            if shown.is_stuck:
                return State.STUCK
        return None

    def _on_too_complex(self, _problem: str) -> None:
        """A tree whose rows are too hard to count has no state to show."""

    @Slot(object)
    def _on_node_hovered(self, uid: int | None) -> None:
        moment = self._canvas.moment  # which need not be one of the run
        if uid is None or moment is None or moment.tree is None:
            self._hover.cancel()
            return
        tree, rules, analysis = moment.tree, moment.rules, self._known(moment)
        self._hover.ask(tree, uid, lambda _: (uid, node_facts(tree, uid, rules, analysis)))

    def _on_node_facts(self, answer: tuple[int, str]) -> None:
        self._canvas.set_hover_text(*answer)

    def _earlier_tree(self, moment: Moment) -> Node | None:
        """The tree from which on nothing may have changed in what rests; None where nothing is to be folded."""
        earlier = moment.iteration - RESTING_ITERATIONS
        if not self._is_resting_folded or earlier < 0 or self._shown is None:
            return None
        return self._shown.history.tree_at(earlier)


def _moment_of(shown: ShownMoment) -> Moment:
    """As much of the iteration as there is to be seen of it."""
    if shown.detail is Detail.TREE:
        return _tree_of(shown)
    moment = moment_at(shown.history, shown.iteration)
    return hidden_preview(moment) if shown.detail is Detail.GUESS else moment


def _tree_of(shown: ShownMoment) -> Moment:
    """The tree, with the rules of its iteration; a branch may have others further on."""
    return tree_at(shown.history, shown.iteration)


class _LastImprovement:
    """What the banner says while trees come too fast to tell of each step: how the tree was improved last."""

    def __init__(self) -> None:
        self._told: tuple[History, int, Banner | None] | None = None

    def banner(self, shown: ShownMoment) -> Banner | None:
        """The banner of the last improvement until then; None if there was none."""
        history = shown.history
        last = history.previous_where(Property.IMPROVED, shown.iteration + 1)
        if last is None:
            return None
        if self._told is None or self._told[:2] != (history, last):
            self._told = history, last, banner_of(moment_at(history, last), None)
        return self._told[2]
