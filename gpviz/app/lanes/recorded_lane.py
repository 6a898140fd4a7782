"""A recorded run to compare as it is."""

from dataclasses import dataclass, field
from functools import cached_property

from gpviz.app.player.played_run import Ending, first_solved
from gpviz.runs.history import Generalisation, History
from gpviz.runs.presets import checked_label
from gpviz.runs.show_request import ShowRequest


@dataclass(frozen=True, eq=False)
class RecordedLane:
    """A run that is recorded already, to be compared as it is; ``request`` puts it on show where it comes from."""

    label: str
    history: History
    generalisation: Generalisation = field(default_factory=Generalisation)
    stuck_since: int | None = None
    request: ShowRequest | None = None

    def __post_init__(self) -> None:
        checked_label(self.label)

    @cached_property
    def ending(self) -> Ending | None:
        """How it ends; None if it could go on."""
        solved = first_solved(self.history)
        ends = [] if solved is None else [Ending("solved", solved)]
        if self.stuck_since is not None:
            ends.append(Ending("stuck", self.stuck_since))
        return min(ends, key=lambda ending: ending.iteration, default=None)
