"""Takes a stuck run to the step that decided it: one of an experiment that was opened, or the one on show."""

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.player.player import Player
from gpviz.app.question import Question
from gpviz.app.run.run_document import Document
from gpviz.engine.config import RunConfig
from gpviz.engine.interruption import ShouldStop
from gpviz.runs.history import History
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

    def __init__(self, player: Player, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._document = document
        self._opened: tuple[History, int] | None = None  # the run that is looked at, and where it is on show
        self._finding: DecisiveStepFinding | None = None  # found before the run has come that far
        self._explains_run = False
        self._question = Question(self, self._on_found, self._on_failed)
        player.run_changed.connect(self._follow_run)
        player.playing_changed.connect(self._follow_run)

    @property
    def is_busy(self) -> bool:
        """Whether it is still looking, or waits for the run to come that far."""
        return self._opened is not None

    @Slot(object)
    def follow(self, request: ShowRequest) -> None:
        """A run has come on show; look for its decisive step if that is wanted."""
        if not request.seeks_decisive_step or request.iteration is None:
            return
        assert isinstance(request.run, RunConfig)
        self._opened = self._player.run.history, request.iteration
        self._explains_run = True
        self._question.ask(request.run, request.iteration, partial(_found, request.run, request.iteration))
        self.progressed.emit(_SEEKING)

    @Slot()
    def seek(self) -> None:
        """Look for the decisive step of the run on show, which is stuck."""
        run, cursor = self._player.run, self._player.cursor
        since = cursor if run.stuck_since is None else min(run.stuck_since, cursor)
        self._opened = run.history, cursor
        self._explains_run = False
        self._question.ask(run.history, since, partial(_found_in, run.history.beginning(since)))
        self.progressed.emit(_SEEKING)

    @Slot()
    def cancel(self) -> bool:
        """Stay where the run is; False if nothing is being looked for."""
        if not self.is_busy:
            return False
        self._question.cancel()
        self._opened = self._finding = None
        self.reported.emit("")
        return True

    def close(self) -> None:
        """End its thread."""
        self._opened = self._finding = None
        self._question.close()

    @Slot()
    def _follow_run(self) -> None:
        """Show what was found once the run stands where it was opened; nothing if somebody looks elsewhere."""
        player = self._player
        if self._opened is None:
            return
        history, iteration = self._opened
        if player.run.history is not history:
            self.cancel()
        elif self._finding is not None and player.cursor == iteration:
            self._show(self._finding)
        elif self._finding is not None and not player.is_playing:
            self.cancel()

    def _on_found(self, finding: "DecisiveStepFinding") -> None:
        self._finding = finding
        self._follow_run()

    def _show(self, finding: "DecisiveStepFinding") -> None:
        from gpviz.experiments.run_text import decisive_step_sentence

        self._opened = self._finding = None
        sentence = decisive_step_sentence(finding)
        if self._explains_run:
            self._document.explain(sentence)
        if finding.iteration is not None:
            self._player.go_to(finding.iteration)
            self.page_asked.emit(_PAGE)
        self.reported.emit(sentence)

    def _on_failed(self, problem: str) -> None:
        self._opened = None
        self.reported.emit(problem)


def _found(config: RunConfig, stuck_since: int, _: ShouldStop) -> "DecisiveStepFinding":
    from gpviz.experiments.decisive_steps import (
        DECISIVE_STEPS,  # experiments are not loaded before there is one
    )

    return DECISIVE_STEPS.find_precisely(config, stuck_since)


def _found_in(history: History, _: ShouldStop) -> "DecisiveStepFinding":
    from gpviz.experiments.decisive_steps import decisive_step_of, more_precise

    return more_precise(decisive_step_of(history), history)
