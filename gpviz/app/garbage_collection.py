"""Garbage collection in the window's thread only, and never in the middle of a run at full speed.

Python looks for garbage in whatever thread makes objects, and that is the worker: it would walk through all
the trees of the run again and again, although they have no cycles, and might delete Qt's objects in the wrong
thread. So the objects that exist once the window is open are frozen for good, and a timer collects among the
rest. Frozen objects are still deleted when nothing refers to them any more, as trees are; only cycles among
them stay, some dozens for each second of playing.
"""

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from gpviz.app.player.player import Player
from gpviz.app.tasks import is_any_task_busy

_INTERVAL_MS: Final = 2000


class GarbageCollection(QObject):
    """Takes over from the automatic collection, and gives it back when closed."""

    def __init__(self, player: Player, window: QObject | None = None) -> None:
        """Of a window with this player, and perhaps more of them in the windows it opens."""
        super().__init__(window)
        self._player = player
        self._was_enabled = gc.isenabled()
        gc.disable()
        gc.freeze()
        player.playing_changed.connect(self._on_playing_changed)
        player.run_changed.connect(self._on_run_changed)
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.tidy_up)
        self._timer.start()

    @Slot()
    def tidy_up(self) -> None:
        """Collect garbage if nothing is playing or being computed; otherwise freeze the objects made so far.

        Background work makes many trees, too, and walking through them would make the window hang.
        """
        if is_any_task_busy() or any(player.is_playing for player in self._players()):
            gc.freeze()
        else:
            gc.collect(1)

    def _players(self) -> list[Player]:
        window = self.parent()
        return [self._player] if window is None else window.findChildren(Player)

    @Slot()
    def _on_playing_changed(self) -> None:
        """The trees of a long run must not be walked through when it stops."""
        if not self._player.is_playing:
            gc.freeze()

    @Slot()
    def _on_run_changed(self) -> None:
        """Nor those of a run that was loaded."""
        gc.freeze()

    def close(self) -> None:
        """Leave garbage collection as it was found."""
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()
