"""How far a command is, on one line of the terminal, and Ctrl-C, which ends it politely."""

import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, Self, TextIO

from gpviz.cli import Interrupted
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.runs.replay import Cancelled

_LIVE_S: Final = 0.1
_PLAIN_S: Final = 5.0
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Job:
    """A command that may take long.

    On a terminal the standard error has one line about it, which is written anew; elsewhere there is nothing, or,
    with ``has_plain_lines``, a line every few seconds. While the job is entered the first Ctrl-C only sets
    ``is_interrupted``, and a second one interrupts at once. The end of a session, a closed terminal and a plain
    `kill` count as well; ``exit_code`` tells which it was.
    """

    def __init__(
        self,
        *,
        is_quiet: bool = False,
        has_plain_lines: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.is_quiet = is_quiet
        self.is_interrupted = False
        self.exit_code = 0
        self._stream: TextIO | None = sys.stderr
        self._is_live = not is_quiet and sys.stderr is not None and sys.stderr.isatty()
        self._is_plain = not is_quiet and has_plain_lines and not self._is_live
        self._clock = clock
        self._start = clock()
        self._next = self._start + (_LIVE_S if self._is_live else _PLAIN_S)
        self._last = ""
        self._width = 0
        self._is_finishing = False
        self._previous: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in _SIGNALS:
            number = getattr(signal, name, None)  # not every system has all of them
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_problem: object) -> None:
        self.clear()
        for number, previous in self._previous.items():
            signal.signal(number, previous)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.is_interrupted = True
        self.exit_code = 128 + number

    # --- the line ---

    def show(self, text: str) -> None:
        """Have this on the line at once."""
        if self._is_live:
            line = text[: shutil.get_terminal_size().columns - 1]
            self._write(f"\r{line:<{self._width}}")
            self._width = len(line)

    def update(self, text: str) -> None:
        """Have this on the line, unless something was shown just now."""
        self._last = text
        now = self._clock()
        if now < self._next:
            return
        if self._is_live:
            self._next = now + _LIVE_S
            self.show(text)
        elif self._is_plain:
            self._next = now + _PLAIN_S
            self.keep()

    def count_iterations(self, done: int, text: str) -> None:
        """Tell how many iterations are done, and how many there are in a second."""
        rate = done / max(self._clock() - self._start, 1e-9)
        self.update(f"iteration {done:,}, {text}, {rate:,.0f} iterations a second")

    def on_written(self, done: int, total: int) -> bool:
        """Tell how much of a file is written; whether to stop."""
        self.update(f"writing, {100 * done // max(total, 1)} % ({done:,} of {total:,})")
        return self.should_stop()

    def keep(self) -> None:
        """Let what was last to be shown stay, as a line of its own."""
        if self._last and (self._is_live or self._is_plain):
            self.say(self._last)
        self._last = ""

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self._write(f"\r{'':<{self._width}}\r")
            self._width = 0

    def say(self, line: str, *, is_urgent: bool = False) -> None:
        """Write a line that stays, on the standard error; one that is urgent also where the command is quiet."""
        if is_urgent or not self.is_quiet:
            self.clear()
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        """Write for as long as there is a terminal: where it has gone, the work goes on all the same."""
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._stream = None

    # --- interruption ---

    def should_stop(self) -> bool:
        """Whether somebody has interrupted what is under way."""
        return self.is_interrupted and not self._is_finishing

    def interruption(self, sentence: str) -> Interrupted:
        """What ends the command when it was interrupted."""
        return Interrupted(sentence, self.exit_code)

    @contextmanager
    def interruptible(self, sentence: Callable[[], str] | str = "") -> Iterator[None]:
        """Within it an interruption ends the command, with this sentence or that of what is cancelled.

        What begins after an interruption is not ended by that one, but is done to finish.
        """
        self._is_finishing = self.is_interrupted
        try:
            with stoppable(self.should_stop):
                yield
        except (Cancelled, Stopped) as reason:
            text = sentence() if callable(sentence) else sentence
            raise self.interruption(text or str(reason) or "interrupted.") from reason
        finally:
            self.clear()
            self._is_finishing = False
