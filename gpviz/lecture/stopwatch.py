"""A stopwatch for the speaker, and its time as text."""

from collections.abc import Callable
from time import monotonic


class Stopwatch:
    """Counts seconds while it runs."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._counted = 0.0
        self._since: float | None = None

    @property
    def is_running(self) -> bool:
        return self._since is not None

    @property
    def seconds(self) -> float:
        """What it has counted so far."""
        return self._counted + (0.0 if self._since is None else self._clock() - self._since)

    def toggle(self) -> None:
        """Start it if it stands, else pause it."""
        if self._since is None:
            self._since = self._clock()
        else:
            self._counted = self.seconds
            self._since = None

    def reset(self) -> None:
        """Count from zero again, running or not as before."""
        self._counted = 0.0
        self._since = self._clock() if self.is_running else None


def time_text(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any: 4:05, 1:02:03."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
