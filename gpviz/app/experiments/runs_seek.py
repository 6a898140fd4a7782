"""Looks for the run with a seed among those that are listed, in the background; and says which one it is."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.background import Background
from gpviz.app.experiments.runs_model import MOST_ROWS, RunsModel
from gpviz.app.experiments.runs_reader import Located, locate
from gpviz.app.experiments.runs_words import seed_text
from gpviz.engine.config import whole_number
from gpviz.engine.errors import GpvizError
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import StoredRun

__all__ = ["SeedSeeker", "found_words"]


class SeedSeeker(QObject):
    """Finds one run with a seed after the other, in the order of the table."""

    located = Signal(object)
    failed = Signal(object)

    def __init__(self, model: RunsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._background = Background("gpviz-run-seek", self)
        self._background.finished.connect(self._on_located)
        self._background.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        """Whether a run is still being looked for."""
        return self._background.is_busy

    def seek(self, text: str, current: StoredRun | None) -> None:
        """Look for a run with this seed; where the current one has it, for the next."""
        plan, path = self._model.plan, self._model.path
        if plan is None or path is None:
            return
        try:
            seed = whole_number("seed", text, plan.seed, plan.seed + plan.runs - 1)
        except GpvizError as problem:
            self.failed.emit(problem)
            return
        number = seed - plan.seed
        after = (current.cell, number) if current is not None and current.row.number == number else None
        self._background.ask(partial(locate, path, self._model.query, number, after))

    def cancel(self) -> None:
        """Nobody waits for what is being looked for."""
        self._background.cancel()

    def close(self) -> None:
        """End the thread."""
        self._background.close()

    @Slot(object)
    def _on_located(self, answer: Located) -> None:
        if answer.place is None:
            self.failed.emit(GpvizError("No run with this seed has been done yet."))
        elif answer.place.row >= MOST_ROWS:
            self.failed.emit(GpvizError("The run is too far down to be listed; choose its cell first."))
        else:
            self.located.emit(answer)


def found_words(plan: Plan, answer: Located, outcome: str | None) -> str:
    """Which of the runs with a seed was found; ``outcome`` is what was listed before."""
    assert answer.place is not None
    words = f"seed {seed_text(plan.seed + answer.place.key[1])}"
    if answer.turns > 1:
        words = f"{answer.turn:,} of {answer.turns:,} runs with {words}"
    if answer.query.outcome != outcome:
        words += f"; it is not {outcome}, so all outcomes are listed"
    return words
