"""One lane of a comparison on the screen: its heading, its state, its tree, and what can be done with it."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gpviz.app.canvas.stage import Stage
from gpviz.app.lanes.lane_state import StateChip, state_words
from gpviz.app.lanes.lane_style import LETTERS, LaneBadge
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.player.played_run import PlayedRun
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import AT_ONCE, MomentChange, ShownMoment
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, set_tip
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text
from gpviz.explain.tree_text import position_text
from gpviz.runs.settings_text import differences, settings_text

_BETWEEN: Final = " · "
_WIDE: Final = 46.0
"""From this width on, in times the size of the type, a heading has two lines."""


class LaneView(Themed, QWidget):
    """Shows the run of a lane at its cursor. The first says what it is, the others what they change."""

    def __init__(
        self, player: Player, run: PlayedRun, label: str, place: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.player = player
        self.run = run
        self.label = label
        self.badge = LaneBadge(place)
        self.label_view = ElidedLabel()
        self.difference_view = ElidedLabel()
        self.chip = StateChip()
        self.numbers_view = ElidedLabel()
        self.menu_button = QToolButton()
        self.stage = Stage()
        self._build(place)
        self._tree = TreePart(self.stage, self)
        self._view = MomentView(self._tree, self)
        self.set_label(label)
        self.follow_theme()
        self.follow()

    @property
    def iteration(self) -> int:
        """The iteration on show."""
        return self.player.cursor_in(self.run)

    def set_label(self, label: str) -> None:
        """What the lane is called."""
        self.label = label
        self.label_view.setText(label)
        set_tip(self.label_view, label)
        spoken = f"{self.badge.accessibleName()}: {label_text(label)}"
        self.setAccessibleName(spoken)
        self.stage.canvas.setAccessibleName(f"Tree of {spoken}")

    def show_difference(self, lanes: "Sequence[LaneView]") -> None:
        """Say what differs from the first lane; that says how it is set, and first of all what others change."""
        first = lanes[0]
        mine = self.run.config, self.run.start_formula
        if first is self:
            others = [(lane.run.config, lane.run.start_formula) for lane in lanes[1:]]
            text = settings_text(*mine, others)
            tip = f"The settings of this run: {text}."
        else:
            words = differences(first.run.config, mine[0], (first.run.start_formula, mine[1]))
            text = f"with {_BETWEEN.join(words)}" if words else "same as the first"
            tip = (
                f"Differs from the first run: {_BETWEEN.join(words)}."
                if words
                else ("Same settings as the first run.")
            )
        self._is_different = first is not self and text != "same as the first"
        self.difference_view.setText(text)
        set_tip(self.difference_view, tip)
        self._colour_difference()

    def follow(self, change: MomentChange = AT_ONCE) -> None:
        """Show what is under the cursor."""
        self._view.follow(self.player, change, self.run)

    def show_moment(self, shown: ShownMoment) -> None:
        """Say in the heading how the run stands."""
        run, cursor = self.run, shown.iteration
        kind, words = state_words(run, cursor)
        self.chip.show_state(kind, words)
        text = position_text(run.history, cursor).partition(_BETWEEN)[2]
        if text != self.numbers_view.text():
            self.numbers_view.setText(text)
            set_tip(self.numbers_view, text)

    def apply_theme(self, theme: Theme) -> None:
        self.label_view.setFont(theme.font(1.15, is_bold=True))
        self.difference_view.setFont(theme.font())
        self.numbers_view.setFont(theme.font())
        self._arrange_heading()
        self._colour_difference()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Nothing glides: trees change at once."""
        self.stage.canvas.set_reduced_motion(is_reduced)

    def set_possible(self, *, can_remove: bool, can_open: bool) -> None:
        """What the menu offers."""
        self.remove_action.setEnabled(can_remove)
        self.open_action.setEnabled(can_open)

    def shut_down(self) -> None:
        """End what moves or computes for the tree; the run is its owner's."""
        self._menu.close()
        self._tree.close()
        self.stage.shut_down()

    def _build(self, place: int) -> None:
        self._is_different = False
        self._is_wide = False
        self.chip.set_brief(True)
        self.stage.set_legend_shown(False)
        self._menu = MacSafeMenu(self)
        self.edit_action = self._action(
            "&Change this run …", "Change the settings or the name of this run", self
        )
        self.open_action = self._action(
            "&Open in the main window", "Continue this run in the main window, at this iteration", self
        )
        self.remove_action = self._action("&Remove this run", "Remove this run from the comparison", self)
        self.menu_button.setText("⋯")
        self.menu_button.setProperty("role", "small")
        self.menu_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu_button.clicked.connect(self._on_menu_asked)
        self.menu_button.setAccessibleName(f"What to do with run {LETTERS[place]}")
        self.menu_button.setToolTip("Change, open or remove this run")
        self._upper = QHBoxLayout()
        self._middle = QHBoxLayout()
        self._lower = QHBoxLayout()
        for line in (self._upper, self._middle, self._lower):
            line.setSpacing(8)
        self._upper.addWidget(self.label_view, 1)
        self._upper.addWidget(self.menu_button)
        self._middle.addWidget(self.difference_view, 2)
        self._lower.addWidget(self.chip)
        self._lower.addWidget(self.numbers_view, 1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(self._upper)
        words.addLayout(self._middle)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.badge)
        head.addLayout(words, 1)
        column = column_in(self, spacing=4)
        column.addLayout(head)
        column.addLayout(self._lower)
        column.addWidget(self.stage, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_heading()

    def _arrange_heading(self) -> None:
        """Two lines where they hold everything, else three."""
        is_wide = self.width() >= _WIDE * self.theme.font_size
        if is_wide == self._is_wide:
            return
        self._is_wide = is_wide
        self.chip.set_brief(not is_wide)
        for part in (self.chip, self.numbers_view):
            for line in (self._upper, self._middle, self._lower):
                line.removeWidget(part)
        if is_wide:
            self._upper.insertWidget(1, self.chip)
            self._middle.addWidget(self.numbers_view, 1)  # no width of its own: it changes too often
        else:
            self._lower.addWidget(self.chip)
            self._lower.addWidget(self.numbers_view, 1)
        alignment = Qt.AlignmentFlag.AlignRight if is_wide else Qt.AlignmentFlag.AlignLeft
        self.numbers_view.setAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)

    def _action(self, text: str, tip: str, parent: QObject) -> QAction:
        action = QAction(text, parent)
        action.setToolTip(tip)
        action.setStatusTip(tip)
        self._menu.addAction(action)
        return action

    def _colour_difference(self) -> None:
        palette = QPalette(self.palette())
        colours = self.theme.colours
        palette.setColor(
            QPalette.ColorRole.WindowText, QColor(colours.text if self._is_different else colours.muted)
        )
        self.difference_view.setPalette(palette)
        self.difference_view.setFont(self.theme.font(1.0, is_bold=self._is_different))

    @Slot()
    def _on_menu_asked(self) -> None:
        self._menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))
