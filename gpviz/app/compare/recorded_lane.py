"""A recorded run to compare as it is."""

from dataclasses import dataclass, field

from gpviz.runs.history import Generalisation, History
from gpviz.runs.presets import checked_label
from gpviz.runs.show_request import ShowRequest


@dataclass(frozen=True, slots=True, eq=False)
class RecordedLane:
    """A run that is recorded already, to be compared as it is; ``request`` puts it on show where it comes from."""

    label: str
    history: History
    generalisation: Generalisation = field(default_factory=Generalisation)
    stuck_since: int | None = None
    request: ShowRequest | None = None

    def __post_init__(self) -> None:
        checked_label(self.label)
