"""A valve for what comes faster than it can be shown: the first passes at once, then the latest, at a pace."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot


class Throttle(QObject):
    """Passes on the latest of the values it is given, at most one every ``interval_ms``."""

    passed = Signal(object)

    def __init__(self, interval_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[object] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_waiting(self) -> bool:
        """Whether a value is still to be passed on."""
        return bool(self._waiting)

    def give(self, value: object) -> None:
        """Pass the value on, now or after a moment, unless another one follows."""
        if self._timer.isActive():
            self._waiting = [value]
        else:
            self._timer.start()
            self.passed.emit(value)

    def cancel(self) -> None:
        """Forget what has not been passed on."""
        self._waiting = []
        self._timer.stop()

    @Slot()
    def _on_timeout(self) -> None:
        if self._waiting:
            self._timer.start()
            self.passed.emit(self._waiting.pop())
