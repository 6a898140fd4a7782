"""How a run of a comparison ends, and a chip that says how it stands at the cursor."""

from typing import Final, Protocol

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.player.played_run import Ending
from gpviz.app.widgets.chips import Chip
from gpviz.engine import State
from gpviz.runs.history import History

_SYMBOLS: Final = {"solved": "✓", "stuck": "✕", "full": "■", "failed": "■", "": "↘"}

_STATES: Final = {"solved": State.SOLVED, "stuck": State.STUCK}


class ComparedRun(Protocol):
    """A run to be compared: what is recorded of it, and how it ends."""

    @property
    def history(self) -> History:
        """What is recorded."""

    @property
    def ending(self) -> Ending | None:
        """How it ends; None while it can go on."""


def state_words(run: ComparedRun, cursor: int) -> tuple[str, str]:
    """How the run stands at an iteration: the kind of its end, empty before it, and a few words."""
    ending = run.ending
    if ending is None or cursor < ending.iteration:
        return "", "searching" if cursor else "start"
    at = f"iteration {ending.iteration:,}"
    match ending.outcome:
        case "solved":
            return "solved", f"solved in {at}" if ending.iteration else "solved from the start"
        case "stuck":
            return "stuck", f"stuck since {at}" if ending.iteration else "stuck from the start"
        case "full":
            return "full", f"ends with {at}"
    return "failed", f"cannot go on after {at}"


class StateChip(Chip):
    """Shows the state, in the colours of the banner that says the same of a tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = ""
        self.text = "start"
        self._say()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_state(self, kind: str, words: str) -> None:
        """Say how it stands."""
        if (kind, words) == (self.kind, self.text):
            return
        self.kind, self.text = kind, words
        self._say()
        self.updateGeometry()
        self.update()

    def _say(self) -> None:
        self.is_bold = bool(self.kind)
        self.setAccessibleName(f"State: {self.text}")
        self.setToolTip(f"{self.text[0].upper()}{self.text[1:]}.")

    def words(self) -> str:
        return f"{_SYMBOLS[self.kind]} {self.text.replace(' iteration ', ' ')}"

    def colours(self) -> tuple[QColor, QColor, QColor | None]:
        colours = self.theme.colours
        state = _STATES.get(self.kind, State.CLIMBING)
        plain = colours.border, colours.field, colours.text if self.kind else colours.muted
        frame, ground, ink = colours.of_state(state) or plain
        return QColor(ground), QColor(ink), QColor(frame)
