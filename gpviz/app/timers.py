"""Timers that do something once, after a moment."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(parent: QObject, do: Callable[[], object], interval_ms: int = 0) -> QTimer:
    """A timer that does this once after each start; started again before that, it begins anew."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(do)
    return timer
