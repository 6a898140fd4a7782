"""Time in a lecture: a stopwatch, and how long each scene took."""

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

    def start(self) -> None:
        if self._since is None:
            self._since = self._clock()

    def pause(self) -> None:
        self._counted = self.seconds
        self._since = None

    def toggle(self) -> None:
        """Start it if it stands, else pause it."""
        if self.is_running:
            self.pause()
        else:
            self.start()

    def reset(self) -> None:
        """Count from zero again, running or not as before."""
        self._counted = 0.0
        self._since = self._clock() if self.is_running else None


class SceneTimes:
    """How long each scene was on show, by a stopwatch that may be paused."""

    def __init__(self, count: int, watch: Stopwatch) -> None:
        self._watch = watch
        self._taken = [0.0] * count
        self._index: int | None = None
        self._since = 0.0

    @property
    def seen(self) -> int:
        """How many scenes were on show for any time at all."""
        return sum(seconds > 0 for seconds in self.all())

    def enter(self, index: int | None) -> None:
        """Another scene is on show from now on; None for none."""
        self._taken = list(self.all())
        self._index = index
        self._since = self._watch.seconds

    def forget(self) -> None:
        """Count every scene from zero again."""
        self._taken = [0.0] * len(self._taken)
        self._since = self._watch.seconds

    def all(self) -> tuple[float, ...]:
        """The seconds of every scene so far."""
        taken = list(self._taken)
        if self._index is not None:
            taken[self._index] += max(self._watch.seconds - self._since, 0.0)
        return tuple(taken)


def time_text(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any: 4:05, 1:02:03."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
