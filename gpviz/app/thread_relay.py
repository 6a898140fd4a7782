"""Relays what another thread has to say into the window's thread, by an object that nobody else connects to.

To deliver a signal from another thread, Qt takes a lock that belongs to its receiver; to connect or disconnect a
signal of that object it takes the same lock, and in Python either may hold the interpreter's lock as well. If the
receiver has no signals of its own, the two never meet.
"""

from collections.abc import Callable
from weakref import WeakMethod

from PySide6.QtCore import QObject, Slot

__all__ = ["ThreadRelay"]


class ThreadRelay(QObject):
    """Hands on to a method, in the thread it was made in, what is told to it from another.

    It does not keep the method's object alive: the object usually keeps the bell.
    """

    def __init__(self, on_rung: Callable[..., None]) -> None:
        super().__init__()
        self._on_rung = WeakMethod(on_rung)

    @Slot()
    def ring(self) -> None:
        """Somebody has come."""
        on_rung = self._on_rung()
        if on_rung is not None:
            on_rung()

    @Slot(int, object)
    def deliver(self, number: int, thing: object) -> None:
        """Somebody has brought something."""
        on_rung = self._on_rung()
        if on_rung is not None:
            on_rung(number, thing)
