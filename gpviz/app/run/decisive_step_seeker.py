"""Takes a stuck run of an experiment that was opened to the step that decided it."""

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.player.player import Player
from gpviz.app.run.run_document import Document
from gpviz.app.tasks import BackgroundTask
from gpviz.engine.config import RunConfig
from gpviz.engine.interruption import ShouldStop
from gpviz.runs.show_request import ShowRequest

if TYPE_CHECKING:
    from gpviz.experiments.decisive_steps import DecisiveStepFinding

_SEEKING: Final = "Looking for the step that decided this run (Esc cancels) …"
_PAGE: Final = "outlook"


class DecisiveStepSeeker(QObject):
    """Finds the decisive step beside the run on show, and goes there unless somebody has moved meanwhile."""

    progressed = Signal(str)
    reported = Signal(str)
    page_asked = Signal(str)
    """The page of this name is to come on show."""

    def __init__(self, controller: Player, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._document = document
        self._opened_at: int | None = None  # where the run is on show meanwhile
        self._has_arrived = False
        self._finding: DecisiveStepFinding | None = None  # found before the run has come that far
        self._task = BackgroundTask("gpviz decisive step", self)
        self._task.finished.connect(self._on_found)
        self._task.failed.connect(self._on_failed)
        controller.run_changed.connect(self.cancel)
        controller.cursor_moved.connect(self._on_cursor_moved)

    @property
    def is_busy(self) -> bool:
        """Whether it is still looking, or waits for the run to come that far."""
        return self._opened_at is not None

    @Slot(object)
    def follow(self, request: ShowRequest) -> None:
        """A run has come on show; look for its decisive step if that is wanted."""
        if not request.seeks_decisive_step or request.iteration is None:
            return
        assert isinstance(request.run, RunConfig)
        self._opened_at = request.iteration
        self._has_arrived = self._controller.cursor == request.iteration
        self._task.ask(partial(_found, request.run, request.iteration))
        self.progressed.emit(_SEEKING)

    @Slot()
    def cancel(self) -> bool:
        """Stay where the run is; False if nothing is being looked for."""
        if not self.is_busy:
            return False
        self._task.cancel()
        self._opened_at = self._finding = None
        self.reported.emit("")
        return True

    def close(self) -> None:
        """End its thread."""
        self._opened_at = self._finding = None
        self._task.close()

    @Slot()
    def _on_cursor_moved(self) -> None:
        if self._opened_at is None:
            return
        controller = self._controller
        if controller.cursor == self._opened_at:
            self._has_arrived = True
            if self._finding is not None:
                self._show(self._finding)
        elif self._has_arrived or not controller.is_playing:
            self.cancel()  # somebody looks at something else

    @Slot(object)
    def _on_found(self, finding: "DecisiveStepFinding") -> None:
        if self._has_arrived:
            self._show(finding)
        elif self._controller.is_playing:
            self._finding = finding
        else:
            self.cancel()  # somebody has stopped the run on the way

    def _show(self, finding: "DecisiveStepFinding") -> None:
        from gpviz.experiments.run_text import decisive_step_sentence

        self._opened_at = self._finding = None
        sentence = decisive_step_sentence(finding)
        self._document.explain(sentence)
        if finding.iteration is not None:
            self._controller.go_to(finding.iteration)
            self.page_asked.emit(_PAGE)
        self.reported.emit(sentence)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._opened_at = None
        self.reported.emit(problem)


def _found(config: RunConfig, stuck_since: int, _: ShouldStop) -> "DecisiveStepFinding":
    from gpviz.experiments.decisive_steps import (
        DECISIVE_STEPS,  # experiments are not loaded before there is one
    )

    return DECISIVE_STEPS.find_precisely(config, stuck_since)
