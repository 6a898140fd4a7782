"""Runs side by side in a scene: the tree of each at the same iteration, how it stands, and all their curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.lanes.lane_curves import LaneCurves
from gpviz.app.lanes.lane_state import Ending, StateChip, first_solved, state_words
from gpviz.app.lanes.lane_style import LaneBadge
from gpviz.app.theme import Theme, palette_of, smaller
from gpviz.app.widgets.fields import ElidedLabel
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text
from gpviz.explain.moment import moment_at, tree_at
from gpviz.explain.tree_text import position_text
from gpviz.runs.history import History

_LABEL: Final = 1.1
_NUMBERS: Final = 0.8
_BETWEEN: Final = " · "
_TREE_TYPE: Final = 0.76
"""The type of the tags on the trees, which would cover small ones."""
_MOST_BESIDE: Final = 3
"""More trees than this stand in two rows, with the curves beside them."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedHistory:
    """A run to be shown beside others: what it is called, and what is recorded of it."""

    label: str
    history: History
    stuck_since: int | None = None

    @property
    def ending(self) -> Ending | None:
        """How it ends; None if it could go on."""
        solved = 0 if self._is_solved_at_once else first_solved(self.history)
        ends = [] if solved is None else [Ending("solved", solved)]
        if self.stuck_since is not None:
            ends.append(Ending("stuck", self.stuck_since))
        return min(ends, key=lambda ending: ending.iteration, default=None)

    @property
    def _is_solved_at_once(self) -> bool:
        return self.history.config_after(0).is_solved(self.history.error_at(0))


class _LaneTree(Themed, QWidget):
    """One of the runs: its letter and name, how it stands, and its tree."""

    def __init__(self, index: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badge = LaneBadge(index)
        self.label_view = ElidedLabel()
        self.numbers_view = ElidedLabel()
        self.chip = StateChip()
        self.chip.set_brief(True)
        self.canvas = TreeCanvas()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lane: ComparedHistory | None = None
        self._ending: Ending | None = None
        column = column_in(self, spacing=2)
        for parts in ((self.badge, self.label_view), (self.chip, self.numbers_view)):
            line = QHBoxLayout()
            line.setSpacing(10)
            line.addWidget(parts[0])
            line.addWidget(parts[1], 1)
            column.addLayout(line)
        column.addWidget(self.canvas, 1)
        self.follow_theme()

    @property
    def ending(self) -> Ending | None:
        """How the run ends."""
        return self._ending

    def show_lane(self, lane: ComparedHistory) -> None:
        """Show this run from now on."""
        self._lane, self._ending = lane, lane.ending
        self.label_view.setText(label_text(lane.label))
        self.setAccessibleName(f"{self.badge.accessibleName()}: {label_text(lane.label)}")
        self.canvas.setAccessibleName(f"Tree of {label_text(lane.label)}")

    def show_iteration(self, iteration: int, duration_ms: int, *, is_hurried: bool) -> None:
        """Show this iteration of it, or its last one; in a hurry only its tree."""
        if self._lane is None:
            return
        history = self._lane.history
        at = min(iteration, len(history))
        self.canvas.set_hurried(is_hurried)
        self.canvas.show_picture(tree_at(history, at) if is_hurried else moment_at(history, at), duration_ms)
        self.chip.show_state(*state_words(self, at))
        self.numbers_view.setText(position_text(history, at).partition(_BETWEEN)[2])

    def apply_theme(self, theme: Theme) -> None:
        self.canvas.set_theme(smaller(theme, _TREE_TYPE))
        for label in (self.label_view, self.numbers_view):
            label.setPalette(palette_of(theme))
        self.label_view.setFont(theme.font(_LABEL, is_bold=True))
        self.numbers_view.setFont(theme.font(_NUMBERS))


class ComparisonView(Themed, QWidget):
    """Shows all of them at one iteration."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lanes: tuple[ComparedHistory, ...] = ()
        self._is_motion_reduced = False
        self.trees: list[_LaneTree] = []
        self.curves = LaneCurves()
        self._upper = QWidget()
        self._grid = QGridLayout(self._upper)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.addWidget(self._upper, 3)
        self._box.addWidget(self.curves, 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Comparison")
        for button in self.curves.findChildren(QToolButton):
            button.setMaximumSize(0, 0)  # nobody in a hall can press it
        self.follow_theme()

    @property
    def lanes(self) -> tuple[ComparedHistory, ...]:
        """The runs on show."""
        return self._lanes

    def show_lanes(self, lanes: Sequence[ComparedHistory]) -> None:
        """Show these runs, at their start."""
        self._lanes = tuple(lanes)
        while len(self.trees) > len(lanes):
            self._drop(self.trees.pop())
        while len(self.trees) < len(lanes):
            tree = _LaneTree(len(self.trees))
            tree.canvas.set_reduced_motion(self._is_motion_reduced)
            self.trees.append(tree)
        is_square = len(lanes) > _MOST_BESIDE
        columns = 2 if is_square else len(lanes)
        direction = QBoxLayout.Direction
        self._box.setDirection(direction.LeftToRight if is_square else direction.TopToBottom)
        self.curves.show_leaves(not is_square)
        for index, (tree, lane) in enumerate(zip(self.trees, lanes, strict=True)):
            self._grid.addWidget(tree, *divmod(index, columns))
            tree.show_lane(lane)
        for column in range(_MOST_BESIDE):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        # Where they stand in a narrow column the letters have to do.
        self.curves.show_runs(self._lanes, ["" if is_square else label_text(lane.label) for lane in lanes])
        labels = ", ".join(label_text(lane.label) for lane in lanes)
        self.setAccessibleDescription(f"Runs side by side: {labels}.")

    def show_iteration(self, iteration: int, duration_ms: int = 0, *, is_hurried: bool = False) -> None:
        """Show all of them at this iteration; one that ends before, at its end.

        Where iterations come too fast to read what each of them did, only the trees are shown.
        """
        for tree in self.trees:
            tree.show_iteration(iteration, duration_ms, is_hurried=is_hurried)
        self.curves.show_cursor(iteration)

    def leave_out_curves(self) -> None:
        """Show the trees only."""
        self.curves.hide()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        for tree in self.trees:
            tree.canvas.set_reduced_motion(is_reduced)

    def apply_theme(self, theme: Theme) -> None:
        self._grid.setSpacing(round(theme.font_size))
        self._box.setSpacing(round(0.5 * theme.font_size))

    def shut_down(self) -> None:
        """End everything that moves."""
        self.curves.shut_down()
        for tree in self.trees:
            tree.canvas.shut_down()

    def _drop(self, tree: _LaneTree) -> None:
        tree.canvas.shut_down()
        self._grid.removeWidget(tree)
        tree.hide()
        tree.deleteLater()
