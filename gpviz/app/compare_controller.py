"""Comparing: opens the window of comparisons, and puts what is chosen there on show in the main window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gpviz.engine import RunConfig, format_formula, parse
from gpviz.run.branches import ORIGINAL
from gpviz.run.comparisons import Comparison

if TYPE_CHECKING:
    from gpviz.app.compare.window import CompareWindow
    from gpviz.app.main_window import MainWindow

__all__ = ["CompareController", "bring_up"]


class CompareController(QObject):
    """Makes the window of comparisons when it is wanted, and forgets it when it is closed."""

    made = Signal(object)
    """The window is there, and not shown yet."""

    problem_met = Signal(str)

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.compare: CompareWindow | None = None

    def show_run(self) -> None:
        """Open the window of comparisons; the run on show is among what can be compared."""
        from gpviz.app.compare.lane_runs import RecordedLane

        controller = self._window.controller
        controller.settle()
        compare = self._made()
        lane = RecordedLane(
            "The run on show",
            controller.history,
            controller.generalisation,
            controller.stuck_since,
            key=self._key_of(self._window.branch_controller.shown),
        )
        compare.offer_run(lane, controller.cursor)
        bring_up(compare)

    def show_comparison(self, comparison: Comparison) -> None:
        """Open the window of comparisons with these runs."""
        compare = self._made()
        compare.show_comparison(comparison)
        bring_up(compare)

    @Slot(int, int)
    def show_branches(self, one: int, other: int) -> None:
        """Open the window of comparisons with two branches of the run on show."""
        from gpviz.app.compare.lane_runs import RecordedLane

        self._window.controller.settle()
        desk = self._window.branch_controller
        lanes = []
        for number in (one, other):
            stand, name = desk.stand_of(number), desk.branches[number].name
            key = self._key_of(number)
            lanes.append(RecordedLane(name, stand.history, stand.generalisation, stand.stuck_since, key=key))
        compare = self._made()
        compare.compare(lanes, "Two branches of a run", cursor=self._window.controller.cursor)
        bring_up(compare)

    @Slot(object, str, int)
    def open_run(
        self, config: RunConfig, start: str, iteration: int, title: str = "", explanation: str = ""
    ) -> None:
        """Put a run on show in the main window at this iteration, unless a person keeps the one there is."""
        window = self._window
        tree = parse(start, config.n) if start else None
        if window.file_controller.start_run(config, tree):
            window.views.set_about(title, explanation)
            window.controller.run_to(iteration)
            bring_up(window)

    def shut_down(self) -> None:
        """End every thread."""
        if self.compare is not None:
            self.compare.shut_down()

    def _made(self) -> "CompareWindow":
        if self.compare is None:
            from gpviz.app.compare.window import CompareWindow

            self.compare = CompareWindow(self._window.theme_manager.theme, self._window)
            self.compare.open_run_asked.connect(self.open_run)
            self.compare.open_key_asked.connect(self._on_branch_asked)
            self.compare.closed.connect(self._on_closed)
            self.made.emit(self.compare)
        return self.compare

    def _key_of(self, branch_id: int) -> tuple[RunConfig, str, int]:
        """What a branch of the run on show is known by, also when another run has come on show."""
        original = self._window.branch_controller.stand_of(ORIGINAL).history
        return original.config, format_formula(original.start), branch_id

    @Slot(object, int)
    def _on_branch_asked(self, key: tuple[RunConfig, str, int], iteration: int) -> None:
        window, branch_id = self._window, key[-1]
        if branch_id in window.branch_controller.branches and self._key_of(branch_id) == key:
            window.branch_controller.switch_to(branch_id)
            window.controller.run_to(iteration)
            bring_up(window)
        elif branch_id == ORIGINAL:
            self.open_run(*key[:2], iteration)
        else:
            self.problem_met.emit("The branch is not on show any more; open its run again to go on with it.")

    @Slot()
    def _on_closed(self) -> None:
        if self.compare is not None:
            self.compare.deleteLater()
            self.compare = None


def bring_up(window: QWidget) -> None:
    """Show a window in front of the others."""
    window.show()
    window.raise_()
    window.activateWindow()
