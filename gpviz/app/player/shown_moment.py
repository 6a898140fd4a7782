"""What a player announces once a frame, and what each part of a view then shows of a run."""

from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Final, Protocol

from gpviz.runs.history import Generalisation, History


class Changed(Flag):
    """What is not as it was in the frame before."""

    NOTHING = 0
    RUN = auto()
    """Another run, or other runs, are on show."""
    CURSOR = auto()
    LENGTH = auto()
    """More of a run is recorded, or it has ended."""
    PLAYING = auto()
    """Playing has begun or ended."""


class Detail(Enum):
    """What can be looked at in the time there is."""

    STEP = "step"
    """All of the step, as it stays on show long enough."""
    GUESS = "guess"
    """What the step proposes, without its end, which is to be guessed."""
    TREE = "tree"
    """Only what has become of the tree: steps come too fast to see what each of them did."""
    NOTHING = "nothing"
    """Nothing more than is shown already, so that the next frames come in time."""


@dataclass(frozen=True, slots=True)
class MomentChange:
    """All views of a player show the iteration under its cursor, each in the same detail, or nothing."""

    what: Changed
    detail: Detail
    duration_ms: int = 0
    """How long the step may be on its way."""
    is_hurried: bool = False
    """Whether steps come too fast to look at each of them from nearby."""


AT_ONCE: Final = MomentChange(Changed.NOTHING, Detail.STEP)
"""For who comes to see later what is under the cursor."""


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """An iteration of a run with what is known of the run by now, and how much of it there is time to show."""

    history: History
    iteration: int
    stuck_since: int | None = None
    generalisation: Generalisation | None = None
    detail: Detail = Detail.STEP
    duration_ms: int = 0
    is_hurried: bool = False

    @property
    def is_stuck(self) -> bool:
        """Whether the run is known to be stuck by then."""
        return self.stuck_since is not None and self.iteration >= self.stuck_since


class Part(Protocol):
    """Something that shows a moment."""

    def show_moment(self, shown: ShownMoment) -> None:
        """Show this from now on; it may be of another run than the one before."""
