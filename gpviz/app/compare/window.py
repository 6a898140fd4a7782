"""The window that compares runs: chooses them, shows them side by side, and moves through all of them at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from gpviz.app.actions import COMPARE, Actions, moving_handlers
from gpviz.app.announcements import Announcer
from gpviz.app.compare.lane_form import LaneForm, suggested_label
from gpviz.app.dialogs.message_dialogs import show_problem
from gpviz.app.lanes.lane_curves import LaneCurves
from gpviz.app.lanes.lane_view import LaneView
from gpviz.app.lanes.recorded_lane import RecordedLane
from gpviz.app.player.played_run import PlayedRun
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import AT_ONCE, Changed, Detail, MomentChange
from gpviz.app.theme import Theme
from gpviz.app.transport_bar import TransportBar
from gpviz.app.widgets.fields import ChoiceField, ElidedLabel, change_text, sentence, set_tip
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.layouts import column_in, row_of, take_pleasant_size
from gpviz.app.widgets.shortcut_conflicts import ShortcutConflicts
from gpviz.app.widgets.themed import Themed
from gpviz.engine import GpvizError, format_formula
from gpviz.escaping import line_text, title_text
from gpviz.runs.presets import MAX_LANES, MIN_LANES, Comparison, LaneSpec, check_lane_count, load_comparisons
from gpviz.runs.run_file import RunFile, describe
from gpviz.runs.show_request import ShowRequest

_TREE: Final = 1.5
"""How many times as wide as high a tree is, as a rule."""
_HEADING: Final = 10.0
"""The height of a heading and a banner, in times the size of the type; a narrow lane needs half as much again."""
_ON_SHOW: Final = "on-show"
_OWN: Final = "own"
_ON_SHOW_WORDS: Final = (
    "The run of the main window, beside the same run with the other deletion. To compare something else, "
    "add a run, or change one with the button in its corner."
)
_OWN_WORDS: Final = "Runs of your own choice; the headings say what differs."


class _Lane(NamedTuple):
    """A run that is compared: what it is called, and where it comes from if it was recorded elsewhere."""

    label: str
    run: PlayedRun
    request: ShowRequest | None = None


class LaneGrid(Themed, QWidget):
    """Lays out lanes of equal size: side by side, or four of them in two rows where it is not wide enough."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lanes: tuple[QWidget, ...] = ()
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(10)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def set_lanes(self, lanes: Sequence[QWidget]) -> None:
        """Show these, and take away the others."""
        self._lanes = tuple(lanes)
        self._columns = 0
        self._arrange()

    def apply_theme(self, theme: Theme) -> None:
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = self._wanted_columns()
        if columns == self._columns:
            return
        self._columns = columns
        for place in range(max(4, columns)):
            self._grid.setColumnStretch(place, 1 if place < columns else 0)
            self._grid.setRowStretch(place, 0)
        for place, lane in enumerate(self._lanes):
            row, column = divmod(place, columns)
            self._grid.addWidget(lane, row, column)
            self._grid.setRowStretch(row, 1)
            lane.show()

    def _wanted_columns(self) -> int:
        count = max(len(self._lanes), 1)
        if count < 4:
            return count
        return max((count, 2), key=self._room_for_a_tree)

    def _room_for_a_tree(self, columns: int) -> float:
        """How large a tree can be with so many lanes side by side."""
        rows = -(-len(self._lanes) // columns)
        heading = _HEADING * self.theme.font_size * (1.0 if columns == 2 else 1.5)
        return min(self.width() / columns / _TREE, self.height() / rows - heading)


class CompareWindow(ReadingOrderFocus, Themed, QMainWindow):
    """Two to four runs side by side. Closing it ends everything that computes; a new one is made next time."""

    run_requested = Signal(object)
    """A run is to come on show in the main window; a `ShowRequest`."""
    scene_given = Signal(str, list)
    """The comparison is to become a scene of the lecture: its title, and of each run its name, file and branch."""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._is_closed = False
        self._title = ""
        self._has_reduced_motion = False
        self._lanes: list[_Lane] = []
        self._on_show: tuple[RecordedLane, int] | None = None
        self._comparisons = {comparison.name: comparison for comparison in load_comparisons()}
        self.player = Player(self, stops_at_endings=True)
        self.views: list[LaneView] = []
        # What the status bar says is for the runs that cannot go on.
        self.actions_by_name = Actions(COMPARE, self, has_status_tips=False)
        self.choice = ChoiceField([(entry.name, entry.title) for entry in self._comparisons.values()])
        self.add_button = QPushButton("Add a run …")
        self.lecture_button = QPushButton("Add to &lecture")
        self.explanation = sentence("muted")
        self.grid = LaneGrid()
        self.curves = LaneCurves()
        self.transport = TransportBar(self.actions_by_name)
        self.position = ElidedLabel()
        self.position.setAccessibleDescription("Position")
        self.transport.set_middle(self.position)
        self._focus_keys = ShortcutConflicts(self)
        self._announcer = Announcer(self)
        self._build()
        self._connect()
        self.follow_theme()
        self.show_comparison(next(iter(self._comparisons.values())))

    # --- what is compared ---

    def show_comparison(self, comparison: Comparison) -> None:
        """Compare the runs of a comparison, at the speed it is pleasant to watch at."""
        self.compare(comparison.lanes, comparison.title, comparison.explanation)
        if comparison.name in self._comparisons:
            self._choose(comparison.name)
        self.player.set_speed(comparison.speed)

    def compare(
        self,
        lanes: Sequence[LaneSpec | RecordedLane],
        title: str = "",
        explanation: str = "",
        *,
        cursor: int = 0,
    ) -> None:
        """Compare these runs; recorded ones with all that is recorded of them. Raises a sentence if they are
        too few or too many."""
        check_lane_count(len(lanes))
        made: list[_Lane] = []
        try:
            made.extend(map(self._made_lane, lanes))
        except GpvizError:
            for each in made:
                each.run.close()
            raise
        self._set_lanes(made, cursor)
        self._choose(_OWN)
        self._say(title, explanation or _OWN_WORDS)

    def offer_run(self, lane: RecordedLane, cursor: int) -> None:
        """Offer the run on show in the main window, at this iteration, in the list of what can be compared."""
        self._on_show = lane, cursor
        if self.choice.findData(_ON_SHOW) < 0:
            with QSignalBlocker(self.choice):
                self.choice.insertItem(0, "The run in the main window", _ON_SHOW)

    def compare_run_on_show(self) -> None:
        """Compare the run that was offered with itself under the other deletion, at the iteration on show."""
        if self._on_show is None:
            return
        lane, cursor = self._on_show
        config, start = lane.history.config, format_formula(lane.history.start)
        script = lane.history.script[: lane.history.script_end]
        first = LaneSpec(label=lane.label, config=config, start=start, script=script)
        other = config.replaced(deletion="leaf" if config.has_subtree_deletion else "subtree")
        label = suggested_label(first, other, start)
        self.compare(
            [lane, LaneSpec(label=label, config=other, start=start, script=script)],
            "",
            _ON_SHOW_WORDS,
            cursor=cursor,
        )
        self._choose(_ON_SHOW)

    def spec_of(self, place: int) -> LaneSpec:
        """The run of a lane as it could be made anew."""
        label, run, _ = self._lanes[place]
        script = run.history.script[: run.history.script_end]
        return LaneSpec(label=label, config=run.config, start=run.start_formula, script=script)

    def add_lane(self, lane: LaneSpec) -> None:
        """Compare with one more run."""
        check_lane_count(len(self._lanes) + 1)
        self._change_lanes([*self._lanes, self._made_lane(lane)])

    def change_lane(self, place: int, lane: LaneSpec) -> None:
        """Give a lane another label or another run; the others keep all they have."""
        is_same = replace(self.spec_of(place), label=lane.label) == lane
        changed = self._lanes[place]._replace(label=lane.label) if is_same else self._made_lane(lane)
        self._change_lanes([*self._lanes[:place], changed, *self._lanes[place + 1 :]])

    def remove_lane(self, place: int) -> None:
        """Compare without this run."""
        check_lane_count(len(self._lanes) - 1)
        self._change_lanes([*self._lanes[:place], *self._lanes[place + 1 :]])

    @Slot()
    def add_to_lecture(self) -> None:
        """Give the comparison away as far as it has come."""
        self.player.pause()
        try:
            lanes = self._described_lanes()
        except GpvizError as problem:
            show_problem(self, str(problem))
        else:
            self.scene_given.emit(self._title or self.choice.currentText(), lanes)

    @Slot(str)
    def tell(self, text: str) -> None:
        """Say what has become of something that was asked for here."""
        self.statusBar().showMessage(line_text(text))
        self._announcer.say(text)

    def _described_lanes(self) -> list[tuple[str, RunFile, int]]:
        """What each run is called, the run so far, and its branch; raises `GpvizError` where there is none."""
        endings = [lane.run.ending for lane in self._lanes]
        end = max(self.player.cursor, *(each.iteration for each in endings if each is not None), 0)
        if not end:
            raise GpvizError("The runs have no iterations yet; play them first.")
        described = []
        for label, run, request in self._lanes:
            if request is not None and request.branch:
                raise GpvizError(
                    f"“{label}” is a branch; capture it as a scene in the main window, and compare it on the "
                    "page Scenes."
                )
            described.append((label, describe(run.history.beginning(min(end, len(run.history)))), 0))
        return described

    # --- looks ---

    def apply_theme(self, theme: Theme) -> None:
        """Follow the theme's colours and type."""
        self.actions_by_name.apply_theme(theme)
        self.explanation.setFont(theme.font())

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Nothing glides: trees change at once."""
        self._has_reduced_motion = is_reduced
        for view in self.views:
            view.canvas.set_reduced_motion(is_reduced)

    def shut_down(self) -> None:
        """End everything that moves or computes; nothing is compared afterwards."""
        if self._is_closed:
            return
        self._is_closed = True
        QApplication.instance().focusChanged.disconnect(self._focus_keys.follow)  # type: ignore[union-attr]
        for form in self.findChildren(LaneForm):
            form.close()
        self.curves.shut_down()
        for view in self.views:
            view.shut_down()
        self.player.close()
        self._announcer.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:  # nobody else has wanted it
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.shut_down()
        super().closeEvent(event)
        self.closed.emit()

    # --- how it is done ---

    def _build(self) -> None:
        self.setWindowTitle("Compare runs – gpviz")
        self.choice.setAccessibleName("What is compared")
        self.choice.setToolTip("Choose what is compared")
        self.add_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.add_button.setAccessibleName("Add a run")
        self.lecture_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.lecture_button.setAccessibleName("Add to lecture")
        set_tip(self.lecture_button, "Add the comparison to the lecture, as far as it has come.")
        title = QLabel("&Compare")
        title.setBuddy(self.choice)
        top = row_of(title, (self.choice, 2), self.add_button, self.lecture_button, None, spacing=8)
        card = QFrame()
        card.setProperty("role", "card")
        column_in(card, self.curves, margins=(1, 1, 1, 1))
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(self.grid)
        self._splitter.addWidget(card)
        self._splitter.setStretchFactor(0, 13)
        self._splitter.setStretchFactor(1, 7)
        self._splitter.setCollapsible(0, False)
        self._splitter.setHandleWidth(8)
        centre = QWidget()
        parts = (top, self.explanation, (self._splitter, 1), self.transport)
        column_in(centre, *parts, spacing=6, margins=(10, 8, 10, 8))
        self.setCentralWidget(centre)
        set_panes(self.choice, self.grid, self.curves, self.transport)
        take_pleasant_size(self, 1280, 800)

    def _connect(self) -> None:
        player = self.player
        self.actions_by_name.connect(moving_handlers(player))
        self.choice.currentIndexChanged.connect(self._on_chosen)
        self.add_button.clicked.connect(self._on_add_asked)
        self.lecture_button.clicked.connect(self.add_to_lecture)
        self.transport.follow(player)
        self.curves.iteration_chosen.connect(player.go_to)
        player.moment_changed.connect(self._on_moment_changed)
        player.playing_changed.connect(self._on_playing_changed)
        player.problem_met.connect(self.tell)
        QApplication.instance().focusChanged.connect(self._focus_keys.follow)  # type: ignore[union-attr]

    def _made_lane(self, lane: LaneSpec | RecordedLane) -> _Lane:
        if isinstance(lane, LaneSpec):
            return _Lane(lane.label, self.player.new_run(lane.config, lane.start_tree, lane.script))
        run = self.player.copy_of(lane.history, lane.generalisation, lane.stuck_since)
        return _Lane(lane.label, run, lane.request)

    def _change_lanes(self, lanes: list[_Lane]) -> None:
        self._set_lanes(lanes, self.player.cursor)
        self._choose(_OWN)
        self._say("", _OWN_WORDS)

    def _set_lanes(self, lanes: list[_Lane], cursor: int) -> None:
        for view in self.views:
            view.shut_down()
            view.hide()
            view.deleteLater()
        self._lanes = lanes
        self.player.set_runs([lane.run for lane in lanes], cursor)
        self.views = [LaneView(place, run, label, self.grid) for place, (label, run, _) in enumerate(lanes)]
        for view in self.views:
            view.canvas.set_reduced_motion(self._has_reduced_motion)
            view.show_difference(self.views)
            view.remove_action.setEnabled(len(lanes) > MIN_LANES)
            view.edit_action.triggered.connect(self._on_edit_asked)
            view.remove_action.triggered.connect(self._on_remove_asked)
            view.open_action.triggered.connect(self._on_open_asked)
        self.grid.set_lanes(self.views)
        if not self.choice.hasFocus():
            self.views[0].canvas.setFocus()  # the keys go on meaning what they meant
        self.curves.show_runs(self.player.runs, [lane.label for lane in lanes])
        self.add_button.setEnabled(len(lanes) < MAX_LANES)
        self.add_button.setToolTip("Add one more run" if len(lanes) < MAX_LANES else "At most four runs fit")
        self._show_moment(AT_ONCE)

    def _choose(self, name: str) -> None:
        """Let the list say what is compared; runs of one's own are in it only while they are compared."""
        with QSignalBlocker(self.choice):
            place = self.choice.findData(_OWN)
            if name == _OWN and place < 0:
                self.choice.insertItem(0, "Runs of your own choice", _OWN)
            elif name != _OWN and place >= 0:
                self.choice.removeItem(place)
            self.choice.set_value(name)

    def _say(self, title: str, explanation: str) -> None:
        self._title = title
        self.explanation.setText(explanation)
        self.setWindowTitle(f"{title_text(title)} – gpviz" if title else "Compare runs – gpviz")

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        if Changed.RUN in change.what:
            return  # whoever has chosen the runs shows them
        self._show_moment(change)
        if change.what & (Changed.CURSOR | Changed.PLAYING):
            self._announce_step()

    def _show_moment(self, change: MomentChange) -> None:
        """Bring everything to the cursor, as far as there is time."""
        for view, lane in zip(self.views, self._lanes, strict=True):
            view.view.follow(self.player, change, lane.run)
        if change.detail is not Detail.NOTHING:
            self.curves.refresh()
            self.curves.show_cursor(self.player.cursor)
            self._show_position(self.player.cursor)
        self._show_possible()

    def _show_possible(self) -> None:
        """Only what leads somewhere can be asked for."""
        player, actions = self.player, self.actions_by_name
        for name in ("first", "previous", "previous_accepted", "play_backwards"):
            actions[name].setEnabled(player.cursor != 0)
        for name in ("next", "next_accepted"):
            actions[name].setEnabled(not player.has_ended)
        actions["play"].setEnabled(player.is_playing or not player.has_ended)
        actions["live_end"].setEnabled(player.cursor != player.live_end)

    def _show_position(self, iteration: int) -> None:
        player = self.player
        done = [view.run.ending for view in self.views if view.iteration >= len(view.run.history)]
        count = sum(ending is not None for ending in done)
        told = f"t = {iteration:,} of {player.longest:,}"
        if count:
            told += f" · {count} of {len(self.views)} runs have ended"
        change_text(self.position, told)

    @Slot()
    def _on_playing_changed(self) -> None:
        self.actions_by_name.show_playing(self.theme, is_playing=self.player.is_playing)

    def _announce_step(self) -> None:
        """Say what each run has come to, while they stand."""
        if not self.player.is_playing:
            states = (f"{view.label}: {view.chip.text}, {view.numbers_view.text()}." for view in self.views)
            self._announcer.say(" ".join((f"Iteration {self.player.cursor:,}.", *states)), "step")

    @Slot(int)
    def _on_chosen(self, _place: int) -> None:
        name = self.choice.value()
        if name == _ON_SHOW:
            self.compare_run_on_show()
        elif name in self._comparisons:
            self.show_comparison(self._comparisons[name])

    @Slot()
    def _on_add_asked(self) -> None:
        first = self.spec_of(0)
        taken = {run.config.seed for run in self.player.runs}
        seed = next(seed for seed in range(first.config.seed, first.config.seed + 9) if seed not in taken)
        config = first.config.replaced(seed=seed)
        label = suggested_label(first, config, first.start)
        self._ask(LaneSpec(label=label, config=config, start=first.start), "Add a run", self.add_lane)

    @Slot()
    def _on_edit_asked(self) -> None:
        place = self._place_of_sender()
        self._ask(self.spec_of(place), "Change this run", partial(self.change_lane, place))

    @Slot()
    def _on_remove_asked(self) -> None:
        self.remove_lane(self._place_of_sender())

    @Slot()
    def _on_open_asked(self) -> None:
        place = self._place_of_sender()
        run = self._lanes[place].run
        self.player.pause()
        request = self._lanes[place].request or ShowRequest(
            run=run.config, start=run.start_formula, script=run.history.script
        )
        self.run_requested.emit(replace(request, iteration=self.views[place].iteration))

    def _place_of_sender(self) -> int:
        return next(place for place, view in enumerate(self.views) if view is self.sender().parent())

    def _ask(self, lane: LaneSpec, title: str, give: Callable[[LaneSpec], None]) -> None:
        self.player.pause()
        form = LaneForm(lane, self.spec_of(0), title, self)
        form.lane_given.connect(give)
        form.open()
