"""A run beside others on the screen: its heading, its state, its tree, and what can be done with it."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QColor, QPalette
from PySide6.QtWidgets import QToolButton, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.lanes.lane_state import ComparedRun, StateChip, state_words
from gpviz.app.lanes.lane_style import LETTERS, LaneBadge
from gpviz.app.moment_view import CanvasPart, MomentView, TreePart
from gpviz.app.player.shown_moment import Part, ShownMoment
from gpviz.app.question import close_questions
from gpviz.app.theme import Theme, palette_of
from gpviz.app.widgets.fields import ElidedLabel, set_tip
from gpviz.app.widgets.layouts import column_in, column_of, row_of
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.engine import format_formula
from gpviz.escaping import label_text
from gpviz.explain.tree_text import position_text
from gpviz.runs.settings_text import differences, settings_text

_BETWEEN: Final = " · "


class LaneView(Themed, QWidget):
    """Shows the run of a lane. The first says what it is, the others what they change.

    In a hall, where nobody can read so much or press anything, it shows only how the run stands, and its tree.
    """

    def __init__(
        self,
        index: int,
        run: ComparedRun,
        label: str,
        parent: QWidget | None = None,
        *,
        is_in_hall: bool = False,
    ) -> None:
        super().__init__(parent)
        self.iteration = 0
        """The iteration on show."""
        self._is_in_hall = is_in_hall
        self._is_different = False
        self.badge = LaneBadge(index)
        self.label_view = ElidedLabel()
        self.difference_view = ElidedLabel()
        self.chip = StateChip()
        self.numbers_view = ElidedLabel()
        self.menu_button = QToolButton()
        self.view = MomentView(self._make_tree(), self)
        self._make_menu(index)
        self._build()
        self.set_run(run, label)
        self.follow_theme()

    def set_run(self, run: ComparedRun, label: str) -> None:
        """Show this run from now on."""
        self.run = run
        self.label = label
        self.label_view.setText(label_text(label))
        set_tip(self.label_view, label)
        spoken = f"{self.badge.accessibleName()}: {label_text(label)}"
        self.setAccessibleName(spoken)
        self.canvas.setAccessibleName(f"Tree of {spoken}")

    def show_difference(self, lanes: "Sequence[LaneView]") -> None:
        """Say what differs from the first lane; that says how it is set, and first of all what others change."""
        first, *others = ((lane.run.history.config, format_formula(lane.run.history.start)) for lane in lanes)
        if lanes[0] is self:
            text = settings_text(*first, others)
            tip = f"The settings of this run: {text}."
        else:
            config, start = self.run.history.config, format_formula(self.run.history.start)
            words = _BETWEEN.join(differences(first[0], config, (first[1], start)))
            self._is_different = bool(words)
            text = f"with {words}" if words else "same as the first"
            tip = f"Differs from the first run: {words}." if words else "Same settings as the first run."
        self.difference_view.setText(text)
        set_tip(self.difference_view, tip)
        self._colour_difference()

    def show_moment(self, shown: ShownMoment) -> None:
        """Say in the heading how the run stands."""
        self.iteration = shown.iteration
        self.chip.show_state(*state_words(self.run, shown.iteration))
        text = position_text(shown.history, shown.iteration).partition(_BETWEEN)[2]
        if text != self.numbers_view.text():
            self.numbers_view.setText(text)
            set_tip(self.numbers_view, text)

    def apply_theme(self, theme: Theme) -> None:
        if self._is_in_hall:
            for label in (self.label_view, self.numbers_view):
                label.setPalette(palette_of(theme))
        self.label_view.setFont(theme.font(1.1 if self._is_in_hall else 1.15, is_bold=True))
        self.numbers_view.setFont(theme.font(0.8 if self._is_in_hall else 1.0))
        self._colour_difference()

    def shut_down(self) -> None:
        """End what moves or computes for the tree; the run is its owner's."""
        self._menu.close()
        close_questions(self)
        self.canvas.shut_down()

    def _make_tree(self) -> Part:
        self.canvas = TreeCanvas()
        if self._is_in_hall:
            self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.canvas.set_text_scale(1.0)  # the picture knows how large it is
            return CanvasPart(self.canvas)
        return TreePart(self.canvas, self)

    def _make_menu(self, index: int) -> None:
        self._menu = MacSafeMenu(self)
        self.edit_action = self._action("&Change this run …", "Change the settings or the name of this run")
        self.open_action = self._action(
            "&Open in the main window", "Continue this run in the main window, at this iteration"
        )
        self.remove_action = self._action("&Remove this run", "Remove this run from the comparison")
        self.menu_button.setText("⋯")
        self.menu_button.setProperty("role", "small")
        self.menu_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu_button.clicked.connect(self._on_menu_asked)
        self.menu_button.setAccessibleName(f"What to do with run {LETTERS[index]}")
        self.menu_button.setToolTip("Change, open or remove this run")

    def _action(self, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setToolTip(tip)
        action.setStatusTip(tip)
        self._menu.addAction(action)
        return action

    def _build(self) -> None:
        beside = 10 if self._is_in_hall else 8
        upper = row_of((self.label_view, 1), self.menu_button, spacing=beside)
        words = column_of(upper, self.difference_view, spacing=2)
        head = row_of(self.badge, (words, 1), spacing=beside)
        lower = row_of(self.chip, (self.numbers_view, 1), spacing=beside)
        column_in(self, head, lower, (self.canvas, 1), spacing=2 if self._is_in_hall else 4)
        for part in (self.menu_button, self.difference_view):
            part.setHidden(self._is_in_hall)

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
