"""A live progress line on a terminal, and a polite way to be interrupted."""

import signal
import sys
import time
from types import FrameType
from typing import Any, Final, Self


class Progress:
    """One line on the standard error, rewritten a few times a second; silent where that is no terminal."""

    _INTERVAL_S = 0.1

    def __init__(self, *, is_wanted: bool = True) -> None:
        self._is_shown = is_wanted and sys.stderr.isatty()
        self._start = time.monotonic()
        self._next = self._start + self._INTERVAL_S
        self._width = 0

    def show(self, done: int, text: str) -> None:
        """Tell how many iterations are done, unless that was told just now."""
        if not self._is_shown:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._INTERVAL_S
        rate = done / (now - self._start)
        self.tell(f"iteration {done:,}, {text}, {rate:,.0f} iterations a second")

    def tell(self, text: str) -> None:
        """Have this on the line at once."""
        if not self._is_shown:
            return
        line = text[:100]
        sys.stderr.write(f"\r{line:<{self._width}}")
        sys.stderr.flush()
        self._width = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0


class Interruptible:
    """While this is active the first Ctrl-C only sets ``is_interrupted``; a second one interrupts at once.

    The end of a session, a closed terminal and a plain `kill` count as well; ``exit_code`` tells which it was.
    """

    _NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")

    def __init__(self) -> None:
        self.is_interrupted = False
        self.exit_code = 0
        self._previous: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in self._NAMES:
            number = getattr(signal, name, None)  # not every system has all of them
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._previous[number] = signal.signal(number, self._on_interrupt)
        return self

    def __exit__(self, *_problem: object) -> None:
        for number, previous in self._previous.items():
            signal.signal(number, previous)

    def is_stopped(self) -> bool:
        """Whether it was interrupted, for who asks now and then."""
        return self.is_interrupted

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.is_interrupted = True
        self.exit_code = 128 + number
