"""Going along a way out: forwards, backwards, and by itself about one mutation a second."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.engine import Mutation

__all__ = ["PathWalk"]

INTERVAL_MS: Final = 1000


class PathWalk(QObject):
    """Where somebody is on a sequence of mutations; nowhere until the first move."""

    moved = Signal()
    left = Signal()
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.mutations: list[Mutation] = []
        self.applied = 0
        self.is_looking = False
        self.timer = QTimer(self)
        self.timer.setInterval(INTERVAL_MS)
        self.timer.timeout.connect(self._on_due)

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self.timer.isActive()

    def set_path(self, mutations: Sequence[Mutation]) -> None:
        """Another path; whoever looks at the one before leaves it."""
        self.leave()
        self.mutations = list(mutations)

    def look_at(self, mutations: Sequence[Mutation]) -> None:
        """Look at the end of another path at once."""
        wanted = list(mutations)
        self.pause()
        if not self.is_looking or wanted != self.mutations:
            self.mutations, self.applied, self.is_looking = wanted, len(wanted), True
            self.moved.emit()

    def go_to(self, applied: int) -> None:
        """Look at the tree after so many mutations."""
        applied = min(max(applied, 0), len(self.mutations))
        if self.mutations and (not self.is_looking or applied != self.applied):
            self.is_looking = True
            self.applied = applied
            self.moved.emit()
        if self.is_playing and self.applied == len(self.mutations):
            self.pause()

    def play(self) -> None:
        """Go on by itself, from the beginning where the end is reached."""
        if not self.mutations or self.is_playing:
            return
        self.timer.start()
        self.playing_changed.emit(True)
        is_at_end = self.is_looking and self.applied == len(self.mutations)
        self.go_to(0 if is_at_end else self.applied + 1)

    def pause(self) -> None:
        """Stay here."""
        if self.is_playing:
            self.timer.stop()
            self.playing_changed.emit(False)

    @Slot()
    def leave(self) -> None:
        """Look no longer."""
        self.pause()
        self.applied = 0
        if self.is_looking:
            self.is_looking = False
            self.left.emit()

    @Slot()
    def _on_due(self) -> None:
        self.go_to(self.applied + 1)
