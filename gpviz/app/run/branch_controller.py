"""The branches of the run on show: makes them, switches between them, and takes back what was done."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final
from weakref import proxy

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from gpviz.app.player.player import Player
from gpviz.engine import GpvizError, Mutation, Rules, RunConfig, TooComplexError, format_formula
from gpviz.engine.target import target_for
from gpviz.explain.branch_comparison import (
    BranchComparison,
    BranchStatus,
    Summary,
    compared,
    status_of,
    summaries_of,
)
from gpviz.explain.step_text import tell_briefly
from gpviz.runs.branches import (
    MAX_TOTAL_ITERATIONS,
    ORIGINAL,
    Branch,
    Branches,
    changed_config,
    forked,
    hand_name,
    search_at,
    settings_name,
)
from gpviz.runs.history import MAX_ITERATIONS, Generalisation, History
from gpviz.runs.run_file import Bookmark, RunFile, describe_branches
from gpviz.runs.show_request import ShowRequest

_MOST_UNDONE: Final = 100


@dataclass(slots=True, eq=False)
class RecordedBranch:
    """What is recorded of a branch, and which iteration was on show; None for the last one."""

    history: History
    generalisation: Generalisation
    stuck_since: int | None = None
    cursor: int | None = None


@dataclass(frozen=True, slots=True)
class _State:
    """Which branches there are, and what is on show. One that is in no list any more lives on in such a state.

    Without a cursor, the last iteration is on show.
    """

    branches: Branches
    recorded_branches: Mapping[int, RecordedBranch]
    shown: int
    cursor: int | None


class _BranchCommand(QUndoCommand):
    """Exchanges the state for another, and back; ``text`` says what was done.

    Where it does not move, what is on show stays as it is.
    """

    def __init__(
        self, player: "BranchController", text: str, state: _State, message: str, *, moves: bool
    ) -> None:
        super().__init__(text)
        self._player = proxy(player)  # which owns the stack of commands
        self._state = state
        self._done_text = message
        self._moves = moves

    def undo(self) -> None:
        self._exchange(f"Undone: {self.text()}.")

    def redo(self) -> None:
        self._exchange(self._done_text)
        self._done_text = f"Redone: {self.text()}."

    def _exchange(self, message: str) -> None:
        self._state = self._player.exchange(self._state, message, moves=self._moves)


class BranchController(QObject):
    """Holds all branches of the run; the one on show is the player's run.

    Everything can be undone: making, renaming and removing branches, and going from one to another. A branch that
    goes by an undo comes back by a redo with all that was recorded of it.
    """

    branches_changed = Signal()
    reported = Signal(str)
    problem_met = Signal(str)

    def __init__(self, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(_MOST_UNDONE)
        self.undo_stack.indexChanged.connect(self._on_undo_index_changed)
        self._message = ""
        self.branches = Branches.of(player.run.config)
        self._recorded: Mapping[int, RecordedBranch] = {}
        self.shown = ORIGINAL
        """The id of the branch on show."""
        self._start_anew()
        player.run_changed.connect(self._on_run_changed)

    # --- what there is ---

    def summaries(self) -> tuple[Summary, ...]:
        """All branches and how each stands now."""
        return summaries_of(self.branches, {branch.id: self._status(branch.id) for branch in self.branches})

    def recorded_branch(self, branch_id: int) -> RecordedBranch:
        """What is recorded of a branch by now."""
        self._leave()
        return self._recorded[branch_id]

    def request_for(self, branch_id: int) -> ShowRequest:
        """What puts a branch on show again, also when another run has come on show."""
        original = self._recorded[ORIGINAL].history
        return ShowRequest(
            run=original.config,
            start=format_formula(original.start),
            script=original.script,
            branch=branch_id,
        )

    def branch_asked_for(self, request: ShowRequest) -> int | None:
        """The id of the branch that a request asks for; None if it is none of the run on show."""
        wanted = request.branch
        if wanted is None or wanted not in self.branches:
            return None
        return wanted if replace(request, iteration=None) == self.request_for(wanted) else None

    def compare(self, one: int, other: int) -> BranchComparison:
        """Two branches side by side."""
        lengths = {branch.id: len(self._recorded[branch.id].history) for branch in self.branches}
        return compared(
            self.branches[one],
            self.branches[other],
            (self._recorded[one].history, self._recorded[other].history),
            (self._status(one), self._status(other)),
            self.branches.common(one, other, lengths),
        )

    def describe(self, bookmarks: Iterable[Bookmark] = ()) -> RunFile:
        """The run with all its branches so far, ready to be saved."""
        histories = {branch.id: self._recorded[branch.id].history for branch in self.branches}
        return describe_branches(self.branches, histories, bookmarks, shown=self.shown)

    # --- what a person does ---

    def adopt(
        self, branches: Branches, recorded_branches: Mapping[int, RecordedBranch], shown: int = ORIGINAL
    ) -> None:
        """Put a run with its branches on show that comes from a file."""
        self._player.pause()
        self._go(_State(branches, recorded_branches, shown, None))
        self._forget_undo()

    def apply_by_hand(self, mutation: Mutation) -> bool:
        """Let the next iteration draw this mutation; False, with a sentence, if it never can.

        It makes a branch that forks at the cursor, or goes on with a branch made by hand at its very end.
        """
        at = self._player.cursor
        recorded = self._recorded[self.shown]
        try:
            self._check_limits(at)
            search, history = forked(recorded.history, at)
            step = search.force(mutation)
            history.append(step)
            forced = ((at + 1, mutation),)
            if self.branches.extends(self.shown, at, len(recorded.history)):
                branch = self.branches[self.shown].extended(at + 1, mutation)
                branches = self.branches.with_branch(branch)
            else:
                branches, branch = self.branches.grown(
                    self.shown, at, name=hand_name(at + 1), config=history.config, forced=forced
                )
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return False
        curve = _curve_up_to(recorded.generalisation, history, at)
        if history.config.is_sampled and history.tree_at(at + 1) is not history.tree_at(at):
            _note(curve, history, at + 1)
        stuck = self._stuck_since(at, history.config.rules)
        message = f"By hand in iteration {at + 1:,}: {tell_briefly(history, at + 1)}."
        recorded = RecordedBranch(history, curve, stuck, at + 1)
        self._come_to(branches, branch, recorded, "the mutation by hand", message)
        return True

    def fork_with(self, **changes: Any) -> bool:
        """Go on from the cursor with other settings, in a new branch; False, with a sentence, if it cannot."""
        at = self._player.cursor
        recorded = self._recorded[self.shown]
        try:
            self._check_limits(at)
            before = recorded.history.config_after(at)
            config = changed_config(before, changes)
            _, history = forked(recorded.history, at, config)
            name = settings_name(_what_changed(before, config), at)
            branches, branch = self.branches.grown(self.shown, at, name=name, config=config)
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return False
        stuck = self._stuck_since(at, config.rules)
        curve = _curve_up_to(recorded.generalisation, history, at)
        message = f"The branch “{branch.name}” goes on from iteration {at:,}."
        self._come_to(branches, branch, RecordedBranch(history, curve, stuck, at), "the fork", message)
        return True

    def switch_to(self, branch_id: int) -> None:
        """Put another branch on show, where it was left."""
        if branch_id == self.shown or branch_id not in self.branches:
            return
        state = _State(self.branches, self._recorded, branch_id, self._recorded[branch_id].cursor)
        self._do("going to another branch", state, f"“{self.branches[branch_id].name}” is on show.")

    def rename(self, branch_id: int, name: str) -> None:
        """Give a branch another name."""
        try:
            branches = self.branches.renamed(branch_id, name)
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            self.branches_changed.emit()  # whoever shows the refused name shows the old one again
            return
        if branches != self.branches:
            self._do("the new name", _State(branches, self._recorded, self.shown, None), moves=False)

    def remove(self, branch_id: int) -> None:
        """Remove a branch, and with it what grew out of its own iterations; what is on show goes to its parent."""
        try:
            gone = self.branches.removed_with(branch_id)
            branches = self.branches.removed(branch_id)
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return
        removed = gone[0]
        is_shown = self.shown not in branches
        kept = {branch.id: self._recorded[branch.id] for branch in branches}
        shown = removed.parent if is_shown and removed.parent is not None else self.shown
        state = _State(branches, kept, shown, removed.fork)
        self._do("removing a branch", state, _removal_text(gone), moves=is_shown)

    # --- how it is done ---

    def _come_to(
        self, branches: Branches, branch: Branch, recorded: RecordedBranch, done: str, message: str
    ) -> None:
        self._do(
            done,
            _State(branches, {**self._recorded, branch.id: recorded}, branch.id, recorded.cursor),
            message,
        )

    def _do(self, done: str, state: _State, message: str = "", *, moves: bool = True) -> None:
        self.undo_stack.push(_BranchCommand(self, done, state, message, moves=moves))

    def exchange(self, state: _State, message: str, *, moves: bool) -> _State:
        """Have this state, for a command, which gets the one there was."""
        before = _State(self.branches, self._recorded, self.shown, self._player.cursor)
        if moves:
            self._go(state)
        else:
            self.branches, self._recorded = state.branches, state.recorded_branches
        self._message = message  # when the stack knows what can be undone now
        return before

    def _forget_undo(self) -> None:
        if self.undo_stack.count():
            self.undo_stack.clear()  # which says that the branches have changed
        else:
            self.branches_changed.emit()

    def _go(self, state: _State) -> None:
        """Put a branch of these on show, and leave the one there is so that it can be gone on with."""
        player = self._player
        player.pause()
        self._leave()
        self.branches, self._recorded, self.shown = (
            state.branches,
            dict(state.recorded_branches),
            state.shown,
        )
        recorded = self._recorded[state.shown]
        if recorded.history is player.run.history:
            player.go_to(len(recorded.history) if state.cursor is None else state.cursor)
        else:
            search = search_at(recorded.history, len(recorded.history))
            player.adopt_run(
                search, recorded.history, recorded.generalisation, recorded.stuck_since, cursor=state.cursor
            )

    def _leave(self) -> None:
        """Keep what the branch on show has come to.

        What the worker has made and not yet delivered is left out: it would be drawn again just so. But its
        encoder is ahead of the history then, which therefore gets a fresh one.
        """
        player = self._player
        recorded = self._recorded[self.shown]
        if recorded.history is not player.run.history:
            return
        recorded.stuck_since = player.run.stuck_since
        recorded.cursor = player.cursor
        if not player.is_settled:
            recorded.history = recorded.history.beginning(len(recorded.history))

    def _check_limits(self, at: int) -> None:
        if at >= MAX_ITERATIONS:
            raise GpvizError(f"iteration: {at} is the last one a run may have; fork at an earlier one.")
        total = sum(len(self._recorded[branch.id].history) for branch in self.branches) + at
        if total > MAX_TOTAL_ITERATIONS:
            raise GpvizError(
                f"branches: together they would have {total:,} iterations, but at most "
                f"{MAX_TOTAL_ITERATIONS:,} are allowed; remove one, or fork at an earlier iteration."
            )

    def _stuck_since(self, at: int, rules: Rules) -> int | None:
        """Since when the tree of this iteration is stuck under these rules, where that is known.

        It may be known of the branch that made the iteration, if the one on show goes on with other rules.
        """
        self._leave()
        for branch_id in (self.shown, self.branches.owner_of(self.shown, at)):
            recorded = self._recorded[branch_id]
            since = recorded.stuck_since
            if since is not None and since <= at and recorded.history.rules_after(since) == rules:
                return since
        return None

    def _status(self, branch_id: int) -> BranchStatus:
        recorded = self._recorded[branch_id]
        is_shown = recorded.history is self._player.run.history
        since = self._player.run.stuck_since if is_shown else recorded.stuck_since
        return status_of(recorded.history, is_stuck=since is not None)

    def _start_anew(self) -> None:
        player = self._player
        self.branches = Branches.of(player.run.config)
        self._recorded = {
            ORIGINAL: RecordedBranch(player.run.history, player.run.generalisation, player.run.stuck_since)
        }
        self.shown = ORIGINAL

    @Slot()
    def _on_run_changed(self) -> None:
        """Another run may have come on show, without asking this player; then it has no branches yet."""
        if self._recorded[self.shown].history is not self._player.run.history:
            self._start_anew()
            self._forget_undo()

    @Slot()
    def _on_undo_index_changed(self) -> None:
        message, self._message = self._message, ""
        self.branches_changed.emit()
        if message:
            self.reported.emit(message)


def _removal_text(gone: tuple[Branch, ...]) -> str:
    name, more = gone[0].name, len(gone) - 1
    if not more:
        return f"“{name}” is removed; Undo brings it back."
    others = "the branch" if more == 1 else f"{more} branches"
    return f"“{name}” and {others} that grew out of it are removed; Undo brings them back."


def _what_changed(before: RunConfig, after: RunConfig) -> dict[str, Any]:
    old = before.as_dict()
    return {name: value for name, value in after.as_dict().items() if value != old[name]}


def _curve_up_to(curve: Generalisation, history: History, iteration: int) -> Generalisation:
    """The points of a curve that a branch has in common with its parent."""
    begun = Generalisation()
    count = int(curve.iterations.searchsorted(iteration, side="right"))
    if history.config.is_sampled and not count:
        _note(begun, history, 0)
    begun.extend(zip(curve.iterations[:count].tolist(), curve.shares[:count].tolist(), strict=True))
    return begun


def _note(curve: Generalisation, history: History, iteration: int) -> None:
    tree, target = history.tree_at(iteration), target_for(history.config.n)
    if tree is not None:
        with suppress(TooComplexError):  # the curve then has no point there
            curve.extend([(iteration, target.error(tree) / target.rows)])
