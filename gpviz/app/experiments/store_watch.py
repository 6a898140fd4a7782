"""Reads the experiment on show again and again while it grows, and finds those that are kept."""

from pathlib import Path
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.background import Background, ShouldStop
from gpviz.app.experiments.reading import MedianReader, Snapshot, kept_experiments, read_snapshot
from gpviz.engine.errors import GpvizError

__all__ = ["StoreWatch"]

_READ_MS: Final = 500
_PATIENCE: Final = 4
"""Reading takes at most one part in so many of the time: with very many cells it would hold up the window."""


class StoreWatch(QObject):
    """What is on show as it was last read; nothing is on show before the first reading has come."""

    snapshot_read = Signal(object, bool)
    """A `Snapshot`, and whether it is another experiment, or another plan, than what was on show."""
    kept_found = Signal(object)
    """The experiments that are kept, newest first: a list of `Kept`."""
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self._snapshot: Snapshot | None = None
        self._asked_at = 0.0
        self._is_behind = False
        self._medians = MedianReader()
        self._reader = Background("gpviz reader", self)
        self._finder = Background("gpviz finder", self)
        self._timer = QTimer(self)
        self._timer.setInterval(_READ_MS)
        self._timer.timeout.connect(self._on_timer)
        self._reader.finished.connect(self._on_read)
        self._reader.failed.connect(self._on_failed)
        self._finder.finished.connect(self.kept_found)
        self._finder.failed.connect(self._on_failed)

    @property
    def path(self) -> Path | None:
        """The file of the experiment on show."""
        return self._path

    @property
    def snapshot(self) -> Snapshot | None:
        """The experiment on show as it was last read."""
        return self._snapshot

    @property
    def is_behind(self) -> bool:
        """Whether the experiment has ended, and how it ended is still being read."""
        return self._is_behind

    def read(self, path: Path) -> None:
        """Begin to read an experiment, to be put on show."""
        is_running = self._timer.isActive()

        def work(should_stop: ShouldStop) -> Snapshot:
            return read_snapshot(path, self._medians, should_stop, is_running=is_running)

        self._asked_at = perf_counter()
        self._reader.ask(work)

    def follow(self, path: Path) -> None:
        """The experiment in this file begins to grow: it is read again and again."""
        self._path = path
        self._timer.start(_READ_MS)
        self.read(path)

    def unfollow(self) -> None:
        """It does not grow any more: it is read a last time."""
        self._timer.stop()
        if self._path is not None:
            self._is_behind = True
            self.read(self._path)

    def give_up(self) -> None:
        """Nobody waits for what is being read."""
        self._is_behind = False
        self._reader.cancel()

    def put_away(self) -> None:
        """Nothing is on show any more."""
        self.give_up()
        self._path = self._snapshot = None

    def look_for_kept(self) -> None:
        """Begin to look for the experiments that are kept."""
        self._finder.ask(kept_experiments)

    def shut_down(self) -> None:
        """End every thread."""
        self._timer.stop()
        self._reader.close()
        self._finder.close()

    @Slot()
    def _on_timer(self) -> None:
        if self._path is not None and not self._reader.is_busy:
            self.read(self._path)

    @Slot(object)
    def _on_read(self, snapshot: Snapshot) -> None:
        self._timer.setInterval(max(_READ_MS, int(_PATIENCE * 1000 * (perf_counter() - self._asked_at))))
        self._is_behind = False
        before = self._snapshot
        is_new = before is None or (before.path, before.plan) != (snapshot.path, snapshot.plan)
        self._path, self._snapshot = snapshot.path, snapshot
        if not snapshot.has_all_medians and not self._timer.isActive():
            self.read(snapshot.path)  # before anyone hears of it, as they may want another one
        self.snapshot_read.emit(snapshot, is_new)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        if not isinstance(problem, GpvizError):
            raise problem
        self._is_behind = False
        self.failed.emit(str(problem))
